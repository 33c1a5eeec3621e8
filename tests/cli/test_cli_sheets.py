"""Sheets are laid out as on paper in 80 plain columns, and say the same as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kdmlog.cli import kdm_settlement, kdm_sheets, kdm_survivors, main, tables
from kdmlog.cli.call import Call
from kdmlog.cli.main import execute
from kdmlog.session import new_campaign

Said = tuple[int, str, str]
Run = Callable[..., Said]

READING = (
    ("survivor", "list"),
    ("survivor", "show", "allister"),
    ("gear", "show", "allister"),
    ("showdown", "show"),
    ("showdown", "decks"),
    ("settlement", "show"),
    ("settlement", "storage"),
    ("settlement", "timeline"),
    ("settlement", "innovations"),
    ("settlement", "locations"),
)


def command(*words: str) -> int:
    call = Call()
    try:
        return execute(list(words), call)
    finally:
        if call.session is not None:
            call.session.close()


@pytest.fixture(scope="module")
def prologue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign in which the First Story has just begun."""
    db = tmp_path_factory.mktemp("prologue") / "kdm.db"
    for words in (
        ("new", "Test", "-p", "Ann", "-p", "Bo", "--seed", "7"),
        ("survivor", "new", "Allister", "m"),
        ("survivor", "new", "Erza", "f"),
        ("survivor", "new", "Lucy", "f"),
        ("survivor", "new", "Zachary", "m"),
        ("showdown", "begin", "white_lion", "--first-story"),
    ):
        assert command(*words, "--db", str(db)) == 0
    return db


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign that has its first lantern year behind it."""
    db = tmp_path_factory.mktemp("played") / "kdm.db"
    assert command("demo", "--seed", "3", "--db", str(db)) == 0
    return db


@pytest.fixture
def run(prologue: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*words: str, db: Path = prologue) -> Said:
        capsys.readouterr()  # what the campaigns' making printed
        code = command(*words, "--db", str(db))
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def text(run: Run, *words: str, **options: Any) -> str:
    code, out, err = run(*words, **options)
    assert (code, err) == (0, "")
    return out


def data(run: Run, *words: str, **options: Any) -> Any:
    return json.loads(text(run, *words, "--json", **options))


@pytest.mark.parametrize("words", READING, ids=" ".join)
@pytest.mark.parametrize("where", ["prologue", "played"])
def test_sheets_fit_80_plain_columns(
    run: Run, words: tuple[str, ...], where: str, request: pytest.FixtureRequest
) -> None:
    out = text(run, *words, db=request.getfixturevalue(where))
    assert out.strip()
    for line in out.splitlines():
        assert len(line) <= 80, line
        assert line == line.rstrip()
    assert "\x1b" not in out


@pytest.mark.parametrize("words", READING[1:6], ids=" ".join)
def test_what_is_looked_at_most_fits_24_lines(run: Run, words: tuple[str, ...]) -> None:
    assert len(text(run, *words).splitlines()) <= 24


def test_a_survivor_s_sheet_stands_as_on_paper(run: Run) -> None:
    assert text(run, "survivor", "show", "Allister").splitlines()[:12] == [
        "Allister  ·  male  ·  Ann",
        "─" * 80,
        "Movement 5  ·  Accuracy 0  ·  Strength 0  ·  Evasion 0  ·  Luck 0  ·  Speed 0",
        "Survival  1/1                 Hunt XP          0  □[□]□□□[□]□□□[□]□□□□[□][□]",
        "Insanity  0        B□         Weapon           0  □□[□]□□□□[□]",
        "Head      A0       H□         Courage          0  □□[□]□□□□□[□]",
        "Arms      A0   L□  H□         Understanding    0  □□[□]□□□□□[□]",
        "Body      A0   L□  H□         Skip next hunt   □",
        "Waist     A1   L□  H□         Resources       -",
        "Legs      A0   L□  H□         Tokens          -",
        "Survival actions  dodge",
        "None              fighting arts, disorders, abilities & impairments, severe",
    ]


def test_a_survivor_s_sheet_ends_with_the_gear_grid(run: Run) -> None:
    out = text(run, "survivor", "show", "Allister")
    assert "│ 1 Cloth                  │ 2 Founding Stone        │ 3" in out


def test_boxes_fill_up_to_their_milestones(run: Run, played: Path) -> None:
    sheet = data(run, "survivor", "show", "allister", db=played)
    row = kdm_survivors._boxes(sheet["hunt_xp"], 16, (2, 6, 10, 15, 16))
    assert row in text(run, "survivor", "show", "allister", db=played)
    assert kdm_survivors._boxes(3, 9, (3, 9)) == "■■[■]□□□□□[□]"


@pytest.mark.parametrize(
    "words, path",
    [
        (("survivor", "list"), "survivors"),
        (("survivor", "show", "er"), "survivors.erza"),
        (("showdown", "show"), "showdown"),
        (("settlement", "show"), "settlement"),
        (("settlement", "storage"), "settlement.storage"),
        (("settlement", "timeline"), "settlement.timeline"),
    ],
    ids=str,
)
def test_json_is_that_part_of_the_public_state(
    run: Run, words: tuple[str, ...], path: str, played: Path, prologue: Path
) -> None:
    for db in (prologue, played):
        whole = data(run, "state", db=db)
        for step in path.split("."):
            whole = whole[step]
        assert data(run, *words, db=db) == whole


def test_the_dead_have_their_sheet_and_stand_below_the_living(run: Run, played: Path) -> None:
    deaths = data(run, "state", "deaths", db=played)
    assert deaths, "the demo's seed has nobody die: choose another"
    out = text(run, "survivor", "list", db=played)
    for death in deaths:
        assert f"{death['name']}" in out.split("Dead")[1]
        sheet = text(run, "survivor", "show", death["name"], db=played)
        assert f"dead: {death['cause']}" in sheet.splitlines()[0]


def test_an_unknown_survivor_gets_the_nearest(run: Run) -> None:
    code, out, err = run("survivor", "show", "alister")
    assert (code, out) == (1, "")
    assert err == "No survivor 'alister'.  Then: allister?\n"


def test_a_name_steers_neither_terminal_nor_markup(run: Run, tmp_path: Path) -> None:
    db = tmp_path / "odd.db"
    assert command("new", "Odd", "--db", str(db)) == 0
    run("survivor", "new", "[red]A\x1b[31m:smile:", "m", db=db)
    for words in (("survivor", "list"), ("survivor", "show", "red")):
        assert "[red]A␛[31m:smile:" in text(run, *words, db=db)


def test_the_past_is_shown_with_at(run: Run) -> None:
    assert "Zachary" not in text(run, "survivor", "list", "--at", "4")
    assert data(run, "showdown", "show", "--at", "5") is None
    assert text(run, "showdown", "show", "--at", "5").startswith("No showdown is under way.")
    assert text(run, "survivor", "list", "--at", "1").startswith("No survivor yet.")


def test_writing_options_are_refused(run: Run) -> None:
    code, _, err = run("survivor", "list", "--dice", "7")
    assert code == 2
    assert "--dice goes with commands that write." in err


def test_another_game_has_no_such_sheets(run: Run, tmp_path: Path) -> None:
    from toy import TOY

    db = tmp_path / "toy.db"
    session, _ = new_campaign(db, "Toy", game=TOY.id)
    session.close()
    code, out, err = run("survivor", "list", db=db)
    assert (code, out) == (1, "")
    assert "it has no such sheet.  Then: kdmlog state" in err


def test_an_empty_campaign_has_its_sheets(run: Run, tmp_path: Path) -> None:
    db = tmp_path / "empty.db"
    assert command("new", "Empty", "--db", str(db)) == 0
    for words, told in (
        (("survivor", "list"), "No survivor yet."),
        (("showdown", "decks"), "No showdown is under way."),
        (("settlement", "show"), "A settlement without a name yet  ·  lantern year 0"),
        (("settlement", "storage"), "Storage is empty."),
        (("settlement", "innovations"), "No innovation yet."),
        (("settlement", "locations"), "No location yet."),
    ):
        assert text(run, *words, db=db).startswith(told)


def test_a_gear_grid_tells_what_its_cards_do(run: Run) -> None:
    out = text(run, "gear", "show", "allister")
    for told in ("armor 1 waist", "2 dice, 7+, strength 1", "melee, stone", "waist 1"):
        assert told in out
    body = data(run, "gear", "show", "allister")
    assert body["grid"] == {"1": "cloth", "2": "founding_stone"}
    assert body["affinities"] == {"red": 0, "green": 0, "blue": 0}


def test_a_showdown_shows_monster_turn_and_survivors(run: Run) -> None:
    out = text(run, "showdown", "show")
    assert out.startswith("White Lion  ·  first story  ·  round 1  ·  the monster's turn\n")
    assert "deck 8, wounds 0, discard: none" in out
    for name in ("Allister", "Erza", "Lucy", "Zachary"):
        assert f"\n{name} " in out


def test_decks_are_counts_without_spoilers(run: Run) -> None:
    out = text(run, "showdown", "decks")
    assert "deck        8 face down\n" in out
    assert "deck        23 face down\n" in out
    assert "Chomp" not in out
    assert data(run, "showdown", "decks").keys() == {"ai", "hit_locations"}


def test_spoilers_show_the_orders(run: Run) -> None:
    body = data(run, "showdown", "decks", "--spoilers")
    assert len(body["orders"]["ai"]["deck"]) == 8
    assert body["orders"]["ai"]["deck"][0] == "claw"
    assert body["orders"]["hit_locations"]["deck"][0] == "strange_hand"
    assert "8 face down, top first: Claw, " in text(run, "showdown", "decks", "--spoilers")


def test_a_settlement_s_sheet(run: Run, played: Path) -> None:
    here = data(run, "settlement", "show", db=played)
    lines = text(run, "settlement", "show", db=played).splitlines()
    assert lines[0] == f"{here['name']}  ·  lantern year {here['lantern_year']}"
    assert lines[2] == (
        f"Population {here['population']}  ·  Death count {here['death_count']}  ·  "
        f"Survival limit {here['survival_limit']}  ·  Endeavors {here['endeavors']}"
    )
    assert any(line.startswith("Locations    Lantern Hoard") for line in lines)
    death = "■" if "first_death" in here["milestones"] else "□"
    assert any(f"{death} First death: Principle: Death" in line for line in lines)


def test_a_timeline_fills_the_years_that_have_come(run: Run, played: Path) -> None:
    out = text(run, "settlement", "timeline", db=played)
    assert "■  1 Returning Survivors, First Day" in out
    assert "□  2" in out
    assert "□  4 nemesis Butcher level 1" in out
    assert "□ 25 nemesis Watcher" in out


def test_innovations_tell_what_they_give(run: Run, played: Path) -> None:
    out = text(run, "settlement", "innovations", db=played)
    body = data(run, "settlement", "innovations", db=played)
    assert "Language" in out
    assert f"Innovation deck ({len(body['innovation_deck'])})" in out
    assert body["innovations"][0] == "language"


def test_locations_tell_what_they_offer_at_which_cost(run: Run, played: Path) -> None:
    body = data(run, "settlement", "locations", db=played)
    lines = text(run, "settlement", "locations", db=played).splitlines()
    assert body["locations"] == list(body["offers"])
    hoard = body["offers"]["lantern_hoard"]
    assert hoard["endeavors"] == {"innovate": "1 endeavor, 1 bone, 1 organ, 1 hide; once a phase"}
    costs = [
        c for offer in body["offers"].values() for part in offer.values() for c in part.values()
    ]
    for cost in costs:
        assert any(line.endswith(cost) for line in lines), cost


def test_before_anything_is_built_it_can_be_built(run: Run, played: Path) -> None:
    moves = data(run, "log", "-n", "500", db=played)
    first = next(
        one["move"] for one in reversed(moves) if one["action"]["action"] == "settlement build"
    )
    body = data(run, "settlement", "locations", "--at", str(first - 1), db=played)
    assert set(body["offers"]["lantern_hoard"]["build"].values()) == {"1 endeavor"}


def test_costs_in_words(run: Run, played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: dict[str, str] = {}

    def look() -> None:
        sheets = kdm_sheets.look()
        for id_, card in sheets.table.content.all(sheets.kinds["gear"]).items():
            told[id_] = kdm_settlement._cost(sheets, card.cost)

    monkeypatch.setattr(kdm_settlement, "locations", look)
    main._built.cache_clear()
    assert run("settlement", "locations", db=played)[0] == 0
    assert told["skull_helm"] == "2 bone or 1 Skull"
    assert told["bone_pickaxe"] == "1 bone, 1 Leather; requires Ammonia"
    assert told["monster_tooth_necklace"] == "1 scrap, 1 bone; requires heat"
    assert told["cloth"] == "free"
    main._built.cache_clear()


def test_storage_counts_resources_and_gear(run: Run, played: Path) -> None:
    held = data(run, "settlement", "storage", db=played)
    lines = text(run, "settlement", "storage", db=played).splitlines()
    assert sum(line.split()[:1] != [] and line.split()[0].isdigit() for line in lines) == len(
        held["resources"]
    ) + len(held["gear"])


def test_colour_is_for_terminals_without_no_color(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = tables.pairs([("Label", "value")])
    tables.draw(drawn)
    assert capsys.readouterr().out == "Label  value\n"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    assert tables.width() == 80
    tables.draw(drawn)
    assert "\x1b[1m" in capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "50")
    assert tables.width() == 50
    tables.draw(drawn)
    assert capsys.readouterr().out == "Label  value\n"


def test_rich_is_not_imported_for_json(prologue: Path) -> None:
    import subprocess
    import sys

    script = (
        "import sys; from kdmlog.cli.main import execute; from kdmlog.cli.call import Call\n"
        f"execute(['survivor', 'list', '--json', '--db', {str(prologue)!r}], Call())\n"
        "assert 'rich' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
