"""The numbers of an attack as a reader sees them: sums and chances, without a roll."""

from __future__ import annotations

from kdmlog.cli import say
from kdmlog.cli.kdm_sheets import Sheets, look
from kdmlog.core.text import words
from kdmlog.games.kdm.actions import Attack
from kdmlog.games.kdm.explained import Attacking, Explained, Supposed, explain
from kdmlog.games.kdm.number import Number


def attack_explain(action: Attack) -> None:
    """Show an attack's numbers and what they are made of."""
    sheets = look()
    asked = Supposed(survivor=action.survivor, weapon=action.weapon, blind=action.blind)
    told = explain(sheets.table, asked)
    if sheets.call.json:
        say.as_json(told)
        return
    from kdmlog.cli import tables

    tables.draw(heading(sheets, told.attack), tables.rule(), tables.columns(_sums(told), gap=2))
    if told.rules:
        tables.draw(f"Rules: {', '.join(words(one.replace(':', ' ')) for one in told.rules)}")
    if told.refused:
        tables.draw(told.refused)
    tables.draw("", sheets.who(told.attack.survivor), tables.columns(_attributes(told), gap=2))


def heading(sheets: Sheets, attack: Attacking) -> str:
    """Returns who attacks what, with what, and how it stands."""
    foe = sheets.foe(attack.monster) if attack.monster else ""
    target = f" the {foe}" if foe else ""
    parts = [
        f"{sheets.who(attack.survivor)} attacks{target} with {sheets.name('gear', attack.weapon)}"
    ]
    if attack.toughness is not None:
        parts.append(f"toughness {attack.toughness}")
    if attack.knocked_down:
        parts.append("the monster is knocked down")
    if attack.blind:
        parts.append("from the blind spot")
    return "  ·  ".join(parts)


def _attributes(told: Explained) -> list[tuple[str, str, str]]:
    return [
        (f"  {words(name).capitalize()}", str(one.total), _made_of(one))
        for name, one in told.attributes.items()
    ]


def _sums(told: Explained) -> list[tuple[str, str, str]]:
    sharp = f" + {told.sharp}d10" if told.sharp else ""
    rows = [
        ("  Dice", str(told.dice.total), _made_of(told.dice)),
        ("  To hit", _from(told.needs.total), _made_of(told.needs)),
        ("  Attack roll", _rolled(told.roll), _made_of(told.roll)),
        ("  Hits on", _from(told.hits_on), ""),
        ("  Wound roll", _rolled(told.strength) + sharp, _made_of(told.strength)),
    ]
    if told.wounds_on is not None:
        rows.append(("  Wounds on", _from(told.wounds_on), f"toughness {told.attack.toughness}"))
    critical = _from(told.critical_on) if told.critical_on is not None else "never"
    rows.append(("  Critical on", critical, _made_of(told.critical)))
    return rows


def _rolled(number: Number) -> str:
    return f"d10 {number.total:+}" if number.total else "d10"


def _from(face: int) -> str:
    return f"{face}+" if face < 10 else str(face)


def _made_of(number: Number) -> str:
    """Returns the parts, the first one as the figure that it is: ``Founding Stone 2, speed +1``."""
    first, *rest = number.terms or ("",)
    name, _, figure = first.rpartition(" ")
    return ", ".join([f"{name} {figure.lstrip('+')}".strip(), *rest])
