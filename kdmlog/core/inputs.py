"""What a person gave along with a command, and how it answers what a procedure asks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from kdmlog.core import dice as dice_
from kdmlog.core.errors import BadInput, UnknownName
from kdmlog.core.names import match, nearest, slug
from kdmlog.core.requests import Ask, Choose, Draw, Field, Fill, Opportunity, Roll

SHOWN = 6
"""Options that a refusal names."""
PASS = "pass"
"""The answer to an opportunity that nobody takes."""


NOTHING = (".", "-", "n", "no", "none")
"""Among loose words: a card has no effects."""
LONGEST = 6
"""Words of the longest name."""

# As texts: ``re`` compiles them when first used and remembers; at import each command would pay.
_FACES = r"[0-9,]+"
_PLACES = r"[habwl,]+|(head|arms|body|waist|legs|,)+"
_RUN = r"[0-9habwl,]*[0-9][0-9habwl,]*"
SPACE = r"\d{1,2}[-, ]\d{1,2}(?!\S)"
"""Two numbers that belong together, such as a space of a board."""


def loose(words: Iterable[str]) -> list[str]:
    """Returns words as loose inputs: a run of faces such as ``70hw69`` in its three parts."""
    found: list[str] = []
    for word in words:
        parts = re.findall(r"[0-9,]+|[habwl,]+", word) if re.fullmatch(_RUN, word) else [word]
        found += parts
    return found


class Inputs(Struct):
    """Faces, cards, choices and values in the order given; each request takes its own kind.

    ``loose`` words are of no kind yet: each request that finds none of its own takes the next.
    """

    dice: list[str] = field(default_factory=list)
    draws: list[str] = field(default_factory=list)
    choices: list[str] = field(default_factory=list)
    fills: list[dict[str, str]] = field(default_factory=list)
    loose: list[str] = field(default_factory=list)
    unseen: bool = False
    """Nothing that is still to come may be shown: kdmlog neither rolls nor draws."""
    flows: bool = False
    """Stop at every opportunity, also when nobody could take it."""

    def loosen(self, request: Ask) -> None:
        """Moves the loose words that ``request`` takes to their kind; ``.`` lets kdmlog do it.

        Faces stand in runs of their own, so that they need not be parted by when they are rolled:
        ``176 femur`` is an attack of 1 and 7, the card, and a wound roll of 6.
        """
        match request:
            case Roll() if not self.dice:
                self._loosen_faces(dice_.parse(request.dice))
            case Draw() if not self.draws:
                while (word := self._next_word()) and len(self.draws) < request.count:
                    self.loose.remove(word)
                    self.draws += [card for card in word.split(",") if card and card != "."]
                    if word in (".", dice_.APP):
                        self.draws = [dice_.APP]
                        break
            case Opportunity() if not self.choices and request.options and self.loose:
                self.choices.append(self._offer([one.id for one in request.options]))
            case Choose() if not self.choices and self.loose:
                if word := self._named(request) or self._next_word(take=True):
                    self.choices.append(request.default or word if word == "." else word)
            case Fill(fields=(one,)) if not self.fills and self.loose:
                if word := self._value(one):
                    skips = one.default is not None and word in NOTHING
                    self.fills.append({} if skips else {one.name: word.partition("=")[2] or word})
            case Fill() if not self.fills and self.loose:
                self.fills.append(values(self._values_typed(request), request))

    def forget(self) -> None:
        """Drops all that is left: what it would answer comes after something not to be seen."""
        for given in (self.dice, self.draws, self.choices, self.fills, self.loose):
            given.clear()

    def _offer(self, ids: list[str]) -> str:
        """Takes the words that mean one of these ids (``dash lucy``, ``lucy d``), or else passes.

        Nobody needs to say so in the midst of a line: ``pass`` is taken, but not missed.
        """
        for count in range(min(len(self.loose), LONGEST), 0, -1):
            if found := _offered(self.loose[:count], ids):
                del self.loose[:count]
                return found
        if self.loose[0] == PASS:
            del self.loose[0]
        return PASS

    def _next_word(self, *, take: bool = False) -> str:
        """Returns the first loose word that is no run of faces; empty when there is none."""
        word = next((word for word in self.loose if not re.fullmatch(_FACES, word)), "")
        if word and take:
            self.loose.remove(word)
        return word

    def _named(self, request: Choose) -> str:
        """Takes the first words that name an option: ``9 5``, ``furious greaves``; empty: none."""
        options = {option.id: option.label or option.id for option in request.options}
        for count in range(min(len(self.loose), LONGEST), 0, -1):
            words = " ".join(self.loose[:count])
            numbers = words[:1].isdigit()  # faces of a roll to come, unless they are just that
            if _is_one(words, options) if numbers else count > 1 and _is_named(words, options):
                del self.loose[:count]
                return words
        return ""

    def _value(self, one: Field) -> str:
        """Takes the words for a field: a number, a space such as ``11 8``, or the next word."""
        found = ""
        if one.kind == "int":
            found = self.loose[0]
        elif one.kind == "word" or one.default is None:
            space = re.match(SPACE, " ".join(self.loose[:2]))
            found = space[0] if space else ""
        if not found:
            return self._next_word(take=True)
        del self.loose[: len(found.split())]
        return found

    def _values_typed(self, request: Fill) -> list[str]:
        """Takes the words that are ``name=value``, or else one for each field; ``.`` for none."""
        if self.loose[0] in NOTHING:
            del self.loose[0]
            return []
        self.loose = paired(self.loose, request)
        plain = next((n for n, word in enumerate(self.loose) if "=" not in word), len(self.loose))
        count = plain or len(request.fields)
        taken, self.loose = self.loose[:count], self.loose[count:]
        return taken

    def _loosen_faces(self, dice: dice_.Dice) -> None:
        """Takes faces out of runs such as ``70``; what is over stays for the next roll."""
        runs = _PLACES if dice.kind == "location" else _FACES
        if self.loose and self.loose[0] in (".", dice_.APP):
            del self.loose[0]
            self.dice = [dice_.APP]
            return
        while len(self.dice) < dice.faces:
            at = next((n for n, word in enumerate(self.loose) if re.fullmatch(runs, word)), None)
            if at is None:
                return
            symbols = dice_.split(self.loose.pop(at))
            taken = dice.faces - len(self.dice)
            self.dice += symbols[:taken]
            if rest := symbols[taken:]:
                self.loose.insert(at, ",".join(rest))

    def take_faces(self, dice: dice_.Dice) -> tuple[int, ...] | None:
        """Returns the next faces for ``dice``; None when ``app`` was typed in their place.

        Raises BadInput for too few faces or one that the die does not have.
        """
        if self.dice[0] == dice_.APP:
            del self.dice[0]
            return None
        count = dice.faces
        given = self.dice[:count]
        if len(given) < count:
            raise BadInput(
                f"{_plain(dice)}: {count} faces are asked for; given: {' '.join(given)}.",
                hints=[f"give all {count}"],
            )
        faces = [dice_.face(symbol, dice) for symbol in given]
        del self.dice[:count]
        return tuple(faces)

    def take_choice(self, request: Choose | Opportunity) -> tuple[str, ...]:
        """Returns the option ids that the next choice names. Raises BadInput or UnknownName."""
        options = {option.id: option.label or option.id for option in request.options}
        if isinstance(request, Opportunity):
            options[PASS] = PASS
            least, most = 1, 1
        else:
            least, most = request.least, request.most
        text = self.choices[0]
        words = text.replace(";", ",").split(",") if most > 1 or least == 0 else [text]
        words = [word.strip() for word in words if word.strip()]
        if least == 0 and [word.lower() for word in words] == ["none"] and "none" not in options:
            words = []
        picked = tuple(dict.fromkeys(_option(word, options) for word in words))
        if not least <= len(picked) <= most:
            wanted = str(least) if least == most else f"{least} to {most}"
            raise BadInput(f"Choose {wanted} of: {', '.join(options)}; given: {text or 'nothing'}.")
        del self.choices[0]
        return picked

    def offers(self, request: Choose | Opportunity) -> bool:
        """Returns whether the next choice is one that ``request`` offers."""
        try:
            Inputs(choices=self.choices[:1]).take_choice(request)
        except UnknownName:
            return False
        except BadInput:
            return False
        return True

    def take_values(self, request: Fill) -> dict[str, int | str | list[str]]:
        """Returns the values of a Fill, typed and within bounds. Raises BadInput naming a field."""
        given = self.fills[0]
        known = [one.name for one in request.fields]
        for name in given:
            if name not in known:
                raise BadInput(
                    f"No value {name!r} is asked for.",
                    hints=[f"asked: {', '.join(nearest(name, known) or known)}"],
                )
        values = {one.name: _value(one, given.get(one.name, one.default)) for one in request.fields}
        del self.fills[0]
        return values

    def refuse_rest(self, first: Ask | None = None) -> None:
        """Raises BadInput when something given was not asked for; ``first`` is asked before it."""
        if not (self.dice or self.draws or self.choices or self.fills or self.loose):
            return
        rest = {
            "dice": self.dice,
            "draw": self.draws,
            "choose": self.choices,
            "fill": [f"{name}={value}" for one in self.fills for name, value in one.items()],
        }
        left = [f"{kind} {','.join(words)}" for kind, words in rest.items() if words]
        before = f"; first comes: {first.purpose.replace('_', ' ')}" if first else ""
        words = " ".join(word.strip(",") for word in self.loose if word.strip(","))
        if left:
            left += [repr(words)] if words else []
            raise BadInput(
                f"Left over, not asked for: {'; '.join(left)}{before}.", code="left_over"
            )
        if self.loose:
            named = any(word[:1].isalpha() and len(word) > 1 for word in self.loose)
            raise BadInput(
                f"Too much: {words or ','!r} was not asked for{before}; nothing was logged.",
                code="left_over",
                hints=["a name of several words goes in quotes"] if named else [],
            )


NOTHING_GIVEN = Inputs()


def _plain(dice: dice_.Dice) -> str:
    return f"{dice.count} location dice" if dice.kind == "location" else str(dice)


def offered(request: Choose | Opportunity) -> tuple[str, ...]:
    """Returns the ids of all that may be answered."""
    ids = tuple(option.id for option in request.options)
    return (*ids, PASS) if isinstance(request, Opportunity) else ids


def values(words: Iterable[str], request: Fill) -> dict[str, str]:
    """Returns what words give each field: ``name=value``, or plainly in the order of the fields.

    A word too many stands for itself, so that it is refused where the values are taken.
    """
    found: dict[str, str] = {}
    words = paired(words, request)
    for part in (part for word in words for part in re.split(r",(?=[\w.]+=)", word)):
        name, named, value = part.partition("=")
        if not named:
            name = next((one.name for one in request.fields if one.name not in found), part)
        found[name] = value if named else part
    return found


def paired(words: Iterable[str], request: Fill) -> list[str]:
    """Returns the words, two numbers of a space as one, where no whole numbers are asked for."""
    found: list[str] = []
    numbers = any(one.kind == "int" for one in request.fields)
    for word in words:
        if found and word.isdigit() and re.fullmatch(r"(.*=)?\d+", found[-1]) and not numbers:
            found[-1] += f" {word}"
        else:
            found.append(word)
    return found


def card(word: str, candidates: Mapping[str, str]) -> str:
    """Returns the card id that a player named among ``candidates`` (id to shown name)."""
    return match(word, candidates, "card that can be drawn now is called")


def _offered(words: list[str], ids: list[str]) -> str:
    """Returns the id, or how it begins, that words mean; empty when they mean none.

    Each may be a beginning, and who acts may stand before what they do: ``mara en old``. Raises
    BadInput where they mean several.
    """
    words = [word.lower() for word in words]
    plain = "_".join(words)
    if any(id_.startswith(plain) for id_ in ids):
        return plain
    for n, verb in enumerate(words):
        order = [verb, *words[:n], *words[n + 1 :]]
        meant = r"[^_]*_(?:\w+_)?".join(map(re.escape, order))
        found = [id_ for id_ in ids if re.match(meant, id_)]
        if len(found) > 1:
            text = " ".join(words)
            raise BadInput(
                f"{text!r} could be any of {', '.join(found)}.", hints=["say more of it"]
            )
        if found:
            return found[0]
    return ""


def _is_one(words: str, options: Mapping[str, str]) -> bool:
    return slug(words) in map(slug, options)


def _is_named(words: str, options: Mapping[str, str]) -> bool:
    """Returns whether all of several words name an option: ``zachary .`` is a name and more."""
    try:
        return all(map(slug, words.split())) and bool(match(words, options, "option"))
    except UnknownName:
        return False


def _option(word: str, options: Mapping[str, str]) -> str:
    try:
        return match(word, options, "option")
    except UnknownName as error:
        shown = ", ".join([*list(options)[:SHOWN], *(["…"] if len(options) > SHOWN else [])])
        raise BadInput(error.message, code="bad_option", hints=[f"offered: {shown}"]) from None


def _value(field_: Field, text: str | None) -> int | str | list[str]:
    if text is None:
        raise BadInput(f"The value {field_.name!r} is missing.", hints=[f"--fill {field_.name}=…"])
    if field_.kind == "words":
        return [word.strip() for word in text.split(";") if word.strip()]
    if field_.kind == "word":
        return text
    try:
        number = int(text)
    except ValueError:
        raise BadInput(f"{field_.name}: {text!r} is no whole number.") from None
    least, most = field_.least, field_.most
    if (least is not None and number < least) or (most is not None and number > most):
        raise BadInput(f"{field_.name}: {number} is not within {least} to {most}.")
    return number
