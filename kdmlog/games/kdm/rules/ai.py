"""The monster's mind: AI cards, moods, its instinct and its basic action."""

from __future__ import annotations

from msgspec.structs import replace

from kdmlog.core.events import CardsMoved
from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.core.requests import Draw, Shuffle
from kdmlog.core.text import words
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.content import AiCard, Monster
from kdmlog.games.kdm.rules import (
    chance,
    conditions,
    edition,
    figures,
    harm,
    in_play,
    laid,
    moving,
    script,
    targets,
    traits,
    where,
)
from kdmlog.games.kdm.rules import monster as monster_body
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.rules.laid import CARD
from kdmlog.games.kdm.rules.monster import over, showdown, stand
from kdmlog.games.kdm.rules.opportunity import opportunity
from kdmlog.games.kdm.rules.script import verb

BASIC = "basic_action"
"""The moment until which a stronger basic action's tokens last."""
AFAR = "afar"
"""The name under which a script has the attacker who may stand out of the monster's reach."""


@rule("kdm.draw_ai")
def draw_ai(table: Table) -> Procedure[None]:
    """Draws and plays the top AI card.

    A duration that lies face up is drawn again. An empty deck is made of the discard; with nothing
    in either, the monster performs its basic action instead (rulebook, Draw AI). A knocked down
    monster stands to draw. A card in play may keep it from drawing.
    """
    yield from stand(table)
    if barring := laid.ruled(table, "no_draw"):
        yield Record(e.Said(survivor="", record=f"{CARD}{barring}", text="no AI card is drawn"))
        yield from _end_its_turn(table)
        yield from in_play.moment(table, "instead_of_draw")
        return
    deck = table.state.decks["ai"]
    if not deck["deck"] and not deck["face_up"] and deck["discard"]:
        yield Shuffle(deck="ai", took=("discard",), purpose="shuffle_ai")
    if deck["face_up"]:
        card = deck["face_up"][0]
        yield Record(CardsMoved(deck="ai", cards=(card,), before="face_up", to="playing"))
        yield from play_card(table, card, again=True)
    elif deck["deck"]:
        [card] = yield Draw(deck="ai", to="playing", purpose="ai")
        if (yield from _cancelled(table)):
            yield from in_play.move(table, card, "playing", "discard")
        else:
            yield from play_card(table, card)
    else:
        yield from basic_action(table)
    while showdown(table).draws_due and not over(table):
        yield Record(e.DrawsDue(now=showdown(table).draws_due - 1))
        yield from draw_ai(table)


def _cancelled(table: Table) -> Procedure[bool]:
    """Returns whether a card just drawn is cancelled before anything of it happens (Musk Bomb)."""
    cancelled: dict[str, list[str]] = {monster_body.CANCELLED: []}
    yield from traits.moment(table, "ai_drawn", conditions.taking_part(table.state), **cancelled)
    return "card" in cancelled[monster_body.CANCELLED]


def play_card(table: Table, card: str, *, again: bool = False) -> Procedure[None]:
    """Plays a drawn AI card; then a mood or trait stays in play, others are discarded.

    A persistent injury action that matches an injury in play replaces all others on the card. A
    duration lies face up after its first draw and is played when it is drawn ``again``.
    """
    record: AiCard = table.content.get(AiCard, card)
    scene = Scene(table=table, record=f"{CARD}{card}", bound={})
    injuries = conditions.persistent_injuries(scene)
    replaced = next((one for one in injuries if one in record.persistent), None)
    waits = record.type == "duration" and not again
    if replaced is not None:
        place = table.state.decks["hit_locations"]["persistent"][injuries.index(replaced)]
        text = f"{words(replaced).title()} changes what it does"
        yield Record(e.Said(survivor="", record=f"hit_location:{place}", text=text))
        yield from script.play_record(scene, record.persistent[replaced], f"persistent.{replaced}")
    elif waits:
        yield from script.play_record(scene, record.on.get("face_down", []), "on.face_down")
    else:
        yield from _actions(table, scene, record)
    yield Record(e.BarsEnded(until="card_end"))
    usual = "in_play" if record.type in ("mood", "trait") else "face_up" if waits else "discard"
    [goes] = scene.bound.get(in_play.GOES, [usual])
    yield from in_play.move(table, card, "playing", goes)
    if again and not over(table):
        leaving = Scene(table=table, record=scene.record)
        yield from script.play_record(leaving, record.leaves, "leaves")


