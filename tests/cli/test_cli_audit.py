"""``audit`` at the command line: what it lists, how it ends, and what a program reads of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_helpers import founded, kdmlog, script, well

from kdmlog.core.actions import Roll
from kdmlog.core.events import DiceRolled
from kdmlog.ledger import NewMove
from kdmlog.session import open_session
from kdmlog.session.codec import encode


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "kdm.db"


def forge(db: Path, *faces: int) -> None:
    """Logs a roll of kdmlog's that never was."""
    with open_session(db) as session:
        key = session.table.state.keys
        roll = DiceRolled(dice="2d10", faces=faces, purpose="free", source="app", key=key)
        text = encode(Roll(dice="2d10"))
        at = "2026-01-01T20:00:00Z"
        move = NewMove("acted", None, text, [encode(roll)], "eve", at, None, session.game.rules)
        session.ledger.append(session.head, move)


@pytest.mark.parametrize("name", ["app", "table", "death", "defeat"])
def test_whole_evenings_follow_from_the_rules(db: Path, name: str) -> None:
    text = well(script(db, name), "audit")
    assert "every fact follows from the rules, every die was due" in text.splitlines()[-1]


def test_a_fault_is_listed_and_ends_with_one(db: Path) -> None:
    forge(founded(db), 10, 10)
    said = kdmlog(db, "audit")
    assert said.code == 1
    assert "eve     was not due: free 2d10: not as it had to come" in said.out
    assert said.out.splitlines()[-1].endswith("1 finding on what should not be.")
    assert said.err.count("\n") == 1
    assert said.err.startswith("The log does not stand: move 6 was not due.  Then: kdmlog show h:")


def test_a_program_reads_the_findings_and_the_error(db: Path) -> None:
    forge(founded(db), 10, 10)
    said = kdmlog(db, "audit", "--json")
    [finding] = json.loads(said.out)["findings"]
    assert (finding["code"], finding["fault"], finding["move"]) == ("undue", True, 6)
    error = json.loads(said.err)["error"]
    assert error["code"] == "audit"
    assert len(error["data"]["findings"]) == 1


def test_at_audits_the_past(db: Path) -> None:
    forge(founded(db), 10, 10)
    assert well(db, "audit", "--at", "5").splitlines()[-1].startswith("5 moves, 5 actions: every")


def test_faults_come_before_what_was_done_in_the_open(db: Path) -> None:
    founded(db)
    well(db, "adjust", "survivors.lucy.insanity", "+1", "--why", "a dream", "--by", "bo")
    well(db, "roll", "d10")
    well(db, "undo")
    forge(db, 10, 10)
    lines = kdmlog(db, "audit").out.splitlines()
    labels = [line[20:].partition(":")[0] for line in lines if line[:4].strip().isdigit()]
    assert labels == ["was not due", "ruling", "taken back", "on no branch"]
    assert "listed: 1 ruling, 1 taken back, 1 on no branch." in lines[-1]


def test_fairness_alone_shows_how_the_dice_fell(db: Path) -> None:
    founded(db)
    well(db, "roll", "2d10", "--dice", "3,4", "--by", "ann")
    well(db, "roll", "2d10", "--dice", "3,4", "--by", "bo")
    assert well(db, "audit", "--fairness").splitlines() == [
        "d10, rolled at the table: 4, too few rolls to tell",
        "      1:0  2:0  3:2  4:2  5:0  6:0  7:0  8:0  9:0  10:0  (expected 0.4)",
        "d10, rolled at the table, ann: 2, too few rolls to tell",
        "      1:0  2:0  3:1  4:1  5:0  6:0  7:0  8:0  9:0  10:0  (expected 0.2)",
        "d10, rolled at the table, bo: 2, too few rolls to tell",
        "      1:0  2:0  3:1  4:1  5:0  6:0  7:0  8:0  9:0  10:0  (expected 0.2)",
    ]


def test_the_only_player_is_not_listed_twice(db: Path) -> None:
    founded(db)
    well(db, "roll", "2d10", "--dice", "3,4", "--by", "ann")
    assert len(well(db, "audit", "--fairness").splitlines()) == 2


def test_a_log_without_dice_says_so(db: Path) -> None:
    assert well(founded(db), "audit", "--fairness") == "No dice have been rolled.\n"


def test_a_roll_of_no_dice_is_shown_as_it_stands_and_is_a_fault(db: Path) -> None:
    with open_session(founded(db)) as session:
        rolls = [
            DiceRolled(dice=dice, faces=(face,), purpose="free", source="table")
            for dice, face in (("zzz", 3), ("1d10", 77), ("1d100", 4), ("1location", 9))
        ]
        text, at = encode(Roll(dice="d10")), "2026-01-01T20:00:00Z"
        for roll in rolls:
            move = NewMove("acted", None, text, [encode(roll)], "eve", at, None, session.game.rules)
            session.stand_at(session.ledger.append(session.head, move))
    for number, face in zip(range(6, 10), ("3", "77", "4", "9"), strict=True):
        assert face in well(db, "show", str(number))
        assert f"move {number}: free" in kdmlog(db, "audit").err + str(
            json.loads(kdmlog(db, "audit", "--json").err)["error"]["data"]["findings"]
        )
    assert "77" in well(db, "log")
    well(db, "audit", "--fairness")


def test_several_of_a_kind_are_counted_in_the_plural(db: Path) -> None:
    founded(db)
    for _ in range(2):
        well(db, "adjust", "survivors.lucy.insanity", "+1", "--why", "a dream")
    assert well(db, "audit").endswith("listed: 2 rulings.\n")
