"""Damage, injury boxes, all 54 rows of severe injuries and brain trauma, and their limits."""

from __future__ import annotations

import pytest

from kdmlog.core.errors import BadInput, Refused
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.rules import attack, blows, conditions, figures, grids, harm
from kdmlog.games.kdm.state import Phase, Survivor

from .scene import FISTS, fight, first_story, given, of, run, survivors_turn, who
from .table import Game

ROWS: dict[str, list[tuple[str, dict[str, object]]]] = {
    # What each result leaves on a fresh founder's sheet; adjacent survivors are named, d5s are 3.
    "head": [
        ("1 2", {"dead": True, "others_survival": 0}),
        ("3 4", {"dead": True, "others_survival": 1}),
        ("5", {"bleeding": 1, "recorded": "intracranial_hemorrhage"}),
        ("6", {"bleeding": 1, "recorded": "deaf", "evasion": -1}),
        ("7", {"bleeding": 1, "recorded": "blind", "accuracy": -1}),
        ("8", {"bleeding": 1, "disorders": 1}),
        ("9", {"bleeding": 1, "recorded": "shattered_jaw"}),
        ("10", {"down": True}),
    ],
    "arms": [
        ("1 2", {"dead": True}),
        ("3", {"bleeding": 2}),
        ("4", {"bleeding": 1, "recorded": "dismembered_arm"}),
        ("5", {"bleeding": 1, "recorded": "ruptured_muscle"}),
        ("6", {"bleeding": 1, "recorded": "contracture", "accuracy": -1}),
        ("7", {"bleeding": 1, "recorded": "broken_arm", "accuracy": -1, "strength": -1}),
        ("8", {"bleeding": 1, "token_strength": -2, "skip": True}),
        ("9", {"bleeding": 1}),
        ("10", {"down": True}),
    ],
    "body": [
        ("1 2", {"dead": True}),
        ("3", {"bleeding": 2}),
        ("4", {"bleeding": 1, "recorded": "gaping_chest_wound", "strength": -1}),
        ("5", {"bleeding": 1, "recorded": "destroyed_back", "movement": 3}),
        ("6", {"bleeding": 1, "skip": True}),
        ("7", {"bleeding": 2, "skip": True}),
        ("8", {"bleeding": 1, "recorded": "broken_rib", "speed": -1}),
        ("9", {"bleeding": 1, "token_movement": -1}),
        ("10", {"down": True}),
    ],
    "waist": [
        ("1 2", {"dead": True, "adjacent": "", "others_survival": 1}),
        ("3", {"bleeding": 2}),
        ("4", {"bleeding": 1, "recorded": "intestinal_prolapse"}),
        ("5", {"bleeding": 1, "recorded": "warped_pelvis", "luck": -1}),
        (
            "6",
            {
                "bleeding": 1,
                "recorded": "destroyed_genitals",
                "disorders": 1,
                "down": True,
                "insanity": 3,
            },
        ),
        ("7", {"bleeding": 1, "recorded": "broken_hip", "movement": 4}),
        ("8", {"bleeding": 1}),
        ("9", {"bleeding": 1, "down": True}),
        ("10", {"down": True}),
    ],
    "legs": [
        ("1", {"dead": True}),
        ("2 3", {"bleeding": 2}),
        ("4", {"bleeding": 1, "recorded": "dismembered_leg", "movement": 3}),
        ("5", {"bleeding": 1, "recorded": "hamstrung"}),
        ("6", {"bleeding": 1, "skip": True, "down": None}),
        ("7", {"bleeding": 1, "skip": True}),
        ("8", {"bleeding": 1, "recorded": "broken_leg", "movement": 4, "adjacent": ""}),
        ("9", {"bleeding": 2}),
        ("10", {"down": True}),
    ],
    "brain": [
        ("1 2", {"dead": True}),
        ("3", {"proficiency": 0}),
        ("4", {"down": True, "insanity": 3, "dice": "5"}),
        ("5 6", {"disorders": 1, "insanity": 3, "dice": "a 5", "adjacent": "", "boxes": 1}),
        ("7 8", {"disorders": 1, "insanity": 3, "dice": "5"}),
        ("9", {"down": True, "insanity": 7, "dice": "7"}),
        ("10", {"insanity": 3, "token_speed": 1, "token_strength": 1, "dice": "5"}),
    ],
}
CASES = [
    (location, result, sheet)
    for location, rows in ROWS.items()
    for results, sheet in rows
    for result in results.split()
]
BEYOND = [
    ("maniacal_laughter", "5", {"down": True, "token_speed": -1, "insanity": 3, "priority": True}),
    ("clarity", "", {"down": True, "insanity": 1, "survival": 0, "disorders": 1}),
    ("impossible", "8 6", {"survival": 1, "insanity": 6, "token_luck": 2}),
]
"""Brain trauma 11, 12, 13: modifiers lead there."""

