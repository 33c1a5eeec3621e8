"""A survivor's attack: dice, hits, hit locations, wound attempts, criticals, reactions, traps."""

from __future__ import annotations

from msgspec import Struct

from kdmlog.core.errors import Refused
from kdmlog.core.events import CardsMoved
from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.core.requests import Choose, Draw, Opportunity, Option, Shuffle
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.content import Gear, HitLocation
from kdmlog.games.kdm.rules import conditions, figures, monster, script
from kdmlog.games.kdm.rules.conditions import Scene

FISTS = "fist_and_tooth"


class Number(Struct, frozen=True):
    """A figure with what it is made of; every number of an attack comes from here."""

    total: int
    terms: tuple[str, ...]


def attack_speed(table: Table, id_: str, weapon: Gear) -> Number:
    """Returns how many dice an attack has: weapon and survivor, never fewer than 1.

    Slow weapons roll 1 die, whatever speed is added (rulebook, A Survivor's Attack; Glossary).
    """
    survivor = table.state.survivors[id_]
    assert weapon.weapon is not None
    speed = figures.attribute(survivor, "speed")
    slow = "slow" in weapon.rules and "frenzy" not in survivor.passing
    if slow:
        return Number(1, ("slow 1",))
    total = max(1, weapon.weapon.speed + speed)
    return Number(total, _terms((weapon.name, weapon.weapon.speed), ("speed", speed)))


def to_hit(table: Table, id_: str, weapon: Gear, *, blind: bool) -> tuple[int, Number]:
    """Returns what is added to each attack roll, and the accuracy it must then meet.

    The blind spot gives +1; a knocked down monster is hit on 3+ (rulebook, Determine Hits).
    """
    survivor = table.state.survivors[id_]
    assert weapon.weapon is not None
    accuracy = figures.attribute(survivor, "accuracy")
    bonus = accuracy + (1 if blind else 0)
    terms = _terms(("accuracy", accuracy), ("blind spot", 1 if blind else 0))
    if monster.showdown(table).knocked_down:
        return 0, Number(3, ("knocked down: 3+",))
    evasion = monster.monster_attribute(table, "evasion")
    needs = weapon.weapon.accuracy + evasion
    return bonus, Number(
        needs, _terms((weapon.name, weapon.weapon.accuracy), ("monster evasion", evasion)) + terms
    )


def strength(table: Table, id_: str, weapon: Gear) -> Number:
    """Returns what is added to a wound roll: the weapon's and the survivor's strength."""
    assert weapon.weapon is not None
    own = figures.attribute(table.state.survivors[id_], "strength")
    total = weapon.weapon.strength + own
    return Number(total, _terms((weapon.name, weapon.weapon.strength), ("strength", own)))


def critical_on(table: Table, id_: str, weapon: Gear) -> int:
    """Returns the lowest natural wound roll that is critical: 10 less luck, plus the monster's.

    Above 10 no critical is possible (rulebook, Luck; Luck Tokens).
    """
    luck = figures.attribute(table.state.survivors[id_], "luck")
    luck += 1 if "deadly" in weapon.rules else 0
    return 10 - luck + monster.monster_attribute(table, "luck")


def toughness(table: Table, location: HitLocation) -> int:
    """Returns what a wound attempt on a location must meet."""
    return monster.monster_attribute(table, "toughness") + location.toughness


@rule("kdm.attack")
def attack(table: Table, id_: str, weapon: str, *, blind: bool = False) -> Procedure[None]:
    """Attacks with a weapon (rulebook, A Survivor's Attack)."""
    record: Gear = table.content.get(Gear, weapon)
    speed = attack_speed(table, id_, record)
    bonus, needs = to_hit(table, id_, record, blind=blind)
    yield Record(
        e.AttackBegun(
            survivor=id_,
            weapon=weapon,
            dice=speed.total,
            needs=needs.total,
            terms=speed.terms + needs.terms,
        )
    )
    faces = yield from script.rolled_faces(f"{speed.total}d10", "attack", (id_,))
    hits = sum(1 for f in faces if f != 1 and (f == 10 or f + bonus >= needs.total))
    yield Record(e.HitsScored(by=id_, hits=hits, perfect=faces.count(10)))
    yield from _resolve(table, id_, record, hits)


