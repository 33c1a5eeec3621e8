"""Holds the rolls, shuffles and draws of one path against the dice and cards that had to come."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from kdmlog.core import events as e
from kdmlog.core.dice import due_order, due_roll, parse
from kdmlog.core.errors import BadInput
from kdmlog.core.state import DECK, State


class Chance:
    """Looks at each event of a path in order, before it is folded."""

    def __init__(self) -> None:
        self._seeds: set[str] = set()
        self.foreign = False
        """Whether the last event looked at was carried over from another seed than the one here."""
        self._carried = False
        self._swapped: set[tuple[str, str]] = set()
        self._used: set[tuple[str, int]] = set()

    def carry(self, seeds: Iterable[str]) -> None:
        """Lets dice and cards be carried over from here on, from a way with these seeds."""
        self._carried = True
        self._seeds.update(seeds)

    def wrong(self, state: State, event: e.Event) -> str:
        """Returns why chance did not have to bring this event; empty when all is well."""
        swapped, self._swapped = self._swapped, set()
        self.foreign = False
        match event:
            case e.CampaignBegun() | e.Reseeded():
                self._seeds.add(event.seed)
            case e.Replayed():
                self._carried = True
            case e.DiceRolled():
                why = self._roll(state, event)
                return f"{event.purpose} {event.dice}: {why}" if why else ""
            case e.DeckShuffled():
                why = self._shuffle(state, event)
                return f"{event.deck} shuffled: {why}" if why else ""
            case e.CardsSwapped():
                self._swapped = swapped | {(event.deck, event.named)}
                return ""
            case e.CardsDrawn():
                drawn = {(event.deck, card) for card in event.cards}
                why = _NO_TABLE if swapped - drawn else self._draw(state, event, bool(swapped))
                return f"{event.deck} drawn: {why}" if why else ""
        return _NO_TABLE if swapped else ""

    def _roll(self, state: State, roll: e.DiceRolled) -> str:
        try:
            dice = parse(roll.dice)
        except BadInput:
            return "no such dice"
        if len(roll.faces) != dice.faces or not all(1 <= one <= dice.sides for one in roll.faces):
            return "faces that these dice do not have"
        if roll.source == "table":
            return "" if roll.key is None else "dice of the table take none of kdmlog's"
        if roll.key is None:
            return "a roll of kdmlog's that does not say which of its dice it was"
        key, faces = roll.key, list(roll.faces)

        def due(seed: str) -> bool:
            return due_roll(seed, key, dice) == faces

        return self._key(state, key, dice.faces, roll.source, due)

    def _shuffle(self, state: State, shuffle: e.DeckShuffled) -> str:
        deck = state.decks[shuffle.deck]
        cards = [card for zone in (DECK, *shuffle.took) for card in deck[zone]]
        key, order = shuffle.key, list(shuffle.order)

        def due(seed: str) -> bool:
            return due_order(seed, key, cards) == order

        return self._key(state, key, 1, shuffle.source, due)

    def _key(
        self, state: State, key: int, count: int, source: str, due: Callable[[str], bool]
    ) -> str:
        """New dice come one after the other; those carried over lie before them, and come once."""
        if source == "app":
            if key != state.keys:
                return f"die {key} of kdmlog's sequence, where die {state.keys} had to come"
            self._used |= {(state.seed, key + n) for n in range(count)}
            return "" if due(state.seed) else "not as it had to come"
        if source != "replayed" or not self._carried or key + count > state.keys:
            return f"die {key} of kdmlog's sequence, which nothing carried over"
        seeds = [state.seed, *sorted(self._seeds - {state.seed})]
        fitting = [seed for seed in seeds if due(seed)]
        if not fitting:
            return "not as it had come"
        for seed in fitting:
            taken = {(seed, key + n) for n in range(count)}
            if not taken & self._used:
                self._used |= taken
                self.foreign = seed != state.seed
                return ""
        return f"die {key} of kdmlog's sequence came twice"

    def _draw(self, state: State, draw: e.CardsDrawn, swapped: bool) -> str:
        """At the table any card may come; kdmlog draws from the top, and what is known is sure."""
        top, cards = state.decks[draw.deck][DECK][: len(draw.cards)], list(draw.cards)
        match draw.source:
            case "table":
                return ""
            case "replayed":
                return "" if self._carried else "cards that nothing carried over"
            case "known" if sorted(top) == sorted(cards):
                return ""
            case "app" if top == cards and not swapped:
                return ""
        return "not the cards that lay on top"


_NO_TABLE = "cards changed places for no draw at the table"
