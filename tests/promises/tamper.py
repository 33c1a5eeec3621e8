"""Changes a ledger behind kdmlog's back, as any program that knows SQLite could."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from kdmlog.ledger import Finding
from kdmlog.ledger.verify import verify

from .commands import run

APPEND_ONLY = {
    "campaign": ("id",),
    "line": ("id",),
    "move": ("line", "number"),
    "event": ("line", "position"),
    "ref": ("id",),
    "pack": ("hash",),
}
"""The tables of the history, and what tells their rows apart."""


class Row(NamedTuple):
    """A row of the history: its table, the words that find it, and its values by column."""

    table: str
    where: str
    key: tuple[Any, ...]
    values: dict[str, Any]


def story(db: Path) -> Path:
    """Makes a small ledger that has everything: two campaigns, an undo, a branch, three lines."""
    run(db, "new", "Other", "--seed", "other")
    run(db, "note", "elsewhere", "--by", "Eve")
    run(db, "new", "Tale", "-p", "Ann", "--seed", "tale")
    run(db, "survivor", "new", "Ada", "f", "--request-id", "r1")
    run(db, "roll", "d10", "--why", "luck")
    run(db, "note", "kept", "--by", "Bo")
    run(db, "branch", "what-if", "--at", "3")
    run(db, "undo")
    run(db, "note", "said otherwise")
    run(db, "switch", "what-if")
    run(db, "roll", "2d10")
    run(db, "undo")
    run(db, "redo")
    run(db, "switch", "main")
    run(db, "adjust", "survivors.ada.insanity", "+1", "--why", "forgotten")
    assert run(db, "verify") == ""
    return db


def rows(connection: sqlite3.Connection) -> list[Row]:
    """Returns every row of the history."""
    found = []
    for table, key in APPEND_ONLY.items():
        cursor = connection.execute(f"SELECT * FROM {table} ORDER BY {', '.join(key)}")
        names = [column[0] for column in cursor.description]
        where = " AND ".join(f"{column} = ?" for column in key)
        for values in cursor:
            row = dict(zip(names, values, strict=True))
            found.append(Row(table, where, tuple(row[column] for column in key), row))
    return found


@contextmanager
def opened(db: Path) -> Iterator[sqlite3.Connection]:
    """Opens a ledger as a program that has heard of none of kdmlog's settings."""
    connection = sqlite3.connect(db, isolation_level=None)
    try:
        yield connection
    finally:
        connection.close()


def triggers(connection: sqlite3.Connection) -> dict[str, str]:
    """Returns the SQL of each trigger by its name."""
    rows = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    return dict(rows.fetchall())


@contextmanager
def unguarded(connection: sqlite3.Connection) -> Iterator[None]:
    """Has the triggers out of the way for its body, and puts them back as they were."""
    guards = triggers(connection)
    for name in guards:
        connection.execute(f"DROP TRIGGER {name}")
    yield
    for sql in guards.values():
        connection.execute(sql)


def findings(connection: sqlite3.Connection, statement: str, *values: Any) -> list[Finding] | None:
    """Returns what is found after a statement, then taken back; None: SQLite refused it."""
    connection.execute("BEGIN")
    try:
        with unguarded(connection):
            changed = connection.execute(statement, values).rowcount
    except sqlite3.IntegrityError:
        connection.execute("ROLLBACK")
        return None
    assert changed, f"{statement} changes nothing"
    return found_so_far(connection)


def found_so_far(connection: sqlite3.Connection) -> list[Finding]:
    """Returns what is found within a transaction, which is then taken back."""
    found = verify(connection)
    connection.execute("ROLLBACK")
    return found
