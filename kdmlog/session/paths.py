"""Paths into the public state, such as ``survivors.allister.survival``."""

from __future__ import annotations

from collections.abc import Iterator
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


def unknown(tree: Any, path: str) -> UnknownName:
    """Returns the error for a path that leads nowhere, with the nearest ones."""
    near = nearest(path, (each for each, _ in walk(tree)))
    hints = [f"{', '.join(near)}?"] if near else ["kdmlog state shows all paths"]
    return UnknownName(f"There is no {path!r} in the state.", hints=hints, data={"nearest": near})
