"""Positions as players write them."""

from __future__ import annotations

import pytest

from kdmlog.core.errors import BadInput
from kdmlog.core.positions import (
    AtHash,
    AtMove,
    AtTime,
    Back,
    Landmark,
    Position,
    parse_position,
)


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("14", AtMove(14)),
        (" 14 ", AtMove(14)),
        ("h:a31f", AtHash("a31f")),
        ("@{2}", Back(2)),
        ("ly:5", Landmark("ly", 5)),
        ("showdown:3", Landmark("showdown", 3)),
        ("2026-11-30T18:00:00Z", AtTime("2026-11-30T18:00:00Z")),
        ("2026-11-30T19:00:00+01:00", AtTime("2026-11-30T18:00:00Z")),
    ],
)
def test_parsed(text: str, position: Position) -> None:
    assert parse_position(text) == position


@pytest.mark.parametrize("text", ["", "x", "h:", "h:xyz", "@{}", "@{-1}", "ly:", "ly:x", "-1"])
def test_what_means_nothing(text: str) -> None:
    with pytest.raises(BadInput):
        parse_position(text)
