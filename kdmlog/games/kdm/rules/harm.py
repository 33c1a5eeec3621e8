"""Harm: damage, injury boxes, severe injuries and trauma, bleeding, being knocked down, death."""

from __future__ import annotations

from msgspec.structs import replace

from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record, rule
from kdmlog.core.requests import Choose, Option
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm import script as s
from kdmlog.games.kdm.content import (
    Ability,
    AiCard,
    Disorder,
    FightingArt,
    Gear,
    Injury,
    InjuryTable,
    Innovation,
)
from kdmlog.games.kdm.rules import chance, conditions, figures, in_play, numbers, script, traits
from kdmlog.games.kdm.rules.conditions import Scene
from kdmlog.games.kdm.rules.script import verb
from kdmlog.games.kdm.rules.settle import count_deaths, figure
from kdmlog.games.kdm.state import ATTRIBUTES, BOXES, LOCATIONS, UNCONSCIOUS, State, Survivor

AVERTS = "averts_severe_injury"
IGNORES_NEXT = "ignore_next_severe_injury"
_MONSTERS = ("ai_card", "hit_location")
"""Kinds of record by which a monster bashes (rulebook, Glossary, Bash)."""
UNDYING = 6
"""What lets the undeathable live."""
BLEEDING_DEATH = 5
"""Bleeding tokens that kill; 3 in quick and death mode (rulebook, Bleeding Tokens; Variants)."""


@rule("kdm.damage")
def damage(
    table: Table,
    id_: str,
    location: str,
    points: int,
    *,
    lethal: bool = True,
    ignores_armor: bool = False,
    severe: int = 0,
) -> Procedure[bool]:
    """Spends damage on armor, then boxes, then one severe injury, whatever is left.

    Insanity is the brain's armor. Event damage (not ``lethal``) ends with the boxes. Returns
    whether the survivor was damaged at all (rulebook, Deal Damage to Hit Locations; Glossary,
    Damage). A heavy injury knocks down. Immortals suffer it at the brain. ``severe`` is added to
    the roll for a severe injury.
    """
    survivor: Survivor = table.state.survivors[id_]
    if location != "brain" and (ref := traits.ruled(table, survivor, "brain_takes_hit_damage")):
        text = f"{points} damage to the {location} goes to the brain"
        yield Record(e.Said(survivor=id_, record=ref, text=text))
        location = "brain"
    points = numbers.softened(table, survivor, "damage", points)
    if location == "brain":
        points = numbers.softened(table, survivor, "brain_damage", points)
    left = points
    guard = survivor.insanity if location == "brain" else survivor.armor.get(location, 0)
    guard = 0 if ignores_armor else guard
    spent = min(guard, left)
    if spent and location == "brain":
        yield Record(e.StatChanged(survivor=id_, stat="insanity", by=-spent, now=guard - spent))
    elif spent:
        yield Record(e.ArmorChanged(survivor=id_, location=location, by=-spent, now=guard - spent))
    left -= spent
    for box in BOXES[location]:
        if left and box not in survivor.injuries.get(location, ()):
            yield Record(e.InjuryFilled(survivor=id_, location=location, box=box))
            left -= 1
            yield from _injured(table, id_, heavy=box == "heavy")
    damaged = left < points
    if left and lethal:
        damaged = True
        yield from severe_injury(table, id_, location, severe)
    if damaged and location == "head":
        yield from traits.moment(table, "damaged_head", [id_])
    if damaged:
        yield from in_play.moment(table, "damaged", id_)
    if damaged and location == "brain":
        suffered = {conditions.SUFFERED: [str(points)]}
        yield from in_play.moment(table, "brain_damaged", id_, bound=suffered)
    return damaged


def _injured(table: Table, id_: str, *, heavy: bool) -> Procedure[None]:
    if heavy:
        yield from knock_down(table, id_)
    yield from traits.moment(table, "injured", [id_])


