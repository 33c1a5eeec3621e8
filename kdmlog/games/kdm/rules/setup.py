"""The set-up of a showdown: the monster and its decks, then who has the first turn."""

from __future__ import annotations

import re

from kdmlog.core.events import CardsMoved, DeckMade
from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.core.requests import Choose, Field, Fill, Option, Shuffle
from kdmlog.core.state import DECK, POOL
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import AiCard, HitLocation, Level, Monster, Terrain
from kdmlog.games.kdm.rules import ai, chance, conditions, monster, placing, traits, turns, variants
from kdmlog.games.kdm.state import State

STRATEGIC = ("giant_stone_face", "toppled_pillar")
"""Terrain that a strategist may add."""
YEAR = re.compile(r"lantern_year(?: - (\d+))?$")


@rule("kdm.showdown_begins")
def begin(
    table: Table, monster_id: str, level: str, *, ambush: str = "", board: bool = False
) -> Procedure[None]:
    """Sets up a showdown: the monster at its level, its decks, tokens and special cards.

    On the board survivors are still to be deployed; without one it starts.

    The First Story: Claw on top of the shuffled AI deck, Strange Hand on the hit locations
    (rulebook, First Story, steps 1 to 6; Showdown Phase, Create a Monster).
    """
    state: State = table.state
    record: Monster = table.content.get(Monster, monster_id)
    figures: Level = record.levels[level]
    kind = record.type or monster_id
    yield Record(
        e.ShowdownBegun(
            number=state.showdowns + 1,
            monster=monster_id,
            level=level,
            movement=figures.movement,
            toughness=number(state, figures.toughness),
            speed=figures.speed,
            damage=figures.damage,
            survivors=tuple(_party(state)),
            first_story=level == "first_story",
            ambush=ambush,
        )
    )
    yield from _ai_deck(table, kind, figures)
    yield from _hit_locations(table, kind, record, figures)
    party = len(_party(state))
    yield from _life(table, figures, party)
    yield from _specials(table, figures, party)
    if board:
        yield Record(e.PhaseChanged(phase="showdown", step="deploy"))
        cards = yield from terrain(table, record, first_story=level == "first_story")
        yield from placing.set_up(table, cards)
    else:
        yield from start(table)


def number(state: State, figure: int | str) -> int:
    """Returns a figure as printed, or counted from the lantern year (Showdown: Watcher)."""
    if isinstance(figure, int):
        return figure
    counted = YEAR.match(figure)
    assert counted is not None, figure
    return state.settlement.lantern_year - int(counted[1] or 0)


def _party(state: State) -> list[str]:
    """Returns who fights: those who departed, or in the First Story the founders."""
    departed = [id_ for id_ in state.settlement.departing if state.survivors[id_].alive]
    return departed or conditions.taking_part(state)


# --- decks ----------------------------------------------------------------------------------------


def _ai_deck(table: Table, kind: str, figures: Level) -> Procedure[None]:
    """A deck of the cards named; or so many of each rank, out of all the cards of that rank.

    Those not dealt stay face down: nobody has seen them (rulebook, Creating the AI Deck).
    """
    if figures.cards:
        cards = [card for card, count in figures.cards.items() for _ in range(count)]
        yield from _shuffled("ai", cards, figures.on_top)
        return
    pool = _pool(table, kind, figures)
    yield from _shuffled("ai", [card for rank in figures.deck for card in pool[rank]])
    undealt = []
    left = dict(figures.deck)
    for card in table.state.decks["ai"][DECK]:
        rank = table.content.get(AiCard, card).level
        left[rank] -= 1
        if left[rank] < 0:
            undealt.append(card)
    if undealt:
        yield Record(CardsMoved(deck="ai", cards=tuple(undealt), before=DECK, to=POOL))
        yield Shuffle(deck="ai", purpose="shuffle_ai")


def _pool(table: Table, kind: str, figures: Level) -> dict[str, list[str]]:
    """Returns the cards of each rank that a level's deck is dealt from.

    A card that starts in play is taken out before (facts, AI cards).
    """
    pool: dict[str, list[str]] = {rank: [] for rank in figures.deck}
    for card, one in table.content.all(AiCard).items():
        if one.monster == kind and one.level in pool:
            pool[one.level] += [card] * (one.copies - figures.in_play.count(card))
    return pool


def _hit_locations(table: Table, kind: str, record: Monster, figures: Level) -> Procedure[None]:
    """All its hit locations but those that a special card brings in, or that are archived."""
    cards = [
        card
        for card, one in table.content.all(HitLocation).items()
        if one.monster == kind and card not in record.archived and one.type != "special"
        for _ in range(one.copies)
    ]
    top = [figures.top_location] if figures.top_location else []
    yield from _shuffled("hit_locations", cards, top)


