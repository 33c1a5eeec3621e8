"""The aftermath: tokens off, victory with its rewards, defeat, retirement and the carried."""

from __future__ import annotations

from collections import Counter

import pytest

from kdmlog.core.errors import Refused, UnknownName
from kdmlog.core.events import CardsDrawn
from kdmlog.core.inputs import Inputs
from kdmlog.core.requests import Ask, Choose
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import Resource
from kdmlog.games.kdm.game import GAME
from kdmlog.games.kdm.rules import figures, harm, things
from kdmlog.games.kdm.state import Phase, State

from .scene import fight, first_story, founders, given, of, run, survivors_turn, victory, wear, who
from .table import Game


def first_option(request: Ask, _state: State) -> Inputs:
    assert isinstance(request, Choose)
    return Inputs(choices=[request.options[0].id])


def end(game: Game, outcome: str, dice: str = "") -> list[object]:
    fight(game).outcome = outcome
    game.state.phase = Phase(name="showdown", step="aftermath")
    return list(game.do(a.Aftermath(), given(dice), answer=first_option))


def test_victory_gives_each_survivor_1_hunt_xp() -> None:
    game = survivors_turn()
    run(game, harm.die(game.table, ["lucy"], "a test"))
    end(game, "victory")
    assert [one.hunt_xp for one in game.state.survivors.values()] == [1, 1, 0, 1]
    assert game.state.settlement.returning == ["allister", "erza", "zachary"]
    assert game.state.settlement.defeated == ["white_lion:first_story"]


def test_the_rewards_are_4_basic_and_4_white_lion_resources_of_the_group() -> None:
    game = survivors_turn()
    events = end(game, "victory")
    drawn = {one.deck: len(one.cards) for one in of(events, CardsDrawn)}  # type: ignore[arg-type]
    assert drawn["basic_resources"] == drawn["white_lion_resources"] == 4
    stored = game.state.settlement.storage.resources
    decks: Counter[str] = Counter()
    for id_, count in stored.items():
        decks[game.library.get(Resource, id_).deck] += count
    assert decks == {"basic": 4, "white_lion": 4}


# Of the rewards two hides and a bone are shared out (rulebook, Groups Gaining Resources).


def home() -> Game:
    """Returns a game after a victory; two hides and a bone were gained, a hide was there before."""
    game = victory()
    storage = game.state.settlement.storage
    storage.resources |= {"monster_hide": 3, "monster_bone": 1}
    storage.unrecorded |= {"monster_hide": 2, "monster_bone": 1}
    return game


def test_rewards_are_shared_out_and_come_home_with_whoever_carries_them() -> None:
    game = home()
    game.do(a.Share(survivor="erza", resources=["monster_hide", "bone"]))
    game.do(a.Share(survivor="lucy", resources=["monster_hide"]))
    assert who(game, "erza").resources == ["monster_hide", "monster_bone"]
    assert who(game, "lucy").resources == ["monster_hide"]
    assert game.state.settlement.storage.resources == {"monster_hide": 1}
    game.do(a.SettlementBegin(name="Edge"))
    assert game.state.settlement.storage.resources == {"monster_hide": 3, "monster_bone": 1}
    assert game.state.settlement.storage.unrecorded == {"monster_hide": 2, "monster_bone": 1}
    assert who(game, "erza").resources == []


def test_a_share_is_out_of_its_deck_as_what_lies_in_storage_is() -> None:
    game = home()
    there = things.in_deck(game.table, "basic")
    game.do(a.Share(survivor="erza", resources=["monster_bone"]))
    assert things.in_deck(game.table, "basic") == there


def test_only_what_was_gained_is_shared_out() -> None:
    game = home()
    with pytest.raises(UnknownName, match="skull"):
        game.do(a.Share(survivor="erza", resources=["monster_hide", "skull"]))
    game.rewind()
    with pytest.raises(Refused, match="Nothing is left"):
        game.do(a.Share(survivor="erza", resources=["monster_hide", "hide", "bone", "hide"]))


def test_only_those_who_were_there_share() -> None:
    game = home()
    game.state.settlement.returning.remove("zachary")
    with pytest.raises(Refused, match="Zachary is at home"):
        game.do(a.Share(survivor="zachary", resources=["bone"]))


def test_the_returning_trade_what_they_have() -> None:
    game = home()
    game.do(a.Share(survivor="erza", resources=["bone"]))
    game.do(a.Give(survivor="erza", resource="bone", to="lucy"))
    assert who(game, "lucy").resources == ["monster_bone"]


def test_loot_is_shared_out_before_the_settlement_phase_and_not_in_it() -> None:
    game = home()
    game.do(a.SettlementBegin(name="Edge"))
    assert GAME.plays[a.Share].refuse(game.table)


def test_what_is_carried_is_not_in_the_deck_the_rewards_come_from() -> None:
    game = survivors_turn()
    who(game).resources += ["lion_tail", "shimmering_mane"]
    end(game, "victory")
    deck = game.state.decks["white_lion_resources"]["deck"]
    taken = game.state.settlement.storage.resources
    assert "lion_tail" not in deck
    assert "lion_tail" not in taken
    assert len(deck) == 19 - 2 - 4


