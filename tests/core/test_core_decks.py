"""Decks: drawing, shuffling, cards named at the table; no card is ever made or lost."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kdmlog.core import events as e
from kdmlog.core.errors import Refused
from kdmlog.core.fold import CORE_FOLDS
from kdmlog.core.inputs import Inputs
from kdmlog.core.procedures import Procedure, Record
from kdmlog.core.requests import Draw, Shuffle
from kdmlog.core.runner import Runner
from kdmlog.core.state import Deck, State

CARDS = ["bite", "claw", "claw", "roar", "stalk", "pounce"]


def lion(**zones: list[str]) -> State:
    return State(seed="t", decks={"ai": Deck({"deck": list(CARDS), **zones})})


def run(state: State, procedure: Procedure[Any], *named: str) -> list[e.Event]:
    runner = Runner(state, CORE_FOLDS, Inputs(draws=list(named)), began=1)
    assert runner.run(procedure) is None
    return runner.events


def draw(count: int = 1, to: str = "discard") -> Procedure[None]:
    yield Draw(purpose="ai", deck="ai", count=count, to=to)


def test_the_top_card_is_drawn() -> None:
    state = lion()
    [drawn] = run(state, draw(2))
    assert isinstance(drawn, e.CardsDrawn) and drawn.cards == ("bite", "claw")
    assert state.decks["ai"]["discard"] == ["bite", "claw"]
    assert state.keys == 0


def test_a_named_card_comes_out_of_wherever_it_lies_in_the_deck() -> None:
    state = lion()
    run(state, draw(), "roar")
    assert state.decks["ai"]["deck"] == ["bite", "claw", "claw", "stalk", "pounce"]


def test_a_named_card_face_down_in_the_wound_stack_swaps_with_ours() -> None:
    state = lion(deck=["bite", "claw"], wounds=["roar", "stalk"])
    swapped, drawn = run(state, draw(), "stalk")
    assert swapped == e.CardsSwapped(deck="ai", named="stalk", zone="wounds", ours="bite")
    assert isinstance(drawn, e.CardsDrawn) and drawn.cards == ("stalk",)
    zones = state.decks["ai"].zones
    assert zones == {"deck": ["claw"], "wounds": ["roar", "bite"], "discard": ["stalk"]}


def test_two_named_cards_swap_without_taking_each_other() -> None:
    state = lion(deck=["bite", "roar"], wounds=["roar", "stalk"])
    run(state, draw(2), "roar", "stalk")
    zones = state.decks["ai"].zones
    assert (zones["deck"], sorted(zones["discard"])) == ([], ["roar", "stalk"])
    assert sorted(zones["wounds"]) == ["bite", "roar"]


@pytest.mark.parametrize("named", ["roar", "tiger"])
def test_a_card_that_lies_face_up_or_is_out_of_the_game_is_refused(named: str) -> None:
    state = lion(deck=["bite"], discard=["roar"])
    with pytest.raises(Refused):
        run(state, draw(), named)


def test_a_deck_that_is_too_small_is_refused() -> None:
    with pytest.raises(Refused):
        run(lion(), draw(7))


def test_a_card_given_twice_must_be_there_twice() -> None:
    state = lion()
    run(state, draw(2), "claw", "claw")
    assert state.decks["ai"]["discard"] == ["claw", "claw"]
    with pytest.raises(Refused):
        run(lion(), draw(2), "bite", "bite")


def test_a_shuffle_takes_one_key_and_the_zones_named() -> None:
    state = lion(deck=["bite"], discard=["roar", "claw"], wounds=["stalk"])

    def shuffle() -> Procedure[None]:
        yield Shuffle(purpose="ai", deck="ai", took=("discard",))

    run(state, shuffle())
    assert sorted(state.decks["ai"]["deck"]) == ["bite", "claw", "roar"]
    assert state.decks["ai"]["discard"] == [] and state.decks["ai"]["wounds"] == ["stalk"]
    assert state.keys == 1


ZONES = ("deck", "wounds", "discard")
STEPS = st.one_of(
    st.tuples(st.just("draw"), st.sampled_from(ZONES[1:]), st.integers(1, 3)),
    st.tuples(st.just("name"), st.sampled_from(CARDS), st.sampled_from(ZONES[1:])),
    st.tuples(st.just("shuffle"), st.sets(st.sampled_from(ZONES[1:])), st.just(0)),
    st.tuples(st.just("move"), st.sampled_from(ZONES), st.sampled_from(ZONES)),
)


@given(st.lists(STEPS, max_size=25))
def test_no_card_is_made_or_lost(steps: list[tuple[str, Any, Any]]) -> None:
    state = lion()

    def play(kind: str, one: Any, two: Any) -> Procedure[None]:
        match kind:
            case "draw":
                yield Draw(purpose="ai", deck="ai", to=one, count=two)
            case "name":
                yield Draw(purpose="ai", deck="ai", to=two)
            case "shuffle":
                yield Shuffle(purpose="ai", deck="ai", took=tuple(sorted(one)))
            case _:
                if cards := state.decks["ai"][one][:1]:
                    yield Record(e.CardsMoved(deck="ai", cards=tuple(cards), before=one, to=two))

    for kind, one, two in steps:
        named = (one,) if kind == "name" else ()
        before = state.decks["ai"]["deck"][:]
        try:
            run(state, play(kind, one, two), *named)
        except Refused:
            assert state.decks["ai"]["deck"] == before
        zones = state.decks["ai"].zones
        assert Counter(card for zone in zones.values() for card in zone) == Counter(CARDS)


def dealt(named: str, **zones: list[str]) -> dict[str, list[str]]:
    """Draws a card that nobody dealt; a card's sort is what stands before its number."""
    state = lion(**zones)
    runner = Runner(
        state,
        CORE_FOLDS,
        Inputs(draws=[named]),
        began=1,
        card_sort=lambda _deck, card: card[0],
    )
    assert runner.run(draw()) is None
    return state.decks["ai"].zones


def test_a_named_card_that_was_not_dealt_swaps_with_one_of_its_own_sort() -> None:
    zones = dealt("a3", deck=["b1", "a1", "a2"], pool=["a3", "b2"])
    assert zones == {"deck": ["b1", "a2"], "pool": ["a1", "b2"], "discard": ["a3"]}


def test_one_of_its_sort_in_the_wound_stack_was_the_one_not_dealt() -> None:
    zones = dealt("a3", deck=["b1", "b2"], wounds=["a1"], pool=["a3"])
    assert zones == {"deck": ["b2"], "wounds": ["b1"], "pool": ["a1"], "discard": ["a3"]}


def test_without_one_of_its_sort_any_card_was_not_dealt() -> None:
    zones = dealt("a3", deck=["b1", "b2"], discard=[], pool=["a3"])
    assert zones == {"deck": ["b2"], "pool": ["b1"], "discard": ["a3"]}
