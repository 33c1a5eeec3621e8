"""Correcting the past: what would become of later actions is shown first, and kept if agreed."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import Annotated, Any

import typer
from msgspec.structs import replace

from kdmlog.cli import documents, say
from kdmlog.cli.build import to_click
from kdmlog.cli.call import Call, current
from kdmlog.cli.consent import agreed
from kdmlog.cli.lines import commands
from kdmlog.cli.log import entry_json
from kdmlog.cli.look import plain
from kdmlog.cli.progress import Advance, progress
from kdmlog.cli.table import COMMANDS
from kdmlog.cli.write import prompt, prompts
from kdmlog.core.errors import NotNow, UnknownName, UsageError
from kdmlog.core.game import Action
from kdmlog.core.inputs import loose
from kdmlog.core.requests import Draw, Roll
from kdmlog.core.text import words as as_words
from kdmlog.session import Session
from kdmlog.session.answers import copied
from kdmlog.session.rebase import Correction, Play, Rebased
from kdmlog.session.rebase import amend as amend_session
from kdmlog.session.rebase import rebase as rebase_session
from kdmlog.session.results import Write, WriteOptions

ACTIONS = ("kdmlog.cli.games:", "kdmlog.cli.free:", "kdmlog.cli.standing:answer")
"""Where the commands are built that may be done in the past: those that a rule or a hand logs."""
SHOWN = 12
"""Figures, actions and rolls that a preview lists of each."""


def amend(
    move: Annotated[str, typer.Argument(help="a move number, h:HASH or @{N}")],
    line: Annotated[
        list[str] | None,
        typer.Argument(help="what was done there, as typed; or just --dice, --choose …"),
    ] = None,
    after: Annotated[bool, typer.Option("--after", help="it was done after the move")] = False,
    drop: Annotated[bool, typer.Option("--drop", help="it was never done")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="keep it without asking")] = False,
) -> None:
    """Correct an action of the past and play on from there, with the same dice and choices."""
    call = current()
    session = call.writing()
    session.refresh()
    place = session.place(move)
    if not session.leads_to(place):
        raise UnknownName(f"Move {place.number} of {move} is not on the way here.")
    correction = Correction(
        move=place.number,
        line=_told(call, line or []),
        play=_play(call, line or [], after, drop),
        after=after,
    )

    def rehearse(keep: bool, write: Write, advance: Advance) -> Rebased:
        unseen = call.inputs.unseen
        return amend_session(session, correction, write, keep=keep, unseen=unseen, advance=advance)

    _offer(call, session, rehearse, yes, session.head.number - place.number)


def rebase(
    onto: Annotated[
        str | None,
        typer.Option(help="the position or branch to play on from", show_default=False),
    ] = None,
    from_: Annotated[
        str | None,
        typer.Option("--from", help="only what came after this position", show_default=False),
    ] = None,
    until: Annotated[
        str | None, typer.Option(help="only what led here", show_default="here")
    ] = None,
    without: Annotated[
        list[int] | None, typer.Option(help="leave a move out; repeat for each")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="keep it without asking")] = False,
) -> None:
    """Play later actions again over another past.

    Without --onto, what is on the way here is played again where it was, and what is not
    (--until) on top of what is here.
    """
    call = current()
    session = call.writing()
    base = onto or (from_ if from_ and until is None else "@{0}")

    def rehearse(keep: bool, write: Write, advance: Advance) -> Rebased:
        left_out = without or ()
        return rebase_session(
            *(session, base, from_, until, left_out, write),
            keep=keep,
            unseen=call.inputs.unseen,
            advance=advance,
        )

    _offer(call, session, rehearse, yes, None)


def _told(call: Call, words: list[str]) -> str:
    """What is done there, as the log tells it; without a line, what is given otherwise."""
    inputs = call.inputs
    given = [*inputs.dice, *inputs.draws, *inputs.choices]
    given += [f"{name}={value}" for fill in inputs.fills for name, value in fill.items()]
    return shlex.join(words or given)


def _play(call: Call, words: list[str], after: bool, drop: bool) -> Play | None:
    """Returns what is done in the past: a line, the same with other inputs, or nothing."""
    inputs = call.inputs
    given = inputs.dice or inputs.draws or inputs.choices or inputs.fills
    if drop:
        if words or given or after:
            raise UsageError("--drop leaves the move out; nothing is done in its place.")
        return None
    options = _signed(call)
    if words:
        return lambda session, _action: _do(call, session, words, options)
    if after or not given:
        raise UsageError(
            "Say what was done.",
            hints=["amend 12 --after adjust …", "amend 12 attack erza", "amend 12 --dice 7,3"],
        )

    def again(session: Session, action: Action | None) -> None:
        if action is None:
            session.answer([], copied(inputs), **options)
        elif type(action) not in session.codec.plays:
            raise UsageError(
                "That move asks for no dice, cards or choices.",
                hints=["amend N LINE does something else in its place"],
            )
        else:
            session.perform(action, copied(inputs), **options)

    return again


def _signed(call: Call) -> WriteOptions:
    """Returns who does what is done in the past; a note goes with the correction itself."""
    session = call.session
    return WriteOptions(by=call.write.get("by", "") or (session.by if session else ""))


def _do(call: Call, session: Session, words: list[str], options: WriteOptions) -> None:
    """Does a line there, quietly."""
    from kdmlog.cli.main import run

    for one in commands(words, session):
        entry = COMMANDS.get(one.words[0])
        for word in one.words[1:2]:
            entry = entry.group.get(word, entry) if entry else None
        if entry is None or not entry.path.startswith(ACTIONS):
            raise UsageError(f"{one.words[0]!r} is nothing that was done at the table.")
        inner = Call(db=call.db, session=session, scripted=True, quiet=True)
        inner.write = options
        inner.inputs = copied(call.inputs)
        inner.inputs.loose = loose(one.loose)
        try:
            run(one.words, inner)
        except NotNow:
            asked = session.open.request if session.open is not None else None
            if call.inputs.unseen and isinstance(asked, Roll | Draw):
                return  # it is only open since what comes must not be seen
            raise


def _offer(
    call: Call,
    session: Session,
    rehearse: Callable[[bool, Write, Advance], Rebased],
    yes: bool,
    total: int | None,
) -> None:
    """Shows what would become, and keeps it if that is agreed to."""
    tried = call.write.get("dry_run", False)
    write = Write(**call.write)
    done: Rebased | None = None
    if not (yes and call.json and not tried):
        call.inputs.unseen = not call.spoilers
        with progress("playing again", total) as advance:
            done = rehearse(False, write, advance)
        if done.repeated:
            _say_repeated(call, session, done)
            return
        if not call.json:
            _preview(session, done)
    keep = not tried and agreed(call, yes, "Keep it?")
    if keep:
        call.inputs.unseen = False
        expected, shown = replace(write, expect=session.head.hash.hex()), done
        with progress("keeping it", total) as advance:
            done = rehearse(True, expected, advance)
        if not call.json and shown is not None and shown.stop is not None and shown.stop.unseen:
            _preview(session, done)
    assert done is not None
    if call.json or done.repeated:
        _say_repeated(call, session, done)
        return
    if not keep:
        say.line("      Nothing was changed." + ("" if tried else "  --yes keeps it."))
        return
    old = done.old.hash.hex()[:8]
    number, phase = session.head.number, session.game.phase(session.table)
    say.line(f"      Kept: {session.branch_name} is at move {number}: {phase}.")
    say.line(f"      The old line stays: undo --to h:{old} goes back to it.")
    _stop(done)
    if session.open is not None:
        say.open_question(session.game, session, session.open.request)
        if prompts(call):
            prompt(call, session)


def _say_repeated(call: Call, session: Session, done: Rebased) -> None:
    """Says the result as JSON, or that there is none since the request was heeded before."""
    if call.json:
        say.as_json(_document(call, session, done))
    else:
        say.line(f"{done.repeated:>4}  This request was done already; nothing was changed.")


def _preview(session: Session, done: Rebased) -> None:
    """Says what was played again and what came out otherwise."""
    game, table = session.game, session.table
    s = "" if done.played == 1 else "s"
    say.line(f"      {done.played} action{s} played again with the same dice, cards and choices.")
    _stop(done)
    figures = [one for one in done.diff.changes if not one[0].startswith("open.")]
    for path, before, after in figures[:SHOWN]:
        say.line(f"      {path}: {plain(before)} → {plain(after)}")
    _rest(len(figures), "figures")
    if not figures:
        say.line("      No figure differs.")
    told = [
        (f"{old.number:>4} was  {was}", f"{new.number:>4} now  {now}")
        for old, new in done.differing
        for was, now in [[game.headline(one.action, one.events, table) for one in (old, new)]]
        if was != now
    ]
    for was, now in told[:SHOWN]:
        say.line(f"      {was}")
        say.line(f"      {now}")
    _rest(len(told), "actions")
    for roll in done.rolled[:SHOWN]:
        say.line(f"      New roll: {game.sentence(roll, table)}")
    _rest(len(done.rolled), "rolls")
    for event in done.unused[:SHOWN]:
        purpose = as_words(getattr(event, "purpose", ""))
        say.line(f"      No longer asked: {purpose}: {game.sentence(event, table)}")
    _rest(len(done.unused), "answers")


def _stop(done: Rebased) -> None:
    """Says where it stops, and how to go on from there."""
    stop = done.stop
    if stop is None:
        return
    say.line(f"      It stops at move {stop.move}: {stop.why}")
    if stop.unseen:
        say.line("      Kept, it goes on from there.  --spoilers shows it before.")
        return
    if stop.open is None:
        say.line("      Kept, it ends before that; the rest goes on without it.")
    elif stop.rest:
        say.line("      Kept, the question is open; once it is answered, the rest goes on.")
    if stop.rest:
        source = done.source.hash.hex()[:8]
        say.line(f"      The rest: kdmlog rebase --from {stop.rest} --until h:{source}")


def _rest(count: int, what: str) -> None:
    if count > SHOWN:
        say.line(f"      … and {count - SHOWN} more {what} (--json lists all).")


def _document(call: Call, session: Session, done: Rebased) -> documents.Rebased:
    stop = done.stop
    return documents.Rebased(
        kept=done.kept,
        move=done.head.number,
        hash=done.head.hash.hex(),
        old=done.old.hash.hex(),
        played=done.played,
        changes=[documents.Change(*one) for one in done.diff.changes],
        differing=[
            documents.Otherwise(entry_json(session, was), entry_json(session, now))
            for was, now in done.differing
        ],
        rolled=list(done.rolled),
        unused=[say.unspoilt(call, event) for event in done.unused],
        stop=documents.Halt(stop.move, stop.why, stop.open) if stop else None,
    )


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    made = to_click(globals()[name], command)
    if name == "amend":
        # The line has options of its own.
        made.context_settings["ignore_unknown_options"] = True
    return made
