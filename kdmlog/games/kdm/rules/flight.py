"""Running away from a showdown: who may, what becomes of them, and their coming back."""

from __future__ import annotations

from kdmlog.core.errors import BadInput, NotNow, Refused
from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.core.requests import Field, Fill
from kdmlog.games.kdm import board as g
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.content import Monster
from kdmlog.games.kdm.rules import conditions, edition, moving, turns, where
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.rules.monster import check_defeat, showdown
from kdmlog.games.kdm.rules.script import verb
from kdmlog.games.kdm.rules.stories import trigger
from kdmlog.games.kdm.state import Space, State

PICTOGRAPH = "pictograph"
ADJACENT = "adjacent"


@rule("kdm.run_away")
def run_away(table: Table, ids: list[str]) -> Procedure[None]:
    """Each of them triggers Run Away; all who fled or died lose it (rulebook, Run Away).

    Raises Refused without Pictographs, and where the monster lets nobody go.
    """
    state: State = table.state
    fight = showdown(table)
    if PICTOGRAPH not in state.settlement.innovations:
        raise Refused("Nobody runs away without Pictographs.", hints=["Paint leads to them"])
    record: Monster = table.content.get(Monster, fight.monster)
    if "no_running_away" in record.rules:
        raise Refused(f"Nobody runs away from the {record.name}.")
    for id_ in ids:
        if edition.flight_takes_an_act(state):
            yield from _skip_act(table, id_)
        elif fight.act is not None and fight.act.survivor == id_:
            yield Record(e.ActEnded(survivor=id_))
        if not fight.outcome:
            yield from trigger(table, "run_away", who=id_)
            yield from check_defeat(table)


def _skip_act(table: Table, id_: str) -> Procedure[None]:
    """A standing survivor gives up the whole act for it."""
    name = table.state.survivors[id_].name
    act = showdown(table).act
    begun = act is not None and act.survivor == id_
    if showdown(table).turn != "survivors":
        raise NotNow("Running away takes a survivor's act.", hints=["in the survivors' turn"])
    if begun or id_ not in turns.able_to_act(table):
        raise NotNow(f"{name} has no act left to give up.")
    yield from turns.begin_act(table, id_)
    yield Record(e.ActEnded(survivor=id_))


@verb("flee")
def _flee(scene: Scene, body: s.Flee) -> Procedure[None]:
    """Off the board: home for good, or back after a while."""
    for id_ in (yield from conditions.people(scene, body.who)):
        yield Record(e.SurvivorFled(survivor=id_, back=body.back))


@verb("come_back")
def _come_back(scene: Scene, body: s.ComeBack) -> Procedure[None]:
    """Whoever lost their way is on the board again, beside the monster or at an edge."""
    table = scene.table
    for id_ in (yield from conditions.people(scene, body.who)):
        if id_ not in showdown(table).away:
            continue
        yield Record(e.SurvivorCameBack(survivor=id_))
        if where.board(table.state) is None:
            text = "placed beside the monster" if body.at == ADJACENT else "placed at a board edge"
            yield Record(e.Said(survivor=id_, record=scene.record, text=text))
        else:
            at = yield from _space(table, id_, body.at)
            yield Record(e.SurvivorPlaced(survivor=id_, at=at))


def _space(table: Table, id_: str, place: str) -> Procedure[Space]:
    """Asks where a survivor is put, among the free spaces of such a place."""
    board = where.board(table.state)
    assert board is not None
    beside = where.around(where.monster_spaces(board)) if place == ADJACENT else _edge()
    taken = where.taken(table)
    free = [space for space in beside if space not in taken]
    field = Field("at", "word", default=f"{free[0][0]}-{free[0][1]}")
    values = yield Fill(purpose="come_back", about=(id_, place), fields=(field,))
    at = moving.read_space(str(values["at"]))
    if at not in free:
        raise BadInput(f"{at[0]} {at[1]} is taken, or not where it has to be.")
    return at


def _edge() -> list[Space]:
    rows, columns = range(1, g.HEIGHT + 1), range(1, g.WIDTH + 1)
    return [(x, y) for y in rows for x in columns if x in (1, g.WIDTH) or y in (1, g.HEIGHT)]
