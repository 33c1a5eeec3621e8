"""Makes campaigns of any length, out of the prologue's own facts, for what only length shows.

Four founders fight a White Lion that neither wins nor loses: round after round of the same facts
with other figures, about 95 bytes of JSON each, three to a move. Every one of them folds, and
snapshots are kept as a session keeps them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from kdmlog.core import events as core
from kdmlog.core.events import Event
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.ledger import Ledger, NewMove
from kdmlog.session import NewOptions, Session, new_campaign
from kdmlog.session.codec import Codec, encode
from kdmlog.session.games import find_game
from kdmlog.session.states import States

FOUNDERS = (("Allister", "m"), ("Erza", "f"), ("Lucy", "f"), ("Zachary", "m"))
SURVIVORS = tuple(name.lower() for name, _ in FOUNDERS)
LOCATIONS = ("head", "arms", "body", "waist", "legs")
EVENTS_A_MOVE = 3
AT = "2026-01-01T20:00:00Z"

Facts = tuple[Event, Event, Event]


def prologue(path: Path) -> Session:
    """Begins a campaign by its real actions, up to the survivors' first turn; returns its session.

    The First Story's lion has no target, so its turn takes no dice and hurts nobody.
    """
    options = NewOptions(seed="bench", players=("ann", "bob"))
    session, _ = new_campaign(path, "Bench", options=options, by="ann", at=AT)
    for name, sex in FOUNDERS:
        session.perform(a.SurvivorNew(name=name, sex=sex), at=AT)
    session.perform(a.ShowdownBegin(monster="white_lion", first_story=True), at=AT)
    session.perform(a.MonsterTurn(), at=AT)
    while session.open is not None:
        request = session.open.request
        session.answer(["none"] if request.purpose == "target" else [], at=AT)
    return session


def facts(deck: list[str]) -> Iterator[Facts]:
    """Yields the facts of one move after the other, for ever; ``deck`` holds the hit locations."""
    turn, key, deck = 0, 100, list(deck)
    while True:
        who = SURVIVORS[turn % 4]
        seven, ten = turn % 7, turn % 10 + 1
        round_ = turn // 4 + 1
        location, card = LOCATIONS[turn % 5], deck.pop(0)
        deck.append(card)
        yield (
            e.TurnBegun(turn="survivors", round=round_, cause="kdm.monster_turn"),
            e.ActBegun(survivor=who),
            e.ActSpent(survivor=who, what="activation", now=0),
        )
        yield (
            e.AttackBegun(
                survivor=who,
                weapon="founding_stone",
                dice=2,
                needs=7,
                terms=("Founding Stone 7", "blind spot +1"),
                cause="kdm.attack",
            ),
            _roll("2d10", (ten, 11 - ten), "hit", (who,), key),
            e.HitsScored(by=who, hits=1, cause="kdm.attack"),
        )
        yield (
            core.CardsDrawn(
                deck="hit_locations",
                cards=(card,),
                to="drawn",
                purpose="hit_location",
                source="app",
            ),
            _roll("1d10", (ten,), "wound", (who, card), key + 2),
            core.CardsMoved(
                deck="hit_locations",
                cards=(card,),
                before="drawn",
                to="deck",
                bottom=True,
                cause="kdm.wound_attempt",
            ),
        )
        yield (
            e.MonsterWounded(survivor=who, now=seven, cause="kdm.wound"),
            e.StatChanged(survivor=who, stat="survival", by=1, now=seven, cause="kdm.critical"),
            e.ActEnded(survivor=who, cause="kdm.end_of_act"),
        )
        yield (
            e.TurnBegun(turn="monster", round=round_ + 1, cause="kdm.end_turn"),
            e.TargetPicked(survivor=who, cause="kdm.basic_action"),
            _roll("2d10", (11 - ten, ten), "monster_attack", (who,), key + 3),
        )
        yield (
            e.ArmorChanged(survivor=who, location=location, by=-1, now=seven, cause="kdm.damage"),
            e.StatChanged(survivor=who, stat="insanity", by=1, now=ten, cause="kdm.brain_damage"),
            e.TokensChanged(survivor=who, token="bleeding", by=1, now=seven, cause="kdm.damage"),
        )
        turn, key = turn + 1, key + 5


def moves(deck: list[str], number: int) -> Iterator[tuple[NewMove, Facts]]:
    """Yields moves from ``number`` on, as they are appended, each with its facts."""
    for made in facts(deck):
        yield move(made, number), made
        number += 1


def move(made: tuple[Event, ...], number: int) -> NewMove:
    """Returns facts as a move that some attack was played for."""
    return NewMove(
        kind="acted",
        begins=None,
        input=f'{{"action":"attack","survivor":"{SURVIVORS[number % 4]}"}}',
        bodies=[encode(fact) for fact in made],
        by="ann",
        at=AT,
        request_id=None,
        rules=1,
    )


def build(path: Path, events: int) -> Path:
    """Makes a campaign of at least ``events`` events at ``path``; returns the path."""
    with prologue(path) as session:
        deck = list(session.table.state.decks["hit_locations"]["deck"])
    with Ledger.open(path, synchronous="NORMAL") as ledger:
        campaign = ledger.campaigns()[0]
        game = find_game(campaign.game)
        states = States(ledger, game, Codec(game))
        head = ledger.head(campaign.id, "main")
        state = states.copy(states.at(head))
        folds = game.all_folds
        kept = sum(1 for _ in ledger.events(head))
        for one, made in moves(deck, head.number + 1):
            if kept >= events:
                break
            head = ledger.append(head, one)
            for fact in made:
                folds[type(fact)](state, fact)
            states.keep(head, state)
            kept += len(made)
        ledger.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path


def _roll(dice: str, faces: tuple[int, ...], why: str, about: tuple[str, ...], key: int) -> Event:
    return core.DiceRolled(dice=dice, faces=faces, purpose=why, source="app", about=about, key=key)


if __name__ == "__main__":  # python -m tests.benchmarks.synthetic FILE EVENTS
    print(build(Path(sys.argv[1]), int(sys.argv[2])))
