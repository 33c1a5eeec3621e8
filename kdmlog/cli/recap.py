"""After a break: what the last evening at the table brought, and where to go on."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from kdmlog.cli import say
from kdmlog.cli.build import to_click
from kdmlog.cli.call import current
from kdmlog.cli.documents import Recap
from kdmlog.cli.log import entry_json, log_line
from kdmlog.cli.varied import varied
from kdmlog.session.answers import how
from kdmlog.session.spans import evening

LISTED = 10
"""The evening's last actions that are told; those before are only counted."""


def recap() -> None:
    """Tell of the last evening, what is open and what comes next."""
    call = current()
    session = call.reading()
    head = session.head if call.at is None else session.place(call.at)
    actions = evening(session.latest(head))
    table = session.table if call.at is None else session.at(call.at)
    before = session.at(str(max(1, actions[0].number - 1)))
    game = session.game
    asked = table.state.open.request if table.state.open else None
    changes = game.changes(game.view(before), game.view(table))
    people = list(dict.fromkeys(move.by for one in actions for move, _ in one.moves if move.by))
    since, until = actions[0].at, actions[-1].moves[-1][0].at
    step = game.step(table) if asked is None else "answer"
    if call.json:
        told = [entry_json(session, one) for one in actions]
        ahead = game.ahead(table)
        say.as_json(Recap(since, until, people, told, changes, asked, ahead, step))
        return
    counted = f"{len(actions)} action{'s' * (len(actions) > 1)}"
    by = f" by {', '.join(people)}" if people else ""
    say.line(f"{session.campaign.name}: {counted}{by}, {_time(since)} to {_time(until)}")
    if rest := actions[:-LISTED]:
        say.line(f"      … {len(rest)} before: replay {rest[0].number}..{rest[-1].numbers[-1]}")
    for one in actions[-LISTED:]:
        say.line(log_line(session, one))
    now = [*varied(game, table.state), *game.standing(table)]
    for title, texts in (("Changed", changes), ("Now", now)):
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


def _time(text: str) -> str:
    return f"{datetime.fromisoformat(text):%Y-%m-%d %H:%M}"


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    return to_click(globals()[name], command)
