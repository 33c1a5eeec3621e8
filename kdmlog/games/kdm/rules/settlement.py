"""The settlement phase, step by step (rulebook, The Settlement Phase)."""

from __future__ import annotations

from kdmlog.core.errors import NotNow, Refused
from kdmlog.core.events import CardsMoved, ScopeEnded, UseSpent
from kdmlog.core.game import Table
from kdmlog.core.names import match
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.core.requests import Choose, Draw, Field, Fill, Option, Shuffle
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import (
    Ability,
    Cost,
    Endeavor,
    Gear,
    Innovation,
    Location,
    Timeline,
)
from kdmlog.games.kdm.rules import (
    aftermath,
    conditions,
    figures,
    foes,
    grids,
    numbers,
    script,
    settle,
    stories,
    things,
    traits,
    variants,
)
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.rules.people import unnamed
from kdmlog.games.kdm.state import State, Survivor

INNOVATE = "innovate"
INNOVATIONS_DRAWN = 2
FIRST_DAY = "first_day"
SWORDSMEN = 7
"""The population of the Seven Swordsmen."""
MOST_WITH_MORE = 6
"""How many may depart when more than four people play (rulebook, 5-6 Players)."""
NO_ENDEAVORS = "no_endeavors_next_phase"
ONE_MORE = "innovating_draws_one_more"


def _step(step: str) -> Record:
    return Record(e.PhaseChanged(phase="settlement", step=step))


# --- steps 1 to 6 ---------------------------------------------------------------------------------


@rule("kdm.survivors_return")
def begin(table: Table, name: str) -> Procedure[None]:
    """Steps 1 to 3: the name (+1 survival to the returning), wounds healed, endeavors.

    1 endeavor for each returning survivor who takes part in them, and what abilities add (Gain
    Endeavors). What returning does to survivors comes before.
    """
    state: State = table.state
    settlement = state.settlement
    if not settlement.name:
        if not name.strip():
            raise Refused("The settlement has no name yet.", hints=["settlement begin NAME"])
        yield Record(e.SettlementNamed(name=name.strip()))
        for id_ in settlement.returning:
            yield from figures.change(table, id_, "survival", 1)
    elif name:
        raise Refused(
            f"The settlement is called {settlement.name}.", hints=["settlement name NAME"]
        )
    yield from things.store_carried(table)
    for id_ in settlement.returning:
        if state.survivors[id_].injuries:
            yield Record(e.InjuriesHealed(survivor=id_))
        yield from things.dress(table, id_)
    yield from script.play_deferred(table, "settlement_start")
    yield from traits.moment(table, "return", settlement.returning)
    gained = 0
    for id_ in settlement.returning:
        one = state.survivors[id_]
        if not conditions.barred(table, one, "endeavors"):
            gained += 1 + numbers.figure(table, one, "endeavors")
    yield from settle.figure(table, "endeavors", gained)
    yield _step("event")


@rule("kdm.settlement_event")
def event(table: Table) -> Procedure[None]:
    """Step 4: what the timeline has for the year that begins, or the card that is drawn for it.

    The players read the card and say what it does (rulebook, Settlement Phase, Settlement Event).
    """
    now = table.state.settlement.lantern_year + 1
    years = [one for one in table.content.all(Timeline).values() if one.year == now]
    scheduled = [event for one in years for event in one.settlement]
    if FIRST_DAY in scheduled:
        yield from _first_day(table)
    else:
        for name in scheduled or ["settlement_event"]:
            yield from stories.trigger(table, name)
    yield _step("year")


@rule("kdm.first_day")
def _first_day(table: Table) -> Procedure[None]:
    """The First Day, which sets the population; the card has the number."""
    state: State = table.state
    living = sum(1 for one in state.survivors.values() if one.alive)
    yield Record(e.StoryTriggered(event=FIRST_DAY))
    population: object = SWORDSMEN
    if "seven_swordsmen" not in state.variants:
        field = Field("population", "int", least=living, most=99)
        values = yield Fill(purpose="population", about=(FIRST_DAY,), fields=(field,))
        population = values["population"]
    assert isinstance(population, int)
    yield from settle.figure(table, "population", population - state.settlement.population)


