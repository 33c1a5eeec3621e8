"""Plays through the past: each action with its facts, and what stood on the table after it."""

from __future__ import annotations

import sys
import time
from typing import Annotated, Any

import typer

from kdmlog.cli import say
from kdmlog.cli.build import to_click
from kdmlog.cli.call import current
from kdmlog.core.errors import UsageError
from kdmlog.session import Session
from kdmlog.session.spans import span


def replay(
    stretch: Annotated[
        str | None, typer.Argument(help="showdown:1, ly:2, 10..20, a move", metavar="RANGE")
    ] = None,
    speed: Annotated[float, typer.Option(help="seconds between actions", min=0, max=60)] = 0,
    step: Annotated[bool, typer.Option("--step", help="wait for ⏎ after each, q ends")] = False,
) -> None:
    """Play through the past, action by action."""
    call = current()
    session = call.reading()
    if step and not sys.stdin.isatty():
        raise UsageError("--step needs a terminal.", hints=["replay --speed 1"])
    first, last = span(session, stretch)
    entries = [
        one for one in session.log(head=session.place(str(last))) if one.numbers[-1] >= first
    ]
    if call.json:
        from kdmlog.cli.log import entry_json

        say.as_json([entry_json(session, one) for one in reversed(entries)])
        return
    for one in reversed(entries):
        _show(session, one.numbers[-1], one)
        if step and input("      ⏎ next, q ends > ").strip().lower() == "q":
            return
        if speed:
            time.sleep(speed)


def _show(session: Session, number: int, one: Any) -> None:
    """One action: its line, its facts, the standing after it."""
    table = session.at(str(number))
    say.line(f"── {one.number}  {session.game.headline(one.action, one.events, table)}")
    for event in one.events:
        if text := session.game.sentence(event, table):
            say.line(f"   {text}")
    for text in session.game.standing(table):
        say.line(f"      │ {text}")


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    return to_click(globals()[name], command)
