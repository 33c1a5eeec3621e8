"""Starts campaigns and opens them again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from kdmlog.core import events as e
from kdmlog.core.actions import New
from kdmlog.core.errors import BadInput, KdmlogError, Refused, UnknownName
from kdmlog.core.game import Game, Table
from kdmlog.core.inputs import Inputs
from kdmlog.core.names import match, slug
from kdmlog.core.text import words
from kdmlog.ledger import Campaign, Ledger, NewMove
from kdmlog.ledger.removal import finish
from kdmlog.ledger.witness import Witness
from kdmlog.packs.library import Library
from kdmlog.packs.pack import pack_hash
from kdmlog.session.codec import Codec, encode
from kdmlog.session.content import built_in, references
from kdmlog.session.games import find_game
from kdmlog.session.results import Result
from kdmlog.session.resume import Run, opening, run
from kdmlog.session.session import Session, now
from kdmlog.session.views import keep_views

Shelved = Campaign
"""A campaign as a ledger lists it."""


class NewOptions(Struct, frozen=True, kw_only=True):
    """How a new campaign is played.

    Without a ``seed`` it gets one that nobody knows. ``packs`` are canonical packs of the players'
    own, over the game's. ``sheet`` holds the paper sheets of a campaign to take over, in the game's
    own fields.
    """

    players: tuple[str, ...] = ()
    seed: str = ""
    edition: str = ""
    variants: tuple[str, ...] = ()
    table_dice: bool = False
    table_cards: bool = False
    ask_dice: bool = False
    packs: tuple[bytes, ...] = ()
    sheet: dict[str, Any] | None = None


def _checked(options: NewOptions, game: Game) -> NewOptions:
    """Returns the options with what the game calls its edition and variants.

    Raises UnknownName for those it does not know.
    """
    edition = options.edition
    if game.editions:
        known = {one: one for one in game.editions}
        edition = match(edition, known, "edition") if edition else game.usual_edition
    names = {one: words(one) for one in game.variants}
    chosen = dict.fromkeys(match(one, names, "variant") for one in options.variants)
    return structs.replace(options, edition=edition, variants=tuple(chosen))


def new_campaign(
    db: Path | str,
    name: str,
    *,
    game: str = "kdm",
    options: NewOptions | None = None,
    by: str = "",
    at: str | None = None,
) -> tuple[Session, Result]:
    """Starts a campaign and makes it the one in use; the ledger is made when there is none.

    Raises Refused when there is one of that name, UnknownName when there is no such game, Faulty
    when the sheet does not fit the game: then nothing is made.
    """
    options = options or NewOptions()
    played = find_game(game)
    if not slug(name):
        raise BadInput("A campaign needs a name.")
    options = _checked(options, played)
    from secrets import token_hex

    begun = e.CampaignBegun(
        name=name,
        seed=options.seed or token_hex(8),
        players=options.players,
        edition=options.edition,
        variants=options.variants,
        table_dice=options.table_dice,
        table_cards=options.table_cards,
        ask_dice=options.ask_dice,
    )
    cache: dict[str, bytes] = {}
    if options.sheet is not None and not Path(db).exists():
        sources = built_in(played, options.edition, cache.get, cache.__setitem__)
        _begin(played, begun, [*sources, *options.packs], options.sheet)  # before a ledger is made
    ledger = Ledger.open(db)
    try:
        for key, source in cache.items():
            ledger.cache_put(key, source)
        own = built_in(played, options.edition, ledger.cache_get, ledger.cache_put)
        sources = [*own, *options.packs]
        empty = Table(played.new_state(), Library([], played.kinds))
        done = _begin(played, begun, sources, options.sheet)
        first = NewMove(
            kind="acted",
            begins=None,
            input=encode(New(name=name, game=game, sheet=options.sheet)),
            bodies=[encode(event) for event in done.events],
            by=by,
            at=at or now(),
            request_id=None,
            rules=played.rules,
        )
        campaign = ledger.create_campaign(
            slug(name),
            name,
            game,
            token_hex(16),
            by,
            first.at,
            first,
            packs={pack_hash(source): source for source in sources},
        )
        keep_views(ledger)
        session = Session(ledger, played, campaign, ledger.branch_in_use(campaign.id), by=by)
    except BaseException:
        ledger.close()
        raise
    return session, Result(1, done.events, done.open, empty, session.table)


def _begin(
    game: Game, begun: e.CampaignBegun, sources: list[bytes], sheet: dict[str, Any] | None
) -> Run:
    """Plays a campaign's first move in memory."""
    packs = e.PacksChanged(packs=references(sources))
    table = Table(game.new_state(), Library(sources, game.kinds))
    play = opening(game, table, begun, packs, sheet)
    return run(game, Codec(game), table, play, Inputs(), began=1)


