"""The board's geometry: the rulebook's examples as values, and properties against brute force."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kdmlog.games.kdm import board
from kdmlog.games.kdm.board import Path, Push, footprint
from kdmlog.games.kdm.state import Space

EVERYWHERE = [(x, y) for x in range(1, 23) for y in range(1, 17)]

spaces = st.sampled_from(EVERYWHERE)
sizes = st.sampled_from((2, 3))
facings = st.sampled_from(board.FACINGS)


@st.composite
def bases(draw: st.DrawFn) -> tuple[Space, int]:
    """A monster somewhere on the board, as a whole."""
    size = draw(sizes)
    return (draw(st.integers(1, 23 - size)), draw(st.integers(1, 17 - size))), size


def beside(space: Space) -> list[Space]:
    x, y = space
    return [(x, y + 1), (x + 1, y), (x, y - 1), (x - 1, y)]


def steps_between(starts: Collection[Space], ends: Collection[Space]) -> int:
    """Counts steps by widening the starts, one step at a time."""
    reached, count = set(starts), 0
    while not reached & set(ends):
        reached |= {to for one in reached for to in beside(one) if to in EVERYWHERE}
        count += 1
    return count


# --- the rulebook's examples ----------------------------------------------------------------------


def test_movement_6_reaches_a_survivor_7_away_and_stands_adjacent() -> None:
    lion = (3, 8)
    survivor = [(11, 8)]
    assert board.distance(footprint(lion, 2), survivor) == 7
    [path] = board.approaches(lion, 2, survivor, 6)
    assert path == ((4, 8), (5, 8), (6, 8), (7, 8), (8, 8), (9, 8))
    assert board.adjacent(footprint(path[-1], 2), survivor)


def test_movement_6_falls_short_of_a_survivor_who_dashed_to_9() -> None:
    lion, allister = (3, 8), [(13, 8)]
    assert board.distance(footprint(lion, 2), allister) == 9
    [path] = board.approaches(lion, 2, allister, 6)
    assert len(path) == 6
    assert board.distance(footprint(path[-1], 2), allister) == 3


def test_in_range_is_as_many_spaces_between_as_the_movement() -> None:
    monster = footprint((1, 1), 2)
    assert board.in_range(monster, [(9, 1)], 6)
    assert not board.in_range(monster, [(10, 1)], 6)


def test_knockback_5_three_spaces_from_the_edge_moves_3() -> None:
    [push] = board.pushed((10, 13), footprint((10, 11), 2), 5, ())
    assert push == Push(((10, 14), (10, 15), (10, 16)), "edge")


def test_knockback_5_from_the_edge_goes_along_it() -> None:
    pushes = board.pushed((10, 16), footprint((10, 14), 2), 5, ())
    assert [push.path[-1] for push in pushes] == [(15, 16), (5, 16)]
    assert all(len(push.path) == 5 and not push.stopped for push in pushes)


def test_knockback_into_the_impassable_stops_before_it() -> None:
    [push] = board.pushed((5, 5), footprint((3, 5), 2), 5, [(8, 5), (9, 5)])
    assert push == Push(((6, 5), (7, 5)), "impassable", (8, 5))


def test_knockback_off_a_corner_of_the_monster_ties_two_ways() -> None:
    pushes = board.pushed((5, 5), footprint((3, 3), 2), 2, ())
    assert [push.path for push in pushes] == [((5, 6), (5, 7)), ((6, 5), (7, 5))]


def test_knockback_along_an_edge_does_not_go_back_to_the_monster() -> None:
    pushes = board.pushed((5, 16), footprint((3, 14), 2), 2, ())
    assert [push.path for push in pushes] == [((6, 16), (7, 16))]


def test_a_monster_that_ends_on_a_survivor_pushes_from_its_middle() -> None:
    pushes = board.pushed((4, 4), footprint((3, 3), 2), 5, ())
    assert [push.path[0] for push in pushes] == [(4, 5), (5, 4)]


def test_adjacent_is_not_diagonal() -> None:
    base = footprint((5, 5), 2)
    assert board.adjacent(base, [(7, 6)])
    assert not board.adjacent(base, [(7, 7)])


def test_a_monster_faces_the_whole_half_before_it() -> None:
    faced = {one for one in EVERYWHERE if board.in_front((10, 8), 2, "n", one)}
    assert faced == {(x, y) for x, y in EVERYWHERE if y >= 10}


@pytest.mark.parametrize(
    ("target", "facings"),
    [((10, 12), "n"), ((11, 3), "s"), ((15, 10), "en"), ((13, 15), "ne"), ((8, 6), "sw")],
)
def test_turning_to_a_target_prefers_the_larger_offset(target: Space, facings: str) -> None:
    assert board.turned_to((10, 8), 2, [target]) == list(facings)


def test_a_pillar_between_blocks_the_view_and_one_beside_does_not() -> None:
    assert not board.in_view((3, 8), 2, "e", [(12, 8)], [(8, 8)], "behind")
    assert board.in_view((3, 8), 2, "e", [(12, 8)], [(8, 11)], "behind")


def test_a_line_that_touches_a_corner_is_blocked() -> None:
    # From space to space, the corner of (4, 5) lies on the line and that of (3, 5) does not.
    base = footprint((1, 1), 3)
    assert board.line_blocked(base, [(6, 6)], [(4, 5)])
    assert not board.line_blocked(base, [(6, 6)], [(3, 5)])


def test_the_blind_spot_is_directly_behind() -> None:
    assert board.behind((10, 8), 2, "n", "behind") == {(10, 7), (11, 7)}
    assert board.behind((10, 8), 2, "e", "behind") == {(9, 8), (9, 9)}
    assert board.behind((10, 8), 2, "s", "behind 2") == {(10, 10), (11, 10), (10, 11), (11, 11)}
    assert board.behind((10, 8), 3, "w", "0,-1") == {(13, 8)}
    assert board.behind((10, 1), 2, "n", "behind") == frozenset()
    assert not board.in_view((10, 8), 2, "n", [(10, 7)], (), "behind")
    assert board.in_view((10, 8), 2, "n", [(10, 7)], (), "none")


@pytest.mark.parametrize("words", ["", "behind 0", "behind 23", "front", "1 2", "0,-1 x", "none 1"])
def test_other_words_are_no_blind_spot(words: str) -> None:
    with pytest.raises(ValueError, match="is no blind spot"):
        board.check_blind_spot(words)


def test_forward_stops_at_the_edge_and_from_the_edge_goes_along_it() -> None:
    assert board.straight((10, 12), 2, "n", 6) == [((10, 13), (10, 14), (10, 15))]
    east, west = board.straight((10, 15), 2, "n", 3)
    assert (east[-1], west[-1]) == ((13, 15), (7, 15))
    assert board.straight((21, 15), 2, "n", 3) == [((20, 15), (19, 15), (18, 15))]


def test_away_is_straight_away() -> None:
    assert [path[-1] for path in board.away((5, 5), 2, [(5, 4)], 6)] == [(5, 11)]
    assert [path[-1] for path in board.away((5, 5), 2, [(4, 4)], 6)] == [(5, 11), (11, 5)]
    assert [path[-1] for path in board.away((9, 9), 2, board.beyond("e"), 4)] == [(5, 9)]


def test_toward_an_edge_ends_at_it() -> None:
    assert [path[-1] for path in board.toward((9, 9), 2, board.beyond("n"), 20)] == [(9, 15)]


def test_a_monster_with_reach_moves_the_least_it_must() -> None:
    [path] = board.approaches((3, 8), 2, [(11, 8)], 6, near=3)
    assert path[-1] == (7, 8)
    assert board.approaches((3, 8), 2, [(5, 8)], 6) == [()]


def test_ties_that_pass_over_the_same_are_one_choice() -> None:
    paths = board.approaches((3, 3), 2, [(7, 6)], 6)
    assert sorted(path[-1] for path in paths) == [(5, 5), (6, 4)]
    passing = board.approaches((3, 3), 2, [(7, 6)], 6, marks=[[(5, 3)]])
    assert len(passing) == 4


def test_steps_in_words() -> None:
    assert board.walk_words("3n2e") == ["n", "n", "n", "e", "e"]
    assert board.walk_words("sw") == ["s", "w"]
    assert board.walked((5, 5), board.walk_words("ne")) == ((5, 6), (6, 6))


@pytest.mark.parametrize("words", ["", "3", "3x", "3n 2e", "n3", "100n"])
def test_other_words_are_no_way_to_go(words: str) -> None:
    with pytest.raises(ValueError, match="no way to go"):
        board.walk_words(words)


def test_zones_in_words() -> None:
    assert board.zone("ring 1", (10, 8), 2) == {
        *((x, y) for x in (10, 11) for y in (7, 10)),
        *((x, y) for x in (9, 12) for y in (8, 9)),
    }
    assert board.zone("short edge") == {(x, y) for x, y in EVERYWHERE if x in (1, 22)}
    assert board.zone("north edge") == {(x, 16) for x in range(1, 23)}
    assert board.zone("1-2 3; 5 5") == {(1, 3), (2, 3), (5, 5)}


def test_zones_and_blind_spots_can_be_typed_as_one_word() -> None:
    assert board.zone("ring6", (10, 8), 2) == board.zone("ring 6", (10, 8), 2)
    assert board.zone("short-edge") == board.zone("short edge")
    assert board.zone("1-2,3+5,5") == board.zone("1-2 3; 5 5")
    for word, words in (("behind2", "behind 2"), ("0,-1+1,-1", "0,-1 1,-1")):
        assert board.behind((9, 9), 2, "n", word) == board.behind((9, 9), 2, "n", words)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("", "an empty part"),
        ("1-2 3;", "an empty part"),
        ("ring 6", "not on the board"),
        ("23 1", "22 by 16"),
        ("0 1", "22 by 16"),
        ("5-3 1", "22 by 16"),
        ("somewhere", "short-edge"),
    ],
)
def test_other_words_are_no_zone(words: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        board.zone(words)


# --- properties -----------------------------------------------------------------------------------


@given(base=bases(), space=spaces)
@settings(max_examples=60, deadline=None)
def test_distance_counts_cardinal_steps(base: tuple[Space, int], space: Space) -> None:
    under = footprint(*base)
    assert board.distance(under, [space]) == steps_between(under, [space])


@given(base=bases(), far=st.integers(0, 30))
@settings(max_examples=30, deadline=None)
def test_a_ring_is_all_that_is_so_far_away(base: tuple[Space, int], far: int) -> None:
    under = footprint(*base)
    apart = {one for one in EVERYWHERE if board.distance(under, [one]) == far}
    assert board.ring(*base, far) == apart


@given(
    start=spaces,
    steps=st.integers(0, 6),
    blocked=st.sets(spaces, max_size=120),
    size=st.sampled_from([1, 1, 3]),
)
@settings(max_examples=60, deadline=None)
def test_walks_are_all_shortest_paths_past_what_is_blocked(
    start: Space, steps: int, blocked: set[Space], size: int
) -> None:
    start = (min(start[0], board.WIDTH + 1 - size), min(start[1], board.HEIGHT + 1 - size))

    def under(at: Space) -> set[Space]:
        return {(at[0] + x, at[1] + y) for x in range(size) for y in range(size)}

    reached = {start: 0}
    for count in range(1, steps + 1):
        for here in [one for one, n in reached.items() if n == count - 1]:
            for to in beside(here):
                if under(to) <= set(EVERYWHERE) and not under(to) & blocked:
                    reached.setdefault(to, count)
    walks = board.walks(start, steps, blocked, size)
    assert {to: len(path) for to, path in walks.items()} == reached
    for to, path in walks.items():
        assert_walk(start, path)
        assert not any(under(at) & blocked for at in path)
        assert ([start, *path])[-1] == to


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_base_stands_along_an_edge_where_one_of_its_spaces_does(size: int) -> None:
    for at in filter(lambda at: board.fits(at, size), EVERYWHERE):
        far = at[0] + size - 1, at[1] + size - 1
        edge = 1 in at or far[0] == board.WIDTH or far[1] == board.HEIGHT
        assert board.at_edge(at, size) == edge


def assert_walk(start: Space, path: Iterable[Space]) -> None:
    here = start
    for to in path:
        assert to in beside(here)
        here = to


@given(
    base=bases(),
    offset=st.tuples(st.integers(-4, 6), st.integers(-4, 6)),
    steps=st.integers(0, 6),
    near=st.integers(1, 3),
    marks=st.lists(st.sets(spaces, min_size=1, max_size=4), max_size=4),
)
@settings(max_examples=60, deadline=None)
def test_approaches_are_all_shortest_paths_that_differ(
    base: tuple[Space, int],
    offset: Space,
    steps: int,
    near: int,
    marks: list[set[Space]],
) -> None:
    at, size = base
    target = at[0] + offset[0], at[1] + offset[1]
    if target not in EVERYWHERE or target in footprint(at, size):
        return
    whole = every_shortest_path(at, size, target, near)
    expected = {seen(path[:steps], size, marks) for path in whole}
    paths = board.approaches(at, size, [target], steps, near, marks=marks)
    assert [seen(path, size, marks) for path in paths] == list(
        dict.fromkeys(seen(path, size, marks) for path in paths)
    ), "no two are the same choice"
    assert {seen(path, size, marks) for path in paths} == expected
    for path in paths:
        assert path in {one[:steps] for one in whole}


def every_shortest_path(at: Space, size: int, target: Space, near: int) -> list[Path]:
    """Widens all paths at once until some are near: those are the shortest."""
    paths: list[Path] = [()]
    while True:
        done = [
            path
            for path in paths
            if steps_between(footprint(path[-1] if path else at, size), [target]) <= near
        ]
        if done:
            return done
        longer: dict[Path, None] = {}
        for path in paths:
            here = path[-1] if path else at
            for to in beside(here):
                under = footprint(to, size)
                # A shortest path never comes back to where it was.
                if under <= set(EVERYWHERE) and target not in under and nearer(to, at, here):
                    longer[(*path, to)] = None
        paths = list(longer)


def nearer(to: Space, at: Space, here: Space) -> bool:
    """Whether a step leads on from the start; no shortest path to one space leads back."""
    return abs(to[0] - at[0]) + abs(to[1] - at[1]) > abs(here[0] - at[0]) + abs(here[1] - at[1])


def seen(path: Path, size: int, marks: list[set[Space]]) -> tuple[Path, tuple[bool, ...]]:
    under = {space for at in path for space in footprint(at, size)}
    return path[-1:], tuple(bool(one & under) for one in marks)


def test_where_the_way_is_barred_a_monster_comes_as_near_as_it_can() -> None:
    wall = [(10, y) for y in range(1, 17)]
    paths = board.approaches((5, 8), 2, [(15, 8)], 20, blocked=wall)
    assert [path[-1] for path in paths] == [(8, 8)]


@given(start=spaces, base=bases(), far=st.integers(0, 8), walls=st.sets(spaces, max_size=60))
@settings(max_examples=150, deadline=None)
def test_a_push_goes_straight_away_until_something_stops_it(
    start: Space, base: tuple[Space, int], far: int, walls: set[Space]
) -> None:
    walls -= {start}
    at, size = base
    across = start[0] - at[0] - Fraction(size - 1, 2)
    up = start[1] - at[1] - Fraction(size - 1, 2)
    pushes = board.pushed(start, footprint(at, size), far, walls)
    assert pushes
    for push in pushes:
        assert_walk(start, push.path)
        assert not walls & set(push.path)
        assert set(push.path) <= set(EVERYWHERE)
        assert (len(push.path) == far) == (not push.stopped)
        ends = push.path[-1] if push.path else start
        line = {(to[0] - start[0] != 0, to[1] - start[1] != 0) for to in push.path}
        assert len(line) <= 1, "in a straight line"
        if push.stopped == "impassable":
            assert push.into in walls
            assert push.into in beside(ends)
        if push.stopped == "edge":
            assert [to for to in beside(ends) if to not in EVERYWHERE]
        if push.path:
            step = push.path[0][0] - start[0], push.path[0][1] - start[1]
            along = step[0] * across + step[1] * up
            straight_away = along == max(abs(across), abs(up))
            assert straight_away or [to for to in beside(start) if to not in EVERYWHERE]


@given(base=bases(), target=spaces, pillars=st.sets(spaces, max_size=25))
@settings(max_examples=200, deadline=None)
def test_a_view_is_blocked_by_what_the_line_touches(
    base: tuple[Space, int], target: Space, pillars: set[Space]
) -> None:
    at, size = base
    under = footprint(at, size)
    middle = at[0] + Fraction(size - 1, 2), at[1] + Fraction(size - 1, 2)
    touched = {one for one in pillars - under if clipped(middle, target, one)}
    assert board.line_blocked(under, [target], pillars) == bool(touched)
    assert board.in_view(at, size, "n", [target], pillars, "none") != bool(touched)


def clipped(start: tuple[Fraction, Fraction], end: Space, space: Space) -> bool:
    """Cuts the line to the space's width, then to its height: is a part of it left?"""
    low, high = Fraction(0), Fraction(1)
    for begin, to, middle in zip(start, end, space, strict=True):
        least, most = middle - Fraction(1, 2), middle + Fraction(1, 2)
        if to == begin:
            if not least <= begin <= most:
                return False
            continue
        cuts = sorted(((least - begin) / (to - begin), (most - begin) / (to - begin)))
        low, high = max(low, cuts[0]), min(high, cuts[1])
    return low <= high


