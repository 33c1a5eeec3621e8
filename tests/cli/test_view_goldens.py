"""Every view as it stands on a terminal of 80 columns without colour, and its JSON twin.

The pictures are in ``views/``. When a view has been changed on purpose, draw them anew and read
what came:

    KDMLOG_GOLDENS=1 pytest tests/cli/test_view_goldens.py

Hashes and times vary: each of their digits stands as ``·``.
"""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from cli_helpers import SESSIONS, well
from json_schema import faults

from kdmlog.cli.call import Call
from kdmlog.cli.main import execute
from kdmlog.cli.script import lines

VIEWS = Path(__file__).parent / "views"
DRAW = os.environ.get("KDMLOG_GOLDENS") == "1"
"""Whether the pictures are drawn anew, not compared."""
COLUMNS = 80
VARYING = (
    re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\dZ)?)?"),  # a time, or its date
    re.compile(r"(?<=h:)[0-9a-f]{4,}"),
    re.compile(r"(?<=\d  )[0-9a-f]{4}(?=  )"),  # behind a move's number
)
Of = tuple[str, str]
"""A file of ``schemas/``, and where in it."""

STATE: Of = ("kdm.state", "$defs/State")
SURVIVOR: Of = ("kdm.state", "$defs/Survivor")
SETTLEMENT: Of = ("kdm.state", "$defs/Settlement")
SHOWDOWN: Of = ("kdm.state", "$defs/Showdown")


def at(of: Of, field: str) -> Of:
    """Returns where a field of a Struct is described."""
    return of[0], f"{of[1]}/properties/{field}"


def fields(of: Of, *names: str) -> dict[str, Of]:
    """Returns a document made of some fields of a Struct."""
    return {name: at(of, name) for name in names}


def record(kind: str) -> dict[str, Any]:
    """Returns what ``content show`` prints of a record of that kind."""
    return {"kind": str, "id": str, "pack": str, "fields": (f"kdm.{kind}", "additionalProperties")}


class View(NamedTuple):
    """A picture: its state, the command, and the schema of its JSON.

    A dict stands for a document that has no schema of its own: each of its fields has one, or is
    of a plain type.
    """

    name: str
    state: str
    words: str
    schema: Any


SHOWN = (
    View("campaigns", "branched", "campaigns", ("cli.campaigns", "")),
    View("status_prologue", "founded", "status", ("cli.status", "")),
    View("status_showdown", "fight", "status", ("cli.status", "")),
    View("status_question", "question", "status", ("cli.status", "")),
    View("status_settlement", "develop", "status", ("cli.status", "")),
    View("status_departed", "ended", "status", ("cli.status", "")),
    View("recap", "question", "recap", ("cli.recap", "")),
    View("survivor_list", "fight", "survivor list", at(STATE, "survivors")),
    View("survivor_list_deaths", "ended", "survivor list", at(STATE, "survivors")),
    View("survivor_show_fighting", "fight", "survivor show zachary", SURVIVOR),
    View("survivor_show_barred", "develop", "survivor show zachary", SURVIVOR),
    View("survivor_show_hurt", "sheets", "survivor show allister", SURVIVOR),
    View("survivor_show_dead", "ended", "survivor show allister", SURVIVOR),
    View("survivor_show_born", "sheets", "survivor show ada", SURVIVOR),
    View(
        "gear_show", "sheets", "gear show allister", fields(SURVIVOR, "grid", "affinities", "armor")
    ),
    View("showdown_show", "fight", "showdown show", SHOWDOWN),
    View("showdown_show_question", "question", "showdown show", SHOWDOWN),
    View("showdown_decks", "question", "showdown decks", fields(SHOWDOWN, "ai", "hit_locations")),
    View("settlement_show", "develop", "settlement show", SETTLEMENT),
    View("settlement_show_deaths", "ended", "settlement show", SETTLEMENT),
    View("settlement_show_sheets", "sheets", "settlement show", SETTLEMENT),
    View("settlement_storage", "stored", "settlement storage", ("kdm.state", "$defs/Storage")),
    View("settlement_timeline", "sheets", "settlement timeline", at(SETTLEMENT, "timeline")),
    View(
        "settlement_innovations",
        "sheets",
        "settlement innovations",
        fields(SETTLEMENT, "innovations", "principles", "innovation_deck"),
    ),
    View(
        "settlement_locations",
        "begun",
        "settlement locations",
        {"locations": at(SETTLEMENT, "locations"), "offers": dict},
    ),
    View("log_prologue", "founded", "log", ("cli.log", "")),
    View("log", "ended", "log", ("cli.log", "")),
    View("log_open", "question", "log -n 4 --events", ("cli.log", "")),
    View("log_graph", "branched", "log --graph", ("cli.branches", "")),
    View("show_attack", "develop", "show 26", ("cli.show", "")),
    View("show_monster", "develop", "show 30", ("cli.show", "")),
    View("diff", "branched", "diff main brave", ("cli.diff", "")),
    View("replay", "ended", "replay 16..18", ("cli.log", "")),
    View("oplog", "branched", "oplog", ("cli.oplog", "")),
    View("content_show_ai_card", "founded", "content show maul", record("ai_card")),
    View("content_show_location", "founded", "content show strange_hand", record("hit_location")),
    View("content_show_gear", "founded", "content show rawhide_vest", record("gear")),
)


