"""The record sheets of Kingdom Death: Monster, laid out as on paper: survivors, settlement, fight.

They read the public state and the packs in force, and know no rule. With ``--json`` each prints
its part of the public state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any

import typer
from msgspec import Struct

from kdmlog.cli import say
from kdmlog.cli.build import to_click
from kdmlog.cli.call import Call, current
from kdmlog.core.errors import Refused
from kdmlog.core.game import Table
from kdmlog.core.names import match
from kdmlog.core.state import FACE_DOWN
from kdmlog.core.text import shown, words
from kdmlog.games.kdm import views

LONGEST_NAME = 40
SEXES = {"m": "male", "f": "female"}
ATTRIBUTES = ("movement", "accuracy", "strength", "evasion", "luck", "speed")
TRACKS = (
    ("Hunt XP", "hunt_xp", 16, (2, 6, 10, 15, 16)),
    ("Weapon", "proficiency", 8, (3, 8)),
    ("Courage", "courage", 9, (3, 9)),
    ("Understanding", "understanding", 9, (3, 9)),
)
"""The rows of boxes on a survivor's sheet: label, figure, how many, and those with a milestone."""
RESOURCE_TYPES = ("bone", "hide", "organ", "scrap", "herb", "vermin", "consumable")
BUILD_ENDEAVORS = 1
"""Building a location takes an endeavor beside its cost (rulebook, Build)."""

Who = Annotated[str, typer.Argument(help="a survivor: id, name or the beginning of it")]


# --- what there is to read ------------------------------------------------------------------------


class Sheets(Struct, frozen=True):
    """The campaign at the moment that was asked for, and the names that its packs lend."""

    call: Call
    table: Table
    kinds: dict[str, Any]
    view: views.State

    def record(self, kind: str, id_: str) -> Any:
        """Returns a content record, or None."""
        return self.table.content.find(self.kinds[kind], id_)

    def name(self, kind: str, id_: str) -> str:
        """Returns a record's name; without a record its id as words."""
        record = self.record(kind, id_)
        return shown(record.name, LONGEST_NAME) if record is not None else words(id_)

    def names(self, kind: str, ids: Iterable[str]) -> str:
        """Returns the names of records in their order, repeated ones counted."""
        return _counted(Counter(self.name(kind, id_) for id_ in ids))

    def foe(self, id_: str) -> str:
        """Returns a monster's name, with its level where the id has one (``butcher:1``)."""
        monster, _, level = id_.partition(":")
        return self.name("monster", monster) + (f" {_level(level)}" if level else "")

    def who(self, id_: str) -> str:
        """Returns a survivor's name."""
        sheet = self.view.survivors.get(id_)
        return shown(sheet.name, LONGEST_NAME) if sheet and sheet.name else words(id_)

    def find(self, word: str) -> str:
        """Returns the id of the survivor named, dead or alive. Raises UnknownName."""
        names = {id_: sheet.name for id_, sheet in self.view.survivors.items()}
        return match(word, names, "survivor")

    def cause(self, id_: str) -> str:
        """Returns what a survivor died of."""
        return next((one.cause for one in self.view.deaths if one.survivor == id_), "")


def _sheets() -> Sheets:
    """Returns what the command is to show. Raises Refused in a campaign of another game."""
    call = current()
    session = call.reading()
    table = session.table if call.at is None else session.at(call.at)
    view = session.game.view(table)
    if not isinstance(view, views.State):
        raise Refused(
            f"{session.campaign.name} is {session.game.title}: it has no such sheet.",
            hints=["kdmlog state", "kdmlog status"],
        )
    return Sheets(call, table, dict(session.game.kinds), view)


# --- survivors ------------------------------------------------------------------------------------


def survivor_list() -> None:
    """List the survivors."""
    sheets = _sheets()
    view = sheets.view
    if sheets.call.json:
        say.as_json(view.survivors)
        return
    if not view.survivors:
        say.line("No survivor yet.  Next: survivor new NAME m|f")
        return
    from kdmlog.cli import tables

    alive = {id_: one for id_, one in view.survivors.items() if one.status != "dead"}
    rows = [
        (
            sheets.who(id_),
            SEXES.get(one.sex, shown(one.sex)),
            shown(one.player, LONGEST_NAME),
            f"{one.survival}/{view.settlement.survival_limit}",
            one.insanity,
            one.hunt_xp,
            one.courage,
            one.understanding,
            "; ".join(_weighing(sheets, id_)),
        )
        for id_, one in alive.items()
    ]
    figures = ("Surv", "Ins", "XP", "Cour", "Und")
    tables.draw(tables.listing(("Survivor", "Sex", "Player", *figures, "Now"), rows, right=figures))
    if len(alive) < len(view.survivors):
        dead = [(sheets.who(one.survivor), one.cause) for one in view.deaths]
        tables.draw("", tables.listing(("Dead", "Of"), dead))


