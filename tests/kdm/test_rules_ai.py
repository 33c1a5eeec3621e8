"""AI cards in play: durations, moments, moods and traits, status cards; Life; the turn's frame."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from kdmlog.core.events import CardsDrawn, Chosen, DeckShuffled, DiceRolled
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import AiCard, HitLocation, Monster
from kdmlog.games.kdm.rules import ai, harm, in_play, monster, numbers

from .scene import (
    fight,
    first_story,
    given,
    move_all,
    of,
    on_top,
    play,
    run,
    survivors_turn,
    who,
    zones,
)
from .table import Game


def lend(game: Game, id_: str, type_: str = "mood", **fields: Any) -> None:
    """Lets the packs know an AI card that they do not have."""
    data = {"name": id_.title(), "monster": "white_lion", "level": "A", "type": type_, **fields}
    game.library._decoded["ai_card", id_] = msgspec.convert(data, AiCard)


def laid(game: Game, id_: str, type_: str = "mood", zone: str = "in_play", **fields: Any) -> None:
    """Lays an AI card into play."""
    lend(game, id_, type_, **fields)
    game.state.decks["ai"].zones.setdefault(zone, []).append(id_)


def holds(game: Game, id_: str, card: str, **fields: Any) -> None:
    """Gives a survivor a status card."""
    lend(game, card, "status", **fields)
    who(game, id_).status_cards[card] = 0


def sorry(game: Game, *cards: str) -> None:
    """Leaves these cards alone in the AI deck."""
    move_all(game, "ai", "deck", "out")
    game.state.decks["ai"].zones["deck"] = list(cards)


def wound(game: Game, times: int = 1, inputs: Any = None) -> list[Any]:
    """Wounds the monster by Allister's hand."""
    found: list[Any] = []
    for _ in range(times):
        found += run(game, monster.wound(game.table, "allister"), inputs)
    return found


SAY: dict[str, Any] = {"say": "something happens"}

# --- durations ------------------------------------------------------------------------------------


def duration(game: Game, **fields: Any) -> None:
    """Puts a duration on top: face down it says so, face up Lucy gains courage."""
    face_down = {"on": {"face_down": [{"gain": {"who": "@erza", "insanity": 1}}]}}
    lend(game, "vanish_", "duration", **face_down, **fields)
    game.state.decks["ai"].zones["deck"].insert(0, "vanish_")


FACE_UP: list[Any] = [{"gain": {"who": "@lucy", "courage": 1}}]


def test_a_duration_lies_face_up_on_the_deck_after_its_first_draw() -> None:
    game = first_story()
    duration(game, steps=FACE_UP)
    game.do(a.MonsterTurn())
    assert zones(game, "ai")["face_up"] == ["vanish_"]
    assert (who(game, "erza").insanity, who(game, "lucy").courage) == (1, 0)


def test_a_duration_is_drawn_again_played_and_discarded() -> None:
    game = first_story()
    duration(game, steps=FACE_UP)
    game.do(a.MonsterTurn())
    game.do(a.EndTurn())
    events = game.do(a.MonsterTurn())
    assert not of(events, CardsDrawn)
    assert zones(game, "ai")["discard"] == ["vanish_"]
    assert (who(game, "erza").insanity, who(game, "lucy").courage) == (1, 1)


def test_a_duration_face_up_is_what_a_wound_takes() -> None:
    game = first_story()
    duration(game, steps=FACE_UP, leaves=[{"gain": {"who": "@zachary", "courage": 1}}])
    game.do(a.MonsterTurn())
    left = len(zones(game, "ai")["deck"])
    wound(game)
    assert zones(game, "ai")["wounds"] == ["vanish_"]
    assert len(zones(game, "ai")["deck"]) == left
    assert "face_up" not in zones(game, "ai")
    assert (who(game, "lucy").courage, who(game, "zachary").courage) == (0, 1)


def test_nothing_but_a_wound_manipulates_the_deck_under_a_duration() -> None:
    game = first_story()
    laid(game, "vanish_", "duration", "face_up")
    assert not of(play(game, [{"reveal_ai": 1}]), CardsDrawn)


