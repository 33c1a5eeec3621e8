"""Many moves in one transaction: the history they make is the one that appends make."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ledger_helpers import AT, append, new_move, start, story, undo

from kdmlog.core.errors import BadInput, BranchMoved, LedgerError, Refused
from kdmlog.ledger import Head, Ledger, NewMove


def rows(ledger: Ledger) -> list[tuple[object, ...]]:
    """All that is kept, in order."""
    return [
        row
        for table in ("campaign", "line", "move", "event", "ref")
        for row in ledger.connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2")
    ]


@settings(max_examples=30, deadline=None)
@given(
    before=st.integers(0, 3),
    back=st.integers(0, 3),
    sizes=st.lists(st.integers(0, 3), max_size=6) | st.just([1] * 600),
)
def test_it_leaves_what_single_appends_leave(before: int, back: int, sizes: list[int]) -> None:
    moves = [new_move(f"m{n}", size) for n, size in enumerate(sizes)]
    with Ledger.open(":memory:") as one, Ledger.open(":memory:") as many:
        heads = [append(each, start(each), *"abc"[:before]) for each in (one, many)]
        if 0 < back <= before:
            heads = [undo(one, heads[0], back), undo(many, heads[1], back)]
        for move in moves:
            heads[0] = one.append(heads[0], move)
        heads[1] = many.extend(heads[1], iter(moves))
        assert heads[0] == heads[1] == many.head(1, "main")
        assert rows(one) == rows(many)
        assert many.verify() == []
        assert append(one, heads[0], "z") == append(many, heads[1], "z")


def test_an_undone_branch_gets_one_line_and_one_step(ledger: Ledger) -> None:
    head = undo(ledger, append(ledger, start(ledger), "a", "b"))
    after = ledger.extend(head, [new_move("c"), new_move("d")])
    assert story(ledger, after) == "a c d"
    assert [ref.reason for ref in ledger.oplog(head.campaign)] == ["append", "undo", "begin"]


def test_no_moves_write_nothing(ledger: Ledger) -> None:
    head = undo(ledger, append(ledger, start(ledger), "a"))
    kept = rows(ledger)
    assert ledger.extend(head, []) == head == ledger.head(head.campaign, "main")
    assert rows(ledger) == kept


def test_a_branch_that_has_moved_takes_none(path: Path, ledger: Ledger) -> None:
    head = append(ledger, start(ledger), "a")
    with Ledger.open(path, wait=0.05) as other:
        present = append(other, other.head(head.campaign, "main"), "b")
    with pytest.raises(BranchMoved, match="from move 1 to move 2"):
        ledger.extend(head, [new_move("c")])
    with pytest.raises(BranchMoved):
        ledger.extend(head, [])
    assert ledger.head(head.campaign, "main") == present


def failing(ledger: Ledger, head: Head) -> Iterator[NewMove]:
    yield from (new_move(f"m{n}") for n in range(300))
    append(ledger, head, "within")


@pytest.mark.parametrize("follows", [True, False])
def test_what_goes_wrong_on_the_way_leaves_nothing(ledger: Ledger, follows: bool) -> None:
    head = append(ledger, start(ledger), "a", "b")
    head = head if follows else undo(ledger, head)
    kept = rows(ledger)
    many = [new_move(f"m{n}") for n in range(300)]
    with pytest.raises(BadInput, match="half a character"):
        ledger.extend(head, [*many, new_move("\udc80")])
    with pytest.raises(ZeroDivisionError):
        ledger.extend(head, (new_move(str(1 // (300 - n))) for n in range(301)))
    with pytest.raises((LedgerError, BranchMoved)):
        ledger.extend(head, failing(ledger, head))
    assert rows(ledger) == kept
    assert story(ledger, ledger.extend(head, many[:1])).endswith("m0")


@pytest.mark.parametrize("between", [0, 300], ids=["in a batch", "in two"])
def test_a_request_given_twice_is_refused(ledger: Ledger, between: int) -> None:
    head = ledger.append(start(ledger), new_move("a", request_id="r"))
    kept = rows(ledger)
    for twice in ("r", "s"):
        requests = ["s", *[None] * between, twice]
        with pytest.raises(Refused) as caught:
            ledger.extend(head, [new_move("b", request_id=each) for each in requests])
        assert caught.value.code == "request_repeated"
    assert rows(ledger) == kept
    after = ledger.extend(head, [new_move("b", request_id="s")])
    found = ledger.find_request(after.campaign, "s")
    assert found and found.hash == after.hash


def test_moves_may_be_read_out_of_the_same_ledger(ledger: Ledger) -> None:
    """As a rebase does: from another line, while they are appended."""
    old = append(ledger, start(ledger), "a", "b", "c")
    ledger.create_branch(old.campaign, "again", ledger.position(old, 1), "ada", AT)
    moves = ledger.moves(old, after=1)
    copies = (
        NewMove(m.kind, m.begins, m.input, [*m.bodies, "{}"], m.by, m.at, m.request_id, m.rules)
        for m in moves
    )
    head = ledger.extend(ledger.head(old.campaign, "again"), copies)
    assert (story(ledger, head), story(ledger, old)) == ("a b c", "a b c")
    assert head.hash != old.hash
    assert ledger.verify() == []