@rule("kdm.throw_founding_stone")
def throw(table: Table, id_: str, gear: str) -> Procedure[None]:
    """Slings and archives a Founding Stone: 1 automatic hit that is a critical wound.

    At a location without a critical effect it wounds and nothing else.
    """
    card = table.state.gear[gear]
    record: Gear = table.content.get(Gear, card)
    yield Record(e.AttackBegun(survivor=id_, weapon=card, dice=0, needs=0, terms=("thrown",)))
    yield Record(e.GearArchived(gear=gear))
    yield Record(e.HitsScored(by=id_, hits=1))
    yield from _resolve(table, id_, record, 1, automatic=True)


def _resolve(
    table: Table, id_: str, weapon: Gear, hits: int, *, automatic: bool = False
) -> Procedure[None]:
    """Draws hit locations and resolves them: a trap first, then as the attacker orders them."""
    afar = [id_] if automatic else []
    yield from _draw_locations(table, hits)
    drawn = table.state.decks["hit_locations"]
    trap = next((one for one in drawn["drawn"] if _location(table, one).type == "trap"), None)
    if trap is not None:
        cancelled = len(drawn["drawn"])
        yield from _spring(table, id_, trap, afar)
        yield Record(e.AttackEnded(survivor=id_, cancelled=cancelled))
        yield from monster.check_defeat(table)
        return
    while drawn["drawn"] and not (yield from _stopped(table, id_)):
        card = yield from _order(table, id_, list(drawn["drawn"]))
        yield from _wound_location(table, id_, weapon, card, automatic=automatic)
    cancelled = len(drawn["drawn"])
    if cancelled:
        rest = tuple(drawn["drawn"])
        yield Record(CardsMoved(deck="hit_locations", cards=rest, before="drawn", to="discard"))
    yield Record(e.AttackEnded(survivor=id_, cancelled=cancelled))
    yield from monster.check_defeat(table)


def _draw_locations(table: Table, hits: int) -> Procedure[None]:
    """Draws one card a hit; an exhausted deck is made anew of its discard in between."""
    deck = table.state.decks["hit_locations"]
    left = hits
    while left:
        if not deck["deck"]:
            if not deck["discard"]:
                return
            yield Shuffle(deck="hit_locations", took=("discard",), purpose="shuffle_hit_locations")
        count = min(left, len(deck["deck"]))
        yield Draw(deck="hit_locations", count=count, to="drawn", purpose="hit_locations")
        left -= count


def _stopped(table: Table, id_: str) -> Procedure[bool]:
    """Returns whether what is left of the attack is cancelled.

    An attacker who is knocked down or dead stops; so do hits out of range after the monster has
    moved (rulebook, Knocked Down Survivors; Movement During an Attack).
    """
    survivor = table.state.survivors[id_]
    if monster.over(table) or not survivor.alive or survivor.knocked_down is not None:
        return True
    if not monster.showdown(table).moved:
        return False
    options = (Option("yes", "still in reach"), Option("no", "out of reach"))
    [there] = yield Choose(purpose="in_reach", about=(id_,), by=id_, options=options, default="yes")
    return bool(there == "no")


def _order(table: Table, id_: str, cards: list[str]) -> Procedure[str]:
    """Returns the location resolved next: first strikes first, then the attacker's choice."""
    first = [one for one in cards if _location(table, one).type == "first_strike"]
    kinds = list(dict.fromkeys(first or cards))
    if len(kinds) == 1:
        return kinds[0]
    options = tuple(Option(one, _location(table, one).name) for one in kinds)
    [card] = yield Choose(
        purpose="hit_order", about=(id_,), by=id_, options=options, default=kinds[0]
    )
    return str(card)


@rule("kdm.wound_attempt")
def _wound_location(
    table: Table, id_: str, weapon: Gear, card: str, *, automatic: bool
) -> Procedure[None]:
    """The wound steps for one hit location (rulebook, The Wound Steps).

    A lantern always wounds and a 1 never does; nothing wounds an impervious location. A critical
    cancels every reaction; so does being knocked down. Its effects are due even when it kills.
    """
    location = _location(table, card)
    power = strength(table, id_, weapon)
    needs = toughness(table, location)
    face = 10
    if not automatic:
        [face] = yield from script.rolled_faces("1d10", "wound", (id_, card))
    lucky = automatic or (face != 1 and face >= critical_on(table, id_, weapon))
    critical = lucky and location.critical is not None
    beats = face == 10 or (face != 1 and face + power.total >= needs)
    wounded = (critical or beats or automatic) and location.type != "impervious"
    yield Record(
        e.WoundAttempted(
            survivor=id_,
            location=card,
            total=face + power.total,
            needs=needs,
            wounded=wounded,
            critical=critical,
            terms=("automatic",) if automatic else power.terms,
        )
    )
    if wounded:
        yield from monster.wound(table, id_)
    scene = Scene(table=table, record=f"hit_location:{card}", who=id_)
    kept = False
    if critical:
        kept = bool(location.persistent)
        yield from script.play_record(scene, location.critical or [], "critical")
        if not monster.over(table):
            yield Opportunity(purpose="critical_wound", about=(id_, card))
    elif not monster.over(table):
        yield from _reactions(table, scene, location, wounded=wounded)
    yield Record(e.BarsEnded(until="card_end"))
    zone = "persistent" if kept else "discard"
    yield Record(CardsMoved(deck="hit_locations", cards=(card,), before="drawn", to=zone))


