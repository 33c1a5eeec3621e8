"""How survivors walk on the board: where they say, as far as they may."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from kdmlog.core.errors import BadInput, Refused
from kdmlog.core.game import Table
from kdmlog.core.names import match
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.core.requests import Choose, Option
from kdmlog.games.kdm import board as g
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.content import Monster
from kdmlog.games.kdm.rules import conditions, hiding, in_play, where
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.rules.monster import showdown
from kdmlog.games.kdm.rules.numbers import attribute
from kdmlog.games.kdm.rules.script import verb
from kdmlog.games.kdm.state import Space

STAY = "stay"


def full_move(table: Table, id_: str) -> int:
    """Returns how far a survivor may move: their movement with all that changes it, at least 1.

    The disemboweled have 1 until the showdown ends (rulebook, Severe Injuries, Body).
    """
    survivor = table.state.survivors[id_]
    if conditions.barred(table, survivor, "move_more_than_1"):
        return 1
    return max(1, attribute(table, survivor, "movement").total)


@rule("kdm.survivor_movement")
def walk(table: Table, id_: str, words: Sequence[str]) -> Procedure[None]:
    """Moves a survivor to where the words say (rulebook, Survivors' Turn, Movement)."""
    yield Record(e.SurvivorMoved(survivor=id_, path=route(table, id_, words)))
    yield from hiding.leaves(table, id_)
    yield from in_play.moment(table, "moved", id_)


def route(table: Table, id_: str, words: Sequence[str]) -> g.Path:
    """Returns the shortest way to where the words say, or the steps that they give.

    Words: ``11 6``, ``lion`` (beside the monster), ``back`` (its blind spot), a survivor, ``3n2e``.
    Raises Refused when that is out of reach or taken.
    """
    board = where.board(table.state)
    assert board is not None
    name = table.state.survivors[id_].name
    if id_ not in board.survivors:
        raise Refused(f"{name} is not on the board.", hints=[f"place {id_} X Y"])
    steps = full_move(table, id_)
    start = board.survivors[id_]
    taken = where.taken(table, but=[id_])
    path = _steps(table, start, words[0], taken) if _spelt(words) else None
    if path is None:
        ways = g.walks(start, steps, taken)
        path = _shortest(table, id_, words, ways)
    if not path:
        raise Refused(f"{name} stands there already.", code="there_already")
    if len(path) > steps:
        raise Refused(f"{name} can move {steps}: that is {len(path)} spaces.", code="too_far")
    return path


def _spelt(words: Sequence[str]) -> bool:
    return len(words) == 1 and re.fullmatch(r"(\d*[nesw])+", words[0]) is not None


def _steps(
    table: Table, start: Space, word: str, taken: frozenset[Space]
) -> tuple[Space, ...] | None:
    """Returns a path as spelt, ``3n2e``; None when a survivor or the monster is called so."""
    if word in table.state.survivors:
        return None
    path: list[Space] = []
    here = start
    for step in g.walk_words(word):
        here = g.step(here, step)
        if not g.inside(here):
            raise Refused(f"{word} leaves the board.", code="off_board")
        if here in taken:
            raise Refused(f"{here[0]} {here[1]} is taken.", code="taken")
        path.append(here)
    return tuple(path)


def _shortest(
    table: Table, id_: str, words: Sequence[str], ways: dict[Space, tuple[Space, ...]]
) -> tuple[Space, ...]:
    """Returns the shortest way to one of the spaces that the words mean."""
    goals, what = _goals(table, id_, words)
    if len(goals) == 1 and goals[0] in where.taken(table, but=[id_]):
        raise Refused(f"{goals[0][0]} {goals[0][1]} is taken.", code="taken")
    within = [space for space in goals if space in ways]
    if not within:
        name = table.state.survivors[id_].name
        near = _nearest(table, id_, ways, goals)
        raise Refused(
            f"{name} cannot get {what} with movement {full_move(table, id_)}.",
            code="too_far",
            hints=[f"move {id_} {near[0]} {near[1]}" if near else "showdown board"],
        )
    return ways[min(within, key=lambda space: (len(ways[space]), goals.index(space)))]


def _nearest(
    table: Table, id_: str, ways: Collection[Space], goals: Sequence[Space]
) -> Space | None:
    """Returns the space nearest to the goals that a survivor can get to; None: they stand best."""
    board = where.board(table.state)
    assert board is not None
    far = g.distance(goals, [board.survivors[id_]]) if goals else 0
    near = min(ways, key=lambda space: g.distance(goals, [space]), default=None) if goals else None
    return near if near is not None and g.distance(goals, [near]) < far else None


def toward_monster(table: Table, id_: str) -> str:
    """Returns the words of the way to the monster: its name, or else the nearest space."""
    board = where.board(table.state)
    assert board is not None
    word = showdown(table).monster.split("_")[-1]
    ways = g.walks(board.survivors[id_], full_move(table, id_), where.taken(table, but=[id_]))
    beside_it = where.around(where.monster_spaces(board))
    if any(space in ways for space in beside_it):
        return word
    near = _nearest(table, id_, ways, beside_it)
    return f"{near[0]} {near[1]}" if near else ""


def _goals(table: Table, id_: str, words: Sequence[str]) -> tuple[list[Space], str]:
    """Returns the spaces that words mean, the better first, and how to say it."""
    board = where.board(table.state)
    assert board is not None
    word = " ".join(words)
    if found := re.fullmatch(r"(\d{1,2})[-, ](\d{1,2})", word):
        space = (int(found[1]), int(found[2]))
        if not g.inside(space):
            raise BadInput(f"{space[0]} {space[1]} is not on the board: 1 1 to 22 16.")
        return [space], f"to {space[0]} {space[1]}"
    beside = where.around(where.monster_spaces(board))
    if word.lower() in ("back", "blind"):
        behind = where.blind_spot(table)
        return [one for one in beside if one in behind] or sorted(behind), "behind the monster"
    fight = showdown(table)
    foe = table.content.get(Monster, fight.monster).name
    names = {one: table.state.survivors[one].name for one in board.survivors if one != id_}
    names |= {"monster": "monster", fight.monster: foe, fight.monster.split("_")[-1]: foe}
    whom = match(word, names, "place to move to")
    if whom in board.survivors:
        return where.around([board.survivors[whom]]), f"beside {names[whom]}"
    return beside, f"beside the {foe}"


@verb("walk")
def _walk(scene: Scene, body: s.Walk) -> Procedure[None]:
    """Whoever wants moves a little; without a board the players move the miniature."""
    table, board = scene.table, where.board(scene.state)
    for id_ in (yield from conditions.people(scene, body.who)):
        lies = table.state.survivors[id_].knocked_down is not None
        if board is None or id_ not in board.survivors or lies:
            continue
        ways = g.walks(board.survivors[id_], body.spaces, where.taken(table, but=[id_]))
        spaces = [one for one, way in ways.items() if way]
        if body.away:
            monster = where.monster_spaces(board)
            near = where.steps_from_monster(table.state, id_)
            spaces = [one for one in spaces if g.distance(monster, [one]) > near]
        if not spaces:
            continue
        options = (Option(STAY), *(Option(f"{x}-{y}") for x, y in spaces))
        [to] = yield Choose(purpose="walk", about=(id_,), by=id_, options=options, default=STAY)
        if to != STAY:
            yield from _goes(table, id_, ways[spaces[[one.id for one in options[1:]].index(to)]])


def _goes(table: Table, id_: str, path: tuple[Space, ...]) -> Procedure[None]:
    yield Record(e.SurvivorMoved(survivor=id_, path=path))
    yield from hiding.leaves(table, id_)
    yield from in_play.moment(table, "moved", id_)


def beside(table: Table, id_: str) -> list[str]:
    """Returns the survivors beside another, on the board."""
    board = where.board(table.state)
    there = board.survivors if board is not None else {}
    return [one for one in there if where.beside(table.state, id_, one)]
