"""The log's lines: one for each event, one for each action, and nothing that lies face down."""

from __future__ import annotations

from pathlib import Path

import pytest

from kdmlog.core import events as core
from kdmlog.core.events import CORE_EVENTS, Event
from kdmlog.core.game import Action, Table
from kdmlog.core.requests import Choose, Option
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import state as s
from kdmlog.games.kdm.actions import MonsterTurn, SettlementCraft, SettlementEndeavor
from kdmlog.games.kdm.content import KINDS, HitLocation
from kdmlog.games.kdm.headlines import headline
from kdmlog.games.kdm.sentences import SENTENCES, card_name, sentence
from kdmlog.packs.library import Library
from kdmlog.packs.load import load_pack
from kdmlog.packs.pack import canonical

CORE = Path(__file__).parents[2] / "content" / "kdm" / "core"


@pytest.fixture(scope="module")
def table() -> Table:
    names = {"allister": "Allister", "erza": "Erza", "lucy": "Lucy", "zachary": "Zachary"}
    survivors = {id_: s.Survivor(id=id_, name=name, sex="m") for id_, name in names.items()}
    state = s.State(
        seed="hush-hush",
        survivors=survivors,
        gear={"founding_stone.1": "founding_stone"},
        showdown=s.Showdown(
            number=1,
            monster="white_lion",
            level="1",
            movement=6,
            toughness=6,
            speed=0,
            damage=0,
            survivors=list(survivors),
        ),
    )
    return Table(state, Library([canonical(load_pack(CORE, KINDS, game="kdm"))], KINDS))


A = {"survivor": "allister"}
Z = {"survivor": "zachary"}


def roll(purpose: str, dice: str, *faces: int, about: tuple[str, ...] = ()) -> core.DiceRolled:
    return core.DiceRolled(dice=dice, faces=faces, purpose=purpose, source="app", about=about)


def draw(deck: str, *cards: str, to: str = "out") -> core.CardsDrawn:
    return core.CardsDrawn(deck=deck, cards=cards, to=to, purpose="draw", source="app")


def move(deck: str, card: str, before: str, to: str, *, bottom: bool = False) -> core.CardsMoved:
    return core.CardsMoved(deck=deck, cards=(card,), before=before, to=to, bottom=bottom)


def shuffle(deck: str, *took: str) -> core.DeckShuffled:
    return core.DeckShuffled(deck=deck, order=("maul",), purpose="shuffle", key=1, took=took)


def choose(*picked: str, by: str = "", offered: tuple[str, ...] = ("no", "yes")) -> core.Chosen:
    return core.Chosen(purpose="hit_order", picked=picked, offered=offered, by=by)


def attempt(total: int, *terms: str, wounded: bool, critical: bool = False) -> e.WoundAttempted:
    return e.WoundAttempted(
        **A,
        location="strange_hand",
        total=total,
        needs=6,
        wounded=wounded,
        critical=critical,
        terms=terms,
    )


