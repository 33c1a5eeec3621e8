"""What other programs do with the same moves: sqlite-utils, eventsourcing, git.

A method returns None where its program is not installed. All that it needs is made before the
contestant runs, and is closed with the bench.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import ExitStack, closing
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any

from kdmlog.ledger import NewMove

from .bare import Bare
from .race import Contestant, timed

_MOVE = (
    *("line", "number", "kind", "begins", "input", "by", "at"),
    *("request_id", "writer", "rules", "first", "last", "hash"),
)
_EVENT = ("line", "position", "move", "body")
_COMMITS = 10
"""``git commit`` takes milliseconds: so many are measured, and counted as many times over."""


class Peers:
    """The contestants of one bench, with files in its folder."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder = folder
        self._stack = stack
        self._names = count(1)

    def _path(self) -> Path:
        return self._folder / f"peer{next(self._names)}.db"

    # --- sqlite-utils ------------------------------------------------------------------------

    def sqlite_utils_appends(self, moves: Sequence[NewMove]) -> Contestant:
        """Inserts each move and its events in a transaction, ``synchronous=NORMAL``."""
        from sqlite_utils import Database

        bare = self._stack.enter_context(closing(Bare(self._path(), "NORMAL")))
        database = Database(bare.connection)

        def append() -> None:
            for move in moves:
                row, events = bare.rows(move)
                with database.atomic():
                    database["move"].insert(dict(zip(_MOVE, row, strict=True)))
                    database["event"].insert_all(
                        dict(zip(_EVENT, each, strict=True)) for each in events
                    )

        return timed(append)

    def sqlite_utils_import(self, moves: Sequence[NewMove]) -> Contestant:
        """Inserts all moves with two ``insert_all`` in one transaction, into a new file."""
        from sqlite_utils import Database

        def run() -> float:
            with closing(Bare(self._path(), "NORMAL")) as bare:
                database = Database(bare.connection)
                start = perf_counter()
                made = [bare.rows(move) for move in moves]
                with database.atomic():
                    database["move"].insert_all(
                        dict(zip(_MOVE, row, strict=True)) for row, _ in made
                    )
                    database["event"].insert_all(
                        dict(zip(_EVENT, each, strict=True)) for _, its in made for each in its
                    )
                return perf_counter() - start

        return run

    # --- eventsourcing -----------------------------------------------------------------------

    def recorder_appends(self, moves: Sequence[NewMove]) -> Contestant | None:
        """Records each move's events in a transaction, ``synchronous=NORMAL``; without chain."""
        es = _eventsourced()
        if es is None:
            return None
        recorder = es.recorder(self._path())
        self._stack.callback(recorder.datastore.close)
        stored, version = es.stored, count(1)

        def append() -> None:
            for move in moves:
                recorder.insert_events([stored(next(version), body) for body in move.bodies])

        return timed(append)

    def recorder_import(self, moves: Sequence[NewMove]) -> Contestant | None:
        """Records all moves' events in one transaction, into a new file."""
        es = _eventsourced()
        if es is None:
            return None
        stored = es.stored

        def run() -> float:
            recorder = es.recorder(self._path())
            start = perf_counter()
            bodies = (body for move in moves for body in move.bodies)
            recorder.insert_events([stored(at, body) for at, body in enumerate(bodies, 1)])
            spent = perf_counter() - start
            recorder.datastore.close()
            return spent

        return run

    def saves(self, moves: Sequence[NewMove]) -> Contestant | None:
        """Has an aggregate make each move's events, and saves it, ``synchronous=NORMAL``."""
        es = _eventsourced()
        if es is None:
            return None
        app = self._stack.enter_context(closing(es.application(self._path())))
        log = es.Log()
        app.save(log)

        def append() -> None:
            for move in moves:
                for body in move.bodies:
                    log.happen(body=body)
                app.save(log)

        return timed(append)

    def rebuild(self, bodies: Sequence[str]) -> Contestant | None:
        """Rebuilds an aggregate that does nothing but count from as many events."""
        es = _eventsourced()
        if es is None:
            return None
        app = self._stack.enter_context(closing(es.application(self._path())))
        log = es.Log()
        for body in bodies:
            log.happen(body=body)
        app.save(log)

        def run() -> None:
            assert app.repository.get(log.id).seen == len(bodies)

        return timed(run)

    # --- git ---------------------------------------------------------------------------------

    def git_commits(self, moves: Sequence[NewMove]) -> Contestant | None:
        """Commits each move's events as a message, without a sync."""
        repository = self._repository()
        if repository is None:
            return None
        messages = [_message(move) for move in moves[:_COMMITS]]

        def run() -> float:
            start = perf_counter()
            for message in messages:
                repository.git("commit", "-q", "--allow-empty", "-F", "-", stdin=message)
            return (perf_counter() - start) / len(messages) * len(moves)

        return run

    def git_import(self, moves: Sequence[NewMove]) -> Contestant | None:
        """Imports all moves with ``git fast-import``, each as a commit with its message."""
        stream = _stream(moves)

        def run() -> float:
            repository = self._repository()
            assert repository is not None
            return timed(lambda: repository.git("fast-import", "--quiet", stdin=stream))()

        return run if shutil.which("git") else None

    def git_branches(self, moves: Sequence[NewMove], times: int) -> Contestant | None:
        """Makes a branch at the middle of as many commits, so many times."""
        repository = self._repository()
        if repository is None:
            return None
        repository.git("fast-import", "--quiet", stdin=_stream(moves))
        middle = f"main~{len(moves) // 2}"

        def run() -> float:
            spent = timed(lambda: repository.git("branch", "way", middle))()
            repository.git("branch", "-q", "-D", "way")
            return spent * times

        return run

    def _repository(self) -> _Repository | None:
        return _Repository(self._path()) if shutil.which("git") else None


class _Repository:
    """A git repository of its own, whatever git's surroundings and settings are."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        self._env = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CEILING_DIRECTORIES": str(folder.parent),
            **{f"GIT_{who}_NAME": "ann" for who in ("AUTHOR", "COMMITTER")},
            **{f"GIT_{who}_EMAIL": "ann@example.org" for who in ("AUTHOR", "COMMITTER")},
        }
        self.git("init", "-q", "-b", "main")
        for key, value in (("gc.auto", "0"), ("core.fsync", "none")):
            self.git("config", key, value)

    def git(self, *words: str, stdin: bytes = b"") -> None:
        subprocess.run(
            ["git", *words],
            cwd=self._folder,
            env=self._env,
            input=stdin,
            check=True,
            capture_output=True,
        )


def _message(move: NewMove) -> bytes:
    return "\n".join(move.bodies).encode()


def _stream(moves: Sequence[NewMove]) -> bytes:
    """The moves as ``git fast-import`` reads commits."""
    parts = []
    for at, move in enumerate(moves, 1_700_000_000):
        message = _message(move)
        parts.append(
            b"commit refs/heads/main\ncommitter ann <ann@example.org> %d +0000\ndata %d\n%s\n"
            % (at, len(message), message)
        )
    return b"".join(parts)


def _eventsourced() -> Any:
    """The module that knows ``eventsourcing``, if that is installed."""
    if find_spec("eventsourcing") is None:
        return None
    from . import eventsourced

    return eventsourced
