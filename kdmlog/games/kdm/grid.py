"""Affinities of a gear grid: half-squares of one colour that touch (rulebook, Affinities)."""

from __future__ import annotations

from collections.abc import Mapping

from kdmlog.games.kdm.content import Gear
from kdmlog.games.kdm.state import CELLS

COLOURS = ("red", "green", "blue")
WIDTH = 3
_NEIGHBOURS = [
    (cell, CELLS[n + step], edge, facing)
    for n, cell in enumerate(CELLS)
    for step, edge, facing in ((1, "right", "left"), (WIDTH, "bottom", "top"))
    if n + step < len(CELLS) and (step == WIDTH or n % WIDTH < WIDTH - 1)
]
"""Each pair of cells that touch, with the edge at which each of the two meets the other."""


def squares(cards: Mapping[str, Gear]) -> list[tuple[str, str, str]]:
    """Returns each complete square of a grid (cell to card): its two cells and its colour.

    A card's puzzle affinities are those squares of which its own cell is one.
    """
    found = []
    for one, other, edge, facing in _NEIGHBOURS:
        if one in cards and other in cards:
            colour = cards[one].affinities.get(edge)
            if colour and colour == cards[other].affinities.get(facing):
                found.append((one, other, colour))
    return found


def affinities(cards: Mapping[str, Gear]) -> dict[str, int]:
    """Returns how many complete squares of each colour a grid (cell to card) has."""
    found = [colour for _, _, colour in squares(cards)]
    return {colour: found.count(colour) for colour in COLOURS}


def beside(cell: str, side: str) -> str:
    """Returns the cell left or right of another; empty at the edge."""
    number = CELLS.index(cell) + (1 if side == "right" else -1)
    same_row = 0 <= number < len(CELLS) and number // WIDTH == CELLS.index(cell) // WIDTH
    return CELLS[number] if same_row else ""
