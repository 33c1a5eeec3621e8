"""Whole showdowns on their board, from departing to the settlement phase, each out of one sheet
(``lion.toml``): with kdmlog's dice and cards (``lion.kdm``) and the table's (``lion_table.kdm``).
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from kdmlog.cli import play
from kdmlog.cli.call import Call
from kdmlog.cli.main import execute
from kdmlog.cli.typed import typed
from kdmlog.core import events as core
from kdmlog.core.dice import parse, show
from kdmlog.core.fingerprint import fingerprint
from kdmlog.core.inputs import PASS
from kdmlog.core.requests import Ask, Choose, Draw, Fill, Opportunity, Roll
from kdmlog.games.kdm import events as e
from kdmlog.session import Session, open_session
from kdmlog.session.audit import audit

from .expected import SHOWDOWNS

HERE = Path(__file__).parent
NAMES = tuple(SHOWDOWNS)


def run(db: Path, *words: str) -> str:
    """Runs one command in this process; fails the test when it fails."""
    call, out, err = Call(scripted=True), io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = execute(["--db", str(db), *words], call)
    if call.session is not None:
        call.session.close()
    assert code == 0, f"{words}: {err.getvalue()}"
    return out.getvalue()


def begun(name: str, db: Path) -> Path:
    """Begins the campaign as the script's second line says."""
    _, line, *_ = (HERE / f"{name}.kdm").read_text().splitlines()
    words = [str(HERE / word) if word.endswith(".toml") else word for word in line.split()[2:]]
    run(db, *words)
    return db


def enter(monkeypatch: pytest.MonkeyPatch, db: Path, name: str) -> str:
    """Types a file's lines at the prompt; returns what was complained about."""
    out, err = io.StringIO(), io.StringIO()
    monkeypatch.setattr(sys, "stdin", io.StringIO((HERE / name).read_text()))
    with redirect_stdout(out), redirect_stderr(err):
        assert execute(["--db", str(db), "play"], Call()) == 0
    return err.getvalue()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Each showdown played once by its script: its ledger by name."""
    folder = tmp_path_factory.mktemp("showdowns")
    found = {}
    for name in NAMES:
        found[name] = begun(name, folder / f"{name}.db")
        run(found[name], "run", str(HERE / f"{name}.kdm"))
    return found


def bodies(db: Path) -> list[str]:
    """Returns what happened, but for the questions: how often one is asked is not the same."""
    with open_session(db) as session:
        return [body for _, event, body in session.events() if not isinstance(event, core.Asked)]


@pytest.mark.parametrize("name", NAMES)
def test_the_showdown_ends_as_the_rulebook_gives(played: dict[str, Path], name: str) -> None:
    with open_session(played[name]) as session:
        expected = SHOWDOWNS[name]
        assert {path: session.look(path) for path in expected} == expected
        assert session.look("phase") == {"name": "settlement", "step": "event"}


@pytest.mark.parametrize("name", NAMES)
def test_ledger_and_rules_stand_for_it(played: dict[str, Path], name: str) -> None:
    with open_session(played[name]) as session:
        assert session.verify() == []
        assert audit(session, session.head).remarks == []


@pytest.mark.parametrize("name", NAMES)
def test_at_the_prompt_the_same_lines_play_the_same(
    played: dict[str, Path], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = begun(name, tmp_path / "typed.db")
    assert enter(monkeypatch, db, f"{name}.kdm") == ""
    assert bodies(db) == bodies(played[name])


@pytest.mark.parametrize("name", NAMES)
def test_replay_goes_through_every_move_of_it(played: dict[str, Path], name: str) -> None:
    frames = [
        json.loads(line)
        for line in run(played[name], "replay", "showdown:1", "--json").splitlines()
    ]
    with open_session(played[name]) as session:
        begins, ends = [
            n
            for n, one, _ in session.events()
            if isinstance(one, e.ShowdownBegun | e.ShowdownEnded)
        ]
    assert [frame["move"] for frame in frames] == list(range(begins, ends + 1))
    fights = [frame["showdown"] for frame in frames if frame["showdown"]]
    assert max(fight["round"] for fight in fights) > 1
    assert sum(bool(fight["positions"]) for fight in fights) > len(fights) * 0.9


@pytest.mark.parametrize("name", NAMES)
def test_an_export_of_it_imports_to_the_same_state(
    played: dict[str, Path], name: str, tmp_path: Path
) -> None:
    archive = tmp_path / "whole.kdmlog"
    run(played[name], "export", str(archive))
    run(tmp_path / "other.db", "import", str(archive))
    with open_session(played[name]) as ours, open_session(tmp_path / "other.db") as theirs:
        assert theirs.head.hash == ours.head.hash
        assert fingerprint(theirs.table.state) == fingerprint(ours.table.state)


def test_a_lion_of_eight_rounds_takes_a_thousand_keys_with_the_tables_dice(
    played: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every key counts, ⏎ too; departing, terrain, the aftermath and the return are among them."""
    db = begun("lion_table", tmp_path / "keys.db")
    assert enter(monkeypatch, db, "lion_table.play") == ""
    assert bodies(db) == bodies(played["lion_table"])
    with open_session(db) as session:
        rounds = [one.round for _, one, _ in session.events() if isinstance(one, e.TurnBegun)]
    assert max(rounds) >= 8
    assert len((HERE / "lion_table.play").read_text()) <= 1000


