"""The monster's turn: AI cards, its target, its attack, its basic action, its wounds."""

from __future__ import annotations

from msgspec.structs import replace

from kdmlog.core import dice
from kdmlog.core.events import CardsMoved, UseSpent
from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.core.requests import Choose, Draw, Opportunity, Option, Shuffle
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.content import AiCard, HitLocation, Monster
from kdmlog.games.kdm.rules import conditions, figures, harm, script
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.rules.numbers import attribute, monster_attribute
from kdmlog.games.kdm.rules.script import verb
from kdmlog.games.kdm.state import Showdown, State

FAR = "far_"
"""Prefix of a target option: the monster picks that survivor but cannot reach them."""
NOBODY = "none"
AFAR = "afar"
"""The name under which a script has the attacker who may stand out of the monster's reach."""
MOVES = ("toward", "away", "forward")


def showdown(table: Table) -> Showdown:
    """Returns the showdown under way."""
    state: State = table.state
    assert state.showdown is not None
    return state.showdown


def over(table: Table) -> bool:
    """Returns whether the showdown is decided."""
    return bool(showdown(table).outcome)


# --- AI cards -------------------------------------------------------------------------------------


@rule("kdm.draw_ai")
def draw_ai(table: Table) -> Procedure[None]:
    """Draws and plays the top AI card.

    An empty deck is made of the discard; with nothing in either, the monster performs its basic
    action instead (rulebook, Draw AI). A knocked down monster stands to draw.
    """
    yield from stand(table)
    deck = table.state.decks["ai"]
    if not deck["deck"] and deck["discard"]:
        yield Shuffle(deck="ai", took=("discard",), purpose="shuffle_ai")
    if not deck["deck"]:
        yield from basic_action(table)
        return
    [card] = yield Draw(deck="ai", to="playing", purpose="ai")
    yield from play_card(table, card)


def play_card(table: Table, card: str) -> Procedure[None]:
    """Plays a drawn AI card; then a mood or trait stays in play, others are discarded.

    A persistent injury action that matches an injury in play replaces all others on the card.
    """
    record: AiCard = table.content.get(AiCard, card)
    scene = Scene(table=table, record=f"ai_card:{card}")
    injuries = conditions.persistent_injuries(scene)
    replaced = next((one for one in injuries if one in record.persistent), None)
    if replaced is not None:
        yield from script.play_record(scene, record.persistent[replaced], f"persistent.{replaced}")
    else:
        yield from _actions(table, scene, record)
    yield Record(e.BarsEnded(until="card_end"))
    zone = "in_play" if record.type in ("mood", "trait") else "discard"
    yield Record(CardsMoved(deck="ai", cards=(card,), before="playing", to=zone))
    while showdown(table).draws_due and not over(table):
        yield Record(e.DrawsDue(now=showdown(table).draws_due - 1))
        yield from draw_ai(table)


def _actions(table: Table, scene: Scene, record: AiCard) -> Procedure[None]:
    """Picks a target if the card does, and performs its actions; without one, the instinct."""
    if not record.target:
        yield from script.play_record(scene, record.steps)
        return
    target, reached = yield from pick_target(table, record)
    yield Record(e.TargetPicked(survivor=target, reached=reached))
    if not target:
        yield from instinct(table)
        yield from _end_its_turn(table)
        return
    yield from _controller_bonus(table, target)
    yield from _act_on(table, scene, record, target, reached=reached)


def _act_on(
    table: Table, scene: Scene, record: AiCard, target: str, *, reached: bool
) -> Procedure[None]:
    """Performs a card's actions on its target, or the full move that falls short of it."""
    if reached:
        yield from script.play_record(replace(scene, who=target), record.steps)
        return
    if (yield from _starts_to_move(table)):
        yield Record(e.MonsterMoved(how="full move towards its target, and falls short"))
    yield from _end_its_turn(table)


def _end_its_turn(table: Table) -> Procedure[None]:
    """An instinct, or a target out of reach, ends the turn: nothing more is drawn."""
    if showdown(table).draws_due:
        yield Record(e.DrawsDue(now=0))


def instinct(table: Table) -> Procedure[None]:
    """Performs the monster's instinct (rulebook, No Target)."""
    monster: Monster = table.content.get(Monster, showdown(table).monster)
    record: AiCard = table.content.get(AiCard, monster.instinct)
    scene = Scene(table=table, record=f"ai_card:{monster.instinct}")
    yield from script.play_record(scene, record.steps)


