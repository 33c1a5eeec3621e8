"""Who is meant, what holds, how much it is, and what is barred: a scene's words made plain."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure
from kdmlog.core.requests import Choose, Option
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.content import (
    Ability,
    Disorder,
    FightingArt,
    Gear,
    HitLocation,
    Injury,
    Monster,
    Resource,
    Trait,
    While,
)
from kdmlog.games.kdm.rules import chance, edition, kit, laid, where
from kdmlog.games.kdm.state import State, Survivor

INSANE = 3
TOKENS = ("bleeding", "age", "tempo", "retinue")
"""Tokens of a survivor that are no attribute's."""
NOISY, LOUD = "noisy", "noisy_gear"
"""A keyword of gear, and the rule by which all of it has that."""
NO_THREAT = "not_a_threat"
"""The benefit of one who is hidden, until they attack."""
WITHIN_TERRAIN = "hidden_in"
"""The benefit of one who is hidden in terrain, its id behind a colon: until they leave it, too."""
SUFFERED = "suffered"
"""The name under which a scene has the damage that its moment is about."""
PLACES = "hit"
"""The name under which a card's scene has the locations that its attack hit."""
DAMAGED = "damaged"
"""The name under which a card's scene has its target, once for each hit that damaged them."""


class Scene(Struct, frozen=True, kw_only=True):
    """What a script plays in: its record, the one meant, and the groups bound by name."""

    table: Table
    record: str
    who: str = ""
    bound: dict[str, list[str]] = {}
    path: str = ""

    @property
    def state(self) -> State:
        """Returns the working state."""
        return self.table.state  # type: ignore[no-any-return]


# --- groups ---------------------------------------------------------------------------------------


def people(scene: Scene, who: str | s.Group | None) -> Procedure[list[str]]:
    """Returns the living survivors meant, in the order of their sheets; asks where it must."""
    if isinstance(who, s.Group):
        found = yield from _group(scene, who)
        return found
    named = yield from _word(scene, who or "")
    survivors = scene.state.survivors
    return [id_ for id_ in named if survivors[id_].conscious]


def one(scene: Scene, who: str | s.Group | None) -> Procedure[str]:
    """Returns the first of a group; empty when there is nobody."""
    found = yield from people(scene, who)
    return found[0] if found else ""


def taking_part(state: State) -> list[str]:
    """Returns the living survivors in the showdown; outside it, the settlement's."""
    return list(present(state))


def present(state: State) -> Iterator[str]:
    """Yields the same, for who only looks for one of them; before anything is recorded."""
    survivors, showdown = state.survivors, state.showdown
    if showdown is None:
        for id_, survivor in survivors.items():
            if survivor.alive:
                yield id_
        return
    for id_ in showdown.survivors:
        if id_ not in showdown.away and survivors[id_].conscious:
            yield id_


def is_threat(table: Table, id_: str) -> bool:
    """Returns whether the monster takes a survivor for a threat.

    The knocked down and hidden are none, unless it has sniffed or a card of its own says so
    (rulebook, Common Targeting Terms; Sniff).
    """
    state: State = table.state
    showdown = state.showdown
    if showdown is not None and showdown.all_are_threats >= showdown.round:
        return True
    if laid.ruled(table, "all_are_threats"):
        return True
    survivor = state.survivors[id_]
    return survivor.knocked_down is None and not hidden_by(survivor)


def hidden_by(survivor: Survivor) -> list[str]:
    """Returns the benefits that hide a survivor from the monster."""
    return [
        one for one in survivor.benefits if one.partition(":")[0] in (NO_THREAT, WITHIN_TERRAIN)
    ]


