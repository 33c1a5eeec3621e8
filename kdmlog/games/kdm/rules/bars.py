"""What a survivor bears, and what is barred by it."""

from __future__ import annotations

from collections.abc import Iterator

from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.content import Ability, Disorder, FightingArt, Injury, Trait, While
from kdmlog.games.kdm.rules import script
from kdmlog.games.kdm.state import Survivor

INSANE = 3


def insane(survivor: Survivor) -> bool:
    """Returns whether insanity is 3 or more."""
    return survivor.insanity >= INSANE


def borne(table: Table, survivor: Survivor) -> Iterator[tuple[str, Trait]]:
    """Yields all that a survivor bears, once each, as ``kind:id`` with its record."""
    kinds: tuple[tuple[str, type[Trait], tuple[str, ...]], ...] = (
        ("injury", Injury, (*survivor.severe_injuries, *survivor.passing)),
        ("disorder", Disorder, tuple(survivor.disorders)),
        ("fighting_art", FightingArt, tuple(survivor.fighting_arts)),
        ("ability", Ability, (*survivor.abilities, *survivor.impairments)),
    )
    for kind, type_, ids in kinds:
        for id_ in dict.fromkeys(ids):
            record = table.content.find(type_, id_)
            if record is not None:
                yield f"{kind}:{id_}", record


def barred(table: Table, survivor: Survivor, what: str) -> str:
    """Returns what bars a survivor from something, by name; empty when nothing does."""
    if what in survivor.bars:
        return f"barred until the {survivor.bars[what].replace('_', ' ')}"
    for ref, record in borne(table, survivor):
        if lists(table, survivor, ref, record.bars, what):
            return str(record.name)
    return ""


def lists(table: Table, survivor: Survivor, ref: str, listed: list[str | While], what: str) -> bool:
    """Returns whether a bar or rule is among those listed, and its condition holds."""
    for one in listed:
        if isinstance(one, str):
            if one == what:
                return True
        elif one.what == what and holds(table, survivor, ref, one.if_):
            return True
    return False


def holds(table: Table, survivor: Survivor, ref: str, condition: str | s.Condition) -> bool:
    """Returns whether a condition about a survivor alone holds: it asks nobody anything."""
    return _plainly(script.holds(script.Scene(table=table, record=ref, who=survivor.id), condition))


def _plainly(procedure: Procedure[bool]) -> bool:
    try:
        asked = next(procedure)
    except StopIteration as end:
        return bool(end.value)
    raise AssertionError(f"a condition about its bearer asks {asked}")
