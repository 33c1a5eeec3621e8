"""What gear, resources and traits do when they are used: eaten, played, handed over."""

from __future__ import annotations

from msgspec import Struct

from kdmlog.core.errors import NotNow, Refused
from kdmlog.core.events import CardsMoved, UseSpent
from kdmlog.core.game import Table
from kdmlog.core.names import match
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.core.requests import Choose, Draw, Option, Shuffle
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.content import AiCard, Gear, HitLocation, Resource, Use
from kdmlog.games.kdm.rules import (
    conditions,
    figures,
    kit,
    script,
    things,
    traits,
    turns,
    where,
)
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.rules.script import verb
from kdmlog.games.kdm.state import ATTRIBUTES, LOCATIONS, State, Survivor

BENEFITS_NOT = "river_parasites"
"""Who has these neither gains nor suffers by what they consume (hunt event 46)."""


class Thing(Struct, frozen=True):
    """Something that could be used: its record as ``kind:id``, its name, and which copy it is."""

    ref: str
    name: str
    use: Use | None
    gear: str = ""
    stored: bool = False
    """It lies in the settlement's storage."""


def usable(table: Table, survivor: str) -> dict[str, Thing]:
    """Returns what a survivor could use, by id: gear, resources, what they bear.

    Resources with rules act at any time; out of storage only while the settlement develops
    (rulebook, Survivors Gaining Resources).
    """
    state: State = table.state
    person = state.survivors[survivor]
    found: dict[str, Thing] = {}
    for cell, (card, record) in sorted(kit.in_grid(table, person).items()):
        gear = person.grid[cell]
        found.setdefault(card, Thing(f"gear:{card}", record.name, record.use, gear))
    for id_ in person.resources:
        one = table.content.get(Resource, id_)
        found.setdefault(id_, Thing(f"resource:{id_}", one.name, one.use))
    if (state.phase.name, state.phase.step) == ("settlement", "develop"):
        for id_ in sorted(state.settlement.storage.resources):
            one = table.content.get(Resource, id_)
            found.setdefault(id_, Thing(f"resource:{id_}", one.name, one.use, stored=True))
    for ref, trait in traits.at_work(table, person):
        if trait.use is not None:
            found.setdefault(ref.partition(":")[2], Thing(ref, trait.name, trait.use))
    return found


def named(table: Table, survivor: str, word: str) -> Thing:
    """Returns what was named among what a survivor has at hand."""
    there = usable(table, survivor)
    return there[match(word, {id_: one.name for id_, one in there.items()}, "thing at hand")]


def ready(table: Table, survivor: str) -> list[str]:
    """Returns the ids of what a survivor can use as things stand."""
    there = usable(table, survivor).items()
    return [
        id_
        for id_, one in there
        if one.use is not None
        and not why_not(table, survivor, one)
        and (not one.use.spends or table.state.phase.step == "survivors")
    ]


def why_not(table: Table, survivor: str, thing: Thing, *, eaten: bool = False) -> str:
    """Returns why something cannot be used now, in words; empty when it can."""
    state: State = table.state
    person = state.survivors[survivor]
    use = thing.use
    if use is None or (eaten and not use.consumes):
        return f"nothing comes of {'eating' if eaten else 'using'} the {thing.name}"
    if thing.gear and (why := _barred(table, person, thing.ref)):
        return f"{person.name} may not use the {thing.name}: {why}"
    phases = use.phases or ["showdown"]
    if state.phase.name not in phases:
        return f"the {thing.name} is for the {' and '.join(phases)}"
    if use.consumes and (why := conditions.barred(table, person, "consume")):
        return f"{person.name} can consume nothing: {why}"
    if use.bonus and not kit.bonuses(table, person).get(thing.ref.partition(":")[2]):
        return f"the affinities of the {thing.name} are not there"
    if use.if_ is not None and not conditions.holds_alone(table, person, thing.ref, use.if_):
        words = use.if_ if isinstance(use.if_, str) else "as it asks"
        return f"{person.name} is not {words}"
    if use.once and state.used(use.once, survivor, thing.ref):
        return f"the {thing.name} is used once a {use.once}"
    if person.knocked_down is not None and not use.lying:
        return f"{person.name} is knocked down"
    if use.survival and not figures.can_spend_survival(table, person, use.survival):
        return f"it costs {use.survival} survival"
    return ""


