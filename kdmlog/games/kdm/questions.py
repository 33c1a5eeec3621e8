"""An open question in the game's words: who must decide what, and what it would cost."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from kdmlog.core.dice import parse
from kdmlog.core.game import Table
from kdmlog.core.requests import Ask, Choose, Draw, Field, Fill, Opportunity, Roll
from kdmlog.core.text import words
from kdmlog.games.kdm import script, views
from kdmlog.games.kdm.content import KINDS, AiCard, HitLocation, Terrain
from kdmlog.games.kdm.rules import blows
from kdmlog.games.kdm.rules.effects import FORMS
from kdmlog.games.kdm.sentences import card_name
from kdmlog.games.kdm.state import LOCATIONS, State


def question(request: Ask, table: Table) -> str:
    """Returns one line: what is asked, and between what."""
    text = QUESTIONS.get(request.purpose, _plain)(request, table)
    match request:
        case Choose():
            shown = _options(request)
            bare = f"   ⏎ = {_spaced(request.default)}" if request.default else ""
            return f"{text}  {shown}{bare}"
        case Opportunity():
            offered = "  ".join(["[pass]", *(f"[{one.id}]" for one in request.options)])
            return f"{text}  {offered}   ⏎ = pass"
        case Roll():
            dice = parse(request.dice)
            what = f"{request.dice}: faces"
            if dice.kind == "location":
                die = "location die" if dice.count == 1 else "location dice"
                what = f"{dice.count} {die} (h a b w l)"
            return f"{text}  {what}, or ⏎ to let kdmlog roll"
        case Draw():
            more = f"{request.count} cards" if request.count > 1 else "the card"
            return f"{text.removesuffix('.')}: {more} drawn, or ⏎ to let kdmlog draw"
        case Fill(purpose="card"):
            return text
        case Fill(fields=(Field(kind="int", default=None),)):
            return f"{text}  a number"
        case Fill():
            asked = ", ".join(_field(one.name, one.default) for one in request.fields)
            open_ = any(one.default is None for one in request.fields)
            return f"{text}  {asked}{'' if open_ else '   ⏎ = as shown'}"
    return text


def helps(request: Ask) -> list[str]:
    """Returns the forms that a card's effects are typed in, or what describes a board."""
    if request.purpose == "set_up" and isinstance(request, Fill):
        names = [one.name for one in request.fields]
        return [text for end, text in DIAGRAMS.items() if any(one.endswith(end) for one in names)]
    return list(FORMS.values()) if request.purpose == "card" else []


DIAGRAMS = {
    "deploy": "deploy: ring6 (6 away from the monster), short-edge, 11 8, 1-3,5-12; + joins them",
    "blind_spot": "blind_spot: behind, behind2 (two rows), none, or spaces such as 0,-1+1,-1",
    "rules": "rules: obstacle+impassable+destructible, or fewer; none",
    ".1": "a tile: X Y of its bottom left space, or auto: kdmlog finds a place",
}
"""What may be typed, by how the name of a value ends."""


def _options(request: Choose) -> str:
    """The options by id; targets out of reach in one word."""
    far = [one for one in request.options if one.id.startswith("far_")]
    near = [one for one in request.options if not one.id.startswith("far_")]
    parts = [
        f"[{_spaced(one.id)}]" + (f" {one.label}" if _telling(one.id, one.label) else "")
        for one in near
    ]
    if far:
        parts.append("[far_NAME] out of reach")
    if request.most > 1 or request.least == 0:
        parts.append("(several: with commas; none)" if request.least == 0 else "(with commas)")
    return "  ".join(parts)


def _telling(id_: str, label: str) -> bool:
    return bool(label) and label.lower().replace(" ", "_").replace("'", "") != id_


def _field(name: str, default: str | None) -> str:
    return f"{name}=…" if default is None else f"[{name}={_spaced(default) or '…'}]"


def _spaced(text: str) -> str:
    """Returns a space of the board as it is typed, ``9 5``; any other text as it is."""
    return text.replace("-", " ") if re.fullmatch(r"\d+-\d+[b-z]?", text) else text


def _name(table: Table, id_: str) -> str:
    state: State = table.state
    survivor = state.survivors.get(id_)
    return (survivor.name or words(id_)) if survivor is not None else words(id_)


