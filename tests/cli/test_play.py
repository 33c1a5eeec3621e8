"""``kdmlog play`` at a terminal: few keys, plain refusals, and nothing lost whatever happens.

What the terminal shows is compared with ``screens/*.txt``. After a change of words that is meant,
``KDMLOG_SCREENS=write pytest tests/cli/test_play.py`` writes them anew; read the difference.
"""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from cli_helpers import SESSIONS, copied, head, look, mark, moves, script, well
from play_terminal import PATIENCE, Terminal, environment

from kdmlog.cli.call import Call
from kdmlog.cli.heed import heed
from kdmlog.session import open_session

SCREENS = Path(__file__).parent / "screens"
STORY = (SESSIONS / "table.play").read_text().splitlines()
"""The First Story and the first settlement phase, as typed at the prompt."""
MOST_KEYS = 800
UP, INTERRUPT, END = "\x1b[A", "\x03", "\x04"
SCENES = {
    "monster": "monster turn --draw claw",
    "dodge": "answer no",
    "survivors": "attack allister",
    "round 2": "monster turn --draw enraged",
    "aftermath": "aftermath",
    "erza": "attack erza",
    "event": "settlement event",
    "develop": "settlement innovate",
}
"""Where the scenes stand: before the first line of the session that begins so."""
ASKED = {
    "target": ("monster", ("monster", "turn", "--draw", "claw")),
    "dice": ("monster", ("monster", "turn", "--draw", "claw", "--choose", "lucy")),
    "draw": ("round 2", ("monster", "turn")),
    "wound": ("survivors", ("attack", "allister", "--blind", "--dice", "6,3", "--draw", "strange")),
    "effects": ("erza", ("attack", "erza", "--dice", "9,2", "--draw", "back", "--dice", "2")),
    "loot": ("aftermath", ("aftermath",)),
}
"""Scenes that another one leads to, by a command that leaves a question open."""
Scene = Callable[[str], Path]


def begun(db: Path, name: str = "By Hand") -> Path:
    """Begins the campaign that the session is played in, at the table."""
    well(db, "new", name, "-p", "Ann", "-p", "Bo", "--table", "--seed", "by-hand")
    return db


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """Returns what sets up a scene: its ledger, to be copied."""
    folder = tmp_path_factory.mktemp("stage")

    def set_up(name: str) -> Path:
        db = folder / f"{name}.db"
        if db.exists():
            return db
        if name == "begun":
            return begun(db)
        if name in ASKED:
            before, words = ASKED[name]
            copied(set_up(before), db)
            well(db, *words)
            return db
        return script(db, "table", until=SCENES[name])

    return set_up


@pytest.fixture
def at(stage: Scene, tmp_path: Path) -> Scene:
    """Returns what gives a test a ledger of its own in which a scene is set up."""
    return lambda name: copied(stage(name), tmp_path / "kdm.db")


def question(db: Path) -> str:
    """Returns the purpose of the open question; empty when none is open."""
    asked = look(db, "open")
    return str(asked["purpose"]) if asked else ""


# --- the whole session ----------------------------------------------------------------------------


def told(db: Path, columns: int = 80, **env: str) -> tuple[list[list[str]], str]:
    """Plays the session at a terminal; returns what was said to each line, and all that came."""
    with Terminal(db, columns, **env) as terminal:
        terminal.prompted()
        said = [terminal.enter(line) for line in STORY]
        terminal.type(END)
        assert terminal.ended() == 0
        return said, terminal.output


def test_the_first_story_is_played_with_few_keys_and_ends_as_in_one_shot_commands(
    stage: Scene, at: Scene, tmp_path: Path
) -> None:
    assert sum(len(line) + 1 for line in STORY) <= MOST_KEYS
    told(db := at("begun"))
    well(apart := tmp_path / "apart.db", "run", str(SESSIONS / "table.kdm"))
    assert mark(db) == mark(apart)
    assert well(db, "verify") == ""


