"""Campaigns go from machine to machine as files; what was brought in, and what not, is said."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from cli_helpers import copied, founded, head, kdmlog, look, mark, moves, well
from json_schema import faults


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("archive")
    db = founded(folder / "edge.db", "-p", "Ann")
    well(db, "export", str(folder / "edge.jsonl"))
    return folder


@pytest.fixture
def here(made: Path, tmp_path: Path) -> Path:
    """A copy of the ledger that was exported, and the folder's working directory."""
    copied(made / "edge.jsonl", tmp_path / "edge.jsonl")
    return copied(made / "edge.db", tmp_path / "here.db")


def archive(db: Path) -> str:
    return str(db.with_name("edge.jsonl"))


def test_an_export_says_what_it_holds_and_is_read_by_import(made: Path, tmp_path: Path) -> None:
    db, file, copy = made / "edge.db", str(tmp_path / "new.jsonl"), tmp_path / "copy.db"
    assert well(db, "export", file) == f"Edge: 5 moves in {file}.\n"
    assert well(copy, "import", file) == "Edge: 5 moves and 1 step of its branches added.\n"
    assert (head(copy), mark(copy)) == (head(db), mark(db))
    assert well(copy, "log") == well(db, "log")
    assert well(copy, "oplog") == well(db, "oplog")
    assert well(copy, "verify") == ""


def test_json_says_the_same(made: Path, tmp_path: Path) -> None:
    db, file, copy = made / "edge.db", str(tmp_path / "new.jsonl"), tmp_path / "copy.db"
    written = json.loads(well(db, "--json", "export", file))
    assert (written["file"], written["campaign"], written["moves"]) == (file, "edge", 5)
    assert json.loads(Path(file).read_text().splitlines()[-1])["blake2b"] == written["blake2b"]
    read = json.loads(well(copy, "--json", "import", file))
    assert (read["new"], read["moves"], read["in_use"]) == (True, 5, "edge")
    assert read["branches"] == [
        {"branch": "main", "relation": "equal", "shared": 5, "here": 5, "there": 5}
    ]
    assert faults(written, "cli.export") == faults(read, "cli.import") == []


def test_a_file_that_is_there_is_not_lost(here: Path) -> None:
    file = archive(here)
    before = Path(file).read_bytes()
    said = kdmlog(here, "export", file)
    assert (said.code, said.out) == (1, "")
    assert said.err == f"{file} is there already.  Then: --overwrite replaces it\n"
    assert Path(file).read_bytes() == before
    well(here, "note", "more")
    well(here, "export", file, "--overwrite")
    assert len(Path(file).read_bytes()) > len(before)


def test_without_names(here: Path) -> None:
    file, copy = here.with_name("report.jsonl"), here.with_name("copy.db")
    said = well(here, "export", str(file), "--anonymise")
    assert "Names, notes and your words are others there" in said
    text = file.read_text(encoding="utf-8")
    assert not any(name in text for name in ("Edge", "Allister", "Lucy", '"lucy', "Ann"))
    well(copy, "import", str(file))
    assert well(copy, "verify") == ""
    names = [one["name"] for one in look(copy, "survivors").values()]
    assert names == [f"Survivor {n}" for n in range(1, 5)]


def test_a_folder_that_is_not_there(here: Path) -> None:
    said = kdmlog(here, "export", str(here / "none" / "x.jsonl"))
    assert (said.code, said.err.count("\n")) == (1, 1)
    assert "cannot be written" in said.err


@pytest.mark.parametrize("option", [("--upto", "3"), ("--at", "3"), ("--upto", "@{2}")])
def test_what_led_up_to_a_move_is_a_campaign_too(here: Path, option: tuple[str, ...]) -> None:
    part, copy = str(here.with_name("part.jsonl")), here.with_name("copy.db")
    well(here, "export", part, *option)
    well(copy, "import", part)
    assert json.loads(well(copy, "--json", "status"))["move"] == 3
    assert well(copy, "verify") == ""
    assert well(copy, "import", archive(here)) == "Edge: 2 moves added.\n"
    assert (head(copy), mark(copy)) == (head(here), mark(here))


def test_twice_adds_nothing(here: Path) -> None:
    before = here.read_bytes()
    file = archive(here)
    said = f"Edge: nothing to add; {file} holds nothing that is not here.\n"
    assert well(here, "import", file) == said
    assert here.read_bytes() == before


def test_an_older_export_adds_nothing_and_says_so(here: Path) -> None:
    well(here, "note", "more")
    kept = head(here)
    assert "main is 1 move ahead here." in well(here, "import", archive(here))
    assert head(here) == kept


def test_what_was_undone_stays_undone(here: Path) -> None:
    well(here, "undo", "2")
    kept = head(here)
    said = well(here, "import", archive(here))
    assert "nothing to add" in said
    assert "main stands at move 3 here, at 5 in" in said and "stays so" in said
    assert head(here) == kept


