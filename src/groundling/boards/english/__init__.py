"""Everyday English about square grids: its words, the places it names, rows spelled out, shapes."""
