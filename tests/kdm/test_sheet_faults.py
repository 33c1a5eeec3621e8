"""Whatever is wrong with the paper sheets is said with its path, all at once."""

from __future__ import annotations

import datetime
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kdmlog.core.game import Table
from kdmlog.games.kdm.content import KINDS
from kdmlog.games.kdm.sheet import Sheet, read
from kdmlog.games.kdm.state import State
from kdmlog.packs.diagnose import Faulty
from kdmlog.packs.findings import FieldPath
from kdmlog.packs.library import Library
from kdmlog.session import NewOptions, new_campaign

from .table import pack

GOOD: dict[str, Any] = {
    "settlement": {
        "name": "Edge",
        "lantern_year": 3,
        "population": 9,
        "survival_limit": 2,
        "innovations": ["language"],
    },
    "survivors": [
        {"name": "Ann", "sex": "f"},
        {"name": "Bo", "sex": "m", "grid": {"1": "cloth"}},
    ],
}
TABLE = Table(State(players=["Ann", "Beth"]), Library([pack()], KINDS))


def changed(*changes: tuple[FieldPath, Any]) -> dict[str, Any]:
    sheet = deepcopy(GOOD)
    for path, value in changes:
        here: Any = sheet
        for key in path[:-1]:
            here = here.setdefault(key, {}) if isinstance(here, dict) else here[key]
        here[path[-1]] = value
    return sheet


def faults(*changes: tuple[FieldPath, Any]) -> list[tuple[FieldPath, str, str]]:
    with pytest.raises(Faulty) as caught:
        read(TABLE, changed(*changes))
    return [tuple(one) for one in caught.value.faults]


def at(*path: str | int) -> FieldPath:
    return path


S, A, B = "settlement", ("survivors", 0), ("survivors", 1)


def test_the_good_one_is_good() -> None:
    before = deepcopy(GOOD)
    assert isinstance(read(TABLE, GOOD), Sheet)
    assert before == GOOD, "what was given is left as it was"


