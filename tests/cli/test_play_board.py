"""What is typed at the prompt in a showdown on the board."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from cli_helpers import FOUNDERS, copied, look, well

from kdmlog.cli.call import Call
from kdmlog.cli.heed import heed
from kdmlog.session import open_session

TURN = "mt claw lucy . 11"
"""A turn in which the lion comes for Lucy and misses."""
AWAY = ("place lucy 10 3", TURN, "place lion 11 14", "place lucy 10 3")
READ = ("--fill", "white_lion.deploy=ring6,white_lion.blind_spot=behind")


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A First Story on the board, nobody on it yet."""
    path = tmp_path_factory.mktemp("board") / "board.db"
    well(path, "new", "Lantern", "-p", "Ann", "--seed", "board")
    for survivor in FOUNDERS:
        well(path, "survivor", "new", *survivor.split())
    well(path, "showdown", "begin", "white_lion", "--first-story", "--board", *READ)
    return path


@pytest.fixture
def db(laid_out: Path, tmp_path: Path) -> Path:
    return copied(laid_out, tmp_path / "board.db")


def tell(db: Path, *lines: str) -> str:
    """Types lines at a prompt in this process; returns all that was said to the last."""
    said = io.StringIO()
    with open_session(db) as session:
        call = Call(db=str(db), session=session, scripted=True)
        for line in lines:
            said = io.StringIO()
            with redirect_stdout(said), redirect_stderr(said):
                heed(call, session, line)
    return said.getvalue()


def at(db: Path, who: str) -> list[int]:
    found = look(db, "showdown.positions")[who]
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize("space", ["12 2", "12-2", "12,2"])
def test_a_space_is_typed_alike_wherever_one_is_asked_for(db: Path, space: str) -> None:
    tell(db, f"deploy lucy {space}")
    assert at(db, "lucy") == [12, 2]
    tell(db, "place lucy 11 1", f"place lucy {space}")
    assert at(db, "lucy") == [12, 2]
    tell(db, "place lucy 10 3", "deploy", *AWAY, "place erza 1 1", f"lucy m {space}")
    assert at(db, "lucy") == [12, 2]


def test_where_somebody_is_deployed_is_among_what_can_be_done(db: Path) -> None:
    assert "deploy allister|erza|lucy|zachary X Y" in tell(db, "do")


def test_what_is_still_open_is_said_again_after_a_look_at_something_else(db: Path) -> None:
    tell(db, "deploy", "branch quiet", "mt claw erza 10,10,w,h")
    for look_ in ("log", "showdown board", "survivor show erza", "switch main"):
        assert "Dodge it?" in tell(db, look_).splitlines()[-1], look_
    assert tell(db, "status").count("Dodge it?") == 1


def test_help_between_acts_names_the_verbs_of_an_act(db: Path) -> None:
    tell(db, "deploy")
    assert "NAME and" not in tell(db, "?")
    assert "NAME and  m: move  ·  a: attack" in tell(db, TURN, "?")


@pytest.mark.parametrize("line", ["m lucy 11 3", "lucy m 11 3"])
def test_with_nobody_acting_the_name_may_stand_behind_the_verb(db: Path, line: str) -> None:
    tell(db, "deploy", *AWAY, line)
    assert at(db, "lucy") == [11, 3]


def test_with_nobody_acting_an_act_is_told_of_by_example(db: Path) -> None:
    tell(db, "deploy", TURN)
    assert "Then: allister m back" in tell(db, "m back")


def test_a_move_onto_somebody_says_that_the_space_is_taken(db: Path) -> None:
    tell(db, "deploy", *AWAY, "place erza 12 1")
    assert "12 1 is taken." in tell(db, "lucy m 12 1")


def test_what_undo_takes_back_with_its_answers_names_the_smaller_step(db: Path) -> None:
    tell(db, "deploy", "mt claw erza 10,10,w,h", "n")
    assert "redo, then undo --answer" in tell(db, "undo")


def test_terrain_laid_later_leaves_the_signs_of_the_rest_alone(db: Path) -> None:
    tell(db, "place toppled_pillar 3 3")
    assert "% Toppled Pillar" in tell(db, "place tall_grass 15 3", "b")


def test_what_stands_behind_a_refused_command_is_said_to_be_left(db: Path) -> None:
    tell(db, "deploy", *AWAY)
    assert "behind it in the line was not done" in tell(db, "lucy m 10 12; note done")
    assert "not done" not in tell(db, "lucy m 10 12")


def test_help_at_the_board_s_question_explains_what_may_be_typed(tmp_path: Path) -> None:
    well(path := tmp_path / "new.db", "new", "Lantern", "-p", "Ann", "--seed", "board")
    for survivor in FOUNDERS:
        well(path, "survivor", "new", *survivor.split())
    well(path, "showdown", "begin", "white_lion", "--first-story", "--board")
    said = tell(path, "?")
    assert "⏎ = as shown" in said
    assert "Type white_lion.deploy=… and so on; what you leave out is as shown" in said
    assert "deploy: ring6 (6 away" in said and "blind_spot: behind, behind2" in said
    assert "rules:" not in said and "a tile:" not in said


def test_what_the_demo_offers_to_type_fits_into_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = well(Path("demo.db"), "demo").partition("Look at it")[2].splitlines()
    commands = [line for line in said if line.startswith("  kdmlog")]
    assert len(commands) == 6 and max(map(len, said)) <= 80
    assert not any("#" in line for line in commands)


@pytest.mark.parametrize("seed", ["s77", "s83", "s43"])
def test_the_demo_comes_to_its_end_where_an_endeavor_is_left_over(
    seed: str, tmp_path: Path
) -> None:
    assert "depart" in well(tmp_path / "demo.db", "demo", "--seed", seed)
