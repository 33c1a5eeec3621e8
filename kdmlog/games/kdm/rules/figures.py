"""Figures of a survivor: gains within their limits, tokens, milestones reached."""

from __future__ import annotations

from kdmlog.core.errors import BadInput
from kdmlog.core.events import UseSpent
from kdmlog.core.game import Table
from kdmlog.core.names import match
from kdmlog.core.procedures import Procedure, Record
from kdmlog.core.requests import Choose, Option
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import MOMENTS, Disorder, FightingArt, Gear, Milestone
from kdmlog.games.kdm.rules import conditions, numbers, proficiency, traits
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.rules.script import verb
from kdmlog.games.kdm.rules.stories import trigger
from kdmlog.games.kdm.state import ATTRIBUTES, State, Survivor

MOST_TRAITS = 3
"""Fighting arts and disorders: at most three of each (rulebook, Survivors 8 and 9)."""


def change(table: Table, id_: str, stat: str, by: int) -> Procedure[None]:
    """Gains or loses a figure for ever, within its limits; what is over the limit is lost.

    Survival never exceeds the settlement's limit (rulebook, Survival Limit); only attributes can
    be negative. A milestone's box that is reached triggers its story event at once.
    """
    state: State = table.state
    survivor = state.survivors[id_]
    before = getattr(survivor, stat)
    if by > 0 and (why := conditions.barred(table, survivor, _GAINS.get(stat, stat))):
        yield Record(e.GainIgnored(survivor=id_, what=f"{stat} +{by}", why=why))
        return
    if stat == "survival" and by > 0:
        by += numbers.figure(table, survivor, "survival_gained")
    now = before + by
    if stat == "survival" and by > 0:
        now = max(before, min(now, state.settlement.survival_limit))
    if stat in _TOPS:
        now = max(min(before, now), min(now, _TOPS[stat]))
    if stat not in ATTRIBUTES:
        now = max(0, now)
    lost = by - (now - before) if by > 0 else 0
    yield Record(e.StatChanged(survivor=id_, stat=stat, by=now - before, now=now, lost=lost))
    yield from _milestones(table, id_, stat, before, now)
    if stat == "insanity" and by > 0 and traits.ruled(table, survivor, "insanity_is_survival"):
        yield from change(table, id_, "survival", by)  # nobody who may gain it would not
    if stat == "proficiency":
        yield from proficiency.reached(table, id_, before, now)
    if stat in MOMENTS:
        yield from traits.moment(table, stat, [id_])


def put(table: Table, id_: str, stat: str, now: int) -> Procedure[None]:
    """Sets a figure to a value."""
    yield from change(table, id_, stat, now - getattr(table.state.survivors[id_], stat))


def _milestones(table: Table, id_: str, stat: str, before: int, now: int) -> Procedure[None]:
    """Triggers what a box calls, once in a lifetime (rulebook, Milestones)."""
    for milestone in table.content.all(Milestone).values():
        if milestone.scope != "survivor" or milestone.track != stat:
            continue
        reached = before < milestone.box <= now
        if reached and not table.state.used("lifetime", id_, milestone.event):
            yield Record(UseSpent(scope="lifetime", who=id_, what=milestone.event))
            yield from trigger(table, milestone.event, who=id_)
            if milestone.event.startswith("age_"):
                yield from traits.moment(table, "age", [id_])


def tokens(
    table: Table, id_: str, token: str, by: int, *, unsteady: bool = False
) -> Procedure[None]:
    """Gives attribute tokens (bleeding goes through ``harm.bleed``).

    Those that are ``unsteady`` are lost when the survivor is knocked down.
    """
    survivor: Survivor = table.state.survivors[id_]
    now = survivor.tokens.get(token, 0) + by
    lost = survivor.unsteady.get(token, 0) + by if unsteady else None
    yield Record(e.TokensChanged(survivor=id_, token=token, by=by, now=now, unsteady=lost))


def loses_footing(table: Table, id_: str) -> Procedure[None]:
    """Takes off the tokens that are lost when a survivor is knocked down, as far as they last."""
    survivor: Survivor = table.state.survivors[id_]
    for token, count in list(survivor.unsteady.items()):
        there = survivor.tokens.get(token, 0)
        by = -min(count, max(0, there))
        yield Record(e.TokensChanged(survivor=id_, token=token, by=by, now=there + by, unsteady=0))


