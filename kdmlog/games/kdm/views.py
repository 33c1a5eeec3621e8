"""What everybody may see of a campaign: the public state, and what a command changed in it.

Paths such as ``survivors.allister.survival`` name its figures. Deck orders and the seed are not
in it: face-down zones are counts. Figures are always there, also at zero; rules that the state does
not know yet have their fields with an empty value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta, Struct

from kdmlog.core.game import Table
from kdmlog.core.requests import Ask
from kdmlog.core.text import LONGEST_NAME, shown, words
from kdmlog.games.kdm import state as s
from kdmlog.games.kdm.content import Gear, Injury, Resource, Timeline
from kdmlog.games.kdm.rules import edition, kit, numbers
from kdmlog.games.kdm.rules.conditions import barred as is_barred
from kdmlog.games.kdm.rules.conditions import borne, insane

TOKENS = (*s.ATTRIBUTES, "bleeding")
"""What a survivor may have tokens of."""
MONSTER_TOKENS = (
    "movement",
    "toughness",
    "speed",
    "damage",
    "accuracy",
    "evasion",
    "luck",
    "strength",
)


class Phase(Struct, frozen=True, kw_only=True):
    """Where the campaign stands."""

    name: Annotated[str, Meta(description="prologue, hunt, showdown, aftermath or settlement.")]
    step: str


class Scheduled(Struct, frozen=True, kw_only=True):
    """An effect to come."""

    record: Annotated[str, Meta(description="The content record whose steps will play.")]
    at: Annotated[str, Meta(description="The moment at which they play.")]


class Storage(Struct, frozen=True, kw_only=True):
    """The settlement's storage."""

    resources: Annotated[dict[str, int], Meta(description="Resource to how many.")]
    types: Annotated[
        dict[str, int], Meta(description="Resource type to how many could be spent as it.")
    ]
    gear: Annotated[dict[str, int], Meta(description="Gear card to how many.")]


class Settlement(Struct, frozen=True, kw_only=True):
    """The settlement's record sheet."""

    name: str
    lantern_year: int
    population: int
    death_count: int
    survival_limit: int
    endeavors: int
    innovations: list[str]
    innovation_deck: Annotated[
        list[str], Meta(description="What can be innovated, alphabetically, not in deck order.")
    ]
    locations: list[str]
    principles: list[str]
    quarries: list[str]
    nemeses: list[str]
    defeated: list[str]
    timeline: Annotated[
        dict[str, list[str]],
        Meta(description="Lantern year to its events; a nemesis with its level as butcher:1."),
    ]
    milestones: list[str]
    notes: list[str]
    storage: Storage


class Parents(Struct, frozen=True, kw_only=True):
    """A newborn's parents, by survivor id."""

    mother: str
    father: str


class Weapon(Struct, frozen=True, kw_only=True):
    """A survivor's weapon proficiency."""

    type: Annotated[str, Meta(description="The weapon type; empty until one is chosen.")]
    level: int


class Survivor(Struct, frozen=True, kw_only=True):
    """A survivor's record sheet."""

    name: str
    sex: str
    status: Annotated[str, Meta(description="alive, dead, retired or gone.")]
    player: str
    parents: Parents | None
    survival: int
    insanity: int
    courage: int
    understanding: int
    hunt_xp: int
    movement: int
    accuracy: int
    strength: int
    evasion: int
    luck: int
    speed: int
    tokens: Annotated[
        dict[str, int], Meta(description="Attribute tokens by attribute, and bleeding.")
    ]
    armor: Annotated[dict[str, int], Meta(description="Location to armor points.")]
    injuries: Annotated[
        dict[str, list[str]],
        Meta(description="Location, or brain, to its filled boxes: light, heavy."),
    ]
    severe_injuries: Annotated[
        list[str], Meta(description="Permanent ones, each as often as it is recorded.")
    ]
    fighting_arts: list[str]
    disorders: list[str]
    abilities: list[str]
    impairments: list[str]
    affinities: Annotated[
        dict[str, int], Meta(description="Colour to complete squares in the gear grid.")
    ]
    weapon: Weapon
    grid: Annotated[
        dict[str, str],
        Meta(description="Cell (1 to 9, row by row from the top left) to gear card."),
    ]
    resources: Annotated[list[str], Meta(description="Resources carried.")]
    status_cards: list[str]
    knocked_down: bool
    skip_next_hunt: bool
    notes: list[str]


