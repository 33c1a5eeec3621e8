"""Story events that a survivor's own tracks call, and Watched: every row of the rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from kdmlog.core.inputs import Inputs
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import KINDS, AiCard, FightingArt, Milestone, StoryEvent
from kdmlog.games.kdm.game import GAME
from kdmlog.games.kdm.rules import figures, foes, script, stories
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.script import steps_of
from kdmlog.games.kdm.state import ATTRIBUTES, Phase

from .scene import (
    developing,
    fight,
    first_story,
    given,
    of,
    run,
    settled,
    store,
    survivors_turn,
    who,
)
from .table import Game
from .test_rules_setup import met

ART = "fighting art"


def first(request: Any, _state: Any) -> Inputs:
    """The first one takes what a resource gives when it is gained."""
    return Inputs(choices=[request.options[0].id])


def trigger(game: Game, event: str, inputs: Inputs | None = None, *, by: str = "lucy") -> None:
    """Plays a story event, for Lucy unless it is the settlement's."""
    run(game, stories.trigger(game.table, event, who=by), inputs)


def gained(game: Game, before: Mapping[str, int]) -> dict[str, int]:
    """Returns what Lucy's attributes have gained."""
    now = {one: getattr(who(game, "lucy"), one) - before[one] for one in ATTRIBUTES}
    return {one: by for one, by in now.items() if by}


def attributes(game: Game) -> dict[str, int]:
    """Returns Lucy's attributes."""
    return {one: getattr(who(game, "lucy"), one) for one in ATTRIBUTES}


# --- Age ------------------------------------------------------------------------------------------

# Of each age: what 2, 3-6, 7-15, 16-19 and 20 on 2d10 give.
AGES: dict[str, list[tuple[str, int]]] = {
    "age_1": [("evasion", 1), ("strength", 1), (ART, 1), ("accuracy", 1), ("luck", 1)],
    "age_2": [("movement", 1), (ART, 1), ("strength", 1), (ART, 1), ("speed", 1)],
    "age_3": [("speed", 1), ("movement", 1), (ART, 1), (ART, 2), ("strength", 3)],
    "age_4": [(ART, 5), ("evasion", 1), ("luck", 1), ("speed", 1), ("luck", 1)],
}
ROWS = (("1 1",), ("1 2", "3 3"), ("1 6", "10 5"), ("10 6", "9 10"), ("10 10",))
ARTS = ("crazed", "leader", "tough", "tumble", "extra_sense")


@pytest.mark.parametrize(
    ("event", "dice", "what", "count"),
    [
        (event, dice, *gain)
        for event, gains in AGES.items()
        for rolls, gain in zip(ROWS, gains, strict=True)
        for dice in rolls
    ],
)
def test_each_age_gives_what_2d10_say(event: str, dice: str, what: str, count: int) -> None:
    game = survivors_turn()
    before = attributes(game)
    choices = ["luck"] if (event, dice) == ("age_4", "10 10") else []
    drawn = ARTS[: count if what == ART else 0]
    if len(drawn) > 1:
        choices = [drawn[1]]
    trigger(game, event, given(dice, *choices, draw=" ".join(drawn)))
    assert who(game, "lucy").fighting_arts == list(choices or drawn if drawn else [])
    assert gained(game, before) == ({} if drawn else {what: count})


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_the_luckiest_elder_gains_an_attribute_of_their_choice(attribute: str) -> None:
    game = survivors_turn()
    before = attributes(game)
    trigger(game, "age_4", given("10 10", attribute))
    assert gained(game, before) == {attribute: 1}


def test_of_several_arts_drawn_only_one_of_them_is_gained() -> None:
    game = survivors_turn()
    playing = stories.trigger(game.table, "age_3", who="lucy")
    events = run(game, playing, given("10 6", "crazed", draw="crazed leader"))
    [drawn] = of(events, e.TraitGained)
    assert (drawn.id, who(game, "lucy").fighting_arts) == ("crazed", ["crazed"])
    secret = {id_ for id_, one in game.library.all(FightingArt).items() if one.secret}
    assert secret.isdisjoint(game.state.decks["fighting_arts"]["deck"])


