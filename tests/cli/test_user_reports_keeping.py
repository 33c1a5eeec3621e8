"""What users of comparable tools reported about keeping, sharing and trusting what was logged.

The numbers are those of the collected reports, as in ``test_user_reports.py``; those of lost files
are in ``test_user_reports_keep.py``.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from benchmarks.synthetic import build
from cli_helpers import (
    copied,
    fighting,
    founded,
    head,
    kdmlog,
    look,
    mark,
    moves,
    script,
    well,
)
from kdm.installed import movable
from promises.reading import reading
from promises.tamper import opened, unguarded
from test_cli_content_change import house, newer
from test_user_reports import _tells, do, every_command

from kdmlog.core.fingerprint import fingerprint
from kdmlog.session import open_session, states

PYTHON = (sys.executable, "-m", "kdmlog")
MAIN = Path(__file__).parents[2]


def numbers(db: Path) -> list[int]:
    """Returns the numbers of all moves on the way to the head, newest first."""
    with open_session(db, readonly=True) as session:
        return [move.number for one in session.log() for move, _ in one.moves]


def texts(db: Path) -> list[str]:
    """Returns the notes of the branch in use."""
    out = well(db, "events", "--type", "core.noted")
    return [json.loads(line)["event"]["text"] for line in out.splitlines()]


def whole(db: Path) -> dict[str, list[Any]]:
    """Returns every row of the history."""
    tables = ("campaign", "line", "move", "event", "ref", "pack")
    with closing(sqlite3.connect(db)) as connection:
        return {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in tables}


def noted(db: Path, *notes: str) -> Path:
    for note in notes:
        well(db, "note", note)
    return db


# --- wrong state ----------------------------------------------------------------------------------


def test_case_01_storage_is_the_sum_of_what_was_acknowledged(tmp_path: Path) -> None:
    """Thirty changes, one broken off by Ctrl-C, one sent twice by a script that tries again."""
    db = script(tmp_path / "kdm.db", "table", until="settlement craft")
    storage = "settlement.storage.resources"
    kinds = ("monster_bone", "monster_hide", "monster_organ")
    now = {kind: look(db, storage).get(kind, 0) for kind in kinds}
    chance = random.Random(1)
    for number in range(30):
        kind = chance.choice(kinds)
        by = -1 if now[kind] else 1
        words = ("adjust", f"{storage}.{kind}", f"{by:+}", "--why", f"change {number}")
        if number == 20:
            running = subprocess.Popen(
                [*PYTHON, "--db", str(db), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
            time.sleep(chance.random() * 0.3)
            running.send_signal(signal.SIGINT)
            running.communicate()
            found = look(db, storage).get(kind, 0)
            assert found in (now[kind], now[kind] + by), "there or not, but never in part"
            now[kind] = found
            continue
        shown = well(db, *words, "--request-id", f"r{number}")
        if number == 10:
            assert "done already" in well(db, *words, "--request-id", "r10")
        assert f"{kind} = {now[kind] + by} (" in shown, "every command prints the new count"
        now[kind] += by
        there = look(db, storage)
        assert {kind: there.get(kind, 0) for kind in kinds} == now
    assert well(db, "verify") == ""


# --- undo -----------------------------------------------------------------------------------------


def test_case_31_nothing_short_of_a_confirmed_removal_takes_events_away(tmp_path: Path) -> None:
    db = founded(tmp_path / "kdm.db")
    well(db, "new", "Other")
    before, hash = whole(db), head(db)
    well(db, "campaign", "hide", "edge")
    assert "edge" not in well(db, "campaigns")
    well(db, "branch", "b", "-c", "edge")
    well(db, "switch", "b", "-c", "edge")
    well(db, "branch", "--delete", "main", "-c", "edge")
    well(db, "undo", "3", "-c", "edge")
    assert whole(db)["move"] == before["move"] and whole(db)["event"] == before["event"]
    well(db, "campaign", "unhide", "edge")
    assert "edge" in well(db, "campaigns"), "one command brings it back"
    said = kdmlog(db, "campaign", "remove", "other")
    assert said.code == 1 and "--yes" in said.err
    well(db, "use", "other")
    assert hash == head(db)
    removed = json.loads(well(db, "--json", "campaign", "remove", "other", "--yes"))
    assert "Other" not in well(db, "campaigns")
    well(db, "import", removed["archive"])
    well(db, "use", "other")
    assert head(db) == hash, "even what was removed comes back, by one command"


def test_case_33_the_history_is_gap_free_and_the_same_on_both_machines(tmp_path: Path) -> None:
    a, b = tmp_path / "a.db", tmp_path / "b.db"
    founded(a)
    noted(a, *(f"a {n}" for n in range(50)))
    well(a, "export", str(tmp_path / "to_b.jsonl"))
    well(b, "import", str(tmp_path / "to_b.jsonl"))
    noted(b, *(f"b {n}" for n in range(20)))
    well(b, "export", str(tmp_path / "to_a.jsonl"))
    well(a, "import", str(tmp_path / "to_a.jsonl"))
    assert head(a) == head(b) and mark(a) == mark(b)
    assert numbers(a) == numbers(b) == list(range(75, 0, -1))
    assert texts(a) == [f"a {n}" for n in range(50)] + [f"b {n}" for n in range(20)]
    assert well(a, "log", "-n", "0") == well(b, "log", "-n", "0")


def test_case_41_a_corrupt_snapshot_is_found_and_undo_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(states, "EVERY", 4)
    db = noted(fighting(tmp_path / "kdm.db"), *(f"{n}" for n in range(12)))
    before = mark(db)
    with opened(db) as connection:
        spoilt = "UPDATE cache SET value = zeroblob(length(value)) WHERE key LIKE 'state/%'"
        assert connection.execute(spoilt).rowcount >= 4
    assert mark(db) == before
    began = time.monotonic()
    well(db, "undo", "12")
    assert look(db, "phase.name") == "showdown"
    well(db, "redo")
    assert time.monotonic() - began < 5, "never a hang"
    assert mark(db) == before
    assert well(db, "verify") == ""


def test_case_44_no_view_of_an_undone_shuffle_tells_what_is_to_come(tmp_path: Path) -> None:
    db = founded(tmp_path / "kdm.db")
    well(db, "showdown", "begin", "white_lion", "--first-story")
    with open_session(db, readonly=True) as session:
        seed, decks = session.table.state.seed, session.table.state.decks
        orders = [tuple(decks[one]["deck"]) for one in ("ai", "hit_locations")]
    well(db, "undo")
    well(db, "branch", "aside", "--at", "5")
    well(db, "redo")
    for words in [*reading(), ["diff", "aside"], ["undo", "--dry-run"]]:
        if words[0] == "export":
            continue  # an archive is all of it, for kdmlog
        for before in ((), ("--json",)):
            out = kdmlog(db, *before, *words).out
            assert seed not in out, words
            assert not any(_tells(out, order) for order in orders), words
    assert seed in well(db, "events", "--spoilers")


def test_case_48_verify_is_clean_after_each_command_done_and_undone(tmp_path: Path) -> None:
    done = set()
    for session, words in every_command(tmp_path):
        kind = " ".join(words[:2]) if words[0] in ("survivor", "gear", "settlement") else words[0]
        if kind in done or words[0] in ("new", "answer"):
            do(session, words)
            continue
        for _ in range(2):
            do(session, words)
            session.undo()
            assert session.verify() == [], words
        do(session, words)
        done.add(kind)
    assert len(done) > 25


def test_case_49_what_was_undone_stays_undone_when_it_is_imported_again(tmp_path: Path) -> None:
    db = noted(founded(tmp_path / "kdm.db"), "kept", "to be undone")
    well(db, "export", str(tmp_path / "bundle.jsonl"))
    well(db, "undo")
    before = head(db), moves(db)
    out = well(db, "import", str(tmp_path / "bundle.jsonl"))
    assert (head(db), moves(db)) == before
    assert "what was taken back here stays so" in out
    assert texts(db) == ["kept"]


def test_case_51_two_terminals_may_undo_each_others_moves(tmp_path: Path) -> None:
    db = founded(tmp_path / "kdm.db")
    with open_session(db, by="Ann") as ann, open_session(db, by="Bo") as bo:
        made = ann.note("by Ann")
        bo.undo()
        assert bo.oplog()[0].by == "Bo" and bo.oplog()[0].reason == "undo"
        again = ann.note("Ann again")
        assert again.number == made.number, "the next command sees it"
    assert "Bo" in well(db, "oplog", "-n", "2")
    assert texts(db) == ["Ann again"]
    assert well(db, "verify") == ""


# --- lost data ------------------------------------------------------------------------------------

LIMITED = """
import resource, signal, sys
room = int(sys.argv[1])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
from kdmlog.cli.main import main
main(sys.argv[2:])
"""
"""No file may grow beyond a size: as a full disk does, that stops writing in the middle."""

posix = pytest.mark.skipif(os.name != "posix", reason="limits of the system")


def limited(room: int, db: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-B", "-c", LIMITED, str(room), "--db", str(db), *words],
        capture_output=True,
        text=True,
        check=False,
    )


@posix
def test_case_53_a_full_disk_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    db = founded(tmp_path / "kdm.db")
    room = db.stat().st_size
    acknowledged = []
    for number in range(40):
        done = limited(room, db, "note", f"{number} {'x' * 20_000}")
        if done.returncode:
            assert (done.returncode, done.stdout) == (3, "")
            assert done.stderr.count("\n") == 1 and "Traceback" not in done.stderr
            break
        acknowledged.append(number)
    else:
        raise AssertionError("there was room for everything")
    assert well(db, "status") and well(db, "verify") == ""
    assert [int(text.split()[0]) for text in texts(db)] == acknowledged
    well(db, "note", "room again")
    assert well(db, "verify") == ""


@posix
def test_case_54_an_import_without_room_is_all_or_nothing(tmp_path: Path) -> None:
    a, b = founded(tmp_path / "a.db"), tmp_path / "b.db"
    noted(a, *(f"{n} {'x' * 20_000}" for n in range(30)))
    well(a, "export", str(tmp_path / "bundle.jsonl"))
    well(b, "new", "Here")
    before = whole(b)
    done = limited(b.stat().st_size + 100_000, b, "import", str(tmp_path / "bundle.jsonl"))
    assert done.returncode == 3 and done.stderr.count("\n") == 1
    assert whole(b) == before and well(b, "verify") == ""
    well(b, "import", str(tmp_path / "bundle.jsonl"))
    well(b, "use", "edge")
    assert head(b) == head(a)


def test_case_55_prompts_and_status_bars_at_once_corrupt_nothing(tmp_path: Path) -> None:
    """In full (8 x 200) this is promise 7; here whole commands, each a program of its own."""
    db = founded(tmp_path / "kdm.db")
    running = []
    for one in range(3):
        path = tmp_path / f"{one}.kdm"
        path.write_text("".join(f"note '{one} {n}'\n" for n in range(15)))
        running.append(subprocess.Popen([*PYTHON, "--db", str(db), "run", str(path)], stdout=-3))
    seen = []
    while any(process.poll() is None for process in running):
        seen.append(len(numbers(db)))
        assert kdmlog(db, "status").code == 0
    assert [process.returncode for process in running] == [0, 0, 0]
    assert seen == sorted(seen)
    assert numbers(db) == list(range(50, 0, -1))
    assert sorted(texts(db)) == sorted(f"{one} {n}" for one in range(3) for n in range(15))
    assert well(db, "verify") == ""


KILLED = """
import os, signal, sys
from kdmlog.session import open_session
with open_session(sys.argv[1]) as session:
    for number in range(100):
        done = session.note(f"note {number}")
        print(done.number, flush=True)
        if number == 7:
            os.kill(os.getpid(), signal.SIGKILL)
