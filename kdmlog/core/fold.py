"""How core events change the state. A fold assigns, adds and removes; it knows no rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kdmlog.core import events as e
from kdmlog.core.state import DECK, FACE_DOWN, Deck, State

Fold = Callable[[Any, Any], None]


def campaign_begun(state: State, event: e.CampaignBegun) -> None:
    state.name = event.name
    state.seed = event.seed
    state.players = list(event.players)
    state.edition = event.edition
    state.variants = list(event.variants)
    state.table_dice = event.table_dice
    state.table_cards = event.table_cards
    state.ask_dice = event.ask_dice


def campaign_renamed(state: State, event: e.CampaignRenamed) -> None:
    state.name = event.name


def packs_changed(state: State, event: e.PacksChanged) -> None:
    state.packs = list(event.packs)


def reseeded(state: State, event: e.Reseeded) -> None:
    state.seed = event.seed


def replayed(state: State, event: e.Replayed) -> None:
    state.keys = max(state.keys, event.keys)


def dice_rolled(state: State, event: e.DiceRolled) -> None:
    if event.key is not None and event.source != "replayed":
        state.keys += len(event.faces)
    _answered(state, event)


def deck_made(state: State, event: e.DeckMade) -> None:
    state.decks[event.deck] = Deck({DECK: list(event.cards)})


def deck_shuffled(state: State, event: e.DeckShuffled) -> None:
    zones = state.decks[event.deck].zones
    for zone in event.took:
        zones.pop(zone, None)
    zones[DECK] = list(event.order)
    state.decks[event.deck].known = 0
    if event.source != "replayed":
        state.keys += 1
    _answered(state, event)


def cards_drawn(state: State, event: e.CardsDrawn) -> None:
    deck = state.decks[event.deck]
    deck.known = max(0, deck.known - len(event.cards))
    _move(state, event.deck, DECK, event.to, event.cards, bottom=True)
    _answered(state, event)


def cards_moved(state: State, event: e.CardsMoved) -> None:
    deck = state.decks[event.deck]
    if event.before == DECK:
        deck.known = max(0, deck.known - len(event.cards))
    elif event.before not in FACE_DOWN and event.to == DECK and not event.bottom:
        deck.known += len(event.cards)
    _move(state, event.deck, event.before, event.to, event.cards, bottom=event.bottom)


def cards_swapped(state: State, event: e.CardsSwapped) -> None:
    zones = state.decks[event.deck].zones
    elsewhere, deck = zones[event.zone], zones[DECK]
    elsewhere[elsewhere.index(event.named)] = event.ours
    deck[deck.index(event.ours)] = event.named


def asked(state: State, event: e.Asked) -> None:
    state.open = event


def answered(state: State, event: e.Chosen | e.Filled) -> None:
    _answered(state, event)


def nothing(state: State, event: e.Noted | e.Ruled | e.Asserted) -> None:
    """These are for reading; a ruling's effect is an event of the game's own."""


def use_spent(state: State, event: e.UseSpent) -> None:
    state.uses.setdefault(event.scope, {}).setdefault(event.who, []).append(event.what)


def scope_ended(state: State, event: e.ScopeEnded) -> None:
    state.uses.pop(event.scope, None)


def deferred(state: State, event: e.Deferred) -> None:
    state.deferred[event.id] = event


def deferral_ended(state: State, event: e.DeferralEnded) -> None:
    state.deferred.pop(event.id, None)


CORE_FOLDS: Mapping[type[e.Event], Fold] = {
    e.CampaignBegun: campaign_begun,
    e.CampaignRenamed: campaign_renamed,
    e.PacksChanged: packs_changed,
    e.Reseeded: reseeded,
    e.Replayed: replayed,
    e.DiceRolled: dice_rolled,
    e.DeckMade: deck_made,
    e.DeckShuffled: deck_shuffled,
    e.CardsDrawn: cards_drawn,
    e.CardsMoved: cards_moved,
    e.CardsSwapped: cards_swapped,
    e.Asked: asked,
    e.Chosen: answered,
    e.Filled: answered,
    e.Noted: nothing,
    e.Ruled: nothing,
    e.Asserted: nothing,
    e.UseSpent: use_spent,
    e.ScopeEnded: scope_ended,
    e.Deferred: deferred,
    e.DeferralEnded: deferral_ended,
}


def _answered(
    state: State, event: e.DiceRolled | e.DeckShuffled | e.CardsDrawn | e.Chosen | e.Filled
) -> None:
    """The open question is answered by the event of its purpose; a free roll leaves it open."""
    if state.open is not None and event.purpose == state.open.request.purpose:
        state.open = None


def _move(
    state: State, deck: str, before: str, to: str, cards: tuple[str, ...], *, bottom: bool
) -> None:
    zones = state.decks[deck].zones
    source = zones[before] if before != "out" else list(cards)
    for card in cards:
        source.remove(card)
    if to == "out":
        return
    target = zones.setdefault(to, [])
    if bottom:
        target.extend(cards)
    else:
        target[:0] = cards
