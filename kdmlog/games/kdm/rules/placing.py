"""Set-up on the board: terrain, the monster, who stands where; and placing by the players' word."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from kdmlog.core.errors import BadInput, Refused
from kdmlog.core.game import Table
from kdmlog.core.names import match
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.core.requests import Field, Fill
from kdmlog.games.kdm import board as g
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import Monster, Terrain
from kdmlog.games.kdm.rules import conditions, hiding, moving, where
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.rules.monster import showdown
from kdmlog.games.kdm.rules.script import verb
from kdmlog.games.kdm.state import RETINUE, RETINUE_SIZE, Board, Space, State

AUTO = "auto"
"""What leaves a tile to kdmlog's own arrangement."""
DEPLOY, BLIND_SPOT = "deploy", "blind_spot"
NO_RULES = "none"
RING = "ring6"
"""The deployment zone that is offered for a diagram: so many spaces away from the monster."""
_SPOTS: tuple[Space, ...] = (
    *((4, 12), (17, 4), (4, 4), (17, 12), (11, 14), (11, 2), (2, 8), (20, 8)),
    *((7, 15), (14, 1), (1, 1), (21, 15), (1, 15), (21, 1), (7, 1), (14, 15)),
)
"""Where tiles lie that the players leave to kdmlog: spread around the middle."""
_APART = 3


@rule("kdm.board_set_up")
def set_up(table: Table, terrain: Sequence[str]) -> Procedure[None]:
    """Lays out the board: terrain by its cards, the monster in the centre.

    What only a diagram shows is asked for once in a campaign, and where tiles lie each time; what
    is left open is kdmlog's own arrangement (rulebook, Showdown Board Setup).
    """
    record: Monster = table.content.get(Monster, showdown(table).monster)
    yield Record(e.BoardLaid(size=record.size))
    tiles = _tiles(table, terrain)
    unread = _unread(table, record) | _unread_terrain(table, terrain)
    values: dict[str, str] = {}
    if fields := [*(Field(one, "word", default=said) for one, said in unread.items())] + [
        Field(tile, "word", default=AUTO) for tile in tiles
    ]:
        about = (showdown(table).monster,)
        values = yield Fill(purpose="set_up", about=about, fields=tuple(fields))
    for diagram in unread:
        words = _read(diagram.partition(".")[2], values[diagram])
        yield Record(e.DiagramRead(diagram=diagram, words=words))
    yield Record(e.MonsterPlaced(at=moving.centre(_board(table)), facing="s"))
    for tile in [one for one in tiles if values[one] != AUTO]:
        yield from _lay(table, tile, moving.read_space(values[tile]))
    central = [f"{card}.1" for card in record.central_terrain]
    for tile in sorted(tiles, key=lambda one: one not in central):
        if values[tile] == AUTO and (at := _spot(table, tile, central)) is not None:
            yield from _lay(table, tile, at)


def _tiles(table: Table, cards: Iterable[str]) -> list[str]:
    """Returns the tiles that terrain cards set up; never more than there are in the game."""
    found: list[str] = []
    for card in cards:
        record: Terrain = table.content.get(Terrain, card)
        laid = sum(one.partition(".")[0] == card for one in found)
        left = record.tiles * record.cards - laid
        found += [f"{card}.{laid + n}" for n in range(1, min(record.tiles, left) + 1)]
    return found


def _unread(table: Table, record: Monster) -> dict[str, str]:
    """Returns the diagrams that nobody has read yet in this campaign, and what is offered."""
    state: State = table.state
    offered = {DEPLOY: RING, BLIND_SPOT: where.BEHIND}
    known = {DEPLOY: record.deploy, BLIND_SPOT: record.blind_spot}
    type_ = where.record_type(table)
    return {
        f"{type_}.{what}": said
        for what, said in offered.items()
        if not known[what] and f"{type_}.{what}" not in state.diagrams
    }


def _unread_terrain(table: Table, cards: Iterable[str]) -> dict[str, str]:
    """Returns the terrain cards whose printed rules nobody has read yet."""
    return {
        f"{card}.rules": NO_RULES
        for card in dict.fromkeys(cards)
        if table.content.get(Terrain, card).asks_rules
        and f"{card}.rules" not in table.state.diagrams
    }


def _read(what: str, text: str) -> str:
    """Returns what was read from a diagram or a terrain card, checked. Raises BadInput."""
    if what == "rules":
        return " ".join(_rule(word) for word in re.split(r"[ +;]+", text.strip()) if word != "none")
    words = text.strip().lower()
    try:
        if what == BLIND_SPOT:
            g.check_blind_spot(words)
        else:
            g.zone(words, (10, 8), 2)
    except ValueError as error:
        raise BadInput(f"{what.replace('_', ' ')}: {error}.") from None
    return words