def test_where_both_went_on_the_import_is_refused_and_offers_a_branch(here: Path) -> None:
    there, file = copied(here, here.with_name("there.db")), str(here.with_name("there.jsonl"))
    well(here, "note", "ours")
    well(there, "note", "theirs")
    well(there, "export", file)
    before, count = head(here), moves(here)
    said = kdmlog(here, "import", file)
    assert (said.code, said.out, said.err.count("\n")) == (1, "", 1)
    assert "parted on main after move 5: here came move 6 (h:" in said.err
    assert f"import {file} --as NAME" in said.err
    assert (head(here), moves(here)) == (before, count)
    assert json.loads(kdmlog(here, "--json", "import", file).err)["error"]["code"] == "diverged"
    for _ in range(2):
        well(here, "import", file, "--as", "theirs")
        assert moves(here) == count + 1
    assert head(here) == before
    well(here, "switch", "theirs")
    assert head(here) == head(there)
    assert well(here, "verify") == ""


def test_a_name_of_two_words_is_no_branch(here: Path) -> None:
    said = kdmlog(here, "import", archive(here), "--as", "two words")
    assert (said.code, "one word" in said.err) == (1, True)


def test_the_campaign_in_use_stays_so(here: Path, tmp_path: Path) -> None:
    db = tmp_path / "mine.db"
    well(db, "new", "Mine")
    said = well(db, "import", archive(here))
    assert "mine stays in use.  Next: kdmlog use edge" in said
    assert well(db, "campaigns").splitlines()[0].startswith("* mine")


def test_pipes_read_and_write(here: Path, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "kdmlog", "--db"]
    written = subprocess.run([*words, str(here), "export", "-"], capture_output=True, check=True)
    assert written.stdout == Path(archive(here)).read_bytes()
    copy = tmp_path / "copy.db"
    done = subprocess.run(
        [*words, str(copy), "import", "-"], input=written.stdout, capture_output=True, check=True
    )
    assert done.stdout == b"Edge: 5 moves and 1 step of its branches added.\n"
    assert head(copy) == head(here)


def test_a_file_that_is_none(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for file in (str(here), str(here.parent), str(here.with_name("none.jsonl"))):
        said = kdmlog(here, "import", file)
        assert (said.code, said.out, said.err.count("\n")) == (1, "", 1)
        assert file in said.err
    new = here.with_name("new.db")
    assert kdmlog(new, "import", str(here)).code == 1
    assert not new.exists(), "nothing to import makes no ledger"
    empty = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdin", empty)
    said = kdmlog(here, "import", "-")
    assert said.err.startswith("standard input, line 1: the archive breaks off here")


def test_reading_and_writing_options_are_kept_apart(here: Path) -> None:
    assert kdmlog(here, "export", "x.jsonl", "--by", "Ann").code == 2
    assert kdmlog(here, "export", "x.jsonl", "--format", "csv").code == 2
    assert kdmlog(here, "import", archive(here), "--at", "3").code == 2
    assert kdmlog(here, "import", archive(here), "--dry-run").code == 2
    assert kdmlog(here, "-c", "edge", "import", archive(here)).code == 2


OTHERS: dict[str, tuple[bytes, str]] = {
    "mark.jsonl": (b"\xef\xbb\xbf{}\n", "byte order mark (BOM) before it.  Then: export it again"),
    "wide.jsonl": ("{}".encode("utf-16"), "UTF-16.  Then: export it again"),
    "packed.gz": (b"\x1f\x8b\x08\0\0", "packed by gzip.  Then: gunzip it"),
    "text.txt": (b"hello\n", "no kdmlog archive.  Then: kdmlog export FILE.jsonl writes one"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_no_archive_is_named_with_what_to_do(tmp_path: Path, name: str) -> None:
    data, words = OTHERS[name]
    file = tmp_path / name
    file.write_bytes(data)
    assert words in kdmlog(tmp_path / "x.db", "import", str(file)).err


def test_a_ledger_is_not_imported_but_exported_first(here: Path) -> None:
    said = kdmlog(here.with_name("x.db"), "import", str(here))
    assert said.code == 1
    assert f"a ledger, no archive.  Then: kdmlog --db {here} export" in said.err


@pytest.mark.parametrize("how", ["cut", "edited", "line ends"])
def test_what_was_changed_on_the_way_is_to_be_exported_again(here: Path, how: str) -> None:
    file = Path(archive(here))
    data = file.read_bytes()
    changed = {
        "cut": data[: len(data) // 2],
        "edited": data.replace(b"Lucy", b"Luke"),
        "line ends": data.replace(b"\n", b"\r\n"),
    }
    file.write_bytes(changed[how])
    said = kdmlog(here.with_name("x.db"), "import", str(file))
    assert said.code == 1 and "Then: export it again where it came from" in said.err


def test_the_campaign_in_use_stays_so_under_its_new_name(here: Path) -> None:
    copy, file = here.with_name("copy.db"), str(here.with_name("renamed.jsonl"))
    well(copy, "import", archive(here))
    well(here, "campaign", "rename", "Brink")
    well(here, "export", file)
    said = well(copy, "import", file)
    assert said.startswith("Brink: ") and "stays in use" not in said
    well(here, "note", "more")
    well(here, "export", file, "--overwrite")
    said = well(copy, "import", file, "--as", "side")
    assert said.startswith("Brink: ") and "stays in use" not in said
