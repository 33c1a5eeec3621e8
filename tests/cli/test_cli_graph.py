"""The drawing of the branches stays one that a screen holds, however many there are."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

from cli_helpers import well

from kdmlog.cli.graph import MOST
from kdmlog.session import open_session


def test_of_many_branches_some_are_drawn_and_the_rest_counted(tmp_path: Path) -> None:
    db, many = tmp_path / "kdm.db", 60
    well(db, "new", "Edge")
    with open_session(db) as session:
        for n in range(many):
            session.branch(f"way{n}")
            with open_session(db, branch=f"way{n}") as other:
                other.note(f"on {n}")
    began = perf_counter()
    drawn = well(db, "log", "--graph").splitlines()
    assert perf_counter() - began < 5
    assert drawn[-1] == f"… and {many + 1 - MOST} more branches: kdmlog branch"
    assert sum("  [way" in line for line in drawn) == MOST - 1
