"""What terrain does for those who activate it (rulebook, Terrain)."""

from __future__ import annotations

from kdmlog.core.procedures import Procedure, Record
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.rules import conditions, hiding, traits, where
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.rules.monster import showdown
from kdmlog.games.kdm.rules.script import verb

TILE = "tile"
"""The name under which the scene of an activation has its tile."""


@verb("hide")
def _hide(scene: Scene, body: s.People) -> Procedure[None]:
    """No threat until they attack or leave, and no priority target (rulebook, Tall Grass)."""
    for id_ in (yield from conditions.people(scene, body.who)):
        survivor = scene.state.survivors[id_]
        if ref := traits.ruled(scene.table, survivor, "always_a_threat"):
            yield Record(e.Said(survivor=id_, record=ref, text="cannot hide"))
            continue
        fight = showdown(scene.table)
        if fight.priority_target == id_:
            yield Record(e.PriorityTarget(survivor="", round=fight.round))
        kind, _, card = scene.record.partition(":")
        yield from hiding.hide(scene.table, id_, card if kind == "terrain" else "")


@verb("archive_terrain")
def _archive_terrain(scene: Scene, body: int | str) -> Procedure[None]:
    """A tile is archived: that activated, or one the monster is at; without a board by hand."""
    board = showdown(scene.table).board
    if isinstance(body, str):
        tiles = where.tiles_of(scene.state, body, near_monster=True)[:1]
    else:
        activated = scene.bound.get(TILE, [])
        tiles = [one for one in activated if board is not None and one in board.tiles]
    for tile in tiles:
        yield Record(e.TerrainRemoved(tile=tile))
    if not tiles:
        yield Record(e.Said(survivor=scene.who, record=scene.record, text="the tile is removed"))
