"""A script that is malformed is refused by line: what cannot be read at all does nothing."""

from __future__ import annotations

import io
import random
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest
from toy import TOY

from kdmlog.cli.call import Call
from kdmlog.cli.main import execute
from kdmlog.session import new_campaign, open_session
from tests.sessions.test_sessions import HERE


class Said(NamedTuple):
    """What a command gave back."""

    code: int
    err: str


@pytest.fixture
def db(tmp_path: Path) -> Path:
    new_campaign(tmp_path / "toy.db", "Toy", game=TOY.id)[0].close()
    return tmp_path / "toy.db"


def run(db: Path, file: str) -> Said:
    err = io.StringIO()
    call = Call(scripted=True)
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(err):
            code = execute(["--db", str(db), "run", file], call)
    finally:
        if call.session is not None:
            call.session.close()
    assert "stumbled" not in err.getvalue(), err.getvalue()
    assert err.getvalue().count("\n") == (code != 0)
    return Said(code, err.getvalue())


def notes(db: Path) -> int:
    with open_session(db, readonly=True) as session:
        return session.head.number - 1


UNREADABLE: list[tuple[str, bytes, str]] = [
    ("an open quote", b"note a\nnote 'b\n", "line 2: "),
    ("latin-1", b"note a\n\nnote b\xfc\n", "line 3: no UTF-8 text"),
    ("UTF-16", "note a\n".encode("utf-16"), "line 1: no UTF-8 text"),
    ("half a character", b"note a\nnote \xed\xa0\x80\n", "line 2: no UTF-8 text"),
    ("too long", b"note a\n" * 200_000, "is longer than"),
]


@pytest.mark.parametrize(
    ("text", "words"), [one[1:] for one in UNREADABLE], ids=[one[0] for one in UNREADABLE]
)
def test_what_cannot_be_read_does_nothing(
    db: Path, tmp_path: Path, text: bytes, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "x.kdm"
    file.write_bytes(text)
    said = run(db, str(file))
    assert said.code in (1, 2)
    assert str(file) in said.err and words in said.err
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert words in run(db, "-").err
    assert notes(db) == 0


WRONG: list[tuple[str, str, str]] = [
    ("no command", "dance", "dance"),
    ("a field too few", "note", "TEXT"),
    ("a field too many", "rest now", "now"),
    ("an option that is none", "note b --loud", "--loud"),
    ("an option without value", "note b --by", "--by"),
    ("a die of no kind", "roll 3d7", "3d7"),
    ("a number of 4,000 digits of dice", f"roll {'9' * 4000}d10", "9999"),
    ("a face of 4,000 digits", f"roll d10 --dice {'9' * 4000}", "9,9,9"),
    ("a figure of 4,000 digits", f"adjust gold {'9' * 4000} --why x", "9999"),
    ("an undo of 4,000 digits", f"undo {'9' * 4000}", "9999"),
    ("a position of 4,000 digits", f"branch b --at {'9' * 4000}", "9999"),
    ("another script", "run other.kdm", "no other script"),
    ("control characters", "dance\x1b[2J", "dance"),
    ("a byte of zero", "roll \0d10", "d10"),
    ("10,000 words", f"rest {'x ' * 10_000}", "x"),
]


@pytest.mark.parametrize(
    ("line", "words"), [one[1:] for one in WRONG], ids=[one[0] for one in WRONG]
)
def test_a_line_that_is_wrong_is_named_and_does_nothing(
    db: Path, tmp_path: Path, line: str, words: str
) -> None:
    file = tmp_path / "x.kdm"
    file.write_text(f"note a\n# and then\n{line}\nnote c\n", encoding="utf-8")
    said = run(db, str(file))
    assert said.code in (1, 2)
    assert said.err.startswith(f"{file}, line 3: ")
    assert words in said.err
    assert "\x1b" not in said.err and "\0" not in said.err
    assert notes(db) == 1, "what stood before it stands"


def test_a_script_broken_off_anywhere(
    tmp_path: Path, runs: Callable[[int, int], int], measured: Callable[[str], None]
) -> None:
    """It plays to its last whole line, or is refused at the broken one, and the ledger is well."""
    whole = (HERE / "table.kdm").read_bytes()
    count = runs(4, 60)
    for n in range(count):
        file, db = tmp_path / f"{n}.kdm", tmp_path / f"{n}.db"
        text = whole[: random.randrange(200, len(whole))]
        file.write_bytes(text)
        said = run(db, str(file))
        last = text.rstrip(b"\n").count(b"\n") + 1
        assert said.code == 0 or f"{file}, line {last}: " in said.err
        if db.exists():
            with open_session(db, readonly=True) as session:
                assert session.verify() == []
    measured(f"{count} scripts broken off")


def test_a_script_of_a_gigabyte(db: Path, tmp_path: Path) -> None:
    file = tmp_path / "huge.kdm"
    with file.open("wb") as opened:
        opened.truncate(1 << 30)
    began = time.monotonic()
    assert "is longer than" in run(db, str(file)).err
    assert time.monotonic() - began < 2
