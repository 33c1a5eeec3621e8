"""Edition 1.6: what its pack changes in the core game's, and how that plays."""

from __future__ import annotations

from pathlib import Path

import pytest

from kdmlog.core.errors import BadInput, Refused
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.check import check
from kdmlog.games.kdm.content import (
    KINDS,
    Ability,
    FightingArt,
    Gear,
    InjuryTable,
    Keyword,
    Timeline,
    Weapon,
)
from kdmlog.games.kdm.rules import conditions, edition, harm, numbers, things
from kdmlog.games.kdm.rules.numbers import Strike
from kdmlog.games.kdm.state import State
from kdmlog.packs.coverage import scripted, unwritten
from kdmlog.packs.library import Library

from .scene import (
    developing,
    fight,
    founders,
    given,
    of,
    on_top,
    play,
    run,
    survivors_turn,
    wear,
    who,
)
from .table import Game, pack

ASSISTED = Path(__file__).parents[1] / "assisted_1_6.txt"
NEW = {
    "ability": "dead_inside endless_babble",
    "fighting_art": """beast_of_caratosis bone_whisperer grace_of_dormenatus lucernaes_lantern
        scholar_of_death synchronized_strike""",
    "gear": """bone_club stone_noses final_lantern survivors_lantern oxidized_beacon_shield
        oxidized_lantern_dagger oxidized_lantern_glaive oxidized_lantern_helm
        oxidized_lantern_sword oxidized_ring_whip""",
    "resource": "black_lichen cocoon_membrane lantern_tube",
    "timeline": "ly_28",
    "keyword": "aim vanishes_with_the_showdown",
}
"""What the first edition has not."""
SCREAMING = ("horns", "bracers", "coat", "skirt", "leg_warmers")


@pytest.fixture(scope="module")
def library() -> Library:
    return Library([pack(), pack("edition_1_6")], KINDS)


def later(game: Game) -> Game:
    """Returns a game that goes on in edition 1.6."""
    game.library = Library([pack(), pack("edition_1_6")], KINDS)
    game.state.edition = "1.6"
    return game


def begun(**gear: str) -> Game:
    """Returns a showdown that begins with Allister wearing something."""
    game = later(founders())
    game.state.settlement.survival_limit = 5
    wear(game, **gear)
    game.do(a.ShowdownBegin(monster="white_lion", first_story=True))
    return game


def strike(game: Game, card: str) -> Strike:
    record = game.library.get(Gear, card)
    return Strike(game.table, "allister", card, record, numbers.foe(game.table), blind=False)


# --- the pack -------------------------------------------------------------------------------------


def test_it_fits_over_the_core_game(library: Library) -> None:
    assert check(library) == []


def test_what_the_first_edition_has_not_is_in_its_pack_alone(library: Library) -> None:
    core = Library([pack()], KINDS)
    for kind, type_ in KINDS.items():
        new = set(library.ids(type_)) - set(core.ids(type_))
        assert new == set(NEW.get(kind, "").split()), kind


def test_of_what_is_printed_a_monster_a_year_and_an_innovation_are_missing(
    library: Library,
) -> None:
    """The Gold Smoke Knight, its year 30, and Destiny, beyond what the core game lacks."""
    core = unwritten(Library([pack()], KINDS))
    more = {kind: count - core[kind] for kind, count in unwritten(library).items()}
    assert {kind: count for kind, count in more.items() if count} == {
        "innovation": 1,
        "monster": 1,
        "timeline": 1,
    }


def test_what_is_assisted_is_listed(library: Library) -> None:
    found = {
        f"{kind}:{id_}"
        for kind, type_ in KINDS.items()
        for id_, record in library.all(type_).items()
        if library.pack_of(type_, id_) == "edition_1_6" and scripted(kind, record) == "assisted"
    }
    listed = ASSISTED.read_text(encoding="utf-8").split()
    assert listed == sorted(listed)
    assert found == set(listed)


def test_the_words_on_its_gear_are_explained(library: Library) -> None:
    gear = library.all(Gear).values()
    words = {rule.partition(":")[0] for one in gear for rule in one.rules}
    words |= {word for one in gear for word in one.keywords}
    assert words - {"fist_and_tooth"} <= set(library.ids(Keyword))


