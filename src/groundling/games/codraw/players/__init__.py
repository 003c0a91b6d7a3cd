"""Players that know CoDraw."""
