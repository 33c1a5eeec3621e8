"""Severe injuries, brain trauma, disorders, fighting arts and abilities hold the book's values."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kdmlog.games.kdm.content import (
    KINDS,
    Ability,
    Disorder,
    FightingArt,
    Injury,
    InjuryTable,
    Trait,
    While,
)
from kdmlog.games.kdm.script import Has, Step, decode, gaps, row, walk
from kdmlog.packs.load import load_pack

from .scripts import problems

CORE = Path(__file__).parents[2] / "content" / "kdm" / "core"
HERE = ("injury_table", "injury", "disorder", "fighting_art", "ability")

RESULTS = {
    "head": """head_explosion head_explosion decapitation decapitation intracranial_hemorrhage
        deaf blind concussion shattered_jaw destroyed_tooth""",
    "arms": """die_of_shock die_of_shock arms_bleeding dismembered_arm ruptured_muscle contracture
        broken_arm spiral_fracture dislocated_shoulder hit_the_dirt""",
    "body": """instant_death instant_death body_bleeding gaping_chest_wound destroyed_back
        disemboweled ruptured_spleen broken_rib collapsed_lung bowled_over""",
    "waist": """final_breath final_breath bleeding_kidneys intestinal_prolapse warped_pelvis
        destroyed_genitals broken_hip slashed_back bruised_tail_bone belly_up""",
    "legs": """blood_geyser legs_bleeding legs_bleeding dismembered_leg hamstrung
        torn_achilles_tendon torn_muscle broken_leg bloody_thighs lost_balance""",
    "brain": """mortal_terror mortal_terror memory_loss flee danger_seizure danger_seizure lunacy
        lunacy new_perspective frenzy maniacal_laughter clarity impossible""",
}
"""Results 1, 2, 3 … of each table."""

MOST = {
    "intracranial_hemorrhage": 1,
    "deaf": 1,
    "blind": 2,
    "shattered_jaw": 1,
    "dismembered_arm": 2,
    "ruptured_muscle": 1,
    "contracture": None,
    "broken_arm": 2,
    "gaping_chest_wound": None,
    "destroyed_back": 1,
    "broken_rib": None,
    "intestinal_prolapse": 1,
    "warped_pelvis": None,
    "destroyed_genitals": 1,
    "broken_hip": 1,
    "dismembered_leg": 2,
    "hamstrung": 1,
    "broken_leg": 2,
}
"""The permanent ones, and how often each can be recorded."""

TWO_BLEEDING = {
    "arms_bleeding",
    "body_bleeding",
    "ruptured_spleen",
    "bleeding_kidneys",
    "legs_bleeding",
    "bloody_thighs",
}
NO_BLEEDING = {
    *("head_explosion", "decapitation", "destroyed_tooth", "die_of_shock", "hit_the_dirt"),
    *("instant_death", "bowled_over", "final_breath", "belly_up", "blood_geyser", "lost_balance"),
}

BARS = {
    "intracranial_hemorrhage": ["survival", "gain_survival"],
    "shattered_jaw": ["consume", "encourage"],
    "dismembered_arm": ["two_handed", "weapons while has 2"],
    "ruptured_muscle": ["fighting_arts"],
    "dislocated_shoulder": ["two_handed", "paired", "block"],
    "destroyed_back": ["strong_gear"],
    "disemboweled": ["move_more_than_1"],
    "intestinal_prolapse": ["waist_gear"],
    "destroyed_genitals": ["intimacy"],
    "broken_hip": ["dodge"],
    "slashed_back": ["surge"],
    "bruised_tail_bone": ["dash"],
    "dismembered_leg": ["dash"],
    "hamstrung": ["fighting_arts", "abilities"],
    "torn_muscle": ["dash"],
    "frenzy": ["survival", "fighting_arts", "specialization"],
}

BLEED = {"tokens": {"bleeding": 1}}
BLEED_TWICE = {"tokens": {"bleeding": 2}}
DIE = {"die": {}}
DOWN = {"knock_down": {}}
SKIP = {"skip_next_hunt": {}}
DISORDER = {"disorder": {"random": True}}
D5_INSANITY = {"gain": {"insanity": {"roll": "1d5"}}}

STEPS: dict[str, list[object]] = {
    "head_explosion": [{"lose": {"who": "others", "survival": 1}}, DIE],
    "decapitation": [DIE],
    "intracranial_hemorrhage": [BLEED],
    "deaf": [{"lose": {"evasion": 1}}, BLEED],
    "blind": [
        {
            "if": {
                "is": {"has": {"injury": "blind", "count": 2}},
                "then": [{"lose": {"accuracy": 3}}, {"retire": {}}],
                "else": [{"lose": {"accuracy": 1}}],
            }
        },
        BLEED,
    ],
    "concussion": [DISORDER, BLEED],
    "shattered_jaw": [BLEED],
    "destroyed_tooth": [
        {
            "if": {
                "is": {"stat": {"courage": "3+"}},
                "then": [{"gain": {"insanity": 2}}],
                "else": [DOWN],
            }
        }
    ],
    "die_of_shock": [DIE],
    "arms_bleeding": [BLEED_TWICE],
    "dismembered_arm": [BLEED],
    "ruptured_muscle": [BLEED],
    "contracture": [{"lose": {"accuracy": 1}}, BLEED],
    "broken_arm": [{"lose": {"accuracy": 1, "strength": 1}}, BLEED],
    "spiral_fracture": [{"tokens": {"strength": -2}}, SKIP, BLEED],
    "dislocated_shoulder": [BLEED],
    "hit_the_dirt": [DOWN],
    "instant_death": [DIE],
    "body_bleeding": [BLEED_TWICE],
    "gaping_chest_wound": [{"lose": {"strength": 1}}, BLEED],
    "destroyed_back": [{"lose": {"movement": 2}}, BLEED],
    "disemboweled": [BLEED, SKIP],
    "ruptured_spleen": [SKIP, BLEED_TWICE],
    "broken_rib": [{"lose": {"speed": 1}}, BLEED],
    "collapsed_lung": [{"tokens": {"movement": -1}}, BLEED],
    "bowled_over": [DOWN],
    "final_breath": [{"gain": {"who": "adjacent", "survival": 1}}, DIE],
    "bleeding_kidneys": [BLEED_TWICE],
    "intestinal_prolapse": [BLEED],
    "warped_pelvis": [{"lose": {"luck": 1}}, BLEED],
    "destroyed_genitals": [DISORDER, DOWN, {"gain": {"insanity": 3}}, BLEED],
    "broken_hip": [{"lose": {"movement": 1}}, BLEED],
    "slashed_back": [BLEED],
    "bruised_tail_bone": [DOWN, BLEED],
    "belly_up": [DOWN],
    "blood_geyser": [DIE],
    "legs_bleeding": [BLEED_TWICE],
    "dismembered_leg": [
        {"lose": {"movement": 2}},
        {
            "if": {
                "is": {"has": {"injury": "dismembered_leg", "count": 2}},
                "then": [{"retire": {}}],
            }
        },
        BLEED,
    ],
    "hamstrung": [BLEED],
    "torn_achilles_tendon": [SKIP, BLEED],
    "torn_muscle": [SKIP, BLEED],
    "broken_leg": [
        {"damage": {"who": "adjacent", "normal": 1, "at": "brain"}},
        {"lose": {"movement": 1}},
        BLEED,
    ],
    "bloody_thighs": [BLEED_TWICE],
    "lost_balance": [DOWN],
    "mortal_terror": [DIE],
    "memory_loss": [{"lose": {"proficiency": 2}}],
    "flee": [
        DOWN,
        {"knockback": {"spaces": {"stat": "movement"}, "toward": "edge"}},
        D5_INSANITY,
    ],
    "danger_seizure": [
        {"damage": {"normal": 1, "at": "random"}},
        {"damage": {"who": "adjacent", "normal": 1, "at": "random"}},
        DISORDER,
        D5_INSANITY,
    ],
    "lunacy": [DISORDER, D5_INSANITY],
    "new_perspective": [DOWN, {"gain": {"insanity": {"roll": "1d10"}}}],
    "frenzy": [{"frenzy": {}}],
    "maniacal_laughter": [
        DOWN,
        {"tokens": {"speed": -1}},
        {"priority_target": {}},
        D5_INSANITY,
    ],
    "clarity": [
        DOWN,
        {"gain": {"insanity": {"stat": "survival"}}},
        {"set": {"survival": 0}},
        {"if": {"is": {"stat": {"disorders": "3+"}}, "then": [DIE], "else": [DISORDER]}},
    ],
    "impossible": [
        {"gain": {"survival": {"roll": "1d10"}, "insanity": {"roll": "1d10"}}},
        {"tokens": {"luck": 2}},
    ],
}

DISORDERS = """aichmophobia anxiety apathetic binge_eating_disorder coprolalia fear_of_the_dark
    hemophobia hoarder honorable hyperactive immortal indecision monster_panic
    post_traumatic_stress prey quixotic rageholic secretive seizures squeamish traumatized
    vestiphobia weak_spot"""

FIGHTING_ARTS = """ambidextrous berserker clutch_fighter combo_master crazed crossarm_block
    double_dash extra_sense last_man_standing leader mighty_strike monster_claw_style
    orator_of_death rhythm_chaser strategist thrill_seeker timeless_eye tough tumble
    unconscious_fighter"""

ABILITIES = {
    "ability": """stalwart prepared matchmaker analyze explore tinker ageless bitter_frenzy
        acid_palms burnt_nerves crystal_skin caratosis dormenatus lucernae dream_of_the_beast
        dream_of_the_crown dream_of_the_lantern red_life_exchange green_life_exchange
        blue_life_exchange fated_battle homing_instinct iron_will legendcaller thundercaller
        leyline_walker mad_oracle metal_maw partner peerless possessed sour_death sweet_battle
        story_of_the_forsaker story_of_the_goblin story_of_the_young_hero""",
    "impairment": """leprosy lovelorn_rock marrow_hunger cancerous_illness
        bone_witch_scarred_eyes bone_witch_wounds river_parasites consuming_grass""",
    "curse": "kings_curse twilight_sword",
}


class Content:
    """The records of the files under test, loaded by themselves."""

    def __init__(self, folder: Path) -> None:
        for name in ("pack", *HERE):
            shutil.copy(CORE / f"{name}.yaml", folder)
        records = load_pack(folder, KINDS, game="kdm").records
        self.all = {kind: records[kind] for kind in HERE}
        self.tables: dict[str, InjuryTable] = records["injury_table"]  # type: ignore[assignment]
        self.injuries: dict[str, Injury] = records["injury"]  # type: ignore[assignment]
        self.disorders: dict[str, Disorder] = records["disorder"]  # type: ignore[assignment]
        self.arts: dict[str, FightingArt] = records["fighting_art"]  # type: ignore[assignment]
        self.abilities: dict[str, Ability] = records["ability"]  # type: ignore[assignment]


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Content:
    return Content(tmp_path_factory.mktemp("core"))


def bleeding(steps: list[Step]) -> int:
    return sum(
        getattr(step.body, "bleeding", None) or 0
        for _, step in walk(steps)
        if step.verb == "tokens"
    )


def barring(trait: Trait) -> list[str]:
    """Returns what a record bars; what holds under a condition says so in short."""
    return [
        one if isinstance(one, str) else f"{one.what} while {_short(one)}" for one in trait.bars
    ]


def _short(one: While) -> str:
    if isinstance(one.if_, str):
        return one.if_
    has, no = one.if_.has, one.if_.not_
    return f"has {has.count}" if isinstance(has, Has) else f"not {no}"


@pytest.mark.parametrize("table", RESULTS)
def test_each_result_leads_to_its_row(content: Content, table: str) -> None:
    record = content.tables[table]
    expected = RESULTS[table].split()
    assert record.roll == "1d10"
    assert len(expected) == (13 if table == "brain" else 10)
    found = [record.rows[row(record.rows, result)] for result in range(1, len(expected) + 1)]
    assert found == expected
    assert gaps(record.rows, 1, len(expected)) == []


@pytest.mark.parametrize("table", RESULTS)
def test_results_off_the_table_fall_into_its_end_rows(content: Content, table: str) -> None:
    rows = content.tables[table].rows
    expected = RESULTS[table].split()
    assert rows[row(rows, 0)] == rows[row(rows, -3)] == expected[0]
    assert rows[row(rows, 14)] == rows[row(rows, 25)] == expected[-1]


def test_44_severe_injuries_and_10_brain_traumas(content: Content) -> None:
    assert set(content.tables) == set(RESULTS)
    by_table = {id: list(table.rows.values()) for id, table in content.tables.items()}
    assert {id: len(rows) for id, rows in by_table.items()} == {
        "head": 8,
        "arms": 9,
        "body": 9,
        "waist": 9,
        "legs": 9,
        "brain": 10,
    }
    assert sum(len(rows) for id, rows in by_table.items() if id != "brain") == 44
    assert sorted(id for rows in by_table.values() for id in rows) == sorted(content.injuries)
    for table, rows in by_table.items():
        assert {content.injuries[id].location for id in rows} == {table}


def test_permanent_injuries_and_their_limits(content: Content) -> None:
    permanent = {id: injury.most for id, injury in content.injuries.items() if injury.permanent}
    assert permanent == MOST
    assert all(injury.most is None for injury in content.injuries.values() if not injury.permanent)


def test_bleeding_tokens(content: Content) -> None:
    for id, injury in content.injuries.items():
        if injury.location == "brain" or id in NO_BLEEDING:
            expected = 0
        else:
            expected = 2 if id in TWO_BLEEDING else 1
        assert bleeding(injury.steps) == expected, id


def test_what_injuries_bar(content: Content) -> None:
    assert {id: barring(injury) for id, injury in content.injuries.items() if injury.bars} == BARS


def test_steps_in_the_order_of_the_text(content: Content) -> None:
    assert set(STEPS) == set(content.injuries)
    for id, steps in STEPS.items():
        assert content.injuries[id].steps == decode(steps), id
        assert problems(content.injuries[id].steps) == [], id


def test_disorders(content: Content) -> None:
    assert len(DISORDERS.split()) == 23
    assert set(content.disorders) == set(DISORDERS.split())
    assert {id: barring(record) for id, record in content.disorders.items() if record.bars} == {
        "aichmophobia": ["axe", "sword", "spear", "dagger", "scythe", "katar"],
        "apathetic": ["survival", "gain_survival", "gain_courage"],
        "honorable": ["attack_from_blind_spot", "attack_downed_monster"],
        "immortal": ["survival while insane"],
        "prey": ["survival while not insane"],
        "vestiphobia": ["body_gear"],
    }


def test_fighting_arts_drawn_at_random(content: Content) -> None:
    assert len(FIGHTING_ARTS.split()) == 20
    assert {id for id, record in content.arts.items() if not record.secret} == set(
        FIGHTING_ARTS.split()
    )


def test_abilities(content: Content) -> None:
    for type, ids in ABILITIES.items():
        found = {id for id, record in content.abilities.items() if record.type == type}
        assert found == set(ids.split())
    assert len(content.abilities) == 46
    assert {id: record.bars for id, record in content.abilities.items() if record.bars} == {
        "possessed": ["fighting_arts", "specialization"],
        "cancerous_illness": ["gain_survival"],
    }


@pytest.mark.parametrize("kind", HERE)
def test_words_are_few(content: Content, kind: str) -> None:
    for id, record in content.all[kind].items():
        name, note = getattr(record, "name", ""), getattr(record, "note", "")
        assert 0 < len(name) <= 90, id
        assert len(note) <= 90, id
        assert note or kind == "injury_table", id
