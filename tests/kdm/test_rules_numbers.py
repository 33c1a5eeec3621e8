"""What attacks and sheets are made of: base, tokens, gear, affinities, traits, weapon rules."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kdmlog.core.errors import NotNow, Refused
from kdmlog.core.events import Event
from kdmlog.core.inputs import Inputs
from kdmlog.core.procedures import Procedure, Record
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.content import ArmorSet, Gear, HitLocation, Modifies, Weapon
from kdmlog.games.kdm.rules import blows, harm, kit, numbers
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.rules.numbers import Foe, Strike

from .scene import FISTS, developing, fight, given, lend, of, on_top, run, survivors_turn, wear, who
from .table import Game

PLAIN = ("beasts_femur", "beasts_knee")
"""Locations without any reaction."""


def weapon(*rules: str, name: str = "Blade", figures: tuple[int, int, int] = (2, 6, 2)) -> Gear:
    """Returns a melee weapon with such rules; its figures are dice, accuracy, strength."""
    speed, accuracy, strength = figures
    return Gear(
        name=name,
        kind="weapon",
        location="starting",
        keywords=["melee", "sword"],
        rules=list(rules),
        weapon=Weapon(speed=speed, accuracy=accuracy, strength=strength),
    )


def armed(record: Gear, card: str = "blade", **cells: str) -> Game:
    """Returns the survivors' turn, Allister with a weapon that no pack has."""
    game = survivors_turn()
    lend(game, card, record)
    wear(game, **(cells or {"c3": card}))
    return game


def strike(
    game: Game, card: str = "founding_stone", *, blind: bool = False, perfect: int = 0
) -> Strike:
    """Returns Allister's numbers as they stand."""
    record = game.library.get(Gear, card)
    foe = numbers.foe(game.table)
    return Strike(game.table, "allister", card, record, foe, blind=blind, perfect=perfect)


def attack(game: Game, inputs: Inputs, *locations: str, card: str = "blade") -> list[Event]:
    on_top(game, "hit_locations", *(locations or PLAIN))
    return game.do(a.Attack(survivor="allister", weapon=card), inputs)


def sheet(game: Game, name: str) -> int:
    return numbers.attribute(game.table, who(game), name).total


# --- the rulebook's examples ----------------------------------------------------------------------


def test_in_the_blind_spot_a_6_hits_with_a_founding_stone() -> None:
    game = survivors_turn()
    assert (strike(game).hits_on, strike(game, blind=True).hits_on) == (7, 6)
    assert not strike(game).hits(6)
    assert strike(game, blind=True).hits(6)
    assert strike(game, blind=True).roll.terms == ("blind spot +1",)


def test_toughness_6_and_strength_1_wound_on_5() -> None:
    game = survivors_turn()
    assert strike(game).wounds_on == 5
    assert strike(game).strength.terms == ("Founding Stone +1",)


def test_fist_and_tooth_is_critical_on_9() -> None:
    game = survivors_turn()
    assert strike(game, FISTS).critical_on == 9
    assert strike(game, FISTS).critical.terms == ("lantern +10", "deadly -1")


def test_two_perfect_hits_with_a_scrap_dagger_are_4_strength_for_the_rest_of_the_attack() -> None:
    game = survivors_turn()
    wear(game, c3="scrap_dagger")
    fight(game).tokens["toughness"] = 6  # 12 in all
    events = attack(game, given("10 10 1 5 6", PLAIN[0]), card="scrap_dagger")
    found = of(events, e.WoundAttempted)
    assert [(one.total, one.wounded) for one in found] == [(5 + 2 + 4, False), (6 + 2 + 4, True)]
    assert found[0].terms == ("Scrap Dagger +2", "perfect ×2 +4")


def test_what_a_scrap_dagger_gains_ends_with_the_attack_and_is_its_own() -> None:
    game = survivors_turn()
    wear(game, c3="scrap_dagger")
    assert strike(game, "scrap_dagger", perfect=1).strength.total == 4
    assert strike(game, "scrap_dagger").strength.total == 2
    assert strike(game, "founding_stone", perfect=1).strength.total == 1


def test_negative_evasion_still_misses_on_a_natural_1() -> None:
    game = survivors_turn()
    fight(game).tokens["evasion"] = -9
    assert [strike(game).hits(face) for face in (1, 2)] == [False, True]
    assert strike(game).needs.terms == ("Founding Stone +7", "monster evasion -9")


