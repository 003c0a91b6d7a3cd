"""The players of CoDraw."""
