"""The numbers of survivors and of their attacks, each with what it is made of; no other sums them.

A survivor's attribute is the figure on the sheet, tokens, and what traits and gear add (rulebook,
Survivor Attribute Modifier).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from kdmlog.core.dice import LANTERN
from kdmlog.core.game import Table
from kdmlog.games.kdm import grid
from kdmlog.games.kdm.content import AI_FIGURES, Gear, Modifies
from kdmlog.games.kdm.number import Number, Part, fixed, summed
from kdmlog.games.kdm.rules import conditions, kit, laid, skills, traits, where
from kdmlog.games.kdm.state import ATTRIBUTES, BOUNDLESS, RETINUE, State, Survivor

T = TypeVar("T")
FISTS = "fist_and_tooth"
FACES = range(1, LANTERN + 1)
DOWN = 3
"""A knocked down monster is hit on 3+, in place of normal accuracy (Glossary, Knocked Down)."""
UNSTOPPABLE = 6
"""An unstoppable weapon wounds on 6+, whatever the toughness (Glossary, Unstoppable)."""


# --- survivors ------------------------------------------------------------------------------------

Added = dict[str, list[Part]]
"""By figure, what traits and gear add to it."""


def attribute(table: Table, survivor: Survivor, name: str) -> Number:
    """Returns an attribute as it is with no weapon in hand."""
    return summed(_attribute(survivor, name, added(table, survivor)))


def sheet(table: Table, survivor: Survivor, names: Iterable[str]) -> dict[str, Number]:
    """Returns several attributes, each as ``attribute`` does."""
    extra = added(table, survivor)
    return {name: summed(_attribute(survivor, name, extra)) for name in names}


def _attribute(survivor: Survivor, name: str, extra: Added) -> list[Part]:
    parts = [*extra[name]] if name in extra else []
    if tokens := survivor.tokens.get(name, 0):
        parts.insert(0, Part(f"{name} tokens", tokens))
    if written := getattr(survivor, name):
        parts.insert(0, Part(name, written))
    return parts


def added(table: Table, survivor: Survivor, weapon: Collection[str] = ()) -> Added:
    """Returns what traits and gear add, attacking with a ``weapon`` of that id and keywords."""
    found: Added = {}
    for ref, trait in traits.at_work(table, survivor):
        if trait.modifiers:
            _add(table, survivor, found, (ref, trait.name, trait.modifiers), weapon)
    gear, laid_ = of_gear(table, survivor), laid.weighing(table, survivor)
    for giving in gear + laid_ + skills.skills(table, survivor):
        _add(table, survivor, found, giving, weapon)
    return found


def figure(table: Table, survivor: Survivor, to: str) -> int:
    """Returns what traits and gear add to a figure (see ``content.FIGURES``), no weapon in hand."""
    return sum(part.by for part in added(table, survivor).get(to, ()))


def softened(table: Table, survivor: Survivor, to: str, points: int) -> int:
    """Returns damage as a figure such as ``hit_damage`` changes it; 1 stays of any."""
    return max(min(points, 1), points + figure(table, survivor, to)) if points else 0


def _add(
    table: Table, survivor: Survivor, found: Added, giving: Giving, weapon: Collection[str]
) -> None:
    ref, name, modifiers = giving
    for one in modifiers:
        if (one.weapon and one.weapon not in weapon) or one.to in AI_FIGURES:
            continue
        if one.side and not _beside(table, survivor, ref, one):
            continue
        if one.if_ is None or conditions.holds_alone(table, survivor, ref, one.if_):
            times = _times(table, survivor, one.per, attacking=bool(weapon)) if one.per else 1
            by = one.by * times
            found.setdefault(one.to, []).append(Part(name, by))


def _times(table: Table, survivor: Survivor, per: str, *, attacking: bool) -> int:
    """Returns how many there are of what a modifier counts: affinities, retinues, or a figure."""
    if per in grid.COLOURS:
        return kit.affinities(table, survivor)[per]
    there = conditions.figure(survivor, per)
    if per == RETINUE and attacking:  # those beside lend their strength (Coordinated Attack)
        there += len(where.retinues_beside(table.state, survivor.id))
    return there


def _beside(table: Table, survivor: Survivor, ref: str, one: Modifies) -> bool:
    """Returns whether the weapon meant lies on the side of the card that is meant."""
    cards = {cell: card for cell, (card, _) in kit.in_grid(table, survivor).items()}
    return any(
        cards.get(grid.beside(cell, one.side)) == one.weapon
        for cell, card in cards.items()
        if f"gear:{card}" == ref
    )


def gear_attributes(table: Table, survivor: Survivor) -> Added:
    """Returns what gear alone adds to attributes."""
    found: Added = {}
    for giving in of_gear(table, survivor):
        _add(table, survivor, found, giving, ())
    return {name: found[name] for name in ATTRIBUTES if name in found}


# --- gear -----------------------------------------------------------------------------------------

Giving = tuple[str, str, list[Modifies]]
"""A record as ``kind:id``, its name, and what it modifies."""


def of_gear(table: Table, survivor: Survivor) -> list[Giving]:
    """Returns what the gear in a grid modifies.

    Each card once, however many copies there are; an affinity bonus while its affinities are met; a
    set's while it is complete (rulebook, Affinity Bonus Limit; Lost Gear and Affinity Bonus).
    """
    records = dict(kit.in_grid(table, survivor).values())
    found: list[Giving] = []
    bonus = False
    for card, record in records.items():
        bonus = bonus or bool(record.bonus)
        if record.modifiers:
            found.append((f"gear:{card}", record.name, record.modifiers))
    if bonus:
        for card, there in kit.bonuses(table, survivor).items():
            if there and records[card].bonus:
                name = f"{records[card].name} ({kit.needed(records[card])})"
                found.append((f"gear:{card}", name, records[card].bonus))
    for id_, set_ in traits.completed(table, records):
        if set_.modifiers:
            found.append((f"armor_set:{id_}", set_.name, set_.modifiers))
    return found


# --- monsters -------------------------------------------------------------------------------------


class Foe(Struct, frozen=True):
    """What a survivor's attack is up against."""

    toughness: int
    evasion: int = 0
    luck: int = 0
    knocked_down: bool = False
    behind: int = 0
    """What is added to its toughness where the attack is from its blind spot."""


