"""A survivor's attack: dice, hits, hit locations, wound attempts, criticals, reactions, traps."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from kdmlog.core import dice
from kdmlog.core.errors import Refused
from kdmlog.core.events import CardsMoved, UseSpent
from kdmlog.core.game import Table
from kdmlog.core.names import match
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.core.requests import Choose, Draw, Option, Shuffle
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.content import AiCard, Gear, HitLocation
from kdmlog.games.kdm.rules import (
    ai,
    conditions,
    figures,
    harm,
    hiding,
    in_play,
    kit,
    laid,
    mastery,
    monster,
    numbers,
    script,
    skills,
    traits,
    where,
)
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.rules.numbers import Strike
from kdmlog.games.kdm.rules.opportunity import opportunity
from kdmlog.games.kdm.rules.script import verb
from kdmlog.games.kdm.state import State

FISTS = numbers.FISTS
ONCE = "once_per_showdown"
CANCELLED = "cancelled"
"""The name under which a hit location's scene has what it cancels: hit, attack."""
UNSHAKEN = 6
"""What ignores a trap (rulebook, Glossary, Unshakable)."""


class Feat(NamedTuple):
    """What an attack is part of, and what that adds to its figures: a charge, a pounce."""

    name: str = ""
    adds: Mapping[str, int] = MappingProxyType({})


NO_FEAT = Feat()


class Blow:
    """The attack being resolved: who with what, and what has come of it so far."""

    def __init__(
        self, table: Table, id_: str, card: str, *, blind: bool = False, feat: Feat | None = None
    ) -> None:
        self.table, self.id_, self.card, self.blind = table, id_, card, blind
        self.feat = feat or NO_FEAT
        self.weapon: Gear = table.content.get(Gear, card)
        self.automatic = False
        self.perfect = 0
        self.criticals = 0
        self.broken = False
        self.cancelled = False
        self.first = True
        """No location of it has been resolved yet."""
        self.spent: set[str] = set()
        """Skills that have been used in it."""
        self.wounded: list[str] = []
        """The locations at which it has wounded."""

    def strike(self, location: str = "") -> Strike:
        """Returns its numbers as they are at this moment, at a hit location."""
        foe = numbers.foe(self.table)
        there = None
        if location:
            record = _location(self.table, location)
            there = (f"hit_location:{location}", record.name, record.modifiers)
        return Strike(
            self.table,
            self.id_,
            self.card,
            self.weapon,
            foe,
            blind=self.blind,
            perfect=self.perfect,
            given=self.feat.adds,
            given_by=self.feat.name,
            there=there,
        )


def take_up(table: Table, id_: str, weapon: str) -> Procedure[None]:
    """Activates a weapon: the next attack is with it, too, unless it is used up."""
    yield Record(e.WeaponUsed(survivor=id_, weapon=weapon))
    if ONCE in table.content.get(Gear, weapon).rules:
        yield Record(UseSpent(scope="showdown", who=id_, what=weapon))


