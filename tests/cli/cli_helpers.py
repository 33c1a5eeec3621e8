"""What the tests of the command line share: one command in this process, and campaigns begun."""

from __future__ import annotations

import io
import json
import shutil
import sqlite3
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

from kdmlog.cli.call import Call
from kdmlog.cli.main import execute
from kdmlog.cli.script import lines
from kdmlog.core.fingerprint import fingerprint
from kdmlog.session import open_session

SESSIONS = Path(__file__).parents[1] / "sessions"
FOUNDERS = ("Allister m", "Erza f", "Lucy f", "Zachary m")


class Said(NamedTuple):
    """What a command gave back."""

    code: int
    out: str
    err: str


def kdmlog(db: Path, *words: str) -> Said:
    """Runs one command as a shell without a terminal would."""
    call, out, err = Call(scripted=True), io.StringIO(), io.StringIO()
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = execute(["--db", str(db), *words], call)
    finally:
        if call.session is not None:
            call.session.close()
    return Said(code, out.getvalue(), err.getvalue())


def well(db: Path, *words: str) -> str:
    """Runs a command that must succeed; returns what it printed."""
    said = kdmlog(db, *words)
    assert (said.code, said.err) == (0, ""), f"{words}: {said}"
    return said.out


def look(db: Path, path: str = "") -> Any:
    """Returns the public state, or what is at a path of it."""
    return json.loads(well(db, "state", *([path] if path else [])))


def head(db: Path) -> str:
    """Returns the hash of the move at which the branch in use stands."""
    with open_session(db, readonly=True) as session:
        return session.head.hash.hex()


def mark(db: Path) -> str:
    """Returns the fingerprint of the whole state, hidden parts too."""
    with open_session(db, readonly=True) as session:
        return fingerprint(session.table.state)


def moves(db: Path) -> int:
    """Returns how many moves the ledger holds on all its lines."""
    connection = sqlite3.connect(db)
    try:
        [(count,)] = connection.execute("SELECT count(*) FROM move")
        return int(count)
    finally:
        connection.close()


def copied(db: Path, to: Path) -> Path:
    """Returns a copy of a closed ledger to write into, without a memory of an earlier one."""
    shutil.copy(db, to)
    to.with_name(f"{to.name}-head").unlink(missing_ok=True)
    return to


def founded(db: Path, *options: str) -> Path:
    """Begins a campaign with the four founders."""
    well(db, "new", "Edge", "--seed", "cli", *options)
    for name in FOUNDERS:
        well(db, "survivor", "new", *name.split())
    return db


def fighting(db: Path, *options: str) -> Path:
    """Begins a campaign and its First Story: the monster's turn."""
    founded(db, *options)
    well(db, "showdown", "begin", "white_lion", "--first-story")
    return db


def script(db: Path, name: str, until: str = "") -> Path:
    """Plays a session script, or what stands in it before the first command that begins so."""
    for _, words in lines(str(SESSIONS / f"{name}.kdm")):
        if until and " ".join(words).startswith(until):
            break
        well(db, *words)
    return db
