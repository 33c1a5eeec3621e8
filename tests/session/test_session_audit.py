"""The audit: an honest log passes whole, and whatever a forger slips in is named with its move."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress

import msgspec
import pytest
from toy import (
    TOY,
    Buy,
    DayEnded,
    Gamble,
    GoldChanged,
    LuckChanged,
    Rest,
    Seek,
    Start,
    changed_rules,
)

from kdmlog.core import actions as core
from kdmlog.core import events as e
from kdmlog.core.errors import Refused
from kdmlog.core.game import Action
from kdmlog.core.inputs import Inputs
from kdmlog.ledger import NewMove
from kdmlog.session import Session
from kdmlog.session.audit import Code, Remark, audit, dice_alone
from kdmlog.session.codec import encode
from kdmlog.session.games import register
from kdmlog.session.rebase import Correction, amend, rebase
from kdmlog.session.results import Write

ANSWERS = {"before_seeking": ["pass"], "stranger": ["gold=3"], "sun": ["ben"], "pay": ["beg"]}
"""What is answered where a bare answer means nothing, or another than that."""
NOTED = e.Noted(text="x", cause="core.note")
AT = "2026-01-01T20:00:00Z"


def forged(
    session: Session, action: Action | dict[str, str], *facts: e.Event, rules: int = TOY.rules
) -> None:
    """Appends a move behind the rules' back, its hash right."""
    move = NewMove(
        kind="adjusted" if isinstance(action, core.Adjust) else "acted",
        begins=None,
        input=encode(action),
        bodies=[encode(fact) for fact in facts],
        by="eve",
        at=AT,
        request_id=None,
        rules=rules,
    )
    session.stand_at(session.ledger.append(session.head, move))


def found(session: Session, code: Code | None = None) -> list[Remark]:
    return [one for one in audit(session).remarks if code is None or one.code == code]


def only(session: Session, code: Code) -> Remark:
    """Returns the one remark of an audit, which must be of that kind."""
    [one] = found(session)
    assert one.code == code, one
    return one


def played(session: Session) -> Session:
    """Plays a while: whole actions, open ones, and things slipped in between."""
    for _ in range(6):
        for action in (Seek(hero="ada"), Gamble(), Rest()):
            session.perform(action, note="go")
            while session.open is not None:
                session.note("while it is open")
                session.roll("d10", inputs=Inputs(dice=["app"]))
                session.adjust("gold", "+1", "slipped in")
                session.answer(ANSWERS.get(session.open.request.purpose, []))
    return session


# --- an honest log --------------------------------------------------------------------------------


@pytest.mark.parametrize("asking", [False, True])
def test_an_honest_log_has_no_fault(start: Start, asking: bool) -> None:
    session = played(start(ask_dice=asking, table_cards=asking))
    done = audit(session)
    assert done.faults == []
    assert {one.code for one in done.remarks} == {"ruling"}
    assert done.moves == session.head.number
    assert done.actions == len(session.log())


def test_an_open_action_is_held_to_the_rules_as_far_as_it_went(toy: Session) -> None:
    while toy.open is None:
        toy.perform(Buy(what="rope"))
    assert found(toy) == []


def test_the_way_to_an_earlier_place_is_audited_alone(toy: Session) -> None:
    toy.perform(Rest())
    place = toy.head
    toy.adjust("gold", "+1", "found")
    assert audit(toy, place).remarks == []
    assert audit(toy, place).moves == 2


def test_it_says_how_far_it_is(toy: Session) -> None:
    toy.perform(Rest())
    seen: list[int] = []
    audit(toy, advance=seen.append)
    assert sum(seen) == toy.head.number


# --- facts ----------------------------------------------------------------------------------------


def test_a_fact_that_the_rules_do_not_give_is_named(toy: Session) -> None:
    forged(toy, Rest(), DayEnded(day=1, cause="toy.rest"), GoldChanged(by=9, now=9))
    toy.perform(Rest())
    one = only(toy, "unfounded")
    assert (one.move, one.by, one.at, one.hash) == (2, "eve", AT, toy.log()[1].hash)
    assert "toy.gold_changed by=9 now=9" in one.message


def test_a_fact_that_is_missing_is_named(toy: Session) -> None:
    forged(toy, Rest(), e.Noted(text="no day has ended"))
    assert "the rules give toy.day_ended" in only(toy, "unfounded").message


