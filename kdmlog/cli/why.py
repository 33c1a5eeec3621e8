"""Why a figure is what it is: each fact that changed it, with its move and its rule."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
import typer

from kdmlog.cli import say
from kdmlog.cli.build import to_click
from kdmlog.cli.call import Call, current
from kdmlog.cli.documents import Cause as CauseDocument
from kdmlog.cli.documents import Change, Reasons
from kdmlog.cli.progress import progress
from kdmlog.core.text import shown
from kdmlog.session import Session
from kdmlog.session.why import Cause, why

LONGEST = 60
"""Characters of a value that a line shows."""
MOST = 4
"""Figures of one fact that a line shows."""


def why_(
    path: Annotated[str, typer.Argument(help="a figure, such as lucy.survival or population")],
    n: Annotated[int, typer.Option("-n", help="only the last so many; 0 for all", min=0)] = 0,
) -> None:
    """Tell what made a figure what it is: moves, facts, rules."""
    call = current()
    session = call.reading()
    head = session.place(call.at) if call.at is not None else session.head
    with progress("Looking", head.number) as advance:
        found = why(session, path, head, advance=advance)
    causes = found.causes[-n:] if n else found.causes
    if call.json:
        documents = [_document(call, session, one) for one in causes]
        say.as_json(Reasons(found.path, found.value, documents))
        return
    for one in causes:
        say.line(cause_line(session, one))
    if not isinstance(found.value, dict):
        now = "not there" if found.value is None else _plain(found.value)
        say.line(f"{found.path} is {now}.")
    elif not causes:
        say.line(f"Nothing has changed {found.path} yet.")


def cause_line(session: Session, one: Cause) -> str:
    """Returns a fact that changed a figure in one line."""
    move = one.move
    parts = [changed(one.changes), session.game.sentence(one.event, session.table)]
    if one.why:
        parts.append(f"({one.why})")
    if one.event.cause:
        parts.append(f"[{one.event.cause}]")
    said = "  ".join(filter(None, parts))
    return f"{move.number:>4}  {move.hash.hex()[:4]}  {move.by or '-':<6}  {said}"


def changed(changes: Iterable[tuple[str, Any, Any]]) -> str:
    """Returns what a fact changed, as ``0 → 1`` or ``survival 0 → 1, insanity 2 → 3``."""
    told = [f"{path} {_difference(before, after)}".strip() for path, before, after in changes]
    return ", ".join(told[:MOST]) + (", …" if len(told) > MOST else "")


def _difference(before: Any, after: Any) -> str:
    """Of lists what came and went; otherwise both values."""
    if isinstance(before, list) and isinstance(after, list):
        gone, come = list(before), []
        for one in after:
            if one in gone:
                gone.remove(one)
            else:
                come.append(one)
        if gone or come:
            return " ".join(
                [*(f"+{_plain(one)}" for one in come), *(f"−{_plain(one)}" for one in gone)]
            )
    return f"{_plain(before)} → {_plain(after)}"


def _plain(value: Any) -> str:
    if value is None:
        return "-"
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return shown(text, LONGEST)


def _document(call: Call, session: Session, one: Cause) -> CauseDocument:
    move = one.move
    return CauseDocument(
        move=move.number,
        hash=move.hash.hex(),
        by=move.by,
        at=move.at,
        changes=[Change(*each) for each in one.changes],
        text=session.game.sentence(one.event, session.table),
        cause=one.event.cause,
        why=one.why,
        event=say.unspoilt(call, one.event),
    )


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    return to_click(globals()[name], command)
