"""The tables and the triggers that keep them append-only, as numbered migrations in plain SQL."""

from __future__ import annotations

import sqlite3
from functools import cache

from msgspec import Struct

from kdmlog.core.errors import LedgerError
from kdmlog.ledger.views import VIEWS, view

APPLICATION_ID = 0x6B646D6C  # "kdml"


class Migration(Struct, frozen=True):
    """The statements that lead to ``version`` (major * 1000 + minor)."""

    version: int
    statements: tuple[str, ...]


def _append_only(table: str, *keys: str) -> tuple[str, ...]:
    """Returns the triggers that refuse to change or replace a row of ``table``.

    The one on INSERT is for INSERT OR REPLACE from programs that have ``recursive_triggers`` off,
    where the row replaced is deleted without asking.
    """
    same = " OR ".join(
        " AND ".join(f"{column} = NEW.{column}" for column in key.split()) for key in keys
    )
    refuse = f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
    return (
        f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} {refuse}",
        f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} {refuse}",
        f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} "
        f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {same}) {refuse}",
    )


_VIEWS = tuple(
    statement
    for name, select in VIEWS.items()
    for statement in (f"DROP VIEW IF EXISTS {name}", view(name, select))
)

# No CHECKs on ``move`` and ``event``: their hashes vouch for more, and appending is the hot path.
MIGRATIONS = (
    Migration(
        1000,
        (
            """CREATE TABLE campaign (
                id INTEGER PRIMARY KEY,
                uid TEXT NOT NULL UNIQUE,
                slug TEXT NOT NULL UNIQUE,
                name TEXT NOT NULL,
                game TEXT NOT NULL,
                created TEXT NOT NULL
            ) STRICT""",
            """CREATE TABLE line ( -- an unbroken run of moves, after the move it forks after
                id INTEGER PRIMARY KEY,
                campaign INTEGER NOT NULL REFERENCES campaign (id),
                fork_line INTEGER,
                fork_number INTEGER,
                CHECK ((fork_line IS NULL) = (fork_number IS NULL)),
                FOREIGN KEY (fork_line, fork_number) REFERENCES move (line, number)
            ) STRICT""",
            "CREATE INDEX line_of_campaign ON line (campaign)",
            """CREATE TABLE move ( -- its events are those at the positions first to last
                line INTEGER NOT NULL REFERENCES line (id),
                number INTEGER NOT NULL,
                kind TEXT NOT NULL,
                begins INTEGER,
                input TEXT NOT NULL,
                by TEXT NOT NULL,
                at TEXT NOT NULL,
                request_id TEXT,
                writer TEXT NOT NULL,
                rules INTEGER NOT NULL,
                first INTEGER NOT NULL,
                last INTEGER NOT NULL,
                hash BLOB NOT NULL,
                PRIMARY KEY (line, number)
            ) STRICT, WITHOUT ROWID""",
            "CREATE INDEX move_of_request ON move (request_id) WHERE request_id IS NOT NULL",
            """CREATE TABLE event ( -- positions count from the campaign's start along the line
                line INTEGER NOT NULL,
                position INTEGER NOT NULL,
                move INTEGER NOT NULL,
                body TEXT NOT NULL,
                PRIMARY KEY (line, position),
                FOREIGN KEY (line, move) REFERENCES move (line, number)
            ) STRICT, WITHOUT ROWID""",
            """CREATE TABLE ref ( -- the newest row of a branch says where it stands
                id INTEGER PRIMARY KEY,
                campaign INTEGER NOT NULL REFERENCES campaign (id),
                branch TEXT NOT NULL CHECK (branch <> ''),
                reason TEXT NOT NULL CHECK (reason IN
                    ('begin', 'append', 'undo', 'redo', 'restore', 'branch', 'delete')),
                line INTEGER NOT NULL REFERENCES line (id),
                number INTEGER NOT NULL, -- where it stood then; a followed line may have grown
                follows INTEGER NOT NULL CHECK (follows IN (0, 1)),
                from_line INTEGER REFERENCES line (id),
                from_number INTEGER,
                from_follows INTEGER CHECK (from_follows IN (0, 1)),
                by TEXT NOT NULL,
                at TEXT NOT NULL,
                hash BLOB NOT NULL
            ) STRICT""",
            "CREATE INDEX ref_of_campaign ON ref (campaign)",
            "CREATE INDEX ref_of_branch ON ref (campaign, branch)",
            # A view, since SQLite computes even a virtual column on each insert, triggers or not.
            """CREATE VIEW event_kind AS
                SELECT line, position, move, json_extract(body, '$.kind') AS kind, body
                FROM event""",
            "CREATE TABLE pack (hash TEXT PRIMARY KEY, source BLOB NOT NULL) STRICT",
            "CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
            "CREATE TABLE cache (key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT",
            *_append_only("campaign", "id", "uid", "slug"),
            *_append_only("line", "id"),
            *_append_only("move", "line number"),
            *_append_only("event", "line position"),
            *_append_only("ref", "id"),
            *_append_only("pack", "hash"),
        ),
    ),
    Migration(1001, _VIEWS),
    # Two campaigns may have been founded under one slug, each elsewhere: what they are called here
    # is a setting. The other tables go on referring to the table by its name.
    Migration(
        1002,
        (
            """CREATE TABLE founded (
                id INTEGER PRIMARY KEY,
                uid TEXT NOT NULL UNIQUE,
                slug TEXT NOT NULL,
                name TEXT NOT NULL,
                game TEXT NOT NULL,
                created TEXT NOT NULL
            ) STRICT""",
            "INSERT INTO founded SELECT id, uid, slug, name, game, created FROM campaign",
            "DROP TABLE campaign",
            "PRAGMA legacy_alter_table = ON",
            "ALTER TABLE founded RENAME TO campaign",
            "PRAGMA legacy_alter_table = OFF",
            *_append_only("campaign", "id", "uid"),
            *_VIEWS,
        ),
    ),
)

