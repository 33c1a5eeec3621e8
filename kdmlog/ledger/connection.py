"""Opens ledger files: those that are ours and not newer; any other is left untouched."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Protocol
from weakref import WeakSet

from msgspec import ValidationError

from kdmlog.core.errors import BadInput, BranchMoved, KdmlogError, LedgerError
from kdmlog.ledger.schema import APPLICATION_ID, SCHEMA_VERSION, migrate
from kdmlog.ledger.structs import Head, Stand, Step

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

Synchronous = Literal["FULL", "NORMAL"]

MEMORY = ":memory:"

DatabaseErrors = (sqlite3.Error, UnicodeError, OverflowError, MemoryError, ValidationError)
"""What reading may raise: damage makes text that does not decode, values of any type, and rows
of a length that SQLite has no memory for."""

ELSEWHERE = "--db FILE names another; it is made on first use"

CHECKPOINT = 2000
"""Pages in the write-ahead log at which a commit writes them into the file: as many bytes as with
SQLite's own figure and pages of twice our size."""

_BARRED = sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY
"""What SQLite says where a reader may not do what has to be done before."""
_NO_INDEX = (
    sqlite3.SQLITE_IOERR_SHMOPEN,
    sqlite3.SQLITE_IOERR_SHMSIZE,
    sqlite3.SQLITE_IOERR_SHMMAP,
)
"""What it says where it has no room for the index of the log."""

_MAGIC = b"SQLite format 3\0"
_HEADER = 100  # bytes; user_version at 60, application_id at 68, big-endian


Check = Callable[["Connection"], None]


class Watch(Protocol):
    """Watches over what a connection writes."""

    def looked(self, version: int) -> None:
        """Remembers SQLite's data_version, which other programs' commits change."""

    def begun(self, connection: sqlite3.Connection) -> None:
        """Lets a transaction go on. Raises LedgerError when the file is not what it was."""

    def stands(self, uid: str, head: Head, step: Step) -> None:
        """Notes where a campaign stands as soon as the transaction is kept."""

    def noted(self) -> dict[int, Stand]:
        """Returns what has been noted so far, for ``dropped``."""

    def dropped(self, before: dict[int, Stand]) -> None:
        """Forgets what was noted since: that part of the transaction was rolled back."""

    def kept(self) -> None:
        """Writes down what was noted, after the commit."""


