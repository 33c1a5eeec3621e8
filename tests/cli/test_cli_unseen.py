"""Nothing shows the dice and cards that are still to come, unless ``--spoilers`` asks for them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_helpers import fighting, founded, head, look, mark, moves, well
from msgspec.json import encode
from msgspec.structs import replace

from kdmlog.cli import say
from kdmlog.cli.call import Call
from kdmlog.core.events import CardsDrawn, CardsMoved, CardsSwapped


@pytest.mark.parametrize(
    "words",
    [
        ("roll", "5d10"),
        ("roll", "5d10", "--dice", "app"),
        ("draw", "ai"),
        ("draw", "ai", "--draw", "app"),
        ("attack", "allister"),
        ("attack", "allister", "--dice", "app", "--draw", "app,app"),
        ("attack", "allister", "--dice", "10,10", "--draw", "app"),
    ],
    ids=" ".join,
)
def test_a_dry_run_stops_before_what_is_to_come(tmp_path: Path, words: tuple[str, ...]) -> None:
    db = fighting(tmp_path / "kdm.db")
    well(db, "monster", "turn", "--draw", "claw", "--choose", "none")
    tried = json.loads(well(db, *words, "--dry-run", "--json"))
    assert "app" not in {one.get("source") for one in tried["events"]}
    assert tried["open"]["ask"] in ("roll", "draw")
    shown = json.loads(well(db, *words[:2], "--dry-run", "--json", "--spoilers"))
    came = json.loads(well(db, *words[:2], "--json"))
    assert [one["kind"] for one in shown["events"]] == [one["kind"] for one in came["events"]]


def test_an_answer_tried_leaves_the_question_as_it_is(tmp_path: Path) -> None:
    db = founded(tmp_path / "kdm.db", "--ask-dice")
    well(db, "roll", "2d10")
    for words in ((), ("app",)):
        tried = json.loads(well(db, "answer", *words, "--dry-run", "--json"))
        assert [one["kind"] for one in tried["events"]] == ["core.asked"]
    given = json.loads(well(db, "answer", "7", "3", "--dry-run", "--json"))
    assert given["events"][0]["faces"] == [7, 3], "faces of the table's are no secret"


def test_a_correction_shows_no_new_roll_before_it_is_kept(tmp_path: Path) -> None:
    db = founded(tmp_path / "kdm.db")
    well(db, "note", "before")
    well(db, "roll", "d10")
    number, was, all_moves = moves(db), head(db), moves(db)
    words = ("amend", str(number - 1), "--after", "roll", "3d10")
    shown = well(db, *words)
    assert f"It stops at move {number}: a new roll comes here" in shown
    assert "New roll" not in shown and "--spoilers" in shown
    tried = json.loads(well(db, *words, "--json"))
    assert (tried["rolled"], tried["stop"]["why"]) == ([], "a new roll comes here")
    assert (head(db), moves(db)) == (was, all_moves)

    told = json.loads(well(db, *words, "--json", "--spoilers"))
    kept = well(db, *words, "--yes")
    [roll] = told["rolled"]
    faces = " ".join(map(str, roll["faces"]))
    assert "New roll" in kept and faces in kept, "what came is told once it is kept"
    assert f"main is at move {number + 2}" in kept


def test_dice_left_to_kdmlog_in_a_correction_are_not_shown_either(tmp_path: Path) -> None:
    db = founded(tmp_path / "kdm.db")
    well(db, "roll", "d10", "--dice", "4")
    number = moves(db)
    well(db, "note", "after")
    for words in (("--dice", "app"), ("roll", "d10", "--dice", "app"), ("roll", "d10", ".")):
        shown = well(db, "amend", str(number), *words)
        assert "a new roll comes here" in shown and "New roll" not in shown
        assert "No longer asked" not in shown
    well(db, "amend", str(number), "--dice", "app", "--yes")
    assert moves(db) > number and "after" in well(db, "log", "-n", "1")


def test_what_is_done_after_a_new_roll_waits_for_it_in_the_preview(tmp_path: Path) -> None:
    db = founded(tmp_path / "kdm.db")
    well(db, "note", "first")
    number = moves(db)
    well(db, "note", "last")
    words = ("amend", str(number), "--after", "roll", "d10", ";", "note", "x")
    assert "a new roll comes here" in well(db, *words)
    before = mark(db)
    well(db, *words, "--yes")
    assert mark(db) != before
    assert look(db, "open") is None


def test_events_name_no_card_that_goes_face_down_to_the_wounds() -> None:
    call = Call()
    moved = CardsMoved(deck="ai", cards=("claw", "maul"), before="deck", to="wounds")
    drawn = CardsDrawn(deck="ai", cards=("claw",), to="wounds", purpose="free", source="app")
    swapped = CardsSwapped(deck="ai", named="maul", zone="wounds", ours="claw")
    for event in (moved, drawn, swapped):
        assert b"claw" not in encode(say.unspoilt(call, event))
        assert say.unspoilt(Call(spoilers=True), event) == event
    assert say.unspoilt(call, moved) == replace(moved, cards=("", ""))
    shown = replace(moved, before="deck", to="discard")
    assert say.unspoilt(call, shown) == shown


def test_the_help_of_export_says_that_the_file_holds_what_is_to_come(tmp_path: Path) -> None:
    assert "the seed and the order of the decks" in " ".join(
        well(tmp_path / "kdm.db", "export", "--help").split()
    )
