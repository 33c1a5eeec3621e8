"""The past corrected: later moves are made again with the same dice, or it says where they stop."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from test_session_walk import Model, one_step
from toy import Buy, Gamble, Rest, Seek

from kdmlog.core.errors import BranchMoved, Refused, UnknownName
from kdmlog.core.events import CardsDrawn, DeckShuffled, DiceRolled
from kdmlog.core.inputs import Inputs
from kdmlog.core.requests import Choose, Fill
from kdmlog.session import NewOptions, Session, new_campaign
from kdmlog.session.rebase import Correction, Rebased, amend, rebase
from kdmlog.session.results import Write

WRITE = Write(by="bo")


def forgotten(move: int, path: str = "gold", by: str = "+1") -> Correction:
    """A ruling that was forgotten after a move."""
    return Correction(move, f"adjust {path} {by}", lambda s, _a: s.adjust(path, by, "forgot"), True)


def instead(move: int, **inputs: list[str]) -> Correction:
    """The same move with other inputs."""

    def play(session: Session, action: object) -> None:
        if action is None:
            session.answer([], Inputs(**inputs))  # type: ignore[arg-type]
        else:
            session.perform(action, Inputs(**inputs))  # type: ignore[arg-type]

    return Correction(move, "", play)


def settle(session: Session) -> None:
    """Answers whatever is open, shortly."""
    while session.open is not None:
        match session.open.request:
            case Fill():
                session.answer(["gold=2"])
            case Choose(purpose="sun"):
                session.answer(["none"])
            case _:
                session.answer([])


def chance(session: Session, since: int) -> list[tuple[object, ...]]:
    """All that chance gave after a move: faces with their keys, orders, cards."""
    found: list[tuple[object, ...]] = []
    for _, event, _ in session.events((DiceRolled, DeckShuffled, CardsDrawn), since):
        match event:
            case DiceRolled():
                found.append((event.purpose, event.about, event.faces, event.key))
            case DeckShuffled():
                found.append((event.deck, event.order, event.key))
            case CardsDrawn():
                found.append((event.deck, event.cards))
    return found


def test_a_forgotten_ruling_keeps_every_later_die(toy: Session) -> None:
    toy.adjust("gold", "5", "to begin with")
    for _ in range(30):
        toy.perform(Gamble())
    gold, old = toy.look("gold"), toy.head
    later = chance(toy, 2)
    tried = amend(toy, forgotten(2), WRITE, keep=False)
    assert toy.head == old and toy.verify() == []
    assert tried.diff.changes == [("gold", gold, gold + 1)]
    done = amend(toy, forgotten(2), WRITE, keep=True)
    assert (done.stop, done.rolled, done.unused) == (None, [], [])
    assert done.head.hash == tried.head.hash or done.diff.changes == tried.diff.changes
    assert toy.look("gold") == gold + 1
    assert chance(toy, 2) == later
    assert done.played == 30
    assert {one.by for one in toy.log(30)} == {"ann"}
    assert toy.entry(3).by == "bo"
    assert toy.verify() == []


def test_the_old_line_stays_and_comes_back_under_a_name(toy: Session) -> None:
    toy.perform(Rest())
    toy.perform(Rest())
    toy.perform(Gamble()) if toy.table.state.gold else toy.adjust("gold", "1", "why not")
    old, was = toy.head, toy.look()
    amend(toy, Correction(2), WRITE, keep=True)
    assert toy.look("day") == was["day"] - 1
    assert [ref.reason for ref in toy.oplog()][:2] == ["append", "restore"]
    toy.branch("old", f"h:{old.hash.hex()[:10]}")
    toy.switch("old")
    assert toy.look() == was


def test_new_dice_come_after_those_of_the_old_line(toy: Session) -> None:
    toy.adjust("gold", "5", "to begin with")
    toy.perform(Rest())
    toy.perform(Gamble())
    keys = toy.table.state.keys
    extra = Correction(3, "gamble", lambda session, _action: session.perform(Gamble()))
    done = amend(toy, extra, WRITE, keep=True)
    assert [roll.key for roll in done.rolled] == [keys, keys + 1, keys + 5]
    carried = [one for _, one, _ in toy.events((DiceRolled,)) if one.source == "replayed"]
    assert len(carried) == 3
    toy.perform(Gamble())
    assert toy.table.state.keys == keys + 12


def test_dice_given_now_take_the_place_of_the_old_ones(toy: Session) -> None:
    toy.adjust("gold", "1", "to begin with")
    toy.perform(Gamble())
    toy.perform(Gamble())
    was = chance(toy, 2)
    amend(toy, instead(3, dice=["9"]), WRITE, keep=True)
    now = chance(toy, 2)
    assert now[0] == ("gamble_d5", (), (9,), None)
    assert now[1:] == was[1:]


def test_a_choice_given_now_goes_to_the_question_that_offers_it(toy: Session) -> None:
    toy.adjust("gold", "9", "to begin with")
    toy.perform(Buy(what="rope"))
    toy.answer(["gold"])
    toy.perform(Rest())
    paid = toy.look("gold")
    done = amend(toy, instead(4, choices=["beg"]), WRITE, keep=True)
    assert toy.look("gold") > paid and done.stop is None
    assert toy.look("day") == 2


def test_an_answer_that_nothing_asks_for_is_told(toy: Session) -> None:
    toy.adjust("heroes.ben.luck", "0", "to begin with")
    toy.perform(Seek(hero="ada"))
    toy.answer(["ada"])
    settle(toy)
    done = amend(toy, forgotten(2, "heroes.ada.luck", "0"), WRITE, keep=True)
    assert done.stop is None
    assert [getattr(one, "purpose", "") for one in done.unused] == ["before_seeking"]
    assert toy.open is None


def test_it_stops_with_the_question_that_has_no_answer_now(toy: Session) -> None:
    for hero in ("ada", "ben"):
        toy.adjust(f"heroes.{hero}.luck", "0", "to begin with")
    toy.perform(Seek(hero="ada"))
    settle(toy)
    toy.perform(Rest())
    last = toy.head
    done = amend(toy, forgotten(3, "heroes.ben.luck"), WRITE, keep=True)
    assert done.stop is not None and done.stop.move == 4
    assert toy.open is not None and toy.open.request.purpose == "before_seeking"
    toy.answer(["ben"])
    settle(toy)
    until = f"h:{last.hash.hex()}"
    rest = rebase(toy, "@{0}", done.stop.rest, until, (), WRITE, keep=True)
    assert rest.stop is None and toy.look("day") == 2


def test_it_stops_where_an_action_is_refused(toy: Session) -> None:
    toy.adjust("gold", "1", "to begin with")
    toy.perform(Gamble())
    toy.perform(Rest())
    done = amend(toy, Correction(2), WRITE, keep=True)
    assert done.stop is not None
    assert (done.stop.move, done.stop.open) == (3, None)
    assert "no gold" in done.stop.why


def test_without_the_moves_that_do_not_fit_it_goes_on(toy: Session) -> None:
    toy.adjust("gold", "1", "to begin with")
    toy.perform(Gamble())
    toy.perform(Rest())
    done = rebase(toy, "1", "2", None, {3}, WRITE, keep=True)
    assert done.stop is None and toy.look("day") == 2


@pytest.mark.parametrize(
    ("correction", "error"),
    [
        (Correction(1), Refused),
        (Correction(3), Refused),
        (forgotten(3), Refused),
        (Correction(9), UnknownName),
        (forgotten(1, "heroes.nobody.luck"), UnknownName),
        (forgotten(1, "gold", "500"), Refused),
    ],
    ids=["beginning", "answer", "nothing follows", "unknown", "no such figure", "out of bounds"],
)
def test_what_cannot_be_corrected_leaves_nothing(
    toy: Session, correction: Correction, error: type[Exception]
) -> None:
    toy.perform(Buy(what="rope"))
    toy.answer(["beg"])
    head, steps = toy.head, len(toy.oplog())
    with pytest.raises(error):
        amend(toy, correction, WRITE, keep=True)
    assert (toy.head, len(toy.oplog())) == (head, steps)
    toy.refresh()
    assert toy.head == head and toy.verify() == []


def test_a_branch_that_moved_is_not_amended(toy: Session) -> None:
    toy.perform(Rest())
    toy.perform(Rest())
    with pytest.raises(BranchMoved):
        amend(toy, Correction(2), Write(expect="00"), keep=True)


def test_it_goes_onto_another_branch(toy: Session) -> None:
    toy.perform(Rest())
    toy.branch("other", "2")
    toy.adjust("gold", "3", "main")
    toy.note("on main")
    toy.switch("other")
    toy.adjust("gold", "7", "other")
    done = rebase(toy, "other", None, "main", (), WRITE, keep=True)
    assert done.stop is None and toy.look("gold") == 3
    assert [name.name for name in toy.branches()] == ["main", "other"]


def untouched(seed: int, db: Path, steps: int) -> tuple[Rebased, object, object]:
    dice = random.Random(seed)
    options = NewOptions(
        seed=str(seed), ask_dice=dice.random() < 0.5, table_cards=dice.random() < 0.5
    )
    session, result = new_campaign(db, "Walk", game="toy", options=options)
    session.ledger.connection.execute("PRAGMA synchronous = OFF")
    model = Model(result.events)
    for step in range(steps):
        session = one_step(session, model, dice, db, step)
    with session:
        since = str(dice.randint(1, session.head.number - 1))
        was = session.look()
        done = rebase(session, since, since, None, (), WRITE, keep=True)
        assert session.verify() == []
        return done, was, session.look()


@pytest.mark.parametrize("seed", range(8))
def test_played_again_over_an_untouched_past_everything_is_the_same(
    seed: int, tmp_path: Path
) -> None:
    done, was, now = untouched(seed, tmp_path / "walk.db", 60)
    assert (done.stop, done.rolled, done.unused) == (None, [], [])
    assert now == was and done.diff.changes == []


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 150))
def test_played_again_over_long_walks_everything_is_the_same(seed: int, tmp_path: Path) -> None:
    done, was, now = untouched(seed, tmp_path / "walk.db", 400)
    assert (done.stop, done.rolled, done.unused) == (None, [], [])
    assert now == was


def test_a_request_corrects_the_past_once(toy: Session) -> None:
    for _ in range(3):
        toy.perform(Rest())
    write = Write(request_id="once")
    amend(toy, Correction(2), write, keep=True)
    head = toy.head
    assert amend(toy, Correction(2), write, keep=True).repeated == 2
    with pytest.raises(Refused, match="another command"):
        amend(toy, Correction(3), write, keep=True)
    assert toy.head == head and toy.look("day") == 3
