"""The monster's attack: dice, hits, locations, dodge, damage, triggers."""

from __future__ import annotations

from msgspec.structs import replace

from kdmlog.core import dice
from kdmlog.core.events import UseSpent
from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.core.requests import Choose, Option
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.content import AiCard, HitLocation, Monster
from kdmlog.games.kdm.rules import (
    blocking,
    conditions,
    figures,
    harm,
    laid,
    moving,
    script,
    survival,
    traits,
    where,
)
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.rules.monster import over, showdown
from kdmlog.games.kdm.rules.numbers import attribute, figure, monster_attribute, softened
from kdmlog.games.kdm.rules.script import verb
from kdmlog.games.kdm.state import Survivor

TO_BRAIN = "first_hit_to_brain"
ANYWHERE = "hit"
"""Where hits land that damage no location."""


@rule("kdm.monster_attack")
def monster_attack(table: Table, scene: Scene, attack: s.Attack) -> Procedure[bool]:
    """Attacks the target: dice, hits, locations, dodge, damage, triggers once per attack.

    A hit is a result that, with accuracy tokens, meets the profile's accuracy plus the survivor's
    evasion; a lantern always hits and a 1 always misses. A dodged hit is a miss, so nothing is
    triggered before damage when none is left. Damage is the profile's plus the monster's damage
    (rulebook, How Monsters Attack; Dodge). Returns whether it could attack.
    """
    target = scene.who
    survivor = table.state.survivors[target]
    scene.bound[conditions.DAMAGED] = []
    if not survivor.conscious or over(table):
        return True
    if not (yield from _gets_there(table, target, attack)):
        return False
    hits = yield from _hits(table, target, attack)
    yield Record(e.HitsScored(by="monster", hits=hits, target=target))
    hits = yield from blocking.blocked(table, target, hits)
    if not hits:
        return True
    yield from script.play(script.inside(scene, "after_hit"), attack.after_hit)
    if attack.damage is None or attack.at is not None:
        places = [attack.at or ANYWHERE] * hits
    else:
        rolled = yield from script.rolled_faces(f"{hits}location", "hit_location", (target,))
        places = [dice.location(face) for face in rolled]
    if attack.at is None:
        places = yield from _to_the_arms(table, target, places)
    places = yield from dodge(table, target, places)
    if not places:
        return True
    scene.bound[conditions.PLACES] = list(dict.fromkeys(places))
    yield from script.play(script.inside(scene, "before_damage"), attack.before_damage)
    if attack.damage is None:
        yield from _each_hit(scene, attack.each_hit, len(places))
        return True
    points = _points(table, survivor, attack.damage)
    damaged = 0
    while places and survivor.conscious:
        place = yield from _next_hit(table, target, places, points)
        places.remove(place)
        if _to_the_brain(table, target):
            yield Record(UseSpent(scope="round", who=target, what=TO_BRAIN))
            damaged += yield from harm.damage(table, target, "brain", 1)
            continue
        severe = attack.severe + laid.modifier(table, "dealt_severe_injury")
        damaged += yield from harm.damage(table, target, place, points, severe=severe)
    scene.bound[conditions.DAMAGED] = [target] * damaged
    if damaged and survivor.conscious:
        yield from script.play(script.inside(scene, "after_damage"), attack.after_damage)
    return True


def _to_the_brain(table: Table, target: str) -> bool:
    """Returns whether this hit, the first of the round, is brain damage (Phoenix Plackart)."""
    survivor = table.state.survivors[target]
    return figure(table, survivor, TO_BRAIN) > 0 and not table.state.used("round", target, TO_BRAIN)


def _points(table: Table, survivor: Survivor, damage: int) -> int:
    points = max(0, damage + monster_attribute(table, "damage"))
    return softened(table, survivor, "hit_damage", points)


def looming(table: Table, id_: str) -> int | None:
    """Returns what each hit of the present attack damages; None where that is not known for sure.

    What is being played may have attacks that differ, or none that damages.
    """
    fight, decks = showdown(table), table.state.decks
    monster: Monster = table.content.get(Monster, fight.monster)
    basic: AiCard = table.content.get(AiCard, monster.basic_action)
    instinct: AiCard = table.content.get(AiCard, monster.instinct)
    played: list[AiCard | HitLocation] = [basic]
    if fight.attacker:
        drawn = [*decks["hit_locations"]["drawn"], *decks["hit_locations"]["playing"]]
        played += [table.content.get(HitLocation, card) for card in drawn]
    elif decks["ai"]["playing"]:
        played = [table.content.get(AiCard, card) for card in decks["ai"]["playing"]]
    found = set()
    for record in played:  # what these lead to is put behind them
        for _, step in s.steps_of(record):
            if isinstance(step.body, s.Attack):
                found.add(step.body.damage)
            elif isinstance(step.body, s.Basic) and basic not in played:
                played.append(basic)
        without_target = isinstance(record, AiCard) and bool(record.target)
        if without_target and instinct not in played:
            played.append(instinct)
    damage = found.pop() if len(found) == 1 else None
    return _points(table, table.state.survivors[id_], damage) if damage is not None else None


