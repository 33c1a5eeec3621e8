"""Fingerprints: equal exactly when states are."""

from __future__ import annotations

from kdmlog.core.fingerprint import fingerprint
from kdmlog.core.state import Deck, State


def test_equal_states_share_it_whatever_the_order_of_their_keys() -> None:
    one = State(decks={"a": Deck({"deck": ["x"]}), "b": Deck()})
    two = State(decks={"b": Deck(), "a": Deck({"deck": ["x"]})})
    assert fingerprint(one) == fingerprint(two)


def test_any_difference_shows() -> None:
    states = [State(), State(keys=1), State(name="x"), State(players=["x"]), State(seed="x")]
    states += [State(decks={"a": Deck({"deck": order})}) for order in (["x", "y"], ["y", "x"])]
    assert len({fingerprint(state) for state in states}) == len(states)
