"""Rule-based players of HEXAGONS."""
