"""Counts how much of the content plays by itself, because an unscripted card is still a card."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from kdmlog.packs.library import Library

Scripted = Literal["scripted", "assisted", "missing"]


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
