"""Survival actions as typed: in one go, answer by answer, and what the log keeps of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_helpers import copied, kdmlog, look, well

SHEET = """
step = "ended"
[settlement]
name = "Edge"
lantern_year = 2
population = 4
survival_limit = 4
innovations = ["Language", "Paint", "Inner Lantern"]
locations = ["Lantern Hoard"]
quarries = ["White Lion"]
"""
PERSON = """
[[survivors]]
name = "{}"
sex = "f"
survival = 3
"""
WHO = ("Allister", "Erza", "Lucy", "Zachary")
ATTACK = ("attack", "allister", "fist_and_tooth")


@pytest.fixture(scope="module")
def hunted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A level 1 lion without a board, at the survivors' first turn; all survival is theirs."""
    folder = tmp_path_factory.mktemp("survival")
    sheet = folder / "sheets.toml"
    sheet.write_text(SHEET + "".join(PERSON.format(name) for name in WHO), encoding="utf-8")
    path = folder / "survival.db"
    well(path, "new", "Lantern", "-p", "Ann", "--seed", "s", "--from", str(sheet))
    well(path, "depart", *map(str.lower, WHO), "--hunt", "white_lion")
    well(path, "showdown", "begin", "--no-board")
    choices = chosen("allister", "dash_zachary", "pass")
    well(path, "monster", "turn", "--draw", "claw", *choices, "--dice", "1,1")
    return path


def chosen(*answers: str) -> list[str]:
    return [word for answer in answers for word in ("--choose", answer)]


@pytest.fixture
def db(hunted: Path, tmp_path: Path) -> Path:
    return copied(hunted, tmp_path / "survival.db")


def survivals(db: Path) -> list[int]:
    return [one["survival"] for one in look(db)["survivors"].values()]


def test_a_surge_in_an_attack_gives_the_same_in_one_go_and_answer_by_answer(
    db: Path, tmp_path: Path
) -> None:
    other = copied(db, tmp_path / "other.db")
    draws = ("--draw", "strange_hand,beasts_femur")
    choices = chosen("strange_hand", "surge_erza", "fist_and_tooth", "pass", "pass")
    well(db, *ATTACK, *draws, *choices, "--dice", "9,9,2,1,1,1,1,2")
    well(other, *ATTACK, *draws, "--choose", "strange_hand", "--dice", "9,9,2")
    well(other, "answer", "surge", "erza", "--dice", "1,1", "--choose", "fist")
    well(other, "answer", "pass")
    well(other, "answer", "--dice", "1,1,2")
    assert look(db) == look(other)
    assert survivals(db) == [3, 2, 3, 2]
    for one in (db, other):
        well(one, "verify")
        well(one, "audit")


def test_undo_gives_survival_and_its_use_back(db: Path) -> None:
    before = look(db)
    well(db, "survival", "lucy", "dash")
    assert "has done so" in kdmlog(db, "survival", "lucy", "dash").err
    well(db, "undo")
    assert look(db) == before
    well(db, "survival", "lucy", "dash")


def test_a_wrong_survival_action_is_refused_in_one_line_and_costs_nothing(db: Path) -> None:
    before = look(db)
    for words, why in (
        (("lucy", "fly"), "No survival action 'fly'"),
        (("zachary", "dash"), "Zachary cannot dash: has done so this round"),
        (("lucy", "encourage", "erza"), "Lucy cannot encourage: "),
        (("lucy", "surge", "harp"), "No thing to activate 'harp'"),
        (("lucy", "dodge"), "A dodge is asked for when a hit lands"),
        (("lucy",), "missing"),
    ):
        said = kdmlog(db, "survival", *words)
        assert said.code and why in said.err, said
        assert len(said.err.splitlines()) == 1
    assert look(db) == before


def test_what_survivors_can_spend_survival_on_stands_on_their_sheet(db: Path) -> None:
    assert "dodge, encourage, dash, surge" in well(db, "survivor", "show", "lucy")