def test_a_monsters_attack_counts_what_gear_adds_to_evasion_and_misses_on_1() -> None:
    game = survivors_turn()
    who(game).evasion = -5
    wear(game, c3="monster_grease")
    assert numbers.attribute(game.table, who(game), "evasion").terms == (
        "evasion -5",
        "Monster Grease +1",
    )
    scene = Scene(table=game.table, record="test:claw", who="allister")
    claw = s.Attack(speed=2, accuracy=6, damage=0)
    [scored] = of(
        run(game, blows.monster_attack(game.table, scene, claw), given("1 2 a", "no")),
        e.HitsScored,
    )
    assert scored.hits == 1


def test_above_10_and_strength_only_a_lantern_wounds() -> None:
    game = survivors_turn()
    fight(game).tokens["toughness"] = 20
    assert [strike(game).wounds(face) for face in range(1, 11)] == [False] * 9 + [True]


def test_luck_2_against_a_monsters_luck_token_is_critical_on_9() -> None:
    game = survivors_turn()
    who(game).luck = 1
    who(game).tokens["luck"] = 1
    fight(game).tokens["luck"] = 1
    found = strike(game)
    assert found.critical_on == 9
    assert found.critical.terms == ("lantern +10", "luck -1", "luck tokens -1", "monster luck +1")


def test_without_luck_against_a_luck_token_nothing_is_critical() -> None:
    game = survivors_turn()
    fight(game).tokens["luck"] = 1
    assert strike(game).critical_on is None
    assert strike(game).wounds(10)


def test_slow_has_1_die_whatever_the_speed_and_frenzied_its_own_but_only_in_melee() -> None:
    game = armed(weapon("slow", figures=(3, 6, 2)))
    who(game).speed = 2
    assert (strike(game, "blade").dice.total, strike(game, "blade").dice.terms) == (1, ("slow: 1",))
    run(game, harm.suffer(game.table, "allister", "frenzy"), given("1"))
    assert strike(game, "blade").dice.total == 3 + 2 + 1
    assert strike(game, "blade").strength.terms == ("Blade +2", "strength tokens +1")
    lend(game, "bow", replace(weapon("slow"), keywords=["ranged", "bow"]))
    assert strike(game, "bow").dice.total == 1


def test_a_knocked_down_monster_is_hit_on_3_whatever_adds() -> None:
    game = survivors_turn()
    who(game).accuracy = 5
    fight(game).knocked_down = True
    fight(game).tokens["evasion"] = 3
    found = strike(game, blind=True)
    assert (found.hits_on, found.needs.terms, found.roll.terms) == (3, ("knocked down: 3",), ())


def test_dice_sum_up_even_when_there_would_be_none() -> None:
    game = survivors_turn()
    who(game).tokens["speed"] = -7
    dice = strike(game).dice
    assert dice.total == 1 == sum(part.by for part in dice.parts)
    assert dice.terms == ("Founding Stone +2", "speed tokens -7", "at least 1 +6")


# --- affinities and gear --------------------------------------------------------------------------


def test_two_blue_squares_anywhere_make_the_lucky_charm_lucky_once() -> None:
    game = survivors_turn()
    wear(game, c4="lucky_charm", c5="fecal_salve")
    assert sheet(game, "luck") == 0
    # A second charm is forbidden in play; its squares would count, its bonus would not.
    wear(game, c3="fecal_salve", c2="lucky_charm")
    assert kit.affinities(game.table, who(game))["blue"] == 2
    assert sheet(game, "luck") == 1
    assert numbers.attribute(game.table, who(game), "luck").terms == ("Lucky Charm (2 blue) +1",)
    assert strike(game).critical_on == 9


def test_gear_that_is_lost_takes_its_bonus_along() -> None:
    game = survivors_turn()
    wear(game, c4="lucky_charm", c5="fecal_salve", c3="fecal_salve", c2="lucky_charm")
    run(game, archived("fecal_salve.1"))
    assert sheet(game, "luck") == 0
    assert strike(game).critical_on == 10


def archived(gear: str) -> Procedure[None]:
    yield Record(e.GearArchived(gear=gear))


