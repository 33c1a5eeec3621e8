"""A move is kept whole, on the head it was decided on, or not at all."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ledger_helpers import AT, ROOT, append, new_move, start, story, undo

import kdmlog
from kdmlog.core.errors import (
    BadInput,
    BranchMoved,
    KdmlogError,
    LedgerError,
    Refused,
    UnknownName,
)
from kdmlog.ledger import Campaign, Ledger, Move, NewMove, pack_hash


def test_a_new_campaign_stands_before_any_move_and_is_current(ledger: Ledger) -> None:
    assert ledger.current() == (None, "main")
    head = start(ledger)
    campaign = Campaign(*(1, "uid-lanterns", "lanterns", "Lanterns", "toy", AT), founded="lanterns")
    assert ledger.campaign("lanterns") == campaign
    assert ledger.campaigns() == [campaign]
    assert ledger.campaign("other") is None
    assert (head.number, head.follows) == (0, True)
    assert ledger.current() == ("lanterns", "main")
    assert list(ledger.events(head)) == list(ledger.moves(head)) == []


def test_a_campaign_may_begin_with_a_move_and_packs(ledger: Ledger) -> None:
    source = b'{"id":"core"}'
    campaign = ledger.create_campaign(
        *("a", "A", "toy", "u", "ada", AT),
        first=new_move("found"),
        branch="trunk",
        packs={pack_hash(source): source},
    )
    head = ledger.head(campaign.id, "trunk")
    assert (head.number, head.follows, story(ledger, head)) == (1, True, "found")
    assert ledger.pack(pack_hash(source)) == source
    assert ledger.current() == ("a", "trunk")
    assert ledger.verify() == []


def test_a_slug_or_uid_twice_is_refused(ledger: Ledger) -> None:
    start(ledger)
    with pytest.raises(Refused, match="already a campaign lanterns"):
        start(ledger)
    with pytest.raises(Refused, match="holds this campaign"):
        ledger.create_campaign("b", "B", "toy", "uid-lanterns", "ada", AT)
    assert len(ledger.campaigns()) == 1


def test_a_move_reads_as_it_was_appended(ledger: Ledger) -> None:
    head = start(ledger)
    text = 'quote " \x1b[31m \u202e \x00 ☃ \n' + "x" * 100_000
    move = NewMove("answered", 1, text, ['{"kind":"a.b"}', '{"kind":"ü"}'], "bo", AT, "r-1", 7)
    after = ledger.append(head, move)
    kept = ledger.move(after, 1)
    assert kept == Move(
        *(1, after.line, "answered", 1, text, "bo", AT, "r-1", kdmlog.__version__, 7),
        *(after.hash, ('{"kind":"a.b"}', '{"kind":"ü"}')),
    )
    assert ledger.head(head.campaign, "main") == after
    kinds = ledger.connection.execute("SELECT kind FROM event_kind").fetchall()
    assert kinds == [("a.b",), ("ü",)]


def test_a_move_may_have_no_events(ledger: Ledger) -> None:
    head = append(ledger, start(ledger), "a")
    head = append(ledger, ledger.append(head, new_move("b", 0)), "c")
    assert [len(move.bodies) for move in ledger.moves(head)] == [2, 0, 2]
    assert len(list(ledger.events(head))) == 4
    assert len(list(ledger.events(head, after=1))) == 2
    assert ledger.verify() == []


def test_an_append_to_a_followed_line_writes_no_ref(ledger: Ledger) -> None:
    head = append(ledger, start(ledger), "a", "b", "c")
    assert [ref.reason for ref in ledger.oplog(head.campaign)] == ["begin"]


def test_an_append_on_a_head_that_has_moved_is_refused(ledger: Ledger) -> None:
    old = append(ledger, start(ledger), "a")
    new = append(ledger, old, "b")
    with pytest.raises(BranchMoved, match="from move 1 to move 2") as caught:
        ledger.append(old, new_move("c"))
    assert caught.value.data == {"was": 1, "now": 2}
    assert ledger.head(old.campaign, "main") == new
    undone = undo(ledger, new)
    with pytest.raises(BranchMoved):
        append(ledger, new, "c")
    assert story(ledger, append(ledger, undone, "d")) == "a d"


def test_the_move_of_another_connection_is_seen(path: Path, ledger: Ledger) -> None:
    head = append(ledger, start(ledger), "a")
    with Ledger.open(path, wait=0.05) as other:
        other_head = append(other, other.head(head.campaign, "main"), "b")
        with pytest.raises(BranchMoved):
            append(ledger, head, "c")
        head = append(ledger, other_head, "c")
        assert undo(other, head).number == 2
        with pytest.raises(BranchMoved):
            append(ledger, head, "d")


def test_a_writer_that_keeps_the_ledger_is_named_busy(path: Path, ledger: Ledger) -> None:
    head = start(ledger)
    with Ledger.open(path) as other:
        other.connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(BranchMoved) as caught:
            append(ledger, head, "a")
        assert caught.value.code == "busy"
        assert ledger.head(head.campaign, "main") == head  # readers are never kept out
    assert append(ledger, head, "a").number == 1


def test_a_move_that_cannot_be_kept_leaves_nothing(ledger: Ledger) -> None:
    head = undo(ledger, append(ledger, start(ledger), "a"))
    bodies: Any = ['{"kind":"a.b"}', b"no text"]
    bad = NewMove("acted", None, "{}", bodies, "ada", AT, None, 1)
    with pytest.raises(LedgerError):
        ledger.append(head, bad, packs={pack_hash(b"{}"): b"{}"})
    assert ledger.pack(pack_hash(b"{}")) is None
    assert ledger.head(head.campaign, "main") == head
    assert ledger.verify() == []


def test_half_a_character_is_refused(ledger: Ledger) -> None:
    head = start(ledger)
    with pytest.raises(BadInput, match="half a character"):
        append(ledger, head, "\udc80")
    with pytest.raises(KdmlogError):
        ledger.head(head.campaign, "\udc80")
    assert ledger.verify() == []


def test_a_full_disk_is_one_sentence_and_leaves_the_earlier_moves(ledger: Ledger) -> None:
    head = append(ledger, start(ledger), "a")
    pages = ledger.connection.execute("PRAGMA page_count").fetchone()[0]
    ledger.connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(LedgerError, match="The disk is full") as caught:
        append(ledger, head, "b" * 100_000)
    assert caught.value.code == "full"
    assert story(ledger, ledger.head(head.campaign, "main")) == "a"
    ledger.connection.execute("PRAGMA max_page_count = 1000000")
    assert story(ledger, append(ledger, head, "c")) == "a c"


def test_a_request_has_one_effect_in_its_campaign(ledger: Ledger) -> None:
    head = ledger.append(start(ledger), new_move("a", request_id="r"))
    found = ledger.find_request(head.campaign, "r")
    assert found and found.hash == head.hash
    assert ledger.find_request(head.campaign, "q") is None
    undone = undo(ledger, head)
    with pytest.raises(Refused) as caught:
        ledger.append(undone, new_move("b", request_id="r"))
    assert caught.value.code == "request_repeated"
    other = start(ledger, "other")
    assert ledger.find_request(other.campaign, "r") is None
    assert ledger.append(other, new_move("a", request_id="r")).number == 1


def test_packs_are_kept_once_under_their_hash(ledger: Ledger) -> None:
    hash = pack_hash(b"{}")
    ledger.put_pack(hash, b"{}")
    ledger.put_pack(hash, b"{}")
    assert ledger.pack(hash) == b"{}"
    assert ledger.pack("other") is None
    with pytest.raises(LedgerError, match="hash"):
        ledger.put_pack(hash, b"[]")


def test_the_cache_may_be_lost_at_any_time(path: Path, ledger: Ledger) -> None:
    assert ledger.cache_get("k") is None
    ledger.cache_put("k", b"1")
    ledger.cache_put("k", b"2")
    assert ledger.cache_get("k") == b"2"
    with Ledger.open(path, readonly=True) as reader:
        reader.cache_put("k", b"3")
        assert reader.cache_get("k") == b"2"
    ledger.connection.execute("DELETE FROM cache")
    assert ledger.cache_get("k") is None
    ledger.connection.execute("DROP TABLE cache")
    assert ledger.cache_get("k") is None
    ledger.cache_put("k", b"4")


def test_the_branch_in_use_is_remembered_by_campaign(ledger: Ledger) -> None:
    head = append(ledger, start(ledger), "a")
    ledger.create_branch(head.campaign, "what-if", head, "ada", AT)
    ledger.use("lanterns", "what-if")
    start(ledger, "other")
    assert ledger.current() == ("other", "main")
    ledger.use("lanterns")
    assert ledger.current() == ("lanterns", "what-if")
    with pytest.raises(UnknownName) as caught:
        ledger.use("lantrens", "main")
    assert caught.value.hints == ["lanterns"]
    with pytest.raises(UnknownName):
        ledger.use("lanterns", "nowhere")
    assert ledger.current() == ("lanterns", "what-if")


def test_importing_the_ledger_imports_nothing_dear() -> None:
    code = (
        "import sys, kdmlog.ledger as k;"
        "print({'sqlite_utils', 'rich', 'typer', 'difflib', 'click'} & set(sys.modules))"
    )
    out = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert out.stdout.strip() == "set()", out.stderr


def test_appending_to_a_ledger_that_exists_needs_no_sqlite_utils(path: Path) -> None:
    with Ledger.open(path) as ledger:
        start(ledger)
    code = (
        "import sys; from ledger_helpers import *;"
        "l = Ledger.open(sys.argv[1]); append(l, l.head(1, 'main'), 'a');"
        "print('sqlite_utils' in sys.modules)"
    )
    from ledger_helpers import run_python

    assert run_python(code, path).communicate() == ("False\n", "")


def test_hashes_hold_no_local_ids(ledger: Ledger) -> None:
    """The same history in another file, beside other campaigns, has the same hashes."""
    head = append(ledger, undo(ledger, append(ledger, start(ledger), "a", "b")), "c")
    with Ledger.open(":memory:") as other:
        append(other, undo(other, append(other, start(other, "first"), "x")), "y")
        copy = append(other, undo(other, append(other, start(other), "a", "b")), "c")
        assert (copy.line, copy.campaign) != (head.line, head.campaign)
        assert copy.hash == head.hash
        ours, theirs = ledger.oplog(head.campaign), other.oplog(copy.campaign)
        assert [ref.hash for ref in ours] == [ref.hash for ref in theirs]


def test_a_closed_or_plain_connection_is_no_traceback(ledger: Ledger) -> None:
    head = start(ledger)
    ledger.close()
    with pytest.raises(LedgerError):
        append(ledger, head, "a")
    assert isinstance(ledger.connection, sqlite3.Connection)
