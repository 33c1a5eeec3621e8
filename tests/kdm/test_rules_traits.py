"""Disorders, abilities, fighting arts and injuries play by themselves where they matter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kdmlog.core.errors import Refused
from kdmlog.core.events import CardsDrawn, CardsMoved, Event
from kdmlog.core.inputs import Inputs
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.check import check
from kdmlog.games.kdm.content import KINDS
from kdmlog.games.kdm.rules import (
    attack,
    blows,
    conditions,
    figures,
    grids,
    harm,
    stories,
    things,
)
from kdmlog.games.kdm.rules import settlement as phase
from kdmlog.games.kdm.state import Phase, State
from kdmlog.packs.library import Library
from kdmlog.packs.load import load_pack
from kdmlog.packs.pack import canonical

from .scene import (
    developing,
    fight,
    first_story,
    founders,
    given,
    of,
    on_top,
    play,
    run,
    store,
    survivors_turn,
    victory,
    who,
)
from .table import Game, pack

FOUR = ["allister", "erza", "lucy", "zachary"]


def bearing(game: Game, *disorders: str, id_: str = "allister") -> Game:
    """Writes disorders onto a sheet as if they had been there for long: nothing plays."""
    who(game, id_).disorders = list(disorders)
    return game


def gain(game: Game, disorder: str, inputs: Inputs | None = None) -> list[Event]:
    return play(game, [{"disorder": {"id": disorder}}], inputs, who="allister")


def down(game: Game) -> list[str]:
    return [id_ for id_, one in game.state.survivors.items() if one.knocked_down is not None]


def aftermath(game: Game, outcome: str = "victory") -> None:
    fight(game).outcome = outcome
    game.state.phase = Phase(name="showdown", step="aftermath")
    game.do(a.Aftermath(), answer=_first)


def _first(request: Any, _state: State) -> Inputs:
    return Inputs(choices=[request.options[0].id])


def leaving() -> Game:
    """A game in which all four founders may depart."""
    game = developing()
    who(game).skip_next_hunt = False
    return game


def give(game: Game, card: str, cell: str = "3") -> None:
    """Puts gear into Allister's grid."""
    run(game, things.gain_gear(game.table, card, "allister", cell))
    run(game, things.dress(game.table, "allister"))


def depart(game: Game) -> list[Event]:
    return game.do(a.Depart(survivors=FOUR, hunt="white_lion"))


# --- Stalwart -------------------------------------------------------------------------------------


def stalwart() -> Game:
    game = first_story()
    who(game).abilities = ["stalwart"]
    return game


@pytest.mark.parametrize("trauma", ["new_perspective", "maniacal_laughter", "clarity", "flee"])
def test_a_stalwart_is_not_knocked_down_by_brain_trauma(trauma: str) -> None:
    plain, game = first_story(), stalwart()
    for one in (plain, game):
        inputs = given("", draw="anxiety") if trauma == "clarity" else given("5")
        run(one, harm.suffer(one.table, "allister", trauma), inputs)
    assert down(plain) == ["allister"]
    assert down(game) == []
    assert who(game).insanity == who(plain).insanity  # all else is suffered


def test_a_stalwart_is_not_knocked_down_by_intimidation_but_suffers_its_damage() -> None:
    plain, game = first_story(), stalwart()
    for one in (plain, game):
        on_top(one, "ai", "size_up")
        one.do(a.MonsterTurn(), given("4", "allister"))
        assert who(one).injuries["brain"] == ["light"]
    assert down(plain) == ["allister"]
    assert down(game) == []


def test_a_stalwart_is_not_knocked_down_by_what_the_table_reads_from_terrifying_roar() -> None:
    game = stalwart()
    on_top(game, "ai", "terrifying_roar")
    inputs = Inputs(
        dice=["1", "1"],
        choices=["lucy", "lucy"],
        fills=[{"effects": "knock_down allister; knock_down erza; brain allister 1"}],
    )
    game.do(a.MonsterTurn(), inputs, answer=_first)
    assert down(game) == ["erza"]
    assert who(game).injuries == {"brain": ["light"]}


