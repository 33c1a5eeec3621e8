"""What a player reads after a command: its facts, what changed, what is open, what next."""

from __future__ import annotations

import sys
from typing import Any

import msgspec

from kdmlog.cli.call import Call
from kdmlog.core.events import Event
from kdmlog.core.game import Game
from kdmlog.core.requests import Ask
from kdmlog.core.text import shown
from kdmlog.session import Result, Session
from kdmlog.session.answers import how


def line(text: str = "") -> None:
    """Prints a line, control characters made harmless."""
    sys.stdout.write(shown(text) + "\n")


def as_json(thing: Any) -> None:
    """Prints one JSON document."""
    sys.stdout.write(msgspec.json.encode(thing, enc_hook=str).decode() + "\n")


def result(call: Call, session: Session, done: Result) -> None:
    """Says what a writing command has done."""
    game = session.game
    if call.json:
        as_json(
            {
                "move": done.number,
                "dry_run": done.number == 0,
                "repeated": done.repeated,
                "events": done.events,
                "open": done.open,
                "changes": game.changes(game.view(done.before), game.view(done.after)),
            }
        )
        return
    if done.repeated:
        line(f"{done.number:>4}  This request was done already; nothing was added.")
        return
    facts(game, done.number, done.events, done)
    for text in game.changes(game.view(done.before), game.view(done.after)):
        line(f"      {text}")
    if done.number == 0:
        line("      Nothing was logged (--dry-run).")
    if (asked := done.after.state.open) is not None:
        open_question(game, session, asked.request)
    elif step := game.step(done.after):
        line(f"      Next: {step}")


def facts(game: Game, number: int, events: list[Event], done: Result) -> None:
    """Prints the facts of a move, a line each, the first behind the move's number."""
    head = f"{number:>4}" if number else "   ~"
    for event in events:
        if text := game.sentence(event, done.after):
            line(f"{head}  {text}")
            head = "    "
    if head.strip():
        line(f"{head}  Done.")


def open_question(game: Game, session: Session, request: Ask) -> None:
    """Prints the open question and how to answer it."""
    line(f"      Open: {game.question(request, session.table)}")
    line(f"      {how(request)}")
