"""A group's paper sheets in mid-campaign: what may stand on them, and what is wrong with them.

The fields are called as in the public state. Cards and places are given by id or by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, field

from kdmlog.core.errors import KdmlogError
from kdmlog.core.game import Table
from kdmlog.core.names import match, slug
from kdmlog.core.people import PlayerName, Typed, Words
from kdmlog.core.text import words
from kdmlog.games.kdm import content as c
from kdmlog.games.kdm.leaves import (
    FIGURES,
    MOST_PROFICIENCY,
    MOST_RESOURCES,
    MOST_TOKENS,
    TRACKS,
)
from kdmlog.games.kdm.rules import figures, grids, people
from kdmlog.games.kdm.rules.attack import FISTS
from kdmlog.games.kdm.state import (
    CELLS,
    WEAPON_TYPES,
    SettlementName,
    State,
    Survivor,
    SurvivorName,
)
from kdmlog.packs.diagnose import Fault, Faulty, convert, faults
from kdmlog.packs.findings import FieldPath
from kdmlog.packs.nearest import suggestion

LAST_YEAR = FIGURES["lantern_year"][1]
MOST_HINTS = 20
"""Nearest names are looked for so many times only: a file may be nonsense all through."""

Text = Annotated[str, Meta(max_length=200)]
Ids = Annotated[list[Text], Meta(max_length=200)]
Count = Annotated[int, Meta(ge=0, le=MOST_RESOURCES)]
Attribute = Annotated[int, Meta(ge=-MOST_TOKENS, le=MOST_TOKENS)]


class _Part(Struct, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The base of all parts of the sheets."""


class Storage(_Part, kw_only=True):
    """The settlement's storage."""

    resources: Annotated[dict[str, Count], Meta(description="Resource to how many.")] = {}
    gear: Annotated[dict[str, Count], Meta(description="Gear card to how many.")] = {}


class Settlement(_Part, kw_only=True):
    """The settlement's record sheet."""

    name: Annotated[SettlementName, Meta(max_length=200, description="The settlement's name.")]
    lantern_year: Annotated[
        int, Meta(ge=1, le=LAST_YEAR, description="The year whose events have happened.")
    ]
    population: Annotated[int, Meta(ge=1, le=FIGURES["population"][1])]
    survival_limit: Annotated[
        int, Meta(ge=FIGURES["survival_limit"][0], le=FIGURES["survival_limit"][1])
    ]
    death_count: Annotated[int, Meta(ge=0, le=FIGURES["death_count"][1])] = 0
    endeavors: Annotated[
        int, Meta(ge=0, le=FIGURES["endeavors"][1], description="Those still to be spent.")
    ] = 0
    innovations: Ids = []
    innovation_deck: Annotated[
        Ids | None,
        Meta(description="What can be innovated; default: what follows from the innovations."),
    ] = None
    locations: Ids = []
    principles: Ids = []
    quarries: Ids = []
    nemeses: Ids = []
    defeated: Annotated[Ids, Meta(description="Monsters with their level, as white_lion:1.")] = []
    milestones: Annotated[
        Ids, Meta(description="Boxes that are filled; those that the figures show are added.")
    ] = []
    timeline: Annotated[
        dict[str, Ids], Meta(description="Lantern year to what was added to the printed timeline.")
    ] = {}
    storage: Storage = field(default_factory=Storage)


class Weapon(_Part, kw_only=True):
    """A survivor's weapon proficiency."""

    type: Text = ""
    level: Annotated[int, Meta(ge=0, le=MOST_PROFICIENCY)] = 0


class Parents(_Part, kw_only=True):
    """A survivor's parents, who have sheets of their own."""

    mother: Annotated[Typed, Meta(max_length=200)]
    father: Annotated[Typed, Meta(max_length=200)]


