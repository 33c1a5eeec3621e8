"""Opens a campaign, plays actions on it and keeps them: where ledger, game and content meet."""

from kdmlog.session.campaigns import (
    NewOptions,
    campaign_in_use,
    campaigns,
    find_campaign,
    lost_tail,
    new_campaign,
    open_session,
    use_campaign,
)
from kdmlog.session.results import ActionEntry, Diff, Redone, Result, Undone, Write, WriteOptions
from kdmlog.session.session import Session

__all__ = [
    "ActionEntry",
    "Diff",
    "NewOptions",
    "Redone",
    "Result",
    "Session",
    "Undone",
    "Write",
    "WriteOptions",
    "campaign_in_use",
    "campaigns",
    "find_campaign",
    "lost_tail",
    "new_campaign",
    "open_session",
    "use_campaign",
]
