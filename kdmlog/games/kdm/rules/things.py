"""Resources and gear: gained, carried, stored, paid and archived."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from kdmlog.core.errors import Refused
from kdmlog.core.game import Table
from kdmlog.core.names import match
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.core.requests import Choose, Option
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.content import ArmorSet, Cost, Gear, Innovation, Resource
from kdmlog.games.kdm.rules import (
    chance,
    conditions,
    figures,
    numbers,
    script,
    settle,
    traits,
    where,
)
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.rules.script import verb
from kdmlog.games.kdm.state import CELLS, LOCATIONS, State

OF_MONSTER = "monster"
"""The resource deck of the monster that is fought."""

# --- resources ------------------------------------------------------------------------------------


def in_deck(table: Table, deck: str) -> list[str]:
    """Returns the cards of a resource deck now: those carried or in play are out of it.

    Those recorded in storage are back in (rulebook, Resource Limit; Record & Archive Resources).
    """
    state: State = table.state
    out = Counter(state.settlement.storage.unrecorded)
    for survivor in state.survivors.values():
        out.update(survivor.resources)
    cards = []
    for id_, record in table.content.all(Resource).items():
        if record.deck == deck:
            cards += [id_] * max(0, record.copies - out[id_])
    return cards


def gain_resource(table: Table, resource: str, survivor: str = "") -> Procedure[None]:
    """Gains one resource by id, for a survivor or the settlement, and plays its effect."""
    if survivor:
        yield Record(e.ResourceGained(resource=resource, survivor=survivor))
    else:
        now = table.state.settlement.storage.resources.get(resource, 0) + 1
        yield Record(e.ResourceGained(resource=resource, now=now))
    record: Resource = table.content.get(Resource, resource)
    scene = Scene(table=table, record=f"resource:{resource}", who=survivor)
    yield from script.play_record(scene, record.gained, "gained")


def draw_cards(
    table: Table, deck: str, count: int, about: tuple[str, ...] = ()
) -> Procedure[list[str]]:
    """Draws from a resource deck as it is now; what is not in it is not drawn."""
    drawn = yield from chance.draw_fresh(f"{deck}_resources", in_deck(table, deck), count, about)
    return drawn


def draw_resources(
    table: Table, deck: str, count: int, survivor: str, record: str
) -> Procedure[None]:
    """Draws from a resource deck by the word of a record, and gains what is drawn."""
    for card in (yield from draw_cards(table, deck, count, (record,))):
        yield from gain_resource(table, card, survivor)


def lose_resource(table: Table, resource: str) -> Procedure[None]:
    """Takes one resource out of storage."""
    now = table.state.settlement.storage.resources[resource] - 1
    yield Record(e.ResourceLost(resource=resource, now=now))


@rule("kdm.loot_shared")
def share(table: Table, survivor: str, words: list[str]) -> Procedure[None]:
    """Hands resources that the group gained to a survivor (rulebook, Groups Gaining Resources)."""
    storage = table.state.settlement.storage
    for word in words:
        gained = {one: figures.name_of(table, Resource, one) for one in storage.unrecorded}
        if not gained:
            raise Refused("Nothing is left to share out.", hints=["settlement storage"])
        resource = match(word, gained, "resource gained")
        now = storage.resources[resource] - 1
        yield Record(e.ResourceShared(survivor=survivor, resource=resource, now=now))


def store_carried(table: Table) -> Procedure[None]:
    """What survivors carry comes into the settlement's hands."""
    state: State = table.state
    for id_, survivor in state.survivors.items():
        for resource in list(survivor.resources):
            now = state.settlement.storage.resources.get(resource, 0) + 1
            yield Record(e.ResourceStored(survivor=id_, resource=resource, now=now))


# --- paying ---------------------------------------------------------------------------------------


