"""Checks a pack that came as stored bytes as strictly as one that is read from its folder."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Raw, Struct

from kdmlog.packs import plain
from kdmlog.packs.diagnose import Fault
from kdmlog.packs.files import MAX_PACK_BYTES
from kdmlog.packs.pack import PackMeta

_ID = re.compile(r"[a-z0-9][a-z0-9_]{0,99}")


class _Whole(Struct):
    pack: Raw
    records: dict[str, dict[str, Raw]]


def faults(source: bytes, kinds: Mapping[str, type[Struct]], game: str) -> Iterator[Fault]:
    """Yields what is wrong with a pack by itself; each fault's path leads through the source.

    What is between records and packs is for a game's own check. Kinds that this program does not
    know are left alone.
    """
    if len(source) > MAX_PACK_BYTES:
        yield Fault((), f"The pack is larger than {MAX_PACK_BYTES >> 20} MiB.")
        return
    try:
        whole = msgspec.json.decode(source, type=_Whole)
    except (ValueError, RecursionError) as error:
        yield Fault((), f"This is no pack ({error}).")
        return
    yield from _record(whole.pack, PackMeta, ("pack",), game)
    for kind, records in whole.records.items():
        for id, raw in records.items() if kind in kinds else ():
            path = ("records", kind, id)
            if not _ID.fullmatch(id):
                yield Fault(path, "A record's id must be snake_case.")
            yield from _record(raw, kinds[kind], path)


def _record(
    raw: Raw, type_: type[Struct], path: tuple[str, ...], game: str | None = None
) -> Iterator[Fault]:
    try:
        value: Any = msgspec.json.decode(raw)
        yield from plain.faults(value, path)
        made = msgspec.json.decode(raw, type=type_)
    except (ValueError, RecursionError) as error:
        yield Fault(path, f"{error}")
        return
    if isinstance(made, PackMeta) and made.game != game:
        yield Fault((*path, "game"), f"The pack is for {made.game}, not for {game}.")
