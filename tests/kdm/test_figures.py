"""What players may call the figures of the public state."""

from __future__ import annotations

import pytest

from kdmlog.core.errors import UnknownName
from kdmlog.games.kdm import state as s
from kdmlog.games.kdm.figures import figure

from .table import Game


@pytest.fixture
def game() -> Game:
    game = Game()
    for name in ("Lucy", "Allister"):
        game.state.survivors[name.lower()] = s.Survivor(id=name.lower(), name=name, sex="f")
    game.state.settlement.storage.resources["white_fur"] = 2
    return game


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("population", "settlement.population"),
        ("pop", "settlement.population"),
        ("death_count", "settlement.death_count"),
        ("bone", "settlement.storage.types.bone"),
        ("monster_bone", "settlement.storage.resources.monster_bone"),
        ("White Fur", "settlement.storage.resources.white_fur"),
        ("rawhide_vest", "settlement.storage.gear.rawhide_vest"),
        ("lucy", "survivors.lucy"),
        ("lucy.survival", "survivors.lucy.survival"),
        ("allis.tokens.bleeding", "survivors.allister.tokens.bleeding"),
        ("survivors.lucy.survival", "survivors.lucy.survival"),
        ("surv.lucy", "surv.lucy"),
        ("settlement.storage.resources.white", "settlement.storage.resources.white_fur"),
        ("sett.stor.types.bone", "settlement.storage.types.bone"),
        ("showdown.ai.deck", "showdown.ai.deck"),
        ("players", "players"),
    ],
)
def test_a_name_leads_to_its_figure(game: Game, name: str, path: str) -> None:
    assert figure(name, game.table) == path


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("gorm_dung", "unknown_name"),
        ("raw", "ambiguous"),
        ("nobody.survival", "unknown_name"),
        ("settlement.storage.resources.gorm_dung", "unknown_name"),
        ("settlement.storage.gear.monster_bone", "unknown_name"),
    ],
)
def test_a_name_of_nothing_or_of_several_is_refused(game: Game, name: str, code: str) -> None:
    with pytest.raises(UnknownName) as caught:
        figure(name, game.table)
    assert caught.value.code == code
