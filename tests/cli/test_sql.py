"""Whoever asks by SQL is told the same as whoever asks kdmlog."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from benchmarks.synthetic import AT, build
from cli_helpers import SESSIONS, copied, look, script, well
from toy import TOY

from kdmlog.core import events as e
from kdmlog.core.game import Game
from kdmlog.core.sql import PLACE, facts, field
from kdmlog.games.kdm import events as k
from kdmlog.games.kdm.game import GAME
from kdmlog.ledger import Ledger, NewMove
from kdmlog.ledger.views import VIEWS
from kdmlog.session import NewOptions, new_campaign, open_session
from kdmlog.session.codec import encode
from kdmlog.session.games import register

SCRIPTS = ("app", "table", "death", "defeat")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("sql")
    for name in SCRIPTS:
        well(folder / f"{name}.db", "run", str(SESSIONS / f"{name}.kdm"))
    return {name: folder / f"{name}.db" for name in SCRIPTS}


def ask(db: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(db)) as connection:
        return connection.execute(sql).fetchall()


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_roll_draw_and_choice_of_a_whole_game(played: dict[str, Path], name: str) -> None:
    with open_session(played[name], readonly=True) as session:
        told = [(move, event) for move, event, _ in session.events()]
    dice = [
        (move, one.dice, face, one.purpose, " ".join(one.about) or None, one.source)
        for move, one in told
        if isinstance(one, e.DiceRolled)
        for face in one.faces
    ]
    cards = [
        (move, one.deck, card, one.to, one.purpose)
        for move, one in told
        if isinstance(one, e.CardsDrawn)
        for card in one.cards
    ]
    choices = [
        (move, one.purpose, ", ".join(one.picked) or None, ", ".join(one.offered))
        for move, one in told
        if isinstance(one, e.Chosen)
    ]
    db, order = played[name], "WHERE in_use ORDER BY position"
    assert dice == ask(
        db, f"SELECT move, dice, face, purpose, about, source FROM roll {order}, die"
    )
    assert cards == ask(db, f"SELECT move, deck, card, zone, purpose FROM draw {order}")
    assert choices == ask(db, f"SELECT move, question, picked, offered FROM choice {order}")
    assert len(told) == ask(db, "SELECT count(*) FROM fact WHERE in_use")[0][0]


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_sheet_is_where_its_changes_lead(played: dict[str, Path], name: str) -> None:
    sheets = look(played[name], "survivors")
    for survivor, stat, now in ask(
        played[name],
        "SELECT survivor, stat, now FROM stat_change WHERE in_use "
        "GROUP BY survivor, stat HAVING position = max(position)",
    ):
        begun_again = name == "defeat" and survivor in ("allister", "erza", "lucy", "zachary")
        assert begun_again or sheets[survivor][stat] == now, (survivor, stat)


def test_a_death_that_was_worded_anew(played: dict[str, Path], tmp_path: Path) -> None:
    db = copied(played["death"], tmp_path / "kdm.db")
    deaths = "SELECT survivor, cause, in_use FROM death"
    assert ask(db, deaths) == [("allister", "Decapitation", 1)]
    well(db, "survivor", "death", "allister", "fell to the lion")
    assert ask(db, deaths) == [("allister", "fell to the lion", 1)]
    assert "fell to the lion" in well(db, "survivor", "show", "allister")
    well(db, "undo")
    assert ask(db, deaths) == [("allister", "Decapitation", 1)]


def test_deaths_have_the_year_and_the_words_of_their_own_branch(tmp_path: Path) -> None:
    """Year 1, year 2, a death; on another line out of year 1 other deaths, the first undone."""
    db = tmp_path / "kdm.db"
    session, _ = new_campaign(db, "Edge", options=NewOptions(seed="sql"))

    def tell(*events: e.Event) -> None:
        session.head = session.ledger.append(session.head, _move(*events))

    with session:
        tell(_died("ada", "the prologue"))
        tell(_year(1))
        tell(_year(2), _died("ada", "a lion"))
        session.branch("other", "3")
        tell(k.DeathExplained(survivor="ada", of="the White Lion"))
        session.switch("other")
        tell(_died("bo", "hunger"))
        session.undo()
        tell(_died("bo", "thirst"))
        tell(_year(5))
        tell(_died("ada", "age"), k.DeathExplained(survivor="bo", of="great thirst"))
    rows = ask(db, "SELECT survivor, cause, lantern_year, branches, in_use FROM death")
    assert sorted(rows, key=str) == [
        ("ada", "a lion", 2, "main", 0),
        ("ada", "age", 5, "other", 1),
        ("ada", "the prologue", None, "main other", 1),
        ("bo", "great thirst", 1, "other", 1),
        ("bo", "hunger", 1, None, 0),
    ]
    with Ledger.open(db) as ledger:
        ledger.use("edge", "main")
    rows = ask(db, "SELECT survivor, cause FROM death WHERE in_use ORDER BY position")
    assert rows == [("ada", "the prologue"), ("ada", "the White Lion")]


def _died(survivor: str, of: str) -> e.Event:
    return k.SurvivorDied(survivor=survivor, of=of, uncounted=0)


def _year(now: int) -> e.Event:
    return k.FigureChanged(figure="lantern_year", by=1, now=now)


def _move(*events: e.Event) -> NewMove:
    return NewMove("acted", None, "{}", [encode(one) for one in events], "", AT, None, 1)


def test_every_view_of_facts_says_where_and_when_first(played: dict[str, Path]) -> None:
    views = {*GAME.sql, *VIEWS} - {"branch", "path", "action_log"}
    with closing(sqlite3.connect(played["table"])) as connection:
        for name in views:
            cursor = connection.execute(f"SELECT * FROM {name}")
            columns = [column[0] for column in cursor.description]
            assert columns[:8] == PLACE.split(", ") or name == "fact"
            assert len(set(columns)) == len(columns), name
    for name in views - {"fact"}:
        assert ask(played["table"], f"SELECT count(*) FROM {name}") != [(0,)] or name in RARE


RARE = {"note", "ruling", "death"}
"""Views of what the session ``table`` has none of."""


def test_games_that_share_a_name_share_the_view(tmp_path: Path) -> None:
    luck = facts(
        "a change", "toy.gold_changed", f"'gold' AS survivor, {field('by', 'stat')}, 1, 2, 3"
    )
    register(_with_views({"stat_change": luck, "gold": luck}))
    try:
        db = tmp_path / "both.db"
        new_campaign(db, "A toy", game="toy")[0].close()
        with open_session(db, "a toy") as session:
            session.adjust("gold", "3", "found")
        assert ask(db, "SELECT campaign, survivor FROM gold") == [("a_toy", "gold")]
        script(db, "table", until="showdown begin")
        rows = ask(db, "SELECT DISTINCT campaign, survivor FROM stat_change ORDER BY 1, 2")
        assert rows[0] == ("a_toy", "gold") and len(rows) == 5
    finally:
        register(TOY)
    with open_session(db, "a toy", readonly=True) as session:
        assert session.verify() == []


def _with_views(views: dict[str, str]) -> Game:
    return Game(**{**{name: getattr(TOY, name) for name in TOY.__struct_fields__}, "sql": views})


@pytest.mark.long
def test_a_hundred_thousand_events_are_counted_in_seconds(tmp_path: Path) -> None:
    db = build(tmp_path / "big.db", 100_000)
    for name in (*VIEWS, *GAME.sql):
        began = time.perf_counter()
        ask(db, f"SELECT count(*), count(in_use) FROM {name}")
        assert time.perf_counter() - began < 3, name