def _word(scene: Scene, word: str) -> Procedure[list[str]]:
    state = scene.state
    showdown = state.showdown
    if word.startswith("@"):
        return [word[1:]]
    if word in scene.bound:
        return list(scene.bound[word])
    everyone = taking_part(state)
    match word:
        case "":
            return [scene.who] if scene.who else []
        case "all":
            return everyone
        case "others":
            return [id_ for id_ in everyone if id_ != scene.who]
        case "non_deaf":
            return [id_ for id_ in everyone if hears(scene.table, state.survivors[id_])]
        case "living":
            return [id_ for id_, one_ in state.survivors.items() if one_.alive]
        case "at_home":
            return [id_ for id_ in state.survivors if id_ not in settlement_party(state)]
        case "returning":
            return list(state.settlement.returning)
        case "departing":
            return list(state.settlement.departing)
        case "attacker" if showdown is not None:
            return [showdown.attacker] if showdown.attacker else [scene.who]
        case "target" if showdown is not None:
            return [showdown.target] if showdown.target else []
        case "killer" if showdown is not None:
            return [showdown.killer] if showdown.killer else []
        case "controller" if showdown is not None:
            holder = showdown.controller.survivor
            return [holder] if holder else []
        case "parents":
            return [*scene.bound.get("mother", []), *scene.bound.get("father", [])]
    if not positional(word):
        return []
    if where.board(state) is not None:
        return [id_ for id_ in everyone if _stands(scene, word, id_)]
    others = [id_ for id_ in everyone if id_ != scene.who or word != "adjacent"]
    return (
        yield from choose_survivors(
            scene, others, word, least=0, most=len(others), about=(scene.who,)
        )
    )


POSITIONS = ("adjacent", "adjacent_to_monster", "in_blind_spot", "in_field_of_view", "in_front")
"""Where survivors stand: the board knows, or the players; ``within_3`` spaces of it, too."""
WITHIN = "within_"


def positional(word: str) -> bool:
    """Returns whether a word says where somebody stands."""
    return word in POSITIONS or (word.startswith(WITHIN) and word[len(WITHIN) :].isdigit())


def _stands(scene: Scene, word: str, id_: str) -> bool:
    """Returns whether a survivor stands there on the board."""
    state = scene.state
    match word:
        case "adjacent":
            return where.beside(state, scene.who, id_)
        case "adjacent_to_monster":
            return where.beside_monster(state, id_)
        case "in_blind_spot":
            return where.in_blind_spot(scene.table, id_)
        case "in_field_of_view":
            return where.in_view(scene.table, id_)
        case "in_front":
            return where.faced(state, id_)
    return where.steps_from_monster(state, id_) <= int(word[len(WITHIN) :])


def choose_survivors(
    scene: Scene,
    among: list[str],
    purpose: str,
    *,
    least: int = 1,
    most: int = 1,
    by: str = "",
    about: tuple[str, ...] = (),
) -> Procedure[list[str]]:
    """Asks for survivors among some; does not ask when there is nothing to decide."""
    if not among or (len(among) <= least and most >= least):
        return among
    survivors = scene.state.survivors
    options = tuple(Option(id_, survivors[id_].name) for id_ in among)
    picked = yield Choose(
        purpose=purpose,
        about=tuple(one_ for one_ in about if one_),
        by=by,
        options=options,
        least=min(least, len(among)),
        most=min(most, len(among)),
    )
    return [id_ for id_ in among if id_ in picked]


def settlement_party(state: State) -> list[str]:
    """Returns who departed, the dead too."""
    return state.showdown.survivors if state.showdown is not None else state.settlement.departing


def _group(scene: Scene, group: s.Group) -> Procedure[list[str]]:
    found = yield from people(scene, group.of)
    if group.where is not None:
        kept = []
        for id_ in found:
            if (yield from holds(replace(scene, who=id_), group.where)):
                kept.append(id_)
        found = kept
    if group.random is not None:
        found = yield from chance.at_random(found, group.random, about=(scene.record,))
    for rule_, sign in ((group.highest, 1), (group.lowest, -1)):
        if rule_ is not None and found:
            found = yield from _extreme(scene, found, rule_, sign, group.ties)
    return found