# --- wrong keys -----------------------------------------------------------------------------------

INTERRUPT = "Ctrl-C"
TOO_MANY = "7" * 40
"""More faces than are ever due at once."""
REPLIES = (core.DiceRolled, core.CardsDrawn, core.Chosen, core.Filled)


class Fumbler:
    """Plays a campaign again at the prompt, each input by itself, and mistypes each at first.

    After each mistake the ledger must stand where it stood, and one line must have been said.
    """

    def __init__(self, played: Session, err: io.StringIO) -> None:
        self.commands = _commands(played)
        self.replies = _replies(played)
        self.err = err
        self.mistakes: list[str] = []
        self.asked: bytes = b""
        """The move at which the question stands that is being mistyped."""
        self.made = 0

    def __call__(self, session: Session) -> str | None:
        """Returns the next line, wrong or right; None at the end."""
        if session.open is None:
            assert self.mistakes == [], f"a mistake was an answer; still to come: {self.mistakes}"
            self.asked = b""
            return next(self.commands, None)
        request = session.open.request
        if session.head.hash != self.asked:
            assert self.asked == b"" or self.mistakes == [], f"{request}: {self.mistakes}"
            self.asked = session.head.hash
            self.mistakes = [*_mistakes(request)]
        elif self.made:
            said = self.err.getvalue().splitlines()
            assert len(said) == 1, f"{request}: {said}"
        self.err.truncate(0)
        self.err.seek(0)
        if self.mistakes:
            self.made += 1
            wrong = self.mistakes.pop(0)
            if wrong == INTERRUPT:
                self.err.write("it goes on")
                raise KeyboardInterrupt
            return wrong
        return _reply(request, next(self.replies))


def _commands(played: Session) -> Iterator[str]:
    """Yields each action after the campaign's beginning as typed, but for what it asks."""
    for entry in reversed(played.log()[:-1]):
        fields = json.loads(entry.moves[0][0].input)
        fields.pop("given", None)
        yield typed(type(entry.action), json.dumps(fields))  # type: ignore[arg-type]


def _replies(played: Session) -> Iterator[core.Event]:
    """Yields what was given by hand, in order."""
    for _, event, _ in played.events():
        if isinstance(event, REPLIES) and getattr(event, "source", "table") == "table":
            yield event


def _mistakes(request: Ask) -> Iterator[str]:
    """Yields lines that are no answer: a word, a number, ⏎ where it is none, a command, Ctrl-C."""
    yield "zzz"
    yield "x" if isinstance(request, Roll) and parse(request.dice).kind == "location" else TOO_MANY
    if isinstance(request, Choose) and request.default is None:
        yield ""
    yield "monster turn"
    yield INTERRUPT


def _reply(request: Ask, given: core.Event) -> str:
    """Returns the line that answers a question as it was answered."""
    assert getattr(given, "purpose", "") == request.purpose, f"{request}: {given}"
    match request, given:
        case Roll(), core.DiceRolled():
            faces = [show(face, parse(request.dice)) for face in given.faces]
            return " ".join(faces)
        case Draw(), core.CardsDrawn():
            return ",".join(given.cards)
        case Choose() | Opportunity(), core.Chosen():
            return "" if given.picked == (PASS,) else ",".join(given.picked) or "none"
        case Fill(fields=(field,)), core.Filled() if field.kind == "words":
            words = given.values[field.name]
            assert isinstance(words, list)
            return "; ".join(words) or "none"
        case Fill(), core.Filled():
            return " ".join(f"{name}={value}" for name, value in given.values.items())
    raise AssertionError(f"{request}: {given}")


@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_key_at_any_question_costs_nothing(
    played: dict[str, Path], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db, err = begun(name, tmp_path / "fumbled.db"), io.StringIO()
    with open_session(played[name]) as session:
        fumbler = Fumbler(session, err)
        monkeypatch.setattr(play, "_terminal", lambda _session: fumbler)
        with redirect_stdout(io.StringIO()), redirect_stderr(err):
            code = execute(["--db", str(db), "play"], Call())
    assert code == 0, err.getvalue()
    assert fumbler.made > 100
    assert bodies(db) == bodies(played[name])
