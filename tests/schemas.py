"""Generates ``schemas/`` from the Structs; ``--check`` only says whether it is fresh."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from kdmlog.cli.documents import DOCUMENTS
from kdmlog.cli.kdm_documents import KDM_DOCUMENTS
from kdmlog.core.actions import CORE_ACTIONS
from kdmlog.games.kdm.content import KINDS
from kdmlog.games.kdm.game import GAME
from kdmlog.games.kdm.sheet import Sheet
from kdmlog.packs.schemas import meta_schema, pack_schemas

FOLDER = Path(__file__).parent.parent / "schemas"


def schemas() -> dict[str, dict[str, Any]]:
    """Returns every schema by its file's name."""
    made: dict[str, dict[str, Any]] = {
        "kdm.state": msgspec.json.schema(GAME.view_type),
        "kdm.events": {"oneOf": [msgspec.json.schema(event) for event in GAME.all_events]},
        "kdm.actions": {
            "oneOf": [msgspec.json.schema(one) for one in (*CORE_ACTIONS, *GAME.plays)]
        },
        "kdm.sheet": msgspec.json.schema(Sheet),
        "pack": meta_schema(),
    }
    for name, document in (DOCUMENTS | KDM_DOCUMENTS).items():
        made[f"cli.{name}"] = msgspec.json.schema(document)
    for kind, schema in pack_schemas(KINDS).items():
        made[f"kdm.{kind}"] = schema
    return made


def main() -> int:
    """Writes the schemas, or with ``--check`` compares; returns the exit code."""
    made = {f"{name}.json": _text(schema) for name, schema in schemas().items()}
    there = {path.name: path.read_text() for path in FOLDER.glob("*.json")}
    if "--check" in sys.argv:
        stale = sorted(name for name in made.keys() | there if made.get(name) != there.get(name))
        if stale:
            print(f"stale: {', '.join(stale)}  Then: python -m tests.schemas")
        return 1 if stale else 0
    FOLDER.mkdir(exist_ok=True)
    for name in there.keys() - made.keys():
        (FOLDER / name).unlink()
    for name, text in made.items():
        (FOLDER / name).write_text(text)
    return 0


def _text(schema: dict[str, Any]) -> str:
    return json.dumps(schema, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.exit(main())
