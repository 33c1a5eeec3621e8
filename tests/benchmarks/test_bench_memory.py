"""G12: what memory a full replay needs, which must not grow with the history."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import median

import pytest

from .conftest import Campaigns
from .race import Race

STATUS = Path("/proc/self/status")
IMPORTS = """
import sys
from kdmlog.session import open_session
from kdmlog.session.codec import Codec
from kdmlog.session.games import find_game

game = find_game("kdm")
codec, state = Codec(game), game.new_state()
"""
REPLAY = """
with open_session(sys.argv[1]) as session:
    codec.fold(state, session.ledger.batches(session.head))
assert state.name
"""
# Not getrusage: a child's maximum there begins with what its parent had.
PEAK = f"""
for line in open({str(STATUS)!r}):
    if line.startswith("VmHWM"):
        print(line.split()[1])
"""
MIB = 2**20

pytestmark = pytest.mark.skipif(not STATUS.exists(), reason="reads the peak from /proc")


def peak(code: str, path: Path, env: dict[str, str]) -> float:
    """Returns the most bytes that a process held, as the median of some."""

    def once() -> int:
        done = subprocess.run(
            [sys.executable, "-c", code + PEAK, str(path)],
            env=env,
            capture_output=True,
            text=True,
            check=True,
        )
        return int(done.stdout) * 1024

    once()  # bytecode written
    return median(once() for _ in range(5))


def test_replay_needs_little_memory(
    race: Race, campaign: Campaigns, installed: dict[str, str]
) -> None:
    path = campaign(100_000)
    imports = peak(IMPORTS, path, installed)
    full = race.benchmark.pedantic(peak, (IMPORTS + REPLAY, path, installed))
    race.weigh(
        *("G12", "peak memory of a replay of 100k, without imports : 6 MiB", 1.0),
        full - imports,
        6 * MIB,
    )


@pytest.mark.long
def test_memory_does_not_grow_with_the_history(
    race: Race, campaign: Campaigns, installed: dict[str, str]
) -> None:
    short = peak(IMPORTS + REPLAY, campaign(100_000), installed)
    path = campaign(1_000_000)
    long = race.benchmark.pedantic(peak, (IMPORTS + REPLAY, path, installed))
    race.weigh("G12", "peak memory of a replay of 1M events : of 100k", 1.1, long, short)
