"""One-line effects, as players type what their own card says: ``knock_down lucy; bleed lucy 1``.

Each line becomes a step of the effect script, so that it is played by the rules like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from kdmlog.core.errors import BadInput, UnknownName
from kdmlog.core.names import match
from kdmlog.games.kdm import script as s

STATS = (
    "survival",
    "insanity",
    "courage",
    "understanding",
    "hunt_xp",
    "movement",
    "accuracy",
    "strength",
    "evasion",
    "luck",
    "speed",
)
FORMS = {
    "knock_down": "knock_down SURVIVOR",
    "damage": "damage SURVIVOR N [LOCATION]",
    "brain": "brain SURVIVOR N",
    "heal": "heal SURVIVOR [LOCATION]",
    "bleed": "bleed SURVIVOR N",
    "gain": "gain SURVIVOR STAT N",
    "lose": "lose SURVIVOR STAT N",
    "token": "token SURVIVOR|monster ATTRIBUTE N",
    "resource": "resource SURVIVOR RESOURCE",
    "disorder": "disorder SURVIVOR",
    "priority": "priority SURVIVOR",
    "knockback": "knockback SURVIVOR N",
    "retinue": "retinue SURVIVOR",
    "basic": "basic [SURVIVOR]",
    "move": "move HOW",
    "monster": "monster knocked_down|wound|heal|dies",
    "draw": "draw",
    "skip": "skip SURVIVOR",
    "die": "die SURVIVOR",
    "population": "population N",
    "endeavors": "endeavors N",
}
"""How each effect is typed: what is asked for when a line does not fit."""


def parse_effects(
    lines: Sequence[str], survivors: Mapping[str, str], resources: Mapping[str, str]
) -> list[s.Step]:
    """Returns the steps that the lines mean.

    ``survivors`` and ``resources`` map ids to shown names. Raises BadInput naming the line.
    """
    steps = []
    for line in lines:
        words = line.split()
        if not words or words in (["none"], ["nothing"]):
            continue
        kind = _kind(words[0])
        try:
            if len(words) > _LONGEST.get(kind, len(FORMS[kind].split())):
                raise ValueError(line)
            steps.append(_PARSERS[kind](words[1:], survivors, resources))
        except (ValueError, IndexError):
            raise BadInput(
                f"The effect {line!r} does not fit.", hints=[f"it is typed: {FORMS[kind]}"]
            ) from None
    return steps


Names = Mapping[str, str]
_LONGEST = {"resource": 6, "move": 20, "monster": 3}
"""Words of those effects that may have more than their form shows."""


def _kind(word: str) -> str:
    """Returns the effect that a word begins. Raises BadInput with every form."""
    try:
        return match(word, {name: name for name in FORMS}, "effect")
    except UnknownName as error:
        raise BadInput(error.message, hints=list(FORMS.values())) from None


def _who(words: list[str], survivors: Names) -> str:
    """A survivor by id, marked as such: one may be called like a group."""
    return f"@{match(words[0], survivors, 'survivor')}"


def _stats(words: list[str], survivors: Names) -> s.Stats:
    stat = match(words[1], {name: name for name in STATS}, "figure")
    return s.Stats(who=_who(words, survivors), **{stat: _number(words[2])})


def _number(word: str, least: int = 1) -> int:
    number = int(word)
    if not least <= number <= 99:
        raise ValueError(word)
    return number


def _heal(words: list[str], survivors: Names, _resources: Names) -> s.Step:
    places = ("head", "arms", "body", "waist", "legs", "brain")
    at = match(words[1], {name: name for name in places}, "location") if words[1:] else "every"
    return s.Step(heal=s.Heal(who=_who(words, survivors), at=at))


def _damage(words: list[str], survivors: Names, _resources: Names) -> s.Step:
    places = ("head", "arms", "body", "waist", "legs", "random")
    at = match(words[2], {name: name for name in places}, "location") if words[2:] else "random"
    body = s.Damage(who=_who(words, survivors), normal=_number(words[1]), at=at)
    return s.Step(damage=body)


def _token(words: list[str], survivors: Names, _resources: Names) -> s.Step:
    attributes = ("movement", "accuracy", "strength", "evasion", "luck", "speed", "age")
    if words[0] == "monster":
        known = ("movement", "toughness", "speed", "damage", "accuracy", "evasion", "luck")
        token = match(words[1], {name: name for name in known}, "token")
        return s.decode([{"monster": {token: _number(words[2], -99)}}])[0]
    token = match(words[1], {name: name for name in attributes}, "token")
    return s.decode([{"tokens": {"who": _who(words, survivors), token: _number(words[2], -99)}}])[0]


def _monster(words: list[str], _survivors: Names, _resources: Names) -> s.Step:
    what = match(words[0], {n: n for n in ("knocked_down", "wound", "heal", "dies")}, "effect")
    match what:
        case "knocked_down":
            return s.Step(monster=s.Monster(knocked_down=True))
        case "dies":
            return s.Step(monster=s.Monster(dies=True))
    number = _number(words[1]) if words[1:] else 1
    return s.Step(monster=s.Monster(wounds=number) if what == "wound" else s.Monster(heal=number))


def _resource(words: list[str], survivors: Names, resources: Names) -> s.Step:
    found = match(" ".join(words[1:]), resources, "resource")
    return s.Step(gain_resource=s.GainResource(who=_who(words, survivors), id=found))


_PARSERS: dict[str, Callable[[list[str], Names, Names], s.Step]] = {
    "knock_down": lambda w, who, _: s.Step(knock_down=s.People(who=_who(w, who))),
    "damage": _damage,
    "heal": _heal,
    "brain": lambda w, who, _: s.Step(
        damage=s.Damage(who=_who(w, who), normal=_number(w[1]), at="brain")
    ),
    "bleed": lambda w, who, _: s.Step(tokens=s.Tokens(who=_who(w, who), bleeding=_number(w[1]))),
    "gain": lambda w, who, _: s.Step(gain=_stats(w, who)),
    "lose": lambda w, who, _: s.Step(lose=_stats(w, who)),
    "token": _token,
    "resource": _resource,
    "disorder": lambda w, who, _: s.Step(disorder=s.Gain(who=_who(w, who), random=True)),
    "priority": lambda w, who, _: s.Step(priority_target=s.People(who=_who(w, who))),
    "knockback": lambda w, who, _: s.Step(
        knockback=s.Knockback(who=_who(w, who), spaces=_number(w[1]))
    ),
    "retinue": lambda w, who, _: s.Step(retinue=s.Retinue(who=_who(w, who))),
    "basic": lambda w, who, _: s.Step(basic_action=s.Basic(target=_who(w, who) if w else None)),
    "move": lambda w, _who_, _: s.Step(move=s.Move(how=" ".join(w) or "moves")),
    "monster": _monster,
    "draw": lambda _w, _who_, _: s.Step(draw_ai=1),
    "skip": lambda w, who, _: s.Step(skip_next_hunt=s.People(who=_who(w, who))),
    "die": lambda w, who, _: s.Step(die=s.People(who=_who(w, who))),
    "population": lambda w, _who_, _: s.Step(population=s.LosePerson(by=_number(w[0], -99))),
    "endeavors": lambda w, _who_, _: s.Step(endeavors=_number(w[0], -99)),
}
