"""Copies a ledger aside with what a killed program left unfinished, for SQLite to finish there."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from os.path import realpath
from pathlib import Path

_FILES = ("", "-wal", "-journal")
_ATTEMPTS = 5

Stamps = list[tuple[int, int, int] | None]
"""What changes of files when they are written; None for one that is not there."""


class Moving(OSError):
    """Somebody writes too often into the file for it to be copied."""

    def __init__(self) -> None:
        super().__init__(0, "another program keeps writing into it")


def set_aside(database: Path, folder: Path) -> Path:
    """Copies a database and its logs into a folder, as they are at one time; returns the copy.

    Raises OSError when there is no room, or another program keeps writing.
    """
    copy = folder / "aside.db"
    files = [(Path(realpath(database) + each), Path(f"{copy}{each}")) for each in _FILES]
    sources = [source for source, _ in files]
    for _ in range(_ATTEMPTS):
        before = _stamps(sources)
        for source, target in files:
            target.unlink(missing_ok=True)
            if source.exists():
                shutil.copyfile(source, target)
        if _stamps(sources) == before:
            return copy
    raise Moving


def _stamps(files: Iterable[Path]) -> Stamps:
    found: Stamps = []
    for file in files:
        try:
            status = file.stat()
        except FileNotFoundError:
            found.append(None)
        else:
            found.append((status.st_ino, status.st_size, status.st_mtime_ns))
    return found
