"""How Kingdom Death's facts change the state: assign, add, remove, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from kdmlog.core.events import Event
from kdmlog.core.fold import Fold, nothing
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.state import (
    Act,
    Board,
    Controller,
    Phase,
    Settlement,
    Showdown,
    State,
    Survivor,
    Tile,
)


def survivor_created(state: State, event: e.SurvivorCreated) -> None:
    state.survivors[event.survivor] = Survivor(
        id=event.survivor,
        name=event.name,
        sex=event.sex,
        player=event.player,
        parents=event.parents,
        founder=event.founder,
    )


def survivor_named(state: State, event: e.SurvivorNamed) -> None:
    state.survivors[event.survivor].name = event.name


def player_named(state: State, event: e.PlayerNamed) -> None:
    state.survivors[event.survivor].player = event.player


def stat_changed(state: State, event: e.StatChanged) -> None:
    setattr(state.survivors[event.survivor], event.stat, event.now)


def tokens_changed(state: State, event: e.TokensChanged) -> None:
    survivor = state.survivors[event.survivor]
    _put(survivor.tokens, event.token, event.now)
    if event.unsteady is not None:
        _put(survivor.unsteady, event.token, event.unsteady)


def armor_changed(state: State, event: e.ArmorChanged) -> None:
    state.survivors[event.survivor].armor[event.location] = event.now


def injury_filled(state: State, event: e.InjuryFilled) -> None:
    state.survivors[event.survivor].injuries.setdefault(event.location, []).append(event.box)


def injury_erased(state: State, event: e.InjuryErased) -> None:
    state.survivors[event.survivor].injuries[event.location].remove(event.box)


def injuries_healed(state: State, event: e.InjuriesHealed) -> None:
    state.survivors[event.survivor].injuries.clear()


def severe_injury_suffered(state: State, event: e.SevereInjurySuffered) -> None:
    survivor = state.survivors[event.survivor]
    (survivor.severe_injuries if event.times else survivor.passing).append(event.injury)


def condition_gained(state: State, event: e.ConditionGained) -> None:
    state.survivors[event.survivor].passing.append(event.condition)


def barred(state: State, event: e.Barred) -> None:
    state.survivors[event.survivor].bars[event.what] = event.until


def bars_ended(state: State, event: e.BarsEnded) -> None:
    for survivor in state.survivors.values():
        for what in [what for what, until in survivor.bars.items() if until == event.until]:
            del survivor.bars[what]


def knocked_down(state: State, event: e.KnockedDown) -> None:
    state.survivors[event.survivor].knocked_down = event.round


def stood_up(state: State, event: e.StoodUp) -> None:
    state.survivors[event.survivor].knocked_down = None


def weapon_chosen(state: State, event: e.WeaponChosen) -> None:
    state.survivors[event.survivor].weapon_type = event.type


def trait_gained(state: State, event: e.TraitGained) -> None:
    getattr(state.survivors[event.survivor], event.list).append(event.id)


def trait_lost(state: State, event: e.TraitLost) -> None:
    getattr(state.survivors[event.survivor], event.list).remove(event.id)


def skip_next_hunt(state: State, event: e.SkipNextHunt) -> None:
    state.survivors[event.survivor].skip_next_hunt = event.now


def retirement_due(state: State, event: e.RetirementDue) -> None:
    state.survivors[event.survivor].retires = event.why


def survivor_retired(state: State, event: e.SurvivorRetired) -> None:
    survivor = state.survivors[event.survivor]
    survivor.status = "retired"
    survivor.retires = ""


def survivor_left(state: State, event: e.SurvivorLeft) -> None:
    state.survivors[event.survivor].status = "gone"


def survivor_died(state: State, event: e.SurvivorDied) -> None:
    survivor = state.survivors[event.survivor]
    survivor.status = "dead"
    survivor.cause = event.of
    survivor.knocked_down = None
    state.settlement.uncounted_deaths = event.uncounted
    if state.showdown is not None and state.showdown.priority_target == event.survivor:
        state.showdown.priority_target = ""
    if state.showdown is not None and state.showdown.board is not None:
        state.showdown.board.survivors.pop(event.survivor, None)


def death_explained(state: State, event: e.DeathExplained) -> None:
    state.survivors[event.survivor].cause = event.of


def tokens_removed(state: State, event: e.TokensRemoved) -> None:
    survivor = state.survivors[event.survivor]
    survivor.tokens.clear()
    survivor.unsteady.clear()
    survivor.passing.clear()
    survivor.bars.clear()
    survivor.status_cards.clear()
    survivor.knocked_down = None


def benefit_remembered(state: State, event: e.BenefitRemembered) -> None:
    if event.until:
        state.survivors[event.survivor].benefits[event.what] = event.until
        return
    bearer = state.survivors[event.survivor] if event.survivor else state.settlement
    bearer.remembered.append(event.what)


def injury_mended(state: State, event: e.InjuryMended) -> None:
    state.survivors[event.survivor].severe_injuries.remove(event.injury)


def survivor_revived(state: State, event: e.SurvivorRevived) -> None:
    survivor = state.survivors[event.survivor]
    survivor.status, survivor.cause = "alive", ""
    state.settlement.uncounted_deaths = event.uncounted


def list_shrank(state: State, event: e.ListShrank) -> None:
    getattr(state.settlement, event.list).remove(event.id)


def benefit_forgotten(state: State, event: e.BenefitForgotten) -> None:
    if not event.survivor:
        state.settlement.remembered.remove(event.what)
        return
    survivor = state.survivors[event.survivor]
    survivor.benefits.pop(event.what, None)
    if event.what in survivor.remembered:
        survivor.remembered.remove(event.what)


def benefits_ended(state: State, event: e.BenefitsEnded) -> None:
    for survivor in state.survivors.values():
        for what in [what for what, until in survivor.benefits.items() if until == event.until]:
            del survivor.benefits[what]


def gear_gained(state: State, event: e.GearGained) -> None:
    state.gear[event.gear] = event.card
    state.gear_made[event.card] = state.gear_made.get(event.card, 0) + 1
    _place(state, event.gear, event.survivor, event.cell)


def gear_moved(state: State, event: e.GearMoved) -> None:
    _lift(state, event.gear)
    _place(state, event.gear, event.survivor, event.cell)


def gear_archived(state: State, event: e.GearArchived) -> None:
    _lift(state, event.gear)
    del state.gear[event.gear]


def weapon_used(state: State, event: e.WeaponUsed) -> None:
    if state.showdown is not None:
        state.showdown.last_weapon[event.survivor] = event.weapon


def resource_gained(state: State, event: e.ResourceGained) -> None:
    if event.survivor:
        state.survivors[event.survivor].resources.append(event.resource)
    else:
        _store(state, event.resource)


def resource_stored(state: State, event: e.ResourceStored) -> None:
    state.survivors[event.survivor].resources.remove(event.resource)
    _store(state, event.resource)


def resource_shared(state: State, event: e.ResourceShared) -> None:
    storage = state.settlement.storage
    _put(storage.resources, event.resource, event.now)
    _put(storage.unrecorded, event.resource, storage.unrecorded[event.resource] - 1)
    state.survivors[event.survivor].resources.append(event.resource)


def resource_given(state: State, event: e.ResourceGiven) -> None:
    state.survivors[event.survivor].resources.remove(event.resource)
    state.survivors[event.to].resources.append(event.resource)


def resource_lost(state: State, event: e.ResourceLost) -> None:
    if event.survivor:
        state.survivors[event.survivor].resources.remove(event.resource)
        return
    storage = state.settlement.storage
    _put(storage.resources, event.resource, event.now)
    if storage.unrecorded.get(event.resource, 0) > event.now:
        _put(storage.unrecorded, event.resource, event.now)


def storage_recorded(state: State, event: e.StorageRecorded) -> None:
    state.settlement.storage.unrecorded.clear()


def showdown_begun(state: State, event: e.ShowdownBegun) -> None:
    state.showdowns = event.number
    state.showdown = Showdown(
        number=event.number,
        monster=event.monster,
        level=event.level,
        movement=event.movement,
        toughness=event.toughness,
        speed=event.speed,
        damage=event.damage,
        survivors=list(event.survivors),
        first_story=event.first_story,
        ambush=event.ambush,
    )


def controller_named(state: State, event: e.ControllerNamed) -> None:
    _showdown(state).controller = Controller(
        player=event.player, survivor=event.survivor, named=list(event.named)
    )


def turn_begun(state: State, event: e.TurnBegun) -> None:
    showdown = _showdown(state)
    showdown.turn = event.turn
    if event.round != showdown.round:
        showdown.round = event.round
        showdown.wounds_this_round = 0
    showdown.act = None
    showdown.target = ""
    if event.turn == "monster":
        showdown.acted = []
        showdown.last_controller = showdown.controller.player


def act_begun(state: State, event: e.ActBegun) -> None:
    _showdown(state).act = Act(survivor=event.survivor)


def act_spent(state: State, event: e.ActSpent | e.ActGained) -> None:
    act = _showdown(state).act
    if act is not None:
        setattr(act, event.what, event.now)


def act_ended(state: State, event: e.ActEnded) -> None:
    showdown = _showdown(state)
    showdown.act = None
    showdown.acted.append(event.survivor)


def target_picked(state: State, event: e.TargetPicked) -> None:
    _showdown(state).target = event.survivor


def attack_begun(state: State, event: e.AttackBegun) -> None:
    showdown = _showdown(state)
    showdown.attacker = event.survivor
    showdown.weapon = event.weapon
    showdown.moved = False


def attack_ended(state: State, event: e.AttackEnded) -> None:
    showdown = _showdown(state)
    showdown.attacker = showdown.weapon = ""


def monster_wounded(state: State, event: e.MonsterWounded) -> None:
    showdown = _showdown(state)
    if event.now > showdown.wounds and showdown.attacker == event.survivor and showdown.weapon:
        weapons = showdown.wounded_with.setdefault(event.survivor, [])
        if showdown.weapon not in weapons:
            weapons.append(showdown.weapon)
    showdown.wounds_this_round += event.now > showdown.wounds
    showdown.wounds = event.now
    showdown.last_wounder = event.survivor


def monster_knocked_down(state: State, event: e.MonsterKnockedDown) -> None:
    _showdown(state).knocked_down = event.now


def monster_moved(state: State, event: e.MonsterMoved) -> None:
    _showdown(state).moved = True
    if event.path:
        _board(state).monster = event.path[-1]


def board_laid(state: State, event: e.BoardLaid) -> None:
    _showdown(state).board = Board(size=event.size)


def monster_placed(state: State, event: e.MonsterPlaced) -> None:
    _showdown(state).moved = True
    board = _board(state)
    board.monster, board.facing = event.at, event.facing


def monster_turned(state: State, event: e.MonsterTurned) -> None:
    _board(state).facing = event.facing


def monster_left_board(state: State, event: e.MonsterLeftBoard) -> None:
    _board(state).monster = None


def survivor_placed(state: State, event: e.SurvivorPlaced) -> None:
    _board(state).survivors[event.survivor] = event.at


def survivor_moved(state: State, event: e.SurvivorMoved) -> None:
    if event.path:
        _board(state).survivors[event.survivor] = event.path[-1]


def survivor_left_board(state: State, event: e.SurvivorLeftBoard) -> None:
    _board(state).survivors.pop(event.survivor, None)


def retinue_placed(state: State, event: e.RetinuePlaced) -> None:
    _board(state).retinues[event.survivor] = event.at


def retinue_moved(state: State, event: e.RetinueMoved) -> None:
    _board(state).retinues[event.survivor] = event.path[-1]


def retinue_destroyed(state: State, event: e.RetinueDestroyed) -> None:
    del _board(state).retinues[event.survivor]


def knocked_back(state: State, event: e.MovedAside) -> None:
    if event.path:
        _board(state).survivors[event.survivor] = event.path[-1]


def terrain_placed(state: State, event: e.TerrainPlaced) -> None:
    _board(state).tiles[event.tile] = Tile(
        terrain=event.terrain, at=event.at, width=event.width, height=event.height
    )


def terrain_removed(state: State, event: e.TerrainRemoved) -> None:
    del _board(state).tiles[event.tile]


def diagram_read(state: State, event: e.DiagramRead) -> None:
    state.diagrams[event.diagram] = event.words


def monster_tokens(state: State, event: e.MonsterTokens) -> None:
    showdown = _showdown(state)
    _put(showdown.tokens, event.token, event.now)
    if event.until:
        _put(showdown.passing.setdefault(event.until, {}), event.token, event.passing)


def life_changed(state: State, event: e.LifeChanged) -> None:
    showdown = _showdown(state)
    showdown.life = event.now
    if event.most:
        showdown.life_most, showdown.life_first = event.most, event.first


def card_tokens(state: State, event: e.CardTokens) -> None:
    if event.survivor:
        state.survivors[event.survivor].status_cards[event.card] = event.now
    else:
        _put(_showdown(state).card_tokens, event.card, event.now)


def status_gained(state: State, event: e.StatusGained) -> None:
    state.survivors[event.survivor].status_cards[event.card] = 0


def status_lost(state: State, event: e.StatusLost) -> None:
    state.survivors[event.survivor].status_cards.pop(event.card, None)


def survival_action_taken(state: State, event: e.SurvivalActionTaken) -> None:
    _showdown(state).survival_action = event.survivor


def survival_action_resolved(state: State, event: e.SurvivalActionResolved) -> None:
    showdown = _showdown(state)
    showdown.survival_action = ""
    showdown.attacker = event.attacker
    showdown.moved = event.moved


def survivor_fled(state: State, event: e.SurvivorFled) -> None:
    showdown = _showdown(state)
    showdown.away[event.survivor] = event.back
    if showdown.priority_target == event.survivor:
        showdown.priority_target = ""
    if showdown.board is not None:
        showdown.board.survivors.pop(event.survivor, None)


def survivor_came_back(state: State, event: e.SurvivorCameBack) -> None:
    del _showdown(state).away[event.survivor]


def survivor_joined(state: State, event: e.SurvivorJoined) -> None:
    showdown = _showdown(state)
    showdown.survivors.append(event.survivor)
    showdown.joined.append(event.survivor)


def draws_due(state: State, event: e.DrawsDue) -> None:
    _showdown(state).draws_due = event.now


def priority_target(state: State, event: e.PriorityTarget) -> None:
    showdown = _showdown(state)
    showdown.priority_target = event.survivor
    showdown.priority_round = event.round


def threats_widened(state: State, event: e.ThreatsWidened) -> None:
    _showdown(state).all_are_threats = event.until_round


def showdown_decided(state: State, event: e.ShowdownDecided) -> None:
    showdown = _showdown(state)
    showdown.outcome = event.outcome
    showdown.killer = event.killer
    showdown.act = None


def showdown_ended(state: State, event: e.ShowdownEnded) -> None:
    state.showdown = None
    state.decks.pop("ai", None)
    state.decks.pop("hit_locations", None)


def prologue_restarted(state: State, event: e.PrologueRestarted) -> None:
    for id_ in event.survivors:
        before = state.survivors[id_]
        state.survivors[id_] = Survivor(
            id=id_, name=before.name, sex=before.sex, player=before.player, founder=True
        )
    state.gear.clear()
    state.settlement = Settlement()


def phase_changed(state: State, event: e.PhaseChanged) -> None:
    state.phase = Phase(name=event.phase, step=event.step)


def settlement_named(state: State, event: e.SettlementNamed) -> None:
    state.settlement.name = event.name


def survivors_returned(state: State, event: e.SurvivorsReturned) -> None:
    state.settlement.returning = list(event.survivors)
    state.settlement.departing = []
    state.settlement.hunt = ""
    state.settlement.encounter = ""


def figure_changed(state: State, event: e.FigureChanged) -> None:
    setattr(state.settlement, event.figure, event.now)


def deaths_counted(state: State, event: e.DeathsCounted) -> None:
    state.settlement.death_count = event.now
    state.settlement.uncounted_deaths = 0


def list_grew(state: State, event: e.ListGrew) -> None:
    getattr(state.settlement, event.list).append(event.id)


def milestone_reached(state: State, event: e.MilestoneReached) -> None:
    state.settlement.milestones.append(event.milestone)


def timeline_added(state: State, event: e.TimelineAdded) -> None:
    state.settlement.timeline.setdefault(str(event.year), []).append(event.event)


def survivors_departed(state: State, event: e.SurvivorsDeparted) -> None:
    state.settlement.departing = list(event.survivors)
    state.settlement.hunt = event.hunt
    state.settlement.encounter = event.encounter


FOLDS: Mapping[type[Event], Fold] = {
    e.SurvivorCreated: survivor_created,
    e.SurvivorNamed: survivor_named,
    e.PlayerNamed: player_named,
    e.StatChanged: stat_changed,
    e.GainIgnored: nothing,
    e.TokensChanged: tokens_changed,
    e.ArmorChanged: armor_changed,
    e.InjuryFilled: injury_filled,
    e.InjuryErased: injury_erased,
    e.InjuriesHealed: injuries_healed,
    e.SevereInjurySuffered: severe_injury_suffered,
    e.InjuryMended: injury_mended,
    e.ConditionGained: condition_gained,
    e.Barred: barred,
    e.BarsEnded: bars_ended,
    e.KnockedDown: knocked_down,
    e.StoodUp: stood_up,
    e.WeaponChosen: weapon_chosen,
    e.TraitGained: trait_gained,
    e.TraitLost: trait_lost,
    e.SkipNextHunt: skip_next_hunt,
    e.RetirementDue: retirement_due,
    e.SurvivorRetired: survivor_retired,
    e.SurvivorLeft: survivor_left,
    e.SurvivorDied: survivor_died,
    e.SurvivorRevived: survivor_revived,
    e.DeathExplained: death_explained,
    e.TokensRemoved: tokens_removed,
    e.BenefitRemembered: benefit_remembered,
    e.BenefitForgotten: benefit_forgotten,
    e.BenefitsEnded: benefits_ended,
    e.Said: nothing,
    e.GearGained: gear_gained,
    e.GearMoved: gear_moved,
    e.GearArchived: gear_archived,
    e.ModifiersRecorded: nothing,
    e.WeaponUsed: weapon_used,
    e.ResourceGained: resource_gained,
    e.ResourceStored: resource_stored,
    e.ResourceShared: resource_shared,
    e.ResourceGiven: resource_given,
    e.ThingUsed: nothing,
    e.ResourceLost: resource_lost,
    e.StorageRecorded: storage_recorded,
    e.ShowdownBegun: showdown_begun,
    e.ControllerNamed: controller_named,
    e.TurnBegun: turn_begun,
    e.ActBegun: act_begun,
    e.ActSpent: act_spent,
    e.ActGained: act_spent,
    e.ActEnded: act_ended,
    e.TargetPicked: target_picked,
    e.AttackBegun: attack_begun,
    e.AttackEnded: attack_ended,
    e.HitsScored: nothing,
    e.WoundAttempted: nothing,
    e.MonsterWounded: monster_wounded,
    e.MonsterKnockedDown: monster_knocked_down,
    e.MonsterMoved: monster_moved,
    e.MonsterTokens: monster_tokens,
    e.LifeChanged: life_changed,
    e.CardTokens: card_tokens,
    e.StatusGained: status_gained,
    e.StatusLost: status_lost,
    e.DodgeSpent: nothing,
    e.SurvivalActionTaken: survival_action_taken,
    e.SurvivalActionResolved: survival_action_resolved,
    e.SurvivorFled: survivor_fled,
    e.SurvivorCameBack: survivor_came_back,
    e.SurvivorJoined: survivor_joined,
    e.HitsIgnored: nothing,
    e.DrawsDue: draws_due,
    e.PriorityTarget: priority_target,
    e.ThreatsWidened: threats_widened,
    e.MovedAside: knocked_back,
    e.BoardLaid: board_laid,
    e.MonsterPlaced: monster_placed,
    e.MonsterTurned: monster_turned,
    e.MonsterLeftBoard: monster_left_board,
    e.SurvivorPlaced: survivor_placed,
    e.SurvivorMoved: survivor_moved,
    e.SurvivorLeftBoard: survivor_left_board,
    e.RetinuePlaced: retinue_placed,
    e.RetinueMoved: retinue_moved,
    e.RetinueDestroyed: retinue_destroyed,
    e.Collided: nothing,
    e.TerrainPlaced: terrain_placed,
    e.TerrainRemoved: terrain_removed,
    e.DiagramRead: diagram_read,
    e.ShowdownDecided: showdown_decided,
    e.ShowdownEnded: showdown_ended,
    e.PrologueRestarted: prologue_restarted,
    e.PhaseChanged: phase_changed,
    e.SettlementNamed: settlement_named,
    e.SurvivorsReturned: survivors_returned,
    e.FigureChanged: figure_changed,
    e.DeathsCounted: deaths_counted,
    e.ListGrew: list_grew,
    e.ListShrank: list_shrank,
    e.MilestoneReached: milestone_reached,
    e.TimelineAdded: timeline_added,
    e.StoryTriggered: nothing,
    e.SurvivorsDeparted: survivors_departed,
    e.SheetsTakenOver: nothing,
    e.RecordBegun: nothing,
}


def _showdown(state: State) -> Showdown:
    assert state.showdown is not None, "no showdown is under way"
    return state.showdown


def _board(state: State) -> Board:
    board = _showdown(state).board
    assert board is not None, "the showdown is not played on the board"
    return board


def _put(figures: dict[str, int], name: str, now: int) -> None:
    """Keeps only what is not zero, so that equal states look equal."""
    if now:
        figures[name] = now
    else:
        figures.pop(name, None)


def _store(state: State, resource: str) -> None:
    storage = state.settlement.storage
    storage.resources[resource] = storage.resources.get(resource, 0) + 1
    storage.unrecorded[resource] = storage.unrecorded.get(resource, 0) + 1


def _lift(state: State, gear: str) -> None:
    if gear in state.settlement.storage.gear:
        state.settlement.storage.gear.remove(gear)
        return
    for survivor in state.survivors.values():
        for cell in [cell for cell, there in survivor.grid.items() if there == gear]:
            del survivor.grid[cell]


def _place(state: State, gear: str, survivor: str, cell: str) -> None:
    if survivor:
        state.survivors[survivor].grid[cell] = gear
    else:
        state.settlement.storage.gear.append(gear)
