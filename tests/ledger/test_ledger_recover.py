"""What is whole in a damaged ledger is saved into a new one; the old one keeps every byte."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from ledger_helpers import AT, append, archived, brought, new_move, run_python, start, story, undo

from kdmlog.core.errors import LedgerError, Refused
from kdmlog.ledger import Ledger, pack_hash
from kdmlog.ledger.recover import BY, Recovered, recover

Broken = Callable[[str], Recovered]
LAST = "d"


@pytest.fixture
def whole(path: Path) -> Path:
    """Line 1: a b c d; undone to b, line 2: x y; ``other`` at c; a second campaign; a pack."""
    with Ledger.open(path) as ledger:
        head = append(ledger, start(ledger), "a", "b", "c", "d")
        ledger.create_branch(1, "other", ledger.position(head, 3), "bo", AT)
        append(ledger, undo(ledger, head, 2), "x", "y")
        append(ledger, start(ledger, "second"), "s", "t")
        ledger.put_pack(pack_hash(b"{}"), b"{}")
        ledger.use("lanterns", "other")
    return path


@pytest.fixture
def broken(whole: Path, tmp_path: Path) -> Broken:
    """Damages the ledger by a statement, and recovers it into ``new.db``."""

    def run(statement: str) -> Recovered:
        with Ledger.open(whole) as ledger:
            connection = ledger.connection
            connection.execute("PRAGMA foreign_keys = OFF")
            for (name,) in connection.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'trigger'"
            ).fetchall():
                connection.execute(f"DROP TRIGGER {name}")
            assert connection.execute(statement).rowcount > 0
        before = whole.read_bytes()
        done = recover(whole, tmp_path / "new.db")
        assert whole.read_bytes() == before
        with Ledger.open(tmp_path / "new.db") as new:
            assert new.verify() == [] and new.lost is None
            for campaign in new.campaigns():
                for branch in new.branches(campaign.id):
                    append(new, branch.head, "on")
            assert new.verify() == []
            for campaign in new.campaigns():
                with brought(archived(new, campaign.slug)) as copy:
                    assert copy.verify() == [], "what was saved can be exported"
        with suppress(FileNotFoundError):
            (tmp_path / "new.db").unlink()
        for left in tmp_path.glob("new.db-*"):
            left.unlink()
        recover(whole, tmp_path / "new.db")
        return done

    return run


def stories(path: Path) -> dict[str, dict[str, str]]:
    with Ledger.open(path, readonly=True) as ledger:
        return {
            campaign.slug: {
                branch.name: story(ledger, branch.head) for branch in ledger.branches(campaign.id)
            }
            for campaign in ledger.campaigns()
        }


def test_a_healthy_ledger_is_saved_whole(whole: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.db"
    done = recover(whole, new)
    assert [(one.moves, one.wrong, one.restated) for one in done.campaigns] == [
        (6, [], 0),
        (2, [], 0),
    ]
    assert done.packs_lost == 0
    with Ledger.open(whole, readonly=True) as old, Ledger.open(new, readonly=True) as made:
        for campaign in old.campaigns():
            assert made.campaign(campaign.slug) == campaign
            assert made.oplog(campaign.id) == old.oplog(campaign.id)
            assert made.branches(campaign.id) == old.branches(campaign.id)
            for branch in old.branches(campaign.id):
                assert list(made.moves(branch.head)) == list(old.moves(branch.head))
        assert made.pack(pack_hash(b"{}")) == b"{}"
        assert made.current() == ("lanterns", "other")
        assert made.verify() == []
    left = {each.name for each in tmp_path.iterdir() if each.name.startswith((".", "new"))}
    assert left - {"new.db-wal", "new.db-shm"} == {"new.db", "new.db-head"}


def test_before_an_altered_move_all_is_saved(broken: Broken, tmp_path: Path) -> None:
    done = broken("UPDATE move SET by = 'eve' WHERE line = 1 AND number = 3")
    assert stories(tmp_path / "new.db") == {
        "lanterns": {"main": "a b x y"},
        "second": {"main": "s t"},
    }
    first = done.campaigns[0]
    assert first.moves == 4 and first.restated == 1
    assert any("Move 3 of line 1" in text for text in first.wrong)
    assert done.campaigns[1].wrong == []


def test_before_an_altered_event_all_is_saved(broken: Broken, tmp_path: Path) -> None:
    broken("UPDATE event SET body = '{}' WHERE line = 1 AND position = 4")
    assert stories(tmp_path / "new.db")["lanterns"] == {"main": "a"}
    assert stories(tmp_path / "new.db")["second"] == {"main": "s t"}


def test_an_altered_line_costs_only_itself(broken: Broken, tmp_path: Path) -> None:
    broken("UPDATE move SET at = '' WHERE line = 2 AND number = 4")
    assert stories(tmp_path / "new.db")["lanterns"] == {"main": "a b x", "other": "a b c"}


def test_moves_whose_step_is_lost_are_saved_all_the_same(broken: Broken, tmp_path: Path) -> None:
    done = broken("UPDATE ref SET at = 'x' WHERE reason = 'append'")
    assert stories(tmp_path / "new.db")["lanterns"] == {"main": "a b x y", "other": "a b c"}
    assert (done.campaigns[0].moves, done.campaigns[0].restated) == (6, 1)
    with Ledger.open(tmp_path / "new.db", readonly=True) as ledger:
        assert [step.by for step in ledger.oplog(1)][:2] == [BY, BY]


@pytest.mark.parametrize("id", range(1, 6))
def test_any_lost_step_costs_no_move(broken: Broken, tmp_path: Path, id: int) -> None:
    done = broken(f"DELETE FROM ref WHERE id = {id}")
    assert [one.moves for one in done.campaigns] == [6, 2]
    assert stories(tmp_path / "new.db")["second"] == {"main": "s t"}
    assert "a b x y" in stories(tmp_path / "new.db")["lanterns"].values()


@pytest.mark.parametrize("column", ["slug", "name", "game", "created"])
def test_an_altered_campaign_keeps_its_moves(broken: Broken, tmp_path: Path, column: str) -> None:
    done = broken(f"UPDATE campaign SET {column} = 'other' WHERE id = 1")
    assert done.campaigns[0].moves == 6 and done.campaigns[0].wrong


def test_a_campaign_of_which_nothing_is_left_is_told(broken: Broken, tmp_path: Path) -> None:
    done = broken("UPDATE campaign SET uid = 'other' WHERE id = 1")
    assert (done.campaigns[0].moves, done.campaigns[0].branches) == (0, [])
    assert done.campaigns[0].wrong
    assert list(stories(tmp_path / "new.db")) == ["second"]


def test_an_altered_pack_is_not_passed_on(broken: Broken, tmp_path: Path) -> None:
    broken("UPDATE pack SET source = x'00'")
    with Ledger.open(tmp_path / "new.db", readonly=True) as ledger:
        assert ledger.pack(pack_hash(b"{}")) is None


def test_lines_are_told_by_their_moves_where_their_table_is_lost(
    broken: Broken, tmp_path: Path
) -> None:
    done = broken("DELETE FROM line")
    assert [one.moves for one in done.campaigns] == [6, 2]
    assert stories(tmp_path / "new.db") == {
        "lanterns": {"main": "a b x y", "other": "a b c"},
        "second": {"main": "s t"},
    }


def test_a_missing_table_costs_what_was_in_it(broken: Broken, tmp_path: Path) -> None:
    done = broken("DELETE FROM setting")
    assert [one.moves for one in done.campaigns] == [6, 2]


# --- bytes ----------------------------------------------------------------------------------------


def blanked(path: Path, start: int, size: int) -> bytes:
    data = bytearray(path.read_bytes())
    data[start : start + size] = bytes(size)
    path.write_bytes(data)
    return bytes(data)


@pytest.mark.parametrize(
    ("at", "size"), [(0, 4), (16, 2), (0, 100), (24, 80), (100, 12), (0, 2048)]
)
def test_without_its_head_a_file_is_read_all_the_same(
    whole: Path, tmp_path: Path, at: int, size: int
) -> None:
    before = blanked(whole, at, size)
    done = recover(whole, tmp_path / "new.db")
    assert [one.moves for one in done.campaigns] == [6, 2]
    assert whole.read_bytes() == before


def test_moves_before_a_blanked_page_are_saved(path: Path, tmp_path: Path) -> None:
    with Ledger.open(path) as ledger:
        head = start(ledger)
        for n in range(300):
            head = ledger.append(head, new_move(f"{n}"))
        told = story(ledger, head)
    blanked(path, path.stat().st_size // 2 // 2048 * 2048, 2048)
    done = recover(path, tmp_path / "new.db")
    saved = stories(tmp_path / "new.db")["lanterns"]["main"]
    assert told.startswith(saved) and done.campaigns[0].moves == 20


def test_a_log_left_behind_counts(path: Path, tmp_path: Path) -> None:
    killed = tmp_path / "killed" / path.name
    killed.parent.mkdir()
    with Ledger.open(path) as ledger:
        append(ledger, start(ledger), "a", "b")
        for suffix in ("", "-wal"):
            shutil.copy(f"{path}{suffix}", f"{killed}{suffix}")
    before = {each.name: each.read_bytes() for each in killed.parent.iterdir()}
    recover(killed, tmp_path / "new.db")
    assert stories(tmp_path / "new.db")["lanterns"] == {"main": "a b"}
    for name, data in before.items():
        assert (killed.parent / name).read_bytes() == data


def test_a_log_of_another_file_is_left_out(path: Path, tmp_path: Path) -> None:
    """An older copy under a log that came later makes no sense; alone it does."""
    mixed = tmp_path / "mixed" / path.name
    mixed.parent.mkdir()
    with Ledger.open(path) as ledger:
        append(ledger, start(ledger), *"abcdefgh")
    shutil.copy(path, mixed)
    with Ledger.open(path) as ledger:
        ledger.append(ledger.head(1, "main"), new_move("many", 3000))
    with Ledger.open(path) as ledger:
        append(ledger, ledger.head(1, "main"), "last")
        shutil.copy(f"{path}-wal", f"{mixed}-wal")
    recover(mixed, tmp_path / "new.db")
    assert stories(tmp_path / "new.db")["lanterns"]["main"].startswith("a b c d e f g h")


def test_what_is_lost_by_the_witness_is_told(whole: Path, tmp_path: Path) -> None:
    older = shutil.copy(whole, tmp_path / "older")
    with Ledger.open(whole) as ledger:
        append(ledger, ledger.head(2, "main"), "u")
    shutil.copy(older, whole)
    done = recover(whole, tmp_path / "new.db")
    assert [one.moves for one in done.campaigns] == [6, 2]
    assert [len(one.wrong) for one in done.campaigns] == [0, 1]


@pytest.mark.parametrize("content", [b"", b"hello\n" * 1000, bytes(100_000)])
def test_where_nothing_is_left_the_newest_backup_is_named(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(LedgerError) as caught:
        recover(path, path.with_name("new.db"))
    assert (caught.value.code, caught.value.hints) == ("unrecoverable", [])
    folder = path.with_name(f"{path.name}-backups")
    folder.mkdir()
    last = folder / f"{path.name}-20260101T000000Z.db"
    last.touch()
    with pytest.raises(LedgerError) as caught:
        recover(path, path.with_name("new.db"))
    assert str(last) in caught.value.hints[0]
    assert not path.with_name("new.db").exists()


def test_nothing_is_written_over(whole: Path, tmp_path: Path) -> None:
    for name in ("new.db", "new.db-wal", "new.db-journal"):
        (tmp_path / name).write_bytes(b"mine")
        with pytest.raises(Refused) as caught:
            recover(whole, tmp_path / "new.db")
        assert caught.value.code == "exists"
        assert (tmp_path / name).read_bytes() == b"mine"
        (tmp_path / name).unlink()
    with pytest.raises(Refused):
        recover(whole, tmp_path / "no" / "such" / "new.db")
    with pytest.raises(LedgerError):
        recover(tmp_path / "none.db", tmp_path / "new.db")


def test_a_new_ledger_does_not_inherit_an_old_witness(whole: Path, tmp_path: Path) -> None:
    older = shutil.copy(whole, tmp_path / "older")
    with Ledger.open(whole) as ledger:
        append(ledger, ledger.head(1, "main"), "z")
    whole.unlink()
    recover(Path(older), whole)
    with Ledger.open(whole) as ledger:
        append(ledger, ledger.head(1, "main"), "z")


def test_what_was_begun_and_never_committed_is_not_recovered(whole: Path, tmp_path: Path) -> None:
    """A program was killed while it rewrote the file: its journal says how it was."""
    killed = run_python(
        "import os, sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "for one in ('PRAGMA journal_mode = DELETE', 'PRAGMA cache_size = 1', 'BEGIN',\n"
        "    'DROP TABLE event', 'CREATE TABLE filler (a)'): c.execute(one)\n"
        "c.executemany('INSERT INTO filler VALUES (?)', [('x' * 2000,)] * 200); os._exit(9)",
        whole,
    )
    assert killed.communicate() == ("", "")
    before = whole.read_bytes()
    done = recover(whole, tmp_path / "new.db")
    assert [(each.moves, each.wrong) for each in done.campaigns] == [(6, []), (2, [])]
    assert whole.read_bytes() == before


LIMITED = """
import resource, sys
from pathlib import Path
from kdmlog.core.errors import KdmlogError
from kdmlog.ledger.recover import recover
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), resource.RLIM_INFINITY))
try:
    recover(Path(sys.argv[1]), Path(sys.argv[2]))
except KdmlogError as error:
    print(error.code, error.message)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits")
@pytest.mark.parametrize("damaged", [False, True])
def test_on_a_full_disk_nothing_half_is_named_and_one_line_says_so(
    whole: Path, tmp_path: Path, damaged: bool
) -> None:
    if damaged:  # then copies of the file are made, byte for byte
        with whole.open("r+b") as file:
            file.write(bytes(100))
    target, size = tmp_path / "new" / "new.db", whole.stat().st_size
    target.parent.mkdir()
    for limit in (0, 2048, 16384, size // 2, size - 1):
        out, error = run_python(LIMITED, whole, target, limit).communicate()
        assert error == "" and out.count("\n") == 1, (limit, error)
        assert out.split()[0] in ("full", "io", "unwritable"), out
        assert list(target.parent.iterdir()) == [], limit
