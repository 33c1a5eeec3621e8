"""What each action plays, when it is legal, and the lines in which it can be taken now."""

from __future__ import annotations

from collections.abc import Mapping

from kdmlog.core.errors import BadInput, NotNow, Refused, UnknownName
from kdmlog.core.events import CardsMoved
from kdmlog.core.game import Action, Play, Table
from kdmlog.core.names import match
from kdmlog.core.procedures import Procedure, Record
from kdmlog.core.state import DECK
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import ready, when
from kdmlog.games.kdm.content import AiCard, Monster
from kdmlog.games.kdm.rules import (
    activations,
    aftermath,
    attack,
    figures,
    flight,
    foes,
    grids,
    hiding,
    in_play,
    joining,
    moving,
    people,
    placing,
    proficiency,
    settlement,
    setup,
    survival,
    things,
    turns,
    uses,
    variants,
    walking,
)
from kdmlog.games.kdm.rules import monster as monster_rules
from kdmlog.games.kdm.rules.conditions import hears, taking_part
from kdmlog.games.kdm.state import Space, State


def survivor(table: Table, word: str, *, present: bool = False) -> str:
    """Returns the id of the survivor named: the living, or those in the showdown (``present``)."""
    state: State = table.state
    ids = taking_part(state) if present else [id_ for id_, s in state.survivors.items() if s.alive]
    if word in ids:
        return word
    names = {id_: state.survivors[id_].name or id_ for id_ in ids}
    try:
        return match(word, names, "survivor")
    except UnknownName:
        fallen = {id_: s.name for id_, s in state.survivors.items() if not s.alive}
        try:
            dead = match(word, fallen, "survivor")
        except UnknownName:
            pass
        else:
            raise Refused(f"{state.survivors[dead].name} is dead.") from None
        raise


def _companion(table: Table, word: str) -> str:
    """Returns who is meant of those together: in the showdown, on the hunt, on the way home."""
    id_ = survivor(table, word, present=True)
    state: State = table.state
    away = state.settlement.departing or state.settlement.returning
    if state.showdown is None and id_ not in away:
        raise Refused(f"{state.survivors[id_].name} is at home.")
    return id_


def survivor_new(table: Table, action: a.SurvivorNew) -> Procedure[None]:
    state: State = table.state
    sex = figures.match_sex(action.sex)
    player = action.player
    if player:
        player = match(player, {one: one for one in variants.players(state)}, "player")
    elif playing := variants.players(state):
        player = playing[len(state.survivors) % len(playing)]
    yield from people.create(table, action.name, sex, player)


def survivor_rename(table: Table, action: a.SurvivorRename) -> Procedure[None]:
    yield from people.rename(table, survivor(table, action.survivor), action.name)


def survivor_player(table: Table, action: a.SurvivorPlayer) -> Procedure[None]:
    players = {one: one for one in table.state.players}
    player = match(action.player, players, "player")
    yield Record(e.PlayerNamed(survivor=survivor(table, action.survivor), player=player))


def survivor_weapon(table: Table, action: a.SurvivorWeapon) -> Procedure[None]:
    yield from proficiency.choose(table, survivor(table, action.survivor), action.type)


def survivor_death(table: Table, action: a.SurvivorDeath) -> Procedure[None]:
    state: State = table.state
    dead = {id_: s.name for id_, s in state.survivors.items() if s.status == "dead"}
    id_ = match(action.survivor, dead, "dead survivor")
    yield Record(e.DeathExplained(survivor=id_, of=action.cause))


def showdown_begin(table: Table, action: a.ShowdownBegin) -> Procedure[None]:
    if table.state.phase.name == "prologue":
        yield from _first_story(table, action)
        return
    if action.first_story:
        raise NotNow("The First Story is over.", hints=["showdown begin"])
    ambush = action.ambush
    if ambush:
        ambush = match(ambush, {"monster": "monster", "survivors": "survivors"}, "ambush")
    id_, level = foes.met(table, action.monster, action.level)
    yield from setup.begin(table, id_, level, ambush=ambush, board=action.board is not False)


def _first_story(table: Table, action: a.ShowdownBegin) -> Procedure[None]:
    monsters = {id_: one.name for id_, one in table.content.all(Monster).items()}
    id_ = match(action.monster, monsters, "monster") if action.monster else "white_lion"
    if not action.first_story or "first_story" not in table.content.get(Monster, id_).levels:
        raise NotNow(
            "A campaign begins with the First Story.",
            hints=["showdown begin white_lion --first-story"],
        )
    yield from variants.nominate_knight(table)
    yield from setup.begin(table, id_, "first_story", board=bool(action.board))


