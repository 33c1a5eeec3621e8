"""The runner: answers, suspends, resumes; notices changed rules and left-over inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from kdmlog.core import events as e
from kdmlog.core.errors import BadInput, Refused, RulesChanged
from kdmlog.core.fingerprint import fingerprint
from kdmlog.core.fold import CORE_FOLDS
from kdmlog.core.inputs import Inputs
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.core.requests import (
    Ask,
    Choose,
    Field,
    Fill,
    Opportunity,
    Option,
    Roll,
)
from kdmlog.core.runner import Carried, Recorded, Runner
from kdmlog.core.state import State

Rule = Callable[[], Procedure[Any]]


@rule("t.outer")
def everything() -> Procedure[None]:
    faces = yield Roll(purpose="first", dice="2d10")
    yield Record(e.Noted(text=f"rolled {faces}"))
    yield from inner()
    yield Record(e.Noted(text="done"), cause="t.card")


@rule("t.inner")
def inner() -> Procedure[str]:
    yield Opportunity(purpose="nobody")
    [answer] = yield Choose(purpose="which", options=(Option("left"), Option("right")))
    told = yield Fill(purpose="told", fields=(Field("speed", least=0, most=9),))
    yield Record(e.Noted(text=f"{answer} {told['speed']}"))
    return str(answer)


def run(
    procedure: Rule,
    inputs: Inputs | None = None,
    recorded: list[e.Event] | None = None,
    slipped: tuple[e.Event, ...] = (),
    **state: Any,
) -> tuple[Ask | None, Runner]:
    given = [Recorded(event, event not in slipped) for event in recorded or []]
    runner = Runner(
        State(seed="t", **state), CORE_FOLDS, inputs or Inputs(), began=1, recorded=given
    )
    return runner.run(procedure()), runner


def full() -> Inputs:
    return Inputs(choices=["left"], fills=[{"speed": "3"}])


def test_one_go() -> None:
    asked, runner = run(everything, full())
    assert asked is None
    notes = [event.text for event in runner.events if isinstance(event, e.Noted)]
    assert notes == [f"rolled {list(runner.events[0].faces)}", "left 3", "done"]  # type: ignore[attr-defined]
    assert runner.state.keys == 2


def test_facts_bear_the_innermost_rule_or_the_record_given() -> None:
    _, runner = run(everything, full())
    causes = [event.cause for event in runner.events if isinstance(event, e.Noted)]
    assert causes == ["t.outer", "t.inner", "t.card"]


def test_it_suspends_at_what_cannot_be_answered_and_resumes_with_the_same_facts() -> None:
    _, whole = run(everything, full())
    log: list[e.Event] = []
    answers = iter([Inputs(), Inputs(choices=["left"]), Inputs(fills=[{"speed": "3"}])])
    purposes = []
    asked: Ask | None
    while True:
        asked, runner = run(everything, next(answers), log)
        log += runner.events
        if asked is None:
            break
        purposes.append(asked.purpose)
        log.append(e.Asked(request=asked, began=1))
    assert purposes == ["which", "told"]
    assert [one for one in log if not isinstance(one, e.Asked)] == whole.events
    assert fingerprint(runner.state) == fingerprint(whole.state)


def test_an_opportunity_of_nobody_before_a_question_goes_by_again() -> None:
    asked, first = run(inner)
    assert asked is not None and asked.purpose == "which"
    log = [*first.events, e.Asked(request=asked, began=1)]
    for flows in (False, True):
        asked, _ = run(inner, Inputs(choices=["right"], flows=flows), log)
        assert asked is not None and asked.purpose == "told"


def test_with_flows_an_opportunity_of_nobody_is_asked_and_kept() -> None:
    asked, _ = run(inner, Inputs(flows=True))
    assert isinstance(asked, Opportunity)
    answered, runner = run(inner, Inputs(choices=["pass"], flows=True))
    assert answered is not None and answered.purpose == "which"
    again, _ = run(inner, Inputs(choices=["left"]), runner.events)
    assert again is not None and again.purpose == "told"


def test_what_was_slipped_in_folds_at_its_place() -> None:
    asked, first = run(everything)
    assert asked is not None
    seed = e.Reseeded(seed="other")
    log = [*first.events, e.Asked(request=asked, began=1), seed]
    asked, runner = run(everything, Inputs(choices=["left"]), log, slipped=(seed,))
    assert asked is not None and runner.state.seed == "other"


@rule("t.outer")
def otherwise() -> Procedure[None]:
    yield Roll(purpose="first", dice="2d10")
    yield Record(e.Noted(text="something else"))


@rule("t.outer")
def shorter() -> Procedure[None]:
    yield Roll(purpose="first", dice="2d10")


@rule("t.outer")
def other_dice() -> Procedure[None]:
    yield Roll(purpose="first", dice="3d10")


@pytest.mark.parametrize("procedure", [otherwise, shorter, other_dice, inner])
def test_other_facts_mean_that_the_rules_have_changed(procedure: Rule) -> None:
    _, first = run(everything)
    with pytest.raises(RulesChanged) as refused:
        run(procedure, full(), first.events)
    assert "--again" in refused.value.hints[0]


@pytest.mark.parametrize(
    "inputs",
    [
        Inputs(dice=["1", "2", "3"], choices=["left"], fills=[{"speed": "3"}]),
        Inputs(draws=["lion"], choices=["left"], fills=[{"speed": "3"}]),
        Inputs(choices=["left", "left"], fills=[{"speed": "3"}]),
        Inputs(fills=[{"speed": "3"}]),
    ],
)
def test_left_over_inputs_are_refused(inputs: Inputs) -> None:
    with pytest.raises(BadInput) as refused:
        run(everything, inputs)
    assert refused.value.code == "left_over"


@pytest.mark.parametrize(
    ("inputs", "code"),
    [
        (Inputs(dice=["11", "2"]), "bad_input"),
        (Inputs(dice=["1"]), "bad_input"),
        (Inputs(choices=["middle"]), "bad_option"),
        (Inputs(choices=["left"], fills=[{"speed": "10"}]), "bad_input"),
        (Inputs(choices=["left"], fills=[{"speed": "fast"}]), "bad_input"),
        (Inputs(choices=["left"], fills=[{"sped": "1"}]), "bad_input"),
        (Inputs(choices=["left"], fills=[{}]), "bad_input"),
    ],
)
def test_inputs_that_do_not_fit_are_refused(inputs: Inputs, code: str) -> None:
    with pytest.raises(BadInput) as refused:
        run(everything, inputs)
    assert refused.value.code == code


def test_dice_of_the_table_take_no_key() -> None:
    asked, runner = run(everything, Inputs(dice=["7", "l"]), table_dice=True)
    assert asked is not None and runner.state.keys == 0
    rolled = runner.events[0]
    assert isinstance(rolled, e.DiceRolled)
    assert (rolled.faces, rolled.source, rolled.key) == ((7, 10), "table", None)


@pytest.mark.parametrize("flags", [{"table_dice": True}, {"ask_dice": True}])
def test_dice_that_are_asked_for_suspend_unless_app_is_typed(flags: Any) -> None:
    asked, _ = run(everything, **flags)
    assert isinstance(asked, Roll)
    _, runner = run(everything, Inputs(dice=["app"]), **flags)
    assert runner.state.keys == 2


def test_the_same_state_gives_the_same_dice() -> None:
    assert run(everything)[1].events == run(everything)[1].events


def test_earlier_answers_are_taken_where_they_fit() -> None:
    replies = [
        e.DiceRolled(dice="2d10", faces=(10, 5), purpose="first", source="app", key=0),
        e.Chosen(purpose="which", picked=("right",), offered=("left", "right")),
    ]
    runner = Runner(State(seed="t"), CORE_FOLDS, Inputs(), began=1, carried=Carried(replies))
    asked = runner.run(everything())
    assert asked is not None and asked.purpose == "told"
    assert runner.events[0] == msgspec.structs.replace(replies[0], source="replayed")
    assert runner.events[-1] == replies[1] and runner.carried.replies == []


@rule("t.loop")
def loop() -> Procedure[None]:
    while True:
        yield Record(e.Noted(text="again"))


@rule("t.spiral")
def spiral() -> Procedure[None]:
    yield from spiral()


@pytest.mark.parametrize("endless", [loop, spiral])
def test_rules_without_an_end_are_refused(endless: Rule) -> None:
    with pytest.raises(Refused, match="no end"):
        run(endless)
