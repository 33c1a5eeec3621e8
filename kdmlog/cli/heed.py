"""Does what a line typed at a prompt says: an answer to what is open, or commands."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping

from kdmlog.cli import say
from kdmlog.cli.call import Call, hoist
from kdmlog.cli.errors import Complaint, report, wording
from kdmlog.cli.lines import commands, meant, short, split
from kdmlog.cli.table import COMMANDS
from kdmlog.core.dice import APP, begun, parse
from kdmlog.core.errors import KdmlogError, UnknownName, UsageError
from kdmlog.core.game import Line
from kdmlog.core.inputs import NOTHING, Inputs, loose
from kdmlog.core.names import match
from kdmlog.core.requests import Ask, Choose, Draw, Fill, Opportunity, Roll
from kdmlog.core.state import FACE_DOWN
from kdmlog.session import Session
from kdmlog.session.answers import cards_typed, prompted

APART = ("play", "run", "demo", "new", "use", "recover")
"""Commands that have no place inside a session of play."""
HELP = ("?", "help", "-h", "--help")
TELLING = ("status", "do")
"""Commands that only look, and tell of the open question themselves."""
FEW = 20
"""Cards that are listed when so many can be drawn at most."""


def heed(call: Call, session: Session, text: str) -> None:
    """Does what a line says; an error is one line, and costs nothing.

    A line typed while another program moved the branch is not heeded: it was meant for what stood
    there before.
    """
    call.prompting = True
    before = prompted.set(True)
    behind = False
    try:
        was = session.head
        session.refresh()
        text = text.strip().removeprefix("kdmlog ")
        if session.head.hash != was.hash:
            say.line("      Meanwhile the game went on elsewhere; your line was not carried out.")
            remind(session)
        elif text in HELP:
            _help(session)
        elif session.open is not None and not _is_command(session, text):
            _answer(call, session, text)
        elif text:
            for line in commands(split(text), session):
                behind = line.more
                perform(call, session, line)
                behind = False
                _ask_again(session, line, was.hash)
        else:
            _next(call, session)
    except (KdmlogError, Complaint) as error:
        sys.stdout.flush()  # what was done before the error is read before it
        report(_at_prompt(error), json=False)
        if behind:
            say.line("      What stands behind it in the line was not done.")
        if getattr(error, "code", "") == "left_over":
            remind(session)
    except SystemExit:
        pass
    except KeyboardInterrupt:
        say.line("      Stopped.")
    finally:
        prompted.reset(before)


def _at_prompt(error: Exception) -> Exception:
    """Returns the error with hints as they are typed at the prompt."""
    if isinstance(error, KdmlogError):
        error.hints = [hint.removeprefix("kdmlog ") for hint in error.hints]
        return error
    context = getattr(error, "ctx", None)
    usage = context.get_usage().removeprefix("Usage: ").removeprefix("kdmlog ") if context else ""
    return UsageError(wording(error), hints=[usage] if usage else [])


def _ask_again(session: Session, line: Line, was: bytes) -> None:
    """Says what is still open after a command that only looks: ⏎ answers what is on screen."""
    if session.open is not None and session.head.hash == was and line.words[0] not in TELLING:
        remind(session)


def remind(session: Session) -> None:
    """Says what is open, or next."""
    if session.open is not None:
        say.line(f"      {say.question(session.game, session.table, session.open.request)[0]}")
    elif step := session.game.step(session.table):
        say.line(f"      Next: {step}")


def _help(session: Session) -> None:
    """Says what may be typed now."""
    if session.open is None:
        say.line("      ⏎ does the next step; do lists what can be done; quit ends.")
        say.line("      A command is typed by how it begins, its second word or its first letters.")
        if verbs := session.game.verbs(session.table):
            say.line(f"      NAME and  {verbs}")
        if words := short(session.ready()):
            say.line(f"      Now  {'  ·  '.join(words)}")
        return
    remind(session)
    request = session.open.request
    for text in (*_typed(session, request), *session.game.help(request)):
        say.line(f"      {text}")
    say.line("      undo takes the last answer back; Ctrl-C leaves the question open.")


def _typed(session: Session, request: Ask) -> list[str]:
    """Returns how an answer is typed."""
    match request:
        case Roll(dice=notation):
            dice = parse(notation)
            if dice.kind == "location":
                return ["Type a letter for each die: h(ead) a(rms) b(ody) w(aist) l(egs)."]
            more = f", {dice.faces} of them: 70 or 7,10" if dice.faces > 1 else ""
            return [f"Type the faces as digits, 0 for the lantern{more}."]
        case Draw():
            deck, names = session.table.state.decks[request.deck], _cards(session, request)
            left = dict.fromkeys(sorted(one for zone in FACE_DOWN for one in deck[zone]))
            many = (
                f"{request.count} cards, with commas between" if request.count > 1 else "the card"
            )
            shown = f"  Left: {', '.join(names[one] for one in left)}." if len(left) <= FEW else ""
            return [f"Type {many}, by name or how it begins.{shown}"]
        case Choose() | Opportunity():
            ids = [one.id for one in request.options]
            least = isinstance(request, Choose) and request.least
            most = request.most if isinstance(request, Choose) else 1
            texts = ["Type one of those offered, or how it begins."]
            if most > 1:
                texts = [f"Type {least} to {most} of those offered, with commas between."]
            if isinstance(request, Choose) and (least == 0 or "none" in ids):
                texts.append("none: none of them.")
            if any(one.startswith("far_") for one in ids):
                texts.append("far_NAME: a target that is out of reach.")
            return texts
        case Fill(fields=(field,)) if field.kind == "words":
            return ["Type a line, or several with ; between; none for nothing."]
        case Fill(fields=(field,)):
            return [f"Type the {field.name.replace('_', ' ')}."]
        case Fill() if all(field.default is not None for field in request.fields):
            first = request.fields[0].name
            return [f"Type {first}=… and so on; what you leave out is as shown, ⏎ takes it all so."]
        case Fill():
            return [f"Type {','.join(f'{field.name}=…' for field in request.fields)}."]
    return []


def _next(call: Call, session: Session) -> None:
    """A bare ⏎: the obvious next step, if nothing has to be filled in."""
    step = session.game.step(session.table)
    if not step or any(word.isupper() for word in step.split()):
        say.line(f"      Next: {step}" if step else "      Nothing is left to do here.")
        return
    for line in commands(split(step), session):
        perform(call, session, line)


def _answer(call: Call, session: Session, text: str) -> None:
    """Answers the open question; the words behind answer what is asked next."""
    inputs = _inputs(session, text)
    by = call.write.get("by", "")
    say.result(call, session, session.answer([], inputs, by=by, expect=session.head.hash.hex()))


def _inputs(session: Session, text: str) -> Inputs:
    """Returns what a line means to the open question."""
    assert session.open is not None
    words = _words(text)
    match session.open.request:
        case Roll(dice=notation) if words and words[0] not in (".", APP):
            faces, rest = begun(words, parse(notation))
            return Inputs(loose=[faces, *loose(rest)])
        case Draw() as request if words and words[0] not in (".", APP):
            if found := cards_typed(text, request.count, _cards(session, request)):
                return Inputs(draws=found[0], loose=loose(_words(found[1])))
        case Fill(fields=(field,)) as request if field.kind == "words" and words:
            if words[0].lower() not in NOTHING and not text.startswith(("'", '"')):
                whole = _effects(session.game.help(request), text.removeprefix(f"{field.name}="))
                return Inputs(fills=[{field.name: whole}])
    return Inputs(loose=loose(words))


def _cards(session: Session, request: Draw) -> dict[str, str]:
    """Returns every card of a deck, wherever it lies, and its shown name."""
    zones = session.table.state.decks[request.deck].zones.values()
    ids = sorted({card for zone in zones for card in zone})
    return {card: session.game.card_name(session.table, request.deck, card) for card in ids}


def _effects(forms: list[str], text: str) -> str:
    """Returns a card's effects as their forms spell them: ``knock down`` is ``knock_down``."""
    names = {form.split()[0] for form in forms if form.strip()}
    lines = []
    for line in text.split(";"):
        words = line.split()
        if (joined := "_".join(words[:2]).lower()) in names:
            words[:2] = [joined]
        lines.append(" ".join(words))
    return "; ".join(line for line in lines if line)


