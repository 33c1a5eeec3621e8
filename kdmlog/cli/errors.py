"""How an error reaches a person: one line on stderr, an exit code, or JSON. No traceback."""

from __future__ import annotations

import sys
from typing import cast

import typer

from kdmlog.core.errors import (
    BranchMoved,
    KdmlogError,
    LedgerError,
    UsageError,
)
from kdmlog.core.text import LONGEST_LINE, escaped, shown

Complaint = cast("type[Exception]", typer.BadParameter.__mro__[2])
"""The base of all that Typer finds wrong with a command's words (it ships its own Click)."""

EXIT: tuple[tuple[type[BaseException], int], ...] = (
    (UsageError, 2),
    (LedgerError, 3),
    (BranchMoved, 4),
    (KdmlogError, 1),
    (Complaint, 2),
)


def wording(complaint: BaseException) -> str:
    """Returns a complaint of Typer's in its own words."""
    return str(getattr(complaint, "format_message", complaint.__str__)())


def exit_code(error: BaseException) -> int:
    """Returns 1 for rules or state, 2 usage, 3 ledger damaged, 4 branch moved."""
    return next((code for kind, code in EXIT if isinstance(error, kind)), 1)


def report(error: BaseException, *, json: bool) -> int:
    """Says what is wrong and what to do, on stderr; returns the exit code."""
    code = exit_code(error)
    if isinstance(error, KdmlogError):
        name, message, hints, data = error.code, error.message, error.hints, error.data
    elif isinstance(error, Complaint):
        name, message, data = "usage", wording(error), {}
        context = getattr(error, "ctx", None)
        hints = [context.get_usage().removeprefix("Usage: ")] if context is not None else []
    else:
        name, message, data = "unexpected", f"kdmlog stumbled: {type(error).__name__}: {error}", {}
        hints = ["KDMLOG_DEBUG=1 shows where; what was logged before stands"]
    _say(name, message, hints, data, json=json)
    return code


def warn(error: KdmlogError | None, *, json: bool) -> None:
    """Says on stderr what stands against the answer that is given all the same, if anything."""
    if error is not None:
        message = error.message if json else f"Warning: {error.message}"
        _say(error.code, message, error.hints, error.data, json=json, warning=True)


LISTS = ("known: ", "offered: ", "asked: ")
"""Hints that only list what there is: nothing to be done then."""


def _tail(hints: str) -> str:
    if hints.startswith(LISTS):
        return f"  ({hints})"
    return f"  Then: {hints}" if hints else ""


def _say(
    code: str,
    message: str,
    hints: list[str],
    data: dict[str, object],
    *,
    json: bool,
    warning: bool = False,
) -> None:
    """Writes one line to stderr: what is wrong, and what to do."""
    if json:
        import msgspec

        from kdmlog.cli.documents import Error, Failure, Warned

        failure = Failure(code, message, hints, data)
        body = Warned(failure) if warning else Error(failure)
        try:
            document = escaped(msgspec.json.encode(body, enc_hook=str).decode())
        except UnicodeEncodeError:  # half a character, which JSON can spell and UTF-8 cannot
            from json import dumps

            document = dumps(msgspec.to_builtins(body, enc_hook=str))
        sys.stderr.write(document + "\n")
        return
    text = shown(message + _tail("; ".join(hints)), LONGEST_LINE)
    if sys.stderr.isatty():
        from kdmlog.cli.say import wrapped

        text = wrapped(text)
    sys.stderr.write(text + "\n")
