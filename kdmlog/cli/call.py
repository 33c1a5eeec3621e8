"""What was asked for beside the command itself: the options that are accepted everywhere."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct, field

from kdmlog.core.dice import split
from kdmlog.core.errors import UsageError
from kdmlog.core.inputs import Inputs
from kdmlog.session import Session, WriteOptions, open_session


class Call(Struct, kw_only=True):
    """One command's surroundings. In ``play`` and ``run`` the session is shared by all lines."""

    db: str = ""
    campaign: str | None = None
    branch: str | None = None
    at: str | None = None
    json: bool = False
    spoilers: bool = False
    inputs: Inputs = field(default_factory=Inputs)
    given: list[str] = field(default_factory=list)
    """The options of writing commands that were used, to be refused by reading ones."""
    write: WriteOptions = field(default_factory=lambda: WriteOptions())
    session: Session | None = None
    quiet: bool = False
    """Say nothing after writing."""
    prompting: bool = False
    """Whoever typed this is at a prompt, and is asked again at once."""
    more: bool = False
    """More of what was typed follows at once."""
    scripted: bool = False
    """No prompting: a question that the inputs leave open stays open."""
    script: str = ""
    """The script whose line this is."""

    def path(self) -> Path:
        """Returns the database: ``--db``, else ``$KDMLOG_DB``, else the user's data folder."""
        if named := self.db or os.environ.get("KDMLOG_DB", ""):
            return Path(named).expanduser()
        from platformdirs import user_data_path

        return user_data_path("kdmlog", ensure_exists=True) / "kdmlog.db"

    def open(self, *, readonly: bool = False, checked: bool = True) -> Session:
        """Returns the campaign's session, opened on first use."""
        if self.session is None:
            campaign = self.campaign or os.environ.get("KDMLOG_CAMPAIGN") or None
            by = self.write.get("by", "")
            self.session = open_session(
                self.path(), campaign, self.branch, readonly=readonly, vouched=checked, by=by
            )
        return self.session

    def reading(self, *, checked: bool = True) -> Session:
        """Returns the session for a reading command. Raises UsageError for writing options.

        What is ``checked`` is not opened when it is damaged.
        """
        if self.given:
            raise UsageError(f"{self.given[0]} goes with commands that write.")
        return self.open(readonly=True, checked=checked)

    def only(self, *options: str) -> None:
        """Raises UsageError for a writing option besides these: none is taken and not heeded."""
        for name in self.given:
            if name not in options:
                raise UsageError(_ELSEWHERE.get(name, f"{name} goes with actions."))

    def really(self) -> None:
        """Raises UsageError for what goes with moves alone, such as ``--dry-run``."""
        self.only("--by")

    def writing(self) -> Session:
        """Returns the session for a writing command. Raises UsageError for ``--at``.

        One that an earlier line of a script opened only to read is opened anew.
        """
        if self.at is not None:
            raise UsageError("--at reads the past; it never writes.", hints=["branch NAME --at …"])
        if self.session is not None and self.session.ledger.readonly:
            self.campaign, self.branch = self.session.campaign.name, self.session.branch_name
            self.session.close()
            self.session = None
        return self.open()


MOVE = ("--by", "--note", "--request-id", "--expect", "--dry-run")
"""The writing options of a move that asks nothing."""
_current: list[Call] = [Call()]


def current() -> Call:
    """Returns the call of the command that is running."""
    return _current[-1]


@contextmanager
def running(call: Call) -> Iterator[None]:
    """Makes ``call`` the current one; lines of a script run inside the script's own."""
    _current.append(call)
    try:
        yield
    finally:
        _current.pop()


def hoist(words: list[str], call: Call) -> list[str]:
    """Takes the common options out of the words up to ``--``, into ``call``; returns the rest.

    Raises UsageError for an option without its value.
    """
    rest: list[str] = []
    queue = list(words)
    while queue:
        word = queue.pop(0)
        if word == "--":
            return [*rest, word, *queue]
        name, glued, value = word.partition("=")
        if name in _FLAGS and not glued:
            _FLAGS[name](call)
        elif name in _VALUES and (name.startswith("--") or not glued):
            if not glued:
                if not queue:
                    raise UsageError(f"{name} needs a value.")
                value = queue.pop(0)
            _VALUES[name](call, value)
        else:
            rest.append(word)
            continue
        if name in _WRITING:
            call.given.append(name)
    return rest


