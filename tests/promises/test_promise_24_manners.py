"""Errors have manners: an exit code that tells them apart, one line on stderr, JSON for scripts."""

from __future__ import annotations

import io
import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from cli.json_schema import faults

from kdmlog.cli import errors
from kdmlog.cli.table import COMMANDS, Entry
from kdmlog.core.errors import BranchMoved, ContentError, KdmlogError, LedgerError, UsageError
from kdmlog.ledger import Ledger

from .commands import command, play, run
from .tamper import opened, unguarded


class Case(NamedTuple):
    """A command that fails on a ledger: its exit code, its error's code, and what it says."""

    ledger: str
    words: str
    exit: int
    code: str
    says: tuple[str, ...]


CASES = [
    # an action that is not legal now: what phase it is, what is open, the legal actions
    Case("fight", "settlement build skinnery", 1, "not_now", ("monster's turn", "monster turn")),
    Case("fight", "attack lucy", 1, "not_now", ("monster's turn", "monster turn")),
    Case("question", "attack lucy", 1, "open_question", ("Claw", "kdmlog answer", "kdmlog undo")),
    Case("fight", "answer no", 1, "nothing_open", ("No question is open", "monster turn")),
    Case("fight", "redo", 1, "nothing_to_redo", ("nothing to redo", "oplog")),
    Case("fight", "undo 99", 1, "nothing_to_undo", ("99",)),
    Case("settled", "adjust settlement.name x --why y", 1, "not_adjustable", ()),
    Case("settled", "settlement craft nothing_such", 1, "unknown_name", ("nothing_such",)),
    # a face outside its die, a card face up or out of the game, an option not offered
    Case("turn", "attack erza --dice 11,3", 1, "left_over", ("not asked for: dice 3",)),
    Case("turn", "attack erza --dice 8,z", 1, "bad_input", ("'z'", "1 to 10")),
    Case("turn", "attack erza --dice 8,9,9,9,9,9,9", 1, "left_over", ("dice",)),
    Case("question", "answer nobody", 1, "bad_option", ("nobody", "allister")),
    Case("turn", "attack erza --draw claw --dice 8,1", 1, "unknown_name", ("claw",)),
    Case("settled", "adjust settlement.population 5000 --why x", 1, "bad_input", ("999",)),
    # an unknown name: the three nearest
    Case("fight", "survivor show allistr", 1, "unknown_name", ("allister?",)),
    Case("turn", "attack ersa", 1, "unknown_name", ("erza?",)),
    Case("fight", "switch nowhere", 1, "unknown_name", ("nowhere", "main")),
    Case("fight", "status -c nobody", 1, "unknown_name", ("nobody", "alone")),
    Case("fight", "status -b nowhere", 1, "unknown_name", ("nowhere", "main")),
    Case("fight", "state survivors.allister.survivl", 1, "unknown_name", ("survival",)),
    Case("fight", "events --type core.dice_roled", 1, "unknown_name", ("core.dice_rolled",)),
    Case("fight", "content show clotth --kind gear", 1, "unknown_name", ("cloth",)),
    Case("fight", "show 99", 1, "unknown_name", ("99",)),
    Case("fight", "status --at h:ffffffff", 1, "unknown_name", ("ffffffff",)),
    Case("fight", "status --at yesterday", 1, "bad_input", ("yesterday", "h:HASH")),
    Case("fight", "new Alone", 1, "exists", ("alone",)),
    Case("fight", "new Other --game chess", 1, "unknown_name", ("chess", "kdm")),
    # words that are off
    Case("fight", "", 0, "", ()),
    Case("fight", "attak", 2, "usage", ("attack?",)),
    Case("fight", "log -n x", 2, "usage", ("'x'",)),
    Case("fight", "note", 2, "usage", ("TEXT",)),
    Case("fight", "monster turn --nope", 2, "usage", ("--nope",)),
    Case("fight", "status --dice 3", 2, "usage", ("--dice", "commands that write")),
    Case("fight", "note x --at 3", 2, "usage", ("--at reads the past",)),
    Case("fight", "note x --by", 2, "usage", ("--by needs a value",)),
    Case("fight", "undo --request-id r", 2, "usage", ("--expect HASH",)),
    Case("fight", "adjust survivors.lucy.insanity +1", 2, "usage", ("reason", "--why")),
    # no campaign, and databases that are not kdmlog's, newer, or damaged
    Case("none", "status", 1, "no_campaign", ("kdmlog new NAME",)),
    Case("text", "status", 3, "not_kdmlog", ("no kdmlog ledger", "--db FILE")),
    Case("text", "note x", 3, "not_kdmlog", ("no kdmlog ledger", "--db FILE")),
    Case("other", "note x", 3, "not_kdmlog", ("another program", "--db FILE")),
    Case("newer", "note x", 3, "newer", ("newer kdmlog", "update kdmlog")),
    Case("newer", "status", 3, "newer", ("newer kdmlog", "update kdmlog")),
    Case("cut", "status", 3, "damaged", ("verify",)),
    Case("folder", "status", 3, "", ("ledger",)),
    Case("edited", "verify", 3, "damaged", ("Move 3",)),
    Case("fight", "verify --head h:0123456789abcdef", 3, "damaged", ("0123456789abcdef",)),
    # two at once
    Case("busy", "note x", 4, "busy", ("busy", "nothing was written", "try again")),
    Case("busy", "undo", 4, "busy", ("busy", "nothing was written")),
    Case("fight", "note x --expect h:00000000", 4, "branch_moved", ("move 6", "look again")),
    Case("fight", "undo --expect h:00000000", 4, "branch_moved", ("move 6", "look again")),
    # malformed scripts, sheets, archives and packs: line and field
    Case("fight", "run bad.kdm", 1, "not_now", ("bad.kdm, line 2", "--from 2")),
    Case("fight", "run words.kdm", 2, "usage", ("words.kdm, line 1",)),
    Case("fight", "run none.kdm", 2, "usage", ("none.kdm",)),
    Case("fight", "run binary.kdm", 1, "content", ("binary.kdm, line 1", "UTF-8")),
    Case("fight", "run quote.kdm", 1, "content", ("quote.kdm, line 2",)),
    Case("fight", "new Paper --from bad.toml", 1, "content", ("bad.toml", "line")),
    Case("fight", "import bad.jsonl", 1, "archive", ("bad.jsonl", "line 1")),
    Case("fight", "import none.jsonl", 1, "", ("none.jsonl",)),
    Case("fight", "content check pack", 1, "content", ("resource.yaml:5: x.copies",)),
    Case("fight", "content check none", 1, "content", ("none",)),
]
FILES: dict[str, str | bytes] = {
    "bad.kdm": "note a\nattack lucy\n",
    "words.kdm": "foo bar\n",
    "binary.kdm": b"\xff\xfe\x00\n",
    "quote.kdm": "note a\nnote 'open\n",
    "bad.toml": "[settlement]\nname = 3\n",
    "bad.jsonl": "{}\n",
    "pack/pack.yaml": "id: house\ntitle: House\nversion: 1\ngame: kdm\n",
    "pack/resource.yaml": "x:\n  name: X\n  deck: strange\n  types: [bone]\n  copies: many\n",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("manners")
    play(folder / "fight.db", "monster turn")
    play(folder / "question.db", "monster turn", "monster turn --draw claw")
    play(folder / "turn.db", "attack allister")
    play(folder / "settled.db", "settlement craft")
    edited = Path(shutil.copy(folder / "fight.db", folder / "edited.db"))
    with opened(edited) as connection, unguarded(connection):
        connection.execute("UPDATE move SET by = 'Eve' WHERE number = 3")
    (folder / "text.db").write_text("no ledger\n" * 50)
    with closing(sqlite3.connect(folder / "other.db")) as connection:
        connection.execute("CREATE TABLE t (a)")
    with closing(sqlite3.connect(shutil.copy(folder / "fight.db", folder / "newer.db"))) as newer:
        newer.execute("PRAGMA user_version = 99000")
        newer.execute("PRAGMA journal_mode = DELETE")
    (folder / "cut.db").write_bytes((folder / "fight.db").read_bytes()[:20_000])
    shutil.copy(folder / "fight.db", folder / "busy.db")
    (folder / "folder.db").mkdir()
    return folder


@contextmanager
def place(made: Path, to: Path, name: str) -> Iterator[Path]:
    """Gives a copy of a ledger, beside the malformed files."""
    for file, content in FILES.items():
        (to / file).parent.mkdir(exist_ok=True)
        (to / file).write_bytes(content if isinstance(content, bytes) else content.encode())
    db = to / f"{name}.db"
    if name == "folder":
        db.mkdir()
    elif name != "none":
        shutil.copy(made / db.name, db)
    other = sqlite3.connect(db, isolation_level=None) if name == "busy" else None
    try:
        if other is not None:
            other.execute("BEGIN IMMEDIATE")
        yield db
    finally:
        if other is not None:
            other.close()


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(one.relative_to(folder)): one.read_bytes()
        for one in folder.rglob("*")
        if one.is_file() and not one.name.endswith(("-shm", "-wal"))
    }


