"""Events of older kinds are read as what became of them; what was written stays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from toy import TOY, Again, Bought, Buy, Rest, Start, ToyState, pay

from kdmlog.core.errors import LedgerError
from kdmlog.core.events import Event
from kdmlog.core.game import Game, Lift, Play, Table
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.ledger import NewMove
from kdmlog.session import Session
from kdmlog.session import games as registry
from kdmlog.session.archive import export_archive, import_archive
from kdmlog.session.codec import Codec, encode


class Bought3(Event, frozen=True, kw_only=True, tag="toy.bought/3"):
    """Something was bought: the third kind of it, after ``what`` and ``things``."""

    things: tuple[str, ...]
    price: int


def bought(state: ToyState, event: Bought3) -> None:
    state.bought += event.things


@rule("toy.buy")
def buy(table: Table, action: Buy) -> Procedure[None]:
    yield from pay(table, 1)
    yield Record(Bought3(things=(action.what,), price=1))


def second(old: dict[str, Any]) -> dict[str, Any]:
    return {**without(old, "what"), "kind": "toy.bought/2", "things": [old["what"]]}


def third(old: dict[str, Any]) -> dict[str, Any]:
    return {**old, "kind": "toy.bought/3", "price": 1}


def without(fields: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if key != name}


def newer(lifts: dict[str, Lift]) -> Game:
    """The toy as a later version has it."""
    fields: dict[str, Any] = {name: getattr(TOY, name) for name in TOY.__struct_fields__}
    events = tuple(event for event in TOY.events if event is not Bought)
    folds = {event: fold for event, fold in TOY.folds.items() if event is not Bought}
    changed = {
        "events": (*events, Bought3),
        "folds": {**folds, Bought3: bought},
        "plays": {**TOY.plays, Buy: Play(buy)},
        "lifts": lifts,
    }
    return Game(**{**fields, **changed})


LIFTS: dict[str, Lift] = {"toy.bought": second, "toy.bought/2": third}
Newer = Callable[[], Session]


@pytest.fixture
def later(again: Again, monkeypatch: pytest.MonkeyPatch) -> Newer:
    """Opens the campaign as a later version does."""

    def reopen() -> Session:
        monkeypatch.setitem(registry._registered, TOY.id, newer(LIFTS))
        return again()

    return reopen


def stored(session: Session) -> list[str]:
    return list(session.ledger.events(session.head))


def test_the_state_is_the_same_and_nothing_is_rewritten(start: Start, later: Newer) -> None:
    old = start()
    for what in ("rope", "lamp"):
        old.perform(Buy(what=what))
        old.answer(["beg"])
    old.perform(Rest())
    view, kept = old.look(), stored(old)
    session = later()
    assert session.look() == view
    assert session.view().bought == ["rope", "lamp"]
    assert stored(session) == kept
    assert session.verify() == []
    events = [event for _, event, _ in session.events((Bought3,))]
    assert events == [
        Bought3(things=(what,), price=1, cause="toy.buy") for what in ("rope", "lamp")
    ]
    assert [entry.number for entry in session.log()] == [6, 4, 2, 1]


def test_play_goes_on_in_the_newer_kind_beside_the_old(start: Start, later: Newer) -> None:
    old = start()
    old.perform(Buy(what="rope"))
    old.answer(["beg"])
    session = later()
    session.perform(Buy(what="lamp"))
    session.answer(["beg"])
    kinds = [body for body in stored(session) if "toy.bought" in body]
    assert ['"toy.bought"' in body for body in kinds] == [True, False]
    assert session.look("bought") == ["rope", "lamp"]
    session.undo(2)
    session.redo()
    assert session.look("bought") == ["rope", "lamp"]


def test_an_action_left_open_by_the_older_version_is_finished_by_the_newer(
    start: Start, later: Newer
) -> None:
    old = start()
    old.perform(Buy(what="rope"))
    session = later()
    session.answer(["beg"])
    assert session.look("bought") == ["rope"]


def test_an_archive_of_the_older_version_is_imported_as_it_is(
    start: Start, later: Newer, tmp_path: Path
) -> None:
    old = start()
    old.perform(Buy(what="rope"))
    old.answer(["beg"])
    export_archive(old, str(tmp_path / "old.jsonl"))
    session = later()
    import_archive(tmp_path / "new.db", str(tmp_path / "old.jsonl"))
    export_archive(session, str(tmp_path / "new.jsonl"))
    assert (tmp_path / "new.jsonl").read_bytes() == (tmp_path / "old.jsonl").read_bytes()


def old_body(**fields: object) -> str:
    return encode({"kind": "toy.bought", **fields})


@pytest.mark.parametrize(
    ("lifts", "body"),
    [
        ({}, old_body(what="rope")),
        ({"toy.bought": second}, old_body(what="rope")),
        (LIFTS, old_body(who="nobody")),
        (LIFTS, old_body(what=7)),
        ({"toy.bought": lambda old: old}, old_body(what="rope")),
        ({"toy.bought": lambda old: {}}, old_body(what="rope")),
        (LIFTS, '{"kind":"toy.bought/4"}'),
        (LIFTS, '{"what":"rope"}'),
        (LIFTS, "7"),
    ],
)
def test_what_cannot_be_lifted_is_told(lifts: dict[str, Lift], body: str) -> None:
    with pytest.raises(LedgerError, match="cannot read") as caught:
        Codec(newer(lifts)).event(body)
    assert caught.value.code == "unknown_event"


def test_an_event_of_a_newer_version_names_the_move_and_what_wrote_it(
    start: Start, again: Again
) -> None:
    session = start()
    bodies = ['{"kind":"core.noted","text":"a"}', '{"kind":"toy.flew","far":true}']
    move = NewMove(
        "acted", None, '{"action":"fly"}', bodies, "", session.log()[0].at, None, 1, "7.8.9"
    )
    session.ledger.append(session.head, move)
    session = again()
    for look in (session.look, session.log, lambda: list(session.events()), session.ready):
        with pytest.raises(LedgerError) as caught:
            look()
        error = caught.value
        assert error.code == "unknown_event"
        assert error.message.startswith("Move 2 was written by kdmlog 7.8.9. ")
        assert "'toy.flew'" in error.message
        assert error.data == {"move": 2, "writer": "7.8.9"}
        assert error.hints == ["update kdmlog (0.1.0) to 7.8.9"]
    assert session.look(at="1")["day"] == 1, "what was before can be read"