@rule("kdm.lantern_year")
def year(table: Table) -> Procedure[None]:
    """Steps 5 and 6: the death count, then the next lantern year and its story events in order."""
    state: State = table.state
    if state.settlement.uncounted_deaths:
        yield from settle.count_deaths(table, state.settlement.uncounted_deaths)
    yield from settle.figure(table, "lantern_year", 1)
    now = state.settlement.lantern_year
    for record in table.content.all(Timeline).values():
        if record.year == now:
            for story in record.story:
                yield from stories.trigger(table, story)
    for added in state.settlement.timeline.get(str(now), []):
        if not foes.is_nemesis(table, added):
            yield from stories.trigger(table, added)
    yield _step("develop")


# --- step 7: develop ------------------------------------------------------------------------------


class Offer:
    """An endeavor that is on offer: where it stands, its record, and ``of`` whom if not all."""

    def __init__(self, kind: str, place: str, key: str, endeavor: Endeavor, of: str = "") -> None:
        self.kind, self.place, self.key, self.endeavor, self.of = kind, place, key, endeavor, of


def endeavors(table: Table, survivor: str = "") -> dict[str, Offer]:
    """Returns the endeavors on offer now, from locations and innovations, by id.

    Abilities of the returning offer some to their bearers only: to ``survivor``, or the first.
    """
    settlement = table.state.settlement
    places: list[tuple[str, str, Location | Innovation]] = [
        ("location", id_, record)
        for id_ in settlement.locations
        if (record := table.content.find(Location, id_)) is not None
    ]
    places += [
        ("innovation", id_, table.content.get(Innovation, id_)) for id_ in settlement.innovations
    ]
    found = {
        key: Offer(kind, place, key, one)
        for kind, place, record in places
        for key, one in record.endeavors.items()
        if not one.requires or one.requires in settlement.innovations
    }
    for id_ in [one for one in settlement.returning if survivor in ("", one)]:
        person = table.state.survivors[id_]
        for ref, trait in traits.at_work(table, person) if person.alive else ():
            if isinstance(trait, Ability):
                kind, _, place = ref.partition(":")
                for key, one in trait.endeavors.items():
                    found.setdefault(key, Offer(kind, place, key, one, id_))
    return found


def refuse_endeavors(table: Table, count: int) -> None:
    """Raises Refused when there are not so many endeavors left."""
    if NO_ENDEAVORS in table.state.settlement.remembered:
        raise Refused("No endeavors are spent this settlement phase: everyone grieves.")
    left = table.state.settlement.endeavors
    if left < count:
        raise Refused(f"It takes {count} endeavor{'s' * (count > 1)}; {left} left.")


@rule("kdm.endeavor")
def endeavor(table: Table, word: str, survivor: str, wanted: tuple[str, ...]) -> Procedure[None]:
    """A survivor spends endeavors on an activity; its effect is for that survivor (Endeavor)."""
    offers = endeavors(table, survivor)
    id_ = match(word, {key: offer.endeavor.name for key, offer in offers.items()}, "endeavor")
    if id_ == INNOVATE:
        yield from innovate(table, wanted)
        return
    offer = offers[id_]
    one = table.state.survivors[survivor]
    if why := conditions.barred(table, one, "endeavors"):
        raise Refused(f"{one.name} takes no part in endeavors: {why}.")
    if not (yield from _spend(table, offer, survivor, wanted)):
        return
    scene = Scene(table=table, record=f"{offer.kind}:{offer.place}", who=survivor)
    yield from script.play_record(scene, offer.endeavor.steps, f"endeavors.{id_}.steps")


def most(table: Table, offer: Offer) -> int:
    """Returns how often an endeavor may be made, where that is limited.

    Once, but that a principle may let the settlement innovate again (Romantic).
    """
    if offer.key != INNOVATE:
        return 1
    state: State = table.state
    owned = (*state.settlement.innovations, *state.settlement.principles)
    more: int = sum(
        record.innovates
        for one in owned
        if (record := table.content.find(Innovation, one)) is not None
    )
    return 1 + more


def done(table: Table, offer: Offer, who: str = "settlement") -> bool:
    """Returns whether an endeavor was made as often as it may be."""
    state: State = table.state
    made = state.uses.get(offer.endeavor.once, {}).get(who, [])
    return made.count(offer.key) >= most(table, offer)


def _spend(table: Table, offer: Offer, survivor: str, wanted: tuple[str, ...]) -> Procedure[bool]:
    """Pays for an endeavor, cost and endeavors, and notes that it was done; False: not paid.

    Raises Refused when it cannot be, or was done as often as it may be.
    """
    one = offer.endeavor
    who = survivor if one.once == "lifetime" or offer.of else "settlement"
    if one.once and done(table, offer, who):
        times = f"{count} times" if (count := most(table, offer)) > 1 else "once"
        raise Refused(f"{one.name} may be done {times} a {one.once}.")
    if lacking := things.missing(table, one.cost):
        raise Refused(f"{one.name} {lacking}.", hints=["settlement storage shows what there is"])
    refuse_endeavors(table, one.endeavors)
    if not (yield from things.pay(table, one.cost, wanted)):
        return False
    yield from settle.figure(table, "endeavors", -one.endeavors)
    if one.once:
        yield Record(UseSpent(scope=one.once, who=who, what=offer.key))
    return True


