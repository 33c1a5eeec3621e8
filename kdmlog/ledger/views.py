"""Views for people: any SQL tool can ask what happened; the program itself reads only tables."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from kdmlog.core.sql import facts, field, listed

_SLUG = "ifnull((SELECT value FROM setting WHERE key = 'slug/' || c.uid), c.slug)"
"""What a campaign is called here."""

_BRANCH = f"""-- a living branch, and the move at which it stands
SELECT {_SLUG} AS campaign, r.branch,
    r.branch = ifnull(
        (SELECT value FROM setting WHERE key = 'branch/' || c.uid),
        (SELECT branch FROM ref WHERE campaign = c.id ORDER BY id LIMIT 1)
    ) AS in_use,
    r.line,
    ifnull(iif(r.follows, (SELECT max(number) FROM move WHERE line = r.line), NULL), r.number)
        AS move
FROM ref r JOIN campaign c ON c.id = r.campaign
WHERE r.id IN (SELECT max(id) FROM ref GROUP BY campaign, branch) AND r.reason <> 'delete'"""

_PATH = """-- the moves low to high of a line are on the way to a branch's head
WITH RECURSIVE run (campaign, branch, in_use, line, low, high) AS (
    SELECT b.campaign, b.branch, b.in_use, b.line, ifnull(l.fork_number, 0) + 1, b.move
    FROM branch b JOIN line l ON l.id = b.line
    UNION ALL
    SELECT r.campaign, r.branch, r.in_use, up.id, ifnull(up.fork_number, 0) + 1, l.fork_number
    FROM run r JOIN line l ON l.id = r.line JOIN line up ON up.id = l.fork_line AND up.id < l.id
)
SELECT campaign, branch, in_use, line, low, high FROM run"""

# Materialized, else SQLite would walk every branch anew for each row.
_ON = "WITH held AS MATERIALIZED (SELECT line, high, branch, in_use FROM path)"
_HELD = f"""{_SLUG} AS campaign,
    (SELECT group_concat(branch, ' ') FROM (
        SELECT branch FROM held WHERE line = m.line AND high >= m.number ORDER BY branch
    )) AS branches,
    ifnull(
        (SELECT max(in_use) FROM held WHERE line = m.line AND high >= m.number), 0
    ) AS in_use"""
_CAMPAIGN = "JOIN line l ON l.id = m.line JOIN campaign c ON c.id = l.campaign"

_ACTION_LOG = f"""-- a move; an answer belongs to the action begun by move `begun`
{_ON}
SELECT {_HELD},
    m.line, m.number AS move, iif(m.kind = 'answered', m.begins, m.number) AS begun, m.kind,
    ifnull(json_extract(m.input, '$.action'), iif(m.kind = 'answered', 'answer', m.kind)) AS action,
    m.input, m.by, m.at, lower(substr(hex(m.hash), 1, 8)) AS hash
FROM move m {_CAMPAIGN}"""

# The order of the joins is forced: an event leads to its move at once, but not the other way.
_FACT = f"""-- an event of the log, in its game's own words
{_ON}
SELECT {_HELD},
    m.line, e.position, m.number AS move, m.by, m.at,
    json_extract(e.body, '$.kind') AS kind,
    json_extract(e.body, '$.cause') AS cause,
    e.body
FROM event e CROSS JOIN move m ON m.line = e.line AND m.number = e.move {_CAMPAIGN}"""

VIEWS: Mapping[str, str] = {
    "branch": _BRANCH,
    "path": _PATH,
    "action_log": _ACTION_LOG,
    "fact": _FACT,
    "roll": facts(
        "a die of a roll, as it lay; the dice of one roll share line and position",
        "core.dice_rolled",
        f"""{field("dice")}, die.key + 1 AS die, die.value AS face,
    {field("purpose")}, {listed("about")}, {field("source")}, cause""",
        ", json_each(fact.body, '$.faces') AS die",
    ),
    "draw": facts(
        "a card drawn from a deck into one of its zones (out: it leaves them all)",
        "core.cards_drawn",
        f"""{field("deck")}, card.value AS card, {field("to", "zone")},
    {field("purpose")}, {listed("about")}, {field("source")}, cause""",
        ", json_each(fact.body, '$.cards') AS card",
    ),
    "choice": facts(
        "a decision, and what else was offered; chooser: whose it was, if not the group's",
        "core.chosen",
        f"""{field("purpose", "question")}, {listed("about")},
    {listed("picked", ", ")},
    {listed("offered", ", ")}, {field("by", "chooser")}, cause""",
    ),
    "note": facts("a note of the players", "core.noted", field("text")),
    "ruling": facts(
        "a figure set by hand, and why",
        "core.ruled",
        f"{field('path')}, {field('value')}, {field('why')}",
    ),
}
"""The SELECT of each view by its name. A migration makes them: one that changes needs a new one."""

_OURS = "-- kdmlog's, for people"


def view(name: str, select: str) -> str:
    """Returns the statement that makes a view."""
    return f"CREATE VIEW {name} AS {select}"


def put_views(connection: sqlite3.Connection, views: Mapping[str, str]) -> None:
    """Makes these views of the games' facts, by name, in place of those made before.

    What is not kdmlog's stays: a name that others have taken is theirs.
    """
    made = {name: view(name, f"{_OURS}\n{select}") for name, select in views.items()}
    rows = connection.execute("SELECT lower(name), sql FROM sqlite_schema WHERE sql IS NOT NULL")
    there: dict[str, str] = dict(rows.fetchall())
    for name, sql in list(there.items()):
        if sql.startswith(view(name, _OURS)) and made.get(name) != sql:
            connection.execute(f"DROP VIEW {name}")
            del there[name]
    for name, sql in made.items():
        if name not in there:
            connection.execute(sql)