EXAMPLES: list[tuple[Event, str]] = [
    # --- the core's
    (
        core.CampaignBegun(name="Lantern's Edge", seed="hush-hush", players=("Ann", "Bo")),
        "Lantern's Edge begins, with Ann, Bo",
    ),
    (core.CampaignBegun(name="Alone", seed="hush-hush"), "Alone begins"),
    (core.CampaignRenamed(name="Far Away"), "the campaign is called Far Away now"),
    (
        core.PacksChanged(packs=(core.PackRef("core", 2, "ff"), core.PackRef("my_house", 1, "ff"))),
        "content: core 2, my house 1",
    ),
    (core.Reseeded(seed="hush-hush"), "other dice from here on"),
    (
        core.Replayed(keys=7, source="ab12"),
        "what follows is played again with its dice; new ones come after them",
    ),
    (roll("attack", "2d10", 6, 3), "attack 2d10: 6 3"),
    (roll("severe_injury", "1d10", 10), "severe injury d10: 10"),
    (roll("hit_location", "3location", 5, 3, 4), "hit location: waist body body"),
    (roll("damage_location", "1location", 1), "damage location: head"),
    (roll("hunt", "1d100", 3, 5), "hunt d100: 35 (3 5)"),
    (roll("frenzy", "2d5", 7, 2), "frenzy 2d5: 4 1 (7 2)"),
    (core.DeckMade(deck="ai", cards=("maul",)), ""),
    (shuffle("ai", "discard"), "AI discard shuffled"),
    (shuffle("ai"), "AI deck shuffled"),
    (shuffle("hit_locations", "discard"), "hit location discard shuffled"),
    (shuffle("innovations"), ""),
    (draw("ai", "claw", to="playing"), "AI: Claw"),
    (draw("hit_locations", "strange_hand", "beasts_ear"), "draws Strange Hand, Beast's Ear"),
    (draw("basic_resources", "monster_hide"), "draws Monster Hide"),
    (draw("innovations", "paint"), "draws Paint"),
    (draw("names", "lucy"), "at random: Lucy"),
    (draw("ai", "maul", to="wounds"), "1 AI card to the wound stack"),
    (move("ai", "claw", "playing", "discard"), "Claw discarded"),
    (move("ai", "enraged", "playing", "in_play"), "Enraged stays in play"),
    (move("ai", "maul", "deck", "wounds"), "1 AI card to the wound stack"),
    (move("ai", "maul", "wounds", "deck", bottom=True), "1 AI card to the deck"),
    (move("ai", "claw", "discard", "wounds"), "Claw to the wound stack"),
    (move("ai", "claw", "playing", "deck", bottom=True), "Claw to the bottom of the deck"),
    (move("ai", "claw", "discard", "deck"), "Claw to the top of the deck"),
    (move("ai", "claw", "discard", "out"), "Claw out of the game"),
    (move("innovations", "paint", "drawn", "out"), ""),
    (move("ai", "claw", "discard", "some_place"), "Claw to some place"),
    (move("hit_locations", "strange_hand", "drawn", "persistent"), "Lost Hand stays in play"),
    (core.CardsSwapped(deck="ai", named="claw", zone="wounds", ours="maul"), ""),
    (
        core.Asked(request=Choose(purpose="dodge", options=(Option("no"),)), began=1),
        "",
    ),
    (choose("yes", by="zachary"), "hit order: yes (by Zachary)"),
    (choose("lucy", "founding_stone.1"), "hit order: Lucy, Founding Stone"),
    (choose("beasts_ear", by="Ann"), "hit order: Beast's Ear (by Ann)"),
    (choose("far_lucy"), "hit order: Lucy, out of reach"),
    (choose(), "hit order: none"),
    (choose("pass", offered=("dash", "pass")), "hit order: nobody"),
    (choose("pass", offered=("pass",)), ""),
    (
        core.Filled(purpose="profile", values={"speed": 2, "at": "", "who": ["a", "b"]}),
        "profile: speed 2, who a; b",
    ),
    (
        core.Filled(
            purpose="card",
            values={"effects": ["knock_down lucy", "draw"]},
            about=("ai_card:claw", "what it does"),
        ),
        "Claw: knock down lucy; draw",
    ),
    (core.Filled(purpose="card", values={"effects": []}, about=("ai_card:claw",)), "Claw: nothing"),
    (core.Noted(text="a\nb"), "note: a␊b"),
    (
        core.Ruled(path="survivors.allister.survival", value=2, why="forgotten"),
        "ruling: survivors.allister.survival = 2 (forgotten)",
    ),
    (
        core.Asserted(counts={"settlement.storage.types.bone": 4, "settlement.population": 9}),
        "counted at the table: bone 4, population 9",
    ),
    (core.UseSpent(scope="round", who="lucy", what="dodge"), ""),
    (core.ScopeEnded(scope="round"), ""),
    (
        core.Deferred(id="d", record="innovation:drums", path="0", at="round_start", bound={}),
        "to come at round start: Drums",
    ),
    (core.DeferralEnded(id="d"), ""),
    # --- survivors
    (
        e.SurvivorCreated(**A, name="Allister", sex="m", player="Ann"),
        "Allister arrives, male (Ann)",
    ),
    (
        e.SurvivorCreated(**A, name="", sex="f", parents=s.Parents("lucy", "zachary")),
        "allister is born, female (Lucy, Zachary)",
    ),
    (e.SurvivorNamed(survivor="newborn_2", name="Ida"), "newborn 2 is now called Ida"),
    (e.PlayerNamed(survivor="zachary", player="Bo"), "Zachary is Bo's"),
    (e.SurvivorJoined(**Z), "Zachary joins the showdown"),
    (
        e.SurvivorNamed(survivor="newborn_2", name="Lucy"),
        "newborn 2 is now called Lucy; another has the name, so at the prompt: newborn_2",
    ),
    (e.StatChanged(**A, stat="survival", by=-1, now=0), "Allister survival 1 → 0"),
    (
        e.StatChanged(**A, stat="survival", by=0, now=1, lost=1),
        "Allister survival stays 1, the limit",
    ),
    (
        e.StatChanged(**A, stat="survival", by=1, now=1, lost=2),
        "Allister survival 0 → 1 (2 over the limit lost)",
    ),
    (e.StatChanged(**A, stat="hunt_xp", by=1, now=2), "Allister hunt XP 1 → 2"),
    (e.StatChanged(**A, stat="strength", by=-1, now=-1), "Allister strength 0 → -1"),
    (
        e.GainIgnored(**A, what="survival +1", why="Deaf"),
        "Allister: survival +1 ignored (Deaf)",
    ),
    (
        e.GainIgnored(survivor="", what="sinew", why="none in its deck"),
        "sinew ignored (none in its deck)",
    ),
    (e.TokensChanged(**Z, token="bleeding", by=1, now=1), "Zachary bleeding 0 → 1"),
    (e.TokensChanged(**Z, token="luck", by=2, now=1), "Zachary luck tokens -1 → 1"),
    (e.ArmorChanged(**Z, location="waist", by=-1, now=0), "Zachary waist armor 1 → 0"),
    (e.InjuryFilled(**Z, location="waist", box="heavy"), "Zachary waist: heavy injury"),
    (
        e.InjuryErased(**A, location="legs", box="light"),
        "Allister legs: light injury erased",
    ),
    (e.InjuriesHealed(**Z), "Zachary: all injuries healed"),
    (
        e.SevereInjurySuffered(**Z, injury="concussion", times=0),
        "Zachary suffers Concussion",
    ),
    (
        e.SevereInjurySuffered(**Z, injury="blind", times=2),
        "Zachary suffers Blind (2 times)",
    ),
    (e.ConditionGained(**Z, condition="frenzy"), "Zachary: frenzy until the showdown ends"),
    (e.InjuryMended(**Z, injury="dismembered_arm", times=0), "Zachary: Dismembered Arm mended"),
    (e.Barred(**Z, what="dodge", until="round_end"), "Zachary: no dodge until round end"),
    (e.BarsEnded(until="card_end"), ""),
    (e.KnockedDown(**Z, round=1), "Zachary is knocked down"),
    (e.StoodUp(**Z), "Zachary stands up"),
    (
        e.TraitGained(**Z, list="abilities", id="metal_maw"),
        "Zachary gains Metal Maw (ability): Fist & Tooth is sharp",
    ),
    (
        e.TraitGained(**Z, list="fighting_arts", id="home_made"),
        "Zachary gains home made (fighting art)",
    ),
    (
        e.TraitLost(**Z, list="impairments", id="leprosy"),
        "Zachary loses Leprosy (impairment)",
    ),
    (e.SkipNextHunt(**Z, now=True), "Zachary skips the next hunt"),
    (e.SkipNextHunt(**Z, now=False), "Zachary may hunt"),
    (e.RetirementDue(**Z, why="two blinds"), "Zachary will retire (two blinds)"),
    (e.SurvivorRetired(**Z), "Zachary retires"),
    (e.WeaponChosen(**Z, type="grand_weapon"), "Zachary weapon type: grand weapon"),
    (e.SurvivorLeft(**Z), "Zachary is gone"),
    (e.SurvivorDied(**Z, of="bled to death", uncounted=1), "Zachary dies (bled to death)"),
    (
        e.SheetsTakenOver(settlement="Edge", lantern_year=5, survivors=1),
        "taken over from paper: Edge, lantern year 5, 1 survivor",
    ),
    (e.DeathExplained(**Z, of="Head Explosion"), "Zachary died of: Head Explosion"),
    (e.SurvivorRevived(**Z, uncounted=0), "Zachary lives after all"),
    (e.TokensRemoved(**Z), "Zachary: tokens off"),
    (e.BenefitRemembered(**Z, what="fated_battle"), "noted for Zachary: fated battle"),
    (e.BenefitRemembered(what="lamp"), "noted for the settlement: lamp"),
    (
        e.BenefitRemembered(**Z, what="reroll", until="settlement_end"),
        "noted for Zachary: reroll until settlement end",
    ),
    (
        e.BenefitForgotten(**Z, what="weak_spot:head"),
        "no longer noted for Zachary: weak spot head",
    ),
    (e.BenefitsEnded(until="settlement_end"), ""),
    (
        e.Said(**Z, record="disorder:hyperactive", text="has to move 1 space or more"),
        "Zachary, Hyperactive: has to move 1 space or more",
    ),
    # --- gear and resources
    (e.GearGained(gear="cloth.1", card="cloth", **Z, cell="1"), "Zachary gains Cloth"),
    (e.GearGained(gear="cloth.1", card="cloth"), "Cloth to storage"),
    (e.GearMoved(gear="founding_stone.1", **Z, cell="2"), "Founding Stone to Zachary, cell 2"),
    (e.GearMoved(gear="founding_stone.1"), "Founding Stone to storage"),
    (e.GearArchived(gear="bone_axe.7"), "Bone Axe archived"),
    (
        e.ModifiersRecorded(**Z, terms=("luck +1: Lucky Charm (2 blue)",)),
        "Zachary's gear: luck +1: Lucky Charm (2 blue)",
    ),
    (e.WeaponUsed(**Z, weapon="founding_stone"), ""),
    (e.ResourceGained(resource="monster_hide", **Z), "Zachary gains Monster Hide"),
    (e.ResourceGained(resource="monster_hide", now=2), "Monster Hide to storage (2)"),
    (e.ResourceStored(**Z, resource="skull", now=1), "Zachary stores Skull (1)"),
    (
        e.ResourceShared(**Z, resource="skull", now=1),
        "Zachary takes Skull as a share (1 left)",
    ),
    (
        e.ResourceGiven(**Z, to="allister", resource="skull"),
        "Zachary gives Allister Skull",
    ),
    (e.ThingUsed(**Z, record="gear:bandages"), "Zachary uses Bandages"),
    (
        e.ThingUsed(**Z, record="resource:monster_organ", eaten=True),
        "Zachary consumes Monster Organ",
    ),
    (e.ResourceLost(resource="skull", **Z), "Zachary loses Skull"),
    (e.ResourceLost(resource="skull", now=0), "Skull spent or lost (0 left)"),
    (
        e.StorageRecorded(),
        "storage recorded on the sheet; resource cards go back into their decks",
    ),
    # --- showdown
    (
        e.ShowdownBegun(
            number=1,
            monster="white_lion",
            level="first_story",
            movement=6,
            toughness=6,
            speed=0,
            damage=0,
            survivors=("allister",),
        ),
        "White Lion, first story: movement 6, toughness 6",
    ),
    (
        e.ShowdownBegun(
            number=1,
            monster="white_lion",
            level="2",
            movement=7,
            toughness=10,
            speed=1,
            damage=-1,
            survivors=("allister",),
        ),
        "White Lion, level 2: movement 7, toughness 10, speed +1, damage -1",
    ),
    (
        e.ShowdownBegun(
            number=1,
            monster="watcher",
            level="1",
            movement=99,
            toughness=20,
            speed=0,
            damage=0,
            survivors=("allister",),
        ),
        "Watcher, level 1: movement without limit, toughness 20",
    ),
    (
        e.ControllerNamed(player="Ann", **A, named=("allister",)),
        "Ann controls the monster with Allister",
    ),
    (e.ControllerNamed(player="", **A, named=()), "Allister controls the monster"),
    (e.TurnBegun(turn="monster", round=2), "round 2, monster turn"),
    (e.TurnBegun(turn="survivors", round=2), "round 2, survivors’ turn"),
    (e.ActBegun(**A), "Allister acts"),
    (e.ActSpent(**A, what="activation", now=1), ""),
    (e.ActSpent(**A, what="movement", now=0), "Allister moves"),
    (e.ActGained(**A, what="movement", by=1, now=2), "Allister movement 1 → 2"),
    (e.ActEnded(**A), "Allister is done"),
    (e.TargetPicked(**Z), "target: Zachary"),
    (e.TargetPicked(**Z, reached=False), "target: Zachary, out of reach"),
    (e.TargetPicked(survivor=""), "no target"),
    (
        e.AttackBegun(
            **A,
            weapon="founding_stone",
            dice=2,
            needs=7,
            terms=("Founding Stone +2", "Founding Stone +7", "blind spot +1"),
        ),
        "Allister attacks with Founding Stone: 2 dice, 6+ (7+, blind spot +1)",
    ),
    (
        e.AttackBegun(**A, weapon="bone_axe", dice=1, needs=6),
        "Allister attacks with Bone Axe: 1 die, 6+",
    ),
    (
        e.AttackBegun(**A, weapon="founding_stone", dice=0, needs=0, terms=("thrown",)),
        "Allister attacks with Founding Stone (thrown)",
    ),
    (e.AttackEnded(**A), ""),
    (e.AttackEnded(**A, cancelled=2), "2 hits cancelled"),
    (e.HitsScored(by="allister", hits=2, perfect=1), "Allister: 2 hits (1 perfect)"),
    (e.HitsScored(by="monster", hits=1, target="zachary"), "White Lion: 1 hit on Zachary"),
    (
        attempt(11, "Founding Stone +1", wounded=True, critical=True),
        "Strange Hand: 10 + 1 ≥ 6, critical wound",
    ),
    (
        attempt(5, "Founding Stone +1", "strength -2", wounded=False),
        "Strange Hand: 6 + 1 - 2 < 6, no wound",
    ),
    (
        attempt(9, "Founding Stone +1", wounded=False),
        "Strange Hand: 8 + 1 ≥ 6, no wound (impervious)",
    ),
    (
        attempt(6, "Bone Axe +5", wounded=False),
        "Strange Hand: 1 + 5 ≥ 6, no wound (1 never wounds)",
    ),
    (
        attempt(5, "strength -5", wounded=True),
        "Strange Hand: 10 - 5 < 6, wound (lantern)",
    ),
    (attempt(6, wounded=True), "Strange Hand: 6 ≥ 6, wound"),
    (attempt(11, "automatic", wounded=True), "Strange Hand: automatic, wound"),
    (e.MonsterWounded(**A, now=1), "White Lion: 1 wound"),
    (e.MonsterWounded(**A, now=2), "White Lion: 2 wounds"),
    (e.MonsterKnockedDown(now=True), "White Lion is knocked down"),
    (e.MonsterKnockedDown(now=False), "White Lion stands up"),
    (e.MonsterMoved(how="forward"), "White Lion moves (forward)"),
    (e.MonsterTokens(token="speed", by=1, now=1), "White Lion speed tokens 0 → 1"),
    (e.LifeChanged(by=-1, now=14), "White Lion life 15 → 14"),
    (e.CardTokens(card="enraged", by=1, now=2), "Enraged tokens 1 → 2"),
    (e.CardTokens(card="enraged", by=1, now=1, **Z), "Zachary, Enraged tokens 0 → 1"),
    (e.StatusGained(**Z, card="enraged"), "Zachary gains Enraged"),
    (e.StatusLost(**Z, card="enraged"), "Zachary is rid of Enraged"),
    (e.DodgeSpent(**Z, location="waist"), "Zachary dodges a hit (waist)"),
    (e.SurvivalActionTaken(**Z, action="surge"), "Zachary surges"),
    (
        e.SurvivalActionTaken(**Z, action="encourage", target="lucy"),
        "Zachary encourages Lucy",
    ),
    (e.SurvivalActionResolved(**Z), ""),
    (e.SurvivorFled(**Z), "Zachary runs away home"),
    (e.SurvivorFled(**Z, back=True), "Zachary runs away and will be back"),
    (e.SurvivorCameBack(**Z), "Zachary is back in the showdown"),
    (e.HitsIgnored(**Z, by=2, now=1, why="block"), "Zachary ignores 2 hits (block)"),
    (e.DrawsDue(now=1), ""),
    (e.PriorityTarget(**Z, round=1), "Zachary gains the priority target token"),
    (e.PriorityTarget(survivor="", round=1), "priority target token removed"),
    (e.ThreatsWidened(until_round=2), "all survivors are threats until the end of round 2"),
    (e.MovedAside(**Z, spaces=6), "Zachary is knocked back 6 spaces"),
    (
        e.MovedAside(**Z, spaces=2, path=((9, 8), (8, 8))),
        "Zachary is knocked back 2 spaces, to 8 8",
    ),
    (
        e.MonsterMoved(how="toward", path=((11, 7), (11, 6))),
        "White Lion moves 2 spaces, to 11 6 (toward)",
    ),
    (e.BoardLaid(size=2), "on the board, 22 by 16"),
    (e.MonsterPlaced(at=(11, 8), facing="s"), "White Lion is placed at 11 8, facing south"),
    (e.MonsterTurned(facing="w"), "White Lion faces west"),
    (e.MonsterLeftBoard(), "White Lion is off the board"),
    (e.SurvivorPlaced(**Z, at=(5, 4)), "Zachary is placed at 5 4"),
    (e.SurvivorMoved(**Z, path=((5, 5),)), "Zachary moves 1 space, to 5 5"),
    (e.SurvivorMoved(**Z, path=()), "Zachary stays where they are"),
    (e.SurvivorLeftBoard(**Z), "Zachary is off the board"),
    (e.RetinuePlaced(**Z, at=(1, 4)), "Zachary's retinue is placed at 1 4"),
    (e.RetinueMoved(**Z, path=((2, 4), (3, 4))), "Zachary's retinue moves 2 spaces, to 3 4"),
    (e.RetinueDestroyed(**Z), "Zachary's retinue is destroyed"),
    (e.Collided(**Z, into="retinue"), "Zachary collides with a retinue"),
    (e.Collided(**Z, into="white_lion"), "Zachary collides with White Lion"),
    (e.Collided(**Z, into="lucy"), "Zachary collides with Lucy"),
    (e.Collided(**Z, into="debris.1"), "Zachary collides with the Debris"),
    (
        e.TerrainPlaced(tile="debris.1", terrain="debris", at=(3, 3), width=1, height=1),
        "Debris at 3 3",
    ),
    (e.TerrainRemoved(tile="debris.1"), "Debris is archived"),
    (
        e.DiagramRead(diagram="white_lion.blind_spot", words="behind"),
        "White Lion, blind spot: behind",
    ),
    (e.ShowdownDecided(outcome="victory", killer="lucy"), "victory, killed by Lucy"),
    (e.ShowdownDecided(outcome="defeat"), "defeat"),
    (e.ShowdownEnded(number=1), "showdown 1 is over"),
    (
        e.PrologueRestarted(survivors=("allister", "lucy")),
        "the First Story begins again: Allister, Lucy",
    ),
    # --- settlement
    (e.PhaseChanged(phase="settlement", step="set_up"), "settlement: set up"),
    (e.PhaseChanged(phase="aftermath", step=""), "aftermath"),
    (e.SettlementNamed(name="Hope"), "the settlement is called Hope"),
    (e.SurvivorsReturned(survivors=("lucy", "erza")), "returning: Lucy, Erza"),
    (e.SurvivorsReturned(survivors=()), "returning: nobody"),
    (e.FigureChanged(figure="population", by=1, now=9), "population 8 → 9"),
    (e.FigureChanged(figure="lantern_year", by=1, now=1), "lantern year 0 → 1"),
    (e.DeathsCounted(by=2, now=2), "death count 0 → 2"),
    (e.ListGrew(list="innovations", id="language"), "innovation: Language"),
    (e.ListGrew(list="locations", id="bone_smith"), "location: Bonesmith"),
    (e.ListGrew(list="nemeses", id="house_foe"), "nemesis: house foe"),
    (e.ListGrew(list="defeated", id="white_lion:1"), "defeated: White Lion level 1"),
    (e.ListShrank(list="innovations", id="paint"), "innovation lost: Paint"),
    (e.MilestoneReached(milestone="first_death"), "milestone: First death"),
    (e.TimelineAdded(year=4, event="house_foe:1"), "timeline: house foe level 1 in lantern year 4"),
    (e.TimelineAdded(year=4, event="first_day"), "timeline: First Day in lantern year 4"),
    (e.StoryTriggered(event="first_day"), "story: First Day"),
    (e.StoryTriggered(event="house_feast", about=("lucy",)), "story: house feast (Lucy)"),
    (
        e.SurvivorsDeparted(survivors=("lucy", "erza"), hunt="white_lion:1"),
        "Lucy, Erza depart to hunt White Lion level 1",
    ),
    (e.SurvivorsDeparted(survivors=("lucy",), hunt=""), "Lucy departs"),
    (e.RecordBegun(record="ai_card:white_lion_basic_action"), "Basic Action"),
    (e.RecordBegun(record="hit_location:clever_ploy", verdict="trap"), "Trap: Clever Ploy"),
]


