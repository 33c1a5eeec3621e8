"""The variants: what each of them changes in the showdown (rulebook, Game Variants)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kdmlog.core.errors import Refused
from kdmlog.core.inputs import Inputs
from kdmlog.core.requests import Ask, Choose
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import Gear
from kdmlog.games.kdm.game import GAME
from kdmlog.games.kdm.rules import attack, grids, harm, people, script, stories, turns
from kdmlog.games.kdm.rules.conditions import Scene, taking_part
from kdmlog.games.kdm.script import decode
from kdmlog.games.kdm.state import Phase, State

from .scene import (
    FOUNDERS,
    board,
    fight,
    founders,
    given,
    lend,
    of,
    on_board,
    on_top,
    run,
    settled,
    survivors_turn,
    who,
)
from .table import Game
from .test_rules_setup import FOUR, at_home


def playing(*chosen: str) -> Game:
    """Returns a game in its first settlement phase that is played with variants from now on."""
    game = at_home()
    game.state.variants = list(chosen)
    return game


def new(*chosen: str, players: tuple[str, ...] = (), gift: str = "luck") -> Game:
    """Returns a game with four founders, played with variants from its start."""
    game = Game(players=players, ask_dice=True)
    game.state.variants = list(chosen)
    for name, sex in FOUNDERS:
        game.do(a.SurvivorNew(name=name, sex=sex), answer=lambda _ask, _state: given("", gift))
    return game


def against_lion(game: Game, *more: str) -> Game:
    game.do(a.Depart(survivors=[*FOUR, *more], hunt="white_lion"))
    game.do(a.ShowdownBegin(board=False))
    return game


def named(game: Game, *names: str) -> None:
    for name in names:
        run(game, people.create(game.table, name, "female", ""))


def die(game: Game, *ids: str) -> None:
    run(game, harm.die(game.table, list(ids), "a test"))


# --- 5-6 players ----------------------------------------------------------------------------------


def test_with_five_six_up_to_six_may_depart_and_the_monster_is_stronger() -> None:
    game = playing("five_six")
    named(game, "Fifth", "Sixth")
    against_lion(game, "fifth", "sixth")
    assert fight(game).tokens == {"damage": 2, "speed": 1}
    assert len(fight(game).survivors) == 6
    assert (fight(game).life, fight(game).life_first) == (3, True)


def test_four_survivors_meet_the_monster_as_it_is() -> None:
    game = against_lion(playing("five_six"))
    assert fight(game).tokens == {}
    assert fight(game).life is None


def test_without_five_six_four_depart() -> None:
    game = playing()
    named(game, "Fifth")
    with pytest.raises(Refused, match="4 survivors depart; named: 5"):
        against_lion(game, "fifth")


# --- quick and death mode -------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["quick", "death"])
def test_quick_and_death_mode_give_the_monster_1_damage_token(variant: str) -> None:
    assert fight(against_lion(playing(variant))).tokens == {"damage": 1}


@pytest.mark.parametrize("variant", ["quick", "death"])
def test_in_quick_and_death_mode_the_third_bleeding_token_kills(variant: str) -> None:
    game = against_lion(playing(variant))
    run(game, harm.bleed(game.table, "lucy", 2))
    assert who(game, "lucy").alive
    run(game, harm.bleed(game.table, "lucy", 1))
    assert not who(game, "lucy").alive


def test_in_quick_mode_every_survivor_has_1_strength() -> None:
    game = new("quick")
    assert [one.strength for one in game.state.survivors.values()] == [1, 1, 1, 1]
    assert who(founders()).strength == 0


def test_in_death_mode_all_gear_of_the_dead_is_archived() -> None:
    for variant, left in (("death", 0), ("hero", 0)):
        game = against_lion(playing(variant))
        die(game, "lucy")
        assert len(game.state.settlement.storage.gear) == left
    game = against_lion(playing())
    die(game, "lucy")
    assert game.state.settlement.storage.gear


# --- hero mode ------------------------------------------------------------------------------------


def test_heroes_are_knocked_unconscious_instead_of_dead() -> None:
    game = against_lion(playing("hero"))
    before = game.state.settlement.population
    die(game, "lucy")
    assert who(game, "lucy").alive
    assert who(game, "lucy").skip_next_hunt
    assert "lucy" not in taking_part(game.state)
    assert game.state.settlement.population == before
    assert game.state.settlement.uncounted_deaths == 0


def test_nothing_more_befalls_a_hero_who_is_out_cold() -> None:
    game = on_board(lucy=(11, 7))
    game.state.variants = ["hero"]
    fight(game).priority_target = "lucy"
    who(game, "lucy").armor.clear()
    who(game, "lucy").injuries = {"arms": ["light", "heavy"]}
    body = decode([{"attack": {"speed": 3, "accuracy": 2, "damage": 1, "move": False}}])
    scene = Scene(table=game.table, record="test:attack", who="lucy")
    run(game, script.play_record(scene, body), given("5 5 5 a a a 1", "no"))
    lucy = who(game, "lucy")
    assert lucy.alive and not lucy.conscious
    assert lucy.severe_injuries == [], "the other two hits find nobody"
    assert "lucy" not in board(game).survivors
    assert fight(game).priority_target == ""


def test_a_hero_who_is_knocked_out_in_their_own_attack_attacks_no_more() -> None:
    game = on_board(lucy=(11, 7))
    game.state.variants = ["hero"]
    fight(game).turn = "survivors"
    game.state.phase.step = "survivors"
    game.do(a.Act(survivor="lucy"))
    die(game, "lucy")
    with pytest.raises(Refused):
        game.do(a.Attack(survivor="lucy"))


def test_a_group_of_unconscious_heroes_comes_home_defeated() -> None:
    game = against_lion(playing("hero"))
    die(game, *FOUR)
    fight(game).outcome = "defeat"
    game.state.phase = Phase(name="showdown", step="aftermath")
    game.do(a.Aftermath(), given("1"))
    assert game.state.settlement.returning == FOUR
    assert game.state.phase == Phase(name="settlement", step="set_up")
    assert all(who(game, one).passing == [] for one in FOUR)
    assert all(who(game, one).hunt_xp == 0 for one in FOUR)


def test_a_hero_s_name_gives_an_attribute_of_choice() -> None:
    game = new("hero", gift="evasion")
    assert [one.evasion for one in game.state.survivors.values()] == [1, 1, 1, 1]
    assert [one.survival for one in game.state.survivors.values()] == [1, 1, 1, 1]


# --- storyteller and solo -------------------------------------------------------------------------


def test_the_storyteller_has_no_survivors_and_always_controls_the_monster() -> None:
    game = new("storyteller", players=("Ann", "Bo", "Cy"))
    assert [one.player for one in game.state.survivors.values()] == ["Bo", "Cy", "Bo", "Cy"]
    game.do(a.ShowdownBegin(monster="white_lion", first_story=True))
    assert (fight(game).controller.player, fight(game).controller.survivor) == ("Ann", "")
    run(game, turns.end_round(game.table))
    assert fight(game).controller.player == "Ann"
    with pytest.raises(Refused, match="is the storyteller"):
        game.do(a.Control(survivor="erza"))


def test_the_storyteller_may_reorder_the_ai_deck() -> None:
    game = new("storyteller", players=("Ann", "Bo"))
    game.do(a.ShowdownBegin(monster="white_lion", first_story=True))
    game.do(a.ShowdownReorder(cards=["maul", "grasp"]))
    deck = game.state.decks["ai"]["deck"]
    assert deck[:2] == ["maul", "grasp"]
    assert len(deck) == 8
    game.state.variants = []
    assert GAME.plays[a.ShowdownReorder].refuse(game.table) is not None


def test_played_solo_there_is_no_controller() -> None:
    game = new("solo", players=("Ann", "Bo"))
    game.do(a.ShowdownBegin(monster="white_lion", first_story=True))
    run(game, turns.end_round(game.table))
    assert fight(game).controller.player == ""
    with pytest.raises(Refused, match="no monster controller"):
        game.do(a.Control(survivor="erza"))


# --- custom campaigns -----------------------------------------------------------------------------


def test_the_seven_swordsmen_are_ageless_masters_who_never_become_more() -> None:
    game = new("seven_swordsmen")
    one = who(game)
    assert one.abilities == ["ageless"]
    assert (one.weapon_type, one.proficiency) == ("sword", 8)
    game = playing("seven_swordsmen")
    before = game.state.settlement.population
    scene = Scene(table=game.table, record="")
    run(game, script.play_record(scene, decode([{"population": {"by": 2}}])))
    assert game.state.settlement.population == before
    [ignored] = of(run(game, stories.trigger(game.table, "intimacy")), e.GainIgnored)
    assert ignored.what == "intimacy"


def test_the_people_of_the_skull_carry_only_weapons_and_armor_of_bone() -> None:
    game = playing("people_of_the_skull")
    person = who(game)
    library = game.library
    assert grids.forbidden(game.table, person, [], "bone_axe") == ""
    assert "of bone" in grids.forbidden(game.table, person, [], "scrap_sword")
    assert grids.forbidden(game.table, person, [], "bandages") == ""
    assert "bone" in library.get(Gear, "bone_axe").keywords


def test_bone_or_skull_in_the_name_gives_an_attribute_of_choice() -> None:
    game = playing("people_of_the_skull")

    def answer(request: Ask, _state: State) -> Inputs:
        assert isinstance(request, Choose) and request.purpose == "gift"
        return given("", "strength")

    game.do(a.SurvivorNew(name="Skully", sex="f"), answer=answer)
    game.do(a.SurvivorNew(name="Plain", sex="f"))
    assert (who(game, "skully").strength, who(game, "plain").strength) == (1, 0)


def knighted() -> Game:
    game = new("twilight_knight")
    lend(game, "twilight_sword", Gear(name="Twilight Sword", kind="weapon", location="rare"))
    game.do(a.ShowdownBegin(monster="white_lion", first_story=True), given("", "erza"))
    return game


def test_the_twilight_knight_starts_with_the_sword_and_3_ranks() -> None:
    game = knighted()
    carried = [game.state.gear[one] for one in who(game, "erza").grid.values()]
    assert "twilight_sword" in carried
    assert (who(game, "erza").weapon_type, who(game, "erza").proficiency) == ("twilight_sword", 3)


def test_with_the_twilight_knight_the_players_lose() -> None:
    game = knighted()
    die(game, "lucy")
    assert fight(game).outcome == ""
    die(game, "erza")
    assert fight(game).outcome == "defeat"
    game.state.phase = Phase(name="showdown", step="aftermath")
    game.do(a.Aftermath())
    assert game.state.phase == Phase(name="over", step="defeat")


def test_the_twilight_knight_always_departs_and_skips_no_hunt() -> None:
    game = at_home()
    who(game, "erza").remembered.append("twilight_knight")
    run(game, people.create(game.table, "Fifth", "male", ""))
    with pytest.raises(Refused, match="always departs"):
        game.do(a.Depart(survivors=["allister", "lucy", "zachary", "fifth"], hunt="white_lion"))
    game.rewind()
    scene = Scene(table=game.table, record="", who="erza")
    run(game, script.play_record(scene, decode([{"skip_next_hunt": {}}])))
    assert not who(game, "erza").skip_next_hunt


def test_without_variants_nothing_is_asked_or_given() -> None:
    one = who(settled())
    assert (one.strength, one.abilities, one.proficiency) == (0, [], 0)


def test_in_quick_mode_every_wound_counts_twice() -> None:
    for chosen, wounds in ((["quick"], 2), ([], 1)):
        game = survivors_turn()
        game.state.variants = list(chosen)
        on_top(game, "hit_locations", "beasts_femur")
        game.do(a.Attack(survivor="allister", weapon="founding_stone"), given("1 7 9"))
        assert fight(game).wounds == wounds


def test_the_people_of_the_skull_know_no_frail_gear() -> None:
    for chosen, broken in (([], True), (["people_of_the_skull"], False)):
        game = survivors_turn()
        game.state.variants = list(chosen)
        blow = attack.Blow(game.table, "allister", "founding_stone")
        blow.weapon = replace(blow.weapon, rules=["frail"])
        assert attack._frail(blow, blow.strike()) is broken
