"""Which figures of the public state may be adjusted by hand, and what to use for the others.

An adjustment triggers nothing: whatever would have to (a death, a milestone) is kept out of reach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from kdmlog.core.events import Event
from kdmlog.core.game import Leaf
from kdmlog.core.names import match
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import views
from kdmlog.games.kdm.content import Ability, Disorder, FightingArt, Resource
from kdmlog.games.kdm.rules.figures import MOST_TRAITS
from kdmlog.games.kdm.state import ATTRIBUTES, BOXES, LOCATIONS, State, Survivor

if TYPE_CHECKING:
    from kdmlog.packs.library import Library

TRACKS = {"insanity": 999, "courage": 9, "understanding": 9, "hunt_xp": 16}
"""The last box of each track; they start at 0."""
FIGURES = {
    "population": (0, 999),
    "endeavors": (0, 99),
    "survival_limit": (1, 20),
    "death_count": (0, 999),
    "lantern_year": (0, 30),
}
"""The settlement's figures, with their least and most."""
TRAITS: Mapping[str, type[FightingArt | Disorder | Ability]] = {
    "fighting_arts": FightingArt,
    "disorders": Disorder,
    "abilities": Ability,
    "impairments": Ability,
}
FULL = ("fighting_arts", "disorders")
"""The boxes that hold no more than ``MOST_TRAITS``."""
MOST_PROFICIENCY = 8
COUNTED = (*views.TOKENS, "age")
"""The tokens of a survivor that are adjusted; age tokens are the phoenix's."""
MOST_TOKENS = 20
"""Of an attribute, and of an attribute's tokens, up or down; also of armor points."""
MOST_RESOURCES = 99

ON_BOARD = ("positions", "retinues", "terrain", "facing")
"""What there is only of a showdown on the board."""

UNDO = "undo takes back the move that made it so"
INSTEAD: Mapping[str, Mapping[str, str]] = {
    "survivors": {
        "name": "survivor rename S NAME",
        "sex": UNDO,
        "status": f"nobody dies or comes back by an adjustment; {UNDO}",
        "player": "survivor player S NAME",
        "parents": UNDO,
        "severe_injuries": UNDO,
        "affinities": "they follow from the grid; gear move S FROM TO",
        "grid": "gear put, gear take, gear move or gear swap",
        "resources": UNDO,
        "status_cards": UNDO,
        "knocked_down": UNDO,
        "notes": "note TEXT",
    },
    "settlement": {
        "name": "settlement name NAME",
        "innovations": "settlement innovate",
        "innovation_deck": "settlement innovate",
        "locations": "settlement build L",
        "principles": UNDO,
        "quarries": UNDO,
        "nemeses": UNDO,
        "defeated": UNDO,
        "timeline": UNDO,
        "milestones": UNDO,
        "notes": "note TEXT",
    },
    "showdown": {
        "acting": "act S or end-act",
        "acted": "act S or end-act",
        "positions": "place WHO X Y",
        "retinues": "place retinue_SURVIVOR X Y",
        "terrain": "place TERRAIN X Y",
        "facing": "place monster X Y --facing n",
        "turn": "monster turn or end-turn",
        "round": "monster turn or end-turn",
    },
    "hunt": {},
    "edition": {"": "new --edition begins a campaign of another"},
    "variants": {"": "new --variant begins a campaign with others"},
    "phase": {},
    "open": {"": "answer VALUE"},
    "players": {},
    "scheduled": {},
    "uses": {},
    "deaths": {"": "survivor death S CAUSE"},
}
"""By section and field, what to do instead; ``UNDO`` for what is not listed."""


def leaf(state: State, path: tuple[str, ...], content: Library | None = None) -> Leaf | str:
    """Returns how the figure at a path is adjusted, or what to use in its place.

    Without ``content`` only resources that the campaign holds are known. Raises UnknownName.
    """
    if not path:
        return _parts(path, INSTEAD)
    section = match(path[0], _named(INSTEAD), "part of the state")
    rest = path[1:]
    match section:
        case "survivors":
            return _of_survivors(state, rest, content)
        case "settlement":
            return _of_settlement(state, rest, content)
        case "showdown":
            return _of_showdown(state, rest)
    return _instead(path, INSTEAD[section].get("", UNDO))


# --- survivors ------------------------------------------------------------------------------------


