"""The facts of a Kingdom Death campaign. Each carries its change and the new value.

A fact says enough to be folded without rules; ``fold.py`` assigns, adds and removes.
"""

# No annotations from __future__: msgspec would compile each of them whenever kdmlog starts.

from kdmlog.core.events import Event
from kdmlog.core.people import Mention, PlayerName, Told
from kdmlog.games.kdm.state import Parents, SettlementName, Space, SurvivorId, SurvivorName

# --- survivors ------------------------------------------------------------------------------------


class SurvivorCreated(Event, frozen=True, kw_only=True, tag="kdm.survivor_created"):
    """A new record sheet, everything but movement at zero."""

    survivor: SurvivorId
    name: SurvivorName
    sex: str
    player: PlayerName = ""
    parents: Parents | None = None
    founder: bool = False


class SurvivorNamed(Event, frozen=True, kw_only=True, tag="kdm.survivor_named"):
    """A survivor gets a name, or another one."""

    survivor: SurvivorId
    name: SurvivorName


class PlayerNamed(Event, frozen=True, kw_only=True, tag="kdm.player_named"):
    """A survivor is a player's from now on."""

    survivor: SurvivorId
    player: PlayerName


class StatChanged(Event, frozen=True, kw_only=True, tag="kdm.stat_changed"):
    """A figure on the sheet, an attribute for ever among them. ``lost`` is over the limit."""

    survivor: SurvivorId
    stat: str
    by: int
    now: int
    lost: int = 0


class GainIgnored(Event, frozen=True, kw_only=True, tag="kdm.gain_ignored"):
    """Something did not happen to a survivor, and why. Changes nothing."""

    survivor: SurvivorId
    what: str
    why: str


class TokensChanged(Event, frozen=True, kw_only=True, tag="kdm.tokens_changed"):
    """Attribute or bleeding tokens of a survivor; ``unsteady`` of them go with their footing."""

    survivor: SurvivorId
    token: str
    by: int
    now: int
    unsteady: int | None = None


class ArmorChanged(Event, frozen=True, kw_only=True, tag="kdm.armor_changed"):
    """Armor points at a location."""

    survivor: SurvivorId
    location: str
    by: int
    now: int


class InjuryFilled(Event, frozen=True, kw_only=True, tag="kdm.injury_filled"):
    """A light or heavy injury box is filled."""

    survivor: SurvivorId
    location: str
    box: str


class InjuryErased(Event, frozen=True, kw_only=True, tag="kdm.injury_erased"):
    """A filled injury box is erased."""

    survivor: SurvivorId
    location: str
    box: str


class InjuriesHealed(Event, frozen=True, kw_only=True, tag="kdm.injuries_healed"):
    """All injury boxes of a survivor are erased."""

    survivor: SurvivorId


class SevereInjurySuffered(Event, frozen=True, kw_only=True, tag="kdm.severe_injury_suffered"):
    """A severe injury or trauma; ``times`` it is now recorded (0: ends with the showdown)."""

    survivor: SurvivorId
    injury: str
    times: int


class InjuryMended(Event, frozen=True, kw_only=True, tag="kdm.injury_mended"):
    """A permanent injury is erased, once; ``times`` it is still recorded."""

    survivor: SurvivorId
    injury: str
    times: int


class ConditionGained(Event, frozen=True, kw_only=True, tag="kdm.condition_gained"):
    """Something that lasts until the showdown ends, such as frenzy."""

    survivor: SurvivorId
    condition: str


class Barred(Event, frozen=True, kw_only=True, tag="kdm.barred"):
    """A survivor may not do something until a moment."""

    survivor: SurvivorId
    what: str
    until: str


class BarsEnded(Event, frozen=True, kw_only=True, tag="kdm.bars_ended"):
    """The moment has come: all bars that last until it are off."""

    until: str


class KnockedDown(Event, frozen=True, kw_only=True, tag="kdm.knocked_down"):
    """A survivor is knocked down in a round."""

    survivor: SurvivorId
    round: int