def _rule(word: str) -> str:
    return match(word, {one: one for one in ("obstacle", "impassable", "destructible")}, "rule")


def _lay(table: Table, tile: str, at: Space, *, across: bool = False) -> Procedure[None]:
    """Puts a tile down, or ``across`` its length. Raises Refused where it cannot lie."""
    card = tile.partition(".")[0]
    record: Terrain = table.content.get(Terrain, card)
    width, height = record.width, record.height
    if across:
        width, height = height, width
    spaces = g.tile_spaces(at, width, height)
    if not all(map(g.inside, sorted(spaces))):
        raise Refused(f"{record.name} does not fit on the board at {at[0]} {at[1]}.")
    standing = [id_ for id_, on in _board(table).survivors.items() if on in spaces]
    if "impassable" in where.terrain_rules(table, card):
        if standing:
            name = table.state.survivors[standing[0]].name
            raise Refused(f"{name} stands there.", hints=[f"place {standing[0]} X Y"])
        _refuse_monster(table, card, spaces)
        _refuse_retinues(table, spaces)
    for other in _board(table).tiles:
        if other != tile and spaces & where.tile_spaces(_board(table), other):
            raise Refused(f"{record.name} would lie on {other}: tiles never lie on one another.")
    yield Record(e.TerrainPlaced(tile=tile, terrain=card, at=at, width=width, height=height))


def _spot(table: Table, tile: str, central: Collection[str]) -> Space | None:
    """Returns where a tile lies that the players leave to kdmlog; None: nowhere.

    In the centre, under the monster, if that is its place; else apart from everything (rulebook,
    Phoenix, The Hand, Terrain & Deployment).
    """
    record: Terrain = table.content.get(Terrain, tile.partition(".")[0])
    there = _board(table)
    tiles = [where.tile_spaces(there, one) for one in there.tiles]
    middle = g.tile_spaces(g.centred(record.width, record.height), record.width, record.height)
    if tile in central and all(middle.isdisjoint(one) for one in tiles):
        return min(middle)
    others = [*tiles, where.monster_spaces(there)]
    for apart in (_APART, 1):
        for at in _SPOTS:
            spaces = g.tile_spaces(at, record.width, record.height)
            if all(map(g.inside, sorted(spaces))) and all(
                g.distance(spaces, o) > apart for o in others
            ):
                return at
    return None


@verb("lay_terrain")
def _lay_terrain(scene: Scene, body: str) -> Procedure[None]:
    """One more tile, if one is left; without a board the players put it down."""
    table = scene.table
    record: Terrain = table.content.get(Terrain, body)
    there = where.board(table.state)
    if there is None:
        yield Record(e.Said(survivor="", record=scene.record, text=f"{record.name} is set up"))
        return
    laid = sum(tile.partition(".")[0] == body for tile in there.tiles)
    if laid >= record.tiles * record.cards:
        return
    tile = _next_tile(table, body)
    at = _spot(table, tile, ())
    if at is not None:
        yield from _read_terrain(table, body)
        yield from _lay(table, tile, at)


# --- survivors ------------------------------------------------------------------------------------


@rule("kdm.deployment")
def deploy(table: Table, named: Mapping[str, Space | None]) -> Procedure[bool]:
    """Puts survivors into the deployment zone; returns whether everyone is on the board then.

    Each on the space that the players say, else nearest the middle of the lower edge. Without
    names all who are not there yet. Outside the zone anybody may be placed by ``place``.
    """
    there = _board(table)
    everyone = conditions.taking_part(table.state)
    left = dict.fromkeys(one for one in everyone if one not in there.survivors)
    for id_, at in (named or left).items():
        free = sorted(_zone(table) - where.taken(table, but=[id_]), key=_from_below)
        if not free:
            raise Refused("No space of the deployment zone is free.", hints=[f"place {id_} X Y"])
        if at is not None and at not in free:
            raise Refused(
                f"{at[0]} {at[1]} is no free space of the deployment zone.",
                hints=[f"place {id_} {at[0]} {at[1]}, if your book has it so"],
            )
        yield Record(e.SurvivorPlaced(survivor=id_, at=at or free[0]))
    return all(one in there.survivors for one in everyone)


def _zone(table: Table) -> frozenset[Space]:
    there = _board(table)
    record: Monster = table.content.get(Monster, showdown(table).monster)
    read = table.state.diagrams.get(f"{where.record_type(table)}.{DEPLOY}", RING)
    return g.zone(record.deploy or read, there.monster, there.size)


