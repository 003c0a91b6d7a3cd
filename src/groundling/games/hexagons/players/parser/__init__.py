"""A rule-based executor that translates everyday English into drawing programs.

`sentences` normalises a text to plain words. If a sentence fully describes one thing, `whole_sentences`
carries it out, in any word order. Otherwise `phrase_scanner` cuts it into `phrases`, `clause_builder`
combines these into `targets`, `target_finder` finds the tiles of a target in the `scene`, and `instructions`
carries out the clause. An `InstructionReading` holds the drawing program and its changes; a text that the
rules cannot make sense of raises `UnreadableInstruction`."""

from groundling.games.hexagons.players.parser.instructions import InstructionReading, parse_instruction
from groundling.games.hexagons.players.parser.phrases import UnreadableInstruction
from groundling.games.hexagons.players.parser.player import make_parser_player

__all__ = ["InstructionReading", "UnreadableInstruction", "make_parser_player", "parse_instruction"]
