"""The set-up of showdowns: monsters by level, decks dealt by rank, ambush, nemeses, legends."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from kdmlog.core.errors import Refused
from kdmlog.core.game import Table
from kdmlog.core.inputs import Inputs
from kdmlog.core.procedures import Procedure
from kdmlog.core.requests import Ask, Draw, Fill
from kdmlog.core.runner import Runner
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.board import distance
from kdmlog.games.kdm.content import AiCard, HitLocation, Level, Monster
from kdmlog.games.kdm.game import GAME
from kdmlog.games.kdm.rules import ai, monster, people, turns, where
from kdmlog.games.kdm.state import Phase, State

from .scene import board, developing, fight, founders, given, of, run
from .table import Game

FOUR = ["allister", "erza", "lucy", "zachary"]


def at_home() -> Game:
    """Returns a game in its first settlement phase; all four may depart."""
    game = developing()
    for one in game.state.survivors.values():
        one.skip_next_hunt = False
        one.hunt_xp = 0
    return game


def zone(game: Game, deck: str, name: str) -> list[str]:
    return game.state.decks[deck][name]


def departed(foe: str = "white_lion", level: int = 0, *, year: int = 1) -> Game:
    """Returns a game whose four have departed for a monster."""
    game = at_home()
    settlement = game.state.settlement
    settlement.lantern_year = year
    settlement.quarries += ["screaming_antelope", "phoenix"]
    nemesis = game.library.get(Monster, foe).nemesis
    named = {"nemesis": foe} if nemesis else {"hunt": foe}
    game.do(a.Depart(survivors=FOUR, level=level, **named))
    return game


def met(foe: str, level: int = 0, *, year: int = 1, ambush: str = "") -> Game:
    """Returns a game at the first turn of a showdown without a board."""
    game = departed(foe, level, year=year)
    game.do(
        a.ShowdownBegin(ambush=ambush, board=False),
        given("", *["survivors"][: ambush == "survivors"]),
        answer=_reading,
    )
    return game


def _reading(request: Ask, _state: State) -> Inputs:
    """What is read from cards: nothing; from the book: a Life of 12."""
    assert isinstance(request, Fill)
    values = {"life": "12"} if request.purpose == "life" else {"effects": ""}
    return Inputs(fills=[values])


def ranks(game: Game, pile: str = "deck") -> dict[str, int]:
    cards = zone(game, "ai", pile)
    return dict(Counter(game.library.get(AiCard, one).level for one in cards))


FIGURES = {
    "white_lion": [(6, 8, 0, 0), (7, 10, 1, 1), (8, 14, 2, 2)],
    "screaming_antelope": [(6, 8, 0, 0), (8, 10, 1, 1), (8, 12, 2, 2)],
    "phoenix": [(8, 10, 0, 0), (8, 12, 1, 1), (8, 16, 2, 3)],
    "butcher": [(5, 9, 0, 0), (5, 12, 1, 1), (8, 15, 2, 2)],
    "kings_man": [(5, 12, 0, 0), (6, 15, 1, 1), (6, 18, 2, 2)],
    "the_hand": [(5, 14, 0, 0), (6, 15, 1, 1), (6, 30, 3, 6)],
}
DECKS = {
    "white_lion": [(7, 3, 0), (10, 5, 0), (10, 9, 2)],
    "screaming_antelope": [(7, 3, 0), (10, 5, 0), (12, 8, 2)],
    "phoenix": [(8, 3, 1), (10, 6, 1), (13, 7, 2)],
    "butcher": [(7, 5, 0), (10, 5, 0), (11, 10, 0)],
    "kings_man": [(10, 2, 0), (11, 4, 1), (12, 6, 1)],
    "the_hand": [(10, 0, 0), (10, 1, 0), (10, 2, 0)],
}


@pytest.mark.parametrize("monster", FIGURES)
def test_monsters_have_the_figures_and_decks_of_their_level(monster: str) -> None:
    levels = game_levels(monster)
    assert [(one.movement, one.toughness, one.speed, one.damage) for one in levels] == FIGURES[
        monster
    ]
    assert [tuple(one.deck.get(rank, 0) for rank in "BAL") for one in levels] == DECKS[monster]


def game_levels(monster: str) -> list[Level]:
    record = developing().library.get(Monster, monster)
    return [record.levels[level] for level in "123"]


@pytest.mark.parametrize(("monster", "level"), [("white_lion", 1), ("screaming_antelope", 3)])
def test_so_many_cards_of_each_rank_are_dealt_and_the_rest_is_out_unseen(
    monster: str, level: int
) -> None:
    game = met(monster, level)
    printed = dict(zip("BAL", DECKS[monster][level - 1], strict=True))
    assert ranks(game) == {rank: count for rank, count in printed.items() if count}
    pool = {"white_lion": (12, 9, 2), "screaming_antelope": (12, 8, 3)}[monster]
    left = {
        rank: there - printed[rank]
        for rank, there in zip("BAL", pool, strict=True)
        if printed[rank] and there > printed[rank]
    }
    assert ranks(game, "pool") == left


def test_what_is_dealt_differs_from_showdown_to_showdown() -> None:
    dealt = set()
    for seed in "abcd":
        game = departed("white_lion", 1)
        game.state.seed = seed
        game.do(a.ShowdownBegin(board=False), answer=_reading)
        dealt.add(tuple(zone(game, "ai", "deck")))
    assert len(dealt) == 4


def test_a_legendary_card_that_starts_in_play_is_not_in_the_deck() -> None:
    for seed in "abcdef":
        game = departed("phoenix", 3)
        game.state.seed = seed
        game.do(a.ShowdownBegin(board=False))
        face_down = zone(game, "ai", "deck") + zone(game, "ai", "pool")
        assert "top_of_the_food_chain" not in face_down
        assert "top_of_the_food_chain" in zone(game, "ai", "in_play")


def test_a_card_named_at_the_table_that_was_not_dealt_here_was_dealt_there() -> None:
    game = met("white_lion", 1)
    named = next(one for one in zone(game, "ai", "pool") if one not in zone(game, "ai", "deck"))
    before = ranks(game)
    runner = Runner(
        game.state,
        game.folds,
        Inputs(draws=[named]),
        began=1,
        card_sort=lambda deck, card: GAME.card_sort(game.table, deck, card),
    )
    assert runner.run(_draw()) is None
    rank = game.library.get(AiCard, named).level
    after = ranks(game)
    after[rank] = after.get(rank, 0) + 1
    assert after == before
    assert zone(game, "ai", "discard") == [named]


def _draw() -> Procedure[None]:
    yield Draw(deck="ai", to="discard", purpose="ai")


def test_tokens_and_special_cards_of_a_level_3_lion() -> None:
    game = met("white_lion", 3)
    assert fight(game).tokens == {"accuracy": 2, "luck": 1}
    assert sorted(zone(game, "ai", "in_play")) == ["cunning", "merciless"]


def test_hunted_by_default_is_what_they_departed_for() -> None:
    game = met("screaming_antelope", 2)
    assert (fight(game).monster, fight(game).level, fight(game).turn) == (
        "screaming_antelope",
        "2",
        "monster",
    )
    assert fight(game).survivors == FOUR


def test_another_level_may_be_met_than_was_hunted() -> None:
    game = departed("white_lion", 1)
    game.do(a.ShowdownBegin(level=2, board=False))
    assert (fight(game).level, fight(game).toughness) == ("2", 10)


def test_hit_locations_are_all_of_the_monster_but_special_ones() -> None:
    game = met("kings_man")
    deck = zone(game, "hit_locations", "deck")
    assert deck and "battle_pressure" not in deck
    assert {game.library.get(HitLocation, one).monster for one in deck} == {"kings_man"}


# --- nemeses --------------------------------------------------------------------------------------


def test_survivors_who_defend_their_home_go_first() -> None:
    game = met("butcher", 1)
    assert (fight(game).turn, fight(game).round) == ("survivors", 1)
    assert game.state.phase == Phase(name="showdown", step="survivors")
    game.do(a.EndTurn())
    assert (fight(game).turn, fight(game).round) == ("monster", 2)


def test_a_nemesis_is_one_level_above_its_last_encounter() -> None:
    game = departed("butcher")
    assert game.state.settlement.encounter == "butcher:1"
    game = at_home()
    game.state.settlement.nemeses += ["butcher", "butcher:1"]
    game.do(a.Depart(survivors=FOUR, nemesis="butcher"))
    assert game.state.settlement.encounter == "butcher:2"
    assert game.state.settlement.nemeses == ["butcher", "butcher:1", "butcher:2"]


def test_a_nemesis_defeated_before_the_log_began_was_met_too() -> None:
    game = at_home()
    game.state.settlement.nemeses += ["butcher"]
    game.state.settlement.defeated += ["butcher:1"]
    game.do(a.Depart(survivors=FOUR, nemesis="butcher"))
    assert game.state.settlement.encounter == "butcher:2"


def test_the_nemesis_of_the_year_is_a_ready_line() -> None:
    game = at_home()
    game.state.settlement.lantern_year = 4
    lines = list(GAME.plays[a.Depart].ready(game.table))
    assert lines[0] == f"depart {' '.join(FOUR)} --nemesis butcher --level 1"


def test_where_nobody_can_depart_no_departure_is_offered() -> None:
    game = at_home()
    for one in game.state.survivors.values():
        one.skip_next_hunt = True
    game.state.settlement.population = len(game.state.survivors)
    assert list(GAME.plays[a.Depart].ready(game.table)) == []


def test_one_departs_for_a_quarry_or_a_nemesis() -> None:
    game = at_home()
    for foe in ({}, {"hunt": "white_lion", "nemesis": "butcher"}):
        with pytest.raises(Refused, match="hunt a quarry, or to face"):
            game.do(a.Depart(survivors=FOUR, **foe))
        game.rewind()


def test_the_watcher_has_the_lantern_year_as_toughness_and_12_basic_cards() -> None:
    game = met("watcher", year=25)
    assert fight(game).toughness == 25
    assert ranks(game) == {"B": 12}
    assert fight(game).turn == "survivors"
    assert (fight(game).life, fight(game).life_first) == (15, False)


def test_the_hand_keeps_applause_at_the_bottom_of_its_deck() -> None:
    game = met("the_hand")
    assert zone(game, "ai", "deck")[-1] == "applause"
    assert len(zone(game, "ai", "deck")) == 11


# --- ambush ---------------------------------------------------------------------------------------


def test_ambushed_survivors_skip_their_first_turn() -> None:
    game = met("white_lion", ambush="monster")
    run(game, _empty_turn(game))
    assert (fight(game).turn, fight(game).round) == ("monster", 2)
    run(game, _empty_turn(game))
    assert (fight(game).turn, fight(game).round) == ("survivors", 2)


def _empty_turn(game: Game) -> Procedure[None]:
    """A monster's turn in which it does nothing."""

    def nothing(_table: Table) -> Procedure[None]:
        yield from ()

    draw, ai.draw_ai = ai.draw_ai, nothing
    try:
        yield from turns.monster_turn(game.table)
    finally:
        ai.draw_ai = draw