def fits(resource: str, record: Resource, cost: Cost) -> bool:
    """Returns whether a resource can pay for one unit of a cost line.

    By its name only where the cost names one, or by the name on its card's list: the Black Skull
    is a skull (rulebook, Resources).
    """
    if cost.any:
        return True
    if cost.resource is not None:
        return cost.resource in (resource, *record.types)
    return cost.type in record.types


def missing(table: Table, costs: list[Cost]) -> str:
    """Returns what a cost lacks, in words; empty when it can be paid."""
    settlement = table.state.settlement
    for cost in costs:
        if cost.innovation is not None and cost.innovation not in settlement.innovations:
            return f"requires {figures.name_of(table, Innovation, cost.innovation)}"
        if cost.heat and not _provided(table, "heat"):
            return "requires heat"
        if cost.endeavors > settlement.endeavors:
            return f"needs {cost.endeavors} endeavor{'s' * (cost.endeavors > 1)}"
        if cost.gear is not None and stored(table.state, cost.gear, cost.count) is None:
            return f"needs {wording(table, [cost])} in storage"
        if cost.population > settlement.population:
            return f"needs {wording(table, [cost])}"
    if _payment(table, costs) is None:
        return f"needs {wording(table, costs)}"
    return ""


def stored(state: State, card: str, count: int) -> list[str] | None:
    """Returns so many instances of a gear card in storage; None when there are not so many."""
    there = [one for one in state.settlement.storage.gear if state.gear[one] == card]
    return there[:count] if len(there) >= count else None


def _provided(table: Table, what: str) -> bool:
    owned = table.state.settlement.innovations
    return any(what in table.content.get(Innovation, one).provides for one in owned)


def wording(table: Table, costs: list[Cost]) -> str:
    """Returns a cost in words: ``1 bone, 1 hide``."""
    words = []
    for cost in costs:
        if cost.any_of:
            words.append(" or ".join(wording(table, [one]) for one in cost.any_of))
        elif cost.any:
            words.append(f"{cost.count} resource")
        elif cost.resource is not None:
            words.append(f"{cost.count} {figures.name_of(table, Resource, cost.resource)}")
        elif cost.type is not None:
            words.append(f"{cost.count} {cost.type}")
        elif cost.gear is not None:
            words.append(f"{cost.count} {figures.name_of(table, Gear, cost.gear)}")
        elif cost.endeavors:
            words.append(f"{cost.endeavors} endeavor{'s' * (cost.endeavors > 1)}")
        elif cost.population:
            words.append(f"{cost.population} population")
    return ", ".join(words) or "nothing"


def _units(costs: list[Cost]) -> list[list[Cost]]:
    """Returns the ways to pay, each as single units: alternatives multiply."""
    ways: list[list[Cost]] = [[]]
    for cost in costs:
        choices = cost.any_of or [cost]
        ways = [
            way + [choice] * choice.count for way in ways for choice in choices if way is not None
        ]
    return [[unit for unit in way if unit.type or unit.resource or unit.any] for way in ways]


Worth = tuple[bool, bool, bool, int, str]


def _special(table: Table, resource: str) -> bool:
    """Returns whether a resource is more than its types: a note says so, or a cost names it.

    What it does when it is gained is over. The commonest basic card of a type (Monster Organ) and
    the one that has its type's name (Scrap) are plain. Only costs at the settlement's own locations
    count: what cannot be crafted yet makes no resource worth a question.
    """
    record: Resource = table.content.get(Resource, resource)
    alike = [
        one.copies
        for one in table.content.all(Resource).values()
        if one.deck == record.deck == "basic" and one.types[:1] == record.types[:1]
    ]
    commonest = record.deck == "basic" and record.copies == max(alike)
    if resource in record.types or (commonest and _uses(table, resource) == 1):
        return False
    if record.note and not record.gained:
        return True
    owned = table.state.settlement.locations
    return any(
        cost.resource == resource
        for gear in table.content.all(Gear).values()
        if gear.location in owned
        for cost in gear.cost
    )


