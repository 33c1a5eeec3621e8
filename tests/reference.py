"""Writes the reference in ``ARCHITECTURE.md``: every command, kind of event and view.

``python -m tests.reference`` writes what stands between the two marks, from the command table,
the Structs and the ledger; ``--check`` only says whether it is fresh. What stands above the marks
is written by hand.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from kdmlog.cli.build import usage
from kdmlog.cli.call import EPILOG
from kdmlog.cli.main import root
from kdmlog.cli.table import COMMANDS, Entry
from kdmlog.core import actions as core
from kdmlog.core.events import CORE_EVENTS, Event
from kdmlog.core.sql import PLACE
from kdmlog.games.kdm import actions as kdm
from kdmlog.games.kdm.game import GAME
from kdmlog.ledger.schema import MIGRATIONS
from kdmlog.ledger.views import VIEWS, put_views

PAGE = Path(__file__).parent.parent / "ARCHITECTURE.md"
BEGIN = "<!-- reference: made by python -m tests.reference, not by hand -->"
END = "<!-- end of the reference -->"
ACTIONS = {"kdmlog.cli.games": kdm, "kdmlog.cli.free": core}
"""Where the Structs are of which a module builds its commands."""


# --- commands -------------------------------------------------------------------------------------


def commands(table: dict[str, Entry] = COMMANDS, path: str = "") -> Iterator[tuple[str, Entry]]:
    """Yields every command as typed, with its entry in the table."""
    for name, entry in table.items():
        if entry.group:
            yield from commands(entry.group, f"{path}{name} ")
        else:
            yield f"{path}{name}", entry


def usage_line(words: str, entry: Entry) -> str:
    """Returns how a command is typed: ``attack SURVIVOR [WEAPON] [--blind]``."""
    module, name = entry.path.split(":")
    action = getattr(ACTIONS.get(module), name, None)
    if action is not None:
        return usage(action)
    command: Any = root()
    for word in words.split():
        command = command.get_command(None, word)
    shown = (one for one in command.params if not getattr(one, "hidden", False))
    return " ".join([words, *map(_parameter, shown)])


def _parameter(one: Any) -> str:
    """Returns an argument or option as it is typed, in brackets where it may be left out."""
    value = one.metavar or one.name.strip("_").upper()
    if one.param_type_name == "argument":
        text = value if value.endswith("…") or one.nargs == 1 else f"{value}…"
    else:
        text = max(one.opts, key=len)
        text += "" if one.is_flag else f" {value}"
        text += " …" if one.multiple else ""
    return text if one.required else f"[{text}]"


# --- events ---------------------------------------------------------------------------------------


def kind(event: type[Event]) -> str:
    """Returns the kind of an event as the log has it."""
    return str(event.__struct_config__.tag)


def meaning(thing: Any) -> str:
    """Returns the first line of a docstring."""
    return str(thing.__doc__).splitlines()[0].replace("``", "`")


def fields(event: type[Event]) -> str:
    """Returns an event's own fields, in brackets those that have a usual value."""
    own = (one for one in msgspec.structs.fields(event) if one.name != "cause")
    return " ".join(one.name if one.required else f"[{one.name}]" for one in own)


# --- views ----------------------------------------------------------------------------------------

VIEWS_ARE = (
    "What any SQL tool can ask. `in_use` is 1 in the game as it stands, on the branch in use; "
    "`branches` names the living branches that hold the row (null: it was taken back). The rows of "
    "facts begin with " + ", ".join(f"`{column}`" for column in PLACE.split(", ")) + " (left out "
    "below)."
)


def views() -> Iterator[tuple[str, str, str]]:
    """Yields each view's name, what a row of it is, and its own columns."""
    connection = sqlite3.connect(":memory:")
    for migration in MIGRATIONS:
        for statement in migration.statements:
            connection.execute(statement)
    selects = {**VIEWS, **GAME.sql}
    put_views(connection, GAME.sql)
    for name, select in selects.items():
        comment = select.splitlines()[0].removeprefix("-- ")
        columns = [one[1] for one in connection.execute(f"PRAGMA table_info({name})")]
        if columns[: len(PLACE.split())] == PLACE.split(", "):
            columns = columns[len(PLACE.split()) :]
        yield _code(name), comment, _code(" ".join(columns))
    connection.close()


# --- the page -------------------------------------------------------------------------------------


def reference() -> str:
    """Returns what stands between the marks."""
    used = [(_code(usage_line(words, entry)), entry.help) for words, entry in commands()]
    parts = [
        "## Commands",
        "What stands in brackets may be left out.",
        f"```text\n{EPILOG}\n```",
        _table(("typed", "does"), used),
    ]
    for title, events in (("every game", CORE_EVENTS), (GAME.title, GAME.events)):
        rows = [(_code(kind(one)), meaning(one), _code(fields(one))) for one in events]
        parts += [f"## Events of {title}", _table(("kind", "says", "fields"), rows)]
    parts.append(
        "Every event may have a `cause` as well: the rule or content record it followed from. "
        "The fields' types are in `schemas/kdm.events.json`."
    )
    parts += ["## Views", VIEWS_ARE, _table(("view", "a row is", "columns"), views())]
    return "\n\n".join(parts)


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    cells = [list(heads), *([one.replace("|", "\\|") for one in row] for row in rows)]
    cells.insert(1, ["---"] * len(cells[0]))
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def written(page: str) -> str:
    """Returns the page with its reference made anew. Raises ValueError where a mark is missing."""
    above, _, rest = page.partition(BEGIN)
    old, end, below = rest.partition(END)
    if not old or not end:
        raise ValueError(f"{PAGE.name} lacks a mark: {BEGIN} … {END}")
    return f"{above}{BEGIN}\n\n{reference()}\n\n{END}{below}"


def main() -> int:
    """Writes the page, or with ``--check`` compares; returns the exit code."""
    there = PAGE.read_text(encoding="utf-8")
    made = written(there)
    if "--check" in sys.argv:
        if made != there:
            print(f"stale: {PAGE.name}  Then: python -m tests.reference")
        return int(made != there)
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
