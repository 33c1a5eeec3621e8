"""Finds everything that is wrong with a value that msgspec refused, where msgspec tells one thing.

msgspec stops at the first fault and writes ``[...]`` for a mapping's key. So on error, and only
then, a value is converted again child by child, along its type, until each fault has its own path.
"""

from __future__ import annotations

import collections.abc
import enum
import re
import types
import typing
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from kdmlog.core.errors import ContentError, KdmlogError
from kdmlog.packs.findings import FieldPath, dotted
from kdmlog.packs.nearest import suggestion

_LISTS = (
    list,
    set,
    frozenset,
    tuple,
    collections.abc.Collection,
    collections.abc.Sequence,
    collections.abc.MutableSequence,
    collections.abc.Set,
    collections.abc.MutableSet,
)
_MAPPINGS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
_UNIONS = (typing.Union, types.UnionType)
_AT = re.compile(r" - at (?:`key` in )?`\$(.*)`\Z", re.DOTALL)
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]|\[\.\.\.\]")
_EXPECTED = re.compile(r"Expected `(.+)`, got `(int|float|bool)`")


class Fault(NamedTuple):
    """One thing wrong at ``path`` inside the value."""

    path: FieldPath
    message: str
    hint: str = ""


class Faulty(ContentError):
    """Plain data that cannot be used, with the path of everything that is wrong with it."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = list(faults)
        first, *others = self.faults
        more = f" (and {len(others)} more)" if others else ""
        super().__init__(
            f"{dotted(first.path)}: {first.message}{more}",
            hints=[first.hint] if first.hint else [],
            data={"faults": [[dotted(one.path), one.message, one.hint] for one in self.faults]},
        )


def convert(value: Any, type_: Any) -> Any:
    """Convert plain data as strictly as canonical JSON will be decoded later."""
    return msgspec.convert(value, type_, strict=True, str_keys=True)


def faults(value: Any, type_: Any, path: FieldPath = ()) -> list[Fault]:
    """Return everything wrong with ``value`` as a ``type_``; nothing if it converts."""
    try:
        convert(value, type_)
    except (msgspec.ValidationError, KdmlogError) as error:
        inner = _inner(value, _bare(type_), path)
        return inner or [_own(error, value, type_, path)]
    return []


def _inner(value: Any, type_: Any, path: FieldPath) -> list[Fault]:
    """Look for the faults of the parts; none found means that the whole is at fault."""
    origin = typing.get_origin(type_) or type_
    arguments = typing.get_args(type_)
    if origin in _UNIONS:
        return _union(value, [_bare(member) for member in arguments], path)
    if isinstance(value, dict):
        if _is_struct(type_):
            return list(_struct(value, type_, path))
        if origin in _MAPPINGS and arguments:
            return list(_mapping(value, arguments[0], arguments[1], path))
    if isinstance(value, list) and origin in _LISTS and arguments:
        return list(_items(value, origin, arguments, path))
    return []


def _struct(value: dict[str, Any], type_: Any, path: FieldPath) -> Iterator[Fault]:
    config = (typing.get_origin(type_) or type_).__struct_config__
    if config.array_like:
        return
    fields = {field.encode_name: field for field in msgspec.structs.fields(type_)}
    for key, inner in value.items():
        if key in fields:
            yield from faults(inner, fields[key].type, (*path, key))
        elif key == config.tag_field:
            if inner != config.tag:
                yield _wrong_tag(inner, [config.tag], (*path, key))
        elif config.forbid_unknown_fields:
            unused = [name for name in fields if name not in value]
            yield Fault((*path, key), f"There is no field {key} here.", suggestion(key, unused))
    for name, field in fields.items():
        if field.required and name not in value:
            yield Fault((*path, name), f"The field {name} is missing.")


def _mapping(value: dict[str, Any], key_type: Any, type_: Any, path: FieldPath) -> Iterator[Fault]:
    for key, inner in value.items():
        try:
            convert({key: None}, dict[key_type, Any])
        except (msgspec.ValidationError, KdmlogError) as error:
            message, hint = _said(error, key, key_type)
            yield Fault((*path, key), f"The key is wrong: {message}", hint)
        yield from faults(inner, type_, (*path, key))


def _items(value: list[Any], origin: Any, arguments: Any, path: FieldPath) -> Iterator[Fault]:
    if origin is tuple and not (len(arguments) == 2 and arguments[1] is Ellipsis):
        if len(arguments) != len(value):
            return
        item_types: Iterable[Any] = arguments
    else:
        item_types = [arguments[0]] * len(value)
    for index, (inner, type_) in enumerate(zip(value, item_types, strict=True)):
        yield from faults(inner, type_, (*path, index))


def _union(value: Any, members: list[Any], path: FieldPath) -> list[Fault]:
    """Follow the one member that the value's shape points at (msgspec allows no two alike)."""
    structs = [member for member in members if _is_struct(member)]
    if isinstance(value, dict) and len(structs) > 1:
        tagged = {_config(member).tag: member for member in structs}
        tag_field = _config(structs[0]).tag_field
        if tag_field not in value:
            names = ", ".join(str(tag) for tag in tagged)
            message = f"The field {tag_field} is missing."
            return [Fault((*path, tag_field), message, f"It is one of: {names}.")]
        tag = value[tag_field]
        if not isinstance(tag, (str, int)) or tag not in tagged:
            return [_wrong_tag(tag, tagged, (*path, tag_field))]
        return list(_struct(value, tagged[tag], path))
    for member in members:
        if inner := _inner(value, member, path):
            return inner
    return []