LIMITS = {
    "intracranial_hemorrhage": 1,
    "deaf": 1,
    "blind": 2,
    "shattered_jaw": 1,
    "dismembered_arm": 2,
    "ruptured_muscle": 1,
    "broken_arm": 2,
    "destroyed_back": 1,
    "intestinal_prolapse": 1,
    "destroyed_genitals": 1,
    "broken_hip": 1,
    "dismembered_leg": 2,
    "hamstrung": 1,
    "broken_leg": 2,
}
WITHOUT_LIMIT = ("contracture", "gaping_chest_wound", "broken_rib", "warped_pelvis")


def sheet(game: Game, one: Survivor) -> dict[str, object]:
    found: dict[str, object] = {
        "dead": one.status == "dead",
        "down": one.knocked_down is not None,
        "skip": one.skip_next_hunt,
        "disorders": len(one.disorders),
        "recorded": " ".join(one.severe_injuries),
        "boxes": sum(len(boxes) for boxes in one.injuries.values()),
        "priority": fight(game).priority_target == one.id,
        "others_survival": who(game, "erza").survival,
    }
    for stat in (
        *("survival", "insanity", "proficiency"),
        *("movement", "accuracy", "strength", "evasion", "luck", "speed"),
    ):
        found[stat] = getattr(one, stat)
    for token in ("bleeding", "movement", "strength", "speed", "luck"):
        name = token if token == "bleeding" else f"token_{token}"
        found[name] = one.tokens.get(token, 0)
    return found


def after(game: Game, changes: dict[str, object]) -> dict[str, object]:
    """Returns the sheet of a fresh founder with these changes."""
    fresh = sheet(first_story(), who(first_story()))
    left = {k: v for k, v in changes.items() if k not in ("dice", "adjacent")}
    return fresh | left


@pytest.mark.parametrize(("location", "result", "changes"), CASES)
def test_each_row_leaves_its_effect_on_the_sheet(
    location: str, result: str, changes: dict[str, object]
) -> None:
    game = first_story()
    choices = ["none"] if "adjacent" in changes else []
    dice = f"{result} {changes.get('dice', '')}"
    run(game, harm.severe_injury(game.table, "allister", location), given(dice, *choices))
    expected = after(game, changes)
    found = sheet(game, who(game))
    if changes.get("down", False) is None:
        del expected["down"], found["down"]
    assert found == expected


@pytest.mark.parametrize(("injury", "dice", "changes"), BEYOND)
def test_each_trauma_beyond_ten_leaves_its_effect(
    injury: str, dice: str, changes: dict[str, object]
) -> None:
    game = first_story()
    run(game, harm.suffer(game.table, "allister", injury), given(dice))
    assert sheet(game, who(game)) == after(game, changes)


def test_there_are_54_rows() -> None:
    results = [result for location, result, _ in CASES if location != "brain"]
    merged = {(location, str(changes)) for location, _, changes in CASES}
    assert len(results) == 50
    rows = [row for rows in ROWS.values() for row in rows]
    assert len(merged) <= len(rows)
    assert len(rows) + len(BEYOND) == 8 + 9 + 9 + 9 + 9 + 10


