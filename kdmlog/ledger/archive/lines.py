"""The lines of an archive, a JSON object each: their fields, and reading them strictly."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from hashlib import blake2b
from shlex import quote
from typing import Annotated, Any, BinaryIO

import msgspec
from msgspec import Meta, Raw, Struct

from kdmlog import __version__
from kdmlog.core.errors import ContentError
from kdmlog.core.text import shown
from kdmlog.ledger.structs import MoveKind, NewMove, Reason

FORMAT = 1
LONGEST = 16 << 20
"""Bytes of a line, but for one with a pack."""
LONGEST_PACK = 64 << 20
DEEPEST = 64
"""Objects and lists within each other, in any line but one with a pack."""
TOO_DEEP = "is nested too deeply"
_AGAIN = "export it again where it came from"
_OTHERS: tuple[tuple[bytes, str, str], ...] = (
    (b"SQLite format 3\0", "this is a ledger, no archive", "kdmlog --db {} export FILE.jsonl"),
    (b"\x1f\x8b", "this is packed by gzip", "gunzip it, then import what was in it"),
    (b"\xef\xbb\xbf", "something put a byte order mark (BOM) before it", _AGAIN),
    (b"\xff\xfe", "something wrote it anew as UTF-16", _AGAIN),
    (b"\xfe\xff", "something wrote it anew as UTF-16", _AGAIN),
)
"""How other files begin, what to say of them, and what to do (with the file's name)."""
MOST = (1 << 63) - 1
"""The largest whole number that SQLite keeps."""

Number = Annotated[int, Meta(ge=0, le=MOST)]
Counted = Annotated[int, Meta(ge=1, le=MOST)]
Words = Annotated[str, Meta(min_length=1)]


class Record(
    Struct,
    frozen=True,
    kw_only=True,
    tag_field="record",
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """The base of all lines."""


class Start(Record, frozen=True, kw_only=True, tag="archive"):
    """The first line: the format, what wrote it, the campaign's own row, the branch in use."""

    format: int
    writer: str
    uid: Words
    slug: Words
    name: str
    game: Words
    created: str
    branch: Words


class Pack(Record, frozen=True, kw_only=True, tag="pack"):
    """A content pack that the campaign's events name."""

    hash: str
    source: Raw


class Fork(Struct, frozen=True, forbid_unknown_fields=True):
    """A move of an earlier line; lines are counted from 1 as they stand in the archive."""

    line: Counted
    move: Counted


class Line(Record, frozen=True, kw_only=True, tag="line"):
    """An unbroken run of moves begins, after that move or before any."""

    number: Counted
    after: Fork | None = None


class Move(Record, frozen=True, kw_only=True, tag="move"):
    """The next move of the line, and its events."""

    number: Counted
    by: str
    at: str
    kind: MoveKind
    begins: Counted | None = None
    input: Raw
    events: list[Raw]
    request_id: str | None = None
    writer: str
    rules: Number
    hash: str


class Place(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a branch stands: after a move (0: before any) of a line; it may move on with it."""

    line: Counted
    move: Number
    follows: bool


class Ref(Record, frozen=True, kw_only=True, tag="ref"):
    """The next step of the branches, from where the branch stood."""

    branch: Words
    reason: Reason
    to: Place
    came: Place | None = None
    by: str
    at: str
    hash: str


class End(Record, frozen=True, kw_only=True, tag="end"):
    """The last line: how many there were, and the BLAKE2b-256 of every byte before it."""

    packs: Number
    lines: Number
    moves: Number
    events: Number
    refs: Number
    blake2b: str


AnyRecord = Start | Pack | Line | Move | Ref | End
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(AnyRecord).decode
_plain = msgspec.json.Decoder().decode


class ArchiveError(ContentError):
    """An archive that cannot be read; the message names file, line and field."""

    code = "archive"


class Misfit(Exception):
    """A record that does not follow from those before it: which of its fields, and why."""

    def __init__(self, field: str, message: str, hints: list[str] | None = None) -> None:
        super().__init__(message)
        self.field = field
        self.message = message
        self.hints = hints


class Writing:
    """Writes an archive's lines, and the last one itself."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._digest = blake2b(digest_size=32)

    def write(self, record: Record) -> None:
        """Writes a line. Raises OSError as the file does."""
        line = _encode(record) + b"\n"
        self._digest.update(line)
        self._file.write(line)

    @property
    def digest(self) -> str:
        """Returns the hash of every byte so far."""
        return self._digest.hexdigest()


class Reading:
    """Reads an archive's lines one by one; what is wrong with one raises ArchiveError.

    ``copy`` gets every byte that was read. What was read once already need not be read
    ``strictly`` again.
    """

    def __init__(
        self,
        file: BinaryIO,
        name: str,
        *,
        copy: BinaryIO | None = None,
        strictly: bool = True,
        advance: Callable[[int], None] = lambda _bytes: None,
    ) -> None:
        self.name = name
        self.number = 0
        self.digest = ""
        self._file = file
        self._copy = copy
        self._strictly = strictly
        self._advance = advance

    def __iter__(self) -> Iterator[AnyRecord]:
        """Yields the records; ``number`` is the line that the last one stood in.

        ``digest`` is that of all lines before the last one, once that has been read.
        """
        digest = blake2b(digest_size=32)
        while raw := self._read():
            if self.digest:
                raise self.fault("", "stands after the archive's end")
            record = self._record(raw)
            if isinstance(record, End):
                self.digest = digest.hexdigest()
                if record.blake2b != self.digest:
                    raise self.fault("blake2b", "is not the hash of the lines before: they changed")
            digest.update(raw)
            yield record
        if not self.digest:
            self.number += 1
            raise self.fault("", "the archive breaks off here; its last line is missing")

    def fault(
        self, field: str, message: str, hints: list[str] | None = None, *, line: int = 0
    ) -> ArchiveError:
        """Returns the error for something wrong with a field (or all) of this or another line."""
        line = line or self.number
        where = f"{self.name}, line {line}: "
        what = shown(f"{field}: {message}" if field else message, 300).rstrip(".")
        return ArchiveError(
            f"{where}{what}.",
            hints=hints or [_AGAIN],
            data={"file": self.name, "line": line, "field": field},
        )

    def _read(self) -> bytes:
        try:
            raw, most = self._file.readline(LONGEST + 1), LONGEST
            if len(raw) > LONGEST and raw[-1:] != b"\n" and raw.startswith(_PACK):
                raw, most = raw + self._file.readline(LONGEST_PACK - LONGEST), LONGEST_PACK
            if self._copy is not None:
                self._copy.write(raw)
        except OSError as error:
            self.number += 1
            raise self.fault("", f"cannot be read: {error.strerror}") from None
        self.number += bool(raw)
        if len(raw) > most:
            raise self.fault("", f"is longer than {most >> 20} MiB")
        self._advance(len(raw))
        return raw

    def _record(self, raw: bytes) -> AnyRecord:
        if self.number == 1:
            self._check_mark(raw)
        try:
            record = _decode(raw)
            if self._strictly:
                _check_strictly(raw, record)
        except msgspec.ValidationError as error:
            what, _, where = str(error).partition(" - at `")
            field = where.strip("`").removeprefix("$.")
            raise self.fault("" if "..." in field else field, what) from None
        except Misfit as error:
            raise self.fault(error.field, error.message) from None
        except RecursionError:
            raise self.fault("", TOO_DEEP) from None
        except (ValueError, UnicodeError) as error:  # msgspec's DecodeError is one
            cut = "" if raw.endswith(b"\n") else "; the file breaks off here"
            raise self.fault("", f"{error}{cut}") from None
        if raw.endswith(b"\r\n"):
            raise self.fault("", "ends with CR LF: something has changed the line ends")
        return record

    def _check_mark(self, raw: bytes) -> None:
        try:
            mark = msgspec.json.decode(raw, type=_Mark)
        except (ValueError, RecursionError):
            for begins, what, hint in _OTHERS:
                if raw.startswith(begins):
                    raise self.fault("", what, [hint.format(quote(self.name))]) from None
            hint = "kdmlog export FILE.jsonl writes one"
            raise self.fault("", "this is no kdmlog archive", [hint]) from None
        if mark.format > FORMAT:
            raise self.fault(
                "format",
                f"{mark.format} is newer than this program, which knows {FORMAT}",
                hints=[f"update kdmlog ({__version__}) to {mark.writer or 'a newer version'}"],
            )
        if mark.format != FORMAT:
            raise self.fault("format", f"there is no format {mark.format}")


class _Mark(Struct, tag_field="record", tag="archive"):
    """What the first line of any archive says, of whatever format."""

    format: int
    writer: str = ""


def raw(text: str) -> Raw:
    """Returns a JSON text as it stands in a line: itself where it can, else as a string."""
    whole = text[:1] == "{" and text[-1:] == "}" and "\n" not in text and "\r" not in text
    return Raw(text.encode()) if whole else Raw(_encode(text))


def text(raw: Raw) -> str:
    """Returns the text that ``raw`` was made of."""
    inner = bytes(raw)
    return str(_plain(inner)) if inner[:1] == b'"' else inner.decode()


def new_move(move: Move) -> NewMove:
    """Returns a move as the ledger takes it."""
    return NewMove(
        kind=move.kind,
        begins=move.begins,
        input=text(move.input),
        bodies=[text(body) for body in move.events],
        by=move.by,
        at=move.at,
        request_id=move.request_id,
        rules=move.rules,
        writer=move.writer,
    )


_PACK = b'{"record":"pack"'
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z", re.ASCII)
_LONG_NUMBER = re.compile(rb"\d{19}")


def _check_strictly(line: bytes, record: AnyRecord) -> None:
    """Raises Misfit for what a line of ours never holds, whatever its hash says.

    That is: a name twice in an object, numbers that others would not read alike, deep nesting. What
    is spelt as we spell it has no name twice, which spares most lines the slow look.
    """
    if isinstance(record, Pack):  # its hash vouches for what is inside
        if _encode(record) + b"\n" != line:
            raise Misfit("", "is not spelt as kdmlog spells it")
        return
    value = _plain(line)
    if isinstance(record, Move | Ref):
        _check_time(record.at)
    if isinstance(record, Move):
        _check_texts(value)
    if _encode(value) + b"\n" != line or _LONG_NUMBER.search(line):
        json.loads(line, object_pairs_hook=_no_name_twice, parse_int=_small)
    if line.count(b"{") + line.count(b"[") > DEEPEST:
        _check_depth(value, DEEPEST)


def _check_time(at: str) -> None:
    try:
        if _TIME.fullmatch(at):
            datetime.fromisoformat(at)
            return
    except ValueError:
        pass
    raise Misfit("at", f"{at!r} is no time in UTC")


def _check_texts(move: dict[str, Any]) -> None:
    """Raises Misfit unless the input and each event are JSON objects, tagged ``kind``."""
    _object(move["input"], "input")
    for n, body in enumerate(move["events"]):
        if _object(body, f"events[{n}]").get("kind").__class__ is not str:
            raise Misfit(f"events[{n}].kind", "an event is tagged with its kind")


def _object(value: Any, field: str) -> dict[str, Any]:
    if value.__class__ is str:  # a text that did not fit in a line as it is
        spelt: str = value
        try:
            value = json.loads(spelt, object_pairs_hook=_no_name_twice, parse_int=_small)
        except ValueError as error:
            raise Misfit(field, str(error)) from None
        _check_depth({"": value}, DEEPEST)
    if value.__class__ is not dict:
        raise Misfit(field, "should be a JSON object")
    made: dict[str, Any] = value
    return made


def _no_name_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for n, name in enumerate(names) if name in names[:n])
        raise Misfit(twice, "stands here twice")
    return made


def _small(digits: str) -> int:
    if len(digits) > 20 or abs(int(digits)) > MOST:
        raise Misfit("", f"the number {digits[:20]} is too large")
    return int(digits)


def _check_depth(value: Any, left: int) -> None:
    if not left:
        raise Misfit("", TOO_DEEP)
    inner = value.values() if isinstance(value, dict) else value
    for one in inner:
        if isinstance(one, (dict, list)):
            _check_depth(one, left - 1)
