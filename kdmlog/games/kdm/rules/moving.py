"""How the monster and survivors move: by themselves, pushed, by the players' hand."""

from __future__ import annotations

from msgspec.structs import replace

from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.content import HitLocation
from kdmlog.games.kdm.rules import conditions, script
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.rules.monster import over, showdown
from kdmlog.games.kdm.rules.script import verb

MOVES = ("toward", "away", "forward")


def hampering(table: Table) -> list[str]:
    cards = table.state.decks["hit_locations"]["persistent"]
    return [one for one in cards if table.content.get(HitLocation, one).monster_moves]


def starts_to_move(table: Table) -> Procedure[bool]:
    """Plays what hampers a monster as it starts to move; returns whether it does move."""
    for card in hampering(table):
        steps = table.content.get(HitLocation, card).monster_moves
        inner = Scene(table=table, record=f"hit_location:{card}")
        yield from script.play_record(inner, steps, "monster_moves")
    return not showdown(table).knocked_down


@verb("move")
def _move(scene: Scene, body: s.Move) -> Procedure[None]:
    """The monster moves by itself (toward, away, forward), unless an injury fells it instead."""
    if over(scene.table):
        return
    moves = body.how not in MOVES or (yield from starts_to_move(scene.table))
    if moves:
        yield Record(e.MonsterMoved(how=body.how))


@verb("knockback")
def _knockback(scene: Scene, body: s.Knockback) -> Procedure[None]:
    for id_ in (yield from conditions.people(scene, body.who)):
        inner = replace(scene, who=id_)
        spaces = yield from conditions.amount(inner, body.spaces, "knockback")
        yield Record(e.MovedAside(survivor=id_, spaces=spaces))
