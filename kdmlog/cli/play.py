"""The interactive table: a prompt that takes the shortest words and loses nothing."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

from kdmlog.cli import say
from kdmlog.cli.build import to_click
from kdmlog.cli.call import Call, current
from kdmlog.cli.errors import warn
from kdmlog.cli.heed import heed, remind
from kdmlog.core.errors import KdmlogError
from kdmlog.session import Session

LEAVE = ("quit", "exit", "q")
Ask = Callable[[Session], str | None]
"""Returns the next line; None to leave. Raises KeyboardInterrupt for Ctrl-C."""


def play() -> None:
    """Play at the prompt: short words, prompts for dice and cards, ⏎ for the next step."""
    call = current()
    call.only("--by")
    session = call.writing()
    ask, before = _terminal(session), session.ledger.changes
    say.line(f"{session.campaign.name}  ·  {session.game.title}")
    say.line("      ⏎ does the next step, do lists what can be done, quit ends.")
    remind(session)
    while True:
        try:
            text = ask(session)
        except KeyboardInterrupt:
            say.line("      Nothing done; quit or Ctrl-D leaves.")
            remind(session)
            continue
        for line in _pasted(text):
            if line.strip() in LEAVE:
                say.line("      Everything is logged.")
                if session.ledger.changes != before:
                    _back_up(call, session)
                return
            heed(call, session, line)


def _back_up(call: Call, session: Session) -> None:
    """Makes the evening's backup; without one the evening is logged all the same."""
    from kdmlog.session.keep import back_up_automatically

    try:
        back_up_automatically(session.ledger)
    except KdmlogError as error:
        error.message = f"No backup was made. {error.message}"
        warn(error, json=call.json)


def _pasted(text: str | None) -> list[str]:
    """Returns the lines of what was typed: several when they were pasted; none means to leave."""
    if text is None:
        return [LEAVE[0]]
    return [line for line in text.splitlines() if line.strip()] or [""]


# --- the terminal ---------------------------------------------------------------------------------


def _terminal(session: Session) -> Ask:
    """Returns how lines are asked for: with a full terminal's help, or plainly."""
    plain = not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb"
    if plain:
        return _plain
    from kdmlog.cli.terminal import terminal

    return terminal(session)


def _plain(session: Session) -> str | None:
    try:
        text = input(f"{session.game.prompt(session.table)}> ")
        if not sys.stdin.isatty():  # nobody's keys show it
            say.line(text)
        return text
    except EOFError:
        say.line()
        return None
    except KeyboardInterrupt:
        say.line()
        raise


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    return to_click(globals()[name], command)
