"""The cards of all monsters against what is printed on them: ranks, types, copies, profiles."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from kdmlog.games.kdm.content import KINDS, AiCard, HitLocation, Monster
from kdmlog.games.kdm.script import Attack, steps_of
from kdmlog.packs.library import Library

from .table import pack

HERE = Path(__file__).parent
LIBRARY = Library([pack()], KINDS)


def rows(name: str) -> list[list[str]]:
    """Returns the rows of a table of facts, split into words."""
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [line.split() for line in lines if not line.startswith("#")]


AI_CARDS, LOCATIONS = rows("monster_ai_cards.txt"), rows("monster_hit_locations.txt")
MONSTERS = dict.fromkeys(row[0] for row in AI_CARDS)


def profiles(card: AiCard) -> set[str]:
    """Returns the attack profiles on a card, as ``speed/accuracy/damage``."""
    attacks = [step.body for _, step in steps_of(card) if isinstance(step.body, Attack)]
    return {
        f"{one.speed}/{one.accuracy}/{'-' if one.damage is None else one.damage}" for one in attacks
    }


@pytest.mark.parametrize("row", AI_CARDS, ids=lambda row: row[1])
def test_an_ai_card_is_as_printed(row: list[str]) -> None:
    monster, id_, level, type_, copies, profile = row
    card = LIBRARY.get(AiCard, id_)
    found = (card.monster, card.level, card.type, card.copies)
    assert found == (monster, level, type_, int(copies))
    assert ({profile} - {"-"}) <= profiles(card)


@pytest.mark.parametrize("row", LOCATIONS, ids=lambda row: row[1])
def test_a_hit_location_is_as_printed(row: list[str]) -> None:
    monster, id_, type_, copies, reactions, critical, injury = row
    card = LIBRARY.get(HitLocation, id_)
    assert (card.monster, card.type.replace(" ", "+"), card.copies) == (monster, type_, int(copies))
    there = [one for one in ("wound", "failure", "reflex") if getattr(card, one) is not None]
    assert "+".join(there) == reactions.replace("-", "")
    assert (card.critical is not None) == (critical == "critical")
    assert card.persistent == injury.replace("-", "")
    assert bool(card.trap) == (type_ == "trap")


@pytest.mark.parametrize(
    ("monster", "pool"),
    [
        ("white_lion", {"B": 12, "A": 9, "L": 2}),
        ("screaming_antelope", {"B": 12, "A": 8, "L": 3}),
        ("phoenix", {"B": 13, "A": 7, "L": 4}),
        ("butcher", {"B": 11, "A": 10}),
        ("kings_man", {"B": 13, "A": 7, "L": 1}),
        ("the_hand", {"B": 11, "A": 2}),
        ("watcher", {"B": 12}),
    ],
)
def test_a_monsters_pool_by_rank(monster: str, pool: dict[str, int]) -> None:
    found: Counter[str] = Counter()
    for card in LIBRARY.all(AiCard).values():
        if card.monster == monster and card.level in "BAL":
            found[card.level] += card.copies
    assert dict(found) == pool


@pytest.mark.parametrize(
    ("monster", "count"),
    [
        ("white_lion", 23),
        ("screaming_antelope", 22),
        ("phoenix", 22),
        ("butcher", 15),
        ("kings_man", 21),
        ("the_hand", 17),
        ("watcher", 25),
    ],
)
def test_a_monsters_hit_location_deck(monster: str, count: int) -> None:
    mine = [one for one in LIBRARY.all(HitLocation).values() if one.monster == monster]
    assert sum(one.copies for one in mine) == count


@pytest.mark.parametrize("monster", MONSTERS)
def test_a_monster_has_its_instinct_and_basic_action(monster: str) -> None:
    record = LIBRARY.get(Monster, monster)
    levels = [LIBRARY.get(AiCard, id_).level for id_ in (record.instinct, record.basic_action)]
    assert levels == ["instinct", "basic_action"]


def test_no_card_of_a_monster_is_printed_nowhere() -> None:
    printed = {row[1] for row in AI_CARDS} | {row[1] for row in LOCATIONS}
    ours = {"red_lens_open", "blue_lens_open", "green_lens_open"}  # the backs of two-sided cards
    ours |= {one.instinct for one in LIBRARY.all(Monster).values()}
    found = {*LIBRARY.ids(AiCard), *LIBRARY.ids(HitLocation)}
    assert found - printed - ours == set()