def test_a_stalwart_is_not_knocked_down_by_disorders() -> None:
    game = bearing(stalwart(), "seizures", "hemophobia")
    run(game, harm.bleed(game.table, "allister", 1))
    give(game, "rawhide_headband")
    run(game, harm.damage(game.table, "allister", "head", 1))
    assert down(game) == []


def test_a_stalwart_is_knocked_down_by_everything_else() -> None:
    game = stalwart()
    run(game, harm.damage(game.table, "allister", "arms", 2))
    assert down(game) == ["allister"]
    for injury in ("hit_the_dirt", "bowled_over", "destroyed_genitals"):
        game = stalwart()
        inputs = given("", draw="anxiety") if injury == "destroyed_genitals" else given()
        run(game, harm.suffer(game.table, "allister", injury), inputs)
        assert down(game) == ["allister"], injury


def test_a_grab_and_a_bash_are_no_intimidation() -> None:
    game = stalwart()
    on_top(game, "ai", "maul")
    game.do(a.MonsterTurn(), given("2 1 w", "allister", "no"), answer=_first)
    assert down(game) == ["allister"]


def test_the_hamstrung_have_no_use_of_stalwart() -> None:
    game = stalwart()
    who(game).severe_injuries = ["hamstrung"]
    run(game, harm.suffer(game.table, "allister", "new_perspective"), given("5"))
    assert down(game) == ["allister"]


# --- disorders in the showdown --------------------------------------------------------------------


def test_a_hemophobe_is_knocked_down_by_anyones_bleeding_token() -> None:
    game = bearing(first_story(), "hemophobia")
    run(game, harm.bleed(game.table, "lucy", 1))
    assert down(game) == ["allister"]


def test_a_hemophobe_is_knocked_down_by_their_own_and_by_the_last_of_the_dead() -> None:
    game = bearing(first_story(), "hemophobia")
    run(game, harm.bleed(game.table, "allister", 1))
    assert down(game) == ["allister"]
    game = bearing(first_story(), "hemophobia")
    run(game, harm.bleed(game.table, "lucy", 5))
    assert who(game, "lucy").status == "dead"
    assert down(game) == ["allister"]


def test_head_damage_knocks_down_one_with_seizures_even_when_armor_takes_it() -> None:
    game = bearing(first_story(), "seizures")
    give(game, "rawhide_headband")
    run(game, harm.damage(game.table, "allister", "arms", 1))
    run(game, harm.damage(game.table, "allister", "brain", 1))
    assert down(game) == []
    run(game, harm.damage(game.table, "allister", "head", 1))
    assert who(game).injuries == {"arms": ["light"], "brain": ["light"]}
    assert down(game) == ["allister"]


def test_a_severe_injury_drives_a_rageholic_into_frenzy() -> None:
    game = bearing(first_story(), "rageholic")
    who(game).injuries = {"arms": ["light", "heavy"]}
    run(game, harm.damage(game.table, "allister", "arms", 1), given("6 9"))
    one = who(game)
    assert one.severe_injuries == ["contracture"]
    assert one.passing == ["frenzy"]
    assert one.insanity == 5
    assert (one.tokens["speed"], one.tokens["strength"]) == (1, 1)
    assert not figures.can_spend_survival(game.table, one)


def test_brain_trauma_and_an_injury_recorded_as_often_as_may_be_do_not() -> None:
    game = bearing(first_story(), "rageholic")
    run(game, harm.suffer(game.table, "allister", "new_perspective"), given("5"))
    who(game).severe_injuries = ["deaf"]
    run(game, harm.suffer(game.table, "allister", "deaf"))
    assert who(game).passing == ["new_perspective"]


