"""Dice: their notation, their faces as typed at a table, and the campaign's fixed sequence.

``dice/1``: die *k* of a campaign is a pure function of (seed, k, sides). It is BLAKE2b in counter
mode with rejection sampling, and never changes: old logs are audited against it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from kdmlog.core.errors import BadInput
from kdmlog.core.hashes import blake2b

LANTERN = 10
APP = "app"
"""Typed in place of faces: kdmlog rolls this one."""
LOCATIONS = ("head", "arms", "body", "body", "waist", "legs")
"""The six faces of the hit location die (rulebook, Survivor Hit Locations): body stands twice."""

_SIDES = {"d10": 10, "d5": 10, "d100": 10, "location": 6}
_NOTATION = r"(\d{1,2})?(d100|d10|d5|location)"
_LETTERS = {"h": 1, "a": 2, "b": 3, "w": 5, "l": 6}
_RUN = r"[0-9habwl]*[0-9][0-9habwl]*"
_DIGITS = "1 to 10 (0 and l are the lantern)"
_WORDS = {"head": 1, "arms": 2, "body": 3, "waist": 5, "legs": 6}


class Dice(Struct, frozen=True):
    """What is rolled: ``count`` dice of one kind (``d10``, ``d5``, ``d100``, ``location``)."""

    count: int
    kind: str

    @property
    def faces(self) -> int:
        """Returns how many physical faces a roll has: a d100 is a tens and a ones die."""
        return self.count * 2 if self.kind == "d100" else self.count

    @property
    def sides(self) -> int:
        """Returns the sides of each physical die (a d5 is a halved d10)."""
        return _SIDES[self.kind]

    def __str__(self) -> str:
        return f"{self.count}{self.kind}"


@lru_cache
def parse(notation: str) -> Dice:
    """Returns the dice that ``2d10``, ``d5``, ``1d100`` or ``2location`` name.

    Raises BadInput for anything else.
    """
    found = re.fullmatch(_NOTATION, notation.strip().lower(), re.ASCII)
    count = int(found[1] or 1) if found else 0
    if not found or not count:
        raise BadInput(
            f"{notation!r} is no dice notation.", hints=["d10, 2d10, d5, d100 or location, say"]
        )
    return Dice(count, found[2])


def values(dice: Dice, faces: Sequence[int]) -> list[int]:
    """Returns what the faces mean: a d5 is half a d10 rounded up, a d100 its tens and ones.

    Two lanterns on a d100 are 100; otherwise a lantern counts 0 (rulebook, Glossary, d100).
    """
    if dice.kind == "d5":
        return [(face + 1) // 2 for face in faces]
    if dice.kind == "d100":
        pairs = zip(faces[::2], faces[1::2], strict=True)
        return [(tens % 10 * 10 + ones % 10) or 100 for tens, ones in pairs]
    return list(faces)


def location(face: int) -> str:
    """Returns the hit location that a face of the location die shows."""
    return LOCATIONS[face - 1]


def split(text: str) -> list[str]:
    """Returns the single faces of what was typed: ``7,3,10``, ``70`` (7 and 10), ``hw69``."""
    symbols: list[str] = []
    for token in re.split(r"[\s,]+", text.strip().lower()):
        if token in ("10", APP) or token in _WORDS:
            symbols.append(token)
        else:
            symbols.extend(token)
    return symbols


def begun(words: Sequence[str], dice: Dice) -> tuple[str, list[str]]:
    """Returns the faces of one roll that typed words begin with, and the words behind them.

    A run of faces ends with the roll: ``12`` is no face of a d10. ``910`` for two dice is 9 and 10;
    letters behind digits (``67wb``) are of the next roll. Raises BadInput naming what is no face.
    """
    faces: list[str] = []
    rest = list(words)
    while rest and len(faces) < dice.faces:
        word = rest.pop(0)
        parts = _parts(word)
        run: list[str] = []
        while parts and _suits(parts[0], dice, room=len(faces) + sum(map(len, run)) < dice.faces):
            run.append(parts.pop(0))
        more = not parts and bool(rest) and rest[0][:1].isdigit()
        taken = _reading(run, dice.faces - len(faces), last=not more)
        if len(faces) + len(taken) > dice.faces:
            raise _too_many(",".join(run), len(faces) + len(taken), dice)
        faces += taken
        if parts and len(faces) < dice.faces:
            face(parts[0], dice)
        rest[:0] = parts
    if dice.kind == "location":
        faces = [one[0] for one in faces]
    else:
        faces = ["0" if one == "l" else one for one in faces]
    run_on = "".join(faces)
    return (run_on if split(run_on) == faces else ",".join(faces)), rest


def _parts(word: str) -> list[str]:
    """Returns a typed word's runs of digits and of letters; one that is neither stays whole."""
    parts: list[str] = []
    for one in word.lower().split(","):
        parts += re.findall(r"[0-9]+|[habwl]+", one) if re.fullmatch(_RUN, one) else [one]
    return [part for part in parts if part]


