"""Commands that are a game's actions: each built from its Struct."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from kdmlog.cli.build import Reading, action_command
from kdmlog.cli.write import perform

READINGS = {
    "Attack": Reading(
        "explain",
        "show its numbers and what they are made of; nothing is rolled or logged",
        "kdmlog.cli.kdm_numbers:attack_explain",
    ),
}
"""By action, the option with which its command only shows something."""


def build(name: str, command: str) -> Any:
    """Returns the command of an action of Kingdom Death: Monster."""
    action = getattr(import_module("kdmlog.games.kdm.actions"), name)
    return action_command(action, perform, command, READINGS.get(name))
