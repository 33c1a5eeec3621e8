"""The board as drawn: within a terminal, readable without colour, and what is asked of it."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from cli_helpers import FOUNDERS, copied, kdmlog, look, moves, well
from play_terminal import Terminal

from kdmlog.cli.call import Call
from kdmlog.cli.heed import heed
from kdmlog.cli.kdm_board import board_lines, letters_of
from kdmlog.cli.kdm_sheets import Sheets
from kdmlog.games.kdm import views
from kdmlog.games.kdm.onboard import Lying, OnBoard, Standing
from kdmlog.session import open_session

READ = ("--fill", "white_lion.deploy=ring6,white_lion.blind_spot=behind")


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A First Story on the board, everybody in the deployment zone."""
    path = tmp_path_factory.mktemp("board") / "board.db"
    well(path, "new", "Lantern", "-p", "Ann", "-p", "Bo", "--seed", "board")
    for survivor in FOUNDERS:
        well(path, "survivor", "new", *survivor.split())
    well(path, "showdown", "begin", "white_lion", "--first-story", "--board", *READ)
    well(path, "deploy")
    return path


@pytest.fixture
def db(deployed: Path, tmp_path: Path) -> Path:
    return copied(deployed, tmp_path / "board.db")


@pytest.fixture
def off_board(tmp_path: Path) -> Path:
    path = tmp_path / "off.db"
    well(path, "new", "Lantern", "-p", "Ann", "--seed", "board")
    for survivor in FOUNDERS:
        well(path, "survivor", "new", *survivor.split())
    well(path, "showdown", "begin", "white_lion", "--first-story")
    return path


def test_without_a_board_one_line_says_so(off_board: Path) -> None:
    assert well(off_board, "showdown", "board").splitlines() == [
        "This showdown keeps no positions: the miniatures stand on your board."
    ]
    assert well(off_board, "showdown", "board", "--json") == "null\n"
    fight = look(off_board)["showdown"]
    assert (fight["positions"], fight["terrain"], fight["facing"]) == ({}, {}, "")


def test_the_public_state_has_positions_terrain_and_facing(db: Path) -> None:
    well(db, "place", "toppled_pillar", "14", "6")
    fight = look(db)["showdown"]
    assert fight["positions"]["monster"] == [11, 8]
    assert set(fight["positions"]) == {"monster", "allister", "erza", "lucy", "zachary"}
    assert fight["facing"] == "s"
    assert fight["terrain"]["toppled_pillar.1"] == {
        "terrain": "toppled_pillar",
        "at": [14, 6],
        "width": 1,
        "height": 4,
    }


def test_every_space_has_its_place_in_the_picture(db: Path) -> None:
    well(db, "place", "lucy", "1", "1")
    well(db, "place", "erza", "22", "16")
    rows = well(db, "showdown", "board").splitlines()
    assert rows[0][3 + 2 * 21] == "E"
    assert rows[15][3] == "L"
    assert [int(row[:2]) for row in rows[:16]] == list(range(16, 0, -1))
    assert rows[16].split() == [str(column) for column in range(1, 23, 2)]


@pytest.mark.parametrize(
    ("facing", "monster", "behind"),
    [
        ("n", ("▲ ▲", "# #"), (11, 7)),
        ("e", ("# ▶", "# ▶"), (10, 8)),
        ("s", ("# #", "▼ ▼"), (11, 10)),
        ("w", ("◀ #", "◀ #"), (13, 8)),
    ],
)
def test_the_arrow_shows_the_facing_and_the_blind_spot_is_behind(
    db: Path, facing: str, monster: tuple[str, str], behind: tuple[int, int]
) -> None:
    well(db, "place", "monster", "11", "8", "--facing", facing)
    rows = well(db, "showdown", "board").splitlines()
    assert (rows[16 - 9][23:26], rows[16 - 8][23:26]) == monster
    assert rows[16 - behind[1]][3 + 2 * (behind[0] - 1)] == "░"


