"""A stretch of the past to walk through, on and back, with what lay on the table at each move."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from kdmlog.core.events import Event
from kdmlog.core.game import Table
from kdmlog.ledger import Head, Move
from kdmlog.session.log import answers, entry
from kdmlog.session.results import ActionEntry
from kdmlog.session.session import Session
from kdmlog.session.states import States

PART = 32
"""Moves that are read together. The state before each part is kept once it was passed."""


class Moment(Struct, frozen=True):
    """A move of the past. Nothing that came later is in it.

    ``entry`` is the action that the move is of, as far as it had come; ``table`` is as it lay after
    the move, and only good until the next moment is looked at.
    """

    move: Move
    events: list[Event]
    entry: ActionEntry
    table: Table


class Past:
    """The moves ``first .. last.number`` on the way to ``last``."""

    def __init__(self, session: Session, first: int, last: Head) -> None:
        self.first = first
        self.last = last
        self._ledger = session.ledger
        self._codec = session.codec
        self._states = States(session.ledger, session.game, session.codec)
        self._content = session.libraries.get
        self._part = -1
        self._moves: list[tuple[Move, list[Event]]] = []
        self._before: dict[int, bytes] = {}
        self._state: Any = None
        self._reached = -1
        """The move that the state is of."""

    def __len__(self) -> int:
        return self.last.number - self.first + 1

    def at(self, number: int) -> Moment:
        """Returns the moment of a move. To go on or back by one costs a move's events at most.

        Going back folds again from the beginning of the part, at most.
        """
        part = (number - self.first) // PART
        if part != self._part:
            self._open(part)
        begin = self.first + part * PART
        if number < self._reached:
            self._state, self._reached = self._states.unpacked(self._before[part]), begin - 1
        folds = self._codec.folds
        for _, events in self._moves[self._reached + 1 - begin : number + 1 - begin]:
            for event in events:
                folds[type(event)](self._state, event)
        self._reached = number
        move, events = self._moves[number - begin]
        table = Table(self._state, self._content(self._state.packs))
        return Moment(move, events, self._entry(move, events), table)

    def _open(self, part: int) -> None:
        """Reads a part, and stands before it."""
        begin = self.first + part * PART
        if self._reached != begin - 1:
            if part not in self._before:
                state = self._states.at(self._ledger.position(self.last, begin - 1))
                self._before[part] = self._states.packed(state)
            self._state, self._reached = self._states.unpacked(self._before[part]), begin - 1
        elif part not in self._before:
            self._before[part] = self._states.packed(self._state)
        end = self._ledger.position(self.last, min(begin + PART - 1, self.last.number))
        moves = self._ledger.moves(end, after=begin - 1)
        self._moves = [(move, self._codec.events(move)) for move in moves]
        self._part = part

    def _entry(self, move: Move, events: list[Event]) -> ActionEntry:
        if answers(move):
            here = self._ledger.position(self.last, move.number)
            return entry(self._ledger, self._codec, here, move.number)
        return ActionEntry(
            number=move.number,
            hash=move.hash.hex(),
            action=self._codec.action(move.input),
            by=move.by,
            at=move.at,
            moves=[(move, events)],
        )