"""


def test_case_56_the_newest_automatic_backup_restores_by_one_command(tmp_path: Path) -> None:
    db = fighting(tmp_path / "kdm.db")
    played = subprocess.run(
        [*PYTHON, "--db", str(db), "play"],
        input=b"note 'the evening ends'\n",
        check=True,
        stdout=subprocess.DEVNULL,
    )
    assert played.returncode == 0
    then = head(db), mark(db)
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(db)], capture_output=True, text=True, check=False
    )
    acknowledged = [int(line) for line in done.stdout.split()]
    assert acknowledged and numbers(db)[0] >= acknowledged[-1]
    assert well(db, "verify") == ""
    newest = max(tmp_path.rglob("*.db"), key=lambda path: (path != db, path.stat().st_mtime))
    assert newest != db, "play leaves a backup behind"
    new = tmp_path / "restored.db"
    well(newest, "recover", str(new))
    assert (head(new), mark(new)) == then


def test_case_58_a_campaign_can_be_read_with_nothing_but_sqlite_and_an_editor(
    tmp_path: Path,
) -> None:
    db = script(tmp_path / "kdm.db", "death")
    with closing(sqlite3.connect(db)) as connection:
        log = connection.execute(
            "SELECT move, action, by FROM action_log WHERE in_use ORDER BY move"
        ).fetchall()
        assert [row[0] for row in log] == sorted(numbers(db))
        assert connection.execute("SELECT survivor, cause FROM death").fetchall() == [
            ("allister", "Decapitation")
        ]
        views = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema")}
    well(db, "export", str(tmp_path / "plain.jsonl"))
    lines = [json.loads(line) for line in (tmp_path / "plain.jsonl").read_text().splitlines()]
    assert all("record" in line for line in lines), "each line says what it is"
    page = (MAIN / "ARCHITECTURE.md").read_text()
    for name in ("action_log", "fact", "roll", "draw", "choice", "note", "ruling", "death"):
        assert name in views and f"| `{name}` |" in page, "the columns are written down"
    assert "CREATE TABLE move (" in (MAIN / "kdmlog" / "ledger" / "schema.py").read_text()


# --- import and export ----------------------------------------------------------------------------


def test_case_61_an_export_older_than_the_head_is_told_to_be_behind(tmp_path: Path) -> None:
    db = noted(founded(tmp_path / "kdm.db"), "a")
    well(db, "export", str(tmp_path / "old.jsonl"))
    noted(db, "b", "c")
    before = head(db), moves(db)
    began = time.monotonic()
    out = well(db, "import", str(tmp_path / "old.jsonl"))
    assert time.monotonic() - began < 5
    assert "nothing to add" in out and "2 moves ahead here" in out
    assert (head(db), moves(db)) == before


@pytest.mark.parametrize(
    "size", [300, pytest.param(50_000, marks=pytest.mark.long)], ids=["short", "long"]
)
def test_case_62_kdmlog_reads_every_file_that_it_writes(tmp_path: Path, size: int) -> None:
    db = build(tmp_path / "kdm.db", size)
    then = head(db), mark(db)
    well(db, "export", str(tmp_path / "e.jsonl"))
    well(tmp_path / "imported.db", "import", str(tmp_path / "e.jsonl"))
    well(db, "backup", str(tmp_path / "backups"))
    [backup] = (tmp_path / "backups").glob("*.db")
    well(backup, "recover", str(tmp_path / "recovered.db"))
    for file in (tmp_path / "imported.db", backup, tmp_path / "recovered.db"):
        assert (head(file), mark(file)) == then, file
        assert well(file, "verify") == ""


def test_case_63_importing_one_over_the_other_and_back_loses_nothing(tmp_path: Path) -> None:
    a, b = founded(tmp_path / "a.db"), tmp_path / "b.db"
    well(b, "new", "Bs own")
    noted(b, "b")
    for db in (a, b):
        well(db, "export", str(db.with_suffix(".jsonl")))
    then = head(a), mark(a), well(a, "log", "-n", "0")
    well(a, "import", str(tmp_path / "b.jsonl"))
    well(a, "import", str(tmp_path / "a.jsonl"))
    assert (head(a), mark(a), well(a, "log", "-n", "0")) == then
    again = tmp_path / "again.jsonl"
    well(a, "export", str(again))
    assert again.read_bytes() == (tmp_path / "a.jsonl").read_bytes()
    well(b, "backup", str(tmp_path / "backups"))
    [backup] = (tmp_path / "backups").glob("*.db")
    before = a.read_bytes()
    said = kdmlog(backup, "recover", str(a))
    assert said.code != 0 and a.read_bytes() == before, "nothing is replaced"


def test_case_64_the_same_bundle_twice_and_two_that_overlap(tmp_path: Path) -> None:
    source = noted(founded(tmp_path / "source.db"), "a", "b")
    well(source, "export", str(tmp_path / "one.jsonl"))
    noted(source, "c")
    well(source, "undo")
    noted(source, "d")
    well(source, "export", str(tmp_path / "two.jsonl"))
    ends = []
    for order in (("one", "two"), ("two", "one"), ("two", "two"), ("one", "one", "two")):
        db = tmp_path / f"{'_'.join(order)}.db"
        for name in order:
            well(db, "import", str(tmp_path / f"{name}.jsonl"))
        before = whole(db)
        for name in order:
            assert "nothing to add" in well(db, "import", str(tmp_path / f"{name}.jsonl"))
        assert whole(db) == before
        ends.append((head(db), mark(db)))
    assert set(ends) == {(head(source), mark(source))}


def test_case_65_a_name_that_nobody_knows_is_told_with_its_move(tmp_path: Path) -> None:
    """The golden logs of every version are promise 17's; here one event is of no version."""
    db = noted(founded(tmp_path / "kdm.db"), "a")
    with opened(db) as connection, unguarded(connection):
        connection.execute(
            "UPDATE event SET body = replace(body, 'core.noted', 'core.scribbled') WHERE move = 6"
        )
    said = kdmlog(db, "log")
    assert said.code == 3 and said.err.count("\n") == 1
    assert "6" in said.err or "core.scribbled" in said.err, "named, and never skipped"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda head: head | {"mine": 1}, "mine"),
        (lambda head: head | {"format": 999}, "newer"),
        (lambda head: head | {"format": 0}, ""),
    ],
    ids=["a field of one's own", "newer", "of before any"],
)
def test_case_66_an_archive_changed_by_hand_is_refused_with_the_reason(
    tmp_path: Path, change: Any, says: str
) -> None:
    db = noted(founded(tmp_path / "kdm.db"), "a")
    file, other = tmp_path / "a.jsonl", tmp_path / "other.db"
    well(db, "export", str(file))
    first, *rest = file.read_text().split("\n")
    header = json.loads(first)
    assert "format" in header, header
    file.write_text("\n".join([json.dumps(change(header), separators=(",", ":")), *rest]))
    said = kdmlog(other, "import", str(file))
    assert said.code in (1, 3) and said.err.count("\n") == 1 and says in said.err
    assert not other.exists() or not json.loads(well(other, "--json", "campaigns"))


