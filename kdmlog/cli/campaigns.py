"""Campaigns: start one, list them, use one."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import Annotated, Any

import typer
from msgspec import structs

from kdmlog.cli import say
from kdmlog.cli.build import to_click
from kdmlog.cli.call import Call, current
from kdmlog.cli.documents import Campaign, Removed
from kdmlog.cli.errors import warn
from kdmlog.cli.progress import progress
from kdmlog.cli.varied import varied
from kdmlog.core.errors import Refused, UsageError
from kdmlog.core.events import Noted
from kdmlog.core.names import slug
from kdmlog.session import (
    NewOptions,
    Result,
    Session,
    campaign_in_use,
    find_campaign,
    lost_tail,
    new_campaign,
    use_campaign,
)
from kdmlog.session import campaigns as list_campaigns
from kdmlog.session.campaigns import Shelved


def new(
    name: Annotated[str, typer.Argument(help="the campaign's name")],
    game: Annotated[str, typer.Option(help="the game")] = "kdm",
    player: Annotated[
        list[str] | None, typer.Option("--player", "-p", help="a player; repeat for each")
    ] = None,
    variant: Annotated[
        list[str] | None,
        typer.Option("--variant", help="a variant, such as quick or hero; repeat for each"),
    ] = None,
    edition: Annotated[str, typer.Option(help="the edition of the rules: 1.3 or 1.6")] = "",
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
        edition=edition,
        variants=tuple(variant or ()),
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
    for text in varied(session.game, session.table.state):
        say.line(f"      {text}")
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


def campaigns(
    all_: Annotated[bool, typer.Option("--all", help="those that are hidden, too")] = False,
) -> None:
    """List the campaigns."""
    call = current()
    found = list_campaigns(call.path())
    warn(lost_tail(call.path()), json=call.json)
    if call.json:
        say.as_json([document(one) for one in found])
        return
    if not found:
        say.line("No campaign yet.  Next: kdmlog new NAME")
    used = campaign_in_use(call.path())
    for one in found:
        if all_ or not one.hidden:
            mark = "*" if one.slug == used else " "
            since = f"since {one.created[:10]}" + ("  ·  hidden" if one.hidden else "")
            say.line(f"{mark} {one.slug:<18} {one.name}  ·  {one.game}  ·  {since}")
    hidden = sum(one.hidden for one in found)
    if hidden and not all_:
        say.line(f"  {hidden} hidden: campaigns --all")


def use(
    campaign: Annotated[str, typer.Argument(help="the campaign's name, or the beginning of it")],
) -> None:
    """Use a campaign from now on."""
    call = current()
    call.really()
    found = use_campaign(call.path(), campaign)
    if call.json:
        say.as_json(document(found))
    else:
        say.line(f"Using {found.name}.")


def hide(
    campaign: Annotated[str, typer.Argument(help="the campaign's name, or the beginning of it")],
) -> None:
    """Leave a campaign out of the list; nothing else about it changes."""
    _set_hidden(campaign, True)


def unhide(
    campaign: Annotated[str, typer.Argument(help="the campaign's name, or the beginning of it")],
) -> None:
    """Bring a hidden campaign back into the list."""
    _set_hidden(campaign, False)


def _set_hidden(name: str, hidden: bool) -> None:
    call = current()
    call.only()
    from kdmlog.session.removal import hide_campaign

    done = hide_campaign(call.path(), name, hidden)
    if call.json:
        say.as_json(document(done))
    elif hidden:
        say.line(f"{done.name} is hidden; it can be used as before.  Back: campaign unhide")
    else:
        say.line(f"{done.name} is in the list again.")


def remove(
    campaign: Annotated[str, typer.Argument(help="the campaign's name, or the beginning of it")],
    yes: Annotated[bool, typer.Option("--yes", help="without asking")] = False,
) -> None:
    """Write a campaign to an archive, and take it out of the ledger."""
    call = current()
    call.only()
    if call.session is not None:
        raise UsageError("A campaign is removed outside of play and scripts.")
    from kdmlog.session.removal import remove_campaign

    found = find_campaign(call.path(), campaign)
    if not yes:
        _agree(call, found)
    with progress("Writing") as advance:
        done = remove_campaign(call.path(), found.slug, advance=advance)
    if call.json:
        say.as_json(
            Removed(
                campaign=document(done.campaign),
                archive=done.archive.file,
                moves=done.archive.counts.moves,
                was_in_use=done.in_use,
                shrank=done.shrank,
            )
        )
        return
    say.line(f"Removed {done.campaign.name}; all of it is in {done.archive.file}.")
    if not done.shrank:
        say.line(
            "      Its old text is in the file yet: another program reads there, or the disk is"
        )
        say.line("      full. When that is over, the next command that writes clears it out.")
    say.line("      Backups that were made before hold it still.")
    if done.in_use:
        say.line("      It was the one in use.  Next: kdmlog use CAMPAIGN")
    say.line(f"      Back: kdmlog import {quote(done.archive.file)}")


def _agree(call: Call, found: Shelved) -> None:
    """Goes on if the campaign's name is typed. Raises Refused if not, or where nobody is there."""
    if not (call.json or call.scripted) and sys.stdin.isatty():
        say.line(f"      {found.name} is written to an archive, then taken out of the ledger.")
        with suppress(EOFError, KeyboardInterrupt):
            if slug(input("      Its name, to remove it: ")) in (found.slug, slug(found.name)):
                return
    raise Refused(
        f"Nothing was removed: {found.name} ({found.slug}) would be.",
        code="not_agreed",
        hints=["--yes removes it", "campaign hide keeps it out of sight"],
    )


def document(one: Shelved) -> Campaign:
    """Returns a campaign as JSON has it."""
    return Campaign(one.slug, one.name, one.game, one.hidden)


def build(name: str, command: str) -> Any:
    """Returns one of this module's commands."""
    return to_click(globals()[name], command)
