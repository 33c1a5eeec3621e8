"""The lines of the log: one short sentence for an event.

They are made of the events alone; the state and the packs lend the names. Events that nobody wants
to read have no sentence. What lies face down stays unnamed, and the seed unsaid.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from kdmlog.core import dice
from kdmlog.core import events as core
from kdmlog.core.actions import FREE
from kdmlog.core.dice import LANTERN
from kdmlog.core.errors import BadInput
from kdmlog.core.events import Event
from kdmlog.core.game import Table
from kdmlog.core.inputs import PASS
from kdmlog.core.names import slug
from kdmlog.core.state import FACE_DOWN, POOL
from kdmlog.core.text import LONGEST_NAME, shown, words
from kdmlog.games.kdm import content as c
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.state import BOUNDLESS, RETINUE, Survivor

MONSTER_DECKS = ("ai", "hit_locations")
FAR = "far_"
"""Prefix of the option that picks a target out of reach."""


def sentence(event: Event, table: Table) -> str:
    """Returns the log line of an event; empty when it needs none.

    What a new survivor starts with stands on the new sheet's own line.
    """
    if event.cause == "kdm.new_survivor" and not isinstance(event, e.SurvivorCreated):
        return ""
    return SENTENCES[type(event)](event, table)


# --- names ----------------------------------------------------------------------------------------


def card_name(table: Table, deck: str, card: str) -> str:
    """Returns the shown name of a card in a deck."""
    if deck == "names":
        return who_is(table, card)
    kind = c.Resource if deck.endswith("_resources") else _DECKS.get(deck)
    return name_of(table, kind, card) if kind is not None else words(card)


def who_is(table: Table, id_: str) -> str:
    survivor = table.state.survivors.get(id_)
    name = survivor.name if survivor is not None else ""
    return shown(name, LONGEST_NAME) if name else words(id_)


def _everyone(table: Table, ids: Iterable[str]) -> str:
    return ", ".join(who_is(table, id_) for id_ in ids)


def name_of(table: Table, kind: type[Struct], id_: str) -> str:
    record = table.content.find(kind, id_)
    return shown(record.name, LONGEST_NAME) if record is not None else words(id_)


def _gear(table: Table, id_: str) -> str:
    """Returns the name of a gear instance, also of one that has left the campaign."""
    return name_of(table, c.Gear, table.state.gear.get(id_) or id_.partition(".")[0])


def _foe(table: Table, id_: str) -> str:
    """Returns the name of a monster, with its level where the id has one (``butcher:1``)."""
    monster, _, level = id_.partition(":")
    return name_of(table, c.Monster, monster) + (f" {_level(level)}" if level else "")


def _monster(table: Table) -> str:
    showdown = table.state.showdown
    return _foe(table, showdown.monster) if showdown is not None else "the monster"


def _record(table: Table, id_: str) -> str:
    """Returns the name of a record given as ``kind:id``."""
    kind, _, id_of = id_.partition(":")
    return name_of(table, c.KINDS[kind], id_of) if kind in c.KINDS else words(id_)


def _level(level: str) -> str:
    return f"level {level}" if level.isdigit() else words(level)


def _deck(deck: str) -> str:
    return {"ai": "AI", "hit_locations": "hit location"}.get(deck, words(deck))


def _picked(table: Table, id_: str) -> str:
    if id_ in table.state.survivors:
        return who_is(table, id_)
    if id_.removeprefix(FAR) in table.state.survivors:
        return f"{who_is(table, id_.removeprefix(FAR))}, out of reach"
    if id_ in table.state.gear:
        return _gear(table, id_)
    known = (kind for kind in _CHOSEN if table.content.find(kind, id_) is not None)
    return name_of(table, next(known, c.Gear), id_)


def _arrow(by: int, now: int) -> str:
    return f"{now - by} → {now}"


def _count(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _about(note: str) -> str:
    return f" ({note})" if note else ""


_DECKS: Mapping[str, type[Struct]] = {
    "ai": c.AiCard,
    "hit_locations": c.HitLocation,
    "terrain": c.Terrain,
    "innovations": c.Innovation,
    "disorders": c.Disorder,
    "fighting_arts": c.FightingArt,
}
_CHOSEN = (c.HitLocation, c.AiCard, c.Innovation, c.Resource, c.Gear, c.Disorder, c.FightingArt)
"""The kinds of cards that are chosen among."""
_SIGNED = r"[+-]\d+"
_SEXES = {"m": "male", "f": "female"}
_STATS = {"hunt_xp": "hunt XP", "proficiency": "weapon proficiency"}
_TRAITS: Mapping[str, tuple[type[Struct], str]] = {
    "fighting_arts": (c.FightingArt, "fighting art"),
    "disorders": (c.Disorder, "disorder"),
    "abilities": (c.Ability, "ability"),
    "impairments": (c.Ability, "impairment"),
}
_LISTS: Mapping[str, tuple[type[Struct], str]] = {
    "innovations": (c.Innovation, "innovation"),
    "locations": (c.Location, "location"),
    "principles": (c.Innovation, "principle"),
    "quarries": (c.Monster, "quarry"),
    "nemeses": (c.Monster, "nemesis"),
    "defeated": (c.Monster, "defeated"),
}


# --- the core's events ----------------------------------------------------------------------------


def silent(event: Event, table: Table) -> str:
    """Bookkeeping: no sentence."""
    return ""


def campaign_begun(event: core.CampaignBegun, table: Table) -> str:
    players = ", ".join(shown(player, LONGEST_NAME) for player in event.players)
    return f"{shown(event.name)} begins" + (f", with {players}" if players else "")


def campaign_renamed(event: core.CampaignRenamed, table: Table) -> str:
    return f"the campaign is called {shown(event.name, LONGEST_NAME)} now"


def packs_changed(event: core.PacksChanged, table: Table) -> str:
    return "content: " + ", ".join(f"{words(pack.id)} {pack.version}" for pack in event.packs)


def reseeded(event: core.Reseeded, table: Table) -> str:
    return "other dice from here on"


def replayed(event: core.Replayed, table: Table) -> str:
    return "what follows is played again with its dice; new ones come after them"


def dice_rolled(event: core.DiceRolled, table: Table) -> str:
    notation = f" {event.dice.removeprefix('1') if event.dice.startswith('1d') else event.dice}"
    if event.dice.endswith("location"):
        notation = ""
    why = (
        f" ({shown(event.about[0], LONGEST_NAME)})" if event.purpose == FREE and event.about else ""
    )
    return f"{words(event.purpose)}{notation}: {faces_of(event)}{why}"


def faces_of(event: core.DiceRolled) -> str:
    """Returns the faces as read; what a d5 or d100 comes to stands before them."""
    faces = dice.read(event.dice, event.faces)
    try:
        rolled = dice.parse(event.dice)
    except BadInput:  # somebody else's log may hold any
        return faces
    if rolled.kind in ("d5", "d100") and len(event.faces) == rolled.faces:
        return f"{' '.join(map(str, dice.values(rolled, event.faces)))} ({faces})"
    return faces


def deck_shuffled(event: core.DeckShuffled, table: Table) -> str:
    if event.deck not in MONSTER_DECKS:
        return ""  # made for the next draw: that says enough
    what = " and ".join(words(zone) for zone in event.took) or "deck"
    return f"{_deck(event.deck)} {what} shuffled"


def cards_drawn(event: core.CardsDrawn, table: Table) -> str:
    if event.to in FACE_DOWN:
        return _unseen(event.deck, len(event.cards), event.to)
    names = ", ".join(card_name(table, event.deck, card) for card in event.cards)
    if event.deck == "names":
        return f"at random: {names}"
    return f"AI: {names}" if event.deck == "ai" else f"draws {names}"


def cards_moved(event: core.CardsMoved, table: Table) -> str:
    if event.before in FACE_DOWN and event.to in FACE_DOWN:
        return _unseen(event.deck, len(event.cards), event.to)
    names = ", ".join(card_name(table, event.deck, card) for card in event.cards)
    match event.to:
        case "discard":
            return f"{names} discarded"
        case "set_aside":
            return f"{names} set aside"
        case "drawn":
            return f"back to {names}"
        case "persistent":
            return ", ".join(lasting_injury(table, card) for card in event.cards) + " stays in play"
        case "in_play":
            return f"{names} stays in play" if event.before == "playing" else f"{names} in play"
        case "face_up":
            return f"{names} lies face up on the deck"
        case "playing":
            return f"{names}, for the second time"
        case "out":  # of other decks: gained, which has a fact of its own
            return f"{names} out of the game" if event.deck in MONSTER_DECKS else ""
        case "wounds":
            return f"{names} to the wound stack"
        case "deck":
            return f"{names} to the {'bottom' if event.bottom else 'top'} of the deck"
    return f"{names} to {words(event.to)}"


def lasting_injury(table: Table, card: str) -> str:
    """Returns the persistent injury of a hit location that stays in play."""
    location = table.content.find(c.HitLocation, card)
    return words(location.persistent if location is not None else card).title()


def _unseen(deck: str, count: int, to: str) -> str:
    if to == POOL:
        return f"{_count(count, f'{_deck(deck)} card')} not dealt"
    where = "wound stack" if to == "wounds" else words(to)
    return f"{_count(count, f'{_deck(deck)} card')} to the {where}"


_SAID_BY_FACTS = ("target", "innovation", "surge")
"""Choices whose facts tell what was chosen."""


def chosen(event: core.Chosen, table: Table) -> str:
    if event.purpose in _SAID_BY_FACTS:
        return ""
    if event.picked == (PASS,):
        return "" if event.offered == (PASS,) else f"{words(event.purpose)}: nobody"
    if event.offered[-1:] == (PASS,):  # an opportunity: what was made of it is told
        return ""
    picked = ", ".join(_picked(table, id_) for id_ in event.picked) or "none"
    return f"{words(event.purpose)}: {picked}" + (
        f" (by {_picked(table, event.by)})" if event.by else ""
    )


def filled(event: core.Filled, table: Table) -> str:
    """Says what was read from a card; a single value needs no name."""
    given = {name: value for name, value in event.values.items() if value not in ("", [])}
    values = [
        f"{words(name)} {_value(value)}" if len(event.values) > 1 else _value(value)
        for name, value in given.items()
    ]
    about = event.about[0] if event.about else ""
    what = _record(table, about) if ":" in about else words(event.purpose)
    return f"{what}: {', '.join(values) or 'nothing'}"


def _value(value: int | str | list[str]) -> str:
    return words("; ".join(value) if isinstance(value, list) else str(value))


def noted(event: core.Noted, table: Table) -> str:
    return f"note: {shown(event.text)}"


def ruled(event: core.Ruled, table: Table) -> str:
    return f"ruling: {shown(event.path)} = {shown(str(event.value))}" + _about(shown(event.why))


def asserted(event: core.Asserted, table: Table) -> str:
    counts = (f"{words(path.rpartition('.')[2])} {count}" for path, count in event.counts.items())
    return f"counted at the table: {', '.join(counts)}"


def deferred(event: core.Deferred, table: Table) -> str:
    return f"to come at {words(event.at)}: {_record(table, event.record)}"


# --- survivors ------------------------------------------------------------------------------------


def survivor_created(event: e.SurvivorCreated, table: Table) -> str:
    name = shown(event.name, LONGEST_NAME) or words(event.survivor)
    sex = _SEXES.get(event.sex, words(event.sex))
    base = slug(event.name)
    other = ""
    if base and event.survivor.startswith(f"{base}_"):
        other = f"; another has the name, so at the prompt: {event.survivor}"
    if event.parents is not None:
        parents = (event.parents.mother, event.parents.father)
        return f"{name} is born, {sex}" + _about(_everyone(table, parents)) + other
    return f"{name} arrives, {sex}" + _about(shown(event.player, LONGEST_NAME)) + other


def survivor_named(event: e.SurvivorNamed, table: Table) -> str:
    people: dict[str, Survivor] = table.state.survivors
    taken = any(one.name == event.name and id_ != event.survivor for id_, one in people.items())
    other = f"; another has the name, so at the prompt: {event.survivor}" if taken else ""
    return f"{words(event.survivor)} is now called {shown(event.name, LONGEST_NAME)}{other}"


def survivor_joined(event: e.SurvivorJoined, table: Table) -> str:
    return f"{who_is(table, event.survivor)} joins the showdown"


def player_named(event: e.PlayerNamed, table: Table) -> str:
    return f"{who_is(table, event.survivor)} is {shown(event.player, LONGEST_NAME)}'s"


def stat_changed(event: e.StatChanged, table: Table) -> str:
    """Says what is lost over a limit; the figure then stands at that limit."""
    stat = _STATS.get(event.stat, words(event.stat))
    figure = _arrow(event.by, event.now) if event.by else str(event.now)
    if event.lost and not event.by:
        figure = f"stays {event.now}, the limit"
    elif event.lost:
        figure += f" ({event.lost} over the limit lost)"
    return f"{who_is(table, event.survivor)} {stat} {figure}"


def gain_ignored(event: e.GainIgnored, table: Table) -> str:
    who = f"{who_is(table, event.survivor)}: " if event.survivor else ""
    return f"{who}{words(event.what)} ignored" + _about(words(event.why))


def tokens_changed(event: e.TokensChanged, table: Table) -> str:
    if not event.by and event.unsteady is not None:
        return ""  # those that would have been lost are gone already
    token = "bleeding" if event.token == "bleeding" else f"{words(event.token)} tokens"
    return f"{who_is(table, event.survivor)} {token} {_arrow(event.by, event.now)}"


def armor_changed(event: e.ArmorChanged, table: Table) -> str:
    where = words(event.location)
    return f"{who_is(table, event.survivor)} {where} armor {_arrow(event.by, event.now)}"


def injury_filled(event: e.InjuryFilled, table: Table) -> str:
    return f"{who_is(table, event.survivor)} {words(event.location)}: {words(event.box)} injury"


def injury_erased(event: e.InjuryErased, table: Table) -> str:
    where = words(event.location)
    return f"{who_is(table, event.survivor)} {where}: {words(event.box)} injury erased"


def injuries_healed(event: e.InjuriesHealed, table: Table) -> str:
    return f"{who_is(table, event.survivor)}: all injuries healed"


def severe_injury_suffered(event: e.SevereInjurySuffered, table: Table) -> str:
    injury = name_of(table, c.Injury, event.injury)
    again = _about(f"{event.times} times") if event.times > 1 else ""
    return f"{who_is(table, event.survivor)} suffers {injury}{again}"


def injury_mended(event: e.InjuryMended, table: Table) -> str:
    return f"{who_is(table, event.survivor)}: {name_of(table, c.Injury, event.injury)} mended"


def condition_gained(event: e.ConditionGained, table: Table) -> str:
    return f"{who_is(table, event.survivor)}: {words(event.condition)} until the showdown ends"


def barred(event: e.Barred, table: Table) -> str:
    return f"{who_is(table, event.survivor)}: no {words(event.what)} until {words(event.until)}"


def knocked_down(event: e.KnockedDown, table: Table) -> str:
    return f"{who_is(table, event.survivor)} is knocked down"


def stood_up(event: e.StoodUp, table: Table) -> str:
    return f"{who_is(table, event.survivor)} stands up"


def weapon_chosen(event: e.WeaponChosen, table: Table) -> str:
    return f"{who_is(table, event.survivor)} weapon type: {words(event.type)}"


def trait_gained(event: e.TraitGained, table: Table) -> str:
    """Says what it does, too: from now on the table has to know."""
    kind, word = _TRAITS[event.list]
    record = table.content.find(kind, event.id)
    note = f": {shown(record.note).removesuffix('.')}" if record is not None and record.note else ""
    return f"{who_is(table, event.survivor)} gains {name_of(table, kind, event.id)} ({word}){note}"


def trait_lost(event: e.TraitLost, table: Table) -> str:
    kind, word = _TRAITS[event.list]
    return f"{who_is(table, event.survivor)} loses {name_of(table, kind, event.id)} ({word})"


def skip_next_hunt(event: e.SkipNextHunt, table: Table) -> str:
    return f"{who_is(table, event.survivor)} {'skips the next hunt' if event.now else 'may hunt'}"


def retirement_due(event: e.RetirementDue, table: Table) -> str:
    why = "" if event.why == "retired" else words(event.why)  # the milestone's own story
    return f"{who_is(table, event.survivor)} will retire" + _about(why)


def survivor_retired(event: e.SurvivorRetired, table: Table) -> str:
    return f"{who_is(table, event.survivor)} retires"


def survivor_left(event: e.SurvivorLeft, table: Table) -> str:
    return f"{who_is(table, event.survivor)} is gone"


def survivor_died(event: e.SurvivorDied, table: Table) -> str:
    return f"{who_is(table, event.survivor)} dies" + _about(words(event.of))


def survivor_revived(event: e.SurvivorRevived, table: Table) -> str:
    return f"{who_is(table, event.survivor)} lives after all"


def death_explained(event: e.DeathExplained, table: Table) -> str:
    return f"{who_is(table, event.survivor)} died of: {words(event.of)}"


def tokens_removed(event: e.TokensRemoved, table: Table) -> str:
    return f"{who_is(table, event.survivor)}: tokens off"


def benefit_remembered(event: e.BenefitRemembered, table: Table) -> str:
    who = who_is(table, event.survivor) if event.survivor else "the settlement"
    until = f" until {words(event.until)}" if event.until else ""
    return f"noted for {who}: {_noted(event.what)}{until}"


def benefit_forgotten(event: e.BenefitForgotten, table: Table) -> str:
    return f"no longer noted for {who_is(table, event.survivor)}: {_noted(event.what)}"


def _noted(what: str) -> str:
    return words(what.replace(":", " "))


def said(event: e.Said, table: Table) -> str:
    who = f"{who_is(table, event.survivor)}, " if event.survivor else ""
    return f"{who}{_record(table, event.record)}: {shown(event.text)}"


# --- gear and resources ---------------------------------------------------------------------------


def gear_gained(event: e.GearGained, table: Table) -> str:
    card = name_of(table, c.Gear, event.card)
    if event.survivor:
        return f"{who_is(table, event.survivor)} gains {card}"
    return f"{card} to storage"


def gear_moved(event: e.GearMoved, table: Table) -> str:
    where = f"{who_is(table, event.survivor)}, cell {event.cell}" if event.survivor else "storage"
    return f"{_gear(table, event.gear)} to {where}"


def gear_archived(event: e.GearArchived, table: Table) -> str:
    return f"{_gear(table, event.gear)} archived"


def resource_gained(event: e.ResourceGained, table: Table) -> str:
    resource = name_of(table, c.Resource, event.resource)
    if event.survivor:
        return f"{who_is(table, event.survivor)} gains {resource}"
    return f"{resource} to storage ({event.now})"


def modifiers_recorded(event: e.ModifiersRecorded, table: Table) -> str:
    return f"{who_is(table, event.survivor)}'s gear: {', '.join(map(words, event.terms))}"


def resource_stored(event: e.ResourceStored, table: Table) -> str:
    resource = name_of(table, c.Resource, event.resource)
    return f"{who_is(table, event.survivor)} stores {resource} ({event.now})"


def resource_shared(event: e.ResourceShared, table: Table) -> str:
    resource = name_of(table, c.Resource, event.resource)
    return f"{who_is(table, event.survivor)} takes {resource} as a share ({event.now} left)"


def resource_given(event: e.ResourceGiven, table: Table) -> str:
    resource = name_of(table, c.Resource, event.resource)
    return f"{who_is(table, event.survivor)} gives {who_is(table, event.to)} {resource}"


def thing_used(event: e.ThingUsed, table: Table) -> str:
    verb = "consumes" if event.eaten else "uses"
    return f"{who_is(table, event.survivor)} {verb} {_record(table, event.record)}"


def resource_lost(event: e.ResourceLost, table: Table) -> str:
    resource = name_of(table, c.Resource, event.resource)
    if event.survivor:
        return f"{who_is(table, event.survivor)} loses {resource}"
    return f"{resource} spent or lost ({event.now} left)"


def storage_recorded(event: e.StorageRecorded, table: Table) -> str:
    return "storage recorded on the sheet; resource cards go back into their decks"


# --- showdown -------------------------------------------------------------------------------------


def showdown_begun(event: e.ShowdownBegun, table: Table) -> str:
    far = "without limit" if event.movement >= BOUNDLESS else str(event.movement)
    figures = [f"movement {far}", f"toughness {event.toughness}"]
    figures += [f"speed {event.speed:+}"] if event.speed else []
    figures += [f"damage {event.damage:+}"] if event.damage else []
    return f"{_foe(table, event.monster)}, {_level(event.level)}: {', '.join(figures)}"


def controller_named(event: e.ControllerNamed, table: Table) -> str:
    if not event.player:
        return f"{who_is(table, event.survivor)} controls the monster"
    return f"{shown(event.player, LONGEST_NAME)} controls the monster" + (
        f" with {who_is(table, event.survivor)}" if event.survivor else ""
    )


def turn_begun(event: e.TurnBegun, table: Table) -> str:
    return f"round {event.round}, {'survivors’' if event.turn == 'survivors' else 'monster'} turn"


def act_begun(event: e.ActBegun, table: Table) -> str:
    return f"{who_is(table, event.survivor)} acts"


def act_spent(event: e.ActSpent, table: Table) -> str:
    """What an activation is spent on tells itself."""
    return f"{who_is(table, event.survivor)} moves" if event.what == "movement" else ""


def act_gained(event: e.ActGained, table: Table) -> str:
    return f"{who_is(table, event.survivor)} {words(event.what)} {_arrow(event.by, event.now)}"


def act_ended(event: e.ActEnded, table: Table) -> str:
    return f"{who_is(table, event.survivor)} is done"


def target_picked(event: e.TargetPicked, table: Table) -> str:
    if not event.survivor:
        return "no target"
    return f"target: {who_is(table, event.survivor)}" + ("" if event.reached else ", out of reach")


def attack_begun(event: e.AttackBegun, table: Table) -> str:
    """Names the dice and what adds to them; what the weapon's own figures are its name says."""
    weapon = _gear(table, event.weapon)
    terms = [words(term) for term in event.terms if term.rpartition(" ")[0] != weapon]
    added = _added(event.terms, weapon)
    terms = [f"{event.needs}+", *terms] if added else terms
    dice_ = f": {event.dice} {'die' if event.dice == 1 else 'dice'}, {max(2, event.needs - added)}+"
    return (
        f"{who_is(table, event.survivor)} attacks with {weapon}"
        + (dice_ if event.dice else "")
        + _about(", ".join(terms))
    )


