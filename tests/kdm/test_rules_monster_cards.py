"""What single cards of monsters do: Combo Claw, attacks without a damage figure, terrain."""

from __future__ import annotations

import pytest

from kdmlog.core.events import CardsDrawn
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import Terrain
from kdmlog.games.kdm.rules import conditions, script
from kdmlog.games.kdm.script import decode
from kdmlog.games.kdm.sentences import sentence
from kdmlog.games.kdm.state import Tile

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


def deal(game: Game, *cards: str) -> None:
    """Puts cards of the whole pool on top of the AI deck."""
    game.state.decks["ai"]["deck"][:0] = cards


# --- Combo Claw -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "drawn"),
    [
        ("4 4 b l 1 1", ["combo_claw", "claw"]),  # damaged twice
        ("4 3 b", ["combo_claw"]),  # once
        ("1 3", ["combo_claw"]),  # never
    ],
)
def test_combo_claw_draws_again_when_it_damages_more_than_once(dice: str, drawn: list[str]) -> None:
    game = first_story()
    who(game).survival = 0
    deal(game, "combo_claw")
    again = ["allister"] * len(drawn)
    events = game.do(a.MonsterTurn(), given(dice, *again))
    assert [one.cards[0] for one in of(events, CardsDrawn) if one.deck == "ai"] == drawn


def test_a_dodged_hit_does_not_count_for_combo_claw() -> None:
    game = first_story()
    deal(game, "combo_claw")
    events = game.do(a.MonsterTurn(), given("4 4 b l", "allister", "body"))
    assert len(of(events, CardsDrawn)) == 1


def test_lost_hand_replaces_combo_claw() -> None:
    game = first_story()
    deal(game, "combo_claw")
    game.state.decks["hit_locations"].zones["persistent"] = ["strange_hand"]
    events = game.do(a.MonsterTurn(), given("", "lucy"))
    assert (who(game, "lucy").understanding, who(game).understanding) == (1, 0)
    [said] = of(events, e.Said)
    assert sentence(said, game.table) == "Strange Hand: Lost Hand changes what it does"


# --- attacks without a damage figure --------------------------------------------------------------


def strike(game: Game, profile: dict[str, object], dice: str, *choices: str) -> None:
    scene = conditions.Scene(table=game.table, record="test:attack", who="allister")
    run(game, script.play_record(scene, decode([{"attack": profile}])), given(dice, *choices))


def test_each_hit_of_an_attack_without_a_damage_figure_does_what_it_says() -> None:
    game = first_story()
    who(game).survival = 0
    fight(game).tokens["damage"] = 3
    bite = {"speed": 2, "accuracy": 4, "each_hit": [{"gain": {"insanity": 1}}]}
    strike(game, bite, "4 5")
    assert who(game).insanity == 2
    assert who(game).injuries == {}


def test_one_such_hit_can_be_dodged() -> None:
    game = first_story()
    bite = {"speed": 2, "accuracy": 4, "each_hit": [{"gain": {"insanity": 1}}]}
    strike(game, bite, "4 5", "yes")
    assert who(game).insanity == 1


# --- healing --------------------------------------------------------------------------------------


def test_a_monster_heals_as_many_as_are_rolled() -> None:
    game = first_story()
    piles = game.state.decks["ai"].zones
    piles["wounds"], piles["deck"] = piles["deck"][:4], piles["deck"][4:]
    fight(game).wounds = 4
    play(game, [{"monster": {"heal": {"roll": "1d5"}}}], given("5"))
    assert (len(zones(game, "ai")["wounds"]), fight(game).wounds) == (1, 1)


# --- terrain --------------------------------------------------------------------------------------


def search(game: Game, terrain: str, dice: str) -> list[object]:
    record = game.library.get(Terrain, terrain)
    scene = conditions.Scene(table=game.table, record=f"terrain:{terrain}", who="allister")
    steps = script.play_record(scene, record.activate, "activate")
    return list(run(game, steps, given(dice)))


def test_acanthus_bites_on_7_and_hides_nothing_on_8_without_a_sickle() -> None:
    game = survivors_turn()
    search(game, "acanthus_plants", "7")
    assert who(game).injuries == {"arms": ["light"]}
    game = survivors_turn()
    search(game, "acanthus_plants", "10")
    assert (who(game).injuries, who(game).resources) == ({}, [])


@pytest.mark.parametrize(
    ("dice", "survival", "resources"),
    [("7 7", 0, []), ("7 8", 1, []), ("10 7", 1, []), ("9 9", 0, ["fresh_acanthus"])],
)
def test_a_sickle_rolls_2d10_for_acanthus(dice: str, survival: int, resources: list[str]) -> None:
    game = survivors_turn()
    who(game).survival = 0
    wear(game, c5="bone_sickle")
    search(game, "acanthus_plants", dice)
    assert (who(game).survival, who(game).resources) == (survival, resources)


def test_the_acanthus_searched_is_archived() -> None:
    game = survivors_turn()
    assert of(search(game, "acanthus_plants", "8"), e.Said)


def test_tall_grass_hides_from_the_monster_until_an_attack() -> None:
    game = survivors_turn()
    fight(game).priority_target = "allister"
    search(game, "tall_grass", "")
    assert fight(game).priority_target == ""
    assert who(game).benefits == {"hidden_in:tall_grass": "showdown_end"}


def near(game: Game, *spaces: tuple[int, int]) -> None:
    """Puts acanthus on the board."""
    for number, at in enumerate(spaces, 1):
        board(game).tiles[f"acanthus_plants.{number}"] = Tile(terrain="acanthus_plants", at=at)


MEAL = [
    {
        "if": {
            "is": {"beside_terrain": "acanthus_plants"},
            "then": [{"archive_terrain": "acanthus_plants"}],
            "else": [
                {"if": {"is": {"terrain_there": "acanthus_plants"}, "then": [{"say": "far"}]}}
            ],
        }
    }
]


@pytest.mark.parametrize(
    ("spaces", "left", "said"),
    [
        ([(13, 8), (1, 1)], ["acanthus_plants.2"], 0),  # adjacent to the base at 11-12
        ([(14, 8)], ["acanthus_plants.1"], 1),  # one space between
        ([], [], 0),
    ],
)
def test_the_board_knows_what_terrain_the_monster_is_at(
    spaces: list[tuple[int, int]], left: list[str], said: int
) -> None:
    game = on_board()
    near(game, *spaces)
    events = play(game, MEAL)
    assert list(board(game).tiles) == left
    assert len(of(events, e.Said)) == said


def test_without_a_board_the_players_say_what_terrain_it_is_at() -> None:
    game = first_story()
    events = play(game, MEAL, given("", "no", "yes"))
    assert [one.text for one in of(events, e.Said)] == ["far"]


@pytest.mark.parametrize(("card", "recorded"), [("white_out", True), ("beasts_femur", False)])
def test_black_out_with_white_out_among_the_cards_drawn_explodes_a_head(
    card: str, recorded: bool
) -> None:
    game = survivors_turn()
    game.state.decks["hit_locations"]["deck"][:0] = ["black_out", card]
    attack = a.Attack(survivor="allister", weapon="founding_stone")
    events = game.do(attack, given("7 7", effects=""))
    suffered = [one.injury for one in of(events, e.SevereInjurySuffered)]
    assert suffered == ["head_explosion"] * recorded