def test_lines_are_broken_between_words_and_without_color_when_none_is_wanted(
    stage: Scene, tmp_path: Path
) -> None:
    narrow, colored = told(copied(stage("begun"), tmp_path / "narrow.db"))
    wide, plain = told(copied(stage("begun"), tmp_path / "wide.db"), 300, NO_COLOR="1")
    assert max(len(line) for said in narrow for line in said) <= 80
    assert max(len(line) for said in wide for line in said) > 80
    assert [" ".join(said).split() for said in narrow] == [" ".join(said).split() for said in wide]
    assert set(re.findall(r"\x1b\[([0-9;]*)m", plain)) <= {"", "0"}
    assert not set(re.findall(r"\x1b\[([0-9;]*)m", colored)) <= {"", "0"}


def test_a_standing_that_is_too_long_for_the_toolbar_goes_on_in_a_second_line(
    stage: Scene, tmp_path: Path
) -> None:
    db = begun(tmp_path / "kdm.db", "People of the Lantern, and of the Longest Night")
    for line in ("sn Allister m", "sn Erza f", "sn Lucy f", "sn Zachary m"):
        well(db, "survivor", "new", *line.split()[1:])
    well(db, "showdown", "begin", "white_lion", "--first-story")
    well(db, "monster", "turn", "--draw", "claw", "--choose", "none")
    with Terminal(db) as terminal:
        terminal.prompted()
        terminal.see("zachary")
        standing = " ".join(" ".join(terminal.rows[-2:]).split())
        assert standing.startswith("People of the Lantern, and of the Longest Night · showdown R1")
        assert standing.endswith("to act: allister erza lucy zachary")


def test_names_of_wide_characters_do_not_push_a_line_over_the_edge(tmp_path: Path) -> None:
    with Terminal(begun(tmp_path / "kdm.db", "日本の灯火の民")) as terminal:
        terminal.prompted()
        said = terminal.enter("sn 灯火太郎之助左衛門尉源朝臣 m")
        assert "          stone" in said
        assert all(line in terminal.rows for line in said)


# --- wrong lines ----------------------------------------------------------------------------------

