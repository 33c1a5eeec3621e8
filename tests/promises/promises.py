"""The promises themselves: their numbers, what they say, and what counts as kept."""

from __future__ import annotations

from typing import NamedTuple


class Promise(NamedTuple):
    """What is promised, and its pass mark."""

    title: str
    mark: str


PROMISES = {
    1: Promise("A crash loses nothing", "1,000 kills: 0 acknowledged moves lost, 0 half moves"),
    2: Promise("No room harms nothing", "one line, exit code, earlier moves whole, goes on after"),
    3: Promise("A torn write is cut at a move", "every offset: a prefix that ends at a move's end"),
    4: Promise("A lost tail is noticed", "every loss told, appending refused until accepted"),
    5: Promise("Damage is named", "1,000 places: no traceback, no wrong data, the rest recovered"),
    6: Promise("Backups restore", "same head and state, the last N kept"),
    7: Promise("Many writers, many readers", "8 x 200 moves, 8 readers: gap-free, under 10 s"),
    8: Promise("No lost update", "two spend the last one: one does, the other names the move"),
    9: Promise("Reading is pure", "0 rows changed; works on read-only files and folders"),
    10: Promise("A retry has one effect", "same id: one move; other content: refused"),
    11: Promise("Append-only", "every column of every row: the first altered move or ref named"),
    12: Promise("Tampering is found", "edit, deletion, insertion, swap, truncation: all found"),
    13: Promise("Deterministic", "full fold = live state at every move, in every environment"),
    14: Promise("Snapshots are a cache", "with, without, old or wrong: the same answers"),
    15: Promise("Undo is exact", "10,000 random steps: do + undo = before, conservation holds"),
    16: Promise("Rolls are kept", "every face; undone: the same again; abandoned ones listed"),
    17: Promise("Old logs open", "every golden log: the same state; nothing rewritten"),
    18: Promise("A newer file is refused", "before any write"),
    19: Promise("A log carries its content", "plays from its own copy; reading only without"),
    20: Promise("Malformed input is refused whole", "nothing imported, line and field named"),
    21: Promise("Export and import are exact", "same events, hashes, state; twice adds nothing"),
    22: Promise("A hostile pack harms nothing", "all refused before any file is written"),
    23: Promise("Hostile text is harmless", "kept exactly, shown harmlessly, exported valid"),
    24: Promise("Errors have manners", "distinct codes, one line, JSON; verify silent when well"),
    25: Promise("Nothing irreversible by surprise", "announced, undoable; removal archives first"),
    26: Promise("Fast enough at 100,000 events", "a command under 0.3 s, memory under 200 MB"),
}
