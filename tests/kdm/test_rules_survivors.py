"""The record sheet: new survivors, survival, milestones, fighting arts and disorders, the grid."""

from __future__ import annotations

import pytest

from kdmlog.core.errors import Refused
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import FightingArt
from kdmlog.games.kdm.rules import conditions, figures, numbers, things

from .scene import developing, first_story, founders, given, of, play, run, settled, who
from .table import Game


def test_a_founder_has_movement_5_1_survival_cloth_and_a_founding_stone() -> None:
    one = who(founders())
    assert (one.movement, one.survival) == (5, 1)
    others = ("accuracy", "strength", "evasion", "luck", "speed", "insanity", "courage")
    assert [getattr(one, stat) for stat in others] == [0] * 7
    assert (one.understanding, one.hunt_xp, one.proficiency) == (0, 0, 0)
    assert sorted(one.grid.values()) == ["cloth.1", "founding_stone.1"]
    assert {k: v for k, v in one.armor.items() if v} == {"waist": 1}


def test_a_later_survivor_is_a_name_of_the_population_with_1_survival_and_no_gear() -> None:
    game = developing()
    game.do(a.SurvivorNew(name="Mabel", sex="f"))
    assert who(game, "mabel").survival == 1
    assert who(game, "mabel").grid == {}
    assert game.state.settlement.population == 8


def test_nobody_is_named_beyond_the_population() -> None:
    game = settled("4")
    game.do(a.SettlementYear(), given("", "allister"))
    with pytest.raises(Exception, match="record sheet"):
        game.do(a.SurvivorNew(name="Mabel", sex="f"))


# --- survival -------------------------------------------------------------------------------------


def test_survival_never_exceeds_the_limit_and_what_is_over_is_lost() -> None:
    game = founders()
    [event] = of(run(game, figures.change(game.table, "allister", "survival", 3)), e.StatChanged)
    assert (event.by, event.now, event.lost) == (0, 1, 3)
    assert who(game).survival == 1


def test_the_limit_clips_what_is_over_it_only() -> None:
    game = founders()
    game.state.settlement.survival_limit = 3
    [event] = of(run(game, figures.change(game.table, "allister", "survival", 10)), e.StatChanged)
    assert (event.by, event.now, event.lost) == (2, 3, 8)


def test_language_raises_the_limit_to_2_and_changes_nobodys_survival() -> None:
    game = settled()
    before = {id_: one.survival for id_, one in game.state.survivors.items()}
    game.do(a.SettlementYear(), given("", "allister"))
    assert game.state.settlement.survival_limit == 2
    assert {id_: one.survival for id_, one in game.state.survivors.items()} == before


def test_a_limit_raised_by_hand_is_raised_further_by_an_innovation() -> None:
    game = developing()
    game.state.settlement.survival_limit = 5
    play(game, [{"innovation": "hovel"}])
    assert game.state.settlement.survival_limit == 6


def test_figures_but_attributes_never_fall_below_0() -> None:
    game = founders()
    for stat in ("survival", "insanity", "courage", "understanding", "hunt_xp", "proficiency"):
        run(game, figures.change(game.table, "allister", stat, -9))
        assert getattr(who(game), stat) == 0
    run(game, figures.change(game.table, "allister", "luck", -2))
    assert who(game).luck == -2


def test_insane_is_3_insanity() -> None:
    game = founders()
    who(game).insanity = 2
    assert not conditions.insane(who(game))
    who(game).insanity = 3
    assert conditions.insane(who(game))


def test_tokens_count_with_an_attribute_until_the_showdown_ends() -> None:
    game = first_story()
    play(game, [{"tokens": {"strength": 2}}, {"tokens": {"strength": -1}}], who="allister")
    assert numbers.attribute(game.table, who(game), "strength").total == 1
    assert who(game).strength == 0


