"""Players that know HEXAGONS."""
