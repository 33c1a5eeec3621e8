"""The prompt on a full terminal: the standing in view, completion, history across sessions."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.styles import Style

from kdmlog.cli.lines import leads, paths, spelt
from kdmlog.cli.say import wrapped
from kdmlog.cli.table import COMMANDS
from kdmlog.core.errors import UsageError
from kdmlog.core.requests import Choose, Opportunity
from kdmlog.core.text import shown
from kdmlog.session import Session


class Words(Completer):
    """Completes from what is asked, from the legal actions, and from the commands."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        """Yields the words that go on with what is typed."""
        before = document.text_before_cursor.split(";")[-1].lstrip()
        word = before.split(" ")[-1]
        for one in self._candidates(before[: len(before) - len(word)].split()):
            if one.startswith(word):
                yield Completion(one, start_position=-len(word))

    def _candidates(self, typed: list[str]) -> list[str]:
        asked = self.session.open
        if asked is not None and isinstance(asked.request, Choose | Opportunity):
            return [one.id for one in asked.request.options]
        ready = self.session.ready()
        typed = _spelt(typed, ready)
        lines = [line.split() for line in ready]
        found = [line[len(typed)] for line in lines if line[: len(typed)] == typed < line]
        if not typed:
            found += [path[-1] for path in paths() if any(leads(path, line) for line in ready)]
            found += COMMANDS
        elif typed[0] in COMMANDS and len(typed) == 1:
            found += COMMANDS[typed[0]].group
        return list(dict.fromkeys(found))


def _spelt(typed: list[str], ready: list[str]) -> list[str]:
    """Returns the words with the command spelt out: ``settlement craft`` for ``craft``."""
    if not typed or typed[0] in COMMANDS:
        return typed
    try:
        path, rest = spelt(typed, ready)
    except UsageError:
        return typed
    return [*path, *rest]


def terminal(session: Session) -> Callable[[Session], str | None]:
    """Returns what asks for a line, keeping its history beside the database."""
    asking: PromptSession[str] = PromptSession(
        history=_history(session),
        completer=Words(session),
        complete_while_typing=False,
        style=Style([("bottom-toolbar", "noreverse" if "NO_COLOR" in os.environ else "reverse")]),
    )

    def ask(session: Session) -> str | None:
        try:
            return asking.prompt("> ", bottom_toolbar=lambda: wrapped(standing(session)))
        except EOFError:
            return None

    return ask


def standing(session: Session) -> str:
    """Returns the line that stays in view."""
    return shown(f" {session.campaign.name}  ·  {session.game.prompt(session.table)} ")


def _history(session: Session) -> History:
    path = session.ledger.path
    if path is None:
        return InMemoryHistory()
    kept = path.with_name(f"{path.name}.history")
    try:
        with kept.open("a+b"):
            return FileHistory(str(kept))
    except OSError:  # play goes on without
        return InMemoryHistory()
