"""A long walk of moves, undos, redos, branches and switches, against a model in plain lists."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from toy import TOY, Buy, Gamble, Rest, Seek, ToyState

from kdmlog.core.errors import KdmlogError, NotNow, RulesChanged
from kdmlog.core.events import Asked, Event
from kdmlog.core.fingerprint import fingerprint
from kdmlog.core.game import Action
from kdmlog.core.inputs import Inputs
from kdmlog.core.requests import Choose, Draw, Fill, Opportunity, Roll
from kdmlog.session import NewOptions, Result, Session, new_campaign, open_session
from kdmlog.session.audit import audit

ACTIONS: list[Action] = [Seek(hero="ada"), Buy(what="rope"), Gamble(), Rest()]


ANSWERS = [[], ["ada"], ["pass"], ["beg"], ["gold=3"], ["7", "0"], ["sun"], ["nonsense"]]


def fitting(session: Session) -> list[list[str]]:
    """Returns answers that may fit the open question."""
    match session.open.request if session.open else None:
        case Roll():
            return [[], [], ["7", "0"]]
        case Draw():
            return [[], ["stranger"], ["sun"], ["toll"]]
        case Fill():
            return [["gold=3"], ["gold=-2", "words=a;b"]]
        case Choose() | Opportunity() as asked:
            return [*([option.id] for option in asked.options), ["pass"], ["none"]]
    return [[]]


class Kept:
    """A move of the model: its facts, and the move that began the action it belongs to."""

    def __init__(self, events: list[Event], begins: int | None) -> None:
        self.events = events
        self.begins = begins

    @property
    def asks(self) -> bool:
        return isinstance(self.events[-1], Asked)


class Model:
    """Each branch is a list of moves; each undo remembers the list that it cut."""

    def __init__(self, first: list[Event]) -> None:
        self.branches: dict[str, list[Kept]] = {"main": [Kept(first, None)]}
        self.undone: dict[str, list[list[Kept]]] = {"main": []}
        self.on = "main"

    @property
    def moves(self) -> list[Kept]:
        return self.branches[self.on]

    def fingerprint(self) -> str:
        state = ToyState()
        for move in self.moves:
            for event in move.events:
                TOY.all_folds[type(event)](state, event)
        return fingerprint(state)

    def began(self) -> int | None:
        """The move that the open action began with."""
        state = ToyState()
        for move in self.moves:
            for event in move.events:
                TOY.all_folds[type(event)](state, event)
        return state.open.began if state.open else None

    def add(self, result: Result, begins: int | None) -> None:
        self.branches[self.on] = [*self.moves, Kept(result.events, begins)]
        self.undone[self.on] = []

    def undo(self) -> bool:
        move, number = self.moves[-1], len(self.moves)
        start = number if self.began() is not None or move.begins is None else move.begins
        if start == 1:
            return False
        self.undone[self.on].append(self.moves)
        self.branches[self.on] = self.moves[: start - 1]
        return True

    def redo(self) -> bool:
        if not self.undone[self.on]:
            return False
        self.branches[self.on] = self.undone[self.on].pop()
        return True


def walk(db: Path, seed: int, steps: int) -> None:
    chance = random.Random(seed)
    options = NewOptions(
        seed=str(seed), ask_dice=chance.random() < 0.5, table_cards=chance.random() < 0.5
    )
    session, result = new_campaign(db, "Walk", game="toy", options=options)
    session.ledger.connection.execute("PRAGMA synchronous = OFF")
    model = Model(result.events)
    for step in range(steps):
        session = one_step(session, model, chance, db, step)
        assert session.head.number == len(model.moves)
        assert fingerprint(session.table.state) == model.fingerprint(), f"step {step}"
        if chance.random() < 0.1:
            number = chance.randint(1, len(model.moves))
            past = fingerprint(session.at(str(number)).state)
            whole, model.branches[model.on] = model.moves, model.moves[:number]
            assert past == model.fingerprint()
            model.branches[model.on] = whole
    for name in model.branches:
        session.switch(name)
        model.on = name
        assert fingerprint(session.table.state) == model.fingerprint()
        assert audit(session).faults == []
    assert session.verify() == []
    session.close()


def one_step(session: Session, model: Model, chance: random.Random, db: Path, step: int) -> Session:
    kind = chance.choices(
        ["act", "answer", "adjust", "note", "roll", "undo", "redo", "branch", "switch", "reopen"],
        [20, 45, 5, 3, 3, 9, 6, 1, 4, 4],
    )[0]
    began = model.began()
    before = fingerprint(session.table.state)
    try:
        match kind:
            case "act":
                inputs = Inputs(flows=chance.random() < 0.2)
                model.add(session.perform(chance.choice(ACTIONS), inputs), None)
            case "answer":
                assert (session.open is None) == (began is None)
                words = chance.choice(ANSWERS if chance.random() < 0.2 else fitting(session))
                model.add(session.answer(words), began)
            case "adjust":
                model.add(session.adjust("gold", chance.choice(["+1", "-1", "5"]), "walk"), began)
            case "note":
                model.add(session.note(f"step {step}"), began)
            case "roll":
                inputs = Inputs(dice=chance.choice([["4"], ["app"]]))
                model.add(session.roll("d10", inputs=inputs), began)
            case "undo":
                assert model.undo() == bool(session.undo())
            case "redo":
                assert model.redo() == bool(session.redo())
            case "branch":
                number = chance.randint(1, len(model.moves))
                session.branch(f"b{step}", str(number))
                model.branches[f"b{step}"] = model.moves[:number]
                model.undone[f"b{step}"] = []
            case "switch":
                model.on = chance.choice(list(model.branches))
                session.switch(model.on)
            case "reopen":
                session.close()
                session = open_session(db)
                session.ledger.connection.execute("PRAGMA synchronous = OFF")
    except RulesChanged:
        raise
    except NotNow:
        assert fingerprint(session.table.state) == before
    except KdmlogError:
        assert kind not in ("branch", "switch", "reopen", "note")
        assert fingerprint(session.table.state) == before
    return session


@pytest.mark.parametrize("seed", range(6))
def test_a_walk(tmp_path: Path, seed: int) -> None:
    walk(tmp_path / "walk.db", seed, 120)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 110))
def test_a_long_walk(tmp_path: Path, seed: int) -> None:
    walk(tmp_path / "walk.db", seed, 4000)