@rule("kdm.attack")
def attack(
    table: Table, id_: str, weapon: str, *, blind: bool = False, feat: Feat | None = None
) -> Procedure[None]:
    """Attacks with a weapon (rulebook, A Survivor's Attack; Perfect Hits)."""
    yield from hiding.seen(table, id_)
    yield from in_play.moment(table, "attack", id_)
    if not _stands(table, id_):
        yield from monster.check_defeat(table)
        return
    blow = Blow(table, id_, weapon, blind=blind, feat=feat)
    strike = blow.strike()
    yield Record(
        e.AttackBegun(
            survivor=id_,
            weapon=weapon,
            dice=strike.dice.total,
            needs=strike.needs.total,
            terms=strike.dice.terms + strike.needs.terms + strike.roll.terms,
        )
    )
    faces: list[int] = []
    if rolled := strike.dice.total - strike.sure:
        faces = yield from script.rolled_faces(f"{rolled}d10", "attack", (id_,))
        faces = yield from mastery.misses_again(strike, id_, faces)
    if strike.extra_rolls or strike.rolls_per_hit:
        faces += yield from _extra_rolls(strike, id_, faces)
    hits = strike.sure + sum(map(strike.hits, faces))
    blow.perfect = sum(map(strike.perfect, faces))
    yield Record(e.HitsScored(by=id_, hits=hits, perfect=blow.perfect))
    if strike.early_iron and 1 in faces:
        yield Record(e.AttackEnded(survivor=id_, cancelled=hits))
        return
    if strike.unwieldy:
        yield from _hurt(table, id_, faces.count(1))
        if not _stands(table, id_):
            yield Record(e.AttackEnded(survivor=id_, cancelled=hits))
            yield from monster.check_defeat(table)
            return
    for _ in range(blow.perfect):
        scene = Scene(table=table, record=f"gear:{weapon}", who=id_)
        yield from script.play_record(scene, blow.weapon.perfect, "perfect")
        yield from traits.moment(table, "perfect_hit", [id_])
        yield from in_play.moment(table, "perfect_hit", id_)
    if hits:
        scene = Scene(table=table, record=f"gear:{weapon}", who=id_)
        yield from script.play_record(scene, blow.weapon.hit, "hit")
        yield from traits.moment(table, "hits", [id_])
    if blow.perfect and strike.gives("perfect_wounds"):
        hits -= yield from _wounded_at_once(blow)
    if monster.over(table):
        yield Record(e.AttackEnded(survivor=id_, cancelled=hits))
        return
    yield from _resolve(blow, hits)
    if not monster.over(table) and _stands(table, id_):
        gear = Scene(table=table, record=f"gear:{weapon}", who=id_)
        yield from script.play_record(gear, blow.weapon.after, "after")
    yield from _taken_up(blow)
    yield from monster.end_tokens(table, "attack_end")


def _wounded_at_once(blow: Blow) -> Procedure[int]:
    """Each perfect hit is a wound, and no location is drawn for it; returns how many they are."""
    for _ in range(blow.perfect):
        if not monster.over(blow.table):
            yield from monster.wound(blow.table, blow.id_)
    return blow.perfect


def _extra_rolls(strike: Strike, id_: str, faces: list[int]) -> Procedure[list[int]]:
    """Rolls what hits give besides, once, and perfect hits; those may be perfect again."""
    extra: list[int] = []
    due = strike.extra_rolls * sum(map(strike.perfect, faces))
    due += strike.rolls_per_hit * (strike.sure + sum(map(strike.hits, faces)))
    while due:
        rolled = yield from script.rolled_faces(f"{due}d10", "extra_attack", (id_,))
        extra += rolled
        due = strike.extra_rolls * sum(map(strike.perfect, rolled))
    return extra


def _hurt(table: Table, id_: str, times: int) -> Procedure[None]:
    """An unwieldy weapon deals 1 damage to random locations (rulebook, Glossary, Unwieldy)."""
    if times:
        rolled = yield from script.rolled_faces(f"{times}location", "unwieldy", (id_,))
        for face in rolled:
            if table.state.survivors[id_].conscious:
                yield from harm.damage(table, id_, dice.location(face), 1)


def _stands(table: Table, id_: str) -> bool:
    survivor = table.state.survivors[id_]
    return bool(survivor.conscious and survivor.knocked_down is None)


@rule("kdm.throw_founding_stone")
def throw(table: Table, id_: str, gear: str) -> Procedure[None]:
    """Slings and archives a Founding Stone: 1 automatic hit that is a critical wound.

    At a location without a critical effect it wounds and nothing else.
    """
    yield from hiding.seen(table, id_)
    blow = Blow(table, id_, table.state.gear[gear])
    blow.automatic = True
    yield Record(e.AttackBegun(survivor=id_, weapon=blow.card, dice=0, needs=0, terms=("thrown",)))
    yield Record(e.GearArchived(gear=gear))
    yield Record(e.HitsScored(by=id_, hits=1))
    yield from _resolve(blow, 1)


