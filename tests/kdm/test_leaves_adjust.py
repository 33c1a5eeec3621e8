"""Which figures may be adjusted by hand, their bounds and facts, and what else to use."""

from __future__ import annotations

from pathlib import Path

import pytest

from kdmlog.core.errors import UnknownName
from kdmlog.core.events import Event
from kdmlog.core.game import Leaf
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import state as s
from kdmlog.games.kdm import views
from kdmlog.games.kdm.content import KINDS
from kdmlog.games.kdm.fold import FOLDS
from kdmlog.games.kdm.leaves import INSTEAD, leaf
from kdmlog.packs.library import Library
from kdmlog.packs.load import load_pack
from kdmlog.packs.pack import canonical

CORE = Path(__file__).parents[2] / "content" / "kdm" / "core"


@pytest.fixture
def state() -> s.State:
    allister = s.Survivor(
        id="allister", name="Allister", sex="m", survival=1, tokens={"bleeding": 2}
    )
    return s.State(
        survivors={"allister": allister},
        settlement=s.Settlement(
            survival_limit=2,
            population=8,
            storage=s.Storage(resources={"monster_hide": 3, "scrap": 99}),
        ),
        showdown=s.Showdown(
            number=1,
            monster="white_lion",
            level="1",
            movement=6,
            toughness=8,
            speed=0,
            damage=0,
            survivors=["allister"],
            tokens={"speed": 1},
        ),
    )


def found(state: s.State, path: str) -> Leaf:
    leaf_ = leaf(state, tuple(path.split(".")))
    assert isinstance(leaf_, Leaf), leaf_
    return leaf_


ALLISTER = {"survivor": "allister"}

ADJUSTABLE: list[tuple[str, int, int, int, Event]] = [
    # path, least, most, now, the fact that a change of +1 to now + 1 records
    (
        "survivors.allister.survival",
        *(0, 2, 1),
        e.StatChanged(**ALLISTER, stat="survival", by=1, now=2),
    ),
    (
        "survivors.allister.insanity",
        *(0, 999, 0),
        e.StatChanged(**ALLISTER, stat="insanity", by=1, now=1),
    ),
    (
        "survivors.allister.courage",
        *(0, 9, 0),
        e.StatChanged(**ALLISTER, stat="courage", by=1, now=1),
    ),
    (
        "survivors.allister.understanding",
        *(0, 9, 0),
        e.StatChanged(**ALLISTER, stat="understanding", by=1, now=1),
    ),
    (
        "survivors.allister.hunt_xp",
        *(0, 16, 0),
        e.StatChanged(**ALLISTER, stat="hunt_xp", by=1, now=1),
    ),
    (
        "survivors.allister.weapon.level",
        *(0, 8, 0),
        e.StatChanged(**ALLISTER, stat="proficiency", by=1, now=1),
    ),
    (
        "survivors.allister.proficiency",
        *(0, 8, 0),
        e.StatChanged(**ALLISTER, stat="proficiency", by=1, now=1),
    ),
    (
        "survivors.allister.movement",
        *(-20, 20, 5),
        e.StatChanged(**ALLISTER, stat="movement", by=1, now=6),
    ),
    (
        "survivors.allister.speed",
        *(-20, 20, 0),
        e.StatChanged(**ALLISTER, stat="speed", by=1, now=1),
    ),
    (
        "survivors.allister.tokens.bleeding",
        *(0, 4, 2),
        e.TokensChanged(**ALLISTER, token="bleeding", by=1, now=3),
    ),
    (
        "survivors.allister.tokens.luck",
        *(-20, 20, 0),
        e.TokensChanged(**ALLISTER, token="luck", by=1, now=1),
    ),
    (
        "survivors.allister.armor.waist",
        *(0, 20, 0),
        e.ArmorChanged(**ALLISTER, location="waist", by=1, now=1),
    ),
    ("survivors.allister.skip_next_hunt", 0, 1, 0, e.SkipNextHunt(**ALLISTER, now=True)),
    ("settlement.population", 0, 999, 8, e.FigureChanged(figure="population", by=1, now=9)),
    ("settlement.endeavors", 0, 99, 0, e.FigureChanged(figure="endeavors", by=1, now=1)),
    (
        "settlement.survival_limit",
        *(1, 20, 2),
        e.FigureChanged(figure="survival_limit", by=1, now=3),
    ),
    ("settlement.death_count", 0, 999, 0, e.FigureChanged(figure="death_count", by=1, now=1)),
    ("settlement.lantern_year", 0, 30, 0, e.FigureChanged(figure="lantern_year", by=1, now=1)),
    (
        "settlement.storage.resources.monster_hide",
        *(2, 4, 3),
        e.ResourceGained(resource="monster_hide", now=4),
    ),
    ("showdown.tokens.speed", -20, 20, 1, e.MonsterTokens(token="speed", by=1, now=2)),
    ("showdown.tokens.toughness", -20, 20, 0, e.MonsterTokens(token="toughness", by=1, now=1)),
]


@pytest.mark.parametrize(("path", "least", "most", "now", "fact"), ADJUSTABLE)
def test_an_adjustable_figure(
    state: s.State, path: str, least: int, most: int, now: int, fact: Event
) -> None:
    figure = found(state, path)
    assert (figure.least, figure.most, figure.now) == (least, most, now)
    assert figure.event(1, now + 1) == fact
    FOLDS[type(fact)](state, fact)
    assert found(state, path).now == now + 1


