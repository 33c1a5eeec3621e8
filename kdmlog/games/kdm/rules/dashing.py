"""Dashing: one movement more, spent at once."""

from __future__ import annotations

from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure
from kdmlog.core.requests import Field, Fill
from kdmlog.games.kdm import board as g
from kdmlog.games.kdm.rules import figures, hiding, walking, where
from kdmlog.games.kdm.rules.survival import action


def _room(table: Table, id_: str) -> bool:
    """Returns whether there is a space to dash to; without a board the players see that."""
    there = where.board(table.state)
    if there is None:
        return True
    at = there.survivors.get(id_)
    return at is not None and not where.taken(table, but=[id_]).issuperset(g.neighbours(at))


@action("dash", ready=_room)
def dash(table: Table, id_: str, to: str) -> Procedure[None]:
    """Moves up to the survivor's movement; without a board the players move the miniature."""
    yield from figures.spend_survival(table, id_)
    if where.board(table.state) is None:
        yield from hiding.leaves(table, id_)
        return
    if not to:
        values = yield Fill(purpose="dash", about=(id_,), fields=(Field("to", "words"),))
        to = " ".join(values["to"])
    yield from walking.walk(table, id_, to.split())
