"""What the editions of the rules differ in: one function for each switch.

Cards that differ are in the packs of their edition.
"""

from __future__ import annotations

from collections.abc import Mapping

from kdmlog.games.kdm.state import State

FIRST = "1.3"
LATER = "1.6"
PACKS: Mapping[str, tuple[str, ...]] = {FIRST: (), LATER: ("edition_1_6",)}
"""The editions, the usual one first, and the packs of each that go over the core game's."""


def played(state: State) -> str:
    """Returns the edition that a campaign plays."""
    return state.edition or FIRST


def pick_takes_the_token(state: State) -> bool:
    """Whoever is picked discards the priority target token, and it goes no other way.

    In the first edition it goes at the end of the next monster turn instead, picked or not
    (rulebook, Priority Target Token).
    """
    return played(state) == LATER


def flight_takes_an_act(state: State) -> bool:
    """Running away from a showdown is in place of a standing survivor's whole act.

    In the first edition survivors run at any time (rulebook, Glossary, Run Away).
    """
    return played(state) == LATER