class StoodUp(Event, frozen=True, kw_only=True, tag="kdm.stood_up"):
    """A survivor stands."""

    survivor: SurvivorId


class WeaponChosen(Event, frozen=True, kw_only=True, tag="kdm.weapon_chosen"):
    """The weapon type that a survivor becomes proficient with."""

    survivor: SurvivorId
    type: str


class TraitGained(Event, frozen=True, kw_only=True, tag="kdm.trait_gained"):
    """A fighting art, disorder, ability or impairment; ``list`` names the box on the sheet."""

    survivor: SurvivorId
    list: str
    id: str


class TraitLost(Event, frozen=True, kw_only=True, tag="kdm.trait_lost"):
    """One of those is erased."""

    survivor: SurvivorId
    list: str
    id: str


class SkipNextHunt(Event, frozen=True, kw_only=True, tag="kdm.skip_next_hunt"):
    """The skip-next-hunt box is filled or erased."""

    survivor: SurvivorId
    now: bool


class RetirementDue(Event, frozen=True, kw_only=True, tag="kdm.retirement_due"):
    """The survivor will retire at the end of the showdown or settlement phase."""

    survivor: SurvivorId
    why: str


class SurvivorRetired(Event, frozen=True, kw_only=True, tag="kdm.survivor_retired"):
    """The survivor retires."""

    survivor: SurvivorId


class SurvivorLeft(Event, frozen=True, kw_only=True, tag="kdm.survivor_left"):
    """The survivor is gone: neither dead nor with the settlement any more."""

    survivor: SurvivorId


class SurvivorDied(Event, frozen=True, kw_only=True, tag="kdm.survivor_died"):
    """A survivor dies of something; ``counted`` deaths wait for step 5 of the settlement phase."""

    survivor: SurvivorId
    of: Told
    uncounted: int


class SurvivorRevived(Event, frozen=True, kw_only=True, tag="kdm.survivor_revived"):
    """A dead survivor lives after all; ``uncounted`` deaths still wait to be counted."""

    survivor: SurvivorId
    uncounted: int


class DeathExplained(Event, frozen=True, kw_only=True, tag="kdm.death_explained"):
    """The cause of a death is worded anew. Nothing else changes."""

    survivor: SurvivorId
    of: Told


class TokensRemoved(Event, frozen=True, kw_only=True, tag="kdm.tokens_removed"):
    """All tokens and what lasted until the showdown's end are off a survivor."""

    survivor: SurvivorId


class BenefitRemembered(Event, frozen=True, kw_only=True, tag="kdm.benefit_remembered"):
    """A benefit to come is noted, for a survivor or (empty) the settlement; ``until`` a moment."""

    what: str
    survivor: SurvivorId = ""
    until: str = ""


class BenefitForgotten(Event, frozen=True, kw_only=True, tag="kdm.benefit_forgotten"):
    """What was noted for a survivor has been used, or holds no more."""

    what: str
    survivor: SurvivorId


class BenefitsEnded(Event, frozen=True, kw_only=True, tag="kdm.benefits_ended"):
    """The moment has come: all benefits that last until it are gone."""

    until: str


class Said(Event, frozen=True, kw_only=True, tag="kdm.said"):
    """What a record asks the players to see to, or did in their stead. Changes nothing."""

    survivor: SurvivorId
    record: str
    text: str


# --- gear and resources ---------------------------------------------------------------------------


class GearGained(Event, frozen=True, kw_only=True, tag="kdm.gear_gained"):
    """A gear card comes into the campaign, as an instance, into a grid cell or storage."""

    gear: str
    card: str
    survivor: SurvivorId = ""
    cell: str = ""


class GearMoved(Event, frozen=True, kw_only=True, tag="kdm.gear_moved"):
    """Gear changes its place; without a survivor it goes to storage."""

    gear: str
    survivor: SurvivorId = ""
    cell: str = ""


