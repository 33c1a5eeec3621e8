"""Checks that a game is whole, and that its rules suspend and resume without a trace.

``check(game, scripts)`` is all there is to call. A script is a list of (action, inputs) that must
play through in a fresh campaign without a question left open; ``improvise`` makes one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from kdmlog.core import events as e
from kdmlog.core.actions import CORE_ACTIONS
from kdmlog.core.dice import parse
from kdmlog.core.errors import Refused, RulesChanged
from kdmlog.core.fingerprint import fingerprint
from kdmlog.core.game import Action, Game
from kdmlog.core.inputs import PASS, Inputs
from kdmlog.core.requests import Ask, Choose, Draw, Field, Fill, Opportunity, Roll
from kdmlog.session import NewOptions, Session, new_campaign, open_session
from kdmlog.session.answers import copied
from kdmlog.session.games import register
from kdmlog.session.states import States

Step = tuple[Action, Inputs]
Script = Sequence[Step]


def check(game: Game, scripts: Sequence[Script], *, nudge: str, seed: str = "conformance") -> None:
    """Checks a game; ``nudge`` is the path of a figure that can be adjusted at any time."""
    register(game)
    check_tables(game)
    for script in scripts:
        check_script(game, script, nudge, seed)


def improvise(
    game: Game, actions: Sequence[Action], *, seed: str = "conformance", taking: bool = False
) -> Script:
    """Returns the script of a game in which each question gets its default or first answers.

    With ``taking``, opportunities are taken by the first who can, not passed. Actions that the
    rules refuse are left out.
    """
    register(game)
    script: list[Step] = []
    with _campaign(game, seed) as db, open_session(db) as session:
        for action in actions:
            try:
                result = session.perform(action)
                while result.open is not None:
                    result = session.answer([], _first(result.open, taking))
            except RulesChanged:
                raise
            except Refused:
                while session.open is not None:
                    session.undo()
                continue
            script.append((action, _given(session.entry(session.log(1)[0].number).events)))
    return script


def _first(asked: Ask, taking: bool) -> Inputs:
    match asked:
        case Choose() if asked.default is None:
            picked = [option.id for option in asked.options[: asked.least]]
            return Inputs(choices=[",".join(picked) or "none"])
        case Opportunity() if taking and asked.options:
            return Inputs(choices=[asked.options[0].id])
        case Fill():
            values = {field.name: _least(field) for field in asked.fields if field.default is None}
            return Inputs(fills=[values])
    return Inputs()


def _least(field: Field) -> str:
    return str(field.least or 0) if field.kind == "int" else ""


def _given(events: list[e.Event]) -> Inputs:
    """Returns the choices and values that answered an action's questions."""
    given = Inputs()
    for event in events:
        if isinstance(event, e.Chosen) and not _of_nobody(event):
            given.choices.append(",".join(event.picked) or "none")
        elif isinstance(event, e.Filled):
            given.fills.append({name: _typed(value) for name, value in event.values.items()})
    return given


def _typed(value: int | str | list[str]) -> str:
    return ";".join(value) if isinstance(value, list) else str(value)


def check_tables(game: Game) -> None:
    """Every event folds, every action has a procedure, nothing is orphaned, states begin equal."""
    assert set(game.folds) == set(game.events), "an event without a fold, or a fold without one"
    assert len(set(game.all_events)) == len(game.all_events), "an event is listed twice"
    for kinds in (game.all_events, (*CORE_ACTIONS, *game.plays)):
        tags = [str(type_.__struct_config__.tag) for type_ in kinds]
        assert len(set(tags)) == len(tags), "two kinds share their name"
    for event in game.events:
        kind = str(event.__struct_config__.tag)
        assert kind.startswith(f"{game.id}."), f"{kind} is not in the game's namespace"
        assert event.__doc__ and event.__struct_config__.frozen, f"{kind} is not as events are"
    for action, play in game.plays.items():
        assert callable(play.procedure), f"{action.__name__} has no procedure"
        assert action.__doc__, f"{action.__name__} has no help"
        assert set(action.positional) <= set(action.__struct_fields__), action.__name__
    defined = set(_below(Action, game)) - set(game.plays)
    assert not defined, f"actions without a procedure: {defined}"
    assert not set(_below(e.Event, game)) - set(game.events), "an event that is not listed"
    first, second = game.new_state(), game.new_state()
    assert first is not second and fingerprint(first) == fingerprint(second)


def check_script(game: Game, script: Script, nudge: str, seed: str) -> None:
    """The facts are the same in one go, answer by answer, and with things slipped in between."""
    with _campaign(game, seed) as db:
        whole = [_in_one_go(db, step) for step in script]
        _check_fold(db)
    slips = (None, "note", f"{nudge}+0", "roll")
    for flows in (False, True):
        for slip in slips:
            if flows and slip:
                continue
            with _campaign(game, seed, asking=True) as db:
                for (action, inputs), facts in zip(script, whole, strict=True):
                    found = _answer_by_answer(db, action, inputs, slip, flows)
                    assert _same(found, facts), _difference(action, found, facts)
                _check_fold(db)
    for value in ("+1", "-1"):
        with _campaign(game, seed, asking=True) as db:
            _nudged(db, script, nudge, value)
            _check_fold(db)


