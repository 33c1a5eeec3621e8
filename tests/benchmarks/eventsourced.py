"""The log as the library ``eventsourcing`` would keep it: only imported where that is installed."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from eventsourcing.persistence import StoredEvent
from eventsourcing.sqlite import SQLiteAggregateRecorder, SQLiteDatastore

STREAM = UUID(int=1)
NORMAL = "PRAGMA synchronous = NORMAL"


class Log(Aggregate):
    """An aggregate that does the least: it counts its events."""

    def __init__(self) -> None:
        self.seen = 0

    @event("Happened")
    def happen(self, body: str) -> None:
        self.seen += 1


def application(path: Path) -> Application[UUID]:
    """Returns an application on a new file, ``synchronous=NORMAL``."""
    app: Application[UUID] = Application(
        env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(path)}
    )
    _relax(app.factory.datastore)  # type: ignore[attr-defined]
    return app


def recorder(path: Path) -> SQLiteAggregateRecorder:
    """Returns a recorder on a new file, ``synchronous=NORMAL``."""
    made = SQLiteAggregateRecorder(SQLiteDatastore(str(path)))
    made.create_table()
    _relax(made.datastore)
    return made


def stored(version: int, body: str) -> StoredEvent:
    """Returns a body as the recorder takes it."""
    return StoredEvent(STREAM, version, "kdm.happened", body.encode())


def _relax(datastore: SQLiteDatastore) -> None:
    """The pool has made one connection so far, and goes on with it."""
    with datastore.get_connection(commit=True) as connection:
        connection.cursor().execute(NORMAL)
