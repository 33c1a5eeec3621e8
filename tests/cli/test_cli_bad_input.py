"""Whatever is wrong gets one line that says what and what to do, and costs nothing."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import threading
import time
import unicodedata
from pathlib import Path

import pytest
from cli_helpers import (
    copied,
    fighting,
    founded,
    head,
    kdmlog,
    look,
    moves,
    script,
    well,
)

from kdmlog.core.text import _JOINERS
from kdmlog.ledger import Ledger

STEERS = ("Cc", "Cf", "Cs", "Zl", "Zp")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Campaigns to copy: the monster's turn (kdmlog's dice, then the table's), a question, later.

    ``later`` is in the table session's first survivors' turn, Lucy's act: Claw is discarded, the
    Strange Hand lies face up.
    """
    folder = tmp_path_factory.mktemp("bad_input")
    fighting(folder / "monster.db", "-p", "Ann", "-p", "Bo")
    well(copied(folder / "monster.db", folder / "question.db"), "monster", "turn")
    fighting(folder / "table.db", "--table")
    script(folder / "later.db", "table", until="attack lucy")
    return folder


@pytest.fixture
def at(made: Path, tmp_path: Path) -> _At:
    return _At(made, tmp_path)


class _At:
    """Copies one of the campaigns."""

    def __init__(self, made: Path, to: Path) -> None:
        self.made, self.to = made, to

    def __call__(self, name: str) -> Path:
        return copied(self.made / f"{name}.db", self.to / f"{name}.db")


def refused(db: Path, *words: str, code: int, error: str, names: tuple[str, ...]) -> None:
    """Checks what a refusal must be, as text and as JSON: one line, and nothing written."""
    before, count = head(db), moves(db)
    said = kdmlog(db, *words)
    assert said.code == code, said
    assert said.out == ""
    assert said.err.endswith("\n") and said.err.count("\n") == 1, said.err
    assert "Traceback" not in said.err and "stumbled" not in said.err
    for name in names:
        assert name in said.err, f"{name!r} is not in {said.err!r}"
    again = kdmlog(db, "--json", *words)
    assert (again.code, again.out, again.err.count("\n")) == (code, "", 1)
    told = json.loads(again.err)["error"]
    assert told["code"] == error
    assert said.err.startswith(told["message"])
    assert all(hint in said.err for hint in told["hints"])
    assert (head(db), moves(db)) == (before, count), "something was appended"


# --- an action that is not legal now --------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ("attack", "allister"),
        ("act", "lucy"),
        ("end-act",),
        ("end-turn",),
        ("aftermath",),
        ("settlement", "begin", "Edge"),
        ("settlement", "innovate"),
        ("settlement", "craft", "bone_dagger"),
        ("gear", "put", "lucy", "cloth"),
        ("survivor", "new", "Ada", "f"),
        ("showdown", "begin", "white_lion", "--first-story"),
        ("depart", "lucy", "--hunt", "white_lion"),
    ],
)
def test_what_is_not_legal_names_the_phase_and_what_is_legal(at: _At, words: tuple[str]) -> None:
    names = ("it is the monster's turn of round 1", "monster turn")
    refused(at("monster"), *words, code=1, error="not_now", names=names)


def test_json_of_what_is_not_legal_holds_phase_and_lines_to_type(at: _At) -> None:
    said = kdmlog(at("monster"), "--json", "attack", "allister")
    assert json.loads(said.err)["error"]["data"] == {
        "phase": "it is the monster's turn of round 1",
        "ready": ["monster turn"],
    }


@pytest.mark.parametrize(
    "words",
    [
        ("attack", "allister"),
        ("monster", "turn"),
        ("survivor", "rename", "lucy", "Luz"),
        ("draw", "ai"),
        ("choose", "where", "a", "b"),
    ],
)
def test_an_open_question_is_named_with_how_to_answer(at: _At, words: tuple[str]) -> None:
    names = ("open since move 7", "Who?", "kdmlog answer allister|erza", "kdmlog undo")
    refused(at("question"), *words, code=1, error="open_question", names=names)


def test_nothing_open_to_answer(at: _At) -> None:
    refused(at("monster"), "answer", "yes", code=1, error="nothing_open", names=("monster turn",))


@pytest.mark.parametrize("words", [("answer",), ("answer", "--dice", "3")])
def test_an_answer_without_a_word_where_that_means_nothing(at: _At, words: tuple[str]) -> None:
    refused(at("question"), *words, code=1, error="needs_answer", names=("kdmlog answer allister",))


