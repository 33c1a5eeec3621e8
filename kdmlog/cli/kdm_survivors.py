"""Survivors as on paper: the list, the record sheet, the gear grid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from kdmlog.cli import say
from kdmlog.cli.build import to_click
from kdmlog.cli.kdm_sheets import LONGEST_NAME, Sheets, last_folded, look
from kdmlog.core.text import shown, words
from kdmlog.games.kdm import views

SEXES = {"m": "male", "f": "female"}
TRACKS = (
    ("Hunt XP", "hunt_xp", 16, (2, 6, 10, 15, 16)),
    ("Weapon", "proficiency", 8, (3, 8)),
    ("Courage", "courage", 9, (3, 9)),
    ("Understanding", "understanding", 9, (3, 9)),
)
"""The rows of boxes on a survivor's sheet: label, figure, how many, and those with a milestone."""

Who = Annotated[str, typer.Argument(help="a survivor: id, name or the beginning of it")]


def survivor_list(
    text: Annotated[
        str | None,
        typer.Argument(help="only those with this on their sheet: a trait, gear, a note…"),
    ] = None,
) -> None:
    """List the survivors."""
    sheets = look()
    view = sheets.view
    found = {id_: one for id_, one in view.survivors.items() if _says(sheets, id_, text or "")}
    if sheets.call.json:
        say.as_json(found)
        return
    if text and not found:
        say.line(f"No survivor's sheet says {text!r}.")
        return
    if not view.survivors:
        say.line("No survivor yet.  Next: survivor new NAME m|f")
        return
    from kdmlog.cli import tables

    alive = {id_: one for id_, one in found.items() if one.status != "dead"}
    rows = [
        (
            sheets.who(id_),
            SEXES.get(one.sex, shown(one.sex)),
            shown(one.player, LONGEST_NAME),
            f"{one.survival}/{view.settlement.survival_limit}",
            one.insanity,
            one.hunt_xp,
            one.courage,
            one.understanding,
            [*weighing(sheets, id_), *(_matching(sheets, id_, text) if text else [])],
        )
        for id_, one in alive.items()
    ]
    figures = ("Surv", "Ins", "XP", "Cour", "Und")
    headings = ("Survivor", "Sex", "Player", *figures, "Now")
    folded = last_folded(headings, rows, tables.width())
    tables.draw(tables.listing(headings, folded, right=figures))
    if len(alive) < len(found):
        dead = [
            (sheets.who(one.survivor), one.cause) for one in view.deaths if one.survivor in found
        ]
        tables.draw("", tables.listing(("Dead", "Of"), dead))


def _says(sheets: Sheets, id_: str, text: str) -> bool:
    one = sheets.view.survivors[id_]
    named = (sheets.who(id_), one.player, one.status)
    return not text or any(_within(text, part) for part in (*named, *_matching(sheets, id_, text)))


def _matching(sheets: Sheets, id_: str, text: str) -> list[str]:
    """What is on a sheet, by name, that has ``text`` in it: traits, injuries, gear, notes."""
    one = sheets.view.survivors[id_]
    listed = (
        ("fighting_art", one.fighting_arts),
        ("disorder", one.disorders),
        ("ability", (*one.abilities, *one.impairments)),
        ("injury", one.severe_injuries),
        ("gear", one.grid.values()),
        ("resource", one.resources),
    )
    names = [sheets.name(kind, id_) for kind, ids in listed for id_ in ids]
    return [part for part in (*dict.fromkeys(names), *one.notes) if _within(text, part)]


def _within(text: str, part: str) -> bool:
    return text.casefold() in part.casefold()


def survivor_show(survivor: Who) -> None:
    """Show a survivor's record sheet."""
    sheets = look()
    id_ = sheets.find(survivor)
    one = sheets.view.survivors[id_]
    if sheets.call.json:
        say.as_json(one)
        return
    from kdmlog.cli import tables

    grid = [f"{cell} {_gear_at(sheets, one, cell)}" for cell in _CELLS]
    tables.draw(
        "  ·  ".join(_heading(sheets, id_)),
        tables.rule(),
        "  ·  ".join(_attributes(sheets, id_)),
        tables.beside(
            tables.columns(_body(sheets, one), gap=2),
            tables.pairs(_tracks(sheets, id_)),
            left_width=28,
        ),
        tables.pairs(_traits(sheets, id_)),
        _affinities(one),
        tables.square(grid),
    )


