"""The showdown's frame: rounds, the controller, acts and the turns' ends."""

from __future__ import annotations

from kdmlog.core.errors import NotNow, Refused
from kdmlog.core.events import ScopeEnded
from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.rules import (
    ai,
    blocking,
    conditions,
    edition,
    figures,
    in_play,
    laid,
    monster,
    script,
    traits,
    variants,
)
from kdmlog.games.kdm.state import State

# --- the controller -------------------------------------------------------------------------------


@rule("kdm.monster_controller")
def name_controller(table: Table, player: str, survivor: str = "") -> Procedure[None]:
    """Gives a player the tile, with one of their survivors: another each time, in turn.

    Solo play has no tile (rulebook, Monster Controller Bonus; Solo Play).
    """
    state: State = table.state
    fight = monster.showdown(table)
    own = [id_ for id_ in conditions.taking_part(state) if state.survivors[id_].player == player]
    named = [id_ for id_ in fight.controller.named if id_ in fight.survivors]
    fresh = [id_ for id_ in own if id_ not in named]
    if own and not fresh:
        named = [id_ for id_ in named if id_ not in own]
        fresh = own
    chosen = survivor or (fresh[0] if fresh else "")
    if chosen and chosen not in named:
        named = [*named, chosen]
    yield Record(e.ControllerNamed(player=player, survivor=chosen, named=tuple(named)))


def retake_controller(table: Table, survivor: str) -> Procedure[None]:
    """Names another controller before the monster acts: the tile's player and their survivor.

    Nobody keeps the tile for two rounds, but the storyteller, who has it to the end (rulebook,
    Select the Controller; Variants, Storyteller).
    """
    state: State = table.state
    fight = monster.showdown(table)
    player = state.survivors[survivor].player
    if teller := variants.storyteller(state):
        raise Refused(f"{teller} is the storyteller, and always controls the monster.")
    if not player:
        raise Refused(
            f"{state.survivors[survivor].name} belongs to no player.",
            hints=[f"survivor player {survivor} NAME"],
        )
    if player == fight.last_controller:
        raise Refused(f"{player} had the tile last round: it goes on to another player.")
    named = [id_ for id_ in fight.controller.named if id_ != fight.controller.survivor]
    own = [id_ for id_ in conditions.taking_part(state) if state.survivors[id_].player == player]
    if survivor in named and any(id_ not in named for id_ in own):
        raise Refused(
            f"{state.survivors[survivor].name} has been named; another of {player}'s is next."
        )
    named = [id_ for id_ in named if id_ not in own or survivor not in named]
    yield Record(e.ControllerNamed(player=player, survivor=survivor, named=(*named, survivor)))


def pass_controller(table: Table) -> Procedure[None]:
    """The tile goes clockwise: to the next player in order (rulebook, Select the Controller).

    A storyteller keeps it, and nobody has it who plays solo (rulebook, Variants).
    """
    state: State = table.state
    holder = monster.showdown(table).controller.player
    if variants.storyteller(state) or "solo" in state.variants:
        return
    if holder in state.players and len(state.players) > 1:
        place = (state.players.index(holder) + 1) % len(state.players)
        yield from name_controller(table, state.players[place])


# --- turns ----------------------------------------------------------------------------------------


@rule("kdm.monster_turn")
def monster_turn(table: Table) -> Procedure[None]:
    """Start of turn, AI card, end of turn (rulebook, Monster Turn).

    Survivors who are ambushed skip their first turn (rulebook, Ambush).
    """
    yield from script.play_deferred(table, "monster_turn")
    yield from monster.end_tokens(table, "monster_turn")
    yield from traits.moment(table, "monster_turn_start", conditions.taking_part(table.state))
    yield from in_play.moment(table, "turn_start")
    yield from monster.check_defeat(table)
    if not monster.over(table):
        yield from ai.draw_ai(table)
    yield from monster.check_defeat(table)
    if (yield from ended(table)):
        return
    yield from in_play.moment(table, "turn_end")
    yield from monster.check_defeat(table)
    if (yield from ended(table)):
        return
    yield from _end_monster_turn(table)
    yield from monster.stand(table)
    if monster.showdown(table).ambush == "monster" and monster.showdown(table).round == 1:
        yield from end_round(table)
        return
    yield Record(e.TurnBegun(turn="survivors", round=monster.showdown(table).round))
    yield Record(e.PhaseChanged(phase="showdown", step="survivors"))
    yield from traits.moment(table, "turn_start", conditions.taking_part(table.state))


def _end_monster_turn(table: Table) -> Procedure[None]:
    """Survivors knocked down in an earlier round stand; an old priority target token goes.

    "Next monster turn": one knocked down in this very turn lies until the end of the following.
    (rulebook, Glossary, Next Monster Turn; Priority Target Token)
    """
    yield from monster.end_tokens(table, "monster_turn_end")
    state: State = table.state
    fight = monster.showdown(table)
    for id_ in conditions.taking_part(state):
        down = state.survivors[id_].knocked_down
        if down is not None and down < fight.round:
            yield Record(e.StoodUp(survivor=id_))
    old = fight.priority_target and fight.priority_round < fight.round
    if old and not edition.pick_takes_the_token(state):
        yield Record(e.PriorityTarget(survivor="", round=fight.round))


