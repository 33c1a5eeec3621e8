"""How the monster and survivors move: along paths, pushed, placed; without a board, by hand."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from msgspec.structs import replace

from kdmlog.core.errors import BadInput
from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.core.requests import Field, Fill
from kdmlog.games.kdm import board as g
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.content import HitLocation
from kdmlog.games.kdm.rules import (
    conditions,
    harm,
    hiding,
    in_play,
    pushing,
    retinues,
    script,
    walking,
    where,
)
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.rules.monster import over, showdown
from kdmlog.games.kdm.rules.numbers import monster_attribute
from kdmlog.games.kdm.rules.script import verb
from kdmlog.games.kdm.state import Board, Space

MOVES = ("toward", "away", "forward", "back")
"""How a monster moves by itself; anything else is the players' word."""
BUMP = 5
"""How far the monster knocks back a survivor on whom it ends its movement (rulebook, Collision)."""
STAY = "-"


# --- the monster ----------------------------------------------------------------------------------


def hampering(table: Table) -> list[str]:
    """Returns the persistent injuries that act whenever the monster starts to move."""
    cards = table.state.decks["hit_locations"]["persistent"]
    return [one for one in cards if table.content.get(HitLocation, one).monster_moves]


def starts_to_move(table: Table) -> Procedure[bool]:
    """Plays what hampers a monster as it starts to move; returns whether it does move."""
    for card in hampering(table):
        steps = table.content.get(HitLocation, card).monster_moves
        inner = Scene(table=table, record=f"hit_location:{card}")
        yield from script.play_record(inner, steps, "monster_moves")
    return not showdown(table).knocked_down


@rule("kdm.monster_movement")
def approach(table: Table, id_: str, near: int = 1) -> Procedure[bool]:
    """Moves the monster the least it must to come within ``near`` steps of a survivor.

    Along a shortest path, up to its movement, then it turns to face them; the controller chooses
    among paths that differ. Returns whether it is near enough (rulebook, Monster Movement).
    """
    board = where.board(table.state)
    assert board is not None
    if board.monster is None or id_ not in board.survivors:
        return False
    if where.steps_from_monster(table.state, id_) > near:
        if not (yield from starts_to_move(table)):
            return False
        yield from _toward(
            table, [board.survivors[id_]], near, monster_attribute(table, "movement")
        )
    if id_ not in board.survivors:
        return False
    yield from face(table, [board.survivors[id_]])
    return where.steps_from_monster(table.state, id_) <= near


def _toward(table: Table, target: Sequence[Space], near: int, steps: int) -> Procedure[None]:
    board = where.board(table.state)
    assert board is not None and board.monster is not None
    paths = g.approaches(board.monster, board.size, target, steps, near, marks=_marks(board))
    yield from _along(table, paths, "toward")


def _marks(board: Board) -> list[Collection[Space]]:
    """Returns what makes one path differ from another: who and what stands there, by its spaces."""
    nines = [where.retinue_spaces(board, id_) for id_ in board.retinues]
    tiles = [where.tile_spaces(board, tile) for tile in board.tiles]
    return [*([at] for at in board.survivors.values()), *nines, *tiles]


def _along(table: Table, paths: Sequence[tuple[Space, ...]], how: str) -> Procedure[None]:
    """Moves the monster along one of these paths, and resolves its collisions."""
    board = where.board(table.state)
    assert board is not None
    path = yield from pushing.which(
        table, [one for one in paths if one], "monster_path", showdown(table).monster, board.size
    )
    if not path:
        return
    yield Record(e.MonsterMoved(how=how, path=path))
    yield from _collide(table, path)


@rule("kdm.collision")
def _collide(table: Table, path: tuple[Space, ...]) -> Procedure[None]:
    """Survivors in the monster's way are knocked down at the end of its movement.

    Those on whom it ends are knocked back 5 besides; destructible terrain that it passes over is
    archived (rulebook, Collision; Monsters and Terrain). Retinues that fall are gone by then.
    """
    board = where.board(table.state)
    assert board is not None and board.monster is not None
    swept = where.swept(path, board.size)
    for tile, spaces in where.tiles_with(table, "destructible").items():
        if spaces & swept:
            yield Record(e.TerrainRemoved(tile=tile))
    yield from retinues.run_over(table, swept)
    hit = [id_ for id_, at in board.survivors.items() if at in swept]
    under = [id_ for id_ in hit if board.survivors[id_] in where.monster_spaces(board)]
    struck = []
    for id_ in hit:
        yield Record(e.Collided(survivor=id_, into=showdown(table).monster))
        if not (yield from pushing.tumbles(table, id_)):
            struck.append(id_)
            yield from harm.knock_down(table, id_, "collision")
    for id_ in under:
        if id_ in struck:
            yield from pushing.push(table, id_, BUMP)
    for id_ in struck:
        yield from in_play.moment(table, "collision", id_)


