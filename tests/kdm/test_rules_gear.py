"""What gear does: grids, affinities, sets, modifiers, use."""

from __future__ import annotations

import pytest

from kdmlog.core.errors import Refused
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import Gear, Modifies, Resource
from kdmlog.games.kdm.rules import (
    figures,
    grids,
    harm,
    kit,
    monster,
    numbers,
    surge,
    things,
    traits,
)
from kdmlog.games.kdm.rules.numbers import Strike
from kdmlog.games.kdm.state import Act

from .scene import (
    developing,
    fight,
    given,
    lend,
    of,
    on_top,
    play,
    run,
    store,
    survivors_turn,
    wear,
    who,
)
from .table import Game

LION = ("helm", "gauntlet", "coat", "skirt", "boots")


def strike(game: Game, card: str, *, blind: bool = False) -> Strike:
    record = game.library.get(numbers.Gear, card)
    return Strike(game.table, "allister", card, record, numbers.foe(game.table), blind=blind)


def suit(game: Game, name: str, pieces: tuple[str, ...]) -> None:
    """Dresses Allister in the pieces of a set, from the third cell on."""
    wear(game, **{f"c{3 + n}": f"{name}_{piece}" for n, piece in enumerate(pieces)})


# --- numbers --------------------------------------------------------------------------------------


def test_the_white_lion_set_arms_daggers_and_katars() -> None:
    game = survivors_turn()
    suit(game, "white_lion", LION)
    wear(game, c1="bone_dagger", c2="king_spear")
    assert (strike(game, "bone_dagger").dice.total, strike(game, "king_spear").dice.total) == (4, 2)
    assert strike(game, "bone_dagger").strength.total == 1 + 2


def test_a_set_adds_armor_everywhere() -> None:
    game = developing()
    who(game).grid.clear()
    suit(game, "white_lion", LION)
    assert set(things.armor_points(game.table, "allister").values()) == {2 + 1}


def test_the_screaming_set_protects_the_insane() -> None:
    game = developing()
    who(game).grid.clear()
    suit(game, "screaming", ("horns", "bracers", "coat", "skirt", "leg_warmers"))
    assert things.armor_points(game.table, "allister")["legs"] == 2
    who(game).insanity = 3
    assert things.armor_points(game.table, "allister")["legs"] == 2 + 2


def test_metal_armor_gains_3_by_the_lantern_cuirass_bonus() -> None:
    game = developing()
    who(game).grid.clear()
    wear(game, c5="lantern_cuirass", c2="lucky_charm")
    assert things.armor_points(game.table, "allister")["body"] == 5
    # its four edges: blue above and below, green on both sides
    wear(game, c2="lantern_helm", c4="lantern_mail", c6="lantern_gauntlets", c8="screaming_coat")
    assert kit.bonuses(game.table, who(game))["lantern_cuirass"]
    points = things.armor_points(game.table, "allister")
    assert (points["body"], points["arms"], points["legs"]) == (5 + 2 + 3, 5 + 3, 0)


def test_the_adventure_sword_has_the_bearers_courage() -> None:
    game = survivors_turn()
    wear(game, c3="adventure_sword")
    who(game).courage = 4
    assert strike(game, "adventure_sword").strength.total == 4
    assert strike(game, "founding_stone").strength.total == 1


def test_a_charm_is_an_affinity_by_itself() -> None:
    game = survivors_turn()
    wear(game, c3="red_charm")
    assert kit.affinities(game.table, who(game)) == {"red": 1, "green": 0, "blue": 0}


def test_the_death_mask_is_for_those_without_affinities() -> None:
    game = survivors_turn()
    wear(game, c3="death_mask")
    assert numbers.attribute(game.table, who(game), "luck").total == 4
    assert numbers.figure(game.table, who(game), "severe_injury") == -4
    wear(game, c9="red_charm")
    assert numbers.attribute(game.table, who(game), "luck").total == 0


