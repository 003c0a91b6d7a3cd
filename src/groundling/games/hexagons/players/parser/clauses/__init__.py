"""Phrases put together to targets, clause by clause."""

from groundling.games.hexagons.players.parser.clauses.build import Builder

__all__ = ["Builder"]
