"""A progress bar on stderr for long work, where there is a terminal to see it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from kdmlog.cli.call import current

PATIENCE = 0.5
"""Seconds of work that go by without a bar: drawing one costs more than most work takes."""

Advance = Callable[[int], None]
"""Told how many more are done."""


@contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Advance]:
    """Yields what is to be told of each step done; ``total`` is how many there will be, if known.

    The bar is gone when the work is over. Without a terminal, or with --json, nothing is shown.
    """
    if current().json or not sys.stderr.isatty():
        yield lambda _n: None
        return
    bar = _Bar(what, total)
    try:
        yield bar.advance
    finally:
        bar.close()


class _Bar:
    """Counts, and after a while draws."""

    def __init__(self, what: str, total: int | None) -> None:
        self._what = what
        self._total = total
        self._done = 0
        self._began = time.monotonic()
        self._drawn: Any = None

    def advance(self, n: int) -> None:
        self._done += n
        if self._drawn is not None:
            self._drawn.update(0, completed=self._done)
        elif time.monotonic() - self._began > PATIENCE:
            self._draw()

    def close(self) -> None:
        if self._drawn is not None:
            self._drawn.stop()

    def _draw(self) -> None:
        # Imported here: Rich costs more than the work of most commands.
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        plain = bool(os.environ.get("NO_COLOR"))
        console = Console(file=sys.stderr, no_color=plain, markup=False, highlight=False)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        self._drawn = Progress(*columns, console=console, transient=True)
        self._drawn.add_task(self._what, total=self._total, completed=self._done)
        self._drawn.start()
