"""Files that are not ours, are newer or cannot be written are left as they are."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from ledger_helpers import append, run_python, start, story

from kdmlog.core.errors import BranchMoved, LedgerError
from kdmlog.ledger import Ledger
from kdmlog.ledger.schema import APPLICATION_ID, SCHEMA_VERSION


def database(path: Path, *statements: str) -> Path:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {
        each.name: each.read_bytes() for each in folder.iterdir() if each.suffix != ".kdmlog-shm"
    }


def refused(path: Path, code: str) -> None:
    before = contents(path.parent)
    for readonly in (False, True):
        with pytest.raises(LedgerError) as caught:
            Ledger.open(path, readonly=readonly)
        assert caught.value.code == code
        assert "\n" not in caught.value.message
    assert contents(path.parent) == before


def test_a_database_of_another_program_is_left_alone(path: Path) -> None:
    refused(database(path, "CREATE TABLE t (a)"), "not_kdmlog")


def test_a_wal_database_of_another_program_is_left_alone(path: Path) -> None:
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA journal_mode = WAL")
    other.execute("CREATE TABLE t (a)")
    refused(path, "not_kdmlog")
    other.close()


def test_a_wal_left_by_a_killed_program_is_left_alone(path: Path) -> None:
    code = (
        "import sqlite3, sys, os; c = sqlite3.connect(sys.argv[1]);"
        "c.execute('PRAGMA journal_mode = WAL'); c.execute('CREATE TABLE t (a)'); os._exit(0)"
    )
    run_python(code, path).communicate()
    assert path.with_name(path.name + "-wal").stat().st_size
    refused(path, "not_kdmlog")


def test_a_newer_ledger_is_left_alone(path: Path) -> None:
    newer = f"PRAGMA user_version = {SCHEMA_VERSION // 1000 * 1000 + 1000}"
    refused(database(path, f"PRAGMA application_id = {APPLICATION_ID}", newer), "newer")


def test_a_newer_ledger_is_noticed_in_its_wal(path: Path) -> None:
    Ledger.open(path).close()
    code = (
        "import sqlite3, sys, os; c = sqlite3.connect(sys.argv[1], isolation_level=None);"
        "c.execute('PRAGMA user_version = 99000'); os._exit(0)"
    )
    run_python(code, path).communicate()
    refused(path, "newer")


def test_a_newer_minor_version_is_read_and_written(path: Path) -> None:
    with Ledger.open(path) as ledger:
        start(ledger)
        ledger.connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
        ledger.connection.execute("CREATE TABLE later (a)")
    with Ledger.open(path) as ledger:
        append(ledger, ledger.head(1, "main"), "a")
        assert ledger.verify() == []
        version = ledger.connection.execute("PRAGMA user_version").fetchone()[0]
        assert version == SCHEMA_VERSION + 1


@pytest.mark.parametrize("content", [b"x", b"hello\n" * 100, b"\0" * 4096, b"SQLite format 3\0"])
def test_what_is_no_database_is_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    refused(path, "not_kdmlog")


def test_a_folder_is_no_ledger(path: Path) -> None:
    path.mkdir()
    for readonly in (False, True):
        with pytest.raises(LedgerError):
            Ledger.open(path, readonly=readonly)


def test_an_empty_file_is_new(path: Path) -> None:
    path.touch()
    with pytest.raises(LedgerError) as caught:
        Ledger.open(path, readonly=True)
    assert caught.value.code == "no_ledger"
    with Ledger.open(path) as ledger:
        append(ledger, start(ledger), "a")
        assert ledger.verify() == []


def test_an_empty_file_with_a_wal_is_damage(path: Path) -> None:
    path.touch()
    path.with_name(path.name + "-wal").write_bytes(b"something")
    refused(path, "damaged")


def test_no_ledger_is_made_unless_asked(path: Path) -> None:
    for options in ({"create": False}, {"readonly": True}):
        with pytest.raises(LedgerError) as caught:
            Ledger.open(path, **options)
        assert caught.value.code == "no_ledger"
    with pytest.raises(LedgerError, match="folder"):
        Ledger.open(path.parent / "no" / "such" / path.name)
    assert list(path.parent.iterdir()) == []


def test_odd_names_are_only_names(tmp_path: Path) -> None:
    for name in ("a b?mode=memory#x%20.db", "ü☃.db", "-rf"):
        with Ledger.open(tmp_path / name) as ledger:
            append(ledger, start(ledger), "a")
        with Ledger.open(tmp_path / name, readonly=True) as ledger:
            assert story(ledger, ledger.head(1, "main")) == "a"
    assert {each.name for each in tmp_path.iterdir()} >= {"a b?mode=memory#x%20.db", "ü☃.db", "-rf"}


def test_settings_are_those_promised(path: Path) -> None:
    def pragma(ledger: Ledger, name: str) -> object:
        return ledger.connection.execute(f"PRAGMA {name}").fetchone()[0]

    with Ledger.open(path) as ledger:
        assert pragma(ledger, "journal_mode") == "wal"
        assert pragma(ledger, "synchronous") == 2
        assert pragma(ledger, "foreign_keys") == 1
        assert pragma(ledger, "recursive_triggers") == 1
        assert pragma(ledger, "busy_timeout") == 5000
        assert pragma(ledger, "application_id") == APPLICATION_ID
        assert pragma(ledger, "user_version") == SCHEMA_VERSION
    with Ledger.open(path, synchronous="NORMAL") as ledger:
        assert pragma(ledger, "synchronous") == 1


def test_a_reader_cannot_write(path: Path, ledger: Ledger) -> None:
    head = append(ledger, start(ledger), "a")
    with Ledger.open(path, readonly=True) as reader:
        with pytest.raises(LedgerError) as caught:
            append(reader, head, "b")
        assert caught.value.code == "readonly"
        assert story(reader, head) == "a"


def test_a_reader_sees_what_is_written_meanwhile(path: Path, ledger: Ledger) -> None:
    head = append(ledger, start(ledger), "a")
    with Ledger.open(path, readonly=True) as reader:
        append(ledger, head, "b")
        assert story(reader, reader.head(head.campaign, "main")) == "a b"


def test_reading_leaves_the_file_as_it_was(path: Path) -> None:
    with Ledger.open(path) as ledger:
        append(ledger, start(ledger), "a")
    before = path.read_bytes()
    with Ledger.open(path, readonly=True) as reader:
        head = reader.head(1, "main")
        story(reader, head)
        reader.verify()
    assert path.read_bytes() == before


# Root is refused nothing, so the test's programs go on as nobody.
NOBODY = """
import os, sys, tempfile
import kdmlog.ledger.aside, kdmlog.ledger.verify
from kdmlog.core.errors import LedgerError
from ledger_helpers import *
if os.getuid() == 0:
    os.setuid(65534)
