"""What a session gives back: moves made, actions as the log groups them, and differences."""

from __future__ import annotations

from typing import Any, TypedDict

from msgspec import Struct

from kdmlog.core.events import Event
from kdmlog.core.game import Action, Table
from kdmlog.core.requests import Ask
from kdmlog.ledger import Head, Move


class WriteOptions(TypedDict, total=False):
    """What any writing command may be given besides: see ``Write``."""

    by: str
    at: str | None
    note: str
    request_id: str | None
    expect: str | None
    dry_run: bool


class Write(Struct, frozen=True, kw_only=True):
    """How a move is written.

    ``by`` and ``at`` (default: the session's player, now) sign it, ``note`` goes into it. The same
    ``request_id`` twice has one effect. ``expect`` begins the hash of the move that the branch must
    stand at. ``dry_run`` decides all and writes nothing.
    """

    by: str = ""
    at: str | None = None
    note: str = ""
    request_id: str | None = None
    expect: str | None = None
    dry_run: bool = False


class Result(Struct, frozen=True):
    """A move made: its number (0 if only tried), its facts, and the question it left open.

    ``repeated`` says that an earlier request with this id had done it already, ``elsewhere`` that
    this was taken back since or is another branch's. ``left_behind`` is the furthest place that
    redo led to until this action went another way. ``before`` is good until the session moves on,
    ``after`` for one move more.
    """

    number: int
    events: list[Event]
    open: Ask | None
    before: Table
    after: Table
    repeated: bool = False
    elsewhere: bool = False
    left_behind: Head | None = None


class ActionEntry(Struct, frozen=True):
    """An action with its answers. ``number`` and ``hash`` are those of its first move here.

    ``action`` is as it was written when this program has no such action any more.
    """

    number: int
    hash: str
    action: Action | dict[str, Any]
    by: str
    at: str
    moves: list[tuple[Move, list[Event]]]

    @property
    def numbers(self) -> list[int]:
        """Returns the numbers of all its moves."""
        return [move.number for move, _ in self.moves]

    @property
    def events(self) -> list[Event]:
        """Returns the facts of all its moves."""
        return [event for _, events in self.moves for event in events]


class Undone(Struct, frozen=True):
    """What an undo takes back, newest first, and where the branch stands then.

    ``brought_back`` is what led there, if that was not on the way.
    """

    took_back: list[ActionEntry]
    head: Head
    rolls: int
    draws: int
    brought_back: list[ActionEntry]


class Redone(Struct, frozen=True):
    """What a redo brings back, newest first, and where the branch stands then."""

    brought_back: list[ActionEntry]
    head: Head


class Diff(Struct, frozen=True):
    """What differs between two places: figures by path, then the actions that only one has."""

    changes: list[tuple[str, Any, Any]]
    only_a: list[ActionEntry]
    only_b: list[ActionEntry]