def test_the_deck_is_not_made_anew_while_a_duration_lies_on_it() -> None:
    game = first_story()
    sorry(game)
    laid(game, "vanish_", "duration", "face_up", steps=FACE_UP)
    game.state.decks["ai"].zones["discard"] = ["claw"]
    events = game.do(a.MonsterTurn())
    assert not of(events, DeckShuffled)
    assert zones(game, "ai")["discard"] == ["claw", "vanish_"]


def test_with_a_duration_alone_left_a_wound_takes_it_and_the_next_one_kills() -> None:
    game = first_story()
    sorry(game)
    laid(game, "vanish_", "duration", "face_up")
    wound(game)
    assert not fight(game).outcome
    wound(game)
    assert fight(game).outcome == "victory"


# --- wounds, healing, the last card ---------------------------------------------------------------


def test_the_last_card_wounded_with_a_mood_in_play_and_the_next_wound_kills() -> None:
    game = first_story()
    sorry(game, "claw")
    laid(game, "enraged_")
    wound(game)
    assert not fight(game).outcome
    wound(game)
    assert fight(game).outcome == "victory"
    assert zones(game, "ai")["in_play"] == ["enraged_"]


def test_heal_2_puts_the_top_of_the_stack_under_the_deck() -> None:
    game = first_story()
    sorry(game, "claw", "chomp", "maul", "grasp")
    wound(game, 3)
    assert game.state.decks["ai"]["wounds"] == ["maul", "chomp", "claw"]
    play(game, [{"monster": {"heal": 2}}])
    assert game.state.decks["ai"]["deck"] == ["grasp", "maul", "chomp"]
    assert game.state.decks["ai"]["wounds"] == ["claw"]
    assert fight(game).wounds == 1


def test_more_is_not_healed_than_there_are_wounds() -> None:
    game = first_story()
    wound(game)
    play(game, [{"monster": {"heal": 5}}])
    assert fight(game).wounds == 0
    assert len(zones(game, "ai")["deck"]) == 8


def test_in_quick_mode_a_survivors_wound_is_two() -> None:
    game = first_story()
    game.state.variants = ["quick"]
    wound(game)
    assert (fight(game).wounds, len(zones(game, "ai")["wounds"])) == (2, 2)


# --- Life -----------------------------------------------------------------------------------------


def life(game: Game, count: int, *, first: bool = False) -> None:
    """Gives the monster the Life trait."""
    game.fold(e.LifeChanged(by=count, now=count, most=count, first=first))


def test_the_great_golden_cats_15_wounds_are_its_life_and_no_card_is_lost() -> None:
    game = first_story()
    life(game, 15)
    events = wound(game, 14)
    assert (fight(game).life, fight(game).outcome) == (1, "")
    assert len(zones(game, "ai")["deck"]) == 8
    assert len(of(events, e.MonsterWounded)) == 14
    wound(game)
    assert fight(game).outcome == "victory"


def test_life_is_healed_up_to_where_it_began() -> None:
    game = first_story()
    life(game, 15)
    wound(game, 2)
    play(game, [{"monster": {"heal": 5}}])
    assert (fight(game).life, fight(game).wounds) == (15, 0)


def test_with_5_or_6_survivors_life_goes_first_and_the_cards_then() -> None:
    game = first_story()
    life(game, 3, first=True)
    wound(game, 3)
    assert (fight(game).life, fight(game).outcome) == (0, "")
    assert "wounds" not in zones(game, "ai")
    wound(game)
    assert len(zones(game, "ai")["wounds"]) == 1
    play(game, [{"monster": {"heal": 2}}])
    assert (fight(game).life, fight(game).wounds) == (0, 3)


def test_when_the_monster_is_wounded_holds_with_life_too() -> None:
    game = first_story()
    life(game, 15)
    laid(game, "eyes", "trait", on={"wounded": [{"card_tokens": 1}]})
    wound(game, 2)
    assert fight(game).card_tokens == {"eyes": 2}


# --- moods and traits -----------------------------------------------------------------------------


