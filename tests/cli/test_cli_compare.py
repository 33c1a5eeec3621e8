"""Two copies of a campaign: which is ahead, on which branch, and where they part."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_helpers import copied, kdmlog, well
from json_schema import faults


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    here = tmp_path / "here.db"
    well(here, "new", "Edge")
    for word in "ab":
        well(here, "note", word)
    for branch in ("side", "mine"):
        well(here, "branch", branch)
    return here, copied(here, tmp_path / "there.db")


def compared(here: Path, other: Path | str) -> dict[str, tuple[str, int, int | None, int | None]]:
    told = json.loads(well(here, "--json", "compare", str(other)))
    assert faults(told, "cli.compare") == []
    assert (told["campaign"], told["other"]) == ("edge", str(other))
    return {
        one["branch"]: (one["relation"], one["shared"], one["here"], one["there"])
        for one in told["branches"]
    }


def test_copies_that_are_equal(two: tuple[Path, Path]) -> None:
    here, there = two
    assert compared(here, there)["main"] == ("equal", 3, 3, 3)
    assert well(here, "compare", str(there)).splitlines()[0] == "main  equal, at move 3"


def test_each_branch_stands_in_its_own_way(two: tuple[Path, Path]) -> None:
    here, there = two
    well(here, "note", "c")
    well(here, "note", "here", "-b", "side")
    well(there, "note", "there", "-b", "side")
    well(there, "note", "more", "-b", "mine")
    well(here, "branch", "left", "--at", "2")
    well(there, "branch", "right", "--at", "1")
    expected = {
        "main": ("ahead", 3, 4, 3),
        "side": ("diverged", 3, 4, 4),
        "mine": ("behind", 3, 3, 4),
        "left": ("only here", 0, 2, None),
        "right": ("only there", 0, None, 1),
    }
    assert compared(here, there) == expected
    assert well(here, "compare", str(there)).splitlines() == [
        "main   1 move ahead: here move 4, there 3",
        "side   diverged after move 3: here move 4, there 4",
        "mine   1 move behind: here move 3, there 4",
        "left   only here, at move 2",
        "right  only there, at move 1",
    ]
    archive = str(there.with_name("there.jsonl"))
    well(there, "export", archive)
    assert compared(here, archive) == expected, "an archive compares as its ledger does"


def test_an_undone_move_is_behind(two: tuple[Path, Path]) -> None:
    here, there = two
    well(here, "undo")
    assert compared(here, there)["main"] == ("behind", 2, 2, 3)


def test_both_are_only_read(two: tuple[Path, Path]) -> None:
    here, there = two
    before = here.read_bytes(), there.read_bytes()
    for path in two:
        path.chmod(0o400)
    well(here, "compare", str(there))
    assert (here.read_bytes(), there.read_bytes()) == before


def test_what_cannot_be_compared(two: tuple[Path, Path], tmp_path: Path) -> None:
    here, _ = two
    other = tmp_path / "other.db"
    well(other, "new", "Other")
    said = kdmlog(here, "compare", str(other))
    assert (said.code, said.out) == (1, "")
    assert said.err.startswith(f"{other} does not hold Edge; it holds Other.")
    (tmp_path / "text").write_text("text")
    for name, code in (("text", 1), ("none", 1), (".", 1)):
        said = kdmlog(here, "compare", str(tmp_path / name))
        assert (said.code, said.out, said.err.count("\n")) == (code, "", 1)


def test_another_campaign_of_the_same_name_is_called_so(
    two: tuple[Path, Path], tmp_path: Path
) -> None:
    other, file = tmp_path / "other.db", tmp_path / "other.jsonl"
    well(other, "new", "Edge")
    well(other, "export", str(file))
    for one in (other, file):
        said = kdmlog(two[0], "compare", str(one))
        assert said.code == 1 and f"{one} holds another campaign of the name Edge." in said.err