def test_a_blood_sheath_right_of_the_katana_sharpens_it() -> None:
    game = survivors_turn()
    wear(game, c4="rainbow_katana", c6="blood_sheath")
    assert (strike(game, "rainbow_katana").sharp, strike(game, "rainbow_katana").frail) == (0, True)
    wear(game, c5="blood_sheath")
    assert (strike(game, "rainbow_katana").sharp, strike(game, "rainbow_katana").frail) == (
        1,
        False,
    )


def test_reach_and_range_are_numbers_of_the_attack() -> None:
    game = survivors_turn()
    assert (strike(game, "king_spear").reach, strike(game, "bone_dagger").reach) == (2, 1)
    assert (strike(game, "cat_gut_bow").range, strike(game, "king_spear").range) == (6, 0)


def test_a_cloak_takes_1_off_each_hit_but_leaves_1() -> None:
    game = survivors_turn()
    wear(game, c3="lion_skin_cloak")
    soft = [numbers.softened(game.table, who(game), "hit_damage", n) for n in (0, 1, 2, 3)]
    assert soft == [0, 1, 1, 2]


def test_with_a_phoenix_mask_the_insane_dodge_twice() -> None:
    game = survivors_turn()
    wear(game, c3="phoenix_mask")
    assert numbers.figure(game.table, who(game), "dodges") == 0
    assert not kit.bonuses(game.table, who(game))["phoenix_mask"]


# --- attacks --------------------------------------------------------------------------------------


def test_a_perfect_hit_of_a_hollow_sword_is_one_more_roll() -> None:
    game = survivors_turn()
    wear(game, c3="hollow_sword")
    on_top(game, "hit_locations", "beasts_femur", "beasts_knee")
    attack = a.Attack(survivor="allister", weapon="hollow_sword")
    events = game.do(attack, given("10 1 1 5 1 1", "beasts_femur"))
    assert of(events, e.HitsScored)[0].hits == 2
    assert of(events, e.HitsScored)[0].perfect == 1


def test_an_arrow_needs_a_bow_and_flies_once_per_showdown() -> None:
    game = survivors_turn()
    wear(game, c3="claw_head_arrow")
    attack = a.Attack(survivor="allister", weapon="claw_head_arrow")
    with pytest.raises(Refused, match="needs a bow"):
        game.do(attack, given("5"))
    wear(game, c4="cat_gut_bow")
    on_top(game, "hit_locations", "beasts_femur")
    game.do(attack, given("6 1"))
    assert fight(game).tokens["evasion"] == -1
    fight(game).acted.clear()
    fight(game).act = None
    with pytest.raises(Refused, match="once per showdown"):
        game.do(attack, given("6 1"))


def test_an_arrow_that_flew_in_a_surge_has_flown() -> None:
    game = survivors_turn()
    wear(game, c3="claw_head_arrow", c4="cat_gut_bow")
    on_top(game, "hit_locations", "beasts_femur")
    way = surge.ways(game.table, "allister")["claw_head_arrow"]
    run(game, way.play(), given("6 1"))
    assert "claw_head_arrow" not in surge.ways(game.table, "allister")


def test_a_cumbersome_bow_takes_movement_too() -> None:
    game = survivors_turn()
    wear(game, c4="cat_gut_bow")
    game.do(a.Attack(survivor="allister", weapon="cat_gut_bow"), given("1 1"))
    assert fight(game).act == Act(survivor="allister", movement=0, activation=0)


# --- grids ----------------------------------------------------------------------------------------


def stored(game: Game, *cards: str) -> None:
    for card in cards:
        run(game, things.gain_gear(game.table, card))


def test_items_are_in_a_grid_once_and_weapons_as_often_as_you_like() -> None:
    game = developing()
    stored(game, "bandages", "bandages", "bone_blade", "bone_blade")
    for card in ("bandages", "bone_blade", "bone_blade"):
        game.do(a.GearPut(survivor="allister", gear=card))
    with pytest.raises(Refused, match="only weapons"):
        game.do(a.GearPut(survivor="allister", gear="bandages"))


