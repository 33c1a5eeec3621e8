"""Export, then import: the same events, hashes, states and oplog; twice adds nothing."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from toy import TOY, Buy, Gamble, Rest, Seek

from kdmlog.core.errors import KdmlogError
from kdmlog.core.fingerprint import fingerprint
from kdmlog.core.game import Action
from kdmlog.core.inputs import Inputs
from kdmlog.ledger import Ledger
from kdmlog.session import NewOptions, Session, Write, new_campaign, open_session
from kdmlog.session.archive import export_archive, import_archive
from kdmlog.session.rebase import Correction, amend
from tests.benchmarks.synthetic import build
from tests.sessions.test_sessions import NAMES, play

ACTIONS: list[Action] = [Seek(hero="ada"), Buy(what="rope"), Gamble(), Rest()]
ANSWERS = ([], ["ada"], ["pass"], ["beg"], ["gold"], ["gold=3"], ["7", "0"], ["none"])


class Told(NamedTuple):
    """All that a campaign tells about itself."""

    oplog: list[tuple[object, ...]]
    branches: dict[str, tuple[str, int, str, list[bytes]]]


def told(path: Path) -> Told:
    """What the ledger at ``path`` says of its campaign: no local id, and everything else."""
    with open_session(path, readonly=True) as session:
        ledger, campaign = session.ledger, session.campaign.id
        assert session.verify() == []
        steps = [
            (one.branch, one.number, one.follows, one.reason, one.by, one.at, one.hash)
            for one in session.oplog()
        ]
        branches = {}
        for one in session.branches():
            table = session.at(one.name)
            moves = list(ledger.moves(one.head))
            hashes = [move.hash for move in moves]
            texts = str([(move.writer, move.request_id, move.bodies) for move in moves])
            redo = str([place.hash for place in ledger.redo_stack(campaign, one.name)])
            branches[one.name] = (
                *(fingerprint(table.state), one.head.number, texts + redo, hashes),
            )
        return Told(steps, branches)


def round_trip(path: Path) -> int:
    """Holds one campaign to the promise; returns how many moves it has."""
    file, copy = path.with_suffix(".jsonl"), path.with_name(f"{path.stem}-copy.db")
    with open_session(path, readonly=True) as session:
        written = export_archive(session, str(file))
    brought = import_archive(copy, str(file))
    assert brought.moves == written.counts.moves
    assert told(copy) == told(path)
    with open_session(copy, readonly=True) as session:
        again = path.with_suffix(".again.jsonl")
        assert export_archive(session, str(again)).blake2b == written.blake2b
        assert again.read_bytes() == file.read_bytes()
    before = copy.read_bytes()
    twice = import_archive(copy, str(file))
    assert (twice.moves, twice.refs, twice.packs) == (0, 0, 0)
    assert copy.read_bytes() == before
    return written.counts.moves


def wander(path: Path, chance: random.Random, steps: int, session: Session | None = None) -> None:
    """Plays a toy campaign in every way there is: moves, questions, undo, redo, branches."""
    if session is None:
        options = NewOptions(seed=str(chance.random()), ask_dice=chance.random() < 0.5)
        session, _ = new_campaign(path, "Walk", game=TOY.id, options=options, by="ann")
    with session:
        session.ledger.connection.execute("PRAGMA synchronous = OFF")
        for step in range(steps):
            try:
                _one(session, chance, step)
            except KdmlogError:
                continue


def _one(session: Session, chance: random.Random, step: int) -> None:
    match chance.randrange(10):
        case 0:
            session.undo(chance.randint(1, 3))
        case 1:
            session.redo()
        case 2:
            place = str(chance.randint(1, session.head.number))
            session.branch(f"b{step}", place, reseed=chance.random() < 0.5)
        case 3:
            session.switch(chance.choice(session.branches()).name)
        case 4:
            session.delete_branch(chance.choice(session.branches()).name)
        case 5 if session.head.number > 2 and chance.random() < 0.5:
            move = chance.randint(2, session.head.number)
            amend(session, Correction(move), Write(), keep=True)
        case 5:
            session.note(f"n{step}", request_id=f"r{step}")
        case _ if session.open is not None:
            session.answer(list(chance.choice(ANSWERS)))
        case _:
            inputs = Inputs(dice=["7", "3"] if chance.random() < 0.2 else [])
            session.perform(chance.choice(ACTIONS), inputs)


def test_random_campaigns(
    tmp_path: Path, runs: Callable[[int, int], int], measured: Callable[[str], None]
) -> None:
    count, moves = runs(12, 300), 0
    for seed in range(count):
        path = tmp_path / f"{seed}.db"
        wander(path, random.Random(seed), 60)
        moves += round_trip(path)
    measured(f"{count} random campaigns, {moves} moves, exact")


@pytest.mark.parametrize("name", NAMES)
def test_the_prologue(name: str, tmp_path: Path) -> None:
    path = tmp_path / "kdm.db"
    play(name, path).close()
    round_trip(path)


def test_a_long_campaign(
    tmp_path: Path, runs: Callable[[int, int], int], measured: Callable[[str], None]
) -> None:
    events = runs(5_000, 50_000)
    round_trip(build(tmp_path / "long.db", events))
    measured(f"{events} events, exact")


def test_parts_in_any_order_come_to_the_same(
    tmp_path: Path, runs: Callable[[int, int], int], measured: Callable[[str], None]
) -> None:
    """Bundles of one campaign as it grew: each order of importing them ends where it stands."""
    count = runs(6, 100)
    for seed in range(count):
        chance, path = random.Random(seed), tmp_path / f"{seed}.db"
        files = []
        for n in range(4):
            there = open_session(path) if path.exists() else None
            wander(path, chance, 12, there)
            with open_session(path, readonly=True) as session:
                files.append(tmp_path / f"{seed}-{n}.jsonl")
                export_archive(session, str(files[-1]))
        whole = told(path)
        for _ in range(3):
            copy = tmp_path / f"{seed}-{chance.random()}.db"
            for file in chance.sample(files, len(files)):
                import_archive(copy, str(file))
            assert told(copy) == whole
    measured(f"{count} x 4 bundles in any order, the same")


def test_two_who_went_on_are_told_the_same_conflict(tmp_path: Path) -> None:
    wander(tmp_path / "base.db", random.Random(1), 20)
    with open_session(tmp_path / "base.db") as session:
        export_archive(session, str(tmp_path / "base.jsonl"))
    for name in ("one", "two"):
        import_archive(tmp_path / f"{name}.db", str(tmp_path / "base.jsonl"))
        with open_session(tmp_path / f"{name}.db") as session:
            session.note(name)
            export_archive(session, str(tmp_path / f"{name}.jsonl"))
    told_conflicts = []
    for mine, theirs in (("one", "two"), ("two", "one")):
        before = told(tmp_path / f"{mine}.db")
        with pytest.raises(KdmlogError) as caught:
            import_archive(tmp_path / f"{mine}.db", str(tmp_path / f"{theirs}.jsonl"))
        assert caught.value.code == "diverged"
        assert told(tmp_path / f"{mine}.db") == before
        told_conflicts.append((caught.value.data["branch"], caught.value.data["shared"]))
    assert told_conflicts[0] == told_conflicts[1]


def test_what_every_export_can_be_is_read_by_import(tmp_path: Path) -> None:
    """Up to each move, too: the part is a campaign of its own, and the rest can follow."""
    path = tmp_path / "walk.db"
    wander(path, random.Random(5), 50)
    with open_session(path, readonly=True) as session:
        export_archive(session, str(tmp_path / "whole.jsonl"))
        for move in range(1, session.head.number + 1):
            part, copy = tmp_path / f"{move}.jsonl", tmp_path / f"{move}.db"
            export_archive(session, str(part), upto=str(move))
            import_archive(copy, str(part))
            with Ledger.open(copy) as ledger:
                assert ledger.verify() == []
            with open_session(copy, readonly=True) as there:
                state = session.at(str(move)).state
                assert fingerprint(there.table.state) == fingerprint(state)
            import_archive(copy, str(tmp_path / "whole.jsonl"))
            assert told(copy).branches.keys() == told(path).branches.keys()
