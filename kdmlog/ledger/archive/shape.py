"""A campaign's history as hashes alone: what an archive says so far, and what may come next."""

from __future__ import annotations

from msgspec import Struct, field

from kdmlog.ledger.archive.lines import Fork, Line, Misfit, Place, Ref, Start
from kdmlog.ledger.hashing import Place as Placed
from kdmlog.ledger.hashing import genesis, move_hash, ref_genesis, ref_hash
from kdmlog.ledger.structs import NewMove

SIZE = 32
"""Bytes of a hash."""


class Run(Struct):
    """A line: the move it comes after, and the hashes of its own moves in a row."""

    after: Fork | None
    hashes: bytearray = field(default_factory=bytearray)
    opened: int = 0
    """Which ref opened it, counted from 1; 0: none so far."""

    @property
    def base(self) -> int:
        """Returns the number of the move before its first."""
        return self.after.move if self.after else 0

    @property
    def end(self) -> int:
        """Returns the number of its last move."""
        return self.base + len(self.hashes) // SIZE

    def hash(self, number: int) -> bytes:
        """Returns the hash of one of its own moves."""
        at = (number - self.base - 1) * SIZE
        return bytes(self.hashes[at : at + SIZE])


class Shape:
    """All that follows from the records so far. Each method takes the next one.

    Raises Misfit for one that does not follow; that is all that ``verify`` would find, and more.
    """

    def __init__(self, start: Start) -> None:
        self.start = start
        self.runs: list[Run] = []
        self.refs: list[Ref] = []
        self.heads: dict[str, Place] = {}
        """Where each living branch was made to stand; it may have moved on with its line."""
        self._followed: dict[int, str] = {}
        self._genesis = genesis(start.uid)
        self._last_ref = ref_genesis(start.uid, start.slug, start.name, start.game, start.created)

    def line(self, line: Line) -> None:
        """A new line begins."""
        after = line.after
        if line.number != len(self.runs) + 1:
            raise Misfit("number", f"should be {len(self.runs) + 1}")
        if self.runs and not self.runs[-1].hashes and len(self.runs) > 1:
            raise Misfit("", "the line before has no moves")
        if after is not None:
            self._check_place("after", after.line, after.move)
        self.runs.append(Run(after))

    def move(self, number: int, move: NewMove) -> bytes:
        """The line goes on with a move; returns its hash."""
        if not self.runs:
            raise Misfit("", "a move stands in no line")
        run = self.runs[-1]
        if number != run.end + 1:
            raise Misfit("number", f"should be {run.end + 1}")
        hash = move_hash(self.hash(len(self.runs), run.end), self.start.uid, number, move)
        run.hashes += hash
        return hash

    def ref(self, ref: Ref) -> bytes:
        """A branch takes a step; returns the ref's hash."""
        self._check_place("to", ref.to.line, ref.to.move)
        if ref.came is not None:
            self._check_place("came", ref.came.line, ref.came.move)
        self._check_step(ref)
        hash = ref_hash(
            *(self._last_ref, ref.branch, ref.reason, ref.by, ref.at),
            *(self._placed(ref.to), self._placed(ref.came) if ref.came else None),
        )
        self._last_ref = hash
        self.refs.append(ref)
        if ref.reason in ("begin", "append"):
            self._open(ref)
        self._stand(ref)
        return hash

    def end(self) -> None:
        """There is no more."""
        for n, run in enumerate(self.runs, 1):
            if not run.opened:
                raise Misfit("lines", f"line {n} is opened by no step")
        if not self.runs:
            raise Misfit("lines", "a campaign has at least one")
        if len(self.runs) > 1 and not self.runs[-1].hashes:
            raise Misfit("lines", f"line {len(self.runs)} has no moves")
        if self.start.branch not in self.heads:
            raise Misfit("refs", f"the branch in use, {self.start.branch}, is not there")

    def head(self, branch: str) -> tuple[int, int]:
        """Returns the line and the number of the move at which a branch stands."""
        place = self.heads[branch]
        return place.line, self.runs[place.line - 1].end if place.follows else place.move

    def hash(self, line: int, number: int) -> bytes:
        """Returns the hash of a move on the way to (and along) a line; the genesis for 0."""
        while number <= (run := self.runs[line - 1]).base and run.after is not None:
            line = run.after.line
        return run.hash(number) if number else self._genesis

    def path(self, line: int, number: int) -> list[tuple[int, int, int]]:
        """Returns the way to a move: each line, with its first and last move on that way."""
        found: list[tuple[int, int, int]] = []
        while number:
            run = self.runs[line - 1]
            if number > run.base:
                found.append((line, run.base + 1, number))
                number = run.base
            if run.after is not None:
                line = run.after.line
        return found[::-1]

    def _check_place(self, field: str, line: int, number: int) -> None:
        """A place has one spelling: the line that holds the move, or the first for none."""
        if line > len(self.runs):
            raise Misfit(f"{field}.line", f"there is no line {line}")
        run = self.runs[line - 1]
        if not (run.base < number <= run.end if number else line == 1):
            raise Misfit(f"{field}.move", f"line {line} has no move {number}")

    def _check_step(self, ref: Ref) -> None:
        stood = self.heads.get(ref.branch)
        begins, appends = ref.reason == "begin", ref.reason == "append"
        if begins != (not self.refs):
            raise Misfit("reason", "a campaign begins once")
        if (ref.came is None) != (stood is None) or (stood is None) != (
            ref.reason in ("begin", "branch")
        ):
            raise Misfit("came", f"{ref.branch} {'is not there' if stood is None else 'stands'}")
        if ref.came is not None and stood is not None:
            moved = ref.came.move >= stood.move if stood.follows else ref.came.move == stood.move
            if (ref.came.line, ref.came.follows) != (stood.line, stood.follows) or not moved:
                raise Misfit("came", f"{ref.branch} did not stand there")
        if ref.to.follows != (begins or appends) and ref.reason != "redo":
            raise Misfit("to.follows", f"not at a {ref.reason}")
        if ref.to.follows and self._followed.get(ref.to.line, ref.branch) != ref.branch:
            raise Misfit("to.follows", "another branch follows this line")
        if begins and (ref.to.line, ref.to.move) != (1, 0):
            raise Misfit("to", "a campaign begins before its first move")
        if (
            ref.reason == "delete"
            and ref.came
            and (ref.to.line, ref.to.move)
            != (
                ref.came.line,
                ref.came.move,
            )
        ):
            raise Misfit("to", "a branch is deleted where it stands")

    def _open(self, ref: Ref) -> None:
        run = self.runs[ref.to.line - 1]
        if run.opened:
            raise Misfit("to.line", f"line {ref.to.line} is open already")
        if ref.came is not None:
            came = Fork(ref.came.line, ref.came.move) if ref.came.move else None
            if ref.to.move != run.base + 1 or came != run.after:
                raise Misfit("to", f"line {ref.to.line} does not begin there")
        run.opened = len(self.refs)

    def _stand(self, ref: Ref) -> None:
        if ref.came is not None and ref.came.follows:
            del self._followed[ref.came.line]
        if ref.reason == "delete":
            del self.heads[ref.branch]
            return
        self.heads[ref.branch] = ref.to
        if ref.to.follows:
            self._followed[ref.to.line] = ref.branch

    def _placed(self, place: Place) -> Placed:
        return self.hash(place.line, place.move), place.move, place.follows
