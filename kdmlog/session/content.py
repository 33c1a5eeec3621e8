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
        self._lost: set[str] = set()
        self.noticed: LedgerError | None = None
        """What was last found to be lost."""

    def get(self, packs: Iterable[PackRef]) -> Library:
        """Returns the library of these packs, without those that the ledger has lost.

        So a campaign can still be looked at; to go on with it is for ``lacking`` to say.
        """
        packs = tuple(packs)
        hashes = tuple([pack.hash for pack in packs])
        if hashes not in self._known:
            sources = map(self._source, hashes)
            self._known[hashes] = Library([one for one in sources if one], self._kinds)
            self.noticed = self._lacking(packs) or self.noticed
        return self._known[hashes]

    def whole(self, packs: Iterable[PackRef]) -> Library:
        """Returns the library of these packs. Raises LedgerError when one is lost."""
        packs = tuple(packs)
        library = self.get(packs)
        if (lost := self.lacking(packs)) is not None:
            raise lost
        return library

    def lacking(self, packs: Iterable[PackRef]) -> LedgerError | None:
        """Returns what to say of those of these packs that the ledger has lost, if any."""
        packs = tuple(packs)
        self.get(packs)
        return self._lacking(packs) if self._lost else None

    def _lacking(self, packs: tuple[PackRef, ...]) -> LedgerError | None:
        lost = [pack for pack in packs if pack.hash in self._lost]
        if not lost:
            return None
        names = ", ".join(f"{pack.id} {pack.version}" for pack in lost)
        return LedgerError(
            f"The ledger's copy of the content pack {names} is missing or damaged: "
            "what was played can be read, but not gone on with.",
            code="no_pack",
            hints=["kdmlog content update puts in what is installed; a backup has the copy"],
            data={"packs": [pack.hash for pack in lost]},
        )

    def forget(self) -> None:
        """Looks for every pack anew from here on."""
        self._known.clear()
        self._lost.clear()
        self.noticed = None

    def _source(self, hash: str) -> bytes | None:
        """A pack as it is kept, if it is what its hash says."""
        try:
            source = self._ledger.pack(hash)
        except LedgerError:
            source = None
        if source is None or pack_hash(source) != hash:
            self._lost.add(hash)
            return None
        return source


def built_in(
    game: Game,
    edition: str,
    cache_get: Callable[[str], bytes | None],
    cache_put: Callable[[str, bytes], None],
) -> list[bytes]:
    """Returns the packs that a campaign of an edition plays, from a cache where it has them.

    Raises ContentError when one is missing or cannot be read.
    """
    packs = game.packs_of(edition)
    if not packs:
        return []
    from kdmlog.core.errors import ContentError
    from kdmlog.packs.installed import builtin, compiled

    folders = builtin(game.id)
    sources: list[bytes] = []
    for id in packs:
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
