"""The toy game, which no part of the program knows, passes the conformance kit."""

from __future__ import annotations

import msgspec
import pytest
from conformance import Script, check, check_tables, improvise
from toy import TOY, Buy, Gamble, Rest, Seek

from kdmlog.core.inputs import Inputs

SCRIPTS: list[Script] = [
    [(Rest(), Inputs())],
    [
        (
            Seek(hero="ada"),
            Inputs(
                dice=["7", "0"],
                draws=["stranger"],
                choices=["ada", "pass"],
                fills=[{"gold": "3", "words": "a; b"}],
            ),
        ),
        (Buy(what="lamp"), Inputs(choices=["gold"])),
        (Gamble(), Inputs(dice=["app", "3", "5", "0", "l", "h"])),
        (Rest(), Inputs()),
    ],
    [
        (Seek(hero="ada"), Inputs(draws=["sun"], choices=["ben", "ada", "ada,ben"])),
        (Seek(hero="ben"), Inputs(draws=["toll"], choices=["pass", "pass", "gold"])),
        (Seek(hero="ben"), Inputs(draws=["crow"], choices=["ada", "ben"])),
        (Seek(hero="ben"), Inputs(draws=["crow"])),  # nobody is lucky any more
        (Seek(hero="ada"), Inputs(draws=["moon"])),
        (Seek(hero="ada"), Inputs(draws=["stranger"], fills=[{"gold": "-2"}])),
        (Seek(hero="ada"), Inputs(draws=["sun"], choices=["none"])),  # after a shuffle
    ],
]


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_toy_conforms(script: Script) -> None:
    check(TOY, [script], nudge="gold")


@pytest.mark.parametrize("taking", [False, True])
@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_improvised_games_conform(seed: str, taking: bool) -> None:
    week = [Seek(hero="ada"), Seek(hero="ben"), Buy(what="rope"), Gamble(), Rest()]
    script = improvise(TOY, week * 2, seed=seed, taking=taking)
    assert len(script) > 6
    check(TOY, [script], nudge="gold", seed=seed)


def test_a_game_with_an_event_that_no_fold_knows_does_not_conform() -> None:
    folds = dict(TOY.folds)
    folds.popitem()
    with pytest.raises(AssertionError, match="without a fold"):
        check_tables(msgspec.structs.replace(TOY, folds=folds))


def test_a_game_with_an_action_that_has_no_procedure_does_not_conform() -> None:
    plays = dict(TOY.plays)
    del plays[Rest]
    with pytest.raises(AssertionError, match="Rest"):
        check_tables(msgspec.structs.replace(TOY, plays=plays))
