"""Writes rows of moves, events, lines and packs: for appends and imports alike."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import NamedTuple

from kdmlog.core.errors import LedgerError
from kdmlog.ledger.connection import Connection
from kdmlog.ledger.hashing import pack_hash
from kdmlog.ledger.structs import NewMove


class _Table(NamedTuple):
    """How rows are inserted: one, or many in one statement, which is a quarter faster for each."""

    one: str
    many: str


_MANY = 64


def _table(name: str, *columns: str) -> _Table:
    insert = f"INSERT INTO {name} ({', '.join(columns)}) VALUES "
    row = f"({', '.join('?' * len(columns))})"
    return _Table(insert + row, insert + ", ".join([row] * _MANY))


_MOVE = _table(
    "move",
    *("line", "number", "kind", "begins", "input", "by", "at", "request_id", "writer", "rules"),
    *("first", "last", "hash"),
)
_EVENT = _table("event", "line", "position", "move", "body")

REMOVED = "removed/"
"""The setting that says that a campaign was removed begins so; its id follows."""
# Its id is above any that was ever used: who has a campaign open that was removed must not find
# another one in its place.
_CAMPAIGN = (
    "INSERT INTO campaign (id, uid, slug, name, game, created) SELECT 1 + max("
    "ifnull((SELECT max(id) FROM campaign), 0), ifnull((SELECT "
    f"max(CAST(substr(key, {len(REMOVED) + 1}) AS INTEGER)) FROM setting "
    f"WHERE key GLOB '{REMOVED}*'), 0)), ?, ?, ?, ?, ?"
)

Row = tuple[object, ...]
Placed = tuple[NewMove, int, bytes]
"""A move with its number and its hash."""


def insert(connection: sqlite3.Connection, sql: str, values: tuple[object, ...]) -> int:
    """Inserts a row; returns the id that it got."""
    id = connection.execute(sql, values).lastrowid
    assert id is not None
    return id


def open_campaign(
    connection: sqlite3.Connection, uid: str, slug: str, name: str, game: str, created: str
) -> int:
    """Writes a campaign's own row; returns its id."""
    return insert(connection, _CAMPAIGN, (uid, slug, name, game, created))


def open_line(connection: sqlite3.Connection, campaign: int, line: int, number: int) -> int:
    """Opens a line after a move, or with ``number`` 0 before any; returns its id."""
    fork = (line, number) if number else (None, None)
    return insert(
        connection,
        "INSERT INTO line (campaign, fork_line, fork_number) VALUES (?, ?, ?)",
        (campaign, *fork),
    )


def write_moves(connection: Connection, placed: Iterable[Placed], line: int, last: int) -> int:
    """Writes moves and events after position ``last``; returns the last position then."""
    moves: list[Row] = []
    events: list[Row] = []
    for move, number, hash in placed:
        first, last = last + 1, last + len(move.bodies)
        moves.append(
            (
                *(line, number, move.kind, move.begins, move.input, move.by, move.at),
                *(move.request_id, move.writer, move.rules, first, last, hash),
            )
        )
        events += [(line, at, number, body) for at, body in enumerate(move.bodies, first)]
    _write(connection.writing, _MOVE, moves)
    _write(connection.writing, _EVENT, events)
    return last


def _write(cursor: sqlite3.Cursor, table: _Table, rows: list[Row]) -> None:
    whole = len(rows) - len(rows) % _MANY
    if whole:
        parts = (rows[at : at + _MANY] for at in range(0, whole, _MANY))
        cursor.executemany(table.many, ([*chain.from_iterable(part)] for part in parts))
        rows = rows[whole:]
    cursor.executemany(table.one, rows)


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
