"""Reads a pack's folder into checked records, and reports everything wrong with it at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from kdmlog.core.errors import ContentError, KdmlogError
from kdmlog.packs import files, plain
from kdmlog.packs.diagnose import convert, faults
from kdmlog.packs.findings import WHOLE_FILE, Finding, Key, PackError, dotted
from kdmlog.packs.library import Library
from kdmlog.packs.nearest import suggestion
from kdmlog.packs.pack import Pack, PackMeta, canonical

if TYPE_CHECKING:
    from kdmlog.packs.yaml_loader import Document

Kinds = Mapping[str, type[msgspec.Struct]]
Check = Callable[[Library], Iterable[tuple[str, str, str, str]]]

META = "pack.yaml"
_ID = re.compile(r"[a-z0-9][a-z0-9_]{0,99}")
_FILE_NAME = re.compile(r"[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)?")
_FIELD_STEP = re.compile(r"\[(\d+)\]|([^.\[\]]+)")


def load_pack(
    folder: Path,
    kinds: Kinds,
    *,
    game: str | None = None,
    below: Sequence[bytes] = (),
    check: Check | None = None,
) -> Pack:
    """Load a pack's folder, or raise PackError with all findings.

    ``game`` refuses another game's pack. ``check`` looks for dangling references, as (kind, id,
    field, message), in a library of ``below`` (the packs this one needs, as canonical bytes) and
    this pack on top; it only runs once every record is well formed.
    """
    loading = _Loading(folder, kinds)
    loading.read()
    pack = loading.pack(game)
    if check is not None:
        loading.cross_check(Library([*below, canonical(pack)], kinds), check)
    return pack


class _Loading:
    """The state of reading one folder: what was found so far, good and bad."""

    def __init__(self, folder: Path, kinds: Kinds) -> None:
        if "pack" in kinds:
            raise ValueError("no kind can be called pack: pack.yaml describes the pack itself")
        self.folder = folder
        self.kinds = kinds
        self.meta: PackMeta | None = None
        self.records: dict[str, dict[str, msgspec.Struct]] = {}
        self.documents: dict[str, Document] = {}
        self.sources: dict[tuple[str, str], tuple[str, int]] = {}
        self.findings: list[Finding] = []

    def read(self) -> None:
        """Read every file, keeping what is good and reporting what is not."""
        try:
            entries = files.entries(self.folder)
        except ContentError as error:
            self._report(META, 1, WHOLE_FILE, error.message, " ".join(error.hints))
            return
        for entry in entries:
            if kind := self._kind(entry):
                self._read_records(entry.name, kind)
        if any(entry.name == META for entry in entries):
            self._read_meta()
        else:
            self._report(META, 1, WHOLE_FILE, "The pack has no pack.yaml.")

    def pack(self, game: str | None) -> Pack:
        """Return what was read, or raise with what is wrong."""
        if self.meta is not None:
            if game is not None and self.meta.game != game:
                self._at_meta("game", f"The pack is for {self.meta.game}, not for {game}.")
            if self.meta.id in self.meta.needs:
                self._at_meta("needs", "The pack needs itself.")
        self._raise_findings()
        assert self.meta is not None
        return Pack(
            **msgspec.structs.asdict(self.meta),
            records=self.records,
            sources=self.sources,
        )

    def cross_check(self, library: Library, check: Check) -> None:
        """Run the game's own check, and raise with what it finds."""
        for kind, id, field, message in check(library):
            if source := self.sources.get((kind, id)):
                path: list[Key] = [id]
                for step in _FIELD_STEP.finditer(field):
                    path.append(int(step[1]) if step[1] is not None else step[2])
                line = self.documents[source[0]].lines.at(tuple(path))
                self._report(source[0], line, dotted(tuple(path)), message)
            else:  # a record below, which this pack has made wrong
                self._report(META, 1, f"{kind}.{id}.{field}", message)
        self._raise_findings()

    def _kind(self, entry: files.Entry) -> str | None:
        """Return which kind a file holds; None if it is not one of records."""
        name = entry.name
        top, _, inner = name.partition("/")
        kind = top if inner else top.rpartition(".")[0]
        if entry.is_link:
            self._report(name, 1, WHOLE_FILE, "Links are refused: a pack holds its own files.")
        elif entry.is_folder:
            if top in self.kinds:
                self._report(name, 1, WHOLE_FILE, "Folders inside a kind's folder are not read.")
        elif not name.lower().endswith((".yaml", ".yml")) or name == META:
            pass
        elif not _FILE_NAME.fullmatch(name):
            hint = "Use letters, digits, dots, - and _."
            self._report(name, 1, WHOLE_FILE, "The file's name has odd characters.", hint)
        elif not name.endswith(".yaml"):
            self._report(name, 1, WHOLE_FILE, "The file's name must end in .yaml.", "Rename it.")
        elif kind not in self.kinds:
            hint = suggestion(kind, self.kinds)
            self._report(name, 1, kind, f"There is no kind of record called {kind}.", hint)
        else:
            return kind
        return None

    def _read_records(self, file: str, kind: str) -> None:
        document = self._parse(file)
        if document is None or document.data is None:
            return
        if not isinstance(document.data, dict):
            hint = "Write each record as its id, and its fields indented below."
            self._report(file, document.lines.line, WHOLE_FILE, "This is not a mapping.", hint)
            return
        for id, value in document.data.items():
            self._read_record(file, document, kind, id, value)

    def _read_record(self, file: str, document: Document, kind: str, id: str, value: Any) -> None:
        line = document.lines.at((id,))
        if not _ID.fullmatch(id):
            proper = re.sub("[^a-z0-9]+", "_", id.lower()).strip("_")
            hint = f"Write {proper}." if proper else "Use a-z, 0-9 and _."
            self._report(file, line, id, "A record's id must be snake_case.", hint)
        if known := self.sources.get((kind, id)):
            message = f"There is a {kind} {id} already, in {known[0]} on line {known[1]}."
            self._report(file, line, id, message, "Rename or remove one.")
        record = self._convert(file, document, value, self.kinds[kind], id)
        self.sources.setdefault((kind, id), (file, line))
        if record is not None:
            self.records.setdefault(kind, {})[id] = record

    def _read_meta(self) -> None:
        document = self._parse(META)
        if document is not None:
            self.meta = self._convert(META, document, document.data, PackMeta)

    def _parse(self, file: str) -> Document | None:
        """Read and parse one file; None if there is nothing to go on with."""
        from kdmlog.packs import yaml_loader  # here: whoever has a cached pack needs no YAML

        try:
            raw = files.read(self.folder, file)
        except ContentError as error:
            self._report(file, 1, WHOLE_FILE, error.message, " ".join(error.hints))
            return None
        document = yaml_loader.parse(raw, file)
        self.findings += document.findings
        self.documents[file] = document
        return document if document.whole else None

    def _convert(self, file: str, document: Document, value: Any, type_: Any, *path: str) -> Any:
        """Convert one value to its Struct; None, with every fault reported, if it is not one."""
        odd = list(plain.faults(value, path))
        for fault in odd:
            self._report(file, document.lines.at(fault.path), dotted(fault.path), *fault[1:])
        try:
            return convert(value, type_) if not odd else None
        except (msgspec.ValidationError, KdmlogError):
            told = {finding.line for finding in document.findings}
            for fault in faults(value, type_, path):
                line = document.lines.at(fault.path)
                if line not in told:  # what YAML had to refuse there says it better
                    self._report(file, line, dotted(fault.path), fault.message, fault.hint)
            return None

    def _at_meta(self, field: str, message: str) -> None:
        self._report(META, self.documents[META].lines.at((field,)), field, message)

    def _report(self, file: str, line: int, field: str, message: str, hint: str = "") -> None:
        self.findings.append(Finding(file, line, field, message, hint))

    def _raise_findings(self) -> None:
        if self.findings:
            raise PackError(self.meta.id if self.meta else self.folder.name, self.findings)
