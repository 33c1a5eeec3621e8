"""A survivor's attack: dice, hits, locations, wound attempts, criticals, reactions, traps."""

from __future__ import annotations

import pytest

from kdmlog.core.errors import NotNow
from kdmlog.core.events import DeckShuffled, DiceRolled, Event
from kdmlog.core.inputs import Inputs
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import Gear, HitLocation, Modifies, Weapon
from kdmlog.games.kdm.rules import harm, monster, numbers

from .scene import (
    FISTS,
    fight,
    given,
    lend,
    move_all,
    of,
    on_board,
    on_top,
    run,
    survivors_turn,
    wear,
    who,
    zones,
)
from .table import Game

PLAIN = "beasts_femur"
"""A location without any reaction."""


def strike(
    game: Game,
    inputs: Inputs,
    *locations: str,
    weapon: str = "founding_stone",
    blind: bool = False,
) -> list[Event]:
    """Allister attacks; the locations lie on top of their deck."""
    on_top(game, "hit_locations", *locations)
    return game.do(a.Attack(survivor="allister", weapon=weapon, blind=blind), inputs)


def attempt(events: list[Event]) -> e.WoundAttempted:
    found = of(events, e.WoundAttempted)
    assert len(found) == 1
    return found[0]  # type: ignore[no-any-return]


def strike_with(game: Game, weapon: Gear) -> numbers.Strike:
    """Returns Allister's numbers with a weapon that no pack has."""
    return numbers.Strike(game.table, "allister", "", weapon, numbers.foe(game.table))


# --- dice and hits --------------------------------------------------------------------------------


def test_a_founding_stone_rolls_2_dice_and_needs_7() -> None:
    game = survivors_turn()
    events = strike(game, given("6 7 4"), PLAIN)
    [begun] = of(events, e.AttackBegun)
    assert (begun.dice, begun.needs) == (2, 7)
    assert of(events, e.HitsScored)[0].hits == 1


def test_from_the_blind_spot_a_6_becomes_7_and_hits() -> None:
    game = survivors_turn()
    events = strike(game, given("6 5 4"), PLAIN, blind=True)
    assert of(events, e.HitsScored)[0].hits == 1


def test_no_hit_draws_no_location() -> None:
    game = survivors_turn()
    before = zones(game, "hit_locations")
    events = strike(game, given("6 6"))
    assert zones(game, "hit_locations") == before
    assert not of(events, e.WoundAttempted)
    assert of(events, e.AttackEnded)


def test_a_natural_1_misses_and_a_lantern_hits() -> None:
    game = survivors_turn()
    who(game).accuracy = 20
    events = strike(game, given("1 2 4"), PLAIN)
    assert of(events, e.HitsScored)[0].hits == 1
    game = survivors_turn()
    who(game).accuracy = -20
    events = strike(game, given("10 9 4"), PLAIN)
    assert (of(events, e.HitsScored)[0].hits, of(events, e.HitsScored)[0].perfect) == (1, 1)


def test_speed_changes_the_dice_but_there_is_at_least_one() -> None:
    game = survivors_turn()
    who(game).speed = 1
    strike(game, given("1 1 1"))
    game = survivors_turn()
    who(game).tokens["speed"] = -7
    strike(game, given("1"))


def test_a_slow_weapon_has_always_1_die_but_for_the_frenzied() -> None:
    game = survivors_turn()
    slow = Gear(
        name="Club",
        kind="weapon",
        location="starting",
        keywords=["melee"],
        rules=["slow"],
        weapon=Weapon(speed=3, accuracy=5, strength=5),
    )
    who(game).speed = 2
    assert strike_with(game, slow).dice.total == 1
    run(game, harm.suffer(game.table, "allister", "frenzy"), given("1"))
    assert strike_with(game, slow).dice.total == 3 + 2 + 1


def test_accuracy_and_monster_evasion_meet_at_the_weapons_accuracy() -> None:
    game = survivors_turn()
    who(game).accuracy = -1
    fight(game).tokens["evasion"] = 1
    events = strike(game, given("8 9 4"), PLAIN)
    assert of(events, e.HitsScored)[0].hits == 1


def test_a_knocked_down_monster_is_hit_on_3() -> None:
    game = survivors_turn()
    fight(game).knocked_down = True
    events = strike(game, given("2 3 4"), PLAIN)
    assert of(events, e.HitsScored)[0].hits == 1
    game = survivors_turn()
    fight(game).knocked_down = True
    who(game).accuracy = -4
    events = strike(game, given("2 3 4"), PLAIN)
    assert of(events, e.HitsScored)[0].hits == 1


