"""G14: what a whole turn of a scripted showdown takes, so that nobody at the table waits."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from statistics import median
from time import perf_counter

import pytest

from kdmlog.core.game import Action
from kdmlog.core.requests import Choose
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm.rules import attack, turns
from kdmlog.session import Session

from .race import Race

EVENTS = 400


@pytest.fixture
def fought(showdown: Session) -> Iterator[tuple[Session, dict[str, list[float]]]]:
    """A showdown of so many events, and the seconds of each of its turns and attacks.

    With ``synchronous=NORMAL``: G2 is about the disk.
    """
    rng, seconds = random.Random(14), dict[str, list[float]]()
    with showdown as session:

        def play(action: Action) -> None:
            start = perf_counter()
            session.perform(action)
            while session.open is not None:
                session.answer(_words(session, rng))
            seconds.setdefault(type(action).__name__, []).append(perf_counter() - start)

        while sum(1 for _ in session.ledger.events(session.head)) < EVENTS:
            fight = session.table.state.showdown
            if fight is None or fight.outcome:
                session.undo(12)  # another fight, by other dice
                session.roll(f"{rng.randint(1, 9)}d10")
            elif fight.turn == "monster":
                play(a.MonsterTurn())
            elif able := turns.able_to_act(session.table):
                weapon = rng.choice(list(attack.weapons(session.table, able[0])))
                play(a.Attack(survivor=able[0], weapon=weapon))
                if session.table.state.showdown.act is not None:
                    session.perform(a.EndAct())
            else:
                session.perform(a.EndTurn())
        yield session, seconds


def _words(session: Session, rng: random.Random) -> list[str]:
    """An answer: any for a choice, kdmlog's dice and cards, and nobody interrupts."""
    asked = session.open
    assert asked is not None
    if isinstance(asked.request, Choose):
        options = [one.id for one in asked.request.options]
        return [", ".join(rng.sample(options, max(asked.request.least, 1)))]
    return []


@pytest.mark.parametrize("what", ["MonsterTurn", "Attack"])
def test_a_turn_takes_no_time(
    race: Race, fought: tuple[Session, dict[str, list[float]]], what: str
) -> None:
    _, seconds = fought
    assert len(seconds[what]) >= 5
    spent = race.benchmark.pedantic(median, (seconds[what],))
    race.weigh("G14", f"{what}, answers and all, decided and kept : 5 ms", 1.0, spent, 0.005)


def test_a_showdown_is_replayed_at_once(
    race: Race, fought: tuple[Session, dict[str, list[float]]]
) -> None:
    session, _ = fought

    def replay() -> None:
        state = session.game.new_state()
        session.codec.fold(state, session.ledger.held(session.head))
        assert state.showdown is not None

    spent = min(_seconds(replay) for _ in range(9))
    race.benchmark.pedantic(replay)
    race.weigh("G14", f"replay of a showdown of {EVENTS} events : 20 ms", 1.0, spent, 0.02)


def _seconds(function: Callable[[], object]) -> float:
    start = perf_counter()
    function()
    return perf_counter() - start
