"""What ``--json`` prints of the game's sheets and of its packs, imported only to print it."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from kdmlog.core.requests import Ask
from kdmlog.games.kdm import views
from kdmlog.games.kdm.explained import Explained
from kdmlog.games.kdm.odds import Odds
from kdmlog.games.kdm.onboard import OnBoard
from kdmlog.packs.coverage import Coverage
from kdmlog.packs.findings import Finding

# --- sheets ---------------------------------------------------------------------------------------


class Grid(Struct, frozen=True):
    """A survivor's gear grid: cell to gear card, colour to affinities, location to armor."""

    grid: dict[str, str]
    affinities: dict[str, int]
    armor: dict[str, int]


class Orders(Struct, frozen=True):
    """The face-down cards of the monster's decks by zone, top first."""

    ai: dict[str, list[str]]
    hit_locations: dict[str, list[str]]


class Decks(Struct, frozen=True):
    """The monster's decks; ``orders`` is there only with ``--spoilers``."""

    ai: views.AiDeck
    hit_locations: views.HitLocationDeck
    orders: Orders | UnsetType = UNSET


class Replayed(Struct, frozen=True):
    """A move of the past: its facts in words, what it left open, and the showdown after it.

    It is of the action that ``began`` with that move; ``text`` says what that had come to.
    ``orders`` are there only with ``--spoilers``.
    """

    move: int
    hash: str
    by: str
    at: str
    began: int
    text: str
    facts: list[str]
    open: Ask | None
    showdown: views.Showdown | None
    orders: Orders | UnsetType = UNSET


class Innovations(Struct, frozen=True):
    """The settlement's innovations and principles, and what can be innovated."""

    innovations: list[str]
    principles: list[str]
    innovation_deck: list[str]


class Offers(Struct, frozen=True):
    """What a location offers, each with its cost in words."""

    endeavors: dict[str, str]
    build: dict[str, str]
    craft: dict[str, str]


class Locations(Struct, frozen=True):
    """The settlement's locations, and by location what it offers."""

    locations: list[str]
    offers: dict[str, Offers]


# --- packs ----------------------------------------------------------------------------------------


class ListedPack(Struct, frozen=True):
    """A pack in force."""

    id: str
    title: str
    version: int
    hash: str


class Packs(Struct, frozen=True):
    """The packs in force, and by kind how many records they bring."""

    packs: list[ListedPack]
    records: dict[str, int]


class ListedRecord(Struct, frozen=True):
    """A record of a kind, and the pack that it is from."""

    id: str
    name: str
    pack: str


class ShownRecord(Struct, frozen=True):
    """A record in full; ``schemas/`` has the fields of each kind as ``kdm.KIND.json``."""

    kind: str
    id: str
    pack: str
    fields: dict[str, Any]


class CheckedPack(Struct, frozen=True):
    """A pack with how many records it has; None if it is broken, with what is wrong with it."""

    pack: str
    records: int | None
    findings: list[Finding]


class Checked(Struct, frozen=True):
    """The packs that were checked."""

    packs: list[CheckedPack]


class Covered(Struct, frozen=True):
    """How much plays by itself, by kind; the records that others name and no pack has.

    ``missing`` counts those, or how many more there are in print.
    """

    kinds: dict[str, Coverage]
    missing: dict[str, list[str]]


class Example(Struct, frozen=True):
    """An example of a game's paper sheets, as a file's text."""

    game: str
    sheet: str


KDM_DOCUMENTS: dict[str, Any] = {
    "survivor_list": dict[str, views.Survivor],
    "survivor_show": views.Survivor,
    "gear_show": Grid,
    "showdown_show": views.Showdown | None,
    "showdown_board": OnBoard | None,
    "showdown_decks": Decks | None,
    "replay": Replayed,
    "settlement_show": views.Settlement,
    "settlement_storage": views.Storage,
    "settlement_timeline": dict[str, list[str]],
    "settlement_innovations": Innovations,
    "settlement_locations": Locations,
    "attack_explain": Explained,
    "odds_attack": Odds,
    "content_list": Packs | list[ListedRecord],
    "content_show": ShownRecord,
    "content_check": Checked,
    "content_coverage": Covered,
    "content_sheet": Example,
}
"""By the command that prints it."""
