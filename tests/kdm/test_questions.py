"""What is asked, who is left to act, what a survivor may be called: as a player reads it."""

from __future__ import annotations

import pytest

from kdmlog.core.errors import Refused
from kdmlog.core.events import Asked
from kdmlog.core.requests import Ask, Choose, Draw, Field, Fill, Option, Roll
from kdmlog.games.kdm import actions as a
from kdmlog.games.kdm.game import GAME, standing
from kdmlog.games.kdm.headlines import headline
from kdmlog.games.kdm.questions import question
from kdmlog.games.kdm.rules import harm
from kdmlog.games.kdm.sentences import sentence
from kdmlog.games.kdm.years import titled

from .scene import developing, fight, founders, run, survivors_turn
from .table import Game

SKULL = Choose(
    purpose="skull",
    about=("resource:skull",),
    options=(Option("erza", "Erza"), Option("lucy", "Lucy")),
)
LOST = Choose(
    purpose="lose_resource",
    about=("story_event:principle_death",),
    options=(Option("skull", "Skull"), Option("scrap", "Scrap")),
)


@pytest.mark.parametrize(
    ("request_", "asked"),
    [
        (
            SKULL,
            "Skull: When gained: +1 insanity for one survivor of your choice."
            "  Who?  [erza]  [lucy]",
        ),
        (LOST, "Principle: Death: which resource is lost?  [skull]  [scrap]"),
        (
            Roll(purpose="beasts_maw", about=("hit_location:beasts_maw", "lucy"), dice="1d10"),
            "Beast's Maw (Lucy): the roll for what it does.  1d10: faces, or ⏎ to let kdmlog roll",
        ),
        (
            Draw(purpose="ai", deck="ai"),
            "Draw from the AI deck: the card drawn, or ⏎ to let kdmlog draw",
        ),
        (
            Fill(purpose="population", about=("first_day",), fields=(Field("population"),)),
            "First Day: the settlement's population, those with a sheet included.  a number",
        ),
    ],
    ids=lambda one: getattr(one, "purpose", ""),
)
def test_a_question_says_what_it_is_for(request_: Ask, asked: str) -> None:
    assert question(request_, founders().table) == asked


def test_a_payment_is_asked_in_words() -> None:
    options = (Option("yes", "spend Leather"), Option("no", "keep it"))
    asked = Choose(purpose="payment", about=("leather",), options=options, default="yes")
    assert question(asked, founders().table).startswith(
        "Other resources would do, or these have other uses.  Pay with them?  [yes] spend Leather"
    )


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["none", "All", "yes", "No!", "app", "pass", "UNDO", "far Lucy"])
def test_a_name_that_answers_questions_is_refused(name: str) -> None:
    game = Game()
    with pytest.raises(Refused, match="answers questions"):
        game.do(a.SurvivorNew(name=name, sex="m"))
    game.rewind()
    game = founders()
    with pytest.raises(Refused, match="answers questions"):
        game.do(a.SurvivorRename(survivor="lucy", name=name))


def test_a_second_survivor_of_the_same_name_is_said_to_be_one() -> None:
    game = Game()
    [first, *_] = game.do(a.SurvivorNew(name="Tom", sex="m"))
    [second, *_] = game.do(a.SurvivorNew(name="Tom", sex="m"))
    assert sentence(first, game.table) == "Tom arrives, male"
    assert sentence(second, game.table) == (
        "Tom arrives, male; another has the name, so at the prompt: tom_2"
    )


# --- who is left to act ---------------------------------------------------------------------------


def test_the_knocked_down_are_not_counted_among_those_to_act() -> None:
    game = survivors_turn()
    run(game, harm.knock_down(game.table, "erza"))
    assert GAME.prompt(game.table).endswith("to act: allister lucy zachary")
    assert GAME.phase(game.table).endswith("3 to act")


def test_a_movement_spent_is_told() -> None:
    game = survivors_turn()
    game.do(a.Move(survivor="allister"))
    move = a.Move(survivor="lucy")
    assert headline(move, game.do(move), game.table) == "Lucy moves"


# --- texts ----------------------------------------------------------------------------------------


def test_the_prompt_counts_endeavors_and_knows_of_an_open_question() -> None:
    game = developing()
    game.state.settlement.endeavors = 1
    assert GAME.prompt(game.table) == "LY 1 settlement: develop, 1 endeavor"
    game.state.settlement.endeavors = 2
    game.fold(Asked(request=LOST, began=1))
    assert GAME.prompt(game.table) == "LY 1 settlement: a question is open, 2 endeavors"


@pytest.mark.parametrize(
    ("id_", "name"),
    [
        ("hands_of_heat", "Hands of Heat"),
        ("principle_society", "Principle: Society"),
        ("the_hand", "The Hand"),
    ],
)
def test_what_no_pack_knows_is_titled_as_printed(id_: str, name: str) -> None:
    assert titled(id_) == name


def test_a_dodge_is_weighed_against_the_damage_and_what_is_left_there() -> None:
    game = survivors_turn()
    fight(game).turn = "monster"
    game.state.survivors["lucy"].injuries["waist"] = ["light"]
    dodge = Choose(
        purpose="dodge", about=("lucy", "waist", "arms", "waist"), options=(Option("no"),)
    )
    assert question(dodge, game.table).startswith(
        "Lucy is hit, 1 damage each: 2× waist A1 L■ H□, arms A0 L□ H□.  Dodge it? (survival 1 → 0)"
    )
    fight(game).tokens["damage"] = 1
    one = Choose(purpose="dodge", about=("lucy", "head"), options=(Option("no"),))
    assert question(one, game.table).startswith("Lucy is hit, 2 damage: head A0 H□.")
    game.state.decks["ai"].zones["playing"] = ["maul"]
    assert question(one, game.table).startswith("Lucy is hit, 4 damage: head A0 H□.")
    game.state.decks["ai"].zones["playing"] = ["maul", "claw"]  # it may be the one or the other
    assert question(one, game.table).startswith("Lucy is hit: head A0 H□.")


def test_a_dodge_is_told_what_the_card_does_before_the_damage() -> None:
    game = survivors_turn()
    game.state.decks["ai"].zones["playing"] = ["peck"]
    one = Choose(purpose="dodge", about=("lucy", "arms"), options=())
    assert ".  Peck: Destroys the armor where it hits, before damage.  Dodge it?" in question(
        one, game.table
    )


def test_whoever_has_run_away_is_said_to_be_away() -> None:
    game = survivors_turn()
    fight(game).away |= {"lucy": False, "erza": True}
    lines = standing(game.table)
    assert any(one.strip().startswith("Lucy") and one.endswith("has run home") for one in lines)
    assert any(one.strip().startswith("Erza") and "will be back" in one for one in lines)
