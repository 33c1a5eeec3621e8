"""A retry has one effect: the same request id twice makes one move, and says so."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kdmlog.cli.script import lines
from kdmlog.core.fingerprint import fingerprint
from kdmlog.session import open_session

from .commands import command, run
from .programs import READY, go, programs, python

SESSION = Path(__file__).parents[1] / "sessions" / "death.kdm"
BESIDE = (
    "note hello --note beside",
    "roll d10 --dice 7",
    "choose who ann",
    "adjust survivors.lucy.insanity +1 --why forgotten",
    "survivor rename lucy Luz",
)
RETRIED = f"""
import json, sys
from kdmlog.session import open_session
db, request, text = sys.argv[1:]
with open_session(db) as session:
    assert session.table
    {READY.strip().replace(chr(10), chr(10) + "    ")}
    done = session.note(text, request_id=request)
    print(json.dumps([done.number, done.repeated]))
"""
NEVER_TOLD = """
import os, signal, sys
from kdmlog.session import open_session
with open_session(sys.argv[1]) as session:
    session.roll("d10", request_id=sys.argv[2])
    os.kill(os.getpid(), signal.SIGKILL)
"""


def standing(db: Path) -> tuple[Any, ...]:
    with open_session(db, readonly=True) as session:
        return session.head, fingerprint(session.table.state), len(session.oplog())


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    db = tmp_path_factory.mktemp("retry") / "begun.db"
    run(db, "new", "Retry", "--seed", "retry")
    return db


def test_every_command_of_an_evening_is_retried(
    tmp_path: Path, measured: Callable[[str], None]
) -> None:
    db, retried = tmp_path / "kdm.db", 0
    evening = [words for _, words in lines(str(SESSION))]
    for number, words in enumerate([*evening, *(line.split() for line in BESIDE)]):
        if words[0] == "new":
            run(db, *words)
            continue
        words = [*words, "--request-id", f"r{number}"]
        run(db, *words)
        after = standing(db)
        code, out, err = command(db, *words)
        assert (code, err) == (0, ""), words
        assert out == f"{after[0].number:>4}  This request was done already; nothing was added.\n"
        told = json.loads(run(db, "--json", *words))
        assert (told["repeated"], told["elsewhere"], told["move"]) == (True, False, after[0].number)
        assert standing(db) == after
        retried += 1
    assert run(db, "verify") == ""
    measured(f"{retried} commands retried twice: one effect each, and told so")


@pytest.mark.parametrize(
    "other",
    [
        "note otherwise",
        "note hello --note besides",
        "roll d10",
        "survivor new Ada f",
        "adjust settlement.population +1 --why x",
    ],
)
def test_the_same_id_with_other_content_is_refused(begun: Path, tmp_path: Path, other: str) -> None:
    db = Path(shutil.copy(begun, tmp_path / "kdm.db"))
    run(db, "note", "hello", "--request-id", "r")
    after = standing(db)
    code, out, err = command(db, "--json", *other.split(), "--request-id", "r")
    assert (code, out) == (1, "")
    assert json.loads(err)["error"]["code"] == "request_id"
    assert json.loads(err)["error"]["data"] == {"move": 2}
    assert standing(db) == after


def test_two_processes_with_one_id(
    begun: Path,
    tmp_path: Path,
    measured: Callable[[str], None],
    runs: Callable[[int, int], int],
) -> None:
    rounds = runs(3, 50)
    for round_ in range(rounds):
        db = Path(shutil.copy(begun, tmp_path / f"{round_}.db"))
        with programs(RETRIED, *[(db, "r", "hello")] * 2) as two:
            go(two)
            outputs = [process.communicate() for process in two]
        assert [err for _, err in outputs] == ["", ""]
        assert sorted(json.loads(out) for out, _ in outputs) == [[2, False], [2, True]]
        assert standing(db)[0].number == 2
    measured(f"{rounds} times at once in two processes: one move, the other told so")


@pytest.mark.skipif(os.name != "posix", reason="kill -9")
def test_a_command_killed_before_it_said_anything_is_retried(begun: Path, tmp_path: Path) -> None:
    db = Path(shutil.copy(begun, tmp_path / "kdm.db"))
    assert python(NEVER_TOLD, db, "r").returncode == -signal.SIGKILL
    after = standing(db)
    assert after[0].number == 2
    assert "done already" in run(db, "roll", "d10", "--request-id", "r")
    assert standing(db) == after


def test_what_was_undone_is_not_done_again_but_told(begun: Path, tmp_path: Path) -> None:
    db = Path(shutil.copy(begun, tmp_path / "kdm.db"))
    run(db, "note", "hello", "--request-id", "r")
    run(db, "undo")
    after = standing(db)
    assert "done already" in (out := run(db, "note", "hello", "--request-id", "r"))
    assert "undone" in out
    told = json.loads(run(db, "--json", "note", "hello", "--request-id", "r"))
    assert (told["repeated"], told["elsewhere"]) == (True, True)
    assert standing(db) == after


@pytest.mark.parametrize(
    "words",
    ["undo", "redo", "branch x", "switch main", "use retry", "new Other", "run -", "play", "demo"],
)
def test_what_makes_no_move_takes_no_id(begun: Path, tmp_path: Path, words: str) -> None:
    """An id that is taken but not heeded would let a retried undo take back two."""
    db = Path(shutil.copy(begun, tmp_path / "kdm.db"))
    run(db, "note", "hello")
    after = standing(db)
    code, out, err = command(db, *words.split(), "--request-id", "r")
    assert (code, out) == (2, "") and err.startswith("--request-id goes with actions")
    assert standing(db) == after


def test_an_undo_that_names_the_head_happens_once(begun: Path, tmp_path: Path) -> None:
    db = Path(shutil.copy(begun, tmp_path / "kdm.db"))
    run(db, "note", "one")
    run(db, "note", "two")
    words = ["undo", "--expect", standing(db)[0].hash.hex()]
    run(db, *words)
    after = standing(db)
    assert command(db, *words)[0] == 4
    assert standing(db) == after
