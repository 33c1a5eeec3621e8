"""Snapshots are a cache: with, without, old, damaged or another's, the answers are the same."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from kdmlog.core.fingerprint import fingerprint
from kdmlog.ledger import verify
from kdmlog.session import open_session, states
from kdmlog.session.states import _digest

from .commands import command, run
from .tamper import opened

SESSION = Path(__file__).parents[1] / "sessions" / "death.kdm"
READINGS = ("status", "recap", "log --json", "state", "diff 9", "replay 20..30", "show 12", "oplog")
TIME = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?Z?)?")
HASH = re.compile(r"\b[0-9a-f]{4,64}\b")
"""What the time of day goes into, too."""
Row = tuple[str, bytes]


@pytest.fixture(scope="module", autouse=True)
def often() -> Iterator[None]:
    """Snapshots are kept of every fourth move, so that an evening has many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(states, "EVERY", 4)
        patch.setattr(verify, "TOGETHER", 4)
        yield


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An evening with a branch and a way that was left."""
    db = tmp_path_factory.mktemp("snapshots") / "evening.db"
    run(db, "run", str(SESSION))
    for line in ("undo 6", "note otherwise", "branch other --at 17", "switch other"):
        run(db, *line.split())
    for number in range(6):
        run(db, "note", f"here {number}")
    run(db, "switch", "main")
    return db


@pytest.fixture
def db(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made, tmp_path / "kdm.db"))


@pytest.fixture(scope="module")
def expected(made: Path) -> list[Any]:
    """What a full fold of the events says, and what is told of it."""
    with open_session(made, readonly=True) as session:
        full = []
        for branch in session.branches():
            for number in range(1, branch.head.number + 1):
                state = session.game.new_state()
                place = session.ledger.position(branch.head, number)
                session.codec.fold(state, session.ledger.batches(place))
                full.append(fingerprint(state))
    told = answers(made)
    assert told[0] == full
    return told


def answers(db: Path) -> list[Any]:
    """Returns the state at each place of each branch, and what commands say; read afresh."""
    found = []
    with open_session(db, readonly=True) as session:
        places = [
            session.ledger.position(branch.head, number)
            for branch in session.branches()
            for number in range(1, branch.head.number + 1)
        ]
    for place in places:
        with open_session(db, readonly=True) as session:
            found.append(fingerprint(session.at(f"h:{place.hash.hex()}").state))
    return [found, *(_said(db, line) for line in READINGS)]


def _said(db: Path, line: str) -> tuple[int, str, str]:
    """What a command says, but for the time of day."""
    code, out, err = command(db, *line.split())
    return code, TIME.sub("…", out), err


def snapshots(db: Path) -> list[Row]:
    with opened(db) as connection:
        return connection.execute(
            "SELECT key, value FROM cache WHERE key LIKE 'state/%' ORDER BY key"
        ).fetchall()


def put(db: Path, rows: list[Row]) -> None:
    with opened(db) as connection:
        connection.executemany("INSERT OR REPLACE INTO cache (key, value) VALUES (?, ?)", rows)


def without(db: Path) -> None:
    with opened(db) as connection:
        connection.execute("DELETE FROM cache")


def one_in_two(db: Path) -> None:
    with opened(db) as connection:
        connection.execute("DELETE FROM cache WHERE rowid % 2")


def no_table(db: Path) -> None:
    with opened(db) as connection:
        connection.execute("DROP TABLE cache")


def of_another_place(db: Path) -> None:
    """Each under the name of the next: whole, but not what it says it is."""
    rows = snapshots(db)
    put(db, [(key, value) for (key, _), (_, value) in zip(rows, [*rows[1:], rows[0]], strict=True)])


def of_another_version(db: Path) -> None:
    """An older or newer program's, which folded differently."""
    rows = snapshots(db)
    for version in ("0.0.1", "9.9.9"):
        put(db, [(_version(key, version), value[::-1]) for key, value in rows])
    without_ours = [key for key, _ in rows]
    with opened(db) as connection:
        connection.executemany("DELETE FROM cache WHERE key = ?", [(key,) for key in without_ours])


def _version(key: str, version: str) -> str:
    first, _, *rest = key.split("/")
    return "/".join([first, version, *rest])


