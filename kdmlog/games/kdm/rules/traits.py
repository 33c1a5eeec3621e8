"""What traits and injuries do by being borne: special rules, modifiers, and steps at a moment."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure
from kdmlog.games.kdm.content import KINDS, Ability, ArmorSet, FightingArt, Gear, Trait
from kdmlog.games.kdm.rules import conditions, script, skills
from kdmlog.games.kdm.script import Step
from kdmlog.games.kdm.state import State, Survivor


def at_work(table: Table, survivor: Survivor) -> list[tuple[str, Trait]]:
    """Returns what a survivor bears and can use, as ``kind:id`` with its record.

    Some injuries leave no use of fighting arts or abilities; impairments stay.
    """
    everything = conditions.borne(table, survivor)
    if not everything:
        return []
    arts = not conditions.barred(table, survivor, "fighting_arts")
    abilities = not conditions.barred(table, survivor, "abilities")
    found: list[tuple[str, Trait]] = []
    for ref, record in everything:
        if isinstance(record, FightingArt) and not arts:
            continue
        if isinstance(record, Ability) and record.type == "ability" and not abilities:
            continue
        found.append((ref, record))
    return found


def ruled(table: Table, survivor: Survivor, rule: str) -> str:
    """Returns the record whose special rule holds for a survivor, as ``kind:id``, or nothing."""
    for ref, record in at_work(table, survivor):
        if conditions.lists(table, survivor, ref, record.rules, rule):
            return ref
    for ref, thing in worn(table, survivor):
        if rule in thing.rules:
            return ref
    return skills.ruled(table, survivor, rule)


def worn(table: Table, survivor: Survivor) -> list[tuple[str, Gear | ArmorSet]]:
    """Returns the gear in a grid, once each, and the sets that it completes, as ``kind:id``."""
    gear, grid = table.state.gear, survivor.grid
    cards = dict.fromkeys([gear[grid[cell]] for cell in sorted(grid)])
    found: list[tuple[str, Gear | ArmorSet]] = []
    for card in cards:
        record = table.content.find(Gear, card)
        if record is not None:
            found.append((f"gear:{card}", record))
    for id_, set_ in completed(table, cards):
        found.append((f"armor_set:{id_}", set_))
    return found


def completed(table: Table, cards: Collection[str]) -> list[tuple[str, ArmorSet]]:
    """Returns the armor sets that the cards of a grid complete, by id."""
    if table.content.made(_first_pieces).isdisjoint(cards):
        return []  # asked at every turn, and most grids have none
    sets: Mapping[str, ArmorSet] = table.content.all(ArmorSet)
    return [(id_, set_) for id_, set_ in sets.items() if set(set_.pieces) <= set(cards)]


def _first_pieces(content: Any) -> frozenset[str]:
    """A set is complete only with its first piece, too."""
    sets = content.all(ArmorSet).values()
    return frozenset(piece for set_ in sets for piece in set_.pieces[:1])


def cannot_depart(table: Table, survivor: Survivor) -> str:
    """Returns the trait that keeps a survivor from departing as they are, in words; or nothing."""
    for ref, record in conditions.borne(table, survivor):
        if record.departs is not None and not conditions.holds_alone(
            table, survivor, ref, record.departs
        ):
            return f"{record.name} ({record.note.removesuffix('.')})"
    return ""


def moment(table: Table, at: str, people: Iterable[str], **bound: list[str]) -> Procedure[None]:
    """Plays what the people bear for this moment (see ``content.MOMENTS``), in their order.

    ``bound`` are those whom the moment knows by name.
    """
    state: State = table.state
    for id_ in list(people):
        bearer = state.survivors[id_]
        for ref, field, steps in _due(table, bearer, at):
            if state.survivors[id_].conscious:
                scene = conditions.Scene(table=table, record=ref, who=id_, bound=dict(bound))
                yield from script.play_record(scene, steps, field)


def _due(table: Table, bearer: Survivor, at: str) -> list[tuple[str, str, list[Step]]]:
    """Returns what a survivor's traits, gear and skills do at a moment, and where it is written."""
    found = skills.due(table, bearer, at)
    own = [*at_work(table, bearer), *worn(table, bearer)]
    return [(ref, f"on.{at}", one.on[at]) for ref, one in own if at in one.on] + found


def of_one(table: Table, at: str, id_: str, ref: str) -> Procedure[None]:
    """Plays the moment of one trait alone: it has just been gained or lost."""
    kind, _, of = ref.partition(":")
    record = table.content.find(KINDS[kind], of)
    if record is not None and at in record.on:
        scene = conditions.Scene(table=table, record=ref, who=id_)
        yield from script.play_record(scene, record.on[at], f"on.{at}")
