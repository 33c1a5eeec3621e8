"""Content packs: what is in them, whether they are well, and how much of it plays by itself."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from kdmlog.cli import say
from kdmlog.cli.build import to_click
from kdmlog.cli.call import Call, current
from kdmlog.cli.kdm_documents import (
    Checked,
    CheckedPack,
    Covered,
    Example,
    ListedPack,
    ListedRecord,
    Packs,
    ShownRecord,
)
from kdmlog.core.errors import ContentError, Refused, UnknownName, UsageError
from kdmlog.core.game import Game
from kdmlog.core.names import match
from kdmlog.core.text import words
from kdmlog.packs.coverage import coverage, scripted, unwritten
from kdmlog.packs.findings import PackError
from kdmlog.packs.installed import builtin, ordered, packs_in, sheet_example
from kdmlog.packs.library import Library
from kdmlog.packs.load import load_pack
from kdmlog.packs.pack import Pack, canonical
from kdmlog.session.games import find_game

USUAL_GAME = "kdm"
"""Whose packs are meant where no campaign says so."""
SHORT_HASH = 12
NO_STEPS = (
    "Without steps a record counts as scripted; what its note says beside its figures may "
    "be the players' to apply."
)

Kind = Annotated[str | None, typer.Argument(help="a kind of record, such as gear")]


def content_list(kind: Kind = None) -> None:
    """List the packs, or the records of a kind."""
    call = current()
    game, library = _in_force(call)
    if kind is not None:
        _list_kind(call, library, _kind(game, kind))
        return
    counts = {name: len(library.ids(type_)) for name, type_ in library.kinds.items()}
    packs = [
        ListedPack(meta.id, meta.title, meta.version, hash_)
        for meta, hash_ in zip(library.metas, library.hashes, strict=True)
    ]
    if call.json:
        say.as_json(Packs(packs, counts))
        return
    from kdmlog.cli import tables

    rows = [(one.id, one.version, one.title, f"{one.hash[:SHORT_HASH]}…") for one in packs]
    tables.draw(tables.listing(("Pack", "Version", "Title", "Hash"), rows, right=("Version",)))
    kinds = [(name, count) for name, count in counts.items() if count]
    tables.draw("", tables.listing(("Kind", "Records"), kinds, right=("Records",)))


def _list_kind(call: Call, library: Library, kind: str) -> None:
    type_ = library.kinds[kind]
    found = [
        ListedRecord(id_, _name(one), library.pack_of(type_, id_) or "")
        for id_, one in library.all(type_).items()
    ]
    if call.json:
        say.as_json(found)
        return
    if not found:
        say.line(f"There is no {words(kind)}.")
        return
    from kdmlog.cli import tables

    tables.draw(
        tables.listing(("Id", "Name", "Pack"), [(one.id, one.name, one.pack) for one in found])
    )


def content_show(
    word: Annotated[list[str], typer.Argument(help="a record: id, name, or KIND:ID")],
    kind: Annotated[str | None, typer.Option(help="only records of this kind")] = None,
) -> None:
    """Show a record."""
    call = current()
    game, library = _in_force(call)
    found_kind, id_ = _find(library, " ".join(word), None if kind is None else _kind(game, kind))
    type_ = library.kinds[found_kind]
    record, pack = library.get(type_, id_), library.pack_of(type_, id_) or ""
    fields = msgspec.to_builtins(record, str_keys=True)
    if call.json:
        say.as_json(ShownRecord(found_kind, id_, pack, fields))
        return
    say.line(f"{found_kind} {id_}  ·  pack {pack}")
    from kdmlog.cli.tables import width

    for line in yaml_lines(fields, width()):
        say.line(line)


def _find(library: Library, word: str, kind: str | None) -> tuple[str, str]:
    """Returns the kind and id of a record. Raises UnknownName, also when it is in two kinds."""
    before, colon, after = word.partition(":")
    if colon and kind is None and before in library.kinds:
        kind, word = before, after
    kinds = [kind] if kind is not None else list(library.kinds)
    names: dict[str, str] = {}
    owners: dict[str, list[str]] = {}
    for one in kinds:
        for id_, record in library.all(library.kinds[one]).items():
            names.setdefault(id_, _name(record))
            owners.setdefault(id_, []).append(one)
    found = match(word, names, words(kind) if kind else "record")
    if len(owners[found]) > 1:
        raise UnknownName(
            f"{found} is the id of several records: {', '.join(owners[found])}.",
            code="ambiguous",
            hints=[f"content show {found} --kind {one}" for one in owners[found]],
            data={"given": word, "candidates": [f"{one}:{found}" for one in owners[found]]},
        )
    return owners[found][0], found


# --- check ----------------------------------------------------------------------------------------


def content_check(
    path: Annotated[str | None, typer.Argument(help="a pack's folder (default: ours)")] = None,
) -> None:
    """Check a pack's files."""
    call = current()
    if call.given:
        raise UsageError(f"{call.given[0]} goes with commands that write.")
    game = find_game(USUAL_GAME)
    checked: list[CheckedPack] = []
    broken: list[ContentError] = []
    for folder in [Path(path).expanduser()] if path else builtin(game.id).values():
        try:
            pack = _checked(folder, game)
        except PackError as error:
            if any(one.pack == error.pack for one in checked):
                continue  # it is needed by another one, too
            checked.append(CheckedPack(error.pack, None, error.findings))
            error.hints = error.hints[:1]  # the others are printed in full
            broken.append(error)
            continue
        records = sum(map(len, pack.records.values()))
        checked.append(CheckedPack(pack.id, records, []))
    if call.json:
        say.as_json(Checked(checked))
    else:
        for one in checked:
            for finding in one.findings:
                say.line(str(finding))
            if not one.findings:
                say.line(f"{one.pack}: {one.records} records, all well.")
    if broken:
        raise broken[0]


