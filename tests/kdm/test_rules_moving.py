"""Movement on the board: the monster's, survivors', knockback and collision."""

from __future__ import annotations

import pytest

from kdmlog.core.errors import BadInput, Refused
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.ready import next_of
from kdmlog.games.kdm.rules import activations, conditions, harm, moving, pushing, walking, where
from kdmlog.games.kdm.shorthand import shorthand
from kdmlog.games.kdm.state import Tile

from .scene import board, fight, founders, given, of, on_board, run, who
from .table import Game


def approach(game: Game, id_: str, *choices: str, near: int = 1) -> list[object]:
    return list(run(game, moving.approach(game.table, id_, near), given("", *choices)))


# --- the monster ----------------------------------------------------------------------------------


def test_movement_six_reaches_a_survivor_seven_away_and_stands_adjacent() -> None:
    game = on_board(monster=(11, 9), lucy=(11, 2))
    approach(game, "lucy")
    assert board(game).monster == (11, 3)
    assert board(game).facing == "s"


def test_after_a_dash_to_nine_it_falls_short_and_does_not_attack() -> None:
    game = on_board(monster=(11, 13), facing="s", lucy=(11, 4))
    events = game.do(a.MonsterTurn(), given())
    assert board(game).monster == (11, 7)
    assert not of(events, e.HitsScored)


def test_by_ghost_step_it_gets_to_whoever_is_on_the_board() -> None:
    game = on_board(monster=(20, 8), lucy=(1, 8))
    game.state.decks["ai"].zones.setdefault("in_play", []).append("ghost_step")
    approach(game, "lucy")
    assert where.beside_monster(game.state, "lucy")


def test_it_does_not_move_when_it_is_adjacent_but_turns() -> None:
    game = on_board(facing="n", lucy=(11, 7))
    events = approach(game, "lucy")
    assert not of(events, e.MonsterMoved)
    assert board(game).facing == "s"


def test_with_reach_it_moves_the_least_it_must() -> None:
    game = on_board(monster=(11, 9), lucy=(11, 4))
    approach(game, "lucy", near=2)
    assert board(game).monster == (11, 6)


def test_those_it_moves_through_are_knocked_down_where_they_stand() -> None:
    game = on_board(monster=(11, 9), lucy=(11, 2), zachary=(11, 6), erza=(12, 6))
    approach(game, "lucy")
    assert who(game, "zachary").knocked_down == 1
    assert board(game).survivors["zachary"] == (11, 6)
    assert who(game, "erza").knocked_down == 1
    assert who(game, "lucy").knocked_down is None


def test_whom_it_ends_on_is_knocked_back_five() -> None:
    game = on_board(monster=(11, 9), lucy=(11, 2), zachary=(12, 3))
    approach(game, "lucy", "17-3")
    assert who(game, "zachary").knocked_down == 1
    assert board(game).survivors["zachary"] == (17, 3)


# --- knockback ------------------------------------------------------------------------------------


def test_who_flees_is_knocked_back_by_their_movement_to_the_closest_edge() -> None:
    game = on_board(monster=(5, 8), lucy=(8, 4))
    who(game, "lucy").tokens["movement"] = -2
    run(game, harm.suffer(game.table, "lucy", "flee"), given("5"))
    assert board(game).survivors["lucy"] == (8, 1), "3 spaces south, though the monster is west"
    assert who(game, "lucy").knocked_down == 1


def test_of_two_closest_edges_the_controller_chooses_where_they_flee() -> None:
    game = on_board(monster=(11, 8), lucy=(4, 4))
    run(game, harm.suffer(game.table, "lucy", "flee"), given("5", "1-4"))
    assert board(game).survivors["lucy"] == (1, 4)


def test_the_disemboweled_move_1_whatever_else_there_is() -> None:
    game = on_board(lucy=(11, 3))
    run(game, harm.suffer(game.table, "lucy", "disemboweled"))
    who(game, "lucy").tokens["movement"] = 2
    assert walking.full_move(game.table, "lucy") == 1


def push(game: Game, id_: str, spaces: int, *choices: str) -> list[object]:
    return list(run(game, pushing.push(game.table, id_, spaces), given("", *choices)))


def test_knockback_five_three_spaces_from_the_edge_moves_three() -> None:
    game = on_board(monster=(11, 5), lucy=(11, 4))
    push(game, "lucy", 5)
    assert board(game).survivors["lucy"] == (11, 1)
    assert who(game, "lucy").knocked_down is None


