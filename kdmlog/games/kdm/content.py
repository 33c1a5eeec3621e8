"""The records of a Kingdom Death pack: what a card, table row or place is, as data."""

# No annotations from __future__: msgspec would compile each of them whenever kdmlog starts.

from collections.abc import Mapping

from msgspec import Struct, field

from kdmlog.games.kdm.script import Condition, Step


class Record(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The base of all records. The id is the key under which it stands in its file."""

    name: str
    note: str = ""
    """What it does in a few words of ours, shown to players."""


# --- what survivors bear --------------------------------------------------------------------------

MOMENTS: Mapping[str, str] = {
    "gained": "its bearer gains it",
    "lost": "its bearer loses it",
    "understanding": "its bearer's understanding has changed",
    "bleeding": "anyone in the showdown has gained bleeding tokens",
    "damaged_head": "the bearer's head was damaged, armor included",
    "injured": "an injury box was filled, or a severe injury suffered",
    "severe_injury": "a severe injury was suffered, not brain trauma",
    "severe_head_injury": "a severe head injury was suffered",
    "showdown_start": "a showdown with the bearer begins",
    "turn_start": "the survivors' turn begins",
    "act_start": "the bearer's act begins",
    "act_end": "the bearer's act has ended",
    "settlement_start": "a settlement phase begins; not a trait's own, only for what is due later",
    "return": "the bearer returns to the settlement",
    "depart": "the bearer departs, after all else that departing gives",
    "perfect_hit": "an attack roll of the bearer's is a perfect hit",
    "encourages": "the bearer has encouraged another, who is ``encouraged``",
    "encourages_themself": "the bearer has encouraged themself",
    "critical_wound": "the bearer has wounded the monster critically",
    "survival_action": "the bearer has used a survival action",
    "knocked_down": "the bearer has been knocked down",
    "frenzy": "the bearer is in a frenzy, for the first time or anew",
    "hits": "an attack of the bearer's has hit, before locations are drawn",
    "monster_turn_start": "the monster's turn begins",
    "targeted": "the monster has picked the bearer as its target",
    "ai_drawn": "the monster has drawn an AI card; `cancel: card` cancels it",
    "slam": "the bearer has slammed",
    "victory": "the showdown with the bearer is won, before its rewards",
    "age": "the bearer has come of an age, after its event",
    "retired": "the bearer has retired",
    "aftermath": "the showdown with the bearer is over, before what it brings",
}
"""When what a record has ``on`` a moment plays, with the bearer as the one meant."""
RULES: Mapping[str, str] = {
    "not_knocked_down_by_brain_trauma": "brain trauma does not knock down",
    "not_knocked_down_by_intimidation": "monsters' intimidation does not knock down",
    "not_knocked_down_by_disorder": "disorders do not knock down",
    "brain_takes_hit_damage": "damage to hit locations is dealt to the brain",
    "surges_freely_with_weapon": "a surge to activate a weapon costs no survival",
    "encourages_themself": "lying down, the bearer may encourage themself",
    "not_knocked_down": "nothing knocks down",
    "not_knocked_down_by_collision": "collisions do not knock down",
    "departs_retired": "retired, the bearer may depart",
    "may_refuse_hunt_xp": "the bearer may do without the hunt XP of a victory",
    "noisy_gear": "all the bearer's gear is noisy",
    "averts_severe_injury": "it can be archived in place of suffering a severe injury",
    "soft_landing": "knocked back, up to 3 spaces less far, and no collision with survivors",
    "slams_through": "a slam goes through survivors without collision",
    "parries": "1 survival ignores 1 hit of an attack",
    "steps_in": "beside the monster's target, the bearer may change places and be it",
    "not_knocked_down_by_bash": "what monsters' cards do does not knock down",
    "no_bleeding": "no bleeding tokens are gained",
    "no_disorders": "no disorders are gained",
    "ignores_disemboweled": "the severe injury has no effect",
    "no_armor": "no armor is worn",
    "no_other_gear": "no gear with the keyword other is carried",
    "fills_a_cell": "one cell of the gear grid stays empty",
    "takes_a_hit_at_the_arms": "one hit of an attack may be taken at the arms",
    "last_words_encourage": "dying, the bearer encourages all who hear",
    "insanity_is_survival": "gaining insanity is gaining as much survival",
    "no_target": "the monster never picks the bearer",
    "dies_with_the_showdown": "the bearer dies when the showdown ends",
    "vanishes_with_the_showdown": "the bearer is never seen again when the showdown ends",
    "unmoved": "knockback that the bearer suffers is 1 at most",
    "no_reactions": "the monster does not react to the bearer's attacks",
    "always_a_threat": "the bearer cannot hide from the monster",
    "tumbles": "a collision with the monster is evaded on 6+",
    "adds_terrain": "a Giant Stone Face or Toppled Pillar may be added when terrain is set up",
}
"""Special rules that hold for the bearer by being there: of traits, gear and armor sets."""
FIGURES: Mapping[str, str] = {
    "movement": "the bearer's movement",
    "accuracy": "the bearer's accuracy",
    "strength": "the bearer's strength",
    "evasion": "the bearer's evasion",
    "luck": "the bearer's luck",
    "speed": "the bearer's speed",
    "sharp": "d10s that are added to each wound attempt",
    "paired": "whether two weapons of a name are used as one",
    "devastating": "wounds that each wound is more",
    "savage": "whether the first critical wound of an attack is one wound more",
    "perfect": "faces below the lantern that are perfect hits, too",
    "perfect_strength": "strength for the rest of the attack, for each perfect hit",
    "severe_injury": "the roll for a severe injury; a 1 stays a 1",
    "severe_waist_injury": "the same, of a severe injury at the waist",
    "intimidation": "brain damage from intimidation",
    "endeavors": "endeavors that the bearer brings on returning",
    "slow": "whether a weapon is slow: -1 takes it off",
    "cumbersome": "whether a weapon is cumbersome: -1 takes it off",
    "frail": "whether a weapon is frail: -1 takes it off",
    "reach": "from how many spaces away a melee weapon attacks",
    "range": "from how many spaces away a ranged weapon attacks",
    "unstoppable": "whether wound rolls are a plain 6+",
    "unshakable": "whether a roll of 6+ ignores a trap that is drawn",
    "undeathable": "whether a roll of 6+ lets the bearer live",
    "extra_rolls": "attack rolls that each perfect hit gives",
    "rolls_per_hit": "attack rolls that each hit gives, once an attack",
    "sure_hits": "dice of each attack that hit without a roll",
    "blind_spot": "whether every attack is made as from the blind spot",
    "blind_spot_strength": "strength when attacking from the blind spot",
    "damage": "each damage suffered; 1 stays",
    "hit_damage": "the damage of each hit suffered; 1 stays",
    "brain_damage": "each brain damage suffered; 1 stays",
    "dodges": "dodges a round beyond the first",
    "bleeding": "bleeding tokens that are borne beyond the usual",
    "armor": "armor points at every hit location",
    "armor_metal": "armor points at every hit location that metal armor is worn on",
    "survival_gained": "each gain of survival",
    "hunt_xp": "hunt XP of a victory beyond the usual",
    "perfect_sharp": "d10s more to each wound attempt of the attack, for each perfect hit",
    "perfect_wounds": "whether a perfect hit wounds at once, with no hit location",
    "first_hit_to_brain": "whether the first hit of a round is 1 brain damage instead",
    "deaf": "whether the bearer hears nothing",
    "misses_again": "whether all misses may be rolled again, once an attack",
    "wounds_first": "whether a wound may be rolled before its location is chosen, once an attack",
    "retries": "whether a failed wound attempt may be made again, once an attack",
    "discards_to_retry": "the same, for another location drawn that is discarded",
    "doubles_first": "whether a perfect hit doubles the wound attempt at the first location",
    "crushes": "whether twice the toughness is one wound more",
    "deepens_injuries": "whether wounds are critical where a persistent injury is printed",
    "wounds_discard": "whether a wound may take a card of the AI discard, once an attack",
    "silences": "whether a perfect hit leaves the attack without reactions",
    "first_unanswered": "whether the first location of an attack does not react",
    "takes_up": "whether locations wounded by one adjacent may be struck, too, for 1 survival",
    "disarms": "whether a roll of 7+ cancels a trap that is drawn, once a round",
}
"""What ``modifiers`` can change."""


class While(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A bar or special rule that holds under a condition on its bearer."""

    what: str
    if_: str | Condition = field(name="if")


class Modifies(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A change to a figure, see ``FIGURES``; ``if`` asks about the bearer.

    ``weapon`` is an id or keyword: it holds only in attacks with such a weapon; with ``side`` only
    while that weapon lies left or right of this card. ``per`` is a figure or
    token of the bearer's, or a colour: so much for each of it.
    """

    to: str
    by: int
    weapon: str = ""
    side: str = ""
    per: str = ""
    if_: str | Condition | None = field(name="if", default=None)


class Use(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What its bearer may do with a thing or trait: what it takes, how often, and its steps."""

    steps: list[Step]
    spends: str = ""
    """``activation`` or ``movement`` of the bearer's act."""
    survival: int = 0
    consumes: bool = False
    """It is eaten or drunk: whoever cannot consume cannot use it."""
    archive: bool = False
    """It is gone afterwards."""
    once: str = ""
    """How often it may be used: once a ``round``, ``showdown`` or ``lifetime``."""
    bonus: bool = False
    """Only while its affinity bonus is gained."""
    lying: bool = False
    """Also while the bearer is knocked down."""
    phases: list[str] = []
    """The phases in which it may be used; empty: in the showdown alone."""
    if_: str | Condition | None = field(name="if", default=None)


class Trait(Record, frozen=True, kw_only=True):
    """Whatever a survivor bears. Everything here holds as long as they do."""

    bars: list[str | While] = []
    """What the bearer may not do."""
    rules: list[str | While] = []
    """Special rules by id, see ``RULES``."""
    modifiers: list[Modifies] = []
    on: dict[str, list[Step]] = {}
    """Moment (see ``MOMENTS``) to the steps that play then."""
    departs: str | Condition | None = None
    """Without it the bearer cannot depart."""
    assisted: bool = False
    """Its note says more than is played: the rest is the players' to see to."""
    lifts: list[str] = []
    """Records, as ``kind:id``, whose bars do not hold for the bearer; ``kind:id:bar`` is only one
    of its bars."""
    use: Use | None = None


# --- tables and injuries --------------------------------------------------------------------------


class InjuryTable(Record, frozen=True, kw_only=True):
    """The severe injury table of a location, or brain trauma: rows to injury ids."""

    roll: str
    rows: dict[str, str]
    """Range of the result (``1-2``, ``10+``) to the injury's id."""


class Injury(Trait, frozen=True, kw_only=True):
    """A severe injury or brain trauma.

    ``permanent`` ones are recorded on the sheet, at most ``most`` times (None: any number); once
    more gives 1 bleeding token instead. ``steps`` play when it is suffered; ``bars`` and the rest
    hold while it is recorded (permanent) or until the showdown ends (others).
    """

    location: str
    permanent: bool = False
    most: int | None = None
    steps: list[Step] = []


# --- cards ----------------------------------------------------------------------------------------


class Disorder(Trait, frozen=True, kw_only=True):
    """A disorder card."""


class FightingArt(Trait, frozen=True, kw_only=True):
    """A fighting art card; ``secret`` ones are never drawn at random."""

    secret: bool = False


class Resource(Record, frozen=True, kw_only=True):
    """A resource card: its deck (``basic``, a monster's id, ``strange``, ``vermin``) and types."""

    deck: str
    types: list[str]
    copies: int
    """Cards in the deck; 0: only gained by name."""
    gained: list[Step] = []
    """Plays when a survivor or the group gains it."""
    spent: list[Step] = []
    """Plays when it has paid for something."""
    use: Use | None = None
    """What can be done with it beside paying."""


class Weapon(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A weapon's attack figures."""

    speed: int
    accuracy: int
    strength: int


class Armor(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Armor points at a location, or at ``all``."""

    location: str
    points: int


class Cost(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One line of a cost: a resource type, a resource by name, any resource, or endeavors.

    ``innovation`` (or ``location``) is a prerequisite, paid with nothing; ``any_of`` are
    alternatives of which one is paid.
    """

    type: str | None = None
    resource: str | None = None
    any: bool = False
    gear: str | None = None
    endeavors: int = 0
    population: int = 0
    """So many people die for it."""
    count: int = 1
    innovation: str | None = None
    heat: bool = False
    any_of: "list[Cost]" = []


class Gear(Record, frozen=True, kw_only=True):
    """A gear card. ``location`` is the settlement location's id, ``starting`` or ``rare``."""

    kind: str
    """armor, weapon or item."""
    location: str
    keywords: list[str] = []
    rules: list[str] = []
    """Special rules by id, a figure behind a colon: ``frail``, ``reach:2``, ``deadly``."""
    weapon: Weapon | None = None
    armor: Armor | None = None
    affinities: dict[str, str] = {}
    """Edge (top, right, bottom, left) to colour."""
    innate: dict[str, int] = {}
    """Whole affinities that the card is by itself: colour to how many."""
    needs: dict[str, dict[str, int]] = {}
    """Affinity bonus: ``complete`` or ``puzzle``, colour, how many."""
    modifiers: list[Modifies] = []
    """What it changes by being carried."""
    bonus: list[Modifies] = []
    """What it changes besides, while its needs are met."""
    cost: list[Cost] = []
    depart: list[Step] = []
    """Plays for the bearer on departing."""
    perfect: list[Step] = []
    """Plays for the attacker for each perfect hit with it."""
    hit: list[Step] = []
    """Plays for the attacker when an attack with it hits, once."""
    wound: list[Step] = []
    """Plays for the attacker for each wound with it."""
    critical: list[Step] = []
    """Plays for the attacker for each critical wound with it."""
    after: list[Step] = []
    """Plays for the attacker when an attack with it is over."""
    on: dict[str, list[Step]] = {}
    """Moment (see ``MOMENTS``) to the steps that play for the bearer then."""
    use: Use | None = None
    """What can be done with it beside attacking."""
    assisted: bool = False
    """Its note says more than is played: the rest is the players' to see to."""
    edition: str = ""


class ArmorSet(Record, frozen=True, kw_only=True):
    """A set of armor: its pieces and the points that it adds at every location."""

    pieces: list[str]
    armor_all: int = 0
    modifiers: list[Modifies] = []
    """What it changes while it is complete."""
    rules: list[str] = []
    """Special rules by id, see ``RULES``."""
    on: dict[str, list[Step]] = {}
    """Moment (see ``MOMENTS``) to the steps that play for its wearer then."""
    assisted: bool = False
    """Its note says more than is played: the rest is the players' to see to."""


class Skill(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a level of weapon proficiency gives."""

    note: str = ""
    modifiers: list[Modifies] = []
    rules: list[str | While] = []
    """Special rules by id, see ``RULES``."""
    on: dict[str, list[Step]] = {}
    """Moment (see ``MOMENTS``) to the steps that play then; of an attack, with such a weapon."""
    gained: list[Step] = []
    """Plays once, when the level is reached."""


class WeaponProficiency(Record, frozen=True, kw_only=True):
    """A weapon type that survivors become proficient with.

    From each of the ``levels`` on its skill is the survivor's; with a mastery in the settlement,
    those up to the specialist's (3) are everybody's.
    """

    levels: dict[str, Skill]
    needs_gear: str = ""
    """The gear without which it cannot be chosen."""
    assisted: bool = False
    """Its notes say more than is played: the rest is the players' to see to."""


class Endeavor(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Something endeavors are spent on: at a location, for an innovation, by an ability."""

    name: str
    note: str = ""
    endeavors: int = 1
    cost: list[Cost] = []
    steps: list[Step] = []
    requires: str = ""
    """An innovation's id."""
    once: str = ""
    """``phase`` or ``lifetime``: how often one may be made."""


class Ability(Trait, frozen=True, kw_only=True):
    """An ability or impairment of a survivor (``type``: ability, impairment, curse)."""

    type: str = "ability"
    affinities: dict[str, int] = {}
    """Permanent affinities: colour to how many."""
    endeavors: dict[str, Endeavor] = {}
    """What the bearer, when returning, may spend endeavors on."""


# --- monsters -------------------------------------------------------------------------------------


class Level(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A monster at one level; ``deck`` counts cards by rank, or ``cards`` names them.

    ``on_top`` names cards that are put on top of the shuffled deck, ``top_location`` the hit
    location that comes first.
    """

    movement: int
    toughness: int | str
    """A number, or ``lantern_year``."""
    speed: int = 0
    damage: int = 0
    deck: dict[str, int] = {}
    cards: dict[str, int] = {}
    on_top: list[str] = []
    top_location: str = ""
    on_bottom: list[str] = []
    """Cards that are put under the shuffled deck."""
    in_play: list[str] = []
    """Its special cards: face up from the start, and not in the deck."""
    tokens: dict[str, int] = {}
    """Attribute tokens that it starts with."""
    life: int | str = 0
    """The Life trait: a number, ``lantern_year - 10``, or ``ask``; 0: it has none."""
    rewards: dict[str, int] = {}
    """Resource deck to cards drawn by the victorious group."""
    victory: list[Step] = []
    """What the victorious gain besides at this level."""


class Monster(Record, frozen=True, kw_only=True):
    """A monster: its levels (``first_story``, ``1``, ``2``…), instinct and decks."""

    levels: dict[str, Level]
    instinct: str
    """The record id (kind ``ai_card``) of what it does without a target."""
    basic_action: str
    """The record id (kind ``ai_card``) of its basic action."""
    nemesis: bool = False
    """It is not hunted: it comes to the settlement."""
    type: str = ""
    """A legendary monster's type: whose cards, diagrams and aftermath it has; empty: its own."""
    rules: list[str] = []
    """Special rules of its showdown by id: ``no_running_away``."""
    size: int = 2
    """How many spaces its base is wide and deep."""
    blind_spot: str = ""
    """The spaces of its blind spot in the board's words; empty: the players read the diagram."""
    deploy: str = ""
    """Where survivors are deployed, in the board's words; empty: the players read the diagram."""
    terrain: dict[str, int] = {}
    """Terrain cards that are always there, by id."""
    central_terrain: list[str] = []
    """Those of them whose first tile lies in the centre, where the monster begins."""
    random_terrain: int = 0
    """Terrain cards drawn besides."""
    survivors_first: bool = False
    """The survivors defend their home: they have the first turn."""
    archived: list[str] = []
    """Hit locations that are not in its deck."""
    location: str = ""
    """The settlement location that its first defeat gives."""
    victory: list[Step] = []
    """What the victorious gain, beside hunt XP and resources; ``aged`` had age tokens."""
    defeat: list[Step] = []
    """What the defeated suffer."""


AI_MOMENTS: Mapping[str, str] = {
    "face_down": "the duration card is drawn for the first time",
    "turn_start": "the monster's turn starts, before AI is drawn",
    "instead_of_draw": "an AI card would be drawn, but none is",
    "turn_end": "the monster's turn ends, before survivors stand",
    "wound": "the monster is about to be wounded; `cancel: wound` cancels it",
    "wounded": "the monster has been wounded, once for each wound",
    "instinct": "the monster has performed its instinct",
    "basic_action": "the monster has performed a basic action",
    "consumed": "the monster has eaten something",
    "survivors_turn_end": "the survivors' turn ends",
    "act_start": "a survivor's act begins",
    "act_end": "a survivor's act has ended",
    "activation": "a survivor has spent activation, before what it is spent on",
    "moved": "a survivor has moved",
    "attack": "a survivor begins an attack",
    "perfect_hit": "an attack roll of a survivor's is a perfect hit",
    "damaged": "a survivor was damaged at a location, armor and brain included",
    "brain_damaged": "a survivor's brain was damaged, insanity included",
    "survivor_died": "a survivor has died",
    "collision": "a survivor suffers collision with the monster",
    "all_damaged": "all survivors have been dealt damage",
}
"""When what an AI card in play has ``on`` a moment plays.

The survivor it is about is the one meant; a status card plays for its holder alone.
"""
AI_RULES: Mapping[str, str] = {
    "no_draw": "no AI card is drawn",
    "keeps_cards": "wounds take no AI card",
    "no_ranged": "ranged weapons are of no use",
    "all_are_threats": "every survivor is a threat",
    "grab_doubled": "grabs deal twice their damage",
    "boundless": "the monster moves as far as it likes",
    "off_board": "its holder is off the board: no target, and nothing to spend but an act",
    "fallen_replaced": "those who fell may be replaced from the settlement",
    "commands_retinue": "its holder may have a retinue on the board",
}
"""Special rules that hold while an AI card is in play."""
AI_FIGURES: Mapping[str, str] = {
    "monster_toughness": "the toughness that an attack has to meet; `if: from_blind_spot`",
    "dealt_severe_injury": "the rolls for severe injuries from the monster's attacks",
}
"""What ``modifiers`` of an AI card in play can change beyond the survivors' ``FIGURES``."""


class AiCard(Record, frozen=True, kw_only=True):
    """An AI card, a basic action or an instinct.

    ``target`` lists the pick-target rows in words (the board resolves them, or the players do);
    without it the steps name their own people. ``persistent`` maps a persistent injury's id to the
    steps that then replace all others. The ``steps`` of a mood or trait play when it comes into
    play, those of a status card when somebody gains it, those of a duration when it is drawn the
    second time; ``leaves`` when such a card goes. ``assisted`` cards ask the table what is printed.
    """

    monster: str
    level: str
    """B, A, L, S, ``basic_action`` or ``instinct``."""
    type: str = "normal"
    """normal, mood, trait, duration or status (a survivor status card)."""
    copies: int = 1
    target: list[str] = []
    steps: list[Step] = []
    persistent: dict[str, list[Step]] = {}
    on: dict[str, list[Step]] = {}
    """Moment (see ``AI_MOMENTS``) to the steps that play then, while the card is in play."""
    on_board: dict[str, list[Step]] = {}
    """What plays in place of ``on`` where positions are kept; empty: the same."""
    rules: list[str] = []
    """Special rules by id, see ``AI_RULES``."""
    modifiers: list[Modifies] = []
    """What survivors' figures change while it is in play; of a status card its holder's."""
    activate: list[Step] = []
    """What the holder of a status card may spend activation on."""
    leaves: list[Step] = []
    assisted: bool = False
    intimidates: bool = False
    """Its own steps are an intimidation."""


class HitLocation(Record, frozen=True, kw_only=True):
    """A monster's hit location card.

    Reactions and the critical wound are lists of steps (None: the card has none). An effect that
    we do not know is ``- ask_table: …``. ``persistent`` is the id of the injury that stays in play.
    """

    monster: str
    type: str = "normal"
    """normal, trap, first_strike, impervious or super_dense, or two of them: ``impervious
    super_dense``. A ``special`` one is not in the deck when the showdown begins."""
    becomes: dict[str, str] = {}
    """AI card to the type that the location has instead while that card is in play."""
    copies: int = 1
    toughness: int = 0
    modifiers: list[Modifies] = []
    """What holds for wound attempts at it."""
    hit: list[Step] = []
    """Plays when it is attacked, before the wound roll."""
    lantern: list[Step] = []
    """Plays when the wound roll is a lantern, without any critical wound."""
    death_blow: list[Step] = []
    """Plays for the attacker whose wound here kills the monster."""
    wound: list[Step] | None = None
    failure: list[Step] | None = None
    reflex: list[Step] | None = None
    critical: list[Step] | None = None
    persistent: str = ""
    monster_moves: list[Step] = []
    """While the injury is in play: plays whenever the monster starts to move."""
    on: dict[str, list[Step]] = {}
    """While the injury is in play: moment (see ``AI_MOMENTS``) to the steps that play then."""
    trap: list[Step] = []


class Terrain(Record, frozen=True, kw_only=True):
    """A terrain card and the tiles it puts on the board, ``width`` by ``height`` spaces each."""

    tiles: int = 1
    """Tiles that one card sets up."""
    cards: int = 1
    """Cards in the terrain deck."""
    width: int = 1
    height: int = 1
    rules: list[str] = []
    """obstacle, impassable, destructible; ``from_within``: activated only from its own spaces."""
    asks_rules: bool = False
    """The pack does not know which of these are printed: the players are asked once."""
    activate: list[Step] = []
    """Plays for a survivor on or beside a tile who spends activation on it."""


# --- settlement -----------------------------------------------------------------------------------


class Innovation(Record, frozen=True, kw_only=True):
    """An innovation or principle card; ``type`` is science, art, principle and so on."""

    type: str
    consequence_of: str = ""
    survival_limit: int = 0
    survival_action: str = ""
    endeavors: dict[str, Endeavor] = {}
    departing: list[Step] = []
    """Plays for each departing survivor."""
    newborn: list[Step] = []
    death: list[Step] = []
    """Plays for the settlement whenever a survivor dies."""
    victory: list[Step] = []
    """Plays for the settlement whenever a monster has been defeated."""
    innovate_draws: int = 0
    """So many cards more are drawn when innovating."""
    innovates: int = 0
    """So many times more may be innovated in a settlement phase."""
    provides: list[str] = []
    """What costs may require: heat."""
    principle: str = ""
    """Which principle it answers: death, new_life, society, conviction."""


class Location(Record, frozen=True, kw_only=True):
    """A settlement location: what it costs to build, where, and its endeavors."""

    built_at: str = ""
    """The location's id at which it is built; empty: gained another way."""
    build: list[Cost] = []
    endeavors: dict[str, Endeavor] = {}


class StoryEvent(Record, frozen=True, kw_only=True):
    """A story or settlement event, as steps; ``once_a_lifetime`` for a survivor's own."""

    steps: list[Step]
    once_a_lifetime: bool = False
    by_phase: dict[str, list[Step]] = {}
    """Steps for the phase it is triggered in, played after ``steps``."""


class Milestone(Record, frozen=True, kw_only=True):
    """A story event triggered when a survivor's or the settlement's figure reaches a box."""

    scope: str
    event: str
    track: str = ""
    box: int = 0


class Timeline(Record, frozen=True, kw_only=True):
    """A lantern year of the timeline and what happens in it."""

    year: int
    story: list[str] = []
    settlement: list[str] = []
    nemesis: list[str] = []


class HuntEvent(Record, frozen=True, kw_only=True):
    """An event of the hunt table."""

    steps: list[Step]


class Keyword(Record, frozen=True, kw_only=True):
    """A word on gear, monsters or terrain, which its note explains in a line."""


KINDS: Mapping[str, type[Struct]] = {
    "injury_table": InjuryTable,
    "injury": Injury,
    "disorder": Disorder,
    "fighting_art": FightingArt,
    "ability": Ability,
    "resource": Resource,
    "gear": Gear,
    "armor_set": ArmorSet,
    "weapon_proficiency": WeaponProficiency,
    "monster": Monster,
    "ai_card": AiCard,
    "hit_location": HitLocation,
    "terrain": Terrain,
    "innovation": Innovation,
    "location": Location,
    "story_event": StoryEvent,
    "milestone": Milestone,
    "timeline": Timeline,
    "hunt_event": HuntEvent,
    "keyword": Keyword,
}