def _of_survivors(state: State, path: tuple[str, ...], content: Library | None) -> Leaf | str:
    names = {id_: one.name for id_, one in state.survivors.items()}
    if not path:
        return _parts(("survivors",), names)
    who = match(path[0], names, "survivor")
    survivor = state.survivors[who]
    fields = (*views.Survivor.__struct_fields__, "proficiency")
    if len(path) == 1:
        return _parts(("survivors", who), fields)
    name = match(path[1], _named(fields), "figure of a survivor")
    here = ("survivors", who, name)
    match name, path[2:]:
        case ("tokens", (token,)):
            return _tokens(state, survivor, match(token, _named(COUNTED), "token"))
        case ("armor", (location,)):
            return _armor(survivor, match(location, _named(LOCATIONS), "location"))
        case ("tokens", ()):
            return _parts(here, COUNTED)
        case ("armor", ()):
            return _parts(here, LOCATIONS)
        case ("weapon", (part,)):
            if match(part, _named(views.Weapon.__struct_fields__), "figure") == "level":
                return _stat(survivor, "proficiency", 0, MOST_PROFICIENCY)
            return _instead((*here, "type"), UNDO)
        case ("weapon", ()):
            return _parts(here, ("level",))
        case (_, (trait,)) if name in TRAITS:
            return _trait(survivor, name, match(trait, _traits(survivor, name, content), "trait"))
        case (_, ()) if name in TRAITS:
            return _parts(here, _traits(survivor, name, content))
        case ("skip_next_hunt", ()):
            return Leaf(
                0,
                1,
                lambda _by, now: e.SkipNextHunt(survivor=who, now=bool(now)),
                int(survivor.skip_next_hunt),
            )
        case ("injuries", (location,)):
            return _injuries(survivor, match(location, _named(tuple(BOXES)), "location"))
        case ("injuries", ()):
            return _parts(here, tuple(BOXES))
        case ("knocked_down", ()) if state.showdown is not None:
            return _knocked_down(survivor, state.showdown.round)
        case ("survival", ()):
            return _stat(survivor, name, 0, state.settlement.survival_limit)
        case ("proficiency", ()):
            return _stat(survivor, name, 0, MOST_PROFICIENCY)
        case (_, ()) if name in TRACKS:
            return _stat(survivor, name, 0, TRACKS[name])
        case (_, ()) if name in ATTRIBUTES:
            return _stat(survivor, name, -MOST_TOKENS, MOST_TOKENS)
    return _instead((*here, *path[2:]), INSTEAD["survivors"].get(name, UNDO))


def _traits(survivor: Survivor, box: str, content: Library | None) -> dict[str, str]:
    """The traits that a survivor may have in a box: what the packs know and what is there."""
    known = {} if content is None else content.all(TRAITS[box])
    named = {id_: str(record.name) for id_, record in known.items()}
    return {**{id_: id_ for id_ in getattr(survivor, box)}, **named}


def _trait(survivor: Survivor, box: str, trait: str) -> Leaf:
    """Had (1) or not (0); a full box takes no more."""
    had: list[str] = getattr(survivor, box)
    room = trait in had or box not in FULL or len(had) < MOST_TRAITS

    def event(by: int, _now: int) -> Event:
        kind = e.TraitGained if by > 0 else e.TraitLost
        return kind(survivor=survivor.id, list=box, id=trait)

    return Leaf(0, int(room), event, int(trait in had))


def _injuries(survivor: Survivor, location: str) -> Leaf:
    """How many of a location's boxes are filled, light before heavy; one more or one less."""
    boxes = BOXES[location]
    filled = len(survivor.injuries.get(location, ()))

    def event(by: int, now: int) -> Event:
        kind = e.InjuryFilled if by > 0 else e.InjuryErased
        return kind(survivor=survivor.id, location=location, box=boxes[now - (by > 0)])

    return Leaf(max(0, filled - 1), min(len(boxes), filled + 1), event, filled)


def _knocked_down(survivor: Survivor, round_: int) -> Leaf:
    def event(_by: int, now: int) -> Event:
        if now:
            return e.KnockedDown(survivor=survivor.id, round=round_)
        return e.StoodUp(survivor=survivor.id)

    return Leaf(0, 1, event, int(survivor.knocked_down is not None))


def _stat(survivor: Survivor, stat: str, least: int, most: int) -> Leaf:
    id_ = survivor.id
    return Leaf(
        least,
        most,
        lambda by, now: e.StatChanged(survivor=id_, stat=stat, by=by, now=now),
        getattr(survivor, stat),
    )


def _tokens(state: State, survivor: Survivor, token: str) -> Leaf:
    id_ = survivor.id
    least, most = -MOST_TOKENS, MOST_TOKENS
    if token == "bleeding":
        least, most = 0, _most_bleeding(state)
    elif token == "age":
        least = 0
    return Leaf(
        least,
        most,
        lambda by, now: e.TokensChanged(survivor=id_, token=token, by=by, now=now),
        survivor.tokens.get(token, 0),
    )


