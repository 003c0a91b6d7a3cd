"""The players that know this game."""
