"""What gear lets its bearer do by one of its rules: block, charge, pounce, slam."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from kdmlog.core.errors import Refused
from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.core.requests import Choose, Field, Fill, Option
from kdmlog.games.kdm import board as g
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import grid
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.content import KINDS, ArmorSet, Gear
from kdmlog.games.kdm.rules import (
    attack,
    conditions,
    hiding,
    kit,
    moving,
    script,
    traits,
    walking,
    where,
)
from kdmlog.games.kdm.rules.attack import Feat
from kdmlog.games.kdm.rules.blocking import BLOCK
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.rules.monster import over
from kdmlog.games.kdm.rules.script import verb
from kdmlog.games.kdm.state import Space

POUNCE = 3
"""Spaces of a pounce (rulebook, Glossary, Pounce)."""
SLAM = 4
"""Spaces that a slam needs to have force (rulebook, Glossary, Slam)."""


class Play(NamedTuple):
    """A feat: its rule, what it costs, and what is done."""

    rule: str
    cost: tuple[str, ...]
    play: Callable[[Table, str, str, int], Procedure[None]]


def there(table: Table, id_: str) -> dict[str, tuple[str, Play, int]]:
    """Returns the gear and armor sets of a survivor that have a feat.

    By id: the shown name, the feat, and its number (Block 2).
    """
    survivor = table.state.survivors[id_]
    cards = dict(kit.in_grid(table, survivor).values())
    records: dict[str, Gear | ArmorSet] = dict(cards)
    for set_id, one in table.content.all(ArmorSet).items():
        if one.rules and cards.keys() >= set(one.pieces):
            records[set_id] = one
    found = {}
    for card, record in records.items():
        for written in record.rules:
            name, _, number = written.partition(":")
            if name in FEATS:
                found[card] = (record.name, FEATS[name], int(number or 1))
    return found


def refuse(table: Table, id_: str, feat: Play) -> None:
    """Raises Refused when an injury or a card bars a survivor from a feat (Dislocated Shoulder)."""
    survivor = table.state.survivors[id_]
    if why := conditions.barred(table, survivor, feat.rule):
        raise Refused(f"{survivor.name} may not use {feat.rule}: {why}.")


@rule("kdm.block")
def block(table: Table, id_: str, card: str, hits: int) -> Procedure[None]:
    """Ignores so many hits of the next attack, until the next act (rulebook, Glossary, Block)."""
    yield Record(e.BenefitRemembered(what=f"{BLOCK}:{hits}", survivor=id_, until="showdown_end"))


@rule("kdm.charge")
def charge(table: Table, id_: str, card: str, _number: int) -> Procedure[None]:
    """Straight on as far as they get, then a melee attack: the spaces moved are its strength."""
    steps = yield from _straight(table, id_, "charge", walking.full_move(table, id_))
    yield from _attack(table, id_, Feat("charge", {"strength": steps}))


@rule("kdm.pounce")
def pounce(table: Table, id_: str, card: str, _number: int) -> Procedure[None]:
    """3 spaces straight on, then a melee attack with +1 strength (rulebook, Glossary, Pounce)."""
    yield from _straight(table, id_, "pounce", POUNCE)
    records = dict(kit.in_grid(table, table.state.survivors[id_]).values())
    sure = sum("pounce_accuracy" in one.rules for one in records.values())
    yield from _attack(table, id_, Feat("pounce", {"strength": 1, "accuracy": sure}))


@rule("kdm.slam")
def slam(table: Table, id_: str, card: str, _number: int) -> Procedure[None]:
    """A full move straight on; 4 spaces or more that end at the monster push and soften it.

    Knockback 1, and -1 toughness until the end of the round (rulebook, Glossary, Slam).
    """
    yield from _slams(table, id_, card)
    yield from traits.moment(table, "slam", [id_])


def _slams(table: Table, id_: str, card: str) -> Procedure[None]:
    board = where.board(table.state)
    start = board.survivors.get(id_) if board is not None else None
    through = bool(traits.ruled(table, table.state.survivors[id_], "slams_through"))
    far = walking.full_move(table, id_)
    steps = yield from _straight(table, id_, "slam", far, through=through)
    if steps < SLAM or not (board is None or where.beside_monster(table.state, id_)):
        return
    scene = Scene(table=table, record=f"gear:{card}", who=id_)
    softer = s.decode([{"monster": {"toughness": -1, "until": "round_end"}}])
    yield from script.play_record(scene, softer, "slam")
    if board is not None and start is not None:
        yield from moving.shove(table, g.heading(start, board.survivors[id_]), 1)
    else:
        yield Record(e.MonsterMoved(how="knocked back 1"))


def _straight(
    table: Table, id_: str, purpose: str, steps: int, *, through: bool = False
) -> Procedure[int]:
    """Moves a survivor straight on, as far as nothing is in the way; returns how far.

    Some go ``through`` other survivors, but never end on one (Screaming Bracers). Without a board
    the players say how far they got.
    """
    board = where.board(table.state)
    if board is None:
        field = Field(name="spaces", least=0, most=steps, default=str(steps))
        values = yield Fill(purpose=purpose, about=(id_,), fields=(field,))
        return int(values["spaces"])
    start = board.survivors[id_]
    taken = where.taken(table, but=[id_])
    passed = frozenset(board.survivors.values()) - {start} if through else frozenset()
    ways = {way: _free(g.walked(start, way * steps), taken, passed) for way in g.FACINGS}
    options = tuple(
        Option(way, f"to {path[-1][0]} {path[-1][1]}") for way, path in ways.items() if path
    )
    if not options:
        raise Refused(f"{table.state.survivors[id_].name} cannot move in any direction.")
    way = options[0].id
    if len(options) > 1:
        [way] = yield Choose(purpose=purpose, about=(id_,), by=id_, options=options)
    yield Record(e.SurvivorMoved(survivor=id_, path=ways[way]))
    yield from hiding.leaves(table, id_)
    return len(ways[way])


def _free(path: g.Path, taken: frozenset[Space], passed: frozenset[Space]) -> g.Path:
    """Returns the part of a path that is free, or passes over those who do not end it."""
    found: list[Space] = []
    for space in path:
        if space in taken - passed or not g.inside(space):
            break
        found.append(space)
    while found and found[-1] in taken:
        found.pop()
    return tuple(found)


def _attack(table: Table, id_: str, feat: Feat) -> Procedure[None]:
    """The melee attack at the end of a feat, if a melee weapon gets to the monster."""
    names = attack.weapons(table, id_)
    melee = [
        card
        for card in names
        if "melee" in table.content.get(Gear, card).keywords and _reaches(table, id_, card)
    ]
    if not melee:
        return
    weapon = melee[0]
    if len(melee) > 1:
        options = tuple(Option(card, names[card]) for card in melee)
        [weapon] = yield Choose(
            purpose="feat_weapon", about=(id_,), by=id_, options=options, default=weapon
        )
    attack.refuse_weapon(table, id_, weapon)
    yield from _strike(table, id_, weapon, feat)


def _reaches(table: Table, id_: str, card: str) -> bool:
    """Returns whether a weapon gets to the monster; without a board the players see that."""
    return where.board(table.state) is None or not attack.out_of_reach(
        attack.Blow(table, id_, card)
    )


def _strike(table: Table, id_: str, weapon: str, feat: Feat) -> Procedure[None]:
    blind = attack.from_blind_spot(table, id_, said=False)
    yield from attack.take_up(table, id_, weapon)
    yield from attack.attack(table, id_, weapon, blind=blind, feat=feat)


@verb("swing")
def _swing(scene: Scene, body: s.Swing) -> Procedure[None]:
    """An attack more, if a weapon gets to the monster: the one beside this card, or a melee one."""
    table, id_ = scene.table, scene.who
    survivor = scene.state.survivors[id_]
    if over(table) or not survivor.conscious or survivor.knocked_down is not None:
        return
    kind, _, name = scene.record.partition(":")
    record = table.content.get(KINDS[kind], name)
    feat = Feat(record.name, {"strength": body.strength})
    if not body.side:
        yield from _attack(table, id_, feat)
        return
    cards = {cell: card for cell, (card, _) in kit.in_grid(table, survivor).items()}
    cell = next((at for at, card in cards.items() if card == name), "")
    weapon = cards.get(grid.beside(cell, body.side), "") if cell else ""
    if weapon not in attack.weapons(table, id_) or not _reaches(table, id_, weapon):
        return
    if "two_handed" in table.content.get(Gear, weapon).keywords:
        return
    attack.refuse_weapon(table, id_, weapon)
    yield from _strike(table, id_, weapon, feat)


BOTH = ("movement", "activation")
FEATS: dict[str, Play] = {
    BLOCK: Play(BLOCK, ("activation",), block),
    "charge": Play("charge", BOTH, charge),
    "pounce": Play("pounce", BOTH, pounce),
    "slam": Play("slam", ("movement",), slam),
}
"""By the rule that grants them."""
