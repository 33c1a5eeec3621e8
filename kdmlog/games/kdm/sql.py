"""What people ask of many evenings at once: views of this game's facts, for any SQL tool."""

from __future__ import annotations

from collections.abc import Mapping

from kdmlog.core.sql import PLACE, facts, field

# A cause that was worded anew counts on the branch in use, up to the survivor's next death (the
# First Story may begin again). A year began on the fact's own line or before that one forks.
_DEATH = f"""-- a survivor's death, its cause as it is worded now, and the lantern year
WITH death AS MATERIALIZED (
    SELECT {PLACE}, {field("survivor")}, {field("of")}
    FROM fact WHERE kind = 'kdm.survivor_died'
), reworded AS MATERIALIZED (
    SELECT {PLACE}, {field("survivor")}, {field("of")}
    FROM fact WHERE kind = 'kdm.death_explained' AND in_use
), year AS MATERIALIZED (
    SELECT line, position, {field("now")}
    FROM fact WHERE kind = 'kdm.figure_changed'
    AND json_extract(body, '$.figure') = 'lantern_year'
)
SELECT {PLACE}, survivor,
    ifnull((
        SELECT r.of FROM reworded r
        WHERE death.in_use AND r.campaign = death.campaign AND r.survivor = death.survivor
        AND r.position > death.position AND NOT EXISTS (
            SELECT 1 FROM death again
            WHERE again.in_use AND again.campaign = death.campaign
            AND again.survivor = death.survivor
            AND again.position > death.position AND again.position < r.position
        )
        ORDER BY r.position DESC LIMIT 1
    ), of) AS cause,
    (
        WITH RECURSIVE way (line, last) AS (
            SELECT death.line, death.position
            UNION ALL
            SELECT m.line, m.last FROM way JOIN line l ON l.id = way.line
            JOIN move m ON m.line = l.fork_line AND m.number = l.fork_number AND m.line < l.id
        )
        SELECT now FROM way JOIN year ON year.line = way.line AND year.position <= way.last
        ORDER BY year.position DESC LIMIT 1
    ) AS lantern_year
FROM death"""

VIEWS: Mapping[str, str] = {
    "death": _DEATH,
    "injury": facts(
        "a filled injury box",
        "kdm.injury_filled",
        f"{field('survivor')}, {field('location')}, {field('box')}",
    ),
    "severe_injury": facts(
        "a severe injury or trauma; times: how often the survivor now has it (0: for the showdown)",
        "kdm.severe_injury_suffered",
        f"{field('survivor')}, {field('injury')}, {field('times')}",
    ),
    "stat_change": facts(
        "a figure of a survivor's sheet (survival, insanity, strength, ...): what it is now",
        "kdm.stat_changed",
        f"{field('survivor')}, {field('stat')}, {field('by', 'change')}, {field('now')}, cause",
    ),
    "wound_attempt": facts(
        "a wound attempt at a hit location, and how it came out",
        "kdm.wound_attempted",
        f"""{field("survivor")}, {field("location")}, {field("total")}, {field("needs")},
    {field("wounded")}, {field("critical")}""",
    ),
}
