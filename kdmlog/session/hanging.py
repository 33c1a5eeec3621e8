"""Looks at what hangs on a history: snapshots of its states, and counts taken at the table."""

from __future__ import annotations

from kdmlog.core.errors import KdmlogError
from kdmlog.core.game import Game
from kdmlog.core.state import State
from kdmlog.ledger import Batch, Finding, Head, Ledger
from kdmlog.session import states as snapshots
from kdmlog.session.codec import Codec
from kdmlog.session.counts import KIND, broken
from kdmlog.session.states import States


class Hanging:
    """Follows a campaign's moves as ``verify`` finds them sound, so that all is read but once."""

    def __init__(
        self, ledger: Ledger, game: Game, codec: Codec, states: States, campaign_id: int
    ) -> None:
        self._ledger = ledger
        self._game = game
        self._codec = codec
        self._states = states
        self._campaign = campaign_id
        self._last: dict[int, int] | None = None
        self._here: tuple[int, int] | None = None
        self._state: State = game.new_state()
        self._right: set[bytes] = set()
        self._wrong: list[Finding] = []
        self._asserts = self._stopped = False

    def take(self, place: Head, after: int, batch: Batch) -> None:
        """Takes the moves of a line from ``after`` to ``place``."""
        self._asserts = self._asserts or KIND in batch.json
        if self._stopped:
            return
        try:
            self._follow(place, after, batch)
        except (KdmlogError, LookupError, ValueError, TypeError, AttributeError) as error:
            self._stopped = True
            message = f"The moves up to {place.number} do not follow from each other: {error}."
            if isinstance(error, KdmlogError):
                message = error.message
            self._wrong.append(Finding("unreadable", message, move=place.number, line=place.line))

    def _follow(self, place: Head, after: int, batch: Batch) -> None:
        """Folds them, unless no snapshot of the line is still to come."""
        if self._last is None:
            self._last = self._last_snapshots()
        if place.number > self._last.get(place.line, 0):
            return
        if self._here != (place.line, after):
            self._state = self._states.found(self._ledger.position(place, after), self._right)
        self._codec.fold(self._state, [batch])
        self._here = place.line, place.number
        if place.number % snapshots.EVERY == 0:
            self._compare(place)

    def _last_snapshots(self) -> dict[int, int]:
        """The move of each line's last snapshot."""
        kept, places = self._states.kept(), self._ledger.every(snapshots.EVERY, self._campaign)
        return {place.line: place.number for place in places if self._states.name(place) in kept}

    def _compare(self, place: Head) -> None:
        fits = self._states.fits(place, self._state)
        if fits:
            self._right.add(place.hash)
        elif fits is not None:
            message = (
                f"The snapshot of move {place.number} is not what its events give; "
                "it is only a cache, which DELETE FROM cache empties."
            )
            self._wrong.append(Finding("snapshot", message, move=place.number, line=place.line))

    def findings(self, head: Head) -> list[Finding]:
        """Returns what is wrong: of snapshots on any branch, of counts on the way to ``head``."""
        counts = broken(self._ledger, self._game, self._codec, head) if self._asserts else ()
        try:
            return [*counts, *self._wrong]
        except KdmlogError as error:
            return [Finding(error.code, error.message, branch=head.branch)]
