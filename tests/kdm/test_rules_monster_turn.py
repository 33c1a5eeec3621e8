"""The monster's turn: AI deck, target, controller, its attack, dodge, basic action, moods."""

from __future__ import annotations

import pytest

from kdmlog.core.events import Asked, CardsDrawn, Chosen, DeckShuffled, DiceRolled
from kdmlog.core.requests import Choose
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.rules import conditions, harm, monster, numbers, script

from .scene import fight, first_story, given, move_all, of, on_top, run, who, zones
from .table import Game


def attack(
    game: Game, speed: int, damage: int, dice: str, *choices: str, **triggers: object
) -> list[object]:
    """An attack profile of accuracy 2 on Allister, with steps as its triggers."""
    body = s.decode([{"attack": {"speed": speed, "accuracy": 2, "damage": damage, **triggers}}])
    scene = conditions.Scene(table=game.table, record="test:attack", who="allister")
    return list(run(game, script.play_record(scene, body), given(dice, *choices)))


# --- drawing AI -----------------------------------------------------------------------------------


def test_the_first_ai_card_of_the_first_story_is_claw() -> None:
    game = first_story()
    game.do(a.MonsterTurn(), given("2 3 a b", "allister", "no"))
    assert zones(game, "ai")["discard"] == ["claw"]
    assert len(game.state.decks["ai"]["deck"]) == 7


def test_an_empty_ai_deck_is_made_of_the_discard() -> None:
    game = first_story()
    move_all(game, "ai", "deck", "discard")
    events = game.do(a.MonsterTurn(), given("1 1", "allister", draw="claw"))
    assert [one.took for one in of(events, DeckShuffled)] == [("discard",)]
    assert len(game.state.decks["ai"]["deck"]) == 7


def test_with_both_piles_empty_the_basic_action_replaces_the_draw() -> None:
    game = first_story()
    move_all(game, "ai", "deck", "wounds")
    events = game.do(a.MonsterTurn(), given("5 1 w", "lucy", "no"))
    assert not of(events, CardsDrawn)
    assert who(game, "lucy").armor["waist"] == 0


def test_a_mood_stays_in_play_and_another_card_is_drawn() -> None:
    game = first_story()
    on_top(game, "ai", "enraged", "claw")
    events = game.do(a.MonsterTurn(), given("4 1 b", "allister", "no"))
    assert zones(game, "ai")["in_play"] == ["enraged"]
    assert zones(game, "ai")["discard"] == ["claw"]
    assert [one.cards for one in of(events, CardsDrawn)] == [("enraged",), ("claw",)]
    assert who(game).injuries == {"body": ["light", "heavy"]}


def test_enraged_does_not_raise_brain_damage_or_damage_outside_the_profile() -> None:
    game = first_story()
    fight(game).tokens["damage"] = 1
    on_top(game, "ai", "size_up")
    game.do(a.MonsterTurn(), given("4", "allister"))
    assert who(game).injuries == {"brain": ["light"]}
    game = first_story()
    fight(game).tokens["damage"] = 1
    on_top(game, "ai", "grasp")
    game.do(a.MonsterTurn(), given("4 a b", "allister", "no"))
    assert who(game).injuries == {"arms": ["light", "heavy"], "body": ["light"]}


# --- picking a target -----------------------------------------------------------------------------


def targets(game: Game) -> list[str]:
    """Returns who the drawn card can pick, without those out of reach."""
    offered: list[str] = []

    def pick(request: object, _state: object) -> object:
        assert isinstance(request, Choose)
        if request.purpose == "target" and not offered:
            offered.extend(o.id for o in request.options if not o.id.startswith("far_"))
        far = [o.id for o in request.options if o.id.startswith("far_")]
        return given("", far[0])

    game.do(a.MonsterTurn(), answer=pick)  # type: ignore[arg-type]
    return offered


def test_a_knocked_down_survivor_is_no_threat() -> None:
    game = first_story()
    run(game, harm.knock_down(game.table, "erza"))
    assert targets(game) == ["allister", "lucy", "zachary", "none"]


def test_closest_survivor_may_be_a_knocked_down_one() -> None:
    game = first_story()
    move_all(game, "ai", "deck", "wounds")
    run(game, harm.knock_down(game.table, "erza"))
    assert targets(game) == ["allister", "erza", "lucy", "zachary", "none"]


