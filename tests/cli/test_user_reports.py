"""What users of comparable tools reported, a test each, as far as the prologue reaches.

The numbers are those of the collected reports. Each test does on kdmlog what went wrong elsewhere.
"""

from __future__ import annotations

import json
import random
import re
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cli_helpers import (
    SESSIONS,
    fighting,
    founded,
    head,
    kdmlog,
    look,
    mark,
    moves,
    script,
    well,
)

from kdmlog.cli.call import Call
from kdmlog.cli.main import run
from kdmlog.cli.script import lines
from kdmlog.core import events as core
from kdmlog.core.actions import CORE_PLAYS
from kdmlog.core.errors import KdmlogError
from kdmlog.core.fingerprint import fingerprint
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.game import GAME
from kdmlog.games.kdm.state import State
from kdmlog.ledger import Ledger
from kdmlog.session import Session, new_campaign, open_session

SCRIPTS = ("app", "table", "death", "defeat")
BESIDE = (
    "control lucy",
    "monster turn --choose zachary",
    "answer no",
    "act allister",
    "move allister",
    "end-act",
    "attack erza",
    "note 'a note'",
    "roll d10 --why luck",
    "draw hit_locations",
    "choose 'who begins' bo",
    "adjust survivors.lucy.insanity +1 --why forgotten",
    "survivor rename lucy Luz",
    "campaign rename 'Another Edge'",
    "survivor player lucy Bo",
)
"""Commands that no session script has, from the monster's first turn on."""
SETTLED = (
    "gear take erza 1",
    "gear put erza cloth 5",
    "gear move erza 5 9",
    "gear swap erza 2 lucy 2",
    "settlement name 'New Edge'",
    "survivor death allister 'fell to the lion'",
    "adjust settlement.storage.resources.monster_organ +1 --why found",
    "consume erza monster_organ --dice 5",
    "adjust survivors.erza.hunt_xp 3 --why older",
    "survivor weapon erza axe",
)
"""Commands that no session script has, from the settlement phase on in which Allister is dead."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The ledgers of the whole session scripts."""
    folder = tmp_path_factory.mktemp("reports")
    for name in SCRIPTS:
        well(folder / f"{name}.db", "run", str(SESSIONS / f"{name}.kdm"))
    return {name: folder / f"{name}.db" for name in SCRIPTS}


def do(session: Session, words: list[str], by: str = "") -> None:
    """Runs one command on an open session, without saying what it did."""
    call = Call(session=session, scripted=True, quiet=True)
    if by:
        call.write["by"] = by
    run(list(words), call)


def events(db: Path, *kinds: str) -> list[dict[str, Any]]:
    types = [word for kind in kinds for word in ("--type", kind)]
    out = well(db, "events", *types)
    return [json.loads(line)["event"] for line in out.splitlines()]


def commands(name: str) -> list[list[str]]:
    return [words for _, words in lines(str(SESSIONS / f"{name}.kdm"))]


def spelt(*texts: str) -> list[list[str]]:
    from kdmlog.cli.lines import split

    return [split(text) for text in texts]


# --- wrong state ----------------------------------------------------------------------------------


def test_case_02_changes_by_hand_and_by_rules_add_up(tmp_path: Path) -> None:
    db = script(tmp_path / "kdm.db", "table", until="settlement innovate")
    assert look(db, "settlement.survival_limit") == 2
    well(db, "adjust", "settlement.survival_limit", "+1", "--why", "a story's gift")
    words = ("--draw", "symposium,drums", "--choose", "symposium")
    assert "survival limit 3 → 4" in well(db, "settlement", "innovate", *words)
    assert look(db, "settlement.survival_limit") == 4
    changed = [
        (one["by"], one["now"], one["cause"])
        for one in events(db, "kdm.figure_changed")
        if one["figure"] == "survival_limit"
    ]
    assert [(by, now) for by, now, _ in changed] == [(1, 2), (1, 3), (1, 4)]
    assert len({cause for _, _, cause in changed} - {""}) >= 2
    assert changed[1][2] == "adjust"


def test_case_03_the_very_reply_shows_the_new_survival_limit(tmp_path: Path) -> None:
    db = script(tmp_path / "kdm.db", "table", until="settlement year")
    before = {id_: one["survival"] for id_, one in look(db, "survivors").items()}
    out = well(db, "settlement", "year", "--choose", "allister")
    assert "survival limit 1 → 2" in out and "innovation: Language" in out
    assert look(db, "settlement.survival_limit") == 2
    assert "limit" in well(db, "settlement", "show").lower()
    for id_, survival in before.items():
        assert look(db, f"survivors.{id_}.survival") == survival
        assert f"survival {survival}/2" in well(db, "status")


def test_case_06_the_dead_get_nothing_that_the_returning_get(tmp_path: Path) -> None:
    db = script(tmp_path / "kdm.db", "death", until="settlement begin")
    for id_ in ("erza", "lucy", "zachary"):
        well(db, "adjust", f"survivors.{id_}.survival", "0", "--why", "spent")
    dead = look(db, "survivors.allister")
    assert dead["status"] == "dead"
    out = well(db, "settlement", "begin", "Third Watch")
    assert look(db, "survivors.allister") == dead
    assert [look(db, f"survivors.{one}.survival") for one in ("erza", "lucy", "zachary")] == [1] * 3
    assert look(db, "settlement.endeavors") == 3
    assert "Allister" not in out


