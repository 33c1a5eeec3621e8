"""The aftermath of each monster's showdown: rewards by level, conditional extras, defeat."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from kdmlog.core.errors import Refused
from kdmlog.core.events import CardsDrawn, Event
from kdmlog.core.inputs import Inputs
from kdmlog.core.requests import Ask, Choose, Fill
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm.content import Innovation, Resource
from kdmlog.games.kdm.rules import harm, people, script
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.script import decode
from kdmlog.games.kdm.state import Phase, State

from .scene import fight, given, of, run, who
from .table import Game
from .test_rules_setup import FOUR, at_home, met


def over(game: Game, outcome: str, killer: str = "allister") -> Game:
    fight(game).outcome, fight(game).killer = outcome, killer
    game.state.phase = Phase(name="showdown", step="aftermath")
    return game


def won(monster: str, level: int = 0, *innovations: str, dice: str = "", **counts: str) -> Game:
    """Returns a game after a victory, with nothing in storage before; Allister killed it."""
    game = over(met(monster, level), "victory")
    game.state.settlement.innovations += innovations
    game.state.settlement.storage.resources.clear()
    game.state.settlement.storage.unrecorded.clear()
    end(game, dice, **counts)
    return game


def lost(game: Game, dice: str = "", *choices: str) -> list[Event]:
    run(game, harm.die(game.table, FOUR, "a test"))
    over(game, "defeat")
    return end(game, dice, *choices)


def end(game: Game, dice: str = "", *choices: str, **fill: str) -> list[Event]:
    """Plays the aftermath; what is not given is the first option, and the dice kdmlog's own."""
    inputs = given(dice, *choices, **fill)

    def answer(request: Ask, _state: State) -> Inputs:
        if isinstance(request, Fill):
            return Inputs(fills=[dict.fromkeys(one.name for one in request.fields)])  # type: ignore[arg-type]
        assert isinstance(request, Choose), request
        return Inputs(choices=[request.options[0].id])

    return game.do(a.Aftermath(), inputs, answer=answer)


def stored(game: Game) -> Counter[str]:
    decks: Counter[str] = Counter()
    for id_, count in game.state.settlement.storage.resources.items():
        decks[game.library.get(Resource, id_).deck] += count
    return decks


def gear(game: Game) -> list[str]:
    return [game.state.gear[one] for one in game.state.settlement.storage.gear]


# --- victory --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("level", "count"), [(1, 4), (2, 6), (3, 8)])
def test_a_lion_gives_4_basic_and_4_6_or_8_of_its_own(level: int, count: int) -> None:
    decks = stored(won("white_lion", level))
    assert (decks["basic"], decks["white_lion"]) == (4, count)
    assert decks["strange"] == (level == 3)


def test_each_survivor_gains_hunt_xp_and_all_return() -> None:
    game = won("white_lion", 1)
    assert [who(game, one).hunt_xp for one in FOUR] == [1, 1, 1, 1]
    assert game.state.settlement.returning == FOUR
    assert game.state.phase == Phase(name="settlement", step="set_up")
    assert game.state.settlement.hunt == ""
    assert "white_lion:1" in game.state.settlement.defeated


def test_the_first_lion_after_the_first_story_gives_the_catarium_once() -> None:
    game = won("white_lion", 1)
    assert game.state.settlement.locations.count("catarium") == 1
    assert "plumery" not in game.state.settlement.locations


def test_a_nemesis_is_no_hunt_and_its_level_is_recorded() -> None:
    game = won("butcher", 1, dice="1")
    assert game.state.settlement.nemeses == ["butcher", "butcher:1"]
    assert stored(game) == Counter()
    assert game.state.settlement.encounter == ""


@pytest.mark.parametrize(
    ("rolled", "gained", "lanterns"),
    [("2", [], 0), ("3 4", [], 2), ("6", ["butcher_cleaver"], 1)],
)
def test_the_butchers_rewards_are_1d10_and_its_level(
    rolled: str, gained: list[str], lanterns: int
) -> None:
    game = won("butcher", 1, dice=rolled)
    assert gear(game) == gained
    assert game.state.settlement.storage.resources.get("broken_lantern", 0) == lanterns


def test_13_and_more_at_the_butcher_is_the_forsaker_mask() -> None:
    assert gear(won("butcher", 3, dice="10")) == ["forsaker_mask"]


def test_memento_mori_gives_the_forsaker_mask_once_a_campaign() -> None:
    game = won("butcher", 3, "memento_mori", dice="1 4 2")
    assert gear(game) == ["forsaker_mask"]
    assert "memento_mori" in game.state.settlement.remembered
    assert gear(won("butcher", 3, "memento_mori", dice="10 1")) == ["forsaker_mask"]
    assert gear(won("butcher", 2, "memento_mori", dice="1")) == []


