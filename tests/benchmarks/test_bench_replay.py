"""G4, G8 and G13: what the history costs to read from its start, and to keep."""

from __future__ import annotations

import json
import sqlite3
from collections import deque
from itertools import islice
from pathlib import Path
from time import perf_counter

from kdmlog.ledger import Head, Ledger
from kdmlog.session import open_session

from .conftest import Campaigns
from .peers import Peers
from .race import Contestant, Race, timed
from .synthetic import AT, moves

FORKS = 1000
MOVES_A_FORK = 33
REBUILD = "eventsourcing's repository.get, only counting"


def test_full_replay_against_reading_alone(race: Race, campaign: Campaigns, peers: Peers) -> None:
    path = campaign(100_000)
    bare = sqlite3.connect(path)
    sql = "SELECT body FROM event ORDER BY line, position"
    with open_session(path) as session:

        def replay() -> None:
            state = session.game.new_state()
            session.codec.fold(state, session.ledger.batches(session.head))

        def select() -> None:
            for (_body,) in bare.execute(sql):
                pass

        def loads() -> None:
            for (body,) in bare.execute(sql):
                json.loads(body)

        measured = race.run(
            *("G4", "full replay of 100k events : SELECT body", 2.4),
            timed(replay),
            timed(select),
            peers={
                "json.loads, not folded": timed(loads),
                REBUILD: peers.rebuild([body for (body,) in bare.execute(sql)]),
            },
        )
    bare.close()
    if REBUILD in measured.peers:
        theirs = measured.peers[REBUILD]
        race.weigh("G4", "full replay : eventsourcing's", 1 / 30, measured.ours, theirs)


def test_reading_through_undo_forks_against_a_straight_line(race: Race, tmp_path: Path) -> None:
    forked, straight = (line(tmp_path / f"{undone}.db", undone) for undone in (True, False))
    race.run(
        *("G8", "reading 99k events through 1,000 undo forks : a straight line", 1.5),
        forked,
        straight,
    )


def line(path: Path, undone: bool) -> Contestant:
    """Returns what reads a history in which every so many moves the last one was taken back."""
    made = (move for move, _ in moves(["beasts_chest", "beasts_maw"], 1))
    with Ledger.open(path, synchronous="NORMAL") as ledger:
        campaign = ledger.create_campaign("bench", "Bench", "kdm", "uid", "ann", AT)
        head = ledger.head(campaign.id, "main")
        for _ in range(FORKS):
            head = ledger.extend(head, islice(made, MOVES_A_FORK))
            if undone:
                after = ledger.extend(head, islice(made, 1))
                head = ledger.point(after, head, "undo", "ann", AT)
        head = ledger.extend(head, islice(made, 1))
    return reading(path, head)


def reading(path: Path, head: Head) -> Contestant:
    """Returns what reads all events up to ``head``, by a ledger that knows no forks yet."""

    def run() -> float:
        with Ledger.open(path, readonly=True) as ledger:
            start = perf_counter()
            deque(ledger.batches(head), maxlen=0)
            return perf_counter() - start

    return run


def test_size_against_the_bodies(race: Race, campaign: Campaigns) -> None:
    path = campaign(100_000)
    bare = sqlite3.connect(path)
    race.benchmark.pedantic(bare.execute, ("PRAGMA wal_checkpoint(TRUNCATE)",))
    (bodies,) = bare.execute("SELECT sum(length(body)) FROM event").fetchone()
    bare.close()
    race.weigh("G13", "file : its JSON bodies, 100k events", 2.1, path.stat().st_size, bodies)