@pytest.mark.parametrize(
    ("card", "figures", "rules"),
    [
        ("hollow_sword", (2, 5, 5), ["frail"]),
        ("sonic_tomahawk", (3, 5, 6), []),
        ("cat_gut_bow", (2, 7, 3), ["cumbersome", "range:6", "aim"]),
        ("bone_club", (2, 6, 5), ["cumbersome"]),
        ("oxidized_beacon_shield", (1, 6, 6), ["deflect:2"]),
        ("oxidized_lantern_dagger", (3, 6, 4), ["sharp", "paired"]),
        ("oxidized_lantern_glaive", (2, 5, 6), ["sharp", "reach:2"]),
        ("oxidized_lantern_sword", (3, 5, 5), ["sharp", "deflect:1"]),
        ("oxidized_ring_whip", (2, 5, 3), ["sharp", "reach:2"]),
    ],
)
def test_weapons(
    library: Library, card: str, figures: tuple[int, int, int], rules: list[str]
) -> None:
    speed, accuracy, strength = figures
    record = library.get(Gear, card)
    assert record.weapon == Weapon(speed=speed, accuracy=accuracy, strength=strength)
    assert record.rules == rules


@pytest.mark.parametrize(
    ("card", "points"),
    [
        ("screaming_horns", 2),
        ("screaming_skirt", 2),
        ("oxidized_lantern_helm", 6),
        ("oxidized_beacon_shield", 2),
    ],
)
def test_armor(library: Library, card: str, points: int) -> None:
    armor = library.get(Gear, card).armor
    assert armor is not None and armor.points == points


def test_the_kings_man_comes_once_more_in_year_28(library: Library) -> None:
    assert library.get(Timeline, "ly_28").nemesis == ["kings_man:3"]
    assert not any(year.note for year in library.all(Timeline).values() if year.nemesis)


# --- its switches ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("named", "later"), [("", False), ("1.3", False), ("1.6", True)])
def test_an_edition_turns_its_switches(named: str, later: bool) -> None:
    state = State(edition=named)
    assert edition.pick_takes_the_token(state) is later
    assert edition.flight_takes_an_act(state) is later


# --- arrival --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "survival", "insanity"),
    [
        ("rawhide_drum", (0, 0), (1, 1)),
        ("whisker_harp", (1, 1), (0, 0)),
        ("first_aid_kit", (3, 3), (0, 0)),
        ("screaming_leg_warmers", (0, 0), (3, 0)),
        ("stone_noses", (1, 0), (1, 0)),
    ],
)
def test_what_gear_gives_on_arrival(
    card: str, survival: tuple[int, int], insanity: tuple[int, int]
) -> None:
    """To its bearer, and to another."""
    game, without = begun(c5=card), begun()
    for n, id_ in enumerate(("allister", "lucy")):
        one, usual = who(game, id_), who(without, id_)
        assert one.insanity - usual.insanity == insanity[n]
        assert one.survival - usual.survival == survival[n]


@pytest.mark.parametrize(("other", "tokens"), [("lucky_charm", {"evasion": 1}), ("bone_club", {})])
def test_a_rhythm_chaser_arrives_evasive_without_heavy_gear(
    other: str, tokens: dict[str, int]
) -> None:
    game = later(founders())
    who(game).fighting_arts = ["rhythm_chaser"]
    wear(game, c5=other)
    game.do(a.ShowdownBegin(monster="white_lion", first_story=True))
    assert who(game).tokens == tokens


@pytest.mark.parametrize(("other", "tokens"), [("lucky_charm", {}), ("drum", {"evasion": 1})])
def test_a_rhythm_chaser_on_the_ground_keeps_the_beat_with_an_instrument_only(
    other: str, tokens: dict[str, int]
) -> None:
    game = later(founders())
    who(game).fighting_arts = ["rhythm_chaser"]
    wear(game, c5=other.replace("drum", "rawhide_drum"))
    game.do(a.ShowdownBegin(monster="white_lion", first_story=True))
    run(game, harm.knock_down(game.table, "allister"))
    assert who(game).tokens == tokens
    who(game).knocked_down = None
    run(game, harm.knock_down(game.table, "allister"))
    assert who(game).tokens == tokens, "it is lost once"


