"""Whole random prologues against a physical table: the test shuffles and deals its own cards.

The program's own order of a face-down deck must never matter: any card that can lie on top of the
table's deck is accepted by name, and in the end both have the same cards in the same places.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest

from kdmlog.core.errors import Refused
from kdmlog.core.events import CardsDrawn, CardsMoved, DeckMade, DeckShuffled, Event
from kdmlog.core.game import Action
from kdmlog.core.inputs import Inputs
from kdmlog.core.requests import Ask, Draw, Fill
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm.content import Gear, HitLocation, Monster, Resource
from kdmlog.games.kdm.rules import conditions, people, settlement
from kdmlog.games.kdm.state import CELLS, State

from . import wanderer
from .table import Game

FACE_DOWN = ("deck", "wounds")
AI = Counter(Game().library.get(Monster, "white_lion").levels["first_story"].cards)
PARTS = Counter(
    {
        id_: one.copies
        for id_, one in Game().library.all(HitLocation).items()
        if one.monster == "white_lion"
    }
)


ANYWHERE = (
    *("gain {} courage 1", "gain {} understanding 2", "lose {} insanity 1", "gain {} survival 2"),
    *("resource {} lion_claw", "disorder {}", "skip {}", "damage {} 2 waist"),
)
SHOWDOWN = (
    *("knock_down {}", "damage {} 3", "brain {} 2", "bleed {} 2", "token {} strength -1"),
    *("priority {}", "knockback {} 3", "basic {}", "move forward", "monster knocked_down"),
    *("monster wound 2", "monster heal 1", "token monster damage 1", "die {}"),
)


class Deck:
    """Cards on a table. Nobody knows the order of what lies face down."""

    def __init__(self, rng: random.Random, cards: list[str]) -> None:
        self.rng = rng
        self.zones: dict[str, list[str]] = {"deck": cards}
        rng.shuffle(self.zones["deck"])

    def shuffle(self, took: tuple[str, ...]) -> None:
        for zone in took:
            self.zones["deck"] += self.zones.pop(zone, [])
        self.rng.shuffle(self.zones["deck"])

    def draw(self, count: int, to: str) -> None:
        drawn, self.zones["deck"] = self.zones["deck"][:count], self.zones["deck"][count:]
        if to != "out":
            self.zones.setdefault(to, []).extend(drawn)

    def move(self, event: CardsMoved) -> None:
        """Moves cards; one from a face-down pile is whatever lies on top of it here."""
        cards = list(event.cards)
        if event.before in FACE_DOWN:
            cards = self.zones[event.before][: len(cards)]
        if event.before != "out":
            for card in cards:
                self.zones[event.before].remove(card)
        if event.to != "out":
            zone = self.zones.setdefault(event.to, [])
            zone[:] = [*zone, *cards] if event.bottom else [*cards, *zone]


class Physical:
    """The table: it follows what the program says is done, and deals cards by name."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.decks: dict[str, Deck] = {}
        self.reshuffles: Counter[str] = Counter()
        self.seen = 0

    def top(self, deck: str, count: int) -> list[str]:
        """Returns the cards that are drawn next."""
        return self.decks[deck].zones["deck"][:count]

    def follow(self, log: list[Event]) -> None:
        for event in log[self.seen :]:
            match event:
                case DeckMade():
                    self.decks[event.deck] = Deck(self.rng, list(event.cards))
                case DeckShuffled():
                    self.decks[event.deck].shuffle(event.took)
                    self.reshuffles[event.deck] += bool(event.took)
                case CardsDrawn():
                    top = self.decks[event.deck].zones["deck"][: len(event.cards)]
                    assert list(event.cards) == top, "not the cards that were dealt"
                    self.decks[event.deck].draw(len(event.cards), event.to)
                case CardsMoved():
                    self.decks[event.deck].move(event)
        self.seen = len(log)


class Table(Game):
    """A game played with physical cards, and watched after every action."""

    def __init__(self, number: int) -> None:
        players = ((), ("Ann",), ("Ann", "Bo"), ("Ann", "Bo", "Cy"), ("A", "B", "C", "D"))
        super().__init__(f"seed {number}", players[number % len(players)], table_cards=True)
        self.rng = random.Random(number)
        self.physical = Physical(self.rng)

    def do(
        self,
        action: Action,
        inputs: Inputs | None = None,
        answer: Callable[[Ask, State], Inputs] | None = None,
    ) -> list[Event]:
        """Plays an action; cards are dealt off the table's own decks, by name."""

        def dealt(request: Ask, state: State) -> Inputs:
            self.physical.follow([*self.log, *self.recorded])
            if isinstance(request, Draw):
                return Inputs(draws=self.physical.top(request.deck, request.count))
            if isinstance(request, Fill) and request.purpose == "card":
                return Inputs(fills=[{"effects": self.effects(state)}])
            assert answer is not None, request
            return answer(request, state)

        try:
            events = super().do(action, inputs, dealt)
        except Refused:
            self.physical.seen = len(self.log)
            raise
        self.physical.follow(self.log)
        check(self)
        return events

    def effects(self, state: State) -> str:
        """Returns what the table reads from a card of its own: nothing, or a few effects."""
        rng = self.rng
        living = [id_ for id_, one in state.survivors.items() if one.alive]
        kinds: tuple[str, ...] = ANYWHERE
        if state.showdown is not None:
            living = [id_ for id_ in state.showdown.survivors if state.survivors[id_].alive]
            kinds = ANYWHERE + SHOWDOWN
        lines = [rng.choice(kinds).format(rng.choice(living)) for _ in range(rng.randint(0, 2))]
        return "; ".join(lines)


