"""Survivors come into the campaign: founders, names drawn out of the population, newborns."""

from __future__ import annotations

from kdmlog.core.errors import NotNow, Refused
from kdmlog.core.game import Table
from kdmlog.core.names import slug
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.core.requests import Field, Fill
from kdmlog.core.text import LONGEST_NAME, shown
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.content import Innovation
from kdmlog.games.kdm.rules import (
    aftermath,
    chance,
    conditions,
    figures,
    harm,
    script,
    settle,
    variants,
)
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.rules.script import verb
from kdmlog.games.kdm.state import Parents, State

FOUNDERS = 4
ANSWERS = ("none", "no", "yes", "pass", "all", "app", "nothing", "monster", "undo")
SEXES = {"male": "male", "female": "female"}


def new_id(state: State, name: str) -> str:
    """Returns the id of a new survivor: the name as a word, numbered when it is taken.

    A name that also answers questions (``none``, ``yes``, ``far_lucy``) is kept apart from them.
    """
    base = slug(name) or "survivor"
    if base in ANSWERS or base.isdigit() or base.startswith("far_"):
        base = f"survivor_{base}"
    number, id_ = 1, base
    while id_ in state.survivors:
        number += 1
        id_ = f"{base}_{number}"
    return id_


def refuse_name(name: str) -> None:
    """Raises Refused when a name is empty, or is a word that answers questions at the table."""
    base = slug(name)
    if not base:
        raise Refused("A survivor needs a name.")
    if base in ANSWERS or base.startswith("far_"):
        raise Refused(
            f"A survivor cannot be called {shown(name, LONGEST_NAME)}: it answers questions.",
            hints=["a second name helps, as in: Yes Man"] if base in ANSWERS else [],
        )


def unnamed(state: State) -> int:
    """Returns how many of the population have no record sheet yet."""
    sheets = sum(1 for one in state.survivors.values() if one.alive)
    return max(0, state.settlement.population - sheets)


@rule("kdm.new_survivor")
def create(table: Table, name: str, sex: str, player: str) -> Procedure[None]:
    """A new sheet: a founder in the prologue, later one of the population's unnamed.

    Naming gives +1 survival; founders start with Cloth and a Founding Stone (rulebook, Create a
    Survivor; Prepare Departing Survivors).
    """
    state: State = table.state
    refuse_name(name)
    founder = state.phase.name == "prologue"
    if founder and len(state.survivors) >= FOUNDERS:
        raise NotNow(
            "The four founders are there.", hints=["showdown begin white_lion --first-story"]
        )
    if not founder and not unnamed(state):
        raise NotNow(
            "Everyone in the settlement has a record sheet.",
            hints=[f"population {state.settlement.population}: survivor list"],
        )
    id_ = new_id(state, name)
    yield Record(
        e.SurvivorCreated(survivor=id_, name=name, sex=sex, player=player, founder=founder)
    )
    if founder:
        yield from aftermath.equip_founder(table, id_)
    else:
        yield from figures.change(table, id_, "survival", 1)
        yield from variants.arrived(table, id_)
        yield from variants.named(table, id_)


def rename(table: Table, id_: str, name: str) -> Procedure[None]:
    """Names a survivor anew; the first name of a newborn gives +1 survival."""
    refuse_name(name)
    first = not table.state.survivors[id_].name
    yield Record(e.SurvivorNamed(survivor=id_, name=name))
    if first:
        yield from figures.change(table, id_, "survival", 1)
        yield from variants.named(table, id_)


@verb("population")
def _population(scene: Scene, body: s.LosePerson) -> Procedure[None]:
    """People come or are lost: first those without a sheet, then named ones whom the players pick.

    Nobody in the showdown is lost by it (rulebook, Population; Killing a Retinue).
    """
    by = yield from conditions.amount(scene, body.by, "population")
    by = -by if body.lost else by
    if by < 0:
        yield from lose(scene, -by)
    else:
        yield from settle.figure(scene.table, "population", by)


def lose(scene: Scene, count: int) -> Procedure[None]:
    """So many people are lost, as far as they are not in the showdown."""
    table, state = scene.table, scene.state
    named = max(0, count - unnamed(state)) if state.settlement.population else 0
    yield from settle.figure(table, "population", named - count)
    if named:
        fighting = conditions.settlement_party(state)
        among = [id_ for id_, one in state.survivors.items() if one.alive and id_ not in fighting]
        gone = yield from conditions.choose_survivors(
            scene, among, "population_lost", least=named, most=named
        )
        yield from harm.die(table, gone, "lost with others of the settlement")


@verb("return_from_death")
@rule("kdm.return_from_death")
def _return_from_death(scene: Scene, body: int) -> Procedure[None]:
    """Back at the settlement without courage, understanding or name (Phoenix, Defeat)."""
    state, table = scene.state, scene.table
    party = conditions.settlement_party(state)
    dead = [id_ for id_ in party if state.survivors[id_].status == "dead"]
    for id_ in (yield from chance.at_random(dead, body, about=(scene.record,))):
        waiting = max(0, state.settlement.uncounted_deaths - 1)
        yield Record(e.SurvivorRevived(survivor=id_, uncounted=waiting))
        yield from settle.figure(table, "population", 1)
        yield from figures.put(table, id_, "courage", 0)
        yield from figures.put(table, id_, "understanding", 0)
        values = yield Fill(purpose="new_name", about=(id_,), fields=(Field("name", "word"),))
        name = str(values["name"])
        refuse_name(name)
        yield Record(e.SurvivorNamed(survivor=id_, name=name))


@verb("birth")
@rule("kdm.birth")
def _birth(scene: Scene, body: s.Birth) -> Procedure[None]:
    """Newborns: population, a sheet each with its parents, what innovations give, the milestone.

    All newborns of one birth are there before Principle: New Life, which fires once (rulebook,
    Intimacy). Name and sex may be left open; naming later gives the survival.
    """
    table, state = scene.table, scene.state
    mother = scene.bound.get("mother", [""])[0]
    father = scene.bound.get("father", [""])[0]
    newborns = []
    for number in range(1, body.count + 1):
        fields = (Field("name", "word", default=""), Field("sex", "word", default="female"))
        values = yield Fill(purpose="birth", about=(mother, father, str(number)), fields=fields)
        name, sex = str(values["name"]), figures.match_sex(str(values["sex"]))
        if name:
            refuse_name(name)
        id_ = new_id(state, name or "newborn")
        yield Record(
            e.SurvivorCreated(
                survivor=id_,
                name=name,
                sex=sex,
                parents=Parents(mother=mother, father=father),
            )
        )
        newborns.append(id_)
        yield from variants.arrived(table, id_)
        if name:
            yield from figures.change(table, id_, "survival", 1)
            yield from variants.named(table, id_)
        yield from settle.figure(table, "population", 1)
        yield from _newborn_bonuses(table, id_)
    bound = {**scene.bound, "newborns": newborns}
    yield from settle.milestone(table, "first_birth", bound)
    scene.bound["newborns"] = newborns


def _newborn_bonuses(table: Table, id_: str) -> Procedure[None]:
    """What innovations and principles give to each newborn."""
    settlement = table.state.settlement
    for owned in (*settlement.innovations, *settlement.principles):
        steps = table.content.get(Innovation, owned).newborn
        scene = Scene(table=table, record=f"innovation:{owned}", who=id_)
        yield from script.play_record(scene, steps, "newborn")
