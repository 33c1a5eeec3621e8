"""The game's installed packs where a test can change them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kdmlog.packs import installed


def movable(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Has kdmlog find a copy of its packs in a folder; returns the core pack's own."""
    core = folder / "installed" / "core"
    shutil.copytree(installed.builtin("kdm")["core"].parent, core.parent)
    monkeypatch.setattr(installed, "builtin", lambda _game: installed.packs_in(core.parent))
    return core
