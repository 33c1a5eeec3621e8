"""Run Away: who may, what the roll makes of them, and how the showdown goes on without them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kdmlog.core.errors import NotNow, Refused
from kdmlog.core.inputs import Inputs
from kdmlog.core.requests import Ask, Roll
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import Monster
from kdmlog.games.kdm.rules import conditions, harm
from kdmlog.games.kdm.state import State

from .scene import board, fight, given, of, on_board, on_top, run, survivors_turn, who
from .table import Game

ALL = ("allister", "erza", "lucy", "zachary")


def turn() -> Game:
    game = survivors_turn()
    game.state.settlement.innovations = ["pictograph"]
    return game


def flee(game: Game, dice: str, *ids: str) -> None:
    game.do(a.RunAway(survivors=list(ids or ["lucy"])), given(dice))


def here(game: Game) -> list[str]:
    return conditions.taking_part(game.state)


def next_monster_turn(game: Game, inputs: Inputs | None = None) -> None:
    """The lion draws Claw and falls short of Allister."""
    game.do(a.EndTurn())
    on_top(game, "ai", "claw")
    inputs = inputs or Inputs()
    inputs.choices.append("far_allister")
    game.do(a.MonsterTurn(), inputs)


def test_nobody_runs_away_without_pictographs() -> None:
    with pytest.raises(Refused, match="Pictographs"):
        flee(survivors_turn(), "10")


def test_some_monsters_let_nobody_go() -> None:
    game = turn()
    lion = game.library.get(Monster, "white_lion")
    game.library._decoded["monster", "white_lion"] = replace(lion, rules=["no_running_away"])
    with pytest.raises(Refused, match="runs away from the White Lion"):
        flee(game, "10")


def test_a_1_is_death() -> None:
    game = turn()
    flee(game, "1")
    assert who(game, "lucy").status == "dead"


def test_a_10_is_home_and_out_of_the_showdown() -> None:
    game = turn()
    game.do(a.Act(survivor="lucy"))
    flee(game, "10")
    assert who(game, "lucy").status == "alive"
    assert here(game) == ["allister", "erza", "zachary"]
    assert fight(game).act is None
    with pytest.raises(Refused):
        game.do(a.Act(survivor="lucy"))
    game.rewind()
    next_monster_turn(game)
    assert here(game) == ["allister", "erza", "zachary"]


@pytest.mark.parametrize("face", ["8", "9"])
def test_8_and_9_skip_the_next_hunt(face: str) -> None:
    game = turn()
    flee(game, face)
    assert who(game, "lucy").skip_next_hunt
    assert "lucy" not in here(game)


@pytest.mark.parametrize("face", ["6", "7"])
def test_6_and_7_bleed_and_roll_again_one_higher(face: str) -> None:
    game = turn()
    flee(game, f"{face} 7")  # 8: home, and no next hunt
    assert who(game, "lucy").tokens == {"bleeding": 2}
    assert who(game, "lucy").skip_next_hunt


def test_bleeding_to_death_ends_the_flight() -> None:
    game = turn()
    who(game, "lucy").tokens["bleeding"] = 3
    flee(game, "6")
    assert who(game, "lucy").status == "dead"


@pytest.mark.parametrize("face", ["2", "3"])
def test_2_and_3_are_back_beside_the_monster_knocked_down(face: str) -> None:
    game = turn()
    flee(game, face)
    assert "lucy" not in here(game)
    next_monster_turn(game)
    assert "lucy" in here(game)
    assert who(game, "lucy").knocked_down == 2


def test_4_and_5_are_back_at_a_board_edge() -> None:
    game = on_board(lucy=(5, 5))
    game.state.settlement.innovations = ["pictograph"]
    flee(game, "4")  # at any time: it is the monster's turn
    assert "lucy" not in board(game).survivors
    on_top(game, "ai", "claw")
    game.do(a.MonsterTurn(), given("", at="22-7"), answer=_any)
    assert board(game).survivors["lucy"] == (22, 7)
    assert who(game, "lucy").knocked_down is None


def _any(request: Ask, _state: State) -> Inputs:
    return given("1 1") if isinstance(request, Roll) else given("", request.options[0].id)  # type: ignore[union-attr]


def test_homing_instinct_adds_5() -> None:
    game = turn()
    who(game, "lucy").abilities = ["homing_instinct"]
    flee(game, "5")
    assert "lucy" not in here(game)
    assert not who(game, "lucy").skip_next_hunt


def test_when_all_are_dead_or_fled_the_showdown_is_lost() -> None:
    game = turn()
    run(game, harm.die(game.table, ["allister"], "teeth"))
    flee(game, "10 10 10", "erza", "lucy", "zachary")
    assert fight(game).outcome == "defeat"


def test_whoever_will_be_back_keeps_the_showdown_going() -> None:
    game = turn()
    flee(game, "10 10 10 4", *ALL)
    assert fight(game).outcome == ""
    assert here(game) == []
    assert len(of(game.log, e.SurvivorFled)) == 4


def test_in_edition_1_6_running_away_takes_a_standing_survivors_act() -> None:
    game = turn()
    game.state.edition = "1.6"
    game.do(a.Act(survivor="lucy"))
    with pytest.raises(NotNow, match="no act left"):
        flee(game, "10")
    game.rewind()
    run(game, harm.knock_down(game.table, "zachary"))
    with pytest.raises(NotNow, match="no act left"):
        flee(game, "10", "zachary")
    game.rewind()
    flee(game, "4", "erza")
    assert "erza" in fight(game).acted