@rule("kdm.innovate")
def innovate(table: Table, wanted: tuple[str, ...]) -> Procedure[None]:
    """Draws 2 of the innovation deck, adds 1, shuffles the rest back (rulebook, Innovate)."""
    state: State = table.state
    offer = endeavors(table).get(INNOVATE)
    if offer is None:
        raise NotNow("There is no Lantern Hoard to innovate at.")
    deck = state.decks.get("innovations")
    if deck is None or not deck["deck"]:
        raise Refused("The innovation deck is empty.")
    if not (yield from _spend(table, offer, "", wanted)):
        return
    count = INNOVATIONS_DRAWN + sum(
        table.content.get(Innovation, one).innovate_draws for one in state.settlement.innovations
    )
    for bearer in state.survivors.values():
        if figures.remembers(bearer, ONE_MORE):
            count += 1
            yield from figures.forget(bearer, ONE_MORE)
    count = min(count, len(deck["deck"]))
    cards = yield Draw(deck="innovations", count=count, to="drawn", purpose="innovate")
    names = tuple(Option(one, figures.name_of(table, Innovation, one)) for one in cards)
    kept = cards[0]
    if len(cards) > 1:
        [kept] = yield Choose(purpose="innovation", options=names)
    yield Record(CardsMoved(deck="innovations", cards=(kept,), before="drawn", to="out"))
    yield Shuffle(deck="innovations", took=("drawn", "discard"), purpose="shuffle_innovations")
    yield from settle.gain_innovation(table, kept)


def buildable(table: Table) -> dict[str, Location]:
    """Returns the locations that can be built where the settlement stands."""
    owned = table.state.settlement.locations
    return {
        id_: one
        for id_, one in table.content.all(Location).items()
        if one.built_at in owned and id_ not in owned
    }


@rule("kdm.build")
def build(table: Table, word: str, wanted: tuple[str, ...]) -> Procedure[None]:
    """Spends 1 endeavor and the cost on a new location (rulebook, Build)."""
    options = buildable(table)
    id_ = match(word, {key: one.name for key, one in options.items()}, "location to build")
    if lacking := things.missing(table, options[id_].build):
        raise Refused(f"The {options[id_].name} {lacking}.")
    refuse_endeavors(table, 1)
    if not (yield from things.pay(table, options[id_].build, wanted)):
        return
    yield from settle.figure(table, "endeavors", -1)
    yield from settle.add(table, "locations", id_)


def craftable(table: Table) -> dict[str, Gear]:
    """Returns the gear of the settlement's locations."""
    owned = table.state.settlement.locations
    return {id_: one for id_, one in table.content.all(Gear).items() if one.location in owned}


@rule("kdm.craft")
def craft(table: Table, words: list[str], wanted: tuple[str, ...]) -> Procedure[None]:
    """Spends resources on gear, which goes to storage (rulebook, Craft Gear)."""
    names = {key: one.name for key, one in craftable(table).items()}
    cards = [match(word, names, "gear to craft") for word in words]
    for card in cards:
        cost: list[Cost] = table.content.get(Gear, card).cost
        if lacking := things.missing(table, cost):
            raise Refused(f"{names[card]} {lacking}.", hints=["do lists what can be crafted"])
        if "unique" in table.content.get(Gear, card).rules and things.owned(table, card):
            raise Refused(f"The settlement has its {names[card]}: there is only one.")
        if (yield from things.pay(table, cost, wanted)):
            yield from things.gain_gear(table, card)


# --- steps 8 to 10 --------------------------------------------------------------------------------


NAMELESS = "has no name yet"


def may_depart(table: Table, survivor: Survivor) -> bool:
    """Returns whether a survivor can be chosen to depart, with the gear that they have."""
    return not _why_not(table, survivor)


def must_depart(table: Table) -> int:
    """Returns how many have to depart: four, or as many as the population has."""
    state: State = table.state
    able = sum(_why_not(table, one) in ("", NAMELESS) for one in state.survivors.values())
    return min(4, able + unnamed(state))


