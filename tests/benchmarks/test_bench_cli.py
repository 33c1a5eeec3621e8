"""G9: what a whole command costs, process and all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from time import perf_counter

import pytest

import kdmlog

from .race import Race, timed
from .synthetic import prologue

ROOT = Path(kdmlog.__file__).parents[1]
HELLO = """
import typer

app = typer.Typer()


@app.command()
def hello(name: str) -> None:
    print(f"Hello {name}")


app()
"""


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
    race: Race, tmp_path: Path, before: str, command: str, after: str
) -> None:
    path = tmp_path / "bench.db"
    prologue(path).close()
    (tmp_path / "hello.py").write_text(HELLO)
    env = {
        **os.environ,
        "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}",
        "PYTHONDONTWRITEBYTECODE": "",  # as installed programs run: compiled once
        "PYTHONPYCACHEPREFIX": str(tmp_path / "compiled"),
        "KDMLOG_DB": str(path),
    }

    def process(*words: str) -> None:
        subprocess.run([sys.executable, "-m", *words], env=env, check=True, capture_output=True)

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
