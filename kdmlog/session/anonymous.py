"""A campaign without its people, for a report of a fault: other names, the same figures and dice.

Which fields hold names, ids made of them, or people's own words is declared where the fields are
(``core/people.py``); here their types are followed, whatever the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from kdmlog.core.actions import FREE, New
from kdmlog.core.events import DeckMade
from kdmlog.core.game import Action, Game
from kdmlog.core.people import ROLE
from kdmlog.ledger.archive import lines as wire
from kdmlog.ledger.archive.shape import Shape
from kdmlog.session.codec import Codec, encode
from kdmlog.session.pseudonyms import Pseudonyms

NOTING = ("", "core.note")
"""What a note of the players has as its cause; another one is a rule's."""
KEPT = ("main",)
"""Names of branches that say nothing about anybody."""


class Anonymous:
    """Rewrites the records of an archive, which gets a new id and new hashes with it."""

    def __init__(self, game: Game, uid: str) -> None:
        self._codec = Codec(game)
        self._game = game
        self._uid = uid
        self._new = Pseudonyms(game.marks)
        self._hashes: dict[str, str] = {}
        self._branches: dict[str, str] = {}
        self._decks: set[str] = set()
        """Those whose cards are people."""

    def meet(
        self,
        records: Iterable[wire.AnyRecord],
        advance: Callable[[int], None] = lambda _moves: None,
    ) -> None:
        """Learns names and words first: a name is answered before whoever bears it is there."""
        for record in records:
            if isinstance(record, wire.Start):
                self._new.name(record.name, "Campaign")
            if isinstance(record, wire.Move):
                self._input(wire.text(record.input), _Learning(self._new))
                for body in record.events:
                    self._walk(*self._event(wire.text(body)), _Learning(self._new))
                advance(1)

    def records(self, records: Iterable[wire.AnyRecord]) -> Iterator[wire.AnyRecord]:
        """Yields the records without their people."""
        shape: Shape | None = None
        for record in records:
            match record:
                case wire.Start():
                    record = self._start(record)
                    shape = Shape(record)
                case wire.Line() if shape:
                    shape.line(record)
                case wire.Move() if shape:
                    old, record = record.hash, self._move(record)
                    new = shape.move(record.number, wire.new_move(record)).hex()
                    self._hashes[old] = new
                    record = msgspec.structs.replace(record, hash=new)
                case wire.Ref() if shape:
                    record = self._ref(record)
                    record = msgspec.structs.replace(record, hash=shape.ref(record).hex())
            yield record

    def _start(self, start: wire.Start) -> wire.Start:
        name = self._new.name(start.name, "Campaign")
        slug = name.lower().replace(" ", "_")
        branch = self._branch(start.branch)
        return msgspec.structs.replace(start, uid=self._uid, name=name, slug=slug, branch=branch)

    def _ref(self, ref: wire.Ref) -> wire.Ref:
        by = self._new.name(ref.by, "Player")
        return msgspec.structs.replace(ref, branch=self._branch(ref.branch), by=by)

    def _branch(self, name: str) -> str:
        if name in KEPT:
            return name
        return self._branches.setdefault(name, f"branch_{len(self._branches) + 1}")

    def _move(self, move: wire.Move) -> wire.Move:
        renaming = _Renaming(self._new, self._hashes, self._decks)
        bodies = [
            encode(self._walk(*self._event(wire.text(body)), renaming)) for body in move.events
        ]
        request = move.request_id and f"request_{self._new.words(move.request_id).split()[-1]}"
        return msgspec.structs.replace(
            move,
            by=self._new.name(move.by, "Player"),
            input=wire.raw(encode(self._input(wire.text(move.input), renaming))),
            events=[wire.raw(body) for body in bodies],
            request_id=request,
        )

    def _event(self, body: str) -> tuple[dict[str, Any], inspect.Type]:
        event = self._codec.event(body)
        if isinstance(event, DeckMade):
            of_people = self._new.are_people(event.cards)
            (self._decks.add if of_people else self._decks.discard)(event.deck)
        return msgspec.to_builtins(event), _type_of(type(event))

    def _input(self, text: str, change: _Learning | _Renaming) -> dict[str, Any]:
        """What was typed: an action in full, but neither answers nor what was given along."""
        action = self._codec.action(text)
        if isinstance(action, Action):
            fields: dict[str, Any] = self._walk(
                msgspec.to_builtins(action), _type_of(type(action)), change
            )
            if isinstance(action, New) and action.sheet is not None and self._game.sheet:
                sheet = _type_of(self._game.sheet())
                fields["sheet"] = self._walk(action.sheet, sheet, change)
            return fields
        if "answer" in action:
            return {"answer": []}
        return {"action": action.get("action", "")}

    def _walk(self, value: Any, type_: inspect.Type, change: _Learning | _Renaming) -> Any:
        """Returns plain data with each declared field as ``change`` has it."""
        return _Walk(change).value(value, type_, {})


