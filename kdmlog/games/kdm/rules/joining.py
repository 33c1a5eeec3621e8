"""Who joins a showdown in its midst, for one who fell (the Watcher's Audience)."""

from __future__ import annotations

from collections.abc import Iterable

from kdmlog.core.errors import Refused
from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.rules import grids, laid, settlement, things, where
from kdmlog.games.kdm.rules.monster import showdown

RULE = "fallen_replaced"


def join(table: Table, id_: str) -> Procedure[None]:
    """Brings a survivor from the settlement, in their gear; the players place them.

    One for each who fell, while a card in play allows it.
    """
    survivor = table.state.survivors[id_]
    if why := _why_nobody(table):
        raise Refused(f"{why}.")
    if id_ in showdown(table).survivors:
        raise Refused(f"{survivor.name} is in the showdown already.")
    if not settlement.may_depart(table, survivor):
        raise Refused(f"{survivor.name or id_} cannot come.", hints=[f"survivor show {id_}"])
    grids.refuse_worn(table, id_)
    yield Record(e.SurvivorJoined(survivor=id_))
    yield from things.dress(table, id_)
    yield from things.record_modifiers(table, id_)


def _why_nobody(table: Table) -> str:
    fight = showdown(table)
    if not laid.ruled(table, RULE):
        return "No card in play lets anybody join"
    fallen = [one for one in fight.survivors if not table.state.survivors[one].alive]
    return "" if len(fight.joined) < len(fallen) else "Nobody is left to be replaced"


def lines(table: Table) -> Iterable[str]:
    """Yields how somebody is brought, and placed who has been."""
    if not _why_nobody(table):
        yield "showdown join SURVIVOR"
    board = where.board(table.state)
    for id_ in showdown(table).joined:
        if board is not None and id_ not in board.survivors and table.state.survivors[id_].alive:
            yield f"place {id_} X Y"