def shove(table: Table, way: str, spaces: int) -> Procedure[None]:
    """Knocks the monster back in a direction."""
    board = where.board(table.state)
    assert board is not None
    if board.monster is not None:
        yield from _along(table, g.straight(board.monster, board.size, way, spaces), "knocked back")


def face(table: Table, target: Sequence[Space]) -> Procedure[None]:
    """Turns the monster to face some spaces."""
    board = where.board(table.state)
    assert board is not None
    if board.monster is None:
        return
    facings = g.turned_to(board.monster, board.size, target)
    if facings and board.facing not in facings:
        yield Record(e.MonsterTurned(facing=facings[0]))


def place_monster(table: Table, at: Space, facing: str = "") -> Procedure[None]:
    """Puts the monster somewhere: no movement, but those whom it lands on collide with it."""
    board = where.board(table.state)
    assert board is not None
    yield Record(e.MonsterPlaced(at=at, facing=facing or board.facing))
    yield from _collide(table, (at,))


def centre(board: Board) -> Space:
    """Returns where the monster's base stands in the centre of the board."""
    return g.centred(board.size, board.size)


# --- verbs ----------------------------------------------------------------------------------------


@verb("move")
def _move(scene: Scene, body: s.Move) -> Procedure[None]:
    """The monster moves by itself (toward, away, forward, back), unless an injury fells it."""
    if over(scene.table):
        return
    moves = body.how not in MOVES or (yield from starts_to_move(scene.table))
    board = where.board(scene.state)
    if not moves or (board is not None and board.monster is None):
        return
    if board is None:
        yield Record(e.MonsterMoved(how=body.how))
    elif body.how not in MOVES:
        yield from _by_hand(scene.table, body.how)
    else:
        yield from _by_itself(scene, board, body)


def _by_itself(scene: Scene, board: Board, body: s.Move) -> Procedure[None]:
    table, size = scene.table, board.size
    assert board.monster is not None
    steps = body.spaces or monster_attribute(table, "movement")
    if body.how in ("forward", "back"):
        way = board.facing if body.how == "forward" else g.OPPOSITE[board.facing]
        yield from _along(table, g.straight(board.monster, size, way, steps), body.how)
        return
    from_ = yield from _points(scene, board, body.of)
    if not from_:
        return
    if body.how == "away":
        yield from _along(table, g.away(board.monster, size, from_, steps, _marks(board)), "away")
    elif body.of == "centre":
        yield from _along(
            table, g.toward(board.monster, size, from_, steps, _marks(board)), "toward"
        )
    else:
        yield from _toward(table, from_, 1, steps)
        yield from face(table, from_)


def _points(scene: Scene, board: Board, of: str | None) -> Procedure[list[Space]]:
    """Returns the spaces that a movement is away from or toward."""
    if of == "centre":
        return sorted(g.footprint(centre(board), board.size))
    if of is not None and of.startswith("terrain:"):
        return _closest_tile(board, of.removeprefix("terrain:"))
    people = yield from conditions.people(scene, of or "target")
    if not people and of is None:
        people = [scene.who] if scene.who else []
    return [board.survivors[id_] for id_ in people if id_ in board.survivors]


def _closest_tile(board: Board, terrain: str) -> list[Space]:
    monster = where.monster_spaces(board)
    tiles = [
        where.tile_spaces(board, id_) for id_, t in board.tiles.items() if t.terrain == terrain
    ]
    near = min(tiles, key=lambda spaces: (g.distance(monster, spaces), min(spaces)), default=())
    return sorted(near)


def _by_hand(table: Table, how: str) -> Procedure[None]:
    """The players say where the monster stands now, after a movement that only they can read."""
    fields = (
        Field(name="at", kind="word", default=STAY),
        Field(name="facing", kind="word", default=STAY),
    )
    values = yield Fill(purpose="monster_stands", about=(how,), fields=fields)
    board = where.board(table.state)
    assert board is not None and board.monster is not None
    at = board.monster if values["at"] == STAY else read_space(str(values["at"]))
    facing = board.facing if values["facing"] == STAY else read_facing(str(values["facing"]))
    if not all(map(g.inside, g.footprint(at, board.size))):
        raise BadInput("There the monster would not stand on the board.")
    yield Record(e.MonsterMoved(how=how, path=() if at == board.monster else (at,)))
    if facing != board.facing:
        yield Record(e.MonsterTurned(facing=facing))
    yield from _collide(table, (at,))


