"""A report of a fault has no names, notes or other words of people's; its figures are the same."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kdmlog.cli.call import Call
from kdmlog.cli.main import execute
from kdmlog.core.errors import KdmlogError
from kdmlog.core.events import CORE_EVENTS
from kdmlog.core.people import ROLE
from kdmlog.games.kdm.actions import SurvivorNew
from kdmlog.games.kdm.game import GAME
from kdmlog.session import Session, open_session
from kdmlog.session.archive import export_archive, import_archive
from kdmlog.session.audit import audit
from kdmlog.session.paths import tree, walk
from kdmlog.session.pseudonyms import Pseudonyms

SESSIONS = Path(__file__).parents[1] / "sessions"
PEOPLE = (
    *("Quibble", "Wobbler", "Zorblax", "Ümlauta Ünger", "Mad Maxine", "Gnarl", "gnarl!", "Yvain"),
    *("Lurchia", "Pennyfarthing", "Vexworth", "Duskhollow", "fumblewick", "grumpyroll"),
    *("sneezing", "hiccuped", "whatnot", "eitheror", "neithernor", "byway", "scribbled", "Oswin"),
)
"""Names and words that stand in no rule and no content."""
SCRIPT = """
new "Zorblax's Doom" -p Quibble -p Wobbler --seed s --by Quibble
survivor new "Ümlauta Ünger" f --note 'sneezing at birth'
survivor new "Mad Maxine" f --player wobbler
survivor new Gnarl m
survivor new Oswin m
survivor rename gnarl "gnarl!"
survivor rename ümlauta Yvain
roll 2d10 --why fumblewick
roll d10 --dice 7 --why grumpyroll
choose whatnot eitheror
choose whatnot neithernor
note 'Lurchia hiccuped on Vexworth, said Mad Maxine'
showdown begin white_lion --first-story
adjust survivors.mad_maxine.insanity +2 --why 'Pennyfarthing scribbled'
branch byway --at 5
branch Vexworth
monster turn --choose osw
answer no
attack maxine
undo
campaign rename "Duskhollow Again"
note 'neithernor' --request-id fumblewick-1
switch byway
survivor rename mad Lurchia
assert lurchia.survival=1
"""


def run(db: Path, *words: str) -> str:
    out, err = io.StringIO(), io.StringIO()
    call = Call(scripted=True)
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = execute(["--db", str(db), *words], call)
    finally:
        if call.session is not None:
            call.session.close()
    assert code == 0, f"{words}: {err.getvalue()}"
    return out.getvalue()


def played(folder: Path, name: str) -> Path:
    db, script = folder / "kdm.db", SESSIONS / f"{name}.kdm"
    if name == "named":
        script = folder / "named.kdm"
        script.write_text(SCRIPT, encoding="utf-8")
    elif name == "sheets":
        sheet = folder / "sheet.toml"
        sheet.write_text(run(db, "content", "sheet"), encoding="utf-8")
        script = folder / "sheets.kdm"
        players = "-p Ann -p Bo -p Cay -p Dee"
        script.write_text(f"new Sheets {players} --seed s --from {sheet}\n", encoding="utf-8")
    run(db, "run", str(script))
    return db


def anonymous(db: Path) -> tuple[str, Path]:
    """Exports without the people and imports that: the archive's text, and the new ledger."""
    file, copy = db.with_suffix(".jsonl"), db.with_name("copy.db")
    with open_session(db, readonly=True) as session:
        export_archive(session, str(file), anonymise=True)
    import_archive(copy, str(file))
    lines = file.read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if not line.startswith('{"record":"pack"')), copy


def figures(session: Session, branch: str) -> list[Any]:
    """All of the state that is no name and no words: numbers, and which boxes are there."""
    view = session.view(branch)
    leaves = [value for _, value in walk(tree(view))]
    return [value for value in leaves if isinstance(value, (int, bool)) or value is None]


def chance(session: Session) -> list[Any]:
    """Every die and card, on all branches."""
    found = []
    for branch in session.branches():
        for move in session.ledger.moves(branch.head):
            for event in session.codec.events(move):
                fields = msgspec.to_builtins(event)
                found += [fields[key] for key in ("faces", "key") if key in fields]
    return found