def _added(terms: Sequence[str], weapon: str) -> int:
    """Returns what is added to each roll: the terms behind what it must meet."""
    names = [term.rpartition(" ")[0] for term in terms]
    if weapon not in names or "knocked down:" in names:
        return 0
    last = len(names) - 1 - names[::-1].index(weapon)
    behind = [term for term in terms[last + 1 :] if not term.startswith("monster evasion")]
    return sum(int(term.rpartition(" ")[2]) for term in behind if re.search(r" [+-]\d+$", term))


def attack_ended(event: e.AttackEnded, table: Table) -> str:
    return f"{_count(event.cancelled, 'hit')} cancelled" if event.cancelled else ""


def hits_scored(event: e.HitsScored, table: Table) -> str:
    by = who_is(table, event.by) if event.by in table.state.survivors else _monster(table)
    target = f" on {who_is(table, event.target)}" if event.target in table.state.survivors else ""
    return f"{by}: {hits_of(event)}{target}"


def hits_of(event: e.HitsScored) -> str:
    return _count(event.hits, "hit") + (_about(f"{event.perfect} perfect") if event.perfect else "")


def wound_attempted(event: e.WoundAttempted, table: Table) -> str:
    """Shows the sum: the face rolled, what each term adds, and the toughness to meet."""
    location = name_of(table, c.HitLocation, event.location)
    added = [term.rpartition(" ")[2] for term in event.terms]
    if not all(re.fullmatch(_SIGNED, one, re.ASCII) for one in added):
        return f"{location}: {', '.join(map(words, event.terms))}, {outcome_of(event)}"
    face = event.total - sum(map(int, added))
    total = " ".join([str(face), *(f"{one[0]} {one[1:]}" for one in added)])
    sign = "≥" if event.total >= event.needs else "<"
    why = ""
    if not event.wounded and event.total >= event.needs:
        why = " (1 never wounds)" if face == 1 else " (impervious)"
    elif event.wounded and event.total < event.needs:
        why = " (lantern)" if face == LANTERN else ""
    return f"{location}: {total} {sign} {event.needs}, {outcome_of(event)}{why}"


