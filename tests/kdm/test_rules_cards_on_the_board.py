"""What a card asks without a board is what the board shows, as far as it can (Facing; Adjacent)."""

from __future__ import annotations

import pytest

from kdmlog.core.events import Chosen, DiceRolled, Event
from kdmlog.core.inputs import Inputs
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import AiCard
from kdmlog.games.kdm.rules import conditions, script
from kdmlog.games.kdm.state import Space

from .scene import board, fight, given, of, run, who
from .table import Game
from .test_rules_cards_in_play import at, facing

BESIDE, BEFORE, FAR, BEHIND = (13, 8), (11, 5), (1, 1), (11, 10)
"""Of the monster at 11-12 × 8-9, which faces south."""


def standing(monster: str, *in_play: str, **survivors: Space) -> Game:
    """Returns a showdown on the board with these survivors, and nobody else."""
    game = facing(monster, *in_play, on_the_board=True)
    board(game).survivors = dict(survivors)
    fight(game).survivors = list(survivors)
    return game


def performed(game: Game, card: str, inputs: Inputs, target: str = "") -> list[Event]:
    steps = game.library.get(AiCard, card).steps
    fight(game).target = target
    scene = conditions.Scene(table=game.table, record=f"ai_card:{card}", who=target)
    return run(game, script.play_record(scene, steps), inputs)


def test_backhand_strikes_of_those_in_front_whoever_its_zone_has() -> None:
    game = standing("butcher", lucy=BEFORE, erza=(12, 7), zachary=BEHIND)
    events = performed(game, "backhand", given("1", "erza"))
    [chosen] = of(events, Chosen)
    assert (chosen.picked, chosen.offered) == (("erza",), ("lucy", "erza"))
    assert [one.target for one in of(events, e.HitsScored)] == ["erza"]


def test_with_nobody_in_its_zone_the_butcher_menaces() -> None:
    game = standing("butcher", lucy=BEHIND, erza=(20, 12))
    who(game, "lucy").insanity = 1
    events = performed(game, "backhand", given())
    assert not of(events, e.HitsScored)
    assert board(game).facing == "n"
    assert who(game, "lucy").insanity == 0


ZONED = ("axe", "cleave", "force_thrust", "spear", "trip", "kings_axe")


@pytest.mark.parametrize("card", ZONED)
def test_a_zone_strikes_everyone_in_it_wherever_the_kings_man_stands(card: str) -> None:
    game = standing("kings_man", lucy=(11, 6), erza=BESIDE, zachary=BEHIND)
    fight(game).priority_target = "erza"  # nothing to those who pick several
    misses = "1 1 1 1" if card == "trip" else "1 1 1 1 1 1"
    events = performed(game, card, given(misses, "lucy,zachary"))
    assert [one.target for one in of(events, e.HitsScored)] == ["lucy", "zachary"]
    assert not of(events, e.MonsterMoved)


def test_with_nobody_in_its_zone_the_kings_man_guards() -> None:
    game = standing("kings_man", lucy=(11, 6))
    events = performed(game, "spear", given("", "none"))
    assert not of(events, e.HitsScored)
    assert of(events, e.MonsterTokens)


def test_kings_grace_strikes_every_threat_within_its_reach_of_2() -> None:
    game = standing("kings_man", lucy=(11, 6), erza=BESIDE, zachary=BEFORE, allister=BEHIND)
    who(game, "erza").knocked_down = 1
    events = performed(game, "kings_grace", given("1 1 1 1 1 1"))
    assert not of(events, Chosen)
    assert [one.target for one in of(events, e.HitsScored)] == ["lucy", "allister"]


def test_with_no_threat_around_him_the_kings_man_guards() -> None:
    game = standing("kings_man", lucy=FAR)
    performed(game, "kings_grace", given())
    assert fight(game).tokens["toughness"] == 5


def test_kings_palm_is_5_to_the_head_of_those_beside_it_who_hear_it() -> None:
    game = standing("the_hand", lucy=BESIDE, erza=BEHIND, zachary=(11, 6))
    who(game, "lucy").severe_injuries.append("deaf")
    for id_ in ("lucy", "erza", "zachary"):
        who(game, id_).armor["head"] = 9
    performed(game, "kings_palm", given("1"), "zachary")
    assert [who(game, id_).armor["head"] for id_ in ("lucy", "erza", "zachary")] == [9, 4, 9]


@pytest.mark.parametrize(("space", "opened"), [(BESIDE, True), (FAR, False)])
def test_gouge_and_feast_disembowels_whom_it_damages_beside_it(space: Space, opened: bool) -> None:
    game = standing("phoenix", lucy=space)
    body = game.library.get(AiCard, "gouge_and_feast").steps[-1].body.after_damage
    scene = conditions.Scene(table=game.table, record="ai_card:gouge_and_feast", who="lucy")
    run(game, script.play_record(scene, body), given())
    assert ("disemboweled" in who(game, "lucy").passing) is opened


@pytest.mark.parametrize(("space", "struck"), [(BESIDE, True), ((14, 8), False)])
def test_ground_fighting_strikes_who_spends_activation_beside_it(
    space: Space, struck: bool
) -> None:
    game = standing("white_lion", "ground_fighting", lucy=space)
    events = at(game, "activation", given("1 1 1 1" if struck else ""), "lucy")
    assert bool(of(events, DiceRolled)) is struck  # type: ignore[arg-type]
