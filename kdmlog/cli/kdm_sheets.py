"""What every record sheet reads: the state asked for, and the names that its packs lend.

The sheets know no rule. With ``--json`` each prints its part of the public state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from kdmlog.cli.call import Call, current
from kdmlog.core.errors import Refused
from kdmlog.core.game import Table
from kdmlog.core.names import match
from kdmlog.core.text import shown, words
from kdmlog.games.kdm import views, years

LONGEST_NAME = 40


class Sheets(Struct, frozen=True):
    """The campaign at the moment that was asked for, and the names that its packs lend."""

    call: Call
    table: Table
    kinds: dict[str, Any]
    view: views.State

    def record(self, kind: str, id_: str) -> Any:
        """Returns a content record, or None."""
        return self.table.content.find(self.kinds[kind], id_)

    def name(self, kind: str, id_: str) -> str:
        """Returns a record's name; without a record its id in the words of a name."""
        record = self.record(kind, id_)
        return shown(record.name, LONGEST_NAME) if record is not None else years.titled(id_)

    def names(self, kind: str, ids: Iterable[str]) -> str:
        """Returns the names of records in their order, repeated ones counted."""
        return counted(Counter(self.name(kind, id_) for id_ in ids))

    def foe(self, id_: str) -> str:
        """Returns a monster's name, with its level where the id has one (``butcher:1``)."""
        return years.foe_name(self.table, id_)

    def who(self, id_: str) -> str:
        """Returns a survivor's name."""
        sheet = self.view.survivors.get(id_)
        return shown(sheet.name, LONGEST_NAME) if sheet and sheet.name else words(id_)

    def find(self, word: str) -> str:
        """Returns the id of the survivor named, dead or alive. Raises UnknownName."""
        names = {id_: sheet.name for id_, sheet in self.view.survivors.items()}
        return match(word, names, "survivor")

    def cause(self, id_: str) -> str:
        """Returns what a survivor died of."""
        return next((one.cause for one in self.view.deaths if one.survivor == id_), "")


def look() -> Sheets:
    """Returns what the command is to show. Raises Refused in a campaign of another game."""
    call = current()
    session = call.reading()
    table = session.table if call.at is None else session.at(call.at)
    view = session.game.view(table)
    if not isinstance(view, views.State):
        raise Refused(
            f"{session.campaign.name} is {session.game.title}: it has no such sheet.",
            hints=["kdmlog state", "kdmlog status"],
        )
    return Sheets(call, table, dict(session.game.kinds), view)


def level(level: str) -> str:
    return f"level {level}" if level.isdigit() else words(level)


def plural(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def counted(counts: Counter[str]) -> str:
    return ", ".join(f"{name} ×{n}" if n > 1 else name for name, n in counts.items())


def folded(items: Sequence[str], width: int) -> str:
    """Returns items in lines as wide as that; none is broken, unless it is wider by itself."""
    lines: list[str] = []
    for number, item in enumerate(items, 1):
        item += ";" * (number < len(items))
        if lines and len(f"{lines[-1]} {item}") <= width:
            lines[-1] += f" {item}"
        else:
            lines.append(item)
    return "\n".join(lines)


def last_folded(
    headings: Sequence[str], rows: Sequence[Sequence[Any]], width: int
) -> list[tuple[object, ...]]:
    """Returns a listing's rows, with the items of each last cell folded into what is left."""
    for column, heading in enumerate(headings[:-1]):
        width -= 2 + max([len(heading), *(len(str(row[column])) for row in rows)])
    return [(*row[:-1], folded(row[-1], width)) for row in rows]
