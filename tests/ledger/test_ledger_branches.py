"""Undo, redo and branches move names about; nothing is ever lost."""

from __future__ import annotations

import pytest
from ledger_helpers import AT, append, new_move, start, story, undo

from kdmlog.core.errors import BranchMoved, Refused, UnknownName
from kdmlog.ledger import Head, Ledger


def redo(ledger: Ledger, head: Head) -> Head | None:
    return ledger.redo(head, "ada", AT)


def must_redo(ledger: Ledger, head: Head) -> Head:
    after = redo(ledger, head)
    assert after is not None
    return after


def test_undo_stands_at_the_earlier_move_and_redo_follows_the_line_again(ledger: Ledger) -> None:
    head = append(ledger, start(ledger), "a", "b", "c")
    back = undo(ledger, head, 2)
    assert (back.number, back.follows, story(ledger, back)) == (1, False, "a")
    assert ledger.head(head.campaign, "main") == back
    assert ledger.redo_stack(head.campaign, "main") == [head]
    assert must_redo(ledger, back) == head == ledger.head(head.campaign, "main")
    assert ledger.redo_stack(head.campaign, "main") == []
    assert redo(ledger, head) is None
    after = append(ledger, head, "d")
    assert (after.line, story(ledger, after)) == (head.line, "a b c d")
    assert ledger.verify() == []


def test_redo_takes_back_one_undo_at_a_time_the_newest_first(ledger: Ledger) -> None:
    three = append(ledger, start(ledger), "a", "b", "c")
    two = undo(ledger, three)
    one = undo(ledger, two)
    assert ledger.redo_stack(one.campaign, "main") == [two, three]
    assert must_redo(ledger, one) == two
    one = undo(ledger, two)
    assert ledger.redo_stack(one.campaign, "main") == [two, three]
    assert must_redo(ledger, must_redo(ledger, one)) == three


def test_an_append_ends_redo(ledger: Ledger) -> None:
    head = undo(ledger, undo(ledger, append(ledger, start(ledger), "a", "b", "c")))
    head = append(ledger, must_redo(ledger, head), "d")
    assert story(ledger, head) == "a b d"
    assert redo(ledger, head) is None
    assert ledger.redo_stack(head.campaign, "main") == []


def test_a_plain_append_after_a_redo_ends_redo_too(ledger: Ledger) -> None:
    two = append(ledger, start(ledger), "a", "b")
    three = append(ledger, must_redo(ledger, undo(ledger, two)), "c")
    assert three.line == two.line
    assert redo(ledger, three) is None
    back = undo(ledger, three)
    assert ledger.redo_stack(back.campaign, "main") == [three]


def test_a_restore_ends_redo(ledger: Ledger) -> None:
    head = append(ledger, start(ledger), "a", "b", "c")
    back = undo(ledger, head)
    there = ledger.point(
        back, ledger.find_hash(head.campaign, head.hash.hex())[0], "restore", "a", AT
    )
    assert (there.hash, there.follows) == (head.hash, False)
    assert redo(ledger, there) is None


def test_another_branch_does_not_end_redo(ledger: Ledger) -> None:
    head = append(ledger, start(ledger), "a", "b")
    back = undo(ledger, head)
    other = ledger.create_branch(head.campaign, "other", head, "ada", AT).head
    append(ledger, other, "x")
    ledger.use("lanterns", "other")
    assert must_redo(ledger, back) == head


def test_an_append_after_an_undo_opens_a_line_there(ledger: Ledger) -> None:
    old = append(ledger, start(ledger), "a", "b", "c")
    new = append(ledger, undo(ledger, old, 2), "x", "y")
    assert new.line != old.line
    assert (story(ledger, new), story(ledger, old)) == ("a x y", "a b c")
    assert [ref.reason for ref in ledger.oplog(new.campaign)] == ["append", "undo", "begin"]
    assert [ref.by for ref in ledger.oplog(new.campaign)] == ["ada"] * 3


def test_undo_leads_back_to_before_any_move(ledger: Ledger) -> None:
    first = start(ledger)
    old = append(ledger, first, "a", "b")
    none = undo(ledger, old, 2)
    assert (none.number, none.hash) == (0, first.hash)
    new = append(ledger, none, "x")
    assert story(ledger, new) == "x"
    again = undo(ledger, new)
    assert (again.line, again.number) == (none.line, 0)
    assert must_redo(ledger, again) == new
    assert ledger.verify() == []


def test_undo_leads_only_back(ledger: Ledger) -> None:
    old = append(ledger, start(ledger), "a", "b")
    new = append(ledger, undo(ledger, old), "c")
    for there in (new, old):
        with pytest.raises(Refused, match="leads back"):
            ledger.point(new, there, "undo", "ada", AT)
    assert ledger.head(new.campaign, "main") == new


