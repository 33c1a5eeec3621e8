"""Stretches of the history: ``showdown:1`` from its beginning to its end, or ``10..20``."""

from __future__ import annotations

from kdmlog.core.errors import BadInput
from kdmlog.core.positions import Landmark, parse_position
from kdmlog.session.session import Session


def span(session: Session, text: str | None) -> tuple[int, int]:
    """Returns the first and the last move of a stretch; without a text, of the whole way here.

    A landmark reaches to its closing event, else to the next of its name, else to the head. Raises
    BadInput or UnknownName as positions do.
    """
    last = session.head.number
    if text is None:
        return 1, last
    if ".." in text:
        first_text, _, last_text = text.partition("..")
        first = session.place(first_text).number if first_text else 1
        last = session.place(last_text).number if last_text else last
        if last < first:
            raise BadInput(f"{text} ends before it begins.")
        return first, last
    first = session.place(text).number
    position = parse_position(text)
    if not isinstance(position, Landmark):
        return first, first
    opens = session.game.landmarks[position.name]
    closes = session.game.closings.get(position.name, opens)
    for number, event, _ in session.events(since=first):
        if closes(event):
            return first, number
        if opens(event):
            return first, number - 1
    return first, last
