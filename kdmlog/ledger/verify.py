"""Recomputes everything that the ledger claims, and says what does not hold; it never raises."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, count, islice, pairwise, repeat
from threading import Thread
from typing import Any

from msgspec.structs import replace

from kdmlog.core.errors import BadInput
from kdmlog.core.events import PacksChanged
from kdmlog.core.text import shown
from kdmlog.ledger.connection import DatabaseErrors, another
from kdmlog.ledger.hashing import (
    Place,
    genesis,
    move_hash,
    pack_hash,
    ref_genesis,
    ref_hash,
    row_hashes,
)
from kdmlog.ledger.reader import may_be
from kdmlog.ledger.schema import (
    APPLICATION_ID,
    MIGRATIONS,
    SCHEMA_VERSION,
    expected_objects,
    objects,
)
from kdmlog.ledger.structs import Batch, Finding, Follow, Following, Head, NewMove, nobody

Row = tuple[Any, ...]
Found = list[Finding]
Check = Callable[[sqlite3.Connection], Iterator[Finding]]
LOST_PACK = "pack"
"""The code of a finding that a content pack is missing or altered."""

_TAG = PacksChanged.__struct_config__.tag
# The first look spares most events the second; an altered one need not be JSON.
_PLAYED = (
    "SELECT DISTINCT json_extract(pack.value, '$.id'), json_extract(pack.value, '$.hash') "
    "FROM event, json_each(iif(json_valid(body), body, '{}'), '$.packs') AS pack "
    f"WHERE {may_be(str(_TAG))} "
    f"AND json_extract(iif(json_valid(body), body, '{{}}'), '$.kind') = '{_TAG}'"
)
_LINES_BESIDE = (  # steps from line to line, not from event to event
    "WITH RECURSIVE held (line) AS (SELECT min(line) FROM event UNION ALL "
    "SELECT (SELECT min(line) FROM event WHERE line > held.line) FROM held "
    "WHERE held.line IS NOT NULL) "
    "SELECT line FROM held WHERE line IS NOT NULL AND line NOT IN "
    "(SELECT l.id FROM line l JOIN campaign c ON c.id = l.campaign WHERE ? IS NULL OR c.id = ?)"
)
_EVENT_BESIDE = (
    "SELECT 1 FROM event e LEFT JOIN move m ON m.line = e.line AND m.number = e.move "
    "WHERE e.line = ? AND m.number IS NULL LIMIT 1"
)
MOVES = (
    "SELECT number, kind, begins, input, by, at, request_id, writer, rules, first, last, hash "
    "FROM move"
)
EVENTS = "SELECT position, move, body FROM event"
TOGETHER = 128
"""Moves that are looked at together, from one multiple of it to the next."""
_REACH = (  # by themselves each is found at once, together only by reading all
    "SELECT (SELECT min(position) FROM event WHERE line = ?), "
    "(SELECT max(position) FROM event WHERE line = ?)"
)
_UNREADABLE: Row = (0, 0, "")
_Damage = (*DatabaseErrors, TypeError, ValueError)  # a damaged value may be of any type


def verify(
    connection: sqlite3.Connection,
    campaign_id: int | None = None,
    following: Following = nobody,
) -> list[Finding]:
    """Returns the findings on the file and on one campaign, or on all; none when all is well.

    Who is ``following`` a campaign is shown what is found to be as it was appended: all lines that
    are whole, each after the one it forks from, and the moves of others up to where they are not.
    """
    around = (_file, _schema, lambda connection: _orphans(connection, campaign_id), _packs)
    text, own = connection.text_factory, not connection.in_transaction
    other = another(connection) if own else None
    connection.text_factory = _lenient
    try:
        if own:
            with suppress(*_Damage):  # a file too damaged for it is walked without
                connection.execute("BEGIN")  # one state of the file for all that follows
        with _beside(other, around) as found:
            walked = _all(_campaigns(connection, campaign_id, following))
        *before, packs = found or [_all(check(connection)) for check in around]
    finally:
        if own:
            with suppress(*_Damage):
                connection.execute("ROLLBACK")
        connection.text_factory = text
    findings = chain(*before, walked, packs)
    return [replace(finding, message=shown(finding.message)) for finding in findings]


def _lenient(raw: bytes) -> str:
    """Text that is no longer UTF-8 must name its move, not stop the walk: no hash fits it."""
    return raw.decode("utf-8", "surrogateescape")


@contextmanager
def _beside(other: sqlite3.Connection | None, checks: Sequence[Check]) -> Iterator[list[Found]]:
    """Makes the checks while the body runs, which is Python's work and they are SQLite's.

    Nothing is found where there is no other connection to make them on.
    """
    found: list[Found] = []
    if other is None:
        yield found
        return
    other.text_factory = _lenient
    other.execute("BEGIN")
    # All of them or none: what one stumbles over is met again by whoever finds nothing here.
    thread = Thread(target=lambda: found.extend([_all(check(other)) for check in checks]))
    thread.start()
    try:
        yield found
    finally:
        thread.join()
        other.close()


def _all(findings: Iterator[Finding]) -> list[Finding]:
    return [*_survive(findings)]


def _survive(findings: Iterator[Finding], line: int | None = None) -> Iterator[Finding]:
    """Yields the findings up to where the file cannot be read, and then that."""
    try:
        yield from findings
    except _Damage as error:
        where = "" if line is None else f" in line {line}"
        yield Finding("damaged", f"The file cannot be read{where}: {error}.", line=line)


def _file(connection: sqlite3.Connection) -> Iterator[Finding]:
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        yield Finding("application", "The file is not marked as a kdmlog ledger.")
    # Not quick_check: that one does not notice an index that leads to another row.
    for (message,) in connection.execute("PRAGMA integrity_check"):
        if message != "ok":
            yield Finding("file", f"SQLite finds: {message}.")


def _schema(connection: sqlite3.Connection) -> Iterator[Finding]:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version < SCHEMA_VERSION and version not in (each.version for each in MIGRATIONS):
        yield Finding("schema", f"The file says that its schema is {version}.")
    expected, found = expected_objects(version), objects(connection)
    for kind, name in expected.keys() - found.keys():
        yield Finding("schema", f"The {kind} {name} is missing.")
    for kind, name in expected.keys() & found.keys():
        if expected[kind, name] != found[kind, name]:
            yield Finding("schema", f"The {kind} {name} is not as kdmlog made it.")
    if version <= SCHEMA_VERSION:  # a newer minor version may have added some
        for kind, name in found.keys() - expected.keys():
            if kind != "view":  # those hold no data: a game's, or somebody's own questions
                yield Finding("schema", f"The {kind} {name} is not kdmlog's.")


def _orphans(connection: sqlite3.Connection, campaign_id: int | None) -> Iterator[Finding]:
    """Rows that belong to nothing; of the events only those that no campaign's walk comes by."""
    found: dict[tuple[str, str], int | None] = {}
    for table in ("line", "move", "ref"):
        rows = connection.execute(f"PRAGMA foreign_key_check({table})").fetchall()
        found |= {(table, parent): rowid for _, rowid, parent, _ in reversed(rows)}
    for (line,) in connection.execute(_LINES_BESIDE, (campaign_id, campaign_id)).fetchall():
        if connection.execute(_EVENT_BESIDE, (line,)).fetchone():
            found["event", "move"] = None
    for (table, parent), rowid in sorted(found.items()):
        message = f"The table {table} has rows whose {parent} does not exist."
        yield Finding("orphan", message, ref=rowid if table == "ref" else None)


