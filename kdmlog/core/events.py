"""The events every game shares: chance, choices, decks, notes and rulings.

An event states an outcome, enough to fold without rules. Its kind is a string we own.
"""

# No annotations from __future__: msgspec would compile each of them whenever kdmlog starts.

from typing import Any

from msgspec import Struct

from kdmlog.core.people import (
    CampaignName,
    Card,
    Hash,
    Line,
    Mention,
    NotedWords,
    Path,
    PlayerName,
    Words,
)
from kdmlog.core.requests import Ask


class Event(Struct, frozen=True, kw_only=True, gc=False, tag_field="kind", omit_defaults=True):
    """A fact of the log. ``cause`` is the rule or content record that it followed from."""

    cause: str = ""


class PackRef(Struct, frozen=True):
    """Which content a campaign plays."""

    id: str
    version: int
    hash: str


class CampaignBegun(Event, frozen=True, kw_only=True, tag="core.campaign_begun"):
    """A campaign starts: sets name, players, seed and what is physical at the table."""

    name: CampaignName
    seed: str
    players: tuple[PlayerName, ...] = ()
    edition: str = ""
    variants: tuple[str, ...] = ()
    table_dice: bool = False
    table_cards: bool = False
    ask_dice: bool = False


class CampaignRenamed(Event, frozen=True, kw_only=True, tag="core.campaign_renamed"):
    """The campaign is called otherwise from here on."""

    name: CampaignName


class PacksChanged(Event, frozen=True, kw_only=True, tag="core.packs_changed"):
    """From now on these packs are in force, in this order."""

    packs: tuple[PackRef, ...]


class Reseeded(Event, frozen=True, kw_only=True, tag="core.reseeded"):
    """A branch takes other dice from here on."""

    seed: str


class Replayed(Event, frozen=True, kw_only=True, tag="core.replayed"):
    """What was done elsewhere is done again from here on, with its chance.

    That keeps its keys, and new dice begin at ``keys``. ``source`` is the hash of the head that was
    left.
    """

    keys: int
    source: Hash = ""


class DiceRolled(Event, frozen=True, kw_only=True, tag="core.dice_rolled"):
    """A roll, each face as it lay; ``key`` is our dice's first.

    ``source`` is ``app``, ``table``, or ``replayed`` for an app's roll carried over to a corrected
    past.
    """

    dice: str
    faces: tuple[int, ...]
    purpose: str
    source: str
    about: tuple[Mention, ...] = ()
    key: int | None = None


class DeckMade(Event, frozen=True, kw_only=True, tag="core.deck_made"):
    """A deck is laid out anew, face down, in the order given (the first is the top)."""

    deck: str
    cards: tuple[Card, ...]


class DeckShuffled(Event, frozen=True, kw_only=True, tag="core.deck_shuffled"):
    """The deck and the zones ``took`` become a new face-down deck in ``order``.

    ``source`` is ``app``, or ``replayed`` as for dice.
    """

    deck: str
    order: tuple[Card, ...]
    purpose: str
    key: int
    source: str = "app"
    took: tuple[str, ...] = ()
    about: tuple[Mention, ...] = ()


class CardsDrawn(Event, frozen=True, kw_only=True, tag="core.cards_drawn"):
    """Cards leave the deck for a zone (``out``: they leave the deck's zones altogether).

    ``source`` is ``app``, ``table``, ``known`` when the deck's order already told the cards, or
    ``replayed`` as for dice.
    """

    deck: str
    cards: tuple[Card, ...]
    to: str
    purpose: str
    source: str
    about: tuple[Mention, ...] = ()


class CardsMoved(Event, frozen=True, kw_only=True, tag="core.cards_moved"):
    """Known cards change their zone; on top unless ``bottom``; ``out`` leaves the deck."""

    deck: str
    cards: tuple[Card, ...]
    before: str
    to: str
    bottom: bool = False


class CardsSwapped(Event, frozen=True, kw_only=True, tag="core.cards_swapped"):
    """A card named at the table lay face down elsewhere: it and ours change places."""

    deck: str
    named: Card
    zone: str
    ours: Card


class Asked(Event, frozen=True, kw_only=True, tag="core.asked"):
    """The action begun by move ``began`` waits for an answer: sets the open question."""

    request: Ask
    began: int


class Chosen(Event, frozen=True, kw_only=True, tag="core.chosen"):
    """A decision, with what else was offered."""

    purpose: str
    picked: tuple[Mention, ...]
    offered: tuple[Mention, ...]
    about: tuple[Mention, ...] = ()
    by: Mention = ""


class Filled(Event, frozen=True, kw_only=True, tag="core.filled"):
    """What the players read from a card of theirs."""

    purpose: str
    values: dict[str, int | Line | list[Line]]
    about: tuple[Mention, ...] = ()


class Noted(Event, frozen=True, kw_only=True, tag="core.noted"):
    """A note of the players. Changes nothing."""

    text: NotedWords


class Ruled(Event, frozen=True, kw_only=True, tag="core.ruled"):
    """A figure was set by hand, and why; the game's own event beside it changes the figure."""

    path: Path
    value: Any
    why: Words


class Asserted(Event, frozen=True, kw_only=True, tag="core.asserted"):
    """Figures were counted at the real table, by path, and were so. Changes nothing."""

    counts: dict[Path, int]


class UseSpent(Event, frozen=True, kw_only=True, tag="core.use_spent"):
    """``who`` has done ``what``, which they may do once per ``scope``."""

    scope: str
    who: Mention
    what: str


class ScopeEnded(Event, frozen=True, kw_only=True, tag="core.scope_ended"):
    """An act, turn, round, showdown, phase or year is over: its uses are free again."""

    scope: str


class Deferred(Event, frozen=True, kw_only=True, tag="core.deferred"):
    """A record's steps at ``path`` will play at the moment ``at``, for the ids bound."""

    id: str
    record: str
    path: str
    at: str
    bound: dict[str, list[Mention]]
    left: int = 1


class DeferralEnded(Event, frozen=True, kw_only=True, tag="core.deferral_ended"):
    """A deferred effect has played for the last time or lapsed."""

    id: str


CORE_EVENTS: tuple[type[Event], ...] = (
    CampaignBegun,
    CampaignRenamed,
    PacksChanged,
    Reseeded,
    Replayed,
    DiceRolled,
    DeckMade,
    DeckShuffled,
    CardsDrawn,
    CardsMoved,
    CardsSwapped,
    Asked,
    Chosen,
    Filled,
    Noted,
    Ruled,
    Asserted,
    UseSpent,
    ScopeEnded,
    Deferred,
    DeferralEnded,
)

CHANCE = (DiceRolled, DeckShuffled, CardsDrawn)
"""The events in which dice or cards fall."""
ANSWERS = (DiceRolled, DeckShuffled, CardsDrawn, Chosen, Filled)
"""The events that answer a request, in the runner's words."""
