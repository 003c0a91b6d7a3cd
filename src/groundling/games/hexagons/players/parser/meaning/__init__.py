"""From what is said to the tiles that are meant."""

from groundling.games.hexagons.players.parser.meaning.finder import Finder

__all__ = ["Finder"]
