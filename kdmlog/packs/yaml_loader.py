"""Reads YAML 1.2 as plain data with line numbers; the only module that may import PyYAML.

Import it inside the function that needs it: commands that play from the ledger's own copy of a
pack must not pay for PyYAML. It works on the parser's events and not on composed nodes, so that an
alias is never expanded, a tag never looked up, and depth and size are refused while reading.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec
import yaml

from kdmlog.packs.findings import Finding, Key, Lines, dotted

MAX_DEPTH = 40
MAX_NODES = 200_000

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NULL = {"", "~", "null", "Null", "NULL"}
_BOOL = {
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_INT_DIGITS = 22
_INT_RANGE = range(-(2**63), 2**63)


class Document(msgspec.Struct, frozen=True):
    """A parsed file. ``whole`` is false if parsing had to stop: then ``data`` is only a part.

    Data that comes with ``findings`` is good for finding more that is wrong, and for nothing else.
    """

    data: Any
    lines: Lines
    findings: list[Finding]
    whole: bool


def parse(raw: bytes, file: str) -> Document:
    """Parse one file's bytes; ``file`` is only its name in the findings."""
    builder = _Builder(file)
    try:
        builder.build(_decoded(raw))
        whole = True
    except _Stop as stop:
        builder.report(stop.line, stop.message, stop.hint)
        whole = False
    return Document(builder.data, builder.lines, builder.findings, whole)