def test_without_a_target_the_lion_sniffs_and_its_turn_ends() -> None:
    game = first_story()
    events = game.do(a.MonsterTurn(), given("", "none"))
    assert not of(events, DiceRolled)
    assert [one.until_round for one in of(events, e.ThreatsWidened)] == [2]
    assert fight(game).turn == "survivors"
    assert zones(game, "ai")["discard"] == ["claw"]


def test_after_a_sniff_the_knocked_down_are_threats_until_the_end_of_the_next_round() -> None:
    game = first_story()
    game.do(a.MonsterTurn(), given("", "none"))
    game.do(a.EndTurn())
    assert fight(game).round == 2
    run(game, harm.knock_down(game.table, "erza"))
    on_top(game, "ai", "chomp")
    assert "erza" in targets(game)
    game.do(a.EndTurn())
    who(game, "erza").knocked_down = 3
    move_all(game, "ai", "discard", "deck")
    on_top(game, "ai", "claw")
    assert "erza" not in targets(game)


def test_a_target_out_of_reach_is_not_attacked() -> None:
    game = first_story()
    events = game.do(a.MonsterTurn(), given("", "far_erza"))
    assert not of(events, DiceRolled)
    assert of(events, e.MonsterMoved)
    [picked] = of(events, e.TargetPicked)
    assert (picked.survivor, picked.reached) == ("erza", False)


def test_the_priority_target_is_picked_whatever_the_card_says() -> None:
    game = first_story()
    fight(game).priority_target = "zachary"
    run(game, harm.knock_down(game.table, "zachary"))
    assert targets(game) == ["zachary"]


def test_the_priority_target_may_still_be_out_of_reach() -> None:
    game = first_story()
    fight(game).priority_target = "zachary"
    events = game.do(a.MonsterTurn(), given("", "far_zachary"))
    assert not of(events, DiceRolled)


def test_the_priority_target_token_stays_until_the_end_of_the_next_monster_turn() -> None:
    game = first_story()
    scene = conditions.Scene(table=game.table, record="test:steps", who="lucy")
    steps = s.decode([{"priority_target": {}}])
    run(game, script.play_record(scene, steps))
    game.do(a.MonsterTurn(), given("1 1", "lucy"))
    assert fight(game).priority_target == "lucy"
    game.do(a.EndTurn())
    on_top(game, "ai", "chomp")
    game.do(a.MonsterTurn(), given("1", "lucy"))
    assert fight(game).priority_target == ""


def test_terrifying_roar_picks_no_target_and_ends_with_a_basic_action_on_the_furthest() -> None:
    game = first_story()
    on_top(game, "ai", "terrifying_roar")
    inputs = given("1 1", "lucy", "lucy", effects="brain erza 1; knock_down erza")
    events = game.do(a.MonsterTurn(), inputs)
    assert who(game, "erza").injuries == {"brain": ["light"]}
    assert [one.survivor for one in of(events, e.TargetPicked)] == ["lucy"]


def test_the_furthest_may_be_out_of_the_basic_actions_reach() -> None:
    game = first_story()
    on_top(game, "ai", "terrifying_roar")
    events = game.do(a.MonsterTurn(), given("", "lucy", "far_lucy", effects=""))
    assert not of(events, DiceRolled)
    assert of(events, e.MonsterMoved)


def test_a_card_whose_list_only_the_table_knows_may_pick_the_knocked_down() -> None:
    game = first_story()
    on_top(game, "ai", "grasp")
    run(game, harm.knock_down(game.table, "erza"))
    assert "erza" in targets(game)


# --- the attack -----------------------------------------------------------------------------------


def test_vicious_claw_rolls_1_and_4_and_hits_once_on_the_cloth() -> None:
    game = first_story()
    attack(game, 2, 1, "1 4 w", "no", after_damage=[{"tokens": {"bleeding": 1}}])
    [hits] = of(game.log, e.HitsScored)
    assert hits.hits == 1
    assert who(game).armor["waist"] == 0
    assert who(game).injuries == {}
    assert who(game).tokens == {"bleeding": 1}