@pytest.mark.parametrize(
    "case", CASES, ids=lambda case: f"{case.ledger}: {case.words or 'nothing'}"
)
def test_an_error_is_one_line_and_one_code(
    case: Case, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    defaults = Ledger.open.__func__.__kwdefaults__  # type: ignore[attr-defined]
    monkeypatch.setitem(defaults, "wait", 0.05)
    with place(made, tmp_path, case.ledger) as db:
        before = contents(tmp_path)
        code, out, err = command(db, *case.words.split())
        if not case.exit:
            assert (code, err) == (0, "") and "Usage: kdmlog" in out
            return
        assert code == case.exit, err
        assert err.endswith("\n") and err.count("\n") == 1 and err.strip(), err
        assert all(text in err or text in out for text in case.says), (out, err)
        assert "Traceback" not in err and "stumbled" not in err
        is_script = case.words.startswith("run")
        assert out == "" or is_script or case.words.startswith("content check")
        if not is_script:
            assert contents(tmp_path) == before
    for left in tmp_path.glob("*.db*"):
        shutil.rmtree(left) if left.is_dir() else left.unlink()
    with place(made, tmp_path, case.ledger) as db:
        code, _, err = command(db, "--json", *case.words.split())
        assert code == case.exit
        document = json.loads(err)
        assert faults(document, "cli.error") == []
        assert case.code in ("", document["error"]["code"]), document
        assert document["error"]["message"]


def test_codes_are_told_apart_and_documented(measured: Callable[[str], None]) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    assert "Exit codes: 0 well, 1 refused by rules or state, 2 usage, 3 ledger damaged, 4" in readme
    kinds = {KdmlogError: 1, ContentError: 1, UsageError: 2, LedgerError: 3, BranchMoved: 4}
    for kind, code in kinds.items():
        assert errors.exit_code(kind("x")) == code
    assert {case.exit for case in CASES} == {0, 1, 2, 3, 4}
    codes = {case.code for case in CASES}
    measured(f"{len(CASES)} errors with {len(codes)} codes: one line, exit code, valid JSON")


def every(table: dict[str, Entry], path: str = "") -> Iterator[str]:
    for name, entry in table.items():
        if entry.group:
            yield from every(entry.group, f"{path}{name} ")
        else:
            yield f"{path}{name}"


ODD = (
    "--nope",
    "x y z x y z x y z x y z",
    "-c nobody-such",
    "--db",
    "--at h:zz",
    "--dice ,,, --choose , --draw ,",
    "-- -1",
)


@pytest.mark.parametrize("name", list(every(COMMANDS)))
def test_whatever_is_typed_behind_a_command(
    name: str, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does what it can, or says in a line why not; nothing makes it stumble."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    db = Path(shutil.copy(made / "fight.db", tmp_path / "fight.db"))
    for odd in ("", *ODD):
        for json_ in ((), ("--json",)):
            code, out, err = command(db, *json_, *name.split(), *odd.split())
            assert code in (0, 1, 2), (name, odd, err)
            assert "stumbled" not in err and "Traceback" not in err + out, (name, odd, err)
            assert err.count("\n") == (code != 0), (name, odd, err)
            if json_ and code:
                assert faults(json.loads(err), "cli.error") == [], (name, odd)


def test_verify_is_silent_when_well(made: Path, tmp_path: Path) -> None:
    for name in ("fight", "question", "settled"):
        db = Path(shutil.copy(made / f"{name}.db", tmp_path / f"{name}.db"))
        assert command(db, "verify") == (0, "", "")
        assert command(db, "--json", "verify") == (0, '{"findings":[]}\n', "")
    code, out, err = command(Path(shutil.copy(made / "edited.db", tmp_path / "e.db")), "verify")
    assert (code, out) == (3, "") and err.startswith("Move 3 ")


def test_the_program_itself_exits_so(made: Path, tmp_path: Path) -> None:
    """Through the shell's eyes: exit status, standard output and standard error."""

    def kdmlog(name: str, *words: str) -> subprocess.CompletedProcess[str]:
        db = str(shutil.copy(made / f"{name}.db", tmp_path / f"{name}.db"))
        return subprocess.run(
            [sys.executable, "-m", "kdmlog", "--db", db, *words],
            capture_output=True,
            text=True,
            check=False,
        )

    head = run(made / "fight.db", "--json", "status")
    assert json.loads(head)
    for name, words, code in (
        ("fight", ("status",), 0),
        ("fight", ("attack", "lucy"), 1),
        ("fight", ("attak",), 2),
        ("text", ("status",), 3),
        ("fight", ("undo", "--expect", "h:00"), 4),
    ):
        done = kdmlog(name, *words)
        assert done.returncode == code
        assert (done.stdout == "") == (code != 0)
        assert done.stderr.count("\n") == (code != 0)


def test_what_nobody_foresaw_is_one_line_too(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("a fault of ours\nin two lines")

    monkeypatch.setattr("kdmlog.session.session.Session.note", stumble)
    monkeypatch.setattr("kdmlog.session.session.Session.perform", stumble)
    db = made / "fight.db"
    code, out, err = command(db, "note", "x")
    assert (code, out) == (1, "")
    assert err.count("\n") == 1 and "KDMLOG_DEBUG=1" in err
    code, _, err = command(db, "--json", "note", "x")
    document = json.loads(err)
    assert faults(document, "cli.error") == [] and document["error"]["code"] == "unexpected"
    monkeypatch.setenv("KDMLOG_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        command(db, "note", "x")