def test_puzzle_affinities_have_to_be_on_the_card_itself() -> None:
    game = survivors_turn()
    # Blue on its top from the headband above, red on its right from the gloves.
    wear(game, c2="rawhide_headband", c5="rawhide_vest", c6="rawhide_gloves")
    assert sheet(game, "evasion") == 1
    assert kit.bonuses(game.table, who(game)) == {
        "rawhide_headband": True,
        "rawhide_vest": True,
    }
    # The same colours complete elsewhere in the grid do not do.
    game = survivors_turn()
    wear(game, c1="lucky_charm", c2="lucky_charm", c4="monster_tooth_necklace", c5="bone_axe")
    wear(game, c9="rawhide_vest")
    assert kit.affinities(game.table, who(game)) == {"red": 1, "green": 0, "blue": 1}
    assert sheet(game, "evasion") == 0


def test_a_necklace_strengthens_at_once_and_once_more_with_2_red() -> None:
    game = survivors_turn()
    wear(game, c4="monster_tooth_necklace", c5="bone_axe")
    assert numbers.attribute(game.table, who(game), "strength").terms == (
        "Monster Tooth Necklace +1",
    )
    wear(game, c7="monster_tooth_necklace", c8="bone_axe")
    assert numbers.attribute(game.table, who(game), "strength").terms == (
        "Monster Tooth Necklace +1",
        "Monster Tooth Necklace (2 red) +1",
    )
    assert strike(game, "bone_axe").strength.total == 3 + 2


def test_a_permanent_affinity_counts_with_the_squares() -> None:
    game = survivors_turn()
    wear(game, c4="monster_tooth_necklace", c5="bone_axe")
    who(game).abilities.append("dream_of_the_beast")
    assert kit.affinities(game.table, who(game))["red"] == 2
    assert sheet(game, "strength") == 2


def test_a_scrap_sword_is_deadly_with_2_red_and_1_blue_and_no_other_weapon_is() -> None:
    game = survivors_turn()
    wear(game, c1="monster_tooth_necklace", c2="bone_axe", c4="monster_tooth_necklace")
    wear(game, c5="bone_axe", c7="lucky_charm", c8="lucky_charm", c9="scrap_sword")
    assert kit.affinities(game.table, who(game)) == {"red": 2, "green": 0, "blue": 1}
    assert strike(game, "scrap_sword").critical.terms == (
        "lantern +10",
        "Scrap Sword (1 blue, 2 red) -1",
    )
    assert strike(game, "bone_axe").critical_on == 10


def test_a_set_modifies_while_it_is_complete() -> None:
    game = survivors_turn()
    pieces = ["rawhide_headband", "rawhide_boots"]
    made = ArmorSet(
        name="Half Rawhide",
        pieces=pieces,
        modifiers=[Modifies(to="strength", by=2, weapon="dagger")],
    )
    game.library._all[ArmorSet] = {"half_rawhide": made}
    wear(game, c2=pieces[0], c3="bone_dagger")
    assert strike(game, "bone_dagger").strength.total == 1
    wear(game, c8=pieces[1])
    assert strike(game, "bone_dagger").strength.terms == ("Bone Dagger +1", "Half Rawhide +2")
    assert strike(game).strength.total == 1


def test_departing_the_log_says_what_gear_adds() -> None:
    game = developing("zachary")
    wear(game, "erza", c4="lucky_charm", c5="fecal_salve", c3="fecal_salve", c2="lucky_charm")
    wear(game, "erza", c7="monster_grease")
    game.do(a.SurvivorNew(name="Mabel", sex="f"))
    people = ["allister", "erza", "lucy", "mabel"]
    [fact] = of(game.do(a.Depart(survivors=people, hunt="white_lion")), e.ModifiersRecorded)
    assert (fact.survivor, who(game, "erza").evasion) == ("erza", 0)
    assert fact.terms == ("evasion +1: Monster Grease", "luck +1: Lucky Charm (2 blue)")


# --- traits ---------------------------------------------------------------------------------------


def test_clutch_fighter_counts_bleeding() -> None:
    game = survivors_turn()
    who(game).fighting_arts.append("clutch_fighter")
    who(game).tokens["bleeding"] = 2
    assert (strike(game).strength.total, strike(game).roll.total) == (1, 0)
    who(game).tokens["bleeding"] = 3
    assert strike(game).strength.terms == ("Founding Stone +1", "Clutch Fighter +1")
    assert strike(game).roll.terms == ("Clutch Fighter +1",)


