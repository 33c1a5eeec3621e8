"""Survival actions: who may take which, when they are offered, and what comes of them."""

from __future__ import annotations

from typing import Any

import pytest

from kdmlog.core.dice import parse
from kdmlog.core.errors import KdmlogError, NotNow, Refused
from kdmlog.core.events import CardsMoved, Chosen, Event
from kdmlog.core.inputs import Inputs
from kdmlog.core.requests import Ask, Choose, Fill, Opportunity, Roll
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.game import GAME
from kdmlog.games.kdm.rules import conditions, harm, hiding, pushing, surge, survival, walking
from kdmlog.games.kdm.shorthand import shorthand
from kdmlog.games.kdm.state import State, Tile

from .scene import (
    board,
    fight,
    first_story,
    given,
    of,
    on_board,
    on_top,
    run,
    survivors_turn,
    who,
    zones,
)
from .table import Game

FOUR = ("allister", "erza", "lucy", "zachary")


def learned(game: Game, *innovations: str, survivals: int = 2) -> Game:
    """Everyone has survival to spend, and the settlement knows what to spend it on."""
    game.state.settlement.innovations = list(innovations or ("language", "paint", "inner_lantern"))
    game.state.settlement.survival_limit = 5
    for id_ in FOUR:
        who(game, id_).survival = survivals
    return game


def turn(*innovations: str) -> Game:
    return learned(survivors_turn(), *innovations)


def lying(game: Game, *ids: str) -> Game:
    for id_ in ids:
        run(game, harm.knock_down(game.table, id_))
    return game


class Player:
    """Answers opportunities with what was planned, in order, and notes what was offered."""

    def __init__(self, dice: str = "", *plan: str, **answers: str) -> None:
        self.dice, self.plan, self.answers = dice.split(), list(plan), answers
        self.offered: list[tuple[str, list[str]]] = []

    def __call__(self, request: Ask, _state: State) -> Inputs:
        if isinstance(request, Opportunity):
            self.offered.append((request.purpose, [one.id for one in request.options]))
            return Inputs(choices=[self.plan.pop(0) if self.plan else "pass"])
        if isinstance(request, Choose):
            picked = self.answers.get(request.purpose, request.default)
            assert picked is not None, request
            return Inputs(choices=[picked])
        if isinstance(request, Fill):
            return Inputs(fills=[{one.name: self.answers[one.name] for one in request.fields}])
        assert isinstance(request, Roll), request
        count = parse(request.dice).faces
        faces, self.dice = self.dice[:count], self.dice[count:]
        assert faces, request
        return Inputs(dice=faces)


def spend(game: Game, *words: str, answer: Any = None, inputs: Inputs | None = None) -> list[Event]:
    survivor, what, *target = words
    action = a.SurvivalAction(survivor=survivor, what=what, target=target)
    return game.do(action, inputs, answer)


# --- who may --------------------------------------------------------------------------------------


def test_language_paint_and_inner_lantern_teach_encourage_dash_and_surge() -> None:
    game = first_story()
    assert survival.known(game.table) == ("dodge",)
    for innovation, action in (
        ("language", "encourage"),
        ("paint", "dash"),
        ("inner_lantern", "surge"),
    ):
        game.state.settlement.innovations = [innovation]
        assert survival.known(game.table) == ("dodge", action)


def test_what_is_learned_is_everyones_in_the_showdown_and_no_dead_survivors() -> None:
    game = lying(turn(), "zachary")
    run(game, harm.die(game.table, ["erza"], "a test"))
    for what in ("dodge", "dash", "surge", "encourage"):
        assert survival.refusal(game.table, "lucy", what) == ""
    for what in ("dash", "surge"):
        with pytest.raises(KdmlogError, match="dead"):
            spend(game, "erza", what)
        game.rewind()


@pytest.mark.parametrize("what", ["dash", "surge", "encourage"])
def test_in_the_first_story_survival_buys_dodges_only(what: str) -> None:
    game = lying(survivors_turn(), "lucy")
    with pytest.raises(Refused, match="nobody has learned"):
        spend(game, "erza", what, "lucy")


def test_each_survival_action_once_a_round() -> None:
    game = turn()
    spend(game, "lucy", "dash")
    assert who(game, "lucy").survival == 1
    with pytest.raises(Refused, match="this round"):
        spend(game, "lucy", "dash")
    game.rewind()
    spend(game, "erza", "dash")
    game.do(a.EndTurn())
    assert "round" not in game.state.uses


