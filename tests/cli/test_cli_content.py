"""Packs can be looked at, checked and counted, with and without a campaign."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kdmlog.cli import content
from kdmlog.cli.call import Call
from kdmlog.cli.main import execute
from kdmlog.packs import yaml_loader
from kdmlog.packs.installed import builtin
from kdmlog.session.games import find_game

Said = tuple[int, str, str]
Run = Callable[..., Said]
CORE = builtin("kdm")["core"]


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "kdm.db"


@pytest.fixture
def run(db: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*words: str) -> Said:
        call = Call()
        code = execute([*words, "--db", str(db)], call)
        if call.session is not None:
            call.session.close()
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


@pytest.fixture
def campaign(run: Run) -> Run:
    assert run("new", "Test")[0] == 0
    return run


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A pack of one's own, which needs the core."""
    folder = tmp_path / "packs" / "house"
    folder.mkdir(parents=True)
    meta = "id: house\ntitle: House cards\nversion: 1\ngame: kdm\nneeds: [core]\n"
    (folder / "pack.yaml").write_text(meta)
    place = "tannery:\n  name: Tannery\n  built_at: skinnery\n"
    (folder / "location.yaml").write_text(place)
    return folder


def text(run: Run, *words: str) -> str:
    code, out, err = run(*words)
    assert (code, err) == (0, "")
    assert all(len(line) <= 80 for line in out.splitlines())
    return out


def data(run: Run, *words: str) -> Any:
    code, out, _ = run(*words, "--json")
    assert code == 0
    return json.loads(out)


# --- list -----------------------------------------------------------------------------------------


def test_list_shows_packs_and_counts(campaign: Run) -> None:
    body = data(campaign, "content", "list")
    (pack,) = body["packs"]
    assert (pack["id"], pack["version"]) == ("core", 1)
    assert len(pack["hash"]) == 64
    out = text(campaign, "content", "list")
    assert f"core        1  Kingdom Death Monster, core game  {pack['hash'][:12]}…" in out
    for kind, count in body["records"].items():
        assert (f"{kind} " in out and f" {count}\n" in out) or not count


def test_without_a_campaign_the_built_in_packs_are_meant(run: Run, db: Path) -> None:
    without = data(run, "content", "list")
    assert not db.exists()
    assert run("new", "Test")[0] == 0
    assert data(run, "content", "list") == without


def test_a_campaign_that_is_named_has_to_be_there(run: Run) -> None:
    code, out, err = run("content", "list", "-c", "nowhere")
    assert (code, out) == (1, "")
    assert "There is no campaign yet" in err


@pytest.mark.parametrize("word", ["location", "Locations", "loc"])
def test_list_shows_the_records_of_a_kind(campaign: Run, word: str) -> None:
    lines = text(campaign, "content", "list", word).splitlines()
    assert ["bone_smith", "Bonesmith", "core"] in [line.split() for line in lines]
    found = data(campaign, "content", "list", word)
    assert {"id": "bone_smith", "name": "Bonesmith", "pack": "core"} in found


def test_a_kind_without_records_and_one_that_is_none(campaign: Run) -> None:
    assert text(campaign, "content", "list", "hunt_event") == "There is no hunt event.\n"
    code, _, err = campaign("content", "list", "gaer")
    assert (code, err) == (1, "No kind of record 'gaer'.  Then: gear?\n")


# --- show -----------------------------------------------------------------------------------------


def test_show_prints_kind_id_pack_and_fields(campaign: Run) -> None:
    assert text(campaign, "content", "show", "skull helm") == (
        "gear skull_helm  ·  pack core\n"
        "name: Skull Helm\n"
        "note: Archived when its wearer suffers a severe head injury.\n"
        "kind: armor\n"
        "location: bone_smith\n"
        "keywords: [bone, fragile]\n"
        "armor: {location: head, points: 3}\n"
        "affinities: {bottom: red}\n"
        "cost:\n"
        "- any_of:\n"
        "  - {type: bone, count: 2}\n"
        "  - resource: skull\n"
        "on:\n"
        "  severe_head_injury:\n"
        "  - archive_gear: {id: skull_helm}\n"
    )
    body = data(campaign, "content", "show", "skull_helm")
    assert (body["kind"], body["id"], body["pack"]) == ("gear", "skull_helm", "core")
    assert body["fields"]["armor"] == {"location": "head", "points": 3}


@pytest.mark.parametrize("words", [("gear:cloth",), ("cloth", "--kind", "gear")])
def test_show_takes_a_kind(campaign: Run, words: tuple[str, ...]) -> None:
    assert text(campaign, "content", "show", *words).startswith("gear cloth  ·  pack core\n")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("sharp",), "note: Adds 1d10 strength to each wound attempt; no criticals from it."),
        (("early", "iron"), "note: An attack roll of 1 cancels the attack."),
        (("two-handed",), "note: Needs both hands."),
    ],
)
def test_show_explains_a_word_in_a_line(campaign: Run, words: tuple[str, ...], line: str) -> None:
    assert line in text(campaign, "content", "show", *words).splitlines()


def test_show_offers_the_nearest(campaign: Run) -> None:
    code, _, err = campaign("content", "show", "skul_helm")
    assert code == 1
    assert "skull_helm" in err


