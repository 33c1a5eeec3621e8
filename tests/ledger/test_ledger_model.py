"""Any order of appends, undos, redos, branches and switches does what a plain model does."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from ledger_helpers import AT, archived, bring, brought, new_move, start, story

from kdmlog.ledger import Head, Ledger

Path = tuple[str, ...]


@dataclass
class ModelBranch:
    path: Path
    redo: list[Path] = field(default_factory=list)


class LedgerModel(RuleBasedStateMachine):
    """The model keeps each branch's whole path as a tuple, and knows no lines."""

    def __init__(self) -> None:
        super().__init__()
        self.ledger = Ledger.open(":memory:")
        self.campaign = start(self.ledger).campaign
        self.branches = {"main": ModelBranch(())}
        self.current = "main"
        self.count = 0
        self.log: list[Path] = []

    def teardown(self) -> None:
        assert self.ledger.verify() == []
        moves = self.ledger.connection.execute("SELECT count(*) FROM move").fetchone()[0]
        assert moves == self.count, "history only grows"
        self.an_archive_holds_it_all()
        self.ledger.close()

    def an_archive_holds_it_all(self) -> None:
        data = archived(self.ledger)
        with brought(data) as copy:
            assert copy.verify() == []
            assert archived(copy) == data
            assert copy.current() == self.ledger.current()
            for name in self.branches:
                heads = [each.head(each.campaigns()[0].id, name) for each in (self.ledger, copy)]
                assert heads[0].hash == heads[1].hash
                assert self.path(heads[0]) == tuple(story(copy, heads[1]).split())
        for move in range(1, self.head.number + 1):
            place = self.ledger.position(self.head, move)
            with brought(archived(self.ledger, place=place)) as part:
                assert part.verify() == []
                [campaign] = part.campaigns()
                end = part.head(campaign.id, part.branch_in_use(campaign.id))
                assert (end.number, end.hash) == (move, place.hash)
                bring(part, data)
                lines = [each.splitlines()[1:-1] for each in (archived(part), data)]
                assert lines[0] == lines[1], "the rest is added"

    @property
    def model(self) -> ModelBranch:
        return self.branches[self.current]

    @property
    def head(self) -> Head:
        return self.ledger.head(self.campaign, self.current)

    @rule(events=st.integers(0, 3), times=st.integers(1, 3))
    def append(self, events: int, times: int) -> None:
        for _ in range(times):
            self.count += 1
            name = f"m{self.count}"
            head = self.ledger.append(self.head, new_move(name, events))
            self.model.path = (*self.model.path, name)
            self.model.redo = []
            assert head.follows and head.number == len(self.model.path)

    @precondition(lambda self: self.model.path)
    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        number = data.draw(st.integers(0, len(self.model.path) - 1))
        self.ledger.point(self.head, self.ledger.position(self.head, number), "undo", "ada", AT)
        self.model.redo.append(self.model.path)
        self.model.path = self.model.path[:number]

    @rule()
    def redo(self) -> None:
        head = self.ledger.redo(self.head, "ada", AT)
        assert (head is not None) == bool(self.model.redo)
        if head:
            self.model.path = self.model.redo.pop()
            assert head == self.head

    @precondition(lambda self: len(self.branches) < 5)
    @rule(data=st.data(), switch=st.booleans())
    def branch(self, data: st.DataObject, switch: bool) -> None:
        number = data.draw(st.integers(0, len(self.model.path)))
        name = next(name for name in "abcdefgh" if name not in self.branches)
        self.ledger.create_branch(
            self.campaign, name, self.ledger.position(self.head, number), "ada", AT
        )
        self.branches[name] = ModelBranch(self.model.path[:number])
        if switch:
            self.use(name)

    @rule(data=st.data())
    def switch(self, data: st.DataObject) -> None:
        self.use(data.draw(st.sampled_from(sorted(self.branches))))

    def use(self, name: str) -> None:
        self.ledger.use("lanterns", name)
        self.current = name

    @precondition(lambda self: len(self.branches) > 1)
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.branches.keys() - {self.current})))
        self.ledger.delete_branch(self.campaign, name, "ada", AT)
        del self.branches[name]

    @invariant()
    def every_branch_reads_as_the_model(self) -> None:
        assert self.ledger.current() == ("lanterns", self.current)
        found = {branch.name: branch.head for branch in self.ledger.branches(self.campaign)}
        assert found.keys() == self.branches.keys()
        followed = [head.line for head in found.values() if head.follows]
        assert len(followed) == len(set(followed)), "one branch follows a line"
        for name, model in self.branches.items():
            assert self.path(found[name]) == model.path
            stack = self.ledger.redo_stack(self.campaign, name)
            assert [self.path(head) for head in stack] == model.redo[::-1]

    def path(self, head: Head) -> Path:
        moves = list(self.ledger.moves(head))
        assert [move.number for move in moves] == list(range(1, head.number + 1))
        bodies = [body for move in moves for body in move.bodies]
        assert bodies == list(self.ledger.events(head))
        return tuple(move.input[7:-2] for move in moves)


LedgerModel.TestCase.settings = settings(
    max_examples=40, stateful_step_count=30, deadline=None, print_blob=True
)
TestLedgerModel = LedgerModel.TestCase