# --- faces, cards, options, what is left over -----------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "names"),
    [
        ("8,z", ("'z'", "d10", "1 to 10", "lantern")),
        ("8,³", ("'³'", "1 to 10")),
        ("8,٣", ("'٣'", "1 to 10")),
        ("8,h", ("'h'", "1 to 10")),
        ("8,-1", ("'-'", "1 to 10")),
        ("1,9,x", ("'x'", "location", "head, arms, body, waist, legs")),
        ("1,9,7", ("'7'", "location", "h, a, b, w or l")),
        ("8", ("2d10", "2 faces", "8")),
    ],
)
def test_a_face_that_the_die_does_not_have(at: _At, dice: str, names: tuple[str, ...]) -> None:
    words = ("monster", "turn", "--draw", "claw", "--choose", "lucy", "--dice", dice)
    refused(at("table"), *words, code=1, error="bad_input", names=names)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("--dice", "1,1,3"), ("dice 3",)),
        (("--dice", "1,1", "--choose", "yes"), ("choose yes",)),
        (("--dice", "1,1", "--draw", "chomp"), ("draw chomp",)),
        (("--dice", "1,1", "--fill", "speed=2"), ("fill speed=2",)),
        (("--dice", "1,1", "--effect", "knock_down lucy"), ("knock_down lucy",)),
    ],
)
def test_what_is_left_over_is_named(at: _At, words: tuple[str], names: tuple[str, ...]) -> None:
    given = ("monster", "turn", "--draw", "claw", "--choose", "lucy")
    refused(at("table"), *given, *words, code=1, error="left_over", names=("Left over", *names))


def test_what_is_missing_is_asked_for_and_nothing_given_is_lost(at: _At) -> None:
    db = at("table")
    said = well(db, "monster", "turn", "--draw", "claw", "--choose", "lucy")
    assert "2d10: faces" in said and "kdmlog answer FACE… (2d10" in said
    assert look(db, "open")["ask"] == "roll"
    assert look(db, "showdown.ai.in_play") == ["claw"]


def test_a_card_that_lies_face_up_cannot_be_drawn(at: _At) -> None:
    db = at("later")
    words = ("attack", "lucy", "--dice", "8,2,3", "--draw", "strange_hand")
    refused(db, *words, code=1, error="face_up", names=("can be drawn", "Strange Hand"))
    well(db, "end-turn")
    assert look(db, "showdown.ai.discard") == ["claw"]
    words = ("monster", "turn", "--draw", "claw")
    refused(db, *words, code=1, error="face_up", names=("Claw", "face up (discard)"))


def test_a_card_of_another_deck_or_out_of_the_game_cannot_be_drawn(at: _At) -> None:
    db = at("table")
    there = {"claw", "size_up", "terrifying_roar", "grasp", "enraged", "maul", "chomp"}
    cards = {one["id"] for one in json.loads(well(db, "--json", "content", "list", "ai_card"))}
    out = sorted(cards - there - {"power_swat"})
    for card in ("beasts_ear", *out):
        words = ("monster", "turn", "--draw", card)
        refused(db, *words, code=1, error="unknown_name", names=("can be drawn", f"'{card}'"))


def test_a_card_cannot_be_drawn_twice_at_once(at: _At) -> None:
    words = ("attack", "lucy", "fist", "--dice", "8,8", "--draw", "beasts_ear,beasts_ear")
    names = ("Beast's Ear", "named already")
    refused(at("later"), *words, code=1, error="face_up", names=names)


def test_a_refused_card_tells_no_order_of_the_deck(at: _At) -> None:
    """``known:`` once listed the deck from its top."""
    said = kdmlog(at("monster"), "--json", "monster", "turn", "--draw", "zzz")
    [hint] = json.loads(said.err)["error"]["hints"]
    listed = hint.removeprefix("known: ").split(", ")
    assert listed == sorted(listed)


@pytest.mark.parametrize("word", ["bob", "far_bob", "yes", "pass", "allister,erza"])
def test_an_option_that_is_not_offered(at: _At, word: str) -> None:
    names = (word, "offered: allister, erza, lucy, zachary")
    refused(at("question"), "answer", word, code=1, error="bad_option", names=names)


