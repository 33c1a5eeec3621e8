"""Looks at what an archive brings before it is kept: hashes that fit prove nothing of their maker.

What a command could not read, fold, show or tell later is refused with line and field, or move.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from kdmlog.core.dice import parse
from kdmlog.core.errors import KdmlogError, UnknownName
from kdmlog.core.events import Asked, CampaignRenamed, DiceRolled, Event, PackRef, PacksChanged
from kdmlog.core.game import Game, Table
from kdmlog.core.names import branch_name
from kdmlog.core.requests import Roll
from kdmlog.core.text import shown
from kdmlog.ledger import Campaign, Head, Ledger, Move, NewMove
from kdmlog.ledger import archive as a
from kdmlog.packs.findings import dotted
from kdmlog.packs.library import Library
from kdmlog.packs.pack import meta_of
from kdmlog.packs.stored import faults
from kdmlog.session.codec import Codec
from kdmlog.session.content import Libraries
from kdmlog.session.games import find_game
from kdmlog.session.log import answers
from kdmlog.session.states import EVERY, States

_MOST = 300
"""Characters of an error that are passed on."""


class _Named(Struct, frozen=True):
    """Where the events first put certain packs in force."""

    line: int
    field: str


class Inspector:
    """Looks at each record of an archive as it is read; raises Misfit for what no game makes."""

    def __init__(self, reading: a.Reading) -> None:
        self.renamed = False
        self._reading = reading
        self._named: dict[tuple[PackRef, ...], _Named] = {}

    def begin(self, start: a.Start) -> a.Inspect:
        """Returns what looks at the records: itself, once it knows the game."""
        self._game = _game(start.game)
        self._codec = Codec(self._game)
        return self

    def pack(self, source: bytes) -> None:
        """Looks at a pack by itself."""
        fault = next(faults(source, self._game.kinds, self._game.id), None)
        if fault is not None:
            raise a.Misfit(dotted(("source", *fault.path)), fault.message)

    def branch(self, name: str) -> None:
        """Looks at the name of a branch that is made."""
        try:
            branch_name(name)
        except KdmlogError as error:
            raise a.Misfit("branch", error.message) from None

    def move(self, move: NewMove) -> None:
        """Looks at a move's events, each by itself."""
        for n, body in enumerate(move.bodies):
            field = f"events[{n}]"
            try:
                event = self._codec.event(body)
            except KdmlogError as error:
                raise _misfit(field, error, move.writer) from None
            match event:
                case CampaignRenamed():
                    self.renamed = True
                case PacksChanged():
                    named = _Named(self._reading.number, field)
                    self._named.setdefault(event.packs, named)
                case DiceRolled():
                    _check_roll(event, field)
                case Asked(request=Roll(dice=notation)):
                    _check_dice(notation, f"{field}.request.dice")

    def check_packs(self, ledger: Ledger) -> None:
        """Holds the packs that were in force together to the game's own check.

        Raises ArchiveError for one that is neither in the archive nor in the ledger, too.
        """
        for refs, named in self._named.items():
            try:
                sources = list(_sources(ledger, refs))
                library = Library(sources, self._game.kinds)
                for kind, id, field, message in self._game.check(library):
                    raise a.Misfit("", f"{kind} {id}, {field}: {message}")
            except a.Misfit as error:
                where = f"{named.field}.packs{error.field}"
                raise self._reading.fault(where, error.message, line=named.line) from None


def _game(id: str) -> Game:
    try:
        return find_game(id)
    except UnknownName as error:
        raise a.Misfit("game", error.message, error.hints) from None


def _misfit(event: str, error: KdmlogError, writer: str) -> a.Misfit:
    what, _, where = str(error.__cause__).partition(" - at `$")
    return a.Misfit(
        event + where.strip("`"),
        f"{what} (this move needs kdmlog {writer})",
        hints=[f"update kdmlog to {writer}"],
    )


def _check_roll(event: DiceRolled, field: str) -> None:
    _check_dice(event.dice, f"{field}.dice")
    dice = parse(event.dice)
    if len(event.faces) != dice.faces:
        raise a.Misfit(f"{field}.faces", f"{event.dice} has {dice.faces} faces")
    for n, face in enumerate(event.faces):
        if not 1 <= face <= dice.sides:
            raise a.Misfit(f"{field}.faces[{n}]", f"{face} is no face of this die ({dice.kind})")


