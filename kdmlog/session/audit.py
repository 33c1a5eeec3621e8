"""Plays the whole log through the rules again, and says what does not follow from them.

What follows needs no word. Beside faults, an audit lists whatever people did past the rules in the
open: rulings, other seeds and packs, rolls taken back.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from typing import Any, Literal

import msgspec
from msgspec import Struct, field

from kdmlog.core import actions as core
from kdmlog.core import events as e
from kdmlog.core.errors import KdmlogError
from kdmlog.core.game import Action, Table
from kdmlog.core.inputs import Inputs
from kdmlog.core.runner import Recorded
from kdmlog.core.state import State
from kdmlog.core.text import shown
from kdmlog.ledger import Head, Move
from kdmlog.session.chance import Chance
from kdmlog.session.counts import misses, told
from kdmlog.session.decide import Decider
from kdmlog.session.fairness import Fairness, Tally
from kdmlog.session.log import answers, slipped
from kdmlog.session.resume import Opened, by_the_way, procedure, run
from kdmlog.session.session import Session
from kdmlog.session.states import States
from kdmlog.session.taken_back import Chances, abandoned, counted, elsewhere, taken_back

Code = Literal[
    "unfounded",
    "undue",
    "asserted",
    "rules_changed",
    "unknown_action",
    "ruling",
    "reseeded",
    "packs",
    "replayed",
    "foreign",
    "taken_back",
    "abandoned",
    "elsewhere",
    "by_hand",
]
FAULTS: tuple[Code, ...] = ("unfounded", "undue", "asserted")
"""What must not be in a log that is as kdmlog wrote it."""
LONGEST = 100
"""Characters of a fact that a line shows."""
_SECRET = ("seed", "order", "cards")
"""What a fact may hold of chance to come."""
_SEEDING = (e.CampaignBegun, e.Reseeded)

Advance = Callable[[int], None]
"""Told how many more moves are done."""


class Remark(Struct, frozen=True):
    """Something that an audit found at a move, by whom and when."""

    code: Code
    message: str
    move: int
    hash: str
    by: str = ""
    at: str = ""

    @property
    def fault(self) -> bool:
        """Returns whether this should not be."""
        return self.code in FAULTS


class Audit(Struct):
    """What an audit found: how much it went through, its remarks in order, and the dice."""

    moves: int = 0
    actions: int = 0
    remarks: list[Remark] = field(default_factory=list)
    dice: list[Fairness] = field(default_factory=list)

    @property
    def faults(self) -> list[Remark]:
        """Returns the remarks on what should not be."""
        return [one for one in self.remarks if one.fault]

    def count(self, code: Code) -> int:
        """Returns how many remarks there are of a kind."""
        return sum(one.code == code for one in self.remarks)


def audit(
    session: Session, head: Head | None = None, advance: Advance = lambda _moves: None
) -> Audit:
    """Audits the way to ``head`` (default: the present one), and what lies beside all branches.

    ``advance`` is told of each move done. Raises LedgerError where the log cannot be read.
    """
    walk = _Walk(session)
    for move in session.ledger.moves(head or session.head):
        try:
            walk.step(move)
        except _Nonsense:
            break
        advance(1)
    walk.end()
    done = walk.done
    done.remarks += [_beside("taken_back", one) for one in taken_back(session)]
    done.remarks += [_beside("abandoned", one) for one in abandoned(session)]
    done.remarks += [_beside("elsewhere", one) for one in elsewhere(session, head or session.head)]
    done.dice = walk.tally.results()
    return done


def dice_alone(
    session: Session, head: Head | None = None, advance: Advance = lambda _moves: None
) -> Audit:
    """Counts the dice on the way to ``head``, and looks at nothing else."""
    done, tally = Audit(), Tally()
    for move in session.ledger.moves(head or session.head):
        for event in map(session.codec.event, move.bodies):
            if isinstance(event, e.DiceRolled):
                tally.add(event, move.by)
        done.moves += 1
        advance(1)
    done.dice = tally.results()
    return done


class _Nonsense(Exception):
    """A fact that no state can take: nothing after it can be looked at."""


class _Act(Struct):
    """An action on the way: the state before it, and all that was recorded until it is done."""

    first: Move
    before: State
    opened: Opened
    rules: set[int]


class _Walk:
    """One pass along the moves. The log's own facts give the state that the next action meets."""

    def __init__(self, session: Session) -> None:
        self.game = session.game
        self.codec = session.codec
        self.ledger = session.ledger
        self.states = States(session.ledger, session.game, session.codec)
        self.libraries = session.libraries
        self.state = session.game.new_state()
        self.place = session.ledger.position(session.head, 0)
        self.chance = Chance()
        self.tally = Tally()
        self.by_hand: dict[str, tuple[Move, int, int]] = {}
        """By player: the last move, rolls and draws given by hand where they are kdmlog's."""
        self.open: _Act | None = None
        self.done = Audit()

    def step(self, move: Move) -> None:
        """Goes past one move."""
        events = self.codec.events(move)
        act = self._begun(move, events)
        for event in events:
            try:
                self._fold(move, event)
            except LookupError as error:  # of a survivor, a deck, a card that there is not
                self._remark("unfounded", move, f"{_fact(_text(event))} cannot be: no {error}")
                raise _Nonsense from error
        self.place = msgspec.structs.replace(
            self.place, line=move.line, number=move.number, hash=move.hash
        )
        self.done.moves += 1
        if act is None:
            return
        if act is self.open:
            if self.state.open is not None:
                return
            self.open = None
        self._check(act)

    def end(self) -> None:
        """Looks at the action that is still open at the end of the way."""
        if self.open is not None:
            self._check(self.open)
        for last, rolls, draws in self.by_hand.values():
            self._remark("by_hand", last, counted(rolls, draws))

    def _begun(self, move: Move, events: list[e.Event]) -> _Act | None:
        """Returns the action that a move is of; None for an answer to nothing."""
        if answers(move):
            if self.open is None:
                self._remark("unfounded", move, "answers a question that was not open")
                return None
            self.open.opened.recorded.extend(_recorded(events))
            self.open.rules.add(move.rules)
            return self.open
        action = self.codec.action(move.input)
        opened = Opened(self.place, action, move.input, _recorded(events))  # type: ignore[arg-type]
        act = _Act(move, self.states.copy(self.state), opened, {move.rules})
        self.done.actions += 1
        if slipped(move) and self.open is not None:
            self.open.opened.recorded.extend(Recorded(event, ours=False) for event in events)
            return act
        if self.open is not None:
            self._remark("unfounded", move, "begins while another action waits for its answer")
            self._check(self.open)
        self.open = act
        return act

    def _fold(self, move: Move, event: e.Event) -> None:
        """Folds a fact of the log, with a look at chance and at what goes past the rules."""
        if why := self.chance.wrong(self.state, event):
            self._remark("undue", move, why)
        elif self.chance.foreign:
            self._remark("foreign", move, "dice of another seed, carried over without it")
        match event:
            case e.DiceRolled():
                self.tally.add(event, move.by)
                ours = not (self.state.table_dice or self.state.ask_dice)
                if event.source == "table" and ours and not why:
                    self._by_hand(move, 1, 0)
            case e.CardsDrawn(source="table") if not self.state.table_cards:
                self._by_hand(move, 0, 1)
            case e.Asked() if self.open is None or event.began != self.open.first.number:
                self._remark("unfounded", move, f"it asks for move {event.began}, not for itself")
            case e.Ruled():
                self._remark("ruling", move, f"{event.path} = {event.value}: {event.why}")
            case e.Asserted():
                table = Table(self.state, self.libraries.whole(self.state.packs))
                for miss in misses(self.game, table, event):
                    self._remark("asserted", move, told(miss))
            case e.Reseeded():
                self._remark("reseeded", move, "other dice from here on")
            case e.Replayed():
                self._replayed(move, event)
            case e.PacksChanged() if move.number > 1:
                packs = ", ".join(f"{pack.id} {pack.version}" for pack in event.packs)
                self._remark("packs", move, f"plays {packs} from here on")
        self.codec.folds[type(event)](self.state, event)

    def _by_hand(self, move: Move, rolls: int, draws: int) -> None:
        _, before, drawn = self.by_hand.get(move.by, (move, 0, 0))
        self.by_hand[move.by] = move, before + rolls, drawn + draws

    def _replayed(self, move: Move, event: e.Replayed) -> None:
        """New dice begin where those of both ways end, no further: none is passed over."""
        source, due = self._place(event.source), self.state.keys
        if source is not None:
            due = max(due, self.states.at(source).keys)
            bodies = (body for body in self.ledger.events(source) if '"seed":' in body)
            events = map(self.codec.event, bodies)
            self.chance.carry(event.seed for event in events if isinstance(event, _SEEDING))
        there = "" if source is not None else ", which is not in this ledger"
        self._remark("replayed", move, f"done again from h:{event.source[:8]}{there}")
        if event.keys > due and (source is not None or not event.source):
            self._remark("undue", move, f"new dice begin at {event.keys}, where {due} had to come")

    def _place(self, hash: str) -> Head | None:
        """The place with a hash, if the ledger still has it."""
        try:
            found = self.ledger.find_hash(self.place.campaign, hash) if hash else []
        except KdmlogError:
            return None
        return found[0] if found else None

    def _check(self, act: _Act) -> None:
        """Plays an action again and remarks on what does not follow."""
        action = act.opened.action
        if isinstance(action, dict):
            code: Code = "unfounded" if act.rules == {self.game.rules} else "unknown_action"
            name = action.get("action")
            self._remark(code, act.first, f"{name!r} is no action that this kdmlog knows")
            return
        why = self._unfounded(act, action)
        if not why:
            return
        if act.rules == {self.game.rules}:
            self._remark("unfounded", act.first, why)
        else:
            self._remark("rules_changed", act.first, f"the rules have changed since: {why}")

    def _unfounded(self, act: _Act, action: Action) -> str:
        """Returns what in an action's facts does not follow; empty when all of it does."""
        recorded = act.opened.recorded
        facts = [one.event for one in recorded if one.ours]
        match action:
            case core.Reseed():
                return _unlike(facts, e.Reseeded)
            case core.ChangePacks():
                return _unlike(facts, e.PacksChanged)
            case core.Assert():
                return _unlike(facts, e.Asserted)
            case core.Rebase() | core.Amend():
                return _unlike([one.event for one in recorded], e.Replayed)
        table = Table(act.before, self._content(act))
        try:
            if isinstance(action, core.Adjust):
                return _first_difference(self._ruling(act, table, action), facts)
            if not isinstance(action, core.New):
                refused = self.codec.plays[type(action)].refuse(table)
                if refused is not None:
                    return f"it was not to be done then: {refused}"
            done = run(
                self.game,
                self.codec,
                table,
                procedure(self.game, self.codec, table, act.opened),
                Inputs(unseen=True),
                began=act.first.number,
                recorded=recorded,
            )
        except KdmlogError as error:
            if "recorded" in error.data:
                return _differs(error.data["now"], error.data["recorded"])
            return f"the rules refuse it: {error.message}"
        except Exception as error:  # the log may hold anything
            return f"the rules stumble over it ({type(error).__name__}: {error})"
        still = [e.Asked] if act is self.open else []
        if [type(event) for event in done.events] == still:
            return ""
        return _differs(_text(next(iter(done.events), None)), "nothing more")

    def _content(self, act: _Act) -> Any:
        """The content in force; a campaign's first move brings its own."""
        packs = act.before.packs
        if isinstance(act.opened.action, core.New):
            events = (one.event for one in act.opened.recorded)
            packs = [ref for one in events if isinstance(one, e.PacksChanged) for ref in one.packs]
        return self.libraries.whole(packs)

    def _ruling(self, act: _Act, table: Table, action: core.Adjust) -> list[e.Event]:
        decider = Decider(self.ledger, self.game, self.codec, self.states, act.opened.place, table)
        return decider.adjust(action, "", "").events

    def _remark(self, code: Code, move: Move, message: str) -> None:
        self.done.remarks.append(
            Remark(code, message, move.number, move.hash.hex(), move.by, move.at)
        )


