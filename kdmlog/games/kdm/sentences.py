"""The lines of the log: one short sentence for an event, and one for a whole action.

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
from kdmlog.core.events import Event
from kdmlog.core.game import Action, Table
from kdmlog.core.inputs import PASS
from kdmlog.core.state import FACE_DOWN
from kdmlog.core.text import LONGEST_NAME, shown, words
from kdmlog.games.kdm import content as c
from kdmlog.games.kdm import events as e

MONSTER_DECKS = ("ai", "hit_locations")
FAR = "far_"
"""Prefix of the option that picks a target out of reach."""
MOST_CLAUSES = 6
"""Of a headline; what more there is to say stands in the action's own lines."""


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
        return _who(table, card)
    kind = c.Resource if deck.endswith("_resources") else _DECKS.get(deck)
    return _name(table, kind, card) if kind is not None else words(card)


def _who(table: Table, id_: str) -> str:
    survivor = table.state.survivors.get(id_)
    name = survivor.name if survivor is not None else ""
    return shown(name, LONGEST_NAME) if name else words(id_)


def _everyone(table: Table, ids: Iterable[str]) -> str:
    return ", ".join(_who(table, id_) for id_ in ids)


def _name(table: Table, kind: type[Struct], id_: str) -> str:
    record = table.content.find(kind, id_)
    return shown(record.name, LONGEST_NAME) if record is not None else words(id_)


def _gear(table: Table, id_: str) -> str:
    """Returns the name of a gear instance, also of one that has left the campaign."""
    return _name(table, c.Gear, table.state.gear.get(id_) or id_.partition(".")[0])


def _foe(table: Table, id_: str) -> str:
    """Returns the name of a monster, with its level where the id has one (``butcher:1``)."""
    monster, _, level = id_.partition(":")
    return _name(table, c.Monster, monster) + (f" {_level(level)}" if level else "")


def _monster(table: Table) -> str:
    showdown = table.state.showdown
    return _foe(table, showdown.monster) if showdown is not None else "the monster"


def _record(table: Table, id_: str) -> str:
    """Returns the name of a record given as ``kind:id``."""
    kind, _, id_of = id_.partition(":")
    return _name(table, c.KINDS[kind], id_of) if kind in c.KINDS else words(id_)


def _level(level: str) -> str:
    return f"level {level}" if level.isdigit() else words(level)


def _deck(deck: str) -> str:
    return {"ai": "AI", "hit_locations": "hit location"}.get(deck, words(deck))


def _picked(table: Table, id_: str) -> str:
    if id_ in table.state.survivors:
        return _who(table, id_)
    if id_.removeprefix(FAR) in table.state.survivors:
        return f"{_who(table, id_.removeprefix(FAR))}, out of reach"
    if id_ in table.state.gear:
        return _gear(table, id_)
    known = (kind for kind in _CHOSEN if table.content.find(kind, id_) is not None)
    return _name(table, next(known, c.Gear), id_)


def _arrow(by: int, now: int) -> str:
    return f"{now - by} → {now}"


