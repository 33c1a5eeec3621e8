"""Where packs live on this computer, in which order they apply, and how not to parse them twice."""

from __future__ import annotations

import graphlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from kdmlog.core.errors import ContentError
from kdmlog.core.hashes import blake2b
from kdmlog.packs import files
from kdmlog.packs.nearest import suggestion
from kdmlog.packs.pack import canonical, pack_hash

if TYPE_CHECKING:
    from kdmlog.packs.load import Check

_HASH = 64
"""Characters of a pack's hash, which stands before it in the cache."""
_PACKAGE = Path(__file__).resolve().parents[1]


def builtin(game: str) -> dict[str, Path]:
    """Return the packs that come with kdmlog for a game: folder by id, sorted."""
    return packs_in(_content(game))


def sheet_example(game: str) -> Path | None:
    """Return the commented example of a game's paper sheets; None when it comes with none."""
    path = _content(game) / "sheet-example.toml"
    return path if path.is_file() else None


def _content(game: str) -> Path:
    """Return a game's content: in a wheel inside the package, in a checkout beside it."""
    inside = _PACKAGE / "content"
    return (inside if inside.is_dir() else _PACKAGE.parent / "content") / game


def packs_in(folder: Path) -> dict[str, Path]:
    """Return the packs in a folder (each a folder with a pack.yaml), sorted; its name is its id."""
    if not folder.is_dir():
        return {}
    inner = sorted(folder.iterdir(), key=lambda path: path.name)
    return {path.name: path for path in inner if (path / "pack.yaml").is_file()}


def ordered(needs: Mapping[str, Sequence[str]]) -> list[str]:
    """Return pack ids, each after those it needs, else in the order given.

    A need that is not there, and packs that need each other in a circle, are refused.
    """
    for pack, needed in needs.items():
        for missing in needed:
            if missing not in needs:
                hint = suggestion(missing, [id for id in needs if id != pack])
                raise ContentError(
                    f"The pack {pack} needs the pack {missing}, which is not there.",
                    hints=[hint] if hint else [],
                    data={"pack": pack, "missing": missing},
                )
    try:
        graphlib.TopologicalSorter(needs).prepare()
    except graphlib.CycleError as error:
        circle = list(reversed(error.args[1]))
        raise ContentError(
            f"Packs need each other in a circle: {' needs '.join(circle)}.",
            hints=["Take one of these needs out of its pack.yaml."],
            data={"circle": circle},
        ) from error
    placed: list[str] = []
    waiting = list(needs)
    while waiting:
        ready = next(pack for pack in waiting if all(need in placed for need in needs[pack]))
        waiting.remove(ready)
        placed.append(ready)
    return placed


def fingerprint(folder: Path) -> str:
    """Return a cheap key of a folder's files: their names, sizes and times, never their content."""
    digest = blake2b(str(folder.resolve()).encode("utf-8", "surrogatepass"), digest_size=16)
    for entry in files.entries(folder):
        fields = entry.stat
        digest.update(
            f"\0{entry.name!r} {fields.st_mode} {fields.st_size} "
            f"{fields.st_mtime_ns} {fields.st_ctime_ns}".encode()
        )
    return digest.hexdigest()


def compiled(
    folder: Path,
    kinds: Mapping[str, type[msgspec.Struct]],
    cache_get: Callable[[str], bytes | None],
    cache_put: Callable[[str, bytes], None],
    *,
    salt: str = "",
    game: str | None = None,
    below: Sequence[bytes] = (),
    check: Check | None = None,
) -> bytes:
    """Return a folder's canonical bytes, parsing YAML only if its fingerprint is not in the cache.

    ``salt`` names what else the bytes depend on: kdmlog's and the rules' version. The other
    arguments are those of ``load_pack``.
    """
    files_key = fingerprint(folder)
    context = [salt, game, [pack_hash(data) for data in below], check is not None]
    key = pack_hash(msgspec.json.encode([files_key, context]))
    known = cache_get(key) or b""
    if known[:_HASH] == pack_hash(known[_HASH:]).encode():  # else it is damaged
        return known[_HASH:]
    from kdmlog.packs.load import load_pack

    data = canonical(load_pack(folder, kinds, game=game, below=below, check=check))
    if fingerprint(folder) == files_key:  # else someone is still writing: keep nothing
        cache_put(key, pack_hash(data).encode() + data)
    return data