def _resolve(blow: Blow, hits: int) -> Procedure[None]:
    """Draws hit locations and resolves them: a trap first, then as the attacker orders them."""
    table, id_ = blow.table, blow.id_
    yield from _draw_locations(table, hits)
    drawn = table.state.decks["hit_locations"]
    trap = next((one for one in drawn["drawn"] if _is(table, one, "trap")), None)
    if trap is not None and (yield from _ignores(blow, trap)):
        trap = None
    if trap is not None:
        cancelled = len(drawn["drawn"])
        yield from _spring(table, id_, trap, [id_] if blow.automatic else [])
        yield Record(e.AttackEnded(survivor=id_, cancelled=cancelled))
        yield from monster.check_defeat(table)
        return
    while drawn["drawn"] and not blow.cancelled and not (yield from _stopped(blow)):
        next_ = _next(table, list(drawn["drawn"]))
        rolled = None
        if len(next_) > 1:
            rolled = yield from mastery.rolls_first(blow.strike(), id_, blow.spent)
        card = yield from _order(table, id_, next_)
        yield from _wound_location(blow, card, rolled)
        blow.first = False
    cancelled = len(drawn["drawn"])
    if cancelled:
        rest = tuple(drawn["drawn"])
        yield Record(CardsMoved(deck="hit_locations", cards=rest, before="drawn", to="discard"))
    yield Record(e.AttackEnded(survivor=id_, cancelled=cancelled))
    if blow.broken:
        yield from _break(blow)
    yield from monster.check_defeat(table)


def _ignores(blow: Blow, trap: str) -> Procedure[bool]:
    """A trap may be ignored: it is discarded, the deck shuffled."""
    if not (yield from _unshaken(blow, trap)):
        strike = blow.strike()
        if not (yield from mastery.disarms(blow.table, strike, blow.id_, trap)):
            return False
    yield Record(CardsMoved(deck="hit_locations", cards=(trap,), before="drawn", to="discard"))
    yield Shuffle(deck="hit_locations", took=("discard",), purpose="shuffle_hit_locations")
    return True


def _unshaken(blow: Blow, trap: str) -> Procedure[bool]:
    """The unshakable ignore a trap on 6+ (rulebook, Glossary, Unshakable)."""
    if not blow.strike().unshakable:
        return False
    [face] = yield from script.rolled_faces("1d10", "unshakable", (blow.id_, trap))
    return bool(face >= UNSHAKEN)


def _frail(blow: Blow, strike: Strike) -> bool:
    """The People of the Skull know no frail gear (rulebook, People of the Skull)."""
    return strike.frail and "people_of_the_skull" not in blow.table.state.variants


def _break(blow: Blow) -> Procedure[None]:
    """A frail weapon that met a super-dense location is archived (rulebook, Super-Dense)."""
    state: State = blow.table.state
    grid = state.survivors[blow.id_].grid
    gear = next((grid[cell] for cell in sorted(grid) if state.gear[grid[cell]] == blow.card), "")
    if gear:
        yield Record(e.GearArchived(gear=gear))


def _taken_up(blow: Blow) -> Procedure[None]:
    """Masters of the dagger strike where one beside them has wounded, for 1 survival each.

    Without a board they see themselves who is adjacent (rulebook, Weapon Mastery; facts, Dagger).
    """
    table = blow.table
    for card in blow.wounded:
        for id_ in conditions.taking_part(table.state):
            weapon = _striking_there(blow, id_)
            found = card in table.state.decks["hit_locations"]["discard"]
            if not weapon or not found or monster.over(table):
                continue
            options = (Option("no"), Option("yes", "1 survival"))
            [answer] = yield Choose(
                purpose="takes_up", about=(id_, card), by=id_, options=options, default="no"
            )
            if answer == "yes":
                yield from _takes_up(table, id_, weapon, card)


def _striking_there(blow: Blow, id_: str) -> str:
    """Returns the weapon with which a survivor may take up another's attack; empty: none."""
    table = blow.table
    state: State = table.state
    survivor = state.survivors[id_]
    near = where.board(state) is None or where.beside(state, id_, blow.id_)
    if id_ == blow.id_ or not near or not _stands(table, id_):
        return ""
    if not skills.taught(table, survivor) or not figures.can_spend_survival(table, survivor):
        return ""
    for card in weapons(table, id_):
        other = Blow(table, id_, card)
        far = where.board(state) is not None and out_of_reach(other)
        if other.strike().gives("takes_up") and not far:
            return card
    return ""


