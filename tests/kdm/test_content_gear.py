"""Gear, armor sets and resources of edition 1.3: how many there are, and figures of some."""

from __future__ import annotations

from collections import Counter

import pytest

from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.content import ArmorSet, Cost, Gear, Resource, Weapon
from kdmlog.packs.library import Library

from .table import Game

PLACES = {
    "starting": 3,
    "bone_smith": 7,
    "skinnery": 8,
    "organ_grinder": 5,
    "catarium": 15,
    "leather_worker": 7,
    "weapon_crafter": 9,
    "stone_circle": 13,
    "plumery": 15,
    "blacksmith": 13,
    "barber_surgeon": 8,
    "mask_maker": 6,
    "rare": 14,
}
LATER = {
    "bone_club",
    "stone_noses",
    "final_lantern",
    "survivors_lantern",
    "oxidized_ring_whip",
    "oxidized_lantern_sword",
}
"""Gear of later editions."""


@pytest.fixture(scope="module")
def content() -> Library:
    return Game().library


def test_every_location_has_its_gear(content: Library) -> None:
    gear = content.all(Gear)
    assert Counter(one.location for one in gear.values()) == PLACES
    assert not LATER & set(gear)


@pytest.mark.parametrize(
    ("card", "weapon", "rules"),
    [
        ("king_spear", (2, 6, 3), ["reach:2"]),
        ("cat_gut_bow", (2, 7, 3), ["cumbersome", "range:6"]),
        ("claw_head_arrow", (1, 6, 6), ["slow", "ammo:bow", "once_per_showdown"]),
        ("perfect_slayer", (3, 6, 14), ["slow", "sharp", "devastating:2", "irreplaceable"]),
        ("ring_whip", (2, 5, 0), ["sharp", "reach:2", "early_iron"]),
        ("muramasa", (6, 6, 6), ["frail", "sharp", "sentient", "deadly:2", "unique"]),
        ("twilight_sword", (1, 9, 9), None),
    ],
)
def test_weapons(
    content: Library, card: str, weapon: tuple[int, int, int], rules: list[str] | None
) -> None:
    speed, accuracy, strength = weapon
    record = content.get(Gear, card)
    assert record.weapon == Weapon(speed=speed, accuracy=accuracy, strength=strength)
    assert rules is None or record.rules == rules


def test_shields_add_armor_everywhere(content: Library) -> None:
    shields = {
        id_: one.armor.points
        for id_, one in content.all(Gear).items()
        if one.armor is not None and one.armor.location == "all"
    }
    assert shields == {"beacon_shield": 2, "round_leather_shield": 1, "scrap_shield": 1}


def test_masks_cost_an_endeavor_and_are_the_only_ones(content: Library) -> None:
    masks = [one for one in content.all(Gear).values() if one.location == "mask_maker"]
    assert all(Cost(endeavors=1) in one.cost for one in masks)
    assert all({"unique", "irreplaceable", "accessory"} <= {*one.rules} for one in masks)
    assert Cost(gear="founding_stone") in content.get(Gear, "god_mask").cost
    assert Cost(population=1) in content.get(Gear, "death_mask").cost


def test_costs_name_resources_that_there_are(content: Library) -> None:
    resources = content.all(Resource)
    types = {type_ for one in resources.values() for type_ in one.types}
    for id_, gear in content.all(Gear).items():
        for cost in [one for line in gear.cost for one in (line, *line.any_of)]:
            assert cost.resource is None or cost.resource in resources, id_
            assert cost.type is None or cost.type in types, id_


@pytest.mark.parametrize(
    ("deck", "cards"),
    [("basic", 21), ("white_lion", 19), ("screaming_antelope", 16), ("phoenix", 24), ("vermin", 8)],
)
def test_resource_decks(content: Library, deck: str, cards: int) -> None:
    assert sum(one.copies for one in content.all(Resource).values() if one.deck == deck) == cards


def test_sets_are_all_armor_of_a_location_with_the_keyword_set(content: Library) -> None:
    gear = content.all(Gear)
    for id_, set_ in content.all(ArmorSet).items():
        [place] = {gear[piece].location for piece in set_.pieces}
        there = {one for one, card in gear.items() if card.location == place}
        assert {one for one in there if "set" in gear[one].keywords} == set(set_.pieces), id_
    assert len(content.all(ArmorSet)) == 6


def test_notes_are_short(content: Library) -> None:
    for kind in (Gear, Resource, ArmorSet):
        for id_, record in content.all(kind).items():
            assert len(record.note) <= 90, id_


def test_what_is_eaten_can_be_consumed(content: Library) -> None:
    for id_, one in content.all(Resource).items():
        if one.use is not None and one.use.consumes:
            assert "consumable" in one.types, id_
            assert list(s.steps_of(one)), id_
