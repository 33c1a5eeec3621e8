"""What players do, one Struct an action: command, prompt, script line and schema come from it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from kdmlog.core.game import Action
from kdmlog.core.people import Typed, Words
from kdmlog.games.kdm import state

Name = Annotated[Typed, Meta(description="a survivor: id, name or the beginning of it")]
Cell = Annotated[str, Meta(description="a cell of the gear grid: 1 to 9 row by row, or a1 to c3")]
Held = Annotated[str, Meta(description="a cell of the grid that is not empty, or the gear in it")]
Pay = Annotated[list[str], Meta(description="resources to spend, instead of the cheapest that fit")]


class SurvivorNew(Action, frozen=True, kw_only=True, tag="survivor new"):
    """Create a survivor: a founder, later a name out of the population."""

    positional = ("name", "sex")
    name: Annotated[state.SurvivorName, Meta(description="the survivor's name")]
    sex: Annotated[str, Meta(description="m or f")]
    player: Annotated[Typed, Meta(description="whose survivor it is (default: in turn)")] = ""


class SurvivorRename(Action, frozen=True, kw_only=True, tag="survivor rename"):
    """Give a survivor a name, or another one."""

    positional = ("survivor", "name")
    survivor: Name
    name: Annotated[state.SurvivorName, Meta(description="the new name")]


class SurvivorPlayer(Action, frozen=True, kw_only=True, tag="survivor player"):
    """Say whose survivor it is."""

    positional = ("survivor", "player")
    survivor: Name
    player: Annotated[Typed, Meta(description="the player's name")]


class SurvivorWeapon(Action, frozen=True, kw_only=True, tag="survivor weapon"):
    """Choose the weapon type to become proficient with; another one loses all levels."""

    positional = ("survivor", "type")
    survivor: Name
    type: Annotated[str, Meta(description="the weapon type, such as axe")]


class SurvivorDeath(Action, frozen=True, kw_only=True, tag="survivor death"):
    """Word the cause of a death anew; nothing else changes."""

    positional = ("survivor", "cause")
    survivor: Name
    cause: Annotated[Words, Meta(description="what the survivor died of")]


class ShowdownBegin(Action, frozen=True, kw_only=True, tag="showdown begin"):
    """Set up a showdown. The hunt before it is played on paper: say here who ambushed whom."""

    positional = ("monster",)
    monster: Annotated[str, Meta(description="the monster (default: what they departed for)")] = ""
    level: Annotated[int, Meta(ge=0, le=4, description="its level (default: likewise)")] = 0
    first_story: Annotated[bool, Meta(description="the prologue's showdown")] = False
    ambush: Annotated[str, Meta(description="monster or survivors: who ambushes the others")] = ""
    board: Annotated[
        bool | None,
        Meta(description="keep positions on the board, or not (default: not in the First Story)"),
    ] = None


class ShowdownReorder(Action, frozen=True, kw_only=True, tag="showdown reorder"):
    """As the storyteller, put AI cards on top of the deck, in this order."""

    positional = ("cards",)
    cards: Annotated[list[str], Meta(description="cards of the AI deck, the first on top")]


class ShowdownJoin(Action, frozen=True, kw_only=True, tag="showdown join"):
    """Bring a survivor from the settlement for one who fell, where a card in play allows it."""

    positional = ("survivor",)
    survivor: Name


class Control(Action, frozen=True, kw_only=True, tag="control"):
    """Take the monster controller tile with another survivor, before the monster acts."""

    positional = ("survivor",)
    survivor: Name


class MonsterTurn(Action, frozen=True, kw_only=True, tag="monster turn"):
    """Play the monster's turn: AI card, its actions, the end of the turn."""


class Act(Action, frozen=True, kw_only=True, tag="act"):
    """Begin a survivor's act: 1 movement and 1 activation; another's act ends."""

    positional = ("survivor",)
    survivor: Name


class Deploy(Action, frozen=True, kw_only=True, tag="deploy"):
    """Put survivors on the board, all of them unless some are named, and begin the first turn."""

    positional = ("survivors",)
    survivors: Annotated[
        list[Typed], Meta(description="who comes first; where, if not on the next best: mara 11 2")
    ] = []


class Place(Action, frozen=True, kw_only=True, tag="place"):
    """Put a survivor, the monster or a terrain tile on a space of the board; no movement."""

    positional = ("who", "x", "y")
    who: Annotated[
        Typed, Meta(description="a survivor, monster, tile, terrain card, or retinue_SURVIVOR")
    ]
    x: Annotated[int, Meta(ge=1, le=22, description="the column, from the left")]
    y: Annotated[int, Meta(ge=1, le=16, description="the row, from the bottom")]
    facing: Annotated[
        str, Meta(description="n, e, s or w: where the monster looks; e turns a tile")
    ] = ""


class Move(Action, frozen=True, kw_only=True, tag="move"):
    """Spend a survivor's movement; without a board you move the miniature."""

    positional = ("survivor", "to")
    survivor: Name
    to: Annotated[
        list[str], Meta(description="where: X Y, lion (beside it), back, a survivor, 3n2e")
    ] = []


class Attack(Action, frozen=True, kw_only=True, tag="attack"):
    """Attack the monster with a weapon, by default the last one used."""

    positional = ("survivor", "weapon")
    survivor: Name
    weapon: Annotated[str, Meta(description="a weapon carried, or fist_and_tooth")] = ""
    blind: Annotated[bool, Meta(description="from the monster's blind spot: +1 to hit")] = False


class Activate(Action, frozen=True, kw_only=True, tag="activate"):
    """Use gear, an ability or terrain nearby; throw a Founding Stone; command a retinue."""

    positional = ("survivor", "thing")
    survivor: Name
    thing: Annotated[str, Meta(description="what is used: gear, a resource, an ability, terrain")]