def gain_trait(table: Table, id_: str, box: str, trait: str) -> Procedure[None]:
    """Gains a fighting art, disorder, ability or impairment.

    One already had changes nothing; a fourth fighting art or disorder replaces one of the
    player's choice (rulebook, Fighting Arts; Disorders).
    """
    survivor: Survivor = table.state.survivors[id_]
    had: list[str] = getattr(survivor, box)
    if trait in had:
        yield Record(e.GainIgnored(survivor=id_, what=trait, why="already had"))
        return
    if box == "disorders" and (ref := traits.ruled(table, survivor, "no_disorders")):
        why = name_of(table, Gear, ref.partition(":")[2])
        yield Record(e.GainIgnored(survivor=id_, what=trait, why=why))
        return
    if box in ("fighting_arts", "disorders") and len(had) >= MOST_TRAITS:
        kind = FightingArt if box == "fighting_arts" else Disorder
        options = tuple(Option(one, name_of(table, kind, one)) for one in had)
        [lost] = yield Choose(purpose=f"replace_{box}", about=(id_, trait), by=id_, options=options)
        yield from lose_trait(table, id_, box, lost)
    yield Record(e.TraitGained(survivor=id_, list=box, id=trait))
    yield from traits.of_one(table, "gained", id_, f"{_KINDS[box]}:{trait}")


def lose_trait(table: Table, id_: str, box: str, trait: str) -> Procedure[None]:
    """Erases a fighting art, disorder, ability or impairment."""
    yield Record(e.TraitLost(survivor=id_, list=box, id=trait))
    yield from traits.of_one(table, "lost", id_, f"{_KINDS[box]}:{trait}")


def remembers(survivor: Survivor, what: str) -> str:
    """Returns what is noted for a survivor under a name, with its own value; or nothing."""
    for one in (*survivor.benefits, *survivor.remembered):
        if one.partition(":")[0] == what:
            return one
    return ""


@verb("forget")
def _forget(scene: Scene, body: str) -> Procedure[None]:
    yield from forget(scene.state.survivors[scene.who], body)


def forget(survivor: Survivor, what: str) -> Procedure[None]:
    """A benefit has been used, or a fact holds no more: all that is noted under its name goes."""
    while one := remembers(survivor, what):
        yield Record(e.BenefitForgotten(survivor=survivor.id, what=one))


def lapse(table: Table, at: str) -> Procedure[None]:
    """Bars and benefits that last until this moment are over."""
    survivors = table.state.survivors.values()
    if any(at in one.bars.values() for one in survivors):
        yield Record(e.BarsEnded(until=at))
    if any(at in one.benefits.values() for one in survivors):
        yield Record(e.BenefitsEnded(until=at))


def spend_survival(table: Table, id_: str, count: int = 1) -> Procedure[None]:
    """Pays survival. Raises BadInput when there is not enough, or spending is barred."""
    survivor: Survivor = table.state.survivors[id_]
    if why := conditions.barred(table, survivor, "survival"):
        raise BadInput(f"{survivor.name} may not spend survival: {why}.")
    if survivor.survival < count:
        raise BadInput(f"{survivor.name} has only {survivor.survival} survival.")
    now = survivor.survival - count
    yield Record(e.StatChanged(survivor=id_, stat="survival", by=-count, now=now))


def can_spend_survival(table: Table, survivor: Survivor, count: int = 1) -> bool:
    """Returns whether a survivor has survival to spend and may."""
    return survivor.survival >= count and not conditions.barred(table, survivor, "survival")


def name_of(table: Table, kind: type, id_: str) -> str:
    """Returns a card's shown name; the id where the packs do not know it."""
    record = table.content.find(kind, id_)
    return str(record.name) if record is not None else id_


_KINDS = {
    "fighting_arts": "fighting_art",
    "disorders": "disorder",
    "abilities": "ability",
    "impairments": "ability",
}
_GAINS = {
    "survival": "gain_survival",
    "courage": "gain_courage",
    "proficiency": "gain_weapon_proficiency",
}
_TOPS = {"courage": 9, "understanding": 9, "hunt_xp": 16, "proficiency": 8}
"""The last box of each track on the record sheet."""


def match_sex(word: str) -> str:
    """Returns ``male`` or ``female`` for ``m``, ``f`` or the word."""
    return match(word or "female", {"male": "male", "female": "female"}, "sex")
