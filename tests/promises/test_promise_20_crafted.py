"""An archive whose hashes all fit, but whose packs, dice or facts no game makes, is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kdmlog.ledger import Ledger
from kdmlog.packs.pack import pack_hash
from kdmlog.session.archive import import_archive

from .commands import command, run
from .test_promise_20_malformed import Edit, Lines, closed, rehashed

NAMES = ("Allister m", "Erza f", "Lucy f", "Zachary m")


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Lines:
    """A campaign of four survivors, on two branches."""
    folder = tmp_path_factory.mktemp("crafted")
    db, file = folder / "kdm.db", folder / "kdm.jsonl"
    run(db, "new", "Edge", "--seed", "20")
    for name in NAMES:
        run(db, "survivor", "new", *name.split())
    run(db, "roll", "d10")
    run(db, "branch", "aside")
    run(db, "export", str(file))
    return [json.loads(line) for line in file.read_bytes().splitlines()]


@pytest.fixture
def crafted(good: Lines, tmp_path: Path) -> Callable[[Edit], Path]:
    """Writes an archive that was edited, with every hash made to fit."""

    def craft(edit: Edit) -> Path:
        lines: Lines = json.loads(json.dumps(good))
        edit(lines)
        texts = [json.dumps(line, separators=(",", ":"), ensure_ascii=False) for line in lines]
        file = tmp_path / "crafted.jsonl"
        file.write_bytes(rehashed(closed([text.encode() + b"\n" for text in texts])))
        return file

    return craft


def refused(file: Path, *words: str) -> str:
    """Imports what must be refused, in one line that has these words; nothing is added."""
    db = file.with_name("here.db")
    code, _, err = command(db, "import", str(file))
    assert code == 1 and err.count("\n") == 1 and "stumbled" not in err, err
    assert str(file) in err and len(err) < 800
    for word in words:
        assert word in err
    if db.exists():
        with Ledger.open(db) as ledger:
            assert ledger.campaigns() == []
    return err


def kind(lines: Lines, kind: str) -> dict[str, Any]:
    """Returns the first event of a kind."""
    moves = [line for line in lines if line["record"] == "move"]
    events = [event for move in moves for event in move["events"]]
    found: dict[str, Any] = next(one for one in events if one["kind"] == kind)
    return found


def last_event(**fields: object) -> Edit:
    """Puts another event in the place of the last move's first."""

    def edit(lines: Lines) -> None:
        move = [line for line in lines if line["record"] == "move"][-1]
        move["events"] = [fields]

    return edit


def repacked(change: Callable[[dict[str, Any]], object]) -> Edit:
    """Changes the pack, and what the events say its hash is."""

    def edit(lines: Lines) -> None:
        pack = next(line for line in lines if line["record"] == "pack")
        change(pack["source"])
        source = json.dumps(pack["source"], separators=(",", ":"), ensure_ascii=False)
        pack["hash"] = kind(lines, "core.packs_changed")["packs"][0]["hash"] = pack_hash(
            source.encode()
        )

    return edit


def test_what_was_not_edited_is_taken(crafted: Callable[[Edit], Path]) -> None:
    file = crafted(lambda _lines: None)
    import_archive(file.with_name("here.db"), str(file))
    assert run(file.with_name("here.db"), "verify") == ""


# --- packs ----------------------------------------------------------------------------------------


def without_pack(lines: Lines) -> None:
    lines[:] = [line for line in lines if line["record"] != "pack"]


def test_a_pack_that_is_named_and_nowhere(crafted: Callable[[Edit], Path]) -> None:
    refused(crafted(without_pack), "line 3: ", "packs[0].hash", "core")


def test_a_pack_that_is_here_already_may_be_left_out(crafted: Callable[[Edit], Path]) -> None:
    file = crafted(without_pack)
    db = file.with_name("other.db")
    run(db, "new", "Other")
    import_archive(db, str(file))
    assert run(db, "verify") == ""


def test_a_pack_under_another_version_of_its_own(crafted: Callable[[Edit], Path]) -> None:
    def edit(lines: Lines) -> None:
        kind(lines, "core.packs_changed")["packs"][0]["version"] = 7

    refused(crafted(edit), "packs[0]", "this pack is core 1")