def outcome_of(event: e.WoundAttempted) -> str:
    if event.critical:
        return "critical wound"
    return "wound" if event.wounded else "no wound"


def monster_wounded(event: e.MonsterWounded, table: Table) -> str:
    return f"{_monster(table)}: {_count(event.now, 'wound')}"


def monster_knocked_down(event: e.MonsterKnockedDown, table: Table) -> str:
    return f"{_monster(table)} {'is knocked down' if event.now else 'stands up'}"


def monster_moved(event: e.MonsterMoved, table: Table) -> str:
    if event.path:
        where = f"{_count(len(event.path), 'space')}, to {_space(event.path[-1])}"
        return f"{_monster(table)} moves {where}" + _about(words(event.how))
    return f"{_monster(table)} moves" + _about(words(event.how))


def board_laid(_event: e.BoardLaid, _table: Table) -> str:
    return "on the board, 22 by 16"


def monster_placed(event: e.MonsterPlaced, table: Table) -> str:
    where = f"{_space(event.at)}, facing {_FACINGS[event.facing]}"
    return f"{_monster(table)} is placed at {where}"


def monster_turned(event: e.MonsterTurned, table: Table) -> str:
    return f"{_monster(table)} faces {_FACINGS[event.facing]}"


def monster_left_board(_event: e.MonsterLeftBoard, table: Table) -> str:
    return f"{_monster(table)} is off the board"