def test_another_fact_than_the_rules_give_is_named(toy: Session) -> None:
    forged(toy, Rest(), DayEnded(day=7, cause="toy.rest"))
    assert "day=1; the log has toy.day_ended cause=toy.rest day=7" in found(toy)[0].message


def test_an_action_that_was_not_to_be_done_is_named(toy: Session) -> None:
    assert toy.table.state.gold == 0
    forged(toy, Gamble())
    assert "There is no gold to gamble with" in only(toy, "unfounded").message


def test_an_answer_to_nothing_is_named(toy: Session) -> None:
    move = NewMove(
        "answered", 1, '{"answer":[]}', [encode(GoldChanged(by=1, now=1))], "eve", AT, None, 1
    )
    toy.ledger.append(toy.head, move)
    toy.refresh()
    assert only(toy, "unfounded").move == 2


def test_an_action_begun_over_an_open_one_is_named(toy: Session) -> None:
    while toy.open is None:
        toy.perform(Buy(what="rope"))
    forged(toy, Rest(), DayEnded(day=1, cause="toy.rest"))
    one = found(toy, "unfounded")[0]
    assert one.move == toy.head.number
    assert "while another action waits" in one.message


def test_a_question_for_another_move_is_named(toy: Session) -> None:
    asked = toy.perform(Buy(what="rope"), dry_run=True).events[-1]
    assert isinstance(asked, e.Asked)
    forged(toy, Buy(what="rope"), msgspec.structs.replace(asked, began=1))
    assert "for move 1" in only(toy, "unfounded").message


def test_what_the_rules_stumble_over_is_a_finding_too(toy: Session) -> None:
    forged(toy, Buy(what="nothing like it"))
    assert "KeyError" in only(toy, "unfounded").message


def test_a_fact_that_no_state_can_take_ends_the_audit_with_its_move(toy: Session) -> None:
    toy.perform(Rest())
    forged(toy, Rest(), LuckChanged(hero="nobody", by=1, now=1))
    forged(toy, Rest(), GoldChanged(by=1, now=1))
    one = next(one for one in found(toy, "unfounded"))
    assert one.move == 3
    assert "toy.luck_changed hero=nobody by=1 now=1 cannot be: no 'nobody'" in one.message
    assert audit(toy).moves == 2


def test_a_beginning_without_content_is_named(toy: Session) -> None:
    begun = next(event for _, event, _ in toy.events())
    forged(toy, core.New(name="Again", game="toy"), begun)
    assert found(toy, "unfounded")[0].move == 2


def test_other_rules_are_kept_apart(start: Start) -> None:
    session = start()
    register(changed_rules())
    try:
        newer = start("Newer")
        newer.perform(Buy(what="rope"))
        while newer.open is not None:
            newer.answer(["beg"])
    finally:
        register(TOY)
    newer.game = TOY
    newer.codec = session.codec
    [one] = found(newer)
    assert one.code == "rules_changed"
    assert not one.fault


def test_an_action_unknown_now_is_no_fault_unless_these_rules_claim_it(toy: Session) -> None:
    forged(toy, {"action": "fly"}, GoldChanged(by=1, now=1), rules=TOY.rules - 1)
    assert "'fly'" in only(toy, "unknown_action").message
    forged(toy, {"action": "fly"}, GoldChanged(by=1, now=2))
    assert found(toy, "unfounded")[0].move == 3


# --- dice, cards ----------------------------------------------------------------------------------


def a_roll(session: Session, change: Callable[[e.DiceRolled], e.DiceRolled]) -> None:
    """Forges a free roll out of the one that would come."""
    due = session.roll("2d10", dry_run=True).events[0]
    assert isinstance(due, e.DiceRolled)
    forged(session, core.Roll(dice="2d10"), change(due))


def test_a_due_roll_passes(toy: Session) -> None:
    a_roll(toy, lambda due: due)
    assert found(toy) == []


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"faces": (10, 10)}, "not as it had to come"),
        ({"key": 9}, "die 9 of kdmlog's sequence, where die 1 had to come"),
        ({"key": None}, "does not say which"),
        ({"source": "table"}, "take none of kdmlog's"),
        ({"source": "table", "key": None, "faces": (11, 1)}, "do not have"),
        ({"source": "table", "key": None, "faces": (1,)}, "do not have"),
        ({"source": "replayed"}, "which nothing carried over"),
    ],
)
def test_a_roll_that_was_not_due_is_named(
    toy: Session, change: dict[str, object], why: str
) -> None:
    a_roll(toy, lambda due: msgspec.structs.replace(due, **change))
    assert why in only(toy, "undue").message