class Consume(Action, frozen=True, kw_only=True, tag="consume"):
    """Eat or drink consumable gear or a resource."""

    positional = ("survivor", "thing")
    survivor: Name
    thing: Annotated[str, Meta(description="what is consumed")]


class Give(Action, frozen=True, kw_only=True, tag="give"):
    """Hand a resource to another survivor; in a showdown in one's act, to those adjacent."""

    positional = ("survivor", "resource", "to")
    survivor: Name
    resource: Annotated[str, Meta(description="a resource carried")]
    to: Annotated[Typed, Meta(description="who receives it")]


class Share(Action, frozen=True, kw_only=True, tag="share"):
    """Share out what was gained: resources that came home, to a survivor who did."""

    positional = ("survivor", "resources")
    survivor: Name
    resources: Annotated[list[str], Meta(description="one or more of the resources gained")]


class SurvivalAction(Action, frozen=True, kw_only=True, tag="survival"):
    """Spend survival between actions: dash, surge, march, or encourage somebody at any time."""

    positional = ("survivor", "what", "target")
    survivor: Name
    what: Annotated[
        str, Meta(description="dash, surge, encourage, march (a retinue); a hit asks for the dodge")
    ]
    target: Annotated[
        list[Typed],
        Meta(description="whom to encourage, what to surge for, on the board where to go"),
    ] = []


class RunAway(Action, frozen=True, kw_only=True, tag="run-away"):
    """Run away from the showdown, each survivor for themself; it takes Pictographs."""

    positional = ("survivors",)
    survivors: Annotated[list[Typed], Meta(description="who runs, one after the other")]


class EndAct(Action, frozen=True, kw_only=True, tag="end-act"):
    """End the present act; what was not spent is lost."""


class EndTurn(Action, frozen=True, kw_only=True, tag="end-turn"):
    """End the survivors' turn, and with it the round."""


class Aftermath(Action, frozen=True, kw_only=True, tag="aftermath"):
    """End the showdown: victory with its rewards, or defeat."""


class SettlementBegin(Action, frozen=True, kw_only=True, tag="settlement begin"):
    """Begin the settlement phase: survivors return, heal and bring endeavors."""

    positional = ("name",)
    name: Annotated[
        state.SettlementName, Meta(description="the settlement's name, the first time")
    ] = ""


class SettlementName(Action, frozen=True, kw_only=True, tag="settlement name"):
    """Call the settlement by another name."""

    positional = ("name",)
    name: Annotated[state.SettlementName, Meta(description="the new name")]


class SettlementEvent(Action, frozen=True, kw_only=True, tag="settlement event"):
    """Play the settlement event of the year."""


class SettlementYear(Action, frozen=True, kw_only=True, tag="settlement year"):
    """Update death count and timeline; trigger the year's story events."""


class SettlementInnovate(Action, frozen=True, kw_only=True, tag="settlement innovate"):
    """Spend an endeavor, 1 bone, 1 organ and 1 hide: draw 2 innovations, keep 1."""

    pay: Pay = []


class SettlementBuild(Action, frozen=True, kw_only=True, tag="settlement build"):
    """Spend an endeavor and the cost on a new settlement location."""

    positional = ("location",)
    location: Annotated[str, Meta(description="the location to build")]
    pay: Pay = []


class SettlementCraft(Action, frozen=True, kw_only=True, tag="settlement craft"):
    """Spend resources on gear, which goes to storage."""

    positional = ("gear",)
    gear: Annotated[list[str], Meta(description="one or more gear cards")]
    pay: Pay = []


class SettlementEndeavor(Action, frozen=True, kw_only=True, tag="settlement endeavor"):
    """Spend endeavors on what a location, innovation or event offers."""

    positional = ("endeavor", "survivor")
    endeavor: Annotated[str, Meta(description="the endeavor, such as augury")]
    survivor: Annotated[Typed, Meta(description="who endeavors")] = ""
    pay: Pay = []


class SettlementEnd(Action, frozen=True, kw_only=True, tag="settlement end"):
    """Record resources, lose unspent endeavors, end the settlement phase."""


class GearPut(Action, frozen=True, kw_only=True, tag="gear put"):
    """Put gear from storage into a grid."""

    positional = ("survivor", "gear", "cell")
    survivor: Name
    gear: Annotated[str, Meta(description="a gear card in storage")]
    cell: Cell = ""


class GearTake(Action, frozen=True, kw_only=True, tag="gear take"):
    """Take gear out of a grid into storage."""

    positional = ("survivor", "cell")
    survivor: Name
    cell: Held


class GearMove(Action, frozen=True, kw_only=True, tag="gear move"):
    """Move gear within a grid; two cards change places."""

    positional = ("survivor", "before", "to")
    survivor: Name
    before: Held
    to: Cell


class GearSwap(Action, frozen=True, kw_only=True, tag="gear swap"):
    """Two survivors exchange the gear in two cells."""

    positional = ("survivor", "cell", "other", "other_cell")
    survivor: Name
    cell: Held
    other: Name
    other_cell: Held


class Depart(Action, frozen=True, kw_only=True, tag="depart"):
    """Choose the departing survivors and their quarry, or the nemesis they face."""

    positional = ("survivors",)
    survivors: Annotated[list[Typed], Meta(description="four survivors, or as many as there are")]
    hunt: Annotated[str, Meta(description="the quarry, such as white_lion")] = ""
    nemesis: Annotated[str, Meta(description="the nemesis, such as butcher")] = ""
    level: Annotated[
        int,
        Meta(ge=0, le=4, description="its level (default: 1, for a nemesis one above its last)"),
    ] = 0
