"""Measures and statistics that do not depend on any game."""
