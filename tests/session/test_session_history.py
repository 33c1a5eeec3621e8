"""The history: undo, redo, branches, the past, the log and what differs."""

from __future__ import annotations

import pytest
from toy import Again, Buy, DayEnded, Gamble, Rest, Seek, Start

from kdmlog.core import events as e
from kdmlog.core.actions import Adjust, New, Note, Reseed
from kdmlog.core.errors import BadInput, Refused, UnknownName
from kdmlog.core.fingerprint import fingerprint
from kdmlog.core.inputs import Inputs
from kdmlog.session import Session

SEEK = Seek(hero="ada")
PASSED = Inputs(choices=["pass", "pass"], draws=["crow"])


def print_(session: Session) -> str:
    return fingerprint(session.table.state)


def rows(session: Session) -> list[int]:
    tables = ("move", "event", "ref", "line")
    count = "SELECT count(*) FROM {}"
    execute = session.ledger.connection.execute
    return [execute(count.format(table)).fetchone()[0] for table in tables]


class TestUndo:
    def test_it_takes_back_whole_actions_and_redo_returns(self, toy: Session, again: Again) -> None:
        prints = [print_(toy)]
        for _ in range(4):
            toy.perform(Rest())
            prints.append(print_(toy))
        undone = toy.undo(3)
        assert [entry.number for entry in undone.took_back] == [5, 4, 3]
        assert (undone.head.number, print_(toy)) == (2, prints[1])
        toy.undo()
        assert print_(toy) == print_(again()) == prints[0]
        redone = toy.redo(2)
        assert print_(toy) == print_(again()) == prints[4]
        assert [entry.number for entry in redone.brought_back] == [5, 4, 3, 2]

    def test_each_undo_is_one_step_of_the_oplog(self, toy: Session) -> None:
        for _ in range(3):
            toy.perform(Rest())
        toy.undo(2, by="bo")
        newest = toy.oplog()[0]
        assert (newest.reason, newest.number, newest.by) == ("undo", 2, "bo")
        assert [step.reason for step in toy.oplog()] == ["undo", "begin"]

    def test_rolls_and_draws_taken_back_are_counted(self, toy: Session) -> None:
        toy.perform(SEEK, PASSED)
        toy.roll("d10")
        undone = toy.undo(2, dry_run=True)
        assert (undone.rolls, undone.draws) == (2, 1)
        assert toy.head.number == 3

    @pytest.mark.parametrize("n", [0, -1, 3, 100])
    def test_too_much_changes_nothing(self, toy: Session, n: int) -> None:
        for _ in range(2):
            toy.perform(Rest())
        before = rows(toy), print_(toy)
        with pytest.raises(Refused):
            toy.undo(n)
        assert (rows(toy), print_(toy)) == before

    def test_the_beginning_stays(self, toy: Session) -> None:
        for options in ({}, {"answer": True}, {"to": "1"}):
            with pytest.raises(Refused):
                toy.undo(**options)

    def test_to_a_position(self, toy: Session) -> None:
        for _ in range(4):
            toy.perform(Rest())
        toy.undo(to="@{1}")
        toy.undo(to="day:1")
        assert (toy.head.number, toy.table.state.day) == (2, 2)
        toy.branch("side")
        toy.perform(Rest())
        toy.switch("side")
        toy.perform(SEEK, PASSED)
        elsewhere = toy.at("main")
        assert elsewhere.state.day == 3
        with pytest.raises(Refused):
            toy.undo(to="main")

    def test_an_answered_action_goes_whole(self, toy: Session) -> None:
        before = print_(toy)
        toy.perform(SEEK)
        toy.answer(["ada"])
        toy.note("slipped in")
        toy.adjust("gold", "+1", "slipped in")
        toy.answer(["ben"])
        while toy.open:
            toy.answer(["9"] if toy.open.request.purpose == "stranger" else ["none"])
        undone = toy.undo()
        assert print_(toy) == before
        assert [type(entry.action) for entry in undone.took_back] == [Adjust, Note, Seek]

    def test_while_open_it_takes_back_the_last_answer(self, toy: Session) -> None:
        toy.perform(SEEK)
        asked = toy.open
        toy.answer(["ada"])
        assert toy.open != asked
        toy.undo()
        assert toy.open == asked
        assert toy.answer(["ben"]).events[0].picked == ("ben",)  # type: ignore[attr-defined]
        toy.undo(2)
        assert toy.open is None and toy.head.number == 1

    def test_with_answer_it_takes_back_the_last_move_of_a_finished_action(
        self, toy: Session
    ) -> None:
        toy.adjust("gold", "5", "a start")
        toy.perform(Buy(what="rope"))
        asked = toy.open
        toy.answer(["gold"])
        assert toy.open is None
        toy.undo(answer=True)
        assert toy.open == asked
        toy.answer(["beg"])
        assert toy.table.state.gold == 5

    def test_the_same_dice_come_again(self, toy: Session) -> None:
        first = toy.perform(SEEK, PASSED)
        toy.undo()
        second = toy.perform(SEEK, PASSED)
        assert second.events == first.events
        toy.undo()
        toy.roll("d10", inputs=Inputs(dice=["4"]))
        toy.adjust("gold", "+0", "takes no die either")
        assert toy.perform(SEEK, PASSED).events[1] == first.events[1]

    def test_a_new_move_ends_redo(self, toy: Session) -> None:
        toy.perform(Rest())
        toy.undo()
        toy.note("something else")
        with pytest.raises(Refused):
            toy.redo()
        with pytest.raises(Refused):
            toy.undo(5)

    def test_no_more_redo_than_undo(self, toy: Session) -> None:
        toy.perform(Rest())
        toy.undo()
        before = rows(toy)
        for n in (0, 2):
            with pytest.raises(Refused):
                toy.redo(n)
        assert rows(toy) == before
        assert toy.redo(dry_run=True).head.number == 2 and rows(toy) == before