def pick_target(table: Table, record: AiCard) -> Procedure[tuple[str, bool]]:
    """Returns the target and whether the monster reaches it; without a board the table looks.

    The priority target token overrides all conditions. The knocked down are no threats, unless
    the monster has sniffed, or the card speaks of survivors or only itself says of whom (rulebook,
    Pick Target).
    """
    state: State = table.state
    fight = showdown(table)
    everyone = conditions.taking_part(state)
    threats = [id_ for id_ in everyone if state.survivors[id_].knocked_down is None]
    text = " ".join(record.target)
    sniffed = fight.all_are_threats >= fight.round
    if record.assisted or sniffed or "survivor" in text or "knocked down" in text:
        threats = everyone
    if fight.priority_target:
        picked = yield from _reach(table, record, [fight.priority_target])
    else:
        picked = yield from _reach(table, record, threats, Option(NOBODY, "no target"))
    return picked


def _reach(
    table: Table, record: AiCard, among: list[str], *others: Option
) -> Procedure[tuple[str, bool]]:
    """Asks who of some is the target (nobody: empty) and whether the monster reaches them.

    An intimidation needs nobody near (rulebook, Intimidate Actions).
    """
    names = {id_: table.state.survivors[id_].name for id_ in among}
    options = [Option(id_, name) for id_, name in names.items()]
    if not record.intimidates:
        options += [Option(FAR + id_, f"{name}, out of reach") for id_, name in names.items()]
    if len(options) == 1 and not others:
        return among[0], True
    [picked] = yield Choose(
        purpose="target",
        about=tuple(record.target) if others else (),
        by=showdown(table).controller.survivor,
        options=(*options, *others),
    )
    if picked == NOBODY:
        return "", False
    return picked.removeprefix(FAR), not picked.startswith(FAR)


def _controller_bonus(table: Table, target: str) -> Procedure[None]:
    """The controller's own survivor gains insanity when picked (rulebook, Controller Bonus)."""
    if target == showdown(table).controller.survivor:
        yield from figures.change(table, target, "insanity", 1)


@rule("kdm.basic_action")
def basic_action(table: Table, target: str = "", *, afar: bool = False) -> Procedure[None]:
    """Performs the basic action, picking a target unless one is given. It counts as no draw.

    A target that may be ``afar`` has to be reached like any other (First Story, Move & Attack).
    """
    monster: Monster = table.content.get(Monster, showdown(table).monster)
    record: AiCard = table.content.get(AiCard, monster.basic_action)
    scene = Scene(table=table, record=f"ai_card:{monster.basic_action}")
    yield Record(e.RecordBegun(record=scene.record))
    before = showdown(table).target
    if not target:
        yield from _actions(table, scene, record)
    else:
        reached = True
        if afar:
            _, reached = yield from _reach(table, record, [target])
        yield Record(e.TargetPicked(survivor=target, reached=reached))
        if target != showdown(table).attacker:
            yield from _controller_bonus(table, target)
        yield from _act_on(table, scene, record, target, reached=reached)
    within = bool(table.state.decks["ai"]["playing"])
    if within and before and showdown(table).target != before:
        yield Record(e.TargetPicked(survivor=before))


# --- the monster's attack -------------------------------------------------------------------------


@rule("kdm.monster_attack")
def monster_attack(table: Table, scene: Scene, attack: s.Attack) -> Procedure[None]:
    """Attacks the target: dice, hits, locations, dodge, damage, triggers once per attack.

    A hit is a result that, with accuracy tokens, meets the profile's accuracy plus the survivor's
    evasion; a lantern always hits and a 1 always misses. Damage is the profile's plus the
    monster's damage (rulebook, How Monsters Attack).
    """
    target = scene.who
    survivor = table.state.survivors[target]
    if not survivor.alive or over(table):
        return
    if attack.move and (yield from _movement_fails(table)):
        return
    count = max(1, attack.speed + monster_attribute(table, "speed"))
    faces = yield from script.rolled_faces(f"{count}d10", "monster_attack", (target,))
    needs = attack.accuracy + attribute(table, survivor, "evasion").total
    accuracy = monster_attribute(table, "accuracy")
    hits = sum(1 for face in faces if face != 1 and (face == 10 or face + accuracy >= needs))
    yield Record(e.HitsScored(by="monster", hits=hits, target=target))
    if not hits:
        return
    yield from script.play(script.inside(scene, "after_hit"), attack.after_hit)
    if attack.at is not None:
        places = [attack.at] * hits
    else:
        rolled = yield from script.rolled_faces(f"{hits}location", "hit_location", (target,))
        places = [dice.location(face) for face in rolled]
    yield from script.play(script.inside(scene, "before_damage"), attack.before_damage)
    places = yield from dodge(table, target, places)
    points = max(0, attack.damage + monster_attribute(table, "damage"))
    damaged = False
    while places and survivor.alive:
        place = yield from _next_hit(table, target, places, points)
        places.remove(place)
        damaged |= yield from harm.damage(table, target, place, points)
    if damaged and survivor.alive:
        yield from script.play(script.inside(scene, "after_damage"), attack.after_damage)