def survivor_placed(event: e.SurvivorPlaced, table: Table) -> str:
    return f"{who_is(table, event.survivor)} is placed at {_space(event.at)}"


def survivor_moved(event: e.SurvivorMoved, table: Table) -> str:
    who = who_is(table, event.survivor)
    if not event.path:
        return f"{who} stays where they are"
    return f"{who} moves {_count(len(event.path), 'space')}, to {_space(event.path[-1])}"


def survivor_left_board(event: e.SurvivorLeftBoard, table: Table) -> str:
    return f"{who_is(table, event.survivor)} is off the board"


def retinue_placed(event: e.RetinuePlaced, table: Table) -> str:
    return f"{_retinue(table, event.survivor)} is placed at {_space(event.at)}"


def retinue_moved(event: e.RetinueMoved, table: Table) -> str:
    where = f"{_count(len(event.path), 'space')}, to {_space(event.path[-1])}"
    return f"{_retinue(table, event.survivor)} moves {where}"


def retinue_destroyed(event: e.RetinueDestroyed, table: Table) -> str:
    return f"{_retinue(table, event.survivor)} is destroyed"


def _retinue(table: Table, id_: str) -> str:
    return f"{who_is(table, id_)}'s retinue"


def collided(event: e.Collided, table: Table) -> str:
    state = table.state
    into = event.into
    if into in state.survivors:
        whom = who_is(table, into)
    elif state.showdown is not None and into == state.showdown.monster:
        whom = _monster(table)
    elif into == RETINUE:
        whom = "a retinue"
    else:
        whom = f"the {_tile(table, into.partition('.')[0])}"
    return f"{who_is(table, event.survivor)} collides with {whom}"