def test_from_an_edge_it_goes_along_it() -> None:
    game = on_board(monster=(11, 2), lucy=(11, 1))
    push(game, "lucy", 5, "6-1")
    assert board(game).survivors["lucy"] == (6, 1)


def test_an_iron_will_is_knocked_back_1_at_most() -> None:
    game = on_board(monster=(11, 9), lucy=(11, 8))
    who(game, "lucy").abilities = ["iron_will"]
    push(game, "lucy", 5)
    assert board(game).survivors["lucy"] == (11, 7)


def test_survivors_collide_with_those_they_pass_and_both_are_knocked_down() -> None:
    game = on_board(monster=(11, 9), lucy=(11, 8), zachary=(11, 6))
    push(game, "lucy", 5)
    assert board(game).survivors["lucy"] == (11, 3)
    assert who(game, "lucy").knocked_down == 1
    assert who(game, "zachary").knocked_down == 1


def test_whoever_lands_on_another_is_put_in_the_closest_free_space() -> None:
    game = on_board(monster=(11, 9), lucy=(11, 8), zachary=(11, 3))
    push(game, "lucy", 5, "11-4")
    assert board(game).survivors["lucy"] == (11, 4)
    assert board(game).survivors["zachary"] == (11, 3)


# --- survivors ------------------------------------------------------------------------------------


def walk(game: Game, id_: str, *words: str) -> list[object]:
    return list(run(game, walking.walk(game.table, id_, words), given()))


def test_survivors_step_in_cardinal_directions_up_to_their_movement() -> None:
    game = on_board(lucy=(5, 5))
    walk(game, "lucy", "8", "7")
    assert board(game).survivors["lucy"] == (8, 7)
    with pytest.raises(Refused, match="movement 5"):
        walk(game, "lucy", "8", "13")


def test_moving_to_where_one_stands_costs_nothing() -> None:
    game = on_board(monster=(11, 8), lucy=(11, 7))
    with pytest.raises(Refused, match="there already"):
        walk(game, "lucy", "lion")


def test_a_way_too_long_is_refused_before_the_act_begins_and_anything_is_asked() -> None:
    game = on_board(lucy=(5, 5), erza=(9, 9))
    fight(game).turn = "survivors"
    game.state.phase.step = "survivors"
    game.state.decks["ai"].zones.setdefault("in_play", []).append("forbidden_light")
    game.do(a.Act(survivor="erza"))  # whose act's end the light asks about
    with pytest.raises(Refused, match="movement 5"):
        game.do(a.Move(survivor="lucy", to=["15", "5"]))
    assert game.state.open is None


def test_a_survivor_always_may_move_one() -> None:
    game = on_board(lucy=(5, 5))
    who(game, "lucy").tokens["movement"] = -7
    walk(game, "lucy", "5", "6")
    assert board(game).survivors["lucy"] == (5, 6)


def test_nobody_walks_through_the_monster_or_another() -> None:
    game = on_board(monster=(6, 4), lucy=(5, 5), erza=(5, 6), zachary=(4, 5))
    who(game, "lucy").movement = 2
    with pytest.raises(Refused):
        walk(game, "lucy", "5", "7")
    with pytest.raises(Refused, match="taken"):
        walk(game, "lucy", "2e")


def test_to_the_lion_is_the_nearest_space_beside_it_and_back_its_blind_spot() -> None:
    game = on_board(facing="n", lucy=(11, 3))
    walk(game, "lucy", "lion")
    assert board(game).survivors["lucy"] == (11, 7)
    game = on_board(facing="n", lucy=(9, 4))
    walk(game, "lucy", "back")
    assert board(game).survivors["lucy"] == (11, 7)


def test_words_may_spell_the_steps() -> None:
    game = on_board(lucy=(5, 5))
    walk(game, "lucy", "3n2e")
    assert board(game).survivors["lucy"] == (7, 8)
    with pytest.raises(Refused, match="leaves the board"):
        walk(on_board(lucy=(1, 1)), "lucy", "2w")


# --- attacks --------------------------------------------------------------------------------------


def turn(game: Game) -> Game:
    game.state.phase.step = "survivors"
    fight(game).turn = "survivors"
    return game


def test_a_melee_weapon_needs_the_monster_adjacent() -> None:
    game = turn(on_board(lucy=(11, 6)))
    with pytest.raises(Refused, match="2 spaces away"):
        game.do(a.Attack(survivor="lucy"), given("2 2"))