def _suits(part: str, dice: Dice, *, room: bool) -> bool:
    """Returns whether a run is one of faces of these dice; ``l`` is a lantern while one lacks."""
    if dice.kind == "location":
        return part in _WORDS or set(part) <= set(_LETTERS)
    return (part.isascii() and part.isdigit()) or (room and set(part) == {"l"})


def _reading(run: list[str], wanted: int, *, last: bool) -> list[str]:
    """Returns the faces of a run: single digits, or with tens where only that fits.

    Before nothing else ``10`` for two dice is 1 and the lantern.
    """
    plain = [symbol for part in run for symbol in split(part)]
    if len(plain) < wanted:
        digits = "".join(run)
        return list(digits) if last and digits.isdigit() and len(digits) == wanted else plain
    tens = [symbol for part in run for symbol in re.findall("10|.", part)]
    return tens if len(plain) > wanted == len(tens) else plain


def _too_many(run: str, given: int, dice: Dice) -> BadInput:
    """Returns the refusal of a run that goes on beyond the roll."""
    if dice.faces == 1 and dice.kind != "location":
        return BadInput(
            f"{run!r} is no face of this die ({dice.kind}): {_DIGITS}; nothing was logged.",
            code="left_over",
        )
    of = f"{dice.count} location dice" if dice.kind == "location" else str(dice)
    takes = f"{of} takes {dice.faces} faces" if dice.faces > 1 else "a location die has one face"
    return BadInput(
        f"{run!r} is too much: {takes}, not {given}; nothing was logged.",
        code="left_over",
    )


def face(symbol: str, dice: Dice) -> int:
    """Returns the face that a symbol means on this die; ``0`` and ``l`` are a d10's lantern.

    Raises BadInput for a face that the die does not have.
    """
    if dice.kind == "location":
        if symbol in _WORDS:
            return _WORDS[symbol]
        if symbol in _LETTERS:
            return _LETTERS[symbol]
        allowed = "h, a, b, w or l (head, arms, body, waist, legs)"
    else:
        if symbol in ("0", "l"):
            return LANTERN
        if symbol.isascii() and symbol.isdigit() and 1 <= int(symbol) <= dice.sides:
            return int(symbol)
        allowed = _DIGITS
    raise BadInput(f"{symbol!r} is no face of this die ({dice.kind}): {allowed}.")


def show(face_: int, dice: Dice) -> str:
    """Returns a face as a person reads it; as a number, if the die has no such face."""
    return location(face_) if dice.kind == "location" and 1 <= face_ <= 6 else str(face_)


def read(notation: str, faces: Sequence[int]) -> str:
    """Returns the faces of a roll as a person reads them, also if there are no such dice."""
    try:
        dice = parse(notation)
    except BadInput:
        return " ".join(map(str, faces))
    return " ".join(show(face_, dice) for face_ in faces)


def due(seed: str, key: int, sides: int) -> int:
    """Returns die ``key`` of the campaign's sequence, 1 to ``sides`` (``dice/1``)."""
    return _below(seed, key, sides) + 1


def due_roll(seed: str, key: int, dice: Dice) -> list[int]:
    """Returns the faces of a whole roll; its dice take the keys from ``key`` upwards."""
    return [due(seed, key + n, dice.sides) for n in range(dice.faces)]


def due_order(seed: str, key: int, cards: Sequence[str]) -> list[str]:
    """Returns ``cards`` shuffled; a shuffle takes one key whatever its size (Fisher-Yates)."""
    order = sorted(cards)
    for last in range(len(order) - 1, 0, -1):
        other = _below(seed, key, last + 1, salt=last)
        order[last], order[other] = order[other], order[last]
    return order


def _below(seed: str, key: int, limit: int, salt: int = 0) -> int:
    """Returns a uniform number from 0 to ``limit`` - 1, by rejection sampling."""
    fence = (1 << 64) // limit * limit
    attempt = 0
    while True:
        text = f"dice/1|{seed}|{key}|{salt}|{attempt}".encode()
        number = int.from_bytes(blake2b(text, digest_size=8).digest(), "big")
        if number < fence:
            return number % limit
        attempt += 1
