"""Campaigns as text files: written, and read back by the game that they are of."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryFile
from typing import BinaryIO

from msgspec import Struct

from kdmlog.core.errors import ContentError, Refused
from kdmlog.core.names import branch_name
from kdmlog.ledger import Campaign, Ledger
from kdmlog.ledger import archive as a
from kdmlog.ledger.archive import Brought, Parting
from kdmlog.ledger.drafts import file_draft
from kdmlog.session.anonymous import Anonymous
from kdmlog.session.inspection import Inspector, check_told
from kdmlog.session.naming import called
from kdmlog.session.session import Session, now
from kdmlog.session.views import keep_views

STANDARD = "-"
"""The file name that means standard input or output."""

Advance = Callable[[int], None]


def unseen(_n: int) -> None:
    """Takes no notice of how far the work is."""


__all__ = [
    "Brought",
    "Exported",
    "Parting",
    "export_archive",
    "import_archive",
    "moves",
    "size",
    "write_archive",
]


class Exported(Struct, frozen=True):
    """An archive that was written: where, of what, how much, and its closing hash."""

    file: str
    campaign: Campaign
    counts: a.Counts
    blake2b: str


def export_archive(
    session: Session,
    file: str,
    *,
    upto: str | None = None,
    anonymise: bool = False,
    overwrite: bool = False,
    advance: Advance = unseen,
) -> Exported:
    """Writes the campaign, or what led up to a position, and reads back what was written.

    ``anonymise`` leaves its people out, for a report of a fault; it is another campaign then.
    Raises Refused when the file is there already or cannot be written; then nothing is left of it.
    """
    ledger, campaign = session.ledger, session.campaign
    cut = a.cut_at(ledger, session.place(upto)) if upto is not None else None
    anonymous = Anonymous(session.game, token_hex(16)) if anonymise else None
    if file == STANDARD:
        with _records(ledger, campaign, cut, anonymous, advance) as given:
            counts, digest = a.write(given, sys.stdout.buffer, advance=advance)
        return Exported(file, campaign, counts, digest)
    path = Path(file).expanduser()
    if path.is_dir():
        raise Refused(f"{file} is a folder.", hints=[f"export {path / campaign.slug}.jsonl"])
    return write_archive(
        ledger, campaign, path, cut, anonymous, overwrite=overwrite, advance=advance
    )


def write_archive(
    ledger: Ledger,
    campaign: Campaign,
    path: Path,
    cut: a.Cut | None = None,
    anonymous: Anonymous | None = None,
    *,
    overwrite: bool = False,
    advance: Advance = unseen,
) -> Exported:
    """Writes a campaign to a file and reads it back. Raises as ``export_archive`` does."""
    with (
        file_draft(path, overwrite=overwrite) as draft,
        _records(ledger, campaign, cut, anonymous, advance) as given,
    ):
        counts, digest = a.write(given, draft, advance=advance)
        draft.flush()
        with Path(draft.name).open("rb") as written:
            a.contents(a.Reading(written, path.name, advance=lambda _bytes: advance(1)))
    return Exported(str(path), campaign, counts, digest)


@contextmanager
def _records(
    ledger: Ledger,
    campaign: Campaign,
    cut: a.Cut | None,
    anonymous: Anonymous | None,
    advance: Advance,
) -> Iterator[Iterator[a.AnyRecord]]:
    with a.records(ledger, campaign, cut) as given:
        if anonymous is None:
            yield given
            return
        anonymous.meet(given, advance)
        with a.records(ledger, campaign, cut) as again:
            yield anonymous.records(again)


def import_archive(
    db: Path | str,
    file: str,
    *,
    beside: str | None = None,
    branch: str | None = None,
    by: str = "",
    advance: Advance = unseen,
) -> Brought:
    """Brings an archive into a ledger, which is made when there is none.

    ``beside`` names a branch that is to stand where ``branch`` (default: the one in use) does in
    the archive. Raises ArchiveError for one that is malformed or that this program cannot read,
    Refused when the campaign here went another way; then nothing is added.
    """
    if beside is not None:
        branch_name(beside)
    with _opened(file) as (given, copy):
        file = "standard input" if file == STANDARD else file
        reading = a.Reading(given, file, copy=copy, advance=advance)
        inspector = Inspector(reading)
        contents = a.contents(reading, inspector.begin)
        again = copy or given
        again.seek(0)
        second = a.Reading(again, file, strictly=False, advance=advance)
        with Ledger.open(db) as ledger:

            def check(campaign: Campaign) -> None:
                inspector.check_packs(ledger)
                name = check_told(ledger, campaign, file)
                if inspector.renamed:
                    called(ledger, campaign, name)
                keep_views(ledger)

            if beside is None:
                return a.bring(ledger, contents, second, check=check)
            on = branch or contents.start.branch
            return a.bring_beside(
                ledger, contents, second, beside, branch=on, by=by, at=now(), check=check
            )


def moves(session: Session) -> int:
    """Returns how many moves the campaign has on all its lines."""
    return a.count_moves(session.ledger, session.campaign)


def size(file: str) -> int | None:
    """Returns how many bytes a file has, if that can be known."""
    try:
        return Path(file).expanduser().stat().st_size or None
    except OSError:
        return None


@contextmanager
def _opened(file: str) -> Iterator[tuple[BinaryIO, BinaryIO | None]]:
    """Yields a file to be read twice; what cannot be, such as a pipe, with one for a copy."""
    if file == STANDARD:
        with TemporaryFile() as copy:
            yield sys.stdin.buffer, copy
        return
    try:
        opened = Path(file).expanduser().open("rb")
    except OSError as error:
        raise ContentError(f"{file} cannot be read: {error.strerror}.", code="archive") from None
    with opened:
        if opened.seekable():
            yield opened, None
            return
        with TemporaryFile() as copy:
            yield opened, copy
