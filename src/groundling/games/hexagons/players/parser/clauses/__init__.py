"""Combines the phrases of a clause into targets."""

from groundling.games.hexagons.players.parser.clauses.build import Builder

__all__ = ["Builder"]
