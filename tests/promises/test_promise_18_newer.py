"""What a newer version made is refused before anything is written: files, archives, events."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from hashlib import blake2b
from pathlib import Path

import pytest
from toy import TOY

from kdmlog import __version__
from kdmlog.cli.table import COMMANDS, Entry
from kdmlog.core.errors import KdmlogError
from kdmlog.ledger import NewMove
from kdmlog.ledger.schema import SCHEMA_VERSION
from kdmlog.session import new_campaign, open_session
from kdmlog.session.archive import export_archive, import_archive

from .commands import command, run
from .reading import reading

NEWER = (SCHEMA_VERSION // 1000 + 1) * 1000
WRITING = [
    "deploy",
    "place erza 5 5",
    "survival erza dash",
    "run-away erza",
    "consume erza monster_organ",
    "give erza monster_organ lucy",
    "share erza monster_organ",
    *("new Other", "use toy", "note x", "roll d10", "undo", "redo", "branch b", "switch main"),
    *("adjust gold 1 --why x", "answer x", "choose which left", "campaign rename X"),
    *("campaign hide toy", "campaign unhide toy", "campaign remove toy --yes"),
    *("rebase --onto 1", "amend 2 --drop --yes", "assert gold=0", "backup"),
]


@pytest.fixture
def db(tmp_path: Path) -> Path:
    (tmp_path / "play").mkdir()
    path = tmp_path / "play" / "toy.db"
    session, _ = new_campaign(path, "Toy", game=TOY.id)
    with session:
        for text in "abc":
            session.note(text)
    return path


def snapshot(db: Path) -> dict[str, bytes]:
    """Every file beside the ledger, byte for byte; an empty -wal is none."""
    files = (path for path in db.parent.iterdir() if "-shm" not in path.name)
    return {path.name: path.read_bytes() for path in files if path.stat().st_size}


def in_file(db: Path) -> None:
    """A newer version has written, and closed the file."""
    connection = sqlite3.connect(db, isolation_level=None)
    connection.execute(f"PRAGMA user_version = {NEWER}")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def in_log(db: Path) -> None:
    """A newer version was killed: what makes the file its own is in the -wal alone."""
    work = db.parent.parent / "work"
    work.mkdir()
    copy = work / db.name
    shutil.copy(db, copy)
    connection = sqlite3.connect(copy, isolation_level=None)
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute(f"PRAGMA user_version = {NEWER}")
    for suffix in ("", "-wal"):
        shutil.copy(work / f"{db.name}{suffix}", db.with_name(db.name + suffix))
    connection.close()
    header = db.read_bytes()[60:64]
    assert int.from_bytes(header, "big") == SCHEMA_VERSION, "the file itself looks like ours"
    assert db.with_name(f"{db.name}-wal").stat().st_size > 0


@pytest.mark.parametrize("made", [in_file, in_log])
def test_a_newer_ledger_keeps_every_byte(
    db: Path, made: Callable[[Path], None], measured: Callable[[str], None]
) -> None:
    made(db)
    before = snapshot(db)
    lines = [*(line.split() for line in WRITING), *(one for one in reading() if asks(one))]
    for words in lines:
        code, out, err = command(db, *words)
        assert (code, out, err.count("\n")) == (3, "", 1), f"{words}: {code} {out} {err}"
        assert "newer kdmlog" in err and "update kdmlog" in err, f"{words}: {err}"
        assert snapshot(db) == before, words
    code, _, err = command(db, "--json", "note", "x")
    assert (code, json.loads(err)["error"]["code"]) == (3, "newer")
    measured(f"{len(lines)} commands, {made.__name__.replace('_', ' ')}: no byte changed")


def asks(words: list[str]) -> bool:
    """Whether a reading command needs a ledger at all, and no other file."""
    return words[0] not in ("content", "compare") and "--help" not in words


def test_every_command_that_writes_is_tried() -> None:
    """But for those of the other game, and those that need a file or a person besides."""
    apart = {"play", "run", "demo", "import", "recover"}
    apart |= {"act", "move", "attack", "activate", "end-act", "end-turn", "aftermath", "control"}
    apart |= {"depart", "draw", "survivor", "gear", "showdown", "monster", "settlement", "content"}
    tried = {line.split()[0] for line in WRITING} | {words[0] for words in reading()}
    assert set(_tops(COMMANDS)) - apart <= tried


def _tops(table: dict[str, Entry]) -> Iterator[str]:
    yield from table


def test_a_newer_minor_version_is_no_hindrance(db: Path) -> None:
    connection = sqlite3.connect(db, isolation_level=None)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.execute("CREATE TABLE tomorrow (n INTEGER)")
    connection.close()
    run(db, "note", "today")
    assert run(db, "log").splitlines()[0].strip().startswith("5 ")
    assert run(db, "verify") == ""


# --- archives -------------------------------------------------------------------------------------


def archived(db: Path, to: Path) -> Path:
    with open_session(db, readonly=True) as session:
        export_archive(session, str(to))
    return to


def reclosed(lines: list[bytes]) -> bytes:
    body = b"".join(lines[:-1])
    end = json.loads(lines[-1]) | {"blake2b": blake2b(body, digest_size=32).hexdigest()}
    return body + json.dumps(end, separators=(",", ":")).encode() + b"\n"


@pytest.mark.parametrize("there", [True, False], ids=["into a ledger", "into none"])
def test_a_newer_archive_names_the_version_it_needs(db: Path, tmp_path: Path, there: bool) -> None:
    """Whatever else it may hold: nothing but its first line is understood."""
    archive = archived(db, tmp_path / "new.jsonl")
    lines = archive.read_bytes().splitlines(keepends=True)
    start = json.loads(lines[0]) | {"format": 2, "writer": "7.8.9", "colour": "blue"}
    lines[0] = json.dumps(start).encode() + b"\n"
    archive.write_bytes(reclosed([lines[0], b'{"record":"song"}\n', *lines[1:]]))
    ledger = db if there else tmp_path / "play" / "none.db"
    before = snapshot(db)
    code, out, err = command(ledger, "import", str(archive))
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert f"{archive}, line 1: format: 2 is newer than this program" in err
    assert f"update kdmlog ({__version__}) to 7.8.9" in err
    assert snapshot(db) == before
    code, _, err = command(ledger, "compare", str(archive))
    assert code == 1 and (not there or "7.8.9" in err)


# --- events ---------------------------------------------------------------------------------------


def with_a_newer_event(db: Path) -> Path:
    """The ledger after a newer version has played in it."""
    bodies = ['{"kind":"core.noted","text":"a"}', '{"kind":"toy.flew","far":true}']
    with open_session(db) as session:
        at = session.log(1)[0].at
        move = NewMove("acted", None, '{"action":"fly"}', bodies, "", at, None, 9, "7.8.9")
        session.ledger.append(session.head, move)
    return db


def test_a_newer_event_stops_play_and_names_what_wrote_it(db: Path) -> None:
    with_a_newer_event(db)
    before = snapshot(db)
    for line in ("status", "log", "note x", "roll d10", "state", "do", "undo", "branch b --reseed"):
        code, out, err = command(db, *line.split())
        assert (code, err.count("\n")) == (3, 1), f"{line}: {code} {out} {err}"
        assert "Move 5 was written by kdmlog 7.8.9." in err
        assert f"update kdmlog ({__version__}) to 7.8.9" in err
        assert snapshot(db) == before, line
    assert "day" in run(db, "state", "--at", "4"), "what was before can be read"


def test_an_archive_with_a_newer_event_is_refused_whole(db: Path, tmp_path: Path) -> None:
    archive = archived(with_a_newer_event(db), tmp_path / "new.jsonl")
    with pytest.raises(KdmlogError) as caught:
        import_archive(tmp_path / "none.db", str(archive))
    assert "line 7: events[1].kind: Invalid value 'toy.flew'" in caught.value.message
    assert "needs kdmlog 7.8.9" in caught.value.message
    assert not (tmp_path / "none.db").exists()