def ended(table: Table) -> Procedure[bool]:
    """Closes the turns when the showdown is decided; returns whether it is."""
    if monster.over(table):
        yield Record(e.PhaseChanged(phase="showdown", step="aftermath"))
        return True
    return False


def to_act(table: Table) -> list[str]:
    """Returns who has not acted yet this turn, the one acting among them."""
    fight = monster.showdown(table)
    return [id_ for id_ in conditions.taking_part(table.state) if id_ not in fight.acted]


def able_to_act(table: Table) -> list[str]:
    """Returns who can still act this turn: the knocked down cannot."""
    survivors = table.state.survivors
    return [id_ for id_ in to_act(table) if survivors[id_].knocked_down is None]


def begin_act(table: Table, survivor: str) -> Procedure[None]:
    """Begins a survivor's act: 1 movement and 1 activation; another's act ends first.

    Raises NotNow for a survivor who has acted.
    """
    fight = monster.showdown(table)
    if fight.act is not None and fight.act.survivor == survivor and not _stopped(table, survivor):
        return
    if table.state.survivors[survivor].knocked_down is not None:
        name = table.state.survivors[survivor].name
        raise NotNow(f"{name} is knocked down until the next monster turn ends.")
    if survivor not in to_act(table):
        name = table.state.survivors[survivor].name
        raise NotNow(f"{name} has acted this turn.", hints=[_left(table)])
    if fight.act is not None:
        yield from _act_ends(table, fight.act.survivor)
    yield Record(e.ActBegun(survivor=survivor))
    yield from blocking.lower(table, survivor)
    yield from traits.moment(table, "act_start", [survivor])
    yield from in_play.moment(table, "act_start", survivor)


def _act_ends(table: Table, survivor: str) -> Procedure[None]:
    yield Record(e.ActEnded(survivor=survivor))
    yield from traits.moment(table, "act_end", [survivor])
    yield from figures.lapse(table, "act_end")
    yield from in_play.moment(table, "act_end", survivor)


def _left(table: Table) -> str:
    names = [table.state.survivors[id_].name for id_ in able_to_act(table)]
    return f"to act: {', '.join(names)}" if names else "end-turn"


def spend(table: Table, survivor: str, what: str) -> Procedure[None]:
    """Spends movement or activation in the survivor's act. Raises NotNow when there is none left.

    The knocked down can spend neither (rulebook, Knocked Down Survivors).
    """
    fight = monster.showdown(table)
    name = table.state.survivors[survivor].name
    if table.state.survivors[survivor].knocked_down is not None:
        raise NotNow(
            f"{name} is knocked down.", hints=["stands at the end of the next monster turn"]
        )
    if card := laid.off_board(table, table.state.survivors[survivor]):
        raise NotNow(f"{name} is off the board ({card}) and spends no {what}.", hints=["end-act"])
    assert fight.act is not None
    left = getattr(fight.act, what)
    if left < 1:
        raise NotNow(f"{name} has no {what} left.", hints=["end-act, or name another survivor"])
    yield Record(e.ActSpent(survivor=survivor, what=what, now=left - 1))


def takes(table: Table, survivor: str, *spent: str) -> Procedure[bool]:
    """Begins the survivor's act if it has not, and spends; returns whether they can go on.

    What the monster's cards do to one who acts comes first, and may fell them (rulebook, Playing
    Moods & Traits).
    """
    yield from begin_act(table, survivor)
    if not _stopped(table, survivor):
        for what in spent:
            yield from spend(table, survivor, what)
        if "activation" in spent:
            yield from in_play.moment(table, "activation", survivor)
    yield from monster.check_defeat(table)
    return not _stopped(table, survivor)


def _stopped(table: Table, survivor: str) -> bool:
    one = table.state.survivors[survivor]
    return monster.over(table) or not one.conscious or one.knocked_down is not None


@rule("kdm.end_of_act")
def end_act(table: Table) -> Procedure[None]:
    """Ends the act; the last one's end opens the next round."""
    fight = monster.showdown(table)
    assert fight.act is not None
    yield from _act_ends(table, fight.act.survivor)
    yield from monster.check_defeat(table)
    if not (yield from ended(table)) and not to_act(table):
        yield from end_round(table)


@rule("kdm.end_of_round")
def end_round(table: Table) -> Procedure[None]:
    """Ends the survivors' turn and the round: the tile passes on, the monster is next."""
    fight = monster.showdown(table)
    if fight.act is not None:
        yield from _act_ends(table, fight.act.survivor)
    yield from in_play.moment(table, "survivors_turn_end")
    yield from monster.check_defeat(table)
    if (yield from ended(table)):
        return
    yield from monster.end_tokens(table, "round_end")
    yield from figures.lapse(table, "round_end")
    for scope in ("act", "turn", "round"):
        if scope in table.state.uses:
            yield Record(ScopeEnded(scope=scope))
    yield from script.play_deferred(table, "round_end")
    yield Record(e.TurnBegun(turn="monster", round=fight.round + 1))
    yield Record(e.PhaseChanged(phase="showdown", step="monster"))
    yield from monster.stand(table)
    yield from pass_controller(table)


def check(table: Table) -> Procedure[None]:
    """Ends the showdown if what has just happened decided it."""
    yield from monster.check_defeat(table)
    yield from ended(table)
