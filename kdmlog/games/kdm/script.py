"""The effect script: how a card, an injury row or an event says what it does, as typed steps.

A step is a mapping with exactly one verb. Nothing here is evaluated as text: rows, groups and
conditions are data, checked when a pack is loaded and played by ``rules/script.py``.
"""

# No annotations from __future__: msgspec would compile each of them whenever kdmlog starts.

import re
from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

from kdmlog.core.dice import parse
from kdmlog.core.errors import BadInput


class Script(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The base of everything a script is made of."""


# --- who, conditions, amounts -------------------------------------------------------------------


class Modifier(Script, frozen=True, kw_only=True):
    """A change to a roll, under a condition."""

    by: int
    if_: "str | Condition | None" = field(name="if", default=None)


class Contest(Script, frozen=True, kw_only=True):
    """A roll of each survivor that decides who stands highest or lowest."""

    roll: str
    add: list[str | Modifier] = []


class Group(Script, frozen=True, kw_only=True):
    """Survivors picked out of the group ``of``: by a condition, at random, or by a figure."""

    of: str = "all"
    where: "str | Condition | None" = None
    random: int | None = None
    highest: str | Contest | None = None
    lowest: str | Contest | None = None
    ties: str = "all"


class Has(Script, frozen=True, kw_only=True):
    """What a survivor bears or carries; ``gear`` is a keyword, ``gear_id`` a card."""

    who: str | Group | None = None
    gear: str | None = None
    gear_id: str | None = None
    disorder: str | None = None
    injury: str | None = None
    count: int = 1
    ability: str | None = None
    fighting_art: str | None = None
    resource: str | None = None


class Condition(Script, frozen=True, kw_only=True):
    """Holds when each of its parts holds, for the meant survivor unless ``who`` is given."""

    who: str | Group | None = None
    stat: dict[str, str | int] | None = None
    has: Has | None = None
    sex: str | None = None
    innovated: str | None = None
    principle: str | None = None
    edition: str | None = None
    location: str | None = None
    resources: str | int | None = None
    """How many resources the settlement has."""
    year: str | int | None = None
    phase: str | None = None
    monster_level: str | int | None = None
    barred: str | None = None
    persistent: str | None = None
    """A persistent injury of the monster that is in play."""
    terrain_there: str | None = None
    """There is such terrain in the showdown."""
    beside_terrain: str | None = None
    """The monster stands on or beside such terrain."""
    monster_wounds: str | int | None = None
    """How many wounds the monster has suffered."""
    damaged: str | int | None = None
    """How many hits of the card's last attack damaged its target."""
    passed: str | None = None
    wielding: str | None = None
    """The attack under way is made with a weapon of this id or keyword."""
    encounter: bool | None = None
    """A nemesis awaits those who depart."""
    remembers: str | None = None
    """Something is noted for the survivor: as named, or with its own value, ``weak_spot:head``."""
    armored: str | None = None
    """There are armor points at the location."""
    bonus: str | None = None
    """The affinity bonus of this gear card is gained."""
    only: str | None = None
    """All gear carried has this keyword."""
    no_affinities: bool | None = None
    """There is no affinity at all."""
    weapon_type: str | None = None
    """What the survivor's weapon proficiency is in."""
    monster: str | None = None
    """The monster of the showdown; ``nemesis`` is any of them."""
    alone: bool | None = None
    """Nobody else is left in the showdown."""
    lost_anyone: bool | None = None
    any_of: str | None = None
    in_play: str | None = None
    """An AI card is in play; of a status card: the one meant has it."""
    card_tokens: str | int | None = None
    """How many tokens lie on the card."""
    wounds_this_round: str | int | None = None
    aura: str | None = None
    """The colour of most of the survivor's affinities; ``white`` when none has the most."""
    all: "list[str | Condition] | None" = None
    any: "list[str | Condition] | None" = None
    not_: "str | Condition | None" = field(name="not", default=None)


class Figure(Script, frozen=True, kw_only=True):
    """An amount that is rolled or read off: ``{roll: 1d5}``, ``{stat: movement}``, ``{level: 1}``.

    ``level`` is so many per monster level; ``survival_limit`` is a stat, too, and ``suffered`` the
    damage that the moment is about. ``times`` multiplies.
    """

    roll: str | None = None
    stat: str | None = None
    level: int | None = None
    times: int = 1


# --- verbs: asking and flow -----------------------------------------------------------------------


class Twice(Script, frozen=True, kw_only=True):
    """Under a condition a table is rolled twice, and ``keep`` says which result holds."""

    if_: str | Condition = field(name="if")
    keep: str
    """lowest or choose."""


class Table(Script, frozen=True, kw_only=True):
    """Roll and play the row that fits. ``add`` names stats or conditional modifiers."""

    roll: str
    rows: "dict[str, list[Step]]"
    who: str | Group | None = None
    add: list[str | Modifier] = []
    twice: list[Twice] = []
    purpose: str = ""


class Choice(Script, frozen=True, kw_only=True):
    """One option of a choice; ``must`` is the condition under which it may be taken."""

    steps: "list[Step]" = []
    must: str | Condition | None = None
    label: str = ""


class Choose(Script, frozen=True, kw_only=True):
    """A decision among options with steps, or of survivors ``from`` a group, kept ``as`` a name."""

    by: str = ""
    options: dict[str, Choice] | None = None
    from_: str | Group | None = field(name="from", default=None)
    as_: str | None = field(name="as", default=None)
    at_least: int = 1
    up_to: int = 1
    purpose: str = ""


class Pay(Script, frozen=True, kw_only=True):
    """A cost and what happens when it is not, or cannot be, paid; ``may``: paying is a choice.

    ``resource`` is a type, an id, ``any``, or ``latest``: any of those not recorded yet.
    """

    survival: int | None = None
    resource: str | None = None
    count: int | Figure = 1
    may: bool = False
    then: "list[Step]" = []
    else_: "list[Step]" = field(name="else", default=[])


class If(Script, frozen=True, kw_only=True):
    """Steps under a condition."""

    is_: str | Condition = field(name="is")
    then: "list[Step]" = []
    else_: "list[Step]" = field(name="else", default=[])


class Each(Script, frozen=True, kw_only=True):
    """The steps once for each of a group, who is then the one meant."""

    who: str | Group
    steps: "list[Step]"


class Bind(Script, frozen=True, kw_only=True):
    """Keeps a group under a name."""

    as_: str = field(name="as")
    who: str | Group


class Split(Script, frozen=True, kw_only=True):
    """Each of a group rolls and falls into a named group."""

    who: str | Group
    roll: str
    into: dict[str, str | int]


class Again(Script, frozen=True, kw_only=True):
    """The table once more, with a modifier."""

    add: int = 0


class Later(Script, frozen=True, kw_only=True):
    """Steps that play at a named moment to come; or an endeavor offered until then."""

    at: str
    steps: "list[Step]" = []
    rounds: list[int] = []
    endeavor: str | None = None
    required_of: str | None = None


# --- verbs: survivors -----------------------------------------------------------------------------


class Stats(Script, frozen=True, kw_only=True):
    """Figures of a survivor to gain, lose or set, for ever; attributes among them."""

    who: str | Group | None = None
    survival: int | Figure | None = None
    insanity: int | Figure | None = None
    courage: int | Figure | None = None
    understanding: int | Figure | None = None
    hunt_xp: int | Figure | None = None
    proficiency: int | Figure | None = None
    movement: int | Figure | None = None
    accuracy: int | Figure | None = None
    strength: int | Figure | None = None
    evasion: int | Figure | None = None
    luck: int | Figure | None = None
    speed: int | Figure | None = None


class Until(Script, frozen=True, kw_only=True):
    """When tokens go, if not with the showdown: in a round, or with their owner's footing."""

    round: int = 0
    knocked_down: bool = False


class Tokens(Script, frozen=True, kw_only=True):
    """Tokens gained (negative: of the negative kind), bleeding among them."""

    who: str | Group | None = None
    bleeding: int | None = None
    movement: int | Figure | None = None
    accuracy: int | Figure | None = None
    strength: int | Figure | None = None
    evasion: int | Figure | None = None
    luck: int | Figure | None = None
    speed: int | Figure | None = None
    age: int | Figure | None = None
    tempo: int | Figure | None = None
    retinue: int | Figure | None = None
    """Retinues beside the attacker, while an attack lasts."""
    until: Until | None = None


class LoseTokens(Script, frozen=True, kw_only=True):
    """All tokens of these kinds go; ``positive``: those that are of use to their owner."""

    tokens: list[str]
    who: str | Group | None = None


class Damage(Script, frozen=True, kw_only=True):
    """Damage outside an attack profile, ``event`` (non-lethal) or ``normal``; ``at: brain`` too.

    ``at`` is a location, ``random`` (the location die) or ``every``.
    """

    who: str | Group | None = None
    event: int | Figure | None = None
    normal: int | Figure | None = None
    at: str = "random"
    ignores_armor: bool = False


class Heal(Script, frozen=True, kw_only=True):
    """Injury boxes erased and armor restored, at a location or at ``every`` one."""

    who: str | Group | None = None
    at: str = "every"


class Suffer(Script, frozen=True, kw_only=True):
    """A severe injury by its id, or a roll at a location, to which ``add`` is added."""

    injury: str | None = None
    at: str | None = None
    add: int = 0
    who: str | Group | None = None


class Gain(Script, frozen=True, kw_only=True):
    """A card for a survivor: by id, ``random`` from its deck, or of one's choice; or one lost.

    Of several ``drawn`` at random the player gains one.
    """

    who: str | Group | None = None
    id: str | None = None
    random: bool = False
    drawn: Annotated[int, msgspec.Meta(ge=1)] = 1
    choose: bool = False
    remove: str | None = None


class Named(Script, frozen=True, kw_only=True):
    """An impairment or ability gained or removed."""

    gain: str | None = None
    remove: str | None = None
    who: str | Group | None = None


class People(Script, frozen=True, kw_only=True):
    """A verb that needs only its people; empty: the one meant."""

    who: str | Group | None = None


class Bar(Script, frozen=True, kw_only=True):
    """What a survivor may not do until a moment (``showdown_end``, ``card_end``)."""

    what: list[str]
    until: str
    who: str | Group | None = None


class Revive(Script, frozen=True, kw_only=True):
    """A dead survivor lives again with the gear named, to the hunt or the settlement."""

    who: str | Group
    gear: list[str]
    to: list[str]


# --- verbs: things, settlement, hunt --------------------------------------------------------------


class GainResource(Script, frozen=True, kw_only=True):
    """A resource by id, drawn from a deck or chosen in it; for the survivor, or into storage.

    The deck ``monster`` is that of the one fought.
    """

    id: str | None = None
    deck: str | None = None
    choose: bool = False
    count: int | Figure = 1
    who: str | Group | None = None
    to: str = "survivor"


class ArchiveGear(Script, frozen=True, kw_only=True):
    """Gear that is archived: all with a keyword, a card, or the armor worn at a location.

    ``one`` with a keyword is of the players' choice, out of the settlement's whole gear.
    """

    one: str | None = None
    all: str | None = None
    id: str | None = None
    worn: str | None = None
    who: str | Group | None = None


class GainGear(Script, frozen=True, kw_only=True):
    """Gear by id, for a survivor or into storage."""

    id: str
    to: str = "survivor"
    who: str | Group | None = None


class Remember(Script, frozen=True, kw_only=True):
    """A benefit to come that lasts until a moment: ``showdown_end``, ``settlement_end``."""

    what: str
    until: str


class Add(Script, frozen=True, kw_only=True):
    """A line on the timeline, in so many years."""

    add: str
    in_years: int


class LosePerson(Script, frozen=True, kw_only=True):
    """The population changes by so many; ``lost``: it falls by them."""

    by: int | Figure
    lost: bool = False


class Absent(Script, frozen=True, kw_only=True):
    """Survivors who join the showdown only in a later round."""

    who: str | Group
    showdown_round: int


class Ambush(Script, frozen=True, kw_only=True):
    """The showdown begins, with who ambushes whom."""

    ambush: str | None = None


class Birth(Script, frozen=True, kw_only=True):
    """So many newborns of the bound ``mother`` and ``father``."""

    count: int = 1


# --- verbs: showdown ------------------------------------------------------------------------------


class Attack(Script, frozen=True, kw_only=True):
    """The monster's attack on its target; triggers are steps, played once per attack.

    Without a printed ``damage`` nothing is damaged: ``each_hit`` plays for each hit instead.
    """

    speed: int
    accuracy: int
    damage: int | None = None
    at: str | None = None
    each_hit: "list[Step]" = []
    after_hit: "list[Step]" = []
    before_damage: "list[Step]" = []
    after_damage: "list[Step]" = []
    reach: int | None = None
    move: bool = True
    chain: bool = False
    """Each hit adds one more attack roll."""
    severe: int = 0
    """Added to the rolls for severe injuries from it."""


class Monster(Script, frozen=True, kw_only=True):
    """What happens to the monster: tokens, wounds, healing, knocked down, dead.

    Tokens last for the showdown, or ``until`` a moment: ``monster_turn``, the start of its next
    turn; ``monster_turn_end``, the end of it; ``round_end``.
    """

    movement: int | None = None
    toughness: int | None = None
    speed: int | None = None
    damage: int | None = None
    accuracy: int | None = None
    evasion: int | None = None
    luck: int | None = None
    wounds: int | None = None
    heal: int | Figure | None = None
    knocked_down: bool = False
    dies: bool = False
    until: str = ""


class Knockback(Script, frozen=True, kw_only=True):
    """The survivor is pushed so many spaces straight away from the monster, or toward the edge."""

    spaces: int | Figure
    who: str | Group | None = None
    toward: str | None = None
    """``edge``: the closest one."""


class Pull(Script, frozen=True, kw_only=True):
    """Survivors are pulled up to so many spaces toward the monster, by the way that is free."""

    spaces: int
    who: str | Group | None = None


class Basic(Script, frozen=True, kw_only=True):
    """The monster's basic action; with a target it picks none. Speed and damage are added."""

    target: str | Group | None = None
    speed: int = 0
    damage: int = 0


class Status(Script, frozen=True, kw_only=True):
    """A survivor status card that is gained or lost."""

    gain: str | None = None
    lose: str | None = None
    who: str | Group | None = None


class OnLocations(Script, frozen=True, kw_only=True):
    """So many copies of a hit location card lie on top of their deck, wherever they were."""

    card: str
    count: int


class Move(Script, frozen=True, kw_only=True):
    """The monster moves: toward, away, forward or back; on the board, or by the players' hand.

    ``of`` says what it moves toward or away from: a group (the target, unless said), ``centre``, or
    ``terrain:ID``, the closest of it. ``spaces`` is how far, unless it is a full move.
    """

    how: str
    of: str | None = None
    spaces: int | None = None


class Retinue(Script, frozen=True, kw_only=True):
    """Retinues on the board are struck, or ``destroyed``: of those meant, or all ``faced``."""

    who: str | Group | None = None
    destroyed: bool = False
    faced: bool = False
    """All that the monster faces, whoever commands them."""


class Place(Script, frozen=True, kw_only=True):
    """Survivors are put ``in_front`` of the monster, ``adjacent`` to it, or ``off`` the board.

    It is no movement.
    """

    who: str | Group | None = None
    at: str = "in_front"


class PlaceMonster(Script, frozen=True, kw_only=True):
    """The monster is put in the ``centre`` of the board, ``adjacent`` to somebody, or ``off`` it.

    Adjacent it covers as many others as it can: it materializes.
    """

    at: str
    of: str | Group | None = None


class Flee(Script, frozen=True, kw_only=True):
    """A survivor runs away, home for good unless they come ``back``."""

    who: str | Group | None = None
    back: bool = False


class ComeBack(Script, frozen=True, kw_only=True):
    """Somebody who ran away is put down again, ``adjacent`` to the monster or at an ``edge``."""

    at: str
    who: str | Group | None = None


# --- verbs: things that are used ------------------------------------------------------------------


class Reorder(Script, frozen=True, kw_only=True):
    """The next cards of a deck are looked at and put back in the order that is chosen.

    With ``bottom`` a single card may go to the bottom of the deck instead.
    """

    deck: str
    count: int
    bottom: bool = False


class More(Script, frozen=True, kw_only=True):
    """What the acting survivor may spend besides."""

    movement: int = 0
    activation: int = 0


class ArmorPoints(Script, frozen=True, kw_only=True):
    """Armor points gained at every hit location."""

    every: int
    who: str | Group | None = None


class Walk(Script, frozen=True, kw_only=True):
    """A survivor may move up to so many spaces, which is no movement that is spent.

    ``away``: only further from the monster than they stand.
    """

    spaces: int
    away: bool = False
    who: str | Group | None = None


class Swing(Script, frozen=True, kw_only=True):
    """An attack of the survivor's with a weapon that gets to the monster, and so much strength.

    With ``side`` it is the weapon that lies left or right of this gear card, and no two-handed one;
    else it is a melee weapon of their choice.
    """

    side: str = ""
    strength: int = 0


class Exchange(Script, frozen=True, kw_only=True):
    """Two figures of the survivor change places."""

    one: str
    other: str


# --- the step -------------------------------------------------------------------------------------


class Step(Script, frozen=True, kw_only=True):
    """One step: exactly one of these verbs."""

    table: Table | UnsetType = UNSET
    choose: Choose | UnsetType = UNSET
    pay: Pay | UnsetType = UNSET
    if_: If | UnsetType = field(name="if", default=UNSET)
    each: Each | UnsetType = UNSET
    bind: Bind | UnsetType = UNSET
    split: Split | UnsetType = UNSET
    row: str | int | UnsetType = UNSET
    again: Again | UnsetType = UNSET
    later: Later | UnsetType = UNSET

    gain: Stats | UnsetType = UNSET
    lose: Stats | UnsetType = UNSET
    set: Stats | UnsetType = UNSET
    tokens: Tokens | UnsetType = UNSET
    damage: Damage | UnsetType = UNSET
    heal: Heal | UnsetType = UNSET
    suffer: Suffer | UnsetType = UNSET
    knock_down: People | UnsetType = UNSET
    disorder: Gain | UnsetType = UNSET
    fighting_art: Gain | UnsetType = UNSET
    cure: People | UnsetType = UNSET
    """One disorder is removed, of the player's choice."""
    ability: Named | UnsetType = UNSET
    impairment: Named | UnsetType = UNSET
    skip_next_hunt: People | UnsetType = UNSET
    die: People | UnsetType = UNSET
    leave: People | UnsetType = UNSET
    """Never to be seen again; what they carried stays."""
    mend: str | UnsetType = UNSET
    """A permanent injury is one of the past."""
    return_from_death: int | UnsetType = UNSET
    """So many who died in the showdown, at random, are back in the settlement with a new name."""
    retire: People | UnsetType = UNSET
    """At the end of the showdown or settlement phase."""
    bar: Bar | UnsetType = UNSET
    frenzy: People | UnsetType = UNSET
    revive: Revive | UnsetType = UNSET

    gain_resource: GainResource | UnsetType = UNSET
    lose_resource: int | str | UnsetType = UNSET
    """So many of the settlement's resources, of the players' choice; or ``all``."""
    gain_gear: GainGear | UnsetType = UNSET
    archive_gear: ArchiveGear | UnsetType = UNSET

    population: LosePerson | UnsetType = UNSET
    endeavors: int | UnsetType = UNSET
    innovation: str | UnsetType = UNSET
    lose_innovation: str | UnsetType = UNSET
    """If the settlement has it, it goes back into the innovation deck."""
    location: str | UnsetType = UNSET
    quarry: str | UnsetType = UNSET
    principle: str | UnsetType = UNSET
    timeline: Add | UnsetType = UNSET
    game_over: int | UnsetType = UNSET
    birth: Birth | UnsetType = UNSET
    remember: str | Remember | UnsetType = UNSET
    """A fact or benefit is noted for the survivor, or else for the settlement."""
    forget: str | UnsetType = UNSET

    roll_again: int | UnsetType = UNSET
    ambush: str | UnsetType = UNSET
    begin_showdown: Ambush | UnsetType = UNSET
    absent_until: Absent | UnsetType = UNSET

    attack: Attack | UnsetType = UNSET
    monster: Monster | UnsetType = UNSET
    knockback: Knockback | UnsetType = UNSET
    pull: Pull | UnsetType = UNSET
    basic_action: Basic | UnsetType = UNSET
    move: Move | UnsetType = UNSET
    place: Place | UnsetType = UNSET
    place_monster: PlaceMonster | UnsetType = UNSET
    turn_to: People | UnsetType = UNSET
    retinue: Retinue | UnsetType = UNSET
    grab: People | UnsetType = UNSET
    """In front of the monster, knocked down, 1 damage for each monster level."""
    draw_ai: int | UnsetType = UNSET
    perform: str | UnsetType = UNSET
    """The steps of another AI card, which is not drawn."""
    instinct: int | UnsetType = UNSET
    """The monster's instinct, ``instinct: 1``: nobody is in a card's zone."""
    card: str | UnsetType = UNSET
    """Where this AI card goes: deck_top, deck_bottom, archive, discard or in_play."""
    card_tokens: int | Figure | UnsetType = UNSET
    """Tokens on this AI card; below zero they come off."""
    turn_over: str | UnsetType = UNSET
    """This AI card shows its other side, a record of its own."""
    discard_card: str | UnsetType = UNSET
    """Another AI card leaves play."""
    end_turn: int | UnsetType = UNSET
    """The monster's turn ends: it draws no more."""
    status: Status | UnsetType = UNSET
    lose_tokens: LoseTokens | UnsetType = UNSET
    consumed: int | UnsetType = UNSET
    """The monster has eaten something."""
    shuffle: str | UnsetType = UNSET
    """A deck of the monster's, with its discard pile."""
    locations_on_top: OnLocations | UnsetType = UNSET
    flow: int | UnsetType = UNSET
    """An opportunity to interrupt, ``flow: 1`` where the card shows its bar."""
    cancel: str | UnsetType = UNSET
    """``hit``: the location is not wounded; ``attack``: nor is any other. Of a drawn ``card``:
    nothing of it happens."""
    flee: Flee | UnsetType = UNSET
    come_back: ComeBack | UnsetType = UNSET
    priority_target: People | UnsetType = UNSET
    hide: People | UnsetType = UNSET
    """No threat until they attack or leave where they hide, and no priority target."""
    archive_terrain: int | str | UnsetType = UNSET
    """The terrain tile that was activated; or one of a card, on or beside which the monster is."""
    all_are_threats: int | UnsetType = UNSET
    """The knocked down count as threats, too, until so many rounds after this one have ended."""
    discard_mood: int | UnsetType = UNSET
    reveal_ai: int | UnsetType = UNSET
    """The top AI card is shown and lies on top again."""

    reorder: Reorder | UnsetType = UNSET
    reshuffle: str | UnsetType = UNSET
    """A deck is shuffled with its discard."""
    more: More | UnsetType = UNSET
    armor: ArmorPoints | UnsetType = UNSET
    destroy_armor: str | UnsetType = UNSET
    """Armor points at a location fall to 0; ``hit``: where the monster's attack hits."""
    heal_location: People | UnsetType = UNSET
    """One hit location is healed, injuries and armor, of the player's choice."""
    tokens_off: People | UnsetType = UNSET
    """All tokens are taken off."""
    token_off: People | UnsetType = UNSET
    """One bleeding or negative token is taken off, of the player's choice."""
    stand: People | UnsetType = UNSET
    """Whoever is knocked down stands up."""
    exchange: Exchange | UnsetType = UNSET
    walk: Walk | UnsetType = UNSET
    swing: Swing | UnsetType = UNSET
    lay_terrain: str | UnsetType = UNSET
    """One more tile of a terrain card, where kdmlog's own arrangement puts it."""

    say: str | UnsetType = UNSET
    """One short line of ours: what the players have to see to."""
    trigger: str | UnsetType = UNSET
    """A story event, at once."""
    ask_table: str | UnsetType = UNSET
    """Assisted: the players read the effect from their card; our short hint what to look for."""

    def __post_init__(self) -> None:
        if sum(1 for _ in self._set()) != 1:
            raise ValueError(f"a step needs exactly one verb; this has {list(self._set())}")

    def _set(self) -> Iterator[str]:
        for name, encoded in zip(
            self.__struct_fields__, self.__struct_encode_fields__, strict=True
        ):
            if getattr(self, name) is not UNSET:
                yield encoded

    @property
    def verb(self) -> str:
        """Returns the step's verb as written."""
        return next(self._set())

    @property
    def body(self) -> object:
        """Returns what stands behind the verb."""
        return next(
            value for name in self.__struct_fields__ if (value := getattr(self, name)) is not UNSET
        )


# --- ranges ---------------------------------------------------------------------------------------

_HIGHEST = {"d5": 5, "d10": 10, "d100": 100, "location": 6}
_RANGE = r"(\d+)(?:-(\d+)|(\+)|(-))?$"


def span(text: str | int) -> tuple[int, int]:
    """Returns the lowest and highest number that ``3``, ``1-3``, ``9+`` or ``3-`` covers.

    Raises ValueError for anything else.
    """
    found = re.match(_RANGE, str(text))
    if not found:
        raise ValueError(f"{text!r} is no range such as 3, 1-3, 9+ or 3-")
    first = int(found[1])
    if found[2]:
        return first, int(found[2])
    if found[3]:
        return first, 10**6
    if found[4]:
        return -(10**6), first
    return first, first


def within(number: int, text: str | int) -> bool:
    """Returns whether a number lies in a range."""
    if text in ("odd", "even"):
        return number % 2 == (text == "odd")
    low, high = span(text)
    return low <= number <= high


def row(rows: dict[str, list[Step]], number: int) -> str:
    """Returns the key of the row that a result falls in; the ends of the table are open.

    A modified result may leave the dice's range: the first and last rows take it.
    """
    for key in rows:
        if within(number, key):
            return key
    spans = {key: span(key) for key in rows if key not in ("odd", "even")}
    if number < min(low for low, _ in spans.values()):
        return min(spans, key=lambda key: spans[key][0])
    return max(spans, key=lambda key: spans[key][1])


def gaps(rows: dict[str, list[Step]], lowest: int, highest: int) -> list[str]:
    """Returns what is wrong with a table's rows for dice from ``lowest`` to ``highest``."""
    wrong = []
    for number in range(lowest, highest + 1):
        try:
            hits = [key for key in rows if within(number, key)]
        except ValueError as error:
            return [str(error)]
        if len(hits) != 1:
            wrong.append(f"{number} is in {len(hits)} rows")
    return wrong


# --- looking into a script ------------------------------------------------------------------------

_ASKS = {
    "table": "roll",
    "choose": "choose",
    "pay": "choose",
    "split": "roll",
    "attack": "roll",
    "suffer": "roll",
    "lose_resource": "choose",
    "ask_table": "fill",
    "flow": "opportunity",
    "come_back": "fill",
}


def walk(steps: list[Step], path: str = "") -> Iterator[tuple[str, Step]]:
    """Yields every step with its path (``0.table.rows.1-3.0``), parents before children."""
    for number, step in enumerate(steps):
        here = f"{path}{number}"
        yield here, step
        yield from _inside(step.body, f"{here}.{step.verb}")


def _inside(thing: object, path: str) -> Iterator[tuple[str, Step]]:
    if isinstance(thing, Struct):
        for name in thing.__struct_fields__:
            yield from _inside(getattr(thing, name), f"{path}.{name.rstrip('_')}")
    elif isinstance(thing, dict):
        for key, value in thing.items():
            yield from _inside(value, f"{path}.{key}")
    elif isinstance(thing, list) and thing and isinstance(thing[0], Step):
        yield from walk(thing, f"{path}.")


def find_later(record: Struct, path: str) -> Later:
    """Returns the ``later`` that stands at a path inside a record, as the log remembers it.

    Raises KeyError when the packs in force have none there.
    """
    for here, step in steps_of(record):
        if isinstance(step.body, Later) and f"{here}.later" == path:
            return step.body
    raise KeyError(path)


def requests(steps: list[Step]) -> list[str]:
    """Returns what playing the steps may ask, in order: ``0.table: roll 1d10`` and so on."""
    found = []
    for path, step in walk(steps):
        body = step.body
        for group in _groups(body):
            contest = group.lowest or group.highest
            if isinstance(contest, Contest):
                found.append(f"{path}.{step.verb}: roll {contest.roll} each")
            if group.random:
                found.append(f"{path}.{step.verb}: roll at random")
        if step.verb in _ASKS:
            dice = getattr(body, "roll", "")
            found.append(f"{path}.{step.verb}: {_ASKS[step.verb]} {dice}".rstrip())
        elif isinstance(body, Damage) and body.at == "random":
            found.append(f"{path}.{step.verb}: roll location")
        elif isinstance(body, GainResource) and body.deck:
            found.append(f"{path}.{step.verb}: draw {body.deck}")
        elif isinstance(body, Gain) and body.random:
            found.append(f"{path}.{step.verb}: draw {step.verb}")
    return found


def _groups(body: object) -> Iterator[Group]:
    if isinstance(body, Struct):
        for name in body.__struct_fields__:
            value = getattr(body, name)
            if isinstance(value, Group):
                yield value


def dice_range(notation: str) -> tuple[int, int]:
    """Returns the lowest and highest sum of a notation such as ``1d10``, ``2d10`` or ``1d100``.

    Of what is no notation nothing is in range.
    """
    try:
        dice = parse(notation)
    except BadInput:
        return 1, 0
    return dice.count, dice.count * _HIGHEST[dice.kind]


def steps_of(record: Struct) -> Iterator[tuple[str, Step]]:
    """Yields every step in any field of a record, with its path from the record."""
    for path, step in _inside(record, ""):
        yield path.lstrip("."), step


def problems_of(record: Struct) -> list[tuple[str, str]]:
    """Returns what is wrong with a record's scripts beyond their types: (path, what)."""
    wrong: list[tuple[str, str]] = []
    for path, step in steps_of(record):
        body = step.body
        if isinstance(body, Table):
            rows, roll = body.rows, body.roll
        elif isinstance(body, Split):
            rows, roll = {str(range_): [] for range_ in body.into.values()}, body.roll
        else:
            continue
        wrong += [(f"{path}.{step.verb}", what) for what in gaps(rows, *dice_range(roll))]
    return wrong


def decode(data: object) -> list[Step]:
    """Returns the steps that plain data (from YAML or a command line) means."""
    return msgspec.convert(data, list[Step])