class SurvivorSheet(_Part, kw_only=True):
    """A survivor's record sheet. Whoever has none is one of the population."""

    name: Annotated[SurvivorName, Meta(max_length=200)]
    sex: Annotated[Text, Meta(description="m or f")]
    player: Annotated[PlayerName, Meta(max_length=200, description="Whose survivor it is.")] = ""
    parents: Parents | None = None
    status: Literal["alive", "dead", "retired", "gone"] = "alive"
    cause: Annotated[Words, Meta(max_length=200, description="What a dead survivor died of.")] = ""
    survival: Annotated[int, Meta(ge=0, le=FIGURES["survival_limit"][1])] = 0
    insanity: Annotated[int, Meta(ge=0, le=TRACKS["insanity"])] = 0
    courage: Annotated[int, Meta(ge=0, le=TRACKS["courage"])] = 0
    understanding: Annotated[int, Meta(ge=0, le=TRACKS["understanding"])] = 0
    hunt_xp: Annotated[int, Meta(ge=0, le=TRACKS["hunt_xp"])] = 0
    weapon: Weapon = field(default_factory=Weapon)
    movement: Attribute = 5
    accuracy: Attribute = 0
    strength: Attribute = 0
    evasion: Attribute = 0
    luck: Attribute = 0
    speed: Attribute = 0
    severe_injuries: Annotated[
        Ids, Meta(description="Permanent ones, each as often as it is recorded.")
    ] = []
    fighting_arts: Ids = []
    disorders: Ids = []
    abilities: Ids = []
    impairments: Ids = []
    grid: Annotated[
        dict[str, Text],
        Meta(description="Cell (1 to 9 row by row, or a1 to c3) to gear card."),
    ] = {}
    skip_next_hunt: bool = False


class Sheet(_Part, kw_only=True):
    """The sheets of a campaign that stands in its settlement phase."""

    settlement: Settlement
    survivors: Annotated[list[SurvivorSheet], Meta(max_length=500)] = []
    step: Annotated[
        Literal["develop", "ended"],
        Meta(description="develop: the settlement is at work; ended: ready to depart."),
    ] = "develop"


def read(table: Table, data: Mapping[str, Any]) -> Sheet:
    """Returns the sheets with every name as an id. Raises Faulty with all that is wrong."""
    try:
        sheet: Sheet = convert(data, Sheet)
    except msgspec.ValidationError:
        raise Faulty(faults(data, Sheet)) from None
    reader = _Reader(table, sheet)
    reader.settlement()
    reader.survivors()
    if reader.faults:
        raise Faulty(reader.faults)
    return sheet


class _Names:
    """What may be named in one place: ids, and the shown names that lead to them."""

    def __init__(self, what: str, names: Mapping[str, str]) -> None:
        self.what = what
        self.ids = list(names)
        self._known = {slug(name): id_ for id_, name in names.items()} | {id_: id_ for id_ in names}

    def find(self, word: str) -> str | None:
        return self._known.get(word) or self._known.get(slug(word))


