"""Says what is wrong with a pack so that one can go there: file, line, field, message, hint."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import msgspec

from kdmlog.core.errors import ContentError

Key = str | int
FieldPath = tuple[Key, ...]

WHOLE_FILE = "(whole file)"
_LONGEST = 300
_SHOWN = 20


class Finding(msgspec.Struct, frozen=True, order=True):
    """One thing wrong in one place of a pack; its texts are safe to print.

    ``file`` is relative to the pack's folder, ``line`` counts from 1, ``field`` is the dotted path
    inside the file (``cloth.steps[2].roll``), beginning with the record's id.
    """

    file: str
    line: int
    field: str
    message: str
    hint: str = ""

    def __post_init__(self) -> None:
        for name in ("file", "field", "message", "hint"):
            msgspec.structs.force_setattr(self, name, _printable(getattr(self, name)))

    def __str__(self) -> str:
        hint = f" {self.hint}" if self.hint else ""
        return f"{self.file}:{self.line}: {self.field}: {self.message}{hint}"


class PackError(ContentError):
    """A pack that cannot be used, with everything that is wrong with it."""

    def __init__(self, pack: str, findings: Sequence[Finding]) -> None:
        self.pack = _printable(pack)
        self.findings = sorted(findings)
        first, *others = self.findings
        more = f" (and {len(others)} more)" if others else ""
        super().__init__(
            f"Pack {self.pack}: {first.file}:{first.line}: {first.field}: {first.message}{more}",
            hints=[first.hint] * bool(first.hint) + [str(other) for other in others[:_SHOWN]],
            data={
                "pack": self.pack,
                "findings": [msgspec.to_builtins(finding) for finding in self.findings],
            },
        )


class FileError(ContentError):
    """One file of the players' own that cannot be used, with everything that is wrong with it."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self.findings = sorted(findings)
        first, *others = self.findings
        field = "" if first.field == WHOLE_FILE else f"{first.field}: "
        hint = f" {first.hint}" if first.hint else ""
        more = f" (and {len(others)} more)" if others else ""
        super().__init__(
            f"{first.file}, line {first.line}: {field}{first.message}{hint}{more}",
            hints=["--json lists them all"] if others else [],
            data={"findings": [msgspec.to_builtins(finding) for finding in self.findings]},
        )


class Lines:
    """Where things stand in a file: the line of a value, and of everything inside it."""

    __slots__ = ("children", "line")

    def __init__(self, line: int) -> None:
        self.line = line
        self.children: dict[Key, Lines] = {}

    def at(self, path: FieldPath) -> int:
        """Return the line of what ``path`` leads to, or of the nearest thing around it."""
        here = self
        for key in path:
            if key not in here.children:
                break
            here = here.children[key]
        return here.line


def dotted(path: FieldPath) -> str:
    """Write a path as people do: ``("cloth", "steps", 2, "roll")`` is ``cloth.steps[2].roll``."""
    words = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path)
    return words.removeprefix(".") or WHOLE_FILE


def _printable(text: str) -> str:
    """Escape what could move a cursor or turn a line around, and shorten what would flood it."""
    if len(text) > _LONGEST:
        text = text[:_LONGEST] + "…"
    if text.isprintable():
        return text
    return "".join(
        ascii(char)[1:-1] if unicodedata.category(char) in _UNSAFE else char for char in text
    )


_UNSAFE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
