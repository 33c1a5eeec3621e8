"""The showdown's frame: set-up, rounds and turns, acts, being knocked down and standing."""

from __future__ import annotations

import pytest

from kdmlog.core.errors import NotNow
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import Gear
from kdmlog.games.kdm.game import GAME
from kdmlog.games.kdm.rules import harm

from .scene import (
    fight,
    first_story,
    founders,
    given,
    lend,
    move_all,
    of,
    on_top,
    run,
    wear,
    who,
    zones,
)
from .table import Game

FIRST_STORY = [
    *("chomp", "claw", "enraged", "grasp", "maul", "power_swat", "size_up", "terrifying_roar")
]


def quiet_monster_turn(game: Game) -> None:
    """The lion draws Claw and falls short of everyone."""
    move_all(game, "ai", "discard", "deck")
    on_top(game, "ai", "claw")
    standing = next(i for i, s in game.state.survivors.items() if s.knocked_down is None)
    game.do(a.MonsterTurn(), given("", f"far_{standing}"))


# --- set-up ---------------------------------------------------------------------------------------


def test_the_first_story_deck_is_claw_on_top_of_seven_shuffled_cards() -> None:
    orders = set()
    for seed in "abcdef":
        game = Game(seed=seed)
        for name in ("Allister", "Erza", "Lucy", "Zachary"):
            game.do(a.SurvivorNew(name=name, sex="f"))
        game.do(a.ShowdownBegin(monster="white_lion", first_story=True))
        deck = game.state.decks["ai"]["deck"]
        assert deck[0] == "claw"
        assert sorted(deck) == FIRST_STORY
        assert game.state.decks["hit_locations"]["deck"][0] == "strange_hand"
        orders.add(tuple(deck))
    assert len(orders) > 1


def test_the_first_story_lion_has_movement_6_and_toughness_6() -> None:
    lion = fight(first_story())
    assert (lion.movement, lion.toughness, lion.speed, lion.damage) == (6, 6, 0, 0)


def test_the_showdown_waits_for_four_founders() -> None:
    game = Game()
    for name in ("Allister", "Erza", "Lucy"):
        game.do(a.SurvivorNew(name=name, sex="m"))
    refused = GAME.plays[a.ShowdownBegin].refuse(game.table)
    assert refused is not None
    assert "3 of 4" in refused


def test_there_are_four_founders_and_no_fifth() -> None:
    assert GAME.plays[a.SurvivorNew].refuse(founders().table) is not None


def test_a_round_is_the_monsters_turn_then_the_survivors() -> None:
    game = first_story()
    assert (fight(game).turn, fight(game).round) == ("monster", 1)
    quiet_monster_turn(game)
    assert (fight(game).turn, fight(game).round) == ("survivors", 1)
    game.do(a.EndTurn())
    assert (fight(game).turn, fight(game).round) == ("monster", 2)


# --- acts -----------------------------------------------------------------------------------------


def test_survivors_act_in_any_order_once_each() -> None:
    game = first_story()
    quiet_monster_turn(game)
    for one in ("zachary", "allister", "lucy"):
        game.do(a.Act(survivor=one))
        game.do(a.EndAct())
    with pytest.raises(NotNow, match="has acted"):
        game.do(a.Act(survivor="lucy"))
    game.rewind()
    game.do(a.Act(survivor="erza"))
    game.do(a.EndAct())
    assert (fight(game).turn, fight(game).round) == ("monster", 2)


def test_an_act_is_1_movement_and_1_activation_in_any_order() -> None:
    game = first_story()
    quiet_monster_turn(game)
    game.do(a.Attack(survivor="erza"), given("1 1"))
    game.do(a.Move(survivor="erza"))
    for action in (a.Attack(survivor="erza"), a.Move(survivor="erza")):
        with pytest.raises(NotNow, match="left"):
            game.do(action)
        game.rewind()


def test_what_an_act_did_not_spend_is_lost() -> None:
    game = first_story()
    quiet_monster_turn(game)
    game.do(a.Move(survivor="erza"))
    game.do(a.Act(survivor="lucy"))
    assert fight(game).acted == ["erza"]
    with pytest.raises(NotNow, match="has acted"):
        game.do(a.Attack(survivor="erza"))


def test_each_round_gives_everyone_a_new_act() -> None:
    game = first_story()
    quiet_monster_turn(game)
    game.do(a.Attack(survivor="erza"), given("1 1"))
    game.do(a.EndTurn())
    quiet_monster_turn(game)
    game.do(a.Attack(survivor="erza"), given("1 1"))
    assert fight(game).round == 2


# --- knocked down ---------------------------------------------------------------------------------


def test_knocked_down_in_the_monsters_turn_stands_at_the_end_of_the_next_one() -> None:
    game = first_story()
    on_top(game, "ai", "chomp")
    game.do(a.MonsterTurn(), given("5", "allister", "no"))
    assert who(game).knocked_down == 1
    game.do(a.EndTurn())
    assert who(game).knocked_down == 1
    quiet_monster_turn(game)
    assert who(game).knocked_down is None


def test_knocked_down_in_the_survivors_turn_stands_at_the_end_of_the_monster_turn_after() -> None:
    game = first_story()
    quiet_monster_turn(game)
    run(game, harm.knock_down(game.table, "allister"))
    game.do(a.EndTurn())
    assert who(game).knocked_down == 1
    quiet_monster_turn(game)
    assert who(game).knocked_down is None


def test_a_knocked_down_monster_stands_at_the_next_turn() -> None:
    game = first_story()
    quiet_monster_turn(game)
    fight(game).knocked_down = True
    game.do(a.EndTurn())
    assert not fight(game).knocked_down


def test_a_knocked_down_monster_stands_to_draw_ai() -> None:
    game = first_story()
    fight(game).knocked_down = True
    events = game.do(a.MonsterTurn(), given("", "far_erza"))
    assert [one.now for one in of(events, e.MonsterKnockedDown)] == [False]


# --- death and defeat -----------------------------------------------------------------------------


def test_the_dead_leave_the_showdown_and_their_gear_goes_home() -> None:
    game = first_story()
    run(game, harm.die(game.table, ["erza"], "a test"))
    assert sorted(game.state.settlement.storage.gear) == ["cloth.2", "founding_stone.2"]
    assert who(game, "erza").grid == {}
    quiet_monster_turn(game)
    with pytest.raises(Exception, match="dead"):
        game.do(a.Act(survivor="erza"))


def test_cursed_and_irreplaceable_gear_of_the_dead_is_archived() -> None:
    game = first_story()
    cursed = Gear(name="Idol", kind="item", location="rare", rules=["cursed"])
    only = Gear(name="Relic", kind="item", location="rare", rules=["irreplaceable"])
    lend(game, "idol", cursed)
    lend(game, "relic", only)
    wear(game, "erza", c7="idol", c8="relic")
    run(game, harm.die(game.table, ["erza"], "a test"))
    assert sorted(game.state.settlement.storage.gear) == ["cloth.2", "founding_stone.2"]
    assert not {"idol", "relic"} & set(game.state.gear.values())


def test_when_all_are_dead_the_showdown_is_lost() -> None:
    game = first_story()
    for one in ("erza", "lucy", "zachary"):
        run(game, harm.die(game.table, [one], "a test"))
    who(game).injuries["head"] = ["heavy"]
    on_top(game, "ai", "chomp")
    game.do(a.MonsterTurn(), given("5 3", "allister", "no"))
    assert fight(game).outcome == "defeat"
    assert game.state.phase.step == "aftermath"
    assert zones(game, "ai")["discard"] == ["chomp"]
