"""What skill with a weapon does in the midst of an attack: another try, another card to wound.

Each by a figure that the skill gives (see ``content.FIGURES``), and once in the attack (rulebook,
Weapon Specialist / Mastery).
"""

from __future__ import annotations

from kdmlog.core.events import CardsMoved, UseSpent
from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record
from kdmlog.core.requests import Choose, Option
from kdmlog.games.kdm.rules import script
from kdmlog.games.kdm.rules.numbers import Strike

DISARMED = 7
"""What cancels a trap (Spear, specialist)."""
DISARMS = "disarms"
KEEP = "no"


def misses_again(strike: Strike, id_: str, faces: list[int]) -> Procedure[list[int]]:
    """Returns the attack rolls after all misses may have been rolled again (Bow)."""
    hits = [face for face in faces if strike.hits(face)]
    missed = len(faces) - len(hits)
    if not missed or not strike.gives("misses_again"):
        return faces
    if not (yield from _agreed("misses_again", (id_,), f"{missed} dice")):
        return faces
    again = yield from script.rolled_faces(f"{missed}d10", "attack_again", (id_,))
    return hits + again


def disarms(table: Table, strike: Strike, id_: str, trap: str) -> Procedure[bool]:
    """Returns whether a trap that was drawn is cancelled, once a round (Spear)."""
    if not strike.gives(DISARMS) or table.state.used("round", id_, DISARMS):
        return False
    yield Record(UseSpent(scope="round", who=id_, what=DISARMS))
    [face] = yield from script.rolled_faces("1d10", DISARMS, (id_, trap))
    return bool(face >= DISARMED)


def rolls_first(strike: Strike, id_: str, spent: set[str]) -> Procedure[tuple[int, int] | None]:
    """Returns a wound roll, and its sharp dice, whose location is chosen only then (Sword)."""
    if "wounds_first" in spent or not strike.gives("wounds_first"):
        return None
    if not (yield from _agreed("wounds_first", (id_,), "the wound roll first", default=KEEP)):
        return None
    spent.add("wounds_first")
    [face] = yield from script.rolled_faces("1d10", "wound_first", (id_,))
    return face, (yield from sharp(strike, id_))


def sharp(strike: Strike, id_: str) -> Procedure[int]:
    """Returns what the dice of a sharp weapon add to a wound attempt (Glossary, Sharp)."""
    if not strike.sharp:
        return 0
    return sum((yield from script.rolled_faces(f"{strike.sharp}d10", "sharp", (id_,))))


def tries_again(
    table: Table, strike: Strike, id_: str, card: str, spent: set[str]
) -> Procedure[bool]:
    """Returns whether a failed wound attempt is made once more (Axe).

    Or for another location that was drawn, which is discarded for it (Dagger).
    """
    retries = "retries" not in spent and strike.gives("retries")
    if retries and (yield from _agreed("retries", (id_, card), "once more")):
        spent.add("retries")
        return True
    if "discards_to_retry" in spent or not strike.gives("discards_to_retry"):
        return False
    others = list(table.state.decks["hit_locations"]["drawn"])
    others.remove(card)
    if not others:
        return False
    options = (Option(KEEP), *map(Option, dict.fromkeys(others)))
    [gone] = yield Choose(
        purpose="discards_to_retry", about=(id_, card), by=id_, options=options, default=KEEP
    )
    if gone == KEEP:
        return False
    spent.add("discards_to_retry")
    yield Record(CardsMoved(deck="hit_locations", cards=(gone,), before="drawn", to="discard"))
    return True


def out_of_discard(table: Table, strike: Strike, id_: str, spent: set[str]) -> Procedure[bool]:
    """Returns whether a wound takes the top of the AI discard, not of the deck (Whip)."""
    fight, deck = table.state.showdown, table.state.decks["ai"]
    if "wounds_discard" in spent or fight.life or not deck["discard"]:
        return False
    if not strike.gives("wounds_discard"):
        return False
    if not (yield from _agreed("wounds_discard", (id_,), "out of the discard", default=KEEP)):
        return False
    spent.add("wounds_discard")
    return True


def _agreed(
    purpose: str, about: tuple[str, ...], label: str, *, default: str = "yes"
) -> Procedure[bool]:
    options = (Option("yes", label), Option(KEEP))
    [answer] = yield Choose(
        purpose=purpose, about=about, by=about[0], options=options, default=default
    )
    return bool(answer == "yes")
