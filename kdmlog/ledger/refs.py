"""Moves branches about: where they stand, undo and redo, new names, and the log of all that."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from kdmlog.core.errors import BranchMoved, Refused, UnknownName
from kdmlog.ledger.connection import damaged, transaction
from kdmlog.ledger.hashing import Place, genesis, ref_genesis, ref_hash
from kdmlog.ledger.reader import Reader
from kdmlog.ledger.rows import insert
from kdmlog.ledger.structs import Branch, Head, Reason, Ref, Step, StepBack

_STAND = (
    "SELECT r.reason, r.line, r.number, r.follows, m.number, m.hash, ifnull(m.last, 0) "
    "FROM ref r LEFT JOIN move m ON m.line = r.line AND m.number = "
    "iif(r.follows, (SELECT max(number) FROM move WHERE line = r.line), r.number) "
    "WHERE r.campaign = ? AND r.branch = ? ORDER BY r.id DESC LIMIT 1"
)
_OF = "+campaign = ?"
"""By the table itself, where all steps are read: a damaged index would leave some out."""
_STEPS = (
    "SELECT reason, follows, ifnull(from_line, 0), ifnull(from_number, 0), "
    "ifnull(from_follows, 0) FROM ref WHERE campaign = ? AND branch = ? ORDER BY id DESC"
)


class _Stand(Struct, array_like=True):
    """The newest ref of a branch, and the move that it stands at now, if any."""

    reason: str
    line: int
    number: int
    follows: int
    end: int | None
    hash: bytes | None
    last: int


class _Step(Struct, array_like=True):
    """A ref as redo sees it; a step that came from nowhere ends redo anyhow."""

    reason: str
    follows: int
    from_line: int
    from_number: int
    from_follows: int


class Branches(Reader):
    """Where branches stand, and every step but a plain append, which writes no ref."""

    # The head after our last append, the position of its last event and the newest step, true as
    # long as nobody else writes (SQLite's data_version) and we take no step ourselves.
    _appended: tuple[int, Head, int, Step] | None = None

    def head(self, campaign_id: int, branch: str) -> Head:
        """Returns where the branch stands now. Raises UnknownName when there is none."""
        return self._known(campaign_id, branch)[0]

    def branches(self, campaign_id: int) -> list[Branch]:
        """Returns the campaign's branches without the deleted ones, oldest first."""
        rows = self._each(
            tuple[str],
            f"SELECT branch FROM ref WHERE {_OF} GROUP BY branch ORDER BY min(id)",
            campaign_id,
        )
        stands = [(name, self._stand(campaign_id, name)) for (name,) in rows]
        return [Branch(name, stand[0]) for name, stand in stands if stand]

    def oplog(self, campaign_id: int, branch: str | None = None) -> list[Ref]:
        """Returns every step of the campaign's branches, or of one (even deleted), newest first."""
        rows = self._each(
            tuple[int, str, int, int, int, Reason, str, str, bytes, int | None, int | None],
            "SELECT id, branch, line, number, follows, reason, by, at, hash, from_line, "
            f"from_number FROM ref WHERE {_OF} AND (? IS NULL OR branch = ?) ORDER BY id DESC",
            *(campaign_id, branch, branch),
        )

        def hash_at(line: int, number: int) -> bytes:
            return self._place(campaign_id, "", line, number, follows=False).hash

        return [
            Ref(
                *(id, name, line, number, bool(follows), reason, by, at, hash),
                place=hash_at(line, number),
                left=None if came is None else (from_ or 0, hash_at(came, from_ or 0)),
            )
            for id, name, line, number, follows, reason, by, at, hash, came, from_ in rows
        ]

    def steps_back(self, campaign_id: int) -> list[StepBack]:
        """Returns every undo and restore of the campaign's branches, oldest first."""
        rows = self._each(
            tuple[str, Reason, int, int, int, int, str, str],
            "SELECT branch, reason, from_line, from_number, line, number, by, at FROM ref "
            f"WHERE {_OF} AND reason IN ('undo', 'restore') ORDER BY id",
            campaign_id,
        )
        return [
            StepBack(
                branch,
                reason,
                self._place(campaign_id, branch, *left, follows=False),
                self._place(campaign_id, branch, *to, follows=False),
                by,
                at,
            )
            for branch, reason, *places, by, at in rows
            for left, to in [(places[:2], places[2:])]
        ]

    def abandoned(self, campaign_id: int) -> list[tuple[Head, int]]:
        """Returns the stretches of moves that no branch leads to, in the order they were begun.

        Each is the end of a line, and the number of the last move there that a branch leads to.
        """
        reached: dict[int, int] = {}
        for branch in self.branches(campaign_id):
            line: int | None = branch.head.line
            number = branch.head.number
            while line is not None and number > reached.get(line, -1):
                reached[line] = number
                fork = self._fork(line)
                line, number = fork.line, fork.number
        ends = self._each(
            tuple[int, int, int, bytes],
            "SELECT l.id, ifnull(l.fork_number, 0), m.number, m.hash FROM line l "
            "JOIN move m ON m.line = l.id "
            "AND m.number = (SELECT max(number) FROM move WHERE line = l.id) "
            "WHERE l.campaign = ? ORDER BY l.id",
            campaign_id,
        )
        return [
            (Head(campaign_id, "", line, number, hash, False), reached.get(line, fork))
            for line, fork, number, hash in ends
            if reached.get(line, fork) < number
        ]

    def point(
        self, head: Head, to: Head, reason: Literal["undo", "restore"], by: str, at: str
    ) -> Head:
        """Makes the branch stand at ``to`` and no longer follow its line; returns that head.

        An ``undo`` can be redone and leads back along the branch; a ``restore`` ends redo and may
        lead to any move of the campaign. Raises BranchMoved when the branch has left ``head``,
        Refused when an undo would not lead back.
        """
        with transaction(self.connection):
            present = self._still(head)
            if reason == "undo":
                target = self._back(present, to)
            else:
                target = self._checked(head.campaign, head.branch, to)
            self._step(target, reason, by, at, came=present)
        return target

    def redo_stack(self, campaign_id: int, branch: str) -> list[Head]:
        """Returns the places that redo would lead to, the next one first.

        An undo adds the place it started from, a redo takes the newest away, and any other step
        ends them all. Raises UnknownName when there is no such branch.
        """
        self.head(campaign_id, branch)
        return list(self._redo_stack(campaign_id, branch))

    def redo(self, head: Head, by: str, at: str) -> Head | None:
        """Returns the branch to where its newest undo, not yet redone, started.

        It follows its line again if it did then. Returns the new head, or None when there is
        nothing to redo. Raises BranchMoved when the branch has left ``head``.
        """
        with transaction(self.connection):
            present = self._still(head)
            target = next(self._redo_stack(head.campaign, head.branch), None)
            if target:
                self._step(target, "redo", by, at, came=present)
        return target

    def reopen(self, campaign_id: int, branch: str, line: int, by: str, at: str) -> None:
        """Has a branch follow a line that no step opens any more; it is made when there is none.

        It moves to where the line begins first, as it would have stood when the line was opened.
        """
        fork = self._fork(line)
        with transaction(self.connection):
            came = self._stand(campaign_id, branch)
            start = fork.line or self._first_line(campaign_id)
            if start == line and not fork.number:
                begun = Head(campaign_id, branch, line, 0, genesis(self._uid(campaign_id)), True)
                self._step(begun, "begin", by, at, came=None)
                return
            place = self._place(campaign_id, branch, start, fork.number, follows=False)
            if came is None:
                stand = self.create_branch(campaign_id, branch, place, by, at).head
            else:
                stand = self.point(came[0], place, "restore", by, at)
            first = self._place(campaign_id, branch, line, fork.number + 1, follows=True)
            self._step(first, "append", by, at, came=stand)

    def look_again(self, campaign_id: int) -> None:
        """Learns where the campaign stands now: its rows were written some other way."""
        self._appended = None
        head = self.head(campaign_id, self.branch_in_use(campaign_id))
        if step := self._newest_step(campaign_id):
            self._stands(head, step)

    def _redo_stack(self, campaign_id: int, branch: str) -> Iterator[Head]:
        redone = 0
        for step in self._each(_Step, _STEPS, campaign_id, branch):
            # A branch comes to follow a line by its first undo redone, or by a step that ends
            # redo: then nothing older is left. So a plain append has nothing to end.
            if step.follows or step.reason not in ("undo", "redo"):
                break
            if step.reason == "redo":
                redone += 1
            elif redone:
                redone -= 1
            else:
                yield self._place(
                    *(campaign_id, branch, step.from_line, step.from_number),
                    follows=bool(step.from_follows),
                )

    def create_branch(self, campaign_id: int, name: str, at: Head, by: str, at_time: str) -> Branch:
        """Gives a place of the history a name. The branch's first append opens a line of its own.

        Raises Refused when the name is empty or in use, UnknownName when there is no such place.
        """
        if not name.strip():
            raise Refused("A branch needs a name.")
        with transaction(self.connection):
            if self._stand(campaign_id, name):
                raise Refused(f"There is already a branch {name}.", code="exists")
            head = self._checked(campaign_id, name, at)
            self._step(head, "branch", by, at_time, came=None)
        return Branch(name, head)

    def delete_branch(self, campaign_id: int, name: str, by: str, at: str) -> None:
        """Drops a branch's name; its moves stay, and so do its steps in the oplog.

        Raises UnknownName when there is none, Refused when it is the branch in use.
        """
        with transaction(self.connection):
            present = self.head(campaign_id, name)
            if name == self.branch_in_use(campaign_id):
                raise Refused(
                    f"{name} is the branch in use.", hints=["switch to another branch first"]
                )
            target = self._place(campaign_id, name, present.line, present.number, follows=False)
            self._step(target, "delete", by, at, came=present)

    def branch_in_use(self, campaign_id: int) -> str:
        """Returns the branch that the campaign was last used on, at first the one it began on."""
        row = self._one(
            tuple[str],
            "SELECT value FROM setting WHERE key = 'branch/' || ?",
            self._uid(campaign_id),
        ) or self._one(
            tuple[str],
            "SELECT branch FROM ref WHERE campaign = ? ORDER BY id LIMIT 1",
            campaign_id,
        )
        if row is None:
            raise damaged("a campaign has no branch")
        return row[0]

    def _stand(self, campaign_id: int, branch: str) -> tuple[Head, int] | None:
        """The branch's head and the position of the last event up to there, if it is alive."""
        at = self._one(_Stand, _STAND, campaign_id, branch)
        if at is None or at.reason == "delete":
            return None
        if at.hash is not None and at.end is not None and at.end >= at.number:
            head = Head(campaign_id, branch, at.line, at.end, at.hash, bool(at.follows))
            return head, at.last
        if at.number:
            raise damaged(f"move {at.number} of branch {branch} is missing")
        start = genesis(self._uid(campaign_id))
        return Head(campaign_id, branch, at.line, 0, start, bool(at.follows)), 0

    def _known(self, campaign_id: int, branch: str) -> tuple[Head, int]:
        stand = self._stand(campaign_id, branch)
        if stand is None:
            names = [each.name for each in self.branches(campaign_id)]
            if not names and not self._one(
                tuple[int], "SELECT 1 FROM campaign WHERE id = ?", campaign_id
            ):
                raise BranchMoved(
                    "The campaign was removed from this ledger meanwhile.",
                    code="removed",
                    hints=["kdmlog import its archive brings it back"],
                )
            raise unknown("branch", branch, names)
        return stand

    def _still(self, head: Head) -> Head:
        """The branch's head now. Raises BranchMoved when that is another place than ``head``."""
        return self._still_stand(head)[0]

    def _still_stand(self, head: Head) -> tuple[Head, int]:
        present, last = self._known(head.campaign, head.branch)
        if (present.line, present.number, present.hash) != (head.line, head.number, head.hash):
            raise BranchMoved(
                f"Branch {head.branch} has moved from move {head.number} to move {present.number} "
                "since this was decided.",
                hints=["look again and repeat the command"],
                data={"was": head.number, "now": present.number},
            )
        return present, last

    def _checked(self, campaign_id: int, branch: str, to: Head) -> Head:
        """``to`` as a place for ``branch`` to stand at, if the campaign has it."""
        line = to.line if to.number else self._first_line(campaign_id)
        known = self._one(
            tuple[int],
            "SELECT 1 FROM line l LEFT JOIN move m ON m.line = l.id AND m.number = ? "
            "WHERE l.id = ? AND l.campaign = ? AND (? = 0 OR m.hash = ?)",
            *(to.number, line, campaign_id, to.number, to.hash),
        )
        if known is None:
            raise UnknownName(f"The campaign has no such move {to.number}.")
        hash = to.hash if to.number else genesis(self._uid(campaign_id))
        return Head(campaign_id, branch, line, to.number, hash, False)

    def _back(self, present: Head, to: Head) -> Head:
        """``to`` as a place that an undo may lead to: an earlier one on the way to ``present``."""
        if to.number < present.number:
            place = self.position(present, to.number)
            if place.hash == to.hash:
                return place
        raise Refused(f"An undo leads back along {present.branch}, from move {present.number}.")

    def _step(self, to: Head, reason: Reason, by: str, at: str, *, came: Head | None) -> Step:
        """Writes the ref that makes ``to.branch`` stand there."""
        self._appended = None
        newest = self._newest_step(to.campaign)
        previous = newest[1] if newest else self._ref_genesis(to.campaign)
        origin = _place(came) if came else None
        hash = ref_hash(previous, to.branch, reason, by, at, _place(to), origin)
        id = insert(
            self.connection,
            "INSERT INTO ref (campaign, branch, reason, line, number, follows, "
            "from_line, from_number, from_follows, by, at, hash) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(to.campaign, to.branch, reason, to.line, to.number, to.follows),
                *((came.line, came.number, came.follows) if came else (None, None, None)),
                *(by, at, hash),
            ),
        )
        self._stands(to, (id, hash))
        return id, hash

    def _stands(self, head: Head, step: Step) -> None:
        """Has the witness remember the head and the newest step, once they are kept."""
        watch = self.connection.watch
        if watch is not None:
            watch.stands(self._uid(head.campaign), head, step)

    def _newest_step(self, campaign_id: int) -> Step | None:
        return self._one(
            tuple[int, bytes],
            "SELECT id, hash FROM ref WHERE campaign = ? ORDER BY id DESC LIMIT 1",
            campaign_id,
        )

    def _ref_genesis(self, campaign_id: int) -> bytes:
        row = self._one(
            tuple[str, str, str, str, str],
            "SELECT uid, slug, name, game, created FROM campaign WHERE id = ?",
            campaign_id,
        )
        if row is None:
            raise UnknownName(f"There is no campaign with the id {campaign_id}.")
        return ref_genesis(*row)


def unknown(what: str, name: str, names: list[str]) -> UnknownName:
    """Returns the error for a name that is none of ``names``, with the nearest as hints."""
    from difflib import get_close_matches  # only wanted once something has gone wrong

    return UnknownName(f"There is no {what} {name}.", hints=get_close_matches(name, names) or names)


def _place(head: Head) -> Place:
    return head.hash, head.number, head.follows
