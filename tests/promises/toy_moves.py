"""Moves of no game, for the promises that the ledger alone keeps."""

from __future__ import annotations

from kdmlog.ledger import Head, Ledger, NewMove

AT = "2026-01-01T00:00:00Z"


def new_move(n: int) -> NewMove:
    """Returns a move that tells its number, and has one to four events of differing length."""
    text = f"what happened then {n} " * (n % 7 + 1)
    bodies = [f'{{"kind":"toy.done","n":{n},"part":{part},"text":"{text}"}}' for part in parts(n)]
    return NewMove("acted", None, f'{{"do":{n}}}', bodies, "ann", AT, None, 1)


def parts(n: int) -> range:
    """Returns the parts of a move, an event each."""
    return range(n % 4 + 1)


def begun(ledger: Ledger, slug: str = "lanterns") -> Head:
    """Begins a campaign."""
    campaign = ledger.create_campaign(slug, slug.title(), "toy", f"uid-{slug}", "ann", AT)
    return ledger.head(campaign.id, "main")


def check_whole(ledger: Ledger, head: Head) -> None:
    """Asserts that every move on the way there is one that was appended, with all its parts."""
    for number, move in enumerate(ledger.moves(head), 1):
        n = int(move.input[6:-1])
        made = new_move(n)
        assert move.number == number
        assert (list(move.bodies), move.by, move.at) == (made.bodies, made.by, made.at)
