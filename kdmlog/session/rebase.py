"""Plays later actions again on a corrected past, with the same dice, cards and choices.

All of it is one rehearsal of the ledger: ordinary moves, kept together or not at all. The old line
stays as it was; the branch leaves it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kdmlog.core import events as e
from kdmlog.core.actions import Adjust, Amend, Assert, Rebase
from kdmlog.core.errors import BadInput, Refused
from kdmlog.core.game import Action
from kdmlog.core.inputs import Inputs
from kdmlog.core.requests import Ask, Draw, Roll
from kdmlog.core.runner import Carried, Used, fits
from kdmlog.ledger import Head, Move
from kdmlog.session.asserted import assert_counts
from kdmlog.session.codec import encode
from kdmlog.session.log import answers, slipped
from kdmlog.session.results import ActionEntry, Diff, Write, WriteOptions
from kdmlog.session.resume import answers_among
from kdmlog.session.session import Session, now

Advance = Callable[[int], None]
"""Told how many more moves are done."""


NEW = {Roll: "a new roll comes here", Draw: "a new draw comes here"}
"""Why it stops where nothing that is still to come may be shown."""

Play = Callable[[Session, Action | None], object]


class Correction(Struct, frozen=True):
    """What is done otherwise at the old ``move``: ``play`` makes moves in its place or after it.

    ``play`` is given the old action, None for an answer. ``line`` says in words what it does; with
    no ``play`` the move is left out.
    """

    move: int
    line: str = ""
    play: Play | None = None
    after: bool = False


class Stop(Struct, frozen=True):
    """Where playing again came to an end: the old action, why, and the question that is open.

    ``rest`` is the position after the action, where what was not played again begins; empty when
    that was the last. ``unseen`` tells that kdmlog's dice or cards come there, which are not shown
    before it is kept.
    """

    move: int
    why: str
    open: Ask | None
    rest: str
    unseen: bool = False


class Rebased(Struct, frozen=True):
    """What became of the moves after the correction.

    ``played`` counts the actions made anew; ``differing`` are those that came out otherwise, each
    as it was and as it is. ``rolled`` are new rolls of kdmlog's, ``unused`` the old answers that
    nothing asks for any more.
    """

    old: Head
    source: Head
    head: Head
    played: int
    differing: list[tuple[ActionEntry, ActionEntry]]
    rolled: list[e.DiceRolled]
    unused: list[e.Event]
    stop: Stop | None
    diff: Diff
    kept: bool
    repeated: int = 0
    """The move by which this request was heeded before."""


def amend(
    session: Session,
    correction: Correction,
    write: Write,
    *,
    keep: bool,
    unseen: bool = False,
    advance: Advance = lambda _n: None,
) -> Rebased:
    """Corrects one move on the way to the head, and plays on from there.

    Without ``keep`` it only shows what would become; ``unseen``, as far as no new dice or cards of
    kdmlog's come, which is to hold for the correction's inputs too. Raises UnknownName when there
    is no such move, and Refused when it cannot be corrected, or what is done there is refused.
    """
    session.refresh()
    if done := _repeated(session, write, correction.move, correction.line):
        return done
    move = session.ledger.move(session.head, correction.move)
    if move.number == 1 and not correction.after:
        raise Refused("A campaign's beginning is not amended.", hints=["adjust corrects figures"])
    if correction.play is None and answers(move):
        raise Refused(
            "An answer is not left out, but given otherwise.",
            hints=[f"amend {move.number} answer …"],
        )
    after = session.entry(move.number).numbers[-1] if correction.after else move.number - 1
    if after == session.head.number:
        raise Refused(f"Nothing follows move {after}: it can be done now.")
    made = Amend(
        move=move.number,
        line=correction.line,
        after=correction.after,
        source=session.head.hash.hex(),
    )
    again = _Again(session, correction, (), advance, unseen=unseen)
    onto = session.ledger.position(session.head, after)
    return _rehearse(session, again, made, session.head, after, onto, write, keep)


def rebase(
    session: Session,
    onto: str,
    since: str | None,
    until: str | None,
    without: Collection[int],
    write: Write,
    *,
    keep: bool,
    unseen: bool = False,
    advance: Advance = lambda _n: None,
) -> Rebased:
    """Plays the actions after ``since`` up to ``until`` again, on top of the position ``onto``.

    ``since`` is at first where the two ways part, ``until`` the head, on ``since``'s line if that
    is another one. ``without`` are moves of theirs that are left out. Raises as ``amend`` does.
    """
    session.refresh()
    if done := _repeated(session, write):
        return done
    source = session.head if until is None else session.place(until)
    place = session.place(onto)
    if since is None:
        after = session.shared_with(place, source)
    else:
        begin = session.place(since)
        after = begin.number
        if session.ledger.position(source, after).hash != begin.hash:
            raise Refused(f"{since} is not on the way to move {source.number} there.")
    if after == source.number:
        raise Refused("No move comes after that: there is nothing to play again.")
    made = Rebase(source=source.hash.hex(), after=after, without=tuple(sorted(without)))
    again = _Again(session, None, without, advance, unseen=unseen)
    return _rehearse(session, again, made, source, after, place, write, keep)


def _repeated(
    session: Session, write: Write, move: int | None = None, line: str = ""
) -> Rebased | None:
    """Returns what to say of a request that was heeded already: the past is corrected once.

    Raises Refused when it was another one.
    """
    if write.request_id is None:
        return None
    done = session.ledger.find_request(session.campaign.id, write.request_id)
    if done is None:
        return None
    action = session.codec.action(done.input)
    same = isinstance(action, Rebase) if move is None else isinstance(action, Amend)
    if not same or (isinstance(action, Amend) and (action.move, action.line) != (move, line)):
        raise Refused(
            "This request id was given to another command already.",
            code="request_id",
            data={"move": done.number},
        )
    head, none = session.head, Diff([], [], [])
    return Rebased(head, head, head, 0, [], [], [], None, none, kept=True, repeated=done.number)


def _rehearse(
    session: Session,
    again: _Again,
    made: Action,
    source: Head,
    after: int,
    onto: Head,
    write: Write,
    keep: bool,
) -> Rebased:
    """Plays it all again; leaves the branch there only if that is to be kept."""
    session.expect(write)
    old, by, signs = session.head, write.by or session.by, session.by
    was = session.at(f"h:{source.hash.hex()}").state
    rehearsal = None
    try:
        with session.ledger.rehearsal() as rehearsal:
            session.stand_at(session.ledger.point(old, onto, "restore", by, now()))
            fact = e.Replayed(
                keys=max(was.keys, session.table.state.keys), source=source.hash.hex()
            )
            input = encode(made)
            session.move(
                input,
                lambda: session.decider().facts("acted", input, [fact], write.note),
                Write(by=by, request_id=write.request_id),
            )
            first = session.head.number
            session.by = ""  # who made an old move signs it, or nobody
            moves = session.ledger.moves(source, after=after)
            again.play(moves, source.number, ends_open=was.open is not None)
            rolls = session.events((e.DiceRolled,), since=first)
            diff = session.diff(f"h:{old.hash.hex()}")
            rebased = Rebased(
                old=old,
                source=source,
                head=session.head,
                played=len(again.pairs),
                differing=_differing(again.pairs, diff) if source == old else [],
                rolled=[
                    roll
                    for _, roll, _ in rolls
                    if isinstance(roll, e.DiceRolled) and roll.source == "app"
                ],
                unused=again.unused,
                stop=again.stop,
                diff=diff,
                kept=keep,
            )
            if keep:
                rehearsal.keep()
    finally:
        session.by = signs
        if rehearsal is None or not rehearsal.kept:
            session.stand_at(old)
    return rebased


def _differing(pairs: list[tuple[int, int]], diff: Diff) -> list[tuple[ActionEntry, ActionEntry]]:
    """Returns the actions whose facts are not the same on both lines."""
    was = {entry.number: entry for entry in diff.only_a}
    now = {entry.number: entry for entry in diff.only_b}
    found = [(was[old], now[new]) for old, new in pairs if old in was and new in now]
    return [(old, new) for old, new in found if _outcome(old) != _outcome(new)]


def _outcome(entry: ActionEntry) -> list[e.Event]:
    """An action's facts, without what tells where they came from."""
    outcome: list[e.Event] = []
    for event in entry.events:
        if isinstance(event, (e.DiceRolled, e.DeckShuffled)):
            event = replace(event, source="", key=0)
        if not isinstance(event, e.Asked):
            outcome.append(event)
    return outcome


