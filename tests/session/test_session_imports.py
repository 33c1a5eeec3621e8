"""A command must start fast: what a session imports is counted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import get_args

from msgspec import Struct

from kdmlog.session.games import find_game

SLOW = (
    "yaml",
    "rich",
    "sqlite_utils",
    "typer",
    "click",
    "difflib",
    "secrets",
    "importlib.metadata",
)
READ = """
import sys, toy
from kdmlog.session import open_session
with open_session(sys.argv[1]) as session:
    session.view(), session.ready(), session.log(5)
print(" ".join(sys.modules))
"""


def test_reading_a_campaign_imports_nothing_slow(db: Path, toy: object) -> None:
    here = Path(__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-c", READ, str(db)],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": f"{here}:{here.parent}"},
    )
    assert not set(SLOW) & set(done.stdout.split())


def test_no_annotation_that_is_decoded_is_compiled_at_start() -> None:
    """msgspec compiles what is text, one by one: a twentieth of a command for all of a game's."""
    game = find_game("kdm")
    seen: set[type] = set()
    waiting: list[type] = [*game.all_events, game.new_state().__class__]
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        fields = one.__annotations__
        assert not [name for name, hint in fields.items() if isinstance(hint, str)], one
        waiting += [found for hint in fields.values() for found in structs(hint)]
        waiting += [base for base in one.__mro__[1:] if "__annotations__" in vars(base)]
    assert len(seen) > len(game.events) + 20


def structs(hint: object) -> list[type[Struct]]:
    """The Structs that an annotation names."""
    if isinstance(hint, type) and issubclass(hint, Struct):
        return [hint]
    return [one for part in get_args(hint) for one in structs(part)]
