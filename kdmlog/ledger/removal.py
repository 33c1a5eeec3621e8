"""Takes a campaign out of a ledger: the one place where something of the history goes."""

from __future__ import annotations

from contextlib import suppress

from kdmlog.core.errors import BranchMoved
from kdmlog.ledger.connection import DatabaseErrors, transaction
from kdmlog.ledger.rows import REMOVED
from kdmlog.ledger.store import Ledger
from kdmlog.ledger.structs import Campaign

_OURS = "SELECT id FROM line WHERE campaign = ?"
_NAMED = (
    "SELECT hash FROM pack WHERE EXISTS (SELECT 1 FROM line l JOIN event e ON e.line = l.id "
    "WHERE l.campaign = ? AND instr(e.body, pack.hash))"
)
_UNSHRUNK = "unshrunk"
"""The setting that is there until what was removed is in the file no more."""
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
            for setting in (f"{REMOVED}{campaign.id}", _UNSHRUNK):
                connection.execute("INSERT OR REPLACE INTO setting VALUES (?, '1')", (setting,))
    finally:
        connection.execute("PRAGMA foreign_keys = ON")
    shrank = _shrink(ledger)
    if ledger.witness is not None:
        ledger.witness.removed(campaign.id)
    return shrank


def finish(ledger: Ledger) -> None:
    """Has the file shrink now, without waiting, if it could not when a campaign was removed."""
    execute = ledger.connection.execute
    with suppress(*DatabaseErrors):
        if execute("SELECT 1 FROM setting WHERE key = ?", (_UNSHRUNK,)).fetchone():
            (wait,) = execute("PRAGMA busy_timeout").fetchone()
            execute("PRAGMA busy_timeout = 0")
            _shrink(ledger)
            execute(f"PRAGMA busy_timeout = {wait}")


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


def _shrink(ledger: Ledger) -> bool:
    """Rewrites the file, and its log, without what was deleted; returns whether that is done.

    It may lack the room; and while somebody reads what was before, the log must stay as it is.
    """
    execute = ledger.connection.execute
    with suppress(*DatabaseErrors):
        if _busy(ledger):
            return False
        execute("VACUUM")
        if not _busy(ledger):
            execute("DELETE FROM setting WHERE key = ?", (_UNSHRUNK,))
            return True
    return False


def _busy(ledger: Ledger) -> bool:
    """Writes the log into the file; returns whether somebody reads what was before."""
    row = ledger.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return bool(row[0])
