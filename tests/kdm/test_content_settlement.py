"""Gear, locations, innovations, story events, milestones and years hold the book's values."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from kdmlog.games.kdm.content import (
    KINDS,
    Armor,
    ArmorSet,
    Cost,
    Endeavor,
    Gear,
    Innovation,
    Location,
    Milestone,
    StoryEvent,
    Timeline,
    Weapon,
)
from kdmlog.games.kdm.script import Step, Table, decode, row, walk
from kdmlog.packs.load import load_pack

from .scripts import problems

CORE = Path(__file__).parents[2] / "content" / "kdm" / "core"
HERE = (
    "gear",
    "armor_set",
    "location",
    "innovation",
    "story_event",
    "milestone",
    "timeline",
)

WEAPONS = {
    "founding_stone": (2, 7, 1),
    "fist_and_tooth": (2, 8, 0),
    "bone_axe": (2, 6, 3),
    "bone_blade": (2, 6, 2),
    "bone_dagger": (3, 7, 1),
    "bone_darts": (1, 7, 3),
    "bone_pickaxe": (1, 8, 2),
    "bone_sickle": (2, 8, 1),
    "rawhide_whip": (3, 7, 1),
}
"""Speed, accuracy, strength."""

ARMOR = {
    "cloth": ("waist", 1),
    "skull_helm": ("head", 3),
    "rawhide_headband": ("head", 1),
    "rawhide_gloves": ("arms", 1),
    "rawhide_vest": ("body", 1),
    "rawhide_pants": ("waist", 1),
    "rawhide_boots": ("legs", 1),
}

COSTS: dict[str, list[dict[str, Any]]] = {
    "cloth": [],
    "founding_stone": [],
    "fist_and_tooth": [],
    "bone_axe": [{"type": "bone"}, {"type": "organ"}],
    "bone_blade": [{"type": "bone"}],
    "bone_dagger": [{"type": "bone"}],
    "bone_darts": [{"type": "bone"}],
    "bone_pickaxe": [{"innovation": "ammonia"}, {"type": "bone"}, {"resource": "leather"}],
    "bone_sickle": [{"innovation": "ammonia"}, {"type": "bone"}, {"resource": "leather"}],
    "skull_helm": [{"any_of": [Cost(type="bone", count=2), Cost(resource="skull")]}],
    "bandages": [{"type": "hide"}],
    "rawhide_boots": [{"type": "hide"}],
    "rawhide_drum": [{"innovation": "drums"}, {"type": "bone"}, {"type": "hide"}],
    "rawhide_gloves": [{"type": "hide"}],
    "rawhide_headband": [{"type": "hide"}],
    "rawhide_pants": [{"type": "hide"}],
    "rawhide_vest": [{"type": "hide"}],
    "rawhide_whip": [{"innovation": "ammonia"}, {"type": "bone"}, {"type": "hide"}],
    "dried_acanthus": [{"resource": "fresh_acanthus"}],
    "fecal_salve": [{"type": "organ"}],
    "lucky_charm": [{"type": "organ"}],
    "monster_grease": [{"type": "organ"}],
    "monster_tooth_necklace": [{"heat": True}, {"type": "scrap"}, {"type": "bone"}],
}

MADE_AT = {
    "starting": "cloth founding_stone fist_and_tooth",
    "bone_smith": """bone_axe bone_blade bone_dagger bone_darts bone_pickaxe bone_sickle
        skull_helm""",
    "skinnery": """bandages rawhide_boots rawhide_drum rawhide_gloves rawhide_headband
        rawhide_pants rawhide_vest rawhide_whip""",
    "organ_grinder": """dried_acanthus fecal_salve lucky_charm monster_grease
        monster_tooth_necklace""",
}

RULES = {
    "dried_acanthus": ["averts_severe_injury"],
    "founding_stone": ["throw_to_archive"],
    "fist_and_tooth": ["deadly"],
    "bone_axe": ["frail", "savage"],
    "bone_blade": ["frail"],
    "bone_darts": ["range:6", "frail"],
    "rawhide_whip": ["provoke"],
}

EDGES = {
    "bone_axe": {"left": "red"},
    "bone_blade": {"left": "red"},
    "bone_dagger": {"left": "red", "top": "red"},
    "bone_darts": {"left": "red"},
    "bone_pickaxe": {"top": "green"},
    "bone_sickle": {"top": "green"},
    "skull_helm": {"bottom": "red"},
    "bandages": {"left": "blue", "bottom": "green"},
    "rawhide_drum": {"left": "green"},
    "rawhide_gloves": {"left": "red"},
    "rawhide_headband": {"bottom": "blue"},
    "rawhide_vest": {"top": "blue", "right": "red"},
    "fecal_salve": {"left": "blue"},
    "lucky_charm": {"left": "blue", "right": "blue"},
    "monster_grease": {"left": "green"},
    "monster_tooth_necklace": {"right": "red"},
}

NEEDS = {
    "rawhide_headband": {"puzzle": {"blue": 1}},
    "rawhide_vest": {"puzzle": {"red": 1, "blue": 1}},
    "lucky_charm": {"complete": {"blue": 2}},
    "monster_grease": {"complete": {"green": 3}},
    "monster_tooth_necklace": {"complete": {"red": 2}},
}

DEPART = {
    "rawhide_boots": {"survival": 1},
    "rawhide_gloves": {"survival": 1},
    "rawhide_drum": {"insanity": 1},
    "dried_acanthus": {"survival": 2},
    "fecal_salve": {"survival": 1},
}

CONSEQUENCES = {
    "language": "ammonia drums hovel inner_lantern paint symposium",
    "ammonia": "bloodletting lantern_oven",
    "drums": "forbidden_dance song_of_the_brave",
    "hovel": "bed family partnership",
    "inner_lantern": "scarification shrine",
    "paint": "face_painting pictograph sculpture",
    "symposium": "nightmare_training storytelling",
}

INTIMACY: dict[int, list[dict[str, Any]]] = {
    1: [{"die": {"who": "parents"}}],
    2: [
        {"die": {"who": "mother"}},
        {"disorder": {"who": "father", "random": True}},
        {"gain": {"who": "father", "insanity": 3}},
    ],
    4: [{"birth": {}}],
    7: [{"birth": {}}, {"gain": {"who": "parents", "survival": 10}}],
}
"""The first result of each row to what it does; 9+ depends on Hovel."""


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """These kinds alone, read as the pack is read."""
    folder = tmp_path_factory.mktemp("core")
    shutil.copy(CORE / "pack.yaml", folder)
    for kind in HERE:
        if (CORE / kind).is_dir():
            shutil.copytree(CORE / kind, folder / kind)
        if (CORE / f"{kind}.yaml").exists():
            shutil.copy(CORE / f"{kind}.yaml", folder)
    return load_pack(folder, KINDS).records


@pytest.fixture
def gear(records: dict[str, dict[str, Any]]) -> dict[str, Gear]:
    return records["gear"]


@pytest.fixture
def innovations(records: dict[str, dict[str, Any]]) -> dict[str, Innovation]:
    return records["innovation"]


@pytest.fixture
def events(records: dict[str, dict[str, Any]]) -> dict[str, StoryEvent]:
    return records["story_event"]


def tables(steps: list[Step]) -> list[Table]:
    """Returns all tables of a script, outer ones first."""
    return [step.body for _, step in walk(steps) if isinstance(step.body, Table)]


def result(table: Table, number: int) -> list[Step]:
    """Returns what a result of the table does."""
    return table.rows[row(table.rows, number)]


def scripts(thing: object) -> list[list[Step]]:
    """Returns every script that a record holds."""
    found: list[list[Step]] = []
    if isinstance(thing, list):
        return [thing] if thing and isinstance(thing[0], Step) else []
    if isinstance(thing, dict):
        inner = list(thing.values())
    elif isinstance(thing, (Gear, Location, Innovation, StoryEvent, Endeavor)):
        inner = [getattr(thing, name) for name in thing.__struct_fields__]
    else:
        inner = []
    for one in inner:
        found += scripts(one)
    return found


def everything(records: dict[str, dict[str, Any]]) -> list[tuple[str, Any]]:
    return [(f"{kind} {id}", one) for kind in HERE for id, one in records[kind].items()]


# --- all of them ----------------------------------------------------------------------------------


def test_every_script_is_sound(records: dict[str, dict[str, Any]]) -> None:
    wrong = {
        name: found
        for name, record in everything(records)
        for script in scripts(record)
        if (found := problems(script))
    }
    assert not wrong


def test_notes_and_hints_are_short(records: dict[str, dict[str, Any]]) -> None:
    for name, record in everything(records):
        assert len(record.note) <= 90, name
        for script in scripts(record):
            for path, step in walk(script):
                if step.verb == "ask_table":
                    assert len(str(step.body)) <= 60, f"{name} {path}"


# --- gear -----------------------------------------------------------------------------------------


def test_gear_is_made_where_the_book_says(gear: dict[str, Gear]) -> None:
    found: dict[str, set[str]] = {}
    for id, card in gear.items():
        found.setdefault(card.location, set()).add(id)
    for place, cards in MADE_AT.items():
        assert found[place] == set(cards.split()), place


def test_later_editions_gear_is_left_out(gear: dict[str, Gear]) -> None:
    assert not {"bone_club", "stone_noses"} & set(gear)


def test_weapons_have_their_figures(gear: dict[str, Gear]) -> None:
    for id, (speed, accuracy, strength) in WEAPONS.items():
        assert gear[id].weapon == Weapon(speed=speed, accuracy=accuracy, strength=strength), id


def test_only_those_have_figures(gear: dict[str, Gear]) -> None:
    here = {id: gear[id] for id in COSTS}
    assert {id for id, card in here.items() if card.weapon} == set(WEAPONS)
    assert {id for id, card in here.items() if card.armor} == set(ARMOR)


def test_armor_has_its_points(gear: dict[str, Gear]) -> None:
    for id, (location, points) in ARMOR.items():
        assert gear[id].armor == Armor(location=location, points=points), id
        assert gear[id].kind == "armor", id


@pytest.mark.parametrize("id", COSTS)
def test_gear_costs(gear: dict[str, Gear], id: str) -> None:
    assert gear[id].cost == [Cost(**line) for line in COSTS[id]]


@pytest.mark.parametrize("id", COSTS)
def test_gear_rules_edges_and_bonus_needs(gear: dict[str, Gear], id: str) -> None:
    assert gear[id].rules == RULES.get(id, [])
    assert gear[id].affinities == EDGES.get(id, {})
    assert gear[id].needs == NEEDS.get(id, {})


@pytest.mark.parametrize("id", COSTS)
def test_gear_on_departing(gear: dict[str, Gear], id: str) -> None:
    steps = [{"gain": DEPART[id]}] if id in DEPART else []
    assert gear[id].depart == decode(steps)


def test_keywords_that_rules_ask_for(gear: dict[str, Gear]) -> None:
    assert gear["founding_stone"].keywords == ["melee", "stone"]
    assert gear["fist_and_tooth"].keywords == ["melee", "fist_and_tooth"]
    assert gear["fecal_salve"].keywords == ["balm", "stinky"]
    assert gear["lucky_charm"].keywords == ["jewelry"]
    assert "rawhide" in gear["rawhide_boots"].keywords
    assert "fragile" in gear["skull_helm"].keywords
    assert "noisy" in gear["rawhide_drum"].keywords
    assert "sickle" in gear["bone_sickle"].keywords
    assert "pickaxe" in gear["bone_pickaxe"].keywords
    assert gear["bone_darts"].keywords[:2] == ["ranged", "thrown"]


def test_rawhide_set(records: dict[str, dict[str, Any]], gear: dict[str, Gear]) -> None:
    armor_set: ArmorSet = records["armor_set"]["rawhide"]
    assert armor_set.armor_all == 1
    pieces = {
        "rawhide_headband",
        "rawhide_gloves",
        "rawhide_vest",
        "rawhide_pants",
        "rawhide_boots",
    }
    assert set(armor_set.pieces) == pieces
    assert len(armor_set.pieces) == 5
    assert {id for id in COSTS if "set" in gear[id].keywords} == pieces


# --- locations ------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", ["bone_smith", "skinnery", "organ_grinder"])
def test_first_locations_cost_an_endeavor_only(records: dict[str, dict[str, Any]], id: str) -> None:
    place: Location = records["location"][id]
    assert place.built_at == "lantern_hoard"
    assert place.build == []


def test_innovating_costs_an_endeavor_and_three_resources(
    records: dict[str, dict[str, Any]],
) -> None:
    hoard: Location = records["location"]["lantern_hoard"]
    assert hoard.built_at == ""
    assert set(hoard.endeavors) == {"innovate"}
    innovate = hoard.endeavors["innovate"]
    assert innovate.endeavors == 1
    assert innovate.cost == [Cost(type="bone"), Cost(type="organ"), Cost(type="hide")]
    assert innovate.steps == []


def test_augury(records: dict[str, dict[str, Any]]) -> None:
    augury: Endeavor = records["location"]["organ_grinder"].endeavors["augury"]
    assert (augury.endeavors, augury.cost, augury.once) == (1, [], "")
    loss = {"pay": {"resource": "any", "then": [{"gain": {"understanding": 1}}]}}
    expected = {
        "table": {
            "roll": "1d10",
            "add": [{"by": 1, "if": {"stat": {"understanding": "3+"}}}],
            "purpose": "augury",
            "rows": {
                "1-3": [loss],
                "4-7": [{"gain": {"survival": 1}}],
                "8+": [{"trigger": "intimacy"}],
            },
        }
    }
    assert augury.steps == decode([expected])
    (table,) = tables(augury.steps)
    assert result(table, 11) == decode([{"trigger": "intimacy"}])


# --- innovations ----------------------------------------------------------------------------------


@pytest.mark.parametrize("id", CONSEQUENCES)
def test_consequences(innovations: dict[str, Innovation], id: str) -> None:
    found = {name for name, one in innovations.items() if one.consequence_of == id}
    assert found == set(CONSEQUENCES[id].split())


def test_the_first_deck_has_exactly_six_cards(innovations: dict[str, Innovation]) -> None:
    found = [id for id, one in innovations.items() if one.consequence_of == "language"]
    assert len(found) == 6


def test_survival_limits(innovations: dict[str, Innovation]) -> None:
    found = {id: one.survival_limit for id, one in innovations.items() if one.survival_limit}
    early = {id for ids in CONSEQUENCES.values() for id in ids.split()}
    early |= {"language", "cannibalize", "graves", "protect_the_young", "survival_of_the_fittest"}
    assert {id: limit for id, limit in found.items() if id in early} == {
        "language": 1,
        "hovel": 1,
        "symposium": 1,
        "bed": 1,
        "sculpture": 1,
        "storytelling": 1,
        "cannibalize": 1,
        "survival_of_the_fittest": 1,
    }


def test_survival_actions(innovations: dict[str, Innovation]) -> None:
    found = {id: one.survival_action for id, one in innovations.items() if one.survival_action}
    assert found == {"language": "encourage", "paint": "dash", "inner_lantern": "surge"}


def test_types(innovations: dict[str, Innovation]) -> None:
    found = {id: innovations[id].type for id in CONSEQUENCES["language"].split()}
    assert found == {
        "ammonia": "science",
        "drums": "music",
        "hovel": "home",
        "inner_lantern": "faith",
        "paint": "art",
        "symposium": "education",
    }


@pytest.mark.parametrize("id", ["ammonia", "hovel", "lantern_oven", "family"])
def test_departing_survival(innovations: dict[str, Innovation], id: str) -> None:
    assert innovations[id].departing == decode([{"gain": {"survival": 1}}])


def test_bone_beats(innovations: dict[str, Innovation]) -> None:
    assert set(innovations["drums"].endeavors) == {"bone_beats"}
    beats = innovations["drums"].endeavors["bone_beats"]
    assert (beats.endeavors, beats.cost) == (1, [])
    (table,) = tables(beats.steps)
    assert (table.roll, table.add) == ("1d10", [])
    for number in range(1, 5):
        assert result(table, number) == decode([{"gain": {"insanity": 1}}])
    for number in range(5, 10):
        assert result(table, number) == decode([{"gain": {"survival": 1}}])
    nominated, cured, departing = result(table, 10)
    anyone = {"of": "living", "where": {"stat": {"disorders": "1+"}}}
    choice = {"choose": {"from": anyone, "as": "cured", "purpose": "cure"}}
    assert [nominated, cured] == decode([choice, {"cure": {"who": "cured"}}])
    later = {"at": "depart", "steps": [{"gain": {"who": "departing", "survival": 1}}]}
    assert [departing] == decode([{"later": later}])


def test_principles(innovations: dict[str, Innovation]) -> None:
    expected = {
        "cannibalize": "death",
        "graves": "death",
        "protect_the_young": "new_life",
        "survival_of_the_fittest": "new_life",
    }
    for id, principle in expected.items():
        assert (innovations[id].type, innovations[id].principle) == ("principle", principle)
        assert innovations[id].consequence_of == ""


def test_newborns(innovations: dict[str, Innovation]) -> None:
    found = {id: one.newborn for id, one in innovations.items() if one.newborn}
    assert found["graves"] == decode([{"gain": {"understanding": 1}}])
    assert found["survival_of_the_fittest"] == decode([{"gain": {"strength": 1}}])
    assert found["bed"] == decode([{"gain": {"strength": 1}}])
    assert "protect_the_young" not in found
    assert "cannibalize" not in found


# --- story events ---------------------------------------------------------------------------------


def test_first_day_asks_for_the_population(events: dict[str, StoryEvent]) -> None:
    assert events["first_day"].steps == decode([{"ask_table": "population"}])


def test_returning_survivors_in_order(events: dict[str, StoryEvent]) -> None:
    assert events["returning_survivors"].steps == decode(
        [
            {"choose": {"from": "returning", "as": "speaker", "purpose": "first_words"}},
            {"gain": {"who": "speaker", "courage": 1}},
            {"quarry": "white_lion"},
            {"innovation": "language"},
            {"location": "lantern_hoard"},
            {"gain": {"who": "speaker", "understanding": 1}},
            {"skip_next_hunt": {"who": "speaker"}},
        ]
    )


def option(event: StoryEvent, id: str) -> Table:
    """Returns the table of a principle's choice, having checked that it gains the principle."""
    (step,) = event.steps
    options = step.choose.options  # type: ignore[union-attr]
    assert options is not None
    gained, table = options[id].steps
    assert [gained] == decode([{"principle": id}])
    assert isinstance(table.body, Table)
    assert table.body.roll == "1d10"
    return table.body