def survivor_show(survivor: Who) -> None:
    """Show a survivor's record sheet."""
    sheets = _sheets()
    id_ = sheets.find(survivor)
    one = sheets.view.survivors[id_]
    if sheets.call.json:
        say.as_json(one)
        return
    from kdmlog.cli import tables

    grid = [f"{cell} {_gear_at(sheets, one, cell)}" for cell in _CELLS]
    tables.draw(
        "  ·  ".join(_heading(sheets, id_)),
        tables.rule(),
        "  ·  ".join(f"{name.capitalize()} {getattr(one, name)}" for name in ATTRIBUTES),
        tables.beside(
            tables.columns(_body(sheets, one), gap=2),
            tables.pairs(_tracks(sheets, one)),
            left_width=28,
        ),
        tables.pairs(_traits(sheets, one)),
        _affinities(one),
        tables.square(grid),
    )


def gear_show(survivor: Who) -> None:
    """Show a survivor's gear grid."""
    sheets = _sheets()
    id_ = sheets.find(survivor)
    one = sheets.view.survivors[id_]
    if sheets.call.json:
        say.as_json({"grid": one.grid, "affinities": one.affinities, "armor": one.armor})
        return
    from kdmlog.cli import tables

    cells = [
        "\n".join((f"{cell} {_gear_at(sheets, one, cell)}", *_gear_lines(sheets, one, cell)))
        for cell in _CELLS
    ]
    armor = "  ·  ".join(f"{location} {points}" for location, points in one.armor.items())
    tables.draw(
        f"{sheets.who(id_)}  ·  {_affinities(one)}",
        tables.square(cells),
        tables.pairs([("Armor", armor)]),
    )
    records = [sheets.record("gear", card) for card in dict.fromkeys(one.grid.values())]
    if noted := [(record.name, record.note) for record in records if record and record.note]:
        tables.draw(tables.pairs(noted))


_CELLS = tuple(str(cell) for cell in range(1, 10))


def _heading(sheets: Sheets, id_: str) -> list[str]:
    one = sheets.view.survivors[id_]
    heading = [sheets.who(id_), SEXES.get(one.sex, shown(one.sex))]
    if one.player:
        heading.append(shown(one.player, LONGEST_NAME))
    if one.status != "alive":
        cause = sheets.cause(id_)
        heading.append(f"{one.status}: {shown(cause)}" if cause else one.status)
    return heading


def _body(sheets: Sheets, one: views.Survivor) -> list[tuple[str, ...]]:
    """Survival, insanity and the locations: armor points and injury boxes below each other."""
    limit = sheets.view.settlement.survival_limit
    brain = views.boxes(one, "brain").split()[-1]
    rows = [("Survival", f"{one.survival}/{limit}"), ("Insanity", str(one.insanity), "", brain)]
    for location in one.armor:
        _, armor, *boxes = views.boxes(one, location).split()
        rows.append((location.capitalize(), armor, boxes[0] if len(boxes) > 1 else "", boxes[-1]))
    return [(*row, *[""] * (4 - len(row))) for row in rows]


def _tracks(sheets: Sheets, one: views.Survivor) -> list[tuple[str, str]]:
    """The rows of boxes, and what a survivor has about them just now."""
    rows = []
    for label, figure, count, milestones in TRACKS:
        now = one.weapon.level if figure == "proficiency" else getattr(one, figure)
        kind = f"  {words(one.weapon.type)}" if figure == "proficiency" else ""
        rows.append((label, f"{now:>2}  {_boxes(now, count, milestones)}{kind}".rstrip()))
    rows.append(("Skip next hunt", " ■" if one.skip_next_hunt else " □"))
    rows.append(("Resources", sheets.names("resource", one.resources)))
    now_ = _tokens(one) + ["knocked down"] * one.knocked_down
    rows.append(("Tokens", ", ".join([*now_, *map(words, one.status_cards)])))
    return rows


