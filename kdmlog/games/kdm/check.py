"""What must hold between content records: ids that exist, tables without gaps, verbs we play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from kdmlog.core.dice import parse
from kdmlog.core.errors import BadInput
from kdmlog.core.names import nearest
from kdmlog.games.kdm import content as c
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.circles import Wrong, circles
from kdmlog.games.kdm.grid import COLOURS

TRACKS = {
    "survivor": ("hunt_xp", "proficiency", "courage", "understanding"),
    "settlement": ("population", "death_count", "innovations"),
}
"""The figures that have milestones, by scope."""
AI_TYPES = ("normal", "mood", "trait", "duration", "status")
"""What an AI card may be (rulebook, AI Anatomy; Survivor Status AI Cards)."""
NEEDS = ("complete", "puzzle")
"""Where the affinities that a bonus needs have to be: anywhere in the grid, or on the card."""
BOUNDLESS = {"insanity": 1000, "luck": 1000}
"""What the thousand battles and years of the golden eyed king give."""
MOST = 99
"""Of anything else: decks, dice and repetitions are as long as a record's figures say."""
COUNTS = ("copies", "count", "deck", "cards", "rewards", "rounds", "draw_ai", "innovate_draws")
"""Figures that count something: none is below zero."""


def check(library: Any) -> list[Wrong]:
    """Returns everything that is wrong with the packs taken together."""
    parts = (_scripts, _references, _tables, _traits, _gear, _targets, _figures, circles)
    return [wrong for part in parts for wrong in part(library)]


def _scripts(library: Any) -> Iterator[Wrong]:
    from kdmlog.games.kdm.rules import VERBS

    for kind, type_ in c.KINDS.items():
        for id_, record in library.all(type_).items():
            for path, step in s.steps_of(record):
                played = step.verb in VERBS or kind == "hunt_event"
                if not played:
                    yield kind, id_, path, f"this version cannot play the verb {step.verb}"
            for path, what in s.problems_of(record):
                yield kind, id_, path, what


def _references(library: Any) -> Iterator[Wrong]:
    pairs: list[tuple[type, str, type]] = [
        (c.Innovation, "consequence_of", c.Innovation),
        (c.AiCard, "monster", c.Monster),
        (c.HitLocation, "monster", c.Monster),
        (c.Location, "built_at", c.Location),
    ]
    for type_, field, other in pairs:
        known = library.ids(other)
        for id_, record in library.all(type_).items():
            named = getattr(record, field)
            if named and named not in known:
                yield library.kind(type_), id_, field, _unknown(named, known)
    for id_, table in library.all(c.InjuryTable).items():
        for range_, injury in table.rows.items():
            if injury not in library.ids(c.Injury):
                yield "injury_table", id_, f"rows.{range_}", _unknown(injury, library.ids(c.Injury))
    for id_, monster in library.all(c.Monster).items():
        cards = library.ids(c.AiCard)
        named = [monster.instinct, monster.basic_action]
        for level in monster.levels.values():
            named += [*level.cards, *level.on_bottom, *level.in_play]
        for card in named:
            if card not in cards:
                yield "monster", id_, "levels", _unknown(card, cards)

        for card in (*monster.terrain, *monster.central_terrain):
            if card not in library.ids(c.Terrain):
                yield "monster", id_, "terrain", _unknown(card, library.ids(c.Terrain))

    yield from _ai_cards(library)
    for id_, milestone in library.all(c.Milestone).items():
        tracks = TRACKS.get(milestone.scope)
        if tracks is None:
            yield "milestone", id_, "scope", _unknown(milestone.scope, TRACKS)
        elif milestone.track and milestone.track not in tracks:
            yield "milestone", id_, "track", _unknown(milestone.track, tracks)


def _ai_cards(library: Any) -> Iterator[Wrong]:
    """What AI cards and persistent injuries do at a moment has to be known, or never plays."""
    for kind, type_ in (("ai_card", c.AiCard), ("hit_location", c.HitLocation)):
        for id_, record in library.all(type_).items():
            for at in record.on:
                if at not in c.AI_MOMENTS:
                    yield kind, id_, f"on.{at}", _unknown(at, c.AI_MOMENTS)
    for id_, card in library.all(c.AiCard).items():
        for at in card.on_board:
            if at not in c.AI_MOMENTS:
                yield "ai_card", id_, f"on_board.{at}", _unknown(at, c.AI_MOMENTS)
    figures = {**c.FIGURES, **c.AI_FIGURES}
    cards = library.ids(c.AiCard)
    for id_, card in library.all(c.AiCard).items():
        if card.type not in AI_TYPES:
            yield "ai_card", id_, "type", _unknown(card.type, AI_TYPES)
        for rule in card.rules:
            if rule not in c.AI_RULES:
                yield "ai_card", id_, f"rules.{rule}", _unknown(rule, c.AI_RULES)
        for one in card.modifiers:
            if one.to not in figures:
                yield "ai_card", id_, f"modifiers.{one.to}", _unknown(one.to, figures)
        for path, step in s.steps_of(card):
            named = step.body if step.verb in ("perform", "turn_over", "discard_card") else None
            if named is not None and named not in cards:
                yield "ai_card", id_, f"{path}.{step.verb}", _unknown(str(named), cards)


