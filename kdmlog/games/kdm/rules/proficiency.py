"""Weapon proficiency: the type chosen, levels earned, what they give, mastery for everyone."""

from __future__ import annotations

from collections.abc import Iterator

from kdmlog.core.errors import Refused
from kdmlog.core.game import Table
from kdmlog.core.names import match
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import (
    Gear,
    Innovation,
    Milestone,
    Modifies,
    Skill,
    WeaponProficiency,
)
from kdmlog.games.kdm.rules import conditions, script, settle
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.state import State, Survivor

SPECIALIST, MASTER = 3, 8
"""The boxes of the track that are milestones (rulebook, Weapon Specialist / Mastery)."""
_MASTERY = "mastery_"
"""The prefix of the innovation that a master of a type leaves to the settlement."""


# --- what it gives --------------------------------------------------------------------------------


def skills(table: Table, survivor: Survivor) -> Iterator[tuple[str, str, list[Modifies]]]:
    """Yields what a survivor's own levels give, and the specialisations that masters have taught.

    As ``kind:id``, name and modifiers. Frenzy and possession leave no use of them (rulebook, Weapon
    Mastery; Frenzy; Possessed).
    """
    reached = _reached(table, survivor)
    if not reached or conditions.barred(table, survivor, "specialization"):
        return
    for type_, level in reached.items():
        record = table.content.find(WeaponProficiency, type_)
        if record is not None:
            for _, skill in _up_to(record, level):
                if skill.modifiers:
                    yield f"weapon_proficiency:{type_}", record.name, skill.modifiers


def _reached(table: Table, survivor: Survivor) -> dict[str, int]:
    """Returns weapon types to the level that counts for a survivor: own ones, and those taught.

    The Twilight Sword's master leaves and teaches nobody.
    """
    found = {}
    for one in table.state.settlement.innovations:
        if one.startswith(_MASTERY):
            type_ = one.removeprefix(_MASTERY)
            record = table.content.find(WeaponProficiency, type_)
            if record is not None and not record.needs_gear:
                found[type_] = SPECIALIST
    if survivor.weapon_type and survivor.proficiency:
        found[survivor.weapon_type] = max(survivor.proficiency, found.get(survivor.weapon_type, 0))
    return found


def _up_to(record: WeaponProficiency, level: int) -> Iterator[tuple[int, Skill]]:
    for at, skill in record.levels.items():
        if int(at) <= level:
            yield int(at), skill


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
    mastery = _MASTERY + survivor.weapon_type
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
