"""A second witness of the last commits, beside the database: SQLite does not notice a lost tail.

``FILE-head`` has a slot of fixed size for each campaign, at its id times that size: one line of
JSON with a checksum, written over after each commit without a sync of its own. A slot that is
missing, torn or unreadable says nothing: then there is nothing to compare with. A file that is
ahead of its witness is normal (the program was killed in between, or another one was faster); one
that is behind it, or has something else there, has lost what was told to be kept.

Slot 0 says which file the database was when it was last looked at. Only SQLite's checkpoints write
into that one; whatever else does so while there is a log beside it makes a mixture of two pasts,
which only a reading of the whole can tell.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from errno import EINVAL, EISDIR, ELOOP, ENXIO
from pathlib import Path
from stat import S_ISREG
from typing import Any, TypeVar
from zlib import crc32

import msgspec
from msgspec import Struct

from kdmlog.core.errors import LedgerError
from kdmlog.ledger.connection import (
    CHECKPOINT,
    Connection,
    DatabaseErrors,
    beside,
    data_version,
    explained,
    wal_size,
)
from kdmlog.ledger.rows import REMOVED
from kdmlog.ledger.structs import Finding, Head, Stand, Step

if sys.platform == "win32":

    def pwrite(file: int, data: bytes, at: int) -> int:
        """Writes at a place of a file, in two steps where there is no such call."""
        os.lseek(file, at, os.SEEK_SET)
        return os.write(file, data)
else:
    from os import pwrite

SUFFIX = "-head"
SLOT = 256  # bytes
_BLANK = b"%255b\n" % b""
LOST = "lost_tail"
BLIND = "no_witness"
_PLAINLY = sum(getattr(os, name, 0) for name in ("O_BINARY", "O_NOFOLLOW", "O_NONBLOCK"))
"""A link is not followed, and a pipe is not waited for."""

_encode = msgspec.json.Encoder().encode
_PRESENT = (  # the last move is only looked for where the one remembered is not there
    "SELECT name, uid, m.hash, r.hash, iif(m.hash IS NULL, "
    "(SELECT max((SELECT max(number) FROM move WHERE line = l.id)) FROM line l "
    "WHERE l.campaign = campaign.id), 0) "
    "FROM campaign LEFT JOIN move m ON m.line = ? AND m.number = ? LEFT JOIN ref r ON r.id = ? "
    "WHERE campaign.id = ?"
)

Seen = tuple[int, int, int]
"""A file as it was: its inode, its size, and when it was last written, in nanoseconds."""
T = TypeVar("T")


class Mark(Struct, frozen=True, array_like=True):
    """What a slot says: a campaign's last move (0: before any) and its newest step."""

    uid: str
    line: int
    number: int
    hash: str
    ref: int
    ref_hash: str


