"""Saves what a damaged ledger still holds into a new one; the old file is only read."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from errno import EFBIG, ENOSPC
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec import Struct, field

from kdmlog.core.errors import BadInput, LedgerError, Refused
from kdmlog.core.text import shown
from kdmlog.ledger.aside import set_aside
from kdmlog.ledger.backup import newest
from kdmlog.ledger.connection import (
    Connection,
    DatabaseErrors,
    beside,
    log_size,
    transaction,
    wal_size,
)
from kdmlog.ledger.drafts import database_draft
from kdmlog.ledger.hashing import genesis, move_hash, pack_hash
from kdmlog.ledger.rows import Placed, write_moves
from kdmlog.ledger.store import Ledger
from kdmlog.ledger.structs import Branch, Campaign, Finding, NewMove
from kdmlog.ledger.verify import EVENTS, MOVES, Walk
from kdmlog.ledger.witness import SUFFIX, Witness

BY = "kdmlog recover"
"""Who takes the steps that stand in for lost ones."""

_Damage = (*DatabaseErrors, TypeError, ValueError)
_BATCH = 256

Reading = Callable[[sqlite3.Connection, int, int, int], Iterator[tuple[tuple[Any, ...], list[str]]]]
"""Reads rows of moves with their events: of a line, after a number, so many."""
_REFS = "branch, reason, line, number, follows, from_line, from_number, from_follows, by, at, hash"


class Saved(Struct, frozen=True):
    """What became of a campaign: how many moves are saved, what was wrong, its branches now.

    ``restated`` is how many lines no step opened any more, so that new steps do.
    """

    campaign: Campaign
    moves: int
    wrong: list[str]
    restated: int
    branches: list[Branch]


class Recovered(Struct, frozen=True):
    """What was saved, and how many content packs that were played could not be."""

    campaigns: list[Saved]
    packs_lost: int


class _Line(Struct):
    """A line that begins after a move of another; ``hashes`` are those of its moves that are whole.

    ``read`` is how those can be read.
    """

    fork: int | None
    number: int
    read: Reading
    hashes: list[bytes] = field(default_factory=list)

    @property
    def end(self) -> int:
        """Returns the number of the last of them."""
        return self.number + len(self.hashes)


class _Whole(Struct):
    """What of a campaign is whole: lines by their ids, and the ids of its first steps."""

    row: tuple[Any, ...]
    first: int = 0
    lines: dict[int, _Line] = field(default_factory=dict)
    steps: list[int] = field(default_factory=list)
    opened: set[int] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)

    @property
    def moves(self) -> int:
        """Returns how many moves those are."""
        return sum(len(line.hashes) for line in self.lines.values())

    def holds(self, line: int, number: int) -> bool:
        """Returns whether a place is among them."""
        if number == 0:
            return line == self.first and line in self.lines
        there = self.lines.get(line)
        return there is not None and there.number < number <= there.end

    def hash(self, line: int | None, number: int) -> bytes:
        """Returns the hash of such a place."""
        if line is None:
            return genesis(self.row[1])
        there = self.lines[line]
        return there.hashes[number - there.number - 1]


def recover(source: Path, target: Path) -> Recovered:
    """Writes what is whole in the ledger ``source`` into a new one, ``target``.

    That is of each line the moves before the first that is altered or cannot be read, and of the
    oplog the steps before the first such; a line that is left without its step gets a new one.
    Raises LedgerError when there is nothing, Refused when ``target`` cannot be written or is there.
    """
    if not source.is_file():
        raise LedgerError(f"There is no ledger at {source}.", code="no_ledger")
    _check_free(target)
    try:
        with TemporaryDirectory(prefix="kdmlog-") as folder:
            copy, found = _best(source, Path(folder))
            with closing(_read(copy)) as old, database_draft(target) as draft:
                recovered = _written(old, found, draft, Witness(source))
                beside(target, SUFFIX).unlink(missing_ok=True)  # of what was there before
    except OSError as error:  # of the copies that are read; ``target`` has its own words for it
        raise LedgerError(
            f"Nothing was recovered: {error.strerror or error}.",
            code="full" if error.errno in (ENOSPC, EFBIG) else "io",
            hints=["TMPDIR=FOLDER has the copies made elsewhere"],
        ) from error
    with suppress(LedgerError), Ledger.open(target, readonly=True) as made:
        made.accept_head()  # the new ledger is whole without a witness, too
    return recovered


def _best(source: Path, folder: Path) -> tuple[Path, list[_Whole]]:
    """The copy of the ledger in which most is whole, and what that is."""
    best, most = None, 0
    for copy in _readings(source, folder):
        with closing(_read(copy)) as connection:
            found = _campaigns(connection)
        worth = sum(each.moves + len(each.steps) for each in found)
        if worth > most:
            best, most = (copy, found), worth
        if found and not any(each.wrong for each in found):
            break
    if best is None:
        raise _nothing(source)
    return best


def _check_free(target: Path) -> None:
    """Raises Refused when there is a file already, or the log of one: SQLite would read it, too."""
    for suffix in ("", "-wal", "-journal"):
        there = target.with_name(target.name + suffix)
        if there.exists() and (not suffix or there.stat().st_size):
            raise Refused(
                f"{there} is there already.", code="exists", hints=[f"move {there.name} away first"]
            )


def _nothing(source: Path) -> LedgerError:
    last = newest(source)
    hints = [f"kdmlog --db {last} recover FILE: the newest backup"] if last else []
    return LedgerError(f"Nothing in {source} can be recovered.", code="unrecoverable", hints=hints)


# --- reading a file that may be damaged -----------------------------------------------------------


def _readings(source: Path, folder: Path) -> Iterator[Path]:
    """Makes copies of the ledger to read, the truest first.

    As SQLite sees it; and with header and schema put back, which are known by heart. With the log
    beside the file, and without it: it may be damaged, or of another file.
    """
    n, log = 0, beside(source, "-wal") if wal_size(source) else None
    with suppress(*_Damage):
        if log_size(source, "-journal"):  # what was begun and never committed is taken back
            yield set_aside(source, folder)
        copy = folder / f"{n}.db"
        with (
            closing(_connect(source, "mode=ro" if log else "mode=ro&immutable=1")) as old,
            closing(_connect(copy)) as new,
        ):
            old.backup(new)
        yield copy
    fresh = folder / "fresh.db"
    Ledger.open(fresh).close()
    for mend in (_header, _schema):
        for beside_it in (log, None) if log else (None,):
            n += 1
            copy = folder / f"{n}.db"
            shutil.copyfile(source, copy)
            mend(copy, fresh)
            if beside_it:
                shutil.copyfile(beside_it, beside(copy, "-wal"))
            yield copy


def _header(copy: Path, fresh: Path) -> None:
    """Puts the first bytes of the file back: all but its length is the same in every ledger."""
    with fresh.open("rb") as file:
        header = bytearray(file.read(100))
    with copy.open("r+b") as file:
        kept = int.from_bytes(file.read(18)[16:], "big")
        if kept in (1 << n for n in range(9, 16)):  # a page size
            header[16:18] = kept.to_bytes(2, "big")
        size = int.from_bytes(header[16:18], "big")
        header[28:32] = (copy.stat().st_size // size).to_bytes(4, "big")
        header[32:40] = bytes(8)  # no free pages: nothing is to be written here
        header[92:96] = header[24:28]
        file.seek(0)
        file.write(header)


def _schema(copy: Path, fresh: Path) -> None:
    """Puts back all pages that say where the tables are, too."""
    with closing(_connect(fresh, "mode=ro&immutable=1")) as connection:
        [size] = connection.execute("PRAGMA page_size").fetchone()
        [count] = connection.execute("PRAGMA page_count").fetchone()
        rows = connection.execute("SELECT rootpage FROM sqlite_schema WHERE rootpage > 0")
        roots = {row[0] for row in rows}
    with fresh.open("rb") as known, copy.open("r+b") as file:
        for page in set(range(1, count + 1)) - roots:
            known.seek((page - 1) * size)
            file.seek((page - 1) * size)
            file.write(known.read(size))
    _header(copy, fresh)


def _connect(path: Path, options: str = "mode=rwc") -> sqlite3.Connection:
    where = f"{path.absolute().as_uri()}?{options}"
    return sqlite3.connect(where, uri=True, isolation_level=None)


def _read(copy: Path) -> sqlite3.Connection:
    connection = _connect(copy)
    # What is no longer UTF-8 must not stop the walk: no hash fits it.
    connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
    return connection


def _rows(connection: sqlite3.Connection, sql: str, *values: object) -> list[tuple[Any, ...]]:
    """The rows up to where they cannot be read."""
    found: list[tuple[Any, ...]] = []
    with suppress(*_Damage):
        found.extend(connection.execute(sql, values))
    return found


def _campaigns(connection: sqlite3.Connection) -> list[_Whole]:
    rows = _rows(connection, "SELECT id, uid, slug, name, game, created FROM campaign ORDER BY id")
    return [_whole(connection, row) for row in rows]


class _Guess(Walk):
    """A walk without the table of lines: each is put after the move that its first chains to."""

    def _lines(self) -> Iterator[Finding]:
        for line, first in _rows(
            self.connection, "SELECT line, min(number) FROM move GROUP BY line ORDER BY line"
        ):
            places = _rows(
                self.connection,
                "SELECT line FROM move WHERE number = ? AND line < ?",
                *(first - 1, line),
            )
            for (fork,) in places if first > 1 else [(None,)]:
                before = self.first_line
                list(self._line(line, fork, first - 1))
                if line in self.sound:
                    break
                self.first_line = before
                del self.forks[line], self.parents[line]
        yield Finding("line", "The table of lines is lost; they are put where their moves say.")


def _whole(connection: sqlite3.Connection, row: tuple[Any, ...]) -> _Whole:
    """The campaign as its tables say it is, or, where that is more, as its moves do."""
    known = _walked(Walk(connection, *row), row)
    if not known.wrong:
        return known
    guess = _walked(_Guess(connection, *row), row)
    return guess if guess.moves > known.moves else known


def _walked(walk: Walk, row: tuple[Any, ...]) -> _Whole:
    whole = _Whole(row, wrong=[shown(finding.message) for finding in walk.findings()])
    if not walk.sound and not walk.steps:
        return whole
    whole.first = walk.first_line or 0
    with suppress(TypeError):  # an altered number may be of any type
        for id, number in walk.forks.items():
            fork, end = walk.parents[id], walk.sound.get(id, number)
            if fork is None or whole.holds(fork, number):
                before = whole.hash(fork, number)
                line = _readable(walk.connection, row[1], id, fork, number, end, before)
                if line.hashes or id == whole.first:
                    whole.lines[id] = line
    for step in walk.steps:
        rows = _rows(
            walk.connection,
            "SELECT reason, line, number, from_line, from_number FROM ref WHERE id = ?",
            step,
        )
        if not rows:
            break
        [(reason, line, number, from_line, from_number)] = rows
        if not whole.holds(line, number):
            break
        if from_line is not None and not whole.holds(from_line, from_number):
            break
        whole.steps.append(step)
        if reason in ("begin", "append"):
            whole.opened.add(line)
    return whole


def _readable(
    old: sqlite3.Connection,
    uid: str,
    id: int,
    fork: int | None,
    number: int,
    end: int,
    before: bytes,
) -> _Line:
    """The line with the moves that can be read in the better way, each held to its hash."""
    found: list[_Line] = []
    for read in (_in_order, _one_by_one):
        line, last = _Line(fork, number, read), before
        found.append(line)
        with suppress(*_Damage, BadInput):
            for move, n, hash in _moves(old, id, line, end - number):
                if n != line.end + 1 or move_hash(last, uid, n, move) != hash:
                    break
                line.hashes.append(hash)
                last = hash
        if line.end == end:
            break
    return max(found, key=lambda line: line.end)


# --- writing the new one --------------------------------------------------------------------------


def _written(
    old: sqlite3.Connection, found: list[_Whole], draft: Path, witness: Witness
) -> Recovered:
    for whole in found:
        whole.wrong += [finding.message for finding in witness.losses(old, whole.row[0])]
    with Ledger.open(draft) as ledger:
        new = ledger.connection
        with transaction(new):
            _copy_packs(old, new)
            for whole in found:
                if whole.lines:
                    _copy_lines(old, new, whole)
            for step, id in sorted((step, whole.row[0]) for whole in found for step in whole.steps):
                row = old.execute(f"SELECT ?, {_REFS} FROM ref WHERE id = ?", (id, step)).fetchone()
                marks = ", ".join("?" * len(row))
                new.execute(f"INSERT INTO ref (campaign, {_REFS}) VALUES ({marks})", row)
            for whole in found:
                _reopen(old, ledger, whole)
            _choose(old, ledger)
        findings = ledger.verify()
        lost = [finding for finding in findings if finding.code == "pack"]
        wrong = [finding for finding in findings if finding.code != "pack"]
        if wrong:
            raise LedgerError(f"What was saved is not whole: {wrong[0].message}")
        made = {campaign.id: campaign for campaign in ledger.campaigns()}
        return Recovered(
            [
                Saved(
                    made.get(whole.row[0]) or Campaign(*_row(whole)),
                    whole.moves,
                    whole.wrong,
                    len(whole.lines.keys() - whole.opened),
                    ledger.branches(whole.row[0]),
                )
                for whole in found
            ],
            len(lost),
        )


def _copy_lines(old: sqlite3.Connection, new: Connection, whole: _Whole) -> None:
    row = _row(whole)
    new.execute(
        "INSERT INTO campaign (id, uid, slug, name, game, created) VALUES (?, ?, ?, ?, ?, ?)", row
    )
    for id, line in whole.lines.items():
        new.execute(
            "INSERT INTO line (id, campaign, fork_line, fork_number) VALUES (?, ?, ?, ?)",
            (id, row[0], line.fork, line.number or None),
        )
        ends = "SELECT last FROM move WHERE line = ? AND number = ?"
        fork = new.execute(ends, (line.fork, line.number)).fetchone()
        last, moves = fork[0] if fork else 0, _moves(old, id, line, len(line.hashes))
        while batch := list(islice(moves, _BATCH)):
            last = write_moves(new, batch, id, last)


def _moves(old: sqlite3.Connection, id: int, line: _Line, size: int) -> Iterator[Placed]:
    """So many moves of a line, as its rows have them; only what their hashes cover."""
    for row, bodies in line.read(old, id, line.number, size):
        number, kind, begins, input, by, at, request_id, writer, rules, _, _, hash = row
        yield NewMove(kind, begins, input, bodies, by, at, request_id, rules, writer), number, hash


def _in_order(
    old: sqlite3.Connection, id: int, number: int, size: int
) -> Iterator[tuple[tuple[Any, ...], list[str]]]:
    """The rows as they stand, and not one further: there may be the damage."""
    ends = f"SELECT first, last FROM ({MOVES} WHERE line = ? ORDER BY number LIMIT ?)"
    [(events,)] = old.execute(f"SELECT ifnull(sum(last - first + 1), 0) FROM ({ends})", (id, size))
    found = old.execute(f"{EVENTS} WHERE line = ? ORDER BY position LIMIT ?", (id, events))
    for row in old.execute(f"{MOVES} WHERE line = ? ORDER BY number LIMIT ?", (id, size)):
        yield row, [body for *_, body in islice(found, row[-2] - row[-3] + 1)]


def _one_by_one(
    old: sqlite3.Connection, id: int, number: int, size: int
) -> Iterator[tuple[tuple[Any, ...], list[str]]]:
    """The rows looked up, where their order is damaged."""
    event = f"{EVENTS} WHERE line = ? AND position = ?"
    for n in range(number + 1, number + size + 1):
        row = old.execute(f"{MOVES} WHERE line = ? AND number = ?", (id, n)).fetchone()
        positions = range(row[-3], row[-2] + 1)
        yield row, [old.execute(event, (id, each)).fetchone()[2] for each in positions]


def _row(whole: _Whole) -> tuple[Any, ...]:
    """The campaign's row; without its first step nothing vouches for the names in it."""
    id, *texts = whole.row
    if whole.steps:
        return whole.row
    return id, *(_text(text) for text in texts)


