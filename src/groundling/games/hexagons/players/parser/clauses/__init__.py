"""Combines the phrases of a clause into targets."""

from groundling.games.hexagons.players.parser.clauses.build import ClauseBuilder

__all__ = ["ClauseBuilder"]