def terrain_placed(event: e.TerrainPlaced, table: Table) -> str:
    return f"{_tile(table, event.terrain)} at {_space(event.at)}"


def terrain_removed(event: e.TerrainRemoved, table: Table) -> str:
    return f"{_tile(table, event.tile.partition('.')[0])} is archived"


def diagram_read(event: e.DiagramRead, table: Table) -> str:
    thing, _, what = event.diagram.partition(".")
    name = _tile(table, thing) if what == "rules" else _foe(table, thing)
    return f"{name}, {words(what)}: {event.words or 'none'}"


def _tile(table: Table, terrain: str) -> str:
    return name_of(table, c.Terrain, terrain)


def _space(at: tuple[int, int]) -> str:
    return f"{at[0]} {at[1]}"


_ACTING = {
    "encourage": "encourages",
    "dash": "dashes",
    "surge": "surges",
    "march": "has their retinue march",
}
_FACINGS = {"n": "north", "e": "east", "s": "south", "w": "west"}


def monster_tokens(event: e.MonsterTokens, table: Table) -> str:
    return f"{_monster(table)} {words(event.token)} tokens {_arrow(event.by, event.now)}"


def survival_action_taken(event: e.SurvivalActionTaken, table: Table) -> str:
    whom = f" {who_is(table, event.target)}" if event.target else ""
    return f"{who_is(table, event.survivor)} {_ACTING[event.action]}{whom}"


