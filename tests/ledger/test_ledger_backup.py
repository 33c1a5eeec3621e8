"""Backups: whole, verified, never half there, and only our own old ones make room."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest
from ledger_helpers import append, run_python, start, story, undo

from kdmlog.core.errors import KdmlogError, LedgerError, Refused
from kdmlog.ledger import Ledger
from kdmlog.ledger.backup import KEPT, backup, backups, newest, prune

TIME = "20260101T000000Z"


def test_a_backup_is_the_ledger(path: Path, ledger: Ledger) -> None:
    head = undo(ledger, append(ledger, start(ledger), "a", "b", "c"))
    made = backup(ledger, backups(path), TIME)
    assert made == path.parent / "table.kdmlog-backups" / f"table.kdmlog-{TIME}.db"
    assert [each.name for each in made.parent.iterdir()] == [made.name]
    head = append(ledger, head, "later")
    with Ledger.open(made, readonly=True) as copy:
        assert (copy.verify(), story(copy, copy.head(1, "main"))) == ([], "a b")
        assert copy.oplog(1) == ledger.oplog(1)[1:]
    assert [each.name for each in made.parent.iterdir()] == [made.name], "a single file"
    with Ledger.open(made) as copy:
        assert append(copy, copy.head(1, "main"), "later") == head


def test_a_ledger_that_ends_in_db_drops_that(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "kdm.db") as ledger:
        start(ledger)
        made = backup(ledger, backups(tmp_path / "kdm.db"), TIME, automatic=True)
    assert made == tmp_path / "kdm-backups" / f"kdm-auto-{TIME}.db"


def test_a_name_taken_gets_a_number(path: Path, ledger: Ledger, tmp_path: Path) -> None:
    start(ledger)
    made = [backup(ledger, tmp_path, TIME).name for _ in range(3)]
    assert made == [f"table.kdmlog-{TIME}{n}.db" for n in ("", "-2", "-3")]


def test_the_last_automatic_ones_stay_and_all_others(path: Path, ledger: Ledger) -> None:
    append(ledger, start(ledger), "a")
    folder = backups(path)
    names = [f"202601{day:02}T000000Z" for day in range(1, 13)]
    for name in names:
        backup(ledger, folder, name, automatic=True)
    backup(ledger, folder, names[-1], automatic=True)
    backup(ledger, folder, "20250101T000000Z")
    others = [f"other-auto-{TIME}.db", f"table.kdmlog-auto-{TIME}.db.txt", "table.kdmlog-auto-x.db"]
    for other in others:
        (folder / other).touch()
    removed = prune(path, folder)
    assert [each.name for each in removed] == [
        f"table.kdmlog-auto-{name}.db" for name in names[: len(names) + 1 - KEPT]
    ]
    left = {each.name for each in folder.iterdir()}
    assert left >= {*others, "table.kdmlog-20250101T000000Z.db"}
    assert len({name for name in left if name.startswith("table.kdmlog-auto-2026")}) == KEPT + 1
    last = newest(path)
    assert last is not None and last.name == f"table.kdmlog-auto-{names[-1]}-2.db"


def test_there_is_no_newest_without_any(path: Path) -> None:
    assert newest(path) is None
    assert prune(path, backups(path)) == []


def test_a_damaged_ledger_makes_no_backup(path: Path, ledger: Ledger) -> None:
    append(ledger, start(ledger), "a")
    ledger.connection.execute("DROP TRIGGER move_no_update")
    with pytest.raises(LedgerError, match="no backup was made") as caught:
        backup(ledger, backups(path), TIME)
    assert caught.value.code == "damaged"
    assert list(backups(path).iterdir()) == []


def test_a_folder_that_cannot_be_made_is_said(path: Path, ledger: Ledger, tmp_path: Path) -> None:
    start(ledger)
    for folder in (tmp_path / "no" / "such", path):
        with pytest.raises(Refused) as caught:
            backup(ledger, folder, TIME)
        assert caught.value.code == "unwritable"


def test_a_backup_that_fails_leaves_nothing(
    path: Path, ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append(ledger, start(ledger), "a")

    def fail(descriptor: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", fail)
    folder = tmp_path / "copies"
    with pytest.raises(KdmlogError):
        backup(ledger, folder, TIME)
    assert list(folder.iterdir()) == []


def test_what_a_killed_backup_leaves_is_no_backup(path: Path, ledger: Ledger) -> None:
    append(ledger, start(ledger), "a")
    code = """
import os, sys
from pathlib import Path
import kdmlog.ledger.backup as b
from kdmlog.ledger import Ledger
import kdmlog.ledger.drafts as d
d.sync = lambda path: os._exit(9)
with Ledger.open(sys.argv[1], readonly=True) as ledger:
    b.backup(ledger, Path(sys.argv[2]), "20260101T000000Z")
"""
    process = run_python(code, path, backups(path))
    assert (process.communicate(), process.returncode) == (("", ""), 9)
    [left] = backups(path).iterdir()
    assert left.name.startswith(".") and newest(path) is None
    assert backup(ledger, backups(path), TIME).name == f"table.kdmlog-{TIME}.db"


def test_a_backup_while_others_write_is_of_one_moment(path: Path, ledger: Ledger) -> None:
    append(ledger, start(ledger), "a")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    other.execute("INSERT INTO setting (key, value) VALUES ('half', 'done')")
    made = backup(ledger, backups(path), TIME)
    other.execute("ROLLBACK")
    other.close()
    with Ledger.open(made, readonly=True) as copy:
        assert copy.connection.execute("SELECT 1 FROM setting WHERE key = 'half'").fetchall() == []