# --- the states -----------------------------------------------------------------------------------


def played(db: Path, name: str, most: int | None = None) -> Path:
    """Plays a session script, or its lines up to the one numbered ``most``."""
    for number, words in lines(str(SESSIONS / f"{name}.kdm")):
        if most is None or number <= most:
            well(db, *words)
    return db


def line_of(name: str, start: str) -> int:
    """Returns the number of the one line of a session script that begins so."""
    [found] = [n for n, words in lines(str(SESSIONS / f"{name}.kdm")) if words_begin(words, start)]
    return found


def words_begin(words: list[str], start: str) -> bool:
    return " ".join(words).startswith(start)


def sheets(db: Path) -> Path:
    """A campaign from paper sheets; Allister is hurt by hand, for none is hurt between hunts."""
    sheet = db.with_suffix(".toml")
    sheet.write_text(well(db, "content", "sheet"), encoding="utf-8")
    well(
        db, "new", "Lantern's Rest", "-p", "Ann", "-p", "Bo", "--seed", "rest", "--from", str(sheet)
    )
    for path, value in (("injuries.arms", "+1"), ("injuries.body", "+1"), ("tokens.bleeding", "2")):
        well(db, "adjust", f"survivors.allister.{path}", value, "--why", "a fall")
    return db


def branched(db: Path) -> Path:
    """Two campaigns in one ledger; in the second a branch, an undo and a redo."""
    played(db, "death", line_of("death", "showdown begin"))
    played(db, "table", line_of("table", "attack lucy fist_and_tooth --dice 8,2,3"))
    for line in ("branch brave --at 9", "switch brave", "attack erza --dice 1,1"):
        well(db, *line.split())
    for line in ("undo", "redo", "switch main", "undo"):
        well(db, *line.split())
    return db


STATES: dict[str, Callable[[Path], Path]] = {
    "founded": lambda db: played(db, "table", line_of("table", "survivor new Zachary")),
    "fight": lambda db: played(db, "app", line_of("app", "answer body") + 2),
    "question": lambda db: played(db, "table", line_of("table", "adjust")),
    "begun": lambda db: played(db, "table", line_of("table", "settlement build bone_smith")),
    "develop": lambda db: played(db, "table", line_of("table", "settlement innovate")),
    "stored": lambda db: played(db, "death", line_of("death", "settlement craft")),
    "ended": lambda db: played(db, "death"),
    "sheets": sheets,
    "branched": branched,
}


@pytest.fixture(scope="module")
def states(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Returns each state's ledger, played when it is first asked for."""
    folder = tmp_path_factory.mktemp("views")
    made: dict[str, Path] = {}

    def state(name: str) -> Path:
        if name not in made:
            made[name] = STATES[name](folder / f"{name}.db")
        return made[name]

    return state


# --- the pictures ---------------------------------------------------------------------------------


class Screen(io.StringIO):
    """What is written to a terminal."""

    def isatty(self) -> bool:
        return True


def seen(db: Path, *words: str) -> str:
    """Returns what a command prints on a terminal."""
    out, err = Screen(), io.StringIO()
    call = Call(scripted=True)
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = execute(["--db", str(db), *words], call)
    finally:
        if call.session is not None:
            call.session.close()
    assert (code, err.getvalue()) == (0, "")
    return out.getvalue()


def steady(text: str) -> str:
    """Returns a picture with what varies made dots, as wide as it was."""
    for pattern in VARYING:
        text = pattern.sub(lambda found: re.sub("[0-9a-f]", "·", found[0]), text)
    return text


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(COLUMNS))
    monkeypatch.setenv("LINES", "24")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.mark.parametrize("view", SHOWN, ids=lambda view: view.name)
def test_a_view_is_as_pictured(states: Callable[[str], Path], view: View) -> None:
    text = steady(seen(states(view.state), *view.words.split()))
    for line in text.splitlines():
        assert len(line) <= COLUMNS, line
    assert "\x1b" not in text
    picture, file = f"$ kdmlog {view.words}\n{text}", VIEWS / f"{view.name}.txt"
    if DRAW:
        file.write_text(picture, encoding="utf-8")
    assert picture == file.read_text(encoding="utf-8")


def test_every_picture_is_of_a_view() -> None:
    assert {path.stem for path in VIEWS.glob("*")} == {view.name for view in SHOWN}


@pytest.mark.parametrize("view", SHOWN, ids=lambda view: view.name)
def test_a_view_s_json_matches_its_schema(states: Callable[[str], Path], view: View) -> None:
    document = json.loads(well(states(view.state), *view.words.split(), "--json"))
    parts = {"": view.schema} if isinstance(view.schema, tuple) else view.schema
    for name, schema in parts.items():
        part = document[name] if name else document
        if isinstance(schema, tuple):
            assert faults(part, *schema) == []
        else:
            assert isinstance(part, schema)
    if "" not in parts:
        assert document.keys() == parts.keys()