def test_cursed_gear_leaves_a_grid_in_no_way() -> None:
    game = developing()
    wear(game, c9="regal_helm")
    with pytest.raises(Refused, match="cursed"):
        game.do(a.GearTake(survivor="allister", cell="9"))
    with pytest.raises(Refused, match="cursed"):
        game.do(a.GearSwap(survivor="erza", cell="1", other="allister", other_cell="9"))
    play(game, [{"archive_gear": {"who": "@allister", "id": "regal_helm"}}])
    assert "9" in who(game).grid


def test_a_settlement_has_unique_gear_once() -> None:
    game = developing()
    stored(game, "scavenger_kit")
    events = run(game, things.gain_gear(game.table, "scavenger_kit"))
    assert not of(events, e.GearGained) and of(events, e.GainIgnored)


def test_selfish_gear_lies_beside_nothing_other() -> None:
    game = developing()
    stored(game, "hours_ring", "crest_crown")
    game.do(a.GearPut(survivor="allister", gear="hours_ring"))
    with pytest.raises(Refused, match="selfish"):
        game.do(a.GearPut(survivor="allister", gear="crest_crown"))


def test_life_exchanges_bar_gear_of_the_keyword_other() -> None:
    game = developing()
    who(game).abilities.append("red_life_exchange")
    stored(game, "crest_crown")
    with pytest.raises(Refused, match="keyword other"):
        game.do(a.GearPut(survivor="allister", gear="crest_crown"))


def test_an_accessory_is_worn_over_armor() -> None:
    game = developing()
    who(game).grid.clear()
    stored(game, "leather_mask", "lion_headdress", "skull_helm")
    game.do(a.GearPut(survivor="allister", gear="leather_mask"))
    game.do(a.GearPut(survivor="allister", gear="lion_headdress"))
    assert things.armor_points(game.table, "allister")["head"] == 4
    assert grids.forbidden(game.table, who(game), ["leather_mask"], "skull_helm")


# --- what protects --------------------------------------------------------------------------------


def test_leather_armor_withstands_bash() -> None:
    game = survivors_turn()
    suit(game, "leather", ("mask", "bracers", "cuirass", "skirt", "boots"))
    run(game, harm.knock_down(game.table, "allister", "bash"))
    assert who(game).knocked_down is None
    run(game, harm.knock_down(game.table, "allister"))
    assert who(game).knocked_down == 1


def test_an_almanac_keeps_disorders_away() -> None:
    game = developing()
    wear(game, c5="almanac")
    run(game, figures.gain_trait(game.table, "allister", "disorders", "prey"))
    assert who(game).disorders == []


def test_the_undeathable_live_on_6() -> None:
    game = survivors_turn()
    undying = [Modifies(to="undeathable", by=1)]
    charm = Gear(name="Charm", kind="item", location="rare", modifiers=undying)
    lend(game, "charm", charm)
    wear(game, c3="charm")
    run(game, harm.die(game.table, ["allister"], "a test"), given("6"))
    assert who(game).alive
    run(game, harm.die(game.table, ["allister"], "a test"), given("5"))
    assert not who(game).alive


def test_the_undeathable_full_of_bleeding_tokens_live_until_the_next_one() -> None:
    game = survivors_turn()
    undying = [Modifies(to="undeathable", by=1)]
    lend(game, "charm", Gear(name="Charm", kind="item", location="rare", modifiers=undying))
    wear(game, c3="charm")
    run(game, harm.bleed(game.table, "allister", 5), given("6"))
    assert (who(game).alive, who(game).tokens["bleeding"]) == (True, 5)
    run(game, harm.suffer(game.table, "allister", "contracture"), given("5"))
    assert not who(game).alive