def test_whoever_stands_within_reach_is_named(db: Path) -> None:
    well(db, "place", "lucy", "11", "6")
    well(db, "place", "erza", "14", "9")
    assert "+ reach 2 of the monster: Erza" in well(db, "showdown", "board", "--reach", "2")
    board = json.loads(well(db, "showdown", "board", "--reach", "2", "--json"))
    assert board["within"]["who"] == ["erza", "lucy"]
    near = well(db, "showdown", "board", "--reach", "2", "--from", "lucy")
    assert "+ reach 2 of Lucy: the monster" in near


def test_a_monster_s_range_counts_the_spaces_between(db: Path) -> None:
    well(db, "place", "lucy", "11", "1")  # 7 away, 6 between
    well(db, "place", "erza", "20", "8")  # 8 away
    board = json.loads(well(db, "showdown", "board", "--range", "6", "--json"))
    assert board["within"]["who"] == ["allister", "lucy", "zachary"]
    status = well(db, "status")
    assert "in its range: Allister, Lucy, Zachary" in status


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--from", "lucy"], "--from goes with --reach or --range"),
        (["--reach", "2", "--from", "nobody"], "nobody"),
        (["--reach", "x"], "'x' is not a valid"),
    ],
)
def test_what_cannot_be_asked_of_the_board_is_refused_in_a_line(
    db: Path, words: list[str], why: str
) -> None:
    said = kdmlog(db, "showdown", "board", *words)
    assert said.code != 0
    assert why in said.err
    assert len(said.err.splitlines()) == 1


def test_positions_are_not_adjusted_but_placed(db: Path) -> None:
    before = moves(db)
    for path, instead in (("positions.lucy", "place"), ("facing", "--facing")):
        said = kdmlog(db, "adjust", f"showdown.{path}", "3", "--why", "moved")
        assert said.code == 1
        assert instead in said.err
    assert moves(db) == before


def test_b_draws_the_board_in_play(db: Path) -> None:
    out = io.StringIO()
    with open_session(db) as session, redirect_stdout(out):
        heed(Call(db=str(db)), session, "b")
    assert out.getvalue() == well(db, "showdown", "board")


def test_after_movement_in_play_the_board_is_drawn(db: Path) -> None:
    out = io.StringIO()
    with open_session(db) as session, redirect_stdout(out):
        heed(Call(db=str(db)), session, "place lucy 11 10")
        heed(Call(db=str(db)), session, "note nobody moves")
    told = out.getvalue().splitlines()
    picture = well(db, "showdown", "board").splitlines()
    assert told[0].endswith("Lucy is placed at 11 10")
    assert told[1:18] == picture
    assert told[18].strip() == "Next: monster turn"
    assert len(told) == 19 + 2, "and not after a note"


def test_b_draws_the_board_at_a_question_too_and_costs_nothing(db: Path) -> None:
    well(db, "monster", "turn")
    before, out = moves(db), io.StringIO()
    with open_session(db) as session, redirect_stdout(out):
        assert session.open is not None
        heed(Call(db=str(db)), session, "b")
    picture = well(db, "showdown", "board")
    assert out.getvalue().startswith(picture)
    assert out.getvalue().removeprefix(picture).strip().startswith("Open: ")
    assert moves(db) == before


# --- at a terminal of 80 by 24 --------------------------------------------------------------------


def test_after_a_short_move_the_board_and_all_that_was_said_are_on_the_screen(db: Path) -> None:
    with Terminal(db) as window:
        window.prompted()
        window.enter("place lucy 11 10")
        rows = window.settle().splitlines()
    typed = rows.index("> place lucy 11 10")
    assert rows[typed + 2].startswith("16 ·") and rows[typed + 18].startswith("   1   3")
    assert rows[typed + 19].strip() == "Next: monster turn"


