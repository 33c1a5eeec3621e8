"""What gear lets its bearer do: block, charge, pounce, slam (rulebook, Glossary)."""

from __future__ import annotations

import pytest

from kdmlog.core.errors import Refused
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.rules import blocking, conditions, feats, harm, numbers, script, turns

from .scene import board, fight, given, of, on_board, on_top, run, wear, who
from .table import Game


def turn(game: Game) -> Game:
    game.state.phase.step = "survivors"
    fight(game).turn = "survivors"
    return game


def claw(game: Game, dice: str, *choices: str) -> list[object]:
    """Claw's attack on Lucy: 2 dice, 2+, 1 damage."""
    body = s.decode([{"attack": {"speed": 2, "accuracy": 2, "damage": 1, "move": False}}])
    scene = conditions.Scene(table=game.table, record="test:attack", who="lucy")
    return list(run(game, script.play_record(scene, body), given(dice, *choices)))


def test_a_block_ignores_hits_before_locations_are_rolled() -> None:
    game = turn(on_board(lucy=(11, 7)))
    run(game, feats.block(game.table, "lucy", "beacon_shield", 1))
    events = claw(game, "5 6 b", "no")
    [ignored] = of(events, e.HitsIgnored)
    assert (ignored.by, ignored.now) == (1, 1)
    assert who(game, "lucy").injuries == {"body": ["light"]}
    assert not of(claw(game, "1 1"), e.HitsIgnored), "it was for one attack"


def test_only_one_block_counts_in_an_attack() -> None:
    game = turn(on_board(lucy=(11, 7)))
    who(game, "lucy").benefits |= {"block:1": "showdown_end", "block:2": "showdown_end"}
    [ignored] = of(claw(game, "5 6"), e.HitsIgnored)
    assert ignored.by == 2
    assert not who(game, "lucy").benefits


def test_a_dislocated_shoulder_bars_block_and_undoes_one_that_is_up() -> None:
    game = turn(on_board(lucy=(11, 7)))
    wear(game, "lucy", c3="beacon_shield")
    run(game, feats.block(game.table, "lucy", "beacon_shield", 2))
    run(game, harm.suffer(game.table, "lucy", "dislocated_shoulder"))
    events = claw(game, "5 6 b b", "no")
    assert not of(events, e.HitsIgnored)
    assert who(game, "lucy").injuries == {"body": ["light", "heavy"]}
    who(game, "lucy").knocked_down = None
    with pytest.raises(Refused, match="may not use block: Dislocated Shoulder"):
        game.do(a.Activate(survivor="lucy", thing="beacon shield"))


def test_a_block_lasts_until_the_next_act() -> None:
    game = turn(on_board(lucy=(11, 7)))
    who(game, "lucy").benefits["block:1"] = "showdown_end"
    run(game, turns.begin_act(game.table, "lucy"))
    assert not who(game, "lucy").benefits
    assert run(game, blocking.blocked(game.table, "lucy", 2)) == []


def test_a_charge_adds_the_spaces_moved_to_strength() -> None:
    game = turn(on_board(lucy=(11, 3)))
    run(game, turns.begin_act(game.table, "lucy"))
    run(
        game,
        feats.charge(game.table, "lucy", "phoenix", 1),
        given("2 9 5", "n", "founding_stone"),
    )
    assert board(game).survivors["lucy"] == (11, 7)
    attempts = [one for one in game.log if isinstance(one, e.WoundAttempted)]
    assert "charge +4" in attempts[0].terms


def test_a_pounce_is_three_spaces_straight_on_and_1_strength_more() -> None:
    game = turn(on_board(lucy=(11, 4)))
    on_top(game, "hit_locations", "beasts_femur")
    run(game, turns.begin_act(game.table, "lucy"))
    events = run(
        game,
        feats.pounce(game.table, "lucy", "white_lion_coat", 1),
        given("2 9 3", "n", "founding_stone"),
    )
    assert board(game).survivors["lucy"] == (11, 7)
    [attempt] = of(events, e.WoundAttempted)
    assert (attempt.total, "pounce +1" in attempt.terms) == (3 + 1 + 1, True)
    assert feats.FEATS["pounce"].cost == ("movement", "activation")


@pytest.mark.parametrize(
    ("start", "toughness", "monster"), [((6, 8), 5, (12, 8)), ((7, 8), 6, (11, 8))]
)
def test_a_slam_of_4_spaces_that_ends_beside_the_monster_pushes_and_softens_it(
    start: tuple[int, int], toughness: int, monster: tuple[int, int]
) -> None:
    game = turn(on_board(lucy=start))
    run(game, feats.slam(game.table, "lucy", "screaming_horns", 1), given("", "e"))
    assert board(game).survivors["lucy"] == (10, 8)
    assert board(game).monster == monster
    assert numbers.foe(game.table).toughness == toughness
    run(game, turns.end_round(game.table))
    assert numbers.foe(game.table).toughness == 6
