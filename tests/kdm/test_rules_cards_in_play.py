"""What single monsters' cards do while they lie in play, and their instincts."""

from __future__ import annotations

import pytest

from kdmlog.core.errors import Refused
from kdmlog.core.events import CardsDrawn
from kdmlog.core.inputs import Inputs
from kdmlog.core.requests import Ask
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import AiCard
from kdmlog.games.kdm.rules import ai, attack, conditions, harm, in_play, monster, numbers, script
from kdmlog.games.kdm.state import State, Tile

from .scene import (
    board,
    fight,
    first_story,
    given,
    of,
    on_board,
    play,
    run,
    survivors_turn,
    wear,
    who,
    zones,
)
from .table import Game

SPACE = (13, 8)
"""Adjacent to the monster's base at 11-12 × 8-9."""


def facing(monster_: str, *in_play_: str, level: str = "1", on_the_board: bool = False) -> Game:
    """Returns a showdown against a monster, at its turn, with these cards in play."""
    game = on_board() if on_the_board else first_story()
    fight(game).monster, fight(game).level = monster_, level
    game.state.decks["ai"].zones["in_play"] = list(in_play_)
    return game


def deal(game: Game, *cards: str) -> None:
    game.state.decks["ai"]["deck"][:0] = cards


def at(game: Game, moment: str, answers: object = None, id_: str = "") -> list[object]:
    """Plays what the cards in play do at a moment."""
    return list(run(game, in_play.moment(game.table, moment, id_), answers))  # type: ignore[arg-type]


def instinct(game: Game, dice: str = "", *choices: str) -> list[object]:
    return list(run(game, ai.instinct(game.table), given(dice, *choices)))


def mood(monster_: str, card: str, tokens: int, choice: str) -> int:
    """Returns how many basic actions the tokens on a card come to at the turn's end."""
    game = facing(monster_, card)
    fight(game).card_tokens[card] = tokens
    spent = given("1 1", choice, "lucy")
    inputs = spent if choice == "spend" else given("", *filter(None, [choice]))
    begun = of(at(game, "turn_end", inputs), e.RecordBegun)  # type: ignore[arg-type]
    return sum("basic_action" in one.record for one in begun)


@pytest.mark.parametrize(
    ("tokens", "choice", "actions"), [(3, "spend", 1), (3, "keep", 0), (2, "", 0)]
)
def test_3_tokens_on_bloodthirsty_are_a_basic_action(
    tokens: int, choice: str, actions: int
) -> None:
    assert mood("white_lion", "bloodthirsty", tokens, choice) == actions


def test_bloodthirsty_has_a_token_for_each_time_it_damages() -> None:
    game = facing("white_lion", "bloodthirsty")
    at(game, "damaged", id_="lucy")
    assert fight(game).card_tokens == {"bloodthirsty": 1}


def test_buck_strikes_its_blind_spot_each_turn() -> None:
    game = facing("screaming_antelope", "buck", on_the_board=True)
    board(game).survivors |= {"allister": (11, 10), "erza": (11, 7)}
    game.state.diagrams["screaming_antelope.blind_spot"] = "behind"
    scored = of(at(game, "turn_start", given("1")), e.HitsScored)  # type: ignore[arg-type]
    assert [one.target for one in scored] == ["allister"]


def test_a_spinning_halberd_makes_ranged_weapons_useless() -> None:
    game = survivors_turn()
    game.state.decks["ai"].zones["in_play"] = ["spinning_halberd"]
    wear(game, c9="cat_gut_bow")
    with pytest.raises(Refused, match="of no use now: Spinning Halberd"):
        game.do(a.Attack(survivor="allister", weapon="cat_gut_bow"))
    fight(game).last_weapon["allister"] = "cat_gut_bow"
    assert attack.weapon_named(game.table, "allister", "") != "cat_gut_bow"


# --- white lion -----------------------------------------------------------------------------------


def test_lick_wounds_heals_1_and_goes_back_on_top() -> None:
    game = first_story()
    run(game, monster.wound(game.table, "lucy"))
    deal(game, "lick_wounds")
    game.do(a.MonsterTurn(), given())
    assert fight(game).wounds == 0
    assert game.state.decks["ai"]["deck"][0] == "lick_wounds"


