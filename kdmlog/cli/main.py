"""The way in: common options out, one command found, built and run, its errors made readable."""

from __future__ import annotations

import gc
import os
import sys
from functools import cache
from importlib import import_module
from typing import Any

import typer
import typer.core

from kdmlog.cli.call import EPILOG, HELP, Call, hoist, running
from kdmlog.cli.errors import Complaint, report, warn
from kdmlog.cli.table import COMMANDS, Entry
from kdmlog.core.errors import KdmlogError, UsageError
from kdmlog.core.names import nearest

COMPLETE = "_KDMLOG_COMPLETE"
"""The variable by which a shell asks for completions."""


class Lazy(typer.core.TyperGroup):
    """A group that reads its names from a table and builds only the command asked for."""

    table: dict[str, Entry]

    def list_commands(self, ctx: Any) -> list[str]:
        """Returns the names in the table's order."""
        return list(self.table)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Imports and builds one command."""
        entry = self.table.get(cmd_name)
        if entry is None:
            return None
        if entry.group:
            return group(cmd_name, entry.group, entry.help)
        return _built(entry.path, cmd_name)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Takes the common options out of words that a shell wants completed, too."""
        if ctx.resilient_parsing:
            args = hoist(args, Call())
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Returns the names that begin so, from the table alone, importing nothing."""
        from typer._click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in self.table if name.startswith(incomplete)]

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Finds the command; a name that is none gets the nearest ones."""
        name = args[0]
        if name not in self.table and not name.startswith("-"):
            near = nearest(name, self.table)
            said = " ".join([*_path(ctx), name])
            raise UsageError(
                f"No command {said!r}.",
                hints=[f"{', '.join(near)}?"] if near else ["kdmlog --help"],
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Lists the commands from the table alone, importing nothing."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in self.table.items()])


@cache
def _built(path: str, command: str) -> Any:
    """Returns a command, built once: a script's next line may be the same."""
    module, name = path.split(":")
    return import_module(module).build(name, command)


def group(name: str | None, table: dict[str, Entry], help_: str) -> Lazy:
    """Returns a lazy group over a table."""
    made = Lazy(
        name=name,
        help=help_,
        epilog=EPILOG,
        no_args_is_help=True,
        rich_markup_mode=None,
        context_settings={"help_option_names": [*HELP]},
    )
    made.table = table
    return made


def root() -> Lazy:
    """Returns the program's own group."""
    return group("kdmlog", COMMANDS, "The ledger of tabletop campaigns: log, replay, undo, branch.")


def run(words: list[str], call: Call) -> None:
    """Runs one command's words. Raises what it raises."""
    rest = hoist(words, call)
    with running(call):
        command, path, rest = _found(rest)
        command.main(args=rest, prog_name=path, standalone_mode=False)


def _found(words: list[str]) -> tuple[Any, str, list[str]]:
    """Returns the command named in full, how it is called, and its words; else that of all.

    A group between it and us would parse the words, too: most of what a script's line costs.
    """
    table, path = COMMANDS, ["kdmlog"]
    for word in words:
        entry = table.get(word)
        if entry is None:
            break
        path.append(word)
        if not entry.group:
            return _built(entry.path, word), " ".join(path), words[len(path) - 1 :]
        table = entry.group
    return root(), "kdmlog", words


def main(words: list[str] | None = None) -> None:
    """Runs the command line and exits with its code."""
    if COMPLETE in os.environ:
        sys.exit(complete())
    call = Call()
    code = execute(sys.argv[1:] if words is None else words, call)
    if call.session is not None:
        call.session.close()
    if words is None:
        _leave(code)
    sys.exit(code)


def _leave(code: int) -> None:
    """Ends the process at once: all is written and closed, and no module needs taking down.

    Where the last words cannot be written, Python ends it, as it ends any program.
    """
    gc.freeze()  # else Python looks for garbage in every module once more before it ends
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        return
    os._exit(code)


def complete() -> int:
    """Answers the shell by Typer's protocol; returns the exit code.

    ``_KDMLOG_COMPLETE=source_bash`` (or zsh, fish) prints the script that asks from then on.
    """
    from typer._completion_classes import completion_init

    completion_init()
    what, _, shell = os.environ[COMPLETE].partition("_")
    if shell in ("source", "complete"):  # Click says it the other way round
        os.environ[COMPLETE] = f"{shell}_{what}"
    try:
        root().main(args=[], prog_name="kdmlog", standalone_mode=False)
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else 1
    except (KdmlogError, Complaint, LookupError, ValueError):
        # Words that are no command have no completion; without a shell there are none at all.
        return 1
    return 0


def execute(words: list[str], call: Call) -> int:
    """Runs one command and reports its error; returns the exit code."""
    try:
        if words in (["--version"], ["-V"]):
            from kdmlog import __version__

            print(f"kdmlog {__version__}")
            return 0
        run(words, call)
        if call.session is not None:
            warn(call.session.ledger.lost, json=call.json)
            warn(call.session.libraries.noticed, json=call.json)
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else 1
    except typer.Exit as done:
        return done.exit_code
    except (typer.Abort, KeyboardInterrupt):
        return 130
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115 - the reader has gone
        return 0
    except Complaint as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            print(error)
            return 0
        return report(error, json=call.json)
    except Exception as error:
        if os.environ.get("KDMLOG_DEBUG") == "1":
            raise
        return report(error, json=call.json)
    return 0


def _path(ctx: Any) -> list[str]:
    path: str = ctx.command_path
    return path.split()[1:]


if __name__ == "__main__":
    main()
