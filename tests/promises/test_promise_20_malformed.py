"""Whatever an archive or a script holds: all or nothing, told by line and field, in bounded time.

An archive's hashes are no defence against whoever makes one: so most of what is tried here bears
the hashes that follow from it.
"""

from __future__ import annotations

import io
import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
import pytest
from toy import TOY, Buy, Seek

from kdmlog.cli.call import Call
from kdmlog.cli.main import execute
from kdmlog.core.errors import ContentError, KdmlogError
from kdmlog.ledger import Ledger
from kdmlog.ledger.archive import lines as wire
from kdmlog.ledger.archive import write
from kdmlog.session import NewOptions, new_campaign, open_session
from kdmlog.session.archive import export_archive, import_archive

Lines = list[dict[str, Any]]
Edit = Callable[[Lines], None]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """An archive with all kinds of lines: a question left open, an undo, a branch, a request."""
    folder = tmp_path_factory.mktemp("good")
    options = NewOptions(seed="s", players=("ann",), ask_dice=True)
    session, _ = new_campaign(folder / "toy.db", "Toy", game=TOY.id, options=options, by="ann")
    with session:
        session.note("first", request_id="r")
        session.perform(Seek(hero="ada"))
        session.answer(["pass"])
        session.undo(answer=True)
        session.answer(["ada"])
        session.branch("aside", "2")
        session.switch("aside")
        session.perform(Buy(what="rope"))
        export_archive(session, str(folder / "toy.jsonl"))
    return (folder / "toy.jsonl").read_bytes()


def closed(lines: list[bytes]) -> bytes:
    """Returns the lines with a last line whose hash is theirs."""
    digest = blake2b(b"".join(lines[:-1]), digest_size=32).hexdigest()
    return b"".join(lines[:-1]) + re.sub(rb"[0-9a-f]{64}", digest.encode(), lines[-1])


def edited(good: bytes, edit: Edit) -> bytes:
    """Returns the archive with lines edited as JSON, and the closing hash made to fit."""
    lines = [json.loads(line) for line in good.splitlines()]
    edit(lines)
    return closed([json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines])


def rehashed(data: bytes) -> bytes:
    """Returns the archive with every hash in it made to fit, if it can be read so far."""
    records = [msgspec.json.decode(line, type=wire.AnyRecord) for line in data.splitlines()]
    written = io.BytesIO()
    write(records[:-1], written, anew=True)
    return written.getvalue()


LOOKS = ("campaigns", "status", "log", "log --graph", "show", "recap", "oplog", "branch", "verify")