WRONG = {
    "unknown command": ("begun", "frobnicate", "No command 'frobnicate'.", "do lists"),
    "misspelt command": ("survivors", "attck lucy", "No command 'attck'.", "Then: attack"),
    "half a command": (
        "begun",
        "survivor",
        "survivor what?",
        "new, list, show, rename, player, weapon, death",
    ),
    "unknown second word": ("begun", "survivor q", "No command 'survivor q'.", "new, list, show"),
    "misspelt name": ("survivors", "attack allistr", "No survivor 'allistr'.", "allister?"),
    "unknown name": ("survivors", "attack bob", "known: allister, erza, lucy, zachary"),
    "unknown weapon": ("survivors", "attack lucy axe", "known: founding_stone, fist_and_tooth"),
    "nothing to do in an act": ("survivors", "al frob", "'frob' is nothing to do", "m, a, t, e"),
    "action out of phase": ("survivors", "build bone_smith", "Not now:", "end-turn"),
    "action before its time": ("begun", "mt", "Not now:", "survivor new NAME m|f"),
    "action while a question is open": ("dice", "attack lucy", "A question is open", "2d10"),
    "face outside its die": ("dice", "answer 6,x", "'x' is no face of this die (d10): 1 to 10"),
    "too many dice": ("dice", "123", "'123' is too much: 2d10 takes 2 faces", "Open:", "2d10"),
    "too many dice beforehand": ("survivors", "attack lucy --dice 2,3,4", "Left over", "dice 4"),
    "a letter among faces": ("dice", "7,a", "'a' is no face of this die (d10)"),
    "shortcut while a question is open": ("dice", "mt claw", "A question is open", "Then: FACE…"),
    "an act in the monster's turn": ("monster", "al a 63", "Not now: it is the monster's turn"),
    "a founder in a showdown": ("monster", "sn Tom m", "Not now:", "Then: monster turn"),
    "a word too many": ("begun", "sn Tom m 4", "Too much: '4' was not asked for; nothing was log"),
    "a name of two words": ("begun", "sn Big Tom m", "No sex 'Tom'.", "in quotes"),
    "two cards for one": ("draw", "chomp, maul", "1 card is drawn; given: chomp, maul."),
    "too few cards": ("loot", "bone, skull", "4 cards are drawn; given: bone, skull.", "commas"),
    "one card of several": ("loot", "love juice", "4 cards are drawn; given: love juice."),
    "unknown card of several": ("loot", "skull, frob, hide, organ", "is called 'frob'."),
    "too many cards": ("loot", "bone, bone, skull, hide, hide", "4 cards are drawn; given: bone,"),
    "unknown survivor in an effect": ("effects", "knock_down tom", "No survivor 'tom'."),
    "a shortcut among effects": ("effects", "mt claw", "A question is open", "LINE; LINE"),
    "too few dice": ("dice", "6", "2 faces are asked for; given: 6."),
    "a word for dice": ("dice", "lucy", "'lucy' is no face of this die (d10)"),
    "unknown card": ("draw", "frob", "'frob'", "known: chomp, enraged, grasp, maul"),
    "face-up card": ("draw", "claw", "Claw is no card that can be drawn now: it is face up"),
    "option not offered": ("target", "bob", "No option 'bob'.", "allister, erza, lucy, zachary"),
    "answer beside the question": ("dodge", "maybe", "No option 'maybe'.", "no, yes"),
    "missing argument": ("survivors", "attack", "Missing argument 'SURVIVOR'.", "[WEAPON]"),
    "open quote": ("begun", 'sn "Allister m', "No closing quotation."),
    "answer to nothing": ("begun", "answer 3", "No question is open.", "survivor new NAME m|f"),
    "bare line, nothing obvious": ("begun", "", "Next: survivor new NAME m|f"),
    "bare line, no default": ("target", "", "needs an answer.", "allister|erza|lucy|zachary"),
    "command for outside": ("survivors", "new Other", "new is for outside: kdmlog new."),
    "another branch": ("survivors", "note x -b brave", "stays on its campaign", "switch BRANCH"),
    "gear that is not crafted": ("develop", "craft sword", "'sword'"),
}


WRONG |= {
    "nothing that is near": ("begun", "foo", "No command 'foo'. Then: do lists what can be done"),
    "a survivor misspelt": ("survivors", "alister", "No command 'alister'.", "Then: allister?"),
    "a branch misspelt": ("survivors", "switch mian", "No branch 'mian'.", "Then: main?"),
    "a place misspelt": ("survivors", "diff mian", "'mian' is no position.", "main?"),
    "help to a short word": ("survivors", "sn -h", "sn is survivor new or settlement name.", "-h"),
}


@pytest.fixture(scope="module")
def tables(stage: Scene, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Terminal]]:
    """The terminals at which wrong lines are typed, one for each scene; nothing moves them."""
    terminals: dict[str, Terminal] = {}
    yield terminals
    for terminal in terminals.values():
        terminal.hang_up()


@pytest.mark.parametrize("kind", WRONG)
def test_a_wrong_line_is_told_what_is_allowed_and_writes_nothing(
    kind: str, stage: Scene, tables: dict[str, Terminal]
) -> None:
    scene, line, *parts = WRONG[kind]
    db = stage(scene)
    before = head(db), moves(db), mark(db)
    if scene not in tables:
        tables[scene] = Terminal(db)
        tables[scene].prompted()
    said = tables[scene].enter(line)
    text = " ".join(" ".join(said).split())
    assert all(part in text for part in parts), text
    assert len(said) <= 5 and max(map(len, said)) <= 80
    assert (head(db), moves(db), mark(db)) == before