class GearArchived(Event, frozen=True, kw_only=True, tag="kdm.gear_archived"):
    """Gear leaves the campaign."""

    gear: str


class ModifiersRecorded(Event, frozen=True, kw_only=True, tag="kdm.modifiers_recorded"):
    """What a departing survivor's gear adds to attributes, while it is carried."""

    survivor: SurvivorId
    terms: tuple[str, ...]


class WeaponUsed(Event, frozen=True, kw_only=True, tag="kdm.weapon_used"):
    """The weapon that a survivor's attack defaults to next time."""

    survivor: SurvivorId
    weapon: str


class ResourceGained(Event, frozen=True, kw_only=True, tag="kdm.resource_gained"):
    """A resource, for a survivor or (empty) the settlement, drawn or by name."""

    resource: str
    survivor: SurvivorId = ""
    now: int = 0


class ResourceStored(Event, frozen=True, kw_only=True, tag="kdm.resource_stored"):
    """A resource carried by a survivor is the settlement's."""

    survivor: SurvivorId
    resource: str
    now: int


class ResourceShared(Event, frozen=True, kw_only=True, tag="kdm.resource_shared"):
    """A resource that the group gained is a survivor's to carry; ``now`` are left in storage."""

    survivor: SurvivorId
    resource: str
    now: int


class ResourceGiven(Event, frozen=True, kw_only=True, tag="kdm.resource_given"):
    """A resource carried by a survivor is handed to another."""

    survivor: SurvivorId
    to: SurvivorId
    resource: str


class ThingUsed(Event, frozen=True, kw_only=True, tag="kdm.thing_used"):
    """A survivor uses gear, a resource or a trait (``kind:id``), or eats it. Changes nothing."""

    survivor: SurvivorId
    record: str
    eaten: bool = False


class ResourceLost(Event, frozen=True, kw_only=True, tag="kdm.resource_lost"):
    """A resource is spent or lost, out of storage or (named) a survivor's hands."""

    resource: str
    survivor: SurvivorId = ""
    now: int = 0


class StorageRecorded(Event, frozen=True, kw_only=True, tag="kdm.storage_recorded"):
    """Step 9: resources are written down and their cards go back into the decks."""


# --- showdown -------------------------------------------------------------------------------------


class ShowdownBegun(Event, frozen=True, kw_only=True, tag="kdm.showdown_begun"):
    """A showdown begins, with the monster's figures at its level and who takes part."""

    number: int
    monster: str
    level: str
    movement: int
    toughness: int
    speed: int
    damage: int
    survivors: tuple[SurvivorId, ...]
    first_story: bool = False
    ambush: str = ""


class ControllerNamed(Event, frozen=True, kw_only=True, tag="kdm.controller_named"):
    """The tile goes to a player, with one of their survivors."""

    player: PlayerName
    survivor: SurvivorId
    named: tuple[SurvivorId, ...]


class TurnBegun(Event, frozen=True, kw_only=True, tag="kdm.turn_begun"):
    """The monster's or the survivors' turn of a round begins."""

    turn: str
    round: int


class ActBegun(Event, frozen=True, kw_only=True, tag="kdm.act_begun"):
    """A survivor's act begins: 1 movement, 1 activation."""

    survivor: SurvivorId


class ActSpent(Event, frozen=True, kw_only=True, tag="kdm.act_spent"):
    """Movement or activation is spent."""

    survivor: SurvivorId
    what: str
    now: int


class ActGained(Event, frozen=True, kw_only=True, tag="kdm.act_gained"):
    """More movement or activation may be spent in the act under way."""

    survivor: SurvivorId
    what: str
    by: int
    now: int


class ActEnded(Event, frozen=True, kw_only=True, tag="kdm.act_ended"):
    """The act is over; what was not spent is lost."""

    survivor: SurvivorId


class TargetPicked(Event, frozen=True, kw_only=True, tag="kdm.target_picked"):
    """The monster's target (empty: none); ``reached`` when the monster can attack it."""

    survivor: SurvivorId
    reached: bool = True


