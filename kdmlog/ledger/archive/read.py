"""Reads an archive through once: what it holds, if every hash and every count in it is right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from kdmlog.ledger.archive import lines as wire
from kdmlog.ledger.archive.lines import ArchiveError, Misfit, Reading
from kdmlog.ledger.archive.shape import Shape
from kdmlog.ledger.archive.write import Counts
from kdmlog.ledger.hashing import pack_hash
from kdmlog.ledger.structs import NewMove


class Inspect(Protocol):
    """Looks at what records mean; raises Misfit with the field that has no meaning."""

    def pack(self, source: bytes) -> None:
        """Looks at a pack."""

    def move(self, move: NewMove) -> None:
        """Looks at a move."""

    def branch(self, name: str) -> None:
        """Looks at the name of a branch that is made."""


class Contents(Struct):
    """What an archive holds, moves and packs as hashes alone."""

    name: str
    shape: Shape
    counts: Counts
    digest: str

    @property
    def start(self) -> wire.Start:
        """Returns what the first line says."""
        return self.shape.start


def contents(reading: Reading, inspect: Callable[[wire.Start], Inspect] | None = None) -> Contents:
    """Returns what an archive holds. Raises ArchiveError naming file, line and field.

    ``inspect`` is given the first line and returns what is to look at the others.
    """
    counts, packs = Counts(), set[str]()
    shape: Shape | None = None
    look: Inspect | None = None
    turn = 0
    for record in reading:
        try:
            turn = _in_turn(record, turn)
            match record:
                case wire.Start():
                    shape = Shape(record)
                    look = inspect(record) if inspect else None
                case wire.Pack():
                    counts.packs += 1
                    _pack(record, packs, look)
                case _:
                    assert shape is not None
                    _take(record, shape, counts, look)
        except Misfit as error:
            raise reading.fault(error.field, error.message, error.hints) from None
    assert shape is not None
    return Contents(reading.name, shape, counts, reading.digest)


_TURNS: dict[type[wire.Record], int] = {
    wire.Start: 1,
    wire.Pack: 2,
    wire.Line: 3,
    wire.Move: 3,
    wire.Ref: 4,
    wire.End: 5,
}
"""The parts of an archive, in their order."""


def _in_turn(record: wire.Record, before: int) -> int:
    turn = _TURNS[type(record)]
    if turn < before or (turn == before == 1):
        raise Misfit("record", "stands too late in the archive")
    return turn


def _take(record: wire.AnyRecord, shape: Shape, counts: Counts, look: Inspect | None) -> None:
    match record:
        case wire.Line():
            shape.line(record)
            counts.lines += 1
        case wire.Move():
            move = wire.new_move(record)
            if shape.move(record.number, move).hex() != record.hash:
                raise Misfit("hash", f"move {record.number} is not what was appended")
            if look is not None:
                look.move(move)
            counts.moves += 1
            counts.events += len(record.events)
        case wire.Ref():
            if shape.ref(record).hex() != record.hash:
                raise Misfit("hash", f"this step of {record.branch} is not what was written")
            if look is not None and record.came is None:
                look.branch(record.branch)
            counts.refs += 1
        case wire.End():
            shape.end()
            for name in Counts.__struct_fields__:
                if getattr(record, name) != getattr(counts, name):
                    raise Misfit(name, f"there are {getattr(counts, name)}")


def _pack(pack: wire.Pack, seen: set[str], look: Inspect | None) -> None:
    source = wire.text(pack.source).encode()
    if pack_hash(source) != pack.hash:
        raise Misfit("hash", f"the pack {pack.hash[:12]} is not what was kept")
    if pack.hash in seen:
        raise Misfit("hash", "this pack stands here twice")
    seen.add(pack.hash)
    if look is not None:
        look.pack(source)


__all__ = ["ArchiveError", "Contents", "Inspect", "contents"]
