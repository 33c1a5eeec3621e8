"""The interpreter of the effect script: one function a verb, groups and conditions resolved here.

Verbs that belong to a rule are registered by that rule's module; flow, groups and conditions stand
here. Facts recorded while a record plays carry that record as their cause.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from kdmlog.core import dice
from kdmlog.core.events import DeferralEnded, Deferred
from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.core.requests import Choose, Field, Fill, Option, Roll
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.content import KINDS, Gear, HitLocation, Resource
from kdmlog.games.kdm.rules import bars, chance
from kdmlog.games.kdm.rules.effects import parse_effects
from kdmlog.games.kdm.state import State, Survivor


class Scene(Struct, frozen=True, kw_only=True):
    """What a script plays in: its record, the one meant, and the groups bound by name."""

    table: Table
    record: str
    who: str = ""
    bound: dict[str, list[str]] = {}
    path: str = ""

    @property
    def state(self) -> State:
        """Returns the working state."""
        return self.table.state  # type: ignore[no-any-return]


class Jump(Struct, frozen=True):
    """A step asks for another row of the table around it, or the table again with a modifier."""

    row: str = ""
    add: int | None = None


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
    yield from rule(scene.record)(_play_all)(replace(scene, path=f"{field}."), steps)


def _play_all(scene: Scene, steps: list[s.Step]) -> Procedure[None]:
    yield from play(scene, steps)


def play(scene: Scene, steps: list[s.Step]) -> Procedure[Jump | None]:
    """Plays steps in order, until the end or a jump."""
    for number, step in enumerate(steps):
        here = replace(scene, path=f"{scene.path}{number}.{step.verb}")
        jump = yield from VERBS[step.verb](here, step.body)
        if isinstance(jump, Jump):
            return jump
    return None


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


# --- groups ---------------------------------------------------------------------------------------


def people(scene: Scene, who: str | s.Group | None) -> Procedure[list[str]]:
    """Returns the living survivors meant, in the order of their sheets; asks where it must."""
    if isinstance(who, s.Group):
        found = yield from _group(scene, who)
        return found
    named = yield from _word(scene, who or "")
    survivors = scene.state.survivors
    return [id_ for id_ in named if survivors[id_].alive]


def one(scene: Scene, who: str | s.Group | None) -> Procedure[str]:
    """Returns the first of a group; empty when there is nobody."""
    found = yield from people(scene, who)
    return found[0] if found else ""


def taking_part(state: State) -> list[str]:
    """Returns the living survivors in the showdown; outside it, the settlement's."""
    showdown = state.showdown
    if showdown is not None:
        return [id_ for id_ in showdown.survivors if state.survivors[id_].alive]
    return [id_ for id_, one_ in state.survivors.items() if one_.alive]


def _word(scene: Scene, word: str) -> Procedure[list[str]]:
    state = scene.state
    showdown = state.showdown
    if word.startswith("@"):
        return [word[1:]]
    if word in scene.bound:
        return list(scene.bound[word])
    everyone = taking_part(state)
    match word:
        case "":
            return [scene.who] if scene.who else []
        case "all":
            return everyone
        case "others":
            return [id_ for id_ in everyone if id_ != scene.who]
        case "non_deaf":
            return [id_ for id_ in everyone if "deaf" not in state.survivors[id_].severe_injuries]
        case "living":
            return [id_ for id_, one_ in state.survivors.items() if one_.alive]
        case "returning":
            return list(state.settlement.returning)
        case "departing":
            return list(state.settlement.departing)
        case "attacker" if showdown is not None:
            return [showdown.attacker] if showdown.attacker else [scene.who]
        case "target" if showdown is not None:
            return [showdown.target] if showdown.target else []
        case "killer" if showdown is not None:
            return [showdown.killer] if showdown.killer else []
        case "controller" if showdown is not None:
            holder = showdown.controller.survivor
            return [holder] if holder else []
        case "adjacent" | "adjacent_to_monster":
            others = [id_ for id_ in everyone if id_ != scene.who or word != "adjacent"]
            beside = yield from choose_survivors(
                scene, others, word, least=0, most=len(others), about=(scene.who,)
            )
            return beside
        case "parents":
            return [*scene.bound.get("mother", []), *scene.bound.get("father", [])]
    return []


