"""Stretches of the history: ``showdown:1`` from its beginning to its end, or ``10..20``."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from kdmlog.core.errors import BadInput
from kdmlog.ledger import Head
from kdmlog.session.results import ActionEntry
from kdmlog.session.session import Session

BREAK = timedelta(hours=4)
"""A pause that ends an evening."""


def span(session: Session, text: str | None, head: Head) -> tuple[int, Head]:
    """Returns a stretch's first move and its last place, as they are seen from ``head``.

    A landmark reaches to its closing event, else to the next of its name, else to the head. Without
    a text it is the newest stretch that has a closing event, else the last evening. Raises BadInput
    or UnknownName as positions do.
    """
    if text is None:
        return _newest(session, head)
    if ".." in text:
        return _between(session, text, head)
    place = session.place(text, head)
    name, colon, _ = text.strip().partition(":")
    if not colon or name not in session.game.landmarks:
        return place.number, place
    return place.number, _end(session, name, place.number, head)


def evening(newest_first: Iterable[ActionEntry]) -> list[ActionEntry]:
    """Returns the actions since the last long pause, oldest first."""
    found: list[ActionEntry] = []
    for one in newest_first:
        if found and _when(found[-1].at) - _when(one.moves[-1][0].at) > BREAK:
            break
        found.append(one)
    return found[::-1]


def _when(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _between(session: Session, text: str, head: Head) -> tuple[int, Head]:
    first, _, last = (part.strip() for part in text.partition(".."))
    end = session.place(last, head) if last else head
    begin = session.place(first, head) if first else session.ledger.position(end, 1)
    if begin.number > end.number:
        raise BadInput(f"{text} ends before it begins.")
    if session.ledger.position(end, begin.number).hash != begin.hash:
        raise BadInput(f"{first} is not on the way to {last or 'the present'}.")
    return begin.number, end


def _newest(session: Session, head: Head) -> tuple[int, Head]:
    game = session.game
    for move in session.ledger.moves(head, newest_first=True):
        for event in session.codec.events(move):
            for name in game.closings:
                if game.landmarks[name](event):
                    return move.number, _end(session, name, move.number, head)
    return evening(session.latest(head))[0].number, head


def _end(session: Session, name: str, first: int, head: Head) -> Head:
    """Where the stretch ends that begins with the landmark at ``first``."""
    opens = session.game.landmarks[name]
    closes = session.game.closings.get(name, opens)
    for move in session.ledger.moves(head, after=first):
        for event in session.codec.events(move):
            if closes(event) or opens(event):
                last = move.number - opens(event)
                return session.ledger.position(head, last)
    return head
