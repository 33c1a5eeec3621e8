"""Finds what no record of any game may hold: text that hides or poses, figures out of bounds."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from kdmlog.core.text import LONGEST_NAME, hidden
from kdmlog.packs.diagnose import Fault
from kdmlog.packs.findings import FieldPath

NAMES = ("name", "title", "label")
"""Fields that are shown as what something is called."""
LONGEST = 4000
"""Characters of any text."""
MOST = 9999
"""The largest figure, and the smallest below zero: loops and decks are as long as figures say."""
_ALIKE = (
    "LATIN",
    "CYRILLIC",
    "GREEK",
    "ARMENIAN",
    "CHEROKEE",
    "COPTIC",
    "FULLWIDTH",
    "MATHEMATICAL",
)
"""Alphabets, as Unicode names begin, with letters that look like another's."""
_WORD = re.compile(r"[^\W\d_]+")
_FORMULA = ("=", "+", "-", "@")


def faults(value: Any, path: FieldPath = ()) -> Iterator[Fault]:
    """Yields what is wrong with plain data, keys included, however it will be understood."""
    match value:
        case dict():
            for key, inner in value.items():
                yield from _text(str(key), (*path, key), name=False)
                yield from faults(inner, (*path, key))
        case list():
            for number, inner in enumerate(value):
                yield from faults(inner, (*path, number))
        case str():
            yield from _text(value, path, name=bool(path) and path[-1] in NAMES)
        case bool():
            pass
        case int() if abs(value) > MOST:
            yield Fault(path, f"Figures go to {MOST}.")


def _text(text: str, path: FieldPath, *, name: bool) -> Iterator[Fault]:
    # Control characters are refused by whoever reads the file, but for those of a layout.
    if char := hidden("".join(char for char in text if char >= " ")):
        yield Fault(path, f"Invisible characters are refused (U+{ord(char):04X}).")
    if len(text) > LONGEST:
        yield Fault(path, f"Text has at most {LONGEST} characters.")
    if not name:
        return
    if "\n" in text or "\t" in text:
        yield Fault(path, "A name is one line.")
    if len(text) > 2 * LONGEST_NAME:
        yield Fault(path, f"A name has at most {2 * LONGEST_NAME} characters.")
    if text.startswith(_FORMULA):
        hint = "Begin it with a letter or a digit."
        yield Fault(path, "A spreadsheet would take this name for a formula.", hint)
    for word in _WORD.findall(text):
        if len(alphabets := _alphabets(word)) > 1:
            mixed = " and ".join(sorted(one.capitalize() for one in alphabets))
            yield Fault(path, f"Letters of several alphabets in one word: {mixed}.")


def _alphabets(word: str) -> set[str]:
    if word.isascii():
        return set()
    found = (unicodedata.name(char, "").partition(" ")[0] for char in word)
    return {alphabet for alphabet in found if alphabet in _ALIKE}
