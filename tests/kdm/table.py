"""A game of Kingdom Death without a ledger: actions are played on a state in memory."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec

from kdmlog.core.events import Asked, CampaignBegun, Event
from kdmlog.core.game import Action, Table
from kdmlog.core.inputs import Inputs
from kdmlog.core.procedures import Procedure
from kdmlog.core.requests import Ask
from kdmlog.core.runner import Recorded, Runner
from kdmlog.games.kdm.content import KINDS
from kdmlog.games.kdm.game import GAME
from kdmlog.games.kdm.state import State
from kdmlog.packs.installed import builtin
from kdmlog.packs.library import Library
from kdmlog.packs.load import load_pack
from kdmlog.packs.pack import canonical


@cache
def pack(id_: str = "core") -> bytes:
    """Returns one of the game's packs as the ledger would keep it."""
    return canonical(load_pack(builtin("kdm")[id_], KINDS))


class Game:
    """One campaign in memory. ``do`` plays an action; ``answers`` decide what it asks."""

    def __init__(self, seed: str = "seed", players: tuple[str, ...] = (), **options: bool) -> None:
        self.state = State()
        self.library = Library([pack()], KINDS)
        self.folds = GAME.all_folds
        self.log: list[Event] = []
        self.before = State()
        self.recorded: list[Event] = []
        begun = CampaignBegun(name="test", seed=seed, players=players, **options)
        self.fold(begun)

    @property
    def table(self) -> Table:
        return Table(self.state, self.library)

    def fold(self, event: Event) -> None:
        self.folds[type(event)](self.state, event)
        self.log.append(event)

    def copy(self) -> State:
        return msgspec.json.decode(msgspec.json.encode(self.state), type=State)

    def do(
        self,
        action: Action,
        inputs: Inputs | None = None,
        answer: Callable[[Ask, State], Inputs] | None = None,
    ) -> list[Event]:
        """Plays an action to its end, asking ``answer`` for what the inputs do not cover.

        Returns the events. Without ``answer`` an open question fails the test.
        """
        play = GAME.plays[type(action)]
        refused = play.refuse(self.table)
        assert refused is None, f"{action}: {refused}"
        return self.play(lambda: play.procedure(self.table, action), inputs, answer)

    def play(
        self,
        procedure: Callable[[], Procedure[Any]],
        inputs: Inputs | None = None,
        answer: Callable[[Ask, State], Inputs] | None = None,
    ) -> list[Event]:
        """Plays a rule to its end, as ``do`` plays an action: anew after each answer."""
        before = self.before = self.copy()
        recorded = self.recorded = []
        given = inputs or Inputs()
        while True:
            self.state = msgspec.json.decode(msgspec.json.encode(before), type=State)
            runner = Runner(
                self.state,
                self.folds,
                given,
                began=1,
                card_name=lambda deck, card: GAME.card_name(self.table, deck, card),
                recorded=[Recorded(event) for event in recorded],
            )
            request = runner.run(procedure())
            recorded += runner.events
            if request is None:
                self.log += recorded
                return recorded
            asked = Asked(request=request, began=1)
            self.folds[Asked](self.state, asked)
            recorded.append(asked)
            assert answer is not None, f"it asks {request}"
            given = answer(request, self.state)

    def rewind(self) -> None:
        """Takes the game back to before the last action, as a refused command leaves it."""
        self.state = self.before
