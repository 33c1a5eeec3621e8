"""The aftermath: tokens off, retirement and the lost, victory with rewards or defeat."""

from __future__ import annotations

from kdmlog.core.events import DeferralEnded, ScopeEnded
from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import Monster
from kdmlog.games.kdm.rules import conditions, figures, harm, monster, script, settle, things
from kdmlog.games.kdm.state import State


@rule("kdm.aftermath")
def aftermath(table: Table) -> Procedure[None]:
    """Ends the showdown by its outcome (rulebook, Aftermath; First Story, Survivors Prevail)."""
    fight = monster.showdown(table)
    outcome = fight.outcome
    yield from _the_carried(table)
    if outcome == "victory" and not conditions.taking_part(table.state):
        outcome = "defeat"
    yield from script.drop_deferred(table, "round_end")
    yield from _tokens_off(table)
    yield from lapse(table, "showdown_end")
    for scope in ("act", "turn", "round", "showdown"):
        if scope in table.state.uses:
            yield Record(ScopeEnded(scope=scope))
    if outcome == "victory":
        yield from _victory(table)
    else:
        yield from _defeat(table)


def _the_carried(table: Table) -> Procedure[None]:
    """A disemboweled survivor is lost unless another lives to carry them home."""
    state: State = table.state
    living = conditions.taking_part(state)
    helpless = [id_ for id_ in living if "disemboweled" in state.survivors[id_].passing]
    if helpless and len(living) == len(helpless) and len(living) == 1:
        yield from harm.die(table, helpless[:1], "nobody to carry them home")


def _tokens_off(table: Table) -> Procedure[None]:
    """All tokens and passing injuries are off all survivors; those due to retire do."""
    state: State = table.state
    for id_, survivor in state.survivors.items():
        if (
            survivor.tokens
            or survivor.passing
            or survivor.bars
            or survivor.knocked_down is not None
        ):
            yield Record(e.TokensRemoved(survivor=id_))
    yield from retire_due(table)


def lapse(table: Table, at: str) -> Procedure[None]:
    """Bars and benefits that last until this moment are over."""
    survivors = table.state.survivors.values()
    if any(at in one.bars.values() for one in survivors):
        yield Record(e.BarsEnded(until=at))
    if any(at in one.benefits.values() for one in survivors):
        yield Record(e.BenefitsEnded(until=at))


def retire_due(table: Table) -> Procedure[None]:
    """Those due to retire do so at the end of the showdown or settlement phase."""
    for id_, survivor in table.state.survivors.items():
        if survivor.retires and survivor.status == "alive":
            yield Record(e.SurvivorRetired(survivor=id_))


def _victory(table: Table) -> Procedure[None]:
    """+1 hunt XP each; the rewards are the group's, once (rulebook, Victory; Rewards).

    What the dead carried is regained by the group (rulebook, Resources and Death).
    """
    state: State = table.state
    fight = monster.showdown(table)
    record: Monster = table.content.get(Monster, fight.monster)
    living = conditions.taking_part(state)
    for id_ in living:
        yield from figures.change(table, id_, "hunt_xp", 1)
    rewards = record.levels[fight.level].rewards
    yield Record(e.SurvivorsReturned(survivors=tuple(living)))
    yield from settle.add(table, "defeated", f"{fight.monster}:{fight.level}")
    yield Record(e.ShowdownEnded(number=fight.number))
    yield Record(e.PhaseChanged(phase="settlement", step="set_up"))
    drawn: list[str] = []
    for deck, count in rewards.items():
        drawn += yield from things.draw_cards(table, deck, count)
    for card in drawn:
        yield from things.gain_resource(table, card)


def _defeat(table: Table) -> Procedure[None]:
    """The First Story is tried again, from its start, until it is won (Survivors Perish)."""
    state: State = table.state
    fight = monster.showdown(table)
    founders = tuple(id_ for id_, one in state.survivors.items() if one.founder)
    yield Record(e.ShowdownEnded(number=fight.number))
    for due in list(state.deferred):
        yield Record(DeferralEnded(id=due))
    yield Record(e.PrologueRestarted(survivors=founders))
    if "lifetime" in state.uses:
        yield Record(ScopeEnded(scope="lifetime"))
    yield Record(e.PhaseChanged(phase="prologue", step="survivors"))
    for id_ in founders:
        yield from equip_founder(table, id_)


def equip_founder(table: Table, id_: str) -> Procedure[None]:
    """A founder's start: +1 survival for the name, Cloth and a Founding Stone."""
    yield from figures.change(table, id_, "survival", 1)
    yield from things.gain_gear(table, "cloth", id_, "1")
    yield from things.gain_gear(table, "founding_stone", id_, "2")
    yield from things.dress(table, id_)
