"""Names: by id, by shown name, by an unambiguous prefix; else the nearest are offered."""

from __future__ import annotations

import pytest

from kdmlog.core.errors import UnknownName
from kdmlog.core.names import match, nearest, slug

LIONS = {"white_lion_1": "White Lion", "allister": "Allister", "alma": "Alma", "x9": "Lucy's Axe"}


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("allister", "allister"),
        ("ALLISTER", "allister"),
        ("white lion", "white_lion_1"),
        ("whi", "white_lion_1"),
        ("all", "allister"),
        ("lucys axe", "x9"),
        ("Lucy’s Axe", "x9"),
    ],
)
def test_found(word: str, found: str) -> None:
    assert match(word, LIONS, "survivor") == found


def test_an_exact_name_wins_over_a_prefix() -> None:
    assert match("al", {"al": "Al", "alma": "Alma"}, "survivor") == "al"


def test_an_ambiguous_prefix_names_those_it_could_be() -> None:
    with pytest.raises(UnknownName) as refused:
        match("al", LIONS, "survivor")
    assert refused.value.code == "ambiguous"
    assert "allister" in refused.value.message and "alma" in refused.value.message


def test_an_unknown_name_gets_the_nearest() -> None:
    with pytest.raises(UnknownName) as refused:
        match("alister", LIONS, "survivor")
    assert refused.value.data["candidates"][0] == "allister"  # type: ignore[index]


@pytest.mark.parametrize("word", ["", "   ", "!", "zzz"])
def test_what_names_nothing(word: str) -> None:
    with pytest.raises(UnknownName):
        match(word, LIONS, "survivor")
    with pytest.raises(UnknownName):
        match(word, {}, "survivor")


def test_slug() -> None:
    assert slug("  Lucy's Great—Axe! ") == "lucys_great_axe"


def test_nearest_offers_three_at_most() -> None:
    assert len(nearest("aaa", ["aaab", "aaac", "aaad", "aaae"])) == 3


def test_a_number_does_not_begin_a_longer_one() -> None:
    assert match("9 1", {"9-13": "9-13", "9-1": "over Erza"}, "space") == "9-1"
    with pytest.raises(UnknownName):
        match("9 1", {"9-13": "9-13"}, "space")


def test_more_names_than_are_told_end_in_dots() -> None:
    with pytest.raises(UnknownName) as refused:
        match("qqq", {f"name{n}": "" for n in range(7)}, "name")
    assert refused.value.hints == ["known: name0, name1, name2, name3, name4, name5, …"]
