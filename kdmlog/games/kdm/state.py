"""A campaign at one moment: sheets, settlement, showdown. Only folds change it."""

# No annotations from __future__: msgspec would compile each of them whenever kdmlog starts.

from typing import Annotated

from msgspec import Meta, Struct, field

from kdmlog.core import state as core
from kdmlog.core.people import ROLE

ATTRIBUTES = ("movement", "accuracy", "strength", "evasion", "luck", "speed")
LIVING = ("alive", "retired")
"""The statuses of those who live."""
UNCONSCIOUS = "unconscious"
"""What heroes are instead of dead, until the showdown ends (Hero Mode)."""
LOCATIONS = ("head", "arms", "body", "waist", "legs")
BOXES = dict.fromkeys(LOCATIONS, ("light", "heavy")) | {
    "head": ("heavy",),
    "brain": ("light",),
}
"""The injury boxes of each location, in the order they fill (rulebook, Survivor Locations)."""
CELLS = tuple(str(cell) for cell in range(1, 10))
"""The gear grid, three rows of three, counted from the top left."""
WEAPON_TYPES = (
    "axe",
    "bow",
    "club",
    "dagger",
    "fist_and_tooth",
    "grand_weapon",
    "katana",
    "katar",
    "scythe",
    "shield",
    "spear",
    "sword",
    "thrown",
    "twilight_sword",
    "whip",
)
"""What a survivor may be proficient with (rulebook, Weapon Proficiency)."""


SurvivorId = Annotated[str, Meta(extra={ROLE: "id"})]
SurvivorName = Annotated[str, Meta(extra={ROLE: "name", "kind": "Survivor"})]
SettlementName = Annotated[str, Meta(extra={ROLE: "name", "kind": "Settlement"})]


class Parents(Struct, frozen=True):
    """A newborn's parents, by survivor id."""

    mother: SurvivorId
    father: SurvivorId


class Survivor(Struct, kw_only=True):
    """A survivor's record sheet (rulebook, Survivors)."""

    id: str
    name: str
    sex: str
    player: str = ""
    parents: Parents | None = None
    status: str = "alive"
    """alive, dead, retired or gone."""
    cause: str = ""
    """What a dead survivor died of."""
    founder: bool = False
    survival: int = 0
    insanity: int = 0
    courage: int = 0
    understanding: int = 0
    hunt_xp: int = 0
    proficiency: int = 0
    weapon_type: str = ""
    movement: int = 5
    accuracy: int = 0
    strength: int = 0
    evasion: int = 0
    luck: int = 0
    speed: int = 0
    tokens: dict[str, int] = field(default_factory=dict)
    """Attribute tokens by attribute, and ``bleeding``."""
    unsteady: dict[str, int] = field(default_factory=dict)
    """How many of them are lost when the survivor is knocked down."""
    armor: dict[str, int] = field(default_factory=dict)
    injuries: dict[str, list[str]] = field(default_factory=dict)
    """Filled boxes by location; the brain's one box is ``light``."""
    severe_injuries: list[str] = field(default_factory=list)
    """Permanent ones, as often as recorded."""
    passing: list[str] = field(default_factory=list)
    """Injuries and conditions that end with the showdown."""
    bars: dict[str, str] = field(default_factory=dict)
    """What is barred to the moment at which the bar ends."""
    fighting_arts: list[str] = field(default_factory=list)
    disorders: list[str] = field(default_factory=list)
    abilities: list[str] = field(default_factory=list)
    impairments: list[str] = field(default_factory=list)
    remembered: list[str] = field(default_factory=list)
    """Facts and benefits to come that were noted for good; a value stands behind a colon."""
    benefits: dict[str, str] = field(default_factory=dict)
    """Benefits to come, to the moment at which they lapse."""
    grid: dict[str, str] = field(default_factory=dict)
    """Cell to gear instance."""
    resources: list[str] = field(default_factory=list)
    status_cards: dict[str, int] = field(default_factory=dict)
    """Survivor status cards (the monster's AI cards) to the tokens that lie on them."""
    knocked_down: int | None = None
    """The round in which the survivor was knocked down; None: standing."""
    skip_next_hunt: bool = False
    retires: str = ""
    """Why the survivor retires when the showdown or settlement phase ends."""
    notes: list[str] = field(default_factory=list)

    @property
    def alive(self) -> bool:
        """Returns whether the survivor lives; the retired do."""
        return self.status in LIVING

    @property
    def conscious(self) -> bool:
        """Returns whether anything can befall them: alive, and (Hero Mode) not out cold."""
        return self.status in LIVING and UNCONSCIOUS not in self.passing


class Storage(Struct, kw_only=True):
    """The settlement's storage. ``unrecorded`` resources are still out of their decks."""

    gear: list[str] = field(default_factory=list)
    resources: dict[str, int] = field(default_factory=dict)
    unrecorded: dict[str, int] = field(default_factory=dict)


class Settlement(Struct, kw_only=True):
    """The settlement's record sheet."""

    name: str = ""
    lantern_year: int = 0
    population: int = 0
    death_count: int = 0
    uncounted_deaths: int = 0
    survival_limit: int = 1
    endeavors: int = 0
    innovations: list[str] = field(default_factory=list)
    locations: list[str] = field(default_factory=list)
    principles: list[str] = field(default_factory=list)
    quarries: list[str] = field(default_factory=list)
    nemeses: list[str] = field(default_factory=list)
    defeated: list[str] = field(default_factory=list)
    timeline: dict[str, list[str]] = field(default_factory=dict)
    """Lantern year to what was added to it beyond the pack's timeline."""
    milestones: list[str] = field(default_factory=list)
    remembered: list[str] = field(default_factory=list)
    storage: Storage = field(default_factory=Storage)
    returning: list[str] = field(default_factory=list)
    departing: list[str] = field(default_factory=list)
    hunt: str = ""
    """The quarry and its level that the departing survivors hunt, as ``white_lion:1``."""
    encounter: str = ""
    """The nemesis and its level that they face, as ``butcher:1``."""


