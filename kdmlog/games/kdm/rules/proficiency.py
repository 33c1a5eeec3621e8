"""Weapon proficiency: the type chosen, levels earned, mastery for everyone."""

from __future__ import annotations

from kdmlog.core.errors import Refused
from kdmlog.core.game import Table
from kdmlog.core.names import match
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import (
    Gear,
    Innovation,
    Milestone,
    WeaponProficiency,
)
from kdmlog.games.kdm.rules import conditions, script, settle
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.rules.skills import MASTER, MASTERY
from kdmlog.games.kdm.state import State, Survivor

# --- levels ---------------------------------------------------------------------------------------


def earned(table: Table) -> list[str]:
    """Returns who gains a level by the showdown under way, should it be won.

    Those alive who wounded the monster at least once with a weapon of their type (rulebook, Earning
    Weapon Proficiency Levels).
    """
    state: State = table.state
    fight = state.showdown
    if fight is None:
        return []
    return [
        id_
        for id_ in conditions.taking_part(state)
        if any(
            _is_of(table, card, state.survivors[id_].weapon_type)
            for card in fight.wounded_with.get(id_, ())
        )
    ]


def _is_of(table: Table, card: str, type_: str) -> bool:
    record = table.content.find(Gear, card)
    return bool(type_) and record is not None and type_ in (card, *record.keywords)


@rule("kdm.weapon_level")
def reached(table: Table, id_: str, before: int, now: int) -> Procedure[None]:
    """Plays what the levels just reached give for good; the eighth is the settlement's mastery."""
    survivor: Survivor = table.state.survivors[id_]
    record = table.content.find(WeaponProficiency, survivor.weapon_type)
    if record is None:
        return
    for at, skill in record.levels.items():
        if before < int(at) <= now:
            scene = Scene(table=table, record=f"weapon_proficiency:{survivor.weapon_type}", who=id_)
            yield from script.play_record(scene, skill.gained, f"levels.{at}.gained")
    mastery = MASTERY + survivor.weapon_type
    if before < MASTER <= now and table.content.find(Innovation, mastery) is not None:
        yield from settle.gain_innovation(table, mastery)


# --- the type -------------------------------------------------------------------------------------


def choices(table: Table, survivor: Survivor) -> dict[str, str]:
    """Returns the weapon types that a survivor may choose: id to shown name."""
    state: State = table.state
    carried = [state.gear[one] for one in survivor.grid.values()]
    return {
        type_: one.name
        for type_, one in table.content.all(WeaponProficiency).items()
        if not one.needs_gear or one.needs_gear in carried
    }


def may_choose(table: Table, survivor: Survivor) -> bool:
    """Returns whether a survivor has come to Age 1, or trains with a weapon already."""
    return bool(survivor.weapon_type) or survivor.hunt_xp >= _age_1(table)


def _age_1(table: Table) -> int:
    events = table.content.all(Milestone).values()
    return next((one.box for one in events if one.event == "age_1"), 0)


@rule("kdm.weapon_type")
def choose(table: Table, id_: str, word: str) -> Procedure[None]:
    """Chooses a weapon type, from Age 1 on; another one loses all levels (Changing Weapon Type).

    Raises Refused before that.
    """
    survivor: Survivor = table.state.survivors[id_]
    type_ = match(word, choices(table, survivor), "weapon type")
    if not may_choose(table, survivor):
        first = _age_1(table)
        raise Refused(f"{survivor.name} chooses a weapon type from Age 1 on: {first} hunt XP.")
    if type_ == survivor.weapon_type:
        raise Refused(f"{survivor.name} trains with it already.")
    yield Record(e.WeaponChosen(survivor=id_, type=type_))
    if lost := survivor.proficiency:
        yield Record(e.StatChanged(survivor=id_, stat="proficiency", by=-lost, now=0))
