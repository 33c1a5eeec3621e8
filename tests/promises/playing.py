"""Whole prologues on a ledger, decided at random, with kdmlog's dice or the table's."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from kdm import wanderer

from kdmlog.core.game import Action, Table
from kdmlog.core.inputs import Inputs
from kdmlog.core.requests import Ask, Draw, Roll
from kdmlog.games.kdm.state import State
from kdmlog.session import NewOptions, Session, new_campaign

AT = "2026-01-01T20:00:00Z"


class Played:
    """A game as the wanderer plays it, on a session; ``seen`` is told after each move."""

    def __init__(self, session: Session, seen: Callable[[Session], None], app: bool) -> None:
        self.session = session
        self.seen = seen
        self.app = app

    @property
    def table(self) -> Table:
        return self.session.table

    @property
    def state(self) -> State:
        return self.session.table.state  # type: ignore[no-any-return]

    def do(self, action: Action, answer: Callable[[Ask, State], Inputs] | None = None) -> None:
        """Plays an action to its end; with kdmlog's dice nothing is typed for rolls and draws."""
        self.session.perform(action, at=AT)
        self.seen(self.session)
        while self.session.open is not None:
            request = self.session.open.request
            assert answer is not None
            chance = self.app and isinstance(request, (Roll, Draw))
            self.session.answer([], Inputs() if chance else answer(request, self.state), at=AT)
            self.seen(self.session)

    def rewind(self) -> None:
        """Takes back what a refused action had begun."""
        while self.session.open is not None:
            self.session.undo()


def prologue(
    db: Path, seed: int, seen: Callable[[Session], None] = lambda _session: None
) -> Session:
    """Plays one from the founding to the first departure, or to the end of all survivors."""
    chance = random.Random(seed)
    app = chance.random() < 0.5
    options = NewOptions(seed=str(seed), players=("Ann", "Bo"), edition="1.3", ask_dice=app)
    if not app:
        options = NewOptions(seed=str(seed), table_dice=True, table_cards=True)
    session, _ = new_campaign(db, "Prologue", options=options, by="ann", at=AT)
    session.ledger.connection.execute("PRAGMA synchronous = OFF")
    seen(session)
    game = Played(session, seen, app)
    wanderer.found(game)  # type: ignore[arg-type]
    wanderer.fight(game, chance)  # type: ignore[arg-type]
    if game.state.phase.name == "settlement":
        wanderer.settle(game, chance)  # type: ignore[arg-type]
    return session