def test_what_follows_a_wrong_command_of_a_line_is_left_alone(at: Scene) -> None:
    with Terminal(db := at("begun")) as terminal:
        terminal.prompted()
        assert "Erza arrives" in " ".join(terminal.enter("sn Erza f;sn Lucy q;sn Zachary m"))
        assert list(look(db, "survivors")) == ["erza"]


# --- what a player may type -----------------------------------------------------------------------


def test_a_command_may_be_typed_as_the_hints_spell_it(at: Scene) -> None:
    with Terminal(db := at("target")) as terminal:
        terminal.prompted()
        terminal.enter("kdmlog answer lucy")
        assert question(db) == "monster_attack"
        terminal.enter("kdmlog undo")
        assert question(db) == "target"


def test_pasted_lines_are_done_one_after_the_other(at: Scene) -> None:
    with Terminal(db := at("begun")) as terminal:
        terminal.prompted()
        terminal.type("\x1b[200~survivor new Erza f\n# and\n\nsurvivor new Lucy f\n\x1b[201~")
        said = terminal.enter("")
        assert sum("arrives" in line for line in said) == 2
        assert list(look(db, "survivors")) == ["erza", "lucy"]


def test_the_last_line_of_an_earlier_session_is_at_the_up_arrow(at: Scene) -> None:
    db = at("begun")
    with Terminal(db) as terminal:
        terminal.prompted()
        terminal.enter("note the lantern flickers")
        terminal.type(END)
        assert terminal.ended() == 0
    with Terminal(db) as terminal:
        terminal.prompted()
        terminal.type(UP)
        terminal.see("> note the lantern flickers")


def test_without_a_place_for_the_history_play_goes_on(at: Scene) -> None:
    db = at("begun")
    db.with_name("kdm.db.history").mkdir()
    with Terminal(db) as terminal:
        terminal.prompted()
        terminal.enter("sn Erza f")
        terminal.type(UP)
        terminal.see("> sn Erza f\n\n")
    assert list(look(db, "survivors")) == ["erza"]


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


@pytest.mark.parametrize(
    ("line", "facts"),
    [
        ("knock_down lucy", ["Lucy is knocked down"]),
        ("knock down lucy", ["Lucy is knocked down"]),
        ("'knock_down lucy'", ["Lucy is knocked down"]),
        ("damage lucy 1 arms", ["Lucy arms"]),
        ("knock_down lucy; damage lucy 1 arms", ["Lucy is knocked down", "Lucy arms"]),
        ("none", ["Beast's Back: nothing"]),
    ],
)
def test_effects_are_typed_as_their_forms_show(at: Scene, line: str, facts: list[str]) -> None:
    said = tell(db := at("effects"), line)
    assert all(fact in said for fact in facts), said
    assert question(db) != "card"


def test_a_command_that_is_an_effect_too_is_one_where_its_form_fits(at: Scene) -> None:
    assert "does not fit" not in tell(db := at("effects"), "move forward")
    assert question(db) != "card"
    assert "0 cards" not in tell(db := at("effects"), "note a card")
    assert question(db) == "card"


def test_one_run_of_faces_never_reaches_into_the_next_roll(at: Scene) -> None:
    db = at("wound")
    assert "'12' is no face of this die (d10)" in tell(db, "12")
    assert question(db) == "wound"
    assert "wound d10: 10" in tell(db, "0 y")


@pytest.mark.parametrize(
    ("line", "faces"), [("910 ha", "9 10"), ("9 10 h a", "9 10"), ("9l", "9 10"), ("12l n", "1 2")]
)
def test_faces_of_an_open_roll(at: Scene, line: str, faces: str) -> None:
    assert f"monster attack 2d10: {faces}" in tell(at("dice"), line)


def test_cards_are_named_as_printed_with_commas_between(at: Scene) -> None:
    db = at("loot")
    line = "monster bone, monster bone, skull, monster hide"
    assert "draws Monster Bone, Monster Bone, Skull, Monster Hide" in tell(db, line)
    line = "great_cat_bones, lion claw, white fur, whiskers er"
    assert "draws Great Cat Bones, Lion Claw, White Fur, Golden Whiskers" in tell(db, line)
    assert question(db) == ""