def first(kind: str, **fields: object) -> Callable[[dict[str, Any]], object]:
    """Changes fields of the first record of a kind."""
    return lambda pack: next(iter(pack["records"][kind].values())).update(fields)


PACKS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "a figure for a record": (
        lambda pack: pack["records"]["monster"].update(white_lion=7),
        "source.records.monster.white_lion",
    ),
    "no pack at all": (lambda pack: pack.clear(), "source"),
    "a pack that says nothing of itself": (lambda pack: pack.pop("pack"), "source"),
    "another game's": (lambda pack: pack["pack"].update(game="chess"), "source.pack.game"),
    "five million cards": (first("ai_card", copies=5_000_000), "Figures go to 9999"),
    "a thousand cards": (first("ai_card", copies=1000), "ai_card"),
    "cards below none": (first("ai_card", copies=-1), "ai_card"),
    "a card of no monster": (first("ai_card", monster="nobody"), "monster"),
    "a field that no card has": (first("ai_card", power=1), "source.records.ai_card"),
    "a name that steers terminals": (first("ai_card", name="a\u202eb"), "Invisible"),
    "an id that is none": (
        lambda pack: pack["records"]["gear"].update({"A B": {"name": "x"}}),
        "source.records.gear.A B",
    ),
}


@pytest.mark.parametrize("name", PACKS)
def test_a_pack_that_content_check_would_refuse(crafted: Callable[[Edit], Path], name: str) -> None:
    change, words = PACKS[name]
    refused(crafted(repacked(change)), "line ", words)


# --- facts ----------------------------------------------------------------------------------------

ROLL = {"kind": "core.dice_rolled", "purpose": "x", "source": "app"}
ASKED = {"kind": "core.asked", "began": 6}
FACTS: dict[str, tuple[dict[str, object], str]] = {
    "dice that are none": ({**ROLL, "dice": "zzz", "faces": [1]}, "events[0].dice"),
    "a face beyond its die": ({**ROLL, "dice": "d10", "faces": [77]}, "events[0].faces[0]"),
    "a face below its die": ({**ROLL, "dice": "2d10", "faces": [1, 0]}, "events[0].faces[1]"),
    "a face too many": ({**ROLL, "dice": "d10", "faces": [1, 2]}, "events[0].faces"),
    "a question for no dice": (
        {**ASKED, "request": {"ask": "roll", "purpose": "x", "dice": "qqq"}},
        "events[0].request.dice",
    ),
}


@pytest.mark.parametrize("name", FACTS)
def test_dice_that_cannot_have_fallen(crafted: Callable[[Edit], Path], name: str) -> None:
    fields, field = FACTS[name]
    refused(crafted(last_event(**fields)), "line ", field)


def test_a_question_that_cannot_be_put(crafted: Callable[[Edit], Path]) -> None:
    request = {"ask": "choose", "purpose": "target", "options": []}
    refused(crafted(last_event(**ASKED, request=request)), "branch main", "cannot be shown", "'ai'")


def test_armor_where_nobody_wears_any_stops_no_sheet(crafted: Callable[[Edit], Path]) -> None:
    fact = {"kind": "kdm.armor_changed", "survivor": "lucy", "location": "nowhere"}
    file = crafted(last_event(**fact, by=1, now=1))
    db = file.with_name("here.db")
    run(db, "import", str(file))
    for words in ("survivor show lucy", "state", "log", "recap", "diff 1 6"):
        run(db, *words.split())


# --- branches -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["2", "@{1}", "h:abcd", "two words", "a\x1b[2J", "-x", "x" * 300])
def test_a_branch_that_no_command_would_make(
    crafted: Callable[[Edit], Path], good: Lines, name: str
) -> None:
    def edit(lines: Lines) -> None:
        ref = [line for line in lines if line["record"] == "ref"][-1]
        assert ref["branch"] == "aside"
        ref["branch"] = name

    refused(crafted(edit), f"line {len(good) - 1}: branch")