@pytest.mark.parametrize(
    ("path", "value", "message", "hint"),
    [
        # --- types and bounds
        (at("stp"), "ended", "There is no field stp here.", "Did you mean step?"),
        (at("step"), "hunt", "'hunt' is not possible here.", "Possible here: develop, ended."),
        (at(S), 3, "Expected `mapping`, got `int`.", ""),
        (at("survivors"), {}, "Expected `list`, got `mapping`.", ""),
        (at(S, "name"), datetime.date(2020, 1, 1), "Expected `str`, got `date`.", None),
        (at(S, "population"), True, "Expected `int`, got `bool`.", ""),
        (at(S, "population"), 9.0, "Expected `int`, got `float`.", ""),
        (at(S, "population"), 0, "Expected `int` >= 1.", ""),
        (at(S, "population"), 10**30, "Expected `int` <= 999.", None),
        (at(S, "lantern_year"), 31, "Expected `int` <= 30.", ""),
        (at(S, "survival_limit"), 0, "Expected `int` >= 1.", ""),
        (at(S, "innovation"), [], "There is no field innovation here.", None),
        (at(S, "storage", "gear", "cloth"), -1, "Expected `int` >= 0.", ""),
        (at(S, "storage", "gear", "cloth"), 100, "Expected `int` <= 99.", ""),
        (at(S, "locations"), ["x"] * 201, "Expected `list` of length <= 200.", ""),
        ((*A, "name"), "x" * 201, "Expected `str` of length <= 200.", ""),
        ((*A, "survival"), -1, "Expected `int` >= 0.", ""),
        ((*A, "courage"), 10, "Expected `int` <= 9.", ""),
        ((*A, "hunt_xp"), 17, "Expected `int` <= 16.", ""),
        ((*A, "luck"), -21, "Expected `int` >= -20.", ""),
        ((*A, "weapon", "level"), 9, "Expected `int` <= 8.", ""),
        ((*A, "weapon"), "sword", "Expected `mapping`, got `str`.", ""),
        ((*A, "status"), "died", "'died' is not possible here.", "Did you mean dead or retired?"),
        ((*A, "skip_next_hunt"), 1, "Expected `bool`, got `int`.", ""),
        ((*A, "grid", "1"), ["cloth"], "Expected `str`, got `list`.", ""),
        # --- the settlement
        (at(S, "name"), " ", "A settlement needs a name.", ""),
        (
            at(S, "innovations", 0),
            "Langage",
            "There is no innovation 'Langage'.",
            "Did you mean language?",
        ),
        (at(S, "innovations"), ["language", "LANGUAGE"], "'LANGUAGE' stands here twice.", ""),
        (at(S, "innovations"), ["language", "graves"], "There is no innovation 'graves'.", None),
        (at(S, "innovation_deck"), ["paint", "language"], "The settlement has language", None),
        (at(S, "innovation_deck"), ["pint"], "There is no innovation 'pint'.", None),
        (
            at(S, "locations"),
            ["bone smithy"],
            "There is no location",
            "Did you mean bone_smith or blacksmith?",
        ),
        (at(S, "principles"), ["paint"], "There is no principle 'paint'.", None),
        (
            at(S, "principles"),
            ["Graves", "Cannibalize"],
            "graves has answered death already.",
            "",
        ),
        (at(S, "quarries"), ["lion"], "There is no quarry 'lion'.", "Did you mean white_lion?"),
        (at(S, "quarries"), ["butcher"], "There is no quarry", None),
        (at(S, "nemeses"), ["bucher"], "There is no nemesis", "Did you mean butcher or watcher?"),
        (at(S, "defeated"), ["white_lion"], "The level is missing.", "Write white_lion:1, say."),
        (at(S, "defeated"), ["white_lion:9"], "There is no level '9'.", None),
        (at(S, "defeated"), ["white_lon:1"], "There is no monster 'white_lon'.", None),
        (at(S, "milestones"), ["population_0"], "There is no milestone 'population_0'.", None),
        (at(S, "milestones"), ["courage_3"], "There is no milestone 'courage_3'.", None),
        (at(S, "timeline"), {"0": []}, "There is no lantern year '0'.", "They are 1 to 30."),
        (at(S, "timeline"), {"09": []}, "There is no lantern year '09'.", None),
        (at(S, "timeline"), {"five": []}, "There is no lantern year 'five'.", None),
        (at(S, "timeline"), {"5": ["hands of heart"]}, "There is no story event or", None),
        (at(S, "timeline"), {"5": ["butcher:x"]}, "There is no level 'x'.", None),
        (at(S, "storage", "resources"), {"bone": 1}, "There is no resource", None),
        (
            at(S, "storage", "resources"),
            {"lion_claw": 1, "Lion Claw": 1},
            "'Lion Claw' stands here twice, under another name.",
            "",
        ),
        (at(S, "storage", "gear"), {"fist_and_tooth": 1}, "There is no gear", None),
        (at(S, "population"), 1, "2 survivors live; the population cannot be 1.", None),
        # --- survivors
        ((*A, "name"), "?!", "A survivor needs a name.", ""),
        ((*A, "sex"), "x", "'x' is not possible here.", "Write m or f."),
        ((*A, "sex"), "", "'' is not possible here.", "Write m or f."),
        ((*A, "player"), "Bet", "The campaign has no player 'Bet'.", "Did you mean Beth?"),
        ((*A, "cause"), "cold", "A cause of death, but the status is alive.", None),
        ((*A, "survival"), 3, "Survival 3 is over the survival limit, 2.", ""),
        ((*A, "weapon"), {"type": "swrd"}, "There is no weapon type", "Did you mean sword?"),
        ((*A, "weapon"), {"level": 1}, "A level of proficiency needs a weapon type.", None),
        ((*A, "severe_injuries"), ["deef"], "There is no permanent severe injury 'deef'.", None),
        ((*A, "severe_injuries"), ["deaf", "Deaf"], "Deaf is recorded at most once.", ""),
        ((*A, "fighting_arts"), ["Leadr"], "There is no fighting art", "Did you mean leader?"),
        ((*A, "fighting_arts"), ["leader", "Leader"], "'Leader' stands here twice.", ""),
        (
            (*A, "fighting_arts"),
            ["leader", "tough", "tumble", "crazed"],
            "At most 3 fighting arts; here are 4.",
            "",
        ),
        (
            (*A, "disorders"),
            ["prey", "immortal", "anxiety", "hoarder"],
            "At most 3 disorders; here are 4.",
            "",
        ),
        ((*A, "disorders"), ["leader"], "There is no disorder 'leader'.", None),
        ((*A, "abilities"), ["leprosy"], "There is no ability 'leprosy'.", None),
        ((*A, "impairments"), ["stalwart"], "There is no impairment 'stalwart'.", None),
        (
            (*A, "parents"),
            {"mother": "Bo", "father": "Beau"},
            "There is no survivor 'Beau' on these sheets.",
            None,
        ),
        ((*A, "parents"), {"mother": "Ann", "father": "Bo"}, "There is no survivor 'Ann'", None),
        ((*A, "parents"), {"mother": "Bo"}, "The field father is missing.", ""),
        # --- grids
        ((*A, "grid"), {"10": "cloth"}, "'10' is no cell of the grid.", None),
        ((*A, "grid"), {"d1": "cloth"}, "'d1' is no cell of the grid.", None),
        ((*A, "grid"), {"1": "clot"}, "There is no gear 'clot'.", "Did you mean cloth?"),
        ((*A, "grid"), {"1": "bandages", "a1": "cloth"}, "Cell 1 stands here twice", None),
        (
            (*A, "grid"),
            {"1": "bandages", "2": "bandages"},
            "Ann has a Bandages; only weapons may be there twice.",
            "",
        ),
        (
            (*A, "grid"),
            {"1": "cloth", "2": "rawhide_pants"},
            "Ann wears the Cloth on the waist.",
            "",
        ),
        ((*B, "severe_injuries"), ["intestinal_prolapse"], "Bo can wear nothing on the wa", None),
        ((*B, "status"), "dead", "Whoever is dead carries nothing.", "Put it into storage."),
    ],
)
def test_each_kind_of_fault(path: FieldPath, value: Any, message: str, hint: str | None) -> None:
    [(found, said, hinted)] = faults((path, value))
    assert found[: len(path)] == path or found[0] == "survivors" == path[0] or path[-1] in found
    assert said.startswith(message)
    assert hint is None or hinted == hint