class _Again:
    """Makes old moves anew on the session's branch, until one does not fit any more."""

    def __init__(
        self,
        session: Session,
        correction: Correction | None,
        without: Collection[int],
        advance: Advance,
        *,
        unseen: bool,
    ) -> None:
        self.session = session
        self.unseen = unseen
        self.correction = correction
        self.left_out = set(without)
        if correction is not None and correction.play is None:
            self.left_out.add(correction.move)
        self.advance = advance
        self.pairs: list[tuple[int, int]] = []
        self.unused: list[e.Event] = []
        self.stop: Stop | None = None
        self.used = Used()
        self._end = 0

    def play(self, moves: Iterator[Move], end: int, *, ends_open: bool) -> None:
        """Makes the moves anew, up to ``end``; the last action may stay open if it was so."""
        self._end = end
        self.used.keys |= used_keys(self.session)
        one = self.correction
        if one is not None and one.play is not None and one.after:
            one.play(self.session, None)
        last: list[Move] = []
        for action in _actions(moves):
            # The way may begin in the midst of an action: then its first moves go on with that.
            if last and self._asks(last):
                return
            self._action(action)
            if self.stop is not None:
                return
            self.advance(len(action))
            last = action
        if not ends_open:
            self._asks(last)

    def _asks(self, last: list[Move]) -> bool:
        """Returns whether the last action has become a question: that is where it stops."""
        if self.session.open is None:
            return False
        if self._holds_back():
            self._stop(last, NEW[type(self.session.open.request)], unseen=True)
            return True
        question = self.session.game.question(self.session.open.request, self.session.table)
        self._stop(last, question)
        return True

    def _holds_back(self) -> bool:
        """Returns whether kdmlog's own dice or cards would come next, and must not be seen."""
        if not self.unseen or self.session.open is None:
            return False
        state = self.session.table.state
        match self.session.open.request:
            case Roll():
                return not (state.table_dice or state.ask_dice)
            case Draw():
                return not state.table_cards
        return False

    def _stop(self, action: list[Move], why: str, *, unseen: bool = False) -> None:
        asked, last = self.session.open, action[-1]
        rest = f"h:{last.hash.hex()[:8]}" if last.number < self._end else ""
        open = asked.request if asked and not unseen else None
        self.stop = Stop(action[0].number, why, open, rest, unseen)

    def _action(self, action: list[Move]) -> None:
        """Makes an action anew, move by move, with all that it was ever answered at hand."""
        facts = [list(map(self.session.codec.event, move.bodies)) for move in action]
        left: list[e.Event] = []
        given: dict[int, int] = {}  # by identity: the move that an answer came with
        for move, events in zip(action, facts, strict=True):
            if not slipped(move) and action[0].number not in self.left_out:
                replies = answers_among(events)
                given |= dict.fromkeys(map(id, replies), move.number)
                left += replies
        for move, events in zip(action, facts, strict=True):
            last = events[-1] if events else None
            carried = Carried(
                [one for one in left if given[id(one)] <= move.number],
                [one for one in left if given[id(one)] > move.number],
                last.request if isinstance(last, e.Asked) else None,
                used=self.used,
            )
            try:
                left = self._move(move, events, carried)
            except Refused as error:
                if self._holds_back() and self._asks(action):
                    return
                if self.unseen and error.code == "needs_answer":  # a roll slipped in
                    self._stop(action, NEW[Roll], unseen=True)
                    return
                if self.correction is not None and move.number == self.correction.move:
                    raise
                self._stop(action, error.message)
                break
        if not self._holds_back():
            self.unused += left

    def _move(self, move: Move, events: list[e.Event], carried: Carried) -> list[e.Event]:
        """Makes a move anew, or what is to be in its place; returns the answers left."""
        one = self.correction
        begins = move.begins if answers(move) else move.number
        if one is not None and one.play is not None and not one.after and one.move == move.number:
            return self._corrected(move, one.play, carried)
        if begins in self.left_out:
            return []
        if answers(move):
            return self._answered(move, events, carried)
        return self._performed(move, events, carried)

    def _corrected(self, move: Move, play: Play, carried: Carried) -> list[e.Event]:
        action = None if answers(move) else self.session.codec.action(move.input)
        before = self.session.head.number
        with self.session.carrying(replace(carried, typed_first=True)) as left:
            try:
                play(self.session, action if isinstance(action, Action) else None)
            except BadInput as error:
                if error.code == "left_over" and carried.later:
                    error.hints = [f"amend N, where move {move.number} has its answers: show"]
                raise
        self.pairs.append((move.number, before + 1))
        return left

    def _answered(self, move: Move, events: list[e.Event], carried: Carried) -> list[e.Event]:
        """Answers the open question, if what had been answered by then fits it."""
        session, asked = self.session, self.session.open
        state = session.table.state
        if asked is None or not any(fits(asked.request, one, state) for one in carried.replies):
            return [*carried.replies, *carried.later]
        with session.carrying(carried, move.input) as left:
            session.answer([], self._inputs(move), **_options(move, events))
        return left

    def _inputs(self, move: Move) -> Inputs:
        """Stops at every opportunity if it did so then."""
        flows = msgspec.json.decode(move.input, type=_Input).given.flows
        return Inputs(flows=flows, unseen=self.unseen)

    def _performed(self, move: Move, events: list[e.Event], carried: Carried) -> list[e.Event]:
        session, options = self.session, _options(move, events)
        action = session.codec.action(move.input)
        if not isinstance(action, Action):
            raise Refused("This kdmlog has no such action any more.")
        if slipped(move):
            mine, rest = answers_among(events), [*carried.replies, *carried.later]
            carried = Carried(mine, used=self.used)
        else:
            rest = []
        with session.carrying(carried, move.input) as left:
            if isinstance(action, Adjust):
                session.adjust(action.path, action.value, action.why, **options)
            elif isinstance(action, Assert):
                assert_counts(session, action.counts, **options)
            elif type(action) in session.codec.plays:
                session.perform(action, self._inputs(move), **options)
            else:  # what no rule gave, such as other packs, is done again to the letter
                session.move(
                    move.input,
                    lambda: session.decider().facts("acted", move.input, events),
                    Write(by=move.by, at=move.at),
                )
        self.pairs.append((move.number, session.head.number))
        return [*left, *rest]


