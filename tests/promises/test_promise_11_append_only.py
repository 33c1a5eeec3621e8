"""The history is append-only; where that is got round, verify names what was altered first."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kdmlog.ledger import Finding

from .commands import command
from .tamper import (
    APPEND_ONLY,
    Row,
    findings,
    found_so_far,
    opened,
    rows,
    story,
    triggers,
    unguarded,
)


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return story(tmp_path_factory.mktemp("append_only") / "tale.db")


@pytest.fixture
def connection(db: Path) -> Iterator[sqlite3.Connection]:
    with opened(db) as connection:
        yield connection


def altered(value: Any) -> list[Any]:
    """Returns other values for a column, of its type where it has one."""
    match value:
        case int():
            return [value + 1, value - 1, value + 1000, None]
        case str():
            return [value + " ", value[:-1], "x", "", None]
        case bytes():
            return [value[:-1] + bytes([value[-1] ^ 1]), value[:-1], bytes(32), None]
        case None:
            return [1, 2, "x"]
    raise AssertionError(value)


def named(finding: Finding) -> tuple[Any, ...] | None:
    """Returns the move or step that a finding names."""
    if finding.ref is not None:
        return ("ref", finding.ref)
    if finding.move is not None:
        return ("move", finding.line, finding.move)
    return None


def belongs(row: Row) -> tuple[Any, ...] | None:
    """Returns the move or step that has to be named for a row; None where there is none."""
    match row.table:
        case "move":
            return ("move", row.values["line"], row.values["number"])
        case "event":
            return ("move", row.values["line"], row.values["move"])
        case "ref":
            return ("ref", row.values["id"])
    return None


def test_every_column_of_every_row(
    connection: sqlite3.Connection,
    measured: Callable[[str], None],
    runs: Callable[[int, int], int],
) -> None:
    """One after the other is edited; the first move or step named is the one it belongs to."""
    edits = refused = 0
    for row in rows(connection):
        for column, value in row.values.items():
            for other in altered(value)[: runs(1, 9)]:
                if other == value:
                    continue
                sql = f"UPDATE {row.table} SET {column} = ? WHERE {row.where}"
                found = findings(connection, sql, other, *row.key)
                if found is None:
                    refused += 1
                    continue
                edits += 1
                what = f"{row.table} {row.key} {column}: {value!r} to {other!r}: {found}"
                assert found, what
                if (expected := belongs(row)) is not None:
                    told = list(filter(None, map(named, found)))
                    if column not in (*APPEND_ONLY[row.table], "move"):
                        assert told[:1] == [expected], what
                        continue
                    # Put elsewhere it is missed here, or one too many there.
                    there = belongs(Row(row.table, "", (), {**row.values, column: other}))
                    assert {expected, there} & set(told), what
    assert edits > runs(200, 700)
    measured(f"{edits} edits, each column of each row: all found, the first altered one named")


def test_a_trigger_dropped_or_changed(
    db: Path, tmp_path: Path, measured: Callable[[str], None]
) -> None:
    guards = 0
    for name, sql in triggers_of(db).items():
        for instead in ("", f"{sql.split(' BEGIN')[0]} BEGIN SELECT 1; END"):
            copy = tmp_path / "copy.db"
            copy.write_bytes(db.read_bytes())
            with opened(copy) as connection:
                connection.execute(f"DROP TRIGGER {name}")
                if instead:
                    connection.execute(instead)
            code, out, err = command(copy, "verify")
            assert (code, out) == (3, "") and f"The trigger {name} " in err
        guards += 1
    assert guards == 3 * len(APPEND_ONLY)
    measured(f"{guards} triggers dropped and changed: each named")


def triggers_of(db: Path) -> dict[str, str]:
    with opened(db) as connection:
        return triggers(connection)


@pytest.mark.parametrize("kind", ["table", "index", "view"])
def test_all_else_of_the_schema(connection: sqlite3.Connection, kind: str) -> None:
    names = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = ? AND sql IS NOT NULL", (kind,)
    ).fetchall()
    games = ("death", "injury", "severe_injury", "stat_change", "wound_attempt")
    for (name,) in names:
        if name not in games:
            found = findings_after_drop(connection, kind, name)
            assert any(f"The {kind} {name} is missing." == one.message for one in found), name


def findings_after_drop(connection: sqlite3.Connection, kind: str, name: str) -> list[Finding]:
    connection.execute("BEGIN")
    connection.execute(f"DROP {kind} {name}")
    return found_so_far(connection)


@pytest.mark.parametrize("table", APPEND_ONLY)
def test_insert_or_replace_from_another_program(connection: sqlite3.Connection, table: str) -> None:
    """``recursive_triggers`` is off there: what is replaced is deleted without a trigger."""
    assert connection.execute("PRAGMA recursive_triggers").fetchone() == (0,)
    for row in rows(connection):
        if row.table != table:
            continue
        names, marks = ", ".join(row.values), ", ".join("?" * len(row.values))
        sql = f"INSERT OR REPLACE INTO {table} ({names}) VALUES ({marks})"
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            connection.execute(sql, tuple(row.values.values()))
        # With the guard gone it goes through, and is found.
        column = "campaign" if table == "line" else list(row.values)[-1]
        values = {**row.values, column: altered(row.values[column])[0]}
        found = findings(connection, sql, *values.values())
        assert found, row
        if (expected := belongs(row)) is not None:
            assert next(filter(None, map(named, found))) == expected


def test_a_schema_rewritten_in_place(db: Path, tmp_path: Path) -> None:
    """``writable_schema`` leaves the data alone and the guard toothless."""
    copy = tmp_path / "copy.db"
    copy.write_bytes(db.read_bytes())
    with opened(copy) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(
            "UPDATE sqlite_schema SET sql = replace(sql, 'RAISE(ABORT', 'RAISE(IGNORE') "
            "WHERE name = 'move_no_update'"
        )
    code, _, err = command(copy, "verify")
    assert code == 3 and "move_no_update" in err


def test_the_command_names_what_was_altered(db: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    copy.write_bytes(db.read_bytes())
    with opened(copy) as connection, unguarded(connection):
        connection.execute("UPDATE move SET by = 'Eve' WHERE line = 2 AND number = 3")
    code, out, err = command(copy, "verify")
    assert (code, out) == (3, "")
    assert err.startswith("Move 3 of line 2 is not what was appended.")
