"""A number that can say what it is made of."""

# No annotations from __future__: msgspec would compile each of them whenever kdmlog starts.

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta, Struct


class Part(Struct, frozen=True):
    """One thing that a number is made of, by name."""

    of: str
    by: int


class Number(Struct, frozen=True):
    """A number with its parts."""

    total: int
    parts: tuple[Part, ...] = ()
    fixed: Annotated[bool, Meta(description="It is its only part, whatever else there is.")] = False

    @property
    def terms(self) -> tuple[str, ...]:
        """Returns the parts in words: ``Founding Stone +2``, a fixed one as ``slow: 1``."""
        if self.fixed:
            return tuple([f"{part.of}: {part.by}" for part in self.parts])
        return tuple([f"{part.of} {part.by:+d}" for part in self.parts])


def summed(parts: Iterable[Part]) -> Number:
    """Returns the number that parts make; those that add nothing are left out."""
    made, total = [], 0
    for part in parts:
        if part.by:
            made.append(part)
            total += part.by
    return Number(total, tuple(made))


def fixed(of: str, by: int) -> Number:
    """Returns a number that nothing changes."""
    return Number(by, (Part(of, by),), fixed=True)