def choose_survivors(
    scene: Scene,
    among: list[str],
    purpose: str,
    *,
    least: int = 1,
    most: int = 1,
    by: str = "",
    about: tuple[str, ...] = (),
) -> Procedure[list[str]]:
    """Asks for survivors among some; does not ask when there is nothing to decide."""
    if not among or (len(among) <= least and most >= least):
        return among
    survivors = scene.state.survivors
    options = tuple(Option(id_, survivors[id_].name) for id_ in among)
    picked = yield Choose(
        purpose=purpose,
        about=tuple(one_ for one_ in about if one_),
        by=by,
        options=options,
        least=min(least, len(among)),
        most=min(most, len(among)),
    )
    return [id_ for id_ in among if id_ in picked]


def _group(scene: Scene, group: s.Group) -> Procedure[list[str]]:
    found = yield from people(scene, group.of)
    if group.where is not None:
        kept = []
        for id_ in found:
            if (yield from holds(replace(scene, who=id_), group.where)):
                kept.append(id_)
        found = kept
    if group.random is not None:
        found = yield from chance.at_random(found, group.random, about=(scene.record,))
    for rule_, sign in ((group.highest, 1), (group.lowest, -1)):
        if rule_ is not None and found:
            found = yield from _extreme(scene, found, rule_, sign, group.ties)
    return found


def _extreme(
    scene: Scene, among: list[str], by: str | s.Contest, sign: int, ties: str
) -> Procedure[list[str]]:
    scores: dict[str, int] = {}
    for id_ in among:
        if isinstance(by, str):
            scores[id_] = getattr(scene.state.survivors[id_], by)
        else:
            rolled = yield from chance.roll(by.roll, "contest", about=(scene.record, id_))
            extra = yield from _modifiers(replace(scene, who=id_), by.add)
            scores[id_] = rolled + extra
    best = max(score * sign for score in scores.values())
    tied = [id_ for id_ in among if scores[id_] * sign == best]
    if len(tied) > 1 and ties == "choose":
        tied = yield from choose_survivors(scene, tied, "tie")
    elif len(tied) > 1 and ties in ("random", "roll_off"):
        tied = yield from chance.at_random(tied, 1, about=(scene.record,))
    return tied


# --- conditions -----------------------------------------------------------------------------------


def holds(scene: Scene, condition: str | s.Condition) -> Procedure[bool]:
    """Returns whether a condition holds for the one meant (or anyone of its ``who``)."""
    if isinstance(condition, str):
        return bool(scene.who) and _flag(scene, condition)
    subjects = [scene.who]
    if condition.who is not None:
        subjects = yield from people(scene, condition.who)
    for id_ in subjects:
        if (yield from _all_parts(replace(scene, who=id_), condition)):
            return True
    return False


def _flag(scene: Scene, word: str) -> bool:
    survivor = scene.state.survivors[scene.who]
    if word == "insane":
        return bars.insane(survivor)
    if word == "knocked_down":
        return survivor.knocked_down is not None
    return word in survivor.severe_injuries


def _all_parts(scene: Scene, condition: s.Condition) -> Procedure[bool]:
    state = scene.state
    settlement, showdown = state.settlement, state.showdown
    survivor = state.survivors.get(scene.who)
    plain: list[bool] = []
    if condition.stat is not None:
        plain.append(
            survivor is not None
            and all(s.within(_figure(survivor, k), v) for k, v in condition.stat.items())
        )
    if condition.sex is not None:
        plain.append(survivor is not None and survivor.sex == condition.sex)
    if condition.innovated is not None:
        plain.append(condition.innovated in settlement.innovations)
    if condition.principle is not None:
        plain.append(condition.principle in settlement.principles)
    if condition.location is not None:
        plain.append(condition.location in settlement.locations)
    if condition.year is not None:
        plain.append(s.within(settlement.lantern_year, condition.year))
    if condition.phase is not None:
        plain.append(state.phase.name == condition.phase)
    if condition.monster_level is not None:
        plain.append(s.within(monster_level(state), condition.monster_level))
    if condition.barred is not None:
        plain.append(
            survivor is not None and bool(bars.barred(scene.table, survivor, condition.barred))
        )
    if condition.persistent is not None:
        plain.append(showdown is not None and condition.persistent in persistent_injuries(scene))
    if condition.any_of is not None:
        plain.append(bool(scene.bound.get(condition.any_of)))
    if condition.remembers is not None:
        noted = (*survivor.remembered, *survivor.benefits) if survivor is not None else ()
        plain.append(any(condition.remembers in (one, one.partition(":")[0]) for one in noted))
    if condition.armored is not None:
        plain.append(survivor is not None and survivor.armor.get(condition.armored, 0) > 0)
    if condition.lost_anyone is not None:
        dead = any(one_.status == "dead" for one_ in state.survivors.values())
        plain.append(dead == condition.lost_anyone)
    if not all(plain):
        return False
    if condition.has is not None and not (yield from _has(scene, condition.has)):
        return False
    if condition.not_ is not None and (yield from holds(scene, condition.not_)):
        return False
    for part in condition.all or []:
        if not (yield from holds(scene, part)):
            return False
    if condition.any is not None:
        for part in condition.any:
            if (yield from holds(scene, part)):
                return True
        return False
    return True


