"""A bar is seen on a terminal only, when the work takes a while, and is gone afterwards."""

from __future__ import annotations

import io
from contextlib import redirect_stderr

import pytest

from kdmlog.cli import progress as module
from kdmlog.cli.call import Call, running
from kdmlog.cli.progress import progress

WIPED = "\x1b[2K"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", -1)
    monkeypatch.setenv("TERM", "xterm")


def seen(stderr: io.StringIO, *, total: int | None = 10, fails: bool = False, **call: bool) -> str:
    with redirect_stderr(stderr), running(Call(**call)), progress("Reading", total) as advance:
        for _ in range(10):
            advance(1)
        if fails:
            raise ValueError
    return stderr.getvalue()


def test_a_terminal_sees_how_far_the_work_is() -> None:
    text = seen(Terminal())
    assert "Reading" in text and "10/10" in text
    assert text.endswith(WIPED)


def test_how_much_there_is_need_not_be_known() -> None:
    assert "10/?" in seen(Terminal(), total=None)


def test_the_bar_is_wiped_away_when_the_work_fails() -> None:
    terminal = Terminal()
    with pytest.raises(ValueError):
        seen(terminal, fails=True)
    assert terminal.getvalue().endswith(WIPED)


def test_pipes_json_and_short_work_show_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert seen(io.StringIO()) == ""
    assert seen(Terminal(), json=True) == ""
    monkeypatch.setattr(module, "PATIENCE", 60)
    assert seen(Terminal()) == ""