def test_cards_of_two_draws_may_stand_in_one_line(at: Scene) -> None:
    said = tell(db := at("loot"), "bone,hide,organ,skull great,fur,sinew,tail er")
    assert "draws Great Cat Bones, White Fur, Sinew, Lion Tail" in said
    assert question(db) == ""


def test_what_stands_behind_a_question_of_the_same_line_is_told_what_is_open(at: Scene) -> None:
    db = at("monster")
    said = tell(db, "mt claw; al a")
    assert "A question is open" in said and "Then: allister|erza" in said
    assert question(db) == "target"


@pytest.mark.parametrize("line", ["status", "undo", "attack", "attack lucy", "do"])
def test_at_the_prompt_nothing_says_to_type_the_program_s_name(at: Scene, line: str) -> None:
    for scene in ("target", "dice"):
        assert not re.search("kdmlog (answer|undo|attack)", tell(at(scene), line))


@pytest.mark.parametrize(
    ("scene", "text"),
    [
        ("dice", "faces as digits, 0 for the lantern, 2 of them: 70 or 7,10"),
        ("target", "far_NAME: a target that is out of reach"),
        ("draw", "Type the card, by name or how it begins.  Left: Chomp, "),
        ("loot", "Type 4 cards, with commas between"),
        ("effects", "knock_down SURVIVOR"),
    ],
)
def test_help_says_how_the_answer_is_typed(at: Scene, scene: str, text: str) -> None:
    assert text in tell(at(scene), "?")


def test_help_with_nothing_open_names_the_short_words_of_the_moment(at: Scene) -> None:
    assert "Now  sn: survivor new" in tell(at("begun"), "?")
    assert "sc: settlement craft" in tell(at("develop"), "-h")


def test_help_of_a_command_is_shown_by_h_too(at: Scene) -> None:
    assert "WEAPON    a weapon carried" in tell(at("survivors"), "attack -h")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("note it's late", "it's late"),
        ("note the lion's 2nd try # of many", "the lion's 2nd try"),
        ("note it's late --by Ann", "it's late"),
        ('note "a; b"', "a; b"),
        ("note 'late'", "late"),
        ("note we're done; log", "we're done"),
    ],
)
def test_a_note_s_text_is_taken_as_typed(at: Scene, line: str, said: str) -> None:
    db = at("survivors")
    tell(db, line)
    assert f"note: {said}\n" in well(db, "log", "-n", "1")


# --- leaving, and being left ----------------------------------------------------------------------


def test_ctrl_c_leaves_a_question_open_and_nothing_half_done(at: Scene) -> None:
    db = at("dodge")
    before = head(db)
    with Terminal(db) as terminal:
        terminal.prompted()
        terminal.type("ye")
        terminal.see("> ye")
        terminal.type(INTERRUPT)
        terminal.prompted(2)
        assert terminal.said[0] == "      Nothing done; quit or Ctrl-D leaves."
        assert "Dodge it?" in terminal.said[1]
        assert (head(db), question(db)) == (before, "dodge")
        terminal.enter("n")
        assert question(db) == ""


@pytest.mark.parametrize("word", [END, "quit\r", "exit\r", "q\r"])
def test_leaving_ends_well_and_keeps_everything(at: Scene, word: str) -> None:
    db = at("dodge")
    before = head(db)
    with Terminal(db) as terminal:
        terminal.prompted()
        terminal.type(word)
        assert terminal.ended() == 0
        assert terminal.said == ["      Everything is logged."]
    assert (head(db), question(db)) == (before, "dodge")
    assert well(db, "verify") == ""


