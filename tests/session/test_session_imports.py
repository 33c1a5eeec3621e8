"""A command must start fast: what a session imports is counted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SLOW = (
    "yaml",
    "rich",
    "sqlite_utils",
    "typer",
    "click",
    "difflib",
    "secrets",
    "importlib.metadata",
)
READ = """
import sys, toy
from kdmlog.session import open_session
with open_session(sys.argv[1]) as session:
    session.view(), session.ready(), session.log(5)
print(" ".join(sys.modules))
"""


def test_reading_a_campaign_imports_nothing_slow(db: Path, toy: object) -> None:
    here = Path(__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-c", READ, str(db)],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": f"{here}:{here.parent}"},
    )
    assert not set(SLOW) & set(done.stdout.split())
