"""The interactive table: a prompt that takes the shortest words and loses nothing."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable
from typing import Any

from kdmlog.cli import say
from kdmlog.cli.build import to_click
from kdmlog.cli.call import Call, current
from kdmlog.cli.errors import Complaint, report
from kdmlog.cli.lines import commands, split
from kdmlog.cli.table import COMMANDS
from kdmlog.core.errors import KdmlogError, UsageError
from kdmlog.core.game import Line
from kdmlog.core.inputs import Inputs, loose
from kdmlog.core.requests import Choose, Opportunity
from kdmlog.session import Session

LEAVE = ("quit", "exit", "q")
APART = ("play", "run", "demo", "new", "use")
"""Commands that have no place inside a session of play."""

Ask = Callable[[Session], str | None]
"""Returns the next line; None to leave. Raises KeyboardInterrupt for Ctrl-C."""


def play() -> None:
    """Play at the prompt: short words, prompts for dice and cards, ⏎ for the next step."""
    call = current()
    session = call.writing()
    ask = _terminal(session)
    say.line(f"{session.campaign.name}  ·  {session.game.title}")
    say.line("      ⏎ does the next step, do lists what can be done, quit ends.")
    _remind(session)
    while True:
        try:
            text = ask(session)
        except KeyboardInterrupt:
            say.line("      Nothing done; quit or Ctrl-D leaves.")
            continue
        if text is None or text.strip() in LEAVE:
            say.line("      Everything is logged.")
            return
        _heed(call, session, text)


def _heed(call: Call, session: Session, text: str) -> None:
    """Does what a line says; an error is one line, and costs nothing."""
    try:
        session.refresh()
        if session.open is not None and not _is_command(session, text):
            _answer(call, session, text)
        elif text.strip():
            for line in commands(split(text), session):
                perform(call, session, line)
        else:
            _next(call, session)
    except (KdmlogError, Complaint) as error:
        report(error, json=False)
    except SystemExit:
        pass
    except KeyboardInterrupt:
        say.line("      Stopped.")


def _next(call: Call, session: Session) -> None:
    """A bare ⏎: the obvious next step, if nothing has to be filled in."""
    step = session.game.step(session.table)
    if not step or any(word.isupper() for word in step.split()):
        say.line(f"      Next: {step}" if step else "      Nothing is left to do here.")
        return
    for line in commands(split(step), session):
        perform(call, session, line)


def _answer(call: Call, session: Session, text: str) -> None:
    """Answers the open question; the words behind answer what is asked next."""
    inputs = Inputs(loose=loose(_words(text)))
    say.result(call, session, session.answer([], inputs, by=call.write.get("by", "")))


def _words(text: str) -> list[str]:
    """Returns the words of an answer; an apostrophe is no quote (``beast's``)."""
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def _is_command(session: Session, text: str) -> bool:
    """Returns whether a line typed at an open question is a command and no answer to it."""
    word = text.split()[0] if text.split() else ""
    assert session.open is not None
    request = session.open.request
    options = request.options if isinstance(request, Choose | Opportunity) else ()
    return word in COMMANDS and not any(one.id.startswith(word) for one in options)


def perform(call: Call, session: Session, line: Line) -> None:
    """Runs one command in the session, as it would run by itself."""
    from kdmlog.cli.main import run

    if line.words[0] in APART:
        raise UsageError(f"{line.words[0]} is for outside: kdmlog {line.words[0]}.")
    one = Call(db=call.db, spoilers=call.spoilers, session=session, scripted=True)
    one.inputs.loose = loose(line.loose)
    if by := call.write.get("by"):
        one.write["by"] = by
    run(line.words, one)


def _remind(session: Session) -> None:
    """Says what is open or next, on coming back."""
    if session.open is not None:
        say.open_question(session.game, session, session.open.request)
    elif step := session.game.step(session.table):
        say.line(f"      Next: {step}")


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
        return input(f"{session.game.prompt(session.table)}> ")
    except EOFError:
        return None


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    return to_click(globals()[name], command)
