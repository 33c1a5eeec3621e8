"""The prologue, four times, through the command line; and each in every way it can be typed."""

from __future__ import annotations

import io
import subprocess
import sys
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from kdmlog.cli.call import Call, hoist
from kdmlog.cli.main import execute
from kdmlog.cli.script import lines
from kdmlog.core import events as core
from kdmlog.core.dice import parse
from kdmlog.core.fingerprint import fingerprint
from kdmlog.core.inputs import Inputs
from kdmlog.core.requests import Choose, Draw, Fill, Roll
from kdmlog.games.kdm import events as e
from kdmlog.session import Session, open_session

from .expected import DEATH, TABLE

HERE = Path(__file__).parent
NAMES = ("app", "table", "death", "defeat")


def run(db: Path, *words: str) -> str:
    """Runs one command in this process; fails the test when it fails."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = execute(["--db", str(db), *words], Call(scripted=True))
    assert code == 0, f"{words}: {err.getvalue()}"
    return out.getvalue()


def play(name: str, db: Path) -> Session:
    run(db, "run", str(HERE / f"{name}.kdm"))
    return open_session(db)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Each session played once in one go: its ledger by name."""
    folder = tmp_path_factory.mktemp("sessions")
    for name in NAMES:
        play(name, folder / f"{name}.db").close()
    return {name: folder / f"{name}.db" for name in NAMES}


def bodies(session: Session) -> list[str]:
    """Returns the event bodies but for the seed that a campaign draws for itself."""
    return [
        body for _, event, body in session.events() if not isinstance(event, core.CampaignBegun)
    ]


@pytest.mark.parametrize("name", NAMES)
def test_every_prologue_ends_with_departing_and_a_ledger_that_is_well(
    played: dict[str, Path], name: str
) -> None:
    with open_session(played[name]) as session:
        assert session.look("phase") == {"name": "hunt", "step": "departed"}
        assert session.verify() == []


@pytest.mark.parametrize(("name", "expected"), [("table", TABLE), ("death", DEATH)])
def test_the_state_is_what_the_rulebook_gives(
    played: dict[str, Path], name: str, expected: dict[str, Any]
) -> None:
    with open_session(played[name]) as session:
        assert {path: session.look(path) for path in expected} == expected


def test_the_fallen_founders_try_again_and_no_death_is_counted(played: dict[str, Path]) -> None:
    with open_session(played["defeat"]) as session:
        events = [event for _, event, _ in session.events()]
        assert sum(isinstance(event, e.SurvivorDied) for event in events) == 4
        assert session.look("settlement.death_count") == 0
        assert session.look("settlement.milestones") == ["first_birth"]
        assert session.look("survivors.nora.parents") == {"mother": "lucy", "father": "allister"}


def test_the_four_sessions_together_hold_everything_that_can_happen(
    played: dict[str, Path],
) -> None:
    seen: Counter[str] = Counter()
    for path in played.values():
        with open_session(path) as session:
            for entry in session.log():
                kinds = [move.kind for move, _ in entry.moves]
                seen["slipped in"] += entry.moves[0][0].kind == "adjusted"
                seen["answered"] += kinds.count("answered")
            for _, event, _ in session.events():
                seen[_what(event)] += 1
    for what in (
        "dodge",
        "order of hits",
        "order of damage",
        "critical",
        "offer of survival",
        "reaction",
        "trap",
        "knocked down",
        "severe injury",
        "AI deck reshuffled",
        "basic action with both piles empty",
        "victory",
        "defeat",
        "slipped in",
        "answered",
        "birth",
        "death counted",
    ):
        assert seen[what], f"no session has: {what}"


def _what(event: core.Event) -> str:
    match event:
        case core.Chosen(purpose="hit_order"):
            return "order of hits"
        case e.DodgeSpent():
            return "dodge"
        case core.Chosen(purpose="damage_order"):
            return "order of damage"
        case core.Chosen(purpose="pay"):
            return "offer of survival"
        case core.Filled(purpose="card"):
            return "reaction"
        case e.WoundAttempted(critical=True):
            return "critical"
        case core.CardsDrawn(cards=("clever_ploy",)):
            return "trap"
        case e.KnockedDown():
            return "knocked down"
        case e.SevereInjurySuffered():
            return "severe injury"
        case core.DeckShuffled(purpose="shuffle_ai", took=("discard",)):
            return "AI deck reshuffled"
        case core.Chosen(purpose="target", about=("closest survivor, in field of view",)):
            return "basic action with both piles empty"
        case e.ShowdownDecided():
            return event.outcome
        case e.MilestoneReached(milestone="first_birth"):
            return "birth"
        case e.DeathsCounted():
            return "death counted"
    return "else"