class Hunt(Struct, frozen=True, kw_only=True):
    """The hunt under way."""

    quarry: str
    level: str
    survivors_at: int | None = None
    monster_at: int | None = None
    spaces: list[str] = []
    event_revealer: str = ""


class AiDeck(Struct, frozen=True, kw_only=True):
    """The monster's AI cards: counts of the face-down ones."""

    deck: int
    discard: list[str]
    wounds: Annotated[int, Meta(description="Cards in the wound stack.")]
    in_play: Annotated[
        list[str], Meta(description="The card being played, then moods and traits in play.")
    ]


class HitLocationDeck(Struct, frozen=True, kw_only=True):
    """The monster's hit location cards: a count of the face-down ones."""

    deck: int
    discard: list[str]
    persistent: Annotated[
        list[str], Meta(description="Cards that stay in play with their persistent injury.")
    ]


class Acting(Struct, frozen=True, kw_only=True):
    """The survivor acting now, and what is left to spend."""

    survivor: str
    movement: int
    activation: int


class Tile(Struct, frozen=True, kw_only=True):
    """A terrain tile on the board."""

    terrain: str
    at: Annotated[s.Space, Meta(description="Column and row of its bottom left space.")]
    width: int
    height: int


class Showdown(Struct, frozen=True, kw_only=True):
    """The showdown under way."""

    monster: str
    level: Annotated[str, Meta(description="1, 2, 3… or first_story.")]
    round: int
    turn: Annotated[str, Meta(description="monster or survivors.")]
    movement: int
    toughness: int
    speed: int
    damage: int
    tokens: Annotated[dict[str, int], Meta(description="The monster's attribute tokens.")]
    wounds: Annotated[int, Meta(description="Wounds suffered, the killing one too.")]
    knocked_down: bool
    life: Annotated[
        int | None, Meta(description="Life left, of a monster that has it in place of AI cards.")
    ] = None
    ai: AiDeck
    hit_locations: HitLocationDeck
    terrain: Annotated[
        dict[str, Tile], Meta(description="Tiles on the board; empty where no positions are kept.")
    ] = {}
    positions: Annotated[
        dict[str, s.Space],
        Meta(description="Survivors, and monster: column and row; for it of its bottom left."),
    ] = {}
    retinues: Annotated[
        dict[str, s.Space],
        Meta(description="By who commands them: column and row of their bottom left."),
    ] = {}
    facing: Annotated[str, Meta(description="The monster's, n, e, s or w; empty: no board.")] = ""
    acting: Acting | None
    acted: Annotated[list[str], Meta(description="Who has acted this round.")]
    priority_target: Annotated[str, Meta(description="Who has the token; empty: nobody.")]
    controller: Annotated[
        str,
        Meta(description="The player with the monster controller tile; the survivor, if no player"),
    ]


class Death(Struct, frozen=True, kw_only=True):
    """A dead survivor and what they died of."""

    survivor: str
    name: str
    cause: str


class State(Struct, frozen=True, kw_only=True):
    """A Kingdom Death campaign at one moment, as everybody may see it."""

    edition: Annotated[str, Meta(description="The edition of the rules.")]
    variants: Annotated[list[str], Meta(description="The variants that it is played with.")]
    phase: Phase
    open: Annotated[Ask | None, Meta(description="The question that waits for an answer.")]
    players: list[str]
    scheduled: list[Scheduled]
    uses: Annotated[
        dict[str, dict[str, list[str]]],
        Meta(description="Once-per-scope limits: scope to who to what was done."),
    ]
    settlement: Settlement
    survivors: Annotated[dict[str, Survivor], Meta(description="Survivors by id, the dead too.")]
    hunt: Hunt | None
    showdown: Showdown | None
    deaths: list[Death]


