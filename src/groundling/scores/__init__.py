"""Measures that know no game."""