def check(game: Table) -> None:
    """Nothing is lost or doubled: cards, survivors, gear, resources; figures keep their bounds."""
    state = game.state
    for name, deck in state.decks.items():
        theirs = game.physical.decks[name].zones
        face_up = (set(deck.zones) | set(theirs)) - set(FACE_DOWN)
        for zone in face_up:
            assert Counter(deck[zone]) == Counter(theirs.get(zone, [])), (name, zone)
        for zone in FACE_DOWN:
            assert len(deck[zone]) == len(theirs.get(zone, [])), (name, zone)
        unseen = [
            Counter(card for zone in FACE_DOWN for card in one.get(zone, []))
            for one in (deck.zones, theirs)
        ]
        assert unseen[0] == unseen[1], name
    for name, cards in (("ai", AI), ("hit_locations", PARTS)):
        if name in state.decks:
            there = Counter(one for zone in state.decks[name].zones.values() for one in zone)
            assert there == cards
    places = Counter(gear for one in state.survivors.values() for gear in one.grid.values())
    places += Counter(state.settlement.storage.gear)
    assert places == Counter(dict.fromkeys(state.gear, 1))
    _survivors(state)
    _resources(game)


def _survivors(state: State) -> None:
    founders = [one for one in state.survivors.values() if one.founder]
    assert len(founders) <= 4
    for id_, one in state.survivors.items():
        assert one.id == id_
        assert 0 <= one.survival <= state.settlement.survival_limit
        assert min(one.insanity, one.courage, one.understanding, one.hunt_xp) >= 0
        assert len(one.disorders) == len(set(one.disorders)) <= 3
        assert set(one.grid) <= set(CELLS)
        assert one.knocked_down is None or (state.showdown is not None and one.alive)
        assert not one.alive or one.tokens.get("bleeding", 0) < 5
    if state.showdown is not None:
        fighting = state.showdown.survivors
        assert len(fighting) == len(set(fighting)) == 4
    if state.phase.name == "settlement" and state.phase.step not in ("set_up", "event"):
        living = sum(1 for one in state.survivors.values() if one.alive)
        assert state.settlement.population >= living
        dead = sum(1 for one in state.survivors.values() if one.status == "dead")
        counted = state.settlement.death_count + state.settlement.uncounted_deaths
        assert counted == dead


def _resources(game: Table) -> None:
    storage = game.state.settlement.storage
    assert all(count > 0 for count in storage.resources.values())
    out = Counter(storage.unrecorded)
    assert all(out[id_] <= storage.resources.get(id_, 0) for id_ in out)
    for one in game.state.survivors.values():
        out.update(one.resources)
    for id_, count in out.items():
        copies = game.library.get(Resource, id_).copies
        assert count <= copies or not copies


def prologue(number: int) -> Table:
    """Plays founders, showdowns until one is won, the settlement phase, and the departure."""
    game = Table(number)
    rng = game.rng
    wanderer.found(game)
    for _ in range(30):
        wanderer.fight(game, rng)
        if game.state.phase.name != "prologue":
            break
    assert game.state.phase.name == "settlement"
    wanderer.settle(game, rng)
    if game.state.phase.name != "over":
        _depart(game)
    return game


def _depart(game: Table) -> None:
    """Innovates if it can, hands out gear, names who is missing, and leaves."""

    def reply(request: Ask, state: State) -> Inputs:
        return wanderer.answer(request, state, game.rng)

    tries: list[Action] = [a.SettlementInnovate()]
    for one in list(game.state.survivors.values()):
        if one.status == "alive" and not one.name:
            game.do(a.SurvivorRename(survivor=one.id, name=f"Child {one.id}"), answer=reply)
    for gear in game.state.settlement.storage.gear:
        living = [id_ for id_, one in game.state.survivors.items() if one.status == "alive"]
        if living:
            tries.append(a.GearPut(survivor=game.rng.choice(living), gear=game.state.gear[gear]))
    for action in tries:
        try:
            game.do(action, answer=reply)
        except Refused:
            game.rewind()
    settled = game.state.settlement
    able = [i for i, one in game.state.survivors.items() if settlement.may_depart(game.table, one)]
    for number in range(4 - len(able)):
        if people.unnamed(game.state):
            game.do(a.SurvivorNew(name=f"New {number}", sex="f"), answer=reply)
    able = [i for i, one in game.state.survivors.items() if settlement.may_depart(game.table, one)]
    for id_ in able:
        sheet = game.state.survivors[id_]
        for cell, gear in list(sheet.grid.items()):
            armor = game.library.get(Gear, game.state.gear[gear]).armor
            where = armor.location if armor is not None else ""
            if where and conditions.barred(game.table, sheet, f"{where}_gear"):
                game.do(a.GearTake(survivor=id_, cell=cell))
    able = [i for i in able if settlement.may_depart(game.table, game.state.survivors[i])]
    must = settlement.must_depart(game.table)
    if len(able) >= must > 0 and settled.quarries:
        game.do(a.Depart(survivors=able[:must], hunt="white_lion"), answer=reply)
        assert game.state.phase.name == "hunt"
        assert not any(one.skip_next_hunt for one in game.state.survivors.values())


def test_random_prologues_against_a_physical_table() -> None:
    reshuffles: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    for number in range(60):
        game = prologue(number)
        reshuffles += game.physical.reshuffles
        ends[game.state.phase.name] += 1
    assert reshuffles["hit_locations"] > 20, "no trap was drawn"
    assert reshuffles["ai"] > 20
    assert ends["hunt"] > 40


@pytest.mark.long
def test_a_thousand_random_prologues_against_a_physical_table() -> None:
    for number in range(1000, 2000):
        prologue(number)
