"""The branches drawn: where each stands, its last actions, and where it left another."""

from __future__ import annotations

import shutil

from msgspec import Struct

from kdmlog.cli import say
from kdmlog.cli.call import Call
from kdmlog.cli.documents import Branch
from kdmlog.core.text import shown
from kdmlog.ledger import Head
from kdmlog.session import ActionEntry, Session

LATEST = 3
"""Actions of each branch that are drawn, newest first, before a stretch is only counted."""


MOST = 16
"""Branches that are drawn; more would fit on no screen."""


class Lane(Struct):
    """A branch's column: it leaves the column ``parent`` after the move ``fork``."""

    name: str
    head: Head
    parent: int
    fork: int


class Node(Struct):
    """An action drawn in a lane; ``at`` is the move by which it takes its place in the order."""

    at: int
    lane: int
    entry: ActionEntry


def graph(call: Call, session: Session) -> None:
    """Prints the branches, newest action first; the one in use in the first column."""
    if call.json:
        rows = [(one.name, one.head, session.shared_with(one.head)) for one in session.branches()]
        say.as_json([Branch(name, head.number, shared) for name, head, shared in rows])
        return
    lanes = _lanes(session)
    for text in drawn(lanes, _nodes(session, lanes), session):
        say.line(text)
    if (more := len(session.branches()) - len(lanes)) > 0:
        say.line(f"… and {more:,} more branch{'es' * (more != 1)}: kdmlog branch")


def _lanes(session: Session) -> list[Lane]:
    """The first branches, led by that in use; each leaves the one that it shares most with."""
    branches = sorted(session.branches(), key=lambda one: one.name != session.branch_name)
    lanes: list[Lane] = []
    for one in branches[:MOST]:
        shared = [session.shared_with(one.head, lane.head) for lane in lanes]
        fork = max(shared, default=0)
        parent = shared.index(fork) if shared else 0
        lanes.append(Lane(name=one.name, head=one.head, parent=parent, fork=fork))
    return lanes


def _nodes(session: Session, lanes: list[Lane]) -> list[Node]:
    """The last actions of every lane, those at which another leaves it, and the beginning."""
    nodes = [Node(1, 0, session.entry(1, lanes[0].head))]
    for number, lane in enumerate(lanes):
        own = session.log(LATEST, head=lane.head)
        nodes += [Node(one.numbers[-1], number, one) for one in own if one.numbers[-1] > lane.fork]
        if number:
            at = session.entry(lane.fork, lanes[lane.parent].head)
            nodes.append(Node(lane.fork, lane.parent, at))
    by_entry = {(one.lane, one.entry.number): one for one in nodes}
    for one in nodes:  # an action drawn for two reasons stands where the older of them has it
        drawn_ = by_entry[one.lane, one.entry.number]
        drawn_.at = min(drawn_.at, one.at)
    return sorted(by_entry.values(), key=lambda one: (-one.at, one.lane))


def drawn(lanes: list[Lane], nodes: list[Node], session: Session) -> list[str]:
    """Returns the lines of the drawing."""
    texts: list[str] = []
    open_: set[int] = set()
    tables = [session.at(f"h:{lane.head.hash.hex()}") for lane in lanes]  # they know the names
    for place, node in enumerate(nodes):
        leaving = [
            number
            for number in sorted(open_, reverse=True)
            if number and lanes[number].parent == node.lane and lanes[number].fork >= node.at
        ]
        for number in leaving:
            texts.append(_cells(lanes, open_, node.lane, "├", upto=number))
            open_.discard(number)
        heads = _heads(lanes, node, session.branch_name)
        open_.add(node.lane)
        entry = node.entry
        headline = session.game.headline(entry.action, entry.events, tables[node.lane])
        label = f"[{', '.join(heads)}] " if heads else ""
        cells = _cells(lanes, open_, node.lane, "●")
        texts.append(f"{cells} {entry.number:>4}  {entry.hash[:4]}  {label}{headline}")
        below = next((one for one in nodes[place + 1 :] if one.lane == node.lane), None)
        last = below.entry.numbers[-1] if below else lanes[node.lane].fork
        if (skipped := entry.number - last - 1) > 0:
            moves = f"{last + 1}" if skipped == 1 else f"{last + 1} to {entry.number - 1}"
            texts.append(f"{_cells(lanes, open_, node.lane, '⋮')}  …  moves {moves}")
    width = shutil.get_terminal_size().columns
    return [shown(text, width) for text in texts]


def _heads(lanes: list[Lane], node: Node, present: str) -> list[str]:
    """The branches that stand at an action: in its own lane, or without a move of their own."""
    moves = node.entry.numbers
    return [
        lane.name + " *" * (lane.name == present)
        for number, lane in enumerate(lanes)
        if (number == node.lane and lane.head.number == moves[-1])
        or (number and lane.parent == node.lane and lane.head.number == lane.fork in moves)
    ]


def _cells(lanes: list[Lane], open_: set[int], here: int, mark: str, *, upto: int = 0) -> str:
    """One row of the columns: ``mark`` in the lane here; a line from it to the lane ``upto``."""
    cells = []
    for number in range(len(lanes)):
        if number == here:
            cell = mark
        elif upto and number == upto:
            cell = "╯"
        elif here < number < upto:
            cell = "┼" if number in open_ else "─"
        else:
            cell = "│" if number in open_ else " "
        cells.append(cell + ("─" if here <= number < upto else " "))
    return "".join(cells).rstrip() if upto else "".join(cells)
