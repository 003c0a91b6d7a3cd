"""Tables and, later, figures: how scores are shown."""