def _extreme(
    scene: Scene, among: list[str], by: str | s.Contest, sign: int, ties: str
) -> Procedure[list[str]]:
    scores: dict[str, int] = {}
    for id_ in among:
        if isinstance(by, str):
            scores[id_] = figure(scene.state.survivors[id_], by)
        else:
            rolled = yield from chance.roll(by.roll, "contest", about=(scene.record, id_))
            extra = yield from modifiers(replace(scene, who=id_), by.add)
            scores[id_] = rolled + extra
    best = max(score * sign for score in scores.values())
    tied = [id_ for id_ in among if scores[id_] * sign == best]
    if len(tied) > 1 and ties == "choose":
        tied = yield from choose_survivors(scene, tied, "tie")
    elif len(tied) > 1 and ties in ("random", "roll_off"):
        tied = yield from chance.at_random(tied, 1, about=(scene.record,))
    return tied


# --- conditions -----------------------------------------------------------------------------------


def holds(scene: Scene, condition: str | s.Condition) -> Procedure[bool]:
    """Returns whether a condition holds for the one meant (or anyone of its ``who``)."""
    if isinstance(condition, str):
        if positional(condition):
            return bool(scene.who) and (yield from _is_there(scene, condition))
        return bool(scene.who) and _flag(scene, condition)
    subjects = [scene.who]
    if condition.who is not None:
        subjects = yield from people(scene, condition.who)
    for id_ in subjects:
        if (yield from _all_parts(replace(scene, who=id_), condition)):
            return True
    return False


def _is_there(scene: Scene, word: str) -> Procedure[bool]:
    """Returns whether the one meant stands somewhere; without a board the players say."""
    if where.board(scene.state) is not None:
        return _stands(scene, word, scene.who)
    options = (Option("yes"), Option("no"))
    [answer] = yield Choose(purpose=word, about=(scene.who,), options=options)
    return bool(answer == "yes")


def _flag(scene: Scene, word: str) -> bool:
    survivor = scene.state.survivors[scene.who]
    if word == "insane":
        return insane(survivor)
    if word == "retired":
        return survivor.status == "retired"
    if word == "knocked_down":
        return survivor.knocked_down is not None
    if word == "threat":
        return is_threat(scene.table, scene.who)
    if word == "acting":
        fight = scene.state.showdown
        return fight is not None and fight.act is not None and fight.act.survivor == scene.who
    if word == "alive":
        return bool(survivor.alive)
    if word == "deaf":
        return not hears(scene.table, survivor)
    return word in survivor.severe_injuries