def _boxes(now: int, count: int, milestones: tuple[int, ...]) -> str:
    """Returns a row of boxes, those with a milestone in brackets: ``■■[■]□□□□□[□]``."""
    marks = ["■" if box <= now else "□" for box in range(1, count + 1)]
    for box in milestones:
        marks[box - 1] = f"[{marks[box - 1]}]"
    return "".join(marks)


def _traits(sheets: Sheets, one: views.Survivor) -> list[tuple[str, str]]:
    owned = sheets.view.settlement.innovations
    records = [sheets.record("innovation", id_) for id_ in owned]
    actions = ["dodge", *(record.survival_action for record in records if record)]
    both = (*one.abilities, *one.impairments)
    rows = [
        ("Survival actions", ", ".join(dict.fromkeys(filter(None, actions)))),
        ("Fighting arts", sheets.names("fighting_art", one.fighting_arts)),
        ("Disorders", sheets.names("disorder", one.disorders)),
        ("Abilities & impairments", sheets.names("ability", both)),
        ("Severe injuries", sheets.names("injury", one.severe_injuries)),
    ]
    if one.parents is not None:
        parents = f"{sheets.who(one.parents.mother)} and {sheets.who(one.parents.father)}"
        rows.append(("Parents", parents))
    rows += [("Note", shown(note)) for note in one.notes]
    return rows


def _affinities(one: views.Survivor) -> str:
    figures = "  ".join(f"{colour} {count}" for colour, count in one.affinities.items())
    return f"Gear grid  ·  affinities {figures}"


def _gear_at(sheets: Sheets, one: views.Survivor, cell: str) -> str:
    return sheets.name("gear", one.grid[cell]) if cell in one.grid else ""


def _gear_lines(sheets: Sheets, one: views.Survivor, cell: str) -> list[str]:
    """What the card in a cell says: figures, keywords, rules, affinities and what they bring."""
    record = sheets.record("gear", one.grid[cell]) if cell in one.grid else None
    if record is None:
        return []
    lines = [
        _gear_figures(record),
        ", ".join(map(words, record.keywords)),
        ", ".join(words(rule.replace(":", " ")) for rule in record.rules),
        ", ".join(f"{edge} {colour}" for edge, colour in record.affinities.items()),
    ]
    for how, colours in record.needs.items():
        needed = ", ".join(f"{count} {colour}" for colour, count in colours.items())
        lines.append(f"bonus: {needed} {words(how)}")
    return [line for line in lines if line]


def _gear_figures(record: Any) -> str:
    found = []
    if record.weapon is not None:
        weapon = record.weapon
        found.append(f"{weapon.speed} dice, {weapon.accuracy}+, strength {weapon.strength}")
    if record.armor is not None:
        found.append(f"armor {record.armor.points} {words(record.armor.location)}")
    return "; ".join(found)


def _tokens(one: views.Survivor) -> list[str]:
    return [
        f"{words(name)} {count}" if name == "bleeding" else f"{words(name)} {count:+}"
        for name, count in one.tokens.items()
        if count
    ]


def _weighing(sheets: Sheets, id_: str) -> list[str]:
    """What is not as it should be with a survivor, and what they wear."""
    one = sheets.view.survivors[id_]
    found = [one.status] if one.status != "alive" else []
    found += [
        views.boxes(one, location)
        for location in one.injuries
        if one.injuries[location] or one.armor.get(location)
    ]
    found += _tokens(one)
    if one.knocked_down:
        found.append("knocked down")
    if one.skip_next_hunt:
        found.append("skips next hunt")
    return found


# --- the showdown ---------------------------------------------------------------------------------


def showdown() -> None:
    """Show the showdown: monster, survivors, turn."""
    sheets = _sheets()
    fight = sheets.view.showdown
    if sheets.call.json:
        say.as_json(fight)
        return
    if fight is None:
        _no_showdown()
        return
    from kdmlog.cli import tables

    figures = "  ·  ".join(
        f"{name.capitalize()} {getattr(fight, name)}"
        for name in ("movement", "toughness", "speed", "damage")
    )
    if fight.life is not None:
        figures += f"  ·  Life {fight.life}"
    tables.draw(_fight(sheets, fight), tables.rule(), figures)
    tables.draw(tables.pairs(_monster(sheets, fight)), "")
    rows = [
        (
            sheets.who(id_),
            shown(sheets.view.survivors[id_].player, LONGEST_NAME),
            f"{sheets.view.survivors[id_].survival}/{sheets.view.settlement.survival_limit}",
            sheets.view.survivors[id_].insanity,
            "; ".join([*_part(fight, id_), *_weighing(sheets, id_)]),
        )
        for id_ in sheets.table.state.showdown.survivors
    ]
    headings = ("Survivor", "Player", "Surv", "Ins", "Now")
    tables.draw(tables.listing(headings, rows, right=("Surv", "Ins")))


