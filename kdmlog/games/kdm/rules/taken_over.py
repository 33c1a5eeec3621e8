"""A campaign played on paper goes on here: its sheets become facts, and trigger nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kdmlog.core.events import DeckMade, Noted, UseSpent
from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.core.requests import Shuffle
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import sheet as sh
from kdmlog.games.kdm.content import Innovation, Milestone
from kdmlog.games.kdm.rules import people, settle, things
from kdmlog.games.kdm.state import ATTRIBUTES, Parents, State

LISTS = ("innovations", "locations", "principles", "quarries", "nemeses", "defeated")
STATS = ("survival", "insanity", "courage", "understanding", "hunt_xp")
TRAITS = ("fighting_arts", "disorders", "abilities", "impairments")


@rule("kdm.take_over")
def take_over(table: Table, data: Mapping[str, Any]) -> Procedure[None]:
    """The sheets' figures hold as they are; milestones that they have passed will not fire again.

    Raises Faulty with all that is wrong with the sheets.
    """
    sheet = sh.read(table, data)
    settlement = sheet.settlement
    yield Record(
        e.SheetsTakenOver(
            settlement=settlement.name,
            lantern_year=settlement.lantern_year,
            survivors=len(sheet.survivors),
        )
    )
    yield from _figures(table, settlement)
    yield from _lists(table, sheet)
    yield from _storage(table, settlement.storage)
    for one in sheet.survivors:
        yield from _survivor(table, one)
    yield Record(e.PhaseChanged(phase="settlement", step=sheet.step))
    yield from _unlike(table, settlement)


def _figures(table: Table, settlement: sh.Settlement) -> Procedure[None]:
    """Each lantern year is a fact of its own, since ``ly:5`` is the fifth in the history."""
    before = table.state.settlement
    yield Record(e.SettlementNamed(name=settlement.name))
    for year in range(1, settlement.lantern_year + 1):
        yield Record(e.FigureChanged(figure="lantern_year", by=1, now=year))
    for figure in ("population", "survival_limit", "endeavors"):
        now: int = getattr(settlement, figure)
        if by := now - getattr(before, figure):
            yield Record(e.FigureChanged(figure=figure, by=by, now=now))
    if settlement.death_count:
        yield Record(e.DeathsCounted(by=settlement.death_count, now=settlement.death_count))


def _lists(table: Table, sheet: sh.Sheet) -> Procedure[None]:
    settlement = sheet.settlement
    for box in LISTS:
        for id_ in getattr(settlement, box):
            yield Record(e.ListGrew(list=box, id=id_))
    deck = settlement.innovation_deck
    if deck is None:
        deck = [
            id_
            for id_, one in table.content.all(Innovation).items()
            if one.consequence_of in settlement.innovations and id_ not in settlement.innovations
        ]
    if deck:
        yield Record(DeckMade(deck="innovations", cards=tuple(deck)))
        yield Shuffle(deck="innovations", purpose="shuffle_innovations")
    for year in sorted(settlement.timeline, key=int):
        for event in settlement.timeline[year]:
            yield Record(e.TimelineAdded(year=int(year), event=event))
    for id_ in _reached(table, sheet):
        yield Record(e.MilestoneReached(milestone=id_))


def _reached(table: Table, sheet: sh.Sheet) -> Iterator[str]:
    """Yields the milestones whose boxes are filled, or must be by what else is on the sheets."""
    settlement = sheet.settlement
    counted = [one for one in settlement.innovations if one not in settle.NOT_COUNTED]
    answered = {
        f"principle_{table.content.get(Innovation, id_).principle}" for id_ in settlement.principles
    }
    tracks = {"population": settlement.population, "innovations": len(counted)}
    shown = {
        "first_death": settlement.death_count > 0,
        "first_birth": any(one.parents is not None for one in sheet.survivors),
    }
    for id_, one in table.content.all(Milestone).items():
        if one.scope != "settlement":
            continue
        past = 0 < one.box <= tracks.get(one.track, 0)
        if id_ in settlement.milestones or past or shown.get(id_) or one.event in answered:
            yield id_


def _storage(table: Table, storage: sh.Storage) -> Procedure[None]:
    """Resources on the sheet are recorded: their cards lie in the decks."""
    for resource, count in storage.resources.items():
        for now in range(1, count + 1):
            yield Record(e.ResourceGained(resource=resource, now=now))
    if any(storage.resources.values()):
        yield Record(e.StorageRecorded())
    for card, count in storage.gear.items():
        for _ in range(count):
            yield from things.gain_gear(table, card)


def _survivor(table: Table, one: sh.SurvivorSheet) -> Procedure[None]:
    state: State = table.state
    id_ = people.new_id(state, one.name)
    parents = None
    if one.parents is not None:
        parents = Parents(mother=one.parents.mother, father=one.parents.father)
    yield Record(
        e.SurvivorCreated(
            survivor=id_, name=one.name, sex=one.sex, player=one.player, parents=parents
        )
    )
    figures = {stat: getattr(one, stat) for stat in (*STATS, *ATTRIBUTES)}
    figures["proficiency"] = one.weapon.level
    for stat, now in figures.items():
        if by := now - getattr(state.survivors[id_], stat):
            yield Record(e.StatChanged(survivor=id_, stat=stat, by=by, now=now))
    if one.weapon.type:
        yield Record(e.WeaponChosen(survivor=id_, type=one.weapon.type))
    for n, injury in enumerate(one.severe_injuries, 1):
        times = one.severe_injuries[:n].count(injury)
        yield Record(e.SevereInjurySuffered(survivor=id_, injury=injury, times=times))
    for box in TRAITS:
        for trait in getattr(one, box):
            yield Record(e.TraitGained(survivor=id_, list=box, id=trait))
    for milestone in sorted(table.content.all(Milestone).values(), key=lambda one: one.box):
        reached = 0 < milestone.box <= figures.get(milestone.track, 0)
        if milestone.scope == "survivor" and reached:
            yield Record(UseSpent(scope="lifetime", who=id_, what=milestone.event))
    for cell, card in one.grid.items():
        yield from things.gain_gear(table, card, id_, cell)
    yield from things.dress(table, id_)
    if one.skip_next_hunt:
        yield Record(e.SkipNextHunt(survivor=id_, now=True))
    yield from _end(one, id_)


def _end(one: sh.SurvivorSheet, id_: str) -> Procedure[None]:
    """A death on the sheet is in the death count already."""
    match one.status:
        case "dead":
            yield Record(e.SurvivorDied(survivor=id_, of=one.cause, uncounted=0))
        case "retired":
            yield Record(e.SurvivorRetired(survivor=id_))
        case "gone":
            yield Record(e.SurvivorLeft(survivor=id_))


def _unlike(table: Table, settlement: sh.Settlement) -> Procedure[None]:
    """The sheet's survival limit holds, whatever it should be; a note says so."""
    owned = (*settlement.innovations, *settlement.principles)
    due = 1 + sum(table.content.get(Innovation, id_).survival_limit for id_ in owned)
    if due != settlement.survival_limit:
        text = f"The sheet's survival limit is {settlement.survival_limit}; "
        text += f"1 and what innovations and principles add would be {due}."
        yield Record(Noted(text=text))
