"""G4 and G13: what the history costs to read from its start, and to keep."""

from __future__ import annotations

import sqlite3

from kdmlog.session import open_session

from .conftest import Campaigns
from .race import Race, timed


def test_full_replay_against_reading_alone(race: Race, campaign: Campaigns) -> None:
    path = campaign(100_000)
    bare = sqlite3.connect(path)
    with open_session(path) as session:

        def replay() -> None:
            state = session.game.new_state()
            session.codec.fold(state, session.ledger.events(session.head))

        def select() -> None:
            for (_body,) in bare.execute("SELECT body FROM event ORDER BY line, position"):
                pass

        race.run(
            *("G4", "full replay of 100k events : SELECT body", 2.4),
            timed(replay),
            timed(select),
        )
    bare.close()


def test_size_against_the_bodies(race: Race, campaign: Campaigns) -> None:
    path = campaign(100_000)
    bare = sqlite3.connect(path)
    race.benchmark.pedantic(bare.execute, ("PRAGMA wal_checkpoint(TRUNCATE)",))
    (bodies,) = bare.execute("SELECT sum(length(body)) FROM event").fetchone()
    bare.close()
    race.weigh("G13", "file : its JSON bodies, 100k events", 2.1, path.stat().st_size, bodies)
