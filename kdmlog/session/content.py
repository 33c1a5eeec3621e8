"""The packs that a campaign plays: compiled once, kept in its ledger, laid over each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from kdmlog import __version__
from kdmlog.core.errors import LedgerError
from kdmlog.core.events import PackRef
from kdmlog.core.game import Game
from kdmlog.ledger import Ledger
from kdmlog.packs.library import Library
from kdmlog.packs.pack import meta_of, pack_hash


class Libraries:
    """The content in force at each place, by the packs that the state names there."""

    def __init__(self, ledger: Ledger, game: Game) -> None:
        self._ledger = ledger
        self._kinds = game.kinds
        self._known: dict[tuple[str, ...], Library] = {}

    def get(self, packs: Iterable[PackRef]) -> Library:
        """Returns the library of these packs. Raises LedgerError when one is missing."""
        hashes = tuple(pack.hash for pack in packs)
        if hashes not in self._known:
            self._known[hashes] = Library([self._source(hash) for hash in hashes], self._kinds)
        return self._known[hashes]

    def _source(self, hash: str) -> bytes:
        source = self._ledger.pack(hash)
        if source is None:
            raise LedgerError(f"The ledger lacks the content pack {hash[:12]}.", code="no_pack")
        return source


def built_in(
    game: Game,
    cache_get: Callable[[str], bytes | None],
    cache_put: Callable[[str, bytes], None],
) -> list[bytes]:
    """Returns the packs that a new campaign plays, from a cache where it has them.

    Raises ContentError when one is missing or cannot be read.
    """
    if not game.packs:
        return []
    from kdmlog.core.errors import ContentError
    from kdmlog.packs.installed import builtin, compiled

    folders = builtin(game.id)
    sources: list[bytes] = []
    for id in game.packs:
        if id not in folders:
            raise ContentError(f"The pack {id} of {game.title} is not installed.")
        sources.append(
            compiled(
                folders[id],
                game.kinds,
                cache_get,
                cache_put,
                salt=f"{__version__}/{game.rules}",
                game=game.id,
                below=list(sources),
                check=game.check,
            )
        )
    return sources


def references(sources: Sequence[bytes]) -> tuple[PackRef, ...]:
    """Returns how an event names these packs."""
    metas = [(meta_of(source), pack_hash(source)) for source in sources]
    return tuple(PackRef(meta.id, meta.version, hash) for meta, hash in metas)