def test_a_hunk_of_living_flesh_regrows_a_limb() -> None:
    game = met("butcher", 1)
    run(game, harm.suffer(game.table, "lucy", "dismembered_leg"))
    before = who(game, "lucy").movement
    over(game, "victory")
    end(game, "9 1")
    assert who(game, "lucy").severe_injuries == []
    assert who(game, "lucy").movement == before + 2


def test_saga_lets_the_killer_of_a_level_3_lion_choose_an_attribute() -> None:
    game = over(met("white_lion", 3), "victory", "erza")
    game.state.settlement.innovations.append("saga")
    end(game, "4", "strength")
    assert who(game, "erza").strength == 1
    assert "saga" in who(game, "erza").remembered


def test_the_wail_of_a_dying_antelope_takes_those_with_20_insanity() -> None:
    game = over(met("screaming_antelope", 1), "victory")
    who(game, "lucy").insanity = 20
    who(game, "erza").insanity = 19
    population = game.state.settlement.population
    end(game)
    assert who(game, "lucy").status == "gone"
    assert game.state.settlement.returning == ["allister", "erza", "zachary"]
    assert game.state.settlement.population == population - 1
    assert game.state.settlement.uncounted_deaths == 0


def test_age_tokens_give_understanding_at_the_phoenix() -> None:
    game = over(met("phoenix", 1), "victory")
    who(game, "lucy").tokens["age"] = 2
    end(game)
    assert who(game, "lucy").understanding == 1
    assert who(game, "lucy").tokens == {}
    assert who(game, "erza").understanding == 0
    assert "plumery" in game.state.settlement.locations


def test_face_painting_burns_the_eyes_of_the_phoenix_killer() -> None:
    game = over(met("phoenix", 3), "victory", "zachary")
    game.state.settlement.innovations.append("face_painting")
    end(game, "6")
    assert (who(game, "zachary").speed, who(game, "zachary").accuracy) == (1, -1)
    assert game.state.settlement.storage.resources["phoenix_crest"] == 1


def test_the_hand_is_a_sore_loser_on_5_to_8() -> None:
    game = over(met("the_hand", 1), "victory")
    population = game.state.settlement.population
    events = end(game, "5 10")
    drawn = of(events, CardsDrawn)
    assert drawn and drawn[0].deck == "names"
    assert game.state.settlement.population == population


def test_the_hand_vanishes_with_somebody_on_1_to_4() -> None:
    game = over(met("the_hand", 1), "victory")
    game.state.settlement.storage.resources.clear()
    population = game.state.settlement.population
    end(game, "4")
    assert game.state.settlement.storage.resources == {"broken_lantern": 1, "skull": 1}
    assert game.state.settlement.population == population - 1


def test_the_watchers_end_is_a_blackout() -> None:
    game = over(met("watcher", year=25), "victory")
    end(game)
    assert [who(game, one).strength for one in FOUR] == [1, 1, 1, 1]
    assert "exhausted_lantern_hoard" in game.state.settlement.locations


def test_a_legendary_cat_gives_a_level_3_lions_rewards_and_its_own() -> None:
    game = over(met("great_golden_cat"), "victory", "lucy")
    game.state.settlement.storage.resources.clear()
    end(game, "", "shimmering_mane")
    decks = stored(game)
    assert (decks["basic"], decks["white_lion"], decks["strange"]) == (4, 9, 1)
    assert who(game, "lucy").strength == 2
    assert who(game, "lucy").fighting_arts == ["timeless_eye", "combo_master"]
    assert "catarium" in game.state.settlement.locations


def test_the_king_of_1000_years_gives_1000_insanity() -> None:
    game = over(met("golden_eyed_king"), "victory", "lucy")
    end(game)
    assert who(game, "lucy").insanity >= 1000
    assert who(game, "lucy").fighting_arts == ["king_of_a_thousand_battles"]


# --- defeat ---------------------------------------------------------------------------------------


def test_all_dead_is_defeat_and_the_settlement_goes_on_with_the_others() -> None:
    game = met("white_lion", 1)
    who(game, "lucy").resources.append("lion_claw")
    lost(game, "1")
    assert game.state.phase == Phase(name="settlement", step="set_up")
    assert game.state.settlement.returning == []
    assert who(game, "lucy").resources == []
    assert game.state.settlement.uncounted_deaths == 4


def test_the_lion_takes_a_piece_of_jewelry_on_6() -> None:
    game = met("white_lion", 1)
    run(game, script.play_record(Scene(table=game.table, record=""), CHARM))
    assert "lucky_charm" in gear(game)
    lost(game, "6", "lucky_charm")
    assert "lucky_charm" not in gear(game)


