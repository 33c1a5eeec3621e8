"""``replay``: the table redrawn at each move, at a terminal by keys, elsewhere frame by frame."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from cli_helpers import FOUNDERS, founded, kdmlog, moves, script, well
from play_terminal import Terminal

from kdmlog.cli.call import Call
from kdmlog.cli.frames import Frame, Scene, Screen, screen
from kdmlog.cli.kdm_scene import fight
from kdmlog.cli.say import columns_of
from kdmlog.cli.walk import HELP, Walk
from kdmlog.session import open_session

RIGHT, LEFT, HOME, END, UP, DOWN = (f"\x1b[{key}" for key in "CDHFAB")


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The First Story at the table: moves 6 to 41."""
    return script(tmp_path_factory.mktemp("replay") / "kdm.db", "table", until="settlement begin")


def ends(text: str) -> list[str]:
    """Returns the lines that end a frame, without the hash."""
    return [line.partition("  h:")[0] for line in text.splitlines() if line.startswith("──")]


# --- frame by frame -------------------------------------------------------------------------------


def test_a_frame_for_each_move_ends_with_which_it_was(db: Path) -> None:
    assert ends(well(db, "replay", "8..10")) == [f"── move {n} of 8..10" for n in (8, 9, 10)]
    assert len(ends(well(db, "replay"))) == 36


def test_step_takes_so_many_moves_at_a_time_and_ends_with_the_last(db: Path) -> None:
    assert [line.split()[2] for line in ends(well(db, "replay", "8..15", "--step", "3"))] == [
        *("8", "11", "14", "15")
    ]


def test_an_answer_stands_under_its_action_and_nothing_is_told_before_it_happened(
    db: Path,
) -> None:
    first, second, third = well(db, "replay", "14..16").split("── move")[:3]
    assert first.startswith("14  Zachary attacks: 7 2 → 1 hit, Clever Ploy\n")
    assert "\n    Open: Monster attack (Zachary)." in first
    assert "\n    15  answer 5,1\n    monster attack 2d10: 5 1\n" in second
    assert "light injury" not in first + second
    assert "\n    15  answer 5,1\n    16  answer waist\n    hit location: waist\n" in third
    assert "1 hit cancelled" in third.splitlines()[1]


def test_at_sees_no_further(db: Path) -> None:
    assert ends(well(db, "replay", "--at", "9"))[-1] == "── move 9 of 6..9"
    assert kdmlog(db, "replay", "12", "--at", "9").err == "There is no move 12; they are 1 to 9.\n"


def test_each_step_is_a_json_document(db: Path) -> None:
    documents = [json.loads(line) for line in well(db, "replay", "14..16", "--json").splitlines()]
    assert [(one["move"], one["began"]) for one in documents] == [(14, 14), (15, 14), (16, 14)]
    assert documents[0]["open"]["purpose"] == "monster_attack"
    assert documents[2]["open"] is None
    assert "hit location: waist" in documents[2]["facts"]
    assert [one["showdown"]["hit_locations"]["deck"] for one in documents] == [18, 18, 22]


def test_coming_cards_are_only_told_with_spoilers(db: Path) -> None:
    for words in (("replay", "17"), ("replay", "17", "--json")):
        assert "owerful" not in well(db, *words)
        assert "top first" not in well(db, *words)
        assert "orders" not in well(db, *words)
    assert "AI deck: 5 face down, top first: " in well(db, "replay", "17", "--spoilers")
    assert "orders" in json.loads(well(db, "replay", "17", "--json", "--spoilers"))


def test_nothing_is_written(db: Path) -> None:
    before, files = db.read_bytes(), sorted(path.name for path in db.parent.iterdir())
    db.chmod(0o400)
    try:
        well(db, "replay")
    finally:
        db.chmod(0o600)
    assert db.read_bytes() == before
    assert sorted(path.name for path in db.parent.iterdir()) == files
    assert kdmlog(db, "replay", "--by", "Ann").err == "--by goes with commands that write.\n"


