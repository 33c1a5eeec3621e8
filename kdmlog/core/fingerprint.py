"""One short value that two states share exactly when they are equal."""

from __future__ import annotations

import msgspec

from kdmlog.core.hashes import blake2b
from kdmlog.core.state import State


def fingerprint(state: State) -> str:
    """Returns the BLAKE2b-256 of the state's canonical JSON, in hex."""
    return blake2b(msgspec.json.encode(state, order="deterministic"), digest_size=32).hexdigest()
