"""Open actions: gone on with in another process, and after the rules have changed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from toy import TOY, Again, Buy, GoldChanged, Seek, Start, changed_rules

from kdmlog.core import events as e
from kdmlog.core.errors import Refused, RulesChanged
from kdmlog.core.fingerprint import fingerprint
from kdmlog.core.game import Table
from kdmlog.core.inputs import Inputs
from kdmlog.core.procedures import Procedure, Record
from kdmlog.core.requests import Choose, Option
from kdmlog.session import Session, new_campaign
from kdmlog.session.games import register

ANSWER = """
import sys, toy
from kdmlog.session import open_session
with open_session(sys.argv[1]) as session:
    result = session.answer(sys.argv[2:])
    print(result.open.purpose if result.open else "done")
"""


def elsewhere(db: Path, *words: str) -> str:
    here = Path(__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-c", ANSWER, str(db), *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=here.parent,
        env={"PYTHONPATH": f"{here}:{here.parent}"},
    )
    return done.stdout.strip()


def test_an_action_goes_on_in_other_processes(db: Path, start: Start, again: Again) -> None:
    toy = start(ask_dice=True, table_cards=True)
    toy.perform(Seek(hero="ada"))
    toy.close()
    assert elsewhere(db, "ada") == "seek"
    assert elsewhere(db, "7", "l") == "after_seeking"
    assert elsewhere(db) == "omen"
    assert elsewhere(db, "stranger") == "stranger"
    assert elsewhere(db, "gold=2") == "done"
    session = again()
    assert session.table.state.gold == 1 + (7 + 10) // 4 + 2
    assert session.log()[0].numbers == [2, 3, 4, 5, 6, 7]


@pytest.fixture
def changed() -> Iterator[None]:
    """The toy's rules are others, once this is asked for and until the test ends."""
    yield
    register(TOY)


class TestRulesChanged:
    @pytest.fixture
    def session(self, toy: Session, again: Again, changed: None) -> Session:
        toy.adjust("gold", "5", "a start")
        toy.perform(Buy(what="rope"))
        register(changed_rules())
        return again()

    def test_state_and_question_need_no_rule(self, session: Session) -> None:
        assert session.open is not None and session.open.request.purpose == "pay"
        assert session.table.state.gold == 5

    def test_an_answer_is_refused(self, session: Session) -> None:
        before = session.head, fingerprint(session.table.state)
        with pytest.raises(RulesChanged) as refused:
            session.answer(["gold"])
        assert "--again" in refused.value.hints[0]
        assert (session.head, fingerprint(session.table.state)) == before

    def test_again_performs_it_from_its_start(self, session: Session, again: Again) -> None:
        result = session.answer(["gold"], again=True)
        assert (result.open, result.number, result.after.state.gold) == (None, 3, 5)
        entry = session.log(1)[0]
        assert (entry.action, entry.numbers) == (Buy(what="rope"), [3])
        assert entry.moves[0][0].rules == 2
        assert fingerprint(again().table.state) == fingerprint(session.table.state)
        assert session.verify() == []

    def test_again_without_an_answer_asks_again(self, session: Session) -> None:
        assert session.answer([], again=True).open is not None
        assert session.answer([]).after.state.gold == 5

    def test_a_dry_run_shows_it(self, session: Session) -> None:
        head = session.head
        assert session.answer(["gold"], again=True, dry_run=True).open is None
        assert session.head == head and session.open is not None


def test_again_keeps_the_answers_given_so_far(start: Start) -> None:
    toy = start(ask_dice=True, table_cards=True)
    toy.perform(Seek(hero="ada"))
    toy.answer(["ada"])
    toy.answer(["7", "3"])
    toy.answer(["pass"])
    before = fingerprint(toy.table.state)
    result = toy.answer([], again=True)
    assert result.open is not None and result.open.purpose == "omen"
    kinds = [type(event) for event in result.events if isinstance(event, e.ANSWERS)]
    assert kinds == [e.Chosen, e.DiceRolled, e.Chosen]
    assert toy.head.number == 2
    state = toy.table.state
    assert state.open.began == 2 and fingerprint(state) == before


def test_an_action_that_is_no_more_can_only_be_taken_back(toy: Session, changed: None) -> None:
    toy.perform(Seek(hero="ada"))
    toy.codec.plays = {}
    with pytest.raises(Refused):
        toy.answer(["pass"])
    toy.undo()
    assert toy.open is None


def test_a_note_beside_an_answer_changes_nothing(toy: Session) -> None:
    toy.perform(Seek(hero="ada"), note="one")
    toy.answer(["pass"], note="two")
    result = toy.answer(["pass"], Inputs(), note="three")
    notes = [one.text for one in toy.entry(2).events if isinstance(one, e.Noted)]
    assert notes == ["one", "two", "three"]
    assert result.number == 4


def test_a_game_may_ask_when_it_begins(db: Path, changed: None, again: Again) -> None:
    def begin(table: Table) -> Procedure[None]:
        yield from TOY.begin(table)
        [who] = yield Choose(purpose="leader", options=(Option("ada"), Option("ben")))
        yield Record(GoldChanged(by=1, now=len(who)))

    register(msgspec.structs.replace(TOY, begin=begin))
    session, result = new_campaign(db, "Asking", game="toy")
    session.close()
    assert result.open is not None and result.open.purpose == "leader"
    session = again()
    session.note("who will it be?")
    assert session.answer(["ben"]).after.state.gold == 3
    assert [entry.numbers for entry in session.log()] == [[2], [1, 3]]
    with pytest.raises(Refused):
        session.undo()
    assert session.undo(answer=True).head.number == 2
    assert session.open is not None
