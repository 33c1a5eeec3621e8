"""Changing what a campaign plays: packs as installed now, and packs of the players' own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from kdmlog.cli import say
from kdmlog.cli.build import to_click
from kdmlog.cli.call import MOVE, Call, current
from kdmlog.cli.documents import ChangedPack, ChangedRecord, ContentChanged
from kdmlog.core.events import PackRef
from kdmlog.core.text import words
from kdmlog.packs.library import Difference
from kdmlog.session.pack_change import PackChange, add_content, update_content

MOST = 12
"""Records of a kind that a line names."""
_MARKS = {"added": "+", "changed": "", "removed": "−"}


def content_update() -> None:
    """Play the game's packs as they are installed now."""
    call = current()
    call.only(*MOVE)
    done = update_content(call.writing(), **call.write)
    _finish(call, done, "The campaign plays what is installed; nothing to update.")


def content_add(
    folder: Annotated[Path, typer.Argument(help="the pack's folder", metavar="PACK_FOLDER")],
) -> None:
    """Lay a pack of your own over those that the campaign plays."""
    call = current()
    call.only(*MOVE)
    done = add_content(call.writing(), folder.expanduser(), **call.write)
    _finish(call, done, "The campaign plays this pack already.")


def _finish(call: Call, done: PackChange, nothing: str) -> None:
    """Says what was changed, or that there was nothing to do."""
    tried = bool(call.write.get("dry_run"))
    number = done.result.number if done.result else 0
    if call.json:
        say.as_json(
            ContentChanged(
                move=number,
                dry_run=tried,
                packs=[ChangedPack(now.id, _version(was), now.version) for was, now in done.packs],
                records=[ChangedRecord(*_fields(one)) for one in done.records],
                kept=[ChangedRecord(*_fields(one)) for one in done.kept],
                restored=[one.id for one in done.restored],
            )
        )
        return
    for text in _told(done, nothing):
        say.line(f"{number or '~':>4}  {text}" if done.result else text)
    if tried:
        say.line("      Nothing was logged (--dry-run).")


def _told(done: PackChange, nothing: str) -> Iterator[str]:
    for was, now in done.packs:
        yield f"{now.id}: {_pack(was)} → {_pack(now)}" if was else f"{now.id}: {_pack(now)}, new"
    yield from _records(done.records, "")
    yield from _records(done.kept, "stays as your own pack has it: ")
    for one in done.restored:
        yield f"The lost copy of {one.id} {one.version} is back."
    if done.result is None and not done.restored:
        yield nothing
    elif done.result is not None and not done.records:
        yield "No record that is in force changes."


def _records(found: Iterable[Difference], before: str) -> Iterator[str]:
    """A line a kind: ``gear: +lantern_sword, cloth, −founding_stone``."""
    kinds: dict[str, list[str]] = {}
    for one in found:
        kinds.setdefault(one.kind, []).append(f"{_MARKS[one.how]}{one.id}")
    for kind, ids in kinds.items():
        more = f", … {len(ids) - MOST} more" if ids[MOST:] else ""
        yield f"{before}{words(kind)}: {', '.join(ids[:MOST])}{more}"


def _pack(ref: PackRef | None) -> str:
    return f"{ref.version} ({ref.hash[:8]})" if ref else "-"


def _version(ref: PackRef | None) -> int | None:
    return ref.version if ref else None


def _fields(one: Difference) -> tuple[str, str, str, str]:
    return one.kind, one.id, one.how, one.pack


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    return to_click(globals()[name], command)
