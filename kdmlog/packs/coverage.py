"""Counts how much of the content plays by itself, because an unscripted card is still a card."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import msgspec

from kdmlog.packs.library import Library

Scripted = Literal["scripted", "assisted", "missing"]
ASKS = "ask_table"
"""The step that leaves an effect to the players' own card."""


class Coverage(msgspec.Struct):
    """How many records of a kind play by themselves, ask the table, or say nothing yet."""

    scripted: int = 0
    assisted: int = 0
    missing: int = 0

    @property
    def total(self) -> int:
        """All records of the kind."""
        return self.scripted + self.assisted + self.missing


def coverage(
    library: Library, scripted: Callable[[str, msgspec.Struct], Scripted]
) -> dict[str, Coverage]:
    """Count the records of each kind by what ``scripted`` (the game's judgement) says of them."""
    counts = {kind: Coverage() for kind in library.kinds}
    for kind, type_ in library.kinds.items():
        for record in library.all(type_).values():
            word = scripted(kind, record)
            setattr(counts[kind], word, getattr(counts[kind], word) + 1)
    return counts


def scripted(_kind: str, record: msgspec.Struct) -> Scripted:
    """A record that asks the table, or says that it is assisted, is; figures alone are scripted."""
    if getattr(record, "assisted", False):
        return "assisted"
    plain = msgspec.to_builtins(record, str_keys=True)
    return "assisted" if any(key == ASKS for key in _keys(plain)) else "scripted"


def _keys(plain: object) -> Iterator[str]:
    """Yields every key in plain data, however deep."""
    if isinstance(plain, dict):
        for key, value in plain.items():
            yield key
            yield from _keys(value)
    elif isinstance(plain, list):
        for value in plain:
            yield from _keys(value)


def unwritten(library: Library) -> dict[str, int]:
    """Returns, by kind, how many records there are in print that the packs do not have."""
    printed = dict.fromkeys(library.kinds, 0)
    for meta in library.metas:
        for kind, count in meta.printed.items():
            printed[kind] = printed.get(kind, 0) + count
    return {
        kind: max(0, count - len(library.ids(library.kinds[kind])))
        for kind, count in printed.items()
        if kind in library.kinds
    }
