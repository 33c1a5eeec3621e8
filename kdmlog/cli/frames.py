"""A moment of the past as it is drawn: where the game stood, what happened, what lay there then."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from kdmlog.cli.call import Call
from kdmlog.cli.say import columns_of, wrapped
from kdmlog.cli.scenes import Scene
from kdmlog.cli.typed import typed
from kdmlog.core.text import LONGEST_LINE, shown
from kdmlog.session import Session
from kdmlog.session.past import Moment

LEAST_COLUMNS, LEAST_ROWS = 80, 24
VIEWS = ("table", "sheets", "facts")
"""What a screen gives its room to: board and sheets, all of the sheets, all of the facts."""
_FACTS = 6
"""Lines that the facts have at least, whatever lies on the table."""
_GAP = 2


class Frame(Struct, frozen=True):
    """A move of a stretch ``first .. last``: what its action had come to, and what lay there then.

    ``facts`` begin with the answers given before to the same action, so many as ``earlier``.
    """

    number: int
    first: int
    last: int
    hash: str
    headline: str
    facts: list[str]
    earlier: int
    scene: Scene


def frame(call: Call, session: Session, moment: Moment, first: int, last: int) -> Frame:
    """Returns a moment's frame; nothing in it is of later moves."""
    entry, move = moment.entry, moment.move
    before = [
        f"{one.number}  {typed(None, one.input)}"
        for one, _ in entry.moves[1:]
        if one.number < move.number
    ]
    by = f"{shown(move.by)}  " if move.by else ""
    headline = session.game.headline(entry.action, entry.events, moment.table)
    return Frame(
        number=move.number,
        first=first,
        last=last,
        hash=move.hash.hex(),
        headline=f"{entry.number}  {by}{shown(headline, LONGEST_LINE)}",
        facts=[shown(text, LONGEST_LINE) for text in (*before, *_own(session, moment))],
        earlier=len(before),
        scene=scene(call, session, moment),
    )


def _own(session: Session, moment: Moment) -> list[str]:
    """Returns what the move itself brought: the answer as typed, its facts, what it left open."""
    texts = []
    if moment.move.number != moment.entry.number:
        texts.append(f"{moment.move.number}  {typed(None, moment.move.input)}")
    texts += facts(session, moment)
    if (asked := moment.table.state.open) is not None:
        texts.append(f"Open: {session.game.question(asked.request, moment.table)}")
    return texts


def facts(session: Session, moment: Moment) -> list[str]:
    """Returns the move's facts in words, as the log has them."""
    table = moment.table
    return [text for event in moment.events if (text := session.game.sentence(event, table))]


def scene(call: Call, session: Session, moment: Moment) -> Scene:
    """Returns what lay on the table; the showdown, when one was under way."""
    from kdmlog.cli.kdm_scene import fight

    game, table = session.game, moment.table
    return fight(call, session, table) or Scene(
        game.phase(table).capitalize(), [shown(text) for text in game.standing(table)]
    )


# --- as lines -------------------------------------------------------------------------------------


def plain(frame: Frame) -> list[str]:
    """Returns a frame below each other; its last line says which it was, in a fixed form."""
    return [
        frame.headline,
        *(f"    {text}" for text in frame.facts),
        f"      │ {frame.scene.title}",
        *(f"      │ {text}" for text in (*frame.scene.board, *frame.scene.sheets)),
        f"── move {frame.number} of {frame.first}..{frame.last}  h:{frame.hash[:8]}",
    ]


class Screen(Struct, frozen=True):
    """A full terminal: the line that is marked on top, the headline, and all others."""

    title: str
    above: list[str]
    headline: list[str]
    below: list[str]
    most: int
    """How far the facts can be scrolled."""


def screen(frame: Frame, columns: int, rows: int, *, view: str, scrolled: int) -> Screen | str:
    """Returns a frame in so much room, less a line for the foot; a line if that is too little."""
    if columns < LEAST_COLUMNS or rows < LEAST_ROWS:
        needed = f"{LEAST_COLUMNS}×{LEAST_ROWS}"
        return _cut(f"{columns}×{rows} is too small: it takes {needed}.  q ends", columns)
    room = rows - 2  # the title, the foot
    where = f"{frame.number} of {frame.first}..{frame.last}"
    title = _cut(f" {frame.scene.title}", columns - len(where) - 3)
    title = _filled(title, columns - len(where) - 1) + where + " "
    above = [] if view == "facts" else _table(frame.scene, columns, room, view)
    room -= len(above)
    headline = _headline(frame.headline, columns, room // 2)
    room -= len(headline)
    lines = [line for text in frame.facts for line in _lines(f"    {text}", columns)]
    start = sum(len(_lines(f"    {text}", columns)) for text in frame.facts[: frame.earlier])
    most = max(0, len(lines) - room)
    top = max(0, min(min(start, most) + scrolled, most))
    below = lines[top : top + room]
    if below and top + room < len(lines):
        below[-1] = f"    … {len(lines) - top - room + 1} more lines: ↓"
    if below and top and (top > start or scrolled):
        below[0] = f"    … {top + 1} lines before: ↑"
    below += [""] * (room - len(below))
    return Screen(title, above, headline, below, most)


def _headline(text: str, columns: int, most: int) -> list[str]:
    """Returns the headline; what is left of it stands in the move's own lines, too."""
    lines = _lines(text, columns)
    if len(lines) > most:
        lines = [*lines[: most - 1], f"{_cut(lines[most - 1], columns - 2)} …"]
    return lines


def _table(scene: Scene, columns: int, room: int, view: str) -> list[str]:
    """Returns what lay on the table, and leaves room for the facts."""
    if not scene.board or view == "sheets":
        sheets = [line for text in scene.sheets for line in _lines(text, columns)]
        return [*_fitting(sheets, room - _FACTS - 2), "─" * columns]
    wide = max(map(columns_of, scene.board))
    texts = [line for text in scene.beside for line in _lines(text, columns - wide - _GAP)]
    texts = _fitting(texts, len(scene.board))
    texts += [""] * (len(scene.board) - len(texts))
    both = zip(scene.board, texts, strict=True)
    return [f"{_filled(left, wide + _GAP)}{right}".rstrip() for left, right in both]


def _fitting(lines: Sequence[str], most: int) -> list[str]:
    if len(lines) <= most:
        return list(lines)
    return [*lines[: most - 1], f"… {len(lines) - most + 1} more lines: v"]


def _lines(text: str, columns: int) -> list[str]:
    return wrapped(text, columns).split("\n")


def _cut(text: str, columns: int) -> str:
    """Returns what of a text such a narrow line holds."""
    while columns_of(text) > columns:
        text = f"{text[:-2]}…"
    return text


def _filled(text: str, columns: int) -> str:
    return text + " " * (columns - columns_of(text))