def overflows(table: Table, id_: str, location: str, points: int) -> bool:
    """Returns whether so much damage at a location would come to a severe injury or trauma."""
    survivor: Survivor = table.state.survivors[id_]
    guard = survivor.armor.get(location, 0)
    if traits.ruled(table, survivor, "brain_takes_hit_damage"):
        location, guard = "brain", survivor.insanity
    filled = survivor.injuries.get(location, ())
    boxes = sum(1 for box in BOXES[location] if box not in filled)
    return points > guard + boxes


@rule("kdm.severe_injury")
def severe_injury(table: Table, id_: str, location: str, more: int = 0) -> Procedure[None]:
    """Rolls on the location's table and suffers the result (rulebook, Severe Injuries; Brain).

    Traits add to the roll for a severe injury, as does what caused it (``more``), but a 1 stays a
    1. Insight may let one be ignored.
    """
    survivor: Survivor = table.state.survivors[id_]
    if location != "brain" and figures.remembers(survivor, IGNORES_NEXT):
        yield Record(e.GainIgnored(survivor=id_, what="severe_injury", why="Insight"))
        yield from figures.forget(survivor, IGNORES_NEXT)
        return
    rows: InjuryTable = table.content.get(InjuryTable, location)
    purpose = "brain_trauma" if location == "brain" else "severe_injury"
    result = yield from chance.roll(rows.roll, purpose, about=(id_, location))
    if location != "brain" and result != 1:
        for figure_ in ("severe_injury", f"severe_{location}_injury"):
            result += numbers.figure(table, survivor, figure_)
        result += more
    if location == "brain" and "accept_darkness" in table.state.settlement.principles:
        result += 2
    key = s.row({range_: [] for range_ in rows.rows}, result)
    yield from suffer(table, id_, rows.rows[key])
    if table.state.survivors[id_].conscious and location != "brain":
        yield from _injured(table, id_, heavy=False)


def suffer(table: Table, id_: str, injury: str) -> Procedure[None]:
    """Suffers an injury. One recorded as often as it may be gives 1 bleeding token instead."""
    record: Injury = table.content.get(Injury, injury)
    if traits.ruled(table, table.state.survivors[id_], f"ignores_{injury}"):
        yield Record(e.GainIgnored(survivor=id_, what=injury, why="gear protects"))
        return
    if record.location != "brain" and (yield from _averted(table, id_, injury)):
        return
    recorded = table.state.survivors[id_].severe_injuries.count(injury)
    if record.permanent and record.most is not None and recorded >= record.most:
        yield Record(e.GainIgnored(survivor=id_, what=injury, why="recorded as often as it may be"))
        yield from bleed(table, id_, 1)
        return
    times = recorded + 1 if record.permanent else 0
    yield Record(e.SevereInjurySuffered(survivor=id_, injury=injury, times=times))
    scene = Scene(table=table, record=f"injury:{injury}", who=id_)
    yield from script.play_record(scene, record.steps)
    if record.location != "brain":
        yield from traits.moment(table, "severe_injury", [id_])
    if record.location == "head":
        yield from traits.moment(table, "severe_head_injury", [id_])


def _averted(table: Table, id_: str, injury: str) -> Procedure[bool]:
    """Returns whether gear is archived in place of an injury (Dried Acanthus)."""
    state: State = table.state
    grid = state.survivors[id_].grid
    for gear in [grid[cell] for cell in sorted(grid)]:
        record: Gear = table.content.get(Gear, state.gear[gear])
        if AVERTS not in record.rules:
            continue
        options = (Option("no"), Option("yes", record.name))
        about = (id_, injury, f"gear:{state.gear[gear]}")
        [answer] = yield Choose(
            purpose="averts", about=about, by=id_, options=options, default="no"
        )
        if answer == "yes":
            yield Record(e.GearArchived(gear=gear))
            yield Record(e.GainIgnored(survivor=id_, what=injury, why=record.name))
        return bool(answer == "yes")
    return False