def _count(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _about(note: str) -> str:
    return f" ({note})" if note else ""


_DECKS: Mapping[str, type[Struct]] = {
    "ai": c.AiCard,
    "hit_locations": c.HitLocation,
    "innovations": c.Innovation,
    "disorders": c.Disorder,
    "fighting_arts": c.FightingArt,
}
_CHOSEN = (c.HitLocation, c.AiCard, c.Innovation, c.Resource, c.Gear, c.Disorder, c.FightingArt)
"""The kinds of cards that are chosen among."""
_SIGNED = re.compile(r"[+-]\d+", re.ASCII)
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


def packs_changed(event: core.PacksChanged, table: Table) -> str:
    return "content: " + ", ".join(f"{words(pack.id)} {pack.version}" for pack in event.packs)


def reseeded(event: core.Reseeded, table: Table) -> str:
    return "other dice from here on"


def dice_rolled(event: core.DiceRolled, table: Table) -> str:
    notation = f" {event.dice.removeprefix('1') if event.dice.startswith('1d') else event.dice}"
    if event.dice.endswith("location"):
        notation = ""
    why = (
        f" ({shown(event.about[0], LONGEST_NAME)})" if event.purpose == FREE and event.about else ""
    )
    return f"{words(event.purpose)}{notation}: {_faces(event)}{why}"


def _faces(event: core.DiceRolled) -> str:
    """Returns the faces as read; what a d5 or d100 comes to stands before them."""
    rolled = dice.parse(event.dice)
    faces = " ".join(dice.show(face, rolled) for face in event.faces)
    if rolled.kind in ("d5", "d100"):
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
    return f"AI: {names}" if event.deck == "ai" else f"draws {names}"


def cards_moved(event: core.CardsMoved, table: Table) -> str:
    if event.before in FACE_DOWN and event.to in FACE_DOWN:
        return _unseen(event.deck, len(event.cards), event.to)
    names = ", ".join(card_name(table, event.deck, card) for card in event.cards)
    match event.to:
        case "discard":
            return f"{names} discarded"
        case "persistent":
            return ", ".join(_lasting(table, card) for card in event.cards) + " stays in play"
        case "in_play":
            return f"{names} stays in play"
        case "out":  # of other decks: gained, which has a fact of its own
            return f"{names} out of the game" if event.deck in MONSTER_DECKS else ""
        case "wounds":
            return f"{names} to the wound stack"
        case "deck":
            return f"{names} to the {'bottom' if event.bottom else 'top'} of the deck"
    return f"{names} to {words(event.to)}"


def _lasting(table: Table, card: str) -> str:
    """Returns the persistent injury of a hit location that stays in play."""
    location = table.content.find(c.HitLocation, card)
    return words(location.persistent if location is not None else card).title()


def _unseen(deck: str, count: int, to: str) -> str:
    where = "wound stack" if to == "wounds" else words(to)
    return f"{_count(count, f'{_deck(deck)} card')} to the {where}"


_SAID_BY_FACTS = ("target", "innovation")
"""Choices whose facts tell what was chosen."""


def chosen(event: core.Chosen, table: Table) -> str:
    if event.purpose in _SAID_BY_FACTS:
        return ""
    if event.picked == (PASS,):
        return "" if event.offered == (PASS,) else f"{words(event.purpose)}: nobody"
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


def deferred(event: core.Deferred, table: Table) -> str:
    return f"to come at {words(event.at)}: {_record(table, event.record)}"


# --- survivors ------------------------------------------------------------------------------------


def survivor_created(event: e.SurvivorCreated, table: Table) -> str:
    name = shown(event.name, LONGEST_NAME) or words(event.survivor)
    sex = _SEXES.get(event.sex, words(event.sex))
    if event.parents is not None:
        parents = (event.parents.mother, event.parents.father)
        return f"{name} is born, {sex}" + _about(_everyone(table, parents))
    return f"{name} arrives, {sex}" + _about(shown(event.player, LONGEST_NAME))


def survivor_named(event: e.SurvivorNamed, table: Table) -> str:
    return f"{words(event.survivor)} is now called {shown(event.name, LONGEST_NAME)}"


def stat_changed(event: e.StatChanged, table: Table) -> str:
    """Says what is lost over a limit; the figure then stands at that limit."""
    stat = _STATS.get(event.stat, words(event.stat))
    figure = _arrow(event.by, event.now) if event.by else str(event.now)
    if event.lost:
        figure = figure if event.by else f"{event.now}/{event.now}"
        figure += f" ({event.lost} over the limit lost)"
    return f"{_who(table, event.survivor)} {stat} {figure}"


def gain_ignored(event: e.GainIgnored, table: Table) -> str:
    who = f"{_who(table, event.survivor)}: " if event.survivor else ""
    return f"{who}{words(event.what)} ignored" + _about(words(event.why))


def tokens_changed(event: e.TokensChanged, table: Table) -> str:
    token = "bleeding" if event.token == "bleeding" else f"{words(event.token)} tokens"
    return f"{_who(table, event.survivor)} {token} {_arrow(event.by, event.now)}"


def armor_changed(event: e.ArmorChanged, table: Table) -> str:
    where = words(event.location)
    return f"{_who(table, event.survivor)} {where} armor {_arrow(event.by, event.now)}"


def injury_filled(event: e.InjuryFilled, table: Table) -> str:
    return f"{_who(table, event.survivor)} {words(event.location)}: {words(event.box)} injury"


def injury_erased(event: e.InjuryErased, table: Table) -> str:
    where = words(event.location)
    return f"{_who(table, event.survivor)} {where}: {words(event.box)} injury erased"


def injuries_healed(event: e.InjuriesHealed, table: Table) -> str:
    return f"{_who(table, event.survivor)}: all injuries healed"


def severe_injury_suffered(event: e.SevereInjurySuffered, table: Table) -> str:
    injury = _name(table, c.Injury, event.injury)
    again = _about(f"{event.times} times") if event.times > 1 else ""
    return f"{_who(table, event.survivor)} suffers {injury}{again}"


def condition_gained(event: e.ConditionGained, table: Table) -> str:
    return f"{_who(table, event.survivor)}: {words(event.condition)} until the showdown ends"


def barred(event: e.Barred, table: Table) -> str:
    return f"{_who(table, event.survivor)}: no {words(event.what)} until {words(event.until)}"


def knocked_down(event: e.KnockedDown, table: Table) -> str:
    return f"{_who(table, event.survivor)} is knocked down"


def stood_up(event: e.StoodUp, table: Table) -> str:
    return f"{_who(table, event.survivor)} stands up"


def weapon_chosen(event: e.WeaponChosen, table: Table) -> str:
    return f"{_who(table, event.survivor)} weapon type: {words(event.type)}"


def trait_gained(event: e.TraitGained, table: Table) -> str:
    """Says what it does, too: from now on the table has to know."""
    kind, word = _TRAITS[event.list]
    record = table.content.find(kind, event.id)
    note = f": {shown(record.note).removesuffix('.')}" if record is not None and record.note else ""
    return f"{_who(table, event.survivor)} gains {_name(table, kind, event.id)} ({word}){note}"


def trait_lost(event: e.TraitLost, table: Table) -> str:
    kind, word = _TRAITS[event.list]
    return f"{_who(table, event.survivor)} loses {_name(table, kind, event.id)} ({word})"


def skip_next_hunt(event: e.SkipNextHunt, table: Table) -> str:
    return f"{_who(table, event.survivor)} {'skips the next hunt' if event.now else 'may hunt'}"


def retirement_due(event: e.RetirementDue, table: Table) -> str:
    return f"{_who(table, event.survivor)} will retire" + _about(words(event.why))


def survivor_retired(event: e.SurvivorRetired, table: Table) -> str:
    return f"{_who(table, event.survivor)} retires"


def survivor_left(event: e.SurvivorLeft, table: Table) -> str:
    return f"{_who(table, event.survivor)} is gone"


def survivor_died(event: e.SurvivorDied, table: Table) -> str:
    return f"{_who(table, event.survivor)} dies" + _about(words(event.of))


def death_explained(event: e.DeathExplained, table: Table) -> str:
    return f"{_who(table, event.survivor)} died of: {words(event.of)}"


def tokens_removed(event: e.TokensRemoved, table: Table) -> str:
    return f"{_who(table, event.survivor)}: tokens off"


def benefit_remembered(event: e.BenefitRemembered, table: Table) -> str:
    who = _who(table, event.survivor) if event.survivor else "the settlement"
    until = f" until {words(event.until)}" if event.until else ""
    return f"noted for {who}: {_noted(event.what)}{until}"


def benefit_forgotten(event: e.BenefitForgotten, table: Table) -> str:
    return f"no longer noted for {_who(table, event.survivor)}: {_noted(event.what)}"


def _noted(what: str) -> str:
    return words(what.replace(":", " "))


def said(event: e.Said, table: Table) -> str:
    who = f"{_who(table, event.survivor)}, " if event.survivor else ""
    return f"{who}{_record(table, event.record)}: {shown(event.text)}"


# --- gear and resources ---------------------------------------------------------------------------


def gear_gained(event: e.GearGained, table: Table) -> str:
    card = _name(table, c.Gear, event.card)
    if event.survivor:
        return f"{_who(table, event.survivor)} gains {card}"
    return f"{card} to storage"


def gear_moved(event: e.GearMoved, table: Table) -> str:
    where = f"{_who(table, event.survivor)}, cell {event.cell}" if event.survivor else "storage"
    return f"{_gear(table, event.gear)} to {where}"


def gear_archived(event: e.GearArchived, table: Table) -> str:
    return f"{_gear(table, event.gear)} archived"


def resource_gained(event: e.ResourceGained, table: Table) -> str:
    resource = _name(table, c.Resource, event.resource)
    if event.survivor:
        return f"{_who(table, event.survivor)} gains {resource}"
    return f"{resource} to storage ({event.now})"


def resource_stored(event: e.ResourceStored, table: Table) -> str:
    resource = _name(table, c.Resource, event.resource)
    return f"{_who(table, event.survivor)} stores {resource} ({event.now})"


def resource_lost(event: e.ResourceLost, table: Table) -> str:
    resource = _name(table, c.Resource, event.resource)
    if event.survivor:
        return f"{_who(table, event.survivor)} loses {resource}"
    return f"{resource} spent or lost ({event.now} left)"


def storage_recorded(event: e.StorageRecorded, table: Table) -> str:
    return "storage recorded; its resource cards are back in their decks"


# --- showdown -------------------------------------------------------------------------------------


def showdown_begun(event: e.ShowdownBegun, table: Table) -> str:
    figures = [f"movement {event.movement}", f"toughness {event.toughness}"]
    figures += [f"speed {event.speed:+}"] if event.speed else []
    figures += [f"damage {event.damage:+}"] if event.damage else []
    return f"{_foe(table, event.monster)}, {_level(event.level)}: {', '.join(figures)}"


def controller_named(event: e.ControllerNamed, table: Table) -> str:
    if not event.player:
        return f"{_who(table, event.survivor)} controls the monster"
    return f"{shown(event.player, LONGEST_NAME)} controls the monster" + (
        f" with {_who(table, event.survivor)}" if event.survivor else ""
    )


def turn_begun(event: e.TurnBegun, table: Table) -> str:
    return f"round {event.round}, {'survivors’' if event.turn == 'survivors' else 'monster'} turn"


def act_begun(event: e.ActBegun, table: Table) -> str:
    return f"{_who(table, event.survivor)} acts"


def act_ended(event: e.ActEnded, table: Table) -> str:
    return f"{_who(table, event.survivor)} is done"


def target_picked(event: e.TargetPicked, table: Table) -> str:
    if not event.survivor:
        return "no target"
    return f"target: {_who(table, event.survivor)}" + ("" if event.reached else ", out of reach")


def attack_begun(event: e.AttackBegun, table: Table) -> str:
    """Names the dice and what adds to them; what the weapon's own figures are its name says."""
    weapon = _gear(table, event.weapon)
    terms = [words(term) for term in event.terms if not term.startswith(weapon)]
    dice_ = f": {event.dice} {'die' if event.dice == 1 else 'dice'}, {event.needs}+"
    return (
        f"{_who(table, event.survivor)} attacks with {weapon}"
        + (dice_ if event.dice else "")
        + _about(", ".join(terms))
    )


def attack_ended(event: e.AttackEnded, table: Table) -> str:
    return f"{_count(event.cancelled, 'hit')} cancelled" if event.cancelled else ""


def hits_scored(event: e.HitsScored, table: Table) -> str:
    by = _who(table, event.by) if event.by in table.state.survivors else _monster(table)
    target = f" on {_who(table, event.target)}" if event.target in table.state.survivors else ""
    return f"{by}: {_hits(event)}{target}"


def _hits(event: e.HitsScored) -> str:
    return _count(event.hits, "hit") + (_about(f"{event.perfect} perfect") if event.perfect else "")


def wound_attempted(event: e.WoundAttempted, table: Table) -> str:
    """Shows the sum: the face rolled, what each term adds, and the toughness to meet."""
    location = _name(table, c.HitLocation, event.location)
    added = [term.rpartition(" ")[2] for term in event.terms]
    if not all(_SIGNED.fullmatch(one) for one in added):
        return f"{location}: {', '.join(map(words, event.terms))}, {_outcome(event)}"
    face = event.total - sum(map(int, added))
    total = " ".join([str(face), *(f"{one[0]} {one[1:]}" for one in added)])
    sign = "≥" if event.total >= event.needs else "<"
    why = ""
    if not event.wounded and event.total >= event.needs:
        why = " (1 never wounds)" if face == 1 else " (impervious)"
    elif event.wounded and event.total < event.needs:
        why = " (lantern)" if face == LANTERN else ""
    return f"{location}: {total} {sign} {event.needs}, {_outcome(event)}{why}"


def _outcome(event: e.WoundAttempted) -> str:
    if event.critical:
        return "critical wound"
    return "wound" if event.wounded else "no wound"


def monster_wounded(event: e.MonsterWounded, table: Table) -> str:
    return f"{_monster(table)}: {_count(event.now, 'wound')}"


def monster_knocked_down(event: e.MonsterKnockedDown, table: Table) -> str:
    return f"{_monster(table)} {'is knocked down' if event.now else 'stands up'}"


def monster_moved(event: e.MonsterMoved, table: Table) -> str:
    return f"{_monster(table)} moves" + _about(words(event.how))


def monster_tokens(event: e.MonsterTokens, table: Table) -> str:
    return f"{_monster(table)} {words(event.token)} tokens {_arrow(event.by, event.now)}"


def hit_dodged(event: e.DodgeSpent, table: Table) -> str:
    where = _about(words(event.location))
    return f"{_who(table, event.survivor)} dodges a hit{where}"


def priority_target(event: e.PriorityTarget, table: Table) -> str:
    if not event.survivor:
        return "priority target token removed"
    return f"{_who(table, event.survivor)} gains the priority target token"


def threats_widened(event: e.ThreatsWidened, table: Table) -> str:
    return f"all survivors are threats until the end of round {event.until_round}"


def knocked_back(event: e.MovedAside, table: Table) -> str:
    return f"{_who(table, event.survivor)} is knocked back {_count(event.spaces, 'space')}"


def showdown_decided(event: e.ShowdownDecided, table: Table) -> str:
    killer = f", killed by {_who(table, event.killer)}" if event.killer else ""
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
    name = _foe(table, event.id) if kind is c.Monster else _name(table, kind, event.id)
    return f"{word}: {name}"


def milestone_reached(event: e.MilestoneReached, table: Table) -> str:
    return f"milestone: {_name(table, c.Milestone, event.milestone)}"


def timeline_added(event: e.TimelineAdded, table: Table) -> str:
    known = table.content.find(c.StoryEvent, event.event) is not None
    name = _name(table, c.StoryEvent, event.event) if known else _foe(table, event.event)
    return f"timeline: {name} in lantern year {event.year}"


def story_triggered(event: e.StoryTriggered, table: Table) -> str:
    about = _everyone(table, event.about)
    return f"story: {_name(table, c.StoryEvent, event.event)}" + _about(about)


def survivors_departed(event: e.SurvivorsDeparted, table: Table) -> str:
    depart = "departs" if len(event.survivors) == 1 else "depart"
    hunt = f" to hunt {_foe(table, event.hunt)}" if event.hunt else ""
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
    core.PacksChanged: packs_changed,
    core.Reseeded: reseeded,
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
    core.UseSpent: silent,
    core.ScopeEnded: silent,
    core.Deferred: deferred,
    core.DeferralEnded: silent,
    e.SurvivorCreated: survivor_created,
    e.SurvivorNamed: survivor_named,
    e.StatChanged: stat_changed,
    e.GainIgnored: gain_ignored,
    e.TokensChanged: tokens_changed,
    e.ArmorChanged: armor_changed,
    e.InjuryFilled: injury_filled,
    e.InjuryErased: injury_erased,
    e.InjuriesHealed: injuries_healed,
    e.SevereInjurySuffered: severe_injury_suffered,
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
    e.DeathExplained: death_explained,
    e.TokensRemoved: tokens_removed,
    e.BenefitRemembered: benefit_remembered,
    e.BenefitForgotten: benefit_forgotten,
    e.BenefitsEnded: silent,
    e.Said: said,
    e.GearGained: gear_gained,
    e.GearMoved: gear_moved,
    e.GearArchived: gear_archived,
    e.WeaponUsed: silent,
    e.ResourceGained: resource_gained,
    e.ResourceStored: resource_stored,
    e.ResourceLost: resource_lost,
    e.StorageRecorded: storage_recorded,
    e.ShowdownBegun: showdown_begun,
    e.ControllerNamed: controller_named,
    e.TurnBegun: turn_begun,
    e.ActBegun: act_begun,
    e.ActSpent: silent,
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
    e.DodgeSpent: hit_dodged,
    e.DrawsDue: silent,
    e.PriorityTarget: priority_target,
    e.ThreatsWidened: threats_widened,
    e.MovedAside: knocked_back,
    e.ShowdownDecided: showdown_decided,
    e.ShowdownEnded: showdown_ended,
    e.PrologueRestarted: prologue_restarted,
    e.PhaseChanged: phase_changed,
    e.SettlementNamed: settlement_named,
    e.SurvivorsReturned: survivors_returned,
    e.FigureChanged: figure_changed,
    e.DeathsCounted: deaths_counted,
    e.ListGrew: list_grew,
    e.MilestoneReached: milestone_reached,
    e.TimelineAdded: timeline_added,
    e.StoryTriggered: story_triggered,
    e.SurvivorsDeparted: survivors_departed,
    e.SheetsTakenOver: sheets_taken_over,
    e.RecordBegun: record_begun,
}


