"""Places in the history as players write them: ``14``, ``h:a31f``, ``@{2}``, a time, ``ly:5``."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from msgspec import Struct

from kdmlog.core.errors import BadInput

TIME = "%Y-%m-%dT%H:%M:%SZ"
"""How moves are dated: UTC, so that their order is the order of the texts."""


class AtMove(Struct, frozen=True):
    """A move by its number."""

    number: int


class AtHash(Struct, frozen=True):
    """A move by the first characters of its hash, on any line."""

    prefix: str


class Back(Struct, frozen=True):
    """So many moves before the head."""

    moves: int


class AtTime(Struct, frozen=True):
    """The last move at or before a time (given in ISO 8601, kept in UTC)."""

    time: str


class Landmark(Struct, frozen=True):
    """Just after a named point of the game: ``ly:5``, ``showdown:3``."""

    name: str
    number: int


Position = AtMove | AtHash | Back | AtTime | Landmark


def parse_position(text: str) -> Position:
    """Returns what ``text`` means. Raises BadInput when it means nothing."""
    text = text.strip()
    if re.fullmatch(r"[0-9]{1,9}", text):
        return AtMove(int(text))
    if found := re.fullmatch(r"h:([0-9a-f]{2,64})", text):
        return AtHash(found[1])
    if found := re.fullmatch(r"@\{([0-9]{1,9})\}", text):
        return Back(int(found[1]))
    if found := re.fullmatch(r"([a-z]+):([0-9]{1,6})", text):
        return Landmark(found[1], int(found[2]))
    try:
        return AtTime(datetime.fromisoformat(text).astimezone(UTC).strftime(TIME))
    except ValueError:
        raise BadInput(
            f"{text!r} is no position.",
            hints=["a move number, h:HASH, @{N}, a time, or a landmark such as showdown:1"],
        ) from None
