"""Where everyone stands: what follows from the positions alone. It asks nobody anything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kdmlog.core.game import Table
from kdmlog.games.kdm import board as g
from kdmlog.games.kdm.content import Monster, Terrain
from kdmlog.games.kdm.state import RETINUE_SIZE, Board, Space, State

BEHIND = "behind"
"""The blind spot of a monster whose diagram nobody has read yet: directly behind it."""
FAR_AWAY = 99
"""How far away is what is not on the board."""


def board(state: State) -> Board | None:
    """Returns the board of the showdown under way; None when no positions are kept."""
    return state.showdown.board if state.showdown is not None else None


def monster_spaces(board_: Board) -> frozenset[Space]:
    """Returns the spaces under the monster's base; none while it is off the board."""
    return g.footprint(board_.monster, board_.size) if board_.monster else frozenset()


def swept(path: Iterable[Space], size: int) -> frozenset[Space]:
    """Returns all spaces that a base covers along a path."""
    return frozenset().union(*(g.footprint(at, size) for at in path))


def tile_spaces(board_: Board, tile: str) -> frozenset[Space]:
    """Returns the spaces that a tile covers."""
    one = board_.tiles[tile]
    return g.tile_spaces(one.at, one.width, one.height)


def tiles_with(table: Table, rule: str) -> dict[str, frozenset[Space]]:
    """Returns the tiles whose terrain has a rule (``obstacle``…), with the spaces they cover."""
    there = board(table.state)
    tiles = there.tiles if there is not None else {}
    return {
        id_: g.tile_spaces(one.at, one.width, one.height)
        for id_, one in tiles.items()
        if rule in terrain_rules(table, one.terrain)
    }


def spaces_with(table: Table, rule: str) -> frozenset[Space]:
    """Returns every space covered by terrain that has a rule."""
    return frozenset().union(*tiles_with(table, rule).values())


def taken(table: Table, but: Iterable[str] = (), *, marching: str = "") -> frozenset[Space]:
    """Returns the spaces where no survivor may stand, nor a retinue, that of one ``marching``.

    They are the monster's, survivors', retinues' and those of impassable terrain.
    """
    there = board(table.state)
    if there is None:
        return frozenset()
    others = {at for id_, at in there.survivors.items() if id_ not in but}
    standing = retinues(there, but=marching)
    return monster_spaces(there) | others | standing | spaces_with(table, "impassable")


def has_retinue(state: State, id_: str) -> bool:
    """Returns whether a survivor's retinue stands on the board."""
    there = board(state)
    return there is not None and id_ in there.retinues


def retinue_spaces(board_: Board, id_: str) -> frozenset[Space]:
    """Returns the spaces of the retinue that a survivor commands."""
    return g.footprint(board_.retinues[id_], RETINUE_SIZE)


def retinues(board_: Board, but: str = "") -> frozenset[Space]:
    """Returns the spaces of all retinues, without that of one survivor."""
    return frozenset().union(
        *(retinue_spaces(board_, id_) for id_ in board_.retinues if id_ != but)
    )


def retinues_beside(state: State, id_: str) -> list[str]:
    """Returns whose retinues are adjacent to a survivor."""
    there = board(state)
    if there is None or id_ not in there.survivors:
        return []
    at = [there.survivors[id_]]
    return [one for one in there.retinues if g.adjacent(retinue_spaces(there, one), at)]


def faced_retinues(state: State) -> list[str]:
    """Returns whose retinues stand before the monster's front, with any of their spaces."""
    there = board(state)
    if there is None or there.monster is None:
        return []
    return [
        id_
        for id_ in there.retinues
        if any(
            g.in_front(there.monster, there.size, there.facing, one)
            for one in retinue_spaces(there, id_)
        )
    ]


def steps_from_monster(state: State, id_: str) -> int:
    """Returns how many steps a survivor is from the monster: 1 is adjacent."""
    there = board(state)
    if there is None or there.monster is None or id_ not in there.survivors:
        return FAR_AWAY
    return g.distance(monster_spaces(there), [there.survivors[id_]])


def beside_monster(state: State, id_: str) -> bool:
    """Returns whether a survivor is adjacent to the monster."""
    return steps_from_monster(state, id_) == 1


def beside(state: State, id_: str, other: str) -> bool:
    """Returns whether two survivors are adjacent."""
    there = board(state)
    if there is None or not {id_, other} <= there.survivors.keys():
        return False
    return g.adjacent([there.survivors[id_]], [there.survivors[other]])


def around(spaces: Sequence[Space] | frozenset[Space]) -> list[Space]:
    """Returns the spaces adjacent to some, in a fixed order."""
    return sorted({one for space in spaces for one in g.neighbours(space)} - set(spaces))