def test_head_explosion_costs_every_other_survivor_1_survival() -> None:
    game = first_story()
    run(game, harm.severe_injury(game.table, "allister", "head"), given("1"))
    assert [who(game, one).survival for one in ("erza", "lucy", "zachary")] == [0, 0, 0]


def test_final_breath_gives_the_adjacent_1_survival_within_the_limit() -> None:
    game = first_story()
    who(game, "erza").survival = 0
    run(game, harm.severe_injury(game.table, "allister", "waist"), given("2", "erza,lucy"))
    assert (who(game, "erza").survival, who(game, "lucy").survival) == (1, 1)
    assert not who(game).alive


def test_broken_leg_shakes_the_adjacent_with_1_brain_damage() -> None:
    game = first_story()
    who(game, "lucy").insanity = 1
    run(game, harm.severe_injury(game.table, "allister", "legs"), given("8", "erza,lucy"))
    assert who(game, "erza").injuries == {"brain": ["light"]}
    assert who(game, "lucy").insanity == 0
    assert who(game, "lucy").injuries == {}
    assert who(game, "zachary").injuries == {}


def test_danger_seizure_deals_1_damage_to_self_and_adjacent() -> None:
    game = first_story()
    run(game, harm.severe_injury(game.table, "allister", "brain"), given("6 a b 5", "erza"))
    assert who(game).injuries == {"arms": ["light"]}
    assert who(game, "erza").injuries == {"body": ["light"]}


def test_destroyed_tooth_is_spat_out_with_3_courage() -> None:
    game = first_story()
    who(game).courage = 3
    run(game, harm.severe_injury(game.table, "allister", "head"), given("10"))
    assert who(game).insanity == 2
    assert who(game).knocked_down is None


def test_memory_loss_takes_2_levels_of_proficiency() -> None:
    game = first_story()
    who(game).proficiency = 5
    run(game, harm.severe_injury(game.table, "allister", "brain"), given("3"))
    assert who(game).proficiency == 3


def test_flee_is_knockback_by_the_own_movement() -> None:
    game = first_story()
    who(game).movement = 4
    events = run(game, harm.severe_injury(game.table, "allister", "brain"), given("4 5"))
    assert [one.spaces for one in of(events, e.MovedAside)] == [4]


def test_clarity_kills_who_already_has_three_disorders() -> None:
    game = first_story()
    who(game).disorders = ["anxiety", "hoarder", "prey"]
    run(game, harm.suffer(game.table, "allister", "clarity"))
    assert who(game).status == "dead"
    assert len(who(game).disorders) == 3


@pytest.mark.parametrize(("injury", "most"), LIMITS.items())
def test_an_injury_recorded_as_often_as_it_may_be_gives_one_bleeding_token(
    injury: str, most: int
) -> None:
    game = first_story()
    one = who(game)
    for _ in range(most):
        choices = ["none"] if injury == "broken_leg" else []
        run(game, harm.suffer(game.table, "allister", injury), given("", *choices))
        one.tokens.pop("bleeding", None)
    before = (one.severe_injuries.copy(), one.accuracy, one.movement, one.insanity)
    assert before[0] == [injury] * most
    run(game, harm.suffer(game.table, "allister", injury))
    assert (one.severe_injuries, one.accuracy, one.movement, one.insanity) == before
    assert one.tokens == {"bleeding": 1}


@pytest.mark.parametrize("injury", WITHOUT_LIMIT)
def test_an_injury_that_can_be_recorded_many_times_counts_each_time(injury: str) -> None:
    game = first_story()
    stat = {
        "contracture": "accuracy",
        "gaping_chest_wound": "strength",
        "broken_rib": "speed",
        "warped_pelvis": "luck",
    }[injury]
    for _ in range(4):
        run(game, harm.suffer(game.table, "allister", injury))
    assert getattr(who(game), stat) == -4
    assert who(game).severe_injuries == [injury] * 4


