"""The numbers of an attack as a reader sees them: sums and chances, without a roll."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from kdmlog.cli import say
from kdmlog.cli.build import to_click
from kdmlog.cli.kdm_sheets import Sheets, look
from kdmlog.core.text import words
from kdmlog.games.kdm.actions import Attack
from kdmlog.games.kdm.explained import Attacking, Explained, Supposed, explain
from kdmlog.games.kdm.number import Number
from kdmlog.games.kdm.odds import Chance, odds

Who = Annotated[str, typer.Argument(help="a survivor: id, name or the beginning of it")]
Weapon = Annotated[str, typer.Argument(help="a weapon carried, or fist_and_tooth")]
Blind = Annotated[
    bool | None,
    typer.Option(
        "--blind/--no-blind",
        "--blind-spot/--no-blind-spot",
        help="from the monster's blind spot: +1 to hit; on the board as it is, unless said",
    ),
]
Down = Annotated[bool, typer.Option("--monster-down", help="the monster is knocked down")]
Toughness = Annotated[
    int | None, typer.Option(help="the toughness to meet, in place of the monster's", min=0)
]


MOST = 20
"""Of what may be supposed, up or down."""


def _supposed(figure: str) -> Any:
    return typer.Option(help=f"{figure} supposed to be added", min=-MOST, max=MOST)


def odds_attack(
    survivor: Who,
    weapon: Weapon = "",
    *,
    blind: Blind = None,
    luck: Annotated[int, _supposed("luck")] = 0,
    strength: Annotated[int, _supposed("strength")] = 0,
    accuracy: Annotated[int, _supposed("accuracy")] = 0,
    speed: Annotated[int, _supposed("speed")] = 0,
    toughness: Toughness = None,
    monster_down: Down = False,
) -> None:
    """Show the exact chances of an attack: hits, wounds, criticals."""
    sheets = look()
    given = {"luck": luck, "strength": strength, "accuracy": accuracy, "speed": speed}
    asked = Supposed(
        survivor=survivor,
        weapon=weapon,
        blind=blind,
        given={name: by for name, by in given.items() if by},
        toughness=toughness,
        knocked_down=monster_down,
    )
    found = odds(sheets.table, asked)
    if sheets.call.json:
        say.as_json(found)
        return
    from kdmlog.cli import tables

    dice = f"{found.dice} {'die' if found.dice == 1 else 'dice'}, hits on {_from(found.hits_on)}"
    sharp = f" (and {found.sharp}d10)" if found.sharp else ""
    wounds = f"wounds on {_from(found.wounds_on)}{sharp}"
    critical = f"critical on {_from(found.critical_on)}" if found.critical_on else "never critical"
    headings = ("", "Hits", "or more", "Wounds", "or more", "Criticals", "or more")
    columns = (found.hits, found.wounds, found.criticals)
    rows = [
        (n, *(cell for chances in columns for cell in _chance(chances, n)))
        for n in range(max(map(len, columns)))
    ]
    mean = found.expected
    tables.draw(
        heading(sheets, found.attack),
        "  ·  ".join((dice, wounds, critical)),
        tables.listing(headings, rows, right=headings),
        f"On average {mean.hits:.2f} hits, {mean.wounds:.2f} wounds, {mean.criticals:.2f} "
        "criticals.",
    )
    if found.kills is not None and found.trap is not None:
        tables.draw(
            f"A trap is drawn, cards shuffled: {found.trap:.1%}  ·  it dies: {found.kills:.1%}"
        )
    tables.draw(*filter(None, (found.refused, found.apart)))


def _chance(chances: list[Chance], count: int) -> tuple[str, str]:
    if count >= len(chances):
        return "", ""
    return f"{chances[count].exactly:.1%}", f"{chances[count].at_least:.1%}"


def attack_explain(action: Attack) -> None:
    """Show an attack's numbers and what they are made of."""
    sheets = look()
    asked = Supposed(survivor=action.survivor, weapon=action.weapon, blind=action.blind or None)
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
        ("  Attack roll", _rolled(told.roll), ", ".join(told.roll.terms)),
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


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    return to_click(globals()[name], command)