def comes_into_play(table: Table, card: str) -> Procedure[None]:
    """A special card that starts in play; everybody gains a survivor status card.

    (rulebook, Monster (S) Cards and Attributes; Survivor Status AI Cards)
    """
    record: AiCard = table.content.get(AiCard, card)
    if record.type == "status":
        if card in table.state.decks["ai"]["in_play"]:
            yield Record(CardsMoved(deck="ai", cards=(card,), before="in_play", to="out"))
        for id_ in conditions.taking_part(table.state):
            yield from in_play.gain_status(table, id_, card)
        return
    if card in table.state.decks["ai"]["in_play"]:
        scene = Scene(table=table, record=f"{CARD}{card}")
        yield from script.play_record(scene, record.steps)
    else:
        yield from in_play.comes_into_play(table, card, before="out")


def _actions(table: Table, scene: Scene, record: AiCard) -> Procedure[None]:
    """Picks a target if the card does, and performs its actions; without one, the instinct."""
    if not record.target:
        yield from script.play_record(scene, record.steps)
        return
    target, reached = yield from _pick(table, record)
    if not target:
        yield from instinct(table)
        return
    yield from _token_taken(table, target)
    yield from _controller_bonus(table, target)
    yield from _act_on(table, scene, record, target, reached=reached)


def _token_taken(table: Table, target: str) -> Procedure[None]:
    """Whoever is picked may have to discard the priority target token."""
    fight = showdown(table)
    if target == fight.priority_target and edition.pick_takes_the_token(table.state):
        yield Record(e.PriorityTarget(survivor="", round=fight.round))


def _pick(table: Table, record: AiCard) -> Procedure[tuple[str, bool]]:
    """Picks a target, until one stays it: some slip away, for some another steps in."""
    while True:
        target, reached = yield from targets.pick(table, record)
        yield Record(e.TargetPicked(survivor=target, reached=reached))
        if not target:
            return "", reached
        yield from traits.moment(table, "targeted", [target])
        if not conditions.barred(table, table.state.survivors[target], targets.TARGET):
            break
    stands_in = yield from targets.stepped_in(table, target)
    if stands_in != target:
        yield Record(e.TargetPicked(survivor=stands_in, reached=reached))
    return stands_in, reached


def _act_on(
    table: Table, scene: Scene, record: AiCard, target: str, *, reached: bool
) -> Procedure[None]:
    """Performs a card's actions on its target, or the full move that falls short of it."""
    if reached:
        yield from script.play_record(replace(scene, who=target), record.steps)
        return
    yield from _falls_short(table)


def _falls_short(table: Table) -> Procedure[None]:
    """The monster makes a full move and its turn ends."""
    if (yield from moving.starts_to_move(table)):
        yield Record(e.MonsterMoved(how="full move towards its target, and falls short"))
    yield from _end_its_turn(table)


def _end_its_turn(table: Table) -> Procedure[None]:
    """An instinct that says so, or a target out of reach, ends the turn: nothing more is drawn."""
    if showdown(table).draws_due:
        yield Record(e.DrawsDue(now=0))


def instinct(table: Table) -> Procedure[None]:
    """Performs the monster's instinct (rulebook, No Target); some are about one survivor."""
    monster: Monster = table.content.get(Monster, showdown(table).monster)
    record: AiCard = table.content.get(AiCard, monster.instinct)
    scene = Scene(table=table, record=f"{CARD}{monster.instinct}")
    who = ""
    if record.target:
        who, _ = yield from targets.pick(table, record)
    if who:
        yield from _token_taken(table, who)
    if who or not record.target:
        yield from script.play_record(replace(scene, who=who), record.steps)
    yield from in_play.moment(table, "instinct")


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
    scene = Scene(table=table, record=f"{CARD}{monster.basic_action}")
    yield Record(e.RecordBegun(record=scene.record))
    before = showdown(table).target
    if not target:
        yield from _actions(table, scene, record)
    else:
        reached = True
        if afar and where.board(table.state) is None:
            _, reached = yield from targets.reach(table, record, [target])
        yield Record(e.TargetPicked(survivor=target, reached=reached))
        if target != showdown(table).attacker:
            yield from _controller_bonus(table, target)
        yield from _act_on(table, scene, record, target, reached=reached)
    within = bool(table.state.decks["ai"]["playing"])
    if within and before and showdown(table).target != before:
        yield Record(e.TargetPicked(survivor=before))
    yield from in_play.moment(table, "basic_action")