"""
READ = f"""{NOBODY}
with Ledger.open(sys.argv[1], readonly=True) as ledger:
    print(story(ledger, ledger.head(1, "main")), len(ledger.verify()))
"""
WRITE = f"""{NOBODY}
try:
    with Ledger.open(sys.argv[1]) as ledger:
        append(ledger, ledger.head(1, "main"), "b")
except LedgerError as error:
    print(error.code)
"""


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that nobody can reach, too."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


@pytest.mark.skipif(os.name != "posix", reason="file modes")
def test_a_read_only_file_in_a_read_only_folder_is_read_and_not_written(shared: Path) -> None:
    path = shared / "table.kdmlog"
    with Ledger.open(path) as ledger:
        append(ledger, start(ledger), "a")
    path.chmod(0o444)
    for mode in (0o555, 0o755):
        shared.chmod(mode)
        before = path.read_bytes()
        assert run_python(READ, path).communicate() == ("a 0\n", "")
        out, error = run_python(WRITE, path).communicate()
        assert (out.strip() in ("io", "readonly", "unreadable"), error) == (True, "")
        assert path.read_bytes() == before


@pytest.mark.skipif(os.name != "posix", reason="file modes")
def test_a_live_wal_in_a_read_only_folder_is_never_skipped(shared: Path) -> None:
    """Reading the file alone would show the past as the present."""
    path = shared / "table.kdmlog"
    with Ledger.open(path) as ledger:
        append(ledger, start(ledger), "a")
    with Ledger.open(path) as ledger:
        append(ledger, ledger.head(1, "main"), "b")
        copy = shared / "copy" / path.name
        copy.parent.mkdir()
        for suffix in ("", "-wal"):
            shutil.copy(f"{path}{suffix}", f"{copy}{suffix}")
    for each in copy.parent.iterdir():
        each.chmod(0o444)
    shared.chmod(0o755)
    copy.parent.chmod(0o555)
    out, error = run_python(READ, copy).communicate()
    copy.parent.chmod(0o755)
    assert (out, error) == ("a b 0\n", "")


KILLED = """
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA journal_mode = DELETE")
connection.execute("PRAGMA cache_size = 1")
connection.execute("BEGIN")
connection.execute("DROP TABLE event")
connection.execute("CREATE TABLE filler (a)")
connection.executemany("INSERT INTO filler VALUES (?)", [("x" * 2000,)] * 200)
os._exit(9)
"""


def killed_amid(path: Path) -> Path:
    """A ledger of one move, half rewritten by a program that was killed in its transaction."""
    with Ledger.open(path) as ledger:
        append(ledger, start(ledger), "a")
    assert run_python(KILLED, path).communicate() == ("", "")
    assert path.with_name(f"{path.name}-journal").stat().st_size
    return path


def test_what_was_begun_and_never_committed_is_taken_back_by_a_reader(path: Path) -> None:
    with Ledger.open(killed_amid(path), readonly=True) as reader:
        assert reader.verify() == [] and reader.lost is None
        assert story(reader, reader.head(1, "main")) == "a"
        with pytest.raises(LedgerError) as caught:
            append(reader, reader.head(1, "main"), "b")
        assert caught.value.code == "readonly"
    with Ledger.open(path) as ledger:
        append(ledger, ledger.head(1, "main"), "b")


@pytest.mark.skipif(os.name != "posix", reason="file modes")
def test_it_is_read_from_a_copy_where_nothing_may_be_written(shared: Path) -> None:
    path = killed_amid(shared / "table.kdmlog")
    before = contents(shared)
    for each in shared.iterdir():
        each.chmod(0o444)
    shared.chmod(0o555)
    assert run_python(READ, path).communicate() == ("a 0\n", "")
    assert contents(shared) == before


@pytest.mark.skipif(os.name != "posix", reason="file modes")
def test_a_ledger_of_a_killed_writer_is_read_in_a_read_only_folder(shared: Path) -> None:
    path = shared / "table.kdmlog"
    killed = f"from ledger_helpers import *; l = Ledger.open({str(path)!r}); "
    killed += "append(l, start(l), 'a', 'b'); os._exit(9)"
    assert run_python(killed).communicate() == ("", "")
    for each in shared.iterdir():
        each.chmod(0o444)
    shared.chmod(0o555)
    assert run_python(READ, path).communicate() == ("a b 0\n", "")


def test_a_busy_file_is_not_read_as_if_nobody_wrote(path: Path) -> None:
    with Ledger.open(path) as ledger:
        append(ledger, start(ledger), "a")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA journal_mode = DELETE")
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(BranchMoved) as caught:
        Ledger.open(path, readonly=True, wait=0.01)
    assert caught.value.code == "busy"
    other.close()