class Place:
    """Where archives are imported: a ledger of their own each, or one that is there already."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "x.jsonl"
        self.tried = 0

    def refused(self, data: bytes, line: int | None = None, field: str | None = None) -> str:
        """Imports what must be refused, and named; nothing of it may be there afterwards."""
        self.tried += 1
        self.file.write_bytes(data)
        db = self.folder / "none.db"
        with pytest.raises(ContentError) as caught:
            import_archive(db, str(self.file))
        assert caught.value.code == "archive"
        if db.exists():  # it was found out only once the moves were there to be folded
            with Ledger.open(db) as ledger:
                assert ledger.campaigns() == []
        else:
            assert caught.value.data["file"] == str(self.file)
            named = f"{self.file}, line {caught.value.data['line']}: "
            assert caught.value.message.startswith(named)
        assert len(caught.value.message) < 600
        if line is not None:
            assert caught.value.data["line"] == line, caught.value.message
        if field is not None:
            assert caught.value.data["field"] == field, caught.value.message
        return caught.value.message

    def survives(self, data: bytes) -> bool:
        """Imports what may be good; if it is taken, the ledger is well and plays on."""
        self.tried += 1
        self.file.write_bytes(data)
        db = self.folder / f"{self.tried}.db"
        try:
            import_archive(db, str(self.file))
        except KdmlogError as error:
            assert len(error.message) < 600
            return False
        with Ledger.open(db) as ledger:
            assert ledger.verify() == []
        for words in LOOKS:
            out, err = io.StringIO(), io.StringIO()
            with redirect_stdout(out), redirect_stderr(err):
                code = execute(["--db", str(db), *words.split()], Call(scripted=True))
            assert "stumbled" not in err.getvalue(), words
            assert code == 0 or err.getvalue().count("\n") == 1
            assert "\x1b" not in out.getvalue() + err.getvalue()
        return True


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_what_is_good_is_taken(place: Place, good: bytes) -> None:
    assert place.survives(good)
    assert place.survives(rehashed(good))
    assert place.survives(good.removesuffix(b"\n"))


# --- broken off, mixed up -------------------------------------------------------------------------


def test_broken_off_after_every_line(
    place: Place, good: bytes, measured: Callable[[str], None]
) -> None:
    lines = good.splitlines(keepends=True)
    for n in range(len(lines)):
        place.refused(b"".join(lines[:n]), line=n + 1)
    measured(f"{len(lines)} truncations")


def test_broken_off_in_the_middle_of_a_line(
    place: Place, good: bytes, runs: Callable[[int, int], int]
) -> None:
    for _ in range(runs(100, 1000)):
        at = random.randrange(1, len(good) - 1)
        place.refused(good[:at], line=good[:at].count(b"\n") + 1 + (good[at] == ord("\n")))


def test_lines_left_out_doubled_and_swapped(place: Place, good: bytes) -> None:
    lines = good.splitlines(keepends=True)
    for n in range(len(lines) - 1):
        place.refused(closed([*lines[:n], *lines[n + 1 :]]))
        place.refused(closed([*lines[:n], lines[n], *lines[n:]]))
        if n + 2 < len(lines) and lines[n] != lines[n + 1]:
            place.refused(closed([*lines[:n], lines[n + 1], lines[n], *lines[n + 2 :]]))
    place.refused(good + lines[1], line=len(lines) + 1)
    place.refused(good + b"\n", line=len(lines) + 1)
    place.refused(good + good)


def test_any_byte_changed(place: Place, good: bytes, runs: Callable[[int, int], int]) -> None:
    for _ in range(runs(300, 5000)):
        at = random.randrange(len(good) - 1)
        changed = bytearray(good)
        changed[at] ^= 1 << random.randrange(8)
        place.refused(bytes(changed))


# --- encodings and JSON ---------------------------------------------------------------------------


def spelt(line: int, before: str, after: str) -> Callable[[bytes], bytes]:
    """Replaces text in a line (counted from 1), and closes the archive anew."""

    def edit(good: bytes) -> bytes:
        lines = good.splitlines(keepends=True)
        old = lines[line - 1]
        lines[line - 1] = old.replace(before.encode(), after.encode("latin-1"), 1)
        assert lines[line - 1] != old
        return closed(lines)

    return edit


NOTE = '"text":"first"'
SPELLINGS: list[tuple[str, int, str, Callable[[bytes], bytes]]] = [
    ("a mark of the byte order", 1, "", lambda good: b"\xef\xbb\xbf" + good),
    ("UTF-16", 1, "", lambda good: good.decode().encode("utf-16")),
    ("lines ended as on Windows", 1, "", lambda good: good.replace(b"\n", b"\r\n")),
    ("latin-1", 4, "", spelt(4, NOTE, '"text":"f\xfcrst"')),
    ("half a character", 4, "", spelt(4, NOTE, '"text":"\\ud800"')),
    ("a byte of zero", 4, "", spelt(4, NOTE, '"text":"fi\0rst"')),
    ("no JSON", 4, "", spelt(4, NOTE, '"text":first')),
    ("a comment", 4, "", spelt(4, NOTE, f"{NOTE}/* */")),
    ("no number", 4, "", spelt(4, NOTE, '"text":NaN')),
    ("without end", 4, "", spelt(4, NOTE, '"text":-Infinity')),
    ("a number beyond all", 4, "", spelt(4, NOTE, '"text":1e999')),
    ("a number of 4,000 digits", 4, "", spelt(4, NOTE, f'"text":{"9" * 4000}')),
    ("a number that no table keeps", 4, "", spelt(4, NOTE, f'"text":{1 << 63}')),
    ("a name twice", 4, "by", spelt(4, '"by"', '"by":"bo","by"')),
    ("a name twice in an event", 4, "text", spelt(4, NOTE, f"{NOTE},{NOTE}")),
    ("a name twice deep inside", 4, "a", spelt(4, NOTE, f'{NOTE},"b":[[{{"a":1,"a":2}}]]')),
    ("nested 100,000 times", 4, "", spelt(4, NOTE, '"text":' + "[" * 100_000)),
    ("nested 200 times", 4, "", spelt(4, NOTE, f'{NOTE},"b":{"[" * 200}{"]" * 200}')),
    ("a list", 4, "", spelt(4, '{"record"', '[{"record"')),
    ("an empty line", 4, "", spelt(4, '{"record"', '\n{"record"')),
]


@pytest.mark.parametrize(
    ("line", "field", "edit"), [one[1:] for one in SPELLINGS], ids=[one[0] for one in SPELLINGS]
)
def test_wrong_spellings(
    place: Place, good: bytes, line: int, field: str, edit: Callable[[bytes], bytes]
) -> None:
    place.refused(edit(good), line=line, field=field)


# --- fields ---------------------------------------------------------------------------------------

VALUES = (None, True, -1, 0, 1.5, 1 << 70, "", "x", "\x1b[2J", [], [1], {}, {"a": []})
MISSING = object()
UNHASHED = ((0, ("writer",)), (0, ("branch",)))
"""What only the closing hash covers: it says who wrote the file, and changes no history."""


def edits(good: bytes) -> Iterator[tuple[int, tuple[str | int, ...], object]]:
    """Yields every field of every kind of line with every value that may be wrong there."""
    seen = set()
    for n, line in enumerate(good.splitlines()):
        for path in paths(json.loads(line)):
            key = (json.loads(line)["record"], *path)
            if key not in seen:
                seen.add(key)
                for value in (MISSING, *VALUES):
                    yield n, path, value


def paths(value: Any, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, one in inner:
        if at[:1] == ("source",):
            return
        yield (*at, key)
        if isinstance(one, (dict, list)):
            yield from paths(one, (*at, key))


def put(lines: Lines, n: int, path: tuple[str | int, ...], value: object) -> bool:
    """Puts a value there; returns whether that changes anything."""
    *before, last = path
    here: Any = lines[n]
    for key in before:
        here = here[key]
    if value is MISSING:
        del here[last]
        return True
    same = type(here[last]) is type(value) and here[last] == value
    here[last] = value
    return not same


def test_every_field_with_every_wrong_value(
    place: Place,
    good: bytes,
    runs: Callable[[int, int], int],
    measured: Callable[[str], None],
) -> None:
    """As it is, the hashes find it; with hashes that fit, it is refused or makes a sound ledger."""
    taken = 0
    tried = list(edits(good))
    for n, path, value in random.sample(tried, runs(150, len(tried))):
        changed = False

        def edit(
            lines: Lines, n: int = n, path: tuple[str | int, ...] = path, value: object = value
        ) -> None:
            nonlocal changed
            changed = put(lines, n, path, value)

        data = edited(good, edit)
        if not changed:
            continue
        if (n, path) not in UNHASHED:
            place.refused(data)
        try:
            fitting = rehashed(data)
        except (msgspec.MsgspecError, KdmlogError, OverflowError, ValueError):
            continue
        taken += place.survives(fitting)
    measured(f"{place.tried} wrong fields, {taken} of them harmless once hashed anew")


def field(line: int, path: tuple[str | int, ...], value: object) -> Edit:
    def edit(lines: Lines) -> None:
        put(lines, line - 1, path, value)

    return edit


def more(line: int, **fields: object) -> Edit:
    return lambda lines: lines[line - 1].update(fields)


def event(line: int, n: int, **fields: object) -> Edit:
    return lambda lines: lines[line - 1]["events"][n].update(fields)


NAMED: list[tuple[int, str, str, Edit]] = [
    (1, "format", "newer than this program", field(1, ("format",), 2)),
    (1, "format", "no format 0", field(1, ("format",), 0)),
    (1, "", "no kdmlog archive", field(1, ("record",), "other")),
    (1, "", "unknown field `new`", more(1, new=1)),
    (1, "game", "no game 'chess'", field(1, ("game",), "chess")),
    (1, "uid", "length >= 1", field(1, ("uid",), "")),
    (2, "number", "should be 1", field(2, ("number",), 7)),
    (3, "record", "Invalid value 'step'", field(3, ("record",), "step")),
    (4, "number", "should be 2", field(4, ("number",), 3)),
    (4, "number", "Expected `int`", field(4, ("number",), "2")),
    (4, "kind", "Invalid enum value", field(4, ("kind",), "dreamt")),
    (4, "hash", "is not what was appended", field(4, ("by",), "bo")),
    (4, "", "unknown field `new`", more(4, new=1)),
    (4, "input", "should be a JSON object", field(4, ("input",), [])),
    (4, "events[0]", "should be a JSON object", field(4, ("events", 0), "7")),
    (4, "events[0]", "Expecting value", field(4, ("events", 0), "x")),
    (4, "events[0].kind", "tagged with its kind", field(4, ("events", 0, "kind"), None)),
]


@pytest.mark.parametrize(("line", "name", "words", "edit"), NAMED)
def test_line_and_field_are_named(
    place: Place, good: bytes, line: int, name: str, words: str, edit: Edit
) -> None:
    assert words in place.refused(edited(good, edit), line=line, field=name)


def newer(lines: Lines) -> None:
    event(4, 0, kind="toy.flew")(lines)
    more(4, writer="9.9.9")(lines)


def test_a_field_that_an_event_has_besides_is_kept(place: Place, good: bytes) -> None:
    """A later version of the same kind may have it; what is not understood is not dropped."""
    data = rehashed(edited(good, event(4, 0, mood="cheerful")))
    place.file.write_bytes(data)
    import_archive(place.folder / "kept.db", str(place.file))
    with open_session(place.folder / "kept.db", readonly=True) as session:
        export_archive(session, str(place.folder / "again.jsonl"))
    assert (place.folder / "again.jsonl").read_bytes() == data


EVENTS: list[tuple[str, str, Edit]] = [
    ("events[0].kind", "'toy.flew'", newer),
    ("events[0].kind", "kdmlog 9.9.9", newer),
    ("events[0].text", "Expected `str`, got `int`", event(4, 0, text=7)),
]


@pytest.mark.parametrize(("name", "words", "edit"), EVENTS)
def test_an_event_that_no_game_has_names_its_field_and_who_wrote_it(
    place: Place, good: bytes, name: str, words: str, edit: Edit
) -> None:
    assert words in place.refused(rehashed(edited(good, edit)), line=4, field=name)


def test_moves_that_cannot_have_happened(place: Place, good: bytes) -> None:
    """Every hash fits, every event is one of the game's: but they do not fold."""

    def nobody(lines: Lines) -> None:
        fact = {"kind": "toy.luck_changed", "hero": "nobody", "by": 1, "now": 2}
        lines[3]["events"][0] = fact

    assert "do not follow from each other" in place.refused(rehashed(edited(good, nobody)))