class Connection(sqlite3.Connection):
    """A connection that knows which file it holds, and who watches over what is written there."""

    file: tuple[int, int] | None = None
    watch: Watch | None = None
    folder: TemporaryDirectory[str] | None = None
    """Where the copy is that is read instead of the file."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.writing = self.cursor()
        """Runs what every append does: a new cursor for each statement costs as much as a hash."""

    def close(self) -> None:
        """Closes the connection."""
        super().close()
        self.file = None
        if self.folder is not None:
            self.folder.cleanup()
            self.folder = None


_held: WeakSet[Connection] = WeakSet()
_opening = Lock()


def connect(
    path: Path | str,
    *,
    readonly: bool,
    create: bool,
    synchronous: Synchronous,
    wait: float,
    check: Check = lambda connection: None,
) -> Connection:
    """Returns a connection to the ledger at ``path``.

    Raises LedgerError when there is none, it cannot be opened, is not kdmlog's or is newer, and
    what ``check`` raises. That is found out before anything is written: the file keeps every byte.
    """
    with _opening:
        try:
            if str(path) == MEMORY:
                connection = _open(MEMORY, wait)
            elif readonly:
                connection = _open_to_read(Path(path), wait)
            else:
                connection = _open_to_write(Path(path), create, wait, check)
        except DatabaseErrors as error:
            raise explained(error) from error
        except OSError as error:
            raise LedgerError(
                f"The ledger {path} cannot be opened: {error.strerror}.", code="unreadable"
            ) from error
        try:
            if readonly:
                check(connection)
            else:
                _settle(connection, synchronous)
            connection.execute("PRAGMA foreign_keys = ON")
            # Else INSERT OR REPLACE deletes without asking the triggers.
            connection.execute("PRAGMA recursive_triggers = ON")
            if str(path) != MEMORY:
                status = os.stat(path)  # noqa: PTH116
                connection.file = status.st_dev, status.st_ino
                _held.add(connection)
        except BaseException as error:
            connection.close()
            if isinstance(error, DatabaseErrors):
                raise explained(error) from error
            raise
    return connection


def _settle(connection: Connection, synchronous: Synchronous) -> None:
    if _version(connection) < SCHEMA_VERSION:
        migrate(connection)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA synchronous = {synchronous}")
    connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT}")


def another(connection: sqlite3.Connection) -> sqlite3.Connection | None:
    """Returns one more connection to the same file, only to read, in whatever thread.

    None where there is no such file, or no way to have it open twice.
    """
    if not isinstance(connection, Connection) or connection.file is None:
        return None
    try:
        path = Path(connection.execute("PRAGMA database_list").fetchone()[2])
        status = path.stat()
        if (status.st_dev, status.st_ino) != connection.file:
            return None  # it has gone elsewhere, or a copy is read
        other = sqlite3.connect(
            f"{_uri(path)}?mode=ro", uri=True, isolation_level=None, check_same_thread=False
        )
    except (OSError, *DatabaseErrors):
        return None
    try:
        other.execute("SELECT count(*) FROM sqlite_master").fetchone()
        return other
    except DatabaseErrors:
        other.close()
        return None


class transaction:
    """Writes all of its body or nothing; database errors leave it as ``explained``.

    Inside another one it is a part of that, and kept when that is. A class, since a generator
    would cost an append more than its hash does.
    """

    __slots__ = ("_before", "_connection", "_inner")

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._inner = False
        self._before: dict[int, Stand] = {}

    def __enter__(self) -> None:
        connection = self._connection
        try:
            self._inner = inner = connection.in_transaction
            connection.writing.execute("SAVEPOINT part" if inner else "BEGIN IMMEDIATE")
        except DatabaseErrors as error:
            raise explained(error) from error
        watch = connection.watch
        if watch is None:
            return
        if inner:
            self._before = watch.noted()
            return
        try:
            watch.begun(connection)
        except BaseException:
            connection.execute("ROLLBACK")
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        watch = self._connection.watch
        if error is None:
            try:
                self._connection.writing.execute("RELEASE part" if self._inner else "COMMIT")
                if watch is not None and not self._inner:
                    watch.kept()
                return
            except DatabaseErrors as failed:
                error = failed
        if watch is not None:
            watch.dropped(self._before)
        if self._connection.in_transaction:
            with suppress(*DatabaseErrors):
                self._connection.execute("ROLLBACK TO part" if self._inner else "ROLLBACK")
        if isinstance(error, DatabaseErrors):
            raise explained(error) from error


def explained(error: Exception) -> KdmlogError:
    """Returns the error as one sentence: BranchMoved when busy, else LedgerError or BadInput."""
    if isinstance(error, UnicodeEncodeError):
        return BadInput("The text holds half a character, which no file can keep.")
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return BranchMoved(
                "Another program keeps the ledger busy; nothing was written.",
                code="busy",
                hints=["try again"],
            )
        case sqlite3.SQLITE_READONLY:
            return LedgerError(
                "The ledger can only be read here; nothing was written.", code="readonly"
            )
        case sqlite3.SQLITE_FULL:
            return LedgerError("The disk is full; nothing was written.", code="full")
        case sqlite3.SQLITE_IOERR | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return LedgerError(f"The ledger cannot be read or written: {error}.", code="io")
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return damaged(str(error))
    if not isinstance(error, sqlite3.Error) or "UTF-8" in str(error):
        return damaged("a row does not hold what it should")
    return LedgerError(f"The ledger refuses: {error}.")


def damaged(what: str) -> LedgerError:
    """Returns the error for a ledger that does not hold what it should."""
    return LedgerError(
        f"The ledger is damaged: {what}.", code="damaged", hints=["kdmlog verify says where"]
    )


def check_ours(application_id: int, version: int) -> None:
    """Raises LedgerError unless a ledger with these marks may be opened by this program."""
    if application_id != APPLICATION_ID:
        raise LedgerError(
            "This file is a database of another program.", code="not_kdmlog", hints=[ELSEWHERE]
        )
    if version // 1000 > SCHEMA_VERSION // 1000:
        raise LedgerError(
            f"This ledger was written by a newer kdmlog (its format is {version // 1000}, "
            f"this program knows {SCHEMA_VERSION // 1000}).",
            code="newer",
            hints=["update kdmlog"],
        )


def beside(path: Path, suffix: str) -> Path:
    """Returns the file that belongs to a database: where SQLite has its own, behind any link."""
    return Path(os.path.realpath(path) + suffix)


def wal_size(path: Path) -> int:
    """Returns how many bytes the database's write-ahead log has; 0 when there is none."""
    return log_size(path, "-wal")