def test_case_68_a_count_at_the_table_holds_or_tells_what_changed(tmp_path: Path) -> None:
    db = script(tmp_path / "kdm.db", "table", until="settlement craft")
    well(db, "assert", f"population={look(db, 'settlement.population')}")
    well(db, "adjust", "settlement.population", "+2", "--why", "newcomers")
    before = moves(db)
    said = kdmlog(db, "assert", f"population={look(db, 'settlement.population') - 2}")
    assert said.code == 1 and moves(db) == before
    assert "newcomers" in said.out + said.err or "ruling" in said.out + said.err
    now = look(db, "settlement.population")
    assert str(now) in said.out + said.err and str(now - 2) in said.out + said.err
    assert well(db, "verify") == "", "what was counted then held then"


# --- content --------------------------------------------------------------------------------------


def test_case_75_a_campaign_whose_content_is_gone_or_newer_is_still_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    core = movable(tmp_path, monkeypatch)
    db = noted(founded(tmp_path / "kdm.db"), "a")
    newer(core)
    then = head(db)
    well(db, "note", "plays on from its own copy")
    well(db, "undo")
    assert head(db) == then
    with opened(db) as connection, unguarded(connection):
        connection.execute("DELETE FROM pack")
    before = whole(db)
    for words in (("status",), ("log",), ("state",), ("survivor", "list"), ("events",)):
        said = kdmlog(db, *words)
        assert said.out and said.code in (0, 3), words
    said = kdmlog(db, "survivor", "rename", "lucy", "Luz")
    assert said.code == 3 and "content pack" in said.err
    assert whole(db) == before, "nothing is dropped"


