"""A terminal of 80 columns and 24 lines, with ``kdmlog play`` in it, or another command."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import pyte

import kdmlog

PATIENCE = 20.0
"""Seconds after which what was waited for will not come any more."""
QUIET = 0.4
"""Seconds without output after which a screen is taken as finished."""
COLUMNS, LINES = 80, 24
AT_PROMPT = "\x1b[?2004h"
"""What the prompt sends when it begins to take keys (bracketed paste on)."""
WHERE = "\x1b[6n"
"""What it asks for before it draws itself from the start: where the cursor stands."""
_SAID = re.compile(r"\x1b\[\?2004l(.*?)(?=\x1b\[6n|\x1b\[\?2004h|$)", re.DOTALL)
"""What is printed between two prompts."""
BEGIN = """
import fcntl, signal, termios

# Who runs the tests may ignore these.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
from kdmlog.cli.main import main

fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # Ctrl-C, resizing and hanging up come from this terminal
main()
"""


def environment(db: Path, **more: str) -> dict[str, str]:
    """Returns an environment in which nothing of the tester's own shines through."""
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(Path(kdmlog.__file__).parents[1]),
        "HOME": str(db.parent),
        "LC_ALL": "C.UTF-8",
        "TERM": "xterm",
        "KDMLOG_DB": str(db),
        **more,
    }


class Terminal:
    """A command in a terminal of its own; a context manager that closes the window."""

    def __init__(
        self, db: Path, columns: int = COLUMNS, words: Sequence[str] = ("play",), **env: str
    ) -> None:
        self.output = ""
        self._screen = pyte.Screen(columns, LINES)
        self._stream = pyte.ByteStream(self._screen)
        self._screen.write_process_input = self.type  # type: ignore[method-assign]
        self._master, slave = pty.openpty()
        self._size(columns, LINES)
        self.process = subprocess.Popen(
            [sys.executable, "-c", BEGIN, *words],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env=environment(db, **env),
        )
        os.close(slave)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.hang_up()

    # --- the player's side -----------------------------------------------------------------------

    def type(self, keys: str) -> None:
        """Presses keys."""
        os.write(self._master, keys.encode())

    def resize(self, columns: int, lines: int) -> None:
        """Gives the window another size; waits until the program has drawn itself anew."""
        drawn = self.output.count(WHERE)
        self.stretch(columns, lines)
        self.until(lambda: self.output.count(WHERE) > drawn and self.rows[-1] != "")

    def stretch(self, columns: int, lines: int) -> None:
        """Gives the window another size."""
        self._screen.resize(lines, columns)
        self._size(columns, lines)

    def _size(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def hang_up(self) -> int:
        """Closes the window, as a terminal does; returns the program's exit code."""
        if self._master >= 0:
            os.close(self._master)
            self._master = -1
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            raise

    # --- what the screen shows -------------------------------------------------------------------

    @property
    def rows(self) -> list[str]:
        """Returns the screen's lines, without the blanks behind them."""
        return [row.rstrip() for row in self._screen.display]

    @property
    def text(self) -> str:
        """Returns the screen."""
        return "\n".join(self.rows) + "\n"

    def until(self, what: Callable[[], bool]) -> None:
        """Reads on until the screen is as it should be; fails the test when it never is."""
        end = time.monotonic() + PATIENCE
        while not what():
            left = end - time.monotonic()
            if left <= 0 or not self._read(left):
                raise AssertionError(f"the screen never came to be as expected:\n{self.text}")

    def see(self, text: str) -> None:
        """Reads on until a text is on the screen."""
        self.until(lambda: text in self.text)

    def enter(self, line: str) -> list[str]:
        """Types a line and ⏎, and waits for the next prompt; returns what was said to it."""
        prompts = self.prompts
        self.type(f"{line}\r")
        self.prompted(prompts + 1)
        return self.said

    def prompted(self, number: int = 1) -> None:
        """Reads on until the program has asked for so many lines, the standing in view."""
        self.until(lambda: self.prompts >= number and self.rows[-1] != "")

    @property
    def prompts(self) -> int:
        """Returns how many lines the program has asked for."""
        return self.output.count(AT_PROMPT)

    @property
    def said(self) -> list[str]:
        """Returns the lines printed since the last prompt was left."""
        return _SAID.findall(self.output)[-1].splitlines()

    def insist(self, keys: str, text: str) -> None:
        """Presses keys until a text is on the screen.

        Python overlooks a Ctrl-C that comes just before it begins to read a plain line.
        """
        end = time.monotonic() + PATIENCE
        while text not in self.text and time.monotonic() < end:
            self.type(keys)
            while text not in self.text and self._read(QUIET):
                pass
        self.see(text)

    def settle(self) -> str:
        """Reads on until nothing more comes; returns the screen."""
        while self._read(QUIET):
            pass
        return self.text

    def ended(self) -> int:
        """Reads on until the program has ended; returns its exit code."""
        while self._read(PATIENCE):
            pass
        return self.process.wait(PATIENCE)

    def _read(self, seconds: float) -> bool:
        """Reads what the program printed; False when nothing came in time, or it has ended."""
        if not select.select([self._master], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self._master, 1 << 16)
        except OSError:  # Linux: the program has closed its side
            return False
        self.output += data.decode(errors="replace")
        self._stream.feed(data)
        return bool(data)
