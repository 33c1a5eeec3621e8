"""The monster's body: its wounds, healing, falling and standing, tokens, death."""

from __future__ import annotations

from kdmlog.core.events import CardsMoved
from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.core.requests import Shuffle
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.rules import conditions, in_play, laid
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.rules.opportunity import opportunity
from kdmlog.games.kdm.rules.script import verb
from kdmlog.games.kdm.state import Showdown, State

TOKENS = ("movement", "toughness", "speed", "damage", "accuracy", "evasion", "luck")
QUICK = "quick"
CANCELLED = "cancelled"
"""The name under which a scene has what it cancels: a wound, say."""


def showdown(table: Table) -> Showdown:
    """Returns the showdown under way."""
    state: State = table.state
    assert state.showdown is not None
    return state.showdown


def over(table: Table) -> bool:
    """Returns whether the showdown is decided."""
    state: State = table.state
    assert state.showdown is not None
    return bool(state.showdown.outcome)


@rule("kdm.wound")
def wound(table: Table, survivor: str, *, discard: bool = False) -> Procedure[None]:
    """Wounds the monster; in quick mode a survivor's wound is two (rulebook, Quick Mode).

    With ``discard`` it loses the top card of the AI discard, not of the deck.
    """
    yield from _wound(table, survivor, discard=discard)
    if survivor and QUICK in table.state.variants and not over(table):
        yield from _wound(table, survivor)


def _wound(table: Table, survivor: str, *, discard: bool = False) -> Procedure[None]:
    """Wounds the monster once, unless one of its cards in play cancels that.

    What its cards do when it is wounded follows (rulebook, Wound the Monster; Monsters with Life).
    """
    cancelled: dict[str, list[str]] = {}
    yield from in_play.moment(table, "wound", survivor, bound=cancelled)
    if over(table) or "wound" in cancelled.get(CANCELLED, ()):
        return
    fight = showdown(table)
    if fight.life:
        yield from _wound_life(table, survivor)
    elif laid.ruled(table, "keeps_cards"):
        yield from _wounded(table, survivor)
    elif discard and table.state.decks["ai"]["discard"]:
        card = table.state.decks["ai"]["discard"][0]
        yield Record(CardsMoved(deck="ai", cards=(card,), before="discard", to="wounds"))
        yield from _wounded(table, survivor)
    else:
        yield from _wound_cards(table, survivor)
    if not over(table):
        yield from in_play.moment(table, "wounded", survivor)


def _wound_life(table: Table, survivor: str) -> Procedure[None]:
    """The Life trait is reduced and no AI card is lost; at 0 the monster is dead.

    With 5 or 6 survivors Life comes first: then wounds take AI cards (rulebook, Life Trait).
    """
    fight = showdown(table)
    assert fight.life is not None
    yield Record(e.LifeChanged(by=-1, now=fight.life - 1))
    if fight.life or fight.life_first:
        yield from _wounded(table, survivor)
    else:
        yield from kill(table, survivor)


def _wound_cards(table: Table, survivor: str) -> Procedure[None]:
    """Moves the top AI card to the wound stack; the discard makes a new deck when it is empty.

    A duration that lies face up on top is what is taken. A wound with no card in deck and discard
    kills, whatever moods are in play (rulebook, Monster Death; Playing Duration AI Cards).
    """
    deck = table.state.decks["ai"]
    if deck["face_up"]:
        yield from in_play.leave(table, deck["face_up"][0], "wounds")
        yield from _wounded(table, survivor)
        return
    if not deck["deck"] and deck["discard"]:
        yield Shuffle(deck="ai", took=("discard",), purpose="shuffle_ai")
    if not deck["deck"]:
        yield from kill(table, survivor)
        return
    yield Record(CardsMoved(deck="ai", cards=(deck["deck"][0],), before="deck", to="wounds"))
    yield from _wounded(table, survivor)


def _wounded(table: Table, survivor: str) -> Procedure[None]:
    yield Record(e.MonsterWounded(survivor=survivor, now=showdown(table).wounds + 1))


def kill(table: Table, survivor: str) -> Procedure[None]:
    """The monster dies."""
    if not over(table):
        yield from _wounded(table, survivor)
        yield Record(e.ShowdownDecided(outcome="victory", killer=survivor))


def heal(table: Table, count: int) -> Procedure[None]:
    """Puts wounds from the top of the stack to the bottom of the deck (rulebook, Healing).

    A monster with Life has it raised instead, no further than it began; Life that is used up
    before the AI cards has been archived (rulebook, Monsters with Life; 5-6 Players).
    """
    for _ in range(count):
        fight = showdown(table)
        stack = table.state.decks["ai"]["wounds"]
        if fight.life is not None and (fight.life or not fight.life_first):
            if fight.life >= fight.life_most:
                return
            yield Record(e.LifeChanged(by=1, now=fight.life + 1))
        elif stack:
            yield Record(
                CardsMoved(deck="ai", cards=(stack[0],), before="wounds", to="deck", bottom=True)
            )
        else:
            return
        yield Record(e.MonsterWounded(survivor=fight.last_wounder, now=fight.wounds - 1))


def stand(table: Table) -> Procedure[None]:
    """A knocked down monster stands: at the next turn, to draw an AI card, for a trap."""
    if showdown(table).knocked_down:
        yield Record(e.MonsterKnockedDown(now=False))


def check_defeat(table: Table) -> Procedure[None]:
    """With every survivor dead or fled for good the showdown is lost."""
    state: State = table.state
    if over(table) or any(conditions.present(state)):
        return
    coming = [id_ for id_, back in showdown(table).away.items() if back]
    if not any(state.survivors[id_].alive for id_ in coming):
        yield Record(e.ShowdownDecided(outcome="defeat"))


def tokens(table: Table, token: str, by: int, until: str = "") -> Procedure[None]:
    """Gives the monster attribute tokens, for the showdown or ``until`` a moment."""
    fight = showdown(table)
    now = fight.tokens.get(token, 0) + by
    passing = fight.passing.get(until, {}).get(token, 0) + by if until else 0
    yield Record(e.MonsterTokens(token=token, by=by, now=now, until=until, passing=passing))


def end_tokens(table: Table, moment: str) -> Procedure[None]:
    """Takes off what lasts until a moment."""
    for token, count in list(showdown(table).passing.get(moment, {}).items()):
        yield from tokens(table, token, -count, moment)


@verb("monster")
def _monster(scene: Scene, body: s.Monster) -> Procedure[None]:
    fight = showdown(scene.table)
    for token in TOKENS:
        if (by := getattr(body, token)) is not None:
            yield from tokens(scene.table, token, by, body.until)
    for _ in range(body.wounds or 0):
        if not over(scene.table):
            yield from wound(scene.table, scene.who)
    if body.heal is not None:
        yield from heal(scene.table, (yield from conditions.amount(scene, body.heal, "heal")))
    if body.knocked_down and not fight.knocked_down:
        yield Record(e.MonsterKnockedDown(now=True))
        if fight.turn == "monster":  # everyone may use it (When a Monster is Knocked Down)
            yield from opportunity(scene.table, "monster_knocked_down", (scene.record,))
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
