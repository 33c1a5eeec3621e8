"""What the hashes cover: content only, no local ids, so that an import keeps every one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from kdmlog.core.errors import BadInput
from kdmlog.core.hashes import blake2b
from kdmlog.ledger.structs import Move, NewMove

SCHEME = "kdmlog/1"

Place = tuple[bytes, int, bool]
"""A place without local ids: the move's hash (or the genesis), its number, follows."""

_encode = msgspec.msgpack.Encoder().encode


def genesis(uid: str) -> bytes:
    """Returns what a campaign's first move chains to."""
    return _digest([SCHEME, uid])


def move_hash(previous: bytes, uid: str, number: int, move: NewMove | Move) -> bytes:
    """Returns a move's link of its line's chain. Raises BadInput for text that is not Unicode."""
    fields = (
        *(number, move.kind, move.begins, move.input, move.by, move.at),
        *(move.request_id, move.writer, move.rules),
    )
    return row_hash(previous, uid, fields, move.bodies)


def row_hash(previous: bytes, uid: str, fields: Sequence[object], bodies: Sequence[str]) -> bytes:
    """Returns the same for the fields of a move's row: number, kind, …, rules, as above."""
    return _digest([SCHEME, previous, uid, *fields, bodies])


def row_hashes(
    previous: bytes, uid: str, moves: Iterable[tuple[Sequence[object], Sequence[str]]]
) -> list[bytes]:
    """Returns the same of one move after the other: their fields and bodies."""
    made = []
    for fields, bodies in moves:
        previous = row_hash(previous, uid, fields, bodies)
        made.append(previous)
    return made


def ref_genesis(uid: str, slug: str, name: str, game: str, created: str) -> bytes:
    """Returns what a campaign's first ref chains to; it vouches for the campaign's own row."""
    return _digest([SCHEME, "refs", uid, slug, name, game, created])


def ref_hash(
    previous: bytes, branch: str, reason: str, by: str, at: str, to: Place, came: Place | None
) -> bytes:
    """Returns a ref's link of its campaign's chain.

    Where the branch came from is part of it: so the ends of abandoned lines are remembered too.
    """
    return _digest([SCHEME, "ref", previous, branch, reason, by, at, to, came])


def pack_hash(source: bytes) -> str:
    """Returns the name that a pack's canonical JSON is kept under."""
    return blake2b(source, digest_size=32).hexdigest()


def _digest(parts: list[object]) -> bytes:
    try:
        return blake2b(_encode(parts), digest_size=32).digest()
    except UnicodeEncodeError:
        raise BadInput("The text holds half a character, which no file can keep.") from None