@pytest.mark.parametrize(
    ("event", "expected"), EXAMPLES, ids=[type(event).__name__ for event, _ in EXAMPLES]
)
def test_sentence(event: Event, expected: str, table: Table) -> None:
    assert sentence(event, table) == expected
    assert "\n" not in expected
    assert len(expected) <= 80


def test_every_event_has_a_sentence_and_an_example() -> None:
    every = {*CORE_EVENTS, *e.EVENTS}
    assert set(SENTENCES) == every
    assert {type(event) for event, _ in EXAMPLES} == every


def test_what_is_face_down_and_the_seed_stay_unsaid(table: Table) -> None:
    for event, _ in EXAMPLES:
        assert "hush-hush" not in sentence(event, table)
        if "maul" in str(event):
            assert "maul" not in sentence(event, table).lower()


def test_names_cannot_steer_the_terminal() -> None:
    survivor = s.Survivor(id="x", name="E\x1b[31mvil\u202e" + "y" * 100, sex="m")
    hostile = Table(
        s.State(survivors={"x": survivor}),
        Library([canonical(load_pack(CORE, KINDS, game="kdm"))], KINDS),
    )
    said = sentence(e.StoodUp(survivor="x"), hostile)
    assert said.startswith("E␛[31mvil�yyy")
    assert said.endswith("y… stands up")
    assert len(said) == 40 + len(" stands up")
    assert sentence(e.ShowdownEnded(number=1), hostile) == "showdown 1 is over"
    assert sentence(e.MonsterKnockedDown(now=True), hostile) == "the monster is knocked down"


