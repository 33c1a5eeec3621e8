"""Joined into batches, the events read are the same ones, in the same order."""

from __future__ import annotations

import msgspec
import pytest
from ledger_helpers import AT, append, start, undo

from kdmlog.core.errors import LedgerError
from kdmlog.ledger import Batch, Head, Ledger, NewMove


def big(events: int, size: int) -> NewMove:
    bodies = [f'{{"kind":"toy.done","n":{n},"what":"{"x" * size}"}}' for n in range(events)]
    return NewMove("acted", None, "{}", bodies, "ada", AT, None, 1)


def parted(batches: list[Batch]) -> list[str]:
    """The bodies of batches, each exactly as it was kept."""
    raw = [one for batch in batches for one in msgspec.json.decode(batch.json, type=list[RAW])]
    return [bytes(one).decode() for one in raw]


RAW = msgspec.Raw


@pytest.fixture
def forked(ledger: Ledger) -> Head:
    head = append(ledger, start(ledger), *"abcdef")
    for n in range(40):
        head = append(ledger, undo(ledger, append(ledger, head, "lost")), f'\u00fc \\\\ \\" {n}')
    return append(ledger, ledger.append(head, big(1500, 1)), "z")


def test_batches_hold_the_events_as_they_were_kept(ledger: Ledger, forked: Head) -> None:
    for after in (0, 1, 6, 30, forked.number - 1, forked.number):
        batches = list(ledger.batches(forked, after=after))
        assert parted(batches) == list(ledger.events(forked, after=after))
        assert all(batch.size for batch in batches)
    assert len(list(ledger.batches(forked))) < forked.number + 10


def test_a_lost_event_is_an_error_wherever_it_lay(ledger: Ledger, forked: Head) -> None:
    ledger.connection.execute("DROP TRIGGER event_no_delete")
    ledger.connection.execute(
        "DELETE FROM event WHERE position = 900 + (SELECT min(position) FROM event)"
    )
    with pytest.raises(LedgerError, match="events are missing"):
        list(ledger.batches(forked))


def test_batches_of_large_events_are_short(ledger: Ledger) -> None:
    head = ledger.append(start(ledger), big(300, 100_000))
    batches = list(ledger.batches(head))
    assert sum(batch.size for batch in batches) == 300
    assert max(len(batch.json) for batch in batches[1:]) < 1_000_000
