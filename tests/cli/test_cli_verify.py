"""verify looks at all of a ledger: at every campaign in it, whichever is in use."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from cli_helpers import kdmlog, well

from kdmlog.core.actions import Note
from kdmlog.ledger import Ledger
from kdmlog.ledger.verify import TOGETHER
from kdmlog.session import open_session, states


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """A ledger of two campaigns, the second in use."""
    path = tmp_path / "kdm.db"
    for name in ("One", "Two"):
        well(path, "new", name, "--seed", name)
        well(path, "note", "a note")
    return path


def forge(db: Path, line: int) -> None:
    """Alters the second move of a line as any program can, and puts its trigger back."""
    with closing(sqlite3.connect(db)) as connection:
        [(trigger,)] = connection.execute(
            "SELECT sql FROM sqlite_schema WHERE name = 'move_no_update'"
        )
        connection.execute("DROP TRIGGER move_no_update")
        connection.execute("UPDATE move SET by = 'eve' WHERE number = 2 AND line = ?", (line,))
        connection.execute(trigger)
        connection.commit()


def test_a_forged_move_of_a_campaign_that_is_not_in_use_is_found(db: Path) -> None:
    assert well(db, "verify") == ""
    forge(db, 1)
    said = kdmlog(db, "verify")
    assert (said.code, said.out) == (3, "")
    assert said.err.startswith("Move 2 of line 1 is not what was appended.")
    [finding] = json.loads(kdmlog(db, "--json", "verify").out)["findings"]
    assert (finding["code"], finding["move"]) == ("move", 2)


def test_one_campaign_is_verified_when_it_is_named(db: Path) -> None:
    forge(db, 1)
    assert well(db, "-c", "Two", "verify") == ""
    assert kdmlog(db, "-c", "One", "verify").code == 3
    assert kdmlog(db, "-c", "Nobody", "verify").code == 1


def test_all_is_verified_when_no_campaign_is_in_use(db: Path) -> None:
    with closing(sqlite3.connect(db)) as connection:
        connection.execute("DELETE FROM setting WHERE key = 'campaign'")
        connection.commit()
    assert well(db, "verify") == ""
    forge(db, 2)
    said = kdmlog(db, "verify")
    assert said.code == 3 and "line 2" in said.err


def test_what_hangs_on_another_campaign_is_verified_too(db: Path) -> None:
    """A snapshot is only a cache, but one that is wrong would be believed."""
    with open_session(db, "two") as other, open_session(db, "one") as session:
        while session.head.number < states.EVERY:
            session.perform(Note(text="what a lion"))
        assert well(db, "verify") == ""
        session._states.keep(session.head, other.table.state)
    said = kdmlog(db, "verify")
    assert said.code == 3 and "snapshot" in said.err


def test_a_snapshot_is_met_where_some_moves_end_that_are_verified_together() -> None:
    assert states.EVERY % TOGETHER == 0


def test_verify_ends_no_transaction_that_it_has_not_begun(db: Path) -> None:
    with Ledger.open(db) as ledger:
        ledger.connection.execute("BEGIN")
        ledger.connection.execute("UPDATE setting SET value = 'one' WHERE key = 'campaign'")
        assert ledger.verify() == []
        assert ledger.connection.in_transaction
        ledger.connection.execute("ROLLBACK")


def test_a_ledger_is_verified_whose_file_has_gone_elsewhere(db: Path) -> None:
    with Ledger.open(db) as ledger:
        for name in (db.name, f"{db.name}-wal", f"{db.name}-shm"):
            if (file := db.with_name(name)).exists():
                file.rename(db.with_name(f"gone-{name}"))
        assert ledger.verify() == []
