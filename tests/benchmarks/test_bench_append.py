"""G1 and G2: what a move costs that is appended to an open ledger."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter

from kdmlog.core.actions import Note
from kdmlog.core.game import Action
from kdmlog.core.inputs import Inputs
from kdmlog.games.kdm import actions as a
from kdmlog.ledger import Head, Ledger, NewMove
from kdmlog.session import Session

from .bare import Bare
from .conftest import Campaigns
from .peers import Peers
from .race import Race, timed
from .synthetic import AT, moves

MOVES = [move for move, _ in islice(moves(["beasts_chest", "beasts_maw"], 1), 100)]


def test_append_against_bare_sqlite(
    race: Race, campaign: Campaigns, peers: Peers, tmp_path: Path
) -> None:
    bare = Bare(tmp_path / "bare.db", "NORMAL")
    with Ledger.open(campaign(1000), synchronous="NORMAL") as ledger:
        race.run(
            *("G1", "append of 3 events : bare sqlite3, NORMAL", 1.4),
            timed(appending(ledger)),
            timed(lambda: bare.append_all(MOVES)),
            rounds=40,
            peers={
                "sqlite-utils insert, insert_all": peers.sqlite_utils_appends(MOVES),
                "eventsourcing's recorder, no move rows": peers.recorder_appends(MOVES),
                "eventsourcing's Application.save": peers.saves(MOVES),
                "git commit": peers.git_commits(MOVES),
            },
        )
    bare.connection.close()


def test_durable_append_against_a_synced_write(
    race: Race, campaign: Campaigns, tmp_path: Path
) -> None:
    texts = ["\n".join([move.input, *move.bodies, ""]).encode() for move in MOVES]
    file = os.open(tmp_path / "log", os.O_CREAT | os.O_WRONLY | os.O_APPEND)

    def write() -> None:
        for text in texts:
            os.write(file, text)
            os.fdatasync(file)

    with Ledger.open(campaign(1000)) as ledger:
        race.run(
            *("G2", "append of 3 events : write + fdatasync", 1.8),
            timed(appending(ledger)),
            timed(write),
            rounds=20,
        )
    os.close(file)


NOTE = Note(text="What a lion.")


def test_perform_a_note(race: Race, showdown: Session, tmp_path: Path) -> None:
    perform(race, showdown, tmp_path, "note", NOTE)


def test_perform_a_move(race: Race, showdown: Session, tmp_path: Path) -> None:
    perform(race, showdown, tmp_path, "move", a.Move(survivor="erza"))


def test_perform_an_attack(race: Race, showdown: Session, tmp_path: Path) -> None:
    attack = a.Attack(survivor="erza", weapon="founding_stone")
    perform(race, showdown, tmp_path, "attack that misses", attack, dice=["1", "2"])


def appending(ledger: Ledger) -> Callable[[], None]:
    """Returns what appends the moves, after those before."""
    head: Head = ledger.head(ledger.campaigns()[0].id, "main")

    def append() -> None:
        nonlocal head
        for move in MOVES:
            head = ledger.append(head, move)

    return append


def perform(
    race: Race,
    session: Session,
    tmp_path: Path,
    name: str,
    action: Action,
    dice: list[str] | None = None,
) -> None:
    """Races a whole ``perform`` with bare SQLite writing that very move."""
    inputs = Inputs(dice=dice or [])
    session.perform(action, inputs, at=AT)
    kept = session.ledger.move(session.head, session.head.number)
    made = NewMove("acted", None, kept.input, list(kept.bodies), "ann", AT, None, kept.rules)
    bare = Bare(tmp_path / "bare.db", "NORMAL")

    def seconds(one: Callable[[], object]) -> float:
        spent = []
        for _ in range(20):
            # Not counted: the action is legal again, and the branch follows a line, as in play.
            session.undo()
            session.perform(NOTE, at=AT)
            start = perf_counter()
            one()
            spent.append(perf_counter() - start)
        return median(spent)  # else another program's turn falls on whoever takes longer

    race.run(
        *("G1", f"perform {name} ({len(kept.bodies)} events) : bare sqlite3, NORMAL", 3.0),
        lambda: seconds(lambda: session.perform(action, inputs, at=AT)),
        lambda: seconds(lambda: bare.append(made)),
        rounds=40,
    )
    bare.connection.close()