def showdown_reorder(table: Table, action: a.ShowdownReorder) -> Procedure[None]:
    """The storyteller may reorder the AI deck freely (rulebook, Storyteller Mode)."""
    left = list(table.state.decks["ai"][DECK])
    cards = []
    for word in action.cards:
        names = {card: figures.name_of(table, AiCard, card) for card in sorted(left)}
        cards.append(match(word, names, "card of the AI deck"))
        left.remove(cards[-1])
    yield Record(CardsMoved(deck="ai", cards=tuple(cards), before=DECK, to=DECK))


def showdown_join(table: Table, action: a.ShowdownJoin) -> Procedure[None]:
    yield from joining.join(table, survivor(table, action.survivor))


def control(table: Table, action: a.Control) -> Procedure[None]:
    if len(table.state.players) < 2 or "solo" in table.state.variants:
        raise Refused("Solo play has no monster controller.", hints=["new -p NAME -p NAME"])
    yield from turns.retake_controller(table, survivor(table, action.survivor, present=True))


def monster_turn(table: Table, _action: a.MonsterTurn) -> Procedure[None]:
    yield from turns.monster_turn(table)


def act(table: Table, action: a.Act) -> Procedure[None]:
    id_ = survivor(table, action.survivor, present=True)
    acting = monster_rules.showdown(table).act
    if acting is not None and acting.survivor == id_:
        raise NotNow(
            f"{table.state.survivors[id_].name} is acting: movement {acting.movement}, "
            f"activation {acting.activation} left."
        )
    yield from turns.takes(table, id_)
    yield from turns.ended(table)


def move(table: Table, action: a.Move) -> Procedure[None]:
    id_ = survivor(table, action.survivor, present=True)
    on_board = monster_rules.showdown(table).board is not None
    if not on_board and action.to:
        raise Refused("No positions are kept here: you move the miniature.", hints=[f"move {id_}"])
    if on_board and not action.to:
        raise BadInput(
            "Where to?", hints=[f"move {id_} {ready.foe_word(table)} | back | X Y | 3n2e"]
        )
    if on_board and id_ in turns.able_to_act(table):
        walking.route(table, id_, action.to)  # refused before the act begins, and anything is asked
    goes_on = yield from turns.takes(table, id_, "movement")
    if goes_on and on_board:
        yield from walking.walk(table, id_, action.to)
    elif goes_on:
        yield from hiding.leaves(table, id_)
        yield from in_play.moment(table, "moved", id_)
    yield from turns.check(table)


def attack_(table: Table, action: a.Attack) -> Procedure[None]:
    id_ = survivor(table, action.survivor, present=True)
    weapon = attack.weapon_named(table, id_, action.weapon)
    attack.refuse_weapon(table, id_, weapon)
    if why := attack.why_too_cumbersome(table, id_, weapon):
        raise NotNow(f"{why}.", hints=["attack with another weapon", "end-act"])
    blind = attack.from_blind_spot(table, id_, said=action.blind)
    attack.refuse_attack(table, id_, weapon, blind=blind)
    spent = ("activation", "movement") if attack.cumbersome(table, id_, weapon) else ("activation",)
    if (yield from turns.takes(table, id_, *spent)):
        yield from attack.take_up(table, id_, weapon)
        yield from attack.attack(table, id_, weapon, blind=blind)
    yield from turns.ended(table)


def activate(table: Table, action: a.Activate) -> Procedure[None]:
    id_ = survivor(table, action.survivor, present=True)
    things = uses.usable(table, id_)
    there = activations.at_hand(table, id_) if table.state.showdown is not None else {}
    names = attack.carried(table, id_) | {card: one.name for card, one in there.items()}
    names |= {one: thing.name for one, thing in things.items()}
    card = match(action.thing, names, "thing to activate")
    if card in things and things[card].use is not None:
        yield from _used(table, id_, things[card])
        return
    if card not in there:
        raise Refused(f"The {names[card]} has nothing to activate.", hints=["attack"])
    if (why := when.survivors_turn(table)) is not None:
        raise NotNow(f"{why[:1].upper()}{why[1:]}.")
    there[card].refuse()
    if (yield from turns.takes(table, id_, *there[card].cost)):
        yield from there[card].play()
    yield from monster_rules.check_defeat(table)
    yield from turns.ended(table)


def survival_(table: Table, action: a.SurvivalAction) -> Procedure[None]:
    state: State = table.state
    id_ = survivor(table, action.survivor, present=True)
    what = match(
        action.what, {one: one for one in (*survival.ACTIONS, survival.MARCH)}, "survival action"
    )
    if what == "dodge":
        raise Refused("A dodge is asked for when a hit lands.")
    if why := survival.refusal(table, id_, what):
        raise Refused(f"{state.survivors[id_].name} cannot {what}: {why}.")
    if what != "encourage" and monster_rules.showdown(table).turn != "survivors":
        raise NotNow(f"On the monster's turn a {what} is asked for at each flow.")
    target = " ".join(action.target)
    if what == "encourage":
        target = _encouraged(table, id_, target)
    yield from survival.take(table, id_, what, target)
    yield from turns.ended(table)


