"""Hit locations that do more than react: what holds there, what being hit sets off, death blows."""

from __future__ import annotations

from typing import Any

import pytest

from kdmlog.core.events import DeckShuffled, Event
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import Gear, HitLocation, Modifies, Weapon
from kdmlog.games.kdm.script import decode

from .scene import fight, given, lend, move_all, of, survivors_turn, wear, who, zones
from .table import Game

PLAIN = "beasts_femur"
"""A location of the lion without any reaction."""


def place(game: Game, **fields: Any) -> str:
    """Puts a hit location that no pack has on top of the deck; returns its id."""
    scripts = ("hit", "lantern", "death_blow", "failure", "wound", "critical")
    read = {name: decode(one) if name in scripts else one for name, one in fields.items()}
    game.library._decoded["hit_location", "spot"] = HitLocation(
        name="Spot", monster="white_lion", **read
    )
    game.state.decks["hit_locations"]["deck"].insert(0, "spot")
    return "spot"


def strike(game: Game, dice: str, *choices: str, weapon: str = "founding_stone") -> list[Event]:
    return game.do(a.Attack(survivor="allister", weapon=weapon), given(dice, *choices))


def attempts(events: list[Event]) -> list[e.WoundAttempted]:
    return of(events, e.WoundAttempted)


def carry(game: Game, *keywords: str, rules: tuple[str, ...] = ()) -> str:
    """Gives Allister a weapon of such keywords: 2 dice, 7+, strength 1."""
    profile = Weapon(speed=2, accuracy=7, strength=1)
    weapon = Gear(
        name="Thing",
        kind="weapon",
        location="starting",
        keywords=["melee", *keywords],
        rules=list(rules),
        weapon=profile,
    )
    lend(game, "thing", weapon)
    wear(game, c5="thing")
    return "thing"


# --- what holds there -----------------------------------------------------------------------------


@pytest.mark.parametrize(("toughness", "needs"), [(-2, 4), (0, 6), (2, 8)])
def test_a_location_can_be_softer_or_tougher(toughness: int, needs: int) -> None:
    game = survivors_turn()
    place(game, toughness=toughness)
    [attempt] = attempts(strike(game, "7 1 2"))
    assert (attempt.needs, attempt.total) == (needs, 2 + 1)


@pytest.mark.parametrize(("keyword", "critical"), [("club", True), ("stone", False)])
def test_clubs_have_2_luck_where_the_location_says_so(keyword: str, critical: bool) -> None:
    game = survivors_turn()
    place(game, critical=[], modifiers=[Modifies(to="luck", by=2, weapon="club")])
    [attempt] = attempts(strike(game, "7 1 8", weapon=carry(game, keyword)))
    assert attempt.critical is critical


@pytest.mark.parametrize(("keyword", "total"), [("dagger", 1 + 1 + 3), ("sword", 1 + 1)])
def test_daggers_have_3_strength_where_the_location_says_so(keyword: str, total: int) -> None:
    game = survivors_turn()
    place(game, modifiers=[Modifies(to="strength", by=3, weapon="dagger")])
    [attempt] = attempts(strike(game, "7 1 1", weapon=carry(game, keyword)))
    assert attempt.total == total


def test_what_holds_at_one_location_holds_at_no_other() -> None:
    game = survivors_turn()
    game.state.decks["hit_locations"]["deck"].insert(0, PLAIN)
    place(game, modifiers=[Modifies(to="strength", by=3, weapon="dagger")])
    events = strike(game, "7 7 2 2", "spot", weapon=carry(game, "dagger"))
    assert [one.total for one in attempts(events)] == [2 + 1 + 3, 2 + 1]


def test_a_location_of_two_types_is_both() -> None:
    game = survivors_turn()
    thing = carry(game, "sword", rules=("frail",))
    place(game, type="super_dense impervious")
    events = strike(game, "7 1 9", weapon=thing)
    assert not attempts(events)[0].wounded
    assert of(events, e.GearArchived)


def test_a_location_changes_its_type_while_a_card_is_in_play() -> None:
    game = survivors_turn()
    place(game, becomes={"enraged": "impervious"})
    assert attempts(strike(game, "7 1 9"))[0].wounded
    game = survivors_turn()
    place(game, becomes={"enraged": "impervious"})
    game.state.decks["ai"].zones["in_play"] = ["enraged"]
    assert not attempts(strike(game, "7 1 9"))[0].wounded


# --- what being hit sets off ----------------------------------------------------------------------


