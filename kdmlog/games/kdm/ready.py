"""The lines in which an action can be taken now, as they are typed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from kdmlog.core.game import Table
from kdmlog.games.kdm import when
from kdmlog.games.kdm.rules import (
    attack,
    foes,
    grids,
    laid,
    marching,
    proficiency,
    settlement,
    survival,
    turns,
    uses,
    walking,
    where,
)
from kdmlog.games.kdm.rules import monster as monster_rules
from kdmlog.games.kdm.rules.conditions import taking_part
from kdmlog.games.kdm.state import State, Survivor


def foe_word(table: Table) -> str:
    """Returns the word for the monster in what is typed."""
    return str(monster_rules.showdown(table).monster).split("_")[-1]


def _living(table: Table) -> list[Survivor]:
    state: State = table.state
    return [state.survivors[id_] for id_ in taking_part(state)]


def moves(table: Table) -> Iterable[str]:
    """On the board the way to the monster is offered to those who are not beside it."""
    fight = monster_rules.showdown(table)
    for line in acts("move {}", "movement")(table):
        id_ = line.split()[1]
        if fight.board is None:
            yield line
        elif not where.beside_monster(table.state, id_) and (
            to := walking.toward_monster(table, id_)
        ):
            yield f"{line} {to}"


def attacks(table: Table) -> Iterable[str]:
    """Only those whose weapon gets to the monster can attack."""
    on_board = monster_rules.showdown(table).board is not None
    for line in acts("attack {}", "activation")(table):
        id_ = line.split()[1]
        weapon = attack.weapon_named(table, id_, "")
        if attack.why_too_cumbersome(table, id_, weapon):
            continue
        if not (on_board and attack.out_of_reach(attack.Blow(table, id_, weapon))):
            yield line


def next_of(table: Table, id_: str) -> str:
    """Returns what a survivor does next as a rule: attack, on the board after walking there."""
    on_board = monster_rules.showdown(table).board is not None
    for lines in (attacks(table), moves(table) if on_board else ()):
        found = next((line for line in lines if line.split()[1] == id_), "")
        if found:
            return found
    return ""


def acts(line: str, what: str = "") -> Callable[[Table], Iterable[str]]:
    """Returns lines for each survivor who can still act and has ``what`` left to spend."""

    def ready(table: Table) -> Iterable[str]:
        acting = table.state.showdown.act
        for id_ in turns.to_act(table):
            mine = acting is not None and acting.survivor == id_
            left = (getattr(acting, what) if what else 0) if mine else 1
            if what and laid.off_board(table, table.state.survivors[id_]):
                continue
            if left and table.state.survivors[id_].knocked_down is None:
                yield line.format(id_)

    return ready


def _throws(table: Table) -> Iterable[str]:
    for line in acts("{}", "activation")(table):
        if "founding_stone" in attack.weapons(table, line):
            yield f"activate {line} founding_stone"


def survival_lines(table: Table) -> Iterable[str]:
    """Returns what survival could be spent on now; on the monster's turn encouraging alone."""
    between = monster_rules.showdown(table).turn == "survivors"
    for id_, what, target in survival.ready(table):
        if between or what == "encourage":
            yield f"survival {id_} {what} {target}".rstrip()


def weapon_lines(table: Table) -> Iterable[str]:
    """Who may choose a weapon type."""
    for one in table.state.survivors.values():
        if one.alive and not one.weapon_type and proficiency.may_choose(table, one):
            yield f"survivor weapon {one.id} TYPE"


def activate_lines(table: Table) -> Iterable[str]:
    """What each survivor could activate."""
    if when.survivors_turn(table) is None:
        yield from _throws(table)
        yield from _retinue_lines(table)
    for one in _living(table):
        for thing in uses.ready(table, one.id):
            yield f"activate {one.id} {thing}"


def _retinue_lines(table: Table) -> Iterable[str]:
    for id_ in acts("{}")(table):
        if marching.commands(table, id_) and not marching.why_not(table, id_):
            yield f"activate {id_} retinue"


def endeavor_lines(table: Table) -> Iterable[str]:
    """The endeavors that can be paid."""
    left = table.state.settlement.endeavors
    for id_, offer in settlement.endeavors(table).items():
        if id_ != settlement.INNOVATE and offer.endeavor.endeavors <= left:
            yield f"settlement endeavor {id_} {offer.of or 'SURVIVOR'}"


def craft_lines(table: Table) -> Iterable[str]:
    """The gear that can be paid."""
    from kdmlog.games.kdm.rules.things import missing

    for id_, gear in settlement.craftable(table).items():
        if not missing(table, gear.cost):
            yield f"settlement craft {id_}"


def build_lines(table: Table) -> Iterable[str]:
    """The locations that can be paid."""
    from kdmlog.games.kdm.rules.things import missing

    if table.state.settlement.endeavors:
        for id_, place in settlement.buildable(table).items():
            if not missing(table, place.build):
                yield f"settlement build {id_}"


def innovate_lines(table: Table) -> Iterable[str]:
    """Innovating, if it can be paid."""
    from kdmlog.games.kdm.rules.things import missing

    offer = settlement.endeavors(table).get(settlement.INNOVATE)
    left = table.state.settlement.endeavors
    if (
        offer
        and left
        and not settlement.done(table, offer)
        and not missing(table, offer.endeavor.cost)
    ):
        yield "settlement innovate"


def developing(table: Table) -> Iterator[str]:
    """Yields what endeavors could still be spent on: building first, then innovating, the rest."""
    yield from build_lines(table)
    yield from innovate_lines(table)
    yield from endeavor_lines(table)


def depart_lines(table: Table) -> Iterable[str]:
    """Who could depart, against this year's nemesis or a quarry."""
    state: State = table.state
    able = [id_ for id_, one in state.survivors.items() if settlement.may_depart(table, one)]
    must = settlement.must_depart(table)
    if not must or len(able) < must:
        return
    taking_off = [
        f"gear take {id_} {cell}" for id_ in able[:must] for cell, _ in grids.misworn(table, id_)
    ]
    if taking_off:  # before they may depart
        yield from taking_off
        return
    for nemesis in foes.due(table):
        id_, _, level = nemesis.partition(":")
        yield f"depart {' '.join(able[:must])} --nemesis {id_} --level {level}"
    for quarry in state.settlement.quarries:
        yield f"depart {' '.join(able[:must])} --hunt {quarry} --level 1"


def begin_lines(table: Table) -> Iterable[str]:
    """How a showdown begins."""
    if table.state.phase.name == "prologue":
        yield "showdown begin white_lion --first-story"
    else:
        yield "showdown begin"


def return_lines(table: Table) -> Iterator[str]:
    """A settlement is named once."""
    yield "settlement begin" if table.state.settlement.name else "settlement begin NAME"


def share_lines(table: Table) -> Iterator[str]:
    """What was gained can be handed out."""
    if table.state.settlement.storage.unrecorded:
        yield "share SURVIVOR RESOURCE"


def deploy_lines(table: Table) -> Iterator[str]:
    """All at once, or each when.where the players say."""
    there = where.board(table.state)
    yield "deploy"
    for id_ in taking_part(table.state):
        if there is not None and id_ not in there.survivors:
            yield f"deploy {id_} X Y"


def line(text: str) -> Callable[[Table], Iterable[str]]:
    """Returns one fixed ready line."""
    return lambda _table: (text,)
