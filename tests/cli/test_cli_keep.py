"""A ledger that has lost moves is read with a warning; backups, and what is saved from damage."""

from __future__ import annotations

import json
import shutil
import sys
from io import StringIO
from pathlib import Path

import pytest
from cli_helpers import head, kdmlog, mark, well
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


def test_a_witness_that_cannot_be_one_is_told_of_once(before: Path, tmp_path: Path) -> None:
    db = tmp_path / "kdm.db"
    shutil.copy(before, db)
    db.with_name("kdm.db-head").mkdir()
    for words in ("status", "note x"):
        said = kdmlog(db, *words.split())
        assert said.code == 0 and said.out
        assert said.err.startswith("Warning: What the ledger has lost would go unnoticed")
        assert said.err.count("\n") == 1
    said = kdmlog(db, "verify")
    assert (said.code, said.out, said.err.count("\n")) == (3, "", 1)
    assert "no plain file" in said.err and "move it away" in said.err


@pytest.mark.parametrize("words", ["status", "campaigns", "note x", "new Edge", "use edge"])
def test_a_ledger_that_is_gone_is_not_begun_anew(db: Path, words: str) -> None:
    db.unlink()
    said = kdmlog(db, *words.split())
    assert (said.code, said.out) == (3, "")
    assert "gone" in said.err
    assert not db.exists()


# --- going on with what is left -------------------------------------------------------------------


def test_what_is_left_is_accepted_when_asked_to(db: Path) -> None:
    for words in (("--json",), ()):
        said = kdmlog(db, "recover", "--accept-head", *words)
        assert said.code == 1 and "Nothing was accepted" in said.err and "--yes" in said.err
        assert kdmlog(db, "note", "x").code == 3
    out = well(db, "recover", "--accept-head", "--yes")
    assert "was move 3" in out and "main stands at move 2" in out
    well(db, "note", "goes on")
    assert well(db, "verify") == ""
    assert "Nothing is missing" in well(db, "recover", "--accept-head")
    document = json.loads(well(db, "recover", "--accept-head", "--json"))
    assert faults(document, "cli.recover") == []
    assert (document["file"], document["campaigns"][0]["moves"]) == (None, 3)


def test_a_ledger_that_is_gone_can_be_given_up(db: Path) -> None:
    db.unlink()
    document = json.loads(well(db, "recover", "--accept-head", "--yes", "--json"))
    assert document == {"file": None, "campaigns": [], "packs_lost": 0}
    well(db, "new", "Anew")


def test_damage_is_not_accepted(db: Path) -> None:
    data = bytearray(db.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 2048] = bytes(2048)
    db.write_bytes(data)
    said = kdmlog(db, "recover", "--accept-head", "--yes")
    assert said.code == 3 and "damaged" in said.err and "recover FILE" in said.err


@pytest.mark.parametrize("words", ["recover", "recover new.db --accept-head"])
def test_recover_wants_one_or_the_other(before: Path, words: str) -> None:
    assert kdmlog(before, *words.split()).code == 2


# --- backups --------------------------------------------------------------------------------------


def test_a_backup_has_the_same_head_and_state(before: Path, tmp_path: Path) -> None:
    out = well(before, "backup", str(tmp_path / "usb"))
    [made] = (tmp_path / "usb").iterdir()
    assert out == f"{made}: edge at move 2.\n"
    assert (head(made), mark(made)) == (head(before), mark(before))
    document = json.loads(well(before, "--json", "backup", str(tmp_path / "usb")))
    assert faults(document, "cli.backup") == []
    assert Path(document["file"]).stat().st_size == document["bytes"]
    assert document["campaigns"][0]["hash"] == head(before)


