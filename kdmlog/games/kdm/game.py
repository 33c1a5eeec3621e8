"""Kingdom Death: Monster, as one value for the rest of the program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from kdmlog.core.events import CampaignBegun, Event
from kdmlog.core.game import Game, Leaf, Table
from kdmlog.core.later import later
from kdmlog.core.names import match
from kdmlog.core.procedures import Procedure
from kdmlog.core.text import LONGEST_NAME
from kdmlog.core.text import shown as shown_text
from kdmlog.games.kdm import content, fold, plays, ready, sql, views, when
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.actions import Depart, SettlementBegin
from kdmlog.games.kdm.rules import edition, people, settlement, turns
from kdmlog.games.kdm.rules.variants import VARIANTS
from kdmlog.games.kdm.sentences import card_name, lasting_injury, sentence
from kdmlog.games.kdm.state import Phase, State

RULES = 5
"""Raised whenever the same inputs would give other facts."""


def begin(_table: Table) -> Procedure[None]:
    """Nothing but the campaign itself is there at the start."""
    yield from ()


def take_over(table: Table, sheet: Mapping[str, Any]) -> Procedure[None]:
    """A campaign that was played on paper goes on from its sheets."""
    from kdmlog.games.kdm.rules import taken_over  # here: once in a campaign's life

    yield from taken_over.take_over(table, sheet)


def sheet() -> type[Struct]:
    """Returns what paper sheets look like."""
    from kdmlog.games.kdm.sheet import Sheet

    return Sheet


def standing(table: Table) -> list[str]:
    """Returns the monster or the settlement, and each survivor there, in a line."""
    state: State = table.state
    shown = views.view(table)
    if state.showdown is not None:
        from kdmlog.games.kdm import onboard  # only where it is asked for

        named = {id_: views.named(one, id_) for id_, one in shown.survivors.items()}
        lines = _fight(table) + onboard.told(table, named)
    else:
        lines = _settlement(shown.settlement)
    # The ageless fight on when they are retired.
    if state.showdown is not None:
        there = [id_ for id_ in state.showdown.survivors if state.survivors[id_].alive]
    else:
        there = [id_ for id_, one in shown.survivors.items() if one.status == "alive"]
    return lines + ["  ".join([views.summary(shown, id_), *_lasting(table, id_)]) for id_ in there]


def _lasting(table: Table, id_: str) -> list[str]:
    """What holds until the showdown ends or a moment comes; the summary has the rest."""
    holds = [one for one in views.conditions(table, id_) if one not in ("knocked down", "insane")]
    fight = table.state.showdown
    if fight is not None and id_ in fight.away:
        holds.append("away, and will be back" if fight.away[id_] else "has run home")
    return holds


def _fight(table: Table) -> list[str]:
    state: State = table.state
    fight = state.showdown
    assert fight is not None
    deck = state.decks["ai"]
    cards = f"AI {len(deck['deck'])} left, discard {len(deck['discard'])}, wounds {fight.wounds}"
    controller = f"  ·  {fight.controller.player} controls" if fight.controller.player else ""
    life = f", life {fight.life}" if fight.life is not None else ""
    lines = [f"Toughness {fight.toughness}{life}, {cards}{controller}"]
    lasting = ["knocked down"] if fight.knocked_down else []
    lasting += [_laid(table, card) for zone in ("face_up", "in_play") for card in deck[zone]]
    persistent = state.decks["hit_locations"]["persistent"]
    lasting += [lasting_injury(table, card) for card in persistent]
    lasting += [f"{token} token {count:+}" for token, count in fight.tokens.items()]
    if fight.priority_target:
        lasting.append(f"priority target {state.survivors[fight.priority_target].name}")
    return [*lines, f"Monster: {', '.join(lasting)}"] if lasting else lines


def _laid(table: Table, card: str) -> str:
    count = table.state.showdown.card_tokens.get(card, 0)
    return card_name(table, "ai", card) + (f" ({count})" if count else "")


def _settlement(here: views.Settlement) -> list[str]:
    if not here.name:
        return []
    figures = f"population {here.population}, deaths {here.death_count}"
    year = f"{shown_text(here.name, LONGEST_NAME)}, lantern year {here.lantern_year}"
    stored = sum(here.storage.resources.values()), sum(here.storage.gear.values())
    resources = "resource" if stored[0] == 1 else "resources"
    storage = f"storage: {stored[0]} {resources}, {stored[1]} gear"
    return [f"{year}: {figures}, endeavors {here.endeavors}  ·  {storage}"]


def ahead(table: Table) -> list[str]:
    """Returns who skips the next hunt, and the next years in which the timeline has something."""
    from kdmlog.games.kdm import years  # only where it is asked for

    here = views.view(table)
    skipping = [
        shown_text(one.name, LONGEST_NAME)
        for one in here.survivors.values()
        if one.status == "alive" and one.skip_next_hunt
    ]
    lines = [f"{', '.join(skipping)}: no next hunt"] if skipping else []
    if not here.settlement.name:
        return lines
    return [*lines, *years.to_come(table, here.settlement)]


def step(table: Table) -> str:
    """Returns the obvious next line as typed."""
    state: State = table.state
    fight = state.showdown
    if fight is not None:
        if fight.outcome:
            return "aftermath"
        if state.phase.step == "deploy":
            return "deploy"
        return "monster turn" if fight.turn == "monster" else _survivors_step(table)
    if state.phase.name == "prologue" and len(state.survivors) < people.FOUNDERS:
        return "survivor new NAME m|f"
    if state.phase.name == "settlement" and state.phase.step == "ended":
        able = sum(settlement.may_depart(table, one) for one in state.survivors.values())
        if able < settlement.must_depart(table):
            return settlement.naming(state)
        return next(iter(plays.PLAYS[Depart].ready(table)), "")
    if state.phase == Phase(name="settlement", step="set_up"):
        return next(iter(plays.PLAYS[SettlementBegin].ready(table)), "")
    if state.phase.step == "develop":
        return next(ready.developing(table), "settlement end")
    return {
        ("prologue", "survivors"): "showdown begin white_lion --first-story",
        ("hunt", "departed"): "showdown begin",
        ("nemesis", "departed"): "showdown begin",
        ("settlement", "event"): "settlement event",
        ("settlement", "year"): "settlement year",
    }.get((state.phase.name, state.phase.step), "")


def _survivors_step(table: Table) -> str:
    """The one acting goes on, else the next one who stands; with nobody left the turn ends."""
    acting = table.state.showdown.act
    if acting is not None and (line := ready.next_of(table, acting.survivor)):
        return line
    done = acting.survivor if acting is not None else ""
    standing_ = [id_ for id_ in turns.able_to_act(table) if id_ != done]
    lines = [line for id_ in standing_ if (line := ready.next_of(table, id_))]
    return lines[0] if lines else "end-turn"


def prompt(table: Table) -> str:
    """Returns the standing in short: year, phase, round, who is left to act and what with."""
    state: State = table.state
    fight = state.showdown
    if fight is None:
        year = f"LY {state.settlement.lantern_year} " if state.settlement.name else ""
        left = state.settlement.endeavors
        endeavors = f", {left} endeavor{'s' if left > 1 else ''}" if left else ""
        where = "a question is open" if state.open else state.phase.step.replace("_", " ")
        return f"{year}{state.phase.name}: {where}{endeavors}"
    if fight.outcome or state.open is not None or fight.turn == "monster":
        where = fight.outcome or ("a question is open" if state.open else "monster")
        return f"showdown R{fight.round} {where}"
    act = fight.act
    if act is not None and not state.survivors[act.survivor].conscious:
        act = None
    acting = f", {act.survivor} m{act.movement} a{act.activation}" if act is not None else ""
    left_ = [id_ for id_ in turns.able_to_act(table) if act is None or id_ != act.survivor]
    return f"showdown R{fight.round}{acting}  ·  to act: {' '.join(left_) or 'nobody'}"


def _named(word: str, table: Table) -> str:
    state: State = table.state
    return match(word, {id_: one.name or id_ for id_, one in state.survivors.items()}, "survivor")


def _leaf(table: Table, path: tuple[str, ...]) -> Leaf | str:
    from kdmlog.games.kdm.leaves import leaf  # only to adjust

    return leaf(table.state, path, table.content)


def _rank(table: Table, deck: str, card: str) -> str:
    """AI cards are dealt by their rank: basic, advanced, legendary."""
    record = table.content.find(content.AiCard, card) if deck == "ai" else None
    return record.level if record is not None else ""


def _begins_campaign(event: Event) -> bool:
    return isinstance(event, CampaignBegun)


def _begins_showdown(event: Event) -> bool:
    return isinstance(event, e.ShowdownBegun)


def _ends_showdown(event: Event) -> bool:
    return isinstance(event, e.ShowdownEnded)


def _begins_year(event: Event) -> bool:
    return isinstance(event, e.FigureChanged) and event.figure == "lantern_year"


GAME = Game(
    id="kdm",
    title="Kingdom Death: Monster",
    rules=RULES,
    new_state=State,
    events=e.EVENTS,
    folds=fold.FOLDS,
    plays=plays.PLAYS,
    kinds=content.KINDS,
    packs=("core",),
    begin=begin,
    view=views.view,
    view_type=views.State,
    leaf=_leaf,
    sentence=sentence,
    headline=later("kdmlog.games.kdm.headlines:headline"),
    question=later("kdmlog.games.kdm.questions:question"),
    help=later("kdmlog.games.kdm.questions:helps"),
    named=_named,
    figure=later("kdmlog.games.kdm.figures:figure"),
    changes=views.changes,
    sheet_changes=views.sheet_changes,
    standing=standing,
    ahead=ahead,
    landmarks={"start": _begins_campaign, "showdown": _begins_showdown, "ly": _begins_year},
    closings={"showdown": _ends_showdown},
    card_name=card_name,
    card_sort=_rank,
    shorthand=later("kdmlog.games.kdm.shorthand:shorthand"),
    verbs=later("kdmlog.games.kdm.shorthand:verbs"),
    prompt=prompt,
    phase=when.where,
    step=step,
    check=later("kdmlog.games.kdm.check:check"),
    take_over=take_over,
    sheet=sheet,
    variants=VARIANTS,
    editions=edition.PACKS,
    marks=("far_",),
    sql=sql.VIEWS,
)