def _all_parts(scene: Scene, condition: s.Condition) -> Procedure[bool]:
    state = scene.state
    settlement, showdown = state.settlement, state.showdown
    survivor = state.survivors.get(scene.who)
    plain: list[bool] = []
    if condition.stat is not None:
        plain.append(
            survivor is not None
            and all(s.within(figure(survivor, k), v) for k, v in condition.stat.items())
        )
    if condition.sex is not None:
        plain.append(survivor is not None and survivor.sex == condition.sex)
    if condition.innovated is not None:
        plain.append(condition.innovated in settlement.innovations)
    if condition.principle is not None:
        plain.append(condition.principle in settlement.principles)
    if condition.location is not None:
        plain.append(condition.location in settlement.locations)
    if condition.resources is not None:
        plain.append(s.within(sum(settlement.storage.resources.values()), condition.resources))
    if condition.year is not None:
        plain.append(s.within(settlement.lantern_year, condition.year))
    if condition.phase is not None:
        plain.append(state.phase.name == condition.phase)
    if condition.monster_level is not None:
        plain.append(s.within(monster_level(state), condition.monster_level))
    if condition.barred is not None:
        plain.append(survivor is not None and bool(barred(scene.table, survivor, condition.barred)))
    if condition.persistent is not None:
        plain.append(showdown is not None and condition.persistent in persistent_injuries(scene))
    if condition.terrain_there is not None:
        plain.append((yield from _terrain(scene, "terrain_there", condition.terrain_there)))
    if condition.beside_terrain is not None and all(plain):
        plain.append((yield from _terrain(scene, "beside_terrain", condition.beside_terrain)))
    if condition.monster_wounds is not None:
        wounds = showdown.wounds if showdown is not None else 0
        plain.append(s.within(wounds, condition.monster_wounds))
    if condition.damaged is not None:
        plain.append(s.within(len(scene.bound.get(DAMAGED, [])), condition.damaged))
    if condition.any_of is not None:
        plain.append(bool(scene.bound.get(condition.any_of)))
    if condition.edition is not None:
        plain.append(edition.played(state) == condition.edition)
    if condition.in_play is not None:
        plain.append(_in_play(state, survivor, condition.in_play))
    if condition.card_tokens is not None:
        plain.append(s.within(tokens_on(scene), condition.card_tokens))
    if condition.wounds_this_round is not None:
        wounds = showdown.wounds_this_round if showdown is not None else 0
        plain.append(s.within(wounds, condition.wounds_this_round))
    if condition.aura is not None:
        plain.append(survivor is not None and _aura(scene.table, survivor) == condition.aura)
    if condition.remembers is not None:
        noted = settlement.remembered if survivor is None else [*survivor.remembered]
        noted = noted if survivor is None else [*noted, *survivor.benefits]
        plain.append(any(condition.remembers in (one, one.partition(":")[0]) for one in noted))
    if condition.armored is not None:
        plain.append(survivor is not None and survivor.armor.get(condition.armored, 0) > 0)
    if condition.monster is not None:
        plain.append(showdown is not None and _monster_is(scene, condition.monster))
    if condition.wielding is not None:
        plain.append(_wielding(scene, condition.wielding))
    if condition.encounter is not None:
        plain.append(bool(settlement.encounter) == condition.encounter)
    if condition.alone is not None:
        plain.append((taking_part(state) == [scene.who]) == condition.alone)
    if condition.weapon_type is not None:
        plain.append(survivor is not None and survivor.weapon_type == condition.weapon_type)
    if survivor is not None and not _gear_parts(scene, survivor, condition):
        return False
    if condition.lost_anyone is not None:
        dead = any(one_.status == "dead" for one_ in state.survivors.values())
        plain.append(dead == condition.lost_anyone)
    if not all(plain):
        return False
    if condition.has is not None and not (yield from _has(scene, condition.has)):
        return False
    if condition.not_ is not None and (yield from holds(scene, condition.not_)):
        return False
    for part in condition.all or []:
        if not (yield from holds(scene, part)):
            return False
    if condition.any is not None:
        for part in condition.any:
            if (yield from holds(scene, part)):
                return True
        return False
    return True


def _terrain(scene: Scene, what: str, card: str) -> Procedure[bool]:
    """Returns whether terrain is there, or the monster at it; without a board the players say."""
    if where.board(scene.state) is not None:
        near = what == "beside_terrain"
        return bool(where.tiles_of(scene.state, card, near_monster=near))
    options = (Option("yes"), Option("no"))
    [answer] = yield Choose(purpose=what, about=(scene.record, card), options=options)
    return bool(answer == "yes")


def _wielding(scene: Scene, weapon: str) -> bool:
    fight = scene.state.showdown
    record = scene.table.content.find(Gear, fight.weapon) if fight is not None else None
    return record is not None and fight is not None and weapon in (fight.weapon, *record.keywords)


def _monster_is(scene: Scene, named: str) -> bool:
    monster = scene.state.showdown.monster if scene.state.showdown is not None else ""
    if named == "nemesis":
        record = scene.table.content.find(Monster, monster)
        return record is not None and bool(record.nemesis)
    return monster == named


def _gear_parts(scene: Scene, survivor: Survivor, condition: s.Condition) -> bool:
    """Returns whether what a condition says of the gear grid as a whole holds."""
    table = scene.table
    if condition.only is not None:
        for _, record in kit.in_grid(table, survivor).values():
            if condition.only not in record.keywords:
                return False
    if condition.bonus is not None and not kit.bonuses(table, survivor).get(condition.bonus):
        return False
    if condition.no_affinities is not None:
        none = not any(kit.affinities(table, survivor).values())
        return none == condition.no_affinities
    return True