def test_a_fourth_fighting_art_replaces_one_of_three() -> None:
    game = survivors_turn()
    who(game, "lucy").fighting_arts = ["crazed", "leader", "tough"]
    trigger(game, "age_1", given("4 4", "leader", draw="tumble"))
    assert who(game, "lucy").fighting_arts == ["crazed", "tough", "tumble"]


@pytest.mark.parametrize(
    ("box", "event", "inputs"),
    [
        (2, "age_1", given("10 6")),
        (6, "age_2", given("8 2")),
        (10, "age_3", given("10 10")),
        (15, "age_4", given("8 2")),
        (16, "retired", given()),
    ],
)
def test_a_box_of_hunt_xp_calls_its_age_once_a_lifetime(
    box: int, event: str, inputs: Inputs
) -> None:
    game = developing()
    who(game, "lucy").hunt_xp = box - 1
    events = run(game, figures.change(game.table, "lucy", "hunt_xp", 1), inputs)
    assert [one.event for one in of(events, e.StoryTriggered)] == [event]
    run(game, figures.change(game.table, "lucy", "hunt_xp", -1))
    again = run(game, figures.change(game.table, "lucy", "hunt_xp", 1))
    assert of(again, e.StoryTriggered) == []


def test_two_boxes_of_hunt_xp_at_once_call_both_ages() -> None:
    game = developing()
    events = run(game, figures.change(game.table, "lucy", "hunt_xp", 6), given("1 1 8 2"))
    assert [one.event for one in of(events, e.StoryTriggered)] == ["age_1", "age_2"]
    assert (who(game, "lucy").evasion, who(game, "lucy").strength) == (1, 1)


def test_a_weapon_type_may_be_chosen_from_age_1_on() -> None:
    game = developing()
    offered = GAME.plays[a.SurvivorWeapon].ready
    assert list(offered(game.table)) == []
    run(game, figures.change(game.table, "lucy", "hunt_xp", 2), given("1 1"))
    assert list(offered(game.table)) == ["survivor weapon lucy TYPE"]


# --- retirement -----------------------------------------------------------------------------------


def won(game: Game) -> Game:
    """Leaves the showdown at its aftermath, won."""
    fight(game).outcome = "victory"
    game.state.phase = Phase(name="showdown", step="aftermath")
    return game


def test_the_last_box_of_hunt_xp_retires_as_the_victory_brings_it() -> None:
    game = won(survivors_turn())
    who(game, "lucy").hunt_xp = 15
    game.do(a.Aftermath(), answer=first)
    assert (who(game, "lucy").hunt_xp, who(game, "lucy").status) == (16, "retired")


def test_who_retires_in_the_settlement_hunts_no_more_and_is_retired_at_its_end() -> None:
    game = developing()
    run(game, figures.change(game.table, "lucy", "hunt_xp", 16), given("1 1 8 2 10 10 8 2"))
    assert who(game, "lucy").retires
    game.do(a.SettlementEnd())
    assert who(game, "lucy").status == "retired"


# --- See the Truth --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("face", "principles", "ability"),
    [
        ("1", [], "sweet_battle"),
        ("2", [], "sweet_battle"),
        ("3", [], "bitter_frenzy"),
        ("8", [], "bitter_frenzy"),
        ("9", [], "sour_death"),
        ("10", [], "sour_death"),
        ("5", ["graves"], "sweet_battle"),
        ("10", ["graves"], "sweet_battle"),
        ("1", ["cannibalize"], "sour_death"),
        ("5", ["cannibalize"], "sour_death"),
    ],
)
def test_death_tastes_as_rolled_or_as_the_settlement_treats_its_dead(
    face: str, principles: list[str], ability: str
) -> None:
    game = developing()
    game.state.settlement.principles += principles
    weak = "h" if ability == "sweet_battle" else ""
    trigger(game, "see_the_truth", given(f"{face} {weak}"))
    lucy = who(game, "lucy")
    assert (lucy.abilities, lucy.severe_injuries, lucy.accuracy) == ([ability], ["blind"], -1)
    assert lucy.disorders == (["weak_spot"] if weak else [])
    assert lucy.fighting_arts == (["berserker"] if ability == "bitter_frenzy" else [])


