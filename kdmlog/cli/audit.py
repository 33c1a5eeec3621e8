"""The audit in words: what does not follow from the rules, what was done past them, the dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import typer

from kdmlog.cli import say
from kdmlog.cli.build import to_click
from kdmlog.cli.call import current
from kdmlog.cli.documents import Audited, AuditFinding, DiceCount
from kdmlog.cli.progress import progress
from kdmlog.core.errors import Refused
from kdmlog.session.audit import FAULTS, Audit, Code, Remark, audit, dice_alone
from kdmlog.session.fairness import Fairness

LABELS: dict[Code, str] = {
    "unfounded": "does not follow",
    "undue": "was not due",
    "asserted": "was counted otherwise",
    "rules_changed": "rules changed since",
    "unknown_action": "cannot be checked",
    "ruling": "ruling",
    "reseeded": "other dice",
    "packs": "other content",
    "replayed": "carried over",
    "foreign": "other seed",
    "taken_back": "taken back",
    "abandoned": "on no branch",
    "elsewhere": "on another branch",
    "by_hand": "given by hand",
}
"""What stands before a finding; in the order in which findings are listed."""
PLURALS = {"ruling": "rulings"}
SOURCES = {"app": "rolled by kdmlog", "table": "rolled at the table"}


def audit_(
    fairness: Annotated[bool, typer.Option("--fairness", help="only how the dice fell")] = False,
) -> None:
    """Hold the log against the rules, and its dice against chance."""
    call = current()
    session = call.reading()
    head = session.place(call.at) if call.at is not None else session.head
    with progress("Auditing", head.number) as advance:
        found = (dice_alone if fairness else audit)(session, head, advance)
    if call.json:
        say.as_json(document(found))
    else:
        for text in told(found, fairness):
            say.line(text)
    if found.faults:
        first = found.faults[0]
        more = f" (and {len(found.faults) - 1} more)" if found.faults[1:] else ""
        raise Refused(
            f"The log does not stand: move {first.move} {LABELS[first.code]}{more}.",
            code="audit",
            hints=[f"kdmlog show h:{first.hash[:8]}"],
            data={"findings": [f"move {one.move}: {one.message}" for one in found.faults]},
        )


def document(found: Audit) -> Audited:
    """Returns an audit as ``--json`` shows it."""
    return Audited(
        moves=found.moves,
        actions=found.actions,
        findings=[
            AuditFinding(one.code, one.fault, one.message, one.move, one.hash, one.by, one.at)
            for one in found.remarks
        ],
        dice=[
            DiceCount(
                die=one.die,
                source=one.source,
                by=one.by or None,
                rolled=one.rolled,
                counts=one.counts,
                expected=one.expected,
                chi2=one.chi2,
                p=one.p,
                verdict=one.verdict,
            )
            for one in found.dice
        ],
    )


def told(found: Audit, fairness: bool) -> Iterator[str]:
    """Yields the lines: findings, then the dice, then all in a sentence."""
    order = list(LABELS)
    for one in sorted(found.remarks, key=lambda one: order.index(one.code)):
        yield _line(one)
    yield from _dice(found.dice)
    if not fairness:
        yield summary(found)


def _line(one: Remark) -> str:
    return f"{one.move:>4}  {one.hash[:4]}  {one.by or '-':<6}  {LABELS[one.code]}: {one.message}"


def _dice(counted: list[Fairness]) -> Iterator[str]:
    if not counted:
        yield "No dice have been rolled."
    for one in counted:
        alone = {other.by for other in counted if (other.die, other.source) == _kind(one)}
        if one.by and len(alone) == 2:
            continue  # all of them are this player's
        who = f", {one.by}" if one.by else ""
        yield f"{one.die}, {SOURCES[one.source]}{who}: {one.rolled}, {one.verdict}"
        yield f"      {'  '.join(_faces(one))}"


def _kind(one: Fairness) -> tuple[str, str]:
    return one.die, one.source


def _faces(one: Fairness) -> Iterable[str]:
    """Each face with how often it fell; what was to be expected last."""
    for face, count in one.counts.items():
        yield f"{face}:{count}"
    wanted = sorted(set(one.expected.values()))
    yield f"(expected {' or '.join(f'{each:.1f}' for each in wanted)})"


def summary(found: Audit) -> str:
    """Returns what an audit comes to, in a sentence."""
    if found.faults:
        verdict = f"{_count(len(found.faults), 'finding')} on what should not be"
    elif found.count("rules_changed") or found.count("unknown_action"):
        verdict = "what these rules can tell follows from them, every die was due"
    else:
        verdict = "every fact follows from the rules, every die was due"
    counts = {label: found.count(code) for code, label in LABELS.items() if code not in FAULTS}
    listed = [
        f"{count} {label if count == 1 else PLURALS.get(label, label)}"
        for label, count in counts.items()
        if count
    ]
    beside = f"; listed: {', '.join(listed)}" if listed else ""
    moves, actions = _count(found.moves, "move"), _count(found.actions, "action")
    return f"{moves}, {actions}: {verdict}{beside}."


def _count(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    return to_click(globals()[name], command)