def test_while_ground_fighting_is_in_play_no_ai_is_drawn_until_it_is_wounded() -> None:
    game = first_story()
    laid(game, "flop", rules=["no_draw"], on={"wounded": [{"card": "discard"}]})
    events = game.do(a.MonsterTurn())
    assert not of(events, CardsDrawn)
    on_top(game, "ai", "maul", "claw")
    wound(game)
    assert "in_play" not in zones(game, "ai")
    game.do(a.EndTurn())
    assert of(game.do(a.MonsterTurn(), given("1 1", "allister")), CardsDrawn)


def test_ground_fighting_answers_an_activation_beside_it_before_it_is_resolved() -> None:
    game = survivors_turn()
    who(game, "lucy").survival = 0
    who(game, "lucy").armor["legs"] = 1
    beside = {
        "if": {
            "is": "adjacent_to_monster",
            "then": [{"basic_action": {"target": "", "speed": 2, "damage": 1}}],
        }
    }
    laid(game, "flop", rules=["no_draw"], on={"activation": [beside]})
    events = game.do(a.Attack(survivor="lucy"), given("1 1 1 2 l 1 1", "yes", "lucy"))
    dice = [one.purpose for one in of(events, DiceRolled)]
    assert dice[:3] == ["monster_attack", "hit_location", "attack"]
    assert len(of(events, DiceRolled)[0].faces) == 4
    assert who(game, "lucy").injuries == {"legs": ["light"]}
    assert fight(game).tokens == {}


def test_one_felled_by_what_answers_an_activation_does_not_attack() -> None:
    game = survivors_turn()
    laid(game, "lash", on={"activation": [{"knock_down": {}}]})
    events = game.do(a.Attack(survivor="lucy"))
    assert not of(events, e.AttackBegun)
    assert fight(game).act is not None and fight(game).act.activation == 0


def test_instead_of_drawing_a_card_may_do_something_else() -> None:
    game = first_story()
    laid(
        game,
        "bored_",
        rules=["no_draw"],
        on={"instead_of_draw": [{"gain": {"who": "all", "insanity": 1}}]},
    )
    game.do(a.MonsterTurn())
    assert [who(game, id_).insanity for id_ in game.state.survivors] == [1, 1, 1, 1]


def test_the_controller_orders_what_happens_at_the_start_of_the_turn() -> None:
    game = first_story()
    for card in ("one", "two"):
        laid(game, card, "trait", on={"turn_start": [{"say": card}]})
    events = game.do(a.MonsterTurn(), given("1 1", "two", "allister"))
    assert [one.text for one in of(events, e.Said)] == ["two", "one"]


def test_a_persistent_injury_in_play_heeds_the_end_of_the_turn() -> None:
    game = first_story()
    data = {
        "name": "Gash",
        "monster": "white_lion",
        "persistent": "gash",
        "on": {"turn_end": [SAY]},
    }
    game.library._decoded["hit_location", "gash"] = msgspec.convert(data, HitLocation)
    game.state.decks["hit_locations"].zones["persistent"] = ["gash"]
    events = game.do(a.MonsterTurn(), given("1 1", "allister"))
    assert len(of(events, e.Said)) == 1


def test_what_stands_up_at_the_end_of_the_turn_may_be_felled_by_a_trait_before() -> None:
    game = first_story()
    laid(game, "vortex", "trait", on={"turn_end": [{"knock_down": {"who": "@lucy"}}]})
    who(game, "lucy").knocked_down = 0
    game.do(a.MonsterTurn(), given("1 1", "allister"))
    assert who(game, "lucy").knocked_down is None


def test_a_mood_that_discards_another_at_its_turn_end_leaves_it_nothing_to_do() -> None:
    game = first_story()
    laid(game, "exhale_", on={"turn_end": [{"discard_card": "inhale_"}, {"say": "out"}]})
    laid(game, "inhale_", on={"turn_end": [{"say": "in"}]})
    events = game.do(a.MonsterTurn(), given("1 1", "allister", "exhale_"))
    assert [one.text for one in of(events, e.Said)] == ["out"]


