"""Brings an archive into a ledger: all of it or nothing, and nothing that is there already."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import count

from msgspec import Struct, convert

from kdmlog.core.errors import Refused
from kdmlog.ledger.archive import lines as wire
from kdmlog.ledger.archive.parting import Parting, Way, partings, shared, way, way_of, ways, ways_of
from kdmlog.ledger.archive.read import Contents
from kdmlog.ledger.archive.shape import Run, Shape
from kdmlog.ledger.connection import transaction
from kdmlog.ledger.rows import Placed, insert, keep_packs, open_campaign, open_line, write_moves
from kdmlog.ledger.store import Ledger
from kdmlog.ledger.structs import Campaign, Head, NewMove

_BATCH = 256


class Brought(Struct, frozen=True):
    """What an import added: moves, steps of branches, packs; and how the branches stand now.

    ``switched`` is the branch in use now, where the one that was is deleted there.
    """

    campaign: Campaign
    new: bool
    moves: int
    refs: int
    packs: int
    partings: list[Parting]
    switched: str = ""
    taken_back: list[tuple[str, int, int]] = []
    """Branches that had moves here which were taken back there: from which move, to which."""


class _Step(Struct, frozen=True, array_like=True):
    """A ref of the ledger, as far as an archive can be at odds with it."""

    hash: bytes
    branch: str
    reason: str
    line: int
    number: int
    from_line: int | None
    from_number: int
    from_follows: bool


class _Here(Struct, frozen=True):
    """What the ledger has of a line of the archive: up to which move; 0 moves, no line yet."""

    line: int = 0
    end: int = 0


def bring(
    ledger: Ledger,
    contents: Contents,
    again: wire.Reading,
    *,
    check: Callable[[Campaign], None] = lambda _campaign: None,
) -> Brought:
    """Adds what an archive has and the ledger lacks; ``again`` reads the same archive once more.

    Where both went on, on different branches, each keeps its own. Raises Refused (``diverged``)
    where they went different ways, and whatever ``check`` raises once all is there: then nothing
    was added. Which campaign is in use changes only when none was.
    """
    with transaction(ledger.connection):
        campaign = ledger.campaign_with(contents.start.uid)
        new, before = campaign is None, dict[str, Head]()
        if campaign is None:
            campaign = _create(ledger, contents.start)
            steps: list[_Step] = []
            here = [_Here() for _ in contents.shape.runs]
        else:
            before = {one.name: one.head for one in ledger.branches(campaign.id)}
            steps = _steps(ledger, campaign)
            here = _fit(ledger, contents, steps)
        added = _Adding(ledger, campaign, contents, here, len(steps)).add(again)
        used, switched = ledger.branch_in_use(campaign.id), ""
        if new or used not in {one.name for one in ledger.branches(campaign.id)}:
            ledger.choose_branch(campaign, contents.start.branch)
            switched = "" if new else contents.start.branch
        ledger.look_again(campaign.id)
        check(campaign)
        campaign = ledger.campaign_with(campaign.uid) or campaign
        if ledger.current()[0] is None:
            ledger.use(campaign.slug)
    parted = partings(ways(ledger, campaign.id), ways_of(contents.shape))
    now = {one.name: one.head for one in ledger.branches(campaign.id)}
    back = [
        (name, was.number, now[name].number)
        for name, was in before.items()
        if name in now and now[name].number < was.number
    ]
    return Brought(campaign, new, *added, parted, switched, back)


def bring_beside(
    ledger: Ledger,
    contents: Contents,
    again: wire.Reading,
    name: str,
    *,
    branch: str,
    by: str,
    at: str,
    check: Callable[[Campaign], None] = lambda _campaign: None,
) -> Brought:
    """Makes the branch ``name`` stand where ``branch`` does in the archive, with all its moves.

    A branch of that name that is on the way there goes on. Raises Refused when it is not, or when
    the campaign is not here.
    """
    shape = contents.shape
    with transaction(ledger.connection):
        campaign = ledger.campaign_with(contents.start.uid)
        if campaign is None:
            raise Refused(
                "The campaign of this archive is not here: there is nothing to bring it in beside.",
                hints=["import it without --as"],
            )
        if branch not in shape.heads:
            raise Refused(f"{contents.name} has no branch {branch}.", hints=[*shape.heads])
        there = way_of(shape, *shape.head(branch))
        known = {one.name: one.head for one in ledger.branches(campaign.id)}
        refs = 0
        if name in known:
            start = known[name]
            both = shared(way(ledger, start), there)
            if both < min(start.number, there.end):
                raise Refused(
                    f"The branch {name} is here and went another way after move {both}.",
                    code="exists",
                    hints=["import it under another name"],
                )
        else:
            aligned = _last_common(ledger, campaign, contents, shape.path(*shape.head(branch)))
            place = max(aligned, *_furthest(ledger, known.values(), there), key=_number)
            start, both = ledger.create_branch(campaign.id, name, place, by, at).head, place.number
            refs += 1
        moves = max(there.end - both, 0)
        refs += bool(moves and not start.follows)
        lacking = _Lacking(ledger, shape.path(*shape.head(branch)), both)
        head = ledger.extend(start, lacking.moves(again), imported=True)
        if again.digest != contents.digest:
            raise _changed(contents)
        check(campaign)
        campaign = ledger.campaign_with(campaign.uid) or campaign
    parting = Parting(name, there.end, head.number, there.end)
    return Brought(campaign, False, moves, refs, lacking.packs, [parting])


def _create(ledger: Ledger, start: wire.Start) -> Campaign:
    """Writes the campaign's own row; another name of the same slug gets a number here."""
    known = {one.slug for one in ledger.campaigns()}
    open_campaign(ledger.connection, start.uid, start.slug, start.name, start.game, start.created)
    campaign = ledger.campaign_with(start.uid)
    assert campaign is not None
    if start.slug not in known:
        return campaign
    number = next(n for n in count(2) if f"{start.slug}_{n}" not in known)
    return ledger.call_campaign(campaign, f"{start.name} {number}")


