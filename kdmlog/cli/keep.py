"""Keeping a ledger safe: backups, and what to do when something is damaged or lost."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from kdmlog.cli import documents, say
from kdmlog.cli.archive import counted
from kdmlog.cli.build import to_click
from kdmlog.cli.call import Call, current
from kdmlog.cli.consent import agreed
from kdmlog.cli.errors import warn
from kdmlog.core.errors import LedgerError, Refused, UsageError
from kdmlog.ledger import Finding
from kdmlog.session import keep, lost_tail

SHOWN = 8
"""Things wrong with a campaign that are told."""


def backup(
    folder: Annotated[
        str | None,
        typer.Argument(metavar="DIR", help="where to (default: a folder beside the ledger)"),
    ] = None,
) -> None:
    """Make a verified copy of the ledger."""
    call = current()
    call.really()
    if call.session is None:
        warn(lost_tail(call.path()), json=call.json)
    found: list[Finding] = []
    made = keep.back_up(
        call.path(),
        Path(folder).expanduser() if folder else None,
        session=call.session,
        tell=found.extend,
    )
    _warn_of(found, call)
    standing = [
        documents.Standing(one.slug, at.name, at.head.number, at.head.hash.hex())
        for one, at in keep.standing(made)
    ]
    if call.json:
        say.as_json(documents.Backup(str(made), made.stat().st_size, standing))
        return
    stands = ", ".join(f"{one.campaign} at move {one.move}" for one in standing)
    say.line(f"{made}: {stands or 'no campaign yet'}.")


def _warn_of(found: list[Finding], call: Call) -> None:
    """Warns of what verify found in a backup that was made all the same."""
    if found:
        more = f" (and {len(found) - 1} more)" if found[1:] else ""
        message = f"{found[0].message.rstrip('.')}{more}: so it is in the backup, too."
        warn(LedgerError(message, code=found[0].code, hints=["kdmlog verify"]), json=call.json)


def recover(
    file: Annotated[
        str | None, typer.Argument(help="the new ledger to write", show_default=False)
    ] = None,
    accept_head: Annotated[
        bool,
        typer.Option("--accept-head", help="go on with a ledger that has lost its last moves"),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="accept it without asking")] = False,
) -> None:
    """Save what is whole in a ledger or a backup into a new file."""
    call = current()
    call.really()
    if (file is None) != accept_head:
        raise UsageError(
            "Name a new file to save into, or --accept-head.",
            hints=["kdmlog --db DAMAGED recover FILE", "kdmlog recover --accept-head"],
        )
    if file is None:
        _accept(call, yes)
        return
    target = Path(file).expanduser()
    done = keep.recover(call.path(), target)
    if call.json:
        saved = [_saved(one) for one in done.campaigns]
        say.as_json(documents.Recovered(str(target), saved, done.packs_lost))
        return
    for one in done.campaigns:
        say.line(f"{one.campaign.name}: {counted(one.moves, 'move')} saved in {target}.")
        for text in one.wrong[:SHOWN]:
            say.line(f"      {text}")
        if rest := one.wrong[SHOWN:]:
            say.line(f"      … and {counted(len(rest), 'more thing')}.")
        if one.restated:
            say.line(
                f"      {counted(one.restated, 'step')} of the oplog written anew for those lost."
            )
        for branch in one.branches:
            say.line(f"      {branch.name} stands at move {branch.head.number}.")
    if done.packs_lost:
        say.line(f"{counted(done.packs_lost, 'content pack')} could not be saved.")


def _accept(call: Call, yes: bool) -> None:
    lost = keep.to_accept(call.path())
    wrong = [] if lost is None else [lost.message]
    if lost is not None:
        if not call.json:
            say.line(lost.message)
        if not agreed(call, yes, "Go on with what is left?"):
            raise Refused(
                "Nothing was accepted.", code="not_agreed", hints=["--yes accepts what is left"]
            )
        keep.accept_head(call.path())
    left = keep.standing(call.path()) if call.path().exists() else []
    if call.json:
        campaigns = [_saved(keep.Saved(one, at.head.number, wrong, 0, [at])) for one, at in left]
        say.as_json(documents.Recovered(None, campaigns, 0))
        return
    if lost is None:
        say.line("Nothing is missing.")
    for one, at in left:
        say.line(f"      {one.name}: {at.name} stands at move {at.head.number}.")


def _saved(one: keep.Saved) -> documents.Saved:
    return documents.Saved(
        campaign=one.campaign.slug,
        name=one.campaign.name,
        moves=one.moves,
        wrong=one.wrong,
        restated=one.restated,
        branches=[
            documents.Standing(one.campaign.slug, at.name, at.head.number, at.head.hash.hex())
            for at in one.branches
        ],
    )


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    return to_click(globals()[name], command)