def cut_short(db: Path) -> None:
    put(db, [(key, value[: len(value) // 2]) for key, value in snapshots(db)])


def empty(db: Path) -> None:
    put(db, [(key, b"") for key, _ in snapshots(db)])


def no_state_at_all(db: Path) -> None:
    """With the right digest, but nothing that a state could be read from."""
    for data in (b"", b"\xc0", msgspec.msgpack.encode([1, 2, 3]), b"\xdd\xff\xff\xff\xff"):
        put(db, [(key, _digest(data, key) + data) for key, _ in snapshots(db)])


@pytest.mark.parametrize(
    "spoil",
    [
        without,
        one_in_two,
        no_table,
        of_another_place,
        of_another_version,
        cut_short,
        empty,
        no_state_at_all,
    ],
)
def test_the_answers_are_the_same(
    db: Path, expected: list[Any], spoil: Callable[[Path], None], measured: Callable[[str], None]
) -> None:
    assert len(snapshots(db)) >= 8
    spoil(db)
    assert answers(db) == expected
    if spoil is not no_table:
        assert run(db, "verify") == "", "of no use is not wrong"
    measured(spoil.__name__.replace("_", " "))


def test_bytes_flipped_anywhere(
    db: Path,
    expected: list[Any],
    measured: Callable[[str], None],
    runs: Callable[[int, int], int],
) -> None:
    random, rounds = Random(14), runs(3, 100)
    rows = snapshots(db)
    for _ in range(rounds):
        spoilt = []
        for key, value in rows:
            at = random.randrange(len(value))
            spoilt.append(
                (key, value[:at] + bytes([value[at] ^ 1 << random.randrange(8)]) + value[at + 1 :])
            )
        put(db, spoilt)
        assert answers(db)[0] == expected[0]
    measured(f"{rounds * len(rows)} with a bit flipped")


def test_undo_and_play_go_on_over_damaged_snapshots(db: Path, made: Path, tmp_path: Path) -> None:
    other = Path(shutil.copy(made, tmp_path / "other.db"))
    cut_short(db)
    for line in ("undo 2", "redo", "undo 9", "note on", "roll d10 --dice app", "switch other"):
        assert _said(db, line) == _said(other, line)
    for one, same in zip(answers(db)[1:], answers(other)[1:], strict=True):
        assert HASH.sub("…", one[1]) == HASH.sub("…", same[1])
    assert run(db, "verify") == ""


def test_a_forged_snapshot_fools_reading_until_verify_names_it(
    db: Path, expected: list[Any], measured: Callable[[str], None]
) -> None:
    """The log does not vouch for a cache: whoever can write one with its right digest is believed
    until ``verify`` folds the events; each forged one is named, wherever it lies."""
    with open_session(db, readonly=True) as session:
        encode = msgspec.msgpack.Encoder().encode
        forged = []
        for key, _ in snapshots(db):
            state = session.at(f"h:{key.rpartition('/')[2]}").state
            wrong = session._states.copy(state)
            wrong.settlement.population += 7
            data = encode(wrong)
            forged.append((key, _digest(data, key) + data))
    for row in forged:
        original = next(one for one in snapshots(db) if one[0] == row[0])
        put(db, [row])
        code, out, err = command(db, "verify")
        assert (code, out) == (3, "") and err.startswith("The snapshot of move ")
        put(db, [original])
    assert run(db, "verify") == ""
    put(db, forged)
    assert answers(db)[0] != expected[0]
    code, _, err = command(db, "--json", "verify")
    findings = msgspec.json.decode(err)["error"]["data"]["findings"]
    assert code == 3 and len(findings) == len(forged)
    assert "DELETE FROM cache" in findings[0]
    without(db)
    assert answers(db) == expected
    measured(f"{len(forged)} well-formed but wrong ones: each named by verify")


def test_an_evening_long_enough_for_real_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(states, "EVERY", 256)
    db = tmp_path / "long.db"
    run(db, "new", "Long", "--seed", "long")
    with open_session(db) as session:
        session.ledger.connection.execute("PRAGMA synchronous = OFF")
        for number in range(600):
            session.roll("d10") if number % 3 else session.note(f"{number}")
        live = fingerprint(session.table.state)
    assert len(snapshots(db)) == 2
    for spoil in (lambda _db: None, cut_short, without):
        spoil(db)
        with open_session(db, readonly=True) as session:
            assert fingerprint(session.table.state) == live
            assert session.verify() == []
