"""G7: what undo, redo, branch and switch cost, and that it does not grow with the history."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from time import perf_counter

import pytest

from kdmlog.ledger import Ledger
from kdmlog.ledger.connection import Synchronous
from kdmlog.session import Session
from kdmlog.session.games import find_game

from .bare import Bare
from .conftest import Campaigns
from .peers import Peers
from .race import Contestant, Race, timed
from .synthetic import moves

TIMES = 20


def undo(session: Session) -> float:
    """Returns the seconds of an undo; a redo, not counted, makes it good."""
    start = perf_counter()
    session.undo()
    spent = perf_counter() - start
    session.redo()
    return spent


def redo(session: Session) -> float:
    """Returns the seconds of a redo, after an undo."""
    session.undo()
    start = perf_counter()
    session.redo()
    return perf_counter() - start


def branch(session: Session) -> float:
    """Returns the seconds of a new branch in the middle of the history."""
    start = perf_counter()
    session.branch("way", at=str(session.head.number // 2))
    spent = perf_counter() - start
    session.delete_branch("way")
    return spent


def switch(session: Session) -> float:
    """Returns the seconds of a switch to another branch."""
    other = "aside" if session.branch_name == "main" else "main"
    start = perf_counter()
    session.switch(other)
    return perf_counter() - start


STEPS = (undo, redo, branch, switch)


Opened = Callable[[int, Synchronous], Session]


@pytest.fixture
def opened(campaign: Campaigns) -> Iterator[Opened]:
    sessions: list[Session] = []

    def open_(events: int, synchronous: Synchronous) -> Session:
        ledger = Ledger.open(campaign(events), synchronous=synchronous)
        found = ledger.campaigns()[0]
        session = Session(ledger, find_game(found.game), found, "main", by="ann")
        session.branch("aside", at=str(session.head.number - 1))
        sessions.append(session)
        return session

    yield open_
    for session in sessions:
        session.close()


def repeated(step: Callable[[Session], float], session: Session) -> Contestant:
    return lambda: sum(step(session) for _ in range(TIMES))


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
def test_a_step_against_a_bare_transaction(
    race: Race, opened: Opened, tmp_path: Path, step: Callable[[Session], float]
) -> None:
    bare = Bare(tmp_path / "bare.db", "FULL")
    race.run(
        *("G7", f"{step.__name__} : a bare transaction, both durable", 2.0),
        repeated(step, opened(1000, "FULL")),
        timed(lambda: [bare.transaction() for _ in range(TIMES)]),
    )
    bare.connection.close()


@pytest.mark.parametrize(
    "events", [100_000, pytest.param(1_000_000, marks=pytest.mark.long)], ids=["100k", "1M"]
)
@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
def test_a_step_does_not_grow_with_the_history(
    race: Race, opened: Opened, peers: Peers, step: Callable[[Session], float], events: int
) -> None:
    """Without the sync, which would hide what grows."""
    others = gits(peers, (1000, 100_000)) if step is branch and events == 100_000 else {}
    race.run(
        *("G7", f"{step.__name__} at {events // 1000}k events : at 1k, NORMAL", 1.2),
        repeated(step, opened(events, "NORMAL")),
        repeated(step, opened(1000, "NORMAL")),
        rounds=30,
        peers=others,
    )


def gits(peers: Peers, lengths: tuple[int, ...]) -> dict[str, Contestant | None]:
    """Returns git's branches in the middle of histories of so many commits."""
    made = [move for move, _ in islice(moves(["beasts_chest", "beasts_maw"], 1), max(lengths))]
    return {
        f"git branch amid {length // 1000}k commits": peers.git_branches(made[:length], TIMES)
        for length in lengths
    }
