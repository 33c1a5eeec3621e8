"""Chance as rules want it: sums of dice, a fresh deck to draw from, someone at random."""

from __future__ import annotations

from collections.abc import Sequence

from kdmlog.core import dice
from kdmlog.core.events import DeckMade
from kdmlog.core.procedures import Procedure, Record
from kdmlog.core.requests import Draw, Roll, Shuffle


def roll(notation: str, purpose: str, about: tuple[str, ...] = ()) -> Procedure[int]:
    """Rolls and returns the sum of the values."""
    faces = yield Roll(dice=notation, purpose=purpose, about=about)
    return sum(dice.values(dice.parse(notation), faces))


def location(purpose: str, about: tuple[str, ...] = ()) -> Procedure[str]:
    """Rolls the hit location die and returns the location."""
    [face] = yield Roll(dice="1location", purpose=purpose, about=about)
    return dice.location(face)


def draw_fresh(
    deck: str, cards: Sequence[str], count: int, about: tuple[str, ...] = ()
) -> Procedure[list[str]]:
    """Shuffles ``cards`` into a deck and draws; fewer are returned when there are not enough."""
    yield Record(DeckMade(deck=deck, cards=tuple(cards)))
    yield Shuffle(deck=deck, purpose=f"shuffle_{deck}")
    count = min(count, len(cards))
    drawn: list[str] = []
    if count:
        drawn = yield Draw(deck=deck, count=count, purpose=f"draw_{deck}", about=about)
    return drawn


def at_random(
    people: Sequence[str], count: int, about: tuple[str, ...] = ()
) -> Procedure[list[str]]:
    """Returns ``count`` of the people, each as likely as the others (rulebook, Random survivor)."""
    if len(people) <= count:
        return list(people)
    drawn = yield from draw_fresh("names", people, count, about)
    return drawn