# --- a whole action -------------------------------------------------------------------------------

_TOLD = (
    e.StatChanged,
    e.TokensChanged,
    e.ArmorChanged,
    e.InjuryFilled,
    e.SevereInjurySuffered,
    e.KnockedDown,
    e.SurvivorDied,
    e.GearArchived,
    e.ResourceGained,
    e.MonsterKnockedDown,
    e.MonsterTokens,
    e.ShowdownDecided,
)
"""The facts of an attack or a monster's turn that its headline tells."""


_HEADS = (
    core.Ruled,
    e.SurvivorCreated,
    e.SurvivorNamed,
    e.GearGained,
    e.ShowdownBegun,
    e.ControllerNamed,
    e.TurnBegun,
    e.PrologueRestarted,
    e.SettlementNamed,
    e.SurvivorsReturned,
    e.ListGrew,
    e.StoryTriggered,
    e.SurvivorsDeparted,
)
"""What any other action is about; only without one of these its first sentences stand for it."""
MOST_HEADS = 3


def headline(action: Action, events: Sequence[Event], table: Table) -> str:
    """Returns one sentence for a whole action, its answers included, from its events."""
    told = _attack(events, table) or _monster_turn(events, table) or _take_over(events, table)
    if told:
        return told
    heads = [
        text for event in events if isinstance(event, _HEADS) and (text := sentence(event, table))
    ]
    if heads:
        return "; ".join(heads[:MOST_HEADS])
    said = [text for event in events if (text := sentence(event, table))]
    return "; ".join(said[:2]) or type(action).words


