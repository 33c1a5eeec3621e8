"""What weighs on a survivor beside figures and boxes: conditions, bars, benefits to come."""

from __future__ import annotations

from kdmlog.cli.kdm_sheets import folded, last_folded
from kdmlog.games.kdm import views

from .scene import founders, who


def test_what_is_barred_comes_with_what_bars_it() -> None:
    game = founders()
    assert views.barred(game.table, "allister") == {}
    who(game).severe_injuries.append("broken_hip")
    who(game).bars["survival"] = "card_end"
    assert views.barred(game.table, "allister") == {
        "survival": "barred until the card end",
        "dodge": "Broken Hip",
    }


def test_conditions_are_what_holds_just_now() -> None:
    game = founders()
    one = who(game)
    assert views.conditions(game.table, "allister") == []
    one.knocked_down, one.insanity, one.retires = 1, 3, "hunt_xp_16"
    one.passing += ["disemboweled", "spotted"]
    one.benefits["reroll"] = "showdown_end"
    assert views.conditions(game.table, "allister") == [
        "knocked down",
        "insane",
        "Disemboweled",
        "spotted",
        "reroll until the showdown end",
        "will retire (hunt xp 16)",
    ]


def test_benefits_to_come_are_notes_on_their_sheet() -> None:
    game = founders()
    who(game).notes.append("limps")
    who(game).remembered.append("ignore_next_severe_injury")
    game.state.settlement.remembered.append("lost:2")
    view = views.view(game.table)
    assert view.survivors["allister"].notes == ["limps", "ignore next severe injury"]
    assert view.settlement.notes == ["lost 2"]


def test_tokens_read_as_on_the_table() -> None:
    game = founders()
    who(game).tokens.update(bleeding=2, strength=1, evasion=-1)
    one = views.view(game.table).survivors["allister"]
    assert views.tokens(one) == ["strength +1", "evasion -1", "bleeding 2"]
    assert "bleeding 2" in views.summary(views.view(game.table), "allister")


def test_a_sheet_new_in_a_stretch_shows_its_injuries() -> None:
    game = founders()
    before = views.view(game.table)
    del before.survivors["allister"]
    who(game).injuries["legs"] = ["light"]
    who(game).injuries["brain"] = ["light"]
    [line] = views.sheet_changes(before, views.view(game.table))
    assert "legs A0 L■ H□" in line and "waist A1 L□ H□" in line and "brain B■" in line


def test_items_are_folded_between_each_other_never_within() -> None:
    assert folded([], 10) == ""
    assert folded(["one two", "three"], 20) == "one two; three"
    assert folded(["one two", "three"], 13) == "one two;\nthree"
    assert folded(["one", "two", "three"], 9) == "one; two;\nthree"
    assert folded(["a very long one", "b"], 5) == "a very long one;\nb"
    rows = [("Ada", 1, ["waist A1 L□ H□", "bleeding 2"]), ("Bo", 10, [])]
    assert last_folded(("Who", "N", "Now"), rows, 33) == [
        ("Ada", 1, "waist A1 L□ H□;\nbleeding 2"),
        ("Bo", 10, ""),
    ]
    assert last_folded(("Who", "N", "Now"), [], 33) == []