def both(table: Table) -> tuple[list[Step], list[Step]]:
    """Returns the halves of a table that turns between 5 and 6."""
    for number in range(1, 11):
        assert result(table, number) == result(table, 1 if number <= 5 else 6)
    return result(table, 1), result(table, 6)


def test_principle_death(events: dict[str, StoryEvent]) -> None:
    event = events["principle_death"]
    (step,) = event.steps
    assert list(step.choose.options or {}) == ["cannibalize", "graves"]  # type: ignore[union-attr]
    nominate = {"choose": {"from": "living", "as": "nominated", "purpose": "principle_death"}}

    low, high = both(option(event, "cannibalize"))
    insane = {"at": "depart", "steps": [{"gain": {"who": "departing", "insanity": 3}}]}
    stone = {"gain_gear": {"id": "founding_stone", "to": "storage"}}
    assert low == decode([stone, {"later": insane}])
    assert high == decode([nominate, {"gain": {"who": "nominated", "speed": 1}}])

    low, high = both(option(event, "graves"))
    thoughtful = {"gain": {"who": "departing", "survival": 1, "understanding": 1}}
    assert low == decode([{"later": {"at": "depart", "steps": [thoughtful]}}])
    assert high == decode([nominate, {"gain": {"who": "nominated", "luck": 1}}])