def test_an_unhurt_lion_has_nothing_to_lick() -> None:
    game = first_story()
    deal(game, "lick_wounds")
    game.do(a.MonsterTurn(), given())
    assert zones(game, "ai")["discard"] == ["lick_wounds"]


def test_ground_fighting_draws_nothing() -> None:
    game = facing("white_lion", "ground_fighting")
    events = game.do(a.MonsterTurn(), given())
    assert not of(events, CardsDrawn)


@pytest.mark.parametrize(("answer", "dice"), [("within", "4"), ("away", "")])
def test_ground_fighting_strikes_who_spends_activation_beside_it(answer: str, dice: str) -> None:
    game = facing("white_lion", "ground_fighting")
    who(game).survival = 0
    rolled = given("4 1 1 1 a" if dice else "", answer, *(["allister"] if dice else []))
    at(game, "activation", rolled, "allister")
    # 2 + 2 dice, 1 + 1 damage
    assert who(game).injuries == ({"arms": ["light", "heavy"]} if dice else {})
    assert fight(game).tokens.get("speed", 0) == fight(game).tokens.get("damage", 0) == 0


def test_a_wound_ends_ground_fighting() -> None:
    game = facing("white_lion", "ground_fighting")
    run(game, monster.wound(game.table, "lucy"))
    assert zones(game, "ai")["discard"] == ["ground_fighting"]


def test_cunning_grabs_a_random_adjacent_survivor_at_the_end_of_the_turn() -> None:
    game = facing("white_lion", "cunning", level="2")
    at(game, "turn_end", given("b", "erza"))
    assert who(game, "erza").knocked_down is not None
    assert who(game, "erza").injuries == {"body": ["light", "heavy"]}


def test_with_a_broken_foot_cunning_cannot_grab() -> None:
    game = facing("white_lion", "cunning")
    game.state.decks["hit_locations"].zones["persistent"] = ["beasts_paw"]
    at(game, "turn_end", given("", "erza"))
    assert who(game, "erza").knocked_down is None


def test_merciless_doubles_grabs() -> None:
    game = facing("white_lion", "merciless")
    play(game, [{"grab": {}}], given("b"), who="lucy")
    assert who(game, "lucy").injuries == {"body": ["light", "heavy"]}


# --- screaming antelope ---------------------------------------------------------------------------


def test_trample_is_damage_by_level_at_a_collision() -> None:
    game = facing("screaming_antelope", "trample", level="2")
    at(game, "collision", given("l"), "lucy")
    assert who(game, "lucy").injuries == {"legs": ["light", "heavy"]}


def test_grazing_beside_acanthus_archives_it_heals_and_feeds() -> None:
    game = facing("screaming_antelope", "hypermetabolism", on_the_board=True)
    board(game).tiles["acanthus_plants.1"] = Tile(terrain="acanthus_plants", at=SPACE)
    run(game, monster.wound(game.table, "lucy"))
    instinct(game)
    assert board(game).tiles == {}
    assert (fight(game).wounds, fight(game).tokens["speed"]) == (0, 1)


def test_without_acanthus_it_moves_forward() -> None:
    game = facing("screaming_antelope", on_the_board=True)
    instinct(game)
    assert board(game).monster == (11, 8 - 6)


# --- phoenix --------------------------------------------------------------------------------------


def test_spiral_age_makes_each_age_token_4_hunt_xp() -> None:
    game = facing("phoenix", "spiral_age")
    who(game).tokens["age"] = 1
    who(game).hunt_xp = 10
    play(game, [{"perform": "spiral_age"}], who="allister")
    assert (who(game).hunt_xp, who(game).tokens.get("age", 0)) == (10 + 4, 0)


def test_disdain_spares_the_deaf_its_moan_and_not_their_age() -> None:
    game = facing("phoenix", "spiral_age")
    for one in game.state.survivors.values():
        one.insanity = 3
    who(game).severe_injuries = ["deaf"]
    who(game).tokens["age"] = 1
    who(game).hunt_xp = 10
    run(game, ai.instinct(game.table))
    assert (who(game).insanity, who(game, "lucy").insanity) == (3, 2)
    assert (who(game).hunt_xp, who(game).tokens.get("age", 0)) == (14, 0)


