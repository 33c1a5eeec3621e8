"""The log in one line an action: ``Allister attacks: 6 3 → 1 hit, Strange Hand, 10: wound 1``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from kdmlog.core import events as core
from kdmlog.core.actions import Amend, Rebase
from kdmlog.core.errors import UnknownName
from kdmlog.core.events import Event
from kdmlog.core.game import Action, Table, called
from kdmlog.core.names import match
from kdmlog.core.text import LONGEST_NAME, shown, words
from kdmlog.games.kdm import content as c
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.actions import MonsterTurn, SettlementEndeavor
from kdmlog.games.kdm.sentences import (
    card_name,
    cards_moved,
    faces_of,
    hits_of,
    name_of,
    outcome_of,
    sentence,
    who_is,
)

MOST_CLAUSES = 6
"""Of a headline; what more there is to say stands in the action's own lines."""
_TOLD = (
    e.StatChanged,
    e.TokensChanged,
    e.ArmorChanged,
    e.InjuryFilled,
    e.SevereInjurySuffered,
    e.KnockedDown,
    e.GearArchived,
    e.ResourceGained,
    e.MonsterKnockedDown,
    e.MonsterTokens,
)
"""The facts of an attack or a monster's turn that its headline tells."""


_HEADS = (
    core.Ruled,
    e.SurvivorCreated,
    e.SurvivorNamed,
    e.PlayerNamed,
    e.SurvivorJoined,
    e.GearGained,
    e.ShowdownBegun,
    e.ControllerNamed,
    e.TurnBegun,
    e.ActSpent,
    e.PrologueRestarted,
    e.SettlementNamed,
    e.SurvivorsReturned,
    e.ListGrew,
    e.StoryTriggered,
    e.SurvivorsDeparted,
)
"""What any other action is about; only without one of these its first sentences stand for it."""
MOST_HEADS = 3
_PAYING = ("kdm.craft", "kdm.build", "kdm.innovate", "kdm.endeavor")
"""The rules by which resources and endeavors are spent on something."""


def headline(action: Action, events: Sequence[Event], table: Table) -> str:
    """Returns one sentence for a whole action, its answers included, from its events."""
    # In the midst of a monster's turn somebody may attack, too.
    fights = (
        (_monster_turn, _attack) if isinstance(action, MonsterTurn) else (_attack, _monster_turn)
    )
    told = (
        _corrected(action)
        or next((text for tell in fights if (text := tell(events, table))), "")
        or _take_over(events, table)
    )
    if told:
        return told
    return f"{_endeavoring(action, table)}{_about(action, events, table)}{_cost(events, table)}"


def _about(action: Action, events: Sequence[Event], table: Table) -> str:
    """Returns what any other action is about, else its first sentences; not what was paid."""
    heads = [
        text for event in events if isinstance(event, _HEADS) and (text := sentence(event, table))
    ]
    if heads:
        told = heads[:MOST_HEADS]
        return "; ".join(told + [text for text in _deaths(events, table) if text not in told])
    rest = (event for event in events if not _is_cost(event))
    said = [text for event in rest if (text := sentence(event, table))]
    told = said[:2]
    told += [text for text in _deaths(events, table) if text not in told]
    return "; ".join(told) or called(action)


def _deaths(events: Sequence[Event], table: Table) -> list[str]:
    return [sentence(event, table) for event in events if isinstance(event, e.SurvivorDied)]


def _endeavoring(action: Action, table: Table) -> str:
    """Returns who endeavors, and at what: ``Zachary, augury: ``."""
    if not isinstance(action, SettlementEndeavor):
        return ""
    names = {id_: one.name or id_ for id_, one in table.state.survivors.items()}
    who = ""
    if action.survivor:
        try:
            who = who_is(table, match(action.survivor, names, "survivor"))
        except UnknownName:  # they have another name by now
            who = shown(action.survivor, LONGEST_NAME)
    return f"{who}, {words(action.endeavor)}: " if who else f"{words(action.endeavor)}: "


def _cost(events: Sequence[Event], table: Table) -> str:
    """Returns what was paid for it: ``, for White Fur, 1 endeavor``."""
    paid = [event for event in events if _is_cost(event)]
    resources = Counter(
        name_of(table, c.Resource, event.resource)
        for event in paid
        if isinstance(event, e.ResourceLost)
    )
    spent = -sum(event.by for event in paid if isinstance(event, e.FigureChanged))
    told = [f"{count} {name}" if count > 1 else name for name, count in resources.items()]
    told += [f"{spent} endeavor{'s' * (spent > 1)}"] if spent else []
    return f", for {', '.join(told)}" if told else ""


def _is_cost(event: Event) -> bool:
    if isinstance(event, e.FigureChanged) and event.figure != "endeavors":
        return False
    return isinstance(event, e.ResourceLost | e.FigureChanged) and event.cause in _PAYING