def monster_attribute(table: Table, name: str) -> int:
    """Returns a monster's attribute with its tokens.

    Negative tokens never take movement, toughness, speed or damage below 1, nor below what is
    printed (rulebook, Monster Tokens).
    """
    fight = table.state.showdown
    if name == "movement" and laid.ruled(table, "boundless"):
        return BOUNDLESS
    printed = getattr(fight, name, 0)
    token = fight.tokens.get(name, 0)
    if name in ("movement", "toughness", "speed", "damage"):
        return int(max(printed + token, min(printed, 1)))
    return int(printed + token)


def foe(table: Table) -> Foe:
    """Returns the monster of the showdown under way."""
    return Foe(
        monster_attribute(table, "toughness") + laid.modifier(table, "monster_toughness"),
        monster_attribute(table, "evasion"),
        monster_attribute(table, "luck"),
        table.state.showdown.knocked_down,
        laid.modifier(table, "monster_toughness", behind=True),
    )


# --- attacks --------------------------------------------------------------------------------------


class once(Generic[T]):
    """A property worked out when it is first asked for; without the lock of the library's own."""

    def __init__(self, work_out: Callable[[Any], T]) -> None:
        self.work_out = work_out
        self.name = work_out.__name__
        self.__doc__ = work_out.__doc__

    def __get__(self, owner: Any, _type: type) -> T:
        found = owner.__dict__[self.name] = self.work_out(owner)
        return found


_NOTHING: Mapping[str, int] = MappingProxyType({})