def test_paths_lead_to_the_very_place() -> None:
    found = faults(
        (at(S, "innovations"), ["language", "x"]),
        (at(S, "timeline"), {"5": ["butcher", "y"]}),
        (at(S, "storage", "resources"), {"z": 1}),
        ((*A, "weapon"), {"type": "w"}),
        ((*B, "grid"), {"a1": "cloth", "c3": "v"}),
        ((*B, "parents"), {"mother": "Ann", "father": "u"}),
    )
    assert [path for path, _, _ in found] == [
        (S, "innovations", 1),
        (S, "timeline", "5", 1),
        (S, "storage", "resources", "z"),
        (*A, "weapon", "type"),
        (*B, "grid", "c3"),
        (*B, "parents", "father"),
    ]


def test_weapons_may_be_there_twice_and_accessories_beside_armor() -> None:
    grid = {"1": "bone_axe", "2": "Bone Axe", "3": "cloth"}
    sheet = read(TABLE, changed(((*A, "grid"), grid)))
    assert sheet.survivors[0].grid == {"1": "bone_axe", "2": "bone_axe", "3": "cloth"}


def test_namesakes_are_told_apart_by_their_ids() -> None:
    third = {"name": "Ann", "sex": "f", "parents": {"mother": "Ann", "father": "Bo"}}
    people = [*GOOD["survivors"], third]
    sheet = read(TABLE, changed((at("survivors"), people)))
    assert sheet.survivors[2].parents is not None
    assert sheet.survivors[2].parents.mother == "ann"  # nobody is their own mother
    people.append({"name": "Cy", "sex": "m", "parents": {"mother": "Ann", "father": "Bo"}})
    people.append({"name": "Di", "sex": "f", "parents": {"mother": "ann_2", "father": "Bo"}})
    sheet = read(TABLE, changed((at("survivors"), people)))
    assert [one.parents and one.parents.mother for one in sheet.survivors[3:]] == ["ann", "ann_2"]


def test_a_thousand_faults_are_found_fast_and_only_some_get_hints() -> None:
    found = faults((at(S, "innovations"), [f"language{n}" for n in range(200)]))
    assert len(found) == 200
    assert sum(bool(hint) for _, _, hint in found) == 20


def test_a_survivor_of_no_player_when_there_is_none() -> None:
    alone = Table(State(), TABLE.content)
    with pytest.raises(Faulty) as caught:
        read(alone, changed(((*A, "player"), "Ann")))
    assert caught.value.hints == ["new … -p Ann adds one."]


def test_nothing_is_made_for_a_sheet_with_a_fault(tmp_path: Path) -> None:
    db = tmp_path / "kdm.db"
    bad = changed((at(S, "population"), 1))
    with pytest.raises(Faulty) as caught:
        new_campaign(db, "Rest", options=NewOptions(sheet=bad))
    assert caught.value.message == (
        "settlement.population: 2 survivors live; the population cannot be 1."
    )
    assert list(tmp_path.iterdir()) == []


def test_the_schema_describes_the_good_one() -> None:
    schema = msgspec.json.schema(Sheet)
    assert set(schema["$defs"]) == {
        "Parents",
        "Settlement",
        "Sheet",
        "Storage",
        "SurvivorSheet",
        "Weapon",
    }
