"""What AI cards lie in play, and what holds while they do. It asks nobody anything."""

from __future__ import annotations

from kdmlog.core.game import Table
from kdmlog.games.kdm.content import AiCard, Modifies
from kdmlog.games.kdm.state import State, Survivor

ZONES = ("in_play", "face_up")
"""Where AI cards lie in play: moods and traits; a duration, face up on top of the deck."""
CARD = "ai_card:"
FROM_BLIND_SPOT = "from_blind_spot"


def cards(table: Table) -> list[tuple[str, AiCard]]:
    """Returns the AI cards in play, in the order in which they came."""
    state: State = table.state
    deck = state.decks.get("ai")
    found: list[tuple[str, AiCard]] = []
    if deck is not None and state.showdown is not None:
        for zone in ZONES:
            for id_ in deck[zone]:
                found.append((id_, table.content.get(AiCard, id_)))
    return found


def held(table: Table, survivor: Survivor) -> list[tuple[str, AiCard]]:
    """Returns the status cards of a survivor."""
    return [(id_, table.content.get(AiCard, id_)) for id_ in survivor.status_cards]


def ruled(table: Table, rule: str) -> str:
    """Returns the card in play by which a special rule holds (see ``AI_RULES``), or nothing."""
    return next((id_ for id_, card in cards(table) if rule in card.rules), "")


def off_board(table: Table, survivor: Survivor) -> str:
    """Returns the name of the status card that keeps a survivor off the board, or nothing.

    They have an act, but spend no movement or activation in it and take no survival actions, nor
    does anything on the board affect them (rulebook, Glossary, Remove from the Showdown Board).
    """
    for _, card in held(table, survivor):
        if "off_board" in card.rules:
            return card.name
    return ""


def weighing(table: Table, survivor: Survivor) -> list[tuple[str, str, list[Modifies]]]:
    """Returns what the monster's cards change in a survivor's figures."""
    return [
        (f"{CARD}{id_}", card.name, card.modifiers)
        for id_, card in cards(table) + held(table, survivor)
        if card.modifiers
    ]


def modifier(table: Table, figure: str, *, behind: bool = False) -> int:
    """Returns what the cards in play change in a figure of the monster's own.

    ``behind``: what they change besides where an attack is from its blind spot.
    """
    return sum(
        one.by
        for _, card in cards(table)
        for one in card.modifiers
        if one.to == figure and one.if_ == (FROM_BLIND_SPOT if behind else None)
    )


def activations(table: Table, id_: str) -> dict[str, str]:
    """Returns the status cards that a survivor may spend activation on: id to shown name."""
    survivor: Survivor = table.state.survivors[id_]
    return {card: record.name for card, record in held(table, survivor) if record.activate}
