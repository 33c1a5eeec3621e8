"""What players call figures of the public state: ``bone``, ``population``, ``lucy.survival``."""

from __future__ import annotations

from kdmlog.core.errors import UnknownName
from kdmlog.core.game import Table
from kdmlog.core.names import match
from kdmlog.games.kdm import views
from kdmlog.games.kdm.content import Gear, Resource

SHEET = views.Settlement.__struct_fields__
STORED = views.Storage.__struct_fields__
_STORAGE = ("settlement", "storage")


def figure(name: str, table: Table) -> str:
    """Returns the path that a name means.

    Besides paths it takes figures of the settlement, resources, their types and gear for how many
    are in storage, and a survivor's name in place of ``survivors.NAME``. Of one id with several
    meanings the first of these counts. Raises UnknownName for a word that could mean several, for
    one that means nothing, and for a path to something that cannot lie in storage.
    """
    first, *rest = name.strip().split(".")
    if _begins(first):
        return _path(name, table)
    if not rest:
        return _single(first, table)
    who = {id_: one.name or id_ for id_, one in table.state.survivors.items()}
    return ".".join(("survivors", match(first, who, "survivor or part of the state"), *rest))


def _begins(word: str) -> bool:
    """Returns whether a path begins so: with a part of the state, in full or shortened."""
    try:
        match(word, {part: part for part in views.State.__struct_fields__}, "part of the state")
    except UnknownName as error:
        return error.code == "ambiguous"
    return True


def _path(path: str, table: Table) -> str:
    """Returns a path; what it names in storage must be something that can lie there."""
    steps = path.strip().split(".")
    if len(steps) != 4:
        return path
    for at, parts in enumerate((views.State.__struct_fields__, SHEET, STORED)):
        try:
            steps[at] = match(steps[at], {part: part for part in parts}, "part of the state")
        except UnknownName:
            return path
        if at < 2 and steps[at] != _STORAGE[at]:
            return path
    return ".".join((*steps[:3], match(steps[3], _stored(steps[2], table), steps[2])))


def _single(word: str, table: Table) -> str:
    """Returns the path of a figure that is named by one word."""
    paths = {one: f"settlement.{one}" for one in SHEET if one != "storage"}
    names = {one: one for one in paths}
    for part in STORED:
        for id_, shown in _stored(part, table).items():
            paths.setdefault(id_, ".".join((*_STORAGE, part, id_)))
            names.setdefault(id_, shown)
    for id_, survivor in table.state.survivors.items():
        paths.setdefault(id_, f"survivors.{id_}")
        names.setdefault(id_, survivor.name or id_)
    return paths[match(word, names, "figure")]


def _stored(part: str, table: Table) -> dict[str, str]:
    """Returns what may lie in a part of the storage, by id, with its name."""
    there = {id_: id_ for id_ in getattr(views.view(table).settlement.storage, part)}
    if part == "types":
        records = table.content.all(Resource).values()
        return there | {one: one for record in records for one in record.types}
    kind = Resource if part == "resources" else Gear
    return there | {id_: record.name for id_, record in table.content.all(kind).items()}
