"""amend and rebase as typed: shown first, kept when agreed, everything else as it was."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_helpers import fighting, head, kdmlog, look, mark, moves, script, well

from kdmlog.core.events import CardsDrawn, DiceRolled
from kdmlog.session import open_session

FORGOTTEN = ("adjust", "survivors.lucy.insanity", "+1", "--why", "forgotten")


@pytest.fixture
def fought(tmp_path: Path) -> Path:
    """A round of the First Story: 7 and 8 the monster's turn, 9 and 10 attacks, 11 an answer."""
    db = fighting(tmp_path / "fought.db")
    well(db, "monster", "turn", "--draw", "claw", "--choose", "zachary", "--dice", "1,4,waist")
    well(db, "answer", "no")
    well(db, "attack", "allister", "--dice", "6,3")
    strange = ("--dice", "6,3,10", "--draw", "strange_hand")
    well(db, "attack", "erza", "--blind", *strange)
    well(db, "answer", "yes")
    return db


def rolled(db: Path, since: int) -> list[tuple[str, tuple[int, ...], int | None]]:
    with open_session(db, readonly=True) as session:
        return [
            (event.purpose, event.faces, event.key)
            for _, event, _ in session.events((DiceRolled,), since)
            if isinstance(event, DiceRolled)
        ]


def drawn(db: Path, since: int) -> list[tuple[str, ...]]:
    with open_session(db, readonly=True) as session:
        return [
            event.cards
            for _, event, _ in session.events((CardsDrawn,), since)
            if isinstance(event, CardsDrawn)
        ]


def test_a_forgotten_point_thirty_actions_back_takes_one_command(tmp_path: Path) -> None:
    db = script(tmp_path / "app.db", "app")
    with open_session(db, readonly=True) as session:
        back = session.log(31)[-1].number
    was, dice, cards = head(db), rolled(db, back), drawn(db, back)
    insanity = look(db, "survivors.lucy.insanity")

    shown = well(db, "amend", str(back), "--after", *FORGOTTEN)
    assert "30 actions played again with the same dice" in shown
    assert f"survivors.lucy.insanity: {insanity} → {insanity + 1}" in shown
    assert "New roll" not in shown and "--yes keeps it" in shown
    assert head(db) == was

    kept = well(db, "amend", str(back), "--after", *FORGOTTEN, "--yes")
    assert f"undo --to h:{was[:8]}" in kept
    assert look(db, "survivors.lucy.insanity") == insanity + 1
    assert (rolled(db, back), drawn(db, back)) == (dice, cards)
    well(db, "verify")
    well(db, "branch", "before", "--at", f"h:{was[:8]}")
    well(db, "switch", "before")
    assert look(db, "survivors.lucy.insanity") == insanity


def test_an_answer_is_given_otherwise(fought: Path) -> None:
    number = moves(fought)
    assert look(fought, "survivors.erza.survival") == 0
    well(fought, "amend", str(number), "answer", "no", "--yes")
    assert look(fought, "survivors.erza.survival") == 1
    assert "pay: no" in well(fought, "show")


@pytest.mark.parametrize("words", [("attack", "allister", "--blind"), ()], ids=["line", "dice"])
def test_what_comes_out_otherwise_is_told_as_it_was_and_is(
    fought: Path, words: tuple[str, ...]
) -> None:
    more = () if words else ("--dice", "7,3,2")
    number = str(moves(fought) - 2)
    shown = well(fought, "amend", number, *words, *more)
    assert f"{number} was  Allister attacks: 6 3 → 0 hits" in shown
    assert "now  Allister attacks: " in shown and "1 hit" in shown