def test_monster_panic_adds_1_to_brain_damage_of_intimidation_only() -> None:
    game = bearing(first_story(), "monster_panic")
    who(game).insanity = 4
    on_top(game, "ai", "size_up")
    game.do(a.MonsterTurn(), given("4", "allister"))
    assert who(game).insanity == 2
    play(game, [{"damage": {"normal": 1, "at": "brain"}}], who="allister")
    assert who(game).insanity == 1


def test_hit_location_damage_of_an_insane_immortal_goes_to_the_brain() -> None:
    game = bearing(first_story(), "immortal")
    who(game).insanity = 4
    run(game, harm.damage(game.table, "allister", "waist", 2))
    one = who(game)
    assert (one.insanity, one.armor["waist"], one.injuries) == (2, 1, {})
    run(game, harm.damage(game.table, "allister", "waist", 2))  # insane no more
    assert (one.insanity, one.armor["waist"], one.injuries) == (2, 0, {"waist": ["light"]})


def test_an_immortals_damage_is_spent_on_the_brain_whole() -> None:
    game = bearing(first_story(), "immortal")
    who(game).insanity = 3
    run(game, harm.damage(game.table, "allister", "legs", 9), given("9 8"))
    assert who(game).injuries == {"brain": ["light"]}
    assert who(game).passing == ["new_perspective"]
    assert who(game).insanity == 8


@pytest.mark.parametrize(
    ("disorder", "insanity", "spends"),
    [("prey", 2, False), ("prey", 3, True), ("immortal", 2, True), ("immortal", 3, False)],
)
def test_prey_spends_survival_only_insane_and_an_immortal_only_sane(
    disorder: str, insanity: int, spends: bool
) -> None:
    game = bearing(first_story(), disorder)
    who(game).insanity = insanity
    assert figures.can_spend_survival(game.table, who(game)) is spends
    assert blows.may_dodge(game.table, "allister") is spends


def test_the_apathetic_are_cured_by_8_understanding() -> None:
    game = bearing(developing("erza"), "apathetic")
    who(game).understanding = 6
    run(game, figures.change(game.table, "allister", "understanding", 1))
    assert who(game).disorders == ["apathetic"]
    run(game, figures.change(game.table, "allister", "understanding", 1))
    assert who(game).disorders == []
    gain(game, "apathetic")
    assert who(game).disorders == []


def test_the_honorable_attack_neither_from_the_blind_spot_nor_a_downed_monster() -> None:
    game = bearing(survivors_turn(), "honorable")
    with pytest.raises(Refused, match=r"blind spot: Honorable"):
        game.do(a.Attack(survivor="allister", blind=True))
    game.rewind()
    game.do(a.Attack(survivor="allister"), given("1 1"))
    game.do(a.Attack(survivor="erza", blind=True), given("1 1"))
    game = bearing(survivors_turn(), "honorable")
    fight(game).knocked_down = True
    for action in (
        a.Attack(survivor="allister"),
        a.Activate(survivor="allister", thing="founding_stone"),
    ):
        with pytest.raises(Refused, match=r"knocked down monster: Honorable"):
            game.do(action)
        game.rewind()


def test_the_bladed_are_not_activated_with_aichmophobia() -> None:
    game = bearing(survivors_turn(), "aichmophobia")
    attack.refuse_weapon(game.table, "allister", "founding_stone")
    for weapon in ("bone_axe", "bone_blade", "bone_dagger"):
        with pytest.raises(Refused, match="Aichmophobia"):
            attack.refuse_weapon(game.table, "allister", weapon)


END: list[Callable[[Game], object]] = [
    lambda game: game.do(a.EndAct(), given("", "yes")),
    lambda game: game.do(a.Act(survivor="erza"), given("", "yes")),
    lambda game: game.do(a.EndTurn(), given("", "yes")),
]


@pytest.mark.parametrize("end", END)
def test_the_traumatized_are_knocked_down_by_ending_an_act_beside_the_monster(
    end: Callable[[Game], object],
) -> None:
    game = bearing(survivors_turn(), "traumatized")
    game.do(a.Act(survivor="allister"))
    end(game)
    assert down(game) == ["allister"]
    assert who(game).knocked_down == 1