def _movement_fails(table: Table) -> Procedure[bool]:
    """Persistent injuries that act when the monster starts to move; True: it does not attack."""
    if not _hampering(table):
        return False
    options = (Option("yes", "it has to move"), Option("no", "it is adjacent already"))
    [moves] = yield Choose(purpose="must_move", options=options, default="yes")
    return moves == "yes" and not (yield from _starts_to_move(table))


def _hampering(table: Table) -> list[str]:
    cards = table.state.decks["hit_locations"]["persistent"]
    return [one for one in cards if table.content.get(HitLocation, one).monster_moves]


def _starts_to_move(table: Table) -> Procedure[bool]:
    """Plays what hampers a monster as it starts to move; returns whether it does move."""
    for card in _hampering(table):
        steps = table.content.get(HitLocation, card).monster_moves
        inner = Scene(table=table, record=f"hit_location:{card}")
        yield from script.play_record(inner, steps, "monster_moves")
    return not showdown(table).knocked_down


def may_dodge(table: Table, id_: str) -> bool:
    """Returns whether a survivor may dodge: once a round, also knocked down, never attacking."""
    survivor = table.state.survivors[id_]
    return (
        figures.can_spend_survival(table, survivor)
        and not conditions.barred(table, survivor, "dodge")
        and not table.state.used("round", id_, "dodge")
        and showdown(table).attacker != id_
    )


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
    left = list(places)
    left.remove(dodged)
    return left


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


# --- the monster's body ---------------------------------------------------------------------------


@rule("kdm.wound")
def wound(table: Table, survivor: str) -> Procedure[None]:
    """Moves the top AI card to the wound stack; the discard makes a new deck when it is empty.

    A wound with no card in deck and discard kills, whatever moods are in play (rulebook, Monster
    Death).
    """
    fight = showdown(table)
    deck = table.state.decks["ai"]
    if not deck["deck"] and deck["discard"]:
        yield Shuffle(deck="ai", took=("discard",), purpose="shuffle_ai")
    if not deck["deck"]:
        yield from kill(table, survivor)
        return
    yield Record(CardsMoved(deck="ai", cards=(deck["deck"][0],), before="deck", to="wounds"))
    yield Record(e.MonsterWounded(survivor=survivor, now=fight.wounds + 1))


def kill(table: Table, survivor: str) -> Procedure[None]:
    """The monster dies."""
    fight = showdown(table)
    if not over(table):
        yield Record(e.MonsterWounded(survivor=survivor, now=fight.wounds + 1))
        yield Record(e.ShowdownDecided(outcome="victory", killer=survivor))


def heal(table: Table, count: int) -> Procedure[None]:
    """Puts wounds from the top of the stack to the bottom of the deck (rulebook, Healing)."""
    stack = table.state.decks["ai"]["wounds"]
    for _ in range(min(count, len(stack))):
        card = table.state.decks["ai"]["wounds"][0]
        yield Record(CardsMoved(deck="ai", cards=(card,), before="wounds", to="deck", bottom=True))
        now = showdown(table).wounds - 1
        yield Record(e.MonsterWounded(survivor=showdown(table).last_wounder, now=now))


def stand(table: Table) -> Procedure[None]:
    """A knocked down monster stands: at the next turn, to draw an AI card, for a trap."""
    if showdown(table).knocked_down:
        yield Record(e.MonsterKnockedDown(now=False))


def check_defeat(table: Table) -> Procedure[None]:
    """With every survivor dead the showdown is lost."""
    if not over(table) and not conditions.taking_part(table.state):
        yield Record(e.ShowdownDecided(outcome="defeat"))


