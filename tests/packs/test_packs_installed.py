"""Packs are found, ordered by their needs, and parsed only when they have changed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from packs_kinds import KINDS, META, write_pack

from kdmlog.core.errors import ContentError
from kdmlog.packs import installed
from kdmlog.packs.findings import PackError
from kdmlog.packs.installed import builtin, compiled, fingerprint, ordered, packs_in
from kdmlog.packs.load import load_pack
from kdmlog.packs.pack import canonical

CLOTH = "cloth: {title: Cloth}\n"

WARM = """
import sys, pathlib, msgspec
from kdmlog.packs.coverage import coverage
from kdmlog.packs.installed import builtin, compiled, ordered
from kdmlog.packs.library import Library
import kdmlog.packs.load, kdmlog.packs.schemas
class Gear(msgspec.Struct, forbid_unknown_fields=True):
    title: str
kept = pathlib.Path(sys.argv[2])
data = compiled(
    pathlib.Path(sys.argv[1]),
    {"gear": Gear},
    lambda key: kept.read_bytes() if kept.exists() else None,
    lambda key, data: kept.write_bytes(data),
    salt="1",
)
print(Library([data], {"gear": Gear}).get(Gear, "cloth").title, "yaml" in sys.modules)
"""


def test_a_warm_cache_never_imports_yaml(tmp_path: Path) -> None:
    folder = write_pack(tmp_path / "core", {"gear.yaml": CLOTH})
    command = [sys.executable, "-c", WARM, str(folder), str(tmp_path / "cache")]
    root = Path(__file__).resolve().parents[2]
    outputs = [
        subprocess.run(command, check=True, capture_output=True, text=True, cwd=root).stdout
        for _ in range(2)
    ]
    assert outputs == ["Cloth True\n", "Cloth False\n"]


def test_compiled_parses_only_what_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_pack(tmp_path, {"gear.yaml": CLOTH})
    cache: dict[str, bytes] = {}

    def get(salt: str = "1") -> bytes:
        return compiled(folder, KINDS, cache.get, cache.__setitem__, salt=salt)

    first = get()
    assert first == canonical(load_pack(folder, KINDS))
    assert (get(), len(cache)) == (first, 1)
    assert (get("2"), len(cache)) == (first, 2)

    before = fingerprint(folder)
    write_pack(folder, {"gear/more.yaml": "hat: {title: Hat}\n"})
    assert fingerprint(folder) != before
    assert b"Hat" in get()
    write_pack(folder, {"gear.yaml": "cloth: 3\n"})
    size = len(cache)
    with pytest.raises(PackError):
        get()
    assert len(cache) == size  # what is refused is not kept

    write_pack(folder, {"gear.yaml": CLOTH})
    marks = iter("ab")
    monkeypatch.setattr(installed, "fingerprint", lambda _: next(marks))
    get("3")
    assert len(cache) == size  # nor what changed while it was read


def test_fingerprint_sees_names_sizes_and_times(tmp_path: Path) -> None:
    folder = write_pack(tmp_path / "a", {"gear.yaml": CLOTH})
    same = fingerprint(folder)
    assert fingerprint(folder) == same
    (folder / "gear.yaml").write_text(CLOTH.replace("Cloth", "Clotj"))
    assert fingerprint(folder) != same
    same = fingerprint(folder)
    (folder / "gear.yaml").rename(folder / "gear2.yaml")
    assert fingerprint(folder) != same
    with pytest.raises(ContentError, match="cannot be read"):
        fingerprint(tmp_path / "nowhere")


def test_builtin_packs_of_a_wheel_and_of_a_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "kdmlog"
    monkeypatch.setattr(installed, "_PACKAGE", package)
    assert builtin("kdm") == {}
    for name in ("gorm", "core"):
        write_pack(tmp_path / "content" / "kdm" / name, {})
    (tmp_path / "content" / "kdm" / "empty").mkdir()
    (tmp_path / "content" / "kdm" / "note.txt").write_text("")
    beside = tmp_path / "content" / "kdm"
    assert list(builtin("kdm").items()) == [("core", beside / "core"), ("gorm", beside / "gorm")]
    inside = write_pack(package / "content" / "kdm" / "core", {})
    assert builtin("kdm") == {"core": inside}
    assert packs_in(tmp_path / "nowhere") == {}


def test_order_follows_needs_and_else_what_was_given() -> None:
    assert ordered({"c": ["b"], "x": [], "b": ["a"], "a": []}) == ["x", "a", "b", "c"]
    assert ordered({"b": [], "a": []}) == ["b", "a"]
    assert ordered({}) == []


def test_missing_and_circular_needs_are_refused() -> None:
    with pytest.raises(ContentError, match="gorm needs the pack cor, which") as raised:
        ordered({"gorm": ["cor"], "core": []})
    assert raised.value.hints == ["Did you mean core?"]
    with pytest.raises(ContentError, match=r"a circle: (a needs b needs a|b needs a needs b)"):
        ordered({"a": ["b"], "b": ["a"], "c": []})
    with pytest.raises(ContentError, match="circle: a needs a"):
        ordered({"a": ["a"]})


def test_context_is_part_of_the_key(tmp_path: Path) -> None:
    folder = write_pack(tmp_path / "core", {"gear.yaml": CLOTH})
    base = canonical(load_pack(write_pack(tmp_path / "base", {}, META), KINDS))
    cache: dict[str, bytes] = {}
    for below in ([], [base]):
        compiled(folder, KINDS, cache.get, cache.__setitem__, below=below, game="kdm")
    assert len(cache) == 2
