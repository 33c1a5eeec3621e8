"""No program can change, delete or replace a row of the history."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from ledger_helpers import append, start, undo

from kdmlog.ledger import Ledger, pack_hash

TABLES = ("campaign", "line", "move", "event", "ref", "pack")


@pytest.fixture
def filled(path: Path) -> Path:
    with Ledger.open(path) as ledger:
        append(ledger, undo(ledger, append(ledger, start(ledger), "a", "b")), "c")
        ledger.put_pack(pack_hash(b"{}"), b"{}")
    return path


@pytest.fixture(params=["ours", "plain"])
def connection(request: pytest.FixtureRequest, filled: Path) -> sqlite3.Connection:
    """Ours, and one by a program that has heard of none of our settings."""
    if request.param == "ours":
        return Ledger.open(filled).connection
    return sqlite3.connect(filled)


def columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]


@pytest.mark.parametrize("table", TABLES)
def test_every_way_to_change_a_row_is_refused(connection: sqlite3.Connection, table: str) -> None:
    names = columns(connection, table)
    before = connection.execute(f"SELECT * FROM {table}").fetchall()
    assert before
    all_names = ", ".join(names)
    for statement in (
        *(f"UPDATE {table} SET {name} = {name}" for name in names),
        f"UPDATE OR REPLACE {table} SET {names[0]} = {names[0]}",
        f"DELETE FROM {table}",
        f"INSERT OR REPLACE INTO {table} ({all_names}) SELECT {all_names} FROM {table}",
        f"REPLACE INTO {table} ({all_names}) SELECT {all_names} FROM {table}",
        f"INSERT INTO {table} ({all_names}) SELECT {all_names} FROM {table} WHERE true "
        f"ON CONFLICT DO UPDATE SET {names[-1]} = {names[-1]}",
    ):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            connection.execute(statement)
    connection.rollback()
    assert connection.execute(f"SELECT * FROM {table}").fetchall() == before
    connection.close()


def test_a_uid_cannot_be_taken_over(connection: sqlite3.Connection) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(
            "REPLACE INTO campaign (uid, slug, name, game, created) "
            "VALUES ('uid-lanterns', 'v', '', '', '')"
        )
    connection.close()


def test_each_table_of_the_history_has_its_triggers(filled: Path) -> None:
    connection = sqlite3.connect(filled)
    triggers = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema")}
    for table in TABLES:
        assert {f"{table}_no_{what}" for what in ("update", "delete", "replace")} <= triggers
    connection.close()