def test_steps_name_the_head_they_were_decided_on(ledger: Ledger) -> None:
    old = append(ledger, start(ledger), "a", "b")
    new = append(ledger, old, "c")
    with pytest.raises(BranchMoved):
        undo(ledger, old)
    with pytest.raises(BranchMoved):
        redo(ledger, old)
    assert ledger.head(new.campaign, "main") == new


def test_a_branch_is_a_name_at_any_move(ledger: Ledger) -> None:
    head = append(ledger, start(ledger), "a", "b", "c")
    branch = ledger.create_branch(head.campaign, "what-if", ledger.position(head, 2), "bo", AT)
    assert (branch.head.number, branch.head.follows) == (2, False)
    assert [each.name for each in ledger.branches(head.campaign)] == ["main", "what-if"]
    there = append(ledger, branch.head, "x")
    here = append(ledger, head, "d")
    assert (story(ledger, there), story(ledger, here)) == ("a b x", "a b c d")
    assert [each.head for each in ledger.branches(head.campaign)] == [here, there]
    assert [ref.reason for ref in ledger.oplog(head.campaign, "what-if")] == ["append", "branch"]
    assert ledger.verify() == []


def test_two_branches_at_one_head_do_not_share_their_moves(ledger: Ledger) -> None:
    head = append(ledger, start(ledger), "a")
    twin = ledger.create_branch(head.campaign, "twin", head, "ada", AT).head
    append(ledger, head, "b")
    assert ledger.head(head.campaign, "twin") == twin
    assert story(ledger, append(ledger, twin, "c")) == "a c"


def test_branch_names_are_neither_empty_nor_taken(ledger: Ledger) -> None:
    head = start(ledger)
    for name in ("", " ", "main"):
        with pytest.raises(Refused):
            ledger.create_branch(head.campaign, name, head, "ada", AT)


def test_a_branch_stands_only_at_a_move_of_its_campaign(ledger: Ledger) -> None:
    head = append(ledger, start(ledger), "a")
    elsewhere = append(ledger, start(ledger, "other"), "b")
    with pytest.raises(UnknownName):
        ledger.create_branch(head.campaign, "x", elsewhere, "ada", AT)
    with pytest.raises(UnknownName):
        ledger.point(head, elsewhere, "restore", "ada", AT)


def test_deleting_a_branch_drops_only_the_name(ledger: Ledger) -> None:
    head = append(ledger, start(ledger), "a")
    other = append(ledger, ledger.create_branch(head.campaign, "other", head, "a", AT).head, "b")
    ledger.delete_branch(head.campaign, "other", "ada", AT)
    assert [each.name for each in ledger.branches(head.campaign)] == ["main"]
    with pytest.raises(UnknownName):
        ledger.head(head.campaign, "other")
    with pytest.raises(UnknownName):
        ledger.append(other, new_move("c"))
    assert story(ledger, other) == "a b"
    assert ledger.oplog(head.campaign, "other")[0].reason == "delete"
    again = ledger.create_branch(head.campaign, "other", other, "ada", AT)
    assert story(ledger, append(ledger, again.head, "c")) == "a b c"
    assert ledger.verify() == []


def test_the_branch_in_use_is_not_deleted(ledger: Ledger) -> None:
    head = start(ledger)
    with pytest.raises(Refused, match="in use"):
        ledger.delete_branch(head.campaign, "main", "ada", AT)


def test_an_unknown_branch_names_the_nearest(ledger: Ledger) -> None:
    head = start(ledger)
    with pytest.raises(UnknownName) as caught:
        ledger.head(head.campaign, "mian")
    assert caught.value.hints == ["main"]


def test_steps_back_say_what_they_left(ledger: Ledger) -> None:
    three = append(ledger, start(ledger), "a", "b", "c")
    one = undo(ledger, three, 2)
    must_redo(ledger, one)
    [step] = ledger.steps_back(three.campaign)
    assert (step.branch, step.reason, step.by, step.at) == ("main", "undo", "ada", AT)
    assert (step.left.hash, step.to.hash) == (three.hash, one.hash)


def abandoned(ledger: Ledger, head: Head) -> list[str]:
    """The names of the moves that no branch leads to, a text for each stretch."""
    return [
        " ".join(story(ledger, end).split()[after:])
        for end, after in ledger.abandoned(head.campaign)
    ]


def test_moves_that_no_branch_leads_to_are_found(ledger: Ledger) -> None:
    three = append(ledger, start(ledger), "a", "b", "c")
    assert abandoned(ledger, three) == []
    one = undo(ledger, three, 2)
    assert abandoned(ledger, one) == ["b c"]
    two = append(ledger, one, "d")
    assert abandoned(ledger, two) == ["b c"]
    ledger.create_branch(two.campaign, "old", ledger.position(three, 2), "ada", AT)
    assert abandoned(ledger, two) == ["c"]
    e = append(ledger, ledger.head(two.campaign, "old"), "e")
    assert abandoned(ledger, e) == ["c"]
    ledger.delete_branch(two.campaign, "old", "ada", AT)
    assert abandoned(ledger, e) == ["b c", "e"]
    assert story(ledger, two) == "a d"