def test_a_wound_may_be_cancelled_by_a_roll_of_6_or_more() -> None:
    game = first_story()
    rows = {"1-5": [], "6+": [{"cancel": "wound"}]}
    laid(game, "invincible_", "trait", on={"wound": [{"table": {"roll": "1d10", "rows": rows}}]})
    wound(game, inputs=given("6"))
    assert fight(game).wounds == 0
    wound(game, inputs=given("5"))
    assert fight(game).wounds == 1


def test_wounds_may_be_tokens_and_take_no_card() -> None:
    game = first_story()
    on = {
        "wounded": [
            {"card_tokens": 1},
            {"if": {"is": {"card_tokens": "2+"}, "then": [{"turn_over": "respect_"}]}},
        ]
    }
    lend(game, "respect_", "trait", steps=[SAY])
    laid(game, "eyes", "trait", rules=["keeps_cards"], on=on)
    wound(game)
    assert len(zones(game, "ai")["deck"]) == 8
    events = wound(game)
    assert zones(game, "ai")["in_play"] == ["respect_"]
    assert len(of(events, e.Said)) == 1
    assert fight(game).card_tokens == {}
    assert fight(game).wounds == 2


def test_an_ai_card_may_go_back_on_top_of_the_deck() -> None:
    game = first_story()
    lend(game, "lick", "normal", steps=[{"card": "deck_top"}])
    game.state.decks["ai"].zones["deck"].insert(0, "lick")
    game.do(a.MonsterTurn())
    assert game.state.decks["ai"]["deck"][0] == "lick"
    assert game.state.decks["ai"].known == 1


def test_an_extra_draw_at_the_start_of_the_turn_is_a_second_card() -> None:
    game = first_story()
    laid(game, "berserk", "trait", on={"turn_start": [{"draw_ai": 1}]})
    on_top(game, "ai", "claw", "chomp")
    events = game.do(a.MonsterTurn(), given("1 1 1", "allister", "lucy"))
    assert [one.cards for one in of(events, CardsDrawn)] == [("claw",), ("chomp",)]


def test_a_sniff_ends_the_turn_and_nothing_more_is_drawn() -> None:
    game = first_story()
    laid(game, "berserk", "trait", on={"turn_start": [{"draw_ai": 1}]})
    events = game.do(a.MonsterTurn(), given("", "none"))
    assert len(of(events, CardsDrawn)) == 1


def test_an_instinct_that_does_not_say_so_does_not_end_the_turn() -> None:
    game = first_story()
    lend(game, "sniff", "normal", steps=[SAY])
    laid(game, "berserk", "trait", on={"turn_start": [{"draw_ai": 1}]})
    events = game.do(a.MonsterTurn(), given("", "none", "none"))
    assert len(of(events, CardsDrawn)) == 2


def test_guard_adds_5_toughness_until_the_start_of_the_next_monster_turn() -> None:
    game = first_story()
    play(
        game,
        [{"monster": {"toughness": 5, "until": "monster_turn"}}, {"monster": {"toughness": 1}}],
    )
    assert numbers.foe(game.table).toughness == 12
    game.do(a.MonsterTurn(), given("1 1", "allister"))
    assert numbers.foe(game.table).toughness == 7
    assert fight(game).passing == {"monster_turn": {}}


def test_weak_spot_is_4_less_toughness_from_the_blind_spot() -> None:
    game = first_story()
    laid(
        game,
        "weak",
        "trait",
        modifiers=[{"to": "monster_toughness", "by": -4, "if": "from_blind_spot"}],
    )
    assert (numbers.foe(game.table).toughness, numbers.foe(game.table).behind) == (6, -4)


def test_haze_takes_a_movement_for_each_age_token() -> None:
    game = first_story()
    laid(game, "haze_", modifiers=[{"to": "movement", "by": -1, "per": "age"}])
    who(game).tokens["age"] = 2
    assert numbers.attribute(game.table, who(game), "movement").total == 3
    assert numbers.attribute(game.table, who(game, "lucy"), "movement").total == 5


