"""A lost tail is noticed: told by every command, not written after until that is accepted."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from kdmlog.core.errors import LedgerError
from kdmlog.session import open_session

from .commands import command, run

Measured = Callable[[str], None]
Damage = Callable[[Path, Random], None]

FILES = ("", "-wal", "-head")
MOVES = 40
"""Moves in the log beside the file, after those that are in the file."""


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as a killed program leaves it: a ledger, its log with an evening's moves, and more.

    ``early.db`` is a whole older copy of the ledger, ``whole.db`` one with all of it.
    """
    folder = tmp_path_factory.mktemp("left")
    db = tmp_path_factory.mktemp("live") / "kdm.db"
    run(db, "new", "Edge", "--seed", "x")
    run(db, "survivor", "new", "Lucy", "f")
    shutil.copy(db, folder / "early.db")
    with open_session(db) as session:
        for n in range(60):
            session.note(f"note {n} of an evening before" * 9)
    with open_session(db) as session:
        for n in range(MOVES):
            session.note(f"note {n}")
            if n % 9 == 8:
                session.undo()
        for suffix in FILES:
            shutil.copy(f"{db}{suffix}", folder / f"kdm.db{suffix}")
    run(db, "backup", str(folder))
    [backup] = folder.glob("kdm-*.db")
    backup.rename(folder / "whole.db")
    return folder


@pytest.fixture
def db(left: Path, tmp_path: Path) -> Path:
    """A copy of that ledger, to be damaged."""
    return put(left, tmp_path)


def put(left: Path, folder: Path) -> Path:
    for suffix in (*FILES, "-shm"):
        (folder / f"kdm.db{suffix}").unlink(missing_ok=True)
    for suffix in FILES:
        shutil.copy(left / f"kdm.db{suffix}", folder)
    return folder / "kdm.db"


def wal(db: Path) -> Path:
    return db.with_name(f"{db.name}-wal")


def delete_log(db: Path, random: Random) -> None:
    wal(db).unlink()


def empty_log(db: Path, random: Random) -> None:
    os.truncate(wal(db), 0)


def cut_log(db: Path, random: Random) -> None:
    os.truncate(wal(db), random.randrange(wal(db).stat().st_size - 32))


def zero_in_log(db: Path, random: Random) -> None:
    """4 KiB of zeros, as a sector that was never written: SQLite's integrity_check says ok."""
    data = bytearray(wal(db).read_bytes())
    at = random.randrange(len(data) - 4096)
    data[at : at + 4096] = bytes(4096)
    wal(db).write_bytes(data)


def flip_in_log(db: Path, random: Random) -> None:
    data = bytearray(wal(db).read_bytes())
    data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    wal(db).write_bytes(data)


def older_copy(db: Path, random: Random) -> None:
    """The whole of an earlier evening, without a log."""
    wal(db).unlink()
    shutil.copy(db.parent.parent / "early.db", db)


def older_copy_under_the_log(db: Path, random: Random) -> None:
    """Only the file: SQLite lays the log that is there over it."""
    shutil.copy(db.parent.parent / "early.db", db)


def older_rename(db: Path, random: Random) -> None:
    wal(db).unlink()
    shutil.copy(db.parent.parent / "early.db", db.with_name("new"))
    db.with_name("new").replace(db)


DAMAGE: dict[Damage, tuple[int, int]] = {
    delete_log: (1, 1),
    empty_log: (1, 1),
    cut_log: (3, 60),
    zero_in_log: (4, 80),
    flip_in_log: (3, 60),
    older_copy: (1, 1),
    older_copy_under_the_log: (1, 1),
    older_rename: (1, 1),
}
"""How often each is done, in short and in full."""


def head(db: Path) -> str:
    return str(json.loads(command(db, "status", "--json")[1] or "{}").get("hash", ""))


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda damage: damage.__name__)
def test_a_loss_is_told_and_accepted(
    left: Path,
    tmp_path: Path,
    damage: Damage,
    measured: Measured,
    runs: Callable[[int, int], int],
) -> None:
    random = Random(4)
    shutil.copy(left / "early.db", tmp_path)
    folder = tmp_path / "it"
    folder.mkdir()
    truth = head(left / "whole.db")
    told = harmless = 0
    times = runs(*DAMAGE[damage])
    for _ in range(times):
        db = put(left, folder)
        damage(db, random)
        before = db.read_bytes()
        if head(db) == truth and command(db, "verify") == (0, "", ""):
            harmless += 1  # nothing that counts was hit, such as a page that was written again
            continue
        code, _, err = command(db, "status")
        assert err.count("\n") == 1
        assert code == 3 or err.startswith("Warning: ")
        code, out, err = command(db, "note", "must not be written")
        assert (code, out, err.count("\n")) == (3, "", 1), err
        code, _, err = command(db, "verify", "--json")
        assert code == 3
        assert db.read_bytes() == before, "nothing was written"
        told += 1
        if json.loads(err)["error"]["code"] == "lost_tail":
            accept(db)
        else:
            recovered(db, tmp_path)
    measured(f"{damage.__name__.replace('_', ' ')}: {told} of {times - harmless} told")
    assert told == times - harmless
    assert told >= times / 2


def accept(db: Path) -> None:
    """Goes on with what is left."""
    code, out, _ = command(db, "recover", "--accept-head")
    assert code == 1 and ("was move" in out or "last step" in out)
    run(db, "recover", "--accept-head", "--yes")
    number = int(run(db, "note", "goes on").split()[0])
    assert run(db, "verify") == ""
    assert int(run(db, "log", "-n", "1").split()[0]) == number


def recovered(db: Path, folder: Path) -> None:
    """What is damaged besides is not to be accepted; what is whole in it is saved."""
    code, _, err = command(db, "recover", "--accept-head", "--yes")
    assert code == 3 and "recover FILE" in err
    new = folder / "new.db"
    run(db, "recover", str(new))
    run(new, "note", "goes on")
    assert run(new, "verify") == ""
    for each in folder.glob("new.db*"):
        each.unlink()


def test_a_whole_ledger_alarms_nobody(db: Path) -> None:
    assert command(db, "verify") == (0, "", "")
    assert command(db, "status")[2] == ""
    run(db, "note", "goes on")
    assert run(db, "verify") == ""


@pytest.mark.parametrize("way", ["renamed", "written over", "removed"])
@pytest.mark.parametrize("copy", ["early.db", "kdm.db"])
def test_a_running_session_notices_too(
    left: Path, db: Path, tmp_path: Path, way: str, copy: str, measured: Measured
) -> None:
    """``kdm.db`` without its log is an older copy, too."""
    with open_session(db) as session:
        session.note("of this session")
        number = session.head.number
        if way == "removed":
            db.unlink()
        elif way == "renamed":
            shutil.copy(left / copy, tmp_path / "new")
            (tmp_path / "new").replace(db)
        else:
            db.write_bytes((left / copy).read_bytes())
        before = db.read_bytes() if db.exists() else b""
        if (way, copy) == ("written over", "kdm.db"):
            session.note("the same bytes as before: nothing was lost")
        else:
            with pytest.raises(LedgerError) as caught:
                session.note("must not be written")
            assert caught.value.code == "lost_tail"
            assert session.head.number == number
            assert (db.read_bytes() if db.exists() else b"") == before
            measured(f"{copy} {way} under a session: told")