def test_the_traumatized_stand_elsewhere_and_stalwarts_anywhere() -> None:
    game = bearing(survivors_turn(), "traumatized")
    game.do(a.Act(survivor="allister"))
    game.do(a.EndAct(), given("", "no"))
    assert down(game) == []
    game = bearing(survivors_turn(), "traumatized")
    who(game).abilities = ["stalwart"]
    game.do(a.Act(survivor="allister"))
    game.do(a.EndAct(), given("", "yes"))
    assert down(game) == []


def test_one_already_down_is_not_asked_where_the_act_ended() -> None:
    game = bearing(survivors_turn(), "traumatized")
    game.do(a.Act(survivor="allister"))
    run(game, harm.knock_down(game.table, "allister"))
    game.do(a.EndAct())


def test_the_hyperactive_are_told_to_move_as_their_act_begins() -> None:
    game = bearing(survivors_turn(), "hyperactive")
    events = game.do(a.Act(survivor="allister"))
    assert [one.text for one in of(events, e.Said)] == ["has to move 1 space or more"]


def test_the_anxious_start_as_priority_target_unless_they_stink() -> None:
    game = bearing(founders(), "anxiety", id_="lucy")
    game.do(a.ShowdownBegin(monster="white_lion", first_story=True))
    assert fight(game).priority_target == "lucy"
    game = bearing(founders(), "anxiety")
    give(game, "fecal_salve")
    game.do(a.ShowdownBegin(monster="white_lion", first_story=True))
    assert fight(game).priority_target == ""


def test_fear_of_the_dark_retires_when_the_showdown_is_over() -> None:
    game = first_story()
    gain(game, "fear_of_the_dark")
    assert who(game).status == "alive"
    aftermath(game)
    assert who(game).status == "retired"


def test_body_armor_is_torn_off_with_vestiphobia_and_never_worn_again() -> None:
    game = developing("erza")
    give(game, "rawhide_vest")
    assert who(game).armor["body"] == 1
    gain(game, "vestiphobia")
    assert who(game).armor["body"] == 0
    assert sorted(game.state.gear[one] for one in who(game).grid.values()) == [
        "cloth",
        "founding_stone",
    ]
    assert "rawhide_vest.1" not in game.state.gear
    with pytest.raises(Refused, match="Vestiphobia"):
        grids.refuse_gear(game.table, "allister", "rawhide_vest")


def test_in_a_showdown_vestiphobia_takes_the_armor_of_the_body_and_restores_none() -> None:
    game = first_story()
    give(game, "rawhide_vest")
    who(game).armor["waist"] = 0
    gain(game, "vestiphobia")
    assert (who(game).armor["body"], who(game).armor["waist"]) == (0, 0)


# --- disorders on returning -----------------------------------------------------------------------


def test_post_traumatic_stress_takes_no_part_in_endeavors_and_misses_the_hunt_after() -> None:
    game = first_story()
    gain(game, "post_traumatic_stress")
    aftermath(game)
    game.do(a.SettlementBegin(name="Edge"))
    assert game.state.settlement.endeavors == 3
    assert who(game).skip_next_hunt
    game.do(a.SettlementEvent(), given(population="8"))
    game.do(a.SettlementYear(), given("", "erza"))
    game.state.settlement.locations.append("organ_grinder")
    with pytest.raises(Refused, match="no part in endeavors"):
        game.do(a.SettlementEndeavor(endeavor="augury", survivor="allister"))
    game.rewind()
    assert game.state.settlement.endeavors == 3
    game.do(a.SettlementEndeavor(endeavor="augury", survivor="lucy"), given("5"))
    game.do(a.SettlementEnd())
    assert not conditions.barred(game.table, who(game), "endeavors")


def test_post_traumatic_stress_of_the_settlement_waits_for_the_next_phase() -> None:
    game = developing("erza")
    gain(game, "post_traumatic_stress")
    assert not conditions.barred(game.table, who(game), "endeavors")
    assert not who(game).skip_next_hunt
    assert [one.at for one in game.state.deferred.values()] == ["settlement_start"]