def test_a_given_option_that_is_not_offered(at: _At) -> None:
    words = ("monster", "turn", "--choose", "nobody")
    names = ("'nobody'", "offered: allister")
    refused(at("monster"), *words, code=1, error="bad_option", names=names)


def test_a_value_that_is_none_names_its_field(tmp_path: Path) -> None:
    db = script(tmp_path / "settled.db", "table", until="settlement event")
    for fill in ("population=x", "population=3", "population=100", "people=9", "population"):
        words = ("settlement", "event", "--fill", fill)
        refused(db, *words, code=1, error="bad_input", names=("population",))


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "code", "error", "names"),
    [
        (("control", "lucu"), 1, "unknown_name", ("'lucu'", "lucy?")),
        (("survivor", "show", "era"), 1, "unknown_name", ("'era'", "erza")),
        (("survivor", "show", "x"), 1, "unknown_name", ("allister, erza, lucy, zachary",)),
        (("showdown", "decks", "x"), 2, "usage", ("x",)),
        (("draw", "aii"), 1, "unknown_name", ("'aii'", "ai?")),
        (("roll", "3d7"), 1, "bad_input", ("'3d7'", "2d10")),
        (("switch", "mian"), 1, "unknown_name", ("'mian'", "main?")),
        (("status", "-b", "nope"), 1, "unknown_name", ("nope", "main")),
        (("status", "-c", "egde"), 1, "unknown_name", ("'egde'", "edge?")),
        (("use", "egde"), 1, "unknown_name", ("'egde'", "edge?")),
        (("events", "--type", "kdm.attak"), 1, "unknown_name", ("kdm.attack_ended",)),
        (("content", "show", "bone_dager"), 1, "unknown_name", ("bone_dagger",)),
        (("content", "list", "geer"), 1, "unknown_name", ("gear?",)),
        (("state", "survivors.lucy.survivol"), 1, "unknown_name", ("survivors.lucy.survival",)),
        (("new", "X", "--game", "kdn"), 1, "unknown_name", ("'kdn'", "kdm?")),
        (("atack", "lucy"), 2, "usage", ("'atack'", "attack")),
        (("survivor", "nw"), 2, "usage", ("'survivor nw'", "new?")),
        (("status", "--at", "99"), 1, "unknown_name", ("99", "1 to 6")),
        (("status", "--at", "h:0000"), 1, "unknown_name", ("0000",)),
        (("status", "--at", "showdown:2"), 1, "unknown_name", ("showdown:1",)),
        (("status", "--at", "shodown:1"), 1, "unknown_name", ("showdown?",)),
        (("status", "--at", "???"), 1, "bad_input", ("'???'", "showdown:1")),
        (("show", "0"), 1, "unknown_name", ("1 to 6",)),
    ],
)
def test_an_unknown_name_gets_the_nearest(
    at: _At, words: tuple[str, ...], code: int, error: str, names: tuple[str, ...]
) -> None:
    refused(at("monster"), *words, code=code, error=error, names=names)


def test_at_most_three_names_are_offered_and_more_is_said_to_be_needed(tmp_path: Path) -> None:
    db = tmp_path / "names.db"
    well(db, "new", "Names")
    for name in ("Anna", "Anne", "Anni", "Annu"):
        well(db, "survivor", "new", name, "m")
    near = ("survivor", "rename", "annx", "X")
    refused(db, *near, code=1, error="unknown_name", names=("ann",))
    hint = json.loads(kdmlog(db, "--json", *near).err)["error"]["hints"][0]
    assert hint.count("ann") == 3
    several = ("survivor", "rename", "ann", "X")
    names = ("'ann' could be any of anna, anne, anni, annu.", "say more of it")
    refused(db, *several, code=1, error="ambiguous", names=names)


# --- options in the wrong place, usage ------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ("monster", "turn"),
        ("note", "x"),
        ("answer", "lucy"),
        ("undo",),
        ("redo",),
        ("switch", "main"),
        ("adjust", "survivors.lucy.insanity", "+1", "--why", "x"),
        ("survivor", "rename", "lucy", "Luz"),
        ("roll", "d10"),
    ],
)
def test_at_never_writes(at: _At, words: tuple[str, ...]) -> None:
    names = ("--at reads the past; it never writes", "branch NAME --at")
    refused(at("monster"), *words, "--at", "3", code=2, error="usage", names=names)


