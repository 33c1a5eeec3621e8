"""Writes a campaign as an archive, if every hash in it is what its content gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import BinaryIO

import msgspec
from msgspec import Struct

from kdmlog import __version__
from kdmlog.ledger.archive import lines as wire
from kdmlog.ledger.archive.shape import Shape
from kdmlog.ledger.connection import DatabaseErrors, damaged, explained
from kdmlog.ledger.store import Ledger
from kdmlog.ledger.structs import Campaign, Head, Reason

Records = Iterable[wire.AnyRecord]


class Counts(Struct):
    """How much an archive holds."""

    packs: int = 0
    lines: int = 0
    moves: int = 0
    events: int = 0
    refs: int = 0


class Cut(Struct, frozen=True):
    """A part of a history: the steps up to a ref, and of each line the moves up to a number.

    It is what the ledger held just after the move it is cut at: the steps up to the last before it
    that made the branch follow its line, and of other lines what those steps speak of.
    """

    branch: str
    ref: int
    ends: dict[int, int]


def cut_at(ledger: Ledger, place: Head) -> Cut:
    """Returns the part of the history that leads up to a move."""
    try:
        ref, branch = ledger.connection.execute(
            "SELECT id, branch FROM ref WHERE campaign = ? AND line = ? AND follows "
            "AND (number < ? OR reason = 'append') ORDER BY id DESC LIMIT 1",
            (place.campaign, place.line, place.number),
        ).fetchone()
        ends = dict(
            ledger.connection.execute(
                "SELECT line, max(number) FROM (SELECT line, number FROM ref "
                "WHERE campaign = :campaign AND id <= :ref UNION ALL "
                "SELECT from_line, from_number FROM ref "
                "WHERE campaign = :campaign AND id <= :ref AND from_line IS NOT NULL) "
                "GROUP BY line",
                {"campaign": place.campaign, "ref": ref},
            )
        )
    except DatabaseErrors as error:
        raise explained(error) from error
    return Cut(branch, ref, {**ends, place.line: place.number})


def count_moves(ledger: Ledger, campaign: Campaign) -> int:
    """Returns how many moves a campaign has on all its lines."""
    row = ledger.connection.execute(
        "SELECT count(*) FROM move m JOIN line l ON l.id = m.line WHERE l.campaign = ?",
        (campaign.id,),
    ).fetchone()
    return int(row[0])


@contextmanager
def records(
    ledger: Ledger, campaign: Campaign, cut: Cut | None = None
) -> Iterator[Iterator[wire.AnyRecord]]:
    """Gives a campaign's records as they stand in an archive, all but the last.

    They are those of one moment, whoever writes meanwhile. Raises LedgerError for damage.
    """
    connection = ledger.connection
    own = not connection.in_transaction
    try:
        if own:
            connection.execute("BEGIN")
        yield _records(ledger, campaign, cut)
    except DatabaseErrors as error:
        raise explained(error) from error
    finally:
        if own and connection.in_transaction:
            connection.execute("ROLLBACK")


def _records(ledger: Ledger, campaign: Campaign, cut: Cut | None) -> Iterator[wire.AnyRecord]:
    yield _start(ledger, campaign, cut)
    yield from _packs(ledger, campaign)
    yield from _lines(ledger, campaign, cut)
    yield from _refs(ledger, campaign, cut)


def _start(ledger: Ledger, campaign: Campaign, cut: Cut | None) -> wire.Start:
    row = ledger.connection.execute(
        "SELECT uid, slug, name, game, created FROM campaign WHERE id = ?", (campaign.id,)
    ).fetchone()
    uid, slug, name, game, created = row
    return wire.Start(
        format=wire.FORMAT,
        writer=__version__,
        uid=uid,
        slug=slug,
        name=name,
        game=game,
        created=created,
        branch=cut.branch if cut else ledger.branch_in_use(campaign.id),
    )


def _packs(ledger: Ledger, campaign: Campaign) -> Iterator[wire.Pack]:
    """The packs whose hash an event of the campaign names."""
    named = (
        "SELECT hash, source FROM pack WHERE EXISTS (SELECT 1 FROM line l JOIN event e "
        "ON e.line = l.id WHERE l.campaign = ? AND instr(e.body, pack.hash)) ORDER BY hash"
    )
    for hash, source in ledger.connection.execute(named, (campaign.id,)):
        try:
            yield wire.Pack(hash=hash, source=wire.raw(source.decode()))
        except UnicodeDecodeError:
            raise damaged(f"the pack {hash[:12]} is no text") from None


def _lines(ledger: Ledger, campaign: Campaign, cut: Cut | None) -> Iterator[wire.Line | wire.Move]:
    rows = ledger.connection.execute(
        "SELECT l.id, l.fork_line, l.fork_number, "
        "(SELECT max(number) FROM move m WHERE m.line = l.id) "
        "FROM line l WHERE l.campaign = ? ORDER BY l.id",
        (campaign.id,),
    ).fetchall()
    index: dict[int | None, int] = {}
    for line, fork_line, fork_number, last in rows:
        if cut and line not in cut.ends:
            continue
        index[line] = len(index) + 1
        after = None if fork_line is None else wire.Fork(_known(index, fork_line), fork_number)
        yield wire.Line(number=index[line], after=after)
        end = cut.ends[line] if cut else last or 0
        head = Head(campaign.id, "", line, end, b"", False)
        for move in ledger.moves(head, after=fork_number or 0):
            yield wire.Move(
                number=move.number,
                by=move.by,
                at=move.at,
                kind=move.kind,
                begins=move.begins,
                input=wire.raw(move.input),
                events=[wire.raw(body) for body in move.bodies],
                request_id=move.request_id,
                writer=move.writer,
                rules=move.rules,
                hash=move.hash.hex(),
            )


def _known(index: dict[int | None, int], line: int | None) -> int:
    if line not in index:
        raise damaged(f"line {line} is missing")
    return index[line]


class _RefRow(Struct, array_like=True):
    branch: str
    reason: Reason
    line: int
    number: int
    follows: int
    from_line: int | None
    from_number: int | None
    from_follows: int | None
    by: str
    at: str
    hash: bytes


def _refs(ledger: Ledger, campaign: Campaign, cut: Cut | None) -> Iterator[wire.Ref]:
    ids = ledger.connection.execute(
        "SELECT id FROM line WHERE campaign = ? ORDER BY id", (campaign.id,)
    )
    lines = [id for (id,) in ids if not cut or id in cut.ends]
    index: dict[int | None, int] = {id: n for n, id in enumerate(lines, 1)}
    for fields in ledger.connection.execute(
        "SELECT branch, reason, line, number, follows, from_line, from_number, from_follows, "
        "by, at, hash FROM ref WHERE campaign = ? AND (? IS NULL OR id <= ?) ORDER BY id",
        (campaign.id, cut and cut.ref, cut and cut.ref),
    ):
        row = msgspec.convert(fields, _RefRow)
        came = None
        if row.from_line is not None:
            came = wire.Place(
                _known(index, row.from_line), row.from_number or 0, bool(row.from_follows)
            )
        yield wire.Ref(
            branch=row.branch,
            reason=row.reason,
            to=wire.Place(_known(index, row.line), row.number, bool(row.follows)),
            came=came,
            by=row.by,
            at=row.at,
            hash=row.hash.hex(),
        )


def write(
    given: Records,
    file: BinaryIO,
    *,
    anew: bool = False,
    advance: Callable[[int], None] = lambda _moves: None,
) -> tuple[Counts, str]:
    """Writes records and the last line; returns what it counts and the closing hash.

    ``anew`` gives moves and refs the hashes that follow from their content; else they must be
    those already. Raises LedgerError when they are not: what is damaged is not passed on.
    """
    counts, writing = Counts(), wire.Writing(file)
    remaining = iter(given)
    start = next(remaining)
    assert isinstance(start, wire.Start)
    shape = Shape(start)
    try:
        for record in chain([start], remaining):
            writing.write(_linked(record, shape, counts, anew))
            if isinstance(record, wire.Move):
                advance(1)
        shape.end()
    except wire.Misfit as error:
        where = f"{error.field}: {error.message}" if error.field else error.message
        raise damaged(f"a record does not follow ({where})") from error
    end = wire.End(**msgspec.structs.asdict(counts), blake2b=writing.digest)
    writing.write(end)
    return counts, end.blake2b


def _linked(record: wire.AnyRecord, shape: Shape, counts: Counts, anew: bool) -> wire.AnyRecord:
    """Returns the record with its hash, and counts it."""
    match record:
        case wire.Pack():
            counts.packs += 1
        case wire.Line():
            shape.line(record)
            counts.lines += 1
        case wire.Move():
            counts.moves += 1
            counts.events += len(record.events)
            hash = shape.move(record.number, wire.new_move(record)).hex()
            return _with_hash(record, hash, anew)
        case wire.Ref():
            counts.refs += 1
            return _with_hash(record, shape.ref(record).hex(), anew)
    return record


def _with_hash(record: wire.Move | wire.Ref, hash: str, anew: bool) -> wire.AnyRecord:
    if record.hash == hash:
        return record
    if not anew:
        raise wire.Misfit("hash", f"{hash[:12]} should be {record.hash[:12]}")
    return msgspec.structs.replace(record, hash=hash)
