"""What kdmlog is measured against: SQLite alone, without chain, triggers or anything else."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from kdmlog.ledger import NewMove

_INSERT_MOVE = "INSERT INTO move VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_EVENT = "INSERT INTO event VALUES (?, ?, ?, ?)"
HASH = bytes(32)


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

    def append(self, move: NewMove) -> None:
        """Writes a move and its events in one transaction."""
        self.number += 1
        first, self.last = self.last + 1, self.last + len(move.bodies)
        execute = self.connection.execute
        execute("BEGIN IMMEDIATE")
        execute(
            _INSERT_MOVE,
            (
                *(1, self.number, move.kind, move.begins, move.input, move.by, move.at),
                *(move.request_id, "0.1.0", move.rules, first, self.last, HASH),
            ),
        )
        self.connection.executemany(
            _INSERT_EVENT,
            [(1, position, self.number, body) for position, body in enumerate(move.bodies, first)],
        )
        execute("COMMIT")

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