def showdown_decks() -> None:
    """Show the monster's decks by zone."""
    sheets = _sheets()
    fight = sheets.view.showdown
    if sheets.call.json:
        body = None
        if fight is not None:
            body = {"ai": fight.ai, "hit_locations": fight.hit_locations}
            if sheets.call.spoilers:
                body["orders"] = _orders(sheets)  # type: ignore[assignment]
        say.as_json(body)
        return
    if fight is None:
        _no_showdown()
        return
    from kdmlog.cli import tables

    for deck, kind, title in (
        ("ai", "ai_card", "AI"),
        ("hit_locations", "hit_location", "Hit locations"),
    ):
        tables.draw(f"{title}, {sheets.foe(fight.monster)}")
        rows = [(f"  {words(zone)}", text) for zone, text in _zones(sheets, deck, kind)]
        tables.draw(tables.pairs(rows, label=12))
    if sheets.call.spoilers and sheets.table.state.table_cards:
        say.line("The cards are the table's: face down, these are in no order.")


def _no_showdown() -> None:
    say.line("No showdown is under way.  Next: status, or --at showdown:1 for a past one")


def _fight(sheets: Sheets, fight: views.Showdown) -> str:
    turn = "the monster's turn" if fight.turn == "monster" else "the survivors' turn"
    parts = (sheets.foe(fight.monster), _level(fight.level), f"round {fight.round}", turn)
    return "  ·  ".join(parts)


def _monster(sheets: Sheets, fight: views.Showdown) -> list[tuple[str, str]]:
    ai, places = fight.ai, fight.hit_locations
    discard = sheets.names("ai_card", ai.discard) or "none"
    hit = sheets.names("hit_location", places.discard) or "none"
    controller = fight.controller
    if controller in sheets.view.survivors:
        controller = sheets.who(controller)
    tokens = [f"{words(name)} {count:+}" for name, count in fight.tokens.items() if count]
    rows = [
        ("AI", f"deck {ai.deck}, wounds {ai.wounds}, discard: {discard}"),
        ("In play", sheets.names("ai_card", ai.in_play)),
        ("Hit locations", f"deck {places.deck}, discard: {hit}"),
        ("Persistent", sheets.names("hit_location", places.persistent)),
        ("Tokens", ", ".join(tokens)),
        ("Controller", shown(controller, LONGEST_NAME)),
        ("Priority target", sheets.who(fight.priority_target) if fight.priority_target else ""),
    ]
    if fight.acting is not None:
        left = f"movement {fight.acting.movement}, activation {fight.acting.activation}"
        rows.append(("Acting", f"{sheets.who(fight.acting.survivor)}: {left} left"))
    return rows


def _part(fight: views.Showdown, id_: str) -> list[str]:
    """A survivor's part in the round."""
    if fight.acting is not None and fight.acting.survivor == id_:
        return ["acting"]
    return ["has acted"] if id_ in fight.acted else []


def _zones(sheets: Sheets, deck: str, kind: str) -> list[tuple[str, str]]:
    """Each zone of a deck: face-down cards as a count, others by name."""
    zones = sheets.table.state.decks[deck].zones
    rows = []
    for zone in dict.fromkeys((*FACE_DOWN[: 2 if deck == "ai" else 1], *zones)):
        cards = zones.get(zone, [])
        if zone not in FACE_DOWN:
            rows.append((zone, sheets.names(kind, cards)))
            continue
        told = f"{len(cards)} face down"
        if sheets.call.spoilers and cards:
            told += ", top first: " + ", ".join(sheets.name(kind, card) for card in cards)
        rows.append((zone, told))
    return rows


def _orders(sheets: Sheets) -> dict[str, dict[str, list[str]]]:
    decks = sheets.table.state.decks
    return {
        deck: {zone: decks[deck][zone] for zone in FACE_DOWN if zone in decks[deck].zones}
        for deck in ("ai", "hit_locations")
    }


