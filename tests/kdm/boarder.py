"""A player who plays showdowns on the board at random, and looks after each action for nonsense."""

from __future__ import annotations

import random
from collections import Counter

from kdmlog.core.errors import Refused
from kdmlog.core.game import Action
from kdmlog.core.inputs import Inputs
from kdmlog.core.requests import Ask
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import board as g
from kdmlog.games.kdm.rules import marching, turns, walking, where
from kdmlog.games.kdm.state import State

from .table import Game
from .wanderer import answer


def fight(game: Game, rng: random.Random, most: int = 60) -> str:
    """Plays a showdown that is set up; returns its outcome, empty when nobody won in time."""

    def reply(request: Ask, state: State) -> Inputs:
        return answer(request, state, rng)

    def do(action: Action) -> bool:
        try:
            game.do(action, answer=reply)
        except Refused:
            game.rewind()
            return False
        finally:
            check(game)
        return True

    if game.state.phase.step == "deploy":
        assert do(a.Deploy())
    for _ in range(most):
        showdown = game.state.showdown
        assert showdown is not None
        if showdown.outcome:
            return showdown.outcome
        if showdown.turn == "monster":
            assert do(a.MonsterTurn())
            continue
        for id_ in turns.able_to_act(game.table):
            if game.state.phase.step != "survivors":
                break
            if not do(a.Act(survivor=id_)):
                continue
            _act(game, rng, id_, do)
        now = game.state.showdown
        if now is not None and not now.outcome and now.turn == "survivors":
            assert do(a.EndTurn())
    return ""


def _act(game: Game, rng: random.Random, id_: str, do: object) -> None:
    assert callable(do)
    survivors = game.state.survivors
    if marching.commands(game.table, id_):
        do(a.Activate(survivor=id_, thing="retinue"))
    if where.board(game.state) is not None and id_ in where.board(game.state).survivors:
        if not where.beside_monster(game.state, id_):
            board = where.board(game.state)
            assert board is not None
            if not do(a.Move(survivor=id_, to=["monster"])):
                taken = where.taken(game.table, but=[id_])
                steps = walking.full_move(game.table, id_)
                ways = list(g.walks(board.survivors[id_], steps, taken))
                x, y = min(
                    ways, key=lambda at: g.distance([at], where.monster_spaces(board) or [(11, 8)])
                )
                do(a.Move(survivor=id_, to=[str(x), str(y)]))
        elif rng.random() < 0.3:
            do(a.Move(survivor=id_, to=["back"]))
    if survivors[id_].alive and game.state.showdown and not game.state.showdown.outcome:
        do(a.Attack(survivor=id_))
    fight_ = game.state.showdown
    if fight_ is not None and not fight_.outcome and fight_.act is not None:
        do(a.EndAct())


def check(game: Game) -> None:
    """Nobody stands in another, in the monster, off the board; the dead are off it."""
    board = where.board(game.state)
    if board is None:
        return
    spaces = Counter(board.survivors.values())
    assert all(count == 1 for count in spaces.values()), board.survivors
    assert all(map(g.inside, spaces)), board.survivors
    monster = where.monster_spaces(board)
    assert all(map(g.inside, monster))
    if game.state.open is None:
        assert not monster & set(spaces), (board.monster, board.survivors)
    assert all(game.state.survivors[id_].alive for id_ in (*board.survivors, *board.retinues))
    nines = [where.retinue_spaces(board, id_) for id_ in board.retinues]
    assert all(map(g.inside, frozenset().union(*nines)))
    assert len(frozenset().union(*nines, spaces)) == 9 * len(nines) + len(spaces), board
    if game.state.open is None:
        assert not monster & frozenset().union(*nines), board
    tiles = [where.tile_spaces(board, tile) for tile in board.tiles]
    assert sum(map(len, tiles)) == len(frozenset().union(*tiles))