def _barred(table: Table, person: Survivor, ref: str) -> str:
    """Returns what bars a survivor from gear by a word on its card; empty when nothing does."""
    record: Gear = table.content.get(Gear, ref.partition(":")[2])
    words = (*record.keywords, *(one.partition(":")[0] for one in record.rules))
    return next((why for word in words if (why := conditions.barred(table, person, word))), "")


@rule("kdm.use")
def use_thing(table: Table, survivor: str, thing: Thing, *, eaten: bool = False) -> Procedure[None]:
    """Uses gear, a resource or a trait: what it costs, then what it does (Gear, Activation Costs).

    Raises Refused when it cannot be used now.
    """
    if why := why_not(table, survivor, thing, eaten=eaten):
        raise Refused(f"{why[:1].upper()}{why[1:]}.")
    if thing.use is not None and thing.use.spends:
        yield from _spend(table, survivor, thing.use)
    yield from resolve(table, survivor, thing)


def resolve(table: Table, survivor: str, thing: Thing) -> Procedure[None]:
    """Does what a use does, movement and activation paid."""
    use = thing.use
    assert use is not None
    if use.survival:
        yield from figures.spend_survival(table, survivor, use.survival)
    if use.once:
        yield Record(UseSpent(scope=use.once, who=survivor, what=thing.ref))
    yield Record(e.ThingUsed(survivor=survivor, record=thing.ref, eaten=use.consumes))
    if use.archive:
        yield from _archive(table, survivor, thing)
    if use.consumes and BENEFITS_NOT in table.state.survivors[survivor].impairments:
        return
    scene = Scene(table=table, record=thing.ref, who=survivor)
    yield from script.play_record(scene, use.steps, "use.steps")


def _spend(table: Table, survivor: str, use: Use) -> Procedure[None]:
    """Pays with the bearer's act; lying down no act begins, so it is paid once a round."""
    person: Survivor = table.state.survivors[survivor]
    if person.knocked_down is not None:
        if table.state.used("round", survivor, "lying_activation"):
            raise NotNow(f"{person.name} has no {use.spends} left.")
        yield Record(UseSpent(scope="round", who=survivor, what="lying_activation"))
        return
    if table.state.phase.step != "survivors":
        raise NotNow(f"It takes {use.spends}: it is not the survivors' turn.")
    yield from turns.begin_act(table, survivor)
    yield from turns.spend(table, survivor, use.spends)


def _archive(table: Table, survivor: str, thing: Thing) -> Procedure[None]:
    kind, _, id_ = thing.ref.partition(":")
    if kind == "gear":
        yield Record(e.GearArchived(gear=thing.gear))
    elif thing.stored:
        yield from things.lose_resource(table, id_)
    elif kind == "resource":
        yield Record(e.ResourceLost(survivor=survivor, resource=id_))


@rule("kdm.give")
def give(table: Table, giver: str, word: str, taker: str) -> Procedure[None]:
    """Hands a resource over; gear stays in its grid (rulebook, Gear Grid; Trading Resources)."""
    state: State = table.state
    carried = {
        one: figures.name_of(table, Resource, one) for one in state.survivors[giver].resources
    }
    resource = match(word, carried, "resource carried")
    if giver == taker:
        raise Refused(f"{state.survivors[giver].name} carries it already.")
    if where.board(state) is not None and not where.beside(state, giver, taker):
        names = state.survivors
        raise Refused(f"{names[taker].name} is not adjacent to {names[giver].name}.")
    yield Record(e.ResourceGiven(survivor=giver, to=taker, resource=resource))


# --- verbs ----------------------------------------------------------------------------------------


@verb("reorder")
def _reorder(scene: Scene, body: s.Reorder) -> Procedure[None]:
    """Looks at the next cards and puts them back in the order chosen, the first one on top."""
    deck = scene.state.decks[body.deck]
    count = min(body.count, len(deck["deck"]))
    if not count:
        return
    drawn = yield Draw(deck=body.deck, count=count, to="revealed", purpose=f"look_{body.deck}")
    left, order = list(drawn), []
    while len(set(left)) > 1:
        options = tuple(Option(one, _card(scene, body.deck, one)) for one in dict.fromkeys(left))
        [first] = yield Choose(
            purpose="next_on_top", about=(scene.record,), by=scene.who, options=options
        )
        left.remove(first)
        order.append(first)
    order += left
    bottom = False
    if body.bottom:
        options = (Option("top"), Option("bottom"))
        [place] = yield Choose(
            purpose="top_or_bottom", about=(scene.record, *order), by=scene.who, options=options
        )
        bottom = place == "bottom"
    yield Record(
        CardsMoved(deck=body.deck, cards=tuple(order), before="revealed", to="deck", bottom=bottom)
    )