def _another_way(table: Table, costs: list[Cost], resource: str) -> bool:
    """Returns whether a cost could be paid without a resource."""
    stock = table.state.settlement.storage.resources
    return _cheapest(table, costs, {k: n for k, n in stock.items() if k != resource}) is not None


def _payment(table: Table, costs: list[Cost], wanted: tuple[str, ...] = ()) -> list[str] | None:
    """Returns the cheapest payment: named ones first, then plain ones, of fewest uses."""
    stock = table.state.settlement.storage.resources
    return _cheapest(table, costs, stock, wanted)


def _cheapest(
    table: Table, costs: list[Cost], stock: dict[str, int], wanted: tuple[str, ...] = ()
) -> list[str] | None:
    records = {one: table.content.get(Resource, one) for one in stock}
    special = {one: _special(table, one) for one in stock}

    def worth(resource: str) -> Worth:
        record = records[resource]
        return (
            resource not in wanted,
            special[resource],
            record.deck != "basic",
            len(record.types),
            resource,
        )

    def rank(paid: list[str]) -> tuple[int, int]:
        return (sum((Counter(wanted) - Counter(paid)).values()), len(paid))

    best: list[str] | None = None
    for way in _units(costs):
        paid = _assign(
            sorted(way, key=lambda unit: (unit.any, unit.type or "")), stock, records, worth
        )
        if paid is not None and (best is None or rank(paid) < rank(best)):
            best = paid
    return best


def _assign(
    units: list[Cost],
    stock: dict[str, int],
    records: dict[str, Resource],
    worth: Callable[[str], Worth],
) -> list[str] | None:
    """Assigns resources to units by depth-first search, cheapest first; None: impossible."""
    left = Counter(stock)
    paid: list[str] = []

    def place(number: int) -> bool:
        if number == len(units):
            return True
        for resource in sorted((one for one in left if left[one]), key=worth):
            if fits(resource, records[resource], units[number]):
                left[resource] -= 1
                paid.append(resource)
                if place(number + 1):
                    return True
                left[resource] += 1
                paid.pop()
        return False

    return paid if place(0) else None


def pay(table: Table, costs: list[Cost], words: tuple[str, ...] = ()) -> Procedure[bool]:
    """Pays a cost out of storage: with the resources named, else the cheapest that fit.

    Asks only where a resource of several types would be spent, or a special one though another
    would do; returns whether it was paid. Raises Refused when it cannot be paid, or a resource
    named does not fit.
    """
    stock = table.state.settlement.storage.resources
    names = {one: figures.name_of(table, Resource, one) for one in stock}
    wanted = tuple(match(word, names, "resource in storage") for word in words)
    if lacking := missing(table, costs):
        raise Refused(f"It cannot be paid: {lacking}.", hints=["storage shows what there is"])
    proposed = _payment(table, costs, wanted)
    assert proposed is not None
    for one in wanted:
        if one not in proposed:
            raise Refused(f"{figures.name_of(table, Resource, one)} does not pay for this.")
    unasked = [
        one
        for one in dict.fromkeys(proposed)
        if one not in wanted and all(one != cost.resource for cost in costs)
    ]
    if any(
        _uses(table, one) > 1 or (_special(table, one) and _another_way(table, costs, one))
        for one in unasked
    ):
        options = (
            Option("yes", f"spend {_names(table, proposed)}"),
            Option("no", "keep it"),
        )
        [answer] = yield Choose(
            purpose="payment", about=tuple(proposed), options=options, default="yes"
        )
        if answer == "no":
            return False
    for resource in proposed:
        yield from lose_resource(table, resource)
        record: Resource = table.content.get(Resource, resource)
        scene = Scene(table=table, record=f"resource:{resource}")
        yield from script.play_record(scene, record.spent, "spent")
    for cost in costs:
        yield from _pay_besides(table, cost)
    return True