def tokens_on(scene: Scene) -> int:
    """Returns how many tokens lie on the AI card that plays: on the holder's own, if it is one."""
    card = scene.record.partition(":")[2]
    survivor = scene.state.survivors.get(scene.who)
    if survivor is not None and card in survivor.status_cards:
        return survivor.status_cards[card]
    showdown = scene.state.showdown
    return showdown.card_tokens.get(card, 0) if showdown is not None else 0


def _in_play(state: State, survivor: Survivor | None, card: str) -> bool:
    deck = state.decks.get("ai")
    there = deck is not None and card in (*deck["in_play"], *deck["face_up"])
    return there or (survivor is not None and card in survivor.status_cards)


def _aura(table: Table, survivor: Survivor) -> str:
    """Returns the colour of most of a survivor's affinities; white when none has the most."""
    found = kit.affinities(table, survivor)
    most = max(found.values(), default=0)
    colours = [colour for colour, count in found.items() if count == most]
    return colours[0] if len(colours) == 1 else "white"


def figure(survivor: Survivor, name: str) -> int:
    """Returns a figure of the sheet: an attribute, a track, how many of a list, or its tokens."""
    if name in TOKENS:
        return survivor.tokens.get(name, 0)
    value = getattr(survivor, name)
    return len(value) if isinstance(value, list) else int(value)


def _has(scene: Scene, has: s.Has) -> Procedure[bool]:
    subjects = [scene.who]
    if has.who is not None:
        subjects = yield from people(scene, has.who)
    return any(_bears(scene, scene.state.survivors[id_], has) for id_ in subjects if id_)


def _bears(scene: Scene, survivor: Survivor, has: s.Has) -> bool:
    state = scene.state
    cards = [state.gear[instance] for instance in survivor.grid.values()]
    keyword = has.gear is None or any(
        has.gear in (gear.kind, *gear.keywords, *gear.rules)
        for gear in (scene.table.content.get(Gear, card) for card in cards)
    )
    if has.gear == NOISY and cards and not keyword:
        borne_ = borne(scene.table, survivor)
        keyword = any(lists(scene.table, survivor, ref, one_.rules, LOUD) for ref, one_ in borne_)
    types = has.resource is None or any(
        has.resource in scene.table.content.get(Resource, one_).types for one_ in survivor.resources
    )
    injuries = (*survivor.severe_injuries, *survivor.passing)
    return (
        keyword
        and types
        and (has.gear_id is None or has.gear_id in cards)
        and (has.disorder is None or has.disorder in survivor.disorders)
        and (has.injury is None or injuries.count(has.injury) >= has.count)
        and (has.ability is None or has.ability in (*survivor.abilities, *survivor.impairments))
        and (has.fighting_art is None or has.fighting_art in survivor.fighting_arts)
    )


def monster_level(state: State) -> int:
    """Returns the level that "per monster level" means; the First Story's lion is level 1."""
    showdown = state.showdown
    return int(showdown.level) if showdown is not None and showdown.level.isdigit() else 1


def persistent_injuries(scene: Scene) -> list[str]:
    """Returns the ids of the monster's persistent injuries in play."""
    deck = scene.state.decks.get("hit_locations")
    cards = deck["persistent"] if deck is not None else []
    return [scene.table.content.get(HitLocation, card).persistent for card in cards]


# --- amounts and modifiers ------------------------------------------------------------------------


def amount(scene: Scene, figure_: int | s.Figure, purpose: str) -> Procedure[int]:
    """Returns a number as written, rolled or read off."""
    if isinstance(figure_, int):
        return figure_
    if figure_.level is not None:
        return figure_.level * monster_level(scene.state) * figure_.times
    if figure_.stat == SUFFERED:
        return int(scene.bound[SUFFERED][0]) * figure_.times
    if figure_.stat == "survival_limit":
        return scene.state.settlement.survival_limit * figure_.times
    if figure_.stat is not None:
        return figure(scene.state.survivors[scene.who], figure_.stat) * figure_.times
    about = (scene.record, *((scene.who,) if scene.who else ()))
    total = yield from chance.roll(figure_.roll or "1d10", purpose, about=about)
    return total * figure_.times


