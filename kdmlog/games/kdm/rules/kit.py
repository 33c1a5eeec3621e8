"""What lies in a survivor's grid, and the affinities that it makes."""

from __future__ import annotations

from kdmlog.core.game import Table
from kdmlog.games.kdm import grid
from kdmlog.games.kdm.content import Ability, Gear
from kdmlog.games.kdm.state import State, Survivor


def in_grid(table: Table, survivor: Survivor) -> dict[str, tuple[str, Gear]]:
    """Returns the gear in a grid: cell to card and its record; what no pack knows is left out."""
    state: State = table.state
    found = {}
    for cell, gear in survivor.grid.items():
        card = state.gear[gear]
        record = table.content.find(Gear, card)
        if record is not None:
            found[cell] = (card, record)
    return found


def affinities(table: Table, survivor: Survivor) -> dict[str, int]:
    """Returns the affinities that a survivor has: complete squares, whole and permanent ones."""
    cards = {cell: one for cell, (_, one) in in_grid(table, survivor).items()}
    found = grid.affinities(cards)
    for card in cards.values():
        for colour, count in card.innate.items():
            found[colour] += count
    for id_ in survivor.abilities:
        ability = table.content.find(Ability, id_)
        for colour, count in ability.affinities.items() if ability is not None else ():
            found[colour] += count
    return found


def bonuses(table: Table, survivor: Survivor) -> dict[str, bool]:
    """Returns the cards of a grid that have an affinity bonus, and whether it is gained.

    Complete affinities count anywhere in the grid, puzzle ones only on the card itself (rulebook,
    Puzzle Affinities).
    """
    cards = in_grid(table, survivor)
    squares = grid.squares({cell: record for cell, (_, record) in cards.items()})
    whole = affinities(table, survivor)
    found: dict[str, bool] = {}
    for cell, (card, record) in cards.items():
        if record.needs:
            own = [colour for *cells, colour in squares if cell in cells]
            there = all(
                (own.count(colour) if how == "puzzle" else whole[colour]) >= count
                for how, colours in record.needs.items()
                for colour, count in colours.items()
            )
            found[card] = found.get(card, False) or there
    return found


def needed(record: Gear) -> str:
    """Returns what an affinity bonus needs, in words: ``2 blue``, ``puzzle 1 red``."""
    return ", ".join(
        ("puzzle " if how == "puzzle" else "")
        + ", ".join(f"{count} {colour}" for colour, count in colours.items())
        for how, colours in record.needs.items()
    )
