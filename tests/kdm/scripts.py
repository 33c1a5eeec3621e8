"""Checks of scripts that stand outside a record."""

from __future__ import annotations

from kdmlog.games.kdm.content import HuntEvent
from kdmlog.games.kdm.script import Step, problems_of


def problems(steps: list[Step]) -> list[tuple[str, str]]:
    """Returns what is wrong with steps beyond their types."""
    return problems_of(HuntEvent(name="a script", steps=steps))