def view(table: Table) -> State:
    """Returns the public state. It shares nothing that a later fold could change."""
    state: s.State = table.state
    return State(
        edition=edition.played(state),
        variants=list(state.variants),
        phase=Phase(name=state.phase.name, step=state.phase.step),
        open=state.open.request if state.open is not None else None,
        players=list(state.players),
        scheduled=[Scheduled(record=one.record, at=one.at) for one in state.deferred.values()],
        uses={
            scope: {who: list(done) for who, done in by.items()} for scope, by in state.uses.items()
        },
        settlement=_settlement(table),
        survivors={id_: _survivor(table, one) for id_, one in state.survivors.items()},
        hunt=_hunt(state),
        showdown=_showdown(state) if state.showdown is not None else None,
        deaths=[
            Death(survivor=id_, name=one.name, cause=one.cause)
            for id_, one in state.survivors.items()
            if one.status == "dead"
        ],
    )


def _settlement(table: Table) -> Settlement:
    state: s.State = table.state
    settlement = state.settlement
    storage = settlement.storage
    return Settlement(
        name=settlement.name,
        lantern_year=settlement.lantern_year,
        population=settlement.population,
        death_count=settlement.death_count,
        survival_limit=settlement.survival_limit,
        endeavors=settlement.endeavors,
        innovations=list(settlement.innovations),
        innovation_deck=sorted(_zone(state, "innovations", "deck")),
        locations=list(settlement.locations),
        principles=list(settlement.principles),
        quarries=list(settlement.quarries),
        nemeses=list(settlement.nemeses),
        defeated=list(settlement.defeated),
        timeline=_timeline(table),
        milestones=list(settlement.milestones),
        notes=[_note(benefit) for benefit in settlement.remembered],
        storage=Storage(
            resources=dict(storage.resources),
            types=_types(table, storage.resources),
            gear=dict(Counter(state.gear[instance] for instance in storage.gear)),
        ),
    )


def _types(table: Table, resources: dict[str, int]) -> dict[str, int]:
    """Returns how many resources are of each type; one of several types is each of them."""
    counts: Counter[str] = Counter()
    for id_, count in resources.items():
        record = table.content.find(Resource, id_)
        counts.update(dict.fromkeys(record.types if record is not None else (), count))
    return {one: counts[one] for one in sorted(counts)}


def _timeline(table: Table) -> dict[str, list[str]]:
    """Returns the pack's timeline with what the settlement has added to it."""
    years: dict[int, list[str]] = {}
    for year in table.content.all(Timeline).values():
        years.setdefault(year.year, []).extend((*year.story, *year.settlement, *year.nemesis))
    for number, added in table.state.settlement.timeline.items():
        years.setdefault(int(number), []).extend(added)
    return {str(number): years[number] for number in sorted(years)}


def _survivor(table: Table, one: s.Survivor) -> Survivor:
    gear = {cell: table.state.gear[one.grid[cell]] for cell in s.CELLS if cell in one.grid}
    return Survivor(
        name=one.name,
        sex=one.sex,
        status=one.status,
        player=one.player,
        parents=Parents(mother=one.parents.mother, father=one.parents.father)
        if one.parents is not None
        else None,
        survival=one.survival,
        insanity=one.insanity,
        courage=one.courage,
        understanding=one.understanding,
        hunt_xp=one.hunt_xp,
        movement=one.movement,
        accuracy=one.accuracy,
        strength=one.strength,
        evasion=one.evasion,
        luck=one.luck,
        speed=one.speed,
        tokens=dict.fromkeys(TOKENS, 0) | one.tokens,
        armor={location: one.armor.get(location, 0) for location in s.LOCATIONS},
        injuries={location: list(one.injuries.get(location, ())) for location in s.BOXES},
        severe_injuries=list(one.severe_injuries),
        fighting_arts=list(one.fighting_arts),
        disorders=list(one.disorders),
        abilities=list(one.abilities),
        impairments=list(one.impairments),
        affinities=kit.affinities(table, one),
        weapon=Weapon(type=one.weapon_type, level=one.proficiency),
        grid=gear,
        resources=list(one.resources),
        status_cards=list(one.status_cards),
        knocked_down=one.knocked_down is not None,
        skip_next_hunt=one.skip_next_hunt,
        notes=[*one.notes, *map(_note, one.remembered)],
    )


