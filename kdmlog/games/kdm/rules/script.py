"""The interpreter of the effect script: one function a verb.

Verbs that belong to a rule are registered by that rule's module; those of the flow stand here.
Facts recorded while a record plays carry that record as their cause.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from kdmlog.core import dice
from kdmlog.core.events import DeferralEnded, Deferred
from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record, stamped
from kdmlog.core.requests import Choose, Field, Fill, Option, Roll
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.content import KINDS, Resource
from kdmlog.games.kdm.rules import chance, where
from kdmlog.games.kdm.rules.conditions import (
    Scene,
    choose_survivors,
    holds,
    modifiers,
    one,
    people,
)
from kdmlog.games.kdm.rules.effects import parse_effects
from kdmlog.games.kdm.state import State


class Jump(Struct, frozen=True):
    """A step asks for another row of the table around it, or the table again with a modifier.

    ``halt``: nothing of the record follows.
    """

    row: str = ""
    add: int | None = None
    halt: bool = False


REROLL = "reroll_one_endeavor_result"
Verb = Callable[[Scene, Any], Procedure[Jump | None]]
VERBS: dict[str, Verb] = {}


def verb(name: str) -> Callable[[Callable[..., Procedure[Any]]], Callable[..., Procedure[Any]]]:
    """Registers what plays a verb."""

    def register(procedure: Callable[..., Procedure[Any]]) -> Callable[..., Procedure[Any]]:
        VERBS[name] = procedure
        return procedure

    return register


# --- playing --------------------------------------------------------------------------------------


def play_record(scene: Scene, steps: list[s.Step], field: str = "steps") -> Procedure[None]:
    """Plays the steps in a record's field; facts that no inner rule names carry it as cause."""
    yield from stamped(scene.record, play(replace(scene, path=f"{field}."), steps))


def play(scene: Scene, steps: list[s.Step]) -> Procedure[Jump | None]:
    """Plays steps in order, until the end or a jump, or a felled monster leaves off."""
    for number, step in enumerate(steps):
        if _felled(scene):
            return None
        here = replace(scene, path=f"{scene.path}{number}.{step.verb}")
        jump = yield from VERBS[step.verb](here, step.body)
        if isinstance(jump, Jump):
            return jump
    return None


def _felled(scene: Scene) -> bool:
    """A monster knocked down in the midst of a card does no more of it (Knocked Down Monsters)."""
    fight = scene.state.showdown
    actions = scene.record.startswith("ai_card:") and scene.path.startswith(
        ("steps.", "persistent.")
    )
    return actions and fight is not None and fight.knocked_down


def inside(scene: Scene, *path: str, **changes: Any) -> Scene:
    """Returns the scene of steps that stand inside the present one."""
    return replace(scene, path=".".join((scene.path, *path)) + ".", **changes)


def ask_table(scene: Scene, hint: str) -> Procedure[None]:
    """Asks the players what their own card says, and plays it (see ``effects.py``)."""
    about = (scene.record, hint, *((scene.who,) if scene.who else ()))
    values = yield Fill(
        purpose="card", about=about, fields=(Field("effects", "words", default=""),)
    )
    names = {id_: one.name for id_, one in scene.state.survivors.items() if one.alive}
    resources = {id_: one.name for id_, one in scene.table.content.all(Resource).items()}
    for step in parse_effects(values["effects"], names, resources):
        yield from play(inside(scene), [step])


# --- flow verbs -----------------------------------------------------------------------------------


@verb("table")
def _table(scene: Scene, body: s.Table) -> Procedure[Jump | None]:
    """Rolls, adds what applies, and plays the row; the ends of the table are open."""
    roller = yield from one(scene, body.who)
    meant = replace(scene, who=roller or scene.who)
    extra = 0
    while True:
        about = (scene.record, *((meant.who,) if meant.who else ()))
        purpose = body.purpose or scene.record.split(":")[-1]
        rolled = yield from _roll_table(meant, body, purpose, about)
        bonus = yield from modifiers(meant, body.add)
        key = s.row(body.rows, rolled + bonus + extra)
        while True:
            inner = inside(scene, "rows", key, who=meant.who)
            jump = yield from play(inner, body.rows[key])
            if jump is None or jump.halt:
                return jump
            if jump.add is not None:
                extra = jump.add
                break
            key = s.row(body.rows, int(jump.row))


def _roll_table(
    scene: Scene, body: s.Table, purpose: str, about: tuple[str, ...]
) -> Procedure[int]:
    """Rolls once, or twice where a principle says so and keeps one of the results."""
    first = yield from chance.roll(body.roll, purpose, about=about)
    if (yield from _rerolls(scene, purpose, first)):
        first = yield from chance.roll(body.roll, f"{purpose}_reroll", about=about)
    for twice in body.twice:
        if (yield from holds(scene, twice.if_)):
            second = yield from chance.roll(body.roll, f"{purpose}_again", about=about)
            if twice.keep == "lowest":
                return min(first, second)
            if first == second:
                return first
            options = (Option(str(first)), Option(str(second)))
            [kept] = yield Choose(purpose=f"{purpose}_keep", about=about, options=options)
            return int(kept)
    return first


