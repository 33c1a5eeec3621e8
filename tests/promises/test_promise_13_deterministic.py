"""13: the state is a fold of the log at every move, the same wherever and whenever it is folded."""

from __future__ import annotations

import ast
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from kdm import wanderer
from toy import TOY, Buy, Gamble, Rest, Seek

import kdmlog
from kdmlog.core.errors import Refused
from kdmlog.core.fingerprint import fingerprint
from kdmlog.core.inputs import Inputs
from kdmlog.core.requests import Choose, Fill
from kdmlog.session import NewOptions, Session, new_campaign

from .playing import prologue

PACKAGE = Path(kdmlog.__file__).parent
Measured = Callable[[str], None]
Runs = Callable[[int, int], int]

# --- the fold is the state ------------------------------------------------------------------------


class Live:
    """The fingerprints of the state as it stood after each move, as they came."""

    def __init__(self) -> None:
        self.prints: list[str] = []

    def __call__(self, session: Session) -> None:
        del self.prints[session.head.number - 1 :]  # taken back
        self.prints.append(fingerprint(session.table.state))
        assert len(self.prints) == session.head.number


def folded(session: Session) -> list[str]:
    """The fingerprints after each move, by a fold of the bare log from nothing."""
    state, codec = session.game.new_state(), session.codec
    prints = []
    for move in session.ledger.moves(session.head):
        for event in map(codec.event, move.bodies):
            codec.folds[type(event)](state, event)
        prints.append(fingerprint(state))
    return prints


TOY_ACTIONS = (Seek(hero="ada"), Buy(what="rope"), Gamble(), Rest())


def toys(db: Path, seed: int, live: Live) -> Session:
    """A random game of the toy, with undos."""
    chance = random.Random(seed)
    options = NewOptions(seed=str(seed), ask_dice=chance.random() < 0.5)
    session, _ = new_campaign(db, "Toy", game=TOY.id, options=options)
    session.ledger.connection.execute("PRAGMA synchronous = OFF")
    live(session)
    for _ in range(40):
        with suppress(Refused):
            if chance.random() < 0.1:
                session.undo()
            else:
                session.perform(
                    chance.choice([Seek(hero="ada"), Buy(what="rope"), Gamble(), Rest()])
                )
            live(session)
        while session.open is not None:
            match session.open.request:
                case Fill():
                    session.answer([], Inputs(fills=[{"gold": "3"}]))
                case Choose(purpose="pay"):
                    session.answer(["beg"])
                case Choose() as asked if asked.default is None:
                    session.answer(["ben"])
                case _:
                    session.answer([])
            live(session)
    return session


@pytest.mark.parametrize("play", [prologue, toys])
def test_the_live_state_is_a_full_fold_at_every_move(
    play: Callable[[Path, int, Live], Session], tmp_path: Path, measured: Measured, runs: Runs
) -> None:
    games, moves = runs(6, 200), 0
    for seed in range(games):
        live = Live()
        with play(tmp_path / f"{seed}.db", seed, live) as session:
            assert folded(session) == live.prints
            moves += session.head.number
    measured(f"{games} games of {play.__name__}, {moves} moves")


# --- everywhere the same --------------------------------------------------------------------------

