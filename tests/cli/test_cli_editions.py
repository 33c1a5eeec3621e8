"""An edition that is not the usual one: said by the screens, its cards shown, its rules played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_helpers import head, kdmlog, look, well

SHEET = """
step = "ended"
[settlement]
name = "Rest"
lantern_year = 4
population = 4
survival_limit = 1
innovations = ["Pictographs"]
quarries = ["White Lion"]
[[survivors]]
name = "Lucy"
sex = "f"
disorders = ["Anxiety"]
{more}
"""
"""Lucy starts showdowns as the priority target."""
OTHERS = "".join(f'[[survivors]]\nname = "{name}"\nsex = "m"\n' for name in ("Erza", "Bo", "Ben"))


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "kdm.db"


def taken_over(db: Path, edition: str, more: str = "") -> list[str]:
    """Returns the words that take a campaign over in an edition."""
    path = db.with_name("sheet.toml")
    path.write_text(SHEET.format(more=more) + OTHERS)
    return ["new", "Late", "--from", str(path), "--table", "--edition", edition]


def hunting(db: Path, edition: str) -> Path:
    """A showdown's first survivors' turn: the lion has picked Lucy, and missed her."""
    well(db, *taken_over(db, edition))
    well(db, "depart", "lucy", "erza", "bo", "ben", "--hunt", "white_lion")
    well(db, "showdown", "begin", "--no-board")
    assert look(db, "showdown.priority_target") == "lucy"
    # only the holder of the token is offered as the target
    well(db, "monster", "turn", "--draw", "claw")
    assert json.loads(well(db, "--json", "status"))["open"]["options"][0]["id"] == "lucy"
    well(db, "answer", "lucy", "--dice", "1,1")
    return db


@pytest.mark.parametrize("words", [("new", "Late", "--edition", "1.6"), ("status",), ("recap",)])
def test_another_edition_is_said(db: Path, words: tuple[str, ...]) -> None:
    said = well(db, "new", "Late", "--edition", "1.6")
    if words[0] != "new":
        said = well(db, *words)
    assert [line.strip() for line in said.splitlines()].count("edition 1.6") == 1


@pytest.mark.parametrize("words", [("new", "Usual"), ("new", "Usual", "--edition", "1.3")])
def test_the_usual_edition_goes_without_saying(db: Path, words: tuple[str, ...]) -> None:
    said = well(db, *words) + well(db, "status") + well(db, "recap")
    assert "edition" not in said
    assert look(db, "edition") == "1.3"


def test_a_campaign_shows_the_cards_of_its_edition(db: Path) -> None:
    well(db, "new", "Late", "--edition", "1.6")
    assert look(db, "edition") == "1.6"
    packs = json.loads(well(db, "--json", "content", "list"))["packs"]
    assert [one["id"] for one in packs] == ["core", "edition_1_6"]
    assert "pack edition_1_6" in well(db, "content", "show", "hollow_sword")
    assert "pack core" in well(db, "content", "show", "bone_axe")
    assert "bone_club " in well(db, "content", "list", "gear")
    both = json.loads(well(db, "--json", "content", "coverage"))["kinds"]
    well(db, "new", "Usual")
    assert "pack core" in well(db, "content", "show", "hollow_sword")
    assert kdmlog(db, "content", "show", "bone_club").code == 1
    usual = json.loads(well(db, "--json", "content", "coverage"))["kinds"]
    total = {kind: sum(count.values()) for kind, count in both.items()}
    assert total["gear"] == sum(usual["gear"].values()) + 10


def test_paper_sheets_have_the_cards_of_their_edition(db: Path) -> None:
    carried = 'grid = { 1 = "Bone Club" }'
    said = kdmlog(db, *taken_over(db, "1.3", carried))
    assert said.code == 1 and "Bone Club" in said.err
    assert "edition 1.6" in well(db, *taken_over(db, "1.6", carried))


@pytest.mark.parametrize(("edition", "holder"), [("1.3", "lucy"), ("1.6", "")])
def test_the_pick_takes_the_priority_target_token(db: Path, edition: str, holder: str) -> None:
    hunting(db, edition)
    assert look(db, "showdown.priority_target") == holder
    assert well(db, "audit").count("fault") == 0


def test_running_away_takes_a_whole_act_in_the_later_edition(db: Path) -> None:
    hunting(db, "1.6")
    well(db, "act", "lucy")
    before = head(db)
    said = kdmlog(db, "run-away", "lucy", "--dice", "10")
    assert (said.code, said.err) == (1, "Lucy has no act left to give up.\n")
    assert head(db) == before
    well(db, "run-away", "erza", "--dice", "10")
    assert look(db, "showdown.acted") == ["lucy", "erza"]


def test_in_the_first_edition_survivors_run_in_the_midst_of_an_act(db: Path) -> None:
    hunting(db, "1.3")
    well(db, "act", "lucy")
    assert "Lucy runs away home" in well(db, "run-away", "lucy", "--dice", "10")
