"""What becomes of retinues on the board: struck, run over, destroyed (rulebook, Retinue Rules)."""

from __future__ import annotations

from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.rules import chance, conditions, people, where
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.rules.script import verb
from kdmlog.games.kdm.state import Space

FALLS = 4
"""From this result on a d10 a retinue that is struck is destroyed."""
LOST = 4
"""How many of the population are lost with it."""


@rule("kdm.retinue_struck")
def struck(table: Table, id_: str) -> Procedure[None]:
    """The retinue of a survivor, damaged or hit by the monster, is destroyed on 4+."""
    if not where.has_retinue(table.state, id_):
        return
    if (yield from chance.roll("1d10", "retinue_struck", about=(id_,))) >= FALLS:
        yield from destroyed(table, id_)


@rule("kdm.retinue_destroyed")
def destroyed(table: Table, id_: str) -> Procedure[None]:
    """The retinue of a survivor leaves the board, and the settlement has lost 4 of its people."""
    if not where.has_retinue(table.state, id_):
        return
    yield Record(e.RetinueDestroyed(survivor=id_))
    yield from people.lose(Scene(table=table, record="ai_card:retinue", who=id_), LOST)


def run_over(table: Table, swept: frozenset[Space]) -> Procedure[None]:
    """Retinues collide with a monster that has moved so; those on whom it ends are destroyed."""
    board = where.board(table.state)
    assert board is not None
    under = where.monster_spaces(board)
    for id_ in [one for one in board.retinues if where.retinue_spaces(board, one) & swept]:
        if where.retinue_spaces(board, id_) & under:
            yield from destroyed(table, id_)
        else:
            yield from struck(table, id_)


@verb("retinue")
def _retinue(scene: Scene, body: s.Retinue) -> Procedure[None]:
    """What the cards say of retinues; without a board the players see to it."""
    if body.faced:
        whose = where.faced_retinues(scene.state)
    elif body.who is None:  # perhaps one of the dead
        whose = [scene.who]
    else:
        whose = yield from conditions.people(scene, body.who)
    for id_ in whose:
        yield from (destroyed if body.destroyed else struck)(scene.table, id_)
