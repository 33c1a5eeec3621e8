"""What users of comparable tools have lost: a damaged file, one without its log, a swapped one."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from cli_helpers import head, kdmlog, mark, well

from kdmlog.core.errors import LedgerError
from kdmlog.session import open_session


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "kdm.db"
    well(path, "new", "Edge", "--seed", "cli")
    for n in range(5):
        well(path, "note", f"note {n}")
    return path


def test_case_56_after_a_kill_all_is_there_and_the_backup_restores(
    db: Path, tmp_path: Path
) -> None:
    well(db, "backup")
    [backup] = (tmp_path / "kdm-backups").iterdir()
    before = head(db), mark(db)
    pid = os.fork()
    if not pid:
        with open_session(db) as session:
            session.note("printed")
            os._exit(9)
    os.waitpid(pid, 0)
    assert "note: printed" in well(db, "log")
    db.rename(tmp_path / "aside.db")
    said = kdmlog(backup, "recover", str(db))
    assert said.code == 1 and "move kdm.db-wal away first" in said.err
    (tmp_path / "kdm.db-wal").rename(tmp_path / "aside.db-wal")
    well(backup, "recover", str(db))
    assert (head(db), mark(db)) == before
    assert "note: printed" in well(tmp_path / "aside.db", "log"), "what was replaced is kept"


@pytest.mark.parametrize("size", [0, 100, 5000, -1, -3000])
def test_case_57_a_truncated_file_is_never_written_over(
    db: Path, tmp_path: Path, size: int
) -> None:
    os.truncate(db, size if size >= 0 else db.stat().st_size + size)
    before = db.read_bytes()
    for n in range(3):  # started again and again
        for words in (("note", "x"), ("new", "Another"), ("play",), ("use", "edge"), ("undo",)):
            said = kdmlog(db, *words)
            assert (said.code, said.out, said.err.count("\n")) == (3, "", 1), said
        # What is saved of it goes under a new name, each time.
        said = kdmlog(db, "recover", str(tmp_path / f"saved-{n}.db"))
        assert said.code in (0, 3)
        assert kdmlog(db, "recover", str(db)).code == 1
        assert db.read_bytes() == before


def test_case_59_a_copy_without_its_log_is_an_earlier_time_or_loud(
    db: Path, tmp_path: Path
) -> None:
    alone, witnessed = tmp_path / "alone" / "kdm.db", tmp_path / "witnessed" / "kdm.db"
    with open_session(db) as session:
        session.note("in the log only")
        for copy in (alone, witnessed):
            copy.parent.mkdir()
            shutil.copy(db, copy)
        shutil.copy(f"{db}-head", f"{witnessed}-head")
        made = well(db, "backup", str(tmp_path / "safe")).partition(": ")[0]
        assert head(Path(made)) == session.head.hash.hex(), "a single file, and all is in it"
    assert well(alone, "verify") == ""
    assert "note 4" in well(alone, "log") and "in the log only" not in well(alone, "log")
    assert "Warning: " in kdmlog(witnessed, "log").err
    assert kdmlog(witnessed, "note", "x").code == 3
    assert [one.name for one in (tmp_path / "safe").iterdir()] == [Path(made).name]


@pytest.mark.parametrize("renamed", [True, False])
def test_case_60_a_session_refuses_to_go_on_with_an_older_copy(
    db: Path, tmp_path: Path, renamed: bool
) -> None:
    older = Path(shutil.copy(db, tmp_path / "older.db"))
    for n in range(40):
        well(db, "note", f"later {n} " * 30)
    with open_session(db) as session:
        session.note("of this evening")
        stands = session.head
        if renamed:
            shutil.copy(older, tmp_path / "new")
            (tmp_path / "new").replace(db)
        else:
            db.write_bytes(older.read_bytes())
        with pytest.raises(LedgerError) as caught:
            session.note("lost for ever")
        assert caught.value.code == "lost_tail"
        assert session.head == stands
    said = kdmlog(db, "note", "after a restart")
    assert said.code == 3


def test_case_63_restoring_one_over_another_deletes_neither(db: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    well(other, "new", "Elsewhere")
    backups = []
    for each in (db, other):
        folder = tmp_path / f"{each.stem}-copies"
        well(each, "backup", str(folder))
        backups.append(next(folder.iterdir()))
    first = head(db), mark(db), well(db, "log")
    place = tmp_path / "place.db"
    for n, backup in enumerate((backups[0], backups[1], backups[0])):
        if place.exists():
            assert kdmlog(backup, "recover", str(place)).code == 1, "it is kept until moved away"
            place.rename(tmp_path / f"kept-{n}.db")
        well(backup, "recover", str(place))
    assert (head(place), mark(place), well(place, "log")) == first
    assert len(list(tmp_path.glob("kept-*.db"))) == 2
