"""Walks through the past on a full terminal: on and back by keys, or by itself."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

from prompt_toolkit.application import Application, get_app
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.styles import Style

from kdmlog.cli.frames import VIEWS, Frame, Screen, screen

HELP = (
    "space → ⏎   the next move          ←   the one before",
    "Home End    the first, the last    ↑ ↓   the other lines of a long move",
    "a number, then g or ⏎   goes to that move",
    "p   plays by itself, or pauses     + -   faster, slower",
    "v   gives the room to the sheets, then to the facts, then to all as before",
    "?   these keys, and away           q   ends",
    "Nothing is written, whatever is pressed.",
)
_LONGEST = 9
"""Digits of a move's number."""
_FASTEST, _SLOWEST = 64.0, 1 / 64


class Walk:
    """Where somebody stands in a stretch of the past, and what their keys do."""

    def __init__(self, numbers: list[int], draw: Callable[[int], Frame], speed: float) -> None:
        self.at = 0
        self.speed = speed or 1.0
        """Moves a second."""
        self.playing = bool(speed)
        self.typed = ""
        """The digits of a number begun."""
        self.said = ""
        self.helping = False
        self.view = VIEWS[0]
        self.scrolled = 0
        self.most = 0
        self._numbers = numbers
        self._draw = draw

    # --- what keys do ----------------------------------------------------------------------------

    def next(self) -> None:
        """Goes on by one, or to the number typed."""
        if self.typed:
            self.go()
            return
        if self.at + 1 == len(self._numbers):
            self.playing, self.said = False, "That was the last move of these."
        self.to(self.at + 1)

    def back(self) -> None:
        """Goes back by one."""
        if not self.at:
            self.said = "This is the first move of these."
        self.to(self.at - 1)

    def begin(self) -> None:
        """Goes to the first move of the stretch."""
        self.to(0)

    def end(self) -> None:
        """Goes to the last move of the stretch."""
        self.to(len(self._numbers) - 1)

    def to(self, at: int) -> None:
        """Goes to the n-th move of the stretch, or as near as there is one."""
        self.at = max(0, min(at, len(self._numbers) - 1))
        self.scrolled = 0

    def go(self) -> None:
        """Goes to the move whose number was typed, or to the last one shown before it."""
        first, last = self._numbers[0], self._numbers[-1]
        if not self.typed:
            self.said = "A move's number first, then g."
        elif not first <= int(self.typed) <= last:
            self.said = f"Move {self.typed} is none of these: {first} to {last}."
        else:
            self.to(sum(number <= int(self.typed) for number in self._numbers) - 1)
        self.typed = ""

    def digit(self, digit: str) -> None:
        """Goes on with a number."""
        self.typed = (self.typed + digit)[:_LONGEST]

    def play(self) -> None:
        """Begins to go on by itself, or stops."""
        self.playing = not self.playing and self.at + 1 < len(self._numbers)

    def faster(self, factor: float) -> None:
        """Plays faster or slower."""
        self.speed = max(_SLOWEST, min(self.speed * factor, _FASTEST))
        self.said = f"{self.speed:g} moves a second."

    def look(self) -> None:
        """Gives the room to something else."""
        self.view = VIEWS[(VIEWS.index(self.view) + 1) % len(VIEWS)]
        if self.view == "sheets" and not self._draw(self._numbers[self.at]).scene.board:
            self.view = "facts"  # without a board the sheets have all the room already
        self.scrolled = 0

    def scroll(self, lines: int) -> None:
        """Shows other lines of a long move."""
        self.scrolled = max(-self.most, min(self.scrolled + lines, self.most))

    # --- what is seen ----------------------------------------------------------------------------

    def seen(self, columns: int, rows: int) -> StyleAndTextTuples:
        """Returns the whole screen."""
        drawn = screen(
            self._draw(self._numbers[self.at]),
            columns,
            rows,
            view=self.view,
            scrolled=self.scrolled,
        )
        if isinstance(drawn, str):
            return [("", drawn)]
        self.most = drawn.most
        foot = f" {self._foot()}"[: columns - 1]
        if self.helping:
            drawn = _helped(drawn, rows)
        parts: StyleAndTextTuples = [("class:bar", drawn.title), ("", "\n")]
        parts += [("", f"{line}\n") for line in drawn.above]
        parts += [("class:headline", f"{line}\n") for line in drawn.headline]
        parts += [("", f"{line}\n") for line in drawn.below]
        return [*parts, ("class:bar", foot + " " * (columns - len(foot)))]

    def _foot(self) -> str:
        if self.typed:
            return f"go to move {self.typed}: g or ⏎"
        if self.said:
            return self.said
        playing = f"playing, {self.speed:g} a second: p pauses" if self.playing else "p play"
        return f"→ next  ← back  {playing}  v view: {self.view}  ? keys  q end"


