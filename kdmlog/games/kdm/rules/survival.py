"""Survival actions: who may take which of them now; encouraging."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kdmlog.core.events import UseSpent
from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import Innovation
from kdmlog.games.kdm.rules import conditions, figures, laid, numbers, traits
from kdmlog.games.kdm.state import State, Survivor

ACTIONS = ("dodge", "encourage", "dash", "surge")
OFFERED = ("dash", "march", "surge", "encourage")
"""What an opportunity is for; a dodge is offered when a hit lands."""
MARCH = "march"
"""What a retinue does for survival whenever its survivor can dash (rulebook, Double March)."""
FREE_SURGE = "surges_freely_with_weapon"
SELF_ENCOURAGED = "encourages_themself"

Plays = Callable[[Table, str, str], Procedure[None]]
PLAYS: dict[str, Plays] = {}
_NOTHING = {
    "dash": "no space to dash to",
    "encourage": "nobody who can hear lies on the ground",
    "surge": "there is nothing to activate",
    "march": "no retinue to march",
}
READY: dict[str, Callable[[Table, str], bool]] = {}
"""Whether there would be anything to do with it."""


def action(
    name: str, ready: Callable[[Table, str], bool] = lambda _table, _id: True
) -> Callable[[Plays], Plays]:
    """Registers what a survival action does for a survivor; the third word is whom or what."""

    def register(procedure: Plays) -> Plays:
        PLAYS[name], READY[name] = procedure, ready
        return procedure

    return register


# --- who may --------------------------------------------------------------------------------------


def known(table: Table) -> tuple[str, ...]:
    """Returns the survival actions that the settlement's survivors know.

    All dodge; Language, Paint and Inner Lantern teach the others (rulebook, Survival).
    """
    state: State = table.state
    records = [table.content.find(Innovation, id_) for id_ in state.settlement.innovations]
    learned = {record.survival_action for record in records if record is not None}
    return tuple(one for one in ACTIONS if one == "dodge" or one in learned)


def refusal(table: Table, id_: str, what: str) -> str:
    """Returns why a survivor may not take a survival action now; empty when they may.

    Each once a round; attackers none; none before the present one is resolved; the knocked down
    only dodge (rulebook, Survival Actions; Survival Action Limitations).
    """
    state: State = table.state
    survivor, fight = state.survivors[id_], state.showdown
    assert fight is not None
    if what == MARCH and not READY[what](table, id_):
        return _NOTHING[what]  # asked first: as a rule there is none
    learned = "dash" if what == MARCH else what
    if learned not in known(table):
        return f"nobody has learned to {learned}"
    if fight.survival_action:
        return f"{state.survivors[fight.survival_action].name}'s survival action comes first"
    if fight.attacker == id_:
        return "attacking"
    if card := laid.off_board(table, survivor):
        return f"off the board ({card})"
    if survivor.knocked_down is not None and not _lying(table, survivor, what):
        return "knocked down"
    if _times(state, id_, what) >= _limit(table, survivor, what):
        return f"has done so this round ({what})"
    if why := conditions.barred(table, survivor, learned):
        return why
    free = what == "surge" and surges_freely(table, survivor)
    if not free and not figures.can_spend_survival(table, survivor):
        return conditions.barred(table, survivor, "survival") or "no survival to spend"
    if what in READY and not READY[what](table, id_):
        return _NOTHING[what]
    return ""


def _lying(table: Table, survivor: Survivor, what: str) -> bool:
    """Returns whether one who lies on the ground can do this: dodge, or (Sour Death) get up."""
    sour = what == "encourage" and traits.ruled(table, survivor, SELF_ENCOURAGED)
    return what == "dodge" or bool(sour)


def _times(state: State, id_: str, what: str) -> int:
    return state.uses.get("round", {}).get(id_, []).count(what)


def _limit(table: Table, survivor: Survivor, what: str) -> int:
    return 1 + (numbers.figure(table, survivor, "dodges") if what == "dodge" else 0)


def surges_freely(table: Table, survivor: Survivor) -> bool:
    """Returns whether a surge to activate a weapon costs no survival (Sweet Battle)."""
    return bool(traits.ruled(table, survivor, FREE_SURGE))


def encouraged_by(table: Table, id_: str) -> list[str]:
    """Returns whom a survivor could encourage: the knocked down who can hear.

    Nobody encourages themself but by Sour Death, and lying down nobody else (rulebook, Encourage).
    """
    state: State = table.state
    lies = state.survivors[id_].knocked_down is not None
    return [
        one
        for one in conditions.taking_part(state)
        if state.survivors[one].knocked_down is not None
        and conditions.hears(table, state.survivors[one])
        and (one == id_) == lies
    ]


def ready(table: Table) -> Iterator[tuple[str, str, str]]:
    """Yields every survival action that somebody could take: who, what, and whom they encourage."""
    for id_ in conditions.taking_part(table.state):
        for what in OFFERED:
            if refusal(table, id_, what):
                continue
            for target in encouraged_by(table, id_) if what == "encourage" else [""]:
                yield id_, what, target


# --- taking one -----------------------------------------------------------------------------------


@rule("kdm.survival_action")
def take(table: Table, id_: str, what: str, target: str = "") -> Procedure[None]:
    """Takes a survival action, once this round; an interrupted attack goes on after it."""
    fight = table.state.showdown
    attacker, moved = fight.attacker, fight.moved
    whom = target if what == "encourage" else ""
    yield Record(UseSpent(scope="round", who=id_, what=what))
    yield Record(e.SurvivalActionTaken(survivor=id_, action=what, target=whom))
    yield from PLAYS[what](table, id_, target)
    moved = bool(attacker) and (moved or fight.moved)
    yield Record(e.SurvivalActionResolved(survivor=id_, attacker=attacker, moved=moved))
    yield from traits.moment(table, "survival_action", [id_])


@action("encourage", ready=lambda table, id_: bool(encouraged_by(table, id_)))
def encourage(table: Table, id_: str, target: str) -> Procedure[None]:
    """The one called out to stands (rulebook, Encourage)."""
    yield from figures.spend_survival(table, id_)
    if table.state.survivors[target].knocked_down is not None:
        yield Record(e.StoodUp(survivor=target))
    moment = "encourages_themself" if target == id_ else "encourages"
    yield from traits.moment(table, moment, [id_], encouraged=[target])
