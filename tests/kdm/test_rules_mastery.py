"""What weapon skills do in the midst of a fight: tries, locations, reactions, footing, targets."""

from __future__ import annotations

from typing import Any

import pytest

from kdmlog.core.events import DeckShuffled, Event
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import Gear, HitLocation, Weapon
from kdmlog.games.kdm.rules import harm, pushing, traits, turns
from kdmlog.games.kdm.script import decode

from .scene import (
    board,
    fight,
    first_story,
    given,
    lend,
    of,
    on_board,
    on_top,
    run,
    survivors_turn,
    wear,
    who,
    zones,
)
from .table import Game

PLAIN = "beasts_femur"
"""A location of the lion without any reaction."""


def armed(type_: str, level: int, game: Game | None = None) -> Game:
    """Allister has a level, and a weapon of the type: 2 dice, 7+, strength 1. Its foe has 6."""
    game = game or survivors_turn()
    who(game).weapon_type, who(game).proficiency = type_, level
    profile = Weapon(speed=2, accuracy=7, strength=1)
    kind = ["melee", type_]
    lend(
        game,
        "thing",
        Gear(name="Thing", kind="weapon", location="starting", keywords=kind, weapon=profile),
    )
    wear(game, c9="thing")
    on_top(game, "hit_locations", PLAIN)
    return game


def place(game: Game, id_: str = "spot", **fields: Any) -> None:
    """Puts a hit location that no pack has on top of the deck."""
    read = {name: decode(one) if isinstance(one, list) else one for name, one in fields.items()}
    location = HitLocation(name=id_.title(), monster="white_lion", **read)
    game.library._decoded["hit_location", id_] = location
    game.state.decks["hit_locations"]["deck"].insert(0, id_)


def strike(game: Game, dice: str, *choices: str) -> list[Event]:
    return game.do(a.Attack(survivor="allister", weapon="thing"), given(dice, *choices))


def attempts(events: list[Event]) -> list[e.WoundAttempted]:
    return of(events, e.WoundAttempted)


# --- another try ----------------------------------------------------------------------------------


def test_a_specialist_of_the_axe_tries_a_failed_wound_again_once() -> None:
    game = armed("axe", 3)
    place(game, "spot")
    events = strike(game, "7 7 2 2 3", "spot", "yes")
    assert [one.total for one in attempts(events)] == [2 + 1, 3 + 1]
    assert not any(one.wounded for one in attempts(events))


def test_who_is_no_specialist_is_not_asked() -> None:
    [attempt] = attempts(strike(armed("axe", 2), "7 1 2"))
    assert not attempt.wounded
    game = armed("axe", 3)
    wear(game, c9="founding_stone")
    events = game.do(a.Attack(survivor="allister", weapon="founding_stone"), given("7 1 2"))
    assert len(attempts(events)) == 1


@pytest.mark.parametrize(("face", "critical"), [("5", True), ("4", False)])
def test_a_master_of_the_axe_wounds_critically_where_an_injury_can_stay(
    face: str, critical: bool
) -> None:
    game = armed("axe", 8)
    place(game, critical=[{"gain": {"courage": 1}}], persistent="a_scar")
    [attempt] = attempts(strike(game, f"7 1 {face}", *(() if critical else ("no",))))
    assert attempt.critical is critical
    assert who(game).courage == critical


def test_a_specialist_of_the_bow_rolls_all_misses_again() -> None:
    events = strike(armed("bow", 3), "1 3 7 2 5", "yes")
    assert [one.hits for one in of(events, e.HitsScored)] == [1]
    events = strike(armed("bow", 3), "7 3 5", "no")
    assert [one.hits for one in of(events, e.HitsScored)] == [1]


@pytest.mark.parametrize(("choices", "left"), [((PLAIN, "beasts_knee"), 0), ((PLAIN, "no"), 1)])
def test_a_specialist_of_the_dagger_discards_a_location_to_try_again(
    choices: tuple[str, ...], left: int
) -> None:
    game = armed("dagger", 3)
    on_top(game, "hit_locations", PLAIN, "beasts_knee")
    dice = "7 7 2 9" if not left else "7 7 2 2"
    events = strike(game, dice, *choices)
    assert [one.wounded for one in attempts(events)] == [not left, *[False] * left]
    assert zones(game, "hit_locations")["discard"] == [PLAIN, "beasts_knee"]


def test_the_last_location_leaves_none_to_discard() -> None:
    [attempt] = attempts(strike(armed("dagger", 3), "7 1 2"))
    assert not attempt.wounded


