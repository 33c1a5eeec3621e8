"""Loading a pack gives its records, or everything that is wrong: file, line, field, hint."""

from __future__ import annotations

from pathlib import Path

import pytest
from packs_kinds import KINDS, META, Event, Gain, Gear, Roll, findings, places, write_pack

from kdmlog.core.errors import ContentError
from kdmlog.packs.findings import Finding, PackError
from kdmlog.packs.library import Library
from kdmlog.packs.load import load_pack
from kdmlog.packs.pack import canonical

GOOD = """\
cloth:
  title: Cloth
  armor: 1
  keywords: [soft, on]
  steps:
  - type: roll
    dice: 1d10
    rows:
      1-3: []
      9+:
      - {type: gain, survival: 1}
  odds: {3: 0.5}
  pair: [1, a]
"""


def test_a_good_pack(tmp_path: Path) -> None:
    meta = META + "needs: [base]\nlicence: ours\n"
    files = {
        "gear.yaml": GOOD,
        "hunt_event/a.yaml": "x: {lose: 1}\n",
        "hunt_event/b.yaml": "# later\n\ny: {gear: cloth}\n",
        "README.md": "not read",
        ".hidden/x.yaml": "[",
        "notes/todo.txt": "not read",
    }
    pack = load_pack(write_pack(tmp_path, files, meta), KINDS, game="kdm")
    assert (pack.id, pack.title, pack.version, pack.game) == ("core", "Core", 1, "kdm")
    assert (pack.needs, pack.licence) == (["base"], "ours")
    assert pack.records["gear"]["cloth"] == Gear(
        title="Cloth",
        armor=1,
        keywords=["soft", "on"],
        steps=[Roll("1d10", {"1-3": [], "9+": [Gain(1)]})],
        odds={3: 0.5},
        pair=(1, "a"),
    )
    assert pack.records["hunt_event"] == {"x": Event(lose=1), "y": Event(gear="cloth")}
    assert pack.sources == {
        ("gear", "cloth"): ("gear.yaml", 1),
        ("hunt_event", "x"): ("hunt_event/a.yaml", 1),
        ("hunt_event", "y"): ("hunt_event/b.yaml", 3),
    }
    library = Library([canonical(pack)], KINDS)
    assert library.get(Gear, "cloth") == pack.records["gear"]["cloth"]


@pytest.mark.parametrize(
    ("fields", "line", "field", "message", "hint"),
    [
        ("armour: 1", 2, "armour", "There is no field armour here.", "Did you mean armor?"),
        ("armor: one", 2, "armor", "Expected `int`, got `str`.", ""),
        ("armor: -1", 2, "armor", "Expected `int` >= 0.", ""),
        ("armor:", 2, "armor", "Expected `int`, got `null`.", "Give it a value, or take it out."),
        ("title: 3", 2, "title", "Expected `str`, got `int`.", "Put quotes around it"),
        ("keywords: soft", 2, "keywords", "Expected `list`, got `str`.", ""),
        ("keywords:\n  - a\n  - 3", 4, "keywords[1]", "Expected `str`, got `int`.", "Put quotes"),
        ("location: haed", 2, "location", "'haed' is not possible here.", "Did you mean head?"),
        ("steps: [{}]", 2, "steps[0].type", "The field type is missing.", "one of: roll, gain"),
        ("steps: [{type: rol}]", 2, "steps[0].type", "'rol' is not possible", "mean roll?"),
        ("steps: [{type: [x]}]", 2, "steps[0].type", "not possible here", "roll, gain"),
        ("steps: [3]", 2, "steps[0]", "Expected `mapping`, got `int`.", ""),
        ("steps: [{type: roll}]", 2, "steps[0].dice", "The field dice is missing.", ""),
        (
            "steps:\n  - type: gain\n  - type: roll\n    dice: 1d10\n    rows:\n      1-3: []\n"
            "      9+:\n      - type: gain\n        survivall: 2",
            10,
            "steps[1].rows.9+[0].survivall",
            "There is no field survivall here.",
            "Did you mean survival?",
        ),
        (
            "steps:\n  - type: gain\n    who: al",
            4,
            "steps[0].who",
            "'al' is not possible here.",
            "Did you mean all?",
        ),
        ("odds:\n    3: 1\n    x: 1", 4, "odds.x", "The key is wrong: Expected `int`", ""),
        ("odds:\n    3: 1\n    4: x", 4, "odds.4", "Expected `float`, got `str`.", ""),
        ("pair: [1]", 2, "pair", "Expected `list` of length 2, got 1.", ""),
        ("pair: [1, 2]", 2, "pair[1]", "Expected `str`, got `int`.", "Put quotes"),
    ],
)
def test_one_fault_has_its_line_field_and_hint(
    tmp_path: Path, fields: str, line: int, field: str, message: str, hint: str
) -> None:
    title = "" if "title" in fields else "  title: Cloth\n"
    write_pack(tmp_path, {"gear.yaml": f"cloth:\n  {fields}\n{title}"})
    (finding,) = findings(tmp_path)
    assert (finding.file, finding.line, finding.field) == ("gear.yaml", line, f"cloth.{field}")
    assert message in finding.message
    assert hint in finding.hint
    assert bool(hint) == bool(finding.hint)


