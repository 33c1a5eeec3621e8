"""The aftermath: tokens off, retirement and the lost, victory with rewards or defeat."""

from __future__ import annotations

from msgspec.structs import replace

from kdmlog.core.events import DeferralEnded, ScopeEnded
from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.core.requests import Choose, Option
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import Innovation, Level, Monster
from kdmlog.games.kdm.rules import (
    conditions,
    figures,
    harm,
    monster,
    numbers,
    proficiency,
    script,
    settle,
    things,
    traits,
    variants,
)
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.state import State

LEGENDS_AS = "3"
"""The level of its type whose aftermath a legendary monster has."""


@rule("kdm.aftermath")
def aftermath(table: Table) -> Procedure[None]:
    """Ends the showdown by its outcome (rulebook, Aftermath; First Story, Survivors Prevail)."""
    state: State = table.state
    fight = monster.showdown(table)
    outcome = fight.outcome
    yield from _the_carried(table)
    yield from _the_doomed(table)
    yield from traits.moment(table, "aftermath", _standing(state))
    living = _standing(state)
    if outcome == "victory" and not living:
        outcome = "defeat"
    aged = [id_ for id_ in living if state.survivors[id_].tokens.get("age")]
    for moment in ("round_end", "monster_turn"):
        yield from script.drop_deferred(table, moment)
    yield from _tokens_off(table)
    yield from figures.lapse(table, "showdown_end")
    for scope in ("act", "turn", "round", "showdown"):
        if scope in table.state.uses:
            yield Record(ScopeEnded(scope=scope))
    if outcome == "victory":
        yield from _victory(table, living, aged)
    elif variants.knight(state) and not state.survivors[variants.knight(state)].alive:
        yield Record(e.ShowdownEnded(number=fight.number))
        yield Record(e.PhaseChanged(phase="over", step="defeat"))
    elif fight.first_story and not _returning(state):
        yield from _once_more(table)
    else:
        yield from _defeat(table)


def _the_carried(table: Table) -> Procedure[None]:
    """A disemboweled survivor is lost unless another lives to carry them home."""
    state: State = table.state
    living = conditions.taking_part(state)
    helpless = [id_ for id_ in living if "disemboweled" in state.survivors[id_].passing]
    if helpless and len(living) == len(helpless) and len(living) == 1:
        yield from harm.die(table, helpless[:1], "nobody to carry them home")


def _the_doomed(table: Table) -> Procedure[None]:
    """Some outlive the showdown by nothing, or vanish (Consuming Grass; Forsaker Mask)."""
    state: State = table.state
    for id_ in conditions.taking_part(state):
        if ref := traits.ruled(table, state.survivors[id_], "dies_with_the_showdown"):
            yield from harm.die(table, [id_], ref.partition(":")[2].replace("_", " "))
        elif traits.ruled(table, state.survivors[id_], "vanishes_with_the_showdown"):
            yield from harm.leave(table, id_)


def _tokens_off(table: Table) -> Procedure[None]:
    """All tokens and passing injuries are off all survivors; those due to retire do."""
    state: State = table.state
    for id_, survivor in state.survivors.items():
        if (
            survivor.tokens
            or survivor.passing
            or survivor.bars
            or survivor.status_cards
            or survivor.knocked_down is not None
        ):
            yield Record(e.TokensRemoved(survivor=id_))
    yield from retire_due(table)


def retire_due(table: Table) -> Procedure[None]:
    """Those due to retire do so at the end of the showdown or settlement phase."""
    for id_, survivor in list(table.state.survivors.items()):
        if survivor.retires and survivor.status == "alive":
            yield Record(e.SurvivorRetired(survivor=id_))
            yield from traits.moment(table, "retired", [id_])


def _victory(table: Table, living: list[str], aged: list[str]) -> Procedure[None]:
    """+1 hunt XP each; the rewards are the group's, once (rulebook, Victory; Rewards).

    What the dead carried is regained by the group (rulebook, Resources and Death).
    """
    state: State = table.state
    fight = monster.showdown(table)
    record: Monster = table.content.get(Monster, fight.monster)
    yield from traits.moment(table, "victory", living)
    for id_ in living:
        if (yield from _takes_hunt_xp(table, id_)):
            more = numbers.figure(table, state.survivors[id_], "hunt_xp")
            yield from figures.change(table, id_, "hunt_xp", 1 + more)
    for id_ in proficiency.earned(table):
        yield from figures.change(table, id_, "proficiency", 1)
    if not fight.first_story:
        yield from _spoils(table, record, aged)
    yield from retire_due(table)
    level = _rewarding(table, record, fight.level)
    yield Record(e.SurvivorsReturned(survivors=tuple(_returning(state))))
    yield from settle.add(table, "defeated", f"{fight.monster}:{fight.level}")
    yield Record(e.ShowdownEnded(number=fight.number))
    if state.phase.name == "over":
        return
    yield Record(e.PhaseChanged(phase="settlement", step="set_up"))
    drawn: list[str] = []
    for deck, count in level.rewards.items():
        drawn += yield from things.draw_cards(table, deck, count)
    for card in drawn:
        yield from things.gain_resource(table, card)