def test_whoever_is_blind_already_is_not_blinded_again_by_the_truth() -> None:
    game = developing()
    who(game, "lucy").severe_injuries = ["blind"]
    run(game, figures.change(game.table, "lucy", "courage", 9), given("1 9"))
    lucy = who(game, "lucy")
    assert (lucy.severe_injuries, lucy.accuracy) == (["blind"], 0)
    assert lucy.abilities == ["matchmaker", "sour_death"]


# --- White Secret ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("face", "principles", "ability"),
    [
        ("1", [], "ageless"),
        ("2", [], "ageless"),
        ("3", [], "peerless"),
        ("8", [], "peerless"),
        ("9", [], "leyline_walker"),
        ("10", [], "leyline_walker"),
        ("5", ["romantic"], "ageless"),
        ("9", ["romantic"], "ageless"),
        ("1", ["barbaric"], "leyline_walker"),
        ("5", ["barbaric"], "leyline_walker"),
    ],
)
def test_the_story_remembered_is_the_one_rolled_or_the_convictions(
    face: str, principles: list[str], ability: str
) -> None:
    game = developing()
    game.state.settlement.principles += principles
    before = attributes(game)
    insanity = who(game, "lucy").insanity
    trigger(game, "white_secret", given(f"4 {face}", draw="hoarder"))
    lucy = who(game, "lucy")
    assert (lucy.abilities, lucy.insanity) == ([ability], insanity + 2)
    assert lucy.disorders == ["hoarder", *(["quixotic"] if ability == "peerless" else [])]
    assert gained(game, before) == ({"accuracy": 1, "strength": 1} if ability == "ageless" else {})


def test_all_understanding_calls_the_white_secret() -> None:
    game = developing()
    who(game, "lucy").understanding = 8
    dice = given("4 9", draw="hoarder")
    events = run(game, figures.change(game.table, "lucy", "understanding", 1), dice)
    assert [one.event for one in of(events, e.StoryTriggered)] == ["white_secret"]


# --- Principle: Conviction ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("conviction", "stat", "event"),
    [("barbaric", "strength", "hands_of_heat"), ("romantic", "understanding", "bone_witch")],
)
def test_a_conviction_changes_everyone_and_writes_a_story_into_next_year(
    conviction: str, stat: str, event: str
) -> None:
    game = developing()
    limit = game.state.settlement.survival_limit
    before = getattr(who(game, "erza"), stat)
    trigger(game, "principle_conviction", given("5", conviction), by="")
    settlement = game.state.settlement
    assert (settlement.principles, settlement.survival_limit) == ([conviction], limit + 1)
    assert settlement.timeline == {"2": [event]}
    assert getattr(who(game, "erza"), stat) == before + 1


@pytest.mark.parametrize(
    ("conviction", "stat", "ability"),
    [("barbaric", "courage", "thundercaller"), ("romantic", "understanding", "legendcaller")],
)
def test_one_leads_by_the_conviction_on_6_or_more(conviction: str, stat: str, ability: str) -> None:
    game = developing()
    game.state.uses["lifetime"] = {"lucy": ["bold", "insight"]}
    trigger(game, "principle_conviction", given("6", conviction, "lucy"), by="")
    lucy = who(game, "lucy")
    assert (getattr(lucy, stat), lucy.abilities) == (4 + (stat == "understanding"), [ability])


@pytest.mark.parametrize(
    ("conviction", "stat", "disorder"),
    [("barbaric", "speed", "honorable"), ("romantic", "luck", "prey")],
)
@pytest.mark.parametrize(("stored", "gains"), [(9, 0), (10, 1)])
def test_a_feast_eats_all_there_is_and_10_resources_mark_those_who_depart(
    conviction: str, stat: str, disorder: str, stored: int, gains: int
) -> None:
    game = developing()
    store(game, monster_bone=stored)
    trigger(game, "principle_conviction", given("1", conviction), by="")
    assert not any(game.state.settlement.storage.resources.values())
    for one in game.state.survivors.values():
        one.skip_next_hunt = False
    people = ["allister", "erza", "lucy", "zachary"]
    game.do(a.Depart(survivors=people, hunt="white_lion"))
    assert [getattr(who(game, one), stat) for one in people] == [gains] * 4
    assert [who(game, one).disorders for one in people] == [[disorder] * gains] * 4