# --- wound attempts -------------------------------------------------------------------------------


@pytest.mark.parametrize(("face", "wounded"), [("4", False), ("5", True)])
def test_toughness_6_and_strength_1_wound_on_5(face: str, wounded: bool) -> None:
    game = survivors_turn()
    found = attempt(strike(game, given(f"1 7 {face}"), PLAIN))
    assert found.wounded is wounded
    assert fight(game).wounds == int(wounded)


def test_strength_and_toughness_tokens_count() -> None:
    game = survivors_turn()
    who(game).strength = 1
    who(game).tokens["strength"] = 1
    fight(game).tokens["toughness"] = 1
    assert attempt(strike(game, given("1 7 4"), PLAIN)).wounded
    game = survivors_turn()
    who(game).strength = 1
    fight(game).tokens["toughness"] = 1
    assert not attempt(strike(game, given("1 7 4"), PLAIN)).wounded


def test_a_natural_1_never_wounds_and_a_lantern_always_does() -> None:
    game = survivors_turn()
    who(game).strength = 20
    assert not attempt(strike(game, given("1 7 1"), PLAIN)).wounded
    game = survivors_turn()
    who(game).strength = -20
    who(game).luck = -1
    found = attempt(strike(game, given("1 7 10"), PLAIN))
    assert (found.wounded, found.critical) == (True, False)


@pytest.mark.parametrize(
    ("weapon", "luck", "monster_luck", "lowest"),
    [
        ("founding_stone", 0, 0, 10),
        (FISTS, 0, 0, 9),
        ("founding_stone", 1, 0, 9),
        ("founding_stone", 2, 0, 8),
        (FISTS, 1, 0, 8),
        (FISTS, 0, 1, 10),
        ("founding_stone", 0, 1, 11),
        ("founding_stone", 0, -1, 9),
        ("founding_stone", -1, 0, 11),
    ],
)
def test_luck_widens_the_critical_range_and_the_monsters_narrows_it(
    weapon: str, luck: int, monster_luck: int, lowest: int
) -> None:
    for face in range(2, 11):
        game = survivors_turn()
        who(game).luck = luck
        fight(game).tokens["luck"] = monster_luck
        fight(game).tokens["toughness"] = 50
        location = "beasts_paw"
        fight(game).knocked_down = True  # no reactions
        found = attempt(strike(game, given(f"1 9 {face}"), location, weapon=weapon))
        assert found.critical == (face >= lowest)
        assert found.wounded == (face >= lowest or face == 10)


def test_a_location_without_a_critical_cannot_be_critically_wounded() -> None:
    game = survivors_turn()
    without_critical(game, PLAIN)
    found = attempt(strike(game, given("1 7 10"), PLAIN))
    assert (found.wounded, found.critical) == (True, False)


def test_impervious_is_never_wounded_but_a_critical_gives_its_effect() -> None:
    game = survivors_turn()
    found = attempt(strike(game, given("1 7 9"), "glorious_mane"))
    assert not found.wounded
    game = survivors_turn()
    found = attempt(strike(game, given("1 7 10"), "glorious_mane"))
    assert (found.wounded, found.critical) == (False, True)
    assert fight(game).wounds == 0
    assert who(game).resources == ["shimmering_mane"]


def test_luck_makes_a_critical_that_wounds_below_the_toughness() -> None:
    game = survivors_turn()
    who(game).luck = 6
    who(game).strength = -3
    found = attempt(strike(game, given("1 7 4"), "beasts_paw"))
    assert (found.critical, found.wounded) == (True, True)


# --- criticals ------------------------------------------------------------------------------------


def test_a_critical_cancels_the_reactions_and_stays_in_play_with_its_injury() -> None:
    game = survivors_turn()
    events = strike(game, given("1 7 10", "no"), "strange_hand")
    assert not [one for one in of(events, DiceRolled) if one.purpose == "monster_attack"]
    assert zones(game, "hit_locations")["persistent"] == ["strange_hand"]
    assert "discard" not in zones(game, "hit_locations")
    assert who(game).strength == 0