def test_haze_slows_by_each_age_token() -> None:
    game = facing("phoenix", "haze")
    who(game).tokens["age"] = 2
    assert numbers.attribute(game.table, who(game), "movement").total == 5 - 2
    assert numbers.attribute(game.table, who(game), "speed").total == -2


def test_zeal_is_a_basic_action_at_the_end_of_the_turn() -> None:
    game = facing("phoenix", "zeal")
    events = at(game, "turn_end", given("1 1", "allister", effects=""))
    assert of(events, e.HitsScored)


def test_ripple_ages_everyone_and_is_brain_damage_by_level() -> None:
    game = facing("phoenix", "spiral_age", level="2")
    who(game, "erza").tokens["age"] = 1
    who(game, "erza").hunt_xp = 10
    for one in game.state.survivors.values():
        one.insanity = 3
    deal(game, "ripple")
    game.do(a.MonsterTurn(), given())
    assert [one.insanity for one in game.state.survivors.values()] == [1, 1, 1, 1]
    assert [one.hunt_xp for one in game.state.survivors.values()] == [0, 14, 0, 0]


def test_wing_punch_dooms_its_target_and_materializes_on_others() -> None:
    game = facing("phoenix", on_the_board=True)
    board(game).size = 3
    board(game).survivors = {"lucy": (1, 1), "zachary": (4, 1)}
    fight(game).target = "lucy"
    steps = game.library.get(AiCard, "wing_punch").steps
    scene = conditions.Scene(table=game.table, record="ai_card:wing_punch", who="lucy")
    events = run(game, script.play_record(scene, steps), given("4 w 10", "9-1"))
    assert board(game).monster == (2, 1)
    assert [one.survivor for one in of(events, e.Collided)] == ["zachary"]
    assert who(game, "lucy").injuries["waist"] == ["light", "heavy"]


def test_rancid_melon_stench_gives_everyone_an_age_token() -> None:
    game = facing("phoenix")
    deal(game, "rancid_melon_stench")
    game.do(a.MonsterTurn(), given())
    assert [one.tokens.get("age") for one in game.state.survivors.values()] == [1, 1, 1, 1]
    assert fight(game).tokens["speed"] == 1


def test_life_pattern_heals_everything_when_it_is_drawn_again() -> None:
    game = facing("phoenix")
    run(game, monster.wound(game.table, "lucy"))
    run(game, monster.wound(game.table, "lucy"))
    deal(game, "life_pattern")
    game.do(a.MonsterTurn(), given())
    assert (fight(game).tokens.get("toughness", 0), fight(game).wounds) == (4, 2)
    run(game, ai.draw_ai(game.table))
    assert (fight(game).tokens.get("toughness", 0), fight(game).wounds) == (0, 0)
    assert not [cards for cards in zones(game, "ai").values() if "life_pattern" in cards]


def test_peck_destroys_the_armor_where_it_hits() -> None:
    game = facing("phoenix")
    who(game).survival = 0
    assert who(game).armor["waist"] == 1
    deal(game, "peck")
    game.do(a.MonsterTurn(), given("4 1 w", "allister"))
    assert who(game).armor["waist"] == 0
    assert "cloth" in [game.state.gear[one] for one in who(game).grid.values()]
    assert who(game).injuries == {"waist": ["light", "heavy"]}


# --- butcher --------------------------------------------------------------------------------------


def test_cards_whose_order_changes_nothing_ask_for_none() -> None:
    game = facing("butcher", "berserker", "fast_target")
    asked: list[str] = []

    def reply(ask: Ask, _state: State) -> Inputs:
        asked.append(ask.purpose)
        return given("", "none")

    game.do(a.MonsterTurn(), answer=reply)
    assert asked and "moment_order" not in asked


def test_screaming_is_brain_damage_each_turn_until_a_death() -> None:
    game = facing("butcher", "screaming")
    at(game, "turn_start")
    assert [one.injuries for one in game.state.survivors.values()] == [{"brain": ["light"]}] * 4
    run(game, harm.die(game.table, ["lucy"], "claws"))
    assert zones(game, "ai")["discard"] == ["screaming"]


@pytest.mark.parametrize(("roll", "wounds"), [("5", 1), ("6", 0)])
def test_invincible_cancels_a_wound_on_6(roll: str, wounds: int) -> None:
    game = facing("butcher", "invincible", level="3")
    run(game, monster.wound(game.table, "lucy"), given(roll))
    assert fight(game).wounds == wounds


