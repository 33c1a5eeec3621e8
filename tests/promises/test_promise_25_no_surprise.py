"""25: every line can be taken back exactly; what cannot is asked about first, and archived."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from kdmlog.cli.call import Call
from kdmlog.cli.lines import split
from kdmlog.cli.script import act
from kdmlog.core.fingerprint import fingerprint
from kdmlog.session import Session, open_session

from .commands import command, run

SESSIONS = Path(__file__).parents[1] / "sessions"


def rows(db: Path) -> list[object]:
    """Everything that the ledger keeps."""
    connection = sqlite3.connect(db)
    try:
        return [
            connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()
            for table in ("campaign", "line", "move", "event", "ref", "setting")
        ]
    finally:
        connection.close()


def begun(db: Path, name: str) -> list[str]:
    """Starts a session's campaign; returns the lines that follow."""
    text = (SESSIONS / f"{name}.kdm").read_text()
    first, *rest = [line for line in text.splitlines() if line.strip(" \n") and line[0] != "#"]
    run(db, *split(first))
    return rest


def marks(session: Session) -> tuple[str, bytes]:
    return fingerprint(session.table.state), session.head.hash


@pytest.mark.parametrize("name", ["app", "table", "death", "defeat"])
def test_each_line_of_a_session_is_taken_back_and_brought_back(
    name: str, tmp_path: Path, runs: Callable[[int, int], int], measured: Callable[[str], None]
) -> None:
    db = tmp_path / f"{name}.db"
    rest, count = begun(db, name), 0
    with open_session(db) as session:
        session.ledger.connection.execute("PRAGMA synchronous = OFF")
        for line in rest[: runs(25, len(rest))]:
            before, number = marks(session), session.head.number
            act(Call(db=str(db)), session, line)
            after = marks(session)
            undone = session.head.number - number
            for _ in range(undone):
                session.undo(answer=True)
            assert marks(session) == before, line
            session.redo(undone)
            assert marks(session) == after, line
            count += undone
        assert session.verify() == []
    measured(f"{name}: {count} moves taken back and brought back")


def test_what_rewrites_the_past_is_only_kept_when_agreed(tmp_path: Path) -> None:
    db = tmp_path / "agreed.db"
    for line in begun(db, "app")[:10]:
        run(db, *split(line))
    before = rows(db)
    for words in (
        ("amend", "2", "--drop"),
        ("amend", "4", "--after", "note", "x"),
        ("rebase", "--onto", "3"),
    ):
        code, out, _ = command(db, *words)
        assert code == 0 and "--yes keeps it" in out
        assert rows(db) == before


def test_a_branch_whose_name_is_dropped_comes_back_by_its_hash(tmp_path: Path) -> None:
    db = tmp_path / "dropped.db"
    for line in begun(db, "app")[:6]:
        run(db, *split(line))
    run(db, "branch", "brave", "--at", "3")
    run(db, "switch", "brave")
    run(db, "note", "only here")
    with open_session(db) as session:
        mark, place = marks(session), session.head.hash.hex()
    run(db, "switch", "main")
    run(db, "branch", "--delete", "brave")
    run(db, "branch", "again", "--at", f"h:{place[:10]}")
    run(db, "switch", "again")
    with open_session(db) as session:
        assert marks(session) == mark


def test_a_campaign_is_removed_when_agreed_and_comes_back_from_its_archive(
    tmp_path: Path, measured: Callable[[str], None]
) -> None:
    db = tmp_path / "removed.db"
    for line in begun(db, "app")[:12]:
        run(db, *split(line))
    run(db, "undo")
    with open_session(db) as session:
        mark, slug = marks(session), session.campaign.slug
    run(db, "new", "Another")
    before = rows(db)
    code, _, err = command(db, "campaign", "remove", slug)
    assert code != 0 and "--yes" in err
    assert rows(db) == before
    run(db, "campaign", "remove", slug, "--yes")
    [archive] = tmp_path.glob("*.jsonl")
    assert slug not in run(db, "campaigns")
    run(db, "verify")
    run(db, "import", str(archive))
    run(db, "use", slug)
    with open_session(db) as session:
        assert marks(session) == mark
    run(db, "redo")
    run(db, "verify")
    measured("a removed campaign came back from the archive written first, undone move included")


def test_a_hidden_campaign_is_there_again_with_one_command(tmp_path: Path) -> None:
    db = tmp_path / "hidden.db"
    run(db, "new", "Edge")
    before = rows(db)
    run(db, "campaign", "hide", "edge")
    assert "Edge" not in run(db, "campaigns")
    run(db, "campaign", "unhide", "edge")
    assert "Edge" in run(db, "campaigns")
    assert rows(db)[:-1] == before[:-1]
