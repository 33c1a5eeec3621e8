"""Races contestants in turn, so that noise and machine fall on all of them and cancel out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

Contestant = Callable[[], float]
"""Runs once and returns the seconds that count."""
Peers = Mapping[str, Contestant | None]
"""Other programs by name; None for one that is not installed."""
SLACK = 1.5
"""A goal missed by less than this is reported; by more, it fails."""
PEER_ROUNDS = 3
"""Peers are there to be seen, and slow: a few rounds do."""
WIDTH = 62


class Measured(NamedTuple):
    """What came out. All figures are medians in seconds (or bytes)."""

    goal: str
    what: str
    limit: float
    ours: float
    theirs: float
    peers: Mapping[str, float] = {}

    @property
    def ratio(self) -> float:
        """Returns how many times theirs ours is."""
        return self.ours / self.theirs

    def lines(self) -> list[str]:
        """Returns the row of the table, and below it a row for each peer."""
        mark = "ok" if self.ratio <= self.limit else "above"
        figures = f"{_shown(self.ours):>9}  {_shown(self.theirs):>9}"
        row = f"{self.goal:<4} {self.what:<{WIDTH}} {figures}  {self.ratio:>6.3g}"
        return [f"{row}  {self.limit:>6.3g}  {mark}"] + [
            f"{'':<4} {f'   {name}':<{WIDTH}} {_shown(figure):>9}  {'':>9}  "
            f"{figure / self.theirs:>6.3g}"
            for name, figure in self.peers.items()
        ]


HEAD = f"goal {'what : against what':<{WIDTH}} {'kdmlog':>9}  {'other':>9}   ratio   limit  verdict"


def timed(function: Callable[[], object]) -> Contestant:
    """Returns a contestant that is timed as a whole."""

    def run() -> float:
        start = perf_counter()
        function()
        return perf_counter() - start

    return run


class Race:
    """Runs races, and remembers for the table what came out and what was left out."""

    def __init__(self, benchmark: Any, results: list[Measured], left_out: list[str]) -> None:
        self.benchmark = benchmark
        self._results = results
        self._left_out = left_out

    def run(
        self,
        goal: str,
        what: str,
        limit: float,
        ours: Contestant,
        theirs: Contestant,
        *,
        rounds: int = 15,
        peers: Peers | None = None,
    ) -> Measured:
        """Races A B A B, and asserts that the ratio of the medians is near the limit."""
        times: tuple[list[float], list[float]] = ([], [])
        present = {name: peer for name, peer in (peers or {}).items() if peer}
        for name in (peers or {}).keys() - present.keys():
            self.leave_out(goal, name)
        seen: dict[str, list[float]] = {name: [] for name in present}

        def others() -> None:
            for name, peer in present.items():
                if len(seen[name]) < PEER_ROUNDS:
                    seen[name].append(peer())
            times[1].append(theirs())

        for contestant in (ours, theirs):  # caches warm, bytecode written
            contestant()
        self.benchmark.pedantic(
            lambda: times[0].append(ours()),
            setup=others,
            rounds=rounds,
        )
        medians = {name: median(each) for name, each in seen.items()}
        return self.weigh(goal, what, limit, median(times[0]), median(times[1]), medians)

    def weigh(
        self,
        goal: str,
        what: str,
        limit: float,
        ours: float,
        theirs: float,
        peers: Mapping[str, float] | None = None,
    ) -> Measured:
        """Compares figures that are there already, such as sizes."""
        measured = Measured(goal, what, limit, ours, theirs, peers or {})
        self._results.append(measured)
        self.benchmark.extra_info[f"{goal} {what}"] = measured.ratio
        print("\n".join([HEAD, *measured.lines()]))
        assert measured.ratio <= limit * SLACK, measured.lines()[0]
        return measured

    def leave_out(self, goal: str, name: str) -> None:
        """Says below the table that a contestant is missing here."""
        self._left_out.append(f"{goal} {name}")


def _shown(figure: float) -> str:
    if figure >= 1000:
        return f"{figure / 1e6:.2f} MB"
    if figure >= 1:
        return f"{figure:.2f} s"
    return f"{figure * 1e3:.2f} ms" if figure >= 1e-3 else f"{figure * 1e6:.1f} µs"
