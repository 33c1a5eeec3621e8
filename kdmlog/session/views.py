"""Lets any SQL tool ask a ledger in the words of the games that are played in it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from kdmlog import __version__
from kdmlog.core.errors import UnknownName
from kdmlog.ledger import Ledger
from kdmlog.session.games import find_game


def keep_views(ledger: Ledger) -> None:
    """Makes the views of the ledger's games, unless they are this program's already."""
    games = sorted({campaign.game for campaign in ledger.campaigns()})
    ledger.keep_views(f"{__version__} {' '.join(games)}", lambda: _views(games))


def _views(games: list[str]) -> Mapping[str, str]:
    selects: dict[str, list[str]] = {}
    for id in games:
        with suppress(UnknownName):  # a game that is not installed here
            for name, select in find_game(id).sql.items():
                selects.setdefault(name, []).append(select)
    return {name: "\nUNION ALL\n".join(parts) for name, parts in selects.items()}