def test_case_76_an_update_of_the_game_leaves_house_rules_above_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    core = movable(tmp_path, monkeypatch)
    db = founded(tmp_path / "kdm.db")
    well(db, "content", "add", house(tmp_path))
    assert "Our Cloth" in well(db, "content", "show", "cloth", "--kind", "gear")
    newer(core)
    out = well(db, "content", "update")
    assert "Our Cloth" in well(db, "content", "show", "cloth", "--kind", "gear")
    assert "Old Axe" in well(db, "content", "show", "bone_axe", "--kind", "gear")
    assert "stays as your own pack has it: gear: cloth" in out, "what is overridden is shown"


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("gear.yaml", "x: !!python/object/apply:os.system [touch owned]\n", "Tags"),
        ("gear.yaml", 'x: {name: "\\e[31mX", kind: item, location: rare}\n', "Control"),
        (
            "gear.yaml",
            "x: {name: \N{CYRILLIC CAPITAL LETTER ES}law, kind: item, location: rare}\n",
            "alphabets",
        ),
        ("gear.yaml", "__class__: {name: X, kind: item, location: rare}\n", "snake_case"),
        ("gear.yaml", 'x: {name: "=1+1", kind: item, location: rare}\n', "formula"),
        ("../gear.yaml", "", ""),
    ],
)
def test_case_77_a_hostile_pack_is_refused_before_anything_is_written(
    tmp_path: Path, name: str, content: str, says: str
) -> None:
    """All of promise 22's are checked; this is that ``content add`` asks the same."""
    db = founded(tmp_path / "kdm.db")
    folder = Path(house(tmp_path))
    if name.startswith(".."):
        (tmp_path / "secret.yaml").write_text("x: {name: X, kind: item, location: rare}\n")
        (folder / "gear.yaml").unlink()
        (folder / "gear.yaml").symlink_to("../secret.yaml")
        says = "Links are refused"
    else:
        (folder / name).write_text(content)
    before = whole(db)
    said = kdmlog(db, "content", "add", str(folder))
    assert said.code == 1 and says in said.out + said.err
    assert whole(db) == before
    assert not list(tmp_path.rglob("owned"))