def test_a_roll_carried_over_must_be_the_die_that_it_was_and_only_once(toy: Session) -> None:
    first = toy.roll("d10").events[0]
    assert isinstance(first, e.DiceRolled)
    source = toy.head.hash.hex()
    toy.undo()
    carried = msgspec.structs.replace(first, source="replayed")
    again = e.Replayed(keys=2, source=source)
    forged(toy, core.Rebase(source=source, after=1), again)
    forged(toy, core.Roll(dice="d10"), carried)
    assert {one.code for one in found(toy)} == {"replayed", "taken_back", "abandoned"}
    forged(toy, core.Roll(dice="d10"), carried)
    assert "came twice" in found(toy, "undue")[0].message
    another = msgspec.structs.replace(carried, faces=(first.faces[0] % 10 + 1,))
    forged(toy, core.Roll(dice="d10"), another)
    assert "not as it had come" in found(toy, "undue")[1].message


@pytest.mark.parametrize("source", ["", "head"])
def test_dice_cannot_be_passed_over_by_a_claim_of_doing_again(toy: Session, source: str) -> None:
    """Whoever knows the coming dice could begin after a bad one, and say that it was used."""
    hash = toy.head.hash.hex() if source else ""
    forged(toy, core.Note(text="x"), e.Replayed(keys=9, source=hash), NOTED)
    assert "new dice begin at 9, where 1 had to come" in found(toy, "undue")[0].message


def test_a_claim_of_doing_again_from_nowhere_is_told(toy: Session) -> None:
    forged(toy, core.Note(text="x"), e.Replayed(keys=9, source="ab" * 32), NOTED)
    assert (
        only(toy, "replayed").message == "done again from h:abababab, which is not in this ledger"
    )


def test_a_shuffle_that_was_not_due_is_named(toy: Session) -> None:
    state = toy.table.state
    order = tuple(sorted(state.decks["omens"]["deck"]))
    forged(toy, Rest(), e.DeckShuffled(deck="omens", order=order, purpose="omens", key=state.keys))
    assert found(toy, "undue")[0].message == "omens shuffled: not as it had to come"


def test_a_card_from_below_the_top_is_named(toy: Session) -> None:
    deck = toy.table.state.decks["omens"]["deck"]
    low = next(card for card in deck if card != deck[0])

    def drawn(source: str) -> e.CardsDrawn:
        return e.CardsDrawn(deck="omens", cards=(low,), to="discard", purpose="free", source=source)

    forged(toy, core.Draw(deck="omens"), drawn("app"))
    assert only(toy, "undue").message == "omens drawn: not the cards that lay on top"
    forged(toy, core.Draw(deck="omens"), drawn("table"))
    assert not found(toy, "undue")[1:], "at the table any card may come"


def test_a_finding_gives_away_no_coming_card(toy: Session) -> None:
    deck = list(toy.table.state.decks["omens"]["deck"])
    forged(toy, Rest(), e.DeckShuffled(deck="omens", order=tuple(deck), purpose="omens", key=1))
    assert not any(card in one.message for one in found(toy) for card in deck)


# --- past the rules, in the open ------------------------------------------------------------------


def test_a_ruling_is_listed_with_its_reason(toy: Session) -> None:
    toy.adjust("gold", "+3", "the chest", by="bo")
    one = only(toy, "ruling")
    assert (one.message, one.by, one.fault) == ("gold = 3: the chest", "bo", False)


def test_a_ruling_that_does_more_than_it_says_is_named(toy: Session) -> None:
    action = core.Adjust(path="gold", value="+1", why="oops")
    ruled = e.Ruled(path="gold", value=1, why="oops", cause="adjust")
    forged(toy, action, ruled, GoldChanged(by=9, now=9, cause="adjust"))
    assert "by=1 now=1; the log has" in found(toy, "unfounded")[0].message


def test_another_seed_is_listed_on_its_branch(toy: Session) -> None:
    toy.branch("other", reseed=True)
    assert found(toy) == []
    toy.switch("other")
    toy.roll("d10")
    assert only(toy, "reseeded").move == 2


# --- taken back -----------------------------------------------------------------------------------


def test_a_roll_taken_back_is_listed_by_who_took_it_back(toy: Session) -> None:
    toy.roll("d10")
    toy.roll("2d10")
    toy.undo(2, by="eve")
    taken, first, second = found(toy)
    assert (taken.code, taken.by, taken.move) == ("taken_back", "eve", 3)
    assert taken.message == "main: undo to move 1 over 2 rolls"
    assert [first.code, second.code] == ["abandoned"] * 2
    assert first.by == "ann" and first.message.startswith("free 1d10: ")


