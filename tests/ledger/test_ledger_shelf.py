"""Campaigns are called otherwise, hidden and removed; what the others are stays as it was."""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

import pytest
from ledger_helpers import AT, append, archived, bring, brought, run_python, start, story, undo
from older import first_schema

from kdmlog.core.errors import BranchMoved, Refused
from kdmlog.ledger import Ledger, NewMove, pack_hash, removal
from kdmlog.ledger.removal import finish, remove
from kdmlog.ledger.schema import MIGRATIONS

PACKS = [f'{{"pack":{n}}}'.encode() for n in range(3)]


def shelf(ledger: Ledger) -> list[tuple[str, str, bool]]:
    return [(one.slug, one.name, one.hidden) for one in ledger.campaigns()]


def test_a_campaign_is_called_otherwise_here_and_its_row_stays(ledger: Ledger) -> None:
    head = append(ledger, start(ledger), "a")
    before = archived(ledger)
    [campaign] = ledger.campaigns()
    renamed = ledger.call_campaign(campaign, "Far Away")
    assert shelf(ledger) == [("far_away", "Far Away", False)]
    assert (renamed.id, renamed.uid, renamed.founded) == (campaign.id, campaign.uid, "lanterns")
    assert ledger.current() == ("far_away", "main")
    assert ledger.campaign("lanterns") is None
    append(ledger, undo(ledger, head), "b")
    assert ledger.verify() == []
    assert archived(ledger, "far_away").splitlines()[0] == before.splitlines()[0]


def test_two_are_not_called_the_same(ledger: Ledger) -> None:
    start(ledger)
    start(ledger, "other")
    [lanterns, _] = ledger.campaigns()
    for name in ("Other", "OTHER!", "other"):
        with pytest.raises(Refused, match="already a campaign other"):
            ledger.call_campaign(lanterns, name)
    with pytest.raises(Refused):
        ledger.call_campaign(lanterns, "!?")
    ledger.call_campaign(lanterns, "Lanterns")


def test_a_name_that_was_given_up_is_free(ledger: Ledger) -> None:
    start(ledger)
    ledger.call_campaign(ledger.campaigns()[0], "Elsewhere")
    ledger.create_campaign("lanterns", "Lanterns", "toy", "another", "ada", AT)
    assert [one[0] for one in shelf(ledger)] == ["elsewhere", "lanterns"]
    assert ledger.verify() == []


def test_an_archive_of_a_name_that_is_taken_gets_a_number(ledger: Ledger) -> None:
    start(ledger)
    for n in (2, 3):
        with Ledger.open(":memory:") as there:
            there.create_campaign("lanterns", "Lanterns", "toy", f"uid-{n}", "bo", AT)
            data = archived(there)
        done = bring(ledger, data)
        assert (done.campaign.slug, done.campaign.name) == (f"lanterns_{n}", f"Lanterns {n}")
        assert archived(ledger, f"lanterns_{n}") == data
        assert not bring(ledger, data).new
    assert ledger.verify() == []


def test_hiding_changes_nothing_else(ledger: Ledger) -> None:
    append(ledger, start(ledger), "a")
    before = archived(ledger)
    [campaign] = ledger.campaigns()
    ledger.hide(campaign, True)
    ledger.hide(campaign, True)
    assert shelf(ledger) == [("lanterns", "Lanterns", True)]
    assert (archived(ledger), ledger.current()) == (before, ("lanterns", "main"))
    ledger.hide(campaign, False)
    assert shelf(ledger) == [("lanterns", "Lanterns", False)]


# --- removing -------------------------------------------------------------------------------------


def three(path: Path) -> Ledger:
    """Campaigns woven into each other, each with steps, a cached state and a pack; one shared."""
    ledger = Ledger.open(path)
    for pack in PACKS:
        ledger.put_pack(pack_hash(pack), pack)
    heads = [start(ledger, slug) for slug in ("a", "b", "c")]
    for turn in range(3):
        for n, head in enumerate(heads):
            names = f"{pack_hash(PACKS[n])} {pack_hash(PACKS[2])}" if n < 2 else ""
            body = f'{{"kind":"toy.done","packs":"{names}"}}'
            head = ledger.append(head, NewMove("acted", None, "{}", [body], "", AT, None, 1))
            head = append(ledger, head, f"{turn}")
            heads[n] = append(ledger, undo(ledger, head), "again")
    for head in heads:
        ledger.cache_put(f"state/1/{head.hash.hex()}", b"x")
    return ledger


def gone(ledger: Ledger, slug: str, moves: int = 9) -> None:
    campaign = ledger.campaign(slug)
    assert campaign
    refs = len(ledger.oplog(campaign.id))
    assert remove(ledger, campaign, moves=moves, refs=refs)