def _take_over(events: Sequence[Event], table: Table) -> str:
    """Returns a campaign's first move from paper: its sheets would fill pages."""
    taken = (e.SheetsTakenOver, core.CampaignBegun)
    if not any(isinstance(event, e.SheetsTakenOver) for event in events):
        return ""
    return "; ".join(sentence(event, table) for event in events if isinstance(event, taken))


def _attack(events: Sequence[Event], table: Table) -> str:
    """Returns an attack as ``Allister attacks: 6 3 → 1 hit, Strange Hand, 10: wound 1``."""
    start = next((n for n, event in enumerate(events) if isinstance(event, e.AttackBegun)), None)
    if start is None:
        return ""
    attack = events[start]
    assert isinstance(attack, e.AttackBegun)
    rolled = ""
    clauses: list[str] = []
    for event in events[start:]:
        match event:
            case core.DiceRolled():
                rolled = _faces(event)
            case e.HitsScored() if event.by == attack.survivor:
                clauses.append(f"{rolled} → {_hits(event)}" if rolled else _hits(event))
                rolled = ""
            case e.WoundAttempted():
                location = _name(table, c.HitLocation, event.location)
                clauses.append(f"{location}, {rolled}" if rolled else location)
                clauses[-1] += f": {_outcome(event)}"
                rolled = ""
            case core.CardsDrawn(deck="hit_locations"):
                clauses += [_name(table, c.HitLocation, one) for one in _traps(table, event.cards)]
            case core.CardsMoved(to="persistent"):
                clauses.append(cards_moved(event, table))
            case e.MonsterWounded() if clauses and clauses[-1].endswith("wound"):
                clauses[-1] += f" {event.now}"
            case e.HitsScored() | e.DodgeSpent() | e.MonsterWounded() | e.AttackEnded():
                clauses.append(sentence(event, table))
            case _ if isinstance(event, _TOLD):
                clauses.append(_of(attack.survivor, event, table))
    return _clauses(f"{_who(table, attack.survivor)} attacks", clauses)


