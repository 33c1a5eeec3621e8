"""A showdown as a replay draws it: monster, decks as counts, each survivor in a line."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from kdmlog.cli.call import Call
from kdmlog.cli.frames import Scene
from kdmlog.cli.kdm_board import board_picture, letters_of
from kdmlog.cli.kdm_sheets import Sheets
from kdmlog.cli.kdm_showdown import face_down, monster_rows, orders, part, title
from kdmlog.cli.kdm_survivors import weighing
from kdmlog.core.game import Table
from kdmlog.core.text import shown
from kdmlog.games.kdm import views
from kdmlog.games.kdm.onboard import on_board
from kdmlog.session import Session

GAME = "kdm"


def fight(call: Call, session: Session, table: Table) -> Scene | None:
    """Returns the showdown under way; None when there is none."""
    if session.game.id != GAME or table.state.showdown is None:
        return None
    sheets = _sheets(call, session, table)
    here = sheets.view.showdown
    assert here is not None
    figures = f"Movement {here.movement}, toughness {here.toughness}"
    figures += f", speed {here.speed:+}, damage {here.damage:+}"
    figures += f", life {here.life}" if here.life is not None else ""
    monster = [f"{label}: {text}" for label, text in monster_rows(sheets, here) if text]
    known = orders(sheets) if call.spoilers else []
    names = {id_: sheets.who(id_) for id_ in table.state.showdown.survivors}
    board, picture = on_board(table), []
    if board is not None:
        letters = letters_of({id_: sheets.who(id_) for id_ in board.survivors})
        picture = board_picture(board, letters)
        names |= {id_: f"{letter} {names[id_]}" for id_, letter in letters.items()}
    wide = max(map(len, names.values()), default=0)
    survivors = [
        f"{name:<{wide}}  {_figures(sheets, id_)}"
        + "".join(f"; {one}" for one in (*part(here, id_), *weighing(sheets, id_)))
        for id_, name in names.items()
    ]
    lines = (figures, *monster, *known, *survivors)
    return Scene(title(sheets, here), [shown(line) for line in lines], picture)


def part_of(call: Call, session: Session, table: Table) -> tuple[views.Showdown | None, Any]:
    """Returns the showdown as ``--json`` shows it, with ``--spoilers`` the orders of its decks."""
    if session.game.id != GAME or table.state.showdown is None:
        return None, UNSET
    sheets = _sheets(call, session, table)
    return sheets.view.showdown, face_down(sheets) if call.spoilers else UNSET


def _sheets(call: Call, session: Session, table: Table) -> Sheets:
    return Sheets(call, table, dict(session.game.kinds), views.view(table))


def _figures(sheets: Sheets, id_: str) -> str:
    one = sheets.view.survivors[id_]
    insanity = f", insanity {one.insanity}" if one.insanity else ""
    return f"survival {one.survival}/{sheets.view.settlement.survival_limit}{insanity}"
