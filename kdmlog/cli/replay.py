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
from kdmlog.session import ActionEntry, Session
from kdmlog.session.spans import span


def replay(
    stretch: Annotated[
        str | None, typer.Argument(help="showdown:1, ly:2, 10..20, a move", metavar="RANGE")
    ] = None,
    speed: Annotated[float, typer.Option(help="seconds between actions", min=0, max=60)] = 0,
    step: Annotated[bool, typer.Option("--step", help="go on and back by hand")] = False,
) -> None:
    """Play through the past, action by action."""
    call = current()
    session = call.reading()
    if step and not sys.stdin.isatty():
        raise UsageError("--step needs a terminal.", hints=["replay --speed 1"])
    first, last = span(session, stretch)
    entries = list(session.latest(session.place(str(last)), since=first - 1))
    if call.json:
        from kdmlog.cli.log import entry_json

        say.as_json([entry_json(session, one) for one in reversed(entries)])
        return
    entries.reverse()
    if step:
        _step(session, entries)
        return
    for one in entries:
        _show(session, one)
        if speed:
            time.sleep(speed)


def _step(session: Session, entries: list[ActionEntry]) -> None:
    """Goes through the actions as the player says: on, back, to a move, to the end."""
    at = 0
    while 0 <= at < len(entries):
        _show(session, entries[at])
        try:
            word = input("      ⏎ next, b back, a move's number, q ends > ").strip().lower()
        except EOFError:
            return
        if word == "q":
            return
        if word.isdecimal():
            reached = [place for place, one in enumerate(entries) if one.number <= int(word)]
            at = reached[-1] if reached else 0
        elif word in ("", "n", "b"):
            at = max(0, at - 1) if word == "b" else at + 1
        else:
            say.line(f"      {word!r} is none of these.")


def _show(session: Session, one: ActionEntry) -> None:
    """One action: its line, its facts, the standing after it."""
    table = session.at(str(one.numbers[-1]))
    say.line(f"── {one.number}  {session.game.headline(one.action, one.events, table)}")
    for event in one.events:
        if text := session.game.sentence(event, table):
            say.line(f"   {text}")
    for text in session.game.standing(table):
        say.line(f"      │ {text}")


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    return to_click(globals()[name], command)
