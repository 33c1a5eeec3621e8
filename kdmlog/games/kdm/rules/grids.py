"""The gear grid: what may be put where, and rearranging it in the settlement."""

from __future__ import annotations

from collections.abc import Iterator

from kdmlog.core.errors import Refused, UnknownName
from kdmlog.core.game import Table
from kdmlog.core.names import match
from kdmlog.core.procedures import Procedure, Record
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import Ability, Gear
from kdmlog.games.kdm.rules import conditions, figures, things, traits, variants
from kdmlog.games.kdm.state import CELLS, State, Survivor

OTHER = "other"
"""The keyword of gear that is not of this world."""


def cell(word: str) -> str:
    """Returns the cell that was typed: 1 to 9 row by row, or a letter and a number (``b2``)."""
    word = word.strip().lower()
    if len(word) == 2 and word[0] in "abc" and word[1] in "123":
        return str("abc".index(word[0]) * 3 + int(word[1]))
    if word in CELLS:
        return word
    raise Refused(f"{word!r} is no cell of the grid.", hints=["1 to 9, row by row, or a1 to c3"])


def _held(table: Table, survivor: str, word: str) -> str:
    """Returns the cell that was typed, or that of the gear in the grid which the word names."""
    grid = table.state.survivors[survivor].grid
    names = {
        where: figures.name_of(table, Gear, table.state.gear[gear])
        for where, gear in sorted(grid.items())
    }
    try:
        return cell(word)
    except Refused as no_cell:
        try:
            return match(word, names, "gear in the grid")
        except UnknownName as error:
            raise (error if error.code == "ambiguous" else no_cell) from None


def in_storage(table: Table, word: str) -> str:
    """Returns the gear instance in storage that was named."""
    state: State = table.state
    names: dict[str, str] = {}
    for gear in state.settlement.storage.gear:
        card = state.gear[gear]
        names.setdefault(card, figures.name_of(table, Gear, card))
    card = match(word, names, "gear in storage")
    return next(one for one in state.settlement.storage.gear if state.gear[one] == card)


def refuse_gear(table: Table, survivor: str, card: str) -> None:
    """Raises Refused when a grid may not hold a card."""
    state: State = table.state
    person = state.survivors[survivor]
    worn = [state.gear[one] for one in person.grid.values()]
    if why := forbidden(table, person, worn, card):
        raise Refused(why)


def forbidden(table: Table, person: Survivor, worn: list[str], card: str) -> str:
    """Returns why someone may not add a card to those worn; empty when they may.

    No two of the same but weapons; one armor a location; selfish gear lies beside nothing of the
    keyword other; some injuries and abilities forbid a place or a kind (rulebook, Duplicate Gear;
    Armor Gear; Glossary, Selfish, Crystal Skin, Life Exchanges).
    """
    record: Gear = table.content.get(Gear, card)
    if why := variants.refuses(table.state, person, record):
        return why
    if record.kind != "weapon" and card in worn:
        return f"{person.name} has a {record.name}; only weapons may be there twice."
    if why := _forbidden_kind(table, person, worn, record):
        return why
    armor = record.armor
    if armor is None or record.kind != "armor" or "accessory" in record.rules:
        return ""
    if why := conditions.barred(table, person, f"{armor.location}_gear"):
        return f"{person.name} can wear nothing on the {armor.location}: {why}."
    for other in worn:
        there: Gear = table.content.get(Gear, other)
        if there.kind != "armor" or there.armor is None or "accessory" in there.rules:
            continue
        if there.armor.location == armor.location:
            return f"{person.name} wears the {there.name} on the {armor.location}."
    return ""


def _forbidden_kind(table: Table, person: Survivor, worn: list[str], record: Gear) -> str:
    cards = [table.content.get(Gear, card) for card in worn]
    if OTHER in record.keywords:
        if traits.ruled(table, person, "no_other_gear"):
            return f"{person.name} may not carry the {record.name}: it is of the keyword other."
        if owner := next((one.name for one in cards if "selfish" in one.rules), ""):
            return f"The {owner} is selfish: nothing of the keyword other may lie beside it."
    if "selfish" in record.rules and (one := _first(cards, OTHER)):
        return f"The {record.name} is selfish: it may not lie beside the {one}."
    if record.kind == "armor" and (ref := traits.ruled(table, person, "no_armor")):
        name = figures.name_of(table, Ability, ref.partition(":")[2])
        return f"{person.name} can wear no armor: {name}."
    return ""