@given(base=bases(), facing=facings, deep=st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_the_blind_spot_turns_with_the_monster(
    base: tuple[Space, int], facing: str, deep: int
) -> None:
    at, size = base
    spot = board.behind(at, size, facing, f"behind {deep}")
    told = " ".join(f"{x},{-y}" for y in range(1, deep + 1) for x in range(size))
    assert board.behind(at, size, facing, told) == spot
    across, up = board.STEPS[facing]
    backwards = {
        (x - across * n, y - up * n) for x, y in footprint(at, size) for n in range(1, deep + 1)
    }
    # Stepping back out of the base also passes what is under it.
    assert spot == (backwards - footprint(at, size)) & set(EVERYWHERE)


@given(base=bases(), target=spaces)
@settings(max_examples=60, deadline=None)
def test_turned_to_a_target_it_is_in_front(base: tuple[Space, int], target: Space) -> None:
    at, size = base
    facings = board.turned_to(at, size, [target])
    assert set(facings) == {one for one in board.FACINGS if board.in_front(at, size, one, target)}
    assert bool(facings) == (target not in footprint(at, size))


@given(space=spaces, taken=st.sets(spaces, max_size=300))
@settings(max_examples=40, deadline=None)
def test_the_nearest_free_spaces_are_all_those_closest(space: Space, taken: set[Space]) -> None:
    found = board.nearest_free(space, taken)
    apart = {one: steps_between([space], [one]) for one in found}
    least = next(iter(apart.values()))
    rest = [one for one in EVERYWHERE if one not in taken and one not in apart]
    assert set(apart.values()) == {least}
    assert not taken & set(found)
    assert all(abs(x - space[0]) + abs(y - space[1]) > least for x, y in rest)


@given(base=bases(), others=st.sets(spaces, min_size=1, max_size=4), steps=st.integers(0, 8))
@settings(max_examples=40, deadline=None)
def test_away_and_toward_end_as_far_and_as_near_as_can_be(
    base: tuple[Space, int], others: set[Space], steps: int
) -> None:
    at, size = base
    within = [
        one
        for one in EVERYWHERE
        if footprint(one, size) <= set(EVERYWHERE)
        and abs(one[0] - at[0]) + abs(one[1] - at[1]) <= steps
    ]
    gaps = {one: board.distance(footprint(one, size), others) for one in within}
    for path in board.away(at, size, others, steps):
        assert_walk(at, path)
        assert gaps[path[-1] if path else at] == max(gaps.values())
    nearest = min((gap for gap in gaps.values() if gap), default=0)
    for path in board.toward(at, size, others, steps):
        assert_walk(at, path)
        assert gaps[path[-1] if path else at] == nearest
