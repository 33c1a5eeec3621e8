"""Short ways to put a game at the moment a rule speaks of, and to say what lies on the table.

Nothing is left to chance here: every die must be given (``ask_dice``), every question answered.
"""

from __future__ import annotations

from typing import Any

from kdmlog.core.dice import split
from kdmlog.core.events import Event
from kdmlog.core.inputs import Inputs
from kdmlog.core.procedures import Procedure
from kdmlog.core.runner import Runner
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm.content import Gear
from kdmlog.games.kdm.game import GAME
from kdmlog.games.kdm.rules import conditions, script, things
from kdmlog.games.kdm.script import decode
from kdmlog.games.kdm.state import Board, Phase, Showdown, Survivor

from .table import Game

FOUNDERS = (("Allister", "m"), ("Erza", "f"), ("Lucy", "f"), ("Zachary", "m"))
FISTS = "fist_and_tooth"


def given(dice: str = "", *choices: str, draw: str = "", **fill: str) -> Inputs:
    """Returns inputs: faces as typed (``1 4 w``), choices in order, cards, and one fill."""
    return Inputs(
        dice=split(dice),
        draws=draw.split(),
        choices=list(choices),
        fills=[fill] if fill else [],
    )


def founders(*players: str) -> Game:
    """Returns a game with the four founders, before the First Story."""
    game = Game(players=players, ask_dice=True)
    for name, sex in FOUNDERS:
        game.do(a.SurvivorNew(name=name, sex=sex))
    return game


def first_story(*players: str) -> Game:
    """Returns a game at the monster's first turn: Claw lies on top."""
    game = founders(*players)
    game.do(a.ShowdownBegin(monster="white_lion", first_story=True))
    return game


def survivors_turn(*players: str) -> Game:
    """Returns a First Story at the survivors' first turn, nobody hurt."""
    game = first_story(*players)
    fight(game).turn = "survivors"
    game.state.phase = Phase(name="showdown", step="survivors")
    return game


def victory() -> Game:
    """Returns a game after the aftermath of a won First Story, with nothing in storage."""
    game = survivors_turn()
    fight(game).outcome = "victory"
    game.state.phase = Phase(name="showdown", step="aftermath")
    game.do(a.Aftermath(), answer=_any_hand)
    game.state.settlement.storage.resources.clear()
    game.state.settlement.storage.unrecorded.clear()
    for one in game.state.survivors.values():
        one.insanity = 0
    return game


def _any_hand(request: Any, _state: Any) -> Inputs:
    """The first one takes what a resource gives when it is gained."""
    return Inputs(choices=[request.options[0].id])


def settled(population: str = "8") -> Game:
    """Returns a game in its first settlement phase, before step 5."""
    game = victory()
    game.do(a.SettlementBegin(name="Edge"))
    game.do(a.SettlementEvent(), given(population=population))
    return game


def developing(speaker: str = "allister") -> Game:
    """Returns a game at step 7; the speaker has said the first words."""
    game = settled()
    game.do(a.SettlementYear(), given("", speaker))
    return game


def fight(game: Game) -> Showdown:
    """Returns the showdown under way."""
    assert game.state.showdown is not None
    return game.state.showdown


def who(game: Game, id_: str = "allister") -> Survivor:
    """Returns a survivor's sheet."""
    return game.state.survivors[id_]


def on_top(game: Game, deck: str, *cards: str) -> None:
    """Puts cards of the face-down pile on top of it."""
    pile = game.state.decks[deck]["deck"]
    for card in reversed(cards):
        pile.remove(card)
        pile.insert(0, card)


def move_all(game: Game, deck: str, before: str, to: str) -> None:
    """Moves a whole pile."""
    zones = game.state.decks[deck].zones
    zones.setdefault(to, []).extend(zones.pop(before, []))
    zones.setdefault("deck", [])


def store(game: Game, **resources: int) -> None:
    """Puts resources into storage, as recorded in an earlier year."""
    game.state.settlement.storage.resources.update(resources)


def wear(game: Game, id_: str = "allister", **cells: str) -> None:
    """Puts gear into a grid in place of what lies there: ``wear(game, c1="lucky_charm")``."""
    grid = who(game, id_).grid
    for cell, card in cells.items():
        gear = things.instance(game.state, card)
        game.state.gear[gear] = card
        game.state.gear_made[card] = game.state.gear_made.get(card, 0) + 1
        grid[cell.removeprefix("c")] = gear


def lend(game: Game, id_: str, record: Gear) -> None:
    """Lets the packs know a gear card that they do not have."""
    game.library._decoded["gear", id_] = record


def run(game: Game, procedure: Procedure[Any], inputs: Inputs | None = None) -> list[Event]:
    """Plays one rule on the game; an open question fails the test. Returns the events."""
    runner = Runner(
        game.state,
        game.folds,
        inputs or Inputs(),
        began=1,
        card_name=lambda deck, card: GAME.card_name(game.table, deck, card),
    )
    request = runner.run(procedure)
    assert request is None, f"it asks {request}"
    game.log += runner.events
    return runner.events


def play(
    game: Game,
    steps: list[Any],
    inputs: Inputs | None = None,
    *,
    who: str = "",
    bound: dict[str, list[str]] | None = None,
) -> list[Event]:
    """Plays steps of the effect script for ``who``."""
    scene = conditions.Scene(table=game.table, record="test:steps", who=who, bound=bound or {})
    return run(game, script.play_record(scene, decode(steps)), inputs)


def of(events: list[Event], kind: type[Any]) -> list[Any]:
    """Returns the events of one kind."""
    return [one for one in events if isinstance(one, kind)]


def zones(game: Game, deck: str) -> dict[str, list[str]]:
    """Returns the piles of a deck that hold something, each sorted."""
    return {zone: sorted(cards) for zone, cards in game.state.decks[deck].zones.items() if cards}


def on_board(
    monster: tuple[int, int] = (11, 8), facing: str = "s", **survivors: tuple[int, int]
) -> Game:
    """Returns a First Story on the board, at the monster's first turn; others stand far away."""
    game = first_story("ann", "bo")
    afar = {"allister": (1, 1), "erza": (2, 1), "lucy": (1, 2), "zachary": (2, 2)}
    fight(game).board = Board(monster=monster, facing=facing, survivors=afar | survivors)
    game.state.diagrams["white_lion.blind_spot"] = "behind"
    return game


def board(game: Game) -> Board:
    """Returns the board of the showdown."""
    found = fight(game).board
    assert found is not None
    return found
