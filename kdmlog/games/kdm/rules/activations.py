"""What activation is spent on besides attacking: gear with a feat, terrain, status cards."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec import Struct

from kdmlog.core.errors import Refused
from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure
from kdmlog.games.kdm.content import Gear, Terrain
from kdmlog.games.kdm.rules import (
    attack,
    feats,
    figures,
    in_play,
    laid,
    marching,
    script,
    uses,
    where,
)
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.rules.terrain import TILE
from kdmlog.games.kdm.state import RETINUE, State


class Activation(Struct, frozen=True):
    """Something to spend activation on: how it is called, and what comes of it."""

    name: str
    refuse: Callable[[], None]
    """Raises Refused when it is there and may not be activated now."""
    play: Callable[[], Procedure[None]]
    cost: tuple[str, ...] = ("activation",)


def at_hand(table: Table, id_: str) -> dict[str, Activation]:
    """Returns what a survivor could activate, by the id of its card."""
    return {
        **_used(table, id_),
        **_thrown(table, id_),
        **_feats(table, id_),
        **_terrain(table, id_),
        **_status(table, id_),
        **_retinue(table, id_),
    }


def _used(table: Table, id_: str) -> dict[str, Activation]:
    """Gear and abilities whose use takes activation."""
    return {
        card: _use(table, id_, thing)
        for card, thing in uses.usable(table, id_).items()
        if thing.use is not None and thing.use.spends == "activation"
    }


def _use(table: Table, id_: str, thing: uses.Thing) -> Activation:
    def refuse() -> None:
        if why := uses.why_not(table, id_, thing):
            raise Refused(f"{why[:1].upper()}{why[1:]}.")

    return Activation(thing.name, refuse, lambda: uses.resolve(table, id_, thing))


def _thrown(table: Table, id_: str) -> dict[str, Activation]:
    """Gear that is thrown to be archived: the Founding Stone."""
    state: State = table.state
    grid = state.survivors[id_].grid
    found = {}
    for cell in sorted(grid, reverse=True):  # of two the first in the grid is thrown
        card = state.gear[grid[cell]]
        record = table.content.find(Gear, card)
        if record is not None and "throw_to_archive" in record.rules:
            found[card] = _throw(table, id_, card, grid[cell])
    return found


def _throw(table: Table, id_: str, card: str, gear: str) -> Activation:
    def refuse() -> None:  # it gets there from anywhere on the board
        attack.refuse_weapon(table, id_, card)
        attack.refuse_downed(table, id_)

    name = figures.name_of(table, Gear, card)
    return Activation(name, refuse, lambda: attack.throw(table, id_, gear))


def _feats(table: Table, id_: str) -> dict[str, Activation]:
    """Gear and armor sets with a feat: block, charge, pounce, slam."""
    found = {}
    for card, (name, feat, number) in feats.there(table, id_).items():
        play = partial(feat.play, table, id_, card, number)
        refuse = partial(feats.refuse, table, id_, feat)
        found[card] = Activation(name, refuse, play, feat.cost)
    return found


def _status(table: Table, id_: str) -> dict[str, Activation]:
    """Survivor status cards that may be activated (rulebook, Survivor Status AI Cards)."""
    return {
        card: Activation(name, lambda: None, partial(in_play.activate, table, id_, card))
        for card, name in laid.activations(table, id_).items()
    }


def _retinue(table: Table, id_: str) -> dict[str, Activation]:
    """A retinue on the board, which takes nothing of the act."""

    def refuse() -> None:
        if why := marching.why_not(table, id_):
            raise Refused(f"{why}.")

    if not marching.commands(table, id_):
        return {}
    return {RETINUE: Activation("Retinue", refuse, partial(marching.command, table, id_), ())}


def _terrain(table: Table, id_: str) -> dict[str, Activation]:
    """Terrain on or beside which a survivor stands; without a board the table says so."""
    board = where.board(table.state)
    if board is None:
        cards = table.content.all(Terrain)
        return {card: _search(table, id_, card, []) for card, one in cards.items() if one.activate}
    found = {}
    for tile in where.tiles_near(table, id_):
        card = board.tiles[tile].terrain
        within = "from_within" in where.terrain_rules(table, card)
        there = board.survivors[id_] in where.tile_spaces(board, tile)
        if table.content.get(Terrain, card).activate and (there or not within):
            found[card] = _search(table, id_, card, [tile])
    return found


def _search(table: Table, id_: str, card: str, tiles: list[str]) -> Activation:
    record: Terrain = table.content.get(Terrain, card)
    scene = Scene(table=table, record=f"terrain:{card}", who=id_, bound={TILE: tiles})
    return Activation(
        record.name,
        lambda: None,
        lambda: script.play_record(scene, record.activate, "activate"),
    )