def _takes_hunt_xp(table: Table, id_: str) -> Procedure[bool]:
    """Returns whether a survivor gains hunt XP: the ageless may do without."""
    if not traits.ruled(table, table.state.survivors[id_], "may_refuse_hunt_xp"):
        return True
    options = (Option("yes"), Option("no"))
    [answer] = yield Choose(purpose="hunt_xp", about=(id_,), by=id_, options=options, default="yes")
    return bool(answer == "yes")


def _spoils(table: Table, record: Monster, aged: list[str]) -> Procedure[None]:
    """What a monster's own story gives: at its level, on this and that, and the first time.

    A legendary monster gives what the level 3 monster of its type does, and its own (Legendary
    Monsters).
    """
    state: State = table.state
    fight = monster.showdown(table)
    scene = Scene(table=table, record=f"monster:{fight.monster}", bound={"aged": aged})
    level = _rewarding(table, record, fight.level)
    kind = record
    if record.type:
        kind = table.content.get(Monster, record.type)
        inner = replace(scene, record=f"monster:{record.type}")
        yield from script.play_record(inner, kind.victory, "victory")
        yield from script.play_record(inner, level.victory, f"levels.{LEGENDS_AS}.victory")
    yield from script.play_record(scene, record.victory, "victory")
    own = record.levels[fight.level].victory
    yield from script.play_record(scene, own, f"levels.{fight.level}.victory")
    for owned in list(state.settlement.innovations):
        innovated = table.content.find(Innovation, owned)
        if innovated is not None and innovated.victory:
            inner = Scene(table=table, record=f"innovation:{owned}")
            yield from script.play_record(inner, innovated.victory, "victory")
    if kind.location and not _beaten(table, record.type or fight.monster):
        yield from settle.add(table, "locations", kind.location)
    if any(one.tokens for one in state.survivors.values()):
        yield from _tokens_off(table)


def _rewarding(table: Table, record: Monster, level: str) -> Level:
    """Returns the level whose rewards are gained: a legendary monster's is its type's third."""
    if record.type:
        return table.content.get(Monster, record.type).levels[LEGENDS_AS]  # type: ignore[no-any-return]
    return record.levels[level]


def _beaten(table: Table, kind: str) -> bool:
    """Returns whether a monster of a type was defeated before; the First Story's is another."""
    for one in table.state.settlement.defeated:
        id_, _, level = one.partition(":")
        record = table.content.find(Monster, id_)
        type_ = record.type if record is not None else ""
        if kind in (id_, type_) and level != "first_story":
            return True
    return False


def _standing(state: State) -> list[str]:
    """Returns who is there at the end, or on the way back: not those who fled home."""
    assert state.showdown is not None
    away = state.showdown.away
    back = [id_ for id_ in away if away[id_] and state.survivors[id_].alive]
    there = {*conditions.taking_part(state), *back}
    return [id_ for id_ in state.showdown.survivors if id_ in there]


def _returning(state: State) -> list[str]:
    """Returns who comes home: whoever lives, those who ran away or lay unconscious, too."""
    assert state.showdown is not None
    return [id_ for id_ in state.showdown.survivors if state.survivors[id_].alive]


def _defeat(table: Table) -> Procedure[None]:
    """The monster's own defeat; what those who fell carried is lost (rulebook, Defeat)."""
    state: State = table.state
    fight = monster.showdown(table)
    record: Monster = table.content.get(Monster, fight.monster)
    scene = Scene(table=table, record=f"monster:{fight.monster}")
    for id_ in fight.survivors:
        if state.survivors[id_].status == "dead":
            for resource in list(state.survivors[id_].resources):
                yield Record(e.ResourceLost(resource=resource, survivor=id_))
    steps = record.defeat
    if record.type and not steps:
        scene = replace(scene, record=f"monster:{record.type}")
        steps = table.content.get(Monster, record.type).defeat
    if not fight.first_story:
        yield from script.play_record(scene, steps, "defeat")
    yield Record(e.SurvivorsReturned(survivors=tuple(_returning(state))))
    yield Record(e.ShowdownEnded(number=fight.number))
    if state.phase.name != "over":
        yield Record(e.PhaseChanged(phase="settlement", step="set_up"))


def _once_more(table: Table) -> Procedure[None]:
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
    yield from variants.arrived(table, id_)
    yield from variants.named(table, id_)