def _text(value: object) -> str:
    return str(value).encode("utf-8", "replace").decode()


def _copy_packs(old: sqlite3.Connection, new: sqlite3.Connection) -> None:
    """Keeps the packs that are as they were."""
    for (row,) in _rows(old, "SELECT rowid FROM pack"):
        for hash, source in _rows(old, "SELECT hash, source FROM pack WHERE rowid = ?", row):
            if isinstance(source, bytes) and pack_hash(source) == hash:
                new.execute("INSERT INTO pack (hash, source) VALUES (?, ?)", (hash, source))


def _reopen(old: sqlite3.Connection, ledger: Ledger, whole: _Whole) -> None:
    """Takes new steps to the lines that no step leads to any more."""
    from datetime import UTC, datetime

    from kdmlog.core.positions import TIME

    now = datetime.now(UTC).strftime(TIME)
    for line in sorted(whole.lines.keys() - whole.opened):
        opener = "SELECT branch FROM ref WHERE line = ? AND reason IN ('begin', 'append')"
        names = [name for (name,) in _rows(old, opener, line) if name]
        ledger.reopen(whole.row[0], _text(names[0]) if names else "main", line, BY, now)


def _choose(old: sqlite3.Connection, ledger: Ledger) -> None:
    """Puts names, the campaign and the branches in use back, where they are there."""
    settings = dict(_rows(old, "SELECT key, value FROM setting"))
    for campaign in ledger.campaigns():
        branch = settings.get(f"branch/{campaign.uid}")
        names = [each.name for each in ledger.branches(campaign.id)]
        if branch in names:
            ledger.choose_branch(campaign, branch)
        ledger.shelve(campaign, settings)
        if settings.get("campaign") == campaign.uid or ledger.current()[0] is None:
            ledger.use(campaign.slug)
