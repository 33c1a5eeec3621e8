"""The one place that sees a ledger, a game and its packs: decides moves, keeps them, looks back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from itertools import islice
from types import TracebackType
from typing import Any, Literal, Self, Unpack

import msgspec
from msgspec import Struct

from kdmlog.core import actions as core
from kdmlog.core import events as e
from kdmlog.core.errors import BadInput, BranchMoved, KdmlogError, LedgerError, Refused
from kdmlog.core.game import Action, Game, Table
from kdmlog.core.inputs import NOTHING_GIVEN, Inputs
from kdmlog.core.names import branch_name, match
from kdmlog.core.positions import TIME
from kdmlog.core.runner import NOTHING_CARRIED, Carried
from kdmlog.ledger import Branch, Campaign, Finding, Head, Ledger, Move, NewMove, Ref
from kdmlog.packs.library import Library
from kdmlog.session import paths
from kdmlog.session.codec import Codec, encode, encode_all
from kdmlog.session.content import Libraries, references
from kdmlog.session.decide import Decided, Decider, ready
from kdmlog.session.log import entries, entry, open_after
from kdmlog.session.naming import called, check_free, renames
from kdmlog.session.positions import find_place
from kdmlog.session.results import (
    ActionEntry,
    Diff,
    Redone,
    Result,
    Undone,
    Write,
    WriteOptions,
)
from kdmlog.session.resume import opened
from kdmlog.session.states import States

ATTEMPTS = 20
"""How often a move is decided when others keep writing in between."""


class Session:
    """A campaign on one of its branches; a context manager that closes the ledger.

    What is refused raises a KdmlogError and leaves nothing: no move, and the state as it was.
    """

    def __init__(
        self, ledger: Ledger, game: Game, campaign: Campaign, branch: str, *, by: str = ""
    ) -> None:
        self.ledger = ledger
        self.game = game
        self.campaign = campaign
        self.branch_name = branch
        self.by = by
        self.codec = Codec(game)
        self.head = ledger.head(campaign.id, branch)
        self._states = States(ledger, game, self.codec)
        self.libraries = Libraries(ledger, game)
        self._table: Table | None = None
        self._carried = NOTHING_CARRIED
        self._typed = ""

    def close(self) -> None:
        """Closes the ledger."""
        self.ledger.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # --- where the game stands ---------------------------------------------------------------

    @property
    def table(self) -> Table:
        """Returns the present state and content; nobody may change them, or keep them for later.

        The move after the next is worked out on them: see ``States.working``.
        """
        if self._table is None:
            self._table = self._table_at(self.head)
        return self._table

    @property
    def lacking(self) -> LedgerError | None:
        """Returns why the campaign can only be read now: it has lost its content; None if not."""
        return self.libraries.lacking(self.table.state.packs)

    @property
    def open(self) -> e.Asked | None:
        """Returns the open question."""
        asked: e.Asked | None = self.table.state.open
        return asked

    def ready(self) -> list[str]:
        """Returns the actions that are legal now, as lines to type; none while one is open."""
        return ready(self.codec, self.table) if self.lacking is None else []

    def refresh(self) -> None:
        """Looks where the branch stands now, in case another program has moved it."""
        head = self.ledger.head(self.campaign.id, self.branch_name)
        was, self.head = self.head, head
        if head.hash == was.hash or self._table is None:
            return
        if head.number > was.number and self.ledger.position(head, was.number).hash == was.hash:
            self._stand(self._states.further(self._table.state, was.number, head))
        else:
            self._table = None

    # --- moves -------------------------------------------------------------------------------

    def perform(
        self, action: Action, inputs: Inputs | None = None, **options: Unpack[WriteOptions]
    ) -> Result:
        """Plays an action as far as the inputs and the campaign's dice and decks carry it.

        Raises NotNow when it is not legal now, and whatever its rules refuse.
        """
        inputs, write = inputs or Inputs(), Write(**options)
        input = self._input(action, inputs)
        return self.move(
            input,
            lambda: self.decider().perform(action, input, inputs, write.note, self._carried),
            write,
        )

    def answer(
        self,
        words: list[str],
        inputs: Inputs | None = None,
        *,
        again: bool = False,
        **options: Unpack[WriteOptions],
    ) -> Result:
        """Answers the open question, and goes on with its action.

        ``again`` performs the action anew from its start, with the answers given so far; what was
        slipped in since is taken back with it. Raises RulesChanged when what was recorded does
        not follow from the rules any more.
        """
        given, write, asked = inputs or Inputs(), Write(**options), self.open
        input = self._input({"answer": words}, given)

        def decide() -> Decided:
            if self.open != asked:
                where = "another question is open now" if self.open else "no question is open now"
                raise BranchMoved(f"The branch has moved: {where}.", hints=["kdmlog status"])
            return self.decider().answer(
                words, input, given, write.note, self._carried, again=again
            )

        if again and asked is not None:  # what is kept then is the action
            input = opened(self.ledger, self.codec, self.head, asked.began).input
        return self.move(None if again and asked is None else input, decide, write)

    def adjust(self, path: str, value: str, why: str, **options: Unpack[WriteOptions]) -> Result:
        """Sets the figure at ``path`` by hand: ``+1`` and ``-2`` change it, ``3`` and ``=-3`` set.

        Raises UnknownName for a path that leads nowhere, Refused for one that is not adjusted,
        BadInput for a value out of bounds. Nothing is triggered.
        """
        action, write = core.Adjust(path=path, value=value, why=why), Write(**options)
        input = self._input(action)
        return self.move(input, lambda: self.decider().adjust(action, input, write.note), write)

    def note(self, text: str, **options: Unpack[WriteOptions]) -> Result:
        """Logs a note."""
        return self.perform(core.Note(text=text), **options)

    def roll(
        self,
        dice: str,
        why: str = "",
        inputs: Inputs | None = None,
        **options: Unpack[WriteOptions],
    ) -> Result:
        """Logs a roll that no rule asked for."""
        return self.perform(core.Roll(dice=dice, why=why), inputs, **options)

    def draw(
        self, deck: str, inputs: Inputs | None = None, **options: Unpack[WriteOptions]
    ) -> Result:
        """Draws a card that no rule asked for; it lies in the deck's zone ``drawn`` then."""
        return self.perform(core.Draw(deck=deck), inputs, **options)

    def choose(
        self,
        question: str,
        choices: Iterable[str],
        inputs: Inputs | None = None,
        **options: Unpack[WriteOptions],
    ) -> Result:
        """Logs a choice that no rule asked for."""
        action = core.Choose(question=question, options=tuple(choices))
        return self.perform(action, inputs, **options)

    def change_packs(self, sources: list[bytes], **options: Unpack[WriteOptions]) -> Result:
        """Plays these packs from here on, in this order, later ones over earlier ones."""
        packs, write = references(sources), Write(**options)
        input = self._input(core.ChangePacks(packs=tuple(pack.id for pack in packs)))

        def decide() -> Decided:
            decider = self.decider()
            if decider.open is not None:
                raise decider.refused_by(decider.open)
            facts = decider.facts("acted", input, [e.PacksChanged(packs=packs)], write.note)
            table = Table(facts.table.state, Library(sources, self.game.kinds))
            kept = {pack.hash: source for pack, source in zip(packs, sources, strict=True)}
            return msgspec.structs.replace(facts, table=table, packs=kept)

        return self.move(input, decide, write, mends=True)

    @contextmanager
    def carrying(self, carried: Carried, typed: str = "") -> Iterator[list[e.Event]]:
        """Lets the moves of its body take these answers of an earlier performance where they fit.

        ``typed`` is what is kept as typed for them. Yields a list, which in the end holds the
        answers that nothing asked for.
        """
        self._carried, self._typed = carried, typed
        left: list[e.Event] = []
        try:
            yield left
        finally:
            left += [*self._carried.replies, *self._carried.later]
            self._carried, self._typed = NOTHING_CARRIED, ""

    # --- taking back and branching -----------------------------------------------------------

    def undo(
        self,
        n: int = 1,
        *,
        to: str | None = None,
        answer: bool = False,
        **options: Unpack[WriteOptions],
    ) -> Undone:
        """Takes back the last ``n`` actions, or all moves after the position ``to``.

        While an action is open, and always with ``answer``, one step is its last move alone. A
        hash that is not on the way here, such as the head before the past was corrected, is gone
        back to; redo ends there. Raises Refused when there is not so much to take back.
        """
        write = Write(**options)
        self.expect(write)
        self.refresh()
        place = self.place(to) if to is not None else self._back(n, answer)
        back = place.number < self.head.number and self.leads_to(place)
        named = to is not None and to.startswith("h:")
        if not place.number or place.hash == self.head.hash or not (back or named):
            raise Refused("There is nothing to take back as far as that.", code="nothing_to_undo")
        shared = place.number if back else self._shared(self.head, place)
        gone = list(entries(self.ledger, self.codec, self.head, shared))
        facts = [fact for one in gone for fact in one.events]
        undone = Undone(
            took_back=gone,
            head=place,
            rolls=sum(isinstance(fact, e.DiceRolled) for fact in facts),
            draws=sum(isinstance(fact, e.CardsDrawn) for fact in facts),
            brought_back=list(entries(self.ledger, self.codec, place, shared)),
        )
        if write.dry_run:
            return undone
        reason: Literal["undo", "restore"] = "undo" if back else "restore"
        with self._together() if renames(facts) else nullcontext():
            self.stand_at(self.ledger.point(self.head, place, reason, self._by(write), _at(write)))
            self._follow_name(facts)
        return msgspec.structs.replace(undone, head=self.head)

    def redo(self, n: int = 1, **options: Unpack[WriteOptions]) -> Redone:
        """Returns to where the last ``n`` undos began, those redone already apart.

        Raises Refused when there are not so many.
        """
        write = Write(**options)
        self.expect(write)
        self.refresh()
        stack = self.ledger.redo_stack(self.campaign.id, self.branch_name)
        if not 0 < n <= len(stack):
            raise Refused(
                f"Only {len(stack)} can be redone." if stack else "There is nothing to redo.",
                code="nothing_to_redo",
                hints=["oplog tells where the branches stood; undo --to h:HASH goes back there"],
            )
        was, place = self.head, stack[n - 1]
        back = list(entries(self.ledger, self.codec, place, self._shared(was, place)))
        if write.dry_run:
            return Redone(back, place)
        with self._together():
            for _ in range(n):
                place = self.ledger.redo(self.head, self._by(write), _at(write)) or place
                self.stand_at(place)
            self._follow_name(fact for one in back for fact in one.events)
        return Redone(back, place)

    def branch(
        self,
        name: str,
        at: str | None = None,
        *,
        reseed: bool = False,
        by: str = "",
    ) -> Branch:
        """Gives a place of the history (default: the present one) a name to go on from.

        It meets the same dice until ``reseed``. The session stays where it is.
        """
        branch_name(name)
        place = self.place(at) if at is not None else self.head
        by, time = by or self.by, now()
        if not reseed:
            return self.ledger.create_branch(self.campaign.id, name, place, by, time)
        from secrets import token_hex

        asked = self._states.at(place).open

        move = NewMove(
            kind="acted",
            begins=asked.began if asked else None,
            input=self._input(core.Reseed()),
            bodies=[encode(e.Reseeded(seed=token_hex(8)))],
            by=by,
            at=time,
            request_id=None,
            rules=self.game.rules,
        )
        with self.ledger.whole():
            made = self.ledger.create_branch(self.campaign.id, name, place, by, time)
            return Branch(name, self.ledger.append(made.head, move))

    def branches(self) -> list[Branch]:
        """Returns the campaign's branches and where they stand."""
        return self.ledger.branches(self.campaign.id)

    def switch(self, name: str) -> None:
        """Goes on on another branch, and makes it the one in use. Raises UnknownName."""
        name = match(name, {branch.name: branch.name for branch in self.branches()}, "branch")
        self.ledger.use(self.campaign.slug, name)
        self.branch_name = name
        self.stand_at(self.ledger.head(self.campaign.id, name))

    def delete_branch(self, name: str, **options: Unpack[WriteOptions]) -> None:
        """Drops a branch's name; its moves stay."""
        write = Write(**options)
        self.ledger.delete_branch(self.campaign.id, name, self._by(write), _at(write))

    # --- looking back ------------------------------------------------------------------------

    def place(self, position: str, head: Head | None = None) -> Head:
        """Returns where a position or a branch is, seen from the head or another place.

        Raises BadInput or UnknownName.
        """
        seen_from = head or self.head
        return find_place(self.ledger, self.codec, self.game.landmarks, seen_from, position)

    def at(self, position: str) -> Table:
        """Returns the state and content as they were there."""
        return self._table_at(self.place(position))

    def view(self, position: str | None = None) -> Struct:
        """Returns the public state, now or at a position."""
        return self.game.view(self.table if position is None else self.at(position))

    def look(self, path: str | None = None, *, at: str | None = None) -> Any:
        """Returns the public state, or what is at a path of it, as plain values.

        Raises UnknownName with the nearest paths.
        """
        tree = paths.tree(self.view(at))
        return tree if path is None else paths.follow(tree, path)[1]

    def log(self, limit: int | None = None, *, head: Head | None = None) -> list[ActionEntry]:
        """Returns the last actions, those begun last first, each with its answers."""
        return list(islice(self.latest(head), limit))

    def latest(self, head: Head | None = None, *, since: int = 0) -> Iterator[ActionEntry]:
        """Yields the actions, those begun last first; with ``since`` those with a later move."""
        head = head or self.head
        for one in entries(self.ledger, self.codec, head, since):
            begun = one.moves[0][0].kind != "answered"
            yield one if begun else self.entry(one.number, head)

    def entry(self, number: int, head: Head | None = None) -> ActionEntry:
        """Returns the action that a move on the way to ``head`` is of. Raises UnknownName."""
        return entry(self.ledger, self.codec, head or self.head, number)

    def twin(self, done: Result) -> int:
        """Returns the move just before one made, if the same was typed and no die fell; else 0."""
        chance = any(
            isinstance(event, (e.DiceRolled, e.CardsDrawn)) and event.source == "app"
            for event in done.events
        )
        if chance or done.number < 2 or done.repeated:
            return 0
        here, before = (self.ledger.typed(self.head, done.number - back) for back in (0, 1))
        return done.number - 1 if here == before and here[0] != "answered" else 0

    def events(
        self, types: tuple[type[e.Event], ...] = (), since: int = 0
    ) -> Iterator[tuple[int, e.Event, str]]:
        """Yields the facts of the moves after ``since``: move number, event, and as it is kept.

        ``types`` are the kinds of event wanted; none means all.
        """
        for move in self.ledger.moves(self.head, after=since):
            for event, body in zip(self.codec.events(move), move.bodies, strict=True):
                if not types or isinstance(event, types):
                    yield move.number, event, body

    def diff(self, a: str, b: str | None = None) -> Diff:
        """Returns what differs from ``a`` to ``b`` (default: the present)."""
        places = self.place(a), self.head if b is None else self.place(b)
        was, now = (
            dict(paths.walk(paths.tree(self.game.view(self._table_at(place))))) for place in places
        )
        shared = self._shared(*places)
        only_a, only_b = (list(entries(self.ledger, self.codec, place, shared)) for place in places)
        changes = [
            (path, was.get(path), now.get(path))
            for path in dict.fromkeys((*was, *now))
            if was.get(path) != now.get(path)
        ]
        return Diff(changes, only_a, only_b)

    def shared_with(self, place: Head, other: Head | None = None) -> int:
        """Returns the number of the last move on the way both to ``place`` and ``other`` (here)."""
        return self._shared(other or self.head, place)

    def oplog(self) -> list[Ref]:
        """Returns every step of the campaign's branches, newest first."""
        return self.ledger.oplog(self.campaign.id)

    def verify(self) -> list[Finding]:
        """Returns what is wrong with the file, the history, and what hangs on it."""
        from kdmlog.session.hanging import Hanging  # here: nothing else asks

        hanging = Hanging(self.ledger, self.game, self.codec, self._states, self.campaign.id)
        found = self.ledger.verify(self.campaign.id, lambda *_: hanging.take)
        return found or hanging.findings(self.head)

    # --- keeping -----------------------------------------------------------------------------

    def move(
        self,
        input: str | None,
        decide: Callable[[], Decided],
        write: Write,
        *,
        mends: bool = False,
    ) -> Result:
        """Decides a move and keeps it; anew whenever the branch has moved in between.

        What is refused because of that says which move came in between. Without the campaign's
        content only what ``mends`` it is done: for all else that is a LedgerError.
        """
        asked_at = self.head
        for left in reversed(range(ATTEMPTS)):
            if write.request_id is not None:
                done = self.ledger.find_request(self.campaign.id, write.request_id)
                if done is not None:
                    return self._repeated(done, input, write.note)
            self.expect(write)
            before = self.table
            if not mends and (lost := self.lacking) is not None:
                raise lost
            try:
                decided = decide()
            except KdmlogError as error:
                self._explain(error, asked_at)
                raise
            if write.dry_run:
                return Result(0, decided.events, decided.open, before, decided.table)
            behind = self._left_behind() if decided.kind == "acted" else None
            try:
                self._keep(decided, write)
            except (BranchMoved, Refused) as error:
                if error.code not in ("branch_moved", "request_repeated"):
                    raise
                self.refresh()
                if write.expect is not None or not left:
                    self._explain(error, asked_at)
                    raise
                continue
            if self._carried is not NOTHING_CARRIED:
                self._carried = decided.left
            return Result(
                self.head.number,
                decided.events,
                decided.open,
                before,
                self.table,
                left_behind=behind,
            )
        raise AssertionError

    def _left_behind(self) -> Head | None:
        if self.head.follows:  # nothing has been taken back
            return None
        stack = self.ledger.redo_stack(self.campaign.id, self.branch_name)
        return max(stack, key=lambda place: place.number, default=None)

    def _keep(self, decided: Decided, write: Write) -> None:
        by, time = self._by(write), _at(write)
        move = NewMove(
            kind=decided.kind,
            begins=decided.begins,
            input=decided.input,
            bodies=encode_all(decided.events),
            by=by,
            at=time,
            request_id=write.request_id,
            rules=self.game.rules,
        )
        renaming = renames(decided.events)
        if renaming:
            check_free(self.ledger, self.campaign, decided.events)
        elif decided.back is None:
            self._append(decided, move)
            return
        with self._together():
            if decided.back is not None:
                self.stand_at(self.ledger.point(self.head, decided.back, "undo", by, time))
            self._append(decided, move)
            self._follow_name(decided.events)

    def _append(self, decided: Decided, move: NewMove) -> None:
        was, before = self.head, self.table
        self.head = self.ledger.append(self.head, move, packs=decided.packs)
        if decided.kind == "acted" and decided.open is not None and decided.back is None:
            self._states.remember(was, before.state)
        self._stand(decided.table.state)
        self._states.moved(before.state, move.bodies, decided.table.state)
        self._states.keep(self.head, decided.table.state)

    @contextmanager
    def _together(self) -> Iterator[None]:
        """All that its body does to the branch is kept together, or nothing of it is done."""
        was = self.head
        try:
            with self.ledger.whole():
                yield
        except BaseException:
            self.stand_at(was)
            raise

    def _follow_name(self, events: Iterable[e.Event]) -> None:
        if renames(events):
            self.campaign = called(self.ledger, self.campaign, self.table.state.name)

    def _repeated(self, done: Move, input: str | None, note: str) -> Result:
        events = self.codec.events(done)
        noted = [event.text for event in events if isinstance(event, e.Noted)]
        if (input is not None and done.input != input) or (note and note not in noted):
            raise Refused(
                "This request id was given to another command already.",
                code="request_id",
                data={"move": done.number},
            )
        asked = self.open
        here = done.number <= self.head.number and (
            self.ledger.position(self.head, done.number).hash == done.hash
        )
        return Result(
            done.number,
            events,
            asked.request if asked else None,
            self.table,
            self.table,
            repeated=True,
            elsewhere=not here,
        )

    def expect(self, write: Write) -> None:
        """Raises BranchMoved unless the branch stands where ``write`` expects it."""
        if write.expect is None:
            return
        self.refresh()
        hash, expected = self.head.hash.hex(), write.expect.removeprefix("h:").lower()
        if not expected or not hash.startswith(expected):
            moved = BranchMoved(
                f"Branch {self.branch_name} stands at move {self.head.number}, h:{hash[:8]}.",
                hints=["look again and repeat the command"],
                data={"expected": write.expect, "hash": hash},
            )
            with suppress(BadInput):
                for place in self.ledger.find_hash(self.campaign.id, expected)[:1]:
                    self._explain(moved, place)
            raise moved

    def _explain(self, error: KdmlogError, asked_at: Head) -> None:
        """Adds to an error which moves others have made since the branch stood there."""
        since = self.head.number - asked_at.number
        if since <= 0 or not self.leads_to(asked_at):
            return
        last = next(self.latest())
        numbers = (
            str(self.head.number) if since == 1 else f"{asked_at.number + 1}-{self.head.number}"
        )
        who = last.moves[-1][0].by
        by = f" by {who}" if who else ""
        what = self.game.headline(last.action, last.events, self.table)
        error.message += f" In between came move {numbers}{by}: {what}."
        error.data["between"] = list(range(asked_at.number + 1, self.head.number + 1))

    # --- places ------------------------------------------------------------------------------

    def _table_at(self, head: Head) -> Table:
        state = self._states.at(head)
        return Table(state, self.libraries.get(state.packs))

    def _stand(self, state: Any) -> None:
        self._table = Table(state, self.libraries.get(state.packs))

    def stand_at(self, head: Head) -> None:
        """Has the session stand where its branch stands now."""
        self.head = head
        self._table = None

    def _back(self, n: int, answer: bool) -> Head:
        """The place before the last ``n`` actions, or single moves where those are meant."""
        if n < 1:
            raise BadInput("Give how many to take back, 1 or more.")
        number = self.head.number
        for _ in range(n):
            move = self.ledger.move(self.head, number)
            whole = not answer and not open_after(move, self.codec)
            number = (move.begins if whole and move.begins else move.number) - 1
            if number < 1:
                raise Refused(
                    f"There are not {n} actions to take back; a campaign's beginning stays."
                    if n > 1
                    else "There is nothing to take back; a campaign's beginning stays.",
                    code="nothing_to_undo",
                )
        return self.ledger.position(self.head, number)

    def leads_to(self, place: Head) -> bool:
        """Returns whether ``place`` is on the way to the head."""
        return self.ledger.position(self.head, place.number).hash == place.hash

    def _shared(self, a: Head, b: Head) -> int:
        """The last move on the way to both."""
        low, high = 0, min(a.number, b.number)
        nearer, further = (a, b) if a.number < b.number else (b, a)
        if self.ledger.position(further, high).hash == nearer.hash:
            return high
        while low < high:
            middle = (low + high + 1) // 2
            same = (self.ledger.position(place, middle).hash for place in (a, b))
            if len(set(same)) == 1:
                low = middle
            else:
                high = middle - 1
        return low

    def _by(self, write: Write) -> str:
        return write.by or self.by

    def decider(self) -> Decider:
        """Returns what decides the next move here."""
        return Decider(self.ledger, self.game, self.codec, self._states, self.head, self.table)

    def _input(self, given: Action | dict[str, list[str]], inputs: Inputs | None = None) -> str:
        """What was typed, as the log keeps it: the action or answer, and the inputs beside it."""
        if self._typed:
            return self._typed
        if inputs is None or inputs == NOTHING_GIVEN:
            return encode(given)
        every = msgspec.structs.asdict(inputs)
        beside = {name: value for name, value in every.items() if value}
        typed: dict[str, Any] = msgspec.to_builtins(given)
        return encode({**typed, "given": beside})


def _at(write: Write) -> str:
    return write.at or now()


def now() -> str:
    """Returns the time as moves are dated."""
    return datetime.now(UTC).strftime(TIME)
