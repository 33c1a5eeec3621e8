"""Tells what made a figure what it is: every fact after which the public state shows another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from kdmlog.core import events as e
from kdmlog.core.game import Table
from kdmlog.core.state import State
from kdmlog.ledger import Head, Move
from kdmlog.session import paths
from kdmlog.session.session import Session
from kdmlog.session.states import States


class Cause(Struct, frozen=True):
    """A fact after which a figure was another: the move that it is of, and what changed.

    ``changes`` are paths below the one asked for (the empty one is itself), with before and after.
    ``why`` is a ruling's reason.
    """

    move: Move
    event: e.Event
    changes: list[tuple[str, Any, Any]]
    why: str = ""


class Why(Struct, frozen=True):
    """A figure's path as the state spells it, its value, and all that made it so, oldest first."""

    path: str
    value: Any
    causes: list[Cause]


def why(
    session: Session,
    name: str,
    head: Head | None = None,
    *,
    since: int = 0,
    advance: Callable[[int], None] = lambda _moves: None,
) -> Why:
    """Returns what made a figure what it is at ``head`` (default: now), after the move ``since``.

    Raises UnknownName with the nearest paths for one that the state has not and never had.
    """
    look = _Look(session, head or session.head, name)
    changed = look.changed(since, advance)
    causes = list(look.causes(since, changed))
    if not causes and not look.known:
        raise paths.unknown(look.tree, ".".join(look.steps))
    return Why(".".join(look.steps), look.value(look.now), causes)


class _Look:
    """Looks at one part of the public state along the way to a place."""

    def __init__(self, session: Session, head: Head, name: str) -> None:
        self.session = session
        self.head = head
        self.game = session.game
        self.libraries = session.libraries
        self.states = States(session.ledger, session.game, session.codec)
        self.now = self.states.at(head)
        table = self._table(self.now)
        self.tree = paths.tree(self.game.view(table))
        self.steps = paths.spelt(self.tree, self.game.figure(name, table))
        self.counted = paths.counted(self.game.view_type, self.steps)
        self.known = paths.has(self.tree, self.steps[:-1] if self.counted else self.steps)

    def changed(self, since: int, advance: Callable[[int], None]) -> set[int]:
        """Returns the numbers of the moves after which the value is another than before."""
        state, found = self._at(since), set()
        value = self.value(state)
        for move in self.session.ledger.moves(self.head, after=since):
            self._fold(state, move)
            before, value = value, self.value(state)
            if before != value:
                found.add(move.number)
            advance(1)
        return found

    def causes(self, since: int, changed: set[int]) -> Iterator[Cause]:
        """Yields the facts of those moves that changed the value, in a second pass."""
        if not changed:
            return
        state, codec = self._at(since), self.session.codec
        last = self.session.ledger.position(self.head, max(changed))
        for move in self.session.ledger.moves(last, after=since):
            if move.number not in changed:
                self._fold(state, move)
                continue
            value = self.value(state)
            events = codec.events(move)
            reason = next((event.why for event in events if isinstance(event, e.Ruled)), "")
            for event in events:
                codec.folds[type(event)](state, event)
                before, value = value, self.value(state)
                if before != value:
                    yield Cause(move, event, list(_differences(before, value)), reason)

    def value(self, state: State) -> Any:
        """Returns what is at the path, as plain values that no later fold changes, or None."""
        value = paths.at(self.game.view(self._table(state)), self.steps)
        return 0 if value is None and self.counted else value

    def _fold(self, state: State, move: Move) -> None:
        codec = self.session.codec
        for event in map(codec.event, move.bodies):
            codec.folds[type(event)](state, event)

    def _at(self, number: int) -> State:
        place = self.session.ledger.position(self.head, number)
        return self.states.copy(self.states.at(place))

    def _table(self, state: State) -> Table:
        return Table(state, self.libraries.get(state.packs))


def _differences(before: Any, after: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yields the paths below that differ; where one side has none, all of the other's."""
    was, now = _below(before), _below(after)
    for path in dict.fromkeys((*was, *now)):
        if was.get(path) != now.get(path):
            yield path, was.get(path), now.get(path)


def _below(value: Any) -> dict[str, Any]:
    return {path: each for path, each in paths.walk(value) if each is not None and each != {}}