def _takes_up(table: Table, id_: str, weapon: str, card: str) -> Procedure[None]:
    yield from figures.spend_survival(table, id_)
    blow = Blow(table, id_, weapon, blind=from_blind_spot(table, id_, said=False))
    yield Record(e.WeaponUsed(survivor=id_, weapon=weapon))
    yield Record(e.AttackBegun(survivor=id_, weapon=weapon, dice=0, needs=0, terms=("taken up",)))
    yield Record(e.HitsScored(by=id_, hits=1))
    yield Record(CardsMoved(deck="hit_locations", cards=(card,), before="discard", to="drawn"))
    yield from _wound_location(blow, card)
    yield Record(e.AttackEnded(survivor=id_, cancelled=0))
    if blow.broken:
        yield from _break(blow)
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


def _stopped(blow: Blow) -> Procedure[bool]:
    """Returns whether what is left of the attack is cancelled.

    An attacker who is knocked down or dead stops; so do hits out of range after the monster has
    moved (rulebook, Knocked Down Survivors; Movement During an Attack).
    """
    table, id_ = blow.table, blow.id_
    if monster.over(table) or not _stands(table, id_):
        return True
    if blow.automatic or not monster.showdown(table).moved:
        return False
    if where.board(table.state) is not None:
        return bool(out_of_reach(blow))
    options = (Option("yes", "still in reach"), Option("no", "out of reach"))
    [there] = yield Choose(purpose="in_reach", about=(id_,), by=id_, options=options, default="yes")
    return bool(there == "no")


def _next(table: Table, cards: list[str]) -> list[str]:
    """Returns the locations that can be resolved next: first strikes come first."""
    first = [one for one in cards if _is(table, one, "first_strike")]
    return list(dict.fromkeys(first or cards))


def _order(table: Table, id_: str, kinds: list[str]) -> Procedure[str]:
    """Returns the location resolved next, of the attacker's choice."""
    if len(kinds) == 1:
        return kinds[0]
    options = tuple(Option(one, _location(table, one).name) for one in kinds)
    [card] = yield Choose(
        purpose="hit_order", about=(id_,), by=id_, options=options, default=kinds[0]
    )
    return str(card)


class Attempt(NamedTuple):
    """A wound attempt: the wound roll, what is added to it beyond strength, and its outcome."""

    face: int
    more: int
    terms: tuple[str, ...]
    beats: bool
    critical: bool


@rule("kdm.wound_attempt")
def _wound_location(
    blow: Blow, card: str, rolled: tuple[int, int] | None = None
) -> Procedure[None]:
    """The wound steps for one hit location (rulebook, The Wound Steps).

    A lantern always wounds and a 1 never does; nothing wounds an impervious location. A critical
    cancels every reaction; so does being knocked down. Its effects are due even when it kills. The
    wound roll may have been ``rolled`` before the location was chosen.
    """
    table, id_, automatic = blow.table, blow.id_, blow.automatic
    location = _location(table, card)
    scene = Scene(table=table, record=f"hit_location:{card}", who=id_)
    if location.hit and not (yield from _goes_on(blow, scene, location.hit)):
        yield from _card_ends(table)
        yield Record(CardsMoved(deck="hit_locations", cards=(card,), before="drawn", to="discard"))
        return
    strike = blow.strike(card)
    tried = yield from _attempt(blow, strike, card, rolled)
    while not (tried.beats or tried.critical):
        if not (yield from mastery.tries_again(table, strike, id_, card, blow.spent)):
            break
        tried = yield from _attempt(blow, strike, card)
    critical = tried.critical
    wounded = (critical or tried.beats) and not _is(table, card, "impervious")
    attempted = _attempted(blow, strike, card, tried, wounded=wounded)
    yield Record(attempted)
    blow.broken |= _is(table, card, "super_dense") and _frail(blow, strike)
    if wounded:
        blow.wounded.append(card)
        wounds = strike.wounds_dealt(critical=critical, before=blow.criticals)
        wounds += strike.gives("crushes") and attempted.total >= 2 * attempted.needs > 0
        yield from _wounds(blow, strike, wounds)
    blow.criticals += critical
    if tried.face == dice.LANTERN and not automatic:
        yield from script.play_record(scene, location.lantern, "lantern")
    if wounded and monster.over(table):
        yield from script.play_record(scene, location.death_blow, "death_blow")
    kept = False
    if critical:
        gear = Scene(table=table, record=f"gear:{blow.card}", who=id_)
        yield from script.play_record(gear, blow.weapon.critical, "critical")
        yield from traits.moment(table, "critical_wound", [id_])
        kept = bool(location.persistent)
        yield from script.play_record(scene, location.critical or [], "critical")
        if not monster.over(table):
            yield from opportunity(table, "critical_wound", (id_, card))
    elif not monster.over(table) and not _unanswered(blow, strike):
        yield from _reactions(table, scene, location, wounded=wounded)
    yield from _card_ends(table)
    yield from _lay_down(table, card, kept=kept)


