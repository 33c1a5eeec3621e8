"""A campaign taken over from paper: the sheets' figures stand, nothing fires, and play goes on."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kdmlog.core import events as core
from kdmlog.core.actions import New
from kdmlog.core.errors import Refused
from kdmlog.core.fingerprint import fingerprint
from kdmlog.core.inputs import Inputs
from kdmlog.core.requests import Choose, Draw
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import state as s
from kdmlog.packs.installed import builtin, sheet_example
from kdmlog.session import NewOptions, Session, new_campaign, open_session

SETTLEMENT: dict[str, Any] = {
    "name": "Edge",
    "lantern_year": 3,
    "population": 9,
    "survival_limit": 1,
}


def example() -> dict[str, Any]:
    path = sheet_example("kdm")
    assert path is not None
    return tomllib.loads(path.read_text(encoding="utf-8"))


def taken(
    db: Path, sheet: dict[str, Any] | None = None, players: tuple[str, ...] = ()
) -> tuple[Session, list[core.Event]]:
    options = NewOptions(seed="sheet", sheet=example() if sheet is None else sheet, players=players)
    session, done = new_campaign(db, "Rest", options=options, by="ann")
    assert done.number == 1 and done.open is None
    return session, done.events


@pytest.fixture
def rest(tmp_path: Path) -> Iterator[Session]:
    session, _ = taken(tmp_path / "kdm.db")
    yield session
    session.close()


def small(db: Path, survivors: list[dict[str, Any]] | None = None, **settlement: Any) -> s.State:
    """Returns the state of a campaign with these figures and no others."""
    step = settlement.pop("step", "develop")
    sheet = {"step": step, "settlement": SETTLEMENT | settlement, "survivors": survivors or []}
    session, _ = taken(db, sheet)
    session.close()
    state = session.table.state
    assert isinstance(state, s.State)
    return state


# --- the example ----------------------------------------------------------------------------------


def test_the_example_is_no_pack() -> None:
    path = sheet_example("kdm")
    assert path is not None and path.parent == builtin("kdm")["core"].parent
    assert list(builtin("kdm")) == ["core", "edition_1_6"]
    assert sheet_example("toy") is None


def test_the_settlement_of_the_example(rest: Session) -> None:
    state: s.State = rest.table.state
    one = state.settlement
    assert state.phase == s.Phase(name="settlement", step="develop")
    assert one == s.Settlement(
        name="Lantern's Rest",
        lantern_year=2,
        population=11,
        death_count=2,
        survival_limit=3,
        endeavors=2,
        innovations=["language", "hovel", "paint"],
        locations=["lantern_hoard", "bone_smith", "skinnery"],
        principles=["graves"],
        quarries=["white_lion"],
        nemeses=["butcher"],
        defeated=["white_lion:1"],
        timeline={"8": ["butcher:2"]},
        milestones=["first_birth", "first_death"],
        storage=s.Storage(
            gear=["bone_blade.1", "bandages.1", "cloth.1", "cloth.2"],
            resources={"monster_bone": 2, "monster_hide": 1, "broken_lantern": 1, "lion_claw": 1},
        ),
    )
    of_language = {"ammonia", "drums", "inner_lantern", "symposium"}
    of_hovel, of_paint = {"bed", "family", "partnership"}, {"face_painting", "pictograph"}
    deck = state.decks["innovations"]["deck"]
    assert set(deck) == of_language | of_hovel | of_paint | {"sculpture"}
    assert len(deck) == 10


def test_the_survivors_of_the_example(rest: Session) -> None:
    state: s.State = rest.table.state
    bare = dict.fromkeys(s.LOCATIONS, 0)
    assert list(state.survivors.values()) == [
        s.Survivor(
            id="allister",
            name="Allister",
            sex="male",
            survival=2,
            insanity=3,
            courage=3,
            understanding=1,
            hunt_xp=2,
            proficiency=1,
            weapon_type="sword",
            strength=1,
            armor={"body": 1, "legs": 1},
            severe_injuries=["broken_rib"],
            fighting_arts=["leader"],
            disorders=["hoarder"],
            abilities=["stalwart"],
            grid={
                "1": "rawhide_vest.1",
                "2": "rawhide_boots.1",
                "5": "bone_blade.2",
                "9": "founding_stone.1",
            },
        ),
        s.Survivor(
            id="erza",
            name="Erza",
            sex="female",
            survival=1,
            understanding=3,
            hunt_xp=2,
            armor={"waist": 1},
            grid={"1": "cloth.3", "5": "bone_axe.1", "7": "lucky_charm.1"},
            skip_next_hunt=True,
        ),
        s.Survivor(
            id="ada",
            name="Ada",
            sex="female",
            survival=1,
            parents=s.Parents(mother="erza", father="allister"),
        ),
        s.Survivor(
            id="zachary", name="Zachary", sex="male", status="dead", cause="the Butcher"
        ),
    ]  # fmt: skip
    assert state.uses == {"lifetime": {"allister": ["age_1", "bold"], "erza": ["age_1", "insight"]}}
    assert rest.view().survivors["erza"].armor == bare | {"waist": 1}


def test_it_is_one_move_of_which_nothing_is_asked_or_triggered(rest: Session) -> None:
    [entry] = rest.log()
    assert (entry.numbers, entry.by) == ([1], "ann")
    assert entry.action == New(name="Rest", game="kdm", sheet=example())
    assert not any(isinstance(event, (e.StoryTriggered, core.Asked)) for event in entry.events)
    assert {event.cause for event in entry.events[2:]} <= {"kdm.take_over", ""}
    assert [event for event in entry.events[2:] if not event.cause] == [
        event for event in entry.events if isinstance(event, core.DeckShuffled)
    ]


def test_the_state_is_a_fold_of_the_log_and_verifies(rest: Session) -> None:
    full = rest.game.new_state()
    rest.codec.fold(full, rest.ledger.batches(rest.head))
    assert fingerprint(full) == fingerprint(rest.table.state)
    assert rest.verify() == []


def test_it_cannot_be_undone(rest: Session) -> None:
    with pytest.raises(Refused):
        rest.undo()


def test_lantern_years_are_the_landmarks_that_they_would_be(rest: Session) -> None:
    assert [rest.place(f"ly:{year}").number for year in (1, 2)] == [1, 1]
    rest.perform(a.SettlementEnd())
    with pytest.raises(Refused):
        rest.place("ly:3")


# --- what the sheets leave to be worked out -------------------------------------------------------


def test_what_is_left_out_is_as_usual(tmp_path: Path) -> None:
    state = small(tmp_path / "kdm.db", [{"name": "Ann", "sex": "f"}])
    assert state.survivors == {"ann": s.Survivor(id="ann", name="Ann", sex="female")}
    assert state.settlement == s.Settlement(name="Edge", lantern_year=3, population=9)
    assert (state.decks, state.uses, state.gear) == ({}, {}, {})


@pytest.mark.parametrize(
    ("settlement", "reached"),
    [
        ({}, []),
        ({"milestones": ["Population 15"]}, ["population_15"]),
        ({"population": 15}, ["population_15"]),
        ({"population": 14}, []),
        ({"death_count": 1}, ["first_death"]),
        ({"principles": ["Graves"]}, ["first_death"]),
        ({"principles": ["Protect the Young"]}, ["first_birth"]),
        ({"innovations": ["language", "paint", "hovel", "drums"]}, []),
        ({"innovations": ["language", "paint", "hovel", "drums", "bed"]}, ["innovations_5"]),
    ],
)
def test_milestones_that_the_figures_show_are_reached(
    settlement: dict[str, Any], reached: list[str], tmp_path: Path
) -> None:
    assert small(tmp_path / "kdm.db", **settlement).settlement.milestones == reached


@pytest.mark.parametrize(
    ("figures", "done"),
    [
        ({"courage": 2, "understanding": 2, "hunt_xp": 1}, []),
        ({"courage": 9}, ["bold", "see_the_truth"]),
        ({"understanding": 8}, ["insight"]),
        ({"hunt_xp": 10}, ["age_1", "age_2", "age_3"]),
        ({"weapon": {"type": "axe", "level": 3}}, ["specialist"]),
        ({"weapon": {"type": "Fist and tooth", "level": 8}}, ["specialist", "master"]),
    ],
)
def test_a_survivors_milestones_are_used_up(
    figures: dict[str, Any], done: list[str], tmp_path: Path
) -> None:
    state = small(tmp_path / "kdm.db", [{"name": "Ann", "sex": "f", **figures}])
    assert state.uses.get("lifetime", {}).get("ann", []) == done


def test_statuses(tmp_path: Path) -> None:
    people = [
        {"name": "Ann", "sex": "f", "status": "retired", "hunt_xp": 16},
        {"name": "Bo", "sex": "male", "status": "gone"},
        {"name": "Bo", "sex": "M", "status": "dead"},
        {"name": "Bo", "sex": "Female", "parents": {"mother": "ann", "father": "bo_2"}},
    ]
    state = small(tmp_path / "kdm.db", people, population=2, death_count=4)
    found = {id_: (one.status, one.sex) for id_, one in state.survivors.items()}
    assert found == {
        "ann": ("retired", "female"),
        "bo": ("gone", "male"),
        "bo_2": ("dead", "male"),
        "bo_3": ("alive", "female"),
    }
    assert state.survivors["bo_3"].parents == s.Parents(mother="ann", father="bo_2")
    assert (state.settlement.death_count, state.settlement.uncounted_deaths) == (4, 0)


def test_full_armor_counts_as_a_set(tmp_path: Path) -> None:
    pieces = ("headband", "gloves", "vest", "pants", "boots")
    grid = {str(n): f"rawhide_{piece}" for n, piece in enumerate(pieces, 1)}
    state = small(tmp_path / "kdm.db", [{"name": "Ann", "sex": "f", "grid": grid}])
    assert state.survivors["ann"].armor == dict.fromkeys(s.LOCATIONS, 2)


def test_an_injury_twice_is_recorded_twice(tmp_path: Path) -> None:
    ann = {"name": "Ann", "sex": "f", "severe_injuries": ["Dismembered Leg", "dismembered_leg"]}
    session, events = taken(tmp_path / "kdm.db", {"settlement": SETTLEMENT, "survivors": [ann]})
    session.close()
    suffered = [event for event in events if isinstance(event, e.SevereInjurySuffered)]
    assert [event.times for event in suffered] == [1, 2]
    assert session.table.state.survivors["ann"].severe_injuries == ["dismembered_leg"] * 2


def test_a_deck_of_ones_own(tmp_path: Path) -> None:
    given: dict[str, Any] = {"innovations": ["Language"], "innovation_deck": ["Bed", "paint"]}
    state = small(tmp_path / "kdm.db", **given)
    assert sorted(state.decks["innovations"]["deck"]) == ["bed", "paint"]


@pytest.mark.parametrize(
    ("limit", "innovations", "note"),
    [
        (1, [], ""),
        (3, ["language", "hovel"], ""),
        (2, ["language", "hovel"], "The sheet's survival limit is 2; 1 and what innovations and"),
        (4, ["language", "hovel"], "The sheet's survival limit is 4; 1 and what innovations and"),
    ],
)
def test_another_survival_limit_holds_and_is_noted(
    limit: int, innovations: list[str], note: str, tmp_path: Path
) -> None:
    settlement = SETTLEMENT | {"survival_limit": limit, "innovations": innovations}
    session, events = taken(tmp_path / "kdm.db", {"settlement": settlement})
    session.close()
    assert session.table.state.settlement.survival_limit == limit
    notes = [event.text for event in events if isinstance(event, core.Noted)]
    assert [text[: len(note)] for text in notes] == [note] * bool(note)


def test_players_are_the_campaigns(tmp_path: Path) -> None:
    people = [{"name": "Ada", "sex": "f", "player": "ANN"}, {"name": "Bo", "sex": "m"}]
    sheet = {"settlement": SETTLEMENT, "survivors": people}
    session, _ = taken(tmp_path / "kdm.db", sheet, players=("Bob", "Ann"))
    session.close()
    assert [one.player for one in session.table.state.survivors.values()] == ["Ann", ""]


# --- play goes on ---------------------------------------------------------------------------------


def test_gear_is_put_and_armor_follows(rest: Session) -> None:
    rest.perform(a.GearPut(survivor="ada", gear="cloth", cell="5"))
    ada = rest.table.state.survivors["ada"]
    assert (ada.grid, ada.armor) == ({"5": "cloth.1"}, {"waist": 1})


def test_crafting_takes_the_next_instance(rest: Session) -> None:
    rest.perform(a.SettlementCraft(gear=["bone_blade"]))
    state: s.State = rest.table.state
    assert "bone_blade.3" in state.settlement.storage.gear
    assert state.settlement.storage.resources["monster_bone"] == 1


def test_survivors_come_out_of_the_population_until_there_is_nobody_left(rest: Session) -> None:
    for n in range(8):
        rest.perform(a.SurvivorNew(name=f"New {n}", sex="f"))
    with pytest.raises(Refused):
        rest.perform(a.SurvivorNew(name="One more", sex="f"))


def test_innovating_draws_from_the_deck(tmp_path: Path) -> None:
    sheet = example()
    sheet["settlement"]["storage"]["resources"] |= {"monster_organ": 1}
    session, _ = taken(tmp_path / "kdm.db", sheet)
    deck = session.table.state.decks["innovations"]["deck"][:2]
    done = session.perform(a.SettlementInnovate())
    while done.open is not None:
        assert isinstance(done.open, (Choose, Draw))
        picked = deck[0] if done.open.purpose == "innovation" else "yes"
        done = session.answer([], Inputs(choices=[picked]))
    session.close()
    assert session.table.state.settlement.innovations[-1] == deck[0]


def test_departing(rest: Session) -> None:
    for name in ("Bo", "Cy"):
        rest.perform(a.SurvivorNew(name=name, sex="m"))
    four = ["allister", "ada", "bo", "cy"]
    with pytest.raises(Refused, match="Erza"):
        rest.perform(a.Depart(survivors=["erza", *four[1:]], hunt="white_lion"))
    rest.perform(a.Depart(survivors=four, hunt="white_lion"))
    state: s.State = rest.table.state
    assert state.phase.name == "hunt"
    assert state.settlement.departing == four
    assert state.settlement.endeavors == 0
    assert state.survivors["allister"].survival == 3  # boots, Hovel; the limit is 3
    assert rest.verify() == []


def test_ended_is_ready_to_depart(tmp_path: Path) -> None:
    sheet = example() | {"step": "ended"}
    del sheet["settlement"]["endeavors"]
    db = tmp_path / "kdm.db"
    taken(db, sheet)[0].close()
    with open_session(db) as session:
        assert session.table.state.phase == s.Phase(name="settlement", step="ended")
        with pytest.raises(Refused):
            session.perform(a.SettlementCraft(gear=["bone_blade"]))
        for name in ("Bo", "Cy"):
            session.perform(a.SurvivorNew(name=name, sex="m"))
        four = ["allister", "ada", "bo", "cy"]
        session.perform(a.Depart(survivors=four, hunt="white_lion"))
        assert session.table.state.phase.name == "hunt"


def test_a_milestone_reached_on_paper_does_not_fire_again(rest: Session) -> None:
    session = rest
    session.adjust("survivors.allister.courage", "2", "for the test")
    state: s.State = session.table.state
    assert state.used("lifetime", "allister", "bold")
    session.adjust("settlement.death_count", "+1", "for the test")
    assert state.settlement.milestones == ["first_birth", "first_death"]
