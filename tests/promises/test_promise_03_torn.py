"""A torn write is cut at a move: the log cut at any offset reads as the moves before some move."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from kdmlog.ledger import Ledger

from .toy_moves import AT, begun, check_whole, new_move

FRAME = 24 + 2048
HEADER = 32
"""Bytes of the log before its first frame."""


class Stand(NamedTuple):
    """Where the ledger stood after a commit: where its branch did, and how much there was."""

    number: int
    hash: bytes
    moves: int
    events: int
    steps: int


@pytest.fixture
def torn(tmp_path: Path) -> tuple[Path, list[Stand]]:
    """A ledger with its log as a killed program left them, and where it stood commit by commit."""
    path = tmp_path / "live" / "kdm.db"
    path.parent.mkdir()
    with Ledger.open(path) as ledger:
        begun(ledger)
    left = tmp_path / "left" / "kdm.db"
    left.parent.mkdir()
    with Ledger.open(path) as ledger:
        stands = [stand(ledger.connection)]
        head = ledger.head(1, "main")
        for n in range(14):
            head = ledger.append(head, new_move(n))
            stands.append(stand(ledger.connection))
            if n % 5 == 3:
                back = ledger.position(head, head.number - 2)
                head = ledger.point(head, back, "undo", "ann", AT)
                stands.append(stand(ledger.connection))
        for suffix in ("", "-wal", "-head"):
            shutil.copy(f"{path}{suffix}", f"{left}{suffix}")
    return left, stands


def stand(connection: sqlite3.Connection) -> Stand:
    """Looks by SQL alone, as whatever opens the file may."""
    return Stand(
        *connection.execute(
            "SELECT m.number, m.hash, (SELECT count(*) FROM move), (SELECT count(*) FROM event), "
            "(SELECT count(*) FROM ref) FROM ref r LEFT JOIN move m ON m.line = r.line AND "
            "m.number = iif(r.follows, (SELECT max(number) FROM move WHERE line = r.line), "
            "r.number) ORDER BY r.id DESC LIMIT 1"
        ).fetchone()
    )


def test_cut_anywhere_it_is_a_prefix_of_whole_moves(
    torn: tuple[Path, list[Stand]],
    measured: Callable[[str], None],
    runs: Callable[[int, int], int],
) -> None:
    path, stands = torn
    log = path.with_name("kdm.db-wal")
    size, reached = log.stat().st_size, len(stands) - 1
    offsets = set(range(0, size, runs(499, 1)))
    offsets |= {HEADER + n * FRAME + d for n in range(size // FRAME + 1) for d in (-1, 0, 1, 24)}
    offsets |= set(range(size - runs(FRAME // 4, 5 * FRAME), size + 1))
    looked = sorted((at for at in offsets if 0 <= at <= size), reverse=True)
    seen = set()
    for at in looked:
        os.truncate(log, at)
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
            found = stand(connection)
        assert found in stands[: reached + 1], f"cut at {at}: no place between two moves"
        reached = stands.index(found)
        seen.add(reached)
    assert seen == set(range(len(stands))), "every commit is the last one somewhere"
    measured(f"{len(looked)} offsets of a log of {size}: each at a move's end")


def test_whatever_is_left_is_well_and_goes_on(
    torn: tuple[Path, list[Stand]],
    tmp_path: Path,
    measured: Callable[[str], None],
    runs: Callable[[int, int], int],
) -> None:
    path, stands = torn
    log = path.with_name("kdm.db-wal").read_bytes()
    copy = tmp_path / "copy" / "kdm.db"
    looked = alarms = 0
    for frame in range(0, len(log) // FRAME + 1, runs(3, 1)):
        for at in (0, 30, FRAME // 2):
            shutil.rmtree(copy.parent, ignore_errors=True)
            copy.parent.mkdir()
            shutil.copy(path, copy)
            copy.with_name("kdm.db-wal").write_bytes(log[: HEADER + frame * FRAME + at])
            shutil.copy(f"{path}-head", f"{copy}-head")
            with Ledger.open(copy, readonly=True) as ledger:
                found = stand(ledger.connection)
                assert (ledger.lost is None) == (found == stands[-1]), "a lost tail is told"
                alarms += ledger.lost is not None
                ledger.accept_head()
            with Ledger.open(copy) as ledger:
                assert ledger.verify() == []
                head = ledger.head(1, "main")
                assert (head.number or None, stand(ledger.connection)) == (found.number, found)
                check_whole(ledger, head)
                ledger.append(head, new_move(99))
                assert ledger.verify() == []
            looked += 1
    measured(f"{looked} cuts: all verify and go on, {alarms} of {alarms} lost tails told")
