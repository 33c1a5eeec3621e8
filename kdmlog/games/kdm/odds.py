"""The exact chances of an attack, worked out of its numbers before a die is rolled."""

# No annotations from __future__: msgspec would compile each of them whenever kdmlog starts.

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import comb
from typing import Annotated

from msgspec import Meta, Struct

from kdmlog.core.errors import Refused
from kdmlog.core.game import Table
from kdmlog.games.kdm.content import HitLocation
from kdmlog.games.kdm.explained import Attacking, Supposed, met, refused, supposed
from kdmlog.games.kdm.rules.numbers import FACES, Strike

MOST_DICE = 30
"""An attack of more is a mistake in what was supposed."""
Chances = dict[int, Fraction]
"""How many, to the chance of exactly so many."""


class Chance(Struct, frozen=True):
    """The chance of a number."""

    count: int
    exactly: float
    at_least: float


class Expected(Struct, frozen=True):
    """What an attack comes to on average."""

    hits: float
    wounds: float
    criticals: float


class Odds(Struct, frozen=True, kw_only=True):
    """An attack's chances; hit locations count as ordinary ones with a critical wound."""

    attack: Attacking
    dice: int
    hits_on: Annotated[int, Meta(description="The lowest attack roll that hits.")]
    wounds_on: Annotated[int, Meta(description="The lowest wound roll, without perfect hits.")]
    critical_on: int | None
    sharp: int
    hits: list[Chance]
    wounds: list[Chance]
    criticals: list[Chance]
    expected: Expected
    kills: Annotated[
        float | None, Meta(description="The chance of as many wounds as the monster has left.")
    ]
    trap: Annotated[
        float | None, Meta(description="The chance that a trap is drawn, out of shuffled cards.")
    ]
    refused: Annotated[str, Meta(description="Why it cannot be made; empty when it can.")]
    apart: Annotated[str, Meta(description="What is not in these chances.")]


APART = (
    "Apart from it: what hit locations do (traps, reactions, impervious or tougher places), "
    "what an unwieldy weapon does to its bearer, attack rolls that hits give, "
    "what skill with a weapon does in its midst, and what is chosen."
)


def odds(table: Table, asked: Supposed) -> Odds:
    """Returns an attack's chances. Raises Refused without a toughness to meet, UnknownName."""
    told, foe, card, weapon = supposed(table, asked)
    if told.toughness is None:
        raise Refused(
            "No showdown is under way: there is no toughness to meet.",
            hints=[f"odds attack {told.survivor} --toughness 8"],
        )

    def strike(perfect: int) -> Strike:
        return Strike(
            table,
            told.survivor,
            card,
            weapon,
            foe,
            blind=told.blind,
            perfect=perfect,
            given=asked.given,
        )

    plain = strike(0)
    if plain.dice.total > MOST_DICE:
        raise Refused(f"{plain.dice.total} dice are more than anyone rolls: {MOST_DICE} at most.")
    rolled = attack_rolls(plain)
    both = outcomes(rolled, strike)
    hits = _sum((n, chance) for (n, _), chance in rolled.items())
    wounds = _sum((n, chance) for (n, _), chance in both.items())
    criticals = _sum((n, chance) for (_, n), chance in both.items())
    left = _left(table) if told.monster else 0
    return Odds(
        attack=met(told, plain),
        dice=plain.dice.total,
        hits_on=plain.hits_on,
        wounds_on=plain.wounds_on,
        critical_on=plain.critical_on,
        sharp=plain.sharp,
        hits=_told(hits),
        wounds=_told(wounds),
        criticals=_told(criticals),
        expected=Expected(_mean(hits), _mean(wounds), _mean(criticals)),
        kills=float(sum(p for n, p in wounds.items() if n >= left)) if told.monster else None,
        trap=_trap(table, hits) if told.monster else None,
        refused=refused(table, told),
        apart=APART,
    )


def attack_rolls(strike: Strike) -> dict[tuple[int, int], Fraction]:
    """Returns the chance of each number of hits with so many perfect ones among them."""
    faces = [(strike.hits(face), strike.perfect(face)) for face in FACES]
    spoilt = [strike.early_iron and face == 1 for face in FACES]
    found = {(strike.sure, 0): Fraction(1)}
    cancelled = Fraction(0)
    for _ in range(strike.dice.total - strike.sure):
        after: dict[tuple[int, int], Fraction] = {}
        for (hits, perfect), chance in found.items():
            for (hit, better), gone in zip(faces, spoilt, strict=True):
                if gone:
                    cancelled += chance / len(FACES)
                else:
                    key = hits + hit, perfect + better
                    after[key] = after.get(key, Fraction(0)) + chance / len(FACES)
        found = after
    if cancelled:
        found[0, 0] = found.get((0, 0), Fraction(0)) + cancelled
    return found


