"""Campaigns: start one, list them, use one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec import structs

from kdmlog.cli import say
from kdmlog.cli.build import to_click
from kdmlog.cli.call import current
from kdmlog.cli.documents import Campaign
from kdmlog.cli.errors import warn
from kdmlog.core.errors import UsageError
from kdmlog.core.events import Noted
from kdmlog.session import (
    NewOptions,
    Result,
    Session,
    campaign_in_use,
    lost_tail,
    new_campaign,
    use_campaign,
)
from kdmlog.session import campaigns as list_campaigns


def new(
    name: Annotated[str, typer.Argument(help="the campaign's name")],
    game: Annotated[str, typer.Option(help="the game")] = "kdm",
    player: Annotated[
        list[str] | None, typer.Option("--player", "-p", help="a player; repeat for each")
    ] = None,
    seed: Annotated[str, typer.Option(help="the seed of kdmlog's dice")] = "",
    table_dice: Annotated[bool, typer.Option(help="the dice are the table's")] = False,
    table_cards: Annotated[bool, typer.Option(help="the cards are the table's")] = False,
    table: Annotated[bool, typer.Option(help="dice and cards are the table's")] = False,
    ask_dice: Annotated[bool, typer.Option(help="ask before kdmlog rolls")] = False,
    sheet: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="SHEET.toml",
            help="go on from paper sheets in mid-campaign (an example: content sheet)",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Start a campaign and use it."""
    call = current()
    call.really()
    players = tuple(one.strip() for one in player or ())
    if not all(players):
        raise UsageError("A player needs a name.")
    if len({one.lower() for one in players}) != len(players):
        raise UsageError("Two players have the same name.")
    options = NewOptions(
        players=players,
        seed=seed,
        edition="1.3",
        table_dice=table_dice or table,
        table_cards=table_cards or table,
        ask_dice=ask_dice,
    )
    by = call.write.get("by", "")
    if sheet is None:
        session, done = new_campaign(call.path(), name, game=game, options=options, by=by)
    else:
        session, done = _from_sheet(call.path(), name, game, options, by, sheet)
    call.session = session
    if call.json:
        say.result(call, session, done)
        return
    say.line(f"{session.campaign.name}  ·  {session.game.title}  ·  {_physical(options)}")
    if sheet is not None:
        _say_taken_over(session, done)
    say.line(f"Next: {session.game.step(session.table)}")


def _from_sheet(
    db: Path, name: str, game: str, options: NewOptions, by: str, file: str
) -> tuple[Session, Result]:
    """Starts a campaign from a file of paper sheets. Raises FileError with file, line and field."""
    from kdmlog.packs import toml_loader
    from kdmlog.packs.diagnose import Faulty

    document = toml_loader.read(Path(file).expanduser())
    options = structs.replace(options, sheet=document.data)
    try:
        return new_campaign(db, name, game=game, options=options, by=by)
    except Faulty as error:
        raise document.error(error.faults) from None


def _say_taken_over(session: Session, done: Result) -> None:
    """Says who stands there now, and what was noted about the sheets."""
    game, table = session.game, session.table
    notes = [game.sentence(event, table) for event in done.events if isinstance(event, Noted)]
    headline = game.headline(session.entry(done.number).action, done.events, table)
    for text in (headline, *game.standing(table), *notes):
        say.line(f"      {text}")


def _physical(options: NewOptions) -> str:
    """What is the table's and what is kdmlog's."""
    dice = "table's" if options.table_dice else "kdmlog's"
    cards = "table's" if options.table_cards else "kdmlog's"
    if dice == cards:
        return f"dice and cards: the {dice}" if options.table_dice else "dice and cards: kdmlog's"
    return f"dice: {dice}, cards: {cards}"


def campaigns() -> None:
    """List the campaigns."""
    call = current()
    found = list_campaigns(call.path())
    warn(lost_tail(call.path()), json=call.json)
    if call.json:
        say.as_json([Campaign(one.slug, one.name, one.game) for one in found])
        return
    if not found:
        say.line("No campaign yet.  Next: kdmlog new NAME")
    used = campaign_in_use(call.path())
    for one in found:
        mark = "*" if one.slug == used else " "
        say.line(f"{mark} {one.slug:<18} {one.name}  ·  {one.game}  ·  since {one.created[:10]}")


def use(
    campaign: Annotated[str, typer.Argument(help="the campaign's name, or the beginning of it")],
) -> None:
    """Use a campaign from now on."""
    call = current()
    call.really()
    found = use_campaign(call.path(), campaign)
    if call.json:
        say.as_json(Campaign(found.slug, found.name, found.game))
    else:
        say.line(f"Using {found.name}.")


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    return to_click(globals()[name], command)
