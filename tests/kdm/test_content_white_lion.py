"""The white lion of the First Story and its resources, against the rulebook's values."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kdmlog.games.kdm.content import KINDS, AiCard, HitLocation, Level, Monster, Resource
from kdmlog.games.kdm.script import Attack, Script, Step, walk
from kdmlog.packs.load import load_pack

from .scripts import problems

CORE = Path(__file__).parents[2] / "content" / "kdm" / "core"


@pytest.fixture(scope="module")
def records() -> Mapping[str, Mapping[str, Any]]:
    return load_pack(CORE, KINDS, game="kdm").records


@pytest.fixture
def cards(records: Mapping[str, Mapping[str, Any]]) -> dict[str, AiCard]:
    return {id: card for id, card in records["ai_card"].items() if card.monster == "white_lion"}


@pytest.fixture
def locations(records: Mapping[str, Mapping[str, Any]]) -> dict[str, HitLocation]:
    found = records["hit_location"].items()
    return {id: location for id, location in found if location.monster == "white_lion"}


@pytest.fixture
def resources(records: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Resource]:
    return records["resource"]


def plain(steps: list[Step] | None) -> list[tuple[str, object]]:
    """Returns the steps as (verb, what was written)."""
    return [(step.verb, _plain(step.body)) for step in steps or []]


def _plain(thing: object) -> object:
    if isinstance(thing, Step):
        return (thing.verb, _plain(thing.body))
    if isinstance(thing, Script):
        written = {}
        for name, encoded, default in zip(
            thing.__struct_fields__,
            thing.__struct_encode_fields__,
            _defaults(type(thing)),
            strict=True,
        ):
            value = getattr(thing, name)
            if value != default and value not in (None, []):
                written[encoded] = _plain(value)
        return written
    if isinstance(thing, dict):
        return {key: _plain(value) for key, value in thing.items()}
    if isinstance(thing, list):
        return [_plain(value) for value in thing]
    return thing


def _defaults(kind: type[Script]) -> list[object]:
    return [field.default for field in msgspec.structs.fields(kind)]


def attack(card: AiCard) -> Attack:
    """Returns the one attack of a card."""
    (found,) = [step.body for step in card.steps if isinstance(step.body, Attack)]
    return found


def table_of(steps: list[Step] | None) -> Any:
    """Returns the one table among the steps."""
    (found,) = [step.body for step in steps or [] if step.verb == "table"]
    return found


# --- the monster ----------------------------------------------------------------------------------


def test_first_story_white_lion(records: Mapping[str, Mapping[str, Any]]) -> None:
    lion: Monster = records["monster"]["white_lion"]
    level: Level = lion.levels["first_story"]
    assert (level.movement, level.toughness, level.speed, level.damage) == (6, 6, 0, 0)
    assert level.cards == {
        "claw": 1,
        "chomp": 1,
        "size_up": 1,
        "power_swat": 1,
        "grasp": 1,
        "maul": 1,
        "terrifying_roar": 1,
        "enraged": 1,
    }
    assert level.on_top == ["claw"]
    assert level.top_location == "strange_hand"
    assert level.rewards == {"basic": 4, "white_lion": 4}
    assert (lion.instinct, lion.basic_action) == ("sniff", "white_lion_basic_action")


def test_what_the_monster_names_exists(records: Mapping[str, Mapping[str, Any]]) -> None:
    lion: Monster = records["monster"]["white_lion"]
    level = lion.levels["first_story"]
    named = {*level.cards, *level.on_top, lion.instinct, lion.basic_action}
    assert named <= set(records["ai_card"])
    assert level.top_location in records["hit_location"]


# --- AI cards -------------------------------------------------------------------------------------


def test_first_story_deck_by_level(
    cards: dict[str, AiCard], records: Mapping[str, Mapping[str, Any]]
) -> None:
    first_story = records["monster"]["white_lion"].levels["first_story"].cards
    named = [*first_story, "white_lion_basic_action", "sniff"]
    assert {id: cards[id].level for id in named} == {
        "claw": "B",
        "chomp": "B",
        "size_up": "B",
        "power_swat": "B",
        "grasp": "B",
        "maul": "A",
        "terrifying_roar": "A",
        "enraged": "A",
        "white_lion_basic_action": "basic_action",
        "sniff": "instinct",
    }


@pytest.mark.parametrize(
    ("card", "speed", "accuracy", "damage"),
    [
        ("claw", 2, 2, 1),
        ("chomp", 1, 2, 1),
        ("power_swat", 1, 2, 2),
        ("grasp", 1, 2, 1),
        ("maul", 2, 2, 3),
        ("white_lion_basic_action", 2, 2, 1),
    ],
)
def test_attack_profile(
    cards: dict[str, AiCard], card: str, speed: int, accuracy: int, damage: int
) -> None:
    profile = attack(cards[card])
    assert (profile.speed, profile.accuracy, profile.damage) == (speed, accuracy, damage)
    assert cards[card].steps[0].verb == "flow"


@pytest.mark.parametrize("card", ["size_up", "terrifying_roar", "enraged", "sniff"])
def test_cards_without_an_attack_of_their_own(cards: dict[str, AiCard], card: str) -> None:
    assert "attack" not in {step.verb for _, step in walk(cards[card].steps)}


@pytest.mark.parametrize("card", ["claw", "chomp"])
def test_printed_target_rows(cards: dict[str, AiCard], card: str) -> None:
    assert cards[card].target == [
        "closest threat, facing, in range",
        "closest threat, in field of view",
    ]


def test_basic_action_takes_the_closest_it_sees(cards: dict[str, AiCard]) -> None:
    assert cards["white_lion_basic_action"].target == ["closest survivor, in field of view"]


def test_chomp_strikes_the_head_unless_no_jaw(cards: dict[str, AiCard]) -> None:
    assert attack(cards["chomp"]).at == "head"
    assert {id: plain(steps) for id, steps in cards["chomp"].persistent.items()} == {
        "no_jaw": [("gain", {"who": "adjacent_to_monster", "insanity": 1})]
    }


def test_size_up_on_4_or_more(cards: dict[str, AiCard]) -> None:
    table = table_of(cards["size_up"].steps)
    assert (table.roll, table.purpose) == ("1d10", "size_up")
    assert {key: plain(steps) for key, steps in table.rows.items()} == {
        "1-3": [],
        "4+": [("damage", {"normal": {"level": 1}, "at": "brain"}), ("knock_down", {})],
    }


def test_triggers_after_damage(cards: dict[str, AiCard]) -> None:
    assert plain(attack(cards["power_swat"]).after_damage) == [("knockback", {"spaces": 6})]
    assert plain(attack(cards["maul"]).after_damage) == [
        ("tokens", {"bleeding": 1}),
        ("knock_down", {}),
    ]


def test_grasp_retreats_and_grabs(cards: dict[str, AiCard]) -> None:
    after = plain(attack(cards["grasp"]).after_damage)
    retreat, grab = after
    assert retreat == ("move", {"how": "away"})
    assert grab[0] == "if"
    assert grab[1]["is"] == {"not": {"persistent": "broken_foot"}}
    assert [verb for verb, _ in grab[1]["then"]] == ["grab"]


def test_enraged_is_a_mood_with_a_damage_token(cards: dict[str, AiCard]) -> None:
    card = cards["enraged"]
    assert card.type == "mood"
    assert plain(card.steps) == [("monster", {"damage": 1}), ("draw_ai", 1)]
    assert plain(card.leaves) == [("monster", {"damage": -1})]


def test_terrifying_roar_ends_in_a_basic_action(cards: dict[str, AiCard]) -> None:
    assert plain(cards["terrifying_roar"].steps)[-1] == ("basic_action", {"target": "furthest"})


def test_sniff_makes_all_threats(cards: dict[str, AiCard]) -> None:
    card = cards["sniff"]
    assert plain(card.steps)[0] == ("all_are_threats", 1)
    assert plain(card.steps)[1] == (
        "if",
        {"is": {"monster_level": "3+"}, "then": [("monster", {"accuracy": 1})]},
    )
    assert card.target == []


def test_cards_with_something_unknown_are_assisted(cards: dict[str, AiCard]) -> None:
    assert not any(cards[id].assisted for id in ("claw", "chomp", "combo_claw", "vicious_claw"))
    for card in cards.values():
        asks = "ask_table" in {step.verb for _, step in walk(card.steps)}
        assert card.assisted or not asks


def test_copies_in_the_whole_pool(cards: dict[str, AiCard]) -> None:
    twice = {id for id, card in cards.items() if card.copies == 2}
    assert twice == {"claw", "size_up", "grasp"}
    assert {card.copies for card in cards.values()} == {1, 2}


# --- hit locations --------------------------------------------------------------------------------

# id: (type, reactions, critical wound, persistent injury)
LOCATIONS: dict[str, tuple[str, str, bool, str]] = {
    "strange_hand": ("normal", "failure", True, "lost_hand"),
    "beasts_back": ("normal", "failure", True, ""),
    "beasts_brow": ("normal", "wound", True, ""),
    "beasts_chest": ("normal", "failure", True, ""),
    "beasts_ear": ("normal", "failure", True, ""),
    "beasts_elbow": ("normal", "failure", True, ""),
    "beasts_femur": ("normal", "", True, ""),
    "beasts_flank": ("normal", "wound", True, ""),
    "beasts_heel": ("normal", "", True, "ruptured_tendon"),
    "beasts_knee": ("normal", "", True, ""),
    "beasts_maw": ("normal", "failure", True, "no_jaw"),
    "beasts_paw": ("normal", "failure", True, "broken_foot"),
    "beasts_ribs": ("normal", "wound", True, ""),
    "beasts_scapular_deltoid": ("normal", "failure", True, ""),
    "beasts_tail": ("normal", "reflex", True, ""),
    "beasts_temple": ("normal", "failure", True, "beasts_temple"),
    "beasts_tricep": ("normal", "failure", True, ""),
    "clever_ploy": ("trap", "", False, ""),
    "fleshy_gut": ("normal", "failure", True, ""),
    "fuzzy_groin": ("normal", "", True, "lost_ding_dong"),
    "glorious_mane": ("impervious", "", True, ""),
    "soft_belly": ("normal", "", True, "organ_trail"),
    "straining_neck": ("normal", "", True, ""),
}


def test_hit_location_deck(locations: dict[str, HitLocation]) -> None:
    assert set(locations) == set(LOCATIONS)
    assert sum(location.copies for location in locations.values()) == 23


@pytest.mark.parametrize("id", LOCATIONS)
def test_hit_location(locations: dict[str, HitLocation], id: str) -> None:
    location = locations[id]
    reactions = [
        name for name in ("wound", "failure", "reflex") if getattr(location, name) is not None
    ]
    critical = location.critical is not None
    found = (location.type, " ".join(reactions), critical, location.persistent)
    assert found == LOCATIONS[id]
    assert location.toughness == 0
    assert bool(location.trap) == (location.type == "trap")


def test_strange_hand(locations: dict[str, HitLocation]) -> None:
    hand = locations["strange_hand"]
    assert plain(hand.failure) == [("basic_action", {"target": "attacker"})]
    assert plain(hand.critical) == [
        ("pay", {"survival": 1, "may": True, "then": [("gain", {"strength": 1})]})
    ]


def test_beasts_maw(locations: dict[str, HitLocation]) -> None:
    maw = locations["beasts_maw"]
    failure, critical = table_of(maw.failure), table_of(maw.critical)
    assert failure.roll == critical.roll == "1d10"
    assert {key: plain(steps) for key, steps in failure.rows.items()} == {
        "1-3": [],
        "4+": [("damage", {"normal": {"level": 1}, "at": "brain"}), ("knock_down", {})],
    }
    assert {key: plain(steps) for key, steps in critical.rows.items()} == {
        "1-4": [],
        "5+": [("gain", {"survival": 1, "courage": 1})],
    }


def test_clever_ploy_dooms_the_attacker(locations: dict[str, HitLocation]) -> None:
    assert plain(locations["clever_ploy"].trap) == [
        ("bar", {"who": "attacker", "what": ["survival"], "until": "card_end"}),
        ("basic_action", {"target": "attacker"}),
    ]


@pytest.mark.parametrize(
    ("id", "steps"),
    [
        ("beasts_heel", [("monster", {"knocked_down": True})]),
        ("beasts_paw", [("gain_resource", {"id": "lion_claw"})]),
        ("beasts_tail", [("gain_resource", {"id": "lion_tail"})]),
        ("beasts_tricep", [("discard_mood", 1), ("monster", {"knocked_down": True})]),
        ("glorious_mane", [("gain_resource", {"id": "shimmering_mane"})]),
    ],
)
def test_known_critical_wounds(
    locations: dict[str, HitLocation], id: str, steps: list[tuple[str, object]]
) -> None:
    assert plain(locations[id].critical) == steps


@pytest.mark.parametrize("id", ["beasts_chest", "straining_neck"])
def test_a_10_kills(locations: dict[str, HitLocation], id: str) -> None:
    rows = table_of(locations[id].critical).rows
    assert set(rows) == {"1-9", "10"}
    assert plain(rows["10"]) == [("monster", {"dies": True})]


def test_partly_known_critical_wounds(locations: dict[str, HitLocation]) -> None:
    assert plain(locations["fleshy_gut"].critical)[0] == ("gain_resource", {"deck": "basic"})
    assert plain(locations["fuzzy_groin"].critical)[:2] == [
        ("gain_resource", {"id": "lion_testes"}),
        ("priority_target", {"who": "attacker"}),
    ]
    assert plain(locations["beasts_chest"].failure)[0] == ("move", {"how": "forward"})


# --- all scripts ----------------------------------------------------------------------------------


def test_scripts_have_no_gaps_and_short_hints(
    cards: dict[str, AiCard],
    locations: dict[str, HitLocation],
    resources: Mapping[str, Resource],
) -> None:
    scripts = [card.steps for card in cards.values()]
    scripts += [steps for card in cards.values() for steps in card.persistent.values()]
    for place in locations.values():
        scripts += [place.wound or [], place.failure or [], place.reflex or []]
        scripts += [place.critical or [], place.trap]
    scripts += [resource.gained for resource in resources.values()]
    for steps in scripts:
        assert problems(steps) == []
        for _, step in walk(steps):
            if step.verb == "ask_table":
                assert 0 < len(str(step.body)) <= 60
            elif step.verb == "gain_resource" and (id := getattr(step.body, "id", None)):
                assert id in resources
    for record in [*cards.values(), *locations.values(), *resources.values()]:
        assert len(record.note) <= 90


# --- resources ------------------------------------------------------------------------------------

# id: (types, copies)
BASIC = {
    "question_marks": ({"bone", "hide", "organ", "consumable"}, 2),
    "broken_lantern": ({"scrap"}, 2),
    "love_juice": ({"organ", "consumable"}, 2),
    "monster_bone": ({"bone"}, 4),
    "monster_hide": ({"hide"}, 7),
    "monster_organ": ({"organ", "consumable"}, 3),
    "scrap": ({"scrap"}, 0),
    "skull": ({"bone"}, 1),
}
WHITE_LION = {
    "curious_hand": ({"hide"}, 1),
    "eye_of_cat": ({"organ", "consumable"}, 1),
    "golden_whiskers": ({"organ"}, 1),
    "great_cat_bones": ({"bone"}, 4),
    "lion_claw": ({"bone"}, 3),
    "lion_tail": ({"hide"}, 1),
    "lion_testes": ({"organ", "consumable"}, 1),
    "shimmering_mane": ({"hide"}, 1),
    "sinew": ({"organ"}, 2),
    "white_fur": ({"hide"}, 4),
}
STRANGE = {
    "fresh_acanthus": ({"herb"}, 4),
    "iron": ({"scrap", "iron"}, 8),
    "leather": ({"hide"}, 4),
}


@pytest.mark.parametrize(
    ("deck", "cards_of", "size"), [("basic", BASIC, 21), ("white_lion", WHITE_LION, 19)]
)
def test_resource_deck(
    resources: Mapping[str, Resource],
    deck: str,
    cards_of: dict[str, tuple[set[str], int]],
    size: int,
) -> None:
    found = {id: card for id, card in resources.items() if card.deck == deck}
    assert {id: (set(card.types), card.copies) for id, card in found.items()} == cards_of
    assert sum(card.copies for card in found.values()) == size


@pytest.mark.parametrize("id", STRANGE)
def test_strange_resource(resources: Mapping[str, Resource], id: str) -> None:
    card = resources[id]
    assert (card.deck, (set(card.types), card.copies)) == ("strange", STRANGE[id])


def test_resources_that_act_when_gained(resources: Mapping[str, Resource]) -> None:
    assert plain(resources["skull"].gained) == [
        ("choose", {"by": "all", "from": "all", "as": "chosen", "purpose": "skull"}),
        ("gain", {"who": "chosen", "insanity": 1}),
    ]
    assert plain(resources["curious_hand"].gained) == [
        ("gain", {"who": {"random": 1}, "insanity": 1})
    ]
    ours = BASIC.keys() | WHITE_LION.keys() | STRANGE.keys()
    assert {id for id in ours if resources[id].gained} == {"skull", "curious_hand"}
