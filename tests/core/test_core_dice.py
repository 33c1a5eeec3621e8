"""Dice: the frozen sequence ``dice/1``, the faces as typed, and what they mean."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kdmlog.core.dice import (
    begun,
    due,
    due_order,
    due_roll,
    face,
    location,
    parse,
    show,
    split,
    values,
)
from kdmlog.core.errors import BadInput


class TestTheSequence:
    """``dice/1`` never changes: old logs are audited against it."""

    def test_d10(self) -> None:
        faces = [7, 1, 2, 4, 10, 2, 10, 10, 9, 4, 2, 1, 10, 2, 4, 1, 6, 2, 7, 10]
        assert [due("lantern", key, 10) for key in range(20)] == faces

    def test_location_die(self) -> None:
        faces = [3, 1, 6, 6, 2, 4, 6, 4, 3, 2, 6, 3]
        assert [due("lantern", key, 6) for key in range(12)] == faces

    def test_other_seeds(self) -> None:
        assert [due("", key, 10) for key in range(8)] == [10, 6, 1, 2, 4, 7, 9, 9]
        assert [due("žluť", key, 10) for key in range(8)] == [7, 1, 9, 4, 6, 4, 4, 10]

    def test_far_keys_and_odd_dice(self) -> None:
        assert due("lantern", 10**12, 10) == 8
        assert due("lantern", 0, 52) == 35

    def test_a_roll_takes_a_key_for_each_face(self) -> None:
        assert due_roll("lantern", 3, parse("2d100")) == [4, 10, 2, 10]

    def test_shuffle(self) -> None:
        assert due_order("lantern", 7, list("abcdefgh")) == list("ahecdbgf")
        assert due_order("lantern", 7, ["crow", "crow", "sun"]) == ["crow", "crow", "sun"]

    @given(st.text(max_size=20), st.integers(0, 2**64), st.integers(1, 1000))
    def test_in_range_and_the_same_again(self, seed: str, key: int, sides: int) -> None:
        assert 1 <= due(seed, key, sides) <= sides
        assert due(seed, key, sides) == due(seed, key, sides)

    @pytest.mark.parametrize("sides", [6, 10])
    def test_uniform(self, sides: int) -> None:
        seen = Counter(due("uniform", key, sides) for key in range(20_000))
        expected = 20_000 / sides
        chi = sum((seen[face] - expected) ** 2 / expected for face in range(1, sides + 1))
        assert chi < 27.9  # p = 0.001 for nine degrees of freedom; the sequence is fixed

    def test_shuffles_are_uniform(self) -> None:
        seen = Counter(tuple(due_order("uniform", key, "abc")) for key in range(6_000))
        assert len(seen) == 6
        assert sum((count - 1000) ** 2 / 1000 for count in seen.values()) < 20.5

    @given(st.lists(st.sampled_from("abcdef")), st.integers(0, 1000))
    def test_a_shuffle_keeps_the_cards(self, cards: list[str], key: int) -> None:
        order = due_order("s", key, cards)
        assert sorted(order) == sorted(cards)
        assert order == due_order("s", key, cards[::-1])


class TestMeaning:
    @pytest.mark.parametrize(
        ("faces", "meant"),
        [
            ([3, 5], [35]),
            ([10, 10], [100]),
            ([10, 1], [1]),
            ([3, 10], [30]),
            ([1, 2, 9, 9], [12, 99]),
        ],
    )
    def test_d100_is_tens_and_ones(self, faces: list[int], meant: list[int]) -> None:
        assert values(parse(f"{len(faces) // 2}d100"), faces) == meant

    def test_every_d100_comes_up_once(self) -> None:
        one = parse("d100")
        all_ = [values(one, [t, o])[0] for t in range(1, 11) for o in range(1, 11)]
        assert sorted(all_) == list(range(1, 101))

    def test_d5_is_half_a_d10(self) -> None:
        assert values(parse("10d5"), range(1, 11)) == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]

    def test_location_die_has_body_twice(self) -> None:
        names = [location(face) for face in range(1, 7)]
        assert Counter(names) == {"head": 1, "arms": 1, "body": 2, "waist": 1, "legs": 1}
        assert show(4, parse("location")) == "body"
        assert show(4, parse("d10")) == "4"

    @pytest.mark.parametrize(
        ("text", "faces", "sides"),
        [("d10", 1, 10), ("2d10", 2, 10), ("d5", 1, 10), ("3d100", 6, 10), (" 2Location ", 2, 6)],
    )
    def test_notation(self, text: str, faces: int, sides: int) -> None:
        dice = parse(text)
        assert (dice.faces, dice.sides) == (faces, sides)
        assert parse(str(dice)) == dice

    @pytest.mark.parametrize("text", ["", "d6", "0d10", "d", "100d10", "2d10+1", "-1d10", "٣d10"])
    def test_what_is_no_notation(self, text: str) -> None:
        with pytest.raises(BadInput):
            parse(text)


class TestTyped:
    @pytest.mark.parametrize(
        ("text", "symbols"),
        [
            ("70", ["7", "0"]),
            ("7,3,10", ["7", "3", "10"]),
            ("hw69", ["h", "w", "6", "9"]),
            ("l", ["l"]),
            ("APP 7", ["app", "7"]),
            ("head, w", ["head", "w"]),
            ("", []),
        ],
    )
    def test_split(self, text: str, symbols: list[str]) -> None:
        assert split(text) == symbols

    def test_70_is_7_and_10(self) -> None:
        assert [face(symbol, parse("2d10")) for symbol in split("70")] == [7, 10]

    def test_hw69_serves_a_location_roll_and_then_a_d10_roll(self) -> None:
        symbols = split("hw69")
        assert [face(symbol, parse("2location")) for symbol in symbols[:2]] == [1, 5]
        assert [face(symbol, parse("2d10")) for symbol in symbols[2:]] == [6, 9]

    def test_l_is_the_lantern_or_the_legs(self) -> None:
        assert face("l", parse("d10")) == 10
        assert face("l", parse("location")) == 6

    @pytest.mark.parametrize(
        ("symbol", "dice"),
        [("11", "d10"), ("h", "d10"), ("", "d10"), ("²", "d10"), ("1", "location"), ("x", "d5")],
    )
    def test_a_face_that_the_die_lacks(self, symbol: str, dice: str) -> None:
        with pytest.raises(BadInput, match="no face of this die"):
            face(symbol, parse(dice))


@pytest.mark.parametrize(
    ("typed", "faces"),
    [
        *(("10", ["1", "0"]), ("1,0", ["1", "0"]), ("1 0", ["1", "0"]), ("10w", ["1", "0"])),
        *(("10 7", ["10", "7"]), ("7 10", ["7", "10"]), ("710", ["7", "10"])),
    ],
)
def test_a_1_and_a_lantern_are_two_faces_of_two_dice(typed: str, faces: list[str]) -> None:
    run, _ = begun(typed.split(), parse("2d10"))
    assert split(run) == faces


def test_places_in_full_are_a_face_each() -> None:
    run, _ = begun(["body", "waist", "legs", "body"], parse("4location"))
    assert split(run) == ["b", "w", "l", "b"]
