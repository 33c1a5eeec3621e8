"""Small kinds of record for the pack tests, with every shape that real ones have."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import pytest

from kdmlog.packs.findings import Finding, PackError
from kdmlog.packs.load import load_pack


class Roll(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, tag="roll"):
    """One of two tagged steps."""

    dice: str
    rows: dict[str, list[Step]] = {}


class Gain(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, tag="gain"):
    """The other one."""

    survival: int = 0
    who: Literal["all", "revealer"] | None = None


Step = Annotated[Roll | Gain, "a step"]


class Gear(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A piece of gear."""

    title: str
    armor: Annotated[int, msgspec.Meta(ge=0)] = 0
    keywords: list[str] = []
    location: Literal["head", "body", "legs"] = "body"
    steps: list[Step] = []
    odds: dict[int, float] = {}
    pair: tuple[int, str] | None = None


class Event(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """An event whose verbs exclude each other, as script steps do."""

    gear: str | None = None
    lose: int | None = None

    def __post_init__(self) -> None:
        if (self.gear is None) == (self.lose is None):
            raise ValueError("exactly one of gear and lose must be given")


KINDS: dict[str, type[msgspec.Struct]] = {"gear": Gear, "hunt_event": Event}

META = "id: core\ntitle: Core\nversion: 1\ngame: kdm\n"


def write_pack(folder: Path, files: Mapping[str, str | bytes], meta: str = META) -> Path:
    """Write a pack's files, and its pack.yaml."""
    for name, content in {"pack.yaml": meta, **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def findings(folder: Path) -> list[Finding]:
    """Load a pack that must be refused, and return why."""
    with pytest.raises(PackError) as raised:
        load_pack(folder, KINDS)
    return raised.value.findings


def places(folder: Path) -> list[tuple[str, int, str]]:
    """Load a pack that must be refused, and return where it is wrong."""
    return [(finding.file, finding.line, finding.field) for finding in findings(folder)]
