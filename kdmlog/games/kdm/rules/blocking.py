"""Blocking: hits of the next attack that are ignored (rulebook, Glossary, Block)."""

from __future__ import annotations

from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record
from kdmlog.core.requests import Choose, Option
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.rules import conditions, figures, traits

BLOCK, PARRIES = "block", "parries"


def blocked(table: Table, id_: str, hits: int) -> Procedure[int]:
    """Returns the hits that are left of an attack on one who blocks; the block is spent.

    Only one block counts in an attack, and none of one who may not block: by a dislocated shoulder,
    or against a card that says so.
    """
    survivor = table.state.survivors[id_]
    held = [one for one in survivor.benefits if one.partition(":")[0] == BLOCK]
    if not held:
        return (yield from _parried(table, id_, hits))
    best = max(held, key=lambda one: int(one.partition(":")[2]))
    for one in held:
        yield Record(e.BenefitForgotten(survivor=id_, what=one))
    if conditions.barred(table, survivor, BLOCK):
        return hits
    ignored = min(hits, int(best.partition(":")[2]))
    if ignored:
        yield Record(e.HitsIgnored(survivor=id_, by=ignored, now=hits - ignored, why=BLOCK))
    return hits - ignored


def _parried(table: Table, id_: str, hits: int) -> Procedure[int]:
    """Returns the hits that are left when 1 survival may ignore one of them (Steel Shield)."""
    survivor = table.state.survivors[id_]
    able = figures.can_spend_survival(table, survivor) and traits.ruled(table, survivor, PARRIES)
    if not hits or not able or conditions.barred(table, survivor, BLOCK):
        return hits
    options = (Option("no"), Option("yes", "1 survival"))
    [answer] = yield Choose(
        purpose=PARRIES, about=(id_, str(hits)), by=id_, options=options, default="no"
    )
    if answer == "no":
        return hits
    yield from figures.spend_survival(table, id_)
    yield Record(e.HitsIgnored(survivor=id_, by=1, now=hits - 1, why=PARRIES))
    return hits - 1


def lower(table: Table, id_: str) -> Procedure[None]:
    """A block lasts until the survivor's next act."""
    survivor = table.state.survivors[id_]
    for one in [one for one in survivor.benefits if one.partition(":")[0] == BLOCK]:
        yield Record(e.BenefitForgotten(survivor=id_, what=one))
