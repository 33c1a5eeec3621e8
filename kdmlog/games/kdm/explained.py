"""An attack's numbers and the attributes behind them, each with what it is made of."""

# No annotations from __future__: msgspec would compile each of them whenever kdmlog starts.

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from kdmlog.core.errors import Refused
from kdmlog.core.game import Table
from kdmlog.games.kdm.content import Gear
from kdmlog.games.kdm.number import Number
from kdmlog.games.kdm.plays import survivor
from kdmlog.games.kdm.rules import attack, numbers, where
from kdmlog.games.kdm.rules.numbers import Foe, Strike
from kdmlog.games.kdm.state import ATTRIBUTES


class Attacking(Struct, frozen=True, kw_only=True):
    """An attack that could be made: who, with what, on what."""

    survivor: str
    weapon: str
    monster: Annotated[str, Meta(description="Empty outside a showdown.")]
    toughness: int | None
    blind: bool
    knocked_down: Annotated[bool, Meta(description="Whether the monster is.")]


class Explained(Struct, frozen=True, kw_only=True):
    """An attack's numbers, each with its parts; nothing is rolled."""

    attack: Attacking
    dice: Number
    needs: Annotated[Number, Meta(description="What an attack roll must meet.")]
    roll: Annotated[Number, Meta(description="What is added to each attack roll.")]
    strength: Annotated[Number, Meta(description="What is added to each wound roll.")]
    critical: Annotated[Number, Meta(description="The lowest critical wound roll.")]
    sharp: Annotated[int, Meta(description="How many d10 are added to each wound attempt.")]
    rules: Annotated[list[str], Meta(description="The weapon's special rules.")]
    hits_on: Annotated[int, Meta(description="The lowest attack roll that hits.")]
    wounds_on: Annotated[int | None, Meta(description="The lowest wound roll that wounds.")]
    critical_on: Annotated[int | None, Meta(description="The lowest critical roll, if there is.")]
    refused: Annotated[str, Meta(description="Why it cannot be made; empty when it can.")]
    attributes: Annotated[dict[str, Number], Meta(description="The survivor's, as they are.")]


class Supposed(Struct, frozen=True, kw_only=True):
    """An attack as it is asked about; what is supposed need not be so."""

    survivor: str
    weapon: str = ""
    blind: bool | None = None
    """None: as it is on the board; without a board not."""
    given: Mapping[str, int] = {}
    toughness: int | None = None
    knocked_down: bool = False


def supposed(table: Table, asked: Supposed) -> tuple[Attacking, Foe, str, Gear]:
    """Returns who attacks what with which weapon: the monster there, or one that is supposed.

    Raises UnknownName for a survivor or weapon that is not there.
    """
    id_ = survivor(table, asked.survivor)
    card = attack.weapon_named(table, id_, asked.weapon)
    fight = table.state.showdown
    there = fight is not None
    foe = numbers.foe(table) if there else Foe(asked.toughness or 0)
    if asked.toughness is not None:
        foe = replace(foe, toughness=asked.toughness)
    if asked.knocked_down:
        foe = replace(foe, knocked_down=True)
    told = Attacking(
        survivor=id_,
        weapon=card,
        monster=fight.monster if there else "",
        toughness=foe.toughness if there or asked.toughness is not None else None,
        blind=where.in_blind_spot(table, id_) if asked.blind is None else asked.blind,
        knocked_down=foe.knocked_down,
    )
    return told, foe, card, table.content.get(Gear, card)


def met(told: Attacking, strike: Strike) -> Attacking:
    """Returns an attack with the toughness that it meets: some monsters are softer from behind."""
    return told if told.toughness is None else replace(told, toughness=strike.foe.toughness)


def explain(table: Table, asked: Supposed) -> Explained:
    """Returns an attack's numbers as they stand. Raises UnknownName as ``supposed`` does."""
    told, foe, card, weapon = supposed(table, asked)
    strike = Strike(table, told.survivor, card, weapon, foe, blind=told.blind, given=asked.given)
    return Explained(
        attack=met(told, strike),
        dice=strike.dice,
        needs=strike.needs,
        roll=strike.roll,
        strength=strike.strength,
        critical=strike.critical,
        sharp=strike.sharp,
        rules=list(weapon.rules),
        hits_on=strike.hits_on,
        wounds_on=strike.wounds_on if told.toughness is not None else None,
        critical_on=strike.critical_on,
        refused=refused(table, told),
        attributes=numbers.sheet(table, strike.survivor, ATTRIBUTES),
    )


def refused(table: Table, told: Attacking) -> str:
    """Returns why an attack cannot be made; empty when it can."""
    try:
        attack.refuse_weapon(table, told.survivor, told.weapon)
        if told.monster:
            attack.refuse_attack(table, told.survivor, told.weapon, blind=told.blind)
    except Refused as error:
        return error.message
    return ""
