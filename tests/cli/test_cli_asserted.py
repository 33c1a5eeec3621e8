"""``assert`` at the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_helpers import copied, kdmlog, moves, script, well


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return script(tmp_path_factory.mktemp("asserted") / "kdm.db", "death")


@pytest.fixture
def db(ended: Path, tmp_path: Path) -> Path:
    return copied(ended, tmp_path / "kdm.db")


def test_what_was_counted_is_confirmed_in_a_line(db: Path) -> None:
    first = well(db, "assert", "bone=2", "population=7", "rawhide vest=0").splitlines()[0]
    assert first == "  40  counted at the table: bone 2, population 7, rawhide vest 0"
    assert well(db, "verify") == ""
    assert "every fact follows" in well(db, "audit")


def test_a_wrong_count_tells_what_changed_it_since_the_last_good_one(db: Path) -> None:
    well(db, "assert", "bone=2", "population=7")
    well(db, "adjust", "settlement.storage.resources.monster_bone", "+1", "--why", "found one")
    count = moves(db)
    said = kdmlog(db, "assert", "bone=2", "population=9")
    assert said.code == 1 and moves(db) == count
    assert said.out.splitlines() == [
        "settlement.storage.types.bone, since it was counted at move 40:",
        said.out.splitlines()[1],
        "settlement.population: nothing changed it since it was counted at move 40.",
    ]
    assert "2 → 3  Monster Bone to storage (2)  (found one)  [adjust]" in said.out
    assert said.err.startswith(
        "Not as counted: settlement.storage.types.bone is 3; counted: 2; "
        "settlement.population is 7; counted: 9. Nothing was logged."
    )


def test_a_figure_never_counted_tells_its_last_changes(db: Path) -> None:
    lines = kdmlog(db, "assert", "hide=9").out.splitlines()
    assert lines[0] == "settlement.storage.types.hide, so far:"
    assert len(lines) > 3


def test_a_program_reads_expected_and_actual(db: Path) -> None:
    said = kdmlog(db, "assert", "bone=4", "--json")
    assert (said.code, said.out) == (1, "")
    [figure] = json.loads(said.err)["error"]["data"]["figures"]
    assert (figure["expected"], figure["actual"]) == (4, 2)
    assert json.loads(well(db, "assert", "bone=2", "--json"))["move"] == 40


def test_an_ambiguous_or_unknown_name_is_refused(db: Path) -> None:
    assert "could be any of" in kdmlog(db, "assert", "raw=1").err
    assert "No figure 'gormment'" in kdmlog(db, "assert", "gormment=1").err
