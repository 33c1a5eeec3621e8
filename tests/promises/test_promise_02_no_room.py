"""No room harms nothing: what cannot be written says so in a line, and all that was there stays."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from kdmlog.core.errors import LedgerError
from kdmlog.ledger import Ledger

from .commands import command, run
from .crashes import answer, limit_size
from .programs import give_up_root
from .toy_moves import begun, check_whole, new_move

Measured = Callable[[str], None]
WRITING = ("note more", "new Other", "undo", "branch aside")
FILES = ("backup copies", "recover new.db", "export out.jsonl", "import in.jsonl")
"""``in.jsonl`` and what is to be written lie beside the ledger."""
READING = ("status", "log", "state", "verify", "campaigns")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a ledger, and an archive of another campaign."""
    folder = tmp_path_factory.mktemp("made")
    other = tmp_path_factory.mktemp("other") / "other.db"
    run(other, "new", "Elsewhere", "--seed", "y")
    for n in range(30):
        run(other, "note", f"note {n} elsewhere " * 20)
    run(other, "export", str(folder / "in.jsonl"))
    db = folder / "kdm.db"
    run(db, "new", "Edge", "--seed", "x")
    for n in range(12):
        run(db, "note", f"note {n}")
    return folder


def put(made: Path, folder: Path) -> Path:
    """Copies that folder's files, in the place of all that is there."""
    for each in folder.iterdir():
        shutil.rmtree(each) if each.is_dir() else each.unlink()
    for name in ("kdm.db", "kdm.db-head", "in.jsonl"):
        shutil.copy(made / name, folder)
    return folder / "kdm.db"


def words(line: str, folder: Path) -> list[str]:
    """Returns a command's words, its file in that folder."""
    name, *rest = line.split()
    return [
        name,
        *(
            str(folder / one) if name in ("backup", "recover", "export", "import") else one
            for one in rest
        ),
    ]


def head(db: Path) -> str:
    return str(json.loads(run(db, "status", "--json", "-c", "edge"))["hash"])


Said = list[tuple[int, str, str]]


def asked(line: str, db: Path) -> Said:
    """Runs a command, then all that read; returns what each said."""
    said = [command(db, *words(line, db.parent))]
    return said + [command(db, "-c", "edge", *one.split()) for one in READING]


def made_files(db: Path) -> list[Path]:
    """Returns what commands have written beside a ledger under names that were asked for."""
    return [*db.parent.glob("new.db"), *db.parent.glob("out.jsonl"), *db.parent.glob("copies/kdm*")]


class Tally:
    """What became of the commands that had no room."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.done = self.refused = 0

    def __str__(self) -> str:
        return f"{self.what}: {self.refused} of {self.refused + self.done} refused"

    def judge(self, line: str, db: Path, before: str, said: Said) -> None:
        """Holds a command and what was asked after it to what is promised."""
        (code, _, err), *looked = said
        for (seen, _, complaint), one in zip(looked, READING, strict=True):
            assert (seen, complaint) == (0, ""), f"{one} after {line}: {complaint}"
        if not code:
            self.done += 1
            assert err == ""
            return
        self.refused += 1
        assert code in (1, 3) and err.count("\n") == 1 and "stumbled" not in err, f"{line}: {err}"
        assert head(db) == before, "earlier moves are as they were"
        assert not made_files(db), f"{line}: a half file"


def goes_on(db: Path) -> None:
    """Asserts that all is well when there is room again."""
    assert run(db, "verify") == ""
    run(db, "-c", "edge", "note", "there is room again")


@pytest.mark.parametrize("line", [*WRITING, *FILES])
def test_no_file_may_grow(
    made: Path, tmp_path: Path, line: str, measured: Measured, runs: Callable[[int, int], int]
) -> None:
    """As with a quota: writing more fails at some byte, wherever that is."""
    random, tally = Random(2), Tally(f"no file may grow, {line.split()[0]}")
    size = (made / "kdm.db").stat().st_size
    for n in range(runs(2, 40)):
        db = put(made, tmp_path)
        before = head(db)
        limit = (0, 512, 33_000, random.randrange(size * 2), random.randrange(40_000))[n % 5]

        def work(limit: int = limit, db: Path = db) -> Said:
            limit_size(limit)
            return asked(line, db)

        tally.judge(line, db, before, answer(work))
        goes_on(db)
    measured(str(tally))
    assert tally.refused


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A disk of sixteen megabytes, where that can be had."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=16m", "kdmlog", str(disk)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no disk may be made here")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


@pytest.mark.skipif(sys.platform != "linux", reason="a disk in memory")
def test_the_disk_is_full(
    made: Path, small: Path, measured: Measured, runs: Callable[[int, int], int]
) -> None:
    random, tally = Random(3), Tally("the disk is full")
    for n in range(runs(8, 96)):
        line = (*WRITING, *FILES)[n % 8]
        db = put(made, small)
        before, filler = head(db), small / "filler"
        leave = random.choice((0, 0, 1, 4, 9, 20)) * 4096
        filler.write_bytes(bytes(shutil.disk_usage(small).free - leave))
        said = asked(line, db)
        filler.unlink()
        tally.judge(line, db, before, said)
        goes_on(db)
    measured(str(tally))
    assert tally.refused > runs(3, 40)


def test_the_file_has_its_last_page(tmp_path: Path, measured: Measured) -> None:
    """SQLite's own limit: it says that the disk is full at every page in turn."""
    told = 0
    for pages in range(12):
        with Ledger.open(tmp_path / f"{pages}.db") as ledger:
            head = ledger.extend(begun(ledger), map(new_move, range(20)))
            [now] = ledger.connection.execute("PRAGMA page_count").fetchone()
            ledger.connection.execute(f"PRAGMA max_page_count = {now + pages}")
            with pytest.raises(LedgerError) as caught:
                while True:
                    head = ledger.append(head, new_move(head.number))
            assert caught.value.code == "full"
            assert caught.value.message == "The disk is full; nothing was written."
            with pytest.raises(LedgerError):
                for n in range(99):
                    begun(ledger, f"other-{n}")
            assert ledger.head(1, "main") == head
            check_whole(ledger, head)
            told += 2
            ledger.connection.execute("PRAGMA max_page_count = 1000000")
            assert ledger.append(head, new_move(0)).number == head.number + 1
            assert ledger.verify() == []
    measured(f"SQLite is full: {told} told, all goes on afterwards")


@pytest.mark.parametrize("what", ["file", "folder", "both"])
def test_nothing_may_be_written(made: Path, tmp_path: Path, what: str, measured: Measured) -> None:
    tally = Tally(f"read-only {what}")
    folder = tmp_path / "there"
    for line in (*WRITING, *FILES):
        folder.mkdir(exist_ok=True)
        db = put(made, folder)
        before, data = head(db), db.read_bytes()
        for each in folder.iterdir():
            each.chmod(0o644 if what == "folder" else 0o444)
        folder.chmod(0o755 if what == "file" else 0o555)

        def work(line: str = line, db: Path = db) -> Said:
            give_up_root()
            return asked(line, db)

        try:
            said = answer(work)
        finally:
            folder.chmod(0o755)
            for each in (each for each in folder.iterdir() if each.is_file()):
                each.chmod(0o644)
        tally.judge(line, db, before, said)
        assert db.read_bytes() == data or not said[0][0]
        goes_on(db)
    measured(str(tally))
    assert tally.refused >= 3, "files, at least"
