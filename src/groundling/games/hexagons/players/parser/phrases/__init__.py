"""Cuts plain words into phrases."""

from groundling.games.hexagons.players.parser.phrases.pieces import COL
from groundling.games.hexagons.players.parser.phrases.scan import scan_phrases

__all__ = ["COL", "scan_phrases"]
