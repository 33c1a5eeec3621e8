"""Survivors pushed back, and whom or what they collide with."""

from __future__ import annotations

from collections.abc import Sequence

from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.core.requests import Choose, Option
from kdmlog.games.kdm import board as g
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.board import Path
from kdmlog.games.kdm.rules import chance, harm, hiding, traits, where
from kdmlog.games.kdm.rules.monster import showdown
from kdmlog.games.kdm.state import RETINUE, Space

SOONER = 3
"""Spaces that a soft landing can take off a knockback."""
TUMBLED = 6
"""From this result on a d10 whoever can tumble evades a collision."""


@rule("kdm.knockback")
def push(table: Table, id_: str, spaces: int, *, to_edge: bool = False) -> Procedure[None]:
    """Knocks a survivor straight back from the monster, as far as nothing stops them.

    Or ``to_edge``: toward the closest board edge, wherever the monster is (Brain Trauma, Flee). At
    the board's edge they stop; from the edge they go along it. Those whom they pass or land on
    collide with them; in front of impassable or destructible terrain they stop and collide, and so
    before retinues (rulebook, Knockback; Collision; Showdown Board Edges; Retinue Rules).
    """
    board = where.board(table.state)
    if traits.ruled(table, table.state.survivors[id_], "unmoved"):
        spaces = min(spaces, 1)
    soft = bool(traits.ruled(table, table.state.survivors[id_], "soft_landing"))
    if soft:
        spaces -= yield from _lands_sooner(id_, spaces)
    source = where.monster_spaces(board) if board is not None else frozenset()
    if board is None or not (source or to_edge) or id_ not in board.survivors:
        yield Record(e.MovedAside(survivor=id_, spaces=spaces))
        return
    walls = where.tiles_with(table, "impassable") | where.tiles_with(table, "destructible")
    walls[RETINUE] = where.retinues(board)
    blocked = frozenset().union(*walls.values())
    start = board.survivors[id_]
    if to_edge:
        pushes = g.pushed_to_edge(start, spaces, blocked)
    else:
        pushes = g.pushed(start, source, spaces, blocked)
    paths = [one.path for one in pushes]
    path = yield from which(table, paths, "knockback_path", id_)
    found = pushes[paths.index(path)] if path in paths else pushes[0]
    others = {at: other for other, at in board.survivors.items() if other != id_}
    met = [others[at] for at in path if at in others and not soft]
    end = path[-1] if path else start
    # Also where a wall keeps them under the monster's base.
    if end in where.taken(table, but=[id_]):
        end = yield from _nearest_free(table, end, id_)
        path = (*path[:-1], end)
    yield Record(e.MovedAside(survivor=id_, spaces=len(path), path=path))
    yield from hiding.leaves(table, id_)
    wall = next((tile for tile, at in walls.items() if found.into in at), "")
    for other in met:
        yield Record(e.Collided(survivor=other, into=id_))
        yield from harm.knock_down(table, other, "collision")
    if met or wall:
        yield Record(e.Collided(survivor=id_, into=wall or met[0]))
        yield from harm.knock_down(table, id_, "collision")
    if wall in where.tiles_with(table, "destructible"):
        yield Record(e.TerrainRemoved(tile=wall))
        place = yield from chance.location("damage_location", ("kdm.collision", id_))
        yield from harm.damage(table, id_, place, 1)


@rule("kdm.pull")
def pull(table: Table, id_: str, spaces: int, by: str) -> Procedure[None]:
    """Pulls a survivor as near to the monster as so many spaces bring them, past what is taken.

    It is no movement of theirs, and nobody collides: the way goes around others. ``by`` is the
    record that pulls.
    """
    board = where.board(table.state)
    if board is None or board.monster is None or id_ not in board.survivors:
        yield Record(e.Said(survivor=id_, record=by, text=f"is pulled {spaces} spaces nearer"))
        return
    if traits.ruled(table, table.state.survivors[id_], "unmoved"):
        spaces = min(spaces, 1)
    ways = g.walks(board.survivors[id_], spaces, where.taken(table, but=[id_]))
    monster = where.monster_spaces(board)
    near = {at: g.distance(monster, [at]) for at in ways}
    least = min(near.values())
    short = min(len(way) for at, way in ways.items() if near[at] == least)
    best = [way for at, way in ways.items() if near[at] == least and len(way) == short]
    path = yield from which(table, best, "knockback_path", id_)
    if path:
        yield Record(e.MovedAside(survivor=id_, spaces=len(path), path=path))
        yield from hiding.leaves(table, id_)


def _lands_sooner(id_: str, spaces: int) -> Procedure[int]:
    """Returns by how many spaces less far a survivor lets themself be knocked back."""
    options = tuple(Option(str(less)) for less in range(min(spaces, SOONER) + 1))
    [less] = yield Choose(
        purpose="lands_sooner", about=(id_, str(spaces)), by=id_, options=options, default="0"
    )
    return int(less)


def tumbles(table: Table, id_: str) -> Procedure[bool]:
    """Whoever can tumble evades a collision with the monster on 6+ (Tumble)."""
    survivor = table.state.survivors[id_]
    if survivor.knocked_down is not None or not traits.ruled(table, survivor, "tumbles"):
        return False
    if (yield from chance.roll("1d10", "tumble", about=(id_,))) < TUMBLED:
        return False
    board = where.board(table.state)
    assert board is not None
    at = board.survivors[id_]
    if at in where.taken(table, but=[id_]):
        at = yield from _nearest_free(table, at, id_)
    if at != board.survivors[id_]:
        yield Record(e.SurvivorPlaced(survivor=id_, at=at))
        yield from hiding.leaves(table, id_)
    return True


def _nearest_free(table: Table, space: Space, id_: str) -> Procedure[Space]:
    """Returns the closest unoccupied space; the controller chooses among several."""
    free = g.nearest_free(space, where.taken(table, but=[id_]))
    [end] = yield from which(table, [(one,) for one in free], "free_space", id_)
    return end


def which(
    table: Table, paths: Sequence[Path], purpose: str, about: str, size: int = 1
) -> Procedure[Path]:
    """Returns one of the paths; the controller chooses among several.

    ``about`` is who moves, on a base of that ``size`` (rulebook, Monster Movement).
    """
    if len(paths) < 2:
        return paths[0] if paths else ()
    ids = _named(paths)
    options = tuple(
        Option(id_, _told(table, path, about, size)) for id_, path in zip(ids, paths, strict=True)
    )
    [picked] = yield Choose(
        purpose=purpose,
        about=(about,),
        by=showdown(table).controller.survivor,
        options=options,
        default=ids[0],
    )
    return paths[ids.index(picked)]


def _named(paths: Sequence[Path]) -> list[str]:
    """Returns a short id for each: where it ends, and a letter more where that is the same."""
    found: list[str] = []
    for path in paths:
        end, letter = f"{path[-1][0]}-{path[-1][1]}" if path else "stay", "b"
        name = end
        while name in found:
            name, letter = f"{end}{letter}", chr(ord(letter) + 1)
        found.append(name)
    return found


def _told(table: Table, path: Path, about: str, size: int) -> str:
    """Returns whom a path runs over, in words; empty when nobody."""
    board = where.board(table.state)
    assert board is not None
    swept = where.swept(path, size)
    over = [id_ for id_, at in board.survivors.items() if at in swept and id_ != about]
    names = [table.state.survivors[id_].name for id_ in over]
    whose = [id_ for id_ in board.retinues if where.retinue_spaces(board, id_) & swept]
    names += [f"{table.state.survivors[id_].name}'s retinue" for id_ in whose]
    return f"over {', '.join(names)}" if names else ""
