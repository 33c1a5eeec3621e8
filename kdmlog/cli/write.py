"""Runs what writes: performs an action, says what it did, and prompts for what it left open."""

from __future__ import annotations

import sys

from kdmlog.cli import say
from kdmlog.cli.call import Call
from kdmlog.core.errors import KdmlogError
from kdmlog.core.game import Action
from kdmlog.session import Result, Session


def perform(call: Call, action: Action) -> None:
    """Performs an action with the inputs given."""
    session = call.writing()
    finish(call, session, session.perform(action, call.inputs, **call.write))


def finish(call: Call, session: Session, done: Result) -> None:
    """Says what was done; on a terminal, prompts for open questions until none is left."""
    if not call.quiet:
        say.result(call, session, done)
    if done.open is not None and prompts(call):
        prompt(call, session)


def prompt(call: Call, session: Session) -> None:
    """Asks open questions at the terminal, until none is left or the player leaves one open."""
    from kdmlog.cli.prompt import ask

    while session.open is not None:
        words = ask()
        if words is None:
            return
        try:
            done = session.answer(words, by=call.write.get("by", ""))
        except KdmlogError as error:
            from kdmlog.cli.errors import report

            report(error, json=False)
            continue
        say.result(call, session, done)


def prompts(call: Call) -> bool:
    """Returns whether questions are asked at once: on a terminal, outside scripts."""
    tried = call.write.get("dry_run", False)
    return not (call.json or call.scripted or tried) and sys.stdin.isatty()
