"""Free notes, rolls, draws, choices and rulings: what no rule asks for."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from kdmlog.cli.build import action_command, to_click
from kdmlog.cli.call import MOVE, current
from kdmlog.cli.write import finish, perform
from kdmlog.core import actions
from kdmlog.core.errors import UsageError


def adjust(
    path: Annotated[str, typer.Argument(help="a figure, such as survivors.allister.survival")],
    value: Annotated[str, typer.Argument(help="+1 or -1 change it, 3 sets it")],
    why: Annotated[str, typer.Option(help="the reason, kept with the ruling")] = "",
) -> None:
    """Correct a figure by hand, and say why."""
    call = current()
    call.only(*MOVE)
    if not why.strip():
        raise UsageError(
            "An adjustment needs its reason.", hints=[f"adjust {path} {value} --why …"]
        )
    session = call.writing()
    finish(call, session, session.adjust(path, value, why, **call.write))


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    if name == "adjust":
        # A value such as -1 is no option.
        made = to_click(adjust, command)
        made.context_settings["ignore_unknown_options"] = True
        return made
    return action_command(getattr(actions, name), perform, command)
