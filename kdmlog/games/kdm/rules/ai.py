"""The monster's mind: AI cards, moods, its instinct and its basic action."""

from __future__ import annotations

from msgspec.structs import replace

from kdmlog.core.events import CardsMoved
from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.core.requests import Choose, Draw, Option, Shuffle
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.content import AiCard, Monster
from kdmlog.games.kdm.rules import conditions, figures, moving, script, targets, where
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.rules.monster import over, showdown, stand
from kdmlog.games.kdm.rules.opportunity import opportunity
from kdmlog.games.kdm.rules.script import verb

AFAR = "afar"
"""The name under which a script has the attacker who may stand out of the monster's reach."""


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
    target, reached = yield from targets.pick(table, record)
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
    yield from _falls_short(table)


def _falls_short(table: Table) -> Procedure[None]:
    """The monster makes a full move and its turn ends."""
    if (yield from moving.starts_to_move(table)):
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
        if afar and where.board(table.state) is None:
            _, reached = yield from targets.reach(table, record, [target])
        yield Record(e.TargetPicked(survivor=target, reached=reached))
        if target != showdown(table).attacker:
            yield from _controller_bonus(table, target)
        yield from _act_on(table, scene, record, target, reached=reached)
    within = bool(table.state.decks["ai"]["playing"])
    if within and before and showdown(table).target != before:
        yield Record(e.TargetPicked(survivor=before))


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
    yield from basic_action(scene.table, target, afar=afar)


@verb("flow")
def _flow(scene: Scene, _body: int) -> Procedure[script.Jump | None]:
    """Everyone but an attacker may interrupt; a target that has dashed away may be out of reach.

    Without a board the players see whether it is (rulebook, During Monster Flows).
    """
    table, target = scene.table, scene.who
    done = yield from opportunity(table, "flow", (scene.record,))
    if "dash" not in done or not target or where.board(scene.state) is not None or over(table):
        return None
    kind, _, card = scene.record.partition(":")
    if kind != "ai_card" or not scene.state.survivors[target].alive:
        return None
    _, reached = yield from targets.reach(table, table.content.get(AiCard, card), [target])
    if reached:
        return None
    yield from _falls_short(table)
    return script.Jump(halt=True)


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