def test_principle_new_life(events: dict[str, StoryEvent]) -> None:
    event = events["principle_new_life"]

    low, high = both(option(event, "survival_of_the_fittest"))
    assert low == decode(
        [
            {"gain": {"who": "parents", "strength": 1, "insanity": 2}},
            {"skip_next_hunt": {"who": "parents"}},
        ]
    )
    warrior = [
        {"gain": {"courage": 2}},
        {"fighting_art": {"id": "tough"}},
        {"disorder": {"random": True}},
    ]
    assert high == decode([{"each": {"who": "newborns", "steps": warrior}}])

    low, high = both(option(event, "protect_the_young"))
    assert low == decode([{"gain": {"who": "parents", "survival": 2, "evasion": 1}}])
    wise = [{"gain": {"understanding": 2}}, {"fighting_art": {"id": "strategist"}}]
    assert high == decode([{"each": {"who": "newborns", "steps": wise}}])


def test_intimacy(events: dict[str, StoryEvent]) -> None:
    (table,) = tables(events["intimacy"].steps)
    assert (table.roll, table.add) == ("1d10", [])
    for number in range(1, 9):
        first = max(start for start in INTIMACY if start <= number)
        assert result(table, number) == decode(INTIMACY[first]), number
    assert result(table, 9) == result(table, 10)
    (hovel,) = result(table, 9)
    assert hovel.verb == "if"
    inside = hovel.if_
    assert decode([{"birth": {"count": 2}}]) == inside.else_  # type: ignore[union-attr]
    assert inside.is_.innovated == "hovel"  # type: ignore[union-attr]
    assert [step.verb for step in inside.then] == ["birth", "trigger"]  # type: ignore[union-attr]


