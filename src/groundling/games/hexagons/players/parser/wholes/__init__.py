"""Sentences that say all of one thing, in whatever order: nothing needs to be known of what was said
before."""

from groundling.games.hexagons.players.parser.wholes.whole import whole

__all__ = ["whole"]