def test_a_cancelled_hit_is_no_wound_attempt_and_the_others_go_on() -> None:
    game = survivors_turn()
    game.state.decks["hit_locations"]["deck"].insert(0, PLAIN)
    place(game, hit=[{"cancel": "hit"}])
    events = strike(game, "7 7 9", "spot")
    assert [one.location for one in attempts(events)] == [PLAIN]
    assert zones(game, "hit_locations")["discard"] == [PLAIN, "spot"]


def test_a_cancelled_attack_leaves_no_hit() -> None:
    game = survivors_turn()
    game.state.decks["hit_locations"]["deck"].insert(0, PLAIN)
    place(game, hit=[{"cancel": "attack"}])
    events = strike(game, "7 7", "spot")
    assert not attempts(events)
    assert of(events, e.AttackEnded)[0].cancelled == 1


def test_who_is_knocked_down_by_being_struck_back_rolls_no_wound() -> None:
    game = survivors_turn()
    place(game, hit=[{"knock_down": {}}])
    assert not attempts(strike(game, "7 1"))
    assert who(game).knocked_down is not None


def test_restless_eye_loses_the_insane_their_attack() -> None:
    for insanity, wounded in ((2, 1), (3, 0)):
        game = survivors_turn()
        who(game).insanity = insanity
        game.state.decks["hit_locations"]["deck"].insert(0, "restless_eye")
        assert len(attempts(strike(game, "7 1 9"[: 5 if wounded else 3]))) == wounded


@pytest.mark.parametrize(("face", "times"), [("10", 1), ("9", 0)])
def test_a_lantern_can_have_an_effect_of_its_own(face: str, times: int) -> None:
    game = survivors_turn()
    place(game, lantern=[{"gain": {"insanity": 1}}])
    strike(game, f"7 1 {face}")
    assert who(game).insanity == times


# --- order and what is cancelled ------------------------------------------------------------------


def test_first_strikes_are_resolved_first_in_the_attackers_order() -> None:
    game = survivors_turn()
    who(game).speed = 1
    hits = game.state.decks["hit_locations"]["deck"]
    for card in ("kings_a", "kings_b"):
        record = HitLocation(name=card, monster="white_lion", type="first_strike")
        game.library._decoded["hit_location", card] = record
    hits[:0] = [PLAIN, "kings_a", "kings_b"]
    events = strike(game, "7 7 7 1 1 1", "kings_b")
    assert [one.location for one in attempts(events)] == ["kings_b", "kings_a", PLAIN]


def test_a_trap_comes_before_first_strikes() -> None:
    game = survivors_turn()
    place(game, type="first_strike")
    game.state.decks["hit_locations"]["deck"].remove("clever_ploy")
    game.state.decks["hit_locations"]["deck"].insert(1, "clever_ploy")
    assert not attempts(strike(game, "7 7 1 1"))


@pytest.mark.parametrize("type_", ["normal", "first_strike", "impervious", "super_dense"])
def test_nothing_but_a_trap_reshuffles_the_hit_locations(type_: str) -> None:
    game = survivors_turn()
    place(game, type=type_)
    assert not of(strike(game, "7 1 9"), DeckShuffled)
    assert zones(game, "hit_locations")["discard"] == ["spot"]


@pytest.mark.parametrize(
    ("face", "down", "courage"), [("10", False, 0), ("9", False, 1), ("9", True, 0)]
)
def test_a_critical_or_a_fall_cancels_even_a_reaction_that_would_have_helped(
    face: str, down: bool, courage: int
) -> None:
    game = survivors_turn()
    fight(game).knocked_down = down
    place(game, critical=[], wound=[{"gain": {"courage": 1}}])
    [attempt] = attempts(strike(game, f"7 1 {face}"))
    assert attempt.wounded
    assert who(game).courage == courage


# --- the killing blow -----------------------------------------------------------------------------


@pytest.mark.parametrize(("last", "courage"), [(True, 1), (False, 0)])
def test_a_death_blow_is_for_the_wound_that_kills(last: bool, courage: int) -> None:
    game = survivors_turn()
    if last:
        move_all(game, "ai", "deck", "wounds")
    place(game, death_blow=[{"gain": {"courage": 1}}])
    strike(game, "7 1 9")
    assert who(game).courage == courage
    assert (fight(game).outcome == "victory") is last


@pytest.mark.parametrize(("keyword", "down"), [("heavy", True), ("stone", False)])
def test_heavy_weapons_fell_who_strikes_the_halberds_spear(keyword: str, down: bool) -> None:
    game = survivors_turn()
    game.state.decks["hit_locations"]["deck"].insert(0, "halberd_spear")
    strike(game, "7 1" if down else "7 1 9", weapon=carry(game, keyword))
    assert (who(game).knocked_down is not None) is down
