"""Weapon proficiency: chosen from Age 1, earned by wounding, its skills, mastery for everyone."""

from __future__ import annotations

import msgspec
import pytest

from kdmlog.core.errors import Refused
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import Gear, WeaponProficiency
from kdmlog.games.kdm.rules import figures, harm, numbers, people, proficiency, things
from kdmlog.games.kdm.rules.numbers import Strike
from kdmlog.games.kdm.state import WEAPON_TYPES

from .scene import FISTS, developing, fight, given, of, on_top, run, survivors_turn, wear, who
from .table import Game


def strike(game: Game, card: str, id_: str = "allister") -> Strike:
    record = game.library.get(Gear, card)
    return Strike(game.table, id_, card, record, numbers.foe(game.table))


def trained(type_: str, level: int, game: Game | None = None) -> Game:
    game = game or survivors_turn()
    who(game).weapon_type, who(game).proficiency = type_, level
    return game


# --- the type -------------------------------------------------------------------------------------


def test_a_type_is_chosen_from_age_1_on() -> None:
    game = developing()
    who(game).hunt_xp = 1
    with pytest.raises(Refused, match="Age 1 on: 2 hunt XP"):
        game.do(a.SurvivorWeapon(survivor="allister", type="axe"))
    who(game).hunt_xp = 2
    game.do(a.SurvivorWeapon(survivor="allister", type="axe"))
    assert who(game).weapon_type == "axe"


def test_another_type_loses_all_levels() -> None:
    game = trained("axe", 4, developing())
    game.do(a.SurvivorWeapon(survivor="allister", type="sword"))
    assert (who(game).weapon_type, who(game).proficiency) == ("sword", 0)
    with pytest.raises(Refused, match="already"):
        game.do(a.SurvivorWeapon(survivor="allister", type="sword"))


def test_only_the_bearer_of_the_twilight_sword_trains_with_it() -> None:
    game = trained("axe", 1, developing())
    assert "twilight_sword" not in proficiency.choices(game.table, who(game))
    wear(game, c9="twilight_sword")
    assert "twilight_sword" in proficiency.choices(game.table, who(game))


def test_katana_scythe_and_thrown_weapons_are_no_types() -> None:
    known = set(Game().library.all(WeaponProficiency))
    assert set(WEAPON_TYPES) - known == {"katana", "scythe", "thrown"}


# --- levels ---------------------------------------------------------------------------------------


def test_whoever_wounds_with_their_type_earns_a_level() -> None:
    game = trained("dagger", 0)
    wear(game, c3="bone_dagger")
    on_top(game, "hit_locations", "beasts_femur")
    game.do(a.Attack(survivor="allister", weapon="bone_dagger"), given("8 1 1 9"))
    assert fight(game).wounded_with == {"allister": ["bone_dagger"]}
    assert proficiency.earned(game.table) == ["allister"]
    who(game).weapon_type = "sword"
    assert proficiency.earned(game.table) == []


def test_a_failed_attempt_or_no_type_earns_nothing() -> None:
    game = trained("fist_and_tooth", 0)
    on_top(game, "hit_locations", "beasts_femur")
    game.do(a.Attack(survivor="allister", weapon=FISTS), given("8 1 1"))
    assert proficiency.earned(game.table) == []
    fight(game).wounded_with = {"allister": [FISTS]}
    assert proficiency.earned(game.table) == ["allister"]
    who(game).weapon_type = ""
    assert proficiency.earned(game.table) == []


# --- skills ---------------------------------------------------------------------------------------


def test_a_specialist_of_grand_weapons_is_more_accurate_from_level_3() -> None:
    game = trained("grand_weapon", 2)
    assert strike(game, "zanbato").hits_on == 6
    who(game).proficiency = 3
    assert strike(game, "zanbato").hits_on == 5
    assert strike(game, "zanbato").roll.terms == ("Grand Weapon +1",)
    assert strike(game, "king_spear").hits_on == 6


def test_a_master_of_the_sword_and_of_the_whip() -> None:
    game = trained("sword", 8)
    blow = strike(game, "bone_blade")
    assert (blow.dice.total, blow.hits_on, blow.strength.total) == (3, 5, 3)
    who(game).weapon_type = "whip"
    assert strike(game, "rawhide_whip").strength.total == 1 + 5


