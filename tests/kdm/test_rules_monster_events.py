"""Story events that monsters call: every row, with the rulebook's figures."""

from __future__ import annotations

import pytest

from kdmlog.core.errors import NotNow
from kdmlog.core.inputs import Inputs
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import AiCard
from kdmlog.games.kdm.rules import stories, survival, targets

from .scene import developing, fight, first_story, given, of, run, survivors_turn, wear, who
from .table import Game


def trigger(game: Game, event: str, inputs: Inputs | None = None, *, by: str = "lucy") -> None:
    """Plays a story event for Lucy."""
    run(game, stories.trigger(game.table, event, who=by), inputs)


def wounded(game: Game, count: int) -> None:
    """Leaves the lion with so many wounds."""
    for _ in range(count):
        card = game.state.decks["ai"]["deck"].pop(0)
        game.state.decks["ai"].zones.setdefault("wounds", []).append(card)
    fight(game).wounds = count


# --- Crush & Devour -------------------------------------------------------------------------------


def test_swallowed_whole_on_1_or_2_heals_the_monster_and_quickens_it() -> None:
    game = first_story()
    wounded(game, 2)
    trigger(game, "crush_and_devour", given("2"))
    assert not who(game, "lucy").alive
    assert (fight(game).wounds, fight(game).tokens) == (1, {"speed": 1})


@pytest.mark.parametrize(("face", "injury"), [("3", "dismembered_leg"), ("6", "dismembered_arm")])
def test_a_leg_on_3_or_4_an_arm_on_5_or_6(face: str, injury: str) -> None:
    game = first_story()
    wounded(game, 1)
    trigger(game, "crush_and_devour", given(face))
    assert who(game, "lucy").severe_injuries == [injury]
    assert fight(game).wounds == 0


def test_a_useless_fight_is_brain_damage_for_each_level() -> None:
    game = first_story()
    trigger(game, "crush_and_devour", given("7 3"))
    assert who(game, "lucy").injuries == {"brain": ["light"]}


def test_who_is_chewed_is_damaged_at_every_location() -> None:
    game = first_story()
    trigger(game, "crush_and_devour", given("8 4"))
    assert who(game, "lucy").injuries["legs"] == ["light"]
    assert who(game, "lucy").armor["waist"] == 0


def test_a_pulsing_organ_torn_free_wounds_and_brings_everyone_back() -> None:
    game = first_story()
    for id_ in ("lucy", "erza"):
        who(game, id_).status_cards["gobbled_up"] = 0
    trigger(game, "crush_and_devour", given("9 8 9 5"))
    assert fight(game).wounds == 1
    assert who(game, "lucy").resources == ["second_heart"]
    assert who(game, "lucy").injuries == {"arms": ["light"]}
    people = [who(game, "lucy"), who(game, "erza")]
    assert [one.status_cards for one in people] == [{}, {}]
    assert (who(game, "erza").understanding, who(game, "lucy").insanity) == (1, 1)


def test_whoever_is_gobbled_up_has_an_act_and_nothing_to_spend_and_is_no_target() -> None:
    game = survivors_turn()
    who(game, "lucy").status_cards["gobbled_up"] = 0
    fight(game).priority_target = "lucy"
    card = game.library.get(AiCard, "claw")
    picking = targets.pick(game.table, card)
    assert "lucy" not in {one.id for one in next(picking).options}
    assert "off the board" in survival.refusal(game.table, "lucy", "dodge")
    game.do(a.Act(survivor="lucy"), given("9 1"))
    with pytest.raises(NotNow, match="off the board"):
        game.do(a.Attack(survivor="lucy"))


@pytest.mark.parametrize(
    ("face", "gained"),
    [
        ("3", {"knocked_down": 1, "injuries": {"brain": ["light"]}}),
        ("4", {"knocked_down": 1, "insanity": 1}),
        ("9", {"knocked_down": None, "understanding": 1}),
        ("10", {"knocked_down": None, "resources": ["large_flat_tooth"]}),
    ],
)
def test_regurgitate(face: str, gained: dict[str, object]) -> None:
    game = first_story()
    who(game, "lucy").status_cards["gobbled_up"] = 0
    tooth = ["lucy"] if face == "10" else []  # who gains what the tooth gives
    trigger(game, "regurgitate", given(face, *tooth))
    assert {name: getattr(who(game, "lucy"), name) for name in gained} == gained
    assert fight(game).wounds == (face == "10")


# --- King's Step ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "choices", "tempo", "left"),
    [
        ("1", [], None, {"injuries": {"brain": ["light"]}}),
        ("2 10", [], 1, {"knocked_down": 1}),
        ("4", ["yes"], 1, {"survival": 0}),
        ("4 10", ["no"], 1, {"survival": 1}),
        ("7", [], 1, {"knocked_down": 1}),
        ("8", [], 1, {"injuries": {"legs": ["light"]}}),
        ("10", [], None, {"fighting_arts": ["kings_step"]}),
    ],
)
def test_overcome(
    dice: str, choices: list[str], tempo: int | None, left: dict[str, object]
) -> None:
    game = survivors_turn()
    trigger(game, "kings_step", given(dice, *choices))
    lucy = who(game, "lucy")
    assert lucy.tokens.get("tempo") == tempo
    assert {name: getattr(lucy, name) for name in left} == left