def test_the_blind_spot_follows_from_the_positions() -> None:
    game = turn(on_board(facing="n", lucy=(11, 7)))
    [begun] = of(game.do(a.Attack(survivor="lucy"), given("2 2")), e.AttackBegun)
    assert any("blind spot" in term for term in begun.terms)
    game = turn(on_board(facing="s", lucy=(11, 7)))
    with pytest.raises(Refused, match="blind spot"):
        game.do(a.Attack(survivor="lucy", blind=True), given("2 2"))


def test_whoever_attacks_is_hidden_no_more() -> None:
    game = turn(on_board(lucy=(11, 7)))
    who(game, "lucy").benefits["not_a_threat"] = "showdown_end"
    game.do(a.Attack(survivor="lucy"), given("2 2"))
    assert not who(game, "lucy").benefits


def hidden(**where_: tuple[int, int]) -> Game:
    """Returns a game in which Lucy hides in Tall Grass, whose corner is at 5 5."""
    game = turn(on_board(lucy=(5, 5), **where_))
    board(game).tiles["tall_grass.1"] = Tile(terrain="tall_grass", at=(5, 5), width=2, height=2)
    game.do(a.Activate(survivor="lucy", thing="tall_grass"))
    assert not conditions.is_threat(game.table, "lucy")
    return game


def test_whoever_hides_in_tall_grass_is_a_threat_when_they_leave_it() -> None:
    game = hidden()
    walk(game, "lucy", "6", "6")
    assert not conditions.is_threat(game.table, "lucy"), "in it still"
    walk(game, "lucy", "7", "6")
    assert conditions.is_threat(game.table, "lucy")
    assert not who(game, "lucy").benefits


def test_whoever_is_pushed_out_of_tall_grass_hides_no_more() -> None:
    game = hidden()
    run(game, pushing.push(game.table, "lucy", 3))
    assert conditions.is_threat(game.table, "lucy")


def test_a_founding_stone_is_thrown_from_anywhere() -> None:
    game = turn(on_board(monster=(11, 8), lucy=(2, 2)))
    activations.at_hand(game.table, "lucy")["founding_stone"].refuse()  # does not
    with pytest.raises(Refused, match="spaces away"):
        game.do(a.Attack(survivor="lucy", weapon="founding_stone"), given("2 2"))


def test_who_cannot_get_to_the_monster_is_offered_the_nearest_space() -> None:
    game = turn(on_board(monster=(11, 8), lucy=(2, 8)))
    assert next_of(game.table, "lucy") == "move lucy 7 8"
    with pytest.raises(Refused, match="cannot get beside") as refused:
        game.do(a.Move(survivor="lucy", to=["lion"]))
    assert refused.value.hints == ["move lucy 7 8"]


# --- placing --------------------------------------------------------------------------------------


def test_everyone_is_deployed_into_the_zone_and_the_showdown_starts() -> None:
    game = founders()
    game.do(
        a.ShowdownBegin(monster="white_lion", first_story=True, board=True),
        answer=lambda *_: given(**{"white_lion.deploy": "ring 6"}),
    )
    assert board(game).monster == (11, 8)
    with pytest.raises(Refused, match="11 7 is no free space of the deployment zone"):
        game.do(a.Deploy(survivors=["lucy", "11-7"]))
    game.do(a.Deploy(survivors=["lucy", "12", "2", "erza"]))
    assert board(game).survivors["lucy"] == (12, 2)
    game.do(a.Deploy())
    assert set(board(game).survivors) == {"allister", "erza", "lucy", "zachary"}
    assert game.state.phase.step == "monster"


def test_placing_refuses_a_taken_space_and_one_off_the_board() -> None:
    game = on_board()
    with pytest.raises(Refused, match="taken"):
        game.do(a.Place(who="lucy", x=11, y=8))
    with pytest.raises(Refused, match="as a whole"):
        game.do(a.Place(who="lion", x=22, y=16))
    with pytest.raises(BadInput):
        moving.read_space("23-1")


def test_impassable_terrain_is_not_laid_on_a_survivor() -> None:
    game = on_board(lucy=(5, 5))
    game.state.diagrams["giant_stone_face.rules"] = "impassable"
    with pytest.raises(Refused, match="Lucy stands there"):
        game.do(a.Place(who="giant_stone_face", x=4, y=4))


