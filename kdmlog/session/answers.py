"""What an open question is in words, and what the words of an answer mean to it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextvars import ContextVar

from kdmlog.core.dice import APP, begun, parse, split
from kdmlog.core.errors import BadInput, NotNow, Refused, UnknownName
from kdmlog.core.events import Asked
from kdmlog.core.inputs import PASS, Inputs, offered, values
from kdmlog.core.names import match
from kdmlog.core.requests import Ask, Choose, Draw, Field, Fill, Opportunity, Roll

prompted: ContextVar[bool] = ContextVar("prompted", default=False)
"""Whether whoever reads this is at a prompt, where an answer is typed without a command."""


def how(request: Ask) -> str:
    """Returns the command that answers, as an example; at a prompt what is typed there."""
    text = _how(request)
    return text.removeprefix("kdmlog answer ") if prompted.get() else text


def _how(request: Ask) -> str:
    match request:
        case Roll():
            return f"kdmlog answer FACE… ({_faces(request.dice)}; without faces kdmlog rolls)"
        case Draw(count=count) if count > 1:
            return f"kdmlog answer CARD, CARD… ({count}, with commas; without a card kdmlog draws)"
        case Draw():
            return "kdmlog answer CARD… (without a card kdmlog draws)"
        case Choose():
            return f"kdmlog answer {_few(offered(request))}"
        case Opportunity():
            return f"kdmlog answer {_few(offered(request))} (without a word: {PASS})"
        case Fill(fields=(Field(kind="words", default=None) as field,)):
            return f"kdmlog answer {field.name.upper()}"
        case Fill(fields=(field,)) if field.kind == "words":
            if prompted.get():
                return "LINE; LINE"
            return "kdmlog answer 'LINE; LINE'"
        case Fill():
            return f"kdmlog answer {' '.join(f'{field.name}=…' for field in request.fields)}"
    return "kdmlog answer"


def _faces(notation: str) -> str:
    dice = parse(notation)
    return f"{dice.count} of h a b w l" if dice.kind == "location" else notation


MANY = 5


def _few(options: tuple[str, ...]) -> str:
    """The options, or the first of many."""
    return "|".join(options[:MANY]) + ("|…" if len(options) > MANY else "")


def grouped(lines: list[str]) -> list[str]:
    """Returns lines to type, those alike but for the second word joined: ``attack erza|lucy``."""
    joined: dict[tuple[str, ...], list[str]] = {}
    for line in lines:
        head, *rest = line.split()
        joined.setdefault((head, *rest[1:]), []).append(rest[0] if rest else "")
    return [
        " ".join(word for word in (head, "|".join(seconds), *tail) if word)
        for (head, *tail), seconds in joined.items()
    ]


def open_question(asked: Asked, words: str) -> NotNow:
    """Returns the refusal of everything else while a question is open."""
    return NotNow(
        f"A question is open since move {asked.began}: {words}",
        code="open_question",
        hints=[how(asked.request), "undo" if prompted.get() else "kdmlog undo"],
        data={"began": asked.began, "purpose": asked.request.purpose},
    )


def with_words(request: Ask, words: list[str], inputs: Inputs) -> Inputs:
    """Returns the inputs with ``words`` put in front of the kind that ``request`` takes.

    Without words, what a bare answer means; Refused when it means nothing.
    """
    given = copied(inputs)
    words = [word for word in words if word.strip()]
    if given.loose and not words:
        return given
    match request:
        case Roll() if words and words[0] not in (".", APP):
            faces, rest = begun(words, parse(request.dice))
            given.dice[:0] = [face for word in (faces, *rest) for face in split(word)]
        case Roll():
            given.dice[:0] = words or ([] if given.dice else [APP])
        case Draw():
            given.draws[:0] = _cards(words, request) or ([] if given.draws else [APP])
        case Choose() | Opportunity() if words:
            many = isinstance(request, Choose) and request.most > 1
            given.choices.insert(0, (", " if many else " ").join(words))
        case Choose() if not given.choices:
            if request.default is None:
                raise needed(request)
            given.choices.append(request.default)
        case Opportunity() if not given.choices:
            given.choices.append(PASS)
        case Fill() if words:
            given.fills.insert(0, _values(words, request))
        case Fill() if not given.fills:
            if any(field.default is None for field in request.fields):
                raise needed(request)
            given.fills.append({})
    return given


def copied(inputs: Inputs) -> Inputs:
    """Returns equal inputs; a run uses up the lists that it is given."""
    return Inputs(
        dice=list(inputs.dice),
        draws=list(inputs.draws),
        choices=list(inputs.choices),
        fills=[dict(fill) for fill in inputs.fills],
        loose=list(inputs.loose),
        unseen=inputs.unseen,
        flows=inputs.flows,
    )


def _cards(words: list[str], request: Draw) -> list[str]:
    text = " ".join(words)
    if "," in text:
        return [card.strip() for card in text.split(",") if card.strip()]
    return [text] if text and request.count == 1 else list(words)


def cards_typed(text: str, count: int, names: Mapping[str, str]) -> tuple[list[str], str] | None:
    """Returns the cards that a line names, as typed, and what stands behind them.

    Commas part cards; a name may have several words. None when no card is named. ``names`` has
    every card of the deck. Raises BadInput for more cards than are drawn.
    """
    items = [item.strip() for item in text.split(",", count - 1)]
    if len(items) == count:
        *found, last = items
        card, rest = _named(last, names)
        if rest.startswith(",") and _named(rest.lstrip(", "), names)[0]:
            given = ", ".join(item.strip() for item in text.split(","))
            drawn = f"{count} cards are" if count > 1 else "1 card is"
            raise BadInput(f"{drawn} drawn; given: {given}.")
        if found or card:
            return [*found, card or last], rest.lstrip(", ") if card else ""
        return None
    found, rest = [], text
    while rest and len(found) < count:
        card, behind = _named(rest, names)
        if not card:
            break
        found.append(card)
        rest = behind.lstrip(", ") if len(found) < count else behind
    if len(items) > 1 and found and len(found) < count:
        return items, ""
    return (found, rest) if found else None


def _named(text: str, names: Mapping[str, str]) -> tuple[str, str]:
    """Returns the longest beginning of a text that names a card, and the text behind it."""
    ends = [found.start() for found in re.finditer(r"(?=[\s,]|$)", text)]
    for end in reversed(ends):
        if "," in text[:end] or not text[:end].strip():
            continue
        try:
            match(text[:end], names, "card")
        except UnknownName as error:
            if error.code != "ambiguous" or end != ends[-1]:
                continue
        return text[:end].strip(), text[end:].strip()
    return "", text


def _values(words: list[str], request: Fill) -> dict[str, str]:
    names = {field.name for field in request.fields}
    if len(names) == 1 and words[0].partition("=")[0] not in names:
        return {names.pop(): " ".join(words)}
    return values(words, request)


def needed(request: Ask) -> Refused:
    """Returns the refusal of a bare answer where that means nothing."""
    return Refused("This question needs an answer.", code="needs_answer", hints=[how(request)])
