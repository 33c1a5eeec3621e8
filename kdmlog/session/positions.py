"""Finds the place in the history that a player means: a move, hash, time, landmark or branch."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kdmlog.core.errors import BadInput, UnknownName
from kdmlog.core.events import Event
from kdmlog.core.names import nearest
from kdmlog.core.positions import AtHash, AtMove, AtTime, Back, Landmark, Position, parse_position
from kdmlog.ledger import Head, Ledger
from kdmlog.session.codec import Codec

Landmarks = Mapping[str, Callable[[Event], bool]]


def find_place(ledger: Ledger, codec: Codec, landmarks: Landmarks, head: Head, text: str) -> Head:
    """Returns the place that ``text`` means, seen from ``head``: a branch's, or a position.

    Raises BadInput when it means nothing and UnknownName when there is no such place.
    """
    branches = {branch.name: branch.head for branch in ledger.branches(head.campaign)}
    if text in branches:
        return branches[text]
    try:
        position = parse_position(text)
    except BadInput as error:
        if near := nearest(text, branches):
            error.hints = [f"{', '.join(near)}?", *error.hints]
        raise
    return _find(ledger, codec, landmarks, head, position)


def _find(
    ledger: Ledger, codec: Codec, landmarks: Landmarks, head: Head, position: Position
) -> Head:
    match position:
        case AtMove(number):
            return _move(ledger, head, number)
        case Back(moves):
            return _move(ledger, head, head.number - moves)
        case AtTime(time):
            number = ledger.at_or_before(head, time)
            if not number:
                raise UnknownName(f"Nothing had happened by {time}.")
            return ledger.position(head, number)
        case AtHash(prefix):
            return _hash(ledger, head, prefix)
        case Landmark(name, number):
            return _landmark(ledger, codec, landmarks, head, name, number)


def _move(ledger: Ledger, head: Head, number: int) -> Head:
    if not 0 < number <= head.number:
        raise UnknownName(f"There is no move {number}; they are 1 to {head.number}.")
    return ledger.position(head, number)


def _hash(ledger: Ledger, head: Head, prefix: str) -> Head:
    # Undone and done again within a second, a move has its hash on two lines: the same history.
    found = list({place.hash: place for place in ledger.find_hash(head.campaign, prefix)}.values())
    if len(found) > 1:
        raise UnknownName(
            f"h:{prefix} could be any of {len(found)} moves.",
            code="ambiguous",
            hints=[f"h:{place.hash.hex()[:12]} (move {place.number})" for place in found[:3]],
        )
    if not found:
        raise UnknownName(f"No move's hash begins with {prefix}.")
    return found[0]


def _landmark(
    ledger: Ledger, codec: Codec, landmarks: Landmarks, head: Head, name: str, number: int
) -> Head:
    if name not in landmarks:
        near = nearest(name, landmarks) or list(landmarks)
        raise UnknownName(
            f"There is no landmark {name!r}.", hints=[f"{', '.join(near)}?"] if near else []
        )
    is_one, seen = landmarks[name], 0
    for move in ledger.moves(head):
        seen += sum(map(is_one, codec.events(move)))
        if seen >= number > 0:
            return ledger.position(head, move.number)
    raise UnknownName(
        f"There is no {name}:{number}.",
        hints=[
            f"so far there are {name}:1 to {name}:{seen}" if seen else f"there is no {name} yet"
        ],
    )
