"""Decides moves: what an action, an answer or a ruling makes of the game, before it is kept."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec
from msgspec import Struct

from kdmlog.core import actions as core
from kdmlog.core import events as e
from kdmlog.core.errors import BadInput, NotNow, Refused
from kdmlog.core.game import Action, Game, Table
from kdmlog.core.inputs import Inputs
from kdmlog.core.requests import Ask
from kdmlog.core.runner import NOTHING_CARRIED, Carried
from kdmlog.ledger import Head, Ledger, MoveKind
from kdmlog.session import paths
from kdmlog.session.answers import copied, grouped, open_question, with_words
from kdmlog.session.codec import Codec
from kdmlog.session.resume import carried_over, opened, procedure, run
from kdmlog.session.states import States

_SLIPS = (core.Note, core.Roll)
"""What may be done while a question is open, besides adjusting."""
_VALUE = re.compile(r"([+-]|=-?)?(\d{1,9})", re.ASCII)


class Decided(Struct, frozen=True):
    """A move that only waits to be kept. ``back``: the branch returns there first.

    ``left`` are the carried answers that nothing asked for.
    """

    kind: MoveKind
    begins: int | None
    input: str
    events: list[e.Event]
    table: Table
    open: Ask | None = None
    back: Head | None = None
    packs: Mapping[str, bytes] = {}
    left: Carried = NOTHING_CARRIED


class Decider:
    """Decides the next move after ``head``, where ``table`` stands. It keeps nothing."""

    def __init__(
        self, ledger: Ledger, game: Game, codec: Codec, states: States, head: Head, table: Table
    ) -> None:
        self.ledger = ledger
        self.game = game
        self.codec = codec
        self.states = states
        self.head = head
        self.table = table
        self.open: e.Asked | None = table.state.open

    def perform(
        self,
        action: Action,
        input: str,
        inputs: Inputs,
        note: str,
        carried: Carried = NOTHING_CARRIED,
    ) -> Decided:
        """An action, as far as the inputs and the campaign's dice and decks carry it.

        Raises NotNow when it is not legal now, and whatever its rules refuse.
        """
        play = self.codec.plays.get(type(action))
        if play is None:
            raise Refused(f"{type(action).__name__} is not an action of {self.game.title}.")
        asked = self.open
        if asked is not None and (
            not isinstance(action, _SLIPS)
            or (isinstance(action, core.Roll) and asked.request.purpose == core.FREE)
        ):
            raise self.refused_by(asked)
        if (why := play.refuse(self.table)) is not None:
            raise self._not_now(why)
        table = self._working()
        done = run(
            self.game,
            self.codec,
            table,
            play.procedure(table, action),
            copied(inputs),
            began=self.head.number + 1,
            note=note,
            carried=carried,
        )
        if asked is not None and done.open is not None:
            raise Refused(
                "Another question is open, so this one needs its answer now.",
                code="needs_answer",
                hints=["--dice FACES, or --dice app"],
            )
        begins = asked.began if asked else None
        return Decided("acted", begins, input, done.events, table, done.open, left=done.left)

    def answer(
        self,
        words: list[str],
        input: str,
        inputs: Inputs,
        note: str,
        carried: Carried = NOTHING_CARRIED,
        *,
        again: bool = False,
    ) -> Decided:
        """An answer, and how its action goes on from there.

        ``again`` performs the action anew from its start, with the answers given so far. Raises
        Refused when no question is open, RulesChanged when what was recorded does not follow.
        """
        asked = self.open
        if asked is None:
            lines = ready(self.codec, self.table)
            raise Refused("No question is open.", code="nothing_open", hints=lines[:3])
        action = opened(self.ledger, self.codec, self.head, asked.began)
        given = copied(inputs)
        if words or not (again or carried.replies):
            given = with_words(asked.request, words, inputs)
        before = self.states.at(action.place)
        # The content of an open action cannot change while it is open.
        table = Table(self.states.copy(before), self.table.content)
        first = carried_over(action.replies, self.head.hash.hex()) if again else ()
        done = run(
            self.game,
            self.codec,
            table,
            procedure(self.game, self.codec, table, action),
            given,
            began=asked.began,
            note=note,
            recorded=() if again else action.recorded,
            first=first,
            carried=Carried(action.replies) if again else carried,
        )
        self.states.remember(action.place, before)
        if again:
            return Decided(
                "acted", None, action.input, done.events, table, done.open, back=action.place
            )
        return Decided(
            "answered", asked.began, input, done.events, table, done.open, left=done.left
        )

    def adjust(self, action: core.Adjust, input: str, note: str) -> Decided:
        """A figure set by hand. Raises as ``Session.adjust`` does."""
        if not action.why.strip():
            raise BadInput("Say why: a figure set by hand is kept as a ruling.", hints=["--why …"])
        tree = paths.tree(self.game.view(self.table))
        steps = paths.spelt(tree, action.path)
        if steps and steps[0] not in tree:  # said in short, such as lucy.insanity
            steps = paths.spelt(tree, self.game.figure(action.path, self.table))
        leaf = self.game.leaf(self.table, steps)
        if isinstance(leaf, str):
            paths.follow(tree, action.path)
            raise Refused(leaf, code="not_adjustable")
        path = ".".join(steps)
        now = _value(action.value, leaf.now)
        if not leaf.least <= now <= leaf.most:
            raise BadInput(f"{path} is {leaf.least} to {leaf.most}, never {now}.")
        facts: list[e.Event] = [e.Ruled(path=path, value=now, why=action.why)]
        if now != leaf.now:
            facts.append(leaf.event(now - leaf.now, now))
        ruled = [msgspec.structs.replace(fact, cause="adjust") for fact in facts]
        return self.facts("adjusted", input, ruled, note)

    def facts(self, kind: MoveKind, input: str, facts: list[e.Event], note: str = "") -> Decided:
        """A move of facts that no rule gave."""
        if note:
            facts = [*facts, e.Noted(text=note)]
        table = self._working()
        for fact in facts:
            self.codec.folds[type(fact)](table.state, fact)
        begins = self.open.began if self.open else None
        return Decided(kind, begins, input, facts, table)

    def refused_by(self, asked: e.Asked) -> NotNow:
        """Returns the refusal of whatever has to wait for an answer."""
        return open_question(asked, self.game.question(asked.request, self.table))

    def _working(self) -> Table:
        return Table(self.states.working(self.table.state), self.table.content)

    def _not_now(self, why: str) -> NotNow:
        phase, lines = self.game.phase(self.table), ready(self.codec, self.table)
        where = f"{phase}; " if phase and phase != why else ""
        return NotNow(
            f"Not now: {where}{why.rstrip('.')}.",
            hints=grouped(lines),
            data={"phase": phase, "ready": lines},
        )


def ready(codec: Codec, table: Table) -> list[str]:
    """Returns the actions that are legal now, as lines to type; none while one is open."""
    if table.state.open is not None:
        return []
    legal = (play for play in codec.plays.values() if play.refuse(table) is None)
    return [line for play in legal for line in play.ready(table)]


def _value(text: str, present: int) -> int:
    found = _VALUE.fullmatch(text.strip())
    if not found:
        raise BadInput(f"{text!r} is no value.", hints=["+1 and -2 change it, 3 and =-3 set it"])
    sign, number = found[1] or "", int(found[2])
    if sign in ("+", "-"):
        return present + int(f"{sign}{number}")
    return -number if sign == "=-" else number
