"""The monster's body: its wounds, healing, falling and standing, tokens, death."""

from __future__ import annotations

from kdmlog.core.events import CardsMoved
from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.core.requests import Shuffle
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.rules import conditions
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.rules.script import verb
from kdmlog.games.kdm.state import Showdown, State


def showdown(table: Table) -> Showdown:
    """Returns the showdown under way."""
    state: State = table.state
    assert state.showdown is not None
    return state.showdown


def over(table: Table) -> bool:
    """Returns whether the showdown is decided."""
    return bool(showdown(table).outcome)


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
    """With every survivor dead or fled for good the showdown is lost."""
    state: State = table.state
    coming = [id_ for id_, back in showdown(table).away.items() if back]
    left = [*conditions.taking_part(state), *(id_ for id_ in coming if state.survivors[id_].alive)]
    if not over(table) and not left:
        yield Record(e.ShowdownDecided(outcome="defeat"))


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
        yield from heal(scene.table, (yield from conditions.amount(scene, body.heal, "heal")))
    if body.knocked_down and not fight.knocked_down:
        yield Record(e.MonsterKnockedDown(now=True))
    if body.dies:
        yield from kill(scene.table, scene.who)


@verb("priority_target")
def _priority_target(scene: Scene, body: s.People) -> Procedure[None]:
    id_ = yield from conditions.one(scene, body.who)
    if id_:
        yield Record(e.PriorityTarget(survivor=id_, round=showdown(scene.table).round))


@verb("all_are_threats")
def _all_are_threats(scene: Scene, body: int) -> Procedure[None]:
    yield Record(e.ThreatsWidened(until_round=showdown(scene.table).round + body))