def _json(call: Call) -> None:
    call.json = True


def _spoilers(call: Call) -> None:
    call.spoilers = True
    call.inputs.unseen = False


def _flows(call: Call) -> None:
    call.inputs.flows = True


def _dry_run(call: Call) -> None:
    """Trying shows nothing that is to come: kdmlog's dice and decks are left alone."""
    call.write["dry_run"] = True
    call.inputs.unseen = not call.spoilers


def _db(call: Call, value: str) -> None:
    call.db = value


def _campaign(call: Call, value: str) -> None:
    call.campaign = value


def _branch(call: Call, value: str) -> None:
    call.branch = value


def _at(call: Call, value: str) -> None:
    call.at = value


def _dice(call: Call, value: str) -> None:
    call.inputs.dice += [one for one in split(value) if one]


def _draw(call: Call, value: str) -> None:
    call.inputs.draws += [card.strip() for card in value.split(",") if card.strip()]


def _choose(call: Call, value: str) -> None:
    call.inputs.choices.append(value)


def _fill(call: Call, value: str) -> None:
    # A comma within a value is its own: zone=1-3,5-12,blind=none.
    pairs = [part.partition("=") for part in re.split(r",(?=\s*[\w.]+\s*=)", value)]
    call.inputs.fills.append({name.strip(): text.strip() for name, _, text in pairs})


def _effect(call: Call, value: str) -> None:
    """Several effects answer one question of a card, in order."""
    for fill in call.inputs.fills:
        if "effects" in fill:
            fill["effects"] += f";{value}"
            return
    call.inputs.fills.append({"effects": value})


def _by(call: Call, value: str) -> None:
    call.write["by"] = value


def _note(call: Call, value: str) -> None:
    call.write["note"] = value


def _request_id(call: Call, value: str) -> None:
    call.write["request_id"] = value


def _expect(call: Call, value: str) -> None:
    call.write["expect"] = value


_ELSEWHERE = {
    "--dry-run": "--dry-run goes with actions, undo and redo.",
    "--expect": "--expect goes with actions, undo and redo.",
    "--request-id": "--request-id goes with actions; --expect HASH makes undo happen once.",
}
"""What is said of an option where it would do nothing."""
_FLAGS: dict[str, Callable[[Call], None]] = {
    "--json": _json,
    "--spoilers": _spoilers,
    "--flows": _flows,
    "--dry-run": _dry_run,
}
_VALUES: dict[str, Callable[[Call, str], None]] = {
    "--db": _db,
    "-c": _campaign,
    "--campaign": _campaign,
    "-b": _branch,
    "--branch": _branch,
    "--at": _at,
    "--dice": _dice,
    "--draw": _draw,
    "--choose": _choose,
    "--fill": _fill,
    "--effect": _effect,
    "--by": _by,
    "--note": _note,
    "--request-id": _request_id,
    "--expect": _expect,
}
_WRITING = {
    "--flows",
    "--dry-run",
    "--dice",
    "--draw",
    "--choose",
    "--fill",
    "--effect",
    "--by",
    "--note",
    "--request-id",
    "--expect",
}


def takes_value(word: str) -> bool:
    """Returns whether a word is a common option whose value is the next word."""
    return word in _VALUES


HELP = ("-h", "--help")
EPILOG = """Everywhere: --db FILE, -c CAMPAIGN, -b BRANCH, --at POSITION (reading), --json.
Writing: --dice 7,3,10  --draw CARD,…  --choose ANSWER  --fill name=value,…  --effect LINE
--by NAME  --note TEXT  --request-id ID  --expect HASH  --flows  --dry-run
--spoilers shows deck orders, the seed, and with --dry-run what would be rolled."""
