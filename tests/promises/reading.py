"""Every command that only reads, out of the command table, with words to run it by."""

from __future__ import annotations

from collections.abc import Iterator

from kdmlog.cli.main import root
from kdmlog.cli.table import COMMANDS, Entry

WRITES = {
    *("new", "use", "answer", "adjust", "undo", "redo", "switch", "rebase", "amend", "assert"),
    *("play", "run", "demo", "import", "backup", "recover"),
    *("campaign hide", "campaign unhide", "campaign remove"),
    *("content update", "content add"),
}
"""The functions that write; whatever is built from an action's Struct does, too."""
WORDS = {
    "show": ["show", "show 4"],
    "log": ["log", "log -n 3", "log --events", "log --graph", "log --grep lucy"],
    "diff": ["diff 3", "diff 3 main"],
    "state": ["state", "state survivors.lucy"],
    "events": ["events", "events --type core.dice_rolled"],
    "compare": ["compare LEDGER"],
    "replay": ["replay", "replay 2..4"],
    "why": ["why population", "why lucy"],
    "audit": ["audit", "audit --fairness", "audit --at 3"],
    "survivor show": ["survivor show lucy"],
    "gear show": ["gear show lucy"],
    "odds attack": ["odds attack lucy", "odds attack lucy --toughness 9 --luck 1"],
    "content list": ["content list", "content list gear"],
    "content show": ["content show cloth"],
    "export": ["export -", "export - --upto 5"],
}
"""Words for those that need some, or have several ways; LEDGER stands for the ledger's file."""
BESIDE = [
    *("do", "branch", "--help", "attack lucy --explain"),
    *("status --at 3", "state --at @{2}", "log -b other"),
]
"""Commands that write, asked for what there is to see; and reading of the past and a branch."""


def reading() -> list[list[str]]:
    """Returns the words of every command that only reads; a new one is there by itself."""
    lines = [line for name in _names(COMMANDS) for line in WORDS.get(name, [name])]
    return [line.split() for line in [*lines, *BESIDE]]


def _names(table: dict[str, Entry], path: str = "") -> Iterator[str]:
    for name, entry in table.items():
        words = f"{path}{name}"
        if entry.group:
            yield from _names(entry.group, f"{words} ")
        elif not entry.path.partition(":")[2][0].isupper() and words not in {*WRITES, *BESIDE}:
            assert words in WORDS or not _needs(words), f"{words}: say in WORDS how to run it"
            yield words


def _needs(words: str) -> bool:
    command = root()
    for word in words.split():
        command = command.get_command(None, word)
    return any(one.required for one in command.params)
