"""Moves: performing, answering, adjusting, and what is refused without a trace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from toy import Again, Buy, Gamble, GoldChanged, Rest, Seek, Start

from kdmlog.core import events as e
from kdmlog.core.actions import Choose, Draw, New, Note, Roll
from kdmlog.core.errors import BadInput, BranchMoved, KdmlogError, NotNow, Refused, UnknownName
from kdmlog.core.fingerprint import fingerprint
from kdmlog.core.inputs import Inputs
from kdmlog.session import Session, campaigns, new_campaign, open_session, use_campaign
from kdmlog.session.states import _digest

SEEK = Seek(hero="ada")


def luckless(session: Session) -> None:
    for hero in ("ada", "ben"):
        session.adjust(f"heroes.{hero}.luck", "0", "for the test")


def stands(session: Session) -> tuple[int, str, int]:
    """What a refused command must not change."""
    moves = session.ledger.connection.execute("SELECT count(*) FROM move").fetchone()[0]
    return session.head.number, fingerprint(session.table.state), moves


class TestNew:
    def test_the_first_move_begins_the_campaign(self, toy: Session) -> None:
        [entry] = toy.log()
        assert entry.action == New(name="Toy", game="toy")
        assert [type(event).__name__ for event in entry.events[:2]] == [
            "CampaignBegun",
            "PacksChanged",
        ]
        assert (entry.number, entry.by, toy.table.state.players) == (1, "ann", [])
        assert sorted(toy.table.state.heroes) == ["ada", "ben"]

    def test_without_a_seed_it_gets_one_of_its_own(self, db: Path) -> None:
        seeds = set()
        for name in ("one", "two"):
            session, _ = new_campaign(db, name, game="toy")
            seeds.add(session.table.state.seed)
            session.close()
        assert len(seeds) == 2 and "" not in seeds

    def test_what_is_refused(self, db: Path, toy: Session) -> None:
        for name, game in (("toy", "toy"), ("", "toy"), ("other", "chess")):
            with pytest.raises(Refused):
                new_campaign(db, name, game=game)
        assert [campaign.slug for campaign in campaigns(db)] == ["toy"]

    def test_the_last_one_made_or_used_is_opened(self, db: Path, start: Start) -> None:
        start("One")
        start("Two")
        with open_session(db) as session:
            assert session.campaign.name == "Two"
        use_campaign(db, "one")
        with open_session(db) as session, open_session(db, "tw") as other:
            assert (session.campaign.slug, other.campaign.slug) == ("one", "two")
        with pytest.raises(UnknownName):
            open_session(db, "three")
        with pytest.raises(UnknownName):
            open_session(db, branch="nowhere")

    def test_without_any_campaign(self, db: Path) -> None:
        with pytest.raises(Refused) as refused:
            open_session(db)
        assert refused.value.code == "no_campaign" and not db.exists()
        assert campaigns(db) == []


class TestPerform:
    def test_it_keeps_facts_and_shows_both_states(self, toy: Session, again: Again) -> None:
        result = toy.perform(Rest(), at="2026-11-30T18:00:00Z")
        assert (result.number, result.open) == (2, None)
        assert (result.before.state.day, result.after.state.day) == (1, 2)
        assert fingerprint(again().table.state) == fingerprint(toy.table.state)
        assert toy.entry(2).at == "2026-11-30T18:00:00Z"

    def test_each_move_is_worked_out_on_a_state_of_its_own(self, toy: Session) -> None:
        days = []
        for refused in (False, True, False, False):
            result = toy.perform(Rest())
            days.append((result.before.state.day, result.after.state.day))
            if refused:
                with pytest.raises(BadInput):
                    toy.perform(Rest(), Inputs(dice=["7"]))
            assert toy.table.state is result.after.state
            assert fingerprint(toy.at(str(toy.head.number)).state) == fingerprint(toy.table.state)
        assert days == [(1, 2), (2, 3), (3, 4), (4, 5)]

    def test_an_illegal_action_names_phase_and_what_is_legal(self, toy: Session) -> None:
        before = stands(toy)
        with pytest.raises(NotNow, match="Not now: day 1; ") as refused:
            toy.perform(Gamble())
        assert "seek ada|ben" in refused.value.hints
        assert stands(toy) == before

    def test_no_other_games_action(self, toy: Session) -> None:
        with pytest.raises(Refused):
            toy.perform(New(name="x", game="toy"))

    @pytest.mark.parametrize(
        ("inputs", "code"),
        [
            (Inputs(dice=["11", "2"], choices=["pass"]), "bad_input"),
            (Inputs(choices=["nobody"]), "bad_option"),
            (Inputs(dice=["1", "2", "3"], choices=["pass"]), "left_over"),
            (Inputs(choices=["pass", "pass"], draws=["joker"]), "unknown_name"),
            (Inputs(choices=["\ud800"]), "bad_input"),
            (
                Inputs(choices=["pass"] * 2, draws=["stranger"], fills=[{"gold": "9" * 30}]),
                "bad_input",
            ),
        ],
    )
    def test_bad_inputs_leave_nothing(self, toy: Session, inputs: Inputs, code: str) -> None:
        before = stands(toy)
        with pytest.raises(Refused) as refused:
            toy.perform(SEEK, inputs)
        assert refused.value.code == code
        assert stands(toy) == before

    def test_a_rule_that_refuses_late_leaves_nothing(self, toy: Session) -> None:
        before = stands(toy)
        with pytest.raises(NotNow, match="costs 3"):
            toy.perform(Buy(what="lamp"), Inputs(choices=["gold"]))
        assert stands(toy) == before

    def test_a_dry_run_decides_and_leaves_nothing(self, toy: Session) -> None:
        before = stands(toy)
        tried = toy.perform(SEEK, Inputs(choices=["ada"]), dry_run=True)
        assert tried.number == 0 and tried.open is not None and stands(toy) == before
        done = toy.perform(SEEK, Inputs(choices=["ada"]))
        assert done.events[:-1] == tried.events[:-1]

    def test_a_note_goes_into_the_move(self, toy: Session) -> None:
        result = toy.perform(SEEK, note="here goes")
        assert [type(event) for event in result.events] == [e.Noted, e.Asked]
        assert toy.answer(["pass"]).open is not None

    def test_inputs_are_not_used_up(self, toy: Session) -> None:
        inputs = Inputs(choices=["ada", "ben"])
        toy.perform(SEEK, inputs, dry_run=True)
        assert inputs == Inputs(choices=["ada", "ben"])

    def test_many_moves_read_the_same_through_snapshots(self, toy: Session, again: Again) -> None:
        toy.ledger.connection.execute("PRAGMA synchronous = OFF")
        for _ in range(600):
            toy.perform(Rest())
        other = again()
        assert other.table.state.day == 601 and other.at("300").state.day == 300
        assert fingerprint(other.table.state) == fingerprint(toy.table.state)
        assert other.verify() == []
        other.ledger.connection.execute("UPDATE cache SET value = x'00' WHERE key LIKE 'state/%'")
        assert again().table.state.day == 601
        toy.adjust("gold", "+1", "so that there is another state")
        wrong = toy._states._encode(toy.table.state)
        name = toy._states.name(toy.place("512"))
        toy.ledger.cache_put(name, _digest(wrong, name) + wrong)
        assert [(found.code, found.move) for found in again().verify()] == [("snapshot", 512)]


class TestOpen:
    def test_everything_else_is_refused_with_the_question(self, toy: Session) -> None:
        toy.perform(SEEK)
        before = stands(toy)
        for action in (Rest(), SEEK, Draw(deck="omens"), Choose(question="?", options=("a",))):
            with pytest.raises(NotNow, match="before seeking") as refused:
                toy.perform(action)
            assert refused.value.code == "open_question"
            assert "kdmlog answer ada|ben|pass" in refused.value.hints[0]
        assert stands(toy) == before

    def test_note_roll_and_adjust_are_allowed(self, toy: Session, again: Again) -> None:
        toy.perform(SEEK)
        toy.note("thinking")
        toy.roll("d10")
        toy.adjust("gold", "+5", "found")
        assert toy.open is not None
        session = again()
        session.answer(["ada"])
        assert session.table.state.gold >= 6
        assert session.answer(["ben"]).events[0] == e.Chosen(
            purpose="after_seeking", picked=("ben",), offered=("ben", "pass")
        )
        assert fingerprint(again().table.state) == fingerprint(session.table.state)

    def test_a_free_roll_that_would_ask_is_refused(self, start: Start) -> None:
        toy = start(table_dice=True)
        toy.perform(SEEK)
        with pytest.raises(Refused) as refused:
            toy.roll("d10")
        assert refused.value.code == "needs_answer"
        toy.roll("d10", inputs=Inputs(dice=["4"]))

    def test_a_free_roll_is_no_answer_to_another(self, start: Start) -> None:
        toy = start(table_dice=True)
        assert toy.roll("d10", "who goes first").open is not None
        with pytest.raises(NotNow):
            toy.roll("d10", inputs=Inputs(dice=["4"]))
        toy.note("a note is always possible")
        assert toy.answer(["4"]).open is None

    def test_a_cost_is_checked_when_it_is_paid(self, toy: Session) -> None:
        toy.adjust("gold", "3", "a start")
        toy.perform(Buy(what="lamp"))
        toy.adjust("gold", "-2", "stolen meanwhile")
        before = stands(toy)
        with pytest.raises(NotNow, match="there is 1"):
            toy.answer([])
        assert stands(toy) == before and toy.open is not None
        toy.adjust("gold", "+2", "given back")
        assert toy.answer([]).after.state.gold == 0

    def test_nothing_to_answer(self, toy: Session) -> None:
        with pytest.raises(Refused) as refused:
            toy.answer(["x"])
        assert refused.value.code == "nothing_open"


class TestAnswer:
    """Words become the kind of input that the open question takes."""

    @pytest.fixture
    def asking(self, start: Start) -> Session:
        toy = start(ask_dice=True, table_cards=True)
        luckless(toy)
        toy.perform(SEEK)
        return toy

    def test_dice(self, asking: Session) -> None:
        result = asking.answer(["70"])
        assert result.events[0] == e.DiceRolled(
            dice="2d10", faces=(7, 10), purpose="seek", about=("ada",), source="table"
        )

    @pytest.mark.parametrize("words", [["11", "1"], ["7"], ["7", "1", "1"], ["x1"]])
    def test_bad_dice(self, asking: Session, words: list[str]) -> None:
        before = stands(asking)
        with pytest.raises(BadInput):
            asking.answer(words)
        assert stands(asking) == before

    def test_no_word_lets_kdmlog_roll_and_draw(self, asking: Session) -> None:
        assert asking.answer([]).events[0].source == "app"  # type: ignore[attr-defined]
        assert asking.answer([]).events[0].source == "app"  # type: ignore[attr-defined]

    def test_card_and_values(self, asking: Session) -> None:
        asking.answer(["70"])
        assert asking.answer(["stran"]).open is not None
        with pytest.raises(Refused) as refused:
            asking.answer([])
        assert refused.value.code == "needs_answer"
        result = asking.answer(["gold=3,words=a; b"])
        assert result.events[0] == e.Filled(
            purpose="stranger", values={"gold": 3, "words": ["a", "b"]}
        )

    def test_several_options(self, asking: Session) -> None:
        asking.answer(["70"])
        asking.answer(["sun"])
        with pytest.raises(Refused):
            asking.answer([])
        assert asking.answer(["ada", "ben"]).events[0].picked == ("ada", "ben")  # type: ignore[attr-defined]

    def test_default_of_a_choice(self, asking: Session) -> None:
        asking.answer(["70"])
        asking.answer(["toll"])
        assert asking.answer([]).events[0].picked == ("gold",)  # type: ignore[attr-defined]

    def test_all_at_once(self, asking: Session) -> None:
        result = asking.answer(["7", "l"], Inputs(draws=["toll"], choices=["gold"]))
        assert result.open is None
        assert asking.entry(result.number).numbers == [4, 5]


class TestAdjust:
    def test_relative_and_absolute(self, toy: Session) -> None:
        for value, now in (("+3", 3), ("-1", 2), ("7", 7), ("+0", 7), ("=0", 0)):
            result = toy.adjust("gold", value, "a ruling")
            assert result.after.state.gold == now
        toy.adjust("her.ad.luck", "=-1", "steps may be shortened")
        assert toy.table.state.heroes["ada"].luck == -1

    def test_it_is_kept_as_a_ruling(self, toy: Session) -> None:
        result = toy.adjust("gold", "+3", "found under the bed", note="ha")
        assert result.events == [
            e.Ruled(path="gold", value=3, why="found under the bed", cause="adjust"),
            GoldChanged(by=3, now=3, cause="adjust"),
            e.Noted(text="ha"),
        ]
        assert toy.log(1)[0].moves[0][0].kind == "adjusted"

    @pytest.mark.parametrize(
        ("path", "value", "why", "code"),
        [
            ("gold", "100", "x", "bad_input"),
            ("gold", "-1", "x", "bad_input"),
            ("gold", "many", "x", "bad_input"),
            ("gold", "+1", " ", "bad_input"),
            ("day", "+1", "x", "not_adjustable"),
            ("heroes", "+1", "x", "not_adjustable"),
            ("heroes.adda.luck", "+1", "x", "unknown_name"),
            ("glod", "+1", "x", "unknown_name"),
            ("gold.x", "+1", "x", "unknown_name"),
        ],
    )
    def test_what_is_refused(
        self, toy: Session, path: str, value: str, why: str, code: str
    ) -> None:
        before = stands(toy)
        with pytest.raises(Refused) as refused:
            toy.adjust(path, value, why)
        assert refused.value.code == code and stands(toy) == before
        if path == "glod":
            assert "gold" in refused.value.hints[0]


class TestFree:
    def test_note_roll_draw_choose(self, toy: Session) -> None:
        assert toy.note("hello").events == [e.Noted(text="hello", cause="core.note")]
        rolled = toy.roll("3d10", "weather").events[0]
        assert isinstance(rolled, e.DiceRolled) and rolled.about == ("weather",)
        toy.draw("om")
        assert len(toy.table.state.decks["omens"]["discard"]) == 1
        chosen = toy.choose("who?", ["Ada L."]).events[0]
        assert isinstance(chosen, e.Chosen) and chosen.picked == ("Ada L.",)
        assert [type(entry.action) for entry in toy.log(4)] == [Choose, Draw, Roll, Note]

    def test_what_is_refused(self, toy: Session) -> None:
        with pytest.raises(UnknownName):
            toy.draw("ai")
        with pytest.raises(BadInput):
            toy.roll("d7")


class TestRequests:
    def test_the_same_id_twice_has_one_effect(self, toy: Session, again: Again) -> None:
        first = toy.perform(Rest(), request_id="r1")
        second = again().perform(Rest(), request_id="r1")
        assert (second.number, second.repeated) == (first.number, True)
        assert second.events == first.events and toy.head.number == 2
        with pytest.raises(Refused) as refused:
            toy.perform(Gamble(), request_id="r1")
        assert refused.value.code == "request_id"

    def test_of_answers_and_adjustments_too(self, toy: Session) -> None:
        for _ in range(2):
            toy.adjust("gold", "+1", "x", request_id="a")
        toy.perform(SEEK)
        for _ in range(2):
            toy.answer(["pass"], request_id="b")
        assert toy.table.state.gold >= 1 and toy.head.number == 4

    def test_inputs_are_part_of_the_command(self, toy: Session) -> None:
        toy.perform(SEEK, Inputs(choices=["ada"]), request_id="r")
        with pytest.raises(Refused):
            toy.perform(SEEK, Inputs(choices=["ben"]), request_id="r")

    def test_expect(self, toy: Session) -> None:
        head = toy.head.hash.hex()[:6]
        toy.perform(Rest(), expect=head)
        for expected in (head, "", "h:", "x"):
            with pytest.raises(BranchMoved):
                toy.perform(Rest(), expect=expected)
        toy.perform(Rest(), expect=f"h:{toy.head.hash.hex()}")
        assert toy.head.number == 3


class TestTwoAtOnce:
    def test_undo_takes_back_what_another_did(self, toy: Session, again: Again) -> None:
        other = again()
        toy.perform(Rest())
        assert other.undo().head.number == 1
        assert toy.redo().head.number == 2

    def test_a_branch_that_moved_is_decided_again(self, toy: Session, again: Again) -> None:
        other = again()
        assert other.table.state.day == 1
        toy.perform(Rest())
        assert other.perform(Rest()).after.state.day == 3
        assert other.head.number == 3
        toy.refresh()
        assert fingerprint(toy.table.state) == fingerprint(other.table.state)

    def test_also_when_it_moved_back(self, toy: Session, again: Again) -> None:
        toy.perform(Rest())
        other = again()
        assert other.table.state.day == 2
        toy.undo()
        assert other.perform(Rest()).after.state.day == 2

    def test_not_if_the_head_was_named(self, toy: Session, again: Again) -> None:
        other = again()
        expected = other.head.hash.hex()
        toy.perform(Rest())
        with pytest.raises(BranchMoved):
            other.perform(Rest(), expect=expected)
        assert toy.head.number == 2

    def test_not_if_it_is_no_longer_legal(self, toy: Session, again: Again) -> None:
        other = again()
        toy.perform(SEEK)
        with pytest.raises(NotNow):
            other.perform(Rest())

    def test_the_same_request_from_two_sides(self, toy: Session, again: Again) -> None:
        other = again()
        toy.perform(Rest(), request_id="r")
        assert other.perform(Rest(), request_id="r").repeated


def test_reading_writes_nothing(db: Path, toy: Session) -> None:
    toy.perform(SEEK)
    toy.close()
    before = db.read_bytes()
    db.chmod(0o444)
    with open_session(db, readonly=True) as session:
        session.view()
        session.log()
        session.diff("1")
        session.ready()
        session.oplog()
        assert session.verify() == []
        with pytest.raises(KdmlogError):
            session.answer(["pass"])
        assert session.head.number == 2 and session.open is not None
    assert db.read_bytes() == before


def test_content_can_change(toy: Session) -> None:
    source: Any = b'{"pack":{"id":"house","title":"House","version":1,"game":"toy"},"records":{}}'
    toy.change_packs([source])
    assert [pack.id for pack in toy.table.state.packs] == ["house"]
    assert toy.table.content.metas[0].title == "House"
    assert toy.at("1").content.metas == ()

    def test_an_answer_is_for_the_question_that_was_seen(self, start: Start, again: Again) -> None:
        toy = start(table_dice=True)
        toy.perform(Gamble())
        other = again()
        other.note("let me see")
        assert toy.answer(["4"]).open is None  # the question was the same
        toy.perform(Gamble())
        other.refresh()
        other.answer(["5"])
        with pytest.raises(BranchMoved):
            toy.answer(["6"])
        assert other.head.number == toy.head.number
