"""The reference in ``ARCHITECTURE.md`` is fresh, and leaves out no command and no event."""

from __future__ import annotations

import pytest
import reference

from kdmlog.cli.table import COMMANDS
from kdmlog.games.kdm.game import GAME

PAGE = reference.PAGE.read_text(encoding="utf-8")
HAND_WRITTEN = 100
"""Lines above the reference: it is a page to read, once."""


def rows(page: str) -> dict[str, list[str]]:
    """Returns the rows of the page's tables by their first cell."""
    cells = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| ")]
    return {row[0].strip("`"): row for row in cells}


ROWS = rows(PAGE)


def test_it_is_fresh() -> None:
    assert reference.written(PAGE) == PAGE, "python -m tests.reference"


def test_it_is_found_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COMMANDS, "dance", COMMANDS["campaigns"]._replace(help="Dance."))
    assert reference.written(PAGE) != PAGE


def test_a_page_without_its_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="lacks a mark"):
        reference.written("# How kdmlog is built\n")


@pytest.mark.parametrize("words", [words for words, _ in reference.commands()])
def test_every_command_is_in_it(words: str) -> None:
    entry = dict(reference.commands())[words]
    assert ROWS[reference.usage_line(words, entry).replace("|", "\\|")][1] == entry.help


@pytest.mark.parametrize("event", GAME.all_events, ids=reference.kind)
def test_every_kind_of_event_is_in_it(event: type) -> None:
    _, says, *of = ROWS[reference.kind(event)]
    assert says == reference.meaning(event)
    assert says.endswith("."), "the first line of its docstring is a sentence"
    own = [name for name in event.__struct_fields__ if name != "cause"]
    assert "".join(of).strip("`").translate({91: None, 93: None}).split() == own


def test_usage_lines_read_as_typed() -> None:
    used = {words: reference.usage_line(words, entry) for words, entry in reference.commands()}
    assert used["attack"] == "attack SURVIVOR [WEAPON] [--blind]"
    assert used["diff"] == "diff A [B]"
    assert used["answer"] == "answer [VALUE…] [--again]"
    assert used["do"] == "do [ACTION…]"
    assert "[--player PLAYER …]" in used["new"] and "[--table-dice]" in used["new"]


def test_what_is_written_by_hand_is_a_short_page() -> None:
    by_hand = PAGE.partition(reference.BEGIN)[0].splitlines()
    assert 0 < len(by_hand) <= HAND_WRITTEN
    assert all(len(line) <= 100 for line in by_hand)