def bleed(table: Table, id_: str, count: int) -> Procedure[None]:
    """Gives bleeding tokens; the fifth kills."""
    state: State = table.state
    bearer = state.survivors[id_]
    if count > 0 and (ref := traits.ruled(table, bearer, "no_bleeding")):
        yield Record(e.Said(survivor=id_, record=ref, text="does not bleed"))
        return
    yield from figures.tokens(table, id_, "bleeding", max(count, -bearer.tokens.get("bleeding", 0)))
    deadly = 3 if {"quick", "death"} & set(state.variants) else BLEEDING_DEATH
    deadly += numbers.figure(table, bearer, "bleeding")
    survivor = state.survivors[id_]
    if survivor.alive and survivor.tokens.get("bleeding", 0) >= deadly:
        yield from die(table, [id_], "bled to death")
    if count > 0 and state.showdown is not None:
        yield from traits.moment(table, "bleeding", conditions.taking_part(state))


def knock_down(table: Table, id_: str, by: str = "") -> Procedure[None]:
    """Knocks a standing survivor down, if there is a showdown to lie down in.

    ``by`` is what does it, where some withstand it: brain_trauma, intimidation, disorder, bash or
    collision (rulebook, Glossary, Stalwart; Bold has only the first two).
    """
    state: State = table.state
    survivor = state.survivors[id_]
    if state.showdown is None or not survivor.conscious or survivor.knocked_down is not None:
        return
    ref = traits.ruled(table, survivor, "not_knocked_down")
    if not ref and by:
        ref = traits.ruled(table, survivor, f"not_knocked_down_by_{by}")
    if ref:
        yield Record(e.Said(survivor=id_, record=ref, text="is not knocked down"))
        return
    yield Record(e.KnockedDown(survivor=id_, round=state.showdown.round))
    yield from traits.moment(table, "knocked_down", [id_])
    yield from figures.loses_footing(table, id_)


@rule("kdm.death")
def die(table: Table, ids: list[str], of: str) -> Procedure[None]:
    """Survivors die, together where one thing kills them; principles of death have their effect.

    Deaths of the hunt and the showdown are counted at step 5 of the settlement phase, others at
    once (rulebook, Survivor Death; Update Death Count).
    """
    state: State = table.state
    if "hero" in state.variants:
        yield from _unconscious(table, [id_ for id_ in ids if state.survivors[id_].conscious])
        return
    dying = []
    for id_ in ids:
        if state.survivors[id_].alive and not (yield from _lives_on(table, id_)):
            dying.append(id_)
    for id_ in dying:
        heard = traits.ruled(table, state.survivors[id_], "last_words_encourage")
        yield from _leave_life(table, id_, of)
        if heard:
            yield from _called_up(table)
    for _ in dying:
        for principle in state.settlement.principles:
            steps = table.content.get(Innovation, principle).death
            scene = Scene(table=table, record=f"innovation:{principle}")
            yield from script.play_record(scene, steps)
    for id_ in dying:
        yield from in_play.moment(table, "survivor_died", id_)
    if dying and state.phase.name == "settlement":
        yield from count_deaths(table, len(dying))
    if any("twilight_knight" in state.survivors[id_].remembered for id_ in dying):
        yield from _knight_falls(state)


def _knight_falls(state: State) -> Procedure[None]:
    """With the Twilight Knight the players lose (Twilight Knight in Training)."""
    if state.showdown is None:
        yield Record(e.PhaseChanged(phase="over", step="defeat"))
    elif not state.showdown.outcome:
        yield Record(e.ShowdownDecided(outcome="defeat"))


def _unconscious(table: Table, ids: list[str]) -> Procedure[None]:
    """Heroes are out of the showdown, not dead; they skip the next hunt (Hero Mode)."""
    for id_ in ids:
        survivor, fight = table.state.survivors[id_], table.state.showdown
        if fight is not None:
            yield Record(e.ConditionGained(survivor=id_, condition=UNCONSCIOUS))
            if fight.priority_target == id_:
                yield Record(e.PriorityTarget(survivor="", round=fight.round))
            if fight.board is not None and id_ in fight.board.survivors:
                yield Record(e.SurvivorLeftBoard(survivor=id_))
        if not survivor.skip_next_hunt:
            yield Record(e.SkipNextHunt(survivor=id_, now=True))