def test_a_skull_helm_goes_with_a_severe_head_injury() -> None:
    game = survivors_turn()
    wear(game, c3="skull_helm")
    run(game, harm.suffer(game.table, "allister", "blind"))
    assert "3" not in who(game).grid


def test_elder_earrings_give_survival_when_a_showdown_starts() -> None:
    game = survivors_turn()
    game.state.settlement.survival_limit = 5
    wear(game, c3="elder_earrings")
    before = who(game).survival
    run(game, traits.moment(game.table, "showdown_start", ["allister"]))
    assert who(game).survival == before + 2


# --- costs ----------------------------------------------------------------------------------------


def test_only_gear_of_locations_that_are_there_makes_a_resource_worth_a_question() -> None:
    game = developing()
    assert not things._special(game.table, "leather")
    game.state.settlement.locations.append("bone_smith")  # the pickaxe takes leather
    assert things._special(game.table, "leather")
    assert not things._special(game.table, "white_fur")
    game.state.settlement.locations.append("catarium")
    assert things._special(game.table, "white_fur")


def test_the_black_skull_is_a_skull_a_bone_and_iron() -> None:
    record = Game().library.get(Resource, "black_skull")
    cost = things.Cost
    pays = [cost(resource="skull"), cost(type="bone"), cost(type="iron"), cost(type="hide")]
    assert [things.fits("black_skull", record, one) for one in pays] == [True, True, True, False]


def test_a_mask_costs_an_endeavor_and_gear_out_of_storage() -> None:
    game = developing()
    game.state.settlement.locations.append("mask_maker")
    store(game, monster_bone=6, sinew=4)
    game.state.settlement.endeavors = 2
    who(game).grid.clear()
    with pytest.raises(Refused, match="Founding Stone"):
        game.do(a.SettlementCraft(gear=["god_mask"]))
    stored(game, "founding_stone")
    game.do(a.SettlementCraft(gear=["god_mask"]), given())
    assert game.state.settlement.endeavors == 1
    cards = [game.state.gear[one] for one in game.state.settlement.storage.gear]
    assert "god_mask" in cards and "founding_stone" not in cards


# --- used -----------------------------------------------------------------------------------------


def test_bandages_take_up_to_2_bleeding_tokens_off() -> None:
    game = survivors_turn()
    wear(game, c3="bandages")
    who(game).tokens["bleeding"] = 1
    game.do(a.Activate(survivor="allister", thing="bandages"), given("", "self"))
    assert "bleeding" not in who(game).tokens


def test_fresh_acanthus_heals_one_location_wholly() -> None:
    game = survivors_turn()
    one = who(game)
    one.resources.append("fresh_acanthus")
    one.injuries["waist"] = ["light", "heavy"]
    one.armor["waist"] = 0
    game.do(a.Activate(survivor="allister", thing="fresh_acanthus"))
    one = who(game)
    assert one.armor["waist"] == 1
    assert not one.injuries.get("waist") and one.resources == []


def test_who_cannot_consume_eats_nothing() -> None:
    game = developing()
    store(game, screaming_brain=1)
    who(game).severe_injuries.append("shattered_jaw")
    with pytest.raises(Refused, match="consume nothing"):
        game.do(a.Consume(survivor="allister", thing="screaming_brain"))
    game.state.settlement.survival_limit = 4
    game.do(a.Consume(survivor="erza", thing="screaming_brain"))
    assert who(game, "erza").survival == 4
    assert "screaming_brain" not in game.state.settlement.storage.resources


def test_what_has_no_effect_is_not_eaten() -> None:
    game = developing()
    store(game, beast_steak=1)
    with pytest.raises(Refused, match="Nothing comes of eating"):
        game.do(a.Consume(survivor="erza", thing="beast_steak"))


def test_a_lonely_ant_exchanges_survival_and_insanity() -> None:
    game = developing()
    game.state.settlement.survival_limit = 9
    store(game, lonely_ant=1)
    who(game).survival, who(game).insanity = 2, 7
    game.do(a.Consume(survivor="allister", thing="lonely_ant"))
    assert (who(game).survival, who(game).insanity) == (7, 2)