# --- trust and sync -------------------------------------------------------------------------------


def test_case_82_how_the_dice_fell_is_counted_and_judged(tmp_path: Path) -> None:
    db = founded(tmp_path / "kdm.db")
    for _ in range(12):
        well(db, "roll", "10d10")
    for _ in range(6):
        well(db, "roll", "10d10", "--dice", "10,10,10,10,10,10,10,10,10,9")
    with closing(sqlite3.connect(db)) as connection:
        counts = connection.execute(
            "SELECT source, face, count(*) FROM roll WHERE in_use GROUP BY source, face"
        ).fetchall()
    out = well(db, "audit", "--fairness")
    app, table = out[: out.index("rolled at the table")], out[out.index("rolled at the table") :]
    for source, face, count in counts:
        assert f"{face}:{count}" in (app if source == "app" else table)
    assert "120" in app and "60" in table and "expected" in out
    assert app.count("\n") >= 1 and app.split("\n")[0] != table.split("\n")[0]
    assert well(db, "audit", "--fairness") == out, "from the log, and again the same"


def test_case_83_looking_ahead_on_a_copy_is_no_secret_and_leaves_no_trace(tmp_path: Path) -> None:
    """The stated policy: dice are a fixed sequence; what was rolled and left is listed."""
    db = founded(tmp_path / "kdm.db")
    copy = copied(db, tmp_path / "copy.db")
    ahead = [well(copy, "roll", "3d10") for _ in range(10)]
    assert [well(db, "roll", "3d10") for _ in range(10)] == ahead
    well(db, "undo", "4")
    well(db, "note", "another way")
    out = well(db, "audit")
    assert "taken back" in out and "4 rolls" in out
    readme = " ".join((MAIN / "README.md").read_text().split())
    assert "Whoever copies the file can therefore look ahead" in readme


