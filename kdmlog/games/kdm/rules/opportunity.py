"""Survival opportunities: the moments at which others than the attacker may interrupt."""

from __future__ import annotations

from kdmlog.core.game import Table
from kdmlog.core.inputs import PASS
from kdmlog.core.procedures import Procedure
from kdmlog.core.requests import Opportunity, Option
from kdmlog.games.kdm.rules import survival
from kdmlog.games.kdm.state import State

Done = list[tuple[str, str]]
"""Who has taken which survival action."""


def opportunity(table: Table, purpose: str, about: tuple[str, ...] = ()) -> Procedure[Done]:
    """Offers every survival action that somebody could take, again and again until all pass.

    It stays open after each of them, and there is none within another's survival action
    (rulebook, Survival Opportunities; During Monster Flows). Returns who did what.
    """
    done: Done = []
    while True:
        ways = {} if table.state.showdown.outcome else _ways(table)
        options = tuple(Option(id_, _label(table, *way)) for id_, way in ways.items())
        [taken] = yield Opportunity(purpose=purpose, about=about, options=options)
        if taken == PASS:
            return done
        id_, what, target = ways[taken]
        yield from survival.take(table, id_, what, target)
        done.append((id_, what))


def _ways(table: Table) -> dict[str, tuple[str, str, str]]:
    """Returns what is offered: ``dash_lucy`` to who does what, and for whom."""
    found = {}
    for id_, what, target in survival.ready(table):
        found["_".join(filter(None, (what, id_, target)))] = (id_, what, target)
    return found


def _label(table: Table, id_: str, what: str, target: str) -> str:
    state: State = table.state
    whom = f" {state.survivors[target].name}" if target else ""
    return f"{state.survivors[id_].name}: {what}{whom}"
