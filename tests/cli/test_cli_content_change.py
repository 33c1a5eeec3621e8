"""``content update`` and ``content add`` at the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cli_helpers import founded, kdmlog, moves, well
from json_schema import faults
from kdm.installed import movable

HOUSE = "id: house\ntitle: A house's own\nversion: {}\ngame: kdm\nneeds: [core]\n"
RAG = "cloth:\n  name: {}\n  kind: armor\n  location: starting\n"


@pytest.fixture
def core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The installed core pack, where it can be changed."""
    return movable(tmp_path, monkeypatch)


@pytest.fixture
def db(core: Path, tmp_path: Path) -> Path:
    return founded(tmp_path / "kdm.db")


def newer(core: Path) -> None:
    """The game's pack as another version of kdmlog may bring it."""
    for name, was, now in (
        ("pack.yaml", "version: 1", "version: 2"),
        ("gear.yaml", "name: Cloth", "name: Rag"),
        ("gear.yaml", "name: Bone Axe", "name: Old Axe"),
    ):
        text = (core / name).read_text(encoding="utf-8")
        (core / name).write_text(text.replace(was, now, 1), encoding="utf-8")


def house(tmp_path: Path, version: int = 1, name: str = "Our Cloth") -> str:
    folder = tmp_path / "house"
    folder.mkdir(exist_ok=True)
    (folder / "pack.yaml").write_text(HOUSE.format(version), encoding="utf-8")
    (folder / "gear.yaml").write_text(RAG.format(name), encoding="utf-8")
    return str(folder)


def steady(text: str) -> list[str]:
    """Lines without hashes."""

    return re.sub(r"\([0-9a-f]{8}\)", "(·)", text).splitlines()


def test_with_nothing_new_it_says_so_and_logs_nothing(db: Path) -> None:
    before = moves(db)
    assert well(db, "content", "update") == (
        "The campaign plays what is installed; nothing to update.\n"
    )
    document = json.loads(well(db, "content", "update", "--json"))
    assert (document["move"], document["packs"], document["records"]) == (0, [], [])
    assert moves(db) == before


def test_an_update_says_what_it_changes(db: Path, core: Path) -> None:
    newer(core)
    assert steady(well(db, "content", "update", "--dry-run")) == [
        "   ~  core: 1 (·) → 2 (·)",
        "   ~  gear: bone_axe, cloth",
        "      Nothing was logged (--dry-run).",
    ]
    assert moves(db) == 5
    assert steady(well(db, "content", "update", "--by", "ann")) == [
        "   6  core: 1 (·) → 2 (·)",
        "   6  gear: bone_axe, cloth",
    ]
    assert "content: core 2" in well(db, "log", "-n", "1")


def test_a_pack_of_one_s_own_stays_over_the_update(db: Path, core: Path, tmp_path: Path) -> None:
    assert steady(well(db, "content", "add", house(tmp_path))) == [
        "   6  house: 1 (·), new",
        "   6  gear: cloth",
    ]
    newer(core)
    assert steady(well(db, "content", "update")) == [
        "   7  core: 1 (·) → 2 (·)",
        "   7  gear: bone_axe",
        "   7  stays as your own pack has it: gear: cloth",
    ]
    assert json.loads(well(db, "content", "show", "cloth", "--json"))["fields"]["name"] == (
        "Our Cloth"
    )
    assert well(db, "content", "add", house(tmp_path)) == "The campaign plays this pack already.\n"
    assert steady(well(db, "content", "add", house(tmp_path, 2, "Their Cloth")))[0] == (
        "   8  house: 1 (·) → 2 (·)"
    )


def test_a_program_reads_what_changed(db: Path, core: Path, tmp_path: Path) -> None:
    well(db, "content", "add", house(tmp_path))
    newer(core)
    document = json.loads(well(db, "content", "update", "--json"))
    assert faults(document, "cli.content_change") == []
    assert document["move"] == 7
    assert document["packs"] == [{"id": "core", "was": 1, "now": 2}]
    assert [(one["id"], one["how"], one["pack"]) for one in document["records"]] == [
        ("bone_axe", "changed", "core")
    ]
    assert [(one["id"], one["pack"]) for one in document["kept"]] == [("cloth", "house")]


def test_a_pack_that_is_none_is_refused_with_its_place(db: Path, tmp_path: Path) -> None:
    before = moves(db)
    folder = Path(house(tmp_path))
    (folder / "gear.yaml").write_text("cloth:\n  nome: Rag\n", encoding="utf-8")
    said = kdmlog(db, "content", "add", str(folder))
    assert (said.code, said.out) == (1, "")
    assert "gear.yaml:" in said.err
    assert kdmlog(db, "content", "add", str(tmp_path / "nowhere")).code == 1
    assert moves(db) == before


def test_the_same_request_changes_once(db: Path, core: Path) -> None:
    newer(core)
    well(db, "content", "update", "--request-id", "a")
    assert "nothing to update" in well(db, "content", "update", "--request-id", "a")
    assert moves(db) == 6
