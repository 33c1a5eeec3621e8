"""Changes what a campaign plays: to the packs as they are installed now, or with one more on top.

Either is a move. Records of the players' own packs stay in force over those of the game's.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

import msgspec
from msgspec import Struct

from kdmlog.core.errors import ContentError, Refused
from kdmlog.core.events import PackRef
from kdmlog.packs.library import Difference, Library, differences
from kdmlog.packs.pack import meta_of, pack_hash
from kdmlog.session.content import built_in, references
from kdmlog.session.results import Result, WriteOptions
from kdmlog.session.session import Session


class PackChange(Struct, frozen=True):
    """What comes of it: the packs that change, each as it was and is, and their records.

    ``kept`` are records that change beneath a pack which has its own. ``restored`` are packs whose
    lost copy is back. Without a ``result`` there was nothing to do.
    """

    packs: list[tuple[PackRef | None, PackRef]]
    records: list[Difference]
    kept: list[Difference]
    restored: list[PackRef]
    result: Result | None


def update_content(session: Session, **options: Unpack[WriteOptions]) -> PackChange:
    """Has the campaign play the packs of its edition as they are installed now.

    Raises Refused when a record that is in play would be gone, ContentError when packs do not fit
    together any more, and LedgerError when the ledger has lost one that is not installed either.
    """
    ledger, game = session.ledger, session.game
    state = session.table.state
    own = built_in(game, state.edition, ledger.cache_get, ledger.cache_put)
    ids = {meta_of(source).id for source in own}
    others = [_kept(session, ref) for ref in state.packs if ref.id not in ids]
    return _change(session, [*own, *others], options)


def add_content(session: Session, folder: Path, **options: Unpack[WriteOptions]) -> PackChange:
    """Lays a pack of the players' own over those in force, or takes the place of its last version.

    Raises ContentError with all that is wrong with it, and as ``update_content`` does.
    """
    from kdmlog.packs.load import load_pack
    from kdmlog.packs.pack import canonical

    game, refs = session.game, session.table.state.packs
    pack = load_pack(folder, game.kinds, game=game.id)
    if pack.id in game.all_packs:
        raise ContentError(
            f"{pack.id} is the game's own pack.",
            hints=[
                "give yours another id in pack.yaml: its records go over the game's by their id"
            ],
        )
    at = next((n for n, ref in enumerate(refs) if ref.id == pack.id), len(refs))
    sources = [_kept(session, ref) for ref in refs if ref.id != pack.id]
    below = sources[:at]
    for need in pack.needs:
        if need not in {meta_of(source).id for source in below}:
            raise ContentError(
                f"The pack {pack.id} needs the pack {need}, which this campaign does not play.",
                hints=[f"content add the pack {need} before"],
            )
    pack = load_pack(folder, game.kinds, game=game.id, below=below, check=game.check)
    sources.insert(at, canonical(pack))
    return _change(session, sources, options)


def _change(session: Session, sources: Sequence[bytes], options: WriteOptions) -> PackChange:
    before, table = session.table.state.packs, session.table
    now = references(sources)
    was = {ref.id: ref for ref in before}
    packs = [(was.get(ref.id), ref) for ref in now if was.get(ref.id) != ref]
    if not packs:
        return PackChange([], [], [], _restored(session, sources, options), None)
    library = Library(sources, session.game.kinds)
    _check(session, library)
    records = differences(table.content, library)
    _in_play(session, records)
    kept = [one for ref in packs for one in _overridden(session, ref, sources, library)]
    result = session.change_packs(list(sources), **options)
    if not options.get("dry_run"):
        _look_again(session)
    return PackChange(packs, records, kept, [], result)


def _kept(session: Session, ref: PackRef) -> bytes:
    """The ledger's own copy of a pack."""
    session.libraries.whole([ref])
    source = session.ledger.pack(ref.hash)
    assert source is not None
    return source


def _restored(session: Session, sources: Sequence[bytes], options: WriteOptions) -> list[PackRef]:
    """Puts back the copies that the ledger has lost. Raises LedgerError for one that is damaged."""
    packs = session.table.state.packs
    lost = [ref for ref in packs if session.libraries.lacking([ref]) is not None]
    if lost and not options.get("dry_run"):
        by_hash = {pack_hash(source): source for source in sources}
        for ref in lost:
            session.ledger.put_pack(ref.hash, by_hash[ref.hash])
        _look_again(session)
        session.libraries.whole(packs)
    return lost


def _look_again(session: Session) -> None:
    """What was lost may be there now."""
    session.libraries.forget()
    session.stand_at(session.head)


def _check(session: Session, library: Library) -> None:
    """Raises ContentError when the packs, one over the other, name what there is not."""
    for kind, id, field, wrong in session.game.check(library):
        raise ContentError(
            f"The packs do not fit together: {kind} {id}: {field}: {wrong}.",
            hints=["content add the pack of yours anew, mended"],
        )


def _in_play(session: Session, records: Sequence[Difference]) -> None:
    """Raises Refused when the campaign holds something that would be gone."""
    state = msgspec.json.encode(session.table.state)
    gone = [one for one in records if one.how == "removed" and f'"{one.id}"'.encode() in state]
    if gone:
        names = ", ".join(f"{one.kind} {one.id}" for one in gone)
        raise Refused(
            f"The packs lack what is in play: {names}.",
            code="in_play",
            hints=["kdmlog goes on with the copies that the campaign has"],
        )


def _overridden(
    session: Session,
    change: tuple[PackRef | None, PackRef],
    sources: Sequence[bytes],
    library: Library,
) -> list[Difference]:
    """Returns the records of a changed pack that another pack's stay in force over."""
    was, now = change
    kinds = session.game.kinds
    after = Library([one for one in sources if pack_hash(one) == now.hash], kinds)
    before = session.libraries.get([was] if was else [])
    return [
        msgspec.structs.replace(one, pack=owner)
        for one in differences(before, after)
        if (owner := library.pack_of(kinds[one.kind], one.id)) not in (None, now.id)
    ]
