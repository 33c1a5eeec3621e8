"""Races two contestants in turn, so that noise and machine fall on both and cancel out."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

Contestant = Callable[[], float]
"""Runs once and returns the seconds that count."""
SLACK = 1.5
"""A goal missed by less than this is reported; by more, it fails."""


class Measured(NamedTuple):
    """What came out. ``ours`` and ``theirs`` are medians in seconds (or bytes)."""

    goal: str
    what: str
    limit: float
    ours: float
    theirs: float

    @property
    def ratio(self) -> float:
        """Returns how many times theirs ours is."""
        return self.ours / self.theirs

    def line(self) -> str:
        """Returns the row of the table."""
        mark = "ok" if self.ratio <= self.limit else "above"
        figures = f"{_shown(self.ours):>10}  {_shown(self.theirs):>10}"
        goal = f"{self.goal:<4} {self.limit:>4.1f}"
        return f"{goal}  {self.ratio:>5.2f}  {mark:<5}  {figures}  {self.what}"


HEAD = f"{'goal':<9}  ratio         {'kdmlog':>10}  {'other':>10}  what, against what"


def timed(function: Callable[[], object]) -> Contestant:
    """Returns a contestant that is timed as a whole."""

    def run() -> float:
        start = perf_counter()
        function()
        return perf_counter() - start

    return run


class Race:
    """Runs races, and remembers what came out for the table."""

    def __init__(self, benchmark: Any, results: list[Measured]) -> None:
        self.benchmark = benchmark
        self._results = results

    def run(
        self,
        goal: str,
        what: str,
        limit: float,
        ours: Contestant,
        theirs: Contestant,
        *,
        rounds: int = 15,
    ) -> None:
        """Races A B A B, and asserts that the ratio of the medians is near the limit."""
        times: tuple[list[float], list[float]] = ([], [])
        for contestant in (ours, theirs):  # caches warm, bytecode written
            contestant()
        self.benchmark.pedantic(
            lambda: times[0].append(ours()),
            setup=lambda: times[1].append(theirs()),
            rounds=rounds,
        )
        self.weigh(goal, what, limit, median(times[0]), median(times[1]))

    def weigh(self, goal: str, what: str, limit: float, ours: float, theirs: float) -> None:
        """Compares two figures that are there already, such as sizes."""
        measured = Measured(goal, what, limit, ours, theirs)
        self._results.append(measured)
        self.benchmark.extra_info[f"{goal} {what}"] = measured.ratio
        print(f"{HEAD}\n{measured.line()}")
        assert measured.ratio <= limit * SLACK, measured.line()


def _shown(figure: float) -> str:
    if figure >= 1000:
        return f"{figure / 1e6:.2f} MB"
    return f"{figure * 1e3:.2f} ms" if figure >= 1e-3 else f"{figure * 1e6:.1f} µs"
