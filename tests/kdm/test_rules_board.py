"""Whatever moves on the board: nobody leaves it, nobody overlaps, steps are steps.

Boards and answers are random, and always the same ones.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from functools import cache

import msgspec
import pytest

from kdmlog.core.errors import Refused
from kdmlog.core.inputs import Inputs
from kdmlog.core.requests import Ask
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.board import FACINGS, HEIGHT, WIDTH, footprint, tile_spaces
from kdmlog.games.kdm.content import AiCard, HitLocation, Monster, Terrain
from kdmlog.games.kdm.rules import moving, pushing, script, walking, where
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.script import decode
from kdmlog.games.kdm.state import Board, Space, State, Tile

from .scene import board, fight, first_story, of
from .table import Game
from .wanderer import answer

EVERYWHERE = [(x, y) for x in range(1, WIDTH + 1) for y in range(1, HEIGHT + 1)]
RULES = ("", "obstacle", "impassable", "destructible", "impassable destructible")
MONSTERS = (
    *("white_lion", "screaming_antelope", "phoenix", "butcher", "kings_man", "the_hand"),
    "watcher",
)


@cache
def _begun() -> bytes:
    game = first_story("ann", "bo")
    return msgspec.json.encode(game.state)


def scattered(rng: random.Random, monster: str = "white_lion", close: int = 22) -> Game:
    """Returns a showdown with everybody somewhere free, near the monster where ``close`` is low."""
    game = Game(ask_dice=True)
    game.state = msgspec.json.decode(_begun(), type=State)
    fight(game).monster = monster
    size = game.library.get(Monster, monster).size
    at = (rng.randint(1, WIDTH + 1 - size), rng.randint(1, HEIGHT + 1 - size))
    there = Board(monster=at, size=size, facing=rng.choice(FACINGS))
    fight(game).board = there
    taken = set(footprint(at, size))
    for card in rng.sample(sorted(game.library.all(Terrain)), rng.randint(0, 4)):
        record = game.library.get(Terrain, card)
        free = [
            one
            for one in EVERYWHERE
            if (under := tile_spaces(one, record.width, record.height)) <= set(EVERYWHERE)
            and not under & taken
        ]
        spot = rng.choice(free)
        there.tiles[f"{card}.1"] = Tile(
            terrain=card, at=spot, width=record.width, height=record.height
        )
        game.state.diagrams[f"{card}.rules"] = rng.choice(RULES)
        taken |= tile_spaces(spot, record.width, record.height)
    for id_ in game.state.survivors:
        free = [
            one
            for one in EVERYWHERE
            if one not in taken and abs(one[0] - at[0]) + abs(one[1] - at[1]) <= close
        ]
        there.survivors[id_] = rng.choice(free or [x for x in EVERYWHERE if x not in taken])
        taken.add(there.survivors[id_])
    return game


def decided(rng: random.Random) -> Callable[[Ask, State], Inputs]:
    """Returns a player who answers at random."""
    return lambda request, state: answer(request, state, rng)


def sound(game: Game) -> None:
    """Holds that everybody stands on a free space of the board."""
    there = board(game)
    base = footprint(there.monster, there.size) if there.monster else frozenset()
    assert base <= set(EVERYWHERE)
    stands = list(there.survivors.values())
    assert set(stands) <= set(EVERYWHERE)
    assert len(stands) == len(set(stands)), f"two stand on one space: {there.survivors}"
    assert not base & set(stands), f"the monster stands on somebody: {there}"
    for tile in there.tiles.values():
        if "impassable" in where.terrain_rules(game.table, tile.terrain):
            under = tile_spaces(tile.at, tile.width, tile.height)
            assert not under & set(stands), f"somebody stands on {tile.terrain}: {there}"


def steps(start: Space, path: tuple[Space, ...]) -> None:
    """Holds that a path goes from space to space."""
    for to in path:
        assert abs(to[0] - start[0]) + abs(to[1] - start[1]) == 1
        start = to


@pytest.mark.parametrize("seed", range(40))
def test_a_monster_that_moves_to_its_target_leaves_everybody_on_a_free_space(seed: int) -> None:
    rng = random.Random(seed)
    game = scattered(rng, rng.choice(MONSTERS), close=rng.choice((4, 8, 22)))
    sound(game)
    before = board(game).monster
    target = rng.choice(sorted(board(game).survivors))
    events = game.play(lambda: moving.approach(game.table, target), answer=decided(rng))
    sound(game)
    assert before is not None
    for moved in of(events, e.MonsterMoved):
        steps(before, moved.path)
        assert len(moved.path) <= fight(game).movement


@pytest.mark.parametrize("seed", range(40))
def test_a_survivor_pushed_back_stands_on_a_free_space(seed: int) -> None:
    rng = random.Random(seed)
    game = scattered(rng, rng.choice(MONSTERS), close=4)
    for id_ in sorted(board(game).survivors):
        spaces = rng.randint(1, 8)
        game.play(
            lambda id_=id_, spaces=spaces: pushing.push(game.table, id_, spaces),
            answer=decided(rng),
        )
        sound(game)


@pytest.mark.parametrize("seed", range(40))
def test_a_monster_placed_or_moved_by_a_card_leaves_everybody_on_a_free_space(seed: int) -> None:
    rng = random.Random(seed)
    game = scattered(rng, rng.choice(MONSTERS), close=rng.choice((4, 22)))
    who = rng.choice(sorted(board(game).survivors))
    steps_ = [
        {"move": {"how": "forward", "spaces": rng.randint(1, 20)}},
        {"move": {"how": "back", "spaces": rng.randint(1, 20)}},
        {"move": {"how": "away", "of": "self"}},
        {"place_monster": {"at": "adjacent", "of": "self"}},
        {"place_monster": {"at": "centre"}},
        {"place": {"who": "self"}},
        {"knockback": {"who": "self", "spaces": rng.randint(1, 8)}},
    ]
    for step in rng.sample(steps_, 4):
        game.play(
            lambda step=step: script.play_record(
                Scene(table=game.table, record="test:steps", who=who), decode([step])
            ),
            answer=decided(rng),
        )
        sound(game)


@pytest.mark.parametrize("seed", range(40))
def test_a_survivor_walks_to_free_spaces_alone_and_no_farther_than_their_movement(
    seed: int,
) -> None:
    rng = random.Random(seed)
    game = scattered(rng, rng.choice(MONSTERS), close=6)
    for id_ in sorted(board(game).survivors):
        start = board(game).survivors[id_]
        space = [str(rng.randint(1, WIDTH)), str(rng.randint(1, HEIGHT))]
        words = rng.choice((["back"], ["monster"], ["2n3e"], space))
        with suppress(Refused):
            events = game.play(lambda id_=id_, words=words: walking.walk(game.table, id_, words))
            [moved] = of(events, e.SurvivorMoved)
            steps(start, moved.path)
            assert len(moved.path) <= 5
        sound(game)


@pytest.mark.parametrize("monster", MONSTERS)
@pytest.mark.parametrize("seed", range(4))
def test_a_monster_s_turn_ends_with_everybody_on_a_free_space(monster: str, seed: int) -> None:
    rng = random.Random(f"{monster} {seed}")
    game = scattered(rng, monster, close=rng.choice((5, 9, 22)))
    for deck, kind in (("ai", AiCard), ("hit_locations", HitLocation)):
        records = game.library.all(kind).items()
        cards = [
            id_
            for id_, one in records
            if one.monster == monster
            and one.type != "special"
            and getattr(one, "level", "B") in ("B", "A", "L")
        ]
        rng.shuffle(cards)
        game.state.decks[deck].zones.clear()
        game.state.decks[deck].zones["deck"] = cards
    for _ in range(3):
        if fight(game).outcome:
            break
        game.do(a.MonsterTurn(), answer=decided(rng))
        sound(game)
        if fight(game).outcome:
            break
        game.do(a.EndTurn(), answer=decided(rng))
