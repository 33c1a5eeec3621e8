"""The settlement phase: its steps in order, deaths, births, innovations, crafting, departing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from kdmlog.core.errors import Refused
from kdmlog.core.events import Asked, Chosen, Event
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import Cost, Innovation
from kdmlog.games.kdm.game import GAME
from kdmlog.games.kdm.rules import harm, settle, things
from kdmlog.games.kdm.state import Phase

from .scene import (
    developing,
    fight,
    given,
    of,
    on_top,
    play,
    run,
    settled,
    store,
    survivors_turn,
    victory,
    who,
)
from .table import Game

LANGUAGE = ["ammonia", "drums", "hovel", "inner_lantern", "paint", "symposium"]


def refused(game: Game, action: type) -> bool:
    return GAME.plays[action].refuse(game.table) is not None


# --- steps ----------------------------------------------------------------------------------------


def test_the_steps_come_in_order() -> None:
    game = victory()
    steps = (a.SettlementBegin, a.SettlementEvent, a.SettlementYear, a.SettlementEnd)
    done: tuple[Callable[[], object], ...] = (
        lambda: game.do(a.SettlementBegin(name="Edge")),
        lambda: game.do(a.SettlementEvent(), given(population="8")),
        lambda: game.do(a.SettlementYear(), given("", "allister")),
        lambda: game.do(a.SettlementEnd()),
    )
    for number, step in enumerate(done):
        assert [refused(game, one) for one in steps] == [one is not steps[number] for one in steps]
        assert refused(game, a.SettlementInnovate) is (number != 3)
        step()
    assert game.state.phase == Phase(name="settlement", step="ended")


def test_the_first_day_is_the_first_year_s_alone() -> None:
    """Later the players draw a settlement event and say what it does."""
    game = victory()
    game.state.settlement.lantern_year = 5
    game.state.settlement.population = 12
    game.do(a.SettlementBegin(name="Edge"))
    says = "gain erza courage 1; population 2; endeavors 1"
    endeavors = game.state.settlement.endeavors
    events = game.do(a.SettlementEvent(), given(effects=says))
    assert [one.event for one in of(events, e.StoryTriggered)] == ["settlement_event"]
    assert who(game, "erza").courage == 1 and game.state.settlement.population == 14
    assert game.state.settlement.endeavors == endeavors + 1
    assert game.state.phase.step == "year"


def test_a_settlement_that_has_a_name_is_not_asked_for_one() -> None:
    game = victory()
    assert GAME.step(game.table) == "settlement begin NAME"
    game.state.settlement.name = "Edge"
    assert GAME.step(game.table) == "settlement begin"


def test_the_returning_gain_1_survival_when_the_settlement_is_named_within_the_limit() -> None:
    game = victory()
    who(game, "erza").survival = 0
    game.do(a.SettlementBegin(name="Edge"))
    assert [one.survival for one in game.state.survivors.values()] == [1, 1, 1, 1]
    assert game.state.settlement.name == "Edge"


def test_the_dead_gain_nothing_when_the_settlement_is_named() -> None:
    game = survivors_turn()
    for one in game.state.survivors.values():
        one.survival = 0
    run(game, harm.die(game.table, ["lucy"], "a test"))
    fight(game).outcome = "victory"
    game.state.phase = Phase(name="showdown", step="aftermath")
    game.do(a.Aftermath(), answer=lambda r, _s: given("", r.options[0].id))  # type: ignore[union-attr]
    game.do(a.SettlementBegin(name="Edge"))
    assert [one.survival for one in game.state.survivors.values()] == [1, 1, 0, 1]
    assert game.state.settlement.endeavors == 3


def test_wounds_are_healed_and_armor_is_whole_but_permanent_injuries_stay() -> None:
    game = victory()
    one = who(game)
    one.injuries = {"arms": ["light"], "head": ["heavy"], "brain": ["light"]}
    one.armor["waist"] = 0
    one.severe_injuries = ["deaf"]
    game.do(a.SettlementBegin(name="Edge"))
    assert who(game).injuries == {}
    assert who(game).armor["waist"] == 1
    assert who(game).severe_injuries == ["deaf"]


def test_each_returning_survivor_is_1_endeavor_and_a_tinker_1_more() -> None:
    game = victory()
    who(game).abilities.append("tinker")
    game.do(a.SettlementBegin(name="Edge"))
    assert game.state.settlement.endeavors == 5


def test_a_hamstrung_tinker_has_no_use_of_the_ability() -> None:
    game = victory()
    who(game).abilities.append("tinker")
    who(game).severe_injuries.append("hamstrung")
    game.do(a.SettlementBegin(name="Edge"))
    assert game.state.settlement.endeavors == 4


def test_the_first_day_sets_the_population() -> None:
    assert settled("9").state.settlement.population == 9


def test_the_first_lantern_year_brings_the_returning_survivors() -> None:
    game = settled()
    game.do(a.SettlementYear(), given("", "lucy"))
    settlement = game.state.settlement
    assert settlement.lantern_year == 1
    assert settlement.innovations == ["language"]
    assert settlement.locations == ["lantern_hoard"]
    assert settlement.quarries == ["white_lion"]
    speaker = who(game, "lucy")
    assert (speaker.courage, speaker.understanding, speaker.skip_next_hunt) == (1, 1, True)
    assert sorted(game.state.decks["innovations"]["deck"]) == LANGUAGE


def test_only_the_returning_can_speak_the_first_words() -> None:
    game = settled()
    game.state.settlement.returning.remove("lucy")
    with pytest.raises(Exception, match="lucy"):
        game.do(a.SettlementYear(), given("", "lucy"))


# --- deaths ---------------------------------------------------------------------------------------


def year_with(deaths: int, *answers: str, dice: str = "6") -> Game:
    game = settled()
    game.state.settlement.uncounted_deaths = deaths
    game.do(a.SettlementYear(), given(dice, *answers))
    return game


def test_the_death_count_and_its_principle_come_before_the_timeline() -> None:
    game = year_with(2, "graves", "erza", "allister")
    assert game.state.settlement.death_count == 2
    kinds = [one for one in game.log if isinstance(one, (e.DeathsCounted, e.FigureChanged))]
    assert isinstance(kinds[-3], e.DeathsCounted)
    assert who(game, "erza").luck == 1


def test_principle_death_comes_once() -> None:
    game = year_with(1, "graves", "erza", "allister")
    events = play(game, [{"die": {}}], who="lucy")
    assert game.state.settlement.death_count == 2
    assert not of(events, e.StoryTriggered)
    assert game.state.settlement.principles == ["graves"]


def test_a_death_in_the_settlement_counts_at_once() -> None:
    game = developing()
    play(game, [{"die": {}}], given("6", "graves", "erza"), who="lucy")
    assert game.state.settlement.death_count == 1
    assert game.state.settlement.uncounted_deaths == 0
    assert game.state.settlement.population == 7


def test_cannibalize_raises_the_limit_and_feeds_or_hardens() -> None:
    game = year_with(1, "cannibalize", "allister", dice="5")
    settlement = game.state.settlement
    assert settlement.survival_limit == 3
    assert [game.state.gear[one] for one in settlement.storage.gear] == ["founding_stone"]
    depart(game, "erza", "lucy", "zachary", new="Mabel")
    assert [who(game, one).insanity for one in ("erza", "lucy", "zachary", "mabel")] == [3] * 4
    assert who(game).insanity == 0
    game = year_with(1, "cannibalize", "erza", "allister")
    assert who(game, "erza").speed == 1


def test_graves_give_the_departing_survival_and_understanding() -> None:
    game = year_with(1, "graves", "allister", dice="5")
    depart(game, "erza", "lucy", "zachary", new="Mabel")
    assert [who(game, one).understanding for one in ("erza", "lucy", "zachary")] == [1, 1, 1]
    assert [who(game, one).survival for one in ("erza", "lucy", "zachary")] == [2, 2, 2]


def test_a_later_death_feeds_cannibals_and_gives_the_buriers_an_endeavor_at_home() -> None:
    game = year_with(1, "cannibalize", "erza", "allister")
    events = play(game, [{"die": {}}], who="lucy")
    assert len(of(events, e.ResourceGained)) == 1
    game = year_with(1, "graves", "erza", "allister")
    before = game.state.settlement.endeavors
    play(game, [{"die": {}}], who="lucy")
    assert game.state.settlement.endeavors == before + 1


def test_a_corrected_cause_of_death_changes_no_count() -> None:
    game = developing()
    play(game, [{"die": {}}], given("6", "graves", "erza"), who="lucy")
    game.do(a.SurvivorDeath(survivor="lucy", cause="a broken heart"))
    assert game.state.settlement.death_count == 1
    assert game.state.settlement.milestones == ["first_death"]
    assert who(game, "lucy").cause == "a broken heart"


def test_with_nobody_left_the_game_is_over() -> None:
    game = developing()
    play(game, [{"population": {"by": -99}}])
    assert game.state.settlement.population == 0
    assert game.state.phase.name == "over"


# --- births and intimacy --------------------------------------------------------------------------


def intimacy(game: Game, dice: str, *choices: str, names: tuple[str, ...] = ()) -> list[Event]:
    inputs = given(dice, "couple", "allister", "erza", *choices)
    inputs.fills = [{"name": name, "sex": "f"} for name in names]
    return play(game, [{"trigger": "intimacy"}], inputs, who="allister")


def test_intimacy_1_both_are_dead() -> None:
    game = developing()
    intimacy(game, "1 6", "graves", "lucy")
    assert (who(game).status, who(game, "erza").status) == ("dead", "dead")
    assert game.state.settlement.population == 6
    assert game.state.settlement.death_count == 2


def test_a_couple_dies_together_before_their_death_has_its_principle() -> None:
    game = developing()
    before = game.state.settlement.endeavors
    intimacy(game, "1 6", "graves", "lucy")  # 6 would be nobody's gain who lies dead
    counted = [one.by for one in of(game.log, e.DeathsCounted)]
    assert counted == [2]
    assert game.state.settlement.endeavors == before  # Graves pay for deaths to come


@pytest.mark.parametrize("face", ["2", "3"])
def test_intimacy_2_and_3_the_mother_dies_and_the_father_mourns(face: str) -> None:
    game = developing()
    intimacy(game, f"{face} 6", "graves", "lucy")
    assert who(game, "erza").status == "dead"
    assert who(game).insanity == 3
    assert len(who(game).disorders) == 1
    assert game.state.settlement.population == 7


@pytest.mark.parametrize("face", ["4", "6"])
def test_intimacy_4_to_6_a_survivor_is_born_and_their_parents_are_known(face: str) -> None:
    game = developing()
    intimacy(game, f"{face} 1", "protect_the_young", names=("Nova",))
    assert game.state.settlement.population == 9
    parents = who(game, "nova").parents
    assert parents is not None
    assert (parents.mother, parents.father) == ("erza", "allister")
    assert who(game, "nova").survival == 1
    assert who(game, "nova").sex == "female"


def test_intimacy_7_and_8_the_parents_gain_10_survival_within_the_limit() -> None:
    game = developing()
    events = intimacy(game, "8 6", "protect_the_young", names=("Nova",))
    assert (who(game).survival, who(game, "erza").survival) == (2, 2)
    lost = {
        one.survivor: one.lost
        for one in of(events, e.StatChanged)
        if one.stat == "survival" and one.lost
    }
    assert lost == {"allister": 9, "erza": 9}


def test_intimacy_9_are_twins_and_the_milestone_fires_once() -> None:
    game = developing()
    run(game, settle.gain_innovation(game.table, "bed"))
    play(game, [{"principle": "graves"}])
    events = intimacy(game, "9 6", "survival_of_the_fittest", names=("Nova", "Nils"))
    assert game.state.settlement.population == 10
    assert [one.milestone for one in of(events, e.MilestoneReached)] == ["first_birth"]
    for one in ("nova", "nils"):
        newborn = who(game, one)
        assert newborn.strength == 1  # Bed's; the principle was chosen after the birth
        assert newborn.understanding == 1  # Graves'
        assert (newborn.courage, newborn.fighting_arts) == (2, ["tough"])
        assert len(newborn.disorders) == 1
        assert newborn.parents is not None
    assert game.state.settlement.survival_limit == 2 + 1 + 1


def test_with_a_hovel_9_is_one_special_child() -> None:
    game = developing()
    run(game, settle.gain_innovation(game.table, "hovel"))
    inputs = given("9 1", "couple", "allister", "erza", "protect_the_young", "beast")
    inputs.fills = [{"name": "Nova", "sex": "f"}]
    play(game, [{"trigger": "intimacy"}], inputs, who="allister")
    assert game.state.settlement.population == 9
    dream = ["dream_of_the_beast", "caratosis", "red_life_exchange"]
    assert who(game, "nova").abilities[-3:] == dream


def test_the_second_birth_brings_the_principles_own_gift_and_no_milestone() -> None:
    game = developing()
    intimacy(game, "4 1", "survival_of_the_fittest", names=("Nova",))
    assert (who(game).strength, who(game).insanity, who(game).skip_next_hunt) == (1, 2, True)
    assert who(game, "nova").strength == 0
    events = intimacy(game, "9 4", names=("Nils",))
    assert who(game, "nils").strength == 1
    assert not of(events, e.StoryTriggered)[1:]


def test_the_fittest_roll_twice_and_the_lower_counts_the_young_choose() -> None:
    game = developing()
    intimacy(game, "4 6", "protect_the_young", names=("Nova",))
    assert who(game, "nova").fighting_arts == ["strategist"]
    intimacy(game, "1 7", "7", names=("Nils",))
    assert who(game).alive
    assert game.state.settlement.population == 10


def test_protect_the_young_gives_the_parents_survival_and_evasion() -> None:
    game = developing()
    intimacy(game, "4 5", "protect_the_young", names=("Nova",))
    assert (who(game).survival, who(game).evasion) == (2, 1)
    assert (who(game, "erza").survival, who(game, "erza").evasion) == (2, 1)


def test_destroyed_genitals_are_never_nominated() -> None:
    game = developing()
    who(game, "zachary").severe_injuries.append("destroyed_genitals")
    intimacy_of = given("4 1", "couple", "erza", "protect_the_young", name="Nova", sex="m")
    play(game, [{"trigger": "intimacy"}], intimacy_of, who="allister")
    parents = who(game, "nova").parents
    assert parents is not None
    assert parents.father == "allister"


def test_nobody_need_consent() -> None:
    game = developing()
    play(game, [{"trigger": "intimacy"}], given("", "nobody"), who="allister")
    assert game.state.settlement.population == 8


def test_a_newborn_without_a_name_gains_the_survival_when_it_is_named() -> None:
    game = developing()
    intimacy(game, "4 1", "protect_the_young", names=("",))
    assert who(game, "newborn").survival == 0
    game.do(a.SurvivorRename(survivor="newborn", name="Nova"))
    assert who(game, "newborn").survival == 1
    game.do(a.SurvivorRename(survivor="newborn", name="Nora"))
    assert who(game, "newborn").survival == 1


# --- augury ---------------------------------------------------------------------------------------


def augury(game: Game, dice: str, *choices: str, survivor: str = "erza") -> None:
    game.state.settlement.locations.append("organ_grinder")
    game.do(a.SettlementEndeavor(endeavor="augury", survivor=survivor), given(dice, *choices))


def test_augury_1_to_3_loses_a_resource_for_understanding() -> None:
    game = developing()
    store(game, scrap=1)
    augury(game, "3")
    assert game.state.settlement.storage.resources == {}
    assert who(game, "erza").understanding == 1
    assert game.state.settlement.endeavors == 3
    game = developing()
    augury(game, "3")
    assert who(game, "erza").understanding == 0


def test_augury_4_to_7_is_1_survival() -> None:
    for face in ("4", "7"):
        game = developing()
        augury(game, face)
        assert who(game, "erza").survival == 2


def test_augury_8_is_intimacy_and_3_understanding_add_1() -> None:
    game = developing()
    augury(game, "8", "nobody")
    game = developing()
    who(game, "erza").understanding = 3
    augury(game, "7", "nobody")
    game = developing()
    who(game, "erza").understanding = 3
    augury(game, "3")
    assert who(game, "erza").survival == 2


def test_an_endeavors_effect_is_for_the_one_who_made_it() -> None:
    game = developing()
    augury(game, "5", survivor="lucy")
    assert [one.survival for one in game.state.survivors.values()] == [1, 1, 2, 1]


def test_an_endeavor_needs_one_left() -> None:
    game = developing()
    game.state.settlement.endeavors = 0
    with pytest.raises(Refused, match="0 left"):
        augury(game, "5")


# --- innovating -----------------------------------------------------------------------------------


def rich(**resources: int) -> Game:
    game = developing()
    store(game, **resources)
    return game


def test_innovating_draws_2_keeps_1_and_adds_its_consequences() -> None:
    game = rich(monster_bone=1, monster_hide=1, monster_organ=1)
    on_top(game, "innovations", "ammonia", "drums")
    events = game.do(a.SettlementInnovate(), given("", "ammonia"))
    assert [one.offered for one in of(events, Chosen)] == [("ammonia", "drums")]
    settlement = game.state.settlement
    assert settlement.innovations == ["language", "ammonia"]
    assert settlement.endeavors == 3
    assert settlement.storage.resources == {}
    deck = game.state.decks["innovations"]
    assert sorted(deck["deck"]) == sorted({*LANGUAGE, "bloodletting", "lantern_oven"} - {"ammonia"})
    assert not deck["drawn"]


def test_innovating_is_once_a_phase() -> None:
    game = rich(monster_bone=2, monster_hide=2, monster_organ=2)
    on_top(game, "innovations", "ammonia", "drums")
    game.do(a.SettlementInnovate(), given("", "drums"))
    with pytest.raises(Refused, match="once a phase"):
        game.do(a.SettlementInnovate(), given("", "paint"))


def test_romantic_settlements_innovate_twice_a_phase() -> None:
    game = rich(monster_bone=3, monster_hide=3, monster_organ=3)
    game.state.settlement.principles.append("romantic")
    offered = GAME.plays[a.SettlementInnovate].ready
    game.state.settlement.endeavors = 3
    for card in ("drums", "paint"):
        on_top(game, "innovations", card)
        assert "settlement innovate" in list(offered(game.table))
        game.do(a.SettlementInnovate(), given("", card))
    assert "settlement innovate" not in list(offered(game.table))
    with pytest.raises(Refused, match="2 times a phase"):
        game.do(a.SettlementInnovate())


def test_innovating_needs_bone_organ_and_hide() -> None:
    game = rich(monster_bone=1, monster_hide=1)
    with pytest.raises(Refused, match="1 organ"):
        game.do(a.SettlementInnovate())


def test_the_deck_is_the_consequences_of_what_is_owned_less_what_is_owned() -> None:
    game = developing()
    for gained in ("paint", "symposium", "bed", "ammonia", "lantern_oven"):
        choices = given("", effects="") if gained == "ammonia" else None
        run(game, settle.gain_innovation(game.table, gained), choices)
        owned = set(game.state.settlement.innovations)
        records = game.library.all(Innovation).items()
        due = sorted(i for i, one in records if one.consequence_of in owned and i not in owned)
        assert sorted(game.state.decks["innovations"]["deck"]) == due


def test_five_innovations_bring_the_hooded_knight_once() -> None:
    game = developing()
    for gained in ("paint", "drums", "hovel"):
        run(game, settle.gain_innovation(game.table, gained))
    assert "innovations_5" not in game.state.settlement.milestones
    run(game, settle.gain_innovation(game.table, "ammonia"), given(effects=""))
    assert "innovations_5" in game.state.settlement.milestones
    run(game, settle.gain_innovation(game.table, "symposium"))


def test_a_population_of_15_brings_principle_society() -> None:
    game = developing()
    play(game, [{"population": {"by": 6}}])
    assert "population_15" not in game.state.settlement.milestones
    play(game, [{"population": {"by": 1}}], given(effects=""))
    assert "population_15" in game.state.settlement.milestones


def test_symposium_draws_two_more() -> None:
    game = rich(monster_bone=1, monster_hide=1, monster_organ=1)
    run(game, settle.gain_innovation(game.table, "symposium"))
    on_top(game, "innovations", "ammonia", "drums", "paint", "hovel")
    game.do(a.SettlementInnovate(), given("", "hovel"))
    assert "hovel" in game.state.settlement.innovations


# --- building and crafting ------------------------------------------------------------------------


def test_building_at_the_lantern_hoard_is_1_endeavor() -> None:
    game = developing()
    for place in ("bone_smith", "organ_grinder", "skinnery"):
        game.do(a.SettlementBuild(location=place))
    assert game.state.settlement.endeavors == 1
    assert game.state.settlement.locations == [
        *("lantern_hoard", "bone_smith", "organ_grinder", "skinnery")
    ]
    with pytest.raises(Exception, match="location to build"):
        game.do(a.SettlementBuild(location="skinnery"))


def workshop(**resources: int) -> Game:
    game = rich(**resources)
    game.state.settlement.locations += ["bone_smith", "organ_grinder", "skinnery"]
    return game


def spent(game: Game, *gear: str, pay: tuple[str, ...] = (), choose: str = "") -> dict[str, int]:
    """Returns what crafting took out of storage."""
    before = Counter(game.state.settlement.storage.resources)
    action = a.SettlementCraft(gear=list(gear), pay=list(pay))
    game.do(action, given("", *([choose] if choose else [])))
    return dict(before - Counter(game.state.settlement.storage.resources))


def test_a_lion_claw_may_be_spent_as_bone() -> None:
    game = workshop(lion_claw=1)
    assert spent(game, "bone_blade") == {"lion_claw": 1}
    assert [game.state.gear[one] for one in game.state.settlement.storage.gear] == ["bone_blade"]


def test_a_cost_by_name_has_no_substitute() -> None:
    game = workshop(monster_hide=9, monster_bone=9)
    run(game, settle.gain_innovation(game.table, "ammonia"))
    with pytest.raises(Refused, match="Leather"):
        game.do(a.SettlementCraft(gear=["bone_sickle"]))
    game.rewind()
    store(game, leather=1)
    assert spent(game, "bone_sickle") == {"leather": 1, "monster_bone": 1}


def test_a_prerequisite_must_be_there() -> None:
    game = workshop(monster_hide=9, monster_bone=9, leather=9)
    with pytest.raises(Refused, match="Ammonia"):
        game.do(a.SettlementCraft(gear=["bone_sickle"]))


def test_gear_of_a_location_that_is_not_built_cannot_be_crafted() -> None:
    game = rich(monster_bone=1)
    with pytest.raises(Exception, match="bone_blade"):
        game.do(a.SettlementCraft(gear=["bone_blade"]))


def test_a_resource_of_two_types_counts_once() -> None:
    game = workshop(question_marks=1)
    with pytest.raises(Refused, match="1 bone, 1 organ"):
        game.do(a.SettlementCraft(gear=["bone_axe"]))
    game.rewind()
    store(game, monster_organ=1)
    taken = spent(game, "bone_axe", choose="yes")
    assert taken == {"question_marks": 1, "monster_organ": 1}


def test_the_cheapest_pays_and_nothing_is_asked_without_a_resource_of_several_types() -> None:
    game = workshop(question_marks=2, monster_bone=1, monster_organ=1, lion_claw=1)
    assert spent(game, "bone_axe") == {"monster_bone": 1, "monster_organ": 1}
    asked = [one for one in of(game.log, Asked) if one.request.purpose == "payment"]
    assert asked == []


def payments(game: Game) -> int:
    return sum(one.purpose == "payment" for one in of(game.log, Chosen))


def test_plain_resources_pay_before_special_ones() -> None:
    game = workshop(love_juice=1, monster_organ=1, skull=1, monster_bone=1)
    assert spent(game, "bone_axe") == {"monster_bone": 1, "monster_organ": 1}
    assert payments(game) == 0


def test_a_special_resource_is_asked_about_only_where_another_would_do() -> None:
    game = workshop(love_juice=1, monster_bone=1)
    assert spent(game, "bone_axe") == {"monster_bone": 1, "love_juice": 1}
    assert payments(game) == 0
    game = workshop(love_juice=1, monster_bone=1, sinew=1)
    assert spent(game, "bone_axe") == {"monster_bone": 1, "sinew": 1}
    assert payments(game) == 0
    game = workshop(shimmering_mane=1, white_fur=1)
    assert spent(game, "rawhide_vest") == {"white_fur": 1}
    assert payments(game) == 0
    game = workshop(shimmering_mane=1, leather=1)
    assert spent(game, "rawhide_vest", choose="yes") == {"leather": 1}
    assert payments(game) == 1


def test_what_is_named_pays_instead_and_is_not_asked_about() -> None:
    game = workshop(question_marks=1, monster_bone=1, monster_organ=1)
    assert spent(game, "bone_blade", pay=("question_marks",)) == {"question_marks": 1}


def test_what_does_not_fit_does_not_pay() -> None:
    game = workshop(monster_hide=1, monster_bone=1)
    with pytest.raises(Refused, match="does not pay"):
        game.do(a.SettlementCraft(gear=["bone_blade"], pay=["monster_hide"]))


def test_of_two_ways_to_pay_the_cheaper_one_unless_the_other_is_named() -> None:
    game = workshop(skull=1, monster_bone=2)
    assert spent(game, "skull_helm") == {"skull": 1}
    assert spent(game, "skull_helm") == {"monster_bone": 2}
    game = workshop(skull=1, monster_bone=2)
    assert spent(game, "skull_helm", pay=("monster_bone", "monster_bone")) == {"monster_bone": 2}


def test_any_resource_pays_for_resource() -> None:
    game = developing()
    store(game, scrap=1, monster_hide=1)
    run(game, things.pay(game.table, [Cost(any=True, count=2)]))
    assert game.state.settlement.storage.resources == {}


def test_nothing_is_spent_when_a_craft_is_refused() -> None:
    game = workshop(monster_bone=1)
    with pytest.raises(Refused):
        game.do(a.SettlementCraft(gear=["bone_blade", "bone_dagger"]))
    game.rewind()
    assert game.state.settlement.storage.resources == {"monster_bone": 1}


# --- resources and their decks --------------------------------------------------------------------


def test_a_resource_is_back_in_its_deck_only_when_it_is_recorded() -> None:
    game = developing()
    play(game, [{"gain_resource": {"id": "lion_tail", "to": "storage"}}])
    play(game, [{"gain_resource": {"id": "lion_tail", "to": "storage"}}])
    assert game.state.settlement.storage.resources == {"lion_tail": 1}
    assert "lion_tail" not in things.in_deck(game.table, "white_lion")
    game.do(a.SettlementEnd())
    assert "lion_tail" in things.in_deck(game.table, "white_lion")
    play(game, [{"gain_resource": {"id": "lion_tail", "to": "storage"}}])
    assert game.state.settlement.storage.resources == {"lion_tail": 2}


def test_a_spent_resource_is_back_in_the_box() -> None:
    game = workshop()
    play(game, [{"gain_resource": {"id": "lion_claw", "to": "storage"}}])
    assert things.in_deck(game.table, "white_lion").count("lion_claw") == 2
    spent(game, "bone_blade")
    assert things.in_deck(game.table, "white_lion").count("lion_claw") == 3


def test_the_skull_gives_insanity_to_one_of_the_players_choice() -> None:
    game = developing()
    gain = [{"gain_resource": {"id": "skull", "to": "storage"}}]
    play(game, gain, given("", "lucy"))
    assert who(game, "lucy").insanity == 1


# --- departing ------------------------------------------------------------------------------------


def depart(game: Game, *people: str, new: str = "") -> list[Event]:
    if new:
        game.do(a.SurvivorNew(name=new, sex="f"))
        people = (*people, new.lower())
    return game.do(a.Depart(survivors=list(people), hunt="white_lion"))


def test_four_depart_and_the_speaker_stays_but_may_hunt_the_next_time() -> None:
    game = developing("allister")
    game.do(a.SurvivorNew(name="Mabel", sex="f"))
    with pytest.raises(Refused, match="skips the next hunt"):
        depart(game, "allister", "erza", "lucy", "zachary")
    game.rewind()
    with pytest.raises(Refused, match="4 survivors depart"):
        depart(game, "erza", "lucy", "zachary")
    game.rewind()
    who(game, "mabel").skip_next_hunt = False
    depart(game, "erza", "lucy", "zachary", "mabel")
    assert game.state.settlement.departing == ["erza", "lucy", "zachary", "mabel"]
    assert not any(one.skip_next_hunt for one in game.state.survivors.values())
    assert game.state.phase.name == "hunt"


def test_fewer_than_four_depart_when_there_are_no_more() -> None:
    game = settled("4")
    game.do(a.SettlementYear(), given("", "allister"))
    depart(game, "erza", "lucy", "zachary")
    assert game.state.settlement.departing == ["erza", "lucy", "zachary"]


def test_the_retired_and_the_dead_do_not_depart() -> None:
    game = developing("allister")
    who(game, "erza").status = "retired"
    game.do(a.SurvivorNew(name="Mabel", sex="f"))
    with pytest.raises(Refused, match="retired"):
        depart(game, "erza", "lucy", "zachary", "mabel")


def test_who_cannot_wear_anything_on_the_waist_departs_without_the_cloth() -> None:
    game = developing("allister")
    who(game, "erza").severe_injuries.append("intestinal_prolapse")
    with pytest.raises(Refused, match="Intestinal Prolapse"):
        depart(game, "erza", "lucy", "zachary", new="Mabel")
    game.rewind()
    ready = GAME.plays[a.Depart].ready
    assert list(ready(game.table)) == ["gear take erza 1"], "the next step is none that is refused"
    game.do(a.GearTake(survivor="erza", cell="1"))
    assert all(line.startswith("depart ") for line in ready(game.table))
    depart(game, "erza", "lucy", "zachary", "mabel")
    assert game.state.phase.name == "hunt"


def test_armor_points_are_set_on_departing() -> None:
    game = developing("allister")
    who(game, "erza").armor["waist"] = 0
    depart(game, "erza", "lucy", "zachary", new="Mabel")
    assert who(game, "erza").armor["waist"] == 1


def test_gear_and_innovations_give_the_departing_their_bonuses() -> None:
    game = developing("allister")
    for card in ("rawhide_boots", "rawhide_gloves"):
        run(game, things.gain_gear(game.table, card))
        game.do(a.GearPut(survivor="erza", gear=card))
    run(game, settle.gain_innovation(game.table, "ammonia"))
    game.state.settlement.survival_limit = 9
    depart(game, "erza", "lucy", "zachary", new="Mabel")
    assert who(game, "erza").survival == 1 + 2 + 1
    assert who(game, "lucy").survival == 1 + 1
    assert who(game).survival == 1


def test_unspent_endeavors_are_lost() -> None:
    game = developing()
    game.do(a.SettlementEnd())
    assert game.state.settlement.endeavors == 0


def test_departing_ends_the_settlement_phase() -> None:
    game = developing("allister")
    play(game, [{"gain_resource": {"id": "lion_tail", "to": "storage"}}])
    depart(game, "erza", "lucy", "zachary", new="Mabel")
    assert game.state.settlement.endeavors == 0
    assert game.state.settlement.storage.unrecorded == {}


def test_only_what_is_on_the_quarry_list_is_hunted() -> None:
    game = developing("allister")
    game.state.settlement.quarries = []
    with pytest.raises(Exception, match="quarry"):
        depart(game, "erza", "lucy", "zachary", new="Mabel")


def test_drums_beat_for_insanity_survival_or_a_cure() -> None:
    for face, stat in (("4", "insanity"), ("9", "survival")):
        game = developing()
        run(game, settle.gain_innovation(game.table, "drums"))
        before = getattr(who(game, "erza"), stat)
        action = a.SettlementEndeavor(endeavor="bone_beats", survivor="erza")
        game.do(action, given(face))
        assert getattr(who(game, "erza"), stat) == before + 1
    game = developing("allister")
    run(game, settle.gain_innovation(game.table, "drums"))
    who(game, "lucy").disorders = ["anxiety"]
    game.do(a.SettlementEndeavor(endeavor="bone_beats", survivor="erza"), given("10"))
    assert who(game, "lucy").disorders == []
    depart(game, "erza", "lucy", "zachary", new="Mabel")
    assert who(game, "erza").survival == 2