ALL = ("named", "app", "table", "death", "defeat", "sheets")


@pytest.mark.parametrize("name", ALL)
def test_figures_dice_and_audit_are_the_same(name: str, tmp_path: Path) -> None:
    db = played(tmp_path, name)
    _, copy = anonymous(db)
    with open_session(db, readonly=True) as session, open_session(copy, readonly=True) as other:
        assert other.verify() == []
        branches = [branch.name for branch in session.branches()]
        others = [branch.name for branch in other.branches()]
        assert len(branches) == len(others)
        for one, two in zip(branches, others, strict=True):
            assert figures(session, one) == figures(other, two)
            assert session.place(one).number == other.place(two).number
        assert chance(session) == chance(other)
        found = [[(r.code, r.move) for r in audit(each).remarks] for each in (session, other)]
        assert found[0] == found[1]
        steps = [[(r.reason, r.number, r.at) for r in each.oplog()] for each in (session, other)]
        assert steps[0] == steps[1]


def test_nothing_that_people_wrote_is_left(tmp_path: Path) -> None:
    text, copy = anonymous(played(tmp_path, "named"))
    plain = text.lower()
    for words in PEOPLE:
        for word in re.findall(r"\w{3,}", words.lower()):
            assert not re.search(rf"(?<![^\W_]){word}(?![^\W_])", plain), word
        assert words.lower().encode("unicode_escape").decode() not in plain
    assert "osw" not in plain, "the beginning of a name, as typed"
    out = (
        run(copy, "log", "-n", "50") + run(copy, "status") + run(copy, "state") + run(copy, "oplog")
    )
    assert not any(word.lower() in out.lower() for word in PEOPLE)


@pytest.mark.parametrize("name", ALL[1:])
def test_no_name_of_a_whole_session_is_left(name: str, tmp_path: Path) -> None:
    db = played(tmp_path, name)
    with open_session(db, readonly=True) as session:
        state = session.table.state
        names = {*state.survivors, *state.players, state.name, state.settlement.name}
        names |= {one.name for one in state.survivors.values()}
    text, _ = anonymous(db)
    for word in names - {""}:
        if not word.startswith("newborn"):
            assert not re.search(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])", text), word


def test_the_same_name_is_the_same_everywhere(tmp_path: Path) -> None:
    _, copy = anonymous(played(tmp_path, "named"))
    with open_session(copy, readonly=True) as session:
        survivors = session.table.state.survivors
        assert list(survivors) == ["survivor_1", "survivor_2", "survivor_3", "survivor_4"]
        for id_, one in survivors.items():
            assert re.fullmatch(r"Survivor \d", one.name)
            assert one.player in ("Player 1", "Player 2")
            assert id_ == one.id
        assert session.campaign.name.startswith("Campaign ")
        assert session.table.state.players == ["Player 1", "Player 2"]
        actions = [entry.action for entry in session.log(head=session.place("main"))]
        new = [one for one in actions if isinstance(one, SurvivorNew)][::-1]
        assert [one.name for one in new] == [f"Survivor {n}" for n in range(1, 5)]


def test_it_is_another_campaign_each_time(tmp_path: Path) -> None:
    db = played(tmp_path, "named")
    _, copy = anonymous(db)
    with open_session(db) as session, open_session(copy) as other:
        hashes = [{move.hash for move in each.ledger.moves(each.head)} for each in (session, other)]
        assert not hashes[0] & hashes[1]
        assert session.campaign.uid != other.campaign.uid
    with open_session(db, readonly=True) as session:
        written = [tmp_path / f"{n}.jsonl" for n in range(2)]
        for file in written:
            export_archive(session, str(file), anonymise=True)
    starts = [msgspec.json.decode(file.read_bytes().splitlines()[0]) for file in written]
    assert starts[0]["uid"] != starts[1]["uid"]


def test_a_part_of_it_can_be_reported(tmp_path: Path) -> None:
    db, file = played(tmp_path, "named"), tmp_path / "part.jsonl"
    with open_session(db, readonly=True) as session:
        export_archive(session, str(file), anonymise=True, upto="4")
    import_archive(tmp_path / "part.db", str(file))
    with open_session(tmp_path / "part.db", readonly=True) as session:
        assert session.head.number == 4
        assert session.verify() == []


