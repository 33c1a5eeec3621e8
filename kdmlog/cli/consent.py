"""Asks before something that is not lightly taken back."""

from __future__ import annotations

import sys

from kdmlog.cli.call import Call


def agreed(call: Call, yes: bool, question: str) -> bool:
    """Returns whether to go on: ``--yes`` says so, or a person at a terminal. Ctrl-C is a no."""
    if yes:
        return True
    scripted = call.scripted and not call.prompting
    if call.json or scripted or not sys.stdin.isatty():
        return False
    try:
        return input(f"      {question} [y/N] ").strip().lower() in ("y", "yes")
    except (EOFError, KeyboardInterrupt):
        print()
        return False