def _check_dice(notation: str, field: str) -> None:
    try:
        parse(notation)
    except KdmlogError as error:
        raise a.Misfit(field, error.message) from None


def _sources(ledger: Ledger, refs: tuple[PackRef, ...]) -> Iterator[bytes]:
    """Yields packs as the ledger keeps them; raises Misfit for one that is not what is said."""
    for n, ref in enumerate(refs):
        source = ledger.pack(ref.hash)
        if source is None:
            message = f"the pack {ref.id} ({ref.hash[:12]}) is neither in the archive nor here"
            raise a.Misfit(f"[{n}].hash", message)
        meta = meta_of(source)
        if (meta.id, meta.version) != (ref.id, ref.version):
            raise a.Misfit(f"[{n}]", f"this pack is {meta.id} {meta.version}")
        yield source


# --- once all is there ----------------------------------------------------------------------------


def check_told(ledger: Ledger, campaign: Campaign, file: str) -> str:
    """Folds every branch, and shows and tells what there is; returns the campaign's present name.

    Raises ArchiveError when a branch's events cannot be what happened in a game.
    """
    return _Telling(ledger, campaign, file).name()


class _Telling:
    """Does with a campaign what the commands will."""

    def __init__(self, ledger: Ledger, campaign: Campaign, file: str) -> None:
        self._ledger = ledger
        self._campaign = campaign
        self._file = file
        self._game = find_game(campaign.game)
        self._codec = Codec(self._game)
        self._states = States(ledger, self._game, self._codec)
        self._libraries = Libraries(ledger, self._game)
        self._told: dict[int, int] = {}
        """Up to which move each line has been told."""

    def name(self) -> str:
        """Tells all branches; returns the name on the one in use."""
        name = self._campaign.name
        used = self._ledger.branch_in_use(self._campaign.id)
        for branch in self._ledger.branches(self._campaign.id):
            table = self._table(branch.name, branch.head)
            self._tell(branch.name, branch.head, table)
            if branch.name == used:
                name = table.state.name
        return name

    def _table(self, branch: str, head: Head) -> Table:
        try:
            last = head.number // EVERY * EVERY
            if last:  # what is kept there spares every command the way so far
                place = self._ledger.position(head, last)
                self._states.keep(place, self._states.at(place))
            state = self._states.at(head)
        except (LookupError, ValueError, TypeError, AttributeError) as error:
            raise self._error(
                f"the moves of branch {branch}", "do not follow from each other", error
            ) from error
        return Table(state, self._libraries.get(state.packs))

    def _tell(self, branch: str, head: Head, table: Table) -> None:
        where = f"what stands at the head of branch {branch}"
        try:
            _show(self._game, table)
            rest: dict[int, list[Event]] = {}
            reached: dict[int, int] = {}
            for move in self._ledger.moves(head, newest_first=True):
                if move.number <= self._told.get(move.line, 0):
                    break
                where = f"move {move.number} of branch {branch}"
                reached.setdefault(move.line, move.number)
                self._tell_move(move, table, rest)
        except Exception as error:  # whatever it is, it would stop a command later
            raise self._error(where, "cannot be shown", error) from error
        self._told |= reached

    def _tell_move(self, move: Move, table: Table, rest: dict[int, list[Event]]) -> None:
        """Tells a move; ``rest`` holds the facts of the answers after it, by what they answer."""
        events = self._codec.events(move)
        for event in events:
            self._game.sentence(event, table)
        if answers(move) and move.begins is not None:
            rest[move.begins] = events + rest.get(move.begins, [])
            return
        whole = events + rest.pop(move.number, [])
        self._game.headline(self._codec.action(move.input), whole, table)

    def _error(self, what: str, why: str, error: Exception) -> a.ArchiveError:
        cause = shown(f"{type(error).__name__}: {error}", _MOST)
        return a.ArchiveError(
            f"{self._file}: {shown(what, _MOST)} {why} ({cause}); nothing was added."
        )


def _show(game: Game, table: Table) -> None:
    view, empty = game.view(table), game.view(Table(game.new_state(), table.content))
    game.changes(empty, view)
    game.sheet_changes(empty, view)
    for tell in (game.prompt, game.phase, game.step, game.standing, game.ahead):
        tell(table)
    if (open_ := table.state.open) is not None:
        game.question(open_.request, table)
        game.help(open_.request)