def test_each_tempo_token_adds_1_and_forbidden_dance_gives_two() -> None:
    game = survivors_turn()
    game.state.settlement.innovations.append("forbidden_dance")
    who(game, "lucy").tokens["tempo"] = 1
    who(game, "lucy").status_cards["battle_tempo"] = 0
    trigger(game, "kings_step", given("7"))
    assert [one.spaces for one in of(game.log, e.MovedAside)] == [3]
    assert who(game, "lucy").fighting_arts == ["kings_step"]
    assert who(game, "lucy").status_cards == {}


# --- King's Curse ---------------------------------------------------------------------------------


def test_the_kings_curse_rolls_again_for_a_location_in_regal_armor() -> None:
    game = survivors_turn()
    wear(game, "lucy", c5="regal_greaves")
    trigger(game, "kings_curse", given("l w"))
    assert "destroyed_genitals" in who(game, "lucy").severe_injuries
    assert "regal_faulds" in [game.state.gear[one] for one in who(game, "lucy").grid.values()]


def test_one_piece_of_regal_armor_a_lantern_year() -> None:
    game = survivors_turn()
    trigger(game, "kings_curse", given("l"))
    trigger(game, "kings_curse")
    found = [card for card in game.state.gear.values() if card.startswith("regal_")]
    assert found == ["regal_greaves"]


def test_the_plackart_hurts_the_minds_of_the_others_and_teaches_kings_step() -> None:
    game = survivors_turn()
    for id_ in game.state.survivors:
        who(game, id_).insanity = 3
    trigger(game, "kings_curse", given("b"))
    assert [one.insanity for one in game.state.survivors.values()] == [0, 0, 3, 0]
    assert who(game, "lucy").fighting_arts == ["kings_step"]


def test_who_completes_the_regal_armor_is_one_of_the_kings_men() -> None:
    game = survivors_turn()
    pieces = {
        "c5": "regal_helm",
        "c6": "regal_gauntlet",
        "c8": "regal_plackart",
        "c9": "regal_faulds",
    }
    wear(game, "lucy", **pieces)
    trigger(game, "kings_curse", given("h l"))
    assert not who(game, "lucy").alive


# --- learning -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("face", "drums", "arts"),
    [
        ("2", True, []),
        ("7", False, []),
        ("3", True, ["legendary_lungs"]),
        ("8", False, ["legendary_lungs"]),
    ],
)
def test_legendary_lungs(face: str, drums: bool, arts: list[str]) -> None:
    game = survivors_turn()
    game.state.settlement.survival_limit = 6
    if drums:
        game.state.settlement.innovations.append("drums")
    trigger(game, "legendary_lungs", given(face))
    assert who(game, "lucy").fighting_arts == arts
    assert who(game, "lucy").survival == (1 if face == "2" else 4)


@pytest.mark.parametrize(
    ("face", "understanding", "dance", "arts", "disorders", "insanity"),
    [
        ("2", 3, True, [], ["fear_of_the_dark"], 3),
        ("3", 2, False, [], [], 0),
        ("7", 3, False, ["rhythm_chaser"], [], 0),
        ("7", 0, True, ["zero_presence"], [], 3),
        ("8", 0, False, ["zero_presence"], [], 3),
    ],
)
def test_zero_presence(
    face: str, understanding: int, dance: bool, arts: list[str], disorders: list[str], insanity: int
) -> None:
    game = survivors_turn()
    who(game, "lucy").understanding = understanding
    if dance:
        game.state.settlement.innovations.append("forbidden_dance")
    trigger(game, "zero_presence", given(face))
    lucy = who(game, "lucy")
    assert (lucy.fighting_arts, lucy.disorders, lucy.insanity) == (arts, disorders, insanity)


# --- Phoenix Feather ------------------------------------------------------------------------------


def test_the_phoenix_may_be_hunted_and_the_one_who_speaks_may_die_of_it() -> None:
    game = developing()
    game.state.settlement.milestones.append("first_death")
    trigger(game, "phoenix_feather", given("3", "lucy"), by="")
    assert "phoenix" in game.state.settlement.quarries
    assert not who(game, "lucy").alive


def test_the_feather_examined_is_a_resource() -> None:
    game = developing()
    game.state.settlement.principles.append("survival_of_the_fittest")
    trigger(game, "phoenix_feather", given("4", "lucy"), by="")
    lucy = who(game, "lucy")
    assert (lucy.courage, lucy.understanding, lucy.evasion) == (1, 1, 1)
    assert lucy.disorders == ["honorable"]
    assert game.state.settlement.storage.resources["tail_feathers"] == 1


def test_the_feather_stashed_away_makes_crazed() -> None:
    game = developing()
    before = who(game, "erza").insanity
    trigger(game, "phoenix_feather", given("6", "lucy"), by="")
    lucy = who(game, "lucy")
    assert (lucy.fighting_arts, lucy.disorders, lucy.courage) == (["crazed"], ["hoarder"], 2)
    assert who(game, "erza").insanity == before + 2