def test_survivors_who_ambush_may_go_first() -> None:
    assert fight(met("white_lion", ambush="survivors")).turn == "survivors"
    game = departed()
    game.do(a.ShowdownBegin(ambush="survivors", board=False), given("", "monster"))
    assert fight(game).turn == "monster"


# --- legendary monsters ---------------------------------------------------------------------------


def test_a_legendary_monster_has_the_hit_locations_of_its_type_but_those_archived() -> None:
    game = met("mad_steed")
    assert (fight(game).level, fight(game).toughness, fight(game).damage) == ("4", 18, 5)
    deck = zone(game, "hit_locations", "deck")
    assert "furry_throat" not in deck
    assert {game.library.get(HitLocation, one).monster for one in deck} == {"screaming_antelope"}


def test_a_custom_deck_is_the_cards_of_its_list() -> None:
    game = met("great_golden_cat")
    assert sorted(zone(game, "ai", "deck")) == [
        *("bloody_claw", "combo_claw", "power_swat", "terrifying_roar", "vanish", "vicious_claw")
    ]
    assert "golden_eyes" in zone(game, "ai", "in_play")


def test_legendary_monsters_are_level_4_of_their_own() -> None:
    game = at_home()
    with pytest.raises(Refused, match="level 1, 2, 3"):
        game.do(a.Depart(survivors=FOUR, hunt="white_lion", level=4))


