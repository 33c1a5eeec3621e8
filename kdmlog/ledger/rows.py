"""Writes rows of moves, events, lines and packs: for appends and imports alike."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping

from kdmlog.core.errors import LedgerError
from kdmlog.ledger.hashing import pack_hash
from kdmlog.ledger.structs import NewMove

_INSERT_MOVE = (
    "INSERT INTO move (line, number, kind, begins, input, by, at, request_id, writer, rules, "
    "first, last, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_INSERT_EVENT = "INSERT INTO event (line, position, move, body) VALUES (?, ?, ?, ?)"

Placed = tuple[NewMove, int, bytes]
"""A move with its number and its hash."""


def insert(connection: sqlite3.Connection, sql: str, values: tuple[object, ...]) -> int:
    """Inserts a row; returns the id that it got."""
    id = connection.execute(sql, values).lastrowid
    assert id is not None
    return id


def open_line(connection: sqlite3.Connection, campaign: int, line: int, number: int) -> int:
    """Opens a line after a move, or with ``number`` 0 before any; returns its id."""
    fork = (line, number) if number else (None, None)
    return insert(
        connection,
        "INSERT INTO line (campaign, fork_line, fork_number) VALUES (?, ?, ?)",
        (campaign, *fork),
    )


def write_moves(
    connection: sqlite3.Connection, placed: Iterable[Placed], line: int, last: int
) -> int:
    """Writes moves and events after position ``last``; returns the last position then."""
    moves: list[tuple[object, ...]] = []
    events: list[tuple[int, int, int, str]] = []
    for move, number, hash in placed:
        first, last = last + 1, last + len(move.bodies)
        moves.append(
            (
                *(line, number, move.kind, move.begins, move.input, move.by, move.at),
                *(move.request_id, move.writer, move.rules, first, last, hash),
            )
        )
        events += [(line, at, number, body) for at, body in enumerate(move.bodies, first)]
    connection.executemany(_INSERT_MOVE, moves)
    connection.executemany(_INSERT_EVENT, events)
    return last


def keep_packs(connection: sqlite3.Connection, packs: Mapping[str, bytes]) -> int:
    """Keeps packs that are not kept yet; returns how many those were.

    Raises LedgerError when a hash is not its source's.
    """
    added = 0
    for hash, source in packs.items():
        if hash != pack_hash(source):
            raise LedgerError("A pack's hash is not that of its source.", code="pack_hash")
        if not connection.execute("SELECT 1 FROM pack WHERE hash = ?", (hash,)).fetchone():
            connection.execute("INSERT INTO pack (hash, source) VALUES (?, ?)", (hash, source))
            added += 1
    return added
