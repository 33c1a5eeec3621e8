"""Why a figure is what it is: all facts that changed it and no others, also where none names it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from toy import Buy, Gamble, Rest, Seek

from kdmlog.core import events as e
from kdmlog.core.errors import UnknownName
from kdmlog.core.inputs import Inputs
from kdmlog.session import Session, paths
from kdmlog.session.why import Cause, why


def changes(causes: list[Cause]) -> list[tuple[int, str, object, object]]:
    """Returns, of causes that changed one figure each, the move, the fact, before and after."""
    found = []
    for one in causes:
        [(path, before, after)] = one.changes
        assert path == ""
        found.append((one.move.number, type(one.event).__name__, before, after))
    return found


def test_every_fact_that_changed_a_figure_is_told_oldest_first(toy: Session) -> None:
    toy.adjust("gold", "+5", "the chest", by="bo")
    toy.perform(Rest())
    toy.perform(Buy(what="rope"), Inputs(choices=["gold"]))
    found = why(toy, "gold")
    assert (found.path, found.value) == ("gold", 4)
    assert changes(found.causes) == [
        (2, "GoldChanged", 0, 5),
        (4, "GoldChanged", 5, 4),
    ]
    ruling, paid = found.causes
    assert (ruling.why, ruling.move.by, ruling.event.cause) == ("the chest", "bo", "adjust")
    assert (paid.why, paid.event.cause) == ("", "toy.pay")


def test_a_figure_that_no_fact_names_is_followed_all_the_same(toy: Session) -> None:
    """How many omens are left follows from shuffles and draws."""
    toy.draw("omens")
    toy.note("nothing")
    toy.draw("omens")
    found = changes(why(toy, "omens").causes)
    assert found == [
        (1, "DeckMade", 0, 6),
        (2, "CardsDrawn", 6, 5),
        (4, "CardsDrawn", 5, 4),
    ]


def test_each_fact_of_a_move_has_its_own_part(toy: Session) -> None:
    toy.adjust("gold", "+9", "rich")
    toy.perform(Gamble(), Inputs(dice=["4", "1", "1", "1", "1", "h"]))
    steps = [one for one in changes(why(toy, "gold").causes) if one[0] == 3]
    assert [after for *_, after in steps] == sorted({after for *_, after in steps})
    assert steps[0][2] == 9
    assert steps[-1][3] == toy.table.state.gold


def test_a_part_of_the_state_tells_of_what_lies_below(toy: Session) -> None:
    toy.adjust("heroes.ada.luck", "+2", "a clover")
    toy.adjust("gold", "+2", "no part of it")
    causes = why(toy, "heroes").causes
    assert [one.move.number for one in causes] == [1, 1, 2]
    assert causes[-1].changes == [("ada.luck", 1, 3)]
    assert causes[0].changes == [("ada.name", None, "Ada"), ("ada.luck", None, 1)]


def test_steps_may_be_shortened(toy: Session) -> None:
    toy.adjust("heroes.ada.luck", "+2", "a clover")
    assert why(toy, "her.ada.l").path == "heroes.ada.luck"


def test_a_list_is_kept_as_it_was(toy: Session) -> None:
    for _ in range(2):
        toy.perform(Buy(what="rope"), Inputs(choices=["beg"]))
    assert [one[2:] for one in changes(why(toy, "bought").causes)][-2:] == [
        ([], ["rope"]),
        (["rope"], ["rope", "rope"]),
    ]


def test_the_past_is_told_as_it_stood_then(toy: Session) -> None:
    toy.adjust("gold", "+5", "the chest")
    place = toy.head
    toy.adjust("gold", "-1", "a hole")
    found = why(toy, "gold", place)
    assert found.value == 5
    assert found.causes[-1].move.number == 2


def test_only_what_came_since_a_move(toy: Session) -> None:
    for _ in range(4):
        toy.adjust("gold", "+1", "again")
    assert changes(why(toy, "gold", since=3).causes) == [
        (4, "GoldChanged", 2, 3),
        (5, "GoldChanged", 3, 4),
    ]


def test_what_is_taken_back_is_no_cause(toy: Session) -> None:
    toy.adjust("gold", "+5", "the chest")
    toy.undo()
    toy.adjust("gold", "+2", "the purse")
    assert changes(why(toy, "gold", since=1).causes) == [(2, "GoldChanged", 0, 2)]


def test_an_unknown_path_gets_the_nearest(toy: Session) -> None:
    with pytest.raises(UnknownName) as caught:
        why(toy, "heroes.ada.lucks")
    assert "heroes.ada.luck" in caught.value.hints[0]


def test_it_says_how_far_it_is(toy: Session) -> None:
    toy.perform(Rest())
    seen: list[int] = []
    why(toy, "day", advance=seen.append)
    assert sum(seen) == 2


def test_the_changes_add_up_to_every_figure_of_a_long_game(toy: Session) -> None:
    """From the first value to the last without a gap, for each figure that the state shows."""
    for _ in range(5):
        toy.perform(Seek(hero="ada"))
        while toy.open is not None:
            purpose = toy.open.request.purpose
            toy.answer({"stranger": ["gold=3"], "sun": ["ben"], "pay": ["beg"]}.get(purpose, []))
        toy.perform(Rest())
    tree = paths.tree(toy.view())
    for path, value in paths.walk(tree):
        causes = changes(why(toy, path).causes)
        for earlier, later in pairwise(causes):
            assert earlier[3] == later[2]
        if causes:
            assert causes[-1][3] == value
        assert all(isinstance(one.event, e.Event) for one in why(toy, path).causes)
