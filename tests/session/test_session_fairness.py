"""How dice fell: counted as they lay, and judged in words that the numbers bear out."""

from __future__ import annotations

import random

import pytest

from kdmlog.core.events import DiceRolled
from kdmlog.session.fairness import Fairness, Tally, survival, verdict


def rolled(dice: str, *faces: int, key: int | None = None, source: str = "") -> DiceRolled:
    source = source or ("table" if key is None else "app")
    return DiceRolled(dice=dice, faces=faces, purpose="hit", source=source, key=key)


def results(*rolls: tuple[DiceRolled, str]) -> dict[tuple[str, str, str], Fairness]:
    tally = Tally()
    for roll, by in rolls:
        tally.add(roll, by)
    return {(one.die, one.source, one.by): one for one in tally.results()}


@pytest.mark.parametrize(
    ("chi2", "freedom", "p"),
    [  # from the tables of the chi-squared distribution
        (3.841, 1, 0.05),
        (6.635, 1, 0.01),
        (11.070, 5, 0.05),
        (1.145, 5, 0.95),
        (9.488, 4, 0.05),
        (0.711, 4, 0.95),
        (16.919, 9, 0.05),
        (21.666, 9, 0.01),
        (27.877, 9, 0.001),
        (3.325, 9, 0.95),
        (2.088, 9, 0.99),
    ],
)
def test_the_tail_of_chi_squared_is_as_the_tables_have_it(
    chi2: float, freedom: int, p: float
) -> None:
    assert survival(chi2, freedom) == pytest.approx(p, rel=2e-3)


def test_the_tail_ends_at_one_and_at_nothing() -> None:
    assert survival(0, 9) == 1
    assert survival(1e4, 9) == 0
    falling = [survival(chi2 / 10, 9) for chi2 in range(600)]
    assert falling == sorted(falling, reverse=True)


def test_faces_are_counted_by_die_source_and_player() -> None:
    found = results(
        (rolled("2d10", 3, 10, key=0), "ann"),
        (rolled("1d10", 3), "ann"),
        (rolled("1d10", 4), "bo"),
        (rolled("1d100", 3, 4), "bo"),
        (rolled("1d5", 9), "bo"),
    )
    assert set(found) == {
        ("d10", "app", ""),
        ("d10", "app", "ann"),
        ("d10", "table", ""),
        ("d10", "table", "ann"),
        ("d10", "table", "bo"),
        ("d100", "table", ""),
        ("d100", "table", "bo"),
        ("d5", "table", ""),
        ("d5", "table", "bo"),
    }
    assert found["d10", "app", ""].counts == {**dict.fromkeys(map(str, range(1, 11)), 0)} | {
        "3": 1,
        "10": 1,
    }
    assert found["d10", "table", ""].rolled == 2
    assert found["d100", "table", "bo"].rolled == 2, "the tens and the ones are a die each"


def test_a_roll_carried_over_counts_as_what_it_was() -> None:
    found = results(
        (rolled("1d10", 3, key=4, source="replayed"), ""),
        (rolled("1d10", 3, source="replayed"), ""),
    )
    assert {source for _, source, _ in found} == {"app", "table"}


def test_the_body_stands_twice_on_the_location_die_and_is_counted_once() -> None:
    faces = [face for face in (1, 2, 3, 4, 5, 6) for _ in range(10)]
    found = results((rolled("60location", *faces), ""))["location", "table", ""]
    assert found.counts == {"head": 10, "arms": 10, "body": 20, "waist": 10, "legs": 10}
    assert found.expected["body"] == 20
    assert found.chi2 == 0


def test_too_few_rolls_tell_nothing() -> None:
    found = results((rolled("49d10", *[1] * 49), ""))["d10", "table", ""]
    assert (found.p, found.verdict) == (None, "too few rolls to tell")


def test_loaded_dice_are_told_from_fair_ones() -> None:
    chance = random.Random(5)
    fair = [chance.randint(1, 10) for _ in range(2000)]
    loaded = [max(chance.randint(1, 10), chance.randint(1, 10)) for _ in range(2000)]
    told = [results((rolled("99d10", *faces), ""))["d10", "table", ""] for faces in (fair, loaded)]
    assert told[0].p is not None and told[0].p > 0.05
    assert told[0].verdict.startswith("as fair dice would fall in ")
    assert told[1].verdict == "fair dice would fall so unevenly in fewer than 1 of 1,000 such logs"


def test_a_verdict_says_what_p_means() -> None:
    assert verdict(0.43) == "as fair dice would fall in 43 of 100 such logs"
    assert verdict(0.012) == "fair dice would fall so unevenly in only 12 of 1,000 such logs"
    assert verdict(0.999) == "fair dice would fall so evenly in fewer than 5 of 1,000 such logs"


def test_p_is_as_often_small_as_it_says() -> None:
    """Of many logs of fair dice a tenth has a p below 0.1."""
    chance = random.Random(9)
    low = 0
    for _ in range(500):
        faces = [chance.randint(1, 10) for _ in range(200)]
        p = results((rolled("99d10", *faces), ""))["d10", "table", ""].p
        assert p is not None
        low += p < 0.1
    assert 30 <= low <= 70
