"""``attack --explain`` reads: sums without a roll, at any moment, and the log stays as it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli_helpers import FOUNDERS, head, kdmlog, well


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """A ledger with the four founders, before the First Story."""
    path = tmp_path / "kdm.db"
    well(path, "new", "Test", "--seed", "7")
    for one in FOUNDERS:
        well(path, "survivor", "new", *one.split())
    return path


def explained(db: Path, *words: str) -> Any:
    return json.loads(well(db, "attack", *words, "--explain", "--json"))


def test_before_any_showdown_there_is_no_toughness_to_meet(db: Path) -> None:
    told = explained(db, "allister")
    assert (told["attack"]["monster"], told["attack"]["toughness"]) == ("", None)
    assert (told["dice"]["total"], told["hits_on"], told["wounds_on"]) == (2, 7, None)


def test_it_says_what_each_number_is_made_of_and_logs_nothing(db: Path) -> None:
    well(db, "showdown", "begin", "white_lion", "--first-story")
    before = head(db)
    well(db, "adjust", "survivors.allister.tokens.strength", "+1", "--why", "a test")
    told = explained(db, "allister", "fist_and_tooth", "--blind")
    assert head(db) != before
    assert told["strength"] == {
        "total": 1,
        "parts": [{"of": "strength tokens", "by": 1}],
        "fixed": False,
    }
    assert (told["hits_on"], told["wounds_on"], told["critical_on"]) == (7, 5, 9)
    assert told["attributes"]["movement"]["total"] == 5
    after = head(db)
    text = well(db, "attack", "allister", "--explain")
    assert "Founding Stone 1, strength tokens +1" in text
    assert head(db) == after


def test_it_says_why_an_attack_would_be_refused(db: Path) -> None:
    well(db, "showdown", "begin", "white_lion", "--first-story")
    well(db, "adjust", "survivors.erza.disorders.honorable", "1", "--why", "a test")
    assert "blind spot" in explained(db, "erza", "--blind")["refused"]
    assert explained(db, "erza")["refused"] == ""


def test_it_reads_the_past_and_takes_no_dice(db: Path) -> None:
    well(db, "adjust", "survivors.allister.strength", "3", "--why", "a test")
    assert explained(db, "allister")["strength"]["total"] == 4
    assert explained(db, "allister", "--at", "5")["strength"]["total"] == 1
    said = kdmlog(db, "attack", "allister", "--explain", "--dice", "1,2")
    assert (said.code, "--dice" in said.err) == (2, True)


def test_the_sheet_shows_bonuses_and_what_attributes_are_now(db: Path) -> None:
    well(db, "adjust", "survivors.allister.tokens.luck", "+2", "--why", "a test")
    assert "Luck 0 (now 2)" in well(db, "survivor", "show", "allister")
