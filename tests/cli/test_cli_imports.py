"""A command that writes starts fast: it imports nothing that only pictures, packs or prompts need.

``new`` alone may: it makes the file and reads the packs, once in a campaign's life.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import kdmlog

ROOT = Path(kdmlog.__file__).parents[1]
SLOW = {
    "rich",
    "sqlite_utils",
    "pydantic",
    "yaml",
    "prompt_toolkit",
    "hashlib",
    "typing_extensions",
}
RUN = """
import sys
from kdmlog.cli.main import main

try:
    main(sys.argv[1:])
except SystemExit as done:
    code = done.code
print("modules:", *sys.modules)
sys.exit(code)
"""


def run(db: Path, *words: str) -> set[str]:
    """Runs one command in a process of its own; returns the modules that it has imported."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, *words],
        env={**os.environ, "PYTHONPATH": str(ROOT), "KDMLOG_DB": str(db)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    modules = set(done.stdout.rpartition("modules:")[2].split())
    assert "kdmlog.ledger" in modules
    return modules


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("imports") / "campaign.db"
    run(path, "new", "Imports", "--seed", "x")
    return path


def test_writing_commands_import_nothing_slow(db: Path) -> None:
    for line in (
        "survivor new Allister m",
        "note hi",
        "roll 2d10",
        "--dice 3,4 roll 2d10",
        "--json note again",
        "adjust survivors.allister.survival 0 --why misread",
        "undo",
        "redo",
        "branch aside",
        "switch aside",
        "choose which left",
    ):
        assert not SLOW & run(db, *line.split()), line


def test_answering_imports_nothing_slow(tmp_path: Path) -> None:
    path = tmp_path / "asked.db"
    run(path, "new", "Asked", "--table-dice")
    run(path, "roll", "1d10")
    assert not SLOW & run(path, "answer", "7")
