"""Runs of many episodes: their plan, their append-only log, playing and resuming them, and their scores."""
