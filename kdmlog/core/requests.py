"""What a rule may ask: a procedure yields one of these and is given the answer.

Each carries a stable ``purpose`` and the ids it is ``about``; views make the words.
"""

# No annotations from __future__: msgspec would compile each of them whenever kdmlog starts.

from msgspec import Struct

from kdmlog.core.people import Line, Mention


class Option(Struct, frozen=True, omit_defaults=True):
    """One possible answer: its id, and a shown name where the id alone would not do."""

    id: Mention
    label: Line = ""


class Field(Struct, frozen=True, omit_defaults=True):
    """One value of a Fill: ``kind`` is ``int``, ``word`` or ``words``; bounds are inclusive."""

    name: str
    kind: str = "int"
    least: int | None = None
    most: int | None = None
    default: str | None = None


class Request(Struct, frozen=True, kw_only=True, tag_field="ask", omit_defaults=True):
    """Something that a procedure cannot know by itself."""

    purpose: str
    about: tuple[Mention, ...] = ()


class Roll(Request, frozen=True, kw_only=True, tag="roll"):
    """Dice; answered with the faces (a list of ints), as rolled."""

    dice: str


class Draw(Request, frozen=True, kw_only=True, tag="draw"):
    """The top ``count`` cards of a deck, moved to the zone ``to``; answered with their ids."""

    deck: str
    count: int = 1
    to: str = "out"


class Shuffle(Request, frozen=True, kw_only=True, tag="shuffle"):
    """The deck and the cards of the zones in ``took`` become a new deck; answered with None."""

    deck: str
    took: tuple[str, ...] = ()


class Choose(Request, frozen=True, kw_only=True, tag="choose"):
    """A decision of ``by`` (a player or survivor; empty: the group) among ``options``.

    Answered with the ids picked, ``least`` to ``most`` of them. ``default`` is what a bare ⏎ means.
    """

    options: tuple[Option, ...]
    by: Mention = ""
    least: int = 1
    most: int = 1
    default: Mention | None = None


class Opportunity(Request, frozen=True, kw_only=True, tag="opportunity"):
    """A moment at which others may interrupt; answered with one option's id or ``pass``."""

    options: tuple[Option, ...] = ()


class Fill(Request, frozen=True, kw_only=True, tag="fill"):
    """Values that the players read from a card of theirs; answered with a dict by field name."""

    fields: tuple[Field, ...]


Ask = Roll | Draw | Shuffle | Choose | Opportunity | Fill
"""Every request that needs an answer."""