class AttackBegun(Event, frozen=True, kw_only=True, tag="kdm.attack_begun"):
    """A survivor attacks with a weapon; ``terms`` explain the dice and the number to hit."""

    survivor: SurvivorId
    weapon: str
    dice: int
    needs: int
    terms: tuple[str, ...] = ()


class AttackEnded(Event, frozen=True, kw_only=True, tag="kdm.attack_ended"):
    """The attack is resolved; ``cancelled`` hits were not."""

    survivor: SurvivorId
    cancelled: int = 0


class HitsScored(Event, frozen=True, kw_only=True, tag="kdm.hits_scored"):
    """How many dice of an attack hit; ``by`` is a survivor or the monster."""

    by: Mention
    hits: int
    perfect: int = 0
    target: Mention = ""


class WoundAttempted(Event, frozen=True, kw_only=True, tag="kdm.wound_attempted"):
    """A wound attempt at a hit location and how it came out."""

    survivor: SurvivorId
    location: str
    total: int
    needs: int
    wounded: bool
    critical: bool
    terms: tuple[str, ...] = ()


class MonsterWounded(Event, frozen=True, kw_only=True, tag="kdm.monster_wounded"):
    """The monster has suffered so many wounds; fewer than before: it has healed."""

    survivor: SurvivorId
    now: int


class MonsterKnockedDown(Event, frozen=True, kw_only=True, tag="kdm.monster_knocked_down"):
    """The monster is knocked down, or stands."""

    now: bool


class MonsterMoved(Event, frozen=True, kw_only=True, tag="kdm.monster_moved"):
    """The monster moves, by the players' hand when there is no board.

    ``path`` are the bottom left spaces of its base after each step.
    """

    how: str
    path: tuple[Space, ...] = ()


class MonsterTokens(Event, frozen=True, kw_only=True, tag="kdm.monster_tokens"):
    """Attribute tokens of the monster; ``passing`` of them go at the moment ``until``."""

    token: str
    by: int
    now: int
    until: str = ""
    passing: int = 0


class LifeChanged(Event, frozen=True, kw_only=True, tag="kdm.life_changed"):
    """The monster gains the Life trait (``most``), or a wound or healing counts on it.

    ``first``: its AI cards are wounded when the Life is used up.
    """

    by: int
    now: int
    most: int = 0
    first: bool = False


class CardTokens(Event, frozen=True, kw_only=True, tag="kdm.card_tokens"):
    """Tokens on an AI card in play, or on a survivor's status card."""

    card: str
    by: int
    now: int
    survivor: SurvivorId = ""


class StatusGained(Event, frozen=True, kw_only=True, tag="kdm.status_gained"):
    """A survivor gains a survivor status card of the monster's."""

    survivor: SurvivorId
    card: str


class StatusLost(Event, frozen=True, kw_only=True, tag="kdm.status_lost"):
    """A survivor status card is archived."""

    survivor: SurvivorId
    card: str


class DodgeSpent(Event, frozen=True, kw_only=True, tag="kdm.hit_dodged"):
    """A survivor dodges one hit."""

    survivor: SurvivorId
    location: str


class SurvivalActionTaken(Event, frozen=True, kw_only=True, tag="kdm.survival_action_taken"):
    """A survivor encourages ``target``, dashes or surges (a dodge has a fact of its own)."""

    survivor: SurvivorId
    action: str
    target: Mention = ""


class SurvivalActionResolved(Event, frozen=True, kw_only=True, tag="kdm.survival_action_resolved"):
    """It is done; the attack of ``attacker`` that it interrupted (empty: none) goes on.

    ``moved``: the monster has moved during that attack.
    """

    survivor: SurvivorId
    attacker: Mention = ""
    moved: bool = False


