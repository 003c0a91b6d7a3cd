"""A rule-based executor that reads everyday English: instructions become drawing programs, and those tiles.

`words` puts a text into plain words, `scan` cuts it into phrases, `build` puts these together to targets, `resolve` finds the tiles
that they mean in the `scene`, and `act` carries out a sentence.
"""

from .player import parser
from .read import Reading, read

__all__ = ["Reading", "parser", "read"]
