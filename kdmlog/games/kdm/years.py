"""The timeline in words: what its years hold."""

from __future__ import annotations

from kdmlog.core.game import Table
from kdmlog.core.text import LONGEST_NAME, shown, words
from kdmlog.games.kdm.content import Monster, StoryEvent, Timeline
from kdmlog.games.kdm.views import Settlement


def event_name(table: Table, event: str) -> str:
    """Returns the name of a timeline's event; a nemesis is said to be one."""
    years = table.content.all(Timeline).values()
    if ":" in event or any(event in year.nemesis for year in years):
        return f"nemesis {foe_name(table, event)}"
    return _name(table, StoryEvent, event)


def foe_name(table: Table, id_: str) -> str:
    """Returns a monster's name, with its level where the id has one (``butcher:1``)."""
    monster, _, level = id_.partition(":")
    at = f"level {level}" if level.isdigit() else words(level)
    return f"{_name(table, Monster, monster)} {at}".rstrip()


def to_come(table: Table, here: Settlement, most: int = 3) -> list[str]:
    """Returns the next years of the timeline in which something happens."""
    return [
        f"year {year}: {', '.join(event_name(table, event) for event in events)}"
        for year, events in here.timeline.items()
        if int(year) > here.lantern_year and events
    ][:most]


_SMALL = ("a", "an", "and", "for", "in", "of", "on", "the", "to")


def titled(id_: str) -> str:
    """Returns an id as a printed title where no pack knows its name: ``Hands of Heat``."""
    if id_.startswith("principle_"):
        return f"Principle: {titled(id_.removeprefix('principle_'))}"
    first, *others = words(id_).split(" ")
    return " ".join([first.title(), *(w if w in _SMALL else w.title() for w in others)])


def _name(table: Table, kind: type[Monster] | type[StoryEvent], id_: str) -> str:
    record = table.content.find(kind, id_)
    return shown(record.name, LONGEST_NAME) if record is not None else titled(id_)
