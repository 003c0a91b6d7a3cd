"""Players that know the image game."""
