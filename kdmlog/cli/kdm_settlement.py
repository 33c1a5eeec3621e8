"""The settlement's record sheet: figures, storage, timeline, innovations, locations."""

from __future__ import annotations

from collections import Counter
from typing import Any

from kdmlog.cli import say
from kdmlog.cli.build import to_click
from kdmlog.cli.kdm_sheets import LONGEST_NAME, Sheets, counted, look, plural
from kdmlog.cli.kdm_survivors import gear_figures
from kdmlog.core.text import shown, words
from kdmlog.games.kdm import years

RESOURCE_TYPES = ("bone", "hide", "organ", "scrap", "herb", "vermin", "consumable")
BUILD_ENDEAVORS = 1
"""Building a location takes an endeavor beside its cost (rulebook, Build)."""


def settlement_show() -> None:
    """Show the settlement's record sheet."""
    sheets = look()
    here = sheets.view.settlement
    if sheets.call.json:
        say.as_json(here)
        return
    from kdmlog.cli import tables

    name = shown(here.name, LONGEST_NAME) or "A settlement without a name yet"
    figures = ("population", "death_count", "survival_limit", "endeavors")
    resources, gear = (sum(held.values()) for held in (here.storage.resources, here.storage.gear))
    rows = [
        ("Innovations", sheets.names("innovation", here.innovations)),
        ("Principles", sheets.names("innovation", here.principles)),
        ("Locations", sheets.names("location", here.locations)),
        ("Quarries", sheets.names("monster", here.quarries)),
        ("Nemeses", ", ".join(map(sheets.foe, here.nemeses))),
        ("Defeated", counted(Counter(map(sheets.foe, here.defeated)))),
        ("Milestones", "\n".join(_milestones(sheets))),
        ("To come", "\n".join(years.to_come(sheets.table, here))),
        ("Storage", f"{plural(resources, 'resource')}, {gear} gear"),
    ]
    tables.draw(
        f"{name}  ·  lantern year {here.lantern_year}",
        tables.rule(),
        "  ·  ".join(f"{words(one).capitalize()} {getattr(here, one)}" for one in figures),
        tables.pairs([*rows, *(("Note", shown(note)) for note in here.notes)]),
    )


def storage() -> None:
    """Show resources and gear in storage."""
    sheets = look()
    held = sheets.view.settlement.storage
    if sheets.call.json:
        say.as_json(held)
        return
    if not held.resources and not held.gear:
        say.line("Storage is empty.")
        return
    from kdmlog.cli import tables

    if held.resources:
        rows = []
        for id_, count in sorted(held.resources.items()):
            record = sheets.record("resource", id_)
            types = record.types if record is not None else []
            rows.append((count, sheets.name("resource", id_), ", ".join(map(words, types))))
        tables.draw(tables.listing(("", "Resource", "Counts as"), rows, right=("",)))
        told = [f"{words(one)} {held.types[one]}" for one in RESOURCE_TYPES if one in held.types]
        tables.draw(f"Could be spent as: {', '.join(told)}" if told else "")
    if held.gear:
        cards = []
        for id_, count in sorted(held.gear.items()):
            record = sheets.record("gear", id_)
            kind = words(record.kind) if record is not None else ""
            figures = gear_figures(record) if record is not None else ""
            cards.append((count, sheets.name("gear", id_), kind, figures))
        tables.draw(*[""] * bool(held.resources))
        tables.draw(tables.listing(("", "Gear", "Kind", "Figures"), cards, right=("",)))


def timeline() -> None:
    """Show the timeline."""
    sheets = look()
    here = sheets.view.settlement
    if sheets.call.json:
        say.as_json(here.timeline)
        return
    if not here.timeline:
        say.line("The timeline is empty.")
        return
    from kdmlog.cli import tables

    rows = []
    for year, events in here.timeline.items():
        box = "■" if int(year) <= here.lantern_year else "□"
        rows.append(
            (
                box,
                f"{year:>2}",
                ", ".join(years.event_name(sheets.table, event) for event in events),
            )
        )
    half = (len(rows) + 1) // 2
    blocks = [tables.columns(part) for part in (rows[:half], rows[half:])]
    tables.draw(f"Lantern year {here.lantern_year}", tables.beside(*blocks, left_width=38))