def _reactions(
    table: Table, scene: Scene, location: HitLocation, *, wounded: bool
) -> Procedure[None]:
    """Performs wound, failure and reflex reactions, unless the monster is knocked down."""
    reactions: list[tuple[str, list[s.Step]]] = []
    outcome = location.wound if wounded else location.failure
    if outcome is not None:
        reactions.append(("wound" if wounded else "failure", outcome))
    if location.reflex is not None:
        reactions.append(("reflex", location.reflex))
    if not reactions:
        return
    yield Opportunity(purpose="before_reaction", about=(scene.who,))
    for field, steps in reactions:
        if not monster.showdown(table).knocked_down and not monster.over(table):
            yield from script.play_record(scene, steps, field)


@rule("kdm.trap")
def _spring(table: Table, id_: str, trap: str, afar: list[str]) -> Procedure[None]:
    """A trap cancels all hits; the monster stands and performs it; all cards are reshuffled."""
    deck = table.state.decks["hit_locations"]
    others = list(deck["drawn"])
    others.remove(trap)
    if others:
        yield Record(
            CardsMoved(deck="hit_locations", cards=tuple(others), before="drawn", to="discard")
        )
    yield Record(e.RecordBegun(record=f"hit_location:{trap}", verdict="trap"))
    yield from monster.stand(table)
    bound = {monster.AFAR: afar}
    scene = Scene(table=table, record=f"hit_location:{trap}", who=id_, bound=bound)
    yield from script.play_record(scene, _location(table, trap).trap, "trap")
    yield Record(e.BarsEnded(until="card_end"))
    yield Record(CardsMoved(deck="hit_locations", cards=(trap,), before="drawn", to="discard"))
    yield Shuffle(deck="hit_locations", took=("discard",), purpose="shuffle_hit_locations")


def weapons(table: Table, id_: str) -> dict[str, str]:
    """Returns the weapons a survivor could attack with: card id to shown name."""
    state = table.state
    found = {}
    for cell in sorted(state.survivors[id_].grid):
        card = state.gear[state.survivors[id_].grid[cell]]
        record: Gear = table.content.get(Gear, card)
        if record.weapon is not None:
            found[card] = record.name
    found[FISTS] = table.content.get(Gear, FISTS).name
    return found


def refuse_weapon(table: Table, id_: str, weapon: str) -> None:
    """Raises Refused when a survivor may not activate a weapon."""
    survivor = table.state.survivors[id_]
    record: Gear = table.content.get(Gear, weapon)
    assert record.weapon is not None
    checks = ["weapons", *record.keywords, *record.rules]
    if record.weapon.strength >= 2:
        checks.append("strong_gear")
    for what in checks:
        if why := conditions.barred(table, survivor, what):
            raise Refused(f"{survivor.name} may not use the {record.name}: {why}.")


def refuse_attack(table: Table, id_: str, *, blind: bool) -> None:
    """Raises Refused when a survivor may not attack the monster as it stands or lies."""
    survivor = table.state.survivors[id_]
    if blind and (why := conditions.barred(table, survivor, "attack_from_blind_spot")):
        raise Refused(f"{survivor.name} may not attack from the blind spot: {why}.")
    down = monster.showdown(table).knocked_down
    if down and (why := conditions.barred(table, survivor, "attack_downed_monster")):
        raise Refused(f"{survivor.name} may not attack a knocked down monster: {why}.")


def _location(table: Table, card: str) -> HitLocation:
    return table.content.get(HitLocation, card)  # type: ignore[no-any-return]


def _terms(*parts: tuple[str, int]) -> tuple[str, ...]:
    return tuple(f"{name} {value:+d}" for name, value in parts if value)
