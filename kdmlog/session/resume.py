"""Runs actions: a new one, or one that is open again from its start with what was recorded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from kdmlog.core import events as e
from kdmlog.core.actions import New
from kdmlog.core.errors import Refused
from kdmlog.core.game import Action, Game, Table
from kdmlog.core.inputs import Inputs
from kdmlog.core.procedures import Procedure, Record
from kdmlog.core.requests import Ask
from kdmlog.core.runner import NOTHING_CARRIED, Carried, Recorded, Runner
from kdmlog.ledger import Head, Ledger
from kdmlog.session.codec import Codec
from kdmlog.session.log import answers


class Opened(Struct, frozen=True):
    """An open action: where it began, as it was given, and all that was recorded since."""

    place: Head
    """Just before its first move."""
    action: Action
    input: str
    recorded: list[Recorded]

    @property
    def replies(self) -> list[e.Event]:
        """Returns the answers that it was given."""
        return answers_among(one.event for one in self.recorded if one.ours)


def opened(ledger: Ledger, codec: Codec, head: Head, began: int) -> Opened:
    """Returns the action that move ``began`` opened. Raises Refused when it is no more."""
    first = ledger.move(head, began)
    action = codec.action(first.input)
    if not isinstance(action, Action):
        raise Refused(
            "This kdmlog has no such action any more.", hints=["kdmlog undo takes it back"]
        )
    recorded: list[Recorded] = []
    for move in ledger.moves(head, after=began - 1):
        ours = move.number == began or answers(move)
        for event in codec.events(move):
            recorded.append(Recorded(event, ours and not by_the_way(event)))
    return Opened(ledger.position(head, began - 1), action, first.input, recorded)


def opening(
    game: Game,
    table: Table,
    begun: e.CampaignBegun,
    packs: e.PacksChanged,
    sheet: Mapping[str, Any] | None = None,
) -> Procedure[None]:
    """Begins a campaign: names it, lays out its content, and sets the game up.

    With a ``sheet`` the game stands as it says there. Raises Refused if the game takes over none.
    """
    yield Record(begun)
    yield Record(packs)
    if sheet is None:
        yield from game.begin(table)
    elif game.take_over is None:
        raise Refused(f"{game.title} takes over no campaign from paper.")
    else:
        yield from game.take_over(table, sheet)


def procedure(game: Game, codec: Codec, table: Table, opened: Opened) -> Procedure[None]:
    """Returns the rule that plays an open action."""
    if isinstance(opened.action, New):
        begun, packs = (one.event for one in opened.recorded[:2])
        assert isinstance(begun, e.CampaignBegun) and isinstance(packs, e.PacksChanged)
        return opening(game, table, begun, packs, opened.action.sheet)
    return codec.plays[type(opened.action)].procedure(table, opened.action)


def answers_among(events: Iterable[e.Event]) -> list[e.Event]:
    """Returns the answers to requests; what a rule recorded itself bears its cause."""
    return [event for event in events if isinstance(event, e.ANSWERS) and not event.cause]


def carried_over(replies: Iterable[e.Event], source: str) -> list[e.Event]:
    """Returns the fact that lets these be carried over from ``source``, new dice coming after them.

    None is needed when no reply is of kdmlog's dice or cards.
    """
    ours = [one for one in replies if isinstance(one, e.CHANCE) and one.source != "table"]
    ends = [
        one.key + (len(one.faces) if isinstance(one, e.DiceRolled) else 1)
        for one in ours
        if not isinstance(one, e.CardsDrawn) and one.key is not None
    ]
    return [e.Replayed(keys=max(ends, default=0), source=source)] if ours else []


class Run(Struct):
    """An action that has been run as far as it goes: its table, new facts, and open question.

    ``left`` are the carried answers that nothing asked for.
    """

    table: Table
    events: list[e.Event]
    open: Ask | None
    left: Carried


def run(
    game: Game,
    codec: Codec,
    table: Table,
    play: Procedure[Any],
    inputs: Inputs,
    *,
    began: int,
    note: str = "",
    recorded: Iterable[Recorded] = (),
    first: Sequence[e.Event] = (),
    carried: Carried = NOTHING_CARRIED,
) -> Run:
    """Plays a procedure over ``table``, after the facts ``first``.

    A note and an open question are its last facts.
    """
    for event in first:
        codec.folds[type(event)](table.state, event)
    runner = Runner(
        table.state,
        codec.folds,
        inputs,
        began=began,
        card_name=lambda deck, card: game.card_name(table, deck, card),
        card_sort=lambda deck, card: game.card_sort(table, deck, card),
        recorded=recorded,
        carried=carried,
    )
    asked = runner.run(play)
    events = [*first, *runner.events]
    last: list[e.Event] = [e.Noted(text=note)] if note else []
    if asked is not None:
        last.append(e.Asked(request=asked, began=began))
    for event in last:
        codec.folds[type(event)](table.state, event)
    return Run(table, events + last, asked, runner.carried)


def by_the_way(event: e.Event) -> bool:
    """Returns whether a fact was put beside those of the rules, such as a note given along.

    A note that an action records bears its rule as cause.
    """
    return isinstance(event, e.Replayed) or (isinstance(event, e.Noted) and not event.cause)
