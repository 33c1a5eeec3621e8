"""verify looks at all of a ledger: at every campaign in it, whichever is in use."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from cli_helpers import kdmlog, well

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


def test_what_hangs_on_another_campaign_is_verified_too(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A snapshot is only a cache, but one that is wrong would be believed."""
    monkeypatch.setattr(states, "EVERY", 1)
    with open_session(db, "two") as other, open_session(db, "one") as session:
        session._states.keep(session.head, session.table.state)
        assert well(db, "verify") == ""
        session._states.keep(session.head, other.table.state)
    said = kdmlog(db, "verify")
    assert said.code == 3 and "snapshot" in said.err