class Witness:
    """What is remembered of one ledger file, and the watch over what is written into it."""

    def __init__(self, path: Path) -> None:
        self._database = path.absolute()
        self._name = str(self._database)  # a path would be made one anew at each look
        self._path = beside(path, SUFFIX)
        self._file: int | None = None
        self._stands: dict[int, Stand] = {}
        self._seen: Seen | None = None
        self._noted: Seen | None = None
        self._version: int | None = None

    def close(self) -> None:
        """Closes its file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    # --- comparing ---------------------------------------------------------------------------

    def missed(self) -> LedgerError | None:
        """Returns what to say if there is no ledger at all any more, or an empty one."""
        if self._database.exists() and self._database.stat().st_size:
            return None
        last = max((mark.number for _, mark in _marks(self._slots())), default=None)
        if last is None:
            return None
        message = f"{self._database} is gone or empty; it held a campaign of {last} moves."
        return lost([Finding(LOST, message, move=last)])

    def examined(self, connection: sqlite3.Connection) -> list[Finding]:
        """Returns what the file has lost, as a connection just opened sees it.

        Raises sqlite3.Error where it cannot be read.
        """
        slots = self._slots()  # read before the database, which may be ahead of them
        self._noted = _values(slots, 0, tuple[int, int, int])
        if found := _losses(connection, slots):
            return found
        if not wal_size(self._database) or self._noted == _seen(self._name):
            return []
        if not any(_marks(slots)) or self._stands_alone(slots):
            return []
        return _mixture(connection)

    def losses(self, connection: sqlite3.Connection, campaign_id: int | None) -> list[Finding]:
        """Returns what the campaign, or any, has lost; nothing where it cannot be read."""
        with suppress(*DatabaseErrors):
            return _losses(connection, self._slots(), campaign_id)
        return []

    def forget(self) -> None:
        """Forgets all that was remembered. Raises LedgerError when that cannot be done."""
        try:
            if os.path.lexists(self._path):
                os.ftruncate(self._opened(), 0)
        except OSError as error:
            raise _unwritable(self._path, error) from error

    def blind(self) -> LedgerError | None:
        """Returns what to say when its file cannot be one, so that no loss would be noticed."""
        try:
            os.close(_open(self._path, os.O_RDONLY))
        except FileNotFoundError:
            return None  # nothing was written yet
        except OSError as error:
            return LedgerError(
                f"What the ledger has lost would go unnoticed: its witness {self._path} "
                f"cannot be read: {error.strerror}.",
                code=BLIND,
                hints=["move it away: the next move makes a new one"],
            )
        return None

    def accept(self, stands: Iterable[Stand]) -> None:
        """Remembers this and nothing else. Raises LedgerError when that cannot be done."""
        self.forget()
        self._seen, self._noted = _seen(self._name), None
        try:
            self._write({head.campaign: (uid, head, step) for uid, head, step in stands})
        except OSError as error:
            raise _unwritable(self._path, error) from error

    def removed(self, campaign: int) -> None:
        """Forgets a campaign that was removed, if it can; the ledger says so, too."""
        self._seen = _seen(self._name)
        with suppress(OSError):
            self._write({})
            if (campaign + 1) * SLOT <= os.fstat(self._opened()).st_size:
                pwrite(self._opened(), _BLANK, campaign * SLOT)

    # --- watching what is written ------------------------------------------------------------

    def watch(self, connection: Connection) -> None:
        """Watches over what the connection writes from now on."""
        connection.watch = self
        self._seen = _seen(self._name)
        self._version = data_version(connection)

    def looked(self, version: int) -> None:
        """Remembers SQLite's data_version, which other programs' commits change."""
        self._version = version

    def begun(self, connection: sqlite3.Connection) -> None:
        """Lets a transaction go on. Raises LedgerError when the file is not what it was."""
        seen = _seen(self._name)
        if seen == self._seen:
            return
        if seen is None or self._seen is None or seen[0] != self._seen[0]:
            raise LedgerError(
                "The ledger's file was replaced while it was open; nothing was written.",
                code=LOST,
                hints=["kdmlog backup keeps what this session knows", "leave, and begin again"],
            )
        # Our own checkpoint leaves our last commit in the file. That of another program can only
        # be told by its commit, and by a log that is long enough for one.
        slots = self._slots()
        theirs = data_version(connection) != self._version
        if not (theirs and wal_size(self._database) > CHECKPOINT) and not self._stands_alone(slots):
            try:
                with closing(_look(self._database, "mode=ro")) as fresh:
                    error = lost(_losses(fresh, slots) or _mixture(fresh))
            except DatabaseErrors as failed:
                raise explained(failed) from failed
            if error:
                raise error
        self._seen = seen

    def stands(self, uid: str, head: Head, step: Step) -> None:
        """Notes where a campaign stands as soon as the transaction is kept."""
        self._stands[head.campaign] = uid, head, step

    def noted(self) -> dict[int, Stand]:
        """Returns what has been noted so far, for ``dropped``."""
        return dict(self._stands)

    def dropped(self, before: dict[int, Stand]) -> None:
        """Forgets what was noted since: that part of the transaction was rolled back."""
        self._stands = before

    def kept(self) -> None:
        """Writes down what was noted, after the commit; which stands, also when this cannot."""
        if self._stands:
            stands, self._stands = self._stands, {}
            try:
                self._write(stands)
            except OSError:
                return

    # --- its file ----------------------------------------------------------------------------

    def _write(self, stands: dict[int, Stand]) -> None:
        file = self._opened()
        for campaign, (uid, head, (ref, ref_hash)) in stands.items():
            values = (uid, head.line, head.number, head.hash.hex(), ref, ref_hash.hex())
            pwrite(file, _slot(values), campaign * SLOT)
        if self._noted != self._seen and self._seen is not None:
            pwrite(file, _slot(self._seen), 0)
            self._noted = self._seen

    def _opened(self) -> int:
        if self._file is None:
            mode = self._database.stat().st_mode & 0o666 if self._database.exists() else 0o600
            self._file = _open(self._path, os.O_RDWR | os.O_CREAT, mode)
        return self._file

    def _slots(self) -> bytes:
        try:
            with os.fdopen(_open(self._path, os.O_RDONLY), "rb") as file:
                return file.read()
        except OSError:
            return b""

    def _stands_alone(self, slots: bytes) -> bool:
        """Whether the file has the last commits even without its log: a checkpoint wrote it."""
        with (
            suppress(*DatabaseErrors),
            closing(_look(self._database, "mode=ro&immutable=1")) as alone,
        ):
            return any(_marks(slots)) and not _losses(alone, slots)
        return False


def _open(path: Path, flags: int, mode: int = 0o600) -> int:
    """Opens a plain file. Raises OSError for what is none: a link leads to somebody's file."""
    try:
        file = os.open(path, flags | _PLAINLY, mode)
    except OSError as error:
        if error.errno in (ELOOP, EISDIR, ENXIO):
            raise _no_plain_file() from error
        raise
    if S_ISREG(os.fstat(file).st_mode):
        return file
    os.close(file)
    raise _no_plain_file()