def _hits(table: Table, target: str, attack: s.Attack) -> Procedure[int]:
    """Rolls to hit; in a chain each hit adds one more roll."""
    hits = 0
    count = max(1, attack.speed + monster_attribute(table, "speed"))
    while count:
        faces = yield from script.rolled_faces(f"{count}d10", "monster_attack", (target,))
        evasion = attribute(table, table.state.survivors[target], "evasion").total
        needs, accuracy = attack.accuracy + evasion, monster_attribute(table, "accuracy")
        more = sum(1 for face in faces if face != 1 and (face == 10 or face + accuracy >= needs))
        hits += more
        count = more if attack.chain else 0
    return hits


def _gets_there(table: Table, target: str, attack: s.Attack) -> Procedure[bool]:
    """Moves the monster as far as it must; returns whether it can attack the target."""
    if where.board(table.state) is None:
        return not (attack.move and (yield from _movement_fails(table)))
    near = attack.reach or 1
    if attack.move:
        return (yield from moving.approach(table, target, near))
    return where.steps_from_monster(table.state, target) <= near


def _each_hit(scene: Scene, steps: list[s.Step], hits: int) -> Procedure[None]:
    """Plays what each hit of an attack without a damage figure does."""
    for _ in range(hits):
        if scene.state.survivors[scene.who].conscious:
            yield from script.play(script.inside(scene, "each_hit"), steps)


def _movement_fails(table: Table) -> Procedure[bool]:
    """Persistent injuries that act when the monster starts to move; True: it does not attack."""
    if not moving.hampering(table):
        return False
    options = (Option("yes", "it has to move"), Option("no", "it is adjacent already"))
    [moves] = yield Choose(purpose="must_move", options=options, default="yes")
    return moves == "yes" and not (yield from moving.starts_to_move(table))


def may_dodge(table: Table, id_: str) -> bool:
    """Returns whether a survivor may dodge: once a round, also knocked down, never attacking."""
    return not survival.refusal(table, id_, "dodge")


def dodge(table: Table, target: str, places: list[str]) -> Procedure[list[str]]:
    """Offers the target to dodge one hit before damage; returns the hits that are left."""
    if not may_dodge(table, target):
        return places
    kinds = list(dict.fromkeys(places))
    options = [Option("no"), *(Option(place) for place in kinds)]
    if len(kinds) == 1:
        options = [Option("no"), Option("yes", kinds[0])]
    [answer] = yield Choose(
        purpose="dodge",
        about=(target, *places),
        by=target,
        options=tuple(options),
        default="no",
    )
    if answer == "no":
        return places
    dodged = kinds[0] if answer == "yes" else answer
    yield from figures.spend_survival(table, target)
    yield Record(UseSpent(scope="round", who=target, what="dodge"))
    yield Record(e.DodgeSpent(survivor=target, location=dodged))
    yield from traits.moment(table, "survival_action", [target])
    left = list(places)
    left.remove(dodged)
    return (yield from dodge(table, target, left)) if left else left


def _to_the_arms(table: Table, target: str, places: list[str]) -> Procedure[list[str]]:
    """Whoever blocks with crossed arms may take one hit there (Crossarm Block)."""
    elsewhere = [place for place in dict.fromkeys(places) if place not in ("arms", ANYWHERE)]
    survivor = table.state.survivors[target]
    if not elsewhere or not traits.ruled(table, survivor, "takes_a_hit_at_the_arms"):
        return places
    options = (Option("no"), *map(Option, elsewhere))
    [taken] = yield Choose(
        purpose="to_the_arms", about=(target, *places), by=target, options=options, default="no"
    )
    if taken == "no":
        return places
    moved = list(places)
    moved[moved.index(taken)] = "arms"
    return moved


def _next_hit(table: Table, target: str, places: list[str], points: int) -> Procedure[str]:
    """Returns the location damaged next. The target chooses, where the order can matter."""
    kinds = list(dict.fromkeys(places))
    severe = any(harm.overflows(table, target, kind, points * places.count(kind)) for kind in kinds)
    if len(kinds) == 1 or not severe:
        return places[0]
    [place] = yield Choose(
        purpose="damage_order",
        about=(target, *places),
        by=target,
        options=tuple(Option(kind) for kind in kinds),
        default=places[0],
    )
    return str(place)


@verb("attack")
def _attack(scene: Scene, body: s.Attack) -> Procedure[script.Jump | None]:
    """Attacks; where it falls short of its target, the monster's turn ends."""
    target = scene.who or showdown(scene.table).target
    if not target:
        return None
    attacked = yield from monster_attack(scene.table, replace(scene, who=target), body)
    if attacked or where.board(scene.state) is None:
        return None
    if showdown(scene.table).draws_due:
        yield Record(e.DrawsDue(now=0))
    return script.Jump(halt=True)
