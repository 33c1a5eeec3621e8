"""The showdown as it lies on the table: monster, survivors, decks."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from kdmlog.cli import say
from kdmlog.cli.build import to_click
from kdmlog.cli.kdm_board import board_lines
from kdmlog.cli.kdm_sheets import LONGEST_NAME, Sheets, last_folded, level, look
from kdmlog.cli.kdm_survivors import weighing
from kdmlog.core.errors import UsageError
from kdmlog.core.names import match
from kdmlog.core.state import FACE_DOWN
from kdmlog.core.text import shown, words
from kdmlog.games.kdm import views
from kdmlog.games.kdm.onboard import OnBoard, on_board, within

NO_BOARD = "This showdown keeps no positions: the miniatures stand on your board."


def showdown() -> None:
    """Show the showdown: monster, survivors, turn."""
    sheets = look()
    fight = sheets.view.showdown
    if sheets.call.json:
        say.as_json(fight)
        return
    if fight is None:
        _no_showdown()
        return
    from kdmlog.cli import tables

    figures = f"Movement {fight.movement}  ·  Toughness {fight.toughness}"
    figures += f"  ·  Speed {fight.speed:+}  ·  Damage {fight.damage:+}"
    if fight.life is not None:
        figures += f"  ·  Life {fight.life}"
    tables.draw(title(sheets, fight), tables.rule(), figures)
    tables.draw(tables.pairs(monster_rows(sheets, fight)), "")
    rows = [
        (
            sheets.who(id_),
            shown(sheets.view.survivors[id_].player, LONGEST_NAME),
            f"{sheets.view.survivors[id_].survival}/{sheets.view.settlement.survival_limit}",
            sheets.view.survivors[id_].insanity,
            [*part(fight, id_), *weighing(sheets, id_)],
        )
        for id_ in sheets.table.state.showdown.survivors
    ]
    headings = ("Survivor", "Player", "Surv", "Ins", "Now")
    folded = last_folded(headings, rows, tables.width())
    tables.draw(tables.listing(headings, folded, right=("Surv", "Ins")))
    if sheets.view.open is not None:
        question = sheets.call.reading().game.question(sheets.view.open, sheets.table)
        tables.draw("", tables.pairs([("Open", question)]))


def showdown_board(
    reach: Annotated[
        int | None, typer.Option(help="mark what is at most so many spaces away", min=0, max=40)
    ] = None,
    range_: Annotated[
        int | None,
        typer.Option(
            "--range",
            help="mark what is in range: of the monster at most so many spaces between",
            min=0,
            max=40,
        ),
    ] = None,
    from_: Annotated[
        str | None, typer.Option("--from", help="as seen from a survivor, not from the monster")
    ] = None,
) -> None:
    """Draw the board: who stands where, the blind spot, terrain, who is within reach."""
    sheets = look()
    board = on_board(sheets.table)
    if from_ is not None and reach is None and range_ is None:
        raise UsageError("--from goes with --reach or --range.", hints=["--from S --reach 2"])
    if board is not None and (reach is not None or range_ is not None):
        board = _marked(sheets, board, reach, range_, from_)
    if sheets.call.json:
        say.as_json(board)
        return
    if board is None:
        fight = sheets.view.showdown
        say.line(NO_BOARD if fight else "No showdown is under way.  Next: status")
        return
    for line in board_lines(sheets, board):
        say.line(line)


def _marked(
    sheets: Sheets, board: OnBoard, reach: int | None, range_: int | None, from_: str | None
) -> OnBoard:
    from msgspec.structs import replace

    of = "monster"
    if from_ is not None:
        names = {id_: sheets.view.survivors[id_].name for id_ in board.survivors}
        of = match(from_, names, "survivor on the board")
    if reach is not None:
        return replace(board, within=within(board, of, f"reach {reach}", reach))
    assert range_ is not None
    # A monster's range counts the spaces between, a weapon's how many away (rulebook, Common
    # Targeting Terms; Ranged Weapons).
    away = range_ + 1 if of == "monster" else range_
    return replace(board, within=within(board, of, f"range {range_}", away))


def showdown_decks() -> None:
    """Show the monster's decks by zone."""
    sheets = look()
    fight = sheets.view.showdown
    if sheets.call.json:
        say.as_json(_decks(sheets, fight) if fight is not None else None)
        return
    if fight is None:
        _no_showdown()
        return
    from kdmlog.cli import tables

    for deck, kind, title in (
        ("ai", "ai_card", "AI"),
        ("hit_locations", "hit_location", "Hit locations"),
    ):
        tables.draw(f"{title}, {sheets.foe(fight.monster)}")
        rows = [(f"  {words(zone)}", text) for zone, text in _zones(sheets, deck, kind)]
        tables.draw(tables.pairs(rows, label=12))
    if sheets.call.spoilers and sheets.table.state.table_cards:
        say.line("The cards are the table's: face down, these are in no order.")


