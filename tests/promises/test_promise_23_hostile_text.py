"""Hostile text is harmless: kept exactly, shown without steering a terminal, exported valid."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from kdmlog.core.text import hidden
from kdmlog.session import open_session

from .commands import command, run
from .conftest import FULL
from .reading import reading

HOSTILE = {
    "escape codes": "\x1b[31mRed\x1b[0m\x1b]0;title\x07\x1b]8;;http://x\x07link\x1b[2J",
    "carriage return": "Lucy\rErza is dead",
    "backspaces": "Lucy\b\b\b\bErza",
    "line breaks": "two\nlines\x0bmore\u2028and\u2029more\x85still",
    "bidi": "a\u202eevil\u2066b\u2069\u200fc",
    "invisible": "Lu\u200bcy\u2060\ufeff\U000e0041",
    "nul": "a\x00b",
    "c1": "a\x9b31mb\x90c\x7f",
    "dash": "-rf",
    "double dash": "--db=/etc/passwd",
    "quotes": "\"'`$(touch owned)`;&|<>\\",
    "markup": "[red]x[/red] <b>x</b> &amp; {0.__class__} %s ${HOME} {{7*7}}",
    "formula": "=cmd|'/C calc'!A0",
    "sql": "'); DROP TABLE move; --",
    "json": '{"kind":"core.noted"}',
    "numbers": "007",
    "words of ours": "none",
    "emoji": "\U0001f468\u200d\U0001f469\u200d\U0001f467 Lion",
    "combining": "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A",
    "right to left": "نورة",
    "wide": "獅子" * 60,
    "two hundred": "x" * 200,
    "a megabyte": "y" * (1_000_000 if FULL else 50_000),
}
if not FULL:  # most of them at once, and what is only itself when it stands alone
    ALONE = ("dash", "double dash", "words of ours", "two hundred", "a megabyte")
    odd = [text for what, text in HOSTILE.items() if what not in ALONE]
    HOSTILE = {"at once": " ".join(odd), **{what: HOSTILE[what] for what in ALONE}}
JOINERS = "\u200c\u200d"
RAW = ("export",)
"""What writes a file's content as it is, also to standard output."""


def harmless(text: str) -> bool:
    """Whether nothing in a text steers a terminal, or is too long for one."""
    steers = (
        unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") and char not in JOINERS + "\n"
        for char in set(text)
    )
    return not any(steers) and max(map(len, text.split("\n"))) <= 2000


def branch_name(text: str) -> str:
    """A branch is one word of what can be seen, and begins with no dash."""
    seen = "".join(char for char in "_".join(text.split()) if not hidden(char))
    return f"b{seen}"[:200]


