"""Finds a campaign's game: the built-in ones, those registered, and installed packages' own."""

from __future__ import annotations

from importlib import import_module

from kdmlog.core.errors import UnknownName
from kdmlog.core.game import Game
from kdmlog.core.names import nearest

BUILT_IN = {"kdm": "kdmlog.games.kdm.game:GAME"}
GROUP = "kdmlog.games"
"""The entry points under which a package offers a game; read only when one is asked for."""

_registered: dict[str, Game] = {}


def register(game: Game) -> None:
    """Makes a game known to this process under its id."""
    _registered[game.id] = game


def find_game(id: str) -> Game:
    """Returns the game of that id. Raises UnknownName with the nearest ones."""
    if id in _registered:
        return _registered[id]
    if id in BUILT_IN:
        module, name = BUILT_IN[id].split(":")
        game: Game = getattr(import_module(module), name)
        return game
    from importlib.metadata import entry_points  # only for a game from outside

    offered = {point.name: point for point in entry_points(group=GROUP)}
    if id in offered:
        found: Game = offered[id].load()
        return found
    known = [*BUILT_IN, *_registered, *offered]
    raise UnknownName(
        f"There is no game {id!r}.", hints=[f"{', '.join(nearest(id, known) or known)}?"]
    )