def innovations() -> None:
    """Show innovations and their deck."""
    sheets = look()
    here = sheets.view.settlement
    if sheets.call.json:
        from kdmlog.cli.kdm_documents import Innovations

        say.as_json(Innovations(here.innovations, here.principles, here.innovation_deck))
        return
    from kdmlog.cli import tables

    rows = []
    for id_ in dict.fromkeys((*here.innovations, *here.principles)):
        record = sheets.record("innovation", id_)
        told = [] if record is None else [record.note]
        for offer in record.endeavors.values() if record is not None else ():
            told.append(f"{offer.name}: {_endeavor_cost(sheets, offer)}")
        kind = "" if record is None else words(record.type)
        rows.append((sheets.name("innovation", id_), kind, "\n".join(filter(None, told))))
    if rows:
        tables.draw(tables.listing(("Innovation", "Type", "What it gives"), rows), "")
    else:
        tables.draw("No innovation yet.")
    deck = ", ".join(sheets.name("innovation", id_) for id_ in here.innovation_deck)
    tables.draw(tables.pairs([(f"Innovation deck ({len(here.innovation_deck)})", deck)]))


def locations() -> None:
    """Show locations and what they offer."""
    sheets = look()
    here = sheets.view.settlement
    offers = {id_: _offers(sheets, id_) for id_ in here.locations}
    if sheets.call.json:
        from kdmlog.cli.kdm_documents import Locations, Offers

        offered = {id_: Offers(**offer) for id_, offer in offers.items()}
        say.as_json(Locations(here.locations, offered))
        return
    if not offers:
        say.line("No location yet.")
        return
    from kdmlog.cli import tables

    for id_, offer in offers.items():
        record = sheets.record("location", id_)
        note = f"·  {record.note}" if record is not None and record.note else ""
        tables.draw(tables.columns([(sheets.name("location", id_), note)], gap=2))
        rows = []
        for what, kind in (("endeavors", ""), ("build", "location"), ("craft", "gear")):
            for key, cost in offer[what].items():
                name = sheets.name(kind, key) if kind else record.endeavors[key].name
                rows.append((f"  {what.rstrip('s')}", name, cost))
        if rows:
            tables.draw(tables.columns(rows, gap=2))


def _offers(sheets: Sheets, place: str) -> dict[str, dict[str, str]]:
    """What a location offers: endeavors, locations to build, gear to craft; each with its cost."""
    built = sheets.view.settlement.locations
    record = sheets.record("location", place)
    offered = record.endeavors if record is not None else {}
    places = sheets.table.content.all(sheets.kinds["location"])
    gear = sheets.table.content.all(sheets.kinds["gear"])
    return {
        "endeavors": {key: _endeavor_cost(sheets, one) for key, one in offered.items()},
        "build": {
            id_: _cost(sheets, one.build, BUILD_ENDEAVORS)
            for id_, one in places.items()
            if one.built_at == place and id_ not in built
        },
        "craft": {
            id_: _cost(sheets, one.cost) for id_, one in gear.items() if one.location == place
        },
    }


def _endeavor_cost(sheets: Sheets, offer: Any) -> str:
    told = _cost(sheets, offer.cost, offer.endeavors)
    if offer.requires:
        told += f"; requires {sheets.name('innovation', offer.requires)}"
    return f"{told}; once a {offer.once}" if offer.once else told


def _cost(sheets: Sheets, costs: list[Any], endeavors: int = 0) -> str:
    """Returns a cost in words: ``1 endeavor, 2 bone or 1 Skull; requires Ammonia``."""
    paid = [plural(endeavors, "endeavor")] if endeavors else []
    required = []
    for cost in costs:
        if cost.innovation is not None:
            required.append(sheets.name("innovation", cost.innovation))
        elif cost.heat:
            required.append("heat")
        else:
            paid.append(_price(sheets, cost))
    told = ", ".join(paid) or "free"
    return f"{told}; requires {', '.join(required)}" if required else told


def _price(sheets: Sheets, cost: Any) -> str:
    if cost.any_of:
        return " or ".join(_price(sheets, one) for one in cost.any_of)
    if cost.resource is not None:
        return f"{cost.count} {sheets.name('resource', cost.resource)}"
    if cost.gear is not None:
        return f"{cost.count} {sheets.name('gear', cost.gear)}"
    if cost.type is not None:
        return f"{cost.count} {words(cost.type)}"
    return plural(cost.count, "resource") + " of any kind"


def _milestones(sheets: Sheets) -> list[str]:
    """The settlement's milestones, each with its box and what it brings."""
    reached = sheets.view.settlement.milestones
    records = sheets.table.content.all(sheets.kinds["milestone"])
    ids = [id_ for id_, one in records.items() if one.scope == "settlement"]
    rows = []
    for id_ in dict.fromkeys((*ids, *reached)):
        box = "■" if id_ in reached else "□"
        brings = f": {sheets.name('story_event', records[id_].event)}" if id_ in records else ""
        rows.append(f"{box} {sheets.name('milestone', id_)}{brings}")
    return rows


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    return to_click(globals()[name], command)