def open_session(
    db: Path | str,
    campaign: str | None = None,
    branch: str | None = None,
    *,
    readonly: bool = False,
    vouched: bool = True,
    by: str = "",
) -> Session:
    """Opens a campaign on a branch; each is the one in use when not named.

    Raises Refused when there is no campaign yet, UnknownName when there is none of that name,
    LedgerError when what says where the branches stand is damaged, unless that is to be ignored.
    """
    if not _there(db):
        raise _none_yet(db)
    ledger = Ledger.open(db, readonly=readonly, create=False)
    try:
        found = found_campaign(ledger, campaign, db)
        if not readonly:
            keep_views(ledger)
            finish(ledger)
        on = branch or ledger.branch_in_use(found.id)
        if vouched:
            ledger.vouch(found.id, on)
        return Session(ledger, find_game(found.game), found, on, by=by)
    except BaseException:
        ledger.close()
        raise


def campaigns(db: Path | str) -> list[Campaign]:
    """Returns the campaigns of a ledger, oldest first; none when there is no ledger yet."""
    if not _there(db):
        return []
    with Ledger.open(db, readonly=True) as ledger:
        found = ledger.campaigns()
        for campaign in found:
            ledger.vouch(campaign.id, ledger.branch_in_use(campaign.id))
        return found


def campaign_in_use(db: Path | str) -> str | None:
    """Returns the slug of the campaign last used; None when there is none yet."""
    if not _there(db):
        return None
    with Ledger.open(db, readonly=True) as ledger:
        return ledger.current()[0]


def find_campaign(db: Path | str, name: str) -> Campaign:
    """Returns the campaign that a name means. Raises as ``open_session`` does."""
    if not _there(db):
        raise _none_yet(db)
    with Ledger.open(db, readonly=True) as ledger:
        return found_campaign(ledger, name, db)


def use_campaign(db: Path | str, name: str, branch: str | None = None) -> Campaign:
    """Makes a campaign the one in use. Raises as ``open_session`` does."""
    if not _there(db):
        raise _none_yet(db)
    with Ledger.open(db, create=False) as ledger:
        found = found_campaign(ledger, name, db)
        ledger.use(found.slug, branch)
        return found


def lost_tail(db: Path | str) -> KdmlogError | None:
    """Returns what the ledger's witness misses in it, or None when all is there."""
    if not _there(db):
        return None
    with Ledger.open(db, readonly=True) as ledger:
        return ledger.lost


def _there(db: Path | str) -> bool:
    """Whether there is a ledger. Raises LedgerError when there was one, and it is gone."""
    if Path(db).exists():
        return True
    missed = Witness(Path(db)).missed()
    if missed:
        raise missed
    return False


def found_campaign(ledger: Ledger, name: str | None, db: Path | str) -> Campaign:
    """Returns the campaign that ``name`` means, also by a name it has no more; None: the one in
    use. Raises Refused when there is none, UnknownName when there is none of that name.
    """
    known = {campaign.slug: campaign for campaign in ledger.campaigns()}
    if not known:
        raise _none_yet(db)
    if name is None:
        name = ledger.current()[0]
        if name is None:
            raise Refused("No campaign is in use.", hints=[f"kdmlog use {next(iter(known))}"])
    try:
        return known[match(name, {id_: one.name for id_, one in known.items()}, "campaign")]
    except UnknownName:
        earlier = [one for one in known.values() if one.founded == slug(name)]
        if len(earlier) != 1:
            raise
        return earlier[0]


def _none_yet(db: Path | str) -> Refused:
    return Refused(
        f"There is no campaign yet in {db}.", code="no_campaign", hints=["kdmlog new NAME"]
    )