# --- the settlement -------------------------------------------------------------------------------


def settlement_show() -> None:
    """Show the settlement's record sheet."""
    sheets = _sheets()
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
        ("Defeated", _counted(Counter(map(sheets.foe, here.defeated)))),
        ("Milestones", "\n".join(_milestones(sheets))),
        ("To come", "\n".join(_to_come(sheets))),
        ("Storage", f"{_plural(resources, 'resource')}, {gear} gear"),
    ]
    tables.draw(
        f"{name}  ·  lantern year {here.lantern_year}",
        tables.rule(),
        "  ·  ".join(f"{words(one).capitalize()} {getattr(here, one)}" for one in figures),
        tables.pairs([*rows, *(("Note", shown(note)) for note in here.notes)]),
    )


def storage() -> None:
    """Show resources and gear in storage."""
    sheets = _sheets()
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
        counts: Counter[str] = Counter()
        for id_, count in sorted(held.resources.items()):
            record = sheets.record("resource", id_)
            types = record.types if record is not None else []
            counts.update(dict.fromkeys(types, count))
            rows.append((count, sheets.name("resource", id_), ", ".join(map(words, types))))
        tables.draw(tables.listing(("", "Resource", "Counts as"), rows, right=("",)))
        told = [f"{words(one)} {counts[one]}" for one in RESOURCE_TYPES if counts[one]]
        tables.draw(f"Could be spent as: {', '.join(told)}" if told else "")
    if held.gear:
        cards = []
        for id_, count in sorted(held.gear.items()):
            record = sheets.record("gear", id_)
            kind = words(record.kind) if record is not None else ""
            figures = _gear_figures(record) if record is not None else ""
            cards.append((count, sheets.name("gear", id_), kind, figures))
        tables.draw(*[""] * bool(held.resources))
        tables.draw(tables.listing(("", "Gear", "Kind", "Figures"), cards, right=("",)))


def timeline() -> None:
    """Show the timeline."""
    sheets = _sheets()
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
        rows.append((box, f"{year:>2}", ", ".join(_event(sheets, event) for event in events)))
    half = (len(rows) + 1) // 2
    blocks = [tables.columns(part) for part in (rows[:half], rows[half:])]
    tables.draw(f"Lantern year {here.lantern_year}", tables.beside(*blocks, left_width=38))


def innovations() -> None:
    """Show innovations and their deck."""
    sheets = _sheets()
    here = sheets.view.settlement
    if sheets.call.json:
        names = ("innovations", "principles", "innovation_deck")
        say.as_json({name: getattr(here, name) for name in names})
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
    sheets = _sheets()
    here = sheets.view.settlement
    offers = {id_: _offers(sheets, id_) for id_ in here.locations}
    if sheets.call.json:
        say.as_json({"locations": here.locations, "offers": offers})
        return
    if not offers:
        say.line("No location yet.")
        return
    from kdmlog.cli import tables

    for id_, offer in offers.items():
        record = sheets.record("location", id_)
        note = f"  ·  {record.note}" if record is not None and record.note else ""
        tables.draw(f"{sheets.name('location', id_)}{note}")
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
    paid = [_plural(endeavors, "endeavor")] if endeavors else []
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
    return _plural(cost.count, "resource") + " of any kind"


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


def _to_come(sheets: Sheets, most: int = 3) -> list[str]:
    """The next years of the timeline in which something happens."""
    here = sheets.view.settlement
    rows = [
        f"year {year}: {', '.join(_event(sheets, event) for event in events)}"
        for year, events in here.timeline.items()
        if int(year) > here.lantern_year and events
    ]
    return rows[:most]


def _event(sheets: Sheets, event: str) -> str:
    """Returns the name of a timeline's event; a nemesis is said to be one."""
    years = sheets.table.content.all(sheets.kinds["timeline"]).values()
    nemesis = any(event in year.nemesis for year in years) or ":" in event
    return f"nemesis {sheets.foe(event)}" if nemesis else sheets.name("story_event", event)


# --- words ----------------------------------------------------------------------------------------


def _level(level: str) -> str:
    return f"level {level}" if level.isdigit() else words(level)


def _plural(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{name} ×{n}" if n > 1 else name for name, n in counts.items())


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    return to_click(globals()[name], command)
