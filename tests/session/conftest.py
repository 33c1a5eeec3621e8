"""A fresh campaign of the toy game for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from toy import TOY, Again, Start

from kdmlog.session import NewOptions, Session, new_campaign, open_session


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "toy.db"


@pytest.fixture
def start(db: Path) -> Iterator[Start]:
    """Starts a toy campaign; its options are given by name."""
    sessions: list[Session] = []

    def begin(name: str = "Toy", **options: Any) -> Session:
        given = NewOptions(**{"seed": "t", **options})
        session, _ = new_campaign(db, name, game=TOY.id, options=given, by="ann")
        sessions.append(session)
        return session

    yield begin
    for session in sessions:
        session.close()


@pytest.fixture
def toy(start: Start) -> Session:
    return start()


@pytest.fixture
def again(db: Path) -> Iterator[Again]:
    """Opens the campaign in use once more, as another command would."""
    sessions: list[Session] = []

    def reopen() -> Session:
        sessions.append(open_session(db))
        return sessions[-1]

    yield reopen
    for session in sessions:
        session.close()