def _tables(library: Any) -> Iterator[Wrong]:
    for id_, table in library.all(c.InjuryTable).items():
        rows: dict[str, list[s.Step]] = {range_: [] for range_ in table.rows}
        for what in s.gaps(rows, *s.dice_range(table.roll)):
            yield "injury_table", id_, "rows", what


def _traits(library: Any) -> Iterator[Wrong]:
    """What traits are looked up by has to be known, or it would never play."""
    for kind, type_ in c.KINDS.items():
        if issubclass(type_, c.Trait):
            for id_, trait in library.all(type_).items():
                yield from _trait(kind, id_, "", trait)
    for id_, proficiency in library.all(c.WeaponProficiency).items():
        for level, skill in proficiency.levels.items():
            yield from _trait("weapon_proficiency", id_, f"levels.{level}.", skill)


def _trait(kind: str, id_: str, path: str, trait: c.Trait | c.Skill) -> Iterator[Wrong]:
    rules = [one if isinstance(one, str) else one.what for one in trait.rules]
    for field, named, known in (
        ("on", trait.on, c.MOMENTS),
        ("rules", rules, c.RULES),
        ("modifiers", [one.to for one in trait.modifiers], c.FIGURES),
    ):
        for one in named:
            if one not in known:
                yield kind, id_, f"{path}{field}.{one}", _unknown(one, known)


def _gear(library: Any) -> Iterator[Wrong]:
    """What gear modifies has to be known; a bonus has its needs, in colours that there are."""
    modifying = [
        (kind, id_, field, one)
        for kind, type_, fields in (
            ("gear", c.Gear, ("modifiers", "bonus")),
            ("armor_set", c.ArmorSet, ("modifiers",)),
        )
        for id_, record in library.all(type_).items()
        for field in fields
        for one in getattr(record, field)
    ]
    for kind, id_, field, one in modifying:
        if one.to not in c.FIGURES:
            yield kind, id_, f"{field}.{one.to}", _unknown(one.to, c.FIGURES)
    for type_ in (c.Gear, c.ArmorSet):
        for id_, record in library.all(type_).items():
            for at in record.on:
                if at not in c.MOMENTS:
                    yield library.kind(type_), id_, f"on.{at}", _unknown(at, c.MOMENTS)
    for id_, set_ in library.all(c.ArmorSet).items():
        for piece in set_.pieces:
            if piece not in library.ids(c.Gear):
                yield "armor_set", id_, "pieces", _unknown(piece, library.ids(c.Gear))
    for id_, gear in library.all(c.Gear).items():
        if gear.bonus and not gear.needs:
            yield "gear", id_, "bonus", "a bonus needs affinities: modifiers hold without"
        for how, colours in gear.needs.items():
            if how not in NEEDS:
                yield "gear", id_, f"needs.{how}", _unknown(how, NEEDS)
            for colour in colours:
                if colour not in COLOURS:
                    yield "gear", id_, f"needs.{how}.{colour}", _unknown(colour, COLOURS)


def _targets(library: Any) -> Iterator[Wrong]:
    """A row of a pick-target list is in words that the board knows, or the players read it."""
    from kdmlog.games.kdm.rules import targets

    for id_, card in library.all(c.AiCard).items():
        for number, row in enumerate(card.target):
            if row.endswith(targets.AS_LISTED):
                continue
            try:
                targets.read(row)
            except ValueError as error:
                yield "ai_card", id_, f"target[{number}]", str(error)


def _figures(library: Any) -> Iterator[Wrong]:
    """Figures and dice are those of a table that people sit at."""
    for kind, type_ in c.KINDS.items():
        for id_, record in library.all(type_).items():
            for path, figure in _leaves(record, ""):
                fields = path.split(".")
                if isinstance(figure, str):
                    if fields[-1] == "roll" and (what := _dice(figure)):
                        yield kind, id_, path, what
                elif abs(figure) > (most := BOUNDLESS.get(fields[-1], MOST)):
                    yield kind, id_, path, f"figures go to {most}"
                elif figure < 0 and not {*fields}.isdisjoint(COUNTS):
                    yield kind, id_, path, "a count is not below zero"


def _leaves(thing: object, path: str) -> Iterator[tuple[str, int | str]]:
    """Yields every figure and text of a record with its path."""
    if isinstance(thing, Struct):
        for name, written in zip(
            thing.__struct_fields__, thing.__struct_encode_fields__, strict=True
        ):
            yield from _leaves(getattr(thing, name), f"{path}.{written}".lstrip("."))
    elif isinstance(thing, dict):
        for key, value in thing.items():
            yield from _leaves(value, f"{path}.{key}")
    elif isinstance(thing, list | tuple):
        for number, value in enumerate(thing):
            yield from _leaves(value, f"{path}[{number}]")
    elif isinstance(thing, int | str) and not isinstance(thing, bool):
        yield path, thing


def _dice(notation: str) -> str:
    """Returns what is wrong with a roll; nothing when a hand can hold its dice."""
    try:
        parse(notation)
    except BadInput as error:
        return error.message.rstrip(".")
    return ""


def _unknown(named: str, known: Iterable[str]) -> str:
    near = nearest(named, list(known))
    return f"there is no {named}" + (f"; {', '.join(near)}?" if near else "")