def test_strange_hand_is_treasured_for_1_survival() -> None:
    game = survivors_turn()
    strike(game, given("1 7 10", "yes"), "strange_hand")
    assert (who(game).survival, who(game).strength) == (0, 1)
    game = survivors_turn()
    who(game).survival = 0
    strike(game, given("1 7 10"), "strange_hand")
    assert who(game).strength == 0


def test_the_heel_knocks_down_and_the_tendon_stays_in_play() -> None:
    game = survivors_turn()
    strike(game, given("1 7 10"), "beasts_heel")
    assert fight(game).knocked_down
    assert zones(game, "hit_locations")["persistent"] == ["beasts_heel"]


def test_criticals_give_resources_to_the_attacker_while_a_copy_is_in_the_deck() -> None:
    game = survivors_turn()
    who(game, "erza").resources.append("lion_tail")
    events = strike(game, given("1 7 10"), "beasts_tail")
    assert who(game).resources == []
    assert of(events, e.GainIgnored)
    game = survivors_turn()
    strike(game, given("1 7 10"), "beasts_paw")
    assert who(game).resources == ["lion_claw"]


def test_a_critical_still_counts_on_a_knocked_down_monster() -> None:
    game = survivors_turn()
    fight(game).knocked_down = True
    found = attempt(strike(game, given("1 3 10"), "beasts_paw"))
    assert found.critical
    assert who(game).resources == ["lion_claw"]


def test_a_critical_of_the_neck_kills_on_10() -> None:
    game = survivors_turn()
    strike(game, given("1 7 10 9"), "straining_neck")
    assert fight(game).knocked_down
    game = survivors_turn()
    strike(game, given("1 7 10 10"), "straining_neck")
    assert fight(game).outcome == "victory"


# --- reactions ------------------------------------------------------------------------------------


def test_a_failure_reaction_only_after_a_failed_attempt() -> None:
    game = survivors_turn()
    strike(game, given("1 7 2 5 1 l"), "strange_hand")
    assert who(game).injuries == {"legs": ["light"]}
    game = survivors_turn()
    strike(game, given("1 7 5"), "strange_hand")
    assert who(game).injuries == {}
    assert zones(game, "hit_locations")["discard"] == ["strange_hand"]


def test_a_wound_reaction_only_after_a_wound_which_is_taken_first() -> None:
    game = survivors_turn()
    events = strike(game, Inputs(dice=["1", "7", "5"], fills=[{}]), "beasts_flank")
    kinds = [one.kind if hasattr(one, "kind") else type(one).__name__ for one in events]
    assert kinds.index("MonsterWounded") < kinds.index("Filled")
    game = survivors_turn()
    strike(game, given("1 7 2"), "beasts_flank")


def test_a_reflex_reaction_comes_whatever_the_outcome() -> None:
    for face in ("2", "6"):
        game = survivors_turn()
        events = strike(game, Inputs(dice=["1", "7", face], fills=[{}]), "beasts_tail")
        assert "Filled" in [type(one).__name__ for one in events]


def test_a_knocked_down_monster_does_not_react() -> None:
    game = survivors_turn()
    fight(game).knocked_down = True
    events = strike(game, given("1 7 2"), "strange_hand")
    assert len(of(events, DiceRolled)) == 2
    assert who(game).injuries == {}


def test_the_attacker_does_not_dodge_the_reaction() -> None:
    game = survivors_turn()
    strike(game, given("1 7 2 5 1 a"), "strange_hand")
    assert who(game).survival == 1
    assert who(game).injuries == {"arms": ["light"]}


def test_an_attacker_knocked_down_loses_the_rest_of_the_attack() -> None:
    game = survivors_turn()
    events = strike(game, given("7 7 2 5 1 h", "strange_hand"), "strange_hand", PLAIN)
    assert who(game).knocked_down == 1
    assert [one.cancelled for one in of(events, e.AttackEnded)] == [1]
    assert len(of(events, e.WoundAttempted)) == 1
    assert zones(game, "hit_locations")["discard"] == sorted(["strange_hand", PLAIN])


def test_hits_out_of_reach_after_the_monster_moved_are_cancelled() -> None:
    game = survivors_turn()
    inputs = given("7 7 2", "beasts_chest", "no", effects="")
    events = strike(game, inputs, "beasts_chest", PLAIN)
    assert of(events, e.MonsterMoved)
    assert [one.cancelled for one in of(events, e.AttackEnded)] == [1]


