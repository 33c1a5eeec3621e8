"""A small game from outside the package: it asks every kind of request, and has no other use.

Heroes look for gold, read omens from a deck, and pay at a market.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct, field

from kdmlog.core.dice import parse, values
from kdmlog.core.errors import NotNow
from kdmlog.core.events import DeckMade, Event, UseSpent
from kdmlog.core.game import Action, Game, Leaf, Play, Table, called
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.core.requests import Ask, Choose, Draw, Field, Fill, Opportunity, Option, Roll, Shuffle
from kdmlog.core.state import DECK, State
from kdmlog.session import Session
from kdmlog.session.games import register

Start = Callable[..., Session]
Again = Callable[[], Session]
"""What the fixtures of the session tests are."""

HEROES = ("ada", "ben")
OMENS = ("crow", "crow", "stranger", "sun", "toll", "moon")
PRICES = {"lamp": 3, "rope": 1}


class Hero(Struct):
    """A hero's sheet."""

    name: str
    luck: int = 1


class ToyState(State, kw_only=True):
    """What the toy's events fold to."""

    gold: int = 0
    day: int = 1
    heroes: dict[str, Hero] = field(default_factory=dict)
    bought: list[str] = field(default_factory=list)


class HeroCame(Event, frozen=True, kw_only=True, tag="toy.hero_came"):
    """A hero joins."""

    hero: str
    name: str


class GoldChanged(Event, frozen=True, kw_only=True, tag="toy.gold_changed"):
    """Gold comes or goes."""

    by: int
    now: int


class LuckChanged(Event, frozen=True, kw_only=True, tag="toy.luck_changed"):
    """A hero's luck changes."""

    hero: str
    by: int
    now: int


class Bought(Event, frozen=True, kw_only=True, tag="toy.bought"):
    """Something was bought."""

    what: str


class DayEnded(Event, frozen=True, kw_only=True, tag="toy.day_ended"):
    """A day is over."""

    day: int


def hero_came(state: ToyState, event: HeroCame) -> None:
    state.heroes[event.hero] = Hero(event.name)


def gold_changed(state: ToyState, event: GoldChanged) -> None:
    state.gold = event.now


def luck_changed(state: ToyState, event: LuckChanged) -> None:
    state.heroes[event.hero].luck = event.now


def bought(state: ToyState, event: Bought) -> None:
    state.bought.append(event.what)


def day_ended(state: ToyState, event: DayEnded) -> None:
    state.day = event.day + 1


class Seek(Action, frozen=True, kw_only=True, tag="seek"):
    """Look for gold, and meet an omen."""

    words = "seek"
    positional = ("hero",)
    hero: str


class Buy(Action, frozen=True, kw_only=True, tag="buy"):
    """Buy something; it is paid once the bargaining is done."""

    words = "buy"
    positional = ("what",)
    what: str


class Gamble(Action, frozen=True, kw_only=True, tag="gamble"):
    """Roll dice of every kind."""

    words = "gamble"


class Rest(Action, frozen=True, kw_only=True, tag="rest"):
    """End the day."""

    words = "rest"


def gain(table: Table, by: int) -> Procedure[None]:
    now = max(table.state.gold + by, 0)
    if now != table.state.gold:
        yield Record(GoldChanged(by=now - table.state.gold, now=now))