def _corrected(action: Action) -> str:
    """Returns what was done otherwise in the past."""
    match action:
        case Amend(line=""):
            return f"amended: move {action.move} left out"
        case Amend(after=True):
            return f"amended after move {action.move}: {shown(action.line)}"
        case Amend():
            return f"amended move {action.move}: {shown(action.line)}"
        case Rebase():
            return f"played again: what came after move {action.after}"
    return ""


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
                rolled = faces_of(event)
            case e.HitsScored() if event.by == attack.survivor:
                clauses.append(f"{rolled} → {hits_of(event)}" if rolled else hits_of(event))
                rolled = ""
            case e.WoundAttempted():
                location = name_of(table, c.HitLocation, event.location)
                clauses.append(f"{location}, {rolled}" if rolled else location)
                clauses[-1] += f": {outcome_of(event)}"
                rolled = ""
            case core.CardsDrawn(deck="hit_locations"):
                clauses += [
                    name_of(table, c.HitLocation, one) for one in _traps(table, event.cards)
                ]
            case core.CardsMoved(to="persistent"):
                clauses.append(cards_moved(event, table))
            case e.MonsterWounded() if clauses and clauses[-1].endswith("wound"):
                clauses[-1] += f" {event.now}"
            case e.HitsScored() | e.DodgeSpent() | e.MonsterWounded() | e.AttackEnded():
                clauses.append(sentence(event, table))
            case e.SurvivorDied() | e.ShowdownDecided():
                clauses.append(_Weighty(_of(attack.survivor, event, table)))
            case _ if isinstance(event, _TOLD):
                clauses.append(_of(attack.survivor, event, table))
    return _clauses(f"{who_is(table, attack.survivor)} attacks", clauses)


def _traps(table: Table, cards: Iterable[str]) -> list[str]:
    locations = {card: table.content.find(c.HitLocation, card) for card in cards}
    return [card for card, one in locations.items() if one is not None and one.type == "trap"]


def _monster_turn(events: Sequence[Event], table: Table) -> str:
    """Returns a monster's turn as ``Claw on Zachary: 1 hit, waist armor 1 → 0``, card by card.

    The basic action counts as a card; the target that a card has again after it is not told.
    """
    lines: list[str] = []
    card = target = ""
    basic = False
    clauses: list[str] = []
    for event in events:
        match event:
            case core.CardsDrawn(deck="ai") | e.RecordBegun() if shown := _played(event, table):
                if card:
                    lines.append(_clauses(_on(card, target, table), clauses))
                card, basic = shown, isinstance(event, e.RecordBegun)
                target, clauses = "", []
            case e.TargetPicked() if not (basic and target):
                target = event.survivor
                clauses += [] if target else ["no target"]
            case e.AttackBegun():
                clauses.append(f"{who_is(table, event.survivor)} attacks")
            case e.HitsScored():
                clauses.append(hits_of(event))
            case e.DodgeSpent():
                clauses.append(_of(target, event, table))
            case e.SurvivorDied() | e.ShowdownDecided():
                clauses.append(_Weighty(_of(target, event, table)))
            case _ if isinstance(event, _TOLD):
                clauses.append(_of(target, event, table))
    if not card:
        return ""
    return "; ".join([*lines, _clauses(_on(card, target, table), clauses)])


def _played(event: core.CardsDrawn | e.RecordBegun, table: Table) -> str:
    """Returns the AI cards drawn to be played, or the basic action that is performed."""
    if isinstance(event, e.RecordBegun):
        return sentence(event, table) if event.record.startswith("ai_card:") else ""
    if event.to != "playing":  # only looked at
        return ""
    return ", ".join(card_name(table, "ai", one) for one in event.cards)


def _on(card: str, target: str, table: Table) -> str:
    return f"{card} on {who_is(table, target)}" if target else card


def _of(who: str, event: Event, table: Table) -> str:
    """Returns an event's sentence, without the name of the one whom the headline is about."""
    text = sentence(event, table)
    name = who_is(table, who) if who else ""
    if name and getattr(event, "survivor", "") == who and text.startswith(name):
        return text[len(name) :].lstrip(": ")
    return text


class _Weighty(str):
    """A clause that no headline leaves out."""


def _clauses(start: str, clauses: Sequence[str]) -> str:
    told = [clause for clause in clauses if clause]
    if len(told) > MOST_CLAUSES:
        weighty = [clause for clause in told[MOST_CLAUSES - 1 : -1] if isinstance(clause, _Weighty)]
        told = [*told[: MOST_CLAUSES - 1], "…", *weighty, told[-1]]  # the end is how it came out
    return f"{start}: {', '.join(told)}" if told else start