def test_monster_claw_style_is_for_fist_and_tooth_and_savage() -> None:
    game = survivors_turn()
    who(game).fighting_arts.append("monster_claw_style")
    assert (strike(game, FISTS).hits_on, strike(game, FISTS).strength.total) == (7, 1)
    assert strike(game, FISTS).savage
    assert (strike(game).hits_on, strike(game).savage) == (7, False)


def test_an_art_that_cannot_be_used_adds_nothing() -> None:
    game = survivors_turn()
    who(game).fighting_arts.append("monster_claw_style")
    who(game).passing.append("frenzy")
    assert not strike(game, FISTS).savage


def test_mighty_strike_and_crazed_count_each_perfect_hit() -> None:
    game = survivors_turn()
    who(game).fighting_arts += ["mighty_strike", "crazed"]
    events = attack(game, given("10 10 3 2", PLAIN[0]), card="founding_stone")
    assert who(game).insanity == 2
    assert [one.total for one in of(events, e.WoundAttempted)] == [3 + 1 + 4, 2 + 1 + 4]


def test_timeless_eye_sees_a_9_as_perfect_but_not_while_blind() -> None:
    game = survivors_turn()
    who(game).fighting_arts.append("timeless_eye")
    who(game).accuracy = -9
    assert (strike(game).perfect(9), strike(game).hits(9), strike(game).hits(8)) == (
        True,
        True,
        False,
    )
    who(game).severe_injuries.append("blind")
    assert not strike(game).perfect(9)


def test_ambidextrous_pairs_melee_weapons_but_beside_nothing_heavy() -> None:
    game = armed(weapon(), c3="blade", c9="blade")
    who(game).fighting_arts.append("ambidextrous")
    assert strike(game, "blade").dice.total == 4
    lend(game, "door", replace(weapon(), weapon=None, kind="item", keywords=["heavy"]))
    wear(game, c5="door")
    assert strike(game, "blade").dice.total == 2


def test_a_leyline_walker_evades_with_neither_armor_nor_accessory() -> None:
    game = survivors_turn()
    who(game).abilities.append("leyline_walker")
    assert sheet(game, "evasion") == 0, "in Cloth"
    run(game, archived("cloth.1"))
    assert sheet(game, "evasion") == 3
    lend(game, "mask", replace(weapon("accessory"), weapon=None, kind="item"))
    wear(game, c5="mask")
    assert sheet(game, "evasion") == 0


# --- weapon rules ---------------------------------------------------------------------------------


def test_deadly_x_is_x_luck() -> None:
    assert strike(armed(weapon("deadly:2")), "blade").critical_on == 8


def test_sharp_adds_a_d10_that_is_no_wound_roll() -> None:
    game = armed(weapon("sharp"))
    fight(game).tokens["toughness"] = 12  # 18 in all
    [found] = of(attack(game, given("6 1 6 10")), e.WoundAttempted)
    assert (found.total, found.wounded, found.critical) == (6 + 2 + 10, True, False)
    assert found.terms == ("Blade +2", "sharp +10")
    game = armed(weapon("sharp"))
    assert not of(attack(game, given("6 1 1 10")), e.WoundAttempted)[0].wounded


def test_acid_palms_and_metal_maw_are_sharp_fists() -> None:
    game = survivors_turn()
    who(game).abilities += ["acid_palms", "metal_maw"]
    assert (strike(game, FISTS).sharp, strike(game).sharp) == (2, 0)


def test_devastating_wounds_more_but_an_impervious_place_not_at_all() -> None:
    game = armed(weapon("devastating:2"))
    attack(game, given("6 1 6"))
    assert fight(game).wounds == 3
    game = armed(weapon("devastating:2"))
    attack(game, given("6 1 6"), "glorious_mane")
    assert fight(game).wounds == 0


def test_savage_is_1_wound_more_at_the_first_critical_only() -> None:
    game = armed(weapon("savage"))
    fight(game).knocked_down = True
    attack(game, given("3 3 10 10", "beasts_paw"), "beasts_paw", "beasts_tail")
    assert fight(game).wounds == 2 + 1
    game = armed(weapon("savage"))
    attack(game, given("6 1 9"))
    assert fight(game).wounds == 1