def _figure(survivor: Survivor, name: str) -> int:
    value = getattr(survivor, name)
    return len(value) if isinstance(value, list) else int(value)


def _has(scene: Scene, has: s.Has) -> Procedure[bool]:
    subjects = [scene.who]
    if has.who is not None:
        subjects = yield from people(scene, has.who)
    return any(_bears(scene, scene.state.survivors[id_], has) for id_ in subjects if id_)


def _bears(scene: Scene, survivor: Survivor, has: s.Has) -> bool:
    state = scene.state
    cards = [state.gear[instance] for instance in survivor.grid.values()]
    keyword = has.gear is None or any(
        has.gear in scene.table.content.get(Gear, card).keywords for card in cards
    )
    types = has.resource is None or any(
        has.resource in scene.table.content.get(Resource, one_).types for one_ in survivor.resources
    )
    injuries = (*survivor.severe_injuries, *survivor.passing)
    return (
        keyword
        and types
        and (has.gear_id is None or has.gear_id in cards)
        and (has.disorder is None or has.disorder in survivor.disorders)
        and (has.injury is None or injuries.count(has.injury) >= has.count)
        and (has.ability is None or has.ability in (*survivor.abilities, *survivor.impairments))
        and (has.fighting_art is None or has.fighting_art in survivor.fighting_arts)
    )


def monster_level(state: State) -> int:
    """Returns the level that "per monster level" means; the First Story's lion is level 1."""
    showdown = state.showdown
    return int(showdown.level) if showdown is not None and showdown.level.isdigit() else 1


def persistent_injuries(scene: Scene) -> list[str]:
    """Returns the ids of the monster's persistent injuries in play."""
    deck = scene.state.decks.get("hit_locations")
    cards = deck["persistent"] if deck is not None else []
    return [scene.table.content.get(HitLocation, card).persistent for card in cards]


# --- amounts and modifiers ------------------------------------------------------------------------


def amount(scene: Scene, figure: int | s.Figure, purpose: str) -> Procedure[int]:
    """Returns a number as written, rolled or read off."""
    if isinstance(figure, int):
        return figure
    if figure.level is not None:
        return figure.level * monster_level(scene.state)
    if figure.stat is not None:
        return int(getattr(scene.state.survivors[scene.who], figure.stat))
    about = (scene.record, *((scene.who,) if scene.who else ()))
    total = yield from chance.roll(figure.roll or "1d10", purpose, about=about)
    return total


def _modifiers(scene: Scene, add: list[str | s.Modifier]) -> Procedure[int]:
    total = 0
    for one_ in add:
        if isinstance(one_, str):
            total += int(getattr(scene.state.survivors[scene.who], one_)) if scene.who else 0
        elif one_.if_ is None or (yield from holds(scene, one_.if_)):
            total += one_.by
    return total


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
        bonus = yield from _modifiers(meant, body.add)
        key = s.row(body.rows, rolled + bonus + extra)
        while True:
            inner = inside(scene, "rows", key, who=meant.who)
            jump = yield from play(inner, body.rows[key])
            if jump is None:
                return None
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
        if scene.state.survivors[id_].alive:
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
        among = yield from people(scene, body.from_)
        picked = yield from choose_survivors(
            scene, among, purpose, most=body.up_to, about=(scene.record,)
        )
        scene.bound[body.as_ or "nominated"] = picked
        return None
    options = []
    for id_, option in (body.options or {}).items():
        if option.must is None or (yield from holds(scene, option.must)):
            options.append(Option(id_, option.label))
    if not options:
        return None
    [taken] = yield Choose(
        purpose=purpose, about=(scene.record,), by=scene.who, options=tuple(options)
    )
    assert body.options is not None
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