def test_case_07_wording_a_death_anew_counts_no_death(tmp_path: Path) -> None:
    db = script(tmp_path / "kdm.db", "death", until="settlement build")
    settlement = look(db, "settlement")
    assert (settlement["death_count"], settlement["milestones"]) == (1, ["first_death"])
    was = look(db, "deaths")[0]["cause"]
    out = well(db, "survivor", "death", "allister", "the lion's jaws")
    assert look(db, "settlement") == settlement
    assert look(db, "deaths")[0]["cause"] == "the lion's jaws"
    assert "the lion's jaws" in out
    assert [one["of"] for one in events(db, "kdm.survivor_died", "kdm.death_explained")] == [
        was,
        "the lion's jaws",
    ]
    assert "the lion's jaws" in well(db, "log", "-n", "1")
    assert len(events(db, "kdm.milestone_reached", "kdm.deaths_counted")) == 2


@pytest.mark.parametrize("words", [("monster", "turn"), ("note", "x"), ("undo",), ("branch", "b")])
def test_case_09_what_was_printed_survives_a_kill(tmp_path: Path, words: tuple[str, ...]) -> None:
    db = fighting(tmp_path / "kdm.db")
    code = (
        "import os, sys; from kdmlog.cli.call import Call; from kdmlog.cli.main import execute;"
        "execute(sys.argv[1:], Call(scripted=True)); sys.stdout.flush();"
        f"os.kill(os.getpid(), {int(signal.SIGKILL)})"
    )
    before = head(db)
    killed = subprocess.run(
        [sys.executable, "-c", code, "--db", str(db), *words],
        capture_output=True,
        text=True,
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL
    assert killed.stdout
    if words[0] == "branch":
        assert "b  " in well(db, "branch")
        return
    assert head(db) != before
    if words[0] != "undo":
        number = int(killed.stdout.split()[0])
        assert json.loads(well(db, "--json", "status"))["move"] == number
    assert well(db, "verify") == ""
    assert well(db, "undo" if words[0] != "undo" else "redo")
    assert head(db) == before


def test_case_10_nothing_is_nameless(played: dict[str, Path], tmp_path: Path) -> None:
    for db in played.values():
        for view in ("timeline", "show", "innovations", "locations", "storage"):
            out = well(db, "settlement", view)
            assert "None" not in out and "null" not in out
        for year, names in look(db, "settlement.timeline").items():
            assert year.isdigit() and all(name.strip() for name in names)
    db = script(tmp_path / "kdm.db", "table", until="settlement begin")
    before = moves(db)
    for words in (
        ("settlement", "begin", ""),
        ("settlement", "begin", "  "),
        ("settlement", "begin"),
        ("survivor", "rename", "lucy", " "),
    ):
        said = kdmlog(db, *words)
        assert (said.code, said.err.count("\n")) == (1, 1)
        assert "name" in said.err
    assert moves(db) == before


def test_case_12_a_year_begun_twice_is_the_same_year_everywhere(tmp_path: Path) -> None:
    db = script(tmp_path / "kdm.db", "table", until="settlement year")
    words = ("settlement", "year", "--choose", "allister")
    well(db, *words)
    once = mark(db)
    well(db, "undo")
    assert look(db, "settlement.lantern_year") == 0
    assert look(db, "settlement.innovations") == []
    well(db, *words)
    assert mark(db) == once
    assert look(db, "settlement.lantern_year") == 1
    assert "1" in well(db, "settlement", "show")
    stories = [one["event"] for one in events(db, "kdm.story_triggered")]
    assert max(Counter(stories).values()) == 1
    assert [row["reason"] for row in json.loads(well(db, "--json", "oplog"))].count("undo") == 1


def every_command(folder: Path) -> Iterator[tuple[Session, list[str]]]:
    """Yields each writing command once it is to be run, with the session it belongs on.

    Those of the four session scripts, and those that no script has.
    """
    for name in SCRIPTS:
        words, *rest = commands(name)
        well(folder / f"{name}.db", *words)
        with open_session(folder / f"{name}.db") as session:
            for words in rest:
                yield session, words
            assert session.verify() == []
    with open_session(fighting(folder / "beside.db", "-p", "Ann", "-p", "Bo")) as session:
        for words in spelt(*BESIDE):
            yield session, words
        assert session.verify() == []
    db = script(folder / "settled.db", "death", until="survivor new Ada")
    with open_session(db) as session:
        for words in spelt(*SETTLED):
            yield session, words
        assert session.verify() == []
    db = script(folder / "carrying.db", "table", until="attack erza founding_stone --dice 1")
    with open_session(db) as session:
        yield session, ["give", "allister", "lion_claw", "erza"]
        assert session.verify() == []
    db = script(folder / "home.db", "table", until="settlement begin")
    with open_session(db) as session:
        yield session, ["share", "lucy", "white_fur"]
        assert session.verify() == []


def test_case_13_every_writing_command_leaves_facts_with_who_and_when(tmp_path: Path) -> None:
    seen: set[str] = set()
    for session, words in every_command(tmp_path):
        before, then = session.head.number, session.view()
        do(session, words, by="Ann")
        [(move, facts)] = session.entry(session.head.number).moves[-1:]
        assert session.head.number == before + 1 == move.number, words
        assert facts, words
        assert move.by == "Ann"
        assert move.at.endswith("Z") and len(move.at) == 20
        changed = GAME.changes(then, session.view())
        log = [GAME.sentence(fact, session.table) for fact in facts]
        assert not changed or any(log), f"{words} changed {changed} and says nothing"
        action = session.entry(session.head.number).action
        seen.add(str(type(action).__struct_config__.tag))
        for fact in facts:
            if isinstance(fact, e.StatChanged | e.FigureChanged):
                assert fact.by or getattr(fact, "lost", 0), words
                # Naming a newborn is its own reason: the move says what was typed.
                assert fact.cause or words[:2] == ["survivor", "rename"], words
    played_tags = {str(one.__struct_config__.tag) for one in (*GAME.plays, *CORE_PLAYS)}
    # In no First Story without a board and variants:
    played_tags -= {"deploy", "place", "survival", "run-away", "showdown reorder", "showdown join"}
    assert played_tags - seen == set(), "add a command of it to BESIDE or SETTLED"


def test_case_14_a_command_of_several_parts_is_whole_or_not_at_all(tmp_path: Path) -> None:
    db = script(tmp_path / "kdm.db", "table", until="settlement craft")
    before, count = mark(db), moves(db)
    gear = ("bone_dagger", "bone_dagger", "rawhide_vest", "bone_mistake")
    said = kdmlog(db, "settlement", "craft", *gear)
    assert said.code == 1 and "'bone_mistake'" in said.err
    assert (mark(db), moves(db)) == (before, count)
    said = kdmlog(db, "settlement", "craft", *["bone_dagger"] * 9)
    assert said.code == 1
    assert (mark(db), moves(db)) == (before, count)


def test_case_15_no_more_goes_than_is_there(tmp_path: Path) -> None:
    db = fighting(tmp_path / "kdm.db")
    well(db, "monster", "turn", "--choose", "none")
    assert kdmlog(db, "activate", "lucy", "founding_stone").code == 0
    while look(db, "open"):
        well(db, "answer", "none" if look(db, "open")["ask"] == "fill" else "no")
    count = moves(db)
    for words in (
        ("activate", "lucy", "founding_stone"),
        ("attack", "lucy", "founding_stone"),
        ("adjust", "survivors.lucy.survival", "-9", "--why", "x"),
        ("adjust", "settlement.storage.resources.skull", "-1", "--why", "x"),
    ):
        said = kdmlog(db, *words)
        assert (said.code, said.err.count("\n")) == (1, 1), words
    assert moves(db) == count
    assert "founding_stone" not in look(db, "survivors.lucy.grid").values()


def test_case_15_no_count_is_ever_negative(played: dict[str, Path]) -> None:
    for db in played.values():
        with open_session(db) as session:
            for number in range(1, session.head.number + 1):
                storage = session.look("settlement.storage", at=str(number))
                counts = [*storage["resources"].values(), *storage["gear"].values()]
                assert all(count > 0 for count in counts)


def test_case_16_two_of_the_same_name_are_two(tmp_path: Path) -> None:
    db = tmp_path / "kdm.db"
    well(db, "new", "Edge")
    for _ in range(3):
        well(db, "survivor", "new", "Lucy", "f")
    assert list(look(db, "survivors")) == ["lucy", "lucy_2", "lucy_3"]
    with open_session(db) as session:
        state: State = session.table.state
        worn = [one for survivor in state.survivors.values() for one in survivor.grid.values()]
        assert len(worn) == len(set(worn)) == 6
    well(db, "survivor", "rename", "lucy_2", "Luz")
    assert [one["name"] for one in look(db, "survivors").values()] == ["Lucy", "Luz", "Lucy"]
    well(db, "adjust", "survivors.lucy_3.insanity", "2", "--why", "x")
    assert [one["insanity"] for one in look(db, "survivors").values()] == [0, 0, 2]
    assert well(db, "survivor", "show", "luz") != well(db, "survivor", "show", "lucy_3")
    well(db, "undo", "2")
    assert [one["name"] for one in look(db, "survivors").values()] == ["Lucy"] * 3


# --- rules edge -----------------------------------------------------------------------------------


def test_case_21_returning_clears_tokens_and_wounds_but_nothing_permanent(tmp_path: Path) -> None:
    db = script(tmp_path / "kdm.db", "table", until="aftermath")
    who = "survivors.zachary"
    for path, value in (("tokens.bleeding", "4"), ("tokens.strength", "+1"), ("insanity", "+1")):
        well(db, "adjust", f"{who}.{path}", value, "--why", "the case")
    before = look(db, who)
    assert any(before["injuries"].values())
    for words in commands("table"):
        if words[0] == "aftermath" or words == ["answer", "erza"]:
            well(db, *words)
    well(db, "settlement", "begin", "Edge")
    after = look(db, who)
    assert not any(after["tokens"].values())
    assert not any(after["injuries"].values())
    assert after["severe_injuries"] == ["broken_hip"]
    assert (after["movement"], after["insanity"]) == (4, before["insanity"])
    assert after["survival"] >= before["survival"]
    well(db, "adjust", f"{who}.tokens.bleeding", "+1", "--why", "the next")
    assert look(db, f"{who}.tokens.bleeding") == 1
    assert look(db, f"{who}.status") == "alive"


def test_case_23_and_24_an_age_corrected_is_not_granted_again_and_undone_it_is(
    tmp_path: Path,
) -> None:
    db = script(tmp_path / "kdm.db", "app", until="aftermath")

    def ages() -> list[str]:
        known = ("age_1", "age_2", "age_3", "age_4")
        found = [one["event"] for one in events(db, "kdm.story_triggered")]
        return [one for one in found if one in known]

    well(db, "adjust", "survivors.lucy.hunt_xp", "1", "--why", "the case")
    well(db, "branch", "other")
    well(db, "aftermath")
    aged = mark(db)
    assert ages() == ["age_1"]
    well(db, "switch", "other")
    assert ages() == []
    well(db, "switch", "main")
    well(db, "undo")
    assert ages() == []
    well(db, "aftermath")
    assert mark(db) == aged
    assert ages() == ["age_1"]
    with open_session(db) as session:
        used = session.table.state.used
        assert used("lifetime", "lucy", "age_1") and not used("lifetime", "allister", "age_1")
        session.adjust("survivors.lucy.hunt_xp", "1", why="one too many")
        assert session.table.state.used("lifetime", "lucy", "age_1")


def test_case_26_an_injury_that_cannot_be_recorded_again_still_bleeds(tmp_path: Path) -> None:
    db = script(tmp_path / "kdm.db", "death", until="answer knock_down")
    assert look(db, "open")["ask"] == "fill"
    well(db, "answer", "damage erza 2 head; damage erza 1 head", "--dice", "6,6")
    erza = look(db, "survivors.erza")
    assert erza["severe_injuries"] == ["deaf"]
    assert (erza["evasion"], erza["tokens"]["bleeding"]) == (-1, 2)
    assert events(db, "kdm.gain_ignored")[-1]["what"] == "deaf"


def test_case_28_a_deck_is_shuffled_when_a_card_is_needed_and_none_is_left(
    played: dict[str, Path],
) -> None:
    seen: Counter[str] = Counter()
    for db in played.values():
        with open_session(db) as session:
            trap, state = False, GAME.new_state()
            for _, event, _ in session.events():
                if isinstance(event, core.DeckShuffled) and event.deck == "ai" and event.took:
                    assert event.purpose == "shuffle_ai"
                    assert not state.decks["ai"]["deck"]
                    seen["ai"] += 1
                if isinstance(event, core.DeckShuffled) and event.deck == "hit_locations":
                    assert not event.took or trap or not state.decks["hit_locations"]["deck"]
                    seen["trap"] += trap
                    trap = False
                if isinstance(event, core.CardsDrawn):
                    trap |= "clever_ploy" in event.cards
                session.codec.folds[type(event)](state, event)
    assert seen["ai"] and seen["trap"]


def test_case_28_with_both_piles_empty_the_monster_does_its_basic_action(tmp_path: Path) -> None:
    db = script(tmp_path / "kdm.db", "table", until="monster turn --choose erza --dice 1,2,legs")
    ai = look(db, "showdown.ai")
    assert (ai["deck"], ai["discard"]) == (0, [])
    out = well(db, "monster", "turn", "--choose", "erza", "--dice", "1,2,legs")
    assert "Erza" in out and "AI:" not in out
    assert look(db, "showdown.ai") == ai
    [chosen] = [one for one in events(db, "core.chosen") if one["purpose"] == "target"][-1:]
    assert chosen["about"] == ["closest survivor, in field of view"]


def test_case_29_a_deck_keeps_its_order_over_reopening_undo_and_redo(tmp_path: Path) -> None:
    db = fighting(tmp_path / "kdm.db")
    top = well(db, "--json", "monster", "turn", "--dry-run")
    decks = mark(db)
    for _ in range(2):
        assert well(db, "--json", "monster", "turn", "--dry-run") == top
        assert mark(db) == decks
    well(db, "draw", "ai")
    well(db, "undo")
    assert (mark(db), well(db, "--json", "monster", "turn", "--dry-run")) == (decks, top)
    well(db, "redo")
    well(db, "undo")
    assert (mark(db), well(db, "--json", "monster", "turn", "--dry-run")) == (decks, top)


# --- undo -----------------------------------------------------------------------------------------


def test_case_32_every_command_can_be_taken_back_and_brought_back(tmp_path: Path) -> None:
    for session, words in every_command(tmp_path):
        before, at = fingerprint(session.table.state), session.head
        do(session, words)
        after = fingerprint(session.table.state)
        session.undo(answer=True)
        assert (fingerprint(session.table.state), session.head.hash) == (before, at.hash), words
        session.redo()
        assert fingerprint(session.table.state) == after, words
        if words[0] != "roll":
            session.undo(answer=True)
            do(session, words)
            assert fingerprint(session.table.state) == after, f"{words}: another result"


def test_case_34_the_log_needs_nothing_but_the_events(tmp_path: Path) -> None:
    db = script(tmp_path / "kdm.db", "table", until="settlement begin")
    before = [well(db, "log"), well(db, "show", "9"), well(db, "state")]
    connection = sqlite3.connect(db)
    connection.execute("DELETE FROM cache")
    connection.commit()
    connection.close()
    assert [well(db, "log"), well(db, "show", "9"), well(db, "state")] == before
    assert all(len(line.split(None, 3)[3]) > 5 for line in before[0].splitlines())
    assert well(db, "verify") == ""


def test_case_35_one_undo_takes_back_one_change_whatever_its_route(tmp_path: Path) -> None:
    db = founded(tmp_path / "kdm.db")
    path = tmp_path / "one.kdm"
    path.write_text("adjust survivors.lucy.insanity +1 --why script\n")
    why = ("--why", "x")
    for routes in (
        (("run", str(path)), ("adjust", "survivors.lucy.courage", "+1", *why)),
        (("adjust", "survivors.lucy.courage", "+1", *why), ("run", str(path))),
        (("do", "adjust", "survivors.lucy.courage", "+1", *why), ("run", str(path))),
    ):
        begin = mark(db)
        well(db, *routes[0])
        between = mark(db)
        well(db, *routes[1])
        well(db, "undo")
        assert mark(db) == between
        well(db, "undo")
        assert mark(db) == begin


def test_case_36_undone_draws_can_be_drawn_again(tmp_path: Path) -> None:
    db = script(tmp_path / "kdm.db", "app", until="settlement build")

    def cards() -> tuple[list[str], list[str]]:
        with open_session(db) as session:
            deck = session.table.state.decks["innovations"]
            return list(deck["deck"]), list(deck["discard"])

    whole, _ = cards()
    assert len(whole) == 6
    for number, _ in enumerate(whole, 1):
        well(db, "draw", "innovations")
        deck, drawn = cards()
        assert sorted(deck + drawn) == sorted(whole) and len(drawn) == number
    last = cards()[1]
    said = kdmlog(db, "draw", "innovations")
    assert (said.code, said.err.count("\n")) == (1, 1)
    well(db, "undo")
    well(db, "draw", "innovations")
    assert cards()[1] == last
    well(db, "undo", "2")
    assert len(cards()[0]) == 2
    well(db, "draw", "innovations")
    well(db, "draw", "innovations")
    assert cards() == ([], last)


def test_case_37_undo_takes_back_what_it_announces_and_no_more(tmp_path: Path) -> None:
    db = fighting(tmp_path / "kdm.db", "--table")
    begin = mark(db)
    well(db, "monster", "turn")
    steps = [mark(db)]
    for words in (("lucy",), ("8,9",)):
        well(db, "answer", *words)
        steps.append(mark(db))
    count = json.loads(well(db, "--json", "status"))["move"]
    said = json.loads(well(db, "--json", "undo", "--dry-run"))
    assert (said["move"], said["dry_run"]) == (count - 1, True)
    assert "Would take back" in well(db, "undo", "--dry-run")
    assert mark(db) == steps[-1]
    for step in reversed(steps[:-1]):
        well(db, "undo")
        assert mark(db) == step
    tried = well(db, "redo", "2", "--dry-run")
    assert "Would bring back" in tried and f"Would be at move {count}:" in tried
    assert mark(db) == steps[0]
    well(db, "redo", "2")
    assert mark(db) == steps[-1]
    well(db, "answer", "head,legs")
    while look(db, "open"):
        well(db, "answer", "no") if look(db, "open")["ask"] == "choose" else well(db, "answer", "1")
    whole = mark(db)
    well(db, "undo")  # nothing is open any more: the whole action
    assert mark(db) == begin
    well(db, "redo")
    assert mark(db) == whole


def test_case_38_an_undo_that_fails_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(Ledger.open.__func__.__kwdefaults__, "wait", 0.1)  # type: ignore[attr-defined]
    db = fighting(tmp_path / "kdm.db")
    before = mark(db)
    well(db, "monster", "turn", "--choose", "none")
    state, phase = mark(db), look(db, "phase")
    other = sqlite3.connect(db, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    said = kdmlog(db, "undo")
    assert (said.code, said.out, said.err.count("\n")) == (4, "", 1)
    assert (mark(db), look(db, "phase")) == (state, phase)
    other.execute("ROLLBACK")
    other.close()
    well(db, "undo")
    assert mark(db) == before
    assert look(db, "showdown.turn") == "monster"


def test_case_39_after_undo_the_place_and_state_are_those_before(tmp_path: Path) -> None:
    db = fighting(tmp_path / "kdm.db")
    known = [(head(db), mark(db), look(db))]
    for words in (("monster", "turn", "--choose", "lucy"), ("answer", "no"), ("attack", "erza")):
        well(db, *words)
        known.append((head(db), mark(db), look(db)))
    for want in reversed(known[:-1]):
        well(db, "undo", "--answer")
        assert (head(db), mark(db), look(db)) == want


def test_case_40_all_consequences_go_with_their_action(tmp_path: Path) -> None:
    db = script(tmp_path / "kdm.db", "table", until="settlement innovate")
    before, deck = mark(db), look(db, "settlement.innovation_deck")
    well(db, "settlement", "innovate", "--draw", "paint,drums", "--choose", "paint")
    assert set(look(db, "settlement.innovation_deck")) - set(deck)
    assert "paint" in look(db, "settlement.innovations")
    well(db, "undo")
    assert (mark(db), look(db, "settlement.innovation_deck")) == (before, deck)
    assert well(db, "verify") == ""
    well(db, "redo")
    assert "paint" in look(db, "settlement.innovations")
    assert well(db, "verify") == ""


# --- case 42 --------------------------------------------------------------------------------------


def conserved(state: State, cards: dict[str, Counter[str]]) -> None:
    """Every card of a monster's decks is in one zone, every gear and survivor in one place."""
    for deck, known in cards.items():
        if deck in state.decks:
            there = Counter(card for zone in state.decks[deck].zones.values() for card in zone)
            assert there == known, deck
    places = Counter(state.settlement.storage.gear)
    for id_, survivor in state.survivors.items():
        assert survivor.id == id_
        places.update(survivor.grid.values())
    assert set(places) <= set(state.gear)
    assert all(count == 1 for count in places.values()), places
    assert all(count > 0 for count in state.settlement.storage.resources.values())


def wander(session: Session, steps: int, seed: int) -> Counter[str]:
    """Does random commands, undos and redos; the state must be the known one after each."""
    rng, seen = random.Random(seed), Counter[str]()
    known = {session.head.hash: fingerprint(session.table.state)}
    cards: dict[str, Counter[str]] = {}
    for _ in range(steps):
        roll = rng.random()
        try:
            if roll < 0.25:
                session.undo(rng.randint(1, 3), answer=rng.random() < 0.3)
                seen["undo"] += 1
            elif roll < 0.4:
                session.redo()
                seen["redo"] += 1
            elif session.open is not None:
                options = getattr(session.open.request, "options", ())
                ids = [one.id for one in options if not one.id.startswith("far_")]
                session.answer([rng.choice(ids)] if ids else [])
                seen["answer"] += 1
            else:
                names = ("Ada f", "Bo m", "Cy f", "Di m")
                line = rng.choice(session.ready() or ["note x"])
                line = line.replace("NAME m|f", rng.choice(names)).replace("SURVIVOR", "lucy")
                do(session, line.replace("begin NAME", "begin Edge").split())
                seen["command"] += 1
        except KdmlogError:
            seen["refused"] += 1
        state: State = session.table.state
        number = fingerprint(state)
        assert known.setdefault(session.head.hash, number) == number
        for deck in ("ai", "hit_locations"):
            if deck in state.decks and deck not in cards:
                zones = state.decks[deck].zones.values()
                cards[deck] = Counter(card for zone in zones for card in zone)
        conserved(state, cards)
    return seen


def _wandered(db: Path, steps: int, seed: int, until: str) -> None:
    script(db, "app", until=until)
    with open_session(db) as session:
        seen = wander(session, steps, seed)
        assert all(seen[one] > steps // 100 for one in ("undo", "redo", "command")), seen
        assert session.verify() == []
        known = fingerprint(session.table.state)
    with open_session(db) as session:
        assert fingerprint(session.table.state) == known


@pytest.mark.parametrize("until", ["monster turn", "settlement begin"])
def test_case_42_many_undos_double_and_lose_nothing(tmp_path: Path, until: str) -> None:
    _wandered(tmp_path / "kdm.db", 150, 1, until)


@pytest.mark.long
@pytest.mark.parametrize("until", ["monster turn", "settlement begin"])
@pytest.mark.parametrize("seed", range(4))
def test_case_42_a_thousand_steps_double_and_lose_nothing(
    tmp_path: Path, until: str, seed: int
) -> None:
    _wandered(tmp_path / "kdm.db", 1000, seed, until)


# --- secrets, chance, groups ----------------------------------------------------------------------


def test_case_43_the_past_is_exact_inside_and_hides_what_lay_face_down(tmp_path: Path) -> None:
    db = tmp_path / "kdm.db"
    session, _ = new_campaign(db, "Edge")
    marks, looks = [], []
    with session:
        for words in (
            *spelt(*(f"survivor new {one}" for one in ("A m", "B f", "C f", "D m"))),
            ["showdown", "begin", "white_lion", "--first-story"],
            ["monster", "turn", "--choose", "a"],
        ):
            do(session, words)
            marks.append(fingerprint(session.table.state))
            looks.append(session.look())
        for number, (inside, outside) in enumerate(zip(marks, looks, strict=True), 2):
            assert fingerprint(session.at(str(number)).state) == inside
            assert session.look(at=str(number)) == outside
        seed, decks = session.table.state.seed, session.table.state.decks
        orders = [tuple(decks[one]["deck"]) for one in ("ai", "hit_locations")]
    texts = [well(db, *words) for words in LOOKING]
    for text in texts:
        assert seed not in text
        assert not any(_tells(text, order) for order in orders)
    spoilt = well(db, "events", "--spoilers")
    assert seed in spoilt


LOOKING = (
    ("state",),
    ("--json", "state"),
    ("state", "--at", "6"),
    ("status", "--at", "6"),
    ("showdown", "decks"),
    ("log", "--events"),
    ("--json", "log"),
    ("show", "1"),
    ("--json", "show", "1"),
    ("show", "6"),
    ("--json", "show", "6"),
    ("diff", "5", "7"),
    ("events",),
    ("replay",),
    ("oplog",),
    ("undo", "--dry-run"),
)


def _tells(text: str, order: tuple[str, ...]) -> bool:
    """Returns whether a text has the coming cards one after the other."""
    places = [text.find(f'"{card}"') for card in order[:6]]
    return -1 not in places and places == sorted(places)


def test_case_43_json_of_what_writes_tells_no_seed_and_no_coming_card(tmp_path: Path) -> None:
    """``--json`` once printed the seed and the order of a new deck."""
    db = tmp_path / "kdm.db"
    begun = json.loads(well(db, "--json", "new", "Edge", "--seed", "s3cr3t"))
    assert "s3cr3t" not in json.dumps(begun)
    for name in ("A m", "B f", "C f", "D m"):
        well(db, "survivor", "new", *name.split())
    words = ("showdown", "begin", "white_lion", "--first-story")
    facts = json.loads(well(db, "--json", *words))["events"]
    for fact in facts:
        if fact["kind"] == "core.deck_shuffled":
            assert fact["order"] == sorted(fact["order"])
    well(db, "undo")
    spoilt = json.loads(well(db, "--json", "--spoilers", *words))["events"]
    orders = [one["order"] for one in spoilt if one["kind"] == "core.deck_shuffled"]
    assert orders and any(order != sorted(order) for order in orders)


def test_case_43_nobody_is_told_which_ai_cards_were_dealt(tmp_path: Path) -> None:
    db = tmp_path / "kdm.db"
    well(db, "new", "Edge", "-p", "Ann", "--from", str(SESSIONS / "butcher.toml"))
    for words in ("depart al er lu za --nemesis butcher", "showdown begin --no-board"):
        well(db, *words.split())
    with open_session(db) as session:
        ai = session.table.state.decks["ai"]
        dealt, left = Counter(ai["deck"]), Counter(ai["pool"])
    assert left
    for words in (("--json", "show", "3"), ("events",), ("state",)):
        text = well(db, *words)
        for told in re.findall(r"\[[^][]*\]", text):
            named = Counter(re.findall(r'"(\w+)"', told))
            assert named not in (dealt, left), words


def test_case_45_the_same_action_rolls_the_same_after_undo(tmp_path: Path) -> None:
    db = fighting(tmp_path / "kdm.db")
    words = ("monster", "turn", "--choose", "lucy")
    first = json.loads(well(db, "--json", *words))
    assert any(one["kind"] == "core.dice_rolled" for one in first["events"])
    assert "The same action will roll the same." in well(db, "undo")
    assert json.loads(well(db, "--json", *words)) == first
    well(db, "undo")
    well(db, "branch", "other", "--reseed")
    well(db, "switch", "other")
    rolls = [well(db, "roll", "2d100") for _ in range(5)]
    well(db, "switch", "main")
    assert [well(db, "roll", "2d100") for _ in range(5)] != rolls
    assert "core.reseeded" in well(db, "events", "-b", "other")


def test_case_46_dice_go_on_where_they_stopped(tmp_path: Path) -> None:
    one, other = tmp_path / "one.db", tmp_path / "other.db"
    for db in (one, other):
        well(db, "new", "Edge", "--seed", "same")
    for _ in range(10):
        well(one, "roll", "d10")
    path = tmp_path / "ten.kdm"
    path.write_text("roll d10\n" * 10)
    well(other, "run", str(path))
    faces = [[roll["faces"] for roll in events(db, "core.dice_rolled")] for db in (one, other)]
    assert faces[0] == faces[1]
    assert len({face for [face] in faces[0]}) > 3
    assert [roll["key"] for roll in events(one, "core.dice_rolled")] == list(range(10))


def test_case_50_undo_walks_back_one_at_a_time_after_a_script_failed(tmp_path: Path) -> None:
    db = founded(tmp_path / "kdm.db")
    adjust = "adjust survivors.lucy.insanity +1 --why x\n"
    path = tmp_path / "six.kdm"
    path.write_text(adjust * 4 + "adjust survivors.lucy.insanity +x --why x\n" + adjust)
    said = kdmlog(db, "run", str(path))
    assert said.code == 1 and said.err.startswith(f"{path}, line 5: ")
    assert look(db, "survivors.lucy.insanity") == 4
    for left in (3, 2, 1):
        well(db, "undo")
        assert look(db, "survivors.lucy.insanity") == left
    for now in (2, 3, 4):
        well(db, "redo")
        assert look(db, "survivors.lucy.insanity") == now
    assert kdmlog(db, "redo").code == 1
    assert "Take back the last actions." in well(db, "undo", "--help")


def test_case_52_the_log_is_readable_and_undo_says_what_it_would_change(tmp_path: Path) -> None:
    db = script(tmp_path / "kdm.db", "table", until="end-turn")
    log = well(db, "log").splitlines()
    assert len(log) == len(json.loads(well(db, "--json", "log")))
    for line in log:
        number, hash_, by, text = line.split(None, 3)
        assert number.isdigit() and len(hash_) == 4 and by == "-"
        assert len(text) > 10 and "{" not in text and "kdm." not in text
    tried = json.loads(well(db, "--json", "undo", "--dry-run"))
    text = well(db, "undo", "--dry-run")
    before = look(db)
    done = json.loads(well(db, "--json", "undo"))
    assert {**tried, "dry_run": False} == done
    assert done["changes"] and all(line in text for line in done["changes"])
    well(db, "redo")
    assert look(db) == before


def developing(db: Path) -> Path:
    """Plays the prologue by hand up to the first innovation."""
    return script(db, "table", until="settlement innovate")


def test_case_3_the_reply_to_an_innovation_shows_the_limit_it_raised(tmp_path: Path) -> None:
    db = developing(tmp_path / "kdm.db")
    limit = look(db, "settlement.survival_limit")
    had = {id_: one["survival"] for id_, one in look(db, "survivors").items()}
    said = well(db, "settlement", "innovate", "--draw", "symposium,paint", "--choose", "symposium")
    assert f"survival limit {limit} → {limit + 1}" in said
    assert f"/{limit + 1}" in well(db, "survivor", "show", "erza")
    assert had == {id_: one["survival"] for id_, one in look(db, "survivors").items()}


def test_case_35_small_changes_by_different_routes_are_undone_one_by_one(tmp_path: Path) -> None:
    db = fighting(tmp_path / "kdm.db")
    places = [mark(db)]
    well(db, "adjust", "survivors.lucy.insanity", "+1", "--why", "forgotten")
    places.append(mark(db))
    lines_file = tmp_path / "one.kdm"
    lines_file.write_text("adjust survivors.lucy.courage +1 --why forgotten\n")
    well(db, "run", str(lines_file))
    places.append(mark(db))
    typed = "adjust survivors.erza.insanity +1 --why forgotten\n"
    ended = subprocess.run(
        [sys.executable, "-m", "kdmlog", "--db", str(db), "play"],
        input=typed,
        text=True,
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert "insanity 0 → 1" in ended.stdout
    for place in reversed(places):
        well(db, "undo")
        assert mark(db) == place


def test_case_52_the_log_has_a_line_an_action_and_a_dry_undo_tells_the_difference(
    tmp_path: Path,
) -> None:
    db = fighting(tmp_path / "kdm.db")
    well(db, "adjust", "survivors.lucy.insanity", "+2", "--why", "forgotten")
    lines_ = well(db, "log").splitlines()
    assert len(lines_) == look_log(db)
    assert "insanity" in lines_[0] and "forgotten" in lines_[0]
    before = mark(db)
    tried = well(db, "undo", "--dry-run")
    assert "Lucy  insanity 0" in tried
    assert mark(db) == before


def look_log(db: Path) -> int:
    return len(json.loads(well(db, "--json", "log", "-n", "0")))


def test_case_67_the_same_typed_again_counts_and_says_so(tmp_path: Path) -> None:
    db = fighting(tmp_path / "kdm.db")
    words = ("adjust", "survivors.lucy.insanity", "+1", "--why", "forgotten")
    well(db, *words)
    before = moves(db)
    said = well(db, *words)
    assert f"The same as move {before}" in said
    assert look(db, "survivors.lucy.insanity") == 2
    for _ in range(2):
        well(db, *words, "--request-id", "once")
    assert look(db, "survivors.lucy.insanity") == 3
    for _ in range(2):  # app dice fall anew: nothing to wonder at
        assert "The same as" not in well(db, "roll", "d10")


def test_case_80_survivors_are_found_by_what_is_on_their_sheets(tmp_path: Path) -> None:
    db = fighting(tmp_path / "kdm.db")
    well(db, "adjust", "survivors.erza.disorders.prey", "1", "--why", "a ruling")
    for text in ("prey", "PREY"):
        said = well(db, "survivor", "list", text)
        assert "Erza" in said and "Lucy  " not in said
        assert list(json.loads(well(db, "--json", "survivor", "list", text))) == ["erza"]
    assert all(len(line) <= 80 for line in well(db, "survivor", "list", "stone").splitlines())
    assert "No survivor's sheet" in well(db, "survivor", "list", "nonsense")
    assert well(db, "survivor", "list").splitlines()[0].split()[:3] == ["Survivor", "Sex", "Player"]


@pytest.mark.parametrize(
    ("name", "fits"),
    [
        ("N" * 200, True),
        ("🦁 Łucja", True),
        ("שלום", True),
        ("Q\"uo'te", True),
        ("two\nlines", True),
        ("", False),
        ("   ", False),
    ],
)
def test_case_81_any_name_is_taken_or_refused_in_a_line(
    tmp_path: Path, name: str, fits: bool
) -> None:
    db = tmp_path / "kdm.db"
    well(db, "new", "Edge")
    before = moves(db)
    said = kdmlog(db, "survivor", "new", name, "f")
    assert (said.code == 0) is fits, said
    if not fits:
        assert said.err.count("\n") == 1 and moves(db) == before
        return
    [one] = look(db, "survivors").values()
    assert one["name"] == name
    assert all(len(line) <= 80 for line in well(db, "survivor", "list").splitlines())


def test_case_81_two_campaigns_of_one_name_keep_apart(tmp_path: Path) -> None:
    db = tmp_path / "kdm.db"
    well(db, "new", "Embers")
    assert kdmlog(db, "new", "embers").err == "There is already a campaign embers.\n"
    well(db, "new", "new")
    slugs = [one["slug"] for one in json.loads(well(db, "--json", "campaigns"))]
    assert len(set(slugs)) == 2


def test_undoing_the_tables_own_dice_promises_nothing(tmp_path: Path) -> None:
    db = fighting(tmp_path / "kdm.db", "--table")
    well(db, "roll", "d10", "--dice", "7")
    assert "The same action will roll the same" not in well(db, "undo")
    assert "stays: branch NAME --at h:" in well(db, "note", "another way")


def test_show_without_a_number_shows_the_last_action(tmp_path: Path) -> None:
    db = fighting(tmp_path / "kdm.db")
    well(db, "note", "a tooth for Lucy")
    assert "a tooth for Lucy" in well(db, "show")
    assert kdmlog(db, "replay", "3..1").err == "3..1 ends before it begins.\n"