def test_a_backup_is_restored_by_one_command(before: Path, tmp_path: Path) -> None:
    db = tmp_path / "kdm.db"
    shutil.copy(before, db)
    well(db, "backup")
    [made] = (tmp_path / "kdm-backups").iterdir()
    well(db, "note", "lost later on")
    assert kdmlog(made, "recover", str(db)).code == 1, "a ledger is never written over"
    db.unlink()
    out = well(made, "recover", str(db))
    assert out == f"Edge: 2 moves saved in {db}.\n      main stands at move 2.\n"
    assert (head(db), mark(db)) == (head(before), mark(before))
    well(db, "note", "on")
    assert well(db, "verify") == ""


def test_what_was_damaged_is_told(before: Path, tmp_path: Path) -> None:
    db = tmp_path / "kdm.db"
    shutil.copy(before, db)
    for n in range(200):
        well(db, "note", f"note {n}")
    data = bytearray(db.read_bytes())
    at = data.index(b"note 150")
    data[at : at + 4] = b"nope"
    db.write_bytes(data)
    said = kdmlog(db, "verify")
    assert said.code == 3 and "recover FILE" in said.err
    new = tmp_path / "new.db"
    out = well(db, "recover", str(new))
    number = int(out.split()[1])
    assert f"Move {number + 1} of line 1 is not what was appended." in out
    assert f"main stands at move {number}." in out
    assert db.read_bytes() == data
    new.unlink()
    (tmp_path / "new.db-head").unlink()
    document = json.loads(well(db, "--json", "recover", str(new)))
    assert faults(document, "cli.recover") == []
    assert document["campaigns"][0]["moves"] == number


def test_nothing_to_recover_names_the_newest_backup(before: Path, tmp_path: Path) -> None:
    db = tmp_path / "kdm.db"
    shutil.copy(before, db)
    well(db, "backup")
    [made] = (tmp_path / "kdm-backups").iterdir()
    db.write_bytes(b"cloud placeholder" * 1000)
    said = kdmlog(db, "recover", str(tmp_path / "new.db"))
    assert (said.code, said.out) == (3, "") and str(made) in said.err
    assert not (tmp_path / "new.db").exists()


def evening(db: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> str:
    monkeypatch.setattr(sys, "stdin", StringIO(text))
    said = kdmlog(db, "play")
    assert said.code == 0
    return said.err


def test_an_evening_ends_with_a_backup(
    before: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db, folder = tmp_path / "kdm.db", tmp_path / "kdm-backups"
    shutil.copy(before, db)
    assert evening(db, monkeypatch, "do\nlog\nquit\n") == ""
    assert not folder.exists(), "nothing was written"
    assert evening(db, monkeypatch, "note played\n") == ""
    [made] = folder.iterdir()
    assert made.name.startswith("kdm-auto-")
    assert (head(made), mark(made)) == (head(db), mark(db))
    for n in range(12):
        evening(db, monkeypatch, f"note {n}\nquit\n")
    assert len(list(folder.iterdir())) == 10


def test_an_evening_without_a_backup_is_logged_all_the_same(
    before: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tmp_path / "kdm.db"
    shutil.copy(before, db)
    (tmp_path / "kdm-backups").touch()
    err = evening(db, monkeypatch, "note played\nquit\n")
    assert err.startswith("Warning: No backup was made. ") and err.count("\n") == 1
    assert "played" in well(db, "log")


def test_a_session_whose_file_was_replaced_can_still_save_what_it_knows(
    before: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tmp_path / "kdm.db"
    shutil.copy(before, db)
    older = tmp_path / "older.db"
    shutil.copy(before, older)
    read = StringIO.readline

    class Evening(StringIO):
        """Puts an older copy in the ledger's place after the first line."""

        lines = 0

        def readline(self, *args: int) -> str:  # type: ignore[override]
            self.lines += 1
            if self.lines == 2:
                older.replace(db)
            return read(self, *args)

    monkeypatch.setattr(sys, "stdin", Evening("note one\nnote two\nbackup\nquit\n"))
    said = kdmlog(db, "play")
    assert "replaced while it was open" in said.err
    made = sorted((tmp_path / "kdm-backups").iterdir())
    assert len(made) == 2, "the one asked for, and the evening's"
    for one in made:
        assert "note: one" in well(one, "log")