def modifiers(scene: Scene, add: list[str | s.Modifier]) -> Procedure[int]:
    total = 0
    for one_ in add:
        if one_ == "monster_level":
            total += monster_level(scene.state)
        elif isinstance(one_, str):
            total += figure(scene.state.survivors[scene.who], one_) if scene.who else 0
        elif one_.if_ is None or (yield from holds(scene, one_.if_)):
            total += one_.by
    return total


# --- what is borne and barred ---------------------------------------------------------------------


def hears(table: Table, survivor: Survivor) -> bool:
    """Returns whether a survivor is not deaf, for good or by what they wear."""
    if "deaf" in survivor.severe_injuries:
        return False
    helmets = [
        card
        for card, record in kit.in_grid(table, survivor).values()
        if any(one_.to == "deaf" for one_ in record.bonus)
    ]
    return not helmets or not any(kit.bonuses(table, survivor)[card] for card in helmets)


def insane(survivor: Survivor) -> bool:
    """Returns whether insanity is 3 or more."""
    return survivor.insanity >= INSANE


def borne(table: Table, survivor: Survivor) -> list[tuple[str, Trait]]:
    """Returns all that a survivor bears, once each, as ``kind:id`` with its record."""
    injuries = survivor.severe_injuries + survivor.passing
    disorders, arts = survivor.disorders, survivor.fighting_arts
    abilities = survivor.abilities + survivor.impairments
    if not (injuries or disorders or arts or abilities):
        return []  # as often as not, and it is asked at every turn
    kinds: tuple[tuple[str, type[Trait], list[str]], ...] = (
        ("injury", Injury, injuries),
        ("disorder", Disorder, disorders),
        ("fighting_art", FightingArt, arts),
        ("ability", Ability, abilities),
    )
    found: list[tuple[str, Trait]] = []
    for kind, type_, ids in kinds:
        for id_ in dict.fromkeys(ids) if ids else ():
            record = table.content.find(type_, id_)
            if record is not None:
                found.append((f"{kind}:{id_}", record))
    return found


def barred(table: Table, survivor: Survivor, *whats: str) -> str:
    """Returns what bars a survivor from something, or the first of some; empty for nothing."""
    everything = borne(table, survivor)
    for what in whats:
        if what in survivor.bars:
            return f"barred until the {survivor.bars[what].replace('_', ' ')}"
        for ref, record in everything:
            if lists(table, survivor, ref, record.bars, what) and not _lifted(
                table, survivor, ref, what
            ):
                return str(record.name)
    return ""


def _lifted(table: Table, survivor: Survivor, ref: str, what: str) -> bool:
    """Returns whether something that a survivor bears takes a record's bar off, or all of them."""
    lifts = [one for _, record in borne(table, survivor) for one in record.lifts]
    return ref in lifts or f"{ref}:{what}" in lifts


def lists(table: Table, survivor: Survivor, ref: str, listed: list[str | While], what: str) -> bool:
    """Returns whether a bar or rule is among those listed, and its condition holds."""
    for one in listed:
        if isinstance(one, str):
            if one == what:
                return True
        elif one.what == what and holds_alone(table, survivor, ref, one.if_):
            return True
    return False


def holds_alone(table: Table, survivor: Survivor, ref: str, condition: str | s.Condition) -> bool:
    """Returns whether a condition about a survivor alone holds: it asks nobody anything."""
    return _plainly(holds(Scene(table=table, record=ref, who=survivor.id), condition))


def _plainly(procedure: Procedure[bool]) -> bool:
    try:
        asked = next(procedure)
    except StopIteration as end:
        return bool(end.value)
    raise AssertionError(f"a condition about its bearer asks {asked}")