# --- Watched --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("conviction", "innovation", "disorder"),
    [
        ("barbaric", "ultimate_weapon", "quixotic"),
        ("romantic", "final_fighting_art", "immortal"),
    ],
)
def test_watched_by_conviction_an_innovation_and_one_who_is_ready(
    conviction: str, innovation: str, disorder: str
) -> None:
    game = developing()
    game.state.settlement.principles.append(conviction)
    limit = game.state.settlement.survival_limit
    insanity = who(game, "lucy").insanity
    trigger(game, "watched", given("6", "lucy"), by="")
    lucy = who(game, "lucy")
    assert innovation in game.state.settlement.innovations
    assert game.state.settlement.survival_limit == limit + 1
    assert (lucy.insanity, lucy.strength, lucy.disorders) == (insanity + 10, 1, [disorder])
    assert of(game.log, e.Said)


@pytest.mark.parametrize(
    ("conviction", "event", "status"),
    [("barbaric", "hands_of_heat", "alive"), ("romantic", "bone_witch", "gone")],
)
def test_watched_the_nominated_prepare_or_run_and_a_story_is_due_in_4_years(
    conviction: str, event: str, status: str
) -> None:
    game = developing()
    game.state.settlement.principles.append(conviction)
    population = game.state.settlement.population
    trigger(game, "watched", given("5", "lucy"), by="")
    assert who(game, "lucy").status == status
    assert game.state.settlement.population == population - (status == "gone")
    assert game.state.settlement.timeline == {"5": [event]}


def test_what_watched_brings_counts_towards_no_milestone() -> None:
    game = developing()
    settlement = game.state.settlement
    settlement.principles.append("barbaric")
    settlement.innovations += ["ammonia", "drums", "paint"]
    trigger(game, "watched", given("6", "lucy"), by="")
    assert len(settlement.innovations) == 5
    assert "innovations_5" not in settlement.milestones


def test_an_ultimate_weapon_gives_one_more_resource_of_the_monster_by_choice() -> None:
    game = won(met("white_lion", 1))
    game.state.settlement.innovations.append("ultimate_weapon")
    game.do(a.Aftermath(), given("", "great_cat_bones"), answer=first)
    storage = game.state.settlement.storage.unrecorded
    assert sum(storage.values()) == 9
    assert storage["great_cat_bones"] >= 1


def test_a_nemesis_has_no_resources_for_an_ultimate_weapon() -> None:
    game = won(met("kings_man", 1))
    game.state.settlement.innovations.append("ultimate_weapon")
    events = game.do(a.Aftermath(), given("1"), answer=first)
    assert of(events, e.ResourceGained) == []


def test_a_settlement_without_conviction_only_learns_that_the_watcher_sleeps() -> None:
    game = developing()
    trigger(game, "watched", by="")
    assert [one.survivor for one in of(game.log, e.Said)] == [""]
    assert game.state.settlement.timeline == {}


def test_a_nemesis_added_to_the_timeline_is_no_story_of_its_year() -> None:
    game = settled()
    game.state.settlement.timeline["1"] = ["the_hand", "butcher:2"]
    game.do(a.SettlementYear(), given("", "allister"))
    told = [one.event for one in of(game.log, e.StoryTriggered)]
    assert {"the_hand", "butcher:2"}.isdisjoint(told)
    assert foes.due(game.table) == ["the_hand:1", "butcher:2"]


# --- Zero Presence --------------------------------------------------------------------------------


def test_zero_presence_follows_the_lion_that_vanished() -> None:
    game = first_story()
    steps = game.library.get(AiCard, "vanish").steps
    answers = given("9 1 1 1 l 8", "zero_presence", draw="lucy")
    run(game, script.play_record(Scene(table=game.table, record="ai_card:vanish"), steps), answers)
    assert who(game, "lucy").fighting_arts == ["zero_presence"]


# --- none is left to the players' book ------------------------------------------------------------


def test_every_story_that_a_card_or_a_survivors_track_calls_plays_by_itself() -> None:
    library = developing().library
    called = {
        step.body
        for type_ in KINDS.values()
        for record in library.all(type_).values()
        for _, step in steps_of(record)
        if step.verb == "trigger"
    }
    tracks = library.all(Milestone).values()
    called |= {one.event for one in tracks if one.scope == "survivor"}
    assert {"zero_presence", "kings_curse", "age_4", "white_secret"} <= called
    assert called - set(library.ids(StoryEvent)) == set()