def _lives_on(table: Table, id_: str) -> Procedure[bool]:
    """The undeathable live on 6+ (rulebook, Glossary, Undeathable)."""
    if numbers.figure(table, table.state.survivors[id_], "undeathable") < 1:
        return False
    return (yield from chance.roll("1d10", "undeathable", about=(id_,))) >= UNDYING


def _leave_life(table: Table, id_: str, of: str) -> Procedure[None]:
    """Gear to storage, cursed and irreplaceable gear archived; population down."""
    state: State = table.state
    settlement = state.settlement
    waiting = settlement.uncounted_deaths + (state.phase.name != "settlement")
    yield Record(e.SurvivorDied(survivor=id_, of=of, uncounted=waiting))
    yield from _left_behind(table, id_)


def _called_up(table: Table) -> Procedure[None]:
    """All who lie there and can hear are encouraged by a survivor's last words."""
    state: State = table.state
    for id_ in conditions.taking_part(state):
        survivor = state.survivors[id_]
        if survivor.knocked_down is not None and conditions.hears(table, survivor):
            yield Record(e.StoodUp(survivor=id_))


def leave(table: Table, id_: str) -> Procedure[None]:
    """Gone for good, but not dead: it is no death that is counted."""
    yield Record(e.SurvivorLeft(survivor=id_))
    yield from _left_behind(table, id_)


def _left_behind(table: Table, id_: str) -> Procedure[None]:
    state: State = table.state
    survivor, settlement = state.survivors[id_], state.settlement
    for gear in [survivor.grid[cell] for cell in sorted(survivor.grid)]:
        rules = table.content.get(Gear, state.gear[gear]).rules
        if {"cursed", "irreplaceable"} & set(rules) or "death" in state.variants:
            yield Record(e.GearArchived(gear=gear))
        else:
            yield Record(e.GearMoved(gear=gear))
    if settlement.population:
        yield from figure(table, "population", -1)


# --- verbs ----------------------------------------------------------------------------------------


@verb("damage")
def _damage(scene: Scene, body: s.Damage) -> Procedure[None]:
    """Damage outside attack profiles: no attributes, no tokens, no dodge."""
    figure_ = body.event if body.event is not None else body.normal
    assert figure_ is not None
    lethal = body.event is None
    dealt = 0
    for id_ in (yield from conditions.people(scene, body.who)):
        points = yield from conditions.amount(scene, figure_, "damage")
        dealt += points
        places = [body.at]
        if body.at == "random":
            places = [(yield from chance.location("damage_location", (scene.record, id_)))]
        elif body.at == "every":
            places = list(LOCATIONS)
        for place in places:
            if scene.state.survivors[id_].conscious:
                more = _intimidated(scene, id_) if place == "brain" and points else 0
                yield from damage(
                    scene.table,
                    id_,
                    place,
                    points + more,
                    lethal=lethal,
                    ignores_armor=body.ignores_armor,
                )
    if body.who == "all" and dealt:
        yield from in_play.moment(scene.table, "all_damaged")


def _intimidates(scene: Scene) -> bool:
    """Returns whether a card's steps are an intimidation (rulebook, Intimidate)."""
    kind, _, id_ = scene.record.partition(":")
    card = scene.table.content.find(AiCard, id_) if kind == "ai_card" else None
    return card is not None and bool(card.intimidates)


def _intimidated(scene: Scene, id_: str) -> int:
    if not _intimidates(scene):
        return 0
    return numbers.figure(scene.table, scene.state.survivors[id_], "intimidation")


@verb("destroy_armor")
def _destroy_armor(scene: Scene, body: str) -> Procedure[None]:
    """Before damage, armor points are 0 where an attack hits; no gear is lost (Destroy Armor)."""
    places = scene.bound.get(conditions.PLACES, []) if body == "hit" else [body]
    for place in places:
        if points := scene.state.survivors[scene.who].armor.get(place, 0):
            yield Record(e.ArmorChanged(survivor=scene.who, location=place, by=-points, now=0))


@verb("suffer")
def _suffer(scene: Scene, body: s.Suffer) -> Procedure[None]:
    for id_ in (yield from conditions.people(scene, body.who)):
        if body.injury is not None:
            yield from suffer(scene.table, id_, body.injury)
        else:
            yield from severe_injury(scene.table, id_, body.at or "body", body.add)