def run_away(table: Table, action: a.RunAway) -> Procedure[None]:
    ids = [survivor(table, word, present=True) for word in action.survivors]
    yield from flight.run_away(table, list(dict.fromkeys(ids)))
    yield from turns.ended(table)


def _encouraged(table: Table, id_: str, word: str) -> str:
    """Returns who is meant to be encouraged: with one who can be, nobody needs to be named."""
    survivors = table.state.survivors
    able = {one: survivors[one].name for one in survival.encouraged_by(table, id_)}
    if not word and len(able) == 1:
        return next(iter(able))
    if not word:
        raise Refused("Who is encouraged?", hints=[f"survival {id_} encourage {' | '.join(able)}"])
    target = survivor(table, word, present=True)
    if target in able:
        return target
    deaf = not hears(table, survivors[target])
    why = "is deaf" if deaf else "is not knocked down"
    if survivors[target].knocked_down is not None and not deaf:
        why = "cannot be called by " + survivors[id_].name
    raise Refused(f"{survivors[target].name} {why}.")


def deploy(table: Table, action: a.Deploy) -> Procedure[None]:
    chosen: dict[str, Space | None] = {}
    for part in _parted(action.survivors):
        at = " ".join(part[1:])
        chosen[survivor(table, part[0], present=True)] = moving.read_space(at) if at else None
    if (yield from placing.deploy(table, chosen)):
        yield from setup.start(table)


def _parted(words: list[str]) -> list[list[str]]:
    """Parts names from each other, each with the space behind it: ``mara 11 2 lil``."""
    parts: list[list[str]] = []
    for word in words:
        if parts and word[:1].isdigit():
            parts[-1].append(word)
        else:
            parts.append([word])
    return parts


def place(table: Table, action: a.Place) -> Procedure[None]:
    at = moving.read_space(f"{action.x} {action.y}")
    yield from placing.place(table, action.who, at, action.facing)


def consume(table: Table, action: a.Consume) -> Procedure[None]:
    id_ = survivor(table, action.survivor, present=True)
    yield from _used(table, id_, uses.named(table, id_, action.thing), eaten=True)


def _used(table: Table, id_: str, thing: uses.Thing, *, eaten: bool = False) -> Procedure[None]:
    yield from uses.use_thing(table, id_, thing, eaten=eaten)
    if table.state.showdown is not None:
        yield from monster_rules.check_defeat(table)
        yield from turns.ended(table)


def share(table: Table, action: a.Share) -> Procedure[None]:
    yield from things.share(table, _companion(table, action.survivor), action.resources)


def give(table: Table, action: a.Give) -> Procedure[None]:
    giver = _companion(table, action.survivor)
    taker = _companion(table, action.to)
    if table.state.showdown is not None:
        yield from turns.begin_act(table, giver)
    yield from uses.give(table, giver, action.resource, taker)


def end_act(table: Table, _action: a.EndAct) -> Procedure[None]:
    yield from turns.end_act(table)


def end_turn(table: Table, _action: a.EndTurn) -> Procedure[None]:
    yield from turns.end_round(table)


def aftermath_(table: Table, _action: a.Aftermath) -> Procedure[None]:
    yield from aftermath.aftermath(table)


def settlement_begin(table: Table, action: a.SettlementBegin) -> Procedure[None]:
    yield from settlement.begin(table, action.name)


def settlement_name(_table: Table, action: a.SettlementName) -> Procedure[None]:
    if not action.name.strip():
        raise Refused("A settlement needs a name.")
    yield Record(e.SettlementNamed(name=action.name.strip()))


def settlement_event(table: Table, _action: a.SettlementEvent) -> Procedure[None]:
    yield from settlement.event(table)


def settlement_year(table: Table, _action: a.SettlementYear) -> Procedure[None]:
    yield from settlement.year(table)


def innovate(table: Table, action: a.SettlementInnovate) -> Procedure[None]:
    yield from settlement.innovate(table, tuple(action.pay))


def build(table: Table, action: a.SettlementBuild) -> Procedure[None]:
    yield from settlement.build(table, action.location, tuple(action.pay))


def craft(table: Table, action: a.SettlementCraft) -> Procedure[None]:
    yield from settlement.craft(table, action.gear, tuple(action.pay))


def endeavor(table: Table, action: a.SettlementEndeavor) -> Procedure[None]:
    state: State = table.state
    who = action.survivor
    if who:
        who = survivor(table, who)
    elif len(state.settlement.returning) == 1:
        [who] = state.settlement.returning
    else:
        raise Refused("Who endeavors?", hints=[f"settlement endeavor {action.endeavor} SURVIVOR"])
    yield from settlement.endeavor(table, action.endeavor, who, tuple(action.pay))