def _in_one_go(db: Path, step: Step) -> list[e.Event]:
    action, inputs = step
    with open_session(db) as session:
        result = session.perform(action, copied(inputs))
        assert result.open is None, f"{action} was left open: {result.open}"
        _check_text(result.events)
        return result.events


def _answer_by_answer(
    db: Path, action: Action, inputs: Inputs, slip: str | None, flows: bool
) -> list[e.Event]:
    """Plays an action in as many sessions as it asks questions; returns its own facts."""
    rest = copied(inputs)
    with open_session(db) as session:
        result = session.perform(action, Inputs(flows=flows))
        number = result.number
    while result.open is not None:
        with open_session(db) as session:
            if slip:
                _slip(session, slip)
        with open_session(db) as session:
            given = _taken(rest, result.open)
            given.flows = flows
            result = session.answer([], given)
            _check_text(result.events)
    with open_session(db) as session:
        return session.entry(number).events


def _slip(session: Session, what: str) -> None:
    if what == "note":
        session.note("slipped in")
    elif what == "roll":
        session.roll("d10", inputs=Inputs(dice=["5"]))
    else:
        session.adjust(what[:-2], what[-2:], "slipped in")


def _nudged(db: Path, script: Script, nudge: str, value: str) -> None:
    """Changes a figure at each question: what was recorded must follow nevertheless."""
    for action, inputs in script:
        rest = copied(inputs)
        try:
            with open_session(db) as session:
                result = session.perform(action)
            while result.open is not None:
                with open_session(db) as session, suppress(Refused):  # at its bound
                    session.adjust(nudge, value, "slipped in")
                with open_session(db) as session:
                    result = session.answer([], _taken(rest, result.open))
        except RulesChanged:
            raise
        except Refused:
            return  # the script was written for other figures


def _taken(rest: Inputs, asked: Ask) -> Inputs:
    """Returns what the script gives for this question; ``answer`` fills in a bare ⏎."""
    given = Inputs()
    match asked:
        case Roll() if rest.dice:
            one = copied(rest)
            one.take_faces(parse(asked.dice))
            used = len(rest.dice) - len(one.dice)
            given.dice, rest.dice = rest.dice[:used], rest.dice[used:]
        case Draw() if rest.draws:
            used = 1 if rest.draws[0] == "app" else asked.count
            given.draws, rest.draws = rest.draws[:used], rest.draws[used:]
        case Opportunity() if not asked.options:
            given.choices = [PASS]
        case Choose() | Opportunity() if rest.choices:
            given.choices, rest.choices = rest.choices[:1], rest.choices[1:]
        case Fill() if rest.fills:
            given.fills, rest.fills = rest.fills[:1], rest.fills[1:]
    return given


def _same(found: list[e.Event], facts: list[e.Event]) -> bool:
    ours = [one for one in found if not isinstance(one, e.Asked) and not _of_nobody(one)]
    return _bodies(ours) == _bodies([one for one in facts if not _of_nobody(one)])


def _of_nobody(event: e.Event) -> bool:
    return isinstance(event, e.Chosen) and event.offered == (PASS,)


def _difference(action: Action, found: list[e.Event], facts: list[e.Event]) -> str:
    lines = [f"{action}: in one go"]
    lines += [f"  {body}" for body in _bodies(facts)]
    lines += ["answer by answer", *(f"  {body}" for body in _bodies(found))]
    return "\n".join(lines)


def _check_text(events: list[e.Event]) -> None:
    """A fact must be itself again when it is read back."""
    for event in events:
        again = msgspec.json.decode(msgspec.json.encode(event), type=type(event))
        assert again == event, f"{event} is read back as {again}"


def _check_fold(db: Path) -> None:
    """The state is a fold of the log, and a copy or snapshot of it is equal."""
    with open_session(db) as session:
        state = session.table.state
        states = States(session.ledger, session.game, session.codec)
        assert fingerprint(states.copy(state)) == fingerprint(state)
        full = session.game.new_state()
        session.codec.fold(full, session.ledger.batches(session.head))
        assert fingerprint(full) == fingerprint(state)
        session.view()
        for entry in session.log():
            assert not isinstance(entry.action, dict), entry.action
        assert session.verify() == []


@contextmanager
def _campaign(game: Game, seed: str, *, asking: bool = False) -> Iterator[Path]:
    options = NewOptions(seed=seed, ask_dice=asking, table_cards=asking)
    with TemporaryDirectory() as folder:
        db = Path(folder) / "conformance.db"
        session, result = new_campaign(db, "Conformance", game=game.id, options=options)
        session.close()
        asked = result.open
        while asked is not None:
            with open_session(db) as session:
                asked = session.answer([]).open
        yield db


def _bodies(events: list[e.Event]) -> list[str]:
    return [msgspec.json.encode(event).decode() for event in events]


def _below(base: type[Any], game: Game) -> Iterator[type[Any]]:
    """Yields the kinds that the game's own modules define under ``base``."""
    package = type(game.new_state()).__module__.rpartition(".")[0] or (
        type(game.new_state()).__module__
    )
    for kind in base.__subclasses__():
        yield from _below(kind, game)
        module = kind.__module__
        concrete = kind.__struct_config__.tag not in (None, kind.__name__)
        if concrete and (module == package or module.startswith(f"{package}.")):
            yield kind