def test_what_is_due_is_dropped_when_the_first_story_starts_anew() -> None:
    game = first_story()
    gain(game, "post_traumatic_stress")
    for one in FOUR:
        run(game, harm.die(game.table, [one], "a test"))
    aftermath(game, "defeat")
    assert game.state.deferred == {}
    assert who(game).disorders == []


def test_the_secretive_miss_the_next_hunt_when_they_return() -> None:
    game = bearing(victory(), "secretive")
    game.do(a.SettlementBegin(name="Edge"))
    assert [one.skip_next_hunt for one in game.state.survivors.values()] == [True] + [False] * 3


def test_a_hoarder_archives_a_resource_of_the_last_showdown_for_1_courage() -> None:
    game = bearing(victory(), "hoarder")
    store(game, monster_bone=2)
    who(game).resources = ["lion_claw"]
    game.do(a.SettlementBegin(name="Edge"))
    assert game.state.settlement.storage.resources == {"monster_bone": 2}
    assert who(game).courage == 1


def test_a_hoarder_without_one_gains_nothing() -> None:
    game = bearing(victory(), "hoarder")
    store(game, monster_bone=2)
    game.do(a.SettlementBegin(name="Edge"))
    assert game.state.settlement.storage.resources == {"monster_bone": 2}
    assert who(game).courage == 0


# --- disorders on departing -----------------------------------------------------------------------


def test_the_insane_quixotic_depart_with_a_strength_token_and_1_survival() -> None:
    game = bearing(leaving(), "quixotic")
    who(game).insanity = 3
    who(game).survival = 0
    depart(game)
    assert (who(game).survival, who(game).tokens) == (1, {"strength": 1})
    game = bearing(leaving(), "quixotic")
    who(game).insanity = 2
    who(game).survival = 0
    depart(game)
    assert (who(game).survival, who(game).tokens) == (0, {})


def test_insanity_that_departing_gives_comes_before_quixotic() -> None:
    game = bearing(leaving(), "quixotic")
    who(game).survival = 0
    run(game, stories.trigger(game.table, "principle_death"), given("5", "cannibalize"))
    assert who(game).insanity == 0
    depart(game)
    assert (who(game).insanity, who(game).survival) == (3, 1)


@pytest.mark.parametrize(
    ("disorder", "wrong", "right"),
    [
        ("aichmophobia", "bone_blade", "bone_pickaxe"),
        ("squeamish", "fecal_salve", "bandages"),
    ],
)
def test_some_gear_is_not_departed_with(disorder: str, wrong: str, right: str) -> None:
    game = bearing(leaving(), disorder)
    give(game, wrong)
    with pytest.raises(Refused, match=r"(?i)allister cannot depart: " + disorder):
        depart(game)
    game.rewind()
    game.do(a.GearTake(survivor="allister", cell="3"))
    give(game, right)
    depart(game)


def test_the_binge_eater_departs_only_with_something_to_consume() -> None:
    game = bearing(leaving(), "binge_eating_disorder")
    with pytest.raises(Refused, match="Binge Eating"):
        depart(game)
    game.rewind()
    give(game, "dried_acanthus")
    depart(game)


def test_those_who_cannot_depart_are_not_counted_among_those_who_must() -> None:
    game = bearing(leaving(), "binge_eating_disorder")
    game.state.settlement.population = 4
    assert phase.must_depart(game.table) == 3
    game.do(a.Depart(survivors=FOUR[1:], hunt="white_lion"))


@pytest.mark.parametrize(
    ("face", "location", "armor"),
    [("h", "head", "rawhide_headband"), ("b", "body", "rawhide_vest"), ("l", "legs", None)],
)
def test_a_weak_spot_must_be_armored_to_depart(face: str, location: str, armor: str | None) -> None:
    game = leaving()
    gain(game, "weak_spot", given(face))
    assert who(game).remembered == [f"weak_spot:{location}"]
    with pytest.raises(Refused, match="Weak Spot"):
        depart(game)
    game.rewind()
    give(game, armor or "rawhide_boots")
    depart(game)