def test_a_legendary_monster_has_life_in_place_of_its_deck() -> None:
    game = met("great_golden_cat")
    assert (fight(game).life, fight(game).life_most, fight(game).life_first) == (15, 15, False)
    run(game, monster.wound(game.table, "lucy"))
    assert fight(game).life == 14
    assert len(zone(game, "ai", "deck")) == 6


def test_the_life_of_the_beast_of_sorrow_is_read_by_the_players() -> None:
    game = departed("beast_of_sorrow")
    game.do(a.ShowdownBegin(board=False), given(life="12"))
    assert fight(game).life == 12
    assert ranks(game) == {"B": 10, "A": 5, "L": 1}


def test_a_status_card_that_starts_in_play_is_everybodys() -> None:
    game = met("kings_man")
    assert all("battle_tempo" in game.state.survivors[one].status_cards for one in FOUR)
    assert "battle_tempo" not in zone(game, "ai", "in_play")


# --- on the board ---------------------------------------------------------------------------------


def test_terrain_cards_named_are_set_aside_and_others_drawn() -> None:
    game = departed("white_lion", 1)
    events = game.do(a.ShowdownBegin(), answer=lambda _ask, _state: Inputs(fills=[{}]))
    placed = {one.terrain for one in of(events, e.TerrainPlaced)}
    assert "tall_grass" in placed
    drawn = zone(game, "terrain", "deck")
    assert drawn.count("tall_grass") <= 1
    assert game.state.phase == Phase(name="showdown", step="deploy")


