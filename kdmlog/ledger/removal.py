"""Takes a campaign out of a ledger: the one place where something of the history goes."""

from __future__ import annotations

from contextlib import suppress

from kdmlog.core.errors import BranchMoved
from kdmlog.ledger.connection import DatabaseErrors, transaction
from kdmlog.ledger.store import Ledger
from kdmlog.ledger.structs import Campaign

_OURS = "SELECT id FROM line WHERE campaign = ?"
_NAMED = (
    "SELECT hash FROM pack WHERE EXISTS (SELECT 1 FROM line l JOIN event e ON e.line = l.id "
    "WHERE l.campaign = ? AND instr(e.body, pack.hash))"
)
_DELETE = (
    f"DELETE FROM cache WHERE substr(key, -64) IN "
    f"(SELECT lower(hex(hash)) FROM move WHERE line IN ({_OURS}))",
    f"DELETE FROM event WHERE line IN ({_OURS})",
    f"DELETE FROM move WHERE line IN ({_OURS})",
    "DELETE FROM ref WHERE campaign = ?",
    "DELETE FROM line WHERE campaign = ?",
    "DELETE FROM campaign WHERE id = ?",
)


def remove(ledger: Ledger, campaign: Campaign, *, moves: int, refs: int) -> bool:
    """Removes a campaign that has just so many moves and refs; returns whether the file shrank.

    Others keep every hash. Raises BranchMoved when somebody has gone on with it since.
    """
    connection = ledger.connection
    connection.execute("PRAGMA foreign_keys = OFF")  # lines and moves refer to each other
    try:
        with transaction(connection):
            if _size(ledger, campaign) != (moves, refs):
                raise BranchMoved(
                    f"{campaign.name} has been gone on with; nothing was removed.",
                    hints=["repeat the command"],
                )
            _rewrite(ledger, campaign)
            if ledger.witness is not None:  # else what is gone would be missed
                ledger.witness.accept(())
    finally:
        connection.execute("PRAGMA foreign_keys = ON")
    shrank = _vacuum(ledger)
    ledger.accept_head()
    return shrank


def _size(ledger: Ledger, campaign: Campaign) -> tuple[int, int]:
    found: tuple[int, int] = ledger.connection.execute(
        f"SELECT (SELECT count(*) FROM move WHERE line IN ({_OURS})), "
        "(SELECT count(*) FROM ref WHERE campaign = ?)",
        (campaign.id, campaign.id),
    ).fetchone()
    return found


def _rewrite(ledger: Ledger, campaign: Campaign) -> None:
    """Deletes the rows with the triggers off that refuse it, and closes the gap in the oplog."""
    execute = ledger.connection.execute
    triggers = execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        execute(f'DROP TRIGGER "{name}"')
    packs = execute(_NAMED, (campaign.id,)).fetchall()
    for statement in _DELETE:
        execute(statement, (campaign.id,))
    named = "SELECT 1 FROM event WHERE instr(body, ?) LIMIT 1"
    for (hash,) in packs:
        if not execute(named, (hash,)).fetchone():
            execute("DELETE FROM pack WHERE hash = ?", (hash,))
    execute(
        "DELETE FROM setting WHERE substr(key, instr(key, '/') + 1) = :uid "
        "OR key = 'campaign' AND value = :uid",
        {"uid": campaign.uid},
    )
    ids = execute("SELECT id FROM ref ORDER BY id").fetchall()
    for n, (id,) in enumerate(ids, 1):
        if n != id:
            execute("UPDATE ref SET id = ? WHERE id = ?", (n, id))
    for _, sql in triggers:
        execute(sql)


def _vacuum(ledger: Ledger) -> bool:
    """Rewrites the file without what was deleted; it may lack the room, or have readers."""
    with suppress(*DatabaseErrors):
        ledger.connection.execute("VACUUM")
        ledger.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return True
    return False