@cache
def _type_of(struct: type[msgspec.Struct]) -> inspect.Type:
    return inspect.type_info(struct)


class _Walk:
    """Follows plain data and its type side by side."""

    def __init__(self, change: _Learning | _Renaming) -> None:
        self._change = change

    def value(self, value: Any, type_: inspect.Type, inside: Mapping[str, Any]) -> Any:
        match type_:
            case inspect.Metadata(type=inner, extra=extra):
                if extra and ROLE in extra and isinstance(value, str):
                    return self._change.text(value, extra, inside)
                return self.value(value, inner, inside)
            case inspect.UnionType(types=types):
                return self.value(value, _fitting(value, types), inside)
            case inspect.StructType(fields=fields) if isinstance(value, dict):
                types_ = {field.encode_name: field.type for field in fields}
                if "id" in map(_role, types_.values()):
                    self._change.person(value, types_)
                return {
                    key: self.value(one, types_[key], value) if key in types_ else one
                    for key, one in value.items()
                }
            case inspect.DictType(key_type=key_type, value_type=value_type) if isinstance(
                value, dict
            ):
                return {
                    self.value(key, key_type, inside): self.value(one, value_type, inside)
                    for key, one in value.items()
                }
            case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
                return [self.value(one, item, inside) for one in value]
        return value


def _role(type_: inspect.Type) -> str:
    extra = type_.extra if isinstance(type_, inspect.Metadata) else None
    return extra.get(ROLE, "") if extra else ""


def _fitting(value: Any, types: tuple[inspect.Type, ...]) -> inspect.Type:
    """The member of a union that a value is of."""
    for one in types:
        inner = one.type if isinstance(one, inspect.Metadata) else one
        match inner:
            case inspect.StructType(tag_field=field, tag=tag):
                if isinstance(value, dict) and (field is None or value.get(field) == tag):
                    return one
            case inspect.StrType() if isinstance(value, str):
                return one
            case inspect.ListType() | inspect.VarTupleType() if isinstance(value, (list, tuple)):
                return one
            case inspect.DictType() if isinstance(value, dict):
                return one
    return inspect.AnyType()


class _Learning:
    """Learns names and people's own words, and changes nothing."""

    def __init__(self, new: Pseudonyms) -> None:
        self._new = new

    def person(self, fields: Mapping[str, Any], types: Mapping[str, inspect.Type]) -> None:
        """Takes no notice of who is who."""

    def text(self, text: str, extra: Mapping[str, Any], inside: Mapping[str, Any]) -> str:
        """Learns the text, if it is a name or people's own."""
        if extra[ROLE] == "name":
            self._new.name(text, extra["kind"])
        elif extra[ROLE] == "words":
            self._new.words(text)
        return text


class _Renaming:
    """Puts pseudonyms, in one move, in the place of everything that is declared to be people's."""

    def __init__(self, new: Pseudonyms, hashes: Mapping[str, str], decks: set[str]) -> None:
        self._new = new
        self._hashes = hashes
        self._decks = decks
        self._met: dict[str, str] = {}
        """Who the move is about, by their ids."""

    def person(self, fields: Mapping[str, Any], types: Mapping[str, inspect.Type]) -> None:
        """Notes who a Struct is about, and what they are called if it says that."""
        names = [
            fields[key] for key, one in types.items() if _role(one) == "name" and key in fields
        ]
        for key, one in types.items():
            if _role(one) == "id" and fields.get(key):
                self._met[fields[key]] = names[0] if names else fields[key]

    def text(self, text: str, extra: Mapping[str, Any], inside: Mapping[str, Any]) -> str:
        """Returns what stands for a text of this role."""
        new = self._new
        match extra[ROLE]:
            case "name":
                return new.name(text, extra["kind"])
            case "id":
                self._met.setdefault(text, text)
                return new.id(text)
            case "mention":
                return new.words(text) if inside.get("purpose") == FREE else new.mention(text)
            case "card":
                return new.mention(text) if inside["deck"] in self._decks else text
            case "noted" if inside.get("cause", "") not in NOTING:
                return new.within(text)
            case "noted" | "words":
                return new.words(text)
            case "said":
                return new.said(text)
            case "line" | "path":
                return new.within(text)
            case "typed":
                return new.typed(text, self._met)
            case "hash":
                return self._hashes.get(text, "")
        return text
