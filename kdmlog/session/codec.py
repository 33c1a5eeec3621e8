"""Turns a game's events and actions into text and back, with one decoder of each, reused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, reduce
from operator import or_
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.json import decode

from kdmlog import __version__
from kdmlog.core.actions import CORE_ACTIONS, CORE_PLAYS
from kdmlog.core.errors import BadInput, LedgerError
from kdmlog.core.events import Event
from kdmlog.core.game import Action, Game, Play
from kdmlog.core.state import State
from kdmlog.ledger import Batch, Move

_encode_lines = msgspec.json.Encoder().encode_lines


class Codec:
    """Everything about a game that reading its log takes."""

    def __init__(self, game: Game) -> None:
        self.folds = game.all_folds
        self._lifts = game.all_lifts
        self.plays: Mapping[type[Action], Play] = {**CORE_PLAYS, **game.plays}
        event: Any = reduce(or_, game.all_events)
        self._decode: Callable[[str], Event] = msgspec.json.Decoder(event).decode
        self._decode_all: Callable[[str], list[Event]] = msgspec.json.Decoder(list[event]).decode

    def event(self, body: str) -> Event:
        """Returns an event of the log, one of an older kind as what became of it.

        Raises LedgerError for a kind that this program lacks.
        """
        try:
            return self._decode(body)
        except msgspec.DecodeError:
            return self._lifted(body)

    def events(self, move: Move) -> list[Event]:
        """Returns a move's events. Raises LedgerError naming the move and what wrote it."""
        try:
            return [self.event(body) for body in move.bodies]
        except LedgerError as error:
            raise _newer(error, move) from error

    def first_unreadable(self, moves: Iterable[Move]) -> LedgerError | None:
        """Returns the error for the first of the moves that has such an event, if one has."""
        for move in moves:
            try:
                self.events(move)
            except LedgerError as error:
                return error
        return None

    def _lifted(self, body: str) -> Event:
        """Lifts an event from kind to kind, until it is one that this program has."""
        try:
            fields = msgspec.json.decode(body, type=dict[str, Any])
            for _ in self._lifts:  # no kind is met twice, so this many suffice
                lift = self._lifts.get(fields.get("kind", ""))
                if lift is None:
                    break
                fields = lift(fields)
            return self._decode(encode(fields))
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise _unreadable(error) from error

    def fold(self, state: State, batches: Iterable[Batch]) -> None:
        """Folds events of the log into ``state``. Raises LedgerError as ``event`` does."""
        folds = self.folds
        for batch in batches:
            for event in self._events(batch):
                folds[type(event)](state, event)

    def _events(self, batch: Batch) -> list[Event]:
        """All at once; where one is not as it should be, one by one."""
        try:
            events = self._decode_all(batch.json)
            if len(events) == batch.size:
                return events
        except msgspec.DecodeError:
            pass
        try:
            bodies = decode(batch.json, type=list[msgspec.Raw])
        except msgspec.DecodeError as error:
            raise _unreadable(error) from error
        if len(bodies) != batch.size:
            raise _unreadable("not one to a row")
        return [self.event(bytes(body).decode()) for body in bodies]

    @cached_property
    def _actions(self) -> dict[str, type[Action]]:
        return {str(one.__struct_config__.tag): one for one in (*CORE_ACTIONS, *self.plays)}

    def play_named(self, name: str) -> type[Action] | None:
        """Returns the action of that name that can be performed, or None."""
        action = self._actions.get(name)
        return action if action in self.plays else None

    def action(self, text: str) -> Action | dict[str, Any]:
        """Returns an action of the log; as it was written if this program has it no more."""
        try:
            # Not as one of all: a command that reads one action would prepare for a hundred.
            return decode(text, type=self._actions[decode(text, type=_Tagged).action])
        except (KeyError, msgspec.DecodeError):
            raw: dict[str, Any] = decode(text)
            return raw


class _Tagged(Struct):
    """What names an action's type."""

    action: str


def encode(thing: object) -> str:
    """Returns an event or action as JSON. Raises BadInput for what no JSON can hold."""
    return encode_all([thing])[0]


def encode_all(things: list[Any]) -> list[str]:
    """Returns each event as ``encode`` does."""
    try:
        return _encode_lines(things).decode().split("\n")[:-1]  # within JSON no line ends
    except UnicodeEncodeError:
        raise BadInput("The text holds half a character, which no file can keep.") from None
    except OverflowError:
        raise BadInput("A number is too large to be kept.") from None


def _newer(error: LedgerError, move: Move) -> LedgerError:
    return LedgerError(
        f"Move {move.number} was written by kdmlog {move.writer}. {error.message}",
        code=error.code,
        hints=[f"update kdmlog ({__version__}) to {move.writer}"],
        data={"move": move.number, "writer": move.writer},
    )


def _unreadable(error: object) -> LedgerError:
    return LedgerError(
        f"The log has an event that this kdmlog cannot read: {error}.",
        code="unknown_event",
        hints=["update kdmlog, or use the version that wrote it (kdmlog show names it)"],
    )