def settlement_end(table: Table, _action: a.SettlementEnd) -> Procedure[None]:
    yield from settlement.end(table)


def gear_put(table: Table, action: a.GearPut) -> Procedure[None]:
    yield from grids.put(table, survivor(table, action.survivor), action.gear, action.cell)


def gear_take(table: Table, action: a.GearTake) -> Procedure[None]:
    yield from grids.take(table, survivor(table, action.survivor), action.cell)


def gear_move(table: Table, action: a.GearMove) -> Procedure[None]:
    yield from grids.move(table, survivor(table, action.survivor), action.before, action.to)


def gear_swap(table: Table, action: a.GearSwap) -> Procedure[None]:
    one, other = survivor(table, action.survivor), survivor(table, action.other)
    yield from grids.swap(table, one, action.cell, other, action.other_cell)


def depart(table: Table, action: a.Depart) -> Procedure[None]:
    chosen = list(dict.fromkeys(survivor(table, word) for word in action.survivors))
    if bool(action.hunt) == bool(action.nemesis):
        raise Refused(
            "They depart to hunt a quarry, or to face a nemesis.",
            hints=["--hunt MONSTER", "--nemesis MONSTER"],
        )
    if action.hunt:
        hunt = foes.quarry(table, action.hunt, action.level)
        yield from settlement.depart(table, chosen, hunt=hunt)
    else:
        encounter = foes.nemesis(table, action.nemesis, action.level)
        yield from settlement.depart(table, chosen, encounter=encounter)


PLAYS: Mapping[type[Action], Play] = {
    a.SurvivorNew: Play(survivor_new, when.new_refused, ready.line("survivor new NAME m|f")),
    a.SurvivorRename: Play(survivor_rename, when.anytime),
    a.SurvivorPlayer: Play(survivor_player, when.anytime),
    a.SurvivorWeapon: Play(survivor_weapon, when.at_home, ready.weapon_lines),
    a.SurvivorDeath: Play(survivor_death, when.anytime),
    a.ShowdownBegin: Play(showdown_begin, when.begin_refused, ready.begin_lines),
    a.ShowdownJoin: Play(showdown_join, when.fighting, joining.lines),
    a.ShowdownReorder: Play(showdown_reorder, when.reorder_refused),
    a.Control: Play(control, when.monsters_turn),
    a.MonsterTurn: Play(monster_turn, when.monsters_turn, ready.line("monster turn")),
    a.Deploy: Play(deploy, when.during(("showdown", "deploy")), ready.deploy_lines),
    a.Place: Play(place, when.on_board),
    a.Act: Play(act, when.act_refused, ready.acts("act {}")),
    a.Move: Play(move, when.survivors_turn, ready.moves),
    a.Attack: Play(attack_, when.survivors_turn, ready.attacks),
    a.Activate: Play(activate, when.use_refused, ready.activate_lines),
    a.Consume: Play(consume, when.use_refused),
    a.Give: Play(give, when.give_refused),
    a.SurvivalAction: Play(survival_, when.fighting, ready.survival_lines),
    a.RunAway: Play(run_away, when.fighting),
    a.EndAct: Play(end_act, when.end_act_refused, ready.line("end-act")),
    a.EndTurn: Play(end_turn, when.survivors_turn, ready.line("end-turn")),
    a.Aftermath: Play(aftermath_, when.during(("showdown", "aftermath")), ready.line("aftermath")),
    a.SettlementBegin: Play(settlement_begin, when.returning, ready.return_lines),
    a.Share: Play(share, when.returning, ready.share_lines),
    a.SettlementName: Play(settlement_name, when.during(*when.SETTLED)),
    a.SettlementEvent: Play(
        settlement_event, when.during(("settlement", "event")), ready.line("settlement event")
    ),
    a.SettlementYear: Play(
        settlement_year, when.during(("settlement", "year")), ready.line("settlement year")
    ),
    a.SettlementInnovate: Play(innovate, when.develop, ready.innovate_lines),
    a.SettlementBuild: Play(build, when.develop, ready.build_lines),
    a.SettlementCraft: Play(craft, when.develop, ready.craft_lines),
    a.SettlementEndeavor: Play(endeavor, when.develop, ready.endeavor_lines),
    a.SettlementEnd: Play(settlement_end, when.develop, ready.line("settlement end")),
    a.GearPut: Play(gear_put, when.at_home),
    a.GearTake: Play(gear_take, when.at_home),
    a.GearMove: Play(gear_move, when.at_home),
    a.GearSwap: Play(gear_swap, when.at_home),
    a.Depart: Play(
        depart, when.during(("settlement", "develop"), ("settlement", "ended")), ready.depart_lines
    ),
}
