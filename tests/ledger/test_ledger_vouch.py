"""What is read is held to its hashes: an altered row is refused, never given as what was logged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from ledger_helpers import AT, append, new_move, start, story, undo

from kdmlog.core.errors import LedgerError, UnknownName
from kdmlog.ledger import Head, Ledger
from kdmlog.ledger.vouch import LATELY

Edit = Callable[[str], Ledger]


@pytest.fixture
def filled(ledger: Ledger) -> Head:
    """Line 1 has a b c d; undone to b, line 2 x y z."""
    head = append(ledger, start(ledger), "a", "b", "c", "d")
    return append(ledger, undo(ledger, head, 2), "x", "y", "z")


@pytest.fixture
def edit(path: Path, ledger: Ledger, filled: Head) -> Edit:
    """Runs a statement that the triggers would refuse; returns a ledger that knows nothing yet."""

    def run(statement: str) -> Ledger:
        ledger.connection.execute("PRAGMA foreign_keys = OFF")
        for (name,) in ledger.connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'trigger'"
        ).fetchall():
            ledger.connection.execute(f"DROP TRIGGER {name}")
        assert ledger.connection.execute(statement).rowcount > 0
        ledger.close()
        return opened[0]

    with Ledger.open(path, readonly=True) as reader:
        opened = [reader]
        yield run


def read(ledger: Ledger, head: Head) -> list[Callable[[], object]]:
    """Every way to read a whole way."""
    return [
        lambda: list(ledger.moves(head)),
        lambda: list(ledger.moves(head, newest_first=True)),
        lambda: list(ledger.held(head)),
        lambda: [ledger.move(head, number) for number in range(1, head.number + 1)],
    ]


MOVE_EDITS = {
    "kind": "'adjusted'",
    "begins": "1",
    "input": "input || ' '",
    "by": "'eve'",
    "at": "'2026-01-01T00:00:01Z'",
    "request_id": "'r'",
    "writer": "'9.9.9'",
    "rules": "rules + 1",
    "hash": "zeroblob(32)",
}


@pytest.mark.parametrize("line", ["line = 1 AND number = 2", "line = 2 AND number = 4"])
@pytest.mark.parametrize("column", MOVE_EDITS)
def test_an_altered_move_is_not_read(edit: Edit, filled: Head, column: str, line: str) -> None:
    ledger = edit(f"UPDATE move SET {column} = {MOVE_EDITS[column]} WHERE {line}")
    for way in read(ledger, filled):
        with pytest.raises(LedgerError) as caught:
            way()
        assert caught.value.code == "damaged"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE event SET body = replace(body, 'toy', 'boy') WHERE line = 1 AND position = 3",
        "DELETE FROM event WHERE line = 2 AND position = 6",
        "UPDATE line SET fork_number = 1 WHERE id = 2",
    ],
)
def test_altered_events_and_forks_are_not_read(edit: Edit, filled: Head, statement: str) -> None:
    ledger = edit(statement)
    for way in read(ledger, filled):
        with pytest.raises(LedgerError):
            way()


def test_what_comes_before_an_altered_move_is_read(edit: Edit, filled: Head) -> None:
    ledger = edit("UPDATE move SET by = 'eve' WHERE line = 2 AND number = 5")
    assert ledger.move(filled, 4).input == new_move("y").input
    assert story(ledger, ledger.position(filled, 4)) == "a b x y"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ref SET branch = 'mine' WHERE id = 3",
        "UPDATE ref SET number = number - 1 WHERE id = 3",
        "UPDATE ref SET by = 'eve' WHERE id = 1",
        "DELETE FROM ref WHERE id = 2",
        "UPDATE campaign SET name = 'Lamps'",
        "UPDATE campaign SET game = 'other'",
        "UPDATE move SET hash = zeroblob(32) WHERE line = 2 AND number = 3",
        "DELETE FROM move WHERE line = 2 AND number = 5",
    ],
)
def test_altered_steps_are_noticed_at_the_door(edit: Edit, statement: str) -> None:
    with pytest.raises(LedgerError) as caught:
        edit(statement).vouch(1, "main")
    assert caught.value.code == "damaged"


def test_a_healthy_ledger_is_vouched_for(ledger: Ledger, filled: Head) -> None:
    ledger.vouch(1, "main")
    ledger.create_branch(1, "old", ledger.position(filled, 2), "ada", AT)
    head = filled
    for _ in range(LATELY):
        head = undo(ledger, append(ledger, head, "w"))
    ledger.vouch(1, "main")
    ledger.vouch(1, "old")
    with pytest.raises(UnknownName):
        ledger.vouch(1, "none")


def test_a_branch_that_stands_long_is_held_to_its_step(path: Path, edit: Edit) -> None:
    with Ledger.open(path, synchronous="NORMAL") as ledger:
        head = ledger.head(1, "main")
        ledger.create_branch(1, "old", ledger.position(head, 2), "ada", AT)
        for _ in range(LATELY):
            head = undo(ledger, append(ledger, head, "w"))
    reader = edit("UPDATE ref SET number = 1 WHERE branch = 'old'")
    reader.vouch(1, "main")
    with pytest.raises(LedgerError):
        reader.vouch(1, "old")


def test_a_branch_that_never_left_its_beginning_is_vouched_for_after_many_steps(
    ledger: Ledger,
) -> None:
    head = append(ledger, start(ledger), "a")
    side = ledger.create_branch(head.campaign, "side", head, "ada", AT).head
    side = append(ledger, side, "b")
    for _ in range(140):
        back = undo(ledger, side)
        side = ledger.redo(back, "ada", AT) or side
    ledger.vouch(head.campaign, "main")
