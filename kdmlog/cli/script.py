"""Session scripts: one command per line, as typed; stops at the first failure."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from kdmlog.cli.build import to_click
from kdmlog.cli.call import Call, current
from kdmlog.cli.errors import Complaint, wording
from kdmlog.cli.lines import commands, split
from kdmlog.cli.table import COMMANDS
from kdmlog.core.errors import ContentError, KdmlogError, UsageError
from kdmlog.core.inputs import Inputs, loose
from kdmlog.session import Session

LONGEST = 1 << 20
"""Bytes that a script may have."""


def run(
    file: Annotated[str, typer.Argument(help="the script, or - for standard input")],
    from_: Annotated[int, typer.Option("--from", help="begin at this line", min=1)] = 1,
) -> None:
    """Run a session script, a command a line."""
    call = current()
    call.really()
    if call.script:
        raise UsageError("A script runs no other script.")
    for number, words in lines(file):
        if number < from_:
            continue
        one = Call(
            db=call.db,
            campaign=call.campaign,
            branch=call.branch,
            json=call.json,
            spoilers=call.spoilers,
            session=call.session,
            scripted=True,
            script=file,
        )
        if by := call.write.get("by"):
            one.write["by"] = by
        try:
            from kdmlog.cli.main import run as run_words

            if one.session is None and words[0] not in COMMANDS:
                with suppress(KdmlogError):  # there may be no campaign yet
                    one.reading()
            for line in commands(words, one.session):
                one.inputs = Inputs(loose=loose(line.loose))
                run_words(line.words, one)
        except (KdmlogError, Complaint) as error:
            raise _at_line(error, file, number) from None
        finally:
            call.session = one.session


def act(call: Call, session: Session, line: str) -> None:
    """Runs one line on an open session, without saying what it did."""
    from kdmlog.cli.main import run as run_words

    for one in commands(split(line), session):
        quiet = Call(db=call.db, session=session, scripted=True, quiet=True)
        quiet.inputs.loose = loose(one.loose)
        run_words(one.words, quiet)


def _at_line(error: Exception, file: str, number: int) -> Exception:
    """Returns the error with the script's line in front of its message."""
    where = f"{file}, line {number}: "
    if isinstance(error, KdmlogError):
        error.message = where + error.message
        error.hints = [*error.hints, f"mend it, then run {file} --from {number}"]
        return error
    return UsageError(where + wording(error))


def lines(file: str) -> list[tuple[int, list[str]]]:
    """Returns the script's commands with their line numbers; ``#`` begins a comment.

    Raises UsageError for a file that is not there, ContentError for one that is no text, is too
    long, or has an open quote.
    """
    try:
        if file == "-":
            raw = sys.stdin.buffer.read(LONGEST + 1)
        else:
            with Path(file).open("rb") as opened:
                raw = opened.read(LONGEST + 1)
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.") from None
    if len(raw) > LONGEST:
        raise ContentError(f"{file} is longer than {LONGEST} bytes.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        bad = raw.count(b"\n", 0, error.start) + 1
        raise ContentError(f"{file}, line {bad}: no UTF-8 text.") from None
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            words = split(line)
        except UsageError as error:
            raise ContentError(f"{file}, line {number}: {error.message}") from None
        if words:
            found.append((number, words))
    return found


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    return to_click(globals()[name], command)