def _packs(connection: sqlite3.Connection) -> Iterator[Finding]:
    kept = set()
    for hash, source in connection.execute("SELECT hash, source FROM pack"):
        kept.add(hash)
        if pack_hash(source) != hash:
            yield Finding(LOST_PACK, f"The pack {hash[:12]} is not what was kept.")
    for id, hash in connection.execute(_PLAYED):
        if hash not in kept:
            yield Finding(LOST_PACK, f"The pack {id} ({hash[:12]}) that was played is missing.")


def _campaigns(
    connection: sqlite3.Connection,
    campaign_id: int | None,
    following: Following,
) -> Iterator[Finding]:
    ids = [row[0] for row in connection.execute("SELECT id FROM ref ORDER BY id")]
    gap = next((n for n, id in enumerate(ids, 1) if n != id), None)
    if gap is not None:
        yield Finding("ref", f"Step {gap} of the oplog is missing.", ref=gap)
    for row in connection.execute(
        "SELECT id, uid, slug, name, game, created FROM campaign "
        "WHERE ? IS NULL OR id = ? ORDER BY id",
        (campaign_id, campaign_id),
    ):
        walk = Walk(connection, *row)
        walk.follow = following(row[0], row[4])
        yield from walk.findings()


class Walk:
    """One campaign's walk: its lines' chains first, then its refs'.

    ``sound`` becomes the last move of each line that is as it was appended, with all before it;
    ``steps`` the ids of the refs that are, up to the first that is not. ``parents`` is the line
    that each forks from.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        id: int,
        uid: str,
        slug: str,
        name: str,
        game: str,
        created: str,
    ) -> None:
        self.connection = connection
        self.id = id
        self.uid = uid
        self.ref_genesis = _or_none(ref_genesis, uid, slug, name, game, created)
        self.first_line: int | None = None
        self.forks: dict[int, int] = {}
        self.parents: dict[int, int | None] = {}
        # Of an altered move, where its events really end, and the hash that its content gives:
        # what follows may chain to that one or to the one it bears, whichever is the right one.
        self.lasts: dict[tuple[int, int], int] = {}
        self.recomputed: dict[tuple[int | None, int], bytes | None] = {}
        self.sound: dict[int, int] = {}
        self.steps: list[int] = []
        self.follow: Follow | None = None

    def findings(self) -> Iterator[Finding]:
        """Walks, and yields what is wrong on the way."""
        yield from _survive(self._lines())
        yield from _survive(self._refs())

    def _lines(self) -> Iterator[Finding]:
        # By the table alone, as "+" has it: an index of it may be damaged.
        for line, fork_line, fork_number in self.connection.execute(
            "SELECT id, fork_line, fork_number FROM line WHERE +campaign = ? ORDER BY id",
            (self.id,),
        ).fetchall():
            yield from _survive(self._line(line, fork_line, fork_number or 0), line)
        if self.first_line is None:
            yield Finding("line", "The campaign has no line.")

    def _line(self, line: int, fork_line: int | None, fork_number: int) -> Iterator[Finding]:
        is_first = self.first_line in (None, line)
        if is_first:
            self.first_line = line
        self.forks[line], self.parents[line] = fork_number, fork_line
        last = 0
        if fork_line is not None:
            row = self.connection.execute(
                "SELECT last FROM move WHERE line = ? AND number = ?", (fork_line, fork_number)
            ).fetchone()
            if row is None or is_first:
                yield Finding("line", f"Line {line} forks after a move that is missing.", line=line)
                return
            last = self.lasts.get((fork_line, fork_number), row[0])
        starts = self._hashes(fork_line, fork_number)
        if self._holds(line, fork_number, last, starts):
            return
        try:
            yield from self._chain(line, fork_number, last, starts, *self._cursors(line))
        except _Damage as error:
            yield from self._singly(line, fork_number, last, starts, error)
            return
        if line not in self.sound and not is_first:
            yield _altered(line, fork_number + 1, "is missing")

    def _singly(
        self, line: int, fork: int, last: int, starts: list[bytes | None], error: Exception
    ) -> Iterator[Finding]:
        """Looks row by row which is the last that can be read: a cursor reads ahead."""
        by_cursor, found = self.sound.pop(line, fork), list[Finding]()
        try:
            for finding in self._chain(
                line, fork, last, starts, *self._single_rows(line, fork, last)
            ):
                found.append(finding)
        except _Damage as failed:
            error = failed
        if by_cursor > self.sound.get(line, fork):  # not found by keys, but in their order
            self.sound[line] = by_cursor
            found.clear()
        number = self.sound.get(line, fork) + 1
        message = f"From move {number} on, line {line} cannot be read: {error}."
        yield from found or [Finding("damaged", message, move=number, line=line)]

    def _holds(self, line: int, number: int, last: int, starts: list[bytes | None]) -> bool:
        """Returns whether all of a line is as it was appended; what is not, its chain will tell.

        Thrice as fast, for it looks at no row by itself, nor at text that is no longer UTF-8.
        """
        before, *others = starts or (None,)
        if before is None or any(others):
            return False
        execute, start, began = self.connection.execute, number, last
        lenient, self.connection.text_factory = self.connection.text_factory, str
        try:
            moves = execute(f"{MOVES} WHERE line = ? ORDER BY number", (line,))
            events = execute(
                "SELECT move, body FROM event WHERE line = ? ORDER BY position", (line,)
            )
            # SQLite and Python do not share a cache well.
            while rows := moves.fetchmany(TOGETHER - number % TOGETHER):
                after, first = number, last + 1
                numbers, *_, firsts, lasts, hashes = zip(*rows, strict=True)
                number, last = after + len(rows), lasts[-1]
                own = events.fetchmany(last - first + 1) if last >= first else []
                of, bodies = zip(*own, strict=True) if own else ((), ())
                ends = (first - 1, *lasts)
                sizes = [high - low for low, high in pairwise(ends)]
                if (
                    numbers != (*range(after + 1, number + 1),)
                    or firsts != (*[end + 1 for end in ends[:-1]],)
                    or of != (*chain.from_iterable(map(repeat, numbers, sizes)),)
                ):
                    return False
                rest = iter(bodies)
                content = [
                    (row[:9], [*islice(rest, size)]) for row, size in zip(rows, sizes, strict=True)
                ]
                if row_hashes(before, self.uid, content) != [*hashes]:
                    return False
                before = hashes[-1]
                if self.follow is not None:
                    place = Head(self.id, "", line, number, before, False)
                    self.follow(place, after, Batch(f"[{','.join(bodies)}]", len(bodies)))
            # So many positions between the first and the last one leave no gap and nothing over.
            reached = execute(_REACH, (line, line)).fetchone()
        except (*_Damage, BadInput):
            return False
        finally:
            self.connection.text_factory = lenient
        if number == start or reached != ((began + 1, last) if last > began else (None, None)):
            return False
        self.sound[line] = number
        return True

    def _cursors(self, line: int) -> tuple[Iterator[Row], Iterator[Row]]:
        """The rows of a line's moves, and those of its events."""
        return (
            self.connection.execute(f"{MOVES} WHERE line = ? ORDER BY number", (line,)),
            self.connection.execute(f"{EVENTS} WHERE line = ? ORDER BY position", (line,)),
        )

    def _single_rows(
        self, line: int, number: int, last: int
    ) -> tuple[Iterator[Row], Iterator[Row]]:
        """The same, each looked up by itself; an event that cannot be read is ``_UNREADABLE``."""

        def each(sql: str, after: int) -> Iterator[Row]:
            for key in count(after + 1):
                row = self.connection.execute(sql, (line, key)).fetchone()
                if row is None:
                    return
                yield row

        def events() -> Iterator[Row]:
            try:
                yield from each(f"{EVENTS} WHERE line = ? AND position = ?", last)
            except _Damage:
                yield _UNREADABLE  # only the move that it is of is damaged by that
                raise

        return each(f"{MOVES} WHERE line = ? AND number = ?", number), events()

    def _chain(
        self,
        line: int,
        number: int,
        last: int,
        starts: list[bytes | None],
        moves: Iterator[Row],
        events: Iterator[Row],
    ) -> Iterator[Finding]:
        """Follows a line's moves, after ``number`` and the event ``last``, as far as they are."""
        event = next(events, None)
        for row in moves:
            found, *_, claimed_first, claimed_last, hash = row
            number += 1
            if found != number:
                yield _altered(line, number, "is missing")
                return
            bodies: list[str] = []
            while event and event[1] == number and event[0] == last + 1:
                bodies.append(event[2])
                last += 1
                event = next(events, None)
            expected = [self._hash_of(start, row, bodies) for start in starts]
            if hash is None or hash not in expected:
                if event is _UNREADABLE:
                    next(events)
                self.recomputed[line, number] = expected[0]
                yield _altered(line, number, "is not what was appended")
                return
            if (claimed_first, claimed_last) != (last - len(bodies) + 1, last):
                self.lasts[line, number] = last
                yield _altered(line, number, "does not say where its events are")
                return
            starts = [hash]
            self.sound[line] = number
        if event is _UNREADABLE:
            next(events)
        if event:
            yield Finding(
                "event",
                f"Line {line} has an event out of place, at position {event[0]}.",
                move=event[1],
                line=line,
            )

    def _hash_of(self, previous: bytes | None, row: Row, bodies: list[str]) -> bytes | None:
        number, kind, begins, input, by, at, request_id, writer, rules, *_ = row
        move = NewMove(kind, begins, input, bodies, by, at, request_id, rules, writer)
        return previous and _or_none(move_hash, previous, self.uid, number, move)

    def _places(self, line: int, number: int, follows: int) -> Sequence[Place | None]:
        hashes = self._hashes(line, number)
        return [(hash, number, bool(follows)) for hash in hashes if hash is not None]

    def _hashes(self, line: int | None, number: int) -> list[bytes | None]:
        """The hashes that a link to this move may have been made with; none if it is missing."""
        if number == 0:
            return [_or_none(genesis, self.uid)]
        row = self.connection.execute(
            "SELECT hash FROM move WHERE line = ? AND number = ?", (line, number)
        ).fetchone()
        if row is None:
            return []
        return [row[0], self.recomputed.get((line, number))]

    def _refs(self) -> Iterator[Finding]:
        previous = self.ref_genesis
        opened: dict[int, int] = {}
        for row in self.connection.execute(
            "SELECT id, branch, reason, by, at, hash, line, number, follows, "
            "from_line, from_number, from_follows FROM ref WHERE +campaign = ? ORDER BY id",
            (self.id,),
        ):
            id, branch, reason, by, at, hash, *places = row
            line, number, _, from_line, from_number, _ = places
            targets = self._places(*places[:3])
            origins = self._places(*places[3:]) if from_line is not None else [None]
            if not targets or not origins:
                yield _step(id, branch, "names a move that is missing")
                return
            expected = [
                _or_none(ref_hash, previous, branch, reason, by, at, target, origin)
                for target in targets
                for origin in origins
            ]
            nowhere = [None, None, None]
            spelt = self._stands(line, number) and (
                places[3:] == nowhere
                or (None not in places[3:] and self._stands(from_line, from_number))
            )
            if hash is None or hash not in expected or not spelt:
                yield _step(id, branch, "is not what was written")
                return
            if reason in ("begin", "append"):
                opened[line] = opened.get(line, 0) + 1
            previous = hash
            self.steps.append(id)
        for line in self.forks:
            if opened.get(line) != 1:
                yield Finding(
                    "ref", f"Line {line} is opened by {opened.get(line, 0)} steps.", line=line
                )

    def _stands(self, line: int, number: int) -> bool:
        """A place has one spelling: the line that holds the move, or the first for none."""
        return line in self.forks and (
            number > self.forks[line] if number else line == self.first_line
        )


def _or_none(compute: Callable[..., bytes], *parts: Any) -> bytes | None:
    """The hash, or None where the text is damaged beyond hashing."""
    try:
        return compute(*parts)
    except (BadInput, TypeError, OverflowError):
        return None


def _altered(line: int, number: int, what: str) -> Finding:
    return Finding("move", f"Move {number} of line {line} {what}.", move=number, line=line)


def _step(id: int, branch: str, what: str) -> Finding:
    return Finding("ref", f"Step {id} of the oplog ({branch}) {what}.", branch=branch, ref=id)
