"""Editors get a JSON Schema for each kind of file, made of the same Structs."""

from __future__ import annotations

import json

from packs_kinds import KINDS

from kdmlog.packs.schemas import meta_schema, pack_schemas


def test_a_schema_is_a_mapping_of_ids_to_records() -> None:
    schemas = pack_schemas(KINDS)
    assert list(schemas) == list(KINDS)
    gear = schemas["gear"]
    assert gear["propertyNames"] == {"pattern": "^[a-z0-9_]+$"}
    assert gear["additionalProperties"] == {"$ref": "#/$defs/Gear"}
    assert gear["$defs"]["Gear"]["additionalProperties"] is False
    assert gear["$defs"]["Gear"]["required"] == ["title"]
    assert gear["$defs"]["Gear"]["properties"]["location"]["enum"] == ["body", "head", "legs"]
    assert set(gear["$defs"]) == {"Gear", "Roll", "Gain"}
    assert json.loads(json.dumps(schemas)) == schemas


def test_pack_yaml_has_a_schema_too() -> None:
    schema = meta_schema()
    assert schema["$ref"] == "#/$defs/PackMeta"
    assert schema["$defs"]["PackMeta"]["required"] == ["id", "title", "version", "game"]