def test_a_showdown_on_the_board_is_drawn_on_it(tmp_path: Path) -> None:
    db = founded(tmp_path / "kdm.db")
    read = "white_lion.deploy=ring6,white_lion.blind_spot=behind"
    well(db, *["showdown", "begin", "white_lion", "--first-story", "--board", "--fill"], read)
    well(db, "deploy")
    before, after = well(db, "replay").split("── move 6")
    assert "13 · · · · · · · · · · · · · · · · · · · · · ·" in before
    assert "│ Allister  survival 1/1" in before and "│ A Allister  survival 1/1" in after
    documents = [json.loads(line) for line in well(db, "replay", "--json").splitlines()]
    assert [list(one["showdown"]["positions"]) for one in documents] == [
        ["monster"],
        ["monster", *(name.split()[0].lower() for name in FOUNDERS)],
    ]
    with Terminal(db, words=("replay", "7")) as terminal:
        terminal.see(" → next")
        assert [row[:2] for row in terminal.rows[1:17]] == [f"{y:>2}" for y in range(16, 0, -1)]
        assert any("  A Allister  6 away, 1 survival" in row for row in terminal.rows)
        assert any("  AI 8, discard 0, wounds 0" in row for row in terminal.rows)
        assert "    Allister is placed at " in terminal.text


def test_nobody_takes_over_the_letter_of_one_who_died(tmp_path: Path) -> None:
    db = tmp_path / "kdm.db"
    well(db, "new", "Letters", "--seed", "letters")
    for name in ("Erza f", "Edda f", "Lucy f", "Falk m"):
        well(db, "survivor", "new", *name.split())
    read = "white_lion.deploy=ring6,white_lion.blind_spot=behind"
    well(db, *["showdown", "begin", "white_lion", "--first-story", "--board", "--fill"], read)
    well(db, "deploy")
    with open_session(db, readonly=True) as session:
        table = session.at(str(session.head.number))
        drawn = fight(Call(session=session), session, table)
        assert drawn is not None and any(line.startswith("D Edda") for line in drawn.sheets)
        table.state.survivors["erza"].status = "dead"
        del table.state.showdown.board.survivors["erza"]
        drawn = fight(Call(session=session), session, table)
    assert drawn is not None
    assert any(line.startswith("D Edda") for line in drawn.beside)
    assert "Erza  dead" in drawn.beside


# --- at a terminal --------------------------------------------------------------------------------


@pytest.fixture
def terminal(db: Path) -> Iterator[Terminal]:
    with Terminal(db, words=("replay", "showdown:1"), NO_COLOR="1") as opened:
        opened.see("6 of 6..41")
        yield opened


def press(terminal: Terminal, keys: str, text: str) -> None:
    """Presses keys, and waits for what they bring."""
    terminal.type(keys)
    terminal.see(text)


def test_keys_go_on_and_back(terminal: Terminal) -> None:
    for key, number in (
        *((" ", 7), (RIGHT, 8), ("\r", 9), (LEFT, 8)),
        *((END, 41), (HOME, 6), ("12g", 12), ("40\r", 40), (RIGHT, 41)),
    ):
        press(terminal, key, f" {number} of 6..41")


def test_the_screen_has_the_table_and_what_happened(terminal: Terminal) -> None:
    press(terminal, "15g", "Open: Hit location (Zachary)")  # the lines are drawn from above
    rows = terminal.rows
    assert rows[0].startswith(" White Lion  ·  first story  ·  round 1  ·  the survivors' turn")
    assert "AI: deck 5, wounds 2, discard: Claw" in rows
    assert any(row.startswith("Zachary   survival 1/1; acting") for row in rows)
    assert "14  Zachary attacks: 7 2 → 1 hit, Clever Ploy, White Lion: 1 hit on Zachary" in rows
    assert "    15  answer 5,1" in rows
    assert rows[23].startswith(" → next  ← back")
    assert "\x1b[7m" not in terminal.output  # NO_COLOR


def test_a_wrong_key_says_so_and_changes_nothing(terminal: Terminal) -> None:
    press(terminal, "x", "That key does nothing here")
    press(terminal, "99g", "Move 99 is none of these: 6 to 41.")
    press(terminal, "g", "A move's number first, then g.")
    press(terminal, LEFT, "This is the first move of these.")
    assert "6 of 6..41" in terminal.rows[0]


def test_the_list_of_keys_goes_with_the_next_key(terminal: Terminal) -> None:
    press(terminal, "?", HELP[-1].strip())
    press(terminal, RIGHT, " 7 of 6..41")
    assert not any(HELP[-1].strip() in row for row in terminal.rows)


def test_the_window_may_change_its_size(terminal: Terminal) -> None:
    terminal.stretch(79, 24)
    terminal.until(lambda: terminal.text.strip() == "79×24 is too small: it takes 80×24.  q ends")
    terminal.stretch(100, 30)
    terminal.see("6 of 6..41")
    terminal.until(lambda: terminal.rows[29].startswith(" → next"))


