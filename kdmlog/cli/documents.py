"""What ``--json`` prints, a Struct a document: ``schemas/cli.*.json`` are made from them."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Raw, Struct

from kdmlog.core.requests import Ask


class Failure(Struct, frozen=True):
    """An error: a stable code, one sentence, what to try next, and details by name."""

    code: str
    message: str
    hints: list[str]
    data: dict[str, Any]


class Error(Struct, frozen=True):
    """What a command that failed prints on stderr."""

    error: Failure


class Warned(Struct, frozen=True):
    """What a reading command prints on stderr when its answer may be less than there was."""

    warning: Failure


class Written(Struct, frozen=True):
    """A move made (0 if only tried), its facts, the question it left open, what changed.

    Of a request that was ``repeated`` the move may be ``elsewhere``: undone, or another branch's.
    """

    move: int
    dry_run: bool
    repeated: bool
    elsewhere: bool
    events: list[Any]
    open: Ask | None
    changes: list[str]


class Campaign(Struct, frozen=True):
    """A campaign of the ledger, by what it is called here."""

    slug: str
    name: str
    game: str
    hidden: bool


class Removed(Struct, frozen=True):
    """A campaign that was taken out of the ledger, and the archive that holds it now.

    Unless the file ``shrank``, what was deleted is in there until the next command that writes.
    """

    campaign: Campaign
    archive: str
    moves: int
    was_in_use: bool
    shrank: bool


class Status(Struct, frozen=True):
    """Where the game stands, what is open, and what can be done, as lines to type."""

    campaign: str
    branch: str
    move: int
    hash: str
    phase: str
    open: Ask | None
    next: str
    ready: list[str]


class Entry(Struct, frozen=True):
    """An action of the log with its answers, in one line."""

    move: int
    moves: list[int]
    hash: str
    by: str
    at: str
    action: Any
    text: str


class Recap(Struct, frozen=True):
    """The last evening: its actions, oldest first, what they changed, and what is to come."""

    since: str
    until: str
    by: list[str]
    actions: list[Entry]
    changes: list[str]
    open: Ask | None
    ahead: list[str]
    next: str


class ShownMove(Struct, frozen=True):
    """One move of an action: as typed, and its facts."""

    move: int
    kind: str
    hash: str
    by: str
    at: str
    input: Raw
    writer: str
    events: list[Any]


class Shown(Struct, frozen=True):
    """An action in full."""

    entry: Entry
    moves: list[ShownMove]


class Undone(Struct, frozen=True):
    """What an undo took back, what led there if it was not on the way, and where that is."""

    took_back: list[Entry]
    brought_back: list[Entry]
    rolls: int
    draws: int
    move: int
    hash: str
    dry_run: bool
    changes: list[str]


class Redone(Struct, frozen=True):
    """What a redo brought back, and where the branch stands then."""

    brought_back: list[Entry]
    move: int
    hash: str


class Branch(Struct, frozen=True):
    """A branch and the move it stands at; ``shared`` is its last move on the way here."""

    branch: str
    move: int
    shared: int


class Change(Struct, frozen=True):
    """A figure that differs; None where there is none."""

    path: str
    before: Any
    after: Any


class Difference(Struct, frozen=True):
    """What differs between two places, and the actions that only one has."""

    changes: list[Change]
    only_a: list[Entry]
    only_b: list[Entry]


class Otherwise(Struct, frozen=True):
    """An action that came out otherwise when it was played again: as it was, and as it is."""

    before: Entry
    after: Entry


class Halt(Struct, frozen=True):
    """The old move where playing again stopped, why, and the question that is open there."""

    move: int
    why: str
    open: Ask | None


class Rebased(Struct, frozen=True):
    """What became of later actions over a corrected past; ``kept`` says whether it stays so.

    ``old`` is the hash of the head that was left. ``rolled`` are new rolls, ``unused`` old answers
    that nothing asks for any more.
    """

    kept: bool
    move: int
    hash: str
    old: str
    played: int
    changes: list[Change]
    differing: list[Otherwise]
    rolled: list[Any]
    unused: list[Any]
    stop: Halt | None


class Step(Struct, frozen=True):
    """A row of the history of history: where a branch went, and where it had stood.

    ``hash`` is the step's own, ``place`` and ``left`` those of the moves.
    """

    id: int
    branch: str
    reason: str
    move: int
    follows: bool
    by: str
    at: str
    hash: str
    place: str
    left: str


class Exported(Struct, frozen=True):
    """An archive that was written, what it holds, and its closing hash."""

    file: str
    campaign: str
    packs: int
    lines: int
    moves: int
    events: int
    refs: int
    blake2b: str


class Pair(Struct, frozen=True):
    """A branch here and there: ``shared`` is the last move of both; None: there is none such."""

    branch: str
    relation: Literal["equal", "ahead", "behind", "diverged", "only here", "only there"]
    shared: int
    here: int | None
    there: int | None


class Compared(Struct, frozen=True):
    """A campaign here and in another file, branch by branch."""

    campaign: str
    other: str
    branches: list[Pair]


class Imported(Struct, frozen=True):
    """What an import added; how each branch stands here now, and there in the archive."""

    campaign: Campaign
    new: bool
    moves: int
    steps: int
    packs: int
    branches: list[Pair]
    in_use: str | None


class Finding(Struct, frozen=True):
    """Something that is wrong with the ledger."""

    code: str
    message: str
    move: int | None


class Verified(Struct, frozen=True):
    """What verifying found; nothing when all is well."""

    findings: list[Finding]


class Fact(Struct, frozen=True):
    """A line of the event stream: an event, and the move that it is of."""

    move: int
    event: Any


class AuditFinding(Struct, frozen=True):
    """What an audit says of a move; a ``fault`` is what should not be."""

    code: str
    fault: bool
    message: str
    move: int
    hash: str
    by: str
    at: str


class DiceCount(Struct, frozen=True):
    """How a kind of die fell, of ``app`` or ``table``; ``by`` is None for everybody together.

    ``p`` is how often fair dice stray so far or farther; None when there are too few to tell.
    """

    die: str
    source: str
    by: str | None
    rolled: int
    counts: dict[str, int]
    expected: dict[str, float]
    chi2: float
    p: float | None
    verdict: str


class Audited(Struct, frozen=True):
    """What an audit found. With ``--fairness`` it counts no actions and finds nothing."""

    moves: int
    actions: int
    findings: list[AuditFinding]
    dice: list[DiceCount]


class Cause(Struct, frozen=True):
    """A fact that changed a figure, and its move. The paths are those below the one asked for.

    ``cause`` is the rule or content record that it followed from, ``why`` a ruling's reason.
    """

    move: int
    hash: str
    by: str
    at: str
    changes: list[Change]
    text: str
    cause: str
    why: str
    event: Any


class Reasons(Struct, frozen=True):
    """What made a figure what it is, oldest first."""

    path: str
    value: Any
    causes: list[Cause]


class Standing(Struct, frozen=True):
    """Where a branch of a campaign stands."""

    campaign: str
    branch: str
    move: int
    hash: str


class Backup(Struct, frozen=True):
    """A verified copy of the ledger, and where the branch in use of each campaign stands there."""

    file: str
    bytes: int
    campaigns: list[Standing]


class Saved(Struct, frozen=True):
    """A campaign in what is left: its moves, what was wrong, and where its branches stand now.

    So many steps of its oplog were ``restated``: new ones stand in for those that were lost.
    """

    campaign: str
    name: str
    moves: int
    wrong: list[str]
    restated: int
    branches: list[Standing]


class Recovered(Struct, frozen=True):
    """What was saved into a new file; without one, what was accepted as the present ledger."""

    file: str | None
    campaigns: list[Saved]
    packs_lost: int


class ChangedPack(Struct, frozen=True):
    """A pack that a campaign plays another version of; None where it played none."""

    id: str
    was: int | None
    now: int


class ChangedRecord(Struct, frozen=True):
    """A record that is ``added``, ``changed`` or ``removed``, and the pack in force for it."""

    kind: str
    id: str
    how: str
    pack: str


class ContentChanged(Struct, frozen=True):
    """A campaign's content changed (move 0: nothing was, or only tried).

    ``kept`` are records that changed beneath a pack of the players' own, which stays in force.
    ``restored`` are packs whose lost copy was put back.
    """

    move: int
    dry_run: bool
    packs: list[ChangedPack]
    records: list[ChangedRecord]
    kept: list[ChangedRecord]
    restored: list[str]


DOCUMENTS: dict[str, Any] = {
    "error": Error,
    "warning": Warned,
    "written": Written,
    "campaigns": list[Campaign],
    "status": Status,
    "do": list[str],
    "recap": Recap,
    "log": list[Entry],
    "show": Shown,
    "undo": Undone,
    "redo": Redone,
    "branches": list[Branch],
    "diff": Difference,
    "amend": Rebased,
    "rebase": Rebased,
    "oplog": list[Step],
    "verify": Verified,
    "backup": Backup,
    "recover": Recovered,
    "export": Exported,
    "import": Imported,
    "compare": Compared,
    "remove": Removed,
    "events": Fact,
    "audit": Audited,
    "why": Reasons,
    "content_change": ContentChanged,
}
"""By the command that prints it; those of the game are in ``kdm_documents``.

``state`` prints ``kdm.state.json``, or the part of it at a path.
"""