def survivor_fled(event: e.SurvivorFled, table: Table) -> str:
    where = "and will be back" if event.back else "home"
    return f"{who_is(table, event.survivor)} runs away {where}"


def survivor_came_back(event: e.SurvivorCameBack, table: Table) -> str:
    return f"{who_is(table, event.survivor)} is back in the showdown"


def life_changed(event: e.LifeChanged, table: Table) -> str:
    return f"{_monster(table)} life {_arrow(event.by, event.now)}"


def card_tokens(event: e.CardTokens, table: Table) -> str:
    holder = f"{who_is(table, event.survivor)}, " if event.survivor else ""
    return f"{holder}{name_of(table, c.AiCard, event.card)} tokens {_arrow(event.by, event.now)}"


def status_gained(event: e.StatusGained, table: Table) -> str:
    return f"{who_is(table, event.survivor)} gains {name_of(table, c.AiCard, event.card)}"


def status_lost(event: e.StatusLost, table: Table) -> str:
    return f"{who_is(table, event.survivor)} is rid of {name_of(table, c.AiCard, event.card)}"


def hit_dodged(event: e.DodgeSpent, table: Table) -> str:
    where = _about(words(event.location))
    return f"{who_is(table, event.survivor)} dodges a hit{where}"


def hits_ignored(event: e.HitsIgnored, table: Table) -> str:
    count = _count(event.by, "hit")
    return f"{who_is(table, event.survivor)} ignores {count} ({words(event.why)})"