@rule("toy.seek")
def seek(table: Table, action: Seek) -> Procedure[None]:
    yield from interrupt(table, "before_seeking")
    faces = yield Roll(purpose="seek", about=(action.hero,), dice="2d10")
    yield from gain(table, sum(faces) // 4)
    yield from interrupt(table, "after_seeking")
    yield from omen(table, action.hero)


@rule("toy.luck")
def interrupt(table: Table, purpose: str) -> Procedure[None]:
    """Whoever is lucky may spend luck for gold."""
    lucky = tuple(Option(id, hero.name) for id, hero in table.state.heroes.items() if hero.luck)
    [who] = yield Opportunity(purpose=purpose, options=lucky)
    if who != "pass":
        luck = table.state.heroes[who].luck
        yield Record(LuckChanged(hero=who, by=-1, now=luck - 1))
        yield from gain(table, 1)


@rule("toy.omen")
def omen(table: Table, hero: str) -> Procedure[None]:
    if not table.state.decks["omens"][DECK]:
        yield Shuffle(purpose="omens", deck="omens", took=("discard",))
    [card] = yield Draw(purpose="omen", about=(hero,), deck="omens", to="discard")
    if card == "stranger":
        told = yield Fill(
            purpose="stranger",
            fields=(Field("gold", least=-2, most=9), Field("words", "words", default="")),
        )
        yield from gain(table, told["gold"])
    elif card == "sun":
        heroes = tuple(Option(id) for id in table.state.heroes)
        picked = yield Choose(purpose="sun", options=heroes, least=0, most=2)
        for id in picked:
            luck = table.state.heroes[id].luck
            yield Record(LuckChanged(hero=id, by=1, now=luck + 1))
    elif card == "toll":
        yield from pay(table, 1)


@rule("toy.pay")
def pay(table: Table, price: int) -> Procedure[None]:
    """A cost is checked when it is paid."""
    how = yield Choose(
        purpose="pay", options=(Option("gold"), Option("beg")), default="gold", by="ada"
    )
    if how == ["gold"]:
        if table.state.gold < price:
            raise NotNow(f"That costs {price} gold; there is {table.state.gold}.")
        yield from gain(table, -price)


@rule("toy.buy")
def buy(table: Table, action: Buy) -> Procedure[None]:
    yield from pay(table, PRICES[action.what])
    yield Record(Bought(what=action.what))


@rule("toy.gamble")
def gamble(table: Table, _action: Gamble) -> Procedure[None]:
    for dice in ("d5", "2d100", "location"):
        faces = yield Roll(purpose=f"gamble_{dice}", dice=dice)
        yield from gain(table, values(parse(dice), faces)[0] % 3)
    if not table.state.used("day", "all", "gamble"):
        yield Record(UseSpent(scope="day", who="all", what="gamble"))


@rule("toy.rest")
def rest(table: Table, _action: Rest) -> Procedure[None]:
    yield Record(DayEnded(day=table.state.day))


@rule("toy.begin")
def begin(table: Table) -> Procedure[None]:
    for id in HEROES:
        yield Record(HeroCame(hero=id, name=id.title()))
    yield Record(DeckMade(deck="omens", cards=OMENS))
    yield Shuffle(purpose="omens", deck="omens")


class HeroView(Struct):
    name: str
    luck: int


class ToyView(Struct):
    gold: int
    day: int
    heroes: dict[str, HeroView]
    bought: list[str]
    omens: int
    open: str | None


def view(table: Table) -> ToyView:
    state = table.state
    return ToyView(
        gold=state.gold,
        day=state.day,
        heroes={id: HeroView(hero.name, hero.luck) for id, hero in state.heroes.items()},
        bought=state.bought,
        omens=len(state.decks["omens"][DECK]) if state.decks else 0,
        open=state.open.request.purpose if state.open else None,
    )


def leaf(table: Table, path: tuple[str, ...]) -> Leaf | str:
    state: ToyState = table.state
    match path:
        case ("gold",):
            return Leaf(0, 99, lambda by, now: GoldChanged(by=by, now=now), state.gold)
        case ("heroes", hero, "luck") if hero in state.heroes:
            luck = state.heroes[hero].luck
            return Leaf(-1, 9, lambda by, now: LuckChanged(hero=hero, by=by, now=now), luck)
    return "Only gold and luck are adjusted; the day ends with rest."


def ready_seek(table: Table) -> Iterable[str]:
    return [f"seek {hero}" for hero in table.state.heroes]


def broke(table: Table) -> str | None:
    return None if table.state.gold else "There is no gold to gamble with."


def sentence(event: Event, _table: Table) -> str:
    return type(event).__name__


def headline(action: Action, events: list[Event], _table: Table) -> str:
    return f"{called(action)}: {len(events)} facts"


def question(request: Ask, _table: Table) -> str:
    return request.purpose.replace("_", " ")


TOY = Game(
    id="toy",
    title="A toy",
    rules=1,
    new_state=ToyState,
    events=(HeroCame, GoldChanged, LuckChanged, Bought, DayEnded),
    folds={
        HeroCame: hero_came,
        GoldChanged: gold_changed,
        LuckChanged: luck_changed,
        Bought: bought,
        DayEnded: day_ended,
    },
    plays={
        Seek: Play(seek, ready=ready_seek),
        Buy: Play(buy, ready=lambda _table: [f"buy {what}" for what in PRICES]),
        Gamble: Play(gamble, refuse=broke, ready=lambda _table: ["gamble"]),
        Rest: Play(rest, ready=lambda _table: ["rest"]),
    },
    kinds={},
    packs=(),
    begin=begin,
    view=view,
    view_type=ToyView,
    leaf=leaf,
    sentence=sentence,
    headline=headline,
    question=question,
    changes=lambda before, after: [] if before == after else ["changed"],
    sheet_changes=lambda before, after: [] if before == after else ["changed"],
    standing=lambda table: [f"{table.state.gold} gold"],
    ahead=lambda table: [f"day {table.state.day + 1}"],
    landmarks={"day": lambda event: isinstance(event, DayEnded)},
    phase=lambda table: f"day {table.state.day}",
    step=lambda _table: "rest",
)
register(TOY)


def changed_rules() -> Game:
    """Returns the toy with a rule that gives other facts."""

    @rule("toy.buy")
    def dearer(table: Table, action: Buy) -> Procedure[None]:
        yield from gain(table, 1)
        yield from buy(table, action)

    plays: dict[type[Action], Play] = {**TOY.plays, Buy: Play(dearer)}
    fields: dict[str, Any] = {name: getattr(TOY, name) for name in TOY.__struct_fields__}
    return Game(**{**fields, "plays": plays, "rules": 2})