def test_a_refused_survival_action_costs_nothing() -> None:
    game = turn()
    who(game, "lucy").survival = 0
    with pytest.raises(Refused, match="no survival"):
        spend(game, "lucy", "dash")
    game.rewind()
    assert not game.state.uses
    assert fight(game).survival_action == ""


def test_the_knocked_down_neither_dash_nor_surge_nor_encourage_others() -> None:
    game = lying(turn(), "lucy", "erza")
    for what in ("dash", "surge", "encourage"):
        with pytest.raises(Refused, match="knocked down"):
            spend(game, "lucy", what, "erza")
        game.rewind()
    assert not survival.refusal(game.table, "lucy", "dodge")


def test_doomed_and_frenzied_survivors_spend_no_survival() -> None:
    game = turn()
    who(game, "lucy").bars = {"survival": "card_end"}
    who(game, "erza").passing = ["frenzy"]
    for id_ in ("lucy", "erza"):
        for what in ("dodge", "dash", "surge"):
            assert survival.refusal(game.table, id_, what)


@pytest.mark.parametrize(
    ("injury", "what"),
    [("shattered_jaw", "encourage"), ("dismembered_leg", "dash"), ("broken_hip", "dodge")],
)
def test_some_injuries_bar_one_survival_action_for_good(injury: str, what: str) -> None:
    game = lying(turn(), "zachary")
    who(game, "lucy").severe_injuries = [injury]
    barred = [one for one in survival.ACTIONS if survival.refusal(game.table, "lucy", one)]
    assert barred == [what]


def test_a_slashed_back_bars_the_surge_until_the_showdown_ends() -> None:
    game = turn()
    who(game, "lucy").passing = ["slashed_back"]
    assert survival.refusal(game.table, "lucy", "surge") == "Slashed Back"


def test_an_attacker_takes_no_survival_action() -> None:
    game = turn()
    fight(game).attacker = "lucy"
    for what in ("dodge", "dash", "surge"):
        assert survival.refusal(game.table, "lucy", what) == "attacking"
        assert not survival.refusal(game.table, "erza", what)


def test_no_survival_action_before_the_present_one_is_resolved() -> None:
    game = turn()
    fight(game).survival_action = "erza"
    for what in ("dodge", "dash", "surge"):
        assert "Erza" in survival.refusal(game.table, "lucy", what)


def test_dash_and_surge_wait_for_an_opportunity_on_the_monsters_turn() -> None:
    game = learned(first_story())
    for what in ("dash", "surge"):
        with pytest.raises(NotNow, match="flow"):
            spend(game, "lucy", what)
        game.rewind()


# --- encourage ------------------------------------------------------------------------------------


def test_an_encouraged_survivor_stands_at_any_time() -> None:
    game = lying(learned(first_story()), "lucy")
    spend(game, "erza", "encourage")  # nobody else lies: no need to name her
    assert who(game, "lucy").knocked_down is None
    assert who(game, "erza").survival == 1


def test_the_deaf_are_not_encouraged() -> None:
    game = lying(turn(), "lucy", "zachary")
    who(game, "lucy").severe_injuries = ["deaf"]
    with pytest.raises(Refused, match="deaf"):
        spend(game, "erza", "encourage", "lucy")


def test_who_stands_needs_no_encouragement() -> None:
    game = lying(turn(), "zachary")
    with pytest.raises(Refused, match="not knocked down"):
        spend(game, "erza", "encourage", "lucy")


def test_sour_death_encourages_its_bearer_for_a_strength_token() -> None:
    game = lying(turn(), "lucy", "erza")
    who(game, "lucy").abilities = ["sour_death"]
    assert survival.encouraged_by(game.table, "lucy") == ["lucy"]
    spend(game, "lucy", "encourage")
    assert who(game, "lucy").knocked_down is None
    assert who(game, "lucy").tokens == {"strength": 1}
    assert who(game, "lucy").survival == 1


def test_a_leaders_encouragement_is_a_speed_token_until_the_round_ends() -> None:
    game = lying(turn(), "lucy")
    who(game, "erza").fighting_arts = ["leader"]
    spend(game, "erza", "encourage", "lucy")
    assert who(game, "lucy").tokens == {"speed": 1}
    game.do(a.EndTurn())
    assert who(game, "lucy").tokens.get("speed", 0) == 0
    assert not game.state.deferred


# --- dash -----------------------------------------------------------------------------------------


def test_a_dash_is_a_move_of_its_own_beside_the_act() -> None:
    game = turn()
    game.do(a.Move(survivor="lucy"))
    spend(game, "lucy", "dash")
    act = fight(game).act
    assert act is not None
    assert (act.movement, act.activation) == (0, 1)