CHILD = """
import hashlib, json, shutil, sys, tempfile
from pathlib import Path
import msgspec
from kdmlog.core.fingerprint import fingerprint
from kdmlog.session import NewOptions, new_campaign, open_session
from kdmlog.session.audit import audit

def digest(thing):
    return hashlib.sha256(msgspec.json.encode(thing)).hexdigest()[:16]

said = {}
with open_session(sys.argv[1], readonly=True) as session:
    state, codec = session.game.new_state(), session.codec
    prints, lines = [], []
    for move in session.ledger.moves(session.head):
        for event in map(codec.event, move.bodies):
            codec.folds[type(event)](state, event)
            lines.append(session.game.sentence(event, session.table))
        prints.append(fingerprint(state))
    said["states"] = digest(prints)
    said["sentences"] = digest(lines)
    said["view"] = digest(session.game.view(session.table))
    said["standing"] = digest([session.game.standing(session.table), session.ready()])
    said["rules"] = [one.message for one in audit(session).faults]
    said["headlines"] = digest(
        [session.game.headline(one.action, one.events, session.table) for one in session.log()])

def first(asked):
    # The first answer there is, where a bare one means nothing.
    if getattr(asked, "fields", ()):
        return [f"{one.name}={one.least or 0}" for one in asked.fields if one.default is None]
    bare = type(asked).__name__ != "Choose" or asked.default is not None
    return [] if bare else [",".join(one.id for one in asked.options[: asked.least]) or "none"]

# A new game by the same choices: all chance is the campaign's own.
with tempfile.TemporaryDirectory() as folder:
    copy = Path(folder, "again.db")
    shutil.copy(sys.argv[1], copy)
    options = NewOptions(seed="again", players=("Ann",))
    session, _ = new_campaign(copy, "Again", options=options, at="2026-01-01T00:00:00Z")
    bodies = []
    for action in json.loads(sys.argv[2]):
        done = session.perform(codec.action(json.dumps(action)))
        bodies += done.events
        while done.open is not None:
            done = session.answer(first(done.open))
            bodies += done.events
    said["again"] = digest(bodies)
    session.close()
print(json.dumps(said))
"""
SCRIPT = [
    *({"action": "survivor new", "name": name, "sex": sex} for name, sex in wanderer.NAMES),
    {"action": "showdown begin", "monster": "white_lion", "first_story": True},
    {"action": "monster turn"},
    *({"action": "attack", "survivor": name.lower()} for name, _ in wanderer.NAMES),
]


