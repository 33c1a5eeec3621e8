"""What weapon proficiency gives: the skills of a survivor's own levels, and those taught."""

from __future__ import annotations

from collections.abc import Iterator

from kdmlog.core.game import Table
from kdmlog.games.kdm.content import Modifies, Skill, WeaponProficiency
from kdmlog.games.kdm.rules import conditions
from kdmlog.games.kdm.state import Survivor

SPECIALIST, MASTER = 3, 8
"""The boxes of the track that are milestones (rulebook, Weapon Specialist / Mastery)."""
MASTERY = "mastery_"
"""The prefix of the innovation that a master of a type leaves to the settlement."""


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
