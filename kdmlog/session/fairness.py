"""Counts how the dice of a log fell, and says in plain words whether fair dice would fall so."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from kdmlog.core.dice import LANTERN, LOCATIONS, parse, show
from kdmlog.core.errors import BadInput
from kdmlog.core.events import DiceRolled

ENOUGH = 5
"""The least expected count of a face at which the test says anything."""
EVERYONE = ""
"""In place of a player: all of them together."""
_D10 = tuple(str(face) for face in range(1, LANTERN + 1))


class Fairness(Struct, frozen=True):
    """How one kind of die fell, of one source (``app`` or ``table``), for a player or everyone.

    ``counts`` goes by face, ``expected`` says what fair dice come to on average. ``p`` is how often
    fair dice stray so far or farther (chi-squared); None when there are too few to tell.
    """

    die: str
    source: str
    by: str
    rolled: int
    counts: dict[str, int]
    expected: dict[str, float]
    chi2: float
    p: float | None
    verdict: str


class Tally:
    """Counts faces: first ``add`` every roll, then ask for the ``results``.

    A d5 and the two dice of a d100 are d10s, counted by themselves. The hit location die is counted
    by what it shows: at a table nobody tells its two body faces apart.
    """

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str, str], dict[str, int]] = {}

    def add(self, roll: DiceRolled, by: str) -> None:
        """Counts a roll for the player who made it, and for everyone.

        Dice and faces that there are not, in a log that somebody tampered with, are left out.
        """
        try:
            dice = parse(roll.dice)
        except BadInput:
            return
        faces = [face for face in roll.faces if 1 <= face <= dice.sides]
        if not faces:
            return
        source = "table" if roll.key is None else "app"
        for who in {by, EVERYONE}:
            group = dice.kind, source, who
            counts = self._counts.setdefault(group, dict.fromkeys(_faces(dice.kind), 0))
            for face in faces:
                counts[show(face, dice)] += 1

    def results(self) -> list[Fairness]:
        """Returns the counts with their verdicts: by die and source, everyone before each."""
        return [_fairness(*group, self._counts[group]) for group in sorted(self._counts)]


def _fairness(die: str, source: str, by: str, counts: dict[str, int]) -> Fairness:
    rolled = sum(counts.values())
    faces = _faces(die)
    expected = {face: rolled * faces.count(face) / len(faces) for face in counts}
    chi2 = sum((counts[face] - wanted) ** 2 / wanted for face, wanted in expected.items())
    enough = min(expected.values()) >= ENOUGH
    p = survival(chi2, len(counts) - 1) if enough else None
    return Fairness(die, source, by, rolled, counts, expected, chi2, p, verdict(p))


def _faces(die: str) -> Sequence[str]:
    return LOCATIONS if die == "location" else _D10


def verdict(p: float | None) -> str:
    """Returns what a p-value means in words."""
    if p is None:
        return "too few rolls to tell"
    if p < 0.001:
        return "fair dice would fall so unevenly in fewer than 1 of 1,000 such logs"
    if p < 0.05:
        return f"fair dice would fall so unevenly in only {p * 1000:.0f} of 1,000 such logs"
    if p > 0.995:
        return "fair dice would fall so evenly in fewer than 5 of 1,000 such logs"
    return f"as fair dice would fall in {p * 100:.0f} of 100 such logs"


def survival(chi2: float, freedom: int) -> float:
    """Returns how probable a chi-squared value of at least ``chi2`` is, at so many degrees.

    It is the regularised upper incomplete gamma function: a series where that converges quickly,
    elsewhere Lentz's continued fraction.
    """
    a, x = freedom / 2, chi2 / 2
    if x <= 0:
        return 1.0
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > total * _PRECISION:
            n += 1
            term *= x / n
            total += term
        return 1 - front * total
    b = x + 1 - a
    c, d = math.inf, 1 / b
    fraction, change, n = d, 0.0, 0.0
    while abs(change - 1) > _PRECISION:
        n += 1
        top = n * (a - n)
        b += 2
        d = 1 / (b + top * d)
        c = b + top / c
        change = c * d
        fraction *= change
    return front * fraction


_PRECISION = 1e-12
