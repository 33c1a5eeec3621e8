"""Showdowns played at random on the board: no rule breaks, nobody stands where nobody can."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from kdmlog.core.inputs import Inputs
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm.content import Monster
from kdmlog.games.kdm.state import LOCATIONS, Phase

from . import boarder, wanderer
from .table import Game


def first_story(number: int) -> tuple[Game, random.Random]:
    game, rng = Game(seed=str(number), players=("ann", "bo")), random.Random(number)
    wanderer.found(game)
    game.do(
        a.ShowdownBegin(monster="white_lion", first_story=True, board=True),
        answer=lambda *_: Inputs(fills=[{}]),
    )
    return game, rng


def test_random_first_stories_on_the_board() -> None:
    ends: Counter[str] = Counter()
    for number in range(25):
        game, rng = first_story(number)
        ends[boarder.fight(game, rng)] += 1
    assert ends["victory"] > 3
    assert sum(ends.values()) == 25


def departed(monster: str, level: str, number: int, *, board: bool) -> tuple[Game, random.Random]:
    """Four seasoned survivors, departed to meet a monster; the showdown is set up."""
    game, rng = Game(seed=f"{monster}{number}", players=("ann", "bo")), random.Random(number)
    wanderer.found(game)
    state = game.state
    for one in state.survivors.values():
        one.survival, one.insanity, one.strength = 3, 4, 6
        one.armor = dict.fromkeys(LOCATIONS, 3)
    state.settlement.survival_limit = 4
    state.settlement.innovations += ["language", "paint", "inner_lantern"]
    state.settlement.lantern_year = 20
    state.settlement.population = 10
    state.settlement.departing = list(state.survivors)
    state.settlement.hunt = f"{monster}:{level}"
    state.phase = Phase(name="hunt", step="departed")
    game.do(a.ShowdownBegin(board=board), answer=lambda r, s: wanderer.answer(r, s, rng))
    return game, rng


def _all() -> list[tuple[str, str]]:
    monsters = Game().library.all(Monster)
    return [
        (id_, level)
        for id_, one in monsters.items()
        for level in one.levels
        if level != "first_story"
    ]


@pytest.mark.parametrize("board", [True, False], ids=["board", "by_hand"])
@pytest.mark.parametrize(("monster", "level"), _all())
def test_random_showdowns_of_every_monster(monster: str, level: str, board: bool) -> None:
    game, rng = departed(monster, level, 1, board=board)
    outcome = boarder.fight(game, rng)
    if outcome:
        game.do(a.Aftermath(), answer=lambda r, s: wanderer.answer(r, s, rng))
        assert game.state.showdown is None
