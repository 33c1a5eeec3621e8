"""Chances are those that counting every roll gives, and those that the rules come to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import sqrt

import pytest

from kdmlog.core.errors import Refused
from kdmlog.core.inputs import Inputs
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import Gear, HitLocation, Modifies, Weapon
from kdmlog.games.kdm.explained import Supposed, explain
from kdmlog.games.kdm.odds import Odds, attack_rolls, odds, outcomes
from kdmlog.games.kdm.rules import attack
from kdmlog.games.kdm.rules.numbers import Foe, Strike

from .scene import FOUNDERS, fight, founders, lend, of, run, survivors_turn, wear, who
from .table import Game

FACES = range(1, 11)
CASES = {
    "plain": ((2, 7, 1), [], [], 6),
    "sharp": ((1, 5, 1), ["sharp"], [], 12),
    "deadly": ((2, 6, 0), ["deadly:2"], [], 9),
    "savage": ((2, 6, 2), ["savage", "deadly"], [], 8),
    "devastating": ((2, 6, 2), ["devastating:2"], [], 8),
    "savage and devastating": ((2, 4, 2), ["savage", "devastating"], [], 8),
    "early iron": ((2, 5, 3), ["early_iron"], [], 8),
    "unstoppable": ((2, 5, 3), ["unstoppable"], [], 30),
    "slow": ((4, 4, 5), ["slow"], [], 10),
    "perfect hits": ((2, 7, 2), [], [Modifies(to="perfect_strength", by=3, weapon="blade")], 11),
    "perfect on 9": ((2, 9, 2), [], [Modifies(to="perfect", by=1, weapon="blade")], 8),
}
"""Name to dice, accuracy and strength, the rules, what it modifies, and the toughness."""


def blade(case: str) -> Gear:
    (speed, accuracy, strength), rules, modifiers, _ = CASES[case]
    return Gear(
        name="Blade",
        kind="weapon",
        location="starting",
        keywords=["melee"],
        rules=rules,
        modifiers=modifiers,
        weapon=Weapon(speed=speed, accuracy=accuracy, strength=strength),
    )


def strike(game: Game, case: str, perfect: int) -> Strike:
    foe = Foe(CASES[case][3])
    return Strike(game.table, "allister", "blade", blade(case), foe, perfect=perfect)


def armed(game: Game, case: str) -> Game:
    lend(game, "blade", blade(case))
    wear(game, c3="blade")
    return game


# --- against every roll there is ------------------------------------------------------------------


def enumerated(game: Game, case: str) -> tuple[Counter[int], Counter[tuple[int, int]], int, int]:
    """Counts by hand what every roll comes to; returns also how many rolls there were."""
    plain = strike(game, case, 0)
    hits: Counter[int] = Counter()
    both: Counter[tuple[int, int]] = Counter()
    dice = plain.dice.total
    each = len(FACES) ** (1 + plain.sharp)
    for faces in product(FACES, repeat=dice):
        scored = sum(map(plain.hits, faces))
        if plain.early_iron and 1 in faces:
            scored = 0
        hits[scored] += 1
        later = strike(game, case, sum(map(plain.perfect, faces)))
        for attempts in product(product(FACES, repeat=1 + plain.sharp), repeat=scored):
            both[_outcome(later, attempts)] += each ** (dice - scored)
    return hits, both, len(FACES) ** dice, (len(FACES) * each) ** dice


def _outcome(blow: Strike, attempts: tuple[tuple[int, ...], ...]) -> tuple[int, int]:
    wounds = criticals = 0
    for face, *sharp in attempts:
        if blow.is_critical(face):
            wounds += 1 + blow.devastating + (1 if blow.savage and not criticals else 0)
            criticals += 1
        elif blow.wounds(face, sum(sharp)):
            wounds += 1 + blow.devastating
    return wounds, criticals


@pytest.mark.parametrize("case", CASES)
def test_chances_are_what_counting_every_roll_gives(case: str) -> None:
    game = armed(survivors_turn(), case)
    rolled = attack_rolls(strike(game, case, 0))
    found = outcomes(rolled, lambda perfect: strike(game, case, perfect))
    hits, both, rolls, wholes = enumerated(game, case)
    by_hits: Counter[int] = Counter()
    for (count, _), chance in rolled.items():
        by_hits[count] += chance  # type: ignore[assignment]
    assert dict(by_hits) == {n: Fraction(count, rolls) for n, count in hits.items()}
    assert found == {key: Fraction(count, wholes) for key, count in both.items()}
    assert sum(found.values()) == 1


# --- against the rules ----------------------------------------------------------------------------

TRIES = 1500


@pytest.mark.parametrize("case", CASES)
def test_chances_are_what_the_rules_come_to(case: str) -> None:
    game = Game(seed=f"odds {case}")
    for name, sex in FOUNDERS:
        game.do(a.SurvivorNew(name=name, sex=sex))
    game.do(a.ShowdownBegin(monster="white_lion", first_story=True))
    armed(game, case)
    fight(game).toughness = CASES[case][3]
    game.library._decoded["hit_location", "plain"] = HitLocation(
        name="Plain", monster="white_lion", critical=[]
    )
    told = odds(game.table, Supposed(survivor="allister", weapon="blade"))
    hits, wounds, criticals = (Counter[int]() for _ in range(3))
    for _ in range(TRIES):
        game.state.decks["hit_locations"].zones = {"deck": ["plain"] * 30}
        game.state.decks["ai"].zones = {"deck": ["claw"] * 40}
        fight(game).wounds = 0
        events = run(game, attack.attack(game.table, "allister", "blade"), Inputs())
        cancelled = not of(events, e.WoundAttempted)
        hits[0 if cancelled else of(events, e.HitsScored)[0].hits] += 1
        wounds[fight(game).wounds] += 1
        criticals[sum(one.critical for one in of(events, e.WoundAttempted))] += 1
        game.log.clear()
    for counted, chances in ((hits, told.hits), (wounds, told.wounds), (criticals, told.criticals)):
        for chance in chances:
            spread = sqrt(chance.exactly * (1 - chance.exactly) / TRIES)
            assert abs(counted[chance.count] / TRIES - chance.exactly) <= 4 * spread + 1e-9


# --- what is asked, and what is said --------------------------------------------------------------


def of_allister(game: Game, **asked: object) -> Odds:
    return odds(game.table, Supposed(survivor="allister", **asked))  # type: ignore[arg-type]


def exactly(told: Odds) -> Mapping[str, list[float]]:
    return {
        "hits": [one.exactly for one in told.hits],
        "wounds": [one.exactly for one in told.wounds],
    }


def test_a_founding_stone_on_the_first_lion() -> None:
    told = of_allister(survivors_turn())
    assert exactly(told) == {"hits": [0.36, 0.48, 0.16], "wounds": [0.5776, 0.3648, 0.0576]}
    assert (told.expected.hits, told.expected.wounds, told.expected.criticals) == (0.8, 0.48, 0.08)
    assert [one.at_least for one in told.hits] == [1, 0.64, 0.16]
    assert (told.hits_on, told.wounds_on, told.critical_on) == (7, 5, 10)


def test_what_is_supposed_changes_the_chances_and_nothing_else() -> None:
    game = survivors_turn()
    before = game.copy()
    assert of_allister(game, blind=True).hits_on == 6
    assert of_allister(game, knocked_down=True).hits_on == 3
    assert of_allister(game, given={"luck": 2}).critical_on == 8
    assert of_allister(game, given={"strength": 3}).wounds_on == 2
    assert of_allister(game, given={"speed": 1}).dice == 3
    assert of_allister(game, toughness=30).wounds_on == 10
    assert game.state == before


def test_behind_the_kings_man_its_weak_spot_is_met() -> None:
    game = survivors_turn()
    game.state.decks["ai"].zones.setdefault("in_play", []).append("weak_spot")
    assert of_allister(game).wounds_on == 6 - 1
    told = of_allister(game, blind=True)
    assert (told.attack.toughness, told.wounds_on) == (2, 2)
    assert explain(game.table, Supposed(survivor="allister", blind=True)).wounds_on == 2
    who(game).fighting_arts.append("zero_presence")
    assert of_allister(game).wounds_on == 2


def test_without_a_showdown_a_toughness_has_to_be_supposed() -> None:
    game = founders()
    with pytest.raises(Refused, match="toughness"):
        of_allister(game)
    told = of_allister(game, toughness=8)
    assert (told.attack.monster, told.kills, told.trap) == ("", None, None)


def test_more_dice_than_anyone_rolls_are_refused() -> None:
    game = survivors_turn()
    who(game).speed = 20
    with pytest.raises(Refused, match="30 at most"):
        of_allister(game, given={"speed": 20})


def test_the_chance_of_a_trap_is_that_of_drawing_it() -> None:
    game = survivors_turn()
    cards = len(game.state.decks["hit_locations"]["deck"])
    assert of_allister(game).trap == pytest.approx(0.48 / cards + 0.16 * 2 / cards)
    deck = game.state.decks["hit_locations"]
    deck.zones["discard"] = [one for one in deck["deck"] if one != "beasts_femur"]
    deck.zones["deck"] = ["beasts_femur"]  # a second hit reshuffles the discard
    assert of_allister(game).trap == pytest.approx(0.16 / (cards - 1))
    deck["discard"].remove("clever_ploy")
    assert of_allister(game).trap == 0


def test_it_dies_of_one_wound_more_than_it_has_cards() -> None:
    game = survivors_turn()
    assert of_allister(game).kills == 0
    deck = game.state.decks["ai"].zones
    deck["wounds"], deck["deck"], deck["discard"] = deck["deck"][1:], deck["deck"][:1], []
    assert of_allister(game).kills == pytest.approx(0.0576)
    deck["wounds"] += deck["deck"]
    deck["deck"] = []
    assert of_allister(game).kills == pytest.approx(0.4224)


def test_it_says_what_is_apart_from_it_and_what_would_be_refused() -> None:
    game = survivors_turn()
    who(game).disorders.append("honorable")
    told = of_allister(game, blind=True)
    assert "hit locations" in told.apart
    assert "blind spot" in told.refused
    assert of_allister(game).refused == ""


def _chances(told: Odds) -> Iterator[float]:
    for chances in (told.hits, told.wounds, told.criticals):
        yield sum(one.exactly for one in chances)


def test_chances_sum_up_to_1() -> None:
    game = survivors_turn()
    who(game).speed = 7
    assert list(_chances(of_allister(game))) == pytest.approx([1, 1, 1])
