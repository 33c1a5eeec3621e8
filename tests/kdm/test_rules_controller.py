"""The monster controller tile goes round: every round another player, and another survivor."""

from __future__ import annotations

import pytest

from kdmlog.core.errors import Refused
from kdmlog.games.kdm import actions as a

from .scene import fight, first_story, given, on_top
from .table import Game


def next_round(game: Game) -> tuple[str, str]:
    """The lion falls short of Allister and nobody acts; returns who controls it then."""
    on_top(game, "ai", "claw")
    game.do(a.MonsterTurn(), given("", "far_allister"))
    deck = game.state.decks["ai"]
    deck["deck"].extend(deck.zones.pop("discard", []))
    game.do(a.EndTurn())
    return held(game)


def held(game: Game) -> tuple[str, str]:
    tile = fight(game).controller
    return tile.player, tile.survivor


def test_each_round_the_tile_goes_to_the_next_player_and_another_of_their_survivors() -> None:
    game = first_story("ann", "bo")  # in turn: Ann has Allister and Lucy
    rounds = [held(game), *(next_round(game) for _ in range(4))]
    assert rounds == [
        ("ann", "allister"),
        ("bo", "erza"),
        ("ann", "lucy"),
        ("bo", "zachary"),
        ("ann", "allister"),
    ]


def test_nobody_keeps_the_tile_for_two_rounds() -> None:
    game = first_story("ann", "bo", "cy")
    next_round(game)
    with pytest.raises(Refused, match="ann had the tile last round"):
        game.do(a.Control(survivor="allister"))
    game.rewind()
    game.do(a.Control(survivor="lucy"))
    assert held(game) == ("cy", "lucy")


def test_in_the_first_round_any_player_may_take_the_tile() -> None:
    game = first_story("ann", "bo")
    game.do(a.Control(survivor="erza"))
    assert held(game) == ("bo", "erza")
    assert next_round(game)[0] == "ann"


def test_solo_play_has_no_tile() -> None:
    game = first_story("ann")
    assert held(game) == ("", "")
    with pytest.raises(Refused, match="Solo"):
        game.do(a.Control(survivor="erza"))


def test_the_storyteller_keeps_the_tile() -> None:
    game = first_story("ann", "bo")
    game.state.variants = ["storyteller"]
    assert next_round(game)[0] == "ann"
    with pytest.raises(Refused, match="storyteller"):
        game.do(a.Control(survivor="erza"))


def test_a_survivor_is_given_to_a_player() -> None:
    game = first_story("ann", "bo")
    game.state.survivors["lucy"].player = ""
    with pytest.raises(Refused, match="no player") as refused:
        game.do(a.Control(survivor="lucy"))
    assert refused.value.hints == ["survivor player lucy NAME"]
    game.do(a.SurvivorPlayer(survivor="lucy", player="bo"))
    game.do(a.Control(survivor="lucy"))
    assert held(game) == ("bo", "lucy")