def test_a_master_of_the_bow_is_not_slowed_by_it() -> None:
    game = trained("bow", 8)
    blow = strike(game, "cat_gut_bow")
    assert (blow.cumbersome, blow.critical_on) == (False, 8)


def test_the_twilight_sword_grows_with_its_bearer() -> None:
    game = trained("twilight_sword", 0)
    wear(game, c3="twilight_sword")
    found = []
    for level in (0, 2, 4, 6):
        who(game).proficiency = level
        blow = strike(game, "twilight_sword")
        found.append((blow.hits_on, blow.cumbersome, blow.dice.total, blow.critical_on))
    assert found == [(9, True, 1, 10), (7, False, 1, 10), (5, False, 3, 10), (3, False, 3, 9)]


def test_a_specialist_with_a_shield_is_armored_everywhere() -> None:
    game = trained("shield", 3, developing())
    who(game).grid.clear()
    wear(game, c1="feather_shield")
    assert set(things.armor_points(game.table, "allister").values()) == {1}


def test_the_frenzied_use_no_skill() -> None:
    game = trained("sword", 8)
    who(game).passing.append("frenzy")
    assert strike(game, "bone_blade").strength.total == 2


# --- mastery --------------------------------------------------------------------------------------


def test_the_eighth_level_is_a_mastery_that_teaches_everyone_the_specialists_skill() -> None:
    game = trained("grand_weapon", 7)
    run(game, figures.change(game.table, "allister", "proficiency", 1))
    assert "mastery_grand_weapon" in game.state.settlement.innovations
    assert strike(game, "zanbato", "erza").hits_on == 5


def test_the_living_and_the_newborn_have_the_masters_skill_and_the_dead_have_nothing() -> None:
    game = trained("grand_weapon", 7)
    run(game, harm.die(game.table, ["lucy"], "a test"))
    dead = who(game, "lucy")
    before = msgspec.json.encode(dead)
    events = run(game, figures.change(game.table, "allister", "proficiency", 1))
    assert msgspec.json.encode(who(game, "lucy")) == before
    assert not [one for one in events if getattr(one, "survivor", "") == "lucy"]
    assert game.state.settlement.innovations.count("mastery_grand_weapon") == 1
    game.state.settlement.population = 4
    run(game, people.create(game.table, "Nova", "f", ""))
    for id_ in ("erza", "nova"):
        assert strike(game, "zanbato", id_).hits_on == strike(game, "zanbato").hits_on
    game.state.settlement.innovations.remove("mastery_grand_weapon")
    assert strike(game, "zanbato", "nova").hits_on == strike(game, "zanbato").hits_on + 1


def test_a_master_of_fist_and_tooth_is_stronger_for_ever() -> None:
    game = trained("fist_and_tooth", 7)
    events = run(game, figures.change(game.table, "allister", "proficiency", 1))
    assert (who(game).accuracy, who(game).strength) == (2, 2)
    assert not of(events, e.TraitGained)


@pytest.mark.parametrize(("choices", "heir"), [(("archived",), 0), (("handed_on", "erza"), 1)])
def test_the_master_of_the_twilight_sword_leaves_and_teaches_nobody(
    choices: tuple[str, ...], heir: int
) -> None:
    game = trained("twilight_sword", 7)
    wear(game, c9="twilight_sword")
    run(game, figures.change(game.table, "allister", "proficiency", 1), given("", *choices))
    assert who(game).status == "gone"
    assert strike(game, "twilight_sword", "erza").cumbersome
    cards = [game.state.gear[gear] for gear in who(game, "erza").grid.values()]
    assert cards.count("twilight_sword") == heir
    assert list(game.state.gear.values()).count("twilight_sword") == heir


def test_the_twilight_knight_stays_as_a_master() -> None:
    game = trained("twilight_sword", 7)
    who(game).remembered.append("twilight_knight")
    run(game, figures.change(game.table, "allister", "proficiency", 1))
    assert who(game).alive
