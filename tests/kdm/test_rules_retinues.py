"""The watcher's retinues on the board (rulebook, Showdown: Watcher, Retinue Rules)."""

from __future__ import annotations

import pytest

from kdmlog.core.errors import NotNow, Refused
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.explained import Supposed, explain
from kdmlog.games.kdm.onboard import on_board as seen
from kdmlog.games.kdm.rules import (
    conditions,
    effects,
    harm,
    moving,
    placing,
    pushing,
    survival,
    walking,
    where,
)
from kdmlog.games.kdm.rules.opportunity import opportunity
from kdmlog.games.kdm.state import Phase, Space, Tile

from . import boarder
from .scene import board, fight, given, of, on_board, play, run, wear, who
from .table import Game
from .test_random_showdowns import departed

AFAR: dict[str, Space] = {"allister": (1, 1), "erza": (22, 1), "lucy": (11, 3), "zachary": (22, 16)}
"""Nobody near the middle but Lucy, south of it."""


def watched(retinues: dict[str, Space] | None = None, **survivors: Space) -> Game:
    """A survivors' turn on the board, where everyone may have a retinue; these have one."""
    game = on_board(**(AFAR | survivors))
    fight(game).turn = "survivors"
    game.state.phase = Phase(name="showdown", step="survivors")
    for one in game.state.survivors.values():
        one.status_cards["retinue"] = 0
        one.survival = 3
    board(game).retinues |= retinues or {}
    game.state.settlement.population = 14
    game.state.settlement.innovations += ["language", "paint"]
    return game


def command(game: Game, id_: str, to: str) -> list[object]:
    return list(game.do(a.Activate(survivor=id_, thing="retinue"), given(to=to)))


def people(game: Game) -> int:
    return game.state.settlement.population


# --- summoning ------------------------------------------------------------------------------------


def test_a_retinue_comes_from_the_nearest_edge_and_takes_nothing_of_the_act() -> None:
    game = watched()
    events = command(game, "lucy", "12 4")
    assert board(game).retinues == {"lucy": (12, 4)}
    [placed] = of(events, e.RetinuePlaced)
    assert placed.at == (12, 1)
    [moved] = of(events, e.RetinueMoved)
    assert moved.path == ((12, 2), (12, 3), (12, 4))
    act = fight(game).act
    assert act is not None
    assert (act.movement, act.activation) == (1, 1)


def test_along_the_edge_it_comes_without_a_step() -> None:
    game = watched()
    events = command(game, "lucy", "5-14")
    assert board(game).retinues == {"lucy": (5, 14)}
    assert not of(events, e.RetinueMoved)


@pytest.mark.parametrize("to", ["5 6", "17 6", "9 9"])
def test_it_moves_up_to_five_spaces_from_the_edge(to: str) -> None:
    game = watched(lucy=(3, 3))
    fight(game).board.monster = (21, 1)  # type: ignore[union-attr]
    if to == "5 6":
        command(game, "lucy", to)
        assert board(game).retinues == {"lucy": (5, 6)}
        return
    with pytest.raises(Refused, match="moves 5"):
        command(game, "lucy", "9 7" if to == "17 6" else "9 8")
    assert board(game).retinues == {}


def test_told_a_survivor_it_stands_beside_them() -> None:
    game = watched()
    command(game, "lucy", "lucy")
    assert where.retinues_beside(game.state, "lucy") == ["lucy"]


@pytest.mark.parametrize("there", ["monster", "survivor", "retinue", "impassable"])
def test_it_stands_on_unoccupied_spaces_only(there: str) -> None:
    game = watched({"erza": (1, 6)} if there == "retinue" else None)
    if there == "monster":
        board(game).monster = (3, 6)
    if there == "survivor":
        board(game).survivors["zachary"] = (3, 6)
    if there == "impassable":
        board(game).tiles["giant_stone_face.1"] = Tile(terrain="giant_stone_face", at=(3, 6))
        game.state.diagrams["giant_stone_face.rules"] = "impassable"
    with pytest.raises(Refused):
        command(game, "lucy", "2 5")


