"""What a game is to the rest of the program: its state, events, actions and rules, as data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from msgspec import Struct

from kdmlog.core.events import CORE_EVENTS, Event
from kdmlog.core.fold import CORE_FOLDS, Fold
from kdmlog.core.procedures import Procedure
from kdmlog.core.requests import Ask
from kdmlog.core.state import State


class Action(Struct, frozen=True, kw_only=True, tag_field="action", omit_defaults=True):
    """Something a player does. Its class gives command, prompt, script line and schema.

    The docstring's first line is the help text; a field's ``Meta`` describes it. ``words`` is the
    command as typed; the fields named in ``positional`` follow it in order, others are options.
    """

    words: ClassVar[str] = ""
    positional: ClassVar[tuple[str, ...]] = ()


def called(action: Action | Mapping[str, Any]) -> str:
    """Returns the words of an action; its tag, if it is as written since there is none such now."""
    return action.words if isinstance(action, Action) else str(action.get("action", ""))


Lift = Callable[[dict[str, Any]], dict[str, Any]]
"""Returns an event of an older kind as one of the kind that came after it, both as plain data."""


class Table(Struct, frozen=True):
    """What a procedure may look at: the working state and the content in force. Read only."""

    state: Any
    content: Any


class Line(Struct, frozen=True):
    """A command's words, and the loose words behind them that answer what it asks."""

    words: list[str]
    loose: list[str] = []
    more: bool = False
    """Another command of what was typed follows at once."""


class Play(Struct, frozen=True):
    """How an action is played: the procedure, and what makes it illegal now (None: nothing does).

    ``ready`` gives the lines, as typed, in which the action can be taken at this moment.
    """

    procedure: Callable[[Table, Any], Procedure[None]]
    refuse: Callable[[Table], str | None] = lambda _table: None
    ready: Callable[[Table], Iterable[str]] = lambda _table: ()


class Leaf(Struct, frozen=True):
    """A figure that may be adjusted by hand: its bounds, and the event that sets it."""

    least: int
    most: int
    event: Callable[[int, int], Event]
    """Given the change and the new value, returns the fact."""
    now: int


CORE_LIFTS: Mapping[str, Lift] = {}
"""Those of the events that every game shares; none of them has changed so far."""


