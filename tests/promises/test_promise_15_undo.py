"""15: any order of moves, undos, redos, branches and corrections, against a plain model."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from kdm.wanderer import answer

from kdmlog.cli.call import Call
from kdmlog.cli.script import act
from kdmlog.core import events as core
from kdmlog.core.errors import Refused
from kdmlog.core.fingerprint import fingerprint
from kdmlog.session import NewOptions, Session, new_campaign, open_session
from kdmlog.session.archive import export_archive, import_archive
from kdmlog.session.rebase import rebase
from kdmlog.session.results import Write

NAMES = ("Allister m", "Erza f", "Lucy f", "Zachary m", "Ada f", "Bruno m", "Cleo f")
Places = list[str]
"""The fingerprints after each move on the way to a branch's head."""


class Walk(RuleBasedStateMachine):
    """The model keeps each branch as the fingerprints on its way, and each undo as the way it cut.

    It knows neither lines nor snapshots nor how a state is folded.
    """

    steps = 0
    undone = 0
    imports = 0
    kinds: set[str] = set()

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.db = Path(self.folder.name, "walk.db")
        self.session, _ = new_campaign(
            self.db, "Walk", options=NewOptions(players=("Ann", "Bo"), seed="walk"), by="ann"
        )
        self.session.ledger.connection.execute("PRAGMA synchronous = OFF")
        self.ways: dict[str, Places] = {"main": [self.print]}
        self.cut: dict[str, list[Places]] = {"main": []}
        self.rows: set[tuple[object, ...]] = set()
        self.taken = 0

    def teardown(self) -> None:
        assert self.session.verify() == []
        Walk.kinds |= {type(event).__name__ for _, event, _ in self.session.events()}
        for name, way in self.ways.items():
            self.session.switch(name)
            assert self.print == way[-1]
        self.session.close()
        self.folder.cleanup()

    @property
    def print(self) -> str:
        return fingerprint(self.session.table.state)

    @property
    def way(self) -> Places:
        return self.ways[self.session.branch_name]

    def moved(self) -> None:
        self.ways[self.session.branch_name] = [*self.way, self.print]
        self.cut[self.session.branch_name] = []

    @rule(seed=st.integers(0, 10**6), times=st.integers(1, 4))
    def play(self, seed: int, times: int) -> None:
        for chance in map(random.Random, range(seed, seed + times)):
            before = self.print
            try:
                if self.session.open is not None:
                    asked = self.session.open.request
                    inputs = answer(asked, self.session.table.state, chance)
                    self.session.answer([], inputs)
                else:
                    if not (text := line(self.session, chance)):
                        return  # departed: this version's end
                    act(Call(db=str(self.db)), self.session, text)
            except Refused:
                assert self.print == before
            else:
                self.moved()

    @rule(who=st.integers(0, 9), by=st.sampled_from(["+1", "-1"]))
    def adjust(self, who: int, by: str) -> None:
        survivors = list(self.session.table.state.survivors)
        if survivors:
            try:
                path = f"survivors.{survivors[who % len(survivors)]}.insanity"
                self.session.adjust(path, by, "a walk")
            except Refused:
                return
            self.moved()

    @rule(n=st.integers(1, 3))
    def undo(self, n: int) -> None:
        """Do and undo leaves what was before; and redo what was after."""
        after = self.print
        try:
            self.session.undo(n)
        except Refused:
            assert self.print == after
            return
        Walk.undone += 1
        assert self.print == self.way[self.session.head.number - 1]
        self.session.redo()
        assert self.print == after
        self.session.undo(n)
        self.cut[self.session.branch_name].append(self.way)
        self.ways[self.session.branch_name] = self.way[: self.session.head.number]

    @precondition(lambda self: self.cut[self.session.branch_name])
    @rule()
    def redo(self) -> None:
        self.session.redo()
        self.ways[self.session.branch_name] = self.cut[self.session.branch_name].pop()
        assert self.print == self.way[-1]

    @rule(at=st.integers(0, 10**6))
    def branch(self, at: int) -> None:
        number, name = at % len(self.way) + 1, f"b{len(self.ways)}"
        self.session.branch(name, str(number))
        self.ways[name], self.cut[name] = self.way[:number], []

    @rule(which=st.integers(0, 10**6))
    def switch(self, which: int) -> None:
        self.session.switch(list(self.ways)[which % len(self.ways)])

    @precondition(lambda self: len(self.way) > 1)
    @rule(at=st.integers(0, 10**6))
    def play_again(self, at: int) -> None:
        """Over an untouched past, what came later comes out the same."""
        number = at % (len(self.way) - 1) + 1
        was = self.session.look()
        done = rebase(self.session, str(number), str(number), None, (), Write(by="bo"), keep=True)
        assert (done.stop, done.rolled, done.unused) == (None, [], [])
        assert self.session.look() == was
        head = self.session.head
        later = [
            fingerprint(self.session.at(str(each)).state)
            for each in range(number + 1, head.number + 1)
        ]
        self.ways[self.session.branch_name] = [*self.way[:number], *later]
        self.cut[self.session.branch_name] = []

    @precondition(lambda self: self.taken % 8 == 0)
    @rule()
    def carry_over(self) -> None:
        """Into another file, which thereby catches up; and back, which adds nothing."""
        Walk.imports += 1
        archive, other = Path(self.folder.name, "walk.jsonl"), Path(self.folder.name, "other.db")
        export_archive(self.session, str(archive), overwrite=True)
        import_archive(other, str(archive))
        head = self.session.head
        import_archive(self.db, str(archive))
        self.session.refresh()
        assert self.session.head == head
        with open_session(other, "walk") as copy:
            assert copy.verify() == []
            theirs = {one.name: one.head.hash for one in copy.branches()}
            assert theirs == {one.name: one.head.hash for one in self.session.branches()}
            copy.switch(self.session.branch_name)
            assert fingerprint(copy.table.state) == self.print

    @invariant()
    def stands_where_the_model_does(self) -> None:
        Walk.steps += 1
        self.taken += 1
        assert self.session.head.number == len(self.way)
        assert self.print == self.way[-1]

    @invariant()
    def history_only_grows(self) -> None:
        connection = self.session.ledger.connection
        rows = {
            *connection.execute("SELECT 'move', line, number, hash FROM move"),
            *connection.execute("SELECT 'event', line, position, body FROM event"),
            *connection.execute("SELECT 'ref', id, branch, hash FROM ref"),
        }
        assert rows >= self.rows
        self.rows = rows

    @invariant()
    def each_card_is_in_one_place(self) -> None:
        state = self.session.table.state
        there = {
            name: Counter(card for zone in deck.zones.values() for card in zone)
            for name, deck in state.decks.items()
        }
        laid = laid_out(self.session)
        assert there == {name: laid[name] for name in there}  # a showdown's decks go with it
        gear = Counter(state.settlement.storage.gear)
        for survivor in state.survivors.values():
            gear.update(survivor.grid.values())
        assert gear == Counter(list(state.gear))
        assert all(count > 0 for count in state.settlement.storage.resources.values())

    @invariant()
    def each_survivor_is_there_once(self) -> None:
        state = self.session.table.state
        names = [one.name for one in state.survivors.values()]
        assert len(set(state.survivors)) == len(names)


