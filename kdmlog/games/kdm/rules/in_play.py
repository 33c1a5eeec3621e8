"""What lies in play: moods, traits, a duration, persistent injuries, status cards, tokens on them.

What such a card does at a moment, the rules and figures that hold while it lies there, and how it
comes and goes (rulebook, Playing Moods & Traits; Playing Duration AI Cards; Survivor Status AI
Cards).
"""

from __future__ import annotations

from msgspec import Struct

from kdmlog.core.events import CardsMoved
from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record
from kdmlog.core.requests import Choose, Option
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.content import AiCard, HitLocation
from kdmlog.games.kdm.rules import conditions, script, where
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.rules.laid import CARD, ZONES, cards, held
from kdmlog.games.kdm.rules.script import verb
from kdmlog.games.kdm.state import State, Survivor

ORDERED = ("turn_start", "turn_end")
"""Moments at which the controller orders what several cards do."""
DIED = "survivor_died"
"""The one moment of which the status cards of the dead hear, and no others."""
GOES = "card_goes"
"""The name under which a card's scene has where it goes when it is resolved."""


QUIET = ("draw_ai", "shuffle")
"""What cards do of which none makes another different: more draws to come, a deck shuffled."""


class Due(Struct, frozen=True):
    """What one card does at a moment; ``held`` by a survivor, if it is a status card."""

    record: str
    name: str
    steps: list[s.Step]
    who: str = ""
    held: bool = False
    at: str = ""


# --- moments --------------------------------------------------------------------------------------


def activate(table: Table, id_: str, card: str) -> Procedure[None]:
    """Plays what activating a status card does."""
    record: AiCard = table.content.get(AiCard, card)
    scene = Scene(table=table, record=f"{CARD}{card}", who=id_)
    yield from script.play_record(scene, record.activate, "activate")


def moment(
    table: Table, at: str, who: str = "", *, bound: dict[str, list[str]] | None = None
) -> Procedure[None]:
    """Plays what the cards in play do at a moment (see ``AI_MOMENTS``), about ``who``.

    The controller orders what happens at the start and end of the monster's turn; a card that has
    left play meanwhile does nothing (rulebook, Start Turn; End Turn).
    """
    waiting = _due(table, at, who) if table.state.showdown is not None else []
    if not waiting:
        return
    while waiting and not table.state.showdown.outcome:
        due = (yield from _next(table, at, waiting)) if at in ORDERED else waiting[0]
        waiting.remove(due)
        scene = Scene(
            table=table, record=due.record, who=due.who, bound={} if bound is None else bound
        )
        yield from script.play_record(scene, due.steps, f"on.{at}")
        waiting = [one for one in waiting if _still(table, one)]
    if at in ORDERED and any("card_end" in one.bars.values() for one in _living(table)):
        yield Record(e.BarsEnded(until="card_end"))


def _due(table: Table, at: str, who: str) -> list[Due]:
    state: State = table.state
    found: list[Due] = []
    for id_, card in cards(table):
        if at in (on := _moments(table, card)):
            found.append(Due(f"{CARD}{id_}", card.name, on[at], who))
    locations = state.decks.get("hit_locations")
    for id_ in locations["persistent"] if locations is not None else ():
        location: HitLocation = table.content.get(HitLocation, id_)
        if at in location.on:
            found.append(Due(f"hit_location:{id_}", location.name, location.on[at], who))
    for survivor in _heeding(table, at, who):
        for id_, card in held(table, survivor):
            if at in (on := _moments(table, card)):
                found.append(Due(f"{CARD}{id_}", card.name, on[at], survivor.id, held=True, at=at))
    return found


def _moments(table: Table, card: AiCard) -> dict[str, list[s.Step]]:
    """Returns what a card does at which moment, with a board or without."""
    return card.on_board if card.on_board and where.board(table.state) is not None else card.on


ABOUT = (
    "act_start",
    "act_end",
    "activation",
    "moved",
    "attack",
    "perfect_hit",
    "damaged",
    "brain_damaged",
    "collision",
)
"""Moments of one survivor: only their own status cards heed them."""


def _heeding(table: Table, at: str, who: str) -> list[Survivor]:
    """Returns those whose status cards heed a moment."""
    survivors = table.state.survivors
    if at == DIED:
        return [survivors[who]]
    if at not in ABOUT:
        return _living(table)
    if not survivors[who].status_cards:
        return []  # as a rule, and it is asked at every step of an attack
    return [one for one in _living(table) if one.id == who]


def _still(table: Table, due: Due) -> bool:
    kind, _, id_ = due.record.partition(":")
    if due.held:
        survivor = table.state.survivors[due.who]
        return (survivor.alive or due.at == DIED) and id_ in survivor.status_cards
    if kind == "hit_location":
        return id_ in table.state.decks["hit_locations"]["persistent"]
    return any(id_ == there for there, _ in cards(table))


def _next(table: Table, at: str, waiting: list[Due]) -> Procedure[Due]:
    """Returns what the controller has happen next; one card held by several goes by their order.

    Where the order changes nothing, nobody is asked.
    """
    named: dict[str, Due] = {}
    for due in waiting:
        named.setdefault(due.record.partition(":")[2], due)
    if len(named) == 1 or all(step.verb in QUIET for due in waiting for step in due.steps):
        return waiting[0]
    options = tuple(Option(id_, due.name) for id_, due in named.items())
    [picked] = yield Choose(
        purpose="moment_order",
        about=(at,),
        by=table.state.showdown.controller.survivor,
        options=options,
        default=options[0].id,
    )
    return named[picked]