def test_an_ai_card_may_take_3_off_the_severe_injuries_of_its_attacks() -> None:
    game = first_story()
    laid(game, "top", "trait", modifiers=[{"to": "dealt_severe_injury", "by": -3}])
    who(game).survival = 0
    who(game).injuries["arms"] = ["light", "heavy"]
    attack = [{"attack": {"speed": 1, "accuracy": 2, "damage": 1}}]
    play(game, attack, given("5 a 7"), who="allister")
    assert [one.injury for one in of(game.log, e.SevereInjurySuffered)] == ["dismembered_arm"]


def test_a_grab_is_1_damage_for_each_level_and_twice_that_of_the_merciless() -> None:
    game = first_story()
    play(game, [{"grab": {"who": "@lucy"}}], given("l"))
    assert who(game, "lucy").injuries == {"legs": ["light"]}
    assert who(game, "lucy").knocked_down is not None
    laid(game, "merciless_", "trait", rules=["grab_doubled"])
    play(game, [{"grab": {"who": "@erza"}}], given("l"))
    assert who(game, "erza").injuries == {"legs": ["light", "heavy"]}


def test_a_chain_of_blows_adds_a_roll_for_each_hit() -> None:
    game = first_story()
    who(game).survival = 0
    attack = [{"attack": {"speed": 2, "accuracy": 4, "damage": 1, "chain": True}}]
    play(game, attack, given("5 5 4 1 2 l a b"), who="allister")
    assert [len(one.faces) for one in of(game.log, DiceRolled)[-4:-1]] == [2, 2, 1]
    assert [one.hits for one in of(game.log, e.HitsScored)] == [3]


def test_collision_plays_what_the_trait_says_for_each_who_suffers_it() -> None:
    game = first_story()
    laid(
        game,
        "trample_",
        "trait",
        on={"collision": [{"damage": {"normal": {"level": 1}, "at": "waist"}}]},
    )
    run(game, in_play.moment(game.table, "collision", "lucy"))
    assert who(game, "lucy").armor["waist"] == 0
    assert who(game, "erza").armor["waist"] == 1


def test_a_death_makes_the_trophies_grow() -> None:
    game = first_story()
    laid(game, "trophies", "trait", on={"survivor_died": [{"monster": {"speed": 1}}]})
    run(game, harm.die(game.table, ["lucy", "erza"], "test"))
    assert fight(game).tokens == {"speed": 2}


def test_battle_pressure_is_always_three_cards_on_top_of_the_hit_locations() -> None:
    game = first_story()
    steps = [{"locations_on_top": {"card": "battle_pressure", "count": 3}}]
    play(game, steps)
    deck = game.state.decks["hit_locations"]
    assert deck["deck"][:3] == ["battle_pressure"] * 3
    deck.zones["discard"] = [deck["deck"].pop(0)]
    deck["deck"].append(deck["deck"].pop(0))
    play(game, steps)
    assert deck["deck"][:3] == ["battle_pressure"] * 3
    assert deck["deck"].count("battle_pressure") == 3


# --- survivor status cards ------------------------------------------------------------------------


def test_a_status_card_does_what_it_says_when_it_is_gained_and_is_on_the_sheet() -> None:
    game = first_story()
    lend(game, "gobbled", "status", steps=[{"place": {"at": "off"}}, {"gain": {"insanity": 1}}])
    play(game, [{"status": {"gain": "gobbled", "who": "@lucy"}}])
    assert who(game, "lucy").status_cards == {"gobbled": 0}
    assert who(game, "lucy").insanity == 1
    play(game, [{"status": {"lose": "gobbled", "who": "@lucy"}}])
    assert who(game, "lucy").status_cards == {}


def test_the_effects_of_a_status_card_are_its_holders_alone() -> None:
    game = survivors_turn()
    holds(game, "lucy", "gobbled", on={"act_start": [{"gain": {"insanity": 1}}]})
    game.do(a.Act(survivor="lucy"))
    game.do(a.Act(survivor="erza"))
    assert (who(game, "lucy").insanity, who(game, "erza").insanity) == (1, 0)


