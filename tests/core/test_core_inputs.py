"""Inputs: how what a person typed answers a choice or fills in values."""

from __future__ import annotations

import pytest

from kdmlog.core.errors import BadInput
from kdmlog.core.inputs import Inputs
from kdmlog.core.requests import Choose, Field, Fill, Opportunity, Option

OPTIONS = (Option("power_smash", "Power Smash"), Option("chomp"), Option("claw"))


def choose(text: str, least: int = 1, most: int = 1) -> tuple[str, ...]:
    request = Choose(purpose="p", options=OPTIONS, least=least, most=most)
    return Inputs(choices=[text]).take_choice(request)


def test_one_of_them() -> None:
    assert choose("power smash") == ("power_smash",)
    assert choose("PO") == ("power_smash",)


def test_several() -> None:
    assert choose("chomp, claw", 1, 3) == ("chomp", "claw")
    assert choose("chomp;claw;chomp", 1, 3) == ("chomp", "claw")
    assert choose("none", 0, 2) == ()


@pytest.mark.parametrize(("text", "least", "most"), [("c", 1, 1), ("none", 1, 1), ("chomp", 2, 2)])
def test_too_few_or_unclear(text: str, least: int, most: int) -> None:
    with pytest.raises(BadInput):
        choose(text, least, most)


def test_an_opportunity_is_taken_or_passed() -> None:
    request = Opportunity(purpose="p", options=OPTIONS)
    assert Inputs(choices=["pass"]).take_choice(request) == ("pass",)
    assert Inputs(choices=["chomp"]).take_choice(request) == ("chomp",)


TWO = Fill(
    purpose="p",
    fields=(Field("zone", "word", default="ring6"), Field("blind", "word", default="behind")),
)


@pytest.mark.parametrize(
    ("typed", "values", "left"),
    [
        ("zone=short-edge blind=0,-1", {"zone": "short-edge", "blind": "0,-1"}, []),
        ("zone=1-3,5,blind=none 70", {"zone": "1-3,5", "blind": "none"}, ["70"]),
        ("short-edge none 70", {"zone": "short-edge", "blind": "none"}, ["70"]),
        ("blind=none", {"zone": "ring6", "blind": "none"}, []),
        ("zone=5 8 70", {"zone": "5 8", "blind": "behind"}, ["70"]),
        ("5 8 none 70", {"zone": "5 8", "blind": "none"}, ["70"]),
        (". 70", {"zone": "ring6", "blind": "behind"}, ["70"]),
    ],
)
def test_values_are_typed_by_name_or_in_order(
    typed: str, values: dict[str, str], left: list[str]
) -> None:
    given = Inputs(loose=typed.split())
    given.loosen(TWO)
    assert given.take_values(TWO) == values
    assert given.loose == left


def test_a_value_that_nobody_asked_for_is_no_default() -> None:
    given = Inputs(loose=["zones=ring6"])
    given.loosen(TWO)
    with pytest.raises(BadInput, match="No value 'zones'"):
        given.take_values(TWO)


def test_values_are_typed() -> None:
    fields = (Field("speed"), Field("who", "word"), Field("effects", "words", default=""))
    given = Inputs(fills=[{"speed": "-2", "who": "lucy"}])
    assert given.take_values(Fill(purpose="p", fields=fields)) == {
        "speed": -2,
        "who": "lucy",
        "effects": [],
    }
    given = Inputs(fills=[{"speed": "1", "who": "", "effects": "knock_down lucy; bleed 1"}])
    assert given.take_values(Fill(purpose="p", fields=fields))["effects"] == [
        "knock_down lucy",
        "bleed 1",
    ]