def test_card_names(table: Table) -> None:
    assert card_name(table, "ai", "claw") == "Claw"
    assert card_name(table, "white_lion_resources", "lion_tail") == "Lion Tail"
    assert card_name(table, "some_deck", "some_card") == "some card"


# --- headlines ------------------------------------------------------------------------------------


class Something(Action, frozen=True, tag="something"):
    """Does something."""

    words = "do something"


ATTACK = [
    e.ActBegun(**A),
    e.ActSpent(**A, what="activation", now=0),
    e.AttackBegun(**A, weapon="founding_stone", dice=2, needs=7),
    roll("attack", "2d10", 6, 3),
    e.HitsScored(by="allister", hits=1),
    draw("hit_locations", "strange_hand", to="drawn"),
    roll("wound", "1d10", 10),
    attempt(11, "Founding Stone +1", wounded=True, critical=True),
    move("ai", "maul", "deck", "wounds"),
    e.MonsterWounded(**A, now=1),
]


def test_headline_of_an_attack(table: Table) -> None:
    events = [
        *ATTACK,
        move("hit_locations", "strange_hand", "drawn", "persistent"),
        e.AttackEnded(**A),
    ]
    assert headline(Something(), events, table) == (
        "Allister attacks: 6 3 → 1 hit, Strange Hand, 10: critical wound 1, Lost Hand stays in play"
    )


