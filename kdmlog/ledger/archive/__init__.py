"""A campaign as a text file: written, read strictly, and brought into another ledger."""

from kdmlog.ledger.archive.lines import AnyRecord, ArchiveError, Misfit, Reading, Start
from kdmlog.ledger.archive.merge import Brought, bring, bring_beside
from kdmlog.ledger.archive.parting import Parting, partings, ways, ways_of
from kdmlog.ledger.archive.read import Contents, Inspect, contents
from kdmlog.ledger.archive.write import Counts, Cut, count_moves, cut_at, records, write

__all__ = [
    "AnyRecord",
    "ArchiveError",
    "Brought",
    "Contents",
    "Counts",
    "Cut",
    "Inspect",
    "Misfit",
    "Parting",
    "Reading",
    "Start",
    "bring",
    "bring_beside",
    "contents",
    "count_moves",
    "cut_at",
    "partings",
    "records",
    "ways",
    "ways_of",
    "write",
]
