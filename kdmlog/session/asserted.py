"""Counts taken at the real table: logged when they hold, and held to ever after."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Unpack

import msgspec

from kdmlog.core import events as e
from kdmlog.core.actions import Assert
from kdmlog.core.errors import BadInput, Refused
from kdmlog.core.game import Game, Table
from kdmlog.ledger import Move
from kdmlog.session import paths
from kdmlog.session.codec import encode
from kdmlog.session.counts import KIND, Miss, count, misses, told
from kdmlog.session.decide import Decided
from kdmlog.session.results import Result, Write, WriteOptions
from kdmlog.session.session import Session

_COUNT = re.compile(r"(.+?)\s*=\s*(-?[0-9]{1,9})")


def assert_counts(
    session: Session, counts: Sequence[str], **options: Unpack[WriteOptions]
) -> Result:
    """Logs that the counts, each ``NAME=N``, are so at the real table.

    Raises Refused with all that are not (code ``asserted``), BadInput for what is no count, and
    NotNow while a question is open: then the table stands between two states.
    """
    write = Write(**options)
    input = encode(Assert(counts=tuple(counts)))

    def decide() -> Decided:
        decider = session.decider()
        if decider.open is not None:
            raise decider.refused_by(decider.open)
        event = _event(session.game, session.table, counts)
        if wrong := misses(session.game, session.table, event):
            raise _refusal(session, wrong)
        return decider.facts("acted", input, [event], write.note)

    return session.move(input, decide, write)


def last_count(session: Session, path: str) -> int:
    """Returns the number of the last move that asserted a figure; 0 when none has."""
    for move in session.ledger.moves(session.head, newest_first=True):
        if path in _counts(session, move):
            return move.number
    return 0


def _counts(session: Session, move: Move) -> set[str]:
    events = (session.codec.event(body) for body in move.bodies if KIND in body)
    return {path for event in events if isinstance(event, e.Asserted) for path in event.counts}


def _event(game: Game, table: Table, counts: Sequence[str]) -> e.Asserted:
    """Reads ``NAME=N`` words. Raises BadInput, and UnknownName for a figure there is not."""
    view = game.view(table)
    tree = paths.tree(view)
    found: dict[str, int] = {}
    for word in counts:
        parts = _COUNT.fullmatch(word.strip())
        if parts is None:
            raise BadInput(f"{word!r} is no count.", hints=["assert bone=4 population=9, say"])
        path = ".".join(paths.spelt(tree, game.figure(parts[1], table)))
        if count(game, view, path) is None:
            paths.follow(tree, path)
            raise BadInput(f"{path} is nothing that is counted.")
        if path in found:
            raise BadInput(f"{path} is given twice.")
        found[path] = int(parts[2])
    return e.Asserted(counts=found)


def _refusal(session: Session, wrong: list[Miss]) -> Refused:
    figures = []
    for miss in wrong:
        figure = msgspec.to_builtins(miss)
        figures.append({**figure, "last_count": last_count(session, miss.path)})
    return Refused(
        f"Not as counted: {'; '.join(map(told, wrong))}. Nothing was logged.",
        code="asserted",
        hints=[f"kdmlog why {wrong[0].path}", "if the table is right: kdmlog adjust"],
        data={"figures": figures},
    )
