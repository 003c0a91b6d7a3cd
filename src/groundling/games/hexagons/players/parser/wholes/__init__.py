"""Reads sentences that fully describe one thing, in any word order and without context."""

from groundling.games.hexagons.players.parser.wholes.whole import perform_whole

__all__ = ["perform_whole"]