def _plain(request: Ask, table: Table) -> str:
    """Names whom it is about; the printed name of a record that asks in its own name."""
    about = ", ".join(_name(table, one) for one in request.about if ":" not in one)
    whom = f" ({about})" if about else ""
    asking = next((one for one in request.about if ":" in one), "")
    if asking.partition(":")[2] != request.purpose:
        return f"{words(request.purpose).capitalize()}{whom}."
    name = _asking(request, table)
    if isinstance(request, Roll):
        return f"{name}{whom}: the roll for what it does."
    survivors = table.state.survivors
    if isinstance(request, Choose) and all(one.id in survivors for one in request.options):
        note = _note(table, asking).removesuffix(".") if asking.startswith("resource:") else ""
        return f"{name}: {note}.  Who?" if note else f"{name}: for whom?"
    return f"{name}{whom}."


def _note(table: Table, asking: str) -> str:
    kind, _, id_ = asking.partition(":")
    return str(getattr(table.content.find(KINDS[kind], id_), "note", "")) if kind in KINDS else ""


def _payment(_request: Ask, _table: Table) -> str:
    return "Other resources would do, or these have other uses.  Pay with them?"


def _lose_resource(request: Ask, table: Table) -> str:
    return f"{_asking(request, table)}: which resource is lost?"


def _target(request: Ask, table: Table) -> str:
    """Names the card being played; with none it is the basic action."""
    playing = table.state.decks["ai"]["playing"]
    card = card_name(table, "ai", playing[-1]) if playing else "Basic action"
    if isinstance(request, Choose) and not request.about:  # the target is given
        return f"{card}.  Does the monster reach {request.options[0].label}?"
    return f"{card}.  Target: {'; else '.join(request.about) or 'as it lists'}.  Who?"


def _dodge(request: Ask, table: Table) -> str:
    who, *places = request.about
    survivor = table.state.survivors[who]
    hits = ", ".join(
        _struck(survivor, place, places.count(place)) for place in dict.fromkeys(places)
    )
    points = blows.looming(table, who)
    damage = f", {points} damage{' each' if len(places) > 1 else ''}" if points is not None else ""
    left = survivor.survival - 1
    cost = f"survival {left + 1} → {left}" if left >= 0 else "no survival is left"
    return f"{survivor.name} is hit{damage}: {hits}.{_first(table)}  Dodge it? ({cost})"


def _first(table: Table) -> str:
    """Returns in the card's own note that it does something before the damage, if it does."""
    for card in table.state.decks["ai"]["playing"]:
        record: AiCard = table.content.get(AiCard, card)
        for _, step in script.steps_of(record):
            if isinstance(step.body, script.Attack) and step.body.before_damage:
                return f"  {record.name}: {record.note}"
    return ""


def _struck(sheet: views.Survivor, place: str, hits: int) -> str:
    """Returns where hits land, with the armor and boxes that are there: ``2× waist A0 L■ H□``."""
    there = views.boxes(sheet, place) if place in LOCATIONS else place
    return f"{hits}× {there}" if hits > 1 else there


def _to_the_arms(request: Ask, table: Table) -> str:
    who, *places = request.about
    return f"{_name(table, who)} is hit: {', '.join(places)}.  Which one at the arms instead?"


def _damage_order(request: Ask, table: Table) -> str:
    who, *places = request.about
    return f"{_name(table, who)}: hits on {', '.join(places)}.  Which first?"


def _hit_order(request: Ask, table: Table) -> str:
    return f"{_name(table, request.about[0])}'s hits.  Which location first?"


def _asking(request: Ask, table: Table) -> str:
    """Returns the name of the record that asks."""
    kind, _, id_ = next(one for one in request.about if ":" in one).partition(":")
    found = table.content.find(KINDS[kind], id_) if kind in KINDS else None
    return found.name if found is not None else words(id_)


def _card(request: Ask, table: Table) -> str:
    _, hint, *_ = request.about
    name = _asking(request, table)
    what = name if hint.lower() == name.lower() else f"{name}: {hint}"
    return f"{what}.  Its effects (? shows the forms), ⏎ for none:"


def _pay(request: Ask, table: Table) -> str:
    who = request.about[1] if len(request.about) > 1 else ""
    return f"{_name(table, who)}, pay?" if who else "Pay?"


def _wound(request: Ask, table: Table) -> str:
    who, card = request.about
    record = table.content.find(HitLocation, card)
    place = record.name if record is not None else words(card)
    return f"{_name(table, who)} tries to wound the {place}."


def _sharp(request: Ask, table: Table) -> str:
    return f"{_name(table, request.about[0])}'s weapon is sharp: strength for this wound attempt."


def _unwieldy(request: Ask, table: Table) -> str:
    return f"{_name(table, request.about[0])}'s weapon is unwieldy: where it hurts."


