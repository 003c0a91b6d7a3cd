"""Players that know the reference game."""
