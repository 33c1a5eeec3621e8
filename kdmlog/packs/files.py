"""The only door to a pack's folder: lists and reads its files, and follows no way out of it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from kdmlog.core.errors import ContentError

MAX_FILE_BYTES = 1024 * 1024
MAX_PACK_BYTES = 32 * 1024 * 1024
MAX_FILES = 2000


class Entry(NamedTuple):
    """A file, link or inner folder of a pack; ``name`` is relative to the pack, with slashes."""

    name: str
    stat: os.stat_result

    @property
    def is_link(self) -> bool:
        """Whether it points elsewhere."""
        return stat.S_ISLNK(self.stat.st_mode)

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder (only those below ``<kind>/`` are listed)."""
        return stat.S_ISDIR(self.stat.st_mode)


def entries(folder: Path) -> list[Entry]:
    """List a pack's files two levels deep, sorted by name; hidden ones are left out.

    Links are listed, never followed. Too many files, or too much in them, are refused.
    """
    listed: list[Entry] = []
    size = 0
    try:
        for entry in _walk(folder):
            listed.append(entry)
            size += entry.stat.st_size
            if len(listed) > MAX_FILES:
                raise ContentError(f"The pack has more than {MAX_FILES} files.")
            if size > MAX_PACK_BYTES:
                raise ContentError(f"The pack is larger than {MAX_PACK_BYTES >> 20} MiB.")
    except OSError as error:
        raise ContentError(
            f"The pack's folder cannot be read: {error.strerror}.",
            hints=["A pack is a folder with a pack.yaml in it."],
        ) from error
    return sorted(listed, key=lambda entry: entry.name)


def read(folder: Path, name: str) -> bytes:
    """Read one file of a pack, refusing links, ways out of the folder, devices and large files."""
    path = _inside(folder, name)
    flags = os.O_RDONLY
    for flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):
        flags |= getattr(os, flag, 0)
    try:
        descriptor = os.open(path, flags)
    except OSError as error:
        raise ContentError(f"The file cannot be read: {error.strerror}.") from error
    with os.fdopen(descriptor, "rb") as opened:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ContentError("This is not an ordinary file.")
        raw = opened.read(MAX_FILE_BYTES + 1)
    if len(raw) > MAX_FILE_BYTES:
        raise ContentError(
            f"The file is larger than {MAX_FILE_BYTES >> 20} MiB.",
            hints=["Split it: a kind may be a folder of several files."],
        )
    return raw


def _inside(folder: Path, name: str) -> Path:
    parts = PurePosixPath(name).parts
    if not parts or name.startswith("/") or ".." in parts or any(char in name for char in "\\:\0"):
        raise ContentError("The path leads out of the pack.")
    path = folder
    for part in parts:
        path = path / part
        if path.is_symlink():
            raise ContentError("Links are refused: a pack holds its own files.")
    return path


def _walk(folder: Path) -> Iterator[Entry]:
    with os.scandir(folder) as outer:
        for item in outer:
            if item.name.startswith("."):
                continue
            if not item.is_dir(follow_symlinks=False):
                yield Entry(item.name, item.stat(follow_symlinks=False))
                continue
            with os.scandir(item.path) as inner:
                for file in inner:
                    if not file.name.startswith("."):
                        name = f"{item.name}/{file.name}"
                        yield Entry(name, file.stat(follow_symlinks=False))
