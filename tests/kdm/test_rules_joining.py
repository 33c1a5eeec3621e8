"""The fallen are replaced from the settlement, where a card of the monster's allows it."""

from __future__ import annotations

import pytest

from kdmlog.core.errors import Refused
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm.game import GAME
from kdmlog.games.kdm.rules import harm, turns
from kdmlog.games.kdm.state import Survivor

from .scene import board, fight, on_board, run, who
from .table import Game


def audience(*, in_play: bool = True) -> Game:
    """Returns a survivors' turn on the board; Mira is at home."""
    game = on_board(lucy=(5, 5))
    fight(game).turn = "survivors"
    game.state.phase.step = "survivors"
    game.state.survivors["mira"] = Survivor(id="mira", name="Mira", sex="f")
    if in_play:
        game.state.decks["ai"].zones.setdefault("in_play", []).append("audience")
    return game


def fallen(game: Game) -> Game:
    run(game, harm.die(game.table, ["lucy"], "fell"))
    return game


def test_nobody_joins_while_nobody_has_fallen() -> None:
    with pytest.raises(Refused, match="Nobody is left to be replaced"):
        audience().do(a.ShowdownJoin(survivor="mira"))


def test_nobody_joins_without_a_card_that_says_so() -> None:
    with pytest.raises(Refused, match="No card in play"):
        fallen(audience(in_play=False)).do(a.ShowdownJoin(survivor="mira"))


def test_one_joins_for_each_who_fell_is_placed_and_acts() -> None:
    game = fallen(audience())
    lines = GAME.plays[a.ShowdownJoin].ready
    assert list(lines(game.table)) == ["showdown join SURVIVOR"]
    game.do(a.ShowdownJoin(survivor="mira"))
    assert fight(game).joined == ["mira"]
    assert list(lines(game.table)) == ["place mira X Y"]
    game.do(a.Place(who="mira", x=5, y=6))
    assert board(game).survivors["mira"] == (5, 6)
    assert "mira" in turns.able_to_act(game.table)
    game.do(a.Act(survivor="mira"))
    with pytest.raises(Refused, match="Nobody is left"):
        game.do(a.ShowdownJoin(survivor="mira"))
    assert who(game, "lucy").status == "dead"
