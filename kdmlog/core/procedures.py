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
        def rule_(*args: P.args, **kwargs: P.kwargs) -> Procedure[T]:
            return stamped(name, procedure(*args, **kwargs))

        return rule_

    return named


def stamped(cause: str, running: Procedure[T]) -> Procedure[T]:
    """Runs a procedure; the facts of no inner rule carry this cause."""
    answer: Any = None
    while True:
        try:
            request = running.send(answer)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
        if type(request) is Record and not request.cause:
            request.cause = cause
        answer = yield request
