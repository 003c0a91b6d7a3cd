"""A rule-based executor that translates everyday English into drawing programs.

`words` normalises a text to plain words. If a sentence fully describes one thing, `wholes` reads it, in any
word order. Otherwise `phrases` cuts it into phrases, `clauses` combines these into targets, `meaning` finds
the tiles of a target in the `scene`, and `deeds` carries out the clause. An `InstructionReading` holds the
drawing program and its changes."""

from groundling.games.hexagons.players.parser.player import parser
from groundling.games.hexagons.players.parser.read import InstructionReading, read_instruction

__all__ = ["InstructionReading", "parser", "read_instruction"]