class Game(Struct, frozen=True):
    """One game, complete. ``rules`` is raised whenever the same inputs would give other facts."""

    id: str
    title: str
    rules: int
    new_state: Callable[[], State]
    events: tuple[type[Event], ...]
    folds: Mapping[type[Event], Fold]
    plays: Mapping[type[Action], Play]
    kinds: Mapping[str, type[Struct]]
    """The kinds of content records, by the name of their file."""
    packs: tuple[str, ...]
    """The built-in packs that a new campaign plays."""
    begin: Callable[[Table], Procedure[None]]
    """Played once, in the campaign's first move, after ``core.campaign_begun``."""
    view: Callable[[Table], Struct]
    """Returns the public state: what ``state --json`` shows, paths name and schemas describe."""
    view_type: type[Struct]
    leaf: Callable[[Table, tuple[str, ...]], Leaf | str]
    """Returns how the figure at a path is adjusted, or why not and what to do instead."""
    sentence: Callable[[Event, Table], str]
    """Returns a log line for an event; empty when the event needs none."""
    headline: Callable[[Any, list[Event], Table], str]
    """Returns one line for a whole action, from its events alone."""
    question: Callable[[Ask, Table], str]
    """Returns an open question in one line of the game's words."""
    changes: Callable[[Any, Any], list[str]]
    """Returns lines that tell what differs between two public states."""
    sheet_changes: Callable[[Any, Any], list[str]]
    """The same without what the facts' own lines say already."""
    standing: Callable[[Table], list[str]]
    """Returns a few lines on who and what is there now."""
    ahead: Callable[[Table], list[str]]
    """Returns a few lines on what is to come: what waits for its time, who cannot take part."""
    landmarks: Mapping[str, Callable[[Event], bool]]
    """Names of points in the history: which events are the n-th ``showdown`` or ``ly``."""
    shorthand: Callable[[Table, list[str]], list[Line] | None] = lambda _table, _words: None
    """Returns the commands that a short line means at this moment; None: it is none of ours."""
    verbs: Callable[[Table], str] = lambda _table: ""
    """Returns the short words behind a name that act with it now; empty when nobody can act."""
    prompt: Callable[[Table], str] = lambda _table: ""
    """Returns what always stands in view: phase, whose turn, what is left to spend."""
    help: Callable[[Ask], list[str]] = lambda _request: []
    """Returns lines on what may answer a question, where that is not plain."""
    named: Callable[[str, Table], str] = lambda word, _table: word
    """Returns the id of whoever a word names, living or dead. Raises UnknownName."""
    figure: Callable[[str, Table], str] = lambda name, _table: name
    """Returns the path of the public state that a short name means; a path as it is."""
    closings: Mapping[str, Callable[[Event], bool]] = {}
    """Where a landmark's stretch ends, if not at the next of its name."""
    card_name: Callable[[Table, str, str], str] = lambda _table, _deck, card: card
    card_sort: Callable[[Table, str, str], str] = lambda _table, _deck, _card: ""
    """Returns what sort of card it is, where decks are dealt so many of a sort."""
    phase: Callable[[Table], str] = lambda _table: ""
    """Returns where the game stands, in few words."""
    step: Callable[[Table], str] = lambda _table: ""
    """Returns the obvious next line, as typed; empty when there is none."""
    check: Callable[[Any], list[tuple[str, str, str, str]]] = lambda _library: []
    """Cross-checks content: (kind, id, field, what is wrong)."""
    take_over: Callable[[Table, Mapping[str, Any]], Procedure[None]] | None = None
    """Played in place of ``begin`` to take over a campaign played on paper, from its sheets as
    plain data; raises ``Faulty`` with everything wrong with them. None: the game takes over none.
    """

    sheet: Callable[[], type[Struct]] | None = None
    """Returns what the sheets that ``take_over`` is given look like."""
    marks: tuple[str, ...] = ()
    """What may stand before somebody's id in an answer, such as ``far_`` in ``far_lucy``."""
    variants: Mapping[str, str] = {}
    """The variants that a campaign may be played with, each in a line."""
    editions: Mapping[str, tuple[str, ...]] = {}
    """The editions whose rules it knows, the usual one first: each with the built-in packs that it
    plays over the usual ones."""
    sql: Mapping[str, str] = {}
    """Views of its facts for people, by name: a SELECT each from the ledger's view ``fact``. Games
    that share a name share its columns; the view then has the rows of both."""

    lifts: Mapping[str, Lift] = {}
    """What became of kinds of event that logs of older versions have, by their tags.

    A change after which old events could not be read gives the kind a new tag, such as
    ``kdm.survivor_named/2``, and its old tag a lift; the log keeps what was written.
    """

    @property
    def usual_edition(self) -> str:
        """Returns the edition that is played unless another is chosen; empty: it knows none."""
        return next(iter(self.editions), "")

    def packs_of(self, edition: str) -> tuple[str, ...]:
        """Returns the built-in packs of an edition, each laid over those before it."""
        return self.packs + self.editions.get(edition, ())

    @property
    def all_packs(self) -> tuple[str, ...]:
        """Returns the game's own packs, of whatever edition."""
        return self.packs + tuple(id for further in self.editions.values() for id in further)

    @property
    def all_lifts(self) -> Mapping[str, Lift]:
        """Returns the lifts of the game's older kinds and the core's."""
        return {**CORE_LIFTS, **self.lifts}

    @property
    def all_events(self) -> tuple[type[Event], ...]:
        """Returns the game's events and those of the core."""
        return CORE_EVENTS + self.events

    @property
    def all_folds(self) -> dict[type[Event], Fold]:
        """Returns the fold of every event."""
        return {**CORE_FOLDS, **self.folds}