def test_headline_of_a_miss_and_of_a_trap(table: Table) -> None:
    miss = [ATTACK[2], roll("attack", "2d10", 1, 2), e.HitsScored(by="allister", hits=0)]
    assert headline(Something(), miss, table) == "Allister attacks: 1 2 → 0 hits"
    locations = table.content.all(HitLocation)
    trap = next(id_ for id_, one in locations.items() if one.type == "trap")
    sprung = [
        *ATTACK[2:5],
        draw("hit_locations", trap, "beasts_ear", to="drawn"),
        e.MonsterKnockedDown(now=False),
        e.AttackEnded(**A, cancelled=2),
    ]
    assert headline(Something(), sprung, table) == (
        f"Allister attacks: 6 3 → 1 hit, {locations[trap].name}, White Lion stands up, "
        "2 hits cancelled"
    )


def test_headline_of_a_failed_wound_and_its_reaction(table: Table) -> None:
    events = [
        *ATTACK[2:6],
        roll("wound", "1d10", 2),
        attempt(3, "Founding Stone +1", wounded=False),
        roll("monster_attack", "2d10", 1, 4),
        e.HitsScored(by="monster", hits=1, target="allister"),
        e.ArmorChanged(**A, location="waist", by=-1, now=0),
        e.AttackEnded(**A),
    ]
    assert headline(Something(), events, table) == (
        "Allister attacks: 6 3 → 1 hit, Strange Hand, 2: no wound, "
        "White Lion: 1 hit on Allister, waist armor 1 → 0"
    )


