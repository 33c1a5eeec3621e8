"""The showdown board as signs: who stands where, read without colour in half a terminal's width."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap

from kdmlog.cli import say
from kdmlog.cli.call import Call
from kdmlog.cli.kdm_sheets import Sheets
from kdmlog.core.game import Table
from kdmlog.core.text import shown
from kdmlog.games.kdm import views
from kdmlog.games.kdm.board import HEIGHT, WIDTH, footprint, step, tile_spaces
from kdmlog.games.kdm.onboard import FACINGS, OnBoard, Standing, on_board, told
from kdmlog.games.kdm.state import RETINUE_SIZE, Space
from kdmlog.session import Session

GAME = "kdm"
FRONTS = {"n": "▲", "e": "▶", "s": "▼", "w": "◀"}
BASE, BLIND, NEAR, EMPTY = "#", "░", "+", "·"
RETINUE = "°"
TERRAIN = '%&=~$@?!;*"'
"""Signs of terrain, in the order laid; there are no more kinds than these in the game."""
TOLD = ("obstacle", "impassable", "destructible")
"""The rules of terrain that the legend has."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LEGEND = 31
"""Columns beside the picture, within 80."""
_NAME = 12


def board_lines(sheets: Sheets, board: OnBoard) -> list[str]:
    """Returns the picture with its legend beside it, in 80 columns; below it in fewer."""
    # Everybody's, also of those who have died: nobody takes over another's letter in mid-fight.
    fighting = dict.fromkeys((*sheets.table.state.showdown.survivors, *board.survivors))
    letters = letters_of({id_: sheets.who(id_) for id_ in fighting})
    left, right = board_picture(board, letters), _legend(sheets, board, letters)
    wide = max(map(len, left))
    if say.columns() < wide + 2 + LEGEND:
        return [*left, *right]
    left += [""] * (len(right) - len(left))
    right += [""] * (len(left) - len(right))
    both = zip(left, right, strict=True)
    return [f"{one:<{wide}}  {other}".rstrip() for one, other in both]


def after_movement(
    call: Call, session: Session, before: Table, after: Table, room: int
) -> list[str]:
    """Returns the board as it is now, if it is not as it was before; in words for want of room."""
    if session.game.id != GAME or after.state.showdown is None:
        return []
    was = before.state.showdown.board if before.state.showdown is not None else None
    board = on_board(after)
    if board is None or after.state.showdown.board == was:
        return []
    if board.monster is None and not board.survivors:
        return []
    sheets = Sheets(call, after, dict(session.game.kinds), views.view(after))
    picture = board_lines(sheets, board)
    if len(picture) <= room:
        return picture
    names = {id_: sheets.who(id_) for id_ in board.survivors}
    stands, *near = told(after, names)
    return [f"      {text}" for text in (f"{stands}  (b draws it)", *near)]


def letters_of(names: Mapping[str, str]) -> dict[str, str]:
    """Returns a letter for each survivor: of their name if one is left, else of the alphabet."""
    found: dict[str, str] = {}
    for id_, name in names.items():
        wanted = [*name.upper(), *LETTERS]
        left = (one for one in wanted if one in LETTERS and one not in found.values())
        found[id_] = next(left, "?")
    return found


# --- the picture ----------------------------------------------------------------------------------


def board_picture(board: OnBoard, letters: Mapping[str, str]) -> list[str]:
    """Returns the board in 17 lines: a sign and what is under it for each space, axes numbered.

    Letters in lower case are of survivors who are no threat.
    """
    layers = (
        _standing(board, letters),
        _retinues(board),
        _commanding(board, letters),
        _lying(board),
        _near(board),
    )
    lines = []
    for y in range(HEIGHT, 0, -1):
        row = [(x, y) for x in range(1, WIDTH + 1)]
        signs = [[layer[at] for layer in layers if at in layer] or [EMPTY] for at in row]
        # Two signs have room: what stands on a space, and what is under it.
        cells = (f"{''.join(one[:2]):<2}" for one in signs)
        lines.append(f"{y:>2} {''.join(cells)}".rstrip())
    columns = "".join(f"{x:<4}" for x in range(1, WIDTH + 1, 2))
    return [*lines, f"   {columns}".rstrip()]