@pytest.fixture(scope="module", params=HOSTILE.values(), ids=HOSTILE)
def stuffed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A ledger with the text wherever a text can be given, and who bears it."""
    text: str = request.param
    db = tmp_path_factory.mktemp("hostile") / "hostile.db"
    said = []

    def say(*words: str) -> None:
        code, out, err = command(db, *words)
        assert code == 0 and "stumbled" not in err, (words, err)
        said.append(out + err)

    say("new", f"--player={text}", "-p", "Bo", "--", text)
    for name in ("Erza", "Zachary", "Ada"):
        say("survivor", "new", name, "f")
    bearer = f"{text} Man" if text == "none" else text  # a name that answers questions is refused
    say("survivor", "new", "--sex", "f", "--", bearer)
    [id_] = [
        one
        for one, sheet in json.loads(run(db, "state", "survivors")).items()
        if sheet["name"] == bearer
    ]
    say("survivor", "rename", "--", "ada", bearer)
    say("note", "--", text)
    say("roll", "d10", f"--why={text}", f"--by={text}", f"--note={text}", f"--request-id={text}")
    say("choose", "--", text, text, "other")
    say("adjust", "survivors.erza.insanity", "+1", f"--why={text}")
    say("branch", "--at", "4", "--", branch_name(text))
    say("showdown", "begin", "white_lion", "--first-story")
    say("monster", "turn", "--choose", "erza")
    assert all(map(harmless, said))
    return db, text, bearer, id_


def test_it_is_kept_exactly(stuffed: Any) -> None:
    db, text, bearer, id_ = stuffed
    state = json.loads(run(db, "state"))
    assert state["players"][0] == text
    assert [state["survivors"][one]["name"] for one in (id_, "ada")] == [bearer, bearer]
    assert json.loads(run(db, "--json", "campaigns"))[0]["name"] == text
    assert json.loads(run(db, "--json", "log", "--grep", "d10:"))[0]["by"] == text
    with open_session(db, readonly=True) as session:
        facts = [event for _, event, _ in session.events()]
        assert session.ledger.find_request(session.campaign.id, text) is not None
        assert branch_name(text) in {branch.name for branch in session.branches()}
    told = {
        getattr(fact, field)
        for fact in facts
        for field in ("text", "why", "name")
        if hasattr(fact, field)
    }
    assert {text, bearer} <= told
    assert any(getattr(fact, "about", ()) == (text,) for fact in facts)
    assert any(getattr(fact, "picked", ()) == (text, "other") for fact in facts)
    assert run(db, "verify") == ""


def test_sql_is_told_exactly(stuffed: Any) -> None:
    db, text, _, _ = stuffed
    told = text.split("\0")[0]  # where SQLite ends what it takes out of JSON
    with closing(sqlite3.connect(db)) as connection:
        ask = connection.execute
        assert ask("SELECT DISTINCT text FROM note").fetchall() == [(told,)]
        assert ask("SELECT why FROM ruling").fetchall() == [(told,)]
        assert ask("SELECT by, about FROM roll LIMIT 1").fetchall() == [(text, told)]
        assert ask("SELECT offered FROM choice LIMIT 1").fetchall() == [(f"{told}, other",)]


def test_every_view_shows_it_harmlessly(stuffed: Any) -> None:
    db, text, _, id_ = stuffed
    views = [[word.replace("lucy", "erza") for word in words] for words in reading()]
    views += [["survivor", "show", "--", id_], ["gear", "show", "--", id_]]
    views += [["show", "8"], ["show", "9"], ["show", "10"], ["undo", "--dry-run"], ["do"]]
    views += [["survivor", "list", "--", text[:60]], ["log", f"--grep={text[:60]}"]]
    for words in views:
        code, out, err = command(db, *words)
        assert code in (0, 1) and "stumbled" not in err, (words, err)
        assert err.count("\n") == (code != 0), words
        if words[0] not in (*RAW, "state", "events"):
            assert harmless(out + err), words
        if words[0] in ("survivor", "gear", "settlement", "showdown"):
            assert max(map(cell_len, out.splitlines()), default=0) <= 80, words


def test_every_json_is_valid_and_as_harmless(stuffed: Any) -> None:
    db, text, _, _ = stuffed
    every = [words for words in reading() if words != ["--help"]]
    for words in every if len(text) < 10_000 else every[:8]:
        _, out, err = command(db, "--json", *[w.replace("lucy", "erza") for w in words])
        for document in (out + err).split("\n")[:-1]:
            json.loads(document)
        if words[0] not in RAW:
            hidden = [c for c in set(out + err) if not harmless(c) and c != "\n"]
            assert not hidden, words


def test_the_archive_is_valid_and_brings_it_back(stuffed: Any, tmp_path: Path) -> None:
    db, text, bearer, id_ = stuffed
    file, other = tmp_path / "archive.jsonl", tmp_path / "other.db"
    run(db, "export", str(file))
    for line in file.read_bytes().split(b"\n")[:-1]:
        json.loads(line.decode("utf-8"))
    run(other, "import", str(file))
    with open_session(db, readonly=True) as here, open_session(other, readonly=True) as there:
        assert there.campaign.name == text
        assert there.head.hash == here.head.hash
        assert there.look() == here.look()
        assert there.look(None)["survivors"][id_]["name"] == bearer
    assert run(other, "verify") == ""


def test_the_prompt_shows_it_harmlessly(stuffed: Any) -> None:
    db = stuffed[0]
    lines = "status\nlog\nsurvivor list\nshow 8\n?\nboo\nanswer boo\nundo\n"
    copy = shutil.copy(db, db.with_name("copy.db"))
    done = subprocess.run(
        [sys.executable, "-m", "kdmlog", "--db", copy, "play"],
        input=lines.encode(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done
    assert harmless((done.stdout + done.stderr).decode())


def test_all_of_it(measured: Callable[[str], None]) -> None:
    measured(f"{len(HOSTILE)} texts in 12 places each: kept exactly, all views and JSON harmless")


# --- what cannot be kept --------------------------------------------------------------------------


@pytest.mark.parametrize("half", ["\ud800", "a\udfffb", "\udcff"])
def test_half_a_character_is_refused_in_a_line(half: str, tmp_path: Path) -> None:
    db = tmp_path / "kdm.db"
    run(db, "new", "Edge")
    run(db, "survivor", "new", "Lucy", "f")
    before = db.read_bytes()
    for words in (
        ("note", half),
        ("survivor", "new", half, "f"),
        ("survivor", "rename", "lucy", half),
        ("roll", "d10", "--why", half),
        ("roll", "d10", "--by", half),
        ("roll", "d10", "--note", half),
        ("roll", "d10", "--request-id", half),
        ("choose", half, "a"),
        ("choose", "a", half),
        ("adjust", "survivors.lucy.insanity", "+1", "--why", half),
        ("branch", half),
        ("new", half),
        ("new", "Other", "-p", half),
        ("survivor", "show", half),
        ("log", "--grep", half),
        ("state", half),
        ("switch", half),
        (half,),
    ):
        code, out, err = command(db, *words)
        if words[0] != "log":
            assert code in (1, 2) and out == "" and err.count("\n") == 1, words
        assert harmless(out + err) and "stumbled" not in err, words
        code, out, err = command(db, "--json", *words)
        assert [json.loads(one) for one in (out + err).splitlines()] or words[0] == "log"
    assert db.read_bytes() == before
    assert json.loads(run(db, "--json", "campaigns"))[1:] == []


@pytest.mark.skipif(sys.platform != "linux", reason="file names of any bytes")
def test_bytes_that_are_no_text_come_from_a_shell(tmp_path: Path) -> None:
    db = tmp_path / "kdm.db"
    run(db, "new", "Edge")
    done = subprocess.run(
        [
            sys.executable.encode(),
            b"-m",
            b"kdmlog",
            b"--db",
            str(db).encode(),
            b"note",
            b"\xff\xfe",
        ],
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.count(b"\n") == 1 and b"half a character" in done.stderr


def test_a_sheet_may_hold_what_it_likes(tmp_path: Path) -> None:
    """Names in a file of paper sheets are kept as they are, or refused with their line."""
    run(tmp_path / "none.db", "content", "sheet")
    for text in HOSTILE.values():
        if len(text) > 10_000 or text in ("none",):
            continue
        sheet = tmp_path / "ours.toml"
        quoted = json.dumps(text)
        sheet.write_text(
            f"[settlement]\nname = {quoted}\nlantern_year = 1\npopulation = 1\n"
            f'[[survivors]]\nname = {quoted}\nsex = "m"\n'
        )
        db = tmp_path / "sheet.db"
        code, out, err = command(db, "new", "Paper", "--from", str(sheet))
        assert harmless(out + err) and "stumbled" not in err
        if code == 0:
            [survivor] = json.loads(run(db, "state", "survivors")).values()
            assert survivor["name"] == text
            assert json.loads(run(db, "state", "settlement.name")) == text
            db.unlink()
        else:
            assert code == 1 and err.count("\n") == 1 and "line" in err
        for left in tmp_path.glob("sheet.db*"):
            left.unlink()
