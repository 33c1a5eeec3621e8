"""What the benches share: races, their table, and campaigns of several lengths."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest

import kdmlog
from kdmlog.ledger import Ledger
from kdmlog.session import Session
from kdmlog.session.games import find_game

from .peers import Peers
from .race import HEAD, Measured, Race
from .synthetic import build, prologue

ROOT = Path(kdmlog.__file__).parents[1]
_RESULTS: list[Measured] = []
_LEFT_OUT: list[str] = []

Campaigns = Callable[[int], Path]


@pytest.fixture
def race(benchmark: Any) -> Race:
    return Race(benchmark, _RESULTS, _LEFT_OUT)


@pytest.fixture
def peers(tmp_path: Path) -> Iterator[Peers]:
    with ExitStack() as stack:
        yield Peers(tmp_path, stack)


@pytest.fixture
def installed(tmp_path: Path) -> dict[str, str]:
    """The environment of a process that runs kdmlog as if installed: bytecode is kept."""
    return {
        **os.environ,
        "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}",
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(tmp_path / "compiled"),
        "KDMLOG_DB": str(tmp_path / "bench.db"),
    }


@pytest.fixture(scope="session")
def _built(tmp_path_factory: pytest.TempPathFactory) -> Campaigns:
    folder = tmp_path_factory.mktemp("campaigns")
    return cache(lambda events: build(folder / f"{events}.db", events))


@pytest.fixture
def campaign(_built: Campaigns, tmp_path: Path) -> Campaigns:
    """Returns a campaign of so many events, as a file that the bench may change."""
    return lambda events: Path(copyfile(_built(events), tmp_path / f"{events}.db"))


@pytest.fixture
def showdown(tmp_path: Path) -> Iterator[Session]:
    """A session in the survivors' first turn, with ``synchronous=NORMAL``."""
    path = tmp_path / "showdown.db"
    prologue(path).close()
    ledger = Ledger.open(path, synchronous="NORMAL")
    found = ledger.campaigns()[0]
    with Session(ledger, find_game(found.game), found, "main", by="ann") as session:
        yield session


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not _RESULTS and not _LEFT_OUT:
        return
    terminalreporter.section("goals", sep="-")
    terminalreporter.write_line(HEAD)
    for result in sorted(_RESULTS, key=lambda each: int(each.goal[1:])):
        for line in result.lines():
            terminalreporter.write_line(line)
    for name in _LEFT_OUT:
        terminalreporter.write_line(f"left out, not installed: {name}")
