"""Which fields hold what people wrote: names, ids made of names, words of their own.

It is said where the field is, for whoever must tell these from figures and content.
"""

# No annotations from __future__: msgspec would compile each of them whenever kdmlog starts.

from typing import Annotated, Final

from msgspec import Meta

ROLE: Final = "people"
"""Where a type's ``extra`` says what a field holds."""

CampaignName = Annotated[str, Meta(extra={ROLE: "name", "kind": "Campaign"})]
PlayerName = Annotated[str, Meta(extra={ROLE: "name", "kind": "Player"})]
Words = Annotated[str, Meta(extra={ROLE: "words"})]
"""Their own, in no form."""
NotedWords = Annotated[str, Meta(extra={ROLE: "noted"})]
"""Their own, unless a rule noted it."""
Told = Annotated[str, Meta(extra={ROLE: "said"})]
"""What the game says, or their own words from an action."""
Line = Annotated[str, Meta(extra={ROLE: "line"})]
"""A name, or a line in the words of the game that may mention somebody."""
Mention = Annotated[str, Meta(extra={ROLE: "mention"})]
"""Somebody's id or name, or the id of something else."""
Card = Annotated[str, Meta(extra={ROLE: "card"})]
"""A card, which is somebody's id in a deck of people."""
Typed = Annotated[str, Meta(extra={ROLE: "typed"})]
"""A word for somebody: an id, a name, or the beginning of one."""
Path = Annotated[str, Meta(extra={ROLE: "path"})]
"""A path or a figure's name, which may lead through somebody's id."""
Hash = Annotated[str, Meta(extra={ROLE: "hash"})]
"""That of a move."""
