"""``why`` at the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_helpers import founded, kdmlog, look, script, well


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return script(tmp_path_factory.mktemp("why") / "kdm.db", "death")


def test_a_count_in_storage_tells_where_it_came_from(db: Path) -> None:
    lines = well(db, "why", "rawhide_vest").splitlines()
    assert [line[20:] for line in lines[:-1]] == [
        "0 → 1  Rawhide Vest to storage  [kdm.craft]",
        "1 → 0  Rawhide Vest to Bea, cell 2",
    ]
    assert lines[-1] == "settlement.storage.gear.rawhide_vest is 0."


def test_only_the_last_are_shown_on_demand(db: Path) -> None:
    every = well(db, "why", "allister").splitlines()
    assert len(every) > 3
    assert well(db, "why", "allister", "-n", "3").splitlines() == every[-3:]


def test_the_past_is_told_as_it_stood_then(db: Path) -> None:
    assert well(db, "why", "bone", "--at", "24") == "settlement.storage.types.bone is 0.\n"


def test_a_part_that_nothing_changed_says_so(db: Path) -> None:
    assert well(db, "why", "uses", "--at", "1") == "Nothing has changed uses yet.\n"


def test_a_program_reads_values_rule_and_fact(db: Path) -> None:
    found = json.loads(well(db, "why", "erza.hunt_xp", "--json"))
    assert (found["path"], found["value"]) == ("survivors.erza.hunt_xp", 1)
    last = found["causes"][-1]
    assert last["changes"] == [{"path": "", "before": 0, "after": 1}]
    assert last["cause"] == "kdm.aftermath"
    assert last["event"]["kind"] == "kdm.stat_changed"
    assert found["value"] == look(db, "survivors.erza.hunt_xp")


def test_a_ruling_is_told_with_its_reason(tmp_path: Path) -> None:
    db = founded(tmp_path / "kdm.db")
    well(db, "adjust", "survivors.lucy.insanity", "+2", "--why", "a bad dream", "--by", "bo")
    ruling = well(db, "why", "lucy.insanity").splitlines()[-2]
    assert ruling.startswith("   6  ") and "  bo      0 → 2  " in ruling
    assert ruling.endswith("(a bad dream)  [adjust]")


def test_why_a_deck_was_shuffled_when_it_was(tmp_path: Path) -> None:
    """A discard pile is shuffled when a card is needed and there is none, not at once."""
    told = well(script(tmp_path / "kdm.db", "app"), "why", "showdown.ai.deck").splitlines()
    shuffles = [n for n, line in enumerate(told) if "AI discard shuffled" in line]
    assert shuffles
    for at in shuffles:
        assert " 1 → 0 " in told[at - 1]
        move = told[at][:4]
        assert told[at + 1].startswith(move), "a card is taken in the same move"


def test_an_unknown_figure_gets_the_nearest(db: Path) -> None:
    said = kdmlog(db, "why", "lucy.survivl")
    assert (said.code, said.out) == (1, "")
    assert "survivors.lucy.survival" in said.err