def test_case_84_who_is_ahead_is_told_and_nothing_is_chosen(tmp_path: Path) -> None:
    a = noted(founded(tmp_path / "a.db"), "both")
    b = copied(a, tmp_path / "b.db")
    assert "equal" in well(a, "compare", str(b))
    noted(b, "b", "b2")
    assert "2 moves behind" in well(a, "compare", str(b))
    assert "2 moves ahead" in well(b, "compare", str(a))
    noted(a, "a")
    before = [whole(db) for db in (a, b)]
    assert "diverged" in well(a, "compare", str(b))
    assert [whole(db) for db in (a, b)] == before
    well(b, "export", str(tmp_path / "b.jsonl"))
    here = head(a)
    said = kdmlog(a, "import", str(tmp_path / "b.jsonl"))
    assert said.code == 1 and "parted on main after move 6" in said.err
    assert head(a) == here, "nothing is chosen silently"
    well(a, "import", str(tmp_path / "b.jsonl"), "--as", "theirs")
    assert head(a) == here and "theirs" in well(a, "branch")


def test_case_85_of_two_who_read_one_head_both_changes_are_there(tmp_path: Path) -> None:
    db = founded(tmp_path / "kdm.db")
    read = head(db)
    first = well(db, "note", "one", "--expect", read)
    assert first.split()[0] == "6"
    said = kdmlog(db, "note", "two", "--expect", read)
    assert said.code == 4 and "In between came move 6: note: one" in said.err
    assert well(db, "note", "two", "--expect", head(db)).split()[0] == "7"
    assert texts(db) == ["one", "two"]


