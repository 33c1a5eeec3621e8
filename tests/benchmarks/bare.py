"""What kdmlog is measured against: SQLite alone, without chain, triggers or anything else."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

from kdmlog.ledger import NewMove

_INSERT_MOVE = "INSERT INTO move VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_EVENT = "INSERT INTO event VALUES (?, ?, ?, ?)"
HASH = bytes(32)
Row = tuple[object, ...]


class Bare:
    """The same rows in the same columns, written as one would by hand."""

    def __init__(self, path: Path, synchronous: str) -> None:
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.connection.executescript(
            "PRAGMA journal_mode = WAL;"
            "CREATE TABLE move (line INTEGER, number INTEGER, kind TEXT, begins INTEGER, "
            "input TEXT, by TEXT, at TEXT, request_id TEXT, writer TEXT, rules INTEGER, "
            "first INTEGER, last INTEGER, hash BLOB, PRIMARY KEY (line, number)) WITHOUT ROWID;"
            "CREATE TABLE event (line INTEGER, position INTEGER, move INTEGER, body TEXT, "
            "PRIMARY KEY (line, position)) WITHOUT ROWID;"
            "CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT);"
        )
        self.connection.execute(f"PRAGMA synchronous = {synchronous}")
        self.number = self.last = 0

    def close(self) -> None:
        """Closes the file."""
        self.connection.close()

    def append(self, move: NewMove) -> None:
        """Writes a move and its events in one transaction."""
        row, events = self.rows(move)
        execute = self.connection.execute
        execute("BEGIN IMMEDIATE")
        execute(_INSERT_MOVE, row)
        self.connection.executemany(_INSERT_EVENT, events)
        execute("COMMIT")

    def extend(self, moves: Iterable[NewMove]) -> None:
        """Writes moves and their events in one transaction, as fast as it goes."""
        rows: list[Row] = []
        events: list[Row] = []
        for move in moves:
            row, its = self.rows(move)
            rows.append(row)
            events += its
        self.connection.execute("BEGIN IMMEDIATE")
        self.connection.executemany(_INSERT_MOVE, rows)
        self.connection.executemany(_INSERT_EVENT, events)
        self.connection.execute("COMMIT")

    def rows(self, move: NewMove) -> tuple[Row, list[Row]]:
        """Returns the next move's row, and those of its events."""
        self.number += 1
        first, self.last = self.last + 1, self.last + len(move.bodies)
        row = (
            *(1, self.number, move.kind, move.begins, move.input, move.by, move.at),
            *(move.request_id, "0.1.0", move.rules, first, self.last, HASH),
        )
        return row, [(1, at, self.number, body) for at, body in enumerate(move.bodies, first)]

    def transaction(self) -> None:
        """Writes one row in a transaction of its own."""
        self.number += 1
        execute = self.connection.execute
        execute("BEGIN IMMEDIATE")
        execute("INSERT OR REPLACE INTO setting VALUES ('at', ?)", (str(self.number),))
        execute("COMMIT")

    def append_all(self, moves: Sequence[NewMove]) -> None:
        """Writes moves, each in a transaction of its own."""
        for move in moves:
            self.append(move)