def test_nothing_changes_in_a_ledger_that_has_campaigns(
    tmp_path: Path, good: bytes, place: Place
) -> None:
    db = tmp_path / "mine.db"
    new_campaign(db, "Mine", game=TOY.id)[0].close()
    before = db.read_bytes()
    for n in range(2, len(good.splitlines())):
        place.file.write_bytes(b"".join(good.splitlines(keepends=True)[:n]))
        with pytest.raises(ContentError):
            import_archive(db, str(place.file))
    assert db.read_bytes() == before


# --- bounds ---------------------------------------------------------------------------------------

GIGABYTE = 1 << 30
measurable = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="memory is measured by Linux' own books"
)
RUN = """
import sys
import toy
from kdmlog.cli.main import main
from pathlib import Path


def peak():  # not resource's, which a process inherits
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


before = peak()
try:
    main(sys.argv[1:])
except SystemExit as done:
    print(peak() - before)
    sys.exit(done.code)
"""
MOST_MIB, MOST_SECONDS = 200, 10.0


def bounded(*words: str, given: Callable[[], Iterator[bytes]] | None = None) -> tuple[str, str]:
    """Runs a command that must refuse its file; returns its error, and what it took."""
    began = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, *words],
        stdin=subprocess.PIPE if given else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    if given:
        assert process.stdin
        with suppress(BrokenPipeError):  # it has seen enough
            for part in given():
                process.stdin.write(part)
        with suppress(BrokenPipeError):
            process.stdin.close()
        process.stdin = None
    out, err = process.communicate(timeout=60)
    took = time.monotonic() - began
    mib = int(out.split()[-1]) / 1024
    assert process.returncode == 1, err
    assert err.count(b"\n") == 1
    assert mib < MOST_MIB
    assert took < MOST_SECONDS
    return err.decode(), f"{mib:.0f} MiB, {took:.1f} s"