@verb("knock_down")
def _knock_down(scene: Scene, body: s.People) -> Procedure[None]:
    kind, _, id_of = scene.record.partition(":")
    by = "intimidation" if _intimidates(scene) else "bash" if kind in _MONSTERS else kind
    if kind == "injury" and scene.table.content.get(Injury, id_of).location == "brain":
        by = "brain_trauma"
    for id_ in (yield from conditions.people(scene, body.who)):
        yield from knock_down(scene.table, id_, by)


@verb("die")
def _die(scene: Scene, body: s.People) -> Procedure[None]:
    kind, _, id_of = scene.record.partition(":")
    of = figures.name_of(scene.table, Injury, id_of) if kind == "injury" else id_of
    dying = yield from conditions.people(scene, body.who)
    yield from die(scene.table, dying, of.replace("_", " "))


@verb("tokens")
def _tokens(scene: Scene, body: s.Tokens) -> Procedure[None]:
    for id_ in (yield from conditions.people(scene, body.who)):
        for name in (*ATTRIBUTES, "age", "tempo", "retinue"):
            if (figure_ := getattr(body, name)) is not None:
                count = yield from conditions.amount(replace(scene, who=id_), figure_, name)
                unsteady = body.until is not None and body.until.knocked_down
                yield from figures.tokens(scene.table, id_, name, count, unsteady=unsteady)
        if body.bleeding is not None:
            yield from bleed(scene.table, id_, body.bleeding)


@verb("lose_tokens")
def _lose_tokens(scene: Scene, body: s.LoseTokens) -> Procedure[None]:
    """All tokens of a kind go, or those of attributes that are of use."""
    for id_ in (yield from conditions.people(scene, body.who)):
        there = scene.state.survivors[id_].tokens
        useful = [name for name in ATTRIBUTES if there.get(name, 0) > 0]
        named = useful if "positive" in body.tokens else body.tokens
        for name in [one for one in named if there.get(one, 0)]:
            yield from figures.tokens(scene.table, id_, name, -there[name])


@verb("gain")
def _gain(scene: Scene, body: s.Stats) -> Procedure[None]:
    yield from _stats(scene, body, 1)


@verb("lose")
def _lose(scene: Scene, body: s.Stats) -> Procedure[None]:
    yield from _stats(scene, body, -1)


def _stats(scene: Scene, body: s.Stats, sign: int) -> Procedure[None]:
    for id_ in (yield from conditions.people(scene, body.who)):
        inner = replace(scene, who=id_)
        for stat in body.__struct_fields__[1:]:
            if (figure_ := getattr(body, stat)) is not None:
                by = yield from conditions.amount(inner, figure_, stat)
                yield from figures.change(scene.table, id_, stat, sign * by)


@verb("set")
def _set(scene: Scene, body: s.Stats) -> Procedure[None]:
    for id_ in (yield from conditions.people(scene, body.who)):
        inner = replace(scene, who=id_)
        for stat in body.__struct_fields__[1:]:
            if (figure_ := getattr(body, stat)) is not None:
                now = yield from conditions.amount(inner, figure_, stat)
                yield from figures.put(scene.table, id_, stat, now)


@verb("disorder")
def _disorder(scene: Scene, body: s.Gain) -> Procedure[None]:
    yield from _trait(scene, body, "disorders", Disorder)


@verb("fighting_art")
def _fighting_art(scene: Scene, body: s.Gain) -> Procedure[None]:
    yield from _trait(scene, body, "fighting_arts", FightingArt)


