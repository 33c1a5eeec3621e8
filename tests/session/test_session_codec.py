"""A log is read many events at a time, and each of them still counts by itself."""

from __future__ import annotations

import pytest
from toy import TOY

from kdmlog.core.errors import LedgerError
from kdmlog.core.events import Noted, Reseeded
from kdmlog.ledger import Batch
from kdmlog.session.codec import Codec, encode

NOTE, SEED = encode(Noted(text="a, b")), encode(Reseeded(seed="new"))


def seed_after(codec: Codec, json: str, count: int) -> str:
    state = TOY.new_state()
    codec.fold(state, [Batch(json, count)])
    return state.seed


def test_a_batch_folds_in_order() -> None:
    assert seed_after(Codec(TOY), f"[{SEED},{NOTE},{encode(Reseeded(seed='last'))}]", 3) == "last"


def test_what_one_at_a_time_can_be_read_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a batch cannot be read as a whole, ``event`` is asked about each of its bodies."""
    codec, asked = Codec(TOY), []
    event = codec.event

    def lifted(body: str) -> object:
        asked.append(body)
        return event(body.replace("toy.old", "core.reseeded"))

    monkeypatch.setattr(codec, "event", lifted)
    old = '{"kind":"toy.old","seed":"lifted"}'
    assert seed_after(codec, f"[{NOTE},{old}]", 2) == "lifted"
    assert asked == [NOTE, old]


@pytest.mark.parametrize(
    ("json", "count", "why"),
    [
        (f'[{NOTE},{{"kind":"no.such"}}]', 2, "'no.such'"),
        (f"[{NOTE},{SEED[:-1]}]", 2, "malformed"),
        (f"[{NOTE},{SEED}]", 1, "not one to a row"),
        (f"[{NOTE}]", 2, "not one to a row"),
        (f"[{NOTE},7]", 2, "Expected `object`"),
    ],
    ids=["an unknown kind", "half an event", "two in a row", "one over two rows", "a number"],
)
def test_an_event_that_cannot_be_read_stops_the_fold(json: str, count: int, why: str) -> None:
    with pytest.raises(LedgerError, match=why) as caught:
        seed_after(Codec(TOY), json, count)
    assert caught.value.code == "unknown_event"
