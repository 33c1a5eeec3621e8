"""Finding what a player meant: by id, by shown name, or by how one of its words begins."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from kdmlog.core.errors import BadInput, UnknownName
from kdmlog.core.text import hidden

_DROP = r"['’!?.]"
SHOWN = 6
"""Known names that a refusal tells."""
LONGEST = 200
"""Characters of a name that are compared with those of others; a megabyte would take seconds."""
_GAP = r"[^\w#]+"


def slug(text: str) -> str:
    """Returns ``text`` as an id: lower case, no accents, words joined by ``_``."""
    if not text.isascii():
        import unicodedata  # seldom needed, and every command would pay for it

        parts = unicodedata.normalize("NFKD", text)
        text = "".join(char for char in parts if not unicodedata.combining(char))
    return re.sub(_GAP, "_", re.sub(_DROP, "", text.strip().lower())).strip("_")


def branch_name(name: str) -> str:
    """Returns the name, if a branch may be called so. Raises BadInput."""
    if not name or any(char.isspace() for char in name) or name.startswith("-") or hidden(name):
        raise BadInput("A branch's name is one word.", hints=["branch what-if"])
    if len(name) > LONGEST:
        raise BadInput(f"A branch's name has at most {LONGEST} characters.")
    from kdmlog.core.positions import parse_position  # here: few commands name a branch

    try:
        parse_position(name)
    except BadInput:
        return name
    raise BadInput(
        f"{name} is a place in the history, so no branch may be called so.",
        hints=["branch what-if"],
    )


def match(word: str, candidates: Mapping[str, str], what: str) -> str:
    """Returns the id among ``candidates`` (id to shown name) that ``word`` names.

    Raises UnknownName with the nearest three, or with those among which it is ambiguous.
    """
    if word in candidates:
        return word
    key = slug(word)
    for fits in (_same, _id_starts, _name_starts, _word_starts):
        found = [
            id_ for id_, name in candidates.items() if key and fits(key, slug(id_), slug(name))
        ]
        if len(found) == 1:
            return found[0]
        if found:
            raise UnknownName(
                f"{word!r} could be any of {_few(found)}.",
                code="ambiguous",
                hints=["say more of it"],
                data={"given": word, "candidates": found},
            )
    near = nearest(key, [*candidates, *map(slug, candidates.values())])
    near = list(dict.fromkeys(_owner(one, candidates) for one in near))
    raise UnknownName(
        f"No {what} {word!r}.",
        hints=[f"{_list(near)}?" if near else _some(candidates)],
        data={"given": word, "candidates": near},
    )


def nearest(word: str, known: Iterable[str], count: int = 3) -> list[str]:
    """Returns up to ``count`` known words that look most like ``word``."""
    import difflib  # here, not above: most commands never misspell anything

    known = [one for one in dict.fromkeys(known) if len(one) <= LONGEST]
    return difflib.get_close_matches(word[:LONGEST], known, n=count, cutoff=0.6)


def _same(key: str, id_: str, name: str) -> bool:
    return key in (id_, name)


def _id_starts(key: str, id_: str, _name: str) -> bool:
    return _begins(id_, key)


def _name_starts(key: str, _id: str, name: str) -> bool:
    return _begins(name, key)


def _begins(text: str, key: str) -> bool:
    """Returns whether a text begins so; 1 does not begin 13."""
    return text.startswith(key) and not (key[-1].isdigit() and text[len(key) :][:1].isdigit())


def _word_starts(key: str, id_: str, name: str) -> bool:
    return any(f"_{key}" in text for text in (id_, name))


def _owner(word: str, candidates: Mapping[str, str]) -> str:
    return next((id_ for id_, name in candidates.items() if word in (id_, slug(name))), word)


def _some(candidates: Mapping[str, str]) -> str:
    return f"known: {_few(list(candidates))}" if candidates else "none is known yet"


def _few(names: list[str]) -> str:
    return _list([*names[:SHOWN], *(["…"] if len(names) > SHOWN else [])])


def _list(words: list[str]) -> str:
    return ", ".join(words)
