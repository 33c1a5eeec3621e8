"""A hostile pack harms nothing: it is refused with file and line, and none of it is ever run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from .commands import command
from .programs import python

META = "id: hostile\ntitle: Hostile\nversion: 1\ngame: kdm\nneeds: [core]\n"
RESOURCE = "x:\n  name: {}\n  deck: strange\n  types: [bone]\n  copies: 1\n"
EVENT = "x:\n  name: X\n  steps:\n  - {}\n"
ROWS = "{{roll: {}, rows: {{'1-5': {}, '6+': {}}}}}"
Files = dict[str, str | bytes]

REFUSED: dict[str, tuple[Files, str]] = {
    # figures, dice and loops
    "dice in billions": (
        {"story_event.yaml": EVENT.format("table: " + ROWS.format("999999999d10", "[]", "[]"))},
        "no dice notation",
    ),
    "dice that are code": (
        {
            "story_event.yaml": EVENT.format(
                "table: " + ROWS.format("\"__import__('os').system('touch owned')\"", "[]", "[]")
            )
        },
        "no dice notation",
    ),
    "dice below none": (
        {"story_event.yaml": EVENT.format("table: " + ROWS.format("-1d10", "[]", "[]"))},
        "no dice notation",
    ),
    "dice without sides": (
        {"story_event.yaml": EVENT.format("split: {who: all, roll: 1dd10, into: {a: 1+}}")},
        "no dice notation",
    ),
    "rows in a circle": (
        {
            "story_event.yaml": EVENT.format(
                "table: " + ROWS.format("1d10", "[{row: 7}]", "[{row: 2}]")
            )
        },
        "rows lead to each other in a circle: 1-5 to 6+ to 1-5",
    ),
    "a row that leads to itself, hidden in a choice": (
        {
            "story_event.yaml": EVENT.format(
                "table: "
                + ROWS.format(
                    "1d10",
                    "[{if: {is: {sex: m}, then: [{pay: {survival: 1, else: [{row: 1}]}}]}}]",
                    "[]",
                )
            )
        },
        "circle: 1-5 to 1-5",
    ),
    "a row that is nowhere": (
        {"story_event.yaml": EVENT.format("table: " + ROWS.format("1d10", "[{row: boo}]", "[]"))},
        "there is no row boo",
    ),
    "a table that always rolls again": (
        {
            "story_event.yaml": EVENT.format(
                "table: " + ROWS.format("1d10", "[{again: {}}]", "[{again: {add: 1}}]")
            )
        },
        "it never ends",
    ),
    "a card a billion times": (
        {"resource.yaml": RESOURCE.format("X").replace("copies: 1", "copies: 1000000000")},
        "Figures go to 9999",
    ),
    "a hundred copies": (
        {"resource.yaml": RESOURCE.format("X").replace("copies: 1", "copies: 100")},
        "figures go to 99",
    ),
    "copies below none": (
        {"resource.yaml": RESOURCE.format("X").replace("copies: 1", "copies: -1")},
        "a count is not below zero",
    ),
    "a figure of 5000 digits": (
        {"resource.yaml": RESOURCE.format("X").replace("copies: 1", f"copies: {'9' * 5000}")},
        "The number is too large",
    ),
    "no number at all": (
        {"resource.yaml": RESOURCE.format("X").replace("copies: 1", "copies: .nan")},
        "not-a-number",
    ),
    "draws without end": (
        {"story_event.yaml": EVENT.format("gain_resource: {deck: basic, count: 1000}")},
        "figures go to 99",
    ),
    "births without end": (
        {"story_event.yaml": EVENT.format("birth: {count: 100000000}")},
        "Figures go to 9999",
    ),
    "an attack without end": (
        {
            "ai_card.yaml": "x:\n  name: X\n  monster: white_lion\n  level: B\n  steps:\n"
            "  - attack: {speed: 1000, accuracy: 2, damage: 1}\n"
        },
        "figures go to 99",
    ),
    # circles among records
    "an event that sets off itself": (
        {"story_event.yaml": EVENT.format("trigger: x")},
        "story_event:x to story_event:x",
    ),
    "events that set off each other": (
        {
            "story_event.yaml": EVENT.format("trigger: y")
            + EVENT.format("each: {who: all, steps: [{trigger: x}]}").replace("x:", "y:", 1)
        },
        "story_event:x to story_event:y to story_event:x",
    ),
    "a resource that gives itself": (
        {"resource.yaml": RESOURCE.format("X") + "  gained: [{gain_resource: {id: x}}]\n"},
        "resource:x to resource:x",
    ),
    "an injury that is suffered by suffering it": (
        {"injury.yaml": EVENT.format("suffer: {injury: x}") + "  location: head\n"},
        "injury:x to injury:x",
    ),
    "abilities that give each other": (
        {
            "ability.yaml": "x:\n  name: X\n  on: {gained: [{ability: {gain: y}}]}\n"
            "y:\n  name: Y\n  on: {gained: [{impairment: {gain: x}}]}\n"
        },
        "ability:x to ability:y to ability:x",
    ),
    "a basic action that is itself": (
        {
            "monster.yaml": "m:\n  name: M\n  instinct: x\n  basic_action: x\n"
            "  levels: {first_story: {movement: 1, toughness: 1}}\n",
            "ai_card.yaml": "x:\n  name: X\n  monster: m\n  level: basic_action\n"
            "  steps: [{basic_action: {}}]\n",
        },
        "ai_card:x to ai_card:x",
    ),
    "innovations that follow from each other": (
        {
            "innovation.yaml": "x:\n  name: X\n  type: art\n  consequence_of: y\n"
            "y:\n  name: Y\n  type: art\n  consequence_of: x\n"
        },
        "innovation:x to innovation:y to innovation:x",
    ),
    "locations built at each other": (
        {"location.yaml": "x:\n  name: X\n  built_at: y\ny:\n  name: Y\n  built_at: x\n"},
        "location:x to location:y to location:x",
    ),
    "a pack that needs itself": ({"pack.yaml": META.replace("core", "hostile")}, "needs itself"),
    # names and text
    "escape codes": ({"resource.yaml": RESOURCE.format('"\\e[31mX\\a"')}, "Control characters"),
    "an escape code as it is": ({"resource.yaml": RESOURCE.format("\x1b[2J")}, "Control"),
    "text that runs backwards": ({"resource.yaml": RESOURCE.format('"a\\u202Eb"')}, "U+202E"),
    "an invisible letter": ({"resource.yaml": RESOURCE.format('"Bo\\u200Bne"')}, "U+200B"),
    "a name of two lines": ({"resource.yaml": RESOURCE.format('"Bone\\nSkull"')}, "is one line"),
    "a line separator in a note": (
        {"resource.yaml": RESOURCE.format("X") + '  note: "a\\u2028b"\n'},
        "U+2028",
    ),
    "half a character": ({"resource.yaml": RESOURCE.format('"a\\ud800"')}, "not YAML"),
    "a look-alike letter": (
        {"resource.yaml": RESOURCE.format("\N{CYRILLIC CAPITAL LETTER ES}law")},
        "Letters of several alphabets in one word: Cyrillic and Latin",
    ),
    "a look-alike id": (
        {"resource.yaml": RESOURCE.format("X").replace("x:", "b\N{CYRILLIC SMALL LETTER O}ne:")},
        "snake_case",
    ),
    "a formula": (
        {"resource.yaml": RESOURCE.format("\"=cmd|'/C calc'!A0\"")},
        "a formula",
    ),
    "a name without end": ({"resource.yaml": RESOURCE.format("x" * 900_000)}, "at most 80"),
    "a note without end": (
        {"resource.yaml": RESOURCE.format("X") + f"  note: {'x' * 900_000}\n"},
        "at most 4000",
    ),
    # what looks like Python's own
    "an id like Python's own": (
        {"resource.yaml": RESOURCE.format("X").replace("x:", "__class__:")},
        "snake_case",
    ),
    "a field like Python's own": (
        {"resource.yaml": RESOURCE.format("X") + "  __class__: X\n"},
        "no field __class__",
    ),
    "a verb like Python's own": (
        {"story_event.yaml": EVENT.format("__init__: {}")},
        "no field __init__",
    ),
    "a pack like Python's own": ({"pack.yaml": META + "__reduce__: x\n"}, "no field __reduce__"),
    # YAML's own ways
    "a tag": (
        {"resource.yaml": "x: !!python/object/apply:os.system ['touch owned']\n"},
        "Tags (",
    ),
    "an anchor": ({"resource.yaml": "x: &a [*a]\n"}, "Anchors (&a)"),
    "a merge key": ({"resource.yaml": RESOURCE.format("X") + "  <<: {copies: 2}\n"}, "Merge keys"),
    "a key twice": ({"resource.yaml": RESOURCE.format("X") + "  copies: 2\n"}, "twice"),
    "two documents": ({"resource.yaml": "---\na: 1\n---\nb: 2\n"}, "A file is one document"),
    "nesting": ({"resource.yaml": "a: " + "[" * 200_000}, "deeper than 40"),
    "a deep condition": (
        {"story_event.yaml": EVENT.format(f"if: {{is: {'{not: ' * 38}{{sex: m}}{'}' * 38}}}")},
        "deeper than 40",
    ),
    "too many values": ({"resource.yaml": "a: [" + "1," * 250_000 + "]"}, "more than 200000"),
    "too large a file": ({"resource.yaml": "# " + "x" * 1_100_000}, "larger than 1 MiB"),
    "no text": ({"resource.yaml": b"a: \xc3\x28\n"}, "not UTF-8"),
    # ways out
    "an id that is a path": ({"pack.yaml": META.replace("hostile", "../../x", 1)}, "pack.yaml:1"),
    "a need that is a path": ({"pack.yaml": META.replace("[core]", "[../../etc]")}, "pack.yaml:5"),
    "a need that is absolute": ({"pack.yaml": META.replace("[core]", "[/etc]")}, "pack.yaml:5"),
    "needs without end": (
        {"pack.yaml": META.replace("[core]", f"[{', '.join(f'p{n}' for n in range(20_000))}]")},
        "which is not there",
    ),
    "another game's": ({"pack.yaml": META.replace("game: kdm", "game: chess")}, "not for kdm"),
    "a version without end": ({"pack.yaml": META.replace("version: 1", "version: 1e400")}, "3:"),
}


def pack(folder: Path, files: Files) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in {"pack.yaml": META, **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def check(folder: Path) -> tuple[int, str, str]:
    """Checks a pack; whatever it finds is safe to print, in a line each, and soon said."""
    began = time.perf_counter()
    code, out, err = command(folder.parent / "none.db", "content", "check", str(folder))
    assert time.perf_counter() - began < 5
    assert "stumbled" not in err and err.count("\n") <= 1
    assert all(line.isprintable() and len(line) < 2000 for line in (out + err).splitlines())
    assert not (folder.parent / "none.db").exists(), "nothing is written"
    return code, out, err


@pytest.mark.parametrize("what", REFUSED)
def test_it_is_refused_with_file_line_and_reason(what: str, tmp_path: Path) -> None:
    files, reason = REFUSED[what]
    folder = pack(tmp_path / "hostile", files)
    before = sorted(tmp_path.rglob("*"))
    code, out, err = check(folder)
    assert code == 1 and reason in out + err, (out, err)
    assert sorted(tmp_path.rglob("*")) == before
    code, out, err = command(tmp_path / "none.db", "--json", "content", "check", str(folder))
    assert code == 1 and json.loads(err)["error"]["code"] == "content"


def test_all_of_them_are_counted(measured: Callable[[str], None]) -> None:
    measured(f"{len(REFUSED)} hostile packs refused with file, line and reason")


@pytest.mark.skipif(os.name != "posix", reason="links and pipes")
@pytest.mark.parametrize(
    ("name", "target", "reason"),
    [
        ("resource.yaml", "/etc/passwd", "Links are refused"),
        ("resource.yaml", "../secret.yaml", "Links are refused"),
        ("resource.yaml", "resource.yaml", "Links are refused"),
        ("resource", "/", "Links are refused"),
        ("resource/x.yaml", "../../secret.yaml", "Links are refused"),
        ("pack.yaml", "../secret.yaml", "Links are refused"),
        ("notes.txt", "/dev/zero", "Links are refused"),
    ],
)
def test_no_way_leads_out(name: str, target: str, reason: str, tmp_path: Path) -> None:
    secret = "x:\n  name: Hidden Treasure\n  deck: strange\n  types: [bone]\n  copies: 1\n"
    (tmp_path / "secret.yaml").write_text(secret)
    folder = pack(tmp_path / "hostile", {})
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(target)
    code, out, err = check(folder)
    assert code == 1 and reason in out
    assert "Hidden Treasure" not in out + err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
@pytest.mark.parametrize("name", ["resource.yaml", "pack.yaml"])
def test_a_pipe_is_not_waited_for(name: str, tmp_path: Path) -> None:
    folder = pack(tmp_path / "hostile", {})
    (folder / name).unlink(missing_ok=True)
    os.mkfifo(folder / name)
    code, out, _ = check(folder)
    assert code == 1 and "not an ordinary file" in out


@pytest.mark.parametrize("name", ["resource.yaml", "readme.bin", "resource/a.yaml"])
def test_ten_gigabytes_are_not_read(name: str, tmp_path: Path) -> None:
    folder = pack(tmp_path / "hostile", {name: ""})
    with (folder / name).open("r+b") as file:
        file.truncate(10 << 30)  # a hole: it takes no room here
    code, out, _ = check(folder)
    assert code == 1 and "larger than 32 MiB" in out


@pytest.mark.parametrize("place", ["", "resource/"])
def test_a_crowd_of_files_is_not_read(
    place: str, tmp_path: Path, runs: Callable[[int, int], int]
) -> None:
    folder = pack(tmp_path / "hostile", {f"{place}x.yaml": ""})
    for number in range(runs(2_500, 50_000)):
        (folder / f"{place}{number}.yaml").touch()
    code, out, _ = check(folder)
    assert code == 1 and "more than 2000 files" in out


def test_folders_without_end_are_not_walked(tmp_path: Path) -> None:
    folder = pack(tmp_path / "hostile", {"resource.yaml": RESOURCE.format("X")})
    deep = folder / "other"
    for _ in range(300):
        deep = deep / "d"
    deep.mkdir(parents=True)
    assert check(folder)[0] == 0


def test_a_pack_cannot_pose_as_ours(tmp_path: Path) -> None:
    """A neighbour called core is not what the built-in packs are built on."""
    core = META.replace("id: hostile", "id: core").replace("needs: [core]\n", "")
    pack(tmp_path / "core", {"pack.yaml": core, "resource.yaml": RESOURCE.format("Trojan")})
    folder = pack(
        tmp_path / "house", {"pack.yaml": META.replace("hostile", "house"), "location.yaml": ""}
    )
    (folder / "location.yaml").write_text("x:\n  name: X\n  built_at: lantern_hoard\n")
    assert check(folder)[:2] == (0, "house: 1 records, all well.\n")


def test_packs_that_need_each_other(tmp_path: Path) -> None:
    for id_, need in (("one", "two"), ("two", "one")):
        meta = META.replace("hostile", id_).replace("[core]", f"[{need}]")
        pack(tmp_path / id_, {"pack.yaml": meta})
    code, _, err = check(tmp_path / "one")
    assert code == 1 and "need each other in a circle" in err


WATCHED = """
import json, os, sys
from pathlib import Path
folder = sys.argv[1]
import kdmlog.cli.main, kdmlog.cli.content, kdmlog.packs.load, kdmlog.packs.yaml_loader
seen = []
def watch(event, arguments):
    text = repr(arguments)
    if event == "open" and isinstance(arguments[0], str):
        writing = arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) if arguments[2] else False
        if writing or (arguments[0].startswith(folder) and not arguments[0].endswith(".yaml")):
            seen.append((event, text))
    elif event in ("exec", "compile", "import") and folder in text:
        seen.append((event, text))
    elif event.partition(".")[0] in ("socket", "subprocess", "ctypes", "pickle", "urllib"):
        seen.append((event, text))
    elif event in ("os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.remove"):
        seen.append((event, text))
    elif event in ("os.rename", "os.mkdir", "os.symlink", "os.chmod", "os.putenv", "os.truncate"):
        seen.append((event, text))
