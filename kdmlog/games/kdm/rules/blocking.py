"""Blocking: hits of the next attack that are ignored (rulebook, Glossary, Block)."""

from __future__ import annotations

from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.rules import conditions

BLOCK = "block"


def blocked(table: Table, id_: str, hits: int) -> Procedure[int]:
    """Returns the hits that are left of an attack on one who blocks; the block is spent.

    Only one block counts in an attack, and none of one who may not block: by a dislocated shoulder,
    or against a card that says so.
    """
    survivor = table.state.survivors[id_]
    held = [one for one in survivor.benefits if one.partition(":")[0] == BLOCK]
    if not held:
        return hits
    best = max(held, key=lambda one: int(one.partition(":")[2]))
    for one in held:
        yield Record(e.BenefitForgotten(survivor=id_, what=one))
    if conditions.barred(table, survivor, BLOCK):
        return hits
    ignored = min(hits, int(best.partition(":")[2]))
    if ignored:
        yield Record(e.HitsIgnored(survivor=id_, by=ignored, now=hits - ignored, why=BLOCK))
    return hits - ignored


def lower(table: Table, id_: str) -> Procedure[None]:
    """A block lasts until the survivor's next act."""
    survivor = table.state.survivors[id_]
    for one in [one for one in survivor.benefits if one.partition(":")[0] == BLOCK]:
        yield Record(e.BenefitForgotten(survivor=id_, what=one))
