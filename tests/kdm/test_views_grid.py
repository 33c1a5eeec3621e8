"""Affinities of a gear grid, against the rulebook's examples."""

from __future__ import annotations

import pytest

from kdmlog.games.kdm.content import Gear
from kdmlog.games.kdm.grid import affinities, squares


def gear(**edges: str) -> Gear:
    return Gear(name="some gear", kind="item", location="here", affinities=edges)


# As printed on the cards.
LUCKY_CHARM = gear(left="blue", right="blue")
FECAL_SALVE = gear(left="blue")
HUNTER_WHIP = gear(top="blue", right="blue")
SCREAMING_SKIRT = gear(right="green", bottom="blue")
RAWHIDE_VEST = gear(top="blue", right="red")
RAWHIDE_HEADBAND = gear(bottom="blue")
RAWHIDE_GLOVES = gear(left="red")


def test_lucky_charm_beside_fecal_salve_is_one_blue() -> None:
    grid = {"4": LUCKY_CHARM, "5": FECAL_SALVE}
    assert affinities(grid) == {"red": 0, "green": 0, "blue": 1}
    assert squares(grid) == [("4", "5", "blue")]


def test_the_rulebooks_grid_of_four_has_the_two_blues_of_the_lucky_charm() -> None:
    grid = {"1": SCREAMING_SKIRT, "4": HUNTER_WHIP, "5": LUCKY_CHARM, "9": FECAL_SALVE}
    assert affinities(grid) == {"red": 0, "green": 0, "blue": 2}
    assert affinities({**grid, "6": FECAL_SALVE})["blue"] == 3


def test_squares_of_a_card_are_its_puzzle_affinities() -> None:
    grid = {"2": RAWHIDE_HEADBAND, "5": RAWHIDE_VEST, "6": RAWHIDE_GLOVES}
    assert squares(grid) == [("2", "5", "blue"), ("5", "6", "red")]


@pytest.mark.parametrize(
    ("grid", "why"),
    [
        ({}, "an empty grid"),
        ({"1": LUCKY_CHARM}, "a half-square alone"),
        ({"3": LUCKY_CHARM, "4": FECAL_SALVE}, "the end of a row and the start of the next"),
        ({"1": LUCKY_CHARM, "3": FECAL_SALVE}, "a cell between"),
        ({"1": RAWHIDE_VEST, "2": FECAL_SALVE}, "red meets blue"),
        ({"1": FECAL_SALVE, "2": LUCKY_CHARM}, "an edge without a half-square"),
        ({"1": HUNTER_WHIP, "4": SCREAMING_SKIRT}, "the wrong way up"),
    ],
)
def test_no_affinity(grid: dict[str, Gear], why: str) -> None:
    assert affinities(grid) == {"red": 0, "green": 0, "blue": 0}, why
