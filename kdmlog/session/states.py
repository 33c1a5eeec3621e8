"""The state at any place of the history: the newest snapshot before it, then the events since."""

from __future__ import annotations

import msgspec

from kdmlog import __version__
from kdmlog.core.fingerprint import fingerprint
from kdmlog.core.game import Game
from kdmlog.core.hashes import blake2b
from kdmlog.core.state import State
from kdmlog.ledger import Head, Ledger
from kdmlog.session.codec import Codec

EVERY = 256
"""A snapshot is kept of each so many moves."""
_DIGEST = 16


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

    def at(self, head: Head) -> State:
        """Returns the state after the move that ``head`` stands at."""
        if self._known and self._known[0] == head.hash:
            return self._known[1]
        number, state = self._snapshot(head)
        self._codec.fold(state, self._ledger.batches(head, after=number))
        return state

    def further(self, state: State, since: int, head: Head) -> State:
        """Returns what ``state``, that of move ``since``, has become at ``head``."""
        state = self.copy(state)
        self._codec.fold(state, self._ledger.batches(head, after=since))
        return state

    def copy(self, state: State) -> State:
        """Returns an equal state that shares nothing that a fold changes."""
        return self._decoder.decode(self._encode(state))

    def remember(self, head: Head, state: State) -> None:
        """Has ``state`` at hand for that place, such as the one before an open action."""
        self._known = (head.hash, state)

    def keep(self, head: Head, state: State) -> None:
        """Keeps a snapshot, if it is time for one."""
        if head.number % EVERY == 0:
            data = self._encode(state)
            self._ledger.cache_put(self._name(head), _digest(data) + data)

    def wrong_snapshot(self, head: Head) -> int | None:
        """Returns the move whose snapshot is not what its events give, if the newest is so."""
        number, state = self._snapshot(head)
        if not number:
            return None
        full = self._new()
        self._codec.fold(full, self._ledger.batches(self._ledger.position(head, number)))
        return None if fingerprint(full) == fingerprint(state) else number

    def _snapshot(self, head: Head) -> tuple[int, State]:
        """The newest usable snapshot on the way to ``head``, else the empty state."""
        for number in range(head.number // EVERY * EVERY, 0, -EVERY):
            data = self._ledger.cache_get(self._name(self._ledger.position(head, number)))
            if data and data[:_DIGEST] == _digest(data[_DIGEST:]):
                try:
                    return number, self._decoder.decode(data[_DIGEST:])
                except msgspec.DecodeError:
                    continue
        return 0, self._new()

    def _name(self, head: Head) -> str:
        return f"{self._key}/{head.hash.hex()}"


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=_DIGEST).digest()
