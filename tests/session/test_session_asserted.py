"""Counts taken at the real table: logged if they hold, refused if not, and held to ever after."""

from __future__ import annotations

import msgspec
import pytest
from toy import TOY, Buy, Start

from kdmlog.core import events as e
from kdmlog.core.errors import BadInput, NotNow, Refused, UnknownName
from kdmlog.core.fingerprint import fingerprint
from kdmlog.core.game import Game, Table
from kdmlog.core.inputs import Inputs
from kdmlog.session import Session
from kdmlog.session.asserted import assert_counts
from kdmlog.session.audit import audit
from kdmlog.session.rebase import Correction, amend
from kdmlog.session.results import Write


def counted(session: Session, *counts: str) -> dict[str, int]:
    """Logs counts that hold; returns them as they are kept."""
    [event] = assert_counts(session, counts).events
    assert isinstance(event, e.Asserted)
    return event.counts


def test_counts_that_hold_are_logged_and_change_nothing(toy: Session) -> None:
    toy.adjust("gold", "+3", "the chest")
    before = fingerprint(toy.table.state)
    assert counted(toy, "gold=3", "day=1", "her.ada.l = 1") == {
        "gold": 3,
        "day": 1,
        "heroes.ada.luck": 1,
    }
    assert fingerprint(toy.table.state) == before
    assert toy.head.number == 3
    assert (toy.verify(), audit(toy).faults) == ([], [])


def test_a_list_is_counted_by_what_is_in_it(toy: Session) -> None:
    toy.perform(Buy(what="rope"), Inputs(choices=["beg"]))
    assert counted(toy, "bought=1") == {"bought": 1}


def test_a_wrong_count_is_refused_with_all_that_are_not_so(toy: Session) -> None:
    toy.adjust("gold", "+3", "the chest")
    counted(toy, "gold=3")
    head = toy.head
    with pytest.raises(Refused) as caught:
        assert_counts(toy, ["gold=4", "day=1", "heroes.ada.luck=0"])
    assert caught.value.code == "asserted"
    assert caught.value.data["figures"] == [
        {"path": "gold", "expected": 4, "actual": 3, "last_count": 3},
        {"path": "heroes.ada.luck", "expected": 0, "actual": 1, "last_count": 0},
    ]
    assert toy.head == head


@pytest.mark.parametrize("word", ["gold", "gold=", "=3", "gold=three", "gold=3.5", "gold=²"])
def test_what_is_no_count_is_refused(toy: Session, word: str) -> None:
    with pytest.raises(BadInput):
        assert_counts(toy, [word])


def test_what_cannot_be_counted_is_refused(toy: Session) -> None:
    with pytest.raises(BadInput, match="nothing that is counted"):
        assert_counts(toy, ["heroes.ada.name=3"])
    with pytest.raises(UnknownName):
        assert_counts(toy, ["silver=3"])
    with pytest.raises(BadInput, match="twice"):
        assert_counts(toy, ["gold=0", "gold=0"])


def test_nothing_is_counted_while_a_question_is_open(toy: Session) -> None:
    toy.perform(Buy(what="rope"))
    with pytest.raises(NotNow):
        assert_counts(toy, ["gold=0"])


def test_the_same_request_counts_once(toy: Session) -> None:
    assert not assert_counts(toy, ["gold=0"], request_id="a").repeated
    assert assert_counts(toy, ["gold=0"], request_id="a").repeated
    assert toy.head.number == 2
    with pytest.raises(Refused) as caught:
        assert_counts(toy, ["gold=1"], request_id="a")
    assert caught.value.code == "request_id"


def test_trying_logs_nothing(toy: Session) -> None:
    assert assert_counts(toy, ["gold=0"], dry_run=True).number == 0
    assert toy.head.number == 1


def poorer() -> Game:
    """Returns the toy with a view in which everybody has less: as after a change of folds."""

    def view(table: Table) -> msgspec.Struct:
        seen = TOY.view(table)
        seen.gold -= 1  # type: ignore[attr-defined]
        return seen

    fields = {name: getattr(TOY, name) for name in TOY.__struct_fields__}
    return Game(**{**fields, "view": view})


def test_a_count_that_holds_no_more_is_found_by_verify_and_audit(toy: Session) -> None:
    toy.adjust("gold", "+3", "the chest")
    counted(toy, "gold=3", "day=1")
    toy.game = poorer()
    [finding] = toy.verify()
    assert (finding.code, finding.move) == ("asserted", 3)
    assert "gold is 2; counted: 3" in finding.message
    [fault] = audit(toy).faults
    assert (fault.code, fault.move) == ("asserted", 3)


def test_a_correction_of_the_past_stops_at_a_count_that_does_not_hold_then(start: Start) -> None:
    session = start()
    session.adjust("gold", "+3", "the chest")
    counted(session, "gold=3")
    session.note("after")
    forgot = Correction(2, "", lambda s, _a: s.adjust("gold", "+1", "forgot"), after=True)
    done = amend(session, forgot, Write(), keep=False)
    assert done.stop is not None and done.stop.move == 3
    assert "gold is 4; counted: 3" in done.stop.why