@pytest.mark.parametrize(("card", "drawn"), [("berserker", 2), ("frenzied_berserker", 3)])
def test_a_berserker_draws_more(card: str, drawn: int) -> None:
    game = facing("butcher", card)
    deal(game, *["familiar_face"] * 3)
    for one in game.state.survivors.values():
        one.insanity = 50
    events = game.do(a.MonsterTurn(), given())
    assert len(of(events, CardsDrawn)) == drawn


def test_three_tokens_of_infectious_lunacy_are_a_frenzy() -> None:
    game = facing("butcher")
    run(game, in_play.gain_status(game.table, "allister", "infectious_lunacy"))
    who(game).insanity = 9
    for _ in range(2):
        run(game, harm.damage(game.table, "allister", "brain", 1))
    assert who(game).passing == []
    run(game, harm.damage(game.table, "allister", "brain", 1), given("5"))
    assert who(game).passing == ["frenzy"]


def test_infectious_lunacy_gives_as_many_tokens_as_the_damage_suffered() -> None:
    game = facing("butcher")
    run(game, in_play.gain_status(game.table, "allister", "infectious_lunacy"))
    who(game).insanity = 9
    run(game, harm.damage(game.table, "allister", "brain", 2))
    assert who(game).status_cards == {"infectious_lunacy": 2}, "also what insanity takes"
    run(game, harm.damage(game.table, "allister", "brain", 3), given("5"))
    assert who(game).status_cards == {"infectious_lunacy": 0}, "all go for one frenzy"
    assert who(game).passing == ["frenzy"]


def test_menace_turns_to_the_closest_who_suffers_brain_damage_by_level() -> None:
    game = facing("butcher", level="2", on_the_board=True)
    board(game).survivors["erza"] = (11, 12)
    who(game, "erza").insanity = 2
    instinct(game)
    assert who(game, "erza").insanity == 0
    assert board(game).facing == "n"


def test_each_hit_of_the_butchers_bite_is_a_severe_head_injury() -> None:
    game = facing("butcher")
    who(game).survival = 0
    deal(game, "butcher_bite")
    events = game.do(a.MonsterTurn(), given("4 4 10 10", "allister"))
    assert [one.injury for one in of(events, e.SevereInjurySuffered)] == ["destroyed_tooth"] * 2


# --- King's Man -----------------------------------------------------------------------------------


def test_kings_aura_puts_battle_pressure_on_the_hit_locations() -> None:
    game = facing("kings_man", "kings_aura")
    at(game, "turn_start")
    assert game.state.decks["hit_locations"]["deck"][:4].count("battle_pressure") == 3


def test_battle_pressure_cancels_the_hit() -> None:
    game = survivors_turn()
    fight(game).monster = "kings_man"
    game.state.decks["hit_locations"]["deck"].insert(0, "battle_pressure")
    attack = a.Attack(survivor="allister", weapon="founding_stone")
    assert not of(game.do(attack, given("7 1", "lost")), e.WoundAttempted)


def test_from_the_blind_spot_its_weak_spot_is_softer_by_4() -> None:
    game = facing("kings_man", "weak_spot")
    fight(game).turn = "survivors"
    game.state.phase.step = "survivors"
    game.state.decks["hit_locations"]["deck"].insert(0, "regal_greaves")
    attack = a.Attack(survivor="allister", weapon="founding_stone", blind=True)
    [attempt] = of(game.do(attack, given("6 1 2", effects="")), e.WoundAttempted)
    assert attempt.needs == 6 - 4


def test_kings_combat_is_a_basic_action_at_the_start_of_the_turn() -> None:
    game = facing("kings_man", "kings_combat")
    events = at(game, "turn_start", given("1 1 1", "allister"))
    assert of(events, e.HitsScored)


def test_no_card_is_drawn_when_the_last_survivor_died_at_the_start_of_the_turn() -> None:
    game = facing("kings_man", "kings_combat")
    for one in ("erza", "lucy", "zachary"):
        run(game, harm.die(game.table, [one], "a test"))
    who(game).injuries["head"] = ["heavy"]
    deck = zones(game, "ai")
    game.do(a.MonsterTurn(), given("1 1 3 h 3", "allister", "no"))
    assert not who(game).alive
    assert (fight(game).outcome, zones(game, "ai")) == ("defeat", deck)


