"""What a player reads after a command: its facts, what changed, what is open, what next."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain, repeat
from typing import Any

import msgspec

from kdmlog.cli.call import Call
from kdmlog.core import events as e
from kdmlog.core.game import Game, Table
from kdmlog.core.requests import Ask
from kdmlog.core.state import DECK, FACE_DOWN
from kdmlog.core.text import LONGEST_LINE, escaped, shown
from kdmlog.session import Result, Session
from kdmlog.session.answers import how, prompted


def line(text: str = "") -> None:
    """Prints a line, control characters made harmless; a terminal gets it broken between words.

    A text that would flood the screen is cut; ``--json`` has all of it.
    """
    text = shown(text, LONGEST_LINE)
    if sys.stdout.isatty():
        text = wrapped(text)
    sys.stdout.write(text + "\n")


def columns() -> int:
    """Returns how many columns a terminal has; what is no terminal has room enough."""
    import shutil

    return shutil.get_terminal_size().columns if sys.stdout.isatty() else LONGEST_LINE


def wrapped(text: str, width: int = 0) -> str:
    """Returns a line broken to a width, by default the terminal's, what goes on set in."""
    import shutil
    import textwrap

    width = width or shutil.get_terminal_size().columns
    columns = _widened(text)
    if len(columns) <= width:
        return text
    inset = " " * (len(text) - len(text.lstrip()) + 4)
    parts = textwrap.wrap(
        columns,
        width,
        subsequent_indent=inset,
        break_long_words=True,
        break_on_hyphens=False,
    )
    return "\n".join(parts).replace(_SECOND, "")


_SECOND = "\0"
"""Stands for the second column of a wide character; no other text that is shown has it."""


def _widened(text: str) -> str:
    """Returns a text that has as many characters as it takes columns."""
    if text.isascii():
        return text
    from unicodedata import east_asian_width

    return "".join(f"{one}{_SECOND}" if east_asian_width(one) in "WF" else one for one in text)


def columns_of(text: str) -> int:
    """Returns how many columns a line takes."""
    return len(_widened(text))


def as_json(thing: Any) -> None:
    """Prints one JSON document."""
    sys.stdout.write(escaped(msgspec.json.encode(thing, enc_hook=str).decode()) + "\n")


def unspoilt(call: Call, event: e.Event) -> e.Event:
    """Returns an event as everybody may see it: coming cards and dice need ``--spoilers``."""
    if call.spoilers:
        return event
    match event:
        case e.DeckShuffled(took=()):  # which cards were dealt into it may be unknown, too
            return msgspec.structs.replace(event, order=("",) * len(event.order))
        case e.DeckShuffled():
            return msgspec.structs.replace(event, order=tuple(sorted(event.order)))
        case e.DeckMade():
            return msgspec.structs.replace(event, cards=tuple(sorted(event.cards)))
        case e.CardsMoved() | e.CardsDrawn() if event.to in FACE_DOWN and _from(event) in FACE_DOWN:
            return msgspec.structs.replace(event, cards=("",) * len(event.cards))
        case e.CardsSwapped():
            return msgspec.structs.replace(event, ours="")
        case e.CampaignBegun() | e.Reseeded():
            return msgspec.structs.replace(event, seed="")
    return event


def _from(event: e.CardsMoved | e.CardsDrawn) -> str:
    return event.before if isinstance(event, e.CardsMoved) else DECK


def result(call: Call, session: Session, done: Result) -> None:
    """Says what a writing command has done."""
    game = session.game
    if call.json:
        from kdmlog.cli.documents import Written

        changes = game.changes(game.view(done.before), game.view(done.after))
        tried, facts = done.number == 0, [unspoilt(call, event) for event in done.events]
        as_json(
            Written(
                move=done.number,
                dry_run=tried,
                repeated=done.repeated,
                elsewhere=done.elsewhere,
                events=facts,
                open=done.open,
                changes=changes,
            )
        )
        return
    if done.repeated:
        where = (
            " It is not on this branch any more: undone, or another's." if done.elsewhere else ""
        )
        line(f"{done.number:>4}  This request was done already; nothing was added.{where}")
        return
    texts = list(_told(game, done))
    if done.before.state != done.after.state:
        texts += game.sheet_changes(game.view(done.before), game.view(done.after))
    if twin := session.twin(done):
        texts.append(f"The same as move {twin}, just before. If it was meant once: undo")
    if done.left_behind is not None:
        behind = done.left_behind
        place = f"--at h:{behind.hash.hex()[:8]}"
        texts.append(f"What was taken back, up to move {behind.number}, stays: branch NAME {place}")
    if done.number == 0:
        texts.append("Nothing was logged (--dry-run).")
    margin = chain([f"{done.number:>4}" if done.number else "   ~"], repeat("    "))
    said = [f"{next(margin)}  {text}" for text in texts]
    then = [f"{next(margin)}  {text}" for text in _then(call, game, done)]
    for text in (*said, *_drawn(call, session, done, [*said, *then]), *then):
        line(text)


def _told(game: Game, done: Result) -> Iterator[str]:
    """Yields a line for each fact; the first of a record that no line has named yet names it."""
    told = ""
    for event in done.events:
        if text := game.sentence(event, done.after):
            kind, _, id_ = event.cause.partition(":")
            record = done.after.content.find(game.kinds[kind], id_) if kind in game.kinds else None
            name = getattr(record, "name", "")
            told += text.lower()
            if name and name.lower() not in told:
                text += f" ({name})"
                told += name.lower()
            yield text


def _then(call: Call, game: Game, done: Result) -> list[str]:
    """Returns what is open, or next."""
    if (asked := done.after.state.open) is not None:
        return question(game, done.after, asked.request)[: 1 if call.prompting else 2]
    if step := game.step(done.after):
        return [f"Next: {step}"]
    return [f"{game.phase(done.after).capitalize()}."]


def _drawn(call: Call, session: Session, done: Result, around: list[str]) -> list[str]:
    """Returns the board at the prompt, where something moved on it; in words if it has no room."""
    if not call.prompting:
        return []
    from kdmlog.cli.kdm_board import after_movement

    return after_movement(call, session, done.before, done.after, _room(call, around))


_PROMPT = 3
"""Lines of a terminal that the prompt takes: what was typed, what will be, the standing."""


def _room(call: Call, around: list[str]) -> int:
    """Returns how many lines more may stand between some, so that a terminal shows them all."""
    import shutil

    if not sys.stdout.isatty():
        return sys.maxsize
    lines = sum(wrapped(text).count("\n") + 1 for text in around)
    return 0 if call.more else shutil.get_terminal_size().lines - _PROMPT - lines


def question(game: Game, table: Table, request: Ask) -> list[str]:
    """Returns the open question and how to answer it."""
    return [f"Open: {game.question(request, table)}", how(request)]


def open_question(game: Game, session: Session, request: Ask) -> None:
    """Prints the open question and how to answer it."""
    texts = question(game, session.table, request)
    for text in texts[:1] if prompted.get() else texts:
        line(f"      {text}")