def _draw(request: Ask, table: Table) -> str:
    assert isinstance(request, Draw)
    deck = {"ai": "AI", "hit_locations": "hit location"}.get(request.deck, words(request.deck))
    if any(":" in one for one in request.about):
        return f"{_asking(request, table)}: draw from the {deck} deck."
    return f"Draw from the {deck} deck."


def _birth(request: Ask, table: Table) -> str:
    mother, father, number = request.about
    return f"Newborn {number} of {_name(table, mother)} and {_name(table, father)}:"


def _population(_request: Ask, _table: Table) -> str:
    return "First Day: the settlement's population, those with a sheet included."


def _adjacent(request: Ask, table: Table) -> str:
    whom = _name(table, request.about[0]) if request.about else "the monster"
    return f"Who is adjacent to {whom}?"


def _beside(request: Ask, table: Table) -> str:
    """The record that asks says why it matters."""
    assert isinstance(request, Choose)
    return f"{_asking(request, table)}: is {_name(table, request.by)} adjacent to the monster?"


def _opportunity(request: Ask, table: Table) -> str:
    """Says what comes after the survival opportunity."""
    match request.purpose:
        case "flow":
            return f"{_asking(request, table)}: a flow.  Does anyone interrupt?"
        case "before_reaction":
            who = _name(table, request.about[0])
            return f"Before the reaction to {who}: does anyone interrupt?"
        case "critical_wound":
            return "A critical wound.  Does anyone interrupt?"
    return "The monster is knocked down.  Does anyone interrupt?"


def _surge(request: Ask, table: Table) -> str:
    what = "Which terrain" if len(request.about) > 1 else "For what"
    return f"{_name(table, request.about[0])} surges.  {what}?"


def _dash(request: Ask, table: Table) -> str:
    return f"{_name(table, request.about[0])} dashes.  Where to?  (11 6, back, 3n2e)"


def _retinue_struck(request: Ask, table: Table) -> str:
    if isinstance(request, Roll):
        return f"{_name(table, request.about[0])}'s retinue is struck: destroyed on 4+."
    return "What has become of the retinue?"


def _retinue(request: Ask, table: Table) -> str:
    """With a board where it goes; without one what it does."""
    if isinstance(request, Choose):
        return "What does the retinue do?"
    who, what = request.about
    whose = f"{_name(table, who)}'s retinue"
    if what == "summon":
        return f"{whose} comes from the board's edge.  Where to?  (11 6: bottom left; a survivor)"
    return f"{whose} marches.  Where to?  (11 6: bottom left; a survivor, 3n2e)"


def _come_back(request: Ask, table: Table) -> str:
    who, place = request.about
    where = "beside the monster" if place == "adjacent" else "at a board edge"
    return f"{_name(table, who)} is back, {where}.  Where?"


def _reroll(request: Ask, table: Table) -> str:
    who, purpose, rolled = request.about
    return f"{words(purpose).capitalize()}: a {rolled}.  {_name(table, who)} may roll once again."


def _set_up(request: Ask, _table: Table) -> str:
    """Asks for what stands in the players' book and on their cards, and where tiles lie."""
    assert isinstance(request, Fill)
    names = " ".join(one.name for one in request.fields)
    asked = "The board, as your book shows it."
    if "blind_spot" in names:
        asked += " Where survivors start; which spaces are blind."
    if ".rules" in names:
        asked += " Rules printed on terrain: obstacle+impassable+destructible."
    return f"{asked} Tiles: X Y (bottom left) or auto."


def _terrain(request: Ask, table: Table) -> str:
    record = table.content.find(Terrain, request.about[1])
    return record.name if record is not None else words(request.about[1])


def _path(request: Ask, _table: Table) -> str:
    return "The monster can end its way in several places.  Where?  (column row)"


def _pushed(request: Ask, table: Table) -> str:
    return f"{_name(table, request.about[0])} can be pushed several ways.  Where to?  (column row)"


def _free(request: Ask, table: Table) -> str:
    return f"{_name(table, request.about[0])} is put on a free space.  Which?  (column row)"


def _stands(request: Ask, _table: Table) -> str:
    return f"The monster: {request.about[0]}.  Where does it stand now (X Y), and facing?"


_POSITIONS = {
    "adjacent_to_monster": "adjacent to the monster",
    "in_blind_spot": "in the monster's blind spot",
    "in_field_of_view": "in the monster's field of view",
    "in_front": "in front of the monster",
}


def _position(request: Ask, table: Table) -> str:
    """Who stands there, or whether one survivor does."""
    words_ = _POSITIONS.get(request.purpose)
    if words_ is None:
        count = request.purpose.removeprefix("within_")
        words_ = f"within {count} spaces of the monster"
    if isinstance(request, Choose) and [one.id for one in request.options] == ["yes", "no"]:
        return f"Is {_name(table, request.about[0])} {words_}?"
    return f"Who is {words_}?"