def _pay_besides(table: Table, cost: Cost) -> Procedure[None]:
    """Pays what is no resource: endeavors, gear out of storage, people."""
    if cost.endeavors:
        yield from settle.figure(table, "endeavors", -cost.endeavors)
    if cost.population:
        steps = [s.Step(population=s.LosePerson(by=-cost.population))]
        yield from script.play_record(Scene(table=table, record="rule:craft"), steps)
    for gear in stored(table.state, cost.gear, cost.count) or () if cost.gear else ():
        yield Record(e.GearArchived(gear=gear))


def _uses(table: Table, resource: str) -> int:
    types = table.content.get(Resource, resource).types
    return len([one for one in types if one in ("bone", "hide", "organ", "scrap", "herb")])


def _names(table: Table, resources: list[str]) -> str:
    return ", ".join(figures.name_of(table, Resource, one) for one in resources)


@verb("pay")
def _pay(scene: Scene, body: s.Pay) -> Procedure[script.Jump | None]:
    """Pays survival or resources if it can be paid and (``may``) the players want to."""
    table = scene.table
    count = yield from conditions.amount(scene, body.count, "cost")
    survivor = scene.state.survivors.get(scene.who)
    if body.survival is not None:
        able = survivor is not None and figures.can_spend_survival(table, survivor, body.survival)
        words = f"{body.survival} survival"
    else:
        able = len(_affordable(table, body.resource or "any")) >= count
        words = f"{count} {'resource' if body.resource in ('any', 'latest') else body.resource}"
    paying = able
    if able and body.may:
        options = (Option("yes", f"spend {words}"), Option("no", "keep it"))
        about = (scene.record, *((scene.who,) if scene.who else ()))
        [answer] = yield Choose(
            purpose="pay", about=about, by=scene.who, options=options, default="no"
        )
        paying = answer == "yes"
    if not paying:
        return (yield from script.play(script.inside(scene, "else"), body.else_))
    if body.survival is not None:
        yield from figures.spend_survival(table, scene.who, body.survival)
    else:
        yield from _give_up(scene, body.resource or "any", count)
    return (yield from script.play(script.inside(scene, "then"), body.then))


def _affordable(table: Table, kind: str) -> list[str]:
    """Returns the resources of storage that count as a kind: a type, an id, ``any``, ``latest``."""
    found = []
    storage = table.state.settlement.storage
    stock = storage.unrecorded if kind == "latest" else storage.resources
    for id_, count in sorted(stock.items()):
        record: Resource = table.content.get(Resource, id_)
        if kind in ("any", "latest", id_) or kind in record.types:
            found += [id_] * count
    return found


def _give_up(scene: Scene, kind: str, count: int) -> Procedure[None]:
    """The players choose which resources go."""
    for _ in range(count):
        there = list(dict.fromkeys(_affordable(scene.table, kind)))
        gone = there[0]
        if len(there) > 1:
            names = tuple(Option(one, figures.name_of(scene.table, Resource, one)) for one in there)
            [gone] = yield Choose(purpose="lose_resource", about=(scene.record,), options=names)
        yield from lose_resource(scene.table, gone)


@verb("lose_resource")
def _lose_resource(scene: Scene, body: int | str) -> Procedure[None]:
    if isinstance(body, str):
        for resource in _affordable(scene.table, "any"):
            yield from lose_resource(scene.table, resource)
        return
    yield from _give_up(scene, "any", min(body, len(_affordable(scene.table, "any"))))


@verb("gain_resource")
def _gain_resource(scene: Scene, body: s.GainResource) -> Procedure[None]:
    """A named resource is gained only if a copy is in its deck (rulebook, Resource Limit)."""
    table = scene.table
    count = yield from conditions.amount(scene, body.count, "resources")
    takers = [""]
    if body.to == "survivor" and scene.state.phase.name != "settlement":
        takers = yield from conditions.people(scene, body.who)
    deck = where.record_type(table) if body.deck == OF_MONSTER else body.deck
    for taker in takers:
        if deck is not None and body.choose:
            yield from _choose_resource(scene, deck, taker)
            continue
        if deck is not None:
            yield from draw_resources(table, deck, count, taker, scene.record)
            continue
        assert body.id is not None
        for _ in range(count):
            record: Resource = table.content.get(Resource, body.id)
            if record.copies and body.id not in in_deck(table, record.deck):
                what = f"{record.name}: none in its deck"
                yield Record(e.GainIgnored(survivor=taker, what=body.id, why=what))
            else:
                yield from gain_resource(table, body.id, taker)


