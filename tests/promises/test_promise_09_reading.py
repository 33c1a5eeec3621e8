"""Reading is pure: no command that reads changes a byte, and all work where nothing can be."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import traceback
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from .commands import command
from .programs import give_up_root
from .reading import reading

SESSION = Path(__file__).parents[1] / "sessions" / "table.kdm"
READ_ONLY = "The ledger can only be read here; nothing was written.\n"
WAYS = [(*before, *words) for words in reading() for before in ((), ("--json",))]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A fight with a question open, and a settlement; each with a branch and things taken back."""
    folder = tmp_path_factory.mktemp("reading")
    text = SESSION.read_text()
    settled = text.index("settlement craft")
    fight = text.index("\n", text.index("answer", text.index("monster turn"))) + 1
    for name, until in (("fight", fight), ("settled", settled)):
        (folder / f"{name}.kdm").write_text(text[:until])
        db = folder / f"{name}.db"
        for words in (
            ["run", str(folder / f"{name}.kdm")],
            ["branch", "other", "--at", "4"],
            ["note", "to be taken back"],
            ["undo"],
        ):
            assert command(db, *words)[0] == 0
    return {name: folder / f"{name}.db" for name in ("fight", "settled")}


@pytest.fixture(scope="module")
def told(played: dict[str, Path]) -> dict[str, list[tuple[int, str, str]]]:
    """What every command says when nothing is in its way."""
    return {name: [command(db, *words) for words in WAYS] for name, db in played.items()}


def rows(db: Path) -> dict[str, list[Any]]:
    """Returns every row of every table."""
    with closing(sqlite3.connect(f"file:{db}?mode=ro", uri=True)) as connection:
        names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        return {
            name: connection.execute(f"SELECT * FROM {name}").fetchall()
            for (name,) in names.fetchall()
        }


def files(folder: Path) -> dict[str, bytes]:
    """Returns what lies in a folder, but for SQLite's index of a -wal and an empty one."""
    kept = (one for one in folder.iterdir() if not one.name.endswith("-shm"))
    return {one.name: data for one in kept if (data := one.read_bytes())}


def test_no_command_that_reads_changes_a_byte(
    played: dict[str, Path], tmp_path: Path, measured: Callable[[str], None]
) -> None:
    well: set[tuple[str, ...]] = set()
    for name, made in played.items():
        db = Path(shutil.copy(made, tmp_path / f"{name}.db"))
        before, there = rows(db), files(tmp_path)
        for words in WAYS:
            code, _, err = command(db, *words)
            assert code in (0, 1) and "stumbled" not in err, f"{words}: {err}"
            assert files(tmp_path) == there, f"{words} changes the file"
            if code == 0:
                well.add(words)
        assert rows(db) == before
        db.unlink()
    assert set(WAYS) - well == set(), "no ledger here lets them work"
    measured(f"{len(WAYS)} ways to read, twice: 0 bytes changed")


def test_a_read_of_a_live_ledger_changes_no_row(played: dict[str, Path], tmp_path: Path) -> None:
    """While another program has the ledger open, and its last moves are only in the -wal."""
    db = Path(shutil.copy(played["settled"], tmp_path / "kdm.db"))
    with closing(sqlite3.connect(db, isolation_level=None)) as other:
        other.execute("INSERT INTO cache (key, value) VALUES ('x', x'00')")
        wal = tmp_path / "kdm.db-wal"
        before, there, log = rows(db), db.read_bytes(), wal.read_bytes()
        assert log
        for words in WAYS:
            command(db, *words)
            assert (db.read_bytes(), wal.read_bytes()) == (there, log), words
        assert rows(db) == before


@pytest.mark.skipif(os.name != "posix", reason="file modes")
@pytest.mark.parametrize("modes", [(0o444, 0o755), (0o644, 0o555), (0o444, 0o555)])
def test_all_work_where_nothing_can_be_written(
    played: dict[str, Path],
    told: dict[str, list[tuple[int, str, str]]],
    tmp_path: Path,
    modes: tuple[int, int],
    measured: Callable[[str], None],
) -> None:
    folder = tmp_path / "there"
    folder.mkdir()
    dbs = {name: Path(shutil.copy(db, folder / f"{name}.db")) for name, db in played.items()}
    for db in dbs.values():
        db.chmod(modes[0])
    folder.chmod(modes[1])
    before = files(folder)

    def look() -> dict[str, list[tuple[int, str, str]]]:
        give_up_root()
        for db in dbs.values():
            if modes[0] == 0o444:
                with pytest.raises(PermissionError):
                    db.open("r+b")
            code, _, err = command(db, "note", "x")
            if modes[0] == 0o444:
                assert (code, err) == (3, READ_ONLY)
        return {name: [command(db, *words) for words in WAYS] for name, db in dbs.items()}

    try:
        found = in_a_fork(look)
    finally:
        folder.chmod(0o755)
    assert files(folder) == before
    for name, said in told.items():
        for words, there, here in zip(WAYS, said, found[name], strict=True):
            assert tuple(here) == there, words
    file, place = ("writable" if mode & 0o200 else "read-only" for mode in modes)
    measured(f"{file} file in a {place} folder: all the same")


def in_a_fork(work: Callable[[], Any]) -> Any:
    """Returns what ``work`` returns, as JSON gives it back, run where it can give up its rights."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            answer = {"found": work()}
        except BaseException:
            answer = {"failed": traceback.format_exc()}
        with os.fdopen(write, "w") as pipe:
            json.dump(answer, pipe)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        answer = json.load(pipe)
    os.waitpid(child, 0)
    assert "failed" not in answer, answer["failed"]
    return answer["found"]