def test_two_hits_at_the_waist_are_light_then_heavy_and_bleed_once() -> None:
    game = first_story()
    who(game).armor["waist"] = 0
    who(game).survival = 0
    attack(game, 2, 1, "2 4 w w", after_damage=[{"tokens": {"bleeding": 1}}])
    assert who(game).injuries == {"waist": ["light", "heavy"]}
    assert who(game).knocked_down == 1
    assert who(game).tokens == {"bleeding": 1}


def test_a_miss_rolls_no_location_and_triggers_nothing() -> None:
    game = first_story()
    trigger = [{"tokens": {"bleeding": 1}}]
    attack(game, 2, 1, "1 1", after_hit=trigger, before_damage=trigger, after_damage=trigger)
    assert who(game).tokens == {}
    assert len(of(game.log, DiceRolled)) == 1


def test_after_hit_comes_before_the_location_dice_and_before_damage_after_them() -> None:
    game = first_story()
    who(game).survival = 0
    events = attack(
        game,
        1,
        1,
        "5 a",
        after_hit=[{"gain": {"courage": 1}}],
        before_damage=[{"gain": {"understanding": 1}}],
        after_damage=[{"gain": {"insanity": 1}}],
    )
    order = [
        one.stat
        if isinstance(one, e.StatChanged)
        else one.purpose
        if isinstance(one, DiceRolled)
        else "injury"
        for one in events
        if isinstance(one, (e.StatChanged, DiceRolled, e.InjuryFilled))
    ]
    assert order == [
        "monster_attack",
        "courage",
        "hit_location",
        "understanding",
        "injury",
        "insanity",
    ]


def test_a_dodge_of_the_only_hit_leaves_nothing_to_trigger_before_damage() -> None:
    game = first_story()
    attack(game, 1, 1, "5 a", "yes", before_damage=[{"gain": {"understanding": 1}}])
    assert who(game).understanding == 0


def test_destroy_armor_leaves_no_points_where_it_hits_and_archives_nothing() -> None:
    game = first_story()
    who(game).armor = {"waist": 3, "head": 2}
    attack(game, 2, 1, "5 5 w h", "head", before_damage=[{"destroy_armor": "hit"}])
    assert who(game).armor == {"waist": 0, "head": 2}, "the dodged hit destroys nothing"
    assert who(game).injuries == {"waist": ["light"]}
    assert "cloth.1" in who(game).grid.values()


def test_without_damage_after_damage_does_not_apply() -> None:
    game = first_story()
    attack(game, 1, 1, "5 a", "yes", after_damage=[{"tokens": {"bleeding": 1}}])
    assert who(game).tokens == {}


def test_evasion_is_added_to_the_accuracy_that_a_roll_must_meet() -> None:
    game = first_story()
    who(game).survival = 0
    who(game).evasion = 2
    attack(game, 2, 1, "3 4 b")
    assert of(game.log, e.HitsScored)[-1].hits == 1


def test_accuracy_tokens_are_added_to_the_roll() -> None:
    game = first_story()
    who(game).survival = 0
    who(game).evasion = 3
    fight(game).tokens["accuracy"] = 1
    attack(game, 2, 1, "3 4 b")
    assert of(game.log, e.HitsScored)[-1].hits == 1


def test_a_natural_1_misses_and_a_lantern_hits_whatever_the_evasion() -> None:
    game = first_story()
    who(game).survival = 0
    who(game).evasion = -5
    attack(game, 1, 1, "1")
    assert of(game.log, e.HitsScored)[-1].hits == 0
    who(game).evasion = 20
    attack(game, 1, 1, "10 b")
    assert of(game.log, e.HitsScored)[-1].hits == 1


def test_speed_tokens_change_the_dice_but_there_is_at_least_one() -> None:
    game = first_story()
    who(game).survival = 0
    fight(game).tokens["speed"] = 1
    attack(game, 2, 1, "1 1 1")
    fight(game).tokens["speed"] = -5
    attack(game, 2, 1, "1 1")
    assert [one.dice for one in of(game.log, DiceRolled)] == ["3d10", "2d10"]


def test_damage_is_the_profiles_and_the_monsters_and_its_tokens() -> None:
    game = first_story()
    who(game).survival = 0
    fight(game).damage = 1
    fight(game).tokens["damage"] = 1
    attack(game, 1, 0, "5 a")
    assert who(game).injuries == {"arms": ["light", "heavy"]}