def _choose_resource(scene: Scene, deck: str, taker: str) -> Procedure[None]:
    """A resource of the players' choice among those in its deck."""
    there = dict.fromkeys(in_deck(scene.table, deck))
    options = tuple(Option(one, figures.name_of(scene.table, Resource, one)) for one in there)
    if options:
        [card] = yield Choose(purpose="choose_resource", about=(scene.record,), options=options)
        yield from gain_resource(scene.table, card, taker)


# --- gear -----------------------------------------------------------------------------------------


def instance(state: State, card: str) -> str:
    """Returns the id of the next instance of a card; ids are never used twice."""
    return f"{card}.{state.gear_made.get(card, 0) + 1}"


def gain_gear(table: Table, card: str, survivor: str = "", cell: str = "") -> Procedure[None]:
    """A gear card comes into the campaign; a unique one that is there does not come again.

    (rulebook, Glossary, Unique)
    """
    record = table.content.find(Gear, card)
    if record is not None and "unique" in record.rules and owned(table, card):
        yield Record(e.GainIgnored(survivor=survivor, what=card, why="there is one, and only one"))
        return
    gear = instance(table.state, card)
    yield Record(e.GearGained(gear=gear, card=card, survivor=survivor, cell=cell))


def free_cells(state: State, survivor: str) -> list[str]:
    """Returns the empty cells of a grid."""
    grid = state.survivors[survivor].grid
    return [cell for cell in CELLS if cell not in grid]


def room(table: Table, survivor: str) -> list[str]:
    """Returns the empty cells that gear may be put into: something else may fill one."""
    free = free_cells(table.state, survivor)
    filled = traits.ruled(table, table.state.survivors[survivor], "fills_a_cell")
    return free[:-1] if filled else free


def owned(table: Table, card: str) -> bool:
    """Returns whether the settlement has a gear card, in storage or in a grid."""
    return card in table.state.gear.values()


def armor_points(table: Table, survivor: str) -> dict[str, int]:
    """Returns the armor points with which a survivor departs, by location; sets count, too."""
    state: State = table.state
    person = state.survivors[survivor]
    worn = [state.gear[gear] for gear in person.grid.values()]
    points = dict.fromkeys(LOCATIONS, 0)
    metal = set()
    for card in worn:
        record: Gear = table.content.get(Gear, card)
        armor = record.armor
        if armor is not None:
            for location in LOCATIONS if armor.location == "all" else (armor.location,):
                points[location] += armor.points
            if record.kind == "armor" and "metal" in record.keywords:
                metal.add(armor.location)
    for set_ in table.content.all(ArmorSet).values():
        if set(set_.pieces) <= set(worn):
            for location in LOCATIONS:
                points[location] += set_.armor_all
    everywhere = numbers.figure(table, person, "armor")
    on_metal = numbers.figure(table, person, "armor_metal") if metal else 0
    for location in LOCATIONS:
        points[location] += everywhere + (on_metal if location in metal else 0)
    return points


def dress(table: Table, survivor: str) -> Procedure[None]:
    """Writes the armor points of the gear worn onto the sheet (rulebook, Armor Gear)."""
    armor = table.state.survivors[survivor].armor
    for location, now in armor_points(table, survivor).items():
        before = armor.get(location, 0)
        if now != before:
            yield Record(
                e.ArmorChanged(survivor=survivor, location=location, by=now - before, now=now)
            )