# --- what is declared -----------------------------------------------------------------------------

PLAIN = {
    *("cause", "kind", "purpose", "source", "record", "id", "what", "path", "at", "text", "why"),
    *("seed", "edition", "variants", "dice", "hash", "default", "how", "terms", "verdict"),
    *("deck", "to", "zone", "before", "took", "scope", "name"),
    *("stat", "token", "location", "box", "injury", "condition", "until", "type", "list", "sex"),
    *("weapon", "gear", "card", "cell", "resource", "monster", "level", "outcome", "hunt"),
    *("event", "milestone", "figure", "phase", "step", "turn"),
    *("action", "encounter", "ambush", "facing", "tile", "terrain", "diagram", "words"),
}
"""Fields of events whose texts the game makes: kinds of things, places, moments, content."""


def texts(type_: Any, name: str) -> Iterator[tuple[str, bool]]:
    """Yields the fields below a type that hold text, and whether they are declared."""
    match type_:
        case msgspec.inspect.Metadata(type=inner, extra=extra):
            if extra and ROLE in extra:
                yield name, True
            else:
                yield from texts(inner, name)
        case msgspec.inspect.StrType():
            yield name, False
        case msgspec.inspect.StructType(fields=fields):
            for field in fields:
                yield from texts(field.type, field.name)
        case msgspec.inspect.UnionType(types=types):
            for one in types:
                yield from texts(one, name)
        case msgspec.inspect.DictType(value_type=value):
            yield from texts(value, name)
        case (
            msgspec.inspect.ListType(item_type=item) | msgspec.inspect.VarTupleType(item_type=item)
        ):
            yield from texts(item, name)


@pytest.mark.parametrize("event", (*CORE_EVENTS, *GAME.events), ids=lambda one: one.__name__)
def test_every_text_of_an_event_is_declared_or_known_to_be_the_games(event: Any) -> None:
    """A new field with names or words in it must say so, or be put down as harmless here."""
    for name, declared in texts(msgspec.inspect.type_info(event), ""):
        assert declared or name in PLAIN, f"{event.__name__}.{name}: whose words are in it?"


def test_survivors_are_never_taken_for_text() -> None:
    for event in GAME.events:
        for field in msgspec.inspect.type_info(event).fields:  # type: ignore[union-attr]
            if field.name in ("survivor", "player", "mother", "father"):
                [(_, declared)] = list(texts(field.type, field.name))[:1]
                assert declared, f"{event.__name__}.{field.name}"


# --- the pseudonyms themselves --------------------------------------------------------------------


def test_ids_are_made_of_pseudonyms_as_they_were_of_names() -> None:
    new = Pseudonyms(("far_",))
    for name in ("Ada", "Mad Max", "ada!"):
        new.name(name, "Survivor")
    assert [new.name(name, "x") for name in ("Ada", "ADA!", "Mad Max")] == [
        *("Survivor 1", "Survivor 1", "Survivor 2"),
    ]
    ids = ("ada", "ada_2", "mad_max", "newborn", "newborn_2")
    assert [new.id(one) for one in ids] == [
        *("survivor_1", "survivor_1_2", "survivor_2", "newborn", "newborn_2"),
    ]
    assert new.mention("far_ada_2") == "far_survivor_1_2"
    assert new.mention("adam") == "adam"
    assert new.mention("adamant_ada") == "adamant_ada"
    assert new.within("Mad Max, out of reach") == "Survivor 2, out of reach"
    assert new.within("survivors.mad_max.insanity") == "survivors.survivor_2.insanity"
    assert new.typed("mad", {"mad_max": "Mad Max"}) == "survivor_2"
    assert new.typed("nobody", {}) == "words 1"
    assert new.words("own words") == new.words("own words") == "words 2"
    assert (new.words(""), new.name("", "x"), new.id("")) == ("", "", "")


def test_an_unknown_position_is_refused_as_ever(tmp_path: Path) -> None:
    with open_session(played(tmp_path, "named"), readonly=True) as session:
        with pytest.raises(KdmlogError):
            export_archive(session, str(tmp_path / "x.jsonl"), anonymise=True, upto="99")
        assert not (tmp_path / "x.jsonl").exists()
