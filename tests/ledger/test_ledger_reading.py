"""A head reads as one history, however many lines it runs through."""

from __future__ import annotations

import pytest
from ledger_helpers import append, new_move, start, story, undo

from kdmlog.core.errors import BadInput, LedgerError, UnknownName
from kdmlog.ledger import Head, Ledger


@pytest.fixture
def forked(ledger: Ledger) -> Head:
    """Thirteen moves over eight lines; many others were undone and replaced."""
    head = append(ledger, start(ledger), "0")
    for n in range(1, 5):
        head = append(ledger, undo(ledger, append(ledger, head, f"{n}", f"{n}'", "lost")), f"{n}''")
        ledger.append(head, new_move("lost", 0))
        head = undo(ledger, ledger.head(head.campaign, "main"))
    return head


def test_events_run_through_the_forks(ledger: Ledger, forked: Head) -> None:
    moves = list(ledger.moves(forked))
    assert [move.number for move in moves] == list(range(1, forked.number + 1))
    assert story(ledger, forked) == "0 1 1' 1'' 2 2' 2'' 3 3' 3'' 4 4' 4''"
    bodies = [body for move in moves for body in move.bodies]
    assert list(ledger.events(forked)) == bodies
    assert len({move.line for move in moves}) == 8


def test_every_tail_is_the_end_of_the_whole(ledger: Ledger, forked: Head) -> None:
    moves = list(ledger.moves(forked))
    for after in range(-1, forked.number + 2):
        tail = moves[max(after, 0) :]
        assert list(ledger.moves(forked, after=after)) == tail
        assert list(ledger.moves(forked, after=after, newest_first=True)) == tail[::-1]
        assert list(ledger.events(forked, after=after)) == [b for m in tail for b in m.bodies]


def test_every_position_reads_as_the_branch_did_then(ledger: Ledger, forked: Head) -> None:
    moves = list(ledger.moves(forked))
    for number in range(1, forked.number + 1):
        place = ledger.position(forked, number)
        assert (place.number, place.hash, place.follows) == (number, moves[number - 1].hash, False)
        assert list(ledger.moves(place)) == moves[:number]
        assert ledger.move(forked, number) == moves[number - 1]
    assert list(ledger.events(ledger.position(forked, 0))) == []


def test_a_limit_takes_the_newest_or_the_oldest(ledger: Ledger, forked: Head) -> None:
    moves = list(ledger.moves(forked))
    assert list(ledger.moves(forked, limit=3)) == moves[:3]
    assert list(ledger.moves(forked, newest_first=True, limit=3)) == moves[:-4:-1]


def test_a_head_reads_as_it_was(ledger: Ledger) -> None:
    old = append(ledger, start(ledger), "a")
    append(ledger, old, "b")
    assert story(ledger, old) == "a"


def test_an_event_is_read_while_moves_are_appended(ledger: Ledger) -> None:
    head = append(ledger, start(ledger), "a", "b")
    events = ledger.events(head)
    next(events)
    append(ledger, head, "c")
    assert len(list(events)) == 3


def test_moves_out_of_range_are_unknown(ledger: Ledger) -> None:
    head = append(ledger, start(ledger), "a")
    for number in (-1, 2):
        with pytest.raises(UnknownName, match="the last is 1"):
            ledger.position(head, number)
    for number in (0, 2):
        with pytest.raises(UnknownName):
            ledger.move(head, number)


def test_a_hash_prefix_finds_moves_on_any_line(ledger: Ledger) -> None:
    lost = append(ledger, start(ledger), "a", "b")
    head = append(ledger, undo(ledger, lost), "c")
    start(ledger, "other")
    for digits in (5, 8, 64):
        (found,) = ledger.find_hash(head.campaign, lost.hash.hex()[:digits])
        assert (found.line, found.number, found.hash) == (lost.line, 2, lost.hash)
        assert story(ledger, found) == "a b"
        assert ledger.find_hash(head.campaign + 1, lost.hash.hex()[:digits]) == []
    assert len(ledger.find_hash(head.campaign, "")) == 3
    with pytest.raises(BadInput):
        ledger.find_hash(head.campaign, "xyz")


def test_a_time_finds_the_last_move_by_then(ledger: Ledger) -> None:
    head = start(ledger)
    for minute in (1, 2, 4, 5):
        head = ledger.append(head, new_move("a", at=f"2026-01-01T00:0{minute}:00Z"))
        if minute == 2:
            head = ledger.append(head, new_move("lost", at="2026-01-01T00:03:00Z"))
            head = undo(ledger, head)
    times = [ledger.at_or_before(head, f"2026-01-01T00:0{minute}:00Z") for minute in range(7)]
    assert times == [0, 1, 2, 2, 3, 4, 4]


def test_a_lost_event_is_an_error_not_a_shorter_history(ledger: Ledger) -> None:
    head = append(ledger, start(ledger), "a", "b", "c")
    ledger.connection.execute("DROP TRIGGER event_no_delete")
    ledger.connection.execute("DELETE FROM event WHERE position = 3")
    with pytest.raises(LedgerError, match="events are missing"):
        list(ledger.events(head))
    with pytest.raises(LedgerError, match="events of move 2"):
        list(ledger.moves(head))
    assert len(list(ledger.events(head, after=2))) == 2


def test_what_was_typed_is_read_without_the_events(ledger: Ledger, forked: Head) -> None:
    for move in ledger.moves(forked):
        assert ledger.typed(forked, move.number) == (move.kind, move.input)
    for number in (0, forked.number + 1):
        with pytest.raises(UnknownName):
            ledger.typed(forked, number)
