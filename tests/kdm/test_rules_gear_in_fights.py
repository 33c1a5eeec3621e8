"""Gear, sets and traits that step in when something happens: attacks, hits, pushes, cards drawn."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kdmlog.core.events import Event
from kdmlog.core.inputs import Inputs
from kdmlog.core.requests import Ask, Choose
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import Gear, Resource
from kdmlog.games.kdm.rules import (
    aftermath,
    ai,
    conditions,
    feats,
    figures,
    harm,
    pushing,
    script,
    settlement,
    survival,
    traits,
)
from kdmlog.games.kdm.script import decode
from kdmlog.games.kdm.state import Phase, State

from .scene import (
    board,
    developing,
    fight,
    first_story,
    given,
    of,
    on_board,
    on_top,
    play,
    run,
    survivors_turn,
    wear,
    who,
)
from .table import Game

PLAIN = "beasts_femur"
"""A location of the lion without any reaction."""


def turn(game: Game) -> Game:
    game.state.phase.step = "survivors"
    fight(game).turn = "survivors"
    return game


def ready(game: Game, card: str, cell: str = "c9", id_: str = "allister") -> Game:
    """Somebody carries a card whose affinity bonus is gained whatever lies around it."""
    record = game.library.get(Gear, card)
    game.library._decoded["gear", card] = replace(record, needs={"complete": {}})
    wear(game, id_, **{cell: card})
    return game


def attacked(game: Game, dice: str, *choices: str) -> list[Event]:
    """An attack on Allister: 2 dice, 2+, 1 damage."""
    body = decode([{"attack": {"speed": 2, "accuracy": 2, "damage": 1, "move": False}}])
    scene = conditions.Scene(table=game.table, record="test:attack", who="allister")
    return run(game, script.play_record(scene, body), given(dice, *choices))


def strike(game: Game, weapon: str, dice: str, *choices: str) -> list[Event]:
    return game.do(a.Attack(survivor="allister", weapon=weapon), given(dice, *choices))


# --- in one's own attack --------------------------------------------------------------------------


def test_each_wound_with_a_beast_knuckle_softens_the_monster_until_the_attack_ends() -> None:
    game = survivors_turn()
    wear(game, c9="beast_knuckle")
    on_top(game, "hit_locations", PLAIN, "beasts_knee")
    events = strike(game, "beast_knuckle", "7 7 4 4", PLAIN)
    assert [one.needs for one in of(events, e.WoundAttempted)] == [6, 5]
    assert fight(game).tokens.get("toughness", 0) == 0


def test_a_perfect_hit_of_the_steel_sword_is_a_d10_more_of_strength() -> None:
    game = survivors_turn()
    wear(game, c9="steel_sword")
    on_top(game, "hit_locations", PLAIN)
    [attempt] = of(strike(game, "steel_sword", "10 2 1 3"), e.WoundAttempted)
    assert attempt.total == 2 + 5 + 1 + 3


def test_a_perfect_hit_of_the_counterweighted_axe_wounds_and_draws_no_location() -> None:
    game = ready(survivors_turn(), "counterweighted_axe")
    on_top(game, "hit_locations", PLAIN)
    events = strike(game, "counterweighted_axe", "10 7 9")
    assert len(of(events, e.WoundAttempted)) == 1
    assert fight(game).wounds == 2


def test_strength_by_a_cat_fang_knife_is_lost_with_the_footing() -> None:
    game = ready(survivors_turn(), "cat_fang_knife")
    on_top(game, "hit_locations", PLAIN)
    strike(game, "cat_fang_knife", "10 1 1 9")
    assert who(game).tokens == {"strength": 1}
    run(game, harm.knock_down(game.table, "allister"))
    assert who(game).tokens == {}


def test_who_strikes_with_a_lantern_halberd_may_step_back() -> None:
    game = turn(on_board(allister=(11, 7)))
    wear(game, c9="lantern_halberd")
    strike(game, "lantern_halberd", "1 1", "11-5")
    assert board(game).survivors["allister"] == (11, 5)


def test_blood_paint_strikes_with_the_weapons_left_and_right_of_it() -> None:
    game = turn(on_board(allister=(11, 7)))
    wear(game, c7="bone_dagger", c8="blood_paint", c9="bone_axe")
    events = game.do(a.Activate(survivor="allister", thing="blood paint"), given("1 1 1 1 1"))
    used = [one.weapon for one in of(events, e.AttackBegun)]
    assert used == ["bone_dagger", "bone_axe"]


def test_blood_paint_wields_nothing_two_handed() -> None:
    game = turn(on_board(allister=(11, 7)))
    wear(game, c7="lantern_halberd", c8="blood_paint", c9="bone_axe")
    events = game.do(a.Activate(survivor="allister", thing="blood paint"), given("1 1"))
    assert [one.weapon for one in of(events, e.AttackBegun)] == ["bone_axe"]


# --- slams and steps ------------------------------------------------------------------------------


@pytest.mark.parametrize(("bracers", "end"), [(False, (3, 1)), (True, (6, 1))])
def test_with_screaming_bracers_a_slam_goes_through_survivors(
    bracers: bool, end: tuple[int, int]
) -> None:
    game = turn(on_board(allister=(1, 1), erza=(4, 1), lucy=(1, 5), zachary=(5, 5)))
    if bracers:
        wear(game, c9="screaming_bracers")
    run(game, feats.slam(game.table, "allister", "screaming_horns", 1), given("", "e"))
    assert board(game).survivors["allister"] == end


def test_after_a_slam_the_screaming_set_steps_on_and_strikes_with_2_strength_more() -> None:
    game = turn(on_board(allister=(6, 8)))
    pieces = ("horns", "bracers", "coat", "skirt", "leg_warmers")
    wear(game, **{f"c{n}": f"screaming_{one}" for n, one in enumerate(pieces, 3)})
    on_top(game, "hit_locations", PLAIN)
    inputs = given("7 1 2", "e", "11-8", "yes", "founding_stone")
    events = run(game, feats.slam(game.table, "allister", "screaming_horns", 1), inputs)
    [attempt] = of(events, e.WoundAttempted)
    assert (attempt.total, attempt.needs) == (2 + 1 + 2, 6 - 1)


def test_with_leather_boots_one_may_move_on_when_the_act_ends() -> None:
    for choice, end in (("11-6", (11, 6)), ("stay", (11, 7))):
        game = ready(turn(on_board(allister=(11, 7))), "leather_boots")
        game.do(a.Act(survivor="allister"))
        game.do(a.EndAct(), given("", choice))
        assert board(game).survivors["allister"] == end


# --- when hit, pushed, hurt -----------------------------------------------------------------------


def test_behind_a_steel_shield_1_survival_ignores_a_hit() -> None:
    game = turn(on_board(allister=(11, 7)))
    wear(game, c9="steel_shield")
    [ignored] = of(attacked(game, "5 6 b", "yes"), e.HitsIgnored)
    assert (ignored.now, who(game).survival) == (1, 0)
    assert not of(attacked(game, "5 6 w l"), e.HitsIgnored), "no survival is left"


def test_the_first_hit_of_a_round_goes_to_the_mind_by_a_phoenix_plackart() -> None:
    game = ready(turn(on_board(allister=(11, 7))), "phoenix_plackart")
    who(game).insanity = 3
    who(game).armor = {}
    attacked(game, "5 6 b b", "no")
    assert (who(game).insanity, who(game).injuries) == (2, {"body": ["light"]})
    who(game).insanity = 3
    attacked(game, "5 1 b", "no")
    assert (who(game).insanity, who(game).injuries) == (3, {"body": ["light", "heavy"]})


@pytest.mark.parametrize("choice", ["yes", "no"])
def test_dried_acanthus_is_archived_in_place_of_a_severe_injury(choice: str) -> None:
    game = survivors_turn()
    wear(game, c9="dried_acanthus")
    run(game, harm.suffer(game.table, "allister", "broken_arm"), given("", choice))
    kept = choice == "no"
    assert who(game).severe_injuries == ["broken_arm"] * kept
    assert ("9" in who(game).grid) is kept


def test_a_feather_mantle_softens_a_knockback_and_collides_with_nobody() -> None:
    game = on_board(allister=(11, 7), erza=(11, 5))
    wear(game, c9="feather_mantle")
    run(game, pushing.push(game.table, "allister", 5), given("", "2"))
    assert board(game).survivors["allister"] == (11, 4)
    assert who(game, "erza").knocked_down is None


def test_a_lantern_helm_deafens_by_its_bonus() -> None:
    game = survivors_turn()
    wear(game, c9="lantern_helm")
    assert conditions.hears(game.table, who(game))
    ready(game, "lantern_helm")
    assert not conditions.hears(game.table, who(game))
    run(game, harm.knock_down(game.table, "allister"))
    assert survival.encouraged_by(game.table, "erza") == []
    play(game, [{"gain": {"who": "non_deaf", "courage": 1}}])
    assert [one.courage for one in game.state.survivors.values()] == [0, 1, 1, 1]


# --- the monster's cards and pick -----------------------------------------------------------------


@pytest.mark.parametrize(("face", "picked"), [("5", ["allister"]), ("6", ["allister", "erza"])])
def test_who_carries_a_bloom_sphere_is_passed_over_on_6(face: str, picked: list[str]) -> None:
    game = on_board(allister=(11, 7), erza=(13, 8))
    ready(game, "bloom_sphere")
    events = run(game, ai.draw_ai(game.table), given(f"{face} 1 1"))
    assert [one.survivor for one in of(events, e.TargetPicked)] == picked
    assert not who(game).bars


@pytest.mark.parametrize(
    ("choice", "face", "played", "left"),
    [("yes", "3", False, 0), ("yes", "2", True, 0), ("no", "", True, 2)],
)
def test_a_musk_bomb_cancels_the_card_drawn_on_3(
    choice: str, face: str, played: bool, left: int
) -> None:
    game = on_board(allister=(11, 7))
    who(game).survival = 2
    wear(game, c9="musk_bomb")
    dice = f"{face} 1 1" if played else face
    events = run(game, ai.draw_ai(game.table), given(dice, choice))
    assert bool(of(events, e.TargetPicked)) is played
    assert game.state.decks["ai"]["discard"] == ["claw"]
    assert who(game).survival == left
    assert ("9" in who(game).grid) is (choice == "no")


def test_whoever_stands_apart_throws_no_musk_bomb() -> None:
    game = on_board(allister=(11, 5))
    who(game).survival = 2
    wear(game, c9="musk_bomb")
    assert of(run(game, ai.draw_ai(game.table), given("1 1")), e.TargetPicked)


@pytest.mark.parametrize(("face", "there"), [("3", True), ("2", False)])
def test_a_bug_trap_lays_a_bug_patch_on_3(face: str, there: bool) -> None:
    game = on_board(allister=(11, 7))
    wear(game, c9="bug_trap")
    read = {"bug_patch.rules": "none"} if there else {}
    run(game, traits.moment(game.table, "showdown_start", ["allister"]), given(face, **read))
    assert ("bug_patch.1" in board(game).tiles) is there


# --- won, grown old, departing --------------------------------------------------------------------


def end(game: Game, *choices: str) -> list[Event]:
    fight(game).outcome = "victory"
    game.state.phase = Phase(name="showdown", step="aftermath")

    def first(request: Ask, _state: State) -> Inputs:
        assert isinstance(request, Choose)
        return Inputs(choices=[request.options[0].id])

    return game.do(a.Aftermath(), given("", *choices), answer=first)


@pytest.mark.parametrize(("choice", "deck"), [("basic", "basic"), ("monster", "white_lion")])
def test_a_scavenger_kit_finds_one_resource_more(choice: str, deck: str) -> None:
    game = survivors_turn()
    wear(game, c9="scavenger_kit")
    end(game, choice)
    stored = game.state.settlement.storage.resources
    decks = [game.library.get(Resource, id_).deck for id_, n in stored.items() for _ in range(n)]
    assert decks.count(deck) == 5
    assert len(decks) == 9


@pytest.mark.parametrize(("choice", "xp"), [("yes", 1), ("no", 0)])
def test_the_ageless_may_do_without_hunt_xp(choice: str, xp: int) -> None:
    game = survivors_turn()
    who(game).abilities.append("ageless")
    end(game, choice)
    assert [who(game, one).hunt_xp for one in ("allister", "erza")] == [xp, 1]


def test_the_ageless_depart_though_retired() -> None:
    game = developing()
    for abilities, able in (([], False), (["ageless"], True)):
        who(game).status, who(game).skip_next_hunt = "retired", False
        who(game).abilities = abilities
        assert settlement.may_depart(game.table, who(game)) is able


@pytest.mark.parametrize(
    ("exchange", "stat"), [("red", "strength"), ("green", "evasion"), ("blue", "luck")]
)
def test_a_life_exchange_gives_with_each_age_and_ends_with_retirement(
    exchange: str, stat: str
) -> None:
    game = developing()
    who(game).abilities.append(f"{exchange}_life_exchange")
    run(game, figures.change(game.table, "allister", "hunt_xp", 2), given("10 6"))
    assert getattr(who(game), stat) == 1
    who(game).retires = "a test"
    run(game, aftermath.retire_due(game.table))
    assert who(game).status == "gone"


@pytest.mark.parametrize(("encounter", "survival_"), [("butcher:1", 3), ("", 1)])
def test_sculpture_gives_2_survival_to_those_who_face_a_nemesis(
    encounter: str, survival_: int
) -> None:
    game = developing()
    game.state.settlement.survival_limit = 5
    game.state.settlement.encounter = encounter
    steps = [{"if": {"is": {"encounter": True}, "then": [{"gain": {"survival": 2}}]}}]
    who(game).survival = 1
    play(game, steps, who="allister")
    assert who(game).survival == survival_


def test_a_savior_is_born_with_a_dream_and_its_abilities() -> None:
    game = developing()
    play(
        game,
        [{"trigger": "birth_of_a_savior"}],
        given("", "crown"),
        bound={"newborns": ["lucy"]},
    )
    assert who(game, "lucy").abilities == [
        "dream_of_the_crown",
        "dormenatus",
        "green_life_exchange",
    ]


def test_all_gear_of_the_foul_mouthed_is_noisy() -> None:
    game = first_story()
    noisy = decode([{"if": {"is": {"has": {"gear": "noisy"}}, "then": [{"gain": {"courage": 1}}]}}])
    scene = conditions.Scene(table=game.table, record="test:noise", who="allister")
    run(game, script.play_record(scene, noisy))
    assert who(game).courage == 0
    who(game).disorders.append("coprolalia")
    run(game, script.play_record(scene, noisy))
    assert who(game).courage == 1
