"""The state at any place of the history: the newest snapshot before it, then the events since."""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

import msgspec

from kdmlog import __version__
from kdmlog.core.errors import LedgerError
from kdmlog.core.fingerprint import fingerprint
from kdmlog.core.game import Game
from kdmlog.core.hashes import blake2b
from kdmlog.core.state import State
from kdmlog.ledger import Batch, Head, Ledger
from kdmlog.session.codec import Codec

EVERY = 256
"""A snapshot is kept of each so many moves."""
_DIGEST = 16


class _Outdated(NamedTuple):
    """The state before a move: with that move's facts, as they are kept, it is ``now`` again."""

    state: State
    bodies: list[str]
    now: State


class States:
    """Folds states. What it returns is shared: to change one, ``copy`` it."""

    def __init__(self, ledger: Ledger, game: Game, codec: Codec) -> None:
        self._ledger = ledger
        self._codec = codec
        self._new = game.new_state
        self._encode = msgspec.msgpack.Encoder().encode
        empty = game.new_state()
        self._decoder: msgspec.msgpack.Decoder[State] = msgspec.msgpack.Decoder(type(empty))
        # A snapshot is only good for the same state, folded by the same program.
        shape = _digest(self._encode(empty)).hex()
        self._key = f"state/{__version__}/{game.id}/{game.rules}/{shape}"
        self._known: tuple[bytes, State] | None = None
        self._outdated: _Outdated | None = None

    def at(self, head: Head) -> State:
        """Returns the state after the move that ``head`` stands at."""
        if self._known and self._known[0] == head.hash:
            return self._known[1]
        number, state = self._snapshot(head)
        self._fold(state, head, number)
        return state

    def further(self, state: State, since: int, head: Head) -> State:
        """Returns what ``state``, that of move ``since``, has become at ``head``."""
        state = self.copy(state)
        self._fold(state, head, since)
        return state

    def copy(self, state: State) -> State:
        """Returns an equal state that shares nothing that a fold changes."""
        return self.unpacked(self.packed(state))

    def packed(self, state: State) -> bytes:
        """Returns a state in little room."""
        return self._encode(state)

    def unpacked(self, data: bytes) -> State:
        """Returns the state that was ``packed``, for its own."""
        return self._decoder.decode(data)

    def working(self, state: State) -> State:
        """Returns an equal state that shares nothing with it, to be changed by the next move.

        Where it can, that is the state before the last move, brought up to date: to copy another
        costs several times as much, and the more so the longer the campaign.
        """
        outdated, self._outdated = self._outdated, None
        if outdated is None or outdated.now is not state:
            return self.copy(state)
        bodies = outdated.bodies
        self._codec.fold(outdated.state, [Batch(f"[{','.join(bodies)}]", len(bodies))])
        return outdated.state

    def moved(self, before: State, bodies: list[str], now: State) -> None:
        """Lets the state before a move be used up by ``working``, now that it has become another.

        Its facts are folded as the log has them, so that the two states share none of them.
        """
        if self._known is None or self._known[1] is not before:
            self._outdated = _Outdated(before, bodies, now)

    def remember(self, head: Head, state: State) -> None:
        """Has ``state`` at hand for that place, such as the one before an open action."""
        self._known = (head.hash, state)

    def keep(self, head: Head, state: State) -> None:
        """Keeps a snapshot, if it is time for one."""
        if head.number % EVERY == 0:
            data, name = self._encode(state), self.name(head)
            self._ledger.cache_put(name, _digest(data, name) + data)

    def kept(self) -> set[str]:
        """Returns the names of all snapshots that this program could use."""
        return set(self._ledger.cache_names(f"{self._key}/"))

    def name(self, head: Head) -> str:
        """Returns the name that the snapshot of a place is kept under."""
        return f"{self._key}/{head.hash.hex()}"

    def fits(self, head: Head, state: State) -> bool | None:
        """Returns whether the snapshot of a place is of this state; None where none is usable."""
        kept = self._data(head)
        if not kept:
            return None
        if self._encode(state) == kept:
            return True
        try:  # with its parts in another order
            return fingerprint(self._decoder.decode(kept)) == fingerprint(state)
        except msgspec.DecodeError:
            return None

    def found(self, head: Head, among: Container[bytes]) -> State:
        """Returns a place's state for its own, from the snapshots of places ``among`` these.

        The events since are taken as they are: ``verify`` has held them to their hashes.
        """
        number, state = self._snapshot(head, among)
        self._fold(state, head, number, held=False)
        return state

    def _fold(self, state: State, head: Head, after: int, *, held: bool = True) -> None:
        """Folds the events since move ``after``, each move held to its hash.

        Raises LedgerError for one that is unreadable or is not what was appended.
        """
        read = self._ledger.held if held else self._ledger.batches
        try:
            self._codec.fold(state, read(head, after=after))
        except LedgerError as error:
            moves = self._ledger.moves(head, after=after)
            raise self._codec.first_unreadable(moves) or error from error

    def _snapshot(self, head: Head, among: Container[bytes] | None = None) -> tuple[int, State]:
        """The newest usable snapshot on the way to ``head``, else the empty state.

        ``among`` are the hashes of the places that count; None: all do.
        """
        for number in range(head.number // EVERY * EVERY, 0, -EVERY):
            place = self._ledger.position(head, number)
            if among is None or place.hash in among:
                state = self._kept(place)
                if state is not None:
                    return number, state
        return 0, self._new()

    def _kept(self, place: Head) -> State | None:
        """The snapshot of a place, unless it is damaged or another's."""
        data = self._data(place)
        try:
            return self._decoder.decode(data) if data else None
        except msgspec.DecodeError:
            return None

    def _data(self, place: Head) -> bytes:
        """The same as it is kept; nothing where there is none."""
        name = self.name(place)
        data = self._ledger.cache_get(name) or b""
        return data[_DIGEST:] if data[:_DIGEST] == _digest(data[_DIGEST:], name) else b""


def _digest(data: bytes, name: str = "") -> bytes:
    return blake2b(name.encode() + data, digest_size=_DIGEST).digest()
