"""The values that the ledger takes and gives, so that nobody above it ever sees a row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from msgspec import Struct

from kdmlog import __version__

MoveKind = Literal["acted", "answered", "adjusted"]
Reason = Literal["begin", "append", "undo", "redo", "restore", "branch", "delete"]


class Campaign(Struct, frozen=True):
    """A campaign. ``slug`` and ``name`` are what it is called in this ledger, if ``hidden`` out of
    sight; it was ``founded`` under a slug of its own. All else never changes.
    """

    id: int
    uid: str
    slug: str
    name: str
    game: str
    created: str
    hidden: bool = False
    founded: str = ""


class Head(Struct, frozen=True):
    """Where a branch stands, or could stand: after move ``number`` of ``line``.

    ``number`` counts the moves from the campaign's start, 0 being before any. ``hash`` is that
    move's, or the campaign's genesis. ``follows`` says that the branch moves on with its line.
    ``branch`` is empty for a place that was found without one.
    """

    campaign: int
    branch: str
    line: int
    number: int
    hash: bytes
    follows: bool


class NewMove(Struct, frozen=True):
    """A move to be appended. ``bodies`` are the events, each a JSON text tagged ``kind``.

    ``begins`` is the number of the move that began the action, None when this one does. ``at`` is
    a UTC time whose texts sort as the times do. ``rules`` is the version of the game's rules,
    ``writer`` the version of kdmlog that made the move.
    """

    kind: MoveKind
    begins: int | None
    input: str
    bodies: list[str]
    by: str
    at: str
    request_id: str | None
    rules: int
    writer: str = __version__


class Move(Struct, frozen=True):
    """A move as it was kept; ``writer`` is the kdmlog version that wrote it."""

    number: int
    line: int
    kind: MoveKind
    begins: int | None
    input: str
    by: str
    at: str
    request_id: str | None
    writer: str
    rules: int
    hash: bytes
    bodies: tuple[str, ...]


class Ref(Struct, frozen=True):
    """A step of a branch: from now on it stands after move ``number`` of ``line``."""

    id: int
    branch: str
    line: int
    number: int
    follows: bool
    reason: Reason
    by: str
    at: str
    hash: bytes
    place: bytes = b""
    """The hash of that move."""
    left: tuple[int, bytes] | None = None
    """The move that the branch stood at before, and its hash."""


class StepBack(Struct, frozen=True):
    """An undo or a restore: the place that a branch left, and the one that it went to."""

    branch: str
    reason: Reason
    left: Head
    to: Head
    by: str
    at: str


class Branch(Struct, frozen=True):
    """A name for a place in the history."""

    name: str
    head: Head


class Finding(Struct, frozen=True):
    """Something ``verify`` found wrong. ``move`` counts along ``line``; ``ref`` is an oplog id."""

    code: str
    message: str
    move: int | None = None
    line: int | None = None
    branch: str | None = None
    ref: int | None = None


class Batch(NamedTuple):
    """Some bodies, as one JSON array, and how many they are."""

    json: str
    size: int


Follow = Callable[[Head, int, Batch], None]
"""Is given moves of a campaign: where the last of them leads, the number of the one before the
first, and their bodies. It raises nothing."""

Following = Callable[[int, str], Follow | None]
"""Returns who follows a campaign, of that id and game; None for nobody."""


def nobody(campaign_id: int, game: str) -> None:
    """Follows no campaign."""


Step = tuple[int, bytes]
"""A ref's id and hash."""
Stand = tuple[str, Head, Step]
"""A campaign's uid, the place of its last commit, and its newest step."""