def _card(scene: Scene, deck: str, card: str) -> str:
    return figures.name_of(scene.table, AiCard if deck == "ai" else HitLocation, card)


@verb("reshuffle")
def _reshuffle(scene: Scene, body: str) -> Procedure[None]:
    if body in scene.state.decks:
        yield Shuffle(deck=body, took=("discard",), purpose=f"shuffle_{body}")


@verb("more")
def _more(scene: Scene, body: s.More) -> Procedure[None]:
    """More to spend in the act under way (rulebook, Glossary, Dash; Surge)."""
    fight = scene.state.showdown
    act = fight.act if fight is not None else None
    if act is None or act.survivor != scene.who:
        return
    for what in ("movement", "activation"):
        if by := getattr(body, what):
            now = getattr(act, what) + by
            yield Record(e.ActGained(survivor=scene.who, what=what, by=by, now=now))


@verb("armor")
def _armor(scene: Scene, body: s.ArmorPoints) -> Procedure[None]:
    for id_ in (yield from conditions.people(scene, body.who)):
        for place in LOCATIONS:
            now = scene.state.survivors[id_].armor.get(place, 0) + body.every
            yield Record(e.ArmorChanged(survivor=id_, location=place, by=body.every, now=now))


@verb("heal_location")
def _heal_location(scene: Scene, body: s.People) -> Procedure[None]:
    """Heals one location wholly: injury boxes, and armor to what is worn (Glossary, Healing)."""
    for id_ in (yield from conditions.people(scene, body.who)):
        person = scene.state.survivors[id_]
        worn = things.armor_points(scene.table, id_)
        hurt = [
            place
            for place in LOCATIONS
            if person.injuries.get(place) or person.armor.get(place, 0) < worn[place]
        ]
        if not hurt:
            continue
        healed = hurt[0]
        if len(hurt) > 1:
            options = tuple(Option(place) for place in hurt)
            [healed] = yield Choose(
                purpose="heal_location", about=(scene.record, id_), by=id_, options=options
            )
        for box in list(person.injuries.get(healed, ())):
            yield Record(e.InjuryErased(survivor=id_, location=healed, box=box))
        before = scene.state.survivors[id_].armor.get(healed, 0)
        if (by := worn[healed] - before) > 0:
            yield Record(e.ArmorChanged(survivor=id_, location=healed, by=by, now=worn[healed]))


@verb("tokens_off")
def _tokens_off(scene: Scene, body: s.People) -> Procedure[None]:
    for id_ in (yield from conditions.people(scene, body.who)):
        for token, count in sorted(scene.state.survivors[id_].tokens.items()):
            yield Record(e.TokensChanged(survivor=id_, token=token, by=-count, now=0))


@verb("token_off")
def _token_off(scene: Scene, body: s.People) -> Procedure[None]:
    for id_ in (yield from conditions.people(scene, body.who)):
        tokens = scene.state.survivors[id_].tokens
        bad = ["bleeding"] if tokens.get("bleeding", 0) > 0 else []
        bad += [name for name in ATTRIBUTES if tokens.get(name, 0) < 0]
        if not bad:
            continue
        token = bad[0]
        if len(bad) > 1:
            options = tuple(Option(name) for name in bad)
            [token] = yield Choose(
                purpose="token_off", about=(scene.record, id_), by=id_, options=options
            )
        yield from figures.tokens(scene.table, id_, token, -1 if token == "bleeding" else 1)


@verb("stand")
def _stand(scene: Scene, body: s.People) -> Procedure[None]:
    for id_ in (yield from conditions.people(scene, body.who)):
        if scene.state.survivors[id_].knocked_down is not None:
            yield Record(e.StoodUp(survivor=id_))


@verb("exchange")
def _exchange(scene: Scene, body: s.Exchange) -> Procedure[None]:
    person = scene.state.survivors[scene.who]
    one, other = getattr(person, body.one), getattr(person, body.other)
    yield from figures.put(scene.table, scene.who, body.one, other)
    yield from figures.put(scene.table, scene.who, body.other, one)