def _helped(drawn: Screen, rows: int) -> Screen:
    """Returns the screen with the keys on it."""
    return Screen(drawn.title, [], ["Keys"], [*HELP, *[""] * (rows - 3 - len(HELP))], 0)


def walk(numbers: list[int], draw: Callable[[int], Frame], speed: float) -> None:
    """Shows the moves of these numbers until the player ends it; ``speed`` 0 waits for keys."""
    here = Walk(numbers, draw, speed)

    def seen() -> StyleAndTextTuples:
        size = get_app().output.get_size()
        return here.seen(size.columns, size.rows)

    bar = "noreverse" if "NO_COLOR" in os.environ else "reverse"
    application: Application[None] = Application(
        layout=Layout(Window(FormattedTextControl(seen, show_cursor=False), wrap_lines=False)),
        key_bindings=_keys(here),
        style=Style([("bar", bar), ("headline", "bold")]),
        full_screen=True,
    )

    async def play() -> None:
        while True:
            await asyncio.sleep(1 / here.speed)
            if here.playing and not here.typed:
                here.next()
                application.invalidate()

    def begin() -> None:
        application.create_background_task(play())

    application.run(pre_run=begin)


_HELP_KEYS = ("?",)


def _keys(here: Walk) -> KeyBindings:
    """Returns what each key does."""
    bindings = KeyBindings()

    def on(keys: tuple[str, ...], what: Callable[[], None]) -> None:
        def pressed(_event: KeyPressEvent) -> None:
            here.said = ""
            here.helping = here.helping and keys == _HELP_KEYS  # any other key goes on
            what()

        for key in keys:
            bindings.add(key)(pressed)

    def end(event: KeyPressEvent) -> None:
        event.app.exit()

    def by_hand(what: Callable[[], None]) -> Callable[[], None]:
        def go() -> None:
            here.playing = False
            what()

        return go

    def forget() -> None:
        here.typed = here.typed[:-1]

    def help_() -> None:
        here.helping = not here.helping

    def unknown() -> None:
        here.typed, here.said = "", "That key does nothing here; ? lists those that do."

    on(("<any>",), unknown)
    on((" ", "right", "enter"), by_hand(here.next))
    on(("left",), by_hand(here.back))
    on(("home",), by_hand(here.begin))
    on(("end",), by_hand(here.end))
    on(("up",), lambda: here.scroll(-1))
    on(("down",), lambda: here.scroll(1))
    on(("g",), by_hand(here.go))
    on(("p",), here.play)
    on(("+",), lambda: here.faster(2))
    on(("-",), lambda: here.faster(0.5))
    on(("v",), here.look)
    on(_HELP_KEYS, help_)
    on(("backspace",), forget)
    for digit in "0123456789":
        on((digit,), lambda digit=digit: here.digit(digit))  # type: ignore[misc]
    for key in ("q", "c-c", "c-d"):
        bindings.add(key)(end)
    return bindings
