"""When an action is legal, and where the game stands, in words."""

from __future__ import annotations

from collections.abc import Callable

from kdmlog.core.game import Table
from kdmlog.games.kdm.rules import (
    people,
    turns,
)
from kdmlog.games.kdm.state import State


def where(table: Table) -> str:
    """Returns where the game stands, in words."""
    state: State = table.state
    fight = state.showdown
    if fight is None:
        return _PHASES.get((state.phase.name, state.phase.step), f"{state.phase.name}")
    if fight.outcome:
        return f"the showdown is over: {fight.outcome}"
    if state.phase.step == "deploy":
        return "the survivors take their places on the board"
    if fight.turn == "monster":
        return f"it is the monster's turn of round {fight.round}"
    return (
        f"it is the survivors' turn of round {fight.round}, {len(turns.able_to_act(table))} to act"
    )


_PHASES = {
    ("prologue", "survivors"): "it is the prologue, before the showdown",
    ("settlement", "set_up"): "the survivors are about to return",
    ("settlement", "event"): "it is the settlement phase, step 4: settlement event",
    ("settlement", "year"): "it is the settlement phase, steps 5 and 6: deaths and timeline",
    ("settlement", "develop"): "it is the settlement phase, step 7: develop",
    ("settlement", "ended"): "the settlement phase is over; survivors may depart",
    ("hunt", "departed"): "the survivors have departed for the hunt",
    ("nemesis", "departed"): "the survivors await the nemesis",
    ("over", "population 0"): "the settlement is no more",
    ("over", "defeat"): "the settlement is no more",
}


def during(*places: tuple[str, str]) -> Callable[[Table], str | None]:
    """Returns a check that the campaign is at one of these phases and steps."""

    def refuse(table: Table) -> str | None:
        phase = table.state.phase
        return None if (phase.name, phase.step) in places else where(table)

    return refuse


SETTLED = (
    ("settlement", "event"),
    ("settlement", "year"),
    ("settlement", "develop"),
    ("settlement", "ended"),
)
DEPARTED = (("hunt", "departed"), ("nemesis", "departed"))
USED_IN = ("hunt", "showdown", "settlement")
"""The phases in which a thing may have its use; each says itself in which."""
monsters_turn = during(("showdown", "monster"))
survivors_turn = during(("showdown", "survivors"))
returning = during(("settlement", "set_up"))
develop = during(("settlement", "develop"))
at_home = during(("settlement", "set_up"), *SETTLED)


def anytime(_table: Table) -> str | None:
    """Never refuses."""
    return None


def new_refused(table: Table) -> str | None:
    """Founders come in the prologue, others at the settlement."""
    state: State = table.state
    if state.phase.name == "prologue":
        full = len(state.survivors) >= people.FOUNDERS
        return "all four founders are there" if full else None
    return during(("settlement", "year"), ("settlement", "develop"), ("settlement", "ended"))(table)


def begin_refused(table: Table) -> str | None:
    """A showdown begins with four founders, or when survivors have departed."""
    if table.state.phase.name != "prologue":
        return during(*DEPARTED)(table)
    missing = people.FOUNDERS - len(table.state.survivors)
    return f"{len(table.state.survivors)} of 4 founders are there" if missing > 0 else None


def act_refused(table: Table) -> str | None:
    """Survivors act in their turn."""
    return survivors_turn(table)


def fighting(table: Table) -> str | None:
    """Refuses where no showdown goes on."""
    return during(("showdown", "monster"), ("showdown", "survivors"))(table)


def use_refused(table: Table) -> str | None:
    """Things are used in the phases that have uses, no more once a showdown is decided."""
    fight = table.state.showdown
    if fight is not None and fight.outcome:
        return where(table)
    return None if table.state.phase.name in USED_IN else where(table)


def give_refused(table: Table) -> str | None:
    """Things are handed over together: on the hunt, in an act, on the way home."""
    if table.state.phase.name == "hunt" or returning(table) is None:
        return None
    return survivors_turn(table)


def end_act_refused(table: Table) -> str | None:
    """Only an act that goes on can end."""
    if (why := survivors_turn(table)) is not None:
        return why
    acting = table.state.showdown.act
    return None if acting is not None else "nobody is acting"


def reorder_refused(table: Table) -> str | None:
    """Only a storyteller orders the deck, if it is kdmlog's."""
    state: State = table.state
    if state.showdown is None or state.showdown.outcome:
        return where(table)
    if "storyteller" not in state.variants:
        return "no storyteller orders the deck in this campaign"
    return "the cards are the table's: order them there" if state.table_cards else None


def on_board(table: Table) -> str | None:
    """Refuses where no positions are kept."""
    fight = table.state.showdown
    if fight is not None and fight.board is not None and not fight.outcome:
        return None
    return where(table) if fight is None else "no positions are kept"
