"""Turns a game's events and actions into text and back, with one decoder of each, reused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, reduce
from operator import or_
from typing import Any

import msgspec

from kdmlog.core.actions import CORE_ACTIONS, CORE_PLAYS
from kdmlog.core.errors import BadInput, LedgerError
from kdmlog.core.events import Event
from kdmlog.core.game import Action, Game, Play
from kdmlog.core.state import State


class Codec:
    """Everything about a game that reading its log takes."""

    def __init__(self, game: Game) -> None:
        self.folds = game.all_folds
        self.plays: Mapping[type[Action], Play] = {**CORE_PLAYS, **game.plays}
        self._decode = msgspec.json.Decoder(reduce(or_, game.all_events)).decode

    def event(self, body: str) -> Event:
        """Returns an event of the log. Raises LedgerError for a kind this program lacks."""
        try:
            event: Event = self._decode(body)
        except msgspec.DecodeError as error:
            raise _unreadable(error) from error
        return event

    def fold(self, state: State, bodies: Iterable[str]) -> None:
        """Folds events of the log into ``state``."""
        decode, folds = self._decode, self.folds
        try:
            for event in map(decode, bodies):
                folds[type(event)](state, event)
        except msgspec.DecodeError as error:
            raise _unreadable(error) from error

    @cached_property
    def _actions(self) -> msgspec.json.Decoder[Any]:
        types = dict.fromkeys((*CORE_ACTIONS, *self.plays))
        return msgspec.json.Decoder(reduce(or_, types))

    def action(self, text: str) -> Action | dict[str, Any]:
        """Returns an action of the log; as it was written if this program has it no more."""
        try:
            action: Action = self._actions.decode(text)
        except msgspec.DecodeError:
            raw: dict[str, Any] = msgspec.json.decode(text)
            return raw
        return action


def encode(thing: object) -> str:
    """Returns an event or action as JSON. Raises BadInput for what no JSON can hold."""
    try:
        return msgspec.json.encode(thing).decode()
    except UnicodeEncodeError:
        raise BadInput("The text holds half a character, which no file can keep.") from None
    except OverflowError:
        raise BadInput("A number is too large to be kept.") from None


def _unreadable(error: Exception) -> LedgerError:
    return LedgerError(
        f"The log has an event that this kdmlog cannot read: {error}.",
        code="unknown_event",
        hints=["update kdmlog, or use the version that wrote it (kdmlog show names it)"],
    )
