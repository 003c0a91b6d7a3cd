"""Carries out instructions."""

from groundling.games.hexagons.players.parser.deeds.perform import perform_instruction

__all__ = ["perform_instruction"]