def _rerolls(scene: Scene, purpose: str, rolled: int) -> Procedure[bool]:
    """Asks whether the result of one's own endeavor is rolled again, where Bold allows it."""
    survivor = scene.state.survivors.get(scene.who)
    if survivor is None or not scene.path.startswith("endeavors."):
        return False
    if REROLL not in survivor.benefits:
        return False
    options = (Option("yes", "roll again"), Option("no", f"keep {rolled}"))
    about = (scene.who, purpose, str(rolled))
    [answer] = yield Choose(
        purpose="reroll", about=about, by=scene.who, options=options, default="no"
    )
    if answer == "yes":
        yield Record(e.BenefitForgotten(survivor=scene.who, what=REROLL))
    return bool(answer == "yes")


@verb("row")
def _row(_scene: Scene, body: str | int) -> Procedure[Jump]:
    return Jump(row=str(body))
    yield


@verb("again")
def _again(_scene: Scene, body: s.Again) -> Procedure[Jump]:
    return Jump(add=body.add)
    yield


@verb("if")
def _if(scene: Scene, body: s.If) -> Procedure[Jump | None]:
    good = yield from holds(scene, body.is_)
    branch, steps = ("then", body.then) if good else ("else", body.else_)
    return (yield from play(inside(scene, branch), steps))


@verb("each")
def _each(scene: Scene, body: s.Each) -> Procedure[Jump | None]:
    for id_ in (yield from people(scene, body.who)):
        if scene.state.survivors[id_].conscious:
            yield from play(inside(scene, "steps", who=id_), body.steps)
    return None


@verb("bind")
def _bind(scene: Scene, body: s.Bind) -> Procedure[None]:
    scene.bound[body.as_] = yield from people(scene, body.who)


@verb("split")
def _split(scene: Scene, body: s.Split) -> Procedure[None]:
    for name in body.into:
        scene.bound[name] = []
    for id_ in (yield from people(scene, body.who)):
        result = yield from chance.roll(body.roll, "split", about=(scene.record, id_))
        for name, range_ in body.into.items():
            if s.within(result, range_):
                scene.bound[name].append(id_)


@verb("choose")
def _choose(scene: Scene, body: s.Choose) -> Procedure[Jump | None]:
    purpose = body.purpose or scene.record.split(":")[-1]
    if body.from_ is not None:
        among = where.possible(scene.table, purpose, (yield from people(scene, body.from_)))
        picked = yield from choose_survivors(
            scene, among, purpose, least=body.at_least, most=body.up_to, about=(scene.record,)
        )
        scene.bound[body.as_ or "nominated"] = picked
        return None
    options = []
    for id_, option in (body.options or {}).items():
        if option.must is None or (yield from holds(scene, option.must)):
            options.append(Option(id_, option.label))
    if not options:
        return None
    assert body.options is not None
    taken = where.answer(scene.table, purpose, scene.who)
    if taken not in body.options:
        [taken] = yield Choose(
            purpose=purpose, about=(scene.record,), by=scene.who, options=tuple(options)
        )
    return (yield from play(inside(scene, "options", taken, "steps"), body.options[taken].steps))


@verb("later")
def _later(scene: Scene, body: s.Later) -> Procedure[None]:
    """Remembers the steps by where they stand, never the steps themselves."""
    number = 1
    while f"{scene.record}#{number}" in scene.state.deferred:
        number += 1
    bound = {name: list(ids) for name, ids in sorted(scene.bound.items())}
    if scene.who:
        bound["who"] = [scene.who]
    yield Record(
        Deferred(
            id=f"{scene.record}#{number}",
            record=scene.record,
            path=scene.path,
            at=body.at,
            bound=bound,
        )
    )


def play_deferred(table: Table, at: str) -> Procedure[None]:
    """Plays what was deferred to this moment, from the packs in force, in the order it was."""
    state: State = table.state
    for due in [one_ for one_ in state.deferred.values() if one_.at == at]:
        kind, _, id_ = due.record.partition(":")
        record = table.content.get(KINDS[kind], id_)
        bound = {name: list(ids) for name, ids in due.bound.items()}
        [who] = bound.pop("who", [""])
        scene = Scene(table=table, record=due.record, who=who, bound=bound)
        later = s.find_later(record, due.path)
        yield Record(DeferralEnded(id=due.id))
        yield from play_record(scene, later.steps, f"{due.path}.steps")


def drop_deferred(table: Table, at: str) -> Procedure[None]:
    """What was deferred to this moment never comes: it is too late for it."""
    state: State = table.state
    for due in [one_ for one_ in state.deferred.values() if one_.at == at]:
        yield Record(DeferralEnded(id=due.id))


@verb("ask_table")
def _ask_table(scene: Scene, body: str) -> Procedure[None]:
    yield from ask_table(scene, body)


@verb("remember")
def _remember(scene: Scene, body: str | s.Remember) -> Procedure[None]:
    if isinstance(body, str):
        yield Record(e.BenefitRemembered(what=body, survivor=scene.who))
    else:
        yield Record(e.BenefitRemembered(what=body.what, survivor=scene.who, until=body.until))


@verb("say")
def _say(scene: Scene, body: str) -> Procedure[None]:
    yield Record(e.Said(survivor=scene.who, record=scene.record, text=body))


def rolled_faces(notation: str, purpose: str, about: tuple[str, ...]) -> Procedure[list[int]]:
    """Rolls and returns the single values, where a rule looks at each die."""
    faces = yield Roll(dice=notation, purpose=purpose, about=about)
    return dice.values(dice.parse(notation), faces)
