"""Whom an AI card picks as its target: the rows of its list, tried in order.

A row is words, parted by commas: first who (``closest threat``, ``random survivor``, ``last to
wound``, ``most courage survivor``, ``knocked down survivor``), then what must hold (``facing``,
``in range``, ``in range 8``, ``in field of view``, ``in blind spot``, ``adjacent``, ``not deaf``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record
from kdmlog.core.requests import Choose, Option
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import AiCard
from kdmlog.games.kdm.rules import chance, conditions, laid, traits, where
from kdmlog.games.kdm.rules.monster import showdown
from kdmlog.games.kdm.rules.numbers import monster_attribute
from kdmlog.games.kdm.state import State

FAR = "far_"
"""Prefix of a target option: the monster picks that survivor but cannot reach them."""
NOBODY = "none"
TARGET = "target"
"""What a survivor is barred from being until the card ends."""
STEPS_IN = "steps_in"
AS_LISTED = "as the card lists"
"""The row of a card whose list only the players can read."""

_FIGURES = (
    *("courage", "understanding", "insanity", "survival", "hunt_xp"),
    *("bleeding", "armor", "gear", "resources"),
)
_ORDER = rf"closest|furthest|random|last to wound|(?:most|least) (?:{'|'.join(_FIGURES)})"
_WHO = rf"(?:(?P<order>{_ORDER})\s?)?(?P<down>knocked down )?(?P<noun>threat|survivor)?"
_FILTERS = r"facing|in range(?: \d+)?|in field of view|in blind spot|adjacent|not deaf|insane"


class Row(Struct, frozen=True):
    """One condition of a pick-target list. ``order`` decides among those who meet it."""

    order: str
    noun: str
    knocked_down: bool
    filters: tuple[str, ...]


def read(row: str) -> Row:
    """Returns a row as data. Raises ValueError for words that are not of the grammar."""
    first, *filters = (part.strip() for part in row.split(","))
    found = re.fullmatch(_WHO, first)
    if not first or found is None:
        raise ValueError(f"{first!r} is not whom a target row can name")
    for one in filters:
        if not re.fullmatch(_FILTERS, one):
            raise ValueError(f"{one!r} is not what a target row can ask for")
    noun = found["noun"] or "survivor"
    return Row(found["order"] or "", noun, bool(found["down"]), tuple(filters))


def readable(row: str) -> bool:
    """Returns whether the board alone can say who meets a row."""
    try:
        read(row)
    except ValueError:
        return False
    return True


def pick(table: Table, record: AiCard) -> Procedure[tuple[str, bool]]:
    """Returns the target (empty: none), and whether the monster is said to reach it.

    The priority target token overrides all conditions. The knocked down are no threats, unless
    the monster has sniffed, or the card speaks of survivors or only itself says of whom (rulebook,
    Pick Target). On the board the list decides, and reach shows when the monster moves; without it
    the players look.
    """
    state: State = table.state
    fight = showdown(table)
    if where.board(state) is not None:
        return (yield from _on_board(table, record)), True
    everyone = _possible(table, conditions.taking_part(state))
    threats = [id_ for id_ in everyone if conditions.is_threat(table, id_)]
    text = " ".join(record.target)
    if record.assisted or "survivor" in text or "knocked down" in text:
        threats = everyone
    if fight.priority_target in everyone:
        return (yield from reach(table, record, [fight.priority_target]))
    return (yield from reach(table, record, threats, Option(NOBODY, "no target")))


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


def stepped_in(table: Table, target: str) -> Procedure[str]:
    """Returns who is the target once those beside it could change places with it (Shield).

    Without a board they see themselves who is adjacent.
    """
    state: State = table.state
    there = where.board(state)
    for id_ in conditions.taking_part(state):
        survivor = state.survivors[id_]
        if id_ == target or survivor.knocked_down is not None:
            continue
        near = there is None or where.beside(state, id_, target)
        if not near or not traits.ruled(table, survivor, STEPS_IN):
            continue
        options = (Option("no"), Option("yes"))
        [answer] = yield Choose(
            purpose=STEPS_IN, about=(id_, target), by=id_, options=options, default="no"
        )
        if answer == "no":
            continue
        if there is not None:
            places = there.survivors[id_], there.survivors[target]
            yield Record(e.SurvivorPlaced(survivor=id_, at=places[1]))
            yield Record(e.SurvivorPlaced(survivor=target, at=places[0]))
        return id_
    return target


# --- on the board ---------------------------------------------------------------------------------


def _possible(table: Table, ids: Iterable[str]) -> list[str]:
    """Returns those whom the monster could pick at all."""
    survivors = table.state.survivors
    return [
        id_
        for id_ in ids
        if not traits.ruled(table, survivors[id_], "no_target")
        and not laid.off_board(table, survivors[id_])
        and not conditions.barred(table, survivors[id_], TARGET)
    ]


def _on_board(table: Table, record: AiCard) -> Procedure[str]:
    """The first row that somebody meets; the controller chooses among equals, chance if random.

    The players are asked from the first row on that only they can read.
    """
    there = where.board(table.state)
    assert there is not None
    fight = showdown(table)
    if fight.priority_target in _possible(table, there.survivors):
        return fight.priority_target
    for words in record.target or (AS_LISTED,):
        if not readable(words):
            nobody = Option(NOBODY, "no target")
            return (yield from _chosen(table, record, _possible(table, there.survivors), nobody))
        row = read(words)
        found = meeting(table, row)
        if not found:
            continue
        if row.order == "random":
            [picked] = yield from chance.at_random(found, 1, ("target",))
            return picked
        return (yield from _chosen(table, record, found))
    return ""


def meeting(table: Table, row: Row) -> list[str]:
    """Returns the survivors on the board who meet a row and come first by its order."""
    state: State = table.state
    there = where.board(state)
    assert there is not None
    found = [id_ for id_ in _possible(table, there.survivors) if _meets(table, row, id_)]
    if not row.order or row.order == "random" or not found:
        return found
    if row.order == "last to wound":
        return [id_ for id_ in found if id_ == showdown(table).last_wounder]
    scores = {id_: _score(state, row.order, id_) for id_ in found}
    best = max(scores.values())
    return [id_ for id_ in found if scores[id_] == best]


def _meets(table: Table, row: Row, id_: str) -> bool:
    state: State = table.state
    survivor = state.survivors[id_]
    if row.knocked_down and survivor.knocked_down is None:
        return False
    if row.noun == "threat" and not conditions.is_threat(table, id_):
        return False
    return all(_holds(table, one, id_) for one in row.filters)


def _holds(table: Table, what: str, id_: str) -> bool:
    """Returns whether a survivor stands so (rulebook, Common Targeting Terms)."""
    survivor = table.state.survivors[id_]
    match what:
        case "facing":
            return where.faced(table.state, id_)
        case "in field of view":
            return where.in_view(table, id_)
        case "in blind spot":
            return where.in_blind_spot(table, id_)
        case "adjacent":
            return where.beside_monster(table.state, id_)
        case "not deaf":
            return conditions.hears(table, survivor)
        case "insane":
            return conditions.insane(survivor)
    number = what.removeprefix("in range").strip()
    spaces = int(number) if number else monster_attribute(table, "movement")
    return where.steps_from_monster(table.state, id_) - 1 <= spaces


def _score(state: State, order: str, id_: str) -> int:
    """Returns how far a survivor is ahead of others: nearer, further, more or less of a figure."""
    if order in ("closest", "furthest"):
        steps = where.steps_from_monster(state, id_)
        return -steps if order == "closest" else steps
    most, _, figure = order.partition(" ")
    survivor = state.survivors[id_]
    match figure:
        case "bleeding":
            value = survivor.tokens.get("bleeding", 0)
        case "armor":
            value = sum(survivor.armor.values())
        case "gear":
            value = len(survivor.grid)
        case "resources":
            value = len(survivor.resources)
        case _:
            value = getattr(survivor, figure)
    return value if most == "most" else -value


def _chosen(table: Table, record: AiCard, among: list[str], *others: Option) -> Procedure[str]:
    if len(among) == 1 and not others:
        return among[0]
    names = table.state.survivors
    options = tuple(Option(id_, names[id_].name) for id_ in among)
    [picked] = yield Choose(
        purpose="target",
        about=tuple(record.target),
        by=showdown(table).controller.survivor,
        options=(*options, *others),
    )
    return "" if picked == NOBODY else str(picked)
