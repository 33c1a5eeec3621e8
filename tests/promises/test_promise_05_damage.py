"""Damage is named: bytes that changed are never shown as good, and what came before is saved."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kdmlog.ledger import Ledger

from .commands import command, run

SESSION = Path(__file__).parents[1] / "sessions" / "table.kdm"
SHOWN = (
    ("status", "--json"),
    ("log", "-n", "1000", "--json"),
    ("state",),
    ("oplog", "-n", "1000", "--json"),
    ("campaigns", "--json"),
    ("show", "--json"),
    ("events",),
)
"""What is asked of a damaged ledger; the last three in full only, being much the same."""
NEW = ("new.db", "new.db-head", "new.db-wal", "new.db-shm")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An evening with things taken back, a branch, and a second campaign."""
    db = tmp_path_factory.mktemp("made") / "kdm.db"
    run(db, "run", str(SESSION))
    for line in ("undo 3", "note otherwise", "branch aside --at 20", "switch aside", "note here"):
        run(db, *line.split())
    run(db, "switch", "main")
    for n in range(30):
        run(db, "note", f"evening note {n}")
    return db


@pytest.fixture(scope="module")
def truth(made: Path) -> dict[tuple[str, ...], str]:
    """What every question is answered while nothing is damaged."""
    return {words: run(made, *words) for words in SHOWN}


Rows = dict[tuple[int, int], tuple[Any, ...]]


def rows(db: Path) -> Rows:
    """Returns every move with its events, by its line and number."""
    with closing(sqlite3.connect(f"{db.as_uri()}?mode=ro", uri=True)) as connection:
        return {
            (row[0], row[1]): row
            for row in connection.execute(
                "SELECT m.line, m.number, kind, begins, input, by, at, request_id, writer, rules, "
                "hash, (SELECT group_concat(body) FROM event e "
                "WHERE e.line = m.line AND e.move = m.number) FROM move m"
            )
        }


def damaged(data: bytes, random: Random) -> tuple[bytes, int]:
    """Flips a bit, writes a byte, or blanks up to two pages, somewhere; returns where."""
    size = random.choice((1, 1, 1, 1, 8, 100, 512, 2048, 4096))
    at = random.randrange(len(data) - size)
    if size in (512, 2048, 4096):
        at -= at % 512
    changed = bytearray(data)
    if size > 8:
        changed[at : at + size] = bytes([random.choice((0, 255))]) * size
    else:
        for each in range(at, at + size):
            changed[each] ^= random.randrange(1, 256)
    return bytes(changed), at


def put(made: Path, folder: Path, data: bytes) -> Path:
    for each in folder.iterdir():
        if each.is_file():
            each.unlink()
    db = folder / "kdm.db"
    db.write_bytes(data)
    shutil.copy(f"{made}-head", f"{db}-head")
    return db


