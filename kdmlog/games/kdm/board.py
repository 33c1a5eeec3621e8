"""The geometry of the showdown board: spaces, bases, lines and paths; it knows no rule's effect.

A *base* is what a monster stands on: the square of ``size`` by ``size`` spaces whose bottom left
one is ``at``. A *path* is where that space is after each step, so an empty one stays. Everything
steps in cardinal directions (rulebook, Monster Movement; Adjacent). Lists have one order, always:
north, east, south, west, or as the board is read, from the top left.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

from kdmlog.games.kdm.state import Space

WIDTH, HEIGHT = 22, 16
STEPS: Mapping[str, Space] = {"n": (0, 1), "e": (1, 0), "s": (0, -1), "w": (-1, 0)}
FACINGS = tuple(STEPS)
OPPOSITE: Mapping[str, str] = {"n": "s", "e": "w", "s": "n", "w": "e"}
_SIDES: Mapping[str, str] = {"n": "ew", "e": "ns", "s": "ew", "w": "ns"}
"""The two ways along the edge that a direction would go off."""

Path = tuple[Space, ...]
Marks = Iterable[Collection[Space]]
"""Things that matter on the way (a survivor, a tile), each as the spaces that it is on."""
_Mover = Callable[[Space], bool]
"""Says whether something may stand at a space."""


# --- spaces ---------------------------------------------------------------------------------------


def inside(space: Space) -> bool:
    """Returns whether a space is on the board."""
    return 1 <= space[0] <= WIDTH and 1 <= space[1] <= HEIGHT


def step(space: Space, direction: str) -> Space:
    """Returns the space beside one, on the board or not."""
    across, up = STEPS[direction]
    return space[0] + across, space[1] + up


def heading(start: Space, end: Space) -> str:
    """Returns the direction of a straight way."""
    return next(
        way
        for way, (x, y) in STEPS.items()
        if (end[0] - start[0]) * x + (end[1] - start[1]) * y > 0
    )


def tile_spaces(at: Space, width: int, height: int) -> frozenset[Space]:
    """Returns the spaces of a tile whose bottom left one is ``at``."""
    return frozenset((at[0] + x, at[1] + y) for x in range(width) for y in range(height))


def footprint(at: Space, size: int) -> frozenset[Space]:
    """Returns the spaces under a base."""
    return tile_spaces(at, size, size)


def centred(width: int, height: int) -> Space:
    """Returns the bottom left space of what lies in the centre of the board."""
    return (WIDTH - width) // 2 + 1, (HEIGHT - height) // 2 + 1


def fits(at: Space, size: int) -> bool:
    """Returns whether a base there is on the board as a whole."""
    return inside(at) and inside((at[0] + size - 1, at[1] + size - 1))


def neighbours(space: Space) -> list[Space]:
    """Returns the spaces of the board beside one."""
    return [to for to in (step(space, one) for one in FACINGS) if inside(to)]


def distance(a: Iterable[Space], b: Iterable[Space]) -> int:
    """Returns the cardinal steps between the nearest spaces of two things.

    1: they are adjacent, 0: they overlap. A weapon with reach or range N gets ``distance`` N far
    (rulebook, Reach; Range).
    """
    others = tuple(b)
    return min(abs(x - u) + abs(y - v) for x, y in a for u, v in others)


def adjacent(a: Iterable[Space], b: Iterable[Space]) -> bool:
    """Returns whether two things are side by side (rulebook, Adjacent)."""
    return distance(a, b) == 1


def in_range(a: Iterable[Space], b: Iterable[Space], spaces: int) -> bool:
    """Returns whether at most so many spaces lie between (rulebook, Common Targeting Terms)."""
    return distance(a, b) - 1 <= spaces


def ring(at: Space, size: int, spaces: int) -> frozenset[Space]:
    """Returns the spaces of the board that are so many away from a base."""
    base = footprint(at, size)
    return frozenset(one for one in _everywhere() if distance(base, [one]) == spaces)


def beside_spots(target: Collection[Space], size: int) -> list[Space]:
    """Returns where a base stands adjacent to a target, not on it."""
    return [at for at in _everywhere() if fits(at, size) and adjacent(footprint(at, size), target)]


def nearest_free(space: Space, taken: Collection[Space]) -> list[Space]:
    """Returns the unoccupied spaces closest to one, which may be itself; several tie."""
    free = [one for one in _everywhere() if one not in taken]
    least = min((distance([space], [one]) for one in free), default=0)
    return [one for one in free if distance([space], [one]) == least]


def at_edge(at: Space, size: int) -> bool:
    """Returns whether a base stands along an edge of the board."""
    return any(not inside(step(one, way)) for one in footprint(at, size) for way in FACINGS)


def beyond(side: str) -> frozenset[Space]:
    """Returns the spaces just off the board on a side: what is moved to or away from an edge."""
    if side in ("n", "s"):
        return tile_spaces((1, HEIGHT + 1 if side == "n" else 0), WIDTH, 1)
    return tile_spaces((WIDTH + 1 if side == "e" else 0, 1), 1, HEIGHT)


def _everywhere() -> list[Space]:
    """Every space, as it is read: from the top left."""
    return [(x, y) for y in range(HEIGHT, 0, -1) for x in range(1, WIDTH + 1)]


# --- facing, blind spot, field of view ------------------------------------------------------------


def in_front(at: Space, size: int, facing: str, space: Space) -> bool:
    """Returns whether a monster faces a space: all are, beyond its front (rulebook, Facing)."""
    return _ahead(at, size, facing, space) > 0


def turned_to(at: Space, size: int, target: Iterable[Space]) -> list[str]:
    """Returns the facings that face all of a target, that of the larger offset first.

    There are two when it is off to a corner, and none when it is under the base.
    """
    spaces = tuple(target)
    offsets = {one: min(_ahead(at, size, one, space) for space in spaces) for one in FACINGS}
    return sorted((one for one in FACINGS if offsets[one] > 0), key=lambda one: -offsets[one])


def _ahead(at: Space, size: int, direction: str, space: Space) -> int:
    """Returns how many spaces one is beyond a side of a base; 0 or less: it is not."""
    axis = 0 if STEPS[direction][0] else 1
    if direction in "ne":
        return space[axis] - (at[axis] + size - 1)
    return at[axis] - space[axis]


def behind(at: Space, size: int, facing: str, words: str) -> frozenset[Space]:
    """Returns the blind spot that words describe, as far as it is on the board.

    ``behind`` is the row directly behind the base, ``behind 2`` two rows, ``none`` nothing. A blind
    spot of another shape is told by its spaces, for a monster that faces north: ``0,-1 1,-1`` is
    ``behind``, counted from the bottom left space of the base. Raises ValueError.
    """
    turns = FACINGS.index(facing)
    found = []
    for x, y in _offsets(size, words):
        for _ in range(turns):
            # A quarter turn clockwise about the middle of the base.
            x, y = y, size - 1 - x
        found.append((at[0] + x, at[1] + y))
    return frozenset(one for one in found if inside(one))


def check_blind_spot(words: str) -> None:
    """Raises ValueError if words describe no blind spot."""
    _offsets(2, words)


def _offsets(size: int, words: str) -> list[Space]:
    parts = re.split(r"[ ;+]+", words.strip().lower())
    if parts == ["none"]:
        return []
    if rows := re.fullmatch(r"behind[ -]?([1-9]|1[0-9]|2[0-2])?", words.strip().lower()):
        return [(x, -y) for y in range(1, int(rows[1] or 1) + 1) for x in range(size)]
    if parts and all(re.fullmatch(r"-?\d{1,2},-?\d{1,2}", one) for one in parts):
        pairs = [one.split(",") for one in parts]
        return [(int(x), int(y)) for x, y in pairs]
    raise ValueError(
        f"{words!r} is no blind spot: behind, behind2, none, or spaces such as 0,-1+1,-1"
        " (facing north, from the bottom left space of the base)"
    )


def in_view(
    at: Space,
    size: int,
    facing: str,
    target: Iterable[Space],
    obstacles: Collection[Space],
    blind: str,
) -> bool:
    """Returns whether a monster has a target in view (rulebook, In Field of View).

    ``blind`` is its blind spot in words; a target that is wholly in it is not seen.
    """
    spaces = frozenset(target)
    if spaces <= behind(at, size, facing, blind):
        return False
    return not line_blocked(footprint(at, size), spaces, obstacles)


def line_blocked(
    base: Iterable[Space], target: Iterable[Space], obstacles: Collection[Space]
) -> bool:
    """Returns whether an obstacle's space touches the line between two middles.

    A corner touched is touched (rulebook, Obstacle). What the monster itself stands on hides
    nothing from it, nor it from others: monsters ignore tiles.
    """
    own = frozenset(base)
    start, end = _middle(own), _middle(frozenset(target))
    return any(_touches(start, end, one) for one in obstacles if one not in own)


def _middle(spaces: frozenset[Space]) -> Space:
    """The middle of a base, in half spaces, so that it is whole."""
    places = sorted(spaces)
    xs, ys = [x for x, _ in places], [y for _, y in places]
    return min(xs) + max(xs), min(ys) + max(ys)


def _touches(start: Space, end: Space, space: Space) -> bool:
    """Returns whether a line (in half spaces) meets a space, edges and corners included."""
    (x, y), (u, v) = start, end
    left, right, low, high = 2 * space[0] - 1, 2 * space[0] + 1, 2 * space[1] - 1, 2 * space[1] + 1
    if max(x, u) < left or min(x, u) > right or max(y, v) < low or min(y, v) > high:
        return False
    corners = [(i, j) for i in (left, right) for j in (low, high)]
    sides = [(u - x) * (j - y) - (v - y) * (i - x) for i, j in corners]
    # All four corners strictly on one side of the line: it passes by.
    return not (min(sides) > 0 or max(sides) < 0)


# --- survivors' ways ------------------------------------------------------------------------------


def walks(start: Space, steps: int, blocked: Collection[Space], size: int = 1) -> dict[Space, Path]:
    """Returns each space that a survivor can walk to with a shortest path to it.

    Where they stand is one of them, nearer ones come first (rulebook, Survivor Movement). A
    ``size`` is of a retinue's base.
    """
    found: dict[Space, Path] = {start: ()}
    closed = blocked if size == 1 else _covering(frozenset(blocked), size)
    edge = [start]
    for _ in range(steps):
        reached = []
        for here in edge:
            for to in neighbours(here):
                if to not in found and to not in closed and fits(to, size):
                    found[to] = (*found[here], to)
                    reached.append(to)
        edge = reached
    return found


def walk_words(words: str) -> list[str]:
    """Returns the directions that ``3n2e`` or ``nne`` stands for. Raises ValueError."""
    if not re.fullmatch(r"(?:\d{0,2}[nesw])+", words):
        raise ValueError(f"{words!r} is no way to go: steps and directions, such as 3n2e")
    return [
        direction
        for count, direction in re.findall(r"(\d*)([nesw])", words)
        for _ in range(int(count or 1))
    ]


def walked(start: Space, directions: Iterable[str]) -> Path:
    """Returns the spaces that steps in these directions pass, on the board or not."""
    path: list[Space] = []
    for direction in directions:
        path.append(step(path[-1] if path else start, direction))
    return tuple(path)


# --- a monster's ways -----------------------------------------------------------------------------


def approaches(
    at: Space,
    size: int,
    target: Iterable[Space],
    steps: int,
    near: int = 1,
    blocked: Collection[Space] = frozenset(),
    marks: Marks = (),
) -> list[Path]:
    """Returns the shortest paths that bring a base ``near`` a target, cut after ``steps``.

    ``near`` is the distance that it needs: 1, or its reach (rulebook, Move & Attack Target). Where
    no path comes so near, those that come nearest. It passes through everything but the target and
    what is ``blocked``. Paths that pass over the same ``marks`` and end in the same place are one.
    """
    goal = frozenset(target)
    closed = _covering(goal | frozenset(blocked), size)
    places = sorted(goal)

    def free(to: Space) -> bool:
        return fits(to, size) and to not in closed

    def gap(to: Space) -> int:
        return max(_base_distance(to, size, places), near)

    out = {at: 0}
    level, best = [at], gap(at)
    while level and best > near:
        level = _spread(level, out, free)
        best = min([best, *map(gap, level)])
    length = min(steps_ for to, steps_ in out.items() if gap(to) == best)
    ends = [to for to, steps_ in out.items() if steps_ == length and gap(to) == best]
    back, level = dict.fromkeys(ends, 0), ends
    for _ in range(length):
        level = _spread(level, back, free)

    over: dict[Space, frozenset[int]] = {}
    for number, thing in enumerate(marks):
        for to in sorted(_covering(frozenset(thing), size)):
            over[to] = over.get(to, frozenset()) | {number}
    ways: dict[tuple[Space, frozenset[int]], Path] = {(at, frozenset()): ()}
    for count in range(1, min(steps, length) + 1):
        onward: dict[tuple[Space, frozenset[int]], Path] = {}
        for (here, passed), path in ways.items():
            for to in neighbours(here):
                if out.get(to) == count and back.get(to) == length - count:
                    now = passed | over.get(to, frozenset())
                    onward.setdefault((to, now), (*path, to))
        ways = onward
    return list(ways.values())


def _covering(spaces: frozenset[Space], size: int) -> frozenset[Space]:
    """Returns every place of a base that covers one of some spaces."""
    reach = range(size)
    return frozenset((x - i, y - j) for x, y in sorted(spaces) for i in reach for j in reach)


def _base_distance(at: Space, size: int, places: list[Space]) -> int:
    """Returns what ``distance`` does for a base, without its spaces."""
    left, low = at
    right, top = left + size - 1, low + size - 1
    return min(max(left - x, x - right, 0) + max(low - y, y - top, 0) for x, y in places)


def _spread(level: list[Space], reached: dict[Space, int], free: _Mover) -> list[Space]:
    """Goes one step on from each place, to those not yet reached; returns these."""
    found: list[Space] = []
    for here in level:
        for to in neighbours(here):
            if to not in reached and free(to):
                reached[to] = reached[here] + 1
                found.append(to)
    return found


def straight(at: Space, size: int, direction: str, steps: int) -> list[Path]:
    """Returns the ways to go on in one direction: up to the edge, and from an edge along it.

    Both ways along it tie (rulebook, Showdown Board Edges).
    """
    ahead = _run(at, size, direction, steps)
    if ahead:
        return [ahead]
    along = [_run(at, size, side, steps) for side in _SIDES[direction]]
    return [path for path in along if path] or [()]


def away(at: Space, size: int, from_: Iterable[Space], steps: int, marks: Marks = ()) -> list[Path]:
    """Returns the most direct ways to put most spaces between (rulebook, Away).

    Of sideways and straight away, which put as many between, it is straight away.
    """
    spaces = frozenset(from_)

    def gap(base: frozenset[Space]) -> tuple[int, int]:
        straight_away = min(max(abs(x - u), abs(y - v)) for x, y in base for u, v in spaces)
        return -distance(base, spaces), -straight_away

    return _directly(at, size, steps, marks, gap)


def toward(at: Space, size: int, to: Iterable[Space], steps: int, marks: Marks = ()) -> list[Path]:
    """Returns the most direct ways to come as near as can be, not onto it (rulebook, Toward)."""
    spaces = frozenset(to)

    def gap(base: frozenset[Space]) -> tuple[int, int]:
        # On top of it is farther than any place beside it.
        return distance(base, spaces) or WIDTH + HEIGHT, 0

    return _directly(at, size, steps, marks, gap)


def _directly(
    at: Space,
    size: int,
    steps: int,
    marks: Marks,
    worse: Callable[[frozenset[Space]], tuple[int, int]],
) -> list[Path]:
    """Returns the ways to the best places: of the shortest ones, those that turn least."""
    ranked: dict[Space, tuple[tuple[int, int], int, int]] = {}
    for to in _everywhere():
        across, up = to[0] - at[0], to[1] - at[1]
        if fits(to, size) and abs(across) + abs(up) <= steps:
            turns = int(bool(across and up))
            ranked[to] = worse(footprint(to, size)), abs(across) + abs(up), turns
    best = min(ranked.values())
    paths = []
    for to in (one for one, rank in ranked.items() if rank == best):
        sideways = ["e" if to[0] > at[0] else "w"] * abs(to[0] - at[0])
        upward = ["n" if to[1] > at[1] else "s"] * abs(to[1] - at[1])
        paths += [walked(at, [*upward, *sideways]), walked(at, [*sideways, *upward])]
    return _differing(paths, size, marks)


def _run(at: Space, size: int, direction: str, steps: int) -> Path:
    """The steps in one direction that stay on the board."""
    path = walked(at, [direction] * steps)
    return tuple(one for one in path if fits(one, size))


def _passed(path: Iterable[Space], size: int, things: list[frozenset[Space]]) -> frozenset[int]:
    """Returns which things a base passes over."""
    under = {space for at in path for space in footprint(at, size)}
    return frozenset(n for n, spaces in enumerate(things) if not under.isdisjoint(spaces))


def _differing(paths: list[Path], size: int, marks: Marks) -> list[Path]:
    """Returns the paths that end elsewhere or pass over other things, the first of each."""
    things = [frozenset(one) for one in marks]
    found: dict[tuple[Path, frozenset[int]], Path] = {}
    for path in paths:
        found.setdefault((path[-1:], _passed(path, size, things)), path)
    return list(found.values())


# --- knockback ------------------------------------------------------------------------------------


class Push(NamedTuple):
    """Where a knockback goes, and what stops it."""

    path: Path
    stopped: str = ""
    """``edge`` or ``impassable``; empty: it went all its way."""
    into: Space | None = None
    """The impassable space that it collides with."""


def pushed(
    start: Space, source: Iterable[Space], spaces: int, impassable: Collection[Space]
) -> list[Push]:
    """Returns where a survivor is pushed: straight away from a source (rulebook, Knockback).

    Straight away is in the direction of the larger offset from its middle; a corner ties two. It
    stops at the edge, before what is impassable, and goes along the edge when it starts there.
    """
    from_ = frozenset(source)
    found = [
        _push(start, way, spaces, impassable)
        for direction in _directions(start, from_)
        for way in _ways(start, direction, from_)
    ]
    return list(dict.fromkeys(found))


def pushed_to_edge(start: Space, spaces: int, impassable: Collection[Space]) -> list[Push]:
    """Returns where a survivor is pushed toward the closest board edge; several tie (Flee)."""
    to_edge = {way: len(_run(start, 1, way, max(WIDTH, HEIGHT))) for way in FACINGS}
    found = [
        _push(start, way, spaces, impassable)
        for direction in FACINGS
        if to_edge[direction] == min(to_edge.values())
        for way in _ways(start, direction, frozenset([start]))
    ]
    return list(dict.fromkeys(found))


def _directions(start: Space, source: frozenset[Space]) -> list[str]:
    middle = _middle(source)
    across, up = 2 * start[0] - middle[0], 2 * start[1] - middle[1]
    offsets = {"n": up, "e": across, "s": -up, "w": -across}
    return [one for one in FACINGS if offsets[one] == max(offsets.values())]


def _ways(start: Space, direction: str, source: frozenset[Space]) -> list[str]:
    """The direction itself; at an edge the ways along it, not back to the source if it can be."""
    if inside(step(start, direction)):
        return [direction]
    along = [side for side in _SIDES[direction] if inside(step(start, side))]
    onward = [side for side in along if min(_ahead(start, 1, side, one) for one in source) <= 0]
    return onward or along


def _push(start: Space, direction: str, spaces: int, impassable: Collection[Space]) -> Push:
    path: list[Space] = []
    for to in walked(start, [direction] * spaces):
        if not inside(to):
            return Push(tuple(path), "edge")
        if to in impassable:
            return Push(tuple(path), "impassable", to)
        path.append(to)
    return Push(tuple(path))


# --- zones ----------------------------------------------------------------------------------------


def zone(words: str, at: Space | None = None, size: int = 2) -> frozenset[Space]:
    """Returns the deployment zone that words describe. Raises ValueError.

    ``ring 6`` is what is 6 spaces away from the monster, ``short edge`` both of them (also ``long
    edge``, ``north edge``…), ``11 8`` a space, ``1-3 5-12`` a block; several stand between ``;`` or
    ``+``. As one word: ``ring6``, ``short-edge``, ``1-3,5-12+20-22,5-12``.
    """
    covered: frozenset[Space] = frozenset()
    for part in re.split(r"[;+]", words.lower()):
        covered |= _part(part.strip(), at, size)
    return covered


_EDGES = {
    "short edge": "ew",
    "long edge": "ns",
    "north edge": "n",
    "east edge": "e",
    "south edge": "s",
    "west edge": "w",
}


def _part(part: str, at: Space | None, size: int) -> frozenset[Space]:
    if sides := _EDGES.get(part.replace("-", " ")):
        return frozenset(
            one for one in _everywhere() if any(not inside(step(one, side)) for side in sides)
        )
    if away_ := re.fullmatch(r"ring[ -]?(\d{1,2})", part):
        if at is None:
            raise ValueError(f"{part}: the monster is not on the board")
        return ring(at, size, int(away_[1])) or _wrong(part, "no space is so far away")
    if block := re.fullmatch(r"(\d{1,3})(?:-(\d{1,3}))?[ ,](\d{1,3})(?:-(\d{1,3}))?", part):
        left, low = int(block[1]), int(block[3])
        right, high = int(block[2] or left), int(block[4] or low)
        if not (1 <= left <= right <= WIDTH and 1 <= low <= high <= HEIGHT):
            return _wrong(part, f"the board is {WIDTH} by {HEIGHT} spaces, counted from 1")
        return tile_spaces((left, low), right - left + 1, high - low + 1)
    return _wrong(part, "say ring6, short-edge, a space 11 8 or a block 1-3,5-12")


def _wrong(part: str, why: str) -> frozenset[Space]:
    raise ValueError(f"{part or 'an empty part'}: {why}")