class SurvivorFled(Event, frozen=True, kw_only=True, tag="kdm.survivor_fled"):
    """A survivor runs away from the showdown, for good or to be ``back`` later."""

    survivor: SurvivorId
    back: bool = False


class SurvivorCameBack(Event, frozen=True, kw_only=True, tag="kdm.survivor_came_back"):
    """A survivor who ran away takes part in the showdown again."""

    survivor: SurvivorId


class SurvivorJoined(Event, frozen=True, kw_only=True, tag="kdm.survivor_joined"):
    """A survivor comes from the settlement in the midst of the showdown, for one who fell."""

    survivor: SurvivorId


class HitsIgnored(Event, frozen=True, kw_only=True, tag="kdm.hits_ignored"):
    """So many hits on a survivor are ignored before locations are rolled; ``now`` are left."""

    survivor: SurvivorId
    by: int
    now: int
    why: str


class DrawsDue(Event, frozen=True, kw_only=True, tag="kdm.draws_due"):
    """So many AI cards are still to be drawn this turn."""

    now: int


class PriorityTarget(Event, frozen=True, kw_only=True, tag="kdm.priority_target"):
    """A survivor gains the priority target token; empty: it is removed."""

    survivor: SurvivorId
    round: int


class ThreatsWidened(Event, frozen=True, kw_only=True, tag="kdm.threats_widened"):
    """All survivors are threats until the end of a round, even the knocked down."""

    until_round: int


class MovedAside(Event, frozen=True, kw_only=True, tag="kdm.knocked_back"):
    """A survivor is pushed so many spaces; without a board the players move the miniature."""

    survivor: SurvivorId
    spaces: int
    path: tuple[Space, ...] = ()


class BoardLaid(Event, frozen=True, kw_only=True, tag="kdm.board_laid"):
    """The showdown is played on the board; ``size`` is the width of the monster's base."""

    size: int


class MonsterPlaced(Event, frozen=True, kw_only=True, tag="kdm.monster_placed"):
    """The monster is put on the board, or somewhere else on it; no movement."""

    at: Space
    facing: str


class MonsterTurned(Event, frozen=True, kw_only=True, tag="kdm.monster_turned"):
    """The monster turns where it stands."""

    facing: str


class MonsterLeftBoard(Event, frozen=True, kw_only=True, tag="kdm.monster_left_board"):
    """The monster is taken off the board for a while."""


class SurvivorPlaced(Event, frozen=True, kw_only=True, tag="kdm.survivor_placed"):
    """A survivor is put on the board, or somewhere else on it; no movement."""

    survivor: SurvivorId
    at: Space


class SurvivorMoved(Event, frozen=True, kw_only=True, tag="kdm.survivor_moved"):
    """A survivor walks a path on the board."""

    survivor: SurvivorId
    path: tuple[Space, ...]


class SurvivorLeftBoard(Event, frozen=True, kw_only=True, tag="kdm.survivor_left_board"):
    """A survivor is no longer on the board: dead, run away, or in the monster's mouth."""

    survivor: SurvivorId


class RetinuePlaced(Event, frozen=True, kw_only=True, tag="kdm.retinue_placed"):
    """The retinue that a survivor commands is put on the board; ``at`` is its bottom left space."""

    survivor: SurvivorId
    at: Space


class RetinueMoved(Event, frozen=True, kw_only=True, tag="kdm.retinue_moved"):
    """A survivor's retinue walks a path of its bottom left space."""

    survivor: SurvivorId
    path: tuple[Space, ...]


class RetinueDestroyed(Event, frozen=True, kw_only=True, tag="kdm.retinue_destroyed"):
    """A survivor's retinue is removed from the board."""

    survivor: SurvivorId


class Collided(Event, frozen=True, kw_only=True, tag="kdm.collided"):
    """A survivor suffers collision with the monster, another survivor, a ``retinue`` or a tile.

    Changes nothing by itself.
    """

    survivor: SurvivorId
    into: Mention


