"""A ledger that has lost moves is read with a warning, and not written to."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from cli_helpers import kdmlog, well
from json_schema import faults


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger of a campaign with one note."""
    db = tmp_path_factory.mktemp("before") / "kdm.db"
    well(db, "new", "Edge", "--seed", "cli")
    well(db, "note", "first")
    return db


@pytest.fixture
def db(before: Path, tmp_path: Path) -> Path:
    """A ledger in whose place an older copy was put, without its last note."""
    path = tmp_path / "kdm.db"
    shutil.copy(before, path)
    well(path, "note", "second")
    shutil.copy(before, path)
    return path


READING = ("status", "log", "state", "oplog", "campaigns", "survivor list", "events", "branch")
WRITING = ("note x", "undo", "redo", "branch aside", "use edge", "roll 1d10", "play", "new Other")


@pytest.mark.parametrize("words", READING)
def test_reading_goes_on_with_a_warning(db: Path, words: str) -> None:
    said = kdmlog(db, *words.split())
    assert said.code == 0 and said.out
    assert said.err.startswith("Warning: The head of Edge was move 3; now the last one is 2.")
    assert said.err.count("\n") == 1
    told = kdmlog(db, "--json", *words.split())
    assert (told.code, faults(json.loads(told.err), "cli.warning")) == (0, [])
    assert json.loads(told.err)["warning"]["code"] == "lost_tail"


@pytest.mark.parametrize("words", WRITING)
def test_writing_is_refused(db: Path, words: str) -> None:
    before = db.read_bytes()
    said = kdmlog(db, *words.split())
    assert (said.code, said.out) == (3, "")
    assert said.err.startswith("The head of Edge was move 3; now the last one is 2.  Then: ")
    assert said.err.count("\n") == 1
    assert db.read_bytes() == before


def test_verify_names_the_move(db: Path) -> None:
    said = kdmlog(db, "verify")
    assert (said.code, said.out, said.err.count("\n")) == (3, "", 1)
    told = kdmlog(db, "--json", "verify")
    [finding] = json.loads(told.out)["findings"]
    assert (finding["code"], finding["move"]) == ("lost_tail", 3)
    error = json.loads(told.err)["error"]
    assert error["code"] == "lost_tail" and error["hints"]


@pytest.mark.parametrize("words", ["status", "campaigns", "note x", "new Edge", "use edge"])
def test_a_ledger_that_is_gone_is_not_begun_anew(db: Path, words: str) -> None:
    db.unlink()
    said = kdmlog(db, *words.split())
    assert (said.code, said.out) == (3, "")
    assert "gone" in said.err
    assert not db.exists()
