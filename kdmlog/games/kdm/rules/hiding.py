"""Who is hidden from the monster, and what ends it (rulebook, Threat; Terrain, Tall Grass)."""

from __future__ import annotations

from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.rules import conditions, where


def hide(table: Table, id_: str, terrain: str = "") -> Procedure[None]:
    """Hides a survivor until they attack; in ``terrain`` until they leave it, too."""
    what = f"{conditions.WITHIN_TERRAIN}:{terrain}" if terrain else conditions.NO_THREAT
    if what not in table.state.survivors[id_].benefits:
        yield Record(e.BenefitRemembered(what=what, survivor=id_, until="showdown_end"))


def seen(table: Table, id_: str) -> Procedure[None]:
    """Whoever attacks is hidden no more."""
    for what in conditions.hidden_by(table.state.survivors[id_]):
        yield Record(e.BenefitForgotten(what=what, survivor=id_))


def leaves(table: Table, id_: str) -> Procedure[None]:
    """Whoever is not on a space of the terrain any more is not hidden in it.

    Without a board whoever moves has left it.
    """
    for what in conditions.hidden_by(table.state.survivors[id_]):
        terrain = what.partition(":")[2]
        if terrain and not where.stands_on(table.state, id_, terrain):
            yield Record(e.BenefitForgotten(what=what, survivor=id_))