def read_space(text: str) -> Space:
    """Returns the space typed as ``11-8``, ``11,8`` or ``11 8``. Raises BadInput."""
    found = re.fullmatch(r"(\d{1,2})[-, ]+(\d{1,2})", text.strip())
    space = (int(found[1]), int(found[2])) if found else (0, 0)
    if not g.inside(space):
        raise BadInput(f"{text!r} is no space: column 1 to {g.WIDTH}, row 1 to {g.HEIGHT}.")
    return space


def read_facing(text: str) -> str:
    """Returns n, e, s or w. Raises BadInput."""
    facing = text.strip().lower()[:1]
    if facing not in g.OPPOSITE:
        raise BadInput(f"{text!r} is no direction: n, e, s or w.")
    return facing


@verb("knockback")
def _knockback(scene: Scene, body: s.Knockback) -> Procedure[None]:
    for id_ in (yield from conditions.people(scene, body.who)):
        if isinstance(body.spaces, s.Figure) and body.spaces.stat == "movement":
            spaces = walking.full_move(scene.table, id_)  # tokens and gear count, too
        else:
            inner = replace(scene, who=id_)
            spaces = yield from conditions.amount(inner, body.spaces, "knockback")
        yield from pushing.push(scene.table, id_, spaces, to_edge=body.toward == "edge")


@verb("pull")
def _pull(scene: Scene, body: s.Pull) -> Procedure[None]:
    for id_ in (yield from conditions.people(scene, body.who)):
        yield from pushing.pull(scene.table, id_, body.spaces, scene.record)


@verb("place")
def _place(scene: Scene, body: s.Place) -> Procedure[None]:
    """A survivor is put in front of the monster: no movement (rulebook, Place the Survivor)."""
    for id_ in (yield from conditions.people(scene, body.who)):
        yield from put(scene, id_, body.at)


def put(scene: Scene, id_: str, at: str) -> Procedure[None]:
    """Puts a survivor ``in_front`` of the monster, ``adjacent`` to it or ``off`` the board."""
    table, board = scene.table, where.board(scene.state)
    if board is None or (board.monster is None and at != "off"):
        yield Record(e.Said(survivor=id_, record=scene.record, text=f"is placed {at}"))
        return
    if at == "off":
        if id_ in board.survivors:
            yield Record(e.SurvivorLeftBoard(survivor=id_))
        return
    assert board.monster is not None
    spaces = [
        space
        for space in where.around(where.monster_spaces(board))
        if at == "adjacent" or g.in_front(board.monster, board.size, board.facing, space)
    ]
    taken = where.taken(table, but=[id_])
    free = [space for space in spaces if space not in taken]
    if not free:
        free = g.nearest_free(spaces[0], taken) if spaces else [board.survivors[id_]]
    [there] = yield from pushing.which(table, [(one,) for one in free], "free_space", id_)
    if board.survivors.get(id_) != there:
        yield Record(e.SurvivorPlaced(survivor=id_, at=there))
        yield from hiding.leaves(table, id_)


@verb("place_monster")
def _place_monster(scene: Scene, body: s.PlaceMonster) -> Procedure[None]:
    """The monster is placed in the centre, or off the board, or materializes beside somebody.

    There its base covers as many others as it can, and collides with them (Glossary, Materialize).
    """
    table, board = scene.table, where.board(scene.state)
    if board is None:
        yield Record(e.MonsterMoved(how=f"is placed: {body.at}"))
        return
    if body.at == "off":
        yield Record(e.MonsterLeftBoard())
        return
    if body.at == "centre":
        yield from place_monster(table, centre(board))
        return
    id_ = yield from conditions.one(scene, body.of or "target")
    if id_ not in board.survivors:
        return
    target = board.survivors[id_]
    others = {at for other, at in board.survivors.items() if other != id_}
    spots = g.beside_spots([target], board.size)
    covered = {at: len(g.footprint(at, board.size) & others) for at in spots}
    best = [at for at in spots if covered[at] == max(covered.values())]
    paths = [(one,) for one in best]
    monster = showdown(table).monster
    [at] = yield from pushing.which(table, paths, "monster_path", monster, board.size)
    yield from place_monster(table, at, g.turned_to(at, board.size, [target])[0])


@verb("turn_to")
def _turn_to(scene: Scene, body: s.People) -> Procedure[None]:
    board = where.board(scene.state)
    id_ = yield from conditions.one(scene, body.who)
    if board is not None and id_ in board.survivors:
        yield from face(scene.table, [board.survivors[id_]])
    elif id_:
        yield Record(e.Said(survivor=id_, record=scene.record, text="is faced by the monster"))
