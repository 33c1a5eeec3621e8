"""Holds what says where branches stand to its hashes, before anything is read from there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise

from msgspec import Struct

from kdmlog.ledger.connection import DatabaseErrors, damaged, explained
from kdmlog.ledger.hashing import Place, genesis, ref_hash
from kdmlog.ledger.refs import Branches

LATELY = 256
"""Steps of a campaign that are held to their hashes; all that came before are for ``verify``."""


class _Link(Struct, array_like=True):
    """A ref with all that its hash covers, and the hashes of the moves that it names."""

    id: int
    branch: str
    reason: str
    by: str
    at: str
    hash: bytes
    line: int
    number: int
    follows: int
    from_line: int | None
    from_number: int | None
    from_follows: int | None
    move: bytes | None
    from_move: bytes | None


class Vouching(Branches):
    """Where branches stand, and whether that can be trusted."""

    def vouch(self, campaign_id: int, branch: str) -> None:
        """Holds the campaign's row, its latest steps and where the branch stands to their hashes.

        Raises LedgerError when one is not what was written: what is read from there could be
        anything. The moves that are read, and the state, are held to theirs as they are read.
        """
        with self._one_moment():
            self._vouch(campaign_id, branch)

    @contextmanager
    def _one_moment(self) -> Iterator[None]:
        """Has all of its body read the ledger as it is now, whoever writes meanwhile."""
        own = not self.connection.in_transaction
        try:
            if own:
                self.connection.execute("BEGIN")
            yield
        except DatabaseErrors as error:
            raise explained(error) from error
        finally:
            if own and self.connection.in_transaction:
                self.connection.execute("ROLLBACK")

    def _vouch(self, campaign_id: int, branch: str) -> None:
        # By the table alone, as "+" has it: a damaged index may lead elsewhere.
        latest = self._links("+campaign = ? ORDER BY id DESC LIMIT ?", campaign_id, LATELY)
        first = self._links("+campaign = ? ORDER BY id LIMIT 1", campaign_id)
        stands = self._links(
            "campaign = ? AND branch = ? ORDER BY id DESC LIMIT 1", campaign_id, branch
        )
        if not first or not stands:
            self.head(campaign_id, branch)  # says which branches there are
            raise damaged("an index of the oplog is")
        if self._newest_step(campaign_id) != (latest[0].id, latest[0].hash):
            raise damaged("an index misses the last step of the oplog")
        self._hold(campaign_id, first[0], self._ref_genesis(campaign_id))
        for link, before in pairwise(latest):
            self._hold(campaign_id, link, before.hash)
        newest = next((link for link in latest if link.branch == branch), None)
        if newest is None:
            earlier = self._links(
                "+campaign = ? AND id < ? ORDER BY id DESC LIMIT 1", campaign_id, stands[0].id
            )
            start = earlier[0].hash if earlier else self._ref_genesis(campaign_id)
            self._hold(campaign_id, stands[0], start)
        elif stands[0].id != newest.id:
            raise damaged(f"an index misses where {branch} stands")
        self._hold_end(campaign_id, branch)

    def _links(self, which: str, *parameters: object) -> list[_Link]:
        return list(
            self._each(
                _Link,
                "SELECT id, branch, reason, by, at, hash, line, number, follows, "
                "from_line, from_number, from_follows, "
                "(SELECT hash FROM move m WHERE m.line = r.line AND m.number = r.number), "
                "(SELECT hash FROM move m WHERE m.line = r.from_line AND m.number = r.from_number) "
                f"FROM ref r WHERE {which}",
                *parameters,
            )
        )

    def _hold(self, campaign_id: int, link: _Link, before: bytes) -> None:
        """Raises LedgerError unless a ref chains to the one before."""

        def placed(hash: bytes | None, number: int, follows: int) -> Place:
            if number == 0:
                hash = genesis(self._uid(campaign_id))
            if hash is None:
                raise damaged(f"move {number} is missing")
            return hash, number, bool(follows)

        came = None
        if link.from_line is not None:
            came = placed(link.from_move, link.from_number or 0, link.from_follows or 0)
        to = placed(link.move, link.number, link.follows)
        if ref_hash(before, link.branch, link.reason, link.by, link.at, to, came) != link.hash:
            raise damaged(f"step {link.id} of the oplog is not what was written")

    def _hold_end(self, campaign_id: int, branch: str) -> None:
        """Raises LedgerError when the line that a branch follows has events without their moves."""
        head, last = self._known(campaign_id, branch)
        row = self._one(
            tuple[int | None], "SELECT max(position) FROM event WHERE line = ?", head.line
        )
        if head.follows and row and (row[0] or last) != last:
            raise damaged(f"the last moves of {branch} are missing")