def _wrong_tag(tag: Any, tags: Iterable[Any], path: FieldPath) -> Fault:
    hint = suggestion(str(tag), [str(known) for known in tags])
    return Fault(path, f"{tag!r} is not possible here.", hint)


def _own(error: Exception, value: Any, type_: Any, path: FieldPath) -> Fault:
    """Make a fault of an error itself, going as far along msgspec's own path as it is exact."""
    if found := _AT.search(str(error)):
        for step in _STEP.finditer(found[1]):
            if step[0] == "[...]":
                break
            path = (*path, step[1] if step[1] is not None else int(step[2]))
    message, hint = _said(error, value, type_)
    return Fault(path, message, hint)


def _said(error: Exception, value: Any, type_: Any) -> tuple[str, str]:
    """Return an error's words and a hint, in the terms of someone who writes YAML."""
    if isinstance(error, KdmlogError):
        return error.message, " ".join(error.hints)
    message = _AT.sub("", str(error))
    message = message.replace("`object`", "`mapping`").replace("`array`", "`list`")
    hint = ""
    if message.startswith("Invalid enum value") and not isinstance(value, (dict, list)):
        hint = suggestion(str(value), _choices(_bare(type_)))
        message = f"{value!r} is not possible here"
    elif message.endswith("`mapping`, got `null`"):
        hint = "Indent the fields below it, or write {} for none."
    elif message.endswith("got `null`"):
        hint = "Give it a value, or take it out."
    elif (expected := _EXPECTED.match(message)) and "str" in expected[1].split(" | "):
        hint = "Put quotes around it to make it text."
    return (message if message.endswith((".", "!", "?")) else f"{message}."), hint


def _choices(type_: Any) -> list[str]:
    origin = typing.get_origin(type_)
    if origin is typing.Literal:
        return [str(choice) for choice in typing.get_args(type_)]
    if origin in _UNIONS:
        members = (_choices(_bare(member)) for member in typing.get_args(type_))
        return [choice for member in members for choice in member]
    if isinstance(type_, type) and issubclass(type_, enum.Enum):
        return [str(choice.value) for choice in type_]
    return []


def _bare(type_: Any) -> Any:
    """Take off what only decorates a type: Annotated, NewType, a named alias."""
    while True:
        if typing.get_origin(type_) is typing.Annotated:
            type_ = typing.get_args(type_)[0]
        elif isinstance(type_, typing.NewType):
            type_ = type_.__supertype__
        elif hasattr(type_, "__value__"):
            type_ = type_.__value__
        else:
            return type_


def _is_struct(type_: Any) -> bool:
    origin = typing.get_origin(type_) or type_
    return isinstance(origin, type) and issubclass(origin, msgspec.Struct)


def _config(type_: Any) -> Any:
    return (typing.get_origin(type_) or type_).__struct_config__