def test_paired_weapons_of_a_name_add_the_second_ones_speed() -> None:
    assert strike(armed(weapon("paired")), "blade").dice.total == 2
    both = armed(weapon("paired"), c3="blade", c9="blade")
    assert strike(both, "blade").dice.terms == ("Blade +2", "paired +2")
    assert strike(armed(weapon(), c3="blade", c9="blade"), "blade").dice.total == 2


def test_early_iron_cancels_the_attack_on_a_1() -> None:
    game = armed(weapon("early_iron"))
    events = attack(game, given("1 10"))
    assert not of(events, e.WoundAttempted)
    assert [one.cancelled for one in of(events, e.AttackEnded)] == [1]
    assert fight(game).attacker == ""
    assert of(attack(armed(weapon("early_iron")), given("2 10 6")), e.WoundAttempted)


def test_an_unwieldy_weapon_hurts_for_each_1_and_the_attack_goes_on() -> None:
    game = armed(weapon("unwieldy", figures=(3, 6, 5)))
    events = attack(game, given("1 1 6 l a 6"))
    assert who(game).injuries == {"legs": ["light"], "arms": ["light"]}
    assert of(events, e.WoundAttempted)


def test_one_whom_an_unwieldy_weapon_fells_loses_the_attack() -> None:
    game = armed(weapon("unwieldy"))
    events = attack(game, given("1 6 h"))
    assert who(game).knocked_down == 1
    assert not of(events, e.WoundAttempted)
    assert [one.cancelled for one in of(events, e.AttackEnded)] == [1]


def test_unstoppable_wounds_on_6_and_never_critically() -> None:
    game = armed(weapon("unstoppable", "deadly:5"))
    fight(game).tokens["toughness"] = 30
    found = strike(game, "blade")
    assert (found.wounds_on, found.critical_on) == (6, None)
    [tried] = of(attack(game, given("6 1 6")), e.WoundAttempted)
    assert (tried.total, tried.needs, tried.wounded) == (6, 6, True)


def test_a_frail_weapon_is_archived_after_a_super_dense_location() -> None:
    for rules, kept in ((("frail",), False), ((), True)):
        game = armed(weapon(*rules))
        dense = HitLocation(name="Dense", monster="white_lion", type="super_dense")
        game.library._decoded["hit_location", PLAIN[0]] = dense
        attack(game, given("6 6 2 6", PLAIN[0]))
        assert ("blade.1" in game.state.gear) is kept
        assert fight(game).wounds == 1, "archived when the attack has ended"


def test_a_sentient_weapon_wants_the_insane() -> None:
    game = armed(weapon("sentient"))
    with pytest.raises(Refused, match="sentient"):
        attack(game, given("1 1"))
    game = armed(weapon("sentient"))
    who(game).insanity = 3
    attack(game, given("1 1"))


def test_a_cumbersome_weapon_takes_movement_too() -> None:
    game = armed(weapon("cumbersome"))
    attack(game, given("1 1"))
    act = fight(game).act
    assert act is not None
    assert (act.movement, act.activation) == (0, 0)
    game = armed(weapon("cumbersome"))
    game.do(a.Move(survivor="allister"))
    with pytest.raises(NotNow, match="movement"):
        attack(game, given("1 1"))


def test_wounding_with_a_provoking_weapon_takes_the_priority_target() -> None:
    game = armed(weapon("provoke"))
    attack(game, given("6 1 2"))
    assert fight(game).priority_target == ""
    game = armed(weapon("provoke"))
    attack(game, given("6 1 6"))
    assert fight(game).priority_target == "allister"


def test_a_perfect_hit_with_a_bone_dagger_gives_survival() -> None:
    game = survivors_turn()
    wear(game, c3="bone_dagger")
    who(game).survival = 0
    attack(game, given("10 1 1 6"), card="bone_dagger")
    assert who(game).survival == 1


def test_numbers_that_are_supposed_are_named_so() -> None:
    game = survivors_turn()
    record = game.library.get(Gear, "founding_stone")
    found = Strike(
        game.table, "allister", "founding_stone", record, Foe(9), given={"strength": 2, "luck": 1}
    )
    assert found.strength.terms == ("Founding Stone +1", "supposed +2")
    assert (found.wounds_on, found.critical_on) == (6, 9)
