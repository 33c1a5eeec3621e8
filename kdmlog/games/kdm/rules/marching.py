"""Retinues summoned and marched by those who command them (rulebook, Retinue Rules)."""

from __future__ import annotations

import re

from kdmlog.core.errors import Refused
from kdmlog.core.events import UseSpent
from kdmlog.core.game import Table
from kdmlog.core.names import match
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.core.requests import Field, Fill
from kdmlog.games.kdm import board as g
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.rules import figures, laid, moving, where
from kdmlog.games.kdm.rules.survival import MARCH, action
from kdmlog.games.kdm.state import RETINUE, RETINUE_SIZE, Board, Space

PACE = 5
"""How many spaces a retinue moves at most."""
SUMMON = "summon"


def commands(table: Table, id_: str) -> bool:
    """Returns whether a survivor may have a retinue on the board: by their status card."""
    board = where.board(table.state)
    held = laid.held(table, table.state.survivors[id_])
    there = board is not None and id_ in board.survivors
    return there and any("commands_retinue" in card.rules for _, card in held)


def why_not(table: Table, id_: str) -> str:
    """Returns why a survivor cannot command a retinue now, in words; empty when they can.

    Each once an act; the march is gained at the start of it, by who has a retinue then.
    """
    spent = [SUMMON, MARCH] if where.has_retinue(table.state, id_) else [SUMMON]
    if any(table.state.used("act", id_, one) for one in spent):
        return f"{table.state.survivors[id_].name}'s retinue has come or marched in this act"
    return ""


@rule("kdm.retinue")
def command(table: Table, id_: str) -> Procedure[None]:
    """In one's act a retinue comes to an edge of the board and moves up to 5; or it marches.

    Neither takes movement or activation (rulebook, Summon Retinue; March).
    """
    what = MARCH if where.has_retinue(table.state, id_) else SUMMON
    words = yield from _asked(table, id_, what)
    yield Record(UseSpent(scope="act", who=id_, what=what))
    yield from (_march if what == MARCH else _summon)(table, id_, words)


@action(MARCH, ready=lambda table, id_: where.has_retinue(table.state, id_))
def double_march(table: Table, id_: str, to: str) -> Procedure[None]:
    """Who could dash has their retinue move up to 5, once a round (rulebook, Double March)."""
    yield from figures.spend_survival(table, id_)
    words = to or (yield from _asked(table, id_, MARCH))
    yield from _march(table, id_, words)


def _asked(table: Table, id_: str, what: str) -> Procedure[str]:
    values = yield Fill(purpose=RETINUE, about=(id_, what), fields=(Field("to", "words"),))
    return " ".join(values["to"])


def _march(table: Table, id_: str, words: str) -> Procedure[None]:
    start = _board(table).retinues[id_]
    ways = g.walks(start, PACE, where.taken(table, marching=id_), RETINUE_SIZE)
    ends = [at for at in _goals(table, words, start) if at in ways]
    if not ends:
        raise _too_far(table, id_)
    path = min((ways[at] for at in ends), key=len)
    if not path:
        raise Refused("It stands there already.", code="there_already")
    yield Record(e.RetinueMoved(survivor=id_, path=path))


def _summon(table: Table, id_: str, words: str) -> Procedure[None]:
    """Its way is looked for from where it is to stand, back to the nearest edge."""
    taken = where.taken(table)
    back = []
    for goal in _goals(table, words):
        if g.fits(goal, RETINUE_SIZE) and not g.footprint(goal, RETINUE_SIZE) & taken:
            ways = g.walks(goal, PACE, taken, RETINUE_SIZE).items()
            back += [(goal, *way) for end, way in ways if g.at_edge(end, RETINUE_SIZE)]
    if not back:
        raise _too_far(table, id_)
    *path, edge = min(back, key=len)
    yield Record(e.RetinuePlaced(survivor=id_, at=edge))
    if path:
        yield Record(e.RetinueMoved(survivor=id_, path=tuple(reversed(path))))


def _goals(table: Table, words: str, start: Space | None = None) -> list[Space]:
    """Returns where a retinue would stand by the players' words, as its bottom left space.

    ``11 6``, a survivor (beside them), or from where it stands ``3n2e``.
    """
    if re.fullmatch(r"\d{1,2}[-, ]+\d{1,2}", words.strip()):
        return [moving.read_space(words)]
    if start is not None and re.fullmatch(r"(\d*[nesw])+", words):
        return list(g.walked(start, g.walk_words(words))[-1:])
    survivors = _board(table).survivors
    names = {one: table.state.survivors[one].name for one in survivors}
    return g.beside_spots([survivors[match(words, names, "place for a retinue")]], RETINUE_SIZE)


def _too_far(table: Table, id_: str) -> Refused:
    whose = f"{table.state.survivors[id_].name}'s retinue"
    how = f"moves {PACE}, from the board's edge when it comes, through nobody"
    return Refused(f"{whose} cannot get there: it {how}.", code="too_far", hints=["showdown board"])


def _board(table: Table) -> Board:
    board = where.board(table.state)
    assert board is not None
    return board
