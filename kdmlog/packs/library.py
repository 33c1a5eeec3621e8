"""What rules read: records of the packs in force, by Struct type and id, decoded on demand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

import msgspec

from kdmlog.core.errors import ContentError, UnknownName
from kdmlog.packs.nearest import nearest
from kdmlog.packs.pack import PackMeta, pack_hash

T = TypeVar("T", bound=msgspec.Struct)
M = TypeVar("M")


class Difference(msgspec.Struct, frozen=True):
    """A record that is not the same in two libraries: ``added``, ``changed`` or ``removed``.

    ``pack`` is the one whose version is in force, or was the last to be.
    """

    kind: str
    id: str
    how: str
    pack: str


def differences(before: Library, after: Library) -> list[Difference]:
    """Return what differs between the records in force, by kind and id."""
    found: list[Difference] = []
    for kind in after.kinds:
        was, now = before.stored(kind), after.stored(kind)
        for id in sorted(was.keys() | now.keys()):
            if id not in now:
                found.append(Difference(kind, id, "removed", was[id][1]))
            elif id not in was:
                found.append(Difference(kind, id, "added", now[id][1]))
            elif was[id][0] != now[id][0]:
                found.append(Difference(kind, id, "changed", now[id][1]))
    return found


class _Stored(msgspec.Struct):
    pack: PackMeta
    records: dict[str, dict[str, msgspec.Raw]]


_STORED = msgspec.json.Decoder(_Stored)


class Library:
    """The records of several packs laid over each other.

    A later pack adds records, or replaces earlier ones by id: whole, and in their place.
    ``kinds`` is the game's: each kind has a Struct type of its own, which is its name in code.
    Records are shared: nobody may change one.
    """

    def __init__(self, packs: Sequence[bytes], kinds: Mapping[str, type[msgspec.Struct]]) -> None:
        self.kinds = dict(kinds)
        self.metas: tuple[PackMeta, ...] = ()
        self._names = {type_: kind for kind, type_ in kinds.items()}
        if len(self._names) != len(self.kinds):
            raise ValueError("two kinds share a Struct type: give each its own subclass")
        self._packs = tuple(packs)
        self._raw: dict[str, dict[str, tuple[msgspec.Raw, str]]] = {kind: {} for kind in kinds}
        self._decoded: dict[tuple[str, str], Any] = {}
        self._all: dict[type[msgspec.Struct], Mapping[str, Any]] = {}
        self._made: dict[Callable[[Library], Any], Any] = {}
        for data in packs:
            self._lay(data)

    @cached_property
    def hashes(self) -> tuple[str, ...]:
        """The hash of each pack, in their order."""
        return tuple(pack_hash(data) for data in self._packs)

    def get(self, record: type[T], id: str) -> T:
        """Return the record of that type and id; an unknown one is refused with the nearest."""
        found: T | None = self._decoded.get((self._names[record], id)) or self.find(record, id)
        if found is None:
            kind = self.kind(record)
            near = nearest(id, self._raw[kind])
            raise UnknownName(
                f"There is no {kind.replace('_', ' ')} {id!r}.",
                hints=[f"Did you mean {' or '.join(near)}?"] if near else [],
                data={"kind": kind, "id": id, "nearest": near},
            )
        return found

    def find(self, record: type[T], id: str) -> T | None:
        """Return the record of that type and id, or None."""
        kind = self._names[record]
        known = self._decoded.get((kind, id))
        if known is None and (stored := self._raw[kind].get(id)) is not None:
            known = self._decoded[kind, id] = self._decode(record, id, *stored)
        return known

    def ids(self, record: type[msgspec.Struct]) -> list[str]:
        """Return all ids of that type: in the order of packs, sorted within each."""
        return list(self._raw[self.kind(record)])

    def all(self, record: type[T]) -> Mapping[str, T]:
        """Return all records of that type by id, in the order of ``ids``."""
        if record not in self._all:
            self._all[record] = {id: self.get(record, id) for id in self.ids(record)}
        return self._all[record]

    def made(self, make: Callable[[Library], M]) -> M:
        """Return what ``make`` makes of these records, such as an index: once, for all to read."""
        if make not in self._made:
            self._made[make] = make(self)
        return self._made[make]  # type: ignore[no-any-return]

    def kind(self, record: type[msgspec.Struct]) -> str:
        """Return the kind that a Struct type stands for."""
        return self._names[record]

    def pack_of(self, record: type[msgspec.Struct], id: str) -> str | None:
        """Return the id of the pack whose version of a record is in force."""
        stored = self._raw[self.kind(record)].get(id)
        return stored[1] if stored else None

    def stored(self, kind: str) -> dict[str, tuple[bytes, str]]:
        """Return a kind's records in force as they are kept, each with its pack, by id."""
        return {id: (bytes(raw), pack) for id, (raw, pack) in self._raw[kind].items()}

    def _lay(self, data: bytes) -> None:
        try:
            stored = _STORED.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ContentError(f"A stored pack cannot be read: {error}.") from error
        self.metas += (stored.pack,)
        for kind, records in stored.records.items():
            if kind in self._raw:  # a kind this program does not know is left alone
                self._raw[kind].update((id, (raw, stored.pack.id)) for id, raw in records.items())

    def _decode(self, record: type[T], id: str, raw: msgspec.Raw, pack: str) -> T:
        try:
            return msgspec.json.decode(raw, type=record)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ContentError(
                f"The {self.kind(record)} {id} of pack {pack} cannot be read: {error}.",
                hints=["The pack was stored by another version of the rules: update its content."],
            ) from error
