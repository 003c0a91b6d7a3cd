"""A rule-based executor that reads everyday English: instructions become drawing programs, and those tiles.

`words` puts a text into plain words. If it says all of one thing, `wholes` finds what it says, in whatever
order. Else `phrases` cuts it into phrases, `clauses` puts these together to targets, `meaning` finds the
tiles that they mean in the `scene`, and `deeds` carries them out. A `Reading` has the drawing program and
what it changes."""

from groundling.games.hexagons.players.parser.player import parser
from groundling.games.hexagons.players.parser.read import Reading, read

__all__ = ["Reading", "parser", "read"]
