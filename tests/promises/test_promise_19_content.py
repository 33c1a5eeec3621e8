"""19: the log carries its content and plays from its own copy, whatever is installed."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

import kdmlog
from kdmlog.core import events as e
from kdmlog.core.fingerprint import fingerprint
from kdmlog.games.kdm.content import Gear
from kdmlog.packs import installed
from kdmlog.packs.pack import meta_of, pack_hash
from kdmlog.session import open_session

from .commands import command, run
from .playing import prologue
from .reading import reading

Measured = Callable[[str], None]
Runs = Callable[[int, int], int]
PACKAGE = Path(kdmlog.__file__).parent


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """A campaign in the midst of its First Story, on two branches."""
    path = tmp_path / "kdm.db"
    run(path, "new", "Edge", "--seed", "19")
    for name in ("Allister m", "Erza f", "Lucy f", "Zachary m"):
        run(path, "survivor", "new", *name.split())
    run(path, "branch", "other")
    run(path, "showdown", "begin", "white_lion", "--first-story")
    return path


def the_rest(db: Path) -> str:
    """Plays a round; returns the fingerprint of where that leads."""
    run(db, "monster", "turn")
    while json.loads(run(db, "status", "--json"))["open"]:
        asked = json.loads(run(db, "status", "--json"))["open"]
        needed = asked["ask"] == "choose" and "default" not in asked
        run(db, "answer", *([asked["options"][0]["id"]] if needed else []))
    with open_session(db, readonly=True) as session:
        return fingerprint(session.table.state)


def changed(tmp_path: Path) -> Path:
    """Another version of the game's pack, in which gear and monsters are others."""
    folder = tmp_path / "other" / "core"
    shutil.copytree(installed.builtin("kdm")["core"], folder)
    others = {"version: 1": "version: 2", "name: ": "name: New ", "accuracy: 8": "accuracy: 2"}
    for name in ("pack.yaml", "gear.yaml", "monster.yaml"):
        text = (folder / name).read_text(encoding="utf-8")
        for was, now in others.items():
            text = text.replace(was, now)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


# --- named and carried ----------------------------------------------------------------------------


def test_the_log_names_edition_and_packs_and_has_their_source(db: Path) -> None:
    with open_session(db, readonly=True) as session:
        first = [event for number, event, _ in session.events() if number == 1]
        begun, packs = first[:2]
        assert isinstance(begun, e.CampaignBegun) and begun.edition == "1.3"
        assert isinstance(packs, e.PacksChanged)
        [core] = packs.packs
        source = session.ledger.pack(core.hash)
        assert source is not None and pack_hash(source) == core.hash
        meta = meta_of(source)
        assert (meta.id, meta.version) == (core.id, core.version) == ("core", 1)
    archive = run(db, "export", "-")
    assert core.hash in archive, "it goes where the campaign goes"


# --- its own copy ---------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["changed", "gone", "broken"])
def test_it_plays_from_its_own_copy_whatever_is_installed(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    same = tmp_path / "same.db"
    shutil.copy(db, same)
    expected = the_rest(same)
    folder = changed(tmp_path)
    if what == "gone":
        shutil.rmtree(folder)
    elif what == "broken":
        (folder / "gear.yaml").write_text("[", encoding="utf-8")
    monkeypatch.setattr(installed, "builtin", lambda _game: installed.packs_in(folder.parent))
    with sqlite3.connect(db) as connection:
        connection.execute("DELETE FROM cache")
    assert the_rest(db) == expected
    assert json.loads(run(db, "content", "show", "cloth", "--json"))["fields"]["name"] == "Cloth"
    assert run(db, "audit").splitlines()[-1].count("every fact follows from the rules") == 1


def test_without_any_content_beside_the_program_it_plays(db: Path, tmp_path: Path) -> None:
    """For real: the program is copied, and its content is not."""
    same = tmp_path / "same.db"
    shutil.copy(db, same)
    expected = the_rest(same)
    program = tmp_path / "program"
    skipped = shutil.ignore_patterns("__pycache__", "content")
    shutil.copytree(PACKAGE, program / "kdmlog", ignore=skipped)
    environment = {**os.environ, "PYTHONPATH": str(program), "PYTHONDONTWRITEBYTECODE": "1"}

    def bare(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "kdmlog.cli.main", "--db", str(db), *words],
            env=environment,
            cwd=program,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, ""), words
        return done.stdout

    bare("monster", "turn")
    while asked := json.loads(bare("status", "--json"))["open"]:
        needed = asked["ask"] == "choose" and "default" not in asked
        bare("answer", *([asked["options"][0]["id"]] if needed else []))
    with open_session(db, readonly=True) as session:
        assert fingerprint(session.table.state) == expected


def test_whole_prologues_are_audited_by_their_own_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, measured: Measured, runs: Runs
) -> None:
    games = runs(3, 30)
    for seed in range(games):
        prologue(tmp_path / f"{seed}.db", seed).close()
    monkeypatch.setattr(installed, "builtin", lambda _game: {})
    for seed in range(games):
        assert "every fact follows from the rules" in run(tmp_path / f"{seed}.db", "audit")
    measured(f"{games} prologues hold to their own content with none installed")


# --- without it -----------------------------------------------------------------------------------


