"""Where the game stands, what can be done, and answering what is open."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from kdmlog.cli import say
from kdmlog.cli.build import to_click
from kdmlog.cli.call import current
from kdmlog.cli.documents import Status
from kdmlog.cli.varied import varied
from kdmlog.cli.write import finish, prompt, prompts
from kdmlog.core.errors import UsageError
from kdmlog.core.inputs import Inputs
from kdmlog.session.answers import grouped, how


def status() -> None:
    """Show where the game stands, what is open, what can be done now."""
    call = current()
    session = call.reading()
    table = session.table if call.at is None else session.at(call.at)
    game = session.game
    request = table.state.open.request if table.state.open else None
    ready = session.ready() if call.at is None else []
    step = game.step(table) if session.lacking is None else ""
    if call.json:
        say.as_json(
            Status(
                campaign=session.campaign.slug,
                branch=session.branch_name,
                move=session.head.number,
                hash=session.head.hash.hex(),
                phase=game.phase(table),
                open=request,
                next=step if request is None else "answer",
                ready=ready,
            )
        )
        return
    say.line(f"{session.campaign.name}  ·  {game.title}  ·  branch {session.branch_name}")
    where = f"move {session.head.number} h:{session.head.hash.hex()[:8]}"
    if call.at is not None:
        where = f"as of {call.at}"
    say.line(f"{game.phase(table).capitalize()}.  ({where})")
    for text in (*varied(game, table.state), *game.standing(table)):
        say.line(f"  {text}")
    if request is not None:
        say.line(f"Open: {game.question(request, table)}")
        say.line(f"  {how(request)}")
        return
    if step:
        say.line(f"Next: {step}")
    for text in grouped(ready):
        if text != step:
            say.line(f"  or: {text}")


def do(
    words: Annotated[
        list[str] | None, typer.Argument(help="an action with its words", metavar="ACTION…")
    ] = None,
) -> None:
    """List the legal actions, or perform one by name."""
    call = current()
    if words:
        from kdmlog.cli.main import root

        if words[0] in ("do", "run", "play", "demo"):
            raise UsageError(f"{words[0]} is no action.", hints=["kdmlog do"])
        root().main(args=list(words), prog_name="kdmlog", standalone_mode=False)
        return
    session = call.reading()
    ready = session.ready()
    if call.json:
        say.as_json(ready)
        return
    for text in grouped(ready):
        say.line(text)
    if not ready:
        open_ = session.open
        if open_ is not None:
            say.line(f"Open: {session.game.question(open_.request, session.table)}")
            say.line(f"  {how(open_.request)}")
        else:
            say.line("Nothing but looking back: log, replay, undo, branch.")


def answer(
    value: Annotated[list[str] | None, typer.Argument(help="the answer")] = None,
    again: Annotated[
        bool, typer.Option(help="perform the open action anew, with the answers so far")
    ] = False,
) -> None:
    """Answer the open question."""
    call = current()
    session = call.writing()
    bare = not value and not again and call.inputs == Inputs()
    if bare and session.open is not None and prompts(call):
        say.open_question(session.game, session, session.open.request)
        prompt(call, session)
        return
    done = session.answer(list(value or []), call.inputs, again=again, **call.write)
    finish(call, session, done)


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    made = to_click(globals()[name], command)
    if name == "do":
        made.context_settings["ignore_unknown_options"] = True
    return made