def test_a_headline_leaves_out_no_death(table: Table) -> None:
    hurt = [e.ArmorChanged(**A, location="waist", by=-1, now=n) for n in range(8)]
    died = e.SurvivorDied(**A, of="the lion", uncounted=1)
    attack = [*ATTACK[2:4], *hurt[:4], died, *hurt[4:]]
    assert "dies" in headline(Something(), attack, table)
    turn = [draw("ai", "claw", to="playing"), e.TargetPicked(**A), *hurt[:5], died, *hurt[5:]]
    told = headline(MonsterTurn(), turn, table)
    assert told.startswith("Claw on Allister: ") and "dies" in told
    story = [e.StoryTriggered(event="run_away"), died]
    assert "dies" in headline(Something(), story, table)


def test_a_monster_s_turn_in_which_somebody_surges_is_its_turn(table: Table) -> None:
    turn = [draw("ai", "claw", to="playing"), e.TargetPicked(**A), *ATTACK[2:5]]
    assert headline(MonsterTurn(), turn, table).startswith("Claw on Allister: Allister attacks, ")


def test_headline_of_a_throw(table: Table) -> None:
    events = [
        e.AttackBegun(**A, weapon="founding_stone", dice=0, needs=0, terms=("thrown",)),
        e.GearArchived(gear="founding_stone.1"),
        e.HitsScored(by="allister", hits=1),
        attempt(11, "automatic", wounded=True, critical=True),
        e.MonsterWounded(**A, now=2),
    ]
    assert headline(Something(), events, table) == (
        "Allister attacks: Founding Stone archived, 1 hit, Strange Hand: critical wound 2"
    )