@pytest.mark.parametrize("name", ["movement", "toughness", "speed", "damage"])
def test_negative_tokens_never_take_a_monsters_attribute_below_1(name: str) -> None:
    game = first_story()
    setattr(fight(game), name, 2)
    fight(game).tokens[name] = -9
    assert numbers.monster_attribute(game.table, name) == 1


def test_chomp_always_strikes_the_head() -> None:
    game = first_story()
    on_top(game, "ai", "chomp")
    game.do(a.MonsterTurn(), given("5", "allister", "no"))
    assert who(game).injuries == {"head": ["heavy"]}


def test_power_swat_knocks_back_6_after_damage() -> None:
    game = first_story()
    on_top(game, "ai", "power_swat")
    events = game.do(a.MonsterTurn(), given("5 l", "allister", "no"))
    assert [(one.survivor, one.spaces) for one in of(events, e.MovedAside)] == [("allister", 6)]
    assert who(game).injuries == {"legs": ["light", "heavy"]}


def test_size_up_needs_4_and_is_neither_dodged_nor_an_attack() -> None:
    game = first_story()
    on_top(game, "ai", "size_up")
    game.do(a.MonsterTurn(), given("3", "allister"))
    assert who(game).injuries == {}
    game = first_story()
    on_top(game, "ai", "size_up")
    events = game.do(a.MonsterTurn(), given("4", "allister"))
    assert who(game).injuries == {"brain": ["light"]}
    assert who(game).knocked_down == 1
    assert "dodge" not in [one.request.purpose for one in of(events, Asked)]


def test_grasp_grabs_after_damage_and_the_grab_cannot_be_dodged() -> None:
    game = first_story()
    on_top(game, "ai", "grasp")
    game.do(a.MonsterTurn(), given("5 a b", "allister", "no"))
    assert who(game).injuries == {"arms": ["light"], "body": ["light"]}
    assert who(game).knocked_down == 1
    assert who(game).survival == 1


def test_maul_bleeds_and_bashes_once_after_damage() -> None:
    game = first_story()
    on_top(game, "ai", "maul")
    who(game).survival = 0
    game.do(a.MonsterTurn(), given("5 6 a b 6 9", "allister", "arms"))
    assert who(game).severe_injuries == ["contracture"]
    assert who(game).tokens == {"bleeding": 3, "movement": -1}


# --- dodge ----------------------------------------------------------------------------------------


def test_a_dodge_costs_1_survival_and_cancels_one_hit_before_damage() -> None:
    game = first_story()
    events = attack(game, 2, 1, "5 6 a b", "arms")
    assert who(game).survival == 0
    assert who(game).injuries == {"body": ["light"]}
    kinds = [type(one) for one in events]
    assert kinds.index(e.DodgeSpent) < kinds.index(e.InjuryFilled)


def test_a_dodge_cancels_one_of_two_hits_at_one_location() -> None:
    game = first_story()
    attack(game, 2, 1, "5 6 a a", "yes")
    assert who(game).injuries == {"arms": ["light"]}


def test_a_survivor_dodges_once_a_round() -> None:
    game = first_story()
    game.state.settlement.survival_limit = 5
    who(game).survival = 3
    attack(game, 1, 1, "5 a", "yes")
    attack(game, 1, 1, "5 a")
    assert who(game).survival == 2
    game.do(a.MonsterTurn(), given("1 1", "allister"))
    game.do(a.EndTurn())
    attack(game, 1, 1, "5 b", "yes")
    assert who(game).survival == 1


def test_a_knocked_down_survivor_may_dodge_and_stays_down() -> None:
    game = first_story()
    run(game, harm.knock_down(game.table, "allister"))
    attack(game, 1, 1, "5 a", "yes")
    assert who(game).injuries == {}
    assert who(game).knocked_down == 1


def test_nobody_without_survival_is_asked_to_dodge() -> None:
    game = first_story()
    who(game).survival = 0
    attack(game, 1, 1, "5 a")
    assert who(game).injuries == {"arms": ["light"]}


def test_the_attacker_and_the_doomed_do_not_dodge() -> None:
    game = first_story()
    fight(game).attacker = "allister"
    attack(game, 1, 1, "5 a")
    fight(game).attacker = ""
    who(game).bars["survival"] = "card_end"
    attack(game, 1, 1, "5 a")
    assert who(game).survival == 1


