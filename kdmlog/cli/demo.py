"""The demo: the prologue, played by following kdmlog's own next steps with its own dice."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from kdmlog.cli import say
from kdmlog.cli.build import to_click
from kdmlog.cli.call import Call, current
from kdmlog.cli.script import act
from kdmlog.core.requests import Ask, Choose, Fill
from kdmlog.core.text import words as as_words
from kdmlog.session import NewOptions, Session, new_campaign
from kdmlog.session import campaigns as list_campaigns

FOUNDERS = ("Allister m", "Erza f", "Lucy f", "Zachary m")
NEWCOMERS = ("Ada", "Bruno", "Cleo", "Dorian", "Edda", "Falk", "Greta", "Hal")
MOST = 2000
"""Steps after which something must be wrong."""


def demo(
    seed: Annotated[str, typer.Option(help="the seed of the dice (default: a new one)")] = "",
) -> None:
    """Play the prologue with kdmlog's dice and show what there is."""
    call = current()
    call.really()
    path = call.path()
    if not call.db:
        path = path.with_name("demo.db")
    taken = {one.slug for one in list_campaigns(path)}
    number = next(n for n in range(1, MOST) if f"demo_{n}" not in taken)
    options = NewOptions(players=("Ann", "Bo"), seed=seed, edition="1.3")
    session, _ = new_campaign(path, f"Demo {number}", options=options)
    call.session = session
    say.line(f"{session.campaign.name}: the First Story, with kdmlog's dice and decks.")
    say.line("")
    for name in FOUNDERS:
        _line(call, session, f"survivor new {name}")
    _play(call, session)
    _after(session, f"kdmlog --db {path}")


def _play(call: Call, session: Session) -> None:
    """Follows the next steps until the survivors have departed."""
    for _ in range(MOST):
        if session.look("phase.step") == "departed":
            return
        _line(call, session, _next(session))


def _next(session: Session) -> str:
    """Returns what to do: build, innovate and craft while it can be paid; else the next step."""
    ready = session.ready()
    for wish in ("build", "innovate", "craft"):
        for line in ready:
            if line.startswith(f"settlement {wish}"):
                return line
    sheets = len(session.look("survivors"))
    name = f"{NEWCOMERS[sheets % len(NEWCOMERS)]} {'mf'[sheets % 2]}"
    step = session.game.step(session.table).replace("begin NAME", "begin 'First Light'")
    if "SURVIVOR" in step:  # an endeavor that is left over: whose it is, the table would say
        return "settlement end"
    return step.replace("NAME m|f", name)


def _line(call: Call, session: Session, line: str) -> None:
    """Runs a line, answers what it asks, and prints one line for it."""
    before = session.head.number
    act(call, session, line)
    while session.open is not None:
        session.answer(_answer(session.open.request, session.head.number))
    one = session.entry(before + 1)
    headline = session.game.headline(one.action, one.events, session.table)
    say.line(f"{one.number:>4}  {headline}")


def _answer(request: Ask, number: int) -> list[str]:
    """Dodges, picks the targets in turn, takes the first of other options, plain values."""
    if isinstance(request, Choose):
        ids = [one.id for one in request.options]
        if request.purpose == "dodge":
            return [ids[-1]]
        if request.purpose == "target":
            near = [id_ for id_ in ids if not id_.startswith("far_") and id_ != "none"]
            return [near[number % len(near)] if near else "none"]
        return [request.default or (ids[0] if request.least else "none")]
    if isinstance(request, Fill) and request.purpose == "population":
        return [f"population={max(8, request.fields[0].least or 0)}"]
    return []


def _after(session: Session, kdmlog: str) -> None:
    """Shows what there is, and the commands to look at it."""
    say.line("")
    for text in session.game.standing(session.table):
        say.line(text)
    settlement = session.look("settlement")
    for box in ("innovations", "locations"):
        say.line(f"{box.capitalize()}: {', '.join(map(as_words, settlement[box]))}")
    say.line("")
    say.line("Look at it, take it back, branch it:")
    for words, what in LOOKS:
        say.line(f"  # {what}")
        say.line(f"  {kdmlog} {words}")


LOOKS = (
    ("log -n 10", "the last actions, each in a line"),
    ("replay showdown:1", "the fight again: space, ←, q"),
    ("show 8", "one action, fact by fact"),
    ("undo --to showdown:1", "back to the beginning; redo returns"),
    ("branch brave --at showdown:1", "a name to go on from there"),
    ("diff main brave", "what differs"),
)
"""What to do with the demo, and what it shows: above it, as lines broken in two are no commands."""


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    return to_click(globals()[name], command)
