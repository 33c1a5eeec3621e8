"""Reads a TOML file of the players' own as plain data, and finds the line of what stands in it.

Python's tomllib tells no lines and knows no limits. So the text is scanned first for where each key
and value stands, and refused there if it nests too deep or holds too much.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kdmlog.core.errors import ContentError
from kdmlog.packs.diagnose import Fault
from kdmlog.packs.findings import WHOLE_FILE, FieldPath, FileError, Finding, Lines, dotted

MAX_BYTES = 256 * 1024
MAX_DEPTH = 20
MAX_VALUES = 10_000

_SPACE = re.compile(r"[ \t]*")
_BLANK = re.compile(r"(?:[ \t\n,]+|#[^\n]*)*")
"""What may stand between values: commas too, which matter to tomllib and not here."""
_PART = re.compile(r"""[A-Za-z0-9_-]+|"(?:\\.|[^"\\\n])*"|'[^'\n]*'""")
_TEXT = re.compile(
    r'"""(?:\\.|[^\\])*?"""(?:"{0,2})'
    r"|'''.*?'''(?:'{0,2})"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_BARE = re.compile(r"[^,\]}#\n]+")
_WHERE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)\Z")
_DIGITS = re.compile(r"[0-9_]{1000,}")
_TWICE = ("Cannot overwrite", "Cannot declare", "Cannot mutate", "Duplicate inline")


class Document:
    """A file's data, and the lines on which it stands."""

    def __init__(self, file: str, data: dict[str, Any], lines: Lines) -> None:
        self.file = file
        self.data = data
        self.lines = lines

    def error(self, faults: Iterable[Fault]) -> FileError:
        """Return what is wrong with the data as an error that names file, line and field."""
        return FileError(
            [
                Finding(self.file, self.lines.at(path), dotted(path), message, hint)
                for path, message, hint in faults
            ]
        )


def read(path: Path) -> Document:
    """Read a file. Raises ContentError when it cannot be read, FileError for what is in it."""
    try:
        with path.open("rb") as opened:
            raw = opened.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:  # the second for names that no file can have
        why = getattr(error, "strerror", None) or error
        raise ContentError(f"{path} cannot be read: {why}.") from None
    if len(raw) > MAX_BYTES:
        raise ContentError(f"{path} is larger than {MAX_BYTES >> 10} KiB.")
    return parse(raw, path.name)


def parse(raw: bytes, file: str) -> Document:
    """Parse a file's bytes; ``file`` is only its name in the errors, which are FileErrors."""
    try:
        text = raw.decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise _wrong(file, line, "The file is not UTF-8.", hint="Save it as UTF-8.") from None
    scanner = _Scanner(file, text)
    scanner.scan()
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # tomllib's own errors are ValueErrors
        raise _syntax(error, file, text, scanner) from None
    return Document(file, data, scanner.root)


class _Lost(Exception):
    """The text is no TOML from here on: tomllib says why."""


