"""Paths into the public state, such as ``survivors.allister.survival``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from kdmlog.core.errors import UnknownName
from kdmlog.core.names import match, nearest


def tree(view: Struct) -> dict[str, Any]:
    """Returns a view as plain mappings, lists and figures."""
    plain: dict[str, Any] = msgspec.to_builtins(view, str_keys=True)
    return plain


def walk(tree: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yields each path with its value; a list is one value, and so is an empty mapping."""
    if isinstance(tree, dict) and tree:
        for key, value in tree.items():
            yield from walk(value, f"{path}.{key}" if path else key)
    else:
        yield path, tree


def follow(tree: Any, path: str) -> tuple[tuple[str, ...], Any]:
    """Returns a path as the view spells it, and what is there; steps may be shortened.

    Raises UnknownName with the nearest paths.
    """
    steps = spelt(tree, path)
    value = tree
    for step in steps:
        if not isinstance(value, dict) or step not in value:
            raise unknown(tree, path)
        value = value[step]
    return steps, value


def spelt(tree: Any, path: str) -> tuple[str, ...]:
    """Returns the steps of ``path``, as the view spells those that it has."""
    steps: list[str] = []
    value = tree
    for step in filter(None, path.strip().split(".")):
        if isinstance(value, dict):
            try:
                step = match(step, {key: key for key in value}, "path")
            except UnknownName as error:
                if error.code == "ambiguous":
                    raise
            value = value.get(step)
        else:
            value = None
        steps.append(step)
    return tuple(steps)


def has(tree: Any, steps: Sequence[str]) -> bool:
    """Returns whether there is something at a path, spelt out."""
    for step in steps:
        if not isinstance(tree, dict) or step not in tree:
            return False
        tree = tree[step]
    return True


def at(view: Struct, steps: Sequence[str]) -> Any:
    """Returns what a view has at a path, spelt out, as plain values; None where there is nothing.

    Of the whole view only that is made plain.
    """
    value: Any = view
    for step in steps:
        if isinstance(value, Struct):
            value = getattr(value, step, None)
        else:
            value = value.get(step) if isinstance(value, dict) else None
    return msgspec.to_builtins(value, str_keys=True)


def counted(view: type[Struct], steps: Sequence[str]) -> bool:
    """Returns whether a path is one of a mapping's counts: where there is none, it counts 0."""
    from msgspec import inspect  # here: few commands ask

    within = kind = inspect.type_info(view)
    for step in steps:
        within, kind = kind, _type_of(kind, step)
    return isinstance(_plain(within), inspect.DictType) and isinstance(kind, inspect.IntType)


def _type_of(kind: Any, step: str) -> Any:
    """Returns the type of what is one step further; None where there is nothing."""
    kind = _plain(kind)
    fields = {field.encode_name: field.type for field in getattr(kind, "fields", ())}
    return fields.get(step, getattr(kind, "value_type", None))


def _plain(kind: Any) -> Any:
    """Returns a type without its description, and of a union the one that has parts."""
    kind = getattr(kind, "type", kind)
    parts = [one for one in getattr(kind, "types", ()) if hasattr(one, "fields")]
    return parts[0] if parts else kind


def unknown(tree: Any, path: str) -> UnknownName:
    """Returns the error for a path that leads nowhere, with the nearest ones."""
    near = nearest(path, (each for each, _ in walk(tree)))
    hints = [f"{', '.join(near)}?"] if near else ["kdmlog state shows all paths"]
    return UnknownName(f"There is no {path!r} in the state.", hints=hints, data={"nearest": near})
