"""Text of other people, such as names and notes, made harmless for a terminal."""

from __future__ import annotations

LONGEST_NAME = 40
"""Characters of a name that a line shows."""
LONGEST_LINE = 2000
"""Characters of a line that is printed; who wrote more than that wrote it for no screen."""
_JOINERS = "\u200c\u200d"
"""Invisible, but words of some scripts and many emoji are spelled with them."""
_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")


def shown(text: str, most: int | None = None) -> str:
    """Returns ``text`` on one line, without any character that could steer a terminal.

    Control characters become their pictures (an escape is ␛), line breaks and bidi marks too or
    else �. What is longer than ``most`` characters is cut, and says so with an ellipsis.
    """
    if most is not None and len(text) > most:
        text = text[: most - 1] + "…"
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_seen, text))


def hidden(text: str) -> str:
    """Returns the first character that nobody sees, and a terminal may heed; empty for none."""
    if text.isascii() and text.isprintable():
        return ""
    return next((char for char in text if _hides(char)), "")


def escaped(json: str) -> str:
    """Returns JSON that means the same, with the characters that ``shown`` makes harmless escaped.

    Nothing in it steers a terminal then, or looks like a line's end to a tool that reads lines.
    """
    if json.isascii() and "\x7f" not in json:
        return json
    odd = [char for char in dict.fromkeys(json) if char != "\n" and _hides(char)]
    return json.translate({ord(char): _escape(char) for char in odd}) if odd else json


def _escape(char: str) -> str:
    units = char.encode("utf-16-be").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def words(id_: str) -> str:
    """Returns an id as words: what stands for a name where no pack knows one."""
    return shown(id_.replace("_", " "))


def _hides(char: str) -> bool:
    import unicodedata  # most of what is shown has no need of it

    return unicodedata.category(char) in _UNSEEN and char not in _JOINERS


def _seen(char: str) -> str:
    if not _hides(char):
        return char
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else "\N{REPLACEMENT CHARACTER}"