def test_show_of_an_id_in_two_kinds_asks_which(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game("kdm")
    library = content._built_in(game)
    monkeypatch.setattr(
        library, "_raw", {**library._raw, "ability": {"cloth": (msgspec.Raw(b'{"name":"C"}'), "x")}}
    )
    monkeypatch.setattr(content, "_built_in", lambda _game: library)
    code, _, err = run("content", "show", "cloth")
    assert code == 1
    assert "cloth is the id of several records: ability, gear." in err
    assert "content show cloth --kind gear" in err


def test_what_show_prints_is_yaml_of_the_same_record() -> None:
    game = find_game("kdm")
    library = content._built_in(game)
    for type_ in library.kinds.values():
        for id_, record in library.all(type_).items():
            fields = msgspec.to_builtins(record, str_keys=True)
            lines = content.yaml_lines(fields, 80)
            document = yaml_loader.parse("\n".join(lines).encode(), id_)
            assert not document.findings, (id_, document.findings)
            assert document.data == fields, id_
            assert all(len(line) <= 80 for line in lines), id_


# --- check ----------------------------------------------------------------------------------------


def test_check_of_ours_is_well(run: Run, db: Path) -> None:
    packs = data(run, "content", "check")["packs"]
    assert [(one["pack"], one["findings"]) for one in packs] == [("core", []), ("edition_1_6", [])]
    lines = [f"{one['pack']}: {one['records']} records, all well." for one in packs]
    assert text(run, "content", "check").splitlines() == lines
    assert text(run, "content", "check", str(CORE)).startswith("core: ")
    assert not db.exists()


def test_check_of_a_pack_that_needs_ours(run: Run, house: Path) -> None:
    assert text(run, "content", "check", str(house)) == "house: 1 records, all well.\n"


def test_check_prints_every_finding_and_fails(run: Run, house: Path) -> None:
    (house / "location.yaml").write_text("tannery:\n  nam: Tannery\n  built_at: 3\n")
    code, out, err = run("content", "check", str(house))
    assert code == 1
    assert out.splitlines()[0].startswith("location.yaml:1: tannery.name: The field name is miss")
    assert out.splitlines()[1].startswith("location.yaml:2: tannery.nam: There is no field nam")
    assert len(out.splitlines()) == 3
    assert len(err.splitlines()) == 1
    assert err.startswith("Pack house: location.yaml:1: ") and "(and 2 more)" in err


def test_check_finds_what_a_record_names_in_vain(run: Run, house: Path) -> None:
    (house / "location.yaml").write_text("tannery:\n  name: Tannery\n  built_at: skinery\n")
    code, out, _ = run("content", "check", str(house))
    assert code == 1
    assert out.startswith("location.yaml:3: tannery.built_at: there is no skinery; skinnery")


def test_check_as_json_is_one_document(run: Run, house: Path) -> None:
    (house / "location.yaml").write_text("tannery: {}\n")
    code, out, err = run("content", "check", str(house), "--json")
    assert code == 1
    (one,) = json.loads(out)["packs"]
    assert one["pack"] == "house"
    assert one["findings"][0]["file"] == "location.yaml"
    assert json.loads(err)["error"]["code"] == "content"


def test_check_of_a_pack_on_top_of_a_neighbour(run: Run, house: Path) -> None:
    attic = house.parent / "attic"
    shutil.copytree(house, attic)
    meta = (house / "pack.yaml").read_text().replace("house", "attic")
    (attic / "pack.yaml").write_text(meta.replace("[core]", "[house]"))
    (attic / "location.yaml").write_text("loft:\n  name: Loft\n  built_at: tannery\n")
    assert text(run, "content", "check", str(attic)) == "attic: 1 records, all well.\n"
    (attic / "pack.yaml").write_text(meta.replace("[core]", "[hose]"))
    code, _, err = run("content", "check", str(attic))
    assert code == 1
    assert "The pack attic needs the pack hose, which is not there." in err


def test_check_of_no_folder(run: Run, tmp_path: Path) -> None:
    code, out, err = run("content", "check", str(tmp_path / "nothing"))
    assert code == 1
    assert "pack.yaml:1: (whole file): The pack's folder cannot be read" in out
    assert err.startswith("Pack nothing: ")


# --- coverage -------------------------------------------------------------------------------------


def test_coverage_counts_every_record_once(campaign: Run) -> None:
    records = data(campaign, "content", "list")["records"]
    body = data(campaign, "content", "coverage")
    for kind, counts in body["kinds"].items():
        assert counts["scripted"] + counts["assisted"] == records[kind]
        assert counts["missing"] >= len(body["missing"].get(kind, []))


def test_coverage_tells_assisted_from_scripted(campaign: Run) -> None:
    kinds = data(campaign, "content", "coverage")["kinds"]
    assert kinds["gear"]["scripted"] > kinds["gear"]["assisted"] > 0
    assert kinds["injury"]["assisted"] == 0
    assert kinds["ai_card"]["assisted"] > 0
    assert kinds["hit_location"]["assisted"] > 0
    assert kinds["ai_card"]["scripted"] > 0


def test_coverage_names_the_story_events_that_nobody_wrote(campaign: Run) -> None:
    body = data(campaign, "content", "coverage")
    known = {one["id"] for one in data(campaign, "content", "list", "story_event")}
    missing = body["missing"]["story_event"]
    assert not known & set(missing)
    assert len(set(missing)) == len(missing)
    out = text(campaign, "content", "coverage")
    total = sum(sum(counts.values()) for counts in body["kinds"].values())
    assert out.splitlines()[0].split() == ["Kind", "Scripted", "Assisted", "Missing", "Total"]
    assert any(line.startswith("all ") and line.endswith(f" {total}") for line in out.splitlines())
