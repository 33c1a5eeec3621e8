"""An archive holds a campaign exactly; importing adds what is lacking, or says why not."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from ledger_helpers import (
    AT,
    append,
    archived,
    bring,
    bring_beside,
    brought,
    new_move,
    read,
    start,
    story,
    undo,
)

from kdmlog.core.errors import LedgerError, Refused
from kdmlog.ledger import Head, Ledger, NewMove, archive, pack_hash
from kdmlog.ledger.drafts import file_draft

Play = Callable[[Ledger, Head], object]


def head(ledger: Ledger, branch: str = "main") -> Head:
    return ledger.head(ledger.campaigns()[0].id, branch)


def played(*steps: Play) -> Ledger:
    """A campaign of five moves, and what was done with it since."""
    ledger = Ledger.open(":memory:")
    append(ledger, start(ledger), *"abcde")
    for step in steps:
        step(ledger, head(ledger))
    return ledger


def more(*names: str) -> Play:
    return lambda ledger, at: append(ledger, at, *names)


def back(moves: int = 1) -> Play:
    return lambda ledger, at: undo(ledger, at, moves)


def aside(ledger: Ledger, at: Head) -> Head:
    return ledger.create_branch(at.campaign, "aside", at, "ada", AT).head


def on_aside(*names: str) -> Play:
    return lambda ledger, _at: append(ledger, head(ledger, "aside"), *names)


def rename(ledger: Ledger, at: Head) -> None:
    ledger.delete_branch(at.campaign, "aside", "ada", AT)


# --- what is written ------------------------------------------------------------------------------


def test_an_archive_is_lines_of_json_that_a_person_can_read() -> None:
    with played(back(2), more("x")) as ledger:
        lines = [json.loads(line) for line in archived(ledger).splitlines()]
    assert lines[0] == {
        "record": "archive",
        "format": 1,
        "writer": "0.1.0",
        "uid": "uid-lanterns",
        "slug": "lanterns",
        "name": "Lanterns",
        "game": "toy",
        "created": AT,
        "branch": "main",
    }
    kinds = [line["record"] for line in lines]
    assert kinds == ["archive", "line", *["move"] * 5, "line", "move", *["ref"] * 3, "end"]
    assert lines[7]["after"] == {"line": 1, "move": 3}
    assert lines[8]["input"] == {"do": "x"}
    assert lines[8]["events"][1] == {"kind": "toy.done", "what": "x", "n": 1}
    assert (lines[-1]["moves"], lines[-1]["events"], lines[-1]["refs"]) == (6, 12, 3)


def test_the_writer_and_every_other_field_of_a_move_is_kept() -> None:
    with Ledger.open(":memory:") as ledger:
        body = '{"kind":"a.b","words":"ü \\n ☃","figures":[1,-2.5,true,null,{"deep":[[]]}]}'
        move = NewMove("answered", 1, '{ "spelt" : "oddly" }', [body], "bo", AT, "r", 7, "9.8.7")
        ledger.append(append(ledger, start(ledger), "a"), move)
        with brought(archived(ledger)) as copy:
            assert list(copy.moves(head(copy))) == list(ledger.moves(head(ledger)))
            assert copy.find_request(1, "r") == ledger.find_request(1, "r")


def test_text_that_fits_in_no_line_is_kept_too() -> None:
    with Ledger.open(":memory:") as ledger:
        body = ' {"kind":\n"a.b"}\r\n'
        ledger.append(start(ledger), NewMove("acted", None, body, [body], "", AT, None, 1))
        with brought(archived(ledger)) as copy:
            assert next(copy.moves(head(copy))).bodies == (body,)


def test_packs_that_the_campaign_names_are_carried() -> None:
    packs = [f'{{"pack":{n}}}'.encode() for n in range(3)]
    with Ledger.open(":memory:") as ledger:
        for pack in packs:
            ledger.put_pack(pack_hash(pack), pack)
        body = f'{{"kind":"a.b","packs":["{pack_hash(packs[1])}"]}}'
        ledger.append(start(ledger), NewMove("acted", None, "{}", [body], "", AT, None, 1))
        data = archived(ledger)
    with brought(data) as copy:
        kept = [copy.pack(pack_hash(pack)) for pack in packs]
        assert kept == [None, packs[1], None]
        copy.connection.execute("DROP TRIGGER pack_no_delete")
        copy.connection.execute("DELETE FROM pack")
        assert bring(copy, data).packs == 1, "a pack that was lost is brought back"


def test_a_damaged_ledger_is_not_passed_on() -> None:
    with played() as ledger:
        ledger.connection.execute("DROP TRIGGER event_no_update")
        ledger.connection.execute("UPDATE event SET body = replace(body, 'c', 'z') WHERE move = 3")
        with pytest.raises(LedgerError) as caught:
            archived(ledger)
        assert caught.value.code == "damaged"


def test_writing_meanwhile_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "two.db"
    with Ledger.open(path) as ledger, Ledger.open(path) as other:
        append(ledger, start(ledger), *"abc")
        whole = archived(ledger)
        written = io.BytesIO()
        with archive.records(ledger, ledger.campaigns()[0]) as records:
            first = next(records)
            append(other, head(other), "d")
            aside(other, head(other))
            archive.write([first, *records], written)
        assert written.getvalue() == whole


# --- what is added --------------------------------------------------------------------------------

GROWN: list[tuple[Play, ...]] = [
    (more("x"),),
    (back(),),
    (back(2), more("x", "y")),
    (aside,),
    (aside, on_aside("x")),
    (aside, on_aside("x"), more("y"), on_aside("z")),
    (aside, on_aside("x"), rename),
    (back(), lambda ledger, at: ledger.redo(at, "ada", AT), more("x")),
    (lambda ledger, at: ledger.point(at, ledger.position(at, 2), "restore", "ada", AT), more("x")),
    (back(5), more("x")),
]


@pytest.mark.parametrize("steps", GROWN)
def test_the_longer_history_wins_in_either_order(steps: tuple[Play, ...]) -> None:
    with played() as ledger:
        before = archived(ledger)
        for step in steps:
            step(ledger, head(ledger))
        after = archived(ledger)
    with brought(before, after) as one, brought(after, before) as other:
        assert archived(one) == archived(other) == after
        assert one.verify() == other.verify() == []
        for copy in (one, other):
            again = bring(copy, after)
            assert (again.moves, again.refs, again.packs) == (0, 0, 0)
            assert {parting.relation for parting in again.partings} == {"equal"}


def test_different_branches_that_went_on_in_two_places_come_together() -> None:
    with played(aside, on_aside("x")) as ledger:
        base = archived(ledger)
    with brought(base) as here, brought(base) as there:
        append(here, head(here), "h")
        append(there, head(there, "aside"), "t")
        ours, theirs = archived(here), archived(there)
        bring(here, theirs)
        bring(there, ours)
        assert archived(here) == archived(there)
        assert story(here, head(here)) == "a b c d e h"
        assert story(here, head(here, "aside")) == "a b c d e x t"
        assert here.verify() == []


def test_what_was_undone_stays_undone() -> None:
    with played() as ledger:
        before = archived(ledger)
        undo(ledger, head(ledger), 2)
        done = bring(ledger, before)
        assert (done.moves, done.refs) == (0, 0)
        [parting] = done.partings
        assert (parting.relation, parting.here, parting.there) == ("behind", 3, 5)
        assert head(ledger).number == 3


CONFLICTS: list[tuple[tuple[Play, ...], tuple[Play, ...], str]] = [
    ((more("h"),), (more("t"),), "parted on main after move 5: here came move 6 (h:"),
    ((back(), more("h")), (more("t"),), "parted on main after move 4: here came move 5 (h:"),
    ((back(),), (more("t"),), "here came undo of main to move 4, there move 6"),
    ((more("h"),), (back(),), "here came move 6, there undo of main to move 4"),
    ((back(),), (back(2),), "here came undo of main to move 4, there undo of main to move 3"),
    ((aside,), (back(),), "here came branch of aside to move 5, there undo of main to move 4"),
    (
        (aside, on_aside("h")),
        (aside, on_aside("t")),
        "parted on aside after move 5: here came move 6 (h:",
    ),
]


@pytest.mark.parametrize(("ours", "theirs", "words"), CONFLICTS)
def test_where_both_went_on_nothing_is_chosen_silently(
    ours: tuple[Play, ...], theirs: tuple[Play, ...], words: str
) -> None:
    with played(*ours) as here, played(*theirs) as there:
        before = archived(here)
        data = archived(there)
        for _ in range(2):
            with pytest.raises(Refused) as caught:
                bring(here, data)
            assert caught.value.code == "diverged"
            assert words in caught.value.message
            assert "import x.jsonl --as NAME" in caught.value.hints[0]
            assert archived(here) == before


def test_a_branch_of_the_archive_is_brought_in_beside() -> None:
    with played(more("h")) as here, played(more("t", "u")) as there:
        done = bring_beside(here, archived(there), "theirs")
        assert (done.moves, done.refs) == (2, 2)
        assert story(here, head(here)) == "a b c d e h"
        assert story(here, head(here, "theirs")) == "a b c d e t u"
        assert head(here, "theirs").hash == head(there).hash
        assert here.current() == ("lanterns", "main")
        assert here.verify() == []
        again = bring_beside(here, archived(there), "theirs")
        assert (again.moves, again.refs) == (0, 0)
        append(there, head(there), "v")
        assert bring_beside(here, archived(there), "theirs").moves == 1
        assert head(here, "theirs").hash == head(there).hash
        append(here, head(here, "theirs"), "w")
        assert bring_beside(here, archived(there), "theirs").moves == 0
        assert story(here, head(here, "theirs")) == "a b c d e t u v w"
        append(there, head(there), "z")
        with pytest.raises(Refused, match="another way after move 8"):
            bring_beside(here, archived(there), "theirs")
        assert here.verify() == []


def test_what_is_there_under_another_name_is_not_brought_twice() -> None:
    with played(more("h")) as here, played(more("t", "u")) as there:
        data = archived(there)
        assert bring_beside(here, data, "theirs").moves == 2
        done = bring_beside(here, data, "again")
        assert (done.moves, done.refs) == (0, 1)
        assert head(here, "again").hash == head(there).hash
        append(there, head(there), "v")
        assert bring_beside(here, archived(there), "third").moves == 1
        assert here.verify() == []


def test_beside_takes_only_the_way_to_the_branch() -> None:
    def gone(ledger: Ledger, at: Head) -> None:
        append(ledger, undo(ledger, append(ledger, undo(ledger, at, 2), "p", "q"), 1), "r", "s")

    with played(more("h")) as here, played(gone, aside, on_aside("t")) as there:
        done = bring_beside(here, archived(there), "theirs", "aside")
        assert done.moves == 4
        assert story(here, head(here, "theirs")) == "a b c p r s t"
        assert here.verify() == []


def test_the_same_request_may_have_been_answered_in_both() -> None:
    def asked(name: str) -> Play:
        return lambda ledger, at: ledger.append(at, new_move(name, request_id="r"))

    with played(asked("h")) as here, played(asked("t")) as there:
        bring_beside(here, archived(there), "theirs")
        assert here.verify() == []


def test_the_campaign_in_use_stays_so() -> None:
    with played() as ledger, Ledger.open(":memory:") as other:
        start(other, "mine")
        data = archived(ledger)
        assert bring(other, data).new
        assert other.current() == ("mine", "main")
        other.use("lanterns")
        bring(other, data)
        assert other.current() == ("lanterns", "main")
    with brought(data) as empty:
        assert empty.current() == ("lanterns", "main")


def test_the_branch_in_use_comes_along() -> None:
    with played(aside) as ledger:
        ledger.use("lanterns", "aside")
        with brought(archived(ledger)) as copy:
            assert copy.current() == ("lanterns", "aside")


def test_whoever_appends_on_the_same_ledger_sees_what_was_brought() -> None:
    with played() as ledger, brought(archived(ledger)) as copy:
        at = append(copy, head(copy), "x")
        append(ledger, head(ledger), "x", "y")
        bring(copy, archived(ledger))
        assert append(copy, head(copy), "z").number == at.number + 2
        assert copy.verify() == []


def test_another_campaign_of_the_same_id_is_refused() -> None:
    with played() as here, Ledger.open(":memory:") as there:
        there.create_campaign("other", "Other", "toy", "uid-lanterns", "ada", AT)
        with pytest.raises(Refused, match="another campaign with the same id"):
            bring(here, archived(there, "other"))


def test_a_campaign_that_is_not_here_is_not_brought_in_beside() -> None:
    with played() as there, Ledger.open(":memory:") as here:
        with pytest.raises(Refused, match="not here"):
            bring_beside(here, archived(there), "theirs")
        assert here.campaigns() == []
        bring(here, archived(there))
        with pytest.raises(Refused, match="no branch nope"):
            bring_beside(here, archived(there), "theirs", "nope")


def test_what_the_check_refuses_is_not_added() -> None:
    with played() as there, Ledger.open(":memory:") as here:
        data = archived(there)
        seen: list[int] = []

        def check(campaign: object) -> None:
            seen.append(head(here).number)
            raise Refused("no")

        second = archive.Reading(io.BytesIO(data), "x", strictly=False)
        with pytest.raises(Refused, match="no"):
            archive.bring(here, read(data), second, check=check)
        assert seen == [5]
        assert here.campaigns() == []


def test_an_archive_that_changes_while_it_is_read_is_refused() -> None:
    with played() as there, Ledger.open(":memory:") as here:
        data = archived(there)
        append(there, head(there), "x")
        second = archive.Reading(io.BytesIO(archived(there)), "x", strictly=False)
        with pytest.raises(archive.ArchiveError, match="changed while it was read"):
            archive.bring(here, read(data), second)
        assert here.campaigns() == []


def test_what_was_brought_and_then_lost_is_noticed(tmp_path: Path) -> None:
    with played() as there:
        path, data = tmp_path / "here.db", archived(there)
        with Ledger.open(path) as here:
            bring(here, data)
        before = path.read_bytes()
        append(there, head(there), "x")
        with Ledger.open(path) as here:
            bring(here, archived(there))
    path.write_bytes(before)
    with pytest.raises(LedgerError, match="was move 6"):
        Ledger.open(path)


def test_a_full_disk_takes_nothing_and_another_try_all(tmp_path: Path) -> None:
    with played(more(*(f"a long name, {n}" * 20 for n in range(200)))) as there:
        data = archived(there)
    with Ledger.open(tmp_path / "here.db") as here:
        start(here, "mine")
        kept = archived(here, "mine")
        [(pages,)] = here.connection.execute("PRAGMA page_count")
        here.connection.execute(f"PRAGMA max_page_count = {pages + 20}")
        with pytest.raises(LedgerError) as caught:
            bring(here, data)
        assert caught.value.code == "full"
        assert [one.slug for one in here.campaigns()] == ["mine"]
        assert (archived(here, "mine"), here.verify()) == (kept, [])
        here.connection.execute("PRAGMA max_page_count = 100000")
        bring(here, data)
        assert archived(here) == data
        assert here.verify() == []


# --- files ----------------------------------------------------------------------------------------


def test_a_file_gets_its_name_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    with file_draft(path) as file:
        file.write(b"whole")
        assert not path.exists()
    assert path.read_bytes() == b"whole"
    with pytest.raises(Refused, match="is there already"), file_draft(path) as file:
        file.write(b"other")
    with pytest.raises(ZeroDivisionError), file_draft(path, overwrite=True) as file:
        file.write(b"half")
        raise ZeroDivisionError
    assert path.read_bytes() == b"whole"
    with file_draft(path, overwrite=True) as file:
        file.write(b"other")
    assert path.read_bytes() == b"other"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_leaves_no_file(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    path = tmp_path / "out.jsonl"
    with (
        pytest.raises(Refused, match="No space left"),
        file_draft(path),
        Path("/dev/full").open("wb") as full,
    ):
        full.write(b"x" * 100_000)
    assert list(tmp_path.iterdir()) == []
