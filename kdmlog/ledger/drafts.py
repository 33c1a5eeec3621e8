"""Files that get their name only once they are whole: a crash or a full disk leaves no half one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from kdmlog.core.errors import Refused
from kdmlog.ledger.witness import SUFFIX

_BESIDE = ("", "-journal", "-wal", "-shm", SUFFIX)
"""What SQLite and we make beside a database."""


@contextmanager
def database_draft(path: Path) -> Iterator[Path]:
    """Yields where to write a database; when the body has ended well it is at ``path``, synced.

    The body closes it. Raises Refused when ``path`` is there already, or cannot be written.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        try:
            _clear(draft)
            draft.touch()  # before the work: a folder that cannot be written is found out now
            yield draft
            sync(draft)
            if path.exists():
                raise FileExistsError
            draft.rename(path)
            sync(path.parent)
        finally:
            _clear(draft)
    except FileExistsError:
        raise Refused(f"{path} is there already.", code="exists") from None
    except OSError as error:
        raise unwritable(path, error) from error


@contextmanager
def file_draft(path: Path, *, overwrite: bool = False) -> Iterator[BinaryIO]:
    """Yields a file to write; when the body has ended well it has its name, synced.

    Raises Refused when the file cannot be written, or is there already and may not be replaced.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        if path.exists() and not overwrite:
            raise FileExistsError
        with draft.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        sync(path.parent)
    except FileExistsError:
        raise Refused(
            f"{path} is there already.", code="exists", hints=["--overwrite replaces it"]
        ) from None
    except OSError as error:
        raise unwritable(path, error) from error
    finally:
        with suppress(OSError):
            draft.unlink()


def unwritable(path: Path, error: OSError) -> Refused:
    """Returns the error for a file or folder that cannot be written."""
    return Refused(f"{path} cannot be written: {error.strerror}.", code="unwritable")


def sync(path: Path) -> None:
    """Has a file's bytes, or a folder's names, written through to the disk."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        if path.is_dir():  # not every system lets a folder be opened
            return
        raise
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _clear(draft: Path) -> None:
    for suffix in _BESIDE:
        with suppress(FileNotFoundError):
            draft.with_name(draft.name + suffix).unlink()
