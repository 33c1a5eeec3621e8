"""Programs that run at once: they are started, wait until all are there, and begin together."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager

PYTHON = (sys.executable, "-B", "-P", "-c")
"""Where no file may grow Python would leave half of a compiled module behind."""
READY = """
import sys
print("ready", flush=True)
sys.stdin.readline()
"""
"""What a program runs when it could begin."""


@contextmanager
def programs(code: str, *words: Iterable[object]) -> Iterator[list[subprocess.Popen[str]]]:
    """Starts a program for each list of words, and has none left over at the end."""
    with ExitStack() as stack:
        started = [
            stack.enter_context(
                subprocess.Popen(
                    [*PYTHON, code, *map(str, each)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                )
            )
            for each in words
        ]
        for process in started:
            stack.callback(process.kill)
            assert process.stdout and process.stderr
            assert process.stdout.readline() == "ready\n", process.stderr.read()
        yield started


def python(code: str, *words: object) -> subprocess.CompletedProcess[str]:
    """Runs a program to its end."""
    return subprocess.run(
        [*PYTHON, code, *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
    )


def go(*groups: list[subprocess.Popen[str]]) -> None:
    """Lets programs that wait begin."""
    for process in (one for group in groups for one in group):
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()


def give_up_root() -> None:
    """Makes file modes hold for this process: root may write anywhere, but for this."""
    if os.getuid() != 0:
        return
    if sys.platform != "linux":
        os.setuid(65534)
        return
    # Without its capabilities root is but the owner of its files, who can still read its Python.
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    none = (ctypes.c_uint32 * 6)()
    assert ctypes.CDLL(None, use_errno=True).capset(header, none) == 0, "capabilities stay"