def _no_showdown() -> None:
    say.line("No showdown is under way.  Next: status, or --at showdown:1 for a past one")


def title(sheets: Sheets, fight: views.Showdown) -> str:
    """Returns who fights, at which level, which round it is and whose turn."""
    turn = "the monster's turn" if fight.turn == "monster" else "the survivors' turn"
    if outcome := sheets.table.state.showdown.outcome:
        turn = f"over: {outcome}"
    parts = (sheets.foe(fight.monster), level(fight.level), f"round {fight.round}", turn)
    return "  ·  ".join(parts)


def monster_rows(sheets: Sheets, fight: views.Showdown) -> list[tuple[str, str]]:
    """Returns the monster's decks, tokens and tiles, each with its label; empty: there is none."""
    ai, places = fight.ai, fight.hit_locations
    discard = sheets.names("ai_card", ai.discard) or "none"
    hit = sheets.names("hit_location", places.discard) or "none"
    if drawn := sheets.table.state.decks["hit_locations"]["drawn"]:
        hit += f"; drawn: {sheets.names('hit_location', drawn)}"
    controller = fight.controller
    if controller in sheets.view.survivors:
        controller = sheets.who(controller)
    tokens = [f"{words(name)} {count:+}" for name, count in fight.tokens.items() if count]
    tokens += ["knocked down"] * sheets.table.state.showdown.knocked_down
    rows = [
        ("AI", f"deck {ai.deck}, wounds {ai.wounds}, discard: {discard}"),
        ("In play", sheets.names("ai_card", ai.in_play)),
        ("Hit locations", f"deck {places.deck}, discard: {hit}"),
        ("Persistent", _injuries(sheets, places.persistent)),
        ("Tokens", ", ".join(tokens)),
        ("Controller", shown(controller, LONGEST_NAME)),
        ("Priority target", sheets.who(fight.priority_target) if fight.priority_target else ""),
    ]
    if fight.acting is not None:
        left = f"movement {fight.acting.movement}, activation {fight.acting.activation}"
        rows.append(("Acting", f"{sheets.who(fight.acting.survivor)}: {left} left"))
    return rows


def _injuries(sheets: Sheets, cards: list[str]) -> str:
    """Returns the persistent injuries in play, each with its hit location."""
    told = []
    for card in cards:
        location, name = sheets.record("hit_location", card), sheets.name("hit_location", card)
        injury = words(location.persistent).title() if location is not None else ""
        told.append(f"{injury} ({name})" if injury else name)
    return ", ".join(told)


def part(fight: views.Showdown, id_: str) -> list[str]:
    """Returns a survivor's part in the round."""
    if fight.acting is not None and fight.acting.survivor == id_:
        return ["acting"]
    return ["has acted"] if id_ in fight.acted else []


def _zones(sheets: Sheets, deck: str, kind: str) -> list[tuple[str, str]]:
    """Each zone of a deck: face-down cards as a count, others by name."""
    zones = sheets.table.state.decks[deck].zones
    rows = []
    for zone in dict.fromkeys((*FACE_DOWN[: 2 if deck == "ai" else 1], *zones)):
        cards = zones.get(zone, [])
        if zone not in FACE_DOWN:
            named = _injuries(sheets, cards) if zone == "persistent" else sheets.names(kind, cards)
            rows.append((zone, named))
            continue
        told = f"{len(cards)} face down"
        if sheets.call.spoilers and cards:
            told += ", top first: " + ", ".join(sheets.name(kind, card) for card in cards)
        rows.append((zone, told))
    return rows


def orders(sheets: Sheets) -> list[str]:
    """Returns the order of the face-down cards, a line for each zone of each deck."""
    return [
        f"{name} {zone}: {text}"
        for deck, kind, name in (("ai", "ai_card", "AI"), ("hit_locations", "hit_location", "HL"))
        for zone, text in _zones(sheets, deck, kind)
        if "top first" in text
    ]


def _decks(sheets: Sheets, fight: views.Showdown) -> Any:
    """Returns the decks as ``--json`` shows them, with ``--spoilers`` the face-down cards, too."""
    from kdmlog.cli.kdm_documents import Decks

    if not sheets.call.spoilers:
        return Decks(fight.ai, fight.hit_locations)
    return Decks(fight.ai, fight.hit_locations, face_down(sheets))


def face_down(sheets: Sheets) -> Any:
    """Returns the order of the face-down cards, as ``--json`` shows it."""
    from kdmlog.cli.kdm_documents import Orders

    ai, places = (
        {zone: deck[zone] for zone in FACE_DOWN if zone in deck.zones}
        for deck in map(sheets.table.state.decks.__getitem__, ("ai", "hit_locations"))
    )
    return Orders(ai, places)


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    return to_click(globals()[name], command)