def test_a_board_that_has_no_room_is_told_in_words(db: Path) -> None:
    well(db, "place", "lucy", "11", "10")
    with Terminal(db) as window:
        window.prompted()
        said = window.enter("place lucy 11 11; place erza 10 9")
    assert "Board: the monster at 11 8, facing south  (b draws it)" in said[1]
    assert "adjacent: Lucy" not in said[2]
    assert said[-2].startswith("   1   3"), "it is drawn when all is done"


def test_in_a_narrow_terminal_the_legend_stands_below_the_board(db: Path) -> None:
    with Terminal(db, 60) as window:
        window.prompted()
        said = window.enter("b")
    assert said[16].startswith("   1   3") and "▼ White Lion  11 8" in said[17]
    assert all(len(line) <= 60 for line in said)


def test_the_odds_know_the_blind_spot_unless_said(db: Path) -> None:
    well(db, "place", "lucy", "11", "10")
    assert "from the" in well(db, "odds", "attack", "lucy")
    assert "hits on 6+" in well(db, "odds", "attack", "lucy")
    assert "hits on 7+" in well(db, "odds", "attack", "lucy", "--no-blind")
    assert "hits on 7+" in well(db, "odds", "attack", "erza")
    assert "hits on 6+" in well(db, "odds", "attack", "erza", "--blind")


# --- the picture alone ----------------------------------------------------------------------------


def test_each_survivor_has_a_letter_of_their_own() -> None:
    names = {"a": "Allister", "b": "Al", "c": "Ala", "d": "Ömer", "e": "李", "f": "A"}
    letters = letters_of(names)
    assert letters == {"a": "A", "b": "L", "c": "B", "d": "M", "e": "C", "f": "D"}


def test_six_survivors_and_all_terrain_of_a_showdown_fit_into_20_lines(
    db: Path, sheets: Callable[[Path], Sheets]
) -> None:
    board = OnBoard(
        monster=(10, 7),
        size=3,
        facing="w",
        blind_spot=[(13, y) for y in (7, 8, 9)],
        survivors={
            f"survivor_{n}": Standing(
                at=(n, n),
                away=20 - n,
                in_range=False,
                faced=True,
                in_view=n > 2,
                in_blind_spot=False,
                threat=n > 1,
                knocked_down=n == 1,
            )
            for n in range(1, 7)
        },
        tiles={
            f"{name}.1": Lying(
                terrain=name, name=name, rules=["obstacle"], at=(x, 12), width=1, height=4
            )
            for x, name in enumerate(("pillar", "grass", "tree", "corpse"), 3)
        },
    )
    lines = board_lines(sheets(db), board)
    assert len(lines) <= 20
    assert max(map(len, lines)) <= 80
    assert sum(line.count("#") for line in lines) == 6
    assert sum(line[:47].count("◀") for line in lines) == 3


def test_a_retinue_is_nine_of_its_sign_with_its_survivors_letter_in_the_middle(
    db: Path, sheets: Callable[[Path], Sheets]
) -> None:
    standing = Standing(
        at=(11, 4),
        away=4,
        in_range=True,
        faced=True,
        in_view=True,
        in_blind_spot=False,
        threat=True,
        knocked_down=False,
    )
    board = OnBoard(
        monster=(11, 8),
        size=2,
        facing="s",
        blind_spot=[],
        survivors={"lucy": standing},
        tiles={},
        retinues={"lucy": (12, 3)},
    )
    lines = board_lines(sheets(db), board)
    rows = [line[3 : 3 + 44] for line in lines[:16]]
    assert [rows[16 - y][2 * 11 : 2 * 14] for y in (2, 3, 4, 5, 6)] == [
        *("· · · ", "° ° ° ", "° °L° ", "° ° ° ", "· · · ")
    ]
    assert any(line.endswith("° Lucy's retinue  12 3") for line in lines)


@pytest.fixture
def sheets() -> Callable[[Path], Sheets]:
    def read(db: Path) -> Sheets:
        with open_session(db, readonly=True) as session:
            view = session.game.view(session.table)
            assert isinstance(view, views.State)
            return Sheets(Call(), session.table, dict(session.game.kinds), view)

    return read