def blind_spot(table: Table) -> frozenset[Space]:
    """Returns the spaces of the monster's blind spot, as the players read its diagram."""
    state: State = table.state
    there = board(state)
    if there is None or there.monster is None or state.showdown is None:
        return frozenset()
    record: Monster = table.content.get(Monster, state.showdown.monster)
    words = record.blind_spot or state.diagrams.get(f"{record_type(table)}.blind_spot", BEHIND)
    return g.behind(there.monster, there.size, there.facing, words)


def record_type(table: Table) -> str:
    """Returns whose diagrams hold for the monster: its own, or those of the type it is of."""
    fight = table.state.showdown
    record: Monster = table.content.get(Monster, fight.monster)
    return record.type or str(fight.monster)


def in_blind_spot(table: Table, id_: str) -> bool:
    """Returns whether a survivor stands in the monster's blind spot."""
    there = board(table.state)
    return there is not None and there.survivors.get(id_) in blind_spot(table)


def faced(state: State, id_: str) -> bool:
    """Returns whether a survivor stands before the monster's front (rulebook, Facing)."""
    there = board(state)
    if there is None or there.monster is None or id_ not in there.survivors:
        return False
    return g.in_front(there.monster, there.size, there.facing, there.survivors[id_])


def in_view(table: Table, id_: str) -> bool:
    """Returns whether a survivor is in the monster's field of view.

    Always, but for the blind spot and where an obstacle stands between (rulebook, Common Targeting
    Terms; Survivors and Terrain).
    """
    return sees_monster(table, id_) and not in_blind_spot(table, id_)


def sees_monster(table: Table, id_: str) -> bool:
    """Returns whether no obstacle stands between a survivor and the monster."""
    there = board(table.state)
    if there is None or there.monster is None or id_ not in there.survivors:
        return False
    obstacles = spaces_with(table, "obstacle")
    return not g.line_blocked(monster_spaces(there), [there.survivors[id_]], obstacles)


def tiles_near(table: Table, id_: str) -> list[str]:
    """Returns the tiles that a survivor stands on or beside."""
    there = board(table.state)
    if there is None or id_ not in there.survivors:
        return []
    at = [there.survivors[id_]]
    return [tile for tile in there.tiles if g.distance(tile_spaces(there, tile), at) <= 1]


def tiles_of(state: State, terrain: str, *, near_monster: bool = False) -> list[str]:
    """Returns the tiles of a terrain card; those only that the monster stands on or beside."""
    there = board(state)
    if there is None:
        return []
    tiles = [id_ for id_, one in there.tiles.items() if one.terrain == terrain]
    at = monster_spaces(there)
    if not near_monster:
        return tiles
    return [one for one in tiles if at and g.distance(tile_spaces(there, one), at) <= 1]


def stands_on(state: State, id_: str, terrain: str) -> bool:
    """Returns whether a survivor stands on a space of a terrain card's tiles."""
    there = board(state)
    if there is None or id_ not in there.survivors:
        return False
    at = there.survivors[id_]
    return any(at in tile_spaces(there, tile) for tile in tiles_of(state, terrain))


def terrain_rules(table: Table, card: str) -> list[str]:
    """Returns a terrain's rules: of its record, or as the players read them from their card."""
    record: Terrain = table.content.get(Terrain, card)
    state: State = table.state
    return record.rules or state.diagrams.get(f"{card}.rules", "").split()


# --- questions that the board answers -------------------------------------------------------------


_BESIDE = {
    "beside_the_monster": ("yes", "no"),
    "gouge_and_feast": ("adjacent", "away"),
    "ground_fighting": ("within", "away"),
}
"""By purpose, the option of one who is beside the monster, and that of one who is not."""


def answer(table: Table, purpose: str, id_: str) -> str | None:
    """Returns the option that the board shows to hold; None when it says nothing of this."""
    if board(table.state) is None or purpose not in _BESIDE:
        return None
    there, elsewhere = _BESIDE[purpose]
    return there if beside_monster(table.state, id_) else elsewhere


def possible(table: Table, purpose: str, among: list[str]) -> list[str]:
    """Returns those of some whom the board leaves for a question.

    The ``furthest`` from the monster; for a card's zone in ``front`` of it those whom it faces.
    """
    if board(table.state) is None:
        return among
    if purpose == "front":
        return [id_ for id_ in among if faced(table.state, id_)]
    if purpose == "furthest":
        steps = {id_: steps_from_monster(table.state, id_) for id_ in among}
        return [id_ for id_ in among if steps[id_] == max(steps.values())]
    return among