def _attempt(
    blow: Blow, strike: Strike, card: str, rolled: tuple[int, int] | None = None
) -> Procedure[Attempt]:
    """Rolls a wound attempt, unless that is done, and says what comes of it.

    Some skills double it at the first location, or make a wound critical where there is an injury
    to leave (Club; Axe).
    """
    location = _location(blow.table, card)
    if blow.automatic:
        critical = location.critical is not None
        return Attempt(dice.LANTERN, 0, (), beats=True, critical=critical)
    if rolled is None:
        [face] = yield from script.rolled_faces("1d10", "wound", (blow.id_, card))
        sharp = yield from mastery.sharp(strike, blow.id_)
    else:
        face, sharp = rolled
    more, terms = sharp, (f"sharp +{sharp}",) if sharp else ()
    if blow.first and blow.perfect and strike.gives("doubles_first") and face != 1:
        by = face + strike.strength.total + sharp
        more, terms = more + by, (*terms, f"doubled +{by}")
    beats = strike.wounds(face, more, location.toughness)
    critical = strike.is_critical(face) or bool(
        beats and location.persistent and strike.gives("deepens_injuries")
    )
    return Attempt(face, more, terms, beats, critical and location.critical is not None)


def _wounds(blow: Blow, strike: Strike, count: int) -> Procedure[None]:
    """Deals so many wounds, and plays what the weapon does for them."""
    table, id_ = blow.table, blow.id_
    for _ in range(count):
        if not monster.over(table):
            discard = yield from mastery.out_of_discard(table, strike, id_, blow.spent)
            yield from monster.wound(table, id_, discard=discard)
    if not monster.over(table):
        gear = Scene(table=table, record=f"gear:{blow.card}", who=id_)
        yield from script.play_record(gear, blow.weapon.wound, "wound")
    if "provoke" in blow.weapon.rules and not monster.over(table):
        yield Record(e.PriorityTarget(survivor=id_, round=monster.showdown(table).round))


def _unanswered(blow: Blow, strike: Strike) -> bool:
    """Returns whether skill leaves the monster no reaction: a perfect hit's, or at first."""
    return bool(
        (blow.perfect and strike.gives("silences"))
        or (blow.first and strike.gives("first_unanswered"))
    )


def _card_ends(table: Table) -> Procedure[None]:
    """What a card bars ends with it; not yet for one that a surge has interrupted (Doomed)."""
    decks = table.state.decks
    waits = decks["ai"]["playing"] or decks["hit_locations"]["set_aside"]
    if not (monster.showdown(table).survival_action and waits):
        yield Record(e.BarsEnded(until="card_end"))


def _lay_down(table: Table, card: str, *, kept: bool) -> Procedure[None]:
    """Discards a resolved location, or keeps its persistent injury in play.

    A trap in an attack that interrupted this one has taken it along into the new deck.
    """
    deck = table.state.decks["hit_locations"]
    before = "drawn" if card in deck["drawn"] else "deck"
    zone = "persistent" if kept else "discard"
    if kept or before == "drawn":
        yield Record(CardsMoved(deck="hit_locations", cards=(card,), before=before, to=zone))


