"""The rules of Kingdom Death: Monster, as procedures that ask.

Importing this package registers every verb of the effect script with its rule.
"""

from kdmlog.games.kdm.rules import (
    ai,
    attack,
    blows,
    dashing,
    flight,
    harm,
    healing,
    in_play,
    marching,
    monster,
    moving,
    people,
    retinues,
    settle,
    setup,
    stories,
    surge,
    targets,
    terrain,
    things,
    turns,
    uses,
)
from kdmlog.games.kdm.rules.script import VERBS

__all__ = [
    "VERBS",
    "ai",
    "attack",
    "blows",
    "dashing",
    "flight",
    "harm",
    "healing",
    "in_play",
    "marching",
    "monster",
    "moving",
    "people",
    "retinues",
    "settle",
    "setup",
    "stories",
    "surge",
    "targets",
    "terrain",
    "things",
    "turns",
    "uses",
]
