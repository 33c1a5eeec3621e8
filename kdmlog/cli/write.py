"""Runs what writes: performs an action, says what it did, and prompts for what it left open."""

from __future__ import annotations

import sys

from kdmlog.cli import say
from kdmlog.cli.call import Call
from kdmlog.core.game import Action
from kdmlog.session import Result, Session


def perform(call: Call, action: Action) -> None:
    """Performs an action with the inputs given."""
    session = call.writing()
    finish(call, session, session.perform(action, call.inputs, **call.write))


def finish(call: Call, session: Session, done: Result) -> None:
    """Says what was done; on a terminal, prompts for open questions until none is left."""
    call.prompting |= prompts(call)
    if not call.quiet:
        say.result(call, session, done)
    if done.open is not None and prompts(call):
        prompt(call, session)


def prompt(call: Call, session: Session) -> None:
    """Asks open questions at the terminal, until none is left or the player leaves one open."""
    from kdmlog.cli.heed import heed
    from kdmlog.cli.prompt import ask

    while session.open is not None:
        text = ask()
        if text is None:
            return
        heed(call, session, text)


def prompts(call: Call) -> bool:
    """Returns whether questions are asked at once: on a terminal, outside scripts."""
    tried = call.write.get("dry_run", False)
    return not (call.json or call.scripted or tried) and sys.stdin.isatty()