class TestBranches:
    def test_a_branch_meets_the_same_dice(self, toy: Session, again: Again) -> None:
        toy.branch("what-if")
        first = toy.perform(SEEK, PASSED)
        toy.switch("what-if")
        assert again().branch_name == "what-if"
        assert toy.perform(SEEK, PASSED).events == first.events

    def test_until_it_is_reseeded(self, toy: Session) -> None:
        branch = toy.branch("luck", reseed=True)
        assert (branch.head.number, toy.head.number) == (2, 1)
        first = toy.roll("10d10").events
        toy.switch("luck")
        assert toy.roll("10d10").events != first
        assert isinstance(toy.log()[-2].action, Reseed)
        assert toy.table.state.seed != "t"

    def test_reseeded_in_the_middle_of_an_action(self, toy: Session) -> None:
        toy.perform(SEEK)
        toy.branch("luck", reseed=True)
        toy.switch("luck")
        assert toy.open is not None
        toy.answer(["ada"])
        assert toy.undo().head.number == 3

    def test_branches_go_their_own_ways(self, toy: Session, again: Again) -> None:
        toy.perform(Rest())
        toy.branch("past", "1")
        toy.perform(Rest())
        toy.switch("past")
        toy.perform(Gamble(), Inputs()) if toy.table.state.gold else toy.note("poor")
        assert again().table.state.day == 1
        toy.switch("mai")
        assert again().table.state.day == 3
        assert [branch.name for branch in toy.branches()] == ["main", "past"]

    def test_what_is_refused(self, toy: Session) -> None:
        toy.branch("b")
        with pytest.raises(Refused):
            toy.branch("b")
        with pytest.raises(Refused):
            toy.delete_branch("main")
        with pytest.raises(UnknownName):
            toy.switch("nowhere")
        with pytest.raises(UnknownName):
            toy.branch("c", "99")

    def test_deleting_drops_the_name_only(self, toy: Session) -> None:
        toy.branch("b")
        toy.switch("b")
        toy.perform(Rest())
        place = toy.head.hash.hex()
        toy.switch("main")
        toy.delete_branch("b")
        assert toy.at(f"h:{place}").state.day == 2
        assert [branch.name for branch in toy.branches()] == ["main"]


class TestThePast:
    @pytest.fixture
    def days(self, toy: Session) -> Session:
        for day in range(1, 5):
            toy.perform(Rest(), at=f"2026-11-{day:02}T12:00:00Z")
        return toy

    @pytest.mark.parametrize(
        ("position", "day"),
        [
            ("1", 1),
            ("3", 3),
            ("@{0}", 5),
            ("@{2}", 3),
            ("day:1", 2),
            ("day:4", 5),
            ("2026-11-02T18:00:00Z", 3),
            ("2026-11-02T12:00:00Z", 3),
            ("main", 5),
        ],
    )
    def test_positions(self, days: Session, position: str, day: int) -> None:
        assert days.at(position).state.day == day
        assert days.view(position).day == day  # type: ignore[attr-defined]
        assert days.table.state.day == 5

    def test_by_hash_also_what_was_taken_back(self, days: Session) -> None:
        hash = days.head.hash.hex()[:10]
        days.undo(2)
        days.note("elsewhere")
        assert days.at(f"h:{hash}").state.day == 5

    @pytest.mark.parametrize(
        "position", ["0", "6", "@{5}", "day:0", "day:5", "year:1", "h:000000000000", "1999-01-01"]
    )
    def test_no_such_place(self, days: Session, position: str) -> None:
        with pytest.raises(UnknownName):
            days.at(position)

    def test_no_position_at_all(self, days: Session) -> None:
        with pytest.raises(BadInput):
            days.at("nowhere")

    def test_the_past_does_not_touch_the_present(self, days: Session) -> None:
        before = rows(days), print_(days)
        for position in ("1", "2", "day:1"):
            days.at(position)
            days.view(position)
        assert (rows(days), print_(days)) == before


