"""Finds the tiles that a target means."""

from groundling.games.hexagons.players.parser.meaning.finder import TargetFinder

__all__ = ["TargetFinder"]