# --- gear -----------------------------------------------------------------------------------------


def test_a_cat_gut_bow_aims_for_an_act() -> None:
    game = later(survivors_turn())
    wear(game, c5="cat_gut_bow", c6="bone_axe")
    game.do(a.Activate(survivor="allister", thing="cat_gut_bow"))
    aimed, other = strike(game, "cat_gut_bow"), strike(game, "bone_axe")
    assert (aimed.dice.total, aimed.roll.total, other.roll.total) == (2 - 1, 2, 0)
    with pytest.raises(Refused, match="once a round"):
        game.do(a.Activate(survivor="allister", thing="cat_gut_bow"))
    game.rewind()
    game.do(a.Act(survivor="allister"))
    game.do(a.EndAct())
    aimed = strike(game, "cat_gut_bow")
    assert (aimed.dice.total, aimed.roll.total) == (2, 0)


def test_a_drum_encourages_all_who_hear() -> None:
    game = later(survivors_turn())
    game.state.settlement.innovations = ["language"]
    wear(game, c5="rawhide_drum")
    who(game).survival = 1
    who(game, "zachary").severe_injuries = ["deaf"]
    for id_ in ("erza", "lucy", "zachary"):
        run(game, harm.knock_down(game.table, id_))
    game.do(a.SurvivalAction(survivor="allister", what="encourage", target=["lucy"]))
    down = [id_ for id_, one in game.state.survivors.items() if one.knocked_down is not None]
    assert down == ["zachary"]


def test_a_first_aid_kit_takes_one_bad_token_off() -> None:
    game = later(survivors_turn())
    wear(game, c5="first_aid_kit")
    who(game).tokens = {"bleeding": 2, "strength": -1, "luck": 1}
    game.do(a.Activate(survivor="allister", thing="first_aid_kit"), given("", "self", "strength"))
    assert who(game).tokens == {"bleeding": 2, "luck": 1}
    game.rewind()
    with pytest.raises(BadInput, match="luck"):
        game.do(a.Activate(survivor="allister", thing="first_aid_kit"), given("", "self", "luck"))


def test_with_one_kind_of_bad_token_nobody_is_asked() -> None:
    game = later(survivors_turn())
    who(game).tokens = {"bleeding": 2, "luck": 1}
    play(game, [{"token_off": {}}], who="allister")
    assert who(game).tokens == {"bleeding": 1, "luck": 1}
    who(game).tokens = {"luck": 1}
    assert not play(game, [{"token_off": {}}], who="allister")


def test_a_whisker_harp_ends_moods_on_6() -> None:
    game = later(survivors_turn())
    wear(game, c5="whisker_harp")
    game.state.decks["ai"].zones["in_play"] = ["enraged"]
    game.do(a.Activate(survivor="allister", thing="whisker_harp"), given("5"))
    assert game.state.decks["ai"]["in_play"] == ["enraged"]
    game.rewind()
    game.do(a.Activate(survivor="allister", thing="whisker_harp"), given("6"))
    assert not game.state.decks["ai"]["in_play"]


def test_the_screaming_set_is_1_armor_for_everyone() -> None:
    game = later(developing())
    who(game).grid.clear()
    wear(game, **{f"c{3 + n}": f"screaming_{piece}" for n, piece in enumerate(SCREAMING)})
    assert things.armor_points(game.table, "allister")["head"] == 2 + 1


@pytest.mark.parametrize(
    ("location", "injury"), [("waist", "bleeding_kidneys"), ("legs", "hamstrung")]
)
def test_a_screaming_skirt_softens_severe_injuries_of_the_waist(location: str, injury: str) -> None:
    game = later(survivors_turn())
    wear(game, c5="screaming_skirt")
    rows = game.library.get(InjuryTable, location).rows
    face = next(n for n in range(2, 10) if rows.get(str(n)) == injury)
    plus = 1 if location == "waist" else 0
    events = run(
        game, harm.severe_injury(game.table, "allister", location), given(str(face - plus))
    )
    assert of(events, e.SevereInjurySuffered)[0].injury == injury


