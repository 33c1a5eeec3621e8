"""Reads the history as actions: the answers to a question belong to the action that asked it."""

from __future__ import annotations

from collections.abc import Iterator

from kdmlog.core.events import Asked
from kdmlog.ledger import Head, Ledger, Move
from kdmlog.session.codec import Codec
from kdmlog.session.results import ActionEntry

# A move made while a question is open names, in ``begins``, the move that began the open action.
# If it is an answer, it belongs to that action; otherwise it was slipped in: an action of its own
# in the log, but a part of the open action to whoever takes that back.


def answers(move: Move) -> bool:
    """Returns whether a move goes on with an action begun earlier."""
    return move.kind == "answered"


def slipped(move: Move) -> bool:
    """Returns whether a move was made, for itself, while an action was open."""
    return move.begins is not None and not answers(move)


def open_after(move: Move, codec: Codec) -> bool:
    """Returns whether an action is open after a move."""
    return slipped(move) or (bool(move.bodies) and isinstance(codec.event(move.bodies[-1]), Asked))


def entries(ledger: Ledger, codec: Codec, head: Head, after: int = 0) -> Iterator[ActionEntry]:
    """Yields the actions on the way to ``head``, those begun last first.

    Of an action begun at or before ``after`` only the answers since are shown.
    """
    waiting: dict[int, list[Move]] = {}
    for move in ledger.moves(head, after=after, newest_first=True):
        began = _began(move)
        waiting.setdefault(began, []).append(move)
        if began == move.number:
            yield _entry(codec, move, waiting.pop(began))
    for began in sorted(waiting, reverse=True):
        yield _entry(codec, ledger.move(head, began), waiting[began])


def entry(ledger: Ledger, codec: Codec, head: Head, number: int) -> ActionEntry:
    """Returns the action that a move is of. Raises UnknownName when there is no such move."""
    first = ledger.move(head, _began(ledger.move(head, number)))
    moves = [first]
    for move in ledger.moves(head, after=first.number):
        if slipped(move):
            continue
        if _began(move) != first.number:
            break
        moves.append(move)
    return _entry(codec, first, moves[::-1])


def _began(move: Move) -> int:
    return move.begins if answers(move) and move.begins is not None else move.number


def _entry(codec: Codec, first: Move, newest_first: list[Move]) -> ActionEntry:
    moves = newest_first[::-1]
    return ActionEntry(
        number=moves[0].number,
        hash=moves[0].hash.hex(),
        action=codec.action(first.input),
        by=moves[0].by,
        at=moves[0].at,
        moves=[(move, codec.events(move)) for move in moves],
    )
