"""The runner plays a procedure: it answers what it can, folds what is recorded, or suspends.

Re-running is the same loop with the recorded events put in front: each request takes its recorded
answer and each fact is compared with the recorded one. Resuming an open action is a re-run that
goes on with new inputs; audit is a re-run that is never given any.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct, field

from kdmlog.core import events as e
from kdmlog.core.dice import due_order, due_roll, parse
from kdmlog.core.errors import BadInput, Refused, RulesChanged, UnknownName
from kdmlog.core.fold import Fold
from kdmlog.core.inputs import PASS, Inputs, card, offered
from kdmlog.core.names import match
from kdmlog.core.procedures import Procedure, Record
from kdmlog.core.requests import Ask, Choose, Draw, Fill, Opportunity, Request, Roll, Shuffle
from kdmlog.core.state import DECK, FACE_DOWN, POOL, State

CardName = Callable[[str, str], str]
"""Returns the shown name of a card, given its deck and id."""
CardSort = Callable[[str, str], str]
"""Returns what sort of card it is: so many of each sort were dealt, nobody saw which."""


class Recorded(Struct, frozen=True, gc=False):
    """An event of the log, and whether the action re-run recorded it or it was slipped in."""

    event: e.Event
    ours: bool = True


class Used(Struct):
    """The dice that are used already on a path, by seed and key, and the decks shuffled anew on it.

    What the log calls the same dice or the same cards is not carried over a second time.
    """

    keys: set[tuple[str, int]] = field(default_factory=set)
    decks: set[str] = field(default_factory=set)


class Carried(Struct, frozen=True):
    """Answers of an earlier performance: each request takes the first that it could be given.

    ``later`` are those given after the question ``stop``: they are only taken once something else
    is asked instead. With ``typed_first`` what is given now takes the place of an answer carried.
    Dice come under their own seed alone, and those ``used`` do not come again.
    """

    replies: list[e.Event] = []
    later: list[e.Event] = []
    stop: Ask | None = None
    typed_first: bool = False
    used: Used = field(default_factory=Used)

    def is_stop(self, request: Ask) -> bool:
        """Returns whether this is the question that was open then; its options may differ."""
        stop = self.stop
        return stop is not None and (type(stop), stop.purpose, stop.about) == (
            type(request),
            request.purpose,
            request.about,
        )


NOTHING_CARRIED = Carried()
MOST_STEPS = 100_000
"""Facts and questions of one action: a whole campaign has fewer, but rules may go in circles."""


class Runner:
    """One run of one procedure over a working state, which it changes by folding.

    ``events`` are the new facts, in order, to be appended. ``carried`` keeps the answers that
    nothing has asked for yet.
    """

    def __init__(
        self,
        state: State,
        folds: Mapping[type[e.Event], Fold],
        inputs: Inputs,
        *,
        began: int,
        card_name: CardName = lambda _deck, card_: card_,
        card_sort: CardSort = lambda _deck, _card: "",
        recorded: Iterable[Recorded] = (),
        carried: Carried = NOTHING_CARRIED,
    ) -> None:
        self.state = state
        self.folds = folds
        self.inputs = inputs
        self.began = began
        self.card_name = card_name
        self.card_sort = card_sort
        self.recorded = deque(recorded)
        self.carried = carried
        if carried is not NOTHING_CARRIED:
            self.carried = msgspec.structs.replace(
                carried, replies=list(carried.replies), later=list(carried.later)
            )
        self.events: list[e.Event] = []

    def run(self, procedure: Procedure[Any]) -> Ask | None:
        """Plays until the end (returns None) or until a request stays open (returns it).

        Raises what the rules refuse, BadInput for inputs that do not fit, and RulesChanged when a
        recorded fact does not follow any more.
        """
        answer: Any = None
        for _ in range(MOST_STEPS):
            try:
                request = procedure.send(answer)
            except StopIteration:
                break
            except RecursionError:
                raise _endless() from None
            if type(request) is Record:
                fact = request.fact
                if request.cause != fact.cause:
                    fact = msgspec.structs.replace(fact, cause=request.cause)
                if self.recorded:
                    self._recorded_fact(fact)
                else:
                    self._add(fact)
                answer = None
                continue
            assert isinstance(request, Request)
            reply = self._reply(request)  # type: ignore[arg-type]
            if reply is None:
                self.inputs.refuse_rest(request)  # type: ignore[arg-type]
                return request  # type: ignore[return-value]
            answer = _meaning(reply)
        else:
            raise _endless()
        self._slipped()
        if self.recorded:
            raise _changed("nothing more", self.recorded[0].event)
        self.inputs.refuse_rest()
        return None

    def _recorded_fact(self, fact: e.Event) -> None:
        """Folds the fact that a re-run has come to again; behind the last recorded, a new one."""
        self._slipped()
        if not self.recorded:
            self._add(fact)
            return
        found = self.recorded.popleft().event
        if found != fact:
            raise _changed(fact, found)
        self._fold(found)

    def _reply(self, request: Ask) -> e.Event | None:
        """Returns the event that answers ``request``, folded; None when it stays open."""
        if self.recorded:
            self._slipped()
        if self.recorded and self._asked(request):
            asked = self.recorded.popleft().event
            assert isinstance(asked, e.Asked)
            if asked.request != request:
                raise _changed(request, asked)
            self._fold(asked)
            self._slipped()
        elif _of_nobody(request) and self._passes(request):
            return e.Chosen(purpose=request.purpose, picked=(PASS,), offered=(PASS,))
        if self.recorded:
            return self._recorded_reply(request)
        if self.carried.replies or self.carried.later:
            return self._carried_reply(request) or self._new_reply(request)
        return self._new_reply(request)

    def _asked(self, request: Ask) -> bool:
        """Returns whether the next recorded event is a question; that must be this one.

        Before another question, an opportunity of nobody was passed without asking.
        """
        found = self.recorded[0].event
        if not isinstance(found, e.Asked):
            return False
        return found.request == request or not _of_nobody(request)

    def _passes(self, request: Ask) -> bool:
        """Returns whether this opportunity of nobody goes, or went, by unasked and unrecorded."""
        carried = (*self.carried.replies, *self.carried.later)
        earlier = [self.recorded[0].event] if self.recorded else carried
        if any(fits(request, event, self.state) for event in earlier):
            return False
        return bool(self.recorded) or not self.inputs.flows

    def _recorded_reply(self, request: Ask) -> e.Event:
        while isinstance(self.recorded[0].event, e.CardsSwapped):
            self._fold(self.recorded.popleft().event)
        found = self.recorded.popleft().event
        if not fits(request, found, self.state):
            raise _changed(request, found)
        return self._fold(found)

    def _carried_reply(self, request: Ask) -> e.Event | None:
        """Answers with the first carried reply that fits, unless another is given in its place."""
        carried = self.carried
        pools = [carried.replies] if carried.is_stop(request) else [carried.replies, carried.later]
        places = ((pool, n) for pool in pools for n in range(len(pool)))
        at = next((at for at in places if fits(request, at[0][at[1]], self.state)), None)
        if at is None:
            return None
        if carried.typed_first and self._typed(request):
            typed = self._new_reply(request)
            if typed is not None:
                at[0].pop(at[1])
            return typed
        found = at[0].pop(at[1])
        if not self._carries(request, found):
            return None
        if isinstance(found, e.CardsDrawn):
            self._swap_in(request.deck, found.cards)  # type: ignore[union-attr]
        if isinstance(found, e.CHANCE) and found.source != "table":
            found = msgspec.structs.replace(found, source="replayed")
        return self._add(found)

    def _carries(self, request: Ask, found: e.Event) -> bool:
        """Returns whether chance carried over is what it was here too; else it comes anew.

        A die of kdmlog's must be this seed's, and not be used on this path already. Cards of
        kdmlog's do not come out of a deck that had to be shuffled anew.
        """
        used, state = self.carried.used, self.state
        match found:
            case e.DiceRolled(key=int() as key):
                keys = {(state.seed, key + n) for n in range(len(found.faces))}
                same = due_roll(state.seed, key, parse(found.dice)) == list(found.faces)
            case e.DeckShuffled():
                keys = {(state.seed, found.key)}
                same = due_order(state.seed, found.key, found.order) == list(found.order)
            case e.CardsDrawn(source="app" | "replayed"):
                return found.deck not in used.decks
            case _:
                return True
        carries = same and not keys & used.keys
        if carries:
            used.keys |= keys
        if isinstance(found, e.DeckShuffled):
            (used.decks.discard if carries else used.decks.add)(found.deck)
        return carries

    def _typed(self, request: Ask) -> bool:
        """Returns whether the inputs hold an answer to this request; a choice must be offered."""
        inputs = self.inputs
        inputs.loosen(request)
        match request:
            case Roll():
                return bool(inputs.dice)
            case Draw():
                return bool(inputs.draws)
            case Choose() | Opportunity():
                return bool(inputs.choices) and inputs.offers(request)
            case Fill():
                return bool(inputs.fills)
        return False

    def _new_reply(self, request: Ask) -> e.Event | None:
        """Answers from the inputs, else from the campaign's dice and decks; None: ask a person."""
        inputs, state = self.inputs, self.state
        if inputs.loose and not (isinstance(request, Draw) and self._seen(request)):
            inputs.loosen(request)
        purpose, about = request.purpose, request.about
        match request:
            case Roll():
                return self._roll(request)
            case Draw():
                return self._draw(request)
            case Shuffle():
                deck = state.decks[request.deck]
                cards = [card_ for zone in (DECK, *request.took) for card_ in deck[zone]]
                return self._add(
                    e.DeckShuffled(
                        deck=request.deck,
                        order=tuple(due_order(state.seed, state.keys, cards)),
                        took=request.took,
                        key=state.keys,
                        purpose=purpose,
                        about=about,
                    )
                )
            case Choose() | Opportunity() if inputs.choices:
                picked = inputs.take_choice(request)
                by = request.by if isinstance(request, Choose) else ""
                return self._add(
                    e.Chosen(
                        picked=picked,
                        offered=offered(request),
                        by=by,
                        purpose=purpose,
                        about=about,
                    )
                )
            case Fill() if inputs.fills:
                values = inputs.take_values(request)
                return self._add(e.Filled(values=values, purpose=purpose, about=about))
            case _:
                return None

    def _roll(self, request: Roll) -> e.Event | None:
        dice = parse(request.dice)
        state = self.state
        faces: tuple[int, ...] | None = None
        if self.inputs.dice:
            faces = self.inputs.take_faces(dice)
        elif state.table_dice or state.ask_dice:
            return None
        if faces is None and self._unseen():
            return None
        key = state.keys if faces is None else None
        return self._add(
            e.DiceRolled(
                dice=str(dice),
                faces=tuple(due_roll(state.seed, state.keys, dice)) if faces is None else faces,
                purpose=request.purpose,
                about=request.about,
                source="app" if faces is None else "table",
                key=key,
            )
        )

    def _seen(self, request: Draw) -> bool:
        """Returns whether all cards drawn are known already, and no loose word names the first."""
        deck = self.state.decks[request.deck]
        if deck.known < request.count:
            return False
        top = deck[DECK][0]
        word = self.inputs.loose[0] if self.inputs.loose else ""
        try:
            return not match(word, {top: self.card_name(request.deck, top)}, "card")
        except UnknownName:
            return True

    def _unseen(self) -> bool:
        """Returns whether kdmlog holds back what is to come; what is given for later is dropped."""
        if self.inputs.unseen:
            self.inputs.forget()
        return self.inputs.unseen

    def _draw(self, request: Draw) -> e.Event | None:
        deck = self.state.decks[request.deck]
        if len(deck[DECK]) < request.count:
            raise BadInput(f"The {request.deck} deck has only {len(deck[DECK])} cards.")
        named = bool(self.inputs.draws)
        known = deck.known >= request.count
        if named and self.inputs.draws[0] == "app":
            del self.inputs.draws[0]
            named = False
        elif not named and not known and self.state.table_cards:
            return None
        if not named and not known and self._unseen():
            return None
        cards = self._named(request) if named else tuple(deck[DECK][: request.count])
        return self._add(
            e.CardsDrawn(
                deck=request.deck,
                cards=cards,
                to=request.to,
                purpose=request.purpose,
                about=request.about,
                source="known" if known else "table" if named else "app",
            )
        )

    def _named(self, request: Draw) -> tuple[str, ...]:
        """Returns the cards drawn at the table, after swapping in those that lay elsewhere.

        Raises BadInput for a card that lies face up or is out of the game.
        """
        words = self.inputs.draws[: request.count]
        if len(words) < request.count:
            raise BadInput(
                f"{request.count} cards are drawn; given: {', '.join(words)}.",
                hints=["name them all, with commas between"],
            )
        deck = self.state.decks[request.deck]
        cards: list[str] = []
        for word in words:
            left = [one for zone in FACE_DOWN for one in deck[zone]]
            for taken in cards:
                left.remove(taken)
            cards.append(self._card(request.deck, word, left, cards))
        for one in deck[DECK][: min(deck.known, request.count)]:
            if one not in cards:
                name = self.card_name(request.deck, one)
                raise BadInput(f"{name} lies on top of the deck: it is drawn.", code="known_card")
        self._swap_in(request.deck, cards)
        del self.inputs.draws[: request.count]
        return tuple(cards)

    def _swap_in(self, name: str, cards: Sequence[str]) -> None:
        """Changes cards that lie face down elsewhere for those that kdmlog would have drawn.

        A card of the pool was dealt after all: one of its own sort was not, if there is any.
        """
        deck = self.state.decks[name]
        ours = list(deck[DECK])
        for one in cards:
            if one in ours:
                ours.remove(one)
        for one in dict.fromkeys(cards):
            while cards.count(one) > deck[DECK].count(one):
                zone = next(z for z in FACE_DOWN[1:] if one in deck[z])
                swap = self._undealt(name, one, ours) if zone == POOL else ours[0]
                ours.remove(swap)
                self._add(e.CardsSwapped(deck=name, named=one, zone=zone, ours=swap))

    def _undealt(self, name: str, named: str, ours: list[str]) -> str:
        """Returns the card of ours that goes to the pool: of the same sort, first out of the deck.

        One of that sort that lies face down elsewhere comes into the deck for it.
        """
        sort = self.card_sort(name, named)
        zones = self.state.decks[name]
        for one in ours:
            if self.card_sort(name, one) == sort:
                return one
        for zone in FACE_DOWN[1:]:
            for one in zones[zone] if zone != POOL else ():
                if self.card_sort(name, one) == sort:
                    self._add(e.CardsSwapped(deck=name, named=one, zone=zone, ours=ours[0]))
                    ours[0] = one
                    return one
        return ours[0]

    def _card(self, deck: str, word: str, left: list[str], cards: list[str]) -> str:
        """Returns the card named among those left face down; says where another lies.

        The candidates are sorted: a refusal lists some, and their order in the deck is a secret.
        """
        try:
            return card(word, {one: self.card_name(deck, one) for one in sorted(left)})
        except UnknownName as error:
            zones = self.state.decks[deck].zones
            for zone, there in {"named already": cards, **zones}.items():
                names = {one: self.card_name(deck, one) for one in there}
                if zone in FACE_DOWN or error.code == "ambiguous" or not names:
                    continue
                try:
                    found = match(word, names, "card")
                except UnknownName:
                    continue
                where = "named already" if there is cards else f"face up ({zone.replace('_', ' ')})"
                raise BadInput(
                    f"{names[found]} is no card that can be drawn now: it is {where}.",
                    code="face_up",
                ) from None
            raise

    def _slipped(self) -> None:
        """Folds what others recorded while this action was open."""
        while self.recorded and not self.recorded[0].ours:
            self._fold(self.recorded.popleft().event)

    def _add(self, event: e.Event) -> e.Event:
        self.events.append(event)
        self.folds[type(event)](self.state, event)
        return event

    def _fold(self, event: e.Event) -> e.Event:
        self.folds[type(event)](self.state, event)
        return event