# --- verbs ----------------------------------------------------------------------------------------


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
    for token in ("speed", "damage"):
        if by := getattr(body, token):
            yield from monster_body.tokens(scene.table, token, by, BASIC)
    yield from basic_action(scene.table, target, afar=afar)
    yield from monster_body.end_tokens(scene.table, BASIC)


@verb("flow")
def _flow(scene: Scene, _body: int) -> Procedure[script.Jump | None]:
    """Everyone but an attacker may interrupt; a target that has dashed away may be out of reach.

    Without a board the players see whether it is (rulebook, During Monster Flows).
    """
    table, target = scene.table, scene.who
    done = yield from opportunity(table, "flow", (scene.record,))
    if (target, "dash") not in done or where.board(scene.state) is not None or over(table):
        return None
    kind, _, card = scene.record.partition(":")
    if kind != "ai_card" or not scene.state.survivors[target].conscious:
        return None
    _, reached = yield from targets.reach(table, table.content.get(AiCard, card), [target])
    if reached:
        return None
    yield from _falls_short(table)
    return script.Jump(halt=True)


@verb("draw_ai")
def _draw_ai(scene: Scene, body: int) -> Procedure[None]:
    yield Record(e.DrawsDue(now=showdown(scene.table).draws_due + body))


@verb("instinct")
def _instinct(scene: Scene, _body: int) -> Procedure[None]:
    yield from instinct(scene.table)


@verb("reveal_ai")
def _reveal_ai(scene: Scene, body: int) -> Procedure[None]:
    """Shows the top cards, which then lie on top again: known, as all that is seen is.

    While a duration lies face up nothing but a wound manipulates the deck (Duration).
    """
    deck = scene.state.decks["ai"]
    count = 0 if deck["face_up"] else min(body, len(deck["deck"]))
    if count:
        cards = yield Draw(deck="ai", count=count, to="revealed", purpose="reveal_ai")
        yield Record(CardsMoved(deck="ai", cards=tuple(cards), before="revealed", to="deck"))


@verb("perform")
def _perform(scene: Scene, body: str) -> Procedure[None]:
    """Plays what another of its cards does, which is no draw."""
    record: AiCard = scene.table.content.get(AiCard, body)
    inner = replace(scene, record=f"{CARD}{body}")
    yield from script.play_record(inner, record.steps)


@verb("end_turn")
def _end_turn(scene: Scene, _body: int) -> Procedure[None]:
    yield from _end_its_turn(scene.table)


@verb("grab")
def _grab(scene: Scene, body: s.People) -> Procedure[None]:
    """Puts them knocked down in front of the monster; 1 damage for each level (AI, Definitions)."""
    table = scene.table
    points = conditions.monster_level(scene.state)
    if laid.ruled(table, "grab_doubled"):
        points *= 2
    for id_ in (yield from conditions.people(scene, body.who)):
        yield from moving.put(scene, id_, "in_front")
        yield from harm.knock_down(table, id_)
        place = yield from chance.location("damage_location", (scene.record, id_))
        yield from harm.damage(table, id_, place, points)


@verb("shuffle")
def _shuffle(_scene: Scene, body: str) -> Procedure[None]:
    yield Shuffle(deck=body, took=("discard",), purpose=f"shuffle_{body}")


@verb("locations_on_top")
def _locations_on_top(scene: Scene, body: s.OnLocations) -> Procedure[None]:
    """Puts a hit location's copies on top of their deck, from wherever they are."""
    zones = scene.state.decks["hit_locations"]
    left = body.count
    for zone in ("deck", "discard", "out"):
        there = left if zone == "out" else min(left, zones[zone].count(body.card))
        if there:
            cards = (body.card,) * there
            yield Record(CardsMoved(deck="hit_locations", cards=cards, before=zone, to="deck"))
        left -= there