def test_a_ruptured_tendon_may_fell_the_lion_as_it_charges() -> None:
    game = survivors_turn()
    game.state.decks["hit_locations"]["deck"].remove("beasts_heel")
    game.state.decks["hit_locations"].zones["persistent"] = ["beasts_heel"]
    events = strike(game, given("1 7 2 1", effects=""), "beasts_chest")
    assert fight(game).knocked_down
    assert not of(events, e.MonsterMoved)


def test_the_attacker_orders_the_locations() -> None:
    game = survivors_turn()
    events = strike(game, given("7 7 5 5", "glorious_mane"), PLAIN, "glorious_mane")
    assert [one.location for one in of(events, e.WoundAttempted)] == ["glorious_mane", PLAIN]


# --- traps ----------------------------------------------------------------------------------------


def test_a_trap_cancels_every_hit_dooms_the_attacker_and_reshuffles_all() -> None:
    game = survivors_turn()
    move_all(game, "hit_locations", "discard", "deck")
    events = strike(game, given("7 7 5 1 w"), PLAIN, "clever_ploy")
    assert not of(events, e.WoundAttempted)
    assert who(game).survival == 1
    assert who(game).armor["waist"] == 0
    assert [one.took for one in of(events, DeckShuffled)] == [("discard",)]
    assert len(game.state.decks["hit_locations"]["deck"]) == 23
    assert list(zones(game, "hit_locations")) == ["deck"]
    assert who(game).bars == {}
    assert fight(game).attacker == ""


def test_a_trap_among_four_hits_cancels_the_other_three() -> None:
    game = survivors_turn()
    who(game).speed = 2
    drawn = (PLAIN, "beasts_heel", "clever_ploy", "strange_hand")
    events = strike(game, given("7 7 7 10 5 1 w"), *drawn)
    assert of(events, e.HitsScored)[0].hits == 4
    assert not of(events, e.WoundAttempted)
    [played] = [one for one in of(events, e.RecordBegun) if one.verdict == "trap"]
    assert played.record == "hit_location:clever_ploy"
    assert len(game.state.decks["hit_locations"]["deck"]) == 23


def test_a_trap_makes_a_knocked_down_monster_stand_and_play() -> None:
    game = survivors_turn()
    fight(game).knocked_down = True
    strike(game, given("3 1 5 1 w"), "clever_ploy")
    assert not fight(game).knocked_down
    assert who(game).armor["waist"] == 0


@pytest.mark.parametrize(("face", "dice", "wounds"), [("6", "9", 1), ("5", "5 1 w", 0)])
def test_the_unshakable_ignore_a_trap_on_6(face: str, dice: str, wounds: int) -> None:
    game = survivors_turn()
    unshakable = [Modifies(to="unshakable", by=1)]
    lend(game, "charm", Gear(name="C", kind="item", location="rare", modifiers=unshakable))
    wear(game, c3="charm")
    strike(game, given(f"7 7 {face} {dice}"), PLAIN, "clever_ploy")
    assert fight(game).wounds == wounds
    assert "clever_ploy" in zones(game, "hit_locations")["deck"]
    assert zones(game, "hit_locations").get("discard", []) == [PLAIN] * wounds


def test_a_trap_leaves_persistent_injuries_out_of_the_deck() -> None:
    game = survivors_turn()
    strike(game, given("1 7 10"), "beasts_heel")
    fight(game).act = None
    strike(game, given("1 7 5 1 w", "no"), "clever_ploy")
    assert zones(game, "hit_locations")["persistent"] == ["beasts_heel"]
    assert len(game.state.decks["hit_locations"]["deck"]) == 22


def test_a_trap_ends_the_attack_but_not_the_act() -> None:
    game = survivors_turn()
    strike(game, given("1 7 1 1"), "clever_ploy")
    act = fight(game).act
    assert act is not None
    assert (act.survivor, act.movement, act.activation) == ("allister", 1, 0)


def test_an_exhausted_location_deck_is_made_anew_of_its_discard_within_a_draw() -> None:
    game = survivors_turn()
    deck = game.state.decks["hit_locations"].zones
    deck["discard"] = [one for one in deck["deck"] if one != PLAIN]
    deck["deck"] = [PLAIN]
    events = game.do(
        a.Attack(survivor="allister", weapon="founding_stone"),
        given("7 7 5 5", PLAIN, draw=f"{PLAIN} glorious_mane"),
    )
    assert of(events, DeckShuffled)
    assert len(of(events, e.WoundAttempted)) == 2