def test_impassable_terrain_is_not_laid_under_the_monster_unless_it_begins_there() -> None:
    game = on_board(monster=(11, 8))
    game.state.diagrams["giant_stone_face.rules"] = "impassable"
    with pytest.raises(Refused, match="White Lion stands there"):
        game.do(a.Place(who="giant_stone_face", x=11, y=8))
    fight(game).monster = "the_hand"
    game.do(a.Place(who="giant_stone_face", x=11, y=8))


def test_terrain_that_comes_in_later_is_read_as_at_the_set_up() -> None:
    game = on_board(monster=(11, 8))
    face = given(**{"giant_stone_face.rules": "obstacle impassable"})
    game.do(a.Place(who="giant_stone_face", x=3, y=3), face)
    assert game.state.diagrams["giant_stone_face.rules"] == "obstacle impassable"
    assert (3, 3) in where.spaces_with(game.table, "impassable")


def test_destructible_terrain_in_its_way_is_archived() -> None:
    game = on_board(monster=(11, 9), lucy=(11, 2))
    board(game).tiles["acanthus_plants.1"] = Tile(terrain="acanthus_plants", at=(11, 5))
    approach(game, "lucy")
    assert not board(game).tiles


def test_impassable_terrain_stops_them_and_knocks_them_down() -> None:
    game = on_board(monster=(11, 9), lucy=(11, 8))
    game.state.diagrams["giant_stone_face.rules"] = "impassable obstacle"
    board(game).tiles["giant_stone_face.1"] = Tile(
        terrain="giant_stone_face", at=(11, 4), width=2, height=3
    )
    push(game, "lucy", 5)
    assert board(game).survivors["lucy"] == (11, 7)
    assert who(game, "lucy").knocked_down == 1


def test_whom_a_wall_keeps_under_the_monster_is_put_in_the_closest_free_space() -> None:
    game = on_board(monster=(11, 5), lucy=(12, 5))
    board(game).tiles["debris.1"] = Tile(terrain="debris", at=(13, 5))
    game.state.diagrams["debris.rules"] = "impassable"
    push(game, "lucy", 5, "stay")
    assert board(game).survivors["lucy"] == (12, 4)
    assert who(game, "lucy").knocked_down == 1


def test_there_are_no_more_tiles_than_in_the_game() -> None:
    game = on_board()
    game.do(a.Place(who="debris", x=3, y=9), given(**{"debris.rules": "none"}))
    with pytest.raises(Refused, match="only 1"):
        game.do(a.Place(who="debris", x=5, y=9))


# --- short lines ----------------------------------------------------------------------------------


def short(game: Game, line: str) -> list[list[str]]:
    return [one.words for one in shorthand(game.table, line.split()) or []]


def test_m_goes_to_the_monster_unless_the_next_word_says_where() -> None:
    game = turn(on_board(lucy=(11, 4)))
    assert short(game, "lu m a") == [["move", "lucy", "monster"], ["attack", "lucy"]]
    assert short(game, "lu m back a") == [["move", "lucy", "back"], ["attack", "lucy"]]
    assert short(game, "lu m 11 6 a 70") == [["move", "lucy", "11", "6"], ["attack", "lucy"]]
    assert short(game, "lu m 3n2e") == [["move", "lucy", "3n2e"]]


def test_d_asks_where_to_unless_more_is_behind_it() -> None:
    game = turn(on_board(lucy=(11, 4)))
    assert short(game, "lu d") == [["survival", "lucy", "dash"]]
    assert short(game, "lu d 11 6") == [["survival", "lucy", "dash", "11", "6"]]
    assert short(game, "lu d a") == [["survival", "lucy", "dash", "monster"], ["attack", "lucy"]]
    assert short(game, "lu ac acanthus") == [["activate", "lucy", "acanthus"]]


def test_whoever_stands_beside_it_only_attacks() -> None:
    game = turn(on_board(lucy=(11, 7)))
    assert short(game, "lu m a") == [["attack", "lucy"]]


def test_a_tile_can_be_turned() -> None:
    game = on_board()
    game.do(a.Place(who="toppled_pillar", x=3, y=9, facing="e"))
    [tile] = board(game).tiles.values()
    assert (tile.width, tile.height) == (4, 1)
    with pytest.raises(BadInput, match="face nowhere"):
        game.do(a.Place(who="lucy", x=9, y=9, facing="e"))
