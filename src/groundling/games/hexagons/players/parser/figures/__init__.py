"""Tiles of named shapes."""

from groundling.games.hexagons.players.parser.figures.figure import figure_tiles, paint_named_object

__all__ = ["figure_tiles", "paint_named_object"]
