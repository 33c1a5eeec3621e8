"""What a game shows of a moment: its table as lines, for replay."""

from __future__ import annotations

from msgspec import Struct


class Scene(Struct, frozen=True):
    """What lay on the table: where the game stood, sheets and decks, the board if there is one.

    ``beside`` is in short what ``sheets`` say, for the narrow column that a board leaves.
    """

    title: str
    sheets: list[str]
    board: list[str] = []
    beside: list[str] = []
