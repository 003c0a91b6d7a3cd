"""Carries out instructions."""

from groundling.games.hexagons.players.parser.deeds.perform import perform

__all__ = ["perform"]
