"""What is barred to a survivor, and by what."""

from __future__ import annotations

from kdmlog.core.game import Table
from kdmlog.games.kdm.content import Ability, Disorder, Injury
from kdmlog.games.kdm.state import Survivor

INSANE = 3


def insane(survivor: Survivor) -> bool:
    """Returns whether insanity is 3 or more."""
    return survivor.insanity >= INSANE


def barred(table: Table, survivor: Survivor, what: str) -> str:
    """Returns what bars a survivor from something, by name; empty when nothing does."""
    if what in survivor.bars:
        return f"barred until the {survivor.bars[what].replace('_', ' ')}"
    content = table.content
    for id_ in (*survivor.severe_injuries, *survivor.passing):
        injury = content.find(Injury, id_)
        if injury is not None and what in injury.bars:
            return str(injury.name)
    if what == "weapons" and survivor.severe_injuries.count("dismembered_arm") >= 2:
        return "both arms are gone"
    if what in ("survival", "fighting_arts", "specialization") and "frenzy" in survivor.passing:
        return "frenzied"
    for kind, ids in (
        (Disorder, survivor.disorders),
        (Ability, (*survivor.abilities, *survivor.impairments)),
    ):
        for id_ in ids:
            record = content.find(kind, id_)
            if record is not None and what in record.bars:
                return str(record.name)
    if what == "survival" and "prey" in survivor.disorders and not insane(survivor):
        return "Prey: only while insane"
    if what == "survival" and "immortal" in survivor.disorders and insane(survivor):
        return "Immortal: not while insane"
    return ""