class _Reader:
    """Goes through the sheets once, turns names into ids in place, and collects what is wrong."""

    def __init__(self, table: Table, sheet: Sheet) -> None:
        self.table = table
        self.sheet = sheet
        self.faults: list[Fault] = []
        content = table.content
        innovations = content.all(c.Innovation)
        years = content.all(c.Timeline).values()
        stories = {one for year in years for one in (*year.story, *year.settlement)}
        stories |= {one.event for one in content.all(c.Milestone).values()}
        nemeses = {one.partition(":")[0]: words(one) for year in years for one in year.nemesis}
        monsters = content.all(c.Monster)
        nemeses |= {id_: one.name for id_, one in monsters.items() if one.nemesis}
        quarries = {id_: one.name for id_, one in monsters.items() if not one.nemesis}
        self.quarries = _Names("quarry", quarries)
        self.nemeses = _Names("nemesis", nemeses)
        self.monsters = _Names("monster", nemeses | quarries)
        self.stories = _Names(
            "story event or monster",
            {one: words(one) for one in sorted(stories)}
            | _named(content.all(c.StoryEvent))
            | nemeses
            | quarries,
        )
        self.innovations = _Names(
            "innovation",
            {id_: one.name for id_, one in innovations.items() if one.type != "principle"},
        )
        self.principles = _Names(
            "principle",
            {id_: one.name for id_, one in innovations.items() if one.type == "principle"},
        )
        abilities = content.all(c.Ability)
        self.abilities = _Names(
            "ability", {id_: one.name for id_, one in abilities.items() if one.type == "ability"}
        )
        self.impairments = _Names(
            "impairment", {id_: one.name for id_, one in abilities.items() if one.type != "ability"}
        )
        injuries = content.all(c.Injury)
        self.injuries = _Names(
            "permanent severe injury",
            {id_: one.name for id_, one in injuries.items() if one.permanent},
        )
        gear = _named(content.all(c.Gear))
        gear.pop(FISTS, None)  # never a card of its own
        self.gear = _Names("gear", gear)
        self.weapons = _Names("weapon type", {one: words(one) for one in WEAPON_TYPES})

    # --- what is wrong ----------------------------------------------------------------------------

    def wrong(self, path: FieldPath, message: str, hint: str = "") -> None:
        self.faults.append(Fault(path, message, hint))

    def id(self, names: _Names, word: str, path: FieldPath) -> str:
        """Returns the id that a word means; the word itself, reported, if it means none."""
        if (found := names.find(word)) is not None:
            return found
        hint = suggestion(word, names.ids) if len(self.faults) < MOST_HINTS else ""
        self.wrong(path, f"There is no {names.what} {word!r}.", hint)
        return word

    def ids(self, names: _Names, given: list[str], path: FieldPath) -> list[str]:
        """Returns the ids of a list in which each may stand once."""
        found: list[str] = []
        for n, word in enumerate(given):
            id_ = self.id(names, word, (*path, n))
            if id_ in found:
                self.wrong((*path, n), f"{word!r} stands here twice.")
            found.append(id_)
        return found

    def counts(self, names: _Names, given: dict[str, int], path: FieldPath) -> dict[str, int]:
        found: dict[str, int] = {}
        for word, count in given.items():
            id_ = self.id(names, word, (*path, word))
            if id_ in found:
                self.wrong((*path, word), f"{word!r} stands here twice, under another name.")
            found[id_] = count
        return found

    # --- the settlement ---------------------------------------------------------------------------

    def settlement(self) -> None:
        at: FieldPath = ("settlement",)
        one = self.sheet.settlement
        one.name = one.name.strip()
        if not one.name:
            self.wrong((*at, "name"), "A settlement needs a name.")
        one.innovations = self.ids(self.innovations, one.innovations, (*at, "innovations"))
        if one.innovation_deck is not None:
            deck = self.ids(self.innovations, one.innovation_deck, (*at, "innovation_deck"))
            for n, id_ in enumerate(deck):
                if id_ in one.innovations:
                    message = f"The settlement has {id_} already."
                    self.wrong((*at, "innovation_deck", n), message, "Take it out of one list.")
            one.innovation_deck = deck
        # Those whose gear alone the packs have may stand on a sheet as well.
        crafting = {one.location for one in self.table.content.all(c.Gear).values()}
        crafted_at = {id_: words(id_) for id_ in sorted(crafting - {"starting", "rare"})}
        locations = _Names("location", crafted_at | _named(self.table.content.all(c.Location)))
        one.locations = self.ids(locations, one.locations, (*at, "locations"))
        one.principles = self.ids(self.principles, one.principles, (*at, "principles"))
        self._one_answer_each(one.principles, (*at, "principles"))
        one.quarries = self.ids(self.quarries, one.quarries, (*at, "quarries"))
        one.nemeses = self.ids(self.nemeses, one.nemeses, (*at, "nemeses"))
        one.defeated = [
            self._foe(self.monsters, word, (*at, "defeated", n), level=True)
            for n, word in enumerate(one.defeated)
        ]
        records = self.table.content.all(c.Milestone)
        milestones = {
            id_: record.name
            for id_, record in records.items()
            if record.scope == "settlement" and record.event != "game_over"
        }
        one.milestones = self.ids(
            _Names("milestone", milestones), one.milestones, (*at, "milestones")
        )
        self._timeline(one.timeline, (*at, "timeline"))
        resources = _Names("resource", _named(self.table.content.all(c.Resource)))
        storage = (*at, "storage")
        one.storage.resources = self.counts(
            resources, one.storage.resources, (*storage, "resources")
        )
        one.storage.gear = self.counts(self.gear, one.storage.gear, (*storage, "gear"))
        if self.sheet.step == "ended" and one.endeavors:
            self.wrong(
                (*at, "endeavors"),
                "None are left when the settlement phase has ended.",
                'Take them out, or write step = "develop".',
            )

    def _one_answer_each(self, principles: list[str], path: FieldPath) -> None:
        answered: dict[str, str] = {}
        for n, id_ in enumerate(principles):
            record = self.table.content.find(c.Innovation, id_)
            question = record.principle if record is not None else ""
            if question and question in answered:
                message = f"{answered[question]} has answered {words(question)} already."
                self.wrong((*path, n), message)
            elif question:
                answered[question] = id_

    def _foe(self, names: _Names, word: str, path: FieldPath, *, level: bool = False) -> str:
        """Returns a monster with its level, as ``butcher:1``; the level is needed or may be."""
        name, colon, number = word.partition(":")
        before = len(self.faults)
        id_ = self.id(names, name, path)
        if len(self.faults) > before:
            return word
        if not colon:
            if level:
                self.wrong(path, "The level is missing.", f"Write {id_}:1, say.")
            return id_
        record = self.table.content.find(c.Monster, id_)
        known = list(record.levels) if record is not None else []
        if number not in (*known, "1", "2", "3", "4"):
            self.wrong(path, f"There is no level {number!r}.", f"Write {id_}:1, say.")
        return f"{id_}:{number}"

    def _timeline(self, timeline: dict[str, list[str]], path: FieldPath) -> None:
        for year, events in timeline.items():
            if year not in map(str, range(1, LAST_YEAR + 1)):
                message = f"There is no lantern year {year!r}."
                self.wrong((*path, year), message, f"They are 1 to {LAST_YEAR}.")
            timeline[year] = [
                self._foe(self.stories, word, (*path, year, n)) for n, word in enumerate(events)
            ]

    # --- the survivors ----------------------------------------------------------------------------

    def survivors(self) -> None:
        state = State()
        for n, one in enumerate(self.sheet.survivors):
            self._survivor(("survivors", n), one, state)
        names = {id_: person.name for id_, person in state.survivors.items()}
        ids = list(names)
        for n, one in enumerate(self.sheet.survivors):
            if one.parents is not None:
                at: FieldPath = ("survivors", n, "parents")
                others = {id_: name for id_, name in names.items() if id_ != ids[n]}
                one.parents.mother = self._parent(others, one.parents.mother, (*at, "mother"))
                one.parents.father = self._parent(others, one.parents.father, (*at, "father"))
        living = sum(1 for one in self.sheet.survivors if one.status in ("alive", "retired"))
        population = self.sheet.settlement.population
        if living > population:
            message = f"{living} survivors live; the population cannot be {population}."
            hint = "It counts everyone, with or without a sheet."
            self.wrong(("settlement", "population"), message, hint)

    def _parent(self, others: dict[str, str], word: str, path: FieldPath) -> str:
        """Returns a parent's id; whoever has a namesake is meant by it."""
        try:
            if slug(word) in {slug(text) for pair in others.items() for text in pair}:
                return match(slug(word), others, "survivor")
            hint = suggestion(word, others.values()) if len(self.faults) < MOST_HINTS else ""
            self.wrong(path, f"There is no survivor {word!r} on these sheets.", hint)
        except KdmlogError as error:
            self.wrong(path, error.message, " ".join(error.hints))
        return word

    def _survivor(self, at: FieldPath, one: SurvivorSheet, state: State) -> None:
        one.name = one.name.strip()
        if not slug(one.name):
            self.wrong((*at, "name"), "A survivor needs a name.")
        self._person(at, one)
        self._traits(at, one)
        limit = self.sheet.settlement.survival_limit
        if one.survival > limit:
            message = f"Survival {one.survival} is over the survival limit, {limit}."
            self.wrong((*at, "survival"), message)
        if one.weapon.type:
            one.weapon.type = self.id(self.weapons, one.weapon.type, (*at, "weapon", "type"))
        elif one.weapon.level:
            message = "A level of proficiency needs a weapon type."
            self.wrong((*at, "weapon", "level"), message, 'Write type = "sword", say.')
        person = Survivor(
            id=people.new_id(state, one.name),
            name=one.name,
            sex=one.sex,
            severe_injuries=one.severe_injuries,
            disorders=one.disorders,
            abilities=one.abilities,
            impairments=one.impairments,
        )
        state.survivors[person.id] = person
        self._grid((*at, "grid"), one, person)

    def _person(self, at: FieldPath, one: SurvivorSheet) -> None:
        sexes = {"m": "male", "f": "female", "male": "male", "female": "female"}
        if (sex := one.sex.strip().lower()) in sexes:
            one.sex = sexes[sex]
        else:
            self.wrong((*at, "sex"), f"{one.sex!r} is not possible here.", "Write m or f.")
        players = {player.casefold(): player for player in self.table.state.players}
        if one.player.casefold() in players:
            one.player = players[one.player.casefold()]
        elif one.player:
            hint = suggestion(one.player, players.values()) or f"new … -p {one.player} adds one."
            self.wrong((*at, "player"), f"The campaign has no player {one.player!r}.", hint)
        if one.cause and one.status != "dead":
            message = f"A cause of death, but the status is {one.status}."
            self.wrong((*at, "cause"), message, 'Write status = "dead", too.')

    def _traits(self, at: FieldPath, one: SurvivorSheet) -> None:
        content = self.table.content
        arts = _Names("fighting art", _named(content.all(c.FightingArt)))
        disorders = _Names("disorder", _named(content.all(c.Disorder)))
        one.fighting_arts = self.ids(arts, one.fighting_arts, (*at, "fighting_arts"))
        one.disorders = self.ids(disorders, one.disorders, (*at, "disorders"))
        one.abilities = self.ids(self.abilities, one.abilities, (*at, "abilities"))
        one.impairments = self.ids(self.impairments, one.impairments, (*at, "impairments"))
        for box, had in (("fighting_arts", one.fighting_arts), ("disorders", one.disorders)):
            if len(had) > figures.MOST_TRAITS:
                message = f"At most {figures.MOST_TRAITS} {words(box)}; here are {len(had)}."
                self.wrong((*at, box), message)
        injuries: list[str] = []
        for n, word in enumerate(one.severe_injuries):
            path = (*at, "severe_injuries", n)
            injuries.append(id_ := self.id(self.injuries, word, path))
            record = content.find(c.Injury, id_)
            most = record.most if record is not None else None
            if most is not None and injuries.count(id_) > most:
                often = "once" if most == 1 else f"{most} times"
                self.wrong(path, f"{record.name} is recorded at most {often}.")
        one.severe_injuries = injuries

    def _grid(self, at: FieldPath, one: SurvivorSheet, person: Survivor) -> None:
        if one.grid and one.status in ("dead", "gone"):
            self.wrong(at, f"Whoever is {one.status} carries nothing.", "Put it into storage.")
        grid: dict[str, str] = {}
        for word, card in one.grid.items():
            path = (*at, word)
            try:
                cell = grids.cell(word)
            except KdmlogError as error:
                self.wrong(path, error.message, f"Cells are {' '.join(error.hints)}.")
                continue
            if cell in grid:
                self.wrong(path, f"Cell {cell} stands here twice, under another name.")
            id_ = self.id(self.gear, card, path)
            if id_ in self.gear.ids:
                worn = [other for other in grid.values() if other in self.gear.ids]
                if why := grids.forbidden(self.table, person, worn, id_):
                    self.wrong(path, why)
            grid[cell] = id_
        one.grid = {cell: grid[cell] for cell in CELLS if cell in grid}


def _named(records: Mapping[str, Any]) -> dict[str, str]:
    return {id_: record.name for id_, record in records.items()}