def elsewhere(python: str, db: Path, **environment: str) -> dict[str, object]:
    """Folds, audits and plays in another process; returns digests of all that came."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    done = subprocess.run(
        [python, "-c", CHILD, str(db), json.dumps(SCRIPT)],
        env={**kept, "PYTHONPATH": str(PACKAGE.parent), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


def pythons() -> Iterator[str]:
    """Yields this Python, those of ``KDMLOG_PYTHONS``, and others on the way that have msgspec.

    One that is not there, or lacks msgspec, is passed over: whoever has several names them.
    """
    named = os.environ.get("KDMLOG_PYTHONS", "").split(os.pathsep)
    found = [shutil.which(f"python3.{minor}") or "" for minor in range(11, 16)]
    seen = set()
    for python in filter(None, [sys.executable, *named, *found]):
        asked = subprocess.run(
            [python, "-c", "import sys, msgspec; print(*sys.version_info[:2], sep='.')"],
            capture_output=True,
            text=True,
            check=False,
        )
        if asked.returncode == 0 and asked.stdout not in seen:
            seen.add(asked.stdout)
            yield python


ENVIRONMENTS = (
    {"PYTHONHASHSEED": "0"},
    {"PYTHONHASHSEED": "1", "LC_ALL": "C", "TZ": "UTC"},
    {"PYTHONHASHSEED": "4294967295", "LC_ALL": "tr_TR.UTF-8", "TZ": "Pacific/Kiritimati"},
    {"PYTHONHASHSEED": "random", "LC_ALL": "de_DE.ISO-8859-1", "TZ": "America/St_Johns"},
    {"PYTHONHASHSEED": "77", "PYTHONUTF8": "1", "PYTHONOPTIMIZE": "2", "TZ": "Asia/Kathmandu"},
)


def test_every_environment_gives_the_same(tmp_path: Path, measured: Measured, runs: Runs) -> None:
    versions = list(pythons())
    for seed in range(runs(1, 4)):
        db = tmp_path / f"{seed}.db"
        prologue(db, seed).close()
        here = elsewhere(sys.executable, db, PYTHONHASHSEED="12345")
        assert here["rules"] == []
        for python in versions:
            for environment in ENVIRONMENTS:
                assert elsewhere(python, db, **environment) == here, (python, environment)
    measured(f"{len(versions)} Python versions x {len(ENVIRONMENTS)} environments")


# --- nothing to depend on -------------------------------------------------------------------------

OUTSIDE = {
    *("time", "random", "secrets", "os", "pathlib", "glob", "locale", "platform", "uuid"),
    *("socket", "subprocess", "threading", "asyncio", "tempfile", "shutil", "sqlite3", "io"),
}
"""Modules that tell of the world; ``datetime`` too, but for reading a position that was typed."""
READS_TIMES = PACKAGE / "core" / "positions.py"
UNORDERED = {"set", "frozenset"}
IN_ORDER = {"list", "tuple", "iter", "next", "enumerate", "zip", "map", "filter", "reversed"}
"""What shows the order of what it is given."""


def pure() -> list[Path]:
    """The modules of rules, folds and all that they are made of."""
    found = [*(PACKAGE / "core").rglob("*.py"), *(PACKAGE / "games").rglob("*.py")]
    assert len(found) > 30
    return found


def test_no_rule_or_fold_looks_at_the_world(measured: Measured) -> None:
    for path in pure():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [one.name for one in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            roots = {name.partition(".")[0] for name in names}
            banned = OUTSIDE if path == READS_TIMES else OUTSIDE | {"datetime"}
            assert not roots & banned, f"{path}:{node.lineno}: {names}"
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("open", "input", "hash", "id"), f"{path}:{node.lineno}"
    measured(f"{len(pure())} modules of rules and folds read")


def test_no_rule_or_fold_goes_through_a_set_in_its_own_order() -> None:
    for path in pure():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for function in [tree, *(n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef))]:
            sets = _names_of_sets(function)
            for node in ast.walk(function):
                for each in _gone_through(node):
                    assert not _is_set(each, sets), f"{path}:{each.lineno}: {ast.unparse(each)}"


def _names_of_sets(function: ast.AST) -> set[str]:
    """The names that hold a set somewhere in a function, by what is assigned or annotated."""
    found: set[str] = set()
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=targets, value=value) if _is_set(value, found):
                found |= {one.id for one in targets if isinstance(one, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=name), annotation=note) if _of_set(note):
                found.add(name)
            case ast.arg(arg=name, annotation=note) if note is not None and _of_set(note):
                found.add(name)
    return found


def _of_set(annotation: ast.expr) -> bool:
    return ast.unparse(annotation).partition("[")[0] in UNORDERED


def _is_set(node: ast.AST, names: set[str]) -> bool:
    match node:
        case ast.Set() | ast.SetComp():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in UNORDERED
        case ast.Name(id=name):
            return name in names
        case ast.BinOp(op=ast.BitOr() | ast.BitAnd() | ast.Sub() | ast.BitXor()):
            return _is_set(node.left, names) or _is_set(node.right, names) or _keys(node)
    return False


def _keys(node: ast.BinOp) -> bool:
    """Whether keys of mappings are joined: what comes of that is a set."""
    return any(
        isinstance(one, ast.Call)
        and isinstance(one.func, ast.Attribute)
        and one.func.attr in ("keys", "items")
        for one in (node.left, node.right)
    )


def _gone_through(node: ast.AST) -> Iterator[ast.expr]:
    """Yields what a node goes through one by one, where the order could be seen."""
    match node:
        case ast.For():
            yield node.iter
        case ast.ListComp() | ast.DictComp():
            yield from (one.iter for one in node.generators)
        case ast.Starred():
            yield node.value
        case ast.Call(func=ast.Name(id=name)) if name in IN_ORDER:
            yield from node.args
        case ast.Call(func=ast.Attribute(attr="join" | "extend" | "fromkeys")):
            yield from node.args


@pytest.mark.parametrize(
    "code",
    [
        "for x in {1, 2}: pass",
        "def f(a: set[int]): return [x for x in a]",
        "a = set(b)\nc = list(a)",
        "c = ', '.join(set(b))",
        "c = (*(a.keys() | b.keys()),)",
        "c = dict.fromkeys({1, 2})",
    ],
)
def test_the_search_for_sets_finds_them(code: str) -> None:
    tree = ast.parse(code)
    sets = _names_of_sets(tree)
    assert any(_is_set(each, sets) for node in ast.walk(tree) for each in _gone_through(node))