def test_two_blinds_are_minus_4_in_all_and_retire_when_the_showdown_ends() -> None:
    game = first_story()
    run(game, harm.suffer(game.table, "allister", "blind"))
    assert who(game).accuracy == -1
    assert not who(game).retires
    run(game, harm.suffer(game.table, "allister", "blind"))
    assert who(game).accuracy == -4
    assert who(game).status == "alive"
    end(game, "victory")
    assert who(game).status == "retired"
    assert who(game).alive


def test_two_lost_legs_retire_when_the_showdown_ends() -> None:
    game = first_story()
    run(game, harm.suffer(game.table, "allister", "dismembered_leg"))
    assert not who(game).retires
    run(game, harm.suffer(game.table, "allister", "dismembered_leg"))
    assert who(game).movement == 1
    end(game, "victory")
    assert who(game).status == "retired"


def test_two_lost_arms_bar_every_weapon_even_fists_and_the_throw() -> None:
    game = survivors_turn()
    run(game, harm.suffer(game.table, "allister", "dismembered_arm"))
    attack.refuse_weapon(game.table, "allister", FISTS)
    run(game, harm.suffer(game.table, "allister", "dismembered_arm"))
    for action in (
        a.Attack(survivor="allister", weapon=FISTS),
        a.Attack(survivor="allister", weapon="founding_stone"),
        a.Activate(survivor="allister", thing="founding_stone"),
    ):
        with pytest.raises(Refused, match="Dismembered Arm"):
            game.do(action)
        game.rewind()


def test_a_destroyed_back_bars_gear_of_2_strength() -> None:
    game = survivors_turn()
    run(game, harm.suffer(game.table, "allister", "destroyed_back"))
    attack.refuse_weapon(game.table, "allister", "founding_stone")
    with pytest.raises(Refused, match="Destroyed Back"):
        attack.refuse_weapon(game.table, "allister", "bone_blade")


def test_intracranial_hemorrhage_neither_spends_nor_gains_survival() -> None:
    game = first_story()
    run(game, harm.suffer(game.table, "allister", "intracranial_hemorrhage"))
    with pytest.raises(BadInput, match="may not spend"):
        run(game, figures.spend_survival(game.table, "allister"))
    who(game).survival = 0
    run(game, figures.change(game.table, "allister", "survival", 1))
    assert who(game).survival == 0


def test_a_broken_hip_dodges_no_more() -> None:
    game = first_story()
    assert blows.may_dodge(game.table, "allister")
    run(game, harm.suffer(game.table, "allister", "broken_hip"))
    assert not blows.may_dodge(game.table, "allister")


def test_intestinal_prolapse_bars_gear_at_the_waist() -> None:
    game = first_story()
    run(game, harm.suffer(game.table, "allister", "intestinal_prolapse"))
    who(game).grid.clear()
    with pytest.raises(Refused, match="Intestinal Prolapse"):
        grids.refuse_gear(game.table, "allister", "cloth")


def test_a_torn_achilles_tendon_knocks_down_with_each_further_injury() -> None:
    game = first_story()
    run(game, harm.suffer(game.table, "allister", "torn_achilles_tendon"))
    run(game, harm.damage(game.table, "allister", "arms", 1))
    assert who(game).injuries["arms"] == ["light"]
    assert who(game).knocked_down == 1


def test_the_fifth_bleeding_token_kills() -> None:
    game = first_story()
    run(game, harm.bleed(game.table, "allister", 4))
    assert who(game).alive
    run(game, harm.bleed(game.table, "allister", 1))
    assert who(game).status == "dead"
    assert "bled" in who(game).cause


def test_an_injury_over_its_maximum_may_be_the_fifth_bleeding_token() -> None:
    game = first_story()
    who(game).severe_injuries = ["deaf"]
    who(game).tokens["bleeding"] = 4
    run(game, harm.suffer(game.table, "allister", "deaf"))
    assert who(game).status == "dead"
    assert "bled" in who(game).cause