def used_keys(session: Session) -> set[tuple[str, int]]:
    """Returns the dice of kdmlog's on the way here, by seed and key."""
    keys: set[tuple[str, int]] = set()
    seed = ""
    for body in session.ledger.events(session.head):
        if '"seed":' not in body and '"key":' not in body:
            continue
        match session.codec.event(body):
            case e.CampaignBegun(seed=new) | e.Reseeded(seed=new):
                seed = new
            case e.DiceRolled(key=int() as key, faces=faces):
                keys |= {(seed, key + n) for n in range(len(faces))}
            case e.DeckShuffled(key=key):
                keys.add((seed, key))
    return keys


def _actions(moves: Iterator[Move]) -> Iterator[list[Move]]:
    """Yields the moves of each action: with its answers, and what was slipped in meanwhile."""
    action: list[Move] = []
    for move in moves:
        if action and not _goes_on(move):
            yield action
            action = []
        action.append(move)
    if action:
        yield action


def _goes_on(move: Move) -> bool:
    """Returns whether a move was made while an action was open."""
    return answers(move) or slipped(move)


def _options(move: Move, events: list[e.Event]) -> WriteOptions:
    """How the move was written; a note that was given along goes along."""
    notes = [one.text for one in events if isinstance(one, e.Noted) and not one.cause]
    return WriteOptions(by=move.by, at=move.at, note="\n".join(notes))


class _Given(Struct, frozen=True):
    flows: bool = False


class _Input(Struct, frozen=True):
    """What of a move as it was typed still matters when it is made again."""

    given: _Given = _Given()
