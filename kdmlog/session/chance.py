"""Holds the rolls, shuffles and draws of one path against the dice and cards that had to come."""

from __future__ import annotations

from kdmlog.core import events as e
from kdmlog.core.dice import due_order, due_roll, parse
from kdmlog.core.errors import BadInput
from kdmlog.core.state import DECK, State


class Chance:
    """Looks at each event of a path in order, before it is folded."""

    def __init__(self) -> None:
        self._swapped: set[tuple[str, str]] = set()
        self._replayed: set[int] = set()

    def wrong(self, state: State, event: e.Event) -> str:
        """Returns why chance did not have to bring this event; empty when all is well."""
        swapped, self._swapped = self._swapped, set()
        match event:
            case e.DiceRolled():
                why = self._roll(state, event)
                return f"{event.purpose} {event.dice}: {why}" if why else ""
            case e.DeckShuffled():
                why = _shuffle(state, event)
                return f"{event.deck} shuffled: {why}" if why else ""
            case e.CardsSwapped():
                self._swapped = swapped | {(event.deck, event.named)}
                return ""
            case e.CardsDrawn():
                drawn = {(event.deck, card) for card in event.cards}
                if swapped - drawn or (swapped and event.source == "app"):
                    return f"{event.deck}: cards changed places for no draw at the table"
                why = _draw(state, event)
                return f"{event.deck} drawn: {why}" if why else ""
        return "cards changed places for no draw at the table" if swapped else ""

    def _roll(self, state: State, roll: e.DiceRolled) -> str:
        try:
            dice = parse(roll.dice)
        except BadInput:
            return "no such dice"
        if len(roll.faces) != dice.faces or not all(1 <= one <= dice.sides for one in roll.faces):
            return "faces that these dice do not have"
        if roll.source == "table":
            return "" if roll.key is None else "dice of the table take none of kdmlog's"
        if roll.source == "replayed":
            return self._again(state, roll, dice.faces) if roll.key is not None else ""
        if roll.key is None:
            return "a roll of kdmlog's that does not say which of its dice it was"
        if roll.key != state.keys:
            return f"die {roll.key} of kdmlog's sequence, where die {state.keys} had to come"
        if list(roll.faces) != due_roll(state.seed, roll.key, dice):
            return "not the faces that had to come"
        return ""

    def _again(self, state: State, roll: e.DiceRolled, count: int) -> str:
        """A roll is carried over with its dice; new ones of this path come after those."""
        assert roll.key is not None
        taken = set(range(roll.key, roll.key + count))
        twice, self._replayed = taken & self._replayed, self._replayed | taken
        if roll.key + count > state.keys:
            return f"die {roll.key} of kdmlog's sequence was carried over before it could be rolled"
        if twice:
            return f"die {min(twice)} of kdmlog's sequence was carried over twice"
        if list(roll.faces) != due_roll(state.seed, roll.key, parse(roll.dice)):
            return "not the faces that this die had"
        return ""


def _shuffle(state: State, shuffle: e.DeckShuffled) -> str:
    deck = state.decks[shuffle.deck]
    cards = [card for zone in (DECK, *shuffle.took) for card in deck[zone]]
    if shuffle.key != state.keys:
        return f"die {shuffle.key} of kdmlog's sequence, where die {state.keys} had to come"
    if list(shuffle.order) != due_order(state.seed, shuffle.key, cards):
        return "not the order that had to come"
    return ""


def _draw(state: State, draw: e.CardsDrawn) -> str:
    """At the table any card may come; kdmlog draws from the top, and what is known is no chance."""
    top = state.decks[draw.deck][DECK][: len(draw.cards)]
    match draw.source:
        case "app":
            return "" if top == list(draw.cards) else "not the cards that lay on top"
        case "known":
            return "" if sorted(top) == sorted(draw.cards) else "not the cards known to lie on top"
    return ""
