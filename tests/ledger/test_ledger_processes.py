"""Several programs, some of them killed: every move is whole, and none is lost."""

from __future__ import annotations

import signal
import threading
from pathlib import Path

import pytest
from ledger_helpers import append, run_python, start, story

from kdmlog.core.errors import BranchMoved
from kdmlog.ledger import Ledger

WRITER = """
import sys
from kdmlog.core.errors import BranchMoved
from ledger_helpers import *
name = sys.argv[2]
with Ledger.open(sys.argv[1], synchronous="NORMAL") as ledger:
    for n in range(30):
        while True:
            try:
                append(ledger, ledger.head(1, "main"), f"{name}{n}")
                break
            except BranchMoved:
                pass
"""

CREATOR = """
import sys
from ledger_helpers import *
with Ledger.open(sys.argv[1]) as ledger:
    start(ledger, sys.argv[2])
"""

KILLED = """
import os, signal, sys
from ledger_helpers import *
ledger = Ledger.open(sys.argv[1])
head = ledger.head(1, "main")
left = int(sys.argv[2])
def step(statement):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
ledger.connection.set_trace_callback(step)
while True:
    head = ledger.append(head, new_move("whole", 3))
    print(head.number, flush=True)
    head = undo(ledger, append(ledger, head, "lost"))
    print(head.number, flush=True)
"""


def test_of_two_decided_on_one_head_one_is_appended(path: Path) -> None:
    with Ledger.open(path) as ledger:
        head = start(ledger)
    gate, outcomes = threading.Barrier(2), []

    def race(name: str) -> None:
        with Ledger.open(path) as ledger:
            gate.wait()
            try:
                outcomes.append(append(ledger, head, name).hash)
            except BranchMoved as error:
                outcomes.append(error.code)

    threads = [threading.Thread(target=race, args=(name,)) for name in ("a", "b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert "branch_moved" in outcomes
    with Ledger.open(path) as ledger:
        assert ledger.head(head.campaign, "main").hash in outcomes
        assert ledger.verify() == []


def test_several_writers_lose_no_move(path: Path) -> None:
    with Ledger.open(path) as ledger:
        start(ledger)
    writers = [run_python(WRITER, path, name) for name in "abcd"]
    for writer in writers:
        assert writer.communicate() == ("", "")
    with Ledger.open(path) as ledger:
        head = ledger.head(1, "main")
        names = story(ledger, head).split()
        assert len(names) == 120
        for name in "abcd":
            own = [each for each in names if each.startswith(name)]
            assert own == [f"{name}{n}" for n in range(30)]
        assert ledger.verify() == []


def test_programs_that_create_the_file_at_once_share_it(path: Path) -> None:
    creators = [run_python(CREATOR, path, f"slug{n}") for n in range(4)]
    for creator in creators:
        assert creator.communicate() == ("", "")
    with Ledger.open(path) as ledger:
        assert {each.slug for each in ledger.campaigns()} == {f"slug{n}" for n in range(4)}
        assert ledger.verify() == []


@pytest.mark.parametrize("steps", range(1, 25, 2))
def test_a_program_killed_at_any_statement_leaves_whole_moves(path: Path, steps: int) -> None:
    with Ledger.open(path) as ledger:
        start(ledger)
    process = run_python(KILLED, path, steps)
    out, _ = process.communicate()
    assert process.returncode == -signal.SIGKILL
    with Ledger.open(path) as ledger:
        assert ledger.verify() == []
        head = ledger.head(1, "main")
        told = [int(line) for line in out.split()]
        assert head.number >= max(told, default=0)
        moves = list(ledger.moves(head))
        assert all(len(m.bodies) == (2 if "lost" in m.input else 3) for m in moves)
        append(ledger, head, "after")


def test_a_program_killed_while_it_creates_the_file_leaves_a_new_one(path: Path) -> None:
    code = """
import os, signal, sqlite3, sys
import kdmlog.ledger.schema as schema
left = int(sys.argv[2])
statements = [one for migration in schema.MIGRATIONS for one in migration.statements]
class Killer(tuple):
    def __iter__(self):
        for n, statement in enumerate(tuple.__iter__(self)):
            if n == left:
                os.kill(os.getpid(), signal.SIGKILL)
            yield statement
schema.MIGRATIONS = (schema.Migration(schema.SCHEMA_VERSION, Killer(statements)),)
from kdmlog.ledger import Ledger
Ledger.open(sys.argv[1])
"""
    for left in (0, 10, 25):
        process = run_python(code, path, left)
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        with Ledger.open(path) as ledger:
            assert ledger.verify() == []
        path.unlink()
