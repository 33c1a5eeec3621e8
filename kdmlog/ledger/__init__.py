"""Keeps what happened in one SQLite file that only ever grows."""

from kdmlog.ledger.hashing import pack_hash
from kdmlog.ledger.store import Ledger
from kdmlog.ledger.structs import (
    Batch,
    Branch,
    Campaign,
    Finding,
    Follow,
    Head,
    Move,
    MoveKind,
    NewMove,
    Reason,
    Ref,
    StepBack,
)

__all__ = [
    "Batch",
    "Branch",
    "Campaign",
    "Finding",
    "Follow",
    "Head",
    "Ledger",
    "Move",
    "MoveKind",
    "NewMove",
    "Reason",
    "Ref",
    "StepBack",
    "pack_hash",
]
