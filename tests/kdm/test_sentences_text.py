"""Text of other people is shown on one line and harmlessly."""

from __future__ import annotations

import pytest

from kdmlog.core.text import shown, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Allister", "Allister"),
        ("Zoë 黒 🦁", "Zoë 黒 🦁"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("\x1b[2Jgone", "␛[2Jgone"),
        ("a\r\nb\tc\0", "a␍␊b␉c␀"),
        ("\x7f\x9b", "␡�"),
        ("\u202etxt.exe\u202c", "�txt.exe�"),
        ("\u2066a\u2069\u200f\u061c", "�a���"),
        ("a\u2028b\u2029c", "a�b�c"),
        ("\ud800", "�"),
        ("", ""),
    ],
)
def test_shown(text: str, expected: str) -> None:
    assert shown(text) == expected


def test_long_text_is_cut_where_asked() -> None:
    assert shown("x" * 1_000_000, 10) == "xxxxxxxxx…"
    assert shown("x" * 10, 10) == "x" * 10
    assert len(shown("x" * 1_000_000)) == 1_000_000


def test_words() -> None:
    assert words("lost_hand") == "lost hand"
    assert words("a\x1b_b") == "a␛ b"
