"""The variants a campaign may be played with (rulebook, Game Variants).

What each changes in a rule stands at that rule; here is what it gives to survivors and monsters.
"""

from __future__ import annotations

from collections.abc import Mapping

from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.core.requests import Choose, Option
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import Gear
from kdmlog.games.kdm.rules import figures, things
from kdmlog.games.kdm.state import State, Survivor

VARIANTS: Mapping[str, str] = {
    "five_six": "5 or 6 survivors may depart; monsters are stronger then",
    "quick": "survivors hit harder and bleed sooner, each wound counts twice",
    "hero": "survivors are knocked unconscious instead of dying",
    "death": "all gear is irreplaceable, survivors bleed sooner, monsters hit harder",
    "storyteller": "the first player has no survivors and always controls the monster",
    "solo": "no monster controller tile",
    "seven_swordsmen": "ageless masters of the sword, who never become more",
    "people_of_the_skull": "only weapons and armor of bone, and no frail gear",
    "twilight_knight": "one founder carries the Twilight Sword, and must not die",
}
"""The variants by id, each in a line."""
PARTY = 4
GIFTS = ("accuracy", "evasion", "strength", "luck", "speed")
"""What a name may give for ever besides survival (Hero Mode; People of the Skull)."""
KNIGHT = "twilight_knight"
MASTER = 8


# --- survivors ------------------------------------------------------------------------------------


def arrived(table: Table, id_: str) -> Procedure[None]:
    """What a new survivor has from the start."""
    variants = table.state.variants
    if "quick" in variants:
        yield from figures.change(table, id_, "strength", 1)
    if "seven_swordsmen" in variants:
        yield from figures.gain_trait(table, id_, "abilities", "ageless")
        yield from _proficient(id_, "sword", MASTER)


def named(table: Table, id_: str) -> Procedure[None]:
    """What a name gives besides the survival."""
    state: State = table.state
    name = state.survivors[id_].name.lower()
    of_the_skull = "people_of_the_skull" in state.variants and ("bone" in name or "skull" in name)
    for due in ("hero" in state.variants, of_the_skull):
        if due:
            options = tuple(Option(one) for one in GIFTS)
            [gift] = yield Choose(purpose="gift", about=(id_,), by=id_, options=options)
            yield from figures.change(table, id_, str(gift), 1)


def _proficient(id_: str, type_: str, level: int) -> Procedure[None]:
    yield Record(e.WeaponChosen(survivor=id_, type=type_))
    yield Record(e.StatChanged(survivor=id_, stat="proficiency", by=level, now=level))


@rule("kdm.twilight_knight")
def nominate_knight(table: Table) -> Procedure[None]:
    """One founder starts with the Twilight Sword and 3 ranks in it (Twilight Knight)."""
    state: State = table.state
    if KNIGHT not in state.variants or any(map(is_knight, state.survivors.values())):
        return
    options = tuple(Option(id_, one.name) for id_, one in state.survivors.items())
    [knight] = yield Choose(purpose=KNIGHT, options=options)
    yield Record(e.BenefitRemembered(what=KNIGHT, survivor=knight))
    yield from things.gain_gear(
        table, "twilight_sword", knight, things.free_cells(state, knight)[0]
    )
    yield from _proficient(knight, "twilight_sword", 3)


def is_knight(survivor: Survivor) -> bool:
    """Returns whether a survivor is the Twilight Knight."""
    return KNIGHT in survivor.remembered


def knight(state: State) -> str:
    """Returns the Twilight Knight, if the campaign has one."""
    return next((id_ for id_, one in state.survivors.items() if is_knight(one)), "")


def refuses(state: State, survivor: Survivor, record: Gear) -> str:
    """Returns why gear may not be carried: weapons and armor are of bone (People of the Skull)."""
    if "people_of_the_skull" not in state.variants or record.kind not in ("weapon", "armor"):
        return ""
    if "bone" in record.keywords:
        return ""
    return f"{survivor.name} carries only weapons and armor of bone, not the {record.name}."


# --- monsters -------------------------------------------------------------------------------------


def tokens(state: State, party: int) -> dict[str, int]:
    """Returns the tokens that variants give a monster when its showdown starts."""
    found = {"damage": sum(one in state.variants for one in ("quick", "death"))}
    if crowded(state, party):
        found["damage"] += 2
        found["speed"] = 1
    return {token: count for token, count in found.items() if count}


def crowded(state: State, party: int) -> bool:
    """Returns whether more than four survivors face the monster (5-6 Players)."""
    return "five_six" in state.variants and party > PARTY


def life(state: State, party: int, level: int) -> int:
    """Returns the Life that stands before the wounds of a monster with 5 or 6 against it."""
    return 2 + level if crowded(state, party) else 0


# --- the storyteller ------------------------------------------------------------------------------


def storyteller(state: State) -> str:
    """Returns the player who controls the monster and no survivor: the first (Storyteller Mode)."""
    telling = "storyteller" in state.variants and len(state.players) > 1
    return state.players[0] if telling else ""


def players(state: State) -> list[str]:
    """Returns the players who have survivors."""
    return [one for one in state.players if one != storyteller(state)]