def naming(state: State) -> str:
    """Returns the line that names one more who can depart: a newborn, or out of the population."""
    newborn = next((id_ for id_, one in state.survivors.items() if one.alive and not one.name), "")
    return f"survivor rename {newborn} NAME" if newborn else "survivor new NAME m|f"


@rule("kdm.record_and_archive")
def end(table: Table) -> Procedure[None]:
    """Steps 9 and 10: resources recorded, unspent endeavors lost."""
    state: State = table.state
    yield Record(e.StorageRecorded())
    yield from settle.figure(table, "endeavors", -state.settlement.endeavors)
    if NO_ENDEAVORS in state.settlement.remembered:
        yield Record(e.BenefitForgotten(what=NO_ENDEAVORS, survivor=""))
    yield from aftermath.retire_due(table)
    yield from figures.lapse(table, "settlement_end")
    if "phase" in state.uses:
        yield Record(ScopeEnded(scope="phase"))
    yield _step("ended")


@rule("kdm.depart")
def depart(
    table: Table, people: list[str], *, hunt: str = "", encounter: str = ""
) -> Procedure[None]:
    """Step 8: four depart, or as many as there are; what departing gives is theirs.

    Skip-next-hunt boxes are erased for all once they are chosen; armor points are set from the
    gear worn (rulebook, Choose Departing Survivors; Armor Gear). Those who face a nemesis do not
    hunt; its level is noted (Nemesis Monsters).
    """
    state: State = table.state
    settlement = state.settlement
    for id_ in people:
        one = state.survivors[id_]
        if why := _why_not(table, one):
            raise Refused(
                f"{one.name or id_} cannot depart: {why}.", hints=[f"survivor show {id_}"]
            )
    able = [id_ for id_, one in state.survivors.items() if may_depart(table, one)]
    for id_ in people:
        grids.refuse_worn(table, id_)
    knight = variants.knight(state)
    if knight in able and knight not in people:
        raise Refused(f"{state.survivors[knight].name}, the Twilight Knight, always departs.")
    must = must_depart(table)
    most = max(must, MOST_WITH_MORE) if "five_six" in state.variants else must
    if not must <= len(people) <= most:
        raise Refused(
            f"{must}{f' to {most}' if most > must else ''} survivors depart; named: {len(people)}.",
            hints=[f"able: {', '.join(able)}"] if len(able) >= must else [naming(state)],
        )
    if encounter:
        yield from settle.add(table, "nemeses", encounter.partition(":")[0])
        yield from settle.add(table, "nemeses", encounter)
    yield Record(e.SurvivorsDeparted(survivors=tuple(people), hunt=hunt, encounter=encounter))
    for id_, one in state.survivors.items():
        if one.skip_next_hunt:
            yield Record(e.SkipNextHunt(survivor=id_, now=False))
    for id_ in people:
        yield from things.dress(table, id_)
        yield from things.record_modifiers(table, id_)
        yield from _departing_gear(table, id_)
        for owned in (*settlement.innovations, *settlement.principles):
            steps = table.content.get(Innovation, owned).departing
            scene = Scene(table=table, record=f"innovation:{owned}", who=id_)
            yield from script.play_record(scene, steps, "departing")
    yield from script.play_deferred(table, "depart")
    yield from traits.moment(table, "depart", people)
    if state.phase.step != "ended":
        yield from end(table)
    yield Record(e.PhaseChanged(phase="nemesis" if encounter else "hunt", step="departed"))


def _departing_gear(table: Table, id_: str) -> Procedure[None]:
    state: State = table.state
    grid = state.survivors[id_].grid
    for card in dict.fromkeys(state.gear[grid[cell]] for cell in sorted(grid)):
        scene = Scene(table=table, record=f"gear:{card}", who=id_)
        yield from script.play_record(scene, table.content.get(Gear, card).depart, "depart")


def _why_not(table: Table, survivor: Survivor) -> str:
    """Returns why a survivor cannot be chosen to depart; empty when they can.

    Who retires when this phase ends hunts no more (rulebook, Retirement; Blind).
    """
    if survivor.status == "retired" and variants.is_knight(survivor):
        return ""
    if traits.ruled(table, survivor, "departs_retired") and survivor.alive:
        return "skips the next hunt" if survivor.skip_next_hunt else ""
    if survivor.status != "alive":
        return survivor.status
    if survivor.skip_next_hunt:
        return "skips the next hunt"
    if survivor.retires:
        return "retires when the settlement phase ends"
    return traits.cannot_depart(table, survivor) if survivor.name else NAMELESS