def test_all_findings_in_all_files_in_order(tmp_path: Path) -> None:
    files = {
        "gear.yaml": "cloth:\n  titel: Cloth\n  armor: x\nhat:\n  title: 3\nboots:\nBad Id: {}\n",
        "hunt_event/a.yaml": "x: {}\ny: {lose: 1}\n",
        "hunt_event/b.yaml": "y: {lose: 1}\n",
        "guear.yaml": "a: 1\n",
        "hunt_event/c.yml": "",
        "hunt_event/deep/d.yaml": "",
        "gear/list.yaml": "- cloth\n",
        "gear/odd name.yaml": "a: {title: a}\n",
        "gear/empty.yaml": "# nothing\n",
    }
    write_pack(tmp_path, files, "id: Core\nversion: 0\ngame: kdm\n")
    assert places(tmp_path) == [
        ("gear.yaml", 1, "cloth.title"),
        ("gear.yaml", 2, "cloth.titel"),
        ("gear.yaml", 3, "cloth.armor"),
        ("gear.yaml", 5, "hat.title"),
        ("gear.yaml", 6, "boots"),
        ("gear.yaml", 7, "Bad Id"),
        ("gear.yaml", 7, "Bad Id.title"),
        ("gear/list.yaml", 1, "(whole file)"),
        ("gear/odd name.yaml", 1, "(whole file)"),
        ("guear.yaml", 1, "guear"),
        ("hunt_event/a.yaml", 1, "x"),
        ("hunt_event/b.yaml", 1, "y"),
        ("hunt_event/c.yml", 1, "(whole file)"),
        ("hunt_event/deep", 1, "(whole file)"),
        ("pack.yaml", 1, "id"),
        ("pack.yaml", 1, "title"),
        ("pack.yaml", 2, "version"),
    ]
    by_place = {(found.file, found.field): found for found in findings(tmp_path)}
    assert by_place["guear.yaml", "guear"].hint == "Did you mean gear?"
    assert by_place["gear.yaml", "Bad Id"].hint == "Write bad_id."
    assert by_place["hunt_event/a.yaml", "x"].message.startswith("exactly one of gear and lose")
    assert "hunt_event/a.yaml on line 2" in by_place["hunt_event/b.yaml", "y"].message


def test_the_error_itself_names_file_line_and_field(tmp_path: Path) -> None:
    write_pack(tmp_path, {"gear.yaml": "cloth:\n  title: a\n  armour: 1\n  x: 1\n"})
    with pytest.raises(ContentError) as raised:
        load_pack(tmp_path, KINDS)
    error = raised.value
    assert isinstance(error, PackError)
    assert error.code == "content"
    assert error.message == (
        "Pack core: gear.yaml:3: cloth.armour: There is no field armour here. (and 1 more)"
    )
    assert error.hints[0] == "Did you mean armor?"
    assert error.hints[1].startswith("gear.yaml:4: cloth.x: There is no field x here.")
    assert error.data["findings"][0]["line"] == 3  # type: ignore[index]


def test_yaml_and_record_findings_come_together_without_echo(tmp_path: Path) -> None:
    write_pack(tmp_path, {"gear.yaml": "a:\n  title: &x A\nb:\n  title: *x\nc:\n  titel: C\n"})
    assert places(tmp_path) == [
        ("gear.yaml", 2, "a.title"),
        ("gear.yaml", 4, "b.title"),
        ("gear.yaml", 5, "c.title"),
        ("gear.yaml", 6, "c.titel"),
    ]


def test_pack_yaml_itself(tmp_path: Path) -> None:
    (tmp_path / "gear.yaml").write_text("cloth: {title: Cloth}\n")
    assert places(tmp_path) == [("pack.yaml", 1, "(whole file)")]
    assert places(tmp_path / "nowhere") == [("pack.yaml", 1, "(whole file)")]
    write_pack(tmp_path, {}, META + "needs: ['../evil']\nauthor: me\n")
    assert places(tmp_path) == [("pack.yaml", 5, "needs[0]"), ("pack.yaml", 6, "author")]
    write_pack(tmp_path, {}, META + "needs: [core]\n")
    assert places(tmp_path) == [("pack.yaml", 5, "needs")]
    write_pack(tmp_path, {}, META.replace("core", '"core\\n"'))
    assert places(tmp_path) == [("pack.yaml", 1, "id")]
    write_pack(tmp_path, {}, "- a\n")
    assert places(tmp_path) == [("pack.yaml", 1, "(whole file)")]
    write_pack(tmp_path, {})
    with pytest.raises(PackError) as raised:
        load_pack(tmp_path, KINDS, game="chess")
    assert str(raised.value.findings[0]).startswith("pack.yaml:4: game: The pack is for kdm")


def test_cross_references_are_checked_with_the_packs_below(tmp_path: Path) -> None:
    def check(library: Library) -> list[tuple[str, str, str, str]]:
        return [
            ("hunt_event", id, "gear", f"There is no gear {event.gear}.")
            for id, event in library.all(Event).items()
            if event.gear and library.find(Gear, event.gear) is None
        ]

    base = write_pack(tmp_path / "base", {"gear.yaml": "hat: {title: Hat}\n"})
    below = [canonical(load_pack(base, KINDS))]
    text = "a:\n  gear: hat\nb:\n\n  gear: boots\n"
    folder = write_pack(tmp_path / "more", {"hunt_event.yaml": text})
    with pytest.raises(PackError) as raised:
        load_pack(folder, KINDS, below=below, check=check)
    assert raised.value.findings == [
        Finding("hunt_event.yaml", 5, "b.gear", "There is no gear boots.")
    ]
    with pytest.raises(PackError) as raised:
        load_pack(folder, KINDS, check=check)
    assert [found.field for found in raised.value.findings] == ["a.gear", "b.gear"]

    bad = [canonical(load_pack(folder, KINDS))]
    with pytest.raises(PackError) as raised:
        load_pack(base, KINDS, below=bad, check=check)
    assert [str(found) for found in raised.value.findings] == [
        "pack.yaml:1: hunt_event.b.gear: There is no gear boots."
    ]


def test_no_kind_may_be_called_pack(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="called pack"):
        load_pack(write_pack(tmp_path, {}), {"pack": Gear})
