"""A campaign taken over from paper is the first move of any game that can: data in, facts out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from toy import TOY, GoldChanged, HeroCame

from kdmlog.core.actions import New
from kdmlog.core.errors import Refused
from kdmlog.core.game import Game, Table
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.core.requests import Roll
from kdmlog.packs.diagnose import Fault, Faulty
from kdmlog.session import NewOptions, campaigns, new_campaign, open_session
from kdmlog.session.games import register

SHEET = {"gold": 7, "heroes": {"cy": "Cy"}}


@rule("toy.take_over")
def take_over(_table: Table, sheet: Mapping[str, Any]) -> Procedure[None]:
    if sheet["gold"] < 0:
        raise Faulty([Fault(("gold",), "Less than nothing.", "Write 0."), Fault((), "Odd.")])
    yield Record(GoldChanged(by=sheet["gold"], now=sheet["gold"]))
    for hero, name in sheet["heroes"].items():
        yield Record(HeroCame(hero=hero, name=name))
    [face] = yield Roll(purpose="luck", dice="1d10")
    yield Record(GoldChanged(by=face, now=sheet["gold"] + face))


@pytest.fixture
def paper() -> Iterator[Game]:
    fields = {name: getattr(TOY, name) for name in TOY.__struct_fields__}
    game = Game(**fields | {"take_over": take_over})
    register(game)
    yield game
    register(TOY)


def test_it_is_played_in_place_of_the_beginning(db: Path, paper: Game) -> None:
    session, done = new_campaign(db, "Old", game="toy", options=NewOptions(sheet=SHEET))
    with session:
        assert (done.number, done.open) == (1, None)
        assert list(session.table.state.heroes) == ["cy"], "the usual heroes did not come"
        assert session.log()[0].action == New(name="Old", game="toy", sheet=SHEET)


def test_what_it_asks_waits_for_an_answer(db: Path, paper: Game) -> None:
    options = NewOptions(sheet=SHEET, ask_dice=True)
    session, done = new_campaign(db, "Old", game="toy", options=options)
    session.close()
    assert done.open is not None and done.open.purpose == "luck"
    with open_session(db) as session:
        assert session.answer(["4"]).open is None
        assert session.table.state.gold == 11
        assert session.verify() == []


def test_faults_make_nothing(db: Path, paper: Game) -> None:
    sheet = SHEET | {"gold": -1}
    with pytest.raises(Faulty) as caught:
        new_campaign(db, "Old", game="toy", options=NewOptions(sheet=sheet))
    assert caught.value.message == "gold: Less than nothing. (and 1 more)"
    assert caught.value.hints == ["Write 0."]
    assert not list(db.parent.iterdir())
    new_campaign(db, "Other", game="toy")[0].close()
    with pytest.raises(Faulty):
        new_campaign(db, "Old", game="toy", options=NewOptions(sheet=sheet))
    assert [one.name for one in campaigns(db)] == ["Other"]


def test_a_game_that_takes_over_none(db: Path) -> None:
    with pytest.raises(Refused, match="takes over no campaign from paper"):
        new_campaign(db, "Old", game="toy", options=NewOptions(sheet=SHEET))
    assert not db.exists()
