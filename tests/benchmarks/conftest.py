"""What the benches share: races, their table, and campaigns of several lengths."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest

from kdmlog.ledger import Ledger
from kdmlog.session import Session
from kdmlog.session.games import find_game

from .race import HEAD, Measured, Race
from .synthetic import build, prologue

_RESULTS: list[Measured] = []

Campaigns = Callable[[int], Path]


@pytest.fixture
def race(benchmark: Any) -> Race:
    return Race(benchmark, _RESULTS)


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
    if _RESULTS:
        terminalreporter.section("goals", sep="-")
        for line in (HEAD, *(result.line() for result in _RESULTS)):
            terminalreporter.write_line(line)
