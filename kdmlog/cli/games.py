"""Commands that are a game's actions: each built from its Struct."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from kdmlog.cli.build import action_command
from kdmlog.cli.write import perform


def build(name: str, command: str) -> Any:
    """Returns the command of an action of Kingdom Death: Monster."""
    return action_command(
        getattr(import_module("kdmlog.games.kdm.actions"), name), perform, command
    )
