"""The part of a game's state that every game shares: dice used, decks, the open question."""

# No annotations from __future__: msgspec would compile each of them whenever kdmlog starts.

from msgspec import Struct, field

from kdmlog.core.events import Asked, Deferred, PackRef

DECK = "deck"
POOL = "pool"
FACE_DOWN = (DECK, "wounds", POOL)
"""Zones whose cards nobody has seen; at a real table they are interchangeable.

In the pool lie those that were not dealt: they are out of the game.
"""


class Deck(Struct):
    """The cards of one deck by zone; ``deck`` is the face-down draw pile, its first card on top."""

    zones: dict[str, list[str]] = field(default_factory=dict)
    known: int = 0
    """How many of the top cards everybody has seen, as they were put there face up."""

    def __getitem__(self, zone: str) -> list[str]:
        """Returns the cards of a zone; an empty list of its own when there is none."""
        return self.zones.get(zone, [])


class State(Struct, kw_only=True):
    """What the core folds. Only a fold changes it."""

    name: str = ""
    seed: str = ""
    players: list[str] = field(default_factory=list)
    edition: str = ""
    variants: list[str] = field(default_factory=list)
    table_dice: bool = False
    table_cards: bool = False
    ask_dice: bool = False
    packs: list[PackRef] = field(default_factory=list)
    keys: int = 0
    """How many of the campaign's dice have been used on this path."""
    decks: dict[str, Deck] = field(default_factory=dict)
    open: Asked | None = None
    uses: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    """Once-per-X limits: scope to who to what was done."""
    deferred: dict[str, Deferred] = field(default_factory=dict)

    def used(self, scope: str, who: str, what: str) -> bool:
        """Returns whether ``who`` has done ``what`` in the present ``scope``."""
        return what in self.uses.get(scope, {}).get(who, ())
