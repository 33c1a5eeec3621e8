"""Which monster, and at which level: quarries, legendary monsters, nemeses."""

from __future__ import annotations

from kdmlog.core.errors import Refused
from kdmlog.core.game import Table
from kdmlog.core.names import match
from kdmlog.games.kdm.content import Monster, Timeline


def quarry(table: Table, word: str, level: int) -> str:
    """Returns the quarry named and its level, as ``white_lion:1``.

    Legendary monsters are hunted where their kind is, at their own level (Legendary Monsters).
    """
    hunted = table.state.settlement.quarries
    monsters = table.content.all(Monster)
    names = {id_: monsters[id_].name if id_ in monsters else id_ for id_ in hunted}
    names |= {id_: one.name for id_, one in monsters.items() if one.type in hunted}
    id_ = match(word, names, "quarry")
    if id_ not in monsters:
        return f"{id_}:{level or 1}"
    return f"{id_}:{_level(table, id_, level, default=1)}"


def nemesis(table: Table, word: str, level: int) -> str:
    """Returns the nemesis named and its level: one above the last encounter, if none is given."""
    monsters = table.content.all(Monster).items()
    id_ = match(word, {id_: one.name for id_, one in monsters if one.nemesis}, "nemesis")
    return f"{id_}:{_level(table, id_, level, default=_faced(table, id_) + 1)}"


def _faced(table: Table, nemesis_: str) -> int:
    """Returns the highest level of a nemesis that was met or defeated; 0: none."""
    settlement = table.state.settlement
    entries = [one.partition(":") for one in (*settlement.nemeses, *settlement.defeated)]
    return max((int(level) for id_, _, level in entries if id_ == nemesis_ and level), default=0)


def _level(table: Table, id_: str, level: int, default: int) -> str:
    record: Monster = table.content.get(Monster, id_)
    numbers = [int(one) for one in record.levels if one.isdigit()]
    if not level:
        return str(default if default in numbers else numbers[-1])
    if level not in numbers:
        kin = [
            f"--hunt {other}"
            for other, one in table.content.all(Monster).items()
            if one.type == id_ and str(level) in one.levels
        ]
        levels = ", ".join(map(str, numbers))
        raise Refused(f"There is a {record.name} of level {levels}.", hints=kin)
    return str(level)


def due(table: Table) -> list[str]:
    """Returns the nemeses that the timeline has in this lantern year, as ``butcher:1``."""
    settlement = table.state.settlement
    year = settlement.lantern_year
    named = [
        one for record in table.content.all(Timeline).values() if record.year == year
        for one in record.nemesis
    ]  # fmt: skip
    named += settlement.timeline.get(str(year), [])
    return [
        one if ":" in one else nemesis(table, one, 0) for one in named if is_nemesis(table, one)
    ]


def is_nemesis(table: Table, event: str) -> bool:
    """Returns whether what stands on the timeline is a nemesis, and no story."""
    record = table.content.find(Monster, event.partition(":")[0])
    return record is not None and bool(record.nemesis)


def met(table: Table, word: str, level: int) -> tuple[str, str]:
    """Returns the monster that the showdown is with, and its level.

    By default what the survivors departed for; on the way they may meet another of its kind.
    """
    settlement = table.state.settlement
    departed_for = settlement.encounter or settlement.hunt
    id_, _, at = departed_for.partition(":")
    if not word:
        return id_, _level(table, id_, level, default=int(at))
    hunted = not settlement.encounter
    found = quarry(table, word, level) if hunted else nemesis(table, word, level)
    other, _, number = found.partition(":")
    return other, at if other == id_ and not level else number