# --- the thrown stone -----------------------------------------------------------------------------


def throw(game: Game, inputs: Inputs, location: str) -> list[Event]:
    on_top(game, "hit_locations", location)
    return game.do(a.Activate(survivor="allister", thing="founding_stone"), inputs)


def test_a_thrown_founding_stone_is_one_automatic_critical_and_is_archived() -> None:
    game = survivors_turn()
    events = throw(game, given(), "beasts_paw")
    found = attempt(events)
    assert (found.wounded, found.critical) == (True, True)
    assert not of(events, DiceRolled)
    assert who(game).resources == ["lion_claw"]
    assert "founding_stone.1" not in game.state.gear
    assert list(who(game).grid.values()) == ["cloth.1"]
    act = fight(game).act
    assert act is not None
    assert act.activation == 0


def test_a_stone_is_thrown_from_anywhere_on_the_board() -> None:
    game = on_board(monster=(11, 8), allister=(1, 1))
    fight(game).turn = "survivors"
    game.state.phase.step = "survivors"
    throw(game, given(), "beasts_paw")
    assert fight(game).wounds == 1


def test_a_stone_thrown_at_a_location_without_a_critical_wounds_it() -> None:
    game = survivors_turn()
    without_critical(game, PLAIN)
    found = attempt(throw(game, given(), PLAIN))
    assert (found.wounded, found.critical) == (True, False)
    assert fight(game).wounds == 1


def test_a_stone_thrown_into_a_trap_is_gone_all_the_same() -> None:
    game = survivors_turn()
    events = throw(game, given("5 1 w", "allister"), "clever_ploy")
    assert not of(events, e.WoundAttempted)
    assert "founding_stone.1" not in game.state.gear
    assert who(game).armor["waist"] == 0


def test_a_trap_may_fall_short_of_one_who_threw_from_afar() -> None:
    game = survivors_turn()
    events = throw(game, given("", "far_allister"), "clever_ploy")
    assert not of(events, DiceRolled)
    assert of(events, e.MonsterMoved)


# --- activation, the end --------------------------------------------------------------------------


def test_one_activation_is_one_attack() -> None:
    game = survivors_turn()
    strike(game, given("1 1"))
    with pytest.raises(NotNow, match="no activation left"):
        strike(game, given("1 1"))


def test_the_knocked_down_neither_attack_nor_move() -> None:
    game = survivors_turn()
    run(game, harm.knock_down(game.table, "allister"))
    for action in (a.Attack(survivor="allister"), a.Move(survivor="allister")):
        with pytest.raises(NotNow, match="knocked down"):
            game.do(action)
        game.rewind()


def test_the_last_wound_kills_and_what_is_left_of_the_attack_falls_away() -> None:
    game = survivors_turn()
    while game.state.decks["ai"]["deck"]:
        run(game, monster.wound(game.table, "lucy"))
    events = strike(game, given("7 7 6", PLAIN), PLAIN, "strange_hand")
    assert fight(game).outcome == "victory"
    assert fight(game).killer == "allister"
    assert [one.cancelled for one in of(events, e.AttackEnded)] == [1]
    assert game.state.phase.step == "aftermath"


def test_the_last_survivors_death_in_an_attack_is_defeat() -> None:
    game = survivors_turn()
    for one in ("erza", "lucy", "zachary"):
        run(game, harm.die(game.table, [one], "a test"))
    who(game).injuries["head"] = ["heavy"]
    strike(game, given("1 7 1 5 5 h h 3"), "strange_hand")
    assert fight(game).outcome == "defeat"
    assert game.state.phase.step == "aftermath"


def without_critical(game: Game, card: str) -> None:
    """Replaces a location by one whose card names no critical wound."""
    plain = HitLocation(name="Plain", monster="white_lion")
    library = game.library
    real = library.get

    def get(kind: type, id_: str) -> object:
        return plain if (kind, id_) == (HitLocation, card) else real(kind, id_)

    library.get = get  # type: ignore[method-assign,assignment]


def test_a_critical_wound_that_kills_has_its_effects_all_the_same() -> None:
    game = survivors_turn()
    game.state.decks["ai"].zones["wounds"] = game.state.decks["ai"].zones.pop("deck")
    game.state.decks["ai"].zones["deck"] = []
    strike(game, given("7 2 10"), "beasts_paw")
    assert fight(game).outcome == "victory"
    assert who(game).resources == ["lion_claw"]
