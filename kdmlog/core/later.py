"""Puts off an import to the first call: a game has more in it than any one command needs."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def later(path: str) -> Callable[..., Any]:
    """Returns the function ``module:name``, whose module is not imported before it is called."""
    module, _, name = path.partition(":")

    def call(*args: Any) -> Any:
        return getattr(import_module(module), name)(*args)

    return call