class TestLog:
    def test_answers_are_grouped_under_their_action(self, start: Start) -> None:
        toy = start(ask_dice=True, table_cards=True)
        toy.perform(SEEK, Inputs(choices=["ada"]), by="ann")
        toy.answer(["7", "3"], by="bo")
        toy.note("in between")
        toy.answer([])
        toy.answer(["crow"])
        toy.perform(Rest())
        log = toy.log()
        assert [entry.number for entry in log] == [7, 4, 2, 1]
        seek = log[2]
        assert (seek.numbers, seek.by, seek.action) == ([2, 3, 5, 6], "ann", SEEK)
        assert [move.kind for move, _ in seek.moves] == ["acted", *["answered"] * 3]
        for number in seek.numbers:
            assert toy.entry(number) == seek
        assert toy.entry(4).action == Note(text="in between")
        assert [entry.number for entry in toy.log(2)] == [7, 4]
        assert [entry.number for entry in toy.log(head=toy.place("2"))] == [2, 1]
        with pytest.raises(UnknownName):
            toy.entry(8)

    def test_events(self, toy: Session) -> None:
        toy.perform(SEEK, PASSED)
        toy.perform(Rest())
        assert [event for _, event, _ in toy.events((DayEnded,))] == [
            DayEnded(day=1, cause="toy.rest")
        ]
        numbers = [number for number, _, _ in toy.events(since=1)]
        assert numbers[0] == 2 and numbers[-1] == 3
        assert all(body.startswith('{"kind":"') for _, _, body in toy.events())

    def test_look(self, toy: Session) -> None:
        toy.perform(Rest())
        assert toy.look("day") == 2 and toy.look("day", at="1") == 1
        assert toy.look("heroes.ben") == {"name": "Ben", "luck": 1}
        assert toy.look()["gold"] == 0
        with pytest.raises(UnknownName) as refused:
            toy.look("heroes.ben.lick")
        assert "heroes.ben.luck" in refused.value.hints[0]

    def test_an_action_that_is_no_more_is_shown_as_it_was_written(self, toy: Session) -> None:
        toy.perform(Rest())
        del toy.codec.plays
        toy.codec.plays = {}
        assert toy.log(1)[0].action == {"action": "rest"}


class TestDiff:
    def test_two_places(self, toy: Session) -> None:
        toy.perform(Rest())
        toy.adjust("heroes.ada.luck", "+2", "x")
        diff = toy.diff("1")
        assert diff.changes == [("day", 1, 2), ("heroes.ada.luck", 1, 3)]
        assert (diff.only_a, [entry.number for entry in diff.only_b]) == ([], [3, 2])
        assert toy.diff("1", "1").changes == []
        assert toy.diff("3", "2").changes == [("heroes.ada.luck", 3, 1)]

    def test_two_branches(self, toy: Session) -> None:
        toy.perform(Rest())
        toy.branch("side")
        toy.perform(Rest())
        toy.switch("side")
        toy.adjust("gold", "3", "x")
        assert toy.shared_with(toy.place("main")) == 2
        diff = toy.diff("main", "side")
        assert diff.changes == [("gold", 0, 3), ("day", 3, 2)]
        assert [type(entry.action) for entry in diff.only_a] == [Rest]
        assert [type(entry.action) for entry in diff.only_b] == [Adjust]

    def test_one_question_answered_in_two_ways(self, toy: Session) -> None:
        toy.perform(SEEK)
        toy.branch("side")
        toy.answer(["ada"])
        toy.switch("side")
        toy.answer(["ben"])
        diff = toy.diff("main", "side")
        assert [entry.action for entry in diff.only_a + diff.only_b] == [SEEK, SEEK]
        assert [entry.numbers for entry in diff.only_a + diff.only_b] == [[3], [3]]


def test_new_is_the_oldest_action(toy: Session) -> None:
    toy.perform(Rest())
    assert isinstance(toy.log()[-1].action, New)
    assert [type(event) for event in toy.entry(1).events[:2]] == [e.CampaignBegun, e.PacksChanged]


def test_an_action_after_an_undo_tells_where_the_old_way_is(toy: Session) -> None:
    toy.perform(Rest())
    toy.perform(Rest())
    old = toy.head
    toy.undo(2)
    gone = toy.note("another way").left_behind
    assert gone is not None and (gone.number, gone.hash) == (old.number, old.hash)
    toy.branch("old", f"h:{gone.hash.hex()[:8]}")
    assert toy.note("on").left_behind is None
    toy.switch("old")
    assert toy.table.state.day == 3


def test_steps_that_belong_together_are_kept_together(
    toy: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever goes wrong in between, such as a kill: none of them stands alone."""
    for _ in range(3):
        toy.perform(Rest())
    for _ in range(2):
        toy.undo()
    head, steps = toy.head, len(toy.oplog())

    def fails(*_words: object, **_more: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(toy.ledger, "append", fails)
        with pytest.raises(KeyboardInterrupt):
            toy.branch("other", reseed=True)
    redo = toy.ledger.redo
    with monkeypatch.context() as patch:
        patch.setattr(toy.ledger, "redo", lambda *words: redo(*words) if not seen() else fails())
        once: list[int] = []

        def seen() -> bool:
            once.append(1)
            return len(once) > 1

        with pytest.raises(KeyboardInterrupt):
            toy.redo(2)
    assert (toy.head, len(toy.oplog())) == (head, steps)
    assert [one.name for one in toy.branches()] == ["main"]
    toy.redo(2)
    assert toy.verify() == []
