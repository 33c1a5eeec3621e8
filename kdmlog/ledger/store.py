"""The ledger itself: opens a file, creates campaigns and appends moves, whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Self

from kdmlog.core.errors import LedgerError, Refused
from kdmlog.ledger.connection import (
    MEMORY,
    Connection,
    DatabaseErrors,
    Synchronous,
    connect,
    damaged,
    explained,
    transaction,
)
from kdmlog.ledger.hashing import genesis, move_hash
from kdmlog.ledger.rows import Placed, keep_packs, open_campaign, open_line, write_moves
from kdmlog.ledger.shelf import Shelf
from kdmlog.ledger.structs import Campaign, Finding, Following, Head, NewMove, Stand, Step, nobody
from kdmlog.ledger.views import put_views
from kdmlog.ledger.vouch import Vouching
from kdmlog.ledger.witness import Witness, lost

_BATCH = 256
_NO_PACKS: Mapping[str, bytes] = {}


class Rehearsal:
    """Whether what a rehearsal writes stays."""

    kept = False

    def keep(self) -> None:
        """Has all of it kept."""
        self.kept = True


class _NotKept(Exception):
    """Leaves a transaction without a trace."""


class Ledger(Shelf, Vouching):
    """One open ledger file; a context manager. For one thread.

    Every method may raise LedgerError, for a file that is damaged or cannot be read or written;
    those that write also BranchMoved with the code ``busy``.
    """

    path: Path | None
    readonly: bool
    witness: Witness | None = None
    lost: LedgerError | None = None
    """What the witness missed, when the ledger was opened to be read all the same; or why it
    cannot notice what is lost."""

    @classmethod
    def open(
        cls,
        path: Path | str,
        *,
        readonly: bool = False,
        create: bool = True,
        synchronous: Synchronous = "FULL",
        wait: float = 5.0,
    ) -> Ledger:
        """Opens the ledger at ``path``, and makes it when there is none and ``create``.

        ``wait`` is how many seconds to wait for another writer. Raises LedgerError when there is
        no ledger, it is not kdmlog's, newer, or cannot be opened, and when one to be written has
        lost moves (``lost_tail``); the file is then as it was.
        """
        witness = None if str(path) == MEMORY else Witness(Path(path))
        if witness and (missed := witness.missed()):
            raise missed
        found: list[Finding] = []

        def check(connection: Connection) -> None:
            try:
                found[:] = witness.examined(connection) if witness else []
            except DatabaseErrors:
                if not readonly:  # a reader may still find what it looks for
                    raise
            if (error := lost(found)) and not readonly:
                raise error

        ledger = cls(
            connect(
                path,
                readonly=readonly,
                create=create,
                synchronous=synchronous,
                wait=wait,
                check=check,
            )
        )
        if witness and not readonly:
            try:
                witness.watch(ledger.connection)
            except DatabaseErrors as error:
                ledger.close()
                raise explained(error) from error
        ledger.path = Path(path) if witness else None
        ledger.readonly, ledger.witness = readonly, witness
        ledger.lost = lost(found) or (witness.blind() if witness else None)
        return ledger

    @property
    def changes(self) -> int:
        """Returns a number that grows with what is written through this ledger."""
        return self.connection.total_changes

    def close(self) -> None:
        """Closes the file. Nothing is lost: what was appended is kept already."""
        self.connection.close()
        if self.witness is not None:
            self.witness.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def create_campaign(
        self,
        slug: str,
        name: str,
        game: str,
        uid: str,
        by: str,
        at: str,
        first: NewMove | None = None,
        branch: str = "main",
        packs: Mapping[str, bytes] = _NO_PACKS,
    ) -> Campaign:
        """Creates a campaign with its first branch, move and packs, and makes it the current one.

        Raises Refused when the slug or the uid is taken.
        """
        if not slug.strip() or not branch.strip():
            raise Refused("A campaign and its branch need names.")
        with transaction(self.connection):
            if self.campaign(slug):
                raise Refused(f"There is already a campaign {slug}.", code="exists")
            if self.campaign_with(uid):
                raise Refused("The ledger holds this campaign already.", code="exists")
            id = open_campaign(self.connection, uid, slug, name, game, at)
            line = open_line(self.connection, id, 0, 0)
            head = Head(id, branch, line, 0, genesis(uid), True)
            step = self._step(head, "begin", by, at, came=None)
            keep_packs(self.connection, packs)
            if first:
                hash = move_hash(head.hash, uid, 1, first)
                write_moves(self.connection, [(first, 1, hash)], line, 0)
                self._stands(Head(id, branch, line, 1, hash, True), step)
            self._use(uid, branch)
        return Campaign(id, uid, slug, name, game, at, founded=slug)

    def append(self, head: Head, move: NewMove, *, packs: Mapping[str, bytes] = _NO_PACKS) -> Head:
        """Appends a move that was decided on ``head``; returns where the branch stands then.

        Where the branch does not follow its line, a new line opens there. Raises BranchMoved when
        the branch has left ``head``, Refused when the campaign has a move for this request id.
        """
        number = head.number + 1
        hash = move_hash(head.hash, self._uid(head.campaign), number, move)
        with transaction(self.connection):
            version, present, last, step = self._decided_on(head)
            if move.request_id is not None:
                self._check_requests(head.campaign, (move,))
            line = present.line if present.follows else self._fork_after(present)
            if packs:
                keep_packs(self.connection, packs)
            last = write_moves(self.connection, [(move, number, hash)], line, last)
            after = Head(head.campaign, head.branch, line, number, hash, True)
            if present.follows:
                self._stands(after, step)
            else:
                step = self._step(after, "append", move.by, move.at, came=present)
        self._appended = (version, after, last, step)
        return after

    def extend(self, head: Head, moves: Iterable[NewMove], *, imported: bool = False) -> Head:
        """Appends many moves, all or none, the first decided on ``head``; returns the head then.

        Afterwards all is as if each had been appended by itself, hashes and oplog included; without
        moves nothing is written. They are taken a few at a time, however many there are, and no
        other program can write meanwhile; an error that they raise leaves nothing behind. Raises
        as ``append`` does, but that moves ``imported`` may answer requests that others answer, too.
        """
        uid, remaining = self._uid(head.campaign), iter(moves)
        with transaction(self.connection):
            version, present, last, step = self._decided_on(head)
            after = present
            while batch := list(islice(remaining, _BATCH)):
                if not imported:
                    self._check_requests(head.campaign, batch)
                hash = after.hash
                placed: list[Placed] = []
                for number, move in enumerate(batch, after.number + 1):
                    hash = move_hash(hash, uid, number, move)
                    placed.append((move, number, hash))
                line = after.line if after.follows else self._fork_after(present)
                last = write_moves(self.connection, placed, line, last)
                if not after.follows:
                    move, first, opens = placed[0]
                    opened = Head(head.campaign, head.branch, line, first, opens, True)
                    step = self._step(opened, "append", move.by, move.at, came=present)
                after = Head(head.campaign, head.branch, line, number, hash, True)
            if after is not present:
                self._stands(after, step)
        self._appended = (version, after, last, step)
        return after

    @contextmanager
    def rehearsal(self) -> Iterator[Rehearsal]:
        """All that its body writes is undone at its end, unless it is kept: then it is one commit.

        Nobody else can write meanwhile, so it had better not wait for anybody.
        """
        rehearsal = Rehearsal()
        try:
            with transaction(self.connection):
                yield rehearsal
                if not rehearsal.kept:
                    raise _NotKept
        except _NotKept:
            pass
        finally:
            if not rehearsal.kept:
                self._forks.clear()
                self._appended = None

    @contextmanager
    def whole(self) -> Iterator[None]:
        """All that its body writes is one commit, kept if it comes to its end."""
        with self.rehearsal() as rehearsal:
            yield
            rehearsal.keep()

    def put_pack(self, hash: str, source: bytes) -> None:
        """Keeps a pack's canonical JSON under its hash; again changes nothing.

        Raises LedgerError when the hash is not the source's BLAKE2b-256.
        """
        with transaction(self.connection):
            keep_packs(self.connection, {hash: source})

    def pack(self, hash: str) -> bytes | None:
        """Returns the pack kept under ``hash``, or None."""
        row = self._one(tuple[bytes], "SELECT source FROM pack WHERE hash = ?", hash)
        return row[0] if row else None

    def cache_get(self, key: str) -> bytes | None:
        """Returns what was cached, or None; also when the cache is damaged."""
        try:
            row = self._one(tuple[bytes], "SELECT value FROM cache WHERE key = ?", key)
        except LedgerError:
            return None
        return row[0] if row else None

    def cache_names(self, prefix: str) -> list[str]:
        """Returns the keys of what was cached that begin so; none when the cache is damaged."""
        rows = self._each(
            tuple[str],
            "SELECT key FROM cache WHERE key BETWEEN ? AND ? ORDER BY key",
            *(prefix, f"{prefix}\U0010ffff"),
        )
        try:
            return [key for (key,) in rows]
        except LedgerError:
            return []

    def cache_put(self, key: str, value: bytes) -> None:
        """Caches a value if it can: a cache that cannot be written only makes things slower."""
        with suppress(*DatabaseErrors):
            self.connection.execute(
                "INSERT INTO cache (key, value) VALUES (?, ?) "
                "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                (key, value),
            )

    def keep_views(self, mark: str, views: Callable[[], Mapping[str, str]]) -> None:
        """Lets SQL tools ask for the games' facts by these views; ``mark`` is what they go by.

        Does nothing when those of this mark are there.
        """
        row = self._one(tuple[str], "SELECT value FROM setting WHERE key = 'views'")
        if row is None or row[0] != mark:
            with transaction(self.connection):
                put_views(self.connection, views())
                self._set("views", mark)

    def verify(
        self,
        campaign_id: int | None = None,
        following: Following = nobody,
    ) -> list[Finding]:
        """Returns what is wrong with the file and with a campaign's history, or with all of them.

        Of each line it names the first altered move. It raises nothing. Whoever is ``following``
        a campaign is shown its moves on the way.
        """
        from kdmlog.ledger.verify import verify

        findings = verify(self.connection, campaign_id, following)
        if self.witness is not None:
            findings += self.witness.losses(self.connection, campaign_id)
            if blind := self.witness.blind():
                findings.append(Finding(blind.code, blind.message))
        return findings

    def accept_head(self) -> None:
        """Has the witness forget what it missed: what is there now is the ledger from here on.

        Raises LedgerError when the witness cannot be written.
        """
        if self.witness is None:
            return
        self.witness.accept(stand for each in self.campaigns() if (stand := self._stand_of(each)))

    def _stand_of(self, campaign: Campaign) -> Stand | None:
        step = self._newest_step(campaign.id)
        return step and (
            campaign.uid,
            self.head(campaign.id, self.branch_in_use(campaign.id)),
            step,
        )

    def _fork_after(self, head: Head) -> int:
        return open_line(self.connection, head.campaign, head.line, head.number)

    def _decided_on(self, head: Head) -> tuple[int, Head, int, Step]:
        """SQLite's data_version, the branch's head, its last position and the newest step.

        Raises BranchMoved when the branch has left ``head``.
        """
        (version,) = self.connection.writing.execute("PRAGMA data_version").fetchone()
        if self.connection.watch is not None:
            self.connection.watch.looked(version)
        known = self._appended
        if known and known[0] == version and (known[1] is head or known[1] == head):
            return known
        step = self._newest_step(head.campaign)
        if step is None:
            self.head(head.campaign, head.branch)  # says that it was removed
            raise damaged("a campaign has no branch")
        return version, *self._still_stand(head), step

    def _check_requests(self, campaign_id: int, moves: Sequence[NewMove]) -> None:
        """Raises Refused for a request id that a move has already, of the ledger or of these."""
        seen: set[str] = set()
        for move in moves:
            request = move.request_id
            if request is not None:
                if request in seen or self.find_request(campaign_id, request):
                    raise Refused(
                        "This request has been appended already.", code="request_repeated"
                    )
                seen.add(request)