MONSTER = [
    e.TurnBegun(turn="monster", round=1),
    draw("ai", "claw", to="playing"),
    choose("zachary"),
    e.TargetPicked(**Z),
    roll("monster_attack", "2d10", 1, 4),
    e.HitsScored(by="monster", hits=1, target="zachary"),
    roll("hit_location", "1location", 5),
]


def test_headline_of_a_monsters_turn(table: Table) -> None:
    events = [*MONSTER, e.ArmorChanged(**Z, location="waist", by=-1, now=0)]
    assert headline(Something(), events, table) == "Claw on Zachary: 1 hit, waist armor 1 → 0"


def test_headline_of_a_dodge_and_of_a_second_card(table: Table) -> None:
    events = [
        *MONSTER,
        e.StatChanged(**Z, stat="survival", by=-1, now=0),
        e.DodgeSpent(**Z, location="waist"),
        move("ai", "claw", "playing", "discard"),
        draw("ai", "chomp", to="playing"),
        e.TargetPicked(survivor=""),
        e.KnockedDown(survivor="lucy", round=1),
    ]
    assert headline(Something(), events, table) == (
        "Claw on Zachary: 1 hit, survival 1 → 0, dodges a hit (waist); "
        "Chomp: no target, Lucy is knocked down"
    )


