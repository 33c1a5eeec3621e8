"""Equal packs give equal bytes and hashes, whatever the order of files, fields and hashing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from packs_kinds import KINDS, META, write_pack

from kdmlog.core.errors import ContentError
from kdmlog.packs.load import load_pack
from kdmlog.packs.pack import PackMeta, canonical, meta_of, pack_hash

SET_PACK = """
import sys, msgspec, pathlib
from kdmlog.packs.load import load_pack
from kdmlog.packs.pack import canonical, pack_hash
class Gear(msgspec.Struct, forbid_unknown_fields=True):
    tags: frozenset[str]
    odds: dict[str, int] = {}
print(pack_hash(canonical(load_pack(pathlib.Path(sys.argv[1]), {"gear": Gear}))))
"""


def test_the_form(tmp_path: Path) -> None:
    folder = write_pack(tmp_path, {"gear.yaml": "hat: {title: H}\ncloth: {armor: 1, title: C}\n"})
    data = canonical(load_pack(folder, KINDS))
    assert data == (
        b'{"pack":{"game":"kdm","id":"core","licence":"","needs":[],"title":"Core","version":1},'
        b'"records":{"gear":{"cloth":{"armor":1,"title":"C"},"hat":{"title":"H"}}}}'
    )
    assert pack_hash(data) == pack_hash(bytes(data))
    assert len(pack_hash(data)) == 64
    assert meta_of(data) == PackMeta(id="core", title="Core", version=1, game="kdm")


def test_order_and_files_do_not_matter(tmp_path: Path) -> None:
    one = write_pack(
        tmp_path / "one", {"gear.yaml": "a: {title: A, odds: {2: 1, 1: 2}}\nb: {title: B}\n"}
    )
    rows = META.splitlines(keepends=True)
    two = write_pack(
        tmp_path / "two",
        {"gear/x.yaml": "b: {title: B}\n", "gear/y.yaml": "a: {odds: {1: 2, 2: 1}, title: A}\n"},
        "".join(reversed(rows)),
    )
    assert canonical(load_pack(one, KINDS)) == canonical(load_pack(two, KINDS))
    write_pack(two, {"gear/x.yaml": "b: {title: C}\n"})
    assert canonical(load_pack(one, KINDS)) != canonical(load_pack(two, KINDS))


def test_the_hash_is_the_same_whatever_pythons_hash_seed(tmp_path: Path) -> None:
    tags = ", ".join(f"tag_{n}" for n in range(30))
    odds = ", ".join(f"k{n}: {n}" for n in range(30))
    folder = write_pack(tmp_path, {"gear.yaml": f"a: {{tags: [{tags}], odds: {{{odds}}}}}\n"})
    found = {
        subprocess.run(
            [sys.executable, "-c", SET_PACK, str(folder)],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(found) == 1


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"{}", b'{"pack": {"id": "a"}}', b"\xff"])
def test_bytes_that_are_no_pack_are_refused(data: bytes) -> None:
    with pytest.raises(ContentError, match="cannot be read"):
        meta_of(data)


def test_it_is_plain_json(tmp_path: Path) -> None:
    folder = write_pack(tmp_path, {"gear.yaml": "a: {title: Ünï 🎲}\n"})
    assert json.loads(canonical(load_pack(folder, KINDS)))["records"]["gear"]["a"] == {
        "title": "Ünï 🎲"
    }