def test_who_is_hemmed_in_on_the_board_is_offered_no_dash() -> None:
    game = learned(on_board(allister=(1, 2), lucy=(1, 1), zachary=(5, 1), erza=(2, 1)))
    assert "no space" in survival.refusal(game.table, "lucy", "dash")
    board(game).survivors["erza"] = (3, 1)
    assert not survival.refusal(game.table, "lucy", "dash")


def test_a_dash_on_the_board_is_up_to_the_survivors_movement() -> None:
    game = learned(on_board(lucy=(5, 5), erza=(8, 1)))
    fight(game).turn = "survivors"
    game.state.phase.step = "survivors"
    spend(game, "lucy", "dash", "4n1e")
    assert board(game).survivors["lucy"] == (6, 9)
    with pytest.raises(Refused, match="can move 5"):
        spend(game, "erza", "dash", "6e")
    game.rewind()
    asked = Player(to="5e")
    spend(game, "erza", "dash", answer=asked)
    assert board(game).survivors["erza"] == (13, 1)


# --- flows ----------------------------------------------------------------------------------------


def flow(player: Player, *, far: str = "yes") -> Game:
    """The lion draws Claw on Allister; everyone can dash."""
    game = learned(first_story(), "paint")
    player.answers.setdefault("dodge", "no")

    def answer(request: Ask, state: State) -> Inputs:
        if request.purpose == "target":
            asked = isinstance(request, Choose) and request.about
            return Inputs(choices=["allister" if asked or far == "yes" else "far_allister"])
        return player(request, state)

    game.do(a.MonsterTurn(), answer=answer)
    return game


def test_a_flow_offers_everyone_their_actions_until_all_pass() -> None:
    player = Player("1 1", "dash_zachary")
    game = flow(player)
    assert player.offered == [
        ("flow", [f"dash_{id_}" for id_ in FOUR]),
        ("flow", ["dash_allister", "dash_erza", "dash_lucy"]),
    ]
    assert who(game, "zachary").survival == 1


def test_a_target_that_dashes_away_in_the_flow_may_be_out_of_reach() -> None:
    near, far = Player("1 1", "dash_allister"), Player("", "dash_allister")
    assert of(flow(near).log, e.HitsScored)
    game = flow(far, far="no")
    assert not of(game.log, e.HitsScored)
    assert fight(game).turn == "survivors"


def test_allister_4_spaces_away_dashes_5_more_and_the_lion_falls_short() -> None:
    """The rulebook's example: 9 spaces, the lion moves 6, cannot attack, and its turn ends."""
    game = learned(on_board(monster=(11, 14), allister=(11, 9)), "paint")
    on_top(game, "ai", "claw")
    game.do(a.MonsterTurn(), answer=Player("", "dash_allister", to="5s"))
    assert board(game).survivors["allister"] == (11, 4)
    assert board(game).monster == (11, 8)
    assert not of(game.log, e.HitsScored)
    assert fight(game).turn == "survivors"


def test_on_the_board_a_surge_attacks_only_what_is_in_reach() -> None:
    game = learned(on_board(lucy=(11, 7), erza=(5, 5)))
    fight(game).turn = "survivors"
    game.state.phase.step = "survivors"
    assert "fist_and_tooth" in surge.ways(game.table, "lucy")
    thrown = "founding_stone"  # from anywhere
    assert list(surge.ways(game.table, "erza")) == [thrown, "other"]


def test_a_flow_in_which_nobody_could_act_asks_and_records_nothing() -> None:
    game = first_story()
    game.do(a.MonsterTurn(), given("1 1", "allister"))
    assert "flow" not in [one.purpose for one in of(game.log, Chosen)]


# --- attacks --------------------------------------------------------------------------------------


def attack_of(game: Game, player: Player, location: str, *more: str) -> list[Event]:
    """Allister hits a location once with fists; its toughness is 6."""
    on_top(game, "hit_locations", location, *more)
    return game.do(a.Attack(survivor="allister", weapon="fist_and_tooth"), answer=player)


def test_before_a_reaction_others_may_act_but_not_the_attacker() -> None:
    player = Player("9 1 2 1 1")  # a hit, then no wound; the basic action misses
    attack_of(turn("paint"), player, "strange_hand")
    others = ["dash_erza", "dash_lucy", "dash_zachary"]
    assert player.offered == [("before_reaction", others), ("flow", others)]


def test_a_location_without_a_reaction_is_no_opportunity() -> None:
    player = Player("9 1 2")
    events = attack_of(turn("paint"), player, "beasts_femur")
    assert of(events, e.WoundAttempted)
    assert player.offered == []