def _goes_on(blow: Blow, scene: Scene, steps: list[s.Step]) -> Procedure[bool]:
    """Plays what happens when a location is attacked; returns whether it can be wounded still."""
    yield from script.play_record(scene, steps, "hit")
    cancelled = scene.bound.get(CANCELLED, [])
    blow.cancelled |= "attack" in cancelled
    return not cancelled and _stands(blow.table, blow.id_) and not monster.over(blow.table)


@verb("cancel")
def _cancel(scene: Scene, body: str) -> Procedure[None]:
    """Cancels the hit, or the rest of the attack with it (Glossary, Canceled Attack)."""
    scene.bound.setdefault(CANCELLED, []).append(body)
    return
    yield


def _attempted(
    blow: Blow, strike: Strike, card: str, tried: Attempt, *, wounded: bool
) -> e.WoundAttempted:
    """Returns a wound attempt as the log has it: the sum, and what it had to meet."""
    terms = (*strike.strength.terms, *tried.terms)
    total = tried.face + strike.strength.total + tried.more
    needs = strike.foe.toughness + _location(blow.table, card).toughness
    if strike.unstoppable:
        terms, total, needs = (), tried.face, numbers.UNSTOPPABLE
    return e.WoundAttempted(
        survivor=blow.id_,
        location=card,
        total=total,
        needs=needs,
        wounded=wounded,
        critical=tried.critical,
        terms=("automatic",) if blow.automatic else terms,
    )


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
    if not reactions or traits.ruled(table, table.state.survivors[scene.who], "no_reactions"):
        return
    yield from opportunity(table, "before_reaction", (scene.who,))
    if scene.record.partition(":")[2] not in table.state.decks["hit_locations"]["drawn"]:
        return  # a trap in the attack of a surge has ended this one, too
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
    waiting = tuple(deck["set_aside"])
    if waiting:  # of the attack that this one interrupts: all attacks end
        yield Record(
            CardsMoved(deck="hit_locations", cards=waiting, before="set_aside", to="discard")
        )
    yield Record(e.RecordBegun(record=f"hit_location:{trap}", verdict="trap"))
    yield from monster.stand(table)
    bound = {ai.AFAR: afar} | {card: [id_] for card in others}  # traps may ask what came with them
    scene = Scene(table=table, record=f"hit_location:{trap}", who=id_, bound=bound)
    yield from script.play_record(scene, _location(table, trap).trap, "trap")
    yield from _card_ends(table)
    yield from _lay_down(table, trap, kept=False)
    yield Shuffle(deck="hit_locations", took=("discard",), purpose="shuffle_hit_locations")


def carried(table: Table, id_: str) -> dict[str, str]:
    """Returns the gear in a grid: card id to shown name."""
    state = table.state
    cards = (state.gear[gear] for _, gear in sorted(state.survivors[id_].grid.items()))
    return {card: table.content.get(Gear, card).name for card in cards}


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


def weapon_named(table: Table, id_: str, word: str) -> str:
    """Returns the weapon named, else the last used, else the first carried that can be used."""
    there = weapons(table, id_)
    if word:
        return match(word, there, "weapon at hand")
    fight = table.state.showdown
    last = fight.last_weapon.get(id_, "") if fight is not None else ""
    usual = (one for one in (last, *there) if one in there)
    return next((one for one in usual if not why_no_weapon(table, id_, one)), FISTS)


def refuse_weapon(table: Table, id_: str, weapon: str) -> None:
    """Raises Refused when a survivor may not activate a weapon."""
    if why := why_no_weapon(table, id_, weapon):
        raise Refused(f"{why}.")


def why_no_weapon(table: Table, id_: str, weapon: str) -> str:
    """Returns why a survivor may not activate a weapon, or nothing."""
    survivor = table.state.survivors[id_]
    record: Gear = table.content.get(Gear, weapon)
    assert record.weapon is not None
    checks = ["weapons", *record.keywords, *record.rules]
    if record.weapon.strength >= 2:
        checks.append("strong_gear")
    if "ranged" in record.keywords and (card := laid.ruled(table, "no_ranged")):
        return f"The {record.name} is of no use now: {figures.name_of(table, AiCard, card)}"
    if why := conditions.barred(table, survivor, *checks):
        return f"{survivor.name} may not use the {record.name}: {why}"
    if "ammo:bow" in record.rules and not _carries(table, id_, "bow"):
        return f"The {record.name} needs a bow in the grid"
    if ONCE in record.rules and table.state.used("showdown", id_, weapon):
        return f"The {record.name} is used once per showdown"
    if "sentient" in record.rules and not conditions.insane(survivor):
        return f"The {record.name} is sentient: {survivor.name} has to be insane"
    return ""


