"""Short lines of a survivors' turn: ``al m a 63 strange 0 y`` is Allister's whole act.

Naming a survivor acts with them; ``m`` moves (on the board to the monster, unless beside it, or
where the next word says: ``m back``, ``m 11 6``, ``m 3n2e``), ``a`` attacks (``b``: from the blind
spot, then a weapon if it is not the last one used), ``t`` throws a Founding Stone, ``e`` ends the
act. What stands behind an attack or a throw answers what it asks, in the order asked. Survival is
spent with ``d`` (a dash, and where to), ``su`` (a surge, like ``a``) and ``en`` (encourage, and
whom). ``ac`` activates something else. ``b`` alone draws the board.
"""

from __future__ import annotations

from kdmlog.core.errors import Refused, UnknownName
from kdmlog.core.game import Line, Table
from kdmlog.core.names import match
from kdmlog.games.kdm.rules import attack, settlement, turns, where
from kdmlog.games.kdm.rules.conditions import taking_part

VERBS = {
    "m": "move",
    "a": "attack",
    "t": "throw",
    "e": "end",
    "d": "dash",
    "su": "surge",
    "en": "encourage",
    "ac": "activate",
}
BLIND = ("b", "blind")
MONSTER = ["monster"]
BOARD = (["b"], ["board"])


def shorthand(table: Table, words: list[str]) -> list[Line] | None:
    """Returns the commands that a line means in the survivors' turn; None if it is no act.

    Raises Refused when an act is meant and nobody is acting.
    """
    fight = table.state.showdown
    if words in BOARD and fight is not None:
        return [Line(["showdown", "board"])]
    if table.state.open is not None:
        return None
    if table.state.phase.step == "develop":
        return _endeavor(table, words)
    if fight is None or fight.turn != "survivors":
        return None
    who = _survivor(table, words[0])
    rest = words[1:] if who else words
    if not who and words[0] not in VERBS:
        return None
    who = who or (fight.act.survivor if fight.act is not None else "")
    if not who and words[1:] and (who := _survivor(table, words[1])):
        rest = [words[0], *words[2:]]
    if not who:
        able = turns.able_to_act(table) or ["NAME"]
        raise Refused("Who acts? Nobody is acting.", hints=[" ".join([able[0], *words])])
    lines: list[Line] = []
    while rest:
        verb = _verb(rest[0])
        if not verb:
            raise Refused(
                f"{rest[0]!r} is nothing to do in an act.", hints=["m, a, t, e, d, su, en or ac"]
            )
        if verb in ("move", "dash"):
            last = len(rest) == 1
            to, rest = _to(table, rest[1:])
            if verb == "dash":  # survival is dear: with nothing behind it, it asks where to
                lines.append(Line(["survival", who, verb, *([] if last else to)]))
            elif to != MONSTER or not where.beside_monster(table.state, who):
                lines.append(Line(["move", who, *to]))
        elif verb == "end":
            lines.append(Line(["end-act"]))
            rest = rest[1:]
        elif verb == "throw":
            return [*lines, Line(["activate", who, "founding_stone"], rest[1:])]
        elif verb == "activate":
            return [*lines, Line(["activate", who, *rest[1:2]], rest[2:])]
        elif verb == "encourage":
            lines.append(Line(["survival", who, verb, *rest[1:2]]))
            rest = rest[2:]
        elif verb == "surge":
            return [*lines, _surge(table, who, rest[1:])]
        else:
            return [*lines, _attack(table, who, rest[1:])]
    return lines or [Line(["act", who])]


def verbs(table: Table) -> str:
    """Returns how an act is typed, where there is one to begin or to go on with."""
    fight = table.state.showdown
    if fight is None or fight.turn != "survivors":
        return ""
    return "  ·  ".join(f"{short}: {verb}" for short, verb in VERBS.items())


def _to(table: Table, rest: list[str]) -> tuple[list[str], list[str]]:
    """Parts where to move from what follows; on the board it is to the monster unless said."""
    if table.state.showdown.board is None:
        return [], rest
    if not rest or rest[0] in VERBS:
        return MONSTER, rest
    count = 2 if rest[0].isdigit() and rest[1:] and rest[1].isdigit() else 1
    return rest[:count], rest[count:]


def _endeavor(table: Table, words: list[str]) -> list[Line] | None:
    """An endeavor by its name alone: ``augury lucy``."""
    names = {key: offer.endeavor.name for key, offer in settlement.endeavors(table).items()}
    named = _named(words[0], names)
    if not named:
        return None
    return [Line(["settlement", "endeavor", named, *words[1:2]], words[2:])]


def _verb(word: str) -> str:
    if word in VERBS:
        return VERBS[word]
    return next((verb for verb in VERBS.values() if len(word) > 1 and verb.startswith(word)), "")


def _survivor(table: Table, word: str) -> str:
    """Returns the survivor present that a word names; single letters that are verbs are not."""
    if word in VERBS:
        return ""
    names = {id_: table.state.survivors[id_].name for id_ in taking_part(table.state)}
    return _named(word, names)


def _named(word: str, names: dict[str, str]) -> str:
    try:
        return match(word, names, "name")
    except UnknownName:
        return ""


def _attack(table: Table, who: str, rest: list[str]) -> Line:
    """An attack, then what answers its questions."""
    weapon, blind, rest = _aim(table, who, rest)
    words = ["attack", who, *([weapon] if weapon else [])]
    return Line([*words, "--blind"] if blind else words, rest)


def _surge(table: Table, who: str, rest: list[str]) -> Line:
    """A surge to attack, or (the word as it is) to activate something else; then answers."""
    weapon, blind, left = _aim(table, who, rest)
    words = ["survival", who, "surge"]
    faces = bool(left) and left[0][0].isdigit()
    if not weapon and not blind and not faces:
        return Line([*words, *rest[:1]], rest[1:])
    weapon = weapon or attack.weapon_named(table, who, "")
    return Line([*words, f"blind_{weapon}" if blind else weapon], left)


def _aim(table: Table, who: str, rest: list[str]) -> tuple[str, bool, list[str]]:
    """Parts weapon and blind spot, in any order, from the words behind them."""
    weapon, blind = "", False
    while rest:
        word = rest[0] if rest[0].replace("_", "").isalpha() else ""
        named = _named(word, attack.weapons(table, who)) if word else ""
        if rest[0] in BLIND and not blind:
            blind = True
        elif named and not weapon:
            weapon = named
        else:
            break
        rest = rest[1:]
    return weapon, blind, rest