@pytest.mark.parametrize(
    "words", [("status",), ("do",), ("log",), ("state",), ("survivor", "list"), ("verify",)]
)
@pytest.mark.parametrize(
    "option",
    [
        ("--dice", "3"),
        ("--draw", "claw"),
        ("--choose", "lucy"),
        ("--fill", "a=1"),
        ("--effect", "archive"),
        ("--by", "Ann"),
        ("--note", "x"),
        ("--request-id", "1"),
        ("--expect", "h:00"),
        ("--flows",),
        ("--dry-run",),
    ],
)
def test_reading_commands_take_no_writing_options(
    at: _At, words: tuple[str, ...], option: tuple[str, ...]
) -> None:
    said = kdmlog(at("monster"), *words, *option)
    assert said == (2, "", f"{option[0]} goes with commands that write.\n")


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("survivor", "rename", "lucy"), ("NAME is missing", "survivor rename SURVIVOR NAME")),
        (("adjust", "survivors.lucy.insanity", "+1"), ("reason", "--why")),
        (("monster", "turn", "extra"), ("extra",)),
        (("monster", "turn", "--nope"), ("--nope",)),
        (("note",), ("TEXT",)),
        (("note", "x", "--by"), ("--by needs a value",)),
        (("undo", "0"), ("0",)),
        (("log", "-n", "x"), ("'x'",)),
        (("do", "run", "x"), ("run is no action",)),
        (("depart", "lucy", "--hunt", "white_lion", "--level", "x"), ("'x'",)),
    ],
)
def test_words_that_are_off(at: _At, words: tuple[str, ...], names: tuple[str, ...]) -> None:
    refused(at("monster"), *words, code=2, error="usage", names=names)


@pytest.mark.parametrize(
    ("path", "value", "error", "names"),
    [
        ("survivors.lucy.survival", "+9", "bad_input", ("0 to 1", "10")),
        ("survivors.lucy.survival", "-9", "bad_input", ("0 to 1", "-8")),
        ("survivors.lucy.survival", "many", "bad_input", ("'many'", "+1")),
        ("survivors.lucy.status", "1", "not_adjustable", ("status", "undo")),
        ("survivors.lucy", "1", "not_adjustable", ("survivors.lucy",)),
        ("survivors.lucy.survivol", "1", "unknown_name", ("survival",)),
        ("survivors.lucu.survival", "1", "unknown_name", ("lucy",)),
        ("phase.name", "1", "not_adjustable", ("phase.name",)),
        ("", "1", "not_adjustable", ("the state",)),
    ],
)
def test_adjusting_what_cannot_be(
    at: _At, path: str, value: str, error: str, names: tuple[str, ...]
) -> None:
    words = ("adjust", path, value, "--why", "x")
    refused(at("monster"), *words, code=1, error=error, names=names)


def test_too_much_to_take_back_or_bring_back(at: _At) -> None:
    refused(at("monster"), "undo", "99", code=1, error="nothing_to_undo", names=("99",))
    refused(at("monster"), "redo", code=1, error="nothing_to_redo", names=("nothing",))


def test_a_name_that_is_taken(at: _At) -> None:
    refused(at("monster"), "new", "EDGE!", code=1, error="exists", names=("edge",))
    refused(at("monster"), "branch", "main", code=1, error="exists", names=("main",))


def test_no_campaign_yet(tmp_path: Path) -> None:
    db = tmp_path / "none.db"
    for words in (("status",), ("note", "x"), ("use", "edge"), ("verify",), ("undo",)):
        said = kdmlog(db, *words)
        assert said.code == 1
        assert said.err.endswith("  Then: kdmlog new NAME\n") and str(db) in said.err
        assert not db.exists()
    assert well(db, "campaigns") == "No campaign yet.  Next: kdmlog new NAME\n"


# --- databases ------------------------------------------------------------------------------------


def _text(db: Path) -> None:
    db.write_text("no ledger\n" * 50)


def _other(db: Path) -> None:
    db.unlink()
    _sql(db, "CREATE TABLE t (a)")


def _newer(db: Path) -> None:
    _sql(db, "PRAGMA user_version = 99000", "PRAGMA journal_mode = DELETE")


def _cut(db: Path) -> None:
    db.write_bytes(db.read_bytes()[:20_000])


def _zeroed(db: Path) -> None:
    whole = db.read_bytes()
    db.write_bytes(whole[:8192] + bytes(len(whole) - 8192))