class _Stop(Exception):
    """Reading on would be pointless or dangerous."""

    def __init__(self, line: int, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.line = line
        self.message = message
        self.hint = hint


class _Frame:
    """A mapping or list that is still open; ``key`` is the entry being read."""

    __slots__ = ("data", "key", "lines")

    def __init__(self, data: dict[str, Any] | list[Any], lines: Lines) -> None:
        self.data = data
        self.lines = lines
        self.key: Key | None = None if isinstance(data, dict) else 0


class _Builder:
    """Turns parser events into data and lines, and collects what the pack format does not allow."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.data: Any = None
        self.lines = Lines(1)
        self.findings: list[Finding] = []
        self.frames: list[_Frame] = []

    def report(self, line: int, message: str, hint: str = "") -> None:
        path = tuple(frame.key for frame in self.frames if frame.key is not None)
        self.findings.append(Finding(self.file, line, dotted(path), message, hint))

    def build(self, text: str) -> None:
        nodes = documents = 0
        try:
            event: Any
            for event in yaml.parse(text, Loader=_LOADER):
                line = event.start_mark.line + 1
                if isinstance(event, yaml.DocumentStartEvent):
                    documents += 1
                    self._document(event, documents, line)
                elif isinstance(event, yaml.CollectionEndEvent):
                    self.frames.pop()
                    self._next()
                elif isinstance(event, yaml.NodeEvent):
                    nodes += 1
                    if nodes > MAX_NODES:
                        raise _Stop(line, f"The file holds more than {MAX_NODES} values.")
                    self._node(event, line)
        except yaml.MarkedYAMLError as error:
            raise _syntax(error, text) from error
        except (yaml.YAMLError, ValueError, OverflowError) as error:
            # The last two come from PyYAML without libyaml, for numbers that are no character.
            raise _Stop(1, "This is not YAML.") from error

    def _document(self, event: yaml.DocumentStartEvent, count: int, line: int) -> None:
        if count > 1:
            raise _Stop(line, "A file is one document.", "Take out the second ---.")
        if event.version or event.tags:
            self.report(line, "Directives (%YAML, %TAG) are refused.", "Take the % line out.")

    def _node(self, event: yaml.NodeEvent, line: int) -> None:
        frame = self.frames[-1] if self.frames else None
        if frame is not None and frame.key is None:
            self._key(frame, event, line)
            return
        if isinstance(event, yaml.AliasEvent):
            self.report(line, f"Aliases (*{event.anchor}) are refused.", "Write it out.")
            self._put(None, line)
            self._next()
            return
        self._plain_node(event, line)
        if isinstance(event, yaml.ScalarEvent):
            self._put(self._scalar(event, line), line)
            self._next()
            return
        if len(self.frames) >= MAX_DEPTH:
            raise _too_deep(line)
        data: dict[str, Any] | list[Any] = {} if isinstance(event, yaml.MappingStartEvent) else []
        self.frames.append(_Frame(data, self._put(data, line)))

    def _plain_node(self, event: Any, line: int) -> None:
        if event.anchor is not None:
            self.report(line, f"Anchors (&{event.anchor}) are refused.", "Write it out.")
        if event.tag is not None:
            self.report(line, f"Tags ({event.tag}) are refused.", "Take the tag out.")

    def _key(self, frame: _Frame, event: yaml.NodeEvent, line: int) -> None:
        if not isinstance(event, yaml.ScalarEvent):
            raise _Stop(line, "A key must be a single word or text.")
        key = event.value
        assert isinstance(frame.data, dict)
        known = frame.lines.children.get(key)
        frame.key = key
        frame.lines.children[key] = Lines(line)
        self._plain_node(event, line)
        if known is not None:
            self.report(
                line,
                f"The key {key} stands here twice, first on line {known.line}.",
                "Rename or remove one.",
            )
        if event.implicit[0] and key == "<<":
            self.report(line, "Merge keys (<<) are refused.", "Write the fields out.")
        if not key:
            self.report(line, "A key is empty.")
        self._check_text(key, line)

    def _put(self, value: Any, line: int) -> Lines:
        """Place a value where reading stands, and return its lines (a keyed one has its key's)."""
        if not self.frames:
            self.data = value
            self.lines = Lines(line)
            return self.lines
        frame = self.frames[-1]
        assert frame.key is not None
        if isinstance(frame.data, dict):
            frame.data[str(frame.key)] = value
            return frame.lines.children[frame.key]
        frame.data.append(value)
        return frame.lines.children.setdefault(frame.key, Lines(line))

    def _next(self) -> None:
        """Move on from the value just finished."""
        if self.frames:
            frame = self.frames[-1]
            frame.key = None if isinstance(frame.data, dict) else len(frame.data)

    def _scalar(self, event: yaml.ScalarEvent, line: int) -> Any:
        text: str = event.value
        self._check_text(text, line)
        if not event.implicit[0]:
            return text
        if text in _NULL:
            return None
        if text in _BOOL:
            return _BOOL[text]
        if _INT.fullmatch(text):
            return self._int(text, line)
        if _NOT_FINITE.fullmatch(text):
            return self._not_finite(line)
        if _FLOAT.fullmatch(text):
            number = float(text)
            return number if abs(number) != float("inf") else self._not_finite(line)
        return text

    def _int(self, text: str, line: int) -> int | None:
        base = {"0o": 8, "0x": 16}.get(text[:2], 10)
        digits = (text if base == 10 else text[2:]).lstrip("+-").lstrip("0") or "0"
        if len(digits) <= _INT_DIGITS:
            number = int(digits, base)
            number = -number if text.startswith("-") else number
            if number in _INT_RANGE:
                return number
        self.report(line, "The number is too large.", "Put quotes around it to make it text.")
        return None

    def _not_finite(self, line: int) -> None:
        self.report(line, "Infinite numbers and not-a-number are refused.")

    def _check_text(self, text: str, line: int) -> None:
        if found := _CONTROL.search(text):
            self.report(
                line,
                f"Control characters are refused (U+{ord(found[0]):04X}).",
                "Only line breaks and tabs are allowed in text.",
            )


def _too_deep(line: int) -> _Stop:
    return _Stop(line, f"The nesting is deeper than {MAX_DEPTH} levels.")


def _decoded(raw: bytes) -> str:
    try:
        text = raw.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise _Stop(line, "The file is not UTF-8.", "Save it as UTF-8.") from error
    for found in _CONTROL.finditer(text):
        if found[0] != "\r":
            line = text.count("\n", 0, found.start()) + 1
            raise _Stop(line, f"Control characters are refused (U+{ord(found[0]):04X}).")
    return text


def _syntax(error: yaml.MarkedYAMLError, text: str) -> _Stop:
    mark = error.problem_mark or error.context_mark
    line = mark.line + 1 if mark else 1
    if "maximum nesting depth" in (error.problem or ""):  # libyaml may see it first
        return _too_deep(line)
    context = f"{error.context}: " if error.context else ""
    rows = text.splitlines()
    row = rows[line - 1] if line <= len(rows) else ""
    hint = ""
    if row[: len(row) - len(row.lstrip())].count("\t"):
        hint = "Indent with spaces, not tabs."
    elif "mapping values are not allowed" in (error.problem or ""):
        hint = "Put quotes around a text that contains a colon."
    return _Stop(line, f"This is not YAML: {context}{error.problem}.", hint)