def laid_out(session: Session) -> dict[str, Counter[str]]:
    """The cards of each deck by the events alone: made, and taken out of or put back in."""
    decks: dict[str, Counter[str]] = {}
    for _, event, _ in session.events((core.DeckMade, core.CardsDrawn, core.CardsMoved)):
        match event:
            case core.DeckMade():
                decks[event.deck] = Counter(event.cards)
            case core.CardsDrawn(to="out") | core.CardsMoved(to="out"):
                decks[event.deck] -= Counter(event.cards)
            case core.CardsMoved(before="out"):
                decks[event.deck] += Counter(event.cards)
    return decks


def line(session: Session, chance: random.Random) -> str:
    """A legal line, as typed; empty when there is none."""
    step = session.game.step(session.table)
    text = chance.choice([*session.ready(), step, step])
    if "NAME" in text:
        name = NAMES[len(session.table.state.survivors) % len(NAMES)]
        text = text.replace("NAME m|f", name).replace("NAME", "Edge")
    return text


def test_any_order_of_steps_is_what_a_plain_model_says(
    runs: Callable[[int, int], int], measured: Callable[[str], None]
) -> None:
    Walk.steps = Walk.undone = Walk.imports = 0
    Walk.kinds = set()
    run_state_machine_as_test(
        Walk,
        settings=settings(
            max_examples=runs(4, 70),
            stateful_step_count=runs(30, 180),
            deadline=None,
            suppress_health_check=list(HealthCheck),
            database=None,
            phases=[Phase.generate],
        ),
    )
    measured(f"{Walk.steps:,} steps, {Walk.undone:,} undos there and back: all as before")
    measured(f"{Walk.imports} times carried over to another file")
    measured(f"{len(Walk.kinds)} kinds of events among them")