def test_once_an_act_and_it_does_not_march_in_the_act_in_which_it_came() -> None:
    game = watched()
    command(game, "lucy", "1 14")
    with pytest.raises(Refused, match="has come or marched"):
        command(game, "lucy", "1 13")


def test_whoever_has_no_such_card_commands_none() -> None:
    game = watched()
    who(game, "lucy").status_cards.clear()
    with pytest.raises(Refused):
        command(game, "lucy", "1 14")


def test_nobody_commands_one_lying_down() -> None:
    game = watched()
    who(game, "lucy").knocked_down = 1
    with pytest.raises(NotNow):
        command(game, "lucy", "1 14")


# --- marching -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("to", "end"), [("6 7", (6, 7)), ("5e", (8, 5)), ("2n3e", (6, 7))])
def test_in_its_survivors_act_it_marches_up_to_five_spaces(to: str, end: Space) -> None:
    game = watched({"lucy": (3, 5)})
    events = command(game, "lucy", to)
    assert board(game).retinues == {"lucy": end}
    [moved] = of(events, e.RetinueMoved)
    assert len(moved.path) == 5
    with pytest.raises(Refused, match="has come or marched"):
        command(game, "lucy", "3 5")


def test_six_spaces_are_too_far_and_standing_still_is_no_march() -> None:
    game = watched({"lucy": (3, 5)})
    for to in ("6e", "3 11"):
        with pytest.raises(Refused, match="cannot get there"):
            command(game, "lucy", to)
        game.rewind()
    with pytest.raises(Refused, match="stands there already"):
        command(game, "lucy", "3 5")


def test_it_goes_around_what_a_survivor_could_not_walk_through() -> None:
    game = watched({"lucy": (3, 1)}, zachary=(6, 3))
    with pytest.raises(Refused):
        command(game, "lucy", "7 1")
    game.rewind()
    board(game).survivors["zachary"] = (6, 4)
    command(game, "lucy", "7 1")
    assert board(game).retinues == {"lucy": (7, 1)}


def test_the_next_round_it_marches_again() -> None:
    game = watched({"lucy": (3, 5)})
    command(game, "lucy", "e")
    game.do(a.EndTurn())
    fight(game).turn = "survivors"
    game.state.phase = Phase(name="showdown", step="survivors")
    command(game, "lucy", "e")
    assert board(game).retinues == {"lucy": (5, 5)}


def test_one_destroyed_after_its_march_may_be_followed_by_another() -> None:
    game = watched({"lucy": (3, 5)})
    command(game, "lucy", "e")
    board(game).retinues.clear()
    command(game, "lucy", "1 14")
    assert board(game).retinues == {"lucy": (1, 14)}


# --- double march ---------------------------------------------------------------------------------


def march(game: Game, id_: str, *to: str) -> list[object]:
    return list(game.do(a.SurvivalAction(survivor=id_, what="march", target=list(to))))


def test_for_1_survival_it_marches_once_a_round_beside_the_survivors_own_dash() -> None:
    game = watched({"lucy": (3, 5)})
    march(game, "lucy", "2e")
    assert board(game).retinues == {"lucy": (5, 5)}
    assert who(game, "lucy").survival == 2
    with pytest.raises(Refused, match="has done so this round"):
        march(game, "lucy", "2e")
    game.do(a.SurvivalAction(survivor="lucy", what="dash", target=["n"]))
    assert who(game, "lucy").survival == 1


@pytest.mark.parametrize("why", ["no retinue", "no paint", "knocked down", "barred", "attacking"])
def test_only_when_its_survivor_could_dash(why: str) -> None:
    game = watched({} if why == "no retinue" else {"lucy": (3, 5)})
    if why == "no paint":
        game.state.settlement.innovations.remove("paint")
    if why == "knocked down":
        who(game, "lucy").knocked_down = 1
    if why == "barred":
        who(game, "lucy").bars["dash"] = "showdown_end"
    if why == "attacking":
        fight(game).attacker = "lucy"
    assert survival.refusal(game.table, "lucy", "march")


