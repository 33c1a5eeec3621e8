"""A crash loses nothing: what was told to be kept is there, whole, and the next start goes on."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from kdmlog.ledger import Ledger
from kdmlog.ledger.witness import Witness

from .commands import command, run
from .crashes import Died, Tell, child, die_at_size, die_now
from .toy_moves import AT, begun, check_whole, new_move

Measured = Callable[[str], None]
Runs = Callable[[int, int], int]

FRESH_EVERY = 40
"""Kills that one ledger lives through."""
FRAME = 24 + 2048
"""Bytes of a page in the write-ahead log: its header, then the page; each is a write."""
FILES = ("", "-wal", "-shm", "-head", "-journal")
Fault = Callable[[Ledger], None]


def playing(path: Path, tell: Tell, fault: Fault) -> None:
    """Appends moves and undoes some, for ever; tells how many steps it was told are kept."""
    with Ledger.open(path) as ledger:
        fault(ledger)
        head = ledger.head(1, "main")
        while True:
            for _ in range(3):
                head = ledger.append(head, new_move(count(ledger)))
                tell(count(ledger))
            head = ledger.point(head, ledger.position(head, head.number - 1), "undo", "ann", AT)
            tell(count(ledger))


def count(ledger: Ledger) -> int:
    """Returns how many steps there are, moves and refs; they only grow."""
    moves, refs = (
        ledger.connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        for table in ("move", "ref")
    )
    return int(moves + refs)


class Toll:
    """What the kills have cost so far."""

    def __init__(self) -> None:
        self.kills = self.lost = self.half = self.torn = 0

    def take(self, path: Path, died: Died, known: int) -> None:
        """Looks what a killed program left; the next start needs no hand."""
        assert died.signal in (signal.SIGKILL, signal.SIGXFSZ)
        self.kills += 1
        with Ledger.open(path) as ledger:
            now = count(ledger)
            self.lost += max(0, died.told[-1] - now) if died.told else max(0, known - now)
            # A move or an undo is one step or, where a line opens, two: never a part of those.
            assert now <= (died.told[-1] if died.told else known) + 2
            head = ledger.head(1, "main")
            try:
                check_whole(ledger, head)
            except AssertionError:
                self.half += 1
            findings = ledger.verify()
            self.half += bool(findings)
            assert ledger.append(head, new_move(now)).number == head.number + 1

    def pay(self, measured: Measured, what: str) -> None:
        """Says what came out, and that it was nothing."""
        measured(f"{self.kills} {what}: {self.lost} moves lost, {self.half} half ones")
        assert (self.lost, self.half) == (0, 0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kdm.db"


def clear(path: Path) -> None:
    for suffix in FILES:
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def again(path: Path, times: int, every: int = FRESH_EVERY, moves: int = 0) -> Iterator[int]:
    """Yields how many steps a ledger has, time after time; now and then it is a new one."""
    for n in range(times):
        if n % every == 0:
            clear(path)
            with Ledger.open(path) as ledger:
                ledger.extend(begun(ledger), map(new_move, range(moves)))
        with Ledger.open(path, readonly=True) as ledger:
            known = count(ledger)
        yield known


def log_size(path: Path) -> int:
    return path.with_name(path.name + "-wal").stat().st_size


def test_killed_at_random_times(path: Path, runs: Runs, measured: Measured) -> None:
    random, toll = Random(1), Toll()
    for known in again(path, runs(5, 250)):
        delay = random.uniform(0.001, 0.03)
        died = child(lambda tell: playing(path, tell, lambda _: None), after=delay)
        toll.take(path, died, known)
    toll.pay(measured, "kills at random times")


def test_killed_in_the_midst_of_a_write(path: Path, runs: Runs, measured: Measured) -> None:
    """At the borders of each write into the log, next to them, and anywhere within one."""
    random, toll, exact = Random(2), Toll(), 0
    for known in again(path, runs(7, 350)):
        within = random.choice((0, 1, 23, 24, 25, FRAME - 1, random.randrange(FRAME)))
        died = child(torn(path, random.randrange(12) * FRAME + within))
        [size] = [-number for number in died.told if number < 0]
        exact += log_size(path) == size
        told = [number for number in died.told if number > 0]
        toll.take(path, Died(told, died.signal), known)
    assert exact == toll.kills, "each write was torn at the very byte"
    toll.pay(measured, "writes torn at a byte of the log")


def torn(path: Path, into: int) -> Callable[[Tell], None]:
    """Returns play that dies so many bytes further into the log; it tells where, as minus."""

    def work(tell: Tell) -> None:
        def fault(ledger: Ledger) -> None:
            ledger.append(ledger.head(1, "main"), new_move(0))  # log and index are there then
            tell(-(log_size(path) + into))
            die_at_size(log_size(path) + into)

        playing(path, tell, fault)

    return work


def test_killed_in_the_midst_of_a_checkpoint(path: Path, runs: Runs, measured: Measured) -> None:
    """When the log is written into the file: a page is torn there, and the log has it still."""
    random, toll = Random(3), Toll()
    for known in again(path, runs(4, 150), every=10, moves=150):
        at = random.randrange(path.stat().st_size // 2, path.stat().st_size)
        died = child(lambda tell, at=at: checkpoint(path, tell, at))
        if died.signal:
            toll.take(path, died, known)
    assert toll.kills >= runs(1, 75)
    toll.pay(measured, "kills in a checkpoint")


def checkpoint(path: Path, tell: Tell, at: int) -> None:
    """Appends a few moves and closes, which writes the log into the file; dies at that byte."""
    with Ledger.open(path) as ledger:
        head = ledger.head(1, "main")
        for _ in range(6):
            head = ledger.append(head, new_move(count(ledger)))
            tell(count(ledger))
        die_at_size(max(at, log_size(path) + 1))


def test_killed_between_any_two_steps_of_sqlite(path: Path, runs: Runs, measured: Measured) -> None:
    random, toll = Random(4), Toll()
    for known in again(path, runs(4, 150)):
        left = iter(range(random.randrange(1, 1500)))

        def fault(ledger: Ledger, left: Iterator[int] = left) -> None:
            ledger.connection.set_progress_handler(
                lambda: next(left, None) is None and die_now(), 1
            )

        toll.take(path, child(lambda tell, fault=fault: playing(path, tell, fault)), known)
    toll.pay(measured, "kills between SQLite's steps")


def test_killed_between_commit_and_witness(
    path: Path, runs: Runs, measured: Measured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is ahead of its witness then, which is no alarm."""
    toll = Toll()

    def fault(ledger: Ledger) -> None:
        monkeypatch.setattr(Witness, "_write", lambda *_: die_now())

    for known in again(path, runs(2, 30)):
        toll.take(path, child(lambda tell: playing(path, tell, fault)), known)
    toll.pay(measured, "kills before the witness was told")