def priority_target(event: e.PriorityTarget, table: Table) -> str:
    if not event.survivor:
        return "priority target token removed"
    return f"{who_is(table, event.survivor)} gains the priority target token"


def threats_widened(event: e.ThreatsWidened, table: Table) -> str:
    return f"all survivors are threats until the end of round {event.until_round}"


def knocked_back(event: e.MovedAside, table: Table) -> str:
    where = f", to {_space(event.path[-1])}" if event.path else ""
    return f"{who_is(table, event.survivor)} is knocked back {_count(event.spaces, 'space')}{where}"


def showdown_decided(event: e.ShowdownDecided, table: Table) -> str:
    killer = f", killed by {who_is(table, event.killer)}" if event.killer else ""
    return f"{words(event.outcome)}{killer}"


def showdown_ended(event: e.ShowdownEnded, table: Table) -> str:
    return f"showdown {event.number} is over"


def prologue_restarted(event: e.PrologueRestarted, table: Table) -> str:
    return f"the First Story begins again: {_everyone(table, event.survivors)}"


# --- settlement -----------------------------------------------------------------------------------


def phase_changed(event: e.PhaseChanged, table: Table) -> str:
    if event.phase == "showdown":  # the turns say so
        return ""
    return f"{words(event.phase)}: {words(event.step)}" if event.step else words(event.phase)


def settlement_named(event: e.SettlementNamed, table: Table) -> str:
    return f"the settlement is called {shown(event.name, LONGEST_NAME)}"


def survivors_returned(event: e.SurvivorsReturned, table: Table) -> str:
    return f"returning: {_everyone(table, event.survivors) or 'nobody'}"


def figure_changed(event: e.FigureChanged, table: Table) -> str:
    return f"{words(event.figure)} {_arrow(event.by, event.now)}"


def deaths_counted(event: e.DeathsCounted, table: Table) -> str:
    return f"death count {_arrow(event.by, event.now)}"


def list_grew(event: e.ListGrew, table: Table) -> str:
    kind, word = _LISTS[event.list]
    name = _foe(table, event.id) if kind is c.Monster else name_of(table, kind, event.id)
    return f"{word}: {name}"


def list_shrank(event: e.ListShrank, table: Table) -> str:
    kind, word = _LISTS[event.list]
    return f"{word} lost: {name_of(table, kind, event.id)}"


def milestone_reached(event: e.MilestoneReached, table: Table) -> str:
    return f"milestone: {name_of(table, c.Milestone, event.milestone)}"


def timeline_added(event: e.TimelineAdded, table: Table) -> str:
    known = table.content.find(c.StoryEvent, event.event) is not None
    name = name_of(table, c.StoryEvent, event.event) if known else _foe(table, event.event)
    return f"timeline: {name} in lantern year {event.year}"


def story_triggered(event: e.StoryTriggered, table: Table) -> str:
    about = _everyone(table, event.about)
    return f"story: {name_of(table, c.StoryEvent, event.event)}" + _about(about)


def survivors_departed(event: e.SurvivorsDeparted, table: Table) -> str:
    depart = "departs" if len(event.survivors) == 1 else "depart"
    hunt = f" to hunt {_foe(table, event.hunt)}" if event.hunt else ""
    hunt = f" to face {_foe(table, event.encounter)}" if event.encounter else hunt
    return f"{_everyone(table, event.survivors)} {depart}{hunt}"


def sheets_taken_over(event: e.SheetsTakenOver, table: Table) -> str:
    name = shown(event.settlement, LONGEST_NAME)
    sheets = _count(event.survivors, "survivor")
    return f"taken over from paper: {name}, lantern year {event.lantern_year}, {sheets}"


def record_begun(event: e.RecordBegun, table: Table) -> str:
    name = _record(table, event.record)
    return f"{words(event.verdict).capitalize()}: {name}" if event.verdict else name