# --- milestones -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("track", "event", "ability"),
    [("courage", "bold", "matchmaker"), ("understanding", "insight", "tinker")],
)
def test_the_third_box_is_bold_or_insight_once_in_a_lifetime(
    track: str, event: str, ability: str
) -> None:
    game = developing("erza")
    before = game.state.settlement.endeavors
    run(game, figures.change(game.table, "allister", track, 2))
    assert who(game).abilities == []
    run(game, figures.change(game.table, "allister", track, 1), given("4"))
    assert who(game).abilities == [ability]
    assert game.state.settlement.endeavors == before + 1
    run(game, figures.change(game.table, "allister", track, -1))
    events = run(game, figures.change(game.table, "allister", track, 1))
    assert not of(events, e.StoryTriggered)


@pytest.mark.parametrize(
    ("track", "face", "changed"),
    [
        ("courage", "8", ("strength", 1)),
        ("courage", "10", ("accuracy", 1)),
        ("understanding", "9", ("accuracy", 1)),
        ("understanding", "10", ("strength", 1)),
    ],
)
def test_the_settlements_own_table_of_bold_and_insight(
    track: str, face: str, changed: tuple[str, int]
) -> None:
    game = developing("erza")
    run(game, figures.change(game.table, "allister", track, 3), given(face))
    assert getattr(who(game), changed[0]) == changed[1]


@pytest.mark.parametrize(
    ("track", "face", "stat", "now"),
    [
        ("courage", "8", "strength", 1),
        ("courage", "10", "speed", 1),
        ("understanding", "8", "accuracy", 1),
        ("understanding", "10", "movement", 6),
        ("courage", "4", "insanity", 3),
        ("understanding", "7", "insanity", 3),
    ],
)
def test_the_showdowns_own_table_of_bold_and_insight(
    track: str, face: str, stat: str, now: int
) -> None:
    game = first_story()
    run(game, figures.change(game.table, "allister", track, 3), given(face))
    assert getattr(who(game), stat) == now
    assert who(game).abilities == [{"courage": "stalwart", "understanding": "analyze"}[track]]


def test_a_leap_over_a_box_reaches_it() -> None:
    game = developing("erza")
    events = run(game, figures.change(game.table, "allister", "courage", 5), given("8"))
    assert [one.event for one in of(events, e.StoryTriggered)] == ["bold"]


# --- fighting arts and disorders ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("verb", "box", "cards"),
    [
        ("disorder", "disorders", ("anxiety", "hoarder", "prey", "squeamish")),
        ("fighting_art", "fighting_arts", ("tough", "leader", "crazed", "tumble")),
    ],
)
def test_a_fourth_replaces_one_of_the_players_choice_and_one_had_changes_nothing(
    verb: str, box: str, cards: tuple[str, ...]
) -> None:
    game = founders()
    for card in cards[:3]:
        play(game, [{verb: {"id": card}}], who="allister")
    play(game, [{verb: {"id": cards[1]}}], who="allister")
    assert getattr(who(game), box) == list(cards[:3])
    play(game, [{verb: {"id": cards[3]}}], given("", cards[0]), who="allister")
    assert getattr(who(game), box) == [cards[1], cards[2], cards[3]]


def test_secret_fighting_arts_count_among_the_three() -> None:
    game = founders()
    assert game.library.get(FightingArt, "kings_step").secret
    for card in ("kings_step", "tough", "leader"):
        play(game, [{"fighting_art": {"id": card}}], who="allister")
    play(game, [{"fighting_art": {"id": "crazed"}}], given("", "kings_step"), who="allister")
    assert who(game).fighting_arts == ["tough", "leader", "crazed"]


def test_a_random_disorder_is_drawn_from_all_of_them() -> None:
    seen = set()
    for number in range(12):
        game = Game(seed=str(number))
        game.do(a.SurvivorNew(name="Allister", sex="m"))
        play(game, [{"disorder": {"random": True}}], who="allister")
        seen |= set(who(game).disorders)
    assert len(seen) > 3
    assert len(game.state.decks["disorders"]["deck"]) == 23 - 1


def test_apathetic_neither_spends_nor_gains_survival_nor_gains_courage() -> None:
    game = founders()
    who(game).disorders.append("apathetic")
    assert not figures.can_spend_survival(game.table, who(game))
    run(game, figures.change(game.table, "allister", "courage", 1))
    assert who(game).courage == 0