def test_it_is_offered_wherever_survivors_may_interrupt() -> None:
    game = watched({"lucy": (3, 5)})
    run(
        game,
        opportunity(game.table, "flow", ("ai_card:harrow",)),
        given("", "march_lucy", "pass", to="e"),
    )
    assert board(game).retinues == {"lucy": (4, 5)}


# --- coordinated attack ---------------------------------------------------------------------------


def test_each_retinue_beside_an_attacker_is_6_strength_and_explained() -> None:
    game = watched({"lucy": (12, 2), "erza": (8, 2), "zachary": (1, 12)})
    told = explain(game.table, Supposed(survivor="lucy"))
    stone, lent = told.strength.parts
    assert (lent.of, lent.by) == ("Retinue", 12)
    assert told.attributes["strength"].total == 0, "it is lent for an attack, and no attribute"
    assert explain(game.table, Supposed(survivor="erza")).strength.parts == (stone,)


def test_it_counts_for_the_wound_attempts_of_an_attack() -> None:
    game = watched({"erza": (12, 6)}, lucy=(11, 7))
    game.state.settlement.innovations.clear()
    wear(game, "lucy", c1="bone_axe")
    game.do(a.Attack(survivor="lucy", weapon="bone_axe"), given("9 1 3", draw="strange_hand"))
    [wound] = of(game.log, e.WoundAttempted)
    assert wound.total == 3 + 3 + 6


def test_no_question_is_asked_of_it_on_the_board() -> None:
    game = watched({"lucy": (12, 2)})
    game.do(a.Act(survivor="lucy"))
    game.do(a.EndAct())
    assert board(game).retinues == {"lucy": (12, 2)}


# --- no target ------------------------------------------------------------------------------------


def test_a_retinue_is_nobody_whom_the_monster_counts() -> None:
    game = watched({"lucy": (9, 4)})
    assert "retinue" not in conditions.taking_part(game.state)
    view = seen(game.table)
    assert view is not None
    assert set(view.survivors) == set(AFAR)
    assert view.retinues == {"lucy": (9, 4)}


def test_survivors_do_not_walk_through_it() -> None:
    game = watched({"erza": (10, 4)})
    with pytest.raises(Refused, match="taken"):
        run(game, walking.walk(game.table, "lucy", ["2n"]))


def test_a_survivor_pushed_against_it_collides_as_with_impassable_terrain() -> None:
    game = watched({"erza": (10, 2)}, lucy=(11, 7))
    run(game, pushing.push(game.table, "lucy", 5))
    assert board(game).survivors["lucy"] == (11, 5)
    assert who(game, "lucy").knocked_down == 1
    assert [one.into for one in of(game.log, e.Collided)] == ["retinue"]
    assert board(game).retinues == {"erza": (10, 2)}


# --- struck and destroyed -------------------------------------------------------------------------


@pytest.mark.parametrize(("face", "left", "population"), [("3", 1, 14), ("4", 0, 10)])
def test_one_that_the_monster_passes_over_is_destroyed_on_4_or_more(
    face: str, left: int, population: int
) -> None:
    game = watched({"erza": (10, 5)}, lucy=(11, 1))
    board(game).monster = (11, 9)
    run(game, moving.approach(game.table, "lucy"), given(face))
    assert board(game).monster == (11, 3)
    assert (len(board(game).retinues), people(game)) == (left, population)


def test_one_on_which_the_monster_ends_its_movement_is_destroyed() -> None:
    game = watched({"erza": (10, 2)}, lucy=(11, 1))
    board(game).monster = (11, 8)
    run(game, moving.approach(game.table, "lucy"))
    assert board(game).retinues == {}
    assert people(game) == 10