def _shuffled(deck: str, cards: list[str], on_top: list[str] | None = None) -> Procedure[None]:
    """Shuffles a deck and puts the known cards back on top."""
    rest = list(cards)
    for card in on_top or ():
        rest.remove(card)
    yield Record(DeckMade(deck=deck, cards=tuple(rest)))
    yield Shuffle(deck=deck, purpose=f"shuffle_{deck}")
    if on_top:
        yield Record(CardsMoved(deck=deck, cards=tuple(on_top), before="out", to=DECK))


def _specials(table: Table, figures: Level, party: int) -> Procedure[None]:
    """Special cards are in play from the start, tokens on the monster (Monster (S) Cards)."""
    for card in figures.on_bottom:
        yield Record(CardsMoved(deck="ai", cards=(card,), before="out", to=DECK, bottom=True))
    extra = variants.tokens(table.state, party)
    for token in dict.fromkeys((*figures.tokens, *extra)):
        count = figures.tokens.get(token, 0) + extra.get(token, 0)
        yield Record(e.MonsterTokens(token=token, by=count, now=count))
    for card in figures.in_play:
        yield from ai.comes_into_play(table, card)


@rule("kdm.life")
def _life(table: Table, figures: Level, party: int) -> Procedure[None]:
    """The Life trait in place of the AI deck; against more than four it stands before the deck.

    Its number is asked for where the book has none; several are added up (rulebook, Life Trait).
    """
    state: State = table.state
    if figures.life == "ask":
        values = yield Fill(purpose="life", fields=(Field("life", least=1, most=99),))
        printed = int(values["life"])
    else:
        printed = max(0, number(state, figures.life))
    most = printed + variants.life(state, party, conditions.monster_level(state))
    if most > 0:
        yield Record(e.LifeChanged(by=most, now=most, most=most, first=not printed))


# --- terrain --------------------------------------------------------------------------------------


@rule("kdm.terrain")
def terrain(table: Table, record: Monster, *, first_story: bool) -> Procedure[list[str]]:
    """Returns the terrain cards: those named, set aside, then others drawn from the deck.

    The First Story has none (rulebook, Terrain & Deployment; First Story).
    """
    if first_story:
        return []
    deck = [
        card
        for card, one in table.content.all(Terrain).items()
        for _ in range(one.cards - record.terrain.get(card, 0))
    ]
    named = [card for card, count in record.terrain.items() for _ in range(count)]
    drawn = yield from chance.draw_fresh("terrain", deck, record.random_terrain)
    added = yield from _strategy(table, named + drawn)
    return named + drawn + added


def _strategy(table: Table, there: list[str]) -> Procedure[list[str]]:
    """A strategist may add a card, if one is left of it (Strategist)."""
    state: State = table.state
    people = conditions.taking_part(state)
    clever = [id_ for id_ in people if traits.ruled(table, state.survivors[id_], "adds_terrain")]
    if not clever:
        return []
    records = table.content.all(Terrain)
    left = [card for card in STRATEGIC if there.count(card) < records[card].cards]
    options = (Option("no"), *(Option(card, records[card].name) for card in left))
    [added] = yield Choose(
        purpose="strategist", about=tuple(clever), by=clever[0], options=options, default="no"
    )
    return [] if added == "no" else [added]


# --- the first turn -------------------------------------------------------------------------------


def start(table: Table) -> Procedure[None]:
    """Everyone is in place: the controller is named, and the first turn begins."""
    state: State = table.state
    people = conditions.taking_part(state)
    first = yield from _first(table)
    if first == "survivors":
        yield Record(e.TurnBegun(turn=first, round=1))
    yield Record(e.PhaseChanged(phase="showdown", step=first))
    if len(state.players) > 1 and "solo" not in state.variants:
        yield from turns.name_controller(table, state.players[0])
    yield from traits.moment(table, "showdown_start", people)
    if first == "survivors":
        yield from traits.moment(table, "turn_start", conditions.taking_part(state))


def _first(table: Table) -> Procedure[str]:
    """Returns who has the first turn: the monster, unless the event says otherwise.

    Survivors who defend their home go first; those who ambush may (rulebook, Ambush; Butcher).
    """
    fight = monster.showdown(table)
    record: Monster = table.content.get(Monster, fight.monster)
    if fight.ambush != "survivors":
        return "survivors" if record.survivors_first and not fight.ambush else "monster"
    options = (Option("survivors"), Option("monster"))
    [first] = yield Choose(purpose="first_turn", options=options, default="survivors")
    return str(first)
