"""Tiles of named shapes."""

from groundling.games.hexagons.players.parser.figures.figure import figure, put_named

__all__ = ["figure", "put_named"]
