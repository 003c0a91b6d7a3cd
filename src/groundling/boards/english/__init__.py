"""Reading everyday English about square grids: words, places, rows spelled out, shapes."""