class Tally:
    """What became of each damaged copy."""

    def __init__(self) -> None:
        self.places = self.noticed = self.unused = self.recovered = self.hopeless = 0

    def __str__(self) -> str:
        return (
            f"{self.places} places: {self.noticed} told, {self.unused} held nothing that counts; "
            f"0 tracebacks, 0 wrong answers; {self.recovered} recovered, "
            f"{self.hopeless} with nothing left"
        )

    def look(self, db: Path, truth: dict[tuple[str, ...], str], whole: Rows, full: bool) -> None:
        """Asks a damaged ledger all that it is asked, and recovers it."""
        self.places += 1
        before = db.read_bytes()
        shown, said = 0, ""
        for words in SHOWN if full else SHOWN[:4]:
            code, out, err = command(db, *words)
            assert "stumbled" not in err and err.count("\n") <= 1, f"{words}: {err}"
            if code == 0 and not err:
                assert out == truth[words], f"{words} shows what never was"
                shown += 1
            else:
                assert code in (1, 3) or err.startswith(("Warning", '{"warning"')), (words, err)
                said = err
        code, out, err = command(db, "verify", "--json")
        assert "stumbled" not in err and code in (0, 3), err
        if code == 0:
            self.unused += 1
            # Which one is in use is no history: that may be lost, and is said again by ``use``.
            assert shown or "No campaign is in use" in said, "what is well can be shown"
        else:
            self.noticed += 1
        self.save(db, whole, well=code == 0)
        assert db.read_bytes() == before, "the damaged file is left alone"

    def save(self, db: Path, whole: Rows, *, well: bool) -> None:
        """Recovers the ledger: all that is in the new one was in the old."""
        new = db.with_name("new.db")
        code, out, err = command(db, "recover", str(new), "--json")
        assert "stumbled" not in err and err.count("\n") <= 1, err
        if code:
            assert code == 3 and "can be recovered" in err and not new.exists(), err
            assert not well
            self.hopeless += 1
            return
        self.recovered += 1
        found, told = rows(new), json.loads(out)
        assert found.items() <= whole.items(), "a move that never was"
        with Ledger.open(new, readonly=True) as ledger:
            assert [one.code for one in ledger.verify()] == ["pack"] * told["packs_lost"]
            assert ledger.lost is None
        if well:
            assert found == whole and told["packs_lost"] == 0
        assert sum(one["moves"] for one in told["campaigns"]) == len(found)


def test_bytes_changed_anywhere(
    made: Path,
    tmp_path: Path,
    truth: dict[tuple[str, ...], str],
    measured: Callable[[str], None],
    runs: Callable[[int, int], int],
) -> None:
    random, tally, data, whole = Random(5), Tally(), made.read_bytes(), rows(made)
    for n in range(runs(20, 1000)):
        changed, at = damaged(data, random)
        try:
            tally.look(put(made, tmp_path, changed), truth, whole, n % 5 == 0)
        except BaseException as error:
            error.add_note(f"damage {n}, at byte {at}")
            raise
    measured(str(tally))


def test_bytes_changed_in_what_was_logged(
    made: Path,
    tmp_path: Path,
    truth: dict[tuple[str, ...], str],
    measured: Callable[[str], None],
    runs: Callable[[int, int], int],
) -> None:
    """The first altered move is named, and all before it on its line is saved."""
    random, tally, data, whole = Random(6), Tally(), made.read_bytes(), rows(made)
    places = sorted(whole)
    named = 0
    for n in range(runs(12, 300)):
        line, number = random.choice(places)
        input, bodies = whole[line, number][4], whole[line, number][11]
        text = random.choice([input, *(bodies.split(",{") if n % 2 else [bodies[:300]])])[:400]
        at = data.find(text.encode())
        if at < 0 or data.find(text.encode(), at + 1) >= 0:
            continue  # over the border of a page, or said twice
        within = at + random.randrange(len(text.encode()))
        changed = bytearray(data)
        changed[within] ^= random.choice((1, 2, 4, 32, 128))
        db = put(made, tmp_path, bytes(changed))
        tally.look(db, truth, whole, full=False)
        findings = json.loads(command(db, "verify", "--json")[1])["findings"]
        assert findings[0]["move"] == number, (findings[0], number)
        saved = rows(tmp_path / "new.db")
        base = min(each for on, each in places if on == line)
        assert all((line, before) in saved for before in range(base, number))
        assert (line, number) not in saved
        named += 1
    measured(f"{named} times a letter of a move: that one named first; all before it saved")
    assert named > runs(5, 100)


@pytest.mark.parametrize("size", [0, 1, 99, 100, 2047, 2048, 4096, 20_000, "half", "page less"])
def test_a_file_cut_short(
    made: Path,
    tmp_path: Path,
    truth: dict[tuple[str, ...], str],
    size: int | str,
) -> None:
    data = made.read_bytes()
    size = {"half": len(data) // 2, "page less": len(data) - 2048}.get(str(size), size)
    assert isinstance(size, int)
    tally = Tally()
    tally.look(put(made, tmp_path, data[:size]), truth, rows(made), full=True)
    assert tally.noticed == 1
