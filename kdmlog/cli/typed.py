"""A move as it was typed: its input, kept as JSON, as the line that a player writes."""

from __future__ import annotations

import shlex
from typing import Any

import msgspec

from kdmlog.core.game import Action

GIVEN = {"dice": "--dice", "draws": "--draw"}
"""The inputs that one option takes together."""


def typed(action: type[Action] | None, input: str) -> str:
    """Returns the command line of a move; ``action`` is its Struct, None for an answer."""
    fields = msgspec.json.decode(input)
    given = fields.pop("given", {})
    if "answer" in fields:
        words = ["answer", *fields["answer"]]
    else:
        words = str(fields.pop("action", "")).split()
        for name in () if action is None else action.positional:
            words += _several(fields.pop(name, None))
        for name, value in fields.items():
            words += _option(f"--{name.replace('_', '-')}", value)
    for name, option in GIVEN.items():
        words += [option, ",".join(given[name])] if given.get(name) else []
    for choice in given.get("choices", ()):
        words += ["--choose", choice]
    for fill in given.get("fills", ()):
        words += ["--fill", ",".join(f"{name}={value}" for name, value in fill.items())]
    words += ["--flows"] if given.get("flows") else []
    return " ".join([*map(shlex.quote, words), *given.get("loose", ())])


def _several(value: Any) -> list[str]:
    if value is None:
        return []
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]


def _option(option: str, value: Any) -> list[str]:
    if isinstance(value, dict):  # sheets taken over: a file of their own
        return []
    if value is True:
        return [option]
    return [part for one in _several(value or None) for part in (option, one)]