def test_an_undo_of_nothing_but_words_is_not_listed(toy: Session) -> None:
    toy.note("well")
    toy.undo()
    assert found(toy) == []


def test_what_is_done_again_lies_on_a_branch_again(toy: Session) -> None:
    toy.roll("d10")
    toy.undo()
    toy.redo()
    assert [one.code for one in found(toy)] == ["taken_back"]


def test_rolls_on_a_deleted_branch_and_beside_a_fork_are_listed(toy: Session) -> None:
    toy.branch("try")
    toy.switch("try")
    toy.roll("d10", inputs=Inputs(dice=["3"]))
    toy.switch("main")
    assert found(toy) == [], "a branch leads there"
    toy.delete_branch("try")
    [one] = found(toy)
    assert (one.code, one.message) == ("abandoned", "free 1d10: 3")
    assert toy.place(f"h:{one.hash}").number == one.move


def test_rolls_of_kdmlog_s_on_other_living_branches_are_listed(toy: Session) -> None:
    """Whoever branches before a roll has seen its dice, and may use them for something else."""
    toy.note("x")
    toy.roll("d10", why="attack")
    toy.draw("omens")
    toy.branch("again", "2")
    toy.branch("words", "2")
    toy.switch("again")
    toy.roll("2d10", why="burn")
    one = only(toy, "elsewhere")
    assert one.message == "main, after move 2: 1 roll and 1 draw"
    assert toy.place(f"h:{one.hash}").number == one.move == 4
    assert not one.fault
    toy.switch("main")
    assert only(toy, "elsewhere").message == "again, after move 2: 1 roll"


def test_the_tries_on_other_seeds_are_listed_branch_by_branch(toy: Session) -> None:
    toy.note("x")
    for name in ("x1", "x2", "x3"):
        toy.branch(name, "2", reseed=True)
        toy.switch(name)
        toy.roll("3d10")
    toy.switch("main")
    rebase(toy, "@{0}", None, "x2", (), Write(), keep=True)
    listed = [one.message for one in found(toy, "elsewhere")]
    assert listed == [f"{name}, after move 2: 1 roll" for name in ("x1", "x2", "x3")]


def test_faces_and_cards_given_by_hand_are_counted_where_they_are_kdmlog_s(start: Start) -> None:
    session = start()
    card = session.table.state.decks["omens"]["deck"][-1]
    session.roll("2d10", inputs=Inputs(dice=["10", "10"]), by="eve")
    session.draw("omens", Inputs(draws=[card]), by="eve")
    session.roll("d10", inputs=Inputs(dice=["10"]), by="bo")
    session.roll("d10")
    told = [(one.by, one.message, one.move, one.fault) for one in found(session, "by_hand")]
    assert told == [("eve", "1 roll and 1 draw", 3, False), ("bo", "1 roll", 4, False)]


@pytest.mark.parametrize("options", [{"table_dice": True}, {"ask_dice": True}])
def test_faces_of_a_table_that_rolls_itself_are_not_listed(
    start: Start, options: dict[str, bool]
) -> None:
    session = start(table_cards=True, **options)
    card = session.table.state.decks["omens"]["deck"][-1]
    session.roll("2d10", inputs=Inputs(dice=["10", "10"]))
    session.draw("omens", Inputs(draws=[card]))
    assert found(session) == []


@pytest.mark.parametrize(
    ("dice", "faces"), [("1d10", (77,)), ("zzz", (3,)), ("1location", (0,)), ("1d100", (4,))]
)
def test_dice_and_faces_that_there_are_not_are_faults_and_nothing_stumbles(
    toy: Session, dice: str, faces: tuple[int, ...]
) -> None:
    roll = e.DiceRolled(dice=dice, faces=faces, purpose="free", source="table")
    forged(toy, core.Note(text="x"), roll, NOTED)
    done = audit(toy)
    assert done.faults[0].code == "undue" and done.faults[0].move == 2
    assert all(one.rolled for one in dice_alone(toy).dice)
    toy.undo()
    assert [one.code for one in found(toy)] == ["taken_back", "abandoned"]


