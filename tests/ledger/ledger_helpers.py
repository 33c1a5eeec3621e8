"""Short ways to say what the ledger's tests do over and over."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import kdmlog
from kdmlog.ledger import Head, Ledger, NewMove, archive

AT = "2026-01-01T00:00:00Z"
ROOT = str(Path(kdmlog.__file__).parent.parent)


def new_move(name: str, events: int = 2, *, at: str = AT, request_id: str | None = None) -> NewMove:
    bodies = [f'{{"kind":"toy.done","what":"{name}","n":{n}}}' for n in range(events)]
    return NewMove("acted", None, f'{{"do":"{name}"}}', bodies, "ada", at, request_id, 1)


def start(ledger: Ledger, slug: str = "lanterns") -> Head:
    campaign = ledger.create_campaign(slug, slug.title(), "toy", f"uid-{slug}", "ada", AT)
    return ledger.head(campaign.id, "main")


def append(ledger: Ledger, head: Head, *names: str) -> Head:
    for name in names:
        head = ledger.append(head, new_move(name))
    return head


def undo(ledger: Ledger, head: Head, moves: int = 1) -> Head:
    return ledger.point(head, ledger.position(head, head.number - moves), "undo", "ada", AT)


def story(ledger: Ledger, head: Head) -> str:
    """The names of the moves on the way to ``head``."""
    return " ".join(move.input[7:-2] for move in ledger.moves(head))


def run_python(code: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{Path(__file__).parent}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def archived(ledger: Ledger, slug: str = "lanterns", place: Head | None = None) -> bytes:
    """Returns a campaign as an archive, or what led up to a place of it."""
    campaign = ledger.campaign(slug)
    assert campaign
    written = io.BytesIO()
    cut = archive.cut_at(ledger, place) if place else None
    with archive.records(ledger, campaign, cut) as records:
        archive.write(records, written)
    return written.getvalue()


def read(data: bytes) -> archive.Contents:
    return archive.contents(archive.Reading(io.BytesIO(data), "x.jsonl"))


def bring(ledger: Ledger, data: bytes) -> archive.Brought:
    """Imports an archive."""
    second = archive.Reading(io.BytesIO(data), "x.jsonl", strictly=False)
    return archive.bring(ledger, read(data), second)


def bring_beside(ledger: Ledger, data: bytes, name: str, branch: str = "main") -> archive.Brought:
    """Imports a branch of an archive as the branch ``name``."""
    second = archive.Reading(io.BytesIO(data), "x.jsonl", strictly=False)
    return archive.bring_beside(ledger, read(data), second, name, branch=branch, by="bo", at=AT)


def brought(*archives: bytes) -> Ledger:
    """Returns a new ledger into which archives were imported."""
    ledger = Ledger.open(":memory:")
    for data in archives:
        bring(ledger, data)
    return ledger
