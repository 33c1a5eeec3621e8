"""Whole campaigns: called otherwise, out of sight, out of the ledger, and back."""

from __future__ import annotations

import io
import json
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from cli_helpers import head, kdmlog, mark, well
from json_schema import faults

from kdmlog.cli.call import Call
from kdmlog.cli.main import execute


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Two campaigns; the second one is in use."""
    path = tmp_path / "here.db"
    for name in ("Edge", "Far"):
        well(path, "new", name)
        well(path, "note", f"of {name}")
    return path


def listed(db: Path, *words: str) -> list[str]:
    return [line[:21].rstrip() for line in well(db, "campaigns", *words).splitlines()]


def test_renaming_is_a_move_that_says_who_and_when(db: Path) -> None:
    said = well(db, "campaign", "rename", "Far Away", "--by", "Ann")
    assert "the campaign is called Far Away now" in said
    assert listed(db) == ["  edge", "* far_away"]
    assert well(db, "status").startswith("Far Away  ·")
    [entry, *_] = json.loads(well(db, "--json", "log"))
    assert (entry["by"], entry["text"]) == ("Ann", "the campaign is called Far Away now")
    for name in ("far_away", "Far Away", "far"):
        assert json.loads(well(db, "--json", "-c", name, "status"))["campaign"] == "far_away"
    assert well(db, "verify") == ""


def test_a_name_that_is_no_more_is_found_unless_another_has_it(db: Path) -> None:
    well(db, "campaign", "rename", "Elsewhere")
    assert json.loads(well(db, "--json", "use", "far"))["slug"] == "elsewhere"
    well(db, "new", "Far")
    assert json.loads(well(db, "--json", "use", "far"))["slug"] == "far"


def test_a_rename_is_undone_and_redone(db: Path) -> None:
    well(db, "campaign", "rename", "Elsewhere")
    well(db, "undo")
    assert listed(db) == ["  edge", "* far"]
    well(db, "redo")
    assert listed(db) == ["  edge", "* elsewhere"]
    well(db, "undo")
    assert well(db, "status").startswith("Far  ·")


@pytest.mark.parametrize(
    ("name", "code"), [("EDGE!", "exists"), ("Far", "refused"), ("?!", "bad_input")]
)
def test_a_name_that_cannot_be_had(db: Path, name: str, code: str) -> None:
    before = head(db)
    said = kdmlog(db, "--json", "campaign", "rename", name)
    assert (said.code, json.loads(said.err)["error"]["code"]) == (1, code)
    assert (head(db), listed(db)) == (before, ["  edge", "* far"])


def test_a_rename_comes_along_with_an_archive(db: Path, tmp_path: Path) -> None:
    well(db, "export", str(tmp_path / "before.jsonl"))
    well(db, "campaign", "rename", "Elsewhere")
    well(db, "export", str(tmp_path / "after.jsonl"))
    one, two = tmp_path / "one.db", tmp_path / "two.db"
    well(one, "import", str(tmp_path / "after.jsonl"))
    well(two, "import", str(tmp_path / "before.jsonl"))
    assert listed(two) == ["* far"]
    well(two, "import", str(tmp_path / "after.jsonl"))
    assert listed(one) == listed(two) == ["* elsewhere"]


def test_another_of_the_same_name_gets_a_number_here(db: Path, tmp_path: Path) -> None:
    there = tmp_path / "there.db"
    well(there, "new", "Edge")
    well(there, "export", str(tmp_path / "edge.jsonl"))
    said = well(db, "import", str(tmp_path / "edge.jsonl"))
    assert "It is called Edge 2 here." in said
    assert listed(db) == ["  edge", "* far", "  edge_2"]
    assert "nothing to add" in well(db, "import", str(tmp_path / "edge.jsonl"))
    well(db, "-c", "edge_2", "campaign", "rename", "Ledge")
    assert listed(db) == ["  edge", "* far", "  ledge"]
    assert well(db, "-c", "edge", "log").endswith("Edge begins; content: core 1\n")


def test_hidden_ones_are_counted_and_work_as_before(db: Path) -> None:
    before = well(db, "-c", "edge", "log")
    assert "is hidden" in well(db, "campaign", "hide", "edge")
    assert listed(db) == ["* far", "  1 hidden: campaigns"]
    assert listed(db, "--all") == ["  edge", "* far"]
    told = json.loads(well(db, "--json", "campaigns"))
    assert faults(told, "cli.campaigns") == []
    assert [(one["slug"], one["hidden"]) for one in told] == [("edge", True), ("far", False)]
    assert well(db, "-c", "edge", "log") == before
    assert json.loads(well(db, "--json", "campaign", "unhide", "edge"))["hidden"] is False
    assert listed(db) == ["  edge", "* far"]
    assert well(db, "verify") == ""


# --- removing -------------------------------------------------------------------------------------


def removed(db: Path, *words: str) -> dict[str, object]:
    told = json.loads(well(db, "--json", "campaign", "remove", *words, "--yes"))
    assert faults(told, "cli.remove") == []
    return dict(told)


def test_removing_writes_an_archive_and_importing_it_is_the_way_back(db: Path) -> None:
    kept = head(db), mark(db), well(db, "log")
    said = well(db, "campaign", "remove", "far", "--yes").splitlines()
    [file] = db.parent.glob("far-*.jsonl")
    assert said == [
        f"Removed Far; all of it is in {file}.",
        "      Backups that were made before hold it still.",
        "      It was the one in use.  Next: kdmlog use CAMPAIGN",
        f"      Back: kdmlog import {file}",
    ]
    assert listed(db) == ["  edge"]
    well(db, "use", "edge")
    assert well(db, "verify") == ""
    well(db, "note", "goes on")
    well(db, "import", str(file))
    well(db, "use", "far")
    assert (head(db), mark(db), well(db, "log")) == kept
    assert well(db, "verify") == ""


def test_removing_one_that_is_not_in_use(db: Path) -> None:
    told = removed(db, "edge")
    assert (told["moves"], told["was_in_use"], told["shrank"]) == (2, False, True)
    assert told["campaign"] == {"slug": "edge", "name": "Edge", "game": "kdm", "hidden": False}
    assert Path(str(told["archive"])).exists()
    assert listed(db) == ["* far"]


def test_an_archive_of_before_is_not_written_over(db: Path) -> None:
    files = []
    for _ in range(3):
        files.append(str(removed(db, "edge")["archive"]))
        well(db, "import", files[-1])
    assert len(set(files)) == 3


@pytest.mark.parametrize("words", [(), ("--json",)])
def test_nothing_is_removed_unasked(db: Path, words: tuple[str, ...]) -> None:
    before = db.read_bytes()
    said = kdmlog(db, *words, "campaign", "remove", "far")
    assert (said.code, said.out) == (1, "")
    assert "Nothing was removed: Far (far) would be" in said.err and "--yes" in said.err
    assert db.read_bytes() == before
    assert list(db.parent.glob("*.jsonl")) == []


@pytest.mark.parametrize(
    ("typed", "goes"),
    [("Far\n", True), ("far\n", True), ("y\n", False), ("\n", False), ("", False)],
)
def test_on_a_terminal_its_name_is_asked_for(
    db: Path, typed: str, goes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Terminal(typed))
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = execute(["--db", str(db), "campaign", "remove", "far"], Call())
    assert "Its name, to remove it" in out.getvalue()
    assert code == (0 if goes else 1), err.getvalue()
    assert (len(list(db.parent.glob("*.jsonl"))) == 1) == goes
    assert (listed(db) == ["  edge"]) == goes


def test_without_its_archive_nothing_is_removed(db: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write anywhere")
    db.parent.chmod(0o500)
    try:
        said = kdmlog(db, "campaign", "remove", "far", "--yes")
        assert said.code == 1
    finally:
        db.parent.chmod(0o700)
    assert listed(db) == ["  edge", "* far"]


def test_a_script_removes_nothing(db: Path, tmp_path: Path) -> None:
    (tmp_path / "x.kdm").write_text("note a\ncampaign remove edge --yes\n", encoding="utf-8")
    said = kdmlog(db, "run", str(tmp_path / "x.kdm"))
    assert (said.code, "outside of play and scripts" in said.err) == (2, True)
    assert listed(db) == ["  edge", "* far"]


def test_options_that_are_not_heeded_are_refused(db: Path) -> None:
    for words in (("hide", "far"), ("unhide", "far"), ("remove", "far", "--yes")):
        assert kdmlog(db, "campaign", *words, "--note", "x").code == 2
        assert kdmlog(db, "campaign", words[0], "nope", *words[2:]).code == 1
    assert listed(db) == ["  edge", "* far"]
