"""Which campaigns stand in a ledger, what they are called here, and which one is in use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kdmlog.core.errors import Refused
from kdmlog.core.names import slug as slug_of
from kdmlog.ledger.connection import transaction
from kdmlog.ledger.refs import Branches, unknown
from kdmlog.ledger.structs import Campaign

_SET = (
    "INSERT INTO setting (key, value) VALUES (?, ?) "
    "ON CONFLICT (key) DO UPDATE SET value = excluded.value"
)
# A campaign's own row never changes. What it is called here, and whether it is out of sight, are
# settings of this ledger.
_CAMPAIGNS = (
    "SELECT c.id, c.uid, ifnull(s.value, c.slug), ifnull(n.value, c.name), c.game, c.created, "
    "h.value IS NOT NULL, c.slug FROM campaign c "
    "LEFT JOIN setting s ON s.key = 'slug/' || c.uid "
    "LEFT JOIN setting n ON n.key = 'name/' || c.uid "
    "LEFT JOIN setting h ON h.key = 'hidden/' || c.uid ORDER BY c.id"
)


class Shelf(Branches):
    """The campaigns of a ledger."""

    def campaigns(self) -> list[Campaign]:
        """Returns all campaigns, oldest first."""
        return list(self._campaigns())

    def campaign(self, slug: str) -> Campaign | None:
        """Returns the campaign of that slug, or None."""
        return next((one for one in self._campaigns() if one.slug == slug), None)

    def campaign_with(self, uid: str) -> Campaign | None:
        """Returns the campaign of that uid, the same in every ledger that holds it, or None."""
        return next((one for one in self._campaigns() if one.uid == uid), None)

    def current(self) -> tuple[str | None, str]:
        """Returns the slug and the branch in use; None and ``main`` before any campaign."""
        row = self._one(tuple[str], "SELECT value FROM setting WHERE key = 'campaign'")
        campaign = self.campaign_with(row[0]) if row else None
        return (campaign.slug, self.branch_in_use(campaign.id)) if campaign else (None, "main")

    def use(self, slug: str, branch: str | None = None) -> None:
        """Makes a campaign current, on ``branch`` or on the one it was last used on.

        Raises UnknownName when there is no such campaign or branch.
        """
        campaign = self.campaign(slug)
        if campaign is None:
            raise unknown("campaign", slug, [each.slug for each in self.campaigns()])
        with transaction(self.connection):
            branch = branch or self.branch_in_use(campaign.id)
            self.head(campaign.id, branch)
            self._use(campaign.uid, branch)

    def choose_branch(self, campaign: Campaign, branch: str) -> None:
        """Makes a branch the one to be used when its campaign is."""
        with transaction(self.connection):
            self._set(f"branch/{campaign.uid}", branch)

    def call_campaign(self, campaign: Campaign, name: str) -> Campaign:
        """Calls a campaign so in this ledger; its history says what it was called when.

        Raises Refused when another one is called so here.
        """
        slug = slug_of(name)
        with transaction(self.connection):
            other = self.campaign(slug)
            if not slug or (other and other.id != campaign.id):
                raise Refused(f"There is already a campaign {slug}.", code="exists")
            self._set(f"name/{campaign.uid}", name)
            self._set(f"slug/{campaign.uid}", slug)
        found = self.campaign_with(campaign.uid)
        assert found is not None
        return found

    def hide(self, campaign: Campaign, hidden: bool) -> None:
        """Takes a campaign out of sight, or brings it back; nothing else about it changes."""
        with transaction(self.connection):
            if hidden:
                self._set(f"hidden/{campaign.uid}", "1")
            else:
                key = f"hidden/{campaign.uid}"
                self.connection.execute("DELETE FROM setting WHERE key = ?", (key,))

    def shelve(self, campaign: Campaign, settings: Mapping[str, str]) -> None:
        """Calls and hides a campaign as the settings of another ledger did."""
        with transaction(self.connection):
            for what in ("name", "slug", "hidden"):
                key = f"{what}/{campaign.uid}"
                if key in settings:
                    self._set(key, settings[key])

    def _campaigns(self) -> Iterator[Campaign]:
        rows = self._each(tuple[int, str, str, str, str, str, int, str], _CAMPAIGNS)
        return (Campaign(*row[:6], bool(row[6]), row[7]) for row in rows)

    def _use(self, uid: str, branch: str) -> None:
        self._set("campaign", uid)
        self._set(f"branch/{uid}", branch)

    def _set(self, key: str, value: str) -> None:
        self.connection.execute(_SET, (key, value))
