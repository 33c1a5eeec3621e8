"""Showdowns played at random on the board: no rule breaks, nobody stands where nobody can."""

from __future__ import annotations

import random
from collections import Counter

from kdmlog.core.inputs import Inputs
from kdmlog.games.kdm import actions as a

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
