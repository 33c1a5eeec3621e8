"""What the pack leaves to the players' own cards stands in tests/assisted.txt, and only shrinks."""

from __future__ import annotations

from pathlib import Path

import pytest

from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.check import check
from kdmlog.games.kdm.content import KINDS, AiCard, Gear, Keyword
from kdmlog.packs.coverage import scripted, unwritten
from kdmlog.packs.library import Library

from .table import pack

ASSISTED = Path(__file__).parents[1] / "assisted.txt"


@pytest.fixture(scope="module")
def library() -> Library:
    return Library([pack()], KINDS)


def test_what_is_assisted_is_listed(library: Library) -> None:
    """A record that has been scripted leaves the list; one that is added needs its reason."""
    found = {
        f"{kind}:{id_}"
        for kind, type_ in KINDS.items()
        for id_, record in library.all(type_).items()
        if scripted(kind, record) == "assisted"
    }
    listed = ASSISTED.read_text(encoding="utf-8").split()
    assert listed == sorted(listed)
    assert found - set(listed) == set(), "assisted, but not listed"
    assert set(listed) - found == set(), "listed, but scripted or gone"


def test_every_printed_monster_card_and_terrain_is_there(library: Library) -> None:
    missing = unwritten(library)
    assert [missing[kind] for kind in ("ai_card", "hit_location", "terrain")] == [0, 0, 0]


def test_the_words_on_gear_are_explained(library: Library) -> None:
    gear = library.all(Gear).values()
    words = {rule.partition(":")[0] for one in gear for rule in one.rules}
    words |= {word.replace("-", "_") for one in gear for word in one.keywords}
    assert words - {"fist_and_tooth"} <= set(library.ids(Keyword))


@pytest.mark.parametrize(
    ("row", "well"),
    [
        ("closest threat, facing, in range 8", True),
        ("knocked down first, then as the card lists", True),
        ("as the card lists", True),
        ("nearest threat", False),
        ("closest threat, upwind", False),
    ],
)
def test_a_target_row_is_in_the_boards_words(row: str, well: bool) -> None:
    library = Library([pack()], KINDS)
    library._decoded["ai_card", "claw"] = AiCard(
        name="Claw", monster="white_lion", level="B", target=[row], steps=s.decode([{"flow": 1}])
    )
    wrong = [field for kind, id_, field, _ in check(library) if (kind, id_) == ("ai_card", "claw")]
    assert wrong == ([] if well else ["target[0]"])