# --- the gear grid --------------------------------------------------------------------------------


def home_with(*cards: str) -> Game:
    game = developing("erza")
    for card in cards:
        run(game, things.gain_gear(game.table, card))
    return game


def test_no_two_of_the_same_gear_but_weapons() -> None:
    game = home_with("lucky_charm", "lucky_charm", "founding_stone")
    game.do(a.GearPut(survivor="allister", gear="lucky_charm"))
    with pytest.raises(Refused, match="only weapons"):
        game.do(a.GearPut(survivor="allister", gear="lucky_charm"))
    game.rewind()
    game.do(a.GearPut(survivor="allister", gear="founding_stone"))


def test_one_armor_a_location() -> None:
    game = home_with("rawhide_pants")
    with pytest.raises(Refused, match="wears the Cloth on the waist"):
        game.do(a.GearPut(survivor="allister", gear="rawhide_pants"))


def test_armor_points_are_those_of_the_gear_worn_and_a_full_set_adds() -> None:
    pieces = ("headband", "gloves", "vest", "pants", "boots")
    game = home_with(*(f"rawhide_{piece}" for piece in pieces))
    game.do(a.GearTake(survivor="allister", cell="1"))
    for piece in pieces[:4]:
        game.do(a.GearPut(survivor="allister", gear=f"rawhide_{piece}"))
    assert {k: v for k, v in who(game).armor.items() if v} == dict.fromkeys(
        ("head", "arms", "body", "waist"), 1
    )
    game.do(a.GearPut(survivor="allister", gear="rawhide_boots"))
    assert set(who(game).armor.values()) == {2}


def test_gear_in_a_grid_is_named_by_its_cell_or_its_name() -> None:
    game = home_with()
    cells = {game.state.gear[one]: cell for cell, one in who(game).grid.items()}
    game.do(a.GearTake(survivor="allister", cell="cloth"))
    assert cells["cloth"] not in who(game).grid
    with pytest.raises(Refused, match="'clo' is no cell of the grid"):
        game.do(a.GearTake(survivor="allister", cell="clo"))


def test_gear_is_rearranged_in_the_settlement_only() -> None:
    game = first_story()
    for action in (
        a.GearMove(survivor="allister", before="1", to="5"),
        a.GearTake(survivor="allister", cell="1"),
        a.GearSwap(survivor="allister", cell="1", other="erza", other_cell="1"),
    ):
        with pytest.raises(AssertionError, match="turn"):
            game.do(action)


def test_gear_moves_within_a_grid_and_two_cards_change_places() -> None:
    game = home_with()
    game.do(a.GearMove(survivor="allister", before="1", to="2"))
    assert who(game).grid == {"2": "cloth.1", "1": "founding_stone.1"}
    game.do(a.GearMove(survivor="allister", before="1", to="c3"))
    assert who(game).grid == {"2": "cloth.1", "9": "founding_stone.1"}


def test_two_survivors_exchange_gear() -> None:
    game = home_with("lucky_charm")
    game.do(a.GearPut(survivor="allister", gear="lucky_charm", cell="b2"))
    game.do(a.GearSwap(survivor="allister", cell="5", other="erza", other_cell="2"))
    assert who(game).grid["5"] == "founding_stone.2"
    assert who(game, "erza").grid["2"] == "lucky_charm.1"


# --- death ----------------------------------------------------------------------------------------


def test_population_is_a_pool_and_a_death_takes_one() -> None:
    game = developing("erza")
    play(game, [{"die": {}}], given("6", "graves", "erza"), who="lucy")
    assert game.state.settlement.population == 7


def test_the_dead_and_the_retired() -> None:
    game = developing("erza")
    who(game, "zachary").status = "retired"
    play(game, [{"die": {}}], given("6", "graves", "erza"), who="lucy")
    assert who(game, "zachary").alive
    assert not who(game, "lucy").alive
    with pytest.raises(Refused, match="Zachary cannot depart: retired"):
        run_depart(game, ["allister", "zachary"])


def run_depart(game: Game, people: list[str]) -> None:
    game.do(a.Depart(survivors=people, hunt="white_lion"))