def test_tokens_on_a_status_card_are_its_holders_own() -> None:
    game = first_story()
    tally = [{"card_tokens": 1}, {"if": {"is": {"card_tokens": "2+"}, "then": [SAY]}}]
    for id_ in ("lucy", "erza"):
        holds(game, id_, "lunacy", on={"brain_damaged": tally})
        who(game, id_).insanity = 2
    for id_ in ("lucy", "erza", "lucy"):
        run(game, harm.damage(game.table, id_, "brain", 1))
    assert who(game, "lucy").status_cards == {"lunacy": 2}
    assert who(game, "erza").status_cards == {"lunacy": 1}
    assert [one.survivor for one in of(game.log, e.Said)] == ["lucy"]


def test_two_wounds_in_a_single_round_are_counted_anew_each_round() -> None:
    game = first_story()
    condition = {"wounds_this_round": 2}
    holds(game, "lucy", "gobbled", on={"wounded": [{"if": {"is": condition, "then": [SAY]}}]})
    wound(game)
    game.fold(e.TurnBegun(turn="monster", round=2))
    wound(game)
    assert not of(game.log, e.Said)
    play(game, [{"monster": {"heal": 1}}])
    wound(game)
    assert [one.survivor for one in of(game.log, e.Said)] == ["lucy"]


def test_a_status_card_among_those_in_play_from_the_start_is_everybodys() -> None:
    game = first_story()
    lend(game, "tempo_", "status")
    run(game, ai.comes_into_play(game.table, "tempo_"))
    assert all(one.status_cards == {"tempo_": 0} for one in game.state.survivors.values())


def test_a_trait_that_starts_in_play_does_what_it_does_then() -> None:
    game = first_story()
    lend(game, "golden", "trait", steps=[{"monster": {"speed": 1, "accuracy": 2}}])
    run(game, ai.comes_into_play(game.table, "golden"))
    assert zones(game, "ai")["in_play"] == ["golden"]
    assert fight(game).tokens == {"speed": 1, "accuracy": 2}


# --- tokens of other kinds ------------------------------------------------------------------------


def test_spiral_age_is_4_hunt_experience_for_each_age_token() -> None:
    game = first_story()
    steps = [
        {"gain": {"who": "all", "hunt_xp": {"stat": "age", "times": 4}}},
        {"lose_tokens": {"who": "all", "tokens": ["age"]}},
    ]
    lend(game, "spiral", "trait", steps=steps)
    play(game, [{"tokens": {"age": 1}}], who="lucy")
    play(game, [{"perform": "spiral"}], given("1 1"))  # Age 1
    assert (who(game, "lucy").hunt_xp, who(game, "lucy").tokens) == (4, {})
    assert who(game, "erza").hunt_xp == 0


def test_losing_positive_tokens_leaves_negative_ones_and_bleeding() -> None:
    game = first_story()
    who(game).tokens.update({"strength": 2, "speed": -1, "bleeding": 1})
    play(game, [{"lose_tokens": {"tokens": ["positive"]}}], who="allister")
    assert who(game).tokens == {"speed": -1, "bleeding": 1}


# --- the monster is felled ------------------------------------------------------------------------


def test_a_monster_knocked_down_in_a_flow_does_no_more_of_the_card_and_stands_for_the_next() -> (
    None
):
    game = first_story()
    steps = [{"monster": {"knocked_down": True}}, SAY]
    lend(game, "fall", "normal", steps=steps)
    laid(game, "berserk", "trait", on={"turn_start": [{"draw_ai": 1}]})
    on_top(game, "ai", "claw")
    game.state.decks["ai"].zones["deck"].insert(0, "fall")
    events = game.do(a.MonsterTurn(), given("1 1", "allister"))
    assert not of(events, e.Said)
    assert [one.now for one in of(events, e.MonsterKnockedDown)] == [True, False]
    assert of(events, e.HitsScored)


# --- the priority target token --------------------------------------------------------------------


@pytest.mark.parametrize(("edition", "left"), [("1.3", "lucy"), ("1.6", "")])
def test_the_priority_target_token_when_its_holder_is_picked(edition: str, left: str) -> None:
    game = first_story()
    game.state.edition = edition
    fight(game).priority_target, fight(game).priority_round = "lucy", 1
    game.do(a.MonsterTurn(), given("1 1", "lucy"))
    assert fight(game).priority_target == left


