"""A rule-based Teller: it describes its scene in plain English, peeks at the canvas, and corrects it."""
