"""Other names for people: the same one for the same name wherever it stands."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from kdmlog.core.errors import UnknownName
from kdmlog.core.names import match, slug

_TOKEN = re.compile(r"\w+")


class Pseudonyms:
    """What stands for names, for ids that were made of names, and for people's own words.

    A name becomes ``Survivor 3``; the id made of it ``survivor_3``, as the game would make it.
    ``marks`` may stand before an id.
    """

    def __init__(self, marks: tuple[str, ...] = ()) -> None:
        self._marks = marks
        self._counts: Counter[str] = Counter()
        self._names: dict[str, str] = {}
        """By the slug of a name, so that all spellings of it have the same id."""
        self._spelt: dict[str, str] = {}
        self._ids: dict[str, str] = {}
        self._words: dict[str, str] = {}

    def name(self, text: str, kind: str) -> str:
        """Returns what stands for a name; ``kind`` says whose, at its first time."""
        if not text.strip():
            return text
        key = slug(text) or text
        if key not in self._names:
            self._names[key] = self._next(kind)
        self._spelt[text] = self._names[key]
        return self._names[key]

    def id(self, text: str) -> str:
        """Returns what stands for an id that was made of a name."""
        if text and text not in self._ids:
            self._ids[text] = self._made_of(text)
        return self._ids.get(text, text)

    def mention(self, text: str) -> str:
        """Returns what stands for an id or a name that is known; anything else as it is."""
        if text in self._ids:
            return self._ids[text]
        for mark in self._marks:
            if text.startswith(mark):
                return mark + self.mention(text.removeprefix(mark))
        name = self._names.get(slug(text) or text)
        if name is None:
            return text
        return slug(name) if text == slug(text) else name

    def within(self, text: str) -> str:
        """Returns a text in which every id and every name is another one."""
        whole = self.mention(text)
        if whole != text:
            return whole
        for name in sorted(self._spelt, key=len, reverse=True):
            if name in text:
                text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", self._spelt[name], text)
        return _TOKEN.sub(lambda word: self.mention(word[0]), text)

    def are_people(self, ids: Sequence[str]) -> bool:
        """Returns whether all of these are the ids of people."""
        return bool(ids) and all(id_ in self._ids for id_ in ids)

    def words(self, text: str) -> str:
        """Returns what stands for words of their own."""
        if text.strip() and text not in self._words:
            self._words[text] = self._next("words")
        return self._words.get(text, text)

    def said(self, text: str) -> str:
        """Returns what stands for words of their own, if they are: else the game said it."""
        return self._words.get(text) or self.within(text)

    def typed(self, word: str, people: Mapping[str, str]) -> str:
        """Returns what stands for a word that means one of ``people`` (id to name)."""
        known = self.mention(word)
        if known != word or not word.strip():
            return known
        for among in (people, {id_: id_ for id_ in self._ids}):
            try:
                return self.id(match(word, among, "survivor"))
            except UnknownName:
                continue
        return self.words(word)

    def _next(self, kind: str) -> str:
        self._counts[kind] += 1
        return f"{kind} {self._counts[kind]}"

    def _made_of(self, id_: str) -> str:
        """``ada_2`` was made of Ada: the second of that name. What no name made stays."""
        for base, number in ((id_, ""), *_parted(id_)):
            for key in (base, base.removeprefix("survivor_")):
                if key in self._names:
                    return slug(self._names[key]) + number
        return id_


def _parted(id_: str) -> list[tuple[str, str]]:
    base, _, number = id_.rpartition("_")
    return [(base, f"_{number}")] if base and number.isdigit() else []
