"""Tables and sheets on a terminal: 80 columns at most, plain text where nobody sees colours.

Import it inside the function that draws: Rich costs more than the rest of a reading command.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from io import StringIO

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from kdmlog.core.text import shown

WIDEST = 80
NOTHING = "-"
"""What stands where a list is empty."""


def width() -> int:
    """Returns how many columns there are: the terminal's, 80 at most; 80 without a terminal."""
    if not sys.stdout.isatty():
        return WIDEST
    return min(shutil.get_terminal_size((WIDEST, 24)).columns, WIDEST)


def draw(*things: RenderableType) -> None:
    """Prints tables and lines below each other; a str is a line of its own."""
    seen = sys.stdout.isatty()
    plain = not seen or bool(os.environ.get("NO_COLOR"))
    made = StringIO()
    console = Console(
        file=made,
        width=width(),
        force_terminal=seen and not plain,
        color_system=None if plain else "auto",
        no_color=plain,
        markup=False,
        emoji=False,
        highlight=False,
    )
    for thing in things:
        console.print(text(thing) if isinstance(thing, str) else thing)
    lines = made.getvalue().splitlines()
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in lines))


def text(value: object, style: str = "") -> Text:
    """Returns a value as text that steers no terminal; its line breaks stay."""
    return Text("\n".join(map(shown, str(value).split("\n"))), style=style, overflow="fold")


def rule() -> str:
    """Returns a line across."""
    return "─" * width()


def listing(
    headings: Sequence[str], rows: Iterable[Sequence[object]], *, right: Iterable[str] = ()
) -> Table:
    """Returns a table with a line below its headings; figures under ``right`` stand right."""
    made = Table(
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0),
        header_style="bold",
    )
    for heading in headings:
        made.add_column(text(heading), justify="right" if heading in right else "left")
    for row in rows:
        made.add_row(*map(text, row))
    return made


def pairs(rows: Iterable[tuple[str, object]], *, label: int = 0) -> Table:
    """Returns labels and what stands behind them; ``label`` is the least width of a label."""
    made = Table.grid(padding=(0, 2, 0, 0))
    made.add_column(no_wrap=True, min_width=label or None)
    made.add_column()
    for name, value in rows:
        made.add_row(text(name, "bold"), text(value if value != "" else NOTHING))
    return made


def columns(rows: Iterable[Sequence[object]], *, gap: int = 1) -> Table:
    """Returns rows of short texts whose columns stand below each other."""
    made = Table.grid(padding=(0, gap, 0, 0))
    for row in rows:
        made.add_row(*map(text, row))
    return made


def beside(left: RenderableType, right: RenderableType, *, left_width: int) -> Table:
    """Returns two things side by side."""
    made = Table.grid(padding=(0, 2, 0, 0))
    made.add_column(width=left_width)
    made.add_column()
    made.add_row(left, right)
    return made


def square(cells: Sequence[str]) -> Table:
    """Returns nine cells as three rows of three, all as wide as each other."""
    made = Table(box=box.SQUARE, show_header=False, show_lines=True, expand=True)
    for _ in range(3):
        made.add_column(ratio=1)
    for start in (0, 3, 6):
        made.add_row(*map(text, cells[start : start + 3]))
    return made
