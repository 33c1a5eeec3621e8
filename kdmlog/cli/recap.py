"""After a break: what the last evening at the table brought, and where to go on."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from kdmlog.cli import say
from kdmlog.cli.build import to_click
from kdmlog.cli.call import current
from kdmlog.cli.documents import Recap
from kdmlog.cli.log import entry_json, log_line
from kdmlog.session import ActionEntry
from kdmlog.session.answers import how

BREAK = timedelta(hours=4)
"""A pause that ends an evening."""
LISTED = 10
"""The evening's last actions that are told; those before are only counted."""


def recap() -> None:
    """Tell of the last evening, what is open and what comes next."""
    call = current()
    session = call.reading()
    head = session.head if call.at is None else session.place(call.at)
    evening = _evening(session.latest(head))
    table = session.table if call.at is None else session.at(call.at)
    before = session.at(str(max(1, evening[0].number - 1)))
    game = session.game
    asked = table.state.open.request if table.state.open else None
    changes = game.changes(game.view(before), game.view(table))
    people = list(dict.fromkeys(move.by for one in evening for move, _ in one.moves if move.by))
    since, until = evening[0].at, evening[-1].moves[-1][0].at
    step = game.step(table) if asked is None else "answer"
    if call.json:
        actions = [entry_json(session, one) for one in evening]
        ahead = game.ahead(table)
        say.as_json(Recap(since, until, people, actions, changes, asked, ahead, step))
        return
    counted = f"{len(evening)} action{'s' * (len(evening) > 1)}"
    by = f" by {', '.join(people)}" if people else ""
    say.line(f"{session.campaign.name}: {counted}{by}, {_time(since)} to {_time(until)}")
    if rest := evening[:-LISTED]:
        say.line(f"      … {len(rest)} before: replay {rest[0].number}..{rest[-1].numbers[-1]}")
    for one in evening[-LISTED:]:
        say.line(log_line(session, one))
    for title, texts in (("Changed", changes), ("Now", game.standing(table))):
        if texts:
            say.line(f"{title}:")
        for text in texts:
            say.line(f"  {text}")
    for text in game.ahead(table):
        say.line(f"Ahead: {text}")
    if asked is not None:
        say.line(f"Open: {game.question(asked, table)}")
        say.line(f"  {how(asked)}")
    elif step:
        say.line(f"Next: {step}")


def _evening(newest_first: Iterable[ActionEntry]) -> list[ActionEntry]:
    """The actions since the last long pause, oldest first."""
    found: list[ActionEntry] = []
    for one in newest_first:
        if found and _when(found[-1].at) - _when(one.moves[-1][0].at) > BREAK:
            break
        found.append(one)
    return found[::-1]


def _when(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _time(text: str) -> str:
    return f"{_when(text):%Y-%m-%d %H:%M}"


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    return to_click(globals()[name], command)
