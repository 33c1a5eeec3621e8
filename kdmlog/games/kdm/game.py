"""Kingdom Death: Monster, as one value for the rest of the program."""

from __future__ import annotations

from kdmlog.core import state as core
from kdmlog.core.events import CampaignBegun, Event
from kdmlog.core.game import Game, Leaf, Table
from kdmlog.core.procedures import Procedure
from kdmlog.games.kdm import content, fold, plays, views
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.actions import Depart
from kdmlog.games.kdm.check import check
from kdmlog.games.kdm.leaves import leaf
from kdmlog.games.kdm.rules import people, turns
from kdmlog.games.kdm.sentences import headline, sentence
from kdmlog.games.kdm.state import State

RULES = 1
"""Raised whenever the same inputs would give other facts."""


def begin(_table: Table) -> Procedure[None]:
    """Nothing but the campaign itself is there at the start."""
    yield from ()


def card_name(table: Table, deck: str, card: str) -> str:
    """Returns the shown name of a card of a deck."""
    kinds = {"ai": content.AiCard, "hit_locations": content.HitLocation}
    kinds |= {"disorders": content.Disorder, "fighting_arts": content.FightingArt}
    kinds |= {"innovations": content.Innovation}
    kind = kinds.get(deck, content.Resource)
    if deck == "names":
        return str(table.state.survivors[card].name)
    record = table.content.find(kind, card)
    return record.name if record is not None else card


def step(table: Table) -> str:
    """Returns the obvious next line as typed."""
    state: State = table.state
    fight = state.showdown
    if fight is not None:
        if fight.outcome:
            return "aftermath"
        return "monster turn" if fight.turn == "monster" else _survivors_step(table)
    if state.phase.name == "prologue" and len(state.survivors) < people.FOUNDERS:
        return "survivor new NAME m|f"
    if state.phase.name == "settlement" and state.phase.step == "ended":
        return next(iter(plays.PLAYS[Depart].ready(table)), "")
    return {
        ("prologue", "survivors"): "showdown begin white_lion --first-story",
        ("settlement", "set_up"): "settlement begin NAME",
        ("settlement", "event"): "settlement event",
        ("settlement", "year"): "settlement year",
        ("settlement", "develop"): "settlement end",
    }.get((state.phase.name, state.phase.step), "")


def _survivors_step(table: Table) -> str:
    """The one acting attacks or ends; else the next one who stands acts; else the turn ends."""
    fight = table.state.showdown
    if fight.act is not None:
        return f"attack {fight.act.survivor}" if fight.act.activation else "end-act"
    able = [id_ for id_ in turns.to_act(table) if table.state.survivors[id_].knocked_down is None]
    return f"attack {able[0]}" if able else "end-turn"


def _leaf(state: core.State, path: tuple[str, ...]) -> Leaf | str:
    assert isinstance(state, State)
    return leaf(state, path, None)


def _begins_campaign(event: Event) -> bool:
    return isinstance(event, CampaignBegun)


def _begins_showdown(event: Event) -> bool:
    return isinstance(event, e.ShowdownBegun)


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
    headline=headline,
    landmarks={"start": _begins_campaign, "showdown": _begins_showdown, "ly": _begins_year},
    card_name=card_name,
    phase=plays.where,
    step=step,
    check=check,
)
