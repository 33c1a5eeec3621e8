"""16: every roll is kept with its faces; done again it falls the same; what is left is listed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from kdm.wanderer import answer
from toy import TOY, Buy, Gamble, Rest, Seek

from kdmlog.core import events as e
from kdmlog.core.actions import Roll
from kdmlog.core.dice import parse
from kdmlog.core.errors import Refused
from kdmlog.core.game import Action
from kdmlog.core.inputs import Inputs
from kdmlog.core.requests import Choose, Fill
from kdmlog.games.kdm import actions as kdm
from kdmlog.ledger import NewMove
from kdmlog.session import NewOptions, Session, new_campaign
from kdmlog.session.audit import audit
from kdmlog.session.codec import encode

from .commands import run
from .playing import prologue

Measured = Callable[[str], None]
Runs = Callable[[int, int], int]
ACTIONS: tuple[Action, ...] = (Seek(hero="ada"), Buy(what="rope"), Gamble(), Rest())


def chance(events: list[e.Event]) -> list[e.Event]:
    """What dice and cards gave."""
    return [event for event in events if isinstance(event, e.CHANCE)]


def settle(session: Session, at: str | None = None) -> None:
    """Answers whatever is open: the chance is kdmlog's, the choices are always the same."""
    while session.open is not None:
        match session.open.request:
            case Fill():
                session.answer([], Inputs(fills=[{"gold": "3"}]), at=at)
            case Choose(purpose="pay"):
                session.answer(["beg"], at=at)
            case Choose() as asked if asked.default is None:
                session.answer(["ben"], at=at)
            case _:
                session.answer([], at=at)


def acted(session: Session, action: Action) -> list[e.Event]:
    """Plays an action to its end; returns what dice and cards gave."""
    before = session.head.number
    session.perform(action)
    settle(session)
    return chance([event for _, event, _ in session.events(since=before)])


@pytest.fixture
def toy(tmp_path: Path) -> Iterator[Session]:
    options = NewOptions(seed="rolls")
    session, _ = new_campaign(tmp_path / "toy.db", "Toy", game=TOY.id, options=options)
    session.adjust("gold", "3", "to gamble with")
    with session:
        yield session


# --- kept -----------------------------------------------------------------------------------------


def test_every_roll_of_a_prologue_has_each_face_its_purpose_and_its_source(
    tmp_path: Path, measured: Measured, runs: Runs
) -> None:
    rolls = 0
    for seed in range(runs(6, 60)):
        with prologue(tmp_path / f"{seed}.db", seed) as session:
            for _, event, body in session.events((e.DiceRolled,)):
                assert isinstance(event, e.DiceRolled)
                dice = parse(event.dice)
                assert len(event.faces) == dice.faces
                assert all(1 <= face <= dice.sides for face in event.faces)
                assert event.purpose
                assert event.source == ("table" if event.key is None else "app")
                kept = json.loads(body)
                assert kept["faces"] == list(event.faces), "the log itself has each face"
                rolls += 1
            assert audit(session).faults == []
    measured(f"{rolls} rolls with all their faces")


def test_a_d100_keeps_its_tens_and_its_ones_and_a_d5_the_die_that_was_rolled(toy: Session) -> None:
    toy.roll("2d100", inputs=Inputs(dice=["7", "10", "3", "3"]))
    toy.roll("d5", inputs=Inputs(dice=["9"]))
    toy.roll("2location", inputs=Inputs(dice=["w", "legs"]))
    faces = [event.faces for _, event, _ in toy.events((e.DiceRolled,))]
    assert faces == [(7, 10, 3, 3), (9,), (5, 6)]


# --- the same again -------------------------------------------------------------------------------


def test_an_action_undone_and_done_again_meets_the_same_dice_and_cards(
    toy: Session, measured: Measured, runs: Runs
) -> None:
    dice = random.Random(16)
    again = 0
    for _ in range(runs(60, 1000)):
        action = dice.choice(ACTIONS)
        with suppress(Refused):
            first = acted(toy, action)
            for _ in range(dice.randint(1, 3)):
                toy.undo()
                assert acted(toy, action) == first
                again += bool(first)
    assert again > 20
    measured(f"{again} actions with dice or cards undone and done again")


def test_the_dice_stay_the_same_by_whatever_way_one_comes_back(toy: Session) -> None:
    """An undo over several actions, a note before, a roll of the table's: none moves the dice."""
    toy.perform(Rest())
    first = [acted(toy, Gamble()), acted(toy, Seek(hero="ada"))]
    toy.undo(2)
    toy.note("once more")
    toy.roll("d10", inputs=Inputs(dice=["1"]))
    toy.adjust("gold", "+1", "found")
    assert [acted(toy, Gamble()), acted(toy, Seek(hero="ada"))] == first


def test_a_branch_meets_the_same_dice_until_it_is_reseeded(toy: Session) -> None:
    toy.branch("same")
    toy.branch("other", reseed=True)
    here = [event for _ in range(4) for event in acted(toy, Gamble())]
    toy.switch("same")
    assert [event for _ in range(4) for event in acted(toy, Gamble())] == here
    toy.switch("other")
    there = [event for _ in range(4) for event in acted(toy, Gamble())]
    faces = [[one.faces for one in way if isinstance(one, e.DiceRolled)] for way in (here, there)]
    assert faces[0] != faces[1]
    for branch in ("main", "same", "other"):
        toy.switch(branch)
        assert audit(toy).faults == []