def gear_show(survivor: Who) -> None:
    """Show a survivor's gear grid."""
    sheets = look()
    id_ = sheets.find(survivor)
    one = sheets.view.survivors[id_]
    if sheets.call.json:
        from kdmlog.cli.kdm_documents import Grid

        say.as_json(Grid(one.grid, one.affinities, one.armor))
        return
    from kdmlog.cli import tables

    cells = [
        "\n".join((f"{cell} {_gear_at(sheets, one, cell)}", *_gear_lines(sheets, one, cell)))
        for cell in _CELLS
    ]
    armor = "  ·  ".join(f"{location} {points}" for location, points in one.armor.items())
    tables.draw(
        f"{sheets.who(id_)}  ·  {_affinities(one)}",
        tables.square(cells),
        tables.pairs([("Armor", armor)]),
    )
    records = [sheets.record("gear", card) for card in dict.fromkeys(one.grid.values())]
    if noted := [(record.name, record.note) for record in records if record and record.note]:
        tables.draw(tables.pairs(noted))


_CELLS = tuple(str(cell) for cell in range(1, 10))


def _heading(sheets: Sheets, id_: str) -> list[str]:
    one = sheets.view.survivors[id_]
    heading = [sheets.who(id_), SEXES.get(one.sex, shown(one.sex))]
    if one.player:
        heading.append(shown(one.player, LONGEST_NAME))
    if one.status != "alive":
        cause = sheets.cause(id_)
        heading.append(f"{one.status}: {shown(cause)}" if cause else one.status)
    return heading


def _attributes(sheets: Sheets, id_: str) -> list[str]:
    """Returns the attributes as written, and as they are with tokens, traits and gear."""
    one = sheets.view.survivors[id_]
    lines = []
    for name, now in views.attributes(sheets.table, id_).items():
        written = getattr(one, name)
        beside = f" (now {now})" if now != written else ""
        lines.append(f"{name.capitalize()} {written}{beside}")
    return lines


def _body(sheets: Sheets, one: views.Survivor) -> list[tuple[str, ...]]:
    """Survival, insanity and the locations: armor points and injury boxes below each other."""
    limit = sheets.view.settlement.survival_limit
    brain = views.boxes(one, "brain").split()[-1]
    rows = [("Survival", f"{one.survival}/{limit}"), ("Insanity", str(one.insanity), "", brain)]
    for location in one.armor:
        _, armor, *boxes = views.boxes(one, location).split()
        rows.append((location.capitalize(), armor, boxes[0] if len(boxes) > 1 else "", boxes[-1]))
    return [(*row, *[""] * (4 - len(row))) for row in rows]


def _tracks(sheets: Sheets, id_: str) -> list[tuple[str, str]]:
    """The rows of boxes, and what a survivor has about them just now."""
    one = sheets.view.survivors[id_]
    rows = []
    for label, figure, count, milestones in TRACKS:
        now = one.weapon.level if figure == "proficiency" else getattr(one, figure)
        kind = f"  {words(one.weapon.type)}" if figure == "proficiency" else ""
        rows.append((label, f"{now:>2}  {_boxes(now, count, milestones)}{kind}".rstrip()))
    rows.append(("Skip next hunt", " ■" if one.skip_next_hunt else " □"))
    rows.append(("Resources", sheets.names("resource", one.resources)))
    rows.append(("Tokens", ", ".join([*views.tokens(one), *map(words, one.status_cards)])))
    if conditions := views.conditions(sheets.table, id_):
        rows.append(("Now", ", ".join(conditions)))
    return rows


def _boxes(now: int, count: int, milestones: tuple[int, ...]) -> str:
    """Returns a row of boxes, those with a milestone in brackets: ``■■[■]□□□□□[□]``."""
    marks = ["■" if box <= now else "□" for box in range(1, count + 1)]
    for box in milestones:
        marks[box - 1] = f"[{marks[box - 1]}]"
    return "".join(marks)


