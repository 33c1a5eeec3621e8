"""What a campaign is called in its ledger follows what its log says, where that name is free."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from kdmlog.core.errors import Refused
from kdmlog.core.events import CampaignRenamed, Event
from kdmlog.core.names import slug
from kdmlog.ledger import Campaign, Ledger


def check_free(ledger: Ledger, campaign: Campaign, events: Iterable[Event]) -> None:
    """Raises Refused when one of the events gives the campaign a name that another has here."""
    for event in events:
        if isinstance(event, CampaignRenamed):
            other = ledger.campaign(slug(event.name))
            if other is not None and other.id != campaign.id:
                raise Refused(f"There is already a campaign {other.slug}.", code="exists")


def renames(events: Iterable[Event]) -> bool:
    """Returns whether an event gives the campaign another name."""
    return CampaignRenamed in map(type, events)


def called(ledger: Ledger, campaign: Campaign, name: str) -> Campaign:
    """Calls a campaign as its log does now, unless another one has that name here by now."""
    if name != campaign.name:
        with suppress(Refused):
            return ledger.call_campaign(campaign, name)
    return campaign