def test_intimacy_needs_a_man_and_a_woman(events: dict[str, StoryEvent]) -> None:
    men, women, consent = events["intimacy"].steps
    for step, name, sex in ((men, "men", "male"), (women, "women", "female")):
        group = {"of": "living", "where": {"sex": sex, "not": {"barred": "intimacy"}}}
        assert [step] == decode([{"bind": {"as": name, "who": group}}])
    options = consent.choose.options  # type: ignore[union-attr]
    assert options is not None
    assert list(options) == ["couple", "nobody"]
    assert options["nobody"].steps == []
    assert options["couple"].steps[:2] == decode(
        [
            {"choose": {"from": "men", "as": "father", "purpose": "father"}},
            {"choose": {"from": "women", "as": "mother", "purpose": "mother"}},
        ]
    )


MIND = {"gain": {"survival": 3, "insanity": 3}}

BENEFITS: dict[tuple[str, str], tuple[str, dict[str, Any] | None, dict[str, Any], str, str]] = {
    ("bold", "showdown"): ("stalwart", {"tokens": {"strength": 1}}, MIND, "strength", "speed"),
    ("bold", "hunt"): (
        "prepared",
        {"tokens": {"speed": 1}},
        {"gain": {"understanding": 1}},
        "strength",
        "movement",
    ),
    ("bold", "settlement"): ("matchmaker", None, {"endeavors": 1}, "strength", "accuracy"),
    ("insight", "showdown"): ("analyze", None, MIND, "accuracy", "movement"),
    ("insight", "hunt"): ("explore", None, MIND, "accuracy", "evasion"),
    ("insight", "settlement"): ("tinker", None, {"endeavors": 1}, "accuracy", "strength"),
}
"""The ability; then 1-3 (None: remembered), 4-7, and the attributes of 8-9 and 10+."""


