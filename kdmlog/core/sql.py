"""How a view of the log's facts is written, for whoever asks by SQL: as text, nothing is run here.

A row says first where and when the fact is: ``branches`` names the living branches whose game
holds it (null: it was taken back), ``in_use`` is 1 in the game as it stands, on the branch in use.
"""

from __future__ import annotations

PLACE = "campaign, branches, in_use, line, position, move, by, at"
"""The columns that every view of facts begins with."""


def facts(comment: str, kind: str, columns: str, each: str = "") -> str:
    """Returns the SELECT of the facts of a kind; ``each`` joins a row for each of its parts."""
    return f"""-- {comment}
SELECT {PLACE},
    {columns}
FROM fact{each} WHERE kind = '{kind}'"""


def field(name: str, column: str = "") -> str:
    """Returns the column that shows a field of the event."""
    return f"json_extract(fact.body, '$.{name}') AS {column or name}"


def listed(name: str, between: str = " ") -> str:
    """Returns the column that shows all values of a field in one text."""
    values = f"SELECT group_concat(value, '{between}') FROM json_each(fact.body, '$.{name}')"
    return f"({values}) AS {name}"