def laid_out(foe: str, level: int = 0, **places: str) -> Game:
    """Returns a showdown with its terrain where kdmlog lays it, but for the places given."""
    game = departed(foe, level, year=20)
    game.do(a.ShowdownBegin(), answer=lambda ask, _state: Inputs(fills=[_known(ask, places)]))
    return game


def _known(request: Ask, places: dict[str, str]) -> dict[str, str]:
    if isinstance(request, Fill) and request.purpose == "set_up":
        return {f"{tile}.1": at for tile, at in places.items()}
    return {}


def test_the_phoenix_begins_on_its_nightmare_tree_in_the_centre() -> None:
    game = laid_out("phoenix")
    tree = board(game).tiles["nightmare_tree.1"]
    assert (tree.at, tree.width, tree.height) == ((10, 7), 3, 3)
    assert board(game).monster == (10, 7)


def test_the_golden_eyed_king_has_the_phoenixs_tree() -> None:
    assert board(laid_out("golden_eyed_king", 4)).tiles["nightmare_tree.1"].at == (10, 7)


def test_the_hand_begins_on_the_giant_stone_face_in_the_centre() -> None:
    game = laid_out("the_hand")
    there = board(game)
    face = where.tile_spaces(there, "giant_stone_face.1")
    assert {(11, 8), (12, 9)} <= where.monster_spaces(there) <= face
    assert all(there.tiles[one].at not in face for one in there.tiles if one[:5] != "giant")


def test_another_giant_stone_face_lies_where_random_terrain_does() -> None:
    game = laid_out("butcher")
    for one in ("giant_stone_face.1", "nightmare_tree.1"):
        tile = board(game).tiles.get(one)
        assert tile is None or tile.at not in ((11, 7), (10, 7))


def test_a_tile_lies_where_the_players_say_even_if_its_place_is_the_centre() -> None:
    game = laid_out("phoenix", nightmare_tree="3,3")
    assert board(game).tiles["nightmare_tree.1"].at == (3, 3)


@pytest.mark.parametrize("seed", "abcdef")
def test_acanthus_plants_lie_3_spaces_from_anything_destructible(seed: str) -> None:
    game = departed("screaming_antelope", 1)
    game.state.seed = seed
    game.do(a.ShowdownBegin(), answer=lambda _ask, _state: Inputs(fills=[{}]))
    plants = [one.at for one in board(game).tiles.values() if one.terrain == "acanthus_plants"]
    assert len(plants) >= 6
    assert all(distance([x], [y]) >= 3 for x, y in combinations(plants, 2))


def test_the_first_story_has_no_terrain() -> None:
    game = founders()
    events = game.do(
        a.ShowdownBegin(monster="white_lion", first_story=True, board=True),
        answer=lambda _ask, _state: Inputs(fills=[{}]),
    )
    assert not of(events, e.TerrainPlaced)
    assert "terrain" not in game.state.decks


def test_the_standing_of_a_showdown_has_those_who_fight_in_it() -> None:
    game = at_home()
    run(game, people.create(game.table, "Homebody", "male", ""))
    game.do(a.Depart(survivors=FOUR, hunt="white_lion"))
    game.do(a.ShowdownBegin(board=False))
    assert not [line for line in GAME.standing(game.table) if "Homebody" in line]
