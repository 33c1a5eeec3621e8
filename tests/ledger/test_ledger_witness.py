"""The witness beside the database: what SQLite takes for the whole truth may be less than was."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from ledger_helpers import AT, append, new_move, run_python, start, story, undo

from kdmlog.core.errors import LedgerError
from kdmlog.ledger import Head, Ledger
from kdmlog.ledger.connection import transaction
from kdmlog.ledger.witness import SLOT

SUFFIXES = ("", "-wal", "-head")


def witnessed(path: Path, campaign: int = 1) -> list[object]:
    """What a slot says, without its checksum."""
    file = path.with_name(path.name + "-head").read_bytes()
    slot = file[campaign * SLOT : (campaign + 1) * SLOT]
    assert len(slot) == SLOT and slot.endswith(b"\n")
    return list(json.loads(slot)[1:])


def copied(path: Path, folder: Path, *suffixes: str) -> Path:
    """Files of a ledger, such as a program leaves them that is killed now."""
    folder.mkdir(exist_ok=True)
    for suffix in suffixes or SUFFIXES:
        shutil.copy(f"{path}{suffix}", f"{folder / path.name}{suffix}")
    return folder / path.name


def older(path: Path, folder: Path) -> Path:
    """A ledger of two moves, of which the copy returned has but the first."""
    with Ledger.open(path) as ledger:
        append(ledger, start(ledger), "a")
    copy = copied(path, folder, "")
    with Ledger.open(path) as ledger:
        append(ledger, ledger.head(1, "main"), "b")
    return copy


def lost(path: Path) -> LedgerError:
    """Asserts that the ledger is read but not written; returns why."""
    with Ledger.open(path, readonly=True) as ledger:
        told = ledger.lost
        assert told is not None and told.code == "lost_tail"
        assert [each.code for each in ledger.verify()] == ["lost_tail"]
    before = path.read_bytes()
    with pytest.raises(LedgerError) as caught:
        Ledger.open(path)
    assert (caught.value.code, caught.value.message) == ("lost_tail", told.message)
    assert "\n" not in told.message
    assert path.read_bytes() == before
    return told


def accepted(path: Path) -> Head:
    """Goes on with what is left; returns the head after one more move."""
    with Ledger.open(path, readonly=True) as ledger:
        ledger.accept_head()
    with Ledger.open(path) as ledger:
        assert ledger.verify() == []
        head = append(ledger, ledger.head(1, "main"), "on")
        assert ledger.verify() == []
    with Ledger.open(path) as ledger:
        assert ledger.lost is None
    return head


def test_every_commit_is_witnessed(path: Path, ledger: Ledger) -> None:
    def expect(head: Head) -> None:
        step = ledger.oplog(1)[0]
        place = [head.line, head.number, head.hash.hex()]
        assert witnessed(path) == ["uid-lanterns", *place, step.id, step.hash.hex()]

    head = start(ledger)
    expect(head)
    head = append(ledger, head, "a")
    expect(head)
    head = append(ledger, head, "b")
    expect(head)
    head = ledger.extend(head, [new_move(name) for name in "cde"])
    expect(head)
    head = undo(ledger, head)
    expect(head)
    redone = ledger.redo(head, "ada", AT)
    assert redone is not None
    expect(redone)
    head = append(ledger, undo(ledger, redone), "f")
    expect(head)
    head = ledger.extend(undo(ledger, head), [new_move("g")])
    expect(head)
    expect(ledger.create_branch(1, "other", head, "ada", AT).head)
    ledger.delete_branch(1, "other", "ada", AT)
    expect(head)
    second = start(ledger, "second")
    assert witnessed(path, second.campaign)[:3] == ["uid-second", second.line, 0]


def test_a_campaign_is_witnessed_with_its_first_move(path: Path, ledger: Ledger) -> None:
    ledger.create_campaign("a", "A", "toy", "uid", "ada", AT, new_move("first"))
    assert witnessed(path)[2] == 1


def test_another_programs_step_is_witnessed_by_the_next_append(path: Path, ledger: Ledger) -> None:
    head = append(ledger, start(ledger), "a")
    with Ledger.open(path) as other:
        other.create_branch(1, "other", head, "bo", AT)
    append(ledger, head, "b")
    assert witnessed(path)[4] == ledger.oplog(1)[0].id


def test_what_is_rolled_back_is_not_witnessed(path: Path, ledger: Ledger) -> None:
    head = append(ledger, start(ledger), "a")
    before = witnessed(path)
    with pytest.raises(KeyError), transaction(ledger.connection):
        append(ledger, head, "b")
        raise KeyError
    with (
        transaction(ledger.connection),
        pytest.raises(KeyError),
        transaction(ledger.connection),
    ):
        append(ledger, head, "c")
        raise KeyError
    assert witnessed(path) == before
    with ledger.rehearsal():
        append(ledger, head, "d")
    assert witnessed(path) == before
    with transaction(ledger.connection):
        inside = append(ledger, head, "e")
        assert witnessed(path) == before
        with pytest.raises(KeyError), transaction(ledger.connection):
            append(ledger, inside, "f")
            raise KeyError
    assert witnessed(path)[2] == 2
    assert story(ledger, ledger.head(1, "main")) == "a e"


def test_memory_has_no_witness() -> None:
    with Ledger.open(":memory:") as ledger:
        append(ledger, start(ledger), "a")
        assert ledger.verify() == []
        ledger.accept_head()
    assert not Path(":memory:-head").exists()


def test_a_link_to_a_ledger_has_the_same_witness(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "elsewhere" / "link.db"
    link.parent.mkdir()
    with Ledger.open(path) as ledger:
        head = append(ledger, start(ledger), "a")
    link.symlink_to(path)
    with Ledger.open(link) as ledger:
        append(ledger, head, "b")
    assert witnessed(path)[2] == 2
    assert [each.name for each in link.parent.iterdir()] == ["link.db"]


# --- what is lost -------------------------------------------------------------------------------


def test_an_older_copy_put_back_is_noticed(path: Path, tmp_path: Path) -> None:
    shutil.copy(older(path, tmp_path / "copy"), path)
    error = lost(path)
    assert "was move 2" in error.message and "the last one is 1" in error.message
    assert error.hints
    assert story_of(path) == "a"
    assert accepted(path).number == 2


def test_a_deleted_log_is_noticed(path: Path, ledger: Ledger, tmp_path: Path) -> None:
    append(ledger, start(ledger), "a")
    ledger.connection.execute("PRAGMA wal_checkpoint")
    append(ledger, ledger.head(1, "main"), "b", "c")
    killed = copied(path, tmp_path / "killed", "", "-head")
    assert "was move 3" in lost(killed).message
    assert accepted(killed).number == 2


def test_a_zeroed_page_in_the_log_is_noticed(path: Path, ledger: Ledger, tmp_path: Path) -> None:
    head = start(ledger)
    for n in range(40):
        head = append(ledger, head, f"{n}")
    killed = copied(path, tmp_path / "killed")
    log = killed.with_name(killed.name + "-wal")
    with log.open("r+b") as wal:
        wal.seek(log.stat().st_size // 2)
        wal.write(bytes(4096))
    assert "was move 40" in lost(killed).message
    assert 1 < accepted(killed).number < 40


def test_a_lost_step_is_noticed(path: Path, tmp_path: Path) -> None:
    with Ledger.open(path) as ledger:
        append(ledger, start(ledger), "a", "b")
    copy = copied(path, tmp_path / "copy", "")
    with Ledger.open(path) as ledger:
        undo(ledger, ledger.head(1, "main"))
    shutil.copy(copy, path)
    assert "step" in lost(path).message
    assert accepted(path).number == 3


def test_another_history_of_the_same_length_is_noticed(path: Path, tmp_path: Path) -> None:
    copy = older(path, tmp_path / "copy")
    with Ledger.open(copy) as ledger:
        append(ledger, ledger.head(1, "main"), "x")
    shutil.copy(copy, path)
    assert "another" in lost(path).message


def test_a_campaign_that_is_gone_is_noticed(path: Path, tmp_path: Path) -> None:
    copy = older(path, tmp_path / "copy")
    with Ledger.open(path) as ledger:
        append(ledger, start(ledger, "second"), "s")
    with Ledger.open(copy) as ledger:
        append(ledger, ledger.head(1, "main"), "b")  # as the other did: only the second is missing
    shutil.copy(copy, path)
    assert "A campaign of 1 moves" in lost(path).message
    assert accepted(path).number == 3


@pytest.mark.parametrize("how", ["removed", "emptied"])
def test_a_ledger_that_is_gone_is_not_begun_anew(path: Path, tmp_path: Path, how: str) -> None:
    older(path, tmp_path / "copy")
    if how == "removed":
        path.unlink()
    else:
        os.truncate(path, 0)
    for readonly in (False, True, False):
        with pytest.raises(LedgerError, match="gone or empty") as caught:
            Ledger.open(path, readonly=readonly)
        assert caught.value.code == "lost_tail"
        assert path.exists() == (how == "emptied")
        assert how == "removed" or path.stat().st_size == 0


# --- what is no alarm ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "how", ["missing", "torn", "other checksum", "blank", "too short", "noise"]
)
def test_a_witness_that_says_nothing_alarms_nobody(path: Path, tmp_path: Path, how: str) -> None:
    shutil.copy(older(path, tmp_path / "copy"), path)
    witness = path.with_name(path.name + "-head")
    slots = bytearray(witness.read_bytes())
    match how:
        case "missing":
            witness.unlink()
            slots.clear()
        case "torn":
            slots[SLOT + 100 : 2 * SLOT] = bytes(SLOT - 100)
        case "other checksum":
            slots[SLOT + 5] ^= 1
        case "blank":
            slots[SLOT:] = bytes(SLOT)
        case "too short":
            del slots[SLOT + 80 :]
        case "noise":
            slots[:] = b"\xff[1,2" * 200
    if slots:
        witness.write_bytes(slots)
    with Ledger.open(path) as ledger:
        assert ledger.verify() == []
        append(ledger, ledger.head(1, "main"), "on")
    assert witnessed(path)[2] == 2


def test_a_file_ahead_of_its_witness_is_normal(path: Path) -> None:
    with Ledger.open(path) as ledger:
        head = append(ledger, start(ledger), "a")
        before = path.with_name(path.name + "-head").read_bytes()
        undo(ledger, append(ledger, head, "b"))
    path.with_name(path.name + "-head").write_bytes(before)
    with Ledger.open(path) as ledger:
        assert ledger.verify() == []
        append(ledger, ledger.head(1, "main"), "c")


def test_a_witness_that_cannot_be_written_stops_nothing(path: Path) -> None:
    with Ledger.open(path) as ledger:
        path.with_name(path.name + "-head").mkdir()
        head = append(ledger, start(ledger), "a", "b")
        assert head.number == 2
        assert [each.code for each in ledger.verify()] == ["no_witness"]


def test_a_name_too_long_for_a_slot_is_not_witnessed(path: Path) -> None:
    with Ledger.open(path) as ledger:
        for n, uid in enumerate(("u" * 300, "short", "ü☃" * 40)):
            ledger.create_campaign(f"s{n}", "S", "toy", uid, "ada", AT, new_move("a"))
    assert witnessed(path, 2)[0] == "short"
    with Ledger.open(path) as ledger:
        assert ledger.verify() == []


# --- under a running session --------------------------------------------------------------------

Change = Callable[[Path, Path], None]


def _rename(copy: Path, path: Path) -> None:
    copy.replace(path)


def _overwrite(copy: Path, path: Path) -> None:
    path.write_bytes(copy.read_bytes())


def _remove(copy: Path, path: Path) -> None:
    path.unlink()


@pytest.mark.parametrize("put", [_rename, _overwrite, _remove])
def test_a_session_does_not_write_into_another_file(
    path: Path, tmp_path: Path, put: Change
) -> None:
    with Ledger.open(path) as ledger:
        head = start(ledger)
    copy = copied(path, tmp_path / "copy", "")
    with Ledger.open(path) as ledger:
        for n in range(60):
            head = append(ledger, head, f"{n}")
    with Ledger.open(path) as ledger:
        head = append(ledger, head, "last")
        put(copy, path)
        before = path.read_bytes() if path.exists() else b""
        for _ in range(2):
            with pytest.raises(LedgerError) as caught:
                append(ledger, head, "next")
            assert caught.value.code == "lost_tail"
            with pytest.raises(LedgerError):
                undo(ledger, head)
        assert (path.read_bytes() if path.exists() else b"") == before
        assert ledger.head(1, "main") == head
        # What this session knows is whole, and can be saved.
        with Ledger.open(tmp_path / "saved") as saved:
            pass
        if put is not _overwrite:
            saved_to = tmp_path / "kept.db"
            import sqlite3

            target = sqlite3.connect(saved_to)
            ledger.connection.backup(target)
            target.close()
            with Ledger.open(saved_to) as saved:
                assert (saved.verify(), saved.head(1, "main")) == ([], head)


def test_a_session_bears_that_its_file_is_touched(path: Path, ledger: Ledger) -> None:
    head = append(ledger, start(ledger), "a")
    for name in ("b", "c"):
        os.utime(path, (1, 1))
        head = append(ledger, head, name)
    assert ledger.verify() == []


def test_checkpoints_of_ones_own_and_of_others_are_borne(path: Path) -> None:
    big = "x" * 200_000
    with Ledger.open(path) as ledger, Ledger.open(path) as other:
        head = start(ledger)
        sizes = set()
        for n in range(60):
            head = append(ledger if n % 3 else other, head, f"{n}{big}")
            sizes.add(path.stat().st_size)
        assert len(sizes) > 2, "no checkpoint has come to pass"
        assert ledger.verify() == []


def test_an_older_file_under_a_log_left_behind_is_noticed(path: Path, tmp_path: Path) -> None:
    """SQLite lays the log over it: a mixture of two pasts, which may well have the newest head."""
    with Ledger.open(path) as ledger:
        append(ledger, start(ledger), "a")
    copy = copied(path, tmp_path / "copy", "")
    for n in range(40):
        with Ledger.open(path) as ledger:
            append(ledger, ledger.head(1, "main"), "x" * 200_000 if n == 5 else "small")
    with Ledger.open(path) as ledger:
        append(ledger, ledger.head(1, "main"), "last")
        killed = copied(path, tmp_path / "killed")
    log = killed.with_name(killed.name + "-wal").read_bytes()
    killed.write_bytes(copy.read_bytes())
    with pytest.raises(LedgerError) as caught:
        Ledger.open(killed)
    assert caught.value.code in ("lost_tail", "damaged")
    assert killed.read_bytes() == copy.read_bytes()
    assert killed.with_name(killed.name + "-wal").read_bytes() == log


def test_a_mixture_that_has_the_newest_head_is_noticed(path: Path, tmp_path: Path) -> None:
    with Ledger.open(path) as ledger:
        append(ledger, start(ledger), "a")
    copy = copied(path, tmp_path / "copy", "")
    with Ledger.open(path) as ledger:
        ledger.append(ledger.head(1, "main"), new_move("many", 3000))
    with Ledger.open(path) as ledger:
        append(ledger, ledger.head(1, "main"), "last")
        killed = copied(path, tmp_path / "killed")
        killed.write_bytes(copy.read_bytes())
        with Ledger.open(killed, readonly=True) as reader:
            assert reader.lost and "Another program" in reader.lost.message
        with pytest.raises(LedgerError, match="Another program"):
            Ledger.open(killed)
        path.write_bytes(copy.read_bytes())
        with pytest.raises(LedgerError, match="Another program"):
            append(ledger, ledger.head(1, "main"), "more")


def test_a_second_look_in_one_program_ends_no_lock(path: Path) -> None:
    """POSIX: to close a file anywhere in a program ends all of its locks on that file."""
    code = """
