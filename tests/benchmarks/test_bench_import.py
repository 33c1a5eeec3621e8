"""G3: what it costs to write a whole history at once."""

from __future__ import annotations

from contextlib import closing
from itertools import count, islice
from pathlib import Path
from time import perf_counter

from kdmlog.ledger import Ledger

from .bare import Bare
from .peers import Peers
from .race import Race
from .synthetic import AT, EVENTS_A_MOVE, moves

EVENTS = 100_000


def test_import_against_bare_executemany(race: Race, peers: Peers, tmp_path: Path) -> None:
    names = count(1)
    made = [
        move
        for move, _ in islice(moves(["beasts_chest", "beasts_maw"], 1), EVENTS // EVENTS_A_MOVE)
    ]

    def ours() -> float:
        with Ledger.open(tmp_path / f"ours{next(names)}.db", synchronous="NORMAL") as ledger:
            campaign = ledger.create_campaign("bench", "Bench", "kdm", "uid", "ann", AT)
            head = ledger.head(campaign.id, "main")
            start = perf_counter()
            ledger.extend(head, made)
            return perf_counter() - start

    def bare() -> float:
        with closing(Bare(tmp_path / f"bare{next(names)}.db", "NORMAL")) as other:
            start = perf_counter()
            other.extend(made)
            return perf_counter() - start

    race.run(
        *("G3", "Ledger.extend by 100k events : bare executemany, no chain", 1.6),
        ours,
        bare,
        rounds=9,
        peers={
            "sqlite-utils insert_all": peers.sqlite_utils_import(made),
            "eventsourcing's recorder, no move rows": peers.recorder_import(made),
            "git fast-import": peers.git_import(made),
        },
    )