def record_modifiers(table: Table, survivor: str) -> Procedure[None]:
    """States what the gear worn adds to attributes; it holds by being carried (Depart).

    Nothing is written on the sheet: gear that is lost takes its modifiers along (rulebook, Lost
    Gear and Affinity Bonus).
    """
    gear = numbers.gear_attributes(table, table.state.survivors[survivor])
    terms = tuple(
        f"{name} {part.by:+d}: {part.of}" for name, parts in gear.items() for part in parts
    )
    if terms:
        yield Record(e.ModifiersRecorded(survivor=survivor, terms=terms))


@verb("gain_gear")
def _gain_gear(scene: Scene, body: s.GainGear) -> Procedure[None]:
    if body.to == "storage":
        yield from gain_gear(scene.table, body.id)
        return
    for id_ in (yield from conditions.people(scene, body.who)):
        cells = room(scene.table, id_)
        if cells:
            yield from gain_gear(scene.table, body.id, id_, cells[0])
        elif scene.state.showdown is not None:
            yield from _make_room(scene, body.id, id_)
        else:
            yield from gain_gear(scene.table, body.id)


def _make_room(scene: Scene, card: str, id_: str) -> Procedure[None]:
    """With a full grid the new gear or a piece carried is archived; what is cursed stays.

    (rulebook, Gaining Gear During the Showdown)
    """
    table, state = scene.table, scene.state
    grid = state.survivors[id_].grid
    carried = {state.gear[grid[cell]]: cell for cell in sorted(grid, reverse=True)}
    droppable = [
        one for one in (card, *reversed(carried))
        if "cursed" not in table.content.get(Gear, one).rules
    ]  # fmt: skip
    options = tuple(Option(one, figures.name_of(table, Gear, one)) for one in droppable)
    dropped = card
    if options:
        [dropped] = yield Choose(purpose="make_room", about=(id_, card), by=id_, options=options)
    if dropped == card:
        yield Record(e.GainIgnored(survivor=id_, what=card, why="no room in the gear grid"))
        return
    cell = carried[dropped]
    yield Record(e.GearArchived(gear=grid[cell]))
    yield from gain_gear(table, card, id_, cell)


def _archive_one(scene: Scene, keyword: str) -> Procedure[None]:
    """One gear card with a keyword, of the players' choice, wherever it is."""
    table, state = scene.table, scene.state
    carried = [one.grid[cell] for one in state.survivors.values() for cell in sorted(one.grid)]
    there = {
        state.gear[gear]: gear
        for gear in (*carried, *state.settlement.storage.gear)
        if keyword in table.content.get(Gear, state.gear[gear]).keywords
    }
    if there:
        options = tuple(Option(card, figures.name_of(table, Gear, card)) for card in there)
        [card] = yield Choose(purpose="archive_gear", about=(scene.record,), options=options)
        yield Record(e.GearArchived(gear=there[card]))


@verb("archive_gear")
def _archive_gear(scene: Scene, body: s.ArchiveGear) -> Procedure[None]:
    """Archives what fits out of a grid; cursed gear stays (Glossary, Cursed).

    In a showdown its armor goes, the rest stays as it is.
    """
    table, state = scene.table, scene.state
    if body.one is not None:
        yield from _archive_one(scene, body.one)
        return
    for id_ in (yield from conditions.people(scene, body.who)):
        survivor = state.survivors[id_]
        for gear in [survivor.grid[cell] for cell in sorted(survivor.grid)]:
            card = state.gear[gear]
            record: Gear = table.content.get(Gear, card)
            armor = record.armor if record.kind == "armor" else None
            worn = armor is not None and armor.location == body.worn
            if not worn and card != body.id and body.all not in record.keywords:
                continue
            if "cursed" in record.rules:
                continue
            yield Record(e.GearArchived(gear=gear))
            if state.showdown is None:
                yield from dress(table, id_)
            elif armor is not None and armor.location in LOCATIONS:
                before = survivor.armor.get(armor.location, 0)
                now = max(0, before - armor.points)
                yield Record(
                    e.ArmorChanged(survivor=id_, location=armor.location, by=now - before, now=now)
                )
