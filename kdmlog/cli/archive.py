"""Campaigns as text files, and copies of a campaign compared."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from msgspec import structs

from kdmlog.cli import say
from kdmlog.cli.build import to_click
from kdmlog.cli.call import current
from kdmlog.cli.campaigns import document
from kdmlog.cli.documents import Compared, Exported, Imported, Pair
from kdmlog.cli.progress import progress
from kdmlog.core.errors import UsageError
from kdmlog.session import campaign_in_use
from kdmlog.session.archive import (
    STANDARD,
    Brought,
    Parting,
    export_archive,
    import_archive,
    moves,
    size,
)
from kdmlog.session.compare import compare as compare_with

FORMATS = ("jsonl",)


def export(
    file: Annotated[str, typer.Argument(help="the file to write, or - for standard output")],
    format_: Annotated[str, typer.Option("--format", help=", ".join(FORMATS))] = FORMATS[0],
    upto: Annotated[
        str | None, typer.Option(metavar="MOVE", help="only what led up to this position")
    ] = None,
    anonymise: Annotated[
        bool, typer.Option(help="without names, notes and other words of yours; figures stay")
    ] = False,
    overwrite: Annotated[bool, typer.Option(help="replace a file that is there")] = False,
) -> None:
    """Write the campaign to a text file that import reads.

    The file holds everything, also the seed and the order of the decks.
    """
    call = current()
    session = call.reading()
    if format_ not in FORMATS:
        raise UsageError(f"There is no format {format_!r}.", hints=[", ".join(FORMATS)])
    passes = (1 if file == STANDARD else 2) + anonymise
    with progress("Writing", passes * moves(session)) as advance:
        done = export_archive(
            session,
            file,
            upto=upto or call.at,
            anonymise=anonymise,
            overwrite=overwrite,
            advance=advance,
        )
    if file == STANDARD:
        return
    counts = structs.asdict(done.counts)
    if call.json:
        say.as_json(
            Exported(file=done.file, campaign=done.campaign.slug, **counts, blake2b=done.blake2b)
        )
        return
    say.line(f"{done.campaign.name}: {counted(done.counts.moves, 'move')} in {done.file}.")
    if anonymise:
        say.line(
            "      Names, notes and your words are others there; figures and dice are the same."
        )


def import_(
    file: Annotated[str, typer.Argument(help="an archive, or - for standard input")],
    beside: Annotated[
        str | None,
        typer.Option("--as", metavar="BRANCH", help="bring its branch in as a branch of this name"),
    ] = None,
) -> None:
    """Bring a campaign in from an archive: all of it, or nothing."""
    call = current()
    call.really()
    if call.at is not None:
        raise UsageError("--at reads the past; it never writes.")
    if call.campaign is not None:
        raise UsageError("An archive says itself which campaign it is of; -c goes without.")
    bytes_ = size(file)
    with progress("Reading", bytes_ and 2 * bytes_) as advance:
        done = import_archive(
            call.path(),
            file,
            beside=beside,
            branch=call.branch,
            by=call.write.get("by", ""),
            advance=advance,
        )
    used = campaign_in_use(call.path())
    if call.json:
        say.as_json(
            Imported(
                campaign=document(done.campaign),
                new=done.new,
                moves=done.moves,
                steps=done.refs,
                packs=done.packs,
                branches=[pair(one) for one in done.partings],
                in_use=used,
            )
        )
        return
    say.line(f"{done.campaign.name}: {_added(done, file)}")
    if done.new and done.campaign.slug != done.campaign.founded:
        say.line(f"      It is called {done.campaign.name} here.  Otherwise: campaign rename")
    for one in done.partings:
        if text := _left(one, file):
            say.line(f"      {text}")
    for name, was, now in done.taken_back:
        say.line(f"      {name} is back from move {was} to move {now}: it was taken back there.")
    if done.switched:
        say.line(f"      The branch in use was deleted there; {done.switched} is in use.")
    if used != done.campaign.slug:
        say.line(f"      {used} stays in use.  Next: kdmlog use {done.campaign.slug}")


def _added(done: Brought, file: str) -> str:
    if not (done.moves or done.refs):
        return f"nothing to add; {file} holds nothing that is not here."
    steps = f" and {counted(done.refs, 'step')} of its branches" if done.refs else ""
    return f"{counted(done.moves, 'move')}{steps} added."


def _left(one: Parting, file: str) -> str:
    """Returns what to know about a branch that is not the same in both now; else nothing."""
    match one.relation:
        case "ahead":
            return f"{one.branch} is {counted((one.here or 0) - one.shared, 'move')} ahead here."
        case "behind" | "diverged":
            return (
                f"{one.branch} stands at move {one.here} here, at {one.there} in {file}: "
                "what was taken back here stays so."
            )
        case "only there":
            return f"{one.branch} was deleted here, and stays so."
    return ""


def compare(
    other: Annotated[str, typer.Argument(help="another ledger's file, or an archive")],
) -> None:
    """Show which branches are ahead, behind or diverged from another copy's."""
    call = current()
    session = call.reading()
    with progress("Reading", size(other)) as advance:
        found = compare_with(session, other, advance)
    if call.json:
        say.as_json(Compared(session.campaign.slug, other, [pair(one) for one in found]))
        return
    wide = max(len(one.branch) for one in found)
    for one in found:
        say.line(f"{one.branch:<{wide}}  {_stands(one)}")


def _stands(one: Parting) -> str:
    """Returns how a branch here stands to the one there."""
    match one.relation:
        case "equal":
            return f"equal, at move {one.here}"
        case "ahead":
            ahead = (one.here or 0) - one.shared
            return f"{counted(ahead, 'move')} ahead: here move {one.here}, there {one.there}"
        case "behind":
            behind = (one.there or 0) - one.shared
            return f"{counted(behind, 'move')} behind: here move {one.here}, there {one.there}"
        case "diverged":
            return f"diverged after move {one.shared}: here move {one.here}, there {one.there}"
    return f"{one.relation}, at move {one.there if one.here is None else one.here}"


def pair(one: Parting) -> Pair:
    """Returns how a branch stands here and there, as JSON has it."""
    return Pair(one.branch, one.relation, one.shared, one.here, one.there)


def counted(n: int, what: str) -> str:
    """Returns ``1 move``, ``2 moves``."""
    return f"{n:,} {what}{'s' * (n != 1)}"


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    return to_click(globals()[name], command)