def _recorded(events: list[e.Event]) -> list[Recorded]:
    return [Recorded(event, not by_the_way(event)) for event in events]


def _unlike(facts: list[e.Event], kind: type[e.Event]) -> str:
    """What is wrong with the facts of a move that must hold one of a kind, and may hold a note."""
    kinds = [type(fact) for fact in facts if not isinstance(fact, e.Noted)]
    return "" if kinds == [kind] else f"it holds other facts than {_tag(kind)}"


def _first_difference(due: list[e.Event], facts: list[e.Event]) -> str:
    for now, found in zip_longest(due, facts):
        if now != found:
            return _differs(_text(now), _text(found))
    return ""


def _differs(now: object, recorded: object) -> str:
    return f"the rules give {_fact(str(now))}; the log has {_fact(str(recorded))}"


def _text(event: e.Event | None) -> str:
    return "nothing more" if event is None else msgspec.json.encode(event).decode()


def _fact(text: str) -> str:
    """Returns a fact or a question, kept as JSON, in a few words that give away no coming card."""
    try:
        fields = msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
    name = fields.pop("kind", None) or fields.pop("ask", "")
    parts = [f"{key}={value}" for key, value in fields.items() if key not in _SECRET]
    return shown(" ".join([name, *parts]), LONGEST)


def _tag(kind: type[e.Event]) -> str:
    return str(kind.__struct_config__.tag)


def _beside(code: Code, one: Chances) -> Remark:
    return Remark(code, one.text, one.place.number, one.place.hash.hex(), one.by, one.at)
