"""Story events of a survivor's own tracks, as they come up in an aftermath at the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_helpers import copied, kdmlog, look, moves, script, well


@pytest.fixture(scope="module")
def prevailed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A First Story that is won, but for its aftermath; Lucy has hunted before."""
    db = script(tmp_path_factory.mktemp("stories") / "kdm.db", "app", until="aftermath")
    well(db, "adjust", "survivors.lucy.hunt_xp", "1", "--why", "an older hand")
    return db


@pytest.fixture
def db(prevailed: Path, tmp_path: Path) -> Path:
    return copied(prevailed, tmp_path / "kdm.db")


def test_the_second_hunt_xp_is_age_1_and_a_weapon_type_may_be_chosen(db: Path) -> None:
    said = well(db, "aftermath", "--dice", "10,10")
    assert "story: Age 1 (Lucy)" in said
    assert (look(db, "survivors.lucy.hunt_xp"), look(db, "survivors.lucy.luck")) == (2, 1)
    assert "survivor weapon lucy TYPE" in well(db, "status")
    well(db, "survivor", "weapon", "lucy", "axe")
    assert look(db, "survivors.lucy.weapon") == {"type": "axe", "level": 0}


def test_the_fourth_age_asks_which_of_five_arts_and_a_wrong_one_costs_nothing(db: Path) -> None:
    well(db, "adjust", "survivors.lucy.hunt_xp", "14", "--why", "older yet")
    arts = "Tough,Tumble,Leader,Crazed,Extra Sense"
    said = well(db, "aftermath", "--dice", "1,1", "--draw", arts)
    assert "Choose fighting arts (Lucy)." in said
    before = moves(db)
    assert kdmlog(db, "answer", "Thrill Seeker").code != 0
    assert moves(db) == before
    well(db, "answer", "tumble")
    assert look(db, "survivors.lucy.fighting_arts") == ["tumble"]
