"""Does what a line typed at a prompt says: an answer to what is open, or commands."""

from __future__ import annotations

import shlex
import sys

from kdmlog.cli import say
from kdmlog.cli.call import Call, hoist
from kdmlog.cli.errors import Complaint, report
from kdmlog.cli.lines import commands, split
from kdmlog.cli.table import COMMANDS
from kdmlog.core.errors import KdmlogError, UsageError
from kdmlog.core.game import Line
from kdmlog.core.inputs import Inputs, loose
from kdmlog.core.requests import Choose, Opportunity
from kdmlog.session import Session

APART = ("play", "run", "demo", "new", "use")
"""Commands that have no place inside a session of play."""
HELP = ("?", "help")


def heed(call: Call, session: Session, text: str) -> None:
    """Does what a line says; an error is one line, and costs nothing.

    A line typed while another program moved the branch is not heeded: it was meant for what stood
    there before.
    """
    call.prompting = True
    try:
        was = session.head
        session.refresh()
        text = text.strip().removeprefix("kdmlog ")
        if session.head.hash != was.hash:
            say.line("      Meanwhile the game went on elsewhere; your line was left alone.")
            remind(session)
        elif text in HELP:
            _help(session)
        elif session.open is not None and not _is_command(session, text):
            _answer(call, session, text)
        elif text:
            for line in commands(split(text), session):
                perform(call, session, line)
        else:
            _next(call, session)
    except (KdmlogError, Complaint) as error:
        sys.stdout.flush()  # what was done before the error is read before it
        report(error, json=False)
        if getattr(error, "code", "") == "left_over":
            remind(session)
    except SystemExit:
        pass
    except KeyboardInterrupt:
        say.line("      Stopped.")


def remind(session: Session) -> None:
    """Says what is open, or next."""
    if session.open is not None:
        say.line(f"      {say.question(session.game, session.table, session.open.request)[0]}")
    elif step := session.game.step(session.table):
        say.line(f"      Next: {step}")


def _help(session: Session) -> None:
    """Says what may be typed now."""
    if session.open is None:
        say.line("      ⏎ does the next step; do lists what can be done; quit ends.")
        return
    remind(session)
    for text in session.game.help(session.open.request):
        say.line(f"      {text}")
    say.line("      undo takes the last answer back; Ctrl-C leaves the question open.")


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
    by = call.write.get("by", "")
    say.result(call, session, session.answer([], inputs, by=by, expect=session.head.hash.hex()))


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
    asked = Call()
    hoist(line.words, asked)
    if asked.db or asked.campaign or asked.branch:
        raise UsageError("The prompt stays on its campaign.", hints=["switch BRANCH, or quit"])
    one = Call(db=call.db, spoilers=call.spoilers, session=session, scripted=True, prompting=True)
    one.inputs.loose = loose(line.loose)
    if by := call.write.get("by"):
        one.write["by"] = by
    run(line.words, one)