def _steps(ledger: Ledger, campaign: Campaign) -> list[_Step]:
    rows = ledger.connection.execute(
        "SELECT hash, branch, reason, line, number, from_line, ifnull(from_number, 0), "
        "ifnull(from_follows, 0) FROM ref WHERE campaign = ? ORDER BY id",
        (campaign.id,),
    )
    return [convert(row, _Step, strict=False) for row in rows]


def _common_steps(steps: list[_Step], shape: Shape) -> int:
    """How many steps both have taken; a ref's hash covers all before it."""
    pairs = enumerate(zip(steps, shape.refs, strict=False))
    return next(
        (n for n, (a, b) in pairs if a.hash.hex() != b.hash), min(len(steps), len(shape.refs))
    )


def _aligned(ledger: Ledger, steps: list[_Step], shape: Shape) -> list[_Here]:
    """What the ledger has of each line of the archive: a line is known by the step that opened it.

    Raises Refused when this is another campaign under the same id.
    """
    common = _common_steps(steps, shape)
    if not common:
        raise Refused("This archive is of another campaign with the same id.", code="diverged")
    here: list[_Here] = []
    for run in shape.runs:
        if run.opened > common:
            here.append(_Here())
            continue
        line = steps[run.opened - 1].line
        row = ledger.connection.execute("SELECT max(number) FROM move WHERE line = ?", (line,))
        here.append(_Here(line, row.fetchone()[0] or run.base))
    return here