def test_a_monster_organ_on_6_costs_the_consumable_gear() -> None:
    game = developing()
    store(game, monster_organ=2)
    wear(game, c3="monster_grease", c4="bandages")
    game.do(a.Consume(survivor="allister", thing="monster_organ"), given("5"))
    assert "3" in who(game).grid
    game.do(a.Consume(survivor="allister", thing="monster_organ"), given("6"))
    assert "3" not in who(game).grid and "4" in who(game).grid


def test_brain_mint_helps_also_when_lying_and_once_a_showdown() -> None:
    game = survivors_turn()
    wear(game, c3="brain_mint")
    who(game).knocked_down = 1
    who(game).tokens.update(bleeding=2, strength=-1)
    game.do(a.Consume(survivor="allister", thing="brain_mint"))
    assert (who(game).knocked_down, who(game).tokens) == (None, {})
    with pytest.raises(Refused, match="once a showdown"):
        game.do(a.Consume(survivor="allister", thing="brain_mint"))


def test_a_rawhide_headband_orders_the_next_two_ai_cards() -> None:
    game = survivors_turn()
    wear(game, c4="rawhide_headband")
    with pytest.raises(Refused, match="affinities"):
        game.do(a.Activate(survivor="allister", thing="rawhide_headband"))
    wear(game, c7="rawhide_vest")
    first, second = game.state.decks["ai"]["deck"][:2]
    game.do(a.Activate(survivor="allister", thing="rawhide_headband"), given("", second))
    assert game.state.decks["ai"]["deck"][:2] == [second, first]


def test_resources_are_handed_over_in_ones_act() -> None:
    game = survivors_turn()
    who(game).resources.append("skull")
    game.do(a.Give(survivor="allister", resource="skull", to="erza"))
    assert (who(game).resources, who(game, "erza").resources) == ([], ["skull"])
    assert fight(game).act == Act(survivor="allister")


def test_king_of_a_thousand_battles_dodges_as_often_as_wanted() -> None:
    game = survivors_turn()
    who(game).fighting_arts.append("king_of_a_thousand_battles")
    assert numbers.attribute(game.table, who(game), "evasion").total == 2
    assert numbers.figure(game.table, who(game), "dodges") == 99


def test_zero_presence_is_always_in_the_blind_spot() -> None:
    game = survivors_turn()
    who(game).fighting_arts.append("zero_presence")
    blow = strike(game, "founding_stone")
    assert (blow.hits_on, blow.strength.total) == (6, 2)


def test_bitter_frenzy_lifts_what_frenzy_bars() -> None:
    game = survivors_turn()
    who(game).passing.append("frenzy")
    assert not figures.can_spend_survival(game.table, who(game))
    who(game).abilities.append("bitter_frenzy")
    assert figures.can_spend_survival(game.table, who(game))


def test_an_unconscious_fighter_dies_of_the_seventh_token() -> None:
    game = survivors_turn()
    who(game).fighting_arts.append("unconscious_fighter")
    run(game, harm.bleed(game.table, "allister", 6))
    assert who(game).alive
    run(game, harm.bleed(game.table, "allister", 1))
    assert not who(game).alive


def test_a_skullcap_hammer_slows_the_monster_once_a_round_until_its_turn_ends() -> None:
    game = survivors_turn()
    wear(game, c3="skullcap_hammer")
    on_top(game, "hit_locations", "beasts_femur", "beasts_knee")
    attack = a.Attack(survivor="allister", weapon="skullcap_hammer")
    game.do(attack, given("10 10 1 1", "beasts_femur"))
    assert fight(game).tokens["speed"] == -1
    run(game, monster.end_tokens(game.table, "monster_turn_end"))
    assert "speed" not in fight(game).tokens
