"""G5 and G6: what it costs to check the whole history, and to know where the game stands."""

from __future__ import annotations

import sqlite3

import pytest

from kdmlog.ledger import Head
from kdmlog.session import Session, open_session
from kdmlog.session.states import EVERY, States

from .conftest import Campaigns
from .race import Contestant, Race, timed

TAIL = 64
"""Moves after the newest snapshot: a state is found from there, and so costs by how far it is."""


def test_verify_against_reading_alone(race: Race, campaign: Campaigns) -> None:
    path = campaign(100_000)
    bare = sqlite3.connect(path)
    sql = "SELECT body FROM event ORDER BY line, position"

    def select() -> None:
        for (_body,) in bare.execute(sql):
            pass

    with open_session(path, readonly=True) as session:
        assert session.ledger.cache_names("state/"), "there are snapshots to be checked"

        def verify() -> None:
            assert session.verify() == []

        race.run(
            *("G5", "verify of 100k events : SELECT body", 7.0),
            timed(verify),
            timed(select),
            rounds=9,
        )
    bare.close()


def test_the_state_for_a_command_against_a_full_replay(race: Race, campaign: Campaigns) -> None:
    with open_session(campaign(100_000), readonly=True) as session:

        def replay() -> None:
            state = session.game.new_state()
            session.codec.fold(state, session.ledger.batches(place(session)))

        race.run(
            *("G6", "state for a command at 100k events : a full replay", 0.1),
            knowing(session),
            timed(replay),
        )


@pytest.mark.parametrize(
    "events", [100_000, pytest.param(1_000_000, marks=pytest.mark.long)], ids=["100k", "1M"]
)
def test_the_state_for_a_command_does_not_grow_with_the_history(
    race: Race, campaign: Campaigns, events: int
) -> None:
    with (
        open_session(campaign(events), readonly=True) as long,
        open_session(campaign(1000), readonly=True) as short,
    ):
        race.run(
            *("G6", f"state for a command at {events // 1000}k events : at 1k", 1.2),
            knowing(long),
            knowing(short),
            rounds=40,
        )


def place(session: Session) -> Head:
    """Returns the last place that is so far from its snapshot."""
    number = (session.head.number - TAIL) // EVERY * EVERY + TAIL
    return session.ledger.position(session.head, number)


def knowing(session: Session) -> Contestant:
    """Returns what finds a state, as a command does that has just begun."""
    here = place(session)

    def state() -> None:
        assert States(session.ledger, session.game, session.codec).at(here).name

    return timed(state)
