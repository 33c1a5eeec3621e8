"""Asks an open question on a plain terminal; Ctrl-C and Ctrl-D leave it open."""

from __future__ import annotations

import shlex


def ask() -> list[str] | None:
    """Returns the words typed; None when the player leaves the question open."""
    try:
        text = input("      > ")
        return shlex.split(text)
    except ValueError:
        return [text]
    except (EOFError, KeyboardInterrupt):
        print("\n      The question stays open: kdmlog answer", end="\n")
        return None