def test_a_resource_goes_down_one_at_a_time(state: s.State) -> None:
    hide = found(state, "settlement.storage.resources.monster_hide")
    assert hide.event(-1, 2) == e.ResourceLost(resource="monster_hide", now=2)
    scrap = found(state, "settlement.storage.resources.scrap")
    assert (scrap.least, scrap.most) == (98, 99)


def test_with_content_a_resource_need_not_be_in_storage(state: s.State) -> None:
    path = ("settlement", "storage", "resources", "sinew")
    with pytest.raises(UnknownName):
        leaf(state, path)
    content = Library([canonical(load_pack(CORE, KINDS, game="kdm"))], KINDS)
    figure = leaf(state, path, content)
    assert isinstance(figure, Leaf)
    assert (figure.least, figure.most, figure.now) == (0, 1, 0)
    with pytest.raises(UnknownName):
        leaf(state, (*path[:-1], "nothing_of_the_kind"), content)


def test_deaths_that_wait_are_not_forgotten(state: s.State) -> None:
    state.settlement.uncounted_deaths = 2
    fact = found(state, "settlement.death_count").event(1, 1)
    FOLDS[type(fact)](state, fact)
    assert (state.settlement.death_count, state.settlement.uncounted_deaths) == (1, 2)


@pytest.mark.parametrize("variant", ["quick", "death"])
def test_bleeding_stops_short_of_death(state: s.State, variant: str) -> None:
    state.variants = [variant]
    assert found(state, "survivors.allister.tokens.bleeding").most == 2


@pytest.mark.parametrize(
    ("path", "use"),
    [
        ("survivors.allister.name", "survivor rename S NAME"),
        ("survivors.allister.grid", "gear put"),
        ("survivors.allister.grid.5", "gear put"),
        ("survivors.allister.weapon.type", "undo takes back"),
        ("survivors.allister.status", "nobody dies or comes back by an adjustment"),
        ("survivors.allister.survival.x", "undo takes back"),
        ("settlement.name", "settlement name NAME"),
        ("settlement.innovations", "settlement innovate"),
        ("settlement.timeline.4", "undo takes back"),
        ("settlement.storage.gear.cloth", "settlement craft"),
        ("settlement.storage.resources.scrap.x", "undo takes back"),
        ("showdown.toughness", "showdown.tokens"),
        ("showdown.ai.deck", "undo takes back"),
        ("showdown.positions.allister", "no positions are kept"),
        ("open", "answer VALUE"),
        ("phase.name", "undo takes back"),
        ("deaths", "survivor death S CAUSE"),
    ],
)
def test_what_to_use_instead(state: s.State, path: str, use: str) -> None:
    said = leaf(state, tuple(path.split(".")))
    assert isinstance(said, str)
    assert said.startswith(f"{path} is not adjusted by hand. Instead: ")
    assert use in said


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("survivors", "allister"),
        ("survivors.allister", "hunt_xp"),
        ("survivors.allister.tokens", "bleeding"),
        ("survivors.allister.armor", "waist"),
        ("survivors.allister.weapon", "level"),
        ("settlement", "population"),
        ("settlement.storage", "resources"),
        ("settlement.storage.resources", "monster_hide"),
        ("showdown", "tokens"),
        ("showdown.tokens", "toughness"),
    ],
)
def test_a_place_names_its_parts(state: s.State, path: str, part: str) -> None:
    said = leaf(state, tuple(path.split(".")))
    assert isinstance(said, str)
    assert said.startswith(f"{path} is no single figure. It has: ")
    assert part in said


def test_without_a_path_the_parts_of_the_state_are_named(state: s.State) -> None:
    said = leaf(state, ())
    assert isinstance(said, str)
    assert said.startswith("the state is no single figure.")


def test_without_a_showdown_there_are_no_tokens_of_the_monster(state: s.State) -> None:
    state.showdown = None
    said = leaf(state, ("showdown", "tokens", "speed"))
    assert isinstance(said, str)
    assert "there is no showdown" in said


@pytest.mark.parametrize(
    ("path", "near"),
    [
        ("survivors.alister.survival", "allister"),
        ("survivors.allister.survivl", "survival"),
        ("survivors.allister.tokens.bleedin_g", "bleeding"),
        ("survivors.allister.armor.waste", "waist"),
        ("settlement.populaton", "population"),
        ("settlement.storage.resources.monster_hid_e", "monster_hide"),
        ("showdown.tokens.spedd", "speed"),
        ("setlement.population", "settlement"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(state: s.State, path: str, near: str) -> None:
    with pytest.raises(UnknownName) as refused:
        leaf(state, tuple(path.split(".")))
    assert near in refused.value.hints[0]


def test_names_may_be_short(state: s.State) -> None:
    figure = leaf(state, ("survivors", "Alli", "cour"))
    assert isinstance(figure, Leaf)
    assert figure.event(1, 1) == e.StatChanged(**ALLISTER, stat="courage", by=1, now=1)


def test_every_part_of_the_state_has_an_answer(state: s.State) -> None:
    assert set(INSTEAD) == set(views.State.__struct_fields__)
    for section, type_ in (
        ("survivors", views.Survivor),
        ("settlement", views.Settlement),
        ("showdown", views.Showdown),
    ):
        assert set(INSTEAD[section]) <= set(type_.__struct_fields__)
        for name in type_.__struct_fields__:
            who = ("allister",) if section == "survivors" else ()
            assert leaf(state, (section, *who, name))
