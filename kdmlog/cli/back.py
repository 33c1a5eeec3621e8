"""Going back and aside: undo, redo, branches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from kdmlog.cli import say
from kdmlog.cli.build import to_click
from kdmlog.cli.call import Call, current
from kdmlog.core.events import CardsDrawn, DiceRolled
from kdmlog.core.game import Table
from kdmlog.session import ActionEntry, Session

if TYPE_CHECKING:  # its documents are only wanted with --json
    from kdmlog.cli.documents import Branch

LISTED = 8
"""Actions that undo and redo name before they only count."""


def undo(
    n: Annotated[int, typer.Argument(help="how many actions", min=1)] = 1,
    to: Annotated[
        str | None,
        typer.Option(help="back to just after this position, also where an amend left it"),
    ] = None,
    answer: Annotated[bool, typer.Option("--answer", help="only the last answer")] = False,
) -> None:
    """Take back the last actions."""
    call = current()
    call.only("--by", "--expect", "--dry-run")
    session = call.writing()
    before = session.table
    done = session.undo(n, to=to, answer=answer, **call.write)
    tried = call.write.get("dry_run", False)
    game = session.game
    after = session.at(f"h:{done.head.hash.hex()}") if tried else session.table
    if call.json:
        from kdmlog.cli.documents import Undone
        from kdmlog.cli.log import entry_json

        say.as_json(
            Undone(
                took_back=[entry_json(session, one) for one in done.took_back],
                brought_back=[entry_json(session, one) for one in done.brought_back],
                rolls=done.rolls,
                draws=done.draws,
                move=done.head.number,
                hash=done.head.hash.hex(),
                dry_run=tried,
                changes=game.changes(game.view(before), game.view(after)),
            )
        )
        return
    verb = "Would take back" if tried else "Took back"
    _listed(session, verb, done.took_back, before)
    brought = "Would bring back" if tried else "Brought back"
    _listed(session, brought, done.brought_back, after)
    if done.rolls or done.draws:
        counts = ((done.rolls, "roll"), (done.draws, "draw"))
        said = [f"{count} {what}{'s' * (count > 1)}" for count, what in counts if count]
        ours = any(
            isinstance(event, (DiceRolled, CardsDrawn)) and event.source == "app"
            for one in done.took_back
            for event in one.events
        )
        again = " The same action will roll the same." if ours else ""
        say.line(f"      Among it {' and '.join(said)}.{again}")
    for text in game.changes(game.view(before), game.view(after)):
        say.line(f"      {text}")
    if not answer and not tried and any(len(one.numbers) > 1 for one in done.took_back):
        say.line("      With its answers; for the last of them alone: redo, then undo --answer")
    say.line(f"      {_now(tried)} at move {done.head.number}: {game.phase(after)}.")
    if after.state.open is not None:
        say.open_question(game, session, after.state.open.request)


def _listed(session: Session, verb: str, entries: list[ActionEntry], table: Table) -> None:
    """Prints what was taken or brought back, newest first; many of them shortened."""
    for one in entries[:LISTED]:
        moves = one.numbers
        span = f"{moves[0]}" if len(moves) == 1 else f"{moves[0]}-{moves[-1]}"
        say.line(f"      {verb} {span}: {session.game.headline(one.action, one.events, table)}")
    if rest := entries[LISTED:]:
        say.line(f"      … and {len(rest)} more, down to move {rest[-1].number}.")


def _now(tried: bool) -> str:
    return "Would be" if tried else "Now"


def redo(n: Annotated[int, typer.Argument(help="how many undos", min=1)] = 1) -> None:
    """Bring back what was taken back."""
    call = current()
    call.only("--by", "--expect", "--dry-run")
    session = call.writing()
    done = session.redo(n, **call.write)
    if call.json:
        from kdmlog.cli.documents import Redone
        from kdmlog.cli.log import entry_json

        brought = [entry_json(session, one) for one in done.brought_back]
        say.as_json(Redone(brought, done.head.number, done.head.hash.hex()))
        return
    tried = call.write.get("dry_run", False)
    after = session.at(f"h:{done.head.hash.hex()}") if tried else session.table
    verb = "Would bring back" if tried else "Brought back"
    _listed(session, verb, done.brought_back, after)
    say.line(f"      {_now(tried)} at move {done.head.number}: {session.game.phase(after)}.")
    if after.state.open is not None:
        say.open_question(session.game, session, after.state.open.request)


def branch(
    name: Annotated[str | None, typer.Argument(help="the new branch's name")] = None,
    reseed: Annotated[bool, typer.Option("--reseed", help="with other dice from there")] = False,
    delete: Annotated[str | None, typer.Option(help="drop a branch's name")] = None,
) -> None:
    """List the branches, make one, or delete a name."""
    call = current()
    if name is None and delete is None:
        _branches(call)
        return
    call.really()
    session = call.open()
    if delete is not None:
        stood = session.place(delete)
        session.delete_branch(delete, **call.write)
        place = f"h:{stood.hash.hex()[:8]}"
        text = f"Dropped the name {delete}; its moves stay: branch NAME --at {place}"
        _said(call, _document(delete, 0, 0), text)
        return
    assert name is not None
    made = session.branch(name, call.at, reseed=reseed, by=call.write.get("by", ""))
    where = f"Branch {made.name} stands at move {made.head.number}.  Next: switch {name}"
    _said(call, _row(session, made.name), where)


def _branches(call: Call) -> None:
    session = call.reading()
    rows = session.branches()
    if call.json:
        say.as_json([_row(session, one.name) for one in rows])
        return
    for one in rows:
        mark = "*" if one.name == session.branch_name else " "
        say.line(f"{mark} {one.name:<20} move {one.head.number}  h:{one.head.hash.hex()[:8]}")


def switch(name: Annotated[str, typer.Argument(help="the branch to go on on")]) -> None:
    """Go on on another branch."""
    call = current()
    call.really()
    session = call.writing()
    session.switch(name)
    where = session.game.phase(session.table)
    body = _row(session, session.branch_name)
    _said(call, body, f"On {session.branch_name}, move {session.head.number}: {where}.")
    if session.open is not None and not call.json:
        say.open_question(session.game, session, session.open.request)


def _row(session: Session, name: str) -> Branch:
    head = next(one.head for one in session.branches() if one.name == name)
    return _document(name, head.number, session.shared_with(head))


def _document(name: str, move: int, shared: int) -> Branch:
    from kdmlog.cli.documents import Branch

    return Branch(name, move, shared)


def _said(call: Call, body: Branch, text: str) -> None:
    if call.json:
        say.as_json(body)
    else:
        say.line(text)


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    return to_click(globals()[name], command)
