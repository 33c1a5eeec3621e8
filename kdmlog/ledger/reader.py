"""Reads the history: a head's path is a few lines, and each of them one range scan."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import NamedTuple, TypeVar

from msgspec import Struct, convert

from kdmlog.core.errors import BadInput, UnknownName
from kdmlog.ledger.connection import Connection, DatabaseErrors, damaged, explained
from kdmlog.ledger.hashing import genesis, move_hash, row_hash
from kdmlog.ledger.structs import Batch, Head, Move, MoveKind

T = TypeVar("T")

_BODIES = "SELECT body FROM event WHERE line = ? AND position BETWEEN ? AND ? ORDER BY position"
# Joined by SQLite, which is much faster than giving each to Python. It keeps to the order of a
# subquery that has one exactly for this function's sake.
_JOINED = f"SELECT '[' || group_concat(body, ',') || ']', count(body) FROM ({_BODIES})"
_SOME = 128
"""Moves that are held to their hashes together."""
_FEW, _MANY = 64, 512
"""Events of the first batch, and of any."""
_LARGE = 1 << 18
"""Characters of JSON that a batch should not have many more of."""
_MOVE = (
    "SELECT number, line, kind, begins, input, by, at, request_id, writer, rules, hash, "
    "first, last FROM move"
)
_FIELDS = (
    "SELECT number, kind, begins, input, by, at, request_id, writer, rules, first, last, hash "
    "FROM move WHERE line = ? AND number BETWEEN ? AND ? ORDER BY number"
)
_ORDERS = {
    newest_first: (
        f"{_MOVE} WHERE line = ? AND number BETWEEN ? AND ? ORDER BY number {order}",
        "SELECT move, body FROM event WHERE line = ? AND position BETWEEN ? AND ? "
        f"ORDER BY position {order}",
    )
    for newest_first, order in ((False, "ASC"), (True, "DESC"))
}
# A line and the nearest it comes from: a path is read in few steps, and a step back in one.
_FORKS = (
    "WITH RECURSIVE path (id, fork_line, fork_number) AS ("
    "SELECT id, fork_line, fork_number FROM line WHERE id = ? UNION ALL "
    "SELECT l.id, l.fork_line, l.fork_number FROM path JOIN line l ON l.id = path.fork_line "
    "LIMIT 64) "
    "SELECT id, fork_line, ifnull(fork_number, 0), iif(fork_line IS NULL, 0, last) FROM path "
    "LEFT JOIN move ON move.line = fork_line AND move.number = fork_number"
)


def may_be(kind: str) -> str:
    """Returns SQL for whether a body may be an event of this kind.

    Ours begin with it, and that is compared in no time; others are searched for its name.
    """
    ours, this = '\'{"kind":"', f'\'{{"kind":"{kind}"'
    return (
        f"(body BETWEEN {this}' AND {this}~' "
        f"OR (body NOT BETWEEN {ours}' AND {ours}~' AND instr(body, '{kind}')))"
    )


class _Row(NamedTuple):
    """A row of ``move``: the fields of a Move but its bodies, then where those are."""

    number: int
    line: int
    kind: MoveKind
    begins: int | None
    input: str
    by: str
    at: str
    request_id: str | None
    writer: str
    rules: int
    hash: bytes
    first: int
    last: int


class Fork(Struct, frozen=True, array_like=True):
    """Where a line leaves another: after move ``number``, whose last event is at ``last``."""

    id: int
    line: int | None
    number: int
    last: int


class Run(Struct, frozen=True):
    """A part of a path: the moves ``low..high`` of a line, with the events ``first..last``."""

    line: int
    low: int
    high: int
    first: int
    last: int


class Reader:
    """The reading half of a ledger, on an open connection.

    A head always reads as it was: moves appended since are not seen. An iterator holds the
    database's read lock until it is exhausted or dropped.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        # Lines and campaigns never change, so what was read once stays true.
        self._forks: dict[int, Fork] = {}
        self._uids: dict[int, str] = {}

    def events(self, head: Head, *, after: int = 0) -> Iterator[str]:
        """Yields the bodies of the moves ``after + 1 .. head.number``, oldest first.

        Raises LedgerError when an event is missing or cannot be read.
        """
        runs, seen = self._runs(head, after), 0
        try:
            for run in runs:
                for (body,) in self.connection.execute(_BODIES, (run.line, run.first, run.last)):
                    if body.__class__ is not str:
                        raise damaged("an event is no text")
                    seen += 1
                    yield body
        except DatabaseErrors as error:
            raise explained(error) from error
        if runs and seen != runs[-1].last - runs[0].first + 1:
            raise damaged("events are missing")

    def batches(self, head: Head, *, after: int = 0) -> Iterator[Batch]:
        """Yields the same bodies joined: thrice as fast, for a reader who takes them all.

        Raises LedgerError when an event is missing or cannot be read.
        """
        most = _FEW
        try:
            # A cursor that stays open keeps the read lock, else each batch would take it anew.
            _held = self.connection.execute("SELECT id FROM line")
            for run in self._runs(head, after):
                first = run.first
                while first <= run.last:
                    last = min(first + most - 1, run.last)
                    batch = Batch(
                        *self.connection.execute(_JOINED, (run.line, first, last)).fetchone()
                    )
                    if batch.size != last - first + 1:
                        raise damaged("events are missing")
                    yield batch
                    first = last + 1
                    most = max(1, min(_MANY, batch.size * _LARGE // len(batch.json)))
        except DatabaseErrors as error:
            raise explained(error) from error

    def moves(
        self,
        head: Head,
        *,
        after: int = 0,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> Iterator[Move]:
        """Yields the moves ``after + 1 .. head.number`` with their bodies, each held to its hash.

        Raises LedgerError when one is not what was appended, is missing or cannot be read.
        """
        runs = self._runs(head, after)
        if not runs:
            return iter(())
        before = self.position(head, runs[0].low - 1).hash
        if newest_first:
            runs.reverse()
        found = chain.from_iterable(self._moves_of(run, newest_first) for run in runs)
        held = _held_back if newest_first else _held
        return islice(held(found, self._uid(head.campaign), before), limit)

    def held(self, head: Head, *, after: int = 0) -> Iterator[Batch]:
        """Yields what ``batches`` does, with each move held to its hash before it is.

        Raises LedgerError when one is not what was appended, is missing or cannot be read.
        """
        uid, before = self._uid(head.campaign), self.position(head, max(after, 0)).hash
        execute = self.connection.execute
        try:
            for run in self._runs(head, after):
                moves = execute(_FIELDS, (run.line, run.low, run.high))
                events = execute(_BODIES, (run.line, run.first, run.last))
                last = run.first - 1
                while rows := moves.fetchmany(_SOME):
                    size = max(rows[-1][-2] - last, 0)
                    bodies = [body for (body,) in events.fetchmany(size)] if size else []
                    for row in rows:
                        first, high, hash = row[9:]
                        own = bodies[first - last - 1 : high - last]
                        if row_hash(before, uid, row[:9], own) != hash:
                            raise damaged(f"move {row[0]} is not what was appended")
                        before = hash
                    last += size
                    yield Batch(f"[{','.join(bodies)}]", len(bodies))
        except (*DatabaseErrors, TypeError, ValueError) as error:
            raise explained(error) from error
        if before != head.hash:
            raise damaged("moves are missing")

    def move(self, head: Head, number: int) -> Move:
        """Returns the move ``number`` on the way to ``head``.

        Raises UnknownName when there is none.
        """
        if not 0 < number <= head.number:
            raise UnknownName(f"There is no move {number}; the last is {head.number}.")
        return self._move_at(head.campaign, self._line_of(head, number), number)

    def typed(self, head: Head, number: int) -> tuple[MoveKind, str]:
        """Returns only the kind of move ``number`` and what was typed for it.

        Raises UnknownName when there is none.
        """
        if not 0 < number <= head.number:
            raise UnknownName(f"There is no move {number}; the last is {head.number}.")
        row = self._one(
            tuple[MoveKind, str],
            "SELECT kind, input FROM move WHERE line = ? AND number = ?",
            *(self._line_of(head, number), number),
        )
        if row is None:
            raise damaged(f"move {number} is missing")
        return row

    def position(self, head: Head, number: int) -> Head:
        """Returns the place after move ``number`` on the way to ``head`` (0: before any).

        Raises UnknownName when there is none.
        """
        if not 0 <= number <= head.number:
            raise UnknownName(f"There is no move {number}; the last is {head.number}.")
        line = self._line_of(head, number) if number else self._first_line(head.campaign)
        return self._place(head.campaign, head.branch, line, number, follows=False)

    def find_hash(self, campaign_id: int, hex_prefix: str) -> list[Head]:
        """Returns the places, on any line, of the moves whose hash begins so.

        Raises BadInput when the prefix is not hexadecimal.
        """
        rows = self._each(
            tuple[int, int, bytes],
            "SELECT m.line, m.number, m.hash FROM move m JOIN line l ON l.id = m.line "
            "WHERE l.campaign = ? AND m.hash BETWEEN ? AND ? ORDER BY m.line, m.number",
            *(campaign_id, *_between(hex_prefix)),
        )
        return [Head(campaign_id, "", line, number, hash, False) for line, number, hash in rows]

    def every(self, nth: int, campaign_id: int) -> list[Head]:
        """Returns the places, on any line, of the moves whose number is a multiple of ``nth``."""
        rows = self._each(
            tuple[int, int, bytes],
            "SELECT m.line, m.number, m.hash FROM move m JOIN line l ON l.id = m.line "
            "WHERE l.campaign = ? AND m.number % ? = 0 ORDER BY m.number, m.line",
            *(campaign_id, nth),
        )
        return [Head(campaign_id, "", line, number, hash, False) for line, number, hash in rows]

    def has(self, kind: str) -> bool:
        """Returns whether the ledger has an event of that kind, or what looks like one."""
        return bool(self._one(tuple[int], f"SELECT 1 FROM event WHERE {may_be(kind)} LIMIT 1"))

    def holds(self, campaign_id: int, hex_prefix: str) -> bool:
        """Returns whether the hash of a move, on any line, or of a step of the oplog begins so.

        Raises BadInput when the prefix is not hexadecimal.
        """
        row = self._one(
            tuple[int],
            "SELECT 1 FROM ref WHERE campaign = ? AND hash BETWEEN ? AND ?",
            *(campaign_id, *_between(hex_prefix)),
        )
        return bool(row or self.find_hash(campaign_id, hex_prefix))

    def find_request(self, campaign_id: int, request_id: str) -> Move | None:
        """Returns the move that was appended for this request, on any line, or None."""
        row = self._one(
            tuple[int, int],
            "SELECT m.line, m.number FROM move m JOIN line l ON l.id = m.line "
            "WHERE m.request_id = ? AND l.campaign = ?",
            *(request_id, campaign_id),
        )
        return self._move_at(campaign_id, *row) if row else None

    def at_or_before(self, head: Head, time: str) -> int:
        """Returns the number of the last move on the way to ``head`` made by then, or 0."""
        for run in reversed(self._runs(head, 0)):
            row = self._one(
                tuple[int],
                "SELECT number FROM move WHERE line = ? AND number BETWEEN ? AND ? AND at <= ? "
                "ORDER BY number DESC LIMIT 1",
                *(run.line, run.low, run.high, time),
            )
            if row:
                return row[0]
        return 0

    def _one(self, shape: type[T], sql: str, *parameters: object) -> T | None:
        """The first row, checked like those of ``_each``."""
        try:
            row = self.connection.execute(sql, parameters).fetchone()
            return None if row is None else convert(row, shape)
        except DatabaseErrors as error:
            raise explained(error) from error

    def _each(self, shape: type[T], sql: str, *parameters: object) -> Iterator[T]:
        """Yields rows that have been checked: in a damaged file a value may be of any type."""
        try:
            for row in self.connection.execute(sql, parameters):
                yield convert(row, shape)
        except DatabaseErrors as error:
            raise explained(error) from error

    def _uid(self, campaign_id: int) -> str:
        uid = self._uids.get(campaign_id)
        if uid is None:
            row = self._one(tuple[str], "SELECT uid FROM campaign WHERE id = ?", campaign_id)
            if row is None:
                raise UnknownName(f"There is no campaign with the id {campaign_id}.")
            uid = self._uids[campaign_id] = row[0]
        return uid

    def _first_line(self, campaign_id: int) -> int:
        """The line that stands for the place before any move."""
        row = self._one(
            tuple[int],
            "SELECT id FROM line WHERE campaign = ? ORDER BY id LIMIT 1",
            campaign_id,
        )
        if row is None:
            raise damaged("a campaign has no line")
        return row[0]

    def _place(self, campaign: int, branch: str, line: int, number: int, *, follows: bool) -> Head:
        if number == 0:
            return Head(campaign, branch, line, 0, genesis(self._uid(campaign)), follows)
        row = self._one(
            tuple[bytes], "SELECT hash FROM move WHERE line = ? AND number = ?", line, number
        )
        if row is None:
            raise damaged(f"move {number} is missing")
        return Head(campaign, branch, line, number, row[0], follows)

    def _fork(self, line: int) -> Fork:
        fork = self._forks.get(line)
        if fork is None:
            for each in self._each(Fork, _FORKS, line):
                if each.line is None or each.line < each.id:  # else a path might never end
                    self._forks[each.id] = each
            fork = self._forks.get(line)
        if fork is None:
            raise damaged("a line does not say where it forks")
        return fork

    def _line_of(self, head: Head, number: int) -> int:
        """The line that holds a move on the way to ``head``; costs the forks in between."""
        line, fork = head.line, self._fork(head.line)
        while fork.line is not None and number <= fork.number:
            line, fork = fork.line, self._fork(fork.line)
        return line

    def _span(self, line: int, number: int) -> tuple[int, int]:
        """The positions of a move's first and last event."""
        span = self._one(
            tuple[int, int],
            "SELECT first, last FROM move WHERE line = ? AND number = ?",
            *(line, number),
        )
        if span is None:
            raise damaged(f"move {number} is missing")
        return span

    def _runs(self, head: Head, after: int) -> list[Run]:
        """The path from ``after`` to ``head``, oldest first."""
        runs: list[Run] = []
        after = max(after, 0)
        if head.number <= after:
            return runs
        line, high, last = head.line, head.number, self._span(head.line, head.number)[1]
        while True:
            fork = self._fork(line)
            if fork.number <= after:
                start = fork.last if fork.number == after else self._span(line, after)[1]
                runs.append(Run(line, after + 1, high, start + 1, last))
                break
            runs.append(Run(line, fork.number + 1, high, fork.last + 1, last))
            assert fork.line is not None  # a line without one forks after 0
            line, high, last = fork.line, fork.number, fork.last
        runs.reverse()
        return runs

    def _move_at(self, campaign: int, line: int, number: int) -> Move:
        return next(self.moves(Head(campaign, "", line, number, b"", False), after=number - 1))

    def _moves_of(self, run: Run, newest_first: bool) -> Iterator[Move]:
        moves_sql, events_sql = _ORDERS[newest_first]
        execute, seen = self.connection.execute, 0
        try:
            # Two cursors side by side: events are as gap-free as the moves are.
            events = execute(events_sql, (run.line, run.first, run.last))
            for fields in execute(moves_sql, (run.line, run.low, run.high)):
                row = convert(fields, _Row)
                size = row.last - row.first + 1
                rows = list(islice(events, size)) if 0 <= size <= run.last else []
                if len(rows) != size or any(
                    move != row.number or body.__class__ is not str for move, body in rows
                ):
                    raise damaged(f"events of move {row.number} are missing")
                if newest_first:
                    rows.reverse()
                seen += 1
                yield Move(*row[:11], tuple(body for _, body in rows))
        except DatabaseErrors as error:
            raise explained(error) from error
        if seen != run.high - run.low + 1:
            raise damaged("moves are missing")


def _held(moves: Iterator[Move], uid: str, before: bytes) -> Iterator[Move]:
    """Yields moves that chain to ``before`` and to each other. Raises LedgerError for one else."""
    for move in moves:
        _check(move, uid, before)
        before = move.hash
        yield move


def _held_back(moves: Iterator[Move], uid: str, before: bytes) -> Iterator[Move]:
    """The same from the newest on: a move is held to the one that is read after it."""
    later = next(moves)
    for move in moves:
        _check(later, uid, move.hash)
        yield later
        later = move
    _check(later, uid, before)
    yield later


def _check(move: Move, uid: str, before: bytes) -> None:
    if move_hash(before, uid, move.number, move) != move.hash:
        raise damaged(f"move {move.number} is not what was appended")


def _between(hex_prefix: str) -> tuple[bytes, bytes]:
    """The lowest and the highest hash that begin so."""
    try:
        return bytes.fromhex(hex_prefix.ljust(64, "0")), bytes.fromhex(hex_prefix.ljust(64, "f"))
    except ValueError:
        raise BadInput(f"{hex_prefix!r} is no beginning of a hash.") from None
