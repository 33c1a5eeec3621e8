"""Finds content that goes round in circles: rows, records and places that lead to themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from kdmlog.games.kdm import content as c
from kdmlog.games.kdm import script as s

Wrong = tuple[str, str, str, str]
"""kind, id, field, what is wrong"""
Node = tuple[str, str]
"""A record's kind and id."""


def circles(library: Any) -> Iterator[Wrong]:
    """Yields what is wrong."""
    for kind, type_ in c.KINDS.items():
        for id_, record in library.all(type_).items():
            for path, step in s.steps_of(record):
                if isinstance(step.body, s.Table):
                    for what in _endless(step.body):
                        yield kind, id_, path, what
    yield from _round(_records(library), "what it sets off")
    for type_, field in ((c.Innovation, "consequence_of"), (c.Location, "built_at")):
        kind = library.kind(type_)
        leads = {
            (kind, id_): [(field, (kind, getattr(record, field)))]
            for id_, record in library.all(type_).items()
        }
        yield from _round(leads, field.replace("_", " "))


# --- inside a table -------------------------------------------------------------------------------


def _endless(table: s.Table) -> Iterator[str]:
    """A row may lead to another, or to a new roll; some row has to end it all."""
    leads: dict[str, list[str]] = {}
    again = 0
    for key, steps in table.rows.items():
        jumps = list(_jumps(steps))
        again += _always_again(steps)
        leads[key] = []
        for one in jumps:
            if isinstance(one, s.Again):
                continue
            try:
                leads[key].append(s.row(table.rows, int(one)))
            except ValueError:
                yield f"there is no row {one}"
    if table.rows and again == len(table.rows):
        yield "every row rolls again: it never ends"
    if circle := _circle(leads):
        yield f"rows lead to each other in a circle: {' to '.join(circle)}"


def _always_again(steps: Iterable[s.Step]) -> bool:
    """Returns whether a row rolls again whatever holds and whatever is chosen."""
    for step in steps:
        match step.body:
            case s.Again():
                return True
            case s.If() | s.Pay() as body if _always_again(body.then):
                if _always_again(body.else_):
                    return True
            case s.Choose(options=options) if options:
                if all(_always_again(option.steps) for option in options.values()):
                    return True
    return False


def _jumps(steps: Iterable[s.Step]) -> Iterator[str | int | s.Again]:
    """The jumps among the steps that are this table's, not those of a table inside."""
    for step in steps:
        match step.body:
            case s.Table():
                continue
            case s.Again() as body:
                yield body
            case str() | int() as body if step.verb == "row":
                yield body
            case s.If() | s.Pay() as body:
                yield from _jumps([*body.then, *body.else_])
            case s.Choose(options=options) if options:
                for option in options.values():
                    yield from _jumps(option.steps)


# --- among records --------------------------------------------------------------------------------


def _records(library: Any) -> dict[Node, list[tuple[str, Node]]]:
    """Where each record leads at once, by the path of the step that does."""
    leads: dict[Node, list[tuple[str, Node]]] = {}
    for kind, type_ in c.KINDS.items():
        for id_, record in library.all(type_).items():
            leads[kind, id_] = [
                (path, target)
                for field in _AT_ONCE.get(kind, ())
                for path, step in _inside(record, field)
                for target in _targets(library, record, step)
            ]
    return leads


_AT_ONCE: Mapping[str, tuple[str, ...]] = {
    "story_event": ("steps", "by_phase"),
    "resource": ("gained",),
    "injury": ("steps", "on.gained"),
    "disorder": ("on.gained",),
    "fighting_art": ("on.gained",),
    "ability": ("on.gained",),
    "ai_card": ("steps", "persistent", "leaves"),
}
"""The fields of a record that play as soon as another sets it off."""


def _inside(record: Struct, field: str) -> Iterator[tuple[str, s.Step]]:
    later = ""
    for path, step in s.steps_of(record):
        if not path.startswith(f"{field}.") or (later and path.startswith(later)):
            continue
        if isinstance(step.body, s.Later):
            later = f"{path}."  # another moment, another start
        else:
            yield path, step


def _targets(library: Any, record: Struct, step: s.Step) -> Iterator[Node]:
    match step.verb, step.body:
        case "trigger", str() as event:
            yield "story_event", event
        case "gain_resource", s.GainResource(id=str() as id_):
            yield "resource", id_
        case "suffer", s.Suffer(injury=str() as id_):
            yield "injury", id_
        case "ability" | "impairment", s.Named(gain=str() as id_):
            yield "ability", id_
        case "disorder" | "fighting_art", s.Gain(id=str() as id_):
            yield step.verb, id_
        case "perform", str() as id_:
            yield "ai_card", id_
        case "status", s.Status(gain=str() as id_):
            yield "ai_card", id_
        case "basic_action", _ if isinstance(record, c.AiCard):
            monster = library.all(c.Monster).get(record.monster)
            if monster is not None:
                yield "ai_card", monster.basic_action


def _round(leads: Mapping[Node, list[tuple[str, Node]]], what: str) -> Iterator[Wrong]:
    """Yields, of each circle, the record that it was found from."""
    left = {node: [target for _, target in targets] for node, targets in leads.items()}
    while circle := _circle(left):
        (kind, id_), after = circle[0], circle[1]
        field = next(path for path, target in leads[kind, id_] if target == after)
        shown = " to ".join(f"{kind}:{id_}" for kind, id_ in circle)
        yield kind, id_, field, f"{what} leads back to it: {shown}"
        del left[kind, id_]


def _circle(leads: Mapping[Any, list[Any]]) -> list[Any]:
    """Returns a way that ends where it begins; none if there is none."""
    done: set[Any] = set()
    for start in leads:
        way = [start] if start not in done else []
        waiting = [iter(leads[node]) for node in way]
        while waiting:
            target = next((one for one in waiting[-1] if one in leads and one not in done), None)
            if target is None:
                waiting.pop()
                done.add(way.pop())
            elif target in way:
                return [*way[way.index(target) :], target]
            else:
                way.append(target)
                waiting.append(iter(leads[target]))
    return []