def test_a_stop_is_kept_with_its_question_and_the_rest_comes_after(tmp_path: Path) -> None:
    db = fighting(tmp_path / "stop.db")
    well(db, "monster", "turn", "--draw", "claw", "--choose", "none")
    well(db, "attack", "allister", "--dice", "1,2")
    well(db, "note", "a breath")
    turn = 7
    shown = well(db, "amend", str(turn), "--choose", "zachary", "--dice", "9,1,waist")
    assert f"It stops at move {turn}" in shown and "Dodge it?" in shown
    rest = shown.split("rebase ", 1)[1].splitlines()[0].split()
    well(
        *(db, "amend", str(turn), "--choose", "zachary", "--dice", "9,1,waist", "--yes"),
    )
    assert look(db, "open.purpose") == "dodge"
    well(db, "answer", "no")
    well(db, "rebase", *rest, "--yes")
    assert "a breath" in well(db, "log", "-n", "1")
    assert rolled(db, 0)[-1][1] == (1, 2)
    well(db, "verify")


def test_a_move_is_left_out(fought: Path) -> None:
    well(fought, "amend", str(moves(fought) - 2), "--drop", "--yes")
    assert "Allister attacks" not in well(fought, "log")
    assert look(fought, "showdown.acting.survivor") == "erza"


def test_the_document_tells_all_and_keeps_with_yes(fought: Path) -> None:
    words = ("amend", str(moves(fought)), "answer", "no", "--json")
    tried = json.loads(well(fought, *words))
    assert (tried["kept"], tried["stop"], tried["rolled"]) == (False, None, [])
    assert {one["path"] for one in tried["changes"]} >= {"survivors.erza.survival"}
    kept = json.loads(well(fought, *words, "--yes"))
    assert kept["kept"] and kept["hash"] == head(fought)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["11"], 2, "Say what was done."),
        (["11", "--after"], 2, "Say what was done."),
        (["11", "--drop", "note", "x"], 2, "--drop leaves"),
        (["10", "undo"], 2, "nothing that was done at the table"),
        (["10", "nonsense"], 2, "No command"),
        (["10", "attack", "nobody"], 1, "No survivor 'nobody'"),
        (["9", "attack", "allister", "--dice", "x,3"], 1, "no face"),
        (["99", "note", "x"], 1, "There is no move 99"),
        (["1", "--drop"], 1, "beginning"),
        (["h:abcdef", "--drop"], 1, "No move's hash"),
    ],
)
def test_a_wrong_word_costs_nothing(fought: Path, words: list[str], code: int, said: str) -> None:
    before = mark(fought), moves(fought)
    got = kdmlog(fought, "amend", *words, "--yes")
    assert (got.code, got.err.count("\n")) == (code, 1) and said in got.err
    assert (mark(fought), moves(fought)) == before
    well(fought, "verify")


def test_an_amendment_is_gone_back_on_with_one_word(fought: Path) -> None:
    was, before = head(fought), mark(fought)
    kept = well(fought, "amend", str(moves(fought)), "answer", "no", "--yes")
    assert f"undo --to h:{was[:8]}" in kept
    said = well(fought, "undo", "--to", f"h:{was[:8]}")
    assert "Took back" in said and "Brought back" in said
    assert (head(fought), mark(fought)) == (was, before)
    well(fought, "verify")
    well(fought, "audit")


def test_an_answer_given_otherwise_is_told_as_it_was_and_is(fought: Path) -> None:
    shown = well(fought, "amend", str(moves(fought)), "answer", "no")
    assert "was  pay: yes" in shown and "now  pay: no" in shown


def test_who_made_a_move_signs_it_also_when_it_is_made_again(tmp_path: Path) -> None:
    db = fighting(tmp_path / "signed.db")
    well(db, "note", "bo's", "--by", "bo")
    well(db, "note", "nobody's")
    well(db, "amend", "6", "--after", "note", "late", "--by", "ann", "--note", "why", "--yes")
    signed = [(one["by"], one["text"]) for one in json.loads(well(db, "log", "-n", "4", "--json"))]
    assert [by for by, _ in signed] == ["", "bo", "ann", "ann"]
    assert well(db, "log", "--events").count("why") == 1


def test_a_move_is_left_out_by_playing_again_what_is_here(fought: Path) -> None:
    attack = str(moves(fought) - 2)
    well(fought, "rebase", "--from", "6", "--without", attack, "--yes")
    assert "Allister attacks" not in well(fought, "log")
