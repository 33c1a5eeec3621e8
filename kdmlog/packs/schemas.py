"""JSON Schemas of pack files, so that an editor checks and completes content as it is written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from kdmlog.packs.pack import PackMeta

_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def pack_schemas(kinds: Mapping[str, type[msgspec.Struct]]) -> dict[str, dict[str, Any]]:
    """Return the schema of each kind's files: a mapping of record ids to records."""
    schemas = {}
    for kind, type_ in kinds.items():
        record, definitions = _components(type_)
        schemas[kind] = {
            "$schema": _DRAFT,
            "title": kind,
            "type": "object",
            "propertyNames": {"pattern": "^[a-z0-9_]+$"},
            "additionalProperties": record,
            "$defs": definitions,
        }
    return schemas


def meta_schema() -> dict[str, Any]:
    """Return the schema of ``pack.yaml``."""
    record, definitions = _components(PackMeta)
    return {"$schema": _DRAFT, "title": "pack", **record, "$defs": definitions}


def _components(type_: type[msgspec.Struct]) -> tuple[dict[str, Any], dict[str, Any]]:
    (record,), definitions = msgspec.json.schema_components((type_,), ref_template="#/$defs/{name}")
    return record, dict(sorted(definitions.items()))
