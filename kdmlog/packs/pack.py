"""What a pack is once it is read, and the one form of bytes it is stored and known by."""

from __future__ import annotations

from typing import Annotated

import msgspec

from kdmlog.core.errors import ContentError
from kdmlog.core.hashes import blake2b

# `$` alone would let a line break through at the end.
Id = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9_]*$(?!\n)", max_length=100)]
Words = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class PackMeta(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What ``pack.yaml`` says: whose records these are, for which game, on top of which packs."""

    id: Id
    title: Words
    version: Annotated[int, msgspec.Meta(ge=1)]
    game: Id
    needs: list[Id] = []
    licence: Annotated[str, msgspec.Meta(max_length=4000)] = ""
    printed: dict[Id, Annotated[int, msgspec.Meta(ge=0)]] = {}
    """How many records of a kind there are in print; what the pack lacks of them is missing."""


class Pack(PackMeta, kw_only=True):
    """A pack as loaded from its folder: its records by kind and id, and where each is written."""

    records: dict[str, dict[str, msgspec.Struct]]
    sources: dict[tuple[str, str], tuple[str, int]]


class _Header(msgspec.Struct):
    pack: PackMeta


def canonical(pack: Pack) -> bytes:
    """Return the JSON that is stored, hashed and played: equal packs give equal bytes.

    All keys are sorted, those of mappings inside a record too: an order that matters is a list.
    """
    meta = {name: getattr(pack, name) for name in PackMeta.__struct_fields__}
    if not pack.printed:  # what is younger than the form leaves older packs their hash
        del meta["printed"]
    everything = {"pack": meta, "records": pack.records}
    # Through builtins, because encode alone refuses to sort the keys of a dict[int, …].
    plain = msgspec.to_builtins(everything, str_keys=True, order="sorted")
    return msgspec.json.encode(plain, order="sorted")


def pack_hash(data: bytes) -> str:
    """Return the name a pack's canonical bytes go by: BLAKE2b-256 in hex."""
    return blake2b(data, digest_size=32).hexdigest()


def meta_of(data: bytes) -> PackMeta:
    """Read only what ``pack.yaml`` said from canonical bytes."""
    try:
        return msgspec.json.decode(data, type=_Header).pack
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ContentError(f"A stored pack cannot be read: {error}.") from error