def test_the_order_of_damage_is_asked_only_when_it_can_matter() -> None:
    game = first_story()
    who(game).survival = 0
    attack(game, 2, 1, "5 6 a b")
    assert who(game).injuries == {"arms": ["light"], "body": ["light"]}
    attack(game, 2, 2, "5 6 a b 6 9", "body")
    severe = of(game.log, e.SevereInjurySuffered)
    assert [one.injury for one in severe] == ["disemboweled", "dislocated_shoulder"]


def test_each_hit_at_a_location_is_its_own_severe_injury() -> None:
    game = first_story()
    who(game).survival = 0
    attack(game, 2, 3, "5 6 a a 6 6")
    assert who(game).severe_injuries == ["contracture", "contracture"]


# --- the controller -------------------------------------------------------------------------------


def test_the_controllers_own_survivor_gains_1_insanity_when_picked() -> None:
    game = first_story("Ann", "Bo")
    assert fight(game).controller.survivor == "allister"
    game.do(a.MonsterTurn(), given("1 1", "allister"))
    assert who(game).insanity == 1


def test_another_survivor_picked_gives_the_controller_nothing() -> None:
    game = first_story("Ann", "Bo")
    game.do(a.MonsterTurn(), given("1 1", "lucy"))
    assert [one.insanity for one in game.state.survivors.values()] == [0, 0, 0, 0]


def test_solo_play_has_no_controller_and_no_insanity() -> None:
    for players in ((), ("Ann",)):
        game = first_story(*players)
        assert fight(game).controller.survivor == ""
        game.do(a.MonsterTurn(), given("1 1", "allister"))
        assert who(game).insanity == 0


ROTATION = {
    1: [("", "")] * 6,
    2: [
        *[("p1", "allister"), ("p2", "erza"), ("p1", "lucy"), ("p2", "zachary")],
        *[("p1", "allister"), ("p2", "erza")],
    ],
    3: [
        *[("p1", "allister"), ("p2", "erza"), ("p3", "lucy"), ("p1", "zachary")],
        *[("p2", "erza"), ("p3", "lucy"), ("p1", "allister")],
    ],
    4: [
        *[("p1", "allister"), ("p2", "erza"), ("p3", "lucy"), ("p4", "zachary")],
        *[("p1", "allister"), ("p2", "erza")],
    ],
}


@pytest.mark.parametrize("players", ROTATION)
def test_the_tile_passes_on_each_round_and_another_survivor_takes_it_each_time(
    players: int,
) -> None:
    game = first_story(*(f"p{number + 1}" for number in range(players)))
    seen = []
    for _ in ROTATION[players]:
        controller = fight(game).controller
        seen.append((controller.player, controller.survivor))
        on_top(game, "ai", "claw")
        game.do(a.MonsterTurn(), given("", "far_erza"))
        move_all(game, "ai", "discard", "deck")
        game.do(a.EndTurn())
    assert seen == ROTATION[players]


def test_a_dead_survivor_takes_the_tile_no_more() -> None:
    game = first_story("Ann", "Bo")
    run(game, harm.die(game.table, ["lucy"], "a test"))
    for _ in range(2):
        on_top(game, "ai", "claw")
        game.do(a.MonsterTurn(), given("", "far_erza"))
        move_all(game, "ai", "discard", "deck")
        game.do(a.EndTurn())
    assert fight(game).controller.survivor == "allister"


# --- persistent injuries --------------------------------------------------------------------------


def keep(game: Game, card: str) -> None:
    deck = game.state.decks["hit_locations"]
    deck["deck"].remove(card)
    deck.zones.setdefault("persistent", []).append(card)


def test_no_jaw_replaces_chomp() -> None:
    game = first_story()
    keep(game, "beasts_maw")
    on_top(game, "ai", "chomp")
    events = game.do(a.MonsterTurn(), given("", "erza,lucy"))
    assert not of(events, DiceRolled)
    assert not of(events, e.TargetPicked)
    assert [one.insanity for one in game.state.survivors.values()] == [0, 1, 1, 0]
    assert zones(game, "ai")["discard"] == ["chomp"]


