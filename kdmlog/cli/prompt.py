"""Asks an open question on a plain terminal; Ctrl-C and Ctrl-D leave it open."""

from __future__ import annotations


def ask() -> str | None:
    """Returns the line typed; None when the player leaves the question open."""
    try:
        return input("      > ")
    except (EOFError, KeyboardInterrupt):
        print("\n      The question stays open: kdmlog answer")
        return None
