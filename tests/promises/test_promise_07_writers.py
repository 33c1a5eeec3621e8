"""Many writers and readers at once, some of them killed: every move told of is there, in order."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable
from pathlib import Path

from kdmlog.session import NewOptions, new_campaign, open_session

from .programs import READY, go, programs

WRITER = f"""
import sys
from kdmlog.core.errors import BranchMoved
from kdmlog.session import open_session
db, name, count, strict = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4] == "strict"
with open_session(db, by=name) as session:
    {READY.strip().replace(chr(10), chr(10) + "    ")}
    done = 0
    while done < count:
        session.refresh()
        options = {{"expect": session.head.hash.hex()}} if strict else {{}}
        try:
            result = session.note(f"{{name}} {{done}}", **options)
        except BranchMoved as error:
            print(0, error.code, flush=True)
            continue
        print(result.number, f"{{name}} {{done}}", flush=True)
        done += 1
"""
"""A strict writer names the head that it has seen, and is told when that is no longer so."""
READER = f"""
import sys, threading, time
from kdmlog.session import open_session
db, stop = sys.argv[1], threading.Event()
{READY}
threading.Thread(target=lambda: (sys.stdin.read(), stop.set()), daemon=True).start()
reads = seen = 0
while not stop.is_set():
    with open_session(db, readonly=True) as session:
        number, some = session.head.number, None if reads % 20 == 0 else 20
        found = [move.number for entry in session.log(some) for move, _ in entry.moves]
        assert found == list(range(number, max(number - (some or number), 0), -1)), "a gap"
        assert number >= seen, "moves that were there are gone"
        assert session.table.state.name == "Many"
    seen = number
    reads += 1
    time.sleep(0.02)
print(reads)
"""
"""A reader asks many times a second for the state and the newest moves, and at times for all."""
WRITERS, READERS, KILLED = 8, 8, 3
KINDS = ("strict", "patient")


def test_writers_and_readers_at_once(
    tmp_path: Path, measured: Callable[[str], None], runs: Callable[[int, int], int]
) -> None:
    writers, readers, each = runs(4, WRITERS), runs(2, READERS), runs(40, 200)
    db = tmp_path / "many.db"
    new_campaign(db, "Many", options=NewOptions(seed="many"))[0].close()
    with (
        programs(READER, *[(db,)] * readers) as reading,
        programs(WRITER, *[(db, f"w{n}", each, KINDS[n % 2]) for n in range(writers)]) as writing,
        programs(WRITER, *[(db, f"d{n}", 10_000, KINDS[n % 2]) for n in range(KILLED)]) as doomed,
    ):
        began = time.monotonic()
        go(reading, writing, doomed)
        told: list[str] = []
        for n, process in enumerate(doomed):
            assert process.stdout
            told += [process.stdout.readline() for _ in range(5 * (n + 1))]
            process.send_signal(signal.SIGKILL)
            told += process.stdout.readlines()
        outputs = [process.communicate() for process in writing]
        took = time.monotonic() - began
        reads = [process.communicate() for process in reading]

    assert [error for _, error in outputs] == [""] * writers, "every writer is told, and goes on"
    assert [error for _, error in reads] == [""] * readers, "no reader is refused"
    told += [line for out, _ in outputs for line in out.splitlines()]
    conflicts = sum(line.startswith("0 ") for line in told)
    promised = dict(line.strip().split(" ", 1) for line in told if not line.startswith("0 "))
    with open_session(db, readonly=True) as session:
        kept = {
            str(move.number): json.loads(body)["text"]
            for move in session.ledger.moves(session.head, after=1)
            for body in move.bodies
        }
        assert list(kept) == [str(n) for n in range(2, session.head.number + 1)], "gap-free"
        assert session.verify() == []
    assert promised.items() <= kept.items(), "each is where its writer was told"
    assert len(kept) - len(promised) <= KILLED, "only a killed writer's last was told to nobody"
    for n in range(writers):
        own = [text for text in kept.values() if text.startswith(f"w{n} ")]
        assert own == [f"w{n} {done}" for done in range(each)], "in its own order, once each"
    assert took < 10
    measured(
        f"{writers} x {each} moves and {sum(int(out) for out, _ in reads)} reads in "
        f"{took:.1f} s, {KILLED} more writers killed, {conflicts} conflicts told, 0 gaps"
    )
