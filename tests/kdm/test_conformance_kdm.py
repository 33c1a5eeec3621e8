"""Every rule of the prologue suspends and resumes at each of its questions without a trace."""

from __future__ import annotations

from functools import cache
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from conformance import Script, check, check_tables, improvise

from kdmlog.cli.call import Call
from kdmlog.cli.main import execute
from kdmlog.core import events as core
from kdmlog.core.game import Action
from kdmlog.core.inputs import Inputs
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm.game import GAME
from kdmlog.session import open_session

SESSIONS = Path(__file__).parents[1] / "sessions"
NUDGE = "survivors.allister.insanity"
FOUNDERS: list[Action] = [
    a.SurvivorNew(name=name, sex=sex)
    for name, sex in (("Allister", "m"), ("Erza", "f"), ("Lucy", "f"), ("Zachary", "m"))
]
BEGUN: list[Action] = [*FOUNDERS, a.ShowdownBegin(monster="white_lion", first_story=True)]
ROUND: list[Action] = [
    a.MonsterTurn(),
    *(a.Attack(survivor=who, blind=who == "erza") for who in ("allister", "erza", "lucy")),
    a.Activate(survivor="zachary", thing="founding_stone"),
    a.EndTurn(),
]


@cache
def played(name: str) -> Script:
    """Returns a session script as actions, each with all that its questions were answered."""
    with TemporaryDirectory() as folder:
        db = Path(folder) / "played.db"
        call = Call(scripted=True, db=str(db), quiet=True)
        assert execute(["run", str(SESSIONS / f"{name}.kdm")], call) == 0
        if call.session is not None:
            call.session.close()
        with open_session(db) as session:
            entries = list(reversed(session.log()))[1:]
        return [
            (one.action, _given(one.events))
            for one in entries
            if isinstance(one.action, tuple(GAME.plays))
        ]


def _given(events: list[core.Event]) -> Inputs:
    """Returns what a whole action was given, as typed at once."""
    given = Inputs()
    for event in events:
        match event:
            case core.DiceRolled():
                given.dice += [_face(event.dice, face) for face in event.faces]
            case core.CardsDrawn():
                given.draws += event.cards
            case core.Chosen():
                given.choices.append(",".join(event.picked) or "none")
            case core.Filled():
                given.fills.append({name: _typed(value) for name, value in event.values.items()})
    return given


def _face(dice: str, face: int) -> str:
    return "habbwl"[face - 1] if "location" in dice else str(face)


def _typed(value: int | str | list[str]) -> str:
    return ";".join(value) if isinstance(value, list) else str(value)


def until(script: Script, kind: type[Action]) -> Script:
    return list(takewhile(lambda step: not isinstance(step[0], kind), script))


def test_the_tables_are_whole() -> None:
    check_tables(GAME)


def test_the_founding_conforms() -> None:
    check(GAME, [[(action, Inputs()) for action in BEGUN]], nudge=NUDGE)


@pytest.mark.parametrize("taking", [False, True])
def test_an_improvised_round_conforms(taking: bool) -> None:
    script = improvise(GAME, [*BEGUN, *ROUND], taking=taking)
    assert len(script) == len([*BEGUN, *ROUND])
    check(GAME, [script], nudge=NUDGE)


@pytest.mark.parametrize("name", ["table", "death"])
def test_the_first_round_of_a_session_conforms(name: str) -> None:
    script = until(played(name), a.EndTurn)
    assert len(script) == 10
    check(GAME, [script], nudge=NUDGE)


@pytest.mark.long
@pytest.mark.parametrize("name", ["app", "table", "death", "defeat"])
def test_a_whole_session_conforms(name: str) -> None:
    check(GAME, [played(name)], nudge=NUDGE)


@pytest.mark.long
@pytest.mark.parametrize("seed", [f"conformance-{n}" for n in range(6)])
def test_improvised_fights_conform(seed: str) -> None:
    script = improvise(GAME, [*BEGUN, *ROUND * 8], seed=seed)
    check(GAME, [script], nudge=NUDGE, seed=seed)