def test_a_specialist_of_the_sword_rolls_a_wound_before_choosing_its_location() -> None:
    game = armed("sword", 3)
    place(game, toughness=2)
    events = strike(game, "7 7 5 9", "yes", PLAIN)
    assert [(one.location, one.total, one.wounded) for one in attempts(events)] == [
        (PLAIN, 5 + 1, True),
        ("spot", 9 + 1, True),
    ]


def test_with_one_location_there_is_nothing_to_choose_after_the_roll() -> None:
    [attempt] = attempts(strike(armed("sword", 3), "7 1 9"))
    assert attempt.wounded


# --- harder blows ---------------------------------------------------------------------------------


def test_a_perfect_hit_of_a_specialists_club_doubles_the_first_attempt() -> None:
    game = armed("club", 3)
    place(game, toughness=4)
    events = strike(game, "10 7 4 4", "spot")
    assert [(one.total, one.wounded) for one in attempts(events)] == [(10, True), (4 + 1, False)]
    assert "doubled +5" in attempts(events)[0].terms
    [attempt] = attempts(strike(armed("club", 3), "7 1 4"))
    assert attempt.total == 4 + 1


@pytest.mark.parametrize(("face", "wounds"), [("9", 1), ("6", 1)])
def test_below_twice_the_toughness_a_masters_club_wounds_once(face: str, wounds: int) -> None:
    events = strike(armed("club", 8), f"7 1 {face}")
    assert len(of(events, e.MonsterWounded)) == wounds


def test_twice_the_toughness_is_one_wound_more_by_a_masters_club() -> None:
    game = armed("club", 8)
    who(game).strength = 3
    assert len(of(strike(game, "7 1 8"), e.MonsterWounded)) == 2  # 8 + 1 + 3, against 6


@pytest.mark.parametrize(("choice", "zone"), [("yes", "discard"), ("no", "deck")])
def test_a_specialist_of_the_whip_wounds_out_of_the_discard(choice: str, zone: str) -> None:
    game = armed("whip", 3)
    ai = game.state.decks["ai"].zones
    ai["discard"] = [ai["deck"].pop(), ai["deck"].pop()]
    top = ai[zone][0]
    strike(game, "7 1 9", choice)
    assert game.state.decks["ai"].zones["wounds"] == [top]


def test_without_a_discard_the_whip_wounds_as_any_weapon_does() -> None:
    game = armed("whip", 3)
    strike(game, "7 1 9")
    assert len(game.state.decks["ai"].zones["wounds"]) == 1


def test_a_critical_of_a_specialists_grand_weapon_fells_the_monster_in_their_own_act() -> None:
    for acting in (True, False):
        game = armed("grand_weapon", 3)
        place(game, critical=[])
        if acting:
            strike(game, "7 1 10")
        else:
            fight(game).weapon = "thing"
            run(game, traits.moment(game.table, "critical_wound", ["allister"]))
        assert fight(game).knocked_down is acting


# --- no reaction ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("dice", "insanity"), [("10 1 9", 0), ("7 1 9", 1)])
def test_a_perfect_hit_of_a_masters_grand_weapon_silences_the_monster(
    dice: str, insanity: int
) -> None:
    game = armed("grand_weapon", 8)
    place(game, reflex=[{"gain": {"insanity": 1}}])
    strike(game, dice)
    assert who(game).insanity == insanity


def test_the_first_location_that_a_specialists_katar_strikes_does_not_react() -> None:
    game = armed("katar", 3)
    place(game, "one", reflex=[{"gain": {"insanity": 1}}])
    place(game, "two", reflex=[{"gain": {"courage": 1}}])
    strike(game, "7 7 9 9", "one")
    assert (who(game).insanity, who(game).courage) == (0, 1)


@pytest.mark.parametrize(("face", "insanity"), [("7", 0), ("6", 1)])
def test_a_specialist_of_the_spear_cancels_a_trap_on_7_once_a_round(
    face: str, insanity: int
) -> None:
    game = armed("spear", 3)
    place(game, type="trap", trap=[{"gain": {"insanity": 1}}])
    wounds = " 9" if not insanity else ""
    events = strike(game, f"7 7 {face}{wounds}")
    assert who(game).insanity == insanity
    assert len(attempts(events)) == 1 - insanity
    assert of(events, DeckShuffled)
    assert game.state.used("round", "allister", "disarms")


# --- tokens, footing, the target ------------------------------------------------------------------