def _sql(db: Path, *statements: str) -> None:
    connection = sqlite3.connect(db, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


@pytest.mark.parametrize(
    ("spoil", "error", "names"),
    [
        (_text, "not_kdmlog", ("no kdmlog ledger", "--db FILE")),
        (_other, "not_kdmlog", ("another program", "--db FILE")),
        (_newer, "newer", ("newer kdmlog", "99", "update kdmlog")),
        (_cut, "damaged", ("damaged", "verify")),
        (_zeroed, "damaged", ("malformed",)),
    ],
)
def test_a_database_that_cannot_be_used_is_left_as_it_was(
    at: _At, spoil: object, error: str, names: tuple[str, ...]
) -> None:
    db = at("monster")
    assert callable(spoil)
    spoil(db)
    before = db.read_bytes()
    for words in (
        ("status",),
        ("verify",),
        ("campaigns",),
        ("new", "B"),
        ("use", "edge"),
        ("note", "x"),
        ("monster", "turn"),
        ("undo",),
        ("branch", "b"),
        ("adjust", "survivors.lucy.insanity", "+1", "--why", "x"),
    ):
        said = kdmlog(db, *words)
        assert (said.code, said.out, said.err.count("\n")) == (3, "", 1), said
        assert all(name in said.err for name in names), said.err
        told = kdmlog(db, "--json", *words)
        assert (told.code, json.loads(told.err)["error"]["code"]) == (3, error)
        assert db.read_bytes() == before


def test_history_that_was_edited_is_found_by_verify(at: _At) -> None:
    db = at("monster")
    assert well(db, "verify") == ""
    assert json.loads(well(db, "--json", "verify")) == {"findings": []}
    edit = "UPDATE event SET body = replace(body, 'Allister', 'Evil') WHERE body LIKE '%Allister%'"
    _sql(db, "DROP TRIGGER event_no_update", edit)
    said = kdmlog(db, "verify")
    assert (said.code, said.out, said.err.count("\n")) == (3, "", 1)
    told = kdmlog(db, "--json", "verify")
    assert told.code == 3
    assert json.loads(told.out)["findings"]
    assert json.loads(told.err)["error"]["code"] == "damaged"


# --- two at once ----------------------------------------------------------------------------------


def test_a_writer_waits_for_another_and_then_says_so(
    at: _At, monkeypatch: pytest.MonkeyPatch
) -> None:
    defaults = Ledger.open.__func__.__kwdefaults__  # type: ignore[attr-defined]
    assert defaults["wait"] == 5.0
    monkeypatch.setitem(defaults, "wait", 0.2)
    db = at("monster")
    other = sqlite3.connect(db, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    refused(db, "note", "x", code=4, error="busy", names=("busy", "nothing was written"))
    refused(db, "undo", code=4, error="busy", names=("busy", "try again"))
    assert well(db, "status")  # reading goes on
    other.execute("ROLLBACK")
    other.close()
    assert "note: x" in well(db, "note", "x")
    assert well(db, "verify") == ""


def test_a_writer_goes_on_when_the_other_is_done(at: _At) -> None:
    db = at("monster")
    other = sqlite3.connect(db, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(0.3, lambda: other.execute("COMMIT"))
    timer.start()
    began = time.monotonic()
    assert "note: x" in well(db, "note", "x")
    assert time.monotonic() - began > 0.2
    timer.join()
    other.close()


def test_expect_refuses_when_the_branch_has_moved(at: _At) -> None:
    db = at("monster")
    known = head(db)
    well(db, "note", "mine", "--expect", f"h:{known[:8]}")
    for words in (("monster", "turn"), ("note", "yours"), ("undo",)):
        names = (f"h:{head(db)[:8]}", "move 7", "look again")
        refused(db, *words, "--expect", known[:8], code=4, error="branch_moved", names=names)


def test_processes_at_once_lose_nothing(at: _At, tmp_path: Path) -> None:
    db = at("monster")
    before = moves(db)
    running = []
    for one in range(3):
        path = tmp_path / f"{one}.kdm"
        path.write_text("".join(f"note '{one} {n}'\n" for n in range(8)))
        words = [sys.executable, "-m", "kdmlog", "--db", str(db), "run", str(path)]
        running.append(subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE))
    for process in running:
        error = process.communicate()[1]
        assert process.returncode == 0, error
    assert moves(db) == before + 24
    noted = [
        json.loads(line)["event"]["text"]
        for line in well(db, "events", "--type", "core.noted").splitlines()
    ]
    assert sorted(noted) == [f"{one} {n}" for one in range(3) for n in range(8)]
    assert well(db, "verify") == ""


# --- scripts --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code", "error", "line", "names"),
    [
        ("note a\nfoo bar\nnote c\n", 2, "usage", 2, ("'foo'",)),
        ("note a\n\n# x\nmonster turn --draw nope\nnote c", 1, "unknown_name", 4, ("'nope'",)),
        ("note a\nattack lucy\n", 1, "not_now", 2, ("monster's turn",)),
        ("note a\nnote\n", 2, "usage", 2, ("TEXT",)),
        ("note a\nmonster turn --nope\n", 2, "usage", 2, ("--nope",)),
        ("note a\nstatus --dice 3\n", 2, "usage", 2, ("--dice",)),
        ("note a\nundo 50\n", 1, "nothing_to_undo", 2, ("50",)),
        ("note a\nsurvivor show nope\n", 1, "unknown_name", 2, ("'nope'",)),
    ],
)
def test_a_script_stops_at_its_first_failure_and_earlier_lines_stand(
    at: _At,
    tmp_path: Path,
    text: str,
    code: int,
    error: str,
    line: int,
    names: tuple[str, ...],
) -> None:
    path = tmp_path / "script.kdm"
    path.write_text(text)
    for form in ((), ("--json",)):
        db = at("monster")
        said = kdmlog(db, *form, "run", str(path))
        assert said.code == code
        assert said.err.count("\n") == 1
        if form:
            told = json.loads(said.err)["error"]
            assert told["code"] == error
            assert told["message"].startswith(f"{path}, line {line}: ")
        else:
            assert said.err.startswith(f"{path}, line {line}: ")
        assert all(name in said.err for name in names)
        assert json.loads(well(db, "--json", "log"))[0]["text"] == "note: a"
        assert len(json.loads(well(db, "--json", "log"))) == 7


@pytest.mark.parametrize("text", ["lu a 11\n", "status\nlu a 11\n"])
def test_a_script_may_begin_with_a_look_or_with_a_short_line(
    at: _At, tmp_path: Path, text: str
) -> None:
    path, db = tmp_path / "script.kdm", at("later")
    path.write_text(text)
    before = len(json.loads(well(db, "--json", "log")))
    assert kdmlog(db, "run", str(path)).code == 0
    assert len(json.loads(well(db, "--json", "log"))) == before + 1


@pytest.mark.parametrize(
    ("raw", "names"),
    [
        (b'note a\nnote "b\nnote c\n', ("line 2", "quotation")),
        (b"note a\n\nnote \xff\n", ("line 3", "UTF-8")),
        (b"note a\nnote \xed\xa0\x80\n", ("line 2", "UTF-8")),
        (b"note a\n" + b"#" * (1 << 20), ("longer than 1048576 bytes",)),
    ],
)
def test_a_script_that_is_none_does_nothing(
    at: _At, tmp_path: Path, raw: bytes, names: tuple[str, ...]
) -> None:
    path = tmp_path / "script.kdm"
    path.write_bytes(raw)
    names = (str(path), *names)
    refused(at("monster"), "run", str(path), code=1, error="content", names=names)


def test_a_script_that_cannot_be_read(at: _At, tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.kdm"):
        refused(at("monster"), "run", str(path), code=2, error="usage", names=(str(path),))


def test_a_script_runs_no_script_not_even_itself(at: _At, tmp_path: Path) -> None:
    """It once ran itself until Python gave up, a note each time."""
    path, db = tmp_path / "loop.kdm", at("monster")
    path.write_text(f"note a\nrun '{path}'\n")
    said = kdmlog(db, "run", str(path))
    assert said.code == 2
    assert said.err.startswith(f"{path}, line 2: A script runs no other script.")
    assert moves(db) == 7


# --- hostile text ---------------------------------------------------------------------------------

HOSTILE = {
    "escape codes": "\x1b[31mRed\x1b[0m\x1b]0;title\x07",
    "bidi": "a\u202eevil\u2066b",
    "lines": "two\nlines\r\x0bmore\u2028x\x85y",
    "nul": "a\x00b",
    "dash": "-dash",
    "markup": "[red]x[/red] <b>",
    "quotes": "\"'`$(id)`",
    "emoji": "\U0001f468\u200d\U0001f469\u200d\U0001f467 Lion",
    "arabic": "نورة",
    "long": "x" * 200,
}


def harmless(text: str) -> bool:
    return not any(
        unicodedata.category(char) in STEERS and char not in _JOINERS + "\n" for char in text
    )


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_hostile_names_are_kept_exactly_and_shown_harmlessly(name: str, tmp_path: Path) -> None:
    db = tmp_path / "hostile.db"
    well(db, "new", "Hostile")
    for words in (("survivor", "new", "--sex", "f", "--", name), ("note", "--", name)):
        assert harmless(well(db, *words))
    [(id_, sheet)] = look(db, "survivors").items()
    assert sheet["name"] == name
    assert harmless(id_)
    assert json.loads(well(db, "--json", "state", f"survivors.{id_}.name")) == name
    for words in (
        ("survivor", "list"),
        ("survivor", "show", id_),
        ("gear", "show", id_),
        ("status",),
        ("log",),
        ("log", "--events"),
        ("show", "2"),
        ("replay",),
        ("diff", "1"),
        ("undo", "--dry-run"),
        ("undo",),
        ("redo",),
    ):
        out = well(db, *words)
        assert harmless(out), words
        lines = out.splitlines()
        if words[0] in ("survivor", "gear"):
            assert max(map(len, lines)) <= 80
    noted = json.loads(well(db, "events", "--type", "core.noted"))
    assert noted["event"]["text"] == name
    assert well(db, "verify") == ""


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_hostile_names_of_campaigns_players_and_branches(name: str, tmp_path: Path) -> None:
    db = tmp_path / "hostile.db"
    for words in (
        ("new", "-p", name, "-p", "Bo", "--", name),
        ("roll", "d10", f"--why={name}", f"--by={name}", f"--note={name}"),
        ("branch", "--", name),
        ("branch",),
        ("campaigns",),
        ("status",),
        ("log",),
        ("oplog",),
        ("log", "--graph"),
    ):
        said = kdmlog(db, *words)
        assert harmless(said.out + said.err), words
        assert said.code in (0, 1)
    assert look(db, "players") == [name, "Bo"]
    assert json.loads(well(db, "--json", "campaigns"))[0]["name"] == name
    assert json.loads(well(db, "--json", "log", "-n", "1"))[0]["by"] == name


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_hostile_words_are_refused_in_one_line(name: str, at: _At) -> None:
    db = at("monster")
    for words in (
        ("control", "--", name),
        ("draw", "--", name),
        ("roll", "--", name),
        ("switch", "--", name),
        ("state", "--", name),
        ("status", "--at", name),
        ("monster", "turn", "--draw", name),
        ("monster", "turn", "--choose", name),
        ("monster", "turn", "--dice", name[:100]),
        ("--", name),
    ):
        before = moves(db)
        said = kdmlog(db, *words)
        assert said.code in (1, 2), words
        assert harmless(said.err) and said.err.count("\n") == 1, words
        assert "stumbled" not in said.err, words
        assert moves(db) == before
        told = kdmlog(db, "--json", *words)
        assert json.loads(told.err)["error"]["message"]


def test_a_name_of_a_megabyte_is_kept_and_shown_cut(tmp_path: Path) -> None:
    db, name = tmp_path / "huge.db", "y" * 1_000_000
    well(db, "new", "Huge")
    assert len(well(db, "survivor", "new", name, "f")) < 1000
    assert look(db, "survivors")[name]["name"] == name
    for words in (("survivor", "list"), ("status",), ("log",), ("undo", "--dry-run"), ("undo",)):
        out = well(db, *words)
        assert harmless(out) and len(out) < 2000, words
    said = kdmlog(db, "survivor", "show", name)
    assert (said.code, said.err.count("\n")) == (1, 1)
    assert well(db, "verify") == ""


@pytest.mark.parametrize("name", ["", " ", "\u200f", "\x00", "''", "half \ud800"])
def test_names_that_are_none_are_refused(name: str, tmp_path: Path) -> None:
    db = founded(tmp_path / "kdm.db")
    for words in (("survivor", "rename", "lucy", name), ("new", name)):
        before = moves(db)
        said = kdmlog(db, *words)
        assert (said.code, said.err.count("\n")) == (1, 1), words
        assert moves(db) == before
    assert look(db, "survivors.lucy.name") == "Lucy"
