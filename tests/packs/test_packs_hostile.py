"""A hostile pack runs nothing, reads nothing outside itself, and costs little to refuse."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from packs_kinds import KINDS, findings, places, write_pack

from kdmlog.core.errors import ContentError
from kdmlog.packs import files
from kdmlog.packs.installed import fingerprint
from kdmlog.packs.load import load_pack

CLOTH = "cloth: {title: Cloth}\n"


def test_links_are_refused_wherever_they_lead(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "gear.yaml").write_text(CLOTH)
    folder = write_pack(tmp_path / "pack", {"gear.yaml": CLOTH, "gear/real.yaml": ""})
    (folder / "hunt_event.yaml").symlink_to("/etc/passwd")
    (folder / "gear" / "in.yaml").symlink_to("real.yaml")
    (folder / "gear" / "dangling.yaml").symlink_to("nowhere")
    (folder / "hunt_event").symlink_to(outside)
    (folder / "notes.txt").symlink_to("README")
    assert places(folder) == [
        ("gear/dangling.yaml", 1, "(whole file)"),
        ("gear/in.yaml", 1, "(whole file)"),
        ("hunt_event", 1, "(whole file)"),
        ("hunt_event.yaml", 1, "(whole file)"),
        ("notes.txt", 1, "(whole file)"),
    ]
    assert all("Links are refused" in found.message for found in findings(folder))


def test_a_pack_yaml_that_is_a_link_is_refused(tmp_path: Path) -> None:
    folder = write_pack(tmp_path / "pack", {})
    (folder / "pack.yaml").rename(tmp_path / "real.yaml")
    (folder / "pack.yaml").symlink_to(tmp_path / "real.yaml")
    assert all("Links are refused" in found.message for found in findings(folder))


@pytest.mark.parametrize(
    "name", ["../secret.yaml", "gear/../../secret.yaml", "/etc/passwd", "C:\\x", "", "a\0b"]
)
def test_no_path_leads_out_of_the_pack(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.yaml").write_text("a: 1\n")
    folder = write_pack(tmp_path / "pack", {})
    with pytest.raises(ContentError, match="out of the pack"):
        files.read(folder, name)


def test_reading_through_a_link_is_refused_even_when_asked_directly(tmp_path: Path) -> None:
    folder = write_pack(tmp_path / "pack", {})
    (folder / "gear").symlink_to(tmp_path)
    (tmp_path / "x.yaml").write_text("a: 1\n")
    with pytest.raises(ContentError, match="Links are refused"):
        files.read(folder, "gear/x.yaml")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_refused_and_never_waited_for(tmp_path: Path) -> None:
    folder = write_pack(tmp_path, {})
    os.mkfifo(folder / "gear.yaml")
    (found,) = findings(folder)
    assert (found.file, found.message) == ("gear.yaml", "This is not an ordinary file.")


@pytest.mark.parametrize(
    "text",
    [
        "cloth: !!python/object/apply:os.system ['touch owned']\n",
        "cloth:\n  title: !!python/object:kdmlog.core.errors.KdmlogError {}\n",
        "cloth: !!python/name:os.system ''\n",
        "cloth: !!binary aGk=\n",
    ],
)
def test_tags_run_nothing(tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = findings(write_pack(tmp_path / "pack", {"gear.yaml": text}))
    assert any("Tags (" in finding.message for finding in found)
    assert not (tmp_path / "owned").exists()


def test_a_billion_laughs_are_not_laughed(tmp_path: Path) -> None:
    rows = ["a0: &a0 [lol, lol, lol]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 40)]
    folder = write_pack(tmp_path, {"gear.yaml": "\n".join(rows)})
    begin = time.perf_counter()
    found = findings(folder)
    assert time.perf_counter() - begin < 2
    assert [(f.file, f.line, f.field) for f in found[:2]] == [
        ("gear.yaml", 1, "a0"),
        ("gear.yaml", 2, "a1"),
    ]
    assert "Aliases (*a38)" in found[-1].message


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("a: " + "[" * 500_000, "deeper than 40"),
        ("".join(f"{' ' * n}a:\n" for n in range(1000)), "deeper than 40"),
        ("a: [" + "1," * 250_000 + "]", "more than 200000 values"),
        ("a: " + "x" * 2 * 1024 * 1024, "larger than 1 MiB"),
        (b"a: \xc3\x28\n", "not UTF-8"),
        ("a: \x1b[31m\n", "Control characters"),
        ("? " * 5000, "key must be"),
        ("- " * 5000, "deeper than 40"),
        ("a: 'never closed\n" + "x\n" * 10_000, "not YAML"),
    ],
)
def test_sizes_are_limited_before_they_cost(
    tmp_path: Path, content: str | bytes, words: str
) -> None:
    folder = write_pack(tmp_path, {"gear.yaml": content})
    begin = time.perf_counter()
    (found,) = findings(folder)
    assert time.perf_counter() - begin < 3
    assert found.file == "gear.yaml"
    assert words in found.message


def test_number_and_size_of_files_are_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_pack(tmp_path, {f"gear/g{n}.yaml": f"g{n}: {{title: x}}" for n in range(20)})
    assert len(load_pack(folder, KINDS).records["gear"]) == 20
    monkeypatch.setattr(files, "MAX_FILES", 20)
    assert "more than 20 files" in findings(folder)[0].message
    with pytest.raises(ContentError, match="more than 20 files"):
        fingerprint(folder)
    monkeypatch.undo()
    monkeypatch.setattr(files, "MAX_PACK_BYTES", 100)
    assert "larger than" in findings(folder)[0].message


def test_what_findings_say_is_safe_to_print(tmp_path: Path) -> None:
    name = "gear/\x1b[2J\n.yaml"
    text = '"\\e[31mred\\u202e": {title: x}\n' + "y" * 1000 + ": {title: x}\n"
    folder = write_pack(tmp_path, {name: "", "gear.yaml": text})
    found = findings(folder)
    assert {finding.file for finding in found} == {"gear.yaml", "gear/\\x1b[2J\\n.yaml"}
    for finding in found:
        assert str(finding).isprintable()
        assert len(str(finding)) < 1500