def test_all_tokens_are_off_and_permanent_injuries_stay() -> None:
    game = survivors_turn()
    run(game, harm.suffer(game.table, "allister", "broken_arm"))
    run(game, harm.suffer(game.table, "allister", "collapsed_lung"))
    run(game, harm.knock_down(game.table, "allister"))
    end(game, "victory")
    one = who(game)
    assert (one.tokens, one.passing, one.bars, one.knocked_down) == ({}, [], {}, None)
    assert one.severe_injuries == ["broken_arm"]
    assert (one.accuracy, one.strength, one.movement) == (-1, -1, 5)


def test_survival_and_insanity_persist() -> None:
    game = survivors_turn()
    who(game).insanity = 4
    who(game, "erza").survival = 0
    game.state.seed = "quiet"
    end(game, "victory")
    assert who(game).insanity >= 4
    assert who(game, "erza").survival == 0


def test_a_disemboweled_survivor_is_carried_home_by_another_one() -> None:
    game = survivors_turn()
    run(game, harm.suffer(game.table, "allister", "disemboweled"))
    end(game, "victory")
    assert who(game).status == "alive"
    assert who(game).skip_next_hunt


def test_a_disemboweled_last_survivor_is_lost_and_with_them_the_first_story() -> None:
    game = survivors_turn()
    for one in ("erza", "lucy", "zachary"):
        run(game, harm.die(game.table, [one], "a test"))
    run(game, harm.suffer(game.table, "allister", "disemboweled"))
    end(game, "victory")
    assert game.state.phase == Phase(name="prologue", step="survivors")


def test_the_resources_of_the_dead_are_regained_by_the_victorious() -> None:
    game = survivors_turn()
    who(game, "lucy").resources.append("lion_claw")
    run(game, harm.die(game.table, ["lucy"], "a test"))
    end(game, "victory")
    before = game.state.settlement.storage.resources.get("lion_claw", 0)
    game.do(a.SettlementBegin(name="Edge"))
    assert game.state.settlement.storage.resources["lion_claw"] == before + 1
    assert who(game, "lucy").resources == []


def test_the_showdowns_decks_leave_the_table() -> None:
    game = survivors_turn()
    end(game, "victory")
    assert game.state.showdown is None
    assert "ai" not in game.state.decks
    assert "hit_locations" not in game.state.decks
    assert "round" not in game.state.uses


def test_after_a_defeat_the_first_story_is_tried_again_from_its_start() -> None:
    game = first_story()
    who(game).strength = 1
    who(game).resources.append("lion_claw")
    run(game, harm.suffer(game.table, "allister", "blind"))
    for id_ in ("allister", "erza", "lucy", "zachary"):
        run(game, harm.die(game.table, [id_], "a test"))
    end(game, "defeat")
    fresh = founders()
    assert game.state.phase == Phase(name="prologue", step="survivors")
    assert game.state.showdown is None
    assert game.state.settlement == fresh.state.settlement
    for id_, one in game.state.survivors.items():
        before = fresh.state.survivors[id_]
        cards = [game.state.gear[gear] for gear in one.grid.values()]
        assert cards == ["cloth", "founding_stone"]
        grid, one.grid = one.grid, before.grid
        assert {k: v for k, v in one.armor.items() if v} == {"waist": 1}
        one.armor = before.armor
        assert one == before
        one.grid = grid
    game.do(a.ShowdownBegin(monster="white_lion", first_story=True))
    assert game.state.decks["ai"]["deck"][0] == "claw"
    assert fight(game).number == 2


def test_a_lifetime_begins_anew_when_the_first_story_does() -> None:
    game = first_story()
    run(game, figures.change(game.table, "allister", "courage", 3), given("8"))
    for one in ("allister", "erza", "lucy", "zachary"):
        run(game, harm.die(game.table, [one], "a test"))
    end(game, "defeat")
    game.do(a.ShowdownBegin(monster="white_lion", first_story=True))
    run(game, figures.change(game.table, "allister", "courage", 3), given("8"))
    assert who(game).abilities == ["stalwart"]


def test_deaths_of_the_showdown_wait_for_step_5() -> None:
    game = survivors_turn()
    for one in ("erza", "lucy"):
        run(game, harm.die(game.table, [one], "a test"))
    end(game, "victory")
    assert game.state.settlement.death_count == 0
    game.do(a.SettlementBegin(name="Edge"))
    game.do(a.SettlementEvent(), given(population="8"))
    assert game.state.settlement.death_count == 0
    inputs = given("6", "graves", "allister", "allister")
    game.do(a.SettlementYear(), inputs)
    assert game.state.settlement.death_count == 2


@pytest.mark.parametrize("borne", ["gear", "curse"])
def test_regal_armor_and_its_curse_bring_the_kings_curse_in_every_aftermath(borne: str) -> None:
    game = survivors_turn()
    if borne == "gear":
        wear(game, c9="regal_helm")
    else:
        who(game).impairments.append("kings_curse")
    end(game, "victory", "l")
    cards = [game.state.gear[gear] for gear in who(game).grid.values()]
    assert "regal_greaves" in cards


def test_the_dead_bear_no_curse_any_more() -> None:
    game = survivors_turn()
    wear(game, c9="regal_helm")
    run(game, harm.die(game.table, ["allister"], "a test"))
    assert not of(end(game, "victory"), e.StoryTriggered)  # type: ignore[arg-type]
