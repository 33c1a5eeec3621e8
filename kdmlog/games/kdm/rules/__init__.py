"""The rules of Kingdom Death: Monster, as procedures that ask.

Importing this package registers every verb of the effect script with its rule.
"""

from kdmlog.games.kdm.rules import attack, harm, monster, people, settle, stories, things, turns
from kdmlog.games.kdm.rules.script import VERBS

__all__ = [
    "VERBS",
    "attack",
    "harm",
    "monster",
    "people",
    "settle",
    "stories",
    "things",
    "turns",
]
