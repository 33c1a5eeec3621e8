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
from typing import NamedTuple

import pytest
from cli_helpers import SESSIONS, kdmlog, well
from json_schema import faults

from kdmlog.cli.call import Call
from kdmlog.cli.documents import DOCUMENTS
from kdmlog.cli.kdm_documents import KDM_DOCUMENTS
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
BY_ID = "additionalProperties"
"""Where the schema of a kind describes a record."""


class View(NamedTuple):
    """A picture: its state, the command, and the file of ``schemas/`` that its JSON is held to."""

    name: str
    state: str
    words: str
    schema: str


SHOWN = (
    View("campaigns", "branched", "campaigns", "cli.campaigns"),
    View("status_prologue", "founded", "status", "cli.status"),
    View("status_showdown", "fight", "status", "cli.status"),
    View("status_question", "question", "status", "cli.status"),
    View("status_settlement", "develop", "status", "cli.status"),
    View("status_departed", "ended", "status", "cli.status"),
    View("recap", "question", "recap", "cli.recap"),
    View("survivor_list", "fight", "survivor list", "cli.survivor_list"),
    View("survivor_list_deaths", "ended", "survivor list", "cli.survivor_list"),
    View("survivor_show_fighting", "fight", "survivor show zachary", "cli.survivor_show"),
    View("survivor_show_barred", "develop", "survivor show zachary", "cli.survivor_show"),
    View("survivor_show_hurt", "sheets", "survivor show allister", "cli.survivor_show"),
    View("survivor_show_dead", "ended", "survivor show allister", "cli.survivor_show"),
    View("survivor_show_born", "sheets", "survivor show ada", "cli.survivor_show"),
    View("gear_show", "sheets", "gear show allister", "cli.gear_show"),
    View("showdown_show", "fight", "showdown show", "cli.showdown_show"),
    View("showdown_show_question", "question", "showdown show", "cli.showdown_show"),
    View("showdown_board", "on_board", "showdown board", "cli.showdown_board"),
    View(
        "showdown_board_reach",
        "on_board",
        "showdown board --reach 2 --from lucy",
        "cli.showdown_board",
    ),
    View("status_board", "on_board", "status", "cli.status"),
    View("showdown_decks", "question", "showdown decks", "cli.showdown_decks"),
    View("attack_explain", "fight", "attack zachary --blind --explain", "cli.attack_explain"),
    View("odds_attack", "fight", "odds attack lucy fist --blind", "cli.odds_attack"),
    View("settlement_show", "develop", "settlement show", "cli.settlement_show"),
    View("settlement_show_deaths", "ended", "settlement show", "cli.settlement_show"),
    View("settlement_show_sheets", "sheets", "settlement show", "cli.settlement_show"),
    View("settlement_storage", "stored", "settlement storage", "cli.settlement_storage"),
    View("settlement_timeline", "sheets", "settlement timeline", "cli.settlement_timeline"),
    View(
        "settlement_innovations",
        "sheets",
        "settlement innovations",
        "cli.settlement_innovations",
    ),
    View(
        "settlement_locations",
        "begun",
        "settlement locations",
        "cli.settlement_locations",
    ),
    View("log_prologue", "founded", "log", "cli.log"),
    View("log", "ended", "log", "cli.log"),
    View("log_open", "question", "log -n 4 --events", "cli.log"),
    View("log_graph", "branched", "log --graph", "cli.branches"),
    View("show_attack", "develop", "show 26", "cli.show"),
    View("show_monster", "develop", "show 30", "cli.show"),
    View("diff", "branched", "diff main brave", "cli.diff"),
    View("replay", "ended", "replay 16..18", "cli.replay"),
    View("oplog", "branched", "oplog", "cli.oplog"),
    View("audit", "branched", "audit", "cli.audit"),
    View("why_figure", "ended", "why bone", "cli.why"),
    View("why_survivor", "ended", "why allister", "cli.why"),
    View("content_show_ai_card", "founded", "content show maul", "cli.content_show"),
    View("content_show_location", "founded", "content show strange_hand", "cli.content_show"),
    View("content_show_gear", "founded", "content show rawhide_vest", "cli.content_show"),
)