class TerrainPlaced(Event, frozen=True, kw_only=True, tag="kdm.terrain_placed"):
    """A terrain tile is put on the board; ``at`` is its bottom left space."""

    tile: str
    terrain: str
    at: Space
    width: int
    height: int


class TerrainRemoved(Event, frozen=True, kw_only=True, tag="kdm.terrain_removed"):
    """A terrain tile is archived."""

    tile: str


class DiagramRead(Event, frozen=True, kw_only=True, tag="kdm.diagram_read"):
    """What a diagram of the players' book shows, asked for once: ``white_lion.blind_spot``."""

    diagram: str
    words: str


class ShowdownDecided(Event, frozen=True, kw_only=True, tag="kdm.showdown_decided"):
    """The monster is dead (victory) or all survivors are (defeat)."""

    outcome: str
    killer: Mention = ""


class ShowdownEnded(Event, frozen=True, kw_only=True, tag="kdm.showdown_ended"):
    """The aftermath is done: monster, decks and tokens leave the table."""

    number: int


class PrologueRestarted(Event, frozen=True, kw_only=True, tag="kdm.prologue_restarted"):
    """All founders died in the First Story: they start it again, with fresh sheets."""

    survivors: tuple[SurvivorId, ...]


# --- settlement -----------------------------------------------------------------------------------


class PhaseChanged(Event, frozen=True, kw_only=True, tag="kdm.phase_changed"):
    """The campaign enters a phase or a step of it."""

    phase: str
    step: str


class SettlementNamed(Event, frozen=True, kw_only=True, tag="kdm.settlement_named"):
    """The settlement gets its name."""

    name: SettlementName


class SurvivorsReturned(Event, frozen=True, kw_only=True, tag="kdm.survivors_returned"):
    """Who returns from the showdown."""

    survivors: tuple[SurvivorId, ...]


class FigureChanged(Event, frozen=True, kw_only=True, tag="kdm.figure_changed"):
    """A figure of the settlement: population, endeavors, survival limit, lantern year."""

    figure: str
    by: int
    now: int


class DeathsCounted(Event, frozen=True, kw_only=True, tag="kdm.deaths_counted"):
    """The death count is brought up to date."""

    by: int
    now: int


class ListGrew(Event, frozen=True, kw_only=True, tag="kdm.list_grew"):
    """The settlement gains an innovation, location, principle, quarry, nemesis or trophy."""

    list: str
    id: str


class ListShrank(Event, frozen=True, kw_only=True, tag="kdm.list_shrank"):
    """The settlement loses an innovation."""

    list: str
    id: str


class MilestoneReached(Event, frozen=True, kw_only=True, tag="kdm.milestone_reached"):
    """A settlement milestone's box is filled."""

    milestone: str


class TimelineAdded(Event, frozen=True, kw_only=True, tag="kdm.timeline_added"):
    """An event is written on the timeline."""

    year: int
    event: str


class StoryTriggered(Event, frozen=True, kw_only=True, tag="kdm.story_triggered"):
    """A story event begins. Changes nothing."""

    event: str
    about: tuple[Mention, ...] = ()


class SurvivorsDeparted(Event, frozen=True, kw_only=True, tag="kdm.survivors_departed"):
    """Who departs, and after what; or which nemesis they face."""

    survivors: tuple[SurvivorId, ...]
    hunt: str
    encounter: str = ""


class SheetsTakenOver(Event, frozen=True, kw_only=True, tag="kdm.sheets_taken_over"):
    """The campaign was played on paper so far; what follows is on its sheets. Changes nothing."""

    settlement: SettlementName
    lantern_year: int
    survivors: int


class RecordBegun(Event, frozen=True, kw_only=True, tag="kdm.record_begun"):
    """A content record's steps begin to play; ``verdict`` says which row. Changes nothing."""

    record: str
    verdict: str = ""


EVENTS: tuple[type[Event], ...] = tuple(
    value
    for value in list(globals().values())
    if isinstance(value, type) and issubclass(value, Event) and value is not Event
)
