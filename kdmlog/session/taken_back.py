"""Finds the rolls and draws taken back, those on no branch any more, those on other branches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from kdmlog.core import events as e
from kdmlog.core.dice import read
from kdmlog.core.text import words
from kdmlog.ledger import Head, Move
from kdmlog.session.session import Session


class Chances(Struct, frozen=True):
    """Rolls and draws that count no more: the place that they led to, by whom and when."""

    text: str
    place: Head
    by: str
    at: str


def taken_back(session: Session) -> Iterator[Chances]:
    """Yields the undos, of any branch, that took back a roll or a draw; oldest first."""
    for step in session.ledger.steps_back(session.campaign.id):
        stays = session.shared_with(step.left, step.to)
        rolls = draws = 0
        for move in session.ledger.moves(step.left, after=stays):
            events = _chances(session, move)
            rolls += sum(isinstance(event, e.DiceRolled) for event in events)
            draws += sum(isinstance(event, e.CardsDrawn) for event in events)
        if rolls or draws:
            text = f"{step.branch}: {step.reason} to move {step.to.number} over "
            yield Chances(text + counted(rolls, draws), step.left, step.by, step.at)


def abandoned(session: Session) -> Iterator[Chances]:
    """Yields the moves with a roll or a draw that no branch leads to; line by line."""
    for end, after in session.ledger.abandoned(session.campaign.id):
        for move in session.ledger.moves(end, after=after):
            if events := _chances(session, move):
                place = Head(end.campaign, "", move.line, move.number, move.hash, False)
                yield Chances(_told(events), place, move.by, move.at)


def elsewhere(session: Session, head: Head) -> Iterator[Chances]:
    """Yields the other branches on which kdmlog rolled or drew since they left the way to ``head``.

    Their dice are those of here until one is reseeded: whoever went there has seen them first.
    """
    for branch in session.branches():
        shared = session.shared_with(branch.head, head)
        rolls = draws = 0
        last = None
        for move in session.ledger.moves(branch.head, after=shared):
            ours = [event for event in _chances(session, move) if event.source == "app"]
            rolls += sum(isinstance(event, e.DiceRolled) for event in ours)
            draws += sum(isinstance(event, e.CardsDrawn) for event in ours)
            last = move if ours else last
        if last is not None and branch.name != session.branch_name:
            text = f"{branch.name}, after move {shared}: {counted(rolls, draws)}"
            place = Head(head.campaign, "", last.line, last.number, last.hash, False)
            yield Chances(text, place, last.by, last.at)


def _chances(session: Session, move: Move) -> list[e.DiceRolled | e.CardsDrawn]:
    events = map(session.codec.event, move.bodies)
    return [event for event in events if isinstance(event, (e.DiceRolled, e.CardsDrawn))]


def _told(events: Iterable[e.DiceRolled | e.CardsDrawn]) -> str:
    """Rolls with their faces; of draws only how many, since a card may lie face down again."""
    rolls = [event for event in events if isinstance(event, e.DiceRolled)]
    drawn = [event for event in events if isinstance(event, e.CardsDrawn)]
    told = [f"{words(roll.purpose)} {roll.dice}: {read(roll.dice, roll.faces)}" for roll in rolls]
    return "; ".join([*told, *([counted(0, len(drawn))] if drawn else [])])


def counted(rolls: int, draws: int) -> str:
    """Returns ``2 rolls and 1 draw``."""
    counts = [(rolls, "roll"), (draws, "draw")]
    return " and ".join(f"{n} {what}{'s' * (n > 1)}" for n, what in counts if n)