def _first(cards: list[Gear], keyword: str) -> str:
    return next((one.name for one in cards if keyword in one.keywords), "")


def refuse_worn(table: Table, survivor: str) -> None:
    """Raises Refused when a survivor wears what an injury of theirs forbids (Severe Injuries)."""
    for where, why in misworn(table, survivor):
        raise Refused(f"{why}.", hints=[f"gear take {survivor} {where}"])


def misworn(table: Table, survivor: str) -> Iterator[tuple[str, str]]:
    """Yields the cells of what an injury forbids a survivor to wear, and why."""
    state: State = table.state
    person = state.survivors[survivor]
    for where, gear in person.grid.items():
        record: Gear = table.content.get(Gear, state.gear[gear])
        if record.kind != "armor" or record.armor is None:
            continue
        place = record.armor.location
        if why := conditions.barred(table, person, f"{place}_gear"):
            yield where, f"{person.name} can wear nothing on the {place}: {why}"


def put(table: Table, survivor: str, word: str, where: str) -> Procedure[None]:
    """Puts gear from storage into an empty cell; ``where`` empty: the first free one."""
    state: State = table.state
    gear = in_storage(table, word)
    free = things.room(table, survivor)
    if not free:
        raise Refused("The grid is full.", hints=["gear take SURVIVOR CELL"])
    to = cell(where) if where else free[0]
    if to not in free:
        raise Refused(f"Cell {to} is taken.", hints=[f"free: {', '.join(free)}"])
    refuse_gear(table, survivor, state.gear[gear])
    yield Record(e.GearMoved(gear=gear, survivor=survivor, cell=to))
    yield from things.dress(table, survivor)


def take(table: Table, survivor: str, where: str) -> Procedure[None]:
    """Takes gear out of a cell into storage; cursed gear stays (rulebook, Glossary, Cursed)."""
    gear = _there(table, survivor, _held(table, survivor, where))
    _refuse_cursed(table, gear)
    yield Record(e.GearMoved(gear=gear))
    yield from things.dress(table, survivor)


def move(table: Table, survivor: str, before: str, to: str) -> Procedure[None]:
    """Moves gear within a grid; what lies in the other cell changes places with it."""
    first, second = _held(table, survivor, before), cell(to)
    gear = _there(table, survivor, first)
    other = table.state.survivors[survivor].grid.get(second)
    yield Record(e.GearMoved(gear=gear, survivor=survivor, cell=second))
    if other is not None and first != second:
        yield Record(e.GearMoved(gear=other, survivor=survivor, cell=first))


def swap(table: Table, one: str, first: str, other: str, second: str) -> Procedure[None]:
    """Two survivors exchange what lies in two cells."""
    first, second = _held(table, one, first), _held(table, other, second)
    a, b = _there(table, one, first), _there(table, other, second)
    _refuse_cursed(table, a)
    _refuse_cursed(table, b)
    yield Record(e.GearMoved(gear=a))
    yield Record(e.GearMoved(gear=b))
    refuse_gear(table, one, table.state.gear[b])
    refuse_gear(table, other, table.state.gear[a])
    yield Record(e.GearMoved(gear=b, survivor=one, cell=first))
    yield Record(e.GearMoved(gear=a, survivor=other, cell=second))
    yield from things.dress(table, one)
    yield from things.dress(table, other)


def _refuse_cursed(table: Table, gear: str) -> None:
    record: Gear = table.content.get(Gear, table.state.gear[gear])
    if "cursed" in record.rules:
        raise Refused(f"The {record.name} is cursed: it cannot be removed.")


def _there(table: Table, survivor: str, where: str) -> str:
    gear = table.state.survivors[survivor].grid.get(where)
    if gear is None:
        name = table.state.survivors[survivor].name
        raise Refused(f"{name} has nothing in cell {where}.")
    return str(gear)