def outcomes(
    rolled: Mapping[tuple[int, int], Fraction], strike: Callable[[int], Strike]
) -> dict[tuple[int, int], Fraction]:
    """Returns the chance of each number of wounds with so many criticals among the attempts.

    ``strike`` gives the numbers after so many perfect hits.
    """
    found: dict[tuple[int, int], Fraction] = {}
    for perfect in sorted({perfect for _, perfect in rolled}):
        numbers = strike(perfect)
        attempt = _attempt(numbers)
        after = {(0, 0): Fraction(1)}
        for hits in range(max(h for h, p in rolled if p == perfect) + 1):
            for key, chance in after.items():
                whole = chance * rolled.get((hits, perfect), 0)
                if whole:
                    found[key] = found.get(key, Fraction(0)) + whole
            after = _one_more(after, attempt, numbers)
    return found


def _one_more(
    before: Mapping[tuple[int, int], Fraction],
    attempt: tuple[Fraction, Fraction, Fraction],
    strike: Strike,
) -> dict[tuple[int, int], Fraction]:
    """Adds a wound attempt; what a critical one is worth may hang on those before it."""
    fails, wounds, critical = attempt
    after: dict[tuple[int, int], Fraction] = {}
    for (count, criticals), chance in before.items():
        plain = count + strike.wounds_dealt(critical=False), criticals
        better = count + strike.wounds_dealt(critical=True, before=criticals), criticals + 1
        for key, share in (((count, criticals), fails), (plain, wounds), (better, critical)):
            if share:
                after[key] = after.get(key, Fraction(0)) + chance * share
    return after


def _attempt(strike: Strike) -> tuple[Fraction, Fraction, Fraction]:
    """Returns the chances that a wound attempt fails, wounds, and wounds critically."""
    sharp: Chances = {0: Fraction(1)}
    for _ in range(strike.sharp):
        sharp = _sum(
            (more + face, chance / len(FACES)) for more, chance in sharp.items() for face in FACES
        )
    wounds = critical = Fraction(0)
    for face in FACES:
        if strike.is_critical(face):
            critical += Fraction(1, len(FACES))
        else:
            beats = sum((p for more, p in sharp.items() if strike.wounds(face, more)), Fraction(0))
            wounds += beats / len(FACES)
    return 1 - wounds - critical, wounds, critical


def _left(table: Table) -> int:
    """Returns how many wounds kill the monster: one more than there are AI cards to lose."""
    deck = table.state.decks["ai"]
    return len(deck["deck"]) + len(deck["discard"]) + 1


def _trap(table: Table, hits: Chances) -> float:
    """Returns the chance that one of the hit locations drawn is a trap.

    Every order of the cards face down is as likely; the discard is shuffled when they run out.
    """
    deck = table.state.decks["hit_locations"]
    piles = [deck["deck"], deck["discard"]]
    counts = [(len(pile), sum(_is_trap(table, card) for card in pile)) for pile in piles]
    none = Fraction(0)
    for drawn, chance in hits.items():
        free, left = Fraction(1), drawn
        for cards, traps in counts:
            taken = min(left, cards)
            free *= Fraction(comb(cards - traps, taken), comb(cards, taken))
            left -= taken
        none += chance * free
    return float(1 - none)


def _is_trap(table: Table, card: str) -> bool:
    location = table.content.find(HitLocation, card)
    return location is not None and location.type == "trap"


def _sum(pairs: Iterable[tuple[int, Fraction]]) -> Chances:
    found: Chances = {}
    for count, chance in pairs:
        found[count] = found.get(count, Fraction(0)) + chance
    return dict(sorted(found.items()))


def _told(chances: Chances) -> list[Chance]:
    return [
        Chance(n, float(chances.get(n, 0)), float(sum(p for m, p in chances.items() if m >= n)))
        for n in range(max(chances) + 1)
    ]


def _mean(chances: Chances) -> float:
    return float(sum(count * chance for count, chance in chances.items()))