def _note(remembered: str) -> str:
    return words(remembered.replace(":", " "))


def _hunt(state: s.State) -> Hunt | None:
    if state.phase.name != "hunt":
        return None
    quarry, _, level = state.settlement.hunt.partition(":")
    return Hunt(quarry=quarry, level=level)


def _showdown(state: s.State) -> Showdown:
    showdown = state.showdown
    assert showdown is not None
    act = showdown.act
    return Showdown(
        monster=showdown.monster,
        level=showdown.level,
        round=showdown.round,
        turn=showdown.turn,
        movement=showdown.movement,
        toughness=showdown.toughness,
        speed=showdown.speed,
        damage=showdown.damage,
        tokens=dict.fromkeys(MONSTER_TOKENS, 0) | showdown.tokens,
        wounds=showdown.wounds,
        knocked_down=showdown.knocked_down,
        life=showdown.life,
        ai=AiDeck(
            deck=len(_zone(state, "ai", "deck")),
            discard=_zone(state, "ai", "discard"),
            wounds=len(_zone(state, "ai", "wounds")),
            in_play=[
                card
                for zone in ("playing", "face_up", "in_play")
                for card in _zone(state, "ai", zone)
            ],
        ),
        hit_locations=HitLocationDeck(
            deck=len(_zone(state, "hit_locations", "deck")),
            discard=_zone(state, "hit_locations", "discard"),
            persistent=_zone(state, "hit_locations", "persistent"),
        ),
        terrain=_terrain(showdown.board),
        positions=_positions(showdown.board),
        retinues=dict(showdown.board.retinues) if showdown.board is not None else {},
        facing=showdown.board.facing if showdown.board is not None else "",
        acting=Acting(survivor=act.survivor, movement=act.movement, activation=act.activation)
        if act is not None
        else None,
        acted=list(showdown.acted),
        priority_target=showdown.priority_target,
        controller=showdown.controller.player or showdown.controller.survivor,
    )


def _terrain(board: s.Board | None) -> dict[str, Tile]:
    tiles = board.tiles if board is not None else {}
    return {
        id_: Tile(terrain=one.terrain, at=one.at, width=one.width, height=one.height)
        for id_, one in tiles.items()
    }


def _positions(board: s.Board | None) -> dict[str, s.Space]:
    """No survivor's id is ``monster``."""
    if board is None:
        return {}
    monster = {"monster": board.monster} if board.monster is not None else {}
    return monster | board.survivors


def _zone(state: s.State, deck: str, zone: str) -> list[str]:
    found = state.decks.get(deck)
    return list(found[zone]) if found is not None else []


# --- what weighs on a survivor --------------------------------------------------------------------


def barred(table: Table, id_: str) -> dict[str, str]:
    """Returns what a survivor may not do, and what bars them from it."""
    one: s.Survivor = table.state.survivors[id_]
    listed = [bar for _, record in borne(table, one) for bar in record.bars]
    named = [bar if isinstance(bar, str) else bar.what for bar in listed]
    found = {what: is_barred(table, one, what) for what in (*one.bars, *named)}
    return {what: why for what, why in found.items() if why}


def conditions(table: Table, id_: str) -> list[str]:
    """Returns what holds for a survivor just now beside figures, boxes and tokens."""
    one: s.Survivor = table.state.survivors[id_]
    found = ["knocked down"] if one.knocked_down is not None else []
    if insane(one):
        found.append("insane")
    for passing in one.passing:
        injury = table.content.find(Injury, passing)
        found.append(injury.name if injury is not None else words(passing))
    found += [f"{_note(what)} until the {words(end)}" for what, end in one.benefits.items()]
    if one.retires:
        why = f" ({words(one.retires)})" if one.retires != "retired" else ""
        found.append(f"will retire{why}")
    return found


class AffinityBonus(Struct, frozen=True, kw_only=True):
    """The affinity bonus of a gear card, and whether its affinities are there."""

    card: str
    needs: str
    gained: bool