SPOILT = {
    "gone": "DELETE FROM pack",
    "blank": "UPDATE pack SET source = zeroblob(length(source))",
    "flipped": "UPDATE pack SET source = CAST(replace(source, 'Cloth', 'Cl0th') AS BLOB)",
    "empty": "UPDATE pack SET source = zeroblob(0)",
}


def without(db: Path, how: str) -> None:
    """Takes the copies of the packs away, or spoils them, behind the triggers."""
    with closing(sqlite3.connect(db, isolation_level=None)) as connection:
        kept = connection.execute(
            "SELECT name, sql FROM sqlite_schema WHERE tbl_name = 'pack' AND type = 'trigger'"
        ).fetchall()
        for name, _ in kept:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(SPOILT[how])
        for _, sql in kept:
            connection.execute(sql)


@pytest.mark.parametrize("how", SPOILT)
def test_a_lost_copy_stops_no_backup_which_says_so(db: Path, how: str) -> None:
    without(db, how)
    code, out, err = command(db, "backup")
    assert code == 0 and "at move" in out
    assert err.startswith("Warning: The pack ") and "so it is in the backup, too." in err


WITHOUT_CONTENT = {
    "audit --fairness": 0,
    "audit": 3,
    "verify": 3,
    "content show": 1,  # there is nothing to show
    "odds": 1,  # nor a weapon to reckon with
    "attack": 1,
}
"""What cannot be answered without content, or says that it is lost, and its exit code."""


@pytest.mark.parametrize("how", SPOILT)
def test_a_lost_copy_leaves_reading_and_says_why(db: Path, tmp_path: Path, how: str) -> None:
    run(db, "monster", "turn")  # a question is open
    without(db, how)
    before = db.read_bytes()
    for words in reading():
        code, out, err = command(db, *words)
        text = " ".join(words)
        expected = next((n for name, n in WITHOUT_CONTENT.items() if text.startswith(name)), 0)
        if text.startswith("export"):
            assert code in (0, 3), f"{text}: {err}"
        else:
            assert code == expected, f"{text}: {code} {err}"
        assert "Traceback" not in err and "stumbled" not in err, f"{text}: {err}"
        if text in ("status", "state", "log", "settlement show", "survivor list"):
            assert out and "content pack core 1 is missing or damaged" in err, text
            assert "Warning:" in err
    assert db.read_bytes() == before


@pytest.mark.parametrize("how", ["gone", "blank"])
def test_a_lost_copy_refuses_every_move_with_the_reason(db: Path, how: str) -> None:
    without(db, how)
    before = len(json.loads(run_lost(db, "log", "-n", "0", "--json")))
    for words in (
        "monster turn",
        "note hello",
        "roll d10",
        "adjust survivors.lucy.insanity +1 --why x",
        "assert population=0",
        "survivor rename lucy Luz",
    ):
        code, out, err = command(db, *words.split())
        assert (code, out) == (3, ""), words
        assert err.count("\n") == 1
        assert "missing or damaged: what was played can be read, but not gone on with" in err
    assert len(json.loads(run_lost(db, "log", "-n", "0", "--json"))) == before
    code, _, err = command(db, "note", "hello", "--json")
    error = json.loads(err)["error"]
    assert (code, error["code"]) == (3, "no_pack")
    assert len(error["data"]["packs"]) == 1


def run_lost(db: Path, *words: str) -> str:
    code, out, _ = command(db, *words)
    assert code == 0
    return out


def test_what_is_lost_comes_back_from_what_is_installed(db: Path, tmp_path: Path) -> None:
    same = tmp_path / "same.db"
    shutil.copy(db, same)
    expected = the_rest(same)
    without(db, "gone")
    code, out, err = command(db, "content", "update")
    assert (code, err) == (0, "")
    assert out == "The lost copy of core 1 is back.\n"
    assert the_rest(db) == expected
    assert run(db, "verify") == ""


# --- another version ------------------------------------------------------------------------------


def test_an_update_is_a_move_that_shows_what_it_changes(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = changed(tmp_path)
    monkeypatch.setattr(installed, "builtin", lambda _game: installed.packs_in(folder.parent))
    tried = run(db, "content", "update", "--dry-run")
    assert "Nothing was logged" in tried
    before = json.loads(run(db, "status", "--json"))["move"]
    told = run(db, "content", "update")
    assert tried.splitlines()[0].partition("core")[1:] == told.splitlines()[0].partition("core")[1:]
    assert "core: 1 (" in told and " → 2 (" in told and "cloth" in told
    assert json.loads(run(db, "status", "--json"))["move"] == before + 1
    assert (
        run(db, "content", "update") == "The campaign plays what is installed; nothing to update.\n"
    )
    with open_session(db, readonly=True) as session:
        assert session.table.content.get(Gear, "cloth").name == "New Cloth"
        assert session.at(str(before)).content.get(Gear, "cloth").name == "Cloth"
    told = run(db, "content", "show", "cloth", "-b", "other", "--json")
    assert json.loads(told)["fields"]["name"] == "Cloth", "another branch plays on as it was"
    assert run(db, "verify") == ""
    assert "other content: plays core 2 from here on" in run(db, "audit")
    run(db, "undo")
    assert json.loads(run(db, "content", "show", "cloth", "--json"))["fields"]["name"] == "Cloth"