def test_a_weak_spot_at_the_clothed_waist_is_armored() -> None:
    game = leaving()
    gain(game, "weak_spot", given("w"))
    depart(game)


def test_a_cured_weak_spot_is_forgotten() -> None:
    game = leaving()
    gain(game, "weak_spot", given("a"))
    play(game, [{"cure": {}}], who="allister")
    assert who(game).remembered == []
    depart(game)


def test_a_weak_spot_from_paper_is_the_players_to_know() -> None:
    depart(bearing(leaving(), "weak_spot"))


def test_who_retires_with_the_phase_cannot_depart() -> None:
    game = leaving()
    gain(game, "fear_of_the_dark")
    with pytest.raises(Refused, match="retires when the settlement phase ends"):
        depart(game)
    game.rewind()
    game.do(a.SettlementEnd())
    assert who(game).status == "retired"


# --- Bold and Insight -----------------------------------------------------------------------------


def test_analyze_shows_the_top_ai_card_and_leaves_it_there() -> None:
    game = first_story()
    who(game).abilities = ["analyze"]
    on_top(game, "ai", "claw", "maul")
    events = game.do(a.MonsterTurn(), given("1 1", "allister", "yes"))
    assert of(events, CardsDrawn)[-1].cards == ("maul",)
    assert of(events, CardsMoved)[-1].to == "deck"
    deck = game.state.decks["ai"]
    assert (deck["deck"][0], deck.known) == ("maul", 1)


def test_analyze_shows_nothing_to_one_who_is_not_adjacent() -> None:
    game = first_story()
    who(game).abilities = ["analyze"]
    game.do(a.MonsterTurn(), given("1 1", "allister", "no"))
    assert game.state.decks["ai"].known == 0


def test_insight_1_to_3_in_a_showdown_ignores_the_next_severe_injury() -> None:
    game = first_story()
    run(game, figures.change(game.table, "allister", "understanding", 3), given("3"))
    who(game).injuries = {"arms": ["light", "heavy"], "brain": ["light"]}
    run(game, harm.damage(game.table, "allister", "brain", 1), given("9 5"))  # trauma is none
    run(game, harm.damage(game.table, "allister", "arms", 1))
    assert who(game).severe_injuries == []
    run(game, harm.damage(game.table, "allister", "arms", 1), given("6"))
    assert who(game).severe_injuries == ["contracture"]


def test_insight_in_a_showdown_lasts_no_longer_than_it() -> None:
    game = first_story()
    run(game, figures.change(game.table, "allister", "understanding", 3), given("1"))
    assert who(game).benefits
    aftermath(game)
    assert who(game).benefits == {}


def innovating() -> Game:
    game = developing("erza")
    store(game, monster_bone=2, monster_organ=2, monster_hide=2)
    run(game, figures.change(game.table, "allister", "understanding", 3), given("2"))
    return game


def test_insight_1_to_3_in_the_settlement_draws_1_innovation_more_this_phase() -> None:
    game = innovating()
    drawn: list[int] = []

    def reply(request: Any, _state: State) -> Inputs:
        if request.purpose == "innovation":
            drawn.append(len(request.options))
        return _first(request, _state)

    game.do(a.SettlementInnovate(), answer=reply)
    assert drawn == [3]
    assert who(game).benefits == {}


def test_insights_extra_innovation_card_lapses_with_the_phase() -> None:
    game = innovating()
    game.do(a.SettlementEnd())
    assert who(game).benefits == {}


def augury(game: Game, inputs: Inputs, survivor: str = "allister") -> None:
    if "organ_grinder" not in game.state.settlement.locations:
        game.state.settlement.locations.append("organ_grinder")
    game.do(a.SettlementEndeavor(endeavor="augury", survivor=survivor), inputs)