@pytest.mark.parametrize(
    ("typed", "taken", "left"),
    [
        ("chomp 70", "chomp", ["70"]),
        ("70 y", "pass", ["70", "y"]),
        ("pass 70", "pass", ["70"]),
        ("pass", "pass", []),
    ],
)
def test_in_a_line_an_opportunity_is_passed_by_its_word_or_by_what_follows(
    typed: str, taken: str, left: list[str]
) -> None:
    inputs = Inputs(loose=typed.split())
    inputs.loosen(Opportunity(purpose="p", options=OPTIONS))
    assert (inputs.choices, inputs.loose) == ([taken], left)


FLOW = ("dash_lil", "encourage_mara_lil", "encourage_mara_old_tom", "encourage_old_tom_mara")


@pytest.mark.parametrize(
    ("typed", "taken", "left"),
    [
        ("mara en old", "encourage_mara_old_tom", []),
        ("Old Tom en Mara 70", "encourage_old_tom_mara", ["70"]),
        ("encourage mara lil", "encourage_mara_lil", []),
        ("dash lil 17 4", "dash_lil", ["17", "4"]),
        ("lil d 17 4", "dash_lil", ["17", "4"]),
        ("lil 70", "pass", ["lil", "70"]),
    ],
)
def test_who_interrupts_may_be_named_first_as_in_their_own_turn(
    typed: str, taken: str, left: list[str]
) -> None:
    inputs = Inputs(loose=typed.split())
    request = Opportunity(purpose="flow", options=tuple(map(Option, FLOW)))
    inputs.loosen(request)
    assert inputs.loose == left
    assert inputs.take_choice(request) == (taken,)


def test_whoever_could_encourage_several_is_asked_to_say_more() -> None:
    inputs = Inputs(loose=["mara", "en"])
    with pytest.raises(BadInput, match="encourage_mara_lil, encourage_mara_old_tom"):
        inputs.loosen(Opportunity(purpose="flow", options=tuple(map(Option, FLOW))))


SPACES = (Option("9-13"), Option("9-1", "over Erza"), Option("8-6"))


@pytest.mark.parametrize(("typed", "picked"), [("9 1", "9-1"), ("9-13", "9-13"), ("8,6", "8-6")])
def test_a_space_is_typed_with_a_blank_a_dash_or_a_comma(typed: str, picked: str) -> None:
    request = Choose(purpose="monster_path", options=SPACES)
    inputs = Inputs(loose=[*typed.split(), "70"])
    inputs.loosen(request)
    assert (inputs.take_choice(request), inputs.loose) == ((picked,), ["70"])


@pytest.mark.parametrize("typed", ["17 4", "17-4", "17,4", "3n2e"])
def test_where_to_dash_is_typed_behind_the_dash(typed: str) -> None:
    request = Fill(purpose="dash", fields=(Field("to", "words"),))
    inputs = Inputs(loose=[*typed.split(), "70"])
    inputs.loosen(request)
    assert (inputs.take_values(request), inputs.loose) == ({"to": [typed]}, ["70"])


def test_an_option_is_named_as_printed_in_several_words() -> None:
    gear = (Option("furious_greaves"), Option("furious_vambraces"))
    request = Choose(purpose="p", options=gear)
    inputs = Inputs(loose=["furious", "greaves", ".", "70"])
    inputs.loosen(request)
    assert (inputs.take_choice(request), inputs.loose) == (("furious_greaves",), [".", "70"])


def test_a_full_stop_behind_an_option_is_the_next_answer() -> None:
    request = Choose(purpose="target", options=(Option("erza"), Option("zachary")))
    inputs = Inputs(loose=["z", ".", "88"])
    inputs.loosen(request)
    assert (inputs.take_choice(request), inputs.loose) == (("zachary",), [".", "88"])


def test_faces_for_a_later_roll_are_no_space_and_no_effects() -> None:
    inputs = Inputs(loose=["6", "3"])
    inputs.loosen(Choose(purpose="monster_path", options=SPACES))
    inputs.loosen(Fill(purpose="card", fields=(Field("effects", "words", default=""),)))
    assert inputs.loose == ["6", "3"]