def test_at_the_command_line_too(tmp_path: Path) -> None:
    db = tmp_path / "kdm.db"
    run(db, "new", "Edge", "--seed", "16")
    first = json.loads(run(db, "roll", "3d10", "--json"))["events"]
    run(db, "undo")
    assert json.loads(run(db, "roll", "3d10", "--json"))["events"] == first
    run(db, "branch", "b", "--at", "1")
    run(db, "branch", "c", "--at", "1", "--reseed")
    run(db, "switch", "b")
    assert json.loads(run(db, "roll", "3d10", "--json"))["events"] == first
    run(db, "switch", "c")
    assert json.loads(run(db, "roll", "3d10", "--json"))["events"] != first


def test_a_kdm_action_undone_meets_the_same_dice_answer_by_answer(tmp_path: Path) -> None:
    options = NewOptions(seed="16", ask_dice=True)
    session, _ = new_campaign(tmp_path / "kdm.db", "Edge", options=options)
    with session:
        for name in "Ann", "Bea", "Cleo", "Dora":
            session.perform(kdm.SurvivorNew(name=name, sex="f"))
        session.perform(kdm.ShowdownBegin(monster="white_lion", first_story=True))

        def turn() -> list[e.Event]:
            before, choices = session.head.number, random.Random(1)
            session.perform(kdm.MonsterTurn())
            while session.open is not None:
                request = session.open.request
                chances = type(request).__name__ in ("Roll", "Draw")
                given = Inputs() if chances else answer(request, session.table.state, choices)
                session.answer([], given)
            return chance([event for _, event, _ in session.events(since=before)])

        first = turn()
        assert len(first) >= 2
        session.undo()
        assert turn() == first


# --- left on the way ------------------------------------------------------------------------------


def test_every_roll_that_lies_on_no_branch_is_listed(
    tmp_path: Path, measured: Measured, runs: Runs
) -> None:
    """Against a model that remembers each move and where each branch stands."""
    listed = 0
    for seed in range(runs(6, 60)):
        dice = random.Random(seed)
        options = NewOptions(seed=str(seed))
        db = tmp_path / f"{seed}.db"
        session, _ = new_campaign(db, "Toy", game=TOY.id, options=options)
        session.ledger.connection.execute("PRAGMA synchronous = OFF")
        rolled: set[str] = set()
        names = ["main"]
        with session:
            for step in range(40):
                was = session.head.number
                with suppress(Refused):
                    match dice.choices("aaaurbsd", [1] * 8)[0]:
                        case "a":
                            # Else the same done again in one second is the same move.
                            at = f"2026-01-01T20:00:{step:02}Z"
                            session.perform(dice.choice(ACTIONS), at=at)
                            settle(session, at)
                        case "u":
                            session.undo(dice.randint(1, 3))
                        case "r":
                            session.redo()
                        case "b":
                            session.branch(f"b{step}", str(dice.randint(1, was)))
                            names.append(f"b{step}")
                        case "s":
                            session.switch(dice.choice(names))
                        case "d":
                            session.delete_branch(name := dice.choice(names))
                            names.remove(name)
                for move in session.ledger.moves(session.head):
                    events = map(session.codec.event, move.bodies)
                    if any(isinstance(event, (e.DiceRolled, e.CardsDrawn)) for event in events):
                        rolled.add(move.hash.hex())
            alive = {
                move.hash.hex()
                for branch in session.branches()
                for move in session.ledger.moves(branch.head)
            }
            found = [one for one in audit(session).remarks if one.code == "abandoned"]
            assert {one.hash for one in found} == rolled - alive
            assert len(found) == len(rolled - alive)
            listed += len(found)
    assert listed
    measured(f"{listed} moves with rolls on no branch, all listed, none too many")


def test_who_took_back_a_roll_is_listed_with_when(tmp_path: Path) -> None:
    db = tmp_path / "kdm.db"
    run(db, "new", "Edge", "--seed", "16")
    run(db, "roll", "2d10", "--by", "ann")
    run(db, "undo", "--by", "eve")
    run(db, "note", "as if nothing had been")
    findings = json.loads(run(db, "audit", "--json"))["findings"]
    taken, left = findings
    assert (taken["code"], taken["by"], taken["move"]) == ("taken_back", "eve", 2)
    assert (left["code"], left["by"], left["move"]) == ("abandoned", "ann", 2)
    assert "2d10" in left["message"]
    assert run(db, "show", f"h:{left['hash']}"), "it can still be looked at"


@pytest.mark.parametrize("tampering", ["faces", "key", "source"])
def test_a_roll_that_never_was_is_found(toy: Session, tampering: str) -> None:
    """The hash chain cannot tell: whoever holds the file can compute it. The dice can."""
    due = toy.roll("2d10", dry_run=True).events[0]
    assert isinstance(due, e.DiceRolled) and due.key is not None
    forged = {
        "faces": {"faces": (10, 10) if due.faces != (10, 10) else (9, 9)},
        "key": {"key": due.key + 2},
        "source": {"source": "replayed"},
    }[tampering]
    body = encode(msgspec.structs.replace(due, **forged))
    at = "2026-01-01T00:00:00Z"
    move = NewMove("acted", None, encode(Roll(dice="2d10")), [body], "eve", at, None, 1)
    toy.ledger.append(toy.head, move)
    toy.refresh()
    assert toy.verify() == []
    [fault] = audit(toy).faults
    assert (fault.code, fault.move, fault.by) == ("undue", toy.head.number, "eve")