def test_bold_1_to_3_in_the_settlement_rerolls_one_endeavor_result() -> None:
    game = developing("erza")
    run(game, figures.change(game.table, "allister", "courage", 3), given("3"))
    who(game).survival = 0
    augury(game, given("1"), "lucy")  # another's
    augury(game, given("2", "no"))
    augury(game, given("1 4", "yes"))
    assert who(game).survival == 1
    augury(game, given("2"))


def test_bolds_reroll_lapses_with_the_phase() -> None:
    game = developing("erza")
    run(game, figures.change(game.table, "allister", "courage", 3), given("1"))
    game.do(a.SettlementEnd())
    assert who(game).benefits == {}


def test_a_returning_matchmaker_triggers_intimacy_for_1_endeavor_once_a_year() -> None:
    game = developing("erza")
    who(game).abilities = ["matchmaker"]
    match = a.SettlementEndeavor(endeavor="matchmaker", survivor="allister")
    events = game.do(match, given("", "nobody"))
    assert [one.event for one in of(events, e.StoryTriggered)] == ["intimacy"]
    assert game.state.settlement.endeavors == 3
    with pytest.raises(Refused, match="once"):
        game.do(match)
    game.rewind()


def test_nobody_else_makes_a_match_nor_one_who_has_not_returned_or_is_hamstrung() -> None:
    game = developing("erza")
    who(game).abilities = ["matchmaker"]
    assert "matchmaker" not in phase.endeavors(game.table, "lucy")
    assert "matchmaker" in phase.endeavors(game.table, "allister")
    who(game).severe_injuries = ["hamstrung"]
    assert "matchmaker" not in phase.endeavors(game.table, "allister")
    who(game).severe_injuries = []
    game.state.settlement.returning.remove("allister")
    assert "matchmaker" not in phase.endeavors(game.table, "allister")


# --- fighting arts --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("face", "art", "suffered"),
    [("5", [], "ruptured_muscle"), ("5", ["tough"], "contracture"), ("10", ["tough"], "")],
)
def test_the_tough_add_1_to_severe_injury_rolls(face: str, art: list[str], suffered: str) -> None:
    game = first_story()
    who(game).fighting_arts = art
    run(game, harm.severe_injury(game.table, "allister", "arms"), given(face))
    assert who(game).severe_injuries == [suffered] * bool(suffered)


def test_a_1_stays_a_1_and_brain_trauma_what_it_is_for_the_tough() -> None:
    game = first_story()
    who(game).fighting_arts = ["tough"]
    run(game, harm.severe_injury(game.table, "allister", "brain"), given("9 5"))
    assert who(game).passing == ["new_perspective"]
    run(game, harm.severe_injury(game.table, "allister", "legs"), given("1"))
    assert who(game).status == "dead"


def test_the_tough_who_use_no_fighting_arts_add_nothing() -> None:
    game = first_story()
    who(game).fighting_arts = ["tough"]
    who(game).severe_injuries = ["ruptured_muscle"]
    run(game, harm.severe_injury(game.table, "allister", "arms"), given("6"))
    assert who(game).severe_injuries == ["ruptured_muscle", "contracture"]


# --- what a pack may say --------------------------------------------------------------------------

PACK = "{id: home, title: Home, version: 1, game: kdm, licence: ours}"
WRONG = """
grim: {name: Grim, on: {dawn: [say: good morning]}}
light: {name: Light, rules: [flies]}
tall: {name: Tall, modifiers: [{to: height, by: 1}]}
"""


def test_an_unknown_moment_rule_or_figure_is_found(tmp_path: Path) -> None:
    (tmp_path / "pack.yaml").write_text(PACK)
    (tmp_path / "disorder.yaml").write_text(WRONG)
    home = canonical(load_pack(tmp_path, KINDS))
    wrong = check(Library([pack(), home], KINDS))
    assert [one[1:3] for one in wrong] == [
        ("grim", "on.dawn"),
        ("light", "rules.flies"),
        ("tall", "modifiers.height"),
    ]
