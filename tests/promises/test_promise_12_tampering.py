"""Tampering is found: bytes, rows and tails, the last against a hash that was noted before."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kdmlog.ledger.hashing import genesis, move_hash
from kdmlog.ledger.structs import NewMove
from kdmlog.session import open_session

from .commands import command, run
from .tamper import findings, found_so_far, opened, rows, story, unguarded

FREE = ("id", "line", "number", "position", "campaign", "move", "first", "last")
"""Columns that are local to a file."""


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return story(tmp_path_factory.mktemp("tampering") / "tale.db")


@pytest.fixture
def connection(db: Path) -> Iterator[sqlite3.Connection]:
    with opened(db) as connection:
        yield connection


def test_a_single_byte_anywhere(
    connection: sqlite3.Connection,
    measured: Callable[[str], None],
    runs: Callable[[int, int], int],
) -> None:
    random, places = Random(12), []
    for row in rows(connection):
        for column, value in row.values.items():
            if isinstance(value, str | bytes):
                every = range(len(value)) if row.table != "pack" else range(0, len(value), 997)
                places += [(row, column, at) for at in every]
    chosen = random.sample(places, min(runs(100, 1_000_000), len(places)))
    for row, column, at in chosen:
        value = row.values[column]
        if isinstance(value, str):
            other: Any = f"{value[:at]}{chr(ord(value[at]) ^ 1)}{value[at + 1 :]}"
        else:
            other = value[:at] + bytes([value[at] ^ 1 << random.randrange(8)]) + value[at + 1 :]
        sql = f"UPDATE {row.table} SET {column} = ? WHERE {row.where}"
        found = findings(connection, sql, other, *row.key)
        assert found is None or found, (row.table, row.key, column, at)
    measured(f"{len(chosen)} of {len(places)} bytes edited, one at a time: all found")


def test_a_row_deleted(connection: sqlite3.Connection, measured: Callable[[str], None]) -> None:
    every = rows(connection)
    last_step = max(row.values["id"] for row in every if row.table == "ref")
    deleted = 0
    for row in every:
        if row.table == "ref" and row.key == (last_step,):
            continue  # a tail: see below
        assert findings(connection, f"DELETE FROM {row.table} WHERE {row.where}", *row.key), row
        deleted += 1
    measured(f"{deleted} rows deleted, one at a time: all found")


def test_a_row_inserted(connection: sqlite3.Connection, measured: Callable[[str], None]) -> None:
    """A copy of each row, at each place that is still free near it."""
    inserted = 0
    for row in rows(connection):
        for key in _free_keys(connection, row.table, row.values):
            values = {**row.values, **key}
            names, marks = ", ".join(values), ", ".join("?" * len(values))
            sql = f"INSERT INTO {row.table} ({names}) VALUES ({marks})"
            assert findings(connection, sql, *values.values()), (row, key)
            inserted += 1
    measured(f"{inserted} rows inserted: all found")


def _free_keys(
    connection: sqlite3.Connection, table: str, values: dict[str, Any]
) -> list[dict[str, Any]]:
    if table == "pack":
        return [{"hash": "0" * 64}]
    if table in ("move", "event"):
        key = "number" if table == "move" else "position"
        ends = connection.execute(f"SELECT line, max({key}) FROM {table} GROUP BY line").fetchall()
        return [{"line": line, key: end + more} for line, end in ends for more in (1, 2)]
    [(last,)] = connection.execute(f"SELECT max(id) FROM {table}").fetchall()
    if table == "campaign":
        return [{"id": last + 1, "uid": "other", "slug": "other-than-any"}]
    return [{"id": last + 1}, {"id": last + 7}]


def test_two_rows_swapped(connection: sqlite3.Connection, measured: Callable[[str], None]) -> None:
    """What two rows of a table hold changes places, each keeping its own key."""
    by_table: dict[str, list[Any]] = {}
    for row in rows(connection):
        by_table.setdefault(row.table, []).append(row)
    swapped = 0
    for table in ("move", "event", "ref", "campaign"):
        for one, other in combinations(by_table[table], 2):
            columns = [name for name in one.values if name not in FREE]
            contents = [[row.values[name] for name in columns] for row in (one, other)]
            if contents[0] == contents[1]:
                continue
            connection.execute("BEGIN")
            with unguarded(connection):
                update = f"UPDATE {table} SET {', '.join(f'{name} = ?' for name in columns)}"
                if table == "campaign":  # both are unique: out of the way first
                    connection.execute("UPDATE campaign SET uid = uid || '-', slug = slug || '-'")
                for row, content in zip((one, other), reversed(contents), strict=True):
                    connection.execute(f"{update} WHERE {row.where}", (*content, *row.key))
            assert found_so_far(connection), (one, other)
            swapped += 1
    measured(f"{swapped} pairs of rows swapped: all found")


# --- tails ----------------------------------------------------------------------------------------


def test_an_earlier_file_put_back_shows_against_a_remembered_head(
    tmp_path: Path, measured: Callable[[str], None], runs: Callable[[int, int], int]
) -> None:
    """Every earlier state of a ledger is in order; it has not the hash that was noted since."""
    db = tmp_path / "tale.db"
    run(db, "new", "Tale", "--seed", "tale")
    words = ["roll d10", "note one", "undo", "branch b", "note two", "undo", "redo", "roll 2d10"]
    earlier: list[tuple[Path, str, str]] = []
    for number, line in enumerate(["", *words]):
        if line:
            run(db, *line.split())
        copy = Path(shutil.copy(db, tmp_path / f"{number}.db"))
        with open_session(copy, readonly=True) as session:
            earlier.append((copy, session.head.hash.hex(), session.oplog()[0].hash.hex()))
    missed = 0
    for one, other in list(combinations(range(len(earlier)), 2))[:: runs(5, 1)]:
        copy = earlier[one][0]
        assert run(copy, "verify") == ""
        _, move, step = earlier[other]
        heads = {move, step} - {hash for _, *hashes in earlier[: one + 1] for hash in hashes}
        for head in heads:
            code, out, err = command(copy, "verify", "--head", f"h:{head}")
            assert (code, out) == (3, "")
            assert f"Nothing in Tale has the hash h:{head}" in err
            missed += 1
        for _, *hashes in earlier[: one + 1]:
            for head in hashes:
                assert run(copy, "verify", "--head", head) == ""
    measured(f"{missed} heads noted later are missed in earlier files")


def test_a_tail_cut_off_shows_against_a_remembered_head(tmp_path: Path) -> None:
    db, notes = told(tmp_path / "tale.db")
    for number in range(1, len(notes)):
        copy = Path(shutil.copy(db, tmp_path / f"{number}.db"))
        with opened(copy) as connection, unguarded(connection):
            connection.execute("DELETE FROM event WHERE move > ?", (number,))
            connection.execute("DELETE FROM move WHERE number > ?", (number,))
        for at, hash in enumerate(notes, 1):
            assert command(copy, "verify", "--head", hash)[0] == (0 if at <= number else 3)


def test_a_tail_rewritten_and_hashed_anew_shows_only_against_a_remembered_head(
    tmp_path: Path, measured: Callable[[str], None]
) -> None:
    """Nobody can tell a forged chain from one that was played, who has not seen its head before."""
    db, notes = told(tmp_path / "tale.db")
    for number in range(1, len(notes) + 1):
        copy = Path(shutil.copy(db, tmp_path / f"{number}.db"))
        forge(copy, number)
        assert run(copy, "verify") == "", "a whole new tail is as good as any"
        for at, hash in enumerate(notes, 1):
            code = command(copy, "verify", "--head", hash[:12])[0]
            assert code == (0 if at < number else 3), (number, at)
    measured(
        f"{len(notes)} tails hashed anew: unseen alone, all seen against the head noted before"
    )


def test_a_rewritten_tail_is_found_by_what_an_undo_or_a_branch_remembers(tmp_path: Path) -> None:
    db, notes = told(tmp_path / "tale.db")
    run(db, "undo")
    run(db, "branch", "b", "--at", "3")
    for number in range(1, len(notes) + 1):
        copy = Path(shutil.copy(db, tmp_path / f"{number}.db"))
        forge(copy, number)
        assert command(copy, "verify")[0] == 3


@pytest.mark.parametrize("hash", ["h:a31f", "a31f", "h:", "", "hello, world", "h:zzzzzzzz"])
def test_what_is_no_hash_is_said_to_be_none(db: Path, hash: str) -> None:
    code, out, err = command(db, "verify", "--head", hash)
    assert (code, out) == (1, "")
    assert err.count("\n") == 1 and "hash" in err


def told(db: Path) -> tuple[Path, list[str]]:
    """Makes a campaign of some moves in a row; returns it and what each head was."""
    run(db, "new", "Tale", "--seed", "tale")
    for line in ("roll d10", "note one", "roll 2d10", "note two"):
        run(db, *line.split())
    with open_session(db, readonly=True) as session:
        return db, [move.hash.hex() for move in session.ledger.moves(session.head)]


def forge(db: Path, number: int) -> None:
    """Changes who made a move, and computes that hash and all after it anew."""
    with opened(db) as connection, unguarded(connection):
        [(uid,)] = connection.execute("SELECT uid FROM campaign").fetchall()
        connection.execute("UPDATE move SET by = 'Eve' WHERE number = ?", (number,))
        previous = genesis(uid)
        for at, *fields in connection.execute(
            "SELECT number, kind, begins, input, by, at, request_id, writer, rules FROM move "
            "ORDER BY number"
        ).fetchall():
            kind, begins, input, by, time, request_id, writer, rules = fields
            bodies = connection.execute(
                "SELECT body FROM event WHERE move = ? ORDER BY position", (at,)
            )
            move = NewMove(
                kind=kind,
                begins=begins,
                input=input,
                bodies=[body for (body,) in bodies],
                by=by,
                at=time,
                request_id=request_id,
                rules=rules,
                writer=writer,
            )
            previous = move_hash(previous, uid, at, move)
            connection.execute("UPDATE move SET hash = ? WHERE number = ?", (previous, at))


def test_the_forger_here_forges_well(tmp_path: Path) -> None:
    """Else the tests above would show nothing."""
    db, notes = told(tmp_path / "tale.db")
    forge(db, 3)
    with open_session(db, readonly=True) as session:
        forged = [move.hash.hex() for move in session.ledger.moves(session.head)]
        assert session.entry(3).by == "Eve"
    assert [one == other for one, other in zip(notes, forged, strict=True)] == [True] * 2 + [
        False
    ] * 3
    assert all(one != other for one, other in pairwise(forged))
