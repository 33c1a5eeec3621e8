"""The settlement's figures and lists: population, death count, milestones, innovations."""

from __future__ import annotations

from kdmlog.core.events import DeckMade
from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.core.requests import Shuffle
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.content import Innovation, Milestone
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.rules.script import verb
from kdmlog.games.kdm.rules.stories import trigger
from kdmlog.games.kdm.state import State

NOT_COUNTED = ("ultimate_weapon", "final_fighting_art")
"""Innovations that do not count towards the Hooded Knight's five."""


def figure(table: Table, name: str, by: int) -> Procedure[None]:
    """Changes a figure of the settlement; never below 0."""
    before = getattr(table.state.settlement, name)
    if name == "population" and by > 0 and before and "seven_swordsmen" in table.state.variants:
        why = "the Seven Swordsmen stay as many as they are"
        yield Record(e.GainIgnored(survivor="", what=f"population {by:+d}", why=why))
        return
    now = max(0, before + by)
    if now != before:
        yield Record(e.FigureChanged(figure=name, by=now - before, now=now))
        if name == "population":
            yield from _population(table, now)


def _population(table: Table, now: int) -> Procedure[None]:
    if now == 0:
        yield from milestone(table, "population_0")
        yield Record(e.PhaseChanged(phase="over", step="population 0"))
    elif now >= 15:
        yield from milestone(table, "population_15")


def milestone(table: Table, id_: str, bound: dict[str, list[str]] | None = None) -> Procedure[None]:
    """Fills a milestone's box, once, and triggers its story event at once."""
    if id_ in table.state.settlement.milestones:
        return
    record = table.content.find(Milestone, id_)
    if record is None:
        return
    yield Record(e.MilestoneReached(milestone=id_))
    if record.event != "game_over":
        yield from trigger(table, record.event, bound=bound)


@rule("kdm.death_count")
def count_deaths(table: Table, by: int) -> Procedure[None]:
    """Raises the death count; its first change is a milestone (rulebook, Update Death Count)."""
    now = table.state.settlement.death_count + by
    yield Record(e.DeathsCounted(by=by, now=now))
    yield from milestone(table, "first_death")


@rule("kdm.innovation")
def gain_innovation(table: Table, id_: str) -> Procedure[None]:
    """Adds an innovation: its survival limit, and its consequences into the innovation deck."""
    state: State = table.state
    settlement = state.settlement
    if id_ in settlement.innovations:
        return
    record: Innovation = table.content.get(Innovation, id_)
    yield Record(e.ListGrew(list="innovations", id=id_))
    if record.survival_limit:
        yield from figure(table, "survival_limit", record.survival_limit)
    owned = set(settlement.innovations)
    deck = state.decks.get("innovations")
    before = list(deck["deck"]) if deck is not None else []
    there = [one for one in before if one not in owned]
    new = [
        one
        for one, other in table.content.all(Innovation).items()
        if other.consequence_of == id_ and one not in owned and one not in there
    ]
    if new or there != before:
        yield Record(DeckMade(deck="innovations", cards=(*there, *new)))
        yield Shuffle(deck="innovations", purpose="shuffle_innovations")
    counted = [one for one in settlement.innovations if one not in NOT_COUNTED]
    if len(counted) >= 5:
        yield from milestone(table, "innovations_5")


@rule("kdm.principle")
def gain_principle(table: Table, id_: str) -> Procedure[None]:
    """Adds a principle and its survival limit."""
    if id_ in table.state.settlement.principles:
        return
    record: Innovation = table.content.get(Innovation, id_)
    yield Record(e.ListGrew(list="principles", id=id_))
    if record.survival_limit:
        yield from figure(table, "survival_limit", record.survival_limit)


def add(table: Table, box: str, id_: str) -> Procedure[None]:
    """Adds to one of the settlement's lists what is not yet in it."""
    if id_ not in getattr(table.state.settlement, box):
        yield Record(e.ListGrew(list=box, id=id_))


# --- verbs ----------------------------------------------------------------------------------------


@verb("endeavors")
def _endeavors(scene: Scene, body: int) -> Procedure[None]:
    yield from figure(scene.table, "endeavors", body)


@verb("innovation")
def _innovation(scene: Scene, body: str) -> Procedure[None]:
    yield from gain_innovation(scene.table, body)


@verb("lose_innovation")
@rule("kdm.innovation_lost")
def _lose_innovation(scene: Scene, body: str) -> Procedure[None]:
    """Its card goes back into the deck, and its survival limit goes (rulebook, Innovations)."""
    state, table = scene.state, scene.table
    if body not in state.settlement.innovations:
        return
    record: Innovation = table.content.get(Innovation, body)
    yield Record(e.ListShrank(list="innovations", id=body))
    if record.survival_limit:
        yield from figure(table, "survival_limit", -record.survival_limit)
    deck = state.decks.get("innovations")
    before = list(deck["deck"]) if deck is not None else []
    yield Record(DeckMade(deck="innovations", cards=(*before, body)))
    yield Shuffle(deck="innovations", purpose="shuffle_innovations")


@verb("game_over")
def _game_over(scene: Scene, _body: int) -> Procedure[None]:
    """The settlement is no more (rulebook, Game Over)."""
    yield Record(e.PhaseChanged(phase="over", step="defeat"))


@verb("principle")
def _principle(scene: Scene, body: str) -> Procedure[None]:
    yield from gain_principle(scene.table, body)


@verb("location")
def _location(scene: Scene, body: str) -> Procedure[None]:
    yield from add(scene.table, "locations", body)


@verb("quarry")
def _quarry(scene: Scene, body: str) -> Procedure[None]:
    yield from add(scene.table, "quarries", body)


@verb("timeline")
def _timeline(scene: Scene, body: s.Add) -> Procedure[None]:
    year = scene.state.settlement.lantern_year + body.in_years
    yield Record(e.TimelineAdded(year=year, event=body.add))
