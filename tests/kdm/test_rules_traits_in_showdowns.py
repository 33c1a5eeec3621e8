"""Fighting arts, abilities, impairments and healing, where they matter in a showdown."""

from __future__ import annotations

import pytest

from kdmlog.core.errors import BadInput
from kdmlog.core.events import DiceRolled
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import Monster
from kdmlog.games.kdm.rules import figures, harm, healing, setup, where
from kdmlog.games.kdm.rules.effects import parse_effects
from kdmlog.games.kdm.rules.traits import moment

from .scene import (
    board,
    fight,
    first_story,
    given,
    of,
    on_board,
    on_top,
    play,
    run,
    survivors_turn,
    wear,
    who,
)
from .table import Game


def clawed(game: Game, dice: str, *answers: str) -> Game:
    """The lion plays Claw on Allister."""
    on_top(game, "ai", "claw")
    game.do(a.MonsterTurn(), given(dice, "allister", *answers))
    return game


def test_crossarm_block_takes_one_hit_at_the_arms() -> None:
    game = first_story()
    who(game).survival = 0
    who(game).fighting_arts = ["crossarm_block"]
    clawed(game, "9 9 h w", "head")
    assert who(game).injuries == {"arms": ["light"]}
    assert who(game).armor["waist"] == 0


def test_crossarm_block_may_be_left_and_asks_nothing_at_the_arms() -> None:
    game = first_story()
    who(game).survival = 0
    who(game).fighting_arts = ["crossarm_block"]
    clawed(game, "9 9 a a")
    assert who(game).injuries == {"arms": ["light", "heavy"]}


def test_the_last_words_of_an_orator_of_death_encourage_all_who_hear() -> None:
    game = survivors_turn()
    who(game).fighting_arts = ["orator_of_death"]
    for id_ in ("erza", "lucy"):
        run(game, harm.knock_down(game.table, id_))
    who(game, "lucy").severe_injuries = ["deaf"]
    run(game, harm.die(game.table, ["allister"], "teeth"))
    assert who(game, "erza").knocked_down is None
    assert who(game, "lucy").knocked_down is not None


def test_the_peerless_gain_as_much_survival_as_insanity() -> None:
    game = survivors_turn()
    game.state.settlement.survival_limit = 3
    who(game).abilities = ["peerless"]
    run(game, figures.change(game.table, "allister", "insanity", 2))
    assert (who(game).insanity, who(game).survival) == (2, 3)
    run(game, figures.change(game.table, "allister", "insanity", -1))
    assert (who(game).insanity, who(game).survival) == (1, 3)


@pytest.mark.parametrize(("answer", "tokens"), [("yes", {"speed": 1}), ("no", {})])
def test_a_fated_battle_begins_with_a_speed_token(answer: str, tokens: dict[str, int]) -> None:
    game = survivors_turn()
    who(game).abilities = ["fated_battle"]
    run(game, moment(game.table, "showdown_start", ["allister"]), given("", answer))
    assert who(game).tokens == tokens


def test_the_monster_does_not_react_to_consuming_grass() -> None:
    game = survivors_turn()
    who(game).impairments = ["consuming_grass"]
    on_top(game, "hit_locations", "strange_hand")
    events = game.do(a.Attack(survivor="allister", weapon="fist_and_tooth"), given("9 1 2"))
    assert of(events, e.WoundAttempted)
    assert not of(events, e.TargetPicked)


def test_the_monster_never_picks_consuming_grass() -> None:
    game = first_story()
    who(game, "lucy").impairments = ["consuming_grass"]
    on_top(game, "ai", "claw")
    with pytest.raises(BadInput, match="lucy"):
        game.do(a.MonsterTurn(), given("", "lucy"))


def test_consuming_grass_dies_when_the_showdown_ends() -> None:
    game = survivors_turn()
    who(game, "lucy").impairments = ["consuming_grass"]
    fight(game).outcome = "victory"
    game.state.phase.step = "aftermath"
    game.do(a.Aftermath(), answer=lambda request, _: given("", request.options[0].id))  # type: ignore[union-attr]
    assert who(game, "lucy").status == "dead"
    assert who(game, "lucy").hunt_xp == 0


def test_the_coprolalic_cannot_hide() -> None:
    game = survivors_turn()
    who(game).disorders = ["coprolalia"]
    game.do(a.Activate(survivor="allister", thing="tall_grass"))
    assert not who(game).benefits


@pytest.mark.parametrize("card", ["giant_stone_face", "toppled_pillar"])
def test_a_strategist_may_add_terrain(card: str) -> None:
    game = survivors_turn()
    lion = game.library.get(Monster, "white_lion")
    who(game).fighting_arts = ["strategist"]
    found: list[str] = []

    def terrain() -> object:
        found.extend((yield from setup.terrain(game.table, lion, first_story=False)))

    run(game, terrain(), given("", card))  # type: ignore[arg-type]
    assert found[-1] == card
    assert len(found) == sum(lion.terrain.values()) + lion.random_terrain + 1