def log_size(path: Path, suffix: str) -> int:
    """Returns how many bytes such a log of the database has; 0 when there is none."""
    try:
        return beside(path, suffix).stat().st_size
    except OSError:
        return 0


def data_version(connection: sqlite3.Connection) -> int:
    """Returns a number that changes when another connection has written into the file."""
    return int(connection.execute("PRAGMA data_version").fetchone()[0])


def _open(where: str, wait: float) -> Connection:
    return sqlite3.connect(
        where, uri=where != MEMORY, timeout=wait, isolation_level=None, factory=Connection
    )


def _open_to_write(path: Path, create: bool, wait: float, check: Check) -> Connection:
    if not _is_new(path):
        _check_header(path)
        if wal_size(path):
            # What counts may be in there. A read-only look, since a connection that may write
            # would fold the -wal into the file when it closes.
            looked = _open(f"{_uri(path)}?mode=ro", wait)
            try:
                check_ours(_application_id(looked), _version(looked))
                check(looked)
            finally:
                looked.close()
            return _open(f"{_uri(path)}?mode=rw", wait)
        connection = _open(f"{_uri(path)}?mode=rw", wait)
        try:
            check(connection)
            return connection
        except BaseException:
            connection.close()
            raise
    if not create:
        raise _no_ledger(path)
    if not path.absolute().parent.is_dir():
        raise LedgerError(f"The folder of {path} does not exist.", code="no_ledger")
    return _open(f"{_uri(path)}?mode=rwc", wait)


def _open_to_read(path: Path, wait: float) -> Connection:
    if _is_new(path):
        raise _no_ledger(path)
    _check_header(path)
    plain = f"{_uri(path)}?mode=ro"
    try:
        return _checked(_open(plain, wait))
    except sqlite3.OperationalError as error:
        code = error.sqlite_errorcode
        if code & 0xFF not in _BARRED and code not in _NO_INDEX:
            raise
    begun = log_size(path, "-journal")
    if begun:
        # Never committed: SQLite takes it back where it may write.
        with suppress(sqlite3.OperationalError):
            _checked(_open(f"{_uri(path)}?mode=rw", wait)).close()
            return _checked(_open(plain, wait))
    if begun or wal_size(path):  # without its log the file would be torn, or the past
        return _open_aside(path, wait)
    return _checked(_open(f"{plain}&immutable=1", wait))  # where no -shm can be made


def _open_aside(path: Path, wait: float) -> Connection:
    """Reads a copy of a file and its log, where SQLite may not do with them what it must."""
    from tempfile import TemporaryDirectory

    from kdmlog.ledger.aside import set_aside

    folder = TemporaryDirectory(prefix="kdmlog-")
    try:
        copy = set_aside(path, Path(folder.name))
        connection = _checked(_open(f"{_uri(copy)}?mode=rw", wait))
    except BaseException:
        folder.cleanup()
        raise
    connection.folder = folder
    connection.execute("PRAGMA query_only = ON")
    return connection


def _checked(connection: Connection) -> Connection:
    try:
        check_ours(_application_id(connection), _version(connection))
        return connection
    except BaseException:
        connection.close()
        raise


def _is_new(path: Path) -> bool:
    try:
        empty = path.stat().st_size == 0
    except FileNotFoundError:
        return True
    if empty and wal_size(path):
        raise damaged(f"{path} is empty, but its -wal is not")
    return empty


def _check_header(path: Path) -> None:
    """Reads the marks without SQLite, which might roll back or checkpoint another's file.

    Not where we hold the file already: to close it anywhere ends all of this program's locks on
    it, and another program would clear away the log that we write into.
    """
    status = path.stat()
    if any(each.file == (status.st_dev, status.st_ino) for each in _held):
        return
    with path.open("rb") as file:
        header = file.read(_HEADER)
    if not header.startswith(_MAGIC) or len(header) < _HEADER:
        raise LedgerError(f"{path} is no kdmlog ledger.", code="not_kdmlog", hints=[ELSEWHERE])
    check_ours(int.from_bytes(header[68:72], "big"), int.from_bytes(header[60:64], "big"))


def _no_ledger(path: Path) -> LedgerError:
    return LedgerError(f"There is no ledger at {path}.", code="no_ledger")


def _uri(path: Path) -> str:
    return path.absolute().as_uri()


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _application_id(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA application_id").fetchone()[0])
