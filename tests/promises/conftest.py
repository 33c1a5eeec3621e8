"""What the tests of promises share: they say what they measured, and run short or in full."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from .promises import PROMISES

FULL = os.environ.get("KDMLOG_PROMISES") == "full"
_measured: dict[int, list[str]] = {}
_failed: set[int] = set()
_seen: set[int] = set()


def number(path: Path) -> int:
    """Returns the promise that a test module (``test_promise_07_writers.py``) is of."""
    found = re.match(r"test_promise_(\d\d)_", path.name)
    assert found, f"{path.name} does not name its promise"
    return int(found[1])


@pytest.fixture
def measured(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Returns what remembers a measured value of this module's promise for the table."""
    return _measured.setdefault(number(request.path), []).append


@pytest.fixture
def runs() -> Callable[[int, int], int]:
    """Returns how often to do something: the first figure in short, the second in full."""
    return lambda short, full: full if FULL else short


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    path = Path(report.location[0])
    if path.name.startswith("test_promise_"):
        _seen.add(number(path))
        if report.failed or report.skipped:
            _failed.add(number(path))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not FULL:
        return
    terminalreporter.section("promises", sep="-")
    for each, promise in PROMISES.items():
        kept = each in _seen and each not in _failed
        verdict = "kept" if kept else "BROKEN" if each in _failed else "not run"
        values = "; ".join(_measured.get(each, []))
        terminalreporter.write_line(f"{each:>2}  {verdict:<7}  {promise.title}")
        terminalreporter.write_line(f"             measured: {values}")
        terminalreporter.write_line(f"             pass:     {promise.mark}")
    terminalreporter.write_line(f"{len(_seen - _failed)} of {len(PROMISES)} kept")
