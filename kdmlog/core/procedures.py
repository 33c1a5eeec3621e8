"""Rules as generators: they yield requests and facts, and are given the answers."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from msgspec import Struct

from kdmlog.core.events import Event
from kdmlog.core.requests import Request

T = TypeVar("T")
P = ParamSpec("P")


class Record(Struct, eq=False, gc=False):
    """A fact. It is folded at once; the runner stamps it with its cause."""

    fact: Event
    cause: str = ""


Procedure = Generator[Request | Record, Any, T]


def rule(name: str) -> Callable[[Callable[P, Procedure[T]]], Callable[P, Procedure[T]]]:
    """Names a rule: facts that it records itself, not through another rule, carry this cause."""

    def named(procedure: Callable[P, Procedure[T]]) -> Callable[P, Procedure[T]]:
        @wraps(procedure)
        def stamped(*args: P.args, **kwargs: P.kwargs) -> Procedure[T]:
            running = procedure(*args, **kwargs)
            answer: Any = None
            while True:
                try:
                    request = running.send(answer)
                except StopIteration as done:
                    return done.value  # type: ignore[no-any-return]
                if type(request) is Record and not request.cause:
                    request.cause = name
                answer = yield request

        return stamped

    return named
