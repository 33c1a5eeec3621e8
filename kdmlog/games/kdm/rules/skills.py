"""What weapon proficiency gives: the skills of a survivor's own levels, and those taught."""

from __future__ import annotations

from collections.abc import Iterator

from kdmlog.core.game import Table
from kdmlog.games.kdm.content import Gear, Modifies, Skill, WeaponProficiency
from kdmlog.games.kdm.rules import conditions
from kdmlog.games.kdm.script import Step
from kdmlog.games.kdm.state import Survivor

SPECIALIST, MASTER = 3, 8
"""The boxes of the track that are milestones (rulebook, Weapon Specialist / Mastery)."""
KIND = "weapon_proficiency:"
ATTACKING = ("perfect_hit", "hits", "critical_wound")
"""Moments of an attack."""
MASTERY = "mastery_"
"""The prefix of the innovation that a master of a type leaves to the settlement."""


def skills(table: Table, survivor: Survivor) -> list[tuple[str, str, list[Modifies]]]:
    """Returns what skills change in a survivor's figures, as ``kind:id``, name and modifiers."""
    return [
        (f"{KIND}{type_}", record.name, skill.modifiers)
        for type_, record, _, skill in at_work(table, survivor)
        if skill.modifiers
    ]


def ruled(table: Table, survivor: Survivor, rule: str) -> str:
    """Returns the weapon type whose skill gives a special rule, as ``kind:id``, or nothing."""
    for type_, _, _, skill in at_work(table, survivor):
        if conditions.lists(table, survivor, f"{KIND}{type_}", skill.rules, rule):
            return f"{KIND}{type_}"
    return ""


def due(table: Table, survivor: Survivor, at: str) -> list[tuple[str, str, list[Step]]]:
    """Returns what skills do at a moment: ``kind:id``, where in the record, and the steps.

    At the moments of an attack only if it is made with such a weapon.
    """
    return [
        (f"{KIND}{type_}", f"levels.{level}.on.{at}", skill.on[at])
        for type_, _, level, skill in at_work(table, survivor)
        if at in skill.on and (at not in ATTACKING or _wielded(table, type_))
    ]


def taught(table: Table, survivor: Survivor) -> bool:
    """Returns whether a survivor has any level or teaching that could count."""
    return bool(_reached(table, survivor))


def at_work(table: Table, survivor: Survivor) -> list[tuple[str, WeaponProficiency, int, Skill]]:
    """Returns the skills of a survivor's own levels, and the specialisations that masters taught.

    Frenzy and possession leave no use of them (rulebook, Weapon Mastery; Frenzy; Possessed).
    """
    reached = _reached(table, survivor)
    if not reached or conditions.barred(table, survivor, "specialization"):
        return []
    found: list[tuple[str, WeaponProficiency, int, Skill]] = []
    for type_, level in reached.items():
        record = table.content.find(WeaponProficiency, type_)
        if record is not None:
            found += [(type_, record, at, skill) for at, skill in _up_to(record, level)]
    return found


def _wielded(table: Table, type_: str) -> bool:
    """Returns whether the attack under way is made with a weapon of a type."""
    fight = table.state.showdown
    weapon = table.content.find(Gear, fight.weapon) if fight is not None else None
    return weapon is not None and type_ in (fight.weapon, *weapon.keywords)


def _reached(table: Table, survivor: Survivor) -> dict[str, int]:
    """Returns weapon types to the level that counts for a survivor: own ones, and those taught.

    The Twilight Sword's master leaves and teaches nobody.
    """
    found = {}
    for one in table.state.settlement.innovations:
        if one.startswith(MASTERY):
            type_ = one.removeprefix(MASTERY)
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
