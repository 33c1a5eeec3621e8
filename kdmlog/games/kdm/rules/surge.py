"""Surging: one activation more, spent at once, perhaps in the midst of another's attack."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from msgspec import Struct

from kdmlog.core.errors import NotNow, Refused
from kdmlog.core.events import CardsMoved
from kdmlog.core.game import Table
from kdmlog.core.names import match
from kdmlog.core.procedures import Procedure, Record
from kdmlog.core.requests import Choose, Option
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import Gear, Terrain
from kdmlog.games.kdm.rules import activations, attack, figures, in_play, script, survival, where
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.rules.survival import action
from kdmlog.games.kdm.state import Survivor

OTHER = "other"
"""What the packs do not know is activated: the players read what it does."""
TERRAIN = "terrain"
ASIDE = "set_aside"
"""Where the hits of an interrupted attack wait."""


class Way(Struct, frozen=True):
    """Something to do with the activation of a surge."""

    label: str
    play: Callable[[], Procedure[None]]
    weapon: bool = False
    movement: bool = False
    """It takes movement, too: that of the survivor's own act."""
    terrain: bool = False


def ways(table: Table, id_: str) -> dict[str, Way]:
    """Returns what a survivor could surge for, by what is typed; weapons come first.

    Without survival to spend only weapons are activated (Sweet Battle).
    """
    survivor: Survivor = table.state.survivors[id_]
    found = dict(_weapons(table, id_))
    if not figures.can_spend_survival(table, survivor):
        return found
    for card, one in activations.at_hand(table, id_).items():
        movement = "movement" in one.cost
        if "activation" in one.cost and _may(one.refuse) and (not movement or _left(table, id_)):
            key = f"throw_{card}" if card in found else card
            terrain = table.content.find(Terrain, card) is not None
            found[key] = Way(one.name, one.play, movement=movement, terrain=terrain)
    found[OTHER] = Way("other gear or rules", lambda: _other(table, id_))
    return found


def _weapons(table: Table, id_: str) -> Iterator[tuple[str, Way]]:
    """Yields attacks; where no positions are kept, from the blind spot besides."""
    last = attack.weapon_named(table, id_, "")
    names = attack.weapons(table, id_)
    for card in sorted(names, key=lambda card: card != last):
        if where.board(table.state) is not None:
            sides = [where.in_blind_spot(table, id_)]
        else:
            sides = [False, True]
        for blind in sides:
            if _may(partial(_refuse, table, id_, card, blind=blind)):
                behind = blind and len(sides) > 1
                label = f"{names[card]} from the blind spot" if behind else names[card]
                attacking = partial(_attack, table, id_, card, blind=blind)
                way = Way(label, attacking, weapon=True, movement=_cumbersome(table, card))
                yield f"blind_{card}" if behind else card, way


def _may(refuse: Callable[[], None]) -> bool:
    try:
        refuse()
    except Refused:
        return False
    return True


def _refuse(table: Table, id_: str, card: str, *, blind: bool) -> None:
    attack.refuse_weapon(table, id_, card)
    attack.refuse_attack(table, id_, card, blind=blind)
    if _cumbersome(table, card) and not _left(table, id_):
        raise NotNow("A cumbersome weapon takes movement, too.")


def _cumbersome(table: Table, card: str) -> bool:
    return "cumbersome" in table.content.get(Gear, card).rules


def _left(table: Table, id_: str) -> int:
    """Returns the movement that a survivor has left to spend: in their own act alone."""
    act = table.state.showdown.act
    return act.movement if act is not None and act.survivor == id_ else 0


@action("surge", ready=lambda table, id_: bool(ways(table, id_)))
def surge(table: Table, id_: str, thing: str) -> Procedure[None]:
    """+1 activation, spent at once; all that comes of it is resolved before anything goes on."""
    offered = ways(table, id_)
    if thing:
        chosen = match(thing, {key: one.label for key, one in offered.items()}, "thing to activate")
    else:
        chosen = yield from _chosen(table, id_, offered)
    way = offered[chosen]
    if not (way.weapon and survival.surges_freely(table, table.state.survivors[id_])):
        yield from figures.spend_survival(table, id_)
    if way.movement:
        left = _left(table, id_) - 1
        yield Record(e.ActSpent(survivor=id_, what="movement", now=left))
    yield from _aside(table, "drawn", ASIDE)
    yield from in_play.moment(table, "activation", id_)
    survivor: Survivor = table.state.survivors[id_]
    if survivor.conscious and survivor.knocked_down is None and not table.state.showdown.outcome:
        yield from way.play()
    yield from _aside(table, ASIDE, "drawn")


def _chosen(table: Table, id_: str, offered: dict[str, Way]) -> Procedure[str]:
    """Asks what a survivor surges for; without a board any terrain may be near: it is asked apart.

    Weapons come first, so a bare answer attacks with the last one used.
    """
    apart = where.board(table.state) is None
    near = [key for key, one in offered.items() if one.terrain and apart]
    options = [Option(key, one.label) for key, one in offered.items() if key not in near]
    if near:
        options.append(Option(TERRAIN, "terrain nearby"))
    [chosen] = yield Choose(
        purpose="surge", about=(id_,), by=id_, options=tuple(options), default=options[0].id
    )
    if chosen == TERRAIN:
        tiles = tuple(Option(key, offered[key].label) for key in near)
        [chosen] = yield Choose(purpose="surge", about=(id_, TERRAIN), by=id_, options=tiles)
    return str(chosen)


def _aside(table: Table, before: str, to: str) -> Procedure[None]:
    """Hits of the attack that is interrupted wait, until this one's are resolved."""
    cards = tuple(table.state.decks["hit_locations"][before])
    if cards:
        yield Record(CardsMoved(deck="hit_locations", cards=cards, before=before, to=to))


def _attack(table: Table, id_: str, card: str, *, blind: bool) -> Procedure[None]:
    yield from attack.take_up(table, id_, card)
    yield from attack.attack(table, id_, card, blind=blind)


def _other(table: Table, id_: str) -> Procedure[None]:
    scene = Scene(table=table, record="rule:surge", who=id_, path="other")
    yield from script.ask_table(scene, "what is activated does")
