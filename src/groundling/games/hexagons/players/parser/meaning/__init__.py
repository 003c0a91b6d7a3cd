"""From what is said to the tiles that are meant."""

from .finder import Finder

__all__ = ["Finder"]