def test_closing_the_terminal_at_a_question_loses_nothing(at: Scene) -> None:
    db = at("dodge")
    before = head(db)
    with Terminal(db) as terminal:
        terminal.prompted()
        terminal.type("ye")
        terminal.see("> ye")
        assert terminal.hang_up() in (0, 1, -signal.SIGHUP)
    assert (head(db), question(db)) == (before, "dodge")
    assert well(db, "verify") == ""
    with Terminal(db) as terminal:
        terminal.see("Dodge it?")


def test_closing_the_terminal_while_lines_are_done_leaves_whole_moves(at: Scene) -> None:
    db = at("begun")
    with Terminal(db) as terminal:
        terminal.prompted()
        terminal.type(f"{STORY[0]}\r")
        terminal.see("Allister")
        terminal.hang_up()
    assert well(db, "verify") == ""
    assert set(look(db, "survivors")) <= {"allister", "erza", "lucy", "zachary"}


def test_another_size_in_the_middle_of_a_question_changes_nothing_else(at: Scene) -> None:
    db = at("dodge")
    with Terminal(db) as terminal:
        terminal.prompted()
        terminal.type("n")
        terminal.see("> n")
        for columns, lines in ((40, 12), (100, 30), (60, 20)):
            terminal.resize(columns, lines)
            assert "> n" in terminal.rows
            assert terminal.rows[-1].endswith("open")
        said = terminal.enter("o")
        assert "dodge: no" in " ".join(said)
        assert max(map(len, said)) <= 60
    assert question(db) == ""


def test_a_question_that_another_program_answered_is_not_answered_again(at: Scene) -> None:
    db = at("dodge")
    with Terminal(db) as one, Terminal(db) as other:
        one.prompted()
        other.prompted()
        one.type("y")
        one.see("> y")
        other.enter("n")
        after = head(db)
        said = one.enter("")
        assert "Meanwhile the game went on elsewhere; your line was not carried out." in said[0]
        assert said[1:] == ["      Next: attack allister"]
        assert head(db) == after
        one.enter("lu a fi 23")
        assert question(db) == ""
        assert look(db, "showdown.acting.survivor") == "lucy"
        assert "Meanwhile" in other.enter("za m")[0]


# --- without a full terminal ----------------------------------------------------------------------


def test_lines_from_a_pipe_play_the_same_session(at: Scene, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kdmlog", "play"],
        input="\n".join([*STORY, "frobnicate"]),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment(db := at("begun")),
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert "prologue: survivors> " in done.stdout
    assert done.stdout.splitlines()[-1] == "      Everything is logged."
    assert done.stdout.count("No command") == 1
    well(apart := tmp_path / "apart.db", "run", str(SESSIONS / "table.kdm"))
    assert mark(db) == mark(apart)


def test_an_error_in_a_pipe_comes_after_what_was_done_before_it(at: Scene) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kdmlog", "play"],
        input="sn Erza f;frobnicate",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment(at("begun")),
        timeout=PATIENCE,
        check=True,
    )
    assert done.stdout.index("Erza arrives") < done.stdout.index("No command")


def test_a_dumb_terminal_gets_plain_prompts(at: Scene) -> None:
    db = at("dodge")
    with Terminal(db, TERM="dumb") as terminal:
        terminal.see("a question is open>")
        terminal.insist(INTERRUPT, "Nothing done; quit or Ctrl-D leaves.")
        assert question(db) == "dodge"
        terminal.type("n\n")
        terminal.see("to act: allister erza lucy zachary>")
        terminal.type("lu a fi 23\n")
        terminal.see("lucy m1 a0")
        terminal.type(END)
        assert terminal.ended() == 0
        assert "\x1b" not in terminal.output
        assert terminal.output.endswith("\r\n      Everything is logged.\r\n")
    assert look(db, "showdown.acting.survivor") == "lucy"


# --- completion -----------------------------------------------------------------------------------