def _traits(sheets: Sheets, id_: str) -> list[tuple[str, str]]:
    one = sheets.view.survivors[id_]
    owned = sheets.view.settlement.innovations
    records = [sheets.record("innovation", owned_) for owned_ in owned]
    actions = ["dodge", *(record.survival_action for record in records if record)]
    barred = views.barred(sheets.table, id_) if one.status != "dead" else {}
    able = [] if one.status == "dead" or "survival" in barred else dict.fromkeys(actions)
    both = (*one.abilities, *one.impairments)
    lists = {
        "Fighting arts": _told(sheets, "fighting_art", one.fighting_arts),
        "Disorders": _told(sheets, "disorder", one.disorders),
        "Abilities & impairments": _told(sheets, "ability", both),
        "Severe injuries": _told(sheets, "injury", one.severe_injuries),
    }
    survival = ", ".join(action for action in able if action not in ("", *barred))
    rows = [("Survival actions", survival)]
    rows += [(label, told) for label, told in lists.items() if told]
    if none := [label.lower() for label, told in lists.items() if not told]:
        rows.append(("None", ", ".join(none)))  # a line each would push the heading off a screen
    if barred:
        told = ", ".join(f"{words(what)} ({why})" for what, why in barred.items())
        rows.append(("Barred", told))
    if one.parents is not None:
        parents = f"{sheets.who(one.parents.mother)} and {sheets.who(one.parents.father)}"
        rows.append(("Parents", parents))
    if bonuses := views.affinity_bonuses(sheets.table, id_):
        rows.append(("Affinity bonuses", "\n".join(_bonus(sheets, one) for one in bonuses)))
    rows += [("Note", shown(note)) for note in one.notes]
    return rows


def _bonus(sheets: Sheets, bonus: views.AffinityBonus) -> str:
    gained = "gained" if bonus.gained else "lacking"
    return f"{sheets.name('gear', bonus.card)}  ·  {bonus.needs}: {gained}"


def _told(sheets: Sheets, kind: str, ids: Sequence[str]) -> str:
    """Records by name, each on a line of its own with what it does."""
    lines = []
    for id_, count in Counter(ids).items():
        record = sheets.record(kind, id_)
        note = f"  ·  {shown(record.note)}" if record is not None and record.note else ""
        lines.append(sheets.name(kind, id_) + (f" ×{count}" if count > 1 else "") + note)
    return "\n".join(lines)


def _affinities(one: views.Survivor) -> str:
    figures = "  ".join(f"{colour} {count}" for colour, count in one.affinities.items())
    return f"Gear grid  ·  affinities {figures}"


def _gear_at(sheets: Sheets, one: views.Survivor, cell: str) -> str:
    return sheets.name("gear", one.grid[cell]) if cell in one.grid else ""


def _gear_lines(sheets: Sheets, one: views.Survivor, cell: str) -> list[str]:
    """What the card in a cell says: figures, keywords, rules, affinities and what they bring."""
    record = sheets.record("gear", one.grid[cell]) if cell in one.grid else None
    if record is None:
        return []
    lines = [
        gear_figures(record),
        ", ".join(map(words, record.keywords)),
        ", ".join(words(rule.replace(":", " ")) for rule in record.rules),
        ", ".join(f"{edge} {colour}" for edge, colour in record.affinities.items()),
    ]
    for how, colours in record.needs.items():
        needed = ", ".join(f"{count} {colour}" for colour, count in colours.items())
        lines.append(f"{words(how)}: {needed}")
    return [line for line in lines if line]


def gear_figures(record: Any) -> str:
    found = []
    if record.weapon is not None:
        weapon = record.weapon
        found.append(f"{weapon.speed} dice, {weapon.accuracy}+, strength {weapon.strength}")
    if record.armor is not None:
        found.append(f"armor {record.armor.points} {words(record.armor.location)}")
    return "; ".join(found)


def weighing(sheets: Sheets, id_: str) -> list[str]:
    """What is not as it should be with a survivor, and what they wear."""
    one = sheets.view.survivors[id_]
    if one.status == "dead":
        return [f"dead: {shown(sheets.cause(id_))}"]
    found = [one.status] if one.status != "alive" else []
    found += [
        views.boxes(one, location)
        for location in one.injuries
        if one.injuries[location] or one.armor.get(location)
    ]
    found += views.tokens(one)
    found += views.conditions(sheets.table, id_)
    if one.skip_next_hunt:
        found.append("skips next hunt")
    return found


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    return to_click(globals()[name], command)