def test_case_86_viewing_a_stale_copy_pushes_nothing(tmp_path: Path) -> None:
    db = noted(founded(tmp_path / "kdm.db"), "a")
    stale = copied(db, tmp_path / "stale.db")
    noted(db, "b")
    before, there = whole(stale), (head(db), whole(db))
    for words in reading():
        kdmlog(stale, *[word if word != "LEDGER" else str(db) for word in words])
    assert whole(stale) == before
    assert (head(db), whole(db)) == there


def test_case_87_a_second_event_of_one_number_is_impossible_or_found(tmp_path: Path) -> None:
    db = noted(founded(tmp_path / "kdm.db"), "a")
    again = "INSERT INTO event SELECT * FROM event WHERE position = 3"
    with opened(db) as connection:
        with pytest.raises(sqlite3.IntegrityError):
            connection.execute(again)
        with unguarded(connection), pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
            connection.execute(again)
        with unguarded(connection):  # and with the constraint gone as well
            connection.execute("PRAGMA legacy_alter_table = ON")
            connection.execute("ALTER TABLE event RENAME TO old")
            connection.execute("CREATE TABLE event (line INT, position INT, move INT, body TEXT)")
            connection.execute("INSERT INTO event SELECT * FROM old")
            connection.execute("DROP TABLE old")
            connection.execute(again)
    said = kdmlog(db, "--json", "verify")
    findings = json.loads(said.err)["error"]["data"]["findings"]
    assert said.code == 3
    assert any("event" in one and "kdmlog made it" in one for one in findings), findings
    assert any("Move" in one or "out of place" in one for one in findings), findings


def test_case_88_a_command_is_as_quick_after_years_and_a_replay_is_exact(tmp_path: Path) -> None:
    took = {}
    for size in (1_000, 10_000):
        db = build(tmp_path / f"{size}.db", size)
        began = time.perf_counter()
        well(db, "note", "one more")
        took[size] = time.perf_counter() - began
        live = mark(db)
        with open_session(db, readonly=True) as session:
            full = session.game.new_state()
            session.codec.fold(full, session.ledger.batches(session.head))
            assert fingerprint(full) == live
    assert took[10_000] < 0.3
    code = (
        "import sys; from cli_helpers import mark; from pathlib import Path; "
        "print(mark(Path(sys.argv[1])))"
    )
    for seed, locale in (("1", "C"), ("2", "tr_TR.UTF-8")):
        env = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale, "TZ": "Asia/Kolkata"}
        env["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent), str(MAIN)])
        done = subprocess.run(
            [sys.executable, "-c", code, str(db)],
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stdout.strip() == live, done.stderr
