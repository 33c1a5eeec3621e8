"""Tells how a campaign stands to a copy of it elsewhere: another ledger, or an archive."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from kdmlog.core.errors import ContentError, Refused
from kdmlog.ledger import Ledger
from kdmlog.ledger import archive as a
from kdmlog.session.session import Session

_SQLITE = b"SQLite format 3"


def compare(
    session: Session, other: str, advance: Callable[[int], None] = lambda _bytes: None
) -> list[a.Parting]:
    """Returns every branch of either copy, and where both part; both are only read.

    Raises Refused when the other file does not hold the campaign, ArchiveError or LedgerError when
    it cannot be read.
    """
    path = Path(other).expanduser()
    here = a.ways(session.ledger, session.campaign.id)
    try:
        with path.open("rb") as file:
            is_ledger = file.read(len(_SQLITE)) == _SQLITE
            if not is_ledger:
                file.seek(0)
                contents = a.contents(a.Reading(file, other, advance=advance))
    except OSError as error:
        raise ContentError(f"{other} cannot be read: {error.strerror}.", code="archive") from None
    if not is_ledger:
        if contents.start.uid != session.campaign.uid:
            raise _another(session, other, [contents.start.name])
        return a.partings(here, a.ways_of(contents.shape))
    with Ledger.open(path, readonly=True) as ledger:
        copy = ledger.campaign_with(session.campaign.uid)
        if copy is None:
            raise _another(session, other, [one.name for one in ledger.campaigns()])
        return a.partings(here, a.ways(ledger, copy.id))


def _another(session: Session, other: str, names: list[str]) -> Refused:
    if session.campaign.name in names:
        message = f"{other} holds another campaign of the name {session.campaign.name}."
        return Refused(message, code="no_campaign", hints=["-c CAMPAIGN compares another"])
    held = ", ".join(names) or "no campaign"
    return Refused(
        f"{other} does not hold {session.campaign.name}; it holds {held}.",
        code="no_campaign",
        hints=["-c CAMPAIGN compares another"],
    )