def _traps(table: Table, cards: Iterable[str]) -> list[str]:
    locations = {card: table.content.find(c.HitLocation, card) for card in cards}
    return [card for card, one in locations.items() if one is not None and one.type == "trap"]


def _monster_turn(events: Sequence[Event], table: Table) -> str:
    """Returns a monster's turn as ``Claw on Zachary: 1 hit, waist armor 1 → 0``, card by card."""
    lines: list[str] = []
    card = target = ""
    clauses: list[str] = []
    for event in events:
        match event:
            case core.CardsDrawn(deck="ai") if event.to not in FACE_DOWN:
                if card:
                    lines.append(_clauses(_on(card, target, table), clauses))
                card = ", ".join(card_name(table, "ai", one) for one in event.cards)
                target, clauses = "", []
            case e.TargetPicked():
                target = event.survivor
                clauses += [] if target else ["no target"]
            case e.HitsScored():
                clauses.append(_hits(event))
            case e.DodgeSpent():
                clauses.append(_of(target, event, table))
            case _ if isinstance(event, _TOLD):
                clauses.append(_of(target, event, table))
    if not card:
        return ""
    return "; ".join([*lines, _clauses(_on(card, target, table), clauses)])


def _on(card: str, target: str, table: Table) -> str:
    return f"{card} on {_who(table, target)}" if target else card


def _of(who: str, event: Event, table: Table) -> str:
    """Returns an event's sentence, without the name of the one whom the headline is about."""
    text = sentence(event, table)
    name = _who(table, who) if who else ""
    if name and getattr(event, "survivor", "") == who and text.startswith(name):
        return text[len(name) :].lstrip(": ")
    return text


def _clauses(start: str, clauses: Sequence[str]) -> str:
    told = [clause for clause in clauses if clause]
    if len(told) > MOST_CLAUSES:
        told = [*told[: MOST_CLAUSES - 1], "…", told[-1]]  # the end is how it came out
    return f"{start}: {', '.join(told)}" if told else start
