"""What any SQL tool is told agrees with what the ledger itself reads, whatever was taken back."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from random import Random
from typing import Any

import pytest
from ledger_helpers import AT, append, start, undo

from kdmlog.ledger import Ledger, NewMove
from kdmlog.ledger.schema import MIGRATIONS
from kdmlog.ledger.views import VIEWS


def played(*bodies: str, kind: Any = "acted", begins: int | None = None) -> NewMove:
    input = '{"answer":["no"]}' if kind == "answered" else '{"action":"play"}'
    return NewMove(kind, begins, input, list(bodies), "ada", AT, None, 1)


def rolled(*faces: int) -> str:
    return (
        f'{{"kind":"core.dice_rolled","cause":"toy.seek","dice":"{len(faces)}d10",'
        f'"faces":{list(faces)},"purpose":"seek","source":"app","about":["ada","ben"]}}'
    )


@pytest.fixture
def ask(path: Path) -> Any:
    """Asks as another program would."""
    connections: list[sqlite3.Connection] = []

    def asked(sql: str) -> list[tuple[Any, ...]]:
        if not connections:
            connections.append(sqlite3.connect(path))
        return connections[0].execute(sql).fetchall()

    yield asked
    for connection in connections:
        connection.close()


def test_a_die_is_a_row_and_says_where_it_lies(ledger: Ledger, ask: Any) -> None:
    head = ledger.append(start(ledger), played(rolled(3, 10)))
    ledger.append(head, played(rolled(7), kind="answered", begins=1))
    assert ask("SELECT * FROM roll") == [
        (
            *("lanterns", "main", 1, 1, position, move, "ada", AT, f"{dice}d10", die, face),
            *("seek", "ada ben", "app", "toy.seek"),
        )
        for position, move, dice, die, face in ((1, 1, 2, 1, 3), (1, 1, 2, 2, 10), (2, 2, 1, 1, 7))
    ]
    hashes = [move.hash.hex()[:8] for move in ledger.moves(ledger.head(1, "main"))]
    assert ask("SELECT move, begun, kind, action, by, at, hash, input FROM action_log") == [
        (1, 1, "acted", "play", "ada", AT, hashes[0], '{"action":"play"}'),
        (2, 1, "answered", "answer", "ada", AT, hashes[1], '{"answer":["no"]}'),
    ]


def test_the_other_facts_have_their_columns(ledger: Ledger, ask: Any) -> None:
    ledger.append(
        start(ledger),
        played(
            '{"kind":"core.cards_drawn","deck":"ai","cards":["claw","bite"],"to":"discard",'
            '"purpose":"turn","source":"table"}',
            '{"kind":"core.chosen","purpose":"pay","picked":["yes"],"offered":["yes","no"],'
            '"about":["erza"],"by":"erza"}',
            '{"kind":"core.noted","text":"it\'s late"}',
            '{"kind":"core.ruled","path":"gold","value":4,"why":"miscounted"}',
        ),
    )
    assert [row[8:] for row in ask("SELECT * FROM draw")] == [
        ("ai", "claw", "discard", "turn", None, "table", None),
        ("ai", "bite", "discard", "turn", None, "table", None),
    ]
    assert [row[8:] for row in ask("SELECT * FROM choice")] == [
        ("pay", "erza", "yes", "yes, no", "erza", None)
    ]
    assert ask("SELECT move, text FROM note") == [(1, "it's late")]
    assert ask("SELECT move, path, value, why FROM ruling") == [(1, "gold", 4, "miscounted")]


def test_what_was_taken_back_is_on_no_branch(ledger: Ledger, ask: Any) -> None:
    head = ledger.append(start(ledger), played(rolled(1)))
    head = undo(ledger, ledger.append(head, played(rolled(2))))
    faces = "SELECT face, branches, in_use FROM roll ORDER BY line, face"
    assert ask(faces) == [(1, "main", 1), (2, None, 0)]
    ledger.create_branch(head.campaign, "luck", head, "bo", AT)
    ledger.append(head, played(rolled(3)))
    assert ask(faces) == [(1, "luck main", 1), (2, None, 0), (3, "main", 1)]
    ledger.use("lanterns", "luck")
    assert ask(faces) == [(1, "luck main", 1), (2, None, 0), (3, "main", 0)]
    ledger.use("lanterns", "main")
    ledger.delete_branch(head.campaign, "luck", "bo", AT)
    assert ask(faces) == [(1, "main", 1), (2, None, 0), (3, "main", 1)]
    assert ask("SELECT branch, in_use, line, move FROM branch") == [("main", 1, 2, 2)]


def test_every_branch_of_a_long_and_winding_history(ledger: Ledger, ask: Any) -> None:
    """Rows by branch are the moves that reading the branch gives, at each of many places."""
    random = Random(7)
    campaigns = [start(ledger, slug).campaign for slug in ("lanterns", "shadows")]
    for step in range(400):
        campaign = random.choice(campaigns)
        names = [branch.name for branch in ledger.branches(campaign)]
        head = ledger.head(campaign, random.choice(names))
        match random.randrange(6):
            case 0 if head.number > 1:
                undo(ledger, head, random.randint(1, min(head.number, 5)))
            case 1:
                ledger.redo(head, "ada", AT)
            case 2 if len(names) < 6:
                place = ledger.position(head, random.randint(0, head.number))
                ledger.create_branch(campaign, f"b{step}", place, "ada", AT)
            case 3 if len(names) > 3 and head.branch != ledger.branch_in_use(campaign):
                ledger.delete_branch(campaign, head.branch, "ada", AT)
            case _:
                append(ledger, head, f"{step}")
        if step % 50 and step < 395:
            continue
        told: dict[tuple[int, int], set[str]] = {}
        in_use: set[tuple[int, int]] = set()
        for id in campaigns:
            for branch in ledger.branches(id):
                for move in ledger.moves(branch.head):
                    told.setdefault((move.line, move.number), set()).add(branch.name)
                    if branch.name == ledger.branch_in_use(id):
                        in_use.add((move.line, move.number))
        rows = ask("SELECT line, move, branches, in_use FROM action_log")
        assert {(row[0], row[1]): set(row[2].split()) for row in rows if row[2]} == told
        assert {row[:2] for row in rows if row[3]} == in_use
        assert len(rows) == ask("SELECT count(*) FROM move")[0][0]
        facts = ask("SELECT line, move, branches FROM fact")
        assert {(row[0], row[1]): set(row[2].split()) for row in facts if row[2]} == told
        heads = {
            (slug, branch.name): branch.head.number
            for id, slug in zip(campaigns, ("lanterns", "shadows"), strict=True)
            for branch in ledger.branches(id)
        }
        assert {
            row[:2]: row[2] for row in ask("SELECT campaign, branch, move FROM branch")
        } == heads


def test_nobody_writes_through_a_view(ledger: Ledger, ask: Any) -> None:
    ledger.append(start(ledger), played(rolled(3)))
    for name in VIEWS:
        for statement in (f"DELETE FROM {name}", f"INSERT INTO {name} DEFAULT VALUES"):
            with pytest.raises(sqlite3.OperationalError, match="cannot modify"):
                ask(statement)


def test_verify_misses_our_views_and_minds_no_others(ledger: Ledger) -> None:
    append(ledger, start(ledger), "a")
    ledger.connection.execute("CREATE VIEW mine AS SELECT count(*) FROM roll")
    ledger.keep_views("1", lambda: {"theirs": "SELECT 1 AS one"})
    assert ledger.verify() == []
    ledger.connection.execute("DROP VIEW roll")
    assert [finding.message for finding in ledger.verify()] == ["The view roll is missing."]
    ledger.connection.execute("CREATE VIEW roll AS SELECT 6 AS face")
    assert [finding.message for finding in ledger.verify()] == [
        "The view roll is not as kdmlog made it."
    ]


def test_a_games_views_are_made_anew_when_they_change(ledger: Ledger, ask: Any) -> None:
    connection = ledger.connection
    connection.execute("CREATE VIEW mine AS SELECT 'mine' AS whose")
    ledger.keep_views("1", lambda: {"one": "SELECT 1 AS n", "gone": "SELECT 1", "mine": "SELECT 0"})
    ledger.keep_views("2", lambda: {"one": "SELECT 2 AS n", "mine": "SELECT 0"})
    ledger.keep_views("2", lambda: {"one": "SELECT 3 AS n"})  # nothing has changed
    assert ask("SELECT n, whose FROM one, mine") == [(2, "mine")]
    assert ask("SELECT name FROM sqlite_schema WHERE name = 'gone'") == []


def test_a_ledger_of_before_the_views_gets_them(path: Path, ask: Any) -> None:
    connection = sqlite3.connect(path)
    for statement in MIGRATIONS[0].statements:
        connection.execute(statement)
    connection.execute("PRAGMA application_id = 0x6B646D6C")
    connection.execute(f"PRAGMA user_version = {MIGRATIONS[0].version}")
    connection.close()
    with Ledger.open(path, readonly=True) as old:
        assert old.verify() == [], "what is only old is not damaged"
    with Ledger.open(path) as ledger:
        ledger.append(start(ledger), played(rolled(5)))
        assert ledger.verify() == []
    assert ask("SELECT face FROM roll") == [(5,)]