@pytest.mark.parametrize(("event", "phase"), BENEFITS)
def test_bold_and_insight(events: dict[str, StoryEvent], event: str, phase: str) -> None:
    ability, low, middle, high, best = BENEFITS[event, phase]
    gained, rolled = events[event].by_phase[phase]
    assert [gained] == decode([{"ability": {"gain": ability}}])
    table = rolled.body
    assert isinstance(table, Table)
    assert (table.roll, table.add) == ("1d10", [])
    for number in range(1, 11):
        found = result(table, number)
        if number <= 3 and low is None:
            assert [step.verb for step in found] == ["remember"]
        elif number <= 3:
            assert found == decode([low])
        elif number <= 7:
            assert found == decode([middle])
        else:
            assert found == decode([{"gain": {high if number <= 9 else best: 1}}])


def test_bold_and_insight_come_once_in_a_lifetime(events: dict[str, StoryEvent]) -> None:
    for id in ("bold", "insight"):
        assert events[id].once_a_lifetime
        assert events[id].steps == []
        assert set(events[id].by_phase) == {"showdown", "hunt", "settlement"}


# --- milestones and years -------------------------------------------------------------------------


def test_milestones(records: dict[str, dict[str, Any]]) -> None:
    found: dict[str, Milestone] = records["milestone"]
    survivor = {(m.track, m.box): m.event for m in found.values() if m.scope == "survivor"}
    assert survivor == {
        ("hunt_xp", 2): "age_1",
        ("hunt_xp", 6): "age_2",
        ("hunt_xp", 10): "age_3",
        ("hunt_xp", 15): "age_4",
        ("hunt_xp", 16): "retired",
        ("courage", 3): "bold",
        ("courage", 9): "see_the_truth",
        ("understanding", 3): "insight",
        ("understanding", 9): "white_secret",
        ("proficiency", 3): "specialist",
        ("proficiency", 8): "master",
    }
    settlement = {id: m.event for id, m in found.items() if m.scope == "settlement"}
    assert settlement == {
        "first_birth": "principle_new_life",
        "first_death": "principle_death",
        "population_15": "principle_society",
        "innovations_5": "hooded_knight",
        "population_0": "game_over",
    }
    assert (found["population_15"].track, found["population_15"].box) == ("population", 15)
    assert (found["innovations_5"].track, found["innovations_5"].box) == ("innovations", 5)
    assert (found["population_0"].track, found["population_0"].box) == ("population", 0)


def test_years(records: dict[str, dict[str, Any]]) -> None:
    years: dict[str, Timeline] = records["timeline"]
    assert [(id, one.year) for id, one in years.items()] == [(f"ly_{y}", y) for y in range(1, 26)]
    assert {one.year: one.story for one in years.values() if one.story} == {
        1: ["returning_survivors"],
        2: ["endless_screams"],
        5: ["hands_of_heat"],
        6: ["armored_strangers"],
        7: ["phoenix_feather"],
        11: ["regal_visit"],
        12: ["principle_conviction"],
        20: ["watched"],
    }
    assert {one.year: one.settlement for one in years.values() if one.settlement} == {
        1: ["first_day"]
    }
    assert {one.year: one.nemesis for one in years.values() if one.nemesis} == {
        4: ["butcher:1"],
        9: ["kings_man:1"],
        16: ["butcher:2"],
        19: ["kings_man:2"],
        23: ["butcher:3"],
        25: ["watcher"],
    }


def test_the_hand_comes_from_regal_visit_not_from_the_sheet(
    records: dict[str, dict[str, Any]],
) -> None:
    assert records["timeline"]["ly_13"].nemesis == []