def _words(text: str) -> list[str]:
    """Returns the words of an answer; an apostrophe is no quote (``beast's``)."""
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def _is_command(session: Session, text: str) -> bool:
    """Returns whether a line typed at an open question is a command and no answer to it."""
    words = text.split()
    known = words and (words[0] in COMMANDS or _is_short(session, words))
    return bool(known) and not _is_meant(session, text)


def _is_card(words: str, names: Mapping[str, str]) -> bool:
    """Returns whether several words are the name of a card, and no command and its words."""
    try:
        return " " in words.strip() and bool(match(words, names, "card"))
    except UnknownName as error:
        return error.code == "ambiguous"


def _is_short(session: Session, words: list[str]) -> bool:
    """Returns whether words are the short form of a command (``mt``), where no name is asked."""
    assert session.open is not None
    request = session.open.request
    free = isinstance(request, Fill) and any(one.kind == "word" for one in request.fields)
    return not free and bool(meant(words[0]) or session.game.shorthand(session.table, words))


def _is_meant(session: Session, text: str) -> bool:
    """Returns whether a line that begins like a command answers the open question all the same."""
    assert session.open is not None
    word = text.split()[0]
    match session.open.request:
        case Choose() | Opportunity() as request:
            ids = [one.id for one in request.options]
            return word in ids or (word not in COMMANDS and any(id.startswith(word) for id in ids))
        case Roll(dice=notation):
            return parse(notation).kind == "location" and set(word) <= set("habwl")
        case Draw() as request:
            cards = _cards(session, request)
            found = cards_typed(text, request.count, cards)
            return found is not None and (word not in COMMANDS or _is_card(found[0][0], cards))
        case Fill() as request:
            first = text.split(";")[0].split()
            forms = [form.split() for form in session.game.help(request)]
            return any(form[:1] == [word] and (form[1:] or not first[1:]) for form in forms)
        case _:
            return False


def perform(call: Call, session: Session, line: Line) -> None:
    """Runs one command in the session, as it would run by itself."""
    from kdmlog.cli.main import run

    if line.words[0] in APART:
        raise UsageError(f"{line.words[0]} is for outside: kdmlog {line.words[0]}.")
    asked = Call()
    hoist(line.words, asked)
    if asked.db or asked.campaign or asked.branch:
        raise UsageError("The prompt stays on its campaign.", hints=["switch BRANCH, or quit"])
    one = Call(db=call.db, spoilers=call.spoilers, session=session, scripted=True, prompting=True)
    one.more = line.more
    one.inputs.loose = loose(line.loose)
    if by := call.write.get("by"):
        one.write["by"] = by
    try:
        run(line.words, one)
    except UnknownName as error:
        if line.loose and error.data.get("given") == line.words[-1]:
            error.hints = [*error.hints, "a name of several words goes in quotes"]
        raise
