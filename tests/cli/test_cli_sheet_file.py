"""``new --from SHEET.toml``: a file of paper sheets becomes a campaign, or says line and field."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cli_helpers import kdmlog, look, moves, well

from kdmlog.packs.installed import sheet_example

NOTHING = "There is no campaign yet"


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    path = tmp_path / "our-sheets.toml"
    path.write_text(well(tmp_path / "none.db", "content", "sheet"))
    return path


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "kdm.db"


def changed(sheet: Path, *changes: tuple[str, str]) -> Path:
    text = sheet.read_text()
    for before, after in changes:
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    sheet.write_text(text)
    return sheet


def refused(db: Path, sheet: Path, *words: str) -> str:
    """Returns what a command says that must fail and leave nothing behind."""
    before = sorted(db.parent.iterdir())
    code, out, err = kdmlog(db, "new", "Rest", "--from", str(sheet), *words)
    assert (code, out) == (1, "")
    assert sorted(db.parent.iterdir()) == before
    return err


def test_the_example_is_printed_as_it_ships(sheet: Path, tmp_path: Path) -> None:
    shipped = sheet_example("kdm")
    assert shipped is not None
    text = shipped.read_text()
    assert sheet.read_text() == text
    printed = json.loads(well(tmp_path / "none.db", "--json", "content", "sheet"))
    assert printed == {"game": "kdm", "sheet": text}
    assert not (tmp_path / "none.db").exists()


def test_the_example_becomes_a_campaign(sheet: Path, db: Path) -> None:
    assert well(db, "new", "Rest", "--from", str(sheet), "-p", "Ann").splitlines() == [
        "Rest  ·  Kingdom Death: Monster  ·  dice and cards: kdmlog's",
        "      Rest begins, with Ann; taken over from paper: "
        "Lantern's Rest, lantern year 2, 4 survivors",
        "      Lantern's Rest, lantern year 2: population 11, deaths 2, endeavors 2  ·  "
        "storage: 5 resources, 4 gear",
        "      Allister      survival 2/3  insanity 3  body A1 L□ H□  legs A1 L□ H□",
        "      Erza          survival 1/3  waist A1 L□ H□  skips next hunt",
        "      Ada           survival 1/3",
        "Next: settlement build organ_grinder",
    ]
    assert well(db, "verify") == ""
    assert moves(db) == 1
    assert look(db, "survivors.allister.weapon") == {"type": "sword", "level": 1}
    assert look(db, "settlement.storage.gear") == {"bone_blade": 1, "bandages": 1, "cloth": 2}
    assert look(db, "deaths") == [
        {"survivor": "zachary", "name": "Zachary", "cause": "the Butcher"}
    ]
    code, _, err = kdmlog(db, "undo")
    assert code == 1 and err


def test_play_goes_on(sheet: Path, db: Path) -> None:
    well(db, "new", "Rest", "--from", str(sheet))
    well(db, "gear", "put", "ada", "cloth", "5")
    well(db, "settlement", "build", "organ_grinder")
    for name in ("Bo", "Cy"):
        well(db, "survivor", "new", name, "m")
    well(db, "depart", "allister", "ada", "bo", "cy", "--hunt", "white_lion")
    assert look(db, "phase") == {"name": "hunt", "step": "departed"}
    assert look(db, "survivors.ada.grid") == {"5": "cloth"}
    assert well(db, "verify") == ""


def test_json_tells_every_fact(sheet: Path, db: Path) -> None:
    written = json.loads(well(db, "--json", "new", "Rest", "--from", str(sheet)))
    assert (written["move"], written["open"]) == (1, None)
    kinds = [event["kind"] for event in written["events"]]
    assert kinds[:3] == ["core.campaign_begun", "core.packs_changed", "kdm.sheets_taken_over"]
    assert kinds[-1] == "kdm.phase_changed"


def test_a_limit_that_is_not_what_it_should_be_is_noted(sheet: Path, db: Path) -> None:
    changed(sheet, ("survival_limit = 3 ", "survival_limit = 4 "))
    out = well(db, "new", "Rest", "--from", str(sheet))
    assert "note: The sheet's survival limit is 4; 1 and what innovations and " in out
    assert look(db, "settlement.survival_limit") == 4


def line(sheet: Path, begins: str) -> int:
    rows = sheet.read_text().splitlines()
    return next(n for n, row in enumerate(rows, 1) if row.startswith(begins))


@pytest.mark.parametrize(
    ("change", "row", "said"),
    [
        (
            ('"Hovel"', '"Hovl"'),
            "innovations",
            "settlement.innovations[1]: There is no innovation 'Hovl'. Did you mean hovel?",
        ),
        (
            ("courage = 3 ", "courage = 12 "),
            "courage",
            "survivors[0].courage: Expected `int` <= 9.",
        ),
        (("hunt_xp = 2\nweapon", "hunt_x = 2\nweapon"), "hunt_x ", "survivors[0].hunt_x: There is"),
        (
            ('b2 = "Bone Axe"', 'b2 = "Bone Ax"'),
            "grid = { a1",
            "survivors[1].grid.b2: There is no gear 'Bone Ax'. Did you mean bone_axe or ",
        ),
        (
            ("population = 11 ", "population = 2 "),
            "population",
            "settlement.population: 3 survivors live; the population cannot be 2. It counts",
        ),
        (
            ('8 = ["Butcher:2"]', '8 = ["Butcher:2", "Bucher"]'),
            "8 = ",
            "settlement.timeline.8[1]: There is no story event or monster 'Bucher'. Did you",
        ),
        (
            ("survival = 2\n", "survival = 4\n"),
            "survival = 4",
            "survivors[0].survival: Survival 4 is over the survival limit, 3.",
        ),
        (('# player = "Ann"', 'player = "Ann"'), "player", "survivors[0].player: The campaign has"),
        (('name = "Ada"\n', ""), "parents", "parents"),
        (
            ('step = "develop"', 'step = "ended"'),
            "endeavors",
            "settlement.endeavors: None are left",
        ),
        (("\nstep =", "\nstep"), "step", "This is not TOML: Expected '=' after a key"),
        (
            ("endeavors = 2", "death_count = 2"),
            "death_count = 2  ",
            "settlement.death_count: This stands here twice, first on line 16.",
        ),
    ],
)
def test_what_is_wrong_is_said_with_line_and_field(
    change: tuple[str, str], row: str, said: str, sheet: Path, db: Path
) -> None:
    changed(sheet, change)
    if said == "parents":  # a missing field is missed where its table begins
        rows = sheet.read_text().splitlines()
        number, said = rows.index('sex = "f"', rows.index('name = "Erza"') + 3), "survivors[2].name"
    else:
        number = line(sheet, row)
    err = refused(db, sheet)
    assert err.startswith(f"our-sheets.toml, line {number}: {said}")
    assert err.count("\n") == 1 and "more)" not in err


def test_of_several_findings_the_first_in_the_file_is_said_and_all_are_in_json(
    sheet: Path, db: Path
) -> None:
    changed(
        sheet,
        ('"Leader"', '"Leder"'),
        ('principles = ["Graves"]', 'principles = ["Grave"]'),
        ('cause = "the Butcher"', 'cause = "the Butcher"\ngrid = {1 = "cloth"}'),
    )
    place = line(sheet, "principles")
    assert refused(db, sheet) == (
        f"our-sheets.toml, line {place}: settlement.principles[0]: There is no principle 'Grave'. "
        "Did you mean graves? (and 2 more)  Then: --json lists them all\n"
    )
    code, out, err = kdmlog(db, "--json", "new", "Rest", "--from", str(sheet))
    assert (code, out) == (1, "")
    findings = json.loads(err)["error"]["data"]["findings"]
    assert [one["field"] for one in findings] == [
        "settlement.principles[0]",
        "survivors[0].fighting_arts[0]",
        "survivors[3].grid",
    ]
    assert {one["file"] for one in findings} == {"our-sheets.toml"}
    assert sorted(one["line"] for one in findings) == [one["line"] for one in findings]


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "line 1: settlement: The field settlement is missing."),
        (b"\n\xff\xfe", "line 2: The file is not UTF-8. Save it as UTF-8."),
        (b"\x00", "line 1: This is not TOML: "),
        (b"\n\na = " + b"[" * 99_999, "line 3: The nesting is deeper than 20 levels."),
        (b"\n" + b"a." * 99_999, "line 2: The nesting is deeper than 20 levels."),
        (b"a=[" + b"1," * 20_000, "line 1: The file holds more than 10000 values."),
        (b"settlement = 1\nsurvivors=[[[[1]]]]", "line 1: settlement: Expected `m"),
        ("\u202ea = 1".encode(), "line 1: This is not TOML: "),
        (b"'\\u001b[31m' = 1\n'x\\u202e' = 2", "line 1: "),
        (b'"\\u001b[31m\\u202e" = 1', "line 1: \\x1b[31m\\u202e: There is no field \\x1b["),
    ],
)
def test_hostile_files(raw: bytes, said: str, tmp_path: Path, db: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(raw)
    err = refused(db, path)
    assert err.startswith(f"bad.toml, {said}")
    assert err[:-1].isprintable() and len(err) < 1000


def test_files_that_are_none(tmp_path: Path, db: Path) -> None:
    assert refused(db, tmp_path / "none.toml").endswith(
        "cannot be read: No such file or directory.\n"
    )
    assert refused(db, tmp_path).endswith("cannot be read: Is a directory.\n")
    large = tmp_path / "large.toml"
    with large.open("wb") as opened:
        opened.truncate(1 << 30)
    assert refused(db, large) == f"{large} is larger than 256 KiB.\n"


def test_a_ledger_that_is_there_gets_no_campaign(sheet: Path, db: Path) -> None:
    well(db, "new", "First")
    changed(sheet, ('"Hovel"', '"Hovl"'))
    code, out, _ = kdmlog(db, "new", "Rest", "--from", str(sheet))
    assert (code, out) == (1, "")
    assert re.findall(r"^\W*(\w+)", well(db, "campaigns"), re.MULTILINE) == ["first"]
    assert moves(db) == 1
    assert well(db, "verify") == ""


def test_a_name_that_is_taken(sheet: Path, db: Path) -> None:
    well(db, "new", "Rest", "--from", str(sheet))
    code, out, err = kdmlog(db, "new", "rest", "--from", str(sheet))
    assert (code, out) == (1, "") and "already" in err
    assert moves(db) == 1


def test_the_landmarks_of_the_years_taken_over(sheet: Path, db: Path) -> None:
    well(db, "new", "Rest", "--from", str(sheet))
    assert json.loads(well(db, "state", "--at", "ly:2", "settlement.lantern_year")) == 2
    code, _, err = kdmlog(db, "state", "--at", "ly:3")
    assert code == 1 and "ly:1 to ly:2" in err


def test_a_location_of_which_the_packs_have_the_gear_alone_is_taken_over(
    sheet: Path, db: Path
) -> None:
    """Who has built the Leather Worker crafts there; what else it offers is on the card."""
    changed(sheet, ('"Skinnery"', '"Skinnery", "Leather Worker"'))
    well(db, "new", "Rest", "--from", str(sheet))
    assert "leather_worker" in look(db, "settlement.locations")
    assert "Leather Worker" in well(db, "settlement", "show")
    well(db, "do")