import sys
from ledger_helpers import *
with Ledger.open(sys.argv[1]) as ledger:
    append(ledger, ledger.head(1, "main"), "theirs")
"""
    pid = os.fork()
    if not pid:  # a program that is killed in the end
        ledger = Ledger.open(path)
        append(ledger, start(ledger), "a")
        with Ledger.open(path, readonly=True) as reader:
            reader.campaigns()
        run_python(code, path).communicate()
        append(ledger, ledger.head(1, "main"), "ours")
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0
    assert story_of(path) == "a theirs ours"


def story_of(path: Path) -> str:
    with Ledger.open(path, readonly=True) as ledger:
        return story(ledger, ledger.head(1, "main"))


# --- a witness that is none -----------------------------------------------------------------------


def _folder(witness: Path) -> None:
    witness.mkdir()


def _link(witness: Path) -> None:
    target = witness.with_name("diary.txt")
    target.write_text("dear diary")
    witness.symlink_to(target)


def _dangling(witness: Path) -> None:
    witness.symlink_to(witness.with_name("nowhere"))


def _pipe(witness: Path) -> None:
    os.mkfifo(witness)


@pytest.mark.skipif(os.name != "posix", reason="links and pipes")
@pytest.mark.parametrize("odd", [_folder, _link, _dangling, _pipe])
def test_a_witness_that_is_no_plain_file_is_told_and_never_written(
    path: Path, odd: Callable[[Path], None]
) -> None:
    with Ledger.open(path) as ledger:
        append(ledger, start(ledger), "a")
    witness = path.with_name(f"{path.name}-head")
    witness.unlink()
    odd(witness)
    for readonly in (True, False):
        with Ledger.open(path, readonly=readonly) as ledger:
            assert ledger.lost is not None and ledger.lost.code == "no_witness"
            assert "no plain file" in ledger.lost.message
            assert [each.code for each in ledger.verify()] == ["no_witness"]
            if not readonly:
                append(ledger, ledger.head(1, "main"), "b")
            with pytest.raises(LedgerError, match="cannot be written: it is no plain file"):
                ledger.accept_head()
    assert story_of(path) == "a b"
    left = {each.name: each.read_text() for each in path.parent.glob("*.txt")}
    assert left in ({}, {"diary.txt": "dear diary"})
    assert not path.with_name("nowhere").exists()
    witness.rmdir() if odd is _folder else witness.unlink()
    with Ledger.open(path) as ledger:
        assert ledger.lost is None and ledger.verify() == []
        append(ledger, ledger.head(1, "main"), "c")
    assert witnessed(path)[2] == 3
