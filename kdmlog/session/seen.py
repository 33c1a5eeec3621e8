"""Checks a history against a hash noted before: a tail rewritten whole shows in no other way."""

from __future__ import annotations

from kdmlog.core.errors import BadInput
from kdmlog.ledger import Finding
from kdmlog.session.session import Session

LEAST = 8
"""So many characters of a hash must be known, else any history has one that begins so."""


def unseen(session: Session, hash: str) -> list[Finding]:
    """Returns a finding when neither a move nor a step of the oplog has that hash any more.

    Raises BadInput for what is no hash, or too little of one.
    """
    digits = hash.removeprefix("h:").lower()
    if len(digits) < LEAST:
        raise BadInput(
            f"Give at least {LEAST} characters of the hash.", hints=["--head h:a31f09c4"]
        )
    if session.ledger.holds(session.campaign.id, digits):
        return []
    where = f"Nothing in {session.campaign.name} has the hash h:{digits}"
    return [Finding("head", f"{where}: what was seen then is gone, or is not what it was.")]
