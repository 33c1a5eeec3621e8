"""No update is lost: what was decided on a place that is no longer the head is decided again."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kdmlog.core.errors import BranchMoved, Refused
from kdmlog.core.inputs import Inputs
from kdmlog.games.kdm.actions import SettlementBuild
from kdmlog.session import open_session

from .commands import play
from .programs import READY, go, programs

SPENDER = f"""
import json, sys
from kdmlog.core.errors import Refused
from kdmlog.core.inputs import Inputs
from kdmlog.games.kdm.actions import SettlementBuild
from kdmlog.session import open_session
db, who, what = sys.argv[1:]
with open_session(db, by=who) as session:
    assert session.table.state.settlement.endeavors == 1
    {READY.strip().replace(chr(10), chr(10) + "    ")}
    try:
        result = session.perform(SettlementBuild(location=what))
        print(json.dumps({{"move": result.number}}))
    except Refused as error:
        print(json.dumps({{"message": error.message, "between": error.data["between"]}}))
"""
BUILDS = {"Ann": "bone_smith", "Bo": "organ_grinder"}


@pytest.fixture(scope="module")
def poor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A settlement that has one endeavor left, and two locations to build."""
    db = play(tmp_path_factory.mktemp("poor") / "poor.db", "settlement build")
    with open_session(db) as session:
        session.adjust("settlement.endeavors", "1", "the test is poor")
    return db


def test_of_two_who_spend_the_last_one_succeeds_and_the_other_is_told(
    poor: Path,
    tmp_path: Path,
    measured: Callable[[str], None],
    runs: Callable[[int, int], int],
) -> None:
    rounds, won = runs(3, 50), set()
    for round_ in range(rounds):
        db = Path(shutil.copy(poor, tmp_path / f"{round_}.db"))
        with programs(SPENDER, *[(db, *build) for build in BUILDS.items()]) as spenders:
            go(spenders)
            outputs = [process.communicate() for process in spenders]
        assert [error for _, error in outputs] == ["", ""]
        told = [json.loads(out) for out, _ in outputs]
        [winner] = [who for who, one in zip(BUILDS, told, strict=True) if "move" in one]
        [loser] = [one for one in told if "move" not in one]
        won.add(winner)
        with open_session(db, readonly=True) as session:
            number = session.head.number
            settlement = session.table.state.settlement
            assert settlement.endeavors == 0
            assert BUILDS[winner] in settlement.locations
            assert not {*BUILDS.values()} - {BUILDS[winner]} & {*settlement.locations}
            assert session.verify() == []
        assert f"In between came move {number} by {winner}: " in loser["message"]
        assert loser["between"] == [number]
    measured(f"{rounds} races for the last endeavor: 1 succeeds, 1 names the move between")


def test_commands_that_say_what_they_expect(poor: Path, tmp_path: Path) -> None:
    db = Path(shutil.copy(poor, tmp_path / "kdm.db"))
    with open_session(db, readonly=True) as session:
        head, number = session.head.hash.hex()[:12], session.head.number
    started = [
        subprocess.Popen(
            [
                *(sys.executable, "-m", "kdmlog", "--db", str(db), "--json"),
                *("settlement", "build", what, "--by", who, "--expect", f"h:{head}"),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for who, what in BUILDS.items()
    ]
    errors = [process.communicate()[1] for process in started]
    assert sorted(process.returncode for process in started) == [0, 4]
    [error] = [json.loads(one)["error"] for one in errors if one]
    assert error["code"] == "branch_moved" and error["data"]["between"] == [number + 1]
    assert f"In between came move {number + 1} by " in error["message"]


def test_what_is_still_possible_is_decided_again(poor: Path, tmp_path: Path) -> None:
    """The dice are those of two who came one after the other, each in their own words."""
    dbs = [Path(shutil.copy(poor, tmp_path / name)) for name in ("at_once.db", "in_turn.db")]
    faces = []
    for db in dbs:
        with open_session(db, by="Ann") as ann, open_session(db, by="Bo") as bo:
            assert ann.head == bo.head and ann.table.state == bo.table.state
            first = ann.roll("3d10", inputs=Inputs(dice=["app"]))
            if db == dbs[1]:
                bo.refresh()
            second = bo.roll("3d10", inputs=Inputs(dice=["app"]))
            assert (first.number, second.number) == (bo.head.number - 1, bo.head.number)
            assert bo.verify() == []
            faces.append([first.events, second.events])
    assert faces[0] == faces[1]


def test_a_question_that_another_has_answered_is_answered_once(tmp_path: Path) -> None:
    db = play(tmp_path / "kdm.db", "monster turn", "monster turn")
    with open_session(db, by="Ann") as ann, open_session(db, by="Bo") as bo:
        assert ann.open and ann.open == bo.open
        answered = ann.answer(["lucy"])
        with pytest.raises(BranchMoved) as refused:
            bo.answer(["lucy"])
        assert f"In between came move {answered.number} by Ann: " in refused.value.message
        assert ann.head == bo.head


def test_branches_taken_back_in_between_name_no_move(poor: Path, tmp_path: Path) -> None:
    db = Path(shutil.copy(poor, tmp_path / "kdm.db"))
    with open_session(db, by="Ann") as ann, open_session(db, by="Bo") as bo:
        assert ann.table and bo.table
        bo.undo()
        bo.undo()
        with pytest.raises(Refused) as refused:
            ann.perform(SettlementBuild(location="bone_smith"))
        assert "In between" not in refused.value.message
        assert ann.head == bo.head