def test_an_evasion_token_of_a_masters_katar_is_lost_with_the_footing() -> None:
    game = armed("katar", 8)
    who(game).tokens["evasion"] = 1
    strike(game, "10 1 9")
    assert who(game).tokens["evasion"] == 2
    run(game, harm.knock_down(game.table, "allister"))
    assert (who(game).tokens["evasion"], who(game).unsteady) == (1, {})


def test_what_is_gone_already_is_not_lost_with_the_footing() -> None:
    game = armed("katar", 8)
    strike(game, "10 1 9")
    del who(game).tokens["evasion"]
    run(game, harm.knock_down(game.table, "allister"))
    assert (who(game).tokens, who(game).unsteady) == ({}, {})


def test_a_specialist_with_bare_hands_gets_up_when_the_monsters_turn_starts_once_a_round() -> None:
    game = armed("fist_and_tooth", 3, first_story("ann", "bo"))
    run(game, harm.knock_down(game.table, "allister"))
    run(game, traits.moment(game.table, "monster_turn_start", ["allister"]), given("", "yes"))
    assert who(game).knocked_down is None
    run(game, harm.knock_down(game.table, "allister"))
    run(game, traits.moment(game.table, "turn_start", ["allister"]))
    assert who(game).knocked_down is not None
    run(game, turns.end_round(game.table))
    run(game, traits.moment(game.table, "monster_turn_start", ["allister"]), given("", "yes"))
    assert who(game).knocked_down is None


def test_collisions_do_not_fell_a_specialist_behind_a_shield() -> None:
    for card, down in (("feather_shield", False), ("lucky_charm", True)):
        game = armed("shield", 3, on_board(allister=(11, 5), erza=(11, 6)))
        wear(game, c9=card)
        # The monster stands at 11-8: Erza is pushed over Allister.
        run(game, pushing.push(game.table, "erza", 3))
        assert (who(game).knocked_down is not None) is down


def test_a_master_behind_a_shield_may_be_the_target_in_anothers_place() -> None:
    game = armed("shield", 8, on_board(allister=(11, 6), erza=(11, 7)))
    wear(game, c1="feather_shield")
    events = game.do(a.MonsterTurn(), given("1 1", "yes"))
    assert [one.survivor for one in of(events, e.TargetPicked)] == ["erza", "allister"]
    assert (board(game).survivors["allister"], board(game).survivors["erza"]) == ((11, 7), (11, 6))


def test_nobody_steps_in_for_one_who_stands_apart() -> None:
    game = armed("shield", 8, on_board(allister=(11, 4), erza=(11, 7)))
    wear(game, c1="feather_shield")
    events = game.do(a.MonsterTurn(), given("1 1"))
    assert [one.survivor for one in of(events, e.TargetPicked)] == ["erza"]


@pytest.mark.parametrize(
    ("choices", "holder", "survival"),
    [(("no",), "", 1), (("yes", "self"), "allister", 0), (("yes", "ahead", "lucy"), "lucy", 0)],
)
def test_a_master_of_the_spear_says_for_1_survival_whom_the_monster_minds(
    choices: tuple[str, ...], holder: str, survival: int
) -> None:
    game = armed("spear", 8)
    strike(game, "7 1 9", *choices)
    assert (fight(game).priority_target, who(game).survival) == (holder, survival)


@pytest.mark.parametrize(("choice", "wounds"), [("yes", 2), ("no", 1)])
def test_a_master_of_the_dagger_strikes_where_one_beside_them_has_wounded(
    choice: str, wounds: int
) -> None:
    game = armed("dagger", 8)
    events = game.do(
        a.Attack(survivor="erza", weapon="founding_stone"),
        given("7 1 9" + " 9" * (wounds - 1), choice),
    )
    assert [one.survivor for one in attempts(events)] == ["erza", "allister"][:wounds]
    assert {one.location for one in attempts(events)} == {PLAIN}
    assert fight(game).wounds == wounds
    assert who(game).survival == 2 - wounds
    assert zones(game, "hit_locations")["discard"] == [PLAIN]


def test_on_the_board_the_master_of_the_dagger_has_to_be_beside_both() -> None:
    for at, asked in (((12, 7), True), ((10, 8), False)):
        game = armed("dagger", 8, on_board(allister=at, erza=(11, 7)))
        fight(game).turn = "survivors"
        game.state.phase.step = "survivors"
        inputs = given("7 1 9", *(("no",) if asked else ()))
        events = game.do(a.Attack(survivor="erza", weapon="founding_stone"), inputs)
        assert len(attempts(events)) == 1
