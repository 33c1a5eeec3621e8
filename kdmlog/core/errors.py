"""Every way kdmlog says no: a stable code, one sentence, and hints on what to do next."""

from __future__ import annotations


class KdmlogError(Exception):
    """Something a person can act on.

    ``code`` is stable and machine-readable, ``message`` one sentence, ``hints`` what to try next.
    ``data`` holds what a script may want besides (plain JSON values).
    """

    code = "error"

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        hints: list[str] | None = None,
        data: dict[str, object] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.code
        self.hints = hints or []
        self.data = data or {}


class Refused(KdmlogError):
    """The rules or the state do not allow it; nothing was appended."""

    code = "refused"


class NotNow(Refused):
    """The action exists but is not legal at this point of the game."""

    code = "not_now"


class UnknownName(Refused):
    """No such survivor, card, option, campaign or branch; the hints name the nearest."""

    code = "unknown_name"


class BadInput(Refused):
    """A face outside its die, a card that cannot be drawn, an option that was not offered."""

    code = "bad_input"


class RulesChanged(Refused):
    """Re-running an open action gives other facts than were recorded."""

    code = "rules_changed"


class ContentError(Refused):
    """A pack, script or archive that cannot be read; the message names file, line and field."""

    code = "content"


class UsageError(KdmlogError):
    """The command's words are off."""

    code = "usage"


class LedgerError(KdmlogError):
    """The database is not kdmlog's, is newer than this program, or is damaged."""

    code = "ledger"


class BranchMoved(KdmlogError):
    """The branch no longer stands where the move was decided."""

    code = "branch_moved"
