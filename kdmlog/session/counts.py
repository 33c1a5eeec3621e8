"""Holds counts that were taken at the real table against the state at their place."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from kdmlog.core import events as e
from kdmlog.core.game import Game, Table
from kdmlog.ledger import Finding, Head, Ledger
from kdmlog.session import paths
from kdmlog.session.codec import Codec
from kdmlog.session.content import Libraries

KIND = "core.asserted"
"""Stands in the body of every assertion, and seldom anywhere else."""


class Miss(Struct, frozen=True):
    """A figure that was counted otherwise than it is; ``actual`` is None where there is none."""

    path: str
    expected: int
    actual: int | None


def misses(game: Game, table: Table, event: e.Asserted) -> list[Miss]:
    """Returns the counts of an assertion that do not hold there."""
    view = game.view(table)
    found = [
        Miss(path, expected, count(game, view, path)) for path, expected in event.counts.items()
    ]
    return [miss for miss in found if miss.actual != miss.expected]


def broken(ledger: Ledger, game: Game, codec: Codec, head: Head) -> Iterator[Finding]:
    """Yields the assertions on the way to ``head`` that do not hold any more at their place."""
    state, libraries = game.new_state(), Libraries(ledger, game)
    for move in ledger.moves(head):
        for event in map(codec.event, move.bodies):
            if isinstance(event, e.Asserted):
                table = Table(state, libraries.whole(state.packs))
                for miss in misses(game, table, event):
                    yield Finding("asserted", f"Move {move.number}: {told(miss)}.", move.number)
            codec.folds[type(event)](state, event)


def told(miss: Miss) -> str:
    """Returns a miss in words."""
    actual = "not there" if miss.actual is None else miss.actual
    return f"{miss.path} is {actual}; counted: {miss.expected}"


def count(game: Game, view: Struct, path: str) -> int | None:
    """Returns a figure, or how many a list holds; None for what is neither."""
    value = paths.at(view, path.split("."))
    if value is None and paths.counted(game.view_type, path.split(".")):
        return 0
    if isinstance(value, list):
        return len(value)
    return value if type(value) is int else None
