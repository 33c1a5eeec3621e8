"""Finds the names that were probably meant, because every refusal should help."""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST = 80
_LISTED = 12


def nearest(name: str, names: Iterable[str], count: int = 3) -> list[str]:
    """Return up to ``count`` of ``names`` that look like ``name``, the most alike first."""
    import difflib  # here, not above: most commands never misspell anything

    folded = {known.casefold(): known for known in names}
    found = difflib.get_close_matches(name[:_LONGEST].casefold(), folded, count, cutoff=0.5)
    return [folded[match] for match in found]


def suggestion(name: str, names: Iterable[str], count: int = 3) -> str:
    """Return a hint in words: the nearest names, or all of them when they are few, or nothing."""
    known = list(names)
    if near := nearest(name, known, count):
        return f"Did you mean {' or '.join(near)}?"
    if known and len(known) <= _LISTED:
        return f"Possible here: {', '.join(known)}."
    return ""