def test_a_broken_foot_cannot_grab() -> None:
    game = first_story()
    keep(game, "beasts_paw")
    on_top(game, "ai", "grasp")
    game.do(a.MonsterTurn(), given("5 a", "allister", "no"))
    assert who(game).injuries == {"arms": ["light"]}
    assert who(game).knocked_down is None


def test_a_ruptured_tendon_rolls_when_it_starts_to_move_and_1_knocks_it_down_instead() -> None:
    game = first_story()
    keep(game, "beasts_heel")
    events = game.do(a.MonsterTurn(), given("1", "allister", "yes"))
    assert [one.purpose for one in of(events, DiceRolled)] == ["ruptured_tendon"]
    assert [one.now for one in of(events, e.MonsterKnockedDown)] == [True, False]
    assert fight(game).turn == "survivors"


def test_a_ruptured_tendon_that_holds_or_is_not_moved_lets_it_attack() -> None:
    game = first_story()
    keep(game, "beasts_heel")
    game.do(a.MonsterTurn(), given("2 5 1 a", "allister", "yes", "no"))
    assert who(game).injuries == {"arms": ["light"]}
    game = first_story()
    keep(game, "beasts_heel")
    game.do(a.MonsterTurn(), given("5 1 a", "allister", "no", "no"))
    assert who(game).injuries == {"arms": ["light"]}


def test_a_ruptured_tendon_rolls_for_a_full_move_that_falls_short_too() -> None:
    game = first_story()
    keep(game, "beasts_heel")
    events = game.do(a.MonsterTurn(), given("1", "far_erza"))
    assert of(events, e.MonsterKnockedDown)
    assert not of(events, e.MonsterMoved)


def test_a_lion_felled_in_the_midst_of_a_card_does_no_more_of_it() -> None:
    game = first_story()
    keep(game, "beasts_heel")
    on_top(game, "ai", "grasp")
    game.do(a.MonsterTurn(), given("2 a 1", "lucy", "no", "no"))  # no need to move; no dodge
    assert who(game, "lucy").injuries == {"arms": ["light"]}
    assert who(game, "lucy").knocked_down is None


def test_an_intimidation_is_never_out_of_reach() -> None:
    game = first_story()
    on_top(game, "ai", "size_up")
    game.do(a.MonsterTurn(), given("5", "lucy"))
    assert not [one for one in targets_offered(game) if one.startswith("far_")]


def targets_offered(game: Game) -> list[str]:
    [chosen] = [one for one in of(game.log, Chosen) if one.purpose == "target"]
    return list(chosen.offered)


# --- wounds of the monster, from its side ---------------------------------------------------------


def test_a_wound_takes_the_top_ai_card_and_an_empty_deck_is_the_discard_shuffled() -> None:
    game = first_story()
    run(game, monster.wound(game.table, "lucy"))
    assert zones(game, "ai")["wounds"] == ["claw"]
    move_all(game, "ai", "deck", "discard")
    events = run(game, monster.wound(game.table, "lucy"))
    assert of(events, DeckShuffled)
    assert len(game.state.decks["ai"]["deck"]) == 6
    assert fight(game).wounds == 2
    assert fight(game).last_wounder == "lucy"


def test_the_wound_without_any_card_left_kills_and_the_last_card_does_not() -> None:
    game = first_story()
    while len(game.state.decks["ai"]["deck"]) > 1:
        run(game, monster.wound(game.table, "lucy"))
    run(game, monster.wound(game.table, "lucy"))
    assert not fight(game).outcome
    run(game, monster.wound(game.table, "erza"))
    assert fight(game).outcome == "victory"
    assert fight(game).killer == "erza"


def test_a_mood_in_play_does_not_save_the_monster() -> None:
    game = first_story()
    on_top(game, "ai", "enraged")
    cards = game.state.decks["ai"].zones
    cards["in_play"] = ["enraged"]
    cards["wounds"] = cards["deck"][1:]
    cards["deck"] = []
    run(game, monster.wound(game.table, "erza"))
    assert fight(game).outcome == "victory"


def test_healing_puts_the_top_of_the_stack_under_the_deck() -> None:
    game = first_story()
    for _ in range(3):
        run(game, monster.wound(game.table, "lucy"))
    stack = list(game.state.decks["ai"]["wounds"])
    run(game, monster.heal(game.table, 2))
    assert game.state.decks["ai"]["deck"][-2:] == stack[:2]
    assert fight(game).wounds == 1