def sparse(path: Path, start: bytes = b"") -> Path:
    with path.open("wb") as file:
        file.write(start)
        file.truncate(GIGABYTE)
    return path


@measurable
@pytest.mark.parametrize("start", ["", "header", "pack"])
def test_a_line_of_a_gigabyte(
    tmp_path: Path, good: bytes, start: str, measured: Callable[[str], None]
) -> None:
    header = good.splitlines(keepends=True)[0]
    before = {"": b"", "header": header, "pack": header + b'{"record":"pack"'}[start]
    file = sparse(tmp_path / "huge.jsonl", before)
    db, limit = tmp_path / "none.db", 64 if start == "pack" else 16
    err, took = bounded("--db", str(db), "import", str(file))
    assert f"{file}, line {2 if start else 1}: is longer than {limit} MiB" in err
    assert not db.exists()
    measured(f"1 GB line {took}")


@measurable
def test_a_line_of_a_gigabyte_through_a_pipe(tmp_path: Path, good: bytes) -> None:
    def given() -> Iterator[bytes]:
        yield good.splitlines(keepends=True)[0]
        for _ in range(GIGABYTE >> 20):
            yield b"x" * (1 << 20)

    err, _ = bounded("--db", str(tmp_path / "none.db"), "import", "-", given=given)
    assert "standard input, line 2: is longer than" in err


@measurable
def test_a_line_that_is_long_within_bounds(tmp_path: Path, good: bytes) -> None:
    """16 MiB of the smallest things there are, each of which takes Python far more."""
    lines = good.splitlines(keepends=True)
    many = b"[]," * ((wire.LONGEST - 2000) // 3)
    lines[3] = lines[3].replace(NOTE.encode(), b'"text":[' + many + b"0]")
    file = tmp_path / "many.jsonl"
    file.write_bytes(closed(lines))
    err, _ = bounded("--db", str(tmp_path / "none.db"), "import", str(file))
    assert f"{file}, line 4: " in err


def test_a_note_of_a_megabyte_is_no_malformed_one(tmp_path: Path) -> None:
    session, _ = new_campaign(tmp_path / "a.db", "Toy", game=TOY.id)
    with session:
        session.note("ü" * (1 << 20))
        export_archive(session, str(tmp_path / "a.jsonl"))
        assert import_archive(tmp_path / "b.db", str(tmp_path / "a.jsonl")).moves == 2