def _checked(folder: Path, game: Game) -> Pack:
    """Returns a folder's pack, checked on top of the packs it needs. Raises PackError."""
    pack = load_pack(folder, game.kinds, game=game.id)
    known = packs_in(folder.resolve().parent) | builtin(game.id)
    below = _needed(pack, {id_: one for id_, one in known.items() if id_ != pack.id}, game)
    return load_pack(folder, game.kinds, game=game.id, below=below, check=game.check)


def _needed(pack: Pack, known: dict[str, Path], game: Game) -> list[bytes]:
    """Returns the packs that a pack needs, as kept, in their order. Raises ContentError."""
    packs = {pack.id: pack}
    waiting = list(pack.needs)
    while waiting:
        id_ = waiting.pop()
        if id_ in known and id_ not in packs:
            packs[id_] = load_pack(known[id_], game.kinds, game=game.id)
            waiting += packs[id_].needs
    order = ordered({id_: one.needs for id_, one in packs.items()})
    return [canonical(packs[id_]) for id_ in order if id_ != pack.id]


# --- coverage -------------------------------------------------------------------------------------


def content_coverage() -> None:
    """Count scripted, assisted and missing records."""
    call = current()
    _, library = _in_force(call)
    counts = coverage(library, scripted)
    missing = _missing(library)
    for kind, count in unwritten(library).items():
        counts[kind].missing += max(count, len(missing.get(kind, [])))
    if call.json:
        say.as_json(Covered(counts, missing))
        return
    from kdmlog.cli import tables

    figures = ("Scripted", "Assisted", "Missing", "Total")
    rows: list[tuple[object, ...]] = [
        (kind, one.scripted, one.assisted, one.missing, one.total)
        for kind, one in counts.items()
        if one.total
    ]
    rows.append(("all", *(sum(int(str(row[n])) for row in rows) for n in range(1, 5))))
    tables.draw(tables.listing(("Kind", *figures), rows, right=figures))
    named = [(f"Missing {words(kind)}", ", ".join(ids)) for kind, ids in missing.items() if ids]
    if named:
        tables.draw("", tables.pairs(named))
    tables.draw("", NO_STEPS)


def _missing(library: Library) -> dict[str, list[str]]:
    """Returns the story events that a milestone or a year names and no record describes."""
    kinds = library.kinds
    if not {"story_event", "milestone", "timeline"} <= kinds.keys():
        return {}
    named: list[str] = []
    for year in library.all(kinds["timeline"]).values():
        named += [*getattr(year, "story", ()), *getattr(year, "settlement", ())]
    for milestone in library.all(kinds["milestone"]).values():
        named.append(getattr(milestone, "event", ""))
    known = set(library.ids(kinds["story_event"]))
    return {"story_event": [one for one in dict.fromkeys(named) if one and one not in known]}


# --- paper sheets ---------------------------------------------------------------------------------


def content_sheet(
    game: Annotated[str, typer.Option(help="the game")] = USUAL_GAME,
) -> None:
    """Print an example of the paper sheets that new --from takes over."""
    call = current()
    if call.given:
        raise UsageError(f"{call.given[0]} goes with commands that write.")
    found = find_game(game)
    path = sheet_example(found.id)
    if path is None:
        raise Refused(f"{found.title} comes with no example.")
    text = path.read_text(encoding="utf-8")
    if call.json:
        say.as_json(Example(found.id, text))
        return
    for line in text.splitlines():
        say.line(line)


