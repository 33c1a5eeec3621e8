"""One command in this process, as a shell without a terminal would run it."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from itertools import takewhile
from pathlib import Path

from kdmlog.cli.call import Call
from kdmlog.cli.main import execute
from kdmlog.cli.script import lines

SESSIONS = Path(__file__).parents[1] / "sessions"


def command(db: Path, *words: str) -> tuple[int, str, str]:
    """Returns a command's exit code and what it printed, with LEDGER for the ledger's file."""
    words = tuple(str(db) if word == "LEDGER" else word for word in words)
    call, err = Call(scripted=True), io.StringIO()
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", newline="", write_through=True)
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = execute(["--db", str(db), *words], call)
    finally:
        if call.session is not None:
            call.session.close()
    out.seek(0)
    said, complaint = (text.replace(str(db), "LEDGER") for text in (out.read(), err.getvalue()))
    return code, said, complaint


def run(db: Path, *words: str) -> str:
    """Runs a command that must succeed; returns what it printed."""
    code, out, err = command(db, *words)
    assert (code, err) == (0, ""), f"{words}: {code} {err}"
    return out


def play(db: Path, until: str, *more: str, script: str = "death") -> Path:
    """Plays a session script up to a command that begins so, and then some lines."""
    every = (words for _, words in lines(str(SESSIONS / f"{script}.kdm")))
    before = takewhile(lambda words: not " ".join(words).startswith(until), every)
    for words in [*before, *(line.split() for line in more)]:
        run(db, *words)
    return db
