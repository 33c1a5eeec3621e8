"""Ledgers as older versions made them."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from kdmlog.ledger.schema import APPLICATION_ID, MIGRATIONS

TABLES = ("campaign", "line", "move", "event", "ref", "pack", "setting")


def first_schema(db: Path, to: Path) -> Path:
    """Writes a closed ledger's rows as the first version kept them; returns the new file."""
    old = sqlite3.connect(db)
    new = sqlite3.connect(to, isolation_level=None)
    new.execute("BEGIN")
    for statement in MIGRATIONS[0].statements:
        new.execute(statement)
    for table in TABLES:
        for row in old.execute(f"SELECT * FROM {table}"):
            new.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
    new.execute("COMMIT")
    new.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    new.execute(f"PRAGMA user_version = {MIGRATIONS[0].version}")
    new.execute("PRAGMA journal_mode = WAL")
    old.close()
    new.close()
    return to
