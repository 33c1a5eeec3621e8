"""Story events: triggered at once, whatever else is going on (rulebook, Story Events)."""

from __future__ import annotations

from kdmlog.core.game import Table
from kdmlog.core.procedures import Procedure, Record
from kdmlog.games.kdm import events as e
from kdmlog.games.kdm.content import StoryEvent
from kdmlog.games.kdm.rules import conditions, script


def trigger(
    table: Table, event: str, *, who: str = "", bound: dict[str, list[str]] | None = None
) -> Procedure[None]:
    """Plays a story event for ``who``, with people bound by what triggered it.

    An event that no pack describes is the players' own to read: they say what it does.
    """
    if event == "intimacy" and "seven_swordsmen" in table.state.variants:
        yield Record(e.GainIgnored(survivor=who, what=event, why="the Seven Swordsmen do not love"))
        return
    about = (who,) if who else ()
    yield Record(e.StoryTriggered(event=event, about=about))
    record = table.content.find(StoryEvent, event)
    scene = conditions.Scene(table=table, record=f"story_event:{event}", who=who, bound=bound or {})
    if record is None:
        yield from script.ask_table(scene, event.replace("_", " "))
        return
    yield from script.play_record(scene, record.steps)
    phase = table.state.phase.name
    yield from script.play_record(scene, record.by_phase.get(phase, []), f"by_phase.{phase}")


@script.verb("trigger")
def _trigger(scene: conditions.Scene, body: str) -> Procedure[None]:
    yield from trigger(scene.table, body, who=scene.who, bound=dict(scene.bound))