def _standing(board: OnBoard, letters: Mapping[str, str]) -> dict[Space, str]:
    """What stands on a space: the monster's base, its front as an arrow; survivors."""
    found: dict[Space, str] = {}
    if board.monster is not None:
        base = footprint(board.monster, board.size)
        front = FRONTS[board.facing]
        for at in base:
            found[at] = BASE if step(at, board.facing) in base else front
    for id_, one in board.survivors.items():
        found[one.at] = letters[id_] if one.threat else letters[id_].lower()
    return found


def _retinues(board: OnBoard) -> dict[Space, str]:
    bases = [footprint(at, RETINUE_SIZE) for at in board.retinues.values()]
    return {space: RETINUE for base in bases for space in sorted(base)}


def _commanding(board: OnBoard, letters: Mapping[str, str]) -> dict[Space, str]:
    """In the middle of a retinue the letter of who commands it."""
    return {(x + 1, y + 1): letters[id_] for id_, (x, y) in board.retinues.items()}


def _lying(board: OnBoard) -> dict[Space, str]:
    """What lies on a space: terrain, or the shade of the blind spot."""
    found: dict[Space, str] = dict.fromkeys(board.blind_spot, BLIND)
    signs = signs_of(board)
    for tile in board.tiles.values():
        spaces = tile_spaces(tile.at, tile.width, tile.height)
        found |= dict.fromkeys(spaces, signs[tile.terrain])
    return found


def _near(board: OnBoard) -> dict[Space, str]:
    return dict.fromkeys(board.within.spaces if board.within is not None else (), NEAR)


def signs_of(board: OnBoard) -> dict[str, str]:
    """Returns the sign of each terrain on the board."""
    kinds = dict.fromkeys(tile.terrain for tile in board.tiles.values())
    return dict(zip(kinds, TERRAIN, strict=False))


# --- the legend -----------------------------------------------------------------------------------


def _legend(sheets: Sheets, board: OnBoard, letters: Mapping[str, str]) -> list[str]:
    fight = sheets.view.showdown
    assert fight is not None
    lines = [_monster(sheets.foe(fight.monster), board)]
    for id_, one in board.survivors.items():
        letter = letters[id_] if one.threat else letters[id_].lower()
        name = shown(sheets.who(id_), _NAME)
        lines.append(f"{letter} {name}  {_at(one.at)}: {', '.join(stance(one))}")
    for id_, at in board.retinues.items():
        lines.append(f"{RETINUE} {shown(sheets.who(id_), _NAME)}'s retinue  {_at(at)}")
    if board.within is not None:
        who = [_called(sheets, one) for one in board.within.who] or ["nobody"]
        of = f" of {_called(sheets, board.within.of)}"
        lines.append(f"{NEAR} {board.within.words}{of}: {', '.join(who)}")
    signs = signs_of(board)
    kinds = {tile.terrain: tile for tile in board.tiles.values()}
    for id_, sign in signs.items():
        rules = ", ".join(rule for rule in kinds[id_].rules if rule in TOLD)
        lines.append(f"{sign} {kinds[id_].name}{rules and f' ({rules})'}")
    if board.blind_spot:
        lines.append(f"{BLIND} blind spot")
    return list(_wrapped(lines))


def _monster(name: str, board: OnBoard) -> str:
    if board.monster is None:
        return f"{name}: off the board"
    sign = FRONTS[board.facing]
    return f"{sign} {name}  {_at(board.monster)}: faces {FACINGS[board.facing]}"


def stance(one: Standing) -> list[str]:
    """Returns how the monster sees a survivor: how far away, in view or not, no threat."""
    parts = []
    if one.away is not None:
        parts.append("adjacent" if one.away == 1 else f"{one.away} away")
        if one.in_blind_spot:
            parts.append("blind spot")
        elif not one.in_view:
            parts.append("hidden by terrain")
    if not one.threat:
        parts.append("knocked down" if one.knocked_down else "no threat")
    return parts or ["there"]


def _called(sheets: Sheets, id_: str) -> str:
    return "the monster" if id_ == "monster" else sheets.who(id_)


def _at(space: Space) -> str:
    return f"{space[0]} {space[1]}"


def _wrapped(lines: Iterable[str]) -> Sequence[str]:
    return [part for line in lines for part in wrap(line, LEGEND, subsequent_indent="  ")]