UNPICTURED = (
    View("do", "begun", "do", "cli.do"),
    View("do_question", "question", "do", "cli.do"),
    View("survivor_list_none", "fight", "survivor list nobody", "cli.survivor_list"),
    View("showdown_show_none", "begun", "showdown show", "cli.showdown_show"),
    View("showdown_board_none", "begun", "showdown board", "cli.showdown_board"),
    View("showdown_board_range", "on_board", "showdown board --range 6", "cli.showdown_board"),
    View("replay_board", "on_board", "replay showdown:1", "cli.replay"),
    View("state_board", "on_board", "state", "kdm.state"),
    View("showdown_decks_none", "begun", "showdown decks", "cli.showdown_decks"),
    View("showdown_decks_orders", "fight", "showdown decks --spoilers", "cli.showdown_decks"),
    View("replay_orders", "fight", "replay showdown:1 --spoilers", "cli.replay"),
    View("replay_settlement", "ended", "replay ly:1", "cli.replay"),
    View("content_list", "founded", "content list", "cli.content_list"),
    View("content_list_gear", "founded", "content list gear", "cli.content_list"),
    View("content_check", "founded", "content check", "cli.content_check"),
    View("content_coverage", "founded", "content coverage", "cli.content_coverage"),
    View("content_sheet", "founded", "content sheet", "cli.content_sheet"),
    View("verify", "founded", "verify", "cli.verify"),
    View("state", "question", "state", "kdm.state"),
    View("state_sheets", "sheets", "state", "kdm.state"),
    View("events", "ended", "events", "cli.events"),
)
"""Documents whose text is of no picture: too long, or for programs alone."""
WRITERS = {
    *("error", "warning", "written", "undo", "redo", "amend", "rebase", "content_change"),
    *("export", "import", "compare", "backup", "recover", "remove"),
}
"""Documents that no command prints which reads this ledger alone."""


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


def on_board(db: Path) -> Path:
    """A lion on the board between two pillars; Erza lies, Lucy is behind it, Zachary is hidden."""
    played(db, "table", line_of("table", "survivor new Zachary"))
    well(db, "showdown", "begin", "white_lion", "--first-story", "--board", *ASKED_ONCE)
    well(db, "deploy")
    for line in (
        "place toppled_pillar 14 6",
        "place tall_grass 5 11",
        "place monster 11 8 --facing e",
        "place lucy 10 9",
        "place erza 6 12",
        "place zachary 17 8",
        "adjust survivors.erza.knocked_down 1 --why stumbled",
    ):
        well(db, *line.split())
    return db


ASKED_ONCE = ("--fill", "white_lion.deploy=ring6,white_lion.blind_spot=behind")
"""What the players read from their book before the first showdown on the board."""
STATES: dict[str, Callable[[Path], Path]] = {
    "founded": lambda db: played(db, "table", line_of("table", "survivor new Zachary")),
    "fight": lambda db: played(db, "app", line_of("app", "answer body") + 2),
    "question": lambda db: played(db, "table", line_of("table", "adjust")),
    "on_board": on_board,
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


@pytest.mark.parametrize("view", SHOWN + UNPICTURED, ids=lambda view: view.name)
def test_a_view_s_json_matches_its_schema(states: Callable[[str], Path], view: View) -> None:
    printed = well(states(view.state), *view.words.split(), "--json").splitlines()
    assert len(printed) == 1 or view.schema in ("cli.events", "cli.replay")
    for document in map(json.loads, printed):
        assert faults(document, view.schema) == []
        if view.schema == "cli.content_show":
            assert faults(document["fields"], f"kdm.{document['kind']}", BY_ID) == []


def test_a_broken_pack_s_findings_match_the_schema(tmp_path: Path) -> None:
    (tmp_path / "pack.yaml").write_text("title: 3\n", encoding="utf-8")
    said = kdmlog(tmp_path / "none.db", "content", "check", str(tmp_path), "--json")
    document = json.loads(said.out)
    assert document["packs"][0]["findings"]
    assert faults(document, "cli.content_check") == []
    assert faults(json.loads(said.err), "cli.error") == []


def test_every_document_is_of_a_view() -> None:
    held = {view.schema for view in SHOWN + UNPICTURED}
    reading = (DOCUMENTS | KDM_DOCUMENTS).keys() - WRITERS
    assert held == {f"cli.{name}" for name in reading} | {"kdm.state"}