def test_guard_is_5_toughness_until_its_next_turn() -> None:
    game = facing("kings_man")
    instinct(game)
    assert fight(game).tokens.get("toughness", 0) == 5
    run(game, monster.end_tokens(game.table, "monster_turn"))
    assert fight(game).tokens.get("toughness", 0) == 0


def test_clang_is_worse_for_those_without_the_song() -> None:
    for innovations, left in (([], 5 - 3), (["song_of_the_brave"], 5 - 1)):
        game = facing("kings_man")
        game.state.settlement.innovations.extend(innovations)
        for one in game.state.survivors.values():
            one.insanity = 5
        deal(game, "clang")
        game.do(a.MonsterTurn(), given())
        assert who(game).insanity == left


@pytest.mark.parametrize(
    ("roll", "injury"), [("10", "intracranial_hemorrhage"), ("1", "head_explosion")]
)
def test_coup_de_grace_rolls_at_5_less_for_a_severe_head_injury(roll: str, injury: str) -> None:
    game = facing("kings_man")
    deal(game, "coup_de_grace")
    events = game.do(a.MonsterTurn(), given(roll, "allister"))
    assert [one.injury for one in of(events, e.SevereInjurySuffered)] == [injury]


# --- the Hand -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("level", "tokens"), [("1", 12), ("2", 17), ("3", 20)])
def test_impossible_eyes_turn_over_at_their_limit(level: str, tokens: int) -> None:
    game = facing("the_hand", "impossible_eyes", level=level)
    deck = list(game.state.decks["ai"]["deck"])
    for _ in range(tokens - 1):
        run(game, monster.wound(game.table, "lucy"))
    assert zones(game, "ai")["in_play"] == ["impossible_eyes"]
    run(game, monster.wound(game.table, "lucy"))
    assert zones(game, "ai")["in_play"] == ["respect"]
    assert game.state.decks["ai"]["deck"] == deck


@pytest.mark.parametrize(
    ("roll", "survival", "alive", "injuries"),
    [("1", 1, False, []), ("2", 1, True, ["broken_rib"]), ("10", 0, False, [])],
)
def test_the_penalty(roll: str, survival: int, alive: bool, injuries: list[str]) -> None:
    game = facing("the_hand")
    for id_ in ("erza", "lucy", "zachary"):
        fight(game).survivors.remove(id_)
    who(game).survival = survival
    instinct(game, roll)
    assert who(game).alive is alive
    assert who(game).severe_injuries == injuries
    assert who(game).survival == 0 or not alive


# --- Watcher --------------------------------------------------------------------------------------


def test_exhale_and_inhale_cancel_each_other() -> None:
    game = facing("watcher", "inhale")
    deal(game, "exhale")
    game.do(a.MonsterTurn(), given())
    assert zones(game, "ai")["in_play"] == ["exhale"]
    assert zones(game, "ai")["discard"] == ["inhale"]


def test_inhale_pulls_everyone_5_spaces_nearer_and_nobody_through_another() -> None:
    game = facing("watcher", "inhale", on_the_board=True)
    there = {"allister": (1, 8), "erza": (2, 8), "lucy": (11, 7), "zachary": (20, 8)}
    board(game).survivors |= there
    at(game, "turn_end")
    there = board(game).survivors
    assert there == {"allister": (5, 9), "erza": (7, 8), "lucy": (11, 7), "zachary": (15, 8)}


def test_without_a_board_inhale_says_who_is_pulled() -> None:
    said = of(at(facing("watcher", "inhale"), "turn_end"), e.Said)  # type: ignore[arg-type]
    assert len(said) == 4


def test_absorb_weakens_everyone_and_heals() -> None:
    game = facing("watcher")
    run(game, monster.wound(game.table, "lucy"))
    instinct(game, "5")
    assert [one.tokens["strength"] for one in game.state.survivors.values()] == [-1] * 4
    assert fight(game).wounds == 0


def test_harrow_leaves_no_survival() -> None:
    game = facing("watcher")
    who(game).insanity = 9
    deal(game, "harrow")
    game.do(a.MonsterTurn(), given("2 1 1 1 w 9", "allister", "no"))
    assert who(game).survival == 0