def test_injuries_that_are_not_permanent_end_with_the_showdown() -> None:
    game = first_story()
    for injury in ("dislocated_shoulder", "slashed_back", "bruised_tail_bone"):
        run(game, harm.suffer(game.table, "allister", injury))
    assert conditions.barred(game.table, who(game), "paired")
    assert conditions.barred(game.table, who(game), "surge")
    assert conditions.barred(game.table, who(game), "dash")
    end(game, "victory")
    assert who(game).passing == []
    assert who(game).tokens == {}
    assert not conditions.barred(game.table, who(game), "paired")


def test_frenzy_bars_survival_and_can_be_had_again() -> None:
    game = first_story()
    run(game, harm.suffer(game.table, "allister", "frenzy"), given("10"))
    assert not figures.can_spend_survival(game.table, who(game))
    assert not blows.may_dodge(game.table, "allister")
    run(game, harm.suffer(game.table, "allister", "frenzy"), given("1"))
    assert who(game).tokens == {"speed": 2, "strength": 2}
    assert who(game).insanity == 6


# --- damage ---------------------------------------------------------------------------------------


def test_damage_is_spent_on_armor_then_light_then_heavy() -> None:
    game = first_story()
    run(game, harm.damage(game.table, "allister", "waist", 1))
    assert who(game).armor["waist"] == 0
    assert who(game).injuries == {}
    run(game, harm.damage(game.table, "allister", "waist", 1))
    assert who(game).injuries == {"waist": ["light"]}
    assert who(game).knocked_down is None
    run(game, harm.damage(game.table, "allister", "waist", 1))
    assert who(game).injuries == {"waist": ["light", "heavy"]}
    assert who(game).knocked_down == 1


def test_what_remains_of_one_hit_is_one_roll_whatever_it_is() -> None:
    game = first_story()
    events = run(game, harm.damage(game.table, "allister", "arms", 9), given("6"))
    assert who(game).injuries == {"arms": ["light", "heavy"]}
    assert [one.injury for one in of(events, e.SevereInjurySuffered)] == ["contracture"]


def test_the_head_has_only_a_heavy_box() -> None:
    game = first_story()
    run(game, harm.damage(game.table, "allister", "head", 1))
    assert who(game).injuries == {"head": ["heavy"]}
    assert who(game).knocked_down == 1


def test_insanity_is_the_armor_of_the_brain_which_has_one_box() -> None:
    game = first_story()
    who(game).insanity = 2
    run(game, harm.damage(game.table, "allister", "brain", 2))
    assert (who(game).insanity, who(game).injuries) == (0, {})
    run(game, harm.damage(game.table, "allister", "brain", 1))
    assert who(game).injuries == {"brain": ["light"]}
    assert who(game).knocked_down is None
    run(game, harm.damage(game.table, "allister", "brain", 2), given("7 3"))
    assert who(game).insanity == 2


def test_event_damage_ends_with_the_boxes() -> None:
    game = first_story()
    run(game, harm.damage(game.table, "allister", "body", 9, lethal=False))
    run(game, harm.damage(game.table, "allister", "brain", 9, lethal=False))
    assert who(game).injuries == {"body": ["light", "heavy"], "brain": ["light"]}
    assert who(game).severe_injuries == []
    assert not who(game).tokens


def test_one_already_down_is_not_knocked_down_again() -> None:
    game = first_story()
    run(game, harm.knock_down(game.table, "allister"))
    fight(game).round = 2
    run(game, harm.knock_down(game.table, "allister"))
    assert who(game).knocked_down == 1


def end(game: Game, outcome: str) -> None:
    fight(game).outcome = outcome
    game.state.phase = Phase(name="showdown", step="aftermath")

    def first(request: object, _state: object) -> object:
        return given("", request.options[0].id)  # type: ignore[attr-defined]

    game.do(a.Aftermath(), answer=first)  # type: ignore[arg-type]