# --- verbs ----------------------------------------------------------------------------------------


@verb("attack")
def _attack(scene: Scene, body: s.Attack) -> Procedure[None]:
    target = scene.who or showdown(scene.table).target
    yield from monster_attack(scene.table, replace(scene, who=target), body)


@verb("basic_action")
def _basic_action(scene: Scene, body: s.Basic) -> Procedure[None]:
    if over(scene.table):
        return
    target = ""
    if body.target is not None:
        target = yield from conditions.one(scene, body.target)
        if not target:
            return
    attacker = showdown(scene.table).attacker
    afar = target != attacker or attacker in scene.bound.get(AFAR, [])
    yield from basic_action(scene.table, target, afar=afar)


@verb("flow")
def _flow(scene: Scene, _body: int) -> Procedure[None]:
    """In the First Story survival buys dodges only: nobody can interrupt at a flow."""
    yield Opportunity(purpose="flow", about=(scene.record,))


@verb("draw_ai")
def _draw_ai(scene: Scene, body: int) -> Procedure[None]:
    yield Record(e.DrawsDue(now=showdown(scene.table).draws_due + body))


@verb("reveal_ai")
def _reveal_ai(scene: Scene, body: int) -> Procedure[None]:
    """Shows the top cards, which then lie on top again: known, as all that is seen is."""
    count = min(body, len(scene.state.decks["ai"]["deck"]))
    if count:
        cards = yield Draw(deck="ai", count=count, to="revealed", purpose="reveal_ai")
        yield Record(CardsMoved(deck="ai", cards=tuple(cards), before="revealed", to="deck"))


@verb("monster")
def _monster(scene: Scene, body: s.Monster) -> Procedure[None]:
    fight = showdown(scene.table)
    for token in ("movement", "toughness", "speed", "damage", "accuracy", "evasion", "luck"):
        if (by := getattr(body, token)) is not None:
            now = fight.tokens.get(token, 0) + by
            yield Record(e.MonsterTokens(token=token, by=by, now=now))
    for _ in range(body.wounds or 0):
        if not over(scene.table):
            yield from wound(scene.table, scene.who)
    if body.heal is not None:
        yield from heal(scene.table, body.heal)
    if body.knocked_down and not fight.knocked_down:
        yield Record(e.MonsterKnockedDown(now=True))
    if body.dies:
        yield from kill(scene.table, scene.who)


@verb("move")
def _move(scene: Scene, body: s.Move) -> Procedure[None]:
    """The monster moves by itself (toward, away, forward), unless an injury fells it instead."""
    if over(scene.table):
        return
    moves = body.how not in MOVES or (yield from _starts_to_move(scene.table))
    if moves:
        yield Record(e.MonsterMoved(how=body.how))


@verb("knockback")
def _knockback(scene: Scene, body: s.Knockback) -> Procedure[None]:
    for id_ in (yield from conditions.people(scene, body.who)):
        inner = replace(scene, who=id_)
        spaces = yield from conditions.amount(inner, body.spaces, "knockback")
        yield Record(e.MovedAside(survivor=id_, spaces=spaces))


@verb("priority_target")
def _priority_target(scene: Scene, body: s.People) -> Procedure[None]:
    id_ = yield from conditions.one(scene, body.who)
    if id_:
        yield Record(e.PriorityTarget(survivor=id_, round=showdown(scene.table).round))


@verb("all_are_threats")
def _all_are_threats(scene: Scene, body: int) -> Procedure[None]:
    yield Record(e.ThreatsWidened(until_round=showdown(scene.table).round + body))


@verb("discard_mood")
def _discard_mood(scene: Scene, _body: int) -> Procedure[None]:
    """Discards a mood in play, of the attacker's choice, and plays its leaving."""
    moods = scene.state.decks["ai"]["in_play"]
    if not moods:
        return
    gone = moods[0]
    if len(moods) > 1:
        options = tuple(
            Option(one, figures.name_of(scene.table, AiCard, one)) for one in dict.fromkeys(moods)
        )
        [gone] = yield Choose(purpose="discard_mood", about=(scene.record,), options=options)
    record: AiCard = scene.table.content.get(AiCard, gone)
    yield Record(CardsMoved(deck="ai", cards=(gone,), before="in_play", to="discard"))
    inner = Scene(table=scene.table, record=f"ai_card:{gone}")
    yield from script.play_record(inner, record.leaves, "leaves")
