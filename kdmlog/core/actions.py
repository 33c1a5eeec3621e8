"""The actions that every game shares: free notes, rolls, draws and choices, and the session's own.

Those of ``CORE_PLAYS`` are performed like any game's action. The others only name, in the log, a
move that the session makes itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from kdmlog.core import requests as ask
from kdmlog.core.dice import parse
from kdmlog.core.events import Noted
from kdmlog.core.game import Action, Play, Table
from kdmlog.core.names import match, slug
from kdmlog.core.procedures import Procedure, Record, rule

FREE = "free"
"""The purpose of what no rule asks for."""
DISCARD = "discard"
"""The zone that a free draw puts its card in: face up, and back with the next reshuffle."""


class New(Action, frozen=True, kw_only=True, tag="new"):
    """Start a campaign and use it."""

    name: str
    game: str


class Adjust(Action, frozen=True, kw_only=True, tag="adjust"):
    """Correct a figure by hand, and say why."""

    path: str
    value: str
    why: str


class Reseed(Action, frozen=True, kw_only=True, tag="reseed"):
    """Take other dice from here on."""


class ChangePacks(Action, frozen=True, kw_only=True, tag="change_packs"):
    """Play other content from here on."""

    packs: tuple[str, ...]


class Note(Action, frozen=True, kw_only=True, tag="note"):
    """Log a note."""

    words = "note"
    positional = ("text",)
    text: str


class Roll(Action, frozen=True, kw_only=True, tag="roll"):
    """Log a free roll."""

    words = "roll"
    positional = ("dice",)
    dice: str
    why: str = ""


class Draw(Action, frozen=True, kw_only=True, tag="draw"):
    """Draw a card of one of the campaign's decks."""

    words = "draw"
    positional = ("deck",)
    deck: str


class Choose(Action, frozen=True, kw_only=True, tag="choose"):
    """Log a free choice."""

    words = "choose"
    positional = ("question", "options")
    question: str
    options: tuple[str, ...]


@rule("core.note")
def note(_table: Table, action: Note) -> Procedure[None]:
    """Records the note."""
    yield Record(Noted(text=action.text))


@rule("core.roll")
def roll(_table: Table, action: Roll) -> Procedure[None]:
    """Rolls for no rule."""
    about = (action.why,) if action.why else ()
    yield ask.Roll(purpose=FREE, about=about, dice=str(parse(action.dice)))


@rule("core.draw")
def draw(table: Table, action: Draw) -> Procedure[None]:
    """Draws the top card of a deck that is in play."""
    deck = match(action.deck, {id_: id_ for id_ in table.state.decks}, "deck")
    yield ask.Draw(purpose=FREE, deck=deck, to=DISCARD)


@rule("core.choose")
def choose(_table: Table, action: Choose) -> Procedure[None]:
    """Asks the question of the players' own."""
    options = {slug(option) or option: option for option in action.options}
    yield ask.Choose(
        purpose=FREE,
        about=(action.question,),
        options=tuple(ask.Option(id_, label) for id_, label in options.items()),
    )


CORE_PLAYS: Mapping[type[Action], Play] = {
    Note: Play(note),
    Roll: Play(roll),
    Draw: Play(draw),
    Choose: Play(choose),
}
CORE_ACTIONS: tuple[type[Action], ...] = (New, Adjust, Reseed, ChangePacks, *CORE_PLAYS)
