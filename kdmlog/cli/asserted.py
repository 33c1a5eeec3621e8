"""Counts taken at the real table, at the command line."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from kdmlog.cli import say
from kdmlog.cli.build import to_click
from kdmlog.cli.call import MOVE, current
from kdmlog.cli.why import cause_line
from kdmlog.cli.write import finish
from kdmlog.core.errors import Refused
from kdmlog.session import Session
from kdmlog.session.asserted import assert_counts
from kdmlog.session.why import why

MOST = 10
"""Facts that are told of a figure which was counted otherwise."""


def assert_(
    counts: Annotated[list[str], typer.Argument(help="bone=4 population=9, say", metavar="NAME=N")],
) -> None:
    """Log a count taken at the real table; it must hold, now and ever after."""
    call = current()
    call.only(*MOVE)
    session = call.writing()
    try:
        done = assert_counts(session, counts, **call.write)
    except Refused as error:
        if error.code == "asserted" and not call.json:
            for figure in error.data["figures"]:  # type: ignore[attr-defined]
                _tell(session, figure)
        raise
    finish(call, session, done)


def _tell(session: Session, figure: dict[str, Any]) -> None:
    """Says what has changed a figure since it was counted last."""
    path, since = figure["path"], figure["last_count"]
    when = f"since it was counted at move {since}" if since else "so far"
    causes = why(session, path, since=since).causes
    say.line(f"{path}, {when}:" if causes else f"{path}: nothing changed it {when}.")
    if causes[MOST:]:
        say.line(f"      … {len(causes) - MOST} more before")
    for one in causes[-MOST:]:
        say.line(cause_line(session, one))


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    return to_click(globals()[name], command)