SENTENCES: Mapping[type[Event], Callable[[Any, Table], str]] = {
    core.CampaignBegun: campaign_begun,
    core.CampaignRenamed: campaign_renamed,
    core.PacksChanged: packs_changed,
    core.Reseeded: reseeded,
    core.Replayed: replayed,
    core.DiceRolled: dice_rolled,
    core.DeckMade: silent,
    core.DeckShuffled: deck_shuffled,
    core.CardsDrawn: cards_drawn,
    core.CardsMoved: cards_moved,
    core.CardsSwapped: silent,
    core.Asked: silent,
    core.Chosen: chosen,
    core.Filled: filled,
    core.Noted: noted,
    core.Ruled: ruled,
    core.Asserted: asserted,
    core.UseSpent: silent,
    core.ScopeEnded: silent,
    core.Deferred: deferred,
    core.DeferralEnded: silent,
    e.SurvivorCreated: survivor_created,
    e.SurvivorNamed: survivor_named,
    e.PlayerNamed: player_named,
    e.SurvivorJoined: survivor_joined,
    e.StatChanged: stat_changed,
    e.GainIgnored: gain_ignored,
    e.TokensChanged: tokens_changed,
    e.ArmorChanged: armor_changed,
    e.InjuryFilled: injury_filled,
    e.InjuryErased: injury_erased,
    e.InjuriesHealed: injuries_healed,
    e.SevereInjurySuffered: severe_injury_suffered,
    e.InjuryMended: injury_mended,
    e.ConditionGained: condition_gained,
    e.Barred: barred,
    e.BarsEnded: silent,
    e.KnockedDown: knocked_down,
    e.StoodUp: stood_up,
    e.WeaponChosen: weapon_chosen,
    e.TraitGained: trait_gained,
    e.TraitLost: trait_lost,
    e.SkipNextHunt: skip_next_hunt,
    e.RetirementDue: retirement_due,
    e.SurvivorRetired: survivor_retired,
    e.SurvivorLeft: survivor_left,
    e.SurvivorDied: survivor_died,
    e.SurvivorRevived: survivor_revived,
    e.DeathExplained: death_explained,
    e.TokensRemoved: tokens_removed,
    e.BenefitRemembered: benefit_remembered,
    e.BenefitForgotten: benefit_forgotten,
    e.BenefitsEnded: silent,
    e.Said: said,
    e.GearGained: gear_gained,
    e.GearMoved: gear_moved,
    e.GearArchived: gear_archived,
    e.ModifiersRecorded: modifiers_recorded,
    e.WeaponUsed: silent,
    e.ResourceGained: resource_gained,
    e.ResourceStored: resource_stored,
    e.ResourceShared: resource_shared,
    e.ResourceGiven: resource_given,
    e.ThingUsed: thing_used,
    e.ResourceLost: resource_lost,
    e.StorageRecorded: storage_recorded,
    e.ShowdownBegun: showdown_begun,
    e.ControllerNamed: controller_named,
    e.TurnBegun: turn_begun,
    e.ActBegun: act_begun,
    e.ActSpent: act_spent,
    e.ActGained: act_gained,
    e.ActEnded: act_ended,
    e.TargetPicked: target_picked,
    e.AttackBegun: attack_begun,
    e.AttackEnded: attack_ended,
    e.HitsScored: hits_scored,
    e.WoundAttempted: wound_attempted,
    e.MonsterWounded: monster_wounded,
    e.MonsterKnockedDown: monster_knocked_down,
    e.MonsterMoved: monster_moved,
    e.MonsterTokens: monster_tokens,
    e.LifeChanged: life_changed,
    e.CardTokens: card_tokens,
    e.StatusGained: status_gained,
    e.StatusLost: status_lost,
    e.DodgeSpent: hit_dodged,
    e.SurvivalActionTaken: survival_action_taken,
    e.SurvivalActionResolved: silent,
    e.SurvivorFled: survivor_fled,
    e.SurvivorCameBack: survivor_came_back,
    e.HitsIgnored: hits_ignored,
    e.DrawsDue: silent,
    e.PriorityTarget: priority_target,
    e.ThreatsWidened: threats_widened,
    e.MovedAside: knocked_back,
    e.BoardLaid: board_laid,
    e.MonsterPlaced: monster_placed,
    e.MonsterTurned: monster_turned,
    e.MonsterLeftBoard: monster_left_board,
    e.SurvivorPlaced: survivor_placed,
    e.SurvivorMoved: survivor_moved,
    e.SurvivorLeftBoard: survivor_left_board,
    e.RetinuePlaced: retinue_placed,
    e.RetinueMoved: retinue_moved,
    e.RetinueDestroyed: retinue_destroyed,
    e.Collided: collided,
    e.TerrainPlaced: terrain_placed,
    e.TerrainRemoved: terrain_removed,
    e.DiagramRead: diagram_read,
    e.ShowdownDecided: showdown_decided,
    e.ShowdownEnded: showdown_ended,
    e.PrologueRestarted: prologue_restarted,
    e.PhaseChanged: phase_changed,
    e.SettlementNamed: settlement_named,
    e.SurvivorsReturned: survivors_returned,
    e.FigureChanged: figure_changed,
    e.DeathsCounted: deaths_counted,
    e.ListGrew: list_grew,
    e.ListShrank: list_shrank,
    e.MilestoneReached: milestone_reached,
    e.TimelineAdded: timeline_added,
    e.StoryTriggered: story_triggered,
    e.SurvivorsDeparted: survivors_departed,
    e.SheetsTakenOver: sheets_taken_over,
    e.RecordBegun: record_begun,
}
