"""The actions that every game shares: free notes, rolls, draws and choices, and the session's own.

Those of ``CORE_PLAYS`` are performed like any game's action. The others only name, in the log, a
move that the session makes itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from kdmlog.core import requests as ask
from kdmlog.core.dice import parse
from kdmlog.core.errors import BadInput, Refused
from kdmlog.core.events import CampaignRenamed, Chosen, Noted
from kdmlog.core.game import Action, Play, Table
from kdmlog.core.names import match, slug
from kdmlog.core.people import CampaignName, Hash, Path, Words
from kdmlog.core.procedures import Procedure, Record, rule

FREE = "free"
"""The purpose of what no rule asks for."""
DISCARD = "discard"
"""The zone that a free draw puts its card in: face up, and back with the next reshuffle."""


class New(Action, frozen=True, kw_only=True, tag="new"):
    """Start a campaign and use it."""

    positional: ClassVar[tuple[str, ...]] = ("name",)

    name: Annotated[CampaignName, Meta(description="the campaign's name")]
    game: Annotated[str, Meta(description="the game")]
    sheet: Annotated[
        dict[str, Any] | None, Meta(description="the paper sheets taken over in mid-campaign")
    ] = None


class Adjust(Action, frozen=True, kw_only=True, tag="adjust"):
    """Correct a figure by hand, and say why."""

    positional: ClassVar[tuple[str, ...]] = ("path", "value")

    path: Annotated[Path, Meta(description="a figure, such as survivors.allister.survival")]
    value: Annotated[str, Meta(description="+1 or -1 change it, 3 sets it")]
    why: Annotated[Words, Meta(description="the reason, kept with the ruling")]


class Assert(Action, frozen=True, kw_only=True, tag="assert"):
    """Log a count taken at the real table; it must hold, now and ever after."""

    positional: ClassVar[tuple[str, ...]] = ("counts",)

    counts: Annotated[tuple[Path, ...], Meta(description="NAME=N: bone=4 population=9, say")]


class Reseed(Action, frozen=True, kw_only=True, tag="reseed"):
    """Take other dice from here on."""


class Rebase(Action, frozen=True, kw_only=True, tag="rebase"):
    """Play later actions again, over a corrected past."""

    source: Annotated[Hash, Meta(description="the hash of the head that they led to")]
    after: Annotated[int, Meta(description="the move that they come after there")]
    without: Annotated[tuple[int, ...], Meta(description="moves of theirs that are left out")] = ()


class Amend(Action, frozen=True, kw_only=True, tag="amend"):
    """Correct an action of the past, and play on from there with the same dice and choices."""

    positional: ClassVar[tuple[str, ...]] = ("move", "line")

    move: Annotated[int, Meta(description="the move that is corrected")]
    line: Annotated[Words, Meta(description="what is done there; nothing: the move is left out")]
    after: Annotated[bool, Meta(description="it comes after the move, not in its place")] = False
    source: Annotated[Hash, Meta(description="the hash of the head that was corrected")] = ""


class ChangePacks(Action, frozen=True, kw_only=True, tag="change_packs"):
    """Play other content from here on."""

    packs: Annotated[tuple[str, ...], Meta(description="the packs, later ones over earlier ones")]


class Rename(Action, frozen=True, kw_only=True, tag="campaign rename"):
    """Call the campaign by another name."""

    words = "campaign rename"
    positional = ("name",)
    name: Annotated[CampaignName, Meta(description="the new name")]


class Note(Action, frozen=True, kw_only=True, tag="note"):
    """Log a note."""

    words = "note"
    positional = ("text",)
    text: Annotated[Words, Meta(description="what to note")]


class Roll(Action, frozen=True, kw_only=True, tag="roll"):
    """Log a free roll."""

    words = "roll"
    positional = ("dice",)
    dice: Annotated[str, Meta(description="d10, 2d10, d5, d100 or location, say")]
    why: Annotated[Words, Meta(description="what it is for")] = ""


class Draw(Action, frozen=True, kw_only=True, tag="draw"):
    """Draw a card of one of the campaign's decks."""

    words = "draw"
    positional = ("deck",)
    deck: Annotated[str, Meta(description="the deck, such as ai")]


class Choose(Action, frozen=True, kw_only=True, tag="choose"):
    """Log what was chosen, freely."""

    words = "choose"
    positional = ("question", "options")
    question: Annotated[Words, Meta(description="what is asked")]
    options: Annotated[tuple[Words, ...], Meta(description="what may be answered")]


@rule("core.rename")
def rename(table: Table, action: Rename) -> Procedure[None]:
    """Renames the campaign. Raises BadInput for a name of no letters, Refused for the same one."""
    name = action.name.strip()
    if not slug(name):
        raise BadInput("A campaign needs a name.")
    if name == table.state.name:
        raise Refused(f"The campaign is called {name} already.")
    yield Record(CampaignRenamed(name=name))


@rule("core.note")
def note(_table: Table, action: Note) -> Procedure[None]:
    """Records the note. Raises BadInput for an empty one."""
    if not action.text.strip():
        raise BadInput("A note needs words.")
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
    """Records what the players chose at a question of their own."""
    picked = tuple(action.options)
    yield Record(Chosen(purpose=FREE, about=(action.question,), picked=picked, offered=picked))


CORE_PLAYS: Mapping[type[Action], Play] = {
    Rename: Play(rename),
    Note: Play(note),
    Roll: Play(roll),
    Draw: Play(draw),
    Choose: Play(choose),
}
CORE_ACTIONS: tuple[type[Action], ...] = (
    New,
    Adjust,
    Assert,
    Reseed,
    Rebase,
    Amend,
    ChangePacks,
    *CORE_PLAYS,
)
