"""Cuts plain words into phrases."""

from groundling.games.hexagons.players.parser.phrases.pieces import COL
from groundling.games.hexagons.players.parser.phrases.scan import scan

__all__ = ["COL", "scan"]