def _most_bleeding(state: State) -> int:
    """Returns the bleeding tokens that do not kill yet (rulebook, Bleeding Tokens; Variants)."""
    return 2 if {"quick", "death"} & set(state.variants) else 4


def _armor(survivor: Survivor, location: str) -> Leaf:
    id_ = survivor.id
    return Leaf(
        0,
        MOST_TOKENS,
        lambda by, now: e.ArmorChanged(survivor=id_, location=location, by=by, now=now),
        survivor.armor.get(location, 0),
    )


# --- settlement and showdown ----------------------------------------------------------------------


def _of_settlement(state: State, path: tuple[str, ...], content: Library | None) -> Leaf | str:
    fields = views.Settlement.__struct_fields__
    if not path:
        return _parts(("settlement",), fields)
    name = match(path[0], _named(fields), "figure of the settlement")
    if name == "storage":
        return _of_storage(state, path[1:], content)
    if name in FIGURES and len(path) == 1:
        return Leaf(
            *FIGURES[name],
            # Also the death count: deaths that wait to be counted stay as they are.
            lambda by, now: e.FigureChanged(figure=name, by=by, now=now),
            getattr(state.settlement, name),
        )
    return _instead(("settlement", name, *path[1:]), INSTEAD["settlement"].get(name, UNDO))


def _of_storage(state: State, path: tuple[str, ...], content: Library | None) -> Leaf | str:
    here = ("settlement", "storage")
    if not path:
        return _parts(here, ("resources",))
    name = match(path[0], _named(views.Storage.__struct_fields__), "part of the storage")
    if name == "gear":
        return _instead((*here, *path), "settlement craft GEAR, gear put or gear take")
    if name == "types":
        return _instead((*here, *path), f"they follow from {'.'.join((*here, 'resources'))}")
    known = _resources(state, content)
    if len(path) == 1:
        return _parts((*here, name), known)
    if len(path) > 2:
        return _instead((*here, *path), UNDO)
    resource = match(path[1], known, "resource")
    now = state.settlement.storage.resources.get(resource, 0)
    # A resource is gained and lost one card at a time, so the bounds are one up and one down.
    return Leaf(max(0, now - 1), min(MOST_RESOURCES, now + 1), _resource_event(resource), now)


def _resource_event(resource: str) -> Callable[[int, int], Event]:
    def event(by: int, now: int) -> Event:
        kind = e.ResourceGained if by > 0 else e.ResourceLost
        return kind(resource=resource, now=now)

    return event


def _resources(state: State, content: Library | None) -> dict[str, str]:
    """Returns the resources that are known, by id, with their names."""
    known = _named(state.settlement.storage.resources)
    for survivor in state.survivors.values():
        known |= _named(survivor.resources)
    if content is not None:
        known |= {id_: record.name for id_, record in content.all(Resource).items()}
    return known


def _of_showdown(state: State, path: tuple[str, ...]) -> Leaf | str:
    if state.showdown is None:
        return _instead(("showdown", *path), "there is no showdown; showdown begin MONSTER")
    fields = views.Showdown.__struct_fields__
    if not path:
        return _parts(("showdown",), ("tokens",))
    name = match(path[0], _named(fields), "figure of the showdown")
    if name != "tokens" or len(path) > 2:
        hint = "showdown.tokens" if name in views.MONSTER_TOKENS else UNDO
        if name in ON_BOARD and state.showdown.board is None:
            return _instead(("showdown", name, *path[1:]), "nothing: no positions are kept here")
        return _instead(("showdown", name, *path[1:]), INSTEAD["showdown"].get(name, hint))
    if len(path) == 1:
        return _parts(("showdown", "tokens"), views.MONSTER_TOKENS)
    token = match(path[1], _named(views.MONSTER_TOKENS), "token")
    return Leaf(
        -MOST_TOKENS,
        MOST_TOKENS,
        lambda by, now: e.MonsterTokens(token=token, by=by, now=now),
        state.showdown.tokens.get(token, 0),
    )


# --- words ----------------------------------------------------------------------------------------


def _named(ids: Iterable[str]) -> dict[str, str]:
    return {id_: id_ for id_ in ids}


def _instead(path: tuple[str, ...], use: str) -> str:
    return f"{'.'.join(path)} is not adjusted by hand. Instead: {use}."


def _parts(path: tuple[str, ...], parts: Iterable[str]) -> str:
    place = ".".join(path) or "the state"
    return f"{place} is no single figure. It has: {', '.join(parts) or 'nothing yet'}."
