"""The public state: every field that cli.md promises, nothing hidden, nothing shared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from kdmlog.core.events import Asked, Deferred
from kdmlog.core.game import Table
from kdmlog.core.requests import Choose, Option
from kdmlog.core.state import Deck
from kdmlog.games.kdm import state as s
from kdmlog.games.kdm import views
from kdmlog.games.kdm.content import KINDS
from kdmlog.games.kdm.views import changes, view
from kdmlog.packs.library import Library
from kdmlog.packs.load import load_pack
from kdmlog.packs.pack import canonical

CORE = Path(__file__).parents[2] / "content" / "kdm" / "core"


@pytest.fixture(scope="module")
def content() -> Library:
    return Library([canonical(load_pack(CORE, KINDS, game="kdm"))], KINDS)


@pytest.fixture
def state() -> s.State:
    """A campaign in the second round of its first showdown."""
    allister = s.Survivor(
        id="allister",
        name="Allister",
        sex="m",
        player="Ann",
        survival=1,
        tokens={"bleeding": 2},
        armor={"waist": 1},
        injuries={"waist": ["light"], "brain": ["light"]},
        weapon_type="sword",
        proficiency=3,
        grid={"2": "lucky_charm.1", "3": "fecal_salve.1", "1": "founding_stone.2"},
        knocked_down=2,
    )
    lucy = s.Survivor(
        id="lucy",
        name="Lucy",
        sex="f",
        status="dead",
        cause="bled to death",
        parents=s.Parents("erza", "allister"),
    )
    return s.State(
        name="Lantern's Edge",
        seed="hush-hush",
        players=["Ann", "Bo"],
        phase=s.Phase(name="showdown", step="survivors"),
        survivors={"allister": allister, "lucy": lucy},
        settlement=s.Settlement(
            lantern_year=1,
            innovations=["language"],
            timeline={"4": ["bone_witch"], "30": ["the_end"]},
            storage=s.Storage(
                gear=["founding_stone.1", "cloth.1", "founding_stone.3"],
                resources={"monster_hide": 2},
            ),
        ),
        showdown=s.Showdown(
            number=1,
            monster="white_lion",
            level="first_story",
            movement=6,
            toughness=6,
            speed=0,
            damage=0,
            survivors=["allister", "lucy"],
            round=2,
            turn="survivors",
            tokens={"speed": 1},
            controller=s.Controller(player="Bo", survivor="lucy", named=["lucy"]),
            act=s.Act(survivor="allister", movement=0),
            acted=["lucy"],
            priority_target="allister",
        ),
        gear={
            "founding_stone.1": "founding_stone",
            "founding_stone.2": "founding_stone",
            "founding_stone.3": "founding_stone",
            "cloth.1": "cloth",
            "lucky_charm.1": "lucky_charm",
            "fecal_salve.1": "fecal_salve",
        },
        decks={
            "ai": Deck(
                {
                    "deck": ["maul", "grasp", "chomp"],
                    "discard": ["claw"],
                    "wounds": ["power_swat"],
                    "in_play": ["enraged"],
                    "playing": ["size_up"],
                }
            ),
            "hit_locations": Deck(
                {
                    "deck": ["beasts_ear", "beasts_back"],
                    "discard": ["beasts_paw"],
                    "persistent": ["strange_hand"],
                }
            ),
            "innovations": Deck({"deck": ["symposium", "ammonia", "paint"]}),
        },
        open=Asked(
            request=Choose(purpose="dodge", options=(Option("no"), Option("yes")), by="allister"),
            began=6,
        ),
        uses={"round": {"allister": ["dodge"]}},
        deferred={
            "d1": Deferred(id="d1", record="innovation:drums", path="0", at="depart", bound={})
        },
    )


@pytest.fixture
def public(state: s.State, content: Library) -> views.State:
    return view(Table(state, content))


def plain(public: views.State) -> Any:
    return msgspec.json.decode(msgspec.json.encode(public))


# cli.md, the last paragraph of "Kingdom Death: Monster".
PROMISED = {
    (): (
        "edition variants phase open players scheduled uses settlement survivors hunt showdown "
        "deaths"
    ),
    ("phase",): "name step",
    ("settlement",): (
        "name lantern_year population death_count survival_limit endeavors innovations "
        "innovation_deck locations principles quarries nemeses defeated timeline milestones notes "
        "storage"
    ),
    ("settlement", "storage"): "resources types gear",
    ("survivors", "allister"): (
        "name sex status player parents survival insanity courage understanding hunt_xp movement "
        "accuracy strength evasion luck speed tokens armor injuries severe_injuries fighting_arts "
        "disorders abilities impairments affinities weapon grid resources status_cards "
        "knocked_down skip_next_hunt notes"
    ),
    ("survivors", "allister", "weapon"): "type level",
    ("showdown",): (
        "monster level round turn movement toughness speed damage tokens life ai hit_locations "
        "terrain positions retinues facing acting acted priority_target controller wounds "
        "knocked_down"
    ),
    ("showdown", "ai"): "deck discard wounds in_play",
    ("showdown", "hit_locations"): "deck discard persistent",
    ("showdown", "acting"): "survivor movement activation",
}


@pytest.mark.parametrize("path", PROMISED)
def test_it_holds_what_is_promised(public: views.State, path: tuple[str, ...]) -> None:
    part = plain(public)
    for name in path:
        part = part[name]
    assert set(part) == set(PROMISED[path].split())


def test_a_hunt_holds_what_is_promised(state: s.State, content: Library) -> None:
    assert view(Table(state, content)).hunt is None
    state.phase = s.Phase(name="hunt", step="")
    state.settlement.hunt = "white_lion:1"
    assert plain(view(Table(state, content)))["hunt"] == {
        "quarry": "white_lion",
        "level": "1",
        "survivors_at": None,
        "monster_at": None,
        "spaces": [],
        "event_revealer": "",
    }


def test_a_survivors_sheet(public: views.State) -> None:
    sheet = public.survivors["allister"]
    assert (sheet.name, sheet.player, sheet.status, sheet.survival) == (
        "Allister",
        "Ann",
        "alive",
        1,
    )
    assert sheet.tokens == {
        "movement": 0,
        "accuracy": 0,
        "strength": 0,
        "evasion": 0,
        "luck": 0,
        "speed": 0,
        "bleeding": 2,
    }
    assert sheet.armor == {"head": 0, "arms": 0, "body": 0, "waist": 1, "legs": 0}
    assert sheet.injuries == {
        "head": [],
        "arms": [],
        "body": [],
        "waist": ["light"],
        "legs": [],
        "brain": ["light"],
    }
    assert list(sheet.grid.items()) == [
        ("1", "founding_stone"),
        ("2", "lucky_charm"),
        ("3", "fecal_salve"),
    ]
    assert sheet.affinities == {"red": 0, "green": 0, "blue": 1}
    assert (sheet.weapon.type, sheet.weapon.level) == ("sword", 3)
    assert sheet.knocked_down is True
    assert sheet.status_cards == []
    lucy = public.survivors["lucy"]
    assert lucy.parents == views.Parents(mother="erza", father="allister")
    assert lucy.knocked_down is False


def test_the_dead_and_their_causes(public: views.State) -> None:
    assert public.deaths == [views.Death(survivor="lucy", name="Lucy", cause="bled to death")]


def test_the_settlement_sheet(public: views.State) -> None:
    sheet = public.settlement
    assert sheet.storage.gear == {"founding_stone": 2, "cloth": 1}
    assert sheet.storage.resources == {"monster_hide": 2}
    assert sheet.storage.types == {"hide": 2}
    assert sheet.innovation_deck == ["ammonia", "paint", "symposium"]
    assert sheet.timeline["1"] == ["returning_survivors", "first_day"]
    assert sheet.timeline["4"] == ["butcher:1", "bone_witch"]
    assert list(sheet.timeline)[-2:] == ["25", "30"]


def test_the_showdown(public: views.State) -> None:
    showdown = public.showdown
    assert showdown is not None
    assert showdown.ai == views.AiDeck(
        deck=3, discard=["claw"], wounds=1, in_play=["size_up", "enraged"]
    )
    assert showdown.hit_locations == views.HitLocationDeck(
        deck=2, discard=["beasts_paw"], persistent=["strange_hand"]
    )
    assert showdown.acting == views.Acting(survivor="allister", movement=0, activation=1)
    assert (showdown.controller, showdown.priority_target) == ("Bo", "allister")
    assert (showdown.tokens["speed"], showdown.tokens["toughness"]) == (1, 0)
    assert showdown.life is None


def test_the_open_question_is_plain_data(public: views.State) -> None:
    assert plain(public)["open"] == {
        "ask": "choose",
        "purpose": "dodge",
        "by": "allister",
        "options": [{"id": "no"}, {"id": "yes"}],
    }
    assert plain(public)["scheduled"] == [{"record": "innovation:drums", "at": "depart"}]
    assert plain(public)["uses"] == {"round": {"allister": ["dodge"]}}


def test_neither_the_seed_nor_face_down_cards_are_in_it(public: views.State) -> None:
    text = msgspec.json.encode(public).decode()
    for hidden in ("hush-hush", "maul", "grasp", "chomp", "power_swat", "beasts_ear"):
        assert hidden not in text


def test_it_shares_nothing_with_the_state(state: s.State, content: Library) -> None:
    public = view(Table(state, content))
    before = msgspec.json.encode(public)
    allister = state.survivors["allister"]
    allister.tokens["bleeding"] = 3
    allister.injuries["waist"].append("heavy")
    allister.notes.append("limps")
    allister.grid.clear()
    state.uses["round"]["allister"].append("dash")
    state.settlement.innovations.append("paint")
    state.settlement.storage.resources["scrap"] = 1
    state.settlement.timeline["4"].append("more")
    state.decks["ai"].zones["discard"].append("maul")
    state.players.append("Cy")
    assert state.showdown is not None
    state.showdown.acted.append("allister")
    state.showdown.tokens["speed"] = 2
    assert msgspec.json.encode(public) == before


def test_an_empty_campaign(content: Library) -> None:
    public = view(Table(s.State(), content))
    assert (public.showdown, public.hunt, public.open) == (None, None, None)
    assert public.settlement.innovation_deck == []
    assert msgspec.json.decode(msgspec.json.encode(public), type=views.State) == public


def test_gear_that_no_pack_knows_is_shown_all_the_same(content: Library) -> None:
    state = s.State(gear={"thing.1": "thing"})
    state.survivors["a"] = s.Survivor(id="a", name="A", sex="m", grid={"5": "thing.1"})
    sheet = view(Table(state, content)).survivors["a"]
    assert (sheet.grid, sheet.affinities["blue"]) == ({"5": "thing"}, 0)


def test_the_schema_describes_every_part() -> None:
    schema = msgspec.json.schema(views.State)
    parts = schema["$defs"]
    ours = [name for name, type_ in vars(views).items() if isinstance(type_, type)]
    for name in set(ours) & set(parts):
        assert parts[name]["description"], name
    level = parts["Showdown"]["properties"]["level"]
    assert level["description"] == "1, 2, 3… or first_story."


# --- changes --------------------------------------------------------------------------------------


def test_changed_boxes_and_figures(state: s.State, content: Library) -> None:
    before = view(Table(state, content))
    assert changes(before, before) == []
    allister = state.survivors["allister"]
    allister.armor["waist"] = 0
    allister.injuries["waist"].append("heavy")
    allister.survival = 0
    allister.tokens["bleeding"] = 3
    allister.tokens["strength"] = -1
    allister.courage = 1
    allister.disorders.append("fear_of_the_dark")
    allister.knocked_down = None
    del allister.grid["3"]
    settlement = state.settlement
    settlement.population = 9
    settlement.innovations.append("paint")
    settlement.storage.resources["monster_hide"] = 1
    settlement.timeline["7"] = ["bone_witch"]
    assert state.showdown is not None
    state.showdown.tokens["speed"] = 2
    state.showdown.priority_target = ""
    state.decks["ai"].zones["wounds"].append(state.decks["ai"].zones["deck"].pop())
    state.showdown.wounds = 2
    assert changes(before, view(Table(state, content))) == [
        "Allister  waist A0 L■ H■  survival 0/1  courage 1  strength token -1  bleeding 3"
        "  +fear of the dark  −fecal salve  standing",
        "White Lion  AI 2, discard 1  wounds 2  speed token +2  priority target nobody",
        "population 0 → 9  +paint  LY7 +bone witch  monster hide 1",
    ]


def test_a_new_sheet_and_a_death(state: s.State, content: Library) -> None:
    before = view(Table(state, content))
    state.survivors["erza"] = s.Survivor(
        id="erza", name="Er\x1bza", sex="f", survival=1, armor={"waist": 1}, grid={"1": "cloth.1"}
    )
    state.survivors["allister"].status = "dead"
    assert changes(before, view(Table(state, content))) == [
        "Allister  dead",
        "Er␛za  survival 1/1  waist A1 L□ H□  cloth",
    ]


@pytest.mark.parametrize(
    ("location", "injuries", "expected"),
    [
        ("head", {}, "head A0 H□"),
        ("head", {"head": ["heavy"]}, "head A0 H■"),
        ("waist", {"waist": ["light"]}, "waist A0 L■ H□"),
        ("brain", {}, "brain B□"),
        ("brain", {"brain": ["light"]}, "brain B■"),
    ],
)
def test_boxes(
    content: Library, location: str, injuries: dict[str, list[str]], expected: str
) -> None:
    one = s.Survivor(id="a", name="A", sex="m", injuries=injuries)
    public = view(Table(s.State(survivors={"a": one}), content))
    assert views.boxes(public.survivors["a"], location) == expected