@pytest.mark.parametrize("name", NAMES)
def test_a_process_for_each_input_ends_in_the_same_history(
    played: dict[str, Path], name: str, tmp_path: Path
) -> None:
    db = tmp_path / "apart.db"
    script = HERE / f"{name}.kdm"
    commands = [words for _, words in lines(str(script))]
    if name != "table":  # one session in true processes, the others in as many fresh sessions
        for words in commands:
            run(db, *words)
    else:
        for words in commands:
            done = subprocess.run(
                [sys.executable, "-m", "kdmlog", "--db", str(db), *words],
                capture_output=True,
                text=True,
                stdin=subprocess.DEVNULL,
                check=False,
            )
            assert done.returncode == 0, f"{words}: {done.stderr}"
    with open_session(db) as apart, open_session(played[name]) as together:
        assert bodies(apart) == bodies(together)
        assert apart.look() == together.look()


def single_inputs(words: list[str], db: Path) -> None:
    """Runs a command without its inputs, then gives each of them by an answer of its own."""
    call = Call()
    rest = hoist(list(words), call)
    run(db, *rest)
    with open_session(db) as session:  # a card that lies known on top is not asked for
        for _, event, _ in session.events(since=session.head.number - 1):
            if isinstance(event, core.CardsDrawn) and event.cards[0] in call.inputs.draws:
                call.inputs.draws.remove(event.cards[0])
    while answer := _next_input(call.inputs, db):
        run(db, "answer", *answer)


def _next_input(inputs: Inputs, db: Path) -> list[str]:
    """Returns the words that answer what is open now, out of what is left to give."""
    with open_session(db) as session:
        request = session.open.request if session.open else None
    match request:
        case Roll() if inputs.dice:
            count = parse(request.dice).faces
            faces, inputs.dice = inputs.dice[:count], inputs.dice[count:]
            return [",".join(faces)]
        case Draw() if inputs.draws:
            cards = inputs.draws[: request.count]
            inputs.draws = inputs.draws[request.count :]
            return [",".join(cards)]
        case Choose() if inputs.choices:
            return [inputs.choices.pop(0)]
        case Fill() if inputs.fills:
            return [f"{name}={value}" for name, value in inputs.fills.pop(0).items()]
    assert inputs == Inputs(), f"left over: {inputs}"
    return []


@pytest.mark.parametrize("name", NAMES)
def test_each_input_by_itself_gives_the_same_facts(
    played: dict[str, Path], name: str, tmp_path: Path
) -> None:
    db = tmp_path / "single.db"
    for _, words in lines(str(HERE / f"{name}.kdm")):
        single_inputs(words, db)
    with open_session(db) as apart, open_session(played[name]) as together:
        facts = [
            [body for body in bodies(session) if '"kind":"core.asked"' not in body]
            for session in (apart, together)
        ]
        assert facts[0] == facts[1]
        assert apart.look() == together.look()


@pytest.mark.parametrize("name", NAMES)
def test_undo_to_every_move_and_redo_gives_the_same_states(
    played: dict[str, Path], name: str, tmp_path: Path
) -> None:
    db = tmp_path / "undo.db"
    with play(name, db) as session:
        last = session.head.number
        states = {n: fingerprint(session.at(str(n)).state) for n in range(1, last + 1)}
        questions = {n: session.at(str(n)).state.open for n in range(1, last + 1)}
        for number in range(last - 1, 0, -1):
            session.undo(to=str(number))
            assert fingerprint(session.table.state) == states[number]
            assert session.table.state.open == questions[number]
        session.redo(last - 1)
        assert fingerprint(session.table.state) == states[last]
        assert session.head.number == last
        assert session.verify() == []


def test_undoing_an_answer_asks_the_same_question_again(tmp_path: Path) -> None:
    with play("table", tmp_path / "again.db") as session:
        while session.head.number > 8:
            session.undo()
        assert session.open is None
        session.undo(answer=True)
        assert session.open is not None
        asked = session.open.request
        assert asked.purpose == "dodge"
        session.answer(["no"])
        session.undo(answer=True)
        assert session.open is not None
        assert session.open.request == asked
