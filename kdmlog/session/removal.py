"""Takes campaigns out of sight, or out of the ledger: then an archive of them is written first."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from msgspec import Struct, structs

from kdmlog.core.names import slug
from kdmlog.ledger import Campaign, Ledger
from kdmlog.ledger.removal import remove
from kdmlog.session.archive import Advance, Exported, unseen, write_archive
from kdmlog.session.campaigns import found_campaign


class Removed(Struct, frozen=True):
    """A campaign that was removed, and the archive that holds it now."""

    campaign: Campaign
    archive: Exported
    in_use: bool
    """Whether it was the one in use."""
    shrank: bool
    """Whether the file was rewritten without it; else what was deleted is in there yet."""


def hide_campaign(db: Path | str, name: str, hidden: bool) -> Campaign:
    """Takes a campaign out of sight, or brings it back. Raises as ``open_session`` does."""
    with Ledger.open(db, create=False) as ledger:
        campaign = found_campaign(ledger, name, db)
        ledger.hide(campaign, hidden)
    return structs.replace(campaign, hidden=hidden)


def remove_campaign(db: Path | str, name: str, *, advance: Advance = unseen) -> Removed:
    """Writes a campaign to an archive beside the ledger, then rewrites the file without it.

    Raises Refused when the archive cannot be written, LedgerError when the ledger is damaged,
    BranchMoved when somebody goes on with the campaign meanwhile: then nothing is removed.
    """
    with Ledger.open(db, create=False) as ledger:
        campaign = found_campaign(ledger, name, db)
        in_use = ledger.current()[0] == campaign.slug
        archive = write_archive(ledger, campaign, _beside(Path(db), campaign), advance=advance)
        counts = archive.counts
        shrank = remove(ledger, campaign, moves=counts.moves, refs=counts.refs)
    return Removed(campaign, archive, in_use, shrank)


def _beside(db: Path, campaign: Campaign) -> Path:
    """A name that is free, beside the ledger."""
    stem = f"{slug(campaign.slug)[:60] or 'campaign'}-{datetime.now(UTC):%Y-%m-%d}"
    names = (f"{stem}-{n}.jsonl" if n > 1 else f"{stem}.jsonl" for n in count(1))
    return next(path for name in names if not (path := db.with_name(name)).exists())
