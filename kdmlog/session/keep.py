"""Keeps a ledger safe: copies to fall back on, and what to do when something is lost."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from kdmlog.core.errors import LedgerError, UnknownName
from kdmlog.ledger import Campaign, Finding, Follow, Ledger
from kdmlog.ledger import backup as copies
from kdmlog.ledger.recover import Recovered, Saved, recover
from kdmlog.ledger.structs import Branch
from kdmlog.ledger.witness import BLIND, LOST, Witness
from kdmlog.session.codec import Codec
from kdmlog.session.games import find_game
from kdmlog.session.hanging import Hanging
from kdmlog.session.session import Session
from kdmlog.session.states import States

__all__ = [
    "Recovered",
    "Saved",
    "accept_head",
    "back_up",
    "back_up_automatically",
    "findings",
    "recover",
    "standing",
    "to_accept",
]


def back_up(
    db: Path,
    folder: Path | None = None,
    *,
    session: Session | None = None,
    tell: Callable[[list[Finding]], None] = lambda _findings: None,
) -> Path:
    """Makes a verified copy of the ledger; in its own folder for them when not told where.

    A ``session`` that has it open copies what it knows, wherever its file has gone. Returns the
    copy; ``tell`` is given what is wrong with its packs. Raises Refused or LedgerError, and leaves
    nothing then.
    """
    folder = folder or copies.backups(db)
    if session is not None:
        return copies.backup(session.ledger, folder, _now(), tell=tell)
    with Ledger.open(db, readonly=True) as ledger:
        return copies.backup(ledger, folder, _now(), tell=tell)


def back_up_automatically(ledger: Ledger) -> Path:
    """Makes a copy in the ledger's own folder for them, of which the last ten stay."""
    assert ledger.path is not None
    folder = copies.backups(ledger.path)
    made = copies.backup(ledger, folder, _now(), automatic=True)
    copies.prune(ledger.path, folder)
    return made


def standing(file: Path) -> list[tuple[Campaign, Branch]]:
    """Returns the campaigns of a ledger and where the branch in use of each stands."""
    with Ledger.open(file, readonly=True) as ledger:
        used = ((one, ledger.branch_in_use(one.id)) for one in ledger.campaigns())
        return [(one, Branch(name, ledger.head(one.id, name))) for one, name in used]


def findings(db: Path, session: Session | None = None) -> list[Finding]:
    """Returns what is wrong with a ledger and all its campaigns, also where none can be opened.

    What hangs on a history is checked on the branch in use, or on that of a ``session``.
    """
    with Ledger.open(db, readonly=True) as ledger:
        hanging: dict[int, Hanging] = {}

        def following(id: int, game_id: str) -> Follow | None:
            try:
                game = find_game(game_id)
            except UnknownName:
                return None  # it is not installed: the hashes are all that there is
            codec = Codec(game)
            hanging[id] = Hanging(ledger, game, codec, States(ledger, game, codec), id)
            return hanging[id].take

        if found := ledger.verify(following=following):
            return found
        heads = {id: ledger.head(id, ledger.branch_in_use(id)) for id in hanging}
        if session is not None:
            heads[session.campaign.id] = session.head
        return [one for id in hanging for one in hanging[id].findings(heads[id])]


def to_accept(db: Path) -> LedgerError | None:
    """Returns what the witness misses, or None when nothing is to be accepted.

    Raises LedgerError when the ledger is damaged besides: that is for ``recover`` to mend.
    """
    witness = Witness(db)
    if missed := witness.missed():
        return missed
    with Ledger.open(db, readonly=True) as ledger:
        damage = next((one for one in ledger.verify() if one.code not in (LOST, BLIND)), None)
        if damage is not None:
            raise LedgerError(
                f"The ledger is damaged: {damage.message}",
                code="damaged",
                hints=["kdmlog recover FILE keeps what came before"],
            )
        if ledger.lost and ledger.lost.code == BLIND:
            raise ledger.lost
        return ledger.lost


def accept_head(db: Path) -> None:
    """Has the witness forget what was there: the present ledger is the right one from now on."""
    if Witness(db).missed():
        Witness(db).forget()
        return
    with Ledger.open(db, readonly=True) as ledger:
        ledger.accept_head()


def _now() -> str:
    return datetime.now(UTC).strftime(copies.TIME)