def test_after_a_critical_wounds_effects_others_may_act() -> None:
    player = Player("9 1 10", pay="no")
    events = attack_of(turn("paint"), player, "strange_hand")
    assert [purpose for purpose, _ in player.offered] == ["critical_wound"]
    assert of(events, CardsMoved)[-1].to == "persistent"


def test_a_surge_interrupts_an_attack_which_then_goes_on() -> None:
    """Erza surges before the reaction to Allister's first hit; his second is still to come."""
    player = Player("9 9 2 1 1 1 1 2", "surge_erza", surge="fist_and_tooth")
    player.answers |= {"hit_order": "strange_hand", "in_reach": "yes"}
    game = turn("inner_lantern")
    events = attack_of(game, player, "strange_hand", "beasts_femur")
    assert [one.survivor for one in of(events, e.AttackBegun)] == ["allister", "erza"]
    tried = [(one.survivor, one.location) for one in of(events, e.WoundAttempted)]
    assert tried == [("allister", "strange_hand"), ("allister", "beasts_femur")]
    aside = [one.cards for one in of(events, CardsMoved) if one.to == "set_aside"]
    assert aside == [("strange_hand", "beasts_femur")]
    resolved = of(events, e.SurvivalActionResolved)
    assert [(one.survivor, one.attacker) for one in resolved] == [("erza", "allister")]
    assert who(game, "erza").survival == 1
    assert fight(game).attacker == ""
    assert set(zones(game, "hit_locations")) == {"deck", "discard"}


def test_who_is_doomed_by_a_card_stays_so_while_a_surge_interrupts_it() -> None:
    player = Player("9 1 2 9 1 2 1 1 1 1", "surge_erza", surge="fist_and_tooth", in_reach="yes")
    game = turn("inner_lantern")
    who(game, "lucy").bars = {"survival": "card_end"}
    attack_of(game, player, "strange_hand", "beasts_femur")  # hers is the femur
    offered = [ids for _, ids in player.offered if ids]
    assert offered[1:] == [["surge_zachary"], ["surge_zachary"]]
    assert not who(game, "lucy").bars, "the location is resolved"


def test_a_trap_in_a_surge_ends_the_attack_that_it_interrupts() -> None:
    """The lion plays Clever Ploy on Erza and misses; Allister's second hit never comes."""
    player = Player("9 9 2 9 1 1 1", "surge_erza", surge="fist_and_tooth")
    player.answers |= {"hit_order": "strange_hand"}
    game = turn("inner_lantern")
    events = attack_of(game, player, "strange_hand", "beasts_femur", "clever_ploy")
    assert [one.location for one in of(events, e.WoundAttempted)] == ["strange_hand"]
    assert [one.survivor for one in of(events, e.AttackEnded)] == ["erza", "allister"]
    assert set(zones(game, "hit_locations")) == {"deck"}, "a trap reshuffles everything"
    assert len(zones(game, "hit_locations")["deck"]) == 23


def test_within_a_surge_nobody_takes_a_survival_action() -> None:
    """No dash at the reaction and its flow, and no dodge of the hit."""
    player = Player("9 1 2 9 9 w w")
    game = turn()
    on_top(game, "hit_locations", "strange_hand")
    spend(game, "erza", "surge", "fist", answer=player)
    assert all(not options for _, options in player.offered)
    assert who(game, "erza").armor["waist"] == 0
    assert not of(game.log, e.DodgeSpent)


# --- surge ----------------------------------------------------------------------------------------


def test_a_surge_is_one_activation_more_spent_at_once() -> None:
    game = turn()
    game.do(a.Attack(survivor="lucy", weapon="fist_and_tooth"), given("1 1"))
    spend(game, "lucy", "surge", "fist", inputs=given("1 1"))
    assert len(of(game.log, e.AttackBegun)) == 2
    assert who(game, "lucy").survival == 1


def test_a_surge_asks_what_for_the_last_weapon_first() -> None:
    game = turn()
    fight(game).last_weapon["lucy"] = "fist_and_tooth"
    offered: list[str] = []

    def answer(request: Ask, _state: State) -> Inputs:
        if isinstance(request, Choose):
            offered.extend(one.id for one in request.options)
            return Inputs(choices=["throw_founding_stone"])
        return Inputs(dice=["1"])

    on_top(game, "hit_locations", "glorious_mane")
    spend(game, "lucy", "surge", answer=answer)
    assert offered[:2] == ["fist_and_tooth", "blind_fist_and_tooth"]
    assert {"founding_stone", "throw_founding_stone", "terrain", "other"} <= set(offered)
    assert "tall_grass" not in offered, "without a board all terrain might be near: asked apart"
    assert "founding_stone" not in [game.state.gear[g] for g in who(game, "lucy").grid.values()]