BASIC = [
    e.RecordBegun(record="ai_card:white_lion_basic_action"),
    e.TargetPicked(**Z),
    e.HitsScored(by="white_lion", target="zachary", hits=2),
    e.InjuryFilled(**Z, location="head", box="heavy"),
    e.KnockedDown(**Z, round=4),
    e.TurnBegun(turn="survivors", round=4),
]


def test_headline_of_a_basic_action(table: Table) -> None:
    told = "Basic Action on Zachary: 2 hits, head: heavy injury, is knocked down"
    assert headline(Something(), BASIC, table) == told
    roar = draw("ai", "terrifying_roar", to="playing")
    within = [roar, e.MonsterTokens(token="speed", by=1, now=1), *BASIC, e.TargetPicked(**A)]
    assert headline(Something(), within, table) == (
        f"Terrifying Roar: White Lion speed tokens 0 → 1; {told}"
    )


def test_headline_of_work_names_its_cost(table: Table) -> None:
    events: list[Event] = [
        *[e.ResourceLost(resource="monster_hide", cause="kdm.craft")] * 2,
        e.ResourceLost(resource="skull", cause="kdm.craft"),
        e.GearGained(gear="rawhide_vest.1", card="rawhide_vest"),
    ]
    assert headline(SettlementCraft(gear=["vest"]), events, table) == (
        "Rawhide Vest to storage, for 2 Monster Hide, Skull"
    )
    built: list[Event] = [
        e.FigureChanged(figure="endeavors", by=-2, now=1, cause="kdm.build"),
        e.ListGrew(list="locations", id="skinnery"),
    ]
    assert headline(Something(), built, table) == "location: Skinnery, for 2 endeavors"


def test_headline_of_an_endeavor_names_who_made_it_and_not_as_cost_what_came_of_it(
    table: Table,
) -> None:
    events: list[Event] = [
        e.FigureChanged(figure="endeavors", by=-1, now=0, cause="kdm.endeavor"),
        roll("augury", "1d10", 2),
        e.ResourceLost(resource="sinew", cause="location:lantern_hoard"),
    ]
    told = "augury d10: 2; Sinew spent or lost (0 left), for 1 endeavor"
    for typed, said in (("zach", "Zachary, "), ("", ""), ("otto", "otto, ")):
        action = SettlementEndeavor(endeavor="augury", survivor=typed)
        assert headline(action, events, table) == f"{said}augury: {told}"


def test_a_long_headline_is_cut(table: Table) -> None:
    harm = [e.InjuryFilled(**Z, location=place, box="heavy") for place in s.LOCATIONS]
    said = headline(Something(), [*MONSTER, *harm, e.KnockedDown(**Z, round=1)], table)
    assert said == (
        "Claw on Zachary: 1 hit, head: heavy injury, arms: heavy injury, body: heavy injury, "
        "waist: heavy injury, …, is knocked down"
    )


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        (
            [
                e.ActEnded(**A),
                e.TurnBegun(turn="monster", round=2),
                e.PhaseChanged(phase="showdown", step="monster"),
                e.ControllerNamed(player="Bo", survivor="erza", named=("erza",)),
            ],
            "round 2, monster turn; Bo controls the monster with Erza",
        ),
        (
            [
                e.FigureChanged(figure="endeavors", by=-1, now=2),
                e.ResourceLost(resource="monster_hide", now=1),
                e.ListGrew(list="innovations", id="ammonia"),
            ],
            "innovation: Ammonia",
        ),
        (
            [e.StoryTriggered(event=f"house_{n}") for n in range(5)],
            "story: house 0; story: house 1; story: house 2",
        ),
        (
            [
                core.UseSpent(scope="year", who="x", what="y"),
                e.PhaseChanged(phase="settlement", step="year"),
                e.FigureChanged(figure="lantern_year", by=1, now=1),
                e.FigureChanged(figure="endeavors", by=1, now=1),
            ],
            "settlement: year; lantern year 0 → 1",
        ),
        (
            [
                core.CampaignBegun(name="Rest", seed="hush-hush", players=("Ann",)),
                e.SheetsTakenOver(settlement="Edge", lantern_year=5, survivors=9),
                e.SettlementNamed(name="Edge"),
                e.SurvivorCreated(survivor="x", name="X", sex="male"),
            ],
            "Rest begins, with Ann; taken over from paper: Edge, lantern year 5, 9 survivors",
        ),
        ([], "do something"),
    ],
)
def test_other_headlines(events: list[Event], expected: str, table: Table) -> None:
    assert headline(Something(), events, table) == expected
