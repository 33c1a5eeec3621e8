"""What a line typed in ``play`` or a script means: commands by their shortest words."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache

import msgspec

from kdmlog.cli.call import HELP, takes_value
from kdmlog.cli.table import COMMANDS, Entry
from kdmlog.core.errors import KdmlogError, NotNow, UsageError
from kdmlog.core.game import Action, Line
from kdmlog.core.inputs import SPACE
from kdmlog.core.names import nearest
from kdmlog.session import Session
from kdmlog.session.answers import grouped, open_question

NO_COMMAND = "No command"
_NOTE = re.compile(
    r"""^(?P<note>\s*(?:kdmlog\s+)?note\s+)(?P<said>[^\s;#"'-][^;#]*?)(?=\s*(?:[;#]|\s-[-bc]|$))"""
)
"""A line that begins with a note not in quotes: neither an apostrophe nor a blank is a sign."""


def commands(words: list[str], session: Session | None) -> Iterator[Line]:
    """Yields the commands of a line's words, one after the other: each is read when its turn comes.

    They stand apart by ``;``. Raises UsageError for a word that is no command.
    """
    parts = list(_parts(words))
    for number, part in enumerate(parts, 1):
        lines = None
        if session is not None and part[0] not in COMMANDS:
            lines = session.game.shorthand(session.table, part)
        *before, last = lines or [_now(part, session)]
        yield from (msgspec.structs.replace(one, more=True) for one in before)
        yield msgspec.structs.replace(last, more=number < len(parts))


def split(text: str) -> list[str]:
    """Returns a line's words and its ``;``, without a comment (``#``).

    The words of a note are taken as typed. Raises UsageError for an open quote.
    """
    lexer = shlex.shlex(_NOTE.sub(_as_typed, text), posix=True, punctuation_chars=";")
    lexer.whitespace_split = True
    try:
        words = list(lexer)
    except ValueError as error:
        raise UsageError(f"{error}.") from None
    return words[1:] if words[:1] == ["kdmlog"] else words


def _as_typed(found: re.Match[str]) -> str:
    """Returns a note with what it says in quotes."""
    return found["note"] + shlex.quote(found["said"])


def _parts(words: list[str]) -> Iterator[list[str]]:
    """Yields the words of each command."""
    part: list[str] = []
    for word in [*words, ";"]:
        if word and set(word) == {";"}:
            if part:
                yield part
            part = []
        else:
            part.append(word)


def _now(words: list[str], session: Session | None) -> Line:
    """Spells out the command. Raises NotNow for one that is not for this moment, however short."""
    try:
        return _command(words, session)
    except UsageError as error:
        if session is None or not error.message.startswith(NO_COMMAND):
            raise
        asked, table = session.open, session.table
        if asked is not None:
            raise open_question(asked, session.game.question(asked.request, table)) from None
        if found := meant(words[0]):
            what = f"{words[0]} is {' or '.join(' '.join(path) for path in found)}"
            if not set(HELP).isdisjoint(words):
                which = [f"{' '.join(path)} --help" for path in found]
                raise UsageError(f"{what}.", hints=which) from None
        elif _is_named(words[0], session):
            what = f"{words[0]} cannot act"
        else:
            error.hints = _people(words[0], session) or error.hints
            raise
        phase, ready = session.game.phase(table), session.ready()
        raise NotNow(
            f"Not now: {phase}; {what}.",
            hints=grouped(ready),
            data={"phase": phase, "ready": ready},
        ) from None


def _is_named(word: str, session: Session) -> bool:
    try:
        return bool(session.game.named(word, session.table)) and len(word) > 1
    except KdmlogError:
        return False


def _people(word: str, session: Session) -> list[str]:
    """Returns a hint at those whose name is nearly the word."""
    try:
        session.game.named(word, session.table)
    except KdmlogError as error:
        near = error.data.get("candidates")
        if isinstance(near, list) and near:
            return [f"{_names(near)}?"]
    return []


def short(ready: Collection[str]) -> list[str]:
    """Returns how the commands that are ready are typed shortest: ``mt: monster turn``."""
    found = {
        path: word
        for path in paths()
        if any(leads(path, line) for line in ready)
        for word in (path[-1], _initials(path))
        if word not in COMMANDS and _shortened(word, ready) == path
    }
    return [f"{word}: {' '.join(path)}" for path, word in found.items()]


def meant(word: str) -> list[tuple[str, ...]]:
    """Returns the commands of which a word is the second word or the first letters."""
    word = word.lower()
    return [path for path in paths() if word in (path[-1], _initials(path))]


def _command(words: list[str], session: Session | None) -> Line:
    """Spells out the command, and parts its own words from the loose ones behind them."""
    # What is ready costs as much as the command itself, and only counts for a short word.
    ready = () if session is None or _in_full(words) else session.ready()
    path, rest = spelt(words, ready)
    action = _action(" ".join(path), session)
    if action is None:
        return Line([*path, *rest])
    own, loose = _own(action, rest)
    return Line([*path, *own], loose)


def _in_full(words: list[str]) -> bool:
    entry = COMMANDS.get(words[0])
    return entry is not None and (not entry.group or words[1:2] == [] or words[1] in entry.group)


def spelt(words: list[str], ready: Collection[str] = ()) -> tuple[list[str], list[str]]:
    """Returns the command that the first words mean, in full, and the words behind it.

    A command is meant by its name, by a beginning that only it has, by its second word (``craft``),
    or by the first letters of its words (``mt``, ``et``); of several, by the one that is ``ready``.
    Raises UsageError for anything else.
    """
    first = words[0].lower()
    if first not in COMMANDS:
        if path := _shortened(first, ready):
            return list(path), words[1:]
        first = _beginning(first, COMMANDS, [], ready)
    entry = COMMANDS[first]
    if not entry.group:
        return [first], words[1:]
    if len(words) == 1 or words[1].startswith("-"):
        if len(words) == 1 and len(entry.group) > 1:
            raise UsageError(f"{first} what?", hints=[_names(entry.group)])
        alone = list(entry.group) if len(entry.group) == 1 else []
        return [first, *alone], words[1:]
    return [first, _beginning(words[1].lower(), entry.group, [first], ready)], words[2:]


def _shortened(word: str, ready: Collection[str]) -> tuple[str, ...]:
    """Returns the command of which a word is the second word or the first letters, or nothing."""
    inner = [path for path in paths() if path[-1] == word]
    initials = [path for path in paths() if _initials(path) == word]
    return _only(inner, ready) or _only(initials, ready)


def _only(paths: list[tuple[str, ...]], ready: Collection[str]) -> tuple[str, ...]:
    """Returns the one path, or the one of several that is ready; empty when there is none such."""
    legal = [path for path in paths if any(leads(path, line) for line in ready)]
    for some in (paths, legal):
        if len(some) == 1:
            return some[0]
    return ()


def leads(path: tuple[str, ...], line: str) -> bool:
    """Returns whether a line begins with the words of a command."""
    return line.split()[: len(path)] == list(path)


def paths() -> Iterator[tuple[str, ...]]:
    """Yields the commands that have a short form: those of a group, and those of several words."""
    for name, entry in COMMANDS.items():
        if entry.group:
            yield from ((name, inner) for inner in entry.group)
        elif "-" in name:
            yield (name,)


def _initials(path: tuple[str, ...]) -> str:
    return "".join(part[0] for word in path for part in word.split("-"))


def _beginning(
    word: str, table: Mapping[str, Entry], before: list[str], ready: Collection[str]
) -> str:
    """Returns the one name that begins with the word, or the one of several that is ready."""
    if word in table:
        return word
    found = [name for name in table if name.startswith(word)]
    if path := _only([(*before, name) for name in found], ready):
        return path[-1]
    said = " ".join([*before, word])
    if found:
        raise UsageError(f"{said!r} could be {_names(found)}.", hints=["say more of it"])
    known = [*table, *(() if before else (path[-1] for path in paths()))]
    if near := nearest(word, known):
        hint = f"{_names(near)}?"
    else:
        hint = _names(table) if before else "do lists what can be done"
    raise UsageError(f"{NO_COMMAND} {said!r}.", hints=[hint])


def _names(names: Iterable[str]) -> str:
    return ", ".join(names)


def _action(path: str, session: Session | None) -> type[Action] | None:
    return session.codec.play_named(path) if session is not None else None


@cache
def _fields(action: type[Action]) -> dict[str, msgspec.structs.FieldInfo]:
    return {field.name: field for field in msgspec.structs.fields(action)}


def _own(action: type[Action], words: list[str]) -> tuple[list[str], list[str]]:
    """Parts the words that are the action's fields and options from those behind them."""
    fields = _fields(action)
    places = list(action.positional)
    own: list[str] = []
    rest = list(words)
    while rest:
        word = rest[0]
        if takes_value(word):
            taken = 2
        elif word.startswith("--"):
            field = fields.get(word[2:].partition("=")[0].replace("-", "_"))
            flag = field is None or field.default is False or "=" in word
            taken = 1 if flag else 2
        elif places:
            type_ = str(fields[places[0]].type)
            if "int" in type_ and re.fullmatch(SPACE, word):
                rest[:1] = re.split("[-, ]", word)
            if "list" not in type_:
                places.pop(0)
            taken = 1
        else:
            break
        own += rest[:taken]
        rest = rest[taken:]
    return own, rest
