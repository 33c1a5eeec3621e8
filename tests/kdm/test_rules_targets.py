"""Whom the monster picks on the board (rulebook, Pick Target; Common Targeting Terms)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kdmlog.core.events import Chosen, Event
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.content import AiCard
from kdmlog.games.kdm.rules import conditions, script, targets
from kdmlog.games.kdm.state import Tile

from .scene import board, fight, given, of, on_board, run, who
from .table import Game


def meeting(game: Game, row: str) -> list[str]:
    return targets.meeting(game.table, targets.read(row))


def picking(game: Game, *rows: str, choice: str = "") -> list[Event]:
    """Returns what follows when a card with these rows picks its target."""
    card = replace(game.library.get(AiCard, "claw"), target=list(rows))
    return run(game, targets.pick(game.table, card), given("", *([choice] if choice else [])))


LISTED = targets.AS_LISTED


def test_the_rows_that_the_board_can_read_come_before_those_it_cannot() -> None:
    game = on_board(lucy=(11, 4))
    assert not of(picking(game, "closest threat, in range", LISTED), Chosen)


def test_where_no_row_that_it_can_read_is_met_the_players_say_whom_the_card_lists() -> None:
    game = on_board()
    events = picking(game, "closest threat, in range", LISTED, choice="erza")
    [chosen] = of(events, Chosen)
    assert (chosen.picked, chosen.offered) == (
        ("erza",),
        ("allister", "erza", "lucy", "zachary", targets.NOBODY),
    )


@pytest.mark.parametrize("card", ["ancient_stare", "phoenix_basic_action"])
def test_the_last_row_of_some_cards_is_as_they_list(card: str) -> None:
    rows = on_board().library.get(AiCard, card).target
    assert list(map(targets.readable, rows)) == [True, False]


def test_the_closest_is_the_fewest_spaces_away() -> None:
    game = on_board(lucy=(11, 4), erza=(15, 8))
    assert meeting(game, "closest survivor") == ["erza"]
    assert meeting(game, "furthest survivor") == ["allister"]


def test_three_tie_for_closest_and_the_controller_chooses() -> None:
    game = on_board(lucy=(11, 4), erza=(16, 8), zachary=(9, 6))
    assert meeting(game, "closest threat") == ["erza", "lucy", "zachary"]
    card = game.library.get(AiCard, "claw")
    [chosen] = of(run(game, targets.pick(game.table, card), given("", "zachary")), Chosen)
    assert (chosen.picked, chosen.offered) == (("zachary",), ("lucy", "zachary"))


def test_all_three_who_tie_are_offered_where_a_card_asks_no_more_of_them() -> None:
    game = on_board(lucy=(11, 4), erza=(16, 8), zachary=(9, 6))
    [chosen] = of(picking(game, "closest threat", choice="erza"), Chosen)
    assert (chosen.picked, chosen.offered) == (("erza",), ("erza", "lucy", "zachary"))


def test_it_faces_all_spaces_in_front_of_it() -> None:
    game = on_board(facing="s", lucy=(1, 7), erza=(11, 12), zachary=(13, 8))
    assert "lucy" in meeting(game, "threat, facing")
    assert "erza" not in meeting(game, "threat, facing")
    assert "zachary" not in meeting(game, "threat, facing")


@pytest.mark.parametrize(("row", "there"), [(1, True), (7, True)])
def test_in_range_counts_the_spaces_between(row: int, there: bool) -> None:
    game = on_board(lucy=(11, row))
    assert ("lucy" in meeting(game, "survivor, in range")) is there


def test_seven_spaces_away_is_in_range_of_movement_six_and_eight_is_not() -> None:
    game = on_board(monster=(11, 9), lucy=(11, 2), erza=(11, 1))
    assert "lucy" in meeting(game, "survivor, in range")
    assert "erza" not in meeting(game, "survivor, in range")
    assert "erza" in meeting(game, "survivor, in range 7")


def test_the_knocked_down_are_no_threats_until_the_lion_has_sniffed() -> None:
    game = on_board()
    who(game, "lucy").knocked_down = 1
    assert "lucy" not in meeting(game, "threat")
    assert meeting(game, "knocked down survivor") == ["lucy"]
    fight(game).all_are_threats = 1
    assert "lucy" in meeting(game, "threat")


def test_the_hidden_are_no_threats() -> None:
    game = on_board()
    who(game, "lucy").benefits["not_a_threat"] = "showdown_end"
    assert "lucy" not in meeting(game, "threat")
    assert "lucy" in meeting(game, "survivor")


def test_with_everyone_hidden_there_is_no_target_and_the_lion_sniffs() -> None:
    game = on_board()
    for id_ in board(game).survivors:
        who(game, id_).benefits["not_a_threat"] = "showdown_end"
    events = game.do(a.MonsterTurn(), given())
    picked = [one.survivor for one in events if isinstance(one, e.TargetPicked)]
    assert picked == [""]
    assert any(isinstance(one, e.ThreatsWidened) for one in events)


def test_the_priority_target_token_overrides_all_conditions() -> None:
    game = on_board(lucy=(11, 7))
    fight(game).priority_target = "allister"
    card = game.library.get(AiCard, "claw")
    assert not of(run(game, targets.pick(game.table, card), given()), Chosen)


def test_most_and_least_count_zero() -> None:
    game = on_board()
    who(game, "erza").courage = 2
    assert meeting(game, "most courage survivor") == ["erza"]
    assert set(meeting(game, "least courage survivor")) == {"allister", "lucy", "zachary"}
    who(game, "zachary").tokens["bleeding"] = 3
    assert meeting(game, "most bleeding survivor") == ["zachary"]


@pytest.mark.parametrize("row", ["closest hero", "closest threat, upwind", ""])
def test_a_row_of_other_words_is_refused(row: str) -> None:
    with pytest.raises(ValueError):
        targets.read(row)


def test_the_blind_spot_and_what_an_obstacle_hides_are_not_in_view() -> None:
    game = on_board(facing="s", lucy=(11, 10), erza=(11, 1), zachary=(18, 8))
    board(game).tiles["toppled_pillar.1"] = Tile(terrain="toppled_pillar", at=(11, 4), width=1)
    seen = meeting(game, "survivor, in field of view")
    assert "lucy" not in seen
    assert meeting(game, "survivor, in blind spot") == ["lucy"]
    assert "zachary" in seen


def test_on_the_board_nothing_is_asked_that_follows_from_it() -> None:
    game = on_board(lucy=(11, 7))
    who(game, "lucy").disorders.append("traumatized")
    game.state.phase.step, fight(game).turn = "survivors", "survivors"
    game.do(a.Act(survivor="lucy"))
    game.do(a.EndAct())
    assert who(game, "lucy").knocked_down == 1
    body = s.decode([{"choose": {"from": "all", "as": "far", "purpose": "furthest"}}])
    scene = conditions.Scene(table=game.table, record="ai_card:claw")
    run(game, script.play_record(scene, body), given())
    assert scene.bound["far"] == ["allister"]
