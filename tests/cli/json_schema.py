"""Holds a JSON document to a schema of ``schemas/``: the part of JSON Schema that these use.

Objects whose schema names their properties may have no others: a field that no schema knows is
what this is to find.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "schemas"
SAYING = {"$defs", "title", "description", "default", "discriminator"}
"""Keywords that ask for nothing."""
TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


@cache
def schema_file(name: str) -> Any:
    """Returns a schema by its file's name without ``.json``."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def faults(document: Any, name: str, at: str = "") -> list[str]:
    """Returns what is wrong with a document; ``at`` leads to a part of the schema (``$defs/X``)."""
    root = schema_file(name)
    return list(_faults(document, _part(root, at), root, "$"))


def _part(root: Any, path: str) -> Any:
    for step in filter(None, path.split("/")):
        root = root[step]
    return root


def _faults(it: Any, schema: Any, root: Any, where: str) -> list[str]:
    found: list[str] = []
    for keyword in schema.keys() - SAYING:
        type_, check = CHECKS[keyword]  # a keyword that is not there is a fault of this file
        if isinstance(it, type_):
            found += check(it, schema[keyword], schema, root, where)
    return found


def _ref(it: Any, asked: Any, _schema: Any, root: Any, where: str) -> list[str]:
    return _faults(it, _part(root, asked.removeprefix("#/")), root, where)


def _any(it: Any, asked: Any, _schema: Any, root: Any, where: str) -> list[str]:
    tried = [_faults(it, one, root, where) for one in asked]
    return min(tried, key=len)


def _type(it: Any, asked: Any, _schema: Any, _root: Any, where: str) -> list[str]:
    good = isinstance(it, TYPES[asked]) and (asked == "boolean" or not isinstance(it, bool))
    return [] if good else [f"{where}: {it!r} is no {asked}"]


def _enum(it: Any, asked: Any, _schema: Any, _root: Any, where: str) -> list[str]:
    return [] if it in asked else [f"{where}: {it!r} is none of {asked}"]


def _properties(it: Any, asked: Any, schema: Any, root: Any, where: str) -> list[str]:
    found = []
    for key, value in it.items():
        if key in asked:
            found += _faults(value, asked[key], root, f"{where}.{key}")
        elif not schema.get("additionalProperties"):
            found.append(f"{where}: {key} is not in the schema")
    return found


def _required(it: Any, asked: Any, _schema: Any, _root: Any, where: str) -> list[str]:
    return [f"{where}: {key} is missing" for key in asked if key not in it]


def _additional(it: Any, asked: Any, schema: Any, root: Any, where: str) -> list[str]:
    known = schema.get("properties", {})
    others = {key: value for key, value in it.items() if key not in known}
    if isinstance(asked, bool):
        return [f"{where}: {key} is not in the schema" for key in others if not asked]
    return [
        fault
        for key, one in others.items()
        for fault in _faults(one, asked, root, f"{where}.{key}")
    ]


def _items(it: Any, asked: Any, schema: Any, root: Any, where: str) -> list[str]:
    """Checks what stands behind the ``prefixItems``; with ``False`` ``maxItems`` lets nothing."""
    if asked is False:
        return []
    behind = list(enumerate(it))[len(schema.get("prefixItems", ())) :]
    return [fault for n, one in behind for fault in _faults(one, asked, root, f"{where}.{n}")]


def _prefix(it: Any, asked: Any, _schema: Any, root: Any, where: str) -> list[str]:
    pairs = enumerate(zip(it, asked, strict=False))
    return [fault for n, (one, to) in pairs for fault in _faults(one, to, root, f"{where}.{n}")]


def _least(it: Any, asked: Any, _schema: Any, _root: Any, where: str) -> list[str]:
    return [] if len(it) >= asked else [f"{where}: {len(it)} items are less than {asked}"]


def _most(it: Any, asked: Any, _schema: Any, _root: Any, where: str) -> list[str]:
    return [] if len(it) <= asked else [f"{where}: {len(it)} items are more than {asked}"]


def _names(it: Any, asked: Any, _schema: Any, root: Any, where: str) -> list[str]:
    return [fault for key in it for fault in _faults(key, asked, root, f"{where} key")]


def _pattern(it: Any, asked: Any, _schema: Any, _root: Any, where: str) -> list[str]:
    return [] if re.search(asked, it) else [f"{where}: {it!r} does not match {asked}"]


CHECKS: dict[str, tuple[type | tuple[type, ...], Callable[..., list[str]]]] = {
    "$ref": (object, _ref),
    "anyOf": (object, _any),
    "oneOf": (object, _any),
    "type": (object, _type),
    "enum": (object, _enum),
    "properties": (dict, _properties),
    "required": (dict, _required),
    "additionalProperties": (dict, _additional),
    "propertyNames": (dict, _names),
    "items": (list, _items),
    "prefixItems": (list, _prefix),
    "minItems": (list, _least),
    "maxItems": (list, _most),
    "pattern": (str, _pattern),
}
"""What each keyword asks of values of a type, and how that is checked."""
