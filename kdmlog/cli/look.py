"""Looking into the ledger: differences, its own history, its health, state and events as JSON."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import typer

from kdmlog.cli import say
from kdmlog.cli.build import to_click
from kdmlog.cli.call import current
from kdmlog.cli.documents import Change, Difference, Fact, Finding, Step, Verified
from kdmlog.cli.log import entry_json, log_line
from kdmlog.core.errors import LedgerError, Refused
from kdmlog.core.names import match
from kdmlog.session import keep
from kdmlog.session.seen import unseen


def diff(
    a: Annotated[str, typer.Argument(help="a position or branch")],
    b: Annotated[str | None, typer.Argument(help="another (default: the present)")] = None,
) -> None:
    """Show what differs between two positions or branches."""
    call = current()
    session = call.reading()
    found = session.diff(a, b)
    other = b or session.branch_name
    if call.json:
        say.as_json(
            Difference(
                changes=[Change(*one) for one in found.changes],
                only_a=[entry_json(session, one) for one in found.only_a],
                only_b=[entry_json(session, one) for one in found.only_b],
            )
        )
        return
    for path, before, after in found.changes:
        say.line(f"{path}: {plain(before)} → {plain(after)}")
    for label, entries in ((a, found.only_a), (other, found.only_b)):
        if entries:
            say.line(f"Only {label}:")
        for one in entries:
            say.line(f"  {log_line(session, one)}")
    if not found.changes and not found.only_a and not found.only_b:
        say.line("No difference.")


def plain(value: object) -> str:
    """Returns a figure as JSON, a dash where there is none."""
    return "-" if value is None else msgspec.json.encode(value, enc_hook=str).decode()


def oplog(n: Annotated[int, typer.Option("-n", help="how many", min=1)] = 20) -> None:
    """List the history of history."""
    call = current()
    session = call.reading()
    rows = session.oplog()[:n]
    if call.json:
        say.as_json(
            [
                Step(
                    id=row.id,
                    branch=row.branch,
                    reason=row.reason,
                    move=row.number,
                    follows=row.follows,
                    by=row.by,
                    at=row.at,
                    hash=row.hash.hex(),
                    place=row.place.hex(),
                    left=row.left[1].hex() if row.left else "",
                )
                for row in rows
            ]
        )
        return
    for row in rows:
        where = f"{'on from' if row.follows else 'at'} move {row.number} h:{row.place.hex()[:8]}"
        left = f"  left move {row.left[0]} h:{row.left[1].hex()[:8]}" if row.left else ""
        what = f"{row.branch:<10} {row.reason:<8} {where}{left if row.reason != 'append' else ''}"
        say.line(f"{row.at}  {row.by or '-':<6}  {what}")


def verify(
    head: Annotated[
        str | None, typer.Option(metavar="HASH", help="a hash noted before: is it still there?")
    ] = None,
) -> None:
    """Check the ledger; silent when well.

    That is every campaign in it, or the one of -c alone.
    """
    call = current()
    try:
        session = call.reading(checked=False)
        lost = session.ledger.lost
        findings = session.verify() if call.campaign else keep.findings(call.path(), session)
        if head is not None:
            findings += unseen(session, head)
    except LedgerError:  # too damaged for the campaign to be opened
        findings, lost = keep.findings(call.path()), None
        if not findings:
            raise
    except Refused:  # none is in use
        if call.campaign or head is not None or not call.path().exists():
            raise
        findings, lost = keep.findings(call.path()), None
    if call.json:
        say.as_json(Verified([Finding(one.code, one.message, one.move) for one in findings]))
    if findings:
        first = findings[0]
        more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
        if lost and any(one.code != lost.code for one in findings):
            lost = None
        raise LedgerError(
            f"{first.message}{more}",
            code=lost.code if lost else "damaged",
            hints=lost.hints if lost else ["kdmlog recover FILE keeps what came before"],
            data={"findings": [finding.message for finding in findings]},
        )


def state(
    path: Annotated[str | None, typer.Argument(help="a path, such as survivors.allister")] = None,
) -> None:
    """Print the public state, or one path of it, as JSON."""
    call = current()
    session = call.reading()
    say.as_json(session.look(path, at=call.at))


def events(
    type_: Annotated[list[str] | None, typer.Option("--type", help="only this kind")] = None,
    since: Annotated[int, typer.Option(help="only moves after this one", min=0)] = 0,
) -> None:
    """Print the event stream as JSON lines."""
    call = current()
    session = call.reading()
    kinds = {str(cls.__struct_config__.tag): cls for cls in session.game.all_events}
    wanted = tuple(kinds[match(one, {k: k for k in kinds}, "event kind")] for one in type_ or ())
    for number, event, body in session.events(wanted, since):
        public = say.unspoilt(call, event)
        kept = msgspec.Raw(body.encode()) if public is event else public
        say.as_json(Fact(number, kept))


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    return to_click(globals()[name], command)
