"""Goes through the past: what happened at each move, and what lay on the table then."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Annotated, Any

import typer

from kdmlog.cli import frames, say
from kdmlog.cli.build import to_click
from kdmlog.cli.call import Call, current
from kdmlog.session import Session
from kdmlog.session.past import Moment, Past
from kdmlog.session.spans import span


def replay(
    stretch: Annotated[
        str | None,
        typer.Argument(
            help="showdown:1, ly:2, 10..20, a move; the newest showdown, else the last evening",
            metavar="RANGE",
        ),
    ] = None,
    speed: Annotated[
        float, typer.Option(help="moves a second; else keys go on and back", min=0, max=64)
    ] = 0,
    step: Annotated[int, typer.Option(help="moves at a time", min=1)] = 1,
) -> None:
    """Go through the past, move by move, the table redrawn.

    On a terminal keys go on and back, ? lists them. Else a frame is printed for each move, the last
    line of each "── move N of A..B  h:HASH".
    """
    call = current()
    session = call.reading()
    head = session.head if call.at is None else session.place(call.at)
    first, last = span(session, stretch, head)
    past = Past(session, first, last)
    numbers = [*range(first, last.number, step), last.number]
    if call.json:
        for number in numbers:
            _document(call, session, past.at(number))
        return

    def draw(number: int) -> frames.Frame:
        return frames.frame(call, session, past.at(number), first, last.number)

    if _full_terminal(call):
        from kdmlog.cli.walk import walk

        walk(numbers, draw, speed)
        return
    _print(numbers, draw, speed if sys.stdout.isatty() else 0)


def _full_terminal(call: Call) -> bool:
    """Returns whether keys can be asked for, and a screen drawn."""
    seen = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return seen and (call.prompting or not call.scripted)


def _print(numbers: list[int], draw: Callable[[int], frames.Frame], speed: float) -> None:
    """Prints a frame after the other, with a pause between them if that is asked for."""
    for number in numbers:
        if speed and number != numbers[0]:
            time.sleep(1 / speed)
        for text in frames.plain(draw(number)):
            say.line(text)


def _document(call: Call, session: Session, moment: Moment) -> None:
    """Prints a step as JSON."""
    from kdmlog.cli.kdm_documents import Replayed
    from kdmlog.cli.kdm_scene import part_of

    entry, move, asked = moment.entry, moment.move, moment.table.state.open
    showdown, orders = part_of(call, session, moment.table)
    say.as_json(
        Replayed(
            move=move.number,
            hash=move.hash.hex(),
            by=move.by,
            at=move.at,
            began=entry.number,
            text=session.game.headline(entry.action, entry.events, moment.table),
            facts=frames.facts(session, moment),
            open=asked.request if asked is not None else None,
            showdown=showdown,
            orders=orders,
        )
    )


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    return to_click(globals()[name], command)