def test_whoever_wears_the_forsaker_mask_vanishes_with_the_showdown() -> None:
    game = later(survivors_turn())
    wear(game, c5="forsaker_mask")
    fight(game).outcome = "victory"
    game.state.phase.step = "aftermath"
    game.do(a.Aftermath(), answer=lambda request, _: given("", request.options[0].id))  # type: ignore[union-attr]
    assert (who(game).status, who(game).hunt_xp) == ("gone", 0)
    assert "allister" not in game.state.settlement.returning
    assert who(game, "lucy").status == "alive"


@pytest.mark.parametrize(("charms", "holder"), [(2, ""), (3, "allister")])
def test_an_oxidized_whip_provokes_with_its_bonus(charms: int, holder: str) -> None:
    game = later(survivors_turn())
    wear(game, c4="almanac", c5="oxidized_ring_whip")
    wear(game, **{f"c{7 + n}": "red_charm" for n in range(charms)})
    on_top(game, "hit_locations", "beasts_femur")
    game.do(a.Attack(survivor="allister", weapon="oxidized_ring_whip"), given("9 1 9 9"))
    assert fight(game).wounds == 1
    assert fight(game).priority_target == holder


# --- traits ---------------------------------------------------------------------------------------


def test_the_first_bitter_frenzy_of_a_showdown_gives_survival_that_may_be_spent() -> None:
    game = later(survivors_turn())
    game.state.settlement.survival_limit = 20
    who(game).abilities = ["bitter_frenzy"]
    who(game).survival = 1
    run(game, harm.suffer(game.table, "allister", "frenzy"), given("3 7"))
    assert who(game).survival == 1 + 7
    run(game, harm.suffer(game.table, "allister", "frenzy"), given("3"))
    assert who(game).survival == 8
    assert not conditions.barred(game.table, who(game), "survival")
    assert conditions.barred(game.table, who(game), "fighting_arts") == "Frenzy"


def test_crystal_skin_is_3_armor_and_a_severer_injury() -> None:
    game = later(developing())
    who(game).grid.clear()
    who(game).abilities = ["crystal_skin"]
    assert set(things.armor_points(game.table, "allister").values()) == {3}
    assert numbers.figure(game.table, who(game), "severe_injury") == -2


def test_a_life_exchange_is_1_hunt_xp_more_and_no_other_gear(library: Library) -> None:
    for colour in ("red", "green", "blue"):
        record = library.get(Ability, f"{colour}_life_exchange")
        assert [(one.to, one.by) for one in record.modifiers] == [("hunt_xp", 1)]
        assert record.rules == ["no_other_gear"]


def test_an_endless_babbler_encourages_nobody(library: Library) -> None:
    assert library.get(Ability, "endless_babble").bars == ["encourage"]


def test_its_secret_arts_are_never_drawn(library: Library) -> None:
    arts = NEW["fighting_art"].split()
    assert all(library.get(FightingArt, id_).secret for id_ in arts)


def test_a_lantern_tube_may_bring_a_broken_lantern() -> None:
    for face, lanterns in (("5", 0), ("6", 1)):
        game = later(developing())
        play(game, [{"gain_resource": {"id": "lantern_tube", "to": "storage"}}], given(face))
        stored = game.state.settlement.storage.resources
        assert stored.get("broken_lantern", 0) == lanterns
        assert stored["lantern_tube"] == 1


def test_bone_beats_gives_what_is_picked() -> None:
    game = later(developing())
    game.state.settlement.innovations = ["language", "drums"]
    game.do(
        a.SettlementEndeavor(endeavor="bone_beats", survivor="allister"),
        given("", "synchronized_strike"),
    )
    assert who(game).fighting_arts == ["synchronized_strike"]


def test_the_fittest_are_those_who_live_too() -> None:
    game = later(developing())
    answers = given("1", "survival_of_the_fittest")
    bound = {"parents": ["erza"], "newborns": []}
    steps = [{"trigger": "principle_new_life"}]
    play(game, steps, answers, who="allister", bound=bound)
    assert (who(game).strength, who(game).evasion) == (1, 1)
    assert game.state.settlement.principles == ["survival_of_the_fittest"]