def test_sweet_battle_surges_without_survival_for_a_weapon_alone() -> None:
    game = turn()
    who(game, "lucy").survival = 0
    who(game, "lucy").abilities = ["sweet_battle"]
    with pytest.raises(Refused):
        spend(game, "lucy", "surge", "tall_grass")
    game.rewind()
    spend(game, "lucy", "surge", "fist_and_tooth", inputs=given("1 1"))
    assert who(game, "lucy").survival == 0
    with pytest.raises(Refused, match="this round"):
        spend(game, "lucy", "surge", "fist_and_tooth", inputs=given("1 1"))


# --- terrain --------------------------------------------------------------------------------------


def test_tall_grass_hides_whoever_activates_it() -> None:
    game = turn()
    game.do(a.Activate(survivor="lucy", thing="tall grass"))
    assert not conditions.is_threat(game.table, "lucy")
    with pytest.raises(NotNow, match="activation"):
        game.do(a.Activate(survivor="lucy", thing="tall grass"))
    game.rewind()
    game.do(a.Move(survivor="lucy"))
    assert conditions.is_threat(game.table, "lucy"), "whoever moves on has left it"


def test_whoever_leaves_the_tall_grass_is_a_threat_again() -> None:
    game = on_board(lucy=(5, 5))
    fight(game).turn = "survivors"
    game.state.phase.step = "survivors"
    board(game).tiles["tall_grass.1"] = Tile(terrain="tall_grass", at=(5, 5), width=2, height=2)
    game.do(a.Activate(survivor="lucy", thing="tall grass"))
    run(game, walking.walk(game.table, "lucy", ["6", "6"]))
    assert not conditions.is_threat(game.table, "lucy"), "still in it"
    run(game, pushing.push(game.table, "lucy", 2))
    assert conditions.is_threat(game.table, "lucy"), "knocked out of it"
    run(game, hiding.hide(game.table, "lucy"))
    run(game, walking.walk(game.table, "lucy", ["3", "6"]))
    assert not conditions.is_threat(game.table, "lucy"), "the salve hides wherever one goes"


def test_on_the_board_terrain_must_be_near_to_be_activated() -> None:
    game = on_board(lucy=(5, 5), erza=(9, 9))
    fight(game).turn = "survivors"
    game.state.phase.step = "survivors"
    tile = Tile(terrain="acanthus_plants", at=(5, 6))
    board(game).tiles["acanthus_plants.1"] = tile
    with pytest.raises(Refused):
        game.do(a.Activate(survivor="erza", thing="acanthus"))
    game.rewind()
    game.do(a.Activate(survivor="lucy", thing="acanthus"), given("8"))
    assert not board(game).tiles, "the plants are trampled"


@pytest.mark.parametrize(
    ("typed", "lines"),
    [
        ("lucy d", [["survival", "lucy", "dash"]]),
        ("lucy m d", [["move", "lucy"], ["survival", "lucy", "dash"]]),
        ("lucy su fist 1,1", [["survival", "lucy", "surge", "fist_and_tooth"], ["1,1"]]),
        ("lucy a fist_and_tooth 1,1", [["attack", "lucy", "fist_and_tooth"], ["1,1"]]),
        ("lucy su b fist", [["survival", "lucy", "surge", "blind_fist_and_tooth"]]),
        ("lucy su 1,1", [["survival", "lucy", "surge", "founding_stone"], ["1,1"]]),
        ("lucy su tall_grass", [["survival", "lucy", "surge", "tall_grass"]]),
        ("lucy su", [["survival", "lucy", "surge"]]),
        ("lucy en erza", [["survival", "lucy", "encourage", "erza"]]),
    ],
)
def test_survival_is_spent_in_short_words(typed: str, lines: list[list[str]]) -> None:
    meant = shorthand(turn().table, typed.split())
    assert meant is not None
    found = [words for line in meant for words in (line.words, line.loose) if words]
    assert found == lines


def test_what_could_be_spent_is_among_the_ready_lines() -> None:
    game = lying(turn(), "zachary")
    lines = list(GAME.plays[a.SurvivalAction].ready(game.table))
    assert "survival lucy encourage zachary" in lines
    assert "survival lucy dash" in lines
    assert not any("zachary dash" in one for one in lines)
    assert list(GAME.plays[a.SurvivalAction].ready(survivors_turn().table)) == []
