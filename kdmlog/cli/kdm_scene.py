"""A showdown as a replay draws it: monster, decks as counts, each survivor in a line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET

from kdmlog.cli.call import Call
from kdmlog.cli.kdm_board import BLIND, RETINUE, board_picture, letters_of, signs_of, stance
from kdmlog.cli.kdm_sheets import Sheets
from kdmlog.cli.kdm_showdown import face_down, monster_rows, orders, part, title
from kdmlog.cli.kdm_survivors import weighing
from kdmlog.cli.scenes import Scene
from kdmlog.core.game import Table
from kdmlog.core.text import shown
from kdmlog.games.kdm import views
from kdmlog.games.kdm.onboard import OnBoard, on_board
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
    board, picture, beside = on_board(table), [], []
    if board is not None:
        letters = letters_of(names)
        picture = board_picture(board, letters)
        names |= {id_: f"{letters[id_]} {names[id_]}" for id_ in board.survivors}
        beside = _beside(sheets, here, board, names)
    wide = max(map(len, names.values()), default=0)
    survivors = [
        f"{name:<{wide}}  {'; '.join([_figures(sheets, id_), *_state(sheets, here, id_)])}"
        for id_, name in names.items()
    ]
    lines = (figures, *monster, *known, *survivors)
    return Scene(
        title(sheets, here), [shown(line) for line in lines], picture, list(map(shown, beside))
    )


def _beside(
    sheets: Sheets, here: views.Showdown, board: OnBoard, names: Mapping[str, str]
) -> list[str]:
    """Returns in few words what has to stand beside a board: survivors, decks as counts, signs."""
    ai, places = here.ai, here.hit_locations
    lines = [
        f"AI {ai.deck}, discard {len(ai.discard)}, wounds {ai.wounds}",
        f"Hit locations {places.deck}, discard {len(places.discard)}",
    ]
    for id_, name in names.items():
        if sheets.view.survivors[id_].status == "dead":
            lines.append(f"{name}  dead")
            continue
        where = stance(board.survivors[id_]) if id_ in board.survivors else []
        survival = f"{sheets.view.survivors[id_].survival} survival"
        parts = dict.fromkeys([*where, survival, *_state(sheets, here, id_)])
        lines.append(f"{name}  {', '.join(parts)}")
    told = dict(monster_rows(sheets, here))
    labels = ("In play", "Persistent", "Tokens", "Priority target")
    lines += [f"{label}: {told[label]}" for label in labels if told[label]]
    kinds = {tile.terrain: tile.name for tile in board.tiles.values()}
    signs = [f"{sign} {kinds[id_]}" for id_, sign in signs_of(board).items()]
    nines = [f"{RETINUE} {sheets.who(id_)}'s retinue" for id_ in board.retinues]
    return [*lines, *nines, *signs, *[f"{BLIND} blind spot"] * bool(board.blind_spot)]


def _state(sheets: Sheets, here: views.Showdown, id_: str) -> list[str]:
    return [*part(here, id_), *weighing(sheets, id_)]


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