def test_killed_while_a_ledger_is_made(path: Path, runs: Runs, measured: Measured) -> None:
    random, kills = Random(5), 0
    for _ in range(runs(5, 100)):
        clear(path)
        size = random.randrange(130_000)
        died = child(lambda tell, size=size: made(path, tell, size))
        kills += bool(died.signal)
        with Ledger.open(path) as ledger:
            campaigns = ledger.campaigns()
            head = ledger.head(1, "main") if campaigns else begun(ledger)
            assert head.number >= max(died.told, default=0)
            assert campaigns or not died.told
            check_whole(ledger, head)
            ledger.append(head, new_move(0))
            assert ledger.verify() == []
    measured(f"{kills} kills while a ledger was made")
    assert kills > runs(1, 50)


def made(path: Path, tell: Tell, size: int) -> None:
    """Makes a ledger and begins to play; dies where a file would be larger than that."""
    die_at_size(size)
    with Ledger.open(path) as ledger:
        head = begun(ledger)
        tell(0)
        for move in range(40):
            head = ledger.append(head, new_move(move))
            tell(head.number)


def test_a_command_that_printed_success_is_kept(path: Path, runs: Runs, measured: Measured) -> None:
    random, kills, lost = Random(6), 0, 0
    run(path, "new", "Edge", "--seed", "x")
    for _ in range(runs(2, 60)):
        died = child(lambda tell: noting(path, tell), after=random.uniform(0.02, 0.2))
        kills += died.signal == signal.SIGKILL
        now = int(run(path, "log", "-n", "1").split()[0])
        lost += max(0, max(died.told, default=0) - now)
        assert not died.told or now <= died.told[-1] + 1
        assert run(path, "verify") == ""
        run(path, "note", "after")
    measured(f"{kills} kills of commands: {lost} moves lost")
    assert kills and lost == 0


def noting(path: Path, tell: Tell) -> None:
    """Runs command after command; tells the move that each has printed."""
    while True:
        code, out, _ = command(path, "note", "kept")
        assert code == 0 and "note: kept" in out
        tell(int(out.split()[0]))
