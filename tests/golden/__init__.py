"""Logs of every released version, and what they came to: each later version must read them alike.

``python -m tests.golden`` writes those of the present version, from its own sessions; those of a
version that is out are never written again. A log is an archive as ``export`` writes it, packed;
beside it stands what its branches came to.
"""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from kdmlog.core.fingerprint import fingerprint
from kdmlog.session import Session, open_session
from kdmlog.session.archive import export_archive, import_archive
from tests.sessions.test_sessions import HERE as SESSIONS
from tests.sessions.test_sessions import run
from tests.sessions.test_showdowns import begun

FOLDER = Path(__file__).parent
SCRIPTS = ("app", "table", "death", "defeat")
"""Whole sessions that are played for other tests, too."""
SHOWDOWNS = ("lion", "butcher", "phoenix", "watcher")
"""Showdowns on the board, each begun from a sheet."""
TWISTS = """
new Twists -p Ann -p Bo --seed twists --by Ann
survivor new Allister m
survivor new Erza f --note 'born in the dark'
survivor new Lucy f
survivor new Zachary m
survivor rename zachary Zach
roll 2d10 --why weather
roll d10 --dice 7
choose which left
campaign rename 'Twists and Turns'
showdown begin white_lion --first-story
adjust survivors.lucy.insanity +2 --why misread
adjust survivors.lucy.insanity 1 --why 'misread, after all'
note 'ünïcode — “quoted” 🦁'
undo 2
redo
undo 3
note 'on another line'
branch what-if --at 8
branch other-dice --at 11 --reseed
switch other-dice
monster turn
switch what-if
note aside
amend 7 roll 2d10 --why rain --yes
assert lucy.survival=1
branch gone
branch --delete gone
switch main
monster turn
"""
"""Undone and redone moves, branches, a line left behind, and a question that stays open."""


def names() -> list[str]:
    """Returns what is written for a version."""
    return [*SCRIPTS, *SHOWDOWNS, "twists", "sheets"]


def played(name: str, folder: Path) -> Path:
    """Plays one of them in a folder; returns its ledger."""
    db, script = folder / f"{name}.db", folder / f"{name}.kdm"
    if name in SHOWDOWNS:
        begun(name, db)
    if name in (*SCRIPTS, *SHOWDOWNS):
        script = SESSIONS / f"{name}.kdm"
    elif name == "twists":
        script.write_text(TWISTS, encoding="utf-8")
    else:
        sheet = folder / "sheet.toml"
        sheet.write_text(run(db, "content", "sheet"), encoding="utf-8")
        line = f"new Sheets -p Ann -p Bo -p Cay -p Dee --seed sheets --from {sheet}\n"
        script.write_text(line, encoding="utf-8")
    run(db, "run", str(script))
    return db


def came_to(session: Session) -> dict[str, Any]:
    """Returns what each branch of a campaign came to."""
    return {
        branch.name: {
            "move": branch.head.number,
            "hash": branch.head.hash.hex(),
            "fingerprint": fingerprint(session.at(branch.name).state),
            "state": msgspec.json.decode(msgspec.json.encode(session.view(branch.name))),
        }
        for branch in session.branches()
    }


def write(version: str) -> None:
    """Writes the logs of a version."""
    folder = FOLDER / version
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        for name in names():
            archive = Path(place) / f"{name}.jsonl"
            with open_session(played(name, Path(place)), readonly=True) as session:
                export_archive(session, str(archive))
                expected = {
                    "shape": fingerprint(session.game.new_state()),
                    "branches": came_to(session),
                }
            packed = gzip.compress(archive.read_bytes(), mtime=0)
            (folder / f"{name}.jsonl.gz").write_bytes(packed)
            text = msgspec.json.format(msgspec.json.encode(expected, order="sorted"), indent=1)
            (folder / f"{name}.json").write_bytes(text + b"\n")


def goldens() -> list[Path]:
    """Returns the logs of all versions."""
    return sorted(FOLDER.glob("*/*.jsonl.gz"))


def unpacked(golden: Path, to: Path) -> Path:
    """Writes a log as the archive that it was; returns that file."""
    file = to / golden.name.removesuffix(".gz")
    file.write_bytes(gzip.decompress(golden.read_bytes()))
    return file


def opened(golden: Path, to: Path) -> Path:
    """Imports a log into a new ledger; returns that."""
    db = to / f"{golden.name}.db"
    import_archive(db, str(unpacked(golden, to)))
    return db


def expected(golden: Path) -> dict[str, Any]:
    """Returns what stands beside a log."""
    kept: dict[str, Any] = msgspec.json.decode(
        golden.with_name(golden.name.removesuffix(".jsonl.gz") + ".json").read_bytes()
    )
    return kept