def schema(path: Path) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    try:
        return sorted(connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema"))
    finally:
        connection.close()


@pytest.mark.parametrize("slug", ["a", "b", "c"])
def test_a_removed_campaign_leaves_no_trace_and_the_others_whole(path: Path, slug: str) -> None:
    with three(path) as ledger:
        others = [one for one in "abc" if one != slug]
        removed = archived(ledger, slug)
        before, size, made = [archived(ledger, one) for one in others], path.stat(), schema(path)
        gone(ledger, slug)
        assert [one.slug for one in ledger.campaigns()] == others
        assert [archived(ledger, one) for one in others] == before
        assert ledger.verify() == []
        assert schema(path) == made
        assert size.st_ino == path.stat().st_ino
        append(ledger, ledger.head(ledger.campaigns()[0].id, "main"), "goes on")
        assert ledger.verify() == []
    with Ledger.open(path) as ledger:
        [*_, last] = ledger.campaigns()
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            ledger.connection.execute("DELETE FROM move")
        assert ledger.verify() == [], "the witness misses nothing"
        bring(ledger, removed)
        assert archived(ledger, slug) == removed, "import brings it back"
        assert ledger.verify() == []
    assert last


def test_its_words_are_in_the_file_no_more(path: Path) -> None:
    with Ledger.open(path) as ledger:
        append(ledger, start(ledger, "keep"), "kept-words")
        head = append(ledger, start(ledger, "drop"), *(f"secret-words-{n}" for n in range(300)))
        ledger.cache_put(f"state/{head.hash.hex()}", b"secret-words")
        campaign = ledger.campaign("drop")
        assert campaign
        remove(ledger, campaign, moves=300, refs=1)
    data = b"".join(one.read_bytes() for one in path.parent.iterdir())
    assert b"kept-words" in data
    assert b"secret-words" not in data and b"uid-drop" not in data


def test_packs_go_with_the_last_campaign_that_plays_them(path: Path) -> None:
    with three(path) as ledger:
        gone(ledger, "a")
        kept = [ledger.pack(pack_hash(pack)) is not None for pack in PACKS]
        assert kept == [False, True, True]
        gone(ledger, "b")
        assert ledger.pack(pack_hash(PACKS[2])) is None


def test_the_one_in_use_is_none_then(path: Path) -> None:
    with three(path) as ledger:
        ledger.use("a")
        gone(ledger, "b")
        assert ledger.current() == ("a", "main")
        gone(ledger, "a")
        assert ledger.current() == (None, "main")


def test_what_somebody_went_on_with_is_not_removed(path: Path) -> None:
    with three(path) as ledger:
        campaign = ledger.campaign("a")
        assert campaign
        before = archived(ledger, "a")
        for moves, refs in ((8, 7), (9, 6)):
            with pytest.raises(BranchMoved, match="nothing was removed"):
                remove(ledger, campaign, moves=moves, refs=refs)
        assert archived(ledger, "a") == before
        foreign_keys = ledger.connection.execute("PRAGMA foreign_keys").fetchone()
        assert foreign_keys == (1,)


@pytest.mark.parametrize("at", ["_rewrite", "_shrink"])
def test_killed_while_removing_it_is_there_or_gone_and_nothing_is_missed(
    path: Path, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    class Killed(BaseException):
        pass

    def killed(*_: object) -> None:
        step(*_)
        raise Killed

    with three(path) as ledger:
        campaign = ledger.campaign("a")
        assert campaign
        before, refs = archived(ledger, "b"), len(ledger.oplog(campaign.id))
        step = getattr(removal, at)
        monkeypatch.setattr(removal, at, killed)
        with pytest.raises(Killed):
            remove(ledger, campaign, moves=9, refs=refs)
    with Ledger.open(path) as ledger:
        assert (ledger.campaign("a") is None) == (at == "_shrink")
        assert archived(ledger, "b") == before
        assert ledger.verify() == []
        append(ledger, ledger.head(2, "main"), "goes on")
    with Ledger.open(path) as ledger:
        assert ledger.verify() == []


def test_a_reader_does_not_keep_it_from_being_removed(path: Path) -> None:
    with three(path) as ledger, Ledger.open(path, readonly=True) as reader:
        cursor = reader.connection.execute("SELECT * FROM event")
        cursor.fetchone()
        campaign = ledger.campaign("a")
        assert campaign
        remove(ledger, campaign, moves=9, refs=len(ledger.oplog(campaign.id)))
        assert len(cursor.fetchall()) == 44, "who was reading has all of it yet"
        assert ledger.campaign("a") is None
        assert ledger.verify() == []


def witnessed(path: Path) -> bytes:
    return path.with_name(f"{path.name}-head").read_bytes()


LIMITED = """
import resource
from ledger_helpers import *
from kdmlog.core.errors import LedgerError
from kdmlog.ledger.removal import remove
with Ledger.open(sys.argv[1]) as ledger:
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, resource.RLIM_INFINITY))
    campaign = ledger.campaign("a")
    try:
        remove(ledger, campaign, moves=9, refs=len(ledger.oplog(campaign.id)))
    except LedgerError as error:
        print(error.code)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits")
def test_when_removing_fails_the_witness_still_knows_all(path: Path) -> None:
    three(path).close()
    before = witnessed(path)
    out, error = run_python(LIMITED, path).communicate()
    assert (out in ("io\n", "full\n"), error) == (True, ""), out
    assert witnessed(path) == before
    with Ledger.open(path) as ledger:
        assert ledger.campaign("a") and ledger.verify() == []


def test_of_the_others_the_witness_knows_all_after_a_removal(path: Path) -> None:
    with three(path) as ledger:
        gone(ledger, "a")
    older = path.read_bytes()
    with Ledger.open(path) as ledger:
        assert ledger.verify() == []
        append(ledger, ledger.head(2, "main"), "more")
    path.write_bytes(older)
    with Ledger.open(path, readonly=True) as ledger:
        assert ledger.lost and ledger.lost.code == "lost_tail"


def test_what_was_removed_goes_from_the_file_once_nobody_reads_it(path: Path) -> None:
    def held() -> bool:
        data = b"".join(one.read_bytes() for one in path.parent.iterdir())
        return b"secret-words" in data

    with Ledger.open(path, wait=0.01) as ledger:
        append(ledger, start(ledger), "a")
        drop = append(ledger, start(ledger, "drop"), *["secret-words"] * 300)
        campaign = ledger.campaign("drop")
        assert campaign and drop.number == 300
        with Ledger.open(path, readonly=True) as reader:
            cursor = reader.connection.execute("SELECT * FROM event")
            cursor.fetchone()
            assert not remove(ledger, campaign, moves=300, refs=1)
            assert held()
            finish(ledger)
            assert held()
            cursor.close()
        finish(ledger)
        assert not held()
        row = "SELECT count(*) FROM setting WHERE key = 'unshrunk'"
        assert ledger.connection.execute(row).fetchone() == (0,)
        assert ledger.verify() == []
        append(ledger, ledger.head(1, "main"), "b")
    with Ledger.open(path) as ledger:
        assert ledger.verify() == []


def test_who_has_a_removed_campaign_open_never_finds_another_in_its_place(path: Path) -> None:
    with Ledger.open(path) as ledger, Ledger.open(path) as other:
        start(ledger)
        head = append(ledger, start(ledger, "last"), "a")
        gone(other, "last", moves=1)
        for new in ("new", "newer"):
            begun = start(other, new)
            assert begun.campaign > head.campaign
            for ask in (
                lambda: append(ledger, head, "b"),
                lambda: ledger.head(head.campaign, "main"),
                lambda: ledger.redo(head, "bo", AT),
            ):
                with pytest.raises(BranchMoved, match="was removed"):
                    ask()
            assert story(other, other.head(begun.campaign, "main")) == ""
            gone(other, new, moves=0)
        assert ledger.verify() == []


# --- older ledgers --------------------------------------------------------------------------------


def test_the_first_schema_is_read_as_it_is_and_raised_when_written(path: Path) -> None:
    with Ledger.open(path.with_name("new.db")) as ledger:
        append(ledger, start(ledger), "a", "b")
        append(ledger, undo(ledger, append(ledger, start(ledger, "other"), "c", "d")), "e")
    first_schema(path.with_name("new.db"), path)
    before = path.read_bytes()
    with Ledger.open(path, readonly=True) as ledger:
        assert story(ledger, ledger.head(2, "main")) == "c e"
        assert ledger.verify() == []
        held = [archived(ledger, slug) for slug in ("lanterns", "other")]
    assert path.read_bytes() == before
    with Ledger.open(path) as ledger:
        assert ledger.verify() == []
        assert [archived(ledger, slug) for slug in ("lanterns", "other")] == held
        append(ledger, ledger.head(1, "main"), "more")
        ledger.create_campaign("new", "New", "toy", "uid-new", "ada", AT)
        assert ledger.verify() == []
        version = ledger.connection.execute("PRAGMA user_version").fetchone()[0]
    assert version == MIGRATIONS[-1].version
    with brought(*held) as copy:
        assert [one.slug for one in copy.campaigns()] == ["lanterns", "other"]