def _fit(ledger: Ledger, contents: Contents, steps: list[_Step]) -> list[_Here]:
    """What the ledger has of each line, if what is lacking on either side can be added there."""
    shape = contents.shape
    here = _aligned(ledger, steps, shape)
    common = _common_steps(steps, shape)
    for run, known in zip(shape.runs, here, strict=True):
        both = _shared(ledger, run, known)
        if known.line and both < min(known.end, run.end):
            raise _diverged(ledger, contents, f"move {both + 1}", f"move {both + 1}")
    ours, theirs = steps[common:], shape.refs[common:]
    if ours and theirs:
        raise _diverged(ledger, contents, _said(ours[0]), _told(theirs[0]))
    for ref in theirs:  # a step away from a line that has grown here
        if ref.came and ref.came.follows and here[ref.came.line - 1].end > ref.came.move:
            raise _diverged(ledger, contents, f"move {ref.came.move + 1}", _told(ref))
    ends = {known.line: run.end for run, known in zip(shape.runs, here, strict=True)}
    for step in ours:
        if step.from_follows and ends.get(step.from_line or 0, 0) > step.from_number:
            raise _diverged(ledger, contents, _said(step), f"move {step.from_number + 1}")
    return here


def _shared(ledger: Ledger, run: Run, known: _Here) -> int:
    """The last move of a line that both have."""
    if not known.line:
        return run.base

    def hash(number: int) -> bytes:
        row = ledger.connection.execute(
            "SELECT hash FROM move WHERE line = ? AND number = ?", (known.line, number)
        ).fetchone()
        return bytes(row[0]) if row else b""

    def ours(number: int) -> bytes:
        return hash(number) if number > run.base else b""

    def theirs(number: int) -> bytes:
        return run.hash(number) if number > run.base else b""

    return shared(Way(known.end, ours), Way(run.end, theirs))


def _said(step: _Step) -> str:
    return f"{step.reason} of {step.branch} to move {step.number}"


def _told(ref: wire.Ref) -> str:
    return f"{ref.reason} of {ref.branch} to move {ref.to.move}"


def _diverged(ledger: Ledger, contents: Contents, ours: str, theirs: str) -> Refused:
    campaign = ledger.campaign_with(contents.start.uid)
    assert campaign is not None
    here, there = ways(ledger, campaign.id), ways_of(contents.shape)
    data: dict[str, object] = {}
    where = "both have gone on"
    parted = partings(here, there)
    hints = [f"import {contents.name} --as NAME brings its moves in as a branch of that name"]
    for one in parted:
        if one.relation == "behind":
            hints.append(f"--as {one.branch} brings {one.branch} on from move {one.here}")
    for one in parted:
        if one.relation == "diverged":
            where = f"parted on {one.branch} after move {one.shared}"
            first = one.shared + 1
            hashes = (side[one.branch].hash(first).hex()[:8] for side in (here, there))
            ours, theirs = (f"move {first} (h:{hash})" for hash in hashes)
            data = {"branch": one.branch, "shared": one.shared}
            hints = hints[:1]
            break
    return Refused(
        f"{contents.name} and this ledger {where}: here came {ours}, there {theirs}. "
        "Nothing was added.",
        code="diverged",
        hints=hints,
        data={**data, "here": ours, "there": theirs},
    )


def _last_common(
    ledger: Ledger, campaign: Campaign, contents: Contents, path: list[tuple[int, int, int]]
) -> Head:
    """The last place on a way of the archive that the ledger has, too."""
    shape = contents.shape
    here = _aligned(ledger, _steps(ledger, campaign), shape)
    line, number = here[0].line, 0
    for at, _, high in path:
        run, known = shape.runs[at - 1], here[at - 1]
        both = min(_shared(ledger, run, known), high)
        if both > run.base:
            line, number = known.line, both
        if both < high:
            break
    hash = shape.hash(path[-1][0], number) if path else b""
    return Head(campaign.id, "", line, number, hash, False)


def _furthest(ledger: Ledger, heads: Iterable[Head], there: Way) -> list[Head]:
    """The last place that each branch has in common with a way: some were brought in before."""
    return [ledger.position(head, shared(way(ledger, head), there)) for head in heads]


def _number(head: Head) -> int:
    return head.number


def _changed(contents: Contents) -> wire.ArchiveError:
    return wire.ArchiveError(f"{contents.name} changed while it was read; nothing was added.")


