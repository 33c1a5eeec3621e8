"""Copies of a ledger to fall back on: made by SQLite itself, verified, and only then named."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from kdmlog.core.errors import LedgerError
from kdmlog.ledger.connection import DatabaseErrors, explained
from kdmlog.ledger.drafts import database_draft, unwritable
from kdmlog.ledger.store import Ledger
from kdmlog.ledger.structs import Finding
from kdmlog.ledger.verify import LOST_PACK

TIME = "%Y%m%dT%H%M%SZ"
"""How a backup's name tells when it was made: UTC."""
KEPT = 10
"""Automatic backups that are kept of a ledger."""


def backups(database: Path) -> Path:
    """Returns the folder for a ledger's backups where no other is asked for."""
    return database.absolute().with_name(f"{_label(database)}-backups")


def backup(
    ledger: Ledger,
    folder: Path,
    time: str,
    *,
    automatic: bool = False,
    tell: Callable[[list[Finding]], None] = lambda _findings: None,
) -> Path:
    """Copies an open ledger into a folder, under a name that has ``time`` in it; returns the file.

    A folder that is missing is made. Raises Refused when it cannot be written, LedgerError when
    the ledger is damaged, the disk is full or the like: then no new file is left. That content
    packs are lost is no reason to lose the rest, too: ``tell`` is given what was found of that.
    """
    assert ledger.path is not None
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise unwritable(folder, error) from error
    path = _free(folder, f"{_label(ledger.path)}-{'auto-' if automatic else ''}", time)
    with database_draft(path) as draft:
        try:
            with closing(sqlite3.connect(draft, isolation_level=None)) as copy:
                copy.execute("PRAGMA synchronous = OFF")  # the draft is synced as a whole
                ledger.connection.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")  # a single file, whoever reads it
        except DatabaseErrors as error:
            raise explained(error) from error
        with Ledger.open(draft, readonly=True) as copied:
            findings = copied.verify()
        if damage := [one for one in findings if one.code != LOST_PACK]:
            raise LedgerError(
                f"The ledger is damaged, so no backup was made: {damage[0].message}",
                code="damaged",
                hints=["kdmlog recover FILE keeps what came before"],
            )
    tell(findings)
    return path


def prune(database: Path, folder: Path) -> list[Path]:
    """Removes all but the newest automatic backups of a ledger; returns those removed.

    What is not named just as they are is never touched.
    """
    removed: list[Path] = []
    for path in _named(folder, f"{_label(database)}-auto-")[:-KEPT]:
        with suppress(OSError):
            path.unlink()
            removed.append(path)
    return removed


def newest(database: Path) -> Path | None:
    """Returns the newest backup in the ledger's folder for them, or None."""
    label, folder = _label(database), backups(database)
    found = [*_named(folder, f"{label}-auto-"), *_named(folder, f"{label}-")]
    return max(found, key=lambda path: _age(path.name), default=None)


def _label(database: Path) -> str:
    return database.stem if database.suffix == ".db" else database.name


def _free(folder: Path, prefix: str, time: str) -> Path:
    """The next name of that second: never one that was there before, which would seem older."""
    taken = [_age(path.name) for path in _named(folder, prefix)]
    n = max((n for when, n in taken if when == time), default=0) + 1
    return folder / f"{prefix}{time}{f'-{n}' if n > 1 else ''}.db"


def _named(folder: Path, prefix: str) -> list[Path]:
    """The files that are named as backups are, oldest first."""
    shape = re.compile(rf"{re.escape(prefix)}\d{{8}}T\d{{6}}Z(-\d+)?\.db")
    with suppress(OSError):
        found = [path for path in folder.iterdir() if shape.fullmatch(path.name)]
        return sorted(found, key=lambda path: _age(path.name))
    return []


def _age(name: str) -> tuple[str, int]:
    """When it was made, and which one of that second it is."""
    found = re.search(r"(\d{8}T\d{6}Z)(?:-(\d+))?\.db$", name)
    return (found[1], int(found[2] or 1)) if found else ("", 0)