def _no_plain_file() -> OSError:
    return OSError(EINVAL, "it is no plain file")


def _unwritable(path: Path, error: OSError) -> LedgerError:
    return LedgerError(f"The witness {path} cannot be written: {error.strerror}.", code="io")


def lost(found: Sequence[Finding]) -> LedgerError | None:
    """Returns what the witness found as an error, if it found something."""
    if not found:
        return None
    return LedgerError(
        found[0].message,
        code=LOST,
        hints=[
            "kdmlog --db BACKUP recover FILE restores a backup",
            "kdmlog recover --accept-head goes on with what is left",
        ],
        data={"findings": [finding.message for finding in found]},
    )


def _seen(path: str) -> Seen | None:
    try:
        status = os.stat(path)  # noqa: PTH116
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


def _look(path: Path, options: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.as_uri()}?{options}", uri=True, isolation_level=None)


def _mixture(connection: sqlite3.Connection) -> list[Finding]:
    from kdmlog.ledger.verify import verify

    cause = "Another program has written into the ledger's file: "
    return [msgspec.structs.replace(one, message=cause + one.message) for one in verify(connection)]


def _losses(
    connection: sqlite3.Connection, slots: bytes, campaign_id: int | None = None
) -> list[Finding]:
    found: list[Finding] = []
    for campaign, mark in _marks(slots):
        if campaign_id in (None, campaign):
            places = (mark.line, mark.number, mark.ref, campaign)
            message = _lost(mark, connection.execute(_PRESENT, places).fetchone())
            if message and not _removal(connection, campaign, mark):
                found.append(Finding(LOST, message, move=mark.number, line=mark.line))
    return found


def _removal(connection: sqlite3.Connection, campaign: int, mark: Mark) -> bool:
    """Whether all is there but for a removal: of this campaign, or one that moved its steps up."""
    here = connection.execute(
        "SELECT 1 FROM setting WHERE key = ? UNION ALL "
        "SELECT 1 FROM ref WHERE campaign = ? AND lower(hex(hash)) = ? AND (? = 0 OR EXISTS "
        "(SELECT 1 FROM move WHERE line = ? AND number = ? AND lower(hex(hash)) = ?))",
        (
            *(f"{REMOVED}{campaign}", campaign, mark.ref_hash),
            *(mark.number, mark.line, mark.number, mark.hash),
        ),
    )
    return here.fetchone() is not None


def _lost(mark: Mark, present: tuple[Any, ...] | None) -> str:
    """Says what was there and is not; nothing when all is."""
    name, uid, hash, ref_hash, last = present or (None,) * 5
    if uid != mark.uid:
        return f"A campaign of {mark.number} moves is in the ledger no more."
    if mark.number and _hex(hash) != mark.hash:
        now = "that is another one" if hash is not None else f"the last one is {last or 0}"
        return f"The head of {name} was move {mark.number}; now {now}."
    if _hex(ref_hash) != mark.ref_hash:
        return f"The last step of {name} is lost, {mark.ref} of its oplog, at move {mark.number}."
    return ""


def _hex(hash: object) -> str | None:
    return hash.hex() if isinstance(hash, bytes) else None


def _marks(slots: bytes) -> Iterator[tuple[int, Mark]]:
    for campaign in range(1, len(slots) // SLOT + 1):
        mark = _values(slots, campaign, Mark)
        if mark is not None:
            yield campaign, mark


def _slot(values: Sequence[object]) -> bytes:
    """A line of just that size; a blank one for what has no room in it."""
    body = _encode(values)
    slot = b"[%10d,%-243b\n" % (crc32(body), body[1:])
    return slot if len(slot) == SLOT else _BLANK


def _values(slots: bytes, number: int, shape: type[T]) -> T | None:
    """What a slot says; None when it is blank or torn."""
    slot = slots[number * SLOT : (number + 1) * SLOT]
    try:
        values = msgspec.json.decode(slot)[1:]
        return msgspec.convert(values, shape) if slot == _slot(values) else None
    except (msgspec.DecodeError, TypeError, IndexError):
        return None