class _Adding:
    """The second reading: writes what the ledger lacks, under ids of its own."""

    def __init__(
        self, ledger: Ledger, campaign: Campaign, contents: Contents, here: list[_Here], steps: int
    ) -> None:
        self.ledger = ledger
        self.connection = ledger.connection
        self.campaign = campaign
        self.contents = contents
        self.here = here
        self.steps = steps
        self.moves = self.refs = self.packs = 0
        self._lines: list[int] = []
        """The ledger's own id of each line of the archive so far."""
        self._batch: list[Placed] = []
        self._last = 0

    def add(self, again: wire.Reading) -> tuple[int, int, int]:
        """Returns how many moves, refs and packs were added."""
        shape, seen = self.contents.shape, 0
        lacks_moves = any(
            run.end > known.end or not known.line
            for run, known in zip(shape.runs, self.here, strict=True)
        )
        complete = not lacks_moves and len(shape.refs) <= self.steps
        for record in again:
            match record:
                case wire.Pack():
                    self.packs += _keep(self.ledger, record)
                case wire.Line() if complete:
                    return 0, 0, self.packs
                case wire.Line():
                    self._flush()
                    self._line(record)
                case wire.Move():
                    self._move(record)
                case wire.Ref():
                    self._flush()
                    seen += 1
                    if seen > self.steps:
                        self._ref(record)
        if again.digest != self.contents.digest:
            raise _changed(self.contents)
        return self.moves, self.refs, self.packs

    def _line(self, line: wire.Line) -> None:
        known, after = self.here[len(self._lines)], line.after
        if known.line:
            self._lines.append(known.line)
            self._last = self._last_at(known.line, known.end)
            return
        fork = (self._lines[after.line - 1], after.move) if after else (0, 0)
        self._last = self._last_at(*fork)
        self._lines.append(open_line(self.connection, self.campaign.id, *fork))

    def _last_at(self, line: int, number: int) -> int:
        """The position of the last event up to a move."""
        row = self.connection.execute(
            "SELECT last FROM move WHERE line = ? AND number = ?", (line, number)
        ).fetchone()
        return row[0] if row else 0

    def _move(self, move: wire.Move) -> None:
        if move.number <= self.here[len(self._lines) - 1].end:
            return
        self._batch.append((wire.new_move(move), move.number, bytes.fromhex(move.hash)))
        self.moves += 1
        if len(self._batch) == _BATCH:
            self._flush()

    def _flush(self) -> None:
        if self._batch:
            self._last = write_moves(self.connection, self._batch, self._lines[-1], self._last)
            self._batch.clear()

    def _ref(self, ref: wire.Ref) -> None:
        came = ref.came
        self.refs += 1
        insert(
            self.connection,
            "INSERT INTO ref (campaign, branch, reason, line, number, follows, from_line, "
            "from_number, from_follows, by, at, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(self.campaign.id, ref.branch, ref.reason),
                *(self._lines[ref.to.line - 1], ref.to.move, ref.to.follows),
                *(
                    (self._lines[came.line - 1], came.move, came.follows)
                    if came
                    else (None, None, None)
                ),
                *(ref.by, ref.at, bytes.fromhex(ref.hash)),
            ),
        )


class _Lacking:
    """The second reading for a branch alone: keeps packs, and yields the moves on its way."""

    def __init__(self, ledger: Ledger, path: list[tuple[int, int, int]], have: int) -> None:
        self.packs = 0
        self._ledger = ledger
        self._highs = {line: high for line, _, high in path}
        self._have = have

    def moves(self, again: wire.Reading) -> Iterator[NewMove]:
        line = 0
        for record in again:
            match record:
                case wire.Pack():
                    self.packs += _keep(self._ledger, record)
                case wire.Line():
                    line += 1
                case wire.Move() if self._have < record.number <= self._highs.get(line, 0):
                    yield wire.new_move(record)


def _keep(ledger: Ledger, pack: wire.Pack) -> int:
    return keep_packs(ledger.connection, {pack.hash: wire.text(pack.source).encode()})