def test_the_dice_are_counted(toy: Session) -> None:
    toy.roll("2d10", inputs=Inputs(dice=["3", "4"]), by="bo")
    toy.roll("d10")
    counted = {(one.die, one.source, one.by): one.rolled for one in audit(toy).dice}
    assert counted == {
        ("d10", "table", ""): 2,
        ("d10", "table", "bo"): 2,
        ("d10", "app", ""): 1,
        ("d10", "app", "ann"): 1,
    }


# --- a corrected past -----------------------------------------------------------------------------


def random_game(session: Session, seed: int, actions: int = 15) -> None:
    """Plays at random, answers whatever is asked, and leaves nothing open."""
    chance = random.Random(seed)
    for _ in range(actions):
        with suppress(Refused):
            session.perform(chance.choice([Seek(hero="ada"), Gamble(), Rest(), Buy(what="rope")]))
        while session.open is not None:
            session.answer(ANSWERS.get(session.open.request.purpose, []))


@pytest.mark.parametrize("seed", range(6))
def test_a_corrected_past_has_no_fault(toy: Session, seed: int) -> None:
    toy.adjust("gold", "3", "to begin with")
    random_game(toy, seed)
    chance = random.Random(seed)
    for _ in range(3):
        move = chance.randint(2, toy.head.number - 1)
        forgot = Correction(move, "", lambda s, _a: s.adjust("gold", "+1", "forgot"), after=True)
        with suppress(Refused):
            amend(toy, forgot, Write(), keep=True)
        while toy.open is not None:
            toy.answer(ANSWERS.get(toy.open.request.purpose, []))
        random_game(toy, seed, 3)
    done = audit(toy)
    assert [one.message for one in done.faults] == []
    assert done.count("replayed")


@pytest.mark.parametrize("seed", range(6))
def test_another_branch_s_dice_carried_over_have_no_fault(toy: Session, seed: int) -> None:
    toy.adjust("gold", "3", "to begin with")
    toy.branch("other", reseed=True)
    random_game(toy, seed, 5)
    toy.switch("other")
    fork = toy.head
    random_game(toy, seed + 1, 5)
    toy.switch("main")
    with suppress(Refused):
        rebase(toy, "main", f"h:{fork.hash.hex()}", "other", (), Write(), keep=True)
    assert audit(toy).faults == []


def test_new_dice_that_begin_too_far_on_are_named(toy: Session) -> None:
    """Else a correction could pass over dice that would fall badly."""
    toy.roll("d10")
    source = toy.head.hash.hex()
    forged(toy, core.Rebase(source=source, after=1), e.Replayed(keys=9, source=source))
    assert "new dice begin at 9, where 2 had to come" in found(toy, "undue")[0].message


def test_an_action_begun_again_has_no_fault(start: Start) -> None:
    session = start(ask_dice=True)
    session.perform(Seek(hero="ada"))
    session.answer(["pass"])
    session.answer([])
    session.answer([], again=True)
    while session.open is not None:
        session.answer(ANSWERS.get(session.open.request.purpose, []))
    done = audit(session)
    assert done.faults == []
    assert done.count("replayed")


# --- each die once, under its own seed ------------------------------------------------------------


def keys_used(session: Session) -> list[int]:
    """Returns the keys of kdmlog's dice on the way here, each as often as it was used."""
    rolls = (event for _, event, _ in session.events((e.DiceRolled,)))
    return [roll.key for roll in rolls if isinstance(roll, e.DiceRolled) and roll.key is not None]


def test_a_die_that_stands_on_the_path_already_is_rolled_anew(toy: Session) -> None:
    toy.note("x")
    toy.roll("d10")
    done = rebase(toy, "@{0}", "@{1}", None, (), Write(), keep=True)
    assert len(done.rolled) == 1
    assert len(set(keys_used(toy))) == len(keys_used(toy)) == 2
    assert audit(toy).faults == []


def test_siblings_that_rolled_the_same_die_are_played_onto_each_other_without_fault(
    toy: Session,
) -> None:
    toy.branch("side")
    toy.roll("d10")
    toy.switch("side")
    toy.roll("d10", at=AT)
    rebase(toy, "@{0}", None, "main", (), Write(), keep=True)
    toy.switch("main")
    rebase(toy, "side", None, None, (), Write(), keep=True)
    assert audit(toy).faults == []
    assert len(set(keys_used(toy))) == len(keys_used(toy))


def test_a_die_used_twice_is_a_fault(toy: Session) -> None:
    first = toy.roll("d10").events[0]
    source = toy.head.hash.hex()
    assert isinstance(first, e.DiceRolled)
    forged(toy, core.Rebase(source=source, after=1), e.Replayed(keys=2, source=source))
    forged(toy, core.Roll(dice="d10"), msgspec.structs.replace(first, source="replayed"))
    assert "came twice" in found(toy, "undue")[0].message