sys.addaudithook(watch)
from promises.commands import command
code, out, err = command(Path(folder) / "none.db", "content", "check", folder)
found = list(seen)
os.system(":")
assert seen[len(found):][0][0] == "os.system", "the watch sleeps"
print(json.dumps(found))
"""
CODE = "import os\nos.system('touch owned')\n"


def test_nothing_of_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, measured: Callable[[str], None]
) -> None:
    """Python's own audit events tell: no code of the pack, no program, no file, no network."""
    name = '"{{7*7}} ${HOME} %s {0.__class__} `touch owned` $(touch owned) <script>"'
    folder = pack(
        tmp_path / "hostile",
        {
            "resource.yaml": RESOURCE.format(name),
            "tags.yaml": "x: !!python/object/apply:os.system ['touch owned']\n",
            "story_event.yaml": EVENT.format("say: \"__import__('os').system('touch owned')\""),
            "__init__.py": CODE,
            "conftest.py": CODE,
            "sitecustomize.py": CODE,
            "setup.py": CODE,
            "resource.py": CODE,
            "yaml.py": CODE,
            "pack.toml": "x = 1\n",
            ".env": "KDMLOG_DEBUG=1\n",
            "data.pickle": b"cos\nsystem\n(S'touch owned'\ntR.",
        },
    )
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    for files in ({}, {"tags.yaml": ""}):
        pack(folder, files)
        done = python(WATCHED, folder)
        assert done.stderr == ""
        assert json.loads(done.stdout) == []
        assert not list(tmp_path.rglob("owned"))
    (folder / "tags.yaml").unlink()
    assert check(folder)[:2] == (0, "hostile: 2 records, all well.\n"), "odd text is only text"
    script = Path(sys.executable).with_name("kdmlog")
    subprocess.run([script, "content", "check", "."], cwd=folder, check=True, capture_output=True)
    assert not list(tmp_path.rglob("owned"))
    measured("0 audit events of code, programs, writing or network")