class _Scanner:
    """Walks through a text once and notes on which line each key, table and value begins."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text
        self.at = 0
        self.line = 1
        self.count = 0
        self.root = Lines(1)
        self.arrays: set[Lines] = set()
        """Those written as ``[[name]]``: a key inside means their last element."""
        self.twice: Finding | None = None

    def scan(self) -> None:
        """Scan the text as far as it is TOML. Raises FileError where it goes beyond a limit."""
        table = self.root
        path: FieldPath = ()
        headers: set[Lines] = set()
        try:
            while self._blank():
                if self.text.startswith("[[", self.at):
                    table, path = self._header(2)
                elif self.text[self.at] == "[":
                    table, path = self._header(1)
                    if table in headers:
                        self._again(path, table.line)
                    headers.add(table)
                else:
                    self._pair(table, path)
        except _Lost:
            pass

    def _header(self, brackets: int) -> tuple[Lines, FieldPath]:
        line = self.line
        self._go(self.at + brackets)
        keys = self._keys()
        self._expect("]" * brackets)
        here = self.root
        path: FieldPath = ()
        for key in keys[:-1]:
            here, path = self._inside(here, path, key, line)
        if brackets == 1:
            return self._inside(here, path, keys[-1], line)
        array = here.children.setdefault(keys[-1], Lines(line))
        self.arrays.add(array)
        number = len(array.children)
        return self._child(array, number, line), (*path, keys[-1], number)

    def _pair(self, table: Lines, path: FieldPath) -> None:
        line = self.line
        keys = self._keys(len(path))
        self._expect("=")
        for key in keys[:-1]:
            table, path = self._inside(table, path, key, line)
        path = (*path, keys[-1])
        if (known := table.children.get(keys[-1])) is not None:
            self._again(path, known.line)
        self._value(self._child(table, keys[-1], line), path)

    def _inside(self, here: Lines, path: FieldPath, key: str, line: int) -> tuple[Lines, FieldPath]:
        """Step into a table, made if need be; an array of tables means its last one."""
        child = here.children.get(key) or self._child(here, key, line)
        if child not in self.arrays:
            return child, (*path, key)
        last = len(child.children) - 1
        return child.children[last], (*path, key, last)

    def _child(self, here: Lines, key: str | int, line: int) -> Lines:
        self.count += 1
        if self.count > MAX_VALUES:
            raise _wrong(self.file, line, f"The file holds more than {MAX_VALUES} values.")
        here.children[key] = child = Lines(line)
        return child

    def _value(self, here: Lines, path: FieldPath) -> None:
        self._go(_SPACE, "")
        opening = self.text[self.at : self.at + 1]
        if opening in ("[", "{") and opening:
            self._shallow(len(path))
            self._go(self.at + 1)
            closing = {"[": "]", "{": "}"}[opening]
            while self._blank() and self.text[self.at] != closing:
                if opening == "[":
                    number = len(here.children)
                    self._value(self._child(here, number, self.line), (*path, number))
                else:
                    self._pair(here, path)
            self._expect(closing)
        elif opening in ('"', "'"):
            self._go(_TEXT)
        else:
            self._go(_BARE)

    def _keys(self, depth: int = 0) -> list[str]:
        """Read a dotted key."""
        keys: list[str] = []
        while True:
            self._go(_SPACE, "")
            part = self._go(_PART)
            keys.append(_unquoted(part) if part[0] in "\"'" else part)
            self._shallow(depth + len(keys))
            self._go(_SPACE, "")
            if self.text[self.at : self.at + 1] != ".":
                return keys
            self._go(self.at + 1)

    def _shallow(self, depth: int) -> None:
        if depth > MAX_DEPTH:
            message = f"The nesting is deeper than {MAX_DEPTH} levels."
            raise _wrong(self.file, self.line, message)

    def _blank(self) -> bool:
        """Skip what is no value; returns whether there is anything left."""
        self._go(_BLANK, "")
        return self.at < len(self.text)

    def _expect(self, mark: str) -> None:
        if not self.text.startswith(mark, self.at):
            raise _Lost
        self._go(self.at + len(mark))

    def _go(self, to: int | re.Pattern[str], otherwise: str | None = None) -> str:
        """Go on to a place, or over what a pattern matches here; returns the text between."""
        if isinstance(to, re.Pattern):
            found = to.match(self.text, self.at)
            if found is None and otherwise is None:
                raise _Lost
            to = found.end() if found is not None else self.at
        passed = self.text[self.at : to]
        self.line += passed.count("\n")
        self.at = to
        return passed

    def _again(self, path: FieldPath, first: int) -> None:
        if self.twice is None:
            message = f"This stands here twice, first on line {first}."
            field = dotted(path)
            self.twice = Finding(self.file, self.line, field, message, "Rename or remove one.")


def _unquoted(part: str) -> str:
    try:
        return str(tomllib.loads(f"key = {part}")["key"])
    except ValueError:
        raise _Lost from None


def _syntax(error: Exception, file: str, text: str, scanner: _Scanner) -> FileError:
    """Return what tomllib says, or better where the scanner knows better."""
    if isinstance(error, RecursionError):
        return _wrong(file, scanner.line, "The nesting is too deep.")
    message = str(error)
    if message.startswith(_TWICE) and scanner.twice is not None:
        return FileError([scanner.twice])
    found = _WHERE.search(message)
    if found is None:  # all that Python refuses beside TOML
        digits = _DIGITS.search(text)
        line = text.count("\n", 0, digits.start()) + 1 if digits else 1
        return _wrong(file, line, "A number is too long.")
    line = int(found[1]) if found[1] else text.rstrip("\n").count("\n") + 1
    said = _WHERE.sub("", message).rstrip(".")
    return _wrong(file, line, f"This is not TOML: {said}.")


def _wrong(file: str, line: int, message: str, hint: str = "") -> FileError:
    return FileError([Finding(file, line, WHOLE_FILE, message, hint)])
