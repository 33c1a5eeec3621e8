"""Backups restore: an evening's backup gives the same head and state, and none is half there."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from kdmlog.core.fingerprint import fingerprint
from kdmlog.ledger.backup import KEPT
from kdmlog.session import open_session
from kdmlog.session.keep import back_up

from .commands import command, run
from .crashes import Tell, child, die_at_size

Measured = Callable[[str], None]
SESSION = Path(__file__).parents[1] / "sessions" / "table.kdm"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign with an evening behind it."""
    db = tmp_path_factory.mktemp("made") / "kdm.db"
    run(db, "run", str(SESSION))
    return db


@pytest.fixture
def db(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made, tmp_path / "kdm.db"))


def stands(db: Path) -> dict[str, tuple[str, str]]:
    """Returns the head and the whole state, hidden parts too, of each branch."""
    found = {}
    with open_session(db, readonly=True) as session:
        names = [branch.name for branch in session.branches()]
    for name in names:
        with open_session(db, branch=name, readonly=True) as session:
            found[name] = session.head.hash.hex(), fingerprint(session.table.state)
    return found


def play(db: Path, lines: list[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """Plays an evening; returns what was said on stderr."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join([*lines, "quit", ""])))
    code, _, err = command(db, "play")
    assert code == 0
    return err


def saved(db: Path) -> list[Path]:
    """Returns the backups beside a ledger, oldest first."""
    found = db.with_name("kdm-backups").glob("kdm-auto-2*.db")
    return sorted(found, key=lambda path: (path.name[:25], len(path.name), path.name))


def test_each_evening_s_backup_restores(
    db: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    measured: Measured,
    runs: Callable[[int, int], int],
) -> None:
    random, restored, evenings = Random(6), 0, runs(3, 25)
    for evening in range(evenings):
        lines = random.choice(
            (
                ["note one", "note two", "undo"],
                ["undo 2", "note otherwise"],
                [f"branch way-{evening}", f"switch way-{evening}", "note aside"],
                ["switch main", "roll 2d10 --dice 3,4"],
            )
        )
        assert play(db, [*lines, f"note evening-{evening}"], monkeypatch) == ""
        newest = saved(db)[-1]
        assert stands(newest) == stands(db)
        back = tmp_path / "back" / "kdm.db"
        shutil.rmtree(back.parent, ignore_errors=True)
        back.parent.mkdir()
        run(newest, "recover", str(back))  # the one command that restores a backup
        assert stands(back) == stands(db)
        run(back, "note", "on")
        assert run(back, "verify") == ""
        restored += 1
    assert len(saved(db)) == min(evenings, KEPT)
    measured(f"{restored} of {evenings} restored: same heads and states; {KEPT} kept")


def test_the_oldest_automatic_ones_go_and_no_other(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, measured: Measured
) -> None:
    run(db, "backup")
    run(db, "backup", str(tmp_path / "usb"))
    [own] = db.with_name("kdm-backups").iterdir()
    mine = own.with_name("kdm-auto-of-mine.db")
    mine.touch()
    for n in range(KEPT + 3):
        assert play(db, [f"note {n}"], monkeypatch) == ""
    kept = saved(db)
    assert len(kept) == KEPT
    assert own.exists() and mine.exists() and len(list((tmp_path / "usb").iterdir())) == 1
    assert stands(kept[-1]) == stands(db)
    measured(f"of {KEPT + 3} evenings the last {KEPT} kept, and those made by hand")


def test_an_evening_of_reading_makes_none(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert play(db, ["log", "do", "board"], monkeypatch).count("Warning") == 0
    assert saved(db) == []


def test_a_backup_that_is_killed_has_no_name(
    db: Path, tmp_path: Path, measured: Measured, runs: Callable[[int, int], int]
) -> None:
    random, kills, times = Random(7), 0, runs(8, 120)
    folder, size = tmp_path / "copies", db.stat().st_size
    for n in range(times):
        shutil.rmtree(folder, ignore_errors=True)

        def work(tell: Tell, at: int = random.randrange(size)) -> None:
            die_at_size(at)
            back_up(db, folder)

        died = (
            child(work) if n % 2 else child(lambda _: again(db, folder), after=random.random() / 9)
        )
        kills += bool(died.signal)
        names = (
            [one for one in folder.glob("*") if not one.name.startswith(".")]
            if folder.exists()
            else []
        )
        for one in names:
            assert stands(one) == stands(db), "what has its name is whole"
        assert n % 2 == 0 or names == []
    run(db, "backup", str(folder))
    assert run(db, "verify") == ""
    measured(f"{kills} of {times} killed: no half file under a final name")


def again(db: Path, folder: Path) -> None:
    while True:
        back_up(db, folder)
