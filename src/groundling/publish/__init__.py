"""Data sets to give away: tables with their cards in the formats of others, and archives of results."""