SCHEMA_VERSION = MIGRATIONS[-1].version


def migrate(connection: sqlite3.Connection) -> None:
    """Brings a new or older ledger to this version, as a whole or not at all.

    Raises LedgerError when the file turns out to hold something else.
    """
    # Imported here: it costs more than a whole command and is only wanted once in a file's life.
    from sqlite_utils import Database

    database = Database(connection, recursive_triggers=False, execute_plugins=False)
    # Half of SQLite's: a move is small, and a commit writes whole pages. No effect on a full file.
    database.execute("PRAGMA page_size = 2048")
    database.execute("PRAGMA foreign_keys = OFF")  # a table that is made anew is still referred to
    # Exclusive, so that of two programs creating the file the second finds it done.
    database.execute("BEGIN EXCLUSIVE")
    try:
        version: int = database.execute("PRAGMA user_version").fetchone()[0]
        if version == 0 and database.execute("SELECT 1 FROM sqlite_schema").fetchone():
            raise LedgerError("This file is a database of another program.", code="not_kdmlog")
        for migration in MIGRATIONS:
            if migration.version > version:
                for statement in migration.statements:
                    database.execute(statement)
        database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        database.execute(f"PRAGMA user_version = {max(version, SCHEMA_VERSION)}")
        database.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def objects(connection: sqlite3.Connection) -> dict[tuple[str, str], str]:
    """Returns the SQL of each table, view, index and trigger by its type and name."""
    rows = connection.execute(
        "SELECT type, name, sql FROM sqlite_schema "
        r"WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\_%' ESCAPE '\'"
    )
    return {(kind, name): sql for kind, name, sql in rows}


@cache
def expected_objects(version: int) -> dict[tuple[str, str], str]:
    """Returns what ``objects`` gives on a ledger of that version that nobody has touched."""
    connection = sqlite3.connect(":memory:")
    try:
        for migration in MIGRATIONS:
            for statement in migration.statements if migration.version <= version else ():
                connection.execute(statement)
        return objects(connection)
    finally:
        connection.close()