def _from_below(space: Space) -> tuple[int, Space]:
    return abs(2 * space[0] - g.WIDTH - 1) + 2 * space[1], space


def place(table: Table, who: str, at: Space, facing: str) -> Procedure[None]:
    """Puts a survivor, the monster or a tile on a space, as it is on the table.

    Raises Refused where it does not fit, UnknownName for what is not there.
    """
    there = _board(table)
    fight = showdown(table)
    names = {id_: table.state.survivors[id_].name for id_ in conditions.taking_part(table.state)}
    foe = table.content.get(Monster, fight.monster).name
    foes = {fight.monster: foe, fight.monster.split("_")[-1]: foe, "monster": foe}
    terrain = {id_: one.name for id_, one in table.content.all(Terrain).items()}
    retinues = {f"{RETINUE}_{id_}": f"retinue of {id_}" for id_ in there.retinues}
    tiles = {id_: id_ for id_ in there.tiles}
    found = match(who, names | foes | retinues | tiles | terrain, "survivor, monster or terrain")
    if facing and (found in names or found in retinues):
        raise BadInput("Survivors face nowhere; the monster does, and tiles lie n or e.")
    across = bool(facing) and moving.read_facing(facing) in "ew"
    if found in foes:
        yield from _place_monster(table, at, facing)
    elif found in names:
        if at in where.taken(table, but=[found]):
            raise Refused(f"{at[0]} {at[1]} is taken.", hints=["showdown board"])
        yield Record(e.SurvivorPlaced(survivor=found, at=at))
        yield from hiding.leaves(table, found)
    elif found in retinues:
        yield from _place_retinue(table, found.removeprefix(f"{RETINUE}_"), at)
    elif found in tiles:
        yield from _lay(table, found, at, across=across)
    else:
        yield from _read_terrain(table, found)
        yield from _lay(table, _next_tile(table, found), at, across=across)


def _read_terrain(table: Table, card: str) -> Procedure[None]:
    """Asks for the rules printed on a terrain card, if nobody has read them yet."""
    for diagram, said in _unread_terrain(table, [card]).items():
        fields = (Field(diagram, "word", default=said),)
        values = yield Fill(purpose="set_up", about=(showdown(table).monster,), fields=fields)
        words = _read(diagram.partition(".")[2], values[diagram])
        yield Record(e.DiagramRead(diagram=diagram, words=words))


def _place_monster(table: Table, at: Space, facing: str) -> Procedure[None]:
    there = _board(table)
    if not g.fits(at, there.size):
        raise Refused("There the monster would not stand on the board as a whole.")
    base = g.footprint(at, there.size)
    under = [id_ for id_, on in there.survivors.items() if on in base]
    if under:
        name = table.state.survivors[under[0]].name
        raise Refused(f"{name} stands there.", hints=[f"place {under[0]} X Y"])
    _refuse_retinues(table, base)
    turned = moving.read_facing(facing) if facing else there.facing
    yield Record(e.MonsterPlaced(at=at, facing=turned))


def _place_retinue(table: Table, id_: str, at: Space) -> Procedure[None]:
    if not g.fits(at, RETINUE_SIZE):
        raise Refused("There the retinue would not stand on the board as a whole.")
    if g.footprint(at, RETINUE_SIZE) & where.taken(table, marching=id_):
        raise Refused(f"It has no room at {at[0]} {at[1]}.", hints=["showdown board"])
    yield Record(e.RetinuePlaced(survivor=id_, at=at))


def _refuse_monster(table: Table, card: str, spaces: frozenset[Space]) -> None:
    """Raises Refused where the monster stands, except for what it begins on."""
    record: Monster = table.content.get(Monster, showdown(table).monster)
    if card not in record.central_terrain and spaces & where.monster_spaces(_board(table)):
        raise Refused(f"The {record.name} stands there.", hints=["showdown board"])


def _refuse_retinues(table: Table, spaces: frozenset[Space]) -> None:
    """Raises Refused where a retinue stands."""
    there = _board(table)
    for id_ in there.retinues:
        if where.retinue_spaces(there, id_) & spaces:
            name = table.state.survivors[id_].name
            raise Refused(f"{name}'s retinue stands there.", hints=[f"place {RETINUE}_{id_} X Y"])


def _next_tile(table: Table, card: str) -> str:
    record: Terrain = table.content.get(Terrain, card)
    there = _board(table)
    most = record.tiles * record.cards
    for number in range(1, most + 1):
        if f"{card}.{number}" not in there.tiles:
            return f"{card}.{number}"
    raise Refused(f"There are only {most} {record.name} tiles, and all are on the board.")


def _board(table: Table) -> Board:
    there = where.board(table.state)
    assert there is not None
    return there
