"""Whom an AI card picks as its target, and whether the monster reaches them."""

from __future__ import annotations

from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure
from kdmlog.core.requests import Choose, Option
from kdmlog.games.kdm.content import AiCard
from kdmlog.games.kdm.rules import conditions
from kdmlog.games.kdm.rules.monster import showdown
from kdmlog.games.kdm.state import State

FAR = "far_"
"""Prefix of a target option: the monster picks that survivor but cannot reach them."""
NOBODY = "none"


def pick(table: Table, record: AiCard) -> Procedure[tuple[str, bool]]:
    """Returns the target and whether the monster reaches it; without a board the table looks.

    The priority target token overrides all conditions. The knocked down are no threats, unless
    the monster has sniffed, or the card speaks of survivors or only itself says of whom (rulebook,
    Pick Target).
    """
    state: State = table.state
    fight = showdown(table)
    everyone = conditions.taking_part(state)
    threats = [id_ for id_ in everyone if state.survivors[id_].knocked_down is None]
    text = " ".join(record.target)
    sniffed = fight.all_are_threats >= fight.round
    if record.assisted or sniffed or "survivor" in text or "knocked down" in text:
        threats = everyone
    if fight.priority_target:
        picked = yield from reach(table, record, [fight.priority_target])
    else:
        picked = yield from reach(table, record, threats, Option(NOBODY, "no target"))
    return picked


def reach(
    table: Table, record: AiCard, among: list[str], *others: Option
) -> Procedure[tuple[str, bool]]:
    """Asks who of some is the target (nobody: empty) and whether the monster reaches them.

    An intimidation needs nobody near (rulebook, Intimidate Actions).
    """
    names = {id_: table.state.survivors[id_].name for id_ in among}
    options = [Option(id_, name) for id_, name in names.items()]
    if not record.intimidates:
        options += [Option(FAR + id_, f"{name}, out of reach") for id_, name in names.items()]
    if len(options) == 1 and not others:
        return among[0], True
    [picked] = yield Choose(
        purpose="target",
        about=tuple(record.target) if others else (),
        by=showdown(table).controller.survivor,
        options=(*options, *others),
    )
    if picked == NOBODY:
        return "", False
    return picked.removeprefix(FAR), not picked.startswith(FAR)