def _of_nobody(request: Ask) -> bool:
    return isinstance(request, Opportunity) and not request.options


def fits(request: Ask, event: e.Event, state: State) -> bool:
    """Returns whether an answer of the log is one that ``request`` could be given."""
    if getattr(event, "purpose", None) != request.purpose:
        return False
    if getattr(event, "about", ()) != request.about:
        return False
    match request, event:
        case Roll(), e.DiceRolled():
            return event.dice == str(parse(request.dice))
        case Draw(), e.CardsDrawn():
            deck = state.decks[request.deck]
            zones = FACE_DOWN if event.source == "table" else (DECK,)
            hidden = [card for zone in zones for card in deck[zone]]
            there = all(event.cards.count(one) <= hidden.count(one) for one in event.cards)
            return event.deck == request.deck and len(event.cards) == request.count and there
        case Shuffle(), e.DeckShuffled():
            deck_ = state.decks[request.deck]
            cards = [one for zone in (DECK, *request.took) for one in deck_[zone]]
            return event.deck == request.deck and sorted(cards) == sorted(event.order)
        case ((Choose() | Opportunity()), e.Chosen()):
            return set(event.picked) <= set(offered(request))
        case Fill(), e.Filled():
            return set(event.values) == {one.name for one in request.fields}
    return False


def _meaning(event: e.Event) -> Any:
    """Returns what the procedure is given for the event that answers it."""
    match event:
        case e.DiceRolled():
            return list(event.faces)
        case e.CardsDrawn():
            return list(event.cards)
        case e.Chosen():
            return list(event.picked)
        case e.Filled():
            return event.values
    return None


def _endless() -> Refused:
    return Refused("What this would set off has no end.", code="endless")


def _changed(now: object, recorded: e.Event) -> RulesChanged:
    return RulesChanged(
        "The rules have changed under this action: it now gives something else than was recorded.",
        hints=["kdmlog answer --again performs it from its start with the recorded inputs"],
        data={"now": _text(now), "recorded": _text(recorded)},
    )


def _text(thing: object) -> str:
    return thing if isinstance(thing, str) else msgspec.json.encode(thing).decode()