def test_in_edition_1_6_the_token_stays_with_one_who_was_not_picked() -> None:
    game = first_story()
    game.state.edition = "1.6"
    fight(game).priority_target, fight(game).priority_round = "lucy", 0
    sorry(game)
    lend(game, "quiet", "normal", steps=[SAY])
    game.state.decks["ai"].zones["deck"] = ["quiet"]
    game.do(a.MonsterTurn())
    assert fight(game).priority_target == "lucy"


@pytest.mark.parametrize(("edition", "left"), [("1.3", "lucy"), ("1.6", "")])
def test_an_instinct_that_picks_takes_the_token_like_a_card(edition: str, left: str) -> None:
    game = first_story()
    game.state.edition = edition
    lion = game.library.get(Monster, "white_lion")
    game.library._decoded["monster", "white_lion"] = msgspec.structs.replace(
        lion, instinct="menace"
    )
    fight(game).priority_target, fight(game).priority_round = "lucy", 1
    run(game, ai.instinct(game.table), given("", "lucy"))
    assert fight(game).priority_target == left


# --- no target ------------------------------------------------------------------------------------


def test_with_every_survivor_hidden_there_is_no_target_and_the_lion_sniffs() -> None:
    game = first_story()
    for one in game.state.survivors.values():
        one.benefits["not_a_threat"] = "showdown_end"
    on_top(game, "ai", "claw")
    events = game.do(a.MonsterTurn(), given("", "none"))
    offered = of(events, Chosen)[0].offered
    assert offered == ("none",)
    assert of(events, e.ThreatsWidened)


def test_the_merciless_take_the_knocked_down_for_threats() -> None:
    game = first_story()
    laid(game, "merciless_", "trait", rules=["all_are_threats"])
    run(game, harm.knock_down(game.table, "erza"))
    on_top(game, "ai", "claw")
    events = game.do(a.MonsterTurn(), given("1 1", "erza"))
    assert [one.survivor for one in of(events, e.TargetPicked)] == ["erza"]


# --- the watcher's retinues -----------------------------------------------------------------------


def retinues(*people: str) -> Game:
    """The watcher's showdown, in which everybody may have a retinue; these have one."""
    game = survivors_turn()
    for id_ in game.state.survivors:
        who(game, id_).status_cards["retinue"] = int(id_ in people)
    game.state.settlement.population = 10
    return game


def test_a_retinue_is_summoned_at_the_start_of_an_act_and_marches_in_the_next() -> None:
    game = retinues()
    game.do(a.Act(survivor="lucy"), given("", "summon"))
    assert who(game, "lucy").status_cards == {"retinue": 1}
    run(game, in_play.moment(game.table, "act_start", "lucy"), given("", "march"))
    assert [one.survivor for one in of(game.log, e.Said)] == ["lucy", "lucy"]


def test_each_retinue_beside_an_attacker_is_6_strength() -> None:
    game = retinues("erza", "zachary")
    run(game, in_play.moment(game.table, "attack", "lucy"), given("", "two"))
    assert numbers.attribute(game.table, who(game, "lucy"), "strength").total == 12
    run(game, in_play.moment(game.table, "act_end", "lucy"))
    assert numbers.attribute(game.table, who(game, "lucy"), "strength").total == 0


@pytest.mark.parametrize(("face", "left", "population"), [("3", 1, 10), ("4", 0, 6)])
def test_a_retinue_that_is_struck_is_destroyed_on_4_or_more(
    face: str, left: int, population: int
) -> None:
    game = retinues("erza")
    run(
        game,
        in_play.moment(game.table, "turn_end"),
        given(face, "damaged"),
    )
    assert who(game, "erza").status_cards == {"retinue": left}
    assert game.state.settlement.population == population


def test_a_retinue_is_destroyed_with_the_survivor_who_commands_it() -> None:
    game = retinues("erza", "lucy")
    run(game, harm.die(game.table, ["erza"], "test"))
    assert who(game, "erza").status_cards == {"retinue": 0}
    assert who(game, "lucy").status_cards == {"retinue": 1}
    assert game.state.settlement.population == 5