def affinity_bonuses(table: Table, id_: str) -> list[AffinityBonus]:
    """Returns the affinity bonuses that a survivor's gear has, gained or not."""
    found = kit.bonuses(table, table.state.survivors[id_])
    return [
        AffinityBonus(card=card, needs=kit.needed(table.content.get(Gear, card)), gained=gained)
        for card, gained in found.items()
    ]


def attributes(table: Table, id_: str) -> dict[str, int]:
    """Returns attributes as they are now: tokens, traits and gear counted."""
    found = numbers.sheet(table, table.state.survivors[id_], s.ATTRIBUTES)
    return {name: number.total for name, number in found.items()}


# --- what a command changed -----------------------------------------------------------------------


def changes(before: State, after: State) -> list[str]:
    """Returns the changed boxes and figures with their new values, a line for each sheet."""
    settlement = "  ".join(_settlement_changes(before.settlement, after.settlement))
    return [*sheet_changes(before, after), *filter(None, [settlement])]


def sheet_changes(before: State, after: State) -> list[str]:
    """Returns the changed boxes and figures of survivors and monster, a line for each."""
    lines = []
    limit = after.settlement.survival_limit
    for id_, sheet in after.survivors.items():
        old = before.survivors.get(id_)
        found = _new_sheet(sheet, limit) if old is None else _sheet_changes(old, sheet, limit)
        if found:
            lines.append("  ".join([named(sheet, id_), *found]))
    then, now = before.showdown, after.showdown
    if then is not None and now is not None and (found := _showdown_changes(then, now)):
        lines.append("  ".join([words(now.monster).title(), *found]))
    return lines


def named(survivor: Survivor, id_: str) -> str:
    """Returns a survivor's name as shown; the id of one that has none."""
    return shown(survivor.name, LONGEST_NAME) or words(id_)


def tokens(survivor: Survivor) -> list[str]:
    """Returns a survivor's tokens, each as ``strength +1`` or ``bleeding 2``."""
    return [
        f"{words(name)} {count}" if name == "bleeding" else f"{words(name)} {count:+}"
        for name, count in survivor.tokens.items()
        if count
    ]


def boxes(survivor: Survivor, location: str) -> str:
    """Returns a location of a sheet: armor and injury boxes, filled or not, as ``waist A0 L■ H□``.

    The head has no light box, the brain one box and no armor.
    """
    if location == "brain":
        return f"brain B{_box(survivor, 'brain', 'light')}"
    marks = [f"{box[0].upper()}{_box(survivor, location, box)}" for box in s.BOXES[location]]
    return " ".join((location, f"A{survivor.armor.get(location, 0)}", *marks))


def _box(survivor: Survivor, location: str, box: str) -> str:
    return "■" if box in survivor.injuries.get(location, ()) else "□"


_FIGURES = (
    "insanity",
    "courage",
    "understanding",
    "hunt_xp",
    "movement",
    "accuracy",
    "strength",
    "evasion",
    "luck",
    "speed",
)
_LISTS = ("severe_injuries", "fighting_arts", "disorders", "abilities", "impairments", "resources")


def _new_sheet(now: Survivor, limit: int) -> list[str]:
    marked = [one for one in s.BOXES if now.armor.get(one) or now.injuries.get(one)]
    gear = [words(card) for card in now.grid.values()]
    return [f"survival {now.survival}/{limit}", *(boxes(now, one) for one in marked), *gear]


def _sheet_changes(then: Survivor, now: Survivor, limit: int) -> list[str]:
    if then == now:
        return []
    found = []
    if now.status != then.status:
        found.append(now.status)
    for location in s.BOXES:
        if boxes(then, location) != boxes(now, location):
            found.append(boxes(now, location))
    if now.survival != then.survival:
        found.append(f"survival {now.survival}/{limit}")
    found += [
        f"{words(figure)} {getattr(now, figure)}"
        for figure in _FIGURES
        if getattr(now, figure) != getattr(then, figure)
    ]
    if now.weapon != then.weapon:
        found.append(f"weapon {words(now.weapon.type)} {now.weapon.level}".replace("  ", " "))
    for token, count in now.tokens.items():
        if count != then.tokens.get(token, 0):
            found.append(f"bleeding {count}" if token == "bleeding" else f"{token} token {count:+}")
    for name in _LISTS:
        found += _grown(getattr(then, name), getattr(now, name))
    found += _grown(list(then.grid.values()), list(now.grid.values()))
    if now.knocked_down != then.knocked_down:
        found.append("knocked down" if now.knocked_down else "standing")
    if now.skip_next_hunt != then.skip_next_hunt:
        found.append("skips next hunt" if now.skip_next_hunt else "may hunt")
    if now.name != then.name and then.name:
        found.append(f"was {shown(then.name, LONGEST_NAME)}")
    return found