def test_it_plays_by_itself_and_ends_with_q(db: Path) -> None:
    with Terminal(db, words=("replay", "6..9", "--speed", "20")) as terminal:
        terminal.see("That was the last move of these.")
        assert "9 of 6..9" in terminal.rows[0]
        terminal.type("q")
        assert terminal.ended() == 0


def test_within_play_it_returns_to_the_prompt(db: Path, tmp_path: Path) -> None:
    copy = tmp_path / "kdm.db"
    copy.write_bytes(db.read_bytes())
    before = moves(copy)
    with Terminal(copy) as terminal:
        terminal.prompted()
        terminal.type("replay showdown:1\r")
        terminal.see("6 of 6..41")
        terminal.type("q")
        terminal.prompted(2)
    assert moves(copy) == before


def test_without_a_terminal_s_powers_frames_are_printed(db: Path) -> None:
    with Terminal(db, words=("replay", "8..9"), TERM="dumb") as terminal:
        assert terminal.ended() == 0
        assert len(ends(terminal.output.replace("\r", ""))) == 2


# --- what keys do, and how a screen is filled -----------------------------------------------------


def framed(number: int, *, facts: int = 3, board: int = 0, survivors: int = 4) -> Frame:
    """Returns a frame with a board so many columns wide."""
    return Frame(
        number=number,
        first=1,
        last=9,
        hash="0" * 64,
        headline=f"{number}  Allister attacks",
        facts=[f"fact {one}" for one in range(facts)],
        earlier=0,
        scene=Scene(
            "White Lion",
            [f"survivor {one}" for one in range(survivors)],
            ["#" * board] * 17 if board else [],
            ["in short"] if board else [],
        ),
    )


def drawn(frame: Frame, columns: int = 80, rows: int = 24, **more: object) -> list[str]:
    """Returns the lines of a screen."""
    options = {"view": "table", "scrolled": 0, **more}
    found = screen(frame, columns, rows, **options)  # type: ignore[arg-type]
    assert isinstance(found, Screen)
    lines = [found.title, *found.above, *found.headline, *found.below]
    assert len(lines) == rows - 1
    assert all(columns_of(line) <= columns for line in lines)
    return lines


def test_a_board_is_whole_with_the_sheets_in_short_beside_it_and_v_shows_them() -> None:
    frame = framed(1, board=47, facts=9)
    lines = drawn(frame)
    assert lines[1] == "#" * 47 + "  in short"
    assert sum(line.startswith("#") for line in lines) == 17
    assert "    fact 2" in lines
    assert "survivor 0" in drawn(frame, view="sheets")


def test_a_long_headline_leaves_room_for_facts() -> None:
    frame = msgspec.structs.replace(framed(1, board=47), headline="wound " * 60)
    assert "    fact 1" in drawn(frame)
    assert drawn(frame)[19].endswith("wound …")


def test_more_facts_than_there_is_room_for_are_scrolled_to() -> None:
    frame = framed(1, facts=40)
    lines = drawn(frame)
    assert "    fact 0" in lines and "more lines: ↓" in lines[-1]
    lines = drawn(frame, scrolled=99)
    assert "    fact 39" in lines and "lines before: ↑" in "\n".join(lines)
    assert len([one for one in drawn(frame, view="facts") if "fact" in one]) > 18


def test_facts_keep_their_room_whatever_lies_on_the_table() -> None:
    lines = drawn(framed(1, survivors=40))
    assert "    fact 2" in lines
    assert any("more lines: v" in line for line in lines)


def test_wide_and_strange_characters_break_no_line() -> None:
    scene = Scene("獅子" * 40, ["獅子" * 60, "x" * 300])
    drawn(msgspec.structs.replace(framed(1), scene=scene))


def test_the_help_names_every_key_within_80_columns() -> None:
    assert max(map(len, HELP)) < 80
    walk = Walk([1, 2, 3], framed, 0)
    walk.helping = True
    assert "".join(text for _, text, *_ in walk.seen(80, 24)).count("\n") == 23


def test_playing_stops_at_the_end() -> None:
    walk = Walk([1, 2], framed, 4)
    walk.next()
    assert (walk.at, walk.playing) == (1, True)
    walk.next()
    assert (walk.at, walk.playing) == (1, False)
    walk.play()
    assert not walk.playing
    walk.back()
    walk.play()
    assert walk.playing


def test_a_number_goes_to_the_move_shown_before_it_where_moves_are_left_out() -> None:
    walk = Walk([1, 4, 7, 9], framed, 0)
    walk.digit("8")
    walk.go()
    assert walk.at == 2