class Controller(Struct, kw_only=True):
    """Who holds the monster controller tile, and which survivors have been named for it."""

    player: str = ""
    survivor: str = ""
    named: list[str] = field(default_factory=list)


class Act(Struct, kw_only=True):
    """The act of the survivor acting now, with what is left to spend."""

    survivor: str
    movement: int = 1
    activation: int = 1


AI_IN_PLAY = ("playing", "face_up", "in_play")
"""Zones of the AI deck that lie open: the card that is played, a duration, moods and traits."""
BOUNDLESS = 99
"""The movement of a monster that moves as far as it likes."""
RETINUE = "retinue"
"""What nine of the settlement are who fight as one on the board (rulebook, Retinue Rules)."""
RETINUE_SIZE = 3
"""How many spaces its base is wide and deep."""
Space = tuple[int, int]
"""A space of the showdown board: column and row, from 1 at the bottom left."""


class Tile(Struct, kw_only=True):
    """A terrain tile on the board; ``at`` is its bottom left space."""

    terrain: str
    at: Space
    width: int = 1
    height: int = 1


class Board(Struct, kw_only=True):
    """Where everyone stands: 22 columns by 16 rows (rulebook, Showdown Board Setup)."""

    size: int = 2
    """How many spaces the monster's base is wide and deep: 2, or 3 for the largest."""
    monster: Space | None = None
    """The bottom left space of the monster's base; None while it is off the board."""
    facing: str = "s"
    """n, e, s or w."""
    survivors: dict[str, Space] = field(default_factory=dict)
    retinues: dict[str, Space] = field(default_factory=dict)
    """By the survivor who commands it, the bottom left space of its base."""
    tiles: dict[str, Tile] = field(default_factory=dict)


class Showdown(Struct, kw_only=True):
    """A showdown. Cards are in the decks ``ai`` and ``hit_locations``."""

    number: int
    monster: str
    level: str
    movement: int
    toughness: int
    speed: int
    damage: int
    survivors: list[str]
    first_story: bool = False
    round: int = 1
    turn: str = "monster"
    tokens: dict[str, int] = field(default_factory=dict)
    controller: Controller = field(default_factory=Controller)
    act: Act | None = None
    acted: list[str] = field(default_factory=list)
    target: str = ""
    """The survivor that the AI card in play has picked."""
    attacker: str = ""
    """The survivor whose attack is being resolved."""
    moved: bool = False
    """Whether the monster has moved during that attack."""
    knocked_down: bool = False
    draws_due: int = 0
    """AI cards still to be drawn this turn."""
    priority_target: str = ""
    priority_round: int = 0
    all_are_threats: int = 0
    """The last round in which the knocked down count as threats, too."""
    last_weapon: dict[str, str] = field(default_factory=dict)
    weapon: str = ""
    """The card of the weapon whose attack is being resolved."""
    wounded_with: dict[str, list[str]] = field(default_factory=dict)
    """Survivor to the weapons with which they have wounded the monster."""
    last_wounder: str = ""
    wounds: int = 0
    wounds_this_round: int = 0
    life: int | None = None
    """What is left of the Life trait; None: wounds take AI cards."""
    life_most: int = 0
    """What it began with: healing goes no further."""
    life_first: bool = False
    """Life has to be used up before wounds take AI cards; else the monster dies with it."""
    card_tokens: dict[str, int] = field(default_factory=dict)
    """Tokens on AI cards in play."""
    passing: dict[str, dict[str, int]] = field(default_factory=dict)
    """Moment to the attribute tokens of the monster that go then."""
    outcome: str = ""
    """victory or defeat; empty while it goes on."""
    killer: str = ""
    away: dict[str, bool] = field(default_factory=dict)
    """Who has run away, to whether they will be back."""
    joined: list[str] = field(default_factory=list)
    """Who came in its midst for those who fell."""
    survival_action: str = ""
    """The survivor whose survival action is being resolved: nobody else takes one meanwhile."""
    last_controller: str = ""
    """The player who held the monster controller tile in the round before."""
    ambush: str = ""
    """Who ambushed the others: monster or survivors; empty: nobody."""
    board: Board | None = None
    """None: no positions are kept, the players are asked."""


class Phase(Struct, kw_only=True):
    """Where the campaign stands: prologue, showdown, aftermath, settlement or hunt; its step."""

    name: str = "prologue"
    step: str = "survivors"


class State(core.State, kw_only=True):
    """The whole campaign."""

    phase: Phase = field(default_factory=Phase)
    survivors: dict[str, Survivor] = field(default_factory=dict)
    settlement: Settlement = field(default_factory=Settlement)
    showdown: Showdown | None = None
    showdowns: int = 0
    gear: dict[str, str] = field(default_factory=dict)
    """Gear instance to card."""
    gear_made: dict[str, int] = field(default_factory=dict)
    """How many instances of a card there have been: ids are never used twice."""
    diagrams: dict[str, str] = field(default_factory=dict)
    """What the players read from a diagram of their book, ``white_lion.blind_spot`` to its words:
    each is asked for once in a campaign."""
