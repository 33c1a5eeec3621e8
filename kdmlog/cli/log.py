"""The log: the actions so far, each in a line, and one action in full."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import typer

from kdmlog.cli import say
from kdmlog.cli.build import to_click
from kdmlog.cli.call import Call, current
from kdmlog.cli.documents import Entry, Shown, ShownMove
from kdmlog.cli.typed import typed
from kdmlog.core import events as e
from kdmlog.core.dice import read
from kdmlog.core.game import Action, Game, Table
from kdmlog.core.text import words
from kdmlog.session import ActionEntry, Session


def log(
    n: Annotated[int, typer.Option("-n", help="how many actions; 0 for all", min=0)] = 20,
    events: Annotated[bool, typer.Option("--events", help="with the facts of each")] = False,
    graph: Annotated[bool, typer.Option("--graph", help="draw the branches")] = False,
    grep: Annotated[str, typer.Option(help="only lines with this text")] = "",
    survivor: Annotated[str, typer.Option(help="only what is about a survivor")] = "",
) -> None:
    """List the moves, newest first."""
    call = current()
    session = call.reading()
    if graph:
        from kdmlog.cli.graph import graph as draw

        draw(call, session)
        return
    found = _filtered(session, call, n, grep, survivor)
    if call.json:
        say.as_json([entry_json(session, one) for one in found])
        return
    for one in found:
        say.line(log_line(session, one))
        if events:
            for event in one.events:
                if text := session.game.sentence(event, session.table):
                    say.line(f"              {text}")


def _filtered(session: Session, call: Call, n: int, grep: str, survivor: str) -> list[ActionEntry]:
    head = session.place(call.at) if call.at is not None else None
    if not grep and not survivor:
        return session.log(n or None, head=head)
    who = session.game.named(survivor, session.table) if survivor else ""
    found = []
    for one in session.log(head=head):
        bodies = msgspec.json.encode(one.events).decode().lower()
        if (not grep or grep.lower() in log_line(session, one).lower()) and (
            not who or f'"{who}' in bodies
        ):
            found.append(one)
        if n and len(found) == n:
            break
    return found


def log_line(session: Session, one: ActionEntry) -> str:
    headline = session.game.headline(one.action, one.events, session.table)
    answers = len(one.moves) - 1
    tail = f"   +{answers} answer{'s' * (answers > 1)}" if answers else ""
    return f"{one.number:>4}  {one.hash[:4]}  {one.by or '-':<6}  {headline}{tail}"


def entry_json(session: Session, one: ActionEntry) -> Entry:
    """Returns an action as ``--json`` shows it."""
    text = session.game.headline(one.action, one.events, session.table)
    return Entry(one.number, one.numbers, one.hash, one.by, one.at, one.action, text)


def show(
    move: Annotated[
        str | None, typer.Argument(help="a move number, h:HASH or @{N}; the last one if left out")
    ] = None,
) -> None:
    """Show one action: as typed, rolls, draws, choices, facts."""
    call = current()
    session = call.reading()
    place = session.place(move) if move is not None else session.head
    one = session.entry(place.number, session.head if session.leads_to(place) else place)
    if call.json:
        moves = [
            ShownMove(
                move=row.number,
                kind=row.kind,
                hash=row.hash.hex(),
                by=row.by,
                at=row.at,
                input=msgspec.Raw(row.input.encode()),
                writer=row.writer,
                events=[say.unspoilt(call, event) for event in events],
            )
            for row, events in one.moves
        ]
        say.as_json(Shown(entry_json(session, one), moves))
        return
    last = session.at(f"h:{one.moves[-1][0].hash.hex()}")  # as it knew the names
    say.line(log_line(session, one))
    for row, events in one.moves:
        line = typed(type(one.action) if isinstance(one.action, Action) else None, row.input)
        say.line(f"  move {row.number}  h:{row.hash.hex()[:8]}  {row.at}  {line}")
        table = last
        if events and isinstance(events[-1], e.Asked):
            table = session.at(f"h:{row.hash.hex()}")  # a question is of its moment
        for event in events:
            for text in _details(session.game, table, event):
                say.line(f"    {text}")


def _details(game: Game, table: Table, event: e.Event) -> list[str]:
    match event:
        case e.DiceRolled():
            about = f" ({', '.join(event.about)})" if event.about else ""
            faces = read(event.dice, event.faces)
            return [f"roll   {event.dice}: {faces}  {words(event.purpose)}{about}  {event.source}"]
        case e.CardsDrawn():
            cards = ", ".join(game.card_name(table, event.deck, card) for card in event.cards)
            return [f"draw   {cards} from {words(event.deck)}  {event.source}"]
        case e.Chosen():
            others = ", ".join(one for one in event.offered if one not in event.picked)
            said = ", ".join(event.picked) or "none"
            also = f"  (also: {others})" if others else ""
            return [f"choice {words(event.purpose)}: {said}{also}"]
        case e.Asked():
            return [f"asked  {game.question(event.request, table)}"]
    text = game.sentence(event, table)
    cause = f"  [{event.cause}]" if event.cause else ""
    return [f"fact   {text}{cause}"] if text else []


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    return to_click(globals()[name], command)
