"""Looking back and going back: log, show, undo, redo, branches, diff, verify, state, events."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import typer

from kdmlog.cli import say
from kdmlog.cli.build import to_click
from kdmlog.cli.call import Call, current
from kdmlog.core import events as e
from kdmlog.core.errors import LedgerError
from kdmlog.core.game import Table
from kdmlog.core.names import match
from kdmlog.session import ActionEntry, Session

LISTED = 8
"""Actions that undo and redo name before they only count."""


def log(
    n: Annotated[int, typer.Option("-n", help="how many actions", min=0)] = 20,
    events: Annotated[bool, typer.Option("--events", help="with the facts of each")] = False,
    graph: Annotated[bool, typer.Option("--graph", help="draw the branches")] = False,
    grep: Annotated[str, typer.Option(help="only lines with this text")] = "",
    survivor: Annotated[str, typer.Option(help="only what is about a survivor")] = "",
) -> None:
    """List the moves, newest first."""
    call = current()
    session = call.reading()
    if graph:
        _graph(call, session)
        return
    found = _filtered(session, call, n, grep, survivor)
    if call.json:
        say.as_json([entry_json(session, one) for one in found])
        return
    for one in found:
        say.line(_log_line(session, one))
        if events:
            for event in one.events:
                if text := session.game.sentence(event, session.table):
                    say.line(f"              {text}")


def _filtered(session: Session, call: Call, n: int, grep: str, survivor: str) -> list[ActionEntry]:
    head = session.place(call.at) if call.at is not None else None
    if not grep and not survivor:
        return session.log(n, head=head)
    who = survivor.lower()
    found = []
    for one in session.log(head=head):
        bodies = msgspec.json.encode(one.events).decode().lower()
        if (not grep or grep.lower() in _log_line(session, one).lower()) and (
            not who or f'"{who}' in bodies
        ):
            found.append(one)
        if n and len(found) == n:
            break
    return found


def _log_line(session: Session, one: ActionEntry) -> str:
    headline = session.game.headline(one.action, one.events, session.table)
    answers = len(one.moves) - 1
    tail = f"   +{answers} answer{'s' * (answers > 1)}" if answers else ""
    return f"{one.number:>4}  {one.hash[:4]}  {one.by or '-':<6}  {headline}{tail}"


def entry_json(session: Session, one: ActionEntry) -> dict[str, Any]:
    return {
        "move": one.number,
        "moves": one.numbers,
        "hash": one.hash,
        "by": one.by,
        "at": one.at,
        "action": one.action,
        "text": session.game.headline(one.action, one.events, session.table),
    }


def _graph(call: Call, session: Session) -> None:
    """Each branch with the move it stands at and the last it shares with the one in use."""
    rows = [
        (branch.name, branch.head.number, session.shared_with(branch.head))
        for branch in session.branches()
    ]
    if call.json:
        say.as_json([{"branch": b, "move": n, "shared": s} for b, n, s in rows])
        return
    longest = max(len(name) for name, _, _ in rows)
    for name, number, shared in rows:
        mark = "*" if name == session.branch_name else " "
        line = f"{mark} {name:<{longest}}  1 ─ {number}"
        if name != session.branch_name:
            line = f"{mark} {name:<{longest}}  {'│ ' if shared else ''}from {shared} ─┬─ {number}"
        say.line(line)


def show(move: Annotated[str, typer.Argument(help="a move number, h:HASH or @{N}")]) -> None:
    """Show one action: as typed, rolls, draws, choices, facts."""
    call = current()
    session = call.reading()
    place = session.place(move)
    one = session.entry(place.number, session.head if session.leads_to(place) else place)
    if call.json:
        moves = [
            {
                "move": row.number,
                "kind": row.kind,
                "hash": row.hash.hex(),
                "by": row.by,
                "at": row.at,
                "input": msgspec.Raw(row.input.encode()),
                "writer": row.writer,
                "events": events,
            }
            for row, events in one.moves
        ]
        say.as_json({**entry_json(session, one), "moves": moves})
        return
    say.line(_log_line(session, one))
    for row, events in one.moves:
        say.line(f"  move {row.number}  {row.kind}  {row.at}  h:{row.hash.hex()[:8]}  {row.input}")
        for event in events:
            for text in _details(session, event):
                say.line(f"    {text}")


def _details(session: Session, event: e.Event) -> list[str]:
    match event:
        case e.DiceRolled():
            about = f" ({', '.join(event.about)})" if event.about else ""
            faces = " ".join(str(face) for face in event.faces)
            return [f"roll   {event.dice}: {faces}  {event.purpose}{about}  {event.source}"]
        case e.CardsDrawn():
            return [f"draw   {', '.join(event.cards)} from {event.deck}  {event.source}"]
        case e.Chosen():
            others = ", ".join(one for one in event.offered if one not in event.picked)
            said = ", ".join(event.picked) or "none"
            return [f"choice {event.purpose}: {said}" + (f"  (also: {others})" if others else "")]
        case e.Asked():
            return [f"asked  {event.request.purpose}"]
    text = session.game.sentence(event, session.table)
    cause = f"  [{event.cause}]" if event.cause else ""
    return [f"fact   {text}{cause}"] if text else []


def undo(
    n: Annotated[int, typer.Argument(help="how many actions", min=1)] = 1,
    to: Annotated[str | None, typer.Option(help="back to just after this position")] = None,
    answer: Annotated[bool, typer.Option("--answer", help="only the last answer")] = False,
) -> None:
    """Take back the last actions."""
    call = current()
    session = call.writing()
    before = session.table
    done = session.undo(n, to=to, answer=answer, **call.write)
    tried = call.write.get("dry_run", False)
    game = session.game
    after = session.at(str(done.head.number)) if tried else session.table
    if call.json:
        say.as_json(
            {
                "took_back": [entry_json(session, one) for one in done.took_back],
                "rolls": done.rolls,
                "draws": done.draws,
                "move": done.head.number,
                "hash": done.head.hash.hex(),
                "dry_run": tried,
                "changes": game.changes(game.view(before), game.view(after)),
            }
        )
        return
    verb = "Would take back" if tried else "Took back"
    _listed(session, verb, done.took_back, before)
    if done.rolls or done.draws:
        said = [f"{done.rolls} rolls"] * bool(done.rolls) + [f"{done.draws} draws"] * bool(
            done.draws
        )
        say.line(f"      Among it {' and '.join(said)}. The same action will roll the same.")
    for text in game.changes(game.view(before), game.view(after)):
        say.line(f"      {text}")
    say.line(f"      Now at move {done.head.number}: {game.phase(after)}.")
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


def redo(n: Annotated[int, typer.Argument(help="how many undos", min=1)] = 1) -> None:
    """Bring back what was taken back."""
    call = current()
    session = call.writing()
    done = session.redo(n, **call.write)
    if call.json:
        say.as_json(
            {
                "brought_back": [entry_json(session, one) for one in done.brought_back],
                "move": done.head.number,
                "hash": done.head.hash.hex(),
            }
        )
        return
    _listed(session, "Brought back", done.brought_back, session.table)
    say.line(f"      Now at move {done.head.number}: {session.game.phase(session.table)}.")
    if session.open is not None:
        say.open_question(session.game, session, session.open.request)


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
    session = call.open()
    if delete is not None:
        session.delete_branch(delete, **call.write)
        _said(call, {"deleted": delete}, f"Dropped the name {delete}; its moves stay.")
        return
    assert name is not None
    made = session.branch(name, call.at, reseed=reseed, by=call.write.get("by", ""))
    body = {"branch": made.name, "move": made.head.number}
    _said(call, body, f"Branch {made.name} stands at move {made.head.number}.  Next: switch {name}")


def _branches(call: Call) -> None:
    session = call.reading()
    rows = session.branches()
    if call.json:
        names = [{"branch": one.name, "move": one.head.number} for one in rows]
        say.as_json(names)
        return
    for one in rows:
        mark = "*" if one.name == session.branch_name else " "
        say.line(f"{mark} {one.name:<20} move {one.head.number}  h:{one.head.hash.hex()[:8]}")


def switch(name: Annotated[str, typer.Argument(help="the branch to go on on")]) -> None:
    """Go on on another branch."""
    call = current()
    session = call.writing()
    session.switch(name)
    body = {"branch": session.branch_name, "move": session.head.number}
    where = session.game.phase(session.table)
    _said(call, body, f"On {session.branch_name}, move {session.head.number}: {where}.")


def diff(
    a: Annotated[str, typer.Argument(help="a position or branch")],
    b: Annotated[str | None, typer.Argument(help="another (default: the present)")] = None,
) -> None:
    """Show what differs between two positions or branches."""
    call = current()
    session = call.reading()
    found = session.diff(a, b)
    other = b or session.branch_name
    if call.json:
        say.as_json(
            {
                "changes": [
                    {"path": path, "before": before, "after": after}
                    for path, before, after in found.changes
                ],
                "only_a": [entry_json(session, one) for one in found.only_a],
                "only_b": [entry_json(session, one) for one in found.only_b],
            }
        )
        return
    for path, before, after in found.changes:
        say.line(f"{path}: {_plain(before)} → {_plain(after)}")
    for label, entries in ((a, found.only_a), (other, found.only_b)):
        if entries:
            say.line(f"Only {label}:")
        for one in entries:
            say.line(f"  {_log_line(session, one)}")
    if not found.changes and not found.only_a and not found.only_b:
        say.line("No difference.")


def _plain(value: object) -> str:
    return "-" if value is None else msgspec.json.encode(value, enc_hook=str).decode()


def oplog(n: Annotated[int, typer.Option("-n", help="how many", min=1)] = 20) -> None:
    """List the history of history."""
    call = current()
    session = call.reading()
    rows = session.oplog()[:n]
    if call.json:
        say.as_json(
            [
                {
                    "id": row.id,
                    "branch": row.branch,
                    "reason": row.reason,
                    "move": row.number,
                    "follows": row.follows,
                    "by": row.by,
                    "at": row.at,
                    "hash": row.hash.hex(),
                }
                for row in rows
            ]
        )
        return
    for row in rows:
        where = "follows its line" if row.follows else f"at move {row.number}"
        say.line(f"{row.at}  {row.by or '-':<6}  {row.branch:<12} {row.reason:<8} {where}")


def verify() -> None:
    """Check the ledger; silent when well."""
    call = current()
    session = call.reading()
    findings = session.verify()
    if call.json:
        say.as_json({"findings": findings})
    if findings:
        first = findings[0]
        more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
        raise LedgerError(
            f"{first.message}{more}",
            code="damaged",
            data={"findings": [finding.message for finding in findings]},
        )


def state(
    path: Annotated[str | None, typer.Argument(help="a path, such as survivors.allister")] = None,
) -> None:
    """Print the public state, or one path of it, as JSON."""
    call = current()
    session = call.reading()
    say.as_json(session.look(path, at=call.at))


def events(
    type_: Annotated[list[str] | None, typer.Option("--type", help="only this kind")] = None,
    since: Annotated[int, typer.Option(help="only moves after this one", min=0)] = 0,
) -> None:
    """Print the event stream as JSON lines."""
    call = current()
    session = call.reading()
    kinds = {str(cls.__struct_config__.tag): cls for cls in session.game.all_events}
    wanted = tuple(kinds[match(one, {k: k for k in kinds}, "event kind")] for one in type_ or ())
    for number, event, body in session.events(wanted, since):
        if not call.spoilers and _secret(event):
            body = msgspec.json.encode(_redacted(event)).decode()
        say.line(f'{{"move":{number},"event":{body}}}')


def _secret(event: e.Event) -> bool:
    return isinstance(event, e.DeckMade | e.DeckShuffled | e.CampaignBegun | e.Reseeded)


def _redacted(event: e.Event) -> e.Event:
    """Returns the event without coming cards or dice."""
    if isinstance(event, e.DeckShuffled):
        return msgspec.structs.replace(event, order=tuple(sorted(event.order)))
    if isinstance(event, e.DeckMade):
        return msgspec.structs.replace(event, cards=tuple(sorted(event.cards)))
    return msgspec.structs.replace(event, seed="")


def _said(call: Call, body: dict[str, Any], text: str) -> None:
    if call.json:
        say.as_json(body)
    else:
        say.line(text)


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    return to_click(globals()[name], command)