def test_one_is_destroyed_with_the_survivor_who_commands_it() -> None:
    game = watched({"erza": (10, 2), "lucy": (14, 2)})
    run(game, harm.die(game.table, ["erza"], "test"))
    assert board(game).retinues == {"lucy": (14, 2)}
    assert people(game) == 14 - 1 - 4


@pytest.mark.parametrize("at", ["brain", "head"])
def test_damage_to_all_survivors_strikes_every_retinue(at: str) -> None:
    game = watched({"erza": (3, 2), "lucy": (14, 2)})
    for one in game.state.survivors.values():
        one.insanity = one.armor["head"] = 5
    play(game, [{"damage": {"who": "all", "normal": 1, "at": at}}], given("3 4"))
    assert board(game).retinues == {"erza": (3, 2)}
    assert people(game) == 10


@pytest.mark.parametrize("who_", ["target", "@lucy", "adjacent_to_monster"])
def test_other_damage_does_not(who_: str) -> None:
    game = watched({"lucy": (14, 2)})
    fight(game).target = "lucy"
    who(game, "lucy").armor["head"] = 5
    play(game, [{"damage": {"who": who_, "normal": 1, "at": "head"}}])
    assert board(game).retinues == {"lucy": (14, 2)}


def test_what_strikes_all_that_the_watcher_faces_strikes_the_retinues_before_it() -> None:
    game = watched({"erza": (9, 5), "lucy": (14, 10)})
    play(game, [{"retinue": {"faced": True}}], given("10"))
    assert board(game).retinues == {"lucy": (14, 10)}


def test_players_who_read_their_card_type_that_a_retinue_is_struck() -> None:
    game = watched({"lucy": (14, 10)})
    names = {id_: one.name for id_, one in game.state.survivors.items()}
    [step] = effects.parse_effects(["retinue lu"], names, {})
    play(game, [{"retinue": {"who": step.body.who}}], given("4"))  # type: ignore[attr-defined]
    assert board(game).retinues == {}


def test_knocking_everybody_back_leaves_it_where_it_is() -> None:
    game = watched({"erza": (9, 5)})
    play(game, [{"knockback": {"who": "others", "spaces": 5}}])
    assert board(game).retinues == {"erza": (9, 5)}


def test_its_loss_takes_nobody_who_is_in_the_showdown() -> None:
    game = watched({"erza": (10, 2)})
    game.state.settlement.population = 6  # of whom the four here are more than the rest
    play(game, [{"retinue": {"who": "@erza", "destroyed": True}}])
    assert people(game) == 4
    assert all(one.alive for one in game.state.survivors.values())


# --- by hand, and at random -----------------------------------------------------------------------


def test_players_put_a_retinue_where_it_stands_on_the_table() -> None:
    game = watched({"lucy": (3, 5)})
    game.do(a.Place(who="retinue_lucy", x=6, y=6))
    assert board(game).retinues == {"lucy": (6, 6)}
    for x, y in ((10, 7), (21, 6)):
        with pytest.raises(Refused):
            run(game, placing.place(game.table, "retinue_lucy", (x, y), ""))
    with pytest.raises(Refused, match="Lucy's retinue stands there"):
        run(game, placing.place(game.table, "monster", (7, 8), ""))


@pytest.mark.parametrize("seed", range(4))
def test_random_watchers_with_retinues(seed: int) -> None:
    """Nobody stands in a retinue, and every one that is gone has cost four people."""
    game, rng = departed("watcher", "1", seed, board=True)
    game.state.settlement.population = 60
    outcome = boarder.fight(game, rng, most=25)
    fallen = of(game.log, e.RetinueDestroyed)
    dead = of(game.log, e.SurvivorDied)
    assert of(game.log, e.RetinuePlaced)
    if not outcome:
        assert people(game) == 60 - 4 * len(fallen) - len(dead)
