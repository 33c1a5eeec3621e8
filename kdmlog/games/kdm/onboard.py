"""The board as everybody sees it: where they stand, how far apart, who is seen and who is not."""

# No annotations from __future__: msgspec would compile each of them whenever kdmlog starts.

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from kdmlog.core.game import Table
from kdmlog.games.kdm import board as g
from kdmlog.games.kdm.content import Terrain
from kdmlog.games.kdm.rules import conditions, where
from kdmlog.games.kdm.rules.numbers import monster_attribute
from kdmlog.games.kdm.state import Space

FACINGS = {"n": "north", "e": "east", "s": "south", "w": "west"}


class Standing(Struct, frozen=True, kw_only=True):
    """A survivor on the board, as the monster sees them; all false while it is off the board."""

    at: Space
    away: Annotated[int | None, Meta(description="Spaces away from the monster; 1: adjacent.")]
    in_range: Annotated[bool, Meta(description="Within the monster's movement.")]
    faced: bool
    in_view: bool
    in_blind_spot: bool
    threat: bool
    knocked_down: bool


class Lying(Struct, frozen=True, kw_only=True):
    """A terrain tile; ``at`` is its bottom left space."""

    terrain: str
    name: str
    rules: Annotated[list[str], Meta(description="obstacle, impassable, destructible…")]
    at: Space
    width: int
    height: int


class Within(Struct, frozen=True, kw_only=True):
    """Who and what space is near enough to somebody."""

    of: Annotated[str, Meta(description="A survivor, or monster.")]
    words: Annotated[str, Meta(description="As it was asked for: reach 2, range 6.")]
    who: list[str]
    spaces: list[Space]


class OnBoard(Struct, frozen=True, kw_only=True):
    """The board, 22 columns by 16 rows; spaces are column and row from the bottom left."""

    monster: Annotated[
        Space | None, Meta(description="The bottom left space of its base; null: off the board.")
    ]
    size: Annotated[int, Meta(description="Spaces that its base is wide and deep.")]
    facing: Annotated[str, Meta(description="n, e, s or w.")]
    blind_spot: list[Space]
    survivors: dict[str, Standing]
    tiles: dict[str, Lying]
    retinues: Annotated[
        dict[str, Space], Meta(description="Of three by three spaces each, by who commands them.")
    ] = {}
    within: Within | None = None


def on_board(table: Table) -> OnBoard | None:
    """Returns the board of the showdown under way; None when no positions are kept."""
    there = where.board(table.state)
    if there is None:
        return None
    return OnBoard(
        monster=there.monster,
        size=there.size,
        facing=there.facing,
        blind_spot=sorted(where.blind_spot(table)),
        survivors={id_: _standing(table, id_, at) for id_, at in there.survivors.items()},
        retinues=dict(there.retinues),
        tiles={
            id_: Lying(
                terrain=one.terrain,
                name=table.content.get(Terrain, one.terrain).name,
                rules=where.terrain_rules(table, one.terrain),
                at=one.at,
                width=one.width,
                height=one.height,
            )
            for id_, one in there.tiles.items()
        },
    )


def _standing(table: Table, id_: str, at: Space) -> Standing:
    away = where.steps_from_monster(table.state, id_)
    present = away != where.FAR_AWAY
    return Standing(
        at=at,
        away=away if present else None,
        in_range=present and away - 1 <= monster_attribute(table, "movement"),
        faced=where.faced(table.state, id_),
        in_view=where.in_view(table, id_),
        in_blind_spot=where.in_blind_spot(table, id_),
        threat=conditions.is_threat(table, id_),
        knocked_down=table.state.survivors[id_].knocked_down is not None,
    )


def within(board: OnBoard, of: str, words: str, away: int) -> Within:
    """Returns who stands at most so many spaces away from a survivor or, else, from the monster.

    The monster counts among them where it is asked for a survivor.
    """
    base = g.footprint(board.monster, board.size) if board.monster else frozenset()
    start = frozenset([board.survivors[of].at]) if of in board.survivors else base

    def near(spaces: frozenset[Space]) -> bool:
        return bool(start and spaces) and g.distance(start, spaces) <= away

    who = [id_ for id_, one in board.survivors.items() if id_ != of and near(frozenset([one.at]))]
    if of in board.survivors and near(base):
        who = ["monster", *who]
    columns, rows = range(1, g.WIDTH + 1), range(1, g.HEIGHT + 1)
    every = [(x, y) for x in columns for y in rows if near(frozenset([(x, y)]))]
    return Within(of=of, words=words, who=who, spaces=[one for one in every if one not in start])


def told(table: Table, names: Mapping[str, str]) -> list[str]:
    """Returns how the monster stands; then who is near it, in its range, out of its view."""
    board = on_board(table)
    if board is None:
        return []
    if board.monster is None:
        return ["Board: the monster is off it"]
    x, y = board.monster
    there = board.survivors
    far = [id_ for id_, one in there.items() if one.away != 1]
    groups = {
        "adjacent": [id_ for id_, one in there.items() if one.away == 1],
        "in its range": [id_ for id_ in far if there[id_].in_range],
        "blind spot": [id_ for id_, one in there.items() if one.in_blind_spot],
        "hidden from it": [
            id_ for id_, one in there.items() if not (one.in_view or one.in_blind_spot)
        ],
        "beside a retinue": [id_ for id_ in there if where.retinues_beside(table.state, id_)],
    }
    near = [
        f"{what}: {', '.join(names[id_] for id_ in ids)}" for what, ids in groups.items() if ids
    ]
    stands = f"Board: the monster at {x} {y}, facing {FACINGS[board.facing]}"
    return [stands, *filter(None, ["  ·  ".join(near)])]