@pytest.mark.parametrize("skipped", ["without", "from"])
def test_dice_of_another_seed_are_not_carried_without_it(toy: Session, skipped: str) -> None:
    toy.note("x")
    toy.branch("other", reseed=True)
    toy.switch("other")
    toy.roll("3d10")
    toy.switch("main")
    since, without = (None, {3}) if skipped == "without" else ("@{1}", set[int]())
    if since is not None:
        toy.switch("other")
        since = f"h:{toy.place('@{1}').hash.hex()}"
        toy.switch("main")
    done = rebase(toy, "main", since, "other", without, Write(), keep=True)
    assert [roll.source for roll in done.rolled] == ["app"]
    assert {one.code for one in found(toy)} == {"replayed", "elsewhere"}
    assert not audit(toy).count("foreign")


def test_the_other_seed_comes_along_with_its_dice(toy: Session) -> None:
    toy.branch("other", reseed=True)
    toy.switch("other")
    rolled = toy.roll("3d10").events[0]
    toy.switch("main")
    done = rebase(toy, "main", None, "other", (), Write(), keep=True)
    assert isinstance(rolled, e.DiceRolled)
    assert (done.rolled, keys_used(toy)) == ([], [rolled.key])
    assert {one.code for one in found(toy)} == {"replayed", "reseeded", "elsewhere"}


def test_dice_carried_over_from_another_seed_are_named(toy: Session) -> None:
    """kdmlog carries none so; a log of an earlier one, or another's, may hold such."""
    toy.branch("other", reseed=True)
    toy.switch("other")
    roll = toy.roll("3d10").events[0]
    assert isinstance(roll, e.DiceRolled)
    source = toy.head.hash.hex()
    toy.switch("main")
    keys = toy.at(f"h:{source}").state.keys
    forged(toy, core.Rebase(source=source, after=1), e.Replayed(keys=keys, source=source))
    forged(toy, core.Roll(dice="3d10"), msgspec.structs.replace(roll, source="replayed"))
    [one] = found(toy, "foreign")
    assert (one.move, one.fault) == (toy.head.number, False)
    assert audit(toy).faults == []


def test_cards_do_not_come_over_a_shuffle_that_was_not_carried(toy: Session) -> None:
    """A deck shuffled under another seed gives its own cards."""
    toy.branch("other", reseed=True)
    toy.switch("other")
    fork = toy.head
    for _ in range(12):
        toy.draw("omens") if toy.table.state.decks["omens"]["deck"] else toy.perform(Rest())
    toy.switch("main")
    rebase(toy, "main", f"h:{fork.hash.hex()}", "other", (), Write(), keep=True)
    assert audit(toy).faults == []


@pytest.mark.parametrize("seed", range(8))
def test_no_log_is_convicted_whatever_was_played_onto_what(toy: Session, seed: int) -> None:
    """Random play, branches with the same and other seeds, and rebases of any stretch anywhere."""
    chance = random.Random(seed)
    toy.adjust("gold", "5", "to begin with")
    kept = 0
    for step in range(24):
        match chance.choice(["play", "play", "branch", "switch", "rebase", "rebase"]):
            case "play":
                random_game(toy, 100 * seed + step, 2)
            case "branch":
                at = str(chance.randint(1, toy.head.number))
                toy.branch(f"b{step}", at, reseed=chance.random() < 0.3)
            case "switch":
                toy.switch(chance.choice([one.name for one in toy.branches()]))
            case "rebase":
                places = [one.head for one in toy.branches()]
                until = chance.choice(places)
                onto = toy.ledger.position(
                    place := chance.choice(places), chance.randint(1, place.number)
                )
                since = toy.ledger.position(until, chance.randint(1, until.number))
                at = [f"h:{one.hash.hex()}" for one in (onto, since, until)]
                left_out = {chance.randint(2, 30) for _ in range(chance.randint(0, 2))}
                with suppress(Refused):
                    rebase(toy, at[0], at[1], at[2], left_out, Write(), keep=True)
                    kept += 1
        while toy.open is not None:
            toy.answer(ANSWERS.get(toy.open.request.purpose, []))
    for branch in toy.branches():
        toy.switch(branch.name)
        assert [one.message for one in audit(toy).faults] == []
        assert not audit(toy).count("foreign")
    assert kept
    assert toy.verify() == []