def cumbersome(table: Table, id_: str, weapon: str) -> bool:
    """Returns whether a weapon takes movement besides activation, in these hands."""
    return "cumbersome" in table.content.get(Gear, weapon).rules and (
        Blow(table, id_, weapon).strike().cumbersome
    )


def why_too_cumbersome(table: Table, id_: str, weapon: str) -> str:
    """Returns why there is no movement for a cumbersome weapon, or nothing (Glossary)."""
    act = monster.showdown(table).act
    if act is None or act.survivor != id_ or act.movement or not cumbersome(table, id_, weapon):
        return ""
    name, record = table.state.survivors[id_].name, table.content.get(Gear, weapon)
    return f"The {record.name} is cumbersome: it takes movement too, and {name} has none left"


def from_blind_spot(table: Table, id_: str, *, said: bool) -> bool:
    """Returns whether an attack is from the blind spot: on the board it shows, else it is said.

    Raises Refused when it is said and not so.
    """
    if where.board(table.state) is None:
        return said
    there = where.in_blind_spot(table, id_)
    if said and not there:
        name = table.state.survivors[id_].name
        raise Refused(f"{name} does not stand in the blind spot.", hints=["showdown board"])
    return there


def _carries(table: Table, id_: str, keyword: str) -> bool:
    survivor = table.state.survivors[id_]
    cards = kit.in_grid(table, survivor).values()
    return any(keyword in record.keywords for _, record in cards)


def refuse_attack(table: Table, id_: str, weapon: str, *, blind: bool) -> None:
    """Raises Refused when a survivor may not attack the monster as it stands or lies."""
    survivor = table.state.survivors[id_]
    record: Gear = table.content.get(Gear, weapon)
    if where.board(table.state) is not None and (why := out_of_reach(Blow(table, id_, weapon))):
        hints = [f"move {id_} {monster.showdown(table).monster.split('_')[-1]}"]
        raise Refused(f"{survivor.name} cannot attack with the {record.name}: {why}.", hints=hints)
    if blind and (why := conditions.barred(table, survivor, "attack_from_blind_spot")):
        raise Refused(f"{survivor.name} may not attack from the blind spot: {why}.")
    refuse_downed(table, id_)


def refuse_downed(table: Table, id_: str) -> None:
    """Raises Refused when the monster lies down, and a survivor may not attack it so."""
    survivor = table.state.survivors[id_]
    down = monster.showdown(table).knocked_down
    if down and (why := conditions.barred(table, survivor, "attack_downed_monster")):
        raise Refused(f"{survivor.name} may not attack a knocked down monster: {why}.")


def out_of_reach(blow: Blow) -> str:
    """Returns why a weapon does not get to the monster from where a survivor stands, or nothing.

    Melee weapons need an adjacent monster, or one within their reach; ranged ones get as far as
    their range, past no obstacle (rulebook, How Survivors Attack).
    """
    steps = where.steps_from_monster(blow.table.state, blow.id_)
    strike = blow.strike()
    far = strike.range or strike.reach
    if steps > far:
        return f"the monster is {steps} spaces away, and it reaches {far}"
    if strike.range and not where.sees_monster(blow.table, blow.id_):
        return "an obstacle is in the way"
    return ""


def _location(table: Table, card: str) -> HitLocation:
    return table.content.get(HitLocation, card)  # type: ignore[no-any-return]


def _is(table: Table, card: str, type_: str) -> bool:
    """Returns whether a location is of a type now: a card in play may change what it is."""
    location = _location(table, card)
    in_play = table.state.decks["ai"]["in_play"]
    types = [type_there for one, type_there in location.becomes.items() if one in in_play]
    return type_ in (types or [location.type])[0].split()