CHARM = decode([{"gain_gear": {"id": "lucky_charm", "to": "storage"}}])


def test_the_butcher_leaves_no_resources() -> None:
    game = met("butcher", 1)
    game.state.decks["ai"].zones.pop("in_play")
    game.state.settlement.storage.resources.update(scrap=2, monster_hide=1)
    lost(game)
    assert sum(game.state.settlement.storage.resources.values()) == 0


def test_the_phoenix_may_send_one_back_without_a_name() -> None:
    game = met("phoenix", 1)
    for one in FOUR:
        who(game, one).courage = 2
    population = game.state.settlement.population
    run(game, harm.die(game.table, FOUR, "a test"))
    over(game, "defeat")
    game.do(a.Aftermath(), given("6", name="Ember"))
    back = [one for one in game.state.survivors.values() if one.name == "Ember"]
    assert [(one.status, one.courage, one.understanding) for one in back] == [("alive", 0, 0)]
    assert game.state.settlement.population == population - 3
    assert game.state.settlement.uncounted_deaths == 3


def test_the_kings_man_breaks_the_pottery() -> None:
    game = met("kings_man", 1)
    game.library._decoded["innovation", "pottery"] = replace(
        game.library.get(Innovation, "paint"), survival_limit=1
    )
    game.state.settlement.innovations.append("pottery")
    limit = game.state.settlement.survival_limit
    lost(game)
    settlement = game.state.settlement
    assert "pottery" not in settlement.innovations
    assert "pottery" in game.state.decks["innovations"]["deck"]
    assert settlement.survival_limit == limit - 1


def test_the_hand_slaughters_the_retired_without_a_guidepost() -> None:
    for innovations, status in (([], "dead"), (["guidepost"], "retired")):
        game = met("the_hand", 1)
        run(game, people.create(game.table, "Old", "male", ""))
        game.state.survivors["old"].status = "retired"
        game.state.settlement.innovations += innovations
        lost(game)
        assert game.state.survivors["old"].status == status


def test_defeat_by_the_watcher_is_the_end() -> None:
    game = met("watcher", year=25)
    lost(game)
    assert game.state.phase == Phase(name="over", step="defeat")
    assert game.state.showdown is None


def test_the_mad_steed_costs_3_population() -> None:
    game = met("mad_steed")
    before = game.state.settlement.population
    lost(game)
    assert game.state.settlement.population == before - 4 - 3


def test_of_the_lost_those_without_a_sheet_are_first() -> None:
    game = at_home()
    game.state.settlement.milestones.append("first_death")
    assert game.state.settlement.population == 8
    scene = Scene(table=game.table, record="")
    run(game, script.play_record(scene, decode([{"population": {"by": -4}}])))
    assert all(one.alive for one in game.state.survivors.values())
    steps = decode([{"population": {"by": -1}}])
    run(game, script.play_record(scene, steps), given("", "lucy"))
    assert who(game, "lucy").status == "dead"
    assert game.state.settlement.population == 3


def test_after_the_beast_of_sorrows_victory_nobody_endeavors_for_a_phase() -> None:
    game = met("beast_of_sorrow")
    run(game, harm.die(game.table, FOUR[1:], "a test"))
    game.state.survivors["allister"].status = "alive"
    fight(game).survivors = FOUR[1:]
    over(game, "defeat")
    end(game)
    assert "no_endeavors_next_phase" in game.state.settlement.remembered
    game.state.phase = Phase(name="settlement", step="develop")
    game.state.settlement.endeavors = 2
    with pytest.raises(Refused, match="grieves"):
        game.do(a.SettlementBuild(location="bone_smith"))
    game.rewind()
    game.do(a.SettlementEnd())
    assert "no_endeavors_next_phase" not in game.state.settlement.remembered


# --- gear gained into a full grid -----------------------------------------------------------------


def full_grid(dropped: str) -> Game:
    game = met("white_lion", 1)
    state = game.state
    for cell in "123456789":
        state.gear[f"bone_axe.{cell}0"] = "bone_axe"
        who(game).grid[cell] = f"bone_axe.{cell}0"
    steps = decode([{"gain_gear": {"id": "scrap_sword"}}])
    scene = Scene(table=game.table, record="", who="allister")
    run(game, script.play_record(scene, steps), given("", dropped))
    return game


def test_gear_gained_into_a_full_grid_takes_the_place_of_a_piece_archived() -> None:
    game = full_grid("bone_axe")
    cards = [game.state.gear[one] for one in who(game).grid.values()]
    assert cards.count("scrap_sword") == 1
    assert len(cards) == 9


def test_or_is_itself_archived() -> None:
    game = full_grid("scrap_sword")
    assert "scrap_sword" not in game.state.gear.values()