def _living(table: Table) -> list[Survivor]:
    state: State = table.state
    return [state.survivors[id_] for id_ in conditions.taking_part(state)]


# --- coming and going -----------------------------------------------------------------------------


def leave(table: Table, card: str, to: str) -> Procedure[None]:
    """A card leaves play and what it does then is played; ``to`` as in the verb ``card``."""
    deck = table.state.decks["ai"]
    zone = next((one for one in ZONES if card in deck[one]), "")
    if not zone:
        return
    yield from move(table, card, zone, to)
    record: AiCard = table.content.get(AiCard, card)
    scene = Scene(table=table, record=f"{CARD}{card}")
    yield from script.play_record(scene, record.leaves, "leaves")
    if count := table.state.showdown.card_tokens.get(card, 0):
        yield Record(e.CardTokens(card=card, by=-count, now=0))


def move(table: Table, card: str, before: str, to: str) -> Procedure[None]:
    """Moves an AI card to where a script says it goes."""
    zone = {"archive": "out", "deck_top": "deck", "deck_bottom": "deck"}.get(to, to)
    yield Record(
        CardsMoved(deck="ai", cards=(card,), before=before, to=zone, bottom=to == "deck_bottom")
    )


def gain_status(table: Table, id_: str, card: str) -> Procedure[None]:
    """A survivor gains a status card, unless they have it, and what it does then is played."""
    survivor: Survivor = table.state.survivors[id_]
    if not survivor.conscious or card in survivor.status_cards:
        return
    yield Record(e.StatusGained(survivor=id_, card=card))
    record: AiCard = table.content.get(AiCard, card)
    scene = Scene(table=table, record=f"{CARD}{card}", who=id_)
    yield from script.play_record(scene, record.steps, "gained")


def lose_status(table: Table, id_: str, card: str) -> Procedure[None]:
    """A status card is archived."""
    if card not in table.state.survivors[id_].status_cards:
        return
    yield Record(e.StatusLost(survivor=id_, card=card))
    record: AiCard = table.content.get(AiCard, card)
    scene = Scene(table=table, record=f"{CARD}{card}", who=id_)
    yield from script.play_record(scene, record.leaves, "leaves")


# --- verbs ----------------------------------------------------------------------------------------


def _own(scene: Scene) -> str:
    return scene.record.removeprefix(CARD)


def _holder(scene: Scene) -> str:
    """Returns whose status card plays; nothing for a card of another type."""
    survivor = scene.state.survivors.get(scene.who)
    return scene.who if survivor is not None and _own(scene) in survivor.status_cards else ""


@verb("status")
def _status(scene: Scene, body: s.Status) -> Procedure[None]:
    for id_ in (yield from conditions.people(scene, body.who)):
        if body.lose is not None:
            yield from lose_status(scene.table, id_, body.lose)
        if body.gain is not None:
            yield from gain_status(scene.table, id_, body.gain)


@verb("card")
def _card(scene: Scene, body: str) -> Procedure[None]:
    """The card goes there when it is resolved; one that lies in play, at once."""
    card = _own(scene)
    if card in scene.state.decks["ai"]["playing"]:
        scene.bound[GOES] = [body]
    elif holder := _holder(scene):
        yield from lose_status(scene.table, holder, card)
    else:
        yield from leave(scene.table, card, body)


@verb("card_tokens")
def _card_tokens(scene: Scene, body: int | s.Figure) -> Procedure[None]:
    card, holder = _own(scene), _holder(scene)
    by = yield from conditions.amount(scene, body, "card_tokens")
    before = conditions.tokens_on(scene)
    now = max(0, before + by)
    yield Record(e.CardTokens(card=card, by=now - before, now=now, survivor=holder))


@verb("turn_over")
def _turn_over(scene: Scene, body: str) -> Procedure[None]:
    """The other side of a card is a record of its own, which takes the card's place."""
    card = _own(scene)
    if card in scene.state.decks["ai"]["in_play"]:
        yield from leave(scene.table, card, "archive")
        yield from comes_into_play(scene.table, body, before="out")


def comes_into_play(table: Table, card: str, before: str) -> Procedure[None]:
    """A mood or trait comes into play out of a zone, and what it does then is played."""
    yield Record(CardsMoved(deck="ai", cards=(card,), before=before, to="in_play"))
    record: AiCard = table.content.get(AiCard, card)
    scene = Scene(table=table, record=f"{CARD}{card}")
    yield from script.play_record(scene, record.steps)


@verb("discard_card")
def _discard_card(scene: Scene, body: str) -> Procedure[None]:
    yield from leave(scene.table, body, "discard")


@verb("discard_mood")
def _discard_mood(scene: Scene, _body: int) -> Procedure[None]:
    """Discards a mood in play, of the attacker's choice, and plays its leaving."""
    moods = [id_ for id_, card in cards(scene.table) if card.type == "mood"]
    if not moods:
        return
    gone = moods[0]
    if len(moods) > 1:
        names = {id_: card.name for id_, card in cards(scene.table) if id_ in moods}
        options = tuple(Option(id_, name) for id_, name in names.items())
        [gone] = yield Choose(purpose="discard_mood", about=(scene.record,), options=options)
    yield from leave(scene.table, gone, "discard")


@verb("consumed")
def _consumed(scene: Scene, _body: int) -> Procedure[None]:
    yield from moment(scene.table, "consumed", scene.who)
