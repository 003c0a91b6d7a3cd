"""How scores are shown: printed tables, and a report as one HTML file."""
