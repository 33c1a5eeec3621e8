"""With the triggers gone and any column edited, verify names what was altered first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from ledger_helpers import AT, append, new_move, start, story, undo

from kdmlog.core.errors import KdmlogError
from kdmlog.ledger import Finding, Head, Ledger, pack_hash

Edit = Callable[[str], list[Finding]]


@pytest.fixture
def filled(ledger: Ledger) -> Ledger:
    """Two campaigns; line 1 has the moves 1-5, line 2 forks after move 3, line 3 after move 5."""
    head = append(ledger, start(ledger), "a", "b", "c", "d", "e")
    other = ledger.create_branch(head.campaign, "other", head, "bo", AT).head
    back = undo(ledger, undo(ledger, head))
    assert ledger.redo(back, "ada", AT)
    head = append(ledger, undo(ledger, ledger.head(head.campaign, "main")), "x", "y", "z")
    append(ledger, other, "p", "q")
    append(ledger, undo(ledger, append(ledger, start(ledger, "second"), "s"), 1), "t")
    ledger.put_pack(pack_hash(b"{}"), b"{}")
    assert ledger.verify() == []
    return ledger


@pytest.fixture
def edit(filled: Ledger) -> Edit:
    """Runs a statement with the triggers out of the way, and verifies with them back again."""

    def run(statement: str) -> list[Finding]:
        connection = filled.connection
        connection.execute("PRAGMA foreign_keys = OFF")
        triggers = connection.execute(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
        ).fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        changed = connection.execute(statement).rowcount
        assert changed >= 1, "the test edits nothing"
        for _, sql in triggers:
            connection.execute(sql)
        return filled.verify()

    return run


MOVE_EDITS = {
    "kind": "'adjusted'",
    "begins": "1",
    "input": "input || ' '",
    "by": "'eve'",
    "at": "'2026-01-01T00:00:01Z'",
    "request_id": "'r'",
    "writer": "'9.9.9'",
    "rules": "rules + 1",
    "first": "first + 1",
    "last": "last + 1",
    "hash": "zeroblob(32)",
}


def lines_and_moves(findings: list[Finding]) -> list[tuple[int | None, int | None]]:
    return [(finding.line, finding.move) for finding in findings if finding.code == "move"]


@pytest.mark.parametrize("number", [1, 3, 5])
@pytest.mark.parametrize("column", MOVE_EDITS)
def test_an_edited_move_is_named_and_it_alone(edit: Edit, column: str, number: int) -> None:
    findings = edit(
        f"UPDATE move SET {column} = {MOVE_EDITS[column]} WHERE line = 1 AND number = {number}"
    )
    # Line 2 forks after move 3 and line 3 after 5, refs point there: they are not to blame.
    assert lines_and_moves(findings) == [(1, number)]
    if column not in ("first", "last"):
        assert [finding.code for finding in findings] == ["move"]


@pytest.mark.parametrize(("column", "value"), [("line", "2"), ("number", "40")])
def test_a_move_put_elsewhere_is_missed_where_it_was(edit: Edit, column: str, value: str) -> None:
    findings = edit(f"UPDATE move SET {column} = {value} WHERE line = 1 AND number = 3")
    assert (1, 3) in lines_and_moves(findings)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("line", "2"),
        ("position", "400"),
        ("move", "4"),
        ("move", "2"),
        ("body", "replace(body, 'toy', 'boy')"),
    ],
)
def test_an_edited_event_names_its_move(edit: Edit, column: str, value: str) -> None:
    findings = edit(f"UPDATE event SET {column} = {value} WHERE line = 1 AND position = 6")
    assert (1, 3) in lines_and_moves(findings)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM event WHERE line = 1 AND position = 6",
        "DELETE FROM move WHERE line = 1 AND number = 3",
        "UPDATE event SET body = (SELECT body FROM event WHERE line = 1 AND position = 7) "
        "WHERE line = 1 AND position = 6",
    ],
)
def test_a_deleted_or_swapped_row_names_the_first_move(edit: Edit, statement: str) -> None:
    assert lines_and_moves(edit(statement))[0] == (1, 3)


def test_an_inserted_event_names_a_move(edit: Edit) -> None:
    body = """'{"kind":"toy.done"}'"""
    findings = edit(f"INSERT INTO event (line, position, move, body) VALUES (1, 11, 5, {body})")
    assert (1, 5) in lines_and_moves(findings)


def test_an_event_without_a_move_is_an_orphan(edit: Edit) -> None:
    body = """'{"kind":"toy.done"}'"""
    findings = edit(f"INSERT INTO event (line, position, move, body) VALUES (9, 1, 1, {body})")
    assert [finding.code for finding in findings] == ["orphan"]
    findings = edit(f"INSERT INTO event (line, position, move, body) VALUES (1, 11, 6, {body})")
    assert ("event", 6) in [(finding.code, finding.move) for finding in findings]


REF_EDITS = {
    "id": "900",
    "campaign": "2",
    "branch": "'others'",
    "reason": "'restore'",
    "line": "2",
    "number": "number - 1",
    "follows": "1 - follows",
    "from_line": "2",
    "from_number": "from_number - 1",
    "from_follows": "1 - from_follows",
    "by": "'eve'",
    "at": "'2026-01-01T00:00:01Z'",
    "hash": "zeroblob(32)",
}


@pytest.mark.parametrize("id", [3, 4])
@pytest.mark.parametrize("column", REF_EDITS)
def test_an_edited_ref_is_named(filled: Ledger, edit: Edit, column: str, id: int) -> None:
    findings = edit(f"UPDATE ref SET {column} = {REF_EDITS[column]} WHERE id = {id}")
    named = {finding.ref for finding in findings if finding.code == "ref"}
    assert id in named or (column in ("id", "campaign") and id + 1 in named)


@pytest.mark.parametrize("id", range(1, 11))
def test_a_ref_before_any_move_cannot_stand_on_another_line(edit: Edit, id: int) -> None:
    findings = edit(f"UPDATE ref SET line = line % 5 + 1 WHERE id = {id}")
    assert id in {finding.ref for finding in findings}


@pytest.mark.parametrize("id", range(1, 11))
def test_a_deleted_ref_is_missed(edit: Edit, filled: Ledger, id: int) -> None:
    last = filled.connection.execute("SELECT max(id) FROM ref").fetchone()[0]
    findings = edit(f"DELETE FROM ref WHERE id = {id}")
    assert findings, f"of {last}"


@pytest.mark.parametrize("column", ["uid", "slug", "name", "game", "created"])
def test_an_edited_campaign_is_found(edit: Edit, column: str) -> None:
    findings = edit(f"UPDATE campaign SET {column} = {column} || 'x' WHERE id = 1")
    assert (1 if column != "uid" else None) in {finding.ref for finding in findings}


@pytest.mark.parametrize("column", ["id", "campaign", "fork_line", "fork_number"])
@pytest.mark.parametrize("line", [2, 3])
def test_an_edited_line_is_found(edit: Edit, column: str, line: int) -> None:
    value = {"id": "id + 10", "campaign": "2", "fork_line": "2", "fork_number": "fork_number - 1"}
    assert edit(f"UPDATE line SET {column} = {value[column]} WHERE id = {line}")


def test_the_tail_of_an_abandoned_line_is_remembered_by_the_undo(edit: Edit) -> None:
    findings = edit("DELETE FROM move WHERE line = 4")
    assert {"ref", "move"} & {finding.code for finding in findings}


def test_an_edited_pack_is_found(edit: Edit) -> None:
    assert [finding.code for finding in edit("UPDATE pack SET source = x'5b5d'")] == ["pack"]


def test_a_rehashed_tail_is_missed_by_what_chains_to_it(edit: Edit, filled: Ledger) -> None:
    """Moves 4 and 5 written anew with good hashes: the other line and the refs knew the old."""
    with Ledger.open(":memory:") as forger:
        start(forger)
        forged = append(forger, forger.head(1, "main"), "a", "b", "c", "d", "forged")
        hash = forged.hash.hex()
        body = [body.replace("'", "''") for body in forger.events(forged, after=4)]
    filled.connection.execute("PRAGMA foreign_keys = OFF")
    for table in ("move", "event"):
        filled.connection.execute(f"DROP TRIGGER {table}_no_update")
    filled.connection.execute(
        f"UPDATE event SET body = '{body[0]}' WHERE line = 1 AND position = 9"
    )
    filled.connection.execute(
        f"UPDATE event SET body = '{body[1]}' WHERE line = 1 AND position = 10"
    )
    findings = edit(
        f"""UPDATE move SET input = '{{"do":"forged"}}', hash = x'{hash}' """
        "WHERE line = 1 AND number = 5"
    )
    assert {"ref", "move"} <= {finding.code for finding in findings}


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TRIGGER move_no_update",
        "DROP INDEX ref_of_branch",
        "DROP TABLE cache",
        "ALTER TABLE move ADD COLUMN extra TEXT",
        "CREATE TRIGGER mischief AFTER INSERT ON move BEGIN SELECT 1; END",
        "CREATE TRIGGER sqlitex BEFORE INSERT ON event BEGIN SELECT RAISE(IGNORE); END",
        "CREATE TABLE sqlitex (id INTEGER)",
    ],
)
def test_a_changed_schema_is_found(filled: Ledger, statement: str) -> None:
    filled.connection.execute(statement)
    assert {finding.code for finding in filled.verify()} == {"schema"}


def test_a_replaced_trigger_is_found(filled: Ledger) -> None:
    filled.connection.execute("DROP TRIGGER move_no_update")
    filled.connection.execute(
        "CREATE TRIGGER move_no_update BEFORE UPDATE ON move BEGIN SELECT 1; END"
    )
    (finding,) = filled.verify()
    assert "move_no_update" in finding.message


@pytest.mark.parametrize("table", ["campaign", "line", "move", "event", "ref", "pack", "setting"])
def test_a_lost_table_is_a_finding(filled: Ledger, table: str) -> None:
    filled.connection.execute("PRAGMA foreign_keys = OFF")
    filled.connection.execute(f"DROP TABLE {table}")
    assert filled.verify()


def test_the_mark_of_the_file_is_looked_at(filled: Ledger) -> None:
    filled.connection.execute("PRAGMA application_id = 7")
    assert [finding.code for finding in filled.verify()] == ["application"]


def test_one_campaign_can_be_verified_alone(edit: Edit, filled: Ledger) -> None:
    assert edit("UPDATE move SET by = 'eve' WHERE line = 1 AND number = 2")
    assert filled.verify(1) and filled.verify(2) == []


def test_damaged_bytes_never_end_in_a_traceback(path: Path, tmp_path: Path) -> None:
    """Bytes blanked or flipped at random: a refusal or a finding, and never another history."""
    with Ledger.open(path) as ledger:
        head = start(ledger)
        for n in range(60):
            head = ledger.append(head, new_move(f"{n}" * 20))
        told = story(ledger, head)
    whole = path.read_bytes()
    random = Random(5)
    for _ in range(150):
        damaged = bytearray(whole)
        at = random.randrange(len(whole))
        size = random.choice((1, 1, 40, 512, 4096))
        damaged[at : at + size] = bytes(
            random.choice((0, 255, damaged[at] ^ 4)) for _ in range(size)
        )
        copy = tmp_path / "damaged"
        copy.write_bytes(damaged[: len(whole)])
        for leftover in ("damaged-wal", "damaged-shm"):
            (tmp_path / leftover).unlink(missing_ok=True)
        try:
            with Ledger.open(copy, create=False) as ledger:
                findings = ledger.verify()
                seen = story(ledger, ledger.head(1, "main"))
        except KdmlogError:
            continue
        assert findings or seen == told


def test_verify_reads_a_ledger_that_can_only_be_read(path: Path, filled: Ledger) -> None:
    with Ledger.open(path, readonly=True) as reader:
        assert reader.verify() == []


def test_a_head_of_a_broken_branch_is_no_traceback(edit: Edit, filled: Ledger) -> None:
    edit("DELETE FROM move")
    with pytest.raises(KdmlogError):
        filled.head(1, "main")
    with pytest.raises(KdmlogError):
        list(filled.events(Head(1, "main", 1, 5, b"", False)))