# --- healing --------------------------------------------------------------------------------------


def hurt() -> Game:
    """Allister with Cloth that is torn, and injuries at three places."""
    game = survivors_turn()
    one = who(game)
    one.armor["waist"] = 0
    one.injuries = {"waist": ["light", "heavy"], "head": ["heavy"], "brain": ["light"]}
    return game


def test_healing_erases_all_injury_levels_and_restores_lost_armor() -> None:
    game = hurt()
    run(game, healing.heal(game.table, "allister"))
    assert not any(who(game).injuries.values())
    assert who(game).armor["waist"] == 1


def test_one_location_may_be_healed_alone() -> None:
    game = hurt()
    play(game, [{"heal": {"at": "waist"}}], who="allister")
    assert {at for at, boxes in who(game).injuries.items() if boxes} == {"head", "brain"}
    assert who(game).armor["waist"] == 1


def test_healing_never_takes_armor_away() -> None:
    game = hurt()
    who(game).armor["waist"] = 3
    run(game, healing.heal(game.table, "allister"))
    assert who(game).armor["waist"] == 3


def test_what_a_card_of_the_table_heals_is_typed_as_an_effect() -> None:
    names = {"allister": "Allister"}
    [whole, waist] = parse_effects(["heal al", "heal al waist"], names, {})
    game = hurt()
    for step in (waist, whole):
        play(game, [{step.verb: {"who": step.body.who, "at": step.body.at}}])  # type: ignore[attr-defined]
    assert not any(who(game).injuries.values())


# --- attacks and collisions -----------------------------------------------------------------------


def attacked(game: Game, dice: str, hits: int) -> list[object]:
    """Allister attacks with his fists; returns what was rolled."""
    events = game.do(a.Attack(survivor="allister", weapon="fist_and_tooth"), given(dice))
    assert of(events, e.HitsScored)[0].hits == hits
    return [one.faces for one in of(events, DiceRolled) if one.purpose.endswith("attack")]


def test_caratosis_makes_an_attack_roll_hit_for_each_red_affinity() -> None:
    game = survivors_turn()
    who(game).abilities = ["caratosis", "dream_of_the_beast"]  # the dream is one red affinity
    on_top(game, "hit_locations", "beasts_femur")
    assert attacked(game, "1 2", 1) == [(1,)]  # one die is not rolled


def test_no_more_dice_hit_by_themselves_than_there_are() -> None:
    game = survivors_turn()
    who(game).abilities = ["caratosis"]
    who(game).abilities.append("dream_of_the_beast")
    who(game).speed = -1
    on_top(game, "hit_locations", "beasts_femur")
    assert attacked(game, "2", 1) == []


def test_with_legendary_lungs_each_hit_rolls_again_once() -> None:
    game = survivors_turn()
    who(game).fighting_arts = ["legendary_lungs"]
    on_top(game, "hit_locations", "beasts_femur", "beasts_femur")
    assert attacked(game, "9 1 1 2", 1) == [(9, 1), (1,)]


@pytest.mark.parametrize(("face", "down"), [("6", None), ("5", 1)])
def test_a_tumbler_evades_a_collision_on_6(face: str, down: int | None) -> None:
    game = on_board(lucy=(11, 7))
    who(game, "lucy").fighting_arts = ["tumble"]
    play(game, [{"move": {"how": "forward", "spaces": 3}}], given(face))
    assert who(game, "lucy").knocked_down == down
    at = board(game).survivors["lucy"]
    assert at not in where.monster_spaces(board(game))


@pytest.mark.parametrize(("face", "hurt"), [("6", False), ("5", True)])
def test_a_tumbler_suffers_nothing_that_a_collision_brings(face: str, hurt: bool) -> None:
    """Vapor of Nothingness hurts whoever collides; who tumbles does not."""
    game = on_board(lucy=(11, 7))
    who(game, "lucy").fighting_arts = ["tumble"]
    game.state.decks["ai"].zones.setdefault("in_play", []).append("vapor_of_nothingness")
    play(game, [{"move": {"how": "forward", "spaces": 3}}], given(face))
    assert bool(who(game, "lucy").injuries) is hurt


def test_rawhide_may_give_survival_back_after_a_survival_action() -> None:
    game = survivors_turn()
    game.state.settlement.innovations = ["paint"]
    who(game).survival = 1
    pieces = ("headband", "gloves", "vest", "pants", "boots")
    wear(game, **{f"c{n}": f"rawhide_{piece}" for n, piece in enumerate(pieces, start=3)})
    game.do(a.SurvivalAction(survivor="allister", what="dash"), given("6"))
    assert who(game).survival == 1