def _settlement_changes(then: Settlement, now: Settlement) -> list[str]:
    found = [f"settlement {shown(now.name, LONGEST_NAME)}"] if now.name != then.name else []
    for figure in ("lantern_year", "population", "death_count", "survival_limit", "endeavors"):
        old, new = getattr(then, figure), getattr(now, figure)
        if old != new:
            found.append(f"{words(figure)} {old} → {new}")
    for name in ("innovations", "locations", "principles", "quarries", "nemeses", "defeated"):
        found += _grown(getattr(then, name), getattr(now, name))
    found += [f"milestone {words(one)}" for one in now.milestones if one not in then.milestones]
    for year, events in now.timeline.items():
        found += [f"LY{year} {one}" for one in _grown(then.timeline.get(year, ()), events)]
    found += _counted(then.storage.resources, now.storage.resources)
    found += _counted(then.storage.gear, now.storage.gear)
    return found


def _showdown_changes(then: Showdown, now: Showdown) -> list[str]:
    found = []
    if now.round != then.round:
        found.append(f"round {now.round}")
    if (now.ai.deck, len(now.ai.discard)) != (then.ai.deck, len(then.ai.discard)):
        found.append(f"AI {now.ai.deck}, discard {len(now.ai.discard)}")
    if now.wounds != then.wounds:
        found.append(f"wounds {now.wounds}")
    if now.knocked_down != then.knocked_down:
        found.append("knocked down" if now.knocked_down else "standing")
    found += _grown(then.ai.in_play, now.ai.in_play)
    found += _grown(then.hit_locations.persistent, now.hit_locations.persistent)
    for token, count in now.tokens.items():
        if count != then.tokens.get(token, 0):
            found.append(f"{token} token {count:+}")
    if now.priority_target != then.priority_target:
        found.append(f"priority target {words(now.priority_target) or 'nobody'}")
    return found


def _grown(then: Iterable[str], now: Iterable[str]) -> list[str]:
    """Returns what a list gained and lost, as ``+language`` and ``−language``."""
    if then == now:
        return []
    had, has = Counter(then), Counter(now)
    gained = [f"+{words(one)}" for one in (has - had).elements()]
    return gained + [f"−{words(one)}" for one in (had - has).elements()]


def _counted(then: dict[str, int], now: dict[str, int]) -> list[str]:
    """Returns the stored things of which there are more or fewer, with the new count."""
    names = dict.fromkeys((*then, *now))
    return [
        f"{words(one)} {now.get(one, 0)}" for one in names if now.get(one, 0) != then.get(one, 0)
    ]


def summary(state: State, id_: str) -> str:
    """Returns a survivor in one line: survival, boxes that are not whole, what weighs on them."""
    one = state.survivors[id_]
    limit = state.settlement.survival_limit
    parts = [f"{named(one, id_):<12}", f"survival {one.survival}/{limit}"]
    if one.insanity:
        parts.append(f"insanity {one.insanity}")
    touched = [location for location in s.BOXES if one.injuries.get(location)]
    armored = [place for place in s.LOCATIONS if one.armor.get(place) and place not in touched]
    parts += [boxes(one, location) for location in (*touched, *armored)]
    parts += tokens(one)
    if one.knocked_down:
        parts.append("knocked down")
    if one.skip_next_hunt:
        parts.append("skips next hunt")
    fight = state.showdown
    if fight is not None and id_ in fight.acted:
        parts.append("has acted")
    if fight is not None and fight.acting is not None and fight.acting.survivor == id_:
        act = fight.acting
        parts.append(f"acting: movement {act.movement}, activation {act.activation}")
    return "  ".join(parts)
