"""How far two copies of a campaign have gone together, branch by branch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from kdmlog.ledger.archive.shape import Shape
from kdmlog.ledger.store import Ledger
from kdmlog.ledger.structs import Head

Relation = Literal["equal", "ahead", "behind", "diverged", "only here", "only there"]


class Way(Struct, frozen=True):
    """The way to where a branch stands: how long it is, and the hash of each move on it."""

    end: int
    hash: Callable[[int], bytes]


Ways = dict[str, Way]
"""The ways of a copy's branches, by their names."""


class Parting(Struct, frozen=True):
    """A branch in two copies: the last move that both have, and where it stands in each."""

    branch: str
    shared: int
    here: int | None
    there: int | None

    @property
    def relation(self) -> Relation:
        """Returns how the branch here stands to the one there."""
        if self.there is None:
            return "only here"
        if self.here is None:
            return "only there"
        if self.here == self.there == self.shared:
            return "equal"
        if self.shared == self.there:
            return "ahead"
        return "behind" if self.shared == self.here else "diverged"


def ways(ledger: Ledger, campaign_id: int) -> Ways:
    """Returns the ways of a campaign's branches."""
    return {one.name: way(ledger, one.head) for one in ledger.branches(campaign_id)}


def way(ledger: Ledger, head: Head) -> Way:
    """Returns the way to a head."""
    return Way(head.number, lambda number: ledger.position(head, number).hash)


def ways_of(shape: Shape) -> Ways:
    """Returns the ways of an archive's branches."""
    return {name: way_of(shape, *shape.head(name)) for name in shape.heads}


def way_of(shape: Shape, line: int, number: int) -> Way:
    """Returns the way to a move of an archive."""
    return Way(number, lambda n: shape.hash(line, n))


def partings(here: Ways, there: Ways) -> list[Parting]:
    """Returns every branch of either copy, those here first."""
    found: list[Parting] = []
    for name in dict.fromkeys((*here, *there)):
        a, b = here.get(name), there.get(name)
        both = shared(a, b) if a and b else 0
        found.append(Parting(name, both, a.end if a else None, b.end if b else None))
    return found


def shared(a: Way, b: Way) -> int:
    """Returns the number of the last move that two ways have in common.

    A move's hash covers all before it: so where two are equal, all before are.
    """
    low, high = 0, min(a.end, b.end)
    if a.hash(high) == b.hash(high):  # most often one is only longer
        return high
    while low < high:
        middle = (low + high + 1) // 2
        if a.hash(middle) == b.hash(middle):
            low = middle
        else:
            high = middle - 1
    return low