def _moment_order(request: Ask, _table: Table) -> str:
    moment = {"turn_start": "starts", "turn_end": "ends"}[request.about[0]]
    return f"The monster's turn {moment}.  Which of its cards comes first?"


_SKILLS = {
    "misses_again": "may roll all misses again",
    "wounds_first": "may roll the wound before choosing its location",
    "retries": "may try the wound again",
    "discards_to_retry": "may discard a location drawn to try the wound again",
    "wounds_discard": "may take the wound out of the AI discard",
    "takes_up": "may strike there, too, if adjacent",
    "steps_in": "may change places with the target, if adjacent",
    "parries": "may ignore a hit",
    "walk": "may move: where to",
    "lands_sooner": "is knocked back; how many spaces less",
    "hunt_xp": "may do without hunt XP; gain it",
}


def _skill(request: Ask, table: Table) -> str:
    """Names whose skill it is, and the location or survivor that it is about."""
    who, *of = request.about
    place = table.content.find(HitLocation, of[0]) if of else None
    about = place.name if place is not None else "".join(_name(table, one) for one in of)
    if request.purpose in ("parries", "lands_sooner"):
        about = f"{of[0]} {'hits' if request.purpose == 'parries' else 'spaces'}"
    return f"{f'{about}: ' if about else ''}{_name(table, who)} {_SKILLS[request.purpose]}."


def _averts(request: Ask, table: Table) -> str:
    who, injury, _ = request.about
    name = card_name(table, "injury", injury)
    return f"{_name(table, who)} would suffer: {name}.  Archive {_asking(request, table)} instead?"


def _gets_up(request: Ask, table: Table) -> str:
    assert isinstance(request, Choose)
    return f"{_name(table, request.by)} may get up now."


def _next_on_top(request: Ask, table: Table) -> str:
    return f"{_asking(request, table)}: which of these is drawn first?"


QUESTIONS: Mapping[str, Callable[[Ask, Table], str]] = {
    "target": _target,
    "dodge": _dodge,
    "damage_order": _damage_order,
    "to_the_arms": _to_the_arms,
    "hit_order": _hit_order,
    "card": _card,
    "pay": _pay,
    "wound": _wound,
    "sharp": _sharp,
    "unwieldy": _unwieldy,
    "birth": _birth,
    "payment": _payment,
    "lose_resource": _lose_resource,
    "population": _population,
    "adjacent": _adjacent,
    **dict.fromkeys((*_POSITIONS, *(f"within_{count}" for count in range(1, 23))), _position),
    "moment_order": _moment_order,
    "next_on_top": _next_on_top,
    "reveal_ai": lambda request, table: "Look at the top AI card; it stays there",
    "retinue": _retinue,
    "coordinated_attack": lambda request, table: "How many retinues are beside the attacker?",
    "retinue_struck": _retinue_struck,
    "beside_the_monster": _beside,
    **dict.fromkeys(_SKILLS, _skill),
    "gets_up": _gets_up,
    "averts": _averts,
    "reroll": _reroll,
    "surge": _surge,
    "dash": _dash,
    "come_back": _come_back,
    **dict.fromkeys(
        ("flow", "before_reaction", "critical_wound", "monster_knocked_down"), _opportunity
    ),
    "set_up": _set_up,
    "monster_path": _path,
    "knockback_path": _pushed,
    "free_space": _free,
    "monster_stands": _stands,
    "terrain_there": lambda request, table: f"Is there any {_terrain(request, table)}?",
    "beside_terrain": lambda request, table: (
        f"Does the monster stand on or beside {_terrain(request, table)} now?"
    ),
    "in_reach": lambda request, table: "The monster has moved.  Is it still in reach?",
    "must_move": lambda request, table: "Does the monster have to move?",
    "innovation": lambda request, table: "Which innovation is added?",
    "consent": lambda request, table: "Intimacy: do a man and a woman consent?",
    "front": lambda request, table: (
        f"{_asking(request, table)}: who stands in its zone, in front of the monster?"
    ),
    "zone": lambda request, table: f"{_asking(request, table)}: who stands in its zone?",
    "furthest": lambda request, table: "Who is furthest from the monster?",
    "first_words": lambda request, table: "Who speaks the first words?",
    **dict.fromkeys(
        ("ai", "hit_locations", "innovate", "draw_basic_resources", "draw_white_lion_resources"),
        _draw,
    ),
}
"""By purpose; any other is asked in its own words."""
