"""A stretch of the past is walked through on and back; it knows nothing that came later."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from kdmlog.cli.call import Call
from kdmlog.cli.main import execute
from kdmlog.core.errors import BadInput, UnknownName
from kdmlog.core.fingerprint import fingerprint
from kdmlog.ledger import Head
from kdmlog.session import Session, open_session
from kdmlog.session import past as past_module
from kdmlog.session.past import Past
from kdmlog.session.spans import span

SESSION = Path(__file__).parents[1] / "sessions" / "table.kdm"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The prologue at the table, and a branch of two notes from its move 9."""
    db = tmp_path_factory.mktemp("past") / "kdm.db"
    call = Call(scripted=True)
    assert execute(["--db", str(db), "run", str(SESSION)], call) == 0
    assert call.session is not None
    call.session.close()
    with open_session(db) as session:
        session.branch("aside", "9")
        session.switch("aside")
        session.note("one")
        session.note("two")
        session.switch("main")
    return db


@pytest.fixture
def session(played: Path) -> Iterator[Session]:
    with open_session(played, readonly=True) as opened:
        yield opened


def stretch(session: Session, text: str | None, head: Head | None = None) -> tuple[int, int]:
    """Returns the first and the last move of a stretch."""
    first, last = span(session, text, head or session.head)
    return first, last.number


def test_each_moment_is_what_a_full_fold_gives_in_whatever_order_they_are_asked_for(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(past_module, "PART", 7)
    past = Past(session, 3, session.head)
    last, rng = session.head.number, random.Random(5)
    on = list(range(3, last + 1))
    anywhere = [rng.randint(3, last) for _ in range(60)]
    known = {number: fingerprint(session.at(str(number)).state) for number in on}
    for number in (*on, *reversed(on), *anywhere):
        moment = past.at(number)
        assert moment.move.number == number
        assert fingerprint(moment.table.state) == known[number]


def test_going_back_reads_no_more_than_a_part(session: Session) -> None:
    past = Past(session, 1, session.head)
    for number in range(1, 33):
        past.at(number)
    session.ledger.close()
    assert past.at(1).move.number == 1
    assert past.at(5).table.state.survivors


def test_an_answer_is_under_its_action_and_nothing_later_is_told(session: Session) -> None:
    began = next(one for one in session.log() if len(one.moves) > 2)
    numbers = began.numbers
    past = Past(session, 1, session.head)
    for so_far, number in enumerate(numbers, 1):
        moment = past.at(number)
        assert moment.entry.number == began.number
        assert moment.entry.numbers == numbers[:so_far]


def test_a_showdown_is_from_its_beginning_to_its_end(session: Session) -> None:
    first, last = stretch(session, "showdown:1")
    assert session.at(str(first - 1)).state.showdown is None
    assert session.at(str(first)).state.showdown is not None
    assert session.at(str(last)).state.showdown is None
    assert session.at(str(last - 1)).state.showdown is not None


def test_without_a_range_it_is_the_newest_showdown_and_before_any_the_last_evening(
    session: Session,
) -> None:
    assert stretch(session, None) == stretch(session, "showdown:1")
    first, _ = stretch(session, "showdown:1")
    assert stretch(session, None, session.place(str(first - 1))) == (1, first - 1)
    assert stretch(session, None, session.place("20")) == (first, 20)


def test_a_year_reaches_to_the_next(session: Session) -> None:
    first, last = stretch(session, "ly:1")
    assert last == session.head.number
    assert session.at(str(first)).state.settlement.lantern_year == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [("7..9", (7, 9)), ("..3", (1, 3)), ("8", (8, 8)), ("2..aside", (2, 11)), ("aside", (11, 11))],
)
def test_a_range_is_of_places(session: Session, text: str, found: tuple[int, int]) -> None:
    assert stretch(session, text) == found


def test_an_open_range_ends_at_the_head(session: Session) -> None:
    assert stretch(session, "8..") == (8, session.head.number)


def test_a_range_goes_forwards_on_one_line(session: Session) -> None:
    with pytest.raises(BadInput, match=r"9\.\.7 ends before it begins"):
        stretch(session, "9..7")
    with pytest.raises(BadInput, match="aside is not on the way to 20"):
        stretch(session, "aside..20")
    with pytest.raises(UnknownName):
        stretch(session, "showdown:2")