# --- the packs meant ------------------------------------------------------------------------------


def _in_force(call: Call) -> tuple[Game, Library]:
    """Returns the campaign's game and content; while there is no campaign, what comes built in."""
    try:
        session = call.reading()
    except Refused as error:
        if error.code != "no_campaign" or call.campaign is not None:
            raise
        game = find_game(USUAL_GAME)
        return game, _built_in(game)
    table = session.table if call.at is None else session.at(call.at)
    return session.game, table.content


def _built_in(game: Game) -> Library:
    folders = builtin(game.id)
    packs = [load_pack(folders[id_], game.kinds, game=game.id) for id_ in game.packs]
    return Library([canonical(pack) for pack in packs], game.kinds)


def _kind(game: Game, word: str) -> str:
    """Returns the kind that a word names, in the plural, too. Raises UnknownName."""
    return match(word, {kind: _plural(words(kind)) for kind in game.kinds}, "kind of record")


def _plural(word: str) -> str:
    if word == "gear":
        return word
    return f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"


def _name(record: msgspec.Struct) -> str:
    return str(getattr(record, "name", ""))


# --- fields as text -------------------------------------------------------------------------------

_BARE = re.compile(r"[A-Za-z_(][^\x00-\x1f\x7f-\x9f]*")
_MARKS = (": ", " #", ",", "[", "]", "{", "}")
_RANGE = re.compile(r"\d+(-\d+|\+|-|d\d+)", re.ASCII)
"""A range or dice, such as ``1-3``, ``9+`` or ``1d10``: no number, so it needs no quotes."""
_WORDS_OF_YAML = {"true", "false", "null", "~", ".inf", ".nan"}


def yaml_lines(fields: dict[str, Any], width: int) -> list[str]:
    """Returns a record's fields as they could stand in a pack's file."""
    return list(_mapping(fields, "", width))


def _mapping(fields: dict[str, Any], indent: str, width: int) -> Iterator[str]:
    for key, value in fields.items():
        head = f"{indent}{_key(key)}:"
        short = f"{head} {_flow(value)}"
        if _is_short(value) and len(short) <= width:
            yield short
        elif isinstance(value, dict):
            yield head
            yield from _mapping(value, f"{indent}  ", width)
        elif isinstance(value, list):
            yield head
            for item in value:
                yield from _item(item, indent, width)
        else:
            yield from _wrapped(f"{head} ", _scalar(value), f"{indent}  ", width)


def _item(item: Any, indent: str, width: int) -> Iterator[str]:
    short = f"{indent}- {_flow(item)}"
    verb = isinstance(item, dict) and len(item) == 1
    if _is_short(item) and len(short) <= width and not verb:
        yield short
    elif isinstance(item, dict):
        first, *others = _mapping(item, f"{indent}  ", width)
        yield f"{indent}- {first.lstrip()}"
        yield from others
    elif isinstance(item, list):
        yield f"{indent}-"
        for one in item:
            yield from _item(one, f"{indent}  ", width)
    else:
        yield from _wrapped(f"{indent}- ", _scalar(item), f"{indent}  ", width)


def _wrapped(head: str, text: str, indent: str, width: int) -> list[str]:
    """Returns a long text over several lines; a break inside it is read as a space again."""
    wrapped = textwrap.wrap(
        text,
        max(width, 40),
        initial_indent=head,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return wrapped or [head.rstrip()]


def _is_short(value: Any) -> bool:
    """Returns whether a value reads well on one line: nothing stands in what stands in it."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return not any(isinstance(one, (dict, list)) and one for one in inner)


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_key(k)}: {_flow(v)}' for k, v in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    return _scalar(value)


def _key(key: str) -> str:
    return key if key.isascii() and key.isdigit() else _scalar(key)


def _scalar(value: Any) -> str:
    """Returns a scalar as YAML reads it; text that would be something else stands in quotes."""
    if value is None or isinstance(value, (bool, int, float)):
        return msgspec.json.encode(value).decode()
    text = str(value)
    plain = _BARE.fullmatch(text) and not any(mark in text for mark in _MARKS)
    ends = text != text.strip() or text.endswith(":") or text.lower() in _WORDS_OF_YAML
    if (plain and not ends) or _RANGE.fullmatch(text):
        return text
    return msgspec.json.encode(text).decode()


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    return to_click(globals()[name], command)
