"""The effect script: typed, checked when loaded, and played step by step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from kdmlog.core.events import Deferred, DiceRolled
from kdmlog.core.inputs import Inputs
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.content import HuntEvent
from kdmlog.games.kdm.rules import VERBS, harm, script
from kdmlog.packs.yaml_loader import parse

from .scene import developing, fight, first_story, founders, given, of, play, run, store, who

FILE = Path(__file__).with_name("hard_scripts.yaml")
HARD: dict[str, Any] = parse(FILE.read_bytes(), FILE.name).data


# --- loading --------------------------------------------------------------------------------------


def test_the_hard_scripts_are_sound_yaml() -> None:
    document = parse(FILE.read_bytes(), FILE.name)
    assert document.whole
    assert document.findings == []
    assert list(HARD) == ["3", "31", "52", "83", "97", "bone_witch"]


@pytest.mark.parametrize("key", HARD)
def test_a_hard_script_type_checks_and_its_tables_have_no_gap(key: str) -> None:
    steps = s.decode(HARD[key])
    assert s.problems_of(HuntEvent(name=key, steps=steps)) == []
    again = msgspec.convert(msgspec.to_builtins(steps), list[s.Step])
    assert again == steps


REQUESTS = {
    "3": [
        "0.bind: roll 1d10 each",
        "1.each.steps.0.table: roll 1d10",
        "1.each.steps.0.table.rows.4-6.0.pay: choose",
        "1.each.steps.0.table.rows.9+.0.gain_resource: draw basic",
    ],
    "31": [
        "0.choose: choose",
        "0.choose.options.follow.steps.0.table: roll 1d10",
        "0.choose.options.follow.steps.0.table.rows.1.0.damage: roll at random",
        "0.choose.options.follow.steps.0.table.rows.2-4.0.set: roll at random",
        "0.choose.options.follow.steps.0.table.rows.8-9.0.each.steps.0.gain_resource: draw basic",
    ],
    "52": [],
    "83": [
        "0.table: roll 1d10",
        "0.table.rows.2-4.0.pay: choose",
        "0.table.rows.10+.0.if.then.0.choose: choose",
    ],
    "97": [
        "0.split: roll 1d10",
        "1.each.steps.1.damage: roll location",
        "2.if.then.0.choose: choose",
        "2.if.then.1.table: roll 1d10",
    ],
    "bone_witch": [],
}


@pytest.mark.parametrize("key", HARD)
def test_a_hard_script_lists_what_it_may_ask(key: str) -> None:
    assert s.requests(s.decode(HARD[key])) == REQUESTS[key]


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"gain": {"courage": 1}, "lose": {"courage": 1}},
        {"gains": {"courage": 1}},
        {"gain": {"bravery": 1}},
        {"gain": {"courage": "lots"}},
        {"die": {"whom": "all"}},
        {"table": {"roll": "1d10"}},
    ],
)
def test_a_step_has_exactly_one_verb_with_what_it_needs(wrong: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        s.decode([wrong])


@pytest.mark.parametrize(
    ("rows", "wrong"),
    [
        (["1-3", "5+"], ["4 is in 0 rows"]),
        (["1-5", "5+"], ["5 is in 2 rows"]),
        (["3-", "4+"], []),
        (["odd", "even"], []),
        (["1-9"], ["10 is in 0 rows"]),
    ],
)
def test_rows_cover_their_dice_once(rows: list[str], wrong: list[str]) -> None:
    assert s.gaps({row: [] for row in rows}, 1, 10) == wrong


@pytest.mark.parametrize(("result", "row"), [(-3, "2-4"), (2, "2-4"), (9, "5-9"), (14, "5-9")])
def test_a_modified_result_beyond_the_table_falls_into_its_end(result: int, row: str) -> None:
    assert s.row({"5-9": [], "2-4": []}, result) == row


def test_a_table_with_a_hole_is_a_finding() -> None:
    steps = s.decode([{"table": {"roll": "1d10", "rows": {"1-4": [], "6+": []}}}])
    assert s.problems_of(HuntEvent(name="x", steps=steps)) == [("steps.0.table", "5 is in 0 rows")]


def test_every_verb_of_the_core_packs_scripts_is_played() -> None:
    later = {"absent_until", "ambush", "archive_gear", "begin_showdown", "revive", "roll_again"}
    known = set(s.Step.__struct_encode_fields__)
    assert set(VERBS) <= known
    assert known - set(VERBS) <= later


# --- the hard ones, played ------------------------------------------------------------------------


def test_cancer_pigeons_lowest_roll_together_and_noise_counts() -> None:
    game = founders()
    steps = HARD["3"]
    who(game, "erza").survival = 0
    events = play(game, steps, given("2 2 9 10 5 8"), who="allister")
    assert who(game).survival == 0
    assert who(game).impairments == []
    assert who(game, "erza").impairments == []
    assert len(of(events, DiceRolled)) == 6
    play(game, steps, given("2 2 9 10 5 3"), who="allister")
    assert who(game).impairments == ["cancerous_illness"]
    assert who(game, "erza").impairments == ["cancerous_illness"]


def test_strange_path_adds_understanding_and_rolls_again_with_2_more() -> None:
    game = founders()
    steps = HARD["31"]
    who(game).insanity = 3
    who(game).understanding = 1
    play(game, steps, given("4 6", "follow"), who="allister")
    assert [one.insanity for one in game.state.survivors.values()] == [2, 0, 0, 0]
    assert who(game, "erza").injuries == {"brain": ["light"]}
    assert [len(one.resources) for one in game.state.survivors.values()] == [1, 1, 1, 1]


def test_strange_path_is_for_the_insane_only() -> None:
    game = founders()
    steps = HARD["31"]
    with pytest.raises(Exception, match="follow"):
        play(game, steps, given("4", "follow"), who="allister")


def test_madflies_wait_for_their_rounds() -> None:
    game = founders()
    steps = HARD["52"]
    events = play(game, steps, who="allister")
    waiting = of(events, Deferred)
    assert [one.at for one in waiting] == ["round_start"] * 3
    assert [one.path for one in waiting] == ["steps.0.later", "steps.1.later", "steps.2.later"]
    assert len({one.id for one in waiting}) == 3


def test_flesh_monolith_who_cannot_pay_falls_into_the_first_row() -> None:
    steps = HARD["83"]
    game = founders()
    play(game, steps, given("2"), who="allister")
    assert (who(game).alive, who(game).survival) == (True, 0)
    who(game, "erza").courage = 2
    play(game, steps, given("4"), who="allister")
    assert not who(game).alive
    assert who(game, "erza").courage == 0
    assert who(game, "erza").injuries == {"brain": ["light"]}


# --- groups ---------------------------------------------------------------------------------------


def named(game: Any, group: object, inputs: Inputs | None = None, who_: str = "") -> list[str]:
    steps = [{"each": {"who": group, "steps": [{"gain": {"insanity": 1}}]}}]
    for one in game.state.survivors.values():
        one.insanity = 0
    play(game, steps, inputs, who=who_)
    return [id_ for id_, one in game.state.survivors.items() if one.insanity]


def test_who_left_out_is_the_one_the_script_is_about() -> None:
    game = founders()
    play(game, [{"gain": {"insanity": 1}}], who="lucy")
    assert who(game, "lucy").insanity == 1
    assert named(game, "others", who_="lucy") == ["allister", "erza", "zachary"]


def test_groups_leave_out_the_dead() -> None:
    game = first_story()
    run(game, harm.die(game.table, ["erza"], "a test"))
    assert named(game, "all") == ["allister", "lucy", "zachary"]


def test_a_group_by_condition_and_by_figure() -> None:
    game = founders()
    who(game).courage = 2
    who(game, "lucy").courage = 2
    who(game, "zachary").courage = 1
    assert named(game, {"where": {"stat": {"courage": "2+"}}}) == ["allister", "lucy"]
    assert named(game, {"where": {"sex": "female"}}) == ["erza", "lucy"]
    assert named(game, {"where": {"not": {"sex": "female"}}}) == ["allister", "zachary"]
    assert named(game, {"highest": "courage"}) == ["allister", "lucy"]
    assert named(game, {"lowest": "courage"}) == ["erza"]
    assert named(game, {"highest": "courage", "ties": "choose"}, given("", "lucy")) == ["lucy"]
    chosen = {"highest": "courage", "where": {"sex": "male"}}
    assert named(game, chosen) == ["allister"]


def test_a_contest_is_a_roll_each_with_its_modifiers() -> None:
    game = founders()
    who(game, "lucy").courage = 3
    contest = {"lowest": {"roll": "1d10", "add": ["courage"]}}
    assert named(game, contest, given("4 5 2 6")) == ["allister"]
    lucky = {"roll": "1d10", "add": [{"by": -4, "if": {"stat": {"courage": "3+"}}}]}
    assert named(game, {"lowest": lucky}, given("4 5 6 6")) == ["lucy"]


def test_random_is_one_of_the_group() -> None:
    game = founders()
    assert len(named(game, {"random": 1, "of": "all"})) == 1


def test_split_and_any_of_and_choose_from_a_named_group() -> None:
    game = founders()
    steps = [
        {"split": {"who": "all", "roll": "1d10", "into": {"held": "6+", "fell": "1-5"}}},
        {"gain": {"who": "fell", "insanity": 1}},
        {
            "if": {
                "is": {"any_of": "held"},
                "then": [
                    {"choose": {"from": "held", "as": "elected"}},
                    {"gain": {"who": "elected", "courage": 1}},
                ],
                "else": [{"gain": {"who": "all", "courage": 2}}],
            }
        },
    ]
    play(game, steps, given("6 5 10 1", "lucy"))
    assert [one.insanity for one in game.state.survivors.values()] == [0, 1, 0, 1]
    assert [one.courage for one in game.state.survivors.values()] == [0, 0, 1, 0]
    game = founders()
    play(game, steps, given("5 5 1 1"))
    assert [one.courage for one in game.state.survivors.values()] == [2, 2, 2, 2]


# --- conditions -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("insane", True),
        ("deaf", True),
        ("blind", False),
        ({"stat": {"courage": "2-", "insanity": 4}}, True),
        ({"stat": {"disorders": "1+"}}, True),
        ({"has": {"disorder": "prey"}}, True),
        ({"has": {"gear": "stone"}}, True),
        ({"has": {"gear": "noisy"}}, False),
        ({"has": {"gear_id": "cloth"}}, True),
        ({"has": {"who": "others", "disorder": "prey"}}, False),
        ({"has": {"injury": "deaf", "count": 2}}, False),
        ({"has": {"resource": "bone"}}, True),
        ({"has": {"resource": "organ"}}, False),
        ({"phase": "prologue"}, True),
        ({"year": "1+"}, False),
        ({"innovated": "language"}, False),
        ({"all": ["insane", {"sex": "male"}]}, True),
        ({"all": ["insane", {"sex": "female"}]}, False),
        ({"any": ["blind", {"sex": "male"}]}, True),
        ({"any": ["blind", {"sex": "female"}]}, False),
        ({"not": "insane"}, False),
        ({"who": "others", "sex": "female"}, True),
        ({"who": "others", "stat": {"insanity": "1+"}}, False),
        ({"lost_anyone": True}, False),
    ],
)
def test_a_condition(condition: object, holds: bool) -> None:
    game = founders()
    one = who(game)
    one.insanity = 4
    one.severe_injuries = ["deaf"]
    one.disorders = ["prey"]
    one.resources = ["lion_claw"]
    step = {"if": {"is": condition, "then": [{"gain": {"courage": 1}}]}}
    play(game, [step], who="allister")
    assert (who(game).courage == 1) is holds


# --- verbs of flow --------------------------------------------------------------------------------


def test_pay_takes_what_can_be_paid_else_the_alternative_plays() -> None:
    step = {"pay": {"survival": 1, "then": [{"gain": {"courage": 1}}], "else": [{"die": {}}]}}
    game = founders()
    play(game, [step], who="allister")
    assert (who(game).survival, who(game).courage) == (0, 1)
    play(game, [step], who="allister")
    assert not who(game).alive


def test_pay_that_may_be_declined_is_asked() -> None:
    step = {
        "pay": {"resource": "bone", "count": 2, "may": True, "else": [{"gain": {"courage": 1}}]}
    }
    game = developing("erza")
    store(game, monster_bone=1, lion_claw=1)
    play(game, [step], given("", "no"), who="allister")
    assert who(game).courage == 1
    play(game, [step], given("", "yes", "lion_claw"), who="allister")
    assert game.state.settlement.storage.resources == {}
    play(game, [step], who="allister")
    assert who(game).courage == 2


def test_a_row_may_refer_to_another_row() -> None:
    rows = {"1-5": [{"row": 9}], "6+": [{"gain": {"courage": 1}}]}
    game = founders()
    play(game, [{"table": {"roll": "1d10", "rows": rows}}], given("1"), who="allister")
    assert who(game).courage == 1


def test_a_jump_ends_the_steps_of_its_row() -> None:
    rows = {"1": [{"row": 2}, {"die": {}}], "2+": [{"gain": {"courage": 1}}]}
    game = founders()
    play(game, [{"table": {"roll": "1d10", "rows": rows}}], given("1"), who="allister")
    assert who(game).alive
    assert who(game).courage == 1


def test_a_figure_may_be_rolled_or_read_off_or_stand_by_level() -> None:
    game = first_story()
    who(game).understanding = 2
    steps = [
        {"gain": {"insanity": {"roll": "1d5"}}},
        {"gain": {"insanity": {"stat": "understanding"}}},
        {"gain": {"insanity": {"level": 2}}},
    ]
    play(game, steps, given("7"), who="allister")
    assert who(game).insanity == 4 + 2 + 2
    fight(game).level = "3"
    play(game, [{"gain": {"insanity": {"level": 2}}}], who="allister")
    assert who(game).insanity == 8 + 6


def test_a_bar_holds_until_its_moment() -> None:
    game = first_story()
    play(game, [{"bar": {"what": ["dodge"], "until": "showdown_end"}}], who="allister")
    assert who(game).bars == {"dodge": "showdown_end"}


def test_what_is_deferred_plays_once_at_its_moment_from_the_pack_in_force() -> None:
    game = developing("erza")
    play(game, [{"trigger": "principle_death"}], given("1", "cannibalize"))
    game.state.settlement.departing = ["allister"]
    assert len(game.state.deferred) == 1
    run(game, script.play_deferred(game.table, "another_moment"))
    assert who(game).insanity == 0
    run(game, script.play_deferred(game.table, "depart"))
    assert who(game).insanity == 3
    run(game, script.play_deferred(game.table, "depart"))
    assert who(game).insanity == 3


def test_an_effect_we_do_not_know_is_asked_of_the_table_and_played_by_the_rules() -> None:
    game = first_story()
    effects = "knock_down erza; bleed lucy 1; damage zachary 1 arms; gain allister courage 1"
    play(game, [{"ask_table": "what the card says"}], given(effects=effects), who="allister")
    assert who(game, "erza").knocked_down == 1
    assert who(game, "lucy").tokens == {"bleeding": 1}
    assert who(game, "zachary").injuries == {"arms": ["light"]}
    assert who(game).courage == 1
    with pytest.raises(Exception, match="does not fit"):
        play(game, [{"ask_table": "x"}], given(effects="bleed lucy many"), who="allister")


def test_facts_carry_the_record_they_follow_from() -> None:
    game = first_story()
    events = run(game, harm.suffer(game.table, "allister", "deaf"))
    assert [one.cause for one in events] == ["", "injury:deaf", "injury:deaf"]