class Strike:
    """A survivor's attack with a weapon on a foe, as it stands: its numbers, and what they decide.

    ``perfect`` hits of this attack have been rolled; ``given`` is supposed to be added to figures;
    ``there`` is what holds at the hit location.
    The rules of the weapon are its own; a number behind a colon is their X (rulebook, A Survivor's
    Attack; Glossary).
    """

    def __init__(
        self,
        table: Table,
        id_: str,
        card: str,
        weapon: Gear,
        foe: Foe,
        *,
        blind: bool = False,
        perfect: int = 0,
        given: Mapping[str, int] = _NOTHING,
        given_by: str = "supposed",
        there: Giving | None = None,
    ) -> None:
        assert weapon.weapon is not None
        self.survivor: Survivor = table.state.survivors[id_]
        self.card, self.weapon, self.profile = card, weapon, weapon.weapon
        self.perfect_hits = perfect
        self._table = table
        self._added = added(table, self.survivor, (card, *weapon.keywords))
        if there is not None:
            _add(table, self.survivor, self._added, there, (card, *weapon.keywords))
        for figure, by in given.items():
            self._added.setdefault(figure, []).append(Part(given_by, by))
        self.blind = blind or "blind_spot" in self._added
        softer = self.blind and foe.behind
        self.foe = replace(foe, toughness=foe.toughness + foe.behind) if softer else foe
        self._rules = dict(map(_rule, weapon.rules))

    # what is rolled

    @once
    def dice(self) -> Number:
        """How many dice: never fewer than 1; slow weapons have 1, but melee ones of the frenzied.

        Paired weapons are two of a name, and the second one's speed is added.
        """
        if self._still("slow") and not self._frenzied():
            return fixed("slow", 1)
        parts = [Part(self.weapon.name, self.profile.speed)]
        paired = "paired" in self._rules or self._sum("paired") > 0
        if paired and self._copies() > 1:
            parts.append(Part("paired", self.profile.speed))
        found = summed([*parts, *self._of("speed")])
        if found.total >= 1:
            return found
        return Number(1, (*found.parts, Part("at least 1", 1 - found.total)))

    @once
    def roll(self) -> Number:
        """What is added to each attack roll: accuracy, and 1 from the blind spot."""
        if self.foe.knocked_down:
            return Number(0)
        return summed([*self._of("accuracy"), Part("blind spot", int(self.blind))])

    @once
    def needs(self) -> Number:
        """What an attack roll must meet: the weapon's accuracy and the monster's evasion."""
        if self.foe.knocked_down:
            return fixed("knocked down", DOWN)
        return summed(
            [
                Part(self.weapon.name, self.profile.accuracy),
                Part("monster evasion", self.foe.evasion),
            ]
        )

    @once
    def strength(self) -> Number:
        """What is added to each wound roll; perfect hits count for the rest of the attack."""
        parts = [Part(self.weapon.name, self.profile.strength), *self._of("strength")]
        if self.blind and "blind_spot_strength" in self._added:
            parts += self._added["blind_spot_strength"]
        for part in self._added.get("perfect_strength", ()):
            name = part.of if part.of != self.weapon.name else "perfect"
            parts.append(Part(f"{name} ×{self.perfect_hits}", part.by * self.perfect_hits))
        return summed(parts)

    @once
    def critical(self) -> Number:
        """The lowest natural wound roll that is critical: 10 less luck, plus the monster's."""
        luck = [Part("deadly", self._rules.get("deadly", 0)), *self._of("luck")]
        return summed(
            [
                Part("lantern", LANTERN),
                *(Part(part.of, -part.by) for part in luck),
                Part("monster luck", self.foe.luck),
            ]
        )

    @once
    def sharp(self) -> int:
        """How many d10 are added to each wound attempt; they are no wound rolls."""
        perfect = self._sum("perfect_sharp") * self.perfect_hits
        return self._rules.get("sharp", 0) + self._sum("sharp") + perfect

    @once
    def devastating(self) -> int:
        """How many wounds more each wound is."""
        return self._rules.get("devastating", 0) + self._sum("devastating")

    @once
    def savage(self) -> bool:
        """Whether the first critical wound of the attack is 1 wound more."""
        return "savage" in self._rules or self._sum("savage") > 0

    @once
    def _perfect_from(self) -> int:
        return LANTERN - self._sum("perfect")

    @once
    def _hits_from(self) -> int:
        return min(self._perfect_from, self.needs.total - self.roll.total)

    @once
    def extra_rolls(self) -> int:
        """How many attack rolls each perfect hit gives."""
        return self._sum("extra_rolls")

    @once
    def rolls_per_hit(self) -> int:
        """How many attack rolls each hit gives, once in the attack."""
        return self._sum("rolls_per_hit")

    @once
    def sure(self) -> int:
        """How many of the dice hit without being rolled."""
        return min(self.dice.total, self._sum("sure_hits"))

    @property
    def frail(self) -> bool:
        """Whether a super-dense location breaks it."""
        return self._still("frail")

    @property
    def cumbersome(self) -> bool:
        """Whether it takes movement besides activation."""
        return self._still("cumbersome")

    @property
    def reach(self) -> int:
        """From how many spaces away a melee weapon attacks: 1 is adjacent."""
        return max(1, self._rules.get("reach", 1) + self._sum("reach"))

    @property
    def range(self) -> int:
        """From how many spaces away a ranged weapon attacks; 0: it has no range.

        Ammunition has the range of a bow in the grid (Glossary, Ammo).
        """
        printed = self._rules.get("range", 0)
        if "ammo" in self._rules:
            printed = max(self._bows(), default=0)
        return printed + self._sum("range") if printed else 0

    @property
    def early_iron(self) -> bool:
        """Whether an attack roll of 1 cancels the attack."""
        return "early_iron" in self._rules

    @property
    def unwieldy(self) -> bool:
        """Whether each attack roll of 1 hurts the attacker."""
        return "unwieldy" in self._rules

    @property
    def unstoppable(self) -> bool:
        """Whether strength and toughness do not count: 6+ wounds, nothing is critical."""
        return "unstoppable" in self._rules or self._sum("unstoppable") > 0

    @property
    def unshakable(self) -> bool:
        """Whether a roll of 6+ ignores a trap."""
        return self._sum("unshakable") > 0

    def gives(self, figure: str) -> bool:
        """Returns whether something gives this attack a figure that has no amount."""
        return self._sum(figure) > 0

    # what it decides

    @property
    def hits_on(self) -> int:
        """The lowest attack roll that hits."""
        return next(face for face in FACES if self.hits(face))

    @property
    def wounds_on(self) -> int:
        """The lowest wound roll that wounds, without what sharp dice add."""
        return next(face for face in FACES if self.wounds(face))

    @property
    def critical_on(self) -> int | None:
        """The lowest wound roll that is critical; None when none is."""
        return next((face for face in FACES if self.is_critical(face)), None)

    def perfect(self, face: int) -> bool:
        """Returns whether an attack roll is a perfect hit."""
        return face != 1 and face >= self._perfect_from

    def hits(self, face: int) -> bool:
        """Returns whether an attack roll hits: a lantern always does, a 1 never."""
        return face != 1 and face >= self._hits_from

    def is_critical(self, face: int) -> bool:
        """Returns whether a wound roll is critical, at a location that has a critical wound."""
        return not self.unstoppable and face != 1 and face >= self.critical.total

    def wounds(self, face: int, more: int = 0, tougher: int = 0) -> bool:
        """Returns whether a wound attempt beats a location: a lantern always does, a 1 never.

        ``more`` is what sharp dice add; ``tougher`` what the location adds to the toughness.
        """
        if self.unstoppable:
            return face >= UNSTOPPABLE
        total = face + self.strength.total + more
        return face == LANTERN or (face != 1 and total >= self.foe.toughness + tougher)

    def wounds_dealt(self, *, critical: bool, before: int = 0) -> int:
        """Returns how many wounds a wound is, after so many critical ones in this attack."""
        return 1 + self.devastating + (self.savage and critical and not before)

    def _of(self, name: str) -> list[Part]:
        return _attribute(self.survivor, name, self._added)

    def _sum(self, figure: str) -> int:
        return sum(part.by for part in self._added[figure]) if figure in self._added else 0

    def _bows(self) -> Iterator[int]:
        for _, record in kit.in_grid(self._table, self.survivor).values():
            if "bow" in record.keywords:
                yield dict(map(_rule, record.rules)).get("range", 0)

    def _still(self, rule: str) -> bool:
        """Returns whether the weapon has a drawback that nothing takes off."""
        return rule in self._rules and self._sum(rule) >= 0

    def _frenzied(self) -> bool:
        return "frenzy" in self.survivor.passing and "melee" in self.weapon.keywords

    def _copies(self) -> int:
        state: State = self._table.state
        return [state.gear[one] for one in self.survivor.grid.values()].count(self.card)


def _rule(written: str) -> tuple[str, int]:
    name, _, count = written.partition(":")
    return name, int(count) if count.isdigit() else 1
