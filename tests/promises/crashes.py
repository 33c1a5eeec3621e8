"""Forks this very process, warm as it is, and lets the child die where it is meant to."""

from __future__ import annotations

import json
import os
import resource
import signal
import struct
import sys
import time
import traceback
from collections.abc import Callable
from typing import Any, NamedTuple

Tell = Callable[[int], None]
"""Tells the parent a number: what the child has been told is kept."""


class Died(NamedTuple):
    """What a child told before it ended, and the signal that ended it (0: it came to its end)."""

    told: list[int]
    signal: int


def answer(work: Callable[[], Any]) -> Any:
    """Returns what ``work`` does in a child (plain JSON), so that its limits are the child's."""
    reader, writer = os.pipe()
    pid = os.fork()
    if not pid:
        _work(lambda _: _send(writer, json.dumps(work()).encode()), reader, writer)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        said = pipe.read()
    _, status = os.waitpid(pid, 0)
    assert status == 0, "the child stumbled; its traceback is above"
    return json.loads(said)


def child(work: Callable[[Tell], None], *, after: float | None = None) -> Died:
    """Runs ``work`` in a child; kills it ``after`` so many seconds, if it is not dead by then."""
    reader, writer = os.pipe()
    pid = os.fork()
    if not pid:
        _work(work, reader, writer)
    os.close(writer)
    if after is not None:
        time.sleep(after)
        os.kill(pid, signal.SIGKILL)
    with os.fdopen(reader, "rb") as pipe:
        told = pipe.read()
    _, status = os.waitpid(pid, 0)
    if os.WIFEXITED(status):
        assert os.WEXITSTATUS(status) == 0, "the child stumbled; its traceback is above"
        return Died(_numbers(told), 0)
    return Died(_numbers(told), os.WTERMSIG(status))


def _work(work: Callable[[Tell], None], reader: int, writer: int) -> None:
    """The child's whole life; it never comes back, and leaves no half of a compiled module."""
    code = 70
    sys.dont_write_bytecode = True
    try:
        os.close(reader)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        work(lambda number: _tell(writer, number))
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _tell(writer: int, number: int) -> None:
    _send(writer, struct.pack("<q", number))


def _send(writer: int, data: bytes) -> None:
    while data:
        data = data[os.write(writer, data) :]


def _numbers(told: bytes) -> list[int]:
    return [number for (number,) in struct.iter_unpack("<q", told)]


def die_at_size(size: int) -> None:
    """Has the kernel kill this process in the midst of the first write past ``size`` in any file.

    What comes before is written: a write is torn at that very byte.
    """
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python ignores it
    limit_size(size)


def limit_size(size: int) -> None:
    """Lets no file of this process grow past ``size``: writing more fails, as on a full disk."""
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))


def die_now() -> None:
    """Ends this process as kill -9 does."""
    os.kill(os.getpid(), signal.SIGKILL)