def _trait(scene: Scene, body: s.Gain, box: str, kind: type) -> Procedure[None]:
    """Gains a card by id, or draws from the whole deck, shuffled; or loses one (Disorders).

    Of several drawn the player gains one (Age).
    """
    for id_ in (yield from conditions.people(scene, body.who)):
        if body.remove is not None:
            if body.remove in getattr(scene.state.survivors[id_], box):
                yield from figures.lose_trait(scene.table, id_, box, body.remove)
            continue
        known = scene.table.content.all(kind)
        cards = [one for one in known if not getattr(known[one], "secret", False)]
        if body.id is None and not body.choose:
            cards = yield from chance.draw_fresh(box, cards, body.drawn, about=(id_,))
        trait = body.id or cards[0]
        if body.choose or body.drawn > 1:
            options = tuple(Option(one, known[one].name) for one in cards)
            [trait] = yield Choose(purpose=f"choose_{box}", about=(id_,), by=id_, options=options)
        yield from figures.gain_trait(scene.table, id_, box, trait)


@verb("cure")
def _cure(scene: Scene, body: s.People) -> Procedure[None]:
    for id_ in (yield from conditions.people(scene, body.who)):
        had = scene.state.survivors[id_].disorders
        if not had:
            continue
        gone = had[0]
        if len(had) > 1:
            names = tuple(Option(one, figures.name_of(scene.table, Disorder, one)) for one in had)
            [gone] = yield Choose(purpose="cure", about=(id_,), by=id_, options=names)
        yield from figures.lose_trait(scene.table, id_, "disorders", gone)


@verb("ability")
def _ability(scene: Scene, body: s.Named) -> Procedure[None]:
    yield from _named(scene, body)


@verb("impairment")
def _impairment(scene: Scene, body: s.Named) -> Procedure[None]:
    yield from _named(scene, body)


def _named(scene: Scene, body: s.Named) -> Procedure[None]:
    for id_ in (yield from conditions.people(scene, body.who)):
        for trait in filter(None, (body.gain, body.remove)):
            record = scene.table.content.find(Ability, trait)
            impaired = record is not None and record.type != "ability"
            box = "impairments" if impaired else "abilities"
            if trait == body.gain:
                yield from figures.gain_trait(scene.table, id_, box, trait)
            elif trait in getattr(scene.state.survivors[id_], box):
                yield from figures.lose_trait(scene.table, id_, box, trait)


@verb("skip_next_hunt")
def _skip_next_hunt(scene: Scene, body: s.People) -> Procedure[None]:
    for id_ in (yield from conditions.people(scene, body.who)):
        survivor = scene.state.survivors[id_]
        if not survivor.skip_next_hunt and "twilight_knight" not in survivor.remembered:
            yield Record(e.SkipNextHunt(survivor=id_, now=True))


@verb("leave")
def _leave(scene: Scene, body: s.People) -> Procedure[None]:
    for id_ in (yield from conditions.people(scene, body.who)):
        yield from leave(scene.table, id_)


@verb("mend")
def _mend(scene: Scene, body: str) -> Procedure[None]:
    recorded = scene.state.survivors[scene.who].severe_injuries.count(body)
    if recorded:
        yield Record(e.InjuryMended(survivor=scene.who, injury=body, times=recorded - 1))


@verb("retire")
def _retire(scene: Scene, body: s.People) -> Procedure[None]:
    for id_ in (yield from conditions.people(scene, body.who)):
        yield Record(e.RetirementDue(survivor=id_, why=scene.record.split(":")[-1]))


@verb("bar")
def _bar(scene: Scene, body: s.Bar) -> Procedure[None]:
    for id_ in (yield from conditions.people(scene, body.who)):
        for what in body.what:
            yield Record(e.Barred(survivor=id_, what=what, until=body.until))


@verb("frenzy")
def _frenzy(scene: Scene, body: s.People) -> Procedure[None]:
    """+1 speed and strength token, 1d5 insanity; no survival, arts, specialization (Frenzy)."""
    for id_ in (yield from conditions.people(scene, body.who)):
        insanity = yield from chance.roll("1d5", "insanity", about=(scene.record, id_))
        yield from figures.change(scene.table, id_, "insanity", insanity)
        yield from figures.tokens(scene.table, id_, "speed", 1)
        yield from figures.tokens(scene.table, id_, "strength", 1)
        if "frenzy" not in scene.state.survivors[id_].passing:
            yield Record(e.ConditionGained(survivor=id_, condition="frenzy"))
        yield from traits.moment(scene.table, "frenzy", [id_])
