"""Logs of every version open in this one: the same hashes, the same state; nothing rewritten."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import defstruct, structs
from older import first_schema

from kdmlog import __version__
from kdmlog.core.errors import KdmlogError
from kdmlog.core.events import Event
from kdmlog.core.fingerprint import fingerprint
from kdmlog.core.game import Game
from kdmlog.games.kdm.game import GAME
from kdmlog.ledger import Ledger
from kdmlog.ledger.schema import MIGRATIONS, SCHEMA_VERSION
from kdmlog.session import open_session
from kdmlog.session.archive import export_archive, import_archive
from kdmlog.session.codec import Codec
from kdmlog.session.states import States
from tests.golden import FOLDER, came_to, expected, goldens, names, opened, unpacked

GOLDENS = goldens()


def name(golden: Path) -> str:
    return f"{golden.parent.name}-{golden.name.partition('.')[0]}"


each = pytest.mark.parametrize("golden", GOLDENS, ids=name)


def differences(kept: Any, now: Any, path: str = "") -> Iterator[str]:
    """Yields the paths whose value is another one now; paths that are new may be there."""
    if isinstance(kept, dict) and isinstance(now, dict):
        for key, value in kept.items():
            yield from differences(value, now.get(key), f"{path}.{key}")
    elif kept != now:
        yield f"{path}: {kept!r} is {now!r}"


@each
def test_its_branches_come_to_what_they_came_to(golden: Path, tmp_path: Path) -> None:
    db, kept = opened(golden, tmp_path), expected(golden)
    with open_session(db, readonly=True) as session:
        now = came_to(session)
        same_shape = fingerprint(session.game.new_state()) == kept["shape"]
        assert session.verify() == []
    assert now.keys() == kept["branches"].keys()
    for branch, was in kept["branches"].items():
        assert (now[branch]["move"], now[branch]["hash"]) == (was["move"], was["hash"])
        assert list(differences(was["state"], now[branch]["state"])) == []
        if same_shape:  # else the state has fields by now that it had not
            assert now[branch]["fingerprint"] == was["fingerprint"]


@each
def test_nothing_of_it_is_rewritten(golden: Path, tmp_path: Path) -> None:
    archive, again = unpacked(golden, tmp_path), tmp_path / "again.jsonl"
    db = opened(golden, tmp_path)
    with open_session(db) as session:
        session.view()
        export_archive(session, str(again))
    before, after = archive.read_bytes().splitlines(), again.read_bytes().splitlines()
    start, *_ = (msgspec.json.decode(lines[0]) for lines in (before, after))
    assert after[1:-1] == before[1:-1]
    assert msgspec.json.decode(after[0]) == {**start, "writer": __version__}


@each
def test_its_whole_past_can_be_read(golden: Path, tmp_path: Path) -> None:
    with open_session(opened(golden, tmp_path), readonly=True) as session:
        for branch in session.branches():
            for number in range(1, branch.head.number + 1):
                place = session.ledger.position(branch.head, number)
                session.game.view(session.at(f"h:{place.hash.hex()}"))
            for entry in session.log(head=branch.head):
                assert session.game.headline(entry.action, entry.events, session.table)
        assert session.oplog()


@each
def test_play_goes_on(golden: Path, tmp_path: Path) -> None:
    """With the newest rules: a note, an answer to what is open, undo and redo."""
    with open_session(opened(golden, tmp_path)) as session:
        before = fingerprint(session.table.state)
        number = session.head.number
        session.note("with a newer version")
        if session.open is not None:
            option = next(iter(getattr(session.open.request, "options", ())), None)
            session.answer([option.id] if option else [])
        session.undo(to=str(number))
        assert fingerprint(session.table.state) == before
        session.redo()
        assert session.head.number > number
        assert session.verify() == []


@each
def test_it_opens_in_the_first_schema_and_in_this_one(golden: Path, tmp_path: Path) -> None:
    old, kept = first_schema(opened(golden, tmp_path), tmp_path / "old.db"), expected(golden)
    before = old.read_bytes()
    with open_session(old, readonly=True) as session:
        assert session.verify() == []
        reading = came_to(session)
    assert old.read_bytes() == before, "what is only read is not migrated"
    with Ledger.open(old, readonly=True) as ledger:
        assert _version(ledger) == MIGRATIONS[0].version
    with open_session(old) as session:
        session.note("raised")
        session.undo()
        assert session.verify() == []
        assert _version(session.ledger) == SCHEMA_VERSION
        assert came_to(session) == reading
    assert {one: branch["hash"] for one, branch in reading.items()} == {
        one: branch["hash"] for one, branch in kept["branches"].items()
    }


def _version(ledger: Ledger) -> int:
    return int(ledger.connection.execute("PRAGMA user_version").fetchone()[0])


@each
def test_old_events_are_lifted(golden: Path, tmp_path: Path) -> None:
    """As if every kind of event had been changed since: each is lifted, and folds to the same."""
    later = _every_kind_changed()
    with open_session(opened(golden, tmp_path), readonly=True) as session:
        codec = Codec(later)
        states = States(session.ledger, later, codec)
        for branch in session.branches():
            bodies = list(session.ledger.events(branch.head))
            state = states.at(branch.head)
            assert fingerprint(state) == fingerprint(session.at(branch.name).state)
            assert list(session.ledger.events(branch.head)) == bodies


def _every_kind_changed() -> Game:
    """The game with a new tag for each of its kinds, and a lift for each of the old ones."""
    changed: dict[type[Event], type[Event]] = {}
    lifts = {}
    for event in GAME.events:
        old = str(event.__struct_config__.tag)
        changed[event] = defstruct(
            event.__name__, [], bases=(event,), frozen=True, kw_only=True, tag=f"{old}/2"
        )
        lifts[old] = lambda fields, new=f"{old}/2": {**fields, "kind": new}
    folds = {changed[event]: fold for event, fold in GAME.folds.items()}
    return structs.replace(GAME, events=tuple(changed.values()), folds=folds, lifts=lifts)


def test_every_version_has_its_logs(measured: Callable[[str], None]) -> None:
    versions = {golden.parent.name for golden in GOLDENS}
    assert __version__ in versions, "python -m tests.golden writes those of this version"
    assert {golden.parent.name for golden in FOLDER.glob("*/*.json")} == versions
    kept = {golden.name for golden in GOLDENS if golden.parent.name == __version__}
    assert kept == {f"{one}.jsonl.gz" for one in names()}
    measured(f"{len(GOLDENS)} logs of {len(versions)} version")


def test_together_they_hold_most_kinds_of_event(
    tmp_path: Path, measured: Callable[[str], None]
) -> None:
    seen: set[type[Event]] = set()
    for golden in GOLDENS:
        with open_session(opened(golden, tmp_path), readonly=True) as session:
            for branch in session.branches():
                moves = session.ledger.moves(branch.head)
                seen |= {type(event) for move in moves for event in session.codec.events(move)}
    every = set(GAME.all_events)
    assert len(seen) > 0.7 * len(every), sorted(one.__name__ for one in every - seen)
    measured(f"{len(seen)} of {len(every)} kinds of event in them")


def test_a_log_of_an_unknown_game_says_which_one(tmp_path: Path) -> None:
    archive = unpacked(GOLDENS[0], tmp_path)
    text = archive.read_text(encoding="utf-8").replace('"game":"kdm"', '"game":"chess"', 1)
    archive.write_text(text, encoding="utf-8")
    with pytest.raises(KdmlogError, match="line 1: game: There is no game 'chess'"):
        import_archive(tmp_path / "x.db", str(archive))


def test_logs_of_a_version_that_is_out_are_never_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tests.golden import __main__ as writing

    changelog = tmp_path / "CHANGELOG.md"
    changelog.write_text(f"# Changelog\n\n## {__version__} - 2030-01-01\n", encoding="utf-8")
    monkeypatch.setattr(writing, "CHANGELOG", changelog)
    before = {golden: golden.read_bytes() for golden in GOLDENS}
    assert writing.main() == 1
    assert "its logs stay as they are" in capsys.readouterr().out
    assert {golden: golden.read_bytes() for golden in GOLDENS} == before
