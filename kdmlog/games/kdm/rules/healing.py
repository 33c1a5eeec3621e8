"""Survivors heal: injury boxes are erased and lost armor points restored."""

from __future__ import annotations

from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.rules import conditions, things
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.rules.script import verb
from kdmlog.games.kdm.state import LOCATIONS

EVERY = "every"


@rule("kdm.heal")
def heal(table: Table, id_: str, at: str = EVERY) -> Procedure[None]:
    """Heals one location or all of them, the brain among them (Glossary, Healing (Survivor)).

    Armor points come back to what is worn; more than that, from elsewhere, stays.
    """
    survivor = table.state.survivors[id_]
    for place in list(survivor.injuries):
        if at in (EVERY, place):
            for box in list(survivor.injuries.get(place, ())):
                yield Record(e.InjuryErased(survivor=id_, location=place, box=box))
    worn = things.armor_points(table, id_)
    for place in LOCATIONS:
        before = table.state.survivors[id_].armor.get(place, 0)
        if at in (EVERY, place) and worn[place] > before:
            by = worn[place] - before
            yield Record(e.ArmorChanged(survivor=id_, location=place, by=by, now=worn[place]))


@verb("heal")
def _heal(scene: Scene, body: s.Heal) -> Procedure[None]:
    for id_ in (yield from conditions.people(scene, body.who)):
        yield from heal(scene.table, id_, body.at)
