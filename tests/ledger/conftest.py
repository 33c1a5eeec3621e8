from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kdmlog.ledger import Ledger


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.kdmlog"


@pytest.fixture
def ledger(path: Path) -> Iterator[Ledger]:
    with Ledger.open(path, synchronous="NORMAL", wait=0.05) as ledger:
        yield ledger