def menu(terminal: Terminal, typed: str, *names: str) -> set[str]:
    """Types words and Tab; returns the words in the menu once all the names are there."""
    terminal.type(f"{typed}\t")

    def shown() -> set[str]:
        rows = terminal.rows
        line = max((n for n, row in enumerate(rows) if row.startswith(">")), default=len(rows))
        return {row.strip() for row in rows[line + 1 : -1] if row.strip()}

    terminal.until(lambda: set(names) <= shown())
    return shown()


@pytest.mark.parametrize(
    ("scene", "typed", "whole"),
    [
        ("survivors", "at", "attack"),
        ("survivors", "attack lu", "attack lucy"),
        ("dodge", "ye", "yes"),
        ("develop", "cra", "craft"),
        ("begun", "survivor ren", "survivor rename"),
    ],
)
def test_tab_completes_the_only_word_that_goes_on_so(
    at: Scene, scene: str, typed: str, whole: str
) -> None:
    with Terminal(at(scene)) as terminal:
        terminal.prompted()
        terminal.type(f"{typed}\t")
        terminal.see(f"> {whole}\n")


def test_tab_after_attack_offers_those_who_may_attack_now(at: Scene) -> None:
    with Terminal(at("survivors")) as terminal:
        terminal.prompted()
        names = ("allister", "erza", "lucy", "zachary")
        assert menu(terminal, "attack ", *names) == set(names)
        terminal.type("\x15")  # Ctrl-U: the line is empty again
        terminal.until(lambda: terminal.rows[-2] == "" and ">" in terminal.rows)
        terminal.enter("er a 23")
        left = ("allister", "lucy", "zachary")
        assert menu(terminal, "attack ", *left) == set(left)


def test_tab_after_craft_offers_what_can_be_crafted(at: Scene) -> None:
    db = at("develop")
    for place in ("bone_smith", "skinnery"):
        with open_session(db, readonly=True) as session:
            if f"settlement build {place}" not in session.ready():
                continue
        well(db, "settlement", "build", place)
    with open_session(db, readonly=True) as session:
        lines = [line.split() for line in session.ready()]
    gear = {line[2] for line in lines if line[:2] == ["settlement", "craft"]}
    assert len(gear) > 1
    with Terminal(db) as terminal:
        terminal.prompted()
        assert menu(terminal, "craft ", *gear) == gear


def test_tab_at_a_question_offers_its_options(at: Scene) -> None:
    with Terminal(at("target")) as terminal:
        terminal.prompted()
        assert {"lucy", "none"} <= menu(terminal, "", "lucy", "none")


# --- screens --------------------------------------------------------------------------------------


def same_screen(terminal: Terminal, name: str) -> None:
    """Compares the screen with the kept one; writes it when that is asked for."""
    path = SCREENS / f"{name}.txt"
    if os.environ.get("KDMLOG_SCREENS") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(terminal.settle())
        return
    kept = path.read_text()
    try:
        terminal.until(lambda: terminal.text == kept)
    except AssertionError:
        assert terminal.text == kept


@pytest.mark.parametrize(
    ("name", "scene", "lines"),
    [
        ("start", "begun", []),
        ("target_question", "monster", ["mt claw"]),
        ("dice_question", "monster", ["mt claw", "lu"]),
        ("order_of_hits", "survivors", ["al a b 97 strange,maw"]),
        ("after_an_attack", "survivors", ["al a b 63 strange 0 y"]),
        ("settlement_phase", "event", ["", "9", "sy al"]),
        ("refused", "target", ["bob", "7", "attack lucy"]),
    ],
)
def test_the_screen_is_as_kept(at: Scene, name: str, scene: str, lines: list[str]) -> None:
    with Terminal(at(scene)) as terminal:
        terminal.prompted()
        for line in lines:
            terminal.enter(line)
        same_screen(terminal, name)


def test_the_screen_of_a_completion_is_as_kept(at: Scene) -> None:
    with Terminal(at("survivors")) as terminal:
        terminal.prompted()
        menu(terminal, "attack ", "allister", "erza", "lucy", "zachary")
        same_screen(terminal, "completion")
