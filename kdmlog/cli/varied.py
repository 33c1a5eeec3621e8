"""What is not as usual in a campaign: its edition and its variants."""

from __future__ import annotations

from kdmlog.core.game import Game
from kdmlog.core.state import State
from kdmlog.core.text import words


def varied(game: Game, state: State) -> list[str]:
    """Returns a line for another edition than the usual one, and for each variant."""
    usual = state.edition in ("", game.usual_edition)
    lines = [] if usual else [f"edition {state.edition}"]
    return lines + [f"{words(one)}: {game.variants.get(one, one)}" for one in state.variants]
