"""A player who decides at random but legally: for plays of many whole prologues."""

from __future__ import annotations

import random

from kdmlog.core.dice import parse
from kdmlog.core.errors import Refused
from kdmlog.core.inputs import PASS, Inputs
from kdmlog.core.requests import Ask, Choose, Draw, Fill, Opportunity, Roll
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm.rules import attack, conditions, settlement, things, turns
from kdmlog.games.kdm.state import State

from .table import Game

NAMES = (("Allister", "m"), ("Erza", "f"), ("Lucy", "f"), ("Zachary", "m"))


def answer(request: Ask, state: State, rng: random.Random) -> Inputs:
    """Returns a legal answer to any request, as typed at a table."""
    match request:
        case Roll():
            dice = parse(request.dice)
            return Inputs(dice=[_face(rng, dice.kind) for _ in range(dice.faces)])
        case Draw():
            deck = state.decks[request.deck]["deck"]
            return Inputs(draws=list(deck[: request.count]))
        case Opportunity():
            return Inputs(choices=[PASS])
        case Choose():
            near = [o.id for o in request.options if not o.id.startswith("far_")]
            if request.purpose == "target" and len(near) > 1 and rng.random() < 0.95:
                near = [one for one in near if one != "none"]
            pool = near if len(near) >= request.least else [o.id for o in request.options]
            count = rng.randint(request.least, min(request.most, len(pool)))
            picked = rng.sample(pool, count)
            return Inputs(choices=[",".join(picked) or "none"])
        case Fill(purpose="population"):
            least = request.fields[0].least or 0
            return Inputs(fills=[{"population": str(least + rng.randint(2, 8))}])
        case Fill(purpose="retinue"):
            whom = rng.choice([*state.showdown.survivors]) if state.showdown is not None else ""
            return Inputs(fills=[{"to": rng.choice((f"{rng.randint(1, 20)} 1", whom))}])
        case Fill():
            needed = [one for one in request.fields if one.default is None]
            values = {
                one.name: str(one.least or 1) if one.kind == "int" else "new" for one in needed
            }
            return Inputs(fills=[values])
    raise AssertionError(request)


def _face(rng: random.Random, kind: str) -> str:
    return rng.choice("habbwl") if kind == "location" else str(rng.randint(1, 10))


def found(game: Game) -> None:
    """The four founders arrive."""
    for name, sex in NAMES:
        game.do(a.SurvivorNew(name=name, sex=sex))


def fight(game: Game, rng: random.Random, most: int = 400) -> None:
    """Plays a First Story to its end, attacking with whoever can."""

    def reply(request: Ask, state: State) -> Inputs:
        return answer(request, state, rng)

    game.do(a.ShowdownBegin(monster="white_lion", first_story=True), answer=reply)
    for _ in range(most):
        state = game.state
        assert state.showdown is not None
        if state.showdown.outcome:
            break
        if state.showdown.turn == "monster":
            game.do(a.MonsterTurn(), answer=reply)
            continue
        able = [
            id_ for id_ in turns.to_act(game.table) if state.survivors[id_].knocked_down is None
        ]
        if not able:
            game.do(a.EndTurn(), answer=reply)
            continue
        who = able[0]
        there = [one for one in attack.weapons(game.table, who) if _usable(game, who, one)]
        if not there:
            game.do(a.Act(survivor=who))
        elif "founding_stone" in there and rng.random() < 0.05:
            game.do(a.Activate(survivor=who, thing="founding_stone"), answer=reply)
        else:
            blind = rng.random() < 0.3 and not _barred(game, who, "attack_from_blind_spot")
            action = a.Attack(survivor=who, weapon=rng.choice(there), blind=blind)
            game.do(action, answer=reply)
        if not game.state.showdown.outcome and game.state.showdown.act is not None:
            game.do(a.EndAct(), answer=reply)
    assert game.state.showdown is not None
    assert game.state.showdown.outcome, "nobody won"
    game.do(a.Aftermath(), answer=reply)


def _usable(game: Game, who: str, weapon: str) -> bool:
    try:
        attack.refuse_weapon(game.table, who, weapon)
        attack.refuse_attack(game.table, who, weapon, blind=False)
    except Refused:
        return False
    return True


def _barred(game: Game, who: str, what: str) -> bool:
    return bool(conditions.barred(game.table, game.state.survivors[who], what))


def settle(game: Game, rng: random.Random) -> None:
    """Plays the first settlement phase to departing."""

    def reply(request: Ask, state: State) -> Inputs:
        return answer(request, state, rng)

    game.do(a.SettlementBegin(name="Edge"), answer=reply)
    game.do(a.SettlementEvent(), answer=reply)
    game.do(a.SettlementYear(), answer=reply)
    settled = game.state.settlement
    for _ in range(12):
        returning = [
            i
            for i in settled.returning
            if game.state.survivors[i].alive and not _barred(game, i, "endeavors")
        ]
        places = list(settlement.buildable(game.table))
        if settled.endeavors and places and rng.random() < 0.7:
            game.do(a.SettlementBuild(location=rng.choice(places)), answer=reply)
        elif settled.endeavors and returning and "organ_grinder" in settled.locations:
            who = rng.choice(returning)
            game.do(a.SettlementEndeavor(endeavor="augury", survivor=who), answer=reply)
        cards = [
            id_
            for id_, gear in settlement.craftable(game.table).items()
            if not things.missing(game.table, gear.cost)
        ]
        if cards:
            try:
                game.do(a.SettlementCraft(gear=[rng.choice(cards)]), answer=reply)
            except Exception as error:
                assert "Not paid" in str(error)
                game.rewind()
        if game.state.phase.name == "over":
            return
        settled = game.state.settlement
