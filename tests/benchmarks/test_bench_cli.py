"""G9 and G11: what a whole command costs, process and all, and what a session of many."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from time import perf_counter

import pytest

from .race import Race, timed
from .synthetic import SURVIVORS, prologue

HELLO = """
import typer

app = typer.Typer()


@app.command()
def hello(name: str) -> None:
    print(f"Hello {name}")


app()
"""
SESSION = [
    line.format(name)
    for name in (*SURVIVORS, *SURVIVORS, *SURVIVORS[:2])
    for line in ("note {}", "roll 2d10", "adjust survivors.{}.insanity +1 --why forgotten")
]


@pytest.mark.parametrize(
    ("before", "command", "after"),
    [
        ("", "note hi", "undo"),
        ("", "move allister", "undo"),
        ("", "attack allister founding_stone --dice 1,2", "undo"),
        ("note hi", "undo", ""),
    ],
    ids=["note", "move", "attack", "undo"],
)
def test_a_command_against_a_typer_hello_world(
    race: Race, tmp_path: Path, installed: dict[str, str], before: str, command: str, after: str
) -> None:
    prologue(tmp_path / "bench.db").close()
    (tmp_path / "hello.py").write_text(HELLO)

    def process(*words: str) -> None:
        subprocess.run(
            [sys.executable, "-m", *words], env=installed, check=True, capture_output=True
        )

    def ours() -> float:
        """Only the command itself counts, not what makes it legal again."""
        if before:
            process("kdmlog", *before.split())
        start = perf_counter()
        process("kdmlog", *command.split())
        spent = perf_counter() - start
        if after:
            process("kdmlog", after)
        return spent

    race.run(
        *("G9", f"kdmlog {command} : typer hello world", 1.6),
        ours,
        timed(lambda: process("hello", "world")),
    )


def test_a_session_against_taskwarrior(
    race: Race, tmp_path: Path, installed: dict[str, str]
) -> None:
    what = f"kdmlog run -, {len(SESSION)} durable commands : as many task add"
    if not taskwarrior():
        race.leave_out("G11", what)
        pytest.skip("taskwarrior is not installed")
    prologue(tmp_path / "bench.db").close()
    tasks = tmp_path / "tasks"
    tasks.mkdir()
    (tasks / "taskrc").write_text(f"data.location={tasks}\nconfirmation=off\n")
    env = {**os.environ, "HOME": str(tasks), "TASKRC": str(tasks / "taskrc")}
    env.pop("TASKDATA", None)

    def session() -> None:
        subprocess.run(
            [sys.executable, "-m", "kdmlog", "run", "-"],
            env=installed,
            input="\n".join(SESSION).encode(),
            check=True,
            capture_output=True,
        )

    def add() -> None:
        for line in SESSION:
            subprocess.run(["task", "add", line], env=env, check=True, capture_output=True)

    race.run("G11", what, 0.8, timed(session), timed(add))


def taskwarrior() -> bool:
    """Returns whether ``task`` is taskwarrior; others have that name, too."""
    if not shutil.which("task"):
        return False
    done = subprocess.run(["task", "--version"], capture_output=True, text=True, check=False)
    return done.stdout[:1].isdigit()
