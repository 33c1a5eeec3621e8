"""What was typed is shown as a line that does the same again."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from cli_helpers import SESSIONS, mark, script, well

from kdmlog.cli.script import lines
from kdmlog.cli.typed import typed
from kdmlog.session import open_session


@pytest.mark.parametrize("name", ["app", "table"])
def test_a_campaign_typed_as_its_log_shows_it_is_the_same(tmp_path: Path, name: str) -> None:
    db = script(tmp_path / "played.db", name)
    again = tmp_path / "again.db"
    with open_session(db, readonly=True) as session:
        moves = [
            typed(type(one.action), row.input)
            for one in reversed(session.log())
            for row, _ in one.moves
        ]
    _, begun = next(iter(lines(str(SESSIONS / f"{name}.kdm"))))
    well(again, *begun)
    for line in moves[1:]:
        well(again, *shlex.split(line))
    assert mark(again) == mark(db)
